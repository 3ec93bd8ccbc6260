"""What a host shows, and what can be shown there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .agents import Hello


@dataclass(frozen=True, slots=True)
class Session:
    """One running server of a host. Pane ids repeat between sessions."""

    host: str
    """Name of the host, as in `HostEnvironment.host` and in the settings."""
    address: str
    """What a process in a pane can also tell from its environment: a socket path, or `socket,pid` for tmux."""
    name: str = ""
    """How the host calls it, for people."""


@dataclass(frozen=True, slots=True)
class Pane:
    """A terminal in a session, with the agent found in it."""

    session: Session
    """The one that it is in."""
    id: str
    """The id by which the host knows it now. Opaque, case-sensitive."""
    focused: bool = False
    """Whether it has the focus, as in `Snapshot.focused`."""
    agent: str | None = None
    """Kind of the agent in it, as announced by `attention_agents`."""
    status: str | None = None
    """What the host says the agent does; None where the host tells no status."""
    label: str = ""
    """What the person calls it; empty if nothing."""
    title: str = ""
    """Of the terminal, as programs set it; empty if none."""
    cwd: str = ""
    """Working folder; empty where the host does not tell."""
    tty: str | None = None
    """Its terminal, such as `/dev/pts/3`; None where the host does not tell."""
    conversation: str | None = None
    """The file of the agent's conversation, where the host tells it: the host's side of `Hello.conversation`."""
    aliases: tuple[str, ...] = ()
    """Earlier ids of the same pane that the host still accepts."""
    badge: str | None = None
    """Text of the badge that the host shows now; empty: it shows none. None where the host does not say."""
    hello: Hello | None = None
    """The process that speaks for this pane; the cycle fills it in."""

    @property
    def names(self) -> frozenset[str]:
        """Every id by which a hold or an allowance may mean this pane."""
        inherited = (self.hello.pane,) if self.hello else ()
        return frozenset((self.id, *self.aliases, *inherited))

    def spoken_for(self, hello: Hello | None) -> Pane:
        """With this process as the one that speaks for it. Spelled out: a cycle does it for every pane."""
        return Pane(
            session=self.session,
            id=self.id,
            focused=self.focused,
            agent=self.agent or (hello.agent if hello else None),
            status=self.status,
            label=self.label,
            title=self.title,
            cwd=self.cwd,
            tty=self.tty,
            conversation=self.conversation,
            aliases=self.aliases,
            badge=self.badge,
            hello=hello,
        )


@dataclass(frozen=True, slots=True)
class Workspace:
    """Panes that a host shows under one entry of its own, as Herdr's sidebar does."""

    id: str
    """As the host calls it."""
    panes: frozenset[str]
    """Their ids."""
    badge: str = ""
    """What is shown of ours beside the entry; empty if nothing is."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One authoritative read of a session."""

    session: Session
    """The one that was read."""
    panes: tuple[Pane, ...]
    """All of its panes, those without an agent too, in any order; no id twice."""
    focused: frozenset[str] | None
    """Ids of the focused panes. Empty is an answer: nobody looks at any. None: the host cannot tell."""
    warnings: tuple[str, ...] = ()
    """For the person, such as a protocol version that nobody has tried."""
    workspaces: tuple[Workspace, ...] = ()
    """Empty where the host shows its panes under no entries, or nothing beside them."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A few characters that a host can show beside a pane or a workspace, with their time to live."""

    text: str
    """A few characters."""
    ttl_ms: int = 60_000
    """A duration: after it the host takes the badge away, whoever has died."""


@dataclass(frozen=True, slots=True)
class HostEnvironment:
    """How a process finds the pane that it runs in, announced by `attention_hosts`."""

    host: str
    """As in `FocusSource.name`."""
    pane: str
    """Environment variable with the pane's id."""
    address: str
    """Environment variable with the session's address."""
    address_pattern: str | None = None
    """Regular expression whose first group is the address, where the variable holds more."""
