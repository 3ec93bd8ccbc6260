"""The first settings file: every key with what it means, commented out with its default, but for those that were
chosen.

Prose begins with `# `, a setting that is not in force with `#` alone: taking that away puts it into force.
"""

from __future__ import annotations

import json
import re
import textwrap
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .models import AttentionSettings

Path = tuple[str, ...]

HEAD = """\
Settings of attention_framework, written by `attention setup`. The file is yours: once you have changed it, neither
setup nor an update touches it.

A line that begins with # and no blank after it is a setting with its default. To change one, take its # away, and
that of the [table] that it stands under. `attention config check` says what is in force, and names every mistake.
"""
POLICIES = """\
As soon as one policy stands here, these are no longer the defaults: take the # from all that you want, in your order.
"""
WIDTH = 116
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def render(model: type[AttentionSettings], chosen: Mapping[Path, Any]) -> str:
    """The text of the file.

    :param model: with the settings of all loaded plugins.
    :param chosen: values that are to be in force, by the path of their key.
    """
    return "\n".join(_lines(model, chosen)) + "\n"


def _lines(model: type[AttentionSettings], chosen: Mapping[Path, Any]) -> Iterator[str]:
    defaults = model()
    yield from _prose(HEAD)
    for name, field in model.model_fields.items():
        value = getattr(defaults, name)
        yield ""
        yield from _prose(field.description or "")
        if name == "policy":
            yield from _policies(value)
        elif name in ("agents", "strategy"):
            yield from _group(name, value, chosen)
        elif isinstance(value, BaseModel):
            yield f"[{name}]"  # In force without a key, so that one # is all there is to take away.
            yield from _keys((name,), value, chosen)
        else:
            yield from _key((name,), value, chosen)


def _group(name: str, group: BaseModel, chosen: Mapping[Path, Any]) -> Iterator[str]:
    """Tables by the name of what a plugin announces: one in force would be a mistake once the plugin is gone."""
    for below in type(group).model_fields:
        value = getattr(group, below)
        if not isinstance(value, BaseModel) or not type(value).model_fields:
            continue
        is_chosen = any(path[:2] == (name, below) for path in chosen)
        yield ""
        yield from _prose(type(group).model_fields[below].description or "")
        yield f"{'' if is_chosen else '#'}[{name}.{below}]"
        yield from _keys((name, below), value, chosen)


def _policies(policies: list[BaseModel]) -> Iterator[str]:
    yield from _prose(POLICIES)
    for policy in policies:
        yield ""
        yield from _prose((type(policy).__doc__ or "").partition("\n\n")[0])
        yield "#[[policy]]"
        yield f"#use = {written(getattr(policy, 'use', ''))}"
        yield from _keys((), policy, {}, without="use")


def _keys(path: Path, table: BaseModel, chosen: Mapping[Path, Any], without: str = "") -> Iterator[str]:
    values = table.model_dump(mode="json")
    for name, field in type(table).model_fields.items():
        if name != without:
            yield from _prose(field.description or "")
            yield from _key((*path, name), values[name], chosen)


def _key(path: Path, default: Any, chosen: Mapping[Path, Any]) -> Iterator[str]:
    if path in chosen:
        yield f"{path[-1]} = {written(chosen[path])}"
    elif default is None:
        yield f"# {path[-1]}: not set"
    else:
        yield f"#{path[-1]} = {written(default)}"


def _prose(text: str) -> Iterator[str]:
    for paragraph in text.strip().split("\n\n"):
        wrapped = textwrap.wrap(
            " ".join(paragraph.split()), WIDTH, break_long_words=False, break_on_hyphens=False
        )
        yield from (f"# {line}" for line in wrapped)


def written(value: Any) -> str:
    """As TOML. JSON writes text, numbers, truth values and lists of them alike, but for DEL (TOML 1.0)."""
    if isinstance(value, dict):
        pairs = [f"{_name(key)} = {written(below)}" for key, below in value.items() if below is not None]
        return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")


def _name(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)
