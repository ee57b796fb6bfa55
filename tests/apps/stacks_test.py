#!/usr/bin/env python3
"""The stacks that games write (tests/data/stacks), as three engines wrote them: every row recognised, shown, changed and
written back by the command. docs/stacks.md is made of the same table.

Usage: stacks_test.py GDVAR SOURCE_DIR [--update]; --update writes docs/stacks.md anew.
"""
import concurrent.futures, json, sys

sys.path.append(sys.path[0] + "/../support")
from command import ROOT, check, expect, finish, generated, new_folder, run, tells

DATA = ROOT / "tests/data/stacks"
ROWS = json.loads((DATA / "stacks.json").read_text())
ENGINES = {"godot-3.2.3": ("gdec-3", "godot-3.1"), "godot-3.6.2": ("gdec-3", "godot-3.1"), "godot-4.6.3": ("gdec-4", "godot-4.4")}


def lines(out):
    return out.decode().splitlines()


def try_conversion(engine, row, data, folder):
    """For an engine of the other family: its GDEC, its packets, also around a value, and the same values."""
    four = ENGINES[engine][0] == "gdec-4"
    gdec, dialect = ENGINES["godot-3.2.3" if four else "godot-4.6.3"]
    what = f"{engine}: {row['name']} converted"
    save, new = folder / "game.save", folder / "new.save"
    save.write_bytes(data)
    secret = "key" if row["open"] == "key" else "password"
    how = [f"--{secret}-file", folder / secret]
    for option in ("inside", "as"):
        if option in row:
            how += [f"--{option}", row[option]]
    code, out, err = run("convert", "--lossy", "--to", dialect, *how, save, "-o", new)
    old, now = ENGINES[engine][0], gdec
    expected = f"note: {old} became {now}, which {dialect}'s engines read; --container keep keeps it\n"
    check(f"{what}", code == 0 and (expected in err) == ("{gdec}" in row["stack"]), (code, err))
    around = row["stack"].rpartition(" > ")[0].count("{dialect}")
    expect(f"{what}: documents around", err.count("around the value became " + dialect), around)
    stack = row["stack"].replace("{gdec}", gdec).replace("{dialect}", dialect)
    code, out, err = run("check", *how, new)
    check(f"{what}: its stack", f"stack: {stack}\n" in out.decode(), (code, lines(out)[:4], err))
    expect(f"{what}: its value", run("get", *how, new, row["path"])[1].decode(), '"Ada"\n' if row["path"].endswith("name") else "7\n")
    if "{gdec}" in row["stack"]:
        code, out, err = run("convert", "--lossy", "--container", "keep", "--to", dialect, *how, save, "-o", new)
        check(f"{what}, keep", code == 0 and f"engines read {gdec}; see --container\n" in err, (code, err))
        check(f"{what}, keep: its GDEC", old in run("check", *how, new)[1].decode())


def shown(stack, out):
    """show prints the stack if there is a layer."""
    return lines(out)[0] == f"stack: {stack}" or " > " not in stack and not out.startswith(b"stack: ")


def try_row(engine, row, data, folder):
    gdec, dialect = ENGINES[engine]
    stack = row["stack"].replace("{gdec}", gdec).replace("{dialect}", dialect)
    what = f"{engine}: {row['name']}"
    save, old = folder / "game.save", folder / "old.save"
    save.write_bytes(data)
    how = ["--no-passwords"]
    if gdec in stack:
        secret = "key" if row["open"] == "key" else "password"
        how = [f"--{secret}-file", folder / secret]
    for option in ("inside", "as"):
        if option in row:
            how += [f"--{option}", row[option]]

    path = row["path"]
    before = '"Ada"' if path.endswith("name") else "7"
    code, out, err = run("check", *how, save)
    check(f"{what}: check", code == 0 and f"stack: {stack}\n" in out.decode(), (code, lines(out)[:4], err))
    code, out, err = run("show", *how, save)
    check(f"{what}: show", code == 0 and shown(stack, out), (code, out[:200], err))
    after = json.dumps(row["to"], ensure_ascii=False) if "to" in row else "8"
    if "to" not in row:
        code, out, err = run("set", *how, save, path, after)
        check(f"{what}: it is only read", code == 1 and save.read_bytes() == data, (code, err))
        return
    code, out, err = run("set", *how, save, path, before)
    check(f"{what}: the same again", code == 0 and save.read_bytes() == data and "nothing was written" in err, (code, err))
    code, out, err = run("set", *how, "--backup", old, save, path, after)
    check(f"{what}: set", code == 0 and save.read_bytes() != data, (code, err))
    expect(f"{what}: the old file is kept", old.read_bytes(), data)
    code, out, err = run("diff", *how, old, save)
    expect(f"{what}: diff", (code, out.decode(), err), (4, f"~ {path}: {before} -> {after}\n", ""))
    code, out, err = run("show", *how, save)
    check(f"{what}: the same stack", code == 0 and shown(stack, out), (code, out[:200], err))
    tells(f"{what}: del", run("del", *how, save, path), 0)


