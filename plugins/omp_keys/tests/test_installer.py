from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attention_omp_keys.extension import shipped_files, shipped_version, source_folder
from attention_omp_keys.homes import supported
from attention_omp_keys.installer import OmpInstaller, names_extension

from attention_framework import InstallRefused
from attention_framework.testing import Crash, FakeContext, Memory

if TYPE_CHECKING:
    from collections.abc import Iterable

HOME = Path("/home/me")
AGENT = HOME / ".omp" / "agent"
TARGET = AGENT / "extensions" / "attention-framework"
SHIPPED = ["config.json", "index.ts", "version.ts", "wake.ts"]


def carry_out(installer: OmpInstaller, remove: bool = False) -> list[str]:
    steps = installer.plan(remove)
    for step in steps:
        step.carry_out()
    return [step.describe for step in steps]


def installed(memory: Memory, folder: Path = TARGET) -> list[str]:
    return memory.files.names(folder)


def config(memory: Memory, folder: Path = TARGET) -> dict[str, object]:
    document: dict[str, object] = json.loads(memory.files.read(folder / "config.json"))
    return document


def test_setup_writes_the_extension_and_then_has_nothing_left_to_do(
    installer: OmpInstaller, omp: Memory
) -> None:
    assert carry_out(installer) == [f"install the extension (4 files) in {TARGET}"]
    assert installed(omp) == SHIPPED
    assert installer.plan(remove=False) == []


def test_the_entry_is_written_last_and_removed_first(installer: OmpInstaller, omp: Memory) -> None:
    """OMP loads the folder as soon as, and as long as, the entry is there."""
    touched: list[tuple[str, str]] = []
    omp.disk.on_operation = lambda operation, path: touched.append((operation, path.name))
    carry_out(installer)
    written = [name for operation, name in touched if operation == "replace" and name in SHIPPED]
    touched.clear()
    carry_out(installer, remove=True)
    removed = [name for operation, name in touched if operation == "remove" and name in SHIPPED]
    assert written[-1] == removed[0] == "index.ts"
    assert sorted(written) == sorted(removed) == SHIPPED


def test_planning_changes_nothing(installer: OmpInstaller, omp: Memory) -> None:
    before = dict(omp.disk.content)
    assert installer.plan(remove=False)
    assert omp.disk.content == before


def test_config_says_where_the_state_is_and_how_to_wake_the_controller(
    installer: OmpInstaller, omp: Memory, context: FakeContext
) -> None:
    context.command = ("/venv/bin/python", "-I", "-m", "attention_framework", "--state", "/state")
    carry_out(installer)
    assert config(omp) == {
        "v": 1,
        "agent": "omp",
        "state": str(context.state),
        "runner": [*context.command, "reconcile", "--revive"],
        "hosts": [
            {
                "host": "herdr",
                "pane": "HERDR_PANE_ID",
                "address": "HERDR_SOCKET_PATH",
                "address_pattern": None,
            },
            {"host": "tmux", "pane": "TMUX_PANE", "address": "TMUX", "address_pattern": "^(.*),[0-9]+$"},
        ],
        "keys": {"look": "f12", "pause": "ctrl+alt+p", "resume": "ctrl+alt+r"},
    }


def test_an_update_replaces_what_changed_and_removes_what_is_no_longer_shipped(
    installer: OmpInstaller, omp: Memory, context: FakeContext, source: Path
) -> None:
    carry_out(installer)
    (source / "wake.ts").unlink()
    (source / "index.ts").write_text("// newer\n", "utf-8")
    assert carry_out(OmpInstaller(context, source)) == [f"update index.ts, wake.ts in {TARGET}"]
    assert installed(omp) == ["config.json", "index.ts", "version.ts"]


def test_every_profile_and_the_folder_of_the_environment_get_it(installer: OmpInstaller, omp: Memory) -> None:
    profile, other = HOME / ".omp" / "profiles" / "work" / "agent", Path("/srv/omp-agent").absolute()
    omp.files.make_folder(profile)
    omp.files.make_folder(other)
    omp.environment["PI_CODING_AGENT_DIR"] = str(other)
    carry_out(installer)
    for agent in (AGENT, profile, other):
        assert installed(omp, agent / "extensions" / "attention-framework") == SHIPPED


