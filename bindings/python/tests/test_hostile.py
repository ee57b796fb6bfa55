"""Objects that change while they are written, that lie, that hold themselves; depth and memory."""

# Values are of wrong types on purpose.
# mypy: disable-error-code="arg-type,list-item,dict-item,var-annotated,override,misc"
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false

from __future__ import annotations

import dataclasses
import gc
import random
import struct
import subprocess
import sys
import textwrap
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypedDict

import pytest
from support import same

import gdvar
from gdvar import Array, ContainerType, Dictionary, Limits, Pairs, StringName, Vector2, Vector2i


def garbage() -> None:
    """Takes the memory that was just freed, so that what still points there would be seen."""
    gc.collect()
    for size in (16, 32, 48, 64, 128, 256, 1024):
        _ = [bytes([0xEE]) * size for _ in range(64)]


def texts(count: int = 40) -> list[str]:
    """Texts that nothing else holds."""
    return [f"text number {i} that is in no cache" * 2 for i in range(count)]


class Evil:
    """Clears containers when it is asked for anything."""

    def __init__(self, *victims: Any) -> None:
        self.victims = list(victims)

    def attack(self) -> None:
        for victim in self.victims:
            victim.clear()
        garbage()

    def __index__(self) -> int:
        self.attack()
        return 7

    def __float__(self) -> float:
        self.attack()
        return 7.0

    def __repr__(self) -> str:
        self.attack()
        return "evil"


class EvilInt(int):
    victims: list[Any]

    def __repr__(self) -> str:
        for victim in self.victims:
            victim.clear()
        garbage()
        return "evil"


def write(value: Any, **options: Any) -> str:
    """dumps, which may refuse but not crash. Returns what came of it."""
    try:
        gdvar.loads(gdvar.dumps(value, **options), objects=True)
    except (gdvar.EncodeError, RuntimeError) as error:
        return type(error).__name__
    return "written"


Maker = Callable[[Evil], Any]
PLACES: list[Maker] = [
    lambda evil: evil,
    lambda evil: [evil],
    lambda evil: Vector2i(evil, 1),
    lambda evil: Vector2(1, evil),
    lambda evil: gdvar.Rect2(Vector2(1, 2), (3, evil)),
    lambda evil: gdvar.PackedStringArray(["a" * 50, evil]),
    lambda evil: gdvar.NodePath.of(["a" * 50, evil]),
    lambda evil: gdvar.Signal(evil, 1),
    lambda evil: gdvar.Signal("a" * 50, evil),
    lambda evil: gdvar.RID(evil),
    lambda evil: gdvar.Object(evil, {}),
    lambda evil: gdvar.Object("N" * 50, {evil: 1}),
    lambda evil: gdvar.Object("N" * 50, evil),
    lambda evil: Array([1], evil),
    lambda evil: Array([1], ContainerType("builtin", evil)),
    lambda evil: Array([1], ContainerType("class_name", "Object", evil)),
    lambda evil: Dictionary({1: 2}, evil, evil),
    lambda evil: Pairs([evil]),
    lambda evil: Pairs([(evil, evil)]),
    lambda evil: Pairs([(1, 2, evil)]),
    lambda evil: {1: evil},
    lambda evil: {evil: 1},
]


@pytest.mark.parametrize("place", range(len(PLACES)))
def test_what_is_asked_may_clear_what_is_being_written(place: int) -> None:
    evil = Evil()
    value = PLACES[place](evil)
    strings = texts()
    inner: dict[Any, Any] = {text: gdvar.PackedByteArray(text.encode()) for text in texts()}
    pairs = Pairs((text, text + "!") for text in texts())
    lists: list[Any] = [strings, inner, pairs, texts(), value, texts(), {"k": value}]
    evil.victims = [strings, inner, pairs, lists]
    del strings, inner, pairs
    assert write(lists, objects=True) in ("EncodeError", "RuntimeError")
    # And when nothing is cleared, what is written is sound.
    write([texts(), PLACES[place](Evil()), texts()], objects=True)


def test_a_repr_may_clear_what_is_being_written() -> None:
    for wrap in (
        lambda e: e,
        lambda e: Vector2i(e, 1),
        lambda e: Vector2(e, 1),
        lambda e: gdvar.RID(e),
    ):
        strings = texts()
        evil = EvilInt(10**400)
        evil.victims = [strings]
        holder = [strings, wrap(evil)]
        del strings
        assert write(holder) == "EncodeError"


