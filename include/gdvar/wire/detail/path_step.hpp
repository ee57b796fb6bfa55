// The steps of a path, as PathTracker keeps them. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/reader.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

/// One step of a path: an index, a name, or a key.
struct PathStep {
    enum Kind : std::uint8_t { array, strings, key, value, property } kind = array;
    enum Form : std::uint8_t { ordinal, text, integer, real, boolean, nil, math, node_path, rid };
    Form form = ordinal;
    bool wide = false;
    Type type = Type::nil;
    std::uint32_t index = 0;  ///< of the current element or pair; none yet: UINT32_MAX
    union {
        std::int64_t whole;
        double number;
    };
    std::string_view name{};  ///< text of a key or property
    NodePathView path{};
    std::byte components[128];  ///< of a math key, in the host's order or the wire's
    bool host_order = false;
    PathStep() : whole(0) {}
};

/// Appends the step as in a printed path.
void append_step(std::string& out, const PathStep& step);

/// A sink that stores one key in a step. A key without a form of its own leaves the step an
/// ordinal.
struct KeyStep : NullSink {
    PathStep& step;
    explicit KeyStep(PathStep& to) noexcept : step(to) {}
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
        std::memcpy(step.components, v.data, v.size());
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
    Errc begin_array(Type, const ContainerType&, std::uint32_t) { return Errc::stopped; }
    Errc begin_dictionary(const ContainerType&, const ContainerType&, std::uint32_t) {
        return Errc::stopped;
    }
    Errc begin_object(std::string_view, std::uint32_t) { return Errc::stopped; }
    Errc begin_packed_strings(std::uint32_t) { return Errc::stopped; }
    Errc as(PathStep::Form form) {
        step.form = form;
        return Errc::ok;
    }
};

}  // namespace detail
}  // namespace gdvar
