#!/usr/bin/env python3
"""What must not compile does not, and says why in one readable sentence.

Usage: compile_fail_test.py COMPILER SOURCE_DIR
"""

import pathlib
import subprocess
import sys

compiler, root = sys.argv[1], pathlib.Path(sys.argv[2])
CANT = "gdvar: this type can't be bound; make it an aggregate of bindable members, or specialise gdvar::meta"
SENTENCES = {
    "POINTER": CANT,
    "FUNCTION": CANT,
    "SET": CANT,
    "CHARACTER": "gdvar: a character type is neither a number nor a text here; use std::int8_t",
    "C_ARRAY": "gdvar: a C array can't be bound; use std::array",
    "LAST_C_ARRAY": "gdvar: a C array can't be bound; use std::array",
    "MANY": "gdvar: a struct of more than 40 members needs a gdvar::meta<T>",
    "BASE": "gdvar: a struct with a base class needs a gdvar::meta<T>",
    "EMPTY_BASE": "gdvar: a struct with a base class needs a gdvar::meta<T>",
    "BYTES": "gdvar: std::byte can't be bound; use std::uint8_t",
}


def compiled(define):
    done = subprocess.run(
        [compiler, "-std=c++23", "-fsyntax-only", f"-I{root / 'include'}", *([f"-D{define}"] if define else []),
         str(root / "tests/compile_fail/bind.cpp")], capture_output=True, text=True)
    return done.returncode == 0, done.stderr


failures = []
sound, output = compiled("")
if not sound:
    failures.append(f"the sound file does not compile:\n{output}")
for define, sentence in SENTENCES.items():
    sound, output = compiled(define)
    if sound:
        failures.append(f"{define} compiles")
    if sentence not in output:
        failures.append(f"{define} does not say so:\n{output}")
    errors = output.count("error:")
    if errors > 4:
        failures.append(f"{define} says it in {errors} errors:\n{output}")
for define in ("DANGLING_ROOT", "DANGLING_KEY", "DANGLING_OPTIONS"):
    if compiled(define)[0]:
        failures.append(f"{define} compiles")
print("\n".join(failures) or f"{len(SENTENCES) + 4} files judged as they should be")
sys.exit(bool(failures))
