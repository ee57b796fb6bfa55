#include "gdvar/file/convert_layers.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/exceptions.hpp"
#include "file/documents/labelled.hpp"
#include "file/layers/value_layer.hpp"
#include "gdvar/inspect/written.hpp"

namespace gdvar {
namespace {

using detail::DocumentAround;
using detail::Labelled;
using Bytes = std::vector<std::byte>;

std::unexpected<DocumentError> refuse_item(const Error& error, std::size_t item = 0) {
    return std::unexpected(DocumentError{error, item, {}});
}

std::expected<PackedByteArray, Error> converted(const DocumentAround& around,
                                                const DocumentAround::Conversion& how,
                                                ByteView packet,
                                                inspect::ConversionReport& report) {
    EncodeOptions to = how.to;
    to.allow_objects = to.allow_objects || around.objects();
    auto done = inspect::convert(packet, around.decoding(), to, how.renames, &report);
    if (!done)
        return std::unexpected(done.error());
    if (done->size != packet.size())
        return std::unexpected(Error{Errc::trailing_bytes, Type::nil, done->size, 0});
    if (auto sound = inspect::make_strict(*done, to, &report); !sound)
        return std::unexpected(sound.error());
    return std::move(done->bytes);
}

/// Why a dialect's engines can't decompress the layer, or empty. `decompress` of Godot 3.2.3 and
/// 4.6.3 refuses deflate without zlib's header; 3.2.3's has no Brotli (wire-format 5.3).
std::string unreadable(const Layer& layer, const Dialect& to) {
    if (layer.kind->seen_as == InputKind::deflate)
        return "no engine decompresses deflate without the header of zlib or gzip";
    if (layer.kind->seen_as == InputKind::brotli && !is_godot_4(to.family))
        return std::string(to.name) + "'s engines can't decompress Brotli";
    return {};
}

/// Converts the document around a value. Returns whether that changes it.
std::expected<bool, DocumentError> convert_around(Layer& layer, const EncodeOptions& to,
                                                  const inspect::Renames& renames,
                                                  inspect::ConversionReport& report) {
    auto around = std::make_shared<DocumentAround>(*layer.place->around);
    around->conversion = std::make_shared<const DocumentAround::Conversion>(to, renames);
    const auto done =
        write_converted(*around, *around->conversion, around->loaded->document->items(), report);
    if (!done)
        return std::unexpected(done.error());
    if (layer.place->dialect)
        layer.place->dialect = to.dialect;
    layer.place->around = around;
    return !std::ranges::equal(*done, around->loaded->content);
}

}  // namespace

std::expected<Bytes, DocumentError> write_converted(const DocumentAround& around,
                                                    const DocumentAround::Conversion& how,
                                                    std::span<const SaveItem> items,
                                                    inspect::ConversionReport& report) {
    const SaveDocument& document = *around.loaded->document;
    const DocumentKind& kind = document.kind();
    if (kind.text) {
        const auto text = document.write(items);
        if (!text)
            return text;
        const auto again = kind.open(kind, *text, {.dialect = around.loaded->dialect});
        if (!again)
            return refuse_item(again.error());
        return (*again)->convert(*how.to.dialect, how.renames, report);
    }
    std::vector<PackedByteArray> packets;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Labelled label(report.losses, item_label(kind, i, items[i].key));
        auto packet = converted(around, how, items[i].packet, report);
        if (!packet)
            return refuse_item(packet.error(), i);
        packets.push_back(*std::move(packet));
    }
    std::vector<SaveItem> out(items.begin(), items.end());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i].packet = as_bytes(packets[i]);
    return document.write(out);
}

const LayerKind& encryption_of(const Dialect& dialect) noexcept {
    return *find_layer_kind(is_godot_4(dialect.family) ? "gdec-4" : "gdec-3");
}

std::optional<bool> written_by_godot_4(std::span<const Layer> layers) noexcept {
    for (const Layer& layer : layers)
        if (layer.kind->encrypts)
            return layer.kind == &encryption_of(dialects::godot_4_4);
    return std::nullopt;
}

std::expected<ConvertedLayers, DocumentError> convert_layers(
    std::span<const Layer> layers, const EncodeOptions& to, const inspect::Renames& renames,
    inspect::ConversionReport& report) GDVAR_TRY {
    ConvertedLayers out;
    const LayerKind& encryption = encryption_of(*to.dialect);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        Layer& layer = out.layers.emplace_back(layers[i]);
        const std::string before = layer.name();
        if (layer.kind->encrypts && layer.kind != &encryption) {
            layer.kind = &encryption;
            out.notes.push_back({i, true,
                                 before + " became " + layer.name() + ", which " +
                                     std::string(to.dialect->name) + "'s engines read"});
        }
        if (std::string what = unreadable(layer, *to.dialect); !what.empty())
            out.notes.push_back({i, false, std::move(what)});
        if (!layer.place || !layer.place->around)
            continue;
        const std::string held = std::string(input_kind_name(layer.place->document));
        const auto changed = convert_around(layer, to, renames, report);
        if (!changed)
            return std::unexpected(changed.error());
        if (*changed)
            out.notes.push_back({i, true,
                                 "the " + held + " around the value became " +
                                     std::string(to.dialect->name) + "'s"});
    }
    return out;
}
GDVAR_CATCH_NO_MEMORY(return refuse_item(Error{Errc::no_memory}))

}  // namespace gdvar
