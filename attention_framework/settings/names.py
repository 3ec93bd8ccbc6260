"""Names in the settings that only the loaded plugins can confirm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic_core import PydanticCustomError, core_schema

from .models import PolicySettings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue

UNKNOWN_NAME: Final = "unknown_name"
_OTHER = "(other)"


class Known:
    """Marks a string as one of these names.

    :param lenient: accept others too: a plugin that would announce them is broken, and its own report is
        enough.
    """

    def __init__(self, kind: str, names: Sequence[str], lenient: bool) -> None:
        self.kind = kind
        self.names = list(names)
        self.lenient = lenient

    def check(self, name: str) -> str:
        if name not in self.names and not self.lenient:
            raise unknown_name(self.kind, name, self.names)
        return name

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        found = handler(schema)
        return found if self.lenient else {**found, "enum": self.names}


class OnePolicy:
    """Marks a table as the settings of the policy that its `use` names."""

    def __init__(self, models: Mapping[str, type[BaseModel]], lenient: bool) -> None:
        self.models = models
        self.lenient = lenient

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        other = handler.generate_schema(PolicySettings)
        choices = {name: handler.generate_schema(model) for name, model in self.models.items()}
        choices[_OTHER] = (
            other if self.lenient else core_schema.no_info_after_validator_function(self._refuse, other)
        )
        return core_schema.tagged_union_schema(choices, discriminator=self._choose)

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        *known, other = handler(schema)["oneOf"]
        return {"anyOf": [*known, other]} if self.lenient else {"oneOf": known} if known else {"not": {}}

    def _choose(self, entry: Any) -> str:
        use = entry.get("use") if isinstance(entry, dict) else getattr(entry, "use", None)
        return use if isinstance(use, str) and use in self.models else _OTHER

    def _refuse(self, entry: PolicySettings) -> PolicySettings:
        raise unknown_name("policy", entry.use, list(self.models))


def unknown_name(kind: str, name: str, names: Sequence[str]) -> PydanticCustomError:
    return PydanticCustomError(
        UNKNOWN_NAME, "no {kind} is called {name}", {"kind": kind, "name": name, "names": list(names)}
    )
