"""Typed decoding against msgspec: dataclasses from a packet, and from the same data as JSON.

Usage: typed.py WORKLOADS_FOLDER [--slots] [ROUNDS]. Needs msgspec. Prints microseconds for one
packet: the best of ROUNDS rounds (default 15), gdvar's and msgspec's in turn.
"""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import sys
import time
from collections.abc import Callable
from typing import Annotated, Any

import msgspec

import gdvar

slots = "--slots" in sys.argv
arguments = [each for each in sys.argv[1:] if not each.startswith("--")]
dataclass = functools.partial(dataclasses.dataclass, slots=slots)


@dataclass()
class Entity:
    id: int
    name: str
    pos: gdvar.Vector3
    vel: gdvar.Vector3
    yaw: float
    hp: int
    max_hp: int
    state: str
    alive: bool
    target: int | None


@dataclass()
class Message:
    ts: int
    sender: Annotated[str, gdvar.Field("from")]
    channel: str
    text: str


@dataclass()
class Settings:
    opt_0: int
    ratio_0: float
    flag_0: bool
    label_0: str
    opt_1: int
    ratio_1: float
    flag_1: bool
    label_1: str
    opt_2: int
    ratio_2: float
    flag_2: bool
    label_2: str
    opt_3: int
    ratio_3: float
    flag_3: bool
    label_3: str
    color: gdvar.Color
    keys: tuple[int, int, str]
    group_0: Settings | None = None
    group_1: Settings | None = None
    group_2: Settings | None = None


@dataclass()
class Item:
    item: str
    count: int
    durability: float
    enchant: list[str | int]


@dataclass()
class Node:
    path: gdvar.NodePath
    xform: gdvar.Transform3D
    tint: gdvar.Color
    hp: int


@dataclass()
class TextNode:
    """As JSON has it: the path is a str, which is easier for msgspec."""

    path: str
    xform: gdvar.Transform3D
    tint: gdvar.Color
    hp: int


@dataclass()
class Quest:
    stage: int
    started: float
    log: tuple[str, str]
    done: bool


@dataclass()
class Stats:
    strength: Annotated[int, gdvar.Field("str")]
    dex: int
    wits: Annotated[int, gdvar.Field("int")]


@dataclass()
class Player:
    name: str
    pos: gdvar.Vector3
    level: int
    xp: int
    stats: Stats


@dataclass()
class Save:
    version: int
    player: Player
    inventory: list[Item]
    flags: dict[str, bool]
    nodes: list[Node]
    quests: dict[str, Quest]


@dataclass()
class TextSave:
    version: int
    player: Player
    inventory: list[Item]
    flags: dict[str, bool]
    nodes: list[TextNode]
    quests: dict[str, Quest]


# Names that are others in a packet than in JSON here, as no attribute is called `from`.
NAMES = {"from": "sender", "str": "strength", "int": "wits"}
TextMessage = dataclasses.make_dataclass(
    "TextMessage", [("ts", int), ("sender", str), ("channel", str), ("text", str)], slots=slots
)

PAIRS: dict[str, tuple[Any, Any]] = {
    "mmo_tick": (list[Entity], list[Entity]),
    "chat": (list[Message], list[TextMessage]),
    "settings": (Settings, Settings),
    "savegame": (Save, TextSave),
}


def as_text(value: Any) -> Any:
    """What JSON can hold: NodePaths as text."""
    if isinstance(value, gdvar.NodePath):
        return str(value)
    if isinstance(value, tuple):
        return [as_text(each) for each in value]
    if isinstance(value, list):
        return [as_text(each) for each in value]
    if isinstance(value, dict):
        return {NAMES.get(key, key): as_text(each) for key, each in value.items()}
    return value


def best(rounds: int, *tasks: Callable[[], object]) -> list[float]:
    """The best time of each, in microseconds."""
    found = [float("inf")] * len(tasks)
    for _ in range(rounds):
        for i, task in enumerate(tasks):
            start = time.perf_counter()
            for _ in range(20):
                task()
            found[i] = min(found[i], (time.perf_counter() - start) / 20 * 1e6)
    return found


def check(name: str, packet: bytes, ours: Any, theirs: Any) -> None:
    """Both made the same values, and ours are written as the packet that they came from."""
    type_ = PAIRS[name][0]
    assert plain(ours) == plain(theirs), name
    assert gdvar.decode(gdvar.encode(ours, type=type_), type_) == ours, name
    if name != "settings":  # whose innermost groups are missing, and become null
        assert gdvar.encode(ours, type=type_) == packet, name


def plain(value: Any) -> Any:
    """Without the classes, which differ where JSON can't hold the values."""
    if isinstance(value, gdvar.NodePath):
        return str(value)
    if dataclasses.is_dataclass(value):
        return [plain(getattr(value, each.name)) for each in dataclasses.fields(value)]
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value


def main() -> None:
    folder = pathlib.Path(arguments[0])
    rounds = int(arguments[1]) if len(arguments) > 1 else 15
    print(f"dataclasses {'with' if slots else 'without'} slots; microseconds, and gdvar by msgspec")
    columns = ["loads", "decode", "msgspec", "ratio", "encode", "msgspec", "ratio"]
    print(f"{'workload':10}" + "".join(f"{column:>9}" for column in columns))
    for name, (type_, text_type) in PAIRS.items():
        packet = (folder / f"{name}.bin").read_bytes()
        text = msgspec.json.encode(as_text(gdvar.loads(packet)))
        decoder, encoder = msgspec.json.Decoder(text_type), msgspec.json.Encoder()
        ours, theirs = gdvar.decode(packet, type_), decoder.decode(text)
        check(name, packet, ours, theirs)
        loads, decode, decode_other, encode, encode_other = best(
            rounds,
            lambda: gdvar.loads(packet),
            lambda: gdvar.decode(packet, type_),
            lambda: decoder.decode(text),
            lambda: gdvar.encode(ours, type=type_),
            lambda: encoder.encode(theirs),
        )
        print(
            f"{name:10}{loads:9.1f}{decode:9.1f}{decode_other:9.1f}{decode / decode_other:9.2f}"
            f"{encode:9.1f}{encode_other:9.1f}{encode / encode_other:9.2f}"
        )


if __name__ == "__main__":
    main()
