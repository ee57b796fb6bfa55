"""Functions that look into packets, change, convert and compare them; text and JSON."""

from __future__ import annotations

import json
import signal
import struct
import threading
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import needs_timers
from vectors import DIALECTS, Vector, all_vectors, damaged, vectors

import gdvar

PLAYER = {"name": "Ada", "hp": 7, "pos": gdvar.Vector3(1, 2, 3), "bag": ["rope", 3]}
PACKET = gdvar.dumps(PLAYER)
VECTORS = list(all_vectors())


def reading(vector: Vector) -> dict[str, Any]:
    return {"dialect": vector.dialect, "objects": True}


# ---- annotate ----


@pytest.mark.parametrize("engine", DIALECTS)
def test_rows_leave_no_gap(engine: str) -> None:
    for vector in vectors(engine):
        rows, size, error, total = gdvar.annotate(vector.data, **reading(vector))
        assert total == len(rows)
        assert (size, error) == (len(vector.data), None), vector.name
        at = 0
        for row in rows:
            assert row.offset == at and row.size > 0, vector.name
            at += row.size
        assert at == len(vector.data)


def test_rows_say_what_stands_where() -> None:
    rows = gdvar.annotate(PACKET).rows
    assert rows[0] == (0, 4, "$", "Dictionary", "4 pairs", "")
    assert [row.value for row in rows if row.path == "$.pos"] == ["(1.0, 2.0, 3.0)", ""]


def test_rows_of_broken_packets_go_up_to_the_break() -> None:
    broken = 0
    for data in damaged():
        annotation = gdvar.annotate(data)
        assert sum(row.size for row in annotation.rows) == len(data)
        try:
            gdvar.validate(data)
        except gdvar.DecodeError:
            broken += 1
            assert annotation.error is not None and annotation.size is None
            # It may read on where reading gives up, and then break for another reason.
            assert annotation.rows[-1].size == 0
            assert annotation.error.code in annotation.rows[-1].note
        else:
            assert annotation.error is None
    assert broken > 1000


def test_rows_are_bounded() -> None:
    packet = gdvar.dumps(list(range(60_000)))
    found = gdvar.annotate(packet)
    assert len(found.rows) == 100_000 and found.total == 2 + 60_000 * 2
    assert found.size == len(packet)
    assert gdvar.annotate(packet, most=3).rows == found.rows[:3]
    assert len(gdvar.annotate(packet, most=200_000).rows) == found.total
    assert gdvar.annotate(packet[:-1], most=0)[:2] == ([], None)
    with pytest.raises(OverflowError):
        gdvar.annotate(packet, most=-1)


@needs_timers
def test_annotate_can_be_interrupted() -> None:
    packet = gdvar.dumps([0] * 4_000_000)

    def took(most: int) -> float:
        before = time.monotonic()
        try:
            gdvar.annotate(packet, most=most)
        except KeyboardInterrupt:
            pass
        return time.monotonic() - before

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    whole = took(0)
    old = signal.signal(signal.SIGALRM, stop)
    try:
        for most in (0, 10_000_000):
            signal.setitimer(signal.ITIMER_REAL, whole / 10)
            assert took(most) < whole / 2
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_long_paths_in_rows_are_shortened() -> None:
    # Each of the elements has the key in its path.
    rows = gdvar.annotate(gdvar.dumps({"\u03b1" * 5000: [0] * 1000})).rows
    assert max(len(row.path.encode()) for row in rows) <= 1003
    assert rows[-1].path.startswith('$["\u03b1') and rows[-1].path.endswith('\u03b1"][999]')
    assert "\u03b1...\u03b1" in rows[-1].path


# ---- check, guess, dialects ----


def test_check_finds_quirks() -> None:
    odd = struct.pack("<II", 1, 2)  # true, as 2
    found = gdvar.check(odd)
    assert found.total == 1 and found.quirks == [("bool_value", "$", 4)]
    assert gdvar.check(PACKET) == ([], 0)
    with pytest.raises(gdvar.LimitError):
        gdvar.validate(odd, strict=True)
    with pytest.raises(gdvar.TruncatedError):
        gdvar.check(PACKET[:-1])


def test_check_finds_all_that_strict_refuses() -> None:
    twice = struct.pack("<II", 27, 2) + struct.pack("<IIII", 2, 7, 2, 8) * 2
    found = gdvar.check(twice + bytes(4))
    assert found.quirks == [("duplicate_key", "$[@1 key]", 24), ("trailing_bytes", "$", 40)]
    assert found.total == 2


