"""For the tests of every distribution."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# How long an example takes says how busy the machine is, and under Wine every start is slow.
settings.register_profile("any-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-machine")
