#include "gdvar/inspect/engine.hpp"

#include <cmath>
#include <new>
#include <string>

#include "base/exceptions.hpp"
#include "base/index.hpp"
#include "gdvar/value/builder.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/value/walk.hpp"
#include "text/typed.hpp"
#include "wire/key_hash.hpp"

namespace gdvar::inspect {
namespace {

/// Read and written by 3.2.3, which crashes at 20,000.
constexpr std::uint32_t sure_depth = 5000;

const Engine engines[] = {
    {"Godot 4.6.3", &dialects::godot_4_4, true},
    {"Godot 4.3", &dialects::godot_4_3, false},
    {"Godot 4.2", &dialects::godot_4_0, false},
    {"Godot 3.6.2", &dialects::godot_3_1, true},
    {"Godot 3.2.3", &dialects::godot_3_1, true, dialects::godot_3_0.family, sure_depth, false},
    {"Godot 3.0", &dialects::godot_3_0, false, dialects::godot_3_0.family, sure_depth, false},
    {"Godot 2.1", &dialects::godot_2, false, dialects::godot_2.family, sure_depth, false},
    {"Pandemonium 5.3", &dialects::pandemonium_5, true},
};

/// How often a reading changes a value, by kind of change.
struct Tally {
    std::size_t cut = 0, marks = 0, narrowed = 0, merged = 0, dropped = 0, converted = 0,
                retyped = 0, fresh_ids = 0, full_ids = 0, nulls = 0, misread = 0, unpredicted = 0,
                joined = 0, shortened = 0, relative = 0, builtin = 0, lost = 0;
};

void say(std::vector<std::string>& out, std::size_t n, const char* one, const char* many) {
    if (n)
        out.push_back(std::to_string(n) + " " + (n == 1 ? one : many));
}

std::vector<std::string> in_words(const Tally& t) {
    std::vector<std::string> out;
    say(out, t.cut, "text is cut at a NUL", "texts are cut at a NUL");
    say(out, t.marks, "text loses its byte order mark", "texts lose their byte order mark");
    say(out, t.shortened, "text has its overlong characters in the shortest form",
        "texts have their overlong characters in the shortest form");
    say(out, t.joined, "text has its halves of characters joined when it is written",
        "texts have their halves of characters joined when they are written");
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
    say(out, t.full_ids, "object id is written as an EncodedObjectAsID in full",
        "object ids are written as EncodedObjectAsIDs in full");
    say(out, t.relative, "path without names is no longer absolute",
        "paths without names are no longer absolute");
    say(out, t.builtin, "container of a class without a name is typed Object",
        "containers of a class without a name are typed Object");
    say(out, t.lost,
        "pair is written as \"[Deleted Object]\": null, since a NaN in its key equals none",
        "pairs are written as \"[Deleted Object]\": null, since a NaN in their keys equals none");
    say(out, t.misread, "value whose bytes the engine itself miscounts: what follows is misread",
        "values whose bytes the engine itself miscounts: what follows is misread");
    return out;
}

/// Gives `use` the path with other names.
template <class Rename, class Use>
Errc with_names(const NodePathView& path, Rename&& rename, Use&& use) {
    std::string records;
    path.each([&](std::string_view name, bool) {
        const std::string_view kept = rename(name);
        const auto n = static_cast<std::uint32_t>(kept.size());
        char word[4];
        detail::store(reinterpret_cast<std::byte*>(word), n);
        records.append(word, 4).append(kept).append(detail::padding_of(n), '\0');
    });
    return use(NodePathView(path.name_count(), path.subname_count(), path.absolute(), false,
                            as_bytes(std::string_view(records))));
}

/// Between the Reader and the builder: what an engine's own reader does to single values.
class EngineFilter : public VariantBuilder {
public:
    EngineFilter(Variant& to, ByteView packet, const Engine& engine, bool objects, Tally& tally)
        : VariantBuilder(to),
          packet_(packet),
          tally_(tally),
          dialect_(*engine.dialect),
          rules_(detail::key_rules(engine.family)),
          objects_(objects) {}

    /// Why only the engine knows what it makes of what was read; empty if it is known here.
    const char* unknown() const noexcept { return unknown_; }

    /// An Object whose class the engine holds as an empty name is null to it, and ends there.
    void at(std::size_t offset) noexcept {
        if (objects_ && !*unknown_ && is_nameless(packet_.subspan(offset)))
            unknown_ = "engines take an Object whose class begins with a NUL for null";
    }
    void quirk(Quirk quirk, std::size_t) { tally_.misread += quirk == Quirk::engine_miscounts; }

