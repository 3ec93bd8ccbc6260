"""A host that does not answer the controller for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from .world import World

HELD_BACK = """\
#!/bin/sh
# tmux, which gives no answer as long as there is a file that says so.
if [ -e {folder}/hold ]; then
    touch {folder}/held
    for i in $(seq 1200); do [ -e {folder}/hold ] || break; sleep 0.05; done
fi
exec tmux "$@"
"""


def hold_back(world: World) -> Path:
    """A file; as long as it is there tmux does not answer the controller. Before the agents start."""
    if world.host.name != "tmux":
        pytest.skip("the test has to hold back the answers of the host")
    program = world.folder / "held-back"
    program.write_text(HELD_BACK.format(folder=world.folder))
    program.chmod(0o755)
    world.set_up(more=f'\n[strategy.tmux]\nprogram = "{program}"\n')
    return world.folder / "hold"
