#!/usr/bin/env python3
"""The Go binding: go_test.py LIBRARY"""
import sys
import tempfile
import unittest
from pathlib import Path

from toolchains import GO, ROOT, go, go_program, page_programs, run
from vectors import Library, Vectors


class Go(Vectors):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="gdvar-go-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.library = Library(sys.argv[1])
        cls.testee = go_program(Path(cls.temporary.name), "internal/testee")

    def test_the_package(self):
        self.assertEqual(run("gofmt", "-l", ".", cwd=GO), "")
        run(go(), "vet", "./...", cwd=GO)
        self.assertRegex(run(go(), "test", "-count=1", ".", cwd=GO), r"(?m)^ok\s+gdvar")

    def test_the_page(self):
        """Its first program prints what it says, in a module of its own; its server is the example."""
        folder = Path(self.temporary.name) / "page"
        folder.mkdir()
        (first, said), (server, _) = page_programs("go.md", "go")
        (folder / "main.go").write_text(first)
        run(go(), "mod", "init", "example", cwd=folder)
        run(go(), "mod", "edit", "-require", "gdvar@v0.0.0", "-replace", f"gdvar={GO}", cwd=folder)
        run(go(), "mod", "tidy", cwd=folder)
        run(go(), "vet", ".", cwd=folder)
        self.assertEqual(run(go(), "run", ".", cwd=folder), said)
        example = (GO / "examples" / "echo" / "main.go").read_text()
        self.assertEqual(server, example[example.index("package") :])

    def test_the_licence(self):
        self.assertEqual((GO / "LICENSE").read_bytes(), (ROOT / "LICENSE").read_bytes())

    def test_the_module_is_that_of_its_sources(self):
        """The copy in bindings/go is what was built last."""
        built = ROOT / "build" / "wasm" / "gdvar-packets.wasm"
        if not built.exists():
            self.skipTest("build/wasm is not here")
        self.assertEqual((GO / built.name).read_bytes(), built.read_bytes())


def load_tests(loader, _tests, _pattern):
    return loader.loadTestsFromTestCase(Go)


if __name__ == "__main__":
    if not go():
        print("no Go that is new enough, or no gdvar-packets.wasm: scripts/package go")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
