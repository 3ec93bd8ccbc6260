"""Which plugins load, and what becomes of those that do not."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from attention_framework import API
from attention_framework.loading import Kind, Plugins, PluginState, load_plugins

if TYPE_CHECKING:
    from conftest import Distributions

HANGS_AFTER_S = 1.0

GOOD = """
    from attention_framework import hookimpl

    class Exempt:
        name = "{name}"
        def __init__(self, settings, context): ...
        def judge(self, pane, view): ...

    @hookimpl
    def attention_policies():
        return [Exempt]
"""


def load(*names: str) -> Plugins:
    return load_plugins(names, report=pytest.fail)


def good(name: str) -> str:
    return GOOD.format(name=name)


def test_a_plugin_loads_with_what_it_announces(distributions: Distributions) -> None:
    distributions.add("quiet", good("silent"))

    plugins = load("quiet")

    assert plugins.enabled["quiet"].state is PluginState.LOADED
    assert plugins.enabled["quiet"].announces == (("policy", "silent"),)
    assert plugins.of_kind(Kind.POLICY)["silent"].plugin == "quiet"
    assert plugins.of_kind(Kind.TRANSPORT) == {}
    assert plugins.broken == []


def test_a_plugin_that_is_not_enabled_is_not_even_imported(distributions: Distributions) -> None:
    distributions.add("quiet", good("silent"))
    distributions.add("loud", "raise RuntimeError('imported')", version="2.5")

    statuses = {status.name: status for status in load("quiet").statuses()}

    loud = statuses["loud"]
    assert (loud.state, loud.distribution, loud.version) == (PluginState.INSTALLED, "attention-loud", "2.5")
    assert statuses["quiet"].distribution == "attention-quiet"
    assert distributions.modules[1] not in sys.modules


def test_without_a_choice_those_of_this_project_load_as_far_as_they_are_installed(
    distributions: Distributions,
) -> None:
    distributions.add("tmux", good("of-tmux"))
    distributions.add("policies", good("of-policies"))
    distributions.add("foreign", good("of-foreign"))

    assert list(load_plugins(report=pytest.fail).enabled) == ["policies", "tmux"]


def test_a_name_twice_is_one_plugin(distributions: Distributions) -> None:
    distributions.add("quiet", good("silent"))

    assert load("quiet", "quiet").broken == []


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("tmxu", "write tmux (which is) if you mean it"),
        ("herdr", "pip install attention-herdr"),
        ("omp-keys", "pip install attention-omp-keys"),
        ("zzz", "install the distribution that supplies it"),
    ],
)
def test_a_missing_plugin_is_named_with_the_nearest_or_how_to_install_it(
    distributions: Distributions, name: str, fix: str
) -> None:
    distributions.add("tmux", good("a"))

    status = load(name, "tmux").enabled[name]

    assert status.state is PluginState.MISSING
    assert status.problem == f"the plugin {name} is not installed"
    assert fix in status.fix


BROKEN = {
    "import-error": (
        "import no_such_module_anywhere",
        "ModuleNotFoundError: No module named 'no_such_module_anywhere' ({file}:1)",
    ),
    "raises": ("\n\nraise RuntimeError('no luck')", "RuntimeError: no luck ({file}:3)"),
    "exits": ("import sys\nsys.exit('bye')", "SystemExit: bye ({file}:2)"),
    "syntax-error": ("def (", "SyntaxError: invalid syntax"),
    "unknown-hook": (
        "from attention_framework import hookimpl\n@hookimpl\ndef attention_policys(): return []",
        "implements a hook attention_policys, which does not exist",
    ),
    "wrong-arguments": (
        "from attention_framework import hookimpl\n@hookimpl\ndef attention_policies(pane): return []",
        "attention_policies(pane) Argument(s) {{'pane'}} are declared in the hookimpl but can not be found in the hookspec",
    ),
    "half-right": (
        good("x") + "\n    @hookimpl\n    def attention_agents(pane): return []",
        "implements a hook wrongly",
    ),
    "wrapper": (
        "from attention_framework import hookimpl\n@hookimpl(wrapper=True)\ndef attention_policies():\n    return (yield)",
        "wraps the hook attention_policies",
    ),
    "no-hook": ("def attention_policies(): return []", "implements no hook"),
    "hook-raises": (
        "from attention_framework import hookimpl\n@hookimpl\ndef attention_policies():\n    raise KeyError('x')",
        "fails in attention_policies: KeyError: 'x' ({file}:4)",
    ),
    "no-name": (good("x").replace("name = ", "title = "), "Exempt without a `name` in attention_policies"),
    "bad-name": (good("Two words"), "called 'Two words'"),
    "instance": (good("x").replace("[Exempt]", "[Exempt(None, None)]"), "which is no class"),
    "observes-nothing": (
        good("x").replace("attention_policies", "attention_observers"),
        "announces the observer x, which has none of decided, cycle_finished, hold_changed",
    ),
    "lacks-method": (
        good("x").replace("def judge", "def guess"),
        "announces the policy x, which lacks judge",
    ),
    "no-list": (good("x").replace("[Exempt]", "Exempt"), "from attention_policies"),
    "settings": (
        good("x").replace("    name =", "    Settings = dict\n        name ="),
        "the policy x, whose Settings are no pydantic model",
    ),
    "use": (
        "from pydantic import BaseModel\n"
        + "class S(BaseModel):\n    use: str\n"
        + good("x").replace("\n    ", "\n").replace("    name =", "    Settings = S\n    name ="),
        "whose Settings have a field `use`",
    ),
    "twice": (good("x").replace("[Exempt]", "[Exempt, Exempt]"), "announces x twice"),
    "agent": (
        "from attention_framework import hookimpl\n@hookimpl\ndef attention_agents(): return ['omp']",
        "announces 'omp' in attention_agents",
    ),
}


@pytest.mark.parametrize(("source", "reason"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_plugin_is_reported_and_stops_no_other(
    distributions: Distributions, source: str, reason: str
) -> None:
    file = distributions.add("bad", source)
    distributions.add("quiet", good("silent"))

    plugins = load("bad", "quiet")

    (status,) = plugins.broken
    assert (status.name, status.state) == ("bad", PluginState.BROKEN)
    assert reason.format(file=file) in status.reason
    assert status.fix
    assert list(plugins.strategies) == ["silent"]
    assert not plugins.manager.has_plugin("bad")
    left = [
        implementation.plugin_name
        for hook in vars(plugins.manager.hook).values()
        for implementation in hook.get_hookimpls()
    ]
    assert left == ["quiet"]


def test_an_unknown_hook_is_reported_with_the_nearest_one(distributions: Distributions) -> None:
    distributions.add("bad", BROKEN["unknown-hook"][0])

    assert load("bad").enabled["bad"].fix == "use attention_policies, if you mean it"


@pytest.mark.parametrize(
    ("source", "where"),
    [
        ("import threading\nthreading.Event().wait()", "its import"),
        (
            "import threading\nfrom attention_framework import hookimpl\n"
            "@hookimpl\ndef attention_agents(): threading.Event().wait()",
            "attention_agents",
        ),
    ],
    ids=["import", "hook"],
)
def test_a_plugin_that_hangs_is_given_up_and_the_others_load(
    distributions: Distributions, source: str, where: str
) -> None:
    distributions.add("slow", source)
    distributions.add("quiet", good("silent"))

    plugins = load_plugins(["slow", "quiet"], report=pytest.fail, import_limit_s=HANGS_AFTER_S)

    assert plugins.enabled["slow"].reason == f"hangs in {where}: it gave no answer within 1 s"
    assert list(plugins.strategies) == ["silent"]


def test_a_plugin_that_hangs_does_not_keep_the_process_from_ending() -> None:
    program = (
        "from attention_framework.bounded import Bounded; import threading\n"
        "print(Bounded(print, 0.05).call('slow', threading.Event().wait).ending.value)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True
    )

    assert done.stdout.splitlines()[-1] == "timed out"


def test_of_two_plugins_with_one_strategy_name_the_second_is_broken(distributions: Distributions) -> None:
    distributions.add("first", good("silent"))
    distributions.add("second", good("silent"))

    plugins = load("first", "second")

    assert plugins.strategies["silent"].plugin == "first"
    assert plugins.enabled["second"].reason == "announces the policy silent, as the plugin first does"
    assert plugins.enabled["second"].fix == "take first or second out of `plugins`"


@pytest.mark.parametrize(
    ("hook", "value"), [("agents", "AgentKind('omp', 'OMP')"), ("hosts", "HostEnvironment('tmux', 'P', 'A')")]
)
def test_of_two_plugins_with_one_agent_or_host_the_second_is_broken(
    distributions: Distributions, hook: str, value: str
) -> None:
    source = (
        "from attention_framework import AgentKind, HostEnvironment, hookimpl\n"
        f"@hookimpl\ndef attention_{hook}(): return [{value}]"
    )
    distributions.add("first", source)
    distributions.add("second", source)

    assert [status.name for status in load("first", "second").broken] == ["second"]


def test_two_names_for_one_module_are_reported(distributions: Distributions) -> None:
    distributions.add("first", good("silent"))
    distributions.describe("second", distributions.modules[0], "attention-second")

    assert load("first", "second").enabled["second"].reason == "is the same module as another enabled plugin"


def test_a_name_that_two_distributions_claim_is_reported(distributions: Distributions) -> None:
    distributions.add("quiet", good("silent"), distribution="attention-quiet")
    distributions.add("quiet", good("silent"), distribution="imitation")

    assert (
        load("quiet").enabled["quiet"].reason
        == "is claimed by several distributions: attention-quiet, imitation"
    )


def test_a_plugin_that_the_entry_point_cache_does_not_know_yet_is_found(distributions: Distributions) -> None:
    from stevedore.extension import ExtensionManager

    distributions.add("quiet", good("silent"))
    ExtensionManager.ENTRY_POINT_CACHE["attention_framework.plugins"] = []

    assert load("quiet").broken == []


def test_a_module_that_the_entry_point_cache_remembers_wrongly_is_looked_up_again(
    distributions: Distributions,
) -> None:
    from importlib.metadata import EntryPoint

    from stevedore.extension import ExtensionManager

    distributions.add("quiet", good("silent"))
    group = "attention_framework.plugins"
    ExtensionManager.ENTRY_POINT_CACHE[group] = [EntryPoint("quiet", "throw_away_renamed_since", group)]

    assert load("quiet").broken == []


def test_a_plugin_that_the_entry_point_cache_still_knows_but_is_gone_is_missing(
    distributions: Distributions,
) -> None:
    from importlib.metadata import EntryPoint

    from stevedore.extension import ExtensionManager

    group = "attention_framework.plugins"
    ExtensionManager.ENTRY_POINT_CACHE[group] = [EntryPoint("quiet", "throw_away_gone", group)]

    assert load("quiet").enabled["quiet"].state is PluginState.MISSING


OBSERVER = """
    from attention_framework import hookimpl, AgentKind

    @hookimpl
    def attention_agents():
        return [AgentKind("{agent}", "An agent")]

    @hookimpl
    def attention_hold_changed(change):
        {body}
