"""Settings from environment variables: `ATTENTION_AGENTS__OMP__TRANSPORT='["omp-keys"]'`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..nearest import did_you_mean
from .mistakes import Mistake
from .models import AttentionSettings

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "ATTENTION_"
BETWEEN = "__"
NO_SETTINGS = frozenset({"ATTENTION_CONFIG", "ATTENTION_STATE", "ATTENTION_CACHE"})
"""Variables of ours that are no settings."""


def read_variables(
    model: type[AttentionSettings], environment: Mapping[str, str]
) -> tuple[dict[str, dict[str, Any]], list[Mistake]]:
    """What each variable sets, as nested tables by its name, and those that cannot be read."""
    names = _setting_variables(environment)
    if not names:
        return {}, []
    # As a rule there is none, and importing pydantic-settings is a seventh of what a one-shot cycle costs.
    from pydantic_settings import SettingsError as UnreadableVariable

    from .variable import read_variable

    tables: dict[str, dict[str, Any]] = {}
    mistakes = []
    for name in names:
        try:
            table = read_variable(model, _as_field_name(model, name), environment[name])
        except UnreadableVariable as error:
            what = f"is not JSON: {environment[name]!r} ({error.__cause__})"
            mistakes.append(
                Mistake(name, "", f'{what}. Lists and tables are written as JSON, such as ["a", "b"]')
            )
            continue
        if table:
            tables[name] = table
    return tables, mistakes


def unknown_environment(environment: Mapping[str, str]) -> list[str]:
    """One sentence for every variable that looks like a setting
    and is none: pydantic-settings passes over them in silence.
    """
    sentences = []
    for name in sorted(environment):
        section = name.upper().removeprefix(PREFIX).split(BETWEEN)[0].lower()
        if (
            not name.upper().startswith(PREFIX)
            or name.upper() in NO_SETTINGS
            or section in AttentionSettings.model_fields
        ):
            continue
        others = [variable.removeprefix(PREFIX) for variable in sorted(NO_SETTINGS)]
        known = [*AttentionSettings.model_fields, *others]
        advice = did_you_mean(section, known, lambda near: f"{PREFIX}{near.upper()}")
        sentences.append(f"the environment variable {name} is not known and has no effect{advice}")
    return sentences


def _setting_variables(environment: Mapping[str, str]) -> list[str]:
    """The less deep first, so that a variable for one key goes over one for its whole table."""
    named = [
        name
        for name, value in environment.items()
        if value and name.upper().startswith(PREFIX) and name.upper() not in NO_SETTINGS
    ]
    return sorted(named, key=lambda name: (name.count(BETWEEN), name))


def _as_field_name(model: type[AttentionSettings], name: str) -> str:
    """Shells allow no hyphen in a name, so `OMP_MAILBOX` may mean `omp-mailbox`."""
    section, *rest = name.lower().removeprefix(PREFIX.lower()).split(BETWEEN)
    if section in ("agents", "strategy") and rest:
        known = getattr(model.model_fields[section].annotation, "model_fields", {})
        rest[0] = next(
            (field for field in known if field.replace("-", "_") == rest[0].replace("-", "_")), rest[0]
        )
    return BETWEEN.join([PREFIX.lower() + section, *rest])
