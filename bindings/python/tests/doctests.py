"""Runs the examples in docstrings: of every module of the package, and of the extension.

Usage: doctests.py. The package is the one that `import gdvar` finds.
"""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import sys

import gdvar


def main() -> int:
    names = [gdvar.__name__, *(f"gdvar.{module.name}" for module in pkgutil.iter_modules(gdvar.__path__))]
    failed = attempted = 0
    for name in names:
        if name == "gdvar.__main__":  # it runs the command
            continue
        result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
        print(f"{name}: {result.attempted} examples, {result.failed} failed")
        failed += result.failed
        attempted += result.attempted
    if not attempted:
        print("there is no example in any docstring")
    return 1 if failed or not attempted else 0


sys.exit(main())
