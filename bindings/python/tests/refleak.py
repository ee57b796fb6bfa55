"""Looks for growth: every function of the package, called again and again, with sound packets,
damaged ones, and values that can't be written.

Usage: refleak.py [ROUNDS]     (a million without an argument)

Prints a line for each job: calls, seconds, memory blocks of Python, its references (in a debug
build) and the resident memory that came to stay. Ends with 1 if something grew.
"""

# Values are of wrong types on purpose.
# mypy: disable-error-code="arg-type,list-item"
# pyright: basic, reportArgumentType=false, reportUnusedExpression=false

from __future__ import annotations

import contextlib
import dataclasses
import gc
import sys
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from vectors import DATA, all_vectors, damaged

import gdvar

Job = Callable[[int], object]


@dataclasses.dataclass
class Player:
    name: str
    hp: int
    pos: gdvar.Vector3
    tags: list[str]


PLAYER = {"name": "Ada", "hp": 100, "pos": gdvar.Vector3(1.0, 2.0, 3.0), "tags": ["a", "b"]}
PACKET = gdvar.dumps(PLAYER)
VECTORS = [v for v in all_vectors() if len(v.data) < 1000]
DAMAGED = [data for data in damaged() if len(data) < 400]
VALUES = [(gdvar.loads(v.data, dialect=v.dialect, objects=True), v.dialect) for v in VECTORS]
NODE = gdvar.loads(PACKET)
ARRAYS: list[Any] = [
    gdvar.PackedVector3Array([(1, 2, 3)] * 9),
    gdvar.PackedByteArray(bytes(50)),
    gdvar.PackedInt64Array([1]),
]
UNWRITABLE: list[Any] = [
    object(),
    [2**64],
    {"a": 1j},
    gdvar.Vector2i(1.5, 2),
    gdvar.Array([1], "int"),
    "\ud800",
    gdvar.PackedStringArray([1]),
    gdvar.Pairs([1]),
    {"a": [gdvar.RID("x")]},
    np.zeros((2, 4)),
    gdvar.Object("N", {}),
    gdvar.NodePath.of([1]),
    np.zeros(3, "f2"),
]
SAVE = (DATA / "saves" / "godot-4.6.3" / "plain.save").read_bytes()
JSON, TEXT = gdvar.to_json(PLAYER), gdvar.var_to_str(PLAYER)
SECRET = gdvar.wrap(b"; mine\n[a]\nb = 1 ; here\n", "gdec-3 gzip", password="p")
OTHER = gdvar.read_save(b"[a]\nc=3\n")
EXPORTED = b'{"/userfs/godot/a.save": {"timestamp": "2024", "mode": 33206, "contents": {"0": 1}}}'
OUTER = b'{"data": "{\\"hp\\": 1}"}'
LOSSY = [gdvar.StringName("x"), "y"]
CHANGES = gdvar.diff(PACKET, gdvar.dumps({**PLAYER, "hp": 7}))


def quietly(call: Callable[..., object], *arguments: Any, **options: Any) -> None:
    with contextlib.suppress(gdvar.Error, TypeError, ValueError, RuntimeError, LookupError, ArithmeticError):
        call(*arguments, **options)


def load_any(i: int) -> None:
    vector = VECTORS[i % len(VECTORS)]
    gdvar.loads(vector.data, dialect=vector.dialect, objects=True)


def dump_any(i: int) -> None:
    value, dialect = VALUES[i % len(VALUES)]
    gdvar.dumps(value, dialect=dialect, objects=True)


def refuse_reading(i: int) -> None:
    data = DAMAGED[i % len(DAMAGED)]
    quietly((gdvar.loads, gdvar.validate, gdvar.Document)[i % 3], data)


def use_arrays(i: int) -> None:
    array = ARRAYS[i % len(ARRAYS)]
    part = gdvar.loads(gdvar.dumps([array]))[0][1:]
    for use in (np.asarray, memoryview, list, repr, bytes, type(array).copy, type(array).tolist):
        use(part)
    array.index(array[0]), array.count(None), array.elements, weakref.ref(array)
    quietly(array.index, None)
    quietly(lambda: array[100])
    quietly(lambda: type(array)([1j]))
    type(array).from_bytes(array.tobytes()) == array[::-1]
    quietly(type(array), np.zeros(3))


