#!/usr/bin/env python3
"""Runs the tests of the command with a gdvar.exe under Wine, or a command.js in Node, and prints a table. Ends with 1 if one fails, or if
more than 15% of all checks are skipped.

Usage: all.py GDVAR.EXE|COMMAND.JS SOURCE_DIR [JOBS]"""
import concurrent.futures, os, pathlib, re, subprocess, sys, tempfile, time

command, root, jobs = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), int((sys.argv[3:] or ["2"])[0])
MOST_SKIPPED = 0.15
CLOSING = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.M)
certificates = tempfile.TemporaryDirectory()
MORE = {"kept_files": ["--rounds", "500"], "live_command": [certificates.name]}
subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", "server.key", "-out", "server.pem"], cwd=certificates.name, check=True,
               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run(script):
    name, started = script.stem.removesuffix("_test"), time.monotonic()
    done = subprocess.run([sys.executable, script, command, root, *MORE.get(name, [])], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**os.environ, "GDVAR_COMMAND": command})
    return name, done.returncode, done.stdout.decode(errors="replace"), time.monotonic() - started


total, bad = [0, 0, 0], []
print(f"{'test':<16}{'passed':>8}{'failed':>8}{'skipped':>8}{'seconds':>9}")
# The longest ones come first.
scripts = sorted((root / "tests/apps").glob("*_test.py"), key=lambda script: (script.stem not in ("edit_test", "kept_files_test", "terminal_test", "live_command_test"), script.stem))
with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
    for name, code, said, seconds in pool.map(run, scripts):
        closing = CLOSING.search(said)
        counts = [int(count or 0) for count in closing.groups()] if closing else [0, 1, 0]
        total = [a + b for a, b in zip(total, counts)]
        print(f"{name:<16}" + "".join(f"{count:>8}" for count in counts) + f"{seconds:>9.0f}", flush=True)
        for why in re.findall(r"^(\d+ skipped: .*)", said, re.M):
            print(f"    {why}")
        if code or counts[1]:
            bad.append(name)
            print("    " + "\n    ".join(said[-4000:].splitlines()))
share = total[2] / max(1, sum(total))
print(f"{'all':<16}" + "".join(f"{count:>8}" for count in total) + f"   {share:.1%} skipped")
if bad:
    print("failed: " + ", ".join(bad))
sys.exit(bool(bad) or share > MOST_SKIPPED)