def test_check_gives_the_first_quirks_and_counts_all() -> None:
    odd = struct.pack("<II", 28, 1000) + struct.pack("<II", 1, 2) * 1000
    found = gdvar.check(odd, most=3)
    assert [quirk.path for quirk in found.quirks] == ["$[0]", "$[1]", "$[2]"]
    assert found.total == 1000


def test_the_dialect_is_guessed() -> None:
    for engine, dialect in DIALECTS.items():
        packets = [vector.data for vector in vectors(engine)]
        assert gdvar.guess(packets).dialect == dialect
    one = gdvar.guess(PACKET)
    assert one.dialect == "godot-4.4" and one.ambiguous
    assert [c.fits for c in one.candidates if c.dialect == "godot-3.1"] == [False]
    assert gdvar.guess([b"\xff" * 7]).dialect is None
    with pytest.raises(TypeError):
        gdvar.guess(5)  # type: ignore[arg-type]


def test_dialects() -> None:
    names = [dialect.name for dialect in gdvar.dialects()]
    assert names[0] == "godot-4.4" and "godot-3.1" in names
    by_name = {dialect.name: dialect for dialect in gdvar.dialects()}
    assert "Vector4i" in by_name["godot-4.4"].types
    assert "Vector4i" not in by_name["godot-3.1"].types
    with pytest.raises(ValueError, match="there is no dialect 'godot-5'"):
        gdvar.validate(PACKET, dialect="godot-5")


def test_error_meaning() -> None:
    with pytest.raises(gdvar.TruncatedError) as caught:
        gdvar.loads(PACKET[:-1])
    assert gdvar.error_meaning(caught.value.code) == "The bytes end before the value does."
    assert gdvar.error_meaning("no_code") == gdvar.error_meaning("") == gdvar.error_meaning("ok\0") == ""
    with pytest.raises(TypeError):
        gdvar.error_meaning(100)  # type: ignore[arg-type]


# ---- paths ----


def test_lookup() -> None:
    assert gdvar.lookup(PACKET, "$.hp") == [("$.hp", 7)]
    assert gdvar.lookup(PACKET, "$.bag[*]") == [("$.bag[0]", "rope"), ("$.bag[1]", 3)]
    assert gdvar.lookup(PACKET, "$.pos.y") == [("$.pos.y", 2.0)]
    with pytest.raises(gdvar.PathError, match="did you mean .hp") as missing:
        gdvar.lookup(PACKET, "$.hpp")
    assert missing.value.code == "missing_key" and missing.value.path == "$"
    with pytest.raises(gdvar.PathError) as bad:
        gdvar.lookup(PACKET, "$[")
    assert bad.value.code == "bad_path"
    with pytest.raises(gdvar.TruncatedError):
        gdvar.lookup(PACKET[:-4], "$.hp")


def test_matches_that_hold_each_other_are_bounded() -> None:
    nest: Any = [0] * 20_000
    for _ in range(900):
        nest = [nest]
    data = gdvar.dumps(nest)
    with pytest.raises(gdvar.LimitError) as refused:
        gdvar.lookup(data, "$..[*]")
    assert refused.value.code == "size_limit"


def test_set_and_erase_keep_all_other_bytes() -> None:
    changed = gdvar.set_value(PACKET, "$.hp", 100)
    assert gdvar.loads(changed) == {**PLAYER, "hp": 100}
    at = PACKET.index(struct.pack("<II", 2, 7))
    assert changed == PACKET[:at] + struct.pack("<II", 2, 100) + PACKET[at + 8 :]
    assert gdvar.set_value(changed, "$.hp", 7) == PACKET
    assert gdvar.loads(gdvar.set_value(PACKET, "$.bag[+]", "torch"))["bag"] == ["rope", 3, "torch"]
    assert "bag" not in gdvar.loads(gdvar.erase_value(PACKET, "$.bag"))
    for path in ("$.none", "$.pos.w", "$.bag[9]", "$[", ""):
        with pytest.raises((gdvar.PathError, gdvar.EncodeError)):
            gdvar.erase_value(PACKET, path)
    with pytest.raises(gdvar.PathError) as refused:
        gdvar.set_value(PACKET, "$.bag.first", 1)
    assert refused.value.path == "$.bag" and refused.value.code == "wrong_type"


