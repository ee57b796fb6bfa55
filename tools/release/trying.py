"""Uses the artefacts as their users would, from the folder of the release alone.

A tryer gets a Trial and returns what it saw: lines of where it was tried, how it went, and whether the artefact ran there. It
ends the program where something is wrong. Programs that this machine can't run are looked at (load commands) and said not to have
been run.
"""

from __future__ import annotations

import base64
import ctypes
import functools
import hashlib
import http.server
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import typing
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

Line = dict[str, typing.Any]
Seen = list[Line]

# All that a program for Windows may load: parts of Windows itself.
WINDOWS_LIBRARIES = re.compile(
    r"(api-ms-win-crt-\w+-l1-1-0|advapi32|bcrypt|crypt32|kernel32|mswsock|ntdll|ole32|shell32|user32|winmm|ws2_32)\.dll", re.I
)
MAC_LIBRARIES = re.compile(r"@rpath/libgdvar-c\.0\.dylib|/usr/lib/lib(System|iconv|resolv|objc)\.\w+\.dylib|/System/Library/Frameworks/\w+\.framework/.*")
GLIBC_LIBRARIES = re.compile(r"(lib(c|m|dl|pthread|rt)|ld-linux[\w-]*)\.so\.\d+")
SAVE, AT, OLD, NEW = "plain.save", "#1 $[1]", '"two"', '"three"'