def test_properties_of_typed_containers_may_clear() -> None:
    strings = texts()

    class Mine(Array[Any]):
        @property
        def type(self) -> Any:
            strings.clear()
            garbage()
            return ContainerType("class_name", "Object", "Node" * 20)

        @type.setter
        def type(self, _: Any) -> None:
            pass

    assert write([strings, Mine([None])]) == "RuntimeError" or not strings

    names = texts()

    class Map(Dictionary[Any, Any]):
        @property
        def key_type(self) -> Any:
            names.clear()
            garbage()
            return gdvar.UNTYPED

        @key_type.setter
        def key_type(self, _: Any) -> None:
            pass

    write([names, Map({1: 2}), names])
    assert not names


def test_dicts_of_other_classes_may_do_anything() -> None:
    strings = texts()

    class Lies(dict[Any, Any]):
        def items(self) -> Any:
            strings.clear()
            garbage()
            return [(text, text) for text in texts()]

    assert write([strings, Lies(), 1]) == "written"  # the texts were held
    assert not strings
    assert write([Lies(a=1), Lies()]) == "written"

    class Odd(dict[Any, Any]):
        result: Any = None

        def items(self) -> Any:
            return self.result

    for result in ([1], [(1,)], [(1, 2, 3)], None, 5, iter([]), "ab", [("k", Odd())]):
        odd = Odd(a=1)
        odd.result = result
        try:
            gdvar.dumps([odd])
        except (gdvar.EncodeError, TypeError):
            pass


def test_containers_that_grow_while_they_are_written() -> None:
    class Grows:
        def __init__(self, to: Any) -> None:
            self.to = to

        def __index__(self) -> int:
            if isinstance(self.to, list):
                self.to.append(1)
            else:
                self.to[len(self.to)] = 1
            return 1

    for make in (list, dict, Pairs):
        grown = make()
        if isinstance(grown, dict):
            grown["a"] = Grows(grown)
            grown["b"] = 2
        else:
            grown.append(("k", Grows(grown)) if isinstance(grown, Pairs) else Grows(grown))
            grown.append(("l", 2))
        assert write(grown) == "RuntimeError"


def test_calls_inside_of_calls() -> None:
    """What dumps and loads keep from call to call is not for two calls at once."""

    class Asks:
        def __init__(self, depth: int) -> None:
            self.depth = depth

        def __index__(self) -> int:
            value = [texts(), {"k": 1.5}, gdvar.Vector2(1, 2)]
            inner = [value, Asks(self.depth - 1), value] if self.depth else value
            packet = gdvar.dumps(inner)
            assert gdvar.loads(packet)[0 if self.depth == 0 else 2] is not None
            gdvar.Document(packet).value()
            with pytest.raises(gdvar.EncodeError):
                gdvar.dumps([value, object()])
            with pytest.raises(gdvar.DecodeError):
                gdvar.loads(packet[:-4])
            return self.depth

    outer = [texts(), Asks(6), {"a": [Asks(2), texts()]}, Vector2i(Asks(1), 2), texts()]
    expected = [texts(), 6, {"a": [2, texts()]}, Vector2i(1, 2), texts()]
    for _ in range(3):
        assert same(gdvar.loads(gdvar.dumps(outer)), expected)


class Named(TypedDict):
    name: str


class Tagged(TypedDict):
    kind: Literal["tagged"]
    name: str


class Other(TypedDict):
    kind: Literal["other"]


@pytest.mark.parametrize(
    "declared",
    [Named, Tagged | Other, int | Tagged | Other, gdvar.PackedByteArray | None, set[int]],
)
def test_encode_asks_nothing_while_texts_are_lent(declared: Any) -> None:
    strings: list[str] = []

    class Key:
        def __init__(self, text: str) -> None:
            self.text = text

        def __hash__(self) -> int:
            return hash(self.text)

        def __eq__(self, other: object) -> bool:
            strings.clear()
            garbage()
            return False

    class Lies:
        @property
        def __class__(self) -> Any:
            strings.clear()
            garbage()
            return int

    class Mine(set[int]):
        def __iter__(self) -> Iterator[int]:
            strings.clear()
            garbage()
            return iter([1])

    for value in (
        {Key("name"): 1},
        {Key("name"): 1, "name": "x"},
        {Key("kind"): 1, "kind": "tagged", "name": "x"},
        {"kind": "tagged", Key("name"): "x"},
        Lies(),
        Mine({1}),
    ):
        strings[:] = texts()
        try:
            packet = gdvar.encode((strings, value), type=tuple[list[str], declared])
            assert gdvar.loads(packet)[0] == texts()
        except gdvar.MismatchError:
            pass


