// Values and errors in streams and, if the standard library has it, in std::format.
#pragma once

#include <concepts>
#include <iosfwd>
#include <string>
#include <version>
#if defined(__cpp_lib_format)
#include <format>
#endif

#include "gdvar/base/export.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/step.hpp"

namespace gdvar GDVAR_EXPORT {

namespace detail {

/// A text for people. A Variant or View: our own text form (`to_text_full`) on one line. A View or
/// step that leads nowhere: its error. String, StringName and NodePath: their text. A Type: Godot's
/// name for it. Arrays, Dictionaries, math structs and all other types of a Variant: the text of
/// that Variant.
std::string shown(const Variant& value);
std::string shown(const View& view);
std::string shown(const Error& error);
inline std::string shown(Errc code) {
    return std::string(error_name(code));
}
inline std::string shown(Type type) {
    return std::string(type_name(type));
}
inline std::string shown(const String& text) {
    return std::string(text);
}
inline std::string shown(const StringName& name) {
    return std::string(name.text);
}
inline std::string shown(const NodePath& path) {
    return path.to_string();
}
template <class V>
std::string shown(const BasicStep<V>& step) {
    return step ? shown(*step) : shown(step.error());
}

/// A type of a Variant that is not a number or text.
template <class T>
concept HeldAlone = requires { VariantTraits<T>::type; } && !std::is_arithmetic_v<T> &&
                    !std::convertible_to<T, std::string_view> && !std::same_as<T, StringName> &&
                    !std::same_as<T, NodePath>;
template <HeldAlone T>
std::string shown(const T& value) {
    return shown(Variant(value));
}

template <class T>
concept Shown =
    HeldAlone<T> || std::same_as<T, Variant> || std::same_as<T, View> || std::same_as<T, Error> ||
    std::same_as<T, Errc> || std::same_as<T, Type> || std::same_as<T, String> ||
    std::same_as<T, StringName> || std::same_as<T, NodePath> || std::same_as<T, VariantStep> ||
    std::same_as<T, ConstVariantStep>;

}  // namespace detail

/// Writes `detail::shown`: `out << variant`. Honours width and fill.
template <detail::Shown T>
std::ostream& operator<<(std::ostream& out, const T& value) {
    return out << detail::shown(value);
}

}  // namespace gdvar

#if defined(__cpp_lib_format)
/// `std::format("{}", variant)`. Takes the format specifications of a text: `{:>20}`.
template <gdvar::detail::Shown T>
struct std::formatter<T> : std::formatter<std::string> {
    template <class Context>
    auto format(const T& value, Context& context) const {
        return std::formatter<std::string>::format(gdvar::detail::shown(value), context);
    }
};
#endif
