#include <new>

#include "base/exceptions.hpp"
#include "file/layers/break_source.hpp"
#include "file/layers/layer_rows.hpp"
#include "file/layers/rest_source.hpp"
#include "gdvar/base/bytes.hpp"
#include "gdvar/base/utf8.hpp"

namespace gdvar {
namespace {

constexpr std::size_t head = 4;  ///< the length

}  // namespace

std::expected<std::unique_ptr<Source>, FileError> open_pascal(Source& source,
                                                              const SaveOptions& options,
                                                              Layer&) GDVAR_TRY {
    auto all = read_rest(source, options.skip, options.most_held());
    if (!all)
        return std::unexpected(all.error());
    if (all->size() < head)
        return refuse(Error{Errc::truncated, Type::nil, options.skip, head - all->size()});
    const std::size_t length = detail::load<std::uint32_t>(all->data());
    const std::size_t there = all->size() - head;
    if (there > length)
        return refuse(Error{Errc::trailing_bytes, Type::nil, options.skip + head + length, 0});
    const FileError broken(
        Error{Errc::truncated, Type::nil, options.skip + all->size(), length - there});
    if (there < length && !options.up_to_break)
        return std::unexpected(broken);
    all->erase(all->begin(), all->begin() + head);
    auto text = std::make_unique<OwnedSource>(*std::move(all));
    if (there < length)
        return std::make_unique<BreakSource>(std::move(text), broken);
    return text;
}
GDVAR_CATCH_NO_MEMORY(return refuse(Error{Errc::no_memory}))

std::expected<void, FileError> write_pascal(Source& from, Target& to, const Layer&,
                                            const LayerWriting&) GDVAR_TRY {
    auto all = read_all(from);
    if (!all)
        return std::unexpected(all.error());
    if (all->size() > 0x7FFF'FFFFu)
        return refuse(Error{Errc::too_large});
    // The engines end a text at a NUL, and replace what is no UTF-8.
    const std::string_view text = detail::as_text(all->data(), all->size());
    if (!valid_text(text, Utf8Rule::strict) || text.find('\0') != text.npos)
        return refuse(Error{Errc::bad_utf8});
    std::byte length[head];
    detail::store(length, static_cast<std::uint32_t>(all->size()));
    if (auto put = to.write(length); !put)
        return put;
    return to.write(*all);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Error{Errc::no_memory}))

}  // namespace gdvar
