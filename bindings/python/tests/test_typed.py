"""decode: every form of type, what it takes, and what it refuses with which code and path."""

from __future__ import annotations

import collections
import dataclasses
import enum
import gc
import math
import weakref
from dataclasses import InitVar, dataclass
from typing import Annotated, Any, Literal, Optional, TypedDict, Union

import pytest
from shapes import (
    TAKEN,
    V3,
    Computed,
    Derived,
    Frozen,
    Join,
    Leave,
    Level,
    Node,
    Pair,
    Picky,
    Point,
    Rights,
    Team,
)

import gdvar
from gdvar import Field, Meta, MismatchError


def through(value: Any, type_: Any, **options: Any) -> Any:
    return gdvar.decode(gdvar.dumps(value, objects=True), type_, **options)


def refused(value: Any, type_: Any, **options: Any) -> MismatchError:
    with pytest.raises(MismatchError) as caught:
        through(value, type_, **options)
    assert caught.value.code in str(caught.value)
    assert caught.value.path in str(caught.value)
    return caught.value


def told(error: MismatchError) -> tuple[Any, ...]:
    return (error.code, error.path, error.offset, error.expected, error.found)


@pytest.mark.parametrize(("value", "type_", "expected"), TAKEN)
def test_takes(value: Any, type_: Any, expected: Any) -> None:
    made = through(value, type_)
    assert made == expected
    assert type(made) is type(expected)


def test_elements_have_their_classes() -> None:
    assert [type(each) for each in through([1, 2.0], list[float])] == [float, float]
    assert type(through([gdvar.StringName("a")], list[str])[0]) is str
    assert type(through(["a"], list[gdvar.StringName])[0]) is gdvar.StringName


def test_objects() -> None:
    null, node = gdvar.Object(), gdvar.Object("Node", {"name": "n"})
    either = gdvar.Object | gdvar.EncodedObjectAsID
    for value in (null, node):
        assert through(value, gdvar.Object, objects=True) == value
        assert through(value, either, objects=True) == value
    assert through(gdvar.EncodedObjectAsID(3), either) == gdvar.EncodedObjectAsID(3)
    with pytest.raises(gdvar.LimitError):
        through(node, gdvar.Object)


def test_widths_of_math() -> None:
    wide = gdvar.Vector3d(0.1, 0.2, 0.3)
    made = through(wide, gdvar.Vector3)
    assert made == wide
    assert type(made) is gdvar.Vector3d
    made = through(V3, gdvar.Vector3d)
    assert made == V3
    assert type(made) is gdvar.Vector3d
    rect = through(gdvar.Rect2(gdvar.Vector2(1, 2), gdvar.Vector2(3, 4)), gdvar.Rect2d)
    assert rect == ((1, 2), (3, 4))
    assert type(rect.position) is gdvar.Vector2d
    assert type(through(V3, gdvar.Vector3 | gdvar.Vector3d | None)) is gdvar.Vector3


def test_typed_containers() -> None:
    array = gdvar.Array([1, 2], gdvar.ContainerType("builtin", "int"))
    made = through(array, gdvar.Array)
    assert (made, made.type) == (array, array.type)
    assert through(array, list[int]) == [1, 2]
    assert type(through([1], gdvar.Array)) is gdvar.Array
    assert type(through({}, gdvar.Dictionary)) is gdvar.Dictionary


# ---- what is refused ----

