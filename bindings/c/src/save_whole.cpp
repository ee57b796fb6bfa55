// Saves as a whole: what they are, compared, patched, converted, made anew.
#include <memory>

#include "gdvar/file/code.hpp"
#include "gdvar/file/save_patch.hpp"
#include "gdvar/inspect/renames.hpp"
#include "patch.hpp"
#include "save.hpp"

namespace gdvar::c {
namespace {

std::vector<gdvar_reading> readings_of(std::span<const Reading> readings) {
    std::vector<gdvar_reading> out;
    out.reserve(readings.size());
    for (const Reading& reading : readings)
        out.push_back(
            {give(input_kind_name(reading.kind)), give(std::string_view(reading.reason))});
    return out;
}

/// Gives each layer and document. A finding of a value has no kind.
void give_findings(std::span<const Finding> findings, std::span<const Layer> layers,
                   gdvar_finding_use use, void* user) {
    std::size_t next = 0;
    for (const Finding& finding : findings) {
        const bool value = finding.kind == InputKind::unknown && next < layers.size() &&
                           layers[next].kind->is_value();
        const bool is_layer =
            next < layers.size() && (value || find_layer_kind(finding.kind) ||
                                     archive_layer_kind(finding.kind) == layers[next].kind);
        const Layer* layer = is_layer ? &layers[next] : nullptr;
        const std::string name = layer ? layer->name() : std::string(input_kind_name(finding.kind));
        const std::vector<gdvar_reading> others = readings_of(finding.others),
                                         ruled_out = readings_of(finding.ruled_out);
        gdvar_finding given{};
        given.name = give(std::string_view(name));
        given.reason = give(std::string_view(finding.reason));
        if (layer && layer->place)
            given.at = give(std::string_view(layer->place->path));
        if (layer && layer->kind->is_archive())
            given.at = give(std::string_view(layer->entry));
        if (layer && layer->opened_with)
            given.opened_with = give(std::string_view(layer->opened_with->name));
        given.others = others.data();
        given.other_count = others.size();
        given.ruled_out = ruled_out.data();
        given.ruled_out_count = ruled_out.size();
        given.layer = layer ? static_cast<std::uint32_t>(next) : GDVAR_NO_LAYER;
        use(user, &given);
        next += is_layer;
    }
}

/// Tells a C caller of each loss. "what; it becomes that" is taken apart again.
std::function<void(std::string_view, std::string_view)> telling(gdvar_loss_use use, void* user) {
    if (!use)
        return nullptr;
    return [use, user](std::string_view path, std::string_view what) {
        const std::size_t cut = what.rfind("; it ");
        const gdvar_loss given{give(path), give(what.substr(0, cut)),
                               give(cut == what.npos ? std::string_view() : what.substr(cut + 5)),
                               GDVAR_NIL};
        use(user, &given);
    };
}

std::uint16_t fail_at(gdvar_error* error, const DocumentError& why, gdvar_buffer* path) {
    if (path)
        append(*path, std::string_view(why.path));
    return fail(error, why.error);
}

}  // namespace
}  // namespace gdvar::c

using namespace gdvar;

// ---- what it is ----

