"""Files of several packets, which need not fit into memory."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from gdvar._gdvar import StreamFramer
from gdvar._guards import check_above_0

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["records"]

_PIECE = 1 << 18
"""Bytes that are read at once."""


class _Readable(Protocol):
    def read(self, size: int, /) -> Buffer: ...


def records(
    file: _Readable, *, big_endian: bool = False, max_record: int = 256 << 20
) -> Iterator[bytes]:
    """The packets of a file of any size, each behind its length, as `FileAccess.store_var` writes
    them. Memory: twice the largest record so far, and 256 KiB of the file.

        with open("replay.bin", "rb") as file:
            for packet in gdvar.records(file):
                print(gdvar.loads(packet))

    Args:
        file: open for reading bytes; it is read from where it stands.
        big_endian: the order of the lengths.
        max_record: bytes of a record that is accepted.

    Raises TruncatedError if the file ends inside a record, LimitError for a record over
    `max_record`, DecodeError for a length that no packet has. Earlier records have been given by
    then. TypeError, ValueError for the arguments, at once.
    """
    check_above_0(int, max_record=max_record)
    if not hasattr(file, "read") or isinstance(file, io.TextIOBase):
        raise TypeError(f"records needs a file that is open for reading bytes, not {type(file)}")
    return _records(file, StreamFramer(big_endian=big_endian, max_packet=max_record))


def _records(file: _Readable, framer: StreamFramer) -> Iterator[bytes]:
    while memoryview(piece := file.read(_PIECE)).nbytes:
        framer.feed(piece)
        yield from framer
    framer.finish()
