#include "edit/sides.hpp"

#include "gdvar/inspect/convert.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
namespace {

/// Adds one packet to the whole. Returns an exit code: `different` if its value changes in `to`.
int join_item(const Item& item, const DecodeOptions& decoding, const EncodeOptions& to,
              Side& side) {
    if (side.joined->has_setting(setting_name(item.key)))
        return give_up(
            refused,
            side.input->name() +
                ": a setting occurs twice, so settings can't be compared or changed by name");
    if (to.dialect != decoding.dialect) {
        Losses losses;
        ConversionReport report{losses};
        const auto done = convert(item.packet, decoding, to, {}, &report);
        const bool same = done && losses.empty() &&
                          side.joined->add({.key = item.key, .packet = as_bytes(done->bytes)});
        return same ? fine : different;
    }
    const auto added = side.joined->add({.key = item.key, .packet = item.packet});
    if (!added)
        side.input->complain(item, added.error(), decoding);
    return added ? fine : refused;
}

/// The record or setting before a path. `first`: the text of the path's first step.
std::string before_path(Contents contents, std::string_view first, std::string_view name) {
    return contents == Contents::settings ? std::string(name)
                                          : "#" + std::string(first.substr(1, first.size() - 2));
}

}  // namespace

std::string name_of(Contents contents) {
    constexpr const char* names[] = {"one packet", "records", "settings"};
    return names[static_cast<std::size_t>(contents)];
}

Contents contents_of(const Input& input) {
    return gdvar::detail::contents_of(*find_document_kind(input.kind()));
}

int join(const DecodeOptions& decoding, const Dialect& dialect, Side& side) {
    DecodeOptions reading = decoding;
    reading.dialect = &dialect;
    reading.strict = decoding.strict && &dialect == decoding.dialect;
    side.joined.emplace(contents_of(*side.input), reading);
    side.joined->reserve(static_cast<std::size_t>(side.input->size()) + 64);
    const EncodeOptions to{
        .dialect = &dialect, .allow_objects = true, .real_width = decoding.real_width};
    int worst = fine;
    const int exit = side.input->each([&](const Item& item) {
        worst = join_item(item, decoding, to, side);
        return worst == fine;
    });
    return exit != fine ? exit : worst;
}

std::string Places::operator()(const Difference& d) {
    if (contents_ == Contents::value || d.at.empty())
        return cut_(d.path);
    const void* const setting = d.at[0].key_view.raw().data();
    if (contents_ != Contents::settings || !setting || setting != setting_) {
        setting_ = setting;
        std::string first;
        append_step(first, d.at[0]);
        first_size_ = first.size();
        before_ = before_path(contents_, first, cut_(d.at[0].key_view.text()));
    }
    return before_ + " $" + cut_(d.path.substr(1 + first_size_));
}

std::string place_text(const Change& change, Contents contents) {
    std::string path = path_text(change.at);
    if (contents == Contents::value || change.at.empty())
        return path;
    const Variant& key = change.at[0];
    const std::string first = path_text(Array{key}).substr(1);
    return before_path(contents, first, key.is(Type::string) ? key.text() : "?") + " $" +
           path.substr(1 + first.size());
}

}  // namespace gdvar::app
