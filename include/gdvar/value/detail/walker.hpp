// The loop that drives a sink with a Variant. Not for users.
#pragma once

#include "gdvar/base/export.hpp"
#include "gdvar/value/detail/variant_access.hpp"
#include "gdvar/wire/detail/entry_stack.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

/// The position of a walk: the container, and its next item. A Dictionary's pairs are adjacent
/// Variants, keys and values in turn.
struct WalkEntry {
    const void* next;  ///< Variant, or an Object's Property
    std::uint32_t left;
    bool object;
};
static_assert(sizeof(Dictionary::Pair) == 2 * sizeof(Variant));

template <class Sink>
class Walker {
public:
    explicit Walker(Sink& sink) noexcept : sink_(sink) {}

    Errc run(const Variant& root) {
        const Variant* value = &root;
        for (;;) {
            if (const Errc code = reserved_values(value); code != Errc::ok)
                return code;
            if (value)
                if (const Errc code = emit(*value); code != Errc::ok)
                    return code;
            if (const Errc code = advance(value); code != Errc::ok || !value)
                return code;
        }
    }

private:
    /// Ends full containers and finds the next value; null at the end.
    Errc advance(const Variant*& value) {
        for (;;) {
            value = nullptr;
            if (stack_.empty())
                return Errc::ok;
            WalkEntry& entry = stack_.top();
            if (entry.left == 0) {
                stack_.pop();
                if (const Errc code = sink_.end(); code != Errc::ok)
                    return code;
                continue;
            }
            --entry.left;
            if (!entry.object) {
                value = static_cast<const Variant*>(entry.next);
                entry.next = value + 1;
                return Errc::ok;
            }
            auto* property = static_cast<const Object::Property*>(entry.next);
            entry.next = property + 1;
            value = &property->value;
            return sink_.property(property->name);
        }
    }

    // ---- many values into reserved space, for an Encoder --------------------------------------

