#!/usr/bin/env python3
"""listen, send, proxy and replay: against each other over every transport, fed captures of real debugger
connections in random splits, and between a real engine and its debugger.

Usage: live_command_test.py GDVAR SOURCE_DIR CERTIFICATES [--live]
--live only plays with real engines; status 77 when there is none.
"""

import gzip
import json
import os
import pathlib
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
import zlib

sys.path.append(sys.path[0] + "/../support")
from by_hand import integer, record, records, string, u32
from command import ROOT, WINDOWS, Running, check, each, expect, finish, pack, put, run, skip, tells

CERTIFICATES = pathlib.Path(sys.argv[3]).resolve()
CAPTURES = ROOT / "tests/data/captures"
TLS = ["--certificate", str(CERTIFICATES / "server.pem"), "--tls-key", str(CERTIFICATES / "server.key")]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
ENGINES = pathlib.Path(os.environ.get("GDVAR_ENGINES") or CACHE / "gdvar/engines")
TRUST = ["--ca-file", str(CERTIFICATES / "server.pem")]
LOCAL = "tcp" if WINDOWS else "unix"  # Wine 8 has no Unix sockets
SCHEMES = ["tcp", "tls", *(["unix"] if LOCAL == "unix" else []), "udp", "ws", "wss", "enet"]
VALUES = ['{"say": "hello", "to": [1, 2.5, null]}', "[1, Vector2(2, 3)]", '"text"', "-7", "PackedByteArray(1, 2)"]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def debugger_names(capture, engine):
    """The names of the messages of a capture, read by hand."""
    packets = [json.loads(line) for line in
               run("json", "--plain", "--lines", "--as", "records", "--dialect",
                     "godot4" if engine == 4 else "godot3", "--objects", capture).lines()]
    if engine == 4 or isinstance(packets[0], list):
        return [p[0] for p in packets]
    names, i = [], 0
    while i < len(packets):
        names.append(packets[i])
        i += 2 + packets[i + 1]
    return names


def listening(scheme):
    return "unix:socket" if scheme == "unix" else f"{scheme}://127.0.0.1:0"


def send_listen_replay(folder):
    for scheme in SCHEMES:
        recording = folder / f"{scheme}.rec"
        with Running("listen", listening(scheme), "--answer", "echo", "--form", "json", "--record",
                     recording, *TLS) as server:
            url = server.url()
            sent = run("send", url, *VALUES, "--form", "json", "--count", len(VALUES), *TRUST)
            check(f"{scheme}: sent", sent.code == 0, (sent.code, sent.err))
            lines = [json.loads(line) for line in server.end()]
        answers = [json.loads(line) for line in sent.lines()]
        expected = [json.loads(run("json", "--indent", "0", stdin=pack(value)).out) for value in VALUES]
        expect(f"{scheme}: answers", [a["value"] for a in answers], expected)
        for direction in ("to_server", "to_client"):
            expect(f"{scheme}: {direction}", [x["value"] for x in lines if x["direction"] == direction], expected)
        # The recording, played to somebody else.
        again = folder / f"{scheme}-again.rec"
        with Running("listen", listening(scheme), "--form", "none", "--count", len(VALUES), "--record",
                     again, *TLS) as server:
            played = run("replay", recording, server.url(), "--wait", "0.3", "--speed", "0", *TRUST)
            check(f"{scheme}: replayed", played.code == 0, (played.code, played.err))
            server.process.wait(timeout=20)
        packets = [[r["packet"] for r in recorded(file) if r["direction"] == "to_server"]
                   for file in (recording, again)]
        expect(f"{scheme}: the same packets", packets[0], packets[1])
        expect(f"{scheme}: all of them", len(packets[0]), len(VALUES))


def recorded(file):
    done = run("json", "--plain", "--lines", file)
    check(f"json of {file.name}", done.code == 0, (done.code, done.err))
    return [json.loads(line) for line in done.lines()]


