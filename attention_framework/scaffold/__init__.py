"""New plugin packages: which files one consists of, as functions of its kind and name."""

from __future__ import annotations

from .names import ALLOWED, Names, NotAName, names_of
from .package import KINDS, package_files
from .writing import FolderExists, write_package

__all__ = [
    "ALLOWED",
    "KINDS",
    "FolderExists",
    "Names",
    "NotAName",
    "names_of",
    "package_files",
    "write_package",
]
