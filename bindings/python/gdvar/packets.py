"""What the functions on packets and saves give back. The extension imports this module."""

from __future__ import annotations

from typing import Any, NamedTuple

from gdvar.errors import DecodeError, Error

__all__ = [
    "Annotation",
    "Candidate",
    "Check",
    "Code",
    "Dialect",
    "Entries",
    "Entry",
    "Finding",
    "FoundCode",
    "Guess",
    "Identified",
    "Loss",
    "Lost",
    "Match",
    "Quirk",
    "Reading",
    "Recovered",
    "Recovery",
    "Row",
    "SaveKind",
    "StaleSum",
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
    row of size 0 with the reason. `total` is the number of all rows; `rows` has the first of them,
    as many as were asked for.
    """

    rows: list[Row]
    size: int | None
    error: DecodeError | None
    total: int


class Quirk(NamedTuple):
    """Something odd that is accepted, as engines accept it. All names: docs/errors.md."""

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


class StaleSum(NamedTuple):
    """A number or a text beside changed data that was a size or a checksum of it.

    `path`: where ("byte 4": in what `skip` passes over); `of`: "the MD5 of $.data"; `was`: as it
    stands there; `now`: what it has to be, "" if that is not certain; `mended`: whether the bytes
    that were made have that; `text`: all of it as a sentence.
    """

    path: str
    of: str
    was: str
    now: str
    mended: bool
    text: str


class Unwrapped(NamedTuple):
    """What was in the layers, and their names from the outermost inwards."""

    data: bytes
    layers: tuple[str, ...]


# ---- saves ----


class SaveKind(NamedTuple):
    """What a save holds inside its layers.

    `name`: "packet", "packets", "records", "records-be", "project", "resource", "json", "json-lines",
    "config", "text" or "binary-resource". `text`: it is text, of which only what changes is written
    anew. `named`: its values are found by name. `several`: it may have any number of values.
    `made`: its packets are no bytes of it, and Objects in them need no `objects=True`.
    `only_read`: it can't be changed or written.
    """

    name: str
    text: bool
    named: bool
    several: bool
    made: bool
    only_read: bool


class Reading(NamedTuple):
    """What some bytes may be, or are not, and why. "unknown" is a value that holds a save."""

    name: str
    reason: str


class Finding(NamedTuple):
    """One layer or one document of a save, and why it is that.

    `at`: of a layer that is a value, where it stands: "#0 $.data"; "" for the only value. Of a pack:
    the name of the file that is inside.
    `opened_with`: the name of the one of `keys=` that fitted, else "". `layer`: its number among
    the layers; None for a document. `others`: what else it may be; `ruled_out`: what it looks like
    and is not.
    """

    name: str
    reason: str
    at: str
    opened_with: str
    layer: int | None
    others: tuple[Reading, ...]
    ruled_out: tuple[Reading, ...]


class FoundCode(NamedTuple):
    """A place of a save at which engines run, load or make something when they open it.

    `kind`: "embedded_script" (a script in the file), "loaded_script" (one that engines load),
    "outside_file" (another file that they load, which is none of the game's own), "made_object" (an
    Object of a class that is not known to be harmless). `what`: the class, the file, or the
    reference: "GDScript", "res://pet.gd", 'SubResource("1")'.
    """

    kind: str
    path: str
    what: str


class Code(NamedTuple):
    """The first places of a save with code, and how many there are in all."""

    places: list[FoundCode]
    total: int


class Identified(NamedTuple):
    """What some bytes are: the stack in words, and what was found, from the outermost inwards.

    `error`: why a layer could not be opened, or None. Bytes in no known format are "foreign" or
    "unknown".
    """

    stack: str
    findings: tuple[Finding, ...]
    error: Error | None


class Entry(NamedTuple):
    """A file of a pack (PCK) or of a browser's export.

    `name`: as it stands; bytes that are no UTF-8 are surrogates. `hostile_name`: it leads out of its
    folder, is an absolute path or has control or hidden characters; do not write a file of this name.
    `size`: of its content. `offset`: where its bytes stand in the pack, or None. `md5`: or None.
    `opens`: the content is there. `notes`: what is remarkable, in words.
    """

    name: str
    size: int
    offset: int | None
    md5: bytes | None
    encrypted: bool
    opens: bool
    hostile_name: bool
    notes: tuple[str, ...]


class Entries(NamedTuple):
    """The files of a pack (PCK) or of a browser's export: "format 3 of Godot 4.6.3, 6 files"."""

    description: str
    entries: tuple[Entry, ...]


class Recovered(NamedTuple):
    """A value that was recovered.

    `name`: of a setting, else "". `offset`: where it was read, in what the innermost layer holds.
    `state`: "whole", "resized" (the length before it was wrong) or "partial" (up to a break); then
    `at` is the path of the break, and `error` says why. `found_again`: behind a break, by its
    content. `doubtful`: from bytes that may be wrong, as a checksum shows. `line`: of a text, where the
    break is, else 0.
    """

    name: str
    packet: bytes
    offset: int
    state: str
    at: str
    error: Error | None
    found_again: bool
    doubtful: bool
    line: int


class Lost(NamedTuple):
    """Bytes that give no value, or that may be wrong (`doubtful`), and why.

    They are those of a layer's content, by its number; `layer` is None for what the innermost one
    holds. Of a text: the `line` in which they begin (else 0), and the path of what is lost in `at`.
    """

    begin: int
    end: int
    layer: int | None
    doubtful: bool
    code: str
    reason: str
    at: str
    line: int


class Recovery(NamedTuple):
    """What could be read of a damaged save: `data` is a sound save of it (docs/recover.md).

    `sound`: nothing was wrong. `dialect_certain`: it was given, or is the only one that fits.
    `items` are the values, `lost` is what of the layers and the document is not there or doubtful,
    `notes` says what else is wrong.
    """

    data: bytes
    sound: bool
    stack: str
    layers: tuple[str, ...]
    kind: SaveKind
    dialect: str
    dialect_certain: bool
    items: tuple[Recovered, ...]
    lost: tuple[Lost, ...]
    notes: tuple[str, ...]