def test_a_folder_that_two_ways_lead_to_is_written_once(installer: OmpInstaller, omp: Memory) -> None:
    omp.environment["PI_CODING_AGENT_DIR"] = str(AGENT.absolute())
    assert len(carry_out(installer)) == 1


def test_another_name_for_the_configuration_folder_is_followed(installer: OmpInstaller, omp: Memory) -> None:
    omp.environment["PI_CONFIG_DIR"] = ".my-omp"
    carry_out(installer)
    assert installed(omp, HOME / ".my-omp" / "agent" / "extensions" / "attention-framework") == SHIPPED


def test_an_omp_that_has_never_run_gets_it_too(omp: Memory, installer: OmpInstaller) -> None:
    omp.files.remove_tree(HOME)
    carry_out(installer)
    assert installed(omp) == SHIPPED


def test_uninstall_removes_all_of_it_and_then_has_nothing_left_to_do(
    installer: OmpInstaller, omp: Memory
) -> None:
    carry_out(installer)
    carry_out(installer, remove=True)
    assert not omp.files.exists(TARGET.parent), "it was not there before"
    assert omp.files.exists(AGENT)
    assert installer.plan(remove=True) == []


def test_uninstall_leaves_a_folder_of_extensions_that_was_there(installer: OmpInstaller, omp: Memory) -> None:
    omp.files.make_folder(TARGET.parent)
    carry_out(installer)
    carry_out(installer, remove=True)
    assert not omp.files.exists(TARGET)
    assert omp.files.exists(TARGET.parent)


def test_uninstall_finds_a_folder_that_is_no_longer_omps(installer: OmpInstaller, omp: Memory) -> None:
    other = Path("/srv/omp-agent").absolute()
    omp.files.make_folder(other)
    omp.environment["PI_CODING_AGENT_DIR"] = str(other)
    carry_out(installer)
    del omp.environment["PI_CODING_AGENT_DIR"]
    carry_out(installer, remove=True)
    assert omp.files.names(other / "extensions") == []


@pytest.mark.parametrize("name", ["notes.md", ".git"])
def test_uninstall_leaves_what_the_person_put_there(installer: OmpInstaller, omp: Memory, name: str) -> None:
    carry_out(installer)
    omp.files.write(TARGET / name, b"mine")
    carry_out(installer, remove=True)
    assert omp.files.read(TARGET / name) == b"mine"


@pytest.mark.parametrize("remove", [False, True])
def test_a_file_that_the_person_edited_is_refused(installer: OmpInstaller, omp: Memory, remove: bool) -> None:
    carry_out(installer)
    omp.files.write(TARGET / "index.ts", b"// mine")
    with pytest.raises(InstallRefused, match=r"index\.ts"):
        installer.plan(remove)
    assert omp.files.read(TARGET / "index.ts") == b"// mine"


def test_uninstall_leaves_a_file_that_was_edited_and_takes_the_rest(
    installer: OmpInstaller, omp: Memory
) -> None:
    carry_out(installer)
    omp.files.write(TARGET / "wake.ts", b"// mine")
    steps = installer.plan(remove=True)
    for step in steps:
        step.carry_out()
    assert "wake.ts" in steps[-1].describe
    assert omp.files.names(TARGET) == ["wake.ts"]
    with pytest.raises(InstallRefused, match=r"wake\.ts was edited"):
        installer.plan(remove=True)


@pytest.mark.parametrize("begun", ["nothing", "an older version"])
@pytest.mark.parametrize("crash", ["crash_before", "crash_after"])
def test_a_crash_at_any_step_of_setup_is_made_right_by_the_next_one(
    omp: Memory, context: FakeContext, source: Path, tmp_path: Path, begun: str, crash: str
) -> None:
    older = tmp_path / "older"
    older.mkdir()
    for name in ("index.ts", "wake.ts", "gone.ts"):
        (older / name).write_text("// older\n", "utf-8")
    crashed = 0
    for step in range(1, 500):
        world = Memory(environment=omp.environment, processes=omp.processes)
        surroundings = FakeContext(world.effects, hosts=context.hosts)
        if begun == "an older version":
            carry_out(OmpInstaller(surroundings, older))
        getattr(world.disk.faults, crash)(step)
        try:
            carry_out(OmpInstaller(surroundings, source))
        except Crash:
            crashed += 1
        else:
            break
        world.disk.faults.clear()
        surroundings.effects = world.process()
        carry_out(OmpInstaller(surroundings, source))
        assert installed(Memory(disk=world.disk)) == SHIPPED, step
    assert crashed > 4 * len(SHIPPED)


