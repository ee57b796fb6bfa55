"""gdvar against JSON, MessagePack and pickle: the same data, one table of ratios, one run.

Usage: bench.py [--seconds S] [--only WORKLOAD,...] WORKLOADS_FOLDER

Every answer is checked before anything is timed. The contenders take turns in one process, for S
seconds a row (default 2) and at least five rounds. A figure is the best of its rounds. Needs the
packages of requirements-bench.txt.
"""

from __future__ import annotations

import argparse
import dataclasses
import gc
import json
import pathlib
import pickle
import platform
import sys
import sysconfig
import time
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any

import msgpack
import msgspec
import orjson
import ormsgpack

import gdvar

import typed

Task = Callable[[], object]

TREES = ["mmo_tick", "settings", "chat", "savegame"]
PACKED = ["tilemap", "mesh"]
WORKLOADS = [*TREES, "float_array", *PACKED, "small_packets"]

# One value deep in each, as a View's keys and as an index of what the others make.
FIELDS: dict[str, list[Any]] = {
    "mmo_tick": [150, "hp"],
    "settings": ["group_1", "group_0", "ratio_2"],
    "chat": [700, "text"],
    "savegame": ["nodes", 100, "hp"],
    "float_array": [70_000],
    "tilemap": ["layers", 2, "name"],
    "mesh": ["name"],
}
# An array, and the index of one of its numbers.
ARRAYS: dict[str, tuple[list[Any], tuple[int, ...]]] = {
    "tilemap": (["layers", 2, "tiles"], (100_000,)),
    "mesh": (["vertices"], (30_000, 1)),
}

# gdvar's time by that of a contender, at most.
GOALS: dict[tuple[str, str], tuple[str, float]] = {
    **{("loads", name): ("orjson", 0.5) for name in TREES},
    **{("loads", name): ("orjson", 0.1) for name in PACKED},
    **{("dumps", name): ("orjson", 1.0) for name in TREES},
    **{("typed decode", name): ("msgspec dataclass", 0.7) for name in TREES},
    **{("one field", name): ("orjson", 0.05) for name in TREES},
}
CONTENDERS = [
    "orjson",
    "msgspec",
    "msgspec dataclass",
    "msgspec Struct",
    "msgpack",
    "ormsgpack",
    "json",
    "pickle",
]


@dataclasses.dataclass
class Format:
    """How a contender writes and reads what JSON can hold."""

    dumps: Callable[[Any], Any]
    loads: Callable[[Any], Any]


FORMATS = {
    "orjson": Format(orjson.dumps, orjson.loads),
    "msgspec": Format(msgspec.json.Encoder().encode, msgspec.json.Decoder().decode),
    "msgpack": Format(msgpack.packb, msgpack.unpackb),
    "ormsgpack": Format(ormsgpack.packb, ormsgpack.unpackb),
    "json": Format(lambda data: json.dumps(data, separators=(",", ":")), json.loads),
    "pickle": Format(lambda data: pickle.dumps(data, pickle.HIGHEST_PROTOCOL), pickle.loads),
}


def plain(value: Any) -> Any:
    """What JSON can hold: math values and packed arrays as lists, NodePaths as text."""
    if isinstance(value, gdvar.NodePath):
        return str(value)
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if hasattr(value, "tolist"):
        return [plain(each) for each in value.tolist()]
    return str(value) if isinstance(value, str) else value


def at(value: Any, keys: list[Any]) -> Any:
    for key in keys:
        value = value[key]
    return value


# ---- timing ----


def best(tasks: dict[str, Task], seconds: float) -> dict[str, float]:
    """The best time of each task in microseconds."""
    found: dict[str, float] = {}
    repeats: dict[str, int] = {}
    for name, task in tasks.items():
        start = time.perf_counter()
        task()
        took = time.perf_counter() - start
        found[name] = float("inf")
        # A sample of two milliseconds, so that the clock does not count.
        repeats[name] = max(1, min(1000, int(0.002 / max(took, 1e-7))))
    gc.collect()
    end = time.perf_counter() + seconds
    rounds = 0
    while rounds < 5 or time.perf_counter() < end:
        rounds += 1
        for name, task in tasks.items():
            times = range(repeats[name])
            start = time.perf_counter()
            for _ in times:
                task()
            found[name] = min(found[name], (time.perf_counter() - start) / len(times) * 1e6)
    return found