    Errc string(std::string_view text) { return VariantBuilder::string(seen(text)); }
    Errc string_name(std::string_view text) { return VariantBuilder::string_name(seen(text)); }
    Errc property(std::string_view name) { return VariantBuilder::property(seen(name)); }
    Errc packed_string(std::string_view text) { return VariantBuilder::packed_string(seen(text)); }
    Errc signal(std::string_view name, std::uint64_t object) {
        return VariantBuilder::signal(seen(name), object);
    }
    Errc node_path(const NodePathView& path) {
        const bool nowhere = path.name_count() + path.subname_count() == 0;
        if (nowhere && path.absolute() && !rules_.absolute_nowhere) {
            ++tally_.relative;
            return VariantBuilder::node_path({});
        }
        return with_names(
            path, [this](std::string_view name) { return seen(name); },
            [this](const NodePathView& made) { return VariantBuilder::node_path(made); });
    }
    Errc object_null() {
        ++tally_.nulls;
        return VariantBuilder::object_null();
    }
    Errc object_id(std::uint64_t id) {
        if (id == 0)
            return object_null();
        ++(objects_ ? tally_.full_ids : tally_.fresh_ids);
        return VariantBuilder::object_id(id);
    }
    Errc begin_object(std::string_view name, std::uint32_t count) {
        unknown_ = "what it makes of an Object in full is up to its class";
        return VariantBuilder::begin_object(name, count);
    }
    Errc math(const MathView& value) {
        if (!value.wide)
            return VariantBuilder::math(value);
        ++tally_.narrowed;
        float components[16];
        for (std::size_t i = 0; i < value.components(); ++i)
            components[i] = narrow(value.real(i));
        return VariantBuilder::math(
            {value.type, false, true, reinterpret_cast<const std::byte*>(components)});
    }
    Errc packed(const PackedView& value) {
        if (!value.wide)
            return VariantBuilder::packed(value);
        ++tally_.narrowed;
        std::vector<float> components(value.count * value.components());
        for (std::size_t i = 0; i < components.size(); ++i)
            components[i] = narrow(value.component_at<double>(i));
        return VariantBuilder::packed({value.type, false, true, value.count,
                                       reinterpret_cast<const std::byte*>(components.data())});
    }
    Errc begin_array(Type type, const ContainerType& element, std::uint32_t count) {
        return VariantBuilder::begin_array(type, known(element, count), count);
    }
    Errc begin_dictionary(const ContainerType& key, const ContainerType& value,
                          std::uint32_t count) {
        return VariantBuilder::begin_dictionary(known(key, count), known(value, count), count);
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
        const detail::HeldText& held = rules_.texts;
        if (held.stays(text))
            return text;
        tally_.marks += text.starts_with(utf8::byte_order_mark);
        tally_.cut += text.contains('\0');
        text = held.cut(text);
        if (held.has_overlong(text)) {
            ++tally_.shortened;
            if (!held.shorten(text, shortened_))
                GDVAR_THROW_NO_MEMORY();
            text = {shortened_.data(), shortened_.size()};
        }
        tally_.joined += held.joins && utf8::with_joined_halves(text, true);
        return text;
    }
    bool is_nameless(ByteView object) const noexcept {
        constexpr std::size_t head = 8;  // header, length of the name
        const auto id = dialect_.id_of[static_cast<std::size_t>(Type::object)];
        if (object.size() < head || detail::load<std::uint32_t>(object.data()) != id)
            return false;
        const auto length = detail::load<std::uint32_t>(object.data() + 4);
        const ByteView rest = object.subspan(head);
        return length > 0 && length <= rest.size() &&
               rules_.texts.cut(detail::as_text(rest.data(), length)).empty();
    }
    ContainerType known(const ContainerType& type, std::uint32_t count) {
        if (!dialect_.typed_arrays())
            return type;
        if (type.kind == ContainerKind::builtin && type.type == Type::nil)
            return {};
        if (type.type != Type::object || !type.typed())
            return type;
        if (objects_ && type.kind == ContainerKind::class_name && type.name.empty()) {
            ++tally_.builtin;
            return ContainerType::of(Type::object);
        }
        if (objects_ && (type.kind == ContainerKind::script || (count && !type.name.empty())))
            unknown_ = "what it takes into a container of a class or script is up to these";
        if (objects_)
            return type;
        if (type.kind != ContainerKind::class_name || type.name != encoded_object_as_id)
            ++tally_.retyped;
        return ContainerType::of_class(encoded_object_as_id);
    }

