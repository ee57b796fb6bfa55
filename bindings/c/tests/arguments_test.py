#!/usr/bin/env python3
"""Every function of gdvar.h with NULL in place of each pointer, with data that is NULL, and with options of impossible
sizes: arguments_test.py LIBRARY ROOT

The declarations are read from the header, so a new function is called, too. Each call runs in a process of its own: it
must end without a signal, and refuse NULL where gdvar.h does not allow it.
"""
import ctypes
import os
import pathlib
import struct
import sys

LIBRARY, ROOT = sys.argv[1:3]
sys.path.insert(0, f"{ROOT}/tools/describe")
import header  # noqa: E402

model = header.Header((pathlib.Path(ROOT) / "bindings/c/include/gdvar/gdvar.h").read_text(encoding="utf-8"))
gdvar = ctypes.CDLL(LIBRARY)

NOT_CALLED = {"gdvar_save_write"}  # it would write; its NULL for `backup` is in saves_test.c


class Span(ctypes.Structure):
    """gdvar_bytes and gdvar_text."""
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


NUMBERS = {"uint8_t": ctypes.c_uint8, "uint16_t": ctypes.c_uint16, "uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64,
           "int64_t": ctypes.c_int64, "size_t": ctypes.c_size_t, "int": ctypes.c_int}


def result_type(of):
    """The type of a result in ctypes. A struct counts by its size alone."""
    if model.kinds.get(of) == "struct":
        words = model.struct(of)[f"size{8 * ctypes.sizeof(ctypes.c_void_p)}"] // 4
        return type(of, (ctypes.Structure,), {"_fields_": [("words", ctypes.c_uint32 * words)]})
    return NUMBERS.get(of) or (None if of == "void" else ctypes.c_void_p)


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

    def value(self, argument):
        """A C value for an argument."""
        name, of, role = argument["name"], argument["type"].removeprefix("const "), argument["role"]
        if of in NUMBERS:
            return NUMBERS[of](role == "count")
        if role == "bytes":
            return self.packet
        if role == "text":
            return self.span({"layers": b"gzip", "kind": b"records"}.get(name, b"$"))
        if role == "callback":
            self.kept.append(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda user, what: 1))
            return ctypes.cast(self.kept[-1], ctypes.c_void_p)
        if role in ("handle", "buffer"):
            handles = {"gdvar_buffer*": gdvar.gdvar_buffer_new, "gdvar_document*": lambda: self.document,
                       "gdvar_dialect*": lambda: gdvar.gdvar_dialect_at(0), "gdvar_framer*": lambda: gdvar.gdvar_framer_new(0, 1000),
                       "gdvar_save*": lambda: self.save.value, "gdvar_recovery*": lambda: self.recovery.value}
            return ctypes.c_void_p(handles[of]())
        if role == "options":
            return ctypes.c_void_p(None)
        return ctypes.c_void_p(self.memory(b"/dev/null".ljust(4096, b"\0")) if of == "char*" else self.memory())


def outcome(name, result, arguments):
    """The code of a call, or what else its result is, in a process of its own; a negative number is a signal."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        function = getattr(gdvar, name)
        function.restype = result_type(result)
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

    for function in model.functions:
        name, result = function["name"], function["type"]
        if name in NOT_CALLED:
            continue
        functions += 1
        whole = [world.value(argument) for argument in function["arguments"]]
        as_is = outcome(name, result, whole)
        check("as it should be", name, result, whole, None)
        refusal = misplaced if function["result"] == "code" else None
        for i, argument in enumerate(function["arguments"]):
            def with_it(value):
                return [*whole[:i], value, *whole[i + 1:]]
            parameter, role = argument["name"], argument["role"]
            if argument["type"].endswith("*") or role == "callback":
                wanted = (as_is if function["result"] == "code" else None) if argument.get("null") else refusal
                check(f"NULL for {parameter}", name, result, with_it(ctypes.c_void_p(None)), wanted)
            if role in ("bytes", "text"):
                check(f"{parameter} without data", name, result, with_it(Span(None, 1 << 40)), None)
            if role == "options":
                for size in (0, 7, 4097, 0xFFFFFFFF):
                    check(f"{parameter} of size {size}", name, result, with_it(ctypes.c_void_p(world.options(size))), misplaced)
    assert functions > 90, functions
    print(f"{functions} functions, {calls} calls")
    print("\n".join(faults))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
