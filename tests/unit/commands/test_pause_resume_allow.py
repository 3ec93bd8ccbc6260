from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import Delivery, HostEnvironment, HostUnavailable
from attention_framework.commands.main import run
from attention_framework.testing import SESSION, START_MS, hold

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Shell


class TestPause:
    def test_a_pane_is_paused_by_id_or_label_also_when_it_has_the_focus(self, shell: Shell) -> None:
        result = shell.run("pause", "front")
        assert result.code == 0
        assert "pause-sent pane=w1:p1 policy=holds" in result.out
        shell.look()
        assert "w1:p1" in shell.paused
        (taken,) = shell.holds
        assert (taken.kind, taken.source, taken.deadline_ms) == ("manual", "attention pause", None)
        assert taken.scope.panes == {(shell.app.state.session(SESSION).key, "w1:p1")}

    def test_every_agent_is_paused_those_that_come_later_too(self, shell: Shell) -> None:
        shell.run("pause", "--all")
        shell.look()
        assert shell.paused == {"w1:p1", "w1:p2"}
        assert shell.holds[0].scope.everything

    @pytest.mark.parametrize(
        ("more", "until"), [((), "until `attention resume --all`"), (("--for", "30m"), "for 30 min")]
    )
    def test_where_nothing_runs_it_says_what_it_means(
        self, shell: Shell, more: tuple[str, ...], until: str
    ) -> None:
        shell.hosts.clear()
        result = shell.run("pause", "--all", *more)
        assert result.out == f"no session is running; agents that start now are paused {until}\n"
        assert result.code == 0

    def test_where_the_host_gives_no_answer_it_does_not_say_that_nothing_runs(self, shell: Shell) -> None:
        def sessions() -> Any:
            raise HostUnavailable("it did not end within 2 s")

        shell.host.sessions = sessions  # type: ignore[method-assign]
        result = shell.run("pause", "--all")
        assert (result.code, result.out) == (1, "")
        assert "fake: it did not end within 2 s" in result.err
        assert shell.holds, "the next cycle carries it out"

    @pytest.mark.parametrize("words", [("pause", "--all"), ("break-start", "--run-id", "b-1")])
    def test_with_settings_that_are_wrong_nothing_is_half_done(
        self, tmp_path: Path, words: tuple[str, ...]
    ) -> None:
        config = tmp_path / "attention.toml"
        config.write_text("plugins = [", encoding="utf-8")
        state = tmp_path / "state"
        assert run([*words, "--config", str(config), "--state", str(state)]) == 2
        assert not list(state.glob("holds/*"))

    def test_it_ends_by_itself_after_a_while(self, shell: Shell) -> None:
        shell.run("pause", "w1:p1", "--for", "30m")
        assert shell.holds[0].deadline_ms == START_MS + 1_800_000
        shell.memory.clock.advance(1_800_000)
        shell.run("reconcile")
        assert shell.holds == []
        changes = [arguments["change"] for arguments in shell.plugins.told("attention_hold_changed")]
        assert changes == ["taken", "expired"]
        journal = [entry["change"] for entry in shell.app.journal.read() if entry["type"] == "hold"]
        assert journal == ["taken", "expired"]

    def test_without_a_name_the_pane_that_it_runs_in_is_meant(self, shell: Shell) -> None:
        shell.memory.environment.update(FAKE_PANE="w1:p2", FAKE_ADDRESS=f"{SESSION.address},7")
        assert shell.run("pause").code == 0
        assert {name for _, name in shell.holds[0].scope.panes} == {"w1:p2"}

    def test_of_a_host_inside_another_one_the_pane_with_the_agent_is_meant(self, shell: Shell) -> None:
        shell.around.append(HostEnvironment("around", "AROUND_PANE", "AROUND_ADDRESS"))
        shell.memory.environment.update(AROUND_PANE="%0", AROUND_ADDRESS="/around")
        shell.memory.environment.update(FAKE_PANE="w1:p2", FAKE_ADDRESS=f"{SESSION.address},7")
        assert shell.run("pause").code == 0
        assert {name for _, name in shell.holds[0].scope.panes} == {"w1:p2"}

    def test_in_no_pane_a_name_must_be_given(self, shell: Shell) -> None:
        result = shell.run("pause")
        assert result.code == 2
        assert "name a pane" in result.err
        assert shell.holds == []

    def test_in_a_pane_without_an_agent_a_name_must_be_given(self, shell: Shell) -> None:
        shell.memory.environment.update(FAKE_PANE="w1:p3", FAKE_ADDRESS=f"{SESSION.address},7")
        result = shell.run("pause")
        assert result.code == 1
        assert "(w1:p3) has no agent" in result.err

    def test_an_unknown_pane_names_those_that_there_are(self, shell: Shell) -> None:
        result = shell.run("pause", "w9:p9")
        assert result.code == 1
        assert "there is no pane 'w9:p9' with an agent in it (known: w1:p1, w1:p2)" in result.err
        assert shell.holds == []

    def test_an_id_in_two_sessions_must_be_made_clear(self, shell: Shell) -> None:
        shell.second_session()
        result = shell.run("pause", "w1:p1")
        assert result.code == 2
        assert "say which: fake/w1:p1, second/w1:p1" in result.err
        assert shell.run("pause", "second/w1:p1").code == 0
        assert {key.partition("-")[0] for key, _ in shell.holds[0].scope.panes} == {"second"}

    def test_all_and_a_name_contradict_each_other(self, shell: Shell) -> None:
        result = shell.run("pause", "--all", "w1:p1")
        assert (result.code, shell.holds) == (2, [])
        assert "not both" in result.err

    @pytest.mark.parametrize("duration", ["soon", "0", "-5", "1x", "9" * 400, "2000d", ""])
    def test_a_duration_that_is_none_is_refused(self, shell: Shell, duration: str) -> None:
        assert "argument --for" in shell.wrong("pause", "w1:p1", f"--for={duration}")

    def test_if_the_cycle_fails_the_hold_stands_and_the_command_fails(self, shell: Shell) -> None:
        looks: list[int] = []

        def fail_at_the_second_look() -> None:
            looks.append(1)
            shell.host.down = len(looks) > 1

        shell.host.before_snapshot = fail_at_the_second_look
        assert shell.run("pause", "w1:p1").code == 1
        assert len(shell.holds) == 1