    const ByteView packet_;
    Tally& tally_;
    const Dialect& dialect_;
    const detail::KeyRules& rules_;
    bool objects_;
    const char* unknown_ = "";
    PackedArray<char> shortened_;  ///< the text that was seen last
};

bool is_container(const Variant& v) noexcept {
    const auto* object = v.get_if<Object>();
    return v.is(Type::array) || v.is(Type::dictionary) || v.is(Type::packed_typed_array) ||
           (object && object->kind() == ObjectKind::full);
}

using detail::KeyHash;
using detail::KeyIdentity;
using detail::KeyMatch;

/// The engine's rules of keys, for values whose texts are held already.
detail::KeyRules held_rules(const Engine& engine) {
    detail::KeyRules rules = detail::key_rules(engine.family);
    rules.texts = detail::value_key_rules.texts;
    return rules;
}

/// Finds equal keys among the keys of one Dictionary.
class KeyTable {
public:
    /// For so many keys at most. Throws std::bad_alloc.
    explicit KeyTable(std::size_t most) {
        if (most < 16)
            return;
        index_.reset(detail::Index::make(most));
        if (!index_)
            GDVAR_THROW_NO_MEMORY();
    }
    /// The number of the one that is the same, counted as they were added; `none`.
    std::uint32_t find(const KeyIdentity& key) const noexcept {
        if (!key.merges())
            return none;
        const auto same = [&](std::uint32_t i) { return keys_[i].digest == key.digest; };
        if (index_)
            return index_->find(key.digest.low, same);
        for (std::uint32_t i = 0; i < keys_.size(); ++i)
            if (keys_[i].merges() && same(i))
                return i;
        return none;
    }
    void add(const KeyIdentity& key) {
        if (index_ && key.merges())
            index_->put(static_cast<std::uint32_t>(keys_.size()), key.digest.low,
                        [](std::uint32_t) { return false; });
        keys_.push_back(key);
    }
    const KeyIdentity& operator[](std::size_t i) const noexcept { return keys_[i]; }

    static constexpr std::uint32_t none = detail::Index::none;

private:
    detail::OwnedIndex index_;
    std::vector<KeyIdentity> keys_;
};

/// The engine's work once a container is whole: checks items against its type, merges keys.
class Settling {
public:
    Settling(const Engine& engine, Tally& tally)
        : tally_(tally),
          rules_(held_rules(engine)),
          checked_(engine.dialect->typed_arrays() ||
                   engine.dialect->typed_array_id != Dialect::absent) {}

    void run(Variant& root) {
        if (!is_container(root))
            return;
        // Parents come before their children here, so backwards is inside out.
        all_.push_back({&root, 0, false});
        for (std::size_t i = 0; i < all_.size(); ++i)
            add_children(i);
        // Hashes of Objects are not added up.
        hashes_.resize(all_.size(), {{}, KeyMatch::itself});
        for (std::size_t i = all_.size(); i-- > 0;)
            settle(i);
    }

private:
    /// A container, the number of the first one in it, and whether it is a key or part of one.
    struct Place {
        Variant* value;
        std::uint32_t children;
        bool in_key;
    };
    static constexpr std::uint32_t no_container = UINT32_MAX;

    void add(Variant& value, bool in_key) {
        if (is_container(value))
            all_.push_back({&value, 0, in_key});
    }
    void add_children(std::size_t number) {
        all_[number].children = static_cast<std::uint32_t>(all_.size());
        Variant& value = *all_[number].value;
        const bool in_key = all_[number].in_key;
        if (auto* array = value.get_if<Array>())
            for (Variant& item : *array)
                add(item, in_key);
        if (auto* dictionary = value.get_if<Dictionary>())
            for (auto& pair : *dictionary) {
                add(VariantAccess::key(pair), true);
                add(pair.value, in_key);
            }
        if (auto* object = value.get_if<Object>())
            for (auto& property : *object)
                add(property.value, in_key);
    }

    void settle(std::size_t number) {
        const Place& place = all_[number];
        if (auto* array = place.value->get_if<Array>())
            settle(*array, number);
        if (auto* dictionary = place.value->get_if<Dictionary>())
            settle(*dictionary, number);
    }

