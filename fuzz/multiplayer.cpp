// Multiplayer packets, their headers and compressed variants: what is read is written and read
// again as the same, and costs no memory beyond a constant times its bytes. The last byte of the
// input chooses the kind and the options.
#include "gdvar/net/multiplayer.hpp"

#include "../tests/support/allocations.hpp"
#include "gdvar/net/multiplayer3.hpp"
#include "packet.hpp"

using namespace gdvar;
using namespace gdvar::net;

namespace {

/// Decoding, with its memory counted.
template <class Decode>
auto counted(ByteView bytes, Decode&& decode) {
    decltype(decode(bytes)) out = std::unexpected(Error{});
    const test::Recorder used = test::counted([&] { out = decode(bytes); });
    fuzz::require(used.peak <= 96 * bytes.size() + 4096, "memory is bounded by the bytes");
    if (!out) {
        fuzz::require(out.error().code != Errc::ok, "an error has a code");
        fuzz::require(out.error().offset <= bytes.size(), "and lies in the packet");
    }
    return out;
}

/// A message that can be written is read again as the same, and written the same.
template <class Decode, class Append, class Describe>
void check(ByteView bytes, Decode&& decode, Append&& append, Describe&& describe) {
    auto message = counted(bytes, decode);
    if (!message)
        return;
    PackedByteArray written{1, 2}, again{1, 2};
    if (auto done = append(written, *message); !done) {
        fuzz::require(written == (PackedByteArray{1, 2}), "written whole or not at all");
        return;
    }
    const ByteView rewritten = as_bytes(written).subspan(2);
    auto twin = decode(rewritten);
    fuzz::require(twin.has_value(), "what is written can be read");
    fuzz::require(identical(describe(*twin), describe(*message)), "and is the same message");
    fuzz::require(append(again, *twin) && again == written, "and is written the same again");
}

void check_compressed(ByteView bytes, const DecodeOptions& decoding,
                      const EncodeOptions& encoding) {
    check(
        bytes,
        [&](ByteView b) {
            auto there = decode_compressed(b, decoding);
            fuzz::require(!there || there->size <= b.size(), "it took what there is");
            return there;
        },
        [&](PackedByteArray& to, const Decoded& there) {
            return append_compressed(to, there.value, encoding);
        },
        [](const Decoded& there) { return there.value; });
}

void check_headers(ByteView bytes) {
    PackedByteArray to;
    if (auto there = mp3::decode_enet(bytes)) {
        fuzz::require(mp3::append_enet(to, *there) && std::ranges::equal(as_bytes(to), bytes),
                      "ENet headers are written as they were");
    }
    to.clear();
    if (auto there = mp3::decode_enet_notice(bytes)) {
        fuzz::require(
            mp3::append_enet_notice(to, *there) && std::ranges::equal(as_bytes(to), bytes),
            "ENet notices are written as they were");
    }
    to.clear();
    if (auto there = mp3::decode_websocket(bytes)) {
        fuzz::require(mp3::append_websocket(to, *there) && std::ranges::equal(as_bytes(to), bytes),
                      "WebSocket headers are written as they were");
    }
    to.clear();
    if (auto there = mp4::decode_peer_id(bytes)) {
        fuzz::require(mp4::append_peer_id(to, *there) && std::ranges::equal(as_bytes(to), bytes),
                      "ids are written as they were");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (!size)
        return 0;
    const unsigned choice = data[size - 1];
    const ByteView bytes(reinterpret_cast<const std::byte*>(data), size - 1);
    mp4::Options options;
    DecodeOptions& decoding = options.decoding;
    decoding.allow_objects = choice & 4;
    decoding.strict = choice & 8;
    if (choice & 16)
        decoding.limits = {4, 256, 8};
    options.confirms_by_path = choice & 32;
    const bool three = (choice & 3) == 1;
    decoding.dialect = three         ? &dialects::godot_3_1
                       : choice & 64 ? &dialects::godot_4_0
                                     : &dialects::godot_4_4;
    const EncodeOptions encoding{.dialect = decoding.dialect,
                                 .allow_objects = decoding.allow_objects};
    switch (choice & 3) {
        case 1:
            check(
                bytes, [&](ByteView b) { return mp3::decode(b, decoding); },
                [&](PackedByteArray& to, const auto& m) { return mp3::append(to, m, encoding); },
                mp3::describe);
            break;
        case 2:
            check_compressed(bytes, decoding, encoding);
            break;
        case 3:
            check_headers(bytes);
            [[fallthrough]];
        default:
            check(
                bytes, [&](ByteView b) { return mp4::decode(b, options); },
                [&](PackedByteArray& to, const auto& m) { return mp4::append(to, m, encoding); },
                mp4::describe);
    }
    return 0;
}
