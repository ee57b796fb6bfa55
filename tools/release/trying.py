"""Uses the artefacts as their users would, from the folder of the release alone.

A tryer gets a Trial and returns what it saw: lines of where it was tried and how it went. It ends the program where something
is wrong. Programs that this machine can't run are looked at (load commands) and said not to have been run.
"""

from __future__ import annotations

import base64
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

Seen = list[dict[str, str]]

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
        done = subprocess.run(
            words, cwd=cwd or self.folder, env={**os.environ, **(env or {})}, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        if done.returncode:
            self.fail(f"{' '.join(map(str, words))} ends with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def expect(self, printed: str, wanted: str) -> None:
        if printed.strip() != wanted:
            self.fail(f"printed {printed!r}, not {wanted!r}")

    def unpacked(self) -> Path:
        """The one folder in it."""
        if self.path.suffix == ".zip":
            with zipfile.ZipFile(self.path) as made:
                made.extractall(self.folder)
        else:
            self.run("tar", "-xf", self.path)
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


def seen(where: str, result: str) -> dict[str, str]:
    """A line of the manifest."""
    return {"where": where, "result": result}


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
    enter: list[str | Path] = ["chroot", root] if os.geteuid() == 0 else ["unshare", "--map-root-user", "chroot", root]
    where = "an empty root"
    if not runs_here(trial.target):
        emulator = shutil.which("qemu-aarch64-static")
        if not emulator:
            return [seen("this machine", "not run: qemu-user-static is missing")]
        shutil.copy(emulator, root)
        enter.append("/qemu-aarch64-static")
        where += " with qemu-aarch64-static"
    _use_command(trial, root, *enter, "/gdvar")
    return [seen(where, DID)]


def _under_wine(trial: Trial, top: Path) -> Seen:
    if not shutil.which("wine"):
        return [seen("this machine", "not run: Wine is missing")]
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
    return lines + [seen("this machine", "not run: there is no such system here")]


# ---- load commands


def load_commands(trial: Trial, program: Path) -> Seen:
    """For which machine a file is, and what it loads: nothing that the system does not have."""
    if not shutil.which("llvm-readobj-19"):
        return [seen("load commands", "not looked at: LLVM 19 is missing")]
    check = {"windows": _pe, "macos": _mach_o, "linux": _elf}[trial.target.split("-")[1]]
    return [seen("load commands", check(trial, program))]


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
    zig = [trial.shell("echo $zig"), "cc", "-target", trial.target.replace("-macos", "-macos.11.0")]
    if trial.target == "aarch64-linux-gnu":
        sysroot, emulator = Path("/usr/aarch64-linux-gnu"), shutil.which("qemu-aarch64-static")
        runs = [emulator, "-L", str(sysroot)] if emulator and (sysroot / "lib/libc.so.6").exists() else []
        zig[-1] += ".2.17"
        return _Linked(zig, runs, "zig's clang, and qemu-aarch64-static")
    if trial.target == "x86_64-windows-gnu":
        return _Linked(zig, ["wine"] if shutil.which("wine") else [], "zig's clang, and Wine")
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
    lines, linked = load_commands(trial, shared), _linker(trial)
    suffix = ".exe" if "-windows-" in trial.target else ""
    ways = {
        "shared": _pkg_config(trial, top, "--cflags", "--libs"),
        "static": [
            word if word != "-lgdvar-c" else str(top / "lib/libgdvar-c.a")
            for word in _pkg_config(trial, top, "--static", "--cflags", "--libs")
        ],
    }
    for way, flags in ways.items():
        program = trial.folder / f"{way}{suffix}"
        trial.run(*linked.compiler, "-std=c99", example, "-o", program, *flags)
        if linked.runner:
            _use_library(trial, top, program, linked.runner)
        result = "bindings/c/examples/save.c: as expected" if linked.runner else "bindings/c/examples/save.c linked, not run"
        lines.append(seen(f"{way}, by pkg-config and {linked.where}", result))
    return lines


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
    if not trial.run("./program").startswith("Ada: 100 hp\n"):
        trial.fail("the first program of README.md prints something else")
    return [seen("the core alone, by CMake and pkg-config", "built, installed, examples/readme.cpp: as expected")]


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
    trial.expect(trial.run(programs / "python", "-W", "error", "-c", IMPORT), trial.version)
    _use_command(trial, trial.folder, programs / "gdvar")
    return [seen(f"CPython {platform.python_version()} in a fresh virtual environment", f"imported; {DID}")]


def wheel(trial: Trial) -> Seen:
    """Installed where it is for this machine. Otherwise the load commands of both programs in it are looked at."""
    with zipfile.ZipFile(trial.path) as made:
        made.extractall(trial.folder / "wheel")
    files = (path for path in (trial.folder / "wheel/gdvar").rglob("*") if path.is_file())
    programs = [path for path in files if path.suffix in (".so", ".pyd", ".exe") or path.name == "gdvar"]
    if sorted(path.stem.split(".")[0] for path in programs) != ["_gdvar", "gdvar"]:
        trial.fail(f"has {programs}")
    lines = [line for path in programs for line in load_commands(trial, path)]
    if runs_here(trial.target) and "-musl" not in trial.target:
        return lines + _use_python(trial, "--no-index", trial.path)
    return lines + [seen("this machine", "not installed: there is no such Python here")]


def sdist(trial: Trial) -> Seen:
    """Built by pip, as users without a wheel for their system do it: this takes minutes, and pip's index."""
    return _use_python(trial, trial.path)


# ---- the npm packages


def npm_command(trial: Trial) -> Seen:
    """Its program's load commands. The package `npm` is tried with it."""
    trial.run("tar", "-xf", trial.path)
    (program,) = (trial.folder / "package/bin").iterdir()
    return [*load_commands(trial, program), seen("this machine", "installed with the package `npm`" if runs_here(trial.target) else "not run")]


def npm(trial: Trial) -> Seen:
    """Installed offline in an empty project: beside the package for this system, which runs, then without it, by WebAssembly."""
    node = Path(trial.shell('. "$root_dir/tools/shell/js.sh"; find_node')).parent
    environment = {"PATH": os.pathsep.join([str(node), os.environ["PATH"]])}
    system = trial.run("node", "-p", "process.platform + '-' + process.arch", env=environment).strip()
    own = trial.path.with_name(f"gdvar-{system}-{trial.version}.tgz")
    lines = []
    for way, packages in (("the program for this system", [own, trial.path]), ("WebAssembly", [trial.path])):
        if not all(package.is_file() for package in packages):
            lines.append(seen(f"{way}, in an empty project", f"not tried: {own.name} is missing"))
            continue
        folder = trial.folder / way.replace(" ", "-")
        folder.mkdir()
        (folder / "package.json").write_text('{"private": true, "type": "module"}')
        (folder / "use.js").write_text('import { decode, encode } from "gdvar"; console.log(decode(encode([1n, "two"]))[1]);')
        words = ["--offline", "--no-audit", "--no-fund", "--silent", "--omit=optional" if len(packages) == 1 else "--force"]
        trial.run("npm", "install", *words, *packages, cwd=folder, env=environment)
        trial.expect(trial.run("node", "use.js", cwd=folder, env=environment), "two")
        _use_command(trial, folder, "npx", "--offline", "gdvar", env=environment)
        lines.append(seen(f"{way}, in an empty project, Node {trial.run('node', '-v', env=environment).strip()}", f"imported; {DID}"))
    return lines


# ---- the page

OPENED = 'id="app"><'


def _seen_in_browser(trial: Trial, address: str) -> Seen:
    browser = shutil.which(os.environ.get("CHROMIUM", "chromium"))
    if not browser:
        return [seen("this machine", "not opened: Chromium is missing")]
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={trial.folder / 'profile'}"]
    drawn = trial.run(browser, *flags, "--virtual-time-budget=20000", "--dump-dom", address)
    if OPENED not in drawn:
        trial.fail("the page draws nothing")
    return [seen(trial.run(browser, "--version").strip(), "opened and drawn")]


def _policy_holds(trial: Trial, text: str) -> dict[str, str]:
    """The hashes in the page's policy are those of its script and style, so that a browser runs it as it was built."""
    for kind, begin, end in (("script", '<script type="module">', "</script>"), ("style", "<style>", "</style>")):
        inner = text.partition(begin)[2].rpartition(end)[0] if kind == "script" else text.partition(begin)[2].partition(end)[0]
        digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        if f"{kind}-src 'sha256-{digest}'" not in text:
            trial.fail(f"the hash of the {kind} is not in the policy")
    return seen("integrity", "script and style have the hashes of the page's policy")


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
