#!/usr/bin/env python3
"""The C# binding, with Mono and with each .NET that is here: csharp_test.py LIBRARY"""
import os
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from toolchains import CSHARP, ROOT, CSharp, page_programs, run
from vectors import Library, Vectors

LIBRARY = Path(sys.argv[1]).resolve()
os.environ["LD_LIBRARY_PATH"] = str(LIBRARY.parent)


class OneRuntime(Vectors):
    runtime = ""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="gdvar-csharp-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.compiled = CSharp(Path(cls.temporary.name), cls.runtime)
        cls.library = Library(str(LIBRARY))
        cls.testee = cls.compiled.program(CSHARP / "tests" / "Testee.cs")

    def test_values_errors_saves_streams(self):
        said = run(*self.compiled.program(CSHARP / "tests" / "Tests.cs"), ROOT / "tests" / "data")
        self.assertRegex(said, r"(?m)^[1-9]\d+ passed, 0 failed$")

    def test_the_page(self):
        """Its programs print what it says."""
        save = self.compiled.folder / "game.save"
        shutil.copy(ROOT / "tests" / "data" / "saves" / "godot-4.6.3" / "gdec_pass.save", save)
        programs = page_programs("csharp.md", "csharp")
        self.assertEqual(len(programs), 2)
        for i, (code, said) in enumerate(programs):
            source = self.compiled.folder / f"Page{i}.cs"
            source.write_text(code)
            self.assertEqual(run(*self.compiled.program(source), save), said)
        server = "".join((CSHARP / "examples" / "EchoServer.cs").read_text().split())
        (shown,) = re.findall(r"^```csharp\n(using \(var peer.*?)^```$", (ROOT / "docs" / "csharp.md").read_text(), re.MULTILINE | re.DOTALL)
        self.assertIn("".join(shown.split()), server)


def load_tests(_loader, _tests, _pattern):
    suite = unittest.TestSuite()
    for runtime in CSharp.runtimes():
        made = type(f"Runtime_{runtime.replace('.', '_')}", (OneRuntime,), {"runtime": runtime})
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(made))
    return suite


if __name__ == "__main__":
    if not CSharp.runtimes():
        print("mono and mcs are not installed")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