def captures_in_random_splits(folder):
    random.seed(20)
    for name, engine in (("godot-4.6.3.from-engine", 4), ("godot-4.6.3.to-engine", 4),
                         ("godot-3.2.3.from-engine", 3), ("godot-3.2.3.to-engine", 3)):
        file = CAPTURES / f"{name}.bin"
        names = debugger_names(file, engine)
        data = file.read_bytes()
        for largest in (7, 300, 100_000):
            with Running("listen", "debugger://127.0.0.1:0", "--dialect", f"godot{engine}", "--form", "plain") as server, \
                 socket.create_connection(("127.0.0.1", server.port())) as s:
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                at = 0
                while at < len(data):
                    n = random.randint(1, largest)
                    s.sendall(data[at:at + n])
                    at += n
                s.shutdown(socket.SHUT_WR)
                expect(f"{name} by {largest}: closed", s.recv(1), b"")
                got = [json.loads(line)["value"]["name"] for line in server.end()]
                expect(f"{name} by {largest}: messages", got, names)
                expect(f"{name} by {largest}: exit code", server.process.returncode, 0)


def proxy_passes_everything_on(folder):
    """Packets, and after them what are none: byte for byte, both ways."""
    random.seed(21)
    good = records(map(integer, range(1000)))
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
            check("all bytes come back", back == data, f"{len(back)} bytes of {len(data)}")
            values = [json.loads(line) for line in proxy.end()]
            said = "\n".join(proxy.rest(proxy.said))
        for direction in ("to_server", "to_client"):
            expect(direction, [v["value"] for v in values if v["direction"] == direction], list(range(1000)))
        check("the proxy says so", "only forwarded from here on" in said, said)
        expect("exit code", proxy.process.returncode, 1)


def proxy_of_every_transport(folder):
    for scheme in SCHEMES:
        with Running("listen", listening(scheme), "--answer", "echo", *TLS) as server:
            target = server.url()
            front = f"unix:{folder}/front" if scheme == "unix" else f"{scheme}://127.0.0.1:0"
            with Running("proxy", front, target, "--form", "json", *TLS, *TRUST) as proxy:
                sent = run("send", proxy.url(), *VALUES, "--count", len(VALUES), *TRUST)
                check(f"{scheme}: sent", sent.code == 0, (sent.code, sent.err))
                expect(f"{scheme}: answers", len(sent.lines()), len(VALUES))
                expect(f"{scheme}: seen by the proxy", len(proxy.end()), 2 * len(VALUES))


def a_bridge_between_transports(folder):
    with Running("listen", "tcp://127.0.0.1:0", "--answer", "echo") as server, \
         Running("proxy", "ws://127.0.0.1:0", server.url()) as proxy:
        sent = run("send", proxy.url(), "[1, 2]", "--count", "1")
        expect("the answer", sent.out.split(b" > ")[1:], [b"[1, 2]\n"])


def forms_and_annotate(folder):
    with Running("listen", "tcp://127.0.0.1:0", "--form", "annotate", "--dialect", "godot3") as server:
        run("send", server.url(), '{"a": 1}', "--dialect", "godot3", "--wait", "0.1")
        text = "\n".join(server.end())
    check("the size", ("20 bytes, godot-3.1" if "20 bytes" in text else "bytes, godot-3.1") in text, text)
    check("the path", "$.a" in text, text)


def multiplayer(folder):
    rpc = "2008000080000181466f6f00"  # by Godot 4.6.3
    with Running("listen", "udp://127.0.0.1:0", "--protocol", "multiplayer-4", "--form", "plain", "--count",
                 "1") as server:
        url = server.url()
        host, port = url.split("//")[1].split(":")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.sendto(bytes.fromhex(rpc), (host, int(port)))
        value = json.loads(server.lines.get(timeout=20))["value"]
    expect("the call", value, {"command": "rpc", "path": "Foo", "method": 0, "arguments": [True]})


