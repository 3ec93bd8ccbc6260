"""`attention plugins new`: a package to start a plugin from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from ..app import App
    from ..scaffold import Names


def add_new_parser(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from ..scaffold import ALLOWED, KINDS

    parser = actions.add_parser(
        "new",
        help="make a package to start a plugin from",
        description="Make an installable, typed package with one plugin, whose tests pass: the contract suite of its kind.",
        epilog="kinds: " + "; ".join(f"{kind} - {about}" for kind, about in KINDS.items()),
    )
    parser.add_argument("kind", choices=list(KINDS), metavar="KIND", help=" | ".join(KINDS))
    parser.add_argument("name", metavar="NAME", help=ALLOWED)
    parser.add_argument(
        "--folder", metavar="DIR", help="the folder to make (else attention-NAME in the current one)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, app: App) -> int:
    from ..scaffold import names_of, package_files, write_package

    names = names_of(arguments.name)
    files = package_files(arguments.kind, names)
    folder = Path(arguments.folder or names.distribution)
    write_package(folder.absolute(), files)
    print(f"made {folder} ({len(files)} files)")
    print(_next_steps(names, arguments.kind, folder))
    return 0


def _next_steps(names: Names, kind: str, folder: Path) -> str:
    from ..scaffold.package import settings_example

    example = "\n".join(f"      {line}".rstrip() for line in settings_example(kind, names).splitlines())
    return f"""next:
  cd {_quoted(folder)}
  pip install -e . pytest   in the environment that has attention-framework
  pytest                    the contract suite of its kind
  attention plugins         lists it as {names.plugin}
  then select it in attention.toml (`attention config check` names the file):
{example}"""


def _quoted(folder: Path) -> Any:
    text = str(folder)
    return f'"{text}"' if " " in text else text
