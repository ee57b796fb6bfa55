"""Values: what each Variant type is in Python, both ways, and what is refused."""

# Values are of wrong types on purpose.
# mypy: disable-error-code="arg-type,call-arg,dict-item,list-item,misc,type-arg"
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false

from __future__ import annotations

import array
import collections
import copy
import enum
import errno
import fractions
import math
import operator
import pickle
import struct
from typing import Any

import pytest
from support import DIALECTS, same
from vectors import all_vectors

import gdvar
from gdvar import (
    RID,
    UNTYPED,
    ContainerType,
    EncodedObjectAsID,
    NodePath,
    Object,
    Pairs,
    Signal,
    StringName,
    Vector2,
    Vector2d,
    Vector2i,
    Vector3,
    Vector3d,
    Vector4,
    Vector4d,
)

INT = ContainerType("builtin", "int")
STRING = ContainerType("builtin", "String")


def there_and_back(value: Any, dialect: str = "godot-4.4") -> Any:
    return gdvar.loads(
        gdvar.dumps(value, dialect=dialect, objects=True), dialect=dialect, objects=True
    )


def refusal(value: Any, **options: Any) -> tuple[str, str]:
    """The code and the path of the EncodeError that dumps raises."""
    with pytest.raises(gdvar.EncodeError) as error:
        gdvar.dumps(value, **options)
    return error.value.code, error.value.path


# ---- the table ----

V2, V3, V4 = Vector2(1.0, 2.5), Vector3(1.0, 2.0, -0.5), Vector4(1.0, 2.0, 3.0, 4.0)
V2d, V3d, V4d = Vector2d(0.1, 2.5), Vector3d(0.1, 2.0, 3.0), Vector4d(0.1, 2.0, 3.0, 4.0)
VALUES = [
    None,
    True,
    False,
    0,
    -7,
    2**31,
    0.5,
    0.1,
    "",
    "text",
    "\u00e4\U0001f600",
    "a\0b",
    StringName("name"),
    StringName(""),
    NodePath("/root/Game:position:x"),
    NodePath(""),
    NodePath("a/b"),
    NodePath.of(["with/slash", ""], ["with:colon"], True),
    V2,
    V2d,
    Vector2i(-1, 2**31 - 1),
    V3,
    V3d,
    gdvar.Vector3i(1, 2, -(2**31)),
    V4,
    V4d,
    gdvar.Vector4i(1, 2, 3, 4),
    gdvar.Rect2(V2, V2),
    gdvar.Rect2d(V2d, V2d),
    gdvar.Rect2i(Vector2i(1, 2), Vector2i(3, 4)),
    gdvar.Plane(V3, 4.0),
    gdvar.Planed(V3d, 0.1),
    gdvar.Quaternion(0.0, 0.0, 0.0, 1.0),
    gdvar.Quaterniond(0.1, 0.0, 0.0, 1.0),
    gdvar.AABB(V3, V3),
    gdvar.AABBd(V3d, V3d),
    gdvar.Transform2D(V2, V2, V2),
    gdvar.Transform2Dd(V2d, V2d, V2d),
    gdvar.Basis(V3, V3, V3),
    gdvar.Basisd(V3d, V3d, V3d),
    gdvar.Transform3D(gdvar.Basis(V3, V3, V3), V3),
    gdvar.Transform3Dd(gdvar.Basisd(V3d, V3d, V3d), V3d),
    gdvar.Projection(V4, V4, V4, V4),
    gdvar.Projectiond(V4d, V4d, V4d, V4d),
    gdvar.Color(0.25, 0.5, 0.75, 1.0),
    RID(2**64 - 1),
    gdvar.Callable(),
    Signal("pressed", -1),
    EncodedObjectAsID(-(2**63)),
    Object("", {}),
    Object("Node", {"a": 1, "b": [StringName("c")]}),
    Object("Node", {}),
    Object("Node", Pairs([("a", 1), ("a", 2)])),
    [],
    [1, [2, [3]], {}],
    gdvar.Array([1, 2], INT),
    gdvar.Array([], ContainerType("class_name", "Object", "Node3D")),
    gdvar.Array([None], ContainerType("script", "Object", "res://a.gd")),
    {},
    {"a": 1, 2: "b", None: 3, V2: 4, StringName("s"): 5, NodePath("n"): 6, True: 7, 0.5: 8},
    gdvar.Dictionary({"a": 1}, STRING, INT),
    gdvar.Dictionary({}, UNTYPED, INT),
    gdvar.Dictionary({1: 2}, INT, UNTYPED),
    Pairs([([1], 2), ({}, 3)]),
    Pairs([([1], 2)], ContainerType("builtin", "Array"), INT),
    Pairs([(1, "int"), (1.0, "float"), (True, "bool")]),
    Pairs([("a", 1), (StringName("a"), 2)]),
    Pairs([("a", 1), ("a", 2)]),
    Pairs([(0.0, 1), (-0.0, 2)]),
    Pairs([(Vector2(1, 2), 1), (Vector2i(1, 2), 2)]),
    Pairs([(RID(1), 1), (EncodedObjectAsID(1), 2)]),
    gdvar.PackedByteArray([0, 1, 255]),
    gdvar.PackedByteArray([]),
    gdvar.PackedInt32Array([-(2**31), 2**31 - 1]),
    gdvar.PackedInt64Array([-(2**63), 2**63 - 1]),
    gdvar.PackedFloat32Array([0.5, -0.0, math.inf]),
    gdvar.PackedFloat64Array([0.1, -0.0, math.nan]),
    gdvar.PackedStringArray(["a", "", "\u00e4"]),
    gdvar.PackedStringArray([]),
    gdvar.PackedVector2Array([(1, 2), (3, 4)]),
    gdvar.PackedVector2Array([(0.1, 2)], wide=True),
    gdvar.PackedVector3Array([(1, 2, 3)]),
    gdvar.PackedVector3Array([(0.1, 2, 3)], wide=True),
    gdvar.PackedVector4Array([(1, 2, 3, 4)]),
    gdvar.PackedVector4Array([(0.1, 2, 3, 4)], wide=True),
    gdvar.PackedColorArray([(1, 2, 3, 4)]),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda v: f"{type(v).__name__}-{str(v)[:30]}")
