"""Saves of all kinds, as the command and the library see them: stacks, texts, keys, patches."""

from __future__ import annotations

import base64
import errno
import hashlib
import json
import os
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from vectors import DATA, DIALECTS, EngineSaves, saves

import gdvar

COMMAND = shutil.which(str(Path(gdvar.__file__).parent / "_bin" / "gdvar"))
needs_command = pytest.mark.skipif(not COMMAND, reason="the command was not built")
EVERY = [(engine, file) for engine in saves() for file in engine.files]
IDS = [f"{engine.engine}-{file.name}" for engine, file in EVERY]
each_save = pytest.mark.parametrize(("engine", "file"), EVERY, ids=IDS)
RESOURCES = [
    file
    for file in sorted((DATA / "resources").glob("*/*.*"))
    if file.suffix in (".res", ".scn")
]


def command(*args: str | Path, status: int = 0) -> bytes:
    assert COMMAND
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    done = subprocess.run(
        [COMMAND, *map(str, args)], capture_output=True, env=environment, timeout=60, check=False
    )
    assert done.returncode == status, done.stderr
    return done.stdout


class Text(NamedTuple):
    """A ConfigFile or resource, written by an engine or odd, and what the engine read from it."""

    name: str
    kind: str
    dialect: str
    data: bytes
    sections: list[tuple[str, list[tuple[str, str]]]]
    """Of a ConfigFile: each value as the engine stores it."""
    by_engine: bool


def texts() -> Iterator[Text]:
    for engine in ("godot-4.6.3", "godot-3.6.2", "godot-3.2.3"):
        with open(DATA / "texts" / f"{engine}.ndjson", encoding="utf-8") as lines:
            for number, row in enumerate(map(json.loads, lines)):
                config = row["k"] == "config"
                yield Text(
                    f"{engine}:{number + 1}",
                    "config" if config else "resource",
                    DIALECTS[engine],
                    row["t"].encode() if "t" in row else bytes.fromhex(row["h"]),
                    row["v"] if config and row["e"] == 0 else [],
                    row.get("s", False),
                )


# ---- what a save is ----


@needs_command
@each_save
def test_the_stack_is_that_of_the_command(
    engine: EngineSaves, file: Path, tmp_path: Path
) -> None:
    options = engine.opening(file)
    args: list[str | Path] = ["check", file]
    for name, secret in options.items():
        (tmp_path / "secret").write_bytes(secret.encode() if name == "password" else secret)
        args += [f"--{name}-file", tmp_path / "secret"]
    save = gdvar.open_save(file, readings=True, **options)
    told = command(*args).decode()
    if save.dialect in told:  # the command guesses from more, but where both say the same
        assert f"{file}: stack: {save.stack}\n" in told
    reasons = [line for line in told.splitlines() if line.startswith("  ")]
    for found in save.findings:
        name = "gdec" if found.name.startswith("gdec") else found.name.split("-")[0]
        assert any(line.startswith(f"  {name}") and found.reason in line for line in reasons)
    assert save.stack.endswith(f"{save.dialect} {save.kind.name}")
    assert tuple(each.name for each in save.findings if each.layer is not None) == save.layers
    assert [each.layer for each in save.findings] == [*range(len(save.layers)), None]
    save.close()


def test_kinds() -> None:
    kinds = gdvar.save_kinds()
    assert [kind.name for kind in kinds] == [
        "packet", "packets", "records", "records-be", "project", "resource", "json", "json-lines",
        "config", "text", "binary-resource",
    ]  # fmt: skip
    assert {kind.name for kind in kinds if kind.several} == {
        "packets", "records", "records-be", "project", "json-lines",
    }  # fmt: skip
    assert [kind.name for kind in kinds if kind.named] == ["project"]
    assert [kind.name for kind in kinds if kind.only_read] == ["binary-resource"]
    assert all(kind.made == (kind.text or kind.only_read) for kind in kinds)


