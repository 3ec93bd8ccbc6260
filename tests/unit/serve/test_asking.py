from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework.serve.asking import Rounds, answer, asked_pane
from attention_framework.testing import SESSION, hello, hold, pane, snapshot, view

if TYPE_CHECKING:
    from attention_framework import Hello, View

    from .conftest import Desk

BOUND_S = 10.0


class TestRounds:
    def test_everyone_gets_a_run_that_began_after_the_question(self) -> None:
        now, lock, wrong = [0], threading.Lock(), []

        def run() -> int:
            with lock:
                seen = now[0]
            for _ in range(50):  # Others may come meanwhile.
                pass
            return seen

        rounds = Rounds(run)

        def ask() -> None:
            for _ in range(300):
                with lock:
                    now[0] += 1
                    mine = now[0]
                if rounds.ask() < mine:
                    wrong.append(mine)

        threads = [threading.Thread(target=ask) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(BOUND_S)
        assert wrong == []

    def test_who_comes_during_a_run_does_not_get_its_result(self) -> None:
        state, begun, go = ["before"], threading.Event(), threading.Event()

        def run() -> str:
            seen = state[0]
            begun.set()
            assert go.wait(BOUND_S)
            return seen

        rounds = Rounds(run)
        answers: list[str] = []
        early = threading.Thread(target=lambda: answers.append(rounds.ask()))
        early.start()
        assert begun.wait(BOUND_S)
        state[0] = "after"
        here = threading.Event()
        results: list[str] = []

        def ask() -> None:
            here.set()
            results.append(rounds.ask())

        late = threading.Thread(target=ask)
        late.start()
        assert here.wait(BOUND_S)
        for _ in range(1_000):  # It is in line by then, most of the time; if it is not, it is later still.
            threading.Event().wait(0)
        go.set()
        early.join(BOUND_S)
        late.join(BOUND_S)
        assert (answers, results) == (["before"], ["after"])

    def test_those_who_come_during_a_run_share_the_next_one(self) -> None:
        begun, go, runs = threading.Event(), threading.Event(), []

        def run() -> int:
            runs.append(len(runs))
            begun.set()
            assert go.wait(BOUND_S)
            return len(runs)

        rounds = Rounds(run)
        answers: list[int] = []
        first = threading.Thread(target=lambda: answers.append(rounds.ask()))
        first.start()
        assert begun.wait(BOUND_S)
        asking = threading.Barrier(9)

        def ask() -> None:
            asking.wait(BOUND_S)
            answers.append(rounds.ask())

        others = [threading.Thread(target=ask) for _ in range(8)]
        for other in others:
            other.start()
        asking.wait(BOUND_S)
        go.set()
        for thread in [first, *others]:
            thread.join(BOUND_S)
        assert sorted(answers)[0] == 1
        assert len(answers) == 9
        assert len(runs) <= 9

    def test_what_the_run_raises_everyone_gets_and_the_next_run_is_a_new_one(self) -> None:
        results: list[Any] = [ValueError("no"), 1]

        def run() -> int:
            result = results.pop(0)
            if isinstance(result, Exception):
                raise result
            return int(result)

        rounds = Rounds(run)
        with pytest.raises(ValueError, match="no"):
            rounds.ask()
        assert rounds.ask() == 1


def seen(*hellos: Hello) -> View:
    spoken = {one.pane: one for one in hellos}
    panes = [pane(name, hello=spoken.get(name), aliases=(f"old-{name}",)) for name in ("a", "b")]
    return view(snapshot(*panes, focused={"a"}))


def nowhere(name: str) -> str | None:
    return None


class TestAskedPane:
    def test_the_process_that_asks_knows_best(self) -> None:
        found = asked_pane(seen(hello("b", 7)), "a", 7, nowhere)
        assert found is not None
        assert found.id == "b"

    @pytest.mark.parametrize("pid", [None, 9])
    def test_then_the_id_then_an_earlier_one_then_the_host(self, pid: int | None) -> None:
        for name, id in (("b", "b"), ("old-b", "b"), ("x", "a")):
            found = asked_pane(seen(hello("a", 7)), name, pid, lambda asked: "a" if asked == "x" else None)
            assert found is not None
            assert found.id == id

    def test_at_last_the_agent_that_has_inherited_the_id_too(self) -> None:
        """Of a host that remembers no earlier ids. A hook of the agent asks so: it does not know the agent's pid."""
        moved = pane("b", hello=hello("x", 7))
        found = asked_pane(view(snapshot(pane("a"), moved, focused=["a"])), "x", None, nowhere)
        assert found == moved

    def test_what_nobody_knows_is_none(self) -> None:
        assert asked_pane(seen(), "c", None, nowhere) is None


class TestAsk:
    def test_who_has_the_focus_may_run_and_who_has_not_may_not(self, desk: Desk) -> None:
        desk.start()
        assert desk.question("w1:p1", question="1") == ("run", "question=1 reason=it%20has%20the%20focus")
        assert desk.question("w1:p2", question="2")[0] == "pause"

    def test_the_answer_is_from_a_snapshot_that_came_after_the_question(self, desk: Desk) -> None:
        desk.start()
        for name, other in [("w1:p2", "w1:p1"), ("w1:p1", "w1:p2")] * 20:
            desk.host.focused = frozenset({name})  # Nobody is woken.
            assert desk.question(name)[0] == "run"
            assert desk.question(other)[0] == "pause"

    def test_a_break_that_ends_as_the_focus_goes_lets_nobody_run_who_never_might(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """In the snapshot it still has the focus, and when the holds are read the break is over."""
        desk.start()
        desk.resident.app.holds.take(hold("b-1"))
        snapshot = desk.host.snapshot

        def slow(session: Any) -> Any:
            seen = snapshot(session)
            desk.host.focused = frozenset({"w1:p2"})
            desk.resident.app.holds.release("b-1")
            return seen

        monkeypatch.setattr(desk.host, "snapshot", slow)
        source = desk.host
        said = answer(
            desk.resident.app.controller,
            source,
            SESSION,
            lambda: desk.resident.app.controller.see(source, SESSION),
            "w1:p1",
            None,
        )
        assert said.word == "pause"

    def test_a_moved_pane_is_found_by_the_process_and_by_its_old_id(self, desk: Desk) -> None:
        desk.agent("w1:p2", 7)
        desk.start()
        desk.host.move("w1:p2", "w2:p1")
        desk.host.focused = frozenset({"w2:p1"})
        assert desk.question("w1:p2", pid="7")[0] == "run"
        assert desk.question("w1:p2")[0] == "run"

    def test_in_a_break_nobody_may_run_and_an_unknown_focus_does_not_change_that(self, desk: Desk) -> None:
        desk.start()
        now_ms = desk.effects.clock.wall_ms()
        desk.resident.app.holds.take(hold(started_ms=now_ms, deadline_ms=now_ms + 60_000))
        assert desk.question("w1:p1")[0] == "pause"
        desk.host.focus_known = False
        assert desk.question("w1:p1")[0] == "pause"

    def test_where_nothing_is_known_it_says_so(self, desk: Desk) -> None:
        desk.start()
        assert desk.question("w9:p9")[0] == "unknown"
        assert desk.question("w1:p1", host="other")[0] == "unknown"
        desk.host.focus_known = False
        assert desk.question("w1:p1")[0] == "unknown"
        desk.host.down = True
        assert desk.question("w1:p1")[0] == "unknown"

    def test_two_processes_that_claim_the_pane_make_it_unknown(self, desk: Desk) -> None:
        desk.agent("w1:p1", 7)
        desk.agent("w1:p1", 8)
        desk.start()
        word, reason = desk.question("w1:p1")
        assert word == "unknown"
        assert "7%2C%208" in reason

    def test_what_the_settings_leave_alone_may_run(self, desk: Desk) -> None:
        desk.start()
        desk.host.add(pane("w1:p4", status="blocked"))
        assert desk.question("w1:p4")[0] == "run"

    def test_an_agent_that_is_none_of_ours_is_judged_too(self, desk: Desk) -> None:
        desk.start()
        desk.host.add(pane("w1:p4", agent="another"))
        assert desk.question("w1:p4")[0] == "pause"

    def test_a_question_wakes_the_session_so_that_the_request_is_delivered(self, desk: Desk) -> None:
        agent = desk.agent("w1:p2", 7)
        desk.host.focused = frozenset({"w1:p2"})
        desk.start()
        desk.host.focused = frozenset({"w1:p1"})
        before = desk.cycles
        assert desk.question("w1:p2", pid="7")[0] == "pause"
        desk.resident.sessions.all()[0].worker.wait_for_cycle(before, BOUND_S)
        agent.look()
        assert agent.paused

    def test_with_wait_it_answers_as_soon_as_it_may_run(self, desk: Desk) -> None:
        desk.start()
        answers: list[tuple[str, str]] = []
        asking = threading.Thread(target=lambda: answers.append(desk.question("w1:p2", wait="600000")))
        before = desk.status()["counts"]["asks"]
        asking.start()
        while desk.status()["counts"]["asks"] == before:
            pass
        assert answers == []
        desk.host.focus("w1:p2")
        asking.join(BOUND_S)
        assert answers[0][0] == "run"

    def test_with_wait_it_answers_at_last_what_it_is_then(self, desk: Desk) -> None:
        desk.start()
        desk.host.before_snapshot = lambda: desk.memory.clock.advance(100)  # type: ignore[union-attr]
        assert desk.question("w1:p2", wait="150")[0] == "pause"

    @pytest.mark.parametrize("missing", ["host", "address", "pane"])
    def test_a_question_without_its_parts_is_wrong(self, desk: Desk, missing: str) -> None:
        desk.start()
        values = {"host": "fake", "address": "/run/fake.sock", "pane": "w1:p1"}
        values.pop(missing)
        answer = desk.ask("ask", **values)
        assert answer.code == 2
        assert missing in answer.of("err")[0]
