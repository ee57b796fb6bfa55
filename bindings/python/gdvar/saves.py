"""Whole saves: opened in any layers, changed by path, written back in the same layers."""

from __future__ import annotations

import builtins
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, Self

from gdvar import _gdvar
from gdvar.errors import FileError, IndexRangeError, MissingKeyError, StaleSumWarning
from gdvar._gdvar import (
    identify,
    make_save,
    recover,
    save_kinds,
    to_text_full,
    unwrap,
    wrap,
)
from gdvar.packets import Code, Entries, Finding, Loss, Match, SaveKind, StaleSum

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = [
    "Save",
    "identify",
    "list_entries",
    "make_save",
    "open_save",
    "read_entries",
    "read_save",
    "recover",
    "save_kinds",
    "unwrap",
    "wrap",
]

StrPath = str | bytes | os.PathLike[str] | os.PathLike[bytes]

_NOTHING = object()  # no default was given
_UNLIKE = "a setting is named by a str, any other value of a save by an int"


class Save:
    """A save: a packet, records, a game's settings (`project.binary`), or a text: JSON, a ConfigFile.

    `save[0]` is the first value, `save["application/config/name"]` a setting; iteration gives all
    values. Paths are those of docs/paths.md; in a save of several records they begin with the
    record's number: "#0 $.players[3].hp". Nothing is written before `write`.

    It gives copies of its values. Their lists and dicts are frozen: a change of them would not reach the
    save, so it is a TypeError that says what to call. copy.deepcopy gives one that can be changed.

    A context manager: its end closes the save, which gives up the file's lock. It does not write.
    """

    def __init__(self, handle: _gdvar._SaveHandle, file: StrPath | None = None) -> None:
        """`open_save` and `read_save` make saves."""
        self._handle = handle
        self._file = file

    def __repr__(self) -> str:
        """`<gdvar.Save 'game.save': gdec-4 > godot-4.4 records, 3 values, changed>`."""
        name = "" if self._file is None else f" {os.fsdecode(self._file)!r}"
        try:
            count = len(self)
            values = "1 value" if count == 1 else f"{count} values"
            state = f"{self.stack}, {values}{', changed' if self.changed else ''}"
        except (ValueError, RuntimeError) as error:  # closed, or used by another thread
            state = str(error)
        return f"<gdvar.Save{name}: {state}>"

    # ---- what it is ----

    @property
    def dialect(self) -> str:
        """The dialect of the values: as it was given, or as it was guessed."""
        return self._handle.dialect

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers around the values, from the outermost inwards: ("gdec-4", "gcpf-zstd")."""
        return self._handle.layers

    @property
    def kind(self) -> SaveKind:
        """What the layers hold: "records", "json", "config", ..., and what that is."""
        return self._handle.kind

    @property
    def stack(self) -> str:
        """All of it in words: "gdec-3 > gzip > godot-3.1 records"."""
        return self._handle.stack

    @property
    def only_read(self) -> bool:
        """Whether it can't be changed or written: a binary resource, a file in a pack."""
        return self._handle.only_read

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Why each layer and each document is what it is, from the outermost inwards.

        With `readings=True`, `open_save` also tells all that the document may be and what was ruled
        out, which takes a reading for each.
        """
        return self._handle.findings

    def check(self) -> None:
        """Raises DecodeError, with its path, for the first value that is not sound.

        A save is sound if each value is read to its end and nothing stands behind a value, the last
        record or a layer: `gdvar check` tells the same by its exit code. `open_save` does not ask
        for this, and `write` keeps what stands behind; `convert`, `diff` and `patch` refuse it.
        """
        self._handle.check()

    def code(self, *, most: int = 100) -> Code:
        """Tells what engines run, load or make when they open the save: the first `most` places.

        These are scripts, embedded or loaded, files from outside of the game, and Objects of
        classes that are not known to be harmless (docs/my-save.md). Objects are looked at even
        where they are refused. Nothing is run.
        """
        return self._handle.code(most)

    @property
    def opened_with(self) -> tuple[str, ...]:
        """The names of those of `keys=` that fitted, of the outermost layer first."""
        return tuple(each.opened_with for each in self.findings if each.opened_with)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of settings, in their order; "" for a value that has none."""
        return tuple(self._handle.name(i) for i in range(len(self)))

    @property
    def changed(self) -> bool:
        """Whether there are changes that have not been written."""
        return self._handle.changed

    # ---- values ----

    def __len__(self) -> int:
        return self._handle.count()

    def __iter__(self) -> Iterator[Any]:
        for index in range(len(self)):
            yield self._handle.value(index)

    def __getitem__(self, key: int | str) -> Any:
        return self._handle.value(self._index(key))

    def __setitem__(self, key: int | str, value: Any) -> None:
        """Puts a whole value, of any type. A setting that is not there is added at the end."""
        try:
            index = self._index(key)
        except KeyError:
            if not self._has_settings():  # or it would be a key of the save's only value
                raise
            self._handle.set(_setting(str(key)), value, create=True)
        else:
            self._handle.replace(index, value)

    def __delitem__(self, key: int | str) -> None:
        """Removes a record or setting. The only record can't go: the file would be no save."""
        self._handle.remove(self._index(key))

    def insert(self, index: int, value: Any) -> None:
        """Makes a new record before record `index`; all others stay as they are."""
        self._handle.insert(index, value)

    def append(self, value: Any) -> None:
        """Makes a new record behind the last one."""
        self._handle.insert(len(self), value)

    def __contains__(self, item: object) -> bool:
        """Of settings: whether there is one of that name. Else whether a value is equal."""
        if self._has_settings():
            return isinstance(item, str) and item != "" and item in self.names
        return any(value is item or value == item for value in self)

    def items(self) -> Iterator[tuple[str, Any]]:
        """The names and values of settings."""
        for index, name in enumerate(self.names):
            yield name, self._handle.value(index)

    def packet(self, key: int | str) -> builtins.bytes:
        """The bytes of a value, as `__getitem__` names it."""
        return self._handle.packet(self._index(key))

    def _index(self, key: int | str) -> int:
        if isinstance(key, str):
            # The engines keep the last of equal names.
            for index in range(len(self) - 1, -1, -1):
                if key != "" and self._handle.name(index) == key:
                    return index
            hint = "" if self._has_settings() else ": it has no settings, use save[0] or get(path)"
            raise MissingKeyError(f"the save has no setting {key!r}{hint}", code="missing_key")
        if not hasattr(key, "__index__"):
            raise TypeError(_UNLIKE)
        count, index = len(self), key.__index__()
        if not -count <= index < count:
            raise IndexRangeError(
                f"no value {index}: the save has {count}", code="index_out_of_range"
            )
        return index % count

    def _has_settings(self) -> bool:
        return self._handle.kind.named

    # ---- paths ----

    def get(self, path: str, default: Any = _NOTHING) -> Any:
        """The value at a path; a list of all, if the path may lead to several (`[*]`, `..`, `#*`).

        `default`, if given, stands for a value that is not there. Raises PathError, DecodeError.
        """
        if default is _NOTHING:
            return self._handle.get(path)
        return self._handle.get(path, default=default)

    def find_all(self, path: str) -> list[Match]:
        """All values that a path leads to, each with its own path: `Match(path, value)`.

        In a save of several records, a path without a number means all of them: "$..hp" is
        "#* $..hp". Raises PathError if the path leads nowhere, DecodeError, LimitError.
        """
        return self._handle.find_all(path)

    def set(self, path: str, value: Any, *, create: bool = False, retype: bool = False) -> None:
        """Puts a value at a path: only the bytes of that value change.

        It takes the type of the old one if it fits, so 5 on a float becomes 5.0. A change that may
        be a mistake needs a word: `create` adds a key, property or setting that is not there,
        `retype` puts a value of another type. "[+]" behind an Array's path appends.

        Raises PathError for what is not there or does not fit, EncodeError for what the dialect
        does not have. The save is then as it was.
        """
        self._handle.set(path, value, create=create, retype=retype)

    def set_all(self, path: str, value: Any, *, retype: bool = False) -> int:
        """Puts a value at all places that a path leads to: `save.set_all("$.players[*].hp", 100)`.

        Each takes it as `set` would, or none does. For several records the path names one ("#2"), or
        all ("#*"). Returns how many values were set. Takes one pass, however many they are.

        Raises PathError, with the path of the first that does not fit, EncodeError.
        """
        return self._handle.set_all(path, value, retype=retype)

    def erase_all(self, path: str) -> int:
        """Removes all elements, pairs and properties that a path leads to, or none; says how many.

        Raises PathError.
        """
        return self._handle.erase_all(path)

    def erase(self, path: str) -> None:
        """Removes the element, pair, property or setting at a path. Raises PathError."""
        self._handle.erase(path)

    def rename(self, path: str, key: Any) -> None:
        """Gives the pair or property at a path another key. Raises PathError, EncodeError."""
        self._handle.rename(path, key)

    def keep_changes(self) -> None:
        """Keeps all changes from now on, so that `undo` can take them back.

        Beyond 64 MiB the oldest are dropped. A `write` that updates sums drops all.
        """
        self._handle.keep_changes()

    def undo(self) -> bool:
        """Takes the last change back: the save is then as it was, to the last byte.

        Each call that changes something is one change, `set_all` and `patch` too. Returns False if
        no change is left.
        """
        return self._handle.undo()

    def redo(self) -> bool:
        """Makes the change again that was taken back last. Returns False if there is none."""
        return self._handle.redo()

    # ---- where values stand ----

    def content(self) -> builtins.bytes:
        """What the innermost layer holds, as it would be written now.

        After a change it is written once, when it is first asked for. Raises EncodeError.
        """
        return self._handle.content()

    def place(self, path: str | int) -> tuple[int, int] | None:
        """Where a value begins and ends in `content()`: the one at a path, or a whole one by number.

        In packets that is its bytes, header included, in a text its own text. For a part of a value
        (`$.pos.x`, an element of a packed array) it is the place of the whole value. None: not known,
        as in binary resources. Raises PathError.
        """
        if isinstance(path, str):
            return self._handle.place(path)
        return self._handle.item_place(self._index(path))

    def path_at(self, offset: int) -> str:
        """The path of the innermost value to which that byte of `content()` belongs.

        A frame belongs to its record, a key to its value, a header to its section; comments and
        spaces of a text to what is around them. Raises IndexRangeError, an IndexError.
        """
        return self._handle.path_at(offset)

    # ---- the whole ----

    def diff(self, other: Save) -> list[dict[str, Any]]:
        """The changes that give this save the values of another one, for `patch` (docs/patch.md).

        Layers, dialects and layouts are not compared. With several values, each path begins with the
        number of the record or line, or with the setting's name.

        Raises PathError (one holds records, the other not), DecodeError.
        """
        return self._handle.diff(other._handle)

    def patch(self, changes: Buffer | Iterable[dict[str, Any]]) -> None:
        """Makes the changes that `diff` gave: all of them or, after an error, none.

        Raises PatchError; EncodeError for what the save can't hold.
        """
        self._handle.patch(changes)

    def convert(
        self,
        to: str,
        *,
        layers: str | Iterable[str] | None = None,
        losses: list[Loss] | None = None,
        update_sums: bool = False,
    ) -> builtins.bytes:
        """The file's bytes for the engines of another dialect; this save stays as it is.

        A text keeps its comments and layout. `layers`: those to write, as for `wrap`; None: the
        save's own, with the encryption that the engines of `to` read.

        Without a list for `losses`, raises LossError if anything can't be expressed in `to`.
        `update_sums`: as for `bytes`.
        """
        self._handle.update_sums(update_sums)
        made = self._handle.convert(to, layers, losses)
        self._warn()
        return made

    # ---- writing ----

    @property
    def stale_sums(self) -> list[StaleSum]:
        """The sizes and checksums that the last `bytes`, `convert` or `write` found wrong.

        A number of 16 or more, or a text, is one if it equalled the size or a checksum (CRC-32,
        MD5, SHA-1, SHA-256) of what was changed, and stands in the same Dictionary or in front.
        """
        return self._handle.stale_sums()

    def _warn(self) -> None:
        for each in self.stale_sums:
            if not each.mended:
                warnings.warn(each.text, StaleSumWarning, stacklevel=3)

    def bytes(self, *, update_sums: bool = False) -> builtins.bytes:
        """The file's bytes as `write` would write them. Godot 4's encryption takes a new IV.

        `update_sums`: sizes and checksums beside the changes are mended in the bytes, where it is
        certain what they have to be (`stale_sums`); each other one is a StaleSumWarning.
        """
        self._handle.update_sums(update_sums)
        made = self._handle.bytes()
        self._warn()
        return made

    def write(self, *, backup: StrPath | None = None, update_sums: bool = False) -> None:
        """Replaces the file that was opened, which at any moment is whole: the old one or the new.

        A save without changes does not touch its file. `backup`: the name under which the old file
        is kept; a file of that name, such as an earlier backup, is replaced. `update_sums`: as for `bytes`. May be called again after further changes. For a file
        of another name: `bytes`.

        Raises FileError; its errno is ESTALE if another program has changed the file meanwhile,
        EBADF if the save is no file's, EAGAIN as for `open_save`.
        """
        self._handle.update_sums(update_sums)
        name = None if backup is None else os.fsencode(backup)
        try:
            self._handle.write(name)
        except FileError as error:
            if name is None:
                raise
            if not os.path.isdir(os.path.dirname(name) or b"."):
                why = "there is no such folder for the backup"
            elif isinstance(error, IsADirectoryError) and os.path.isdir(name):
                why = "a folder has the name that the backup is to have"
            else:
                raise
            raise FileError(
                f"{os.fsdecode(name)}: {why}",
                errno=error.errno or 0,
                filename=os.fsdecode(name),
                code=error.code,
            ) from None
        self._warn()

    def close(self) -> None:
        """Gives up the lock and the memory. Changes that were not written are gone."""
        self._handle.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _setting(name: str) -> str:
    """The path of a setting. Quoted, because a name may hold what begins a path."""
    return f"$[{to_text_full(name)}]"


