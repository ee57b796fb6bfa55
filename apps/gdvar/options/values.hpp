// Values that the user writes, as text or JSON.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "arguments.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar::app {

struct ValueOptions {
    std::string input = "text";
    std::string family;
    bool plain = false, full = false;
    // Of the command, not of the user:
    bool resources = false;  ///< text: `ExtResource("1")` is an Object (ParseOptions::resources)
};

/// --input, --plain and --full. `what`: the name of the values in the help.
void add_values(Arguments& arguments, ValueOptions& options, const char* what,
                const char* full = "with text: gdvar's own form");
/// --family, of text that is read or printed.
void add_family(Arguments& arguments, std::string& family);

/// The text family with that name, else that of the dialect, which was perhaps named so.
TextFamily family_of(const std::string& name, const std::string& named, const Dialect& dialect);
/// The value that the text is, in the form that --input says; with `size` the one that it begins
/// with, and how long that is.
std::expected<Variant, TextError> parse_value(const ValueOptions& options, const Dialect& dialect,
                                              std::string_view text, std::size_t* size = nullptr,
                                              const TextLoss* loss = nullptr);
/// For text that is no typed JSON: a hint if --plain would read it, else empty. Linear in the text.
std::string plain_hint(const ValueOptions& options, std::string_view text);
/// "$.a: error[...]: ..." for a value that can't be encoded. Of Objects, it says that --objects
/// writes them.
std::string not_encoded(const Variant& value, const EncodeOptions& how, const Error& error);
/// "$.new.a: as godot-4.4: error[...]" for a value that a command puts into a file at `at`. Nothing
/// if the value is allowed there (`check_value`).
std::optional<std::string> refused_value(const std::string& at, const Variant& value,
                                         const EncodeOptions& how);
/// The same for a value in the place of another one, which may have repeated keys, too: whether
/// those of the new value are new is left to `check_edited`.
std::optional<std::string> refused_replacement(const std::string& at, const Variant& value,
                                               const EncodeOptions& how);

}  // namespace gdvar::app
