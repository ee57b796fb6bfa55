#include "save/container.hpp"

#include <new>

#include "base/exceptions.hpp"
#include "save/stream_codec.hpp"

namespace gdvar {
namespace save {

std::expected<void, FileError> copy_rest(Source& from, std::uint64_t at, Target& to) {
    if (auto there = go_to(from, at); !there)
        return there;
    auto copied = copy(from, to);
    if (!copied)
        return std::unexpected(copied.error());
    return {};
}

std::expected<std::unique_ptr<Spool>, FileError> spooled(ByteView read, Source& rest,
                                                         const SpoolOptions& options) {
    auto out = std::make_unique<Spool>(options);
    if (auto put = out->write(read); !put)
        return std::unexpected(put.error());
    if (auto put = copy(rest, *out); !put)
        return std::unexpected(put.error());
    if (auto back = out->rewind(); !back)
        return std::unexpected(back.error());
    return out;
}

std::expected<void, FileError> need_all(Source& source, std::span<std::byte> to,
                                        std::uint64_t offset) {
    auto got = read_full(source, to);
    if (!got)
        return std::unexpected(got.error());
    if (*got < to.size())
        return refuse(Errc::truncated, offset, to.size() - *got);
    return {};
}

}  // namespace save

using save::refuse;

std::string_view wrapping_name(Wrapping kind) noexcept {
    constexpr std::string_view names[] = {"none", "gcpf", "gdec-3",  "gdec-4", "rscc",
                                          "gzip", "zlib", "deflate", "zstd",   "brotli"};
    return names[static_cast<std::size_t>(kind)];
}

namespace {

Wrapping kind_by_magic(ByteView start) noexcept {
    for (const Wrapping kind : {Wrapping::gzip, Wrapping::zstd})
        if (save::begins_stream(kind, start))
            return kind;
    return Wrapping::none;
}

}  // namespace

std::expected<std::unique_ptr<ContainerSource>, FileError> open_container(
    Source& source, const OpenOptions& options) GDVAR_TRY {
    auto passed = source.skip(options.skip);
    if (!passed)
        return std::unexpected(passed.error());
    if (*passed < options.skip)
        return refuse(Errc::truncated, 0, options.skip - *passed);
    std::byte start[save::most_magic];
    auto got = save::read_full(source, start);
    if (!got)
        return std::unexpected(got.error());
    const ByteView magic = ByteView(start).first(*got);
    OpenOptions named = options;
    if (named.kind == Wrapping::none)
        named.kind = kind_by_magic(magic);
    if (is_stream(named.kind))
        return save::open_stream(source, named, magic);
    const std::string_view text = detail::as_text(start, *got);
    if (text == "GCPF" || text == "RSCC")
        return save::open_gcpf(source, options, text == "GCPF" ? Wrapping::gcpf : Wrapping::rscc);
    if (text != "GDEC") {
        const bool cut = text == std::string_view("GCPF").substr(0, *got) ||
                         text == std::string_view("RSCC").substr(0, *got) ||
                         text == std::string_view("GDEC").substr(0, *got);
        return cut ? refuse(Errc::truncated, options.skip, 4 - *got)
                   : refuse(Errc::bad_magic, options.skip);
    }
    if (source.can_rewind() && source.size())
        return save::open_gdec(source, options, nullptr);
    auto spool = save::spooled(magic, source, options.spool);
    if (!spool)
        return std::unexpected(spool.error());
    OpenOptions at_start = options;
    at_start.skip = 0;
    Source& all = **spool;
    auto opened = save::open_gdec(all, at_start, *std::move(spool));
    if (!opened)
        opened.error().error.offset += options.skip;
    return opened;
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::expected<std::uint64_t, FileError> write_container(Source& from, Target& to,
                                                        const WriteOptions& options) GDVAR_TRY {
    switch (options.kind) {
        case Wrapping::none:
            return copy(from, to);
        case Wrapping::gcpf:
        case Wrapping::rscc:
            return save::write_gcpf(from, to, options);
        case Wrapping::gdec_3:
        case Wrapping::gdec_4:
            return save::write_gdec(from, to, options);
        default:
            return save::write_stream(from, to, options);
    }
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace gdvar
