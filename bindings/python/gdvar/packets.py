"""Results of the functions on packets and saves. The extension imports this module."""

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

    `type` is "Vector3", "header", "count", "padding", ...; `note` has quirks, and the reason of a
    break. `size` is 0 only for the row that reports the break. A path of more than 1000 bytes is
    shortened in its middle.
    """

    offset: int
    size: int
    path: str
    type: str
    value: str
    note: str


class Annotation(NamedTuple):
    """Every field of a packet, without a gap, and the result of reading it.

    `size` is the packet's size in bytes. For a broken packet it is None, `error` has the reason,
    and `rows` go on to the end of the bytes: the fields up to the break, the unknown rest, and a
    row of size 0 with the reason. `total` is the number of all rows; `rows` has the first of them,
    as many as requested.
    """

    rows: list[Row]
    size: int | None
    error: DecodeError | None
    total: int


class Quirk(NamedTuple):
    """An irregularity that engines accept. All names: docs/errors.md."""

    name: str
    path: str
    offset: int


class Check(NamedTuple):
    """The first quirks of a packet, and their total number."""

    quirks: list[Quirk]
    total: int


class Candidate(NamedTuple):
    """A dialect's reading of the packets.

    `fits`: every packet is read with nothing left over. `oddities`: number of details that this
    dialect's engines would not have written. `reason`: a description in words.
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
    """A match of a path, with its own path."""

    path: str
    value: Any


class Loss(NamedTuple):
    """A value that could not be kept: its path, its description, its replacement ("" if none).

    A path of more than 1000 bytes is shortened in its middle.
    """

    path: str
    what: str
    substitution: str
    type: str


class StaleSum(NamedTuple):
    """A number or a text beside changed data that was its size or checksum.

    `path`: its place ("byte 4": in the bytes that `skip` skips); `of`: "the MD5 of $.data"; `was`:
    the old text; `now`: the correct one, "" if that is not certain; `mended`: the written bytes
    have it; `text`: all of it as a sentence.
    """

    path: str
    of: str
    was: str
    now: str
    mended: bool
    text: str


class Unwrapped(NamedTuple):
    """The content of the layers, and their names from the outermost inwards."""

    data: bytes
    layers: tuple[str, ...]


# ---- saves ----


class SaveKind(NamedTuple):
    """The kind of document inside a save's layers.

    `name`: "packet", "packets", "records", "records-be", "project", "resource", "json",
    "json-lines", "config", "text" or "binary-resource". `text`: it is text; only changed parts are
    written anew. `named`: its values are found by name. `several`: it may have any number of
    values. `made`: its packets are not bytes of it, and Objects in them need no `objects=True`.
    `only_read`: it can't be changed or written.
    """

    name: str
    text: bool
    named: bool
    several: bool
    made: bool
    only_read: bool


class Reading(NamedTuple):
    """A possible or excluded reading of bytes, with its reason. "unknown" is a value that holds a
    save."""

    name: str
    reason: str


class Finding(NamedTuple):
    """One layer or one document of a save, with the reason.

    `at`: for a layer that is a value, its path: "#0 $.data"; "" for the only value. For a pack: the
    name of the opened file. `opened_with`: the name of the matching one of `keys=`, else "".
    `layer`: its number among the layers; None for a document. `others`: other possible readings;
    `ruled_out`: formats that it resembles but is not.
    """

    name: str
    reason: str
    at: str
    opened_with: str
    layer: int | None
    others: tuple[Reading, ...]
    ruled_out: tuple[Reading, ...]


class FoundCode(NamedTuple):
    """A place of a save at which engines run, load or instantiate something when they open it.

    `kind`: "embedded_script" (a script in the file), "loaded_script" (one that engines load),
    "outside_file" (another file that they load, outside the game), "made_object" (an Object of a
    class that is not known to be harmless). `what`: the class, the file, or the reference:
    "GDScript", "res://pet.gd", 'SubResource("1")'.
    """

    kind: str
    path: str
    what: str


class Code(NamedTuple):
    """The first places of a save with code, and their total number."""

    places: list[FoundCode]
    total: int


class Identified(NamedTuple):
    """The identification of bytes: the stack in words, and the findings, from the outermost
    inwards.

    `error`: why a layer could not be opened, or None. Bytes in no known format are "foreign" or
    "unknown".
    """

    stack: str
    findings: tuple[Finding, ...]
    error: Error | None


class Entry(NamedTuple):
    """A file of a pack (PCK) or of a browser's export.

    `name`: as in the archive; bytes that are not UTF-8 are surrogates. `hostile_name`: it leads out
    of its folder, is an absolute path or has control or hidden characters; do not write a file of
    this name. `size`: of its content. `offset`: the place of its bytes in the pack, or None. `md5`:
    or None. `opens`: the content exists. `notes`: suspicious properties, in words.
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
    """A recovered value.

    `name`: of a setting, else "". `offset`: its place in the innermost layer's content. `state`:
    "whole", "resized" (the length before it was wrong) or "partial" (up to a break); then `at` is
    the path of the break, and `error` has the reason. `found_again`: found by its content behind a
    break. `doubtful`: from bytes that may be wrong, according to a checksum. `line`: for a text,
    the line of the break, else 0.
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
    """Bytes without a value, or that may be wrong (`doubtful`), with the reason.

    They are bytes of a layer's content, by its number; `layer` is None for the innermost layer's
    content. For a text: their first `line` (else 0), and the path of the loss in `at`.
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
    """The readable part of a damaged save: `data` is a sound save of it (docs/recover.md).

    `sound`: there was no fault. `dialect_certain`: it was given, or is the only one that fits.
    `items` are the values, `lost` the missing or doubtful bytes of the layers and the document,
    `notes` other faults.
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
