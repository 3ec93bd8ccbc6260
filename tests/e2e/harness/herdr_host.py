"""A real Herdr with a real client on a pty."""

from __future__ import annotations

import shutil

import pytest


class HerdrHost:
    name = "herdr"
    plugin = "herdr"

    def __init__(self) -> None:
        if shutil.which("herdr") is None:
            pytest.skip("needs Herdr (https://herdr.dev), which is not installed")