def _others(given: dict[str, Any], first: str) -> dict[str, Any]:
    """A function's arguments but the first, by name: the extension takes them under the same names."""
    return {name: value for name, value in given.items() if name != first}


def open_save(
    path: StrPath,
    *,
    password: str | None = None,
    key: str | bytes | None = None,
    keys: Mapping[str, str | bytes] | None = None,
    dialect: str | None = None,
    objects: bool = False,
    strict: bool = False,
    real_width: Literal[4, 8] = 4,
    lock: bool = False,
    lock_wait: float = 30.0,
    max_bytes: int | None = None,
    max_text: int | None = None,
    read_as: str | None = None,
    inside: str | Iterable[str] | Literal[False] | None = None,
    entries: str | Iterable[str] | None = None,
    max_layers: int | None = None,
    skip: int = 0,
    readings: bool = False,
) -> Save:
    """Opens a save of any kind: a packet, records, settings, JSON, a ConfigFile, a resource.

    It may be compressed (GCPF, gzip, zstd, ...), encrypted (GDEC), in Base64 or hex, or all of it
    in a String of another save: `Save.stack` says what it is.

    Args:
        password, key: of an encrypted save; the key has 32 bytes, or 64 hex digits.
        keys: passwords (str) and keys (bytes) by name, tried one after the other where there is no
            `password` or `key`. `Save.opened_with` says which one fitted.
        dialect: of its values; None: guessed, see `Save.dialect`.
        objects: allow Objects in full, as data. Texts and resources need no leave.
        strict: refuse what no engine would write.
        real_width: 8 for a page dialect, which must be named, with floats of 8 bytes.
        lock: lock the file before it is read, until it was written or closed: of two that count a
            value up, the second waits for the first. Else any number may read it, and it is locked
            from the first change on; `write` refuses if another program was first.
        lock_wait: seconds that opening with `lock`, and `write`, wait while the file is locked, by
            another program or by a save of this one that was not closed; then FileError with
            EAGAIN. 0: no waiting.
        max_bytes: that a layer may declare, and that are read into memory. None: 256 MiB.
        max_text: bytes of a text inside of layers, which takes up to 100 times as much when it is
            read. None: `max_bytes`, or 32 MiB if that is not given, either.
        read_as: what the innermost layer holds, a name of `save_kinds`, or a layer that has no
            magic: "deflate", "brotli". None: what is found.
        inside: paths of Strings and PackedByteArrays whose content is opened as the save, each in
            what was found so far: "$.data". It is written back in its place. None: a value that is
            all there is, and certainly holds a save, is opened; False: none is.
        entries: files of a pack (PCK) or of a browser's export to open, each in what was found so
            far: "res://data.save", "#2". Such a save is only read.
        max_layers: no more are opened.
        skip: bytes of the file before the save; they stay as they are.
        readings: find all that the document may be, for `Save.findings`.

    Raises FileError (an OSError: FileNotFoundError, PermissionError, ...), SaveError (not a save,
    damaged, another password), TextError with line and column (a text with an error in it),
    LimitError; of a file of the kind that `read_as` names, DecodeError; PathError for `inside`.
    """
    options = _others(locals(), "path")
    return Save(_gdvar._save_open(os.fsencode(path), os.fspath(path), **options), path)


