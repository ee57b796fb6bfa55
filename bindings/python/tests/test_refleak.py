"""Nothing grows: a few thousand rounds of refleak.py, which by itself runs a million."""

from __future__ import annotations

import os

import pytest
import refleak

SANITIZED = "libclang_rt" in os.environ.get("LD_PRELOAD", "")


@pytest.mark.parametrize("name", refleak.JOBS)
def test_nothing_grows(name: str) -> None:
    case = refleak.JOBS[name]
    rounds = max(200, 20_000 // case.share)
    grown = refleak.measure(case.job, rounds // (5 if SANITIZED else 1))
    if SANITIZED:
        # The sanitizer keeps freed memory for a while, and Python's blocks are not counted.
        grown = grown._replace(kib=0)
    assert not refleak.has_grown(grown, rounds), grown
