"""Settings files over a small world of plugins."""

from __future__ import annotations

from dataclasses import dataclass, field
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from attention_framework.settings import Examination, SettingsError, examine, load_configuration

if TYPE_CHECKING:
    from pathlib import Path

    from attention_framework.settings import Configuration

HOST = '''
"""A host."""
from pydantic import BaseModel, Field
from attention_framework import HostEnvironment, hookimpl


class TmuxSettings(BaseModel):
    """How tmux is called."""

    timeout_s: float = Field(default=2.0, gt=0, description="How long one call may take.")
    sockets: list[str] = []


class Tmux:
    """Panes of tmux."""

    name = "tmux"
    Settings = TmuxSettings

    def __init__(self, settings, context):
        self.settings = settings
        self.context = context

    def sessions(self):
        return []

    def snapshot(self, session):
        raise NotImplementedError

    def watch(self, session, wake, stop):
        pass

    def control(self, session):
        return f"control of {session.address}"


@hookimpl
def attention_focus_sources():
    return [Tmux]


@hookimpl
def attention_hosts():
    return [HostEnvironment("tmux", "TMUX_PANE", "TMUX")]
'''

AGENT = '''
"""An agent."""
from typing import Literal
from pydantic import BaseModel
from attention_framework import AgentKind, hookimpl


class Transport:
    def __init__(self, settings, context):
        self.settings = settings
        self.context = context

    def request_pause(self, pane, request): ...
    def request_resume(self, pane, engagement): ...


class Prompt(Transport):
    name = "omp-prompt"

    @classmethod
    def warnings(cls, settings):
        return ["a draft in the editor is lost"]


class Mailbox(Transport):
    name = "omp-mailbox"

    class Settings(BaseModel):
        nudge: Literal["f12", "f11", ""] = "f12"
        retries: list[int] = [1, 2]


class Status:
    name = "omp-status"

    def __init__(self, settings, context):
        self.settings = settings

    def observe(self, pane): ...


@hookimpl
def attention_transports():
    return [Prompt, Mailbox]


@hookimpl
def attention_pause_detectors():
    return [Status]


@hookimpl
def attention_agents():
    return [AgentKind("omp", "Oh My Pi", transports=("omp-mailbox", "omp-prompt"), detectors=("omp-status",))]
'''

POLICIES = '''
"""Policies."""
from pydantic import BaseModel
from attention_framework import hookimpl


class Policy:
    def __init__(self, settings, context):
        self.settings = settings

    def judge(self, pane, view): ...


class Focused(Policy):
    """Only the focused pane runs."""

    name = "focused"

    class Settings(BaseModel):
        also_keep: int = 0


class Holds(Policy):
    """Breaks and pauses."""

    name = "holds"


@hookimpl
def attention_policies():
    return [Focused, Holds]
'''


@dataclass
class World:
    """A settings file with an environment, and what was told to the person."""

    file: Path
    environment: dict[str, str] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)

    def write(self, text: str) -> None:
        self.file.write_text(dedent(text), encoding="utf-8")

    def examine(self) -> Examination:
        return examine(str(self.file), self.environment, self.told.append)

    def load(self) -> Configuration:
        return load_configuration(str(self.file), self.environment, warn=self.told.append)

    def mistakes(self) -> list[str]:
        """What is wrong, without the folder of the file."""
        with pytest.raises(SettingsError) as caught:
            self.load()
        return [
            str(mistake).replace(f"{self.file.parent}/", "").replace(f"{self.file.parent}\\", "")
            for mistake in caught.value.mistakes
        ]


@pytest.fixture
def world(distributions, tmp_path: Path) -> World:
    distributions.add("tmux", HOST)
    distributions.add("omp_keys", AGENT)
    distributions.add("policies", POLICIES)
    world = World(tmp_path / "attention.toml")
    world.write("")
    return world
