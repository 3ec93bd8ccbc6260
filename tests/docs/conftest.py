from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry points of an earlier installation are not what is tested."""
    from stevedore import _cache

    monkeypatch.setattr(_cache._c, "_disable_caching", True)
