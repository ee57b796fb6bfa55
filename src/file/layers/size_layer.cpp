#include <array>
#include <new>

#include "base/exceptions.hpp"
#include "file/layers/layer_rows.hpp"
#include "file/layers/rest_source.hpp"
#include "gdvar/base/bytes.hpp"

namespace gdvar {
std::expected<std::unique_ptr<Source>, FileError> open_size(Source& source,
                                                            const SaveOptions& options,
                                                            Layer& layer) GDVAR_TRY {
    const auto form = find_size(source, options.skip, options.max_bytes);
    if (!form)
        return std::unexpected(form.error());
    if (!*form)
        return refuse(Error{Errc::bad_length, Type::nil, options.skip, 0}.about_reason(
            "no size of what follows stands in front of a container"));
    layer.kind = find_layer_kind(**form);
    auto rest = std::make_unique<RestSource>(source, options.skip + (*form)->width);
    if (auto back = rest->rewind(); !back)
        return std::unexpected(back.error());
    return rest;
}
GDVAR_CATCH_NO_MEMORY(return refuse(Error{Errc::no_memory}))

std::expected<void, FileError> write_size(Source& from, Target& to, SizeForm form,
                                          const LayerWriting& how) GDVAR_TRY {
    if (!how.sizes)
        return refuse(
            Error{Errc::misplaced}.about_reason("a size stands in front of gcpf, gdec, gzip, zlib "
                                                "or zstd alone: without their magic it "
                                                "is not found again"));
    const std::uint64_t size = form.unpacked ? how.sizes->unpacked : how.sizes->packed;
    const bool narrow = form.width == sizeof(std::uint32_t);
    if (narrow && size > UINT32_MAX)
        return refuse(Error{Errc::too_large});
    std::array<std::byte, sizeof(std::uint64_t)> number;
    if (narrow) {
        const auto low = static_cast<std::uint32_t>(size);
        detail::store(number.data(), form.order == ByteOrder::big ? detail::byteswap(low) : low);
    } else {
        detail::store(number.data(), form.order == ByteOrder::big ? detail::byteswap(size) : size);
    }
    if (auto put = to.write(ByteView(number).first(form.width)); !put)
        return put;
    auto copied = copy(from, to);
    return copied ? std::expected<void, FileError>() : std::unexpected(copied.error());
}
GDVAR_CATCH_NO_MEMORY(return refuse(Error{Errc::no_memory}))

}  // namespace gdvar
