from __future__ import annotations

import codecs
import re
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import Any

import pytest

from attention_framework import AtLogon, EachHour, Job
from attention_framework.scheduling.task_scheduler import windowless
from attention_framework.scheduling.task_xml import NAMESPACE, Mark, arguments, task_xml
from attention_framework.testing import Memory

USER = "PC\\Zoë"
CHILDREN = {
    "Task": ["RegistrationInfo", "Triggers", "Principals", "Settings", "Actions"],
    "CalendarTrigger": ["Repetition", "StartBoundary", "Enabled", "ScheduleByDay"],
    "Repetition": ["Interval", "Duration", "StopAtDurationEnd"],
    "Principal": ["LogonType", "RunLevel"],
    "Settings": [
        *("MultipleInstancesPolicy", "DisallowStartIfOnBatteries", "StopIfGoingOnBatteries"),
        *("AllowHardTerminate", "StartWhenAvailable", "AllowStartOnDemand", "Enabled", "Hidden", "WakeToRun"),
        *("ExecutionTimeLimit", "Priority"),
    ],
    "Exec": ["Command", "Arguments"],
}
"""Names and order as in an export of Windows."""


def parsed(job: Job) -> ElementTree.Element:
    """By a real parser, from the bytes."""
    return ElementTree.fromstring(task_xml(job, "/state", USER))


def named(element: ElementTree.Element) -> str:
    return element.tag.removeprefix(f"{{{NAMESPACE}}}")


def text(root: ElementTree.Element, path: str) -> Any:
    return root.findtext("/".join(f"{{{NAMESPACE}}}{name}" for name in path.split("/")))


def triggers(root: ElementTree.Element) -> list[tuple[Any, Any]]:
    found = root.find(f"{{{NAMESPACE}}}Triggers")
    assert found is not None
    return [(text(each, "Repetition/Interval"), text(each, "StartBoundary")) for each in found]


def test_it_is_utf_16_with_a_byte_order_mark_and_says_so(mini: Job) -> None:
    content = task_xml(mini, "/state", USER)
    assert content.startswith(codecs.BOM_UTF16_LE)
    written = content[2:].decode("utf-16-le")
    assert written.startswith('<?xml version="1.0" encoding="UTF-16"?>\r\n<Task version="1.2" xmlns="http://')
    assert "\n" not in written.replace("\r\n", "")


def test_every_element_stands_where_windows_puts_it(mini: Job) -> None:
    for element in parsed(mini).iter():
        assert element.tag.startswith(f"{{{NAMESPACE}}}")
        if named(element) in CHILDREN:
            assert [named(child) for child in element] == CHILDREN[named(element)]


def test_it_runs_on_battery_for_the_person_who_is_logged_on_and_with_no_further_rights(mini: Job) -> None:
    root = parsed(replace(mini, limit_s=155))
    assert text(root, "Settings/DisallowStartIfOnBatteries") == "false"
    assert text(root, "Settings/StopIfGoingOnBatteries") == "false"
    assert text(root, "Settings/StartWhenAvailable") == "false"
    assert text(root, "Settings/MultipleInstancesPolicy") == "IgnoreNew"
    assert text(root, "Settings/ExecutionTimeLimit") == "PT3M"
    assert text(root, "Principals/Principal/LogonType") == "InteractiveToken"
    assert text(root, "Principals/Principal/RunLevel") == "LeastPrivilege"
    assert text(root, "Principals/Principal/UserId") is None
    assert root.find(f"{{{NAMESPACE}}}Actions").get("Context") == "Author"  # type: ignore[union-attr]
    assert root.find(f".//{{{NAMESPACE}}}Principal").get("id") == "Author"  # type: ignore[union-attr]


def test_minutes_with_a_gap_are_one_trigger_each(mini: Job) -> None:
    assert triggers(parsed(mini)) == [
        ("PT1H", f"2025-01-01T00:{minute:02}:00") for minute in (0, 10, 20, 30, 40)
    ]


