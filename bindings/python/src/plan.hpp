// A Python type as rules for decoding and encoding: the output of gdvar/typed.py, compiled once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "texts.hpp"

namespace gdvar_py {

/// The type that a rule requires.
enum class Kind : std::uint8_t {
    any,
    none,
    boolean,
    integer,
    real,
    text,
    string_name,
    bytes,  ///< PackedByteArray as bytes or bytearray
    math,   ///< a class of named tuples
    as_is,  ///< the result of loads, if it has the class
    list,
    set,
    tuple_of,  ///< tuple[T, ...]
    tuple,     ///< tuple[A, B], NamedTuple
    dict,
    pairs,
    dataclass,
    typed_dict,
    enumeration,
    flag,
    literal,
    choice,  ///< a union: the Variant's type decides
    tagged,  ///< a union of records, distinguished by a text or number in them
    custom,  ///< a class that gdvar does not know: hooks make and write it
};

/// The possible values of an enum or literal.
enum Allowed : std::uint8_t {
    allows_true = 1,
    allows_false = 2,
    allows_none = 4,
    allows_numbers = 8,
    allows_texts = 16
};

/// Replacement for a field without a key.
enum class Missing : std::uint8_t { refused, value, factory, left_out };

using RuleIndex = std::uint32_t;
inline constexpr std::uint16_t no_field = 0xFFFF;

struct Field {
    PyObject* name = nullptr;  ///< interned
    std::string key;           ///< on the wire
    RuleIndex rule = 0;
    Missing missing = Missing::refused;
    PyObject* fallback = nullptr;   ///< the default, or its factory
    PyObject* slot = nullptr;       ///< the descriptor of a class with __slots__
    descrsetfunc set = nullptr;     ///< of `slot`
    descrgetfunc get = nullptr;     ///< of `slot`
    bool computed = false;          ///< reading it may run Python code: a property
    std::uint16_t next = no_field;  ///< the field that followed this one the last time
    ShortText short_key;            ///< `key`, if it is short
    TextHabit habit;                ///< for its values

    bool is(std::string_view text) const noexcept {
        return key.size() <= ShortText::longest ? short_key.is(text) : key == text;
    }
};

/// The keys of the last Dictionary that a rule read. The next one often has the same.
class LastKeys {
public:
    /// Key number `at`; a new reference.
    PyObject* take(std::size_t at, std::string_view text) {
        if (text.size() > ShortText::longest || at > keys_.size() || at >= most || !habit_.looks())
            return make_string(text, strings_habit_);
        if (at == keys_.size())
            keys_.emplace_back();
        Key& key = keys_[at];
        const bool same = key.object && key.text.is(text);
        habit_.saw(same);
        if (!same) {
            key.text = ShortText(text);
            key.object = Ref(make_string(text, strings_habit_));
        }
        return Py_XNewRef(key.object.get());
    }

private:
    struct Key {
        ShortText text;
        Ref object;
    };
    static constexpr std::size_t most = 8192;
    std::vector<Key> keys_;
    TextHabit habit_, strings_habit_;
};

/// One type. `kind` decides which members count.
struct Rule {
    Kind kind = Kind::any;
    std::uint8_t type = 0;  ///< math
    bool bounded = false;   ///< a number or text with limits
    bool low_open = false, high_open = false;
    bool hash_exact = true;             ///< equal keys of Python are equal keys of Godot, too
    bool builds_plainly = true;         ///< no __new__ of its own
    bool loose = false;                 ///< list, set: declared as Sequence and the like
    bool packs = false;                 ///< as_is: a packed array, which can be made from a list
    std::uint8_t allowed = 0;           ///< enumeration, literal: bits of Allowed
    std::uint16_t first = 0;            ///< the field that came first the last time
    TextHabit item_habit, value_habit;  ///< for elements or keys, and for values
    std::int64_t low = INT64_MIN, high = INT64_MAX;
    double real_low = 0, real_high = 0;
    std::uint64_t least = 0, most = UINT64_MAX;  ///< of characters, bytes or elements
    std::uint64_t types = 0;                     ///< as_is: bits of Variant types
    std::uint64_t packed = 0;                    ///< list, set, tuples: packed arrays that fit
    RuleIndex item = 0, value = 0;
    std::uint32_t required = 0;        ///< tuple: number of required elements
    std::vector<RuleIndex> items;      ///< tuple: elements; choice, tagged: alternatives
    std::vector<Field> fields;         ///< dataclass, typed_dict
    std::vector<Field> hidden;         ///< dataclass: fields that no packet has (init=False)
    std::vector<std::uint16_t> table;  ///< of `fields`, by hash; its size is 2^n
    RuleIndex by_type[GDVAR_TYPE_COUNT] = {};  ///< choice: by the Variant's type
    std::string key;                           ///< tagged: the tag's name
    LastKeys last_keys;                        ///< dict
    PyObject* expected = nullptr;              ///< for messages: "int from 0 to 100"
    PyObject* cls = nullptr;
    PyObject* wrap =
        nullptr;  ///< as_is: makes the class from the result of loads; custom: the hint
    PyObject* typed = nullptr;  ///< list, dict: an Array or Dictionary of these ContainerTypes
    PyObject* known = nullptr;  ///< a dict: enumeration, literal: value to member; tagged: to index
    PyObject* post_init = nullptr;
    PyObject* defaults = nullptr;  ///< tuple: for the last elements, a tuple
};
inline constexpr RuleIndex no_rule = 0xFFFF'FFFF;

struct Plan {
    PyObject_HEAD PyObject* type;  ///< the plan's type
    std::vector<Rule>* rules;
    RuleIndex root;
    RuleIndex custom;  ///< a rule of that kind, or `no_rule`
};

/// Takes a hook, which a plan with a custom type needs. False with a TypeError.
bool take_hook(const Plan* plan, PyObject*& hook, const char* name, const char* verb);

/// The field with that key, or `no_field`.
std::uint16_t find_field(const Rule& rule, std::string_view key) noexcept;
/// The plan for a type; a new reference. Null with a TypeError: the type can't be decoded.
Plan* plan_of(PyObject* type);

/// True for a class with fields of its own: a dataclass, a NamedTuple other than gdvar's own, an
/// enum.
bool has_own_plan(PyObject* cls);
inline bool in_bounds(const Rule& rule, double number) noexcept {
    return (rule.low_open ? number > rule.real_low : number >= rule.real_low) &&
           (rule.high_open ? number < rule.real_high : number <= rule.real_high);
}

struct Mismatch {
    const char* code;
    PyObject* expected;  ///< a str
    std::string found;
};
/// Sets a MismatchError. `offset` < 0: unknown.
std::nullptr_t raise_mismatch(const Mismatch& what, std::string_view path, std::int64_t offset);
/// Adds " (in $.path)" to an exception of a class's own code.
void note_path(std::string_view path);

bool add_decode(PyObject* module);
bool add_encode(PyObject* module);

}  // namespace gdvar_py
