"""The command line: `attention` and `python -m attention_framework`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

GARBAGE_AFTER = 100_000
"""So many new objects: more than a command that ends soon makes, and little for one that stays."""


def main(arguments: Sequence[str] | None = None) -> int:
    """:param arguments: instead of those of this process, which goes on afterwards."""
    if arguments is None:
        return _main()
    from .commands.main import run

    return run(list(arguments))


def _main() -> int:
    """Nearly all that a command makes is loaded code, which stays to the end: looking for circles of garbage in it again
    and again, and once more when the interpreter ends, was a sixth of a hook's cycle.
    """
    import gc

    gc.set_threshold(GARBAGE_AFTER, *gc.get_threshold()[1:])
    try:
        from .commands.main import run

        return run(sys.argv[1:])
    finally:
        gc.freeze()


if __name__ == "__main__":
    sys.exit(main())
