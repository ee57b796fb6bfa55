"""decode and encode: objects of classes that gdvar does not know, numpy's, and typed Arrays and Dictionaries."""

from __future__ import annotations

import datetime
import fractions
import json
import pathlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

import numpy as np
import pytest

import gdvar
from gdvar import Array, ContainerType, Dictionary, EncodeError, MismatchError, Object, Vector2, Vector3

INT = ContainerType("builtin", "int")
STRING = ContainerType("builtin", "String")


class Pydantic:
    """A model as pydantic and attrs have them: neither a dataclass nor a mapping."""

    def __init__(self, name: str, hp: int) -> None:
        if not name:
            raise ValueError("no name")
        self.name, self.hp = name, hp

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pydantic) and vars(self) == vars(other)


@dataclass
class Event:
    at: datetime.datetime
    id: uuid.UUID
    who: Pydantic | None = None
    days: list[datetime.date] = field(default_factory=list)
    by_id: dict[uuid.UUID, int] = field(default_factory=dict)
    more: Any = None


EVENT = Event(
    datetime.datetime(2026, 1, 2, 3, 4, 5, 6),
    uuid.UUID(int=7),
    Pydantic("Ada", 7),
    [datetime.date(2026, 1, 2)],
    {uuid.UUID(int=8): 8},
    [uuid.UUID(int=9), {"deep": Pydantic("Bob", 1)}],
)


def enc_hook(made: Any) -> Any:
    if isinstance(made, (datetime.datetime, datetime.date)):
        return made.isoformat()
    if isinstance(made, uuid.UUID):
        return made.bytes
    if isinstance(made, Pydantic):
        return vars(made)
    raise NotImplementedError(type(made).__name__)


def dec_hook(type_: Any, value: Any) -> Any:
    if issubclass(type_, datetime.date):
        return type_.fromisoformat(value)
    if type_ is uuid.UUID:
        return uuid.UUID(bytes=bytes(value))
    return type_(**value)


def test_hooks_make_and_write_other_classes() -> None:
    packet = gdvar.encode(EVENT, enc_hook=enc_hook)
    made = gdvar.decode(packet, Event, dec_hook=dec_hook)
    assert made.more == [uuid.UUID(int=9).bytes, {"deep": {"name": "Bob", "hp": 1}}]
    made.more = EVENT.more
    assert made == EVENT
    assert gdvar.loads(packet)["at"] == "2026-01-02T03:04:05.000006"
    # Alone, in Any, and as a type that is declared outside of any class.
    assert gdvar.encode(uuid.UUID(int=7), enc_hook=enc_hook) == gdvar.dumps(uuid.UUID(int=7).bytes)
    assert gdvar.decode(gdvar.dumps("2026-01-02"), datetime.date, dec_hook=dec_hook).day == 2
    none = gdvar.encode(None, type=Pydantic | None, enc_hook=enc_hook)
    assert gdvar.decode(none, Pydantic | None, dec_hook=dec_hook) is None


def test_hooks_may_give_what_encode_takes() -> None:
    @dataclass
    class Stamp:
        text: str

    packet = gdvar.encode([EVENT.at], enc_hook=lambda at: Stamp(at.isoformat()))
    assert gdvar.loads(packet) == [{"text": EVENT.at.isoformat()}]
    with pytest.raises(EncodeError, match=r"\$\[1\]: <class 'object'> of enc_hook is no Variant"):
        gdvar.encode([1, EVENT.at], enc_hook=lambda at: object())
    with pytest.raises(EncodeError):  # it never ends
        gdvar.encode(EVENT.at, enc_hook=lambda at: [at])


def test_without_a_hook() -> None:
    for call in (lambda: gdvar.encode(EVENT), lambda: gdvar.decode(gdvar.dumps({}), Event)):
        with pytest.raises(TypeError, match=r"datetime: it is no type of a Variant's \((enc|dec)_hook="):
            call()
    with pytest.raises(TypeError, match="it is no type of a Variant's"):
        gdvar.encode({"x": [EVENT]})
    with pytest.raises(EncodeError):
        gdvar.encode({"x": EVENT.at})
    with pytest.raises(TypeError, match="dec_hook must be a function"):
        gdvar.decode(b"", int, dec_hook=1)  # type: ignore[call-overload]
    assert gdvar.decode(gdvar.dumps(1), int, dec_hook=None) == 1


