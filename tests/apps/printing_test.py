#!/usr/bin/env python3
"""Values printed as what they are, and what is said of those that can't be: usage GDVAR."""
import pathlib, struct, subprocess, sys, tempfile

gdvar = sys.argv[1]
failures = []


def run(*words, stdin=b"", cwd=None):
    done = subprocess.run([gdvar, *map(str, words)], input=stdin, capture_output=True, cwd=cwd, timeout=120)
    return done.returncode, done.stdout, done.stderr.decode()


def expect(what, got, wanted):
    if got != wanted:
        failures.append(f"{what}: got {got!r}, wanted {wanted!r}")


def words(*numbers):
    return b"".join(struct.pack("<I", number) for number in numbers)


# A patch says what godot-4.4 has no type for.
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    texts = {"a": '{"v": PackedVector2iArray(1, 2), "w": PackedVector4iArray(1, 2, 3, 4)}',
             "b": '{"v": PackedVector2iArray(1, 3), "w": PackedTypedArray[int]([1]), "x": PackedVector3iArray(7, 8, 9)}'}
    for name, text in texts.items():
        run("pack", "--full", "--dialect", "pandemonium", "-o", folder / name, stdin=text.encode())
    code, patch, err = run("diff", "--patch", "--dialect", "pandemonium", folder / "a", folder / "b")
    (folder / "patch").write_bytes(patch)
    expect("the patch has every value", (code, b"?" in patch), (4, False))
    run("patch", "--dialect", "pandemonium", folder / "a", folder / "patch", "-o", folder / "c")
    expect("the patch makes the other file", (folder / "c").read_bytes(), (folder / "b").read_bytes())

# A doubled byte order mark loses one, as in the engine.
marks = words(4, 7) + b"\xef\xbb\xbf\xef\xbb\xbfa\0"
for dialect in ("godot4", "godot3"):
    expect(f"byte order marks, {dialect}", run("text", "--dialect", dialect, stdin=marks)[1],
           '"\ufeffa"\n'.encode())

# What 3.2 prints is packed, and what would become another number refused.
expect("3.2's text", run("pack", "--dialect", "godot3", "--family", "3.2", "--output", "hex", stdin=b"Vector2( -inf, nan )")[1],
       b"05000000000080ff0000c07f\n")
for number in ("12345678901234567890", "1e400", "1e4294967297", "PackedByteArray(256)"):
    code, out, err = run("pack", stdin=number.encode())
    expect(f"{number} is refused", (code, out, "error[bad_number]" in err), (1, b"", True))
code, out, err = run("pack", "--input", "json", stdin=b'"f:1e400"')
expect("f:1e400 is refused", (code, out, "error[bad_number]" in err), (1, b"", True))

# Losses: one line for each kind, or for each value.
names = words(28, 1000) + (words(21, 1) + b"n\0\0\0") * 1000
for command in (["json", "--plain"], ["get", "--plain"]):
    path = ["-", "$"] if command[0] == "get" else []
    code, out, err = run(*command, *path, stdin=names)
    expect(f"{command} gathers", err, "<stdin>: StringName has no form of its own in JSON: 1000 values, the first at "
           "$[0], $[1] and $[2]\n")
    code, out, err = run(*command, "--verbose", *path, stdin=names)
    expect(f"{command} --verbose lists", err.count("StringName has no form"), 1000)

for failure in failures:
    print("FAILED", failure)
print(f"{len(failures)} failed")
sys.exit(bool(failures))
