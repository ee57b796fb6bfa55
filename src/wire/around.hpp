#pragma once

#include "gdvar/wire/sink.hpp"

namespace gdvar::detail {

/// `part`: the name of a property, or a text of a PackedStringArray.
enum class EventKind : std::uint8_t { leaf, begin, part };
/// The value of an event.
struct EventValue {
    Type type = Type::nil;
    std::string_view text{};  ///< of a text
    EventKind kind = EventKind::leaf;
};

/// A sink that wraps each event of another sink: `Errc around(Event event)` of `Self`, or
/// `Errc around(const EventValue& value, Event event)`, calls `event(inner)` or refuses. `Self`
/// defines `end` itself, because the next value has another place after it.
template <class Self>
class AroundSink {
public:
    Errc nil() {
        return around({Type::nil}, [&](auto& s) { return s.nil(); });
    }
    Errc boolean(bool v) {
        return around({Type::boolean}, [&](auto& s) { return s.boolean(v); });
    }
    Errc integer(std::int64_t v) {
        return around({Type::integer}, [&](auto& s) { return s.integer(v); });
    }
    Errc real(double v) {
        return around({Type::real}, [&](auto& s) { return s.real(v); });
    }
    Errc string(std::string_view v) {
        return around({Type::string, v}, [&](auto& s) { return s.string(v); });
    }
    Errc string_name(std::string_view v) {
        return around({Type::string_name, v}, [&](auto& s) { return s.string_name(v); });
    }
    Errc math(const MathView& v) {
        return around({v.type}, [&](auto& s) { return s.math(v); });
    }
    Errc node_path(const NodePathView& v) {
        return around({Type::node_path}, [&](auto& s) { return s.node_path(v); });
    }
    Errc rid(std::uint64_t v) {
        return around({Type::rid}, [&](auto& s) { return s.rid(v); });
    }
    Errc object_null() {
        return around({Type::object}, [&](auto& s) { return s.object_null(); });
    }
    Errc object_id(std::uint64_t v) {
        return around({Type::object}, [&](auto& s) { return s.object_id(v); });
    }
    Errc begin_object(std::string_view v, std::uint32_t n) {
        return around({Type::object, {}, EventKind::begin},
                      [&](auto& s) { return s.begin_object(v, n); });
    }
    Errc property(std::string_view v) {
        return around({Type::string, v, EventKind::part}, [&](auto& s) { return s.property(v); });
    }
    Errc callable() {
        return around({Type::callable}, [&](auto& s) { return s.callable(); });
    }
    Errc signal(std::string_view v, std::uint64_t id) {
        return around({Type::signal}, [&](auto& s) { return s.signal(v, id); });
    }
    Errc begin_dictionary(const ContainerType& k, const ContainerType& v, std::uint32_t n) {
        return around({Type::dictionary, {}, EventKind::begin},
                      [&](auto& s) { return s.begin_dictionary(k, v, n); });
    }
    Errc begin_array(Type t, const ContainerType& e, std::uint32_t n) {
        return around({t, {}, EventKind::begin}, [&](auto& s) { return s.begin_array(t, e, n); });
    }
    Errc packed(const PackedView& v) {
        return around({v.type}, [&](auto& s) { return s.packed(v); });
    }
    Errc begin_packed_strings(std::uint32_t n) {
        return around({Type::packed_string_array, {}, EventKind::begin},
                      [&](auto& s) { return s.begin_packed_strings(n); });
    }
    Errc packed_string(std::string_view v) {
        return around({Type::string, v, EventKind::part},
                      [&](auto& s) { return s.packed_string(v); });
    }
    Errc image(const ImageView& v) {
        return around({Type::image}, [&](auto& s) { return s.image(v); });
    }
    Errc input_event(const InputEventView& v) {
        return around({Type::input_event}, [&](auto& s) { return s.input_event(v); });
    }

private:
    template <class Event>
    Errc around(const EventValue& value, Event event) {
        auto& self = static_cast<Self&>(*this);
        if constexpr (requires { self.around(value, event); })
            return self.around(value, event);
        else
            return self.around(event);
    }
};

}  // namespace gdvar::detail
