#!/usr/bin/env python3
"""From a checkout to a running demo and passing tests, with nothing but Python 3.11 or newer and pip.

    python3 tools/quickstart.py demo      set up .venv with the framework and all plugins, then run `attention demo`
    python3 tools/quickstart.py test      run every check whose programs are there, and say how to get the others
    python3 tools/quickstart.py test --all   install those programs first, then run every check (with CI=true: always)

Whatever follows `demo` goes to `attention demo`; `-e NAME` after `test` chooses environments of tox.ini.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (the message is for those who try an older one)
    sys.exit(f"attention_framework needs Python 3.11 or newer, and this is {sys.version.split()[0]}")

import argparse
import os
import subprocess

from provisioning.checks import Plan, make_plan
from provisioning.commands import Unavailable
from provisioning.editable import CHECKOUT
from provisioning.environment import prepare


def main() -> int:
    options = _parser().parse_args()
    try:
        python = prepare(CHECKOUT)
        return demo(python, options.arguments) if options.command == "demo" else test(python, options)
    except Unavailable as error:
        print(f"quickstart: {error}", file=sys.stderr)
        return 1


def demo(python: str, arguments: list[str]) -> int:
    command = [python, "-m", "attention_framework", "demo", *arguments]
    return subprocess.run(command, cwd=CHECKOUT, check=False).returncode


def test(python: str, options: argparse.Namespace) -> int:
    """Run the chosen environments of tox.ini and close with a line that says what ran and what did not."""
    everything = options.all or os.environ.get("CI", "").lower() in ("1", "true")
    plan = make_plan(options.environments, install=everything)
    command = [python, "-m", "tox", "run", "-e", ",".join(plan.run)]
    code = subprocess.run(command, cwd=CHECKOUT, check=False).returncode if plan.run else 0
    _report(plan, code)
    return code


def _report(plan: Plan, code: int) -> None:
    for name, how in plan.left_out.items():
        print(f"not run: {name}. To get what it needs: {how}")
    print(f"checks {'passed' if code == 0 else 'FAILED'}: {', '.join(plan.run) or 'none'}", flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="quickstart.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    demo = commands.add_parser("demo", help="run `attention demo`")
    demo.add_argument("arguments", nargs=argparse.REMAINDER, help="for `attention demo`")
    test = commands.add_parser("test", help="run the checks")
    test.add_argument("--all", action="store_true", help="install what the checks need, and leave none out")
    test.add_argument("-e", dest="environments", default="", metavar="NAMES", help="only these, by comma")
    return parser


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
