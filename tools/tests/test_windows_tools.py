from __future__ import annotations

import importlib.metadata
import struct
import sys
from typing import TYPE_CHECKING

import pytest
from windows.forwarder import forwarding_dll
from windows.project import Distribution, distributions, lay_into, outside_requirements

if TYPE_CHECKING:
    from pathlib import Path


def test_the_checkouts_distributions_are_found_with_their_entry_points() -> None:
    found = {each.name: each for each in distributions()}
    assert found["attention-framework"].entry_points["console_scripts"] == {
        "attention": "attention_framework.__main__:main"
    }
    assert found["attention-tmux"].entry_points["attention_framework.plugins"] == {
        "tmux": "attention_tmux.plugin"
    }


def test_what_the_distributions_need_of_each_other_is_not_fetched() -> None:
    assert not [line for line in outside_requirements(distributions()) if line.startswith("attention")]


def test_what_is_laid_out_is_what_importlib_reads(tmp_path: Path) -> None:
    one = Distribution(tmp_path / "src", "some-plugin", "1.2", ("rich>=13",), {"group": {"name": "module"}})
    lay_into(tmp_path / "site", [one], {one.folder: "Z:\\src"})
    (read,) = importlib.metadata.distributions(path=[str(tmp_path / "site")])
    assert (read.metadata["Name"], read.version, read.requires) == ("some-plugin", "1.2", ["rich>=13"])
    assert [(point.group, point.name, point.value) for point in read.entry_points] == [
        ("group", "name", "module")
    ]
    assert (tmp_path / "site" / "attention_checkout.pth").read_text() == "Z:\\src\n"


def test_the_forwarding_dll_is_a_64_bit_image_of_one_export() -> None:
    image = forwarding_dll("some.dll", "Export", "other.Function")
    (pe,) = struct.unpack_from("<I", image, 60)
    assert image[:2] == b"MZ"
    assert image[pe : pe + 6] == b"PE\0\0\x64\x86"
    assert image.endswith(b"some.dll\0Export\0other.Function\0".ljust(0x200 - 52, b"\0"))


@pytest.mark.skipif(sys.platform != "win32", reason="loads a DLL")
def test_windows_loads_the_forwarding_dll(tmp_path: Path) -> None:
    import ctypes

    file = tmp_path / "forwards.dll"
    file.write_bytes(forwarding_dll("forwards.dll", "Tick", "kernel32.GetTickCount"))
    assert ctypes.CDLL(str(file)).Tick() > 0
