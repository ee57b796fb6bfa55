// How saves are opened, and what they may be: options, kinds of documents, layers by name.
#include <algorithm>
#include <chrono>

#include "save.hpp"

namespace gdvar::c {
namespace {

gdvar_save_options complete_save(const gdvar_save_options* options) noexcept {
    gdvar_save_options out = GDVAR_SAVE_OPTIONS_INIT;
    if (options)
        std::memcpy(&out, options, std::min<std::size_t>(options->size, sizeof out));
    return out;
}

/// The kind of document or layer of that name.
std::expected<InputKind, Error> kind_named(std::string_view name) {
    for (const DocumentKind& kind : document_kinds())
        if (input_kind_name(kind.seen_as) == name)
            return kind.seen_as;
    if (const LayerKind* layer = find_layer_kind(name); layer && !layer->is_value())
        return layer->seen_as;
    return std::unexpected(
        Error{Errc::bad_mode}.about_reason("there is no kind of document or layer of this name"));
}

std::expected<ContainerKey, Error> key_of(gdvar_text password, gdvar_bytes key) {
    return password.size ? key_from_password(view(password)) : key_from_bytes(view(key));
}

std::uint64_t at_most(std::uint64_t number) noexcept {
    return std::min<std::uint64_t>(number, SIZE_MAX);
}

}  // namespace

std::expected<SaveOptions, Error> opening(const gdvar_save_options* options) {
    const gdvar_save_options o = complete_save(options);
    for (const char* const why :
         {why_no_array(o.inside, o.inside_count), why_no_array(o.entries, o.entry_count),
          why_no_array(o.keys, o.key_count)})
        if (why)
            return std::unexpected(Error{Errc::misplaced}.about_reason(why));
    SaveOptions out;
    if (o.dialect)
        out.dialect = &take(o.dialect);
    out.allow_objects = (o.flags & GDVAR_ALLOW_OBJECTS) != 0;
    out.strict = (o.flags & GDVAR_STRICT) != 0;
    out.real_width = o.flags & GDVAR_WIDE_PAGE ? 8 : 4;
    out.lock = (o.flags & GDVAR_LOCK) != 0;
    out.values = (o.flags & GDVAR_NO_INSIDE) == 0;
    out.partial = (o.flags & GDVAR_NO_PARTIAL) == 0;
    out.all_readings = (o.flags & GDVAR_ALL_READINGS) != 0;
    out.max_bytes = o.max_bytes;
    out.max_text = o.max_text;
    out.skip = o.skip;
    out.layers = static_cast<std::size_t>(at_most(o.max_layers));
    out.lock_wait = std::chrono::milliseconds(o.lock_wait_ms);
    for (std::size_t i = 0; i < o.inside_count; ++i)
        out.inside.emplace_back(view(o.inside[i]));
    for (std::size_t i = 0; i < o.entry_count; ++i)
        out.entries.emplace_back(view(o.entries[i]));
    if (o.as.size) {
        const auto kind = kind_named(view(o.as));
        if (!kind)
            return std::unexpected(kind.error());
        out.as = *kind;
    }
    if (o.password.size || o.key.size) {
        auto key = key_of(o.password, o.key);
        if (!key)
            return std::unexpected(key.error());
        out.key = *key;
    }
    for (std::size_t i = 0; i < o.key_count; ++i) {
        auto key = key_of(o.keys[i].password, o.keys[i].key);
        if (!key)
            return std::unexpected(key.error());
        out.keys.push_back({std::string(view(o.keys[i].name)), *key});
    }
    return out;
}

std::string names_of(std::span<const Layer> layers) {
    std::string names;
    for (const Layer& layer : layers)
        names.append(names.empty() ? "" : " ").append(layer.name());
    return names;
}

std::expected<std::vector<Layer>, Error> layers_named(std::string_view names) {
    std::vector<Layer> layers;
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(' '), names.size());
        if (end && names.substr(0, end) != ">") {
            auto layer = find_layer(names.substr(0, end));
            if (!layer)
                return std::unexpected(layer.error());
            layers.push_back(*layer);
        }
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return layers;
}

gdvar_kind give(const DocumentKind& kind) noexcept {
    return {.name = give(input_kind_name(kind.seen_as)),
            .text = kind.text,
            .named = kind.named,
            .several = kind.several,
            .made = kind.made,
            .only_read = kind.only_read,
            .reserved = {}};
}

std::uint16_t give_text(gdvar_buffer* to, gdvar_error* error, std::string_view text) {
    append(*to, text);
    return succeed(error);
}

}  // namespace gdvar::c

using namespace gdvar;

gdvar_kind gdvar_kind_at(size_t index) {
    const auto all = document_kinds();
    return index < all.size() ? c::give(all[index]) : gdvar_kind{};
}
gdvar_text gdvar_layer_name_at(size_t index) {
    const auto all = layer_kinds();
    return index < all.size() ? c::give(all[index].name) : gdvar_text{nullptr, 0};
}
