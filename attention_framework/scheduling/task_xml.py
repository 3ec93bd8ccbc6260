"""The description of a job for Windows' Task Scheduler.

Borrowed facts: Microsoft's task schema 1.2 for the elements; of what `schtasks /XML` reads, public notes: UTF-16 with a
byte order mark.
"""

from __future__ import annotations

import codecs
import hashlib
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .jobs import AtLogon, EachHour

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .jobs import Job

NAMESPACE: Final = "http://schemas.microsoft.com/windows/2004/02/mit/task"
MOST_TRIGGERS: Final = 48
"""Of one task, says Microsoft."""
FIRST_DAY: Final = "2025-01-01"
LOOK_AGAIN: Final = "PT1M"
_MARK = re.compile(r"\[attention-framework ([0-9a-f]{8}) ([0-9a-f]{16})\]")
_VARIABLE = re.compile(r"%[^%]+%")

Tree = str | list[tuple[str, "Tree"]]


@dataclass(frozen=True, slots=True)
class Mark:
    """Stands in a task's description: whose it is, and what it says.

    :param owner: of the installation, which is its state folder.
    :param content: of the description without the mark.
    """

    owner: str
    content: str

    @classmethod
    def of(cls, job: Job, owner: str, user: str) -> Mark:
        return cls(owner_mark(owner), _digest(_document(job, user, ""), 16))

    @classmethod
    def found_in(cls, text: str) -> Mark | None:
        """In the description of a task, whatever the code page has made of the rest of it."""
        description = re.search(r"<Description>(.*?)</Description>", text, re.DOTALL)
        found = _MARK.search(description[1]) if description else None
        return cls(found[1], found[2]) if found else None

    def __str__(self) -> str:
        return f"[attention-framework {self.owner} {self.content}]"


def owner_mark(owner: str) -> str:
    return _digest(owner, 8)


def task_xml(job: Job, owner: str, user: str) -> bytes:
    """`user` (DOMAIN\\name) is whose logon starts a service: at anybody's logon only an administrator may start
    something. Raises ValueError for a job that cannot be written down.
    """
    mark = Mark.of(job, owner, user)
    return codecs.BOM_UTF16_LE + _document(job, user, f" {mark}").encode("utf-16-le")


def arguments(job: Job) -> str:
    """Quoted as C programs on Windows take a command line apart. Raises ValueError for what cannot be quoted."""
    line = subprocess.list2cmdline(job.command[1:])
    for text in (job.command[0], line):
        if variable := _VARIABLE.search(text):
            raise ValueError(
                f"it would put the value of a variable in the place of {variable[0]} in {text!r}. "
                "Give a state folder, settings and a Python whose names hold no percent signs."
            )
    return line


def _document(job: Job, user: str, mark: str) -> str:
    root = ElementTree.Element("Task", {"version": "1.2", "xmlns": NAMESPACE})
    _add(root, [("RegistrationInfo", [("Description", job.description + mark)])])
    _add(root, [("Triggers", list(_triggers(job.at, user)))])
    principal = _add(root, [("Principals", [("Principal", _PRINCIPAL)])])
    principal[0].set("id", "Author")
    _add(root, [("Settings", _settings(job))])
    run: Tree = [("Command", job.command[0]), ("Arguments", arguments(job))]
    _add(root, [("Actions", [("Exec", run)])]).set("Context", "Author")
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-16"?>\n{body}\n'.replace("\n", "\r\n")


_PRINCIPAL: Final[Tree] = [("LogonType", "InteractiveToken"), ("RunLevel", "LeastPrivilege")]


def _triggers(at: EachHour | AtLogon, user: str) -> Iterator[tuple[str, Tree]]:
    if isinstance(at, AtLogon):
        # Its own restarting leaves alone what ended with an exit code. While one runs, another start is ignored.
        again: Tree = [("Interval", LOOK_AGAIN), ("StopAtDurationEnd", "false")]
        yield "LogonTrigger", [("Repetition", again), ("Enabled", "true"), ("UserId", user)]
    elif at.interval is not None and at.interval < 60:
        yield _repeated(f"PT{at.interval}M", 0)
    elif len(at.minutes) <= MOST_TRIGGERS:
        yield from (_repeated("PT1H", minute) for minute in at.minutes)
    else:
        raise ValueError(f"it takes {MOST_TRIGGERS} times in an hour at most, not {len(at.minutes)}")


def _repeated(interval: str, minute: int) -> tuple[str, Tree]:
    """Anew every day, so that it stays with the clock when that is set forth and back for the summer."""
    repetition: Tree = [("Interval", interval), ("Duration", "P1D"), ("StopAtDurationEnd", "false")]
    return "CalendarTrigger", [
        ("Repetition", repetition),
        ("StartBoundary", f"{FIRST_DAY}T00:{minute:02}:00"),
        ("Enabled", "true"),
        ("ScheduleByDay", [("DaysInterval", "1")]),
    ]


def _settings(job: Job) -> Tree:
    service = isinstance(job.at, AtLogon)
    return [
        ("MultipleInstancesPolicy", "IgnoreNew"),
        ("DisallowStartIfOnBatteries", "false"),
        ("StopIfGoingOnBatteries", "false"),
        ("AllowHardTerminate", "true"),
        ("StartWhenAvailable", "false"),
        ("AllowStartOnDemand", "true"),
        ("Enabled", "true"),
        ("Hidden", "false"),
        ("WakeToRun", "false"),
        ("ExecutionTimeLimit", "PT0S" if service else f"PT{-(-job.limit_s // 60)}M"),
        ("Priority", "7"),
    ]


def _add(parent: ElementTree.Element, tree: Tree) -> ElementTree.Element:
    """Append elements by name, each with its text or its own elements; returns the last one."""
    if isinstance(tree, str):
        parent.text = tree
        return parent
    for name, below in tree:
        last = ElementTree.SubElement(parent, name)
        _add(last, below)
    return last


def _digest(text: str, length: int) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]
