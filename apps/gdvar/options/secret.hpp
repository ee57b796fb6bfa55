// --password-file, --password-os-id and --key-file, and the passwords file.
#pragma once

#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "base/platform/machine_id.hpp"
#include "gdvar/file/open_layers.hpp"
#include "gdvar/save/container.hpp"

namespace gdvar::app {

// ---- the user's file of passwords, and those that may open a save (passwords.cpp)

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

// ---- all sources of a key

/// Environment variables with a password or a key. Programs that gdvar starts don't get them.
inline constexpr const char* password_variable = "GDVAR_PASSWORD";
inline constexpr const char* key_variable = "GDVAR_KEY";
inline constexpr std::string_view secret_variables[] = {password_variable, key_variable};

/// The user's source of the key for encrypted saves.
struct KeyOptions {
    std::string password_file, key_file;
    bool password_os_id = false;  ///< the password is this machine's id
};

/// The key of encrypted saves. Read at the first call, since the file may be a pipe, and kept for
/// later calls.
class Secret {
public:
    /// The key; nothing if neither a file nor the environment has one. Errors: an exit code, after
    /// a message.
    std::expected<std::optional<ContainerKey>, int> key(const KeyOptions& from);
    /// The passwords in a file. Errors: an exit code, after a message.
    std::expected<std::vector<Password>, int> passwords(const std::string& file, bool may_lack);

private:
    std::mutex mutex_;
    std::optional<std::expected<std::vector<Password>, std::string>> passwords_;
    bool read_ = false;
    std::expected<std::optional<ContainerKey>, int> key_;
    std::string message_;  ///< repeated at each call
};

struct SecretOptions : KeyOptions {
    std::string passwords_file;  ///< empty: the user's own
    bool no_passwords = false;
    bool asks = false;  ///< asks at the terminal for a password that is not found elsewhere
    std::shared_ptr<Secret> secret = std::make_shared<Secret>();  ///< shared by all copies

    std::expected<std::optional<ContainerKey>, int> key() const { return secret->key(*this); }
    std::string passwords_read() const {
        return no_passwords             ? std::string()
               : passwords_file.empty() ? default_passwords_file()
                                        : passwords_file;
    }
    /// Files that may hold secrets. Names may be empty.
    std::vector<std::string> secret_files() const {
        return {password_file, key_file, password_os_id ? platform::machine_id_file : "",
                passwords_read()};
    }
    /// The keys of the passwords file that may open `file`, for a layer without a `key`. Errors: an
    /// exit code, after a message.
    std::expected<std::vector<NamedKey>, int> keys(const std::string& file) const;
    /// Why `keys` is empty although there is a passwords file. Empty if there is no such reason.
    std::string why_no_keys(const std::string& file) const;
    /// The same, and the options for a password, for the message that one is missing.
    std::string no_key(const std::string& file) const;
};

/// Asks for a password at the terminal. Errors: an exit code, after a message.
std::expected<ContainerKey, int> ask_key(const std::string& file);

/// Finds the layers of `file`, which is read from `source`, with the user's key or, if there is
/// none, with the passwords file. Names the password that fitted. `exit` other than fine: a message
/// was printed.
std::expected<OpenLayers, LayersError> open_layers(const SecretOptions& secrets,
                                                   const std::string& file,
                                                   std::unique_ptr<Source> source, SaveOptions how,
                                                   int& exit);

void add_secrets(Arguments& arguments, SecretOptions& options);

}  // namespace gdvar::app
