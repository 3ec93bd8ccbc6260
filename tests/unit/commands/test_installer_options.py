"""Options that an installer adds to `setup` and `uninstall`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import InstallStep, Option, WrongUsage
from attention_framework.commands.main import run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from attention_framework.app import App

    from .conftest import Shell


def whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{text!r} is no number: write 1 to 9") from None


class Brewer:
    """Brews so many cups."""

    name = "tea"

    def __init__(self, done: list[Any], chosen: Mapping[str, Any] | None = None) -> None:
        self.done = done
        self.chosen = dict(chosen or {})

    def options(self, remove: bool) -> Sequence[Option]:
        cups = Option("--cups", "how many, 100% hot", whole, "N")
        return [Option("--pot", "the pot, too")] if remove else [cups, Option("--milk", "with milk")]

    def with_options(self, chosen: Mapping[str, Any]) -> Brewer:
        if chosen.get("--cups") == 0:
            raise WrongUsage("no cup is no tea")
        return Brewer(self.done, chosen)

    def found(self) -> str | None:
        return "a kettle"

    def plan(self, remove: bool) -> Sequence[InstallStep]:
        return [InstallStep("brew", lambda: self.done.append(self.chosen))]

    def advice(self, remove: bool) -> Sequence[str]:
        return ["wash up"] if remove else []


class Coffee(Brewer):
    name = "coffee"

    def options(self, remove: bool) -> Sequence[Option]:
        return []


@pytest.fixture
def done(shell: Shell) -> list[Any]:
    done: list[Any] = []
    shell.plugins.answers["attention_installers"] = [("plugin", [Brewer(done), Coffee(done)])]
    return done


def test_they_reach_the_installer_of_the_program_that_was_named(shell: Shell, done: list[Any]) -> None:
    assert shell.run("setup", "tea", "--cups", "2", "--milk", "--yes").code == 0
    assert shell.run("uninstall", "tea", "--pot", "--yes").code == 0
    assert done == [{"--cups": 2, "--milk": True}, {"--pot": True}]


def test_without_any_nothing_is_chosen_and_nothing_is_left_of_the_last_time(
    shell: Shell, done: list[Any]
) -> None:
    shell.run("setup", "tea", "--milk", "--yes")
    shell.run("setup", "tea", "--yes")
    assert done == [{"--milk": True}, {}]


@pytest.mark.parametrize("named", [[], ["coffee"]])
def test_one_of_a_program_that_was_not_named_is_wrong_usage(
    shell: Shell, done: list[Any], named: list[str]
) -> None:
    result = shell.run("setup", *named, "--cups", "2", "--milk", "--yes")
    assert (result.code, done) == (2, [])
    assert "--cups and --milk are options of tea, which is not named here" in result.err
    assert "attention setup tea --cups" in result.err


def test_a_value_that_is_none_is_wrong_usage_with_the_allowed_ones(shell: Shell, done: list[Any]) -> None:
    assert "argument --cups: 'x' is no number: write 1 to 9" in shell.wrong("setup", "tea", "--cups", "x")


def test_values_that_do_not_go_together_are_wrong_usage(shell: Shell, done: list[Any]) -> None:
    result = shell.run("setup", "tea", "--cups", "0", "--yes")
    assert (result.code, result.err) == (2, "attention: no cup is no tea\n")


def test_one_that_only_setup_has_is_unknown_to_uninstall(shell: Shell, done: list[Any]) -> None:
    assert "there is no option --cups" in shell.wrong("uninstall", "tea", "--cups", "1")


def help_of(shell: Shell, command: str, app: App | None = None) -> str:
    with pytest.raises(SystemExit) as ended:
        run([command, "--help"], app or shell.new_app())
    assert ended.value.code == 0
    return shell.capture.readouterr().out


def test_the_help_has_them_under_their_program(shell: Shell, done: list[Any]) -> None:
    out = help_of(shell, "setup")
    assert "tea:\n  --cups N" in out
    assert "how many, 100% hot" in out
    assert "coffee" not in out
    assert "--pot" in help_of(shell, "uninstall")


def test_wrong_settings_leave_the_help(shell: Shell) -> None:
    app = shell.new_app()
    del app.__dict__["configuration"]
    app._config = "/nowhere/attention.toml"
    assert "--dry-run" in help_of(shell, "setup", app)


def test_an_installer_whose_options_fail_is_reported_and_stops_no_other(
    shell: Shell, done: list[Any]
) -> None:
    class Spilt(Coffee):
        def options(self, remove: bool) -> Sequence[Option]:
            raise ZeroDivisionError("spilt")

    shell.plugins.answers["attention_installers"] = [("plugin", [Spilt(done), Brewer(done)])]
    result = shell.run("setup", "tea", "--milk", "--yes")
    assert (result.code, done) == (0, [{"--milk": True}])
    assert "the options of coffee are left out: ZeroDivisionError: spilt" in result.err


def test_a_flag_that_another_program_has_already_is_reported(shell: Shell, done: list[Any]) -> None:
    class Cups(Brewer):
        name = "cups"

    shell.plugins.answers["attention_installers"] = [("plugin", [Brewer(done), Cups(done)])]
    result = shell.run("setup", "tea", "--cups", "1", "--yes")
    assert (result.code, done) == (0, [{"--cups": 1}])
    assert "the options of cups are left out" in result.err


def test_advice_is_shown_below_the_steps(shell: Shell, done: list[Any]) -> None:
    assert shell.run("uninstall", "tea", "--dry-run").lines == [
        "tea: a kettle",
        "  will brew",
        "  note: wash up",
    ]
    assert "  note:" not in shell.run("setup", "tea", "--dry-run").out
