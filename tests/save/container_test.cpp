// Containers and compressions: every mode there and back, and everything that can be wrong with
// them.
#include <rapidcheck.h>

#include "gdvar/save/coding.hpp"
#include "save/support.hpp"

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;

const ContainerKey& key() {
    static const ContainerKey key = key_from_password("correct horse").value();
    return key;
}

constexpr Compression written_modes[] = {Compression::fastlz, Compression::deflate,
                                         Compression::zstd, Compression::gzip};

std::vector<WriteOptions> all_options() {
    std::vector<WriteOptions> all;
    for (const Compression mode : written_modes)
        all.push_back({.compression = mode});
    for (const Wrapping kind : {Wrapping::gdec_3, Wrapping::gdec_4})
        all.push_back({.kind = kind, .key = &key()});
    return all;
}

std::expected<Bytes, FileError> unwrap(Source& source, OpenOptions options = {}) {
    if (!options.key)
        options.key = &key();
    auto opened = open_container(source, options);
    if (!opened)
        return std::unexpected(opened.error());
    return read_all(**opened);
}
std::expected<Bytes, FileError> unwrap(ByteView bytes, const OpenOptions& options = {}) {
    MemorySource source(bytes);
    return unwrap(source, options);
}

/// A GCPF file by hand.
Bytes gcpf(std::uint32_t mode, std::uint32_t block_size, std::uint32_t total,
           const std::vector<Bytes>& blocks) {
    Bytes file;
    MemoryTarget target(file);
    RecordWriter writer(target);
    (void)target.write(as_bytes("GCPF"));
    for (const std::uint32_t word : {mode, block_size, total})
        (void)writer.store_32(word);
    for (const Bytes& block : blocks)
        (void)writer.store_32(static_cast<std::uint32_t>(block.size()));
    for (const Bytes& block : blocks)
        (void)target.write(block);
    return file;
}

