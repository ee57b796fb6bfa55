#!/usr/bin/env python3
"""A compressed save of records just under 4 GiB, which is GCPF's limit: made by the command from a pipe, shown, converted
to Godot 3 and back, each with the time and the most memory that it took. Memory must not grow with the save: status 1
when a step takes more than 96 MiB, or when what comes back is not what was sent.

Takes some minutes, and 4 GiB of room for temporary files in /tmp; everything is deleted at the end.

    scripts/limits save [GIBIBYTES]      4 if left out; may be a fraction
"""
import argparse, hashlib, os, pathlib, struct, subprocess, sys, tempfile, threading, time

root = pathlib.Path(__file__).resolve().parents[2]
gdvar = root / "build/release/gdvar"
most_memory = 96 << 20
words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
words.add_argument("gibibytes", type=float, nargs="?", default=4)
size = min(int(words.parse_args().gibibytes * (1 << 30)), (1 << 32) - 1)


def packed(text):
    return subprocess.run([gdvar, "pack", "--full"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


def records():
    """Frames of some 1 MiB, no two alike, up to `size` bytes in all; the last one fills it up."""
    tiles = ", ".join(str(i * 7 % 100) for i in range(4000))
    head, tail = packed('{"number": 1000000, "players": [' + ", ".join(
        f'{{"name": "player_{i}", "hp": {i % 100}, "at": Vector2({i}, 0.5)}}' for i in range(500))
        + f'], "tiles": PackedInt32Array({tiles}), "fill": PackedByteArray()}}').rsplit(b"\x1d\0\0\0", 1)
    number = struct.pack("<i", 1000000)
    left = size
    for i in range(1 << 20):
        fill = (1 << 20) - i % 1000 * 4
        if left - fill < 4 << 20:
            fill = (left - len(head) - 12) & ~3
        packet = head.replace(number, struct.pack("<i", 1000000 + i), 1) + b"\x1d\0\0\0" + struct.pack("<I", fill) + bytes(fill)
        yield struct.pack("<I", len(packet)) + packet
        left -= 4 + len(packet)
        if left < 1 << 20:
            return


class Step:
    """A command; what it reads is fed by a thread, what it writes is hashed."""
    failed = False

    def __init__(self, name, words, feed=None):
        start = time.perf_counter()
        process = subprocess.Popen([gdvar, *words], stdout=subprocess.PIPE, stdin=subprocess.PIPE if feed else subprocess.DEVNULL)
        if feed:
            feeder = threading.Thread(target=self.feed, args=(process.stdin, feed))
            feeder.start()
        digest, self.lines, self.bytes = hashlib.sha256(), 0, 0
        while part := process.stdout.read(1 << 20):
            digest.update(part)
            self.lines += part.count(b"\n")
            self.bytes += len(part)
        self.hash = digest.hexdigest()
        if feed:
            feeder.join()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        memory = usage.ru_maxrss << 10
        fine = process.returncode == 0 and memory <= most_memory
        Step.failed |= not fine
        print(f"{name:28} {time.perf_counter() - start:7.1f} s  {memory / (1 << 20):6.1f} MiB"
              f"{'' if fine else '  WRONG, exit code ' + str(process.returncode)}", flush=True)

    @staticmethod
    def feed(to, parts):
        with to:
            for part in parts:
                to.write(part)


def expect(what, holds):
    Step.failed |= not holds
    print(f"{what}: {'yes' if holds else 'NO'}", flush=True)


def run(folder):
    sent, count, total = hashlib.sha256(), 0, 0

    def watched():
        nonlocal count, total
        for part in records():
            sent.update(part)
            count += 1
            total += len(part)
            yield part
    save, three, four = (str(folder / name) for name in ("big.save", "three.save", "four.save"))
    allow = ["--max-bytes", "4GB"]
    Step("wrap --container gcpf-zstd", ["wrap", "--container", "gcpf-zstd", *allow, "-o", save], watched())
    print(f"{count} records, {total} bytes of at most {(1 << 32) - 1}; the file has {os.path.getsize(save)}")
    shown = Step("show --depth 0", ["show", "--depth", "0", *allow, save])
    expect("every record shown", shown.lines == count)
    Step("get from the last record", ["get", *allow, save, "#-1 $.players[499].name"])
    Step("convert --to godot3", ["convert", "--from", "godot4", "--to", "godot3", *allow, "-o", three, save])
    Step("convert --to godot4", ["convert", "--from", "godot3", "--to", "godot4", *allow, "-o", four, three])
    back = Step("unwrap", ["unwrap", *allow, four])
    expect("the bytes that were sent", back.hash == sent.hexdigest() and back.bytes == total)


if not gdvar.exists():
    sys.exit("build it first: cmake --preset release && cmake --build --preset release --target gdvar")
with tempfile.TemporaryDirectory() as folder:
    run(pathlib.Path(folder))
sys.exit(Step.failed)