def test_code_is_named() -> None:
    text = (
        b'[gd_resource type="Resource" format=3]\n\n[sub_resource type="GDScript" id="1"]\n'
        b'script/source = ""\n\n[resource]\nscript = SubResource("1")\n'
    )
    code = gdvar.read_save(text).code()
    assert code.total == 2 and [tuple(place) for place in code.places] == [
        ("embedded_script", '$.sub["1"]', "GDScript"),
        ("loaded_script", "$.resource.script", 'SubResource("1")'),
    ]
    first = gdvar.read_save(text).code(most=1)
    assert isinstance(first, gdvar.Code) and first.total == 2
    assert [place.path for place in first.places] == ['$.sub["1"]']
    assert isinstance(first.places[0], gdvar.FoundCode)
    # Objects are looked at even where they are refused.
    node = gdvar.dumps([gdvar.Object("Node", {"name": "a"})], objects=True)
    assert gdvar.read_save(node).code().places == [("made_object", "$[0]", "Node")]
    harmless = gdvar.dumps(gdvar.Object("InputEventKey", {"device": 0}), objects=True)
    for data in (harmless, b"[a]\nx=1\n", b'{"script": "res://a.gd"}', gdvar.dumps(5)):
        assert gdvar.read_save(data).code() == ([], 0)
    save = gdvar.read_save(text)
    with pytest.raises((TypeError, ValueError, OverflowError)):
        save.code(most=-1)


def test_what_can_not_be_opened_is_identified() -> None:
    secret = gdvar.wrap(b"{}", "gzip gdec-3", password="x")
    found = gdvar.identify(secret)
    assert found.stack == "gzip > gdec" and isinstance(found.error, gdvar.SaveError)
    assert found.error.code == "bad_key"
    assert [each.name for each in found.findings] == ["gzip", "gdec"]
    assert gdvar.identify(secret, password="x").stack == "gzip > gdec-3 > json"
    wrong = gdvar.identify(secret, password="y")
    assert wrong.error and wrong.error.code == "bad_checksum"
    assert gdvar.identify(b"plain words").findings[-1].name == "foreign"
    nothing = gdvar.identify(b"")
    assert nothing.error is None and nothing.findings[-1].name == "unknown"
    missing = gdvar.identify(b'{"a": 1}', inside="$.b")
    assert missing.error and missing.error.code == "missing_key"
    with pytest.raises(gdvar.SaveError):
        gdvar.identify(b"{}", read_as="tar")
    ruled_out = {each.name for each in gdvar.identify(b"[a]\nb=1\n").findings[0].ruled_out}
    assert {"resource", "json", "json-lines", "text"} <= ruled_out


# ---- texts of the engines ----


def test_texts_of_the_engines() -> None:
    """Read, changed by a new section, changed back: byte for byte."""
    read = refused = closed = 0
    for text in texts():
        try:
            save = gdvar.read_save(text.data, dialect=text.dialect, read_as=text.kind)
        except gdvar.Error:
            refused += 1  # as the engine does: tests/file compares them
            continue
        read += 1
        assert save.kind.name == text.kind and save.bytes() == text.data and len(save) == 1
        before = save.packet(0)
        if text.kind == "config":
            try:
                save.set('$["added by gdvar"]', {"x": 1}, create=True)
            except gdvar.EncodeError as error:
                # An odd end, behind which engines read no section.
                assert error.code == "not_in_dialect" and save.bytes() == text.data
                closed += 1
                continue
            assert save.get('$["added by gdvar"].x') == 1
            again = gdvar.read_save(save.bytes(), dialect=text.dialect, read_as=text.kind)
            again.erase('$["added by gdvar"]')
            assert again.packet(0) == before, text.name
            save.erase('$["added by gdvar"]')
            assert save.bytes() == text.data, text.name
    assert read > 1500 and refused < 700 and closed < 100, (read, refused, closed)


def test_config_files_have_the_values_of_the_engine() -> None:
    values = 0
    for text in texts():
        if not (text.by_engine and text.sections):
            continue
        save = gdvar.read_save(text.data, dialect=text.dialect, read_as="config")
        for section, pairs in text.sections:
            if not section.isascii():
                continue  # Godot 3.2.3 reads the bytes of a section's name as characters
            for key, packet in pairs:
                at = f"$[{gdvar.to_text_full(section)}][{gdvar.to_text_full(key)}]"
                theirs = gdvar.loads(bytes.fromhex(packet), dialect=text.dialect, objects=True)
                ours = save.get(at)
                # Without full Objects, the engine's packets have no classes of typed Arrays.
                assert repr(ours) == repr(theirs) or ours == theirs, (text.name, at)
                values += 1
    assert values > 850, values