def test_there_and_back(value: Any) -> None:
    read = there_and_back(value)
    if isinstance(value, Pairs) and [type(k) for k, _ in value][:1] in ([Vector2],):
        value = Pairs([(Vector2(1.0, 2.0), 1), (Vector2i(1, 2), 2)])
    assert same(read, value), read
    assert type(read) is type(value)
    # In another container, and as a key.
    assert same(there_and_back({"k": [value]}), {"k": [value]})
    [pair] = (
        there_and_back(Pairs([(value, 1)])).items()
        if hashable(value)
        else there_and_back(Pairs([(value, 1)]))
    )
    assert same(pair, (value, 1))


def hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def test_images_of_godot_2() -> None:
    for image in (gdvar.Image(4, 1, 2, 2, bytes(range(16))), gdvar.Image(0, 0, 0, 0, b"")):
        assert same(there_and_back([image], "godot-2"), [image])
        # Behind components that end at no multiple of eight bytes.
        behind = [Vector3(1.0, 2.0, 3.0), image, Vector3(1.0, 2.0, 3.0), gdvar.InputEvent(0, 1)]
        assert same(there_and_back(behind, "godot-2"), behind)
        assert refusal([image]) == ("not_in_dialect", "$[0]")


def test_the_separate_property_of_godot_2() -> None:
    path = NodePath.of(["a"], ["b"], True, True)
    assert same(there_and_back(path, "godot-2"), path)
    assert same(there_and_back(path), NodePath.of(["a"], ["b"], True))


def test_input_events_have_the_words_of_their_type() -> None:
    counts = set()
    for kind in range(12):
        for words in ((), (7,), (7, 8)):
            event = gdvar.InputEvent(kind, 3, words)
            try:
                packet = gdvar.dumps(event, dialect="godot-2")
            except gdvar.EncodeError:
                continue
            assert same(gdvar.loads(packet, dialect="godot-2"), event), event
            counts.add(len(words))
    assert counts == {0, 1, 2}


# ---- texts ----


@pytest.mark.parametrize(
    "raw", [b"\xff", b"a\x80b", b"\xed\xb2\x80", b"\xc3\xa4\xff", b"\xf0\x9f\x98"]
)
def test_bytes_that_are_no_utf8_survive(raw: bytes) -> None:
    # godot-3.1 takes any bytes as text; Godot 4 refuses those.
    packet = struct.pack("<II", 4, len(raw)) + raw + bytes(-len(raw) % 4)
    for dialect in DIALECTS:
        try:
            text = gdvar.loads(packet, dialect=dialect)
        except gdvar.DecodeError as error:
            assert error.code == "bad_utf8"
            with pytest.raises(gdvar.EncodeError) as writing:
                gdvar.dumps([raw.decode("utf-8", "surrogateescape")], dialect=dialect)
            assert (writing.value.code, writing.value.path) == ("bad_utf8", "$[0]")
            continue
        assert text == raw.decode("utf-8", "surrogateescape")
        assert gdvar.dumps(text, dialect=dialect) == packet


