"""The examples on docs/python.md are what happens: all of them in one session, in the page's order."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from vectors import SOURCE

PAGE = SOURCE / "docs" / "python.md"


def examples(text: str) -> list[doctest.Example]:
    out: list[doctest.Example] = []
    for block in re.finditer(r"^```pycon\n(.*?)^```$", text, re.M | re.S):
        line = text.count("\n", 0, block.start(1))
        for example in doctest.DocTestParser().get_examples(block[1], str(PAGE)):
            example.lineno += line
            out.append(example)
    return out


def test_the_pages_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # they write files
    text = PAGE.read_text(encoding="utf-8")
    all_of_them = examples(text)
    assert len(all_of_them) > 40
    test = doctest.DocTest(all_of_them, {"__name__": "__main__"}, PAGE.name, str(PAGE), 0, text)
    told: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert result.failed == 0, "".join(told)


def test_no_other_python_is_on_the_page() -> None:
    """What is not run is not shown."""
    text = PAGE.read_text(encoding="utf-8")
    assert set(re.findall(r"^```(\S*)$", text, re.M)) == {"pycon", ""}
