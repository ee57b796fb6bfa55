"""Shared by the tests of the command: runs it, and counts checks."""
import os, subprocess, sys

failures = []
checks = 0


def run(gdvar, *words, stdin=b"", timeout=120, **more):
    """Returns exit code, output and messages."""
    if "stdin_file" in more:
        more["stdin"] = more.pop("stdin_file")
    else:
        more["input"] = stdin
    done = subprocess.run([gdvar, *map(str, words)], capture_output=True, timeout=timeout, **more)
    return done.returncode, done.stdout, done.stderr.decode()


def drained(terminal):
    """Returns the remaining output of a pseudo-terminal, until all writers have closed it."""
    seen = bytearray()
    try:
        while part := os.read(terminal, 65536):
            seen += part
    except OSError:  # Linux reports the end this way
        pass
    return bytes(seen)


def check(what, condition, detail=""):
    global checks
    checks += 1
    if not condition:
        failures.append(f"{what}: {detail}")


def expect(what, got, wanted):
    check(what, got == wanted, f"got {got!r}, wanted {wanted!r}")


def finish():
    for failure in failures:
        print("FAILED", failure)
    print(f"{checks - len(failures)} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)