@needs_command
def test_texts_have_the_values_that_the_command_shows(tmp_path: Path) -> None:
    """A few of each engine: the whole value, as typed JSON."""
    seen = 0
    for number, text in enumerate(texts()):
        if number % 97:
            continue
        path = tmp_path / str(number)
        path.write_bytes(text.data)
        try:
            save = gdvar.open_save(path, dialect=text.dialect, read_as=text.kind)
        except (gdvar.Error, ValueError):
            continue
        told = command("json", "--as", text.kind, "--dialect", text.dialect, path)
        theirs = gdvar.from_json(told.decode(), dialect=save.dialect, objects=True)
        assert repr(theirs) == repr(save[0]), text.name
        save.close()
        seen += 1
    assert seen > 8


@pytest.mark.parametrize("file", RESOURCES, ids=lambda f: f"{f.parent.name}-{f.name}")
def test_binary_resources_are_read_only(file: Path) -> None:
    save = gdvar.open_save(file)
    assert save.kind.name == "binary-resource" and save.kind.only_read
    assert save.get("$.header.type")
    with pytest.raises(gdvar.Error, match="read, but not written"):
        save.bytes()
    with pytest.raises(gdvar.Error):
        save.set("$.header.type", "Other")
    with pytest.raises(gdvar.Error):
        save.convert("godot4", losses=[])
    assert not save.changed
    save.close()


CONFIG = b"; mine\r\n[audio]\r\nvolume = 0.80 ; loud\r\nmuted=false\r\n"


def test_only_the_text_of_a_value_changes(tmp_path: Path) -> None:
    path = tmp_path / "settings.cfg"
    path.write_bytes(CONFIG)
    with gdvar.open_save(path) as save:
        save.set("$.audio.volume", 0.8)
        save.write()
        assert path.read_bytes() == CONFIG
        save.set("$.audio.volume", 1)
        save.rename("$.audio.muted", "quiet")
        save.write(backup=tmp_path / "old")
    assert (tmp_path / "old").read_bytes() == CONFIG
    assert path.read_bytes() == CONFIG.replace(b"0.80", b"1.0").replace(b"muted", b"quiet")


def test_lines_come_and_go() -> None:
    save = gdvar.read_save(b'{ "a": 1 }\n{"a":  2}\n')
    save.append({"a": 3})
    save.insert(1, "x")
    del save[0]
    assert save.bytes() == b'"x"\n{"a":  2}\n{"a":3}\n'
    with pytest.raises(gdvar.Error, match="no row of records"):
        gdvar.read_save(b'{"a": 1}').append(1)


def test_what_a_text_can_not_hold_is_refused() -> None:
    save = gdvar.read_save(b'{"a": 1}')
    with pytest.raises(gdvar.EncodeError) as refused:
        save.set("$.a", gdvar.Vector2(1, 2), retype=True)
    assert refused.value.code == "not_in_dialect"
    with pytest.raises(gdvar.PathError):
        save.rename("$.b", "c")
    with pytest.raises(gdvar.Error):
        save.rename("$.a", gdvar.Vector2(1, 2))
    with pytest.raises(TypeError):
        save.rename(5, "c")  # type: ignore[arg-type]
    assert save.bytes() == b'{"a": 1}' and not save.changed


def test_objects_in_texts_are_data() -> None:
    data = b'[a]\nnode=Object(Node,"name":"x")\n'
    save = gdvar.read_save(data)
    assert save.get("$.a.node") == gdvar.Object("Node", {"name": "x"})
    assert save[0]["a"]["node"].class_name == "Node"
    save.set("$.a.node.name", "y")
    save.set("$.a.other", gdvar.Object("Node", {"n": 1}), create=True)
    assert save.bytes() == (
        b'[a]\nnode=Object(Node,"name":"y")\nother=Object(Node,"n":1)\n'
    )
    resource = gdvar.read_save(
        b'[gd_resource type="Gradient" format=3]\n\n[resource]\ncolors = PackedColorArray()\n'
    )
    assert resource.get("$.resource").class_name == "Gradient"
    packet = gdvar.read_save(gdvar.dumps([gdvar.Object("Node", {})], objects=True))
    with pytest.raises(gdvar.LimitError):
        packet.get("$[0]")


# ---- options of opening ----


