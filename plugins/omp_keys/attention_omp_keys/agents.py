"""Oh My Pi as an agent kind."""

from __future__ import annotations

from attention_framework import AgentKind

OMP = AgentKind(
    name="omp",
    title="Oh My Pi",
    programs=("omp",),
    transports=("omp-mailbox", "omp-keys", "omp-prompt"),
    detectors=("omp-status", "omp-screen"),
)
