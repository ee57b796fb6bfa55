// The user's file of passwords, and those that may open a save.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/file/layer.hpp"

namespace gdvar::app {

struct Password {
    std::string name;
    bool pattern = false;  ///< `name` is a pattern for files
    bool is_key = false;   ///< a key instead of a password
    ContainerKey key;
};

/// Parses the file (docs/editing.md, "The passwords file"). The error names the fault and the line,
/// and holds nothing of the line.
std::expected<std::vector<Password>, std::string> parse_passwords(std::string_view text);

/// The most passwords tried for one layer: each takes a pass over it.
inline constexpr std::size_t most_tried = 64;

/// The keys that may open `file`, in the order of trial: first those whose pattern fits its name,
/// then those for every file. `of`: the file of passwords, for messages. Standard input (`-`) fits
/// no pattern.
std::vector<NamedKey> keys_for(const std::vector<Password>& all, const std::string& file,
                               const std::string& of);

/// The default passwords file: `gdvar/passwords` in $XDG_CONFIG_HOME, else in ~/.config. Empty if
/// the environment has neither.
std::string default_passwords_file();
/// The path with `~` for the user's folder, for messages.
std::string short_path(const std::string& path);

/// Reads the file. The result is empty if it does not exist and `may_lack`. Refuses a file that
/// belongs to another user, or that others may read. Errors: a message.
std::expected<std::vector<Password>, std::string> read_passwords(const std::string& path,
                                                                 bool may_lack);

}  // namespace gdvar::app
