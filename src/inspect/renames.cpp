#include "gdvar/inspect/renames.hpp"

#include <algorithm>
#include <charconv>

namespace gdvar::detail {
/// data/renames_3_to_4.txt and data/keys_3_to_4.txt, which the build turns into a source file.
extern const std::string_view renames_3_to_4, keys_3_to_4;
}  // namespace gdvar::detail

namespace gdvar::inspect {
namespace {

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> out;
    constexpr std::string_view blank = " \t\r";
    line = line.substr(0, line.find('#'));
    for (std::size_t at = 0; (at = line.find_first_not_of(blank, at)) != line.npos;) {
        const std::size_t end = std::min(line.find_first_of(blank, at), line.size());
        out.emplace_back(line.substr(at, end - at));
        at = end;
    }
    return out;
}

std::optional<std::int64_t> number_of(std::string_view word) {
    const bool hex = word.starts_with("0x");
    const std::string_view digits = word.substr(hex ? 2 : 0);
    std::int64_t out = 0;
    const auto read =
        std::from_chars(digits.data(), digits.data() + digits.size(), out, hex ? 16 : 10);
    const bool whole = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    return whole && out >= 0 ? std::optional(out) : std::nullopt;
}

}  // namespace

void Renames::Names::add(const std::string& from, const std::string& to, bool both_ways,
                         std::size_t layer) {
    if (const auto old = forward.find(from); old != forward.end()) {
        if (const auto back = backward.find(old->second); back != backward.end()) {
            std::erase(back->second.names, from);
            if (back->second.names.empty())
                backward.erase(back);
        }
    }
    forward.insert_or_assign(from, to);
    if (!both_ways || from == to)
        return;
    Back& back = backward[to];
    // Names in a later table take precedence.
    if (back.layer != layer)
        back = {layer, {}};
    back.names.push_back(from);
}

Renames::Name Renames::Names::find(std::string_view name, Direction direction) const {
    if (direction == Direction::to_new) {
        const auto found = forward.find(name);
        return {found == forward.end() ? name : std::string_view(found->second), {}};
    }
    const auto found = backward.find(name);
    if (found == backward.end())
        return {name, {}};
    const auto& names = found->second.names;
    Name out{names.front(), {}};
    if (names.size() > 1)
        out.candidates.assign(names.begin(), names.end());
    return out;
}

std::string Renames::row(std::string_view line) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty())
        return {};
    const std::string& kind = words[0];
    const auto takes = [&](std::size_t count, const char* form) {
        return words.size() == count + 1 ? "" : "'" + kind + "' takes " + form;
    };
    std::string problem;
    if (kind == "class" || kind == "merge") {
        problem = takes(2, "an old and a new name");
        if (problem.empty())
            classes_.add(words[1], words[2], kind == "class", layer_);
    } else if (kind == "property" || kind == "keys") {
        problem = takes(3, "a class's old name, an old and a new name");
        if (problem.empty()) {
            properties_[words[1]].add(words[2], words[3], true, layer_);
            if (kind == "keys")
                keyed_.emplace(words[1], words[2]);
            else
                keyed_.erase({words[1], words[2]});
            // A table that renames it defines its values.
            differing_[words[1]].forward.erase(words[2]);
            differing_[words[1]].backward.erase(words[3]);
        }
    } else if (kind == "differs") {
        problem = takes(3, "a class's old name, an old and a new name");
        if (problem.empty()) {
            differing_[words[1]].forward.insert_or_assign(words[2], words[3]);
            differing_[words[1]].backward.insert_or_assign(words[3], words[2]);
        }
    } else if (kind == "key") {
        problem = takes(2, "an old and a new number");
        const auto from = problem.empty() ? number_of(words[1]) : std::nullopt;
        const auto to = problem.empty() ? number_of(words[2]) : std::nullopt;
        if (problem.empty() && (!from || !to))
            problem = "'key' takes numbers, such as 32 or 0x1000001";
        if (problem.empty()) {
            new_keys_.insert_or_assign(*from, *to);
            old_keys_.insert_or_assign(*to, *from);
        }
    } else if (kind == "inherits") {
        if (words.size() < 3)
            problem = "'inherits' takes a class and those that inherit from it";
        for (std::size_t i = 2; i < words.size(); ++i)
            parents_.insert_or_assign(words[i], words[1]);
    } else {
        problem = "'" + kind + "' is not class, merge, property, differs, keys, key or inherits";
    }
    return problem;
}

std::expected<void, Renames::Problem> Renames::add(std::string_view text) {
    Renames changed = *this;
    ++changed.layer_;
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (std::string what = changed.row(text.substr(0, end)); !what.empty())
            return std::unexpected(Problem{line, std::move(what)});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    *this = std::move(changed);
    return {};
}

const Renames& Renames::godot_3_to_4() {
    static const Renames table = [] {
        Renames out;
        (void)out.add(detail::renames_3_to_4);
        (void)out.add(detail::keys_3_to_4);
        return out;
    }();
    return table;
}

Renames::Name Renames::class_name(std::string_view name, Direction direction) const {
    return classes_.find(name, direction);
}

std::optional<std::int64_t> Renames::key(std::int64_t number, Direction direction) const {
    constexpr std::int64_t last_character = 0x10'FFFF;
    const auto& keys = direction == Direction::to_new ? new_keys_ : old_keys_;
    if (const auto found = keys.find(number); found != keys.end())
        return found->second;
    return number >= 0 && number <= last_character ? std::optional(number) : std::nullopt;
}

Renames::Name Renames::property(std::string_view old_class, std::string_view name,
                                Direction direction) const {
    // In a user's file, classes may inherit from each other in a circle.
    for (int depth = 0; depth < 64; ++depth) {
        if (const auto found = properties_.find(old_class); found != properties_.end()) {
            Name out = found->second.find(name, direction);
            const bool has = direction == Direction::to_new ? found->second.forward.contains(name)
                                                            : found->second.backward.contains(name);
            if (has) {
                const std::string_view old = direction == Direction::to_new ? name : out.name;
                out.keys = keyed_.contains({std::string(old_class), std::string(old)});
                return out;
            }
        }
        if (const auto found = differing_.find(old_class); found != differing_.end()) {
            const auto& names =
                direction == Direction::to_new ? found->second.forward : found->second.backward;
            if (const auto other = names.find(name); other != names.end())
                return {name, {}, other->second};
        }
        const auto parent = parents_.find(old_class);
        if (parent == parents_.end())
            break;
        old_class = parent->second;
    }
    return {name, {}};
}

}  // namespace gdvar::inspect
