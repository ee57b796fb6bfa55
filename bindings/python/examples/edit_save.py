"""A save editor: shows what a save holds, and changes one value.

    edit_save.py FILE                     what it is, and its values
    edit_save.py FILE PATH                the values at a path: '#0 $.players[*].hp'
    edit_save.py FILE PATH VALUE          puts a value, written as in Godot: 9999, "text", Vector2(1, 2)
    edit_save.py FILE PATH --erase        removes one

The file is replaced as a whole, and the old one kept as FILE.old.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import gdvar


def show(save: gdvar.Save) -> None:
    """What the save is, and its values in Godot's text."""
    layers = " in ".join(reversed(save.layers)) or "no layer"
    print(f"{len(save)} values, {save.dialect}, in {layers}")
    for number, (name, value) in enumerate(save.items()):
        print(f"{name or f'#{number}'} = {gdvar.var_to_str(value, dialect=save.dialect)}")


def find(save: gdvar.Save, path: str) -> None:
    """The values at a path. A path may lead to several within one value of the save."""
    number, _, inside = path.partition(" ") if path.startswith("#") else ("#0", "", path)
    data = save.packet(int(number[1:]))
    for match in gdvar.lookup(data, inside or "$", dialect=save.dialect):
        print(f"{match.path} = {gdvar.var_to_str(match.value, dialect=save.dialect)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("path", nargs="?")
    parser.add_argument("value", nargs="?")
    parser.add_argument("--erase", action="store_true", help="remove what is at PATH")
    parser.add_argument("--create", action="store_true", help="PATH may be new")
    parser.add_argument("--retype", action="store_true", help="VALUE may have another type")
    parser.add_argument("--password-file", type=Path, help="its first line is the password")
    parser.add_argument("--dialect", help="of the values, where the guess is wrong")
    args = parser.parse_args()
    password = args.password_file and args.password_file.read_text().splitlines()[0]
    try:
        with gdvar.open_save(args.file, password=password, dialect=args.dialect) as save:
            if args.path is None:
                show(save)
                return 0
            if args.erase:
                save.erase(args.path)
            elif args.value is not None:
                value = gdvar.str_to_var(args.value, dialect=save.dialect, strict=True)
                save.set(args.path, value, create=args.create, retype=args.retype)
            else:
                find(save, args.path)
                return 0
            save.write(backup=f"{args.file}.old")
    except (gdvar.Error, OSError) as error:
        print(f"edit_save.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
