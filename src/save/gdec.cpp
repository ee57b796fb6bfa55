#include <algorithm>
#include <new>
#include <optional>

#include "base/exceptions.hpp"
#include "save/container.hpp"
#include "save/gdec_layout.hpp"

namespace gdvar::save {
namespace {

constexpr std::size_t cipher_chunk = step;  ///< a multiple of AES's 16 bytes

class Gdec final : public BreakingSource {
public:
    Gdec(Source& source, const OpenOptions& options, std::unique_ptr<Source> owned)
        : owned_(std::move(owned)), source_(source), skip_(options.skip), key_(*options.key) {}
    ~Gdec() override { std::fill(buffer_.begin(), buffer_.end(), std::byte{}); }
    Gdec(const Gdec&) = delete;
    Gdec& operator=(const Gdec&) = delete;
    /// Reads to the end by this layout. Errors: bad_checksum, ...
    std::expected<void, FileError> verify(const Layout& layout) {
        layout_ = layout;
        kind_ = layout.kind;
        size_ = layout.size;
        const std::uint64_t there = source_.size().value_or(0);
        const std::uint64_t end = skip_ + layout.end();
        trailing_ = there > end ? there - end : 0;
        if (auto start = rewind(); !start)
            return start;
        while (!checked_)
            if (auto next = next_chunk(); !next)
                return next;
        return rewind();
    }
    std::expected<std::size_t, FileError> read(std::span<std::byte> to) override {
        if (broken_)
            return std::unexpected(*broken_);
        if (to.empty())
            return 0;
        if (at_ == filled_ && !checked_)
            if (auto next = next_chunk(); !next)
                return std::unexpected(next.error());
        const std::size_t n = std::min(to.size(), filled_ - at_);
        if (n)
            std::memcpy(to.data(), buffer_.data() + at_, n);
        at_ += n;
        return n;
    }
    bool can_rewind() const noexcept override { return true; }
    std::expected<void, FileError> rewind() override GDVAR_TRY {
        if (auto there = go_to(source_, skip_ + layout_.header()); !there)
            return there;
        auto aes = Aes::begin(layout_.kind, false, key_, layout_.iv);
        auto md5 = Hash::md5();
        if (!aes)
            return refuse(aes.error(), skip_);
        if (!md5)
            return refuse(md5.error(), skip_);
        aes_ = *std::move(aes);
        md5_ = *std::move(md5);
        buffer_.resize(cipher_chunk);
        at_ = filled_ = 0;
        left_ = layout_.size;
        checked_ = false;
        broken_.reset();
        return {};
    }
    GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory, skip_))

private:
    /// Decrypts the next chunk, or compares the checksum at the end.
    std::expected<void, FileError> next_chunk() {
        if (broken_)
            return std::unexpected(*broken_);
        at_ = filled_ = 0;
        if (left_ == 0) {
            if (!checked_ && md5_->end() != layout_.md5)
                return fail(Error{Errc::bad_checksum, Type::nil, skip_ + layout_.md5_at(), 0});
            checked_ = true;
            return {};
        }
        const auto wanted =
            static_cast<std::size_t>(std::min<std::uint64_t>(cipher_chunk, padded(left_)));
        const std::span<std::byte> bytes = std::span(buffer_).first(wanted);
        const std::uint64_t offset = skip_ + layout_.end() - padded(left_);
        if (auto got = need_all(source_, bytes, offset); !got)
            return fail(got.error());
        aes_->apply(bytes);
        filled_ = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, left_));
        left_ -= filled_;
        md5_->add(ByteView(bytes).first(filled_));
        return {};
    }

    std::unique_ptr<Source> owned_;
    Source& source_;
    std::uint64_t skip_;
    ContainerKey key_;
    Layout layout_{};
    std::optional<Aes> aes_;
    std::optional<Hash> md5_;
    std::vector<std::byte> buffer_;
    std::size_t at_ = 0, filled_ = 0;  ///< of the buffer
    std::uint64_t left_ = 0;           ///< decrypted bytes not in the buffer yet
    bool checked_ = false;
};