def test_paths_of_what_hooks_refuse() -> None:
    packet = gdvar.dumps([{"who": {"name": "Ada", "hp": 1}}, {"who": {"name": "", "hp": 1}}])

    @dataclass
    class Row:
        who: Pydantic

    with pytest.raises(ValueError, match="no name") as caught:
        gdvar.decode(packet, list[Row], dec_hook=dec_hook)
    assert caught.value.__notes__ == ["in $[1].who"]
    with pytest.raises(NotImplementedError) as unknown:
        gdvar.encode([1, pathlib.PurePath("a")], enc_hook=enc_hook)
    assert unknown.value.__notes__ == ["in $[1]"]
    with pytest.raises(MismatchError) as wrong:
        gdvar.decode(packet, list[Row], dec_hook=lambda type_, value: 7)
    assert (wrong.value.path, wrong.value.found) == ("$[0].who", "int of dec_hook")
    with pytest.raises(MismatchError) as declared:
        gdvar.encode([Row(1)], enc_hook=enc_hook)  # type: ignore[arg-type]
    assert (declared.value.path, declared.value.found) == ("$[0].who", "int")


def test_unions_with_other_classes() -> None:
    assert gdvar.decode(gdvar.dumps(5), int | Pydantic, dec_hook=dec_hook) == 5
    assert gdvar.decode(gdvar.encode(EVENT.who, enc_hook=enc_hook), int | Pydantic, dec_hook=dec_hook) == EVENT.who
    with pytest.raises(TypeError, match="can't tell UUID and Pydantic apart"):
        gdvar.decode(gdvar.dumps(5), uuid.UUID | Pydantic, dec_hook=dec_hook)


class Protocol_(Protocol):
    """Not for isinstance(), which raises TypeError."""

    def run(self) -> None: ...


class Untold(type):
    def __instancecheck__(cls, instance: object) -> bool:
        raise ZeroDivisionError


class Told(metaclass=Untold):
    pass


def raises(_: object) -> Any:
    raise ZeroDivisionError


Faceless: Any = type("Faceless", (list,), {"__class__": property(raises)})


@pytest.mark.parametrize("type_", [Protocol_ | None, int | Protocol_, Protocol_])
def test_a_class_that_knows_no_instances_says_so(type_: Any) -> None:
    with pytest.raises(TypeError, match="runtime_checkable"):
        gdvar.encode(None if type_ is Protocol_ else EVENT, type=type_, enc_hook=str)


@pytest.mark.parametrize(
    ("given", "type_"),
    [
        (None, Told | None),
        ({1}, Told | set[int] | None),
        (None, list[Told | None]),
        (Faceless([1]), Array[int]),
        (Faceless([1]), set[int]),
        (Faceless([1]), set[int] | Object | int),
        (Faceless([1]), gdvar.PackedInt32Array | Object | int),
    ],
    ids=repr,
)
def test_exceptions_of_isinstance_come_through(given: Any, type_: Any) -> None:
    given = [given] if type_ == list[Told | None] else given
    with pytest.raises(ZeroDivisionError):
        gdvar.encode(given, type=type_, enc_hook=lambda made: made)


def test_a_hook_that_never_ends_has_one_note() -> None:
    def again(made: Any) -> Any:
        return gdvar.encode(made, enc_hook=again)

    with pytest.raises(RecursionError) as caught:
        gdvar.encode(EVENT.at, enc_hook=again)
    assert caught.value.__notes__ == ["in $"]


def test_hooks_that_use_gdvar_themselves() -> None:
    def packed(made: Any) -> Any:
        return gdvar.dumps(enc_hook(made))

    def unpacked(type_: Any, value: Any) -> Any:
        return dec_hook(type_, gdvar.loads(bytes(value)))

    times = [EVENT.at + datetime.timedelta(days=i) for i in range(100)]
    packet = gdvar.encode(times, enc_hook=packed)
    assert gdvar.decode(packet, list[datetime.datetime], dec_hook=unpacked) == times


def test_real_libraries() -> None:
    attrs: Any = pytest.importorskip("attrs")
    pydantic: Any = pytest.importorskip("pydantic")
    point = attrs.make_class("AttrsPoint", ["x", "y"])
    model = pydantic.create_model("Model", name=(str, ...), hp=(int, 1))
    rows = gdvar.encode(
        [point(1, 2), model(name="Ada")],
        enc_hook=lambda o: attrs.asdict(o) if attrs.has(type(o)) else o.model_dump(),
    )
    assert gdvar.loads(rows) == [{"x": 1, "y": 2}, {"name": "Ada", "hp": 1}]
    assert gdvar.decode(rows, tuple.__class_getitem__((point, model)), dec_hook=lambda t, v: t(**v)) == (
        point(1, 2),
        model(name="Ada"),
    )


