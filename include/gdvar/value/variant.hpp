// Variant, Array, Dictionary, Object: owning, mutable values.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <compare>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <expected>
#include <functional>
#include <initializer_list>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gdvar/base/attributes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/value/detail/get.hpp"
#include "gdvar/value/string.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/packed.hpp"
#include "gdvar/wire/views.hpp"

namespace gdvar GDVAR_EXPORT {

class Variant;
class VariantStep;
class ConstVariantStep;

namespace detail {

class Key;

/// The common part of Array, Dictionary and Object blocks. `link` chains blocks while a tree is
/// destroyed, and points to the enclosing container while a tree is built. At other times the same
/// memory holds the hash of a container that is a key. Variants follow the block, so it is aligned
/// to 8 bytes even where pointers have 4.
struct alignas(8) Block {
    union {
        Block* link;
        std::uint32_t hash[2];
    };
    std::uint32_t size, capacity;
    Type what;            ///< array, dictionary or object
    bool at_value;        ///< while being built: the last pair waits for its value
    std::uint16_t place;  ///< of the block in its slab
    std::uint8_t hints;
    /// No item owns memory, so freeing need not visit the items. The bit may be unset even then.
    static constexpr std::uint8_t trivial = 1;
    /// `hash` is the hash of the whole contents (value/key_hash.hpp). Only keys have it, because
    /// keys are not changed.
    static constexpr std::uint8_t hashed = 2;