# ---- rows ----


def check(condition: bool, what: str) -> None:
    if not condition:
        sys.exit(f"error: a wrong answer: {what}")


@dataclasses.dataclass
class Row:
    operation: str
    workload: str
    tasks: dict[str, Task]


def plain_rows(name: str, packet: bytes) -> Iterator[Row]:
    """loads, dumps, one field, and an array of numbers as a buffer."""
    value = gdvar.loads(packet)
    data = plain(value)
    check(gdvar.dumps(value) == packet, f"gdvar writes {name}")
    written = {contender: each.dumps(data) for contender, each in FORMATS.items()}
    for contender, each in FORMATS.items():
        check(each.loads(written[contender]) == data, f"{contender} reads {name}")

    def reading(then: Callable[[Any], Any]) -> dict[str, Task]:
        def task(each: Format, text: Any) -> Task:
            return lambda: then(each.loads(text))

        return {contender: task(each, written[contender]) for contender, each in FORMATS.items()}

    def task_of(function: Callable[[Any], Any], argument: Any) -> Task:
        return lambda: function(argument)

    loads = {c: task_of(f.loads, written[c]) for c, f in FORMATS.items()}
    yield Row("loads", name, {"gdvar": task_of(gdvar.loads, packet), **loads})
    dumps = {c: task_of(f.dumps, data) for c, f in FORMATS.items()}
    yield Row("dumps", name, {"gdvar": task_of(gdvar.dumps, value), **dumps})

    field = FIELDS[name]
    check(at(gdvar.Document(packet), field) == at(data, field), f"a field of {name}")
    ours: Task = lambda: at(gdvar.Document(packet), field)
    yield Row("one field", name, {"gdvar": ours, **reading(lambda each: at(each, field))})

    if name in ARRAYS:
        array, index = ARRAYS[name]
        number = at(data, [*array, *index])
        ours = lambda: memoryview(at(gdvar.loads(packet), array))[index]
        check(ours() == number, f"an array of {name}")
        others = reading(lambda each: at(each, [*array, *index]))
        yield Row("buffer", name, {"gdvar": ours, **others})


def small_rows(packets: list[bytes]) -> Iterator[Row]:
    """loads and dumps of many packets; a figure is that of all of them."""
    values = [gdvar.loads(packet) for packet in packets]
    datas = [plain(value) for value in values]
    check([gdvar.dumps(value) for value in values] == packets, "gdvar writes small_packets")
    written = {c: [each.dumps(data) for data in datas] for c, each in FORMATS.items()}
    for contender, each in FORMATS.items():
        check([each.loads(text) for text in written[contender]] == datas, f"{contender} reads")

    def task_of(function: Callable[[Any], Any], arguments: list[Any]) -> Task:
        def task() -> None:
            for argument in arguments:
                function(argument)

        return task

    loads = {c: task_of(f.loads, written[c]) for c, f in FORMATS.items()}
    yield Row("loads", "small_packets", {"gdvar": task_of(gdvar.loads, packets), **loads})
    dumps = {c: task_of(f.dumps, datas) for c, f in FORMATS.items()}
    yield Row("dumps", "small_packets", {"gdvar": task_of(gdvar.dumps, values), **dumps})


def struct_of(hint: Any, known: dict[Any, Any]) -> Any:
    """The same type with a msgspec.Struct for every dataclass."""
    if hint in known:
        return known[hint]
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        name = f"{hint.__name__}Struct"
        known[hint] = typing.ForwardRef(name)
        hints = typing.get_type_hints(hint)
        fields = [
            (field.name, struct_of(hints[field.name], known))
            if field.default is dataclasses.MISSING
            else (field.name, struct_of(hints[field.name], known), field.default)
            for field in dataclasses.fields(hint)
        ]
        globals()[name] = msgspec.defstruct(name, fields, module=__name__)
        return globals()[name]
    arguments = typing.get_args(hint)
    if not arguments:
        return hint
    changed = tuple(struct_of(each, known) for each in arguments)
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        return typing.Union[changed]
    return typing.get_origin(hint)[changed]