# ---- convert ----


def test_losses_are_never_silent() -> None:
    data = gdvar.dumps({"at": gdvar.Vector2i(1, 2), "name": gdvar.StringName("Ada")})
    with pytest.raises(gdvar.LossError, match="2 values can't be expressed in godot-3.1") as lost:
        gdvar.convert(data, "godot3")
    assert [loss.path for loss in lost.value.losses] == ["$.at", "$.name"]
    assert lost.value.losses[0].type == "Vector2i"
    losses: list[gdvar.Loss] = []
    converted = gdvar.convert(data, "godot3", losses=losses)
    assert losses == lost.value.losses
    assert gdvar.loads(converted, dialect="godot3") == {"at": gdvar.Vector2(1, 2), "name": "Ada"}
    with pytest.raises(TypeError):
        gdvar.convert(data, "godot3", losses=True)  # type: ignore[arg-type]


def test_what_converts_comes_back() -> None:
    count = 0
    for vector in vectors("godot-3.6.2"):
        if vector.objects:
            continue
        try:
            there = gdvar.convert(vector.data, "godot-4.4", dialect=vector.dialect)
            back = gdvar.convert(there, vector.dialect, dialect="godot-4.4")
        except gdvar.LossError:
            continue
        count += 1
        assert gdvar.diff(vector.data, back, dialect=vector.dialect) == [], vector.name
    assert count > 250


# ---- diff, patch ----


def test_a_patch_makes_the_other_packet() -> None:
    other = gdvar.dumps({"name": "Ada", "pos": gdvar.Vector3(1, 2, 4), "bag": [3], "new": None})
    changes = gdvar.diff(PACKET, other)
    assert {"remove": ["hp"]} in changes
    assert gdvar.patch(PACKET, changes) == other
    assert gdvar.patch(PACKET, gdvar.dumps(changes)) == other
    assert gdvar.diff(PACKET, PACKET) == []
    assert gdvar.patch(PACKET, []) == PACKET


def test_patches_between_neighbours_of_the_recordings() -> None:
    for engine, dialect in DIALECTS.items():
        all_of_it = [vector.data for vector in vectors(engine) if not vector.objects]
        for before, after in zip(all_of_it, all_of_it[1:], strict=False):
            try:
                changes = gdvar.diff(before, after, dialect=dialect)
            except gdvar.EncodeError as refused:  # a patch is a packet of Godot 4
                assert refused.code == "not_in_dialect"
                continue
            made = gdvar.patch(before, changes, dialect=dialect)
            assert gdvar.diff(made, after, dialect=dialect) == []


def test_patches_that_do_not_fit() -> None:
    with pytest.raises(gdvar.PatchError) as refused:
        gdvar.patch(PACKET, [{"set": ["hp"], "value": 1}, {"remove": ["none"]}])
    assert refused.value.change == 1 and refused.value.path == "$.none"
    with pytest.raises(gdvar.PatchError) as nothing:
        gdvar.patch(PACKET, gdvar.dumps(5))
    assert nothing.value.change is None


# ---- text and JSON ----


@pytest.mark.parametrize("engine", DIALECTS)
def test_text_and_json_lose_nothing(engine: str) -> None:
    for vector in vectors(engine):
        value = gdvar.loads(vector.data, **reading(vector))
        packet = gdvar.dumps(value, dialect=vector.dialect, objects=True)
        for write, read in (
            (gdvar.to_json, gdvar.from_json),
            (gdvar.to_text_full, gdvar.from_text_full),
        ):
            back = read(write(value, dialect=vector.dialect), **reading(vector))
            again = gdvar.dumps(back, dialect=vector.dialect, objects=True)
            assert again == packet, vector.name


UNSAID = (
    "object_as_id",
    "typed_array_node_empty",
    "typed_array_resource_null",
    "typed_dictionary_int_resource",
)
"""Their text names a class that their packet does not have."""


def test_the_engines_text() -> None:
    for vector in vectors("godot-4.6.3"):
        if not vector.objects and not vector.name.startswith(UNSAID):
            value = gdvar.loads(vector.data)
            assert gdvar.var_to_str(value) == vector.text, vector.name
    assert gdvar.str_to_var('{"a": Vector2(1, 2)}') == {"a": gdvar.Vector2(1, 2)}
    assert gdvar.str_to_var("Vector2( 1, 2 )", dialect="godot-3.1") == gdvar.Vector2(1, 2)


