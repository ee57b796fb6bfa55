// GCPF: "GCPF", u32 mode, u32 block size, u32 total size, a u32 for the compressed size of each
// block, the blocks, "GCPF". The last block is never full; it may be empty. RSCC differs only in
// its magic.
#include <algorithm>
#include <new>
#include <optional>

#include "base/exceptions.hpp"
#include "save/codec.hpp"
#include "save/container.hpp"

namespace gdvar::save {
namespace {

constexpr std::uint64_t header_size = 16;

class Gcpf final : public BreakingSource {
public:
    Gcpf(Source& source, const OpenOptions& options, Wrapping kind)
        : source_(source), skip_(options.skip), max_memory_(options.max_memory) {
        kind_ = kind;
    }
    /// The source must be behind the magic.
    std::expected<void, FileError> begin(const OpenOptions& options) {
        std::byte words[12];
        if (auto got = need_all(source_, words, skip_ + 4); !got)
            return got;
        const auto mode = detail::load<std::uint32_t>(words);
        block_size_ = detail::load<std::uint32_t>(words + 4);
        size_ = detail::load<std::uint32_t>(words + 8);
        if (mode > static_cast<std::uint32_t>(Compression::brotli))
            return refuse(Errc::bad_mode, skip_ + 4);
        compression_ = static_cast<Compression>(mode);
        if (block_size_ == 0)
            return refuse(Errc::bad_block, skip_ + 8);
        if (std::min<std::uint64_t>(block_size_, size_) > max_memory_)
            return refuse(Errc::size_limit, skip_ + 8);
        if (size_ > options.max_bytes)
            return refuse(Errc::size_limit, skip_ + 12);
        return read_table(size_ / block_size_ + 1);
    }
    std::expected<std::size_t, FileError> read(std::span<std::byte> to) override GDVAR_TRY {
        if (broken_)
            return std::unexpected(*broken_);
        if (to.empty())
            return 0;
        while (unpacked_at_ == unpacked_.size()) {
            if (block_ * 4 == table_.size())
                return 0;
            if (auto next = next_block(); !next)
                return std::unexpected(next.error());
        }
        const std::size_t n = std::min(to.size(), unpacked_.size() - unpacked_at_);
        std::memcpy(to.data(), unpacked_.data() + unpacked_at_, n);
        unpacked_at_ += n;
        return n;
    }
    GDVAR_CATCH_NO_MEMORY(return fail(Error{Errc::no_memory, Type::nil, offset_, 0}))
    bool can_rewind() const noexcept override { return source_.can_rewind(); }
    std::expected<void, FileError> rewind() override {
        if (auto there = go_to(source_, blocks_at()); !there)
            return there;
        broken_.reset();
        unpacked_.clear();
        unpacked_at_ = 0;
        block_ = handed_ = 0;
        offset_ = blocks_at();
        return {};
    }

    std::expected<void, FileError> next_block() {
        const std::uint64_t packed = detail::load<std::uint32_t>(table_.data() + 4 * block_);
        const std::uint64_t unpacked = std::min<std::uint64_t>(block_size_, size_ - handed_);
        // Compression enlarges incompressible blocks a little, but never to this size.
        if (packed > 2 * max_memory_)
            return fail(Error{Errc::size_limit, Type::nil, offset_, 0});
        if (auto got = read_up_to(source_, packed, packed_); !got)
            return fail(got.error());
        if (packed_.size() < packed)
            return fail(Error{Errc::truncated, Type::nil, offset_, packed - packed_.size()});
        // FastLZ blocks decode to 16 bytes at least; no others to more than declared.
        if (unpacked > most_output(compression_, packed) && unpacked)
            return fail(Error{Errc::bad_block, Type::nil, offset_, 0});
        unpacked_.resize(static_cast<std::size_t>(unpacked));
        auto size = decoder_.decode(compression_, packed_, unpacked_);
        if (!size || *size != unpacked) {
            const Errc code =
                !size && size.error() == Errc::no_memory ? Errc::no_memory : Errc::bad_block;
            return fail(Error{code, Type::nil, offset_, 0});
        }
        unpacked_at_ = 0;
        handed_ += unpacked;
        offset_ += packed;
        ++block_;
        return {};
    }
    bool has_block() const noexcept { return block_ * 4 < table_.size(); }
    ByteView packed() const noexcept { return packed_; }      ///< the current block's
    ByteView unpacked() const noexcept { return unpacked_; }  ///< the same
    std::uint64_t end() const noexcept { return end_; }  ///< end of the container in the source

private:
    std::expected<void, FileError> read_table(std::uint64_t blocks) {
        if (blocks * 4 > max_memory_)
            return refuse(Errc::size_limit, skip_ + 12);
        if (auto got = read_up_to(source_, blocks * 4, table_); !got)
            return got;
        if (table_.size() < blocks * 4)
            return refuse(Errc::truncated, skip_ + header_size, blocks * 4 - table_.size());
        offset_ = blocks_at();
        // If the file's size is known, false sizes are found before any byte is returned.
        std::uint64_t end = offset_;
        for (std::size_t i = 0; i < table_.size(); i += 4)
            end += detail::load<std::uint32_t>(table_.data() + i);
        const auto known = size_of_source();
        if (!known)
            return std::unexpected(known.error());
        const auto there = *known;
        if (there && end > *there)
            return refuse(Errc::truncated, skip_ + header_size, end - *there);
        // The magic at the end may be missing: engines ignore it.
        end_ = there ? std::min(end + 4, *there) : end + 4;
        trailing_ = there ? *there - end_ : 0;
        return {};
    }
    /// The size of the source, also of a compressed stream, which is read to its end. Nothing if
    /// that is broken: then it is read up to the break.
    std::expected<std::optional<std::uint64_t>, FileError> size_of_source() {
        if (source_.size() || !source_.can_rewind())
            return source_.size();
        const auto rest = source_.skip(UINT64_MAX);
        if (auto back = go_to(source_, blocks_at()); !back)
            return std::unexpected(back.error());
        return rest ? std::optional(blocks_at() + *rest) : std::nullopt;
    }
    std::uint64_t blocks_at() const { return skip_ + header_size + table_.size(); }

