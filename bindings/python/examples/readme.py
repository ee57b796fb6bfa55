"""The program that the README shows."""

from dataclasses import dataclass

import gdvar


@dataclass
class Player:
    name: str
    hp: int
    pos: gdvar.Vector3


# A value as Godot 4's var_to_bytes writes it, and back.
packet = gdvar.dumps({"name": "Ada", "hp": 100, "pos": gdvar.Vector3(1, 2, 3)})
print(gdvar.loads(packet))

# One field: nothing else becomes a Python object.
print(gdvar.Document(packet)["pos"].x)

# A class of your own, with limits for bytes from anywhere.
print(gdvar.decode(packet, Player, limits=gdvar.NETWORK).hp)

# Errors say what, where in the bytes, and where in the value.
try:
    gdvar.loads(packet[:-2])
except gdvar.TruncatedError as error:
    print(error.path, error.offset, error.need)

# A save in any container: one value changes, every other byte stays.
with open("game.save", "wb") as file:
    file.write(gdvar.wrap(packet, "gdec-4", password="secret"))
with gdvar.open_save("game.save", password="secret") as save:
    save.set("$.hp", 9999)
    save.write(backup="game.save.old")
    print(save.layers, save[0]["hp"])
