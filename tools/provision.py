#!/usr/bin/env python3
"""Provide the programs that the project's checks run, each at a pinned version, in a cache folder outside the checkout.

    python3 tools/provision.py omp tmux            install what is missing, print one `name path` a line
    python3 tools/provision.py --json omp tmux     the same as one JSON object on stdout
    python3 tools/provision.py --check --json omp  install nothing; what is missing has the value null, and the exit code is 1
    python3 tools/provision.py --list              what there is to ask for

The cache is `$ATTENTION_CACHE`, else the platform's cache folder. Progress goes to stderr. Runs at once wait for
each other, and a run that was killed is simply run again.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from provisioning.commands import Unavailable
from provisioning.items import how_to_get, items


def main(argv: list[str] | None = None) -> int:
    known = items()
    parser = _parser()
    options = parser.parse_args(argv)
    if options.list:
        print("\n".join(f"{name:12} {item.what}" for name, item in known.items()))
        return 0
    if not options.names or not set(options.names) <= set(known):
        parser.error(f"name one or more of {', '.join(known)}")
    found: dict[str, str | None] = {}
    for name in options.names:
        try:
            path = known[name].present() if options.check else known[name].provide()
        except Unavailable as error:
            print(f"provision: {name}: {error}", file=sys.stderr)
            return 1
        found[name] = str(path) if path else None
        if path is None:
            print(f"provision: {name} is not installed; to get it: {how_to_get(name)}", file=sys.stderr)
    if options.json:
        print(json.dumps(found))
    else:
        print("\n".join(f"{name} {path}" for name, path in found.items() if path))
    return 0 if all(found.values()) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="provision.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="see --list")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--check", action="store_true", help="look, and install nothing")
    parser.add_argument("--list", action="store_true", help="say what there is")
    return parser


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
