"""Types of every form, and values that they take: for the tests of decode and encode."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    Optional,
    Required,
    TypedDict,
    TypeVar,
    Union,
)

import gdvar
from gdvar import Field, Meta


@dataclass
class Point:
    x: int
    y: int = 0


@dataclass
class Node:
    name: str
    children: list[Node] = field(default_factory=list["Node"])


@dataclass(frozen=True, slots=True)
class Frozen:
    name: str
    hp: Annotated[int, Meta(ge=0, le=100)] = 100


@dataclass(kw_only=True, slots=True)
class Base:
    a: int
    b: int = 2


@dataclass(kw_only=True, slots=True)
class Derived(Base):
    c: str = "c"


@dataclass
class Computed:
    x: int
    twice: int = field(init=False)
    seen: list[int] = field(init=False, default_factory=list[int])

    def __post_init__(self) -> None:
        self.twice = 2 * self.x


@dataclass
class Picky:
    x: int

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("x is negative")


@dataclass
class Renamed:
    kind: Annotated[str, Field("class")]


class Team(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


class Pair(NamedTuple):
    a: int
    b: str = "b"


class Movie(TypedDict):
    title: str
    year: NotRequired[int]


class Loose(TypedDict, total=False):
    title: Required[str]
    year: int


@dataclass
class Join:
    type: Literal["join"]
    name: str


@dataclass
class Leave:
    type: Literal["leave", "quit"] = "leave"
    id: int = 0


class Say(TypedDict):
    type: Literal["say"]
    text: str


T = TypeVar("T")
K = TypeVar("K")


@dataclass
class Box(Generic[T]):
    item: T


@dataclass
class Crate(Box[int], Generic[K]):
    label: K


UserId = NewType("UserId", int)
Json = Union[None, bool, int, float, str, list["Json"], dict[str, "Json"]]


@dataclass
class Config:
    json: Json


# ---- values, the types that take them, and what they become ----

V3 = gdvar.Vector3(1.0, 2.0, 3.0)
TAKEN: list[tuple[Any, Any, Any]] = [
    (None, None, None),
    (True, bool, True),
    (7, int, 7),
    (3.0, int, 3),
    (-(2**63), int, -(2**63)),
    (0.5, float, 0.5),
    (2**53, float, float(2**53)),
    ("é", str, "é"),
    (gdvar.StringName("n"), str, "n"),
    ("n", gdvar.StringName, gdvar.StringName("n")),
    (b"\1\2", bytes, b"\1\2"),
    (b"\1\2", bytearray, bytearray(b"\1\2")),
    (V3, gdvar.Vector3, V3),
    (gdvar.Vector2i(1, 2), gdvar.Vector2i, gdvar.Vector2i(1, 2)),
    (gdvar.NodePath("/a:b"), gdvar.NodePath, gdvar.NodePath("/a:b")),
    (gdvar.RID(7), gdvar.RID, gdvar.RID(7)),
    (gdvar.Signal("s", 1), gdvar.Signal, gdvar.Signal("s", 1)),
    (gdvar.Callable(), gdvar.Callable, gdvar.Callable()),
    (gdvar.EncodedObjectAsID(3), gdvar.EncodedObjectAsID, gdvar.EncodedObjectAsID(3)),
    ([1, "a"], Any, [1, "a"]),
    ({"a": [1]}, object, {"a": [1]}),
    ([1, 2], list[int], [1, 2]),
    ([1, "a"], list, [1, "a"]),
    ([1, 2], Sequence[int], [1, 2]),
    ([1, 2], tuple[int, ...], (1, 2)),
    ([1, "a"], tuple[int, str], (1, "a")),
    ([], tuple[()], ()),
    ([1, 2, 1], set[int], {1, 2}),
    (["a"], frozenset[str], frozenset({"a"})),
    ({"a": 1}, dict[str, int], {"a": 1}),
    ({1: ["a"]}, Mapping[int, list[str]], {1: ["a"]}),
    (gdvar.Pairs([([1], 2)]), gdvar.Pairs[list[int], int], gdvar.Pairs([([1], 2)])),
    ({"a": 1}, gdvar.Pairs, gdvar.Pairs([("a", 1)])),
    (gdvar.PackedInt32Array([1, 2]), list[int], [1, 2]),
    (gdvar.PackedInt64Array([1, 2]), tuple[float, ...], (1.0, 2.0)),
    (gdvar.PackedFloat64Array([1, 2]), set[int], {1, 2}),
    (gdvar.PackedByteArray([1, 2]), list[int], [1, 2]),
    (gdvar.PackedStringArray(["a", "b"]), list[str], ["a", "b"]),
    (gdvar.PackedVector3Array([V3]), list[gdvar.Vector3], [V3]),
    (gdvar.PackedStringArray(["a"]), gdvar.PackedStringArray, gdvar.PackedStringArray(["a"])),
    (gdvar.PackedInt32Array([1]), gdvar.PackedInt32Array, gdvar.PackedInt32Array([1])),
    ("red", Team, Team.RED),
    (gdvar.StringName("blue"), Team, Team.BLUE),
    (2, Level, Level.HIGH),
    ("LOW", Level, Level.LOW),
    (3, Rights, Rights.READ | Rights.WRITE),
    ("a", Literal["a", 1], "a"),
    (1, Literal["a", 1], 1),
    (True, Literal[True, None], True),
    (None, Literal[True, None], None),
    ("red", Literal[Team.RED], Team.RED),
    (5, UserId, 5),
    (None, Optional[int], None),
    (5, Optional[int], 5),
    (5, "int | str", 5),
    ("a", int | str, "a"),
    (1.5, int | float, 1.5),
    (1, int | float, 1),
    (5, float | str, 5.0),
    ("a", Literal["a"] | int | None, "a"),
    ({"json": [1, {"a": [None]}]}, Config, Config([1, {"a": [None]}])),
    ([1, "x"], Pair, Pair(1, "x")),
    ([1], Pair, Pair(1, "b")),
    ({"title": "t"}, Movie, {"title": "t"}),
    ({"title": "t", "year": 1, "more": 2}, Movie, {"title": "t", "year": 1}),
    ({"title": "t"}, Loose, {"title": "t"}),
    ({"x": 1, "y": 2}, Point, Point(1, 2)),
    ({"y": 2.0, "x": 1}, Point, Point(1, 2)),
    ({gdvar.StringName("x"): 1, 5: 6}, Point, Point(1)),
    ({"name": "a", "hp": 1}, Frozen, Frozen("a", 1)),
    ({"a": 1, "c": "x"}, Derived, Derived(a=1, c="x")),
    ({"class": "c"}, Renamed, Renamed("c")),
    ({"item": [1]}, Box[list[int]], Box([1])),
    ({"item": 1, "label": "l"}, Crate[str], Crate(1, "l")),
    ({"item": {"x": 1}}, Box[Point], Box(Point(1))),
    ({"type": "join", "name": "a"}, Join | Leave, Join("join", "a")),
    ({"type": "quit", "id": 2}, Join | Leave, Leave("quit", 2)),
    ({"text": "a", "type": "say"}, Join | Say | None, {"type": "say", "text": "a"}),
    ([{"type": "say", "text": "a"}, 3], list[Join | Say | int], [{"type": "say", "text": "a"}, 3]),
]
