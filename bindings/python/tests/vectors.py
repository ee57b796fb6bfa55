"""The recorded packets and saves of real engines, for the tests."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

SOURCE = Path(os.environ.get("GDVAR_SOURCE_DIR") or Path(__file__).resolve().parents[3])
DATA = SOURCE / "tests" / "data"

SANITIZED = "libclang_rt" in os.environ.get("LD_PRELOAD", "")
"""Whether a sanitizer's runtime is loaded: what takes long does less."""

DIALECTS = {
    "godot-4.6.3": "godot-4.4",
    "godot-3.6.2": "godot-3.1",
    "godot-3.2.3": "godot-3.1",
    "pandemonium-5.3": "pandemonium-5",
}
"""The engines that recorded packets, and their dialects."""


class Vector(NamedTuple):
    name: str
    dialect: str
    data: bytes
    text: str
    objects: bool
    json: str | None


@functools.cache
def vectors(engine: str) -> list[Vector]:
    """All packets of an engine."""
    with open(DATA / "vectors" / f"{engine}.ndjson", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Vector(
            row["name"],
            DIALECTS[engine],
            bytes.fromhex(row["bytes"]),
            row["text"],
            row["objects"],
            row.get("json"),
        )
        for row in rows
        if "bytes" in row
    ]


def all_vectors() -> Iterator[Vector]:
    for engine in DIALECTS:
        yield from vectors(engine)


def damaged() -> list[bytes]:
    """Damaged packets of Godot 4."""
    with open(DATA / "vectors" / "godot-4.6.3-damaged.ndjson", encoding="utf-8") as lines:
        return [bytes.fromhex(row["b"]) for row in map(json.loads, lines) if "b" in row]


class EngineSaves(NamedTuple):
    """An engine's saves, which all hold the same packets."""

    engine: str
    files: list[Path]
    packets: list[bytes]
    password: str
    key: str

    def opening(self, file: Path) -> dict[str, Any]:
        """What `open_save` needs for a file."""
        secrets: dict[str, dict[str, Any]] = {
            "gdec_pass": {"password": self.password},
            "gdec_key": {"key": self.key.encode()},
        }
        return secrets.get(file.stem, {})


@functools.cache
def saves() -> list[EngineSaves]:
    out: list[EngineSaves] = []
    for folder in sorted((DATA / "saves").iterdir()):
        rows = [json.loads(line) for line in (folder / "expected.ndjson").read_text().splitlines()]
        files = sorted(file for file in folder.iterdir() if file.suffix != ".ndjson")
        packets = [bytes.fromhex(row["bytes"]) for row in rows if "bytes" in row]
        secrets = next(row for row in rows if "pass" in row)
        out.append(EngineSaves(folder.name, files, packets, secrets["pass"], secrets["key"]))
    return out
