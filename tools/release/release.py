"""Makes all files of a release, one after another, and says of each what it is.

How it is used: the comment at the top of `scripts/package`. The manifest is written after each artefact, so that a run which was
stopped goes on where it was: what is there, has the hash in the manifest, and was made of the same commit is not made again.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import typing
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import channels
import contents
import publishing
import trying
from artefacts import TABLE, Artefact
from making import Release

if sys.platform != "win32":
    import fcntl

MANIFEST = "manifest.json"
Entry = dict[str, typing.Any]


def say(text: str) -> None:
    print(text, flush=True)


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(path: Path, data: bytes) -> None:
    """The old or the new file, whole."""
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(data)
    partial.replace(path)


# ---- the manifest


def read_manifest(release: Release) -> Entry:
    path = release.dist / MANIFEST
    made = json.loads(path.read_text()) if path.is_file() else {}
    if made.get("commit") != release.commit:
        made = {}
    return {
        "version": release.version,
        "commit": release.commit,
        "epoch": release.epoch,
        "homepage": release.url,
        "artefacts": made.get("artefacts", []),
    }


def finished(release: Release, manifest: Entry, artefact: Artefact) -> Entry | None:
    """Its entry, if the file is the one that was made."""
    entry = next((entry for entry in manifest["artefacts"] if entry["name"] == artefact.name), None)
    if entry is None:
        return None
    path = release.dist / entry["file"]
    return entry if path.is_file() and sha256(path) == entry["sha256"] else None


def write_manifest(release: Release, manifest: Entry) -> None:
    """With the lists that come of it: a run that is stopped leaves checksums that fit."""
    order = [artefact.name for artefact in TABLE]
    manifest["artefacts"].sort(key=lambda entry: order.index(entry["name"]))
    write(release.dist / MANIFEST, (json.dumps(manifest, indent=2) + "\n").encode())
    # The SPDX list, what package managers read, and the checksums of all.
    base = release.download("").rstrip("/")
    lists = {
        f"gdvar-{release.version}.spdx.json": json.dumps(contents.spdx(manifest, base), indent=2) + "\n",
        "changes.md": changes(release.root, release.version),
        "gdvar.json": channels.scoop(manifest, base),
        "gdvar.rb": channels.homebrew(manifest, base),
    }
    for name, text in lists.items():
        if text is None:
            (release.dist / name).unlink(missing_ok=True)
        else:
            write(release.dist / name, text.encode())
    known = {*lists, MANIFEST, "NOTICES.txt", *(entry["file"] for entry in manifest["artefacts"])}
    files = sorted(path for path in release.dist.iterdir() if path.name in known)
    write(release.dist / "SHA256SUMS", "".join(f"{sha256(path)}  {path.name}\n" for path in files).encode())


# ---- making


def members(path: Path) -> Iterator[tuple[str, bytes]]:
    """The files in an archive; the file itself, if it is none."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as made:
            yield from ((name, made.read(name)) for name in made.namelist())
    elif path.name.endswith((".tar.gz", ".tgz")):
        with tarfile.open(path) as tar:
            for member in tar:
                if member.isfile():
                    yield member.name, tar.extractfile(member).read()  # type: ignore[union-attr]
    else:
        yield path.name, path.read_bytes()


BASE64 = re.compile(rb"[A-Za-z0-9+/]{64,}")
MOST_UNPACKED = 1 << 26


def layers(data: bytes) -> Iterator[bytes]:
    """The bytes, and what is inside of them as gzip or Base64: the page has its worker and the modules in such texts."""
    yield data
    if data.startswith(b"\x1f\x8b"):
        with contextlib.suppress(zlib.error):
            yield from layers(zlib.decompressobj(wbits=31).decompress(data, MOST_UNPACKED))
    for found in BASE64.finditer(data):
        text = found[0][: len(found[0]) - (len(found[0]) % 4 == 1)]
        yield from layers(base64.b64decode(text + b"=" * (-len(text) % 4)))


def check_paths(release: Release, path: Path) -> None:
    """Nothing in it names a folder of this machine: the same sources would be other bytes elsewhere. The name of a
    member of a static library could hold the cache's path with _ for each /."""
    cache = contents.shell(release.root, "echo $cache_dir").strip()
    folders = (str(release.root), cache, cache.replace("/", "_"))
    for name, data in members(path):
        for layer in layers(data):
            for folder in folders:
                if found := re.search(re.escape(folder.encode()) + rb"[ -~]{,100}", layer):
                    raise SystemExit(f"error: {name} in {path.name} names {found[0].decode()}")