    void settle(Array& array, std::size_t number) {
        const ContainerType type = array.element_type();
        const bool typed = checked_ && type.typed();
        if (!typed && !all_[number].in_key)
            return;
        KeyHash hash(rules_);
        (void)hash.begin_array(all_[number].value->type(), {}, 0);
        Array kept(type);
        std::uint32_t child = all_[number].children;
        for (Variant& item : array) {
            const std::uint32_t part = is_container(item) ? child++ : no_container;
            if (typed && !fits(item, type)) {
                ++tally_.dropped;
                continue;
            }
            if (all_[number].in_key)
                hash_item(hash, item, part);
            if (typed)
                kept.push_back(std::move(item));
        }
        if (typed)
            array = std::move(kept);
        finish(hash, number);
    }

    void settle(Dictionary& dictionary, std::size_t number) {
        const ContainerType key_type = dictionary.key_type(), value_type = dictionary.value_type();
        Dictionary kept(key_type, value_type);
        KeyTable keys(dictionary.size());
        std::vector<std::uint32_t> values;  // as which containers they were numbered
        std::uint32_t child = all_[number].children;
        for (auto& pair : dictionary) {
            Variant &key = VariantAccess::key(pair), &value = pair.value;
            const std::uint32_t key_part = is_container(key) ? child++ : no_container;
            std::uint32_t value_part = is_container(value) ? child++ : no_container;
            // Only the key is looked at; values stay whatever they are [4.6.3].
            if (!fits(key, key_type)) {
                ++tally_.dropped;
                continue;
            }
            const KeyIdentity hashed = hash_of(key, key_part);
            if (hashed.match == KeyMatch::nothing) {
                ++tally_.lost;
                value = Variant();
                value_part = no_container;
            }
            const std::uint32_t before = keys.find(hashed);
            if (before == KeyTable::none) {
                keys.add(hashed);
                values.push_back(value_part);
                kept.append(std::move(key), std::move(value));
                continue;
            }
            ++tally_.merged;
            values[before] = value_part;
            kept.begin()[before].value = std::move(value);
        }
        dictionary = std::move(kept);
        if (all_[number].in_key)
            hash_pairs(dictionary, keys, values, number);
    }

    // ---- keys -------------------------------------------------------------------------------

    /// A complete key of a Dictionary.
    KeyIdentity hash_of(const Variant& key, std::uint32_t part) const {
        if (part != no_container)
            return hashes_[part];
        KeyHash hash(rules_);
        if (drive(key, hash) != Errc::ok)
            GDVAR_THROW_NO_MEMORY();
        return hash.identity();
    }
    void hash_item(KeyHash& to, const Variant& item, std::uint32_t part) const {
        if (part != no_container)
            to.add(hashes_[part]);
        else if (drive(item, to) != Errc::ok)
            GDVAR_THROW_NO_MEMORY();
    }
    void hash_pairs(const Dictionary& dictionary, const KeyTable& keys,
                    std::span<const std::uint32_t> values, std::size_t number) {
        KeyHash hash(rules_);
        (void)hash.begin_dictionary({}, {}, 0);
        for (std::size_t i = 0; i < dictionary.size(); ++i) {
            hash.add(keys[i]);
            hash_item(hash, dictionary.begin()[i].value, values[i]);
        }
        finish(hash, number);
    }
    void finish(KeyHash& hash, std::size_t number) {
        (void)hash.end();
        hashes_[number] = hash.identity();
    }

    // ---- conversions ------------------------------------------------------------------------