# ---- numpy ----


@dataclass
class Numbers:
    i: int = 0
    f: float = 0.0
    b: bool = False
    either: int | str = 0
    points: gdvar.PackedVector3Array | None = None
    data: gdvar.PackedByteArray | None = None
    names: gdvar.PackedStringArray | None = None


def test_numpy_in_declared_fields() -> None:
    points = np.array([[1, 2, 3], [4, 5, 6]], dtype="f4")
    given = Numbers(
        i=np.int64(3),  # type: ignore[arg-type]
        f=np.float32(0.5),  # type: ignore[arg-type]
        b=np.bool_(True),  # type: ignore[arg-type]
        either=np.uint8(7),  # type: ignore[arg-type]
        points=points,  # type: ignore[arg-type]
        data=b"ab",  # type: ignore[arg-type]
    )
    plain = Numbers(3, 0.5, True, 7, gdvar.PackedVector3Array(points), gdvar.PackedByteArray(b"ab"))
    assert gdvar.encode(given) == gdvar.encode(plain)
    made = gdvar.decode(gdvar.encode(given), Numbers)
    assert made == plain
    wide = Numbers(points=points.astype("f8"))  # type: ignore[arg-type]
    assert gdvar.decode(gdvar.encode(wide), Numbers).points == gdvar.PackedVector3Array(points.astype("f8"), wide=True)
    sliced = Numbers(points=np.arange(18, dtype="f4").reshape(3, 6)[:, ::2])  # type: ignore[arg-type]
    assert gdvar.decode(gdvar.encode(sliced), Numbers).points == gdvar.PackedVector3Array(
        [(0, 2, 4), (6, 8, 10), (12, 14, 16)]
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"i": np.float32(1)},
        {"i": np.bool_(True)},
        {"i": np.array([1])},
        {"i": fractions.Fraction(1)},
        {"f": np.array([0.5])},
        {"f": np.float16(0.5)},
        {"b": np.int64(1)},
        {"b": 1},
        {"either": np.float64(1)},
        {"points": np.zeros((2, 2), "f4")},
        {"points": np.zeros((2, 3), "i4")},
        {"points": b"ab"},
        {"points": gdvar.PackedVector2Array()},
        {"data": np.zeros(2, "i4")},
        {"data": gdvar.PackedInt32Array([1])},
        {"names": b"ab"},
        {"names": np.zeros(2)},
    ],
    ids=repr,
)
def test_numpy_that_does_not_fit(wrong: dict[str, Any]) -> None:
    with pytest.raises(MismatchError) as caught:
        gdvar.encode(Numbers(**wrong))
    assert caught.value.code == "wrong_type"
    assert caught.value.path == f"$.{next(iter(wrong))}"


def test_numpy_numbers_keep_their_limits() -> None:
    with pytest.raises(MismatchError) as caught:
        gdvar.encode([np.uint64(2**64 - 1)], type=list[int])
    assert (caught.value.code, caught.value.path) == ("number_out_of_range", "$[0]")
    assert gdvar.encode(np.float32(3), type=float) == gdvar.dumps(3.0)
    assert gdvar.encode(np.array(5), type=int) == gdvar.dumps(5)


def test_buffers_choose_the_packed_array_that_has_their_elements() -> None:
    floats, doubles = gdvar.PackedFloat32Array, gdvar.PackedFloat64Array
    ints, points = gdvar.PackedInt32Array, gdvar.PackedVector2Array
    cases: list[tuple[Any, Any, Any]] = [
        (bytearray(b"ab"), floats | bytes, b"ab"),
        (b"ab", floats | gdvar.PackedByteArray, b"ab"),
        (b"ab", floats | Any, b"ab"),
        (np.array([1, 2], "i4"), floats | ints, ints([1, 2])),
        (np.array([1, 2], "f4"), doubles | floats, floats([1, 2])),
        (np.array([1, 2], "f8"), floats | doubles, doubles([1, 2])),
        (np.array([[1, 2]], "f8"), floats | points, points([(1, 2)], wide=True)),
        (np.array([[1, 2]], "f4"), gdvar.PackedVector3Array | points, points([(1, 2)])),
    ]
    for given, type_, expected in cases:
        assert gdvar.encode(given, type=type_) == gdvar.dumps(expected)
    for wrong in (np.array([1], "i8"), np.array([1], ">f4"), np.zeros((1, 3), "f4"), b"ab"):
        with pytest.raises(MismatchError):
            gdvar.encode(wrong, type=floats | points)


