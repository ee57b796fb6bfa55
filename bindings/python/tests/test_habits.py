"""First tries of Python programmers: packed arrays and Views as other sequences and mappings, files, pickle."""

from __future__ import annotations

import copy
import inspect
import io
import itertools
import json
import os
import pickle
import sys
import time
import types
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import gdvar
from gdvar import PackedByteArray, PackedFloat32Array, PackedInt32Array, PackedVector2Array, Vector2

VALUE: dict[Any, Any] = {
    "list": [1, 2.5, [3], {"x": 1}, 1, True],
    "none": [],
    "a.b": 7,
    "a": {"b": 8},
    "a b[": 9,
    5: "five",
    True: "yes",
}


def document() -> gdvar.Document:
    return gdvar.Document(gdvar.dumps(VALUE))


# ---- packed arrays ----


@pytest.mark.parametrize("name", [name for name in dir(gdvar) if name.startswith("Packed")])
def test_packed_arrays_are_sequences(name: str) -> None:
    made = getattr(gdvar, name)()
    assert isinstance(made, Sequence)
    assert list(reversed(made)) == []
    match made:
        case []:
            pass
        case _:
            pytest.fail("no sequence for match")


def test_packed_arrays_have_what_sequences_have() -> None:
    array = PackedInt32Array([3, 1, 3, 2])
    match array:
        case [first, *_, last]:
            assert (first, last) == (3, 2)
        case _:
            pytest.fail("no sequence for match")
    assert list(reversed(array)) == [2, 3, 1, 3]
    assert (array.count(3), array.count(3.0), array.count("3"), array.count(9)) == (2, 2, 0, 0)
    for start, stop in itertools.product(range(-6, 7), repeat=2):
        for value in (1, 2, 3, 4):
            try:
                expected: int | None = [3, 1, 3, 2].index(value, start, stop)
            except ValueError:
                expected = None
            if expected is None:
                with pytest.raises(ValueError, match="is not in the array"):
                    array.index(value, start, stop)
            else:
                assert array.index(value, start, stop) == expected
    points = PackedVector2Array([(1, 2), (3, 4)])
    assert points.index((3, 4)) == 1
    assert points.count(Vector2(1, 2)) == 1


def test_packed_bytes_are_equal_to_bytes() -> None:
    packed = PackedByteArray(b"abc")
    assert gdvar.loads(gdvar.dumps({"d": b"abc"})) == {"d": b"abc"}
    same: list[Any] = [b"abc", bytearray(b"abc"), memoryview(b"abc"), PackedByteArray(b"abc")]
    other: list[Any] = [b"abd", b"ab", b"", [97, 98, 99], "abc", PackedInt32Array([97, 98, 99])]
    ints: Any = PackedInt32Array([97])
    for each in same:
        assert packed == each
        assert each == packed
        assert not packed != each
    for each in other:
        assert packed != each
        assert each != packed
    assert ints != b"a\0\0\0"
    assert (packed.hex(), packed.hex(":", 1), packed.decode()) == ("616263", "61:62:63", "abc")
    with pytest.raises(UnicodeDecodeError):
        PackedByteArray(b"\xff").decode()
    assert PackedByteArray(b"\xff").decode("latin-1") == "\xff"
    assert PackedByteArray(b"\xff").decode(errors="replace") == "\ufffd"
    assert not hasattr(PackedInt32Array, "hex")


def test_packed_arrays_as_lists() -> None:
    value = {
        "bytes": b"ab",
        "ints": PackedInt32Array([1, 2]),
        "deep": [PackedFloat32Array([0.5]), gdvar.PackedStringArray(["s"])],
        "points": PackedVector2Array([(1, 2)], wide=True),
    }
    packet = gdvar.dumps(value)
    made = gdvar.loads(packet, packed="list")
    assert made == {"bytes": [97, 98], "ints": [1, 2], "deep": [[0.5], ["s"]], "points": [(1.0, 2.0)]}
    assert {type(made[name]) for name in ("bytes", "ints", "points")} == {list}
    assert type(made["points"][0]) is gdvar.Vector2d
    assert json.loads(json.dumps(made))["ints"] == [1, 2]
    assert gdvar.loads(packet, packed="array") == value
    with pytest.raises(ValueError, match="packed is 'array' or 'list'"):
        gdvar.loads(packet, packed="tuple")  # type: ignore[arg-type]


