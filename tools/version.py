"""The version that everything released together has: it stands in attention_framework/__init__.py.

python tools/version.py             say it
python tools/version.py 0.2.0       set it everywhere, and date the "Unreleased" section of CHANGELOG.md
python tools/version.py --check v0.2.0    exit 1 unless it is the one of this tag, with a section in CHANGELOG.md
python tools/version.py --notes     what CHANGELOG.md says of it
"""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CHECKOUT = Path(__file__).resolve().parents[1]
HOME = Path("attention_framework", "__init__.py")
CHANGES = Path("CHANGELOG.md")
FORM = re.compile(r"(\d+)\.(\d+)\.(\d+)")
UNRELEASED = "## Unreleased\n"


def main(argv: Sequence[str] | None = None, checkout: Path = CHECKOUT) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("version", nargs="?", metavar="X.Y.Z", help="set this one")
    parser.add_argument("--check", metavar="TAG", help="compare it with a tag, `vX.Y.Z`")
    parser.add_argument("--notes", action="store_true", help="print its section of CHANGELOG.md")
    options = parser.parse_args(argv)
    if options.version is not None:
        return set_version(checkout, options.version)
    version = current(checkout)
    if options.check is not None:
        return check(checkout, version, options.check)
    print(notes(checkout, version) if options.notes else version)
    return 0


def current(checkout: Path) -> str:
    found = re.search(r'^__version__ = "(.+)"$', _read(checkout / HOME), re.MULTILINE)
    if found is None:
        raise SystemExit(f"{HOME} sets no __version__")
    return found[1]


def set_version(checkout: Path, version: str) -> int:
    if not FORM.fullmatch(version):
        print(f"{version} is no version: write three numbers, such as 0.2.0", file=sys.stderr)
        return 2
    for path, pattern, text in places(checkout, version):
        content, count = re.subn(pattern, text, _read(path), flags=re.MULTILINE)
        if count != 1:
            raise SystemExit(
                f"{path.relative_to(checkout)}: {count} places match {pattern}, and one is expected"
            )
        path.write_text(content, encoding="utf-8", newline="\n")
    date_changes(checkout, version)
    print(version)
    return 0


def places(checkout: Path, version: str) -> Iterator[tuple[Path, str, str]]:
    """`(file, pattern, replacement)`; each pattern is in its file once."""
    major, minor, _ = version.split(".")
    need = f"attention-framework>={version},<{major}.{int(minor) + 1}"
    yield checkout / HOME, '^__version__ = ".+"$', f'__version__ = "{version}"'
    for path in sorted(checkout.glob("plugins/*/pyproject.toml")):
        yield path, '^version = ".+"$', f'version = "{version}"'
        yield path, r'"attention-framework>=[^"]+"', f'"{need}"'
    extension = checkout / "omp_extension"
    yield extension / "package.json", '^  "version": ".+",$', f'  "version": "{version}",'
    yield (
        extension / "src" / "version.ts",
        '^export const EXTENSION = ".+";$',
        f'export const EXTENSION = "{version}";',
    )


def date_changes(checkout: Path, version: str) -> None:
    """What was unreleased is that version's, and an empty section stands above it."""
    path, today = checkout / CHANGES, datetime.datetime.now(datetime.UTC).date()
    changes = _read(path)
    if f"## {version} (" in changes:
        return
    dated = changes.replace(UNRELEASED, f"{UNRELEASED}\n## {version} ({today})\n", 1)
    path.write_text(dated, encoding="utf-8", newline="\n")


def check(checkout: Path, version: str, tag: str) -> int:
    problems = []
    if tag != f"v{version}":
        problems.append(f"the tag is {tag}, and the version is {version}: python tools/version.py sets it")
    if not notes(checkout, version):
        problems.append(f"CHANGELOG.md says nothing of {version}")
    print("\n".join(problems) or f"{tag} is the version of everything", file=sys.stderr if problems else None)
    return 1 if problems else 0


def notes(checkout: Path, version: str) -> str:
    """The text of its section; empty if there is none, or nothing in it."""
    found = re.search(
        rf"^## {re.escape(version)} \(.*?\)\n(.*?)(?=^## |\Z)", _read(checkout / CHANGES), re.M | re.S
    )
    return found[1].strip() if found else ""


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
