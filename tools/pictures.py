#!/usr/bin/env python3
"""Draws the pictures of the documentation (docs/pictures/*.svg).

    tools/pictures.py [GDVAR]            draws them anew (`scripts/docs pictures` builds the command before)
    tools/pictures.py --check [GDVAR]    says which are out of date; exit code 1

GDVAR is the command, build/release/gdvar by default. The pictures of the terminal are its real output for a save
in tests/data, with the colours of a terminal turned into colours of SVG text. Each picture has a background of its
own and follows the reader's light or dark theme.
"""

import argparse
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent
folder = root / "docs/pictures"
saves = root / "tests/data/saves/godot-4.6.3"

# Names of classes: light, dark. The numbers of the colours are those of terminals.
LIGHT = {"panel": "#fbfbfa", "edge": "#d4d4d0", "text": "#24292f", "dim": "#8a9099", "prompt": "#57606a",
         "c31": "#b3261e", "c32": "#1a6b2f", "c33": "#8a5300", "c34": "#0b57a4", "c35": "#8632a3", "c36": "#0a6472",
         "box": "#ffffff", "accent": "#0b57a4", "soft": "#e8eef6"}
DARK = {"panel": "#16191d", "edge": "#3a4048", "text": "#e3e6ea", "dim": "#7d8590", "prompt": "#a2aab4",
        "c31": "#ff8a80", "c32": "#7fd28f", "c33": "#e5b567", "c34": "#79b8ff", "c35": "#d9a0f0", "c36": "#6fd0dc",
        "box": "#1f242a", "accent": "#79b8ff", "soft": "#24303f"}


def style(extra=""):
    def rules(colours):
        fills = "".join(f".{name}{{fill:{colour}}}" for name, colour in colours.items() if name != "edge")
        return fills + f".edge{{stroke:{colours['edge']}}}.line{{stroke:{colours['dim']}}}.tip{{fill:{colours['dim']}}}"
    return ("<style>" + rules(LIGHT) + extra + "@media (prefers-color-scheme: dark){" + rules(DARK) + "}</style>")


MONO = "ui-monospace,'SFMono-Regular','DejaVu Sans Mono',Menlo,Consolas,monospace"
SANS = "system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif"


def document(width, height, title, body, extra=""):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" aria-label="{html.escape(title)}">\n<title>{html.escape(title)}</title>\n{style(extra)}\n'
            f'<rect class="panel edge" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>\n'
            f'{body}</svg>\n')


# ---- pictures of a terminal

SGR = re.compile(r"\x1b\[([0-9;]*)m")


def spans(line):
    """The line as (classes, text), with the terminal's colours as names of classes."""
    on, out, last = {}, [], 0

    def add(text):
        if text:
            out.append((" ".join(on.values()), text))
    for match in SGR.finditer(line):
        add(line[last:match.start()])
        last = match.end()
        for code in (match[1] or "0").split(";"):
            if code == "0":
                on.clear()
            elif code == "1":
                on["weight"] = "bold"
            elif code == "2":
                on["colour"] = "dim"
            elif code == "7":
                on["reverse"] = "reverse"
            elif 31 <= int(code) <= 36:
                on["colour"] = f"c{code}"
            elif code == "39":
                on.pop("colour", None)
            elif code == "49":  # the terminal's own background
                pass
            else:
                sys.exit(f"pictures.py: a colour that it does not know: {code}")
    add(line[last:])
    return out


def terminal(title, blocks):
    """`blocks`: a command line as it is typed, and the lines of its output."""
    size, advance, height = 13, 7.83, 18
    rows = []
    for typed, lines in blocks:
        if rows:
            rows.append([])
        rows.append([("dim", "$ "), ("bold", typed)])
        rows.extend(spans(line) for line in lines)
    body = ""
    for i, row in enumerate(rows):
        if not row:
            continue
        text = "".join(f'<tspan class="{classes}">{html.escape(text)}</tspan>' if classes else html.escape(text)
                       for classes, text in row)
        body += f'<text class="text" xml:space="preserve" x="18" y="{30 + i * height}">{text}</text>\n'
    columns = max(sum(len(text) for _, text in row) for row in rows)
    return document(round(36 + columns * advance), 26 + len(rows) * height, title, body,
                    f"text{{font:{size}px {MONO};white-space:pre}}.bold{{font-weight:600}}")


def run(gdvar, *words):
    done = subprocess.run([gdvar, *words, "--color", "always"], cwd=saves, capture_output=True, timeout=60)
    if done.returncode:
        sys.exit(f"pictures.py: gdvar {' '.join(words)}: {done.stderr.decode()}")
    return done.stdout.decode().splitlines()