def use_document(i: int) -> None:
    document = gdvar.Document(PACKET)
    document["name"], document["tags"][0], document.get("$.pos.x"), document.get("$.tags[*]")
    (
        list(document),
        list(document.items()),
        "hp" in document,
        len(document),
        repr(document),
        document.value(),
    )
    document["tags"][::-1], document["tags"].index("a"), document["tags"].count(1), bool(document)
    list(reversed(document)), gdvar.dumps([document]), weakref.ref(document["tags"])
    quietly(document["tags"].index, None)
    quietly(lambda: document["no"])
    quietly(document.get, "$.no")
    quietly(document.get, "$[")


def decode_typed(i: int) -> None:
    player = gdvar.decode(PACKET, Player)
    gdvar.encode(player)
    quietly(gdvar.decode, PACKET, list[int])
    quietly(gdvar.decode, DAMAGED[i % len(DAMAGED)], Player)


def use_hooks(i: int) -> None:
    gdvar.decode(gdvar.encode([1j, i], enc_hook=repr), list[complex | int], dec_hook=lambda t, v: t(v))
    gdvar.decode(gdvar.encode(gdvar.Array([i]), type=gdvar.Array[int]), gdvar.Array[int])
    gdvar.encode({"a": i}, type=gdvar.Dictionary[str, int])
    gdvar.encode((np.int64(1), np.float32(1)), type=tuple[int, float])
    gdvar.encode(np.zeros((2, 3)), type=gdvar.PackedVector3Array)
    gdvar.loads(gdvar.dumps(ARRAYS), packed="list")
    quietly(gdvar.encode, [1j], enc_hook=lambda made: made)
    quietly(gdvar.encode, [1j], enc_hook=lambda made: 1 // 0)
    quietly(gdvar.decode, PACKET, dict[str, complex], dec_hook=lambda t, v: v)
    quietly(gdvar.decode, PACKET, complex)
    quietly(gdvar.encode, np.zeros(3), type=gdvar.PackedVector3Array)


def inspect(i: int) -> None:
    (
        gdvar.annotate(PACKET),
        gdvar.check(PACKET),
        gdvar.guess(PACKET),
        gdvar.lookup(PACKET, "$.tags[*]"),
    )
    quietly(gdvar.annotate, DAMAGED[i % len(DAMAGED)])


def change(i: int) -> None:
    gdvar.set_value(PACKET, "$.hp", i), gdvar.erase_value(PACKET, "$.hp")
    (
        gdvar.convert(PACKET, "godot-3.1"),
        gdvar.patch(PACKET, CHANGES),
        gdvar.diff(PACKET, gdvar.dumps(i)),
    )
    quietly(gdvar.patch, PACKET, [{"a": 1}])
    quietly(gdvar.convert, gdvar.dumps([gdvar.StringName("a")]), "godot-3.1")
    quietly(gdvar.set_value, PACKET, "$.no.no", 1)


def use_text(i: int) -> None:
    gdvar.from_json(JSON), gdvar.to_json(PLAYER), gdvar.str_to_var(TEXT), gdvar.var_to_str(PLAYER)
    quietly(gdvar.from_json, JSON[: i % len(JSON)])
    quietly(gdvar.str_to_var, TEXT[: i % len(TEXT)])


def use_saves(i: int) -> None:
    save = gdvar.read_save(SAVE)
    list(save), save.names, save.bytes()
    quietly(gdvar.read_save, SAVE[: i % len(SAVE)])
    quietly(gdvar.unwrap, b"GCPF" + PACKET)


def use_documents(i: int) -> None:
    save = gdvar.read_save(SECRET, keys={"no": "q", "yes": "p"}, readings=True)
    save.kind, save.stack, save.findings, save.code(), save.opened_with, save[0]
    save.set("$.a.b", i)
    save.rename("$.a.b", "c")
    changes = save.diff(OTHER)
    save.patch(changes)
    save.convert("godot3", layers="gzip")
    quietly(save.patch, changes)
    quietly(save.convert, "godot3", layers="tar")
    quietly(gdvar.read_save, SECRET, keys={"x": i})
    quietly(gdvar.read_save, OUTER, inside=["$.data", "$.none"])
    gdvar.read_save(OUTER, inside="$.data").bytes()
    gdvar.identify(SECRET), gdvar.identify(SECRET, password="p"), gdvar.save_kinds()
    gdvar.read_entries(EXPORTED)
    quietly(gdvar.read_entries, OUTER)
    quietly(gdvar.list_entries, "/nowhere/there")
    quietly(lambda: gdvar.read_save(gdvar.make_save("records", LOSSY)).convert("godot3"))
    quietly(gdvar.make_save, "json", LOSSY)


def recover_any(i: int) -> None:
    gdvar.recover(SAVE[: len(SAVE) - i % 100], layers="gzip")
    quietly(gdvar.recover, SAVE[: i % 20])


def use_streams(i: int) -> None:
    framer = gdvar.StreamFramer()
    framer.feed(gdvar.frame(PACKET) * 2 + b"\x07")
    list(framer), framer.need
    quietly(framer.finish)


class Case(NamedTuple):
    job: Job
    share: int  # of the rounds: one in so many


JOBS: dict[str, Case] = {
    "loads, one packet": Case(lambda i: gdvar.loads(PACKET), 1),
    "loads, all vectors": Case(load_any, 1),
    "loads of a bytearray": Case(lambda i: gdvar.loads(bytearray(PACKET)), 4),
    "dumps, one value": Case(lambda i: gdvar.dumps(PLAYER), 1),
    "dumps, all vectors": Case(dump_any, 1),
    "errors of reading": Case(refuse_reading, 4),
    "errors of writing": Case(lambda i: quietly(gdvar.dumps, UNWRITABLE[i % len(UNWRITABLE)]), 4),
    "errors of arguments": Case(lambda i: quietly(gdvar.loads, PACKET, dialect="no"), 4),
    "packed arrays": Case(use_arrays, 10),
    "Document": Case(use_document, 10),
    "decode and encode": Case(decode_typed, 10),
    "hooks, typed Arrays, numpy": Case(use_hooks, 40),
    "annotate, check, guess, lookup": Case(inspect, 40),
    "set, erase, convert, patch, diff": Case(change, 40),
    "text and JSON": Case(use_text, 40),
    "saves": Case(use_saves, 100),
    "saves of text, whole": Case(use_documents, 100),
    "recover": Case(recover_any, 200),
    "streams": Case(use_streams, 10),
}


def resident() -> int:
    """Resident memory in KiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


class Grown(NamedTuple):
    blocks: int
    references: int
    kib: int


def measure(job: Job, rounds: int) -> Grown:
    """What stays after `rounds` calls, once what is kept on purpose has been filled."""
    total = getattr(sys, "gettotalrefcount", lambda: 0)
    for i in range(rounds // 4 + 2000):
        job(i)
    gc.collect()
    before = sys.getallocatedblocks(), total(), resident()
    for i in range(rounds):
        job(i)
    gc.collect()
    after = sys.getallocatedblocks(), total(), resident()
    return Grown(*(b - a for a, b in zip(before, after, strict=True)))


def has_grown(grown: Grown, rounds: int) -> bool:
    """Whether it is more than the odd object."""
    most = 200 + rounds // 5000
    return grown.blocks > most or grown.references > most or grown.kib > 4096


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    failed = 0
    for name, case in JOBS.items():
        count = rounds // case.share
        started = time.monotonic()
        grown = measure(case.job, count)
        bad = has_grown(grown, count)
        failed += bad
        seconds = time.monotonic() - started
        print(
            f"{name:34} {count:8} calls {seconds:6.1f} s {grown.blocks:+7} blocks "
            f"{grown.references:+7} references "
            f"{grown.kib:+6} KiB{'  GROWS' if bad else ''}",
            flush=True,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
