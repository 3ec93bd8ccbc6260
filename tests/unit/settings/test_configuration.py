"""What the settings select, and where they come from."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import HostUnavailable, Session
from attention_framework.context import StrategyContext, comes_and_goes
from attention_framework.effects import Completed
from attention_framework.log import Log
from attention_framework.settings import Configuration, SettingsError, load_configuration
from attention_framework.testing import Memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conftest import World


def context_of(configuration: Configuration, memory: Memory | None = None) -> StrategyContext:
    effects = (memory or Memory()).effects
    return StrategyContext.of(
        configuration, effects, Path("/state"), Log(Path("/state/attention.log"), effects.files)
    )


def test_without_a_file_everything_that_is_announced_is_in_force(world: World, nobody: Path) -> None:
    configuration = load_configuration(None, {}, warn=pytest.fail)
    context = context_of(configuration)

    assert configuration.path is None
    assert [source.name for source in configuration.focus_sources(context)] == ["tmux"]
    assert [transport.name for transport in configuration.transports("omp", context)] == ["omp-mailbox"]
    assert [detector.name for detector in configuration.detectors("omp", context)] == ["omp-status"]
    assert [policy.name for policy in configuration.policies(context)] == ["holds", "focused"]
    assert configuration.agents["omp"].statuses == ["idle", "working", "done"]


def test_the_default_file_is_found_in_the_users_config_folder(world: World, nobody: Path) -> None:
    from platformdirs import user_config_path

    file = user_config_path("attention-framework", appauthor=False) / "attention.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[log]\nlevel = "ERROR"')

    configuration = load_configuration(None, {}, warn=pytest.fail)

    assert (configuration.path, configuration.settings.log.level) == (file, "ERROR")
    assert file.is_relative_to(nobody) or sys.platform != "linux"


def test_the_option_goes_over_the_variable(world: World, tmp_path: Path) -> None:
    named = tmp_path / "named.toml"
    named.write_text('[log]\nlevel = "ERROR"')
    world.write('[log]\nlevel = "DEBUG"')

    by_variable = load_configuration(None, {"ATTENTION_CONFIG": str(named)}, warn=pytest.fail)
    by_option = load_configuration(str(world.file), {"ATTENTION_CONFIG": str(named)}, warn=pytest.fail)

    assert by_variable.settings.log.level == "ERROR"
    assert by_option.settings.log.level == "DEBUG"


@pytest.mark.parametrize(
    ("option", "environment", "who"),
    [("gone.toml", {}, "--config"), (None, {"ATTENTION_CONFIG": "gone.toml"}, "ATTENTION_CONFIG")],
)
def test_a_named_file_that_is_missing_is_a_mistake(
    nobody: Path, option: str | None, environment: dict[str, str], who: str
) -> None:
    with pytest.raises(SettingsError, match=f"gone.toml: there is no such file, but {who} names it"):
        load_configuration(option, environment, warn=pytest.fail)


def test_the_order_of_the_settings_is_kept(world: World) -> None:
    world.write(
        '[agents.omp]\ntransport = ["omp-prompt", "omp-mailbox"]\n[[policy]]\nuse = "focused"\n[[policy]]\nuse = "holds"'
    )
    configuration = world.load()
    context = context_of(configuration)

    assert [transport.name for transport in configuration.transports("omp", context)] == [
        "omp-prompt",
        "omp-mailbox",
    ]
    assert [policy.name for policy in configuration.policies(context)] == ["focused", "holds"]


def test_a_strategy_is_given_its_own_settings_or_none(world: World) -> None:
    world.write(
        '[agents.omp]\ntransport = ["omp-mailbox", "omp-prompt"]\n[strategy.omp-mailbox]\nnudge = "f11"'
    )
    configuration = world.load()

    mailbox, prompt = configuration.transports("omp", context_of(configuration))

    assert isinstance(mailbox.settings, type(mailbox).Settings)
    assert mailbox.settings.nudge == "f11"
    assert prompt.settings is None


def test_installers_and_checks_are_told_the_settings_of_a_strategy_by_its_name(world: World) -> None:
    """Whether it is selected or not."""
    world.write('[agents.omp]\ntransport = ["omp-prompt"]\n[strategy.omp-mailbox]\nnudge = "f11"')
    context = context_of(world.load())

    assert context.settings("omp-mailbox").nudge == "f11"
    assert [context.settings(name) for name in ("omp-prompt", "focused", "unknown")] == [None, None, None]


def test_a_strategy_is_made_once(world: World) -> None:
    configuration = world.load()
    context = context_of(configuration)

    assert configuration.transports("omp", context)[0] is configuration.transports("omp", context)[0]
    assert configuration.policies(context)[1] is configuration.policies(context)[1]


def test_one_policy_may_stand_twice_with_settings_of_its_own_each(world: World) -> None:
    world.write('[[policy]]\nuse = "focused"\nalso_keep = 1\n[[policy]]\nuse = "focused"\nalso_keep = 2')
    configuration = world.load()

    assert [policy.settings.also_keep for policy in configuration.policies(context_of(configuration))] == [
        1,
        2,
    ]


def test_no_policies_at_all_can_be_asked_for(world: World) -> None:
    world.write("policy = []")
    configuration = world.load()

    assert configuration.policies(context_of(configuration)) == []


FRAGILE = """
    from pydantic import BaseModel
    from attention_framework import hookimpl

    class Base:
        def __init__(self, settings, context): ...
        def judge(self, pane, view): ...

    class Fails(Base):
        name = "fails"
        def __init__(self, settings, context):
            raise RuntimeError("no such program")

    class Needs(Base):
        name = "needs"
        class Settings(BaseModel):
            required: int

    class Works(Base):
        name = "works"

    @hookimpl
    def attention_policies():
        return [Fails, Needs, Works]
