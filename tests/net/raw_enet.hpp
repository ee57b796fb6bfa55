// An ENet client made by hand, datagram for datagram: what no library would send.
#pragma once

#include <enet/enet.h>

#include "net/raw.hpp"

namespace gdvar::test {

using namespace net;

/// Numbers as ENet writes them: big-endian.
inline std::string be16(unsigned v) {
    return {static_cast<char>(v >> 8), static_cast<char>(v)};
}
inline std::string be32(std::uint32_t v) {
    return be16(v >> 16) + be16(v & 0xFFFF);
}

/// ENet's commands, as they stand one behind another in a datagram.
namespace enet {
inline std::string head(unsigned command, unsigned channel, unsigned sequence) {
    return std::string{static_cast<char>(command), static_cast<char>(channel)} + be16(sequence);
}
constexpr unsigned acknowledge = 0x80;
inline std::string ping(unsigned sequence) {
    return head(acknowledge | 5, 0xFF, sequence);
}
inline std::string disconnect(unsigned sequence) {
    return head(acknowledge | 4, 0xFF, sequence) + be32(0);
}
inline std::string reliable(unsigned channel, unsigned sequence, std::string_view data) {
    return head(acknowledge | 6, channel, sequence) + be16(static_cast<unsigned>(data.size())) +
           std::string(data);
}
inline std::string unreliable(unsigned channel, unsigned sequence, unsigned unreliable_sequence,
                              std::string_view data) {
    return head(7, channel, sequence) + be16(unreliable_sequence) +
           be16(static_cast<unsigned>(data.size())) + std::string(data);
}
struct Fragment {
    unsigned start = 1;
    std::uint32_t count = 2, number = 0, total = 2, offset = 0;
};
/// `command`: 8 reliable, 12 unreliable.
inline std::string fragment(unsigned command, unsigned channel, unsigned sequence,
                            const Fragment& f, std::string_view data) {
    return head((command == 8 ? acknowledge : 0) | command, channel, sequence) + be16(f.start) +
           be16(static_cast<unsigned>(data.size())) + be32(f.count) + be32(f.number) +
           be32(f.total) + be32(f.offset) + std::string(data);
}
}  // namespace enet

class RawEnet {
public:
    /// `address`: the last byte of 127.0.0.x, so that a test can come from several.
    explicit RawEnet(std::uint16_t port, unsigned address = 1)
        : socket_(Socket::datagrams(port, address)) {
        EXPECT_TRUE(static_cast<bool>(socket_));
    }

    /// The first datagram of a handshake; nothing else is done.
    void ask(std::uint32_t connect_id, std::uint32_t channels = 255) const {
        const std::string command = enet::head(enet::acknowledge | 2, 0xFF, 1) + be16(0) +
                                    std::string("\xFF\xFF", 2) + be32(1392) + be32(65536) +
                                    be32(channels) + be32(0) + be32(0) + be32(5000) + be32(2) +
                                    be32(2) + be32(connect_id) + be32(0);
        send_raw(be16(0x8FFF) + be16(0) + command);
    }
    /// The whole handshake. False: nobody answered.
    bool connect(std::uint32_t connect_id = 1, std::uint32_t channels = 255) {
        ask(connect_id, channels);
        return answer(receive());
    }
    /// Its second half: to what the server sent.
    bool answer(const std::string& answer) {
        if (answer.size() < 12 || (answer[4] & 0x0F) != 3)
            return false;
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(answer[i]); };
        peer_ = byte(8) << 8 | byte(9);
        session_ = byte(11);
        send(enet::head(1, 0xFF, 1) + answer.substr(6, 2) + answer.substr(2, 2));
        return true;
    }
    /// The commands, behind the header of this connection.
    void send(std::string_view commands, bool compressed = false) const {
        send_raw(be16(0x8000u | (compressed ? 0x4000u : 0u) | session_ << 12 | peer_) + be16(0) +
                 std::string(commands));
    }
    void send_raw(std::string_view datagram) const {
        EXPECT_EQ(socket_.send(datagram), static_cast<std::ptrdiff_t>(datagram.size()));
    }
    /// The next datagram; nothing came: empty.
    std::string receive(bool wait = true) const {
        std::string out(4096, '\0');
        const auto n = socket_.receive(out.data(), out.size(),
                                       wait ? Socket::Until::some : Socket::Until::now);
        out.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
        return !out.empty() && out[0] & 0x40 ? plain(out) : out;
    }
    /// Takes what the server sent until it has acknowledged this ping: all before it was looked at.
    bool settle() {
        send(enet::ping(++pings_));
        for (bool answered = false; !answered;) {
            const std::string got = receive();
            if (got.empty())
                return false;
            answered = take(got);
        }
        return true;
    }
    /// How many of the packets the server has acknowledged, as `settle` has seen.
    std::size_t acknowledged() const { return acknowledged_; }
    std::size_t pongs() const { return pongs_; }
    /// The same for what is there now, whatever it is.
    void look() {
        for (std::string got; !(got = receive(false)).empty();)
            take(got);
    }

private:
    /// The commands, decoded from the range coder.
    static std::string plain(const std::string& got) {
        const std::size_t head = got[0] & 0x80 ? 4 : 2;
        std::string out(4096, '\0');
        void* coder = enet_range_coder_create();
        out.resize(enet_range_coder_decompress(
            coder, reinterpret_cast<const enet_uint8*>(got.data()) + head, got.size() - head,
            reinterpret_cast<enet_uint8*>(out.data()), out.size()));
        enet_range_coder_destroy(coder);
        return got.substr(0, head) + out;
    }
    /// Counts acknowledgements and answers pings. True: the last ping was acknowledged.
    bool take(const std::string& got) {
        const bool timed = got[0] & 0x80;
        bool answered = false;
        for (std::size_t at = timed ? 4 : 2; at + 4 <= got.size();) {
            const unsigned command = got[at] & 0x0F;
            const std::string sequence = got.substr(at + 2, 2);
            if (command == 5) {
                send(enet::head(1, 0xFF, 0).substr(0, 2) + sequence + sequence + got.substr(2, 2));
                at += 4;
            } else if (command == 1) {
                if (static_cast<unsigned char>(got[at + 1]) != 0xFF)
                    ++acknowledged_;
                else
                    ++pongs_, answered = answered || sequence == be16(pings_);
                at += 8;
            } else {
                break;
            }
        }
        return answered;
    }
    Socket socket_;
    unsigned peer_ = 0, session_ = 0, pings_ = 0x4000;
    std::size_t acknowledged_ = 0, pongs_ = 0;
};

}  // namespace gdvar::test