@pytest.mark.parametrize("text", ["\ud800", "a\udfff", "\udc7f", "\ud83d\ude00"])
def test_surrogates_that_stand_for_no_byte_are_refused(text: str) -> None:
    for value in (text, StringName(text)):
        assert refusal([0, value]) == ("bad_utf8", "$[1]")
        assert refusal({value: 1})[0] == "bad_utf8"
    assert refusal([gdvar.PackedStringArray(["a", text])])[0] == "bad_utf8"
    assert refusal(NodePath.of([text]))[0] == "bad_utf8"
    assert refusal(Signal(text))[0] == "bad_utf8"
    assert refusal(Object(text, {"a": 1}), objects=True)[0] == "bad_utf8"
    assert refusal(Object("A", {text: 1}), objects=True)[0] == "bad_utf8"
    assert refusal(gdvar.Array([], ContainerType("class_name", "Object", text)))[0] == "bad_utf8"


def test_string_names_are_equal_to_their_text_and_other_keys() -> None:
    assert StringName("a") == "a" and hash(StringName("a")) == hash("a")
    assert gdvar.dumps("a") != gdvar.dumps(StringName("a"))
    assert type(there_and_back({StringName("a"): 1}).popitem()[0]) is StringName
    assert type(there_and_back({"a": 1}).popitem()[0]) is str


# ---- numbers ----


def test_ints_at_the_edges() -> None:
    for bits in (31, 32, 63):
        for edge in (2**bits, -(2**bits)):
            for value in (edge - 1, edge, edge + 1):
                if -(2**63) <= value < 2**63:
                    assert same(there_and_back(value), value)
                    assert len(gdvar.dumps(value)) == (8 if -(2**31) <= value < 2**31 else 12)


@pytest.mark.parametrize(
    "value", [2**63, -(2**63) - 1, 10**5000], ids=["2**63", "-2**63-1", "10**5000"]
)
def test_ints_beyond_64_bits_are_refused(value: int) -> None:
    assert refusal({"a": [1, value]}) == ("number_out_of_range", "$.a[1]")
    assert refusal(Pairs([(value, 1)]))[0] == "number_out_of_range"
    with pytest.raises(OverflowError):
        gdvar.PackedInt64Array([value])


@pytest.mark.parametrize(
    "value", [2**31, -(2**31) - 1, 2**63, 10**5000], ids=["2**31", "-2**31-1", "2**63", "10**5000"]
)
def test_components_beyond_32_bits_are_refused(value: int) -> None:
    assert refusal([Vector2i(0, value)]) == ("number_out_of_range", "$[0]")
    with pytest.raises(OverflowError):
        gdvar.PackedInt32Array([value])
    with pytest.raises(OverflowError):
        gdvar.PackedVector2iArray([(value, 0)])
    with pytest.raises(OverflowError):
        gdvar.PackedByteArray([value])


@pytest.mark.parametrize(
    "value",
    [1e39, -1e39, 3.5e38, 2**200, 10**5000],
    ids=["1e39", "-1e39", "3.5e38", "2**200", "10**5000"],
)
def test_floats_that_32_bits_do_not_hold_are_refused(value: float) -> None:
    for kind in (Vector2(value, 0), Vector2(0, value)):
        assert refusal([kind]) == ("number_out_of_range", "$[0]")
    assert refusal(gdvar.Rect2(Vector2(), Vector2(0, value)))[0] == "number_out_of_range"
    with pytest.raises(OverflowError):
        gdvar.PackedFloat32Array([value])
    with pytest.raises(OverflowError):
        gdvar.PackedVector2Array([(0, value)])


def test_floats_that_32_bits_round_are_written() -> None:
    assert there_and_back(Vector2(0.1, 3.4028235e38)) == Vector2(
        struct.unpack("f", struct.pack("f", 0.1))[0], 3.4028234663852886e38
    )
    for odd in (math.inf, -math.inf, -0.0, 5e-324, 1e-45):
        assert same(there_and_back(Vector2d(odd, 0.0)), Vector2d(odd, 0.0))
    assert math.isnan(there_and_back(math.nan))
    assert same(there_and_back(Vector2(-0.0, math.inf)), Vector2(-0.0, math.inf))


