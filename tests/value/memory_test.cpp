// Memory: what is taken, and what happens when it runs out.
#include <gtest/gtest.h>

#include "gdvar/value/codec.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/wire/validate.hpp"
#include "support/allocations.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

std::vector<std::vector<std::byte>> hostile() {
    std::vector<std::vector<std::byte>> out;
    // Lying counts, alone and in nests.
    for (const char* text : {"1c000000ffffff7f", "1b000000ffffff7f", "22000000ffffff7f",
                             "1e000000ffffff0f", "1d000000ffffff7f", "1c0000000000001000000000"})
        out.push_back(unhex(text));
    for (const char* head : {"1c000000", "1b000000"})
        for (const std::uint32_t count : {2u, 100u, 1000000u}) {
            std::vector<std::byte> nest;
            for (int i = 0; i < 900; ++i) {
                const auto word = unhex(head);
                nest.insert(nest.end(), word.begin(), word.end());
                std::byte bytes[4];
                detail::store(bytes, count);
                nest.insert(nest.end(), bytes, bytes + 4);
            }
            nest.resize(nest.size() + 40000);
            out.push_back(nest);
        }
    // Values that cost most a byte: nested arrays of one, empty containers, one-byte strings.
    std::vector<std::byte> arrays, strings, names;
    for (int i = 0; i < 1000; ++i) {
        const auto word = unhex("1c00000001000000");
        arrays.insert(arrays.end(), word.begin(), word.end());
    }
    arrays.resize(arrays.size() + 4);
    out.push_back(arrays);
    for (const char* element :
         {"00000000", "1c00000000000000", "040000000000000", "2300000000000000",
          "1c0001000200000000000000", "1b0000000100000000000000000000 00", "1900000000000000"}) {
        std::string digits(element);
        std::erase(digits, ' ');
        if (digits.size() % 2)
            digits += '0';
        const auto item = unhex(digits);
        std::vector<std::byte> many = unhex("1c00000000400000");
        for (int i = 0; i < 0x4000; ++i)
            many.insert(many.end(), item.begin(), item.end());
        out.push_back(many);
    }
    return out;
}

TEST(Memory, StaysWithinItsBound) {
    auto inputs = hostile();
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording))
            inputs.push_back(vector.bytes);
    for (const auto& entry : std::filesystem::directory_iterator(data_dir() / "workloads" / "g4"))
        if (entry.path().extension() == ".bin")
            inputs.push_back(read_bytes(entry.path()));
    double worst_document = 0, worst_variant = 0;
    constexpr std::size_t constant = 4096;
    for (const auto& bytes : inputs)
        for (const Dialect* dialect : {&dialects::godot_4_4, &dialects::godot_3_1}) {
            const DecodeOptions options = reading(*dialect);
            const Recorder document = counted([&] { (void)Document::parse(bytes, options); });
            const Recorder variant = counted([&] { (void)decode(bytes, options); });
            EXPECT_LE(document.peak, 8 * bytes.size() + constant) << hex(bytes).substr(0, 80);
            EXPECT_LE(variant.peak, 16 * bytes.size() + constant) << hex(bytes).substr(0, 80);
            EXPECT_EQ(counted([&] { (void)validate(bytes, options); }).peak > 16384, false);
            if (bytes.size() < 4096)
                continue;
            const auto size = static_cast<double>(bytes.size());
            worst_document = std::max(worst_document, static_cast<double>(document.peak) / size);
            worst_variant = std::max(worst_variant, static_cast<double>(variant.peak) / size);
        }
    std::printf("peak memory, times the input: Document %.2f, Variant %.2f\n", worst_document,
                worst_variant);
}