    Source& source_;
    std::uint64_t skip_, max_memory_;
    BlockDecoder decoder_;
    std::vector<std::byte> table_;              ///< as in the file
    std::vector<std::byte> packed_, unpacked_;  ///< one block
    std::size_t unpacked_at_ = 0;
    std::uint64_t block_ = 0;   ///< the next one
    std::uint64_t offset_ = 0;  ///< of that block, in the source
    std::uint64_t end_ = 0;
    std::uint64_t handed_ = 0;  ///< bytes of all blocks before it
};

}  // namespace

Opened open_gcpf(Source& source, const OpenOptions& options, Wrapping kind) {
    auto gcpf = std::make_unique<Gcpf>(source, options, kind);
    if (auto begun = gcpf->begin(options); !begun)
        return std::unexpected(begun.error());
    return gcpf;
}

namespace {

/// The container that is replaced. Null if there is none, or one with another compression.
std::unique_ptr<Gcpf> open_before(const WriteOptions& options) {
    if (!options.before || !go_to(*options.before, options.before_skip + 4))
        return nullptr;
    const OpenOptions opening{.skip = options.before_skip, .max_bytes = UINT64_MAX};
    auto old = std::make_unique<Gcpf>(*options.before, opening, options.kind);
    const bool same = old->begin(opening) && old->compression() == options.compression &&
                      old->block_size() == options.block_size;
    return same ? std::move(old) : nullptr;
}

/// True if the next block of the old container holds these bytes. False from its end, or from
/// damage, on.
bool next_is(Gcpf* old, ByteView unpacked) {
    return old && old->has_block() && old->next_block() &&
           std::equal(unpacked.begin(), unpacked.end(), old->unpacked().begin(),
                      old->unpacked().end());
}

}  // namespace

Written write_gcpf(Source& from, Target& to, const WriteOptions& options) {
    if (options.compression >= Compression::brotli || options.block_size == 0)
        return refuse(Errc::bad_mode);
    BlockEncoder encoder;
    const std::unique_ptr<Gcpf> old = open_before(options);
    Spool blocks(options.spool);
    std::vector<std::byte> table, unpacked, packed;
    std::uint64_t total = 0;
    do {
        if (auto got = read_up_to(from, options.block_size, unpacked); !got)
            return std::unexpected(got.error());
        total += unpacked.size();
        if (total > 0xFFFF'FFFFu)
            return refuse(Errc::too_large, total);
        if (next_is(old.get(), unpacked))
            packed.assign(old->packed().begin(), old->packed().end());
        else if (const Errc code = encoder.encode(options.compression, unpacked, packed);
                 code != Errc::ok)
            return refuse(code, total);
        std::byte size[4];
        detail::store(size, static_cast<std::uint32_t>(packed.size()));
        table.insert(table.end(), size, size + 4);
        if (auto put = blocks.write(packed); !put)
            return std::unexpected(put.error());
    } while (unpacked.size() == options.block_size);  // the block that is not full is the last
    std::byte header[header_size];
    std::memcpy(header, options.kind == Wrapping::rscc ? "RSCC" : "GCPF", 4);
    detail::store(header + 4, static_cast<std::uint32_t>(options.compression));
    detail::store(header + 8, options.block_size);
    detail::store(header + 12, static_cast<std::uint32_t>(total));
    for (const ByteView part : {ByteView(header), ByteView(table)})
        if (auto put = to.write(part); !put)
            return std::unexpected(put.error());
    if (auto put = copy(blocks, to); !put)
        return put;
    if (auto put = to.write(ByteView(header).first(4)); !put)
        return std::unexpected(put.error());
    if (old && old->trailing())
        if (auto put = copy_rest(*options.before, old->end(), to); !put)
            return std::unexpected(put.error());
    return total;
}

}  // namespace gdvar::save
