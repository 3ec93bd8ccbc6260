"""`attention explain`: why an agent is paused, or why it runs."""

from __future__ import annotations

import json
from collections import deque
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..words.durations import in_words

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from ..app import App
    from ..cycle import Opinion
    from ..model import Hello, Hold
    from .panes import Named

PARTS = {"decides": "this decides", "adds": "adds its reason", "after": "not asked: it is decided before"}


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "explain",
        help=summary,
        description=(
            "Why an agent is paused, or why it runs: what each policy says of it, the holds that cover it, what it "
            "says of itself, and the last decisions about it. Without a pane: the one that this command runs in."
        ),
    )
    parser.add_argument(
        "panes", nargs="*", metavar="PANE", help="id or label, as `attention status` shows it"
    )
    parser.add_argument("--last", type=int, default=5, metavar="N", help="at most N decisions (default 5)")
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    parser.set_defaults(run=run, looks=True)


def run(arguments: argparse.Namespace, app: App) -> int:
    from .panes import find

    found = [explain(app, named, max(0, arguments.last)) for named in find(app, arguments.panes)]
    if arguments.json:
        print(json.dumps({"v": 1, "panes": found}, ensure_ascii=False))
    else:
        print("\n\n".join("\n".join(_told(entry, arguments.last > 0)) for entry in found))
    return 0


def explain(app: App, named: Named, last: int) -> dict[str, Any]:
    """The keys are an interface (docs/reference/commands.md)."""
    from ..cycle import opinions
    from .rows import row

    pane, view = named.candidate.pane, named.look.view
    now_ms = app.effects.clock.wall_ms()
    said = opinions(app.controller.strategies.policies, pane, view, app.configuration.call)
    covering = [hold for hold in view.holds if hold.scope.covers(view.key, pane.names)]
    return {
        "agent": row(app, named, now_ms),
        "policies": [_opinion(one) for one in said],
        "holds": [_hold(hold, pane.hello, now_ms) for hold in covering],
        "says": pane.hello and _says(pane.hello, now_ms),
        "detector": named.candidate.seen.detector or None,
        "decisions": list(_decisions(app, view.key, pane.names, last)),
    }


def _opinion(one: Opinion) -> dict[str, Any]:
    verdict = one.verdict
    return {
        "policy": one.policy,
        "verdict": verdict and verdict.action,
        "reason": verdict and verdict.reason,
        "runs": [run.id for run in verdict.runs] if verdict else [],
        "part": one.part,
    }


def _hold(hold: Hold, hello: Hello | None, now_ms: int) -> dict[str, Any]:
    return {
        "run": hold.run,
        "kind": hold.kind,
        "source": hold.source,
        "left_ms": None if hold.deadline_ms is None else max(0, hold.deadline_ms - now_ms),
        "waived": bool(hello and hold.run in hello.waived),
    }


def _says(hello: Hello, now_ms: int) -> dict[str, Any]:
    """The status file of the process that speaks for the pane, without what names its conversation."""
    reflex = hello.reflex
    return {
        "pid": hello.process.pid,
        "pane": hello.pane,
        "versions": dict(hello.versions),
        "state": hello.state,
        "by": hello.by,
        "shown": hello.shown,
        "runs": sorted(hello.runs),
        "waived": sorted(hello.waived),
        "attended": hello.attended,
        "problem": hello.problem,
        "reflex": {
            "mode": reflex.mode,
            "reports": reflex.reports,
            "away": reflex.away,
            "silent": reflex.silent,
        },
        "written_ms_ago": max(0, now_ms - hello.written_ms) if hello.written_ms else None,
    }


def _decisions(app: App, key: str, names: frozenset[str], last: int) -> Iterator[dict[str, Any]]:
    """The last ones, the newest last; of the same one again and again, the first with how often."""
    about = (
        entry
        for entry in app.journal.read()
        if entry.get("type") == "decision" and entry.get("session") == key and entry.get("pane") in names
    )
    kept: deque[dict[str, Any]] = deque(maxlen=last)
    for _, same in groupby(about, key=lambda entry: (entry.get("outcome"), entry.get("reason"))):
        first, *again = same
        kept.append({**first, "times": 1 + len(again)})
    yield from kept


def _told(entry: dict[str, Any], decisions: bool) -> Iterator[str]:
    agent = entry["agent"]
    label = f" {agent['label']}" if agent["label"] else ""
    yield f"{agent['pane']}{label}: {agent['agent']} in {agent['session_name'] or agent['session']}, {agent['state']}"
    yield f"  {agent['why']}"
    yield ""
    yield "policies, in their order:" if entry["policies"] else "no policy is selected: it may run"
    yield from _told_policies(entry["policies"])
    yield "holds that cover it:" if entry["holds"] else "no hold covers it"
    yield from map(_told_hold, entry["holds"])
    yield from _told_says(entry)
    if not decisions:
        return
    yield "last decisions:" if entry["decisions"] else "nothing was decided about it yet"
    yield from map(_told_decision, entry["decisions"])


def _told_policies(policies: Sequence[dict[str, Any]]) -> Iterator[str]:
    width = max((len(one["policy"]) for one in policies), default=0)
    for one in policies:
        what = f"{one['verdict']}: {one['reason']}" if one["verdict"] else "no opinion"
        part = f"  <- {PARTS[one['part']]}" if one["part"] in PARTS else ""
        yield f"  {one['policy']:<{width}}  {what}{part}"


def _told_hold(hold: dict[str, Any]) -> str:
    left = "" if hold["left_ms"] is None else f", {in_words(hold['left_ms'])} left"
    waived = ", but you resumed the agent in spite of it" if hold["waived"] else ""
    return f"  {hold['kind']} {hold['run']} by {hold['source'] or 'nobody named'}{left}{waived}"


def _told_says(entry: dict[str, Any]) -> Iterator[str]:
    says = entry["says"]
    if says is None:
        yield "its process has said no hello: nothing is known from itself"
        return
    versions = ", ".join(f"{name} {version}" for name, version in says["versions"].items())
    yield f"what it says of itself (process {says['pid']}; {versions}):"
    by = f" by {says['by']}" if says["by"] else ""
    shown = f", shown by a{'' if says['shown'] == 'line' else 'n'} {says['shown']}" if says["shown"] else ""
    runs = f" for {', '.join(says['runs'])}" if says["runs"] else ""
    ago = "" if says["written_ms_ago"] is None else f", written {in_words(says['written_ms_ago'])} ago"
    yield f"  {says['state']}{by}{runs}{shown}{ago}"
    if says["waived"]:
        yield f"  resumed by you in spite of {', '.join(says['waived'])}"
    if says["problem"]:
        yield f"  problem: {says['problem']}"
    yield f"  reflex {says['reflex']['mode']}: {_told_reflex(says['reflex'])}"
    seen = f"seen by {entry['detector']}" if entry["detector"] else "no detector knows its state"
    yield f"{seen}: {entry['agent']['evidence']}"


def _told_reflex(reflex: dict[str, Any]) -> str:
    if not reflex["reports"]:
        return "its terminal has not reported the focus yet"
    where = "its terminal has lost the focus" if reflex["away"] else "its terminal has the focus"
    silent = reflex["silent"]
    return where + (f"; {silent} questions in a row were not answered" if silent else "")


def _told_decision(entry: dict[str, Any]) -> str:
    from .log import line

    times = entry.pop("times")
    return f"  {line({**entry, 'steps': None})}" + (f" ({times} times)" if times > 1 else "")
