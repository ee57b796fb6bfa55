"""The extension: everything here is part of `gdvar`."""

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, Literal, Protocol, SupportsIndex, TypeVar, final, overload

from typing_extensions import Buffer, Self, disjoint_base

from gdvar.packets import (
    Annotation,
    Check,
    Code,
    Dialect,
    Finding,
    Guess,
    Entries,
    Identified,
    Loss,
    Match,
    Recovery,
    SaveKind,
    StaleSum,
    Unwrapped,
)
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

__version__: str

_E = TypeVar("_E")
_I = TypeVar("_I")
_D = TypeVar("_D")
_T = TypeVar("_T")

class _Readable(Protocol):
    def read(self) -> Buffer: ...

class _Writable(Protocol):
    def write(self, data: bytes, /) -> object: ...

# ---- values and packets ----

def loads(
    data: Buffer,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
    real_width: Literal[4, 8] = 4,
    packed: Literal["array", "list"] = "array",
) -> Any:
    """The value of the packet at the start of `data`, a bytes-like object."""

def load(
    file: _Readable,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
    real_width: Literal[4, 8] = 4,
    packed: Literal["array", "list"] = "array",
) -> Any:
    """The value of the packet that `file.read()` gives."""

def dump(
    value: Any,
    file: _Writable,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    real_width: Literal[4, 8] = 4,
) -> None:
    """Writes the packet of a value."""

def dumps(
    value: Any,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    real_width: Literal[4, 8] = 4,
) -> bytes:
    """The packet of a value, as the dialect's engine writes it."""

def validate(
    data: Buffer,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
    real_width: Literal[4, 8] = 4,
) -> int:
    """Checks the packet at the start of `data`; returns how many bytes it took."""

# ---- typed values ----

@overload
def decode(
    data: Buffer,
    type: type[_T],
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
    real_width: Literal[4, 8] = 4,
    unknown: Literal["ignore", "refuse"] = "ignore",
    repeated: Literal["last", "refuse"] = "last",
    dec_hook: Callable[[Any, Any], Any] | None = None,
) -> _T:
    """The value of a packet as a type: a dataclass, TypedDict, NamedTuple, enum, list[T], ..."""

@overload
def decode(
    data: Buffer,
    type: Any,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
    real_width: Literal[4, 8] = 4,
    unknown: Literal["ignore", "refuse"] = "ignore",
    repeated: Literal["last", "refuse"] = "last",
    dec_hook: Callable[[Any, Any], Any] | None = None,
) -> Any: ...

def encode(
    obj: Any,
    *,
    type: Any = None,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    enc_hook: Callable[[Any], Any] | None = None,
    real_width: Literal[4, 8] = 4,
) -> bytes:
    """The packet of an object, with its fields as they are declared."""

_TYPES: tuple[str, ...]

@final
class _Plan:
    """A type that was compiled for decode and encode."""

    def __new__(cls, type: object, rules: list[dict[str, Any]], root: int, /) -> Self: ...

# ---- documents ----

@disjoint_base
class View:
    """A container in a Document: values are made on request."""

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
    def __bool__(self) -> bool: ...
    def __reversed__(self) -> Iterator[Any]: ...
    def count(self, value: object, /) -> int: ...
    def index(self, value: object, start: int = 0, stop: int = ...) -> int: ...
    @overload
    def get(self, path: Any) -> Any: ...
    @overload
    def get(self, path: Any, default: _D) -> Any | _D: ...
    def value(self) -> Any: ...
    def keys(self) -> Iterator[Any]: ...
    def values(self) -> Iterator[Any]: ...
    def items(self) -> Iterator[tuple[Any, Any]]: ...

class Document(View):
    """A packet, read and checked once; values are made on request."""

    def __new__(
        cls,
        data: Buffer,
        *,
        dialect: str | None = "godot-4.4",
        limits: Limits | None = None,
        objects: bool = False,
        strict: bool = False,
        real_width: Literal[4, 8] = 4,
    ) -> Self: ...

# ---- packed arrays ----

# The common part of the packed arrays; there is no such class at run time.
class _PackedArray(Sequence[_E], Generic[_E, _I]):
    def __new__(cls, items: Iterable[_I] | Buffer = ..., *, wide: bool = False) -> Self: ...
    @classmethod
    def from_bytes(cls, data: Buffer, wide: bool = False) -> Self: ...
    @property
    def wide(self) -> bool: ...
    @property
    def elements(self) -> list[_E]: ...
    def tobytes(self) -> bytes: ...
    def tolist(self) -> list[_E]: ...
    def copy(self) -> Self: ...
    def count(self, value: object, /) -> int: ...
    def index(self, value: object, start: int = 0, stop: int = ...) -> int: ...
    @overload
    def __getitem__(self, key: SupportsIndex, /) -> _E: ...
    @overload
    def __getitem__(self, key: slice, /) -> Self: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[_E]: ...
    def __contains__(self, element: object, /) -> bool: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class PackedByteArray(_PackedArray[int, int]):
    def hex(self, sep: str | bytes = ..., bytes_per_sep: SupportsIndex = 1) -> str: ...
    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str: ...

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

