#!/usr/bin/env python3
"""Writes all that follows from gdvar.h: interface.py ROOT [--update]

bindings/c/interface.json           the interface, for generators in other languages (docs/c.md, "For other languages")
bindings/js/wasm/*.exports          the functions of each WebAssembly module but gdvar-packets.wasm (bindings/go/generate.py)
bindings/js/src/interface.ts        numbers, places in structs and types of functions, for TypeScript
bindings/js/src/layouts.ts          what reads whole structs
bindings/python/src/kept.hpp        how records of callbacks are kept, for the Python package
docs/c.md, "What is where"          the functions by the sections of the header

Without --update nothing is written, and what is stale is named.
"""
import json
import pathlib
import re
import sys

import header

HEADER = "bindings/c/include/gdvar/gdvar.h"
HOW = "Written by tools/describe/interface.py --update, out of gdvar.h"

# The functions of a WebAssembly module, besides malloc and free: gdvar-core.wasm has those that a source names which an
# entry of the package imports that has no other module, gdvar-tools.wasm those for packets, gdvar-saves.wasm all that take no file's name.
BEYOND_PACKETS = {"options and kinds of saves", "saves", "what saves are", "files in a file", "values of saves",
                  "where values stand in the bytes of a save", "changing saves", "sizes and checksums beside changes", "whole saves",
                  "damaged saves", "streams"}
CORE_ENTRIES = ("index.ts", "websocket.ts", "node.ts")
CALLBACKS = ("gdvar_use_callback", "gdvar_match_callback")

SCRIPTS = ("interface.ts", "layouts.ts")
# The enums whose numbers have words in TypeScript, and the space between two words.
WORDS = {"gdvar_error_source": "_", "gdvar_container_kind": "_", "gdvar_needs": " ", "gdvar_recovered_state": "_"}


# ---- the description ----

def codes(page):
    """The errors of docs/errors.md, which is made of the library's own table."""
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \| (\w+) \| (.*) \|$", page, re.M)
    return [{"name": name, "value": int(number), "kind": kind, "doc": doc} for number, name, kind, doc in rows]


def as_json(model, page_of_errors):
    """One declaration a line."""
    def rows(name, entries):
        lines = ",\n".join(f"  {json.dumps(entry, ensure_ascii=False)}" for entry in entries)
        return f' "{name}": [\n{lines}\n ]'

    names = ("constants", "enums", "handles", "structs", "initializers", "callbacks", "functions")
    lists = [*(rows(name, getattr(model, name)) for name in names), rows("codes", codes(page_of_errors))]
    return "{\n" + ",\n".join([f' "about": "{HOW}"', f' "abi": {model.abi}', *lists]) + "\n}\n"


def as_table(model, page):
    """The page with its table of functions."""
    sections = {}
    for f in model.functions:
        sections.setdefault(f["section"], []).append(f"`{f['name']}`")
    rows = [f"| {title} | {', '.join(names)} |" for title, names in sections.items()]
    table = re.compile(r"(?<=\| for \| functions \|\n\|---\|---\|\n)(?:\|.*\n)*")
    if not table.search(page):
        raise header.Unexpected("docs/c.md has no table of functions")
    return table.sub(lambda _: "\n".join(rows) + "\n", page, count=1)


# ---- WebAssembly ----

def imported(folder, name, seen):
    """The sources of the package that one imports, itself included."""
    if name in seen:
        return seen
    seen[name] = (folder / name).read_text(encoding="utf-8")
    for of_types, source in re.findall(r'^(?:import|export)\s+(type\s)?[^;"]*"\./([\w.-]+)\.js"', seen[name], re.M):
        if not of_types:
            imported(folder, f"{source}.ts", seen)
    return seen


def exports(model, root):
    """The names that each module exports."""
    folder = root / "bindings/js/src"
    sources = {}
    for entry in CORE_ENTRIES:
        imported(folder, entry, sources)
    core = {name for _, name in re.findall(r'(["`])(gdvar_\w+)\1', "".join(sources.values()))}
    named = [f["name"] for f in model.functions]
    if gone := BEYOND_PACKETS - {f["section"] for f in model.functions}:
        raise header.Unexpected(f"no section of the header is called {', '.join(sorted(gone))}")
    return {
        "core": [*(name for name in named if name in core), *sorted(core - {*named})],
        "tools": [*CALLBACKS, *(f["name"] for f in model.functions if f["section"] not in BEYOND_PACKETS)],
        "saves": [*CALLBACKS, *(f["name"] for f in model.functions if all(a["role"] != "file" for a in f["arguments"]))],
    }