@dataclasses.dataclass
class Nested:
    name: str
    inner: list[Nested]

    def __post_init__(self) -> None:
        if not self.inner and self.name == "ask":
            packet = gdvar.encode(Nested("a", [Nested("b", []), Nested("c", [])]))
            assert len(gdvar.decode(packet, Nested).inner) == 2
            assert gdvar.dumps(gdvar.loads(packet)) == packet
            with pytest.raises(gdvar.MismatchError):
                gdvar.decode(packet, list[int])


def test_decode_inside_of_decode() -> None:
    value = Nested("a", [Nested("ask", []), Nested("d", [Nested("ask", []), Nested("ask", [])])])
    assert gdvar.decode(gdvar.encode(value), Nested) == value


@pytest.mark.parametrize("seed", range(6))
def test_random_attacks(seed: int) -> None:
    """Containers of containers, with objects among them that change any of these when asked."""
    chance = random.Random(seed)
    for _ in range(150):
        containers: list[Any] = []

        class Attacks(Evil):
            def attack(self) -> None:
                for _ in range(chance.randrange(4)):
                    change(
                        chance, chance.choice(containers), random_value(chance, containers, self)
                    )
                if chance.random() < 0.2:
                    write(chance.choice(containers), objects=True)
                if chance.random() < 0.3:
                    garbage()

        root = [random_value(chance, containers, Attacks()) for _ in range(6)]
        containers.append(root)
        write(root, objects=True)
        try:
            gdvar.encode(root, objects=True)
        except (gdvar.Error, RuntimeError):
            pass
        # They may hold each other.
        for container in containers:
            container.clear()


def random_value(chance: random.Random, containers: list[Any], evil: Evil) -> Any:
    kind = chance.randrange(16)
    inner = (
        [random_value(chance, containers, evil) for _ in range(chance.randrange(3))]
        if kind < 7
        else []
    )
    made: Any
    if kind == 0:
        made = [*inner, evil, *texts(2)]
    elif kind == 1:
        made = {str(i) * 30: part for i, part in enumerate(inner)}
    elif kind == 2:
        made = Pairs((part, part) for part in inner)
    elif kind == 3:
        made = Array(inner, ContainerType("class_name", "Object", "Name" * 9))
    elif kind == 4:
        made = gdvar.PackedStringArray(texts(3))
    elif kind == 5:
        made = type("Mine", (dict,), {})({"key" * 9: part for part in inner})
    elif kind == 6:
        made = Dictionary({i: part for i, part in enumerate(inner)}, gdvar.UNTYPED, gdvar.UNTYPED)
    else:
        return chance.choice(PLACES)(evil) if kind < 13 else texts(1)[0] + str(kind)
    containers.append(made)
    return made


def change(chance: random.Random, container: Any, value: Any) -> None:
    """Some change of a list or dict."""
    kind = chance.randrange(4)
    if kind == 0:
        container.clear()
    elif isinstance(container, dict):
        if kind == 1 and container:
            container.popitem()
        else:
            container[f"new {chance.randrange(5)}" * 5] = value
    elif kind == 1 and container:
        del container[chance.randrange(len(container)) :]
    elif kind == 2 and container:
        container[chance.randrange(len(container))] = value
    else:
        container.append(value)


def test_exceptions_of_others_come_through() -> None:
    class Breaks:
        def __init__(self, error: type[BaseException]) -> None:
            self.error = error

        def __index__(self) -> int:
            raise self.error("mine")

        def __float__(self) -> float:
            raise self.error("mine")

    for error in (KeyError, ZeroDivisionError, KeyboardInterrupt, MemoryError):
        for value in (Breaks(error), Vector2i(Breaks(error), 1), Vector2(Breaks(error), 1)):
            with pytest.raises(error, match="mine"):
                gdvar.dumps([value])
    with pytest.raises(ZeroDivisionError):
        gdvar.PackedInt32Array([Breaks(ZeroDivisionError)])

    class Silent:
        def __repr__(self) -> str:
            raise ValueError("no repr")

    with pytest.raises(gdvar.EncodeError, match="Silent"):
        gdvar.dumps([Silent()])

    class Stops:
        def __repr__(self) -> str:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gdvar.dumps([gdvar.RID(Stops())])


