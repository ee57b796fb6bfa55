// Names that are not known, and those that may have been meant.
#include "command.hpp"
#include "gdvar/inspect/nearest.hpp"

namespace gdvar::app {

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names) {
    const auto near = nearest(word, names);
    return near ? "; did you mean " + std::string(*near) + "?" : std::string();
}

int unknown_name(const std::string& what, const std::string& word,
                 const std::vector<std::string_view>& names, const std::string& see) {
    say("gdvar: unknown " + what + " '" + word + "'" + did_you_mean(word, names) +
        (see.empty() ? "" : "; see " + see));
    return usage;
}

std::vector<std::string_view> type_names() {
    std::vector<std::string_view> out = {"null"};
    for (std::size_t i = 0; i < type_count; ++i)
        out.push_back(type_name(static_cast<Type>(i)));
    return out;
}

const Dialect* dialect_named(const std::string& name) {
    if (const Dialect* dialect = find_dialect(name))
        return dialect;
    std::vector<std::string_view> names = {"auto"};
    for (const Dialect* dialect : all_dialects()) {
        names.push_back(dialect->name);
        if (!dialect->alias.empty())
            names.push_back(dialect->alias);
    }
    unknown_name("dialect", name, names, "gdvar dialects");
    return nullptr;
}

}  // namespace gdvar::app
