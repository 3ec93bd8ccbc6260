"""The controller (cycles, and the server that answers questions), and the world: person, breaks, failures, deaths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .agent import SCREENS, braked, reflex_on, started
from .state import NO_RUNS, Runs, State, due, may_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .rules import Settings

BREAKS = 2


def controller(s: State, k: Settings) -> Iterator[tuple[str, State]]:
    yield from _cycle(s, k)
    for ask in sorted(s.asks):
        if ask[1] == "asked" and s.serving:
            yield f"controller answers {ask[0]}", _answered(s, ask, _verdict(s, k))
    if not s.serving and s.lease:
        yield "the lease runs out", s._replace(lease=False, agent=s.agent._replace(polls=True))


def _cycle(s: State, k: Settings) -> Iterator[tuple[str, State]]:
    """One at a time, under a lock that the system frees when its holder dies."""
    count = s.said.attended if s.said else -1
    if s.cycle is None:
        if s.wake:
            t = s._replace(wake=2 if k.on("markers") else 0)
            if k.on("read-first"):
                yield "cycle: reads the count", t._replace(cycle=("snapshot", count, False))
            else:
                yield (
                    "cycle: snapshot first",
                    t._replace(cycle=("count", -1, _looks(s, k)), known=_looks(s, k)),
                )
        return
    step, read, seen = s.cycle
    if step == "snapshot":
        yield "cycle: snapshot", s._replace(cycle=("deliver", read, _looks(s, k)), known=_looks(s, k))
    elif step == "count":
        yield "cycle: then the count", s._replace(cycle=("deliver", count, seen))
    elif step == "deliver":
        yield "cycle: delivers", _delivered(s._replace(cycle=("end", read, seen)), read, seen, k)
    else:
        yield "cycle: ends", s._replace(cycle=None, wake=0 if s.wake == 2 else s.wake)


def _looks(s: State, k: Settings) -> bool:
    """Whether the pane counts as focused."""
    away = k.away == "pause" and s.said is not None and s.said.away
    return s.focused and not away


def _delivered(s: State, count: int, focused: bool, k: Settings) -> State:
    said = s.said
    if said is None:  # Nobody has said hello: there is no mailbox.
        return s
    wanted: Runs = frozenset(run for run in s.holds if not (k.on("waive") and run in said.waived))
    if not focused and not s.allowed:
        wanted |= {("focus", count)}
    if said.phase in ("paused", "own"):
        alone = not any(isinstance(run, tuple) for run in said.runs)
        over = said.phase == "paused" and said.runs and alone and not wanted
        return s._replace(resume=said.engagement) if over else s
    if wanted or s.pending is not None or s.claim or s.ack:
        return s._replace(pending=wanted)
    return s


def _verdict(s: State, k: Settings) -> str:
    seen = _looks(s, k) if k.on("fresh-answer") else s.known
    waived = s.said.waived if s.said else NO_RUNS
    held = [run for run in s.holds if run not in waived]
    return "pause" if held or not (seen or s.allowed) else "run"


def _answered(s: State, ask: tuple[int, str], verdict: str) -> State:
    return s._replace(asks=s.asks - {ask} | {(ask[0], verdict)})


def world(s: State, k: Settings) -> Iterator[tuple[str, State]]:
    if s.crashes and k.may("crashes"):
        yield from _deaths(s._replace(crashes=s.crashes - 1), k)
    if not s.left:
        return
    t = s._replace(left=s.left - 1)
    if k.may("focus"):
        yield from _focus(t, k)
    if k.may("window") and k.mode != "off":
        yield from _window(t, k)
    if k.may("breaks"):
        yield from _breaks(t, k)
    if k.may("person"):
        yield from _person(t, k)
    if k.may("failures") and s.asks:
        yield from _failures(t)
    if k.mode == "strict" and s.agent.phase == "run" and not s.agent.ours and not s.agent.todo:
        yield "agent comes to a boundary", _boundary(t, k)
    if k.may("crashes") and not s.serving:
        yield (
            "controller starts",
            t._replace(serving=True, lease=True, wake=1, agent=t.agent._replace(polls=False)),
        )


def _deaths(t: State, k: Settings) -> Iterator[tuple[str, State]]:
    if t.cycle is not None:
        yield "the cycle dies", t._replace(cycle=None, wake=1 if t.wake == 2 else t.wake)
    if t.serving and k.mode != "off":  # Its next start looks at everything.
        yield "the server dies", t._replace(serving=False, asks=frozenset(), wake=1)
    if t.said is not None:
        yield "agent dies, another starts", started(t, k)


def _moved(t: State, k: Settings, what: str, wake: int = 1, **changes: bool) -> State:
    """The person moves; the terminal tells the agent, the host the controller."""
    agent = t.agent._replace(queue=t.agent.queue + what)
    return _granted(t._replace(wake=wake or t.wake, agent=agent, **changes), k)


def _granted(t: State, k: Settings) -> State:
    """Remembers that there was a moment at which it might run."""
    return t._replace(agent=t.agent._replace(granted=t.agent.granted or may_run(t, k.away == "pause")))


def _focus(t: State, k: Settings) -> Iterator[tuple[str, State]]:
    if t.focused:
        report = "O" if t.window else ""
        yield "person leaves", _moved(t, k, report, focused=False, allowed=False)
        if (
            k.mode != "off"
            and t.lease
            and t.serving
            and report
            and reflex_on(t, k)
            and t.agent.phase == "run"
        ):
            yield (
                "person leaves, and the hook is lost",
                _moved(t, k, report, wake=0, focused=False, allowed=False),
            )
    else:
        yield "person comes", _moved(t, k, "I" if t.window else "", focused=True, unnoticed=True)
        yield "person comes, and the report is lost", _moved(t, k, "", focused=True, unnoticed=True)
        if not t.allowed:
            yield "person allows it", _granted(t._replace(allowed=True, wake=1), k)
        if k.mode != "off":
            yield "the report comes twice", _moved(t, k, "O", wake=0)


def _window(t: State, k: Settings) -> Iterator[tuple[str, State]]:
    if t.window:
        yield "the window loses the focus", _moved(t, k, "O" if t.focused else "", wake=0, window=False)
    else:
        yield (
            "the window gets the focus",
            _moved(t, k, "I" if t.focused else "", wake=0, window=True, unnoticed=True),
        )


def _breaks(t: State, k: Settings) -> Iterator[tuple[str, State]]:
    if t.breaks < BREAKS:
        yield (
            f"break {t.breaks + 1} begins",
            t._replace(holds=t.holds | {t.breaks + 1}, breaks=t.breaks + 1, wake=1),
        )
    for run in sorted(t.holds, key=str):
        yield f"break {run} ends", _granted(t._replace(holds=t.holds - {run}, wake=1), k)
        yield f"break {run} expires", _granted(t._replace(holds=t.holds - {run}), k)


def _person(t: State, k: Settings) -> Iterator[tuple[str, State]]:
    a = t.agent
    if not (t.focused and t.window) or a.todo:
        return
    if a.phase in ("run", "swapping", "showing") and len(a.queue) < 2:
        yield "person types", t._replace(agent=a._replace(queue=a.queue + "K"))
    if a.phase in SCREENS and len(a.queue) < 2:
        yield "person resumes", t._replace(agent=a._replace(queue=a.queue + "R"))
    if a.phase == "run":
        yield "person pauses", _paused(t, k)
    elif a.phase == "showing" and not k.on("own-pause"):
        yield "person pauses, and it is taken over", t._replace(bad="the person's own pause was taken over")


def _paused(t: State, k: Settings) -> State:
    a = t.agent
    ours = a.ours if not k.on("own-wins") else ""
    b = a._replace(
        phase="own", ours=ours, attended=a.attended + 1, away=False, queue="", promised=False, told=False
    )
    b = b._replace(open=a.open and bool(ours), engagement=a.engagement + 1)
    return t._replace(agent=b._replace(todo=("status", "wake")))


def _failures(t: State) -> Iterator[tuple[str, State]]:
    for ask in sorted(t.asks):
        yield f"the line of question {ask[0]} breaks", t._replace(asks=t.asks - {ask})
        if ask[1] == "asked":
            yield f"the host gives no snapshot for {ask[0]}", _answered(t, ask, "unknown")


def _boundary(t: State, k: Settings) -> State:
    if not reflex_on(t, k):
        return t
    if not k.on("boundary"):
        bad = "a tool started in a pane that had lost the focus" if due(t, k.away == "pause") else ""
        return t._replace(bad=bad)
    return braked(t, k, "boundary")
