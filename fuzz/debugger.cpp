// Debugger connections: however the stream is split, the same messages; what was read is written
// and read again as the same messages, then as the same bytes.
#include "gdvar/net/debugger.hpp"
#include "splits.hpp"

using namespace gdvar;
using namespace gdvar::net;

namespace {

struct Outcome {
    std::vector<DebuggerMessage> messages;
    Error error;
    std::uint64_t position = 0;
};

class Session {
public:
    Session(const DecodeOptions& decoding, DebuggerProtocol protocol)
        : reader_(decoding, protocol) {}

    bool feed(ByteView piece) {
        if (!framer_.feed(piece))
            return false;
        for (;;) {
            auto packet = framer_.next();
            if (!packet)
                return fail(packet.error());
            if (!*packet)
                return true;
            auto message = reader_.packet(**packet);
            if (!message) {
                fuzz::require(reader_.packet({}).error() == message.error(), "an error stays");
                fuzz::require(message.error().offset <= (*packet)->size(), "it lies in the packet");
                return fail(message.error());
            }
            if (*message)
                out_.messages.push_back(std::move(**message));
        }
    }
    Outcome& finish() {
        if (auto end = reader_.finish(); !end)
            fail(end.error());
        if (auto end = framer_.finish(); !end)
            fail(end.error());
        out_.position = framer_.position();
        return out_;
    }

private:
    bool fail(const Error& error) {
        if (out_.error.code == Errc::ok)
            out_.error = error;
        return false;
    }
    StreamFramer framer_;
    DebuggerReader reader_;
    Outcome out_;
};

bool same(const DebuggerMessage& a, const DebuggerMessage& b) {
    return a.protocol == b.protocol && a.name == b.name && a.thread == b.thread &&
           identical(Variant(a.arguments), Variant(b.arguments)) &&
           identical(a.describe(), b.describe());
}

bool same(const std::vector<DebuggerMessage>& a, const std::vector<DebuggerMessage>& b) {
    return std::ranges::equal(a, b,
                              [](const auto& one, const auto& other) { return same(one, other); });
}

/// The messages as one stream; false when some value can't be written.
bool write(PackedByteArray& to, const std::vector<DebuggerMessage>& messages,
           const EncodeOptions& encoding) {
    for (const DebuggerMessage& message : messages) {
        const std::size_t before = to.size();
        if (!append_debugger_message(to, message, encoding)) {
            fuzz::require(to.size() == before, "a message is written whole or not at all");
            return false;
        }
    }
    return true;
}

void rewrite(const Outcome& read, const DecodeOptions& decoding) {
    const EncodeOptions encoding{.dialect = decoding.dialect,
                                 .allow_objects = decoding.allow_objects};
    PackedByteArray bytes, twice;
    if (read.messages.empty() || !write(bytes, read.messages, encoding))
        return;
    DecodeOptions again_options = decoding;
    again_options.limits = Limits::engine();
    Session again(again_options, read.messages[0].protocol);
    again.feed(as_bytes(bytes));
    const Outcome& reread = again.finish();
    fuzz::require(reread.error.code == Errc::ok, "what is written can be read");
    fuzz::require(same(reread.messages, read.messages), "and holds the same messages");
    fuzz::require(write(twice, reread.messages, encoding) && twice == bytes,
                  "and is written the same again");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::StreamInput input(data, size);
    DecodeOptions decoding;
    decoding.dialect = input.choice & 1 ? &dialects::godot_3_1 : &dialects::godot_4_4;
    decoding.allow_objects = input.choice & 2;
    decoding.limits = input.choice & 4 ? Limits{8, 256, 16} : Limits::network();
    const auto protocol = static_cast<DebuggerProtocol>((input.choice >> 3) % 5);
    Session whole(decoding, protocol), split(decoding, protocol);
    whole.feed(input.stream);
    const Outcome& expected = whole.finish();
    input.each_piece([&](ByteView piece) { return split.feed(piece); });
    const Outcome& there = split.finish();
    fuzz::require(there.error == expected.error, "any split gives the same error");
    fuzz::require(there.position == expected.position, "at the same place");
    fuzz::require(same(there.messages, expected.messages), "and the same messages");
    rewrite(expected, decoding);
    return 0;
}
