// Small messages in and out allocate nothing: through structs, and through a Document that is warm.
#include <gtest/gtest.h>

#include <map>

#include "gdvar/value/binding.hpp"
#include "gdvar/wire/frame.hpp"
#include "support/allocations.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {

struct MoveMessage {
    Tag<"move"> tag;
    std::int64_t seq = 0;
    Vector3 to;
    double speed = 0;
};
struct StateMessage {
    int op = 0;
    std::int64_t seq = 0;
    int dx = 0;
    bool jump = false;
};
struct HitMessage {
    Tag<"hit"> tag;
    std::int64_t whom = 0;
    int damage = 0;
};
struct SayMessage {
    std::int64_t seq = 0;
    std::string_view text;
};
using SmallMessage = std::variant<MoveMessage, StateMessage, HitMessage, SayMessage>;

}  // namespace gdvar::test

#define AS_ARRAY(Struct, ...)                                                                 \
    template <>                                                                               \
    struct gdvar::meta<gdvar::test::Struct> {                                                 \
        using T = gdvar::test::Struct;                                                        \
        static constexpr auto fields = std::tuple(__VA_ARGS__);                               \
        static constexpr gdvar::StructOptions<gdvar::test::Struct> options{.as_array = true}; \
    };
AS_ARRAY(MoveMessage, gdvar::field("tag", &T::tag), gdvar::field("seq", &T::seq),
         gdvar::field("to", &T::to), gdvar::field("speed", &T::speed))
AS_ARRAY(HitMessage, gdvar::field("tag", &T::tag), gdvar::field("whom", &T::whom),
         gdvar::field("damage", &T::damage))
AS_ARRAY(SayMessage, gdvar::field("seq", &T::seq), gdvar::field("text", &T::text))

namespace gdvar::test {
namespace {

std::vector<ByteView> messages(const std::vector<std::byte>& file) {
    std::vector<ByteView> out;
    for (ByteView rest = file; !rest.empty();) {
        const auto frame = read_frame(rest, ByteOrder::little);
        if (!frame)
            break;
        out.push_back(frame->packet);
        rest = rest.subspan(frame->size);
    }
    return out;
}

TEST(NoAllocation, OfTenThousandSmallMessages) {
    const auto file = read_bytes(data_dir() / "workloads/g4/small_packets.frames");
    const auto packets = messages(file);
    ASSERT_EQ(packets.size(), 10'000u);
    std::vector<SmallMessage> values(packets.size());
    std::size_t wrong = 0;

    const Recorder reading = counted([&] {
        for (std::size_t i = 0; i < packets.size(); ++i)
            wrong += !decode_to(values[i], packets[i]);
    });
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(reading.count, 0u) << "into structs";

    PackedByteArray buffer;
    buffer.reserve(1024);
    const Recorder writing = counted([&] {
        for (std::size_t i = 0; i < packets.size(); ++i) {
            buffer.clear();
            const auto size = encode_to(buffer, values[i]);
            wrong += !size || *size != packets[i].size() ||
                     std::memcmp(buffer.data(), packets[i].data(), *size);
        }
    });
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(writing.count, 0u) << "out of structs";

    std::byte room[1024];
    const Recorder fixed = counted([&] {
        for (const SmallMessage& value : values)
            wrong += !encode_to(std::span(room), value) + !encoded_size(value);
    });
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(fixed.count, 0u) << "into a fixed span";

    Document document;
    for (const ByteView packet : packets)
        ASSERT_TRUE(document.read(packet));
    const Recorder warm = counted([&] {
        for (const ByteView packet : packets)
            wrong += !document.read(packet);
    });
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(warm.count, 0u) << "into a warm Document";

    const Recorder walking = counted([&] {
        for (const ByteView packet : packets) {
            Cursor cursor(packet);
            cursor.skip();
            wrong += !cursor.finish();
        }
    });
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(walking.count, 0u) << "by Cursor";
}

struct Party {
    std::string name;
    std::vector<std::string> members;
    std::map<std::string, std::vector<double>> marks;
    Variant rest;
};

TEST(NoMemory, EveryFailedAllocationOfAStructsMembersIsAnError) {
    const PackedByteArray packet = *encode(Variant(Dictionary{
        {"name", "a name too long to be kept in place"},
        {"members", Array{"another text that is too long", "and another one, longer still"}},
        {"marks", Dictionary{{"the first of the marks, also long", PackedFloat64Array{1, 2, 3}}}},
        {"rest", Dictionary{{"key", Array{1, "a text of more than fifteen bytes"}}}}}));
    std::size_t failures = 0;
    for (std::size_t k = 0;; ++k) {
        std::expected<std::size_t, Error> done;
        counted(
            [&] {
                Party party;
                done = decode_to(party, as_bytes(packet));
            },
            k);
        if (done)
            break;
        EXPECT_EQ(done.error().code, Errc::no_memory);
        ++failures;
    }
    EXPECT_GT(failures, 8u);
}

}  // namespace
}  // namespace gdvar::test
