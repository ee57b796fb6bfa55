"""No function of the extension loses memory: run in a build with ASan, whose LeakSanitizer says at the end what was lost.

Each function is called with values that it takes and with such that it refuses. pytest and numpy, which lose memory of
their own, are not loaded. Objects that Python can still reach are not lost: refleak.py looks for that.

Usage: leaks.py
"""

from __future__ import annotations

import contextlib
import gc
import io
import sys
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vectors import all_vectors, damaged, saves, vectors

import gdvar
from gdvar import _gdvar

VECTORS = list(all_vectors())
# One in eight of each engine's packets: all types are among them.
SOME = VECTORS[::8]
DAMAGED = damaged()[::40]
VALUE = {"name": "Ada", "bag": ["rope", 3], "pos": gdvar.Vector3(1, 2, 3), "at": gdvar.PackedInt32Array([1, 2])}
PACKET = gdvar.dumps(VALUE)
FOLDER = tempfile.TemporaryDirectory()

operations: list[Callable[[], None]] = []
covered: set[str] = set()


def operation(*names: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Marks a function that runs these names of the extension."""

    def mark(function: Callable[[], None]) -> Callable[[], None]:
        operations.append(function)
        covered.update(names)
        return function

    return mark


def refused(function: Callable[..., object], *arguments: Any, **options: Any) -> None:
    """The function must refuse these."""
    try:
        function(*arguments, **options)
    except (gdvar.Error, TypeError, ValueError, OverflowError, LookupError):
        return
    raise AssertionError(f"{function} took {arguments!r}, {options!r}")


@operation("load", "loads", "dump", "dumps", "validate")
def packets() -> None:
    for vector in SOME:
        options: dict[str, Any] = {"dialect": vector.dialect, "objects": True}
        value = gdvar.loads(vector.data, **options)
        gdvar.dumps(value, **options)
        gdvar.validate(memoryview(vector.data), **options)
        repr(value)
    for data in DAMAGED:
        with contextlib.suppress(gdvar.Error):
            gdvar.loads(data, objects=True)
    for end in range(0, len(PACKET), 4):
        refused(gdvar.loads, PACKET[:end])
    refused(gdvar.loads, PACKET, dialect="none")
    refused(gdvar.loads, PACKET, dialect="4.3")
    refused(gdvar.load, io.BytesIO(PACKET[:8]))
    file = io.BytesIO(PACKET)
    assert gdvar.load(file, packed="list") == VALUE | {"at": [1, 2]}
    gdvar.dump([gdvar.Document(PACKET)], file)
    refused(gdvar.loads, PACKET, limits=gdvar.Limits(depth=1))
    refused(gdvar.loads, "text")
    refused(gdvar.validate, b"")


class Refusing:
    """An object that no packet can hold."""


@operation("dumps")
def values_that_are_refused() -> None:
    refused(gdvar.dumps, [[{"a": Refusing()}]])
    refused(gdvar.dumps, {"a": 2**64})
    refused(gdvar.dumps, gdvar.Object("Node", {"a": [1]}))
    refused(gdvar.dumps, {"a": gdvar.Vector3(1, 2, "3")})  # type: ignore[arg-type]
    refused(gdvar.dumps, [gdvar.PackedVector4Array([(1, 2, 3, 4)])], dialect="godot-3.1")
    deep: list[Any] = []
    for _ in range(2000):
        deep = [deep]
    refused(gdvar.dumps, deep)
    round_trip: list[Any] = []
    round_trip.append(round_trip)
    refused(gdvar.dumps, round_trip)


@operation("Document", "View")
def documents() -> None:
    for vector in SOME:
        document = gdvar.Document(vector.data, dialect=vector.dialect, objects=True)
        document.value()
        assert document.packet
        if document.type in ("Dictionary", "Array"):
            for part in document:
                repr(part)
    document = gdvar.Document(bytearray(PACKET))
    assert document["bag"][1] == document.get("$.bag[1]") == 3
    assert document.get("$.none", None) is None and "name" in document and len(document) == 4
    assert list(document.keys()) and list(document.values()) and list(document.items())
    assert document["bag"][::-1] == [3, "rope"] and document["bag"].count(3) == document["bag"].index(3) == 1
    assert document and list(reversed(document)) and document.get("bag") and weakref.ref(document)() is document
    refused(document["bag"].index, 9)
    refused(lambda: document["none"])
    refused(lambda: document["bag"][9])
    refused(document.get, "$..[")
    refused(gdvar.Document, PACKET[:-4])


@operation(
    "PackedByteArray", "PackedInt32Array", "PackedInt64Array", "PackedFloat32Array", "PackedFloat64Array",
    "PackedVector2Array", "PackedVector3Array", "PackedVector4Array", "PackedColorArray", "PackedVector2iArray",
    "PackedVector3iArray", "PackedVector4iArray",
)  # fmt: skip
def packed_arrays() -> None:
    kinds: list[tuple[Any, list[Any]]] = [
        (gdvar.PackedByteArray, [1, 255]), (gdvar.PackedInt32Array, [1, -2]), (gdvar.PackedInt64Array, [1, -2]),
        (gdvar.PackedFloat32Array, [1.5, 2]), (gdvar.PackedFloat64Array, [1.5, 2]),
        (gdvar.PackedVector2Array, [(1, 2)]), (gdvar.PackedVector3Array, [(1, 2, 3)]),
        (gdvar.PackedVector4Array, [(1, 2, 3, 4)]), (gdvar.PackedColorArray, [(1, 2, 3, 4)]),
        (gdvar.PackedVector2iArray, [(1, 2)]), (gdvar.PackedVector3iArray, [(1, 2, 3)]),
        (gdvar.PackedVector4iArray, [(1, 2, 3, 4)]),
    ]  # fmt: skip
    for kind, items in kinds:
        made = kind(iter(items))
        again = kind.from_bytes(bytearray(made.tobytes()))
        assert made == again == kind(memoryview(made)) == made.copy() == made[:] and made[0] in made
        assert list(made) == made.tolist() == made.elements and len(made[::-1]) == len(made)
        assert made.index(made[0]) == 0 and made.count(made[0])
        assert weakref.ref(made)() is not None
        refused(made.index, "none")
        dialect = "pandemonium-5" if "i" in kind.__name__[-8:] else "godot-4.4"
        assert gdvar.loads(gdvar.dumps(made, dialect=dialect), dialect=dialect) == made and repr(made)
        refused(kind, ["text"])
        refused(kind, 5)
        refused(lambda made=made: made[99])
        refused(kind.from_bytes, "text")


@dataclass
class Player:
    name: str
    bag: list[str | int]
    pos: gdvar.Vector3
    at: gdvar.PackedInt32Array


@operation("decode", "encode", "_Plan", "_set_compiler")
def typed() -> None:
    player = gdvar.decode(PACKET, Player)
    assert gdvar.encode(player) == PACKET
    gdvar.decode(gdvar.dumps([{"a": 1}]), list[dict[str, float]])
    refused(gdvar.decode, PACKET, list[Player])
    refused(gdvar.decode, gdvar.dumps({"name": 1}), Player)
    refused(gdvar.decode, gdvar.dumps({**VALUE, "bag": [1.5]}), Player)
    refused(gdvar.decode, PACKET[:-4], Player)
    refused(gdvar.decode, PACKET, Refusing)
    typed_array = gdvar.encode(gdvar.Array([1]), type=gdvar.Array[int])
    assert gdvar.decode(typed_array, gdvar.Array[int]).type.type == "int"
    refused(gdvar.decode, PACKET, Refusing, dec_hook=lambda type_, value: value)
    assert gdvar.encode([Refusing()], enc_hook=lambda made: 1) == gdvar.dumps([1])
    refused(gdvar.encode, [Refusing()], enc_hook=lambda made: made)
    refused(gdvar.encode, Player("Ada", [], gdvar.Vector3(), b"a"))  # type: ignore[arg-type]
    refused(gdvar.encode, Player("Ada", [Refusing()], gdvar.Vector3(1, 2, 3), gdvar.PackedInt32Array()))  # type: ignore[list-item]


@operation("annotate", "check", "guess", "dialects", "error_meaning")
def looking() -> None:
    for vector in SOME:
        options: dict[str, Any] = {"dialect": vector.dialect, "objects": True}
        gdvar.annotate(vector.data, **options)
        gdvar.check(vector.data, **options)
        gdvar.guess(vector.data)
    for data in DAMAGED:
        gdvar.annotate(data)
    gdvar.guess([PACKET, PACKET])
    gdvar.dialects()
    gdvar.error_meaning("truncated")
    refused(gdvar.error_meaning, 5)
    refused(gdvar.guess, [5])
    refused(gdvar.annotate, 5)


@operation("lookup", "set_value", "erase_value", "convert", "diff", "patch")
def changing() -> None:
    gdvar.lookup(PACKET, "$..[*]")
    gdvar.set_value(PACKET, "$.bag[0]", ["x", {"y": 1}])
    other = gdvar.erase_value(PACKET, "$.pos")
    changes = gdvar.diff(PACKET, other)
    assert gdvar.patch(PACKET, changes) == other
    gdvar.convert(PACKET, "godot-3.1")
    lossy = gdvar.dumps({"a": gdvar.Vector4(1, 2, 3, 4)})
    losses: list[gdvar.Loss] = []
    gdvar.convert(lossy, "godot-3.1", losses=losses)
    refused(gdvar.convert, lossy, "godot-3.1")
    refused(gdvar.lookup, PACKET, "$.[")
    refused(gdvar.set_value, PACKET, "$.none.none", 1)
    refused(gdvar.set_value, PACKET, "$.name", Refusing())
    refused(gdvar.erase_value, PACKET, "$.none")
    refused(gdvar.patch, other, [*changes, {"wrong": 1}])
    refused(gdvar.diff, PACKET, b"")


@operation(
    "var_to_str", "str_to_var", "to_text_full", "from_text_full", "to_json", "from_json", "to_plain_json",
    "from_plain_json",
)  # fmt: skip
def texts() -> None:
    for vector in vectors("godot-4.6.3")[::8]:
        value = gdvar.loads(vector.data, objects=True)
        gdvar.var_to_str(value)
        gdvar.from_text_full(gdvar.to_text_full(value, indent=2), objects=True)
        gdvar.from_json(gdvar.to_json(value), objects=True)
        losses: list[gdvar.Loss] = []
        gdvar.to_plain_json(value, losses=losses)
    gdvar.str_to_var('{"a": [1, Vector2(1, 2)]}')
    gdvar.from_plain_json('{"a": [1, 2.5, null]}')
    refused(gdvar.str_to_var, '{"a": [1,')
    refused(gdvar.from_text_full, "Vector2(")
    refused(gdvar.from_json, '{"a": [1,')
    refused(gdvar.from_plain_json, "[1,")
    refused(gdvar.to_plain_json, {1: gdvar.Vector2(1, 2)})
    refused(gdvar.to_json, Refusing())
    refused(gdvar.var_to_str, Refusing())


@operation("wrap", "unwrap", "_save_read", "_save_open", "_SaveHandle")
def whole_saves() -> None:
    for engine in saves():
        for number, file in enumerate(engine.files):
            options = engine.opening(file)
            with gdvar.read_save(file.read_bytes(), **options) as save:
                repr([save, list(save.items())])
            copy = Path(FOLDER.name) / f"{engine.engine}-{number}"
            copy.write_bytes(file.read_bytes())
            with gdvar.open_save(copy, **options) as save:
                save.write()
    wrapped = gdvar.wrap(PACKET, "gcpf-zstd")
    assert gdvar.unwrap(wrapped).data == PACKET
    secret = gdvar.wrap(PACKET, ["gdec-4"], password="secret")
    refused(gdvar.unwrap, secret)
    refused(gdvar.unwrap, secret, password="wrong")
    refused(gdvar.unwrap, wrapped[:40])
    refused(gdvar.wrap, PACKET, "none")
    refused(gdvar.read_save, b"\0")
    refused(gdvar.read_save, 5)


@operation("_entries")
def files_in_a_file() -> None:
    exported = b'{"/userfs/godot/a.save": {"timestamp": "2024", "mode": 33206, "contents": {"0": 1}}}'
    repr(gdvar.read_entries(exported))
    repr(gdvar.read_entries(gdvar.wrap(exported, "gzip")))
    refused(gdvar.read_entries, b"words")
    refused(gdvar.read_entries, exported, key="x")
    refused(gdvar.read_entries, 5)
    refused(gdvar.list_entries, "/nowhere/there")


@operation("identify", "make_save", "save_kinds", "recover")
def saves_of_all_kinds() -> None:
    gdvar.save_kinds()
    config = b"; mine\n[a]\nb = 1 ; here\nnode=Object(Node,\"x\":1)\n"
    secret = gdvar.wrap(gdvar.wrap(config, "gzip"), "gdec-3", password="p")
    keys: dict[str, str | bytes] = {"no": "q", "a key": b"k" * 32, "yes": "p"}
    with gdvar.read_save(secret, keys=keys, readings=True) as save:
        repr([save.kind, save.stack, save.findings, save.code(), save.opened_with, save[0]])
        save.set("$.a.b", 2)
        save.rename("$.a.b", "c")
        other = gdvar.read_save(b"[a]\nc=3\n")
        changes = save.diff(other)
        save.patch(changes)
        refused(save.patch, changes)
        refused(save.patch, [{"wrong": 1}])
        refused(save.rename, "$.none", "x")
        refused(save.diff, gdvar.read_save(gdvar.make_save("records", [1, 2])))
        save.convert("godot3", layers="gzip")
        refused(save.convert, "none")
        refused(save.convert, "godot3", layers="tar")
    outer = b'{"data": "{\\"hp\\": 1}"}'
    gdvar.read_save(outer, inside=["$.data"]).bytes()
    for wrong in ("$.none", ["$.data", 5], 5):
        refused(gdvar.read_save, outer, inside=wrong)
    for bad in ({"x": 5}, {5: "x"}, {"x": ""}, 5):
        refused(gdvar.read_save, secret, keys=bad)
    repr([gdvar.identify(each) for each in (secret, b"", b"words", secret[:30], outer)])
    refused(gdvar.identify, outer, read_as="tar")
    records = gdvar.make_save("records", [VALUE] * 3)
    gdvar.make_save("project", {"a/b": 1})
    lossy = gdvar.read_save(gdvar.make_save("records", [gdvar.StringName("x")] * 2))
    lossy.convert("godot3", losses=[])
    refused(lossy.convert, "godot3")
    for kind, value in (("json", gdvar.Vector2(1, 2)), ("none", 1), ("records", Refusing()), ("project", [1])):
        refused(gdvar.make_save, kind, value)
    repr([gdvar.recover(records[:end], layers="gzip") for end in range(len(records) // 2, len(records), 9)])
    repr(gdvar.recover(gdvar.wrap(records * 50, "gcpf-fastlz")[:-30]))
    refused(gdvar.recover, b"nothing")
    refused(gdvar.recover, records, layers="gdec-4")


@operation("StreamFramer", "frame")
def streams() -> None:
    framer = gdvar.StreamFramer()
    data = gdvar.frame(PACKET) * 3
    for at in range(0, len(data), 7):
        framer.feed(memoryview(data)[at : at + 7])
    assert len(list(framer)) == 3
    framer.feed(data[:9])
    refused(framer.finish)
    hostile = gdvar.StreamFramer(max_packet=8)
    hostile.feed(b"\xff" * 8)
    refused(list, hostile)
    refused(gdvar.frame, "text")


def main() -> int:
    public = {name for name, value in vars(_gdvar).items() if callable(value)}
    missing = sorted(public - covered)
    if missing:
        print(f"nothing here runs {', '.join(missing)}")
    for function in operations:
        for _ in range(3):
            function()
    FOLDER.cleanup()
    gc.collect()
    print(f"{len(operations)} groups of calls ran")
    return 1 if missing else 0


sys.exit(main())
