#include "gdvar/save/pack.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>

#include "base/exceptions.hpp"
#include "save/container.hpp"
#include "save/crypto.hpp"
#include "save/gdec_layout.hpp"
#include "save/io.hpp"

namespace gdvar {
namespace {

using save::refuse;

constexpr std::size_t magic_size = 4, trailer_size = 12;
constexpr std::uint32_t newest_format = 4;
enum EntryFlag : std::uint32_t { entry_encrypted = 1, entry_removed = 2, entry_delta = 4 };
enum PackFlag : std::uint32_t { directory_encrypted = 1, base_is_relative = 2 };

bool is_magic(const std::byte* at) noexcept {
    const std::string_view text = detail::as_text(at, magic_size);
    return text == "GDPC" || text == "PEPC";
}

/// False if the source ends before `offset`.
std::expected<bool, FileError> move_to(Source& source, std::uint64_t offset) {
    if (auto back = source.rewind(); !back)
        return std::unexpected(back.error());
    auto passed = source.skip(offset);
    if (!passed)
        return std::unexpected(passed.error());
    return *passed == offset;
}

std::expected<bool, FileError> magic_at(Source& source, std::uint64_t offset) {
    std::byte magic[magic_size];
    auto there = move_to(source, offset);
    if (!there || !*there)
        return there;
    auto got = save::read_full(source, magic);
    if (!got)
        return std::unexpected(got.error());
    return *got == sizeof magic && is_magic(magic);
}

/// Bytes of `base` from `offset` on, preceded by a short text. Ends at its own end or that of
/// `base`. Borrows `base`, and must be rewound before it is read.
class RangeSource final : public Source {
public:
    RangeSource(Source& base, std::uint64_t offset, std::uint64_t size,
                std::string_view before = {}) noexcept
        : base_(base), before_(before), offset_(offset), all_(size) {}

    std::expected<std::size_t, FileError> read(std::span<std::byte> to) override {
        if (at_ < before_.size()) {
            const std::size_t n = std::min(to.size(), before_.size() - at_);
            if (n)
                std::memcpy(to.data(), before_.data() + at_, n);
            at_ += n;
            return n;
        }
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), left_));
        auto got = base_.read(to.first(n));
        if (got)
            left_ -= *got;
        return got;
    }
    std::expected<std::uint64_t, FileError> skip(std::uint64_t bytes) override {
        const std::uint64_t first = std::min<std::uint64_t>(bytes, before_.size() - at_);
        at_ += static_cast<std::size_t>(first);
        auto passed = base_.skip(std::min(bytes - first, left_));
        if (!passed)
            return passed;
        left_ -= *passed;
        return first + *passed;
    }
    bool can_rewind() const noexcept override { return base_.can_rewind(); }
    std::expected<void, FileError> rewind() override {
        if (auto back = base_.rewind(); !back)
            return back;
        auto there = base_.skip(offset_);
        if (!there)
            return std::unexpected(there.error());
        at_ = 0;
        left_ = *there < offset_ ? 0 : all_;
        return {};
    }
    std::optional<std::uint64_t> size() const override { return before_.size() + all_; }

private:
    Source& base_;
    std::string_view before_;
    std::uint64_t offset_, all_, left_ = 0;
    std::size_t at_ = 0;  ///< in `before_`
};

class Fields {
public:
    /// `offset`: the source's position. `most`: limit of bytes to read. `left`: bytes in the
    /// source, if known.
    Fields(Source& source, std::uint64_t offset, std::uint64_t most,
           std::optional<std::uint64_t> left)
        : source_(source), offset_(offset), most_(most), left_(left) {}

    std::uint64_t offset() const noexcept { return offset_; }
    const std::optional<std::uint64_t>& left() const noexcept { return left_; }