def test_ints_stand_for_floats_and_not_the_other_way() -> None:
    assert same(there_and_back(Vector2(1, True)), Vector2(1.0, 1.0))
    for wrong in (Vector2i(1.0, 2), Vector2i(1.5, 2), Vector2("1", 2), Vector2(None, 2)):
        assert refusal([wrong]) == ("wrong_type", "$[0]")
    with pytest.raises(TypeError):
        gdvar.PackedInt32Array([1.5])


# ---- keys ----


def test_nan_keys() -> None:
    value = {math.nan: 1, float("nan"): 2}
    read = there_and_back(value)
    assert len(read) == 2 and all(math.isnan(k) for k in read)


def pairs_packet(*keys: Any) -> bytes:
    out = struct.pack("<II", 27, len(keys))
    for i, key in enumerate(keys):
        out += gdvar.dumps(key, objects=True) + gdvar.dumps(i)
    return out


@pytest.mark.parametrize(
    "keys",
    [
        (1, 1.0),
        (1, True),
        (0, False, 0.0),
        (0.0, -0.0),
        ("a", StringName("a")),
        ("a", "a"),
        (1, 1),
        ([1], "a"),
        ({}, 1),
        (gdvar.PackedByteArray([1]), 1),
        (Object(), 1),
        (Vector2(1.0, 2.0), Vector2d(1.0, 2.0)),
    ],
    ids=repr,
)
def test_what_a_dict_can_not_hold_becomes_pairs(keys: tuple[Any, ...]) -> None:
    packet = pairs_packet(*keys)
    read = gdvar.loads(packet, objects=True)
    assert type(read) is Pairs
    assert same(list(read), [(key, i) for i, key in enumerate(keys)])
    assert gdvar.dumps(read, objects=True) == packet
    # As a part of something, and as a key.
    outer = struct.pack("<II", 27, 1) + packet + gdvar.dumps("x")
    assert gdvar.dumps(gdvar.loads(outer, objects=True), objects=True) == outer
    assert same(gdvar.loads(outer, objects=True), Pairs([(read, "x")]))


@pytest.mark.parametrize(
    "keys", [(1, "1"), (1, 2.0), (None, 0), (Vector2(1.0, 2.0), Vector2(2.0, 1.0)), ()], ids=repr
)
def test_other_keys_make_a_dict(keys: tuple[Any, ...]) -> None:
    read = gdvar.loads(pairs_packet(*keys))
    assert type(read) is dict and same(list(read), list(keys))


def test_pairs_must_be_pairs() -> None:
    for element in ((1,), (1, 2, 3), [1, 2], 1):
        assert refusal({"a": Pairs([(0, 0), element])})[0] == "wrong_type"


# ---- typed containers ----


def test_typed_containers_of_typed_containers() -> None:
    value = gdvar.Array(
        [gdvar.Array([1], INT), gdvar.Array([], INT)], ContainerType("builtin", "Array")
    )
    assert same(there_and_back(value), value)


def test_an_untyped_array_class_is_an_array() -> None:
    for untyped in (UNTYPED, ContainerType(), pickle.loads(pickle.dumps(UNTYPED))):
        assert gdvar.dumps(gdvar.Array([1], untyped)) == gdvar.dumps([1])
        assert gdvar.dumps(gdvar.Dictionary({1: 2}, untyped, untyped)) == gdvar.dumps({1: 2})


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (ContainerType("builtin", "Vector5"), "bad_container_type"),
        (ContainerType("nothing", "int"), "bad_container_type"),
        (("builtin", "int"), "wrong_type"),
        ("int", "wrong_type"),
        (None, "wrong_type"),
        (ContainerType("builtin", 3), "wrong_type"),
        (ContainerType("\udc80", "\udc81", "\udc82"), "bad_container_type"),
    ],
)
def test_wrong_container_types_are_refused(wrong: Any, code: str) -> None:
    assert refusal([gdvar.Array([1], wrong)])[0] == code
    assert refusal([gdvar.Dictionary({}, UNTYPED, wrong)])[0] == code
    assert refusal([Pairs([], wrong)])[0] == code


