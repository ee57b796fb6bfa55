// Packets as a pcap file that Wireshark reads: IPv4 with no link layer, sums left to the
// imagination.
#include <arpa/inet.h>
#include <fcntl.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "gdvar/save/records.hpp"
#include "live/pcap.hpp"

namespace gdvar::app {
namespace {

constexpr std::uint32_t magic = 0xA1B2C3D4, link_raw = 101;
/// What fits one IP packet behind its headers.
constexpr std::size_t most_tcp = 60'000, most_udp = 65'507;

template <class T>
void put(std::string& to, T value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void put16(std::string& to, std::uint16_t value) {
    put(to, htons(value));
}
void put32(std::string& to, std::uint32_t value) {
    put(to, htonl(value));
}

struct Address {
    std::uint32_t host = INADDR_LOOPBACK;
    std::uint16_t port = 1;
};

/// "127.0.0.1:4000"; what is no IPv4 address gets the loopback's.
Address address_of(const std::string& text) {
    Address out;
    const std::size_t colon = text.rfind(':');
    in_addr host{};
    if (colon == text.npos)
        return out;
    if (::inet_pton(AF_INET, text.substr(0, colon).c_str(), &host) == 1)
        out.host = ntohl(host.s_addr);
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
    const std::uint16_t sum = htons(checksum(out));
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

std::FILE* create_private(const std::string& path) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return fd < 0 ? nullptr : ::fdopen(fd, "wb");
}

PcapWriter::~PcapWriter() {
    if (file_)
        std::fclose(file_);
}

bool PcapWriter::open(const std::string& path) {
    file_ = create_private(path);
    if (!file_)
        return false;
    std::string head;
    put(head, magic);
    put(head, std::uint16_t{2});
    put(head, std::uint16_t{4});
    put(head, std::uint64_t{0});
    put(head, std::uint32_t{1u << 18});
    put(head, link_raw);
    return std::fwrite(head.data(), 1, head.size(), file_) == head.size();
}

bool PcapWriter::datagram(const Recorded& packet, ByteView bytes, bool udp,
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
    return std::fwrite(record.data(), 1, record.size(), file_) == record.size() &&
           std::fflush(file_) == 0;
}

bool PcapWriter::packet(const Recorded& packet) {
    if (!file_ || write(packet))
        return true;
    std::fclose(std::exchange(file_, nullptr));
    return false;
}

bool PcapWriter::write(const Recorded& packet) {
    const ByteView bytes = as_bytes(packet.packet);
    const bool stream =
        packet.transport == "tcp" || packet.transport == "tls" || packet.transport == "unix";
    if (!stream)
        return datagram(packet, bytes.first(std::min(bytes.size(), most_udp)), true, 0);
    PackedByteArray framed;
    if (!net::append_frame(framed, bytes))
        return false;
    std::uint32_t& sequence =
        sequences_
            .try_emplace(packet.client + packet.server +
                             (packet.direction == Direction::to_server ? ">" : "<"),
                         1)
            .first->second;
    for (std::size_t at = 0; at < framed.size(); at += most_tcp) {
        const auto part = as_bytes(framed).subspan(at, std::min(most_tcp, framed.size() - at));
        if (!datagram(packet, part, false, sequence))
            return false;
        sequence += static_cast<std::uint32_t>(part.size());
    }
    return true;
}

}  // namespace gdvar::app