TEST(Memory, EveryAllocationMayFail) {
    std::size_t failures = 0;
    for (const Recording& recording : {recordings[0], recordings[3]}) {
        std::size_t taken = 0;
        for (const Vector& vector : vectors_of(recording)) {
            if (vector.bytes.size() > 3000 || ++taken > 150)
                continue;
            const DecodeOptions options = reading(*recording.dialect);
            auto value = decode(vector.bytes, options);
            ASSERT_TRUE(value);
            for (std::size_t k = 0;; ++k) {
                bool all_done = true;
                std::expected<Variant, Error> decoded;
                std::expected<Document, Error> document;
                std::expected<PackedByteArray, Error> encoded;
                bool copied = false;
                Variant copy;
                const auto try_all = [&](auto&& work) {
                    const Recorder record = counted(work, k);
                    all_done = all_done && record.count <= k;
                    failures += record.count > k;
                    return record.count <= k;
                };
                if (!try_all([&] { decoded = decode(vector.bytes, options); })) {
                    ASSERT_FALSE(decoded) << vector.name;
                    ASSERT_EQ(decoded.error().code, Errc::no_memory);
                }
                if (!try_all([&] { document = Document::parse(vector.bytes, options); })) {
                    ASSERT_FALSE(document);
                    ASSERT_EQ(document.error().code, Errc::no_memory);
                }
                if (!try_all([&] { encoded = encode(*value, writing(*recording.dialect)); })) {
                    ASSERT_FALSE(encoded);
                    ASSERT_EQ(encoded.error().code, Errc::no_memory);
                }
                if (!try_all([&] { copied = copy.try_copy(*value); })) {
                    ASSERT_FALSE(copied);
                }
                if (all_done)
                    break;
                ASSERT_LT(k, 20000u);
            }
        }
    }
    EXPECT_GT(failures, 1000u);
}

TEST(Memory, EveryAllocationOfDecodingAndCopyingMayFailAndNothingIsLost) {
    std::size_t failures = 0;
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording)) {
            const DecodeOptions options = reading(*recording.dialect);
            const auto value = decode(vector.bytes, options);
            if (!value)
                continue;
            bool decoded = false, copied = false;
            for (std::size_t k = 0; !(decoded && copied); ++k) {
                const Recorder decoding = counted(
                    [&] {
                        const auto made = decode(vector.bytes, options);
                        decoded = made.has_value();
                        ASSERT_TRUE(decoded || made.error().code == Errc::no_memory);
                    },
                    k);
                const Recorder copying = counted(
                    [&] {
                        Variant copy;
                        copied = copy.try_copy(*value);
                        ASSERT_TRUE(copied || copy.is_nil());
                    },
                    k);
                ASSERT_EQ(decoding.now, 0u) << vector.name << ' ' << k;
                ASSERT_EQ(copying.now, 0u) << vector.name << ' ' << k;
                ASSERT_EQ(decoded, decoding.count <= k) << vector.name;
                ASSERT_EQ(copied, copying.count <= k) << vector.name;
                failures += !decoded + !copied;
            }
        }
    EXPECT_GT(failures, 1000u);
}

TEST(Memory, AKeptPartKeepsOneSlabAtMost) {
    const auto bytes = read_bytes(data_dir() / "workloads" / "g4" / "savegame.bin");
    std::size_t whole = 0, kept = 0, after = 1;
    counted([&] {
        auto value = decode(bytes);
        whole = recorder.now;
        Variant part;
        for (Variant* at = &*value; at;) {
            Variant* inner = nullptr;
            if (auto* array = at->get_if<Array>(); array && !array->empty())
                inner = &(*array)[array->size() - 1];
            else if (auto* pairs = at->get_if<Dictionary>(); pairs && !pairs->empty())
                inner = &(pairs->end() - 1)->value;
            if (!inner)
                break;
            at = inner;
            if (at->is(Type::dictionary) || at->is(Type::array)) {
                part = std::move(*at);
                at = &part;
                kept = 0;
            }
        }
        *value = Variant();
        kept = recorder.now;
        part = Variant();
        after = recorder.now;
    });
    EXPECT_GT(whole, 10 * 33'000u);
    EXPECT_GT(kept, 0u);
    EXPECT_LE(kept, 33'000u);
    EXPECT_EQ(after, 0u);
}

TEST(Memory, AWarmDocumentAllocatesNothing) {
    const auto vectors = vectors_of(recordings[0]);
    Document document;
    for (const Vector& vector : vectors)
        ASSERT_TRUE(document.read(vector.bytes, reading(dialects::godot_4_4)));
    const Recorder record = counted([&] {
        for (const Vector& vector : vectors)
            if (vector.bytes.size() < 400)
                (void)document.read(vector.bytes, reading(dialects::godot_4_4));
    });
    EXPECT_EQ(record.count, 0u);
}

}  // namespace
}  // namespace gdvar::test