    /// Called before an item may be changed, perhaps in several threads.
    void touch() noexcept {
        const std::atomic_ref<std::uint8_t> hint(hints);
        if (hint.load(std::memory_order_relaxed))
            hint.store(0, std::memory_order_relaxed);
    }
    bool is_trivial() noexcept {
        return std::atomic_ref(hints).load(std::memory_order_relaxed) & trivial;
    }
    /// True if the hash is stored. Several threads may read and store it at once.
    bool kept_hash(std::uint64_t& out) noexcept {
        if (!(std::atomic_ref(hints).load(std::memory_order_acquire) & hashed))
            return false;
        out = std::atomic_ref(hash[0]).load(std::memory_order_relaxed) |
              std::uint64_t{std::atomic_ref(hash[1]).load(std::memory_order_relaxed)} << 32;
        return true;
    }
    void keep_hash(std::uint64_t value) noexcept {
        std::atomic_ref(hash[0]).store(static_cast<std::uint32_t>(value),
                                       std::memory_order_relaxed);
        std::atomic_ref(hash[1]).store(static_cast<std::uint32_t>(value >> 32),
                                       std::memory_order_relaxed);
        std::atomic_ref(hints).fetch_or(hashed, std::memory_order_release);
    }
};

struct ArrayBlock;
struct DictionaryBlock;
struct ObjectBlock;

/// Tells types in a Variant's own 16 bytes from those in a block of their own.
template <class T>
struct VariantTraits {};
template <Type type_, bool wide_ = false>
struct Holds {
    static constexpr Type type = type_;
    static constexpr bool wide = wide_;
};
template <>
struct VariantTraits<bool> : Holds<Type::boolean> {};
template <>
struct VariantTraits<std::int64_t> : Holds<Type::integer> {};
template <>
struct VariantTraits<double> : Holds<Type::real> {};
template <>
struct VariantTraits<String> : Holds<Type::string> {};
template <>
struct VariantTraits<StringName> : Holds<Type::string_name> {};
template <>
struct VariantTraits<NodePath> : Holds<Type::node_path> {};
template <>
struct VariantTraits<RID> : Holds<Type::rid> {};
template <>
struct VariantTraits<Callable> : Holds<Type::callable> {};
template <>
struct VariantTraits<Signal> : Holds<Type::signal> {};
template <>
struct VariantTraits<PackedStringArray> : Holds<Type::packed_string_array> {};
template <>
struct VariantTraits<Image> : Holds<Type::image> {};
template <>
struct VariantTraits<InputEvent> : Holds<Type::input_event> {};
template <MathType T>
struct VariantTraits<T> : Holds<MathTraits<T>::type, MathTraits<T>::wide> {};
template <PackedElement T>
struct VariantTraits<PackedArray<T>> : Holds<PackedTraits<T>::type, PackedTraits<T>::wide> {};

template <class T>
inline constexpr bool fits_in_place = sizeof(T) <= 16;
/// NodePath's size depends on the size of pointers; its storage must not.
template <>
inline constexpr bool fits_in_place<NodePath> = false;

}  // namespace detail

/// An ordered list of Variants, owned; copying copies everything below. An empty untyped one owns
/// nothing. Elements keep their types, whatever the element type.
class Array {
public:
    Array() noexcept = default;
    /// `Array{1, "two", Vector3{}}`. As with std::vector<std::any>, `Array{other}` nests.
    Array(std::initializer_list<Variant> items);
    explicit Array(const ContainerType& element);
    Array(const Array& other);
    Array(Array&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
    Array& operator=(Array other) noexcept {
        std::swap(block_, other.block_);
        return *this;
    }
    ~Array();

    inline std::size_t size() const noexcept;
    bool empty() const noexcept { return size() == 0; }
    inline Variant* begin() noexcept;
    inline Variant* end() noexcept;
    inline const Variant* begin() const noexcept;
    inline const Variant* end() const noexcept;
    /// `i` must be below size(): a debug build asserts it.
    inline Variant& operator[](std::size_t i) noexcept;
    inline const Variant& operator[](std::size_t i) const noexcept;
    void push_back(Variant value);
    /// `at` must not be past size().
    void insert(std::size_t at, Variant value);
    void erase(std::size_t at) noexcept;
    void reserve(std::size_t n);
    void clear() noexcept;

    /// Borrowed from this Array.
    ContainerType element_type() const noexcept;
    void set_element_type(const ContainerType& type);

    /// As Variant's: the engine's own equality.
    friend bool operator==(const Array& a, const Array& b);

private:
    friend class Variant;
    friend class VariantBuilder;
    friend struct VariantAccess;
    detail::ArrayBlock* block_ = nullptr;
};

/// Pairs in the order of insertion, owned. A decoded Dictionary keeps every pair, even where
/// engines would merge keys; `find`, `operator[]`, `set` and `erase` address the last of equal
/// keys, whose value engines keep. Keys are equal by `same_key`.
///
///     for (auto& [key, value] : dictionary)  // the key is const, the value is not
///
/// An index finds pairs by their keys. Therefore only `rename` changes a key, and only `sort` and
/// `sort_keys` reorder pairs.
class Dictionary {
public:
    struct Pair;

