#!/usr/bin/env python3
"""What code and pages refer to exists: sections, files, headings.

Checked in comments, code and Markdown:
  wire-format 2.4              a section of docs/wire-format.md
  docs/errors.md, scripts/demo a file of this repository, named from its root
  wire/reader.hpp              a file of a room, in include/gdvar/ or src/
  [text](page.md#heading)      in Markdown: the file and the heading

docs/README.md is the map of the documentation: it links every page of docs/. A CMakeLists.txt names every source of src/
and every test: what none names is neither compiled nor run, and nothing else would say so.

Usage: references_test.py SOURCE_DIR
"""

import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1]).resolve()
CODE = {".cpp", ".hpp", ".h", ".py", ".cmake", ".txt", ".sh", ".gd", ".lua", ".js", ""}
# CHANGELOG tells of files as they were named at the time.
LEFT_OUT = ("tests/data/", "fuzz/corpus/", "fuzz/crashers/", "tests/apps/transcripts/", "CHANGELOG.md")

SECTION = re.compile(r"wire-format(?:\.md)? (\d+(?:\.\d+)?)\b")
FILE = re.compile(r"(?<![\w/.$}<-])((?:docs|scripts|src|include|tests|examples|tools|cmake|apps|fuzz|bench)"
                  r"/[\w./-]*\w(?:\.(?:md|hpp|cpp|py|txt|gd|lua|cmake|sh|svg))?)(?![\w/*<$-])")
ROOM_FILE = re.compile(r"(?<![\w/.-])((?:base|wire|value|text|json|save|net|inspect|file)/[\w/]+\.(?:hpp|cpp))\b")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?) *$", re.M)
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
INLINE_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.S)


def tracked():
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True)
    if listed.returncode == 0:
        names = listed.stdout.decode().split("\0")
    else:  # an unpacked archive
        names = [path.relative_to(root).as_posix() for path in root.rglob("*")
                 if path.is_file() and path.relative_to(root).parts[0] not in ("build", ".git")]
    return [name for name in names if name and not name.startswith(LEFT_OUT) and (root / name).is_file()]


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    found = set()
    for heading in HEADING.findall(FENCE.sub("", text)):
        plain = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower())
        anchor, n = plain.replace(" ", "-"), 1
        while anchor in found:
            anchor, n = f"{plain.replace(' ', '-')}-{n}", n + 1
        found.add(anchor)
    return found


def unnamed(name):
    """Whether no CMakeLists.txt, of the file's folder or the next one above, names it. Tests in Python may be named by their stem."""
    path = pathlib.PurePosixPath(name)
    if not (name.startswith("src/") and path.suffix == ".cpp" or re.search(r"tests/.*_test\.(cpp|py|sh)$", name)):
        return False
    folder = next(folder for folder in path.parents if (root / folder / "CMakeLists.txt").is_file())
    words = re.findall(r"[\w./-]+", re.sub(r"#.*", "", (root / folder / "CMakeLists.txt").read_text()))
    names = {path.relative_to(folder).as_posix()} | ({path.stem, path.stem.removesuffix("_test")} if path.suffix == ".py" else set())
    return not any(word.lstrip("/") in names for word in words)


def check_link(name, target):
    if re.match(r"[a-z]+:", target):
        return None
    path, _, anchor = target.partition("#")
    file = (root / name).parent / path if path else root / name
    if not file.exists():
        return f"links to {target}, which does not exist"
    if anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
        return f"links to {target}: {file.name} has no such heading"
    return None


def exists(path):
    return (root / path).exists() or (root / path.rstrip("/")).exists()


def main():
    sections = set(re.findall(r"^#+ (\d+(?:\.\d+)?)\.? ", (root / "docs/wire-format.md").read_text(), re.M))
    problems, count = [], 0
    for name in tracked():
        suffix = pathlib.Path(name).suffix
        if unnamed(name):
            problems.append(f"{name}: no CMakeLists.txt names it")
        if suffix not in CODE | {".md"} or name == "tests/references_test.py":
            continue
        try:
            text = (root / name).read_text()
        except UnicodeDecodeError:
            continue

        def found(problem):
            problems.append(f"{name}: {problem}")

        for section in SECTION.findall(text):
            count += 1
            if section not in sections:
                found(f"docs/wire-format.md has no section {section}")
        for path in FILE.findall(text):
            # A folder of the build or of an installation, or a pattern, is none of ours.
            if not pathlib.PurePosixPath(path).suffix and not exists(path) and suffix != ".md":
                continue
            count += 1
            beside = (root / name).parent / path
            if not exists(path) and not exists(path + ".cpp") and not beside.exists():
                found(f"names {path}, which does not exist")
        for path in ROOM_FILE.findall(text):
            count += 1
            if not any((root / top / path).exists() for top in ("include/gdvar", "src", "tests", "tools")):
                found(f"names {path}, which does not exist")
        if suffix == ".md":
            for target in LINK.findall(INLINE_CODE.sub("", FENCE.sub("", text))):
                count += 1
                if problem := check_link(name, target):
                    found(problem)
    on_map = {target.partition("#")[0] for target in LINK.findall((root / "docs/README.md").read_text())}
    for page in sorted((root / "docs").glob("*.md")):
        count += 1
        if page.name not in on_map | {"README.md"}:
            problems.append(f"docs/README.md does not link {page.name}")
    print("\n".join(sorted(set(problems))))
    print(f"{count} references, {len(set(problems))} problems")
    return bool(problems)


sys.exit(main())
