#include "text_document.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "gdvar/value/codec.hpp"
#include "text_formats.hpp"

namespace gdvar::detail {
namespace {

std::unexpected<Error> refuse(Errc code) {
    return std::unexpected(Error{code});
}

Error in_text(const TextError& error) {
    const Error out{error.code, error.type, error.offset, 0};
    return error.detail.empty() ? out : out.about_reason(error.detail.data());
}

/// Where a value stands.
struct Place {
    std::size_t begin = 0, end = 0;
    Outline outline;
};

/// What the constructor of a document takes.
struct Made {
    std::vector<PackedByteArray> packets;
    std::vector<Place> places;
    std::vector<SaveItem> items;
};

std::expected<Made, Error> make_packets(TextValues& read) {
    Made made;
    const EncodeOptions how{.dialect = read.dialect, .allow_objects = true};
    for (TextValue& value : read.values) {
        auto packet = encode(value.value, how);
        if (!packet)
            return std::unexpected(packet.error());
        value.value = Variant();
        made.packets.push_back(*std::move(packet));
        made.places.push_back({value.begin, value.end, std::move(value.outline)});
    }
    for (std::size_t i = 0; i < made.packets.size(); ++i)
        made.items.push_back(
            {.packet = as_bytes(made.packets[i]), .offset = made.places[i].begin, .number = i});
    return made;
}

class TextDocument final : public SaveDocument {
public:
    TextDocument(const DocumentKind& kind, ByteView text, Made made, const Dialect* dialect)
        : SaveDocument(kind, std::move(made.items), dialect),
          text_(as_text(text.data(), text.size())),
          packets_(std::move(made.packets)),
          places_(std::move(made.places)) {}

    std::expected<std::vector<std::byte>, Error> write(
        std::span<const SaveItem> items) const override;

private:
    bool is_unchanged(std::span<const SaveItem> items) const;

    std::string_view text_;
    std::vector<PackedByteArray> packets_;
    std::vector<Place> places_;
};

bool TextDocument::is_unchanged(std::span<const SaveItem> items) const {
    return std::ranges::equal(items, items_, [](const SaveItem& a, const SaveItem& b) {
        return a.number == b.number && std::ranges::equal(a.packet, b.packet);
    });
}

std::expected<std::vector<std::byte>, Error> TextDocument::write(
    std::span<const SaveItem> items) const try {
    if (!is_unchanged(items))
        return refuse(Errc::unsupported_type);
    const ByteView all = as_bytes(text_);
    return std::vector<std::byte>(all.begin(), all.end());
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

}  // namespace

std::expected<std::unique_ptr<SaveDocument>, Error> open_text(const DocumentKind& kind,
                                                              ByteView bytes,
                                                              const DocumentOptions& options) try {
    auto read = text_format(kind.seen_as).read(as_text(bytes.data(), bytes.size()), options);
    if (!read)
        return std::unexpected(in_text(read.error()));
    auto made = make_packets(*read);
    if (!made)
        return std::unexpected(made.error());
    return std::make_unique<TextDocument>(kind, bytes, *std::move(made), read->dialect);
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

}  // namespace gdvar::detail
