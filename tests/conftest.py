"""Options of the tests that explore: how far, and which one again."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("attention_framework simulation")
    group.addoption("--seeds", type=int, default=2_000, help="how many seeds the simulation plays")
    group.addoption("--seed", type=int, default=None, help="play this seed alone, and print what happens")
    group.addoption("--model-depth", type=int, default=0, help="so many more things happen in the model")


@pytest.fixture(scope="session")
def model_depth(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--model-depth"))
