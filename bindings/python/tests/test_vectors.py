"""Every packet that engines wrote, and damaged ones: what Python reads, writes and refuses is what
C++ and the engines read, write and refuse."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from support import (
    DIALECTS,
    OBJECTS,
    STRICT,
    Question,
    assert_same_verdicts,
    assert_written_again,
    engine_verdicts,
    mutate,
    same,
)
from vectors import DATA, all_vectors, vectors
from vectors import DIALECTS as ENGINES

import gdvar


@pytest.mark.parametrize("engine", ENGINES)
def test_what_an_engine_wrote_is_written_again(engine: str) -> None:
    recorded = vectors(engine)
    assert len(recorded) > 350
    for vector in recorded:
        assert_written_again(vector.data, vector.dialect)


@pytest.mark.parametrize("engine", ENGINES)
def test_other_buffers_give_the_same(engine: str) -> None:
    for vector in vectors(engine):
        value = gdvar.loads(vector.data, dialect=vector.dialect, objects=True)
        for data in (bytearray(vector.data), memoryview(b"?" + vector.data)[1:]):
            assert same(gdvar.loads(data, dialect=vector.dialect, objects=True), value), vector.name


@pytest.mark.parametrize("engine", ENGINES)
def test_objects_in_full_need_permission(engine: str) -> None:
    refused = 0
    for vector in vectors(engine):
        try:
            gdvar.loads(vector.data, dialect=vector.dialect)
        except gdvar.LimitError as error:
            assert error.code == "objects_forbidden", vector.name
            value = gdvar.loads(vector.data, dialect=vector.dialect, objects=True)
            with pytest.raises(gdvar.EncodeError) as written:
                gdvar.dumps(value, dialect=vector.dialect)
            assert written.value.code == "objects_forbidden", vector.name
            refused += 1
    assert refused > 0


@pytest.mark.parametrize(
    "name", ["chat", "float_array", "mesh", "mmo_tick", "savegame", "settings", "tilemap"]
)
def test_large_packets_are_written_again(name: str) -> None:
    assert_written_again((DATA / "workloads" / "g4" / f"{name}.bin").read_bytes(), "godot-4.4")


def test_godots_verdict_on_damaged_packets() -> None:
    packets = engine_verdicts()
    assert len(packets) == 8670
    deliberate: Counter[str] = Counter()
    for line in packets:
        packet, consumed = line["b"], line["n"]
        try:
            size = gdvar.validate(packet)
        except gdvar.DecodeError as error:
            if consumed:
                deliberate[error.code] += 1
            with pytest.raises(gdvar.DecodeError) as loading:
                gdvar.loads(packet)
            assert str(loading.value) == str(error)
            continue
        assert consumed and size == min(consumed, len(packet)), packet.hex()
        value = gdvar.loads(packet)
        again = gdvar.dumps(value)
        assert same(gdvar.loads(again), value), packet.hex()
    # docs/wire-format.md, "Where gdvar deliberately differs from the engines".
    assert deliberate == {"bad_node_path": 1, "bad_length": 3}


# ---- the verdicts of C++ ----


@pytest.mark.parametrize("flags", [0, OBJECTS, STRICT])
def test_verdicts_on_damaged_packets(flags: int) -> None:
    seen = assert_same_verdicts(
        [Question("godot-4.4", flags, line["b"]) for line in engine_verdicts()]
    )
    assert len(seen) >= 7, seen


@pytest.mark.parametrize("engine", ENGINES)
def test_verdicts_on_sound_packets_in_every_dialect(engine: str) -> None:
    questions = [
        Question(dialect, flags, vector.data)
        for vector in vectors(engine)
        for dialect in DIALECTS
        for flags in (0, OBJECTS | STRICT)
        if len(vector.data) < 4096
    ]
    seen = assert_same_verdicts(questions)
    assert seen["ok"] > 1000, seen


@pytest.mark.parametrize("engine", ENGINES)
def test_verdicts_on_packets_that_are_cut_off(engine: str) -> None:
    taken = [v for v in vectors(engine) if len(v.data) <= 120][:150]
    questions = [
        Question(vector.dialect, OBJECTS, vector.data[:size])
        for vector in taken
        for size in range(len(vector.data))
    ]
    seen = assert_same_verdicts(questions)
    assert seen["truncated"] > 1000, seen


@pytest.mark.parametrize("engine", ENGINES)
def test_verdicts_on_changed_packets(engine: str) -> None:
    chance = random.Random(engine)
    small = [v for v in vectors(engine) if len(v.data) <= 600]
    questions: list[Question] = []
    for vector in small:
        for _ in range(40):
            dialect = vector.dialect if chance.random() < 0.7 else chance.choice(DIALECTS)
            questions.append(Question(dialect, chance.randrange(4), mutate(vector.data, chance)))
    seen = assert_same_verdicts(questions)
    assert len(seen) > 8 and seen["ok"] > 300, seen


def test_verdicts_under_limits() -> None:
    chance = random.Random(7)
    questions: list[Question] = []
    for vector in all_vectors():
        for _ in range(4):
            limits = gdvar.Limits(
                depth=chance.choice([0, 1, 2, 3, 1024]),
                bytes=chance.choice([8, 16, 64, 2**32 - 1]),
                values=chance.choice([0, 1, 2, 5, 2**64 - 1]),
            )
            questions.append(Question(vector.dialect, OBJECTS, vector.data, limits))
    seen = assert_same_verdicts(questions)
    assert {"depth_limit", "node_limit", "size_limit", "ok"} <= seen.keys(), seen