REFUSED: list[tuple[Any, ...]] = [
    (1, str, "wrong_type", "$", 0, "String", "int"),
    (1, bool, "wrong_type", "$", 0, "bool", "int"),
    (True, int, "wrong_type", "$", 0, "int", "bool"),
    (True, float, "wrong_type", "$", 0, "float", "bool"),
    (0, None, "wrong_type", "$", 0, "null", "int"),
    (0.5, int, "number_out_of_range", "$", 0, "int", "0.5"),
    (1e300, int, "number_out_of_range", "$", 0, "int", "1e+300"),
    (2**53 + 1, float, "number_out_of_range", "$", 0, "float", str(2**53 + 1)),
    (gdvar.NodePath("a"), str, "wrong_type", "$", 0, "String", "NodePath"),
    ("a", gdvar.NodePath, "wrong_type", "$", 0, "NodePath", "String"),
    (V3, gdvar.Vector2, "wrong_type", "$", 0, "Vector2", "Vector3"),
    ([1], bytes, "wrong_type", "$", 0, "PackedByteArray", "Array"),
    ([1, "a"], list[int], "wrong_type", "$[1]", 16, "int", "String"),
    ([[1], [2, None]], list[list[int]], "wrong_type", "$[1][1]", 40, "int", "Nil"),
    (gdvar.PackedInt32Array([1]), list[str], "wrong_type", "$", 0, "Array", "PackedInt32Array"),
    (gdvar.PackedInt32Array([1]), list[Any], "wrong_type", "$", 0, "Array", "PackedInt32Array"),
    (
        gdvar.PackedFloat64Array([1, 2.5]), list[int],
        "number_out_of_range", "$[1]", 16, "int", "2.5",
    ),
    ([1], tuple[int, int], "length_out_of_range", "$", 0, "Array of 2 elements", "1 elements"),
    ([], Pair, "length_out_of_range", "$", 0, "Array for Pair", "0 elements"),
    ([1, "a", 2], Pair, "length_out_of_range", "$", 0, "Array for Pair", "3 elements"),
    ({"a": "b"}, dict[str, int], "wrong_type", "$.a", 20, "int", "String"),
    ({1: 1}, dict[str, int], "wrong_type", "$[@0 key]", 8, "String", "int"),
    ("green", Team, "unknown_name", "$", 0, "Team (red, blue)", '"green"'),
    (1, Team, "wrong_type", "$", 0, "Team (red, blue)", "int"),
    (3, Level, "number_out_of_range", "$", 0, "Level (LOW, HIGH)", "3"),
    ("MID", Level, "unknown_name", "$", 0, "Level (LOW, HIGH)", '"MID"'),
    (8, Rights, "number_out_of_range", "$", 0, "int of Rights", "8"),
    ("a", Literal[1], "wrong_type", "$", 0, "1", "String"),
    (1, Literal["a"], "wrong_type", "$", 0, '"a"', "int"),
    (None, Literal[True], "wrong_type", "$", 0, "true", "Nil"),
    ("b", Literal["a", 1], "unknown_name", "$", 0, '"a" or 1', '"b"'),
    (2, Literal["a", 1], "number_out_of_range", "$", 0, '"a" or 1', "2"),
    (False, Literal[True], "unknown_name", "$", 0, "true", "false"),
    (1.5, Optional[str], "wrong_type", "$", 0, "String or null", "float"),
    (101, Optional[Annotated[int, Meta(le=100)]],
     "number_out_of_range", "$", 0, "int up to 100", "101"),
    ({}, Point, "missing_key", "$", 0, 'the key "x"', "Dictionary without it"),
    ([{"x": 1}, {"y": 1}], list[Point],
     "missing_key", "$[1]", 36, 'the key "x"', "Dictionary without it"),
    ([], Point, "wrong_type", "$", 0, "Dictionary for Point", "Array"),
    ({"x": 1, "y": "a"}, Point, "wrong_type", "$.y", 40, "int", "String"),
    ({"name": "a", "children": [{"name": 1}]}, Node,
     "wrong_type", "$.children[0].name", 76, "String", "int"),
    ({"name": "n", "hp": 101}, Frozen,
     "number_out_of_range", "$.hp", 44, "int from 0 to 100", "101"),
    ({"type": "x"}, Join | Leave,
     "unknown_name", "$.type", 20, 'Dictionary with type "join" or "leave" or "quit"', '"x"'),
    ({"id": 1}, Join | Leave,
     "missing_key", "$", 0, 'the key "type"', "Dictionary without it"),
    ({"type": "join"}, Join | Leave,
     "missing_key", "$", 0, 'the key "name"', "Dictionary without it"),
    (gdvar.EncodedObjectAsID(3), gdvar.Object,
     "wrong_type", "$", 0, "Object", "EncodedObjectAsID"),
    (gdvar.Pairs([(1, 0), (1, 1)]), gdvar.Dictionary,
     "repeated_key", "$", 0, "each key once", "keys that a dict can't hold apart"),
    (gdvar.Pairs([(1, 0), (1.0, 1)]), dict[Any, int],
     "repeated_key", "$[@1 key]", 24, "each key once", "the key float again"),
    (gdvar.Pairs([([1], 0)]), dict[Any, int],
     "wrong_type", "$[@0 key]", 8, "a key with a hash", "Array"),
    ([[1], [2]], set[Any], "wrong_type", "$[0]", 8, "a key with a hash", "Array"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "type_", "code", "path", "offset", "expected", "found"), REFUSED)
def test_refuses(
    value: Any, type_: Any, code: str, path: str, offset: int, expected: str, found: str
) -> None:
    assert told(refused(value, type_)) == (code, path, offset, expected, found)