# ---- looking into packets ----

def annotate(
    data: Buffer,
    *,
    most: int = 100_000,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
    real_width: Literal[4, 8] = 4,
) -> Annotation:
    """Every field of the packet at the start of `data`, for a broken one up to the break. The first
    `most` rows, and their total number."""

def check(
    data: Buffer,
    *,
    most: int = 100,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
    real_width: Literal[4, 8] = 4,
) -> Check:
    """The irregularities of the packet at the start of `data`: everything that `strict` would
    refuse, and bytes that engines would write differently. The first `most` quirks, and their
    total number."""

def guess(packets: Buffer | Iterable[Buffer], /) -> Guess:
    """The dialect of one packet, or of several."""

def dialects() -> list[Dialect]:
    """All dialects, newest Godot first."""

def error_meaning(code: str, /) -> str:
    """The meaning of an Error's `code`, in a sentence; "" for a name that is no code."""

# ---- changing packets ----

def lookup(
    data: Buffer,
    path: str,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
    real_width: Literal[4, 8] = 4,
) -> list[Match]:
    """All values of the packet that a path leads to."""

def set_value(
    data: Buffer,
    path: str,
    value: Any,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
    real_width: Literal[4, 8] = 4,
) -> bytes:
    """The packet with the value at `path`; every other byte stays."""

def erase_value(
    data: Buffer,
    path: str,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
    real_width: Literal[4, 8] = 4,
) -> bytes:
    """The packet without the value at `path`; every other byte stays."""

def convert(
    data: Buffer,
    to: str,
    *,
    losses: list[Loss] | None = None,
    to_real_width: Literal[4, 8] = 4,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
    real_width: Literal[4, 8] = 4,
) -> bytes:
    """The packet in the dialect `to`. Without a list for `losses`, a loss raises LossError."""

def diff(
    a: Buffer,
    b: Buffer,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
    real_width: Literal[4, 8] = 4,
) -> list[dict[str, Any]]:
    """The changes that turn the packet `a` into the packet `b`."""

def patch(
    data: Buffer,
    changes: Buffer | Iterable[dict[str, Any]],
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
    real_width: Literal[4, 8] = 4,
) -> bytes:
    """The packet with the changes of `diff`."""

# ---- text and JSON ----

def var_to_str(
    value: Any, *, dialect: str | None = "godot-4.4", family: Literal["2", "3.2", "3.6", "4.0", "4", "pandemonium"] | None = None
) -> str:
    """The value as the dialect's engine prints it, or an engine of the family."""

def str_to_var(
    text: str,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
    family: Literal["2", "3.2", "3.6", "4.0", "4", "pandemonium"] | None = None,
) -> Any:
    """The value of a text, as the dialect's engine reads it, or an engine of the family.

    `strict` refuses numbers that engines read as others."""

def to_text_full(value: Any, *, indent: int = 0, dialect: str | None = "godot-4.4") -> str:
    """The value in gdvar's own form of text, which loses nothing."""

def from_text_full(
    text: str,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
) -> Any:
    """The value of a text in gdvar's own form."""

def to_json(value: Any, *, indent: int = 0, dialect: str | None = "godot-4.4") -> str:
    """The value as typed JSON, which loses nothing."""

def from_json(
    text: str,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
) -> Any:
    """The value of typed JSON."""

def to_plain_json(
    value: Any,
    *,
    indent: int = 0,
    losses: list[Loss] | None = None,
    dialect: str | None = "godot-4.4",
) -> str:
    """The value as JSON for other tools. Without a list for `losses`, a loss raises LossError."""

def from_plain_json(
    text: str,
    *,
    dialect: str | None = "godot-4.4",
    limits: Limits | None = None,
    objects: bool = False,
    strict: bool = False,
) -> Any:
    """The value of any JSON."""

# ---- saves ----

