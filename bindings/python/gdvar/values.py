"""Variant's types that Python has no type for.

Math types are named tuples of floats or ints, in the order of the bytes. Each exists in both widths: `Vector3`
has 32-bit components on the wire, `Vector3d` 64-bit ones, and a `Vector3d` is a `Vector3`. Numbers are not
rounded until they are written. As tuples they are equal to other tuples with the same numbers. Vectors, colors and
quaternions calculate as Godot's do; nothing joins or repeats them, as `+` and `*` of other tuples do.
"""

from __future__ import annotations

import math
import numbers
import operator
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple, Self, SupportsFloat, SupportsIndex, TypeVar, cast

__all__ = [
    "AABB",
    "AABBd",
    "Array",
    "Basis",
    "Basisd",
    "Callable",
    "Color",
    "Colord",
    "ContainerType",
    "Dictionary",
    "EncodedObjectAsID",
    "Image",
    "InputEvent",
    "Limits",
    "NETWORK",
    "NodePath",
    "Object",
    "PackedStringArray",
    "PackedTypedArray",
    "Pairs",
    "Plane",
    "Planed",
    "Projection",
    "Projectiond",
    "Quaternion",
    "Quaterniond",
    "RID",
    "Rect2",
    "Rect2d",
    "Rect2i",
    "Signal",
    "StringName",
    "Transform2D",
    "Transform2Dd",
    "Transform3D",
    "Transform3Dd",
    "UNTYPED",
    "Vector2",
    "Vector2d",
    "Vector2i",
    "Vector3",
    "Vector3d",
    "Vector3i",
    "Vector4",
    "Vector4d",
    "Vector4i",
]

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class StringName(str):
    """A StringName: a str with its own type on the wire. Equal to the str with the same text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"StringName({super().__repr__()})"


class _NodePathParts(NamedTuple):
    names: tuple[str, ...]
    subnames: tuple[str, ...]
    absolute: bool
    separate_property: bool


class NodePath(_NodePathParts):
    """A path to a node or property: `NodePath("/root/Game:position:x")`.

    Attributes:
        names, subnames: ("root", "Game") and ("position", "x").
        absolute: whether it begins with "/".
        separate_property: Godot 2 wrote the last subname apart (WIRE: NodePath).
    """

    __slots__ = ()

    def __new__(cls, text: str = "", *parts: Any) -> NodePath:
        """From text, as the engine reads it: names between "/", then subnames after ":"."""
        if parts:  # dataclasses.asdict copies a named tuple from its parts
            return cls.of(text, *parts)
        absolute = text.startswith("/")
        head, *subnames = text.split(":")
        names = [name for name in head.split("/") if name]
        return cls.of(names, [name for name in subnames if name], absolute)

    @classmethod
    def of(
        cls,
        names: Iterable[str],
        subnames: Iterable[str] = (),
        absolute: bool = False,
        separate_property: bool = False,
    ) -> NodePath:
        """From its parts, which may hold any text."""
        parts = (tuple(names), tuple(subnames), absolute, separate_property)
        return tuple.__new__(cls, parts)

    def __str__(self) -> str:
        text = ("/" if self.absolute else "") + "/".join(self.names)
        return text + "".join(":" + name for name in self.subnames)

    def __repr__(self) -> str:
        return f"NodePath({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (NodePath.of, tuple(self))


# ---- math types ----


class _Calculates:
    """`+`, `-`, `*` and `/` of vectors, component by component, as in Godot.

    The other side is of the same type, in either width, or a plain tuple of as many numbers; of `*`
    and `/` also a number. ints stay ints, where no other number is among them on either side.
    """

    __slots__ = ()
    # numpy's numbers leave the calculation to a vector, its arrays take a vector as an array.
    __array_priority__: ClassVar[float] = -1.0
    _type: ClassVar[Any]
    _of_floats: ClassVar[Any] = None  # of Vector2i: Vector2

    def __init_subclass__(cls) -> None:
        if _Calculates in cls.__bases__:
            cls._type = cls

    def _with(self, other: object, combine: Any, by_number: bool = False) -> Any:
        kind = type(other)
        mine: list[Any] = [*map(_number, cast("tuple[object, ...]", self))]
        others: list[Any]
        if not isinstance(other, tuple):
            others = [_number(other) if by_number else None] * len(mine)
            if others[0] is None and not isinstance(other, numbers.Number):
                return NotImplemented
        else:
            others = [*map(_number, cast("tuple[object, ...]", other))]
            if not (issubclass(kind, self._type) or kind is tuple and len(others) == len(mine)):
                # Tuples would be joined.
                raise TypeError(f"{type(self).__name__} and {kind.__name__} can't be combined")
        if None in mine or None in others:
            raise TypeError(f"{type(self).__name__} does not calculate with {other!r}")
        cls: Any = kind if isinstance(other, type(self)) else type(self)
        if self._of_floats and not all(isinstance(part, int) for part in mine + others):
            cls = self._of_floats
            mine = [*map(float, mine)]
        return cls(*map(combine, mine, others))

    def __add__(self, other: Any) -> Self:
        return self._with(other, operator.add)  # type: ignore[no-any-return]

    def __radd__(self, other: Any) -> Self:
        return self.__add__(other)

    def __sub__(self, other: Any) -> Self:
        return self._with(other, operator.sub)  # type: ignore[no-any-return]

    def __rsub__(self, other: Any) -> Self:
        return self._with(other, lambda a, b: b - a)  # type: ignore[no-any-return]

    def __mul__(self, other: Any) -> Self:
        return self._with(other, operator.mul, True)  # type: ignore[no-any-return]

    def __rmul__(self, other: Any) -> Self:
        return self.__mul__(other)

    def __truediv__(self, other: Any) -> Self:
        return self._with(other, _divide_ints if self._of_floats else _divide, True)  # type: ignore[no-any-return]

    def __neg__(self) -> Self:
        return self._with(self, lambda a, _: -a)  # type: ignore[no-any-return]


def _number(value: object) -> int | float | None:
    """A number of any kind as an int or a float, as Godot sees it; None: not a number."""
    if type(value) is float:
        return value
    if isinstance(value, int):
        return int(value)
    kind: Any = type(value)
    # An array may have these functions, too, and numpy's complex numbers have.
    is_other = isinstance(value, numbers.Complex) and not isinstance(value, numbers.Real)
    if is_other or hasattr(kind, "__len__"):
        return None
    if hasattr(kind, "__index__"):
        return operator.index(cast("SupportsIndex", value))
    return float(cast("SupportsFloat", value)) if hasattr(kind, "__float__") else None


def _divide(a: float, b: float) -> float:
    """As floats are divided everywhere but in Python: by zero, too."""
    if b != 0:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1, b)


def _divide_ints(a: float, b: float) -> float:
    """As Godot divides ints: towards zero."""
    if not (isinstance(a, int) and isinstance(b, int)):
        return _divide(a, b)
    whole = abs(a) // abs(b)
    return whole if (a < 0) == (b < 0) else -whole


class _OnlyHolds:
    """Types for which Godot has its own arithmetic, and gdvar none."""

    __slots__ = ()
    __array_priority__: ClassVar[float] = -1.0  # numpy's numbers leave it to these to refuse

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, (tuple, numbers.Number)):
            return NotImplemented
        raise TypeError(
            f"gdvar does not calculate with a {type(self).__name__}; tuple(...) makes a plain tuple of it"
        )

    __radd__ = __mul__ = __rmul__ = __add__


class _Vector2(NamedTuple):
    x: float = 0.0
    y: float = 0.0


class Vector2(_Calculates, _Vector2):
    """Two floats."""

    __slots__ = ()


class _Vector2i(NamedTuple):
    x: int = 0
    y: int = 0


class Vector2i(_Calculates, _Vector2i):
    """Two ints."""

    __slots__ = ()

    _of_floats = Vector2


class _Vector3(NamedTuple):
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0


class Vector3(_Calculates, _Vector3):
    """Three floats."""

    __slots__ = ()


class _Vector3i(NamedTuple):
    x: int = 0
    y: int = 0
    z: int = 0


class Vector3i(_Calculates, _Vector3i):
    """Three ints."""

    __slots__ = ()

    _of_floats = Vector3


class _Vector4(NamedTuple):
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    w: float = 0.0


class Vector4(_Calculates, _Vector4):
    """Four floats."""

    __slots__ = ()


class _Vector4i(NamedTuple):
    x: int = 0
    y: int = 0
    z: int = 0
    w: int = 0


class Vector4i(_Calculates, _Vector4i):
    """Four ints."""

    __slots__ = ()

    _of_floats = Vector4


class _Quaternion(NamedTuple):
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    w: float = 1.0


class Quaternion(_Calculates, _Quaternion):
    """A rotation."""

    __slots__ = ()

    def __mul__(self, other: Any) -> Self:
        if isinstance(other, tuple):
            raise TypeError("gdvar does not multiply quaternions")
        return super().__mul__(other)


class _Color(NamedTuple):
    r: float = 0.0
    g: float = 0.0
    b: float = 0.0
    a: float = 1.0


class Color(_Calculates, _Color):
    """Red, green, blue and alpha."""

    __slots__ = ()

    def __neg__(self) -> Self:
        """The inverted color, as in Godot."""
        return type(self)(*(1 - part for part in self))


class _Rect2(NamedTuple):
    position: Vector2 = Vector2()
    size: Vector2 = Vector2()


class Rect2(_OnlyHolds, _Rect2):
    """A rectangle."""

    __slots__ = ()


class _Rect2i(NamedTuple):
    position: Vector2i = Vector2i()
    size: Vector2i = Vector2i()


class Rect2i(_OnlyHolds, _Rect2i):
    """A rectangle of ints."""

    __slots__ = ()


class _Plane(NamedTuple):
    normal: Vector3 = Vector3()
    d: float = 0.0


class Plane(_OnlyHolds, _Plane):
    """A plane: its normal, and how far it is from the origin."""

    __slots__ = ()


class _AABB(NamedTuple):
    position: Vector3 = Vector3()
    size: Vector3 = Vector3()


class AABB(_OnlyHolds, _AABB):
    """A box."""

    __slots__ = ()


class _Transform2D(NamedTuple):
    x: Vector2 = Vector2(1.0, 0.0)
    y: Vector2 = Vector2(0.0, 1.0)
    origin: Vector2 = Vector2()


class Transform2D(_OnlyHolds, _Transform2D):
    """Two axis columns and the origin."""

    __slots__ = ()


class _Basis(NamedTuple):
    row0: Vector3 = Vector3(1.0, 0.0, 0.0)
    row1: Vector3 = Vector3(0.0, 1.0, 0.0)
    row2: Vector3 = Vector3(0.0, 0.0, 1.0)


class Basis(_OnlyHolds, _Basis):
    """Three rows, as the engines keep and write it; a script's `basis.x` is `basis.column(0)`."""

    __slots__ = ()

    def column(self, index: int) -> Vector3:
        """The axis `index`, from 0 to 2: what scripts call x, y and z."""
        vector = type(self.row0)
        return vector(self.row0[index], self.row1[index], self.row2[index])


