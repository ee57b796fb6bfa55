"""The extension: everything here is part of `gdvar`."""

from collections.abc import Iterable, Iterator
from typing import Any, Generic, SupportsIndex, TypeVar, final, overload

from typing_extensions import Buffer, Self, disjoint_base

from gdvar.values import (
    Color,
    Limits,
    Vector2,
    Vector2i,
    Vector3,
    Vector3i,
    Vector4,
    Vector4i,
)

_E = TypeVar("_E")
_I = TypeVar("_I")
_D = TypeVar("_D")

# ---- values and packets ----

def loads(
    data: Buffer,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
) -> Any:
    """The value of the packet at the start of `data`, a bytes-like object."""

def dumps(
    value: Any,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
) -> bytes:
    """The packet of a value, as the dialect's engine writes it."""

def validate(
    data: Buffer,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
) -> int:
    """Checks the packet at the start of `data`; returns how many bytes it took."""

# ---- documents ----

@disjoint_base
class View:
    """A container in a Document: values are made when they are asked for."""

    @property
    def type(self) -> str: ...
    @property
    def packet(self) -> bytes: ...
    @property
    def dialect(self) -> str: ...
    def __getitem__(self, key: Any, /) -> Any: ...
    def __len__(self) -> int: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Any]: ...
    @overload
    def get(self, path: str) -> Any: ...
    @overload
    def get(self, path: str, default: _D) -> Any | _D: ...
    def value(self) -> Any: ...
    def keys(self) -> Iterator[Any]: ...
    def values(self) -> Iterator[Any]: ...
    def items(self) -> Iterator[tuple[Any, Any]]: ...

@final
class Document(View):
    """A packet, read and checked once; values are made when they are asked for."""

    def __new__(
        cls,
        data: Buffer,
        *,
        dialect: str | None = "godot-4.4",
        limits: Limits | None = None,
        objects: bool = False,
        strict: bool = False,
    ) -> Self: ...

# ---- packed arrays ----

# What the packed arrays have in common; there is no such class at run time.
class _PackedArray(Generic[_E, _I]):
    def __new__(cls, items: Iterable[_I] | Buffer = ..., *, wide: bool = False) -> Self: ...
    @classmethod
    def from_bytes(cls, data: Buffer, wide: bool = False) -> Self: ...
    @property
    def wide(self) -> bool: ...
    def tobytes(self) -> bytes: ...
    def tolist(self) -> list[_E]: ...
    def copy(self) -> Self: ...
    @overload
    def __getitem__(self, key: SupportsIndex, /) -> _E: ...
    @overload
    def __getitem__(self, key: slice, /) -> Self: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[_E]: ...
    def __contains__(self, element: object, /) -> bool: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class PackedByteArray(_PackedArray[int, int]): ...

@final
class PackedInt32Array(_PackedArray[int, int]): ...

@final
class PackedInt64Array(_PackedArray[int, int]): ...

@final
class PackedFloat32Array(_PackedArray[float, float]): ...

@final
class PackedFloat64Array(_PackedArray[float, float]): ...

@final
class PackedVector2Array(_PackedArray[Vector2, Iterable[float]]): ...

@final
class PackedVector3Array(_PackedArray[Vector3, Iterable[float]]): ...

@final
class PackedVector4Array(_PackedArray[Vector4, Iterable[float]]): ...

@final
class PackedColorArray(_PackedArray[Color, Iterable[float]]): ...

@final
class PackedVector2iArray(_PackedArray[Vector2i, Iterable[int]]): ...

@final
class PackedVector3iArray(_PackedArray[Vector3i, Iterable[int]]): ...

@final
class PackedVector4iArray(_PackedArray[Vector4i, Iterable[int]]): ...
