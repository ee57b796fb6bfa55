// The cost of a peer: memory, counted, of debugger and multiplayer packets that lie or are all
// values.
#include "gdvar/net/debugger.hpp"
#include "gdvar/net/stream_buffer.hpp"
#include "messages.hpp"
#include "support/allocations.hpp"

namespace gdvar::test {

using namespace net;
namespace {

/// The most bytes of memory that `work` held at once.
template <class Work>
std::size_t peak(Work&& work) {
    return counted(std::forward<Work>(work)).peak;
}

mp4::Options with(Limits limits) {
    mp4::Options out;
    out.decoding.limits = limits;
    out.decoding.allow_objects = true;
    return out;
}

/// Decoding it costs at most `times` its bytes and a little, and ends with `code`.
void expect_cheap(const PackedByteArray& packet, Errc code, std::size_t times = 64,
                  const mp4::Options& options = with(Limits::engine())) {
    Errc got = Errc::ok;
    const std::size_t used = peak([&] {
        auto there = mp4::decode(as_bytes(packet), options);
        got = there ? Errc::ok : there.error().code;
    });
    EXPECT_EQ(got, code) << hex(as_bytes(packet).first(std::min<std::size_t>(packet.size(), 40)));
    EXPECT_LE(used, times * packet.size() + 1024)
        << hex(as_bytes(packet).first(std::min<std::size_t>(packet.size(), 40)));
}

PackedByteArray repeated(const std::string& head, const std::string& body, std::size_t times) {
    PackedByteArray out = packed(head);
    const PackedByteArray one = packed(body);
    for (; times; --times)
        for (const std::uint8_t byte : one)
            out.push_back(byte);
    return out;
}

TEST(NetLimits, LyingCountsCostNothing) {
    expect_cheap(packed("000102ff"), Errc::truncated);
    expect_cheap(packed("04000000000001000000ffffffff01000000"), Errc::truncated);
    expect_cheap(packed("04000000000001000000ffffff3f0100000061"), Errc::truncated);
    expect_cheap(packed("060100"
                        "07000000"
                        "ffffffff"),
                 Errc::truncated);
    expect_cheap(packed("0001020"
                        "11d000000"
                        "ffffff7f"),
                 Errc::truncated);
    expect_cheap(packed("0001020"
                        "11c000000"
                        "ffffff7f"),
                 Errc::truncated);
    expect_cheap(packed("0001020"
                        "122000000"
                        "ffffff7f"),
                 Errc::truncated);
}

TEST(NetLimits, ValuesOfOneByteEach) {
    // A bool is one byte in the packet and a Variant in memory.
    expect_cheap(repeated("000102ff", "81", 255), Errc::ok);
    expect_cheap(repeated("040000000000010000000000000002000000"
                          "6100",
                          "81", 100000),
                 Errc::ok);
    expect_cheap(repeated("060100"
                          "07000000"
                          "a0860100",
                          "81", 100000),
                 Errc::ok);
    expect_cheap(repeated("060100",
                          "07000000"
                          "00000000",
                          10000),
                 Errc::ok);
    expect_cheap(repeated("060100",
                          "07000000"
                          "01000000"
                          "01",
                          10000),
                 Errc::ok);
    // Containers that hold nothing.
    expect_cheap(repeated("040000000000010000000000000002000000"
                          "6100",
                          "1c00000000000000", 10000),
                 Errc::ok);
}

TEST(NetLimits, MultiplayerHoldsToItsOptions) {
    const auto state = [](std::size_t n) {
        return repeated(
            "040000000000010000000000000002000000"
            "6100",
            "81", n);
    };
    const auto tight = with({.max_depth = 3, .max_bytes = 200, .max_nodes = 20});
    expect_cheap(state(20), Errc::ok, 64, tight);
    expect_cheap(state(21), Errc::node_limit, 64, tight);
    expect_cheap(state(181), Errc::size_limit, 0, tight);
    // The entries of a state count together, and so do the values inside values.
    expect_cheap(packed("060100"
                        "07000000"
                        "0a000000"
                        "81818181818181818181"
                        "08000000"
                        "0a000000"
                        "81818181818181818181"),
                 Errc::ok, 64, tight);
    expect_cheap(packed("060100"
                        "07000000"
                        "0a000000"
                        "81818181818181818181"
                        "08000000"
                        "0b000000"
                        "8181818181818181818181"),
                 Errc::node_limit, 64, tight);
    const std::string nine =
        "1c00000008000000"
        "0000000000000000"
        "0000000000000000"
        "0000000000000000"
        "0000000000000000";
    expect_cheap(packed("00010202" + nine + nine), Errc::ok, 64, tight);
    expect_cheap(packed("00010203" + nine + nine + nine), Errc::node_limit, 64, tight);
    expect_cheap(packed("00010201"
                        "1c00000001000000"
                        "1c00000001000000"
                        "1c00000001000000"
                        "1c00000001000000"
                        "1c00000000000000"),
                 Errc::depth_limit, 64, tight);
}

TEST(NetLimits, Multiplayer3HoldsToItsOptions) {
    DecodeOptions tight{.dialect = &dialects::godot_3_1,
                        .limits = {.max_depth = 3, .max_bytes = 200, .max_nodes = 20}};
    const auto code = [&](const PackedByteArray& packet) {
        Errc got = Errc::ok;
        const std::size_t used = peak([&] {
            auto there = mp3::decode(as_bytes(packet), tight);
            got = there ? Errc::ok : there.error().code;
        });
        EXPECT_LE(used, 64 * packet.size() + 1024);
        return got;
    };
    EXPECT_EQ(code(repeated("00070000006600"
                            "14",
                            "00000000", 20)),
              Errc::ok);
    EXPECT_EQ(code(repeated("00070000006600"
                            "15",
                            "00000000", 21)),
              Errc::node_limit);
    EXPECT_EQ(code(repeated("04", "00", 199)), Errc::ok);
    EXPECT_EQ(code(repeated("04", "00", 200)), Errc::size_limit);
    const std::string nine =
        "1300000008000000"
        "0000000000000000"
        "0000000000000000"
        "0000000000000000"
        "0000000000000000";
    EXPECT_EQ(code(packed("00070000006600"
                          "02" +
                          nine + nine)),
              Errc::ok);
    EXPECT_EQ(code(packed("00070000006600"
                          "03" +
                          nine + nine + nine)),
              Errc::node_limit);
    EXPECT_EQ(code(packed("00070000006600"
                          "01"
                          "1300000001000000"
                          "1300000001000000"
                          "1300000001000000"
                          "1300000001000000"
                          "1300000000000000")),
              Errc::depth_limit);
}

TEST(NetLimits, DebuggerHoldsToItsOptions) {
    const Limits limits{.max_depth = 8, .max_bytes = 1 << 16, .max_nodes = 1 << 12};
    const PackedByteArray name = encode("name").value();
    const PackedByteArray count = encode((1 << 12) - 2).value();
    const PackedByteArray value = encode(Array{Variant(), Variant()}).value();
    Errc got = Errc::ok;
    std::size_t fed = name.size() + count.size();
    const std::size_t used = peak([&] {
        DebuggerReader reader({.limits = limits}, DebuggerProtocol::godot_3);
        ASSERT_TRUE(reader.packet(as_bytes(name)));
        ASSERT_TRUE(reader.packet(as_bytes(count)));
        for (;;) {
            auto there = reader.packet(as_bytes(value));
            if (!there) {
                got = there.error().code;
                break;
            }
            ASSERT_FALSE(*there);
            fed += value.size();
        }
    });
    // Each packet holds three values: the count of all ends the message before its bytes do.
    EXPECT_EQ(got, Errc::node_limit);
    EXPECT_LE(fed, limits.max_bytes);
    EXPECT_LE(used, 64 * fed + 1024);
    // A message of one packet, and a lying count in it.
    for (const char* lie : {"1c00000003000000"
                            "0400000001000000"
                            "61000000"
                            "0200000001000000"
                            "1c000000ffffff7f",
                            "1c000000ffffff7f"}) {
        const PackedByteArray packet = packed(lie);
        const std::size_t held = peak([&] {
            DebuggerReader reader({.limits = limits});
            EXPECT_EQ(reader.packet(as_bytes(packet)).error().code, Errc::node_limit);
        });
        EXPECT_LE(held, 64 * packet.size() + 1024);
    }
}

TEST(NetLimits, StreamsBelieveNoLength) {
    const PackedByteArray lie = packed(
        "ffffff7f"
        "0102");
    const std::size_t used = peak([&] {
        StreamFramer framer(ByteOrder::little, 0x7FFF'FFFF);
        ASSERT_TRUE(framer.feed(as_bytes(lie)));
        ASSERT_FALSE(*framer.next());
        ByteQueue queue;
        ASSERT_TRUE(queue.append(as_bytes(lie)));
        StreamReader reader(queue, ByteOrder::little, 0x7FFF'FFFF);
        EXPECT_EQ(reader.get_var().error().code, Errc::truncated);
        EXPECT_EQ(reader.get_string().error().code, Errc::truncated);
        EXPECT_EQ(reader.get_utf8_string().error().code, Errc::truncated);
        EXPECT_EQ(reader.get_data(0x7FFF'FFFF).error().code, Errc::truncated);
    });
    EXPECT_LE(used, 256u);
}

/// A packet of 2 MiB in pieces of all sizes is moved about twice, and takes twice its memory.
TEST(NetLimits, FramingMovesEachByteAFewTimes) {
    constexpr std::size_t size = 2u << 20;
    PackedByteArray stream;
    ASSERT_TRUE(append_frame(stream, std::vector<std::byte>(size)));
    for (const std::size_t piece : {1u, 2u, 3u, 7u, 64u, 1000u, 1461u, 65536u})
        for (const bool framed : {true, false}) {
            const auto cost = counted([&] {
                StreamFramer framer(ByteOrder::little, size);
                ByteQueue queue;
                const auto bytes = as_bytes(stream);
                for (std::size_t at = 0; at < bytes.size(); at += piece) {
                    const auto part = bytes.subspan(at, std::min(piece, bytes.size() - at));
                    const auto fed = framed ? framer.feed(part) : queue.append(part);
                    ASSERT_TRUE(fed);
                }
                ASSERT_EQ(framed ? (*framer.next())->size() + 4 : queue.size(), stream.size());
            });
            // Memory that is allocated again is moved.
            EXPECT_LE(cost.total, 4 * stream.size() + 4096) << piece;
            EXPECT_LE(cost.count, 64u) << piece;
            EXPECT_LE(cost.peak, 3 * stream.size() + 4096) << piece;
        }
}

/// Memory that is not there is an error, wherever it is missed.
TEST(NetLimits, NoMemoryIsAnError) {
    const std::string value =
        "1c00000002000000"
        "0400000001000000"
        "61000000"
        "0200000005000000";
    std::string simplify = "01";
    for (int i = 0; i < 32; ++i)
        simplify += "61";
    const std::vector<std::string> packets = {
        "00010202" + value + value,
        "04ff00000000"
        "01000000"
        "01000000"
        "02000000"
        "09000000"
        "6100"
        "1c000000" +
            value + "81",
        "060100"
        "07000000"
        "1c000000" +
            value,
        "0703"
        "01000000"
        "0102",
        simplify +
            "00"
            "01000000"
            "612f6200",
    };
    for (const std::string& hex_text : packets) {
        const PackedByteArray packet = packed(hex_text);
        ASSERT_TRUE(mp4::decode(as_bytes(packet))) << hex_text;
        const std::size_t n = counted([&] { (void)mp4::decode(as_bytes(packet)); }).count;
        for (std::size_t k = 0; k < n; ++k) {
            Errc got = Errc::ok;
            counted(
                [&] {
                    auto there = mp4::decode(as_bytes(packet));
                    got = there ? Errc::ok : there.error().code;
                },
                k);
            EXPECT_EQ(got, Errc::no_memory) << hex_text << " at allocation " << k << " of " << n;
        }
        // Writing, too, and then nothing is left behind.
        const auto message = mp4::decode(as_bytes(packet)).value();
        for (std::size_t k = 0; k < 8; ++k) {
            PackedByteArray to;
            std::optional<Error> error;
            counted(
                [&] {
                    if (auto done = mp4::append(to, message); !done)
                        error = done.error();
                },
                k);
            EXPECT_EQ(to, error ? PackedByteArray() : packet);
            if (error) {
                EXPECT_EQ(error->code, Errc::no_memory);
            }
        }
    }
}

}  // namespace
}  // namespace gdvar::test
