#include "gdvar/inspect/misstep.hpp"

#include <new>
#include <span>
#include <vector>

#include "base/exceptions.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/nearest.hpp"
#include "inspect/part.hpp"
#include "inspect/plan_there.hpp"

namespace gdvar::inspect {
namespace {

constexpr std::size_t most_keys = 10'000;

std::string nearest_step(const View& at, const std::string& step) {
    std::vector<std::string> steps;
    for (const auto all = at.pairs(); const View::Pair& pair : all)
        if (steps.size() < most_keys)
            steps.push_back(key_step(pair.key, steps.size()));
    for (const auto all = at.properties(); const View::Property& property : all)
        if (steps.size() < most_keys)
            steps.push_back(name_step(property.name));
    const std::vector<std::string_view> names(steps.begin(), steps.end());
    return std::string(nearest(step, names).value_or(""));
}

/// The same step one level further down: "[\"\"].hp" for ".hp", a key before the first section of a
/// ConfigFile. For a step with slashes, the steps that it is split into.
std::string step_below(const View& at, const std::string& step) {
    if (at.type() != Type::dictionary)
        return {};
    std::size_t seen = 0;
    for (const auto all = at.pairs(); const View::Pair& pair : all) {
        if (++seen > most_keys)
            return {};
        if (pair.value.type() != Type::dictionary)
            continue;
        const std::string outer = key_step(pair.key, seen - 1);
        std::size_t inside = 0;
        for (const auto below = pair.value.pairs(); const View::Pair& inner : below) {
            if (++inside > most_keys)
                break;
            const std::string name = key_step(inner.key, inside - 1);
            if (name == step || (pair.key.is(Type::string) && inner.key.is(Type::string) &&
                                 name_step(std::string(pair.key.text()) + "/" +
                                           std::string(inner.key.text())) == step))
                return outer + name;
        }
    }
    return {};
}

/// Quotes the path as one word of a shell.
std::string for_shell(const std::string& path) {
    std::string out = "'";
    for (const char c : path)
        out += c == '\'' ? "'\\''" : std::string(1, c);
    return out + "'";
}

bool is_array(Type type) noexcept {
    return type == Type::array || type == Type::packed_typed_array ||
           type == Type::packed_string_array || type_info(type).packed;
}

}  // namespace

std::optional<Misstep> first_misstep(const View& root, std::string_view path) GDVAR_TRY {
    const auto parsed = detail::parse_value_path(path);
    if (!parsed) {
        Misstep out;
        out.error = parsed.error();
        out.at = path;
        return out;
    }
    return first_misstep(root, *parsed);
}
GDVAR_CATCH_NO_MEMORY(return std::nullopt)

namespace {

std::optional<Misstep> find_misstep(const View& root, const Path& path, bool near) {
    const std::vector<Path::Step>& steps = path.steps;
    View at = root;
    std::string so_far = "$";
    const auto misstep = [&](const Error& error, std::size_t i) {
        Misstep out{.error = error,
                    .at = so_far,
                    .step = steps[i].to_string(),
                    .several = steps[i].several(),
                    .last = i + 1 == steps.size(),
                    .type = at.type(),
                    .size = detail::has_parts(at) ? detail::element_count(at) : at.size()};
        if (near && error.code == Errc::missing_key && !out.several)
            out.near = nearest_step(at, out.step);
        if (near && error.code == Errc::missing_key && !out.several && out.near.empty())
            out.near = step_below(at, out.step);
        return out;
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (detail::has_parts(at)) {
            // Parts of parts are named with the whole value.
            const auto part = detail::part_at(at, std::span(steps).subspan(i));
            if (part)
                return std::nullopt;
            Misstep out = misstep(part.error(), i);
            for (std::size_t more = i + 1; more < steps.size(); ++more)
                steps[more].append_to(out.step);
            out.last = true;
            return out;
        }
        auto next = detail::step_into(at, steps[i]);
        if (!next)
            return misstep(next.error(), i);
        at = *next;
        steps[i].append_to(so_far);
    }
    return std::nullopt;
}

}  // namespace

std::optional<Misstep> first_misstep(const View& root, const Path& path) GDVAR_TRY {
    return find_misstep(root, path, true);
}
GDVAR_CATCH_NO_MEMORY(return std::nullopt)

std::string message_without_code(const Error& error) {
    const std::string words = to_string(error);
    return words.substr(words.find("]: ") + 3);
}

std::string to_string(const Misstep& misstep) {
    const Errc code = misstep.error.code;
    if (code == Errc::bad_path)
        return message_without_code(misstep.error);
    if (misstep.several)
        return misstep.step + " stands for several values, and one is asked for";
    std::string none = "no " + misstep.step;
    if (is_array(misstep.type) && code == Errc::index_out_of_range) {
        if (misstep.size == 0)
            return none + ": it is empty";
        if (misstep.size == 1)
            return none + ": one element, [0]";
        const std::string last = std::to_string(misstep.size - 1);
        return none + ": " + std::to_string(misstep.size) + " elements, [0] to [" + last + "]";
    }
    if (code == Errc::wrong_type)
        return detail::with_article(misstep.type) + " has " + none;
    if (misstep.near.empty())
        return none;
    // Brackets and quotes are special to shells, too: print the whole path as it is typed there.
    const bool plain = misstep.near.find_first_of("[\"") == std::string::npos &&
                       misstep.near.find('.', 1) == std::string::npos;
    return none + " (did you mean " +
           (plain ? misstep.near : for_shell(misstep.at + misstep.near)) + "?)";
}

}  // namespace gdvar::inspect

namespace gdvar::detail {

std::optional<inspect::Misstep> first_misstep_alone(const View& root, const Path& path) {
    return inspect::find_misstep(root, path, false);
}

std::string with_article(Type type) {
    if (type == Type::nil)
        return "null";
    const std::string name(type_name(type));
    const bool vowel = std::string_view("AEIOaeio").find(name[0]) != std::string_view::npos;
    return (vowel ? "an " : "a ") + name;
}

}  // namespace gdvar::detail
