"""The settings that the core has of its own. `schema.py` adds what the plugins announce.

Adding a section is adding a model and a field to `AttentionSettings`.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

PREFIX = "ATTENTION_"
BETWEEN = "__"
Status = Literal["idle", "working", "done", "blocked", "unknown"]


class Section(BaseModel):
    """A table of the settings file."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


class FocusSettings(Section):
    """Whose focus is followed."""

    sources: list[str] = Field(
        default=[],
        description="Hosts to watch, by the name of their focus source. Without it: every one that an enabled plugin announces.",
    )


class AgentSettings(Section):
    """How agents of one kind are observed and paused."""

    statuses: list[Status] = Field(
        default=["idle", "working", "done"],
        description=(
            "An agent is paused only while the host gives it one of these statuses. "
            "A host that tells no status excludes none."
        ),
    )
    transport: list[str] = Field(
        default=[], description="How to ask for a pause, in order: the next one is tried when one refuses."
    )
    detector: list[str] = Field(
        default=[], description="How to see whether it is paused, in order: the first that knows decides."
    )


class PolicySettings(Section):
    """One `[[policy]]`: `use` names it, the other keys are its own settings."""

    model_config = ConfigDict(extra="allow", frozen=True, protected_namespaces=())

    use: str = Field(description="Name of the policy.")


class BreakSettings(Section):
    """Screen breaks."""

    sources: list[str] = Field(
        default=[],
        description=(
            "What tells `attention break-watch` of screen breaks, by the name of the break source. "
            "Without it: none, so that no program begins to pause agents because it happens to be installed."
        ),
    )
    resume: Literal["none", "last-active", "own"] = Field(
        default="none",
        description=(
            "What the end of the last break resumes: nothing; the agent that was focused when the first of the "
            "overlapping breaks began; or everything that the breaks alone have paused. Only what the policies let run."
        ),
    )


class LogSettings(Section):
    """`attention.log` in the state folder."""

    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", description="The least severe messages that are written."
    )


class AttentionSettings(BaseSettings):
    """Settings of attention_framework."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter=BETWEEN,
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        protected_namespaces=(),
    )

    plugins: list[str] = Field(
        default=[],
        description="Plugins to load. Without it: herdr, omp_keys, policies, stretchly and tmux, as far as they are installed.",
    )
    focus: FocusSettings = Field(default_factory=FocusSettings, description="Whose focus is followed.")
    agents: Any = Field(default={}, description="A table for each kind of agent.")
    strategy: Any = Field(default={}, description="A table for each strategy that has settings, by its name.")
    policy: list[Any] = Field(
        default=[],
        description=(
            "Policies, in order: the first opinion on a pane decides. "
            "Without it: holds, allowed, exempt, origin, focused, as far as they are announced."
        ),
    )
    breaks: BreakSettings = Field(default_factory=BreakSettings, description="Screen breaks.")
    log: LogSettings = Field(default_factory=LogSettings, description="`attention.log` in the state folder.")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """File and environment arrive merged (`layers.py`):
        the environment is an injected effect, and every value keeps its origin.
        """
        return (init_settings,)
