"""Files of several packets, which need not fit into memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from gdvar._gdvar import StreamFramer

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
    them. One record and a piece of the file are in memory at a time.

        with open("replay.bin", "rb") as file:
            for packet in gdvar.records(file):
                print(gdvar.loads(packet))

    Args:
        file: open for reading bytes; it is read from where it stands.
        big_endian: the order of the lengths.
        max_record: bytes of a record that is accepted.

    Raises TruncatedError if the file ends inside a record, LimitError for a record over
    `max_record`, DecodeError for a length that no packet has. Earlier records have been given by
    then.
    """
    framer = StreamFramer(big_endian=big_endian, max_packet=max_record)
    while memoryview(piece := file.read(_PIECE)).nbytes:
        framer.feed(piece)
        yield from framer
    framer.finish()
