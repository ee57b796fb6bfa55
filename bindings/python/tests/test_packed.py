"""Packed arrays of numbers: the buffer protocol, numpy, slices, and buffers that others made."""

# Values are of wrong types on purpose.
# mypy: disable-error-code="arg-type,call-overload,attr-defined,index"
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false

from __future__ import annotations

import ctypes
import gc
import inspect
import math
import struct
import sys
from typing import Any

import numpy as np
import pytest
from support import same

import gdvar

NUMBERS: dict[type[Any], str] = {
    gdvar.PackedByteArray: "B",
    gdvar.PackedInt32Array: "i",
    gdvar.PackedInt64Array: "q",
    gdvar.PackedFloat32Array: "f",
    gdvar.PackedFloat64Array: "d",
}
VECTORS: dict[type[Any], tuple[str, int]] = {
    gdvar.PackedVector2Array: ("f", 2),
    gdvar.PackedVector3Array: ("f", 3),
    gdvar.PackedVector4Array: ("f", 4),
    gdvar.PackedColorArray: ("f", 4),
    gdvar.PackedVector2iArray: ("i", 2),
    gdvar.PackedVector3iArray: ("i", 3),
    gdvar.PackedVector4iArray: ("i", 4),
}
# All kinds: the class, whether it is wide, the format of a component, components of an element.
KINDS = [
    *((kind, False, form, 1) for kind, form in NUMBERS.items()),
    *((kind, False, form, n) for kind, (form, n) in VECTORS.items()),
    *((kind, True, "d", n) for kind, (form, n) in VECTORS.items() if form == "f"),
]
KIND_NAMES = [f"{kind.__name__}{'d' if wide else ''}" for kind, wide, _, _ in KINDS]
each_kind = pytest.mark.parametrize(("kind", "wide", "form", "components"), KINDS, ids=KIND_NAMES)
# The dialect that has the kind; the vectors of ints are Pandemonium's.
DIALECT = {
    kind: "pandemonium-5" if form == "i" else "godot-4.4" for kind, (form, _) in VECTORS.items()
}


def elements(components: int, count: int) -> list[Any]:
    numbers = iter(range(1, 1000))
    if components == 1:
        return [next(numbers) for _ in range(count)]
    return [tuple(next(numbers) for _ in range(components)) for _ in range(count)]


def make(kind: type[Any], wide: bool, items: Any) -> Any:
    return kind(items, wide=True) if wide else kind(items)


def read_again(array: Any) -> tuple[bytes, Any]:
    dialect = DIALECT.get(type(array), "godot-4.4")
    packet = gdvar.dumps([None, array], dialect=dialect)
    return packet, gdvar.loads(packet, dialect=dialect)[1]


@each_kind
@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_as_a_sequence(kind: type[Any], wide: bool, form: str, components: int, count: int) -> None:
    items = elements(components, count)
    array = make(kind, wide, items)
    assert len(array) == count and array.wide == wide
    assert array.tolist() == items and list(array) == items
    assert [array[i] for i in range(-count, count)] == items * 2
    for bad in (count, -count - 1, 10**30, -(10**30)):
        with pytest.raises(IndexError):
            array[bad]
    for cut in (
        slice(None),
        slice(1, None),
        slice(None, -1),
        slice(None, None, 2),
        slice(None, None, -1),
        slice(3, 1),
        slice(-100, 100, 3),
        slice(10**30, -(10**30), -(10**30)),
    ):
        assert type(array[cut]) is kind and array[cut].wide == wide
        assert array[cut].tolist() == items[cut]
        assert array[cut] == make(kind, wide, items[cut])
    with pytest.raises(ValueError):
        array[::0]
    with pytest.raises(TypeError):
        array["a"]
    with pytest.raises(TypeError):
        array[0] = 1
    with pytest.raises(TypeError):
        hash(array)
    assert array != items and array == make(kind, wide, items) and not array != array.copy()
    if count:
        assert array != make(kind, wide, items[1:])
        names = dict(vars(gdvar))
        assert same(eval(repr(array), names), array)


