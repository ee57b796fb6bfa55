"""What the tests share: comparison of values, and the verdicts of C++ and of Godot."""

# Values are of any type here.
# pyright: basic

from __future__ import annotations

import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from vectors import DATA, SOURCE

import gdvar

sys.path.append(str(SOURCE / "tests" / "support"))
import mutations  # type: ignore[import-not-found]  # noqa: E402

mutate: Callable[[bytes, random.Random], bytes] = mutations.mutate

DIALECTS = [
    "godot-4.4",
    "godot-4.3",
    "godot-4.0",
    "godot-4-dev",
    "godot-3.1",
    "godot-3.0",
    "godot-2",
    "pandemonium-5",
    "pandemonium-3.8",
    "pandemonium-3.5",
    "page-3",
    "page-4",
    "page-4-dev",
]
OBJECTS, STRICT = 1, 2

# Missing from CPython for Windows.
NO_UNIX_SOCKETS, NO_TIMERS = "no Unix sockets here", "no timers that send signals here"
needs_unix_sockets = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason=NO_UNIX_SOCKETS)
# A turn of an event loop takes milliseconds under Wine. Tests of thousands of turns, or with bounds of a second, fail there.
SLOW = "GDVAR_SLOW_LOOP" in os.environ
needs_fast_loop = pytest.mark.skipif(SLOW, reason="event loops are too slow here")
needs_timers = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason=NO_TIMERS)


@cache
def engine_verdicts() -> tuple[dict[str, Any], ...]:
    """The damaged packets, with what Godot 4.6.3 made of each (tests/data/README.md)."""
    with open(DATA / "vectors" / "godot-4.6.3-damaged.ndjson", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return tuple({**row, "b": bytes.fromhex(row["b"])} for row in rows if "b" in row)


# ---- comparison ----


def same(a: Any, b: Any) -> bool:
    """Whether two values are the same to the last bit: classes, order of keys, NaNs and zeros."""
    left = [(a, b)]
    while left:
        x, y = left.pop()
        if type(x) is not type(y):
            return False
        if isinstance(x, float):
            if struct.pack("<d", x) != struct.pack("<d", y):
                return False
        elif isinstance(x, dict):
            if len(x) != len(y):
                return False
            left += zip(x.items(), y.items(), strict=True)
        elif isinstance(x, (list, tuple)):
            if len(x) != len(y):
                return False
            left += zip(x, y, strict=True)
        elif x != y:
            return False
        for name in ("type", "key_type", "value_type"):
            if isinstance(x, (gdvar.Array, gdvar.Dictionary, gdvar.Pairs)) and hasattr(x, name):
                left.append((getattr(x, name), getattr(y, name)))
    return True


def has_node_path(value: Any) -> bool:
    left = [value]
    while left:
        x = left.pop()
        if isinstance(x, gdvar.NodePath):
            return True
        if isinstance(x, dict):
            left += [*x.keys(), *x.values()]
        elif isinstance(x, (list, tuple)):
            left += x
    return False


def assert_written_again(packet: bytes, dialect: str) -> None:
    """dumps(loads(packet)) is the packet, but for the padding in NodePaths, which Godot 3 leaves
    as it finds the memory (docs/wire-format.md)."""
    value = gdvar.loads(packet, dialect=dialect, objects=True)
    again = gdvar.dumps(value, dialect=dialect, objects=True)
    if again == packet:
        return
    assert dialect != "godot-4.4" and has_node_path(value), (packet.hex(), again.hex())
    # As many bytes, and the same value: where they differ is padding, and dumps wrote zeros.
    assert len(again) == len(packet), (packet.hex(), again.hex())
    assert all(x == y or y == 0 for x, y in zip(packet, again, strict=True)), packet.hex()
    assert same(gdvar.loads(again, dialect=dialect, objects=True), value), packet.hex()


# ---- verdicts ----


class Question(NamedTuple):
    """A packet, and how it is to be read."""

    dialect: str
    flags: int
    packet: bytes
    limits: gdvar.Limits = gdvar.Limits()


def ask_python(question: Question, read: Any) -> str:
    """What `read` says of a packet, in the words of verdicts.cpp; "ok" if it takes it."""
    try:
        taken = read(
            question.packet,
            dialect=question.dialect,
            limits=question.limits,
            objects=bool(question.flags & OBJECTS),
            strict=bool(question.flags & STRICT),
        )
    except gdvar.DecodeError as error:
        return f"{error.code}\t{error.offset}\t{error.need}\t{error.type}\t{error.path}"
    return f"ok {taken}" if read is gdvar.validate else "ok"


def verdicts_program() -> Path:
    """The program made of verdicts.cpp, which CMake builds with the tests."""
    program = os.environ.get("GDVAR_VERDICTS")
    if not program:
        pytest.skip("GDVAR_VERDICTS does not name the program of verdicts.cpp")
    return Path(program)


def ask_cpp(questions: Iterable[Question]) -> list[str]:
    """What C++ says of each packet."""
    lines = "".join(
        f"{q.dialect} {q.flags} {' '.join(map(str, q.limits))} {q.packet.hex()}\n"
        for q in questions
    )
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    run = subprocess.run(
        [verdicts_program()], input=lines.encode(), capture_output=True, check=True, env=environment
    )
    return run.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]


def assert_same_verdicts(questions: list[Question]) -> dict[str, int]:
    """Every way to read in Python says what C++ says. Returns how often which code came."""
    verdicts = ask_cpp(questions)
    assert len(verdicts) == len(questions)
    seen: dict[str, int] = {}
    for question, verdict in zip(questions, verdicts, strict=True):
        assert ask_python(question, gdvar.validate) == verdict, question
        short = "ok" if verdict.startswith("ok ") else verdict
        assert ask_python(question, gdvar.loads) == short, question
        assert ask_python(question, gdvar.Document) == short, question
        code = verdict.split()[0]
        seen[code] = seen.get(code, 0) + 1
    return seen