    Dictionary() noexcept = default;
    /// `Dictionary{{"name", "Ada"}, {"pos", Vector3{1, 2, 3}}}`; later equal keys replace.
    Dictionary(std::initializer_list<Pair> pairs);
    Dictionary(const ContainerType& key, const ContainerType& value);
    Dictionary(const Dictionary& other);
    Dictionary(Dictionary&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
    Dictionary& operator=(Dictionary other) noexcept {
        std::swap(block_, other.block_);
        return *this;
    }
    ~Dictionary();

    inline std::size_t size() const noexcept;
    bool empty() const noexcept { return size() == 0; }
    inline Pair* begin() noexcept;
    inline Pair* end() noexcept;
    inline const Pair* begin() const noexcept;
    inline const Pair* end() const noexcept;

    /// The value of that key, or null. Linear below 16 pairs, then through an index.
    Variant* find(const Variant& key) noexcept;
    const Variant* find(const Variant& key) const noexcept;
    template <std::convertible_to<std::string_view> Text>
    Variant* find(const Text& key) noexcept {
        return changeable(find_text(key));
    }
    template <std::convertible_to<std::string_view> Text>
    const Variant* find(const Text& key) const noexcept {
        return find_text(key);
    }
    bool contains(const Variant& key) const noexcept { return find(key) != nullptr; }
    template <std::convertible_to<std::string_view> Text>
    bool contains(const Text& key) const noexcept {
        return find_text(key) != nullptr;
    }
    /// The value of that key, as a step (value/step.hpp). Reading a missing key is refused;
    /// assigning to it appends the pair, whatever the key's type.
    VariantStep operator[](const Variant& key) GDVAR_LIFETIMEBOUND;
    ConstVariantStep operator[](const Variant& key) const GDVAR_LIFETIMEBOUND;
    template <std::convertible_to<std::string_view> Text>
    VariantStep operator[](const Text& key) GDVAR_LIFETIMEBOUND;
    template <std::convertible_to<std::string_view> Text>
    ConstVariantStep operator[](const Text& key) const GDVAR_LIFETIMEBOUND;
    void set(Variant key, Variant value);
    /// Adds a pair without looking for an equal key.
    void append(Variant key, Variant value);
    /// Returns true if the key existed.
    bool erase(const Variant& key) noexcept;
    /// Changes the key of pair `from` to `to`; the pair keeps its place. False, with nothing
    /// changed, if `from` does not exist or another pair already has the key `to`. Time: as `find`.
    bool rename(const Variant& from, Variant to);
    /// Sorts the pairs; the sort is stable. `less(a, b)` takes two pairs as
    /// `const Dictionary::Pair&`. If it throws, the pairs are unchanged. Time: n log n.
    template <class Less>
    void sort(Less less);
    /// Sorts the pairs by key: null, bool, int, float, text (String and StringName together, by
    /// code points), then the other types in the order of Type. Numbers are ordered by value, NaN
    /// last. Keys of one other type keep their order.
    void sort_keys();
    void reserve(std::size_t n);
    void clear() noexcept;

    /// Borrowed from this Dictionary.
    ContainerType key_type() const noexcept;
    ContainerType value_type() const noexcept;
    void set_types(const ContainerType& key, const ContainerType& value);

    /// As Variant's: the same keys with equal values, in any order.
    friend bool operator==(const Dictionary& a, const Dictionary& b);

private:
    const Variant* find_text(std::string_view key) const noexcept;
    ConstVariantStep step(const detail::Key& key) const noexcept;
    /// Pair `order[i]` becomes pair i.
    void reorder(std::vector<std::uint32_t>& order) noexcept;
    /// Makes a value of this Dictionary changeable; null stays null.
    inline Variant* changeable(const Variant* value) noexcept;
    friend class Variant;
    friend class VariantStep;
    friend class VariantBuilder;
    friend struct VariantAccess;
    detail::DictionaryBlock* block_ = nullptr;
};

/// An Object as inert data: null, an instance id, or class name and properties. Never instantiated.
class Object {
public:
    struct Property;

    Object() noexcept = default;
    static Object from_id(std::uint64_t id) noexcept;
    explicit Object(std::string_view class_name);
    Object(const Object& other);
    Object(Object&& other) noexcept
        : id_(other.id_), kind_(std::exchange(other.kind_, ObjectKind::null)) {}
    Object& operator=(Object other) noexcept {
        std::swap(id_, other.id_);
        std::swap(kind_, other.kind_);
        return *this;
    }
    ~Object();

    ObjectKind kind() const noexcept { return kind_; }
    std::uint64_t id() const noexcept { return kind_ == ObjectKind::id ? id_ : 0; }
    std::string_view class_name() const noexcept;
    inline std::size_t size() const noexcept;
    inline Property* begin() noexcept;
    inline Property* end() noexcept;
    inline const Property* begin() const noexcept;
    inline const Property* end() const noexcept;
    Variant* find(std::string_view name) noexcept;
    const Variant* find(std::string_view name) const noexcept;
    /// Only for kind full.
    void set(std::string_view name, Variant value);
    /// Adds a property without looking for one of the same name. Only for kind full.
    void append(std::string_view name, Variant value);

