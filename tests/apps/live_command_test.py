#!/usr/bin/env python3
"""listen, send, proxy and replay: against each other over every transport, fed captures of real debugger
connections in random splits, and between a real engine and its debugger.

Usage: live_command_test.py GDVAR SOURCE_DIR CERTIFICATES [--live]
--live only plays with real engines; status 77 when there is none.
"""

import json
import os
import pathlib
import queue
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

GDVAR = sys.argv[1]
SOURCE = pathlib.Path(sys.argv[2])
CERTIFICATES = pathlib.Path(sys.argv[3])
CAPTURES = SOURCE / "tests/data/captures"
TLS = ["--certificate", str(CERTIFICATES / "server.pem"), "--tls-key", str(CERTIFICATES / "server.key")]
TRUST = ["--ca-file", str(CERTIFICATES / "server.pem")]
SCHEMES = ["tcp", "tls", "unix", "udp", "ws", "wss", "enet"]
VALUES = ['{"say": "hello", "to": [1, 2.5, null]}', "[1, Vector2(2, 3)]", '"text"', "-7", "PackedByteArray(1, 2)"]


class Running:
    """A gdvar that runs beside the test, and ends with it."""

    def __init__(self, *arguments, seconds=60):
        self.process = subprocess.Popen(
            [GDVAR, *map(str, arguments), "--time", str(seconds)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines, self.said = queue.Queue(), queue.Queue()
        for stream, to in ((self.process.stdout, self.lines), (self.process.stderr, self.said)):
            threading.Thread(target=self.pump, args=(stream, to), daemon=True).start()

    @staticmethod
    def pump(stream, to):
        for line in stream:
            to.put(line.rstrip("\n"))
        to.put(None)

    def url(self):
        line = self.said.get(timeout=20)
        assert line and "listening at " in line, line
        return line.split("listening at ")[1].split(",")[0]

    def port(self):
        return int(self.url().rsplit(":", 1)[1])

    @staticmethod
    def rest(of):
        out = []
        while (line := of.get(timeout=30)) is not None:
            out.append(line)
        return out

    def end(self):
        """Its remaining output, after it was told to stop."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=20)
        return self.rest(self.lines)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def gdvar(*arguments, seconds=30, **more):
    return subprocess.run([GDVAR, *map(str, arguments)], capture_output=True, text=True, timeout=seconds, **more)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def debugger_names(capture, engine):
    """The names of the messages of a capture, read by hand."""
    packets = [json.loads(line) for line in
               gdvar("json", "--plain", "--lines", "--as", "records", "--dialect",
                     "godot4" if engine == 4 else "godot3", "--objects", capture).stdout.splitlines()]
    if engine == 4 or isinstance(packets[0], list):
        return [p[0] for p in packets]
    names, i = [], 0
    while i < len(packets):
        names.append(packets[i])
        i += 2 + packets[i + 1]
    return names


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gdvar-net-"))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def listening(self, scheme):
        return f"unix:{self.folder}/socket" if scheme == "unix" else f"{scheme}://127.0.0.1:0"

    def test_send_listen_replay(self):
        for scheme in SCHEMES:
            with self.subTest(scheme):
                record = self.folder / f"{scheme}.rec"
                with Running("listen", self.listening(scheme), "--answer", "echo", "--form", "json", "--record",
                             record, *TLS) as server:
                    url = server.url()
                    sent = gdvar("send", url, *VALUES, "--form", "json", "--count", len(VALUES), *TRUST)
                    self.assertEqual(sent.returncode, 0, sent.stderr)
                    lines = [json.loads(line) for line in server.end()]
                answers = [json.loads(line) for line in sent.stdout.splitlines()]
                expected = [json.loads(gdvar("pack", "--output", "hex", input=value).stdout and
                                       gdvar("json", "--indent", "0", "--as", "hex",
                                             input=gdvar("pack", "--output", "hex", input=value).stdout).stdout)
                            for value in VALUES]
                self.assertEqual([a["value"] for a in answers], expected)
                for direction in ("to_server", "to_client"):
                    self.assertEqual([x["value"] for x in lines if x["direction"] == direction], expected)
                # The recording, played to somebody else.
                again = self.folder / f"{scheme}-again.rec"
                with Running("listen", self.listening(scheme), "--form", "none", "--count", len(VALUES), "--record",
                             again, *TLS) as server:
                    played = gdvar("replay", record, server.url(), "--wait", "0.3", "--speed", "0", *TRUST)
                    self.assertEqual(played.returncode, 0, played.stderr)
                    server.process.wait(timeout=20)
                packets = [[r["packet"] for r in self.records(file) if r["direction"] == "to_server"]
                           for file in (record, again)]
                self.assertEqual(packets[0], packets[1])
                self.assertEqual(len(packets[0]), len(VALUES))

    def records(self, file):
        done = gdvar("json", "--plain", "--lines", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_captures_in_random_splits(self):
        random.seed(20)
        for name, engine in (("godot-4.6.3.from-engine", 4), ("godot-4.6.3.to-engine", 4),
                             ("godot-3.2.3.from-engine", 3), ("godot-3.2.3.to-engine", 3)):
            file = CAPTURES / f"{name}.bin"
            names = debugger_names(file, engine)
            data = file.read_bytes()
            for largest in (7, 300, 100_000):
                with self.subTest(name, largest=largest), \
                     Running("listen", "debugger://127.0.0.1:0", "--dialect", f"godot{engine}", "--form", "plain") as server, \
                     socket.create_connection(("127.0.0.1", server.port())) as s:
                    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    at = 0
                    while at < len(data):
                        n = random.randint(1, largest)
                        s.sendall(data[at:at + n])
                        at += n
                    s.shutdown(socket.SHUT_WR)
                    self.assertEqual(s.recv(1), b"")
                    got = [json.loads(line)["value"]["name"] for line in server.end()]
                    self.assertEqual(got, names)
                    self.assertEqual(server.process.returncode, 0)

    def test_proxy_passes_everything_on(self):
        """Packets, and after them what are none: byte for byte, both ways."""
        random.seed(21)
        good = b"".join(struct.pack("<I", 8) + struct.pack("<iI", 2, i) for i in range(1000))
        data = good + random.randbytes(3_000_000)
        with socket.create_server(("127.0.0.1", 0)) as target:
            def echo():
                peer, _ = target.accept()
                with peer:
                    while part := peer.recv(65536):
                        peer.sendall(part)
            thread = threading.Thread(target=echo)
            thread.start()
            with Running("proxy", "tcp://127.0.0.1:0", f"tcp://127.0.0.1:{target.getsockname()[1]}", "--form",
                         "plain", "--dialect", "godot4") as proxy, \
                 socket.create_connection(("127.0.0.1", proxy.port())) as s:
                sender = threading.Thread(target=lambda: (s.sendall(data), s.shutdown(socket.SHUT_WR)))
                sender.start()
                time.sleep(0.3)  # a slow reader
                back = b""
                while part := s.recv(65536):
                    back += part
                sender.join()
                thread.join()
                self.assertTrue(back == data, f"{len(back)} bytes of {len(data)}")
                values = [json.loads(line) for line in proxy.end()]
                said = "\n".join(proxy.rest(proxy.said))
            for direction in ("to_server", "to_client"):
                self.assertEqual([v["value"] for v in values if v["direction"] == direction], list(range(1000)))
            self.assertIn("only forwarded from here on", said)
            self.assertEqual(proxy.process.returncode, 1)

    def test_proxy_of_every_transport(self):
        for scheme in SCHEMES:
            with self.subTest(scheme), Running("listen", self.listening(scheme), "--answer", "echo", *TLS) as server:
                target = server.url()
                front = f"unix:{self.folder}/front" if scheme == "unix" else f"{scheme}://127.0.0.1:0"
                with Running("proxy", front, target, "--form", "json", *TLS, *TRUST) as proxy:
                    sent = gdvar("send", proxy.url(), *VALUES, "--count", len(VALUES), *TRUST)
                    self.assertEqual(sent.returncode, 0, sent.stderr)
                    self.assertEqual(len(sent.stdout.splitlines()), len(VALUES))
                    self.assertEqual(len(proxy.end()), 2 * len(VALUES))

    def test_a_bridge_between_transports(self):
        with Running("listen", "tcp://127.0.0.1:0", "--answer", "echo") as server, \
             Running("proxy", "ws://127.0.0.1:0", server.url()) as proxy:
            sent = gdvar("send", proxy.url(), "[1, 2]", "--count", "1")
            self.assertEqual(sent.stdout.split(" > ")[1:], ["[1, 2]\n"])

    def test_forms_and_annotate(self):
        with Running("listen", "tcp://127.0.0.1:0", "--form", "annotate", "--dialect", "godot3") as server:
            gdvar("send", server.url(), '{"a": 1}', "--dialect", "godot3", "--wait", "0.1")
            text = "\n".join(server.end())
        self.assertIn("20 bytes, godot-3.1" if "20 bytes" in text else "bytes, godot-3.1", text)
        self.assertIn("$.a", text)

    def test_multiplayer(self):
        rpc = "2008000080000181466f6f00"  # by Godot 4.6.3
        packet = self.folder / "rpc.hex"
        packet.write_text(rpc)
        with Running("listen", "udp://127.0.0.1:0", "--protocol", "multiplayer-4", "--form", "plain", "--count",
                     "1") as server:
            url = server.url()
            host, port = url.split("//")[1].split(":")
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
                s.sendto(bytes.fromhex(rpc), (host, int(port)))
            value = json.loads(server.lines.get(timeout=20))["value"]
        self.assertEqual(value, {"command": "rpc", "path": "Foo", "method": 0, "arguments": [True]})

    def test_pcap(self):
        pcap = self.folder / "x.pcap"
        with Running("listen", "tcp://127.0.0.1:0", "--pcap", pcap, "--form", "none") as server:
            gdvar("send", server.url(), "[1]", "--wait", "0.1")
            server.end()
        data = pcap.read_bytes()
        magic, _, _, _, _, _, link = struct.unpack_from("<IHHiIII", data)
        self.assertEqual((magic, link), (0xA1B2C3D4, 101))
        size = struct.unpack_from("<I", data, 32)[0]
        self.assertEqual(len(data), 24 + 16 + size)
        header = data[40:60]
        total = sum(struct.unpack(">10H", header))
        while total >> 16:
            total = (total & 0xFFFF) + (total >> 16)
        self.assertEqual(total, 0xFFFF, "the IP header's sum")
        self.assertEqual(data[80:], bytes.fromhex("10000000" "1c000000" "01000000" "02000000" "01000000"))

    def test_the_debuggers_dialect_is_guessed(self):
        for name, engine in (("godot-4.6.3.from-engine", 4), ("godot-4.6.3.to-engine", 4),
                             ("godot-3.2.3.from-engine", 3), ("godot-3.2.3.to-engine", 3)):
            file = CAPTURES / f"{name}.bin"
            with self.subTest(name), Running("listen", "debugger://127.0.0.1:0", "--form", "plain") as server:
                with socket.create_connection(("127.0.0.1", server.port())) as s:
                    s.sendall(file.read_bytes())
                    s.shutdown(socket.SHUT_WR)
                    self.assertEqual(s.recv(1), b"")
                self.assertEqual([json.loads(line)["value"]["name"] for line in server.end()], debugger_names(file, engine))
                self.assertEqual(server.process.returncode, 0)

    def test_a_debugger_message_is_held_to_max_packet(self):
        """A message of 3.x is its name, a count, and that many packets."""
        def packet(body):
            return struct.pack("<I", len(body)) + body
        message = packet(struct.pack("<II4s", 4, 4, b"name")) + packet(struct.pack("<Ii", 2, 100_000))
        with Running("listen", "debugger://127.0.0.1:0", "--max-packet", 4000) as server:
            with socket.create_connection(("127.0.0.1", server.port())) as s:
                s.sendall(message + packet(struct.pack("<Ii", 2, 7)) * 20_000)
                s.shutdown(socket.SHUT_WR)
                self.assertEqual(s.recv(1), b"")
            self.assertEqual(server.end(), [])
            said = server.rest(server.said)
        self.assertEqual(len([line for line in said if "size_limit" in line]), 1, said)
        self.assertEqual(server.process.returncode, 1)

    def test_recordings_are_their_owners(self):
        files = [self.folder / "a.rec", self.folder / "a.pcap"]
        before = os.umask(0)
        try:
            with Running("listen", "tcp://127.0.0.1:0", "--record", files[0], "--pcap", files[1]) as server:
                gdvar("send", server.url(), "[1]", "--wait", "0.1")
                server.end()
        finally:
            os.umask(before)
        for file in files:
            self.assertEqual(file.stat().st_mode & 0o777, 0o600)
            self.assertGreater(file.stat().st_size, 24)

    @unittest.skipIf(os.environ.get("GDVAR_SANITIZED"), "under a sanitizer memory is mostly the sanitizer's")
    def test_a_proxy_waits_for_who_does_not_read(self):
        """A target sends without end to stalled clients. The proxy must not hold the waiting bytes."""
        frames = (struct.pack("<I", 65536) + struct.pack("<II", 29, 65528) + bytes(65528)) * 4
        for front in ("tcp", "ws"):
            with self.subTest(front), socket.create_server(("127.0.0.1", 0)) as target, \
                 Running("proxy", f"{front}://127.0.0.1:0", f"tcp://127.0.0.1:{target.getsockname()[1]}", "--form",
                         "none", "--dialect", "godot4") as proxy:
                port = proxy.port()
                before = self.peak(proxy)
                clients = [self.stalled(front, port) for _ in range(3)]
                peers = [target.accept()[0] for _ in range(3)]
                for peer in peers:
                    peer.setblocking(True)
                    peer.settimeout(1)
                    # Sends until nobody reads any more.
                    sent = 0
                    try:
                        while sent < 100 << 20:
                            sent += peer.send(frames[sent % len(frames):])
                    except TimeoutError:
                        pass
                    self.assertLess(sent, 100 << 20)
                self.assertLess(self.peak(proxy) - before, 8 << 20)
                for one in clients + peers:
                    one.close()

    @staticmethod
    def peak(running):
        status = pathlib.Path(f"/proc/{running.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) << 10

    @staticmethod
    def stalled(front, port):
        s = socket.create_connection(("127.0.0.1", port))
        if front == "ws":
            s.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                      b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
            assert s.recv(12) == b"HTTP/1.1 101"
        return s

    def test_datagrams_of_a_file_are_paced(self):
        """Without pauses most datagrams would find the receiver's buffer full."""
        file = self.folder / "400.rec"
        file.write_bytes(b"".join(struct.pack("<IIi", 8, 2, i) for i in range(400)))
        for attempt in range(5):  # a busy machine may lose some of these, too
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
                s.bind(("127.0.0.1", 0))
                s.settimeout(20)
                sender = threading.Thread(target=gdvar, args=(
                    "send", f"udp://127.0.0.1:{s.getsockname()[1]}", "--from", file, "--wait", "0.1", "--form", "none"))
                sender.start()
                got, times = [], []
                while not got or got[-1] != 399:
                    got.append(struct.unpack("<Ii", s.recv(100))[1])
                    times.append(time.monotonic())
                    s.settimeout(3)
                sender.join()
            if len(got) == 400:
                break
        self.assertEqual(got, list(range(400)))
        self.assertGreater(times[-1] - times[0], 0.05)

    def test_the_wait_counts_from_the_last_progress(self):
        """A long packet takes longer over ENet than the wait."""
        value = self.folder / "long.bin"
        value.write_bytes(struct.pack("<II", 4, 4 << 20) + b"x" * (4 << 20))
        with Running("listen", "enet://127.0.0.1:0", "--answer", "echo", "--form", "none") as server:
            sent = gdvar("send", server.url(), "--from", value, "--as", "packet", "--wait", "0.15", "--form", "plain",
                         seconds=60)
        self.assertEqual(sent.returncode, 0, sent.stderr)
        self.assertIn("x" * 1000, sent.stdout)

    def test_mistakes(self):
        full = self.folder / "full.rec"
        full.write_bytes(b"here already")
        for arguments, exit_code, says in (
                (("listen", "nowhere"), 2, "bad_syntax"),
                (("listen", "tls://127.0.0.1:0"), 3, "certificate"),
                (("send", f"tcp://127.0.0.1:{free_port()}", "1"), 3, "efused"),
                (("send", "tcp://127.0.0.1:0", "1"), 2, "port"),
                (("send", "tcp://127.0.0.1:1", "[1"), 2, "the value"),
                (("send", "tcp://127.0.0.1:1", "1", "--dialect", "none"), 2, "unknown dialect"),
                (("listen", "tcp://127.0.0.1:0", "--record", full), 3, "exists"),
                (("replay", CAPTURES / "godot-4.6.3.to-engine.bin", "tcp://127.0.0.1:1"), 1, "not a recording"),
                (("proxy", "tcp://127.0.0.1:0"), 2, "TARGET")):
            done = gdvar(*arguments)
            self.assertEqual(done.returncode, exit_code, (arguments, done.stderr))
            self.assertIn(says, done.stderr)
        self.assertEqual(full.read_bytes(), b"here already")

    def test_send_from_a_file(self):
        packets = [gdvar("pack", "-o", self.folder / "p", input=str(i)) and (self.folder / "p").read_bytes()
                   for i in range(50)]
        records = b"".join(len(p).to_bytes(4, "little") + p for p in packets)
        for content, kind, expected in ((records, "records", list(range(50))), (packets[7], "packet", [7])):
            file = self.folder / "from"
            file.write_bytes(content)
            with Running("listen", self.listening("unix"), "--form", "plain", "--count", len(expected) + 2) as server:
                sent = gdvar("send", server.url(), "-1", "-2", "--from", file, "--as", kind, "--wait", "0.2")
                self.assertEqual(sent.returncode, 0, sent.stderr)
                server.process.wait(timeout=20)
                self.assertEqual([json.loads(line)["value"] for line in server.rest(server.lines)],
                                 [-1, -2, *expected])
        # Nothing is sent of a damaged one: there is not even a connection.
        file.write_bytes(records[:-1])
        sent = gdvar("send", "tcp://127.0.0.1:1", "--from", file, "--as", "records")
        self.assertEqual(sent.returncode, 1, sent.stderr)
        self.assertIn("truncated", sent.stderr)

    def test_damaged_recordings(self):
        whole = self.folder / "whole.rec"
        with Running("listen", self.listening("unix"), "--form", "none", "--count", "3", "--record", whole) as server:
            self.assertEqual(gdvar("send", server.url(), "1", "2", "3", "--wait", "0.2").returncode, 0)
            server.process.wait(timeout=20)
        data = whole.read_bytes()
        starts, at = [], 0
        while at < len(data):
            starts.append(at)
            at += 4 + int.from_bytes(data[at:at + 4], "little")
        self.assertEqual(len(starts), 3)
        broken = self.folder / "broken.rec"
        for bytes_, place, says in (
                (data[:-5], starts[2], "damaged at #2"),
                (data[:starts[1] + 3] + b"\xff" + data[starts[1] + 4:], starts[1], "damaged at #1"),
                (data[:starts[2] + 4] + b"\x63" + data[starts[2] + 5:], starts[2] + 4, "damaged at #2"),
                (data[:20], 0, "not a recording"),
                (b"", None, "empty")):
            broken.write_bytes(bytes_)
            done = gdvar("replay", broken, "tcp://127.0.0.1:1")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(says, done.stderr)
            if place is not None:
                self.assertIn(f"{broken}:{place:#x}: ", done.stderr)

    def test_hostile_bytes_end_one_peer_only(self):
        with Running("listen", "tcp://127.0.0.1:0", "--answer", "echo", "--max-packet", "1000") as server:
            port = server.port()
            with socket.create_connection(("127.0.0.1", port)) as bad:
                bad.sendall(b"\xff\xff\xff\x7f" + b"x" * 100)
                self.assertIn(bad.recv(10), (b"",))
            sent = gdvar("send", f"tcp://127.0.0.1:{port}", "1", "--count", "1")
            self.assertEqual(sent.returncode, 0)
            server.end()
            said = "\n".join(server.rest(server.said))
            self.assertEqual(said.count("error[size_limit]"), 1, said)
            self.assertIn("a length of 2147483647 is not in 0 to 1000", said)
            self.assertNotIn("TLS", said)

    def test_tls_on_a_plain_listener_is_named(self):
        hello = bytes.fromhex("1603010200010001fc0303") + bytes(506)
        for order in ([], ["--big-endian"]):
            with Running("listen", "tcp://127.0.0.1:0", *order) as server:
                with socket.create_connection(("127.0.0.1", server.port())) as bad:
                    bad.sendall(hello)
                    self.assertIn(bad.recv(10), (b"",))
                server.end()
                said = "\n".join(server.rest(server.said))
                length = int.from_bytes(hello[:4], "big" if order else "little")
                self.assertIn(f"error[size_limit]: a length of {length} is not in 0 to 16777216; "
                              "the first bytes, 16 03, look like TLS", said)


ENGINES = pathlib.Path(os.environ.get("GDVAR_ENGINES", os.path.expanduser("~/.cache/gdvar/engines")))


class Live(unittest.TestCase):
    """A real engine, its debugger, and gdvar proxy between them."""

    SCRIPT = ('extends SceneTree\n'
              'func _init():\n'
              '\tfor i in 5:\n'
              '\t\tprint("line ", i)\n'
              '\tpush_error("deliberate")\n'
              '\tquit()\n')

    def through(self, command, folder, seen, dialect, editor=None):
        """What the engine says to an editor (or to listen) through the proxy."""
        with Running("listen", "debugger://127.0.0.1:0", "--form", "none") as plain:
            target = editor or plain.url()
            with Running("proxy", "debugger://127.0.0.1:0", target.replace("tcp://", "debugger://"), "--dialect",
                         dialect, "--form", "plain") as proxy:
                url = proxy.url()
                done = subprocess.run(command(url), cwd=folder, capture_output=True, text=True, timeout=60,
                                      env={**os.environ, "HOME": str(folder)})
                time.sleep(1)
                values = [json.loads(line) for line in proxy.end()]
                said = proxy.rest(proxy.said)
        self.assertNotIn("error[", "\n".join(said), done.stderr)
        self.assertEqual(proxy.process.returncode, 0)
        text = json.dumps([v["value"] for v in values if v["direction"] == "to_server"])
        for i in range(5):
            self.assertIn(f"line {i}", text)
        self.assertIn("deliberate", text)
        return values

    def test_godot_3_2_3(self):
        if not shutil.which("godot3-server"):
            self.skipTest("godot3-server is not installed")
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "s.gd")
            script.write_text(self.SCRIPT)
            self.through(lambda url: ["timeout", "40", "godot3-server", "--no-window", "--remote-debug",
                                      url.split("//")[1], "-s", str(script)], folder, folder, "godot3")

    def test_godot_4_6_3_and_its_editor(self):
        if not ENGINES.is_dir() or os.geteuid() != 0:
            self.skipTest("scripts/engines has not been run")
        folder = pathlib.Path(tempfile.mkdtemp(prefix="gdvar-live-", dir=ENGINES / "tmp"))
        seen = "/tmp/" + folder.name
        (folder / "s.gd").write_text(self.SCRIPT)
        # The editor listens for games only while it plays one, so a plugin has it play an empty scene.
        (folder / "addons/p").mkdir(parents=True)
        (folder / "project.godot").write_text(
            'config_version=5\n[application]\nconfig/name="x"\nrun/main_scene="res://main.tscn"\n'
            '[editor_plugins]\nenabled=PackedStringArray("res://addons/p/plugin.cfg")\n'
            '[editor]\nrun/main_run_args="--headless"\n')
        (folder / "addons/p/plugin.cfg").write_text(
            '[plugin]\nname="p"\ndescription=""\nauthor=""\nversion="1"\nscript="plugin.gd"\n')
        (folder / "addons/p/plugin.gd").write_text(
            '@tool\nextends EditorPlugin\nfunc _enter_tree() -> void:\n'
            '\tawait get_tree().create_timer(2).timeout\n'
            '\tEditorInterface.get_editor_settings().set_setting("network/debug/remote_port", '
            'int(OS.get_environment("DEBUG_PORT")))\n'
            '\tEditorInterface.play_main_scene()\n')
        # The game that the editor starts is in a session of its own; it ends by itself.
        (folder / "main.gd").write_text('extends Node\nfunc _ready() -> void:\n'
                                        '\tawait get_tree().create_timer(20).timeout\n\tget_tree().quit()\n')
        (folder / "main.tscn").write_text(
            '[gd_scene format=3]\n[ext_resource type="Script" path="res://main.gd" id="1"]\n'
            '[node name="Main" type="Node"]\nscript = ExtResource("1")\n')
        port = free_port()
        log = open(folder / "editor.log", "w")
        editor = subprocess.Popen(
            ["timeout", "90", "chroot", str(ENGINES), "godot", "--headless", "--editor", "--path", seen],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            env={**os.environ, "HOME": seen, "DEBUG_PORT": str(port)},
            start_new_session=True)
        try:
            # Not by connecting: the editor would take that for its game, and its end for the game's.
            wanted = f"0100007F:{port:04X} 00000000:0000 0A"
            for _ in range(400):
                if wanted in pathlib.Path("/proc/net/tcp").read_text():
                    break
                time.sleep(0.1)
            else:
                self.skipTest("the editor does not open its debugger's port headless: " +
                              (folder / "editor.log").read_text()[-300:])
            time.sleep(1)
            values = self.through(
                lambda url: ["timeout", "40", "chroot", str(ENGINES), "godot", "--headless", "--remote-debug", url,
                             "-s", seen + "/s.gd"], folder, seen, "godot4", f"tcp://127.0.0.1:{port}")
            self.assertTrue([v for v in values if v["direction"] == "to_client"], "the editor said nothing")
        finally:
            try:
                os.killpg(editor.pid, signal.SIGKILL)  # its own session: timeout, chroot's godot
            except ProcessLookupError:
                pass
            editor.wait()
            log.close()
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    only = Live if "--live" in sys.argv else Commands
    result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(only))
    if result.wasSuccessful() and result.testsRun and len(result.skipped) == result.testsRun:
        sys.exit(77)
    sys.exit(0 if result.wasSuccessful() else 1)
