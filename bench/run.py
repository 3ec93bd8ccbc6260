"""All benchmarks in one run, side by side, printed as ratios; the charts and the figures go to docs/benchmarks.

    python bench/run.py [--quick] [--out FOLDER] [--only switches-tmux switches-herdr cycle storm rest]

`--quick` takes few of each, to see that it works; its figures mean little. What needs a program that is not there is left
out, and said. The exit code is 1 where a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cycle
import pages
import switches
from charts import Bar, chart
from resting import rest, storm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from switches import Figures, Stage

OUT = Path(__file__).parents[1] / "docs/benchmarks"
PAGE = Path(__file__).parents[1] / "docs/explanation/benchmarks.md"
BEGIN, END = "<!-- figures: written by bench/run.py -->", "<!-- end of figures -->"
PARTS = ("switches-tmux", "switches-herdr", "cycle", "storm", "rest")
GOALS: dict[str, tuple[str, float]] = {
    "reflex gate p50": ("ms", 5),
    "reflex gate p99": ("ms", 30),
    "resident shown p50": ("ms", 40),
    "resident shown p99": ("ms", 100),
    "original gate / reflex gate": ("at least", 10),
    "cycle over 1000 panes": ("ms", 40),
    "rest cpu": ("% of a core", 0.2),
    "rest memory": ("MB", 60),
}


def main() -> int:
    options = parse()
    found: dict[str, Any] = {}
    for part in options.only:
        print(f"\n--- {part}", flush=True)
        document = STEPS[part](options)
        if document:
            found[part] = document
    options.out.mkdir(parents=True, exist_ok=True)
    for name, content in charts(found).items():
        (options.out / name).write_text(content, encoding="utf-8")
    (options.out / "figures.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if options.out == OUT and not options.quick:
        renew_page(found)
    return told(list(goals(found)))


def parse(argv: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path, default=OUT, metavar="FOLDER")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    parser.add_argument("--switches", type=int, default=40, metavar="N", help="of each mode, on each host")
    parser.add_argument(
        "--modes", nargs="+", choices=switches.MODES, default=list(switches.MODES), metavar="MODE"
    )
    return parser.parse_args(argv)


# --- the parts


def on_tmux(options: argparse.Namespace) -> dict[str, Any]:
    try:
        import tmux_stage
    except ImportError as error:  # The end-to-end harness needs pytest, and a pty.
        print(f"left out: {error}")
        return {}
    if lacking := tmux_stage.missing():
        print(f"left out: there is no {lacking}")
        return {}
    return side_by_side("real tmux with real OMP", tmux_stage.OmpOnTmux, options)


def on_herdr(options: argparse.Namespace) -> dict[str, Any]:
    import simulator_stage

    return side_by_side("the simulated Herdr", simulator_stage.AgentsInSimulator, options)


def side_by_side(host: str, make: Callable[[str], Stage], options: argparse.Namespace) -> dict[str, Any]:
    count, idle = (3, 1) if options.quick else (options.switches, 5)
    found: dict[str, Figures] = {}
    for mode in options.modes:
        one = _tried(lambda mode=mode: switches.measure(make, mode, count, idle), mode)  # type: ignore[misc]
        if one:
            found[mode] = one
    switches.show(host, found)
    return switches.document(found)


def _tried(step: Callable[[], Figures], mode: str) -> Figures | None:
    """Twice: an agent that does not come up on a busy machine must not cost the run."""
    for _ in range(2):
        try:
            found = step()
        except (AssertionError, TimeoutError) as error:
            print(f"{mode}: {error}", flush=True)
        else:
            print(f"{mode} measured", flush=True)
            return found
    return None


def cycles(options: argparse.Namespace) -> dict[str, Any]:
    sizes, count = ((10, 100), 3) if options.quick else ((10, 100, 1000), 40)
    found = {size: cycle.measure(size, count) for size in sizes}
    cycle.show(found)
    return {str(size): one.document() for size, one in found.items()}


def storms(options: argparse.Namespace) -> dict[str, Any]:
    import simulator_stage

    wakes = 300 if options.quick else 10_000
    with simulator_stage.AgentsInSimulator("resident") as stage:
        one = storm(stage.serve_pid, stage.state, "herdr", stage.herdr.address, wakes)
    print(
        f"{one.wakes} wake-ups: accepted in {one.accepted_s} s, covered in {one.over_s} s by {one.cycles} cycles,"
    )
    print(f"{one.cpu_s} s of processor time; {one.wakes / max(1, one.cycles):.0f} wake-ups a cycle")
    return asdict(one)


def at_rest(options: argparse.Namespace) -> dict[str, Any]:
    import simulator_stage

    with simulator_stage.AgentsInSimulator("reflex") as stage:
        switches.until(lambda: False, 1 if options.quick else 5)
        one = rest(stage.serve_pid, 2 if options.quick else 60)
    print(
        f"{one.cpu_percent} % of a core, {one.wakeups_per_s} wake-ups a second, {one.memory_mb} MB, over {one.seconds} s"
    )
    return asdict(one)


STEPS: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {
    "switches-tmux": on_tmux,
    "switches-herdr": on_herdr,
    "cycle": cycles,
    "storm": storms,
    "rest": at_rest,
}


# --- what they come to


def goals(found: dict[str, Any]) -> list[tuple[str, float, bool]]:
    """What was measured for each goal, and whether it is met. Of the hosts the real one counts, where there is one."""
    values: dict[str, float] = {}
    hosts = found.get("switches-tmux") or found.get("switches-herdr") or {}
    if set(hosts) == set(switches.MODES):
        values["reflex gate p50"] = hosts["reflex"]["gate_p50_ms"]
        values["reflex gate p99"] = hosts["reflex"]["gate_p99_ms"]
        values["resident shown p50"] = hosts["resident"]["shown_p50_ms"]
        values["resident shown p99"] = hosts["resident"]["shown_p99_ms"]
        ratio = hosts["original"]["gate_p50_ms"] / hosts["reflex"]["gate_p50_ms"]
        values["original gate / reflex gate"] = round(ratio, 1)
    if "1000" in found.get("cycle", {}):
        values["cycle over 1000 panes"] = found["cycle"]["1000"]["median_ms"]
    if resting := found.get("rest"):
        values["rest cpu"], values["rest memory"] = resting["cpu_percent"], resting["memory_mb"]
    return [(name, value, _met(name, value)) for name, value in values.items()]


def _met(name: str, value: float) -> bool:
    unit, limit = GOALS[name]
    return value >= limit if unit == "at least" else value <= limit


def told(measured: Sequence[tuple[str, float, bool]]) -> int:
    print(f"\n{'goal':32}{'limit':>14}{'measured':>11}")
    for name, value, met in measured:
        unit, limit = GOALS[name]
        bound = f">= {limit:g} times" if unit == "at least" else f"<= {limit:g} {unit.split()[0]}"
        print(f"{name:32}{bound:>14}{value:11.2f}   {'met' if met else 'MISSED'}")
    return 0 if all(met for _, _, met in measured) else 1


def charts(found: dict[str, Any]) -> dict[str, str]:
    """By file name."""
    drawn: dict[str, str] = {}
    for part, where in (("switches-tmux", "tmux with OMP"), ("switches-herdr", "the simulated Herdr")):
        if part in found:
            host = part.removeprefix("switches-")
            drawn[f"gate-{host}.svg"] = _modes(
                found[part], f"From the key to the gate, {where} (p50)", "gate_p50_ms", "ms"
            )
            drawn[f"screen-{host}.svg"] = _modes(
                found[part], f"From the key to the pause screen, {where} (p50)", "shown_p50_ms", "ms"
            )
            drawn[f"processor-{host}.svg"] = _modes(
                found[part], f"Processor time of 100 switches, {where}", "cpu_s_per_100", "s"
            )
    if "cycle" in found:
        bars = [Bar(f"{size} panes", one["median_ms"]) for size, one in found["cycle"].items()]
        drawn["cycle.svg"] = chart(
            "A cycle that has nothing to do", "ms", bars, GOALS["cycle over 1000 panes"][1]
        )
    return drawn


def _modes(found: dict[str, dict[str, float]], title: str, value: str, unit: str) -> str:
    return chart(title, unit, [Bar(mode, one[value], mode != "original") for mode, one in found.items()])


# --- the page


def renew_page(found: dict[str, Any]) -> None:
    """The table in it; what was not measured now is taken out, lest figures of two runs stand side by side."""
    pages.renew(PAGE, BEGIN, "".join(tables(found)), END)


def tables(found: dict[str, Any]) -> Iterator[str]:
    """Ratios: how many times what the original takes. The milliseconds are in the charts."""
    for part, where in (
        ("switches-tmux", "Real tmux, real OMP"),
        ("switches-herdr", "Simulated Herdr and agents"),
    ):
        if part in found:
            yield f"\n{where}, original / this:\n\n"
            yield "| | gate p50 | gate p99 | screen p50 | screen p99 | processor time | tools started a switch |\n"
            yield "|---|---|---|---|---|---|---|\n"
            yield from (_row(mode, found[part].get("original"), one) for mode, one in found[part].items())
    sizes = list(found.get("cycle", {}).items())
    if len(sizes) > 1:
        times = sizes[-1][1]["median_ms"] / sizes[0][1]["median_ms"]
        yield f"\nA cycle over {sizes[-1][0]} panes takes {times:.0f} times one over {sizes[0][0]}.\n"
    if one := found.get("storm"):
        per = one["wakes"] / max(1, one["cycles"])
        yield f"\nIn a storm of {one['wakes']} wake-ups one cycle covers {per:.0f} of them.\n"
    if one := found.get("rest"):
        yield f"\nAt rest the controller takes {one['cpu_percent']} % of a core and {one['memory_mb']} MB,\n"
        yield f"and wakes up {one['wakeups_per_s']} times a second.\n"
    yield "\n"


def _row(mode: str, first: dict[str, float] | None, one: dict[str, float]) -> str:
    names = ("gate_p50_ms", "gate_p99_ms", "shown_p50_ms", "shown_p99_ms", "cpu_s_per_100")
    ratios = [f"{first[name] / one[name]:.1f}" if first and one[name] else "" for name in names]
    return f"| {mode} | {' | '.join(ratios)} | {one['started'] / max(1, one['switches']):.1f} |\n"


if __name__ == "__main__":
    sys.exit(main())
