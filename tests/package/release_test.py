#!/usr/bin/env python3
"""The words and lists of scripts/package VERSION, without building: the table, packing, the SPDX list, the manifests of
Scoop and Homebrew, resuming, and that the places which name the project's address agree.

Usage: release_test.py SOURCE_DIR
"""

import base64
import collections
import contextlib
import gzip
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import types
import unittest
import unittest.mock

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "tools/release"))

import artefacts  # noqa: E402
import channels  # noqa: E402
import contents  # noqa: E402
import making  # noqa: E402
import packing  # noqa: E402
import publishing  # noqa: E402
import release  # noqa: E402
import trying  # noqa: E402

VERSION = release.stated_version(ROOT)
# https://spdx.org/licenses: those that are used here.
SPDX_LICENCES = {"Apache-2.0", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC", "LGPL-2.1-or-later", "SMLNJ", "MIT", "OFL-1.1",
                 "X11-distribute-modifications-variant", "ZPL-2.1", "Zlib"}
SPDX_EXCEPTIONS = {"LLVM-exception"}


def package(*words):
    return subprocess.run([ROOT / "scripts/package", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def made_up(names=None):
    """A manifest as if all had been made."""
    parts = [{"name": name, "title": kind.title, "version": "1.0", "licence": kind.licence} for name, kind in contents.KINDS.items()]
    rows = [row for row in artefacts.TABLE if names is None or row.name in names]
    return {
        "version": VERSION, "commit": "0" * 40, "epoch": 1_700_000_000, "homepage": contents.homepage(ROOT),
        "artefacts": [{"name": row.name, "file": row.file.format(v=VERSION).replace("*", "x"), "kind": row.kind, "target": row.target,
                       "size": 1, "sha256": f"{number:064x}", "inside": parts} for number, row in enumerate(rows)],
    }


class Table(unittest.TestCase):
    def test_names_and_files_are_each_one(self):
        for field in ("name", "file"):
            values = [getattr(row, field) for row in artefacts.TABLE]
            self.assertEqual([value for value, n in collections.Counter(values).items() if n > 1], [])

    def test_targets_are_those_of_the_builder(self):
        builder = (ROOT / "tools/native/build.sh").read_text()
        both = re.search(r"^known=\((.*)\)", builder, re.M)[1].split()
        for kind, targets in (("command", artefacts.COMMAND_TARGETS), ("library", artefacts.LIBRARY_TARGETS)):
            own = re.search(rf"^{kind}\) known\+=\((.*?)\)", builder, re.M)[1].split()
            # The command for WASI is in the npm package.
            self.assertEqual(sorted(targets), sorted({*both, *own} - {"wasm32-wasi"}))

    def test_list_prints_every_row(self):
        done = package(VERSION, "--list")
        self.assertEqual(done.returncode, 0, done.stderr)
        listed = [line.split("\t")[0] for line in done.stdout.splitlines()]
        self.assertEqual(listed, [row.name for row in artefacts.TABLE])

    def test_help_says_all(self):
        printed = package("--help").stdout
        self.assertEqual(package(VERSION, "--help").stdout, printed)
        options = set(re.findall(r'"(--[\w-]+)"', (ROOT / "tools/release/release.py").read_text()))
        self.assertTrue({"--list", "--only", "--try", "--try-here", "--gather", "--verify", "--publish"} <= options)
        # Those of git are among the words of release.py.
        for option in options - {"--quiet", "--detach", "--porcelain", "--no-checkout"}:
            self.assertIn(f"VERSION {option}", printed)
        # A mistake prints the words alone.
        for line in package("nothing").stderr.splitlines()[1:]:
            self.assertRegex(line, r"^  scripts/package( (\[?--?[a-z-]+|\[?[A-Z]+(\.\.\.)?|[a-z]+|\.\.\.)\]?)+$")
        for word in ("SHA256SUMS", "NOTICES.txt", "manifest.json", "SPDX", "Scoop", "Homebrew", "build/dist"):
            self.assertIn(word, printed)

    def test_mistakes(self):
        for words, code, wanted in (
            (("99.0.0",), 1, f"this is version {VERSION}"),
            ((VERSION, "--only"), 2, "usage:"),
            ((VERSION, "--try", "--now"), 2, "usage:"),
            ((VERSION, "--try-here", "source"), 2, "usage:"),
            ((VERSION, "--gather"), 2, "usage:"),
            ((VERSION, "now"), 2, "usage:"),
        ):
            done = package(*words)
            self.assertEqual(done.returncode, code, words)
            self.assertIn(wanted, done.stderr)
        with self.assertRaisesRegex(SystemExit, "there is no artefact nothing; there are: source, "):
            release.chosen(["nothing"])


class Packing(unittest.TestCase):
    ENTRIES = [packing.Entry("top/b", b"two", True), packing.Entry("top/a", b"one"), packing.Entry("top/l", link="a")]

    def test_bytes_depend_on_the_contents_alone(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for suffix in ("tar.gz", "zip"):
                one = packing.write_archive(folder / f"one.{suffix}", self.ENTRIES, 1_700_000_000).read_bytes()
                other = packing.write_archive(folder / f"two.{suffix}", self.ENTRIES[::-1], 1_700_000_000).read_bytes()
                self.assertEqual(one, other)

    def test_tar(self):
        with tempfile.TemporaryDirectory() as name:
            path = packing.write_archive(pathlib.Path(name, "a.tar.gz"), self.ENTRIES, 1_700_000_000)
            self.assertEqual(path.read_bytes()[3:8], bytes(5), "gzip has a name or a time")
            listed = subprocess.run(["tar", "--utc", "-tvf", path], capture_output=True, text=True, check=True).stdout
            self.assertEqual(re.sub(r" +", " ", listed).splitlines(), [
                "-rw-r--r-- 0/0 3 2023-11-14 22:13 top/a",
                "-rwxr-xr-x 0/0 3 2023-11-14 22:13 top/b",
                "lrw-r--r-- 0/0 0 2023-11-14 22:13 top/l -> a",
            ])
            self.assertEqual(dict(release.members(path)), {"top/a": b"one", "top/b": b"two"})

    def test_trials_unpack_without_tar(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, "unpacked")
            folder.mkdir()
            path = packing.write_archive(pathlib.Path(name, "a-source.tar.gz"), self.ENTRIES, 1_700_000_000)
            with unittest.mock.patch.dict(os.environ, PATH=""):
                top = trying.Trial(path, "any", VERSION, path, folder, str).unpacked()
            self.assertEqual((top / "l").read_bytes(), b"one")
            self.assertTrue(os.access(top / "b", os.X_OK))

    def test_zip_has_no_links(self):
        with tempfile.TemporaryDirectory() as name:
            path = packing.write_archive(pathlib.Path(name, "a.zip"), self.ENTRIES, 1_700_000_000)
            self.assertEqual(dict(release.members(path)), {"top/a": b"one", "top/b": b"two"})


class Lists(unittest.TestCase):
    def test_every_notice_is_known(self):
        shell = (ROOT / "tools/native/notices.sh").read_text() + (ROOT / "tools/native/libraries.sh").read_text()
        names = set(re.findall(r'"([\w.-]+) \$(?:lib|root_dir)\b', shell)) | set(re.findall(r'licences/([a-z]\w*)"', shell))
        names |= set(" ".join(re.findall(r"names\+?=\(([\w ]+)\)", shell)).split()) - {"cxx"}  # zig's libcxx once more
        names |= set(" ".join(re.findall(r"for name in (libcxx [\w ]+);", shell)).split())
        self.assertTrue({"zlib", "musl", "boost", "godot", "libunwind", "ncurses"} <= names, names)
        self.assertEqual(names - contents.KINDS.keys(), set())
        self.assertLessEqual(contents.COMMAND_ALONE, names)

    def test_notices(self):
        """Those that need no build, by tools/native/notices.sh itself."""
        script = f". '{ROOT}/tools/shell/lib.sh'; . '{ROOT}/tools/native/notices.sh'; notices sources; echo; notice_files sources"
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn((ROOT / "NOTICE").read_text(), done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], f"godot {ROOT}/NOTICE")

    def test_versions_are_those_of_what_was_built(self):
        """Which may be others than those of the sources that were fetched since, and of each target its own."""
        with tempfile.TemporaryDirectory() as name:
            cache = pathlib.Path(name, "gdvar")
            script = f". '{ROOT}/tools/shell/lib.sh'; . '{ROOT}/tools/shell/sources.sh'; note_source zlib $cache_dir/$1; note_source enet $cache_dir/$1"
            for source in ("zlib", "enet"):
                (cache / "sources" / source / "debian").mkdir(parents=True)
                (cache / "sources" / source / "debian/copyright").write_text("")
            for number, folder in enumerate(("native/a", "native/b", "wasm")):
                (cache / "sources/zlib/debian/changelog").write_text(f"zlib (1:{number}.2) unstable; urgency=low\n\n  * (3)\n")
                subprocess.run(["bash", "-euo", "pipefail", "-c", script, "bash", folder], check=True, env={**os.environ, "XDG_CACHE_HOME": name})
            shell = lambda _, command: str(cache) if "cache_dir" in command else "zlib x\nenet x\n"  # noqa: E731
            with unittest.mock.patch.object(contents, "shell", shell):
                found = [[part["version"] for part in contents.parts(ROOT, inside, "command")] for inside in ("a", "a b", "npm")]
            self.assertEqual(found, [["1.3.18+ds", "1:0.2"], ["1.3.18+ds", "1:0.2", "1:1.2"], ["1.3.18+ds", "1:2.2"]])

    def test_licences_are_of_the_list(self):
        for kind in contents.KINDS.values():
            for term in re.split(r" AND ", kind.licence):
                licence, _, exception = term.partition(" WITH ")
                self.assertIn(licence, SPDX_LICENCES)
                self.assertIn(exception, SPDX_EXCEPTIONS | {""})

    def test_spdx(self):
        manifest = made_up()
        document = contents.spdx(manifest, "https://example.org/files")
        self.assertEqual({"SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"},
                         {document[key] for key in ("spdxVersion", "dataLicense", "SPDXID")})
        self.assertRegex(document["creationInfo"]["created"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertTrue(all(re.match(r"(Person|Organization|Tool): ", who) for who in document["creationInfo"]["creators"]))
        self.assertRegex(document["documentNamespace"], r"^https://[^#]+$")
        ids = [package["SPDXID"] for package in document["packages"]]
        self.assertEqual(len(ids), len(set(ids)))
        for spdx_id in ids:
            self.assertRegex(spdx_id, r"^SPDXRef-[A-Za-z0-9.-]+$")
        for entry in document["packages"]:
            self.assertTrue({"name", "downloadLocation", "filesAnalyzed", "licenseConcluded", "copyrightText"} <= entry.keys())
        known, related = {*ids, "SPDXRef-DOCUMENT"}, set()
        for relation in document["relationships"]:
            self.assertTrue({relation["spdxElementId"], relation["relatedSpdxElement"]} <= known)
            self.assertIn(relation["relationshipType"], ("DESCRIBES", "CONTAINS"))
            related.add(relation["relatedSpdxElement"])
        self.assertEqual(related, set(ids))
        sums = {package["packageFileName"]: package["checksums"] for package in document["packages"] if "checksums" in package}
        self.assertEqual({name: each[0]["checksumValue"] for name, each in sums.items()},
                         {entry["file"]: entry["sha256"] for entry in manifest["artefacts"]})

    def test_scoop(self):
        manifest = made_up()
        made = json.loads(channels.scoop(manifest, "https://example.org/files"))
        self.assertEqual({*made["architecture"]}, {"64bit", "arm64"})
        files = {entry["file"]: entry["sha256"] for entry in manifest["artefacts"]}
        for key, row in made["architecture"].items():
            file = row["url"].removeprefix("https://example.org/files/")
            self.assertEqual(row["hash"], files[file])
            self.assertEqual(f"{row['extract_dir']}.zip", file)
            later = made["autoupdate"]["architecture"][key]
            self.assertNotIn(VERSION, later["url"] + later["extract_dir"])
            self.assertEqual(later["url"].replace("$version", VERSION).rpartition("/")[2], file)
        self.assertEqual((made["version"], made["bin"], made["license"]), (VERSION, "gdvar.exe", "MIT"))
        self.assertIsNone(channels.scoop(made_up({"command-x86_64-windows-gnu"}), ""))

    def test_homebrew(self):
        manifest = made_up()
        text = channels.homebrew(manifest, "https://example.org/files")
        files = {entry["file"]: entry["sha256"] for entry in manifest["artefacts"]}
        pairs = re.findall(r'url "https://example.org/files/([^"]+)"\n +sha256 "(\w+)"', text)
        self.assertEqual(len(pairs), 4)
        for file, digest in pairs:
            self.assertEqual(files[file], digest)
        opens = re.findall(r"^ *(?:class|def|test|on_\w+)\b", text, re.M)
        self.assertEqual(len(opens), len(re.findall(r"^ *end$", text, re.M)))
        if shutil.which("ruby"):
            done = subprocess.run(["ruby", "-c", "-"], input=text, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIsNone(channels.homebrew(made_up({"command-x86_64-linux-musl"}), ""))


class Steps(unittest.TestCase):
    """A release of a repository that was made for this, by makers that build nothing."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name, "repository")
        (self.root / "include/gdvar").mkdir(parents=True)
        shutil.copy(ROOT / "include/gdvar/version.hpp", self.root / "include/gdvar")
        shutil.copy(ROOT / "CMakeLists.txt", self.root)
        (self.root / "CHANGELOG.md").write_text(f"# Changes\n\n## {VERSION}\n\nThe first.\n\n## Before\n\nNothing.\n")
        (self.root / ".gitignore").write_text("build/\n")
        self.git("init", "--quiet")
        self.commit("first")
        self.calls, self.data = [], b"the bytes"
        rows = (artefacts.Artefact("one", "one-{v}.bin", "kind", "any", "", self.maker, self.tryer),
                artefacts.Artefact("two", "two-{v}.bin", "kind", "any", "", self.maker, self.tryer))
        for module, name, value in ((release, "TABLE", rows), (contents, "notices", lambda *_: b""), (contents, "shell", lambda *_: "/no-cache"),
                                    (contents, "parts", lambda *_: []), (release, "say", lambda _: None)):
            old = getattr(module, name)
            setattr(module, name, value)
            self.addCleanup(setattr, module, name, old)
        self.rows = list(rows)

    def git(self, *words):
        named = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", self.root, *named, *words], check=True, capture_output=True)

    def commit(self, message):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)

    def maker(self, made, artefact):
        """Makes a file."""
        self.calls.append(artefact.name)
        made.file(artefact).write_bytes(self.data)
        return made.file(artefact)

    def tryer(self, trial):
        return [trying.seen("here", trial.path.read_bytes().decode())]

    def make(self):
        self.calls.clear()
        made = making.Release(self.root, VERSION)
        release.make_all(made, self.rows)
        return made

    def test_what_is_finished_is_not_made_again(self):
        made = self.make()
        self.assertEqual(self.calls, ["one", "two"])
        self.make()
        self.assertEqual(self.calls, [])
        (made.dist / f"two-{VERSION}.bin").write_bytes(b"others")
        self.make()
        self.assertEqual(self.calls, ["two"])
        self.commit("second")
        self.make()
        self.assertEqual(self.calls, ["one", "two"])

    def test_a_run_that_was_stopped_goes_on(self):
        self.data = None
        first = self.rows[0]
        self.rows[0] = first._replace(maker=lambda made, row: (made.file(row).write_bytes(b"1"), made.file(row))[1])
        with self.assertRaises(TypeError):
            self.make()
        self.data, self.rows[0] = b"2", first
        self.make()
        self.assertEqual(self.calls, ["two"])

    def test_tries_and_checksums(self):
        made = self.make()
        release.try_all(made, self.rows)
        manifest = json.loads((made.dist / "manifest.json").read_text())
        self.assertEqual([entry["tried"] for entry in manifest["artefacts"]], [[{"where": "here", "result": "the bytes", "ran": True}]] * 2)
        self.check_sums(made)
        self.assertEqual(len((made.dist / "SHA256SUMS").read_text().splitlines()), len(os.listdir(made.dist)) - 1)

    def check_sums(self, made):
        done = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=made.dist, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_try_that_fails_leaves_checksums_that_fit(self):
        made = self.make()
        self.rows[1] = self.rows[1]._replace(tryer=lambda trial: trial.fail("no reason"))
        with self.assertRaisesRegex(SystemExit, "no reason"):
            release.try_all(made, self.rows)
        self.assertIn('"where": "here"', (made.dist / "manifest.json").read_text())
        self.check_sums(made)

    def test_of_two_runs_the_second_is_refused(self):
        folder = self.root / "build/dist"
        release.hold(folder)
        with self.assertRaisesRegex(SystemExit, "^error: another run is at work in "):
            release.hold(folder)

    def test_paths_of_this_machine_are_refused(self):
        """Also in what the page has inside: modules as Base64 in its worker, which may be Base64 itself."""
        found = f"built in {self.root}/src".encode()
        inside = b'const at = "data:application/wasm;base64,' + base64.b64encode(bytes(100) + found) + b'";'
        for self.data in (found, gzip.compress(found), inside, base64.b64encode(inside), base64.b64encode(gzip.compress(os.urandom(99) + found))):
            with self.assertRaisesRegex(SystemExit, f"names {self.root}/src"):
                self.make()
        self.data = b"_no-cache_zlib_adler32.c.o/"
        with self.assertRaisesRegex(SystemExit, "names _no-cache_zlib"):
            self.make()
        # Bytes that only begin as such are no error.
        for self.data in (gzip.compress(bytes(999))[:-9], b"\x1f\x8b" + bytes(99), b"A" * 997, base64.b64encode(bytes(range(256)))):
            self.make()

    def tried_elsewhere(self, made, **names):
        """A folder with the manifests of other machines, where these artefacts ran, or did not."""
        folder = self.root / "build/elsewhere"
        for name, ran in names.items():
            manifest = json.loads((made.dist / "manifest.json").read_text())
            for entry in manifest["artefacts"]:
                entry["tried"] = [{"where": f"on {name}", "result": "so", "ran": ran}] if entry["name"] == name else []
            (folder / name).mkdir(parents=True, exist_ok=True)
            (folder / name / "manifest.json").write_text(json.dumps(manifest))
        return folder

    def test_what_ran_nowhere_is_not_published(self):
        made = self.make()
        with self.assertRaisesRegex(SystemExit, "^error: these ran nowhere: one, two$"):
            release.check_ready(made)
        with self.assertRaisesRegex(SystemExit, "^error: these ran nowhere: two$"):
            release.gather(made, self.tried_elsewhere(made, one=True, two=False))
        folder = self.tried_elsewhere(made, two=True)
        for _ in range(2):  # the same lines once more are not added
            release.gather(made, folder)
        tried = {entry["name"]: entry["tried"] for entry in release.check_ready(made)["artefacts"]}
        self.assertEqual([line["where"] for line in tried["one"]], ["on one"])
        self.assertEqual([(line["where"], line["ran"]) for line in tried["two"]], [("on two", False), ("on two", True)])
        self.assertIn('"on two"', (made.dist / "manifest.json").read_text())
        self.check_sums(made)
        (made.dist / f"two-{VERSION}.bin").unlink()
        with self.assertRaisesRegex(SystemExit, "^error: these have not been made of this commit: two$"):
            release.check_ready(made)

    def test_other_bytes_are_not_gathered(self):
        made = self.make()
        path = self.tried_elsewhere(made, one=True) / "one/manifest.json"
        text = path.read_text()
        path.write_text(text.replace('"sha256": "', '"sha256": "0', 1))
        with self.assertRaisesRegex(SystemExit, "has other bytes of one-"):
            release.gather(made, path.parent)
        path.write_text(text.replace(made.commit, "0" * 40))
        with self.assertRaisesRegex(SystemExit, "is of another commit"):
            release.gather(made, path.parent)

    def test_what_others_alone_have_is_missing(self):
        made = self.make()
        folder = self.tried_elsewhere(made, one=True, two=True)
        manifest = json.loads((made.dist / "manifest.json").read_text())
        (made.dist / "manifest.json").write_text(json.dumps({**manifest, "artefacts": manifest["artefacts"][:1]}))
        with self.assertRaisesRegex(SystemExit, "^error: these have not been made of this commit: two$"):
            release.gather(made, folder)

    def test_what_is_for_this_machine_must_run(self):
        made = self.make()
        with self.assertRaisesRegex(SystemExit, "^error: nothing is for "):
            release.try_here(made)
        here = f"{os.uname().machine}-linux-gnu"
        release.TABLE = (self.rows[0]._replace(target=here), self.rows[1])
        release.try_here(made)
        release.TABLE = (self.rows[0]._replace(target=here, tryer=lambda trial: [trying.not_run("no reason")]), self.rows[1])
        with self.assertRaisesRegex(SystemExit, "^error: these are for this machine and did not run: one$"):
            release.try_here(made)

    def test_it_is_built_again_with_a_cache_of_its_own(self):
        made, folders = self.make(), []

        def run(words, env=None, **_):
            if words[0] != "git":
                clone = pathlib.Path(words[0]).parents[1]
                folders.append((clone, env["XDG_CACHE_HOME"], list(pathlib.Path(env["XDG_CACHE_HOME"]).glob("*"))))
                shutil.copytree(made.dist, clone / "build/dist" / VERSION, dirs_exist_ok=True)
                shutil.copy(changed, clone / "build/dist" / VERSION / "manifest.json")

        old = release.subprocess
        release.subprocess = types.SimpleNamespace(run=run)
        self.addCleanup(setattr, release, "subprocess", old)
        changed = self.root / "build/changed.json"
        changed.write_text((made.dist / "manifest.json").read_text())
        release.verify(made, ["one"])
        ((clone, cache, there),) = folders
        self.assertEqual((pathlib.Path(cache).parent, there), (clone.parent, []))
        self.assertEqual(self.verified(made), [1, 0])
        release.verify(made, [])  # what has not been verified yet
        self.assertEqual((self.verified(made), len(folders)), ([1, 1], 2))
        release.verify(made, [])
        self.assertEqual(len(folders), 2)
        changed.write_text(changed.read_text().replace('"sha256": "', '"sha256": "0', 1))
        with self.assertRaisesRegex(SystemExit, "^error: one-[^\n]* has another hash when it is built elsewhere[^\n]*$"):
            release.verify(made, ["one", "two"])
        self.assertEqual(len(folders), 4)

    @staticmethod
    def verified(made):
        return [len(entry["verified"]) for entry in json.loads((made.dist / "manifest.json").read_text())["artefacts"]]

    def test_state(self):
        made = making.Release(self.root, VERSION)
        release.check_state(made, VERSION)
        self.assertEqual(release.changes(self.root, VERSION), "The first.\n")
        with self.assertRaisesRegex(SystemExit, "CHANGELOG.md has no section 7.0.0"):
            release.changes(self.root, "7.0.0")
        with self.assertRaisesRegex(SystemExit, "this is version 7.0.0"):
            release.check_state(made, "7.0.0")
        (self.root / "new").write_text("")
        with self.assertRaisesRegex(SystemExit, "changes that no commit has"):
            release.check_state(made, VERSION)

    def test_an_artefact_of_another_commit_is_not_tried(self):
        self.make()
        self.commit("second")
        with self.assertRaisesRegex(SystemExit, "has not been made of this commit"):
            release.try_all(making.Release(self.root, VERSION), self.rows)


# npm and gh, as far as publishing asks them: what they were given is in files of the folder $STORE. The third call to change
# something fails, as long as there is a file `breaks`.
FAKE_NPM = """#!/bin/sh
case $1 in
view) [ "$(cat "$STORE/down" 2>/dev/null)" ] && { echo "npm error code E500" >&2; exit 1; }
    [ -f "$STORE/$2" ] || { echo "npm error code E404" >&2; exit 1; }; cat "$STORE/$2" ;;
publish) [ ! -f "$STORE/breaks" ] || [ "$(wc -l <"$STORE/calls")" -lt 2 ] || exit 1
    echo "$5" >>"$STORE/calls"
    name=$(tar -xOf "$5" package/package.json | sed 's/.*"name": "\\([^"]*\\)", "version": "\\([^"]*\\)".*/\\1@\\2/')
    mkdir -p "$STORE/$(dirname "$name")"
    printf 'sha512-%s\\n' "$(openssl dgst -sha512 -binary "$5" | base64 -w0)" >"$STORE/$name" ;;
esac
"""
FAKE_GH = """#!/bin/sh
echo "$2" >>"$STORE/calls"
case $2 in
view) [ -f "$STORE/draft" ] && cat "$STORE/draft" ;;
create) echo true >"$STORE/draft" ;;
upload) [ ! -f "$STORE/breaks" ] || exit 1; shift 4; for file; do cp "$file" "$STORE/"; done ;;
edit) echo false >"$STORE/draft" ;;
esac
"""


class Publishing(unittest.TestCase):
    """To places that were made for this. A publication that breaks off goes on where it was."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        self.store, dist = root / "store", root / "dist"
        for each in (self.store, dist, root / "bin"):
            each.mkdir()
        for name, text in (("npm", FAKE_NPM), ("gh", FAKE_GH)):
            (root / "bin" / name).write_text(text)
            (root / "bin" / name).chmod(0o755)
        old = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(old)))
        os.environ.update(STORE=str(self.store), PATH=f"{root / 'bin'}:{old['PATH']}")
        self.release = types.SimpleNamespace(root=root, dist=dist, version=VERSION)
        self.manifest = made_up()
        for entry in self.manifest["artefacts"]:
            path, name = dist / entry["file"], entry["name"].removeprefix("npm-")
            if entry["kind"] == "npm package":
                name = "gdvar" if name == "npm" else f"@gdvar/{name}"
                text = json.dumps({"name": name, "version": VERSION}).encode()
                packing.write_archive(root / "packed.tar.gz", [packing.Entry("package/package.json", text)], 0).rename(path)
            else:
                path.write_text(entry["file"])
        (dist / "changes.md").write_text("The first.")
        (dist / "SHA256SUMS").write_text("".join(f"0  {path.name}\n" for path in dist.iterdir()))
        (dist / "two.partial").write_text("what a run that was stopped has left")
        printed = contextlib.redirect_stdout(io.StringIO())
        printed.__enter__()
        self.addCleanup(printed.__exit__, None, None, None)

    def calls(self):
        path = self.store / "calls"
        return path.read_text().splitlines() if path.exists() else []

    def test_npm(self):
        files = [str(self.release.dist / entry["file"]) for entry in self.manifest["artefacts"] if entry["kind"] == "npm package"]
        (self.store / "calls").write_text("")
        (self.store / "breaks").write_text("")
        with self.assertRaises(subprocess.CalledProcessError):
            publishing.npm(self.release, self.manifest)
        self.assertEqual(self.calls(), files[:2])
        (self.store / "breaks").unlink()
        for _ in range(2):
            publishing.npm(self.release, self.manifest)
            self.assertEqual(self.calls(), files)
        self.assertEqual(files[-1], str(self.release.dist / f"gdvar-{VERSION}.tgz"))
        (self.store / f"gdvar@{VERSION}").write_text("sha512-other\n")
        with self.assertRaisesRegex(SystemExit, "npm has gdvar@.* with other bytes"):
            publishing.npm(self.release, self.manifest)
        (self.store / "down").write_text("yes")
        with self.assertRaisesRegex(SystemExit, "npm does not tell whether it has"):
            publishing.npm(self.release, self.manifest)

    def test_forge(self):
        (self.store / "breaks").write_text("")
        with self.assertRaises(subprocess.CalledProcessError):
            publishing.forge(self.release, self.manifest)
        self.assertEqual(self.calls(), ["view", "create", "upload"])
        (self.store / "breaks").unlink()
        publishing.forge(self.release, self.manifest)
        publishing.forge(self.release, self.manifest)
        self.assertEqual(self.calls()[3:], ["view", "upload", "edit", "view"])
        there = {path.name for path in self.release.dist.iterdir()}
        self.assertEqual(there - {path.name for path in self.store.iterdir()}, {"two.partial"})

    def test_pypi(self):
        for _ in range(2):
            publishing.pypi(self.release, self.manifest)
            names = {path.name for path in (self.release.root / "build/pypi").iterdir()}
            self.assertEqual(names, {entry["file"] for entry in self.manifest["artefacts"] if entry["kind"] in ("wheel", "Python sources")})
        self.assertEqual(len(names), len(artefacts.WHEEL_TAGS) + 1)


