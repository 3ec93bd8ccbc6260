from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework.single_flight import Coalesced, Flown, TimedOut, fly, line_up, mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attention_framework.state.folder import SessionFolder
    from attention_framework.testing import Memory


def well(triggers: Sequence[str]) -> tuple[Sequence[str], bool]:
    return triggers, True


def badly(triggers: Sequence[str]) -> tuple[Sequence[str], bool]:
    return triggers, False


def flown(memory: Memory, folder: SessionFolder, marker: Any, cycle: Any = well, **bound: float) -> Any:
    return fly(folder, marker, memory.files, memory.clock, cycle, **bound)


def test_every_wake_up_has_a_marker_of_its_own_that_says_what_it_was(
    memory: Memory, folder: SessionFolder
) -> None:
    markers = [mark(folder, memory.files, "pane.focused") for _ in range(20)]
    assert len(memory.files.names(folder.wake)) == 20
    assert {memory.files.read(marker) for marker in markers} == {b"pane.focused"}


def test_the_cycle_is_told_all_triggers_and_their_markers_are_gone_after_it(
    memory: Memory, folder: SessionFolder
) -> None:
    mark(folder, memory.files, "focus")
    mark(folder, memory.files, "hello")
    mark(folder, memory.files, "hello")
    assert flown(memory, folder, mark(folder, memory.files, "")) == Flown(["focus", "hello"])
    assert memory.files.names(folder.wake) == []
    assert memory.disk.locks == {}


def test_after_a_cycle_that_failed_every_marker_stays(memory: Memory, folder: SessionFolder) -> None:
    marker = mark(folder, memory.files, "focus")
    assert flown(memory, folder, marker, badly) == Flown(["focus"])
    assert memory.files.exists(marker)
    assert memory.disk.locks == {}


def test_after_a_cycle_that_raised_the_lock_is_free_and_every_marker_stays(
    memory: Memory, folder: SessionFolder
) -> None:
    def raises(triggers: Sequence[str]) -> tuple[None, bool]:
        raise RuntimeError("broken")

    marker = mark(folder, memory.files, "focus")
    with pytest.raises(RuntimeError, match="broken"):
        flown(memory, folder, marker, raises)
    assert memory.files.exists(marker)
    assert memory.disk.locks == {}


def test_what_comes_during_a_cycle_is_left_for_the_next_one(memory: Memory, folder: SessionFolder) -> None:
    late = []

    def cycle(triggers: Sequence[str]) -> tuple[Sequence[str], bool]:
        late.append(mark(folder, memory.files, "late"))
        return triggers, True

    flown(memory, folder, mark(folder, memory.files, "first"), cycle)
    assert memory.files.names(folder.wake) == [late[0].name]
    assert flown(memory, folder, late[0]) == Flown(["late"])


def test_one_whose_marker_is_gone_has_been_covered(memory: Memory, folder: SessionFolder) -> None:
    marker = mark(folder, memory.files, "focus")
    memory.files.remove(marker)
    assert flown(memory, folder, marker) == Coalesced()


def test_one_that_was_covered_while_it_waited_runs_no_cycle(memory: Memory, folder: SessionFolder) -> None:
    """The marker goes after it was seen and before the lock is free."""
    marker = mark(folder, memory.files, "focus")
    holder = memory.process().files.try_lock(folder.lock)
    assert holder is not None

    def cover_and_let_go(duration: float) -> None:
        memory.disk.take(marker)
        holder.release()

    memory.clock.on_sleep.append(cover_and_let_go)
    assert flown(memory, folder, marker) == Coalesced()


def test_one_that_gets_the_lock_looks_once_more(memory: Memory, folder: SessionFolder) -> None:
    """The window: the holder removes the marker and lets go between our look and our lock."""
    marker = mark(folder, memory.files, "focus")
    done = False

    def cover_before_the_lock(operation: str, path: Any) -> None:
        nonlocal done
        if operation == "try_lock" and not done:
            done = True
            memory.disk.take(marker)

    memory.disk.on_operation = cover_before_the_lock
    assert flown(memory, folder, marker) == Coalesced()
    assert memory.disk.locks == {}


