#!/usr/bin/env python3
"""The command is linked with full RELRO, position-independent, without an executable stack, and its code checks
stacks, buffer sizes and the standard library's containers.

Usage: hardening_test.py GDVAR SOURCE_DIR
"""
import re
import subprocess
import sys

sys.path.append(sys.path[0] + "/../support")
from command import GDVAR, check, finish


def readelf(word):
    return subprocess.run(["readelf", "-W", word, GDVAR], capture_output=True, text=True, check=True).stdout


header, segments, dynamic, symbols = map(readelf, ("-h", "-l", "-d", "--dyn-syms"))
check("position-independent", re.search(r"Type:\s+DYN", header))
check("RELRO", "GNU_RELRO" in segments)
check("bound at start", re.search(r"FLAGS.*\bNOW\b", dynamic))
check("no executable stack", re.search(r"GNU_STACK\s.*\sRW\s", segments))
check("stack protector", "__stack_chk_fail" in symbols)
check("_FORTIFY_SOURCE", re.search(r"__(memcpy|read|fread|snprintf|vsnprintf|memmove|fprintf)_chk", symbols))
check("_GLIBCXX_ASSERTIONS", "__glibcxx_assert_fail" in symbols)
finish()