def test_what_goes_through_attributes_finds_the_elements() -> None:
    # pandas' to_json writes all attributes that are no functions.
    array = PackedVector2Array([(1, 2)])
    seen = {name: getattr(array, name) for name in dir(array) if not name.startswith("_")}
    assert {name: value for name, value in seen.items() if not callable(value)} == {
        "elements": [(1, 2)],
        "wide": False,
    }


def test_pandas_takes_packed_arrays() -> None:
    pandas: Any = pytest.importorskip("pandas")
    frame = pandas.DataFrame([{"bag": PackedInt32Array([1, 2])}])
    assert json.loads(frame.to_json()) == {"bag": {"0": {"elements": [1, 2], "wide": False}}}
    assert json.loads(frame.to_json(default_handler=list)) == {"bag": {"0": [1, 2]}}
    plain = gdvar.loads(gdvar.dumps([{"bag": PackedInt32Array([1, 2])}]), packed="list")
    assert json.loads(pandas.DataFrame(plain).to_json()) == {"bag": {"0": [1, 2]}}


def test_arrow_takes_packed_arrays() -> None:
    arrow: Any = pytest.importorskip("pyarrow")
    packet = gdvar.dumps([{"bag": PackedInt32Array([1, 2])}])
    table = arrow.Table.from_pylist(gdvar.loads(packet, packed="list"))
    assert table.to_pylist() == [{"bag": [1, 2]}]
    assert arrow.array([PackedInt32Array([1, 2])], arrow.list_(arrow.int32())).to_pylist() == [[1, 2]]


# ---- Views ----


def test_views_are_mappings_or_sequences() -> None:
    doc = document()
    assert isinstance(doc, Mapping)
    assert not isinstance(doc, Sequence)
    assert isinstance(doc["a"], Mapping)
    assert isinstance(doc["list"], Sequence)
    assert not isinstance(doc["list"], Mapping)
    assert isinstance(gdvar.Document(gdvar.dumps([1])), Sequence)
    plain = gdvar.Document(gdvar.dumps(5))
    assert not isinstance(plain, (Mapping, Sequence))
    assert type(doc).__name__ == type(plain).__name__ == "Document"
    assert isinstance(doc, gdvar.Document)
    assert isinstance(doc["list"], gdvar.View)
    full = gdvar.Document(gdvar.dumps(gdvar.Object("Node", {"x": 1}), objects=True), objects=True)
    assert isinstance(full, Mapping)
    assert dict(full) == {"x": 1}
    with pytest.raises(TypeError, match="no subclasses"):
        type("Mine", (gdvar.Document,), {})(b"")


def test_views_in_match() -> None:
    doc: Any = document()
    match doc:
        case {"list": [1, *_], "a": {"b": int(b)}, "a.b": dotted, "a b[": odd, 5: five, **others}:
            assert (b, dotted, odd, five) == (8, 7, 9, "five")
            assert set(others) == {"none", True}
        case _:
            pytest.fail("no mapping for match")
    match doc:
        case {"absent": _} | {"a.c": _} | {"a[": _} | {6: _} | [*_]:
            pytest.fail("matched what is not there")
        case _:
            pass


def test_slices_of_views() -> None:
    doc = document()
    expected = VALUE["list"]
    places = [None, *range(-8, 9)]
    for start, stop in itertools.product(places, repeat=2):
        for step in (None, 1, 2, -1, -3):
            made = [each.value() if isinstance(each, gdvar.View) else each for each in doc["list"][start:stop:step]]
            assert made == expected[start:stop:step]
    with pytest.raises(KeyError):  # a Dictionary has no such key
        doc[0:1]
    with pytest.raises(ValueError, match="zero"):
        doc["list"][::0]


def test_other_things_that_sequences_have() -> None:
    doc = document()
    view, expected = doc["list"], VALUE["list"]
    assert [type(each).__name__ for each in reversed(view)] == ["bool", "int", "View", "View", "float", "int"]
    assert list(reversed(doc)) == list(reversed(VALUE))
    assert (view.count(1), view.count([3]), view.count({"x": 1}), view.count("1")) == (3, 1, 1, 0)
    for value in (1, 2.5, [3], {"x": 1}):
        for start, stop in itertools.product(range(-8, 9), repeat=2):
            try:
                place: int | None = expected.index(value, start, stop)
            except ValueError:
                place = None
            if place is None:
                with pytest.raises(ValueError, match="is not in the Array"):
                    view.index(value, start, stop)
            else:
                assert view.index(value, start, stop) == place
    calls: list[Callable[[], Any]] = [lambda: doc.count(1), lambda: doc.index(1)]
    for call in calls:
        with pytest.raises(TypeError, match="is no Array"):
            call()


