"""What the tests of the command share: running it, and counting what holds."""
import os, subprocess, sys

failures = []
checks = 0


def run(gdvar, *words, stdin=b"", timeout=120, **more):
    """Exit code, output and messages."""
    if "stdin_file" in more:
        more["stdin"] = more.pop("stdin_file")
    else:
        more["input"] = stdin
    done = subprocess.run([gdvar, *map(str, words)], capture_output=True, timeout=timeout, **more)
    return done.returncode, done.stdout, done.stderr.decode()


def drained(terminal):
    """What is still to come from a pseudo-terminal, until nobody writes to it any more."""
    seen = bytearray()
    try:
        while part := os.read(terminal, 65536):
            seen += part
    except OSError:  # how Linux says so
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