# ---- typed Arrays and Dictionaries ----


@dataclass
class Team:
    scores: Array[int] = field(default_factory=Array[int])
    names: Dictionary[str, Vector2] = field(default_factory=Dictionary[str, Vector2])
    rows: Array[list[int]] = field(default_factory=Array[list[int]])
    any: Array[Any] = field(default_factory=Array[Any])
    inner: Array[Any] | None = None


def test_typed_containers_are_written_with_their_types() -> None:
    team = Team(Array([1, 2]), Dictionary({"a": Vector2(1, 2)}), Array([[1], [2]]), Array([1, "x"]))
    made = gdvar.loads(gdvar.encode(team))
    assert made["scores"].type == INT
    assert (made["names"].key_type, made["names"].value_type) == (STRING, ContainerType("builtin", "Vector2"))
    assert made["rows"].type == ContainerType("builtin", "Array")
    assert type(made["any"]) is list
    again = gdvar.decode(gdvar.encode(team), Team)
    assert again == team
    assert (type(again.scores), again.scores.type) == (Array, INT)
    assert (type(again.names), again.names.value_type.type) == (Dictionary, "Vector2")
    assert type(again.any) is Array
    assert again.any.type is gdvar.UNTYPED


def test_unions_have_no_element_type() -> None:
    @dataclass
    class Open:
        maybe: Array[int | None]
        named: Dictionary[str, int | float]
        records: Array[Node | None]

    made = Open(Array([1, None]), Dictionary({"a": 1, "b": 0.5}), Array([Node("n"), None]))
    packet = gdvar.encode(made)
    assert gdvar.decode(packet, Open) == made
    assert gdvar.check(packet).quirks == []
    read = gdvar.loads(packet)
    assert type(read["maybe"]) is type(read["records"]) is list
    assert (read["named"].key_type, read["named"].value_type) == (STRING, gdvar.UNTYPED)


def test_lists_and_dicts_may_stand_for_them() -> None:
    team = Team([1], {"a": Vector2()})  # type: ignore[arg-type]
    assert gdvar.loads(gdvar.encode(team))["scores"].type == INT
    plain = gdvar.decode(gdvar.dumps({"scores": [1, 2.0], "names": {}}), Team)
    assert (plain.scores, type(plain.scores), plain.scores.type) == ([1, 2], Array, gdvar.UNTYPED)
    packed = gdvar.decode(gdvar.dumps({"scores": gdvar.PackedInt32Array([1])}), Team)
    assert (packed.scores, type(packed.scores)) == ([1], Array)


def test_a_type_of_its_own_stays() -> None:
    node = ContainerType("class_name", "Object", "Node")
    team = Team(any=Array([None], node))
    assert gdvar.loads(gdvar.encode(team))["any"].type == node
    assert gdvar.decode(gdvar.encode(team), Team).any.type == node

    class Mine(Array[int]):
        pass

    assert gdvar.loads(gdvar.encode(Mine([1], node), type=Array[int])).type == node


def test_elements_of_typed_containers_are_checked() -> None:
    with pytest.raises(MismatchError) as caught:
        gdvar.decode(gdvar.dumps({"scores": [1, "x"]}), Team)
    assert (caught.value.path, caught.value.expected) == ("$.scores[1]", "int")
    with pytest.raises(MismatchError) as written:
        gdvar.encode(Team(Array([1, "x"])))  # type: ignore[list-item]
    assert written.value.path == "$.scores[1]"
    with pytest.raises(EncodeError):  # Godot 3 has no typed arrays
        gdvar.encode(Team(), dialect="godot3")


@dataclass
class Node:
    name: str
    children: list[Self] = field(default_factory=list)
    next: Self | None = None


def test_self_is_the_class() -> None:
    tree = Node("a", [Node("b", [Node("c")])], Node("d"))
    assert gdvar.decode(gdvar.encode(tree), Node) == tree
    assert json.loads(gdvar.to_plain_json(gdvar.loads(gdvar.encode(tree))))["children"][0]["name"] == "b"


def test_sequences_take_packed_arrays_of_other_names() -> None:
    assert gdvar.decode(gdvar.dumps(gdvar.PackedVector3Array([(1, 2, 3)])), Sequence[Vector3]) == [Vector3(1, 2, 3)]
