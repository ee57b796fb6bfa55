#include "options/secret.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>

#include "base/platform/file.hpp"
#include "base/platform/user.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/save/source.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
namespace {

constexpr std::string_view word_blanks = " \t";

std::string_view trimmed(std::string_view text) {
    const std::size_t from = text.find_first_not_of(word_blanks);
    return from == text.npos ? std::string_view()
                             : text.substr(from, text.find_last_not_of(word_blanks) - from + 1);
}

/// Takes a text in double quotes from the start of `line`. Nothing if it has no end.
std::optional<std::string> quoted(std::string_view& line) {
    std::string out;
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '"') {
            line.remove_prefix(i + 1);
            return out;
        }
        if (line[i] == '\\')
            ++i;
        if (i == line.size())
            break;
        out += line[i];
    }
    return std::nullopt;
}

constexpr const char* in_form =
    "; lines are as 'mygame = correct horse', or 'mygame key = ' and 64 hex digits";
constexpr const char* no_end = "the quoted text has no end";

/// Takes the name before `=`, and that sign, from `line`.
std::expected<Password, const char*> parse_name(std::string_view& line) {
    Password out;
    std::string_view word;
    if (line.starts_with('"')) {
        auto name = quoted(line);
        if (!name)
            return std::unexpected(no_end);
        out.name = *std::move(name);
    }
    const std::size_t equals = line.find('=');
    if (equals == line.npos)
        return std::unexpected("expected NAME = PASSWORD");
    word = trimmed(line.substr(0, equals));
    line.remove_prefix(equals + 1);
    if (out.name.empty()) {
        const std::size_t last = word.find_last_of(word_blanks);
        const bool both = last != word.npos && word.substr(last + 1) == "key";
        out.name = trimmed(both ? word.substr(0, last) : word);
        word.remove_prefix(both ? last + 1 : word.size());
        out.pattern = out.name.find_first_of("*?/") != out.name.npos;
    }
    if (out.name.empty())
        return std::unexpected("the name is missing");
    out.is_key = word == "key";
    if (!word.empty() && !out.is_key)
        return std::unexpected("expected = or key = behind the name");
    return out;
}

std::expected<Password, const char*> parse_line(std::string_view line) {
    auto out = parse_name(line);
    if (!out)
        return out;
    line = trimmed(line);
    std::string secret(line);
    if (line.starts_with('"')) {
        auto text = quoted(line);
        if (!text)
            return std::unexpected(no_end);
        if (!trimmed(line).empty())
            return std::unexpected("more text behind the quoted text");
        secret = *std::move(text);
    }
    if (secret.empty())
        return std::unexpected(out->is_key ? "the key is missing" : "the password is missing");
    const auto key = !out->is_key         ? key_from_password(secret)
                     : secret.size() < 64 ? std::unexpected(Error{Errc::bad_key})
                                          : key_from_bytes(as_bytes(secret));
    if (!key)
        return std::unexpected(out->is_key ? "a key is 64 hex digits"
                                           : "this system makes no keys of passwords (MD5)");
    out->key = *key;
    return out;
}

/// True if the pattern fits the whole text: `*` stands for any bytes, `?` for one character. Time:
/// the product of their lengths at most.
bool fits(std::string_view pattern, std::string_view text) {
    std::size_t p = 0, t = 0, star = pattern.npos, from = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            from = t;
        } else if (p < pattern.size() && pattern[p] == '?') {
            ++p;
            for (++t; t < text.size() && utf8::continues(text[t]);)
                ++t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != pattern.npos) {
            p = star + 1;
            t = ++from;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == pattern.npos;
}

/// A pattern with a slash is compared with the whole path, any other with the file's name.
bool is_for(const Password& password, const std::string& file) {
    if (file == "-")
        return false;
    // With slashes on each system.
    const std::string name = std::filesystem::path(password.name).generic_string();
    if (name.find('/') == name.npos)
        return fits(name, std::filesystem::path(file).filename().string());
    std::error_code failed;
    const auto path = std::filesystem::absolute(file, failed).lexically_normal().generic_string();
    return !failed &&
           fits(name.starts_with("~/") ? platform::home_folder() + name.substr(1) : name, path);
}

}  // namespace

std::expected<std::vector<Password>, std::string> parse_passwords(std::string_view text) {
    if (text.starts_with(utf8::byte_order_mark))
        text.remove_prefix(3);
    std::vector<Password> out;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        line = trimmed(line);
        if (line.empty() || line.starts_with('#'))
            continue;
        auto password = parse_line(line);
        if (!password)
            return std::unexpected(std::to_string(number) +
                                   ": error[bad_syntax]: " + password.error() + in_form);
        out.push_back(*std::move(password));
    }
    return out;
}

std::vector<NamedKey> keys_for(const std::vector<Password>& all, const std::string& file,
                               const std::string& of) {
    std::vector<NamedKey> out;
    for (const bool pattern : {true, false})
        for (const Password& password : all)
            if (password.pattern == pattern && (!pattern || is_for(password, file)))
                out.push_back({(password.is_key ? "key '" : "password '") + password.name +
                                   "' of " + short_path(of),
                               password.key});
    return out;
}

std::string default_passwords_file() {
    const std::string folder = platform::settings_folder();
    return folder.empty() ? "" : folder + "/gdvar/passwords";
}

std::string short_path(const std::string& path) {
    const std::string folder = platform::home_folder() + "/";
    return folder.size() > 1 && path.starts_with(folder) ? "~/" + path.substr(folder.size()) : path;
}

std::expected<std::vector<Password>, std::string> read_passwords(const std::string& path,
                                                                 bool may_lack) {
    const std::string name = short_path(path) + ": ";
    const auto refuse = [&](const std::string& why) { return std::unexpected(name + why); };
    const auto system = [&](int number) { return refuse(in_words(FileError::io(number))); };
    const auto kind = platform::info_of(path);
    if (!kind && may_lack && (kind.error().number == ENOENT || kind.error().number == ENOTDIR))
        return {};
    if (!kind)
        return system(kind.error().number);
    // Opening a pipe would wait.
    if (kind->kind != platform::FileKind::regular)
        return refuse("error[io]: the passwords are not read: this is no regular file");
    auto opened = platform::open_to_read(path);
    if (!opened)
        return system(opened.error().number);
    const platform::Descriptor descriptor(*opened);
    const auto info = platform::info_of(descriptor.get());
    if (!info)
        return system(info.error().number);
    if (!info->mine)
        return refuse("error[io]: the passwords are not read: the file belongs to another user");
    if (!info->owner_only)
        return refuse("error[io]: the passwords are not read: others may read the file; " +
                      platform::making_private(short_path(path)));
    FileSource source = FileSource::borrow(descriptor.get());
    const auto bytes = read_all(source, 1 << 20);
    if (!bytes)
        return refuse(in_words(bytes.error()));
    auto all = parse_passwords(gdvar::detail::as_text(bytes->data(), bytes->size()));
    if (!all)
        return std::unexpected(short_path(path) + ":" + all.error());
    return all;
}

}  // namespace gdvar::app