"""


def test_a_hook_that_raises_is_reported_with_its_plugin_and_the_others_are_called(
    distributions: Distributions,
) -> None:
    distributions.add("one", OBSERVER.format(agent="one", body="return 'one saw ' + change"))
    distributions.add("bad", OBSERVER.format(agent="bad", body="raise ValueError('no')"))
    distributions.add("two", OBSERVER.format(agent="two", body="return 'two saw ' + change"))
    told: list[str] = []

    plugins = load_plugins(["one", "bad", "two"], report=told.append)
    answers = plugins.call_each("attention_hold_changed", hold=None, change="taken")

    assert sorted(answers) == [("one", "one saw taken"), ("two", "two saw taken")]
    assert len(told) == 1
    assert told[0].startswith("the plugin bad failed in attention_hold_changed: ValueError: no (")


def test_an_announcement_of_nothing_is_none(distributions: Distributions) -> None:
    distributions.add(
        "quiet", "from attention_framework import hookimpl\n@hookimpl\ndef attention_agents(): pass"
    )

    assert load("quiet").broken == []


def test_a_hook_that_no_plugin_knows_may_be_optional(distributions: Distributions) -> None:
    distributions.add(
        "early",
        "from attention_framework import hookimpl\n@hookimpl(optionalhook=True)\ndef attention_of_tomorrow(): pass",
    )

    assert load("early").broken == []


@pytest.mark.parametrize("declares", ["", f"\n    ATTENTION_API = {API}"], ids=["nothing", "this one"])
def test_a_plugin_for_this_version_of_the_api_loads(distributions: Distributions, declares: str) -> None:
    distributions.add("quiet", good("silent") + declares)

    assert load("quiet").broken == []


@pytest.mark.parametrize(
    ("declared", "problem", "fix"),
    [
        (f"{API + 1}", f"was written for version {API + 1} of the plugin API", "pip install --upgrade"),
        (f"{API - 1}", f"was written for version {API - 1} of the plugin API", "update the plugin"),
        ("'1'", "gives '1' as its ATTENTION_API", "write the number"),
        ("True", "gives True as its ATTENTION_API", "write the number"),
    ],
)
def test_a_plugin_for_another_version_of_the_api_is_named_and_stops_no_other(
    distributions: Distributions, declared: str, problem: str, fix: str
) -> None:
    distributions.add("odd", good("strange") + f"\n    ATTENTION_API = {declared}")
    distributions.add("quiet", good("silent"))

    plugins = load("odd", "quiet")

    [status] = plugins.broken
    assert (status.name, status.state) == ("odd", PluginState.BROKEN)
    assert problem in status.problem
    assert fix in status.fix
    assert list(plugins.strategies) == ["silent"]
