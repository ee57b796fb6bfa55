// Dialect: one engine family's rules, as data. Reader, Writer, annotate, docs/dialects.md and the
// descriptions for other tools all come from these rows. The tables are in src/wire/dialects/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/wire/type.hpp"

namespace gdvar GDVAR_EXPORT {

namespace detail {
struct Scanner;
}

/// The layout of a type's payload (wire-format 2).
enum class Shape : std::uint8_t {
    absent,          ///< no such type
    unsupported,     ///< the table names it, but it can't be sent
    nothing,         ///< header only
    boolean,         ///< u32
    integer,         ///< i32, or i64 by header bit 16
    real,            ///< f32, or f64 by header bit 16
    string,          ///< counted string
    string_name,     ///< counted string
    math,            ///< `components` components
    node_path,       ///< counts, flags, counted strings
    rid,             ///< u64, or nothing
    object,          ///< null, instance id, or class and properties
    signal,          ///< counted string and u64, or nothing
    dictionary,      ///< count, pairs
    array,           ///< count, elements
    typed_array,     ///< Pandemonium: element type id, count, elements
    packed,          ///< count, elements of `components` components
    packed_bytes,    ///< count, bytes, padding that may be missing at the end
    packed_strings,  ///< count, counted strings
    image,           ///< Godot 2
    input_event,     ///< Godot 2
};

/// One type in one dialect. The id is the row's index.
struct TypeRow {
    Type type = Type::nil;
    Shape shape = Shape::absent;
    ComponentType component = ComponentType::none;
    std::uint8_t components =
        0;  ///< math: components; packed: components of an element; rid, signal: words
    std::uint8_t bytes = 0;       ///< math, packed, integer, real, rid: payload or element bytes
    std::uint8_t wide_bytes = 0;  ///< the same when header bit 16 says 64-bit; 0: never
    std::uint8_t least = 4;       ///< least bytes of a whole packet of this type
    /// Header bits above the type with a meaning for this type; others are ignored on read.
    std::uint32_t flags = 0;
    /// Pandemonium's reader counts, or demands, another number of payload bytes than it reads
    /// (wire-format 2.9); 0: it does not. We read and write correctly; `check` warns.
    std::uint8_t engine_counts = 0;
    std::uint8_t engine_demands = 0;
    /// For math types whose payload is not their components: reads the payload, `bytes` bytes, and
    /// stores the components (32 bits each, in wire order) at `components`; false refuses it
    /// (unsupported_type). Null in all built-in dialects. Such values are read, not written.
    bool (*unpack)(detail::Scanner& payload, std::byte* components) noexcept = nullptr;
    std::string_view name{};  ///< the engine's own name of the type
    std::string_view note{};  ///< the engine's own fault with the type, if any
};

/// The Reader's shortcut for a value whose header is exactly its type's id (or that with bit 16):
/// the row need not be read. `Dialect::index_types` derives it from the rows.
struct FastForm {
    enum Kind : std::uint8_t {
        none,  ///< read by its row
        nil,
        boolean,
        integer,
        real,  ///< 4 bytes, or 8 with bit 16
        integer8,
        real8,  ///< always 8 bytes
        string,
        string_name,
        math,
        packed,
        array,
        dictionary
    };
    Kind kind = none;
    std::uint8_t bytes = 0;  ///< math: payload; packed: of an element
};

/// The whole headers of values that Cursor takes without reading the row; `never` if the dialect
/// lacks the form. `Dialect::index_types` derives them.
struct FastHeaders {
    /// More than a packet's 32-bit header can hold.
    static constexpr std::uint64_t never = std::uint64_t{1} << 32;
    std::uint64_t nil = never, boolean = never, integer = never, wide_integer = never, real = never,
                  wide_real = never, string = never, string_name = never, array = never,
                  dictionary = never;
    /// True if the dialect has bool, String, and int and float in the widths of `numbers`.
    bool common = false;
};

/// The width of written ints and floats.
enum class NumberWidth : std::uint8_t {
    by_value,         ///< 32 bits when the value survives, else 64 with the flag
    wide_integers,    ///< every int 64 bits with the flag; floats by value (Godot 3.0)
    narrow,           ///< 32 bits only (Godot 2)
    eight_unflagged,  ///< always 8 bytes, never a flag (page edition 003)
};

/// The forms of an Object's payload (wire-format 2.4).
enum class ObjectForm : std::uint8_t {
    header_only,  ///< Godot 2: always null
    full_or_id,
    unsupported,
};

/// Rules for an object's property `script`.
enum class ScriptForm : std::uint8_t {
    anything,
    resource_path,  ///< nil or a String that begins with res:// (Godot 4.3 on)
};

/// Order of the nine matrix components of Basis and Transform3D on the wire.
enum class MatrixOrder : std::uint8_t { rows, columns };

/// The engines whose `var_to_str` prints this dialect's values (docs/text.md).
enum class TextFamily : std::uint8_t {
    godot_3_2,
    godot_3_6,
    godot_4,  ///< 4.5 and later
    pandemonium,
    godot_2,
    godot_4_0,  ///< 4.0 to 4.4
};
/// The families' names, in that order; Godot 4's begin with a 4.
inline constexpr std::string_view text_family_names[] = {"3.2",         "3.6", "4",
                                                         "pandemonium", "2",   "4.0"};
inline constexpr std::size_t text_family_count = std::size(text_family_names);
/// The family of the newest Godot.
inline constexpr TextFamily newest_text_family = TextFamily::godot_4;
constexpr std::string_view family_name(TextFamily family) noexcept {
    return text_family_names[static_cast<std::size_t>(family)];
}
/// True for families of Godot 4.
constexpr bool is_godot_4(TextFamily family) noexcept {
    return family_name(family)[0] == '4';
}
/// The family of that name.
constexpr std::optional<TextFamily> find_family(std::string_view name) noexcept {
    for (std::size_t i = 0; i < text_family_count; ++i)
        if (family_name(static_cast<TextFamily>(i)) == name)
            return static_cast<TextFamily>(i);
    return std::nullopt;
}

/// The releases that write a dialect, by major and minor number.
struct Releases {
    static constexpr std::uint8_t any = 255;  ///< as last minor number: all of that major number
    std::string_view engine{};                ///< "godot"; empty: none
    std::array<std::uint8_t, 2> first{}, last{};

