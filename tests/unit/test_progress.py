"""A line while something takes long."""

from __future__ import annotations

import io
import threading

import pytest

from attention_framework.progress import ERASE, make_way, progress
from attention_framework.testing import until


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_takes_long_is_named_and_the_line_is_gone_when_it_is_done() -> None:
    terminal = Terminal()
    with progress("looking", after_s=0, stream=terminal):
        until(lambda: terminal.getvalue(), what="the line is shown")
        assert terminal.getvalue() == "looking ..."
    assert terminal.getvalue() == f"looking ...{ERASE}"


def test_the_line_is_gone_also_when_it_fails() -> None:
    terminal = Terminal()

    def fail() -> None:
        with progress("looking", after_s=0, stream=terminal):
            until(lambda: terminal.getvalue(), what="the line is shown")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert terminal.getvalue().endswith(ERASE)


def test_it_makes_way_for_what_is_told_meanwhile() -> None:
    terminal = Terminal()
    with progress("looking", after_s=0, stream=terminal):
        until(lambda: terminal.getvalue(), what="the line is shown")
        make_way()
        terminal.write("told\n")
    assert terminal.getvalue() == f"looking ...{ERASE}told\n"


def test_what_is_quick_says_nothing() -> None:
    terminal = Terminal()
    with progress("looking", after_s=600, stream=terminal):
        pass
    assert terminal.getvalue() == ""
    assert [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)] == []


@pytest.mark.parametrize(("stream", "quiet"), [(io.StringIO(), False), (Terminal(), True)])
def test_a_pipe_and_a_program_get_nothing(stream: io.StringIO, quiet: bool) -> None:
    with progress("looking", quiet=quiet, after_s=0, stream=stream):
        assert not [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]
    assert stream.getvalue() == ""