gdvar_kind gdvar_save_kind(const gdvar_save* save) {
    return save ? c::give(save->file.kind()) : gdvar_kind{};
}
uint16_t gdvar_save_stack(const gdvar_save* save, gdvar_buffer* to, gdvar_error* error) {
    return c::call(error, to, c::given(save, to),
                   [&] { return c::give_text(to, error, save->file.stack()); });
}
int gdvar_save_only_read(const gdvar_save* save) {
    return save && (save->file.only_read() || save->file.kind().only_read);
}
uint16_t gdvar_save_check(const gdvar_save* save, gdvar_error* error, gdvar_buffer* path) {
    return c::call(error, nullptr, c::given(save), [&] {
        const auto sound = save->file.check();
        return sound ? c::succeed(error) : c::fail_at(error, sound.error(), path);
    });
}
uint16_t gdvar_save_findings(const gdvar_save* save, gdvar_finding_use use, void* user,
                             gdvar_error* error) {
    return c::call(error, nullptr, c::given(save, use), [&] {
        c::give_findings(save->file.findings(), save->file.layers(), use, user);
        return c::succeed(error);
    });
}
uint16_t gdvar_save_code(const gdvar_save* save, size_t most, gdvar_code_use use, void* user,
                         uint64_t* count, gdvar_error* error) {
    return c::call(error, nullptr, c::given(save), [&] {
        return c::answer(error, find_code(save->file, most), [&](const auto& code) {
            for (const FoundCode& found : code.first) {
                const gdvar_code given{c::give(code_kind_info(found.kind).name),
                                       c::give(std::string_view(found.path)),
                                       c::give(std::string_view(found.what))};
                if (use)
                    use(user, &given);
            }
            if (count)
                *count = code.count;
        });
    });
}
uint16_t gdvar_identify(gdvar_bytes bytes, const gdvar_save_options* options, gdvar_finding_use use,
                        void* user, gdvar_buffer* stack, gdvar_error* error) {
    const char* const why = c::given(options);
    return c::call_opening(error, nullptr, why, options, [&](const SaveOptions& opening) {
        const auto opened = open_layers(std::make_unique<MemorySource>(c::view(bytes)), opening);
        const OpenLayers& found = opened ? *opened : opened.error().found;
        if (use)
            c::give_findings(found.findings, found.layers, use, user);
        if (stack)
            c::append(*stack, std::string_view(stack_in_words(found.layers, found.kind)));
        return opened ? c::succeed(error) : c::fail(error, opened.error().error);
    });
}

// ---- compared and patched ----

uint16_t gdvar_save_diff(const gdvar_save* from, const gdvar_save* to, gdvar_buffer* patch,
                         gdvar_error* error) {
    return c::call(error, patch, c::given(from, to, patch), [&] {
        const auto changes = diff_saves(from->file, to->file);
        return changes ? c::give_patch(*changes, *patch, error) : c::fail(error, changes.error());
    });
}
uint16_t gdvar_save_patch(gdvar_save* save, gdvar_bytes patch, gdvar_error* error) {
    return c::call(error, nullptr, c::given(save), [&] {
        save->refused = {};
        inspect::Patch changes;
        if (const auto code = c::take_patch(patch, changes, error))
            return code;
        return c::answer(error, patch_save(save->file, changes));
    });
}

// ---- converted and made ----

uint16_t gdvar_save_convert(const gdvar_save* save, const gdvar_dialect* dialect, gdvar_text layers,
                            gdvar_buffer* to, gdvar_loss_use losses, void* user, gdvar_error* error,
                            gdvar_buffer* path) {
    return c::call(error, to, c::given(save, to), [&] {
        std::optional<std::vector<Layer>> named;
        if (layers.data) {
            auto found = c::layers_named(c::view(layers));
            if (!found)
                return c::fail(error, found.error());
            named = *std::move(found);
        }
        Losses counted(0);
        counted.each = c::telling(losses, user);
        inspect::ConversionReport report{counted};
        const auto bytes = save->file.convert(c::take(dialect), inspect::Renames::godot_3_to_4(),
                                              report, named ? &*named : nullptr, &save->sums);
        if (!bytes)
            return c::fail_at(error, bytes.error(), path);
        c::append(*to, ByteView(*bytes));
        return c::succeed(error);
    });
}
uint16_t gdvar_make_document(gdvar_text kind, const gdvar_save_item* items, size_t count,
                             const gdvar_dialect* dialect, gdvar_buffer* to, gdvar_error* error,
                             gdvar_buffer* path) {
    const char* const why = c::why_no_array(items, count);
    return c::call(error, to, why ? why : c::given(to), [&] {
        const DocumentKind* found = nullptr;
        for (const DocumentKind& each : document_kinds())
            if (input_kind_name(each.seen_as) == c::view(kind))
                found = &each;
        if (!found)
            return c::fail(error, Error{Errc::bad_mode}.about_reason(
                                      "there is no kind of document of this name"));
        std::vector<SaveItem> values;
        values.reserve(count);
        for (std::size_t i = 0; i < count; ++i)
            values.push_back({.key = c::view(items[i].name), .packet = c::view(items[i].packet)});
        const auto bytes = found->write(values, c::take(dialect));
        if (!bytes)
            return c::fail_at(error, bytes.error(), path);
        c::append(*to, ByteView(*bytes));
        return c::succeed(error);
    });
}
