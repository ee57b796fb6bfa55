#!/usr/bin/env python3
"""Writes Gdvar/Generated.cs: gdvar.h for P/Invoke, and the math types. generate.py [--update]"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "languages"))
from description import enum, interface, main, math_parts, pascal, shapes  # noqa: E402

TYPES = {
    "void": "void", "uint8_t": "byte", "uint16_t": "ushort", "uint32_t": "uint", "uint64_t": "ulong", "int32_t": "int",
    "int64_t": "long", "double": "double", "int": "int", "size_t": "UIntPtr", "char": "byte",
}
NUMBERS = {"u8": "byte", "i32": "int", "i64": "long", "f32": "float", "f64": "double"}
# Godot's names that .NET writes in another way, and enums that users see.
NAMES = {"AABB": "Aabb", "AABBd": "Aabbd", "RID": "Rid"}
PUBLIC = {
    "gdvar_type": ("VariantType", "The type of a value."),
    "gdvar_error_source": ("ErrorSource", "The origin of an error, which says what its offset counts."),
    "gdvar_container_kind": ("ContainerKind", "How the type of a typed container is named."),
    "gdvar_set_flags": ("SetFlags", "Permissions of SaveFile.Set."),
}
HEAD = """// Written by bindings/csharp/generate.py: gdvar.h for P/Invoke, and the math types.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Gdvar {
"""


def named(name):
    return NAMES.get(name, pascal(name))


class Writer:
    def __init__(self):
        self.described = interface()
        # Those that are never freed are plain addresses.
        self.owned = {each["name"] for each in self.described["handles"] if "free" in each}
        self.handles = {each["name"] for each in self.described["handles"]}
        self.callbacks = {each["name"] for each in self.described["callbacks"]}
        self.lines = []

    def say(self, indent, *lines):
        self.lines += [("    " * indent + line).rstrip() for line in lines]

    def type(self, c):
        """The C# type of a C type, within a struct."""
        bare = c.removeprefix("const ")
        if bare.rstrip("*") in self.handles:
            return "IntPtr"
        stars = len(bare) - len(bare.rstrip("*"))
        return TYPES.get(bare.rstrip("*"), bare.rstrip("*")) + "*" * stars

    def handle(self, c):
        return pascal(c.removeprefix("const ").rstrip("*").removeprefix("gdvar_")) + "Handle"

    def argument(self, of):
        bare = of["type"].removeprefix("const ").rstrip("*")
        if bare in self.owned:
            return ("out " if of["type"].endswith("**") else "") + self.handle(of["type"])
        return "IntPtr" if of["role"] == "user" else of["type"] if bare in self.callbacks else self.type(of["type"])

    def enums(self):
        for name, (public, summary) in PUBLIC.items():
            of = enum(self.described, name)
            self.say(1, f"/// <summary>{summary}</summary>", *["[Flags]"] * of["flags"])
            base = "uint" if of["flags"] else "byte"
            self.say(1, f"public enum {public} : {base} {{")
            for value in of["values"]:
                own = named(value["doc"]) if name == "gdvar_type" else pascal(value["short"])
                self.say(2, f"{own} = {value['value']},")
            self.say(1, "}", "")

    def struct(self, name, members, explicit=False):
        inner = [each for each in members if each["type"] in ("union", "struct")]
        for each in inner:
            self.struct(f"{name}_{each['name']}", each["members"], each["type"] == "union")
        self.say(1, f"[StructLayout(LayoutKind.{'Explicit' if explicit else 'Sequential'})]", f"unsafe struct {name} {{")
        for each in members:
            place = f"[FieldOffset({each['at64']})] " if explicit else ""
            own = ("@" if each["name"] == "as" else "") + each["name"]
            if each in inner:
                self.say(2, f"{place}public {name}_{each['name']} {own};")
            elif "length" in each:
                self.say(2, f"{place}public fixed {self.type(each['type'])} {own}[{each['length']}];")
            else:
                self.say(2, f"{place}public {self.type(each['type'])} {own};")
        self.say(1, "}", "")

    def native(self):
        for each in self.described["structs"]:
            self.struct(each["name"], each["members"])
        for each in self.described["callbacks"]:
            self.say(1, "[UnmanagedFunctionPointer(CallingConvention.Cdecl)]",
                     f"unsafe delegate {'int' if each['stops'] else 'void'} {each['name']}(IntPtr user, {each['record']}* record);", "")
        for each in self.described["handles"]:
            if each["name"] in self.owned:
                self.say(1, f"sealed class {self.handle(each['name'])} : Handle {{",
                         f"    protected override bool ReleaseHandle() {{ Native.{each['free']}(handle); return true; }}", "}", "")
        self.say(1, "static unsafe class Native {", '    const string Library = "gdvar-c";')
        for of in self.described["constants"]:
            self.say(2, f"public const {'uint' if of['value'] > 0x7fffffff else 'int'} {of['name']} = {of['value']};")
        for of in self.described["enums"]:
            if of["name"] != "gdvar_type":
                self.say(2, *[f"public const int {each['name']} = {each['value']};" for each in of["values"]])
        for of in self.described["functions"]:
            self.function(of)
        self.say(1, "}", "")

    def function(self, of):
        frees = of["name"].endswith("_free")
        arguments = ", ".join(f"{'IntPtr' if frees else self.argument(each)} {'@' if each['name'] == 'as' else ''}{each['name']}" for each in of["arguments"])
        result = self.handle(of["type"]) if of["result"] == "handle" else self.type(of["type"])
        self.say(2, "[DllImport(Library, CallingConvention = CallingConvention.Cdecl)]", f"public static extern {result} {of['name']}({arguments});")

    def math(self):
        rows = list(shapes(self.described))
        for row in rows:
            if row.packed:
                continue
            name = named(row.name)
            parts = [(part, named(of) if of else NUMBERS[row.number]) for part, of in math_parts(row.name)]
            width = {"f32": "", "f64": " with 64-bit components", "i32": ""}[row.number]
            self.say(1, f"/// <summary>A {row.type['doc']}{width}.</summary>", "[StructLayout(LayoutKind.Sequential)]", f"public struct {name} {{")
            self.say(2, *[f"public {of} {pascal(part)};" for part, of in parts])
            given = ", ".join(f"{of} {part}" for part, of in parts)
            kept = " ".join(f"{pascal(part)} = {part};" for part, _ in parts)
            holes = ", ".join(f"{{{i}}}" for i in range(len(parts)))
            shown = ", ".join(pascal(part) for part, _ in parts)
            self.say(2, f"public {name}({given}) {{ {kept} }}")
            self.say(2, f'public override string ToString() {{ return string.Format(CultureInfo.InvariantCulture, "({holes})", {shown}); }}')
            self.say(1, "}", "")
        self.say(1, "static class ShapeTable {", "    public static IEnumerable<Shape> Rows() {")
        for row in rows:
            of = NUMBERS.get(row.name) or named(row.name)
            words = f"VariantType.{named(row.type['doc'])}, {str(row.wide).lower()}, {str(row.packed).lower()}, typeof({NUMBERS[row.number]})"
            self.say(3, f"yield return new Shape<{of}>({words});")
        self.say(2, "}")
        self.say(1, "}")

    def text(self):
        self.enums()
        self.math()
        self.say(0, "")
        self.native()
        return HEAD + "\n".join(self.lines).rstrip() + "\n}\n"


main({"bindings/csharp/Gdvar/Generated.cs": Writer().text()})
