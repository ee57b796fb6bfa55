// Variant as a source: drives any sink with what it holds.
// Room: value.
#pragma once

#include "gdvar/value/variant.hpp"

namespace gdvar {

/// The private parts of Variant that walking and building need.
struct VariantAccess {
    template <class T>
    static const T& as(const Variant& v) noexcept {
        return v.as<T>();
    }
    template <class T>
    static T& as(Variant& v) noexcept {
        return v.as<T>();
    }
    /// Makes an Array a PackedTypedArray (Pandemonium), which holds the same.
    static void make_packed_typed_array(Variant& array) noexcept {
        array.type_ = Type::packed_typed_array;
    }
    static const unsigned char* data(const Variant& v) noexcept { return v.data_; }
    /// The block behind an Array, a Dictionary or an Object in full; else null.
    static detail::Block* block(const Variant& v) noexcept;
    static bool copy_shallow(Variant& to, const Variant& from, detail::PartMaker& maker,
                             const detail::Block*& inner, detail::Block*& made) noexcept;
    /// Strings and StringNames.
    static bool copy_text(Variant& to, const Variant& from, detail::PartMaker& maker) noexcept;
    static void* box(const Variant& v) noexcept {
        void* box;
        std::memcpy(&box, v.data_, sizeof box);
        return box;
    }
    /// Where a value in a block of its own has it from.
    static std::uint16_t place(const Variant& v) noexcept { return v.place_; }
};

namespace detail {

/// Where a walk is: the container, and what comes next in it.
struct WalkFrame {
    const void* next;  ///< Variant (array), Pair (dictionary) or Property (object)
    std::uint32_t left;
    enum Kind : std::uint8_t { element, key, value, property } kind;
};

template <class Sink>
class Walker {
public:
    explicit Walker(Sink& sink) noexcept : sink_(sink) {}

    Errc run(const Variant& root) {
        const Variant* value = &root;
        for (;;) {
            if (Errc code = emit(*value); code != Errc::ok)
                return code;
            for (;;) {
                if (stack_.empty())
                    return Errc::ok;
                WalkFrame& frame = stack_.top();
                if (frame.left == 0) {
                    stack_.pop();
                    if (Errc code = sink_.end(); code != Errc::ok)
                        return code;
                    continue;
                }
                if (Errc code = advance(frame, value); code != Errc::ok)
                    return code;
                break;
            }
        }
    }

private:
    Errc advance(WalkFrame& frame, const Variant*& value) {
        switch (frame.kind) {
            case WalkFrame::element: {
                auto* item = static_cast<const Variant*>(frame.next);
                value = item;
                frame.next = item + 1;
                --frame.left;
                return Errc::ok;
            }
            case WalkFrame::key:
                value = &static_cast<const Dictionary::Pair*>(frame.next)->key;
                frame.kind = WalkFrame::value;
                return Errc::ok;
            case WalkFrame::value: {
                auto* pair = static_cast<const Dictionary::Pair*>(frame.next);
                value = &pair->value;
                frame.next = pair + 1;
                frame.kind = WalkFrame::key;
                --frame.left;
                return Errc::ok;
            }
            case WalkFrame::property: {
                auto* property = static_cast<const Object::Property*>(frame.next);
                value = &property->value;
                frame.next = property + 1;
                --frame.left;
                return sink_.property(property->name);
            }
        }
        return Errc::ok;
    }

    /// Emits one value; a container is only begun, and its children are put on the stack.
    Errc emit(const Variant& v) {
        switch (v.type()) {
            case Type::nil:
                return sink_.nil();
            case Type::boolean:
                return sink_.boolean(v.boolean());
            case Type::integer:
                return sink_.integer(v.integer());
            case Type::real:
                return sink_.real(v.real());
            case Type::string:
                return sink_.string(v.text());
            case Type::string_name:
                return sink_.string_name(v.text());
            case Type::node_path:
                return sink_.node_path(VariantAccess::as<NodePath>(v).view());
            case Type::rid:
                return sink_.rid(VariantAccess::as<RID>(v).id);
            case Type::object:
                return object(VariantAccess::as<Object>(v));
            case Type::callable:
                return sink_.callable();
            case Type::signal: {
                const Signal& signal = VariantAccess::as<Signal>(v);
                return sink_.signal(signal.name, signal.object);
            }
            case Type::dictionary:
                return dictionary(VariantAccess::as<Dictionary>(v));
            case Type::array:
            case Type::packed_typed_array:
                return array(v.type(), VariantAccess::as<Array>(v));
            case Type::packed_string_array:
                return strings(VariantAccess::as<PackedStringArray>(v));
            case Type::image: {
                const Image& i = VariantAccess::as<Image>(v);
                return sink_.image({i.format, i.mipmaps, i.width, i.height, as_bytes(i.data)});
            }
            case Type::input_event:
                return sink_.input_event(VariantAccess::as<InputEvent>(v));
            default:
                return is_packed(v.type()) ? sink_.packed(v.packed()) : sink_.math(v.math());
        }
    }

    Errc push(const void* first, std::size_t count, WalkFrame::Kind kind) {
        return stack_.push({first, static_cast<std::uint32_t>(count), kind}) ? Errc::ok
                                                                             : Errc::no_memory;
    }
    Errc array(Type type, const Array& value) {
        const Errc code =
            sink_.begin_array(type, value.element_type(), static_cast<std::uint32_t>(value.size()));
        return code != Errc::ok ? code : push(value.begin(), value.size(), WalkFrame::element);
    }
    Errc dictionary(const Dictionary& value) {
        const Errc code = sink_.begin_dictionary(value.key_type(), value.value_type(),
                                                 static_cast<std::uint32_t>(value.size()));
        return code != Errc::ok ? code : push(value.begin(), value.size(), WalkFrame::key);
    }
    Errc object(const Object& value) {
        if (value.kind() == ObjectKind::null)
            return sink_.object_null();
        if (value.kind() == ObjectKind::id)
            return sink_.object_id(value.id());
        const Errc code =
            sink_.begin_object(value.class_name(), static_cast<std::uint32_t>(value.size()));
        return code != Errc::ok ? code : push(value.begin(), value.size(), WalkFrame::property);
    }
    Errc strings(const PackedStringArray& value) {
        Errc code = sink_.begin_packed_strings(static_cast<std::uint32_t>(value.size()));
        for (const String& item : value) {
            if (code != Errc::ok)
                return code;
            code = sink_.packed_string(item);
        }
        return code != Errc::ok ? code : sink_.end();
    }

    Sink& sink_;
    FrameStack<WalkFrame, 32> stack_;
};

}  // namespace detail

/// Drives `sink` with `value`; what the sink is given is borrowed from the Variant. Iterative;
/// allocates only past 32 open containers. Errors: the sink's, no_memory.
template <class S>
Errc drive(const Variant& value, S&& sink) {
    return detail::Walker<std::remove_reference_t<S>>(sink).run(value);
}

}  // namespace gdvar