    /// Checks that so many bytes may follow. Errors: truncated, size_limit.
    std::expected<void, FileError> expect(std::uint64_t bytes) const {
        if (left_ && bytes > *left_)
            return refuse(Errc::truncated, offset_, bytes - *left_);
        if (bytes > most_)
            return std::unexpected(
                Error{Errc::size_limit, Type::nil, offset_}.about_reason("the pack's directory"));
        return {};
    }
    /// The next bytes, valid until the next call. Errors: as expect, and those of the source.
    std::expected<const std::byte*, FileError> take(std::size_t bytes) {
        if (auto fits = expect(bytes); !fits)
            return std::unexpected(fits.error());
        if (filled_ - at_ < bytes)
            if (auto more = fill(bytes); !more)
                return std::unexpected(more.error());
        const std::byte* out = buffer_.data() + at_;
        at_ += bytes;
        pass(bytes);
        return out;
    }
    template <class T>
    std::expected<T, FileError> number() {
        auto at = take(sizeof(T));
        if (!at)
            return std::unexpected(at.error());
        return detail::load<T>(*at);
    }
    /// A text of that many bytes, which grows with the bytes that arrive.
    std::expected<std::string, FileError> text(std::uint64_t bytes) {
        if (auto fits = expect(bytes); !fits)
            return std::unexpected(fits.error());
        std::string out;
        while (out.size() < bytes) {
            const auto part =
                static_cast<std::size_t>(std::min<std::uint64_t>(bytes - out.size(), save::step));
            auto at = take(part);
            if (!at)
                return std::unexpected(at.error());
            out.append(detail::as_text(*at, part));
        }
        return out;
    }

private:
    void pass(std::uint64_t bytes) noexcept {
        offset_ += bytes;
        most_ -= bytes;
        if (left_)
            *left_ -= bytes;
    }
    std::expected<void, FileError> fill(std::size_t bytes) {
        std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(at_),
                  buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
        filled_ -= at_;
        at_ = 0;
        buffer_.resize(std::max(bytes, save::step));
        auto got = save::read_full(source_, std::span(buffer_).subspan(filled_));
        if (!got)
            return std::unexpected(got.error());
        filled_ += *got;
        if (filled_ < bytes)
            return refuse(Errc::truncated, offset_ + filled_, bytes - filled_);
        return {};
    }

    Source& source_;
    std::uint64_t offset_, most_;
    std::optional<std::uint64_t> left_;
    std::vector<std::byte> buffer_;
    std::size_t at_ = 0, filled_ = 0;
};

/// The content of a GDEC without its magic. Reads the header at `offset`; the content has at most
/// `left` bytes. Errors: truncated, bad_key, bad_checksum, those of the source.
std::expected<std::unique_ptr<Source>, FileError> decrypted(Source& source, std::uint64_t offset,
                                                            std::optional<std::uint64_t> left,
                                                            const ContainerKey* key,
                                                            const char* no_key) {
    constexpr std::uint64_t header = save::longest_header - magic_size;
    if (!key)
        return std::unexpected(Error{Errc::bad_key, Type::nil, offset}.about_reason(no_key));
    auto there = move_to(source, offset);
    if (!there)
        return std::unexpected(there.error());
    std::byte head[header];
    auto got = save::read_full(source, head);
    if (!got)
        return std::unexpected(got.error());
    if (*got < header)
        return refuse(Errc::truncated, offset + *got, header - *got);
    const auto size = detail::load<std::uint64_t>(head + 16);
    if (size >> 62)
        return refuse(Errc::bad_length, offset + 16);
    const std::uint64_t whole = header + save::padded(size);
    if (left && whole > *left)
        return refuse(Errc::truncated, offset + 16, whole - *left);
    auto range = std::make_unique<RangeSource>(source, offset, whole, "GDEC");
    RangeSource& from = *range;
    auto out = save::open_gdec(from, {.key = key}, std::move(range));
    if (out)
        return *std::move(out);
    FileError error = out.error();
    error.error.offset += offset - std::min<std::uint64_t>(offset, magic_size);
    return std::unexpected(error);
}

struct Header {
    std::uint32_t format = 0, flags = 0;
    std::array<std::uint32_t, 3> engine{};
    std::uint64_t base = 0;       ///< of offsets
    std::uint64_t directory = 0;  ///< offset of the count of files
};

