// Sizes and checksums beside changed data: none goes wrong without a word, and each that is certain
// can be mended.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "gdvar/file/save_file.hpp"
#include "gdvar/file/sums.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/save/digest.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/value/codec.hpp"
#include "support/temp_folder.hpp"

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(ByteView view) {
    return {view.begin(), view.end()};
}
Bytes packet(const Variant& value) {
    return bytes_of(as_bytes(encode(value).value()));
}
Bytes records(const std::vector<Variant>& values) {
    Bytes out;
    MemoryTarget target(out);
    RecordWriter writer(target);
    for (const Variant& value : values)
        EXPECT_TRUE(writer.store_packet(packet(value)));
    return out;
}
Bytes wrapped(ByteView inner, std::string_view names) {
    static const ContainerKey key = key_from_password("x").value();
    Bytes out;
    MemorySource from(inner);
    MemoryTarget to(out);
    EXPECT_TRUE(write_layers(from, to, find_layers(names).value(), &key));
    return out;
}
PackedByteArray array_of(ByteView bytes) {
    PackedByteArray out;
    out.append({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    return out;
}
Bytes digest(ByteView bytes, DigestKind kind) {
    MemorySource source(bytes);
    return digest_of(source, kind).value();
}
std::string text_of(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A sum of some bytes, as a game stores it.
struct SumRow {
    const char* name;
    std::function<Variant(ByteView)> of;
};
std::vector<SumRow> sum_rows() {
    std::vector<SumRow> out = {
        {"size", [](ByteView b) { return Variant(static_cast<std::int64_t>(b.size())); }},
        {"size as float", [](ByteView b) { return Variant(static_cast<double>(b.size())); }},
        {"size as text", [](ByteView b) { return Variant(std::to_string(b.size())); }},
        {"CRC-32 as number",
         [](ByteView b) {
             std::uint32_t n = 0;
             for (const std::byte each : digest(b, DigestKind::crc32))
                 n = n << 8 | std::to_integer<std::uint32_t>(each);
             return Variant(static_cast<std::int64_t>(n));
         }},
    };
    for (const DigestKind kind :
         {DigestKind::crc32, DigestKind::md5, DigestKind::sha1, DigestKind::sha256}) {
        const char* name = digest_name(kind).data();
        out.push_back({name, [=](ByteView b) { return Variant(to_hex(digest(b, kind))); }});
        out.push_back({name, [=](ByteView b) { return Variant(to_base64(digest(b, kind))); }});
        out.push_back({name, [=](ByteView b) {
                           std::string hex = to_hex(digest(b, kind));
                           std::ranges::transform(hex, hex.begin(), [](char c) {
                               return c >= 'a' ? static_cast<char>(c - 32) : c;
                           });
                           return Variant(StringName(hex));
                       }});
    }
    return out;
}

/// The bytes of which a sum may be: what a String or PackedByteArray holds, from the outside in.
std::vector<Bytes> levels_of(const Bytes& inner, const std::vector<std::string>& layers) {
    std::vector<Bytes> out = {inner};
    for (std::size_t i = layers.size(); i-- > 0;)
        out.insert(out.begin(), wrapped(out.front(), layers[i]));
    return out;
}

std::string joined(const std::vector<StaleSum>& all) {
    std::string out;
    for (const StaleSum& sum : all)
        out += to_string(sum) + "\n";
    return out;
}

/// Changes the name in a save and returns it, with what was told.
Bytes changed(const Bytes& file, const SaveOptions& options, std::string_view path,
              SumsKept& sums) {
    auto save = read_save(file, options);
    EXPECT_TRUE(save) << to_string(save.error());
    if (!save)
        return {};
    EXPECT_TRUE(save->set(path, Variant("A much longer name than it was before, by some lines")));
    auto out = save->bytes(&sums);
    EXPECT_TRUE(out) << to_string(out.error());
    return out ? *out : Bytes();
}

const Variant world = Dictionary{{"hp", 100}, {"name", "Ada of the hills"}};

TEST(Digest, OfTheEmptyText) {
    const Bytes nothing;
    EXPECT_EQ(to_hex(digest(nothing, DigestKind::crc32)), "00000000");
    EXPECT_EQ(to_hex(digest(nothing, DigestKind::md5)), "d41d8cd98f00b204e9800998ecf8427e");
    EXPECT_EQ(to_hex(digest(nothing, DigestKind::sha1)),
              "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    EXPECT_EQ(to_hex(digest(nothing, DigestKind::sha256)),
              "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(to_hex(digest(as_bytes(std::string_view("123456789")), DigestKind::crc32)),
              "cbf43926");
}

/// Law: a change never leaves a size or a checksum beside it wrong without a word. Every sum, of
/// every level of every stack of layers, beside a String or PackedByteArray in a Dictionary.
TEST(Sums, EverySumOfEveryLayerIsToldAndMended) {
    const std::vector<std::vector<std::string>> stacks = {{"base64"},
                                                          {"hex"},
                                                          {"base64", "gzip"},
                                                          {"base64", "zlib"},
                                                          {"base64", "zstd"},
                                                          {"hex", "gcpf-fastlz"},
                                                          {"base64", "unpacked-size-u32 > zlib"}};
    for (const auto& layers : stacks) {
        const auto levels = levels_of(packet(world), layers);
        for (const SumRow& row : sum_rows())
            for (std::size_t level = 0; level < levels.size(); ++level) {
                // The length of Base64 says nothing if it is also another size.
                if (level == 0 && std::ranges::count(levels, levels[0].size(), &Bytes::size) > 1)
                    continue;
                const Variant sum = row.of(levels[level]);
                const Bytes file =
                    records({Dictionary{{"sum", sum}, {"data", text_of(levels[0])}, {"v", 3}}});
                const SaveOptions inside{.inside = {"$.data"}};
                SumsKept told;
                changed(file, inside, "$.name", told);
                ASSERT_FALSE(told.stale.empty()) << row.name << level << layers.back();
                EXPECT_EQ(told.stale[0].path, "#0 $.sum");
                EXPECT_FALSE(told.stale[0].mended);
                SumsKept mend{.mend = true};
                const Bytes made = changed(file, inside, "$.name", mend);
                ASSERT_EQ(mend.stale.size(), 1u) << joined(mend.stale);
                EXPECT_TRUE(mend.stale[0].mended) << joined(mend.stale);
                auto again = read_save(made, {.values = false});
                ASSERT_TRUE(again);
                // The sum of what is there now.
                auto opened = read_save(made, inside);
                ASSERT_TRUE(opened);
                const auto now = levels_of(bytes_of(opened->content().value()), layers);
                const std::string data = again->get<std::string>("$.data").value();
                ASSERT_EQ(data, text_of(now[0]));
                EXPECT_EQ(again->get("$.sum").value(), row.of(now[level]))
                    << row.name << level << layers.back();
            }
    }
}

/// The same of bytes, and of whole values: their packets.
TEST(Sums, OfBytesAndOfContainers) {
    for (const SumRow& row : sum_rows()) {
        const Bytes packed = wrapped(packet(world), "gzip");
        const Bytes file = packet(Dictionary{{"data", array_of(packed)}, {"sum", row.of(packed)}});
        SumsKept mend{.mend = true};
        const Bytes made = changed(file, {.inside = {"$.data"}}, "$.name", mend);
        auto again = read_save(made, {.values = false}).value();
        Variant held = again.get("$.data").value();
        const PackedByteArray& data = *held.get_if<PackedByteArray>();
        EXPECT_EQ(again.get("$.sum").value(), row.of(as_bytes(data))) << row.name;

        const Bytes nested = packet(Dictionary{
            {"slots", Array{Dictionary{{"sum", row.of(packet(world))}, {"data", world}}}}});
        SumsKept whole{.mend = true};
        const Bytes now = changed(nested, {}, "$.slots[0].data.name", whole);
        ASSERT_EQ(whole.stale.size(), 1u) << row.name << joined(whole.stale);
        EXPECT_EQ(whole.stale[0].path, "$.slots[0].sum");
        auto read = read_save(now).value();
        const Variant value = read.get("$.slots[0].data").value();
        EXPECT_EQ(read.get("$.slots[0].sum").value(), row.of(packet(value))) << row.name;
    }
}

/// In front of the data: records, elements, and what --skip passes over.
TEST(Sums, InFrontOfTheData) {
    for (const SumRow& row : sum_rows()) {
        const Bytes file = records({row.of(packet(world)), world});
        SumsKept mend{.mend = true};
        const Bytes made = changed(file, {}, "#1 $.name", mend);
        ASSERT_EQ(mend.stale.size(), 1u) << row.name;
        EXPECT_EQ(mend.stale[0].path, "#0 $");
        auto again = read_save(made).value();
        EXPECT_EQ(again.get("#0 $").value(), row.of(packet(again.get("#1 $").value())));

        const Bytes list = packet(Array{1, row.of(packet(world)), world});
        SumsKept element{.mend = true};
        auto read = read_save(changed(list, {}, "$[2].name", element)).value();
        EXPECT_EQ(read.get("$[1]").value(), row.of(packet(read.get("$[2]").value())));
    }
}

TEST(Sums, InBytesThatAreSkipped) {
    for (const std::string names : {"", "gzip", "zlib", "gcpf-zstd", "base64", "gdec-4"}) {
        const Bytes inner = records({world, "more"});
        const auto rest = [&](ByteView content) {
            return names.empty() ? bytes_of(content) : wrapped(content, names);
        };
        const auto number = [](std::size_t n, bool big) {
            Bytes out(4);
            const auto low = static_cast<std::uint32_t>(n);
            detail::store(out.data(), big ? detail::byteswap(low) : low);
            return out;
        };
        const auto wide = [](std::uint64_t n, bool big) {
            Bytes out(8);
            detail::store(out.data(), big ? detail::byteswap(n) : n);
            return out;
        };
        const auto text = [](const std::string& s) { return bytes_of(as_bytes(s)); };
        const std::function<Bytes(ByteView packed, ByteView unpacked)> heads[] = {
            [&](ByteView p, ByteView) { return number(p.size(), false); },
            [&](ByteView p, ByteView) { return number(p.size(), true); },
            [&](ByteView, ByteView u) { return number(u.size(), false); },
            [&](ByteView p, ByteView) { return text(to_hex(digest(p, DigestKind::md5)) + "\n"); },
            [&](ByteView, ByteView u) { return text(to_base64(digest(u, DigestKind::sha1))); },
            [&](ByteView p, ByteView) { return digest(p, DigestKind::sha256); },
            [&](ByteView p, ByteView) { return text(std::to_string(p.size()) + "\n"); },
            [&](ByteView p, ByteView) { return wide(p.size(), false); },
            [&](ByteView p, ByteView) { return wide(p.size(), true); },
        };
        for (const auto& head : heads) {
            const Bytes packed = rest(inner);
            Bytes file = head(packed, inner);
            const SaveOptions skip{.key = key_from_password("x").value(), .skip = file.size()};
            file.insert(file.end(), packed.begin(), packed.end());
            SumsKept told;
            changed(file, skip, "#0 $.name", told);
            ASSERT_EQ(told.stale.size(), 1u) << names << joined(told.stale) << &head - heads;
            EXPECT_TRUE(told.stale[0].path.starts_with("byte ")) << told.stale[0].path;
            SumsKept mend{.mend = true};
            const Bytes made = changed(file, skip, "#0 $.name", mend);
            ASSERT_EQ(mend.stale.size(), 1u);
            ASSERT_TRUE(mend.stale[0].mended) << joined(mend.stale);
            // The head is right for what follows, which a decimal number may have moved.
            bool right = false;
            for (std::size_t size = skip.skip; size <= skip.skip + 1; ++size) {
                const auto opened = read_save(made, {.key = skip.key, .skip = size});
                if (!opened)
                    continue;
                auto save = read_save(made, {.key = skip.key, .skip = size});
                const Bytes now = head(ByteView(made).subspan(size), save->content().value());
                right = right || std::ranges::equal(ByteView(made).first(size), now);
            }
            EXPECT_TRUE(right) << names << &head - heads;
        }
    }
}

/// A CRC-32 that was a negative number stays one with a sign: as int, as float, as text.
TEST(Sums, WithASign) {
    const auto crc_of = [](const Variant& data) {
        const Bytes crc = digest(as_bytes(std::string_view(data.text())), DigestKind::crc32);
        return detail::byteswap(detail::load<std::uint32_t>(crc.data()));
    };
    const std::function<Variant(std::int64_t)> forms[] = {
        [](std::int64_t n) { return Variant(n); },
        [](std::int64_t n) { return Variant(static_cast<double>(n)); },
        [](std::int64_t n) { return Variant(std::to_string(n)); }};
    const auto with_sign = [](std::uint32_t n) -> std::int64_t {
        return static_cast<std::int32_t>(n);
    };
    const auto without = [](std::uint32_t n) -> std::int64_t { return n; };
    // One of each of the two kinds has the highest bit, and one has not.
    const auto named = [&](const char* name, bool high) {
        for (int i = 0;; ++i)
            if (const std::string text = name + std::to_string(i);
                (crc_of(text) >> 31 != 0) == high)
                return text;
    };
    for (const auto& form : forms)
        for (const bool negative : {true, false})
            for (const bool high : {true, false}) {
                const std::string before = named("before", negative);
                const std::string after = named("after", high);
                const Bytes file =
                    packet(Dictionary{{"crc", form(with_sign(crc_of(before)))}, {"data", before}});
                auto save = read_save(file).value();
                ASSERT_TRUE(save.set("$.data", after));
                SumsKept mend{.mend = true};
                const auto made = save.bytes(&mend);
                ASSERT_TRUE(made);
                ASSERT_EQ(mend.stale.size(), 1u) << negative << high << joined(mend.stale);
                // One below 2^31 says nothing of a sign: GDScript, whose ints have 64 bits, has
                // none.
                const auto now = crc_of(after);
                EXPECT_EQ(read_save(*made)->get("$.crc").value(),
                          form(negative ? with_sign(now) : without(now)))
                    << joined(mend.stale);
            }
}

/// In front of a save the same as an int of 64 bits, in both byte orders.
TEST(Sums, WithASignInBytesThatAreSkipped) {
    const auto crc_of = [](ByteView data) {
        const Bytes crc = digest(data, DigestKind::crc32);
        return detail::byteswap(detail::load<std::uint32_t>(crc.data()));
    };
    const auto wide = [](std::int64_t n, bool big) {
        const auto bits = static_cast<std::uint64_t>(n);
        Bytes out(8);
        detail::store(out.data(), big ? detail::byteswap(bits) : bits);
        return out;
    };
    int signs[2][2]{};
    for (const bool big : {false, true})
        for (int i = 0; i < 16; ++i) {
            const Bytes inner = packet(Dictionary{{"hp", i}, {"name", "Ada"}});
            const auto was = static_cast<std::int32_t>(crc_of(inner));
            if (was >= 0)
                continue;
            Bytes file = wide(was, big);
            std::ranges::copy(inner, std::back_inserter(file));
            SumsKept mend{.mend = true};
            const Bytes made = changed(file, {.skip = 8}, "$.name", mend);
            const auto now = static_cast<std::int32_t>(crc_of(ByteView(made).subspan(8)));
            EXPECT_TRUE(std::ranges::equal(ByteView(made).first(8), wide(now, big)));
            EXPECT_EQ(joined(mend.stale), "byte 0: " + std::to_string(was) + " -> " +
                                              std::to_string(now) +
                                              ", the CRC-32 of what follows\n");
            ++signs[big][now < 0];
        }
    for (const auto& each : signs)
        EXPECT_TRUE(each[0] && each[1]);
}

/// A number keeps the width that it was padded to, and its digits.
TEST(Sums, WithPadding) {
    const std::string data(20, 'x');
    const struct {
        const char *was, *longer, *shorter;
    } rows[] = {
        {"00000020", "00000134", "00000003"}, {"0020", "0134", "0003"}, {"020", "134", "003"},
        {"      20", "     134", "       3"}, {"20  ", "134 ", "3   "}, {"0014", "0086", "0003"},
        {"00000014", "00000086", "00000003"}, {"0x14", "0x86", "0x03"}, {"20", "134", "3"},
    };
    for (const auto& row : rows)
        for (const auto& [size, now] : {std::pair(134, row.longer), std::pair(3, row.shorter)}) {
            auto save = read_save(packet(Dictionary{{"size", row.was}, {"data", data}})).value();
            ASSERT_TRUE(save.set("$.data", std::string(static_cast<std::size_t>(size), 'y')));
            SumsKept mend{.mend = true};
            const auto made = save.bytes(&mend);
            EXPECT_EQ(joined(mend.stale),
                      "$.size: " + std::string(row.was) + " -> " + now + ", the size of $.data\n");
            EXPECT_EQ(read_save(*made)->get<std::string>("$.size"), now);
        }
}

/// Lines of text in front of a save. @ is its size, # its CRC-32, ~ the same with a sign.
TEST(Sums, TextsInBytesThatAreSkipped) {
    const auto written = [](std::string_view form, ByteView inner) {
        const Bytes crc = digest(inner, DigestKind::crc32);
        const std::uint32_t sum = detail::byteswap(detail::load<std::uint32_t>(crc.data()));
        std::string out;
        for (const char c : form) {
            const std::string size = std::to_string(inner.size());
            if (c == '0' || c == '>')
                out += std::string(8 - size.size(), c == '0' ? '0' : ' ') + size;
            else if (c == '<')
                out += size + std::string(8 - size.size(), ' ');
            else if (c == '@')
                out += size;
            else if (c == '#')
                out += std::to_string(sum);
            else if (c == '~')
                out += std::to_string(static_cast<std::int32_t>(sum));
            else
                out += c;
        }
        return out;
    };
    const Bytes inner = packet(Dictionary{{"hp", 7}, {"name", "Ada the great 8"}});
    for (const char* form : {"0\n", "0", ">\n", ">", "<\n", "<", "v1\n>\n", "+#\n", "#-@\n",
                             "@+#\n", "a~\n", "~\n", "size=@\n", "crc_#/@\n", "@-~\n", "a-#\n"}) {
        const std::string head = written(form, inner);
        Bytes file = bytes_of(as_bytes(head));
        file.insert(file.end(), inner.begin(), inner.end());
        SumsKept mend{.mend = true};
        const Bytes made = changed(file, {.skip = head.size()}, "$.name", mend);
        EXPECT_FALSE(mend.stale.empty()) << form;
        bool right = false;
        for (std::size_t size = head.size() - 3; size <= head.size() + 3; ++size)
            right = right || text_of(ByteView(made).first(size)) ==
                                 written(form, ByteView(made).subspan(size));
        EXPECT_TRUE(right) << form << joined(mend.stale) << text_of(ByteView(made).first(30));
    }
}

/// Numbers of both byte orders that overlap: the one that is aligned counts.
TEST(Sums, OfTheByteOrderThatIsAligned) {
    const Bytes inner = packet(Dictionary{{"hp", 7}, {"name", "Ada of the hills 17"}});
    ASSERT_EQ(inner.size(), 68u);
    // The size is the byte 44.
    for (const auto& [head, now, mended] :
         {std::tuple("0100000044000000", "0100000064000000", true),
          std::tuple("0000000144000000", "0000000164000000", true),
          std::tuple("000000010000004400000002", "000000010000006400000002", true),
          std::tuple("000100000044000000", "000100000064000000", true),
          std::tuple("01000000000000004400000000000000", "01000000000000006400000000000000", true),
          std::tuple("00000044000000", "00000044000000", false)}) {
        Bytes file = from_hex(head).value();
        const SaveOptions skip{.skip = file.size()};
        file.insert(file.end(), inner.begin(), inner.end());
        SumsKept mend{.mend = true};
        const Bytes made = changed(file, skip, "$.name", mend);
        ASSERT_EQ(mend.stale.size(), 1u) << head << joined(mend.stale);
        EXPECT_EQ(to_hex(ByteView(made).first(skip.skip)), now) << joined(mend.stale);
        EXPECT_EQ(mend.stale[0].mended, mended);
        if (!mended) {
            EXPECT_EQ(to_string(mend.stale[0]),
                      "byte 3: 68 was the size of what follows (as another number was), which has "
                      "changed");
        }
    }
}

/// Sums around sums: each is that of what stands there now.
TEST(Sums, AroundOneAnother) {
    const auto md5 = [](const Variant& value) {
        return to_hex(digest(packet(value), DigestKind::md5));
    };
    const Variant inner = Dictionary{{"sum", md5(world)}, {"data", world}};
    const Variant outer = Dictionary{{"sum", md5(inner)}, {"data", inner}};
    const Bytes file = records({md5(outer), outer});
    SumsKept mend{.mend = true};
    auto again = read_save(changed(file, {}, "#1 $.data.data.name", mend)).value();
    EXPECT_EQ(mend.stale.size(), 3u) << joined(mend.stale);
    const auto value = [&](std::string_view path) { return again.get(path).value(); };
    EXPECT_EQ(value("#1 $.data.sum"), Variant(md5(value("#1 $.data.data"))));
    EXPECT_EQ(value("#1 $.sum"), Variant(md5(value("#1 $.data"))));
    EXPECT_EQ(value("#0 $"), Variant(md5(value("#1 $"))));
}

TEST(Sums, WhatIsNoneIsNotTold) {
    const Bytes file = records({Dictionary{{"gold", 777},
                                           {"small", 3},
                                           {"hash", "0f7c7486b99439c7dda3f6246734ca68"},
                                           {"data", world}},
                                "a text", 41});
    SumsKept sums{.mend = true};
    const Bytes made = changed(file, {}, "#0 $.data.name", sums);
    EXPECT_TRUE(sums.stale.empty()) << joined(sums.stale);
    // A name of three bytes, and the number 3.
    const Bytes small = packet(Dictionary{{"n", 3}, {"name", "Ada"}});
    changed(small, {}, "$.name", sums);
    EXPECT_TRUE(sums.stale.empty()) << joined(sums.stale);
    // Without a change, or with one that leaves the size, nothing is stale.
    const Bytes same = packet(
        Dictionary{{"n", 52}, {"name", "Another name, which is as long as the one that comes"}});
    changed(same, {}, "$.name", sums);
    EXPECT_TRUE(sums.stale.empty()) << joined(sums.stale);
    // Who changes the number says what it is.
    auto save = read_save(packet(Dictionary{{"n", 24}, {"name", "A name of 24 characters."}}));
    ASSERT_TRUE(save->set("$.name", "Ada"));
    ASSERT_TRUE(save->set("$.n", 3));
    ASSERT_TRUE(save->bytes(&sums));
    EXPECT_TRUE(sums.stale.empty()) << joined(sums.stale);
}

/// Where two things fit, and now differ, nobody knows.
TEST(Sums, WhereTwoThingsFitNothingIsMended) {
    const Bytes file = packet(
        Dictionary{{"n", 20}, {"one", "twenty characters, 1"}, {"two", "twenty characters, 2"}});
    SumsKept sums{.mend = true};
    auto save = read_save(file).value();
    ASSERT_TRUE(save.set("$.one", "fewer"));
    ASSERT_TRUE(save.set("$.two", "more than twenty characters"));
    ASSERT_TRUE(save.bytes(&sums));
    ASSERT_EQ(sums.stale.size(), 1u);
    EXPECT_FALSE(sums.stale[0].mended);
    EXPECT_EQ(to_string(sums.stale[0]),
              "$.n: 20 was the size of $.one or the size of $.two, which has changed");
}

/// The sum may be that of unchanged data.
TEST(Sums, OfWhatHasNotChangedIsNotMended) {
    const std::string data(40, 'x');
    const std::string md5 = to_hex(digest(as_bytes(data), DigestKind::md5));
    auto save =
        read_save(packet(Dictionary{{"now", data}, {"backup", data}, {"md5", md5}})).value();
    ASSERT_TRUE(save.set("$.now", "other"));
    SumsKept sums{.mend = true};
    ASSERT_TRUE(save.bytes(&sums));
    ASSERT_EQ(sums.stale.size(), 1u);
    EXPECT_FALSE(sums.stale[0].mended) << joined(sums.stale);
}

/// Files of games: the size, or the MD5, of what a text in Base64 holds, beside it in JSON.
TEST(Sums, InJson) {
    const std::string data =
        "GwAAAAIAAAAEAAAAAgAAAGhwAAACAAAAZAAAAAQAAAAEAAAAbmFtZQQAAAADAAAAQWRhAA==";
    const std::string json =
        R"({"hash": "9f7c7486b99439c7dda3f6246734ca68", "data": ")" + data + R"("})";
    SumsKept sums{.mend = true};
    const Bytes made = changed(bytes_of(as_bytes(json)), {.inside = {"$.data"}}, "$.name", sums);
    ASSERT_EQ(sums.stale.size(), 1u) << joined(sums.stale);
    EXPECT_TRUE(sums.stale[0].mended);
    auto again = read_save(made, {.values = false}).value();
    const std::string now = again.get<std::string>("$.data").value();
    const std::string hash = again.get<std::string>("$.hash").value();
    EXPECT_TRUE(hash == to_hex(digest(as_bytes(now), DigestKind::md5)) ||
                hash == to_hex(digest(from_base64(now).value(), DigestKind::md5)))
        << text_of(made);
}

/// 52 bytes come out of the 52 digits: the size is that of what comes out.
TEST(Sums, TheLengthOfDigitsIsTheLastGuess) {
    const std::string json =
        R"({"size": 52, "data": "eJyTZmBgYAJiFiidUQChU6BiIJyXmJsKopmB2DElkQEAS8AEGA=="})";
    SumsKept sums{.mend = true};
    const Bytes made = changed(bytes_of(as_bytes(json)), {.inside = {"$.data"}}, "$.name", sums);
    ASSERT_EQ(sums.stale.size(), 1u) << joined(sums.stale);
    EXPECT_EQ(sums.stale[0].of, "the size of $.data out of base64 > zlib");
    EXPECT_TRUE(sums.stale[0].mended);
    EXPECT_EQ(read_save(made, {.values = false})->get<int>("$.size"), 100);
}

/// A Dictionary in JSON: of what `JSON.stringify` gives for it.
TEST(Sums, OfWhatStandsInAText) {
    const std::string data = R"({"hp":7,"name":"Ada"})";
    const std::string json = R"({"data":)" + data + R"(,"hash":")" +
                             to_hex(digest(as_bytes(data), DigestKind::md5)) + R"("})";
    SumsKept sums{.mend = true};
    auto save = read_save(as_bytes(json)).value();
    ASSERT_TRUE(save.set("$.data.hp", 1234));
    const auto made = save.bytes(&sums);
    ASSERT_TRUE(made);
    const std::string now = R"({"hp":1234,"name":"Ada"})";
    EXPECT_EQ(text_of(*made), R"({"data":)" + now + R"(,"hash":")" +
                                  to_hex(digest(as_bytes(now), DigestKind::md5)) + R"("})")
        << joined(sums.stale);
}