def test_truth_of_documents() -> None:
    assert document()
    values: list[Any] = [0, 0.0, "", None, False, [], {}, Vector2(), b"", gdvar.StringName("")]
    for value in values:
        assert bool(gdvar.Document(gdvar.dumps(value))) is bool(gdvar.loads(gdvar.dumps(value)))
    for value in (5, -0.5, "x", True, [0], {0: 0}, b"x"):
        assert gdvar.Document(gdvar.dumps(value))


def test_get_takes_keys_and_paths() -> None:
    doc = document()
    assert (doc.get("a.b"), doc.get("$.a.b"), doc.get("a b["), doc.get(5)) == (7, 8, 9, "five")
    assert doc["list"].get(-1) is True
    assert doc.get("$.list[1]") == 2.5
    for absent in ("c", "a.c", "list[1]", "$.c", "$.a[", "", 6, 2.5, None, object()):
        assert doc.get(absent, "default") == "default"
        with pytest.raises(gdvar.PathError):
            doc.get(absent)
    assert doc["list"].get(99, None) is None


def test_match_takes_keys_alone() -> None:
    doc: Any = gdvar.Document(gdvar.dumps({"a": {"b": 1}}))
    asked = types.SimpleNamespace()
    for asked.key in ("a.b", "", "a[", "[*]", "..b"):
        assert asked.key not in doc
        match doc:
            case {asked.key: found}:
                pytest.fail(f"{asked.key} is {found}")
            case _:
                pass
        match doc:
            case {asked.key: found, **rest}:
                pytest.fail(f"{asked.key} is {found}, {rest}")
            case _:
                pass
    match doc:
        case {"a": {"b": found}, **rest}:
            assert (found, rest) == (1, {})
        case _:
            pytest.fail("no mapping for match")


def test_no_key_stands_for_a_path() -> None:
    doc = gdvar.Document(gdvar.dumps({"$": 5, "$.hp": 9, "hp": 1}))
    assert (doc.get("$.hp"), len(doc.get("$"))) == (1, 3)
    assert (doc["$.hp"], doc["$"]) == (9, 5)


def test_no_key_is_what_can_not_be_written() -> None:
    doc = document()
    for absent in (object(), [object()]):
        assert absent not in doc
        with pytest.raises(KeyError):
            doc[absent]


