"""pydantic-settings' reading of one environment variable, out of an environment that was handed over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pydantic_settings import BaseSettings, EnvSettingsSource

from .environment import BETWEEN, PREFIX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .models import AttentionSettings


def read_variable(model: type[AttentionSettings], name: str, value: str) -> dict[str, Any]:
    """What it sets, as nested tables. Raises pydantic-settings' SettingsError for a value that is no JSON where
    it has to be.
    """
    return _OneVariable(model, name, value)()


class _OneVariable(EnvSettingsSource):
    def __init__(self, model: type[AttentionSettings], name: str, value: str) -> None:
        self._variable = {name: value}
        # Of the class it asks for the fields alone: how variables are named is told here.
        super().__init__(
            cast("type[BaseSettings]", model),
            env_prefix=PREFIX,
            env_nested_delimiter=BETWEEN,
            env_ignore_empty=True,
        )

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return self._variable