LIMITS: list[tuple[Any, ...]] = [
    (Annotated[int, Meta(ge=0)], [0, 5], [-1], "int from 0"),
    (Annotated[int, Meta(gt=0, lt=10)], [1, 9, 3.0], [0, 10], "int from 1 to 9"),
    (Annotated[int, Meta(gt=0.5, le=2.5)], [1, 2], [0, 3], "int from 1 to 2"),
    (Annotated[int, Meta(ge=0), Meta(ge=5, le=9)], [5], [4, 10], "int from 5 to 9"),
    (Annotated[float, Meta(gt=0)], [0.1, 1], [0.0, float("nan")], "float more than 0"),
    (Annotated[float, Meta(ge=0, lt=1)], [0.0, 0.5], [1.0], "float at least 0 and less than 1"),
]  # fmt: skip
LENGTHS: list[tuple[Any, ...]] = [
    (Annotated[str, Meta(max_length=2)], ["", "éé"], ["abc"], "String of at most 2 characters"),
    (Annotated[str, Meta(min_length=1)], ["a"], [""], "String of at least 1 characters"),
    (Annotated[bytes, Meta(min_length=1, max_length=1)], [b"a"], [b"", b"ab"],
     "PackedByteArray of 1 bytes"),
    (Annotated[list[int], Meta(max_length=1)], [[], [1]], [[1, 2]], "Array of at most 1 elements"),
    (Annotated[dict[str, int], Meta(min_length=1)], [{"a": 1}], [{}],
     "Dictionary of at least 1 elements"),
    (Annotated[Optional[str], Meta(max_length=1)], [None, "a"], ["ab"],
     "String of at most 1 characters"),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "good", "bad", "expected"), [*LIMITS, *LENGTHS])
def test_limits(type_: Any, good: list[Any], bad: list[Any], expected: str) -> None:
    length = (type_, good, bad, expected) in LENGTHS
    for value in good:
        assert through(value, type_) == value
    for value in bad:
        error = refused(value, type_)
        assert error.code == ("length_out_of_range" if length else "number_out_of_range")
        assert error.expected == expected


# ---- keys ----


@pytest.mark.parametrize("name", ["ge", "gt", "le", "lt"])
def test_limits_that_are_none(name: str) -> None:
    numbers: list[dict[str, Any]] = [{name: x} for x in (math.nan, math.inf, -math.inf)]
    for limit in numbers:
        with pytest.raises(ValueError, match="finite"):
            Meta(**limit)
    lengths: list[dict[str, Any]] = [{"min_length": -1}, {"max_length": -1}]
    for length in lengths:
        with pytest.raises(ValueError, match="0 or more, not -1"):
            Meta(**length)


EndlessA, EndlessB = "EndlessB", "EndlessA"


def test_names_that_lead_to_each_other() -> None:
    for annotation in ("EndlessA", "Optional[EndlessA]"):
        endless = dataclasses.make_dataclass("Endless", [("a", annotation)])
        endless.__module__ = __name__
        with pytest.raises(TypeError, match="is an alias of itself"):
            gdvar.decode(gdvar.dumps({"a": 1}), endless)


def test_unknown_keys() -> None:
    value = {"x": 1, "z": {"deep": [1, 2]}, 5: 6}
    assert through(value, Point) == Point(1)
    error = refused(value, Point, unknown="refuse")
    assert told(error) == (
        "unknown_key", "$[@1 key]", 28, "Dictionary for Point without other keys", 'the key "z"'
    )  # fmt: skip
    assert refused({"x": 1, 5: 6}, Point, unknown="refuse").found == "the key 5"
    with pytest.raises(ValueError, match="unknown is 'ignore' or 'refuse', not 'no'"):
        through(value, Point, unknown="no")


def test_repeated_keys() -> None:
    value = gdvar.Pairs([("x", 1), ("y", 2), (gdvar.StringName("x"), 3)])
    assert through(value, Point) == Point(3, 2)
    assert through(value, dict[str, int]) == {"x": 3, "y": 2}
    assert refused(value, Point, repeated="refuse").code == "repeated_key"
    error = refused(value, dict[str, int], repeated="refuse")
    assert told(error) == ("repeated_key", "$[@2 key]", 48, "each key once", 'the key "x" again')
    assert refused([1, 1], set[int], repeated="refuse").path == "$[1]"
    assert refused(gdvar.PackedInt32Array([1, 1]), set[int], repeated="refuse").path == "$"
    tags = gdvar.Pairs([("type", "leave"), ("id", 1), ("type", "quit")])
    assert through(tags, Join | Leave) == Leave("quit", 1)
    # The overwritten value must be of the type, too.
    assert refused(gdvar.Pairs([("x", "a"), ("x", 1)]), Point).path == "$.x"


