#include "options/secret.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/platform/file.hpp"
#include "base/platform/terminal.hpp"
#include "gdvar/save/source.hpp"
#include "output/messages.hpp"
#include "output/printable.hpp"

namespace gdvar::app {
namespace {

using Key = std::expected<std::optional<ContainerKey>, int>;

/// The password of a game that uses `OS.get_unique_id()`. Errors: an exit code, with a message.
std::expected<std::string, int> os_id(std::string& message) {
    const std::string origin = platform::machine_id_origin();
    auto id = platform::machine_id();
    if (id && !id->empty())
        return *std::move(id);
    if (id)
        message = origin +
                  ": error[bad_key]: this machine has no id, for which engines take an empty "
                  "password: --password-file with an empty line";
    else if (id.error().number == ENOTSUP)
        message =
            "gdvar: error[io]: --password-os-id knows the ids of Linux and Windows alone; give "
            "this machine's id by --password-file";
    else
        message = origin + ": " + in_words(FileError::io(id.error().number));
    return std::unexpected<int>(id ? refused : io_error);
}

Key read_key(const KeyOptions& from, std::string& message) {
    const auto& [password_file, key_file, password_os_id] = from;
    const auto refuse = [&](const std::string& what, int exit) -> Key {
        message = what;
        return std::unexpected(exit);
    };
    const auto made = [&](const std::expected<ContainerKey, Error>& key,
                          const std::string& origin) -> Key {
        if (key)
            return *key;
        return refuse(origin + ": " +
                          (key.error().code == Errc::bad_key
                               ? "error[bad_key]: a key is 32 bytes, or 64 hex digits"
                               : in_words(key.error())),
                      refused);
    };
    if (!password_file.empty() + !key_file.empty() + password_os_id > 1)
        return refuse("gdvar: --password-file, --key-file or --password-os-id, not several", usage);
    if (password_os_id) {
        const auto id = os_id(message);
        if (!id)
            return std::unexpected(id.error());
        return made(key_from_password(*id), "--password-os-id");
    }
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
    if (const char* password = std::getenv(password_variable); password && *password)
        return made(key_from_password(password), password_variable);
    if (const char* key = std::getenv(key_variable); key && *key)
        return made(key_from_bytes(as_bytes(std::string_view(key))), key_variable);
    return std::nullopt;
}

}  // namespace

Key Secret::key(const KeyOptions& from) {
    const std::lock_guard lock(mutex_);
    if (!read_) {
        read_ = true;
        key_ = read_key(from, message_);
    }
    if (!message_.empty())
        say(message_);
    return key_;
}

std::expected<std::vector<Password>, int> Secret::passwords(const std::string& file,
                                                            bool may_lack) {
    const std::lock_guard lock(mutex_);
    if (!passwords_)
        passwords_ = read_passwords(file, may_lack);
    if (*passwords_)
        return **passwords_;
    return std::unexpected<int>(give_up(io_error, passwords_->error()));
}

std::expected<std::vector<NamedKey>, int> SecretOptions::keys(const std::string& file) const {
    const std::string from = passwords_read();
    if (from.empty())
        return {};
    const auto all = secret->passwords(from, passwords_file.empty());
    if (!all)
        return std::unexpected(all.error());
    auto out = keys_for(*all, file, from);
    if (out.size() > most_tried) {
        say(file + ": note: of " + std::to_string(out.size()) + " passwords in " +
            short_path(from) + " only the first " + std::to_string(most_tried) + " are tried");
        out.resize(most_tried);
    }
    return out;
}

std::string SecretOptions::why_no_keys(const std::string& file) const {
    const std::string from = passwords_read();
    if (from.empty() || !platform::info_of(from))
        return {};
    const auto all = secret->passwords(from, passwords_file.empty());
    if (!all || !keys_for(*all, file, from).empty())
        return {};
    if (all->empty())
        return short_path(from) + " holds no password (it is empty or has only comments)";
    return "no password in " + short_path(from) + " is for a file of this name";
}

std::string SecretOptions::no_key(const std::string& file) const {
    const std::string why = why_no_keys(file);
    return (why.empty() ? "" : why + "; ") +
           "use --password-file, --key-file, GDVAR_PASSWORD or the passwords file (--passwords)";
}

std::expected<ContainerKey, int> ask_key(const std::string& file) {
    platform::HiddenText password;
    if (!platform::read_hidden_line(0, "Password of " + printable(file) + ": ", password))
        return std::unexpected<int>(give_up(
            refused, file + ": error[bad_key]: it is encrypted (GDEC), and no password was given"));
    const auto key = key_from_password(password.text());
    if (key)
        return *key;
    return std::unexpected<int>(give_up(refused, file + ": " + in_words(key.error())));
}

std::expected<OpenLayers, LayersError> open_layers(const SecretOptions& secrets,
                                                   const std::string& file,
                                                   std::unique_ptr<Source> source, SaveOptions how,
                                                   int& exit) {
    const std::string name = file == "-" ? "<stdin>" : file;
    const auto ended = [&](int code) {
        exit = code;
        return std::unexpected(LayersError());
    };
    // The key is read only for encrypted input: it may come from a pipe.
    auto opened = gdvar::open_layers(std::move(source), how);
    const auto locked = [&] {
        return opened ? opened->locked : opened.error().error.code == Errc::bad_key;
    };
    const auto again = [&] {
        OpenLayers& before = opened ? *opened : opened.error().found;
        auto whole = std::move(before.sources.front());
        if (auto back = whole->rewind(); !back)
            opened = std::unexpected(LayersError{back.error(), {}});
        else
            opened = gdvar::open_layers(std::move(whole), how);
    };
    if (!locked())
        return opened;
    const auto key = secrets.key();
    if (!key)
        return ended(key.error());
    if (*key) {
        how.key = *key;
        again();
        return opened;
    }
    const auto keys = secrets.keys(file);
    if (!keys)
        return ended(keys.error());
    if (keys->empty() && opened)
        return opened;
    const auto in_stack = [&] {
        const OpenLayers& found = opened.error().found;
        return found.layers.empty() ? std::string()
                                    : " (" + stack_in_words(found.layers, found.kind) + ")";
    };
    if (keys->empty() && opened.error().found.kind == InputKind::pack) {
        say(name + ": " + to_string(opened.error().error) + ": use --key-file");
        return ended(refused);
    }
    // A wrong password and a damaged file look alike.
    const auto asked = [&]() -> std::expected<void, int> {
        constexpr int most_attempts = 3;
        for (int attempt = 0; attempt < most_attempts; ++attempt) {
            if (attempt)
                say("This password does not open it, or the file is damaged.");
            const auto typed = ask_key(file);
            if (!typed)
                return std::unexpected(typed.error());
            how.keys = {{"the password that was typed", *typed}};
            again();
            if (opened || opened.error().error.code != Errc::bad_checksum)
                return {};
        }
        return {};
    };
    if (keys->empty() && secrets.asks) {
        if (const std::string why = secrets.why_no_keys(file); !why.empty())
            say(name + ": note: " + why);
        if (const auto done = asked(); !done)
            return ended(done.error());
        return opened;
    }
    if (keys->empty()) {
        say(name + ": error[bad_key]: the file is encrypted (GDEC)" + in_stack() + ": " +
            secrets.no_key(file));
        return ended(refused);
    }
    how.keys = *keys;
    again();
    if (!opened && secrets.asks && opened.error().error.code == Errc::bad_checksum) {
        if (const auto done = asked(); !done)
            return ended(done.error());
        return opened;
    }
    if (opened)
        for (const Layer& layer : opened->layers)
            if (layer.opened_with)
                say(name + ": note: opened with " + layer.opened_with->name);
    if (opened || opened.error().error.code != Errc::bad_checksum)
        return opened;
    const std::string of = short_path(secrets.passwords_read());
    say(name + ": error[bad_checksum]: " +
        (keys->size() == 1
             ? keys->front().name + " does not fit"
             : "none of the " + std::to_string(keys->size()) + " passwords in " + of + " fits") +
        ", or the file is damaged" + in_stack());
    return ended(refused);
}

void add_secrets(Arguments& arguments, SecretOptions& options) {
    arguments.option("--password-file", options.password_file,
                     "file whose first line is the password; or set GDVAR_PASSWORD");
    arguments.flag("--password-os-id", options.password_os_id,
                   "the password is this machine's OS.get_unique_id(), which is never printed "
                   "(docs/saves.md)");
    arguments.option("--key-file", options.key_file,
                     "file with the key, 32 bytes or 64 hex digits; or set GDVAR_KEY");
    const auto file = arguments.option(
        "--passwords", options.passwords_file,
        "file of passwords to try without these; default: ~/.config/gdvar/passwords. Its lines: "
        "NAME = PASSWORD, or NAME key = 64 hex digits; mode 0600 (docs/editing.md)");
    arguments.flag("--no-passwords", options.no_passwords, "try no file of passwords")
        .excludes(file);
}

}  // namespace gdvar::app