def test_keys_are_tried_one_after_the_other() -> None:
    key = bytes(range(32))
    inner = gdvar.make_save("records", [1, "two"])
    outer = gdvar.wrap(gdvar.wrap(inner, "gdec-4", password="p"), "gdec-3", key=key)
    keys: dict[str, str | bytes] = {"old": "o", "inner": "p", "outer": key}
    save = gdvar.read_save(outer, keys=keys)
    assert (save.opened_with, save.stack) == (
        ("outer", "inner"),
        f"gdec-3 > gdec-4 > {save.dialect} records",
    )
    save[0] = 3
    again = gdvar.read_save(save.bytes(), keys={"k": key.hex().encode(), "p": "p"})
    assert list(again) == [3, "two"] and again.opened_with == ("k", "p")
    assert gdvar.unwrap(save.bytes(), keys=keys).layers == ("gdec-3", "gdec-4")
    assert gdvar.read_save(inner, keys=keys).opened_with == ()
    with pytest.raises(gdvar.SaveError) as none:
        gdvar.read_save(outer, keys={"old": "o"})
    assert none.value.code == "bad_checksum"
    wrong: list[Any] = [{"k": b"short"}, {"k": ""}, {1: "x"}, {"k": 5}, 5, "text", {"k": b""}]
    for each in wrong:
        with pytest.raises((gdvar.SaveError, TypeError, ValueError)):
            gdvar.read_save(outer, keys=each)


def test_sums_beside_the_data(tmp_path: Path) -> None:
    packet = gdvar.dumps({"hp": 100, "name": "Ada"})
    data = base64.b64encode(packet).decode()
    whole = json.dumps({"hash": hashlib.md5(packet).hexdigest(), "data": data}).encode()

    def opened() -> gdvar.Save:
        save = gdvar.read_save(whole, inside="$.data")
        assert save.stale_sums == []
        save.set("$.name", "A longer name")
        return save

    def is_right(made: bytes) -> bool:
        found = json.loads(made)
        return bool(found["hash"] == hashlib.md5(base64.b64decode(found["data"])).hexdigest())

    save = opened()
    with pytest.warns(gdvar.StaleSumWarning, match=r"^\$\.hash: .* was the MD5 of \$\.data out of base64"):
        assert not is_right(save.bytes())
    (sum,) = save.stale_sums
    assert (sum.path, sum.mended, len(sum.now)) == ("$.hash", False, 32)
    assert is_right(save.bytes(update_sums=True))
    assert save.stale_sums[0].mended
    file = tmp_path / "game.json"
    file.write_bytes(whole)
    with gdvar.open_save(file, inside="$.data") as other:
        other.set("$.name", "A longer name")
        other.write(update_sums=True)
    assert is_right(file.read_bytes())
    assert is_right(opened().convert("godot3", update_sums=True))
    # A size in front of a container is a layer.
    sized = len(packet).to_bytes(4, "little") + zlib.compress(packet)
    save = gdvar.read_save(sized)
    assert save.layers == ("unpacked-size-u32", "zlib")
    save.set("$.name", "A longer name")
    made = save.bytes()
    assert int.from_bytes(made[:4], "little") == len(zlib.decompress(made[4:]))
    skipped = gdvar.read_save(sized, skip=4)
    skipped.set("$.name", "A longer name")
    assert skipped.bytes(update_sums=True) == made


def test_values_that_hold_saves() -> None:
    inner = gdvar.wrap(gdvar.dumps({"hp": 1}), "gzip")
    outer = gdvar.make_save("records", [{"data": inner, "n": 1}, 2])
    save = gdvar.read_save(outer, inside="#0 $.data")
    assert save.layers == ("bytes", "gzip")
    assert save.stack == (
        f"{save.dialect} records > bytes at #0 $.data > gzip > {save.dialect} packet"
    )
    assert save.findings[1].at == "#0 $.data"
    save.set("$.hp", 2)
    back = gdvar.read_save(save.bytes())
    assert back[1] == 2 and back[0]["n"] == 1
    assert gdvar.read_save(bytes(back[0]["data"]))[0] == {"hp": 2}
    text = json.dumps(base64.b64encode(b'{"hp": 1}').decode()).encode()
    assert gdvar.read_save(text).stack == "json > string > base64 > json"
    with pytest.raises(gdvar.SaveError):
        gdvar.read_save(text, inside=False)
    deeper = json.dumps({"a": json.dumps({"b": "[x]\ny=1\n"})}).encode()
    paths = gdvar.read_save(deeper, inside=["$.a", "$.b"])
    assert paths.stack == "json > string at $.a > json > string at $.b > config"
    wrong: list[Any] = ["$.none", "$.[", ["$.a", 5], 5]
    for each in wrong:
        with pytest.raises((gdvar.Error, TypeError)):
            gdvar.read_save(deeper, inside=each)


