"""Who may import whom, read from the sources."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import attention_framework
from attention_framework import testing

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
CORE = ROOT / "attention_framework"
PLUGINS = sorted(path for path in (ROOT / "plugins").glob("*/attention_*") if (path / "__init__.py").exists())
PUBLIC = set(attention_framework.__all__)
PUBLIC_TESTING = set(testing.__all__)
PURE = [
    *(f"model.{path.stem}" for path in sorted((CORE / "model").glob("*.py"))),
    "break_watch.plan",
    "cycle.plan",
    "cycle.join",
    "cycle.judge",
    "state.memory",
    "state.names",
]
TOUCHES_THE_WORLD = {"os", "subprocess", "socket", "time", "threading", "shutil", "psutil", "tempfile"}


def sources(package: Path) -> list[Path]:
    return sorted(path for path in package.rglob("*.py") if "tests" not in path.relative_to(package).parts)


def absolute(node: ast.ImportFrom, path: Path, package: Path) -> str:
    """The module that is imported from, written out."""
    if not node.level:
        return node.module or ""
    inside = path.relative_to(package.parent).with_suffix("").parts
    base = inside[: len(inside) - node.level]
    return ".".join((*base, *filter(None, (node.module,))))


def imports(path: Path, package: Path) -> Iterator[tuple[int, str, str]]:
    """`(line, module, name)` of everything that is imported, also inside functions and for types only."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = absolute(node, path, package)
            yield from ((node.lineno, module, alias.name) for alias in node.names)


def offenders(package: Path, allowed: object, where: Path | None = None) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line} imports {module}" + (f" {name}" if name else "")
        for path in sources(where or package)
        for line, module, name in imports(path, package)
        if not allowed(module, name)  # type: ignore[operator]
    ]


def is_own(module: str, package: Path) -> bool:
    return module == package.name or module.startswith(f"{package.name}.")


def is_public(module: str, name: str) -> bool:
    """Whether a plugin may import this of the framework."""
    if module == "attention_framework":
        return name in PUBLIC or name == "__version__"
    if module == "attention_framework.testing":
        return name in PUBLIC_TESTING
    return not module.startswith("attention_framework.")


def test_there_are_plugins_to_look_at() -> None:
    assert {path.name for path in PLUGINS} >= {
        "attention_herdr",
        "attention_omp_keys",
        "attention_policies",
        "attention_stretchly",
        "attention_tmux",
    }


def test_the_core_imports_no_plugin() -> None:
    def allowed(module: str, name: str) -> bool:
        return not module.startswith("attention_") or is_own(module, CORE)

    assert offenders(CORE, allowed) == []


@pytest.mark.parametrize("package", PLUGINS, ids=lambda path: path.name)
def test_a_plugin_imports_only_public_names_of_the_framework(package: Path) -> None:
    assert offenders(package, is_public) == []


@pytest.mark.parametrize("package", PLUGINS, ids=lambda path: path.name)
def test_a_plugin_imports_no_other_plugin(package: Path) -> None:
    def allowed(module: str, name: str) -> bool:
        return not module.startswith("attention_") or is_own(module, package) or is_own(module, CORE)

    assert offenders(package, allowed) == []


def test_the_simulator_needs_nothing_of_the_framework_at_all() -> None:
    """It stands in for programs that know nothing of it."""
    package = ROOT / "plugins" / "herdr" / "attention_herdr"

    def allowed(module: str, name: str) -> bool:
        return not is_own(module, CORE)

    assert offenders(package, allowed, package / "simulator") == []


def test_nothing_but_the_program_uses_the_commands() -> None:
    def allowed(module: str, name: str) -> bool:
        return not module.startswith("attention_framework.commands")

    own = tuple(str(Path("attention_framework", name)) for name in ("commands", "__main__"))
    assert [line for line in offenders(CORE, allowed) if not line.startswith(own)] == []


def test_only_tests_and_the_simulation_use_the_test_tools() -> None:
    def allowed(module: str, name: str) -> bool:
        return not module.startswith("attention_framework.testing")

    found = [
        line
        for line in offenders(CORE, allowed)
        if not line.startswith(str(Path("attention_framework/testing")))
    ]
    assert found == []


@pytest.mark.parametrize("name", PURE)
def test_what_decides_touches_nothing(name: str) -> None:
    path = CORE.joinpath(*name.split(".")).with_suffix(".py")
    touched = {module for _, module, _ in imports(path, CORE) if module in TOUCHES_THE_WORLD}
    assert touched <= ({"os"} if name == "state.names" else set())


def test_the_clock_the_disk_and_processes_are_reached_through_the_effects_alone() -> None:
    """So that the simulation runs the same code. Each exception is named here with its reason."""
    reasons = {
        "effects": "they are the effects",
        "testing": "test tools",
        "verifying/sampler.py": "an agent is looked at in a thread of its own while the focus moves",
        "verifying/trying.py": "signals, and the folder of one run on the real host",
        "verifying/work.py": "times of files, which a real call has left",
        "break_watch/followers.py": "each break source is followed in a thread of its own",
        "following.py": "what is followed has a thread of its own",
        "serve": "threads: one for each session, watch and request",
        "bounded.py": "time limits of threads, which the simulation replaces by `Inline`",
        "kinds": "the type of an event, for annotations",
        "errors.py": "the report of an unexpected error, for a person",
        "state/folder.py": "whose the folder is: asked once, before anything else",
        "state/names.py": "symbolic links in an address",
        "settings": "read once at the start, through the layers",
        "loading": "the import of plugins",
        "context.py": "which Python this is",
        "scheduling/launchd.py": "whose desktop it is",
        "scheduling/task_": "how Windows takes a command line apart",
        "commands/main.py": "the streams of this process",
        "progress.py": "a line on the person's terminal after a second: a thread of its own",
        "words/local_time.py": "the local time, for people",
        "scaffold/writing.py": "sources of the person's, with the modes of the person's other files",
        "client/thin_client.py": "a program of its own, whose start is all that it costs",
        "client/thin_gate.py": "a program of its own",
        "commands/gate.py": "how a command line is written on this system",
        "gate.py": "it asks by that program's code, which knows the real clock alone",
    }
    found = {
        path.relative_to(CORE).as_posix()
        for path in sources(CORE)
        for _, module, _ in imports(path, CORE)
        if module.partition(".")[0] in TOUCHES_THE_WORLD
    }
    assert {name for name in found if not name.startswith(tuple(reasons))} == set()
