#!/usr/bin/env python3
"""Runs the C++ tests of a build for another system, each as that build says, and prints a table. Ends with 1 if one fails, or if more
than 15% are skipped.

Those for POSIX alone (posix_*_test.cpp) count as skipped on Windows, and so do those that Wine can't show (wine.PROGRAMS).

Usage: programs.py BUILD_DIR SOURCE_DIR JOBS ROOM..."""
import collections, concurrent.futures, json, os, pathlib, re, subprocess, sys, tempfile, time
import wine

build, root, jobs, rooms = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3]), set(sys.argv[4:])
MOST_SKIPPED = 0.15
FOR_WINDOWS = re.search(r"^GDVAR_TARGET:\w+=.*-windows-", (build / "CMakeCache.txt").read_text(), re.M)
SKIPPED = re.compile(r": Skipped\n(.*)")
TESTS = re.compile(r"^TEST(_F|_P)?\((\w+),", re.M)
# A TEST_P runs once with each of these values.
VALUES = re.compile(r"^INSTANTIATE_TEST_SUITE_P\(\w+, (\w+), ::testing::Values\(([^()]*)\)", re.M)
NOT_HERE = re.compile(r"^// Not for Windows: (.*)\.$", re.M)


class Row:
    """What is said of a program: its counts, why tests were skipped, and what a failure printed."""

    def __init__(self, name):
        self.name, self.passed, self.failed, self.skipped, self.seconds, self.said = name, 0, 0, 0, 0.0, ""
        self.reasons = collections.Counter()

    def skip(self, reason, count=1):
        self.skipped += count
        self.reasons[reason] += count


def programs():
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True)
    for test in json.loads(listed.stdout)["tests"]:
        properties = {each["name"]: each["value"] for each in test.get("properties", ())}
        labels = set(properties.get("LABELS", ()))
        if labels and labels <= rooms and "command" in test:
            yield test["name"], labels, test["command"], properties


def run(program):
    name, labels, command, properties = program
    row, started, options, timeout = Row(name), time.monotonic(), [], properties.get("TIMEOUT", 600)
    cannot_show = wine.PROGRAMS.get(name, ()) if FOR_WINDOWS else ()
    for reason, pattern in cannot_show:
        listed = subprocess.run([*command, "--gtest_list_tests", f"--gtest_filter={pattern}"], capture_output=True, text=True)
        row.skip(reason, len(re.findall(r"^  \S", listed.stdout, re.M)))
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "results.json"
        if "c" not in labels:
            options.append(f"--gtest_output=json:{results.name}")
        if cannot_show:
            options.append("--gtest_filter=-" + ":".join(pattern for _, pattern in cannot_show))
        try:
            done = subprocess.run([*command, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=timeout, cwd=folder)
            code, row.said = done.returncode, done.stdout.decode(errors="replace").replace("\r\n", "\n")
        except subprocess.TimeoutExpired as expired:
            code, row.said = 1, (expired.output or b"").decode(errors="replace") + f"\nstill running after {timeout} s"
        cases = [case for suite in json.loads(results.read_text())["testsuites"] for case in suite["testsuite"]] if results.exists() else []
    if code == properties.get("SKIP_RETURN_CODE", 0) != 0:
        row.skip(row.said.strip())
        return row
    for case in cases:
        row.failed += "failures" in case
        row.passed += "failures" not in case and case["result"] == "COMPLETED"
    for reason in SKIPPED.findall(row.said):
        row.skip(reason.strip() or "no reason")
    if "c" in labels:
        row.passed = int(code == 0)
    row.failed += not row.failed and (code != 0 or not row.passed + row.skipped)
    row.seconds = time.monotonic() - started
    return row


def not_here():
    """The tests that a program for Windows does not have."""
    for room in sorted(rooms):
        for source in sorted((root / "tests" / room).rglob("posix_*_test.cpp")):
            row, text = Row(source.stem), source.read_text()
            values = {suite: each.count(",") + 1 for suite, each in VALUES.findall(text)}
            row.skip(NOT_HERE.search(text)[1], sum(values[suite] if way == "_P" else 1 for way, suite in TESTS.findall(text)))
            yield row


rows = []
print(f"{'program':<24}{'passed':>8}{'failed':>8}{'skipped':>8}{'seconds':>9}")


def show(row):
    rows.append(row)
    print(f"{row.name:<24}{row.passed:>8}{row.failed:>8}{row.skipped:>8}{row.seconds:>9.0f}", flush=True)
    for reason, count in row.reasons.items():
        print(f"    {count} skipped: {reason}")
    if row.failed:
        print("    " + "\n    ".join(row.said[-6000:].splitlines()))


with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
    for row in pool.map(run, programs()):
        show(row)
if FOR_WINDOWS:
    for row in not_here():
        show(row)
passed, failed, skipped = (sum(getattr(row, what) for row in rows) for what in ("passed", "failed", "skipped"))
share = skipped / max(1, passed + failed + skipped)
print(f"{'all':<24}{passed:>8}{failed:>8}{skipped:>8}   {share:.1%} skipped")
if failed or not passed:
    print("failed: " + ", ".join(row.name for row in rows if row.failed))
sys.exit(bool(failed) or not passed or share > MOST_SKIPPED)
