"""Oh My Pi as an agent kind."""

from __future__ import annotations

from attention_framework import AgentKind

OMP = AgentKind(
    name="omp",
    title="Oh My Pi",
    programs=("omp",),
    # The other two are for those who ask for them: falling back to a typed command would destroy drafts unasked.
    transports=("omp-mailbox",),
    detectors=("omp-status", "omp-screen"),
    editor_key="\x07",  # Ctrl+G
    resume_key="\r",  # Of those that resume the only one that the person cannot have bound to something else.
)
