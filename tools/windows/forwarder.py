"""`bcryptprimitives.dll` for Wine 8, which has none: Rust extensions (pydantic-core) do not start without it.

`ProcessPrng(buffer, length)` has the arguments and the result of `SystemFunction036` in advapi32,
which Wine has. An export that forwards is only a string in a DLL's export table, so the whole
file is headers and one table, and no compiler is needed. Format: "PE Format", Microsoft Learn.
"""

from __future__ import annotations

import struct

ALIGN_IN_MEMORY = 0x1000
ALIGN_IN_FILE = 0x200
TABLE_AT = ALIGN_IN_MEMORY
EXPORT_DIRECTORY_SIZE = 40


def forwarding_dll(dll: str, export: str, target: str) -> bytes:
    """A 64-bit DLL named `dll` whose only export `export` stands for `target` (`library.function`)."""
    table = _export_table(dll, export, target)
    headers = (
        _dos_header()
        + b"PE\0\0"
        + _coff_header()
        + _optional_header(len(table))
        + _section_header(len(table))
    )
    return headers.ljust(ALIGN_IN_FILE, b"\0") + table.ljust(ALIGN_IN_FILE, b"\0")


def _export_table(dll: str, export: str, target: str) -> bytes:
    names = [f"{name}\0".encode("ascii") for name in (dll, export, target)]
    functions = TABLE_AT + EXPORT_DIRECTORY_SIZE
    name_pointers, ordinals = functions + 4, functions + 8
    dll_at = ordinals + 4
    export_at = dll_at + len(names[0])
    target_at = export_at + len(names[1])
    directory = struct.pack("<IIHHIIIIIII", 0, 0, 0, 0, dll_at, 1, 1, 1, functions, name_pointers, ordinals)
    # A function address that lies inside the export table is what marks it as forwarded.
    return directory + struct.pack("<IIHH", target_at, export_at, 0, 0) + b"".join(names)


def _dos_header() -> bytes:
    return b"MZ" + b"\0" * 58 + struct.pack("<I", 64)


def _coff_header() -> bytes:
    machine_amd64, executable_dll_large_address = 0x8664, 0x2022
    return struct.pack("<HHIIIHH", machine_amd64, 1, 0, 0, 0, 240, executable_dll_large_address)


def _optional_header(table_size: int) -> bytes:
    standard = struct.pack("<HBBIIIII", 0x20B, 14, 0, 0, ALIGN_IN_FILE, 0, 0, TABLE_AT)
    image_base, image_size, nx_and_dynamic_base = 0x180000000, 2 * ALIGN_IN_MEMORY, 0x0140
    windows = struct.pack(
        "<QIIHHHHHHIIIIHH",
        image_base, ALIGN_IN_MEMORY, ALIGN_IN_FILE, 6, 0, 0, 0, 6, 0, 0, image_size, ALIGN_IN_FILE, 0, 2, nx_and_dynamic_base,
    )  # fmt: skip
    stack_and_heap = struct.pack("<QQQQII", 0x100000, 0x1000, 0x100000, 0x1000, 0, 16)
    return standard + windows + stack_and_heap + struct.pack("<II", TABLE_AT, table_size) + b"\0" * (15 * 8)


def _section_header(table_size: int) -> bytes:
    readable_data = 0x40000040
    return struct.pack(
        "<8sIIIIIIHHI",
        b".rdata",
        table_size,
        TABLE_AT,
        ALIGN_IN_FILE,
        ALIGN_IN_FILE,
        0,
        0,
        0,
        0,
        readable_data,
    )
