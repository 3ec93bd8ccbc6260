"""The simulated agent: everything that happens to it, on one thread."""

from __future__ import annotations

import contextlib
import os
import queue
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ..asking import ask
from ..mailbox_client import PROTOCOL, MailboxClient
from . import pause_screen
from .editor import Editor, edited
from .inputs import Decoder, Input
from .integration import Integration
from .record import Record
from .runner import Runner
from .terminal import BRACKETED_PASTE, FOCUS_REPORTS, Terminal
from .view import normal_screen
from .work import ENDLESS, Gate, Worker

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

HOST, KIND, VERSION = "herdr", "omp", "18.2.3"
RESUME_KEYS = ("esc", "enter")
ESCAPE_S = 0.025
BRAKED = " ▌▌ braked: nothing new starts while this pane has no focus; any key lets go"
REDRAW_S = 1.0
ANSWER_S = 10.0
"""The client gives up earlier; this only ends the connection."""


class Agent:
    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._news: queue.Queue[bytes | Callable[[], None] | None] = queue.Queue()
        self._record = Record(options.record)
        self._terminal = Terminal(options.columns, options.lines)
        self._decoder = Decoder()
        self._editor = Editor(options.draft)
        self._dialog: str | None = options.dialog
        self._transcript: list[str] = []
        self._gate = Gate()
        self._paused_at: float | None = None
        self._not_painted = options.not_painted
        self._conversation = options.conversation or str(Path.cwd() / f"{uuid4()}.jsonl")
        self._address, self._pane = (
            os.environ.get("HERDR_SOCKET_PATH", ""),
            os.environ.get("HERDR_PANE_ID", ""),
        )
        self._runner = Runner(options.runner, HOST, self._address, KIND, self._record)
        self._mailbox = self._new_mailbox()
        told = self._pane and not options.without_integration
        self._integration = Integration(self._address, self._pane, KIND) if told else None
        self._told_state = ""
        self._worker = Worker(self._gate, self._record, options.call_ms / 1000, lambda: self._news.put(None))
        self._looked_at = self._heard_at = time.monotonic()
        self._running = True

    # --- its life

    def run(self) -> None:
        self._begin()
        try:
            while self._running:
                with contextlib.suppress(queue.Empty):  # Something may be due all the same.
                    self._take(self._news.get(timeout=self._pause_s()))
                self._tend()
        finally:
            self._worker.close()
            if self._mailbox is not None:
                self._mailbox.close()
            self._runner.close()

    def _begin(self) -> None:
        options = self._options
        reports = [] if options.without_extension or options.without_focus_reports else [FOCUS_REPORTS]
        self._terminal.switch_on(BRACKETED_PASTE, *reports)
        self._terminal.title(f"π > {options.title}")
        self._terminal.read(self._news.put)
        self._record.draft(self._editor.draft)
        if self._integration is not None:
            self._integration.conversation(self._conversation)
        if self._mailbox is not None:
            if options.unsupported:
                self._mailbox.unsupported(options.unsupported)
            else:
                self._mailbox.hello()
        if options.busy_ms:
            self._worker.give(
                ENDLESS if options.busy_ms < 0 else max(1, round(options.busy_ms / options.call_ms))
            )
        self._record.event("started", pid=os.getpid())
        self._tend()

    def _take(self, news: bytes | Callable[[], None] | None) -> None:
        if callable(news):
            news()
        elif news is None:
            if self._mailbox is not None:
                self._mailbox.calls_changed()
        elif news:
            self._heard_at = time.monotonic()
            self._on_input(self._decoder.feed(news))
        else:
            self._running = False

    def _pause_s(self) -> float:
        if self._decoder.waiting:
            return ESCAPE_S
        watch_s, poll_s = self._options.watch_ms / 1000, self._options.poll_ms / 1000
        return float(min(watch_s or REDRAW_S, poll_s, REDRAW_S))

    def _tend(self) -> None:
        """What is due after anything has happened, or nothing for a while."""
        if self._decoder.waiting and time.monotonic() - self._heard_at >= ESCAPE_S:
            self._on_input(self._decoder.flush())
        self._runner.catch_up()
        if self._mailbox is not None:
            self._mailbox.tend()
            if self._look_is_due():
                self._look()
        self._tell_state()
        self._draw()

    def _look_is_due(self) -> bool:
        """Something lies in the mailbox, or the last look is long ago."""
        now = time.monotonic()
        due = now - self._looked_at >= self._options.poll_ms / 1000
        if due or (self._options.watch_ms and self._mailbox is not None and self._mailbox.has_post()):
            self._looked_at = now
            return True
        return False

    def _look(self) -> None:
        if self._mailbox is not None and not self._options.deaf and not self._options.unsupported:
            self._mailbox.look()

    # --- what the person and the controller type

    def _on_input(self, inputs: list[Input]) -> None:
        for given in inputs:
            if self._mailbox is None or not self._extension_takes(self._mailbox, given):
                self._on_screen(given)

    def _on_screen(self, given: Input) -> None:
        if self._paused_at is not None:
            self._on_pause_screen(given)
        elif self._dialog is not None:
            self._on_dialog(given)
        else:
            self._on_editor(given)

    def _on_pause_screen(self, given: Input) -> None:
        """Of text only a blank resumes; what follows it is for what is under the screen."""
        _, blank, rest = given.value.partition(" ")
        if given.kind == "key" and given.value in RESUME_KEYS:
            self._person_resumes()
        elif given.kind == "text" and blank:
            self._person_resumes()
            if rest:
                self._on_screen(Input("text", rest))

    def _extension_takes(self, mailbox: MailboxClient, given: Input) -> bool:
        """Its raw listener sees everything first, whatever owns the screen."""
        if given.kind == "focus":
            mailbox.came() if given.value == "in" else mailbox.left()
        elif given == Input("key", "f12"):
            self._look()
        elif given == Input("key", "ctrl+alt+p"):
            if self._paused_at is None:
                self._person_pauses()
        else:
            if given.value:
                mailbox.pressed()
            return False
        return True

    def _on_dialog(self, given: Input) -> None:
        if given.value == "enter":
            self._record.event("dialog-answered")
            self._dialog = None

    def _on_editor(self, given: Input) -> None:
        if given.kind == "focus":
            return
        if given == Input("key", "ctrl+g"):
            self._editor.draft = edited(self._editor.draft)
        submitted = self._editor.take(given)
        self._record.draft(self._editor.draft)
        if submitted is not None:
            self._submit(submitted)

    def _submit(self, text: str) -> None:
        if text == "/pause":
            self._person_pauses()
        elif text == "/exit":
            self._running = False
        elif text == "/new":
            self._conversation = str(Path(self._conversation).with_name(f"{uuid4()}.jsonl"))
            if self._integration is not None:
                self._integration.conversation(self._conversation)
            if self._mailbox is not None:
                self._mailbox.conversation_changed()
        else:
            self._record.prompt(text)
            self._transcript += ["", f" {line}" if (line := text.splitlines()[0]) else ""]
            self._worker.give(self._options.calls_per_prompt)

    # --- the pause: what the mailbox client needs, and the person's own

    def engage(self) -> None:
        if self._options.leaky:
            return
        news = not self._gate.engaged
        self._gate.engage()
        if news:
            self._record.event("gate-engaged")

    def show(self) -> str | None:
        if self._not_painted > 0:
            self._not_painted -= 1
            return "the pause screen did not appear on the terminal"
        self._paused_at = time.monotonic()
        self._draw()
        self._record.event("paused")
        return None

    def release(self) -> None:
        if self._paused_at is not None:
            self._transcript.append(f" {pause_screen.resumed(self._paused_s())}")
            self._paused_at = None
            self._record.event("resumed")
        self._gate.release()

    def describe(self) -> dict[str, Any]:
        versions = {"agent": VERSION, "extension": "0.1.0", "protocol": PROTOCOL}
        return {
            "agent": KIND,
            "tty": None,
            "session_file": self._conversation,
            "versions": versions,
            "calls": self._worker.calls(),
        }

    def _person_pauses(self) -> None:
        self.engage()
        self._paused_at = time.monotonic()
        self._record.event("paused", by="person")
        self._draw()
        if self._mailbox is not None:
            self._mailbox.person_paused()

    def _person_resumes(self) -> None:
        self.release()
        if self._mailbox is not None:
            self._mailbox.person_resumed()

    def _new_mailbox(self) -> MailboxClient | None:
        options = self._options
        if options.without_extension or not self._pane:
            return None

        def step(name: str) -> None:
            if name == options.die_at:
                os._exit(9)

        about = (options.state, HOST, self._address, self._pane, self)
        return MailboxClient(*about, self._runner.wake, step, self._ask)

    def _ask(self, question: int) -> None:
        """The answer comes in by the same way as everything else that happens."""
        self._record.event("asked", question=question)
        place = {"host": HOST, "address": self._address, "pane": self._pane, "pid": os.getpid()}
        ask(
            self._options.state,
            {**place, "question": question, "event": "focus"},
            ANSWER_S,
            lambda answer: self._news.put(partial(self._on_answer, question, answer)),
        )

    def _on_answer(self, question: int, answer: str | None) -> None:
        self._record.event("answered", question=question, answer=answer)
        if self._mailbox is not None:
            self._mailbox.answered(question, answer)

    # --- what it shows and tells

    def _tell_state(self) -> None:
        """A pause changes nothing here: Herdr goes on showing the last state."""
        state = "working" if self._worker.busy else "idle"
        if self._integration is not None and state != self._told_state and self._paused_at is None:
            self._told_state = state
            self._integration.state(state, self._conversation)

    def _draw(self) -> None:
        terminal, options = self._terminal, self._options
        if self._paused_at is not None:
            terminal.draw(pause_screen.pause_screen(terminal.columns, terminal.rows, self._paused_s()))
            return
        said, draft = self._transcript, self._editor.draft
        if self._mailbox is not None and self._mailbox.braked:
            said = [*said, "", BRAKED]
        terminal.draw(normal_screen(VERSION, options.title, said, draft, self._dialog))

    def _paused_s(self) -> int:
        return int(time.monotonic() - (self._paused_at or 0))