def test_what_it_is_said_to_be() -> None:
    for layer in ("deflate", "brotli"):
        packed = gdvar.wrap(b'{"a": 1}', layer)
        assert gdvar.read_save(packed, read_as=layer).stack == f"{layer} > json"
        assert gdvar.unwrap(packed, read_as=layer) == (b'{"a": 1}', (layer,))
    assert gdvar.read_save(b"5", read_as="json")[0] == 5
    for wrong in ("tar", "string", "foreign", "unknown"):
        with pytest.raises(gdvar.SaveError) as refused:
            gdvar.read_save(b"5", read_as=wrong)
        assert refused.value.code == "bad_mode"
    with pytest.raises(TypeError):
        gdvar.read_save(b"5", read_as=5)  # type: ignore[arg-type]
    packed = gdvar.wrap(b"{}", "gzip gzip")
    with pytest.raises(gdvar.SaveError, match="layers"):
        gdvar.read_save(packed, max_layers=1)
    assert gdvar.unwrap(packed, max_layers=1).layers == ("gzip",)
    with pytest.raises((OverflowError, ValueError)):
        gdvar.read_save(packed, max_layers=-1)
    save = gdvar.read_save(b'abc{"a": 1}', skip=3)
    save.set("$.a", 2)
    assert save.bytes() == b'abc{"a": 2}'


def test_files_of_a_pack_are_only_read() -> None:
    pack = (DATA / "resources" / "godot-4.6.3" / "pack.pck").read_bytes()
    assert gdvar.identify(pack).stack == "pack"
    with pytest.raises(gdvar.SaveError, match="pack"):
        gdvar.read_save(pack)
    kinds = {kind.name for kind in gdvar.save_kinds()}
    opened = 0
    for number in range(100):
        found = gdvar.identify(pack, entries=f"#{number}")
        if found.error and found.error.code in ("index_out_of_range", "missing_key"):
            break
        if found.error or found.findings[-1].name not in kinds:
            continue  # removed by this pack; an image, a script
        save = gdvar.read_save(pack, entries=[f"#{number}"])
        again = gdvar.read_save(pack, entries=save.findings[0].at)
        assert again.only_read and again.stack == save.stack and again[0] == save[0]
        assert save.layers[0] == "pack" and save.stack.startswith("pack > ")
        with pytest.raises(gdvar.Error, match="only read"):
            save[0] = 1
        with pytest.raises(gdvar.Error):
            save.bytes()
        opened += 1
    assert opened > 1
    assert not gdvar.read_save(b"{}").only_read


def test_files_of_a_pack_are_listed(tmp_path: Path) -> None:
    file = DATA / "resources" / "godot-4.6.3" / "pack.pck"
    pack = file.read_bytes()
    listing = gdvar.list_entries(file)
    assert listing == gdvar.read_entries(pack) == gdvar.list_entries(str(file))
    assert listing == gdvar.read_entries(gdvar.wrap(pack, "gzip"))
    assert "Godot 4.6.3" in listing.description and listing.entries
    for number, entry in enumerate(listing.entries):
        assert not entry.hostile_name and entry.offset is not None and not entry.encrypted
        if entry.opens:
            content = pack[entry.offset : entry.offset + entry.size]
            assert gdvar.unwrap(content).data is not None
            assert entry.md5 == hashlib.md5(content).digest()
            found = gdvar.identify(pack, entries=f"#{number}")
            assert found.findings[0].at == entry.name
    for wrong in (b"{}", b"words", pack[:100]):
        with pytest.raises(gdvar.Error):
            gdvar.read_entries(wrong)
    with pytest.raises(gdvar.FileError) as refused:
        gdvar.list_entries(tmp_path / "none.pck")
    assert refused.value.errno == errno.ENOENT
    records = {
        name: {"timestamp": "2024", "mode": 33206, "contents": {"0": 65}}
        for name in ("/userfs/godot/a.save", "/userfs/../../etc/passwd", "/userfs/\x1b[2J")
    }
    exported = gdvar.read_entries(json.dumps(records).encode()).entries
    assert {each.name: each.hostile_name for each in exported} == {
        name: "godot" not in name for name in records
    }
    assert all(each.size == 1 and each.offset is None and each.md5 is None for each in exported)


