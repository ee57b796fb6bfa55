"""Whole saves: every one that an engine wrote, changed by path and written back as it was."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from support import SLOW, needs_timers
from vectors import EngineSaves, saves

import gdvar

EVERY = [(engine, file) for engine in saves() for file in engine.files]
each_save = pytest.mark.parametrize(
    ("engine", "file"), EVERY, ids=[f"{engine.engine}-{file.name}" for engine, file in EVERY]
)
NEW = '#0 $["added by gdvar"]'
WINE = SLOW and sys.platform == "win32"


def copy_of(file: Path, folder: Path) -> Path:
    return Path(shutil.copy(file, folder / "copy"))


def packets(save: gdvar.Save) -> list[bytes]:
    return [save.packet(i) for i in range(len(save))]


# ---- the engines' saves ----


@each_save
def test_one_value_changes_and_nothing_else(
    engine: EngineSaves, file: Path, tmp_path: Path
) -> None:
    path = copy_of(file, tmp_path)
    original = path.read_bytes()
    expected = engine.packets[:1] if file.suffix == ".txt" else engine.packets
    with gdvar.open_save(path, **engine.opening(file)) as save:
        layers = save.layers
        assert packets(save) == expected and not save.changed
        with pytest.raises(gdvar.PathError, match="create=True adds it"):
            save.set(NEW, 41)
        save.set(NEW, 41, create=True)
        save.set(NEW, 42)
        assert save.changed and save.get(NEW) == 42
        save.write()
        assert not save.changed
    if layers:
        assert path.read_bytes()[:4] == original[:4]
    with gdvar.open_save(path, **engine.opening(file)) as again:
        assert (again.layers, again.get(NEW), again[0]["added by gdvar"]) == (layers, 42, 42)
        assert packets(again)[1:] == expected[1:]
        again.erase(NEW)
        assert packets(again) == expected
        again.write()
    # Godot 4 encrypts with a new IV each time; compressors differ, except Deflate and gzip.
    kind = layers[0] if layers else ""
    if kind in ("", "gcpf-deflate", "gcpf-gzip", "gdec-3", "base64"):
        assert path.read_bytes() == original
    if kind == "gdec-4":
        assert path.read_bytes()[28:44] != original[28:44]


@each_save
def test_the_only_bytes_that_change_are_those_of_the_value(engine: EngineSaves, file: Path) -> None:
    save = gdvar.read_save(file.read_bytes(), **engine.opening(file))
    before = packets(save)
    at = "#0 $.players[3].hp"
    save.set(at, 9999)
    after = packets(save)
    assert after[1:] == before[1:] and len(after[0]) == len(before[0])
    differing = [i for i, (a, b) in enumerate(zip(before[0], after[0], strict=True)) if a != b]
    assert len(differing) <= 2 and save.get(at) == 9999
    inner = gdvar.unwrap(save.bytes(), **engine.opening(file)).data
    for packet in after:
        assert packet in inner


@each_save
def test_what_is_not_changed_is_not_written(
    engine: EngineSaves, file: Path, tmp_path: Path
) -> None:
    path = copy_of(file, tmp_path)
    before = path.stat()
    with gdvar.open_save(path, **engine.opening(file)) as save:
        save[0] = save[0]
        save.set("#0 $.players[3].hp", save.get("#0 $.players[3].hp"))
        assert not save.changed
        save.write(backup=tmp_path / "backup")
    after = path.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert not (tmp_path / "backup").exists()


@each_save
def test_values_are_those_of_the_packets(engine: EngineSaves, file: Path) -> None:
    save = gdvar.read_save(file.read_bytes(), **engine.opening(file))
    assert list(save) == [gdvar.loads(packet, dialect=save.dialect) for packet in packets(save)]
    assert save[-1] == save[len(save) - 1]
    assert set(save.names) == {""}


def test_a_wrong_password(tmp_path: Path) -> None:
    seen = 0
    for engine, file in EVERY:
        if not engine.opening(file):
            continue
        seen += 1
        with pytest.raises(gdvar.SaveError) as wrong:
            gdvar.open_save(file, password="not this one")
        assert wrong.value.code == "bad_checksum" and file.name in str(wrong.value)
        with pytest.raises(gdvar.SaveError) as none:
            gdvar.open_save(file)
        assert none.value.code == "bad_key"
    assert seen == 8
    with pytest.raises(ValueError, match="not both"):
        gdvar.open_save(EVERY[0][1], password="a", key=b"k" * 32)
    with pytest.raises(ValueError, match="empty"):
        gdvar.open_save(EVERY[0][1], password="")
    with pytest.raises(gdvar.SaveError):
        gdvar.open_save(EVERY[0][1], key=b"short")


# ---- files ----


def make(path: Path, value: object, layers: str = "gcpf-zstd") -> Path:
    path.write_bytes(gdvar.wrap(gdvar.dumps(value), layers))
    return path


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = make(tmp_path / "game.save", {"hp": 0, "pad": "x" * 50_000})
    stop = threading.Event()
    seen: set[int] = set()

    def watch() -> None:
        while not stop.is_set():
            try:
                seen.add(gdvar.read_save(path.read_bytes()).get("$.hp"))
            except (FileNotFoundError, PermissionError):
                # Wine replaces a file that is open in two steps, between which it has no name.
                if not WINE:
                    raise
            time.sleep(0.001)  # Windows replaces no file that somebody has open

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        for hp in range(1, 40):
            with gdvar.open_save(path) as save:
                save.set("$.hp", hp)
                save.write()
    finally:
        stop.set()
        watcher.join()
    assert seen and seen <= set(range(40))
    # Wine leaves names of its own for a file that was open when it was replaced.
    left = [file.name for file in tmp_path.iterdir() if not (WINE and file.match("rf*.tmp"))]
    assert left == ["game.save"]


def test_a_backup_and_several_writes(tmp_path: Path) -> None:
    path = make(tmp_path / "game.save", {"hp": 1})
    old = path.read_bytes()
    with gdvar.open_save(path) as save:
        save.set("$.hp", 2)
        with pytest.raises(TypeError):  # "save as", it seems, but the file that was opened changed
            save.write(tmp_path / "new")  # type: ignore[call-arg]
        save.write(backup=tmp_path / "old")
        save.set("$.hp", 3)
        save.write()
    assert (tmp_path / "old").read_bytes() == old
    assert gdvar.open_save(path).get("$.hp") == 3


def test_a_refused_change_leaves_the_file(tmp_path: Path) -> None:
    path = make(
        tmp_path / "game.save",
        {"hp": 1, "list": gdvar.Array([1], gdvar.ContainerType("builtin", "int"))},
    )
    before = path.read_bytes()
    with gdvar.open_save(path) as save:
        with pytest.raises(
            gdvar.PathError, match="this is an int, the value is a String; retype=True"
        ):
            save.set("$.hp", "many")
        with pytest.raises(gdvar.PathError, match="did you mean .hp"):
            save.set("$.hpp", 1)
        with pytest.raises(gdvar.PathError):
            save.set("$.list[+]", "text", retype=True)
        with pytest.raises(gdvar.EncodeError):
            save.set("$.hp", object(), retype=True)
        assert not save.changed
        save.write()
    assert path.read_bytes() == before


def test_errors_of_values_say_where_they_were_meant_to_go() -> None:
    save = gdvar.read_save(gdvar.make_save("records", [{"a": 1}, 2]))
    with pytest.raises(gdvar.EncodeError, match=r"^#0 \$\.a\[1\]\.q: ") as refused:
        save.set("#0 $.a", [1, {"q": object()}])
    assert refused.value.path == "#0 $.a[1].q"


def test_a_backup_in_no_folder(tmp_path: Path) -> None:
    path = make(tmp_path / "game.save", {"hp": 1})
    with gdvar.open_save(path) as save:
        save.set("$.hp", 2)
        with pytest.raises(FileNotFoundError, match="folder for the backup") as refused:
            save.write(backup=tmp_path / "none" / "old")
        assert refused.value.filename == str(tmp_path / "none" / "old")
        save.write(backup=tmp_path / "old")
    assert gdvar.open_save(path).get("$.hp") == 2


def test_a_backup_with_the_name_of_a_folder(tmp_path: Path) -> None:
    path = make(tmp_path / "game.save", {"hp": 1})
    (tmp_path / "old").mkdir()
    with gdvar.open_save(path) as save:
        save.set("$.hp", 2)
        with pytest.raises(IsADirectoryError, match="a folder has the name") as refused:
            save.write(backup=tmp_path / "old")
        assert isinstance(refused.value, gdvar.FileError)
        assert refused.value.filename == str(tmp_path / "old")
        save.write(backup=tmp_path / "old" / "game.save")
    assert gdvar.open_save(path).get("$.hp") == 2


def test_names_of_any_kind(tmp_path: Path) -> None:
    names: list[str | bytes] = ["plain", "with space", "\u00e9\u4f60"]
    # Windows has names in Unicode alone.
    if sys.getfilesystemencodeerrors() == "surrogateescape":
        names.append(b"not \xff utf-8")
    for name in names:
        raw = os.fsencode(tmp_path) + b"/" + os.fsencode(name)
        with open(raw, "wb") as to:
            to.write(gdvar.dumps({"hp": 1}))
        for path in (raw, os.fsdecode(raw), Path(os.fsdecode(raw))):
            with gdvar.open_save(path) as save:
                save.set("$.hp", save.get("$.hp") + 1)
                save.write()
        assert gdvar.open_save(raw).get("$.hp") == 4


def test_errors_of_files(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(OSError, match="No such file") as none:
        gdvar.open_save(missing)
    assert isinstance(none.value, gdvar.FileError)
    assert (none.value.errno, none.value.filename) == (errno.ENOENT, str(missing))
    with pytest.raises(FileNotFoundError):
        gdvar.open_save(missing)
    assert isinstance(none.value, gdvar.FileMissingError)
    with pytest.raises(IsADirectoryError):
        gdvar.open_save(tmp_path)
    with pytest.raises(NotADirectoryError):
        gdvar.open_save(make(tmp_path / "file", {"hp": 1}) / "game.save")
    (tmp_path / "file").unlink()
    locked = make(tmp_path / "locked", {"hp": 1})
    with gdvar.open_save(locked, lock=True), pytest.raises(BlockingIOError):
        gdvar.open_save(locked, lock=True, lock_wait=0)
    locked.unlink()
    with pytest.raises(ValueError, match="null"):
        gdvar.open_save("a\0b")
    memory = gdvar.read_save(gdvar.dumps({"hp": 1}))
    memory.set("$.hp", 2)
    with pytest.raises(gdvar.FileError, match="no file's; bytes") as no_file:
        memory.write()
    assert no_file.value.errno == errno.EBADF
    path = make(tmp_path / "game.save", {"hp": 1})
    save = gdvar.open_save(path, lock=False)
    make(path, {"hp": 100, "more": True})
    save.set("$.hp", 2)
    with pytest.raises(gdvar.FileError, match="another program has changed the file") as stale:
        save.write()
    assert stale.value.errno == errno.ESTALE
    with pytest.raises(ValueError, match="null"):
        save.write(backup=tmp_path / "a\0b")
    assert os.listdir(tmp_path) == ["game.save"]


def test_bytes_that_are_no_save() -> None:
    for data in (b"", b"text", b"\xff" * 100):
        with pytest.raises(gdvar.SaveError) as refused:
            gdvar.read_save(data)
        assert refused.value.code == "not_recognised"
    with pytest.raises(gdvar.SaveError, match="follow a header") as headed:
        gdvar.read_save(b"SAVE" + b"\xff" * 4 + gdvar.dumps({"name": "somebody", "hp": 100}))
    assert headed.value.offset == 8
    bomb = gdvar.wrap(gdvar.dumps(bytes(1 << 20)), "gcpf-zstd")
    with pytest.raises(gdvar.LimitError):
        gdvar.read_save(bomb, max_bytes=1 << 16)
    with pytest.raises(gdvar.LimitError):
        gdvar.unwrap(bomb, max_bytes=1 << 16)


# ---- records as a list ----


def test_records_come_and_go() -> None:
    engine = saves()[0]
    save = gdvar.read_save(next(file for file in engine.files if file.stem == "plain").read_bytes())
    first, second, third = packets(save)
    save.append({"level": 4})
    save.insert(0, "first")
    assert packets(save)[1:4] == [first, second, third]
    assert (save[0], save[4], len(save)) == ("first", {"level": 4}, 5)
    del save[1]
    del save[-1]
    save[0] = [1, 2]
    assert packets(save)[1:] == [second, third] and save[0] == [1, 2]
    again = gdvar.read_save(save.bytes(), dialect=save.dialect)
    assert list(again) == list(save)
    for number in (3, -4, 99):
        with pytest.raises(IndexError):
            save[number]
        with pytest.raises(IndexError):
            del save[number]
    with pytest.raises(gdvar.PathError):
        save.insert(99, 1)
    with pytest.raises(KeyError):
        save["name"]
    with pytest.raises(TypeError):
        save[1.5]  # type: ignore[index]


def test_one_packet_is_no_row_of_records() -> None:
    save = gdvar.read_save(gdvar.dumps({"hp": 1}))
    with pytest.raises(gdvar.Error, match="no row of records"):
        save.append(1)
    save[0] = {"hp": 2}
    assert gdvar.loads(save.bytes()) == {"hp": 2}


def test_keys_of_the_only_value_are_no_settings() -> None:
    save = gdvar.read_save(gdvar.dumps({"hp": 1}))
    with pytest.raises(KeyError, match=r"no settings, use save\[0\]"):
        save["hp"]
    for key in ("hp", "new"):
        with pytest.raises(KeyError):
            save[key] = 2
    assert "hp" not in save and not save.changed
    empty = gdvar.read_save(settings())
    empty["new"] = 2
    assert dict(empty.items()) == {"new": 2}


def test_whether_a_record_is_there() -> None:
    save = gdvar.read_save(b"".join(gdvar.frame(gdvar.dumps(each)) for each in ([1], "end")))
    assert [1] in save and "end" in save and "#0 $" not in save and [] not in save


def test_the_path_of_a_value_that_is_refused_begins_with_its_place() -> None:
    node = gdvar.dumps([gdvar.Object("Node", {})], objects=True)
    records = gdvar.read_save(b"".join(map(gdvar.frame, (gdvar.dumps(1), node))))
    named = gdvar.read_save(settings_of({"a/b": node}))
    one = gdvar.read_save(node)
    for save, index, path in ((records, 1, "#1 $[0]"), (named, 0, "a/b $[0]"), (one, 0, "$[0]")):
        with pytest.raises(gdvar.LimitError, match="objects=True") as refused:
            save[index]
        assert (refused.value.path, refused.value.code) == (path, "objects_forbidden")


def test_whether_all_of_a_save_is_sound() -> None:
    packet, frame = gdvar.dumps(42), gdvar.frame
    gdvar.read_save(frame(packet) * 2).check()
    unsound = {
        "#1 $": frame(packet) + frame(packet + bytes(4)) + frame(packet),
        "": frame(packet) * 2 + b"abc",
    }
    for path, data in unsound.items():
        save, same = gdvar.read_save(data), gdvar.read_save(data)
        assert save.bytes() == data
        with pytest.raises(gdvar.DecodeError) as error:
            save.check()
        assert (error.value.code, error.value.path) == ("trailing_bytes", path)
        with pytest.raises(gdvar.DecodeError, match="trailing_bytes"):
            save.convert("godot-3.1")
        with pytest.raises(gdvar.DecodeError, match="trailing_bytes"):
            save.diff(same)


# ---- settings ----


def settings(**values: object) -> bytes:
    """A project.binary."""
    return settings_of({k.replace("__", "/"): gdvar.dumps(v) for k, v in values.items()})


def settings_of(packets: dict[str, bytes]) -> bytes:
    out = b"ECFG" + len(packets).to_bytes(4, "little")
    for name, packet in packets.items():
        text = name.encode()
        out += len(text).to_bytes(4, "little") + text
        out += len(packet).to_bytes(4, "little") + packet
    return out


def test_settings_are_named() -> None:
    data = settings(application__config__name="My game", input__jump={"deadzone": 0.5})
    save = gdvar.read_save(data)
    name = "application/config/name"
    assert save.names == (name, "input/jump") and save[name] == "My game"
    assert name in save and "none" not in save and 0 not in save
    assert save.get("input/jump $.deadzone") == 0.5
    save[name] = 'A "new" one'
    save['odd " name $.x'] = [1]
    assert dict(save.items()) == {
        name: 'A "new" one',
        "input/jump": {"deadzone": 0.5},
        'odd " name $.x': [1],
    }
    del save["input/jump"]
    del save['odd " name $.x']
    save[name] = "My game"
    save["input/jump"] = {"deadzone": 0.5}
    assert save.bytes() == data
    for missing in ("none", ""):
        with pytest.raises(KeyError):
            save[missing]
        with pytest.raises(KeyError):
            del save[missing]


# ---- layers ----


@pytest.mark.parametrize(
    "layers", ["gdec-4 gcpf-zstd", "gcpf-fastlz gdec-3 gcpf-gzip", "base64 gcpf-deflate", "hex", ""]
)
def test_layers_in_each_other(layers: str) -> None:
    inner = gdvar.dumps({"hp": 7})
    names = tuple(layers.split())
    outer = gdvar.wrap(inner, layers, password="x")
    assert gdvar.wrap(inner, names, password="x")[:20] == outer[:20]
    assert gdvar.unwrap(outer, password="x") == (inner, names)
    save = gdvar.read_save(outer, password="x")
    assert save.layers == names
    save.set("$.hp", 8)
    assert gdvar.unwrap(save.bytes(), password="x").data == gdvar.dumps({"hp": 8})


def test_layers_that_do_not_exist() -> None:
    with pytest.raises(gdvar.SaveError) as refused:
        gdvar.wrap(b"x", "tar")
    assert refused.value.code == "bad_mode"
    with pytest.raises(gdvar.SaveError):
        gdvar.wrap(b"x", "gdec-4")
    with pytest.raises(TypeError):
        gdvar.wrap(b"x", 5)  # type: ignore[arg-type]


# ---- the object ----


def test_a_closed_save() -> None:
    save = gdvar.read_save(gdvar.dumps(1))
    save.close()
    save.close()
    for use in (lambda: save[0], lambda: save.dialect, save.bytes, save.write, lambda: len(save)):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_two_threads_and_one_save() -> None:
    save = gdvar.read_save(gdvar.dumps([{"hp": i} for i in range(20_000)]))
    outcomes: list[str] = []

    def work(hp: int) -> None:
        for i in range(20):
            try:
                save.set(f"$[{i}].hp", hp)
                outcomes.append("set")
            except RuntimeError as refused:
                assert "another thread" in str(refused)
                outcomes.append("refused")

    threads = [threading.Thread(target=work, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 60 and "set" in outcomes


def test_a_handle_is_made_by_open_and_read_only() -> None:
    from gdvar import _gdvar

    with pytest.raises(TypeError):
        _gdvar._SaveHandle()


def test_a_locked_save_is_waited_for_as_long_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "d.save"
    path.write_bytes(gdvar.dumps({"hp": 1}))
    with gdvar.open_save(path, lock=True):
        with pytest.raises(gdvar.FileError, match="not closed") as refused:
            gdvar.open_save(path, lock=True, lock_wait=0)
        assert refused.value.errno == errno.EAGAIN
        with gdvar.open_save(path, lock_wait=0.15) as other:
            other.set("$.hp", 2)
            with pytest.raises(gdvar.FileError) as refused:
                other.write()
            assert refused.value.errno == errno.EAGAIN
            assert gdvar.loads(path.read_bytes()) == {"hp": 1}
    with pytest.raises(ValueError, match="lock_wait"):
        gdvar.open_save(path, lock_wait=-1)
    with pytest.raises(ValueError, match="lock_wait"):
        gdvar.open_save(path, lock_wait=float("nan"))


def test_reading_waits_for_nobody(tmp_path: Path) -> None:
    path = tmp_path / "d.save"
    path.write_bytes(gdvar.dumps({"hp": 1}))
    # As a cell of a notebook that is run twice, and then changed.
    save = gdvar.open_save(path, lock_wait=0)
    again = gdvar.open_save(path, lock_wait=0)
    assert save.get("$.hp") == again.get("$.hp") == 1
    save.set("$.hp", 2)
    with pytest.raises(gdvar.FileError) as refused:
        gdvar.open_save(path, lock=True, lock_wait=0)
    assert refused.value.errno == errno.EAGAIN, "the first change locks"
    again.set("$.hp", 3)
    save.write()
    with pytest.raises(gdvar.FileError) as refused:
        again.write()
    assert refused.value.errno == errno.ESTALE
    assert gdvar.loads(path.read_bytes()) == {"hp": 2}


def count_up(path: Path) -> None:
    for _ in range(20):
        with gdvar.open_save(path, lock=True) as save:
            save.set("$.n", save.get("$.n") + 1)
            save.write()


def test_those_that_count_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "d.save"
    path.write_bytes(gdvar.dumps({"n": 0}))
    threads = [threading.Thread(target=count_up, args=(path,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert gdvar.loads(path.read_bytes()) == {"n": 60}


# ---- several values ----


def test_several_values() -> None:
    records = [{"players": [{"hp": 1}, {"hp": 2.5}]}, {"players": [{"hp": 3}]}, 7]
    save = gdvar.read_save(gdvar.make_save("records", records))
    assert save.find_all("$..hp") == [
        gdvar.Match("#0 $.players[0].hp", 1),
        gdvar.Match("#0 $.players[1].hp", 2.5),
        gdvar.Match("#1 $.players[0].hp", 3),
    ]
    assert save.get("#0 $.players[*].hp") == [1, 2.5]
    assert save.get("#* $.players[*].hp") == [1, 2.5, 3]
    assert save.find_all("#0 $.players[5:]") == []
    with pytest.raises(gdvar.MissingKeyError, match="at any depth"):
        save.find_all("$..mp")
    with pytest.raises(gdvar.PathError, match="retype=True") as refused:
        save.set_all("#* $.players[*].hp", "x")
    assert refused.value.path == "#0 $.players[0].hp"
    with pytest.raises(gdvar.MissingKeyError, match="3 records"):
        save.set_all("$.players[*].hp", 9)
    assert not save.changed
    assert save.set_all("#* $.players[*].hp", 9) == 3
    assert repr(save.get("#* $.players[*].hp")) == "[9, 9.0, 9]"
    assert save.set_all("#0 $.players[*].hp", "x", retype=True) == 2
    assert save.erase_all("#* $..hp") == 3
    assert list(save) == [{"players": [{}, {}]}, {"players": [{}]}, 7]
    with pytest.raises(gdvar.EncodeError, match=r"\$\.players\[\*\]\[0\]"):
        save.set_all("#0 $.players[*]", [object()], retype=True)
    with pytest.raises(gdvar.PathError):
        save.erase_all("#0 $[")
    with pytest.raises(TypeError):
        save.find_all(3)  # type: ignore[arg-type]


def test_changes_are_taken_back() -> None:
    packet = gdvar.dumps({"hp": 1, "bag": [1, 2]})
    save = gdvar.read_save(packet)
    assert not save.undo()
    save.keep_changes()
    save.set_all("$.bag[*]", 7)
    save[0] = {"hp": 3}
    with pytest.raises(gdvar.PathError):
        save.set("$.no", 1)
    changed = save.bytes()
    assert save.undo() and save[0] == {"hp": 1, "bag": [7, 7]}
    assert save.undo() and not save.undo()
    assert save.bytes() == packet and not save.changed
    assert save.redo() and save.redo() and not save.redo()
    assert save.bytes() == changed and save.changed


def test_what_saving_does_to_changes(tmp_path: Path) -> None:
    text = "data " * 10
    path = tmp_path / "a.save"
    path.write_bytes(gdvar.dumps({"data": text}))
    save = gdvar.open_save(path)
    save.keep_changes()
    save.set("$.data", text.upper())
    assert save.undo()
    # Nothing is left to be written, so others need not wait.
    with gdvar.open_save(path, lock_wait=0) as other:
        other.set("$.data", text.upper())
        other.write()
    assert save.redo()
    with pytest.raises(gdvar.FileError):
        save.write()
    save.close()
    save = gdvar.open_save(path)
    save.keep_changes()
    save.set("$.data", text)
    save.write()
    assert save.undo() and save.changed and save.redo() and not save.changed
    save.close()
    path.write_bytes(gdvar.dumps({"data": text, "md5": hashlib.md5(text.encode()).hexdigest()}))
    save = gdvar.open_save(path)
    save.keep_changes()
    save.set("$.data", text.upper())
    save.write(update_sums=True)
    # The values before have the old sum.
    assert not save.undo() and not save.changed
    assert save.bytes() == path.read_bytes()
    save.close()


def test_matches_are_bounded() -> None:
    deep: Any = "x" * 1000
    for _ in range(400):
        deep = ["y" * 2000, deep]
    save = gdvar.read_save(gdvar.dumps(deep))
    with pytest.raises(gdvar.LimitError, match="50 times"):
        save.find_all("$..[*]")
    assert len(save.find_all("$..[0]")) == 400


def test_defaults() -> None:
    save = gdvar.read_save(gdvar.dumps({"hp": 1, "bag": [1]}))
    assert save.get("$.hp", 5) == 1
    assert save.get("$.mp", 5) == 5
    assert save.get("$.mp", None) is None
    assert save.get("$.bag[3]", 0) == 0
    assert save.get("$.hp.x", 0) == 0
    assert save.get("$.mp[*]", ()) == ()
    with pytest.raises(gdvar.PathError):
        save.get("$[", 5)
    with pytest.raises(gdvar.MissingKeyError):
        save.get("$.mp")


def test_what_a_save_is_in_words(tmp_path: Path) -> None:
    path = tmp_path / "d.save"
    path.write_bytes(gdvar.dumps({"hp": 1}))
    save = gdvar.open_save(path)
    assert repr(save) == f"<gdvar.Save {str(path)!r}: godot-4.4 packet, 1 value>"
    save.set("$.hp", 2)
    assert repr(save).endswith("1 value, changed>")
    save.close()
    assert "closed" in repr(save)


# ---- why not ----


def test_a_text_is_refused_for_what_is_wrong_in_it(tmp_path: Path) -> None:
    path = tmp_path / "bad.cfg"
    path.write_bytes(b"[a]\nx=1\ny=oops(\n")
    for read_as in (None, "config"):
        with pytest.raises(gdvar.TextError, match=r"bad\.cfg: 3:3: ") as refused:
            gdvar.open_save(path, read_as=read_as)
        assert (refused.value.line, refused.value.column) == (3, 3)
        with pytest.raises(gdvar.TextError) as refused:
            gdvar.read_save(gdvar.wrap(path.read_bytes(), "gzip"), read_as=read_as)
        assert (refused.value.line, refused.value.column) == (3, 3)
    with pytest.raises(gdvar.TextError, match="1:9") as refused:
        gdvar.read_save(b'{"a": 1,', read_as="json")
    with pytest.raises(gdvar.LimitError):
        gdvar.read_save(b"[" * 5000 + b"]" * 5000, read_as="json")


def test_bytes_behind_a_value_are_not_its_last_part() -> None:
    with pytest.raises(gdvar.LimitError) as refused:
        gdvar.loads(gdvar.dumps([1, [2, {"z": 3}]]) + b"junk", strict=True)
    assert refused.value.path == "$"


def test_texts_inside_of_layers_have_a_limit_of_their_own() -> None:
    text = b'"' + b"x" * 5000 + b'"'
    packed = gdvar.wrap(b'{"a": ' + text + b"}", "gzip")
    for opening in (gdvar.read_save, gdvar.recover):
        with pytest.raises(gdvar.LimitError):
            opening(packed, max_text=4000)
    assert gdvar.read_save(packed, max_text=6000).get("$.a") == "x" * 5000
    assert gdvar.read_save(packed, max_bytes=8000, max_text=6000).stack == "gzip > json"


@needs_timers
def test_a_signal_ends_the_waiting(tmp_path: Path) -> None:
    path = tmp_path / "d.save"
    path.write_bytes(gdvar.dumps({"hp": 1}))

    def interrupt(*_: object) -> None:
        raise InterruptedError("enough")

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with gdvar.open_save(path, lock=True):
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with pytest.raises(InterruptedError, match="enough"):
                gdvar.open_save(path, lock=True, lock_wait=600)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# ---- where values stand ----


@each_save
def test_every_value_has_a_place_and_a_path(engine: EngineSaves, file: Path) -> None:
    with gdvar.open_save(file, lock=False, **engine.opening(file)) as save:
        content = save.content()
        for index, packet in enumerate(packets(save)):
            place = save.place(index)
            assert place is not None
            begin, end = place
            assert content[begin:end] == packet
            assert save.place(f"#{index} $") == place
            for at in range(begin, end):
                path = save.path_at(at)
                inside = save.place(path)
                assert inside is not None and begin <= inside[0] < inside[1] <= end
                # Only bytes of values inside it have other paths.
                assert at >= inside[1] or at >= inside[0] or save.path_at(inside[0]) == path


def test_places_in_texts() -> None:
    save = gdvar.read_save(b'{"a": [1, {"b": "x"}], "c": 2}')

    def text(path: str) -> bytes:
        place = save.place(path)
        assert place is not None
        return save.content()[slice(*place)]

    assert (text("$.a"), text("$.a[1].b"), text("$.c")) == (b'[1, {"b": "x"}]', b'"x"', b"2")
    paths = [save.path_at(i) for i in range(len(save.content()))]
    assert paths[0] == paths[-1] == "$"
    assert paths[1] == paths[6] == "$.a" and paths[7] == "$.a[0]"
    save.set("$.a[0]", 12345)
    assert text("$.c") == b"2" and b"12345" in save.content()
    with pytest.raises(gdvar.PathError, match="did you mean"):
        save.place("$.a[1].bb")
    with pytest.raises(IndexError):
        save.place(1)
    for outside in (-1, len(save.content()), 1 << 70):
        with pytest.raises(IndexError):
            save.path_at(outside)
    save.close()
    for ask in (save.content, lambda: save.place("$"), lambda: save.path_at(0)):
        with pytest.raises(ValueError, match="closed"):
            ask()


def test_a_change_takes_as_long_as_what_it_changes() -> None:
    players = [
        {"name": f"player {i}", "hp": i, "bag": [1, "sword"], "pos": [1.5, 2.5]}
        for i in range(6800)
    ]
    packet = gdvar.dumps({"version": 3, "players": players})
    text = json.dumps({"players": players}).encode()
    for data in (packet, text):
        save = gdvar.read_save(data)
        started = time.monotonic()
        for i in range(20_000):
            save.set(f"$.players[{i * 7 % 6800}].hp", i)
        # About 0.2 s; copying and reading the packet each time would take minutes.
        assert time.monotonic() - started < 10
        again = gdvar.read_save(save.bytes())
        assert again.get("$.players[1].hp") == save.get("$.players[1].hp")
        assert save.get(f"$.players[{19_999 * 7 % 6800}].hp") == 19_999
