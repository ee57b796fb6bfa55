// Streams of one compression: read and written, damaged, bombed, and written again with the parts
// kept that need not change.
#include "gdvar/save/coding.hpp"
#include "save/support.hpp"

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;

constexpr Wrapping streams[] = {Wrapping::gzip, Wrapping::zlib, Wrapping::deflate, Wrapping::zstd,
                                Wrapping::brotli};

std::expected<Bytes, FileError> unwrap_as(Source& source, OpenOptions options) {
    auto opened = open_container(source, options);
    if (!opened)
        return std::unexpected(opened.error());
    return read_all(**opened);
}
std::expected<Bytes, FileError> unwrap_as(ByteView bytes, Wrapping kind,
                                          std::uint64_t most = 1 << 24) {
    MemorySource source(bytes);
    return unwrap_as(source, {.kind = kind, .max_bytes = most});
}

/// The new content in place of the old one.
Bytes rewrap(ByteView plain, ByteView old, WriteOptions options, std::uint64_t skip = 0) {
    Bytes out;
    MemorySource from(plain), before(old);
    MemoryTarget to(out);
    options.before = &before;
    options.before_skip = skip;
    const auto done = write_container(from, to, options);
    EXPECT_TRUE(done) << to_string(done.error());
    EXPECT_EQ(done.value_or(0), plain.size());
    return out;
}

Bytes joined(std::initializer_list<ByteView> parts) {
    Bytes out;
    for (const ByteView part : parts)
        out.insert(out.end(), part.begin(), part.end());
    return out;
}

/// A gzip member with a name and a time in its header.
Bytes named_member(ByteView plain, std::string_view name) {
    const Bytes member = wrap(plain, {.kind = Wrapping::gzip});
    return joined({bytes_of_hex("1f8b08085a0000600003"), as_bytes(name), Bytes(1),
                   ByteView(member).subspan(10)});
}