def test_errors_of_text() -> None:
    with pytest.raises(gdvar.TextError) as broken:
        gdvar.str_to_var('{\n"a": [1,')
    assert (broken.value.line, broken.value.code) == (2, "bad_syntax")
    with pytest.raises(gdvar.TextError):
        gdvar.from_json("[1]")
    with pytest.raises(gdvar.TextError):
        gdvar.str_to_var("1 2")
    for text in ("99999999999999999999", "[1e400]", "PackedByteArray(256)"):
        gdvar.str_to_var(text)
        with pytest.raises(gdvar.TextError) as other:
            gdvar.str_to_var(text, strict=True)
        assert other.value.code == "bad_number"
    assert gdvar.str_to_var("99999999999999999999") == 2**63 - 1
    assert gdvar.from_plain_json("99999999999999999999") == 1e20
    with pytest.raises(gdvar.TextError):
        gdvar.from_plain_json("99999999999999999999", strict=True)
    with pytest.raises(gdvar.EncodeError) as refused:
        gdvar.from_text_full('{"a": [&"x"]}', dialect="godot-3.1")
    assert (refused.value.code, refused.value.path) == ("not_in_dialect", "$.a[0]")
    with pytest.raises(gdvar.EncodeError) as forbidden:
        gdvar.str_to_var('Object(Node,"name":"x")')
    assert forbidden.value.code == "objects_forbidden"
    made = gdvar.str_to_var('Object(Node,"name":"x")', objects=True)
    assert made == gdvar.Object("Node", {"name": "x"})


def test_plain_json() -> None:
    losses: list[gdvar.Loss] = []
    text = gdvar.to_plain_json(PLAYER, losses=losses)
    assert json.loads(text) == {"name": "Ada", "hp": 7, "pos": [1, 2, 3], "bag": ["rope", 3]}
    assert [loss.path for loss in losses] == ["$.pos"]
    with pytest.raises(gdvar.LossError):
        gdvar.to_plain_json(PLAYER)
    assert gdvar.to_plain_json({"a": [1, 2.5, None, True]}) == '{"a":[1,2.5,null,true]}'
    assert gdvar.from_plain_json('{"a": [1, 2.5, null]}') == {"a": [1, 2.5, None]}
    with pytest.raises(ValueError, match="indent"):
        gdvar.to_plain_json({}, indent=-1)


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=20,
)


@given(plain)
def test_any_plain_value_survives_text_and_json(value: Any) -> None:
    assert gdvar.from_json(gdvar.to_json(value)) == value
    assert gdvar.from_text_full(gdvar.to_text_full(value, indent=2)) == value
    assert gdvar.from_plain_json(gdvar.to_plain_json(value, indent=2)) == value


def test_bytes_that_are_not_utf8_survive() -> None:
    # Half of a surrogate pair, which Godot 3 writes and reads.
    name = b"\xed\xa0\x80".decode(errors="surrogateescape")
    data = gdvar.dumps(name, dialect="godot-3.1")
    value = gdvar.loads(data, dialect="godot-3.1")
    assert value == name
    for write, read in (
        (gdvar.to_json, gdvar.from_json),
        (gdvar.to_text_full, gdvar.from_text_full),
    ):
        assert read(write(value, dialect="godot-3.1"), dialect="godot-3.1") == name


# ---- threads ----


def test_threads_work_at_the_same_time() -> None:
    data = gdvar.dumps([PLAYER] * 200)
    results: list[object] = []

    def work() -> None:
        for _ in range(5):
            results.append(gdvar.validate(data))
            results.append(len(gdvar.annotate(data).rows))
            results.append(len(gdvar.convert(data, "godot-4.0")))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 60 and len(set(map(str, results))) <= 3


def test_losses_behind_a_long_key_do_not_hold_it_each() -> None:
    key = "k" * 100_000
    packet = gdvar.dumps({key: [gdvar.StringName("s")] * 2000})
    losses: list[gdvar.Loss] = []
    gdvar.convert(packet, to="godot-3.1", losses=losses)
    assert len(losses) == 2000
    assert all(len(loss.path) <= 1003 for loss in losses)  # "..." in the middle
    assert losses[7].path.startswith("$.kkk") and losses[7].path.endswith("[7]")
