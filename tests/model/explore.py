"""Every interleaving up to a bound, the shortest first.

    python -m tests.model.explore [--depth N] [--crashes N] [--mode M] [--away A] [--fail F] [--world "..."] [--off RULE ...]

`--off` switches a rule off and shows the trace that needs it.
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from attention_framework.testing.invariants import ALWAYS, AT_REST, violated

from . import agent, others
from .rules import RULES, Settings
from .state import State, scene

if TYPE_CHECKING:
    from collections.abc import Iterator


class Explored(NamedTuple):
    states: int
    complete: bool
    violation: str = ""
    trace: tuple[str, ...] = ()

    def __str__(self) -> str:
        found = self.violation or ("all of them" if self.complete else "the limit was reached")
        steps = "".join(f"\n  {number:2} {step}" for number, step in enumerate(self.trace, 1))
        return f"{self.states} states, {found}{steps}"


def internal(s: State, k: Settings) -> Iterator[tuple[str, State]]:
    """What happens without anybody doing anything."""
    yield from others.controller(s, k)
    yield from agent.steps(s, k)


def wrong(s: State, k: Settings, at_rest: bool) -> str:
    if s.bad:
        return s.bad
    seen = scene(s, k.away == "pause", k.on("line"))
    return violated(seen, ALWAYS) or (violated(seen, AT_REST) if at_rest else "")


def explore(k: Settings, depth: int, crashes: int = 1, limit: int = 5_000_000) -> Explored:
    start = State(left=depth, crashes=crashes)
    parents: dict[State, tuple[State, str] | None] = {start: None}
    queue = deque([start])
    while queue and len(parents) < limit:
        s = queue.popleft()
        inner = list(internal(s, k))
        if bad := wrong(s, k, at_rest=not inner):
            return Explored(len(parents), False, bad, _trace(s, parents))
        for name, t in (*inner, *others.world(s, k)):
            if t not in parents:
                parents[t] = (s, name)
                queue.append(t)
    return Explored(len(parents), not queue)


def _trace(s: State, parents: dict[State, tuple[State, str] | None]) -> tuple[str, ...]:
    steps = []
    while (parent := parents[s]) is not None:
        s, step = parent
        steps.append(step)
    return tuple(reversed(steps))


def main() -> int:
    default = Settings()
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--depth", type=int, default=3, help="how many things happen at most")
    parser.add_argument("--crashes", type=int, default=1)
    parser.add_argument("--mode", choices=("off", "brake", "strict"), default=default.mode)
    parser.add_argument("--away", choices=("ignore", "pause"), default=default.away)
    parser.add_argument("--fail", choices=("open", "closed"), default=default.fail)
    parser.add_argument("--world", default=default.world, help=f"what may happen (default: {default.world})")
    parser.add_argument(
        "--off", choices=sorted(RULES), action="append", default=[], help="a rule to switch off"
    )
    asked = parser.parse_args()
    settings = Settings(asked.mode, asked.away, asked.fail, asked.world, frozenset(asked.off))
    found = explore(settings, asked.depth, asked.crashes)
    print(
        f"{settings.mode}, away {settings.away}, depth {asked.depth}, off {asked.off or 'nothing'}: {found}"
    )
    return bool(found.violation)


if __name__ == "__main__":
    sys.exit(main())
