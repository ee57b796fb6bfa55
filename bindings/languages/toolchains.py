"""Compilers and runtimes of C# and Go for the tests here. The stage `languages` of scripts/test installs them."""
import json
import os
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CSHARP, GO = ROOT / "bindings" / "csharp", ROOT / "bindings" / "go"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gdvar"
# Microsoft's runtimes as packages of PyPI have them, that of .NET 8 a third party's (bindings/csharp/tests/requirements.txt). mcs can read the assemblies of .NET Core 3.1, and not those of .NET 8.
DOTNET = CACHE / "dotnet"
CORE = DOTNET / "dotnetcore2" / "bin"
RUNTIMES = {"3.1": CORE / "dotnet", "8.0": DOTNET / "dnv" / "net" / "runtime" / ".net" / "dotnet"}


def run(*command, **options):
    """Runs a program; its output is seen only when it fails."""
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False, **options)
    assert done.returncode == 0, (command, done.stdout[-4000:])
    return done.stdout


def page_programs(page, language):
    """The whole programs of a page, with what it says that they print: [(code, output or None)]."""
    text = (ROOT / "docs" / page).read_text()
    start = {"csharp": "using System", "go": "package "}[language]
    block = rf"^```{language}\n({start}.*?)^```$(?:\n\n[^\n]*\bit prints\n\n((?:    [^\n]*\n)+))?"
    return [(code, textwrap.dedent(said) if said else None) for code, said in re.findall(block, text, re.MULTILINE | re.DOTALL | re.IGNORECASE)]


class CSharp:
    """Programs with the binding, compiled into a folder: for Mono, or for .NET."""

    def __init__(self, folder, runtime):
        self.folder, self.runtime = folder / runtime, runtime
        self.folder.mkdir()
        self.references = []
        if runtime != "mono":
            assemblies = next((CORE / "shared" / "Microsoft.NETCore.App").iterdir())
            names = [each for each in sorted(assemblies.glob("System*.dll")) if "Native" not in each.name]
            self.references = ["-nostdlib", "-noconfig", "-nowarn:1702", *(f"-r:{each}" for each in names)]
            config = {"framework": {"name": "Microsoft.NETCore.App", "version": f"{runtime}.0"}, "rollForward": "LatestPatch",
                      "configProperties": {"System.Globalization.Invariant": True}}
            (self.folder / "runtime.json").write_text(json.dumps({"runtimeOptions": config}))
        # Its own warnings are errors.
        self.compile("-warnaserror", "-unsafe", "-target:library", "-out:" + str(self.folder / "Gdvar.dll"), *sorted((CSHARP / "Gdvar").glob("*.cs")))

    def compile(self, *arguments):
        run("mcs", *self.references, *arguments)

    def program(self, source):
        """The command that runs a program of one source."""
        made = self.folder / (Path(source).stem + ".exe")
        self.compile(f"-r:{self.folder / 'Gdvar.dll'}", f"-out:{made}", source)
        if self.runtime == "mono":
            return ["mono", "--debug", str(made)]
        return [str(RUNTIMES[self.runtime]), "exec", "--runtimeconfig", str(self.folder / "runtime.json"), str(made)]

    @staticmethod
    def runtimes():
        """Those that are here."""
        if not shutil.which("mcs"):
            return []
        net = [name for name, program in RUNTIMES.items() if program.exists() and (CORE / "shared").exists()]
        return (["mono"] if shutil.which("mono") else []) + net


def go():
    """The Go to use: `go`, if it is new enough and the module that it runs was built; else None."""
    needs = re.search(r"^go (\d+)\.(\d+)", (GO / "go.mod").read_text(), re.MULTILINE)
    try:
        has = re.search(r"go(\d+)\.(\d+)", subprocess.run(["go", "version"], capture_output=True, text=True, check=True, cwd="/").stdout)
    except (OSError, subprocess.CalledProcessError):
        return None
    new_enough = tuple(map(int, has.groups())) >= tuple(map(int, needs.groups()))
    return "go" if new_enough and (GO / "gdvar-packets.wasm").exists() else None


def go_program(folder, package):
    made = folder / Path(package).name
    run(go(), "build", "-o", made, "./" + package, cwd=GO)
    return [str(made)]
