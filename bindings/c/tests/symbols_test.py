#!/usr/bin/env python3
"""libgdvar-c exports exactly what gdvar.h declares: symbols_test.py LIBRARY ROOT"""
import pathlib
import subprocess
import sys

LIBRARY, ROOT = sys.argv[1:]
sys.path.insert(0, f"{ROOT}/tools/describe")
import header  # noqa: E402


def main():
    text = (pathlib.Path(ROOT) / "bindings/c/include/gdvar/gdvar.h").read_text(encoding="utf-8")
    declared = {function["name"] for function in header.Header(text).functions}
    listed = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True)
    exported = {line.split()[2].split("@")[0] for line in listed.stdout.splitlines() if " A " not in line}
    assert len(declared) > 50, declared
    assert exported == declared, f"only exported: {exported - declared}; only declared: {declared - exported}"
    dynamic = subprocess.run(["readelf", "-d", LIBRARY], capture_output=True, text=True, check=True).stdout
    assert "[libgdvar-c.so.0]" in dynamic, dynamic
    print(f"{len(declared)} functions, SONAME libgdvar-c.so.0")


if __name__ == "__main__":
    main()
