#!/usr/bin/env python3
"""Checks who includes whom.

    base -> wire -> value -> text, json, save, net -> inspect -> file -> session

A file includes only headers of its own room or of those of the rooms further left that LEFT names for it. base, wire
and value include nothing else but the C++ standard library, and text, json and inspect nothing else but them. What
touches the system is in base/platform, a room of its own for save, net and file. The Python extension includes its own
headers, gdvar.h, Python's and the standard library. The table of rooms in docs/architecture.md says the same as LEFT. Each namespace of a public header is exported. Usage: layers_test.py
SOURCE_DIR
"""

import pathlib
import re
import sys

LEFT = {
    "base": set(),
    "platform": {"base"},  # src/base/platform
    "wire": {"base"},
    "value": {"base", "wire"},
    "text": {"base", "wire", "value"},
    "json": {"base", "wire", "value"},
    "save": {"base", "platform", "wire", "value"},
    "net": {"base", "platform", "wire", "value"},
    "inspect": {"base", "wire", "value", "text", "json"},
    "file": {"base", "platform", "wire", "value", "text", "json", "save", "inspect"},
    "session": {"base", "wire", "value", "text", "json", "save", "inspect", "file"},
}
STANDARD_ONLY = {"base", "wire", "value", "text", "json", "inspect"}
# Headers that belong to no room and may be included by all.
COMMON = {"gdvar/version.hpp"}
# Headers that belong to no room and include others of all rooms.
UMBRELLA = {"gdvar/core.hpp", "gdvar/gdvar.hpp"}

STANDARD = set(
    """algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono
    cinttypes climits clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp
    csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque exception
    execution expected filesystem flat_map flat_set format forward_list fstream functional future generator
    initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map mdspan memory
    memory_resource mutex new numbers numeric optional ostream print queue random ranges ratio regex
    scoped_allocator semaphore set shared_mutex source_location span spanstream sstream stack stacktrace
    stdexcept stdfloat stop_token streambuf string string_view strstream syncstream system_error thread tuple
    type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector
    version""".split())

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
# Shared libraries export what stands in public headers (base/export.hpp).
NOT_EXPORTED = re.compile(r"^namespace gdvar(::\w+)* \{", re.M)
BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.S)


def room_of(path):
    """The room of a file named relative to include/ or src/, None for one outside the rooms."""
    parts = path.split("/")
    if parts[0] == "gdvar":
        parts = parts[1:]
    if parts[:2] == ["base", "platform"]:
        parts = parts[1:]
    return parts[0] if len(parts) > 1 and parts[0] in LEFT else None


def resolve(root, file, name):
    """The included file's path relative to include/ or src/; None when it is not ours."""
    include, src = root / "include", root / "src"
    for base in (file.parent, include, src):
        found = (base / name).resolve()
        if found.is_file():
            for top in (include, src):
                if found.is_relative_to(top):
                    return found.relative_to(top).as_posix(), top == include
    return None


def check_file(root, file, public):
    top = root / ("include/gdvar" if public else "src")
    room = room_of(file.relative_to(top).as_posix())
    if room is None:
        return [f"the folder {file.relative_to(top).parts[0]} is no room"]
    problems = []
    if public and NOT_EXPORTED.search(file.read_text()):
        problems.append("opens a namespace without GDVAR_EXPORT: `namespace gdvar GDVAR_EXPORT {`")
    for mark, name in INCLUDE.findall(BLOCK_COMMENT.sub("", file.read_text())):
        found = resolve(root, file, name)
        if found is None:
            if name.startswith("gdvar/") or mark == '"':
                problems.append(f"includes {name}, which does not exist")
            elif room in STANDARD_ONLY and name not in STANDARD | {"cpuid.h", "immintrin.h", "wasm_simd128.h"}:  # the compiler's own
                problems.append(f"includes <{name}>; {room} takes only the C++ standard library")
            continue
        path, found_public = found
        if path in COMMON:
            continue
        if path in UMBRELLA:
            problems.append(f"includes {path}, which is for users")
            continue
        if public and not found_public:
            problems.append(f"a public header includes {name} from src/, which is not installed")
        target = room_of(path)
        if target is None:
            problems.append(f"includes {path}, which is in no room")
        elif target != room and target not in LEFT[room]:
            problems.append(f"includes {path}: {room} may not know {target}")
    return problems


