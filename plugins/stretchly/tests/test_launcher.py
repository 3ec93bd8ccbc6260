"""There is no PowerShell here to run it: its lines, its quoting and its bytes are looked at."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from attention_stretchly.launcher import launcher, quoted

COMMAND = ("C:\\my py\\python.exe", "-I", "-m", "attention_framework", "--state", "C:\\Zoë's state")


def written(*command: str) -> str:
    return launcher(command or COMMAND, "C:\\Zoë's state\\launcher.log").decode("utf-8-sig")


def outside_of_quotes(text: str) -> str:
    """What PowerShell reads as code: single quotes are doubled inside, the double ones have none."""
    return re.sub(r"""'(?:[^']|'')*'|"[^"]*\"""", "_", text)


def test_it_has_at_most_five_lines() -> None:
    text = written()
    assert 1 <= len(text.splitlines()) <= 5
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")


def test_windows_powershell_knows_its_encoding_by_the_byte_order_mark() -> None:
    assert launcher(COMMAND, "x").startswith(b"\xef\xbb\xbf")


def test_it_takes_a_mini_or_a_long_break_and_nothing_else() -> None:
    assert written().startswith("param([Parameter(Mandatory)][ValidateSet('mini', 'long')][string]$Kind)")


def test_it_looks_for_the_python_without_a_window_first() -> None:
    assert "@('C:\\my py\\pythonw.exe', 'C:\\my py\\python.exe') | Where-Object" in written()
    assert "@('C:\\py\\pypy.exe') | Where-Object" in written("C:\\py\\pypy.exe", "-I")


def test_it_hands_the_command_line_on_as_one_text() -> None:
    assert (
        "-ArgumentList ('-I -m attention_framework --state \"C:\\Zoë''s state\"' + \" break-run $Kind\")"
        in written()
    )


def test_if_the_python_is_gone_the_log_says_what_to_do() -> None:
    text = written()
    assert (
        "throw 'there is no Python at C:\\my py\\pythonw.exe or C:\\my py\\python.exe: run `attention setup"
        in text
    )
    assert "catch { Add-Content -LiteralPath 'C:\\Zoë''s state\\launcher.log'" in text
    assert text.rstrip().endswith("exit 1 }")


def test_every_bracket_is_closed_in_its_line_and_every_quote() -> None:
    for line in written().splitlines():
        code = outside_of_quotes(line.split(" # ")[0])
        assert "'" not in code
        assert '"' not in code
        for opening, closing in ("()", "{}", "[]"):
            assert code.count(opening) == code.count(closing)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a'b", "'a''b'"), ('$x `n "', "'$x `n \"'"), ("‘’‚‛", "'‘‘’’‚‚‛‛'"), ("{0} {x}", "'{0} {x}'")],
)
def test_nothing_in_a_path_means_anything_to_powershell(text: str, expected: str) -> None:
    assert quoted(text) == expected


def test_braces_in_a_path_stay() -> None:
    assert "'C:\\{x}\\{0}.exe'" in written("C:\\{x}\\{0}.exe", "a")


@pytest.mark.skipif(sys.platform != "win32", reason="starts Windows' Python as PowerShell would")
def test_the_python_that_it_finds_first_has_no_window_and_understands_the_arguments(tmp_path: Path) -> None:
    """What PowerShell does is read from the file, as Wine has no PowerShell: the first program of the list that is
    there, and the arguments as one text. The state folder has blanks in its name.
    """
    state = tmp_path / "state of mind"
    config = tmp_path / "attention.toml"
    config.write_text('plugins = ["stretchly"]\n', encoding="utf-8")
    places = ["--state", str(state), "--config", str(config)]
    command = [sys.executable, "-I", "-m", "attention_framework", *places]
    _, programs, start, _ = launcher(command, str(tmp_path / "launcher.log")).decode("utf-8-sig").splitlines()
    listed = [text.replace("''", "'") for text in re.findall(r"'((?:[^']|'')*)'", programs)]
    [arguments] = re.findall(r"-ArgumentList \('((?:[^']|'')*)' \+", start)
    arguments = arguments.replace("''", "'")
    found = next(path for path in listed if Path(path).is_file())

    line = f'"{found}" {arguments} break-run mini --launch nowhere.exe'
    done = subprocess.run(line, timeout=120, check=False, stdin=subprocess.DEVNULL)

    assert Path(found).name.lower() == "pythonw.exe"
    assert done.returncode == 1
    assert "could not be called: nowhere.exe" in (state / "attention.log").read_text(encoding="utf-8")
