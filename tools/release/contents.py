"""The parts that are inside the artefacts: their versions and licences, the notices, and the SPDX list of all that."""

from __future__ import annotations

import datetime
import json
import os
import re
import shutil
import subprocess
import typing
from collections.abc import Iterable
from pathlib import Path


class Kind(typing.NamedTuple):
    """A part that gdvar may contain: its SPDX licence, of which gdvar takes the choice that is no GPL, and what has its version."""

    title: str
    licence: str
    version: str


# By the names that tools/native/notices.sh gives the texts.
KINDS: dict[str, Kind] = {
    "godot": Kind("Godot Engine (two files follow it)", "MIT", ""),
    "boost": Kind("Boost", "BSL-1.0", "package libboost1.81-dev"),
    "brotli": Kind("Brotli", "MIT", "source"),
    "cli11": Kind("CLI11", "BSD-3-Clause", "package libcli11-dev"),
    "enet": Kind("ENet", "MIT", "source"),
    "mimalloc": Kind("mimalloc", "MIT", "source"),
    "ncurses": Kind("ncurses", "X11-distribute-modifications-variant", "source"),
    "openssl": Kind("OpenSSL", "Apache-2.0", "source"),
    "zlib": Kind("zlib", "Zlib", "source"),
    "zig": Kind("Zig's compiler runtime", "MIT", "zig"),
    "libcxx": Kind("libc++", "Apache-2.0 WITH LLVM-exception", "zig"),
    "libcxxabi": Kind("libc++abi", "Apache-2.0 WITH LLVM-exception", "zig"),
    "libunwind": Kind("libunwind", "Apache-2.0 WITH LLVM-exception", "zig"),
    "glibc": Kind("the GNU C Library (what starts a program)", "LGPL-2.1-or-later", "zig"),
    "musl": Kind("musl", "MIT", "zig"),
    "mingw-w64": Kind("MinGW-w64 runtime", "ZPL-2.1", "zig"),
    "gdtoa": Kind("gdtoa (in the MinGW-w64 runtime)", "SMLNJ", "zig"),
    "mbedtls": Kind("Mbed TLS", "Apache-2.0", "source"),
    "libzstd": Kind("Zstandard", "BSD-3-Clause", "source"),
    "libc++": Kind("libc++ for WebAssembly", "Apache-2.0 WITH LLVM-exception", "package libc++-22-dev-wasm32"),
    "wasi-libc": Kind("wasi-libc", "Apache-2.0 WITH LLVM-exception AND Apache-2.0 AND MIT AND CC0-1.0", "package wasi-libc"),
    "wasi-libc-mit": Kind("wasi-libc's parts of others", "MIT", "zig"),
    "preact": Kind("Preact", "MIT", "npm preact"),
    "signals": Kind("@preact/signals", "MIT", "npm @preact/signals"),
    "signals-core": Kind("@preact/signals-core", "MIT", "npm @preact/signals-core"),
    "comlink": Kind("Comlink", "Apache-2.0", "npm comlink"),
    "d3-hierarchy": Kind("d3-hierarchy", "ISC", "npm d3-hierarchy"),
    "ibm-plex-mono": Kind("IBM Plex Mono", "OFL-1.1", "npm @fontsource/ibm-plex-mono"),
    "ibm-plex-sans": Kind("IBM Plex Sans", "OFL-1.1", "npm @fontsource/ibm-plex-sans"),
}

# The command has these, and the C library of the same target does not.
COMMAND_ALONE = {"boost", "cli11", "enet", "mimalloc", "ncurses"}

AUTHORS = "gdvar contributors"


def homepage(root: Path) -> str:
    """The address of the project, which CMakeLists.txt alone states."""
    found = re.search(r'HOMEPAGE_URL "([^"]+)"', (root / "CMakeLists.txt").read_text())
    if not found:
        raise SystemExit("error: CMakeLists.txt has no HOMEPAGE_URL")
    return found[1]