class _Transform3D(NamedTuple):
    basis: Basis = Basis()
    origin: Vector3 = Vector3()


class Transform3D(_OnlyHolds, _Transform3D):
    """A basis and the origin."""

    __slots__ = ()


class _Projection(NamedTuple):
    x: Vector4 = Vector4(1.0, 0.0, 0.0, 0.0)
    y: Vector4 = Vector4(0.0, 1.0, 0.0, 0.0)
    z: Vector4 = Vector4(0.0, 0.0, 1.0, 0.0)
    w: Vector4 = Vector4(0.0, 0.0, 0.0, 1.0)


class Projection(_OnlyHolds, _Projection):
    """Four columns."""

    __slots__ = ()


class Vector2d(Vector2):
    __slots__ = ()


class Vector3d(Vector3):
    __slots__ = ()


class Vector4d(Vector4):
    __slots__ = ()


class Quaterniond(Quaternion):
    __slots__ = ()


class Colord(Color):
    __slots__ = ()


class Rect2d(Rect2):
    __slots__ = ()


class Planed(Plane):
    __slots__ = ()


class AABBd(AABB):
    __slots__ = ()


class Transform2Dd(Transform2D):
    __slots__ = ()


class Basisd(Basis):
    __slots__ = ()


class Transform3Dd(Transform3D):
    __slots__ = ()


