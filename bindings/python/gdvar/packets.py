"""What the functions on packets give back. The extension imports this module."""

from __future__ import annotations

from typing import Any, NamedTuple

from gdvar.errors import DecodeError

__all__ = [
    "Annotation",
    "Candidate",
    "Check",
    "Dialect",
    "Guess",
    "Loss",
    "Match",
    "Quirk",
    "Row",
    "Unwrapped",
]


class Row(NamedTuple):
    """One field of a packet.

    `type` is "Vector3", "header", "count", "padding", ...; `note` has quirks, and why the reading
    broke off. `size` is 0 only for the row that reports the break. A path of more than 1000 bytes
    is shortened in its middle.
    """

    offset: int
    size: int
    path: str
    type: str
    value: str
    note: str


class Annotation(NamedTuple):
    """Every field of a packet, without a gap, and what reading it came to.

    `size` says how many bytes the packet took. Of a broken packet it is None, `error` says why, and
    `rows` go on to the end of the bytes: the fields up to the break, what was not understood, and a
    row of size 0 with the reason.
    """

    rows: list[Row]
    size: int | None
    error: DecodeError | None


class Quirk(NamedTuple):
    """Something that engines read but would not have written. All names: docs/errors.md."""

    name: str
    path: str
    offset: int


class Check(NamedTuple):
    """The first quirks of a packet, and how many there are in all."""

    quirks: list[Quirk]
    total: int


class Candidate(NamedTuple):
    """How one dialect reads the packets.

    `fits`: every packet is read with nothing left over. `oddities`: things that this dialect's
    engines would not have written. `reason`: all of it in words.
    """

    dialect: str
    fits: bool
    score: int
    oddities: int
    reason: str


class Guess(NamedTuple):
    """The most plausible dialect; None if none fits. `ambiguous`: others fit as well."""

    dialect: str | None
    ambiguous: bool
    candidates: list[Candidate]


class Dialect(NamedTuple):
    """A dialect: its name for `dialect=`, a title for people, and the types that it can write."""

    name: str
    title: str
    types: tuple[str, ...]


class Match(NamedTuple):
    """A value that a path leads to, and its own path."""

    path: str
    value: Any


class Loss(NamedTuple):
    """A value that could not be kept: where, what, what stands for it ("" if nothing does).

    A path of more than 1000 bytes is shortened in its middle.
    """

    path: str
    what: str
    substitution: str
    type: str


class Unwrapped(NamedTuple):
    """What was in the layers, and their names from the outermost inwards."""

    data: bytes
    layers: tuple[str, ...]