def shell(root: Path, command: str) -> str:
    """The output of a command that uses the shell's side of the project."""
    parts = ("tools/shell/lib.sh", "tools/shell/python.sh", "tools/native/zig.sh", "tools/native/notices.sh")
    script = "set -euo pipefail; " + "".join(f". '{root.as_posix()}/{part}'; " for part in parts) + command
    # By its path: Windows would take the one of its Linux.
    bash = shutil.which("bash") or "bash"
    done = subprocess.run([bash, "-c", script], check=True, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    return done.stdout


def notices(root: Path, insides: Iterable[str]) -> bytes:
    """The licences of all that is in these, each text once."""
    return shell(root, f"notices {' '.join(sorted(insides))}").encode()


def _version(root: Path, name: str, target: str) -> str:
    """The version of a part that is in what was built for a target, from where it comes."""
    how, _, source = KINDS[name].version.partition(" ")
    if how == "package":
        return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", source], check=True, capture_output=True, text=True).stdout
    if how == "source":
        folder = "wasm" if target in ("npm", "page") else f"native/{target}"
        return Path(shell(root, "echo $cache_dir").strip(), folder, "versions", name).read_text().strip()
    if how == "npm":
        return str(json.loads((root / "web/node_modules" / source / "package.json").read_text())["version"])
    if how == "zig":
        return re.search(r"^ziglang==(\S+)", (root / "tools/native/requirements.txt").read_text(), re.M)[1]  # type: ignore[index]
    return ""


def parts(root: Path, inside: str, kind: str) -> list[dict[str, str]]:
    """The parts of an artefact of that kind, built for these targets: name, title, version, licence."""
    found = {(line.split()[0], target) for target in inside.split() for line in shell(root, f"notice_files {target}").splitlines()}
    if kind == "C library":
        found = {(name, target) for name, target in found if name not in COMMAND_ALONE}
    unknown = sorted({name for name, _ in found if name not in KINDS})
    if unknown:
        raise SystemExit(f"error: tools/release/contents.py does not know the licence of {', '.join(unknown)}")
    return [
        {"name": name, "title": KINDS[name].title, "version": version, "licence": KINDS[name].licence}
        for name, version in sorted({(name, _version(root, name, target)) for name, target in found})
    ]


def _spdx_id(*words: str) -> str:
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", "-".join(words)).strip("-")


def _package(spdx_id: str, name: str, version: str, licence: str, origin: str) -> dict[str, typing.Any]:
    return {
        "SPDXID": spdx_id,
        "name": name,
        **({"versionInfo": version} if version else {}),
        "downloadLocation": origin,
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
    }


def _file_package(entry: dict[str, typing.Any], version: str, base: str) -> dict[str, typing.Any]:
    """The package of an artefact. Its licence is that of all that is in it."""
    licences = sorted({"MIT", *(part["licence"] for part in entry["inside"])})
    terms = " AND ".join(f"({licence})" if " " in licence else licence for licence in licences)
    package = _package(_spdx_id("file", entry["name"]), entry["file"], version, terms, f"{base}/{entry['file']}")
    return {
        **package,
        "licenseDeclared": "MIT",
        "packageFileName": entry["file"],
        "supplier": f"Organization: {AUTHORS}",
        "checksums": [{"algorithm": "SHA256", "checksumValue": entry["sha256"]}],
    }


def spdx(manifest: dict[str, typing.Any], base: str) -> dict[str, typing.Any]:
    """The SPDX 2.3 document of what the manifest lists. `base` is the address of the files."""
    version = manifest["version"]
    packages, relations, known = [], [], {}
    for entry in manifest["artefacts"]:
        package = _file_package(entry, version, base)
        packages.append(package)
        relations.append(("SPDXRef-DOCUMENT", "DESCRIBES", package["SPDXID"]))
        for part in entry["inside"]:
            spdx_id = _spdx_id("part", part["name"], part["version"])
            known[spdx_id] = _package(spdx_id, part["title"], part["version"], part["licence"], "NOASSERTION")
            relations.append((package["SPDXID"], "CONTAINS", spdx_id))
    created = datetime.datetime.fromtimestamp(manifest["epoch"], datetime.timezone.utc)
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"gdvar-{version}",
        "documentNamespace": f"{manifest['homepage']}/spdx/gdvar-{version}-{manifest['commit']}",
        "creationInfo": {
            "created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": [f"Organization: {AUTHORS}", f"Tool: gdvar-package-{version}"],
        },
        "packages": packages + [known[spdx_id] for spdx_id in sorted(known)],
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in relations
        ],
    }
