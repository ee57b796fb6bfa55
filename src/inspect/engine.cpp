#include "gdvar/inspect/engine.hpp"

#include <cmath>
#include <new>
#include <string>

#include "gdvar/value/builder.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar {
namespace {

const Engine engines[] = {
    {"Godot 4.6.3", &dialects::godot_4_4, true},
    {"Godot 4.3", &dialects::godot_4_3, false},
    {"Godot 4.2", &dialects::godot_4_0, false},
    {"Godot 3.6.2", &dialects::godot_3_1, true},
    {"Godot 3.2.3", &dialects::godot_3_1, true},
    {"Godot 3.0", &dialects::godot_3_0, false},
    {"Godot 2.1", &dialects::godot_2, false},
    {"Pandemonium 5.3", &dialects::pandemonium_5, true},
};

/// How often a reading changes a value, by kind of change.
struct Tally {
    std::size_t cut = 0, marks = 0, narrowed = 0, merged = 0, dropped = 0, converted = 0,
                retyped = 0, fresh_ids = 0, nulls = 0, misread = 0, unpredicted = 0;
};

void say(std::vector<std::string>& out, std::size_t n, const char* one, const char* many) {
    if (n)
        out.push_back(std::to_string(n) + " " + (n == 1 ? one : many));
}

std::vector<std::string> in_words(const Tally& t) {
    std::vector<std::string> out;
    say(out, t.cut, "text is cut at a NUL", "texts are cut at a NUL");
    say(out, t.marks, "text loses its byte order mark", "texts lose their byte order mark");
    say(out, t.narrowed, "double-precision value becomes single precision",
        "double-precision values become single precision");
    say(out, t.merged, "pair is merged with an earlier one of the same key",
        "pairs are merged with earlier ones of the same key");
    say(out, t.dropped, "item of the wrong type is dropped from a typed container",
        "items of the wrong type are dropped from typed containers");
    say(out, t.converted, "item is converted to its container's type",
        "items are converted to their containers' types");
    say(out, t.unpredicted, "item is converted to its container's type, here left as it is",
        "items are converted to their containers' types, here left as they are");
    say(out, t.retyped, "container is typed EncodedObjectAsID",
        "containers are typed EncodedObjectAsID");
    say(out, t.nulls, "null object is written as null", "null objects are written as null");
    say(out, t.fresh_ids, "object id is replaced by a fresh one when written back",
        "object ids are replaced by fresh ones when written back");
    say(out, t.misread, "value whose bytes the engine itself miscounts: what follows is misread",
        "values whose bytes the engine itself miscounts: what follows is misread");
    return out;
}

/// Between the Reader and the builder: what an engine's own reader does to single values.
class EngineFilter : public VariantBuilder {
public:
    EngineFilter(Variant& to, const Dialect& dialect, bool objects, Tally& tally)
        : VariantBuilder(to), tally_(tally), dialect_(dialect), objects_(objects) {}

    void quirk(Quirk quirk, std::size_t) { tally_.misread += quirk == Quirk::engine_miscounts; }

    Errc string(std::string_view text) { return VariantBuilder::string(seen(text)); }
    Errc string_name(std::string_view text) { return VariantBuilder::string_name(seen(text)); }
    Errc property(std::string_view name) { return VariantBuilder::property(seen(name)); }
    Errc packed_string(std::string_view text) { return VariantBuilder::packed_string(seen(text)); }
    Errc signal(std::string_view name, std::uint64_t object) {
        return VariantBuilder::signal(seen(name), object);
    }
    Errc node_path(const NodePathView& path) {
        std::string records;
        path.each([&](std::string_view name, bool) {
            const std::string_view kept = seen(name);
            const auto n = static_cast<std::uint32_t>(kept.size());
            char word[4];
            detail::store(reinterpret_cast<std::byte*>(word), n);
            records.append(word, 4).append(kept).append(detail::padding_of(n), '\0');
        });
        return VariantBuilder::node_path(NodePathView(path.name_count(), path.subname_count(),
                                                      path.absolute(), false,
                                                      as_bytes(std::string_view(records))));
    }
    Errc object_null() { return VariantBuilder::nil(); }
    Errc object_id(std::uint64_t id) {
        if (id == 0) {
            ++tally_.nulls;
            return VariantBuilder::nil();
        }
        ++tally_.fresh_ids;
        return VariantBuilder::object_id(id);
    }
    Errc math(const MathView& value) {
        if (!value.wide)
            return VariantBuilder::math(value);
        ++tally_.narrowed;
        float lanes[16];
        for (std::size_t i = 0; i < value.lanes(); ++i)
            lanes[i] = narrow(value.real(i));
        return VariantBuilder::math(
            {value.type, false, true, reinterpret_cast<const std::byte*>(lanes)});
    }
    Errc packed(const PackedView& value) {
        if (!value.wide)
            return VariantBuilder::packed(value);
        ++tally_.narrowed;
        std::vector<float> lanes(value.count * value.lanes());
        for (std::size_t i = 0; i < lanes.size(); ++i)
            lanes[i] = narrow(value.lane_at<double>(i));
        return VariantBuilder::packed({value.type, false, true, value.count,
                                       reinterpret_cast<const std::byte*>(lanes.data())});
    }
    Errc begin_array(Type type, const ContainerType& element, std::uint32_t count) {
        return VariantBuilder::begin_array(type, known(element), count);
    }
    Errc begin_dictionary(const ContainerType& key, const ContainerType& value,
                          std::uint32_t count) {
        return VariantBuilder::begin_dictionary(known(key), known(value), count);
    }

private:
    static float narrow(double value) {
        constexpr double most = std::numeric_limits<float>::max();
        if (value > most * 1.0000001)
            return std::numeric_limits<float>::infinity();
        if (value < -most * 1.0000001)
            return -std::numeric_limits<float>::infinity();
        return static_cast<float>(value);
    }
    /// The text that the engine keeps.
    std::string_view seen(std::string_view text) {
        if (text.starts_with("\xEF\xBB\xBF")) {
            ++tally_.marks;
            text.remove_prefix(3);
        }
        if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
            ++tally_.cut;
            text = text.substr(0, nul);
        }
        return text;
    }
    ContainerType known(const ContainerType& type) {
        if (!dialect_.typed_arrays())
            return type;
        if (type.kind == ContainerKind::builtin && type.type == Type::nil)
            return {};
        if (type.type != Type::object || !type.typed() || objects_)
            return type;
        if (type.kind != ContainerKind::class_name || type.name != encoded_object_as_id)
            ++tally_.retyped;
        return ContainerType::of_class(encoded_object_as_id);
    }

