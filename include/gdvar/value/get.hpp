// Variant::get: a Variant as ordinary C++ values. Included by variant.hpp.
// Room: value.
#pragma once

#include "gdvar/value/variant.hpp"

namespace gdvar {

template <class T>
std::expected<T, Error> Variant::get() const {
    using Result = std::expected<T, Error>;
    const auto refuse = [&](Errc code) { return Result(std::unexpect, Error{code, type_, 0, 0}); };
    if constexpr (std::same_as<T, Variant>) {
        return *this;
    } else if constexpr (std::same_as<T, bool>) {
        return is(Type::boolean) ? Result(boolean()) : refuse(Errc::wrong_type);
    } else if constexpr (std::integral<T>) {
        if (!is(Type::integer)) return refuse(Errc::wrong_type);
        if (!detail::in_range<T>(integer())) return refuse(Errc::number_out_of_range);
        return static_cast<T>(integer());
    } else if constexpr (std::floating_point<T>) {
        if (is(Type::integer)) {
            if (!detail::survives<T>(integer())) return refuse(Errc::number_out_of_range);
            return static_cast<T>(integer());
        }
        if (!is(Type::real)) return refuse(Errc::wrong_type);
        if (!detail::survives<T>(real())) return refuse(Errc::number_out_of_range);
        return static_cast<T>(real());
    } else if constexpr (std::same_as<T, std::string_view> || std::same_as<T, std::string>) {
        if (!is(Type::string) && !is(Type::string_name)) return refuse(Errc::wrong_type);
        return T(text());
    } else if constexpr (MathType<T>) {
        if (const T* same = get_if<T>()) return *same;
        if (!is(MathTraits<T>::type)) return refuse(Errc::wrong_type);
        if constexpr (MathTraits<T>::wide) {
            double lanes[sizeof(T) / 8];
            const MathView from = math();
            for (std::size_t i = 0; i < sizeof(T) / 8; ++i) lanes[i] = from.real(i);
            T out;
            std::memcpy(static_cast<void*>(&out), lanes, sizeof out);
            return out;
        } else {
            return refuse(Errc::number_out_of_range);
        }
    } else if constexpr (requires { detail::VariantTraits<T>::type; }) {
        const T* same = get_if<T>();
        return same ? Result(*same) : refuse(Errc::wrong_type);
    } else if constexpr (detail::is_vector<T>) {
        T out;
        if constexpr (PackedElement<typename T::value_type>) {
            if (const auto* packed_array = get_if<PackedArray<typename T::value_type>>()) {
                out.assign(packed_array->begin(), packed_array->end());
                return out;
            }
        }
        const Array* array = get_if<Array>();
        if (!array) return refuse(Errc::wrong_type);
        out.reserve(array->size());
        for (const Variant& item : *array) {
            auto value = item.template get<typename T::value_type>();
            if (!value) return std::unexpected(value.error());
            out.push_back(*std::move(value));
        }
        return out;
    } else if constexpr (requires { typename T::mapped_type; }) {
        const Dictionary* dictionary = get_if<Dictionary>();
        if (!dictionary) return refuse(Errc::wrong_type);
        T out;
        for (const auto& [key, item] : *dictionary) {
            auto name = key.template get<typename T::key_type>();
            if (!name) return std::unexpected(name.error());
            auto value = item.template get<typename T::mapped_type>();
            if (!value) return std::unexpected(value.error());
            out.insert_or_assign(*std::move(name), *std::move(value));
        }
        return out;
    } else {
        static_assert(MathType<T>, "gdvar: Variant::get can't make this type");
    }
}

}  // namespace gdvar
