"""What pages print for their readers: programs, commands, output."""

import pathlib
import re
import textwrap

HEADING = re.compile(r"^(#+) +(.*?) *$")


def section(page, heading):
    """The text below a heading, up to the next one of its level or above."""
    found, level, fenced = [], 0, False
    for line in pathlib.Path(page).read_text().splitlines(keepends=True):
        fenced ^= line.startswith("```")
        title = None if fenced else HEADING.match(line)
        if level and title and len(title[1]) <= level:
            break
        if level:
            found.append(line)
        elif title and title[2] == heading:
            level = len(title[1])
    assert level, f"{page} has no heading '{heading}'"
    return "".join(found)


def blocks(text, language):
    """The blocks "```language", without their fences."""
    return re.findall(rf"^```{language}\b[^\n]*\n(.*?)^```$", text, re.M | re.S)


def indented(text):
    """The blocks that are indented by four, dedented."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return [textwrap.dedent(block).strip("\n") + "\n" for block in re.findall(r"(?:(?<=\n\n)|\A)(?: {4}.*\n|\n(?= {4}))+", text)]


def commands(text, word):
    """The one indented block that has a line with this word."""
    found = [block for block in indented(text) if word in block]
    assert len(found) == 1, f"{len(found)} blocks of commands have '{word}'"
    return found[0]


def output(text, number=0):
    """What a program prints: the block behind "It prints"."""
    return indented(text.split("\nIt prints\n")[number + 1])[0]
