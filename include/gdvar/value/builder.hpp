// VariantBuilder: the sink that makes a Variant.
// Room: value.
#pragma once

#include "gdvar/value/variant.hpp"
#include "gdvar/wire/reader.hpp"

namespace gdvar {

/// Makes a Variant out of what a source says. Trusts the announced counts for reserving, as every
/// source has checked them. Allocates without throwing; on no_memory, or when the source breaks
/// off, what was made so far is freed with the Variant. Errors: no_memory.
class VariantBuilder {
public:
    /// `to` is borrowed and becomes the value; it is nil until something is built.
    explicit VariantBuilder(Variant& to) noexcept : slot_(&to) { to = Variant(); }

    Errc nil() { return put([](Variant&) { return true; }); }
    Errc boolean(bool value) { return hold(value); }
    Errc integer(std::int64_t value) { return hold(value); }
    Errc real(double value) { return hold(value); }
    Errc string(std::string_view text);
    Errc string_name(std::string_view text);
    Errc math(const MathView& value);
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
    /// The place of the next value, made nil. Null when the source says more than it announced.
    Variant* place() noexcept;
    template <class Fill>
    Errc put(Fill&& fill) {
        Variant* to = place();
        if (!to) return Errc::too_many_items;
        return fill(*to) ? Errc::ok : Errc::no_memory;
    }
    template <class T>
    Errc hold(T value) {
        return put([&](Variant& to) {
            to.hold(std::move(value));
            return true;
        });
    }
    /// A value that needs a block of its own.
    template <class T>
    T* boxed(Variant& to) noexcept;
    template <class T>
    bool fill_packed(Variant& to, const PackedView& from) noexcept;
    template <class T>
    bool fill_math(Variant& to, const MathView& from) noexcept;

    Variant* slot_;                 ///< of the whole value, until it is there
    detail::Block* open_ = nullptr; ///< innermost open container
    PackedStringArray* strings_ = nullptr;  ///< open PackedStringArray
    bool hollow_ = false;  ///< an empty container that owns nothing was begun
};

}  // namespace gdvar