std::expected<Header, FileError> read_header(Source& source, const PackPlace& place,
                                             std::uint64_t skip,
                                             std::optional<std::uint64_t> size) {
    auto there = move_to(source, place.offset);
    if (!there)
        return std::unexpected(there.error());
    constexpr std::uint64_t longest = 4 + 4 + 12 + 4 + 8 + 8 + 64;
    Fields fields(source, place.offset, longest,
                  size ? std::optional(*size - std::min(*size, place.offset)) : std::nullopt);
    Header out;
    FileError failed;
    const auto take = [&](auto& to) {
        auto got = failed.code == Errc::ok ? fields.number<std::remove_reference_t<decltype(to)>>()
                                           : std::unexpected(failed);
        if (got)
            to = *got;
        else
            failed = got.error();
    };
    std::uint32_t magic = 0;
    take(magic);
    take(out.format);
    for (std::uint32_t& part : out.engine)
        take(part);
    if (failed.code == Errc::ok && out.format > newest_format)
        return std::unexpected(Error{Errc::bad_mode, Type::nil, place.offset + 4}.about_reason(
            "the format of this pack is newer than 4"));
    std::uint64_t directory = 0;
    if (out.format >= 2) {
        take(out.flags);
        take(out.base);
    }
    if (out.format >= 3)
        take(directory);
    if (failed.code != Errc::ok)
        return std::unexpected(failed);
    // Hostile numbers may overflow the sum: then it points behind every file.
    const auto sum = [](std::uint64_t a, std::uint64_t b) { return a > ~b ? ~0ull : a + b; };
    const bool relative = out.format >= 3 || (out.flags & base_is_relative);
    out.base = sum(out.base, relative ? place.offset : skip);
    out.directory = out.format >= 3 ? sum(directory, place.offset)
                                    : fields.offset() + 16 * sizeof(std::uint32_t);
    return out;
}

std::expected<PackEntry, FileError> read_entry(Fields& fields, const Header& header) {
    const auto length = fields.number<std::uint32_t>();
    if (!length)
        return std::unexpected(length.error());
    auto name = fields.text(*length);
    if (!name)
        return std::unexpected(name.error());
    PackEntry out;
    name->resize(name->find_last_not_of('\0') + 1);
    out.name = *std::move(name);
    out.name.shrink_to_fit();
    const bool flagged = header.format >= 2;
    const auto rest = fields.take(8 + 8 + 16 + (flagged ? 4 : 0));
    if (!rest)
        return std::unexpected(rest.error());
    const auto offset = detail::load<std::uint64_t>(*rest);
    out.size = detail::load<std::uint64_t>(*rest + 8);
    std::copy_n(*rest + 16, 16, out.md5.begin());
    const auto flags = flagged ? detail::load<std::uint32_t>(*rest + 32) : 0;
    out.encrypted = flags & entry_encrypted;
    // Format 1 has no flags: Godot 3 takes a file at offset 0 as removed.
    out.removed = flagged ? (flags & entry_removed) != 0 : offset == 0;
    out.delta = flags & entry_delta;
    out.offset = offset > ~header.base ? ~0ull : header.base + offset;
    return out;
}

std::expected<std::vector<PackEntry>, FileError> read_entries(Fields& fields, std::uint32_t count,
                                                              const Header& header) {
    const std::uint64_t least = 4 + 8 + 8 + 16 + (header.format >= 2 ? 4 : 0);
    if (auto fits = fields.expect(least * count); !fits)
        return std::unexpected(fits.error());
    std::vector<PackEntry> out;
    if (fields.left())
        out.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        auto entry = read_entry(fields, header);
        if (!entry)
            return std::unexpected(entry.error());
        out.push_back(*std::move(entry));
    }
    return out;
}

/// Reads the content once and compares its MD5.
std::expected<void, FileError> verify(Source& content, const PackEntry& entry) {
    if (auto back = content.rewind(); !back)
        return back;
    auto md5 = save::Hash::md5();
    if (!md5)
        return refuse(md5.error(), entry.offset);
    std::vector<std::byte> part(save::step);
    std::uint64_t size = 0;
    for (;;) {
        auto got = save::read_full(content, part);
        if (!got)
            return std::unexpected(got.error());
        md5->add(ByteView(part).first(*got));
        size += *got;
        if (*got < part.size())
            break;
    }
    if (size < entry.size)
        return refuse(Errc::truncated, entry.offset + size, entry.size - size);
    if (entry.has_md5() && md5->end() != entry.md5)
        return std::unexpected(Error{Errc::bad_checksum, Type::nil, entry.offset}.about_reason(
            "the file in the pack has another MD5 than the pack's directory says"));
    return content.rewind();
}

}  // namespace