/// The layouts that fit the file's size. A layout that ends exactly at the file's end comes first;
/// readers ignore bytes behind the end.
std::expected<std::vector<Layout>, FileError> layouts(Source& source, std::uint64_t skip) {
    std::byte head[longest_header]{};
    if (auto there = go_to(source, skip); !there)
        return std::unexpected(there.error());
    auto got = read_full(source, head);
    if (!got)
        return std::unexpected(got.error());
    const std::uint64_t there = *source.size() - std::min(skip, *source.size());
    const bool maybe_3 = *got >= 8 && detail::load<std::uint32_t>(head + 4) == 1;
    std::vector<Layout> fit;
    if (maybe_3 && *got >= 32)
        fit.push_back(layout_of(Wrapping::gdec_3, head));
    if (*got == longest_header)
        fit.push_back(layout_of(Wrapping::gdec_4, head));
    if (fit.empty()) {
        const std::uint64_t least = maybe_3 ? 32 : longest_header;
        return refuse(Errc::truncated, skip + *got, least - *got);
    }
    const Layout first = fit.front();
    std::erase_if(
        fit, [&](const Layout& layout) { return layout.size > there || layout.end() > there; });
    if (fit.size() == 2 && fit[0].end() != there && fit[1].end() == there)
        std::swap(fit[0], fit[1]);
    if (!fit.empty())
        return fit;
    const std::uint64_t size_at = skip + first.size_at();
    if (first.size >> 62)
        return refuse(Errc::bad_length, size_at);
    return refuse(Errc::truncated, size_at, first.end() - there);
}

}  // namespace

Opened open_gdec(Source& source, const OpenOptions& options, std::unique_ptr<Source> owned) {
    auto fit = layouts(source, options.skip);
    if (!fit)
        return std::unexpected(fit.error());
    if (!options.key)
        return std::unexpected(Error{Errc::bad_key, Type::nil, options.skip}.about_reason(
            "it is encrypted (GDEC), and no key was given"));
    auto gdec = std::make_unique<Gdec>(source, options, std::move(owned));
    std::optional<FileError> error;
    for (const Layout& layout : *fit) {
        auto verified = gdec->verify(layout);
        if (verified)
            return gdec;
        if (!error)
            error = verified.error();
    }
    return std::unexpected(*error);
}

namespace {

/// Encrypts all of `from` into `body`; returns checksum and size.
std::expected<Layout, FileError> encrypt(Source& from, Target& body, Layout layout,
                                         const ContainerKey& key) {
    auto aes = Aes::begin(layout.kind, true, key, layout.iv);
    auto md5 = Hash::md5();
    if (!aes)
        return refuse(aes.error());
    if (!md5)
        return refuse(md5.error());
    std::vector<std::byte> buffer(cipher_chunk);
    for (;;) {
        auto got = read_full(from, buffer);
        if (!got)
            return std::unexpected(got.error());
        if (*got == 0)
            break;
        layout.size += *got;
        md5->add(ByteView(buffer).first(*got));
        const auto all = std::span(buffer).first(static_cast<std::size_t>(padded(*got)));
        std::fill(all.begin() + static_cast<std::ptrdiff_t>(*got), all.end(), std::byte{});
        aes->apply(all);
        if (auto put = body.write(all); !put)
            return std::unexpected(put.error());
        if (*got < buffer.size())
            break;
    }
    layout.md5 = md5->end();
    return layout;
}

/// Copies the bytes behind the replaced container.
std::expected<void, FileError> copy_trailing(const WriteOptions& options, Target& to) {
    if (!options.before)
        return {};
    // The content of a compressed stream has no size until it is read.
    std::unique_ptr<Spool> whole;
    if (!options.before->size()) {
        if (auto back = options.before->rewind(); !back)
            return back;
        auto all = spooled({}, *options.before, options.spool);
        if (!all)
            return std::unexpected(all.error());
        whole = *std::move(all);
    }
    Source& before = whole ? *whole : *options.before;
    const std::uint64_t there = *before.size() - std::min(*before.size(), options.before_skip);
    const auto fit = layouts(before, options.before_skip);
    // The content shows the layout, so it is read, but only if bytes may follow it.
    if (!fit || std::ranges::all_of(*fit, [&](const Layout& l) { return l.end() >= there; }))
        return {};
    const OpenOptions opening{.key = options.key, .skip = options.before_skip};
    const auto old = open_gdec(before, opening, nullptr);
    if (!old || !(*old)->trailing())
        return {};
    return copy_rest(before, *before.size() - (*old)->trailing(), to);
}

}  // namespace

Written write_gdec(Source& from, Target& to, const WriteOptions& options) {
    if (!options.key)
        return std::unexpected(Error{Errc::bad_key}.about_reason("encrypting takes a key"));
    Layout layout{.kind = options.kind};
    if (options.iv)
        layout.iv = *options.iv;
    else if (const Errc code = fill_random(layout.iv); code != Errc::ok)
        return code == Errc::io ? refuse_io(EIO) : std::unexpected(FileError(Error{code}));
    Spool body(options.spool);
    auto done = encrypt(from, body, layout, *options.key);
    if (!done)
        return std::unexpected(done.error());
    std::byte header[longest_header];
    put_header(*done, header);
    if (auto put = to.write(ByteView(header).first(done->header())); !put)
        return std::unexpected(put.error());
    if (auto put = copy(body, to); !put)
        return put;
    if (auto put = copy_trailing(options, to); !put)
        return std::unexpected(put.error());
    return done->size;
}

}  // namespace gdvar::save
