"""Leaving a durable request in the agent's mailbox: the third version of this project.

The request has an owner, a deadline, can be withdrawn, and is acknowledged by the agent alone, once the
pause is on its screen (docs/reference/state-files.md).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from ..kinds import HostUnavailable
from ..model import FOCUS_RUN, MAILBOX_PROTOCOL, Delivery
from ..state.documents import save
from ..state.folder import StateFolder

if TYPE_CHECKING:
    from pathlib import Path

    from ..kinds import Context
    from ..model import Hello, Pane, PauseRequest, Run

PENDING = "pending.json"
RESUME = "resume.json"
# A file that was set aside, or that is not of the protocol, asks for nothing.
_ON_ITS_WAY = re.compile(r"pending\.json(?:\.[^.]+\.claim)?|ack\.json")


class MailboxTransport:
    """An `AgentTransport` that leaves requests in the mailbox of the agent process (docs/reference/state-files.md).
    It needs `pane.hello`, which the cycle reads from the status file of that process, and refuses without.
    Subclasses set `name`, and what else differs between agents.
    """

    mailbox: ClassVar[bool] = True
    """As `AgentTransport` has it."""
    name: str
    """By which the settings select it."""
    nudge: str = ""
    """The key that makes the agent look at once, named host-neutrally: `f12`. Empty: none is pressed, and the agent
    finds the request by itself.
    """
    show: str = ""
    """The word of the mailbox protocol for how the pause is to show: `overlay` or `line`. Empty: as the agent does
    it by itself.
    """

    def __init__(self, settings: object, context: Context) -> None:
        self._context = context
        self._files = context.effects.files
        self._state = StateFolder(context.state)

    def request_pause(self, pane: Pane, request: PauseRequest) -> Delivery:
        hello = pane.hello
        if hello is None:
            return Delivery.refused(
                "no agent process in this pane has said hello: is its extension installed, and was the agent started after that?"
            )
        if hello.state == "unsupported":
            return Delivery.refused(f"the agent cannot be paused: {hello.problem}")
        if hello.speaks_newer:
            return Delivery.refused(newer_protocol(hello))
        if not request.runs and not self.outstanding(pane):
            return Delivery.refused("nothing to withdraw")
        runs = {run.id: _run(run) for run in request.runs}
        document = {"runs": runs, "show": self.show} if self.show else {"runs": runs}
        return self._leave(pane, hello, PENDING, document, "withdrawn" if not runs else "left in its mailbox")

    def request_resume(self, pane: Pane, engagement: str) -> Delivery:
        hello = pane.hello
        if hello is None:
            return Delivery.refused("no agent process in this pane has said hello")
        if hello.speaks_newer:
            return Delivery.refused(newer_protocol(hello))
        return self._leave(pane, hello, RESUME, {"engagement": engagement}, "left in its mailbox")

    def outstanding(self, pane: Pane) -> bool:
        """Whether a request is on its way that the agent's status file does not yet account for."""
        if pane.hello is None or pane.hello.paused:
            return False
        return any(map(_ON_ITS_WAY.fullmatch, self._files.names(self._mailbox(pane, pane.hello))))

    def _leave(self, pane: Pane, hello: Hello, name: str, document: dict[str, Any], done: str) -> Delivery:
        mailbox = self._mailbox(pane, hello)
        try:
            save(
                self._files, mailbox / name, {**document, "written_ms": self._context.effects.clock.wall_ms()}
            )
        except OSError as error:
            return Delivery.refused(f"its mailbox {mailbox} cannot be written: {error.strerror or error}")
        return Delivery.accepted(done + self._press_nudge(pane))

    def _press_nudge(self, pane: Pane) -> str:
        """The request is there whatever becomes of the key, so a host that refuses it is no failure."""
        if not self.nudge:
            return ""
        try:
            self._context.control(pane.session).send_keys(pane, [self.nudge])
        except HostUnavailable as error:
            return f", nudge failed: {error}"
        return ""

    def _mailbox(self, pane: Pane, hello: Hello) -> Path:
        return self._state.session(pane.session).mailbox(hello.file)


def newer_protocol(hello: Hello) -> str:
    """Why nothing is asked of this agent, and what to do."""
    return (
        f"the agent's extension speaks mailbox protocol {hello.protocol}, and this version of attention knows "
        f"{MAILBOX_PROTOCOL}: update attention, or run its `attention setup` again"
    )


def _run(run: Run) -> dict[str, Any]:
    document: dict[str, Any] = {"reason": run.reason, "deadline_ms": run.deadline_ms}
    if run.id == FOCUS_RUN:
        document["attended"] = run.attended
    return document