def test_a_text_in_a_layer_has_a_limit() -> None:
    text = b'{"a": "' + b"x" * (33 << 20) + b'"}'
    small = gdvar.wrap(text, "gzip")
    for most in (None, 1 << 20):
        with pytest.raises(gdvar.Error) as error:
            gdvar.read_save(small, max_bytes=most)
        assert error.value.code == "size_limit"
    assert gdvar.read_save(small, max_bytes=64 << 20).stack == "gzip > json"
    assert gdvar.unwrap(small).data == text


# ---- whole saves ----


@each_save
def test_a_patch_makes_the_other_save(engine: EngineSaves, file: Path) -> None:
    options = engine.opening(file)
    save = gdvar.read_save(file.read_bytes(), **options)
    other = gdvar.read_save(file.read_bytes(), **options)
    assert save.diff(other) == [] and save.diff(save) == []
    other.set("#0 $.players[3].hp", 9999)
    if other.kind.several:
        other.append({"new": 1})
        del other[1]
    changes = save.diff(other)
    untouched = save.packet(len(save) - 1)
    save.patch(changes)
    assert [save.packet(i) for i in range(len(save))] == [
        other.packet(i) for i in range(len(other))
    ]
    assert save.kind.several is False or untouched in [save.packet(i) for i in range(len(save))]
    assert gdvar.read_save(save.bytes(), **options).diff(other) == []


def test_patches_of_settings_and_texts() -> None:
    old = gdvar.read_save(gdvar.make_save("project", {"a/b": 1, "c": {"x": 1}}))
    new = gdvar.read_save(gdvar.make_save("project", {"c": {"x": 2}, "d": 1}))
    changes = old.diff(new)
    old.patch(changes)
    assert old.bytes() == new.bytes() and old.names == ("c", "d")
    text = gdvar.read_save(CONFIG)
    with pytest.raises(gdvar.PatchError) as misfit:
        text.patch([{"set": ["audio", "volume"], "value": 1.0}, {"remove": ["none"]}])
    assert (misfit.value.change, misfit.value.path) == (1, "$.none")
    assert not text.changed and text.bytes() == CONFIG
    with pytest.raises(gdvar.PathError, match="one save holds records"):
        old.diff(text)
    with pytest.raises((gdvar.Error, TypeError)):
        text.patch(5)  # type: ignore[arg-type]
    text.patch(gdvar.dumps([{"set": ["audio", "volume"], "value": 1.5}]))
    assert text.bytes() == CONFIG.replace(b"0.80", b"1.5")


@needs_command
@pytest.mark.parametrize("target", ["godot-3.1", "godot-4.4"])
def test_conversions_are_those_of_the_command(target: str, tmp_path: Path) -> None:
    """Of each engine's plain saves and a few of its texts."""
    plain = [file for _, file in EVERY if file.stem.startswith("plain")]
    seen = lossy = 0
    for number, text in enumerate(texts()):
        if number % 61 == 0:
            plain.append(tmp_path / f"{number}.{text.kind}.{text.dialect}.text")
            plain[-1].write_bytes(text.data)
    plain.append(tmp_path / "lossy")
    plain[-1].write_bytes(gdvar.make_save("records", [[gdvar.StringName("x")], {"at": 1}]))
    for path in plain:
        options: dict[str, Any] = {}
        args: list[str] = []
        if path.suffix == ".text":
            kind, dialect = path.name.split(".", 2)[1], path.name.split(".", 2)[2][:-5]
            options = {"read_as": kind, "dialect": dialect}
            args = ["--as", kind, "--from", dialect]
        try:
            save = gdvar.open_save(path, lock=False, **options)
        except (gdvar.Error, ValueError):
            continue
        losses: list[gdvar.Loss] = []
        try:
            made = save.convert(target, losses=losses)
        except gdvar.Error:
            command("convert", "--to", target, "--lossy", *args, path, "-o", tmp_path / "out", status=1)
            continue
        if not args:
            args = ["--from", save.dialect]
        command("convert", "--to", target, "--lossy", *args, path, "-o", tmp_path / "out")
        assert (tmp_path / "out").read_bytes() == made, path
        if losses:
            lossy += 1
            with pytest.raises(gdvar.LossError) as lost:
                save.convert(target)
            assert lost.value.losses == losses
        seen += 1
    assert seen > 15 and lossy == (target == "godot-3.1"), (seen, lossy)