class InBrowser(unittest.TestCase):
    def test_a_page_whose_script_does_not_run_is_refused(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            browser = folder / "browser"
            browser.write_text(f"#!/bin/sh\ncat {folder}/drawn\n")
            browser.chmod(0o755)
            trial = trying.Trial(folder / "gdvar.html", "any", VERSION, folder, folder, str)
            html = (ROOT / "web/index.html").read_text()
            old = os.environ.get("CHROMIUM")
            os.environ["CHROMIUM"] = str(browser)
            self.addCleanup(lambda: os.environ.pop("CHROMIUM") if old is None else os.environ.update(CHROMIUM=old))
            (folder / "drawn").write_text(html)
            with self.assertRaisesRegex(SystemExit, "draws nothing"):
                trying._seen_in_browser(trial, "file:///")
            (folder / "drawn").write_text(html.replace('<div id="app">', '<div id="app"><header>'))
            self.assertTrue(trying._seen_in_browser(trial, "file:///")[0]["ran"])
            os.environ["CHROMIUM"] = str(folder / "missing")
            self.assertFalse(trying._seen_in_browser(trial, "file:///")[0]["ran"])


class LoadCommands(unittest.TestCase):
    """This machine's own programs need more than the commands and libraries of a release may."""

    def test_what_the_system_may_lack_is_refused(self):
        if not shutil.which("llvm-readobj-19"):
            self.skipTest("llvm-readobj-19 is missing")
        target = f"{os.uname().machine}-linux-gnu"
        other = "x86_64-linux-gnu" if target.startswith("aarch64") else "aarch64-linux-gnu"
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            source = folder / "source.c"
            source.write_text("int puts(const char*); int main(void) { return puts(\"\"); }\n")
            for file, way in (("gdvar", []), ("library", []), ("static", ["-static"])):
                subprocess.run(["cc", source, "-o", folder / file, *way], check=True)

            def refused(file, which):
                trial = trying.Trial(folder / file, which, VERSION, source, folder, str)
                try:
                    return trying.load_commands(trial, folder / file)[0]["result"]
                except SystemExit as why:
                    return str(why)

            self.assertRegex(refused("gdvar", target), "is not static|needs glibc")
            self.assertRegex(refused("library", target), "needs glibc|loads libc.so.6")
            self.assertRegex(refused("static", target), "loads nothing")
            self.assertIn("is for", refused("static", other))


class Pages(unittest.TestCase):
    FILE = re.compile(r"gdvar-(?:c-)?\d+\.\d+\.\d+[\w.-]*?\.(?:zip|tar\.gz)|gdvar\.html")

    def test_install_begins_with_the_files(self):
        table = (ROOT / "docs/install.md").read_text().split("\n\n")[1]
        self.assertTrue(all(line.startswith("|") for line in table.splitlines()))
        wanted = {row.file.format(v=VERSION) for row in artefacts.TABLE if row.kind in ("command", "C library", "page")}
        self.assertEqual(set(self.FILE.findall(table)), wanted)

    def test_pages_name_files_that_there_are(self):
        files = {row.file.format(v=VERSION) for row in artefacts.TABLE}
        for page in ("README.md", "docs/install.md", "docs/my-save.md", "docs/releasing.md"):
            self.assertLessEqual(set(self.FILE.findall((ROOT / page).read_text())), files, page)

    def test_the_changelog_has_the_version(self):
        self.assertLessEqual(len(release.changes(ROOT, VERSION).splitlines()), 15)


class Workflows(unittest.TestCase):
    def test_pinned_minimal_and_said_to_be_untried(self):
        pages = sorted((ROOT / ".github/workflows").glob("*.yml"))
        self.assertEqual([page.name for page in pages], ["release.yml", "test.yml"])
        for page in pages:
            text = page.read_text()
            self.assertIn("Untried", "".join(text.splitlines()[:2]))
            self.assertIn("\npermissions:\n  contents: read\n", text)
            for action in re.findall(r"uses: (.*)", text):
                self.assertRegex(action, r"^[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")
            # Names that come from outside reach a shell as variables alone.
            for line in re.findall(r"run: (.*)", text):
                self.assertNotRegex(line, r"\$\{\{ *github\.")

    def test_they_name_artefacts_that_there_are(self):
        names = {row.name for row in artefacts.TABLE}
        for page in ("release.yml", "test.yml"):
            found = re.findall(r"\b(?:command|library|wheel|npm)-\w+-[\w-]+", (ROOT / ".github/workflows" / page).read_text())
            self.assertTrue(found)
            self.assertLessEqual(set(found), names)

    def test_they_call_scripts(self):
        """All that they do can be done by hand, because each line calls a script."""
        for page in (ROOT / ".github/workflows").glob("*.yml"):
            for line in re.findall(r"run: (.*)", page.read_text()):
                if not re.match(r"(apt-get|git config|brew install) ", line):
                    self.assertRegex(line, r'^scripts/[a-z]+( ("[^"]*"|--?[\w-]+|[\w/.-]+|\$\{\{ matrix\.names \}\}))*$')

    def test_each_artefact_is_built_again(self):
        rows = re.search(r"        names:\n((?: +- .*\n)+)", (ROOT / ".github/workflows/release.yml").read_text())[1]
        self.assertEqual(sorted(rows.replace("- ", "").split()), sorted(row.name for row in artefacts.TABLE))

    RUNNERS = {"ubuntu-24.04-arm": "aarch64-linux", "windows-2025": "x86_64-windows", "windows-11-arm": "aarch64-windows",
               "macos-15-intel": "x86_64-macos", "macos-15": "aarch64-macos"}

    def test_each_system_has_a_runner(self):
        """That of x86-64 Linux makes the files, and tries them."""
        text = (ROOT / ".github/workflows/release.yml").read_text()
        runners = re.search(r"runner: \[(.*)\]", text)[1].split(", ")
        wanted = {re.match(r"\w+-[a-z]+", row.target)[0] for row in artefacts.TABLE if row.target != "any"} - {"x86_64-linux"}
        self.assertEqual(sorted(self.RUNNERS[runner] for runner in runners), sorted(wanted))


class Address(unittest.TestCase):
    """CMakeLists.txt has the project's address; what can't read it there says the same."""

    def setUp(self):
        self.url = contents.homepage(ROOT)

    def test_npm(self):
        for name in ("bindings/js/package.json", *(path.relative_to(ROOT) for path in ROOT.glob("bindings/js/npm/*/package.json"))):
            made = json.loads((ROOT / name).read_text())
            if made.get("private"):
                continue
            self.assertEqual((made["author"], made["license"]), (contents.AUTHORS, "MIT"), name)
            self.assertEqual(made["homepage"], f"{self.url}#readme", name)
            self.assertEqual(made["repository"]["url"], f"git+{self.url}.git", name)
            self.assertEqual(made["bugs"], f"{self.url}/issues", name)

    def test_python(self):
        made = tomllib.loads((ROOT / "bindings/python/pyproject.toml").read_text())["project"]
        self.assertEqual(made["authors"], [{"name": contents.AUTHORS}])
        self.assertEqual(made["license"], "MIT")
        self.assertEqual(made["urls"]["Homepage"], self.url)
        for address in made["urls"].values():
            self.assertTrue(address.startswith(self.url), address)

    def test_pkg_config(self):
        made = types.SimpleNamespace(root=ROOT, url=self.url, version=VERSION)
        for target in artefacts.LIBRARY_TARGETS:
            text = making.pkg_config(made, target).decode()
            self.assertIn(f"URL: {self.url}\nVersion: {VERSION}\n", text)
            self.assertNotIn("@", text)

    def test_no_other_address(self):
        """All addresses of a forge below one owner are this one."""
        owner = self.url.rpartition("/")[0]
        listed = subprocess.run(["git", "-C", ROOT, "grep", "-hoIE", rf"{owner}/[\w.-]+", "--", ":!tests"], capture_output=True, text=True)
        for address in listed.stdout.split():
            self.assertEqual(address.removesuffix(".git"), self.url)

    def test_copies_of_the_licence(self):
        """Packages take them from their own folder alone."""
        for name, copies in (("LICENSE", ("bindings/js", "bindings/python")), ("NOTICE", ("bindings/python",))):
            for folder in copies:
                self.assertEqual((ROOT / folder / name).read_bytes(), (ROOT / name).read_bytes(), folder)

    def test_authors_are_those_of_the_licence(self):
        self.assertRegex((ROOT / "LICENSE").read_text(), rf"Copyright \(c\) \d+ {contents.AUTHORS}\n")


if __name__ == "__main__":
    unittest.main(verbosity=1)
