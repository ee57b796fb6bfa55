#!/usr/bin/env python3
"""Makes what the archives define private to the files that they are linked into, where the linker knows no lists of symbols (zig's for macOS).

It is what -fvisibility=hidden does, also for functions that their sources export. Changes the archives in place, if there is
anything to hide.

Usage: hide_symbols.py ARCHIVE...    of Mach-O objects of 64 bits (Apple's <mach-o/loader.h> and <mach-o/nlist.h>)
"""

import pathlib
import struct
import sys

OBJECT, SYMTAB = 0xFEEDFACF, 2
UNDEFINED, TYPE, EXTERNAL, PRIVATE = 0x00, 0x0E, 0x01, 0x10


def members(archive):
    """Where the content of each file in an archive begins."""
    at = len(b"!<arch>\n")
    while at < len(archive):
        name, size = archive[at : at + 16], int(archive[at + 48 : at + 58])
        at += 60
        yield at + (int(name[3:]) if name.startswith(b"#1/") else 0)
        at += size + size % 2


def hide(archive, begin):
    magic, _, _, _, commands, *_ = struct.unpack_from("<8I", archive, begin)
    at = begin + 32
    for _ in range(commands if magic == OBJECT else 0):
        command, size, symbols, count = struct.unpack_from("<4I", archive, at)
        if command == SYMTAB:
            for entry in range(begin + symbols, begin + symbols + 16 * count, 16):
                _, kind, _, _, value = struct.unpack_from("<IBBHQ", archive, entry)
                # An undefined symbol with a value is a common one: a variable of that size.
                if kind & EXTERNAL and (kind & TYPE != UNDEFINED or value):
                    archive[entry + 4] |= PRIVATE
        at += size


for path in map(pathlib.Path, sys.argv[1:]):
    before = path.read_bytes()
    after = bytearray(before)
    for member in members(before):
        hide(after, member)
    if after != before:
        path.write_bytes(after)