def test_order_of_keys_may_change() -> None:
    orders = [["a", "b", "c"], ["c", "b", "a"], ["b", "a"], ["a", "x", "b", "y", "c"]]
    for order in orders * 3:
        value = {key: "c" if key == "c" else 7 for key in order}
        assert through(value, Derived) == Derived(a=7, b=7, c="c")


# ---- classes ----


def test_defaults_are_made_anew() -> None:
    first, second = through([{"name": "a"}, {"name": "b"}], list[Node])
    first.children.append(second)
    assert second.children == []


def test_missing_optional_is_none() -> None:
    @dataclass
    class Target:
        id: int | None

    assert through({}, Target) == Target(None)


def test_post_init() -> None:
    made = through({"x": 4, "twice": 1}, Computed)
    assert (made.twice, made.seen) == (8, [])
    with pytest.raises(ValueError, match="x is negative") as caught:
        through([{"x": 1}, {"x": -1}], list[Picky])
    assert caught.value.__notes__ == ["in $[1]"]


def test_code_of_classes_may_decode() -> None:
    @dataclass
    class Outer:
        x: int
        inner: Any = None

        def __post_init__(self) -> None:
            self.inner = through([self.x], list[int])

    assert [each.inner for each in through([{"x": i} for i in range(5)], list[Outer])] == [
        [i] for i in range(5)
    ]


def test_new_is_called() -> None:
    @dataclass
    class Counted:
        x: int

        def __new__(cls) -> Counted:
            made = super().__new__(cls)
            made.__dict__["made"] = True
            return made

    made = through({"x": 1}, Counted)
    assert (made.x, made.made) == (1, True)


def test_a_class_that_is_changed_later() -> None:
    """A subclass has a plan of its own."""
    assert through({"x": 1}, Point) == Point(1)

    @dataclass
    class Point3(Point):
        z: int = 9

    assert through({"x": 1, "z": 3}, Point3) == Point3(1, 0, 3)


def test_plans_do_not_keep_classes() -> None:
    @dataclass
    class Short:
        x: int

    through({"x": 1}, Short)
    gone = weakref.ref(Short)
    del Short
    gc.collect()
    assert gone() is None


# ---- types that can't be decoded ----


@dataclass
class WithInitVar:
    x: int
    y: InitVar[int] = 0


@dataclass
class Twice:
    a: Annotated[int, Field("k")]
    k: int


@dataclass
class Unresolved:
    x: Missing  # type: ignore[name-defined]  # noqa: F821


class Odd(enum.Enum):
    A = 1.5


IMPOSSIBLE: list[tuple[Any, str]] = [
    (complex, "can't decode complex"),
    (list[complex], "can't decode complex"),
    (WithInitVar, "y is an InitVar"),
    (Twice, "two fields of Twice have the key 'k'"),
    (Unresolved, "can't resolve the annotations of Unresolved"),
    (Odd, "enums of int and str"),
    (Literal[b"a"], "literals of None, bool, int and str"),
    (Point | Node, "can't tell Point and Node apart"),
    (Union[list[int], tuple[int, ...]], "both take Array"),
    (Union[dict[str, int], Point], "both take Dictionary"),
    (Union[Team, str], "both take String"),
    (dict[list[int], int], "has no hash"),
    (set[Point], "has no hash"),
    (Annotated[int, Meta(max_length=1)], "makes no sense for int"),
    (Annotated[Point, Meta(ge=1)], "makes no sense for Point"),
    (Annotated[Optional[bool], Meta(ge=1)], "makes no sense for"),
    (collections.deque[int], "can't decode"),
    (3, "can't decode 3"),
]


