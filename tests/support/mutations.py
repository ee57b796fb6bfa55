"""Damage to packets, for the tests of several languages."""
import random


def mutate(packet: bytes, chance: random.Random) -> bytes:
    """The packet with a few bytes changed, taken out or put in, or a word hostile."""
    out = bytearray(packet)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(out) + 1)
        kind = chance.randrange(5)
        if kind == 0 and at < len(out):
            out[at] = chance.randrange(256)
        elif kind == 1 and at < len(out):
            out[at] ^= 1 << chance.randrange(8)
        elif kind == 2:
            word = chance.choice([0, 1, 2, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x80000001])
            out[at // 4 * 4 : at // 4 * 4 + 4] = word.to_bytes(4, "little")
        elif kind == 3:
            del out[at : at + chance.randrange(1, 9)]
        else:
            out[at:at] = chance.randbytes(chance.randrange(1, 9))
    return bytes(out)
