"""The inputs of the C++ fuzz targets through Python: the kept corpora, the finds, and the seeds
made of the recordings (fuzz/README.md). Nothing crashes, only gdvar's own errors come out, and the
laws hold."""

from __future__ import annotations

import dataclasses
import enum
import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from support import DIALECTS, has_node_path, mutate, same
from vectors import DATA, SOURCE, all_vectors, damaged

import gdvar

sys.path.append(str(SOURCE / "tests" / "support"))
import worst_case_inputs  # type: ignore[import-not-found]  # noqa: E402

FUZZ = SOURCE / "fuzz"
# Under a sanitizer fewer of the many seeds are taken.
STEP = 8 if "libclang_rt" in os.environ.get("LD_PRELOAD", "") else 1


@dataclasses.dataclass
class Player:
    name: str
    hp: int = 100
    pos: gdvar.Vector3 | None = None
    items: list[Player] = dataclasses.field(default_factory=lambda: [])


class Mode(enum.IntEnum):
    OFF = 0
    ON = 1


TYPES: list[Any] = [
    Any,
    list[Any],
    dict[str, Any],
    dict[Any, list[int]],
    Player,
    list[Player] | None,
    int | str | None,
    Mode,
    tuple[int, ...],
    gdvar.PackedByteArray,
    set[float],
]


class Packet(NamedTuple):
    data: bytes
    dialect: str
    objects: bool
    strict: bool
    limits: gdvar.Limits


def read_as_target(data: bytes) -> Packet:
    """As fuzz/packet.hpp reads it: the second byte chooses the dialect and the options."""
    choice = data[1] if len(data) > 1 else 0
    dialect = DIALECTS[(choice & 15) % len(DIALECTS)]
    limits = gdvar.NETWORK if choice == 255 else gdvar.Limits()
    return Packet(data[:1] + b"\0" + data[2:], dialect, not choice & 16, bool(choice & 32), limits)


def taken(call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What a call gives, or None where it refuses with an error of gdvar's own."""
    try:
        return call(*arguments, **options)
    except gdvar.Error as error:
        assert error.code and str(error), repr(error)
        return None


def use_packet(data: bytes, number: int) -> None:
    packet = read_as_target(data)
    data = packet.data
    options: dict[str, Any] = {
        "dialect": packet.dialect,
        "objects": packet.objects,
        "limits": packet.limits,
    }
    try:
        value = gdvar.loads(data, strict=packet.strict, **options)
    except gdvar.DecodeError as error:
        for read in (gdvar.validate, gdvar.Document):
            with pytest.raises(type(error)) as other:
                read(data, strict=packet.strict, **options)
            assert str(other.value) == str(error)
        taken(gdvar.decode, data, TYPES[number % len(TYPES)], **options)
        return
    size = gdvar.validate(data, strict=packet.strict, **options)
    assert size <= len(data)
    document = gdvar.Document(data, **options)
    assert same(document.value(), value)
    again = taken(gdvar.dumps, value, **options)
    if again is None:
        # The old form of a NodePath may have bytes that are not UTF-8, its names may not.
        assert packet.dialect.startswith("page") and has_node_path(value)
        return
    assert same(gdvar.loads(again, **options), value)
    assert same(gdvar.decode(data, Any, **options), value)
    taken(gdvar.decode, data, TYPES[number % len(TYPES)], **options)
    use_inspection(data, value, packet, number)


def use_inspection(data: bytes, value: Any, packet: Packet, number: int) -> None:
    dialect = packet.dialect
    options: dict[str, Any] = {"dialect": dialect, "objects": packet.objects}
    # All of it for one in a few: the rest is C++ that is fuzzed as it is.
    kind = number % 6
    if kind == 0:
        rows = gdvar.annotate(data, **options).rows
        assert sum(row.size for row in rows) >= gdvar.validate(data, **options)
        gdvar.check(data, **options)
        gdvar.guess(data)
    elif kind == 1:
        text = gdvar.to_json(value, dialect=dialect)
        assert same(gdvar.from_json(text, **options), value)
    elif kind == 2:
        taken(gdvar.convert, data, DIALECTS[number % len(DIALECTS)], losses=[], **options)
    elif kind == 3:
        text = gdvar.to_text_full(value, dialect=dialect)
        assert same(gdvar.from_text_full(text, **options), value)
        taken(gdvar.to_plain_json, value, losses=[], dialect=dialect)
    elif kind == 4:
        walk(gdvar.Document(data, **options))
    else:
        taken(gdvar.erase_value, data, "$[0]", **options)
        taken(gdvar.set_value, data, "$.a", value, **options)


def walk(view: Any) -> None:
    """Every container of a Document, by its Views."""
    left = [view]
    while left:
        at = left.pop()
        repr(at)
        if at.type in ("Array", "PackedTypedArray"):
            children = list(at)
            assert len(children) == len(at)
        elif at.type in ("Dictionary", "Object") and " of " in repr(
            at
        ):  # a null Object has no keys
            items = list(at.items())
            assert [type(k) for k, _ in items] == [type(k) for k in at.keys()] and len(
                items
            ) == len(at)
            children = [part for pair in items for part in pair]
        else:
            continue
        left += [child for child in children if isinstance(child, gdvar.View)]


def use_text(data: bytes, number: int) -> None:
    text = data[:-1].decode("utf-8", "surrogateescape")
    for read in (gdvar.str_to_var, gdvar.from_text_full):
        for dialect in ("godot-4.4", "godot-3.1"):
            value = taken(read, text, dialect=dialect, objects=True)
            if value is not None:
                packet = gdvar.dumps(value, dialect=dialect, objects=True)
                assert same(gdvar.loads(packet, dialect=dialect, objects=True), value)


def use_json(data: bytes, number: int) -> None:
    text = data[:-1].decode("utf-8", "surrogateescape")
    for read in (gdvar.from_json, gdvar.from_plain_json):
        value = taken(read, text, objects=True)
        if value is not None:
            assert same(gdvar.loads(gdvar.dumps(value, objects=True), objects=True), value)


def use_path(data: bytes, number: int) -> None:
    cut = max(0, len(data) - 1 - (data[-1] if data else 0))
    packet, path = data[:cut], data[cut:-1].decode("utf-8", "surrogateescape")
    taken(gdvar.lookup, packet, path, objects=True)
    document = taken(gdvar.Document, packet, objects=True)
    if document is not None:
        try:
            document.get(path)
        except gdvar.Error:
            pass
    changed = taken(gdvar.set_value, packet, path, [1], objects=True)
    if changed is not None:
        gdvar.validate(changed, objects=True)


def use_stream(data: bytes, number: int) -> None:
    framer = gdvar.StreamFramer(big_endian=bool(number & 1), max_packet=4096)
    try:
        for at in range(0, len(data), 7):
            framer.feed(data[at : at + 7])
            for packet in framer:
                taken(gdvar.loads, packet)
        framer.finish()
    except gdvar.Error as error:
        assert error.code


def use_container(data: bytes, number: int) -> None:
    taken(gdvar.unwrap, data, password="p", max_bytes=1 << 20)
    taken(gdvar.unwrap, data, key=b"k" * 32, max_bytes=1 << 20)
    save = taken(gdvar.read_save, data, max_bytes=1 << 20, objects=True)
    # A value of a damaged save may be broken.
    values = taken(list, save) if save is not None else None
    if save is not None and values is not None:
        assert len(values) == len(save)
        written = taken(save.bytes)  # binary resources are only read
        if written is not None:
            again = gdvar.read_save(written, dialect=save.dialect or None, objects=True)
            assert same(list(again), values)


# The use of each target's inputs in Python.
USES = {
    "annotate": use_packet,
    "diff": use_packet,
    "binding": use_packet,
    "reader": use_packet,
    "roundtrip": use_packet,
    "path": use_path,
    "text": use_text,
    "json": use_json,
    "framing": use_stream,
    "debugger": use_stream,
    "enet": use_stream,
    "websocket": use_stream,
    "multiplayer": use_packet,
    "c_interface": use_packet,
    "container": use_container,
    "save": use_container,
    "recover": use_container,
    "binary_resource": use_container,
    "pack": use_container,
    "rewrite": use_text,
    "sections": use_text,
}


def files_of(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.iterdir()) if path.is_file())


