"""Carrying out what installers plan. What fails stops its own program only, and it is said what is not done."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import Expected, describe_os_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..kinds import Step


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done for one program."""

    program: str
    steps: Sequence[Step] = ()
    refused: bool = False


def carry_out_all(plans: Sequence[Plan], again: str) -> bool:
    """Whether anything failed. What was not done is said, also when the person interrupts or a step fails in a way
    that nobody expected, which is raised again.

    :param again: the command that does the rest.
    """
    left = {plan.program: list(plan.steps) for plan in plans}
    try:
        failed = [program for program in left if not _carry_out(left[program])]
    finally:
        undone = {program: steps for program, steps in left.items() if steps}
        for sentence in _left(undone, again):
            print(sentence, file=sys.stderr)
    return bool(failed)


def _carry_out(steps: list[Step]) -> bool:
    """Take the steps off as they are done, up to the first that fails."""
    while steps:
        print(f"{steps[0].describe} ... ", end="", flush=True)
        try:
            steps[0].carry_out()
        except Expected as error:
            return _failed(str(error))
        except OSError as error:
            return _failed(describe_os_error(error))
        except BaseException:
            print("not finished")
            raise
        print("done")
        steps.pop(0)
    return True


def _failed(why: str) -> bool:
    print("failed")
    print(f"  failed: {why}", file=sys.stderr)
    return False


def _left(undone: dict[str, list[Step]], again: str) -> Iterator[str]:
    if undone:
        yield "not done:"
        yield from (f"  {program}: {step.describe}" for program, steps in undone.items() for step in steps)
        yield f"What was done stays. To do the rest: {again}"
