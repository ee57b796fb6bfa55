"""The table of all that a release consists of. scripts/package VERSION walks it from the top."""

from __future__ import annotations

import re
import typing
from collections.abc import Callable
from pathlib import Path

import making
import trying

ROOT = Path(__file__).parents[2]


def _table(file: str, row: str) -> dict[str, str]:
    """A table of another script, which makes what its rows name."""
    rows = dict(re.findall(row, (ROOT / file).read_text(), re.M))
    if not rows:
        raise SystemExit(f"error: {file} has no such table")
    return rows


# As Node names the systems, each with the target of its command.
NPM_SYSTEMS = _table("bindings/js/packages.mjs", r'^    "([a-z0-9]+-[a-z0-9]+)": "(\S+)",$')
COMMAND_TARGETS = tuple(NPM_SYSTEMS.values())
LIBRARY_TARGETS = tuple(target.replace("-musl", "-gnu") for target in COMMAND_TARGETS)
# As pip names the systems; a file name has the names in order.
WHEEL_TAGS = {target: ".".join(sorted(tags.split())) for target, tags in _table("tools/native/wheel.sh", r'^    \[(\S+)\]="?([^"\n]+)"?$').items()}


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