@pytest.mark.parametrize("kind", ["corpus", "crashers"])
def test_kept_inputs(kind: str) -> None:
    folders = [path for path in sorted((FUZZ / kind).iterdir()) if path.is_dir()]
    assert folders
    for folder in folders:
        for number, path in enumerate(files_of(folder)):
            data = path.read_bytes()
            USES[folder.name](data, number)
            # Whatever it was meant for, it is also bytes.
            use_packet(data, number)


# ---- seeds, as fuzz/seeds.py makes them ----

PATHS = [
    "$", "$.a", "$[0]", "$[-1]", "$[+]", ".x", "$.new.pos", "$[1].y", "$.origin.x", "$[*][*]",
    "$.basis.y.z", "$[@0]", '$["odd key"]', "$[Vector2i(1, 2)]", "$.size.x", "$[0][0]", "$[",
]  # fmt: skip


def recorded() -> Iterator[tuple[int, bytes]]:
    """Sound and damaged packets, numbered: one of a few under a sanitizer."""
    packets = [v.data for v in all_vectors() if len(v.data) < 4096] + damaged()
    return ((i, data) for i, data in enumerate(packets) if i % STEP == 0)


def test_recorded_packets_in_any_dialect() -> None:
    for number, data in recorded():
        for choice in (number % len(DIALECTS), number * 7 % 64):
            use_packet(data[:1] + bytes([choice]) + data[2:], number)


def test_recorded_packets_with_paths() -> None:
    for number, data in recorded():
        path = PATHS[number % len(PATHS)].encode()
        use_path(data + path + bytes([len(path)]), number)


def test_recorded_packets_as_streams() -> None:
    for number, data in recorded():
        if len(data) < 1000:
            order: Literal["big", "little"] = "big" if number & 1 else "little"
            use_stream((len(data).to_bytes(4, order) + data) * 2 + data[:9], number)


@pytest.mark.parametrize("engine", ["godot-4.6.3", "godot-3.6.2"])
def test_recorded_texts(engine: str) -> None:
    lines = (DATA / "vectors" / f"{engine}-text.ndjson").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines[:: 2 * STEP]):
        row = json.loads(line)
        if "t" in row:
            use_text(row["t"].encode() + b"?", number)
            use_json(row["t"].encode() + b"?", number)


def test_recorded_json() -> None:
    chance = random.Random(1)
    for number, vector in enumerate(all_vectors()):
        if vector.json and number % STEP == 0:
            use_json(vector.json.encode() + b"?", number)
            use_json(mutate(vector.json.encode(), chance) + b"?", number)


@pytest.mark.parametrize("kind", ["packets", "pairs", "texts"])
def test_worst_cases(kind: str) -> None:
    """The costliest inputs that are known, of 64 KiB; smaller under a sanitizer."""
    for number, make in enumerate(getattr(worst_case_inputs, kind).values()):
        made = make((64 << 10) // STEP)
        if kind == "texts":
            use_text(made + b"?", number)
            use_json(made + b"?", number)
        for data in made if kind == "pairs" else (made,):
            for turn in range(6):
                use_packet(data, turn)
