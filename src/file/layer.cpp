#include "gdvar/file/layer.hpp"

#include <algorithm>
#include <iterator>
#include <new>

#include "gdvar/file/text_readings.hpp"
#include "gdvar/save/coding.hpp"

namespace gdvar {
namespace {

std::unexpected<Error> refuse(Errc code, std::uint64_t offset = 0) {
    return std::unexpected(Error{code, Type::nil, offset, 0});
}

using Opened = std::expected<std::unique_ptr<Source>, FileError>;
using Written = std::expected<void, FileError>;

const LayerKind* kind_named(std::string_view name) noexcept {
    for (const LayerKind& kind : layer_kinds())
        if (kind.name == name)
            return &kind;
    return nullptr;
}

/// Opens a container with the key, or the first of the keys that fits.
std::expected<std::unique_ptr<ContainerSource>, FileError> open_with_keys(
    Source& source, const LayerOptions& options, Layer& layer) {
    OpenOptions how{.key = options.key, .skip = options.skip, .max_bytes = options.max_bytes};
    auto inner = open_container(source, how);
    if (inner || inner.error().code != Errc::bad_key || options.key || options.keys.empty())
        return inner;
    for (const NamedKey& named : options.keys) {
        if (auto back = source.rewind(); !back)
            return std::unexpected(back.error());
        how.key = &named.key;
        inner = open_container(source, how);
        if (inner)
            layer.opened_with = named;
        if (inner || inner.error().code != Errc::bad_checksum)
            return inner;
    }
    return std::unexpected(
        inner.error().error.about_reason("none of the keys fits, or the file is damaged"));
}

Opened open_any_container(Source& source, const LayerOptions& options, Layer& layer) {
    auto inner = open_with_keys(source, options, layer);
    if (!inner)
        return std::unexpected(inner.error());
    const ContainerSource& found = **inner;
    layer.kind = kind_named(wrapping_name(found.kind()));
    layer.compression = found.compression();
    if (found.block_size())
        layer.block_size = found.block_size();
    return *std::move(inner);
}

template <Wrapping kind>
Written write_one_container(Source& from, Target& to, const Layer& layer, const ContainerKey* key) {
    auto done = write_container(from, to,
                                {.kind = kind,
                                 .compression = layer.compression,
                                 .block_size = layer.block_size,
                                 .key = key});
    if (!done)
        return std::unexpected(done.error());
    return {};
}

/// Both the text and the bytes that it encodes are held in memory.
template <auto decode>
Opened open_text(Source& source, const LayerOptions& options, Layer& layer) {
    if (auto back = source.rewind(); !back)
        return std::unexpected(back.error());
    if (auto passed = source.skip(options.skip); !passed)
        return std::unexpected(passed.error());
    auto all = read_all(source, options.max_bytes);
    if (!all)
        return std::unexpected(all.error());
    const std::string_view text = detail::as_text(all->data(), all->size());
    layer.newline = text.ends_with('\n');
    auto bytes = decode(text);
    if (!bytes)
        return refuse(bytes.error().code, options.skip + bytes.error().offset);
    return std::make_unique<OwnedSource>(*std::move(bytes));
}

template <auto encode>
Written write_text(Source& from, Target& to, const Layer& layer, const ContainerKey*) {
    auto all = read_all(from);
    if (!all)
        return std::unexpected(all.error());
    const std::string text = encode(*all) + (layer.newline ? "\n" : "");
    return to.write(as_bytes(text));
}

constexpr LayerKind kinds[] = {
    {"gcpf", InputKind::gcpf, false, open_any_container, write_one_container<Wrapping::gcpf>},
    {"gdec-3", InputKind::gdec, true, open_any_container, write_one_container<Wrapping::gdec_3>},
    {"gdec-4", InputKind::gdec, true, open_any_container, write_one_container<Wrapping::gdec_4>},
    {"hex", InputKind::hex, false, open_text<from_hex>, write_text<to_hex>},
    {"base64", InputKind::base64, false, open_text<from_base64>, write_text<to_base64>},
};

constexpr std::string_view gcpf = "gcpf";

}  // namespace

std::string Layer::name() const {
    std::string out(kind->name);
    if (kind->name == gcpf)
        out += '-' + std::string(compression_name(compression));
    return out;
}

std::span<const LayerKind> layer_kinds() noexcept {
    return kinds;
}

const LayerKind* find_layer_kind(InputKind seen) noexcept {
    const auto at = std::find_if(std::begin(kinds), std::end(kinds),
                                 [&](const LayerKind& kind) { return kind.seen_as == seen; });
    return at == std::end(kinds) ? nullptr : at;
}

namespace {

constexpr std::size_t most_layers = 8;

bool is_text(const LayerKind& kind) {
    return kind.seen_as == InputKind::hex || kind.seen_as == InputKind::base64;
}

/// What to read bytes as. Text is how bare packets travel; records only where it is no packet.
InputKind chosen(const std::vector<Reading>& readings, bool inside_text) {
    if (readings.empty())
        return InputKind::unknown;
    if (inside_text)
        for (const Reading& reading : readings)
            if (reading.kind == InputKind::packet && reading.whole)
                return reading.kind;
    return readings[0].kind;
}

}  // namespace

std::expected<OpenLayers, FileError> open_layers(std::unique_ptr<Source> file,
                                                 const LayerOptions& options) {
    OpenLayers out;
    out.sources.push_back(std::move(file));
    LayerOptions here = options;
    for (;;) {
        const bool inside_text = !out.layers.empty() && is_text(*out.layers.back().kind);
        const RecogniseOptions how{
            .skip = here.skip, .max_load = options.max_bytes, .all = inside_text};
        auto readings = recognise(out.inside(), how);
        if (!readings)
            return std::unexpected(readings.error());
        if (auto texts = add_text_readings(out.inside(), how, *readings); !texts)
            return std::unexpected(texts.error());
        out.kind = chosen(*readings, inside_text);
        Layer layer;
        layer.kind = find_layer_kind(out.kind);
        if (!layer.kind) {
            out.readings = *std::move(readings);
            return out;
        }
        if (out.layers.size() == most_layers)
            return refuse(Errc::depth_limit);
        auto inner = layer.kind->open(out.inside(), here, layer);
        if (!inner)
            return std::unexpected(inner.error());
        out.layers.push_back(layer);
        out.sources.push_back(*std::move(inner));
        here.skip = 0;
    }
}

std::expected<Layer, Error> find_layer(std::string_view name) {
    Layer layer;
    layer.kind = kind_named(name);
    if (layer.kind && name != gcpf)
        return layer;
    if (!name.starts_with("gcpf-"))
        return refuse(Errc::bad_mode);
    const auto mode = find_compression(name.substr(gcpf.size() + 1));
    if (!mode || *mode == Compression::brotli)
        return refuse(Errc::bad_mode);
    layer.kind = kind_named(gcpf);
    layer.compression = *mode;
    return layer;
}

bool encrypts(std::span<const Layer> layers) noexcept {
    return std::any_of(layers.begin(), layers.end(),
                       [](const Layer& layer) { return layer.kind->encrypts; });
}

bool needs_key(std::span<const Layer> layers) noexcept {
    return std::any_of(layers.begin(), layers.end(), [](const Layer& layer) {
        return layer.kind->encrypts && !layer.opened_with;
    });
}

std::expected<void, FileError> write_layers(Source& inner, Target& to,
                                            std::span<const Layer> layers,
                                            const ContainerKey* key) try {
    if (auto back = inner.rewind(); !back)
        return back;
    if (layers.empty()) {
        auto copied = copy(inner, to);
        if (!copied)
            return std::unexpected(copied.error());
        return {};
    }
    // Each layer wraps the output of the next inner one. The outermost layer writes straight to the
    // target.
    std::unique_ptr<Spool> made;
    for (std::size_t i = layers.size(); i-- > 0;) {
        const Layer& layer = layers[i];
        Source& from = made ? static_cast<Source&>(*made) : inner;
        if (auto back = from.rewind(); !back)
            return back;
        auto next = std::make_unique<Spool>();
        Target& target = i ? static_cast<Target&>(*next) : to;
        const ContainerKey* own = layer.opened_with ? &layer.opened_with->key : key;
        if (auto done = layer.kind->write(from, target, layer, own); !done)
            return done;
        made = std::move(next);
    }
    return {};
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

}  // namespace gdvar