def test_messages_are_short() -> None:
    class Long:
        def __repr__(self) -> str:
            return "x" * 10**7

    for value in (Long(), gdvar.RID("y" * 10**7)):
        with pytest.raises(gdvar.EncodeError) as error:
            gdvar.dumps([value])
        assert len(str(error.value)) < 1000


def test_a_string_name_that_says_something_else() -> None:
    class Name(StringName):
        def __str__(self) -> str:
            return "other"

        def __hash__(self) -> int:
            return 1

        def __eq__(self, other: object) -> bool:
            raise RuntimeError("no")

    assert same(gdvar.loads(gdvar.dumps([Name("a")])), [StringName("a")])
    assert same(gdvar.loads(gdvar.dumps({Name("a"): 1})), {StringName("a"): 1})


def test_buffers_that_lie() -> None:
    if sys.version_info >= (3, 12):

        class Lies:
            def __buffer__(self, flags: int) -> memoryview:
                raise BufferError("no")

        class Other:
            def __buffer__(self, flags: int) -> memoryview:
                return memoryview(b"\0\0\0\0")

        with pytest.raises(gdvar.EncodeError):
            gdvar.dumps([Lies()])
        assert gdvar.loads(Other()) is None
        with pytest.raises(BufferError):
            gdvar.loads(Lies())
    released = memoryview(b"\0\0\0\0")
    released.release()
    with pytest.raises((ValueError, BufferError)):
        gdvar.loads(released)
    with pytest.raises(gdvar.EncodeError) as error:
        gdvar.dumps([released])
    assert error.value.path == "$[0]"
    for odd in (memoryview(b"abcd")[::2], memoryview(b"\0\0\0\0" * 2).cast("B", (2, 4))):
        try:
            gdvar.loads(odd)
        except (BufferError, gdvar.DecodeError):
            pass


def test_bytes_that_change_while_they_are_read() -> None:
    """Arrays with types are made by Python code, in which another thread may run."""
    inner = gdvar.dumps(Array(["x" * 20], ContainerType("builtin", "String")))
    sound = (
        struct.pack("<II", 28, 2000)
        + (inner + gdvar.dumps(gdvar.PackedStringArray(["y" * 20]))) * 1000
    )
    data = bytearray(sound)
    done = threading.Event()

    def change() -> None:
        while not done.is_set():
            data[8:] = b"\xff" * (len(data) - 8)
            data[:] = sound

    other = threading.Thread(target=change)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    other.start()
    try:
        for _ in range(30):
            for read in (gdvar.loads, gdvar.validate, gdvar.Document):
                try:
                    read(data)
                except (gdvar.DecodeError, BufferError):
                    pass
    finally:
        done.set()
        other.join()
        sys.setswitchinterval(before)


# ---- depth ----


def test_what_holds_itself_is_refused() -> None:
    itself: list[Any] = []
    itself.append(itself)
    mapping: dict[Any, Any] = {}
    mapping["m"] = [mapping]
    pairs: Pairs[Any, Any] = Pairs()
    pairs.append((pairs, pairs))
    typed: Array[Any] = Array([1], ContainerType("builtin", "Array"))
    typed.append(typed)
    other: Any = type("Mine", (dict,), {})()
    other["o"] = other
    properties: dict[str, Any] = {}
    node = gdvar.Object("N", properties)
    properties["n"] = node
    wide: list[Any] = [0] * 100_000
    wide.append(wide)
    for value in (itself, mapping, pairs, typed, other, node, wide, (itself,), {"a": wide}):
        with pytest.raises(gdvar.EncodeError) as error:
            gdvar.dumps(value, objects=True)
        assert error.value.code == "depth_limit"
        with pytest.raises(gdvar.EncodeError) as error:
            gdvar.dumps(value, objects=True, limits=Limits(depth=3))
        assert error.value.code == "depth_limit"


def shortened(path: str) -> str:
    """A path as errors have it: its two ends, where it is longer than 300 bytes."""
    return path if len(path) <= 300 else path[:148] + "..." + path[-149:]