TEST(Streams, EveryKindAndSizeThereAndBack) {
    for (const std::size_t size : {0u, 1u, 15u, 4096u, 65'536u, 65'537u, 300'000u})
        for (const Wrapping kind : streams) {
            SCOPED_TRACE(std::string(wrapping_name(kind)) + " " + std::to_string(size));
            const Bytes plain = sample_bytes(size);
            const Bytes wrapped = wrap(plain, {.kind = kind});
            EXPECT_EQ(unwrap_as(wrapped, kind).value(), plain);
            Dribble pipe(wrapped, 1000);
            EXPECT_EQ(unwrap_as(pipe, {.kind = kind}).value(), plain) << "from a pipe";
            const Bytes behind = joined({Bytes(7), wrapped});
            MemorySource source(behind);
            auto opened = open_container(source, {.kind = kind, .skip = 7}).value();
            EXPECT_EQ(opened->kind(), kind);
            EXPECT_EQ(opened->size(), std::nullopt);
            EXPECT_EQ(opened->skip(3), std::min<std::size_t>(3, size));
            ASSERT_TRUE(opened->rewind());
            EXPECT_EQ(read_all(*opened).value(), plain) << "again";
            EXPECT_EQ(opened->trailing(), 0u);
            const bool magic = kind == Wrapping::gzip || kind == Wrapping::zstd;
            EXPECT_EQ(unwrap_as(wrapped, Wrapping::none).has_value(), magic);
        }
}

// decompress() is another path through the libraries: one call, and the sizes of the engines.
TEST(Streams, AreWhatTheEnginesCompress) {
    const std::pair<Wrapping, Compression> same[] = {{Wrapping::gzip, Compression::gzip},
                                                     {Wrapping::zlib, Compression::deflate},
                                                     {Wrapping::zstd, Compression::zstd}};
    for (const auto& [kind, mode] : same)
        for (const std::size_t size : {1u, 4096u, 100'000u}) {
            const Bytes plain = sample_bytes(size);
            EXPECT_EQ(decompress(wrap(plain, {.kind = kind}), mode, size).value(), plain);
            EXPECT_EQ(unwrap_as(compress(plain, mode).value(), kind).value(), plain);
            if (kind != Wrapping::zstd) {
                EXPECT_EQ(wrap(plain, {.kind = kind}), compress(plain, mode).value());
            }
        }
    EXPECT_EQ(
        decompress(wrap(sample_bytes(5000), {.kind = Wrapping::brotli}), Compression::brotli, 5000)
            .value(),
        sample_bytes(5000));
}

TEST(Streams, SeveralMembersAreOneContent) {
    const Bytes a = sample_bytes(70'000), b = sample_bytes(5);
    for (const Wrapping kind : {Wrapping::gzip, Wrapping::zstd}) {
        const Bytes both =
            joined({wrap(a, {.kind = kind}), wrap({}, {.kind = kind}), wrap(b, {.kind = kind})});
        EXPECT_EQ(unwrap_as(both, kind).value(), joined({a, b}));
    }
    // A zstd frame that is skipped.
    const Bytes skipped =
        joined({wrap(a, {.kind = Wrapping::zstd}), bytes_of_hex("502a4d1803000000616263"),
                wrap(b, {.kind = Wrapping::zstd})});
    EXPECT_EQ(unwrap_as(skipped, Wrapping::zstd).value(), joined({a, b}));
}

TEST(Streams, BytesBehindAreCountedAndKept) {
    const Bytes plain = sample_bytes(100'000), tail(70'000, std::byte{'x'});
    for (const Wrapping kind : streams) {
        SCOPED_TRACE(wrapping_name(kind));
        const Bytes file = joined({wrap(plain, {.kind = kind}), tail});
        MemorySource source(file);
        auto opened = open_container(source, {.kind = kind}).value();
        EXPECT_EQ(read_all(*opened).value(), plain);
        EXPECT_EQ(opened->trailing(), tail.size());
        Bytes other = plain;
        other[5] ^= std::byte{1};
        const Bytes written = rewrap(other, file, {.kind = kind});
        EXPECT_EQ(unwrap_as(written, kind).value(), other);
        EXPECT_EQ(Bytes(written.end() - 70'000, written.end()), tail);
        EXPECT_EQ(rewrap(plain, file, {.kind = kind}), file);
    }
    const ContainerKey key = key_from_password("x").value();
    for (const WriteOptions& options : {WriteOptions{.compression = Compression::deflate},
                                        WriteOptions{.kind = Wrapping::gdec_3, .key = &key},
                                        WriteOptions{.kind = Wrapping::gdec_4, .key = &key}}) {
        const Bytes file = joined({Bytes(3), wrap(plain, options), tail});
        MemorySource source(file);
        auto opened = open_container(source, {.key = &key, .skip = 3}).value();
        EXPECT_EQ(opened->trailing(), tail.size());
        const Bytes written = rewrap(plain, file, options, 3);
        EXPECT_EQ(Bytes(written.end() - 70'000, written.end()), tail);
        EXPECT_EQ(written.size(), file.size() - 3);
    }
}

TEST(Streams, MembersThatHoldTheSameStay) {
    const Bytes a = sample_bytes(70'000), b = sample_bytes(3000), c = sample_bytes(9);
    const Bytes first = named_member(a, "first.bin"), second = named_member(b, "second.bin"),
                third = named_member(c, "third.bin");
    const Bytes file = joined({first, second, third});
    const WriteOptions gzip{.kind = Wrapping::gzip};
    EXPECT_EQ(rewrap(joined({a, b, c}), file, gzip), file);
    // The header of a member that changes stays, too.
    const Bytes longer = joined({b, Bytes(50)});
    const Bytes written = rewrap(joined({a, longer, c}), file, gzip);
    EXPECT_EQ(written, joined({first, named_member(longer, "second.bin"), third}));
    EXPECT_EQ(unwrap_as(written, Wrapping::gzip).value(), joined({a, longer, c}));
    EXPECT_EQ(rewrap(joined({b, c}), file, gzip),
              joined({named_member({}, "first.bin"), second, third}));
    // Readers of one member must find all: what is added goes into the last one.
    EXPECT_EQ(rewrap(longer, second, gzip), named_member(longer, "second.bin"));
    EXPECT_EQ(rewrap(b, named_member({}, "empty"), gzip), named_member(b, "empty"));
    EXPECT_EQ(rewrap({}, second, gzip), named_member({}, "second.bin"));
    EXPECT_EQ(rewrap(joined({a, Bytes(1), b, c}), file, gzip),
              joined({named_member(joined({a, Bytes(1)}), "first.bin"), second, third}));
    for (const std::size_t size : {0u, 1u, 8u, 69'999u, 70'001u, 73'000u, 73'010u, 200'000u}) {
        Bytes other(size, std::byte{1});
        std::copy_n(a.begin(), std::min(a.size(), size), other.begin());
        EXPECT_EQ(unwrap_as(rewrap(other, file, gzip), Wrapping::gzip).value(), other) << size;
    }
    // Equal bytes at both ends, more or fewer of them.
    const Bytes zeros(1000), one = wrap(zeros, gzip), many = joined({one, one, one});
    for (const std::size_t size : {0u, 999u, 1000u, 1500u, 2000u, 3000u, 3001u, 4000u})
        EXPECT_EQ(unwrap_as(rewrap(Bytes(size), many, gzip), Wrapping::gzip).value(), Bytes(size));
}

TEST(Streams, FramesOfZstdStay) {
    const Bytes a = sample_bytes(70'000), b = sample_bytes(3000);
    const WriteOptions zstd{.kind = Wrapping::zstd};
    const Bytes skipped = bytes_of_hex("502a4d1803000000616263");
    const Bytes file = joined({wrap(a, zstd), skipped, wrap(b, zstd)});
    EXPECT_EQ(rewrap(joined({a, a}), file, zstd), joined({wrap(a, zstd), skipped, wrap(a, zstd)}));
    EXPECT_EQ(rewrap(joined({b, b}), file, zstd), joined({wrap(b, zstd), skipped, wrap(b, zstd)}));
    // A frame with a checksum, as the program zstd writes it ("abc" in a raw block), gets one
    // again.
    const Bytes checked = bytes_of_hex("28b52ffd0458190000616263990977ad");
    EXPECT_EQ(unwrap_as(checked, Wrapping::zstd).value(), bytes_of_hex("616263"));
    const Bytes written = rewrap(b, checked, zstd);
    EXPECT_EQ(std::to_integer<int>(written[4]) & 4, 4);
    EXPECT_EQ(unwrap_as(written, Wrapping::zstd).value(), b);
}

TEST(Streams, BlocksOfGcpfThatHoldTheSameStay) {
    Bytes plain = sample_bytes(100'000);
    for (const Compression mode :
         {Compression::fastlz, Compression::deflate, Compression::zstd, Compression::gzip}) {
        const WriteOptions options{.compression = mode, .block_size = 4096};
        Bytes file = wrap(plain, options);
        // Another encoder: the first block in a form that ours does not write. The header of a gzip
        // member has a byte for the system; deflate's has the level.
        const std::size_t first = 16 + 25 * 4;
        if (mode == Compression::gzip)
            file[first + 9] = std::byte{11};
        if (mode == Compression::deflate) {
            file[first] = std::byte{0x78};
            file[first + 1] = std::byte{0x01};
        }
        EXPECT_EQ(rewrap(plain, file, options), file);
        Bytes other = plain;
        other[50'000] ^= std::byte{1};
        const Bytes written = rewrap(other, file, options);
        EXPECT_EQ(unwrap_as(written, Wrapping::none).value(), other);
        EXPECT_EQ(Bytes(written.begin() + first, written.begin() + first + 500),
                  Bytes(file.begin() + first, file.begin() + first + 500));
        // Other blocks are not compared with these.
        const Bytes small = rewrap(plain, file, {.compression = mode, .block_size = 2048});
        EXPECT_EQ(unwrap_as(small, Wrapping::none).value(), plain);
    }
}

TEST(Streams, DamageIsFound) {
    const Bytes plain = sample_bytes(2000);
    for (const Wrapping kind : streams) {
        SCOPED_TRACE(wrapping_name(kind));
        const Bytes whole = wrap(plain, {.kind = kind});
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const auto part = unwrap_as(ByteView(whole).first(size), kind);
            ASSERT_FALSE(part) << size;
            const Errc code = part.error().code;
            EXPECT_TRUE(code == Errc::truncated || (code == Errc::bad_magic && size < 4)) << size;
        }
        for (std::size_t at = 0; at < whole.size(); ++at) {
            Bytes damaged = whole;
            damaged[at] ^= std::byte{0x55};
            const auto read = unwrap_as(damaged, kind);
            // deflate, Brotli and zstd as the engines write it have no checksum.
            if (kind == Wrapping::gzip || kind == Wrapping::zlib) {
                EXPECT_TRUE(!read || *read == plain) << at;
            }
        }
    }
    Bytes wrong = wrap(plain, {.kind = Wrapping::gzip});
    wrong[wrong.size() - 6] ^= std::byte{1};
    EXPECT_EQ(unwrap_as(wrong, Wrapping::gzip).error().code, Errc::bad_checksum);
    EXPECT_EQ(unwrap_as(bytes_of_hex("78bb00000001"), Wrapping::zlib).error().code, Errc::bad_mode)
        << "needs a dictionary";
    EXPECT_EQ(unwrap_as(as_bytes("hello"), Wrapping::zlib).error().code, Errc::bad_magic);
}

TEST(Streams, BombsAreBounded) {
    const Bytes zeros(8 << 20);
    for (const Wrapping kind : streams) {
        SCOPED_TRACE(wrapping_name(kind));
        const Bytes bomb = wrap(zeros, {.kind = kind});
        EXPECT_LT(bomb.size(), 20'000u);
        EXPECT_EQ(unwrap_as(bomb, kind, 1 << 20).error().code, Errc::size_limit);
        EXPECT_EQ(unwrap_as(bomb, kind, zeros.size()).value().size(), zeros.size());
    }
    // A zstd frame that asks for a window of 1 GiB: descriptor 0, window 2^30.
    const Bytes wide = bytes_of_hex("28b52ffd00a0010000");
    MemorySource source(wide);
    auto opened = open_container(source).value();
    EXPECT_EQ(read_all(*opened).error().code, Errc::size_limit);
}

TEST(Streams, AFullDiskIsSaid) {
    class Full final : public Target {
        std::expected<void, FileError> write(ByteView) override {
            return std::unexpected(FileError::io(28));
        }
    };
    for (const Wrapping kind : streams) {
        const Bytes plain = sample_bytes(1000);
        MemorySource from(plain);
        Full to;
        EXPECT_EQ(write_container(from, to, {.kind = kind}).error().system, 28);
    }
}

}  // namespace
}  // namespace gdvar::test
