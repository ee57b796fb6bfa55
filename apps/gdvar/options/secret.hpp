// --password-file and --key-file.
#pragma once

#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "arguments.hpp"
#include "gdvar/save/container.hpp"

namespace gdvar::app {

/// The key of encrypted saves. It is read at the first call, since the file may be a pipe, and kept
/// for the others.
class Secret {
public:
    /// The key, none when neither a file nor the environment gives one. Errors: an exit code, after
    /// a message.
    std::expected<std::optional<ContainerKey>, int> key(const std::string& password_file,
                                                        const std::string& key_file);

private:
    std::mutex mutex_;
    bool read_ = false;
    std::expected<std::optional<ContainerKey>, int> key_;
    std::string message_;  ///< said at each call
};

struct SecretOptions {
    std::string password_file, key_file;
    std::shared_ptr<Secret> secret = std::make_shared<Secret>();  ///< shared by all copies

    std::expected<std::optional<ContainerKey>, int> key() const {
        return secret->key(password_file, key_file);
    }
};

void add_secrets(Arguments& arguments, SecretOptions& options);

}  // namespace gdvar::app
