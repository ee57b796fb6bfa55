"""Makes the artefacts: calls the scripts that build, and packs what they leave.

A maker gets the release and its row of the table, and returns the file, which it writes into the folder `release.work`.
"""

from __future__ import annotations

import html
import os
import shutil
import subprocess
import typing
from pathlib import Path

import contents
from packing import Entry, folder_entries, gzipped, write_archive

if typing.TYPE_CHECKING:
    from artefacts import Artefact

# Runs here, and writes the man page and the completions for all.
OWN_TARGET = "x86_64-linux-musl"
GENERATED = {
    "man": "gdvar.1",
    "bash": "completions/gdvar.bash",
    "zsh": "completions/_gdvar",
    "fish": "completions/gdvar.fish",
}


class Release:
    """A version, the commit that it is made of, and where things are."""

    def __init__(self, root: Path, version: str) -> None:
        self.root, self.version = root, version
        self.commit = self.git("rev-parse", "HEAD").strip()
        self.epoch = int(self.git("show", "--no-patch", "--format=%ct", "HEAD"))
        self.url = contents.homepage(root)
        self.dist = root / "build/dist" / version
        self.work = self.dist / ".work"

    def git(self, *words: str) -> str:
        return subprocess.run(["git", "-C", self.root, *words], check=True, capture_output=True, text=True).stdout

    def run(self, *words: str | Path, cwd: Path | None = None) -> None:
        """Runs a program with the time of the release, which compilers and packers take for now."""
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(self.epoch), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        subprocess.run(words, check=True, cwd=cwd or self.root, env=environment)

    def file(self, artefact: Artefact) -> Path:
        """Where the maker puts it."""
        return self.work / artefact.file.format(v=self.version)

    def folder_in(self, artefact: Artefact) -> str:
        """The one folder that an archive has at its top."""
        return self.file(artefact).name.removesuffix(".zip").removesuffix(".tar.gz")

    def download(self, name: str) -> str:
        """Where a file of the release will be found."""
        return f"{self.url}/releases/download/v{self.version}/{name}"


def source(release: Release, artefact: Artefact) -> Path:
    """The files of the commit, by `git archive`."""
    prefix = f"--prefix=gdvar-{release.version}/"
    tar = subprocess.run(["git", "-c", "tar.umask=0022", "archive", "--format=tar", prefix, release.commit], cwd=release.root, check=True, capture_output=True)
    path = release.file(artefact)
    path.write_bytes(gzipped(tar.stdout))
    return path


def _legal(release: Release, artefact: Artefact, top: str) -> list[Entry]:
    """The licences that go along with it."""
    notices = contents.notices(release.root, artefact.inside.split())
    return [Entry(f"{top}/LICENSE", (release.root / "LICENSE").read_bytes()), Entry(f"{top}/NOTICES.txt", notices)]


def _built(release: Release, target: str) -> Path:
    return release.root / "build/native" / target


def _command(release: Release, target: str) -> Path:
    release.run("scripts/package", "command", target)
    return _built(release, target) / ("gdvar.exe" if "-windows-" in target else "gdvar")


def command(release: Release, artefact: Artefact) -> Path:
    """By zig's clang: `scripts/package command`."""
    top = release.folder_in(artefact)
    own = _command(release, OWN_TARGET)
    program = _command(release, artefact.target)
    entries = [Entry(f"{top}/{program.name}", program.read_bytes(), executable=True), *_legal(release, artefact, top)]
    for word, name in GENERATED.items():
        made = subprocess.run([own, "--generate", word], check=True, capture_output=True).stdout
        entries.append(Entry(f"{top}/{name}", made))
    return write_archive(release.file(artefact), entries, release.epoch)


def pkg_config(release: Release, target: str) -> bytes:
    """gdvar-c.pc, of the same template as an installed one. An archive can be unpacked anywhere."""
    system = {"windows": "-lbcrypt -lws2_32 -lcrypt32", "linux": "-pthread -lm -ldl", "macos": ""}[target.split("-")[1]]
    values = {
        "pc_prefix": "${pcfiledir}/../..",
        "pc_libdir": "${prefix}/lib",
        "pc_includedir": "${prefix}/include",
        "pc_name": "gdvar-c",
        "pc_description": "Godot's Variant wire format from C",
        "PROJECT_HOMEPAGE_URL": release.url,
        "PROJECT_VERSION": release.version,
        "pc_requires": "",
        "pc_requires_private": "",
        # On macOS the library's name begins with @rpath. On Windows zig would take the archive beside the import library.
        "pc_libs": "-L${libdir} -lgdvar-c" + {"windows": ".dll", "macos": " -Wl,-rpath,${libdir}"}.get(target.split("-")[1], ""),
        "pc_libs_private": system,
        "pc_cflags": "",
    }
    text = (release.root / "cmake/component.pc.in").read_text()
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    if "-windows-" in target:
        # Functions of a DLL are declared in another way.
        text += "Cflags.private: -DGDVAR_C_STATIC\n"
    return text.encode()


