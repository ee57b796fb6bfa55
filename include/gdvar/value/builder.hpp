// VariantBuilder: the sink that makes a Variant.
#pragma once

#include "gdvar/base/export.hpp"
#include "gdvar/value/detail/slab.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/reader.hpp"

namespace gdvar GDVAR_EXPORT {

/// Makes a Variant from a source. Reserves by the announced counts, as every source has checked
/// them. Allocates without throwing; on no_memory, or when the source breaks off, the incomplete
/// value is freed with the Variant, which may be moved or freed at any time after the last event.
/// Errors: no_memory.
class VariantBuilder {
public:
    /// `to` is borrowed and becomes the value; it is nil until something is built.
    explicit VariantBuilder(Variant& to) noexcept : next_(&to), end_(&to + 1) {
        to.~Variant();
        new (&to) Variant();
    }
    VariantBuilder(const VariantBuilder&) = delete;
    VariantBuilder& operator=(const VariantBuilder&) = delete;

    Errc nil() {
        return put(Type::nil, false, [](unsigned char* to) { std::memset(to, 0, 16); });
    }
    Errc boolean(bool value) { return hold(value); }
    Errc integer(std::int64_t value) { return hold(value); }
    Errc real(double value) { return hold(value); }
    Errc string(std::string_view text) { return put_text(Type::string, text); }
    Errc string_name(std::string_view text) { return put_text(Type::string_name, text); }
    Errc math(const MathView& value) {
        // Components have 4 bytes each, or 8 if they are wide.
        const std::size_t size = type_info(value.type).components * (value.wide ? 8u : 4u);
        if (!detail::host_is_little || size > 16)
            return large_math(value);
        return put(value.type, value.wide, [&](unsigned char* to) {
            // Two components or more: the first eight bytes and the last eight.
            std::memset(to, 0, 16);
            std::memcpy(to, value.data, 8);
            std::memcpy(to + size - 8, value.data + size - 8, 8);
        });
    }
    Errc node_path(const NodePathView& value);
    Errc rid(std::uint64_t id) { return hold(RID{id}); }
    Errc object_null() { return hold(Object()); }
    Errc object_id(std::uint64_t id) { return hold(Object::from_id(id)); }
    Errc begin_object(std::string_view name, std::uint32_t count);
    Errc property(std::string_view name);
    Errc callable() { return hold(Callable{}); }
    Errc signal(std::string_view name, std::uint64_t object);
    Errc begin_dictionary(const ContainerType& key, const ContainerType& value,
                          std::uint32_t count);
    Errc begin_array(Type type, const ContainerType& element, std::uint32_t count);
    Errc packed(const PackedView& value);
    Errc begin_packed_strings(std::uint32_t count);
    Errc packed_string(std::string_view text);
    Errc image(const ImageView& value);
    Errc input_event(const InputEventView& value) { return hold(value); }
    Errc end();

private:
    /// A value that owns no memory; `fill` writes its 16 bytes.
    template <class Fill>
    Errc put(Type type, bool wide, Fill&& fill) {
        if (next_ == end_) [[unlikely]]
            return Errc::too_many_items;  // the source sends more than it announced
        Variant* const to = new (next_++) Variant(Variant::Unfilled{}, type, wide);
        fill(to->data_);
        return Errc::ok;
    }
    template <class T>
    Errc hold(T value) {
        using Traits = detail::VariantTraits<T>;
        return put(Traits::type, Traits::wide, [&](unsigned char* to) {
            std::memset(to, 0, 16);
            new (to) T(std::move(value));
        });
    }
    Errc put_text(Type type, std::string_view text) {
        if (text.size() > 15)
            return long_text(type, text);
        return put(type, false, [&](unsigned char* to) { String::make_small(to, text); });
    }
    /// A value that owns memory, which the open container must know of at once. `fill` is false
    /// when memory runs out.
    template <class Fill>
    Errc put_owning(Fill&& fill);
    Errc long_text(Type type, std::string_view text);
    Errc large_math(const MathView& value);
    template <class T>
    T* boxed(Variant& to) noexcept;
    template <class T>
    bool fill_packed(Variant& to, const PackedView& from) noexcept;
    template <class T>
    bool fill_math(Variant& to, const MathView& from) noexcept;

    /// Stores the progress of the open container in its block.
    void note() noexcept;
    void enter(detail::Block* block) noexcept;
    /// Continues where `note` left the open container.
    void resume() noexcept;

    Variant* next_;                         ///< the place of the next value
    Variant* end_;                          ///< behind the last place
    detail::Block* open_ = nullptr;         ///< innermost open container
    PackedStringArray* strings_ = nullptr;  ///< open PackedStringArray
    bool hollow_ = false;                   ///< an empty container that owns nothing was begun
    detail::PartMaker maker_;
};

}  // namespace gdvar
