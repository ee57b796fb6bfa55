#!/usr/bin/env python3
"""The example servers of C# and Go, and a real Godot 4.6.3 as their client; then random bytes: live_test.py LIBRARY

The engine runs tests/net/peers4.gd, as the live tests in C++ do. Without it (scripts/engines) the tests are skipped.
"""
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from toolchains import CACHE, CSHARP, ROOT, CSharp, go, go_program

LIBRARY = Path(sys.argv[1]).resolve()
ENGINES = Path(os.environ.get("GDVAR_ENGINES") or CACHE / "engines")
VALUES = 56  # that the script sends


def why_not():
    if not (ENGINES / "usr").is_dir():
        return "scripts/engines has not been run"
    if os.geteuid() != 0:
        return "only root can enter the engines' tree"
    return None if CSharp.runtimes() or go() else "neither C# nor Go is here"


def received(peer, size):
    answer = b""
    while len(answer) < size and (part := peer.recv(size - len(answer))):
        answer += part
    return answer


class Server:
    """An example server, with the port that it says."""

    def __init__(self, command, *arguments):
        self.process = subprocess.Popen([*command, "0", *arguments], stdout=subprocess.PIPE, text=True,
                                        env=os.environ | {"LD_LIBRARY_PATH": str(LIBRARY.parent)})
        words = self.process.stdout.readline().split()
        assert words[:2] == ["listening", "on"], words
        self.port = int(words[2])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


class Live(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(dir=ENGINES / "tmp", prefix="gdvar-live-")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        cls.commands = {}
        for runtime in CSharp.runtimes():
            cls.commands[f"C# ({runtime})"] = CSharp(cls.folder, runtime).program(CSHARP / "examples" / "EchoServer.cs")
        if go():
            cls.commands["Go"] = go_program(cls.folder, "examples/echo")

    def client(self, ports):
        """The lines that the engine's script wrote."""
        seen = "/" + str(self.folder.relative_to(ENGINES))
        shutil.copy(ROOT / "tests" / "net" / "peers4.gd", self.folder / "script.gd")
        words = ["--headless", "-s", f"{seen}/script.gd", "--", "client", f"{seen}/out.txt", f"{seen}/none.crt"]
        run = subprocess.run(["chroot", str(ENGINES), "godot", *words, *(f"{name}={port}" for name, port in ports.items())],
                             cwd=self.folder, env={**os.environ, "HOME": seen, "LD_PRELOAD": ""}, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100, check=False)
        out = self.folder / "out.txt"
        self.assertTrue(out.exists(), run.stdout)
        lines = out.read_text().splitlines()
        out.unlink()
        return lines

    def test_godot_as_a_client(self):
        """Every value comes back as it was sent, and an Object in full is refused."""
        for name, command in self.commands.items():
            with self.subTest(name), Server(command) as little, Server(command, "--big-endian") as big:
                lines = self.client({"tcp": little.port, "packets": little.port, "tcp_big": big.port})
                self.assertEqual([line for line in lines if line], [f"{kind} {VALUES} objects_forbidden" for kind in ("tcp", "packets", "tcp_big")])

    def test_random_bytes(self):
        """The server goes on, whatever comes: bytes at random, damaged packets, packets that are cut off."""
        chance = random.Random(34)
        for name, command in self.commands.items():
            with self.subTest(name), Server(command) as server:
                for _ in range(300):
                    packet = chance.choice([chance.randbytes(chance.randrange(100)), bytes.fromhex("1c000000ffffff7f"), bytes.fromhex("1c00000001000000") * 5000])
                    framed = chance.choice([packet, len(packet).to_bytes(4, "little") + packet, bytes.fromhex("ffffff7f") + packet])
                    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as peer:
                        peer.sendall(framed)
                with socket.create_connection(("127.0.0.1", server.port), timeout=10) as peer:
                    peer.sendall(bytes.fromhex("08000000 0200000007000000"))
                    self.assertEqual(received(peer, 12).hex(), "080000000200000007000000")
                    # A damaged packet is answered, and the next one read.
                    peer.sendall(bytes.fromhex("04000000 ff000000 04000000 00000000"))
                    answer = received(peer, 4 + 20 + 8)
                    self.assertIn(b"unknown_type", answer)
                    self.assertTrue(answer.endswith(bytes.fromhex("0400000000000000")), answer)
                self.assertIsNone(server.process.poll())


if __name__ == "__main__":
    if why := why_not():
        print(why)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