    friend bool operator==(const Object& a, const Object& b);

private:
    friend class Variant;
    friend class VariantBuilder;
    friend struct VariantAccess;
    detail::ObjectBlock* block() const noexcept {
        return reinterpret_cast<detail::ObjectBlock*>(static_cast<std::uintptr_t>(id_));
    }
    std::uint64_t id_ = 0;  ///< the id, or the block's address
    ObjectKind kind_ = ObjectKind::null;
};
namespace detail {
template <>
struct VariantTraits<Array> : Holds<Type::array> {};
template <>
struct VariantTraits<Dictionary> : Holds<Type::dictionary> {};
template <>
struct VariantTraits<Object> : Holds<Type::object> {};
}  // namespace detail

/// Any value of any dialect. 24 bytes; small values in place, empty containers own nothing; copying
/// copies everything below. Never recursive: any depth can be copied, compared, freed. Its setters
/// behave like the standard containers' when memory runs out. Parts of a value that was decoded,
/// parsed or copied share memory: a part that is moved out keeps up to 32 KiB of its former
/// neighbours' memory alive (a copy of it does not), and may be freed in any thread.
class Variant {
public:
    Variant() noexcept : data_{} {}
    Variant(std::nullptr_t) noexcept : Variant() {}
    template <std::same_as<bool> T>
    Variant(T value) noexcept : Variant() {
        hold(static_cast<bool>(value));
    }
    /// Unsigned values over INT64_MAX wrap, as in the engine.
    template <std::integral T>
        requires(!std::same_as<T, bool>)
    Variant(T value) noexcept : Variant() {
        hold(static_cast<std::int64_t>(value));
    }
    template <std::floating_point T>
    Variant(T value) noexcept : Variant() {
        hold(static_cast<double>(value));
    }
    Variant(const char* text) : Variant(String(text)) {}
    Variant(std::string_view text) : Variant(String(text)) {}
    Variant(const std::string& text) : Variant(String(text)) {}
    template <class T>
        requires requires { detail::VariantTraits<T>::type; } && (!std::is_arithmetic_v<T>)
    Variant(T value) noexcept(detail::fits_in_place<T>) : Variant() {
        hold(std::move(value));
    }
    /// A std::vector becomes an Array, element by element; use `PackedInt32Array(std::span(v))` for
    /// a packed array.
    template <class T>
    Variant(const std::vector<T>& items) : Variant(Array()) {
        Array& array = *get_if<Array>();
        array.reserve(items.size());
        for (const T& item : items)
            array.push_back(Variant(item));
    }
    /// A map becomes a Dictionary.
    template <class Map>
        requires requires(const Map& m) {
            typename Map::mapped_type;
            m.begin()->second;
        }
    Variant(const Map& map) : Variant(Dictionary()) {
        for (const auto& [key, value] : map)
            get_if<Dictionary>()->append(Variant(key), Variant(value));
    }
    Variant(const Variant& other) : Variant() {
        if (!other.owns())
            std::memcpy(static_cast<void*>(this), &other, sizeof *this);
        else if (!try_copy(other))
            detail::throw_no_memory();
    }
    Variant(Variant&& other) noexcept {
        std::memcpy(static_cast<void*>(this), &other, sizeof *this);
        other.type_ = Type::nil;
    }
    Variant& operator=(const Variant& other) {
        Variant copy(other);
        swap(copy);
        return *this;
    }
    Variant& operator=(Variant&& other) noexcept {
        Variant taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~Variant() {
        if (owns())
            destroy();
    }
    void swap(Variant& other) noexcept {
        alignas(8) char bytes[sizeof(Variant)];
        std::memcpy(bytes, static_cast<void*>(this), sizeof bytes);
        std::memcpy(static_cast<void*>(this), &other, sizeof bytes);
        std::memcpy(static_cast<void*>(&other), bytes, sizeof bytes);
    }

    Type type() const noexcept { return type_; }
    bool is(Type type) const noexcept { return type_ == type; }
    bool is_nil() const noexcept { return type_ == Type::nil; }
    /// 64-bit real components.
    bool wide() const noexcept { return wide_; }
    template <class T>
    bool holds() const noexcept {
        return get_if<T>() != nullptr;
    }

    /// The value, or null if it has another type or width: bool, std::int64_t, double, String,
    /// StringName, the math structs, Array, Dictionary, Object, PackedArray<T>, ... Borrowed; ends
    /// when the Variant is assigned to.
    template <class T>
    T* get_if() & noexcept GDVAR_LIFETIMEBOUND {
        return const_cast<T*>(std::as_const(*this).template get_if<T>());
    }
    template <class T>
    const T* get_if() const& noexcept GDVAR_LIFETIMEBOUND;
    template <class T>
    void get_if() const&& = delete;

    /// Converts the value to a C++ value by the same table as View::get. Types of a Variant (Array,
    /// Dictionary, PackedArray<T>, ...), numbers, texts and math structs are converted directly.
    /// With gdvar/value/binding.hpp included, T may be every type that Bind knows (containers,
    /// structs, ...): the value goes through a packet in memory. std::string_view borrows from this
    /// Variant. Types with other borrowed members do not compile, because that packet is temporary.
    ///
    /// Errors: wrong_type, number_out_of_range, no_memory (offset 0), and those of `decode` with
    /// offsets in that packet; `error_path(variant, error)` gives the path.
    template <class T>
    [[nodiscard]] std::expected<T, Error> get() const;
    template <class T>
    T get_or(T otherwise) const {
        auto value = get<T>();
        return value ? *std::move(value) : std::move(otherwise);
    }
    /// A text, or a copy of `otherwise`.
    std::string get_or(const char* otherwise) const { return get_or(std::string(otherwise)); }

    /// Calls `f` with a const reference to the value, of the type that `get_if` takes; nil is
    /// passed as `std::nullptr_t`. `f` must take all types: a template or `const auto&` takes the
    /// rest.
    template <class F>
    auto visit(F&& f) const;

    /// Elements of an Array or packed array, pairs, properties, bytes of text; else 0.
    std::size_t size() const noexcept;
    /// A step into an Array (by index), a Dictionary (by text or int key) or an Object (by
    /// property): see value/step.hpp. A key is an integer or converts to std::string_view. Reading
    /// changes nothing; reading a missing value is refused with the first step that failed.
    /// Assigning creates missing values only in Nil and in Dictionaries, and only under text keys.
    ///
    ///     save["players"][3]["hp"].get<int>()
    ///     save["players"][3]["hp"] = 100;
    VariantStep operator[](const detail::Key& key) GDVAR_LIFETIMEBOUND;
    ConstVariantStep operator[](const detail::Key& key) const GDVAR_LIFETIMEBOUND;
    /// The same step as an `expected`; the reference is borrowed. Errors: missing_key,
    /// index_out_of_range, wrong_type.
    [[nodiscard]] std::expected<std::reference_wrapper<Variant>, Error> at(const detail::Key& key) &
        GDVAR_LIFETIMEBOUND;
    [[nodiscard]] std::expected<std::reference_wrapper<const Variant>, Error> at(
        const detail::Key& key) const& GDVAR_LIFETIMEBOUND;
    void at(const detail::Key& key) const&& = delete;
    /// The same step as a pointer; null if the value does not exist.
    Variant* find(const detail::Key& key) & noexcept GDVAR_LIFETIMEBOUND;
    const Variant* find(const detail::Key& key) const& noexcept GDVAR_LIFETIMEBOUND;
    void find(const detail::Key& key) const&& = delete;
    bool contains(const detail::Key& key) const noexcept;
    /// The value at a path in the form of the messages, `$.players[3].hp`. The `$` is optional.
    /// `[-1]` counts from an Array's end. Among equal keys the last counts. The reference is
    /// borrowed. A path leads to values, not to their parts: math values and packed arrays have no
    /// steps here (inspect/lookup.hpp has them). Errors: bad_path (with the text from the invalid
    /// step), missing_key, index_out_of_range, wrong_type.
    [[nodiscard]] std::expected<std::reference_wrapper<Variant>, Error>
        lookup(std::string_view path) & GDVAR_LIFETIMEBOUND;
    [[nodiscard]] std::expected<std::reference_wrapper<const Variant>, Error> lookup(
        std::string_view path) const& GDVAR_LIFETIMEBOUND;
    void lookup(std::string_view path) const&& = delete;
    /// Sets the value at a path, and returns a reference to it. Missing values are created as by
    /// assigning to subscripts: in Nil and Dictionaries, under text keys. Errors: as `lookup`; an
    /// error leaves the Variant unchanged.
    [[nodiscard]] std::expected<std::reference_wrapper<Variant>, Error>
        set_path(std::string_view path, Variant value) & GDVAR_LIFETIMEBOUND;

    // Unchecked access, for callers that have checked type(). A debug build asserts the type.
    bool boolean() const noexcept {
        assert(is(Type::boolean));
        return as<bool>();
    }
    std::int64_t integer() const noexcept {
        assert(is(Type::integer));
        return as<std::int64_t>();
    }
    double real() const noexcept {
        assert(is(Type::real));
        return as<double>();
    }
    /// String or StringName.
    std::string_view text() const& noexcept GDVAR_LIFETIMEBOUND {
        assert(is(Type::string) || is(Type::string_name));
        return as<String>();
    }
    void text() const&& = delete;
    MathView math() const& noexcept GDVAR_LIFETIMEBOUND;
    void math() const&& = delete;
    PackedView packed() const& noexcept GDVAR_LIFETIMEBOUND;
    void packed() const&& = delete;

    /// Copies without throwing; false, and nil, when memory runs out.
    [[nodiscard]] bool try_copy(const Variant& other) noexcept;

    /// The engine's `==` (Godot 4): numbers by value, String and StringName by text, containers by
    /// content, NaN unequal to itself; values of types that the engine won't compare are unequal.
    friend bool operator==(const Variant& a, const Variant& b);

private:
    friend class VariantBuilder;
    friend struct VariantAccess;
    friend class Array;
    friend class Dictionary;
    friend class Object;

    struct Unfilled {};
    /// The caller fills the bytes of the value.
    Variant(Unfilled, Type type, bool wide = false) noexcept : type_(type), wide_(wide) {}

    template <class T>
    void hold(T value) {
        type_ = detail::VariantTraits<T>::type;
        wide_ = detail::VariantTraits<T>::wide;
        if constexpr (detail::fits_in_place<T>) {
            new (data_) T(std::move(value));
        } else {
            type_ = Type::nil;
            T* box = static_cast<T*>(::operator new(sizeof(T)));
            new (box) T(std::move(value));
            std::memcpy(data_, &box, sizeof box);
            place_ = 0;
            type_ = detail::VariantTraits<T>::type;
        }
    }
    template <class T>
    const T& as() const noexcept {
        if constexpr (detail::fits_in_place<T>) {
            return *std::launder(reinterpret_cast<const T*>(data_));
        } else {
            T* box;
            std::memcpy(&box, data_, sizeof box);
            return *box;
        }
    }
    template <class T>
    T& as() noexcept {
        return const_cast<T&>(std::as_const(*this).as<T>());
    }
    /// Copies everything but the content of containers: `made` is the new empty block for the items
    /// of `inner`, if there is one.
    bool copy_shallow(const Variant& from, detail::PartMaker& maker, const detail::Block*& inner,
                      detail::Block*& made) noexcept;
    bool owns() const noexcept;
    void destroy() noexcept;

    alignas(8) unsigned char data_[16];
    Type type_ = Type::nil;
    bool wide_ = false;
    std::uint16_t place_ = 0;  ///< in its slab, for a value in a block of its own
};
static_assert(sizeof(Variant) == 24);

/// One pair of a Dictionary. The key is const through iteration.
struct Dictionary::Pair {
    const Variant key;  ///< only `rename` changes it
    Variant value;
};
// While a Dictionary is built, its items are a sequence of Variants, in pairs or not. No key is
// created as a const object.
static_assert(sizeof(Dictionary::Pair) == 2 * sizeof(Variant));
/// One property of an Object.
struct Object::Property {
    String name;
    Variant value;
};

/// Bit for bit the same: NaN payloads, -0, width, order of pairs, element types. The laws use it.
bool identical(const Variant& a, const Variant& b);
/// True if both are the same Dictionary key, by the rules with which Godot 4.6.3 merges keys. int 1
/// and float 1.0 differ; 0.0 and -0.0 do not. All NaNs are the same as a key, as a component and in
/// a packed array, but differ as an element of an Array and as a value of a Dictionary. String and
/// StringName are compared by text as a key, at the top and in a Dictionary that is a key; as
/// elements and values they differ. Arrays and Dictionaries are compared by their content in order.
/// (In Godot 3 all NaNs in an Array are the same, and the NaNs of a PoolRealArray are compared by
/// their bits.)
bool same_key(const Variant& a, const Variant& b);
/// A hash of the whole key, consistent with `same_key`. It is SipHash-1-3 under a secret that each
/// process makes anew, so nobody can choose keys that collide. Not for files. Time: linear, as
/// `same_key`. Memory: as `same_key`, linear, and only for keys with nested containers.
std::size_t hash_key(const Variant& key);
/// For `std::unordered_map<Variant, T, VariantKeyHash,
/// VariantKeyEqual>`. There is no std::hash<Variant>: the engine's `==` compares ints with floats,
/// so it is not transitive (2^53 + 1 equals 2.0^53, which equals 2^53), and no hash can be
/// consistent with it.
struct VariantKeyHash {
    std::size_t operator()(const Variant& key) const { return hash_key(key); }
};
/// `same_key` for unordered containers: goes with VariantKeyHash.
struct VariantKeyEqual {
    bool operator()(const Variant& a, const Variant& b) const { return same_key(a, b); }
};

namespace detail {

struct ArrayBlock : Block {
    ContainerType types() const noexcept { return {kind, type, name}; }
    ContainerKind kind = ContainerKind::untyped;
    Type type = Type::nil;
    String name;
    Variant* items() noexcept { return reinterpret_cast<Variant*>(this + 1); }
};
struct Index;
struct DictionaryBlock : Block {
    ContainerKind kinds[2] = {};
    Type types[2] = {};
    String names[2];
    Index* index = nullptr;
    Dictionary::Pair* items() noexcept { return reinterpret_cast<Dictionary::Pair*>(this + 1); }
    /// Keys and values, alternating.
    Variant* run() noexcept { return reinterpret_cast<Variant*>(this + 1); }
};
struct ObjectBlock : Block {
    String name;
    Object::Property* items() noexcept { return reinterpret_cast<Object::Property*>(this + 1); }
};
static_assert(alignof(Variant) == alignof(Block) &&
              alignof(Block) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

}  // namespace detail

template <class T>
const T* Variant::get_if() const& noexcept {
    using Traits = detail::VariantTraits<T>;
    constexpr bool held = requires { Traits::type; };
    static_assert(
        held,
        "gdvar: no Variant holds this type; an int is std::int64_t, a float is double, text is "
        "gdvar::String. get<T>() converts");
    if constexpr (held) {
        const bool fits = type_ == Traits::type && wide_ == Traits::wide;
        if constexpr (std::same_as<T, Array>)
            return fits || type_ == Type::packed_typed_array ? &as<T>() : nullptr;
        else
            return fits ? &as<T>() : nullptr;
    } else {
        return nullptr;
    }
}

namespace detail {

/// Types wholly in place, a bit each: most values, and not worth a call.
constexpr std::uint64_t trivial_types(bool wide) noexcept {
    std::uint64_t bits = 0;
    for (const Type t : {Type::nil, Type::boolean, Type::integer, Type::real, Type::rid,
                         Type::callable, Type::input_event})
        bits |= std::uint64_t{1} << static_cast<unsigned>(t);
    for (std::size_t i = 0; i < type_count; ++i) {
        const TypeInfo& info = type_table[i];
        const std::size_t component = info.widens && wide ? 8 : component_bytes(info.component);
        if (info.components && !info.packed && info.components * component <= 16)
            bits |= std::uint64_t{1} << i;
    }
    return bits;
}
inline constexpr std::uint64_t trivial_narrow = trivial_types(false),
                               trivial_wide = trivial_types(true);

}  // namespace detail

inline bool Variant::owns() const noexcept {
    const std::uint64_t trivial = wide_ ? detail::trivial_wide : detail::trivial_narrow;
    return !(trivial >> static_cast<unsigned>(type_) & 1);
}

inline std::size_t Array::size() const noexcept {
    return block_ ? block_->size : 0;
}
inline Variant* Array::begin() noexcept {
    if (!block_)
        return nullptr;
    block_->touch();
    return block_->items();
}
inline Variant* Array::end() noexcept {
    return begin() + size();
}
inline const Variant* Array::begin() const noexcept {
    return block_ ? block_->items() : nullptr;
}
inline const Variant* Array::end() const noexcept {
    return begin() + size();
}
inline Variant& Array::operator[](std::size_t i) noexcept {
    assert(i < size());
    block_->touch();
    return block_->items()[i];
}
inline const Variant& Array::operator[](std::size_t i) const noexcept {
    assert(i < size());
    return block_->items()[i];
}
inline std::size_t Dictionary::size() const noexcept {
    return block_ ? block_->size : 0;
}
inline Dictionary::Pair* Dictionary::begin() noexcept {
    if (!block_)
        return nullptr;
    block_->touch();
    return block_->items();
}
inline Variant* Dictionary::changeable(const Variant* value) noexcept {
    if (value)
        block_->touch();
    return const_cast<Variant*>(value);
}
inline Dictionary::Pair* Dictionary::end() noexcept {
    return begin() + size();
}
inline const Dictionary::Pair* Dictionary::begin() const noexcept {
    return block_ ? block_->items() : nullptr;
}
inline const Dictionary::Pair* Dictionary::end() const noexcept {
    return begin() + size();
}
inline std::size_t Object::size() const noexcept {
    return kind_ == ObjectKind::full ? block()->size : 0;
}
inline Object::Property* Object::begin() noexcept {
    return kind_ == ObjectKind::full ? block()->items() : nullptr;
}
inline Object::Property* Object::end() noexcept {
    return begin() + size();
}
inline const Object::Property* Object::begin() const noexcept {
    return kind_ == ObjectKind::full ? block()->items() : nullptr;
}
inline const Object::Property* Object::end() const noexcept {
    return begin() + size();
}

template <class Less>
void Dictionary::sort(Less less) {
    std::vector<std::uint32_t> order(size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const Pair* pairs = std::as_const(*this).begin();
    // The index makes the sort stable. (With std::stable_sort, clang warns about code inside
    // libstdc++ 12.)
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return less(pairs[a], pairs[b]) || (a < b && !less(pairs[b], pairs[a]));
    });
    reorder(order);
}

}  // namespace gdvar

#include "gdvar/value/detail/variant_get.hpp"
#include "gdvar/value/detail/visit.hpp"
#include "gdvar/value/step.hpp"