def test_typed_arrays_need_a_dialect_that_has_them() -> None:
    assert refusal({"a": gdvar.Array([1], INT)}, dialect="godot-3.1") == ("not_in_dialect", "$.a")
    value = gdvar.PackedTypedArray([1, 2], INT)
    assert same(there_and_back(value, "pandemonium-5"), value)
    value2 = gdvar.Array([1, 2], INT)
    assert same(there_and_back(value2, "pandemonium-5"), value2)
    assert refusal(value) == ("not_in_dialect", "$")


# ---- classes of one's own ----


class Level(enum.IntEnum):
    LOW = 1


class Mode(enum.StrEnum):
    FAST = "fast"


class Loud(str):
    def __str__(self) -> str:
        return "LOUD"

    def __repr__(self) -> str:
        return "LOUD"

    def encode(self, *_: Any) -> bytes:
        return b"LOUD"


class Name(StringName):
    def __str__(self) -> str:
        return "another"


class Whole(int):
    def __index__(self) -> int:
        return 99

    def __int__(self) -> int:
        return 99


class Real(float):
    def __float__(self) -> float:
        return 99.0


class Place(Vector3):
    @property
    def height(self) -> float:
        return self.y


class Backwards(dict):
    def items(self) -> Any:
        return reversed(list(super().items()))


def test_subclasses_are_what_they_are_made_from() -> None:
    cases = [
        (Level.LOW, 1),
        (Mode.FAST, "fast"),
        (Loud("x"), "x"),
        (Name("x"), StringName("x")),
        (Whole(3), 3),
        (Real(0.5), 0.5),
        (Place(1.0, 2.0, 3.0), Vector3(1.0, 2.0, 3.0)),
        (collections.defaultdict(list, {"a": 1}), {"a": 1}),
        (collections.Counter("aab"), {"a": 2, "b": 1}),
        (collections.namedtuple("P", "x y")(1, 2), [1, 2]),
        ((1, (2,)), [1, [2]]),
        (b"ab", gdvar.PackedByteArray(b"ab")),
        (bytearray(b"ab"), gdvar.PackedByteArray(b"ab")),
        (memoryview(b"abcd")[1:3], gdvar.PackedByteArray(b"bc")),
        (memoryview(b"abcd")[::2], gdvar.PackedByteArray(b"ac")),
    ]
    for value, meant in cases:
        for wrapped, expected in ((value, meant), ([value], [meant]), ({"k": value}, {"k": meant})):
            assert same(there_and_back(wrapped), expected), value


def test_the_order_of_dicts_of_other_classes() -> None:
    ordered = collections.OrderedDict(a=1, b=2, c=3)
    ordered.move_to_end("a")
    assert list(there_and_back(ordered)) == ["b", "c", "a"]
    assert list(there_and_back(Backwards(a=1, b=2))) == ["b", "a"]
    proxy = collections.UserDict({"a": 1})
    assert refusal([proxy]) == ("wrong_type", "$[0]")


@pytest.mark.parametrize(
    "value", [object(), 1j, {1}, frozenset(), range(3), iter([]), len, int, Ellipsis], ids=repr
)
def test_what_is_no_variant_is_refused_with_its_path(value: Any) -> None:
    assert refusal(value) == ("wrong_type", "$")
    assert refusal({"a": [0, value], 2: 3}) == ("wrong_type", "$.a[1]")
    assert refusal([0, {"a": {7: value}}]) == ("wrong_type", "$[1].a[7]")
    assert refusal(Object("N", {"p": value}), objects=True) == ("wrong_type", "$.p")


def test_array_array() -> None:
    for code, kind in (
        ("B", "Byte"),
        ("i", "Int32"),
        ("q", "Int64"),
        ("f", "Float32"),
        ("d", "Float64"),
    ):
        made = getattr(gdvar, f"Packed{kind}Array")([1, 2, 3])
        assert same(there_and_back(array.array(code, [1, 2, 3])), made)
        assert same(getattr(gdvar, f"Packed{kind}Array")(array.array(code, [1, 2, 3])), made)
    for code in "bhHIL":
        assert refusal([array.array(code, [1])]) == ("wrong_type", "$[0]")
    assert same(there_and_back(array.array("d")), gdvar.PackedFloat64Array())


# ---- named tuples with wrong parts ----