    constexpr bool cover(std::array<std::uint8_t, 2> release) const noexcept {
        return first <= release && release <= last;
    }
};

/// One engine family's rules. Data only: to make your own, copy one, change it, and call
/// `index_types()`; see examples/.
struct Dialect {
    static constexpr std::size_t max_types = 64;
    static constexpr std::uint8_t absent = 0xFF;

    std::string_view name{};   ///< "godot-4.4"
    std::string_view alias{};  ///< "godot4", or empty
    std::string_view title{};  ///< its writers: "Godot 4.4, 4.5, 4.6"
    Releases releases{};       ///< each is a name, too: "godot-4.5"
    TextFamily family = newest_text_family;

    std::array<TypeRow, max_types> rows{};
    std::uint8_t row_count = 0;

    std::uint32_t type_mask = 0xFF;  ///< bits of the header that are the type id
    NumberWidth numbers = NumberWidth::by_value;
    Utf8Rule utf8 = Utf8Rule::strict;
    ObjectForm objects = ObjectForm::full_or_id;
    ScriptForm script = ScriptForm::anything;
    MatrixOrder matrix = MatrixOrder::rows;
    bool string_array_nul = true;     ///< PackedStringArray elements end with a counted NUL
    bool node_path_property = false;  ///< writes the obsolete separate property (Godot 2)
    bool node_path_text = false;      ///< reads the old text form of NodePath
    bool null_object_free = false;    ///< a null Object needs no permission to be read (page-4)
    bool documented = false;          ///< follows a page, not an engine; never guessed

    std::array<std::uint8_t, type_count> id_of{};  ///< by Type; `absent` if there is none
    std::uint8_t typed_array_id = absent;  ///< Pandemonium's TypedArray, whose Type is array, too
    /// By id, for headers without flags; then by id, for headers with bit 16 alone.
    std::array<FastForm, 2 * max_types> fast_forms{};
    FastHeaders headers{};

