"""What has gone wrong before, by name: the strategy of those days fails, today's passes, in the same story."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from attention_omp_keys.transports import MailboxSettings, OmpKeys, OmpMailbox, OmpPrompt

from attention_framework import Break
from attention_framework.break_watch.keeper import Keeper
from attention_framework.cycle.steps import Stopwatch
from attention_framework.runner import wake
from attention_framework.testing import SESSION

from .extension import Extension
from .ways import Ways
from .world import FOLDER, Violation, World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attention_framework import Pane
    from attention_framework.app import App


class Story(World):
    """`a` has the focus, `b` and `c` are paused. Nothing happens by chance."""

    def __init__(self, transports: Callable[[Any], list[Any]] | None = None) -> None:
        super().__init__(0, crashes=False, ways=Ways())
        self.memory.disk.on_operation = None
        self.hook: Callable[[App], object] = today
        self.settle()
        assert self.paused == {"b", "c"}
        self.memory.disk.on_operation = self.between
        self.waits_after_snapshot = False
        self.transports = transports or self.transports
        snapshot = self.host.snapshot

        def slow(session: Any) -> Any:
            seen = snapshot(session)
            if self.waits_after_snapshot and self.turns.current:
                self.waits_after_snapshot = False
                self.turns.current.give_turn()
            return seen

        self.host.snapshot = slow  # type: ignore[method-assign]

    def between(self, operation: str, path: object) -> None:
        pass

    def alone(self, trigger: str) -> Any:
        hook = getattr(self, "hook", today)
        return self.process(trigger, lambda effects: hook(self.app(effects)))

    @property
    def paused(self) -> set[str]:
        return {name for name, player in self.players.items() if player.extension.phase == "paused"}

    def resumes(self, name: str) -> None:
        self.focus(name)
        self.let_all()
        self.by_hand(self.players[name], "resume", self.players[name].extension.resume_by_hand)
        self.let_all()

    def step(self) -> None:
        """The newest process takes a turn."""
        self.turns.let(self.turns.processes[-1])

    def let_all(self) -> None:
        """Whatever can go on does, and five seconds go by: the agents have looked by themselves, too."""
        until_ms = self.now_ms + 5_000
        while self.now_ms < until_ms:
            if not self.goes_on():
                self.pass_time(self.to_the_next(until_ms))


@pytest.fixture
def story() -> Iterator[Callable[..., Story]]:
    stories: list[Story] = []

    def make(**arguments: Any) -> Story:
        stories.append(Story(**arguments))
        return stories[-1]

    yield make
    for one in stories:
        one.close()


# Wake-ups.


def today(app: App) -> object:
    return wake(app, SESSION, "pane.focused")


def cycle(app: App) -> None:
    app.controller.cycle(app.sources["fake"], SESSION, "pane.focused", Stopwatch(app.effects.clock))


def leave_when_busy(app: App) -> None:
    """A lock that turns the others away."""
    lock = app.effects.files.try_lock(FOLDER.lock)
    if lock is not None:
        try:
            cycle(app)
        finally:
            lock.release()


def one_dirty_file(app: App) -> None:
    """One file for all events, removed after the cycle; who finds the lock taken leaves it to the holder."""
    files, dirty = app.effects.files, FOLDER.root / "dirty"
    files.write(dirty, b"")
    lock = files.try_lock(FOLDER.lock)
    if lock is None:
        return
    try:
        while files.exists(dirty):
            cycle(app)
            files.remove(dirty)
    finally:
        lock.release()


def queue_for_the_lock(app: App) -> None:
    """Each event waits for its turn, and then does what was right when it came."""
    source = app.sources["fake"]
    seen = source.snapshot(SESSION)
    while (lock := app.effects.files.try_lock(FOLDER.lock)) is None:
        app.effects.clock.sleep_ms(5.0)
    then = SimpleNamespace(name="fake", control=source.control, snapshot=lambda session: seen)
    try:
        app.controller.cycle(then, SESSION, "pane.focused", Stopwatch(app.effects.clock))  # type: ignore[arg-type]
    finally:
        lock.release()


@pytest.mark.parametrize(
    ("hook", "kept"),
    [(today, True), (leave_when_busy, False), (one_dirty_file, False)],
    ids=lambda one: str(getattr(one, "__name__", one)),
)
def test_the_last_event_of_a_burst(story: Any, hook: Any, kept: bool) -> None:
    """The person goes to `b` and on to `c` while the first hook has already looked: `b` must be paused."""
    world = story()
    world.resumes("b")
    world.focus("a")
    world.let_all()
    world.resumes("a")
    world.resumes("b")
    assert world.paused == {"a", "c"}
    world.hook = hook
    world.waits_after_snapshot = True
    world.woken("an event")
    world.step()  # It has looked, `b` has the focus, and is in no hurry.
    world.focus("c")
    world.step()  # The hook of this switch, while the first one works.
    world.let_all()
    assert ("b" in world.paused) is kept


def keys(context: Any) -> list[Any]:
    return [OmpKeys(None, context)]


@pytest.mark.parametrize(
    ("hook", "late"), [(today, False), (queue_for_the_lock, True)], ids=["today", "queue"]
)
def test_events_that_wait_for_their_turn(story: Any, hook: Any, late: bool) -> None:
    """From `a` to `b` and back, while the lock is busy: the first event must not pause `a` any more."""
    world = story(transports=keys)
    presses_pause(world)
    world.hook = hook
    busy = world.memory.process().files.try_lock(FOLDER.lock)
    world.focus("b")
    world.step()
    world.focus("a")
    world.step()
    busy.release()
    world.let_all()
    assert ("a" in world.paused) is late


def presses_pause(world: Story) -> None:
    for name, player in world.players.items():
        extension = player.extension

        def press(key: str, extension: Extension = extension) -> None:
            if key == "ctrl+alt+p" and extension.phase == "running":
                extension.pause_by_hand()

        world.host.panes[name].on_key = press


# Ways to say pause.


class Terminal:
    """What a person has in a pane: a draft in the editor, perhaps a dialog over it."""

    def __init__(self, world: Story, name: str) -> None:
        self.draft = "a half-written sen"
        self.submitted: list[str] = []
        self.dialog = False
        self.extension = world.players[name].extension
        self.queue = world.players[name].queue
        world.host.panes[name].on_key = self.key
        world.host.send_prompt = self.prompt  # type: ignore[method-assign]

    def key(self, key: str) -> None:
        if self.dialog:
            return
        if key == "f12":
            self.queue.append("look")
        elif key == "ctrl+alt+p":
            self.extension.pause_by_hand()

    def prompt(self, pane: Pane, text: str) -> None:
        """Typed where the cursor is, and sent off."""
        whole, self.draft = self.draft + text, ""
        self.submitted.append(whole)
        if whole == "/pause":
            self.extension.pause_by_hand()


def prompt(context: Any) -> list[Any]:
    return [OmpPrompt(None, context)]


def mailbox(context: Any) -> list[Any]:
    return [OmpMailbox(MailboxSettings(), context)]


@pytest.mark.parametrize(
    ("transport", "kept"), [(mailbox, True), (prompt, False)], ids=["omp-mailbox", "omp-prompt"]
)
def test_a_draft_in_the_editor(story: Any, transport: Any, kept: bool) -> None:
    world = story(transports=transport)
    terminal = Terminal(world, "a")
    world.focus("b")
    world.let_all()
    assert (terminal.draft == "a half-written sen") is kept
    assert ("a" in world.paused) is kept
    assert terminal.submitted == ([] if kept else ["a half-written sen/pause"])


@pytest.mark.parametrize(
    ("transport", "there"), [(mailbox, True), (keys, False)], ids=["omp-mailbox", "omp-keys"]
)
def test_a_dialog_that_takes_every_key(story: Any, transport: Any, there: bool) -> None:
    world = story(transports=transport)
    Terminal(world, "a").dialog = True
    world.focus("b")
    world.let_all()
    assert ("a" in world.paused) is there


# What the agent says and does.


class Hasty(Extension):
    """Says that it is paused when it has the request."""

    def _carry_out(self, claim: Any) -> None:
        self._acknowledge(claim)


class Obedient(Extension):
    """Does what it was asked, whatever has become of the reason since."""

    def _standing(self, runs: Any) -> list[str]:
        return list(runs)


@pytest.mark.parametrize("kind", [Extension, Hasty])
def test_an_acknowledgement_before_the_pause(story: Any, kind: Any) -> None:
    world = story()
    world.players["a"].extension.__class__ = kind
    world.focus("b")
    if kind is Hasty:
        with pytest.raises(Violation, match="says that it is paused, with the gate open"):
            world.let_all()
        return
    world.let_all()
    assert "a" in world.paused


@pytest.mark.parametrize(("kind", "late"), [(Extension, False), (Obedient, True)])
def test_a_break_that_ends_while_its_request_is_on_the_way(story: Any, kind: Any, late: bool) -> None:
    world = story()
    player = world.players["a"]
    player.extension.__class__ = kind
    player.stopped = True
    world.begin_break()
    while world.turns.processes:
        world.step()
    world.holds.release("b-1")
    player.stopped = False
    if late:
        with pytest.raises(Violation, match="late pause"):
            world.let_all()
        return
    world.let_all()
    assert "a" not in world.paused


class Stretch:
    """A break source that can be asked."""

    name = "stretch"

    def __init__(self, started_ms: int) -> None:
        self.breaks = [Break("stretch-1", "long", started_ms, started_ms + 300_000)]

    def current(self) -> list[Break]:
        return self.breaks


@pytest.mark.parametrize("follows", [True, False], ids=["followed", "timed"])
def test_a_break_that_is_skipped(story: Any, follows: bool) -> None:
    """Of those days: who starts a break sleeps for its length, and then ends it."""
    world = story()
    source = Stretch(world.memory.clock.wall_ms())
    app = world.app(world.memory.effects)
    keeper = Keeper(app, [source], lambda line: None)
    keeper.reconcile()
    world.let_all()
    assert world.paused == {"a", "b", "c"}
    source.breaks = []  # The person skips it.
    world.pass_time(5_000)
    if follows:
        keeper.reconcile()
    world.let_all()
    assert (world.in_force() == []) is follows
