#!/usr/bin/env python3
"""Prints what libgdvar-c says of the test data, a line for each file: "NAME SHA-256". smoke.mjs prints the same lines for
the WebAssembly modules.

Usage: verdicts.py LIBRARY TEST_DATA
"""
import ctypes as c
import hashlib
import json
import pathlib
import sys


class Span(c.Structure):
    _fields_ = [("data", c.c_char_p), ("size", c.c_size_t)]


class Out(c.Structure):
    _fields_ = [("data", c.POINTER(c.c_char)), ("size", c.c_size_t)]


class Item(c.Structure):
    _fields_ = [("name", Out), ("packet", Out)]


class Options(c.Structure):
    _fields_ = [("size", c.c_uint32), ("flags", c.c_uint32), ("dialect", c.c_void_p), ("max_depth", c.c_uint32),
                ("reserved", c.c_uint32), ("max_bytes", c.c_uint64), ("max_nodes", c.c_uint64)]


class Error(c.Structure):
    _fields_ = [("code", c.c_uint16), ("type", c.c_uint8), ("source", c.c_uint8), ("system", c.c_int32),
                ("offset", c.c_uint64), ("need", c.c_uint64), ("line", c.c_uint32), ("column", c.c_uint32),
                ("change", c.c_uint64), ("detail", c.c_uint64 * 8)]


class SaveOptions(c.Structure):
    _fields_ = [("size", c.c_uint32), ("flags", c.c_uint32), ("dialect", c.c_void_p), ("password", Span), ("key", Span),
                ("max_bytes", c.c_uint64), ("lock_wait_ms", c.c_uint32), ("reserved", c.c_uint32)]


def main():
    lib = c.CDLL(sys.argv[1])
    data = pathlib.Path(sys.argv[2])
    lib.gdvar_buffer_new.restype = lib.gdvar_document_new.restype = lib.gdvar_find_dialect.restype = c.c_void_p
    lib.gdvar_buffer_bytes.restype = Out
    lib.gdvar_validate.argtypes = [Span, c.c_void_p, c.c_void_p, c.c_void_p]
    lib.gdvar_save_count.restype = c.c_size_t
    lib.gdvar_save_at.restype = Item
    lib.gdvar_save_at.argtypes = [c.c_void_p, c.c_size_t]
    to, document = c.c_void_p(lib.gdvar_buffer_new()), c.c_void_p(lib.gdvar_document_new())
    error, size = Error(), c.c_size_t()

    def taken():
        out = lib.gdvar_buffer_bytes(to)
        text = out.data[:out.size] if out.size else b""
        lib.gdvar_buffer_clear(to)
        return text

    def said():
        message = c.create_string_buffer(500)
        lib.gdvar_error_message(c.byref(error), message, 500)
        return message.value

    def packets(name, dialect, most, whole):
        digest = hashlib.sha256()
        options = Options(c.sizeof(Options), 1, lib.gdvar_find_dialect(dialect), 1024, 0, 2**32 - 1, 2**64 - 1)
        for line in (data / "vectors" / name).read_text().splitlines():
            row = json.loads(line)
            packet = bytes.fromhex(row.get("bytes", row.get("b", "")))
            if not packet or len(packet) > most:
                continue
            for cut in range(len(packet) + 1):
                part = packet[:cut]
                code = lib.gdvar_validate(Span(part, cut), c.byref(options), c.byref(size), c.byref(error))
                digest.update(b"%d %d %d " % (code, 0 if code else size.value, error.offset))
                if code:
                    digest.update(said())
                    lib.gdvar_error_path(Span(part, cut), c.byref(options), c.byref(error), to)
                    digest.update(taken())
            if not whole or lib.gdvar_document_read(document, Span(packet, len(packet)), c.byref(options), None) != 0:
                continue
            for form in range(4):
                code = lib.gdvar_print(document, 0, form, 0, to, None, None, None)
                text = taken()
                digest.update(b"%d " % code + text)
                if form and not code:
                    code = lib.gdvar_parse(Span(text, len(text)), form, c.byref(options), to, None)
                    digest.update(b"%d " % code + taken())
        print(name if whole else "cuts-of-" + name, digest.hexdigest())

    for whole in (False, True):
        packets("godot-4.6.3.ndjson", b"godot-4.4", 200, whole)
        packets("godot-3.6.2.ndjson", b"godot-3.1", 200, whole)
        packets("godot-4.6.3-damaged.ndjson", b"godot-4.4", 64, whole)

    for folder in sorted((data / "saves").iterdir()):
        secret = json.loads((folder / "expected.ndjson").read_text().splitlines()[-1])
        for path in sorted(folder.iterdir(), key=lambda path: path.name):
            if path.suffix == ".ndjson":
                continue
            digest = hashlib.sha256()
            content = path.read_bytes()
            options = SaveOptions(c.sizeof(SaveOptions), 0, None, Span(None, 0), Span(None, 0), 2**28, 0, 0)
            if "pass" in path.name:
                options.password = Span(secret["pass"].encode(), len(secret["pass"]))
            elif "key" in path.name:
                options.key = Span(bytes.fromhex(secret["key"]), 32)
            save = c.c_void_p()
            code = lib.gdvar_save_read(Span(content, len(content)), c.byref(options), c.byref(save), c.byref(error))
            digest.update(b"%d " % code)
            if code:
                digest.update(said())
            else:
                lib.gdvar_save_stack(save, to, None)
                digest.update(taken() + b" %d " % lib.gdvar_save_count(save))
                # Encryption gives other bytes each time, so the file is read again.
                digest.update(b"%d " % lib.gdvar_save_bytes(save, to, None))
                written = taken()
                lib.gdvar_save_free(save)
                code = lib.gdvar_save_read(Span(written, len(written)), c.byref(options), c.byref(save), None)
                digest.update(b"%d " % code)
                for i in range(lib.gdvar_save_count(save)):
                    packet = lib.gdvar_save_at(save, i).packet
                    digest.update(packet.data[:packet.size])
                lib.gdvar_save_free(save)
            for cut in (0, len(content) // 2):
                recovery = c.c_void_p()
                part = content[:len(content) - cut]
                code = lib.gdvar_recover(Span(part, len(part)), c.byref(options), c.byref(recovery), c.byref(error))
                digest.update(b"%d " % code)
                if not code:
                    lib.gdvar_recovery_stack(recovery, to, None)
                    digest.update(taken())
                    lib.gdvar_recovery_free(recovery)
            print(f"{folder.name}/{path.name}", digest.hexdigest())


main()
