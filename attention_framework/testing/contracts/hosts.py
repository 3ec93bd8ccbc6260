"""The contracts of focus sources and pane controls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ...kinds import HostUnavailable, LocatesPanes, ShowsBadges, ShowsWorkspaceBadges, TellsFocus
from ...model import Badge, Snapshot
from .common import check_name, check_settings, check_watch_ends, within_bound

if TYPE_CHECKING:
    from ...kinds import FocusSource, PaneControl
    from ...model import Pane, Session, Workspace


class FocusSourceContract:
    """Needs three fixtures: `source`; `live_session`, a running session with at least one pane; and `dead_session`, a session
    at whose address nobody answers.
    """

    def test_it_can_be_chosen_and_set_by_a_settings_file(self, source: FocusSource) -> None:
        check_name(source)
        check_settings(source)

    def test_a_running_session_is_found(self, source: FocusSource, live_session: Session) -> None:
        found = within_bound(source.sessions)
        assert live_session.address in {session.address for session in found}
        assert {session.host for session in found} == {live_session.host}

    def test_a_snapshot_tells_the_panes_apart(self, source: FocusSource, live_session: Session) -> None:
        snapshot = _snapshot(source, live_session)
        ids = [pane.id for pane in snapshot.panes]
        assert ids
        assert len(set(ids)) == len(ids)
        assert all(pane.session == live_session for pane in snapshot.panes)

    def test_a_snapshot_contradicts_itself_nowhere(self, source: FocusSource, live_session: Session) -> None:
        snapshot = _snapshot(source, live_session)
        focused = {pane.id for pane in snapshot.panes if pane.focused}
        assert focused == (snapshot.focused or set())

    def test_the_focus_alone_is_that_of_the_snapshot(
        self, source: FocusSource, live_session: Session
    ) -> None:
        if not isinstance(source, TellsFocus):
            pytest.skip("this host tells its focus in a snapshot only")
        assert within_bound(lambda: source.focus_now(live_session)) == _snapshot(source, live_session).focused

    def test_a_snapshot_leaves_the_hello_to_the_cycle(
        self, source: FocusSource, live_session: Session
    ) -> None:
        assert all(pane.hello is None for pane in _snapshot(source, live_session).panes)

    def test_a_dead_session_is_unavailable_within_the_bound(
        self, source: FocusSource, dead_session: Session
    ) -> None:
        with pytest.raises(HostUnavailable) as caught:
            _snapshot(source, dead_session)
        assert str(caught.value)

    def test_a_watch_ends_when_told_to(self, source: FocusSource, live_session: Session) -> None:
        check_watch_ends(lambda wake, stop: source.watch(live_session, wake, stop), HostUnavailable)

    def test_a_watch_of_a_dead_session_ends_when_told_to(
        self, source: FocusSource, dead_session: Session
    ) -> None:
        check_watch_ends(lambda wake, stop: source.watch(dead_session, wake, stop), HostUnavailable)

    def test_control_is_given_without_asking_the_host(
        self, source: FocusSource, dead_session: Session
    ) -> None:
        control = source.control(dead_session)
        assert all(callable(getattr(control, name)) for name in ("read_screen", "send_keys", "send_prompt"))


class PaneControlContract:
    """Needs three fixtures: `control`; `agent_pane`, a pane with an agent in it; and `gone_pane`, a pane that the host does
    not have.

    A control with the method `show_workspace_badge` needs the fixture `source` as well: the focus source of the same host,
    whose snapshots have `workspaces`.
    """

    def test_a_screen_is_plain_text(self, control: PaneControl, agent_pane: Pane) -> None:
        screen = within_bound(lambda: control.read_screen(agent_pane))
        assert isinstance(screen, str)
        assert "\x1b" not in screen

    def test_the_keys_of_the_transports_can_be_pressed(self, control: PaneControl, agent_pane: Pane) -> None:
        within_bound(lambda: control.send_keys(agent_pane, ["f12"]))
        within_bound(lambda: control.send_keys(agent_pane, ["ctrl+alt+p"]))

    def test_a_prompt_can_be_typed(self, control: PaneControl, agent_pane: Pane) -> None:
        within_bound(lambda: control.send_prompt(agent_pane, "/pause"))

    def test_an_unknown_key_is_an_error_of_the_caller(self, control: PaneControl, agent_pane: Pane) -> None:
        with pytest.raises(ValueError, match=r"hyper\+nothing"):
            control.send_keys(agent_pane, ["hyper+nothing"])

    def test_a_pane_that_is_gone_is_unavailable(self, control: PaneControl, gone_pane: Pane) -> None:
        for act in (
            lambda: control.read_screen(gone_pane),
            lambda: control.send_keys(gone_pane, ["f12"]),
            lambda: control.send_prompt(gone_pane, "/pause"),
        ):
            with pytest.raises(HostUnavailable) as caught:
                within_bound(act)
            assert gone_pane.id in str(caught.value)

    def test_a_badge_can_be_shown_replaced_and_taken_away(
        self, control: PaneControl, agent_pane: Pane
    ) -> None:
        if not isinstance(control, ShowsBadges):
            pytest.skip("this host shows no badges")
        for badge in (Badge("paused"), Badge("braked", 1_000), None, None):
            within_bound(lambda badge=badge: control.show_badge(agent_pane, badge))  # type: ignore[misc]

    def test_a_workspace_can_show_how_many_of_its_agents_are_paused(
        self, control: PaneControl, agent_pane: Pane, request: pytest.FixtureRequest
    ) -> None:
        if not isinstance(control, ShowsWorkspaceBadges):
            pytest.skip("this host shows nothing beside workspaces")
        source: FocusSource = request.getfixturevalue("source")

        def shown() -> Workspace:
            snapshot = within_bound(lambda: source.snapshot(agent_pane.session))
            return next(it for it in snapshot.workspaces if agent_pane.id in it.panes)

        for badge in (Badge("1 paused"), Badge("2 paused", 60_000), None, None):
            workspace = shown()
            within_bound(lambda it=workspace, badge=badge: control.show_workspace_badge(it, badge))  # type: ignore[misc]
            assert shown().badge == (badge.text if badge else "")

    def test_a_pane_is_located_by_its_id_and_an_unknown_one_is_not(
        self, control: PaneControl, agent_pane: Pane, gone_pane: Pane
    ) -> None:
        if not isinstance(control, LocatesPanes):
            pytest.skip("this host does not know earlier ids of its panes")
        assert within_bound(lambda: control.locate(agent_pane.id)) == agent_pane.id
        assert within_bound(lambda: control.locate(gone_pane.id)) is None


def _snapshot(source: FocusSource, session: Session) -> Snapshot:
    snapshot = within_bound(lambda: source.snapshot(session))
    assert isinstance(snapshot, Snapshot)
    assert snapshot.session == session
    return snapshot
