"""Every method that Herdr 0.8.2 knows, in its own order. The answer to an unknown one lists them all."""

from __future__ import annotations

METHODS = tuple(
    f"{kind}.{name}" if kind else name
    for kind, names in (
        ("", "ping"),
        ("server", "stop live_handoff reload_config agent_manifests reload_agent_manifests"),
        ("notification", "show"),
        ("client", "window_title.set window_title.clear"),
        ("session", "snapshot"),
        ("workspace", "create list get focus rename move move_block report_metadata close"),
        ("worktree", "list create open remove"),
        ("tab", "create list get focus rename move close"),
        ("agent", "list get read explain send_keys rename view.set view.clear focus start prompt wait"),
        ("pane", "split swap move zoom layout process_info"),
        ("layout", "export apply set_split_ratio"),
        ("pane", "neighbor edges focus_direction resize list current get focus input.set rename send_text"),
        ("pane", "send_keys send_input read graphics.set graphics.clear graphics.info graphics.stream"),
        (
            "pane",
            "report_agent report_agent_session report_metadata clear_agent_authority release_agent close",
        ),
        ("popup", "close"),
        ("events", "subscribe wait"),
        ("pane", "wait_for_output"),
        ("integration", "install uninstall"),
        ("plugin", "link list unlink enable disable action.list action.invoke log.list"),
        ("plugin", "pane.open pane.focus pane.close"),
    )
    for name in names.split()
)