def _library_entries(built: Path, top: str) -> list[Entry]:
    """The linker's results: the shared library with its links or its import library, and the archive with all inside."""
    entries = [Entry(f"{top}/lib/libgdvar-c.a", (built / "libgdvar-c.a").read_bytes())]
    for path in sorted((built / "bindings/c").glob("libgdvar-c*")):
        if path.is_symlink():
            entries.append(Entry(f"{top}/lib/{path.name}", link=os.readlink(path)))
        elif path.suffix == ".dll":
            entries.append(Entry(f"{top}/bin/{path.name}", path.read_bytes(), executable=True))
        elif path.name == "libgdvar-c.dll.a" or ".so" in path.name or path.suffix == ".dylib":
            entries.append(Entry(f"{top}/lib/{path.name}", path.read_bytes(), executable=path.suffix != ".a"))
    return entries


def library(release: Release, artefact: Artefact) -> Path:
    """By zig's clang: `scripts/package library`."""
    top, target = release.folder_in(artefact), artefact.target
    release.run("scripts/package", "library", target)
    entries = _library_entries(_built(release, target), top) + _legal(release, artefact, top)
    header = release.root / "bindings/c/include/gdvar/gdvar.h"
    entries.append(Entry(f"{top}/include/gdvar/gdvar.h", header.read_bytes()))
    entries.append(Entry(f"{top}/lib/pkgconfig/gdvar-c.pc", pkg_config(release, target)))
    return write_archive(release.file(artefact), entries, release.epoch)


def sdist(release: Release, artefact: Artefact) -> Path:
    """The Python package as sources, by scikit-build-core."""
    python = contents.shell(release.root, 'make_python_venv >&2; echo "$(python_venv)/bin/python"').strip()
    release.run(python, "-m", "build", "--sdist", "--no-isolation", "--outdir", release.work, "bindings/python")
    return release.file(artefact)


def wheel(release: Release, artefact: Artefact) -> Path:
    """The Python package for a system, by zig's clang and scikit-build-core."""
    release.run("scripts/package", "wheel", artefact.target)
    (path,) = (_built(release, artefact.target) / "dist").glob("*.whl")
    if path.name != release.file(artefact).name:
        raise SystemExit(f"error: tools/release/artefacts.py has no file {path.name}")
    return path.rename(release.file(artefact))


def _npm_archive(release: Release, artefact: Artefact) -> Path:
    """Where `scripts/package js` left it."""
    folder = contents.shell(release.root, "echo $cache_dir/js_package").strip()
    path = release.file(artefact)
    shutil.copyfile(Path(folder, path.name), path)
    return path


def npm(release: Release, artefact: Artefact) -> Path:
    """The library, and the command as WebAssembly: `scripts/package js --pack`."""
    release.run("scripts/package", "js", "--pack")
    return _npm_archive(release, artefact)


def npm_command(release: Release, artefact: Artefact) -> Path:
    """The command for a system, by zig's clang, as a package of npm."""
    release.run("scripts/package", "js", "--commands", artefact.name.removeprefix("npm-"))
    return _npm_archive(release, artefact)


def page(release: Release, artefact: Artefact) -> Path:
    """The page in one file, by Vite: `scripts/package page`."""
    # People pass it on: the licences are in it, where no browser shows them.
    release.run("scripts/package", "page")
    text = (release.root / "web/dist/gdvar.html").read_text()
    legal = (release.root / "LICENSE").read_text() + "\n" + contents.notices(release.root, artefact.inside.split()).decode()
    if text.count("</body>") != 1:
        raise SystemExit("error: the page has no one end")
    path = release.file(artefact)
    path.write_text(text.replace("</body>", f'<template id="licences"><pre>{html.escape(legal)}</pre></template></body>'))
    return path


def site(release: Release, artefact: Artefact) -> Path:
    """The page in several files, by Vite: `scripts/package page`."""
    release.run("scripts/package", "page")
    top = release.folder_in(artefact)
    entries = folder_entries(release.root / "web/dist/site", top) + _legal(release, artefact, top)
    return write_archive(release.file(artefact), entries, release.epoch)