/// Data nested in data with a checksum each costs no more than its size, times a constant.
TEST(Sums, NestedDeeply) {
    // {"s": "d41d...", "d": {"s": ..., "d": ...}}, by hand.
    const Bytes s = packet("s"), d = packet("d"), sum = packet("d41d8cd98f00b204e9800998ecf8427e");
    Bytes before;
    for (int i = 0; i < 20000; ++i) {
        const Bytes dictionary = from_hex("1b00000002000000").value();
        for (const Bytes& part : {dictionary, s, sum, d})
            before.insert(before.end(), part.begin(), part.end());
    }
    const Bytes inner = packet(world);
    before.insert(before.end(), inner.begin(), inner.end());
    Bytes after = before;
    after.back() ^= std::byte{1};
    const DecodeOptions deep{.limits = {.max_depth = 100000}};
    SumKeeper keeper(*find_document_kind(InputKind::packet), {.before = deep, .after = deep});
    ASSERT_TRUE(Document::parse(before, deep));
    EXPECT_TRUE(keeper.take({.packet = after}, before, [](const SaveItem&) { return true; }));
    EXPECT_TRUE(keeper.stale().empty());
}

using SumsInFiles = TempFolder;

Bytes content_of(const std::string& path) {
    auto file = FileSource::open(path);
    EXPECT_TRUE(file);
    return file ? read_all(*file, UINT64_MAX).value() : Bytes();
}

