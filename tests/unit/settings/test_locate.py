"""Where the keys of a TOML text stand."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from attention_framework.settings.locate import key_lines

TEXT = '''\
# a comment with [brackets] and = signs
plugins = ["herdr", # one
           'tmux',

           """po
           licies"""]
focus.sources = ["herdr"]   # dotted

[agents.omp]
statuses = ["a#b", "c]d"]
"quoted key" = 1
'lit.eral'.deep = { one = 1, two = { three = [1, 2] } }

[[policy]]
use = "holds"
[[policy]]
use = "exempt"
panes = [
  { label = "x" },
  { label = "}\\"," },
]
[policy.more]
x = 1
[[policy.many]]
y = 1
[[policy.many]]
y = 2
[ strategy . "omp-mailbox" ]
when = 1979-05-27T07:32:00Z
text = """
[not.a.header]
key = 1
"""
raw = \'\'\'it's\'\'\'
last = 0xff
'''

LINES = {
    ("plugins",): 2,
    ("plugins", 0): 2,
    ("plugins", 1): 3,
    ("plugins", 2): 5,
    ("focus", "sources"): 7,
    ("focus", "sources", 0): 7,
    ("agents", "omp"): 9,
    ("agents", "omp", "statuses", 1): 10,
    ("agents", "omp", "quoted key"): 11,
    ("agents", "omp", "lit.eral", "deep", "two", "three", 1): 12,
    ("policy", 0): 14,
    ("policy", 0, "use"): 15,
    ("policy", 1): 16,
    ("policy", 1, "panes", 1, "label"): 20,
    ("policy", 1, "more", "x"): 23,
    ("policy", 1, "many", 1, "y"): 27,
    ("strategy", "omp-mailbox"): 28,
    ("strategy", "omp-mailbox", "text"): 30,
    ("strategy", "omp-mailbox", "raw"): 34,
    ("strategy", "omp-mailbox", "last"): 35,
}


@pytest.mark.parametrize(("path", "line"), LINES.items(), ids=str)
def test_a_key_is_found_on_its_line(path: tuple[str | int, ...], line: int) -> None:
    assert key_lines(TEXT).get(path) == line


def test_exactly_the_keys_that_the_parser_finds_are_found() -> None:
    assert set(key_lines(TEXT)) - set(paths(tomllib.loads(TEXT))) == set()
    assert (
        set(paths(tomllib.loads(TEXT))) - set(key_lines(TEXT)) - {("focus",), ("agents",), ("strategy",)}
        == set()
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "# only a comment",
        "a = 1",
        "a = []",
        "a = {}",
        "[a]",
        "[[a]]",
        'a = ""',
        "a = ''''''",
        'a = """"x""""',
    ],
)
def test_short_texts_are_read_to_their_end(text: str) -> None:
    assert set(key_lines(text)) >= set(paths(tomllib.loads(text)))


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in below for found in [(*path, key), *paths(item, (*path, key))]]
