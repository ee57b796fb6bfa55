"""Capture files, made by hand: classic pcap, Ethernet, IPv4, TCP or UDP on the loopback address."""

import struct

HOST = bytes([127, 0, 0, 1])
SYN, SYN_ACK, ACK, PSH_ACK = 0x02, 0x12, 0x10, 0x18


def ip_frame(protocol, payload):
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), 0, 0x4000, 64, protocol, 0, HOST, HOST)
    return bytes(12) + b"\x08\0" + ip + payload


def tcp_frame(source, target, sequence, acknowledged, flags, data=b""):
    ports = struct.pack(">HHIIBBHHH", source, target, sequence, acknowledged, 0x50, flags, 65535, 0, 0)
    return ip_frame(6, ports + data)


def udp_frame(source, target, data):
    return ip_frame(17, struct.pack(">HHHH", source, target, 8 + len(data), 0) + data)


def connection(client, server, to_server, to_client, size):
    """Frames of a TCP connection that carries these bytes, interleaved by chance, in segments as long as
    `size()` says. Returns the frames."""
    frames = [
        tcp_frame(client, server, 99, 0, SYN),
        tcp_frame(server, client, 499, 100, SYN_ACK),
        tcp_frame(client, server, 100, 500, ACK),
    ]
    sent = received = 0
    while sent < len(to_server) or received < len(to_client):
        n = size()
        # Both directions end at about the same time.
        if sent * len(to_client) <= received * len(to_server) and sent < len(to_server):
            data = to_server[sent : sent + n]
            frames.append(tcp_frame(client, server, 100 + sent, 500 + received, PSH_ACK, data))
            sent += len(data)
        else:
            data = to_client[received : received + n]
            frames.append(tcp_frame(server, client, 500 + received, 100 + sent, PSH_ACK, data))
            received += len(data)
    return frames


def write_pcap(path, frames, snap=None):
    """`snap`: only so many bytes of each frame are kept."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1))
        for i, frame in enumerate(frames):
            kept = frame[:snap]
            file.write(struct.pack("<IIII", 1700000000 + i // 1000000, i % 1000000, len(kept), len(frame)) + kept)
