#include "gdvar/file/project_settings.hpp"

#include <algorithm>
#include <map>
#include <new>

#include "base/exceptions.hpp"
#include "file/sections/conversion_losses.hpp"
#include "gdvar/value/codec.hpp"
#include "inspect/convert_for.hpp"
#include "wire/refuse.hpp"

namespace gdvar {
namespace {

constexpr std::string_view version_key = "config_version";

}  // namespace

std::expected<std::vector<ProjectSetting>, Error> settings_of_config(const Variant& sections,
                                                                     Losses* notes) GDVAR_TRY {
    const auto refused = [](Errc code, const char* why) {
        return std::unexpected(Error{code, Type::dictionary}.about_reason(why));
    };
    const Dictionary* all = sections.get_if<Dictionary>();
    if (!all)
        return refused(Errc::wrong_type, "a ConfigFile is a Dictionary of sections");
    std::vector<ProjectSetting> out;
    std::map<std::string, std::size_t> places;
    for (const Dictionary::Pair& section : *all) {
        const Dictionary* pairs = section.value.get_if<Dictionary>();
        if (!pairs || !section.key.is(Type::string))
            return refused(Errc::wrong_type, "a section is a Dictionary with a name");
        const std::string_view name = section.key.text();
        for (const Dictionary::Pair& pair : *pairs) {
            if (!pair.key.is(Type::string))
                return refused(Errc::wrong_type, "a setting's name is a String");
            if (name.empty() && pair.key.text() == version_key)
                continue;
            std::string whole(name);
            whole.append(name.empty() ? "" : "/").append(pair.key.text());
            const auto [place, added] = places.try_emplace(std::move(whole), out.size());
            if (added)
                out.push_back({place->first, pair.value});
            else if (notes)
                notes->add("note: the earlier value of a setting that stands again is dropped",
                           [&] { return place->first; });
            out[place->second].value = pair.value;
        }
    }
    std::erase_if(out, [](const ProjectSetting& setting) { return setting.value.is_nil(); });
    return out;
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

std::expected<Variant, Error> config_of_settings(const std::vector<ProjectSetting>& settings,
                                                 TextFamily family) GDVAR_TRY {
    Dictionary first, out;
    first.set(Variant(version_key), Variant(std::int64_t{is_godot_4(family) ? 5 : 4}));
    out.set(Variant(""), Variant(std::move(first)));
    for (const ProjectSetting& setting : settings) {
        const std::size_t slash = setting.name.find('/');
        const std::string_view section =
            std::string_view(setting.name).substr(0, slash == std::string::npos ? 0 : slash);
        const std::string_view key =
            std::string_view(setting.name).substr(slash == std::string::npos ? 0 : slash + 1);
        if (!out.find(section))
            out.set(Variant(section), Variant(Dictionary()));
        out.find(section)->get_if<Dictionary>()->set(Variant(key), setting.value);
    }
    return Variant(std::move(out));
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

std::expected<Variant, Error> convert_setting(ByteView packet, const DecodeOptions& from,
                                              const EncodeOptions& to, bool to_text,
                                              const inspect::Renames& renames,
                                              inspect::ConversionReport& report) GDVAR_TRY {
    auto done = inspect::convert_for(to_text, packet, from, to, renames, &report);
    if (!done)
        return std::unexpected(done.error());
    auto value = decode(as_bytes(done->bytes), {.dialect = to.dialect, .allow_objects = true});
    if (!value)
        return value;
    const detail::ConversionNotes notes{done->losses, done->renames, &report};
    if (!to_text) {
        detail::lose_events(*value, notes);
        detail::lose_references(*value, notes, true);
    } else if (!is_godot_4(to.dialect->family)) {
        detail::lose_rids(*value, notes);
    }
    return value;
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

}  // namespace gdvar
