"""Each mistake names its place, its key, what is allowed and the nearest name."""

# ruff: noqa: E501  (expected sentences are easier to compare on one line)

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attention_framework.settings import SettingsError, dotted

if TYPE_CHECKING:
    from conftest import World

MISTAKES = {
    "unknown key": ("[focus]\nsource = []", "attention.toml:2: focus.source: is not a key that is known here; did you mean \"sources\"? (known: sources, settle_ms)"),
    "unknown section": ("\n[reflexes]\nmode = 1", 'attention.toml:2: reflexes: is not a key that is known here; did you mean "reflex"? (known: plugins, focus, agents, strategy, policy, breaks, reflex, log)'),
    "unknown mode": ('[reflex]\nmode = "break"', "attention.toml:2: reflex.mode: must be 'off', 'brake' or 'strict', not \"break\"; did you mean \"brake\"?"),
    "unknown fail": ('[reflex]\nfail = "shut"', "attention.toml:2: reflex.fail: must be 'open' or 'closed', not \"shut\""),
    "unknown away": ("[reflex]\naway = true", "attention.toml:2: reflex.away: must be 'ignore' or 'pause', not true"),
    "no patience": ("[reflex]\nask_ms = 0", "attention.toml:2: reflex.ask_ms: must be greater than or equal to 10, not 0"),
    "a negative time": ("[focus]\nsettle_ms = -1", "attention.toml:2: focus.settle_ms: must be greater than or equal to 0, not -1"),
    "wrong type": ('[agents.omp]\nstatuses = "idle"', 'attention.toml:2: agents.omp.statuses: must be a list, such as ["…"], not "idle"'),
    "table for a list": ("[plugins]\na = 1", 'attention.toml:1: plugins: must be a list, such as ["…"], not {"a": 1}'),
    "number for a name": ("focus.sources = [1]", "attention.toml:1: focus.sources[0]: must be text in quotes, not 1"),
    "list for a table": ("focus = []", "attention.toml:1: focus: must be a table, not []"),
    "not allowed": ('[log]\nlevel = "loud"', "attention.toml:2: log.level: must be 'DEBUG', 'INFO', 'WARNING' or 'ERROR', not \"loud\""),
    "nearest allowed": ('[log]\nlevel = "warn"', 'not "warn"; did you mean "WARNING"?'),
    "unknown status": ('[agents.omp]\nstatuses = ["idle",\n"wroking"]', "attention.toml:3: agents.omp.statuses[1]: must be 'idle', 'working', 'done', 'blocked' or 'unknown', not \"wroking\"; did you mean \"working\"?"),
    "unknown host": ('[focus]\nsources = ["tmxu"]', 'attention.toml:2: focus.sources[0]: no focus source is called "tmxu"; did you mean "tmux"? (known: tmux)'),
    "unknown transport": ('[agents.omp]\ntransport = ["omp-malbox"]', 'attention.toml:2: agents.omp.transport[0]: no transport is called "omp-malbox"; did you mean "omp-mailbox"? (known: omp-prompt, omp-mailbox)'),
    "detector as a transport": ('[agents.omp]\ntransport = ["omp-status"]', 'no transport is called "omp-status"'),
    "unknown detector": ('[agents.omp]\ndetector = ["x"]', 'attention.toml:2: agents.omp.detector[0]: no detector is called "x" (known: omp-status)'),
    "unknown agent": ("\n[agents.ompp]", 'attention.toml:2: agents.ompp: no agent is called "ompp"; did you mean "omp"? (known: omp)'),
    "unknown strategy": ("[strategy.omp-malbox]\nnudge = 1", 'attention.toml:1: strategy.omp-malbox: no strategy is called "omp-malbox"; did you mean "omp-mailbox"?'),
    "unknown policy": ('[[policy]]\nuse = "holds"\n[[policy]]\nuse = "focussed"', 'attention.toml:4: policy[1].use: no policy is called "focussed"; did you mean "focused"? (known: focused, holds)'),
    "policy without use": ("[[policy]]\nalso_keep = 1", "attention.toml:1: policy[0].use: is missing"),
    "policy that is no table": ("policy = [1]", "attention.toml:1: policy[0]: must be a table, not 1"),
    "a policy's unknown key": ('[[policy]]\nuse = "focused"\nalso_kept = 1', 'attention.toml:3: policy[0].also_kept: is not a key that is known here; did you mean "also_keep"? (known: also_keep, use)'),
    "a policy's wrong type": ('[[policy]]\nuse = "focused"\nalso_keep = "all"', 'attention.toml:3: policy[0].also_keep: must be a whole number, not "all"'),
    "a policy without settings": ('[[policy]]\nuse = "holds"\nx = 1', "attention.toml:3: policy[0].x: is not a key that is known here (known: use)"),
    "a strategy's unknown key": ('[strategy]\nomp-mailbox = { nudge = "f12",  nudgge = "f11" }', 'attention.toml:2: strategy.omp-mailbox.nudgge: is not a key that is known here; did you mean "nudge"?'),
    "a strategy's wrong value": ("strategy.tmux.timeout_s = 0", "attention.toml:1: strategy.tmux.timeout_s: must be greater than 0, not 0"),
    "a strategy without settings": ("[strategy.omp-prompt]\nx = 1", "attention.toml:2: strategy.omp-prompt.x: is not a key that is known here"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_explained(world: World, text: str, expected: str) -> None:
    world.write(text)

    (mistake,) = world.mistakes()

    assert expected in mistake


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file_then_the_environment(world: World) -> None:
    world.write(
        '[agents.omp]\ntransport = ["x"]\nstatuses = ["y"]\n[log]\nlevel = "z"\n[strategy.tmux]\ntimeout_s = -1\n'
    )
    world.environment = {"ATTENTION_FOCUS__SOURCES": '["w"]'}

    places = [mistake.partition(": ")[0] for mistake in world.mistakes()]

    assert places == [
        "attention.toml:2",
        "attention.toml:3",
        "attention.toml:5",
        "attention.toml:7",
        "ATTENTION_FOCUS__SOURCES",
    ]


def test_the_error_lists_every_mistake_and_means_exit_code_2(world: World) -> None:
    world.write("a = 1\nb = 2")

    with pytest.raises(SettingsError) as caught:
        world.load()

    assert caught.value.exit_code == 2
    assert str(caught.value).startswith("2 mistakes in the settings:\n  ")
    assert len(str(caught.value).splitlines()) == 3


BROKEN_TOML = {
    "unfinished string": (b'a = 1\nb = "x', "attention.toml:2: is not TOML: unterminated string (line 2"),
    "no value": (b"a = 1\n\nb =\n", "attention.toml:3: is not TOML: invalid value (line 3, column 4)"),
    "key twice": (b"a = 1\na = 2\n", "attention.toml:2: is not TOML: cannot overwrite a value (line 2"),
    "no key": (b"= 1", "attention.toml:1: is not TOML: invalid statement (line 1, column 1)"),
    "open at the end": (b"a = [1,\n2,\n", "attention.toml:2: is not TOML"),
    "not UTF-8": (b"a = 1\nb = '\xff\xfe'", "attention.toml:2: is not UTF-8; save it as UTF-8"),
    "UTF-16": ("a = 1".encode("utf-16"), "attention.toml:1: is UTF-16; save it as UTF-8"),
}


@pytest.mark.parametrize(("content", "expected"), BROKEN_TOML.values(), ids=BROKEN_TOML.keys())
def test_broken_toml_is_told_with_file_line_and_column(world: World, content: bytes, expected: str) -> None:
    world.file.write_bytes(content)

    (mistake,) = world.mistakes()

    assert mistake.startswith(expected)


def test_a_mark_in_front_and_windows_line_ends_are_no_mistake(world: World) -> None:
    world.file.write_bytes(b'\xef\xbb\xbf[log]\r\nlevel = "DEBUG"\r\n')

    assert world.load().settings.log.level == "DEBUG"


def test_a_file_that_is_a_folder_is_told(world: World) -> None:
    world.file.unlink()
    world.file.mkdir()

    (mistake,) = world.mistakes()

    assert mistake.startswith("attention.toml: cannot be read: ")


def test_a_strategy_of_a_plugin_that_is_not_enabled_says_which(world: World) -> None:
    world.write('plugins = ["omp_keys", "policies"]\n[focus]\nsources = ["tmux"]\n[strategy.tmux]\n')

    assert world.mistakes() == [
        'attention.toml:3: focus.sources[0]: no focus source is called "tmux"; the plugin tmux brings it, and is installed but not enabled: add "tmux" to `plugins`',
        'attention.toml:4: strategy.tmux: no strategy is called "tmux"; the plugin tmux brings it, and is installed but not enabled: add "tmux" to `plugins`',
    ]


def test_an_agent_of_a_plugin_that_is_not_enabled_says_which(world: World) -> None:
    world.write('plugins = []\n[agents.omp]\nstatuses = ["idle"]')

    (mistake,) = world.mistakes()

    assert 'add "omp_keys" to `plugins`' in mistake


def test_a_plugin_that_is_missing_is_told_with_its_place_and_stops_nothing(world: World) -> None:
    world.write('plugins = [\n"policies",\n"tmxu"]')

    configuration = world.load()

    assert list(configuration.plugins.strategies) == ["focused", "holds"]
    assert world.told == [
        f"{world.file}:3: plugins[1]: the plugin tmxu is not installed. To mend it: write tmux (which is) if you mean it, or take it out of `plugins`"
    ]


def test_while_a_plugin_is_broken_names_that_it_may_bring_are_left_out_and_told(
    world: World, distributions
) -> None:
    distributions.add("third", "raise RuntimeError('no')")
    world.write("""
        plugins = ["tmux", "omp_keys", "policies", "third"]
        [agents.omp]
        transport = ["third-way", "omp-mailbox"]
        [agents.third]
        statuses = ["idle"]
        [strategy.third-way]
        x = 1
        [[policy]]
        use = "third-policy"
        y = 1
        [[policy]]
        use = "holds"
    """)

    configuration = world.load()
    context = AnyContext()

    assert [transport.name for transport in configuration.transports("omp", context)] == ["omp-mailbox"]
    assert [policy.name for policy in configuration.policies(context)] == ["holds"]
    assert "third fails in its import" in world.told[0]
    assert world.told[1:] == [
        "the transport third-way is left out: no loaded plugin announces it",
        "the policy third-policy is left out: no loaded plugin announces it",
    ]


def test_while_a_plugin_is_broken_other_mistakes_are_still_told(world: World) -> None:
    world.write('plugins = ["omp_keys", "gone"]\n[strategy.omp-mailbox]\nnudgge = 1')

    assert len(world.mistakes()) == 1


def test_a_wrong_plugins_key_is_told_with_all_the_rest(world: World) -> None:
    world.write('plugins = "tmux"\n[log]\nlevel = "x"')

    assert [mistake.split(": ")[1] for mistake in world.mistakes()] == ["plugins", "log.level"]


def test_a_key_path_reads_like_the_file() -> None:
    assert dotted(("policy", 1, "panes", 0, "label")) == "policy[1].panes[0].label"


class AnyContext:
    """Just enough of a context to make strategies."""

    def named(self, name: str) -> AnyContext:
        return self
