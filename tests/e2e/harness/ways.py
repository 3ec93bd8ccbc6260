"""How the controller runs: the resident one that `setup` starts, or one for each event."""

from __future__ import annotations

from typing import Final

import pytest

RESIDENT: Final = "resident"
ONE_SHOT: Final = "one-shot"
both_ways = pytest.mark.parametrize("way", [RESIDENT, ONE_SHOT])
one_shot = pytest.mark.parametrize("way", [ONE_SHOT])
