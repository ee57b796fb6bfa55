// Compound values for sinks, borrowed from the packet or from a Variant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/wire/math.hpp"
#include "gdvar/wire/type.hpp"

namespace gdvar GDVAR_EXPORT {

namespace detail {

/// Bytes of a counted string with a text of `n` bytes: u32 length, text, padding.
constexpr std::uint64_t record_size(std::uint32_t n) noexcept {
    return 4 + padded_size(n);
}
/// A counted string that was already checked: Scanner::take_text reads new ones.
struct Record {
    std::string_view text;
    const std::byte* next;
};
inline Record record_at(const std::byte* at) noexcept {
    const std::uint32_t n = load<std::uint32_t>(at);
    return {as_text(at + 4, n), at + record_size(n)};
}

/// Transposes a 3x3 matrix of components: rows become columns.
inline void transpose_3x3(std::byte* to, const std::byte* from, std::size_t component) noexcept {
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            std::memcpy(to + (row * 3 + column) * component, from + (column * 3 + row) * component,
                        component);
}

/// The text of a PackedStringArray's element. The final NUL is left out if the dialect counts one
/// (`Dialect::string_array_nul`); in the other dialects it is a character.
inline std::string_view element_text(std::string_view record, bool counts_nul) noexcept {
    if (counts_nul && record.ends_with('\0'))
        record.remove_suffix(1);
    return record;
}

/// A component as T, from wire order or from the host's own.
template <class T>
inline T component(const std::byte* at, bool host_order) noexcept {
    if constexpr (host_is_little)
        return load<T>(at);
    if (!host_order)
        return load<T>(at);
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

}  // namespace detail

/// A math value: its adjacent components, in wire order (which is also the order in memory of the
/// structs in math.hpp), unaligned.
struct MathView {
    Type type = Type::vector2;
    bool wide = false;        ///< 64-bit real components
    bool host_order = false;  ///< big-endian hosts: the components are in the host's order
    const std::byte* data = nullptr;

    std::size_t components() const noexcept { return type_info(type).components; }
    std::size_t size() const noexcept {
        return components() * (wide ? 8 : component_bytes(type_info(type).component));
    }
    bool integral() const noexcept { return type_info(type).component == ComponentType::i32; }
    /// Component `i` of a real-valued type.
    double real(std::size_t i) const noexcept {
        return wide ? detail::component<double>(data + 8 * i, host_order)
                    : static_cast<double>(detail::component<float>(data + 4 * i, host_order));
    }
    /// Component `i` of an integer type.
    std::int32_t integer(std::size_t i) const noexcept {
        return detail::component<std::int32_t>(data + 4 * i, host_order);
    }
    /// The value as a struct of the same type and width, which the caller must check.
    template <MathType T>
    T as() const noexcept {
        using Component = typename MathTraits<T>::Component;
        T out;
        if constexpr (detail::host_is_little) {
            std::memcpy(&out, data, sizeof out);
        } else {
            constexpr std::size_t size = sizeof(Component);
            Component all[sizeof(T) / size];
            for (std::size_t i = 0; i < sizeof(T) / size; ++i)
                all[i] = detail::component<Component>(data + size * i, host_order);
            std::memcpy(static_cast<void*>(&out), all, sizeof out);
        }
        return out;
    }
};

/// The adjacent elements of a packed array (all but PackedStringArray), unaligned.
struct PackedView {
    Type type = Type::packed_byte_array;
    bool wide = false;
    bool host_order = false;
    std::uint32_t count = 0;
    const std::byte* data = nullptr;

    ComponentType component() const noexcept {
        return wide ? ComponentType::f64 : type_info(type).component;
    }
    std::size_t components() const noexcept { return type_info(type).components; }
    std::size_t element_size() const noexcept {
        return components() * component_bytes(component());
    }
    std::size_t size() const noexcept { return count * element_size(); }
    ByteView bytes() const noexcept { return {data, size()}; }
    /// Component `i` counted over all elements; T must match `component()`.
    template <class T>
    T component_at(std::size_t i) const noexcept {
        return detail::component<T>(data + sizeof(T) * i, host_order);
    }
    /// Calls `use` with that component: std::uint8_t, std::int32_t, std::int64_t, float or double.
    template <class Use>
    decltype(auto) use_component(std::size_t i, Use&& use) const {
        return with_component(component(), [&]<class T>(std::type_identity<T>) -> decltype(auto) {
            return use(component_at<T>(i));
        });
    }
};

/// A NodePath: names and subnames as counted strings, or (old packets only) as text.
class NodePathView {
public:
    constexpr NodePathView() = default;
    /// `records` holds names + subnames counted strings, checked, in wire order.
    constexpr NodePathView(std::uint32_t names, std::uint32_t subnames, bool absolute,
                           bool property, ByteView records) noexcept
        : records_(records),
          names_(names),
          subnames_(subnames),
          absolute_(absolute),
          property_(property) {}
    /// From text such as "/root/A:b:c". Empty names and subnames are dropped, as engines do.
    static NodePathView from_text(std::string_view text) noexcept;

    std::uint32_t name_count() const noexcept { return names_; }
    std::uint32_t subname_count() const noexcept { return subnames_; }
    bool absolute() const noexcept { return absolute_; }
    /// The last subname was written as Godot 2's separate property.
    bool separate_property() const noexcept { return property_; }
    bool is_text() const noexcept { return text_; }
    /// The counted strings, when not text.
    ByteView records() const noexcept { return records_; }

    /// Calls `use(std::string_view name, bool is_subname)` for each, names first.
    template <class Use>
    void each(Use&& use) const {
        const std::byte* at = records_.data();
        if (!text_) {
            for (std::uint64_t i = 0, n = std::uint64_t{names_} + subnames_; i < n; ++i) {
                auto record = detail::record_at(at);
                use(record.text, i >= names_);
                at = record.next;
            }
            return;
        }
        std::string_view rest = detail::as_text(at, records_.size());
        bool sub = false;
        while (!rest.empty()) {
            const std::size_t cut = rest.find_first_of(sub ? ":" : "/:");
            const std::string_view name = rest.substr(0, cut);
            if (!name.empty())
                use(name, sub);
            if (cut == std::string_view::npos)
                break;
            sub = sub || rest[cut] == ':';
            rest.remove_prefix(cut + 1);
        }
    }

private:
    ByteView records_{};
    std::uint32_t names_ = 0, subnames_ = 0;
    bool absolute_ = false, property_ = false, text_ = false;
};

/// The text of a path: "/root/A:b:c".
std::string to_string(const NodePathView& path);

/// The kind of an Object value (wire-format 2.4).
enum class ObjectKind : std::uint8_t { null, id, full };

/// Godot 2's Image (wire-format 2.10).
struct ImageView {
    std::uint32_t format = 0, mipmaps = 0, width = 0, height = 0;
    ByteView data{};
};

/// Godot 2's InputEvent (wire-format 2.10): up to two words after type and device. The second word
/// of a joystick motion is a float's bits.
struct InputEventView {
    std::uint32_t type = 0, device = 0;
    std::uint32_t words[2] = {0, 0};

    /// The number of `words` for an event of that type.
    static constexpr std::size_t word_count(std::uint32_t type) noexcept {
        constexpr std::uint8_t counts[] = {0, 2, 0, 1, 2, 1, 1, 0, 0};
        return type < sizeof counts ? counts[type] : 0;
    }
    friend constexpr bool operator==(const InputEventView&, const InputEventView&) = default;
};

}  // namespace gdvar
