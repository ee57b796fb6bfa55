"""Writes the reference of the Python package as HTML, from its docstrings and types.

One page for `gdvar` with all that it exports, one for each module that is imported by itself. Says which public names
have no docstring. Usage: reference.py OUTPUT_DIR [--undocumented]
"""

from __future__ import annotations

import inspect
import sys
import types
import typing
import warnings
from pathlib import Path
from typing import Any

import pdoc
import pdoc.doc
import pdoc.doc_pyi

import gdvar
import gdvar.aio


def exported(module: types.ModuleType) -> list[str]:
    """The names that are the package's own, in the order of its modules."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and not inspect.ismodule(value)
        and getattr(value, "__module__", "gdvar").partition(".")[0] == "gdvar"
    ]


def last_overload(module: str, qualname: str) -> Any:
    """The most general signature of a function with several."""

    def name() -> None: ...

    name.__module__, name.__qualname__ = module, qualname
    return typing.get_overloads(name)[-1]


def show_overloads(namespace: Any, module: str, prefix: str = "") -> None:
    """Python keeps nothing of functions with several signatures but these."""
    for name, value in list(vars(namespace).items()):
        if getattr(value, "__qualname__", "") == "_overload_dummy":
            setattr(namespace, name, last_overload(module, prefix + name))
        elif inspect.isclass(value) and value.__module__ == module:
            show_overloads(value, module, f"{prefix}{name}.")


def take_types_of_the_extension() -> None:
    """`gdvar` has the extension's functions, so its types are those of the extension's stub file.

    Docstrings are those of the extension, which say more.
    """
    pyi = pdoc.doc_pyi
    find_stub_file, import_stub_file, patch = pyi.find_stub_file, pyi._import_stub_file, pyi._patch_doc

    def find(name: str) -> Path | None:
        return find_stub_file("gdvar._gdvar" if name == "gdvar" else name)

    def import_overloads(name: str, file: Path) -> types.ModuleType:
        module = import_stub_file(name, file)
        show_overloads(module, name)
        return module

    def patch_types(target: pdoc.doc.Doc[Any], stub: pdoc.doc.Module) -> None:
        own = target.docstring
        patch(target, stub)
        target.docstring = own or target.docstring

    pyi.find_stub_file, pyi._import_stub_file, pyi._patch_doc = find, import_overloads, patch_types  # type: ignore[assignment]


def undocumented(module: pdoc.doc.Module) -> list[str]:
    """The functions, classes and methods without a docstring. That of a named tuple's field is Python's own."""
    found: list[str] = []
    left: list[pdoc.doc.Doc[object]] = list(module.members.values())
    while left:
        member = left.pop(0)
        if member.name.startswith("_") or isinstance(member, pdoc.doc.Variable | pdoc.doc.Module):
            continue
        if not member.docstring.strip():
            found.append(member.fullname)
        if isinstance(member, pdoc.doc.Class):
            left += member.own_members
    return found


def main() -> int:
    output = Path(sys.argv[1])
    gdvar.__all__ = exported(gdvar)  # type: ignore[attr-defined]
    modules = [gdvar, gdvar.aio]
    take_types_of_the_extension()
    pdoc.render.configure(docformat="markdown", footer_text=f"gdvar {gdvar.__version__}")
    with warnings.catch_warnings():
        # A named tuple's constructor has its fields' types as names, which pdoc looks up among the builtins.
        warnings.filterwarnings("ignore", "Error parsing type annotation ForwardRef")
        warnings.filterwarnings("ignore", "Error processing type stub for .*__hash__")
        pdoc.pdoc(*(module.__name__ for module in modules), output_directory=output)
        missing = [name for module in modules for name in undocumented(pdoc.doc.Module(module))]
    if "--undocumented" in sys.argv:
        print(*missing, sep="\n")
    print(f"{output}/gdvar.html: {len(gdvar.__all__)} names, {len(missing)} without a docstring")  # type: ignore[attr-defined]
    return 0


sys.exit(main())