    /// Emits consecutive values of bounded size, from `value` on, which then is the next one to
    /// emit, or null if `advance` must find it.
    Errc reserved_values(const Variant*& value) {
        constexpr std::size_t worth_it = 128;
        const auto fill = [this, &value](auto& to, std::size_t reserved) {
            return this->fill(to, reserved, value);
        };
        if constexpr (requires { sink_.with_headroom(worth_it, fill); })
            return sink_.with_headroom(worth_it, fill);
        else
            return Errc::ok;
    }
    /// The most bytes of such a value: a String of 32 bytes.
    static constexpr std::size_t most = 40;
    template <class Inner>
    [[gnu::always_inline]] Errc fill(Inner& to, std::size_t reserved, const Variant*& value) {
        const Variant* v = value;
        bool nested = !stack_.empty();
        WalkEntry open = nested ? stack_.pop() : WalkEntry{};
        Errc code = Errc::ok;
        while (reserved >= most && to.output().size() <= reserved - most) {
            if (!reserved_value(to, reserved, *v, open, nested, code) || code != Errc::ok)
                break;
            while (nested && open.left == 0 && code == Errc::ok) {
                code = to.end();
                nested = !stack_.empty();
                open = nested ? stack_.pop() : WalkEntry{};
            }
            if (!nested || open.object || code != Errc::ok) {
                v = nullptr;
                break;
            }
            v = static_cast<const Variant*>(open.next);
            open.next = v + 1;
            --open.left;
        }
        if (nested && !stack_.push(open))
            return Errc::no_memory;
        value = v;
        return code;
    }
    /// Consecutive floats, without a switch on the type of each.
    template <class Inner>
    [[gnu::always_inline]] Errc reals(Inner& to, std::size_t reserved, const Variant& v,
                                      WalkEntry& open) {
        Errc code = to.real(VariantAccess::as<double>(v));
        if (open.object)
            return code;
        const auto* next = static_cast<const Variant*>(open.next);
        while (code == Errc::ok && open.left != 0 && next->type() == Type::real &&
               to.output().size() + most <= reserved) {
            code = to.real(VariantAccess::as<double>(*next++));
            --open.left;
        }
        open.next = next;
        return code;
    }
    /// False if it is for `emit`. A container is opened.
    template <class Inner>
    [[gnu::always_inline]] bool reserved_value(Inner& to, std::size_t reserved, const Variant& v,
                                               WalkEntry& open, bool& nested, Errc& code) {
        switch (v.type()) {
            case Type::nil:
                code = to.nil();
                return true;
            case Type::boolean:
                code = to.boolean(VariantAccess::as<bool>(v));
                return true;
            case Type::integer:
                code = to.integer(VariantAccess::as<std::int64_t>(v));
                return true;
            case Type::real:
                code = reals(to, reserved, v, open);
                return true;
            case Type::string: {
                const String& held = VariantAccess::as<String>(v);
                if (VariantAccess::in_place(held) &&
                    to.small_string(reinterpret_cast<const std::byte*>(held.data()), held.size()))
                    return true;
                const std::string_view text = held;
                if (text.size() > 32)
                    return false;
                code = to.string(text);
                return true;
            }
            case Type::array: {
                const Array& array = VariantAccess::as<Array>(v);
                return VariantAccess::untyped(array) &&
                       begin_reserved(to.begin_array(Type::array, {}, size_of(array)),
                                      array.begin(), size_of(array), to, open, nested, code);
            }
            case Type::dictionary: {
                const Dictionary& pairs = VariantAccess::as<Dictionary>(v);
                return VariantAccess::untyped(pairs) &&
                       begin_reserved(to.begin_dictionary({}, {}, size_of(pairs)), pairs.begin(),
                                      2 * size_of(pairs), to, open, nested, code);
            }
            default:
                return !v.wide() && to.small_math(v.type(), VariantAccess::data(v));
        }
    }
    template <class Inner>
    [[gnu::always_inline]] bool begin_reserved(Errc begun, const void* first, std::uint32_t count,
                                               Inner& to, WalkEntry& open, bool& nested,
                                               Errc& code) {
        code = begun;
        if (code != Errc::ok)
            return true;
        if (count == 0) {
            code = to.end();
            return true;
        }
        if (nested && !stack_.push(open))
            code = Errc::no_memory;
        open = {first, count, false};
        nested = true;
        return true;
    }
    template <class Container>
    static std::uint32_t size_of(const Container& container) noexcept {
        return static_cast<std::uint32_t>(container.size());
    }

    // ---- one value ----------------------------------------------------------------------------

    /// Emits one value; a container is only begun, and its children are put on the stack.
    Errc emit(const Variant& v) {
        if constexpr (requires { sink_.emit_otherwise(v); })
            if (sink_.emit_otherwise(v))
                return Errc::ok;
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

    Errc push(const void* first, std::size_t count, bool object = false) {
        return stack_.push({first, static_cast<std::uint32_t>(count), object}) ? Errc::ok
                                                                               : Errc::no_memory;
    }
    Errc array(Type type, const Array& value) {
        const Errc code =
            sink_.begin_array(type, value.element_type(), static_cast<std::uint32_t>(value.size()));
        return code != Errc::ok ? code : push(value.begin(), value.size());
    }
    Errc dictionary(const Dictionary& value) {
        const Errc code = sink_.begin_dictionary(value.key_type(), value.value_type(),
                                                 static_cast<std::uint32_t>(value.size()));
        return code != Errc::ok ? code : push(value.begin(), 2 * value.size());
    }
    Errc object(const Object& value) {
        if (value.kind() == ObjectKind::null)
            return sink_.object_null();
        if (value.kind() == ObjectKind::id)
            return sink_.object_id(value.id());
        const Errc code =
            sink_.begin_object(value.class_name(), static_cast<std::uint32_t>(value.size()));
        return code != Errc::ok ? code : push(value.begin(), value.size(), true);
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
    EntryStack<WalkEntry, 32> stack_;
};

}  // namespace detail
}  // namespace gdvar