@pytest.mark.parametrize("depth", [0, 1, 5, 47, 48, 49, 1024])
def test_the_depth_limit_is_exact(depth: int) -> None:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    packet = gdvar.dumps(value, limits=Limits(depth=depth))
    assert same(gdvar.loads(packet, limits=Limits(depth=depth)), value)
    strings: Any = gdvar.PackedStringArray(["a"])
    for _ in range(depth):
        strings = {"k": strings}
    assert same(gdvar.loads(gdvar.dumps(strings, limits=Limits(depth=depth))), strings)
    deeper = Limits(depth=depth - 1) if depth else None
    if deeper:
        # Reading refuses the value that is too deep, writing the container that would hold it.
        with pytest.raises(gdvar.LimitError) as reading:
            gdvar.loads(packet, limits=deeper)
        assert (reading.value.code, reading.value.path) == ("depth_limit", shortened("$" + "[0]" * depth))
        with pytest.raises(gdvar.EncodeError) as writing:
            gdvar.dumps(value, limits=deeper)
        assert (writing.value.code, writing.value.path) == (
            "depth_limit",
            shortened("$" + "[0]" * (depth - 1)),
        )


DEEP = """
    import gc, sys, time
    import gdvar
    from gdvar import Array, ContainerType, Limits, Object, Pairs
    gc.disable()
    limits = Limits(depth=10**7)
    made = {
        "list": lambda v: [v],
        "dict": lambda v: {"k": v},
        "pairs": lambda v: Pairs([([], v)]),
        "key": lambda v: Pairs([(v, 0)]),
        "tuple": lambda v: (v,),
        "array": lambda v: Array([v], ContainerType("builtin", "Array")),
        "object": lambda v: Object("N", {"p": v}),
    }
    def build(make, count):
        value = 0
        for _ in range(count):
            value = make(value)
        return value
    kind = sys.argv[1]
    for count in (1000, 100_000):
        packet = gdvar.dumps(build(made[kind], count), objects=True, limits=limits)
        value = gdvar.loads(packet, objects=True, limits=limits)
        assert gdvar.dumps(value, objects=True, limits=limits) == packet
        assert gdvar.validate(packet, objects=True, limits=limits) == len(packet)
        document = gdvar.Document(packet, objects=True, limits=limits)
        assert gdvar.dumps(document.value(), objects=True, limits=limits) == packet
        try:
            gdvar.loads(packet[:-4], objects=True, limits=limits)
        except gdvar.TruncatedError as error:
            assert (len(error.path) == 300 and "..." in error.path) or kind == "key"
        try:
            gdvar.dumps(build(made[kind], count), objects=True)
            assert count < 1024
        except gdvar.EncodeError as error:
            assert error.code == "depth_limit"
        del value, document
    print("fine")
"""


@pytest.mark.parametrize("kind", ["list", "dict", "pairs", "key", "tuple", "array", "object"])
def test_deep_nests_need_no_stack(kind: str) -> None:
    """A hundred thousand levels, with the stack of a small thread.

    From CPython 3.12 on, lists free what they hold by up to 10,000 nested calls. They alone need
    more than 512 KiB.
    """
    resource = pytest.importorskip("resource")
    stack = 256 << 10 if sys.version_info < (3, 12) else 1 << 20

    def small_stack() -> None:
        resource.setrlimit(resource.RLIMIT_STACK, (stack, stack))

    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(DEEP), kind],
        capture_output=True,
        text=True,
        preexec_fn=small_stack,
        timeout=300,
        check=False,
    )
    assert (run.returncode, run.stdout.strip()) == (0, "fine"), run.stderr[-2000:]


# ---- memory ----


def hostile_counts() -> Iterator[bytes]:
    for header in (4, 22, 27, 28, *range(29, 39)):
        for count in (0x7FFFFFFF, 0xFFFFFFFF, 0x10000000, 0x90000000):
            yield struct.pack("<II", header, count)
            yield struct.pack("<II", header, count) + bytes(64)
    yield struct.pack("<III", 28 | 0x10000, 2, 0x7FFFFFFF)
    yield struct.pack("<III", 24, 0x7FFFFFFF, 0)


def test_hostile_counts_cost_nothing() -> None:
    resource = pytest.importorskip("resource")
    packets = list(hostile_counts())
    for packet in packets:
        for read in (gdvar.loads, gdvar.Document, gdvar.validate):
            with pytest.raises(gdvar.DecodeError):
                read(packet, objects=True)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for packet in packets * 5:
        with pytest.raises(gdvar.DecodeError):
            gdvar.loads(packet, objects=True)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 << 10


