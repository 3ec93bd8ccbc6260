"""OMP's values for the three ways to carry a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from attention_framework import KeysTransport, MailboxTransport, PromptTransport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attention_framework import Context

PAUSE_KEY = "ctrl+alt+p"
LOOK_KEY = "f12"
RESUME_KEY = "ctrl+alt+r"
"""Ends a pause that a line shows. None that OMP uses: Escape there interrupts the turn, also while it is paused."""


class OmpPrompt(PromptTransport):
    """Types `/pause`. Needs nothing in OMP, and is the only one that can destroy a draft."""

    name = "omp-prompt"
    text = "/pause"
    # Enter on the pause screen resumes, and a busy OMP may draw it 2 s late:
    # typed again too early, the command would undo itself.
    retry_after_s: ClassVar[float] = 10.0

    @classmethod
    def warnings(cls, settings: object) -> Sequence[str]:
        return [
            "it types /pause into OMP's editor: a draft there is lost, and a dialog gets the text "
            'instead. `transport = ["omp-mailbox"]` under [agents.omp] leaves the draft alone'
        ]


class OmpKeys(KeysTransport):
    """Presses the extension's pause key, which never toggles: on the pause screen it does nothing."""

    name = "omp-keys"
    keys = (PAUSE_KEY,)
    retry_after_s: ClassVar[float] = 2.0


class MailboxSettings(BaseModel):
    """How OMP is told that a request lies in its mailbox, and how long it may take."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    nudge: Literal["f12", ""] = Field(
        default="f12",
        description=(
            "Key that makes OMP look at once; empty for none: it sees the file itself, within "
            "milliseconds as a rule and within 2 s at the latest."
        ),
    )
    show: Literal["overlay", "line"] = Field(
        default="overlay",
        description=(
            "How a pause shows in OMP: `overlay` is OMP's own pause screen; `line` is one line above the prompt "
            "editor, which stays usable, and Ctrl+Alt+R there resumes."
        ),
    )
    report_unconfirmed_after_s: float = Field(
        default=10.0,
        gt=0,
        description="A pause that has not been confirmed after so many seconds is reported.",
    )


class OmpMailbox(MailboxTransport):
    """Leaves a durable request that OMP's extension acknowledges once the pause is on its screen."""

    name = "omp-mailbox"
    Settings = MailboxSettings

    def __init__(self, settings: MailboxSettings, context: Context) -> None:
        super().__init__(settings, context)
        self.nudge = settings.nudge
        self.show = settings.show
        self.report_unconfirmed_after_s = settings.report_unconfirmed_after_s