@each_kind
@pytest.mark.parametrize("count", [0, 1, 4])
def test_as_a_buffer(kind: type[Any], wide: bool, form: str, components: int, count: int) -> None:
    items = elements(components, count)
    array = make(kind, wide, items)
    flat = [n for item in items for n in (item if isinstance(item, tuple) else (item,))]
    size = struct.calcsize(form)
    view = memoryview(array)
    assert view.readonly and view.format == form and view.itemsize == size
    assert view.shape == ((count,) if components == 1 else (count, components))
    assert view.strides == ((size,) if components == 1 else (size * components, size))
    assert view.nbytes == count * components * size and view.contiguous and view.c_contiguous
    assert bytes(view) == array.tobytes() == struct.pack(f"={len(flat)}{form}", *flat)
    assert bytes(array) == array.tobytes()
    assert kind.from_bytes(array.tobytes(), wide) == array
    assert same(kind.from_bytes(array.tobytes(), wide=wide), array)
    as_numpy = np.asarray(array)
    assert as_numpy.dtype == np.dtype(form) and as_numpy.shape == view.shape
    assert as_numpy.tolist() == [list(i) if isinstance(i, tuple) else i for i in items]
    assert not as_numpy.flags.writeable and not as_numpy.flags.owndata
    with pytest.raises(ValueError):
        as_numpy.flags.writeable = True
    with pytest.raises(ValueError):
        as_numpy[...] = 0
    assert same(make(kind, wide, as_numpy), array)


@each_kind
def test_views_of_a_packet(kind: type[Any], wide: bool, form: str, components: int) -> None:
    if kind is gdvar.PackedColorArray and wide:
        with pytest.raises(gdvar.EncodeError, match="64-bit"):
            gdvar.dumps(make(kind, wide, []))
        return
    packet, array = read_again(make(kind, wide, elements(components, 6)))
    assert same(array, make(kind, wide, elements(components, 6)))
    # No copy: the numbers lie in the bytes object.
    start = ctypes.cast(ctypes.c_char_p(packet), ctypes.c_void_p).value
    assert start is not None
    for part in (array, array[2:], array[:0]):
        address = np.asarray(part).__array_interface__["data"][0]
        assert start <= address <= start + len(packet)
    for copied in (array.copy(), array[::2]):
        address = np.asarray(copied).__array_interface__["data"][0]
        assert not start <= address <= start + len(packet)
    # The packet lives as long as a view of it.
    expected = array.tolist()
    del packet
    part = array[1:]
    del array
    gc.collect()
    bytearray(b"\xff" * 4096)
    assert part.tolist() == expected[1:]


def test_views_keep_the_packet_and_copies_do_not() -> None:
    packet = gdvar.dumps(gdvar.PackedInt32Array(range(100)))
    array = gdvar.loads(packet)
    before = sys.getrefcount(packet)
    part = array[10:20]
    assert sys.getrefcount(packet) == before + 1
    copied = array.copy()
    assert sys.getrefcount(packet) == before + 1
    del array, part
    assert sys.getrefcount(packet) == before - 1
    assert copied.tolist() == list(range(100))


def test_other_buffers_are_copied() -> None:
    data = bytearray(gdvar.dumps(gdvar.PackedByteArray(b"abcd")))
    array = gdvar.loads(data)
    data[:] = bytes(len(data))  # nothing holds it
    data.clear()
    assert bytes(array) == b"abcd"


@pytest.mark.parametrize("offset", range(8))
def test_unaligned_numbers(offset: int) -> None:
    filler = "x" * offset
    array = gdvar.PackedFloat64Array([0.1, math.nan, -0.0])
    read = gdvar.loads(gdvar.dumps([filler, array]))[1]
    assert read == array and np.asarray(read).tobytes() == array.tobytes()
    assert np.asarray(read)[0] == 0.1


# ---- numpy ----


def dumped(value: Any) -> Any:
    return gdvar.loads(gdvar.dumps([value]))[0]


