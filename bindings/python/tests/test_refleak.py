"""Nothing grows: a few thousand rounds of refleak.py, which by itself runs a million."""

from __future__ import annotations

import pytest
import refleak


@pytest.mark.parametrize("name", refleak.JOBS)
def test_nothing_grows(name: str) -> None:
    """In three measurements, because Python's lists of free objects grow now and then."""
    case = refleak.JOBS[name]
    rounds = max(200, 20_000 // case.share)
    grown: list[refleak.Grown] = []
    for _ in range(3):
        grown.append(refleak.measure(case.job, rounds))
        if not refleak.has_grown(grown[-1], rounds):
            return
    raise AssertionError(grown)
