// Packets as a pcap file for Wireshark: IPv4 without a link layer, checksums left out.
#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "gdvar/save/records.hpp"
#include "live/pcap.hpp"

namespace gdvar::app {
namespace {

constexpr std::uint32_t magic = 0xA1B2C3D4, link_raw = 101;
/// The largest payload of one IP packet.
constexpr std::size_t most_tcp = 60'000, most_udp = 65'507;

template <class T>
void put(std::string& to, T value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}
template <class T>
T in_order_of_ip(T value) {
    return std::endian::native == std::endian::big ? value : gdvar::detail::byteswap(value);
}
void put16(std::string& to, std::uint16_t value) {
    put(to, in_order_of_ip(value));
}
void put32(std::string& to, std::uint32_t value) {
    put(to, in_order_of_ip(value));
}

struct Address {
    std::uint32_t host = 0x7F00'0001;
    std::uint16_t port = 1;
};

std::optional<std::uint32_t> ip_address(std::string_view text) {
    std::uint32_t out = 0;
    for (int part = 0; part < 4; ++part) {
        std::uint8_t number = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (code != std::errc())
            return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (text.starts_with('.') != (part < 3))
            return std::nullopt;
        text.remove_prefix(part < 3 ? 1 : 0);
        out = out << 8 | number;
    }
    return text.empty() ? std::optional(out) : std::nullopt;
}

/// "127.0.0.1:4000"; anything but an IPv4 address becomes the loopback's.
Address address_of(const std::string& text) {
    Address out;
    const std::size_t colon = text.rfind(':');
    if (colon == text.npos)
        return out;
    out.host = ip_address(std::string_view(text).substr(0, colon)).value_or(out.host);
    out.port = static_cast<std::uint16_t>(std::strtoul(text.c_str() + colon + 1, nullptr, 10));
    return out;
}

/// One's complement sum of a header (RFC 1071).
std::uint16_t checksum(std::string_view header) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i + 1 < header.size(); i += 2)
        sum += static_cast<std::uint32_t>(static_cast<unsigned char>(header[i])) << 8 |
               static_cast<unsigned char>(header[i + 1]);
    while (sum >> 16)
        sum = (sum & 0xFFFF) + (sum >> 16);
    return static_cast<std::uint16_t>(~sum);
}

std::string ip_header(const Address& from, const Address& to, std::uint8_t protocol,
                      std::size_t payload) {
    std::string out("\x45\0", 2);
    put16(out, static_cast<std::uint16_t>(20 + payload));
    out += std::string("\0\0\x40\0\x40", 5);
    out += static_cast<char>(protocol);
    out += std::string(2, '\0');
    put32(out, from.host);
    put32(out, to.host);
    const std::uint16_t sum = in_order_of_ip(checksum(out));
    std::memcpy(out.data() + 10, &sum, 2);
    return out;
}

std::string tcp_header(const Address& from, const Address& to, std::uint32_t sequence) {
    std::string out;
    put16(out, from.port);
    put16(out, to.port);
    put32(out, sequence);
    put32(out, 1);
    out += std::string("\x50\x18\xff\xff\0\0\0\0", 8);  // 20 bytes, PSH and ACK
    return out;
}

std::string udp_header(const Address& from, const Address& to, std::size_t payload) {
    std::string out;
    put16(out, from.port);
    put16(out, to.port);
    put16(out, static_cast<std::uint16_t>(8 + payload));
    put16(out, 0);  // no sum
    return out;
}

}  // namespace

platform::Result<void> PcapWriter::open(const std::string& path) {
    auto file = platform::make_private(path);
    if (!file)
        return std::unexpected(file.error());
    file_ = *std::move(file);
    std::string head;
    put(head, magic);
    put(head, std::uint16_t{2});
    put(head, std::uint16_t{4});
    put(head, std::uint64_t{0});
    put(head, std::uint32_t{1u << 18});
    put(head, link_raw);
    return platform::write_all(file_.get(), as_bytes(std::string_view(head)));
}

platform::Result<void> PcapWriter::datagram(const Recorded& packet, ByteView bytes, bool udp,
                                            std::uint32_t sequence) {
    const Address client = address_of(packet.client), server = address_of(packet.server);
    const bool up = packet.direction == Direction::to_server;
    const Address &from = up ? client : server, &to = up ? server : client;
    const std::string head =
        udp ? udp_header(from, to, bytes.size()) : tcp_header(from, to, sequence);
    const std::string ip = ip_header(from, to, udp ? 17 : 6, head.size() + bytes.size());
    std::string record;
    const double whole = std::floor(packet.time);
    put(record, static_cast<std::uint32_t>(whole));
    put(record, static_cast<std::uint32_t>((packet.time - whole) * 1e6));
    const auto size = static_cast<std::uint32_t>(ip.size() + head.size() + bytes.size());
    put(record, size);
    put(record, size);
    record += ip + head;
    record.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return platform::write_all(file_.get(), as_bytes(std::string_view(record)));
}

platform::Result<void> PcapWriter::packet(const Recorded& packet) {
    if (!file_)
        return {};
    auto written = write(packet);
    if (!written)
        file_ = {};
    return written;
}

platform::Result<void> PcapWriter::write(const Recorded& packet) {
    const ByteView bytes = as_bytes(packet.packet);
    const bool stream =
        packet.transport == "tcp" || packet.transport == "tls" || packet.transport == "unix";
    if (!stream)
        return datagram(packet, bytes.first(std::min(bytes.size(), most_udp)), true, 0);
    PackedByteArray framed;
    if (!net::append_frame(framed, bytes))
        return platform::refuse(ENOMEM);
    std::uint32_t& sequence =
        sequences_
            .try_emplace(packet.client + packet.server +
                             (packet.direction == Direction::to_server ? ">" : "<"),
                         1)
            .first->second;
    for (std::size_t at = 0; at < framed.size(); at += most_tcp) {
        const auto part = as_bytes(framed).subspan(at, std::min(most_tcp, framed.size() - at));
        if (auto written = datagram(packet, part, false, sequence); !written)
            return written;
        sequence += static_cast<std::uint32_t>(part.size());
    }
    return {};
}

}  // namespace gdvar::app