def test_conversions() -> None:
    save = gdvar.read_save(gdvar.make_save("records", [{"at": gdvar.StringName("x")}, 5]))
    with pytest.raises(gdvar.LossError) as lost:
        save.convert("godot3")
    loss = lost.value.losses[0]
    assert (loss.path, loss.what, loss.substitution) == (
        "#0 $.at",
        "StringName does not exist in godot-3.1",
        "becomes a String",
    )
    losses: list[gdvar.Loss] = []
    made = save.convert("godot3", layers=("gzip", "base64"), losses=losses)
    assert gdvar.read_save(made, dialect="godot3", read_as="base64").stack == "gzip > base64 > godot-3.1 records"
    assert losses == [loss] and save[0]["at"] == gdvar.StringName("x")
    secret = gdvar.read_save(gdvar.wrap(gdvar.dumps(5), "gdec-3", password="p"), password="p")
    assert gdvar.read_save(secret.convert("godot4", layers="gdec-4"), password="p")[0] == 5
    keyed = gdvar.read_save(gdvar.wrap(gdvar.dumps(5), "gdec-3", password="p"), keys={"k": "p"})
    assert gdvar.read_save(keyed.convert("godot4", layers="gdec-4 gzip"), password="p")[0] == 5
    for layers in ("tar", "gdec-4"):
        with pytest.raises(gdvar.SaveError):
            save.convert("godot3", layers=layers, losses=[])
    with pytest.raises(ValueError, match="dialect"):
        save.convert("godot-99")


def test_new_saves() -> None:
    values: dict[str, Any] = {
        "packet": {"a": 1},
        "records": [{"a": 1}, "x"],
        "records-be": [{"a": 1}, "x"],
        "project": {"a/b": 1, "c": gdvar.Vector2(1, 2)},
        "json": {"a": [1, 2.5, None]},
        "json-lines": [{"a": 1}, [2]],
        "config": {"audio": {"volume": 0.5, "at": gdvar.Vector2i(1, 2)}},
        "text": {"a": gdvar.Vector2(1, 2)},
    }
    for kind, value in values.items():
        made = gdvar.make_save(kind, value)
        save = gdvar.read_save(made, dialect="godot-4.4")
        assert save.kind.name == kind, made
        several = save.kind.several
        there = dict(save.items()) if save.kind.named else list(save) if several else save[0]
        assert there == value and save.bytes() == made
    for one in (gdvar.PackedStringArray(["a"]), gdvar.PackedInt32Array([1]), {"a": 1}, "a", gdvar.Vector2(1, 2)):
        with pytest.raises(TypeError, match="not one"):
            gdvar.make_save("records", one)
    node = gdvar.Object("Node", {"name": "x"})
    assert b"Object(Node" in gdvar.make_save("config", {"a": {"b": node}})
    with pytest.raises(gdvar.Error):
        gdvar.make_save("records", [node])
    assert gdvar.make_save("records", [node], objects=True)
    for kind in ("resource", "binary-resource"):
        with pytest.raises(gdvar.EncodeError):
            gdvar.make_save(kind, {})
    with pytest.raises(gdvar.SaveError):
        gdvar.make_save("tar", {})
    with pytest.raises(gdvar.EncodeError):
        gdvar.make_save("json", {"a": gdvar.Vector2(1, 2)})
    wrong: list[Any] = [("records", 5), ("project", [1]), ("project", {1: 2}), (5, {})]
    for kind, value in wrong:
        with pytest.raises(TypeError):
            gdvar.make_save(kind, value)


# ---- damaged saves ----


def test_a_damaged_save_in_a_value_is_opened_by_name() -> None:
    text = '{"hp": 1, "bag": [1, 2, 3]}'
    outer = gdvar.make_save("records", [{"data": text, "other": 1}])[:-12]
    assert gdvar.recover(outer).layers == ()
    assert gdvar.recover(outer, inside="$.data").layers == ("string",)
    alone = gdvar.dumps(text)
    assert gdvar.recover(alone).layers == ("string",)
    assert gdvar.recover(alone, inside=False).layers == ()


