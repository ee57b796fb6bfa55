#!/usr/bin/env python3
"""The command is linked with full RELRO, position-independent, without an executable stack, and its code checks
stacks, buffer sizes and the standard library's containers.

Usage: hardening_test.py FILE
"""
import re
import subprocess
import sys


def readelf(*words):
    return subprocess.run(["readelf", "-W", *words], capture_output=True, text=True, check=True).stdout


file = sys.argv[1]
header, segments, dynamic, symbols = (readelf(word, file) for word in ("-h", "-l", "-d", "--dyn-syms"))
checks = {
    "position-independent": re.search(r"Type:\s+DYN", header),
    "RELRO": "GNU_RELRO" in segments,
    "bound at start": re.search(r"FLAGS.*\bNOW\b", dynamic),
    "no executable stack": re.search(r"GNU_STACK\s.*\sRW\s", segments),
    "stack protector": "__stack_chk_fail" in symbols,
    "_FORTIFY_SOURCE": re.search(r"__(memcpy|read|fread|snprintf|vsnprintf|memmove|fprintf)_chk", symbols),
    "_GLIBCXX_ASSERTIONS": "__glibcxx_assert_fail" in symbols,
}
missing = [name for name, there in checks.items() if not there]
print("missing: " + ", ".join(missing) if missing else f"{len(checks)} hardenings are there")
sys.exit(bool(missing))