    /// Whether a typed container takes the item or key, converting it where the engine's strict
    /// conversions do (wire-format 2.7).
    bool fits(Variant& item, const ContainerType& type) {
        if (type.takes(item.type()))
            return true;
        if (type.type == Type::object)
            return false;
        if (converts_otherwise(item.type(), type.type)) {
            ++tally_.unpredicted;
            return true;
        }
        if (detail::fit_element(item, type) != detail::Fit::fits)
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

    Tally& tally_;
    std::vector<Place> all_;
    std::vector<KeyIdentity> hashes_;  ///< of those that are in keys
    const detail::KeyRules rules_;
    bool checked_;  ///< typed containers refuse items
};

/// The value with the texts that 3.6 writes.
class JoinedTexts : public VariantBuilder {
public:
    using VariantBuilder::VariantBuilder;
    Errc string(std::string_view text) { return VariantBuilder::string(joined(text)); }
    Errc property(std::string_view name) { return VariantBuilder::property(joined(name)); }
    Errc packed_string(std::string_view text) {
        return VariantBuilder::packed_string(joined(text));
    }
    Errc node_path(const NodePathView& path) {
        return with_names(
            path, [this](std::string_view name) { return joined(name); },
            [this](const NodePathView& made) { return VariantBuilder::node_path(made); });
    }

private:
    std::string_view joined(std::string_view text) {
        auto made = utf8::with_joined_halves(text, true);
        return made ? std::string_view(joined_ = *std::move(made)) : text;
    }
    std::string joined_;
};

/// Makes each value inside of `root` what the engine writes for it: of null Objects null; of ids,
/// with `objects`, Objects; of keys that equal nothing, which it does not find, a text.
void make_written(Variant& root, const detail::KeyRules& rules, bool objects) {
    std::vector<Variant*> waiting{&root};
    const auto add_pairs = [&](Dictionary& pairs) {
        for (auto& pair : pairs) {
            Variant& key = VariantAccess::key(pair);
            KeyHash hash(rules);
            if (rules.packed_reals == detail::PackedReals::bits_but_nan &&
                drive(key, hash) == Errc::ok && hash.identity().match == KeyMatch::nothing)
                key = Variant("[Deleted Object]");
            waiting.push_back(&key);
            waiting.push_back(&pair.value);
        }
    };
    while (!waiting.empty()) {
        Variant& value = *waiting.back();
        waiting.pop_back();
        if (auto* array = value.get_if<Array>())
            for (Variant& item : *array)
                waiting.push_back(&item);
        if (auto* pairs = value.get_if<Dictionary>())
            add_pairs(*pairs);
        auto* object = value.get_if<Object>();
        if (!object)
            continue;
        for (auto& property : *object)
            waiting.push_back(&property.value);
        if (object->kind() == ObjectKind::null) {
            value = Variant();
        } else if (object->kind() == ObjectKind::id && objects) {
            Object full(encoded_object_as_id);
            full.append("object_id", static_cast<std::int64_t>(object->id()));
            full.append("script", Variant());
            value = Variant(std::move(full));
        }
    }
}

/// Why the engine reads on where the Reader refuses (wire-format 2.11); empty if it does not.
std::string reads_on(const Engine& engine, ByteView bytes, const Error& error) {
    if (error.code == Errc::depth_limit && !engine.limits_depth)
        return "it nests deeper than " + std::to_string(engine.max_depth) +
               " containers, and the engine's stack is the limit";
    const bool odd = error.code == Errc::bad_node_path ||
                     (error.code == Errc::bad_length && error.type == Type::packed_string_array);
    // A negative count of texts, or counts of names that wrap around.
    if (odd && detail::load<std::uint32_t>(bytes.data() + error.offset + 4) >> 31)
        return "the engine reads on where gdvar refuses it: " + to_string(error);
    return {};
}

}  // namespace

std::span<const Engine> all_engines() noexcept {
    return engines;
}

std::expected<EngineReading, Error> read_as(const Engine& engine, ByteView bytes,
                                            bool allow_objects) GDVAR_TRY {
    EngineReading out;
    Tally tally;
    EngineFilter filter(out.value, bytes, engine, allow_objects, tally);
    DecodeOptions options{.dialect = engine.dialect, .allow_objects = allow_objects};
    options.limits.max_depth = engine.max_depth;
    const auto size = read(bytes, options, filter);
    out.unknown = filter.unknown();
    if (!size && out.unknown.empty())
        out.unknown = reads_on(engine, bytes, size.error());
    if (!size && out.unknown.empty())
        return std::unexpected(size.error());
    if (!size) {
        out.value = Variant();
        return out;
    }
    out.size = *size;
    Settling(engine, tally).run(out.value);
    out.changes = in_words(tally);
    return out;
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

std::expected<PackedByteArray, Error> reencoding(const Engine& engine, ByteView bytes,
                                                 bool allow_objects) {
    auto reading = read_as(engine, bytes, allow_objects);
    if (!reading)
        return std::unexpected(reading.error());
    return reencoding(engine, *reading, allow_objects);
}

std::expected<PackedByteArray, Error> reencoding(const Engine& engine, const EngineReading& reading,
                                                 bool allow_objects) GDVAR_TRY {
    const EncodeOptions options{
        .dialect = engine.dialect, .allow_objects = allow_objects, .max_depth = engine.max_depth};
    if (reading.changes.empty())
        return encode(reading.value, options);
    Variant written;
    if (detail::key_rules(engine.family).texts.joins) {
        JoinedTexts texts(written);
        if (const Errc code = drive(reading.value, texts); code != Errc::ok)
            return std::unexpected(Error{code});
    } else {
        written = reading.value;
    }
    make_written(written, held_rules(engine), allow_objects);
    return encode(written, options);
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory}))

}  // namespace gdvar::inspect