def check_extension(file):
    """The Python extension stands on the C interface alone."""
    return [f"includes {name}: the extension takes gdvar/gdvar.h, Python's headers and the standard library"
            for _, name in INCLUDE.findall(BLOCK_COMMENT.sub("", file.read_text()))
            if name not in STANDARD | {"gdvar/gdvar.h", "Python.h", "structmember.h"} and not (file.parent / name).is_file()]


# Asking which system this is, or calling one system alone.
SYSTEM = re.compile(
    r"\b(_WIN32|_WIN64|__linux__|__APPLE__|__unix__|__MINGW32__|__CYGWIN__)\b"
    r"|^\s*#\s*include\s*<(unistd|fcntl|poll|termios|spawn|pwd|dirent|windows|io|winsock2|(sys|arpa|netinet|mach)/\w+)\.h>", re.M)
# Which symbols a library shows, the terminals of `browse`, and Asio's own reactor on Linux.
SYSTEM_ALSO = {"include/gdvar/base/export.hpp", "bindings/c/include/gdvar/gdvar.h", "apps/gdvar/browse/posix_screen.cpp",
               "apps/gdvar/browse/windows_screen.cpp", "src/net/readiness.cpp"}
# Files shared by all tests, those for POSIX alone, and those that start engines, which are here for Linux.
SYSTEM_TESTS = re.compile(r"tests/(support/.*|.*/(posix_\w+|\w*live|lobby)_test\.cpp)")


def check_systems(root):
    """What a system does otherwise than another one is in base/platform; in tests, in tests/support."""
    for top in ("include", "src", "apps", "bindings/c", "bindings/python/src", "tests"):
        for file in sorted((root / top).rglob("*")):
            name = file.relative_to(root).as_posix()
            if file.suffix in {".hpp", ".h", ".cpp", ".c"} and "/tests/" not in name and "/examples/" not in name and \
                    not name.startswith("src/base/platform/") and name not in SYSTEM_ALSO and not SYSTEM_TESTS.match(name):
                for found in SYSTEM.finditer(file.read_text()):
                    yield f"{name}: `{found[0].strip()}`: what asks for the system belongs in base/platform"


ROW = re.compile(r"^\| \[`([\w/]+)`\]\([^)]*\) \| [^|]* \| ([^|]*) \|", re.M)


def check_page(root):
    """The rooms and what they may include, in docs/architecture.md."""
    text = (root / "docs/architecture.md").read_text()
    listed = {room.removeprefix("base/"): {name.removeprefix("base/") for name in re.findall(r"`([\w/]+)`", may)}
              for room, may in ROW.findall(text)}
    return [f"{room}: the page lets it include {sorted(listed.get(room, ()))}, LEFT {sorted(LEFT.get(room, ()))}"
            for room in LEFT | listed if room not in listed or listed[room] != LEFT.get(room)]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    count = failures = 0
    for problem in check_page(root):
        print(f"docs/architecture.md: {problem}")
        failures += 1
    for problem in check_systems(root):
        print(problem)
        failures += 1
    for public, top in ((True, root / "include/gdvar"), (False, root / "src")):
        for file in sorted(top.rglob("*")):
            if file.suffix not in {".hpp", ".h", ".cpp", ".ipp", ".inl"} or file.parent == top:
                continue
            count += 1
            for problem in check_file(root, file, public):
                print(f"{file.relative_to(root)}: {problem}")
                failures += 1
    for file in sorted((root / "bindings/python/src").glob("*.?pp")):
        count += 1
        for problem in check_extension(file):
            print(f"{file.relative_to(root)}: {problem}")
            failures += 1
    print(f"{count} files, {failures} problems")
    return 1 if failures else 0


sys.exit(main())