@pytest.mark.parametrize(
    ("line", "twice"),
    [
        ("extensions: [~/work/omp_extension]", True),
        ("  - C:\\work\\omp_extension\\src\\index.ts", True),
        ("  - /home/me/.omp/agent/extensions/attention-framework", True),
        ("# - ~/work/omp_extension", False),
        ("extensions: [~/other]", False),
    ],
)
def test_a_copy_that_omp_is_told_to_load_already_is_refused(
    installer: OmpInstaller, omp: Memory, line: str, twice: bool
) -> None:
    omp.files.write(AGENT / "config.yml", f"setupVersion: 2\n{line}\n".encode())
    if twice:
        with pytest.raises(InstallRefused, match="name the extension already"):
            installer.plan(remove=False)
    else:
        assert installer.plan(remove=False)


def test_a_linked_copy_is_refused(installer: OmpInstaller, omp: Memory) -> None:
    omp.files.write(
        HOME / ".omp" / "plugins" / "node_modules" / "attention-omp-extension" / "package.json", b"{}"
    )
    with pytest.raises(InstallRefused, match="omp plugin uninstall attention-omp-extension"):
        installer.plan(remove=False)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_a_link_in_the_place_of_the_folder_is_not_written_through(
    installer: OmpInstaller, omp: Memory, tmp_path: Path
) -> None:
    extensions = tmp_path / ".omp" / "agent" / "extensions"
    extensions.mkdir(parents=True)
    (extensions / "attention-framework").symlink_to(installer.source)
    omp.environment["HOME"] = str(tmp_path)
    with pytest.raises(InstallRefused, match="link"):
        installer.plan(remove=False)


def test_an_omp_that_is_too_old_is_refused_and_can_still_be_cleaned(
    omp: Memory, context: FakeContext, source: Path, installer: OmpInstaller
) -> None:
    from attention_framework import Completed

    carry_out(installer)
    omp.processes.programs["omp"] = lambda command: Completed(0, "omp/17.3.5\n", "")
    old = OmpInstaller(context, source)
    with pytest.raises(InstallRefused, match=r"17\.3\.5.*18\.1\.16"):
        old.plan(remove=False)
    assert old.plan(remove=True)


def test_without_a_host_it_is_refused(installer: OmpInstaller, context: FakeContext) -> None:
    context.hosts = ()
    with pytest.raises(InstallRefused, match="host"):
        installer.plan(remove=False)


def test_what_was_found_is_told(installer: OmpInstaller, omp: Memory) -> None:
    assert installer.found() == f"OMP 18.2.3, {AGENT}"


def test_the_version_is_asked_once(installer: OmpInstaller, omp: Memory) -> None:
    installer.found()
    installer.plan(remove=False)
    assert len(omp.processes.ran) == 1


def test_an_omp_that_is_not_on_the_path_is_found_by_its_folder(installer: OmpInstaller, omp: Memory) -> None:
    del omp.processes.programs["omp"]
    assert str(installer.found()).startswith("OMP (not on the PATH), ")


def test_no_omp_is_found_where_there_is_none(installer: OmpInstaller, omp: Memory) -> None:
    del omp.processes.programs["omp"]
    omp.files.remove_tree(HOME)
    assert installer.found() is None


def test_an_omp_that_does_not_answer_is_there_all_the_same(installer: OmpInstaller, omp: Memory) -> None:
    def hang(command: Iterable[str]) -> None:
        raise TimeoutError("`omp` did not end within 20 s")

    omp.processes.programs["omp"] = hang  # type: ignore[assignment]
    assert installer.found() == f"OMP, {AGENT}"


@pytest.mark.parametrize(
    ("version", "good"),
    [("18.1.16", True), ("18.1.15", False), ("17.3.5", False), ("19.0.0-beta.1", True), ("", True)],
)
def test_the_supported_range_begins_where_the_gate_can_be_reached(version: str, good: bool) -> None:
    assert supported(version) is good


def test_only_a_path_of_the_extension_names_it() -> None:
    assert not names_extension("theme: omp")


def test_the_real_extension_is_shipped_with_its_entry_and_version() -> None:
    files = shipped_files(source_folder())
    assert list(files)[-1] == "index.ts"
    assert shipped_version(files)
