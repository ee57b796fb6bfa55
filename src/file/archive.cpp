#include "gdvar/file/archive.hpp"

#include <algorithm>
#include <charconv>
#include <new>
#include <numeric>
#include <utility>

#include "base/escape.hpp"
#include "base/exceptions.hpp"
#include "base/sort.hpp"
#include "file/browser_files.hpp"
#include "file/game_path.hpp"
#include "file/layers/rest_source.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/save/pack.hpp"

namespace gdvar {
namespace {

std::string counted(std::size_t count, const char* what) {
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

std::string_view without_root(std::string_view name) {
    return name.starts_with(detail::game_folder) ? name.substr(detail::game_folder.size()) : name;
}

bool has_control(std::string_view name) {
    return std::ranges::any_of(name, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7F;
    });
}

/// True for invisible characters, and for those that change the order of others.
bool has_hidden(std::string_view name) {
    std::string plain(name), escaped;
    // These are escaped, too, but are visible.
    std::erase_if(plain, [](char c) { return c == '"' || c == '\\'; });
    detail::append_escaped(escaped, plain, detail::Hidden::unseen);
    return escaped != plain;
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// True if a folder or the file has the name of a Windows drive.
bool has_drive(std::string_view path) {
    for (std::size_t at = 0; at + 1 < path.size(); at = path.find('/', at) + 1) {
        if (is_letter(path[at]) && path[at + 1] == ':')
            return true;
        if (path.find('/', at) == path.npos)
            return false;
    }
    return false;
}

/// Notes suspicious parts of a name. In a browser all paths are absolute.
void note_name(ArchiveEntry& entry, bool may_be_absolute) {
    const std::string_view path = without_root(entry.name);
    if (entry.name.empty())
        entry.notes.emplace_back("no name");
    const auto note = [&](bool holds, std::string_view words) {
        if (holds)
            entry.notes.push_back(words);
        entry.hostile_name = entry.hostile_name || holds;
    };
    note(detail::leads_out(path), "leads out of its folder");
    note(!may_be_absolute && !path.empty() && (path[0] == '/' || path[0] == '\\'), "absolute path");
    note(has_drive(path), "drive letter");
    note(may_be_absolute && path.find("//") != path.npos, "absolute path");
    note(path.find('\\') != path.npos, "backslash");
    note(path.find('\0') != path.npos, "NUL in the name");
    note(has_control(path), "control character");
    const bool is_text = valid_text(entry.name, Utf8Rule::strict);
    note(is_text && !has_control(path) && has_hidden(path), "hidden character");
    note(!is_text, "not UTF-8");
}

class Pack final : public Archive {
public:
    Pack(Source& source, PackFile pack, const SaveOptions& options)
        : Archive(InputKind::pack), source_(source), pack_(std::move(pack)) {
        if (options.key)
            keys_.push_back(*options.key);
        else
            for (const NamedKey& named : options.keys)
                keys_.push_back(named.key);
        entries_.reserve(pack_.entries().size());
        for (const PackEntry& entry : pack_.entries())
            entries_.push_back(entry_of(entry));
        description_ = "format " + std::to_string(pack_.format()) + " of Godot " + pack_.engine() +
                       (pack_.encrypted() ? ", its directory encrypted" : "") +
                       (pack_.sparse() ? ", its files beside it" : "") + ", " +
                       counted(entries_.size(), "file");
        note_names();
    }
    std::expected<std::unique_ptr<Source>, FileError> open(std::size_t number) const override {
        auto out = pack_.open_entry(source_, number, keys_.empty() ? nullptr : &keys_[0]);
        for (std::size_t i = 1; i < keys_.size(); ++i)
            if (!out && out.error().code == Errc::bad_checksum)
                out = pack_.open_entry(source_, number, &keys_[i]);
        return out;
    }

private:
    ArchiveEntry entry_of(const PackEntry& entry) const {
        ArchiveEntry out{.name = entry.name,
                         .size = entry.size,
                         .offset = entry.offset,
                         .encrypted = entry.encrypted};
        const auto note = [&](bool holds, std::string_view words, bool opens) {
            if (holds)
                out.notes.push_back(words);
            out.opens = out.opens && (opens || !holds);
        };
        if (entry.has_md5())
            out.md5 = entry.md5;
        const auto all = source_.size();
        const bool here = !entry.removed && !pack_.sparse();
        const bool fits = !all || entry.size <= *all - std::min(*all, entry.offset);
        note(entry.removed, "removed by this patch", false);
        note(entry.delta, "a delta of another pack's file", false);
        note(pack_.sparse() && !entry.removed, "beside the pack", false);
        note(entry.encrypted, "encrypted", true);
        note(here && !fits, "beyond the end of the file", false);
        return out;
    }

    Source& source_;
    PackFile pack_;
    std::vector<ContainerKey> keys_;
};

class BrowserArchive final : public Archive {
public:
    explicit BrowserArchive(std::vector<BrowserFile> files)
        : Archive(InputKind::browser_files), files_(std::move(files)) {
        entries_.reserve(files_.size());
        for (const BrowserFile& file : files_) {
            ArchiveEntry entry{.name = file.name, .size = file.bytes.size()};
            entry.opens = file.form != nullptr;
            entry.notes.emplace_back(file.form ? file.form : "contents of no known form");
            if (file.lost)
                entry.notes.emplace_back("empty, or lost by the export");
            entries_.push_back(std::move(entry));
        }
        description_ = counted(entries_.size(), "file") + " that a game has left in a browser";
        note_names();
    }
    std::expected<std::unique_ptr<Source>, FileError> open(std::size_t number) const override {
        if (number >= files_.size())
            return std::unexpected(Error{Errc::index_out_of_range}.about_index(
                static_cast<std::int64_t>(number), files_.size()));
        if (!entries_[number].opens)
            return std::unexpected(Error{Errc::misplaced}.about_reason(
                "the export has the contents of this file in no form that is known"));
        return std::make_unique<OwnedSource>(files_[number].bytes);
    }

private:
    std::vector<BrowserFile> files_;
};

std::expected<std::unique_ptr<Archive>, FileError> open_pack(Source& source,
                                                             const SaveOptions& options) {
    PackOptions how{
        .key = options.the_key(), .skip = options.skip, .max_directory = options.most_held()};
    auto pack = PackFile::open(source, how);
    if (!pack && pack.error().code == Errc::bad_key && !options.key && !options.keys.empty()) {
        for (const NamedKey& named : options.keys) {
            how.key = &named.key;
            pack = PackFile::open(source, how);
            if (pack || pack.error().code != Errc::bad_checksum)
                break;
        }
    }
    if (!pack)
        return std::unexpected(pack.error());
    return std::make_unique<Pack>(source, *std::move(pack), options);
}

std::expected<std::unique_ptr<Archive>, FileError> open_browser_files(Source& source,
                                                                      const SaveOptions& options) {
    const auto text = read_rest(source, options.skip, options.most_held());
    if (!text)
        return std::unexpected(text.error());
    auto files = read_browser_files(detail::as_text(text->data(), text->size()));
    if (!files) {
        const TextError& why = files.error();
        return std::unexpected(Error{why.code, why.type, why.offset, 0});
    }
    if (files->empty())
        return std::unexpected(Error{Errc::not_recognised}.about_reason(
            "this JSON has no files that a game has left in a browser"));
    return std::make_unique<BrowserArchive>(*std::move(files));
}

}  // namespace

void Archive::note_names() {
    for (ArchiveEntry& entry : entries_)
        note_name(entry, kind_ == InputKind::browser_files);
    // Among equal names the last counts.
    std::vector<std::size_t> order(entries_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto name = [&](std::size_t i) { return without_root(entries_[i].name); };
    detail::sort(order, [&](std::size_t a, std::size_t b) {
        const int sign = name(a).compare(name(b));
        return sign != 0 ? sign < 0 : a < b;
    });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (!name(order[i]).empty() && name(order[i - 1]) == name(order[i]))
            entries_[order[i - 1]].notes.emplace_back("comes again: the last one counts");
}

std::expected<std::size_t, Error> Archive::find(std::string_view name) const {
    const auto last = [&](auto&& fits) -> std::optional<std::size_t> {
        for (std::size_t i = entries_.size(); i-- > 0;)
            if (fits(entries_[i].name))
                return i;
        return std::nullopt;
    };
    // Names begin with `res://` in a pack of Godot 3, but not in one of Godot 4.5.
    const std::string_view short_name = without_root(name);
    const bool pack = kind_ == InputKind::pack;
    if (!name.empty())
        if (const auto at = last([&](std::string_view entry) {
                return pack ? without_root(entry) == short_name : entry == name;
            }))
            return *at;
    std::size_t number = 0;
    const char* const end = name.data() + name.size();
    if (!name.starts_with('#') || name.size() < 2)
        return std::unexpected(Error{Errc::missing_key}.about_key(name));
    const auto read = std::from_chars(name.data() + 1, end, number);
    if (read.ptr != end)
        return std::unexpected(Error{Errc::missing_key}.about_key(name));
    if (read.ec != std::errc{})
        number = SIZE_MAX;
    if (number < entries_.size())
        return number;
    return std::unexpected(Error{Errc::index_out_of_range}.about_index(
        static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX)), entries_.size()));
}

std::expected<std::unique_ptr<Archive>, FileError> open_archive(
    Source& source, InputKind kind, const SaveOptions& options) GDVAR_TRY {
    if (kind == InputKind::pack)
        return open_pack(source, options);
    if (kind == InputKind::browser_files)
        return open_browser_files(source, options);
    return std::unexpected(Error{Errc::bad_magic});
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory}))

}  // namespace gdvar