@pytest.mark.parametrize(
    "value",
    [
        Vector2._make([1, 2])._replace(x=None),
        Vector2("a", 1),
        gdvar.Rect2(1, 2),
        gdvar.Rect2((1, 2, 3), (1, 2)),
        tuple.__new__(Vector3, (1, 2)),
        tuple.__new__(gdvar.Basis, ()),
        tuple.__new__(NodePath, ()),
        tuple.__new__(NodePath, ((), ())),
        tuple.__new__(NodePath, (("a", 1), (), False, False)),
        tuple.__new__(RID, ()),
        RID("1"),
        RID(-1),
        RID(2**64),
        tuple.__new__(Signal, ()),
        tuple.__new__(Signal, ("a",)),
        Signal(1, 2),
        Signal("a", -(2**63) - 1),
        EncodedObjectAsID(None),
        tuple.__new__(Object, ()),
        tuple.__new__(Object, ("N",)),
        Object(1, {}),
        Object("N", [1]),
        Object("N", {1: 2}),
        Object("", {"a": 1}),
        Object("N", ()),
    ],
    ids=lambda v: f"{type(v).__name__}{tuple(v)!r}",
)
def test_wrong_parts_are_refused(value: Any) -> None:
    code, path = refusal([value], objects=True)
    assert code in ("wrong_type", "number_out_of_range") and path.startswith("$[0]")


@pytest.mark.parametrize(
    "value",
    [
        gdvar.Image(1, 2, 3, 4, "x"),
        gdvar.Image(-1, 2, 3, 4, b""),
        gdvar.Image(2**32, 2, 3, 4, b""),
        tuple.__new__(gdvar.Image, (1, 2)),
        gdvar.InputEvent(1, 2, (1, 2, 3)),
        gdvar.InputEvent(1, 2, [1]),
        gdvar.InputEvent(1, 2, ("a",)),
        gdvar.InputEvent(1, 2**32, ()),
        tuple.__new__(gdvar.InputEvent, ()),
    ],
    ids=lambda v: f"{type(v).__name__}{tuple(v)!r}",
)
def test_wrong_parts_of_godot_2_are_refused(value: Any) -> None:
    assert refusal([value], dialect="godot-2")[0] in ("wrong_type", "number_out_of_range")


def test_math_values_from_plain_tuples() -> None:
    rect = gdvar.Rect2((1, 2), [3, 4])
    assert same(there_and_back(rect), gdvar.Rect2(Vector2(1.0, 2.0), Vector2(3.0, 4.0)))
    assert same(
        there_and_back(gdvar.Rect2d(Vector2(0.1, 2), (3, 4))),
        gdvar.Rect2d(Vector2d(0.1, 2.0), Vector2d(3.0, 4.0)),
    )


# ---- dialects ----


def test_what_a_dialect_lacks_is_refused_with_its_path() -> None:
    for value in (
        StringName("a"),
        gdvar.Callable(),
        Signal(),
        Vector2i(),
        V4,
        gdvar.PackedVector4Array(),
    ):
        assert refusal({"a": value}, dialect="godot-3.1") == ("not_in_dialect", "$.a")
    assert refusal([V3d], dialect="godot-3.1")[0] == "not_in_dialect"


def test_unknown_dialects() -> None:
    for function in (gdvar.loads, gdvar.validate, gdvar.Document):
        with pytest.raises(ValueError, match="no dialect"):
            function(b"", dialect="godot-9")
        with pytest.raises(ValueError):
            function(b"", dialect="godot-4.4\0")
        with pytest.raises(TypeError):
            function(b"", dialect=4)
    with pytest.raises(ValueError, match="no dialect"):
        gdvar.dumps(1, dialect="")


# ---- copies ----


def everything() -> list[Any]:
    return [*VALUES, *(gdvar.loads(v.data, dialect=v.dialect, objects=True) for v in all_vectors())]


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_values_can_be_pickled(protocol: int) -> None:
    for value in everything():
        again = pickle.loads(pickle.dumps(value, protocol))
        assert same(again, value), value


def test_values_can_be_copied() -> None:
    for value in everything():
        assert same(copy.deepcopy(value), value), value
        assert same(copy.copy(value), value), value


def test_repr_is_what_makes_the_value() -> None:
    names = {**vars(gdvar), "inf": math.inf, "nan": math.nan}
    odd = [NodePath.of(["with/slash", ""], ["with:colon"], True), math.nan]
    for value in VALUES:
        assert same(eval(repr(value), names), value) or value in odd or "nan" in repr(value), value


# ---- errors ----


