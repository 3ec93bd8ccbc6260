"""The contracts of installers and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model import CheckLevel, CheckResult
from .common import check_name, within_bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...kinds import Check, Installer


class InstallerContract:
    """Needs two fixtures: `installer`, for a program that is on the machine and in which nothing has been set up yet; and
    `picture`, a function without arguments that returns the content of everything that the installer may change, such as a
    dictionary of files. Leave out what the installer notes for itself in the state folder. The tests compare two such
    values with `==`.
    """

    def test_its_name_can_be_given_to_setup(self, installer: Installer) -> None:
        check_name(installer)

    def test_the_program_is_found_and_described(self, installer: Installer) -> None:
        assert within_bound(installer.found)

    def test_every_step_says_what_it_does(self, installer: Installer) -> None:
        steps = within_bound(lambda: installer.plan(remove=False))
        assert steps
        assert all(step.describe.strip() for step in steps)

    def test_planning_changes_nothing(self, installer: Installer, picture: Callable[[], object]) -> None:
        before = picture()
        installer.plan(remove=False)
        installer.plan(remove=True)
        assert picture() == before

    def test_setting_up_does_something(self, installer: Installer, picture: Callable[[], object]) -> None:
        before = picture()
        _carry_out(installer, remove=False)
        assert picture() != before

    def test_setting_up_again_has_nothing_to_do(self, installer: Installer) -> None:
        _carry_out(installer, remove=False)
        assert not installer.plan(remove=False)

    def test_there_is_nothing_to_take_back_before(self, installer: Installer) -> None:
        assert not installer.plan(remove=True)

    def test_removing_takes_back_all_that_was_done(
        self, installer: Installer, picture: Callable[[], object]
    ) -> None:
        before = picture()
        _carry_out(installer, remove=False)
        _carry_out(installer, remove=True)
        assert picture() == before
        assert not installer.plan(remove=True)


class CheckContract:
    """Needs two fixtures: `check`; and `failing_check`, of the same class, which finds something wrong."""

    def test_it_has_a_name(self, check: Check) -> None:
        check_name(check)

    def test_every_result_says_what_was_looked_at_and_seen(self, check: Check, failing_check: Check) -> None:
        for each in (check, failing_check):
            for result in within_bound(each.run):
                assert isinstance(result, CheckResult)
                assert result.name.strip()
                assert result.message.strip()

    def test_what_is_wrong_is_told(self, failing_check: Check) -> None:
        assert [found for found in failing_check.run() if found.level is not CheckLevel.OK]

    def test_a_failure_comes_with_what_mends_it(self, check: Check, failing_check: Check) -> None:
        for result in (*check.run(), *failing_check.run()):
            assert result.level is not CheckLevel.FAILED or result.mend.strip()

    def test_no_two_results_have_one_name(self, check: Check, failing_check: Check) -> None:
        for each in (check, failing_check):
            names = [found.name for found in each.run()]
            assert len(set(names)) == len(names)

    def test_looking_changes_nothing(self, failing_check: Check) -> None:
        assert list(failing_check.run()) == list(failing_check.run())


def _carry_out(installer: Installer, remove: bool) -> None:
    for step in installer.plan(remove):
        step.carry_out()
