"""The contract of break sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...kinds import HostUnavailable
from ...model import FOCUS_RUN
from .common import check_name, check_settings, check_watch_ends, within_bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...kinds import BreakSource


class BreakSourceContract:
    """Needs the fixture `make_source`: a function without arguments that constructs the source. The tests call it several
    times, as if the framework were restarted. At least one break must be going on all the time.
    """

    def test_it_can_be_chosen_and_set_by_a_settings_file(
        self, make_source: Callable[[], BreakSource]
    ) -> None:
        check_name(make_source())
        check_settings(make_source())

    def test_the_break_that_is_going_on_is_told(self, make_source: Callable[[], BreakSource]) -> None:
        breaks = within_bound(make_source().current)
        assert breaks
        assert all(found.run and found.kind for found in breaks)

    def test_asking_again_changes_nothing(self, make_source: Callable[[], BreakSource]) -> None:
        source = make_source()
        assert list(source.current()) == list(source.current())

    def test_a_restart_computes_the_same_ids(self, make_source: Callable[[], BreakSource]) -> None:
        before = [found.run for found in make_source().current()]
        assert [found.run for found in make_source().current()] == before

    def test_a_break_has_an_id_of_its_own(self, make_source: Callable[[], BreakSource]) -> None:
        runs = [found.run for found in make_source().current()]
        assert len(set(runs)) == len(runs)
        assert FOCUS_RUN not in runs

    def test_a_deadline_comes_after_the_start(self, make_source: Callable[[], BreakSource]) -> None:
        for found in make_source().current():
            assert found.deadline_ms is None or found.deadline_ms > found.started_ms

    def test_a_watch_ends_when_told_to(self, make_source: Callable[[], BreakSource]) -> None:
        check_watch_ends(make_source().watch, HostUnavailable)
