// gzip, zlib, deflate, zstd and Brotli: read while they are decompressed, and written again with
// unchanged parts kept.
#include <algorithm>
#include <new>
#include <optional>

#include "base/exceptions.hpp"
#include "save/container.hpp"
#include "save/stream_codec.hpp"

namespace gdvar::save {
namespace {

class Stream final : public BreakingSource {
public:
    /// `read`: the bytes of the stream already taken from the source.
    Stream(Source& source, const OpenOptions& options, ByteView read)
        : source_(source), skip_(options.skip), most_(options.max_bytes) {
        kind_ = options.kind;
        buffer_.resize(step);
        std::copy(read.begin(), read.end(), buffer_.begin());
        filled_ = read.size();
    }
    std::expected<void, FileError> begin(const OpenOptions& options) {
        auto decoder = stream_decoder(kind_, options.max_memory);
        if (!decoder)
            return refuse(decoder.error());
        decoder_ = *std::move(decoder);
        if (auto filled = fill(most_magic); !filled)
            return filled;
        const ByteView start = ByteView(buffer_).first(filled_);
        if (!begins_stream(kind_, start))
            return refuse(start.empty() ? Errc::truncated : Errc::bad_magic, skip_,
                          start.empty() ? 1 : 0);
        return {};
    }
    std::expected<std::size_t, FileError> read(std::span<std::byte> to) override GDVAR_TRY {
        std::size_t made = 0;
        while (made == 0 && !ended_ && !to.empty()) {
            auto got = advance(to);
            if (!got)
                return got;
            made = *got;
        }
        return made;
    }
    GDVAR_CATCH_NO_MEMORY(return fail(Errc::no_memory))
    /// The same, but returns at the end of each part, even with nothing.
    std::expected<std::size_t, FileError> advance(std::span<std::byte> to) {
        if (broken_)
            return std::unexpected(*broken_);
        while (!ended_) {
            if (auto filled = fill(1); !filled)
                return fail(filled.error());
            const auto done = decoder_->step(ByteView(buffer_).subspan(at_, filled_ - at_), to);
            if (!done)
                return fail(done.error());
            at_ += done->taken;
            made_ += done->made;
            if (made_ > most_)
                return fail(Errc::size_limit);
            if (done->ended)
                if (auto next = end_part(); !next)
                    return std::unexpected(next.error());
            if (done->made || done->ended)
                return done->made;
            if (done->taken == 0)
                return all_read_ && at_ == filled_ ? fail(Errc::truncated, 1)
                                                   : fail(Errc::bad_block);
        }
        return 0;
    }
    bool can_rewind() const noexcept override { return source_.can_rewind(); }
    std::expected<void, FileError> rewind() override {
        if (auto there = go_to(source_, skip_); !there)
            return there;
        if (const Errc code = decoder_->restart(); code != Errc::ok)
            return refuse(code, skip_);
        at_ = filled_ = 0;
        base_ = made_ = part_at_ = trailing_ = 0;
        all_read_ = ended_ = false;
        broken_.reset();
        return {};
    }

    std::uint64_t part_at() const noexcept { return part_at_; }
    std::uint64_t taken() const noexcept { return at_ + base_; }
    bool ended() const noexcept { return ended_; }

private:
    /// Reads until `least` bytes are buffered, or all that are left.
    std::expected<void, FileError> fill(std::size_t least) {
        if (all_read_ || filled_ - at_ >= least)
            return {};
        std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(at_),
                  buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
        base_ += at_;
        filled_ -= at_;
        at_ = 0;
        auto got = read_full(source_, std::span(buffer_).subspan(filled_));
        if (!got)
            return std::unexpected(got.error());
        filled_ += *got;
        all_read_ = filled_ < buffer_.size();
        return {};
    }
    /// A part is followed by another one, or by bytes outside the stream.
    std::expected<void, FileError> end_part() {
        if (auto filled = fill(most_magic); !filled)
            return fail(filled.error());
        if (continues_stream(kind_, ByteView(buffer_).subspan(at_, filled_ - at_))) {
            part_at_ = taken();
            const Errc code = decoder_->restart();
            return code == Errc::ok ? std::expected<void, FileError>() : fail(code);
        }
        ended_ = true;
        trailing_ = filled_ - at_;
        if (all_read_)
            return {};
        auto rest = source_.skip(UINT64_MAX);
        if (!rest)
            return fail(rest.error());
        trailing_ += *rest;
        return {};
    }
    using BreakingSource::fail;
    std::unexpected<FileError> fail(Errc code, std::uint64_t need = 0) {
        return fail(Error{code, Type::nil, skip_ + taken(), need});
    }

