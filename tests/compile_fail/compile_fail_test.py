#!/usr/bin/env python3
"""What must not compile does not, and says why in one readable sentence.

Usage: compile_fail_test.py COMPILER SOURCE_DIR
"""

import concurrent.futures
import os
import pathlib
import sys

compiler, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
sys.path.append(str(root / "tools"))
from unchanged import Unchanged, USERS

CUTS = "gdvar: BindAs would cut numbers: one type does not hold all of the other's; bind an enum as its underlying type"
CANT = "gdvar: this type can't be bound; make it an aggregate of bindable members, or specialise gdvar::meta"
SENTENCES = {
    "POINTER": CANT,
    "FUNCTION": CANT,
    "DELETER": CANT,
    "STACK": CANT,
    "UNREADABLE": "gdvar: a const member can be written, not read",
    "CUT_ENUM": CUTS,
    "CUT_CLASS": CUTS,
    "RANGE_OF_TEXT": "gdvar: range() is for numbers, and for math types and containers of numbers; texts have min_length()",
    "ARRAY_WITH_REST": "gdvar: an Array has no keys that meta<T>::rest could collect",
    "MISSPELT_FIELDS": "gdvar: meta<T> has neither fields nor options; is their name misspelt?",
    "MISSPELT_VALUES": "gdvar: meta<T> of an enum has no values; is their name misspelt?",
    "MISSPELT_OPTION": "unknow_keys",
    "OPTIONS_BESIDE": "gdvar: as_array, partial, unknown_keys, missing_keys and check are members of meta<T>::options",
    "OTHER_OPTIONS": "gdvar: meta<T>::options is a gdvar::StructOptions<T>",
    "CHARACTER": "gdvar: a character type is neither a number nor a text here; use std::int8_t",
    "C_ARRAY": "gdvar: a C array can't be bound; use std::array",
    "LAST_C_ARRAY": "gdvar: a C array can't be bound; use std::array",
    "MANY": "gdvar: a struct of more than 40 members needs a gdvar::meta<T>",
    "BASE": "gdvar: a struct with a base class needs a gdvar::meta<T>",
    "EMPTY_BASE": "gdvar: a struct with a base class needs a gdvar::meta<T>",
    "SAME_NAMES": "gdvar: two of meta<T>::fields have the same name",
    "SAME_ALIAS": "gdvar: two of meta<T>::fields have the same name",
    "SAME_VALUES": "gdvar: two of meta<T>::values have the same name",
    "LEFT_OUT": "gdvar: meta<T>::fields leaves out a member; name it in meta<T>::left_out",
    "NO_DEFAULT": "gdvar: decoding makes the value first: give it a default constructor, or use decode_to",
    "NO_DEFAULT_ELEMENT": "gdvar: decoding makes the value first: give it a default constructor",
    "BORROWED": "gdvar: a Variant can't lend the bytes that this type points to; use std::string",
    "BYTE": "gdvar: std::byte can't be bound; a std::vector of it is a PackedByteArray",
}
# Those of value.cpp; an empty sentence: the compiler has its own words for it.
NO_SUCH = "gdvar: no Variant holds this type; an int is std::int64_t, a float is double, text is gdvar::String."
VALUES = {
    "GET_IF_INT": NO_SUCH,
    "GET_IF_TEXT": NO_SUCH,
    **dict.fromkeys(("ASSIGN_KEY", "SORT_PAIRS", "SWAP_PAIRS", "ASSIGN_PAIR", "ASSIGN_TO_CONST", "ASSIGN_LATER",
                     "COPY_STEP", "SUBSCRIPT_BOOL", "SUBSCRIPT_REAL", "DANGLING_AT", "DANGLING_FIND",
                     "DANGLING_PARSE", "DANGLING_READ", "DANGLING_READ_PACKED", "DANGLING_DECODE",
                     "DANGLING_DECODE_PACKED", "DANGLING_DECODE_TO", "DANGLING_LOOKUP",
                     "DANGLING_GET_IF", "DANGLING_TEXT"), ""),
}


kept = Unchanged(USERS, root)


def compiled(define, source="bind.cpp", standard="c++23"):
    return kept.compile([compiler, f"-std={standard}", "-fsyntax-only", f"-I{root / 'include'}", *([f"-D{define}"] if define else []),
                       str(root / "tests/compile_fail" / source)])


# All at once; what follows finds them answered.
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    list(pool.map(compiled, SENTENCES))
    list(pool.map(lambda define: compiled(define, "value.cpp"), VALUES))

failures = []
for source in ("bind.cpp", "value.cpp"):
    sound, output = compiled("", source)
    if not sound:
        failures.append(f"the sound {source} does not compile:\n{output}")
for source in ("bind.cpp", "value.cpp"):
    if "gdvar needs C++23 with <expected>" not in compiled("", source, "c++20")[1]:
        failures.append(f"{source} does not say that it needs C++23")
for define, sentence in VALUES.items():
    sound, output = compiled(define, "value.cpp")
    if sound:
        failures.append(f"{define} compiles")
    if sentence not in output:
        failures.append(f"{define} does not say so:\n{output}")
for define, sentence in SENTENCES.items():
    sound, output = compiled(define)
    if sound:
        failures.append(f"{define} compiles")
    if sentence not in output:
        failures.append(f"{define} does not say so:\n{output}")
    errors = output.count("error:")
    if errors > 4:
        failures.append(f"{define} says it in {errors} errors:\n{output}")
for define in ("DANGLING_ROOT", "DANGLING_KEY", "DANGLING_OPTIONS"):
    if compiled(define)[0]:
        failures.append(f"{define} compiles")
print("\n".join(failures) or f"{len(SENTENCES) + len(VALUES) + 7} files judged as they should be")
sys.exit(bool(failures))