def members(value: Any) -> Any:
    """Dataclasses and Structs as dicts."""
    if dataclasses.is_dataclass(value):
        return {each.name: members(getattr(value, each.name)) for each in dataclasses.fields(value)}
    if isinstance(value, msgspec.Struct):
        return {name: members(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return {key: members(each) for key, each in value.items()}
    return [members(each) for each in value] if isinstance(value, list) else value


def typed_rows(name: str, packet: bytes) -> Iterator[Row]:
    """decode and encode with dataclasses; msgspec's with dataclasses and Structs, as JSON."""
    ours, theirs = typed.PAIRS[name]
    text = msgspec.json.encode(typed.as_text(gdvar.loads(packet)))
    struct = struct_of(theirs, {})
    decoders = {
        "msgspec dataclass": msgspec.json.Decoder(theirs),
        "msgspec Struct": msgspec.json.Decoder(struct),
    }
    made = gdvar.decode(packet, ours)
    others = {contender: decoder.decode(text) for contender, decoder in decoders.items()}
    typed.check(name, packet, made, others["msgspec dataclass"])
    same = members(others["msgspec dataclass"]) == members(others["msgspec Struct"])
    check(same, f"Structs of {name}")

    def task_of(function: Callable[[Any], Any], argument: Any) -> Task:
        return lambda: function(argument)

    decoding = {contender: task_of(each.decode, text) for contender, each in decoders.items()}
    yield Row("typed decode", name, {"gdvar": lambda: gdvar.decode(packet, ours), **decoding})
    encoder = msgspec.json.Encoder()
    encoding = {contender: task_of(encoder.encode, each) for contender, each in others.items()}
    yield Row("typed encode", name, {"gdvar": lambda: gdvar.encode(made, type=ours), **encoding})


# ---- the run ----


def frames(data: bytes) -> list[bytes]:
    packets, start = [], 0
    while start < len(data):
        size = int.from_bytes(data[start : start + 4], "little")
        packets.append(data[start + 4 : start + 4 + size])
        start += 4 + size
    return packets


def rows(folder: pathlib.Path, names: list[str]) -> Iterator[Row]:
    for name in names:
        if name == "small_packets":
            yield from small_rows(frames((folder / "small_packets.frames").read_bytes()))
            continue
        packet = (folder / f"{name}.bin").read_bytes()
        yield from plain_rows(name, packet)
        if name in typed.PAIRS:
            yield from typed_rows(name, packet)


def show(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.3f}" if ratio >= 0.001 else "<0.001"


def line(row: Row, found: dict[str, float]) -> str:
    ratios = {name: found["gdvar"] / found[name] for name in CONTENDERS if name in found}
    cells = [show(ratios.get(name)) for name in CONTENDERS]
    goal = ""
    if (row.operation, row.workload) in GOALS:
        contender, most = GOALS[row.operation, row.workload]
        verdict = "met" if ratios[contender] <= most else "missed"
        goal = f"{verdict}: {most:g} of {contender}"
    return " | ".join(
        [f"| {row.operation}", row.workload, f"{found['gdvar']:,.1f}", *cells, f"{goal} |"]
    )


def about_python() -> str:
    options = sysconfig.get_config_var("CONFIG_ARGS") or ""
    named = [each for each in ("--enable-optimizations", "--with-lto") if each in options]
    build = ", ".join([*platform.python_build(), platform.python_compiler()])
    return (
        f"{platform.python_implementation()} {platform.python_version()} ({build}; "
        f"configured {' '.join(['with', *named]) if named else 'without --enable-optimizations'})"
    )


def versions() -> str:
    others = [orjson, msgspec, msgpack, ormsgpack]
    named = [f"{each.__name__} {getattr(each, '__version__', '')}" for each in others]
    return ", ".join([f"gdvar {getattr(gdvar, '__version__', '')}", *named])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--only", default=",".join(WORKLOADS))
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    print(about_python())
    print(versions())
    print("gdvar's time in microseconds, and its ratio to the others' (below 1: gdvar is faster)\n")
    print(" | ".join(["| operation", "workload", "gdvar, us", *CONTENDERS, "goal |"]))
    print("|---" * 2 + "|---:" * (len(CONTENDERS) + 1) + "|---|")
    for row in rows(arguments.folder, arguments.only.split(",")):
        print(line(row, best(row.tasks, arguments.seconds)), flush=True)


if __name__ == "__main__":
    main()
