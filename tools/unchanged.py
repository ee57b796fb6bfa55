"""What a compiler said, kept until one of the files that it read changes.

For checks that only compile: clang-tidy, the headers, what must not compile. An entry is a file of the cache's folder. Its name
is the hash of the question: options, the compiler's version, which headers the project's include folders have, the programs that
judge. Its content is the hashes of all files that were read, and the answer. Paths of the clone and of its build are left out of
both, so clones share the folder.
"""

import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

USERS = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "gdvar/unchanged"
# They add to what a compiler is told, or where it looks for headers.
VARIABLES = ("CPATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS")
# A compiler that is killed has refused nothing.
CRASHES = ("internal compiler error", "signal terminated program", "PLEASE submit a bug report")


@functools.cache
def version_of(program):
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout


@functools.cache
def judges():
    """The programs that ask and that keep: other ones may judge otherwise."""
    return [pathlib.Path(path).read_text() for path in (__file__, sys.argv[0])]


@functools.cache
def headers_in(folder):
    """A new header may be found before the one that was read."""
    return sorted(path.relative_to(folder).as_posix() for path in pathlib.Path(folder).rglob("*.h*"))


def files_read(command, **how):
    """Which files a compilation reads: `command` is all of it but the options for output."""
    made = subprocess.run([*command, "-w", "-M", "-MG"], capture_output=True, text=True, **how)
    folder = how.get("cwd", ".")
    # A rule of make: the target, then the files. A space in a name follows a backslash.
    names = re.findall(r"(?:\\.|[^\s\\])+", made.stdout.replace("\\\n", " "))[1:]
    return {str(pathlib.Path(folder, re.sub(r"\\(.)", r"\1", name).replace("$$", "$")).absolute()) for name in names}


def written_at(path):
    """None: there is no such file."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None


class Unchanged:
    """`folder` None, or one that can't be written: nothing is kept."""

    def __init__(self, folder, root, build=None):
        self.folder, self.places = folder, [(str(build), "BUILD")] * bool(build) + [(str(root), "SOURCE")]
        self.seen = {}
        try:
            if folder:
                folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            self.folder = None

    def portable(self, text):
        for place, name in self.places:
            text = text.replace(place, name)
        return text

    def local(self, path):
        for place, name in self.places:
            if path.startswith(name + "/"):
                return place + path.removeprefix(name)
        return path

    def entry(self, question):
        own = tuple(f"-I{place}" for place, _ in self.places)
        names = [name for word in question if word.startswith(own) for name in headers_in(word.removeprefix("-I"))]
        words = [*question, *(os.environ.get(name, "") for name in VARIABLES), *judges(), *names]
        return self.folder / (hashlib.sha256(self.portable("\0".join(words)).encode()).hexdigest() + ".json")

    def digest(self, path):
        """Of a file; of one that the build makes, without the paths in it. And when it was written."""
        if path not in self.seen:
            at = written_at(path)
            content = b"" if at is None else pathlib.Path(path).read_bytes()
            if self.places[0][1] == "BUILD" and path.startswith(self.places[0][0]):
                content = self.portable(content.decode()).encode()
            self.seen[path] = hashlib.sha256(content).hexdigest(), at
        return self.seen[path]

    def answer(self, question):
        """The files that were read and the answer, if all is as it was; otherwise None."""
        try:
            held = json.loads(self.entry(question).read_text())
        except (OSError, ValueError, TypeError):
            return None
        files = {self.local(path): digest for path, digest in held["files"].items()}
        if not files or any(self.digest(path)[0] != digest for path, digest in files.items()):
            return None
        return set(files), held["answer"]

    def look(self, files):
        """The files as they are before the compiler reads them, for `keep`."""
        return {path: self.digest(path) for path in files if pathlib.Path(path).name != "-"}

    def keep(self, question, looked, answer):
        """Not where a file is missing, which may come from anywhere, nor where one was written meanwhile."""
        if not self.folder or not looked or any(at is None or at != written_at(path) for path, (_, at) in looked.items()):
            return
        held = {"files": {self.portable(path): digest for path, (digest, _) in sorted(looked.items())}, "answer": answer}
        entry = self.entry(question)
        written = entry.with_suffix(f".{os.getpid()}")
        try:
            written.write_text(json.dumps(held))
            written.replace(entry)
        except OSError:
            written.unlink(missing_ok=True)

    def compile(self, command, text="", answer=None):
        """Whether a text or a file compiles, and the messages; or `answer` of the finished process, which JSON can hold."""
        answer = answer or sound
        question = [version_of(command[0]), *command, text, answer.__name__]
        if self.folder and (held := self.answer(question)):
            return held[1]
        looked = self.look(files_read(command, input=text)) if self.folder else {}
        done = subprocess.run(command, input=text, capture_output=True, text=True)
        if done.returncode not in (0, 1) or any(words in done.stderr for words in CRASHES):
            raise RuntimeError(f"{command} ends with {done.returncode}: {done.stderr}")
        said = answer(done)
        self.keep(question, looked, said)
        return said


def sound(done):
    return [done.returncode == 0, done.stderr]