def test_slices_take_as_long_as_they_are() -> None:
    for element in (7, [7]):
        size = 300_000
        doc = gdvar.Document(gdvar.dumps([element] * size))
        started = time.perf_counter()
        taken = sum(len(doc[at : at + 10]) for at in range(0, size, 10))
        assert (taken, len(doc[:: size // 2])) == (size, 2)
        assert time.perf_counter() - started < 10  # with the square of their number: a minute


def test_index_makes_what_it_compares() -> None:
    class Counts:
        asked = 0

        def __eq__(self, other: object) -> bool:
            Counts.asked += 1
            return bool(other == [3])

        __hash__ = object.__hash__

    doc = gdvar.Document(gdvar.dumps([[each] for each in range(6)]))
    assert doc.index(Counts(), 2) == 3
    assert Counts.asked == 2
    with pytest.raises(ValueError):
        doc.index(Counts(), 4, 5)
    assert Counts.asked == 3


@pytest.mark.parametrize("array", [PackedInt32Array([1, 2, 3]), gdvar.Document(gdvar.dumps([1, 2, 3]))])
def test_index_clamps_as_list_does(array: Any) -> None:
    assert array.index(3, 0, 10**30) == array.index(3, -(10**30)) == 2
    for start, stop in ((10**30, 10**30), (-(10**30), -(10**30)), (0, -(10**30))):
        with pytest.raises(ValueError):
            array.index(3, start, stop)
    with pytest.raises(TypeError):
        array.index(3, 0.5)


def test_numpy_takes_views_of_arrays() -> None:
    doc = gdvar.Document(gdvar.dumps({"list": [[1, 2], [3, 4]]}))
    made = np.asarray(doc["list"])
    assert (made.tolist(), made.dtype.kind) == ([[1, 2], [3, 4]], "i")
    view: Any = doc["list"]
    assert view.__getitem__(-1)[0] == 3
    assert len(view.__getitem__(slice(1))) == 1
    assert np.asarray(doc).shape == ()


def test_views_are_written() -> None:
    doc = document()
    assert gdvar.dumps(doc) == gdvar.dumps(VALUE)
    assert gdvar.dumps([doc["list"], doc["a"]]) == gdvar.dumps([VALUE["list"], VALUE["a"]])
    assert gdvar.encode({"x": doc["list"]}) == gdvar.dumps({"x": VALUE["list"]})
    assert gdvar.dumps(gdvar.Document(gdvar.dumps(5))) == gdvar.dumps(5)
    deep: Any = 1
    for _ in range(900):
        deep = [deep]
    assert gdvar.dumps([gdvar.Document(gdvar.dumps(deep))]) == gdvar.dumps([deep])
    with pytest.raises(gdvar.EncodeError) as caught:
        gdvar.dumps([1, {"x": [gdvar.Document(gdvar.dumps([Vector2()])), object()]}])
    assert caught.value.path == "$[1].x[1]"


def test_a_dict_of_a_large_document_takes_little_time() -> None:
    value = {f"key {i}": i for i in range(200_000)}
    doc = gdvar.Document(gdvar.dumps(value))
    started = time.perf_counter()
    assert dict(doc) == value
    assert time.perf_counter() - started < 20  # with the square of their number: minutes


# ---- references, copies, pickle ----


def test_weak_references() -> None:
    doc = document()
    makers: list[Callable[[], Any]] = [
        lambda: PackedInt32Array([1]),
        document,
        lambda: doc["list"],
        lambda: doc["a"],
        lambda: gdvar.Document(gdvar.dumps(1)),
    ]
    for make in makers:
        made = make()
        ended: list[int] = []
        reference = weakref.ref(made, lambda _, ended=ended: ended.append(1))  # type: ignore[misc]
        assert reference() is made
        del made
        assert reference() is None
        assert ended == [1]
    assert doc["a"] is not doc["a"]  # a View is made each time


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_containers_and_pickle(protocol: int) -> None:
    kind = gdvar.ContainerType("builtin", "int")

    values: list[Any] = [
        gdvar.Array([1], kind),
        gdvar.PackedTypedArray([1], kind),
        gdvar.Dictionary({1: 2}, kind, kind),
        gdvar.Pairs([([1], 2)], kind),
        gdvar.PackedStringArray(["a"]),
        PackedInt32Array([1]),
        gdvar.StringName("a"),
        gdvar.NodePath("a:b"),
    ]
    for value in values:
        for made in (pickle.loads(pickle.dumps(value, protocol)), copy.copy(value), copy.deepcopy(value)):
            assert made == value
            assert type(made) is type(value)
            assert repr(made) == repr(value)


# ---- files ----


def test_files_of_one_packet() -> None:
    file = io.BytesIO()
    gdvar.dump(VALUE, file)
    assert file.getvalue() == gdvar.dumps(VALUE)
    file.seek(0)
    assert gdvar.load(file) == VALUE
    with pytest.raises(gdvar.TruncatedError):
        gdvar.load(io.BytesIO(b"\x04\0\0\0"))
    with pytest.raises(AttributeError):
        gdvar.load(b"no file")  # type: ignore[arg-type]
    with pytest.raises(gdvar.EncodeError):
        gdvar.dump(object(), file)
    narrow = gdvar.dumps(Vector2(1, 2), dialect="godot3")
    assert gdvar.load(io.BytesIO(narrow), dialect="godot3") == Vector2(1, 2)
    assert gdvar.load(io.BytesIO(gdvar.dumps(b"a")), packed="list") == [97]


class Endless(io.RawIOBase):
    """A file of `count` records of 1 MB, of which one is in memory."""

    def __init__(self, count: int) -> None:
        self.record = gdvar.frame(gdvar.dumps(bytes(1_000_000)))
        self.left = count * len(self.record)
        self.read_at_most = 0

    def read(self, size: int = -1, /) -> bytes:
        assert size > 0
        self.read_at_most = max(self.read_at_most, size)
        size = min(size, self.left)
        at = -self.left % len(self.record)
        self.left -= size
        return (self.record * 2)[at : at + size]


class Slow(io.RawIOBase):
    """An unbuffered file that takes `most` bytes at once, `room` in all."""

    def __init__(self, most: int, room: int) -> None:
        self.most, self.room = most, room
        self.taken = b""

    def write(self, data: Any, /) -> int | None:
        assert len(data) > 0
        count = min(self.most, self.room - len(self.taken), len(data))
        self.taken += bytes(data[:count])
        return count or None


def test_dump_writes_all_or_says_so() -> None:
    value = bytes(range(256)) * 40
    packet = gdvar.dumps(value)
    for most in (1000, len(packet), 10**6):
        slow = Slow(most, 10**6)
        gdvar.dump(value, slow)
        assert slow.taken == packet
    for room in (0, 2500):
        slow = Slow(1000, room)
        with pytest.raises(BlockingIOError) as caught:
            gdvar.dump(value, slow)
        assert (slow.taken, caught.value.characters_written) == (packet[:room], room)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes wait on Windows")
def test_dump_into_a_pipe_that_is_full() -> None:
    end, start = os.pipe()
    os.set_blocking(start, False)
    with open(end, "rb"), open(start, "wb", buffering=0) as file:
        with pytest.raises(BlockingIOError) as caught:
            gdvar.dump(bytes(3_000_000), file)
        assert 0 < caught.value.characters_written < 3_000_000


def test_files_that_are_none_say_so_at_once() -> None:
    for wrong in ("replay.bin", io.StringIO("x"), None):
        with pytest.raises(TypeError, match="open for reading bytes"):
            gdvar.records(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_record must be an int above 0"):
        gdvar.records(io.BytesIO(), max_record=-1)


def test_records_of_a_large_file() -> None:
    file = Endless(300)
    count = 0
    for packet in gdvar.records(file):
        assert len(packet) == len(file.record) - 4
        count += 1
        if count == 2:  # the rest was not read yet
            assert file.left > 296 * len(file.record)
    assert (count, file.left) == (300, 0)
    assert file.read_at_most <= 1 << 20


def test_records_that_are_none() -> None:
    stream = gdvar.frame(gdvar.dumps("one")) + gdvar.frame(gdvar.dumps(2))
    assert [gdvar.loads(packet) for packet in gdvar.records(io.BytesIO(stream))] == ["one", 2]
    assert list(gdvar.records(io.BytesIO(b""))) == []
    got = []
    with pytest.raises(gdvar.TruncatedError):
        for packet in gdvar.records(io.BytesIO(stream[:-1])):
            got.append(gdvar.loads(packet))
    assert got == ["one"]
    with pytest.raises(gdvar.LimitError):
        list(gdvar.records(io.BytesIO(stream), max_record=8))
    swapped = gdvar.frame(gdvar.dumps(2), big_endian=True)
    assert list(gdvar.records(io.BytesIO(swapped), big_endian=True)) == [gdvar.dumps(2)]


# ---- the module ----


def test_all_names_of_the_package() -> None:
    names: dict[str, Any] = {}
    exec("from gdvar import *", names)
    assert "annotations" not in names
    assert names["loads"] is gdvar.loads


def test_inspect_reads_every_signature() -> None:
    unreadable: list[str] = []
    for name in dir(gdvar):
        made = getattr(gdvar, name)
        if name.startswith("_") or inspect.ismodule(made) or not callable(made):
            continue
        called = {name: made}
        if inspect.isclass(made):
            called |= {
                f"{name}.{each}": getattr(made, each)
                for each, own in vars(made).items()
                if not each.startswith("_") and callable(own)
            }
        for each, function in called.items():
            try:
                inspect.signature(function)
            except ValueError:
                unreadable.append(each)
    # Classes of Python's own have none.
    assert [name for name in unreadable if name not in ("StaleSumWarning", "StringName")] == []


def test_names_that_are_almost_dialects() -> None:
    for name, like in (("godot4.3", "godot-4.3"), ("4.3", "godot-4.3"), ("godot_3.1", "godot-3.1")):
        with pytest.raises(ValueError, match=f"did you mean '{like}'"):
            gdvar.loads(b"", dialect=name)
    with pytest.raises(ValueError, match="no dialect 'json'; "):
        gdvar.loads(b"", dialect="json")


def test_layers_that_are_none_are_named() -> None:
    for layers in ("gzipp", "gzip gzipp zlib", ["base64", "gzipp"]):
        with pytest.raises(gdvar.SaveError, match='there is no layer "gzipp"'):
            gdvar.wrap(b"x", layers)


def test_layers_that_nothing_recognises_are_named() -> None:
    for layer in ("brotli", "deflate"):
        hidden = gdvar.wrap(gdvar.dumps([1] * 50), layer)
        with pytest.raises(gdvar.SaveError, match=f"'{layer}'"):
            gdvar.read_save(hidden)
        assert gdvar.read_save(hidden, read_as=layer)[0] == [1] * 50
    with pytest.raises(gdvar.SaveError, match="the input is empty$"):
        gdvar.read_save(b"")


def test_numpy_in_views_and_back() -> None:
    doc = gdvar.Document(gdvar.dumps({"a": np.arange(3, dtype="i4")}))
    assert np.asarray(doc["a"]).tolist() == [0, 1, 2]
