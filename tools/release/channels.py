"""The files that package managers read: the manifests of Scoop and Homebrew, from the checksums."""

from __future__ import annotations

import json
import typing

DESCRIPTION = "Shows, checks, changes and converts saves and packets of Godot games"


def _files(manifest: dict[str, typing.Any]) -> dict[str, dict[str, typing.Any]]:
    return {entry["name"]: entry for entry in manifest["artefacts"]}


def _folder(name: str) -> str:
    return name.removesuffix(".zip").removesuffix(".tar.gz")


def scoop(manifest: dict[str, typing.Any], base: str) -> str | None:
    """gdvar.json of a Scoop bucket; None without the commands for Windows."""
    files, version = _files(manifest), manifest["version"]
    rows = {"64bit": "command-x86_64-windows-gnu", "arm64": "command-aarch64-windows-gnu"}
    if not set(rows.values()) <= files.keys():
        return None
    newer = f"{manifest['homepage']}/releases/download/v$version/"
    architecture, update = {}, {}
    for key, name in rows.items():
        file = files[name]["file"]
        architecture[key] = {"url": f"{base}/{file}", "hash": files[name]["sha256"], "extract_dir": _folder(file)}
        later = file.replace(version, "$version")
        update[key] = {"url": newer + later, "extract_dir": _folder(later)}
    made = {
        "version": version,
        "description": DESCRIPTION,
        "homepage": manifest["homepage"],
        "license": "MIT",
        "architecture": architecture,
        "bin": "gdvar.exe",
        "checkver": {"github": manifest["homepage"]},
        "autoupdate": {"architecture": update, "hash": {"url": "$baseurl/SHA256SUMS"}},
    }
    return json.dumps(made, indent=4) + "\n"


FORMULA = """\
class Gdvar < Formula
  desc "{description}"
  homepage "{homepage}"
  version "{version}"
  license "MIT"

{systems}
  def install
    bin.install "gdvar"
    man1.install "gdvar.1"
    bash_completion.install "completions/gdvar.bash" => "gdvar"
    zsh_completion.install "completions/_gdvar"
    fish_completion.install "completions/gdvar.fish"
  end

  test do
    assert_equal "gdvar {version}", shell_output("#{{bin}}/gdvar --version").strip
  end
end
"""


def homebrew(manifest: dict[str, typing.Any], base: str) -> str | None:
    """gdvar.rb of a Homebrew tap; None without the commands for macOS and Linux."""
    files = _files(manifest)
    systems = {"macos": "{}-macos", "linux": "{}-linux-musl"}
    processors = {"arm": "aarch64", "intel": "x86_64"}
    lines = []
    for system, pattern in systems.items():
        lines.append(f"  on_{system} do")
        for processor, name in processors.items():
            entry = files.get("command-" + pattern.format(name))
            if entry is None:
                return None
            lines += [
                f"    on_{processor} do",
                f'      url "{base}/{entry["file"]}"',
                f'      sha256 "{entry["sha256"]}"',
                "    end",
            ]
        lines += ["  end", ""]
    return FORMULA.format(
        description=DESCRIPTION, homepage=manifest["homepage"], version=manifest["version"], systems="\n".join(lines)
    )