@needs_command
@each_save
def test_what_is_recovered_is_what_the_command_recovers(
    engine: EngineSaves, file: Path, tmp_path: Path
) -> None:
    options = engine.opening(file)
    data = file.read_bytes()
    damaged = data[: len(data) * 2 // 3]
    path = tmp_path / "damaged"
    path.write_bytes(damaged)
    args: list[str | Path] = ["recover", "--json", path, "-o", tmp_path / "sound"]
    for name, secret in options.items():
        (tmp_path / "secret").write_bytes(secret.encode() if name == "password" else secret)
        args += [f"--{name}-file", tmp_path / "secret"]
    if file.stem == "gcpf_zstd":  # of one block
        command(*args, status=1)
        with pytest.raises(gdvar.TruncatedError):
            gdvar.recover(damaged, **options)
        return
    told = json.loads(command(*args, status=4))
    found = gdvar.recover(damaged, **options)
    assert not found.sound and found.kind.name == told["document"]
    assert found.dialect == told["dialect"] and found.dialect_certain == told["dialect_certain"]
    assert list(found.layers) == [each["name"] for each in told["layers"]]
    assert list(found.notes) == [each["note"] for each in told["notes"]]
    for ours, theirs in zip(found.items, told["items"], strict=True):
        assert (ours.offset, len(ours.packet), ours.state) == (
            theirs["offset"],
            theirs["bytes"],
            theirs["state"],
        )
        assert (ours.found_again, ours.doubtful) == (theirs["found_again"], theirs["doubtful"])
        assert ours.at == theirs.get("at", "")
        assert (ours.error.code if ours.error else None) == theirs.get("error")
    lost = [each for each in found.lost if each.layer is None]
    damage = [each for each in found.lost if each.layer is not None]
    for ours_lost, theirs in zip(lost + damage, told["lost"] + told["damage"], strict=True):
        assert (ours_lost.begin, ours_lost.end, ours_lost.code, ours_lost.reason) == (
            theirs["begin"],
            theirs["end"],
            theirs["error"],
            theirs["reason"],
        )
        assert (ours_lost.at, ours_lost.line) == (theirs.get("at", ""), theirs.get("line", 0))
        assert (ours_lost.layer, ours_lost.doubtful) == (
            theirs.get("layer"),
            theirs.get("doubtful", False),
        )
    sound = gdvar.read_save(found.data, **options, objects=True)
    assert [sound.packet(i) for i in range(len(sound))] == [each.packet for each in found.items]
    if "gdec-4" not in found.layers:
        assert (tmp_path / "sound").read_bytes() == found.data


@each_save
def test_a_sound_save_is_recovered_whole(engine: EngineSaves, file: Path) -> None:
    found = gdvar.recover(file.read_bytes(), **engine.opening(file))
    assert found.sound and found.lost == () and all(e.state == "whole" for e in found.items)
    bare = gdvar.recover(file.read_bytes(), layers="", **engine.opening(file))
    assert bare.items == found.items and gdvar.read_save(bare.data).layers == ()


def test_options_of_recover() -> None:
    whole = gdvar.make_save("records", [{"a": [1, 2]}] * 2)
    assert [e.state for e in gdvar.recover(whole[:-4]).items] == ["whole", "partial"]
    assert [e.state for e in gdvar.recover(whole[:-4], partial=False).items] == ["whole"]
    keyed = gdvar.wrap(whole, "gdec-4", password="p")
    found = gdvar.recover(keyed[:-16], keys={"no": "q", "yes": "p"}, layers="gzip")
    assert gdvar.read_save(found.data).layers == ("gzip",) and found.layers == ("gdec-4",)
    again = gdvar.recover(keyed[:-16], keys={"no": "q", "yes": "p"}, layers="gdec-3")
    assert gdvar.read_save(again.data, password="p").layers == ("gdec-3",)
    for data in (b"", b"nothing", os.urandom(300)):
        with pytest.raises(gdvar.SaveError):
            gdvar.recover(data)
    with pytest.raises(gdvar.SaveError) as refused:
        gdvar.recover(whole, layers="gdec-4")
    assert refused.value.code == "bad_key"
    with pytest.raises(TypeError):
        gdvar.recover("text")  # type: ignore[arg-type]


def test_a_closed_save_says_nothing() -> None:
    save = gdvar.read_save(b"{}")
    other = gdvar.read_save(b"{}")
    other.close()
    with pytest.raises(ValueError, match="closed"):
        save.diff(other)
    save.close()
    uses: list[Any] = [
        lambda: save.kind,
        lambda: save.stack,
        lambda: save.findings,
        lambda: save.code(),
        lambda: save.convert("godot4"),
        lambda: save.patch([]),
        lambda: save.rename("$.a", "b"),
    ]
    for use in uses:
        with pytest.raises(ValueError, match="closed"):
            use()