def show(gdvar):
    lines = run(gdvar, "show", "plain.save")
    # The first two of twenty players, and all that is not a player.
    plain = [SGR.sub("", line) for line in lines]
    first = next(i for i, line in enumerate(plain) if "[2] Dictionary" in line)
    after = next(i for i, line in enumerate(plain) if line.startswith("├─ .tiles"))
    players = sum(bool(re.match(r"│  [├└]─ \[\d+\] Dictionary", line)) for line in plain[first:after])
    return terminal("gdvar show prints a save as a tree of names, types and values",
                    [("gdvar show plain.save", lines[:first] + [f"\x1b[2m│  ... ({players} more players)\x1b[0m"] + lines[after:])])


def annotate(gdvar):
    # The records behind the first one: an Array of three and null.
    lines = run(gdvar, "annotate", "plain.save")
    plain = [SGR.sub("", line) for line in lines]
    start = next(i for i, line in enumerate(plain) if re.search(r"\s#1\s+record\b", line))
    return terminal("gdvar annotate prints every byte of the last two records of a save with its path, type and value",
                    [(f"gdvar annotate --color always plain.save | tail -n {len(lines) - start}", lines[start:])])


def screen(title, lines):
    """What a whole terminal shows. Light on dark and dark on light are the same columns with the colours changed over."""
    size, advance, height = 13, 7.83, 18
    body, columns, style_before = "", 0, ""
    for y, line in enumerate(lines):
        text, x = "", 0
        line = style_before + line  # tmux says only what changes
        style_before = "".join(match[0] for match in SGR.finditer(line))
        for classes, part in spans(line):
            if "reverse" in classes:
                body += (f'<rect class="back" x="{14 + x * advance:.1f}" y="{12 + y * height}" '
                         f'width="{len(part) * advance:.1f}" height="{height}"/>\n')
                classes = classes.replace("reverse", "front")
            # Each part begins in its own column, whatever the font's width is.
            if part.strip():
                lead = len(part) - len(part.lstrip())
                text += (f'<tspan class="{classes}" x="{14 + (x + lead) * advance:.1f}">'
                         f'{html.escape(part.strip())}</tspan>')
            x += len(part)
        columns = max(columns, x)
        if text:
            body += f'<text class="text" xml:space="preserve" y="{25.5 + y * height}">{text}</text>\n'
    return document(round(28 + columns * advance), 24 + len(lines) * height, title, body,
                    f"text{{font:{size}px {MONO};white-space:pre}}.bold{{font-weight:600}}"
                    f".back{{fill:{LIGHT['text']}}}.front{{fill:{LIGHT['panel']}}}"
                    f"@media (prefers-color-scheme: dark){{.back{{fill:{DARK['text']}}}.front{{fill:{DARK['panel']}}}}}")


def browse(gdvar):
    """A value is changed in tmux, a terminal that can be read. None if there is no tmux or no browser."""
    if not shutil.which("tmux"):
        return None
    socket = f"gdvar-picture-{os.getpid()}"
    env = {**os.environ, "LC_ALL": "C.UTF-8"}
    for name in ("NO_COLOR", "TMUX"):
        env.pop(name, None)

    def tmux(*words):
        return subprocess.run(["tmux", "-L", socket, "-f", "/dev/null", *words], capture_output=True, text=True, env=env,
                              timeout=60, check=True).stdout

    def shows(text):
        deadline = time.monotonic() + 30
        while text not in tmux("capture-pane", "-p"):
            if time.monotonic() > deadline:
                sys.exit(f"pictures.py: gdvar browse does not show {text}")
            time.sleep(0.02)

    with tempfile.TemporaryDirectory() as place:
        shutil.copy(saves / "plain.save", pathlib.Path(place) / "plain.save")
        command = f"cd {place} && {gdvar} browse --path '#0 $.players[3].hp' plain.save || sleep 60"
        try:
            tmux("new-session", "-d", "-x", "100", "-y", "24", command)
            tmux("set-option", "status", "off")
            tmux("resize-window", "-x", "100", "-y", "24")
            while "quit" not in (seen := tmux("capture-pane", "-p")):
                if "this build has no browser" in seen:
                    return None
                time.sleep(0.02)
            tmux("send-keys", "Enter", "C-u")
            shows(".hp =")
            tmux("send-keys", "9999", "Enter")
            shows("97 -> 9999")
            lines = tmux("capture-pane", "-p", "-e", "-N").rstrip("\n").split("\n")
        finally:
            subprocess.run(["tmux", "-L", socket, "kill-server"], capture_output=True, env=env)
    return screen("gdvar browse shows a save as rows, the bytes of the selected value beside them, and the keys below",
                  lines)


