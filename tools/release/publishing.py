"""Publishes the files of a release. Each place is asked first what it has: after a break the same line goes on. Where it has other bytes
under the same name, that is an error."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import tarfile
import typing
from collections.abc import Callable
from pathlib import Path

if typing.TYPE_CHECKING:
    from making import Release

Manifest = dict[str, typing.Any]


def _files(release: Release, manifest: Manifest, *kinds: str) -> list[Path]:
    return [release.dist / entry["file"] for entry in manifest["artefacts"] if entry["kind"] in kinds]


def pypi(release: Release, manifest: Manifest) -> None:
    """Puts the files for PyPI into build/pypi, from where the forge's own step uploads them: no token is needed there."""
    folder = release.root / "build/pypi"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in _files(release, manifest, "wheel", "Python sources"):
        shutil.copy(path, folder)


def _integrity(path: Path) -> str:
    """As npm has the hash of an archive."""
    return "sha512-" + base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()


def npm(release: Release, manifest: Manifest) -> None:
    """The packages of the systems come first: the table has them before the one that names them."""
    for path in _files(release, manifest, "npm package"):
        with tarfile.open(path) as tar:
            package = json.load(tar.extractfile("package/package.json"))  # type: ignore[arg-type]
        name = f"{package['name']}@{package['version']}"
        asked = subprocess.run(["npm", "view", name, "dist.integrity"], capture_output=True, text=True)
        if asked.returncode and "E404" not in asked.stderr:
            raise SystemExit(f"error: npm does not tell whether it has {name}:\n{asked.stderr}")
        there = asked.stdout.strip()
        if there and there != _integrity(path):
            raise SystemExit(f"error: npm has {name} with other bytes: {there}")
        if there:
            print(f"{name}: is there", flush=True)
        else:
            subprocess.run(["npm", "publish", "--provenance", "--access", "public", str(path)], check=True)


def forge(release: Release, manifest: Manifest) -> None:
    """A draft gets the files, so that nobody sees a part of them."""
    tag = f"v{release.version}"
    shown = subprocess.run(["gh", "release", "view", tag, "--json", "isDraft", "--jq", ".isDraft"], cwd=release.root, capture_output=True, text=True)
    if shown.returncode == 0 and shown.stdout.strip() == "false":
        print(f"the release {tag} is there", flush=True)
        return

    def gh(*words: str | Path) -> None:
        subprocess.run(["gh", "release", *words], cwd=release.root, check=True)

    if shown.returncode:
        notes = release.dist / "changes.md"
        gh("create", tag, "--draft", "--verify-tag", "--title", f"gdvar {release.version}", "--notes-file", notes)
    listed = [line.split()[1] for line in (release.dist / "SHA256SUMS").read_text().splitlines()]
    gh("upload", tag, "--clobber", *(release.dist / name for name in [*listed, "SHA256SUMS"]))
    gh("edit", tag, "--draft=false")


PLACES: dict[str, Callable[[Release, Manifest], None]] = {"pypi": pypi, "npm": npm, "forge": forge}