/// Saves one change after the other: each gives the sum that the data has then.
void save_twice(SaveFile& save, const std::string& path, std::string_view data,
                std::string_view other, const Variant& number, const std::function<bool()>& fits) {
    for (const std::string_view text : {"Grace Hopper, the admiral", "Ada Lovelace, the first"}) {
        ASSERT_TRUE(save.set(data, Variant(text)));
        SumsKept sums{.mend = true};
        ASSERT_TRUE(save.save({}, &sums));
        ASSERT_EQ(sums.stale.size(), 1u) << text << "\n" << joined(sums.stale);
        EXPECT_TRUE(sums.stale[0].mended) << to_string(sums.stale[0]);
        EXPECT_TRUE(fits()) << text;
        // A later save of another change puts nothing old back.
        ASSERT_TRUE(save.set(other, number));
        ASSERT_TRUE(save.save());
        EXPECT_TRUE(fits()) << text;
        EXPECT_EQ(save.get(other).value(), number);
        ASSERT_TRUE(save.set(other, Variant(1)));
        EXPECT_EQ(save.bytes().value().size(), content_of(path).size());
    }
}

TEST_F(SumsInFiles, MendedOnesStayAfterFurtherSaves) {
    const auto sum_of = [](std::string_view text) {
        return to_hex(digest(as_bytes(text), DigestKind::md5));
    };
    const std::string path = put("a.json", "{\"data\":\"Ada of the hills\",\"md5\":\"" +
                                               sum_of("Ada of the hills") + "\",\"n\":1}");
    auto save = open_save(path);
    ASSERT_TRUE(save) << to_string(save.error());
    save_twice(*save, path, "$.data", "$.n", Variant(2), [&] {
        auto fresh = read_save(content_of(path));
        const std::string md5 = sum_of(fresh->get<std::string>("$.data").value());
        return fresh->get<std::string>("$.md5").value() == md5 &&
               save->get<std::string>("$.md5").value() == md5;
    });
}