@final
class _SaveHandle:
    @property
    def dialect(self) -> str: ...
    @property
    def layers(self) -> tuple[str, ...]: ...
    @property
    def kind(self) -> SaveKind: ...
    @property
    def stack(self) -> str: ...
    @property
    def only_read(self) -> bool: ...
    @property
    def findings(self) -> tuple[Finding, ...]: ...
    @property
    def changed(self) -> bool: ...
    def check(self) -> None: ...
    def code(self, most: int, /) -> Code: ...
    def count(self) -> int: ...
    def name(self, index: int, /) -> str: ...
    def packet(self, index: int, /) -> builtins.bytes: ...
    def value(self, index: int, /) -> Any: ...
    def get(self, path: str, *, default: Any = ...) -> Any: ...
    def find_all(self, path: str, /) -> list[Match]: ...
    def set(
        self, path: str, value: Any, *, create: bool = False, retype: bool = False
    ) -> None: ...
    def set_all(self, path: str, value: Any, *, retype: bool = False) -> int: ...
    def erase(self, path: str, /) -> None: ...
    def erase_all(self, path: str, /) -> int: ...
    def rename(self, path: str, key: Any) -> None: ...
    def keep_changes(self) -> None: ...
    def undo(self) -> bool: ...
    def redo(self) -> bool: ...
    def content(self) -> builtins.bytes: ...
    def place(self, path: str, /) -> tuple[int, int] | None: ...
    def item_place(self, index: int, /) -> tuple[int, int] | None: ...
    def path_at(self, offset: int, /) -> str: ...
    def diff(self, other: _SaveHandle, /) -> list[dict[str, Any]]: ...
    def patch(self, changes: Buffer | Iterable[dict[str, Any]]) -> None: ...
    def convert(
        self, to: str, layers: str | Iterable[str] | None, losses: list[Loss] | None
    ) -> builtins.bytes: ...
    def insert(self, number: int, value: Any) -> None: ...
    def replace(self, number: int, value: Any) -> None: ...
    def remove(self, number: int, /) -> None: ...
    def bytes(self) -> builtins.bytes: ...
    def write(self, backup: builtins.bytes | None, /) -> None: ...
    def update_sums(self, update: bool, /) -> None: ...
    def stale_sums(self) -> list[StaleSum]: ...
    def close(self) -> None: ...

# Their arguments are those of `open_save`, `read_save` and `list_entries` (saves.py).
def _save_open(source: bytes, file: str | bytes, **options: Any) -> _SaveHandle: ...
def _save_read(source: Buffer, file: None, **options: Any) -> _SaveHandle: ...
def _entries(data: Buffer, file: str | bytes | None, **options: Any) -> Entries: ...
def identify(
    data: Buffer,
    *,
    password: str | None = None,
    key: str | Buffer | None = None,
    keys: Mapping[str, str | Buffer] | None = None,
    max_bytes: int | None = None,
    max_text: int | None = None,
    read_as: str | None = None,
    skip: int = 0,
    dialect: str | None = None,
    objects: bool = False,
    inside: str | Iterable[str] | Literal[False] | None = None,
    entries: str | Iterable[str] | None = None,
    max_layers: int | None = None,
) -> Identified:
    """The identification of bytes, with reasons. Layers that can't be opened are reported, not
    raised."""

def make_save(
    kind: str,
    values: Any,
    *,
    dialect: str | None = "godot-4.4",
    objects: bool = False,
) -> bytes:
    """The bytes of a new save of a kind."""

def save_kinds() -> tuple[SaveKind, ...]:
    """All kinds of documents that saves hold."""

def recover(
    data: Buffer,
    *,
    password: str | None = None,
    key: str | Buffer | None = None,
    keys: Mapping[str, str | Buffer] | None = None,
    max_bytes: int | None = None,
    max_text: int | None = None,
    read_as: str | None = None,
    skip: int = 0,
    dialect: str | None = None,
    inside: str | Iterable[str] | Literal[False] | None = None,
    partial: bool = True,
    layers: str | Iterable[str] | None = None,
) -> Recovery:
    """The readable part of a damaged save, as a sound one, and the losses."""

def wrap(
    data: Buffer,
    layers: str | Iterable[str],
    *,
    password: str | None = None,
    key: str | Buffer | None = None,
) -> bytes:
    """Bytes put into layers, the outermost first."""

def unwrap(
    data: Buffer,
    *,
    password: str | None = None,
    key: str | Buffer | None = None,
    keys: Mapping[str, str | Buffer] | None = None,
    max_bytes: int | None = None,
    max_text: int | None = None,
    read_as: str | None = None,
    skip: int = 0,
    max_layers: int | None = None,
) -> Unwrapped:
    """Bytes taken out of all their layers."""

# ---- streams ----

@final
class StreamFramer:
    """Cuts what arrives on a stream into packets."""

    def __new__(cls, *, big_endian: bool = False, max_packet: int = 1048576) -> Self: ...
    @property
    def need(self) -> int: ...
    def feed(self, data: Buffer, /) -> None: ...
    def finish(self) -> None: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> bytes: ...

def frame(packet: Buffer, *, big_endian: bool = False) -> bytes:
    """The packet behind its length."""
