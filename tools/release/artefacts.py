"""The table of all that a release consists of. scripts/package VERSION walks it from the top."""

from __future__ import annotations

import typing
from collections.abc import Callable
from pathlib import Path

import making
import trying

COMMAND_TARGETS = (
    "x86_64-linux-musl",
    "aarch64-linux-musl",
    "x86_64-windows-gnu",
    "aarch64-windows-gnu",
    "x86_64-macos",
    "aarch64-macos",
)
LIBRARY_TARGETS = (
    "x86_64-linux-gnu",
    "aarch64-linux-gnu",
    "x86_64-windows-gnu",
    "aarch64-windows-gnu",
    "x86_64-macos",
    "aarch64-macos",
)
# As pip names the systems.
WHEEL_TAGS = {
    "x86_64-linux-gnu": "manylinux2014_x86_64.manylinux_2_17_x86_64",
    "aarch64-linux-gnu": "manylinux2014_aarch64.manylinux_2_17_aarch64",
    "x86_64-linux-musl": "musllinux_1_2_x86_64",
    "aarch64-linux-musl": "musllinux_1_2_aarch64",
    "x86_64-windows-gnu": "win_amd64",
    "aarch64-windows-gnu": "win_arm64",
    "x86_64-macos": "macosx_11_0_x86_64",
    "aarch64-macos": "macosx_11_0_arm64",
}
# As Node names them.
NPM_SYSTEMS = {
    "linux-x64": "x86_64-linux-musl",
    "linux-arm64": "aarch64-linux-musl",
    "win32-x64": "x86_64-windows-gnu",
    "win32-arm64": "aarch64-windows-gnu",
    "darwin-x64": "x86_64-macos",
    "darwin-arm64": "aarch64-macos",
}


class Artefact(typing.NamedTuple):
    """One file of a release.

    `maker` makes it in a folder and returns its path; `tryer` uses it as its user would and returns what it saw. `inside`
    names what is compiled into it: targets of `scripts/package command` and `library`, "npm", "page" or "sources".
    """

    name: str  # in --only, --try, --verify
    file: str  # {v} is the version
    kind: str
    target: str  # "any": every system
    inside: str
    maker: Callable[..., Path]
    tryer: Callable[..., trying.Seen]


def _wheel_inside(target: str) -> str:
    """The command in it is static."""
    command = target.replace("-linux-gnu", "-linux-musl")
    return target if command == target else f"{target} {command}"


def _suffix(target: str) -> str:
    return "zip" if "-windows-" in target else "tar.gz"


TABLE: tuple[Artefact, ...] = (
    Artefact("source", "gdvar-{v}-source.tar.gz", "source archive", "any", "sources", making.source, trying.source),
    *(
        Artefact(f"command-{target}", f"gdvar-{{v}}-{target}.{_suffix(target)}", "command", target, target, making.command, trying.command)
        for target in COMMAND_TARGETS
    ),
    *(
        Artefact(f"library-{target}", f"gdvar-c-{{v}}-{target}.{_suffix(target)}", "C library", target, target, making.library, trying.library)
        for target in LIBRARY_TARGETS
    ),
    Artefact("sdist", "gdvar-{v}.tar.gz", "Python sources", "any", "sources", making.sdist, trying.sdist),
    *(
        Artefact(f"wheel-{target}", f"gdvar-{{v}}-cp311-abi3-{tag}.whl", "wheel", target, _wheel_inside(target), making.wheel, trying.wheel)
        for target, tag in WHEEL_TAGS.items()
    ),
    *(
        Artefact(f"npm-{system}", f"gdvar-{system}-{{v}}.tgz", "npm package", target, target, making.npm_command, trying.npm_command)
        for system, target in NPM_SYSTEMS.items()
    ),
    Artefact("npm", "gdvar-{v}.tgz", "npm package", "any", "npm wasm32-wasi", making.npm, trying.npm),
    Artefact("page", "gdvar.html", "page", "any", "page", making.page, trying.page),
    Artefact("site", "gdvar-{v}-site.zip", "page for a host", "any", "page", making.site, trying.site),
)
