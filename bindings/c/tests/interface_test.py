#!/usr/bin/env python3
"""The model of gdvar.h (tools/describe) is what a C compiler sees, and what is written out of it is up to date:
interface_test.py ROOT COMPILER

The compiler, and clang for WebAssembly where it is installed, checks the size of each struct and the place of each member,
all numbers, and the types of all functions. Headers of other forms are refused with a line.
"""
import pathlib
import shutil
import subprocess
import sys

ROOT, COMPILER = sys.argv[1:]
sys.path.insert(0, f"{ROOT}/tools/describe")
import header  # noqa: E402
import interface  # noqa: E402

TEXT = (pathlib.Path(ROOT) / interface.HEADER).read_text(encoding="utf-8")


def places(members, bits, before="", at=0):
    """Each member's designator and place."""
    for member in members:
        name, place = before + member["name"], at + member[f"at{bits}"]
        yield name, place
        if "members" in member:
            yield from places(member["members"], bits, f"{name}.", place)


def claims(model, bits):
    """All that the model says, in C."""
    yield "#include <gdvar/gdvar.h>\n"
    for struct in model.structs:
        yield f"_Static_assert(sizeof({struct['name']}) == {struct[f'size{bits}']}, \"\");\n"
        for name, place in places(struct["members"], bits):
            yield f"_Static_assert(offsetof({struct['name']}, {name}) == {place}, \"{struct['name']}.{name}\");\n"
    for entry in [*model.constants, *(value for enum in model.enums for value in enum["values"])]:
        yield f"_Static_assert({entry['name']} == {entry['value']}, \"{entry['name']}\");\n"
    for f in model.functions:
        given = ", ".join(f"{a['type']} {a['name']}" for a in f["arguments"]) or "void"
        yield f"{f['type']} {f['name']}({given});\n"
    for callback in model.callbacks:
        yield f"typedef {'int' if callback['stops'] else 'void'} (*{callback['name']})(void* user, const {callback['record']}* it);\n"


def objections(compiler, model, bits):
    """The errors of a compiler; none if the model is right."""
    options = ["-std=c11", "-DGDVAR_C_STATIC", "-fsyntax-only", f"-I{ROOT}/bindings/c/include", "-xc", "-"]
    ran = subprocess.run([*compiler, *options], input="".join(claims(model, bits)), capture_output=True, text=True)
    return ran.stderr if ran.returncode else ""


def refusal(text):
    try:
        header.Header(text)
    except header.Unexpected as fault:
        return str(fault)
    return "accepted"


def main():
    model = header.Header(TEXT)
    assert len(model.functions) > 100 and len(model.structs) > 25, "the model has lost declarations"
    macros = subprocess.run([COMPILER, "-dM", "-E", "-xc", "/dev/null"], capture_output=True, text=True, check=True).stdout
    compilers = [([COMPILER], 64 if "__SIZEOF_POINTER__ 8" in macros else 32)]
    if "__i386__" in macros:  # a uint64_t is aligned otherwise there
        compilers.clear()
    clang = next(filter(shutil.which, ("clang-22", "clang-19", "clang")), None)
    if clang:
        compilers.append(([clang, "--target=wasm32", "-ffreestanding"], 32))
    found = [objections(compiler, model, bits) for compiler, bits in compilers]
    print(*found, sep="", end="")
    checks = [not any(found)]
    # Each compiler names the one fault of a wrong model.
    member = model.struct("gdvar_loss")["members"][3]
    member.update(at32=member["at32"] + 1, at64=member["at64"] + 1)
    for compiler, bits in compilers:
        said = objections(compiler, model, bits)
        assert said.count("error:") == 1 and "gdvar_loss.type" in said, said

    # A remark between members, or enumerators, is no end of those that are new.
    one = header.Header(TEXT + "typedef struct gdvar_probe {\n/* From GDVAR_C_ABI 99 on. */\nint a;\n/* A remark. */\nint b;\n} gdvar_probe;\n"
                        "enum gdvar_odd {\nGDVAR_ODD_A,\n/* From GDVAR_C_ABI 99 on. */\nGDVAR_ODD_B,\n/* A remark. */\nGDVAR_ODD_C\n};\n")
    assert [m["since"] for m in one.struct("gdvar_probe")["members"]] == [99, 99]
    assert [v.get("since") for v in one.enums[-1]["values"]] == [None, 99, 99]
    # The text behind the table of functions stays.
    page = interface.as_table(model, (pathlib.Path(ROOT) / "docs/c.md").read_text(encoding="utf-8") + "\nMore.\n")
    assert page.endswith("|\n\nMore.\n") and interface.as_table(model, page) == page

    line = TEXT[:TEXT.index("GDVAR_API uint32_t gdvar_abi")].count("\n") + 1
    for wrong, words in (("GDVAR_API uint32_t gdvar_abi(uint32_t);", f"line {line}: this argument"),
                         ("GDVAR_API uint32_t gdvar_abi(gdvar_thing* a);", f"line {line}: this type"),
                         ("extern uint32_t gdvar_abi(void);", f"line {line}: this form"),
                         ("#define GDVAR_ODD sizeof(int)", f"line {line}: no number"),
                         ("/* `other` may be NULL. */ GDVAR_API uint32_t gdvar_abi(void);", f"line {line}: gdvar_abi: no argument is named other")):
        said = refusal(TEXT.replace("GDVAR_API uint32_t gdvar_abi(void);", wrong))
        if not said.startswith(words):
            checks.append(False)
            print(f"{wrong}: {said}")
    checks.append(interface.main([ROOT]) == 0)
    print(f"{len(model.functions)} functions, {len(model.structs)} structs, {'with' if clang else 'without'} WebAssembly")
    return not all(checks)


if __name__ == "__main__":
    sys.exit(main())