# ---- docs/stacks.md
STEPS = {"json": "JSON.stringify({})", "text": "var_to_str({})", "bytes": "var_to_bytes({})", "utf8": "{}.to_utf8_buffer()",
         "gzip": "{}.compress(GZIP)", "zlib": "{}.compress(DEFLATE)", "zstd": "{}.compress(ZSTD)", "hex": "{}.hex_encode()",
         "base64": "raw_to_base64({})", "base64-variant": "variant_to_base64({})", "data": '{{"data": {}}}',
         "file-pass-string": "an encrypted file that holds {}, as bytes", "file-zstd-var": "a file by open_compressed(ZSTD) that holds {}, as bytes",
         "config-text": "a ConfigFile's text of {}", "brotli": "{} in Brotli", "deflate": "{} in raw deflate"}
OPENED = {"plain": "open", "pass": "open_encrypted_with_pass", "key": "open_encrypted"}
CONFIG = {"plain": "ConfigFile.save", "pass": "ConfigFile.save_encrypted_pass", "key": "ConfigFile.save_encrypted"}


def in_script(row):
    """What a script writes, in Godot 4's names."""
    *steps, last = row["how"]
    if last == "config":
        return CONFIG[row["open"]]
    if last in ("tres", "res"):
        return f"ResourceSaver.save, .{last}"
    held = "x"
    for step in steps:
        if step != "several":
            held = STEPS[step].format(held)
    store = {"string": "store_string", "line": "store_line", "pascal": "store_pascal_string", "var": "store_var", "buffer": "store_buffer"}[last]
    opened = OPENED.get(row["open"]) or f"open_compressed, {row['open'][5:]}"
    return f"{opened}: {store}({held})" + (", several times" if "several" in steps else "")


def page():
    out = """# Stacks that games write

This page lists saves by what a script does to write them, and how gdvar names them (`gdvar check`). Each row is a test: the files are written by Godot
3.2.3, 3.6.2 and 4.6.3, opened, shown, changed and written back by the library and the command, and loaded again by the engine that wrote them.
Raw deflate and Brotli no engine writes; 4.6.3 loads Brotli. The names of functions are those of Godot 4; `gdec` stands for `gdec-4` in Godot 4's saves and `gdec-3` in Godot 3's, `x` for the values. This page
is made of `tests/data/stacks/stacks.json`.

| a script writes | the stack | a path | needs |
|---|---|---|---|
"""
    for row in ROWS:
        stack = row["stack"].replace("{gdec}", "gdec").replace("{dialect} ", "")
        needs = [f"`--inside '{row['inside']}'`"] if "inside" in row else []
        if "as" in row:
            needs.append(f"`--as {row['as']}`")
        if row["open"] in ("pass", "key") or "gdec" in stack:
            needs.append("the key" if row["open"] == "key" else "the password")
        if "to" not in row:
            needs.append("is only read")
        out += f"| `{in_script(row)}` | `{stack}` | `{row['path']}` | {', '.join(needs)} |\n"
    return out


def try_all(engine, row, data, folder):
    folder.mkdir(parents=True)
    (folder / "password").write_text("correct horse\n")
    (folder / "key").write_text(bytes(i * 7 % 256 for i in range(32)).hex() + "\n")
    try_row(engine, row, data, folder)
    if "{gdec}" in row["stack"] or "inside" in row or row["stack"].count("{dialect}") > 1:
        try_conversion(engine, row, data, folder)


def saves_of(engine):
    lines = map(json.loads, (DATA / (engine + ".ndjson")).read_text().splitlines())
    return {line["name"]: bytes.fromhex(line["bytes"]) for line in lines}


generated(ROOT / "docs/stacks.md", page())
folder, tried = new_folder(), {}
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    for engine in ENGINES:
        saves = saves_of(engine)
        expect(f"{engine}: saves", list(saves), [row["name"] for row in ROWS])
        for row in ROWS:
            # Both engines of Godot 3 write most saves alike.
            name = row["name"]
            if (name, saves[name]) not in tried:
                tried[name, saves[name]] = pool.submit(try_all, engine, row, saves[name], folder / engine / name)
for each in tried.values():
    each.result()
finish()
