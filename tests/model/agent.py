"""What the agent's extension does: mailbox, brake, questions. A tick decides at once and leaves its effects on the
disk and the socket to `todo`, one step each, so that others come in between and it may die there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework.testing.invariants import WHEN_FINAL, WHEN_SAID, no_foreign_release, violated

from .state import NO_RUNS, SILENT_AT_MOST, Agent, Runs, Said, State, may_run, scene

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .rules import Settings

Steps = "Iterator[tuple[str, State]]"
SCREENS = ("showing", "paused", "own")
"""Phases in which a pause screen has the keyboard."""


def steps(s: State, k: Settings) -> Iterator[tuple[str, State]]:
    a = s.agent
    if a.todo:
        yield effect(s, k)
        return
    if a.queue:
        yield f"agent reads {a.queue[0]}", reads(s, k)
    if a.ending:  # Nothing comes between but input that was read along with the key.
        yield "agent: the gate opens", resumed(s, k)
        return
    if a.owed:
        yield "agent: status file, by and by", published(s, k)
    yield from _answers(s, k)
    if a.open and not any(number == a.question for number, _ in s.asks):
        yield from _silence(s, k)
    if not s.lease and a.polls:
        yield "agent looks at the lease", _polls(s, k)
    yield from _mailbox(s, k)


# Effects, one step of the disk each.


def effect(s: State, k: Settings) -> tuple[str, State]:
    name, *rest = s.agent.todo
    if name == "status" and "wake" in rest and not k.on("publish-first"):
        name, rest = "wake", [one for one in rest if one != "wake"] + ["status"]
    t = s._replace(agent=s.agent._replace(todo=tuple(rest)))
    match name:
        case "status":
            return "agent: status file", published(t, k)
        case "wake":
            return "agent: wakes the controller", t._replace(wake=1)
        case "finish":
            return "agent: claim removed", t._replace(claim=False)
        case "unack":
            return "agent: acknowledgement removed", t._replace(ack=False)
        case "ack":
            return "agent: acknowledges", _paused_now(t._replace(ack=True), k)
        case "recheck":
            return "agent: checks once more", rechecks(t, k)
        case "restore":
            back = t.pending if t.pending is not None else s.agent.runs if k.on("restore") else None
            return "agent: gives the request back", _agent(
                t._replace(pending=back, claim=False), runs=NO_RUNS
            )
        case _:  # ask
            return "agent: asks", _asked(t, k)


def published(s: State, k: Settings) -> State:
    a = s.agent
    phase = "braked" if a.ours else "run" if a.phase == "swapping" else a.phase
    before = s.said
    said = Said(a.attended, phase, a.runs if phase == "paused" else NO_RUNS, a.waived, a.engagement, a.away)
    t = s._replace(said=said, agent=a._replace(owed=False))
    fresh = phase == "paused" and (before is None or before.phase != "paused")
    return _paused_now(t, k) if fresh else t


def _paused_now(s: State, k: Settings) -> State:
    return s._replace(bad=s.bad or violated(_scene(s, k), WHEN_SAID))


def _asked(s: State, k: Settings) -> State:
    """A question reaches the controller, if there is one: that is a wake-up too."""
    if not s.serving:
        return s
    wake = 1 if k.on("ask-wakes") else s.wake
    return s._replace(asks=s.asks | {(s.agent.question, "asked")}, wake=wake)


# Terminal input.


def reads(s: State, k: Settings) -> State:
    a = s.agent
    what, t = a.queue[0], _agent(s, queue=a.queue[1:])
    if what != "O" and "O" not in a.queue:
        t = t._replace(unnoticed=False)
    if what == "O":
        return _focus_lost(_agent(t, reports=True, away=True), k)
    if what == "I":
        return _proof(_agent(t, reports=True), k, "return-lets-go")
    if what == "R" and a.phase in SCREENS:
        t = _agent(t, ending=True, promised=False)
        return _proof(t, k, "key-lets-go") if k.on("resume-proves") and (a.away or not a.reports) else t
    return _proof(t, k, "key-lets-go") if a.away or not a.reports else t


def _proof(s: State, k: Settings, rule: str) -> State:
    a = s.agent._replace(
        attended=s.agent.attended + 1, away=False, promised=False, open=False, told=False, owed=True
    )
    if a.ours and k.on(rule):
        a = a._replace(ours="", todo=("status",), owed=False, asked_again=False)
    return s._replace(agent=a)


def _focus_lost(s: State, k: Settings) -> State:
    a = s.agent
    if a.phase in ("paused", "own"):
        return _agent(s, owed=k.away == "pause" or a.owed, promised=reflex_on(s, k))
    if not reflex_on(s, k):
        return _nobody_asked(s, k)
    if not k.on("brake"):
        return _agent(s, promised=True)
    if a.open and not k.on("ask-anew"):
        return _agent(s, promised=True, granted=_may_run(s, k))
    return braked(s, k) if a.phase == "run" else _agent(question(s, k), todo=("status", "ask"))


def _nobody_asked(s: State, k: Settings) -> State:
    """Without a question nobody else tells the controller that the window has gone."""
    if k.away == "ignore":
        return s
    return _agent(s, todo=("status", "wake") if k.on("away-wakes") else ("status",))


def reflex_on(s: State, k: Settings) -> bool:
    lease = s.lease or not k.on("lease-at-report")
    return k.mode != "off" and lease and (s.agent.silent < SILENT_AT_MOST or not k.on("silence-ends-it"))


def question(s: State, k: Settings) -> State:
    a = s.agent
    return _agent(
        s,
        question=a.question + 1,
        open=True,
        told=False,
        promised=True,
        granted=_may_run(s, k),
        asked_again=False,
    )


def braked(s: State, k: Settings, owner: str = "brake", before: tuple[str, ...] = ()) -> State:
    """The gate is ours, and a new question is on its way."""
    t = question(s, k)
    unheard = t.agent.silent >= SILENT_AT_MOST
    then = ("status", "ask") if k.on("away-first") else ("ask", "status")
    return _agent(t, ours=owner, unheard=unheard, todo=(*before, *then))


def _let_go(s: State, **changes: object) -> State:
    """The gate is open again, by what the protocol allows."""
    changes = {"todo": ("status",), **changes}
    return _agent(s, ours="", open=False, told=False, asked_again=False, promised=False, **changes)


def _unanswered(k: Settings) -> tuple[str, ...]:
    """The question may not have reached anybody, and with it the news."""
    return ("status", "wake") if k.on("silence-wakes") else ("status",)


# Answers, and none.


def _answers(s: State, k: Settings) -> Iterator[tuple[str, State]]:
    for ask in sorted(s.asks):
        number, verdict = ask
        if verdict == "asked":
            continue
        t = s._replace(asks=s.asks - {ask})
        newest = s.agent.open and number == s.agent.question
        if newest or (s.agent.ours and not k.on("newest-answer")):
            yield f"agent hears {verdict} to {number}", _hears(t, verdict, k)
        else:
            yield f"agent ignores {verdict} to {number}", t


def _hears(s: State, verdict: str, k: Settings) -> State:
    a = s.agent
    if verdict == "pause" and k.on("pause-keeps"):
        return _agent(s, open=False, told=True, silent=0)
    if a.phase != "run":  # A request is being worked on, or the person has paused it.
        if a.phase == "own" and a.ours:
            bad = no_foreign_release(_scene(s, k)._replace(gate="person"), "extension")
            return _agent(s._replace(bad=s.bad or bad), phase="run", ours="", open=False)
        return _agent(s, open=False, silent=0, promised=False)
    right = verdict == "unknown" or a.granted
    bad = "" if right else f"let go by the answer {verdict}, which was never right"
    return _let_go(s._replace(bad=s.bad or bad), silent=0)


def _silence(s: State, k: Settings) -> Iterator[tuple[str, State]]:
    """The question or its answer is lost."""
    a = s.agent
    if a.ours == "boundary" and k.fail == "closed":
        if s.serving:
            yield "agent asks once more", braked(s, k, "boundary")
    elif a.ours and k.on("silence-lets-go"):
        yield "agent: no answer, lets go", _let_go(s, silent=a.silent + 1, todo=_unanswered(k))
    elif not a.ours:
        yield (
            "agent: no answer",
            _agent(s, open=False, promised=False, silent=a.silent + 1, todo=_unanswered(k)),
        )


def _polls(s: State, k: Settings) -> State:
    t = _agent(s, polls=False)
    return _let_go(t, todo=_unanswered(k)) if t.agent.ours and k.on("lease-ends-it") else t


# The mailbox.


def _mailbox(s: State, k: Settings) -> Iterator[tuple[str, State]]:
    a = s.agent
    if a.phase == "run":
        if s.pending is not None:
            yield "agent claims", claims(s, k)
        elif s.resume:
            yield "agent: nothing to resume", s._replace(resume=0)
        elif a.ours and a.told and not _in_motion(s):
            yield from _unanswered_pause(s, k)
    elif a.phase == "swapping":
        yield "agent: engages after all", _agent(s, phase="showing")
    elif a.phase == "showing":
        yield "agent: the screen is painted", _agent(s, todo=("ack", "recheck"))
        if s.left and k.may("failures"):
            yield "agent: cannot paint", not_painted(s._replace(left=s.left - 1), k)
    elif s.resume and a.phase == "paused":
        yield "agent: resume request", resumes(s, k)
    elif s.pending is not None or s.resume:
        yield "agent: paused already", s._replace(pending=None, resume=0)


def _in_motion(s: State) -> bool:
    """Somebody is about to do something; the bound for a request after the answer `pause` is longer than that."""
    return bool(s.cycle or s.wake or s.asks)


def _unanswered_pause(s: State, k: Settings) -> Iterator[tuple[str, State]]:
    if not k.on("ask-again"):
        return
    if s.agent.asked_again:
        yield "agent: no request comes, lets go", _let_go(s)
    else:
        t = braked(s, k, s.agent.ours)
        yield "agent: no request comes, asks again", _agent(t, asked_again=True)


def claims(s: State, k: Settings) -> State:
    a = s.agent
    runs = s.pending or NO_RUNS
    t = _agent(s._replace(pending=None, claim=True), runs=runs)
    if not stands(t, k):
        return _dropped(t, k)
    if a.ours and not k.on("swap"):
        return _agent(t, phase="swapping", ours="")
    todo = () if k.on("engage-first") else ("ack",)
    t = _agent(t, phase="showing", ours="", unheard=False)
    return _paused_now(s._replace(ack=True), k) if todo else t


def _dropped(s: State, k: Settings) -> State:
    overtaken = any(isinstance(run, tuple) and run[1] != s.agent.attended for run in s.agent.runs)
    wake = ("status", "wake") if overtaken and k.on("overtaken-wakes") else ()
    t = _agent(s, runs=NO_RUNS, todo=("finish", *wake))
    return braked(t, k, t.agent.ours, t.agent.todo) if t.agent.ours and not t.agent.open else t


def stands(s: State, k: Settings, everything: bool = False) -> bool:
    a = s.agent
    held = _held(s, k)
    if everything and held and k.on("all-holds"):
        return True
    for run in a.runs:
        if isinstance(run, tuple):
            if run[1] == a.attended or not k.on("attended"):
                return True
        elif run in held or not k.on("owner"):
            return True
    return False


def _held(s: State, k: Settings) -> Runs:
    return frozenset(run for run in s.holds if not (k.on("waive") and run in s.agent.waived))


def rechecks(s: State, k: Settings) -> State:
    if s.pending is not None and k.on("newest"):
        s = _agent(s._replace(pending=None), runs=s.pending)
    if k.on("recheck") and not stands(s, k, everything=True):
        return _taken_back(s, k)
    runs = s.agent.runs | _held(s, k)
    a = s.agent._replace(phase="paused", runs=runs, engagement=s.agent.engagement + 1)
    a = a._replace(open=False, told=False)
    bad = violated(_scene(s, k), WHEN_FINAL)
    if not bad and a.runs and a.runs <= a.waived:
        bad = "asked again for what the person has overruled"
    return s._replace(bad=s.bad or bad, agent=a._replace(todo=("status", "finish", "wake")))


def _taken_back(s: State, k: Settings) -> State:
    bad = no_foreign_release(_scene(s, k), "extension")
    t = _agent(s._replace(bad=s.bad or bad), phase="run", runs=NO_RUNS)
    return _brake_again(t, k, ("unack", "finish", "status", "wake"))


def not_painted(s: State, k: Settings) -> State:
    return _brake_again(_agent(s, phase="run"), k, ("unack", "restore"))


def _brake_again(s: State, k: Settings, todo: tuple[str, ...]) -> State:
    """A call may be waiting at the boundary that the pause screen had taken over: strict asks in any case."""
    if (s.agent.away or k.mode == "strict") and reflex_on(s, k) and k.on("brake-again"):
        return braked(s, k, "brake" if s.agent.away else "boundary", before=todo)
    return _agent(s, todo=todo, promised=s.agent.promised and reflex_on(s, k))


def resumes(s: State, k: Settings) -> State:
    a = s.agent
    t = s._replace(resume=0)
    if (k.on("engagement") and s.resume != a.engagement) or (k.on("holds-refuse") and _held(s, k)):
        return t
    bad = (
        ""
        if s.resume == a.engagement
        else "a resume request has ended another engagement than the one that it names"
    )
    bad = bad or no_foreign_release(_scene(s, k), "extension")
    t = _agent(t._replace(bad=s.bad or bad), phase="run", runs=NO_RUNS)
    return _brake_again(t, k, ("unack", "status", "wake"))


def resumed(s: State, k: Settings) -> State:
    """By hand: the pause command, as its last act, opens the gate."""
    a = s.agent
    counted = a.attended + k.on("resume-proves")
    a = a._replace(phase="run", ending=False, runs=NO_RUNS, waived=a.waived | s.holds, attended=counted)
    t = s._replace(agent=a._replace(open=False, told=False))
    todo = ("unack", "finish", "status", "wake")
    if a.away and reflex_on(s, k) and k.on("left-at-resume"):
        return braked(t, k, before=todo)
    granted = a.granted or _may_run(t, k)
    return _agent(t, todo=todo, granted=granted, promised=a.promised and reflex_on(s, k))


# Small things.


def _may_run(s: State, k: Settings) -> bool:
    return may_run(s, k.away == "pause")


def _scene(s: State, k: Settings):
    return scene(s, k.away == "pause", k.on("line"))


def _agent(s: State, **changes: object) -> State:
    return s._replace(agent=s.agent._replace(**changes))


def started(s: State, k: Settings) -> State:
    """Another process in the place of one that has died. The terminal answers its request for focus reports with
    the present state, as most do; where one does not, an agent cannot know that the window is away.
    """
    a = Agent(attended=s.agent.attended + 10, engagement=s.agent.engagement + 10)
    a = a._replace(queue="O" if s.focused and not s.window else "")
    todo = ("status", "wake") if k.on("hello-wakes") else ("status",)
    return s._replace(
        agent=a._replace(todo=todo),
        said=None,
        pending=None,
        claim=False,
        ack=False,
        resume=0,
        asks=frozenset(),
    )
