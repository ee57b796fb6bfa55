// The user's file of passwords: which there are, and which may open a save.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/file/layer.hpp"

namespace gdvar::app {

/// One line of the file.
struct Password {
    std::string name;
    bool pattern = false;  ///< `name` says for which files it is
    bool is_key = false;   ///< a key and no password
    ContainerKey key;
};

/// Parses the file (docs/editing.md, "The passwords file"). The error says what is wrong in which
/// line, and holds nothing of the line.
std::expected<std::vector<Password>, std::string> parse_passwords(std::string_view text);

/// The most passwords that are tried for one layer: each takes a pass over it.
inline constexpr std::size_t most_tried = 64;

/// The keys that may open `file`, in the order in which they are tried: first those whose pattern
/// fits its name, then those that are for every file. `of`: the file of passwords, for messages.
/// Standard input (`-`) fits no pattern.
std::vector<NamedKey> keys_for(const std::vector<Password>& all, const std::string& file,
                               const std::string& of);

/// The passwords file that is read where no option names one: `gdvar/passwords` in
/// $XDG_CONFIG_HOME, else in ~/.config. Empty if the environment has neither.
std::string default_passwords_file();
/// The path with `~` for the user's folder, as messages show it.
std::string short_path(const std::string& path);

/// Reads the file. The result is empty if it does not exist and `may_lack`. Refuses a file that
/// belongs to another user, or that others may read. Errors: a message.
std::expected<std::vector<Password>, std::string> read_passwords(const std::string& path,
                                                                 bool may_lack);

}  // namespace gdvar::app
