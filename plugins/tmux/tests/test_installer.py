"""`attention setup tmux` and its way back, with a real tmux."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from attention_tmux import configuration, hooks, plugin
from attention_tmux.checks import TmuxCheck
from attention_tmux.focus import TmuxFocus, TmuxSettings
from attention_tmux.installer import TmuxInstaller, supported
from attention_tmux.testing import TmuxServer

from attention_framework import CheckLevel, InstallRefused
from attention_framework.effects.files import RealFiles
from attention_framework.testing import until

if TYPE_CHECKING:
    from pathlib import Path

    from attention_framework.testing import FakeContext


@pytest.fixture
def installer(context: FakeContext, focus: TmuxFocus, server: TmuxServer) -> TmuxInstaller:
    assert server.run("list-sessions")
    return TmuxInstaller(context, focus)


@pytest.fixture
def conf(folder: Path) -> Path:
    return folder / "home/.tmux.conf"


def carry_out(installer: TmuxInstaller, *, remove: bool = False) -> list[str]:
    steps = installer.plan(remove)
    for step in steps:
        step.carry_out()
    return [step.describe for step in steps]


def test_setup_writes_hooks_adds_one_line_and_tells_running_servers(
    installer: TmuxInstaller, server: TmuxServer, conf: Path, folder: Path
) -> None:
    conf.write_text("set -g mouse on\n")
    described = carry_out(installer)
    assert described == [
        f"write {folder}/state/thin_client.py and thin_gate.py",
        f"write {folder}/state/tmux.conf",
        f"add one line to {conf}: source-file -q '{folder}/state/tmux.conf'",
        f"load the hooks into the running tmux server {server.socket}",
    ]
    assert conf.read_text().startswith("set -g mouse on\nsource-file -q ")
    assert conf.read_text().count("\n") == 2
    assert hooks.is_loaded(server.run(*hooks.LOADED), installer.content)


def test_setup_that_has_been_done_has_nothing_left_to_do(installer: TmuxInstaller) -> None:
    carry_out(installer)
    assert installer.plan(remove=False) == []


def test_setup_says_what_keeps_agents_from_braking_by_themselves(
    installer: TmuxInstaller, server: TmuxServer
) -> None:
    [advice] = installer.advice(remove=False)
    assert advice.endswith("add `set -s focus-events on` to your tmux configuration")
    assert installer.advice(remove=True) == []
    server.run("set-option", "-s", "focus-events", "on")
    assert installer.advice(remove=False) == []


def test_setup_has_no_advice_for_a_tmux_that_does_not_run(
    installer: TmuxInstaller, server: TmuxServer
) -> None:
    server.stop()
    assert installer.advice(remove=False) == []


def test_uninstall_takes_all_of_it_back(
    installer: TmuxInstaller, server: TmuxServer, conf: Path, folder: Path
) -> None:
    conf.write_text("set -g mouse on\n")
    before = server.run(*hooks.LOADED)
    carry_out(installer)
    assert len(carry_out(installer, remove=True)) == 4
    assert conf.read_text() == "set -g mouse on\n"
    assert [path.name for path in (folder / "state").iterdir()] == ["installed.json"]
    assert server.run(*hooks.LOADED) == before
    assert installer.plan(remove=True) == []


def test_a_configuration_that_setup_made_goes_again(installer: TmuxInstaller, conf: Path) -> None:
    carry_out(installer)
    assert conf.exists()
    carry_out(installer, remove=True)
    assert not conf.exists()


def test_a_new_server_loads_the_hooks_by_the_line(
    installer: TmuxInstaller, server: TmuxServer, conf: Path, context: FakeContext
) -> None:
    carry_out(installer)
    server.stop()
    with TmuxServer(server.socket, context.effects.environment, conf) as later:
        later.new_session("a", "sleep 1000")
        until(
            lambda: hooks.is_loaded(later.run(*hooks.LOADED), installer.content), what="the hooks are loaded"
        )
        assert installer.plan(remove=False) == []


def test_a_configuration_whose_last_line_has_no_end_and_that_is_a_link_is_kept(
    installer: TmuxInstaller, conf: Path, folder: Path
) -> None:
    kept = folder / "dotfiles.conf"
    kept.write_bytes(b"# caf\xe9, in latin-1\r\nset -g mouse on")
    kept.chmod(0o640)
    conf.symlink_to(kept)
    carry_out(installer)
    assert conf.is_symlink()
    assert kept.read_bytes().startswith(b"# caf\xe9, in latin-1\r\nset -g mouse on\nsource-file")
    assert kept.stat().st_mode & 0o777 == 0o640
    carry_out(installer, remove=True)
    assert conf.is_symlink()
    assert kept.read_bytes() == b"# caf\xe9, in latin-1\r\nset -g mouse on"


@pytest.mark.parametrize(
    "content", [None, b"", b"\n", b"set -g mouse on", b"set -g mouse on\n", b"a\r\nb\r\n"]
)
def test_the_configuration_is_afterwards_as_it_was_before(
    installer: TmuxInstaller, conf: Path, content: bytes | None
) -> None:
    if content is not None:
        conf.write_bytes(content)
    carry_out(installer)
    assert configuration.has_line(conf.read_bytes(), hooks.source_line(installer.file))
    assert installer.plan(remove=False) == []
    carry_out(installer, remove=True)
    assert (conf.read_bytes() if conf.exists() else None) == content


def test_what_the_person_has_added_below_our_line_stays(installer: TmuxInstaller, conf: Path) -> None:
    conf.write_bytes(b"set -g mouse on")
    carry_out(installer)
    conf.write_bytes(conf.read_bytes() + b"set -g base-index 1\n")
    carry_out(installer, remove=True)
    assert conf.read_bytes() == b"set -g mouse on\nset -g base-index 1\n"


def test_the_line_goes_where_the_person_keeps_the_configuration(
    installer: TmuxInstaller, folder: Path, conf: Path
) -> None:
    modern = folder / "home/.config/tmux/tmux.conf"
    modern.parent.mkdir(parents=True)
    modern.write_text("set -g mouse on\n")
    carry_out(installer)
    assert not conf.exists()
    assert modern.read_bytes().count(configuration.MARK) == 1


def test_a_line_of_an_earlier_setup_is_replaced(installer: TmuxInstaller, conf: Path) -> None:
    conf.write_bytes(b"source-file -q '/gone/tmux.conf'" + configuration.MARK + b"\nset -g mouse on\n")
    carry_out(installer)
    assert b"/gone/" not in conf.read_bytes()
    assert conf.read_bytes().startswith(b"set -g mouse on\n")
    assert conf.read_bytes().count(configuration.MARK) == 1


def test_a_hooks_file_that_was_edited_is_left_alone_and_nothing_reads_it_any_more(
    installer: TmuxInstaller, server: TmuxServer, conf: Path, folder: Path
) -> None:
    carry_out(installer)
    (folder / "state/tmux.conf").write_text("# mine now\n")
    with pytest.raises(InstallRefused, match="not as `attention setup` left it"):
        installer.plan(remove=False)
    assert carry_out(installer, remove=True)[-1].endswith("/state/tmux.conf")
    assert (folder / "state/tmux.conf").read_text() == "# mine now\n"
    assert not conf.exists()
    assert not hooks.is_any_loaded(server.run(*hooks.LOADED))
    with pytest.raises(InstallRefused, match="was edited"):
        installer.plan(remove=True)


def test_a_line_that_the_person_has_put_there_is_not_added_again_and_stays(
    installer: TmuxInstaller, conf: Path, folder: Path
) -> None:
    carry_out(installer)
    by_hand = hooks.source_line(folder / "state/tmux.conf") + "\nset -g mouse on\n"
    conf.write_text(by_hand)
    assert installer.plan(remove=False) == []
    carry_out(installer, remove=True)
    assert conf.read_text() == by_hand


def test_a_configuration_that_cannot_be_read_or_written_is_refused_by_its_name(
    installer: TmuxInstaller, conf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    conf.mkdir()
    with pytest.raises(InstallRefused, match=r"tmux\.conf cannot be read"):
        installer.plan(remove=False)
    with pytest.raises(InstallRefused, match=r"tmux\.conf cannot be read"):
        installer.plan(remove=True)
    conf.rmdir()

    def store(self: object, path: Path, content: bytes) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    steps = installer.plan(remove=False)
    monkeypatch.setattr(RealFiles, "write", store)
    with pytest.raises(InstallRefused, match=r"tmux\.conf cannot be written: Permission denied"):
        next(step for step in steps if step.describe.startswith("add one line")).carry_out()


@pytest.mark.parametrize(
    ("version", "good"),
    [
        ("3.3a", True),
        ("3.2", True),
        ("next-3.6", True),
        ("master", True),
        ("4.0", True),
        ("3.1c", False),
        ("2.9", False),
    ],
)
def test_a_tmux_that_is_too_old_is_told_by_its_version(version: str, good: bool) -> None:
    assert supported(version) is good


def test_doctor_says_what_is_missing_and_how_to_mend_it(
    installer: TmuxInstaller, focus: TmuxFocus, server: TmuxServer
) -> None:
    def levels() -> list[CheckLevel]:
        return [result.level for result in TmuxCheck(focus, installer).run()]

    assert levels() == [CheckLevel.OK, CheckLevel.FAILED, CheckLevel.WARNING]
    assert "no agent brakes by itself" in TmuxCheck(focus, installer).run()[-1].message
    carry_out(installer)
    server.run("set-option", "-s", "focus-events", "on")
    assert levels() == [CheckLevel.OK, CheckLevel.OK, CheckLevel.OK]


def test_setup_and_doctor_use_the_settings_of_the_host(context: FakeContext) -> None:
    context.strategies["tmux"] = TmuxSettings(program="no-such-tmux")
    (installer,) = plugin.attention_installers(context)
    with pytest.raises(InstallRefused, match=r"no no-such-tmux, which strategy\.tmux\.program names"):
        installer.plan(remove=False)
    (check,) = plugin.attention_checks(context)
    assert "no-such-tmux" in check.run()[0].message


def test_a_machine_without_tmux_is_told_so(context: FakeContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    installer = TmuxInstaller(context, focus := TmuxFocus(None, context))
    assert installer.found() is None
    with pytest.raises(InstallRefused, match="no tmux"):
        installer.plan(remove=False)
    assert installer.plan(remove=True) == []
    assert [result.level for result in TmuxCheck(focus, installer).run()] == [CheckLevel.WARNING]


def test_setup_and_doctor_use_the_tmux_of_the_settings(context: FakeContext, folder: Path) -> None:
    program = folder / "my-tmux"
    program.write_text("#!/bin/sh\necho tmux 9.9\n", encoding="utf-8")
    program.chmod(0o755)
    context.strategies["tmux"] = TmuxSettings(program=str(program))
    (installer,) = plugin.attention_installers(context)
    (check,) = plugin.attention_checks(context)
    assert installer.found() == "tmux 9.9"
    assert "9.9" in check.run()[0].message


@pytest.mark.parametrize("name", ["back\\slash", "[a]*?", 'it\'s "q" $x `y` #{pid} %d ~{b}', "hömé 日本 🙂"])
def test_a_new_server_finds_the_hooks_in_a_folder_of_any_name(
    server: TmuxServer, context: FakeContext, focus: TmuxFocus, conf: Path, folder: Path, name: str
) -> None:
    context.state = folder / name
    installer = TmuxInstaller(context, focus)
    carry_out(installer)
    server.stop()
    with TmuxServer(server.socket, context.effects.environment, conf) as later:
        later.new_session("a", "sleep 1000")
        assert installer.has_loaded(focus.sessions()[0])


def test_a_path_that_no_line_of_a_configuration_can_name_is_refused(
    context: FakeContext, focus: TmuxFocus, conf: Path, folder: Path
) -> None:
    context.state = folder / "a\nb"
    with pytest.raises(InstallRefused, match=r"a\\nb.*line end"):
        TmuxInstaller(context, focus).plan(remove=False)
    assert not conf.exists()