def make(release: Release, artefact: Artefact) -> Entry:
    say(f"\n=== make {artefact.name}")
    shutil.rmtree(release.work, ignore_errors=True)
    release.work.mkdir(parents=True)
    start = time.monotonic()
    path = artefact.maker(release, artefact)
    check_paths(release, path)
    path.replace(release.dist / path.name)
    path = release.dist / path.name
    shutil.rmtree(release.work)
    entry = {
        "name": artefact.name,
        "file": path.name,
        "kind": artefact.kind,
        "target": artefact.target,
        "size": path.stat().st_size,
        "sha256": sha256(path),
        "built": (artefact.maker.__doc__ or "").split("\n")[0],
        "seconds": round(time.monotonic() - start),
        "inside": contents.parts(release.root, artefact.inside, artefact.kind),
        "tried": [],
        "verified": [],
    }
    say(f"=== {entry['file']}: {entry['size']} bytes, {entry['seconds']} s, {entry['sha256']}")
    return entry


def make_all(release: Release, chosen: list[Artefact]) -> None:
    manifest = read_manifest(release)
    for artefact in chosen:
        if finished(release, manifest, artefact):
            say(f"{artefact.name}: is there")
            continue
        entry = make(release, artefact)
        manifest["artefacts"] = [other for other in manifest["artefacts"] if other["name"] != artefact.name] + [entry]
        write_manifest(release, manifest)
    made = {entry["name"] for entry in manifest["artefacts"]}
    insides = {target for artefact in TABLE if artefact.name in made for target in artefact.inside.split()}
    write(release.dist / "NOTICES.txt", contents.notices(release.root, insides))
    write_manifest(release, manifest)
    say(f"\n{release.dist}: {len(manifest['artefacts'])} of {len(TABLE)} artefacts")


# ---- trying and verifying


def entry_of(release: Release, manifest: Entry, artefact: Artefact) -> Entry:
    entry = finished(release, manifest, artefact)
    if entry is None:
        raise SystemExit(f"error: {artefact.name} has not been made of this commit: scripts/package {release.version} --only {artefact.name}")
    return entry


def try_all(release: Release, chosen: list[Artefact]) -> list[str]:
    """Returns the names of those that had to run and did not."""
    manifest = read_manifest(release)
    source = release.dist / entry_of(release, manifest, TABLE[0])["file"]
    def shell(command: str) -> str:
        return contents.shell(release.root, command).strip()

    for artefact in chosen:
        entry = entry_of(release, manifest, artefact)
        say(f"\n=== try {artefact.name}")
        with tempfile.TemporaryDirectory(prefix="gdvar-try-", ignore_cleanup_errors=True) as folder:
            trial = trying.Trial(release.dist / entry["file"], artefact.target, release.version, source, Path(folder), shell)
            entry["tried"] = artefact.tryer(trial)
        for line in entry["tried"]:
            say(f"{line['where']}: {line['result']}")
        write_manifest(release, manifest)
    return ran_nowhere(manifest, chosen)


def ran_nowhere(manifest: Entry, rows: list[Artefact]) -> list[str]:
    """Says which of them ran on no machine, and why; returns the names of those that had to."""
    tried = {entry["name"]: entry["tried"] for entry in manifest["artefacts"]}
    missing = []
    for artefact in rows:
        lines = tried.get(artefact.name, [])
        if any(line["ran"] for line in lines):
            continue
        why = trying.NOWHERE.get(artefact.name) or "; ".join(line["result"] for line in lines) or "not tried"
        say(f"ran nowhere: {artefact.name}: {why}")
        if artefact.name not in trying.NOWHERE:
            missing.append(artefact.name)
    return missing


def try_here(release: Release) -> None:
    """Tries what is for this machine, and fails where one of these did not run."""
    rows = [artefact for artefact in TABLE if trying.is_for_here(artefact.name, artefact.target)]
    if not rows:
        raise SystemExit(f"error: nothing is for {trying.this_system()}")
    missing = try_all(release, rows)
    if missing:
        raise SystemExit(f"error: these are for this machine and did not run: {', '.join(missing)}")


def gather(release: Release, folder: Path) -> None:
    """Takes over what other machines have tried and verified: their manifests, which are below a folder. Fails where one of all
    artefacts has not been made, or ran nowhere."""
    manifest = read_manifest(release)
    own = {entry["name"]: entry for entry in manifest["artefacts"]}
    for path in sorted(folder.rglob(MANIFEST)):
        other = json.loads(path.read_text())
        if other["commit"] != release.commit:
            raise SystemExit(f"error: {path} is of another commit")
        for entry in other["artefacts"]:
            mine = own.get(entry["name"])
            if mine is None:
                continue  # Below, it is missing.
            if mine["sha256"] != entry["sha256"]:
                raise SystemExit(f"error: {path} has other bytes of {entry['file']}")
            for key in ("tried", "verified"):
                mine[key] += [line for line in entry[key] if line not in mine[key]]
    write_manifest(release, manifest)
    for artefact in TABLE:
        if not own.get(artefact.name, {}).get("verified"):
            say(f"built once: {artefact.name}")
    check_ready(release)