def test_of_a_large_buffer_only_the_packet_is_copied() -> None:
    packet = gdvar.dumps(gdvar.PackedByteArray(b"abcd"))
    data = bytearray(packet + bytes(64 << 20))
    tracemalloc.start()
    array = gdvar.loads(data)
    document = gdvar.Document(memoryview(data))
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()
    data[:64] = bytes(64)
    assert bytes(array) == bytes(document.value()) == b"abcd"
    assert document.packet == packet


@pytest.mark.parametrize("strict", [False, True])
def test_large_buffers_are_read_as_bytes_are(strict: bool) -> None:
    for value in ([1] * 5000, ["x" * 9000]):
        packet = gdvar.dumps(value)
        for data in (packet, packet[:-4], packet + b"1", packet[:8] + b"\xff" + packet[9:]):
            for read in (gdvar.loads, gdvar.Document, gdvar.validate):
                expected = outcome(read, data, strict)
                assert outcome(read, bytearray(data), strict) == expected
                assert outcome(read, memoryview(b"?" + data)[1:], strict) == expected


def outcome(read: Any, data: Any, strict: bool) -> object:
    """What reading came to, in a form that can be compared."""
    try:
        return repr(read(data, strict=strict))
    except gdvar.DecodeError as error:
        return type(error), str(error), error.offset, error.need, error.path


# ---- dicts that look alike ----


def test_dicts_of_one_shape_inside_each_other() -> None:
    """Dicts with the same keys may be made of one another: each must have its own values."""

    def nest(depth: int, low: int) -> dict[str, Any]:
        value: dict[str, Any] = {"first": 1, "second": depth % low, "third": None, "last": 0.5}
        for i in range(depth):
            value = {"first": i % low, "second": value, "third": i % 2 == 0, "last": float(i % low)}
        return value

    for low in (1, 2, 3, 100):
        for value in (
            nest(6, low),
            [nest(3, low), nest(2, low + 1)] * 3,
            {"a": nest(4, low), "b": nest(4, low)},
        ):
            packet = gdvar.dumps(value)
            for _ in range(5):
                read = gdvar.loads(packet)
                assert same(read, value)
                read_again = gdvar.loads(packet)
                (read[0] if isinstance(read, list) else read).clear()
                assert same(read_again, value)


def test_dicts_that_almost_have_a_shape() -> None:
    keys = ["alpha", "beta", "gamma", "delta"]
    base: dict[Any, Any] = {key: 1 for key in keys}
    for _ in range(4):
        gdvar.loads(gdvar.dumps([base] * 4))
    others: list[Any] = [
        {**base, "delta": 2.0},
        {**base, "delta": True},
        {"alpha": 1, "beta": 1, "gamma": 1, "other": 1},
        {"alpha": 1, "gamma": 1, "beta": 1, "delta": 1},
        {"alpha": 1, "beta": 1, "gamma": 1, StringName("delta"): 1},
        {"alpha": 1, "beta": 1, "gamma": 1, 7: 1},
        Pairs([("alpha", 1), ("beta", 1), ("gamma", 1), ("alpha", 2)]),
        Pairs([("alpha", 1), ("beta", 1), ("gamma", 1), (StringName("alpha"), 2)]),
        Pairs([("alpha", 1), ("beta", 1), ("gamma", 1), ([], 2)]),
        Dictionary(base, ContainerType("builtin", "String"), ContainerType("builtin", "int")),
        gdvar.Object("N", base),
        {"alpha": [base], "beta": base, "gamma": {**base, "beta": 0}, "delta": [base, {**base}]},
        {key + "\0": 1 for key in keys},
        {"alpha": -0.0, "beta": 0.0, "gamma": False, "delta": 0},
        {"alpha": None, "beta": None, "gamma": None, "delta": None},
    ]
    for _ in range(3):
        for value in others:
            for wrapped in (
                value,
                [base, value, base],
                {"alpha": value, "beta": 1, "gamma": 1, "delta": value},
            ):
                packet = gdvar.dumps(wrapped, objects=True)
                assert same(gdvar.loads(packet, objects=True), wrapped)
                assert gdvar.dumps(gdvar.loads(packet, objects=True), objects=True) == packet
