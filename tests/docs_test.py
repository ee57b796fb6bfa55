#!/usr/bin/env python3
"""The generated pages are those in docs/. With --update it writes them instead."""
import pathlib, subprocess, sys

generator, root = sys.argv[1], pathlib.Path(sys.argv[2])
PAGES = ("dialects", "errors", "conversions")
stale = []
for page in PAGES:
    path = root / "docs" / f"{page}.md"
    fresh = subprocess.run([generator, page], capture_output=True, check=True).stdout
    if "--update" in sys.argv:
        path.write_bytes(fresh)
    elif not path.exists() or path.read_bytes() != fresh:
        stale.append(page)
for page in stale:
    print(f"docs/{page}.md is stale: scripts/docs pages")
print(f"{len(PAGES) - len(stale)} passed, {len(stale)} failed")
sys.exit(1 if stale else 0)