"""


PI = """
    from attention_framework import AgentKind

    @hookimpl
    def attention_agents():
        return [AgentKind("pi", "Pi", detectors=("needs", "works"))]
"""


def test_a_strategy_that_cannot_be_made_is_reported_and_left_out(world: World, distributions) -> None:
    distributions.add("fragile", FRAGILE)
    world.write('plugins = ["fragile"]\n[[policy]]\nuse = "fails"\n[[policy]]\nuse = "works"')
    configuration = world.load()

    assert [policy.name for policy in configuration.policies(context_of(configuration))] == ["works"]
    assert (
        "the policy fails of the plugin fragile is left out: RuntimeError: no such program" in world.told[-1]
    )


def test_a_setting_that_a_policy_needs_is_a_mistake_when_it_is_missing(world: World, distributions) -> None:
    distributions.add("fragile", FRAGILE)
    world.write('plugins = ["fragile"]\n[[policy]]\nuse = "needs"')

    assert world.mistakes() == ["attention.toml:2: policy[0].required: is missing"]


def test_a_transport_that_lacks_needed_settings_is_left_out(world: World, distributions) -> None:
    source = FRAGILE.replace("judge(self, pane, view)", "observe(self, pane)").replace(
        "attention_policies", "attention_pause_detectors"
    )
    distributions.add("fragile", source + PI)
    world.write('plugins = ["fragile"]')
    configuration = world.load()

    assert [detector.name for detector in configuration.detectors("pi", context_of(configuration))] == [
        "works"
    ]
    assert world.told == ["the detector needs is left out: it needs settings, in [strategy.needs]"]
    assert configuration.left_out == {"needs": "it needs settings, in [strategy.needs]"}


def test_the_selected_strategies_may_warn(world: World) -> None:
    world.write('[agents.omp]\ntransport = ["omp-prompt"]')

    assert world.load().warnings() == ["omp-prompt: a draft in the editor is lost"]


def test_a_strategy_that_is_not_selected_does_not_warn(world: World) -> None:
    assert world.load().warnings() == []


def test_the_context_tells_strategies_their_surroundings(world: World) -> None:
    configuration = world.load()
    context = context_of(configuration).named("omp-mailbox")

    assert context.state == Path("/state")
    assert context.config == world.file
    assert [kind.name for kind in context.agents] == ["omp"]
    assert [host.host for host in context.hosts] == ["tmux"]


def test_the_context_controls_panes_of_a_session_by_its_host(world: World) -> None:
    context = context_of(world.load())

    assert context.control(Session("tmux", "socket,1")) == "control of socket,1"


def test_a_host_that_no_selected_source_controls_is_unavailable(world: World) -> None:
    world.write("[focus]\nsources = []")
    context = context_of(world.load())

    with pytest.raises(HostUnavailable, match="no enabled plugin controls panes of tmux"):
        context.control(Session("tmux", "socket,1"))


@pytest.mark.parametrize(
    ("answer", "flag"),
    [(Completed(0, "", ""), "-I"), (Completed(1, "", "no module"), "-P"), (TimeoutError(), "-P")],
)
def test_the_command_is_isolated_where_the_packages_are_found_that_way(
    world: World, answer: Completed | Exception, flag: str
) -> None:
    memory = Memory()

    def python(command: Sequence[str]) -> Completed:
        if isinstance(answer, Exception):
            raise answer
        return answer

    memory.processes.programs[sys.executable] = python
    context = context_of(world.load(), memory)

    expected = (
        sys.executable,
        flag,
        "-m",
        "attention_framework",
        "--state",
        str(Path("/state")),
        "--config",
        str(world.file),
    )
    assert context.command == expected
    assert context.named("other").command == expected
    assert len(memory.processes.ran) == 1, "one look serves all strategies"
    assert "attention_framework" in memory.processes.ran[0][-1]


def test_the_command_names_the_settings_file_also_while_there_is_none(world: World, tmp_path: Path) -> None:
    """Else everything would have to be written anew as soon as there is one."""
    usual = tmp_path / "attention-framework" / "attention.toml"
    configuration = load_configuration(str(usual), {}, warn=world.told.append)
    assert configuration.path is None
    assert context_of(configuration).command[-2:] == ("--config", str(usual))


@pytest.mark.parametrize(
    ("prefix", "is_one"),
    [
        ("/home/me/.local/share/pipx/venvs/attention-framework", False),
        ("/home/me/.local/share/uv/tools/attention-framework", False),
        ("/home/me/.cache/uv/archive-v0/Xy", True),
        ("/Users/me/Library/Caches/pipx/1234", True),
    ],
)
def test_an_environment_in_a_cache_is_known_by_its_place(prefix: str, is_one: bool) -> None:
    assert comes_and_goes(prefix) is is_one


def test_break_sources_are_chosen_and_none_by_default(world: World, distributions: Any) -> None:
    distributions.add(
        "breaks",
        """
        from attention_framework import hookimpl


        class Timer:
            name = "timer"

            def __init__(self, settings, context): ...
            def current(self): return []
            def watch(self, wake, stop): ...


        @hookimpl
        def attention_break_sources():
            return [Timer]
        """,
    )
    world.write('plugins = ["breaks"]')
    configuration = load_configuration(str(world.file), {}, warn=pytest.fail)
    assert configuration.break_sources(context_of(configuration)) == []

    world.write('plugins = ["breaks"]\nbreaks.sources = ["timer"]')
    configuration = load_configuration(str(world.file), {}, warn=pytest.fail)
    assert [source.name for source in configuration.break_sources(context_of(configuration))] == ["timer"]
    assert ("break source", "timer", "breaks") in configuration.selected()

    world.write('plugins = ["breaks"]\nbreaks.sources = ["tmer"]')
    with pytest.raises(SettingsError, match='did you mean "timer"'):
        load_configuration(str(world.file), {}, warn=pytest.fail)


OBSERVERS = """
from pydantic import BaseModel, Field
from attention_framework import Expected, hookimpl


