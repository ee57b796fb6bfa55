"""What the extension takes of CPython is in the stable ABI of 3.11, so that one build works with all later versions.

The headers hide what is not (Py_LIMITED_API); this looks at the finished file. Usage: stable_abi.py
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import abi3info  # type: ignore[import-untyped]

from gdvar import _gdvar

OLDEST = (3, 11)


def undefined_symbols(file: str) -> list[str]:
    """The names that a shared library expects others to define."""
    command = ["nm", "--dynamic", "--undefined-only", "--format=just-symbols", file]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    return [name.partition("@")[0] for name in listed.stdout.split()]


def stable_abi() -> dict[str, tuple[int, int]]:
    """Its names, and the version that each came with."""
    tables: list[dict[Any, Any]] = [abi3info.FUNCTIONS, abi3info.DATAS]
    rows = (row for table in tables for row in table.values())
    return {row.symbol.name: (row.added.major, row.added.minor) for row in rows}


def main() -> int:
    stable = stable_abi()
    names = [name for name in undefined_symbols(_gdvar.__file__) if name.startswith(("Py", "_Py"))]

    def problem(name: str) -> str | None:
        if name not in stable:
            return f"{name} is not in the stable ABI"
        added = stable[name]
        return f"{name} came with CPython {added[0]}.{added[1]}" if added > OLDEST else None

    problems = [text for text in map(problem, names) if text]
    for text in problems:
        print(text)
    print(f"{len(names)} names of CPython, {len(problems)} problems")
    return 1 if problems or not names else 0


sys.exit(main())