TEST_F(SumsInFiles, InBytesThatAreSkipped) {
    const Bytes inner = packet(Dictionary{{"name", "Ada of the hills"}, {"n", 1}});
    Bytes file = bytes_of(as_bytes(std::string_view("SAVE")));
    const Bytes crc = digest(inner, DigestKind::crc32);
    file.insert(file.end(), crc.begin(), crc.end());
    file.insert(file.end(), inner.begin(), inner.end());
    const std::string path = put("a.save", file);
    auto save = open_save(path, {.skip = 8});
    ASSERT_TRUE(save) << to_string(save.error());
    const auto fits = [&] {
        const Bytes now = content_of(path);
        const Bytes sum = digest(ByteView(now).subspan(8), DigestKind::crc32);
        return std::ranges::equal(sum, ByteView(now).subspan(4, 4));
    };
    for (const char* name : {"Grace Hopper", "Ada Lovelace, the first"}) {
        ASSERT_TRUE(save->set("$.name", Variant(name)));
        SumsKept sums{.mend = true};
        ASSERT_TRUE(save->save({}, &sums));
        EXPECT_EQ(sums.stale.size(), 1u) << joined(sums.stale);
        EXPECT_TRUE(fits()) << name;
    }
}

}  // namespace
}  // namespace gdvar::test
