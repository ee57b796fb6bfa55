#!/usr/bin/env python3
"""Writes an archive of the C library with everything that it needs inside, so that a C compiler links it without others.

It has the inputs of the shared library, which zig's linker names: gdvar's own objects, the libraries in it, and the C++
runtime. On Linux it is one object that exports gdvar's functions alone: the rest, C++'s runtime too, can't meet what a
program has of the same names. Linkers for Windows and macOS make no such objects: there it is all objects side by side.

Usage: whole_archive.py ZIG BUILD_DIR OUT    CMake's BUILD_DIR holds the shared library
"""

import os
import pathlib
import subprocess
import sys
import tempfile

zig, build, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
RUNTIME = ("c++.", "c++abi.", "unwind.", "compiler_rt.")  # of what zig adds; the rest is the system's


def run(*command, **options):
    return subprocess.run(command, cwd=build, capture_output=True, text=True, check=True, **options)


def inputs():
    """The objects and archives of the shared library, in the order of its link."""
    targets = run("ninja", "-t", "targets", "all").stdout.splitlines()
    library = next(line.split(":")[0] for line in targets if "SHARED_LIBRARY_LINKER__gdvar_c_" in line)
    command = run("ninja", "-t", "commands", "-s", library).stdout
    printed = run("sh", "-c", command, env={**os.environ, "ZIG_VERBOSE_LINK": "1"}).stderr
    words = next(line for line in printed.splitlines() if "libgdvar_file.a" in line).split()
    files = [word for word in words if word.endswith((".o", ".obj", ".a", ".lib")) and not word.startswith("-")]
    added = os.environ["ZIG_GLOBAL_CACHE_DIR"]
    return [file for file in files
            if not file.startswith(added) or os.path.basename(file).removeprefix("lib").startswith(RUNTIME)]


def without_folders(archive, folder):
    """The members of an archive of zig's cache, which are named by folders of this machine, as files."""
    folder.mkdir()
    subprocess.run([zig, "ar", "x", archive], cwd=folder, check=True)
    found = sorted(folder.iterdir())
    if len(found) != len(run(zig, "ar", "t", archive).stdout.splitlines()):
        sys.exit(f"error: two members of {archive} have one name")
    return found


def one_object(files, whole):
    """All that the interface needs of them, as one object that exports gdvar's functions."""
    run(zig, "ld.lld", "-r", "--force-group-allocation", "-o", whole, *files)
    # OpenSSL's assembly leaves room for a variable to the linker, which gives none to local ones: it gets a name of ours.
    common = [line.split()[-1] for line in run("llvm-nm-19", whole).stdout.splitlines() if line.split()[-2] in "Cc"]
    shown = [f"--keep-global-symbol={name}" for name in ["gdvar_*", *common]]
    run("llvm-objcopy-19", "--wildcard", *shown, *(f"--redefine-sym={name}=gdvar_{name}" for name in common), whole)


def main():
    files = inputs()
    with tempfile.TemporaryDirectory() as folder:
        if files[0].endswith(".o") and b"ELF" in (build / files[0]).read_bytes()[:4]:
            whole = pathlib.Path(folder) / "gdvar-c.o"
            one_object(files, whole)
            files = [whole]
        else:
            cache = os.environ["ZIG_GLOBAL_CACHE_DIR"]
            files = [each for number, file in enumerate(files)
                     for each in (without_folders(file, pathlib.Path(folder, str(number))) if file.startswith(cache) else [file])]
        lines = [f"addlib {file}" if str(file).endswith((".a", ".lib")) else f"addmod {file}" for file in files]
        out.unlink(missing_ok=True)
        run(zig, "ar", "-M", input="\n".join([f"create {out}", *lines, "save", "end", ""]))
    run("llvm-objcopy-19", "--strip-debug", out)


main()
