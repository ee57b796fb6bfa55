"""Packets of godot-4.4, records and settings, written by hand, without gdvar."""
import struct


def u32(*numbers):
    return struct.pack(f"<{len(numbers)}I", *numbers)


def padded(text):
    """A text or bytes as packets hold them: with its length, and zeros up to whole words."""
    data = text.encode() if isinstance(text, str) else text
    return u32(len(data)) + data + bytes(-len(data) % 4)


NIL = u32(0)
EMPTY_ARRAY = u32(28, 0)


def integer(n):
    return u32(2) + struct.pack("<i", n)


def string(text):
    return u32(4) + padded(text)


def array(items):
    items = list(items)
    return u32(28, len(items)) + b"".join(items)


def dictionary(pairs):
    """Of keys with their values behind them."""
    pairs = list(pairs)
    return u32(27, len(pairs)) + b"".join(pairs)


def record(packet, order="little"):
    return len(packet).to_bytes(4, order) + packet


def records(packets, order="little"):
    return b"".join(record(packet, order) for packet in packets)


def project(*settings):
    """A project.binary of names and packets."""
    return b"ECFG" + u32(len(settings)) + records(part for setting in settings for part in setting)