TEST(Containers, EveryModeAndSizeThereAndBack) {
    for (const std::size_t size :
         {0u, 1u, 5u, 15u, 16u, 17u, 4095u, 4096u, 4097u, 8192u, 200'000u}) {
        const Bytes plain = sample_bytes(size);
        for (const WriteOptions& options : all_options()) {
            SCOPED_TRACE(std::string(wrapping_name(options.kind)) + " " + std::to_string(size));
            const Bytes wrapped = wrap(plain, options);
            EXPECT_EQ(unwrap(wrapped).value(), plain);
            Dribble pipe(wrapped, 1000);
            EXPECT_EQ(unwrap(pipe).value(), plain) << "from a pipe";
            Bytes behind(7);
            behind.insert(behind.end(), wrapped.begin(), wrapped.end());
            MemorySource source(behind);
            auto opened = open_container(source, {.key = &key(), .skip = 7}).value();
            EXPECT_EQ(opened->kind(), options.kind);
            EXPECT_EQ(opened->size(), size);
            EXPECT_EQ(opened->skip(3), std::min<std::size_t>(3, size));
            ASSERT_TRUE(opened->rewind());
            EXPECT_EQ(read_all(*opened).value(), plain) << "again";
        }
    }
}

TEST(Containers, ContainersInContainersAndBlockSizes) {
    const Bytes plain = sample_bytes(50'000);
    const Bytes inner = wrap(plain, {.compression = Compression::gzip, .block_size = 777});
    const Bytes outer = wrap(inner, {.kind = Wrapping::gdec_4, .key = &key()});
    MemorySource source(outer);
    auto gdec = open_container(source, {.key = &key()}).value();
    auto gcpf_inside = open_container(*gdec).value();
    EXPECT_EQ(gcpf_inside->block_size(), 777u);
    EXPECT_EQ(gcpf_inside->compression(), Compression::gzip);
    EXPECT_EQ(read_all(*gcpf_inside).value(), plain);
    for (const std::uint32_t size : {1u, 15u, 16u, 100'000u})
        for (const Compression mode : written_modes) {
            const ByteView part = ByteView(plain).first(size < 10 ? 100 : 50'000);
            EXPECT_TRUE(std::ranges::equal(
                unwrap(wrap(part, {.compression = mode, .block_size = size})).value(), part));
        }
}

TEST(Containers, LayoutIsTheEngines) {
    // Sixteen bytes in blocks of sixteen: one full block, one empty.
    const Bytes plain = sample_bytes(16);
    const Bytes file = wrap(plain, {.compression = Compression::fastlz, .block_size = 16});
    EXPECT_EQ(to_hex(ByteView(file).first(16)),
              "47435046"
              "00000000"
              "10000000"
              "10000000");
    EXPECT_EQ(detail::as_text(file.data() + file.size() - 4, 4), "GCPF");
    // The trailing magic is not needed; the empty block is zero-extended to sixteen bytes.
    EXPECT_EQ(unwrap(ByteView(file).first(file.size() - 4)).value(), plain);
    const auto last = detail::load<std::uint32_t>(file.data() + 20);
    const ByteView block(file.data() + file.size() - 4 - last, last);
    EXPECT_EQ(decompress(block, Compression::fastlz, 16).value(), Bytes(16));

    std::array<std::byte, 16> iv{};
    iv[0] = std::byte{7};
    const WriteOptions options{.kind = Wrapping::gdec_4, .key = &key(), .iv = iv};
    EXPECT_EQ(wrap(plain, options), wrap(plain, options)) << "with a given IV";
    const WriteOptions random{.kind = Wrapping::gdec_4, .key = &key()};
    EXPECT_NE(wrap(plain, random), wrap(plain, random)) << "without";
    EXPECT_EQ(wrap({}, options).size(), 44u);
    EXPECT_EQ(wrap({}, {.kind = Wrapping::gdec_3, .key = &key()}).size(), 32u);
    EXPECT_EQ(wrap(plain, {.kind = Wrapping::none}), plain);
}

TEST(Containers, BrotliIsReadAndNotWritten) {
    const Bytes block = from_hex("1b1700f88d946ede445586966c206f314f1c8038").value();
    const Bytes empty = from_hex("06").value();
    const std::string text = "hello hello hello hello ";
    const Bytes plain(as_bytes(text).begin(), as_bytes(text).end());
    EXPECT_EQ(unwrap(gcpf(4, 4096, 24, {block})).value(), plain);
    EXPECT_EQ(unwrap(gcpf(4, 24, 24, {block, empty})).value(), plain);
    EXPECT_EQ(unwrap(gcpf(4, 4096, 23, {block})).error().code, Errc::bad_block);
    EXPECT_EQ(decompress(block, Compression::brotli, 24).value(), plain);
    EXPECT_EQ(decompress_dynamic(block, Compression::brotli).value(), plain);
    EXPECT_EQ(decompress(block, Compression::brotli, 23).error().code, Errc::size_limit);
    // A block of 16 MB, it says: nothing is reserved for what is over the limit.
    const Bytes liar = from_hex("cd" + std::string(118, 'f') + "029931142753").value();
    EXPECT_EQ(decompress(liar, Compression::brotli, 1 << 20).error().code, Errc::size_limit);
    EXPECT_EQ(decompress(ByteView(block).first(5), Compression::brotli, 24).error().code,
              Errc::bad_block);
}

Error open_error(ByteView bytes, const OpenOptions& options = {}) {
    MemorySource source(bytes);
    auto opened = open_container(source, options);
    EXPECT_FALSE(opened);
    return opened ? Error{} : opened.error().error;
}

TEST(Containers, LyingHeadersAreRefusedBeforeAnythingIsRead) {
    EXPECT_EQ(open_error(as_bytes("nothing here")).code, Errc::bad_magic);
    EXPECT_EQ(open_error(as_bytes("GC")), (Error{Errc::truncated, Type::nil, 0, 2}));
    EXPECT_EQ(open_error(gcpf(5, 4096, 0, {{}})), (Error{Errc::bad_mode, Type::nil, 4, 0}));
    EXPECT_EQ(open_error(gcpf(0, 0, 10, {{}})), (Error{Errc::bad_block, Type::nil, 8, 0}));
    EXPECT_EQ(open_error(gcpf(0, 4096, 0xFFFFFFFF, {{}})).code, Errc::size_limit);
    EXPECT_EQ(open_error(gcpf(0, 1, 0x3FFFFFFF, {{}})).code, Errc::size_limit) << "the table";
    EXPECT_EQ(open_error(gcpf(1, 0xFFFFFFFF, 0x3FFFFFFF, {{}})).code, Errc::size_limit);
    EXPECT_EQ(open_error(gcpf(1, 4096, 8192, {{}})), (Error{Errc::truncated, Type::nil, 16, 8}));
    Bytes lying = gcpf(1, 4096, 10, {Bytes(20)});
    detail::store(lying.data() + 16, std::uint32_t{1000});
    EXPECT_EQ(open_error(lying), (Error{Errc::truncated, Type::nil, 16, 980}));
    Dribble pipe(lying, 1000);
    EXPECT_EQ(unwrap(pipe).error(), (Error{Errc::truncated, Type::nil, 20, 980}));
    // More is claimed than such a block can hold: found before memory is taken for it.
    const Bytes liar = gcpf(2, 50u << 20, 50u << 20, {Bytes(20), Bytes(20)});
    EXPECT_EQ(unwrap(liar).error(), (Error{Errc::bad_block, Type::nil, 24, 0}));
}

TEST(Containers, BombsAreBoundedAndLimitsCanBeRaised) {
    const Bytes zeros(std::size_t{65} << 20);
    const Bytes bomb = wrap(zeros, {.compression = Compression::zstd, .block_size = 100u << 20});
    EXPECT_LT(bomb.size(), 20'000u);
    EXPECT_EQ(unwrap(bomb).error(), (Error{Errc::size_limit, Type::nil, 8, 0}));
    EXPECT_EQ(unwrap(bomb, {.max_memory = 100u << 20})->size(), zeros.size());
    EXPECT_EQ(unwrap(bomb, {.max_bytes = 1u << 20, .max_memory = 100u << 20}).error(),
              (Error{Errc::size_limit, Type::nil, 12, 0}));
    // A block that goes on after its stated size.
    const Bytes block = compress(ByteView(zeros).first(5000), Compression::deflate).value();
    EXPECT_EQ(unwrap(gcpf(1, 4096, 4000, {block})).error(),
              (Error{Errc::bad_block, Type::nil, 20, 0}));
    EXPECT_EQ(unwrap(gcpf(1, 8192, 6000, {block})).error().code, Errc::bad_block) << "too short";
    for (const Compression mode : {Compression::deflate, Compression::gzip, Compression::zstd}) {
        const Bytes packed = compress(zeros, mode).value();
        EXPECT_EQ(decompress(packed, mode, 1000).error().code, Errc::size_limit);
        EXPECT_EQ(decompress_dynamic(packed, mode, 1000).error().code, Errc::size_limit);
        EXPECT_EQ(decompress_dynamic(packed, mode)->size(), zeros.size());
    }
}

TEST(Containers, WrongKeysAndChangedFiles) {
    const Bytes plain = sample_bytes(300'000);
    const ContainerKey other = key_from_password("wrong").value();
    for (const Wrapping kind : {Wrapping::gdec_3, Wrapping::gdec_4}) {
        Bytes file = wrap(plain, {.kind = kind, .key = &key()});
        const std::uint64_t checksum_at = kind == Wrapping::gdec_3 ? 8 : 4;
        EXPECT_EQ(open_error(file).code, Errc::bad_key) << "none";
        EXPECT_EQ(open_error(file, {.key = &other}),
                  (Error{Errc::bad_checksum, Type::nil, checksum_at, 0}));
        for (const std::size_t cut : {1u, 16u, 100'000u})
            EXPECT_EQ(open_error(ByteView(file).first(file.size() - cut), {.key = &key()}),
                      (Error{Errc::truncated, Type::nil, checksum_at + 16, cut}));
        Bytes longer = file;
        longer.resize(longer.size() + 9);
        EXPECT_EQ(unwrap(longer).value(), plain) << "bytes to spare are ignored";
        // Verified first, changed then: what is read ends in an error.
        MemorySource source(file);
        auto opened = open_container(source, {.key = &key()}).value();
        file[file.size() - 20] ^= std::byte{1};
        EXPECT_EQ(read_all(*opened).error().code, Errc::bad_checksum);
        EXPECT_EQ(open_error(file, {.key = &key()}).code, Errc::bad_checksum);
    }
    EXPECT_EQ(key_from_bytes(as_bytes("short")).error().code, Errc::bad_key);
    EXPECT_EQ(to_hex(key_from_password("a").value().bytes),
              to_hex(as_bytes("0cc175b9c0f1b6a831c399e269772661")));
}

TEST(Containers, OptionsThatCantBeWritten) {
    const auto error = [](const WriteOptions& options) {
        Bytes out;
        MemorySource from(as_bytes("x"));
        MemoryTarget to(out);
        const Errc code = write_container(from, to, options).error().code;
        EXPECT_TRUE(out.empty());
        return code;
    };
    EXPECT_EQ(error({.compression = Compression::brotli}), Errc::bad_mode);
    EXPECT_EQ(error({.block_size = 0}), Errc::bad_mode);
    EXPECT_EQ(error({.kind = Wrapping::gdec_3}), Errc::bad_key);
}

/// Repeats a page for a given time, without keeping it.
class Endless final : public Source {
public:
    explicit Endless(std::uint64_t left) : page_(sample_bytes(1 << 16)), left_(left) {}
    std::expected<std::size_t, FileError> read(std::span<std::byte> to) override {
        const auto n =
            static_cast<std::size_t>(std::min<std::uint64_t>({to.size(), left_, page_.size()}));
        std::copy_n(page_.begin(), n, to.begin());
        left_ -= n;
        return n;
    }

private:
    Bytes page_;
    std::uint64_t left_;
};

class Counting final : public Target {
public:
    std::expected<void, FileError> write(ByteView bytes) override {
        size += bytes.size();
        return {};
    }
    std::uint64_t size = 0;
};

TEST(Containers, MemoryStaysFlat) {
    constexpr std::uint64_t size = 64u << 20;
    for (WriteOptions options : all_options()) {
        if (options.compression == Compression::deflate || options.compression == Compression::gzip)
            continue;  // the same code, only slower
        const long before = peak_kilobytes();
        options.spool.max_memory = 1 << 20;
        Spool file({.max_memory = 1 << 20});
        Endless from(size);
        ASSERT_EQ(write_container(from, file, options), size);
        Counting to;
        auto opened = open_container(file, {.key = &key()}).value();
        ASSERT_EQ(copy(*opened, to), size);
        EXPECT_EQ(to.size, size);
        // Two spools at work, whose buffers grow by doubling.
        EXPECT_LT(peak_kilobytes() - before, 16 * 1024) << wrapping_name(options.kind);
    }
}

TEST(Compressions, BuffersThereAndBack) {
    rc::check([] {
        const Bytes plain = sample_bytes(*rc::gen::inRange<std::size_t>(0, 70'000),
                                         *rc::gen::arbitrary<std::uint32_t>());
        for (const Compression mode : written_modes) {
            const Bytes packed = compress(plain, mode).value();
            RC_ASSERT(decompress(packed, mode, plain.size()).value() == plain);
            if (mode == Compression::fastlz)
                continue;
            RC_ASSERT(decompress_dynamic(packed, mode).value() == plain);
        }
    });
    EXPECT_EQ(compress({}, Compression::brotli).error().code, Errc::bad_mode);
    EXPECT_EQ(decompress_dynamic({}, Compression::fastlz).error().code, Errc::bad_mode);
    for (const Compression mode : written_modes) {
        EXPECT_EQ(find_compression(compression_name(mode)), mode);
        // PackedByteArray().compress() is empty.
        EXPECT_TRUE(compress({}, mode).value().empty());
        EXPECT_TRUE(decompress({}, mode, 100).value().empty());
    }
    EXPECT_FALSE(find_compression("lzma"));
}

TEST(Compressions, FastlzByHand) {
    const auto decoded = [](std::string_view bytes, std::uint64_t size) {
        const Bytes out = decompress(bytes_of_hex(bytes), Compression::fastlz, size).value();
        return std::string(detail::as_text(out.data(), out.size()));
    };
    // Level 1: three literals, six bytes from three back, a long copy of ten from one back.
    EXPECT_EQ(decoded("02 616263 8002 e00100", 100),
              "abcabcabcc"
              "ccccccccc");
    // Level 2: the length goes on after 255, and the distance after 8191.
    EXPECT_EQ(decoded("20 61 e0ff0a 00", 1000), std::string(1 + 9 + 255 + 10, 'a'));
    std::string far = "20 61 e0";
    for (int i = 0; i < 33; ++i)
        far += "ff";
    far += "00 00 01 6263 3fff 0005";
    const std::string out = decoded(far, 20'000);
    EXPECT_EQ(out.size(), 1u + 9 + 33 * 255 + 2 + 3);
    EXPECT_EQ(out.substr(out.size() - 5), "bcaaa");
    for (const std::string_view bad :
         {"40 61", "02 6162", "00 61 2001", "00 61 e0", "00 61 20", "20 61 e0ff", "20 61 3fff 00"})
        EXPECT_EQ(decompress(bytes_of_hex(bad), Compression::fastlz, 100).error().code,
                  Errc::bad_block)
            << bad;
    EXPECT_EQ(decompress(bytes_of_hex("00 61 e0ff 00"), Compression::fastlz, 100).error().code,
              Errc::size_limit);
}

}  // namespace
}  // namespace gdvar::test
