#include "edit/editor.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/ascii.hpp"
#include "base/platform/user.hpp"
#include "gdvar/base/quote.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/save/digest.hpp"
#include "output/messages.hpp"
#include "output/printable.hpp"

namespace gdvar::app {
namespace {

namespace fs = std::filesystem;

constexpr char folder_begins[] = "gdvar-edit-";
/// Beside the text, in its folder: what the text was made of.
constexpr char origin_name[] = ".gdvar-edit";
constexpr char origin_begins[] = "gdvar edit 2";

std::string system_words(int number) {
    return in_words(FileError::io(number));
}

/// The last part of a file's name, of characters that no shell and no editor takes for more.
std::string plain_name(const std::string& name) {
    std::string out;
    for (const char c : fs::path(name).filename().string())
        out += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       (!out.empty() && (c == '.' || c == '-' || c == '_'))
                   ? c
                   : '_';
    constexpr std::size_t most = 80;
    out.resize(std::min(out.size(), most));
    return out.empty() ? "value" : out;
}

}  // namespace

std::string users_editor() {
    for (const char* name : {"VISUAL", "EDITOR"}) {
        const char* const line = std::getenv(name);
        if (line && !gdvar::detail::all_space(line))
            return line;
    }
    for (const char* program : platform::usual_editors())
        if (platform::has_program(program))
            return program;
    return {};
}

std::expected<std::string, FileError> hash_of(const std::string& file) {
    auto source = FileSource::open(file);
    const auto digest =
        source ? digest_of(*source, DigestKind::sha256) : std::unexpected(source.error());
    return digest ? std::expected<std::string, FileError>(to_hex(*digest))
                  : std::unexpected(digest.error());
}

std::string Origin::text() const {
    return std::string(origin_begins) + "\n" + hash + "\n" + path + "\n" + form + "\n" + dialect +
           "\n";
}

std::expected<Origin, std::string> Origin::of_text(std::string_view text) {
    std::array<std::string, 5> lines;
    for (std::string& line : lines) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (lines[0] != origin_begins)
        return std::unexpected("what stands beside the text was made by another version of gdvar");
    return Origin{lines[1], lines[2], lines[3], lines[4]};
}

std::string Origin::differs_from(const Origin& now) const {
    if (hash != now.hash)
        return "the save has changed since this text was made";
    if (path != now.path)
        return path == quote("") ? "this text is of the whole save, so no PATH stands there"
                                 : "this text is of the PATH " + path;
    if (form != now.form)
        return "this text is in the form " + form + ", and now it would be " + now.form;
    if (dialect != now.dialect)
        return "this text is of the dialect " + dialect + ", and the save is read as " +
               now.dialect;
    return {};
}

std::expected<EditedFile, std::string> EditedFile::make(const std::string& name, const char* suffix,
                                                        std::string_view text,
                                                        const Origin& origin) {
    const std::string parent = platform::private_folder();
    auto folder = platform::make_private_folder(parent, folder_begins);
    if (!folder)
        return std::unexpected(parent + ": " + system_words(folder.error().number));
    EditedFile out;
    out.folder_ = *std::move(folder);
    out.path_ = out.folder_ + "/" + plain_name(name) + suffix;
    // A file system without locks only has the consequence that what is left there is not named.
    if (auto held = platform::hold_folder(out.folder_))
        out.held_ = *std::move(held);
    const auto made = [](const std::string& path, std::string_view bytes) {
        const auto file = platform::make_private_file(path, as_bytes(bytes));
        return file ? std::string() : path + ": " + system_words(file.error().number);
    };
    std::string why = made(out.path_, text);
    if (why.empty())
        why = made(out.origin_path(), origin.text());
    if (!why.empty())
        return std::unexpected(std::move(why));
    return out;
}

std::expected<EditedFile, std::string> EditedFile::take_over(const std::string& path) {
    const auto refuse = [&](const std::string& why) { return std::unexpected(path + ": " + why); };
    const auto info = platform::info_of(path);
    if (!info)
        return refuse(system_words(info.error().number));
    // Only such a folder is removed in the end.
    std::error_code failed;
    const fs::path folder = fs::canonical(fs::path(path).parent_path() / ".", failed);
    const std::string name = fs::path(path).filename().string();
    const bool ours = !failed && folder.filename().string().starts_with(folder_begins) &&
                      info->kind == platform::FileKind::regular && name != origin_name &&
                      platform::info_of((folder / origin_name).string());
    if (!ours)
        return refuse("error[misplaced]: this is no text that an edit has left in its folder");
    EditedFile out;
    out.kept_ = true;
    out.folder_ = folder.generic_string();
    out.path_ = (folder / name).generic_string();
    if (platform::is_left_folder(out.folder_))
        if (auto held = platform::hold_folder(out.folder_))
            out.held_ = *std::move(held);
    if (!out.held_)
        return refuse(
            "error[misplaced]: this text is being edited, or its folder is not yours alone");
    return out;
}

std::expected<Origin, std::string> EditedFile::origin() const {
    constexpr std::size_t most = 1 << 20;
    auto source = FileSource::open(origin_path());
    auto bytes = source ? read_all(*source, most) : std::unexpected(source.error());
    if (!bytes)
        return std::unexpected(origin_path() + ": " + in_words(bytes.error()));
    return Origin::of_text(gdvar::detail::as_text(bytes->data(), bytes->size()));
}

std::string EditedFile::origin_path() const {
    return folder_ + "/" + origin_name;
}

EditedFile::EditedFile(EditedFile&& other) noexcept
    : folder_(std::exchange(other.folder_, {})),
      path_(std::exchange(other.path_, {})),
      held_(std::move(other.held_)),
      kept_(other.kept_) {}

EditedFile::~EditedFile() {
    // The folder is ours; editors leave copies beside the file.
    std::error_code ignored;
    if (!folder_.empty() && !kept_)
        fs::remove_all(folder_, ignored);
}

std::vector<std::string> left_texts() {
    std::vector<std::string> out;
    std::error_code failed;
    const fs::path parent = platform::private_folder();
    for (auto at = fs::directory_iterator(parent, failed); !failed && at != fs::end(at);
         at.increment(failed)) {
        const std::string folder = at->path().generic_string();
        if (!at->path().filename().string().starts_with(folder_begins) ||
            !platform::is_left_folder(folder))
            continue;
        std::error_code unreadable;
        for (auto inside = fs::directory_iterator(folder, unreadable);
             !unreadable && inside != fs::end(inside); inside.increment(unreadable))
            if (inside->path().filename() != origin_name) {
                out.push_back(inside->path().generic_string());
                break;
            }
    }
    std::ranges::sort(out);
    return out;
}

std::expected<std::string, std::string> EditedFile::read(std::size_t most) const {
    const auto refuse = [&](const std::string& why) { return std::unexpected(path_ + ": " + why); };
    const auto info = platform::info_of(path_);
    if (!info && info.error().number == ENOENT)
        return refuse("error[io]: the editor has removed this file");
    if (!info)
        return refuse(system_words(info.error().number));
    if (info->kind != platform::FileKind::regular)
        return refuse("error[io]: this is no regular file any more");
    auto source = FileSource::open(path_);
    auto bytes = source ? read_all(*source, most) : std::unexpected(source.error());
    if (!bytes)
        return refuse(in_words(bytes.error()));
    return std::string(gdvar::detail::as_text(bytes->data(), bytes->size()));
}

std::string EditedFile::keep() {
    kept_ = true;
    const auto info = platform::info_of(path_);
    if (info || info.error().number != ENOENT)
        return "your text is kept in " + path_;
    std::error_code failed;
    fs::remove(origin_path(), failed);
    if (!fs::is_empty(folder_, failed) && !failed)
        return "the text is gone; what the editor left is kept in " + folder_;
    kept_ = false;
    fs::remove(folder_, failed);
    return "no text is left to keep";
}

namespace {

/// The typed answer without the blanks around it, in small letters.
std::string answer_in(std::string_view line) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t from = line.find_first_not_of(blanks);
    if (from == line.npos)
        return {};
    std::string out(line.substr(from, line.find_last_not_of(blanks) - from + 1));
    for (char& c : out)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

}  // namespace

char ask(platform::HeldSignals& signals, const std::string& question,
         std::initializer_list<std::string_view> answers, int& signal) {
    for (;;) {
        std::fprintf(stderr, "%s ", printable(question).c_str());
        std::fflush(stderr);
        std::string line;
        while (!line.ends_with('\n')) {
            const auto waited = signals.to_read(0);
            signal = waited ? waited->signal : 0;
            std::byte one[1];
            const auto got = waited && !signal ? platform::read(0, one) : std::size_t{0};
            if (!waited || signal || !got || *got == 0) {
                std::fputc('\n', stderr);
                return 0;
            }
            line += static_cast<char>(one[0]);
        }
        const std::string said = answer_in(line);
        for (const std::string_view answer : answers)
            if (said == answer || said == answer.substr(0, 1))
                return answer.front();
    }
}

}  // namespace gdvar::app
