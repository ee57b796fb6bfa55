// A sink that hides whole values from another sink.
#pragma once

#include "gdvar/wire/reader.hpp"

namespace gdvar::detail {

/// Asks `bool Inner::skips(Type, std::string_view text, Errc&)` before each value; `text` is the
/// value's text, if it has one. If true, neither the value nor its children reach Inner. `skips`
/// has then written the replacement itself; the Errc is its result.
template <class Inner>
class Skipping {
public:
    explicit Skipping(Inner& inner) noexcept : inner_(inner) {}

    void at(std::size_t offset) {
        if constexpr (requires { inner_.at(offset); })
            inner_.at(offset);
    }
    Errc nil() {
        return leaf(Type::nil, {}, [&] { return inner_.nil(); });
    }
    Errc boolean(bool v) {
        return leaf(Type::boolean, {}, [&] { return inner_.boolean(v); });
    }
    Errc integer(std::int64_t v) {
        return leaf(Type::integer, {}, [&] { return inner_.integer(v); });
    }
    Errc real(double v) {
        return leaf(Type::real, {}, [&] { return inner_.real(v); });
    }
    Errc string(std::string_view v) {
        return leaf(Type::string, v, [&] { return inner_.string(v); });
    }
    Errc string_name(std::string_view v) {
        return leaf(Type::string_name, v, [&] { return inner_.string_name(v); });
    }
    Errc math(const MathView& v) {
        return leaf(v.type, {}, [&] { return inner_.math(v); });
    }
    Errc node_path(const NodePathView& v) {
        return leaf(Type::node_path, {}, [&] { return inner_.node_path(v); });
    }
    Errc rid(std::uint64_t v) {
        return leaf(Type::rid, {}, [&] { return inner_.rid(v); });
    }
    Errc object_null() {
        return leaf(Type::object, {}, [&] { return inner_.object_null(); });
    }
    Errc object_id(std::uint64_t v) {
        return leaf(Type::object, {}, [&] { return inner_.object_id(v); });
    }
    Errc callable() {
        return leaf(Type::callable, {}, [&] { return inner_.callable(); });
    }
    Errc signal(std::string_view name, std::uint64_t object) {
        return leaf(Type::signal, {}, [&] { return inner_.signal(name, object); });
    }
    Errc packed(const PackedView& v) {
        return leaf(v.type, {}, [&] { return inner_.packed(v); });
    }
    Errc image(const ImageView& v) {
        return leaf(Type::image, {}, [&] { return inner_.image(v); });
    }
    Errc input_event(const InputEventView& v) {
        return leaf(Type::input_event, {}, [&] { return inner_.input_event(v); });
    }

    Errc begin_object(std::string_view name, std::uint32_t n) {
        return begin(Type::object, [&] { return inner_.begin_object(name, n); });
    }
    Errc property(std::string_view name) { return depth_ ? Errc::ok : inner_.property(name); }
    Errc begin_dictionary(const ContainerType& key, const ContainerType& value, std::uint32_t n) {
        return begin(Type::dictionary, [&] { return inner_.begin_dictionary(key, value, n); });
    }
    Errc begin_array(Type type, const ContainerType& element, std::uint32_t n) {
        return begin(type, [&] { return inner_.begin_array(type, element, n); });
    }
    Errc begin_packed_strings(std::uint32_t n) {
        return begin(Type::packed_string_array, [&] { return inner_.begin_packed_strings(n); });
    }
    Errc packed_string(std::string_view v) { return depth_ ? Errc::ok : inner_.packed_string(v); }
    Errc end() {
        if (depth_ == 0)
            return inner_.end();
        --depth_;
        return Errc::ok;
    }

private:
    template <class Use>
    Errc leaf(Type type, std::string_view text, Use&& use) {
        if (depth_)
            return Errc::ok;
        Errc code = Errc::ok;
        return inner_.skips(type, text, code) ? code : use();
    }
    template <class Use>
    Errc begin(Type type, Use&& use) {
        Errc code = Errc::ok;
        if (depth_ == 0 && !inner_.skips(type, {}, code))
            return use();
        ++depth_;
        return code;
    }

    Inner& inner_;
    std::size_t depth_ = 0;  ///< open containers in the skipped value
};

}  // namespace gdvar::detail
