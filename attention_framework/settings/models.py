"""The settings that the core has of its own. `schema.py` adds what the plugins announce.

Adding a section is adding a model and a field to `AttentionSettings`.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Status = Literal["idle", "working", "done", "blocked", "unknown"]


class Section(BaseModel):
    """A table of the settings file."""

    # Most serve only as the base of those that `schema.py` makes: one is built when it is first used.
    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=(), defer_build=True)


class FocusSettings(Section):
    """Whose focus is followed."""

    sources: list[str] = Field(
        default=[],
        description="Hosts to watch, by the name of their focus source. Without it: every one that an enabled plugin announces.",
    )
    settle_ms: int = Field(
        default=0,
        ge=0,
        le=5_000,  # An agent that has braked waits 6 s for the request that was announced to it.
        description=(
            "An absence shorter than this many milliseconds asks for no pause. "
            "Breaks and manual pauses never wait; with the reflex the agent brakes at once all the same."
        ),
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
            "What tells `attention serve` or `attention break-watch` of screen breaks, by the name of the break source. "
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


class ReflexSettings(Section):
    """What an agent does by itself when it loses the focus, while `attention serve` runs."""

    mode: Literal["off", "brake", "strict"] = Field(
        default="brake",
        description=(
            "`brake`: the agent starts nothing from the moment it reads that it has lost the focus, and asks whether it "
            "may go on. `strict`: it also asks before every tool call and every turn. `off`: neither."
        ),
    )
    away: Literal["ignore", "pause"] = Field(
        default="ignore",
        description=(
            "When the window around the focused pane loses the focus to another program: "
            "go on, or pause as if another pane had the focus. Without `attention serve` nobody hears of it."
        ),
    )
    fail: Literal["open", "closed"] = Field(
        default="open",
        description="With `strict`, when the controller does not answer: go on, or stay until it does.",
    )
    ask_ms: int = Field(
        default=1_000,
        ge=10,
        le=10_000,
        description=(
            "How many milliseconds an agent waits for the answer to its question. It takes a few; "
            "a machine that is busy may need hundreds, and an agent that waits no longer goes on."
        ),
    )


class LogSettings(Section):
    """`attention.log` in the state folder."""

    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", description="The least severe messages that are written."
    )


class AttentionSettings(BaseModel):
    """Settings of attention_framework."""

    # File and environment arrive merged (`layers.py`): the environment is an injected effect, and every value keeps
    # its origin. So this is a plain model, and pydantic-settings is imported where there are variables to read.
    model_config = ConfigDict(
        extra="forbid", frozen=True, protected_namespaces=(), validate_default=True, defer_build=True
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
    reflex: ReflexSettings = Field(
        default_factory=ReflexSettings,
        description="What an agent does by itself when it loses the focus, while `attention serve` runs.",
    )
    log: LogSettings = Field(default_factory=LogSettings, description="`attention.log` in the state folder.")