    Tally& tally_;
    const Dialect& dialect_;
    bool objects_;
};

/// What the engine does once a container is whole: checks items against its type, merges keys.
class Settling {
public:
    Settling(const Engine& engine, Tally& tally)
        : tally_(tally),
          by_content_(engine.dialect->family == TextFamily::godot_4),
          checked_(engine.dialect->typed_arrays() ||
                   engine.dialect->typed_array_id != Dialect::absent) {}

    void run(Variant& root) {
        // Parents come before their children here, so backwards is inside out.
        std::vector<Variant*> all{&root};
        for (std::size_t i = 0; i < all.size(); ++i)
            add_children(*all[i], all);
        for (std::size_t i = all.size(); i-- > 0;)
            settle(*all[i]);
    }

private:
    static void add(Variant& value, std::vector<Variant*>& all) {
        if (value.is(Type::array) || value.is(Type::dictionary) || value.is(Type::object) ||
            value.is(Type::packed_typed_array))
            all.push_back(&value);
    }
    static void add_children(Variant& value, std::vector<Variant*>& all) {
        if (auto* array = value.get_if<Array>())
            for (Variant& item : *array)
                add(item, all);
        if (auto* dictionary = value.get_if<Dictionary>())
            for (auto& [key, item] : *dictionary) {
                add(key, all);
                add(item, all);
            }
        if (auto* object = value.get_if<Object>())
            for (auto& property : *object)
                add(property.value, all);
    }

    void settle(Variant& value) {
        if (auto* array = value.get_if<Array>())
            settle(*array);
        if (auto* dictionary = value.get_if<Dictionary>())
            settle(*dictionary);
    }

    void settle(Array& array) {
        const ContainerType type = array.element_type();
        if (!checked_ || !type.typed())
            return;
        Array kept(type);
        for (Variant& item : array)
            if (fits(item, type))
                kept.push_back(std::move(item));
            else
                ++tally_.dropped;
        array = std::move(kept);
    }

    void settle(Dictionary& dictionary) {
        const ContainerType key_type = dictionary.key_type(), value_type = dictionary.value_type();
        Dictionary kept(key_type, value_type);
        for (auto& [key, value] : dictionary) {
            // Only the key is looked at; values stay whatever they are [4.6.3].
            if (!fits(key, key_type)) {
                ++tally_.dropped;
                continue;
            }
            const bool own = key.is(Type::object) || (!by_content_ && key.is(Type::dictionary));
            Variant* before = own ? nullptr : kept.find(key);
            if (!before) {
                kept.append(std::move(key), std::move(value));
                continue;
            }
            ++tally_.merged;
            *before = std::move(value);
        }
        dictionary = std::move(kept);
    }

    /// Whether a typed container takes the item or key, converting it where the engine's strict
    /// conversions do (wire-format 2.7).
    bool fits(Variant& item, const ContainerType& type) {
        if (!type.typed() || type.type == Type::nil || item.is(type.type))
            return true;
        if (type.type == Type::object)
            return item.is_nil();
        if (converts_otherwise(item.type(), type.type)) {
            ++tally_.unpredicted;
            return true;
        }
        if (!text_to(item, type.type) && !number_to(item, type.type) && !lanes_to(item, type.type))
            return false;
        ++tally_.converted;
        return true;
    }