class Projectiond(Projection):
    __slots__ = ()


# ---- ids and inert data ----


class RID(NamedTuple):
    """A resource's id, meaningless outside its process."""

    id: int = 0


class Callable(NamedTuple):
    """A Callable, which has no content on the wire."""


class Signal(NamedTuple):
    """A Signal: its name and the id of its object, which Godot prints as a signed number."""

    name: str = ""
    object_id: int = 0


class EncodedObjectAsID(NamedTuple):
    """An Object written only as its id. Godot prints it as a signed number; an unsigned one is
    accepted, too."""

    id: int = 0


class _ObjectParts(NamedTuple):
    class_name: str
    properties: Mapping[str, Any] | Pairs[str, Any]


class Object(_ObjectParts):
    """An Object as data, never instantiated. Without a class name: null.

    `properties` is a dict, or Pairs if a name repeats.
    """

    __slots__ = ()

    def __new__(
        cls, class_name: str = "", properties: Mapping[str, Any] | Pairs[str, Any] | None = None
    ) -> Self:
        """Without properties it gets a dict of its own."""
        return super().__new__(cls, class_name, {} if properties is None else properties)


class Image(NamedTuple):
    """Godot 1's and 2's Image."""

    format: int
    mipmaps: int
    width: int
    height: int
    data: bytes


