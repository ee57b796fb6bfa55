#pragma once

#include "gdvar/wire/sink.hpp"

namespace gdvar::detail {

/// A sink that wraps each event of another sink: `Errc around(Event event)` of `Self` calls
/// `event(inner)` or refuses. `Self` defines `end` itself, because the next value has another place
/// after it.
template <class Self>
class AroundSink {
public:
    Errc nil() {
        return around([](auto& s) { return s.nil(); });
    }
    Errc boolean(bool v) {
        return around([&](auto& s) { return s.boolean(v); });
    }
    Errc integer(std::int64_t v) {
        return around([&](auto& s) { return s.integer(v); });
    }
    Errc real(double v) {
        return around([&](auto& s) { return s.real(v); });
    }
    Errc string(std::string_view v) {
        return around([&](auto& s) { return s.string(v); });
    }
    Errc string_name(std::string_view v) {
        return around([&](auto& s) { return s.string_name(v); });
    }
    Errc math(const MathView& v) {
        return around([&](auto& s) { return s.math(v); });
    }
    Errc node_path(const NodePathView& v) {
        return around([&](auto& s) { return s.node_path(v); });
    }
    Errc rid(std::uint64_t v) {
        return around([&](auto& s) { return s.rid(v); });
    }
    Errc object_null() {
        return around([](auto& s) { return s.object_null(); });
    }
    Errc object_id(std::uint64_t v) {
        return around([&](auto& s) { return s.object_id(v); });
    }
    Errc begin_object(std::string_view v, std::uint32_t n) {
        return around([&](auto& s) { return s.begin_object(v, n); });
    }
    Errc property(std::string_view v) {
        return around([&](auto& s) { return s.property(v); });
    }
    Errc callable() {
        return around([](auto& s) { return s.callable(); });
    }
    Errc signal(std::string_view v, std::uint64_t id) {
        return around([&](auto& s) { return s.signal(v, id); });
    }
    Errc begin_dictionary(const ContainerType& k, const ContainerType& v, std::uint32_t n) {
        return around([&](auto& s) { return s.begin_dictionary(k, v, n); });
    }
    Errc begin_array(Type t, const ContainerType& e, std::uint32_t n) {
        return around([&](auto& s) { return s.begin_array(t, e, n); });
    }
    Errc packed(const PackedView& v) {
        return around([&](auto& s) { return s.packed(v); });
    }
    Errc begin_packed_strings(std::uint32_t n) {
        return around([&](auto& s) { return s.begin_packed_strings(n); });
    }
    Errc packed_string(std::string_view v) {
        return around([&](auto& s) { return s.packed_string(v); });
    }
    Errc image(const ImageView& v) {
        return around([&](auto& s) { return s.image(v); });
    }
    Errc input_event(const InputEventView& v) {
        return around([&](auto& s) { return s.input_event(v); });
    }

private:
    template <class Event>
    Errc around(Event event) {
        return static_cast<Self&>(*this).around(event);
    }
};

}  // namespace gdvar::detail
