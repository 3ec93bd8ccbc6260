"""What OMP's extension says of its own process."""

from __future__ import annotations

from attention_framework import StatusDetector


class OmpStatus(StatusDetector):
    """Believes the extension: it alone knows whether the gate is engaged and the overlay painted."""

    name = "omp-status"
