// StreamFramer and StreamReader: however a stream is split, the same comes out of it, and nothing
// is held but what arrived.
#include "../tests/support/outcome.hpp"
#include "gdvar/net/stream_buffer.hpp"
#include "splits.hpp"

using namespace gdvar;
using namespace gdvar::net;

namespace {

using test::Outcome;

class Cutter {
public:
    Cutter(ByteOrder order, std::uint64_t most) : framer_(order, most), most_(most) {}

    bool feed(ByteView piece) {
        if (piece.size() % 2) {
            fuzz::require(framer_.feed(piece).has_value(), "a sound stream is fed");
        } else {
            auto space = framer_.prepare(piece.size());
            fuzz::require(space && space->size() >= piece.size(), "there is the space asked for");
            std::ranges::copy(piece, space->begin());
            framer_.commit(piece.size());
        }
        largest_ = std::max(largest_, piece.size());
        // Held: the bytes of one packet, and of the last piece.
        const std::uint64_t packet = std::min<std::uint64_t>(most_, fed_) + 4;
        fuzz::require(framer_.memory() <= 2 * (packet + largest_) + 2048, "memory is bounded");
        fed_ += piece.size();
        return take();
    }
    Outcome finish() {
        out_.finish(framer_);
        return out_;
    }

private:
    bool take() {
        for (;;) {
            auto packet = framer_.next();
            if (!packet) {
                fuzz::require(framer_.next().error() == packet.error(), "an error stays");
                return false;
            }
            if (!*packet) {
                fuzz::require(!framer_.started() || framer_.need() > 0, "need says how many");
                return true;
            }
            fuzz::require((*packet)->size() <= most_, "no packet over the limit");
            out_.packets.emplace_back((*packet)->begin(), (*packet)->end());
        }
    }
    StreamFramer framer_;
    std::uint64_t most_, fed_ = 0;
    std::size_t largest_ = 0;
    Outcome out_;
};

void check_framer(const fuzz::StreamInput& input, ByteOrder order, std::uint64_t most) {
    Cutter whole(order, most), split(order, most);
    whole.feed(input.stream);
    const Outcome expected = whole.finish();
    input.each_piece([&](ByteView piece) { return split.feed(piece); });
    fuzz::require(split.finish() == expected, "any split gives the same");
    // A read packet is written the same.
    PackedByteArray again;
    for (const auto& packet : expected.packets)
        fuzz::require(append_frame(again, packet, order).has_value(), "a packet can be framed");
    fuzz::require(std::ranges::equal(as_bytes(again), input.stream.first(expected.position)),
                  "frames are written as they were");
}

/// The result of one `get_`: the value as bytes, or the error.
struct Got {
    PackedByteArray bytes;
    Error error;
    bool operator==(const Got&) const = default;
};

/// Takes something from the reader and puts it back into bytes with the twin.
Got get(StreamReader& reader, unsigned what, ByteOrder order, const DecodeOptions& decoding) {
    Got out;
    StreamWriter writer(out.bytes, order);
    const auto taken = [&](auto value, auto put) {
        if (!value)
            out.error = value.error();
        else
            fuzz::require(put(*value).has_value(), "what is read can be written");
    };
    const EncodeOptions encoding{.dialect = decoding.dialect, .allow_objects = true};
    switch (what % 13) {
        case 0:
            taken(reader.get_8(), [&](auto v) { return writer.put_8(v); });
            break;
        case 1:
            taken(reader.get_u8(), [&](auto v) { return writer.put_u8(v); });
            break;
        case 2:
            taken(reader.get_16(), [&](auto v) { return writer.put_16(v); });
            break;
        case 3:
            taken(reader.get_u16(), [&](auto v) { return writer.put_u16(v); });
            break;
        case 4:
            taken(reader.get_32(), [&](auto v) { return writer.put_32(v); });
            break;
        case 5:
            taken(reader.get_u32(), [&](auto v) { return writer.put_u32(v); });
            break;
        case 6:
            taken(reader.get_64(), [&](auto v) { return writer.put_64(v); });
            break;
        case 7:
            taken(reader.get_u64(), [&](auto v) { return writer.put_u64(v); });
            break;
        case 8:
            taken(reader.get_float(), [&](auto v) { return writer.put_float(v); });
            break;
        case 9:
            taken(reader.get_double(), [&](auto v) { return writer.put_double(v); });
            break;
        case 10:
            taken(reader.get_utf8_string(), [&](auto& v) { return writer.put_utf8_string(v); });
            break;
        case 11:
            taken(reader.get_string(), [&](auto& v) { return writer.put_utf8_string(v); });
            break;
        default:
            // A name in a Variant need not be one that the dialect can write; then its error
            // counts.
            taken(reader.get_var(decoding), [&](auto& v) -> std::expected<void, Error> {
                if (auto done = writer.put_var(v, encoding); !done)
                    out.error = done.error();
                return {};
            });
    }
    return out;
}

void check_reader(const fuzz::StreamInput& input, ByteOrder order, std::uint64_t most) {
    DecodeOptions decoding;
    decoding.allow_objects = true;
    decoding.limits = Limits::network();
    ByteQueue whole, split;
    fuzz::require(whole.append(input.stream).has_value(), "a queue takes bytes");
    StreamReader expected(whole, order, most), reader(split, order, most);
    std::size_t step = 0;
    input.each_piece([&](ByteView piece) {
        fuzz::require(split.append(piece).has_value(), "a queue takes bytes");
        for (;; ++step) {
            const auto what = static_cast<unsigned>(input.pieces[step % input.pieces.size()]);
            const std::size_t before = split.size();
            const Got got = get(reader, what, order, decoding);
            if (got.error.code == Errc::truncated) {
                fuzz::require(split.size() == before, "too few bytes take nothing");
                fuzz::require(got.error.need > 0, "need says how many");
                return true;
            }
            fuzz::require(got == get(expected, what, order, decoding), "any split reads the same");
            if (split.size() == before)
                return false;
        }
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::StreamInput input(data, size);
    const ByteOrder order = input.choice & 1 ? ByteOrder::big : ByteOrder::little;
    const std::uint64_t limits[] = {Limits::network().max_bytes, 0x7FFF'FFFF, 64, 0};
    const std::uint64_t most = limits[input.choice >> 1 & 3];
    check_framer(input, order, most);
    check_reader(input, order, most);
    return 0;
}
