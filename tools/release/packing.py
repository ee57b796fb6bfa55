"""Archives whose bytes depend on what is in them alone: sorted entries, one time, no owner."""

from __future__ import annotations

import gzip
import io
import tarfile
import time
import typing
import zipfile
from pathlib import Path


class Entry(typing.NamedTuple):
    """A file of an archive, or a link where `link` names what it leads to."""

    name: str
    data: bytes = b""
    executable: bool = False
    link: str = ""


def folder_entries(folder: Path, prefix: str) -> list[Entry]:
    """All files below a folder."""
    return [Entry(f"{prefix}/{path.relative_to(folder).as_posix()}", path.read_bytes()) for path in folder.rglob("*") if path.is_file()]


def _tar(entries: list[Entry], epoch: int) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for entry in sorted(entries):
            member = tarfile.TarInfo(entry.name)
            member.mtime = epoch
            member.mode = 0o755 if entry.executable else 0o644
            if entry.link:
                member.type, member.linkname = tarfile.SYMTYPE, entry.link
            else:
                member.size = len(entry.data)
            tar.addfile(member, io.BytesIO(entry.data))
    return out.getvalue()


def gzipped(data: bytes) -> bytes:
    """As `gzip -n -9` does it: neither a name nor a time."""
    return gzip.compress(data, 9, mtime=0)


def _zip(entries: list[Entry], epoch: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for entry in sorted(entries):
            member = zipfile.ZipInfo(entry.name, time.gmtime(epoch)[:6])
            member.create_system = 3
            member.external_attr = (0o100755 if entry.executable else 0o100644) << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            made.writestr(member, entry.data, compresslevel=9)
    return out.getvalue()


def write_archive(path: Path, entries: list[Entry], epoch: int) -> Path:
    """Writes a .zip or a .tar.gz, by the name. A zip has no links: those who read it get the files alone."""
    if path.suffix == ".zip":
        path.write_bytes(_zip([entry for entry in entries if not entry.link], epoch))
    else:
        path.write_bytes(gzipped(_tar(entries, epoch)))
    return path
