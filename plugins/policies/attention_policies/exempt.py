"""Panes that are never paused."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, model_validator

from attention_framework import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attention_framework import Context, Pane, View


class PanePattern(BaseModel):
    """Which panes are meant: every key that is given must match, as a glob pattern (`*`, `?`, `[abc]`)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    label: str | None = Field(default=None, description="The label that the person gave the pane.")
    id: str | None = Field(default=None, description="The pane's id, or one that it had before it was moved.")
    agent: str | None = Field(default=None, description="The kind of agent in it, such as `omp`.")
    cwd: str | None = Field(
        default=None, description="Its working folder, with `/` on every system; `~/` is the home folder."
    )
    title: str | None = Field(default=None, description="Its terminal title.")
    session: str | None = Field(default=None, description="The name or address of its host's session.")

    @model_validator(mode="after")
    def _must_mean_something(self) -> PanePattern:
        if not self.model_dump(exclude_none=True):
            raise ValueError(
                "an entry without a key would mean every pane: give at least one of "
                + ", ".join(type(self).model_fields)
            )
        return self


class ExemptSettings(BaseModel):
    """The panes that are never paused.

    A break does not pause them either if this policy comes before `holds`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    panes: list[PanePattern] = Field(
        default=[], description="A pane that matches one of the entries may always run."
    )


class Exempt:
    """Lets panes run that match a pattern of the settings."""

    name = "exempt"
    Settings = ExemptSettings

    def __init__(self, settings: ExemptSettings, context: Context) -> None:
        self._patterns = [_given(entry, _home(context.effects.environment)) for entry in settings.panes]

    def judge(self, pane: Pane, view: View) -> Verdict | None:
        if not self._patterns:
            return None
        values = _values(pane)
        for pattern in self._patterns:
            if all(any(fnmatchcase(value, glob) for value in values[key]) for key, glob in pattern.items()):
                return Verdict.run(
                    "exempt by " + ", ".join(f"{key} = {glob}" for key, glob in pattern.items())
                )
        return None


def _given(entry: PanePattern, home: str) -> dict[str, str]:
    given = {key: str(glob) for key, glob in entry.model_dump(exclude_none=True).items()}
    if "cwd" in given:
        cwd = given["cwd"].replace("\\", "/")
        given["cwd"] = home + cwd[1:] if home and (cwd == "~" or cwd.startswith("~/")) else cwd
    return given


def _home(environment: Mapping[str, str]) -> str:
    return (environment.get("HOME") or environment.get("USERPROFILE") or "").replace("\\", "/")


def _values(pane: Pane) -> dict[str, tuple[str, ...]]:
    return {
        "label": (pane.label,),
        "id": tuple(sorted(pane.names)),
        "agent": (pane.agent or "",),
        "cwd": (pane.cwd.replace("\\", "/"),),
        "title": (pane.title,),
        "session": (pane.session.name, pane.session.address),
    }