@pytest.mark.parametrize("shape", [(0,), (1,), (7,), (0, 2), (3, 2), (0, 3), (2, 3)], ids=str)
@pytest.mark.parametrize("code", ["u1", "i4", "i8", "f4", "f8"])
def test_numpy_arrays(code: str, shape: tuple[int, ...]) -> None:
    given = np.arange(math.prod(shape)).reshape(shape).astype(code)
    meant = {
        ("u1", 1): gdvar.PackedByteArray,
        ("i4", 1): gdvar.PackedInt32Array,
        ("i8", 1): gdvar.PackedInt64Array,
        ("f4", 1): gdvar.PackedFloat32Array,
        ("f8", 1): gdvar.PackedFloat64Array,
        ("f4", 2): gdvar.PackedVector2Array,
        ("f8", 2): gdvar.PackedVector2Array,
        ("f4", 3): gdvar.PackedVector3Array,
        ("f8", 3): gdvar.PackedVector3Array,
    }.get((code, shape[1] if len(shape) == 2 else 1))
    if meant is None:
        dialect = "pandemonium-5" if code == "i4" else "godot-4.4"
        with pytest.raises(gdvar.EncodeError) as error:
            gdvar.dumps([given], dialect="godot-4.4")
        assert error.value.path == "$[0]" and dialect
        return
    read = dumped(given)
    assert type(read) is meant and read.wide == (code == "f8" and len(shape) == 2)
    assert np.array_equal(np.asarray(read), given)
    # However it lies in memory.
    for other in (
        np.asfortranarray(given),
        np.repeat(given, 2, axis=0)[::2],
        given[::-1][::-1],
        given.copy().view(given.dtype.newbyteorder("=")),
        np.broadcast_to(given, shape),
    ):
        assert same(dumped(other), read)
    backwards = dumped(given[::-1])
    assert np.array_equal(np.asarray(backwards), given[::-1])
    assert same(meant(given, wide=True) if read.wide else meant(given), read)
    if np.dtype(code).itemsize > 1:
        with pytest.raises(gdvar.EncodeError) as error:
            gdvar.dumps({"a": given.astype(">" + code)})
        assert (error.value.code, error.value.path) == ("wrong_type", "$.a")


@pytest.mark.parametrize(
    "code",
    [
        "?",
        "i1",
        "i2",
        "u2",
        "u4",
        "u8",
        "f2",
        "g",
        "c8",
        "c16",
        "S3",
        "U3",
        "O",
        "M8[s]",
        "m8[s]",
        [("a", "i4"), ("b", "f4")],
        "V4",
    ],
    ids=str,
)
def test_other_dtypes_are_refused(code: Any) -> None:
    for given in (np.zeros(3, code), np.zeros((3, 2), code), np.zeros(0, code)):
        with pytest.raises(gdvar.EncodeError) as error:
            gdvar.dumps({"k": [0, given]})
        assert (error.value.code, error.value.path) == ("wrong_type", "$.k[1]")
        with pytest.raises((TypeError, ValueError, BufferError, OverflowError)):
            gdvar.PackedFloat64Array(given)


@pytest.mark.parametrize(
    "shape", [(2, 1), (2, 4), (2, 5), (2, 0), (0, 0), (1, 2, 3), (2, 2, 2, 2)], ids=str
)
def test_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(
        gdvar.EncodeError, match="four components" if shape == (2, 4) else None
    ) as error:
        gdvar.dumps([np.zeros(shape, "f4")])
    assert (error.value.code, error.value.path) == ("wrong_type", "$[0]")
    if shape == (2, 4):
        assert len(gdvar.PackedColorArray(np.zeros(shape, "f4"))) == 2
        assert len(gdvar.PackedVector4Array(np.zeros(shape, "f8"), wide=True)) == 2
    with pytest.raises(TypeError):
        gdvar.PackedVector3Array(np.zeros(shape, "f4"))


@pytest.mark.parametrize(
    ("scalar", "meant"),
    [
        (np.bool_(True), True),
        (np.bool_(False), False),
        (np.int8(-3), -3),
        (np.uint16(3), 3),
        (np.int32(-3), -3),
        (np.int64(-(2**63)), -(2**63)),
        (np.uint64(2**63 - 1), 2**63 - 1),
        (np.float32(0.5), 0.5),
        (np.float64(0.1), 0.1),
        (np.str_("text"), "text"),
        (np.bytes_(b"ab"), gdvar.PackedByteArray(b"ab")),
        (np.array(5), 5),
        (np.array(0.1), 0.1),
        (np.array(True), True),
    ],
    ids=repr,
)
def test_numpy_scalars(scalar: Any, meant: Any) -> None:
    assert same(dumped(scalar), meant)
    assert same(dumped({"k": [scalar]}), {"k": [meant]})


