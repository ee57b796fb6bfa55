"""What a compiler said, kept until one of the files that it read changes.

For checks that only compile: clang-tidy, the headers, what must not compile. An entry is a file of the cache's folder. Its name
is the hash of the question (options, the compiler's version), its content the hashes of all files that were read and the answer.
Paths of the clone and of its build are left out of both, so clones share the folder.
"""

import functools
import hashlib
import json
import os
import pathlib
import subprocess

USERS = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "gdvar/unchanged"


@functools.cache
def version_of(program):
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout


def files_read(command, **how):
    """Which files a compilation reads: `command` is all of it but the options for output."""
    made = subprocess.run([*command, "-w", "-M", "-MG"], capture_output=True, text=True, **how)
    folder = how.get("cwd", ".")
    return {str(pathlib.Path(folder, file).absolute()) for file in made.stdout.replace("\\\n", " ").split()[1:]}


class Unchanged:
    """`folder` None: nothing is kept."""

    def __init__(self, folder, root, build=None):
        self.folder, self.places = folder, [(str(build), "BUILD")] * bool(build) + [(str(root), "SOURCE")]
        self.digests = {}
        if folder:
            folder.mkdir(parents=True, exist_ok=True)

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
        return self.folder / (hashlib.sha256(self.portable("\0".join(question)).encode()).hexdigest() + ".json")

    def digest(self, path):
        """Of a file; of one that the build makes, without the paths in it."""
        if path not in self.digests:
            try:
                content = pathlib.Path(path).read_bytes()
            except OSError:
                content = b""
            if self.places[0][1] == "BUILD" and path.startswith(self.places[0][0]):
                content = self.portable(content.decode()).encode()
            self.digests[path] = hashlib.sha256(content).hexdigest()
        return self.digests[path]

    def answer(self, question):
        """The files that were read and the answer, if all is as it was; otherwise None."""
        try:
            held = json.loads(self.entry(question).read_text())
        except (OSError, ValueError, TypeError):
            return None
        files = {self.local(path): digest for path, digest in held["files"].items()}
        if not files or any(self.digest(path) != digest for path, digest in files.items()):
            return None
        return set(files), held["answer"]

    def keep(self, question, files, answer):
        if not self.folder or not files:
            return
        held = {"files": {self.portable(path): self.digest(path) for path in sorted(files)}, "answer": answer}
        entry = self.entry(question)
        written = entry.with_suffix(f".{os.getpid()}")
        written.write_text(json.dumps(held))
        written.replace(entry)

    def compile(self, command, text="", answer=None):
        """Whether a text or a file compiles, and the messages; or `answer` of the finished process, which JSON can hold."""
        answer = answer or sound
        question = [version_of(command[0]), *command, text, answer.__name__]
        if self.folder and (held := self.answer(question)):
            return held[1]
        said = answer(subprocess.run(command, input=text, capture_output=True, text=True))
        self.keep(question, files_read(command, input=text), said)
        return said


def sound(done):
    return [done.returncode == 0, done.stderr]
