"""The exceptions. One class for each thing that one would catch apart; `code` tells the rest.

The codes are those of docs/errors.md ("truncated", "wrong_type", ...), the same in every language.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from gdvar.packets import Loss

__all__ = [
    "DecodeError",
    "EncodeError",
    "Error",
    "FileBusyError",
    "FileError",
    "FileExistsAlreadyError",
    "FileForbiddenError",
    "FileIsFolderError",
    "FileMissingError",
    "IndexRangeError",
    "LimitError",
    "LossError",
    "MismatchError",
    "MissingKeyError",
    "NoFolderError",
    "PatchError",
    "PathError",
    "SaveError",
    "StaleSumWarning",
    "TextError",
    "TruncatedError",
]


class Error(Exception):
    """Why gdvar refused something. The base of all its exceptions.

    Attributes:
        code: the name of the error ("truncated"); the table is docs/errors.md.
        offset: where, in bytes from the start of the packet, text or file; None if unknown.
        path: the value's path ("$.players[3].hp"); its two ends and "..." where it is longer than 300
            bytes; "" if unknown.
        need: for "truncated": at least so many more bytes are needed; else 0.
        type: the Variant type that was being read or written ("Vector3"); "" if unknown.
    """

    def __init__(
        self,
        message: str = "",
        *,
        code: str = "",
        offset: int | None = None,
        path: str = "",
        need: int = 0,
        type: str = "",
        **own: Any,
    ) -> None:
        """`own`: the further attributes of a subclass."""
        super().__init__(message)
        self.code = code
        self.offset = offset
        self.path = path
        self.need = need
        self.type = type
        for name, value in own.items():
            if not hasattr(self, name) or hasattr(Exception, name):
                raise TypeError(f"{self.__class__.__name__} has no attribute {name!r}")
            setattr(self, name, value)

    __str__ = Exception.__str__  # not KeyError's, which shows a repr


class DecodeError(Error, ValueError):
    """The bytes are no packet of the dialect."""


class TruncatedError(DecodeError):
    """The bytes end before the value does: `need` more must come, at least."""


class LimitError(DecodeError):
    """Sound bytes that the limits or options refuse: too deep, an Object, not strict."""


class EncodeError(Error, ValueError):
    """The value can't be written: not in this dialect, too large, no Variant at all."""


class LossError(EncodeError):
    """Values that the target can't express; nothing was made.

    Attributes:
        losses: all of them, as gdvar.packets.Loss. To go on with what stands for them, give the
            function a list as `losses=`.
    """

    losses: Sequence[Loss] = ()


class MismatchError(Error, ValueError):
    """A value is not what the type asks for (`gdvar.decode`).

    Attributes:
        expected: what the type asks for ("int from 0 to 100").
        found: what is there ("String").
    """

    expected: str = ""
    found: str = ""


class PathError(Error, LookupError):
    """A path, key or index leads nowhere, or is no path."""


class MissingKeyError(PathError, KeyError):
    """A Dictionary or Object does not have the key."""


class IndexRangeError(PathError, IndexError):
    """An Array does not have so many elements."""


class TextError(Error, ValueError):
    """Text or JSON that is no value.

    Attributes:
        line, column: where, from 1.
    """

    line: int = 0
    column: int = 0


class PatchError(Error, ValueError):
    """A patch that does not fit the packet.

    Attributes:
        change: the number of the change that does not fit, from 0; None: the patch is no patch.
    """

    change: int | None = None


class SaveError(Error, ValueError):
    """A container that can't be opened: damaged, unknown, a wrong password."""


class FileError(Error, OSError):
    """The system refused to read or write a file; `errno` says why, `filename` which.

    Where Python has a class of its own for that errno, it is one of that class, too: `except
    FileNotFoundError` catches a FileMissingError.
    """

    def __new__(
        cls,
        message: str = "",
        *,
        errno: int = 0,
        filename: str | bytes | None = None,
        **place: Any,
    ) -> Self:
        kind: Any = _of_errno(errno) if cls is FileError else cls
        made: Self = super().__new__(kind, message)
        return made

    def __init__(
        self,
        message: str = "",
        *,
        errno: int = 0,
        filename: str | bytes | None = None,
        **place: Any,
    ) -> None:
        super().__init__(message, **place)
        self.errno = errno
        self.strerror = os.strerror(errno) if errno else None
        self.filename = filename

    def __str__(self) -> str:
        return str(self.args[0])  # OSError would join the parts in its own way

    def __reduce__(self) -> tuple[Any, ...]:
        # OSError's own leaves out the keyword arguments.
        return (_file_error, (type(self), self.args[0], self.errno, self.filename), self.__dict__)


def _file_error(kind: type[FileError], message: str, errno: int, filename: Any) -> FileError:
    return kind(message, errno=errno, filename=filename)


class FileMissingError(FileError, FileNotFoundError):
    """There is no such file or folder."""


class FileForbiddenError(FileError, PermissionError):
    """The file's permissions do not allow it."""


class FileBusyError(FileError, BlockingIOError):
    """The file is locked."""


class FileExistsAlreadyError(FileError, FileExistsError):
    """There is a file of that name already."""


class FileIsFolderError(FileError, IsADirectoryError):
    """A folder stands where a file is meant."""


class NoFolderError(FileError, NotADirectoryError):
    """A file stands where a folder is meant."""


def _of_errno(errno: int) -> type[FileError]:
    """The class for an errno, as OSError chooses it."""
    system = type(OSError(errno, ""))
    if system is OSError:
        return FileError
    return next((kind for kind in FileError.__subclasses__() if issubclass(kind, system)), FileError)


class StaleSumWarning(UserWarning):
    """A size or a checksum beside a change is wrong now: what `Save.stale_sums` has, in words."""
