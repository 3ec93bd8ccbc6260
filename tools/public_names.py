"""What there is to say of each name that a plugin may import, from its docstrings and annotations.

The sources are read, not the objects: only they tell the docstring of a field, and the annotations as they are written.
"""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from textwrap import dedent
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import ModuleType


@dataclass(frozen=True, slots=True)
class Member:
    """A field, property, value or method of a class."""

    name: str
    type: str
    default: str
    meaning: str
    called: bool = False
    """A method: its type is its signature."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One public name."""

    name: str
    declaration: str
    meaning: str
    members: tuple[Member, ...] = ()
    promises: tuple[str, ...] = ()
    """Of a contract suite: the names of its tests, as sentences."""
    place: tuple[str, int] = ("", 0)
    """Module and line."""


def entries(package: ModuleType, module: str) -> list[Entry]:
    """Those of one home, in the order of the source; none of a package whose modules are the homes."""
    home = import_module(f"{package.__name__}.{module}")
    return sorted(
        (_entry(home, name) for name in package._HOME.get(module, ())), key=lambda entry: entry.place
    )


def silent(entry: Entry) -> list[str]:
    """What of it nobody has described."""
    members = [f"{entry.name}.{member.name}" for member in entry.members if not member.meaning]
    return members if entry.meaning else [entry.name, *members]


def _entry(home: ModuleType, name: str) -> Entry:
    found = getattr(home, name)
    if inspect.isclass(found):
        return _class(found)
    if inspect.isfunction(found):
        node, place = _source(inspect.unwrap(found))
        assert isinstance(node, ast.FunctionDef)
        return Entry(name, f"def {name}{_signature(node)}", ast.get_docstring(node) or "", place=place)
    return _constant(home, name)


def _constant(home: ModuleType, name: str) -> Entry:
    source = inspect.getsource(home)
    for node, meaning in _assigned(ast.parse(source).body):
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        if isinstance(target, ast.Name) and target.id == name:
            assert node.value is not None
            value = ast.get_source_segment(source, node.value)
            return Entry(name, f"{name} = {value}", meaning, place=(home.__name__, node.lineno))
    raise LookupError(f"{home.__name__} assigns no {name}")


def _class(cls: type) -> Entry:
    node, place = _source(cls)
    assert isinstance(node, ast.ClassDef)
    said = ast.get_docstring(node) or ""
    doc, given = _apart(said)
    tests = tuple(
        it.name.removeprefix("test_").replace("_", " ")
        for it in node.body
        if isinstance(it, ast.FunctionDef) and it.name.startswith("test_")
    )
    members = () if tests else tuple(_described(member, doc, given) for member in _members(node))
    return Entry(node.name, _declaration(node), doc, members, tests, place)


def _apart(doc: str) -> tuple[str, dict[str, str]]:
    """A docstring without what it says of fields, and that."""
    prose, *parameters = re.split(r"^:param (?=\w+:)", doc, flags=re.MULTILINE)
    given = dict(parameter.split(":", 1) for parameter in parameters)
    return prose.strip(), {name: inspect.cleandoc(text) for name, text in given.items()}


def _declaration(node: ast.ClassDef) -> str:
    bases = ", ".join(map(_text, node.bases))
    marks = "".join(f"@{_text(decorator)}\n" for decorator in node.decorator_list)
    head = f"{marks}class {node.name}" + (f"({bases})" if bases else "")
    made = next((it for it in node.body if isinstance(it, ast.FunctionDef) and it.name == "__init__"), None)
    if made is None or "Protocol" in bases:
        return head
    return f"{head}:\n    def __init__{_signature(made).removesuffix(' -> None')}"


def _members(node: ast.ClassDef) -> Iterator[Member]:
    for assigned, meaning in _assigned(node.body):
        target = assigned.target if isinstance(assigned, ast.AnnAssign) else assigned.targets[0]
        if isinstance(target, ast.Name) and not target.id.startswith("_"):
            type_ = _text(assigned.annotation) if isinstance(assigned, ast.AnnAssign) else ""
            yield Member(target.id, type_, _default(assigned.value), meaning)
    for it in node.body:
        if isinstance(it, ast.FunctionDef) and it.name == "__init__":
            yield from _attributes(it)
    for it in node.body:
        if isinstance(it, ast.FunctionDef) and not it.name.startswith("_"):
            yield _method(it)


def _method(node: ast.FunctionDef) -> Member:
    doc = ast.get_docstring(node) or ""
    if {"property", "cached_property"} & {_text(decorator) for decorator in node.decorator_list}:
        return Member(node.name, _text(node.returns), "", doc)
    return Member(node.name, _signature(node), "", doc, called=True)


def _attributes(made: ast.FunctionDef) -> Iterator[Member]:
    """What the constructor sets that is public."""
    given = {argument.arg: _text(argument.annotation) for argument in _arguments(made.args)}
    for assigned, meaning in _assigned(made.body):
        target = assigned.target if isinstance(assigned, ast.AnnAssign) else assigned.targets[0]
        if not isinstance(target, ast.Attribute) or target.attr.startswith("_"):
            continue
        value = _text(assigned.value)
        if isinstance(assigned, ast.AnnAssign):
            type_ = _text(assigned.annotation)
        elif isinstance(assigned.value, ast.Constant):
            type_ = type(assigned.value.value).__name__
        else:
            type_ = given.get(value, "")
        yield Member(target.attr, type_, "" if value in given else value, meaning)


def _assigned(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.Assign | ast.AnnAssign, str]]:
    """Each assignment with the string that follows it."""
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            said = after.value if isinstance(after, ast.Expr) else None
            text = said.value if isinstance(said, ast.Constant) else None
            yield node, inspect.cleandoc(text) if isinstance(text, str) else ""


def _described(member: Member, doc: str, given: Mapping[str, str]) -> Member:
    """Who keeps a protocol that its docstring names need not say again what its methods do."""
    named = (other for name in re.findall(r"`(\w+)`", doc) for other in _protocol(name))
    kept = (other.meaning for other in named if other.name == member.name)
    return replace(member, meaning=member.meaning or given.get(member.name) or next(kept, ""))


@cache
def _protocol(name: str) -> tuple[Member, ...]:
    found = getattr(import_module("attention_framework"), name, None)
    return _class(found).members if inspect.isclass(found) and getattr(found, "_is_protocol", False) else ()


def _source(found: Any) -> tuple[ast.stmt, tuple[str, int]]:
    lines, line = inspect.getsourcelines(found)
    return ast.parse(dedent("".join(lines))).body[0], (found.__module__, line)


def _signature(node: ast.FunctionDef) -> str:
    """Without `self`."""
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^(?:self|cls)(?:, )?", "", arguments).removeprefix("/, ")
    returns = f" -> {_text(node.returns)}" if node.returns else ""
    return f"({arguments}){returns}"


def _arguments(arguments: ast.arguments) -> list[ast.arg]:
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def _default(value: ast.expr | None) -> str:
    """What stands there when nothing is given; of `field(...)` what it makes."""
    if isinstance(value, ast.Call) and _text(value.func) == "field":
        made = next((word.value for word in value.keywords if word.arg == "default_factory"), None)
        if made is None:
            return ""
        return _text(made.body) if isinstance(made, ast.Lambda) else f"{_text(made)}()"
    return _text(value)


def _text(node: ast.expr | None) -> str:
    return "" if node is None else ast.unparse(node)
