"""Removing what stevedore has cached of this installation."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from stevedore import _cache

from attention_framework.loading.entry_points import forget_cached

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setattr(_cache, "_get_cache_dir", lambda: str(folder))
    monkeypatch.setattr(sys, "prefix", "/venv")
    (folder / "ours").write_text(json.dumps({"sys.prefix": "/venv", "groups": {}}))
    return folder


def test_what_is_of_this_environment_goes_and_nothing_else(cache: Path) -> None:
    (cache / "theirs").write_text(json.dumps({"sys.prefix": "/other"}))
    (cache / "broken").write_text("{")
    (cache / "list").write_text("[]")
    (cache / "folder").mkdir()
    forget_cached()
    assert sorted(path.name for path in cache.iterdir()) == ["broken", "folder", "list", "theirs"]


def test_the_folder_goes_when_nothing_is_left_in_it(cache: Path) -> None:
    forget_cached()
    assert not cache.exists()
    forget_cached()


def test_the_systems_own_python_may_be_others_too(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    forget_cached()
    assert (cache / "ours").exists()
