#!/usr/bin/env python3
"""Every function of gdvar.h with NULL in place of each pointer, with data that is NULL, and with options of impossible
sizes: arguments_test.py LIBRARY HEADER

The declarations are read from the header, so a new function is called, too. Each call runs in a process of its own: it
must end without a signal, and refuse NULL where gdvar.h does not allow it.
"""
import ctypes
import os
import re
import struct
import sys

LIBRARY, HEADER = sys.argv[1:3]
gdvar = ctypes.CDLL(LIBRARY)

# The parameters that may be NULL, by name, and for functions where a name means something else.
OPTIONAL = {"error", "options", "from_options", "to_options", "user", "losses", "dialect", "backup", "certain", "ambiguous",
            "description", "stack", "first", "second", "items", "packets"}
OPTIONAL_IN = {"gdvar_validate": {"size"}, "gdvar_lookup": {"count"}, "gdvar_lookup_from": {"count"}, "gdvar_save_find_each": {"count"},
               "gdvar_save_set_all": {"count"}, "gdvar_save_erase_all": {"count"}, "gdvar_encode": {"path"},
               "gdvar_annotate": {"size"}, "gdvar_check": {"count", "use"}, "gdvar_parse_with_path": {"path"},
               "gdvar_guess": {"use"}, "gdvar_identify": {"use"}, "gdvar_explain_path": {"use"}, "gdvar_save_explain": {"use"},
               "gdvar_save_check": {"path"}, "gdvar_save_convert": {"path"}, "gdvar_make_document": {"path"}, "gdvar_unwrap": {"layers"}, "gdvar_save_code": {"count", "use"}}
REQUIRED_IN = {"gdvar_error_path": {"error"}, "gdvar_error_message": {"error"}, "gdvar_encode": {"items"},
               "gdvar_make_document": {"items"}}
NOT_CALLED = {"gdvar_save_write"}  # it would write; its NULL for `backup` is in saves_test.c
OPTIONS = {"gdvar_options", "gdvar_save_options"}