class Trial(typing.NamedTuple):
    """An artefact, and a folder of its own to try it in."""

    path: Path
    target: str
    version: str
    source: Path  # the source archive of the release, from which examples and saves come
    folder: Path
    shell: Callable[[str], str]  # what a command of the shell's side prints, such as where a compiler for other systems is

    def fail(self, why: str) -> typing.NoReturn:
        raise SystemExit(f"error: {self.path.name}: {why}")

    def run(self, *words: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
        """Its output; ends the trial if it fails."""
        environment = {**os.environ, **(env or {})}
        # Windows would find neither scripts nor what only the variables of this run lead to.
        words = (shutil.which(words[0], path=environment["PATH"]) or words[0], *words[1:])
        done = subprocess.run(words, cwd=cwd or self.folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            self.fail(f"{' '.join(map(str, words))} ends with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def expect(self, printed: str, wanted: str) -> None:
        if printed.strip() != wanted:
            self.fail(f"printed {printed!r}, not {wanted!r}")

    def unpack(self) -> None:
        """By Python itself: GNU's tar, which Git has on Windows, takes the drive in a path for another machine."""
        if self.path.suffix in (".zip", ".whl"):
            with zipfile.ZipFile(self.path) as made:
                made.extractall(self.folder)
        else:
            with tarfile.open(self.path) as tar:
                # Debian 12's Python has no filters.
                tar.extraction_filter = getattr(tarfile, "data_filter", None)
                tar.extractall(self.folder)

    def unpacked(self) -> Path:
        """The one folder in it."""
        self.unpack()
        (top,) = (path for path in self.folder.iterdir() if path.is_dir())
        for name in ("LICENSE", "NOTICES.txt"):
            if not (top / name).is_file() and "source" not in self.path.name:
                self.fail(f"{name} is missing")
        return top

    def from_source(self, name: str) -> bytes:
        """A file of the source archive."""
        with tarfile.open(self.source) as tar:
            return tar.extractfile(f"gdvar-{self.version}/{name}").read()  # type: ignore[union-attr]


SYSTEMS = {"linux": "linux", "win32": "windows", "darwin": "macos"}
PROCESSORS = {"amd64": "x86_64", "arm64": "aarch64"}


def runs_here(target: str) -> bool:
    """Whether this machine is such a one: the workflow of the forge tries on real ones what is built elsewhere."""
    machine = platform.machine().lower()
    return target.startswith(f"{PROCESSORS.get(machine, machine)}-{SYSTEMS.get(sys.platform, '')}")


def this_system() -> str:
    """Its name and version."""
    if sys.platform == "linux":
        return f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {platform.machine()}"
    return platform.platform()


def seen(where: str, result: str) -> Line:
    """A line of the manifest: it ran there."""
    return {"where": where, "result": result, "ran": True}


def looked_at(what: str, result: str) -> Line:
    """It did not run for this."""
    return {"where": what, "result": result, "ran": False}


def not_run(why: str) -> Line:
    return looked_at(this_system(), f"not run: {why}")


# No machine of the forge runs these.
NOWHERE = {f"wheel-{processor}-linux-musl": "no system at hand has a Python for musl" for processor in ("x86_64", "aarch64")}


def is_for_here(name: str, target: str) -> bool:
    """Whether this machine is the one to try it on; what is for every system is tried where it is built."""
    return name not in NOWHERE and runs_here(target)


# ---- the command


def _use_command(trial: Trial, cwd: Path, *program: str | Path, env: Mapping[str, str] | None = None) -> None:
    """Version, a value of a save that an engine wrote, that value changed."""
    (cwd / SAVE).write_bytes(trial.from_source("tests/data/saves/godot-4.6.3/plain.save"))
    use = functools.partial(trial.run, *program, cwd=cwd, env=env)
    trial.expect(use("--version"), f"gdvar {trial.version}")
    if f"{SAVE}: sound" not in use("check", SAVE):
        trial.fail("the save is not sound")
    trial.expect(use("get", SAVE, AT), OLD)
    use("set", SAVE, AT, NEW)
    trial.expect(use("get", SAVE, AT), NEW)


DID = "--version, check, get, set: as expected"


def _in_empty_root(trial: Trial, top: Path) -> Seen:
    """Nothing is in the root but the program, and what runs another processor's."""
    root = trial.folder / "root"
    root.mkdir()
    shutil.copy(top / "gdvar", root / "gdvar")
    enter: list[str | Path] = ["chroot", root]
    if os.geteuid() != 0:
        enter = ["sudo", "--non-interactive", *enter] if shutil.which("sudo") else ["unshare", "--map-root-user", *enter]
    where = f"an empty root, {this_system()}"
    if not runs_here(trial.target):
        emulator = shutil.which("qemu-aarch64-static")
        if not emulator:
            return [not_run("qemu-user-static is missing")]
        shutil.copy(emulator, root)
        enter.append("/qemu-aarch64-static")
        where += ", with qemu-aarch64-static"
    _use_command(trial, root, *enter, "/gdvar")
    return [seen(where, DID)]


def _under_wine(trial: Trial, top: Path) -> Seen:
    if not shutil.which("wine"):
        return [not_run("Wine is missing")]
    environment = {"WINEPREFIX": str(trial.folder / "wine"), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}
    try:
        _use_command(trial, top, "wine", top / "gdvar.exe", env=environment)
    finally:
        subprocess.run(["wineserver", "--wait"], env={**os.environ, **environment}, check=False)
    return [seen(subprocess.run(["wine", "--version"], capture_output=True, text=True).stdout.strip(), DID)]


def _check_help(trial: Trial, top: Path) -> None:
    for name in ("gdvar.1", "completions/gdvar.bash", "completions/_gdvar", "completions/gdvar.fish"):
        if "gdvar" not in (top / name).read_text():
            trial.fail(f"{name} is not what it should be")


def command(trial: Trial) -> Seen:
    top = trial.unpacked()
    _check_help(trial, top)
    program = next(path for path in top.glob("gdvar*") if path.name in ("gdvar", "gdvar.exe"))
    lines = load_commands(trial, program)
    if "-linux-" in trial.target and sys.platform == "linux":
        return lines + _in_empty_root(trial, top)
    if runs_here(trial.target):
        _use_command(trial, top, program)
        return lines + [seen(this_system(), DID)]
    if trial.target == "x86_64-windows-gnu":
        return lines + _under_wine(trial, top)
    return lines + [not_run("it is for another system")]


# ---- load commands


def load_commands(trial: Trial, program: Path) -> Seen:
    """For which machine a file is, and what it loads: nothing that the system does not have."""
    if not shutil.which("llvm-readobj-19"):
        return [looked_at("load commands", "not looked at: LLVM 19 is missing")]
    check = {"windows": _pe, "macos": _mach_o, "linux": _elf}[trial.target.split("-")[1]]
    return [looked_at("load commands", check(trial, program))]


def _only(trial: Trial, loaded: list[str], allowed: re.Pattern[str]) -> str:
    for name in loaded:
        if not allowed.fullmatch(name) and not (trial.path.suffix == ".whl" and IN_WHEEL.fullmatch(name)):
            trial.fail(f"loads {name}")
    return f"loads {', '.join(sorted(set(loaded), key=str.lower)) or 'nothing'}"


def _machine(trial: Trial, found: str, x86: str, arm: str) -> str:
    if found != (arm if trial.target.startswith("aarch64") else x86):
        trial.fail(f"is for {found}")
    return found


def _field(trial: Trial, text: str, pattern: str) -> str:
    found = re.search(pattern, text, re.M)
    if not found:
        trial.fail(f"has no {pattern}")
    return found[1]


def _pe(trial: Trial, program: Path) -> str:
    text = trial.run("llvm-readobj-19", "--file-headers", "--coff-imports", program)
    machine = _machine(trial, _field(trial, text, r"Machine: IMAGE_FILE_MACHINE_(\w+)"), "AMD64", "ARM64")
    loaded = re.findall(r"^Import \{\n  Name: (\S+)", text, re.M)
    return f"{machine}; {_only(trial, loaded, WINDOWS_LIBRARIES)}"


def _mach_o(trial: Trial, program: Path) -> str:
    text = trial.run("llvm-objdump-19", "--macho", "--private-headers", program)
    machine = _machine(trial, _field(trial, text, r"^MH_MAGIC_64\s+(\w+)"), "X86_64", "ARM64")
    oldest = _field(trial, text, r"LC_BUILD_VERSION(?:.*\n)+?\s+minos (\S+)")
    if oldest != "11.0":
        trial.fail(f"needs macOS {oldest}")
    for own in re.findall(r"cmd LC_ID_DYLIB\n.*\n\s+name (\S+)", text):
        if not own.startswith("@rpath/"):
            trial.fail(f"is to be found as {own}")
    loaded = re.findall(r"cmd LC_LOAD_DYLIB\n.*\n\s+name (\S+)", text)
    signed = "signed ad hoc" if "LC_CODE_SIGNATURE" in text else "not signed"
    if machine == "ARM64" and signed == "not signed":
        trial.fail("is not signed: such processors run nothing else")
    return f"{machine}, macOS {oldest} and later, {signed}; {_only(trial, loaded, MAC_LIBRARIES)}"


def _elf(trial: Trial, program: Path) -> str:
    text = trial.run("llvm-readobj-19", "--file-headers", "--needed-libs", "--version-info", program)
    machine = _machine(trial, _field(trial, text, r"Machine: EM_(\w+)"), "X86_64", "AARCH64")
    loaded = re.findall(r"^  (\S+\.so[.\d]*)$", _field(trial, text, r"NeededLibraries \[((?:\n.*)*?)\n?\]"), re.M)
    if program.name == "gdvar" and loaded:
        trial.fail("is not static")
    glibc = max((tuple(map(int, version.split("."))) for version in re.findall(r"Name: GLIBC_([\d.]+)", text)), default=None)
    if glibc and glibc > (2, 17):
        trial.fail(f"needs glibc {glibc}")
    needs = f", glibc {'.'.join(map(str, glibc))}" if glibc else ""
    return f"{machine}{needs}; {_only(trial, loaded, GLIBC_LIBRARIES)}"


# ---- the C library


class _Linked(typing.NamedTuple):
    """How a program is compiled and run for a target."""

    compiler: list[str]
    runner: list[str]
    where: str


def _linker(trial: Trial) -> _Linked:
    if runs_here(trial.target):
        return _Linked(["cc"], ["env"], f"the C compiler of {this_system()}")
    zig = [trial.shell("make_zig >&2; echo $zig"), "cc", "-target", trial.target.replace("-macos", "-macos.11.0")]
    if trial.target == "aarch64-linux-gnu":
        sysroot, emulator = Path("/usr/aarch64-linux-gnu"), shutil.which("qemu-aarch64-static")
        runs = [emulator, "-L", str(sysroot)] if emulator and (sysroot / "lib/libc.so.6").exists() else []
        zig[-1] += ".2.17"
        return _Linked(zig, runs, "zig's clang" + ", and qemu-aarch64-static" * bool(runs))
    if trial.target == "x86_64-windows-gnu":
        runs = ["wine"] if shutil.which("wine") else []
        return _Linked(zig, runs, "zig's clang" + ", and Wine" * bool(runs))
    return _Linked(zig, [], "zig's clang")


def _pkg_config(trial: Trial, top: Path, *words: str) -> list[str]:
    folder = str(top / "lib/pkgconfig")
    return trial.run("pkg-config", *words, "gdvar-c", env={"PKG_CONFIG_LIBDIR": folder, "PKG_CONFIG_PATH": ""}).split()


def _use_library(trial: Trial, top: Path, program: Path, runner: list[str]) -> None:
    """The example for saves: the stack of a save, a value of it changed."""
    save = trial.folder / SAVE
    save.write_bytes(trial.from_source("tests/data/saves/godot-4.6.3/plain.save"))
    environment = {
        "LD_LIBRARY_PATH": str(top / "lib"),
        "QEMU_LD_PREFIX": "/usr/aarch64-linux-gnu",
        "WINEPREFIX": str(trial.folder / "wine"),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree,mshtml=",
        "DYLD_LIBRARY_PATH": str(top / "lib"),
        "WINEPATH": str(top / "bin"),
        "PATH": os.pathsep.join([str(top / "bin"), os.environ["PATH"]]),
    }
    if "records" not in trial.run(*runner, program, SAVE, env=environment):
        trial.fail("the example does not know the save")
    trial.run(*runner, program, SAVE, AT, NEW, env=environment)
    if NEW.strip('"').encode() not in save.read_bytes():
        trial.fail("the example did not change the save")
    if runner == ["wine"]:
        subprocess.run(["wineserver", "--wait"], env={**os.environ, **environment}, check=False)


def library(trial: Trial) -> Seen:
    top = trial.unpacked()
    example = trial.folder / "save.c"
    example.write_bytes(trial.from_source("bindings/c/examples/save.c"))
    shared = next(path for path in [*top.glob("bin/*.dll"), *top.glob("lib/*.so.*.*"), *top.glob("lib/*.*.*.dylib")])
    lines = load_commands(trial, shared)
    if sys.platform == "win32" and runs_here(trial.target):
        # There is no C compiler for it.
        return [*lines, _loaded(trial, shared)]
    linked = _linker(trial)
    suffix = ".exe" if "-windows-" in trial.target else ""
    ways = {
        "shared": _pkg_config(trial, top, "--cflags", "--libs"),
        "static": [
            word if not word.startswith("-lgdvar-c") else str(top / "lib/libgdvar-c.a")
            for word in _pkg_config(trial, top, "--static", "--cflags", "--libs")
        ],
    }
    for way, flags in ways.items():
        program = trial.folder / f"{way}{suffix}"
        trial.run(*linked.compiler, "-std=c99", example, "-o", program, *flags)
        if linked.runner:
            _use_library(trial, top, program, linked.runner)
        where, name = f"{way}, by pkg-config and {linked.where}", "bindings/c/examples/save.c"
        lines.append(seen(where, f"{name}: as expected") if linked.runner else looked_at(where, f"{name}: linked, not run"))
    return lines


def _loaded(trial: Trial, shared: Path) -> Line:
    """The shared library, loaded by Python."""
    version = ctypes.CDLL(str(shared)).gdvar_version
    version.restype = ctypes.c_char_p
    trial.expect(version().decode(), trial.version)
    return seen(f"shared, loaded by Python, {this_system()}", "gdvar_version: as expected")


# ---- the sources


def source(trial: Trial) -> Seen:
    """The core alone: configured, built, installed, used by a program."""
    top = trial.unpacked()
    options = ["-DGDVAR_SAVE=OFF", "-DGDVAR_NET=OFF", "-DGDVAR_APPS=OFF", "-DCMAKE_BUILD_TYPE=Release"]
    trial.run("cmake", "-S", top, "-B", "build", *options)
    trial.run("cmake", "--build", "build", "-j", str(os.cpu_count()))
    trial.run("cmake", "--install", "build", "--prefix", trial.folder / "prefix")
    modules = next((trial.folder / "prefix").rglob("pkgconfig"))
    flags = trial.run("pkg-config", "--cflags", "--libs", "gdvar-text", env={"PKG_CONFIG_PATH": str(modules)}).split()
    trial.run("c++", "-std=c++23", top / "examples/readme.cpp", "-o", "program", *flags)
    if not trial.run(trial.folder / "program").startswith("Ada: 100 hp\n"):
        trial.fail("the first program of README.md prints something else")
    return [seen(f"the core alone, by CMake and pkg-config, {this_system()}", "built, installed, examples/readme.cpp: as expected")]


# ---- the Python package

IMPORT = """
import gdvar
value = {"name": "Ada", "at": gdvar.Vector3(1, 2, 3)}
assert gdvar.loads(gdvar.dumps(value)) == value
print(gdvar.__version__)
"""
IN_WHEEL = re.compile(r"(python3\.dll|libc\.so)")


def _use_python(trial: Trial, *install: str | Path) -> Seen:
    """In a fresh virtual environment: the package imported, the command used."""
    trial.run(sys.executable, "-m", "venv", "venv")
    programs = trial.folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    trial.run(programs / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *install)
    # Isolated (-I): a folder of PYTHONPATH may have another gdvar.
    trial.expect(trial.run(programs / "python", "-I", "-W", "error", "-c", IMPORT), trial.version)
    _use_command(trial, trial.folder, programs / "gdvar")
    return [seen(f"CPython {platform.python_version()} in a fresh virtual environment, {this_system()}", f"imported; {DID}")]


def wheel(trial: Trial) -> Seen:
    """Installed where it is for this machine. Otherwise the load commands of both programs in it are looked at."""
    trial.unpack()
    files = (path for path in (trial.folder / "gdvar").rglob("*") if path.is_file())
    programs = [path for path in files if path.suffix in (".so", ".pyd", ".exe") or path.name == "gdvar"]
    if sorted(path.stem.split(".")[0] for path in programs) != ["_gdvar", "gdvar"]:
        trial.fail(f"has {programs}")
    lines = [line for path in programs for line in load_commands(trial, path)]
    if runs_here(trial.target) and "-musl" not in trial.target:
        return lines + _use_python(trial, "--no-index", trial.path)
    return lines + [not_run("it is for another Python")]


def sdist(trial: Trial) -> Seen:
    """Built by pip, as users without a wheel for their system do it: this takes minutes, and pip's index."""
    return _use_python(trial, trial.path)


# ---- the npm packages


def _in_project(trial: Trial, way: str, option: str, systems: list[str], *packages: Path) -> Line:
    """Installed offline in an empty project: the library imported, the command used. It is the program of the one package of `systems`."""
    environment = {}
    if sys.platform == "linux":
        # Debian's own Node may be too old.
        node = Path(trial.shell('. "$root_dir/tools/shell/js.sh"; find_node')).parent
        environment["PATH"] = os.pathsep.join([str(node), os.environ["PATH"]])
    folder = trial.folder / "project"
    folder.mkdir()
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    (folder / "use.js").write_text('import { decode, encode } from "gdvar"; console.log(decode(encode([1n, "two"]))[1]);')
    trial.run("npm", "install", "--offline", "--no-audit", "--no-fund", "--silent", option, *packages, cwd=folder, env=environment)
    installed = [path.name for path in (folder / "node_modules/@gdvar").glob("*")]
    if installed != systems:
        trial.fail(f"npm installed the programs for {installed}, not {systems}")
    trial.expect(trial.run("node", "use.js", cwd=folder, env=environment), "two")
    trial.expect(trial.run("npx", "--offline", "gdvar", "--version", cwd=folder, env=environment), f"gdvar {trial.version}")
    # The script that npx starts, by itself: npx is a batch file on Windows, which changes quotes in words.
    _use_command(trial, folder, "node", "node_modules/gdvar/dist/command.js", env=environment)
    version = trial.run("node", "-v", env=environment).strip()
    return seen(f"{way}, in an empty project, Node {version}, {this_system()}", f"imported; {DID}")


def npm_command(trial: Trial) -> Seen:
    """Its program's load commands; where it is for this machine, beside the package `npm`, which starts it."""
    trial.unpack()
    (program,) = (trial.folder / "package/bin").iterdir()
    lines = load_commands(trial, program)
    library = trial.path.with_name(f"gdvar-{trial.version}.tgz")
    if not runs_here(trial.target):
        return [*lines, not_run("it is for another system")]
    if not library.is_file():
        return [*lines, not_run(f"{library.name} is missing")]
    # npm looks for the packages of the other systems, too, which are not published yet.
    system = trial.path.name.removeprefix("gdvar-").removesuffix(f"-{trial.version}.tgz")
    return [*lines, _in_project(trial, "the program for this system", "--force", [system], trial.path, library)]


def npm(trial: Trial) -> Seen:
    """Without a package for this system: by WebAssembly."""
    return [_in_project(trial, "WebAssembly", "--omit=optional", [], trial.path)]


# ---- the page

# The element that the script fills; before that it is `<div id="app"></div>`.
DRAWN = re.compile(r'id="app"><(?!/)')


def _seen_in_browser(trial: Trial, address: str) -> Seen:
    browser = shutil.which(os.environ.get("CHROMIUM", "chromium"))
    if not browser:
        return [not_run("Chromium is missing")]
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={trial.folder / 'profile'}"]
    drawn = trial.run(browser, *flags, "--virtual-time-budget=20000", "--dump-dom", address)
    if not DRAWN.search(drawn):
        trial.fail("the page draws nothing")
    return [seen(trial.run(browser, "--version").strip(), "opened and drawn")]


def _policy_holds(trial: Trial, text: str) -> Line:
    """The hashes in the page's policy are those of its script and style, so that a browser runs it as it was built."""
    for kind, begin, end in (("script", '<script type="module">', "</script>"), ("style", "<style>", "</style>")):
        inner = text.partition(begin)[2].rpartition(end)[0] if kind == "script" else text.partition(begin)[2].partition(end)[0]
        digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        if f"{kind}-src 'sha256-{digest}'" not in text:
            trial.fail(f"the hash of the {kind} is not in the policy")
    return looked_at("integrity", "script and style have the hashes of the page's policy")


def page(trial: Trial) -> Seen:
    text = trial.path.read_text()
    if '<template id="licences">' not in text:
        trial.fail("the licences are missing")
    return [_policy_holds(trial, text), *_seen_in_browser(trial, trial.path.as_uri())]


def site(trial: Trial) -> Seen:
    """Served as a host would."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """The browser ends while its service worker still fetches."""

    handler = functools.partial(Quiet, directory=str(trial.unpacked()))
    with Server(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            return _seen_in_browser(trial, f"http://127.0.0.1:{server.server_port}/")
        finally:
            server.shutdown()
