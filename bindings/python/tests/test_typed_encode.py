"""encode: every form of type comes back as it was; what does not fit its declaration is refused."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Any, Literal, Optional, Union

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapes import (
    TAKEN,
    Computed,
    Derived,
    Frozen,
    Join,
    Leave,
    Level,
    Loose,
    Movie,
    Node,
    Pair,
    Point,
    Renamed,
    Rights,
    Team,
)

import gdvar
from gdvar import EncodeError, Field, Meta, MismatchError


def again(value: Any, type_: Any) -> Any:
    return gdvar.decode(gdvar.encode(value, type=type_), type_)


def refused(value: Any, type_: Any = None) -> MismatchError:
    with pytest.raises(MismatchError) as caught:
        gdvar.encode(value, type=type_)
    assert caught.value.offset is None
    return caught.value


def told(error: MismatchError) -> tuple[str, str, str, str]:
    return (error.code, error.path, error.expected, error.found)


# ---- the law ----


@pytest.mark.parametrize(("type_", "value"), [(type_, made) for _, type_, made in TAKEN])
def test_every_form_comes_back(type_: Any, value: Any) -> None:
    made = again(value, type_)
    assert made == value
    assert type(made) is type(value)


INTS = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(allow_nan=False)
NARROW = st.floats(allow_nan=False, width=32)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
PLAIN: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (int, INTS),
    (float, FLOATS),
    (str, TEXTS),
    (bool, st.booleans()),
    (bytes, st.binary()),
    (gdvar.StringName, TEXTS.map(gdvar.StringName)),
    (gdvar.Vector2, st.builds(gdvar.Vector2, NARROW, NARROW)),
    (gdvar.Vector3d, st.builds(gdvar.Vector3d, FLOATS, FLOATS, FLOATS)),
    (gdvar.Vector2i, st.builds(gdvar.Vector2i, *[st.integers(-(2**31), 2**31 - 1)] * 2)),
    (Team, st.sampled_from(Team)),
    (Level, st.sampled_from(Level)),
    (Rights, st.integers(0, 3).map(Rights)),
    (Literal["a", 1, True], st.sampled_from(["a", 1, True])),
    (Point, st.builds(Point, INTS, INTS)),
    (Pair, st.builds(Pair, INTS, TEXTS)),
    (Movie, st.fixed_dictionaries({"title": TEXTS}, optional={"year": INTS})),
    (Frozen, st.builds(Frozen, TEXTS, st.integers(0, 100))),
    (Join | Leave | None, st.one_of(
        st.builds(Join, st.just("join"), TEXTS),
        st.builds(Leave, st.sampled_from(["leave", "quit"]), INTS),
        st.none(),
    )),
]  # fmt: skip
TYPES = st.sampled_from(PLAIN)


def deeper(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Types made of types, each with the values that it has."""

    def wrap(of: tuple[Any, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
        values = of[1]
        type_: Any = of[0]
        listed: Any = list.__class_getitem__(type_)
        more: Any = ("more", listed, field(default_factory=list[Any]))
        boxed: Any = make_dataclass("Boxed", [("item", type_), more])
        return st.sampled_from(
            [
                (listed, st.lists(values, max_size=5)),
                (tuple.__class_getitem__((type_, ...)), st.lists(values, max_size=5).map(tuple)),
                (tuple.__class_getitem__((int, type_)), st.tuples(INTS, values)),
                (dict.__class_getitem__((str, type_)), st.dictionaries(TEXTS, values, max_size=5)),
                (dict.__class_getitem__((int, type_)), st.dictionaries(INTS, values, max_size=5)),
                (Union[type_, None], st.none() | values),
                (boxed, st.builds(boxed, values, st.lists(values, max_size=3))),
            ]
        )

    return inner.flatmap(wrap)


@given(
    st.recursive(TYPES, deeper, max_leaves=4).flatmap(lambda of: st.tuples(st.just(of[0]), of[1]))
)
def test_law(case: tuple[Any, Any]) -> None:
    type_, value = case
    made = again(value, type_)
    assert made == value
    assert type(made) is type(value)


# ---- what the declaration says ----


@dataclass
class Declared:
    number: float = 1
    name: gdvar.StringName = gdvar.StringName("")
    position: gdvar.Vector3 = gdvar.Vector3()
    wide: gdvar.Vector2d = gdvar.Vector2d()
    tiles: gdvar.PackedInt32Array = field(default_factory=lambda: gdvar.PackedInt32Array([]))
    tags: Sequence[str] = ()


def test_fields_are_written_as_declared() -> None:
    value = Declared(2, "n", (1, 2, 3), (0.1, 0.2), [1, 2], ("a",))  # type: ignore[arg-type]
    written: dict[str, Any] = gdvar.loads(gdvar.encode(value))
    kinds: dict[str, type] = {key: type(each) for key, each in written.items()}
    assert kinds == {
        "number": float,
        "name": gdvar.StringName,
        "position": gdvar.Vector3,
        "wide": gdvar.Vector2d,
        "tiles": gdvar.PackedInt32Array,
        "tags": list,
    }
    assert written["position"] == (1, 2, 3)
    assert written["wide"] == (0.1, 0.2)
    assert written["tiles"].tolist() == [1, 2]


def test_order_and_keys() -> None:
    assert list(gdvar.loads(gdvar.encode(Derived(a=1, c="x")))) == ["a", "b", "c"]
    assert gdvar.loads(gdvar.encode(Renamed("k"))) == {"class": "k"}
    assert gdvar.loads(gdvar.encode({"year": 1, "title": "t"}, type=Movie)) == {
        "title": "t",
        "year": 1,
    }
    computed = gdvar.decode(gdvar.dumps({"x": 2}), Computed)
    assert gdvar.loads(gdvar.encode(computed)) == {"x": 2}


def test_wide_math_stays_wide() -> None:
    wide = gdvar.Vector3d(0.1, 0.2, 0.3)
    assert again(wide, gdvar.Vector3) == wide


def test_without_a_declaration() -> None:
    value: Any = {
        "p": Point(1),
        "all": [Team.RED, Level.LOW, Pair(1, "b"), (Point(2), None)],
        5: 0.5,
    }
    assert gdvar.loads(gdvar.encode(value)) == {
        "p": {"x": 1, "y": 0},
        "all": ["red", 1, [1, "b"], [{"x": 2, "y": 0}, None]],
        5: 0.5,
    }
    for value in ([1, "a"], gdvar.Vector3(1, 2, 3), gdvar.PackedInt32Array([1]), None, b"a"):
        assert gdvar.encode(value) == gdvar.dumps(value)
    assert gdvar.encode(Team.RED) == gdvar.dumps("red")


def test_unions_choose_by_the_object() -> None:
    either = int | float | str | gdvar.StringName | None
    for value in (1, 1.0, "a", gdvar.StringName("a"), None):
        assert gdvar.encode(value, type=either) == gdvar.dumps(value)
    assert gdvar.encode(1, type=float | str) == gdvar.dumps(1.0)


def test_sets_and_abstract_types() -> None:
    assert again(frozenset({1}), AbstractSet[int]) == {1}
    assert again((1, 2), Sequence[int]) == [1, 2]
    assert again(collections.OrderedDict(a=1), dict[str, int]) == {"a": 1}


# ---- what is refused ----


class Sub(Point):
    pass


REFUSED: list[tuple[Any, ...]] = [
    (Point("a"), None, "wrong_type", "$.x", "int", "str"),  # type: ignore[arg-type]
    (Point(True), None, "wrong_type", "$.x", "int", "bool"),
    (Point(1.0), None, "wrong_type", "$.x", "int", "float"),  # type: ignore[arg-type]
    (Point(2**63), None, "number_out_of_range", "$.x", "int", str(2**63)),
    (Frozen("a", 101), None, "number_out_of_range", "$.hp", "int from 0 to 100", "101"),
    (2**53 + 1, float, "number_out_of_range", "$", "float", str(2**53 + 1)),
    (Node("a", [Node("b"), 3]), None,  # type: ignore[list-item]
     "wrong_type", "$.children[1]", "Dictionary for Node", "int"),
    ([Point(1), None], list[Point], "wrong_type", "$[1]", "Dictionary for Point", "NoneType"),
    # A field of a subclass would be lost, so its objects are refused.
    (Sub(1), Point, "wrong_type", "$", "Dictionary for Point", "Sub"),
    ((1,), list[int], "wrong_type", "$", "Array", "tuple"),
    ([1], tuple[int, ...], "wrong_type", "$", "Array", "list"),
    ((1,), tuple[int, int], "length_out_of_range", "$", "Array of 2 elements", "1 elements"),
    ([1], set[int], "wrong_type", "$", "Array", "list"),
    ("abc", Annotated[str, Meta(max_length=2)],
     "length_out_of_range", "$", "String of at most 2 characters", "3 characters"),
    ([1, 2], Annotated[list[int], Meta(max_length=1)],
     "length_out_of_range", "$", "Array of at most 1 elements", "2 elements"),
    (b"ab", Annotated[bytes, Meta(max_length=1)],
     "length_out_of_range", "$", "PackedByteArray of at most 1 bytes", "2 bytes"),
    ((1, 2), gdvar.Vector3, "wrong_type", "$", "Vector3", "tuple"),
    ("v", gdvar.Vector3, "wrong_type", "$", "Vector3", "str"),
    ((1, 2, 1e300), gdvar.Vector3, "number_out_of_range", "$", "Vector3", "(1, 2, 1e+300)"),
    ((1, 2**31), gdvar.Vector2i, "number_out_of_range", "$", "Vector2i", f"(1, {2**31})"),
    ([1, "a"], gdvar.PackedInt32Array, "wrong_type", "$", "PackedInt32Array", "list"),
    ([2**31], gdvar.PackedInt32Array,
     "number_out_of_range", "$", "PackedInt32Array", f"[{2**31}]"),
    ("x", Literal["a"], "unknown_name", "$", '"a"', "'x'"),
    (True, Literal[1], "unknown_name", "$", "1", "True"),
    ("red", Team, "wrong_type", "$", "Team (red, blue)", "str"),
    ("\ud800", str, "bad_utf8", "$", "String", "'\\ud800'"),
    ({"year": 1}, Movie, "missing_key", "$", 'the key "title"', "dict without it"),
    ({"title": "t", "other": 1}, Loose, "unknown_key", "$", "Dictionary for Loose", "'other'"),
    ({"a": {1: "b"}}, dict[str, dict[int, int]], "wrong_type", "$.a[1]", "int", "str"),
    ({1: 1}, dict[str, int], "wrong_type", "$[@0 key]", "String", "int"),
    (3, Join | Leave, "wrong_type", "$",
     'Dictionary with type "join" or "leave" or "quit"', "int"),
    (1.5, Optional[int], "wrong_type", "$", "int or null", "float"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "type_", "code", "path", "expected", "found"), REFUSED)
def test_refuses(value: Any, type_: Any, code: str, path: str, expected: str, found: str) -> None:
    assert told(refused(value, type_)) == (code, path, expected, found)


def test_missing_attribute() -> None:
    point = Point(1)
    del point.x
    assert told(refused([point], list[Point])) == (
        "missing_key", "$[0].x", 'the attribute "x"', "object without it"
    )  # fmt: skip


def test_what_no_type_can_be() -> None:
    with pytest.raises(EncodeError, match="is no Variant"):
        gdvar.encode([1, complex(1)])
    with pytest.raises(TypeError, match="can't encode complex"):
        gdvar.encode(complex(1), type=complex)
    with pytest.raises(EncodeError) as caught:
        gdvar.encode({"a": gdvar.StringName("n")}, dialect="godot-3.1")
    assert (caught.value.code, caught.value.path) == ("not_in_dialect", "$.a")


# ---- code of classes ----


def test_properties_are_asked() -> None:
    @dataclass
    class Named:
        name: str

    def get(self: Any) -> str:
        return "".join(["a", "b", *map(str, range(20))])

    Named.name = property(get, lambda self, value: None)  # type: ignore[assignment]
    assert gdvar.loads(gdvar.encode([Named("x")] * 3)) == [{"name": get(None)}] * 3


def test_containers_that_change_meanwhile() -> None:
    changed: dict[str, Any] = {}

    @dataclass
    class Trap:
        x: int

    def get(self: Any) -> int:
        changed[f"k{len(changed)}"] = 1
        return 1

    Trap.x = property(get, lambda self, value: None)  # type: ignore[assignment]
    changed["trap"] = Trap(1)
    with pytest.raises((RuntimeError, EncodeError)):
        gdvar.encode(changed)


# ---- depth ----


def test_depth() -> None:
    root = Node("root")
    at = root
    for _ in range(100_000):
        at.children.append(Node("n"))
        at = at.children[0]
    with pytest.raises(EncodeError) as caught:
        gdvar.encode(root)
    assert caught.value.code == "depth_limit"
    limits = gdvar.Limits(depth=300_000)
    packet = gdvar.encode(root, limits=limits)
    assert gdvar.encode(gdvar.decode(packet, Node, limits=limits), limits=limits) == packet


def test_what_holds_itself() -> None:
    node = Node("n")
    node.children = [node, node]
    with pytest.raises(EncodeError) as caught:
        gdvar.encode(node)
    assert caught.value.code == "depth_limit"


def test_fields_have_names_of_any_kind() -> None:
    @dataclass
    class Odd:
        a: Annotated[int, Field("with space")]
        b: Annotated[int, Field("é")]

    value = Odd(1, 2)
    assert gdvar.loads(gdvar.encode(value)) == {"with space": 1, "é": 2}
    assert again(value, Odd) == value