def check_ready(release: Release) -> Entry:
    """The manifest, of files that can be published: all are there, and ran."""
    manifest = read_manifest(release)
    unmade = [artefact.name for artefact in TABLE if not finished(release, manifest, artefact)]
    if unmade:
        raise SystemExit(f"error: these have not been made of this commit: {', '.join(unmade)}")
    missing = ran_nowhere(manifest, list(TABLE))
    if missing:
        raise SystemExit(f"error: these ran nowhere: {', '.join(missing)}")
    return manifest


def verify(release: Release, names: list[str]) -> None:
    """Builds these once more in a clone, with a cache of its own: the compiler, the sources and the libraries are fetched and built
    again, too. Without names: all that have not been verified yet."""
    manifest = read_manifest(release)
    entries = [entry_of(release, manifest, artefact) for artefact in chosen(names)]
    others = []
    with tempfile.TemporaryDirectory(prefix="gdvar-verify-") as folder:
        clone = Path(folder, "elsewhere")
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", release.root, clone], check=True)
        subprocess.run(["git", "-C", clone, "checkout", "--quiet", "--detach", release.commit], check=True)
        environment = {**os.environ, "CCACHE_DISABLE": "1", "XDG_CACHE_HOME": str(Path(folder, "cache"))}
        for entry in entries:
            if entry["verified"] and not names:
                continue
            words = [str(clone / "scripts/package"), release.version, "--only", entry["name"]]
            subprocess.run(words, check=True, env=environment)
            made = json.loads((clone / "build/dist" / release.version / MANIFEST).read_text())["artefacts"]
            (other,) = (each["sha256"] for each in made if each["name"] == entry["name"])
            if other != entry["sha256"]:
                others.append(f"error: {entry['file']} has another hash when it is built elsewhere: {other}, not {entry['sha256']}")
                continue
            entry["verified"] = [f"built again in another folder, its libraries too, without the compiler's cache: {other}"]
            write_manifest(release, manifest)
            say(f"{entry['name']}: the same bytes in another folder, {other}")
    if others:
        raise SystemExit("\n".join(others))


# ---- the words of the command line


def changes(root: Path, version: str) -> str:
    """The section of CHANGELOG.md on the version."""
    _, heading, rest = (root / "CHANGELOG.md").read_text().partition(f"\n## {version}\n")
    if not heading:
        raise SystemExit(f"error: CHANGELOG.md has no section {version}")
    return rest.partition("\n## ")[0].strip() + "\n"


def check_state(release: Release, stated: str) -> None:
    """The version is the one that is asked for, and all of the sources are in the commit."""
    if release.version != stated:
        raise SystemExit(f"error: this is version {stated} (include/gdvar/version.hpp), not {release.version}")
    changes(release.root, release.version)
    changed = release.git("status", "--porcelain")
    if changed:
        raise SystemExit(f"error: the tree has changes that no commit has:\n{changed.rstrip()}")


def stated_version(root: Path) -> str:
    text = (root / "include/gdvar/version.hpp").read_text()
    return ".".join(re.search(rf"define GDVAR_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))  # type: ignore[index]


def hold(folder: Path) -> None:
    """Until this process ends: each of two runs would lose what the other writes into the manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    if sys.platform != "win32":
        try:
            fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit(f"error: another run is at work in {folder}") from None


def chosen(names: list[str]) -> list[Artefact]:
    known = {artefact.name: artefact for artefact in TABLE}
    for name in names:
        if name not in known:
            raise SystemExit(f"error: there is no artefact {name}; there are: {', '.join(known)}")
    return [known[name] for name in names] or list(TABLE)


def main() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("root", type=Path)
    parser.add_argument("version")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true")
    what.add_argument("--only", nargs="+", default=[])
    what.add_argument("--try", nargs="*", dest="tries")
    what.add_argument("--try-here", action="store_true")
    what.add_argument("--gather", nargs=1, type=Path)
    what.add_argument("--verify", nargs="*")
    what.add_argument("--publish", choices=tuple(publishing.PLACES))
    given = parser.parse_args()
    if given.list:
        for artefact in TABLE:
            print(f"{artefact.name}\t{artefact.file.format(v=given.version)}\t{artefact.kind}\t{artefact.target}")
        return
    release = Release(given.root, given.version)
    check_state(release, stated_version(given.root))
    hold(release.dist)
    if given.tries is not None:
        try_all(release, chosen(given.tries))
    elif given.try_here:
        try_here(release)
    elif given.gather:
        gather(release, given.gather[0])
    elif given.verify is not None:
        verify(release, given.verify)
    elif given.publish:
        publishing.PLACES[given.publish](release, check_ready(release))
    else:
        make_all(release, chosen(given.only))


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as failed:
        words = failed.cmd if isinstance(failed.cmd, str) else " ".join(map(str, failed.cmd))
        sys.exit(f"error: {words} ends with {failed.returncode}\n{failed.stderr or ''}".rstrip())
