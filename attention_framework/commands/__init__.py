"""The commands, one module each. A module has `add_parser(subcommands)`; its parser's `run` takes
`(arguments, app)` and returns the exit code. It may have `add_plugin_options(parser, app)`, which is called
when its command is the one that was typed. One that only looks says so by the default `looks=True` of its parser:
until `app.write()` nothing on the disk is changed then.

Modules are imported when their command is asked for, and import what is slow inside functions.
"""

from __future__ import annotations

CORE = {
    "reconcile": "one cycle over every session, or over one",
    "serve": "stay, and act on every change at once",
    "stop": "end the resident controller",
    "status": "what each agent does, and why",
    "explain": "why an agent is paused, or why it runs",
    "pause": "pause agents until you resume them, or for a while",
    "resume": "end a manual pause",
    "allow": "let an agent run in the background for a while",
    "break-start": "pause every agent for a screen break",
    "break-end": "end a screen break",
    "break-watch": "follow what tells of screen breaks, until interrupted",
    "gate": "for the hooks of agents: returns when the agent may go on",
    "log": "what was decided, when and why",
    "report": "pauses, reasons and times of the last days, with charts",
    "verify": "try it on your own host and agents, and measure what is guaranteed",
    "setup": "connect Herdr, tmux, OMP and Stretchly",
    "uninstall": "take back what setup did",
    "doctor": "check every precondition, with the command that mends it",
    "config": "check and show the settings, print their schema",
    "completion": "let your shell complete commands, options and panes",
    "plugins": "what is installed, selected and broken",
}
"""Names of the core's commands, in the order of the help, with the line that stands there."""
