#!/usr/bin/env python3
"""scripts/engines record stacks [GDVAR]: records the saves of tests/data/stacks/stacks.json anew, with the engines that are here.

GDVAR is the command, build/release/gdvar if none is named. It makes the layers that no engine writes (Brotli, bare deflate). The engines are those of the live
tests: godot3-server (3.2.3) on the PATH; 3.6.2 and 4.6.3 as scripts/engines installs them, which takes root.
"""
import json, os, pathlib, shutil, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data/stacks"
PASSWORD = "correct horse"  # as in tests/recorders/stacks3.gd


def engines():
    """Name, root of its file system, script and command of each engine that is here."""
    if shutil.which("godot3-server"):
        yield "godot-3.2.3", pathlib.Path("/"), "stacks3.gd", ["godot3-server", "--no-window"]
    root = pathlib.Path(subprocess.run([ROOT / "scripts/engines", "--path"], capture_output=True, text=True).stdout.strip() or "/none")
    if root.is_dir() and os.geteuid() == 0:
        yield "godot-3.6.2", root, "stacks3.gd", ["chroot", str(root), "godot3-server", "--no-window"]
        yield "godot-4.6.3", root, "stacks4.gd", ["chroot", str(root), "godot", "--headless"]


def by_gdvar(gdvar, row, made, folder, four):
    (folder / "pass").write_text(PASSWORD + "\n")
    layers = row["by_gdvar"].replace("{gdec}", "gdec-4" if four else "gdec-3")
    done = subprocess.run([gdvar, "wrap", "--container", layers, "--password-file", folder / "pass"],
                          input=bytes.fromhex(made[row["of"]]), capture_output=True, check=True)
    return done.stdout.hex()


def record(gdvar, rows, name, root, script, command):
    with tempfile.TemporaryDirectory(dir=root / "tmp") as folder:
        folder = pathlib.Path(folder)
        (folder / "project.godot").touch()
        shutil.copy(DATA / "stacks.json", folder)
        shutil.copy(ROOT / "tests/recorders" / script, folder)
        seen = "/" + str(folder.relative_to(root))
        four = name.startswith("godot-4")
        subprocess.run([*command, "--path", seen, "-s", script, *(["--"] if four else []), "make", seen + "/"],
                       capture_output=True, timeout=120, env={**os.environ, "HOME": seen})
        made = {}
        for line in (folder / "made.ndjson").read_text().splitlines():
            line = json.loads(line)
            made[line["name"]] = line["bytes"]
        for row in rows:
            if "by_gdvar" in row:
                made[row["name"]] = by_gdvar(gdvar, row, made, folder, four)
    with open(DATA / (name + ".ndjson"), "w") as out:
        for row in rows:
            out.write(json.dumps({"name": row["name"], "bytes": made[row["name"]]}) + "\n")
    print(f"{name}: {len(rows)} saves")


def main():
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    gdvar = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/gdvar").resolve()
    rows = json.loads((DATA / "stacks.json").read_text())
    for engine in engines():
        record(str(gdvar), rows, *engine)


main()
