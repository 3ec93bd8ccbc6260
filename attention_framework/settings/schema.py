"""The full model of the settings: the core's own, and what the loaded plugins announce."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from ..loading import Kind
from .models import AgentSettings, AttentionSettings, BreakSettings, FocusSettings, Section
from .names import Known, OnePolicy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..loading import Plugins, Strategy
    from ..model import AgentKind

DEFAULT_POLICIES = ("holds", "allowed", "exempt", "origin", "focused")
SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class NoSettings(Section):
    """This strategy has no settings."""


def build_model(plugins: Plugins) -> type[AttentionSettings]:
    """The model for exactly these plugins. While one of them
    is broken, names that it might announce are let through.
    """
    lenient = bool(plugins.broken)
    policies = {name: _policy_model(strategy) for name, strategy in plugins.of_kind(Kind.POLICY).items()}
    return create_model(
        "AttentionSettings",
        __base__=AttentionSettings,
        __doc__=AttentionSettings.__doc__,
        plugins=(
            list[str],
            Field(
                default=list(plugins.enabled),
                description=AttentionSettings.model_fields["plugins"].description,
            ),
        ),
        focus=_like("focus", _focus_model(list(plugins.of_kind(Kind.FOCUS_SOURCE)), lenient)),
        breaks=_like("breaks", _breaks_model(list(plugins.of_kind(Kind.BREAK_SOURCE)), lenient)),
        agents=_like("agents", _agents_model(plugins, lenient)),
        strategy=_like("strategy", _strategies_model(plugins, lenient)),
        policy=(
            list[Annotated[Any, OnePolicy(policies, lenient)]],
            Field(
                default=_default_policies(policies),
                description=AttentionSettings.model_fields["policy"].description,
            ),
        ),
    )


def json_schema(model: type[AttentionSettings]) -> dict[str, Any]:
    """JSON schema of a settings file."""
    schema = model.model_json_schema()
    return {"$schema": SCHEMA_DIALECT, **schema, "title": "attention.toml"}


def settings_model(strategy: Strategy) -> type[BaseModel]:
    """The strategy's own Settings, refusing keys that it does not know:
    a setting must not be accepted and then ignored.
    """
    own = strategy.settings
    if own is None:
        return NoSettings
    return create_model(
        f"Strategy_{strategy.name}",
        __base__=own,
        __doc__=own.__doc__,
        __module__=own.__module__,
        __cls_kwargs__={"extra": "forbid", "defer_build": True},
    )


def _policy_model(strategy: Strategy) -> type[BaseModel]:
    use: Any = (Literal[strategy.name], Field(description="Name of the policy."))
    base = settings_model(strategy)
    return create_model(
        f"Policy_{strategy.name}", __base__=base, __doc__=strategy.cls.__doc__ or base.__doc__, use=use
    )


def _focus_model(sources: list[str], lenient: bool) -> type[BaseModel]:
    field: Any = _names("focus source", sources, sources, lenient, FocusSettings, "sources")
    return create_model("FocusSettings", __base__=FocusSettings, __doc__=FocusSettings.__doc__, sources=field)


def _breaks_model(sources: list[str], lenient: bool) -> type[BaseModel]:
    field: Any = _names("break source", sources, [], lenient, BreakSettings, "sources")
    return create_model("BreakSettings", __base__=BreakSettings, __doc__=BreakSettings.__doc__, sources=field)


def _agents_model(plugins: Plugins, lenient: bool) -> type[BaseModel]:
    fields: dict[str, Any] = {
        name: _section(_agent_model(kind, plugins, lenient), f"Agents of the kind {kind.title or name}.")
        for name, kind in plugins.agents.items()
    }
    return _open_model("Agents", "A table for each kind of agent.", fields, lenient)


def _agent_model(kind: AgentKind, plugins: Plugins, lenient: bool) -> type[BaseModel]:
    # By default the best transport alone: a weaker one promises less, and typing a prompt can destroy a
    # draft. Falling back to it is the person's choice.
    transports, detectors = list(plugins.of_kind(Kind.TRANSPORT)), list(plugins.of_kind(Kind.DETECTOR))
    fields: dict[str, Any] = {
        "transport": _names(
            "transport", transports, list(kind.transports[:1]), lenient, AgentSettings, "transport"
        ),
        "detector": _names("detector", detectors, list(kind.detectors), lenient, AgentSettings, "detector"),
    }
    return create_model(f"Agent_{kind.name}", __base__=AgentSettings, __doc__=AgentSettings.__doc__, **fields)


def _strategies_model(plugins: Plugins, lenient: bool) -> type[BaseModel]:
    fields: dict[str, Any] = {
        name: _section(settings_model(strategy), f"Settings of the {strategy.kind} {name}.")
        for name, strategy in plugins.strategies.items()
        if strategy.kind is not Kind.POLICY
    }
    return _open_model("Strategies", "A table for each strategy that has settings.", fields, lenient)


def _open_model(name: str, doc: str, fields: Mapping[str, Any], lenient: bool) -> type[BaseModel]:
    class Base(Section):
        model_config = ConfigDict(extra="ignore" if lenient else "forbid")

    return create_model(name, __base__=Base, __doc__=doc, **fields)


def _section(model: type[BaseModel], description: str) -> Any:
    """A table that may be left out; None if it then lacks something that it needs."""
    try:
        default: Any = model()
    except ValidationError:
        default = None
    return (model, Field(default=default, description=description))


def _names(
    kind: str, known: list[str], default: list[str], lenient: bool, base: type[BaseModel], field: str
) -> Any:
    element: Any = Annotated[str, Known(kind, known, lenient)]
    return (list[element], Field(default=default, description=base.model_fields[field].description))


def _like(field: str, model: type[BaseModel]) -> Any:
    return (
        model,
        Field(default_factory=model, description=AttentionSettings.model_fields[field].description),
    )


def _default_policies(models: Mapping[str, type[BaseModel]]) -> list[BaseModel]:
    return [models[name].model_validate({"use": name}) for name in DEFAULT_POLICIES if name in models]
