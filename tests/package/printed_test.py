#!/usr/bin/env python3
"""The C++ programs of the pages build and run by the lines that the pages print.

Each line runs as it is printed; only PREFIX and SOURCE become folders. README.md's lines run in a folder that looks like a
checkout after scripts/demo. A page says in a line "Component: `gdvar::NAME`." what the programs below it need: they link
with it, and not with less.

Usage: printed_test.py SOURCE_DIR BUILD_DIR    BUILD_DIR holds a finished build of SOURCE_DIR
"""

import contextlib
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile

import printed

root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
sys.path.insert(0, str(root / "tests"))
import cookbook_test

work = pathlib.Path(tempfile.mkdtemp())
checkout = work / "checkout"
prefix = checkout / "build/prefix"
README, INSTALL, NETWORKING, C = (root / name for name in ("README.md", "docs/install.md", "docs/networking.md", "docs/c.md"))
QUICK = printed.section(README, "In C++")
FIRST, SERVER = printed.blocks(QUICK, "cpp")
environment = {**os.environ, "PATH": f"{work / 'bin'}:{os.environ['PATH']}", "CMAKE_TOOLCHAIN_FILE": f"{work / 'fast.cmake'}"}
environment.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def prepare():
    """Tools by the names that the pages give them, and the checkout."""
    cmake = shutil.which(os.environ.get("CMAKE", "cmake"))
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    # The options of bare.sh, where it has any, are for configuring.
    write(work / "bin/cmake", f'#!/bin/sh\n[ "$1" != -S ] || set -- "$@" $BARE_ARGS\nexec {cmake} "$@"\n', 0o755)
    write(work / "bin/g++", f'#!/bin/sh\nexec {compiler} "$@"\n', 0o755)
    launcher = os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER")
    environment.update(CMAKE=f"{work / 'bin/cmake'}", CXX=compiler,
                       CMAKE_CXX_COMPILER_LAUNCHER=shutil.which(launcher) if launcher else "")
    # Without optimisation, because it compiles faster.
    write(work / "fast.cmake", 'set(CMAKE_CXX_FLAGS_RELEASE -O0 CACHE STRING "")\n')
    (checkout / "build").mkdir(parents=True)
    (checkout / "build/release").symlink_to(build)
    for part in root.iterdir():
        if part.name not in ("build", "examples"):
            (checkout / part.name).symlink_to(part)
    write(checkout / "examples/readme.cpp", FIRST)
    write(checkout / "examples/echo.cpp", SERVER)


def run(lines, folder, bare=False):
    """Returns what they print on standard output."""
    lines = re.sub(r"\bPREFIX\b", str(prefix), lines)
    shell = [str(root / "tests/package/bare.sh")] * bare + ["sh", "-euc", lines]
    done = subprocess.run(shell, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}FAILED: {lines}")
    return done.stdout


def without_last(lines):
    return "".join(lines.splitlines(keepends=True)[:-1])


def check_first(way, out):
    if not out.endswith(printed.output(QUICK)):
        sys.exit(f"README.md's first program, by {way}, prints:\n{out}")
    print(f"the first program, by {way}: works")


@contextlib.contextmanager
def started(command):
    """A program that runs until the block ends; gives what it says first."""
    process = subprocess.Popen(command, cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield process.stdout.readline().strip()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)


def check_server(way, program):
    """One packet goes there and back."""
    with started([program, "tcp://127.0.0.1:0"]) as said:
        packet = bytes.fromhex("040000000300000041646100")
        frame = struct.pack("<I", len(packet)) + packet
        with socket.create_connection(("127.0.0.1", int(said.rsplit(":", 1)[1])), timeout=30) as client:
            client.sendall(frame)
            answer = client.recv(len(frame), socket.MSG_WAITALL)
    if answer != frame:
        sys.exit(f"the server, by {way}, answers {answer}")
    print(f"the server, by {way}: works")


def check_stands_alone(program):
    """The program needs the C++ library and no other."""
    listed = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    for library in re.findall(r"\(NEEDED\).*\[(.*)\]", listed):
        if not re.match(r"(libstdc\+\+|libm|libgcc_s|libc|libc\+\+|libc\+\+abi)\.so\.|ld-linux", library):
            sys.exit(f"the program needs {library}")


def check_readme():
    first, server = printed.commands(QUICK, "readme.cpp"), printed.commands(QUICK, "echo.cpp")
    check_first("README.md", run(first, checkout))
    run(first.splitlines(keepends=True)[1] + without_last(server), checkout)
    check_server("README.md", checkout / server.splitlines()[-1])


def check_traffic():
    """The commands of "Traffic", each in a terminal of its own; the servers choose their ports here."""
    if not (build / "gdvar").exists():
        return print("the command is not built: not tried")
    lines = printed.commands(printed.section(README, "Traffic"), "gdvar listen")
    listen, send, proxy, replay = ([build / "gdvar", *shlex.split(line)[1:]] for line in lines.splitlines())
    given, listen[2] = listen[2], "tcp://127.0.0.1:0"
    proxy[2] = "debugger://127.0.0.1:0"

    def answers(command, url):
        command = [url if word == given else word for word in command]
        out = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=60).stdout
        if not out.endswith(' > {"say": "hello"}\n'):
            sys.exit(f"{command} prints: {out}")

    with started(listen) as said, started(proxy) as passing:
        if "listening at tcp://" not in said or "forwarding to tcp://" not in passing:
            sys.exit(f"{listen}: {said}; {proxy}: {passing}")
        url = re.search(r"tcp://[\d.:]+\d", said)[0]
        answers(send, url)
        answers(replay, url)
    with started([checkout / "build/echo", "ws://127.0.0.1:0"]) as said:
        answers(send, "ws://" + said.removeprefix("listening on "))
    print("the commands of README.md for a running game: work")


