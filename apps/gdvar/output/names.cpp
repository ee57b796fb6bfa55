#include "gdvar/inspect/nearest.hpp"
#include "output/messages.hpp"

namespace gdvar::app {

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names) {
    const auto near = nearest(word, names);
    return near ? "; did you mean " + std::string(*near) + "?" : std::string();
}

int unknown_name(const std::string& what, const std::string& word,
                 const std::vector<std::string_view>& names) {
    say("gdvar: unknown " + what + " '" + word + "'" + did_you_mean(word, names));
    return usage;
}

std::vector<std::string_view> type_names() {
    std::vector<std::string_view> out = {"null"};
    for (std::size_t i = 0; i < type_count; ++i)
        out.push_back(type_name(static_cast<Type>(i)));
    return out;
}

namespace {

/// Adds the names of releases: "godot-4.4", "godot-4.5", ...
void append_releases(std::vector<std::string>& names, const Releases& releases) {
    const std::string engine = std::string(releases.engine) + "-";
    if (engine == "-")
        return;
    constexpr std::uint8_t last_minor = 9;
    for (unsigned major = releases.first[0]; major <= releases.last[0]; ++major)
        for (unsigned minor = 0; minor <= last_minor; ++minor)
            if (releases.cover(
                    {static_cast<std::uint8_t>(major), static_cast<std::uint8_t>(minor)}))
                names.push_back(engine + std::to_string(major) + "." + std::to_string(minor));
}

}  // namespace

std::vector<std::string> dialect_names() {
    std::vector<std::string> out;
    for (const Dialect* dialect : all_dialects()) {
        out.emplace_back(dialect->name);
        if (!dialect->alias.empty())
            out.emplace_back(dialect->alias);
    }
    return out;
}

const Dialect* dialect_named(const std::string& name) {
    if (const Dialect* dialect = find_dialect(name))
        return dialect;
    std::vector<std::string> all = dialect_names();
    all.emplace_back("auto");
    for (const Dialect* dialect : all_dialects())
        append_releases(all, dialect->releases);
    // A bare "4.5" means a release of Godot.
    const bool bare = !name.empty() && name[0] >= '0' && name[0] <= '9';
    say("gdvar: unknown dialect '" + name + "'" +
        did_you_mean(bare ? "godot-" + name : name, {all.begin(), all.end()}) +
        " (gdvar dialects lists them)");
    return nullptr;
}

}  // namespace gdvar::app