def test_one_that_waits_flies_itself_when_the_holder_dies(memory: Memory, folder: SessionFolder) -> None:
    other = memory.process()
    mark(folder, other.files, "first")
    assert other.files.try_lock(folder.lock) is not None
    marker = mark(folder, memory.files, "second")
    memory.clock.on_sleep.append(lambda _: other.files.die())  # type: ignore[attr-defined]
    assert flown(memory, folder, marker) == Flown(["first", "second"])


def test_one_that_waits_in_vain_gives_up_and_leaves_its_marker(memory: Memory, folder: SessionFolder) -> None:
    lock = memory.process().files.try_lock(folder.lock)
    marker = mark(folder, memory.files, "focus")
    assert flown(memory, folder, marker, bound_ms=100) == TimedOut(marker)
    assert memory.files.exists(marker)
    assert lock is not None


def test_a_marker_that_goes_while_it_is_read_has_no_trigger(memory: Memory, folder: SessionFolder) -> None:
    other, mine = mark(folder, memory.files, "other"), mark(folder, memory.files, "mine")
    memory.disk.faults.fail("read", errno.ENOENT, path=f"*/{other.name}")
    assert flown(memory, folder, mine) == Flown(["mine"])


@pytest.mark.parametrize("operation", ["read", "remove"])
def test_a_marker_that_cannot_be_read_or_removed_stops_no_cycle(
    memory: Memory, folder: SessionFolder, operation: str
) -> None:
    other, mine = mark(folder, memory.files, "other"), mark(folder, memory.files, "mine")
    memory.disk.faults.fail(operation, errno.EISDIR, path=f"*/{other.name}")
    assert flown(memory, folder, mine).result[0] == "mine"
    assert not memory.files.exists(mine)
    assert memory.disk.locks == {}


class TestLine:
    def in_line(self, memory: Memory, folder: SessionFolder, marker: Any, files: Any = None) -> Any:
        return line_up(folder, marker, files or memory.files, memory.clock, bound_ms=100)

    def test_one_process_at_a_time_prepares(self, memory: Memory, folder: SessionFolder) -> None:
        place = self.in_line(memory, folder, mark(folder, memory.files, "first"))
        assert place is not None
        other = memory.process().files
        second = mark(folder, other, "second")
        assert self.in_line(memory, folder, second, other) is None, "the bound is over"
        assert memory.files.exists(second)
        place.release()
        assert self.in_line(memory, folder, second, other) is not None

    def test_its_death_frees_the_place(self, memory: Memory, folder: SessionFolder) -> None:
        other = memory.process().files
        assert self.in_line(memory, folder, mark(folder, other, "first"), other) is not None
        memory.clock.on_sleep.append(lambda _: other.die())  # type: ignore[attr-defined]
        assert self.in_line(memory, folder, mark(folder, memory.files, "second")) is not None

    def test_one_that_is_covered_meanwhile_leaves_the_line(
        self, memory: Memory, folder: SessionFolder
    ) -> None:
        other = memory.process().files
        assert self.in_line(memory, folder, mark(folder, other, "first"), other) is not None
        marker = mark(folder, memory.files, "second")
        memory.clock.on_sleep.append(lambda _: memory.disk.content.pop(marker, None))
        before = memory.clock.monotonic_ms()
        assert self.in_line(memory, folder, marker) is None
        assert memory.clock.monotonic_ms() - before < 100, "it did not wait to the bound"

    def test_the_line_is_not_the_lock_of_the_cycle(self, memory: Memory, folder: SessionFolder) -> None:
        assert self.in_line(memory, folder, mark(folder, memory.files, "first")) is not None
        assert memory.process().files.try_lock(folder.lock) is not None