class TestToggle:
    def toggle(self, shell: Shell, *words: str) -> None:
        assert shell.run("pause", "--toggle", *words).code == 0
        shell.look()
        shell.settle()
        shell.look()

    @pytest.mark.parametrize(("words", "paused"), [(("w1:p1",), {"w1:p1"}), (("--all",), {"w1:p1", "w1:p2"})])
    def test_it_pauses_and_the_second_time_resumes(
        self, shell: Shell, words: tuple[str, ...], paused: set[str]
    ) -> None:
        self.toggle(shell, *words)
        assert shell.paused >= paused
        self.toggle(shell, *words)
        assert "w1:p1" not in shell.paused
        assert shell.holds == []

    def test_panes_of_which_one_is_not_paused_by_hand_are_paused(self, shell: Shell) -> None:
        self.toggle(shell, "w1:p1")
        self.toggle(shell, "w1:p1", "w1:p2")
        assert shell.paused == {"w1:p1", "w1:p2"}
        assert len(shell.holds) == 2

    def test_a_pause_of_all_is_no_pause_of_one_pane_that_was_taken_out_of_it(self, shell: Shell) -> None:
        self.toggle(shell, "--all")
        shell.run("resume", "w1:p1")
        self.toggle(shell, "w1:p1")
        assert len(shell.holds) == 2