@pytest.mark.parametrize(
    "scalar",
    [
        np.uint64(2**63),
        np.float16(1),
        np.complex64(1),
        np.array(1 + 1j),
        np.void(b"ab"),
        np.datetime64("2026-01-01"),
        np.timedelta64(5, "s"),
    ],
    ids=repr,
)
def test_numpy_scalars_that_are_refused(scalar: Any) -> None:
    for write in (gdvar.dumps, gdvar.encode):
        with pytest.raises(gdvar.EncodeError, match=r"no Variant|no packed|does not fit") as error:
            write([scalar])
        assert error.value.path == "$[0]"


def test_a_dtype_may_be_anything() -> None:
    class Bytes(bytearray):
        dtype: Any = None

    assert dumped(Bytes(b"ab")) == gdvar.PackedByteArray(b"ab")

    class Breaks(bytearray):
        @property
        def dtype(self) -> Any:
            raise ZeroDivisionError

    # A subclass of bytearray is bytes, whatever else it has.
    assert dumped(bytearray(b"ab")) == gdvar.PackedByteArray(b"ab")
    with pytest.raises(ZeroDivisionError):
        gdvar.dumps([Breaks(b"ab")])


def test_refusals_of_buffers_say_what_would_do() -> None:
    for array, words in (
        (np.zeros((2, 3)), r"shape \(n, 3\), not 'd' and \(n, 3\); use wide=True, or numpy's"),
        (np.zeros((2, 3), np.int16), r"not 'h' and \(n, 3\); numpy: a.astype"),
        (np.zeros((2, 2), "f4"), r"not 'f' and \(n, 2\)$"),
        (np.zeros(6, "f4"), r"not 'f' and \(n,\)$"),
        (np.zeros((1, 2, 3), "f4"), "not 'f' and of 3 dimensions$"),
    ):
        with pytest.raises(TypeError, match=words):
            gdvar.PackedVector3Array(array)


def test_numpy_numbers_in_math_values() -> None:
    assert same(
        dumped(gdvar.Vector3(np.float32(0.5), np.int64(2), np.float64(3))),
        gdvar.Vector3(0.5, 2.0, 3.0),
    )
    assert same(dumped(gdvar.Vector2i(np.int32(1), np.uint8(2))), gdvar.Vector2i(1, 2))
    assert same(
        dumped(gdvar.Rect2(np.array([1.0, 2.0]), np.array([3, 4]))),
        gdvar.Rect2(gdvar.Vector2(1.0, 2.0), gdvar.Vector2(3.0, 4.0)),
    )


# ---- what is refused ----


@each_kind
def test_wrong_elements(kind: type[Any], wide: bool, form: str, components: int) -> None:
    bad: list[Any] = [["a"], [None], [object()], [[1] * 5], [1j], 5, None]
    bad += [[1], [()], ["abcde"]] if components > 1 else [[(1,)], ["ab"]]
    for items in bad:
        with pytest.raises((TypeError, ValueError)):
            make(kind, wide, items)
    if struct.calcsize(form) > 1:
        with pytest.raises(ValueError, match="no whole number of elements"):
            kind.from_bytes(b"x" * (struct.calcsize(form) * components + 1), wide)
    with pytest.raises(TypeError):
        kind([], True)
    with pytest.raises(TypeError):
        kind([], other=1)


def test_help_shows_how_they_are_made() -> None:
    signature = inspect.signature(gdvar.PackedVector3Array)
    assert list(signature.parameters) == ["items", "wide"]


def test_kinds_without_a_width() -> None:
    kinds: list[Any] = [*NUMBERS, gdvar.PackedVector2iArray]
    for kind in kinds:
        with pytest.raises(ValueError, match="no 64-bit width"):
            kind([], wide=True)
        with pytest.raises(ValueError, match="no 64-bit width"):
            kind.from_bytes(b"", wide=True)


def test_classes_can_not_be_made_from_them() -> None:
    for kind in (*NUMBERS, *VECTORS):
        with pytest.raises(TypeError):
            type("Mine", (kind,), {})
        with pytest.raises(TypeError):
            kind.__new__(int)
        with pytest.raises(TypeError):
            object.__new__(kind)
