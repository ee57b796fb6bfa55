"""The version of the package for scikit-build-core (pyproject.toml): the one that version.hpp states."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent.parent
# In a source distribution, and in the repository.
_HEADERS = (
    _PACKAGE / "cpp/include/gdvar/version.hpp",
    _PACKAGE.parent.parent / "include/gdvar/version.hpp",
)


def dynamic_metadata(settings: Mapping[str, Any], project: Mapping[str, Any]) -> dict[str, str]:
    """The field `version`. There are no settings.

    Raises:
        RuntimeError: there is no version.hpp, or it states no version.
    """
    del project
    if settings:
        raise RuntimeError(f"the version takes no settings: {settings}")
    header = next((path for path in _HEADERS if path.is_file()), None)
    if header is None:
        raise RuntimeError(f"none of these is there: {', '.join(map(str, _HEADERS))}")
    pattern = r"^#define GDVAR_VERSION_(MAJOR|MINOR|PATCH) (\d+)$"
    stated = dict(re.findall(pattern, header.read_text(encoding="utf-8"), re.MULTILINE))
    if len(stated) != 3:
        raise RuntimeError(f"{header} states no version")
    return {"version": f"{stated['MAJOR']}.{stated['MINOR']}.{stated['PATCH']}"}
