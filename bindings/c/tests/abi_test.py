#!/usr/bin/env python3
"""The ABI of libgdvar-c.so.0 only grows: abi_test.py LIBRARY [--update]

Compares the library with libgdvar-c.abi, which `--update` writes anew. Old entries must stay as they are; what is new
must be in the file, too, so that the next change is compared with it. abidiff and abidw are Debian's abigail-tools.
"""
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "libgdvar-c.abi"
HEADERS = HERE.parent / "include"


def main():
    library = sys.argv[1]
    if not shutil.which("abidiff"):
        print("abidiff is not installed (abigail-tools)")
        return 77
    if "--update" in sys.argv:
        subprocess.run(["abidw", "--exported-interfaces-only", "--headers-dir", HEADERS,
                        "--drop-private-types", "--no-corpus-path",
                        "--no-comp-dir-path", "--no-show-locs", "--out-file", RECORDED, library], check=True)
        RECORDED.write_text(RECORDED.read_text().replace(f"{HERE.parent.parent.parent}/", ""))
    # Without --headers-dir2, which hides changes of the structs, too.
    run = subprocess.run(["abidiff", "--exported-interfaces-only", "--no-show-locs", RECORDED, library],
                         capture_output=True, text=True)
    print(run.stdout, run.stderr, sep="")
    if run.returncode:
        print("The ABI is another one. If it has only grown, raise GDVAR_C_ABI and run this with --update.\n"
              "If not, give back what was there, or change the SONAME.")
    return int(run.returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