class TestResume:
    def paused(self, shell: Shell, *words: str) -> None:
        shell.run("pause", *words)
        shell.look()
        shell.settle()

    def test_the_hold_ends_and_the_agent_is_asked_to_go_on(self, shell: Shell) -> None:
        self.paused(shell, "w1:p1")
        result = shell.run("resume", "w1:p1")
        assert result.code == 0
        assert "w1:p1: resume asked for\n" in result.out
        shell.look()
        assert "w1:p1" not in shell.paused
        assert shell.holds == []
        changes = [arguments["change"] for arguments in shell.plugins.told("attention_hold_changed")]
        assert changes == ["taken", "released"]

    def test_of_several_panes_the_others_stay_paused(self, shell: Shell) -> None:
        self.paused(shell, "w1:p1", "w1:p2")
        shell.run("resume", "w1:p1")
        shell.look()
        assert shell.paused == {"w1:p2"}
        assert {name for _, name in shell.holds[0].scope.panes} == {"w1:p2"}

    def test_one_pane_is_taken_out_of_a_pause_of_all(self, shell: Shell) -> None:
        self.paused(shell, "--all")
        shell.run("resume", "w1:p1")
        shell.look()
        assert "w1:p1" not in shell.paused
        assert {name for _, name in shell.holds[0].scope.excluded} == {"w1:p1"}

    def test_all_ends_what_was_paused_by_hand_and_wakes_nobody_who_lost_the_focus(self, shell: Shell) -> None:
        shell.settle()
        assert shell.paused == {"w1:p2"}
        self.paused(shell, "w1:p1")
        result = shell.run("resume", "--all")
        assert result.code == 0
        shell.look()
        assert shell.paused == {"w1:p2"}
        assert "w1:p2: resume asked for" not in result.out

    def test_all_says_that_a_pause_has_ended_which_stopped_nobody(self, shell: Shell) -> None:
        shell.host.down = True
        shell.run("pause", "--all")
        assert shell.run("resume", "--all").out.startswith(
            "1 manual pause has ended; no agent was paused by that\n"
        )

    def test_all_with_nothing_paused_by_hand_says_so(self, shell: Shell) -> None:
        assert "nothing was paused by hand" in shell.run("resume", "--all").out

    def test_a_pane_without_focus_is_warned_about_with_the_way_out(self, shell: Shell) -> None:
        shell.settle()
        result = shell.run("resume", "back")
        assert "the next cycle pauses it again" in result.out
        assert "`attention allow w1:p2`" in result.out

    def test_one_that_may_run_in_the_background_is_not_warned_about(self, shell: Shell) -> None:
        """Before it was resumed, the manual pause was all that its verdict told of."""
        shell.run("allow", "w1:p2")
        shell.run("pause", "w1:p2")
        shell.look()
        assert shell.run("resume", "w1:p2").lines[0] == "w1:p2: resume asked for"

    def test_one_that_runs_is_no_error(self, shell: Shell) -> None:
        result = shell.run("resume", "w1:p1")
        assert result.code == 0
        assert "w1:p1: it is not paused" in result.out

    def test_a_pause_of_the_persons_own_is_left_to_the_person(self, shell: Shell) -> None:
        shell.agents["w1:p1"].pause_by_hand()
        result = shell.run("resume", "w1:p1")
        assert result.code == 1
        assert "you paused it in the agent itself" in result.out
        shell.look()
        assert "w1:p1" in shell.paused

    def test_a_break_that_goes_on_is_named(self, shell: Shell) -> None:
        shell.app.holds.take(hold("b-1"))
        shell.settle()
        result = shell.run("resume", "w1:p1")
        assert result.code == 1
        assert "break b-1 is in force" in result.out

    @pytest.mark.parametrize("answer", [Delivery.refused("keys cannot resume"), RuntimeError("broken"), None])
    def test_a_transport_that_cannot_resume_says_what_to_do(self, shell: Shell, answer: Any) -> None:
        self.paused(shell, "w1:p1")

        class Cannot:
            name = "keys"

            def request_pause(self, pane: Any, request: Any) -> Delivery:
                return Delivery.sent()

            def request_resume(self, pane: Any, engagement: str) -> Any:
                if isinstance(answer, Exception):
                    raise answer
                return answer

        shell.transports[:] = [Cannot()]
        result = shell.run("resume", "w1:p1")
        assert result.code == 1
        assert "it cannot be resumed from here (keys: " in result.out
        assert "Focus it and resume it there, by the key that its pause names" in result.out

    def test_an_agent_without_a_transport_says_what_to_do(self, shell: Shell) -> None:
        self.paused(shell, "w1:p1")
        shell.transports.clear()
        result = shell.run("resume", "w1:p1")
        assert result.code == 1
        assert "no transport is set for this agent" in result.out

    def test_all_and_a_name_contradict_each_other(self, shell: Shell) -> None:
        assert shell.run("resume", "--all", "w1:p1").code == 2

    def test_a_break_of_the_same_pane_is_not_touched(self, shell: Shell) -> None:
        shell.app.holds.take(hold("b-1"))
        self.paused(shell, "w1:p1")
        shell.run("resume", "w1:p1")
        assert [left.run for left in shell.holds] == ["b-1"]