def capture_file(folder):
    pcap = folder / "x.pcap"
    with Running("listen", "tcp://127.0.0.1:0", "--pcap", pcap, "--form", "none") as server:
        run("send", server.url(), "[1]", "--wait", "0.1")
        server.end()
    data = pcap.read_bytes()
    magic, _, _, _, _, _, link = struct.unpack_from("<IHHiIII", data)
    expect("magic and link", (magic, link), (0xA1B2C3D4, 101))
    size = struct.unpack_from("<I", data, 32)[0]
    expect("its size", len(data), 24 + 16 + size)
    header = data[40:60]
    total = sum(struct.unpack(">10H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    expect("the IP header's sum", total, 0xFFFF)
    expect("the packet", data[80:], bytes.fromhex("10000000" "1c000000" "01000000" "02000000" "01000000"))


def the_debuggers_dialect_is_guessed(folder):
    for name, engine in (("godot-4.6.3.from-engine", 4), ("godot-4.6.3.to-engine", 4),
                         ("godot-3.2.3.from-engine", 3), ("godot-3.2.3.to-engine", 3)):
        file = CAPTURES / f"{name}.bin"
        with Running("listen", "debugger://127.0.0.1:0", "--form", "plain") as server:
            with socket.create_connection(("127.0.0.1", server.port())) as s:
                s.sendall(file.read_bytes())
                s.shutdown(socket.SHUT_WR)
                expect(f"{name}: closed", s.recv(1), b"")
            expect(f"{name}: messages", [json.loads(line)["value"]["name"] for line in server.end()], debugger_names(file, engine))
            expect(f"{name}: exit code", server.process.returncode, 0)


def a_debugger_message_is_held_to_max_packet(folder):
    """A message of 3.x is its name, a count, and that many packets."""
    message = records([string("name"), integer(100_000)])
    with Running("listen", "debugger://127.0.0.1:0", "--max-packet", 4000) as server:
        with socket.create_connection(("127.0.0.1", server.port())) as s:
            s.sendall(message + record(integer(7)) * 20_000)
            s.shutdown(socket.SHUT_WR)
            expect("closed", s.recv(1), b"")
        expect("no message", server.end(), [])
        said = server.rest(server.said)
    check("one line tells it", sum("size_limit" in line for line in said) == 1, said)
    expect("exit code", server.process.returncode, 1)


def recordings_are_their_owners(folder):
    files = [folder / "a.rec", folder / "a.pcap"]
    before = os.umask(0)
    try:
        with Running("listen", "tcp://127.0.0.1:0", "--record", files[0], "--pcap", files[1]) as server:
            run("send", server.url(), "[1]", "--wait", "0.1")
            server.end()
    finally:
        os.umask(before)
    for file in files:
        expect(f"mode of {file.name}", file.stat().st_mode & 0o777, 0o600)
        check(f"{file.name} is not empty", file.stat().st_size > 24, file.stat().st_size)


def a_proxy_waits_for_who_does_not_read(folder):
    """A target sends without end to stalled clients. The proxy must not hold the waiting bytes."""
    if os.environ.get("GDVAR_SANITIZED"):
        skip("under a sanitizer memory is mostly the sanitizer's")
    frames = record(u32(29, 65528) + bytes(65528)) * 4
    for front in ("tcp", "ws"):
        with socket.create_server(("127.0.0.1", 0)) as target, \
             Running("proxy", f"{front}://127.0.0.1:0", f"tcp://127.0.0.1:{target.getsockname()[1]}", "--form",
                     "none", "--dialect", "godot4") as proxy:
            port = proxy.port()
            before = peak(proxy)
            clients = [stalled(front, port) for _ in range(3)]
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
                check(f"{front}: the target is held up", sent < 100 << 20, sent)
            grown = peak(proxy) - before
            check(f"{front}: memory of the proxy", grown < 8 << 20, grown)
            for one in clients + peers:
                one.close()


def peak(running):
    status = pathlib.Path(f"/proc/{running.process.pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) << 10


def stalled(front, port):
    s = socket.create_connection(("127.0.0.1", port))
    if front == "ws":
        s.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
        assert s.recv(12) == b"HTTP/1.1 101"
    return s


def datagrams_of_a_file_are_paced(folder):
    """Without pauses most datagrams would find the receiver's buffer full."""
    file = put("400.rec", records(map(integer, range(400))))
    for attempt in range(5):  # a busy machine may lose some of these, too
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.bind(("127.0.0.1", 0))
            s.settimeout(20)
            sender = threading.Thread(target=run, args=(
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
    expect("all datagrams", got, list(range(400)))
    check("with pauses", times[-1] - times[0] > 0.05, times[-1] - times[0])


def the_wait_counts_from_the_last_progress(folder):
    """A long packet takes longer over ENet than the wait. On a busy machine ENet may stand still for longer than a short one."""
    value = put("long.bin", string("x" * (12 << 20)))
    for wait in (0.3, 1, 3):
        with Running("listen", "enet://127.0.0.1:0", "--answer", "echo", "--form", "none") as server:
            began = time.monotonic()
            sent = run("send", server.url(), "--from", value, "--as", "packet", "--wait", wait, "--form", "plain")
            took = time.monotonic() - began
        check("exit code", sent.code == 0, (sent.code, sent.err))
        if b"x" * 1000 in sent.out:
            break
    # It waits for further answers, too.
    check("longer than the wait", took > 1.3 * wait, (took, wait))
    check("the whole answer", b"x" * 1000 in sent.out, sent.out[:1000])


def mistakes(folder):
    full = put("full.rec", b"here already")
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
        done = run(*arguments)
        check(f"{arguments}: exit code", done.code == exit_code, (done.code, done.err))
        check(f"{arguments}: message", says in done.err, done.err)
    expect("the file stays", full.read_bytes(), b"here already")


def send_from_a_file(folder):
    packets = [pack(str(i)) for i in range(50)]
    for content, kind, expected in ((records(packets), "records", list(range(50))), (packets[7], "packet", [7])):
        file = put("from", content)
        with Running("listen", listening(LOCAL), "--form", "plain", "--count", len(expected) + 2) as server:
            sent = run("send", server.url(), "-1", "-2", "--from", file, "--as", kind, "--wait", "0.2")
            check(f"{kind}: sent", sent.code == 0, (sent.code, sent.err))
            server.process.wait(timeout=20)
            expect(f"{kind}: values", [json.loads(line)["value"] for line in server.rest(server.lines)], [-1, -2, *expected])
    # Nothing is sent of a damaged one: there is not even a connection.
    file.write_bytes(records(packets)[:-1])
    sent = run("send", "tcp://127.0.0.1:1", "--from", file, "--as", "records")
    check("exit code of a damaged one", sent.code == 1, (sent.code, sent.err))
    check("its message", "truncated" in sent.err, sent.err)


def damaged_recordings(folder):
    whole = folder / "whole.rec"
    with Running("listen", listening(LOCAL), "--form", "none", "--count", "3", "--record", whole) as server:
        expect("sent", run("send", server.url(), "1", "2", "3", "--wait", "0.2").code, 0)
        server.process.wait(timeout=20)
    data = whole.read_bytes()
    starts, at = [], 0
    while at < len(data):
        starts.append(at)
        at += 4 + int.from_bytes(data[at:at + 4], "little")
    expect("three records", len(starts), 3)
    broken = folder / "broken.rec"
    for bytes_, place, says in (
            (data[:-5], starts[2], "damaged at #2"),
            (data[:starts[1] + 3] + b"\xff" + data[starts[1] + 4:], starts[1], "damaged at #1"),
            (data[:starts[2] + 4] + b"\x63" + data[starts[2] + 5:], starts[2] + 4, "damaged at #2"),
            (data[:20], 0, "not a recording"),
            (b"", None, "empty")):
        broken.write_bytes(bytes_)
        done = run("replay", broken, "tcp://127.0.0.1:1")
        check(f"{says}: exit code", done.code == 1, (done.code, done.err))
        check(f"{says}: message", says in done.err, done.err)
        if place is not None:
            check(f"{says}: place", f"{broken}:{place:#x}: " in done.err, done.err)


def hostile_bytes_end_one_peer_only(folder):
    with Running("listen", "tcp://127.0.0.1:0", "--answer", "echo", "--max-packet", "1000") as server:
        port = server.port()
        with socket.create_connection(("127.0.0.1", port)) as bad:
            bad.sendall(b"\xff\xff\xff\x7f" + b"x" * 100)
            expect("the bad one is closed", bad.recv(10), b"")
        sent = run("send", f"tcp://127.0.0.1:{port}", "1", "--count", "1")
        expect("another one is served", sent.code, 0)
        server.end()
        said = "\n".join(server.rest(server.said))
        check("one message", said.count("error[size_limit]") == 1, said)
        check("it names the length", "a length of 2147483647 is not in 0 to 1000" in said, said)
        check("no TLS", "TLS" not in said, said)


def tls_on_a_plain_listener_is_named(folder):
    hello = bytes.fromhex("1603010200010001fc0303") + bytes(506)
    for order in ([], ["--big-endian"]):
        with Running("listen", "tcp://127.0.0.1:0", *order) as server:
            with socket.create_connection(("127.0.0.1", server.port())) as bad:
                bad.sendall(hello)
                expect(f"{order}: closed", bad.recv(10), b"")
            server.end()
            said = "\n".join(server.rest(server.said))
            length = int.from_bytes(hello[:4], "big" if order else "little")
            message = f"error[size_limit]: a length of {length} is not in 0 to 16777216; the first bytes, 16 03, look like TLS"
            check(f"{order}: message", message in said, said)


FORMS = ["text", "json", "plain", "annotate", "none"]
DATAGRAM = (socket.AF_INET, socket.SOCK_DGRAM)


def heard(scheme, *words, send):
    """Standard output, standard error and exit code of `listen`, to which `send` sends bytes: datagrams, or one stream."""
    with Running("listen", f"{scheme}://127.0.0.1:0", *words) as server:
        port = server.port()
        if scheme == "udp":
            with socket.socket(*DATAGRAM) as s:
                for packet in send:
                    s.sendto(packet, ("127.0.0.1", port))
            server.process.wait(timeout=20)  # by --count
        else:
            with socket.create_connection(("127.0.0.1", port)) as s:
                s.sendall(b"".join(send))
                s.shutdown(socket.SHUT_WR)
                s.recv(1)
        lines = server.rest(server.lines) if scheme == "udp" else server.end()
        return lines, "\n".join(server.rest(server.said)), server.process.returncode


def refusals_are_the_same_in_every_form(folder):
    good = pack('{"a": 7}')
    cut, behind = good[:-4], good + b"more"
    for form in FORMS:
        lines, said, code = heard("udp", "--form", form, "--dialect", "godot4", "--count", 4,
                                  send=[good, cut, behind, good])
        expect(f"{form}: exit code", code, 1)
        check(f"{form}: the error", "> #1:0x14: $.a: error[truncated]: need 4 more bytes for an int" in said, said)
        check(f"{form}: bytes behind the value", "> #2:0x1c: error[trailing_bytes]: 4 bytes after the value" in said, said)
        # annotate has a row for the break, as it has of files.
        check(f"{form}: nothing of it on standard output", form == "annotate" or not any("error[" in line for line in lines), lines)
        if form in ("json", "plain"):
            expect(f"{form}: every line is JSON", [json.loads(line)["value"] for line in lines],
                   [{"a": 7}] * 3 if form == "plain" else [{"type": "Dictionary", "args": ["s:a", "i:7"]}] * 3)
        if form == "none":
            expect("none: nothing is printed", lines, [])
        # The packets of a stream, which goes on behind such a packet, and a sound run.
        lines, said, code = heard("tcp", "--form", form, "--dialect", "godot4", send=[record(good), record(cut), record(good)])
        check(f"{form}: the same on a stream", code == 1 and "> #1:0x14: $.a: error[truncated]" in said, (code, said))
        expect(f"{form}: a sound run", heard("tcp", "--form", form, send=[record(good)])[2], 0)
    # send, of what is answered.
    for form in FORMS:
        with socket.create_server(("127.0.0.1", 0)) as server:
            def answer():
                peer, _ = server.accept()
                with peer:
                    peer.sendall(record(cut))
                    while peer.recv(4096):
                        pass
            thread = threading.Thread(target=answer)
            thread.start()
            sent = run("send", f"tcp://127.0.0.1:{server.getsockname()[1]}", "1", "--form", form, "--dialect", "godot4", "--wait", "0.3")
            thread.join()
        tells(f"{form}: send", sent, 1, "> #1:0x14: $.a: error[truncated]", out=sent.out if form == "annotate" else b"")


def the_commonest_mistakes_are_named(folder):
    packet = pack('{"hp": 100, "name": "Ada"}')
    stream = "on a stream each packet has its length in front, which put_var writes and put_data does not"
    for what, scheme, words, send, says in (
            ("text", "tcp", [], [b"test message"], f'a length of 1953719668 is not in 0 to 16777216: it is the text "test"; {stream}'),
            ("HTTP", "tcp", [], [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"], 'it is the text "GET ", as HTTP has it'),
            ("no length", "tcp", [], [packet], "the length may be missing"),
            ("no length, and a second packet", "tcp", [], [string("abc") + b"x" * 100], "the length may be missing"),
            ("the other byte order", "tcp", ["--big-endian"], [record(packet)], f"in the other byte order it is {len(packet)}"),
            ("two lengths", "tcp", [], [record(record(packet))], "its first 4 bytes are the length of the rest: it was written twice"),
            ("a length in a datagram", "udp", [], [record(packet)], "its first 4 bytes are the length of the rest, which packets on streams alone have in front"),
            ("text in a datagram", "udp", [], [b"hello from netcat\n"], "it is plain text"),
            ("gzip in a datagram", "udp", [], [gzip.compress(packet)], "it is gzip-compressed data (--layers opens it)"),
            ("zlib on a stream", "tcp", [], [record(zlib.compress(packet))], "it is zlib-compressed data (--layers opens it)")):
        more = ["--count", len(send)] if scheme == "udp" else []
        for form in ("text", "none"):
            lines, said, code = heard(scheme, "--form", form, *words, *more, send=send)
            # The first bytes of the packet without a length are a value of their own: the number of its pairs.
            value = what == "no length" and form == "text"
            check(f"{what}, {form}", code == 1 and said.count(says) == 1 and len(lines) == value, (code, said, lines))


def layers_are_opened(folder):
    packet = pack('{"hp": 100, "name": "Ada"}')
    twice = gzip.compress(zlib.compress(packet))
    for words, send, values in (
            (["--layers"], [gzip.compress(packet), packet, zlib.compress(packet)], 3),
            (["--layers", "2"], [twice], 1),
            (["--layers"], [twice], 1)):
        lines, said, code = heard("udp", "--form", "plain", "--count", len(send), *words, send=send)
        check(f"{words}: exit code", code == 0, (code, said))
        expect(f"{words}: values", [json.loads(line)["value"] for line in lines], [{"hp": 100, "name": "Ada"}] * values)
    # The offset counts inside; more than allowed, or than --max-packet, stays closed.
    lines, said, code = heard("udp", "--form", "plain", "--count", 1, "--dialect", "godot4", "--layers", send=[gzip.compress(packet[:-4])])
    check("a break inside", code == 1 and "#0: inside its layers: 0x" in said and "$.name: error[truncated]" in said and not lines, (code, said))
    bomb, damaged = gzip.compress(string("x" * 1_000_000)), gzip.compress(packet)[:-6]
    for words, send, why in ((["--layers", "1"], twice, "error["), (["--layers", "0"], twice, "error["),
                             (["--layers", "--max-packet", "100000"], bomb, "inside its layers: 0x"), (["--layers", "--max-packet", "100000"], bomb, "error[size_limit]"),
                             (["--layers"], damaged, "error[truncated]")):
        lines, said, code = heard("udp", "--form", "plain", "--count", 1, *words, send=[send])
        check(f"{words}: refused", code == 1 and why in said and not lines, (code, said, lines))


def damage_is_no_other_dialect(folder):
    """What follows a value, and what is cut, is not read as another engine's, and has no hint of a missing length."""
    packet = pack('{"a": 1, "name": "Ada Lovelace"}')
    lines, said, code = heard("tcp", "--form", "plain", send=[record(packet + packet), record(packet)])
    check("two values in a packet", code == 1 and [json.loads(line)["value"] for line in lines] == [{"a": 1, "name": "Ada Lovelace"}] * 2 and
          "error[trailing_bytes]" in said, (code, said, lines))
    for damaged in (bytes.fromhex("0400000063000000"), bytes.fromhex("0500000000000000"), packet[:20]):
        lines, said, code = heard("tcp", "--form", "plain", "--dialect", "godot4", send=[record(damaged)])
        check(f"damaged {damaged.hex()}", code == 1 and "error[" in said and "may be missing" not in said, (code, said, lines))


def real_width_of_page_dialects(folder):
    packet = pack("Vector2(0.5, 2)", "--real-width", "8", dialect="page-4")
    expect("pack", packet, bytes.fromhex("05000000" "000000000000e03f" "0000000000000040"))
    wide = ["--dialect", "page-4", "--real-width", "8"]
    with Running("listen", "tcp://127.0.0.1:0", "--answer", "echo", "--form", "text", *wide, "--count", 4) as server:
        url = server.url()
        with Running("proxy", "tcp://127.0.0.1:0", url, *wide, "--form", "text") as proxy:
            sent = run("send", proxy.url(), "Vector2(0.5, 2)", *wide, "--count", 1)
            expect("send", (sent.code, sent.out.split(b" > ")[1:]), (0, [b"Vector2d(0.5, 2)\n"]))
            seen = proxy.end()
        lines = server.end()
    check("proxy", len(seen) == 2 and all(line.endswith(" Vector2d(0.5, 2)") for line in seen), seen)
    check("listen", len(lines) == 2 and all(line.endswith(" Vector2d(0.5, 2)") for line in lines), lines)
    for words in (("listen", "tcp://127.0.0.1:0"), ("send", "tcp://127.0.0.1:1", "1"), ("proxy", "tcp://127.0.0.1:0", "tcp://127.0.0.1:1"),
                  ("replay", "none.rec", "tcp://127.0.0.1:1")):
        for more in ((), ("--dialect", "godot4")):
            tells(f"{words[0]} {more}", run(*words, *more, "--real-width", "8"), 2, "--real-width 8 is for the page-* dialects alone", out=b"")


# ---- a real engine, its debugger, and gdvar proxy between them
SCRIPT = ('extends SceneTree\n'
          'func _init():\n'
          '\tfor i in 5:\n'
          '\t\tprint("line ", i)\n'
          '\tpush_error("deliberate")\n'
          '\tquit()\n')


def through(command, folder, dialect, editor=None):
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
    check(f"{dialect}: no error", "error[" not in "\n".join(said), done.stderr)
    expect(f"{dialect}: exit code", proxy.process.returncode, 0)
    text = json.dumps([v["value"] for v in values if v["direction"] == "to_server"])
    for i in range(5):
        check(f"{dialect}: line {i}", f"line {i}" in text, text)
    check(f"{dialect}: the error", "deliberate" in text, text)
    return values


def godot_3_2_3(folder):
    if not shutil.which("godot3-server"):
        skip("godot3-server is not installed")
    script = put("s.gd", SCRIPT).resolve()
    through(lambda url: ["timeout", "40", "godot3-server", "--no-window", "--remote-debug", url.split("//")[1], "-s", str(script)],
            folder, "godot3")


def godot_4_6_3_and_its_editor(_):
    if not ENGINES.is_dir() or os.geteuid() != 0:
        skip("scripts/engines has not been run")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gdvar-live-", dir=ENGINES / "tmp"))
    seen = "/tmp/" + folder.name
    (folder / "s.gd").write_text(SCRIPT)
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
            skip("the editor does not open its debugger's port headless: " + (folder / "editor.log").read_text()[-300:])
        time.sleep(1)
        values = through(
            lambda url: ["timeout", "40", "chroot", str(ENGINES), "godot", "--headless", "--remote-debug", url,
                         "-s", seen + "/s.gd"], folder, "godot4", f"tcp://127.0.0.1:{port}")
        check("the editor says something", [v for v in values if v["direction"] == "to_client"], "the editor said nothing")
    finally:
        try:
            os.killpg(editor.pid, signal.SIGKILL)  # its own session: timeout, chroot's godot
        except ProcessLookupError:
            pass
        editor.wait()
        log.close()
        shutil.rmtree(folder, ignore_errors=True)


if "--live" in sys.argv:
    each(godot_3_2_3, godot_4_6_3_and_its_editor)
else:
    each(send_listen_replay, captures_in_random_splits, proxy_passes_everything_on, proxy_of_every_transport,
         a_bridge_between_transports, forms_and_annotate, multiplayer, capture_file, the_debuggers_dialect_is_guessed,
         a_debugger_message_is_held_to_max_packet, recordings_are_their_owners, a_proxy_waits_for_who_does_not_read,
         datagrams_of_a_file_are_paced, the_wait_counts_from_the_last_progress, mistakes, send_from_a_file,
         damaged_recordings, hostile_bytes_end_one_peer_only, tls_on_a_plain_listener_is_named,
         refusals_are_the_same_in_every_form, the_commonest_mistakes_are_named, layers_are_opened, damage_is_no_other_dialect, real_width_of_page_dialects)
finish()