    Source& source_;
    std::uint64_t skip_, most_;
    std::unique_ptr<StreamDecoder> decoder_;
    std::vector<std::byte> buffer_;    ///< bytes of the source
    std::size_t at_ = 0, filled_ = 0;  ///< in the buffer: decoded, read
    std::uint64_t base_ = 0;           ///< bytes of the stream before the buffer
    std::uint64_t made_ = 0, part_at_ = 0;
    bool all_read_ = false, ended_ = false;
};

struct Part {
    std::uint64_t at = 0, size = 0;  ///< in the stream
    std::uint64_t content_at = 0, content = 0;
};

/// An old stream compared with new content: the parts before `first` and from `end` on are
/// unchanged. Among those between, `rest` takes the new content that no other part takes.
struct Plan {
    std::vector<Part> parts;
    std::size_t first = 0, end = 0;
    std::size_t rest = SIZE_MAX;
    std::uint64_t behind = 0;  ///< content of the parts from `end` on
};

std::expected<bool, FileError> next_are(Source& source, ByteView bytes,
                                        std::vector<std::byte>& buffer) {
    buffer.resize(bytes.size());
    auto got = read_full(source, buffer);
    if (!got)
        return std::unexpected(got.error());
    return *got == bytes.size() && std::equal(bytes.begin(), bytes.end(), buffer.begin());
}

/// Reads the whole old stream beside `now`, whose content is moved by `shift`. Calls `use` with
/// each part and whether its bytes are the same. Errors: those of both.
template <class Use>
std::expected<void, FileError> each_part(Stream& old, Source& now, std::int64_t shift, Use&& use) {
    if (auto back = old.rewind(); !back)
        return back;
    if (auto there = go_to(now, static_cast<std::uint64_t>(std::max<std::int64_t>(shift, 0)));
        !there)
        return there;
    // Bytes without a counterpart at the start of `now`.
    auto alone = static_cast<std::uint64_t>(std::max<std::int64_t>(-shift, 0));
    std::vector<std::byte> chunk(step), beside;
    Part part;
    bool same = true;
    while (!old.ended()) {
        const std::uint64_t at = old.part_at();
        auto got = old.advance(chunk);
        if (!got)
            return std::unexpected(got.error());
        const auto passed = static_cast<std::size_t>(std::min<std::uint64_t>(*got, alone));
        alone -= passed;
        auto equal = next_are(now, ByteView(chunk).subspan(passed, *got - passed), beside);
        if (!equal)
            return std::unexpected(equal.error());
        same = same && *equal && passed == 0;
        part.at = at;
        part.content += *got;
        if (old.ended() || old.part_at() != at) {
            part.size = (old.ended() ? old.taken() : old.part_at()) - at;
            use(part, same);
            part = {.content_at = part.content_at + part.content};
            same = true;
        }
    }
    return {};
}

/// Most programs read only the first part, so the number of parts stays.
void settle(Plan& plan, std::uint64_t size) {
    const std::vector<Part>& parts = plan.parts;
    const std::uint64_t content = parts.back().content_at + parts.back().content;
    const std::uint64_t before = plan.first < parts.size() ? parts[plan.first].content_at : content;
    // The same bytes may be at the start and, moved, at the end.
    while (plan.end < parts.size() && size - (content - parts[plan.end].content_at) < before)
        ++plan.end;
    const auto choose = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            if (parts[i].content)
                plan.rest = i;
        return plan.rest != SIZE_MAX;
    };
    const auto behind = [&] {
        return plan.end < parts.size() ? content - parts[plan.end].content_at : 0;
    };
    if (!choose(plan.first, plan.end) && before + behind() < size) {
        if (choose(0, plan.first)) {
            plan.first = plan.rest;
        } else {
            // An empty part may be a skipped frame. It is written anew if there is no other.
            while (plan.end < parts.size() && parts[plan.end].content == 0)
                ++plan.end;
            plan.end = std::min(plan.end + 1, parts.size());
            plan.rest = plan.end - 1;
            plan.first = std::min(plan.first, plan.rest);
        }
    }
    plan.behind = behind();
}

/// `size`: of the new content.
std::expected<Plan, FileError> compare(Stream& old, Source& now, std::uint64_t size) {
    Plan out;
    std::uint64_t content = 0;
    auto read = each_part(old, now, 0, [&](const Part& part, bool same) {
        if (same && out.first == out.parts.size())
            ++out.first;
        out.parts.push_back(part);
        content += part.content;
    });
    if (!read)
        return std::unexpected(read.error());
    out.end = out.parts.size();
    if (out.first < out.parts.size() && out.parts.size() > 1) {
        // Parts at the end may be unchanged but moved.
        std::size_t number = 0, differ = out.first;
        read = each_part(old, now, static_cast<std::int64_t>(size - content),
                         [&](const Part&, bool same) {
                             ++number;
                             if (!same)
                                 differ = std::max(differ, number);
                         });
        if (!read)
            return std::unexpected(read.error());
        out.end = differ;
    }
    settle(out, size);
    return out;
}

class StreamWriter {
public:
    StreamWriter(Source& from, Target& to, Wrapping kind) : from_(from), to_(to), kind_(kind) {}