std::expected<std::optional<PackPlace>, FileError> find_pack(Source& source, std::uint64_t skip) {
    std::optional<PackPlace> out;
    auto first = magic_at(source, skip);
    if (!first)
        return std::unexpected(first.error());
    if (*first)
        out = {skip, false};
    const std::uint64_t size = source.size().value_or(0);
    if (!out && size >= skip && size - skip > trailer_size) {
        const std::uint64_t end = size - trailer_size;
        std::byte trailer[trailer_size];
        auto there = move_to(source, end);
        if (!there)
            return std::unexpected(there.error());
        auto got = save::read_full(source, trailer);
        if (!got)
            return std::unexpected(got.error());
        const auto bytes = detail::load<std::uint64_t>(trailer);
        if (*got == sizeof trailer && is_magic(trailer + 8) && bytes <= end - skip) {
            auto begins = magic_at(source, end - bytes);
            if (!begins)
                return std::unexpected(begins.error());
            if (*begins)
                out = {end - bytes, true};
        }
    }
    if (auto back = source.rewind(); !back)
        return std::unexpected(back.error());
    return out;
}

std::expected<PackFile, FileError> PackFile::open(Source& source,
                                                  const PackOptions& options) GDVAR_TRY {
    auto place = find_pack(source, options.skip);
    if (!place)
        return std::unexpected(place.error());
    if (!*place)
        return refuse(Errc::bad_magic, options.skip);
    const auto size = source.size();
    auto header = read_header(source, **place, options.skip, size);
    if (!header)
        return std::unexpected(header.error());
    auto there = move_to(source, header->directory);
    if (!there)
        return std::unexpected(there.error());
    const auto left =
        size ? std::optional(*size - std::min(*size, header->directory)) : std::nullopt;
    Fields fields(source, header->directory, options.max_directory, left);
    const auto count = fields.number<std::uint32_t>();
    if (!count)
        return std::unexpected(count.error());
    std::expected<std::vector<PackEntry>, FileError> entries;
    if (header->flags & directory_encrypted) {
        auto plain = decrypted(source, fields.offset(), fields.left(), options.key,
                               "the pack's directory is encrypted: its files can be listed "
                               "only with the key of the game's export");
        if (!plain)
            return std::unexpected(plain.error());
        Fields inside(**plain, fields.offset(), options.max_directory, (*plain)->size());
        entries = read_entries(inside, *count, *header);
    } else {
        entries = read_entries(fields, *count, *header);
    }
    if (!entries)
        return std::unexpected(entries.error());
    PackFile out;
    out.format_ = header->format;
    out.flags_ = header->flags;
    out.engine_ = header->engine;
    out.place_ = **place;
    out.entries_ = *std::move(entries);
    return out;
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::string PackFile::engine() const {
    return std::to_string(engine_[0]) + "." + std::to_string(engine_[1]) + "." +
           std::to_string(engine_[2]);
}

std::expected<std::unique_ptr<Source>, FileError> PackFile::open_entry(
    Source& source, std::size_t index, const ContainerKey* key) const GDVAR_TRY {
    if (index >= entries_.size())
        return std::unexpected(Error{Errc::index_out_of_range}.about_index(
            static_cast<std::int64_t>(index), entries_.size()));
    const PackEntry& entry = entries_[index];
    const char* const elsewhere = entry.removed ? "this pack removes the file, and holds no content"
                                  : entry.delta ? "the pack holds only a delta of the file: its "
                                                  "content takes the other pack, too"
                                  : sparse()    ? "the file lies beside the pack, which holds its "
                                                  "name alone"
                                                : nullptr;
    if (elsewhere)
        return std::unexpected(
            Error{Errc::misplaced, Type::nil, entry.offset}.about_reason(elsewhere));
    const auto all = source.size();
    const auto left = all ? std::optional(*all - std::min(*all, entry.offset)) : std::nullopt;
    if (left && entry.size > *left)
        return refuse(Errc::truncated, entry.offset, entry.size - *left);
    std::unique_ptr<Source> out;
    if (entry.encrypted) {
        auto plain = decrypted(source, entry.offset, left, key,
                               "the file in the pack is encrypted: it takes the key of the "
                               "game's export");
        if (!plain)
            return std::unexpected(plain.error());
        if ((*plain)->size() != entry.size)
            return refuse(Errc::bad_length, entry.offset + 16);
        out = *std::move(plain);
    } else {
        out = std::make_unique<RangeSource>(source, entry.offset, entry.size);
    }
    if (auto sound = verify(*out, entry); !sound)
        return std::unexpected(sound.error());
    return out;
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace gdvar
