"""Play seeds of the simulation and write what happened to each agent, for the real extension to be put through.

python -m tests.system.record DIR [--seeds N] [--first N] [--mode off|brake|strict] [--pick N]
"""

from __future__ import annotations

import argparse
import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .test_simulation import STEPS
from .world import World

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def traces(seed: int, mode: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """`(name, trace)` of every agent process of this seed."""
    world = World(seed, mode=mode, record=True)
    try:
        for _ in range(STEPS):
            world.act()
        world.settle()
    finally:
        world.close()
    assert world.recorder is not None
    for trace in world.recorder.traces:
        yield f"{mode}-{seed}-{trace['pid']}", {"seed": seed, "mode": mode, **trace}


def most(found: list[tuple[str, dict[str, Any]]], count: int) -> list[tuple[str, dict[str, Any]]]:
    """So many that together tell of as much as possible, each adding most to those before."""
    chosen, told = [], set[str]()
    for _ in range(count):
        best = max(found, key=lambda one: (len(happenings(one[1]) - told), -len(one[1]["steps"])))
        told |= happenings(best[1])
        chosen.append(best)
        found.remove(best)
    return chosen


def happenings(trace: dict[str, Any]) -> set[str]:
    found: set[str] = set()
    for before, step in pairwise(trace["steps"]):
        found |= {
            *step["told"],
            *step["given"],
            *map(str, step["said"].values()),
            f"{before['do']}, {step['do']}",
        }
    return {one for one in found if "b-" not in one or one.startswith("holds/")}


def write(folder: Path, name: str, trace: dict[str, Any]) -> None:
    """A step a line, so that a difference can be read."""
    steps = trace.pop("steps")
    lines = ",\n".join(json.dumps(step, separators=(",", ":")) for step in steps)
    head = json.dumps(trace)[:-1]
    (folder / f"{name}.json").write_text(f'{head}, "steps": [\n{lines}\n]}}\n', encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--mode", choices=("off", "brake", "strict"), default="off")
    parser.add_argument("--pick", type=int, default=None, help="only so many, those in which most was told")
    asked = parser.parse_args(argv)
    asked.folder.mkdir(parents=True, exist_ok=True)
    found = [
        one for seed in range(asked.first, asked.first + asked.seeds) for one in traces(seed, asked.mode)
    ]
    if asked.pick is not None:
        found = most(found, asked.pick)
    for name, trace in found:
        write(asked.folder, name, trace)
    print(f"{len(found)} traces in {asked.folder}")


if __name__ == "__main__":
    main()
