#include "gdvar/file/layer.hpp"

#include <algorithm>
#include <iterator>
#include <new>

#include "base/exceptions.hpp"
#include "file/layers/layer_rows.hpp"
#include "gdvar/file/open_layers.hpp"
#include "gdvar/file/save_document.hpp"
#include "wire/refuse.hpp"

namespace gdvar {
namespace {

using detail::refuse;
using Opened = std::expected<std::unique_ptr<Source>, FileError>;
using Written = std::expected<void, FileError>;

/// Opens a container with the key, or the first of the keys that fits.
std::expected<std::unique_ptr<ContainerSource>, FileError> open_with_keys(
    Source& source, const SaveOptions& options, Wrapping wrapping, Layer& layer) {
    OpenOptions how{.kind = wrapping,
                    .key = options.the_key(),
                    .skip = options.skip,
                    .max_bytes = options.max_bytes};
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

/// `wrapping`: of a stream; none for what has a header, in which GCPF and the two kinds of GDEC
/// differ.
template <Wrapping wrapping = Wrapping::none>
Opened open_one_container(Source& source, const SaveOptions& options, Layer& layer) {
    if (auto back = source.rewind(); !back)
        return std::unexpected(back.error());
    auto inner = open_with_keys(source, options, wrapping, layer);
    if (!inner)
        return std::unexpected(inner.error());
    const ContainerSource& found = **inner;
    layer.kind = find_layer_kind(wrapping_name(found.kind()));
    layer.compression = found.compression();
    if (found.block_size())
        layer.block_size = found.block_size();
    return *std::move(inner);
}

template <Wrapping kind>
Written write_one_container(Source& from, Target& to, const Layer& layer, const LayerWriting& how) {
    auto done = write_container(from, to,
                                {.kind = kind,
                                 .compression = layer.compression,
                                 .block_size = layer.block_size,
                                 .key = how.key,
                                 .before = how.before,
                                 .before_skip = how.before_skip});
    if (!done)
        return std::unexpected(done.error());
    return {};
}

/// The row of a stream of one compression.
template <Wrapping kind>
constexpr LayerKind stream(std::string_view name, InputKind seen_as) {
    return {name, seen_as, false, open_one_container<kind>, write_one_container<kind>};
}

/// The size of the container behind it, or of what that holds.
template <std::uint8_t width, ByteOrder order, bool unpacked>
Written write_one_size(Source& from, Target& to, const Layer&, const LayerWriting& how) {
    return write_size(from, to, {width, order, unpacked}, how);
}

template <std::uint8_t width, ByteOrder order, bool unpacked>
constexpr LayerKind size_in_front(std::string_view name) {
    return {name, InputKind::size, false, open_size, write_one_size<width, order, unpacked>};
}

constexpr LayerKind kinds[] = {
    {"gcpf", InputKind::gcpf, false, open_one_container<>, write_one_container<Wrapping::gcpf>},
    {"gdec-3", InputKind::gdec, true, open_one_container<>, write_one_container<Wrapping::gdec_3>},
    {"gdec-4", InputKind::gdec, true, open_one_container<>, write_one_container<Wrapping::gdec_4>},
    stream<Wrapping::gzip>("gzip", InputKind::gzip),
    stream<Wrapping::zlib>("zlib", InputKind::zlib),
    stream<Wrapping::deflate>("deflate", InputKind::deflate),
    stream<Wrapping::zstd>("zstd", InputKind::zstd),
    stream<Wrapping::brotli>("brotli", InputKind::brotli),
    {"hex", InputKind::hex, false, open_digits, write_digits},
    {"base64", InputKind::base64, false, open_digits, write_digits},
    {"byte-text", InputKind::byte_text, false, open_digits, write_digits},
    {"pascal", InputKind::pascal, false, open_pascal, write_pascal},
    // In the order of `find_layer_kind(SizeForm)`.
    size_in_front<4, ByteOrder::little, false>("size-u32"),
    size_in_front<4, ByteOrder::little, true>("unpacked-size-u32"),
    size_in_front<4, ByteOrder::big, false>("size-u32-be"),
    size_in_front<4, ByteOrder::big, true>("unpacked-size-u32-be"),
    size_in_front<8, ByteOrder::little, false>("size-u64"),
    size_in_front<8, ByteOrder::little, true>("unpacked-size-u64"),
    size_in_front<8, ByteOrder::big, false>("size-u64-be"),
    size_in_front<8, ByteOrder::big, true>("unpacked-size-u64-be"),
    {"string", InputKind::unknown, false, open_no_value, write_value},
    {"string-name", InputKind::unknown, false, open_no_value, write_value},
    {"bytes", InputKind::unknown, false, open_no_value, write_value},
};

/// Which file of an archive is opened is said where the layers are found.
Opened open_no_archive(Source&, const SaveOptions&, Layer&) {
    return refuse(Errc::misplaced);
}

Written write_no_archive(Source&, Target&, const Layer& layer, const LayerWriting&) {
    const bool pack = layer.kind->seen_as == InputKind::pack;
    return std::unexpected(Error{Errc::misplaced}.about_reason(
        pack ? "files in a pack are read, but not written"
             : "files in a browser's export are read, but not written"));
}

constexpr LayerKind archives[] = {
    {"pack", InputKind::pack, false, open_no_archive, write_no_archive},
    {"browser-files", InputKind::browser_files, false, open_no_archive, write_no_archive},
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
    const auto at = std::ranges::find(kinds, seen, &LayerKind::seen_as);
    return at == std::end(kinds) || at->is_value() ? nullptr : at;
}

const LayerKind* find_layer_kind(SizeForm size) noexcept {
    if (size.width != 4 && size.width != 8)
        return nullptr;
    return find_layer_kind(InputKind::size) + (size.width == 8) * 4 +
           (size.order == ByteOrder::big) * 2 + size.unpacked;
}

const LayerKind* find_layer_kind(std::string_view name) noexcept {
    const auto at = std::ranges::find(kinds, name, &LayerKind::name);
    return at == std::end(kinds) ? nullptr : at;
}

std::expected<Layer, Error> find_layer(std::string_view name) {
    Layer layer;
    layer.kind = find_layer_kind(name);
    if (layer.kind && layer.kind->is_value())
        return refuse(Errc::bad_mode);
    if (layer.kind && name != gcpf)
        return layer;
    if (!name.starts_with("gcpf-"))
        return refuse(Errc::bad_mode);
    const auto mode = find_compression(name.substr(gcpf.size() + 1));
    if (!mode || *mode == Compression::brotli)
        return refuse(Errc::bad_mode);
    layer.kind = find_layer_kind(gcpf);
    layer.compression = *mode;
    return layer;
}

std::expected<std::vector<Layer>, Error> find_layers(std::string_view names) GDVAR_TRY {
    std::vector<Layer> out;
    for (;;) {
        const std::size_t end = std::min(names.find('>'), names.size());
        std::string_view name = names.substr(0, end);
        name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
        name = name.substr(0, name.find_last_not_of(' ') + 1);
        auto layer = find_layer(name);
        if (!layer)
            return std::unexpected(layer.error());
        out.push_back(*std::move(layer));
        if (end == names.size())
            return out;
        names.remove_prefix(end + 1);
    }
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::vector<Layer> with_key_of(std::vector<Layer> layers, std::span<const Layer> opened) {
    const auto known = std::ranges::find_if(
        opened, [](const Layer& layer) { return layer.opened_with.has_value(); });
    for (Layer& layer : layers)
        if (known != opened.end() && layer.kind->encrypts && !layer.opened_with)
            layer.opened_with = known->opened_with;
    return layers;
}

std::string stack_in_words(std::span<const Layer> layers, InputKind document,
                           const Dialect* dialect) {
    const auto named = [](InputKind kind, const Dialect* of) {
        const std::string name(input_kind_name(kind));
        const DocumentKind* known = find_document_kind(kind);
        return of && known && !known->text ? std::string(of->name) + ' ' + name : name;
    };
    std::string out;
    for (const Layer& layer : layers) {
        if (layer.place)
            out += named(layer.place->document, layer.place->dialect) + " > ";
        out += layer.name();
        if (layer.place && !layer.place->path.empty())
            out += " at " + layer.place->path;
        out += " > ";
    }
    return out + named(document, dialect);
}

const LayerKind* archive_layer_kind(InputKind seen) noexcept {
    const auto at = std::ranges::find(archives, seen, &LayerKind::seen_as);
    return at == std::end(archives) ? nullptr : at;
}

bool has_archive(std::span<const Layer> layers) noexcept {
    return std::any_of(layers.begin(), layers.end(),
                       [](const Layer& layer) { return layer.kind->is_archive(); });
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

namespace {

/// Whether a size in front of the layer is found again.
bool has_magic(const LayerKind& kind) noexcept {
    constexpr InputKind known[] = {InputKind::gcpf, InputKind::gdec, InputKind::gzip,
                                   InputKind::zlib, InputKind::zstd};
    return std::ranges::find(known, kind.seen_as) != std::end(known);
}

/// The size of a source that can rewind, and now stands at its start. Leaves it there.
std::expected<std::uint64_t, FileError> size_of(Source& source) {
    if (const auto known = source.size())
        return *known;
    const auto passed = source.skip(UINT64_MAX);
    if (auto back = source.rewind(); !back)
        return std::unexpected(back.error());
    return passed;
}

}  // namespace

std::expected<void, FileError> write_layers(Source& inner, Target& to,
                                            std::span<const Layer> layers, const ContainerKey* key,
                                            const OpenLayers* before, SumsKept* sums) GDVAR_TRY {
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
    std::optional<ContainerSizes> sizes;
    for (std::size_t i = layers.size(); i-- > 0;) {
        const Layer& layer = layers[i];
        Source& from = made ? static_cast<Source&>(*made) : inner;
        if (auto back = from.rewind(); !back)
            return back;
        auto next = std::make_unique<Spool>();
        Target& target = i ? static_cast<Target&>(*next) : to;
        LayerWriting how{
            .key = layer.opened_with ? &layer.opened_with->key : key, .sizes = sizes, .sums = sums};
        const bool sized = i && layers[i - 1].kind->is_size() && !layer.kind->is_size();
        const auto unpacked = sized ? size_of(from) : 0;
        if (!unpacked)
            return std::unexpected(unpacked.error());
        if (before && before->layers.size() == layers.size()) {
            how.before = before->sources[i].get();
            how.before_skip = i ? 0 : before->skip;
        }
        if (auto done = layer.kind->write(from, target, layer, how); !done)
            return done;
        made = std::move(next);
        if (!layer.kind->is_size())
            sizes = sized && has_magic(*layer.kind)
                        ? std::optional(ContainerSizes{made->size().value_or(0), *unpacked})
                        : std::nullopt;
    }
    return {};
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace gdvar
