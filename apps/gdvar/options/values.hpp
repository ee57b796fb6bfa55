// Values on the command line, as text or JSON.
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
    // Set by the command, not the user:
    bool resources = false;  ///< text: `ExtResource("1")` is an Object (ParseOptions::resources)
};

/// --input, --plain and --full. `what`: the name of the values in the help.
void add_values(Arguments& arguments, ValueOptions& options, const char* what,
                const char* full = "with text: gdvar's own form");
/// --family, for text that is read or printed.
void add_family(Arguments& arguments, std::string& family);

/// The text family of that name, else that of the dialect, by which name it was given.
TextFamily family_of(const std::string& name, const std::string& named, const Dialect& dialect);
/// The value of the text, in the form of --input; with `size` the value at its start, and its
/// length.
std::expected<Variant, TextError> parse_value(const ValueOptions& options, const Dialect& dialect,
                                              std::string_view text, std::size_t* size = nullptr,
                                              const TextLoss* loss = nullptr);
/// For text that is not typed JSON: a hint if --plain would read it, else empty. Linear in the
/// text.
std::string plain_hint(const ValueOptions& options, std::string_view text);
/// "$.a: error[...]: ..." for a value that can't be encoded. For Objects, the message names
/// --objects.
std::string not_encoded(const Variant& value, const EncodeOptions& how, const Error& error);
/// "$.new.a: as godot-4.4: error[...]" for a value that a command puts into a file at `at`. Nothing
/// if the value is allowed there (`check_value`).
std::optional<std::string> refused_value(const std::string& at, const Variant& value,
                                         const EncodeOptions& how);
/// The same for a value that replaces one with perhaps repeated keys: `check_edited` finds whether
/// those of the new value are new.
std::optional<std::string> refused_replacement(const std::string& at, const Variant& value,
                                               const EncodeOptions& how);

}  // namespace gdvar::app