class InputEvent(NamedTuple):
    """Godot 1's and 2's InputEvent; `words` has as many numbers as an event of its type."""

    type: int
    device: int
    words: tuple[int, ...] = ()


# ---- containers that keep what list and dict would lose ----


class ContainerType(NamedTuple):
    """The type of a typed container's elements.

    `kind`: "untyped", "builtin", "class_name" or "script". `type`: the Variant type ("Vector3"),
    "Object" for classes and scripts. `name`: the class, or the script's path.
    """

    kind: str = "untyped"
    type: str = "Nil"
    name: str = ""


UNTYPED = ContainerType()


def _slots(self: object) -> object:
    """For pickle, whose protocols 0 and 1 refuse classes with slots that have no such function."""
    return object.__getstate__(self)


class Array(list[T]):
    """An Array with an element type.

    Elements are not checked against it, and written unchanged: Godot converts those that do not
    fit, or drops them. Slices, `copy()` and `+` give a plain list; copy.copy keeps the type.
    """

    __slots__ = ("type",)
    __getstate__ = _slots

    def __init__(self, items: Iterable[T] = (), type: ContainerType = UNTYPED) -> None:
        super().__init__(items)
        self.type = type

    def __repr__(self) -> str:
        return f"{self.__class__.__name__.removeprefix('Frozen')}({super().__repr__()}, {self.type})"


class PackedTypedArray(Array[T]):
    """The packed typed array of Godot 4's development snapshots (docs/dialects.md)."""

    __slots__ = ()


class PackedStringArray(list[str]):
    """A PackedStringArray: a list of str with its own type on the wire."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"PackedStringArray({super().__repr__()})"


class Dictionary(dict[K, V]):
    """A Dictionary with types for keys and values.

    Neither is checked against them. `copy()` and `|` give a plain dict; copy.copy keeps the types.
    """

    __slots__ = ("key_type", "value_type")
    __getstate__ = _slots

    def __init__(
        self,
        items: Mapping[K, V] | Iterable[tuple[K, V]] = (),
        key_type: ContainerType = UNTYPED,
        value_type: ContainerType = UNTYPED,
    ) -> None:
        super().__init__(items)
        self.key_type = key_type
        self.value_type = value_type

    def __repr__(self) -> str:
        return f"Dictionary({super().__repr__()}, {self.key_type}, {self.value_type})"


class Pairs(list[tuple[K, V]]):
    """A Dictionary that a dict can't hold: (key, value) tuples in the order of the bytes.

    Its keys can't be hashed by Python, repeat, or are equal for Python though not for Godot (1, 1.0
    and True; a String and a StringName).
    """

    __slots__ = ("key_type", "value_type")
    __getstate__ = _slots

    def __init__(
        self,
        items: Iterable[tuple[K, V]] = (),
        key_type: ContainerType = UNTYPED,
        value_type: ContainerType = UNTYPED,
    ) -> None:
        super().__init__(items)
        self.key_type = key_type
        self.value_type = value_type

    def __repr__(self) -> str:
        types = "" if self.key_type == self.value_type == UNTYPED else f", {self.key_type}, {self.value_type}"
        return f"Pairs({super().__repr__()}{types})"


# ---- limits ----


class Limits(NamedTuple):
    """Limits of reading: open containers around a value, bytes of a packet, values in a packet.

    The defaults are the engines' own. `NETWORK` is for packets from untrusted peers.
    """

    depth: int = 1024
    bytes: int = 2**32 - 1
    values: int = 2**64 - 1


NETWORK = Limits(64, 1 << 20, 1 << 16)
"""Limits for packets from anywhere: depth 64, 1 MiB, 65,536 values."""
