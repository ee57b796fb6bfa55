#include "gdvar/inspect/lookup.hpp"

#include <charconv>
#include <optional>
#include <vector>

#include "gdvar/wire/path.hpp"
#include "inspect/part.hpp"

namespace gdvar {
namespace {

using detail::PathStep;

/// Turns a key into a step, as a sink that hears of one value.
struct KeyStep : NullSink {
    PathStep step;
    KeyStep() { step.kind = PathStep::value; }
    Errc nil() { return as(PathStep::nil); }
    Errc boolean(bool v) {
        step.whole = v;
        return as(PathStep::boolean);
    }
    Errc integer(std::int64_t v) {
        step.whole = v;
        return as(PathStep::integer);
    }
    Errc real(double v) {
        step.number = v;
        return as(PathStep::real);
    }
    Errc string(std::string_view v) {
        step.name = v;
        return as(PathStep::text);
    }
    Errc string_name(std::string_view v) { return string(v); }
    Errc math(const MathView& v) {
        step.type = v.type;
        step.wide = v.wide;
        step.host_order = v.host_order;
        std::memcpy(step.lanes, v.data, v.size());
        return as(PathStep::math);
    }
    Errc node_path(const NodePathView& v) {
        step.path = v;
        return as(PathStep::node_path);
    }
    Errc rid(std::uint64_t v) {
        step.whole = static_cast<std::int64_t>(v);
        return as(PathStep::rid);
    }
    Errc begin_array(Type, const ContainerType&, std::uint32_t) { return Errc::misplaced; }
    Errc begin_dictionary(const ContainerType&, const ContainerType&, std::uint32_t) {
        return Errc::misplaced;
    }
    Errc begin_object(std::string_view, std::uint32_t) { return Errc::misplaced; }
    Errc as(PathStep::Form form) {
        step.form = form;
        return Errc::ok;
    }
};

/// The text of `["..."]` or `[&"..."]`, in the one form that keys are printed in.
std::string normal_form(const std::string& step) {
    std::string_view inner(step);
    if (!inner.starts_with('['))
        return step;
    inner = inner.substr(1, inner.size() - 2);
    while (inner.starts_with(' '))
        inner.remove_prefix(1);
    while (inner.ends_with(' '))
        inner.remove_suffix(1);
    if (inner.starts_with("&\""))
        inner.remove_prefix(1);
    if (inner.size() < 2 || inner[0] != '"' || !inner.ends_with('"'))
        return "[" + std::string(inner) + "]";
    std::string text;
    inner = inner.substr(1, inner.size() - 2);
    for (std::size_t i = 0; i < inner.size(); ++i) {
        if (inner[i] != '\\' || i + 1 == inner.size()) {
            text += inner[i];
            continue;
        }
        const char c = inner[++i];
        unsigned value = 0;
        const std::size_t digits = c == 'u' ? 4 : c == 'x' ? 2 : 0;
        if (digits && i + digits < inner.size()) {
            std::from_chars(inner.data() + i + 1, inner.data() + i + 1 + digits, value, 16);
            i += digits;
            if (c == 'u' && value >= 0x80) {
                if (value >= 0x800)
                    text += static_cast<char>(0xE0 | value >> 12);
                text += static_cast<char>(value >= 0x800 ? 0x80 | (value >> 6 & 0x3F)
                                                         : 0xC0 | value >> 6);
                text += static_cast<char>(0x80 | (value & 0x3F));
            } else {
                text += static_cast<char>(value);
            }
        } else {
            text += c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
    }
    return name_step(text);
}

}  // namespace

std::expected<std::vector<std::string>, Error> detail::path_steps(std::string_view path) {
    std::vector<std::string> steps;
    std::size_t at = path.starts_with('$') ? 1 : 0;
    const auto bad = [&](std::size_t where) {
        return std::unexpected(Error{Errc::bad_path, Type::nil, where, 0});
    };
    while (at < path.size()) {
        const std::size_t start = at;
        if (path[at] == '[') {
            int depth = 0;
            bool quoted = false;
            for (; at < path.size(); ++at) {
                if (quoted && path[at] == '\\')
                    ++at;
                else if (path[at] == '"')
                    quoted = !quoted;
                else if (!quoted && (path[at] == '[' || path[at] == '('))
                    ++depth;
                else if (!quoted && (path[at] == ']' || path[at] == ')') && --depth == 0)
                    break;
            }
            if (at >= path.size())
                return bad(start);
            ++at;
        } else {
            if (path[at] == '.')
                ++at;
            else if (start != 0)
                return bad(start);
            const std::size_t name = at;
            while (at < path.size() && path[at] != '.' && path[at] != '[')
                ++at;
            if (at == name)
                return bad(start);
            steps.push_back("." + std::string(path.substr(name, at - name)));
            continue;
        }
        steps.emplace_back(path.substr(start, at - start));
    }
    for (std::string& step : steps)
        step = step.starts_with('.') ? name_step(step.substr(1)) : normal_form(step);
    return steps;
}

std::expected<View, Error> detail::step_into(const View& at, const std::string& step) {
    const auto missing = [&](Errc code) {
        return std::unexpected(Error{code, at.type(), at.offset(), 0});
    };
    if (at.is(Type::array) || at.is(Type::packed_typed_array)) {
        auto index = detail::index_in(step);
        if (!index)
            return missing(Errc::wrong_type);
        if (*index < 0)
            *index += static_cast<std::int64_t>(at.size());
        const View found = at[*index];
        if (!found)
            return missing(Errc::index_out_of_range);
        return found;
    }
    View found;
    if (at.is(Type::dictionary)) {
        std::size_t ordinal = 0;
        for (const auto all = at.pairs(); const View::Pair& pair : all) {
            const std::string by_ordinal = "[@" + std::to_string(ordinal) + "]";
            if (key_step(pair.key, ordinal) == step || by_ordinal == step)
                found = pair.value;
            ++ordinal;
        }
    } else if (at.is(Type::object)) {
        for (const auto all = at.properties(); const View::Property& property : all)
            if (name_step(property.name) == step)
                found = property.value;
    } else {
        return missing(Errc::wrong_type);
    }
    if (!found)
        return missing(Errc::missing_key);
    return found;
}

std::string key_step(const View& key, std::size_t ordinal) {
    KeyStep sink;
    sink.step.index = static_cast<std::uint32_t>(ordinal);
    (void)key.drive(sink);
    std::string out;
    detail::append_step(out, sink.step);
    return out;
}

std::string name_step(std::string_view name) {
    PathStep step;
    step.kind = PathStep::property;
    step.form = PathStep::text;
    step.name = name;
    std::string out;
    detail::append_step(out, step);
    return out;
}

std::expected<Found, Error> lookup(const View& root, std::string_view path) {
    auto steps = detail::path_steps(path);
    if (!steps)
        return std::unexpected(steps.error());
    View at = root;
    for (std::size_t i = 0; i < steps->size(); ++i) {
        if (detail::has_parts(at)) {
            auto part = detail::part_at(at, std::span(*steps).subspan(i));
            if (!part)
                return std::unexpected(part.error());
            return detail::make_value(at, *part);
        }
        auto next = detail::step_into(at, (*steps)[i]);
        if (!next)
            return std::unexpected(next.error());
        at = *next;
    }
    return at;
}

namespace {

/// Everything inside a container, each with its step.
void children_of(const Match& at, std::vector<Match>& out) {
    std::size_t i = 0;
    for (const auto all = at.value.elements(); const View& element : all)
        out.push_back({at.path + "[" + std::to_string(i++) + "]", element});
    for (const auto all = at.value.pairs(); const View::Pair& pair : all)
        out.push_back({at.path + key_step(pair.key, i++), pair.value});
    for (const auto all = at.value.properties(); const View::Property& property : all)
        out.push_back({at.path + name_step(property.name), property.value});
    const std::size_t count = detail::element_count(at.value);
    for (std::size_t element = 0; element < count; ++element) {
        const std::string step = "[" + std::to_string(element) + "]";
        const auto part = detail::part_at(at.value, std::span(&step, 1));
        auto made = part ? detail::make_value(at.value, *part) : std::unexpected(part.error());
        if (made)
            out.push_back({at.path + step, *std::move(made)});
    }
}

/// One step on, into a container or a part.
std::expected<Found, Error> follow(const Found& at, const std::string& step) {
    if (!detail::has_parts(at)) {
        auto next = detail::step_into(at, step);
        return next ? std::expected<Found, Error>(*next) : std::unexpected(next.error());
    }
    const auto part = detail::part_at(at, std::span(&step, 1));
    return part ? detail::make_value(at, *part) : std::unexpected(part.error());
}

}  // namespace

std::expected<std::vector<Match>, Error> lookup_all(const View& root, std::string_view path) {
    auto steps = detail::path_steps(path);
    if (!steps)
        return std::unexpected(steps.error());
    std::vector<Match> found{{"$", root}};
    for (const std::string& step : *steps) {
        std::vector<Match> next;
        std::optional<Error> refused;
        for (const Match& at : found) {
            if (step == "[*]") {
                children_of(at, next);
                continue;
            }
            auto inner = follow(at.value, step);
            if (inner)
                next.push_back({at.path + step, *inner});
            else if (!refused)
                refused = inner.error();
        }
        // Where [*] leads to many, those without the rest of the path are passed over.
        if (next.empty() && refused)
            return std::unexpected(*refused);
        found = std::move(next);
    }
    return found;
}

}  // namespace gdvar
