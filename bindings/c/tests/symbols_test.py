#!/usr/bin/env python3
"""libgdvar-c exports exactly what gdvar.h declares: symbols_test.py LIBRARY HEADER"""
import re
import subprocess
import sys


def main():
    library, header = sys.argv[1:]
    with open(header, encoding="utf-8") as lines:
        declared = set(re.findall(r"^GDVAR_API [^;]*?\b(gdvar_\w+)\(", lines.read(), re.M))
    listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    exported = {line.split()[2].split("@")[0] for line in listed.stdout.splitlines() if " A " not in line}
    assert len(declared) > 50, declared
    assert exported == declared, f"only exported: {exported - declared}; only declared: {declared - exported}"
    dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    assert "[libgdvar-c.so.0]" in dynamic, dynamic
    print(f"{len(declared)} functions, SONAME libgdvar-c.so.0")


if __name__ == "__main__":
    main()
