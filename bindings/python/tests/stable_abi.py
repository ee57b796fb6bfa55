"""What the extension takes of CPython is in the stable ABI of 3.11, so that one build works with all later versions. It
exports the function that Python calls, and nothing else.

The headers hide what is not (Py_LIMITED_API); this looks at the finished file.

Usage: stable_abi.py
       stable_abi.py --def   prints what python3.dll exports, for the linker of an extension for Windows
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import abi3info  # type: ignore[import-untyped]

OLDEST = (3, 11)


def symbols(file: str, which: str) -> list[str]:
    """The names that a shared library expects others to define (--undefined-only), or offers them."""
    command = ["nm", "--dynamic", which, "--format=just-symbols", file]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    return [name.partition("@")[0] for name in listed.stdout.split()]


def stable_abi() -> dict[str, tuple[int, int]]:
    """Its names, and the version that each came with."""
    tables: list[dict[Any, Any]] = [abi3info.FUNCTIONS, abi3info.DATAS]
    rows = (row for table in tables for row in table.values())
    return {row.symbol.name: (row.added.major, row.added.minor) for row in rows}


def print_def() -> None:
    """A module definition file, in which variables are marked."""
    variables = {row.symbol.name for row in abi3info.DATAS.values()}
    print("LIBRARY python3.dll\nEXPORTS")
    for name, added in sorted(stable_abi().items()):
        if added <= OLDEST:
            print(name, "DATA" if name in variables else "")


def main() -> int:
    if sys.argv[1:] == ["--def"]:
        print_def()
        return 0
    # The other use builds the extension.
    from gdvar import _gdvar  # noqa: PLC0415

    stable = stable_abi()
    names = [name for name in symbols(_gdvar.__file__, "--undefined-only") if name.startswith(("Py", "_Py"))]

    def problem(name: str) -> str | None:
        if name not in stable:
            return f"{name} is not in the stable ABI"
        added = stable[name]
        return f"{name} came with CPython {added[0]}.{added[1]}" if added > OLDEST else None

    problems = [text for text in map(problem, names) if text]
    offered = symbols(_gdvar.__file__, "--defined-only")
    if offered != ["PyInit__gdvar"]:
        problems.append(f"the extension exports {', '.join(offered[:20])}")
    for text in problems:
        print(text)
    print(f"{len(names)} names of CPython, {len(problems)} problems")
    return 1 if problems or not names else 0


sys.exit(main())