# ---- TypeScript ----

def camel(name):
    return re.sub(r"_([a-z])", lambda m: m[1].upper(), name.removeprefix("gdvar_"))


def pascal(name):
    name = camel(name)
    return name[0].upper() + name[1:]


def upper(name):
    return name.removeprefix("gdvar_").upper()


def constants(name, pairs):
    return f"export const enum {name} {{ {', '.join(f'{key} = {min(value, 2**53 - 1)}' for key, value in pairs)} }}"


def bare_type(member):
    return member["type"].removeprefix("const ").removesuffix("*")


def is_list(model, member):
    """An array whose items are read with the struct; of another one its address is, and the count."""
    bare = bare_type(member)
    return member.get("role") == "array" and model.kinds.get(bare) == "struct" and is_read(model.struct(bare))


def readers(model, struct):
    """The function that reads each member: of structs.ts, or another struct of this file."""
    counts = {m["count"] for m in struct["members"] if is_list(model, m)}
    return [(m, reader(model, m)) for m in struct["members"] if m.get("role") != "reserved" and m["name"] not in counts]


def reader(model, member):
    of, role, bare = member["type"], member.get("role"), bare_type(member)
    if is_list(model, member):
        return f"/* @__PURE__ */ list({'text' if bare == 'gdvar_text' else upper(bare)})"
    if "length" in member:
        return f"/* @__PURE__ */ own({member['length']})" if bare == "uint8_t" else "place"
    if of in header.SPANS:
        return bare.removeprefix("gdvar_")
    if model.kinds.get(bare) == "struct" and not of.endswith("*"):
        return "place"
    number = {"uint8_t": "u8", "uint16_t": "u16", "uint64_t": "u64", "int64_t": "i64"}.get(of, "u32")
    if role == "truth":
        return {"u8": "truth", "u32": "truth32"}[number]
    if "none" in member:
        return f"/* @__PURE__ */ unless({number}, C.{camel(member['none'].removeprefix('GDVAR_').lower())})"
    return number


def is_read(struct):
    """A struct in JavaScript is an object; options are written, and unions are read where they stand."""
    return "options" not in struct and all("members" not in m for m in struct["members"])


def layouts(model, sources):
    """The lines that read the structs that a source imports: those of all packets, and the rest."""
    imports = " ".join(re.findall(r'import \{([^}]*)\} from "\./(?:interface|layouts)\.js"', sources))
    used = {s["name"] for s in model.structs if re.search(rf"\b{upper(s['name'])}\b", imports) and is_read(s)}
    for struct in reversed(model.structs):
        if struct["name"] in used:
            used |= {bare_type(m) for m in struct["members"] if is_list(model, m)}
    used -= header.SPANS.keys()
    lines = {True: [], False: []}
    for struct in model.structs:
        if struct["name"] in used:
            parts = ", ".join(f"{camel(m['name'])}: [{m['at32']}, {read}]" for m, read in readers(model, struct))
            lines[struct["section"] == "errors"].append(
                f"/** @internal */ export const {upper(struct['name'])} = /* @__PURE__ */ struct({struct['size32']}, {{ {parts} }});")
    return lines[True], lines[False]


def with_imports(lines):
    """Layouts, and the import of the functions by which they read members."""
    names = re.findall(r"(?<=, )\w+(?=\])|\w+(?=\()|(?<=\()text", "".join(lines))
    return [f'import {{ {", ".join(sorted(set(names)))} }} from "./structs.js";', *lines]


def signatures(model):
    """The functions as WebAssembly has them."""
    def of(name):
        return "bigint" if name in ("uint64_t", "int64_t") else "number"

    for f in model.functions:
        given = [f"{camel(a['name'])}: {of(a['type'])}" for a in f["arguments"]]
        result = {"none": "void", "bytes": "void", "text": "void", "struct": "void"}.get(f["result"], of(f["type"]))
        if f["type"] != "void" and result == "void":
            given.insert(0, "result: number")
        yield f"    {f['name']}({', '.join(given)}): {result};"