def read_save(
    data: Buffer,
    *,
    password: str | None = None,
    key: str | bytes | None = None,
    keys: Mapping[str, str | bytes] | None = None,
    dialect: str | None = None,
    objects: bool = False,
    strict: bool = False,
    real_width: Literal[4, 8] = 4,
    max_bytes: int | None = None,
    max_text: int | None = None,
    read_as: str | None = None,
    inside: str | Iterable[str] | Literal[False] | None = None,
    entries: str | Iterable[str] | None = None,
    max_layers: int | None = None,
    skip: int = 0,
    readings: bool = False,
) -> Save:
    """The same of bytes in memory; `Save.bytes` gives them changed.

    Raises SaveError, LimitError; DecodeError, TextError and PathError as `open_save` does.
    """
    options = _others(locals(), "data")
    return Save(_gdvar._save_read(data, None, **options))


def list_entries(
    path: StrPath,
    *,
    password: str | None = None,
    key: str | bytes | None = None,
    keys: Mapping[str, str | bytes] | None = None,
    max_bytes: int | None = None,
    entries: str | Iterable[str] | None = None,
    skip: int = 0,
) -> Entries:
    """The files of a pack (PCK), or of a browser's export, which `entries=` of `open_save` opens.

    Args:
        path: the file; the archive in it may be in layers, or at the end of an executable.
        password, key, keys: for an encrypted directory, as for `open_save`.
        entries: the archive is this file of another one.
        skip: bytes of the file before the archive.

    Raises FileError (an OSError), SaveError (no archive, damaged, another key), LimitError.
    """
    options = _others(locals(), "path")
    return _gdvar._entries(os.fsencode(path), os.fspath(path), **options)


def read_entries(
    data: Buffer,
    *,
    password: str | None = None,
    key: str | bytes | None = None,
    keys: Mapping[str, str | bytes] | None = None,
    max_bytes: int | None = None,
    entries: str | Iterable[str] | None = None,
    skip: int = 0,
) -> Entries:
    """The same of bytes in memory. Raises SaveError, LimitError."""
    options = _others(locals(), "data")
    return _gdvar._entries(data, None, **options)
