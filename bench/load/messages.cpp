#include "messages.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>

#include "gdvar/net/framer.hpp"

namespace gdvar::load {

using namespace net;

void give_up(const std::string& what) {
    std::fprintf(stderr, "net_load: %s\n", what.c_str());
    std::exit(1);
}

namespace {

std::string_view text_of(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Blob read_packets() {
    const std::string path = GDVAR_SOURCE_DIR "/tests/data/workloads/g4/small_packets.frames";
    std::ifstream in(path, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    Blob out;
    for (ByteView rest = std::as_bytes(std::span(all)); !rest.empty();) {
        const auto frame = read_frame(rest, ByteOrder::little);
        if (!frame)
            give_up(path + ": " + to_string(frame.error()));
        out.add(text_of(frame->packet));
        rest = rest.subspan(frame->size);
    }
    if (out.count() == 0)
        give_up("cannot read " + path);
    return out;
}

std::string framed(std::string_view packet) {
    PackedByteArray out;
    if (!append_frame(out, as_bytes(packet)))
        give_up("no memory");
    return std::string(text_of(as_bytes(out)));
}

/// RFC 6455: a binary message in one frame. These are all shorter than 64 KiB.
std::string frame_of(std::string_view packet, bool masked) {
    std::string out = "\x82";
    const unsigned mask_bit = masked ? 0x80 : 0;
    if (packet.size() < 126) {
        out += static_cast<char>(mask_bit | packet.size());
    } else {
        out += static_cast<char>(mask_bit | 126);
        out += static_cast<char>(packet.size() >> 8);
        out += static_cast<char>(packet.size() & 0xff);
    }
    if (!masked)
        return out.append(packet);
    const std::string key = "\x5a\xa5\x3c\x71";
    out += key;
    for (std::size_t i = 0; i < packet.size(); ++i)
        out += static_cast<char>(packet[i] ^ key[i % 4]);
    return out;
}

template <class Sent, class Answered>
Exchange made(Sent sent, Answered answered) {
    Exchange out;
    const Blob& packets = small_packets();
    for (std::size_t i = 0; i < packets.count(); ++i) {
        out.sent.add(sent(packets[i]));
        out.answered.add(answered(packets[i]));
    }
    return out;
}

}  // namespace

const Blob& small_packets() {
    static const Blob packets = read_packets();
    return packets;
}

const Exchange& stream_messages() {
    static const Exchange all = made(framed, framed);
    return all;
}

const Exchange& websocket_messages() {
    static const Exchange all = made([](std::string_view p) { return frame_of(p, true); },
                                     [](std::string_view p) { return frame_of(p, false); });
    return all;
}

const Exchange& bare_messages() {
    static const Exchange all =
        made([](std::string_view p) { return p; }, [](std::string_view p) { return p; });
    return all;
}

}  // namespace gdvar::load