def as_typescript(model, folder):
    """Two sources: numbers, which take no room in the package, types of functions, and the layout of errors; other layouts."""
    sources = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.ts")) if path.name not in SCRIPTS)
    types = next(e for e in model.enums if e["name"] == "gdvar_type")
    errors, others = layouts(model, sources)
    lines = [f"// {HOW}.", *with_imports(errors), ""]
    lines += [constants(pascal(e["name"]), [(camel(v["short"]), v["value"]) for v in e["values"]]) for e in model.enums]
    lines += [f"export const {upper(e['name'])} = {json.dumps([v['short'].replace('_', WORDS[e['name']]) for v in e['values']])} as const;"
              for e in model.enums if e["name"] in WORDS]
    lines += ["/** The Variant types, by their numbers. */",
              f"export const TYPES = {json.dumps([v['doc'] for v in types['values']])} as const;",
              "/** The name of a Variant type. */", "export type TypeName = (typeof TYPES)[number];"]
    lines += [constants("C", [(camel(c["name"].removeprefix("GDVAR_").lower()), c["value"]) for c in model.constants])]
    lines += [constants(pascal(i["name"].removeprefix("GDVAR_").removesuffix("_INIT").lower()) + "Init",
                        [(camel(name), value) for name, value in i["values"].items() if value]) for i in model.initializers]
    lines += ["", constants("Size", [(camel(s["name"]), s["size32"]) for s in model.structs])]
    lines += [constants(f"{pascal(s['name'])}At", [(camel(m["name"]), m["at32"]) for m in s["members"] if m.get("role") != "reserved"])
              for s in model.structs]
    lines += ["", "/** The functions. Structs are passed and returned by their addresses. */", "export interface Functions {",
              *signatures(model), "}", "export type CFunction = keyof Functions;"]
    more = [f"// {HOW}.", 'import { C } from "./interface.js";', *with_imports(others)]
    return {name: "\n".join(text) + "\n" for name, text in zip(SCRIPTS, (lines, more))}


# ---- Python ----

def as_keepers(model):
    """How the records of callbacks, and what is in lists of theirs, get texts that outlive the call."""
    records = {c["record"] for c in model.callbacks}
    records |= {bare_type(m) for s in model.structs if s["name"] in records for m in s["members"] if m.get("role") == "array"}
    yield from (f"// {HOW}.", "#pragma once", "// clang-format off", "", '#include "gdvar/gdvar.h"', "", "namespace gdvar_py {", "")
    yield "template <class Texts> void keep_texts(gdvar_text& of, Texts& to) { to.keep({&of}); }"
    for struct in model.structs:
        if struct["name"] not in records or any(m.get("type") == "gdvar_bytes" for m in struct["members"]) or struct["name"] in header.SPANS:
            continue
        texts = ", ".join(f"&of.{m['name']}" for m in struct["members"] if m["type"] == "gdvar_text")
        lists = [f"of.{m['name']} = to.keep(of.{m['name']}, of.{m['count']});" for m in struct["members"] if m.get("role") == "array"]
        yield " ".join([f"template <class Texts> void keep_texts({struct['name']}& of, Texts& to) {{ to.keep({{{texts}}});", *lists, "}"])
    yield from ("", "}  // namespace gdvar_py", "")


# ---- files ----

def files(root):
    """Each file that is written, and its text."""
    def read(name):
        return (root / name).read_text(encoding="utf-8")

    model = header.Header(read(HEADER))
    scripts = "bindings/js/src"
    made = {"bindings/c/interface.json": as_json(model, read("docs/errors.md")), "docs/c.md": as_table(model, read("docs/c.md")),
            "bindings/python/src/kept.hpp": "\n".join(as_keepers(model)),
            **{f"{scripts}/{name}": text for name, text in as_typescript(model, root / scripts).items()}}
    for module, names in exports(model, root).items():
        about = f"# {HOW}: exports of gdvar-{module}.wasm besides `memory` and `_initialize`."
        made[f"bindings/js/wasm/{module}.exports"] = "\n".join([about, "malloc", "free", *names]) + "\n"
    return made


def main(arguments):
    root = pathlib.Path(arguments[0])
    update = "--update" in arguments
    stale = []
    for name, text in files(root).items():
        path = root / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if update:
                path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"{name} is {'written' if update else 'stale: python3 tools/describe/interface.py . --update'}")
    return bool(stale) and not update


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