    constexpr const TypeRow* row(Type type) const noexcept {
        auto id = id_of[static_cast<std::size_t>(type)];
        return id == absent ? nullptr : &rows[id];
    }
    /// True if values of the type can be written.
    constexpr bool has(Type type) const noexcept {
        const TypeRow* r = row(type);
        return r && r->shape != Shape::unsupported;
    }
    /// Header bits 16-17 of Array carry an element type.
    constexpr bool typed_arrays() const noexcept {
        const TypeRow* r = row(Type::array);
        return r && r->flags != 0;
    }
    /// Header bits 16-19 of Dictionary carry key and value types.
    constexpr bool typed_dictionaries() const noexcept {
        const TypeRow* r = row(Type::dictionary);
        return r && r->flags != 0;
    }
    /// Rebuilds `id_of`, `fast_forms` and `headers` from `rows`, `matrix` and `numbers`; call it
    /// after changing those. If two rows have the same Type, the first is used for writing.
    constexpr void index_types() noexcept {
        id_of.fill(absent);
        typed_array_id = absent;
        for (std::size_t id = row_count; id-- > 0;)
            if (rows[id].shape != Shape::absent)
                id_of[static_cast<std::size_t>(rows[id].type)] = static_cast<std::uint8_t>(id);
        for (std::size_t id = 0; id < row_count; ++id)
            if (rows[id].shape == Shape::typed_array && rows[id].type == Type::array)
                typed_array_id = static_cast<std::uint8_t>(id);
        for (std::size_t id = 0; id < max_types; ++id) {
            fast_forms[id] = id < row_count ? fast_form(rows[id], false) : FastForm{};
            fast_forms[id + max_types] = id < row_count && rows[id].flags & 0x1'0000u
                                             ? fast_form(rows[id], true)
                                             : FastForm{};
        }
        index_headers();
    }

private:
    constexpr void index_headers() noexcept {
        const auto header = [&](Type type, FastForm::Kind kind, bool flagged = false) {
            const std::uint8_t id = id_of[static_cast<std::size_t>(type)];
            if (id == absent || fast_forms[id + flagged * max_types].kind != kind)
                return FastHeaders::never;
            return std::uint64_t{id} | (flagged ? 0x1'0000u : 0u);
        };
        headers = {header(Type::nil, FastForm::nil),
                   header(Type::boolean, FastForm::boolean),
                   header(Type::integer, FastForm::integer),
                   header(Type::integer, FastForm::integer, true),
                   header(Type::real, FastForm::real),
                   header(Type::real, FastForm::real, true),
                   header(Type::string, FastForm::string),
                   header(Type::string_name, FastForm::string_name),
                   header(Type::array, FastForm::array),
                   header(Type::dictionary, FastForm::dictionary)};
        const std::uint64_t wide = headers.wide_integer | headers.wide_real;
        headers.common = headers.boolean != FastHeaders::never &&
                         headers.string != FastHeaders::never &&
                         (numbers > NumberWidth::wide_integers || !(wide & FastHeaders::never));
    }
    constexpr FastForm fast_form(const TypeRow& r, bool flagged) const noexcept {
        const std::uint8_t bytes = flagged && r.wide_bytes ? r.wide_bytes : r.bytes;
        switch (r.shape) {
            case Shape::nothing:
                return {r.type == Type::nil && !flagged ? FastForm::nil : FastForm::none, 0};
            case Shape::boolean:
                return {flagged ? FastForm::none : FastForm::boolean, 0};
            case Shape::integer:
                return {r.bytes == 8 ? FastForm::integer8 : FastForm::integer, 0};
            case Shape::real:
                return {r.bytes == 8 ? FastForm::real8 : FastForm::real, 0};
            case Shape::string:
                return {flagged ? FastForm::none : FastForm::string, 0};
            case Shape::string_name:
                return {flagged ? FastForm::none : FastForm::string_name, 0};
            case Shape::math:
                if (r.unpack || (matrix == MatrixOrder::columns &&
                                 (r.type == Type::basis || r.type == Type::transform3d)))
                    return {};
                return {FastForm::math, bytes};
            case Shape::packed:
                return {FastForm::packed, bytes};
            case Shape::array:
                return {flagged ? FastForm::none : FastForm::array, 0};
            case Shape::dictionary:
                return {flagged ? FastForm::none : FastForm::dictionary, 0};
            default:
                return {};
        }
    }
};

namespace dialects {
extern const Dialect godot_4_4, godot_4_3, godot_4_0, godot_4_dev;
extern const Dialect godot_3_1, godot_3_0, godot_2;
extern const Dialect pandemonium_5, pandemonium_3_8, pandemonium_3_5;
extern const Dialect page_3, page_4, page_4_dev;
/// godot-2 for values from texts: with numbers of 64 bits, and Objects in full for references to
/// resources. No engine sends such packets: it is in no list, and found by its name alone.
extern const Dialect godot_2_text;
}  // namespace dialects

namespace detail {
/// A dialect with every type of every dialect. Not of any engine, and in no list.
extern const Dialect every_type;
}  // namespace detail

/// The built-in dialects, newest Godot first, pages last.
std::span<const Dialect* const> all_dialects() noexcept;
/// The built-in dialect of that name or alias ("godot-4.4", "godot3"), or of a release that writes
/// it ("godot-4.5", "godot-3.5.3"; "pandemonium-4", because all releases of 4 write the same); else
/// null.
const Dialect* find_dialect(std::string_view name) noexcept;
/// The text family of a named dialect: that of 4.0 for "godot-4.4" and "godot-4.4.1", since 4.5
/// prints other digits; else the dialect's own. Nothing for an unknown name.
std::optional<TextFamily> named_family(std::string_view name) noexcept;
/// The newest dialects whose engines differ in their texts, the newest Godot first: godot-4.4,
/// godot-3.1, pandemonium-5.
std::span<const Dialect* const> newest_dialects() noexcept;
/// The one of these whose texts the family's engines read, or godot-2.
const Dialect& newest_dialect(TextFamily family) noexcept;

}  // namespace gdvar