@pytest.mark.parametrize(("type_", "message"), IMPOSSIBLE)
def test_impossible_types(type_: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        through(None, type_)


# ---- packets that are broken, large, deep ----


def test_broken_packets() -> None:
    packet = gdvar.dumps({"x": 1, "y": "abc"})
    for size in range(len(packet)):
        with pytest.raises(gdvar.TruncatedError):
            gdvar.decode(packet[:size], Point)
    with pytest.raises(gdvar.LimitError):
        gdvar.decode(packet, Point, limits=gdvar.Limits(bytes=8))
    with pytest.raises(gdvar.LimitError, match="trailing"):
        gdvar.decode(gdvar.dumps({"x": 1}) + b"\0", Point, strict=True)
    with pytest.raises(gdvar.DecodeError):
        gdvar.decode(b"\xff\0\0\0", Any)
    with pytest.raises(TypeError):
        gdvar.decode("text", Any)  # type: ignore[call-overload]


def test_any_buffer() -> None:
    packet = gdvar.dumps({"x": 1})
    for data in (packet, bytearray(packet), memoryview(packet)):
        assert gdvar.decode(data, Point) == Point(1)


def deep_packet(depth: int) -> bytes:
    """{"name": "", "children": [...]} `depth` times; each level is two containers."""
    text = [bytes([4, 0, 0, 0, len(t), 0, 0, 0]) + t for t in (b"name", b"children")]
    head = bytes([27, 0, 0, 0, 2, 0, 0, 0]) + text[0] + bytes([4, 0, 0, 0, 0, 0, 0, 0]) + text[1]
    level = head + bytes([28, 0, 0, 0, 1, 0, 0, 0])
    return level * (depth - 1) + head + bytes([28, 0, 0, 0, 0, 0, 0, 0])


def test_depth() -> None:
    packet = deep_packet(100_000)
    with pytest.raises(gdvar.LimitError):
        gdvar.decode(packet, Node)
    made = gdvar.decode(packet, Node, limits=gdvar.Limits(depth=300_000))
    depth = 1
    at = made
    while at.children:
        at = at.children[0]
        depth += 1
    assert depth == 100_000
    del at, made


@pytest.mark.parametrize("text", ["a\nERROR fake\x1b[31m", "\u202egpj", "\x85\x9b", "x" * 59 + "\u00e9\n" * 9])
def test_texts_of_a_packet_are_one_line_of_a_message(text: str) -> None:
    for type_, value in ((Literal["a", "b"], text), (dict[Literal["a"], int], {text: 1})):
        with pytest.raises(MismatchError) as caught:
            gdvar.decode(gdvar.dumps(value), type_)
        assert str(caught.value).isprintable() and caught.value.found.isprintable(), str(caught.value)


def test_depth_of_a_refusal() -> None:
    packet = deep_packet(50_000)[:-8] + bytes([0, 0, 0, 0])  # the last children are null
    with pytest.raises(MismatchError) as caught:
        gdvar.decode(packet, Node, limits=gdvar.Limits(depth=300_000))
    assert (caught.value.expected, caught.value.found) == ("Array", "Nil")
    assert len(caught.value.path) == 300 and caught.value.path.endswith(".children[0].children")


def test_counts_that_lie() -> None:
    for count in (2**31 - 1, 1000):
        array = bytes([28, 0, 0, 0]) + count.to_bytes(4, "little")
        with pytest.raises(gdvar.DecodeError):
            gdvar.decode(array + bytes(8), list[None])


def test_many_keys_of_one_kind() -> None:
    value = gdvar.Pairs([("x", i) for i in range(20_000)])
    assert through(value, Point) == Point(19_999)
    unknown = {f"k{i}": i for i in range(20_000)} | {"x": 1}
    assert through(unknown, Point) == Point(1)


def test_references_are_counted() -> None:
    """Nothing is kept of values that were refused."""

    @dataclass
    class Passing(Point):
        pass

    packet = gdvar.dumps([{"x": 1, "y": 2}, {"x": 3, "y": "b"}])
    for _ in range(3):
        with pytest.raises(MismatchError):
            gdvar.decode(packet, list[Passing])
    gc.collect()
    assert not [each for each in gc.get_objects() if type(each) is Passing]
    assert gc.isenabled()


def test_arguments() -> None:
    packet = gdvar.dumps(1)
    with pytest.raises(TypeError):
        gdvar.decode(packet)  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        gdvar.decode(packet, int, "godot-4.4")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="dialect"):
        gdvar.decode(packet, int, dialect="godot-99")
    assert dataclasses.is_dataclass(Meta)
    assert gdvar.decode(packet, type=int) == 1


def test_keys_that_no_text_can_be() -> None:
    """A key with half of a surrogate pair is refused, and is no empty key."""
    halves = TypedDict("halves", {"\ud800": int, "\ud801": int})  # type: ignore[misc]
    with pytest.raises(UnicodeEncodeError):
        gdvar.encode({"\ud800": 1, "\ud801": 2}, type=halves)
    with pytest.raises(UnicodeEncodeError):
        gdvar.decode(gdvar.encode({"": 5}), halves)
