from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from attention_framework import EachHour, Job, real_effects
from attention_framework.testing import FakeContext, FakeSchedulers

if TYPE_CHECKING:
    from pathlib import Path

ODD = (
    "/opt/my py/ü&<x>%h$HOME/python",
    "-I",
    "a b",
    'say "hi"',
    "100%",
    "$USER",
    "c\\d\\",
    "<&>",
    "it's",
    "",
    ";",
)


@pytest.fixture
def mini() -> Job:
    return Job("my-mini", "a mini break", ("/venv/bin/python", "-I"), EachHour.every(10, without=[50]))


@pytest.fixture
def odd() -> Job:
    return Job("my-odd", 'odd & <100%> "x" \\', ODD, EachHour((50,)))


@pytest.fixture
def fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeSchedulers:
    """Real programs on the PATH, in front of those of the system."""
    if sys.platform == "win32":
        pytest.skip("a text file is no program on Windows")
    fakes = FakeSchedulers(tmp_path / "fakes")
    monkeypatch.setenv("PATH", f"{fakes.programs}:/usr/bin:/bin")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return fakes


@pytest.fixture
def real(tmp_path: Path) -> FakeContext:
    """The real world, with a state folder of its own."""
    return FakeContext(real_effects(), tmp_path / "state")