class Observer:
    def __init__(self, settings, context):
        self.settings = settings
        self.seen = []

    def decided(self, decision, report):
        self.seen.append((decision, report))


class Loud(Observer):
    name = "loud"

    class Settings(BaseModel):
        volume: int = Field(default=3, ge=0)


class Broken(Observer):
    name = "broken"

    def decided(self, decision, report):
        raise Expected("no sound card")

    def hold_changed(self, hold, change):
        raise KeyError(hold)


@hookimpl
def attention_observers():
    return [Broken, Loud]


@hookimpl
def attention_decided(decision, context):
    context.settings("loud").volume
    decision.append("hook")
"""


class TestObservers:
    @pytest.fixture
    def app(self, world: World, distributions: Any, tmp_path: Path) -> Any:
        from attention_framework.app import App

        distributions.add("observers", OBSERVERS)
        world.write('plugins = ["observers"]\n[strategy.loud]\nvolume = 5')
        app = App(str(world.file), str(tmp_path / "state"))
        app.warn = world.told.append  # type: ignore[method-assign]
        return app

    def test_each_of_an_enabled_plugin_is_told_with_its_settings(self, app: Any, world: World) -> None:
        from attention_framework.observing import tell_cycle_finished, tell_decided, tell_hold_changed

        told: list[str] = []
        tell_decided(app, told, "report")  # type: ignore[arg-type]
        tell_cycle_finished(app, "report")  # type: ignore[arg-type]
        tell_hold_changed(app, "hold", "taken")  # type: ignore[arg-type]
        _, loud = app.configuration.observers(app.context)
        assert loud.settings.volume == 5
        assert loud.seen == [(told, "report")]
        assert told == ["hook"], "a plain hook takes of the arguments what it names, the context too"
        assert len(world.told) == 2
        assert world.told[0] == "broken: no sound card"
        assert "broken" in world.told[1]
        assert "KeyError: 'hold'" in world.told[1]

    def test_what_is_wrong_with_its_settings_is_a_mistake(self, app: Any, world: World) -> None:
        world.write('plugins = ["observers"]\n[strategy.loud]\nvolume = -1\nvolumes = 2')
        assert [mistake.split(": ")[1] for mistake in world.mistakes()] == [
            "strategy.loud.volume",
            "strategy.loud.volumes",
        ]

    def test_it_is_listed_among_what_is_in_force(self, app: Any) -> None:
        assert ("observer", "loud", "observers") in app.configuration.selected()
