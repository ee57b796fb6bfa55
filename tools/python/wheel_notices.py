"""Puts the licences of the libraries that auditwheel copied into a wheel beside the wheel's own.

auditwheel lists the Debian packages that they come from. Their notices, and the licences that these refer to, go to
`*.dist-info/licenses/debian`. CLI11 is in the command; its licence asks for its notice, too.

Usage: wheel_notices.py WHEEL
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
import sys
import zipfile
from pathlib import Path

HEADERS_ONLY = ["libcli11-dev"]


def packages(wheel: zipfile.ZipFile) -> list[str]:
    """The Debian packages in auditwheel's list of components."""
    listed = next(name for name in wheel.namelist() if name.endswith(".dist-info/sboms/auditwheel.cdx.json"))
    components = json.loads(wheel.read(listed))["components"]
    return sorted({part["name"] for part in components if part["purl"].startswith("pkg:deb/")})


def notices(names: list[str]) -> dict[str, bytes]:
    """The notice of each package by its name, and the licences that they refer to."""
    found = {name: Path("/usr/share/doc", name, "copyright").read_bytes() for name in names}
    for licence in sorted(set(re.findall(rb"/usr/share/common-licenses/([\w.+-]*\w)", b"\n".join(found.values())))):
        found[licence.decode()] = Path("/usr/share/common-licenses", licence.decode()).read_bytes()
    return found


def record_row(name: str, data: bytes) -> list[str]:
    """A file's line in RECORD."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return [name, f"sha256={digest}", str(len(data))]


def main() -> None:
    path = Path(sys.argv[1])
    made = path.with_suffix(".partial")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        record = next(name for name in old.namelist() if name.endswith(".dist-info/RECORD"))
        folder = record.removesuffix("RECORD") + "licenses/debian/"
        added = {f"{folder}{name}.txt": text for name, text in notices(packages(old) + HEADERS_ONLY).items()}
        for member in old.infolist():
            if member.filename != record:
                new.writestr(member, old.read(member))
        for name, text in added.items():
            new.writestr(name, text)
        rows = [*csv.reader(io.StringIO(old.read(record).decode())), *(record_row(*item) for item in added.items())]
        lines = io.StringIO()
        csv.writer(lines, lineterminator="\n").writerows(rows)
        new.writestr(record, lines.getvalue())
    made.replace(path)
    print(f"notices: {', '.join(Path(name).stem for name in added)}")


main()