class Span(ctypes.Structure):
    """gdvar_bytes and gdvar_text."""
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def opaque(size):
    """What a function returns by value: only its size counts."""
    return type(f"Struct{size}", (ctypes.Structure,), {"_fields_": [("words", ctypes.c_uint32 * (size // 4))]})


# By their sizes on 64-bit systems. Structs of 16 bytes or less come back in registers, so it must be true.
RESULTS = {"gdvar_bytes": Span, "gdvar_text": Span, "gdvar_numbers": opaque(16), "gdvar_node_path_info": opaque(12),
           "gdvar_input_event": opaque(20), "gdvar_type_info": opaque(24), "gdvar_kind": opaque(24), "gdvar_tape": opaque(32),
           "gdvar_image": opaque(32), "gdvar_save_item": opaque(32), "gdvar_recovered": opaque(256), "gdvar_lost": opaque(256)}
NUMBERS = {"uint8_t": ctypes.c_uint8, "uint16_t": ctypes.c_uint16, "uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64,
           "int64_t": ctypes.c_int64, "size_t": ctypes.c_size_t, "int": ctypes.c_int}


def declarations():
    """(name, type of the result, [(type, name of a parameter)])"""
    with open(HEADER, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    for result, name, parameters in re.findall(r"^GDVAR_API ([^;(]*?)\b(gdvar_\w+)\(([^;]*?)\);", text, re.M | re.S):
        split = [re.fullmatch(r"(?:const )?(.*?)\s*(\w+)", part.strip(), re.S) for part in parameters.split(",")]
        yield name, result.replace("const ", "").strip(), [(m[1].strip(), m[2]) for m in split if m and m[2] != "void"]


class World:
    """Arguments that are as they should be."""

    def __init__(self):
        self.kept = []
        for function in ("gdvar_buffer_new", "gdvar_document_new", "gdvar_framer_new", "gdvar_dialect_at"):
            getattr(gdvar, function).restype = ctypes.c_void_p
        self.packet = self.span(struct.pack("<II", 2, 7))
        self.document = gdvar.gdvar_document_new()
        assert gdvar.gdvar_document_read_copy(ctypes.c_void_p(self.document), self.packet, None, None) == 0
        record = self.span(struct.pack("<III", 8, 2, 7))
        self.save, self.recovery = ctypes.c_void_p(), ctypes.c_void_p()
        assert gdvar.gdvar_save_read(record, None, ctypes.byref(self.save), None) == 0
        assert gdvar.gdvar_recover(record, None, ctypes.byref(self.recovery), None) == 0

    def memory(self, data=bytes(4096)):
        self.kept.append(ctypes.create_string_buffer(data, len(data)))
        return ctypes.addressof(self.kept[-1])

    def span(self, data):
        return Span(self.memory(data), len(data))

    def options(self, size):
        return self.memory(struct.pack("<I", size) + bytes(8188))

    def argument(self, kind, name):
        """A C value for a parameter of that type."""
        if kind in NUMBERS:
            return NUMBERS[kind](1 if name in ("count", "capacity") else 0)
        if kind == "gdvar_bytes":
            return self.packet
        if kind == "gdvar_text":
            return self.span({"layers": b"gzip", "kind": b"records"}.get(name, b"$"))
        if kind.endswith("_use"):
            self.kept.append(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda user, what: 1))
            return ctypes.cast(self.kept[-1], ctypes.c_void_p)
        handles = {"gdvar_buffer*": gdvar.gdvar_buffer_new, "gdvar_document*": lambda: self.document,
                   "gdvar_dialect*": lambda: gdvar.gdvar_dialect_at(0), "gdvar_framer*": lambda: gdvar.gdvar_framer_new(0, 1000),
                   "gdvar_save*": lambda: self.save.value, "gdvar_recovery*": lambda: self.recovery.value}
        if kind in handles:
            return ctypes.c_void_p(handles[kind]())
        if kind[:-1] in OPTIONS:
            return ctypes.c_void_p(None)
        assert kind.endswith("*"), kind
        return ctypes.c_void_p(self.memory(b"/dev/null".ljust(4096, b"\0")) if kind == "char*" else self.memory())


def outcome(name, result, arguments):
    """The code of a call, or what else its result is, in a process of its own; a negative number is a signal."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        function = getattr(gdvar, name)
        function.restype = NUMBERS.get(result) or RESULTS.get(result) or (None if result == "void" else ctypes.c_void_p)
        got = function(*arguments)
        os.write(writing, struct.pack("<q", int(got or 0) % (1 << 62) if not isinstance(got, ctypes.Structure) else any(bytes(got))))
        os._exit(0)
    os.close(writing)
    answer = os.read(reading, 8)
    os.close(reading)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return struct.unpack("<q", answer)[0] if status == 0 and answer else min(status, -1)


def main():
    world = World()
    gdvar.gdvar_error_code.restype = ctypes.c_uint16
    misplaced = gdvar.gdvar_error_code(b"misplaced")
    functions, calls, faults = 0, 0, []

    def check(what, name, result, arguments, wanted):
        nonlocal calls
        calls += 1
        got = outcome(name, result, arguments)
        if got < 0 or (wanted is not None and got != wanted):
            faults.append(f"{name}: {what}: {f'signal {-got}' if got < 0 else got}{'' if wanted is None else f', not {wanted}'}")

    for name, result, parameters in declarations():
        if name in NOT_CALLED:
            continue
        functions += 1
        whole = [world.argument(*parameter) for parameter in parameters]
        as_is = outcome(name, result, whole)
        check("as it should be", name, result, whole, None)
        refusal = misplaced if result == "uint16_t" and name != "gdvar_error_code" else None
        for i, (kind, parameter) in enumerate(parameters):
            def with_it(value):
                return [*whole[:i], value, *whole[i + 1:]]
            if kind.endswith("*") or kind.endswith("_use"):
                may_be = parameter in OPTIONAL | OPTIONAL_IN.get(name, set()) and parameter not in REQUIRED_IN.get(name, set())
                wanted = (as_is if result == "uint16_t" else None) if may_be else refusal
                check(f"NULL for {parameter}", name, result, with_it(ctypes.c_void_p(None)), wanted)
            if kind in ("gdvar_bytes", "gdvar_text"):
                check(f"{parameter} without data", name, result, with_it(Span(None, 1 << 40)), None)
            if kind[:-1] in OPTIONS:
                for size in (0, 7, 4097, 0xFFFFFFFF):
                    check(f"{parameter} of size {size}", name, result, with_it(ctypes.c_void_p(world.options(size))), misplaced)
    assert functions > 90, functions
    print(f"{functions} functions, {calls} calls")
    print("\n".join(faults))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
