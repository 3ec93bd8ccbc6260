from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attention_framework.journal import Journal
from attention_framework.testing import hold

if TYPE_CHECKING:
    from .conftest import Shell


def test_a_report_of_what_the_controller_has_done(shell: Shell) -> None:
    shell.settle()
    result = shell.run("report")
    assert result.code == 0
    assert "1 asked for, 1 confirmed, 0 reported as not confirmed" in result.out
    assert "focus 1" in result.out
    assert any(line.startswith("snapshot ") for line in result.lines)
    assert any(line.startswith("w1:p2 back") for line in result.lines)


def test_programs_get_one_object(shell: Shell) -> None:
    shell.settle()
    found = json.loads(shell.run("report", "--json").out)
    assert (found["v"], found["asked"], found["confirmed"]) == (1, 1, 1)
    assert set(found["steps"]["snapshot"]) == {"count", "p50", "p99", "longest"}


def test_older_entries_are_left_out(shell: Shell) -> None:
    shell.settle()
    shell.memory.clock.advance(2 * 3_600_000)
    assert shell.run("report", "--since", "1h").lines[-1] == "the journal has no entries from that time"
    assert json.loads(shell.run("report", "--since", "1d", "--json").out)["confirmed"] == 1


def test_rotated_journals_are_read_and_broken_lines_passed_over(shell: Shell) -> None:
    journal = Journal(shell.app.state.journal, shell.memory.effects, pytest.fail, max_bytes=400)
    for number in range(4):
        journal.write_hold(hold(f"b-{number}"), "taken")
    shell.memory.files.append(shell.app.state.journal, b'{"type": "cyc\n\xff\xfe\n[]\n{"type": "later"}\n')
    found = json.loads(shell.run("report", "--json").out)
    assert shell.memory.files.exists(journal.paths[1])
    assert (found["breaks"]["count"], found["not_understood"]) == (4, 1)


def test_the_page_is_written_and_named(shell: Shell) -> None:
    shell.settle()
    result = shell.run("report", "--html", "/pages/pauses.html")
    assert (result.code, result.out) == (0, "")
    path = Path("/pages/pauses.html").absolute()
    assert str(path) in result.err
    assert shell.memory.files.read(path).startswith(b"<!doctype html>")


def test_a_page_that_cannot_be_written_is_an_error_with_its_reason(shell: Shell) -> None:
    shell.memory.disk.faults.fail("write", 13, path="*pauses.html*")
    result = shell.run("report", "--html", "/pages/pauses.html")
    assert result.code == 1
    assert f"the page {Path('/pages/pauses.html').absolute()} cannot be written" in result.err
