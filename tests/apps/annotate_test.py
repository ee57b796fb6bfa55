#!/usr/bin/env python3
"""The columns of annotate: 80 in a pipe, the terminal's width there, colours, --wide. Nothing of a value is lost.
Usage: annotate_test.py GDVAR SOURCE_DIR"""
import functools, pathlib, re, sys, unicodedata

sys.path.append(sys.path[0] + "/../support")
from by_hand import array, string
from command import PLAIN, check, expect, finish, new_folder, on_terminal, pack, run

COLOUR = re.compile("\x1b\\[[0-9;]*m")


@functools.cache
def cells(c):
    if unicodedata.category(c) in ("Mn", "Me") or c in "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064":
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def width_of(text):
    """What a terminal takes for the text: two columns for a wide character, none for one that combines."""
    return len(text) if text.isascii() else sum(map(cells, text))


def rows(text, column):
    """The text behind the columns, of each row with its continuations."""
    out = []
    for line in text.splitlines():
        if line.startswith("0x"):
            out.append(line[column:])
        else:
            check("a continuation is below the text", line[:column].strip() == "", line)
            out[-1] += line[column:]
    return [re.sub(r"\s+", "", row) for row in out]


new_folder()
text = """{"a long key of many words, longer than the column of paths": ["%s", Vector3(1.5, 2.25, 3.125), "%s", "%s"],
              "wide": PackedByteArray(%s)}""" % ("words " * 30, "x" * 90, "é日本" * 20, ", ".join("7" * 40))
pathlib.Path("v").write_bytes(pack(text))
for name in ("v", PLAIN):
    wide = run("annotate", "--wide", name)[1].decode()
    narrow = run("annotate", name)[1].decode()
    check("80 columns", max(map(len, narrow.splitlines())) <= 80, max(narrow.splitlines(), key=len))
    expect("a row each", sum(line.startswith("0x") for line in narrow.splitlines()), len(wide.splitlines()))
    check("no colour in a pipe", "\x1b" not in narrow)
    values = [re.sub(r"\s+", "", line) for line in wide.splitlines()]
    for row, whole in zip(rows(narrow, 49), values):
        check("nothing of a row is lost", whole.endswith(row), (row, whole))
    for columns in (60, 80, 100, 133, 300):
        seen = on_terminal("annotate", name, columns=columns).decode()
        check(f"colours at {columns}", "\x1b[36m" in seen and "\x1b[34m" in seen)
        longest = max(COLOUR.sub("", seen).splitlines(), key=len)
        check(f"{columns} columns", len(longest) <= columns, longest)
    check("NO_COLOR", b"\x1b" not in on_terminal("annotate", name, columns=80, NO_COLOR="1"))
    expect("the same as in a pipe", on_terminal("annotate", "--color", "never", name, columns=80).decode(), narrow)
    expect("--color always --wide", COLOUR.sub("", run("annotate", "--color", "always", "--wide", name)[1].decode()), wide)
check("a cut path keeps its end", re.search(r"^0x\w+ +\S* +\.\.\.\S.*\[1\] ", run("annotate", "v")[1].decode(), re.M), narrow[:400])
broken = pathlib.Path("v").read_bytes()[:-30]
code, out, err = run("annotate", "--dialect", "godot4", stdin=broken)
check("the break is whole", code == 1 and "error[truncated]" in re.sub(r"\n +", "", out.decode()), out)

# Characters of other widths than one column.
new_folder()
family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
for what, key, value in (("CJK", "日本語の長い鍵の名前です", "漢字かな交じり文" * 20), ("a, then CJK", "x日本語の長い鍵の名前です", "x" + "漢字" * 60),
                         ("Hangul, fullwidth", "한국어 열쇠 이름은 길다", "ＦＵＬＬ　ＷＩＤＴＨ" * 12), ("emoji", "🎮🗡️🛡🧪🪄" * 6, "🙂" * 100 + family * 20),
                         ("combining", "e\u0301" * 30, "a\u0308\u0323" * 200), ("mixed", "é日本e\u0301🎮" * 6, "hp é日本 e\u0301🎮" * 20)):
    pathlib.Path("w").write_bytes(pack(f'{{"{key}": ["{value}", 5], "{value}": 1}}'))
    narrow = run("annotate", "w")[1].decode()
    longest = max(narrow.splitlines(), key=width_of)
    check(f"{what}: 80 columns", width_of(longest) <= 80, (width_of(longest), longest))
    check(f"{what}: the columns are used", width_of(longest) >= 79, (width_of(longest), longest))
    check(f"{what}: nothing combines across lines", not any(unicodedata.category(line.lstrip()[:1] or " ") == "Mn" for line in narrow.splitlines()), narrow)
    cut = [line for line in narrow.splitlines() if "..." in line[26:50]]
    check(f"{what}: a path is cut", cut, narrow)
    for line in narrow.splitlines():
        if line.startswith("0x"):
            column, at = 0, 0
            while column < 49:
                column, at = column + width_of(line[at]), at + 1
            check(f"{what}: the types are one below the other", column == 49 and line[at:].lstrip("\u0301\ufe0f")[:1].strip() and line[at - 1] == " ", line)
    seen = on_terminal("annotate", "w", columns=67).decode()
    check(f"{what}: 67 columns", max(map(width_of, (line for line in COLOUR.sub("", seen).splitlines() if not line.startswith("gdvar: ")))) <= 67, seen)

# All characters that this Python knows, a few in a text. One text fills its line to the last column, the next has a
# column more. Each is printed twice: as the value, and beside its bytes.
same_tables = unicodedata.unidata_version.startswith("14.")  # later versions add and widen some
every = {0: [], 1: [], 2: []}
for code in (*range(0xA0, 0xE000), *range(0xF900, 0xE0000)):
    if unicodedata.category(chr(code)) not in ("Cn", "Cc", "Cf", "Cs", "Zl", "Zp"):
        every[width_of(chr(code))].append(chr(code))
for width, characters in every.items():
    count = 4 if width else 1  # a longer text is shortened
    groups = ["".join(characters[at:at + count]) for at in range(0, len(characters), count)]
    texts = ["x" * (columns - width_of(group)) + group for group in groups for columns in (29, 30)]
    pathlib.Path("w").write_bytes(array(map(string, texts)))
    lines = run("annotate", "--dialect", "godot4", "w")[1].decode().split("\n")
    widths = list(map(width_of, lines))
    check(f"characters of {width} columns fit", max(widths) <= 80 or not same_tables, lines[widths.index(max(widths))])
    full = sum(size == 80 and line.endswith('"') for line, size in zip(lines, widths))
    check(f"characters of {width} columns fill lines", 2 * len(groups) >= full >= 2 * len(groups) * (1 if same_tables else 0.95) > 1600, (full, len(groups)))
finish()