def check_install():
    """find_package, FetchContent and pkg-config of docs/install.md, and how gdvar itself is configured."""
    for way, heading in (("find_package", "An installed gdvar"), ("FetchContent", "From the sources: FetchContent")):
        section = printed.section(INSTALL, heading)
        write(work / way / "program.cpp", FIRST)
        write(work / way / "CMakeLists.txt", re.sub(r"\bSOURCE\b", str(root), printed.blocks(section, "cmake")[0]))
        check_first(way, run(printed.commands(section, "cmake -S"), work / way, bare=way == "FetchContent"))
    check_stands_alone(work / "FetchContent/build/program")
    write(work / "pkg-config/program.cpp", FIRST)
    lines = printed.commands(printed.section(INSTALL, "Use it without CMake"), "pkg-config")
    check_first("pkg-config", run(lines, work / "pkg-config"))
    for heading, bare in (("Build and install", False), ("The core alone", True)):
        section = printed.section(INSTALL, heading).split("\n### ")[0]
        configure = [line for line in printed.commands(section, "cmake -S").splitlines() if line.startswith("cmake -S")]
        run(configure[0], checkout, bare)


def check_networking():
    """The lobby, and the first server in the same way."""
    section = printed.section(NETWORKING, "Install and build")
    for name in ("lobby", "echo"):
        shutil.copytree(root / "examples/lobby", work / name)
        write(work / name / "echo.cpp", SERVER)
        write(work / name / "CMakeLists.txt", printed.blocks(section, "cmake")[0].replace("lobby", name))
        run(printed.commands(section, "cmake -S").replace("lobby", name), work / name)
    check_server("find_package", work / "echo/build/echo")
    for arguments in (["no-such-dialect", "0", "0"], []):
        done = subprocess.run([work / "lobby/build/lobby", *arguments], stderr=subprocess.DEVNULL)
        if done.returncode != 2:
            sys.exit(f"the lobby ends with {done.returncode}")
    print("the lobby, by find_package: works")


def check_c():
    write(work / "c/program.c", "#include <gdvar/gdvar.h>\nint main(void) { return gdvar_abi() != GDVAR_C_ABI; }\n")
    run(printed.commands(C.read_text(), "cc "), work / "c")
    print("a program in C: works")


def claims(page):
    """What the page says that each of its sources needs."""
    text, sources, said, found = (root / page).read_text(), {}, set(), {}
    for source in cookbook_test.PAGES[page]:
        for part, _ in cookbook_test.PART.findall((root / source).read_text()):
            sources.setdefault(part, source)
    for component, code in re.findall(r"^Component: (.*)$|^```cpp (.*)$", text, re.M):
        if component:
            said = set(re.findall(r"`gdvar::(\w+)`", component.split(".")[0]))
        elif not said:
            sys.exit(f"{page} does not say which component '{code}' needs")
        else:
            found.setdefault(sources.get(code, code), set()).update(said)
    return found


def pkg_config(*arguments):
    done = subprocess.run(["pkg-config", *arguments], env={**environment, "PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")},
                          capture_output=True, text=True, check=True)
    return done.stdout


def compiled(source):
    """The source's object: that of the build, if there is one."""
    name = pathlib.PurePath(source)
    found = build / f"examples/CMakeFiles/example_{name.stem}.dir" / f"{name.relative_to('examples')}.o"
    if not found.exists():
        found = work / f"{name.stem}.o"
        run(f"g++ -std=c++23 -I PREFIX/include -c '{root / source}' -o '{found}'", work)
    return found


def links(object_file, components):
    libraries = [f"gdvar-{component}" for component in components]
    # examples/loops.cpp has a part with libuv where that is installed.
    if subprocess.run(["pkg-config", "--exists", "libuv"]).returncode == 0:
        libraries.append("libuv")
    command = [environment["CXX"], object_file, "-o", work / "linked", *shlex.split(pkg_config("--libs", *libraries))]
    return subprocess.run(command, capture_output=True).returncode == 0


def check_components():
    """Each source of a page links with what the page names; not when one of these is replaced by what that builds on."""
    needs = {}
    for page in cookbook_test.PAGES:
        for source, components in claims(page).items():
            needs.setdefault(source, set()).update(components)
    for source, components in sorted(needs.items()):
        object_file = compiled(source)
        if not links(object_file, components):
            sys.exit(f"{source} needs more than the {components} that its page names")
        for component in components:
            less = components - {component} | set(re.findall(r"^gdvar-(\w+)", pkg_config("--print-requires", f"gdvar-{component}"), re.M))
            if less and links(object_file, less):
                sys.exit(f"{source} needs no more than {less}; its page names {components}")
    print(f"{len(needs)} sources of the pages need the components that are named")


def check_pages():
    """No page shows C++ that is not looked at here."""
    for page in (*root.glob("*.md"), *root.glob("docs/*.md"), *root.glob("bindings/*/*.md")):
        name = page.relative_to(root).as_posix()
        if "\n```cpp" in page.read_text() and name not in cookbook_test.PAGES:
            sys.exit(f"{name} shows C++, and cookbook_test.py does not know of it")


try:
    prepare()
    check_pages()
    check_readme()
    check_traffic()
    check_install()
    check_networking()
    check_c()
    check_components()
finally:
    shutil.rmtree(work)
