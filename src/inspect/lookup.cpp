#include "gdvar/inspect/lookup.hpp"

#include <charconv>
#include <vector>

#include "gdvar/wire/path.hpp"

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

/// Cuts a path into steps: ".name" or "[...]" with quotes and brackets balanced.
std::expected<std::vector<std::string>, Error> cut(std::string_view path) {
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
            if (at >= path.size()) return bad(start);
            ++at;
        } else {
            if (path[at] == '.')
                ++at;
            else if (start != 0)
                return bad(start);
            const std::size_t name = at;
            while (at < path.size() && path[at] != '.' && path[at] != '[') ++at;
            if (at == name) return bad(start);
            steps.push_back("." + std::string(path.substr(name, at - name)));
            continue;
        }
        steps.emplace_back(path.substr(start, at - start));
    }
    return steps;
}

/// The text of `["..."]` or `[&"..."]`, in the one form that keys are printed in.
std::string normal_form(const std::string& step) {
    std::string_view inner(step);
    if (!inner.starts_with('[')) return step;
    inner = inner.substr(1, inner.size() - 2);
    while (inner.starts_with(' ')) inner.remove_prefix(1);
    while (inner.ends_with(' ')) inner.remove_suffix(1);
    if (inner.starts_with('&')) inner.remove_prefix(1);
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
            text += static_cast<char>(value);
        } else {
            text += c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
    }
    return name_step(text);
}

std::expected<std::int64_t, Error> index_in(const std::string& step) {
    std::int64_t value = 0;
    const char* end = step.data() + step.size() - 1;
    const auto [stop, code] = std::from_chars(step.data() + 1, end, value);
    if (step[0] != '[' || code != std::errc() || stop != end)
        return std::unexpected(Error{Errc::wrong_type, Type::array, 0, 0});
    return value;
}

std::expected<View, Error> step_into(const View& at, const std::string& step) {
    const auto missing = [&](Errc code) {
        return std::unexpected(Error{code, at.type(), at.offset(), 0});
    };
    if (at.is(Type::array) || at.is(Type::packed_typed_array)) {
        auto index = index_in(step);
        if (!index) return missing(Errc::wrong_type);
        if (*index < 0) *index += static_cast<std::int64_t>(at.size());
        const View found = at[*index];
        if (!found) return missing(Errc::index_out_of_range);
        return found;
    }
    View found;
    if (at.is(Type::dictionary)) {
        std::size_t ordinal = 0;
        for (const auto all = at.pairs(); const View::Pair& pair : all) {
            const std::string by_ordinal = "[@" + std::to_string(ordinal) + "]";
            if (key_step(pair.key, ordinal) == step || by_ordinal == step) found = pair.value;
            ++ordinal;
        }
    } else if (at.is(Type::object)) {
        for (const auto all = at.properties(); const View::Property& property : all)
            if (name_step(property.name) == step) found = property.value;
    } else {
        return missing(Errc::wrong_type);
    }
    if (!found) return missing(Errc::missing_key);
    return found;
}

}  // namespace

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

std::expected<View, Error> lookup(const View& root, std::string_view path) {
    auto steps = cut(path);
    if (!steps) return std::unexpected(steps.error());
    View at = root;
    for (const std::string& step : *steps) {
        auto next = step_into(at, step.starts_with('.') ? name_step(step.substr(1))
                                                        : normal_form(step));
        if (!next) return next;
        at = *next;
    }
    return at;
}

}  // namespace gdvar