    /// Conversions that the engine makes and that are not made here.
    static bool converts_otherwise(Type from, Type to) noexcept {
        using enum Type;
        constexpr Type pairs[][2] = {{transform3d, transform2d}, {transform2d, transform3d},
                                     {basis, quaternion},        {quaternion, basis},
                                     {quaternion, transform3d},  {basis, transform3d},
                                     {projection, transform3d},  {transform3d, projection},
                                     {integer, color},           {string, color}};
        for (const auto& pair : pairs)
            if (pair[0] == from && pair[1] == to)
                return true;
        const auto is_packed = [](Type t) {
            return type_info(t).packed || t == packed_string_array;
        };
        return (from == array && is_packed(to)) || (is_packed(from) && to == array);
    }

    static bool text_to(Variant& item, Type type) {
        std::string text;
        if (item.is(Type::string) || item.is(Type::string_name))
            text = item.text();
        else if (const auto* path = item.get_if<NodePath>(); path && type == Type::string)
            text = path->to_string();
        else
            return false;
        if (type == Type::string)
            item = Variant(text);
        else if (type == Type::string_name)
            item = Variant(StringName(text));
        else if (type == Type::node_path && item.is(Type::string))
            item = Variant(NodePath(text));
        else
            return false;
        return true;
    }

    static bool number_to(Variant& item, Type type) {
        double real = 0;
        std::int64_t whole = 0;
        if (item.is(Type::boolean)) {
            real = item.boolean();
            whole = item.boolean();
        } else if (item.is(Type::integer)) {
            whole = item.integer();
            real = static_cast<double>(whole);
        } else if (item.is(Type::real)) {
            real = item.real();
            // Out of range the engine's own result depends on the machine; x86-64's is this one.
            const bool in_range = real >= -9223372036854775808.0 && real < 9223372036854775808.0;
            whole = in_range ? static_cast<std::int64_t>(real) : INT64_MIN;
        } else {
            return false;
        }
        if (type == Type::boolean)
            item = Variant(item.is(Type::real) ? real != 0 : whole != 0);
        else if (type == Type::integer)
            item = Variant(whole);
        else if (type == Type::real)
            item = Variant(real);
        else
            return false;
        return true;
    }

    static std::int32_t to_lane(double value) {
        return value > -2147483649.0 && value < 2147483648.0 ? static_cast<std::int32_t>(value)
                                                             : INT32_MIN;
    }
    /// Vector2 and Vector2i, Rect2 and Rect2i, ...: lane by lane.
    static bool lanes_to(Variant& item, Type type) {
        constexpr Type twins[][2] = {{Type::vector2, Type::vector2i},
                                     {Type::rect2, Type::rect2i},
                                     {Type::vector3, Type::vector3i},
                                     {Type::vector4, Type::vector4i}};
        for (const auto& [real, whole] : twins) {
            const bool to_real = item.is(whole) && type == real;
            if (!to_real && !(item.is(real) && type == whole))
                continue;
            const MathView from = item.math();
            float reals[4];
            std::int32_t wholes[4];
            for (std::size_t i = 0; i < from.lanes(); ++i) {
                if (to_real)
                    reals[i] = static_cast<float>(from.integer(i));
                else
                    wholes[i] = to_lane(from.real(i));
            }
            const void* data = to_real ? static_cast<void*>(reals) : static_cast<void*>(wholes);
            Variant made;
            VariantBuilder builder(made);
            (void)builder.math({type, false, true, static_cast<const std::byte*>(data)});
            item = std::move(made);
            return true;
        }
        return false;
    }

    Tally& tally_;
    bool by_content_;  ///< Dictionaries as keys go by content
    bool checked_;     ///< typed containers refuse items
};

}  // namespace

std::span<const Engine> all_engines() noexcept {
    return engines;
}

std::expected<EngineReading, Error> read_as(const Engine& engine, ByteView bytes,
                                            bool allow_objects) try {
    EngineReading out;
    Tally tally;
    EngineFilter filter(out.value, *engine.dialect, allow_objects, tally);
    const DecodeOptions options{.dialect = engine.dialect, .allow_objects = allow_objects};
    if (auto size = read(bytes, options, filter); !size)
        return std::unexpected(size.error());
    Settling(engine, tally).run(out.value);
    out.changes = in_words(tally);
    return out;
} catch (const std::bad_alloc&) {
    return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
}

std::expected<PackedByteArray, Error> reencoding(const Engine& engine, ByteView bytes,
                                                 bool allow_objects) {
    auto reading = read_as(engine, bytes, allow_objects);
    if (!reading)
        return std::unexpected(reading.error());
    return encode(reading->value, {.dialect = engine.dialect, .allow_objects = allow_objects});
}

}  // namespace gdvar