# ---- how data flows

def data_flow(gdvar):
    body = ""

    def box(x, y, w, h, title, note="", kind="box"):
        nonlocal body
        body += f'<rect class="{kind} edge" x="{x}" y="{y}" width="{w}" height="{h}" rx="6"/>\n'
        middle = y + h / 2 + (5 if not note else -4)
        body += f'<text class="text name" x="{x + w / 2}" y="{middle}">{html.escape(title)}</text>\n'
        if note:
            body += f'<text class="prompt note" x="{x + w / 2}" y="{middle + 17}">{html.escape(note)}</text>\n'

    def head(x, text):
        nonlocal body
        body += f'<text class="accent head" x="{x}" y="34">{html.escape(text)}</text>\n'

    def arrow(x1, y1, x2, y2):
        nonlocal body
        body += f'<path class="line" d="M{x1} {y1}L{x2} {y2}" marker-end="url(#tip)"/>\n'

    body += ('<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
             'orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>\n')
    head(155, "Sources")
    head(480, "Events")
    head(805, "Sinks")
    sources = [("Reader", "packet bytes, checked"), ("Variant", "a tree that owns its values"),
               ("View of a Document", "reads its part of the packet again"), ("Struct", "Bind<T>, member by member")]
    sinks = [("Encoder", "encode"), ("Variant builder", "decode"), ("Document builder", "Document::parse"),
             ("Text and JSON printers", "to_text, to_json"), ("Annotator", "inspect::annotate"),
             ("Validator", "validate")]
    top, bottom = 56, 416
    box(376, top, 208, bottom - top, "", kind="soft")
    events = ["nil, boolean, integer, real", "string, string_name", "math, packed", "begin_array, begin_dictionary",
              "begin_object, property", "end", "..."]
    for i, event in enumerate(events):
        body += f'<text class="text event" x="480" y="{top + 62 + i * 42}">{html.escape(event)}</text>\n'
    step = (bottom - top) / len(sources)
    for i, (name, note) in enumerate(sources):
        y = top + i * step + (step - 56) / 2
        box(40, y, 230, 56, name, note)
        arrow(274, y + 28, 370, y + 28)
    step = (bottom - top) / len(sinks)
    for i, (name, note) in enumerate(sinks):
        y = top + i * step + (step - 50) / 2
        box(690, y, 230, 50, name, note)
        arrow(588, y + 25, 684, y + 25)
    # The tables that the two ends of the wire share.
    box(290, 456, 380, 52, "Dialect tables", "one row for each type id, one table for each dialect")
    body += '<path class="line" fill="none" d="M286 482H20V101H34" marker-end="url(#tip)"/>\n'
    body += '<path class="line" fill="none" d="M674 482H940V86H926" marker-end="url(#tip)"/>\n'
    for i, line in enumerate(["Cursor: the Reader, stepped by hand. Writer: an Encoder that checks what is written by hand.",
                              "The parsers of text and JSON are no sources: they make Variants."]):
        body += f'<text class="prompt note" x="480" y="{532 + i * 18}">{html.escape(line)}</text>\n'
    return document(960, 568, "Every source drives every sink with the same events; the dialect tables steer the Reader "
                    "and the Encoder", body,
                    f"text{{font-family:{SANS};text-anchor:middle}}.head{{font-size:15px;font-weight:600}}"
                    ".name{font-size:14px;font-weight:600}.note{font-size:12px}.event{font-size:12.5px}"
                    ".line{stroke-width:1.5;fill:none}")


PICTURES = {"show": show, "annotate": annotate, "browse": browse, "data-flow": data_flow}


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--check", action="store_true", help="write nothing; say which pictures are out of date")
    words.add_argument("gdvar", nargs="?", default=root / "build/release/gdvar", help="the command")
    options = words.parse_args()
    gdvar = pathlib.Path(options.gdvar).resolve()
    folder.mkdir(exist_ok=True)
    old = []
    for name, draw in PICTURES.items():
        path, picture = folder / f"{name}.svg", draw(gdvar)
        if picture is None:
            print(f"docs/pictures/{name}.svg is left as it is: this needs tmux, and a command with the browser")
        elif options.check:
            if not path.exists() or path.read_text() != picture:
                old.append(name)
        else:
            path.write_text(picture)
    for name in old:
        print(f"docs/pictures/{name}.svg is out of date: scripts/docs pictures")
    print(f"{len(PICTURES) - len(old)} pictures as they should be, {len(old)} out of date")
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