    /// Compresses the next `form.size` bytes of the content.
    Written add(const PartForm& form) {
        auto encoder = stream_encoder(kind_, form);
        if (!encoder)
            return refuse(encoder.error());
        std::vector<std::byte> chunk(step), made;
        std::uint64_t left = form.size;
        do {
            const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(left, step));
            auto got = read_full(from_, std::span(chunk).first(most));
            if (!got)
                return std::unexpected(got.error());
            left = *got < most ? 0 : left - most;
            made.clear();
            const Errc code = (*encoder)->add(ByteView(chunk).first(*got), left == 0, made);
            if (code != Errc::ok)
                return refuse(code);
            if (auto put = to_.write(made); !put)
                return std::unexpected(put.error());
            done_ += *got;
        } while (left);
        return done_;
    }
    /// Copies bytes of the old stream, with `content` bytes of content.
    std::expected<void, FileError> keep(Source& old, std::uint64_t size, std::uint64_t content) {
        std::vector<std::byte> chunk(step);
        while (size) {
            const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(size, step));
            auto got = read_full(old, std::span(chunk).first(most));
            if (!got)
                return std::unexpected(got.error());
            if (*got == 0)
                break;
            if (auto put = to_.write(ByteView(chunk).first(*got)); !put)
                return put;
            size -= *got;
        }
        auto passed = from_.skip(content);
        if (!passed)
            return std::unexpected(passed.error());
        done_ += *passed;
        return {};
    }
    std::uint64_t done() const noexcept { return done_; }

private:
    Source& from_;
    Target& to_;
    Wrapping kind_;
    std::uint64_t done_ = 0;
};

/// The form of an old part by its header. The source must be before the part, and is then after it.
std::expected<PartForm, FileError> take_form(Source& old, const Part& part, Wrapping kind) {
    constexpr std::uint64_t most = 128u << 10;  // gzip's extra field has up to 64 KiB
    std::vector<std::byte> start;
    if (auto got = read_up_to(old, std::min(part.size, most), start); !got)
        return std::unexpected(got.error());
    if (auto passed = old.skip(part.size - start.size()); !passed)
        return std::unexpected(passed.error());
    return form_of(kind, start);
}

/// Writes the content with all unchanged parts kept, and the others divided as before.
Written rewrite(Source& from, std::uint64_t size, Target& to, const WriteOptions& options,
                const Plan& plan) {
    Source& before = *options.before;
    if (auto there = go_to(before, options.before_skip); !there)
        return std::unexpected(there.error());
    if (auto back = from.rewind(); !back)
        return std::unexpected(back.error());
    StreamWriter writer(from, to, options.kind);
    for (std::size_t i = 0; i < plan.parts.size(); ++i) {
        const Part& part = plan.parts[i];
        const bool same = i < plan.first || i >= plan.end;
        if (same || (part.content == 0 && i != plan.rest)) {
            if (auto kept = writer.keep(before, part.size, part.content); !kept)
                return std::unexpected(kept.error());
            continue;
        }
        auto form = take_form(before, part, options.kind);
        if (!form)
            return std::unexpected(form.error());
        const std::uint64_t left = size - plan.behind - writer.done();
        form->size = i == plan.rest ? left : std::min(left, part.content);
        if (auto put = writer.add(*form); !put)
            return put;
    }
    if (auto kept = writer.keep(before, UINT64_MAX, 0); !kept)
        return std::unexpected(kept.error());
    return writer.done();
}

}  // namespace

Opened open_stream(Source& source, const OpenOptions& options, ByteView read) {
    auto stream = std::make_unique<Stream>(source, options, read);
    if (auto begun = stream->begin(options); !begun)
        return std::unexpected(begun.error());
    return stream;
}

Written write_stream(Source& from, Target& to, const WriteOptions& options) {
    if (!options.before) {
        StreamWriter writer(from, to, options.kind);
        if (options.kind != Wrapping::zstd)
            return writer.add({.size = UINT64_MAX});
        // The header has the size of the content.
        Spool all(options.spool);
        auto copied = copy(from, all);
        if (!copied)
            return copied;
        return StreamWriter(all, to, options.kind).add({.size = *copied});
    }
    const auto size = size_from(from, 0);
    if (!size)
        return size;
    const OpenOptions opening{
        .kind = options.kind, .skip = options.before_skip, .max_bytes = UINT64_MAX};
    Stream old(*options.before, opening, {});
    if (auto there = go_to(*options.before, options.before_skip); !there)
        return std::unexpected(there.error());
    if (auto begun = old.begin(opening); !begun)
        return std::unexpected(begun.error());
    const auto plan = compare(old, from, *size);
    if (!plan)
        return std::unexpected(plan.error());
    return rewrite(from, *size, to, options, *plan);
}

}  // namespace gdvar::save
