#!/usr/bin/env python3
"""`gdvar set` on saves of 100 MB: only the bytes that must change do, in a time bounded by copying the file.

Makes two saves of that size, one of many records and one of a single one, sets a number in each (first, middle and last
record), compares every byte, and prints the best time of five beside those of `cp` and of `cp` and fsync, which is what
replacing a file safely takes. Status 1 when a byte differs that must not.

    scripts/limits set [MEGABYTES]
"""
import argparse, json, os, pathlib, struct, subprocess, sys, tempfile, time

root = pathlib.Path(__file__).resolve().parents[2]
gdvar = root / "build/release/gdvar"
words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
words.add_argument("megabytes", type=int, nargs="?", default=100)
megabytes = words.parse_args().megabytes


def packed(text):
    return subprocess.run([gdvar, "pack", "--full"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


def player(i):
    return {"name": f"player_{i}", "hp": 100 - i % 50, "tags": ["a", "b", None, True], "gold": i * 3, "speed": i + 0.25}


def document(players):
    return packed(json.dumps({"players": [player(i) for i in range(players)], "version": 1}))


def many_records(path):
    record = document(1000)
    count = (megabytes << 20) // len(record)
    with open(path, "wb") as file:
        for _ in range(count):
            file.write(struct.pack("<I", len(record)) + record)
    return [0, count // 2, count - 1]


def one_record(path):
    """The same record's players again and again: the bytes of its Array, with another count."""
    record = document(1000)
    text = b"players\0"  # the key, padded; then the Array's header and its count
    start = record.index(text) + len(text) + 8
    end = record.index(b"version\0") - 8
    times = (megabytes << 20) // (end - start)
    with open(path, "wb") as file:
        size = start + (end - start) * times + len(record) - end
        file.write(struct.pack("<I", size) + record[:start - 4] + struct.pack("<I", 1000 * times))
        for _ in range(times):
            file.write(record[start:end])
        file.write(record[end:])
    return [0]


def best(times, run):
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return min(taken)


def differences(one, other):
    """Offsets of the bytes that differ."""
    out, at, size = [], 0, 1 << 20
    with open(one, "rb") as a, open(other, "rb") as b:
        while True:
            left, right = a.read(size), b.read(size)
            if left != right:
                if len(left) != len(right):
                    return ["the size"]
                out += [at + i for i in range(len(left)) if left[i] != right[i]]
            if not left:
                return out
            at += len(left)


def copy(source, to, sync):
    subprocess.run(["cp", source, to], check=True)
    if sync:
        with open(to, "rb+") as file:
            os.fsync(file.fileno())


def measure(folder, name, make):
    save, now = folder / "big.save", folder / "now.save"
    records = make(save)
    bad = False
    for record in records:
        path = f"#{record} $.players[777].gold"
        copy(save, now, False)
        subprocess.run([gdvar, "set", now, path, "123456"], check=True)
        changed = differences(save, now)
        value = subprocess.run([gdvar, "get", now, path], stdout=subprocess.PIPE, check=True).stdout.strip()
        fine = len(changed) <= 4 and changed and changed[-1] - changed[0] < 4 and value == b"123456"
        bad |= not fine
        print(f"{name}, {path}: {len(changed)} bytes changed{'' if fine else ', WRONG'}: {changed[:5]}")
    number = iter(range(1000))
    path = f"#{records[-1]} $.players[777].gold"
    taken = best(5, lambda: subprocess.run([gdvar, "set", now, path, str(next(number))], check=True))
    print(f"{name}, {save.stat().st_size >> 20} MiB: set {taken:.2f} s, cp {best(5, lambda: copy(save, now, False)):.2f} s, "
          f"cp and fsync {best(5, lambda: copy(save, now, True)):.2f} s", flush=True)
    return bad


if not gdvar.exists():
    sys.exit("build it first: cmake --preset release && cmake --build --preset release --target gdvar")
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    sys.exit(measure(folder, "many records", many_records) | measure(folder, "one record", one_record))
