// Values as text that a person edits, and back.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "file/joined.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/options.hpp"
#include "rooms.hpp"

namespace gdvar::app {

/// How values stand in the text that is edited.
struct EditForm {
    enum Kind : std::uint8_t {
        text,   ///< as the engine writes them, indented, in the order of the save, with all digits
        full,   ///< gdvar's own form
        json,   ///< typed JSON
        plain,  ///< plain JSON, which does not express all values
    };
    Kind kind = text;
    const Dialect* dialect = &dialects::godot_4_4;
    /// Whether Objects are read; `ExtResource("1")` is one.
    bool objects = false;

    bool is_json() const noexcept { return kind == json || kind == plain; }
    /// Whether each value that the form prints is read as the same value.
    bool lossless() const noexcept { return kind != plain; }
    /// The start of a comment.
    std::string_view comment() const noexcept { return is_json() ? "//" : ";"; }
    /// ".tres", ".json": by which editors know what it is like.
    const char* suffix() const noexcept { return is_json() ? ".json" : ".tres"; }
    const char* name() const noexcept;
};

/// A problem in a text, and its byte offset.
struct TextProblem {
    std::size_t offset = 0;
    std::string what;
};

/// Errors: the view's own, no_memory.
std::expected<std::string, Error> print_value(const View& value, const EditForm& form);
/// The value at the start of the text, and its size. Values that an engine would drop or change in
/// silence are problems.
std::expected<Variant, TextProblem> parse_value(std::string_view text, const EditForm& form,
                                                std::size_t& size);

/// The line before the value of a record (`#0`) or setting (its name), with its end:
/// "; record #0", "// setting application/config/name".
std::string header(const EditForm& form, std::string_view key, std::size_t number, bool setting);

/// A value of the edited text, and what it is the value of.
struct EditedValue {
    std::optional<std::size_t> number{};  ///< of the record; none: a new one
    std::string key{};                    ///< the setting's name
    Variant value{};
};

using gdvar::detail::Contents;

/// The values of the edited text. `records`: how many there were. Headers say what the values are
/// for; one of a record may come once. Problems: those of `parse_value`; a header of a record that
/// is not there, that comes twice, or without a value; a setting's value without a header; one
/// value and more text behind it. A text without any value gives an empty vector.
std::expected<std::vector<EditedValue>, TextProblem> parse_values(std::string_view text,
                                                                  const EditForm& form,
                                                                  Contents contents,
                                                                  std::size_t records);

/// "name:12:8: what", and the line with a mark below it: two or three lines for a message.
std::vector<std::string> shown(const TextProblem& problem, std::string_view text,
                               const std::string& name);

// ---- a packet with the changes that a person made in its text (revise.cpp)

/// A value of a packet that is edited.
struct EditedPlace {
    ByteView packet;
    Found value;       ///< in `packet`, or a part of a value in it
    View container;    ///< of the value; leads nowhere at the root
    std::string path;  ///< "$.players[3]"
};

/// The text of a value, if it is read back as what it is: if the form expresses it. If not, a
/// message: what it does not express.
std::expected<std::string, std::string> expressed(const EditForm& form, const View& value,
                                                  const EncodeOptions& how);

/// The packet with `now` at the place. Only what differs is replaced; all other bytes stay. A value
/// takes the type of the one that it replaces if it fits that, else its own, unless a typed
/// container forbids it. Errors, in words, with the path: what can't be put there.
std::expected<std::vector<std::byte>, std::string> revised(const EditedPlace& place,
                                                           const Variant& now, const EditForm& form,
                                                           const EncodeOptions& how);

/// The packet of a new value. Errors, in words.
std::expected<std::vector<std::byte>, std::string> new_packet(const Variant& value,
                                                              const EncodeOptions& how);

/// How a packet that was written so is read.
DecodeOptions reading(const EncodeOptions& how);

// ---- plain JSON, which does not express all values (plain_edit.cpp)

/// `was`: a value; `shown`: what plain JSON makes of it, read back; `now`: that after a person
/// edited it. Returns the value with the same changes: keys that are no Strings stay, an array of
/// numbers becomes the vector or packed array that it stands for, a string the StringName or
/// NodePath. Errors, in words: a change that can't be told from plain JSON, with the path below
/// the value's.
std::expected<Variant, std::string> with_plain_changes(const View& was, const View& shown,
                                                       const View& now);

}  // namespace gdvar::app
