"""From pydantic's errors to sentences with a place, the allowed values and the nearest name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..nearest import did_you_mean
from .mistakes import Mistake, dotted
from .names import UNKNOWN_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pydantic import ValidationError

    from .layers import Layers

Path = tuple[str | int, ...]
_EXPECTED = {
    "list_type": 'must be a list, such as ["…"]',
    "string_type": "must be text in quotes",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
    "dict_type": "must be a table",
}


def explain(
    error: ValidationError, layers: Layers, schema: Mapping[str, Any], hint: Callable[[str], str]
) -> list[Mistake]:
    """All mistakes, in the order of the settings.

    :param hint: says of an unknown name which plugin would bring it, or nothing.
    """
    known = Known(schema, layers.merged())
    found = []
    for item in error.errors(include_url=False):
        path = _path(item)
        found.append(
            (layers.line(path), Mistake(layers.blame(path), dotted(path), _message(item, path, known, hint)))
        )
    return [mistake for _, mistake in sorted(found, key=lambda pair: pair[0])]


class Known:
    """What a table may hold, looked up in the JSON schema."""

    def __init__(self, schema: Mapping[str, Any], values: Mapping[str, Any]) -> None:
        self._schema = schema
        self._values = values

    def keys(self, path: Path) -> list[str]:
        """Keys that the table at this path may have."""
        nodes, value = [self._schema], self._values
        for part in path:
            value = _item(value, part)
            nodes = [self._resolve(below) for node in nodes for below in _below(node, part)]
            nodes = [choice for node in nodes for choice in self._choices(node, value)]
        return list(dict.fromkeys(key for node in nodes for key in node.get("properties", {})))

    def _resolve(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        while "$ref" in node:
            node = self._schema["$defs"][node["$ref"].removeprefix("#/$defs/")]
        return node

    def _choices(self, node: Mapping[str, Any], value: Any) -> list[Mapping[str, Any]]:
        choices = [
            self._resolve(choice) for word in ("oneOf", "anyOf", "allOf") for choice in node.get(word, ())
        ]
        use = _item(value, "use")
        fitting = [
            choice
            for choice in choices
            if choice.get("properties", {}).get("use", {}).get("const", use) == use
        ]
        return fitting or choices or [node]


def _message(item: Any, path: Path, known: Known, hint: Callable[[str], str]) -> str:
    kind, given, context = item["type"], item["input"], item.get("ctx", {})
    if kind == "extra_forbidden":
        return _unknown_key(path, known.keys(path[:-1]), hint)
    if kind == UNKNOWN_NAME:
        return f"no {context['kind']} is called {_show(context['name'])}" + _advice(
            context["name"], context["names"], hint
        )
    if kind == "missing":
        return "is missing"
    if kind in ("literal_error", "enum"):
        return f"must be {context['expected']}, not {_show(given)}" + _did_you_mean(
            given, _expected(context["expected"])
        )
    if kind == "value_error":
        return str(context.get("error", item["msg"]))
    expected = _EXPECTED.get(kind) or item["msg"].replace("Input should", "must", 1).replace(
        "must be a valid", "must be a"
    )
    return f"{expected}, not {_show(given)}"


def _unknown_key(path: Path, keys: Sequence[str], hint: Callable[[str], str]) -> str:
    name = str(path[-1])
    if path[:-1] == ("strategy",):
        return "no strategy is called " + _show(name) + _advice(name, keys, hint)
    if path[:-1] == ("agents",):
        return "no agent is called " + _show(name) + _advice(name, keys, hint)
    return "is not a key that is known here" + _did_you_mean(name, keys) + _known(keys)


def _advice(name: str, names: Sequence[str], hint: Callable[[str], str]) -> str:
    """Which plugin to enable, else the nearest name and all names."""
    elsewhere = hint(name)
    return f"; {elsewhere}" if elsewhere else _did_you_mean(name, names) + _known(names)


def _did_you_mean(given: Any, names: Sequence[str]) -> str:
    return did_you_mean(given, names, _show) if isinstance(given, str) else ""


def _known(names: Sequence[str]) -> str:
    return (
        f" (known: {', '.join(names)})" if names else " (none is known: does an enabled plugin announce one?)"
    )


def _expected(sentence: str) -> list[str]:
    """The values in pydantic's `'a', 'b' or 'c'`."""
    return sentence.replace(" or ", ", ").replace("'", "").split(", ")


def _path(item: Any) -> Path:
    """Without the tag that pydantic puts between the index of a policy and its keys."""
    path: Path = tuple(item["loc"])
    if path[:1] != ("policy",):
        return path
    return (*path[:2], *path[3:], *(("use",) if item["type"] == UNKNOWN_NAME else ()))


def _below(node: Mapping[str, Any], part: str | int) -> list[Mapping[str, Any]]:
    if isinstance(part, int):
        return [node["items"]] if isinstance(node.get("items"), dict) else []
    below = node.get("properties", {}).get(part, node.get("additionalProperties"))
    return [below] if isinstance(below, dict) else []


def _item(value: Any, part: str | int) -> Any:
    try:
        return value[part]
    except (KeyError, IndexError, TypeError):
        return None


def _show(value: object) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:
        text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