def test_errors_can_be_pickled_and_say_where() -> None:
    errors = []
    for read in (
        lambda: gdvar.loads(b"\x1c\0\0\0\x01\0\0\0\xff\0\0\0"),
        lambda: gdvar.loads(b"\x1c\0"),
        lambda: gdvar.loads(gdvar.dumps([[1]]), limits=gdvar.Limits(depth=1)),
        lambda: gdvar.dumps({"a": object()}),
    ):
        with pytest.raises(gdvar.Error) as raised:
            read()
        errors.append(raised.value)
    kinds = [gdvar.DecodeError, gdvar.TruncatedError, gdvar.LimitError, gdvar.EncodeError]
    assert [type(e) for e in errors] == kinds
    assert [e.code for e in errors] == ["unknown_type", "truncated", "depth_limit", "wrong_type"]
    assert [e.path for e in errors] == ["$[0]", "$", "$[0][0]", "$.a"]
    assert [e.offset for e in errors] == [8, 0, 16, None]
    for error in errors:
        again = pickle.loads(pickle.dumps(error))
        assert (
            type(again) is type(error) and str(again) == str(error) and vars(again) == vars(error)
        )
        assert isinstance(error, ValueError)


def test_every_exception_can_be_made() -> None:
    for name in gdvar.errors.__all__:
        kind = getattr(gdvar, name)
        if issubclass(kind, Warning):
            continue
        error = kind("why", code="c", offset=3, path="$.a", need=2, type="int")
        assert (str(error), error.code, error.offset, error.path, error.need, error.type) == (
            "why",
            "c",
            3,
            "$.a",
            2,
            "int",
        )
        assert str(pickle.loads(pickle.dumps(error))) == "why"
    assert gdvar.FileError("why", errno=2).errno == 2
    for number in (errno.ENOENT, errno.EACCES, errno.EAGAIN, errno.ESTALE, 0):
        of_file = gdvar.FileError("f: why", errno=number, filename="f", code="io", path="$")
        again = pickle.loads(pickle.dumps(of_file))
        assert type(again) is type(of_file) and str(again) == "f: why"
        assert (again.errno, again.filename, again.strerror) == (
            of_file.errno,
            "f",
            of_file.strerror,
        )
        assert (again.code, again.path) == ("io", "$")
    assert isinstance(gdvar.FileError("why", errno=errno.EPERM), PermissionError)
    assert type(gdvar.FileError("why", errno=errno.ENOSPC)) is gdvar.FileError


@pytest.mark.parametrize(
    "limits", [gdvar.Limits(depth=-1), gdvar.Limits(bytes=2**64), gdvar.Limits(depth=2**32)]
)
def test_limits_out_of_range(limits: gdvar.Limits) -> None:
    for function in (gdvar.loads, gdvar.validate, gdvar.Document):
        with pytest.raises((ValueError, OverflowError)):
            function(b"\0\0\0\0", limits=limits)


def test_wrong_arguments() -> None:
    for call in (
        lambda: gdvar.loads(),
        lambda: gdvar.loads(b"", "godot-4.4"),
        lambda: gdvar.loads(b"", data=b""),
        lambda: gdvar.loads(b"", what=1),
        lambda: gdvar.loads("text"),
        lambda: gdvar.loads(None),
        lambda: gdvar.loads(b"", limits=(1, 2, 3)),
        lambda: gdvar.dumps(),
        lambda: gdvar.dumps(1, strict=True),
    ):
        with pytest.raises(TypeError):
            call()


# ---- numbers that vectors calculate with ----


class Half:
    """A number that Python knows by `__float__` alone."""

    def __float__(self) -> float:
        return 0.5


class Two:
    """A whole number of a kind of its own."""

    def __index__(self) -> int:
        return 2

    def __float__(self) -> float:
        return 2.0


def same_parts(made: Any, meant: Any) -> bool:
    """The same type and numbers, and numbers of Python's own types."""
    return same(made, meant) and [type(part) for part in made] == [type(part) for part in meant]


def test_any_number_is_an_int_or_a_float() -> None:
    seven: Any = Vector2i(7, -7)
    assert same_parts(seven * Half(), Vector2(3.5, -3.5))
    assert same_parts(Half() * seven, Vector2(3.5, -3.5))
    assert same_parts(seven / Half(), Vector2(14.0, -14.0))
    assert same_parts(seven * Two(), Vector2i(14, -14))
    assert same_parts(seven / Two(), Vector2i(3, -3))
    assert same_parts(seven / fractions.Fraction(2), Vector2(3.5, -3.5))
    assert same_parts(seven * fractions.Fraction(1, 2), Vector2(3.5, -3.5))
    assert same_parts(Vector2(7.0, -7.0) * fractions.Fraction(1, 2), Vector2(3.5, -3.5))
    assert same_parts(Vector2(7, -7) / Two(), Vector2(3.5, -3.5))


