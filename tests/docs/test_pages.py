"""What the pages for people point to is there, and what they show works."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from attention_framework.app import App
from attention_framework.commands import main

from .test_reference import reference

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for pattern in (
        "*.md",
        "docs/**/*.md",
        "plugins/*/README.md",
        "omp_extension/README.md",
        "tests/e2e/README.md",
    )
    for path in ROOT.glob(pattern)
)
WITH_COMMANDS = [page for page in PAGES if "```sh" in page.read_text(encoding="utf-8")]
WITH_SETTINGS = [page for page in PAGES if "```toml" in page.read_text(encoding="utf-8")]


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def links(page: Path) -> Iterator[str]:
    """Those to other files of the project."""
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            yield target


def anchors(page: Path) -> set[str]:
    """As code hosts make them from headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in links(page):
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_place_that_contributors_are_sent_to_is_there() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:attention_framework|plugins|omp_extension|docs|tools|tests)/[\w./-]*)`", page)

    assert len(paths) > 10
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", WITH_SETTINGS, ids=named)
def test_settings_that_a_page_shows_are_right(page: Path) -> None:
    validator = Draft202012Validator(reference.current_schema())
    for example in blocks(page, "toml"):
        validator.validate(tomllib.loads(example))


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=named)
def test_commands_that_a_page_shows_are_understood(page: Path) -> None:
    """As far as the command line goes; whoever made the page has tried them."""
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    for line in lines:
        words = [word for word in shlex.split(line) if not re.match(r"[A-Z_]+=", word)]
        if words[0] == "attention":
            _, rest = main._global_options(words[1:])
            main._parser(rest, App()).parse_args(rest)
        else:
            assert words[0] in ("cd", "pip", "pytest"), line


def blocks(file: Path, language: str) -> Iterator[str]:
    """The fenced code blocks of a page."""
    return (
        block[1]
        for block in re.finditer(
            rf"^```{language}\n(.*?)^```$", file.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
        )
    )