def test_minutes_without_a_gap_are_one_trigger(mini: Job) -> None:
    assert triggers(parsed(replace(mini, at=EachHour.every(5)))) == [("PT5M", "2025-01-01T00:00:00")]
    assert triggers(parsed(replace(mini, at=EachHour((0,))))) == [("PT1H", "2025-01-01T00:00:00")]


def test_more_times_than_a_task_may_have_are_refused(mini: Job) -> None:
    with pytest.raises(ValueError, match="48 times in an hour"):
        task_xml(replace(mini, at=EachHour.every(1, without=[50])), "/state", USER)


def test_a_service_begins_at_the_logon_of_its_user_and_has_no_end() -> None:
    root = parsed(Job("serve", "x", ("C:\\python.exe", "serve"), AtLogon()))
    assert text(root, "Triggers/LogonTrigger/UserId") == USER
    assert text(root, "Triggers/LogonTrigger/Repetition/Interval") == "PT1M"
    assert text(root, "Triggers/LogonTrigger/Repetition/Duration") is None
    assert text(root, "Settings/ExecutionTimeLimit") == "PT0S"


def test_odd_characters_arrive(odd: Job) -> None:
    command = ("C:\\Program Files\\ü&<x>\\python.exe", *odd.command[1:])
    root = parsed(replace(odd, command=command))
    assert text(root, "Actions/Exec/Command") == command[0]
    assert text(root, "RegistrationInfo/Description").startswith(odd.description)
    assert text(root, "Actions/Exec/Arguments") == '-I "a b" "say \\"hi\\"" 100% $USER c\\d\\ <&> it\'s "" ;'


@pytest.mark.skipif(sys.platform != "win32", reason="Windows' own function takes command lines apart")
def test_windows_takes_the_arguments_apart_as_they_were(odd: Job) -> None:
    import ctypes

    split = ctypes.windll.shell32.CommandLineToArgvW  # type: ignore[attr-defined,unused-ignore]
    split.restype = ctypes.POINTER(ctypes.c_wchar_p)
    count = ctypes.c_int()
    found = split("python.exe " + arguments(odd), ctypes.byref(count))
    assert tuple(found[1 : count.value]) == odd.command[1:]


@pytest.mark.parametrize("word", ["C:\\%USERNAME%\\x", "%a b%"])
def test_what_would_become_the_value_of_a_variable_is_refused(mini: Job, word: str) -> None:
    with pytest.raises(ValueError, match=re.escape("%")):
        task_xml(replace(mini, command=("python.exe", word)), "/state", USER)


def test_the_mark_says_whose_it_is_and_what_it_says(mini: Job) -> None:
    content = task_xml(mini, "/state", USER)[2:].decode("utf-16-le")
    mark = Mark.found_in(content)
    assert mark == Mark.of(mini, "/state", USER)
    other = Mark.of(replace(mini, at=EachHour((1,))), "/state", USER)
    assert (mark.owner == other.owner, mark.content == other.content) == (True, False)
    assert Mark.of(mini, "/elsewhere", USER).owner != mark.owner
    assert Mark.found_in(content.encode("cp437", "replace").decode("utf-8", "replace")) == mark


def test_a_mark_elsewhere_than_in_the_description_is_none(mini: Job) -> None:
    mark = Mark.of(mini, "/state", USER)
    foreign = f"<Task><Description>mine</Description><Arguments>{mark}</Arguments></Task>"
    assert Mark.found_in(foreign) is None


class TestWindowless:
    def test_pythonw_is_taken_where_it_is(self) -> None:
        memory = Memory()
        memory.disk.put(windows_path("C:\\v\\Scripts\\pythonw.exe"), b"")
        assert (
            windowless(("C:\\v\\Scripts\\python.exe", "-I"), memory.files)[0] == "C:\\v\\Scripts\\pythonw.exe"
        )

    def test_else_it_stays(self) -> None:
        assert windowless(("C:\\v\\python.exe", "-I"), Memory().files) == ("C:\\v\\python.exe", "-I")
        assert windowless(("/v/python",), Memory().files) == ("/v/python",)


def windows_path(text: str) -> Any:
    from pathlib import Path

    return Path(text)
