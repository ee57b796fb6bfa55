#include "options/secret.hpp"

#include <algorithm>
#include <cstdlib>

#include "gdvar/save/source.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
namespace {

using Key = std::expected<std::optional<ContainerKey>, int>;

Key read_key(const std::string& password_file, const std::string& key_file, std::string& message) {
    const auto refuse = [&](const std::string& what, int exit) -> Key {
        message = what;
        return std::unexpected(exit);
    };
    const auto made = [&](const std::expected<ContainerKey, Error>& key,
                          const std::string& from) -> Key {
        if (key)
            return *key;
        return refuse(from + ": " +
                          (key.error().code == Errc::bad_key
                               ? "error[bad_key]: a key is 32 bytes, or 64 hex digits"
                               : in_words(key.error())),
                      refused);
    };
    if (!password_file.empty() && !key_file.empty())
        return refuse("gdvar: --password-file or --key-file, not both", usage);
    if (const std::string& path = password_file.empty() ? key_file : password_file; !path.empty()) {
        auto source = FileSource::open(path);
        const auto bytes = source ? read_all(*source, 1 << 20) : std::unexpected(source.error());
        if (!bytes)
            return refuse(path + ": " + in_words(bytes.error()), io_error);
        if (password_file.empty())
            return made(key_from_bytes(*bytes), path);
        std::string line(reinterpret_cast<const char*>(bytes->data()), bytes->size());
        line.resize(std::min(line.size(), line.find_first_of("\r\n")));
        return made(key_from_password(line), path);
    }
    if (const char* password = std::getenv("GDVAR_PASSWORD"); password && *password)
        return made(key_from_password(password), "GDVAR_PASSWORD");
    if (const char* key = std::getenv("GDVAR_KEY"); key && *key)
        return made(key_from_bytes(as_bytes(std::string_view(key))), "GDVAR_KEY");
    return std::nullopt;
}

}  // namespace

Key Secret::key(const std::string& password_file, const std::string& key_file) {
    const std::lock_guard lock(mutex_);
    if (!read_) {
        read_ = true;
        key_ = read_key(password_file, key_file, message_);
    }
    if (!message_.empty())
        say(message_);
    return key_;
}

void add_secrets(Arguments& arguments, SecretOptions& options) {
    arguments.option("--password-file", options.password_file,
                     "file whose first line is the password; or set GDVAR_PASSWORD");
    arguments.option("--key-file", options.key_file,
                     "file with the key, 32 bytes or 64 hex digits; or set GDVAR_KEY");
}

}  // namespace gdvar::app
