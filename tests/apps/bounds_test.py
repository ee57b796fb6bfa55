#!/usr/bin/env python3
"""Endless or oversized inputs: --max-bytes holds for pipes, devices and containers, in every command."""
import gzip, json, sys, zlib

sys.path.append(sys.path[0] + "/../support")
import worst_case_inputs
from by_hand import u32
from command import check, finish, measured, new_folder, put

mib = 1 << 20


def array(size):
    return u32(29, size) + b"\0" * (size + -size % 4)


def bomb(size, framed=False, block=65536):
    """Makes a GCPF file: an array of `size` zeros in Deflate. The array is never whole in memory, since the peak
    memory of children counts from that of this process."""
    head = (u32(size + 8) if framed else b"") + u32(29, size)
    total, zeros = len(head) + size, zlib.compress(b"\0" * block, 9)
    blocks = [zlib.compress(head.ljust(block, b"\0"))] + [zeros] * (total // block - 1) + [zlib.compress(b"\0" * (total % block))]
    return b"GCPF" + u32(1, block, total, *map(len, blocks)) + b"".join(blocks) + b"GCPF"


folder = new_folder()
small = ["--max-bytes", "1MB"]
for what in (["show"], ["text"], ["json"], ["annotate"], ["check"], ["stats"], ["convert", "--to", "godot4"],
             ["pack"], ["wrap", "--container", "gcpf-zstd"], ["unwrap"], ["unwrap", "--raw", "gzip"]):
    for file in ("/dev/zero", "-"):
        code, out, err, memory = measured(*what, *small, "-o", folder / "out", file, stdin=b"\0" * 3 * mib if file == "-" else b"")
        check(f"{' '.join(what)} {file}", code == 1 and "size_limit" in err and "--max-bytes" in err, (code, err))
        check(f"memory of {' '.join(what)} {file}", memory < 64 * mib, memory)
for words in (["diff", folder / "one", "/dev/zero"], ["patch", folder / "one", "/dev/zero"], ["get", "/dev/zero", "$"]):
    put("one", array(4))
    code, out, err, memory = measured(*words, *small)
    check(f"{words[0]} /dev/zero", code == 1 and "size_limit" in err, (code, err))
check("nothing is left", sorted(p.name for p in folder.iterdir()) == ["one"], list(folder.iterdir()))
code, out, err, memory = measured("get", *small, "-", "$[0]", stdin=array(mib // 2))
check("what fits is read", (code, out) == (0, b"0\n"), err)
# Only one pair of equal keys is held at a time, even if it takes much more memory than its text.
for name in ("equal array keys", "equal deep keys", "equal keys of nests"):
    put("one", worst_case_inputs.texts[name](2 * mib))
    code, out, err, memory = measured("pack", "-o", folder / "two", folder / "one")
    check(f"pack of {name}", code == 0 and memory < 48 * mib, (code, memory, err))
# Each path holds all the names before it, so 8 MB have room for only some paths.
for name in ("long path", "long path to pairs", "equal keys on a long path"):
    put("one", worst_case_inputs.packets[name](64 << 10))
    code, out, err, memory = measured("stats", "--json", folder / "one")
    report = json.loads(out)
    check(f"stats --json of {name}", code == 0 and 6 * mib < len(out) <= 8 * mib and report["paths_left_out"],
          (code, len(out), err))

# A container that states a large size is refused before decompression.
large = bomb(300 * mib)
put("packet", large)
put("records", bomb(300 * mib, framed=True))
check("the bomb is small", len(large) < mib, len(large))
for name in ("packet", "records"):
    for words in (["set", folder / name, "$[5]", "7"], ["del", folder / name, "$[5]"], ["get", folder / name, "$[5]"],
                  ["unwrap", "--output", "hex", folder / name]):
        code, out, err, memory = measured(*words, "-o", folder / "out")
        check(f"{words[0]} of {name}", code == 1 and "size_limit" in err, (code, err))
        check(f"memory of {words[0]} of {name}", memory < 64 * mib, memory)
put("packet", bomb(8 * mib))
code, out, err, memory = measured("set", folder / "packet", "$[5]", "7", *small)
check("--max-bytes", code == 1 and "size_limit" in err, (code, err))
code, out, err, memory = measured("set", folder / "packet", "$[5]", "7", "--max-bytes", "9MB")
check("enough", code == 0, err)
check("memory", memory < 16 * 8 * mib, memory)
check("changed", measured("get", folder / "packet", "$[5]")[1] == b"7\n")

# Raw buffers.
code, out, err, _ = measured("unwrap", "--raw", "fastlz", stdin=b"\x02abc")
check("FastLZ asks for --size", code == 2 and "--size" in err, (code, err))
check("and takes it", measured("unwrap", "--raw", "fastlz", "--size", "3", stdin=b"\x02abc")[:2] == (0, b"abc"))
for mode in ("fastlz", "deflate", "zstd", "gzip"):
    check(f"an empty buffer, {mode}", measured("unwrap", "--raw", mode)[:2] == (0, b""))
    check(f"an empty buffer with a size, {mode}", measured("unwrap", "--raw", mode, "--size", "5")[:2] == (0, b""))
code, out, err, _ = measured("unwrap", "--raw", "gzip", "--size", "5", stdin=gzip.compress(b"abc" * 100))
check("more than --size", code == 1 and "--size 5" in err, (code, err))

# A text out of a container has a lower limit: reading it takes many times as much.
new_folder()
text = b'{"a": "' + b"x" * (40 * mib) + b'"}'
small, large = put("small.gz", gzip.compress(text, 1)), put("large.json", text)
words = "error[size_limit]: the text inside is larger than --max-bytes 33554432"
for command in (("stats",), ("stats", "--as", "json")):
    code, out, err, peak = measured(*command, small)
    check(f"{command} of a large text in gzip", code == 1 and words in err and peak < 4 * 40 * mib, (code, err, peak))
check("it opens when it may", measured("stats", small, "--max-bytes", "64M")[0] == 0)
check("out of a file it always does", measured("stats", large)[0] == 0)
check("unwrap takes it off", measured("unwrap", small, "-o", "out")[0] == 0)

# So have its values: each may be a character, and is a value in memory.
few = "or has more than one value for each 8 bytes of that"
for name, words in (("lines of empty Strings", ("check",)), ("lines of empty arrays", ("json", "--as", "json-lines")),
                    ("array of digits", ("show",))):
    zipped = put("tiny.gz", gzip.compress(worst_case_inputs.line_texts[name](31 * mib), 6))
    code, out, err, peak = measured(*words, zipped)
    check(f"{words} of {name} in gzip", code == 1 and ("--as" in words or few in err) and peak < 16 * 32 * mib, (code, err[-300:], peak))
    code, out, err, peak = measured("recover", zipped, "-o", "recovered")
    check(f"recover of {name} in gzip", code == 1 and "error[size_limit]" in err and peak < 20 * 32 * mib, (code, err[-300:], peak))
zipped = put("tiny.gz", gzip.compress(worst_case_inputs.line_texts["lines of empty Strings"](mib), 6))
check("it opens when it may", measured("stats", zipped)[0] == 0)

finish()