def test_one_float_makes_all_of_them_floats() -> None:
    assert same_parts(Vector2i(7, 7) / (0.5, 2), Vector2(14.0, 3.5))
    assert same_parts(Vector2i(7, 7) / (2, Half()), Vector2(3.5, 14.0))
    assert same_parts(Vector2i(7, 7) + (0.5, 2), Vector2(7.5, 9.0))
    assert same_parts((0.5, 2) - Vector2i(7, 7), Vector2(-6.5, -5.0))
    assert same_parts(Vector2i(7, 7) / (2, 2), Vector2i(3, 3))
    assert same_parts(-Vector2(0.0, 1.0), Vector2(-0.0, -1.0))
    assert same_parts(-Vector2i(7, -7), Vector2i(-7, 7))


@pytest.mark.parametrize("other", ["x", 1j, None, object(), [2], b"x", {}])
def test_what_is_no_number_is_refused(other: Any) -> None:
    for vector in (Vector2(1, 2), Vector2i(1, 2)):
        for calculate in (operator.mul, operator.truediv, operator.add):
            for made in (vector, other), (other, vector), (vector, (other, 1)):
                with pytest.raises(TypeError):
                    calculate(*made)


def test_floats_are_divided_by_zero_as_in_godot() -> None:
    inf, nan = math.inf, math.nan
    assert same_parts(Vector2(1.0, -2.0) / 0, Vector2(inf, -inf))
    assert same_parts(Vector2(1.0, -2.0) / -0.0, Vector2(-inf, inf))
    assert same_parts(Vector3(0.0, inf, -1.0) / (1.0, 0.0, 0.0), Vector3(0.0, inf, -inf))
    assert same_parts(Vector2(0.0, 0.0) / 0, Vector2(nan, nan))
    assert same_parts(gdvar.Color(1.0, 0.5, 0.0, 1.0) / Half(), gdvar.Color(2.0, 1.0, 0.0, 2.0))
    assert same_parts(Vector2i(1, -2) / 0.0, Vector2(inf, -inf))
    with pytest.raises(ZeroDivisionError):  # for ints an error in Godot, too
        Vector2i(1, 2) / 0


def test_numpys_numbers_leave_the_calculation_to_vectors() -> None:
    numpy: Any = pytest.importorskip("numpy")
    for kind in (numpy.float16, numpy.float32, numpy.float64):
        assert same_parts(kind(0.5) * Vector2(1.0, 2.0), Vector2(0.5, 1.0))
        assert same_parts(Vector2d(1.0, 2.0) * kind(0.5), Vector2d(0.5, 1.0))
        assert same_parts(Vector2i(1, 2) * kind(2.5), Vector2(2.5, 5.0))
        assert same_parts(Vector2i(7, -7) / kind(2), Vector2(3.5, -3.5))
        assert same_parts(Vector2(1.0, 0.0) / kind(0), Vector2(math.inf, math.nan))
        with pytest.raises(TypeError):
            kind(2) * gdvar.Rect2()
        for sides in ((kind(2), Vector2(1, 2)), (Vector2(1, 2), kind(2))):
            with pytest.raises(TypeError):
                operator.add(*sides)
    for kind in (numpy.uint8, numpy.int32, numpy.int64):
        assert same_parts(kind(2) * Vector2i(7, -7), Vector2i(14, -14))
        assert same_parts(Vector2i(7, -7) / kind(2), Vector2i(3, -3))
    with pytest.raises(TypeError):
        Vector2(1, 2) * numpy.complex64(1j)
    assert (numpy.float32(1) == Vector2(1, 1)) is False
    # Arrays take vectors as arrays.
    points = numpy.array([[1.0, 2.0], [3.0, 4.0]])
    for made in (points * Vector2(2, 1), Vector2(2, 1) * points):
        assert made.tolist() == [[2.0, 2.0], [6.0, 4.0]]
    assert (points - Vector2(1, 1)).tolist() == [[0.0, 1.0], [2.0, 3.0]]
    assert numpy.add(points[0], Vector2(1, 1)).tolist() == [2.0, 3.0]