class TestAllow:
    def allowed(self, shell: Shell) -> list[str]:
        return shell.memory.files.names(shell.app.state.session(SESSION).allowed)

    def test_a_pane_may_run_in_the_background(self, shell: Shell) -> None:
        result = shell.run("allow", "back")
        assert result.code == 0
        assert result.lines[0] == (
            "w1:p2: may run in the background until you have focused it and left it again"
        )
        assert "left-running pane=w1:p2 policy=allowed" in result.out
        shell.look()
        assert shell.paused == set()

    def test_the_command_that_it_names_can_be_given_where_two_sessions_have_the_pane(
        self, shell: Shell
    ) -> None:
        shell.host.focus("w1:p2")
        shell.settle()
        shell.second_session()
        assert "`attention resume fake/w1:p1` resumes it" in shell.run("allow", "fake/w1:p1").lines[0]
        assert shell.run("resume", "fake/w1:p1").lines[0] == "fake/w1:p1: resume asked for"

    def test_what_has_no_meaning_together_is_wrong_usage(self, shell: Shell) -> None:
        assert "--no" in shell.wrong("allow", "back", "--no", "--for", "3m")

    def test_for_a_while(self, shell: Shell) -> None:
        assert "for 30 min" in shell.run("allow", "w1:p2", "--for", "30m").out
        shell.memory.clock.advance(1_800_000)
        assert "pause-sent pane=w1:p2" in shell.run("reconcile").out
        assert self.allowed(shell) == []

    def test_until_it_has_been_focused_and_left(self, shell: Shell) -> None:
        shell.run("reconcile")
        shell.run("allow", "w1:p2")
        for focused in ("w1:p2", "w1:p1"):
            assert self.allowed(shell) == ["w1%3Ap2.json"]
            shell.host.focus(focused)
            result = shell.run("reconcile")
        assert "pause-sent pane=w1:p2" in result.out
        assert self.allowed(shell) == []

    def test_a_request_that_is_on_its_way_is_withdrawn(self, shell: Shell) -> None:
        shell.run("reconcile")
        assert "released pane=w1:p2 policy=allowed" in shell.run("allow", "w1:p2").out

    def test_one_that_is_paused_is_not_resumed_and_it_is_said(self, shell: Shell) -> None:
        shell.settle()
        result = shell.run("allow", "w1:p2")
        assert "It is paused now; `attention resume w1:p2` resumes it" in result.out
        assert shell.paused == {"w1:p2"}
        assert "the next cycle" not in shell.run("resume", "w1:p2").out

    def test_the_permission_is_taken_back_also_when_the_pane_has_moved(self, shell: Shell) -> None:
        shell.run("allow", "w1:p2")
        shell.host.move("w1:p2", "w2:p1")
        result = shell.run("allow", "--no", "w2:p1")
        assert result.lines[0] == "w2:p1: may no longer run in the background"
        assert "pause-sent pane=w2:p1" in result.out
        assert self.allowed(shell) == []

    def test_an_unknown_pane_is_an_error(self, shell: Shell) -> None:
        assert shell.run("allow", "w9:p9").code == 1
        assert shell.run("allow").code == 2
