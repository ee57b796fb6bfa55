#include "file/documents/resource_document.hpp"

#include <new>
#include <utility>

#include "base/exceptions.hpp"
#include "gdvar/file/binary_resource.hpp"

namespace gdvar::detail {
namespace {

using Bytes = std::expected<std::vector<std::byte>, DocumentError>;

Bytes only_read() {
    return std::unexpected(DocumentError{Error{Errc::unsupported_type}.about_reason(
        "binary resources are read, but not written: save the resource as text (.tres, .tscn)")});
}

/// Holds the packet, its only value.
class ResourceDocument final : public SaveDocument {
public:
    ResourceDocument(const DocumentKind& kind, BinaryResource resource)
        : SaveDocument(kind, {}, resource.dialect), packet_(std::move(resource.packet)) {
        items_.push_back({{}, as_bytes(packet_), 0, 0});
    }
    Bytes write(std::span<const SaveItem>) const override { return only_read(); }

private:
    PackedByteArray packet_;
};

}  // namespace

std::expected<std::unique_ptr<SaveDocument>, Error> open_binary_resource(
    const DocumentKind& kind, ByteView bytes, const DocumentOptions& options) GDVAR_TRY {
    auto resource = read_binary_resource(
        bytes, {.max_bytes = options.max_content, .max_depth = options.limits.max_depth});
    if (!resource)
        return std::unexpected(resource.error());
    return std::make_unique<ResourceDocument>(kind, *std::move(resource));
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory}))

Bytes write_binary_resource(std::span<const SaveItem>, const Dialect&) {
    return only_read();
}

}  // namespace gdvar::detail
