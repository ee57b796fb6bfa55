#include <algorithm>

#include "gdvar/inspect/engine.hpp"
#include "gdvar/wire/detail/entry_stack.hpp"
#include "gdvar/wire/reader.hpp"
#include "gdvar/wire/sink.hpp"
#include "wire/key_rules.hpp"

namespace gdvar::inspect {
namespace {

/// Reads on while the engine would keep each value unchanged, and stops at any doubt.
class Keeping : public NullSink {
public:
    explicit Keeping(const Engine& engine) noexcept
        : held_(detail::key_rules(engine.family).texts) {}

    bool miscounted() const noexcept { return miscounted_; }
    void quirk(Quirk quirk, std::size_t) noexcept {
        miscounted_ |= quirk == Quirk::engine_miscounts;
    }

    Errc nil() noexcept { return item(Type::nil); }
    Errc boolean(bool) noexcept { return item(Type::boolean); }
    Errc integer(std::int64_t value) noexcept {
        return key_or_item(Type::integer, static_cast<std::uint64_t>(value) * spread);
    }
    Errc real(double) noexcept { return item(Type::real); }
    Errc string(std::string_view value) noexcept { return text(Type::string, value); }
    Errc string_name(std::string_view value) noexcept { return text(Type::string_name, value); }
    Errc property(std::string_view name) noexcept { return kept(name); }
    Errc packed_string(std::string_view value) noexcept { return kept(value); }
    Errc math(const MathView& value) noexcept {
        return value.wide ? Errc::stopped : item(value.type);
    }
    Errc packed(const PackedView& value) noexcept {
        return value.wide ? Errc::stopped : item(value.type);
    }
    Errc rid(std::uint64_t) noexcept { return item(Type::rid); }
    Errc callable() noexcept { return item(Type::callable); }
    // Rare: their names may change, they may be separate keys, or get another id.
    Errc node_path(const NodePathView&) noexcept { return Errc::stopped; }
    Errc signal(std::string_view, std::uint64_t) noexcept { return Errc::stopped; }
    Errc object_null() noexcept { return Errc::stopped; }
    Errc object_id(std::uint64_t) noexcept { return Errc::stopped; }
    Errc begin_object(std::string_view, std::uint32_t) noexcept { return Errc::stopped; }
    Errc image(const ImageView&) noexcept { return Errc::stopped; }
    Errc input_event(const InputEventView&) noexcept { return Errc::stopped; }

    Errc begin_array(Type type, const ContainerType& element, std::uint32_t) noexcept {
        return begin(type, {.keys_or_items = element.type}, element);
    }
    Errc begin_packed_strings(std::uint32_t) noexcept {
        return begin(Type::packed_string_array, {}, {});
    }
    Errc begin_dictionary(const ContainerType& key, const ContainerType& value,
                          std::uint32_t) noexcept {
        if (becomes_another(value))
            return Errc::stopped;
        return begin(Type::dictionary,
                     {.first_key = keys_.size(), .keys_or_items = key.type, .pairs = true}, key);
    }
    Errc end() noexcept {
        const Open ended = open_.pop();
        if (!ended.pairs)
            return Errc::ok;
        std::uint64_t* const first = &keys_[ended.first_key];
        std::uint64_t* const last = first + (keys_.size() - ended.first_key);
        const bool equal = any_equal(first, last);
        while (keys_.size() > ended.first_key)
            keys_.pop();
        return equal ? Errc::stopped : Errc::ok;
    }

private:
    static constexpr std::uint64_t spread = 0x9E37'79B9'7F4A'7C15u;
    struct Open {
        std::size_t first_key = 0;       ///< a Dictionary: the start of its keys
        Type keys_or_items = Type::nil;  ///< nil: of any type
        bool pairs = false;
        bool at_value = false;
    };

    Errc item(Type type) noexcept {
        if (open_.empty())
            return Errc::ok;
        Open& around = open_.top();
        if (around.pairs) {
            if (!around.at_value)
                return Errc::stopped;
            around.at_value = false;
            return Errc::ok;
        }
        return around.keys_or_items == Type::nil || around.keys_or_items == type ? Errc::ok
                                                                                 : Errc::stopped;
    }
    /// Keys are hashes here. Collisions only cost time.
    Errc key_or_item(Type type, std::uint64_t number) noexcept {
        if (open_.empty() || !open_.top().pairs || open_.top().at_value)
            return item(type);
        Open& around = open_.top();
        around.at_value = true;
        if (around.keys_or_items != Type::nil && around.keys_or_items != type)
            return Errc::stopped;
        return keys_.push(number) ? Errc::ok : Errc::no_memory;
    }
    Errc text(Type type, std::string_view value) noexcept {
        const Errc code = kept(value);
        return code == Errc::ok ? key_or_item(type, number_of(value)) : code;
    }
    Errc kept(std::string_view text) const noexcept {
        return held_.stays(text) ? Errc::ok : Errc::stopped;
    }
    static std::uint64_t number_of(std::string_view text) noexcept {
        constexpr std::size_t word = 8;
        std::uint64_t out = text.size();
        for (; text.size() > word; text.remove_prefix(word)) {
            out = (out ^ detail::load_some(text.data(), word)) * spread;
            out ^= out >> 29;
        }
        return (out ^ detail::load_some(text.data(), text.size())) * spread;
    }
    Errc begin(Type type, const Open& opened, const ContainerType& items) noexcept {
        if (becomes_another(items))
            return Errc::stopped;
        const Errc code = item(type);
        return code != Errc::ok ? code : open_.push(opened) ? Errc::ok : Errc::no_memory;
    }
    /// Whether the engine may give the container another type of elements.
    static bool becomes_another(const ContainerType& type) noexcept {
        return type.type == Type::object || (type.typed() && type.type == Type::nil);
    }
    static bool any_equal(std::uint64_t* first, std::uint64_t* last) noexcept {
        constexpr std::ptrdiff_t few = 24;
        if (last - first > few) {
            std::sort(first, last);
            return std::adjacent_find(first, last) != last;
        }
        for (; first != last; ++first)
            if (std::find(first + 1, last, *first) != last)
                return true;
        return false;
    }

    const detail::HeldText& held_;
    bool miscounted_ = false;
    detail::EntryStack<Open, 32> open_;
    detail::EntryStack<std::uint64_t, 64> keys_;
};

}  // namespace

bool keeps_all(const Engine& engine, ByteView bytes, bool allow_objects) noexcept {
    Keeping sink(engine);
    DecodeOptions options{.dialect = engine.dialect, .allow_objects = allow_objects};
    options.limits.max_depth = engine.max_depth;
    return read(bytes, options, sink) && !sink.miscounted();
}

}  // namespace gdvar::inspect
