#include "file/browser_files.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_set>

#include "gdvar/base/utf8.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::string_view userfs = "/userfs";
/// Members that name a record, and members that hold it.
constexpr std::string_view naming[] = {"key", "path", "name", "primaryKey", "filename", "id"};
constexpr std::string_view holding[] = {"value", "data", "record", "contents", "$"};

bool is_among(std::string_view word, std::span<const std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

std::string_view text_of(const Variant* value) {
    return value && value->is(Type::string) ? value->text() : std::string_view();
}

bool is_path(std::string_view name) {
    return name.starts_with(userfs) && name.size() > userfs.size() && name[userfs.size()] == '/';
}

// ---- contents

struct FoundBytes {
    Bytes bytes;
    const char* form = nullptr;
    bool lost = false;
};

/// A byte; some exporters take Int8Array for it.
std::optional<std::byte> byte_of(const Variant& value) {
    if (!value.is(Type::integer))
        return std::nullopt;
    const std::int64_t number = value.integer();
    if (number < -128 || number > 255)
        return std::nullopt;
    return static_cast<std::byte>(number & 0xFF);
}

std::optional<FoundBytes> from_numbers(const Array& array) {
    FoundBytes out{.bytes = {}, .form = "an array of numbers"};
    out.bytes.reserve(array.size());
    for (const Variant& element : array) {
        const auto byte = byte_of(element);
        if (!byte)
            return std::nullopt;
        out.bytes.push_back(*byte);
    }
    return out;
}

/// `{"0": 71, "1": 68}`: a Uint8Array by JSON.stringify. The numbers may have any order, but none
/// may be missing.
std::optional<FoundBytes> from_members(const Dictionary& members) {
    FoundBytes out{.bytes = {}, .form = "an object of numbers", .lost = members.empty()};
    out.bytes.resize(members.size());
    std::vector<bool> there(members.size());
    for (const Dictionary::Pair& pair : members) {
        const std::string_view key = text_of(&pair.key);
        std::size_t index = 0;
        const auto read = std::from_chars(key.data(), key.data() + key.size(), index);
        const auto byte = byte_of(pair.value);
        if (key.empty() || read.ec != std::errc() || read.ptr != key.data() + key.size() ||
            index >= there.size() || there[index] || !byte)
            return std::nullopt;
        there[index] = true;
        out.bytes[index] = *byte;
    }
    return out;
}

/// A String with one character for each byte. One is a control character, which texts lack.
std::optional<Bytes> from_binary_string(std::string_view text) {
    Bytes out;
    bool control = false;
    while (!text.empty()) {
        const auto first = static_cast<unsigned char>(text[0]);
        const auto second = text.size() > 1 ? static_cast<unsigned char>(text[1]) : 0u;
        const bool two = first == 0xC2 || first == 0xC3;
        if (first >= 0x80 && (!two || (second & 0xC0) != 0x80))
            return std::nullopt;
        const unsigned value = two ? (first & 0x03u) << 6 | (second & 0x3Fu) : first;
        control = control || (value < 0x20 && value != '\t' && value != '\n' && value != '\r' &&
                              value != '\f');
        out.push_back(static_cast<std::byte>(value));
        text.remove_prefix(two ? 2 : 1);
    }
    return control ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<Bytes> from_percent(std::string_view text) {
    Bytes out;
    while (!text.empty()) {
        unsigned value = static_cast<unsigned char>(text[0]);
        if (text[0] == '%') {
            const char* const from = text.data() + 1;
            if (text.size() < 3 || std::from_chars(from, from + 2, value, 16).ptr != from + 2)
                return std::nullopt;
            text.remove_prefix(2);
        }
        text.remove_prefix(1);
        out.push_back(static_cast<std::byte>(value));
    }
    return out;
}

std::optional<FoundBytes> from_text(std::string_view text) {
    if (text.starts_with("data:")) {
        const std::size_t comma = text.find(',');
        if (comma == text.npos)
            return std::nullopt;
        const std::string_view rest = text.substr(comma + 1);
        std::optional<Bytes> bytes;
        if (!text.substr(0, comma).ends_with(";base64"))
            bytes = from_percent(rest);
        else if (auto read = read_digits(rest, DigitForm::Digits::base64))
            bytes = std::move(read->bytes);
        return bytes ? std::optional(FoundBytes{*std::move(bytes), "a data URL"}) : std::nullopt;
    }
    if (auto read = read_digits(text, DigitForm::Digits::base64))
        return FoundBytes{std::move(read->bytes), "Base64"};
    if (auto bytes = from_binary_string(text))
        return FoundBytes{*std::move(bytes), "a binary string"};
    const ByteView bytes = as_bytes(text);
    return FoundBytes{{bytes.begin(), bytes.end()}, "text"};
}

/// A view of a buffer: `{"buffer": ..., "byteOffset": 0, "length": 12}`, as Dexie writes it.
std::optional<FoundBytes> part_of(std::optional<FoundBytes> buffer, const Dictionary& view) {
    const Variant* offset = view.find("byteOffset");
    const Variant* length = view.find("length");
    if (!buffer || (!offset && !length))
        return buffer;
    const auto size = static_cast<std::int64_t>(buffer->bytes.size());
    const std::int64_t from = offset && offset->is(Type::integer) ? offset->integer() : 0;
    const std::int64_t count =
        length && length->is(Type::integer) ? length->integer() : size - from;
    if (from < 0 || from > size || count < 0 || count > size - from)
        return std::nullopt;
    buffer->bytes.resize(static_cast<std::size_t>(from + count));
    buffer->bytes.erase(buffer->bytes.begin(),
                        buffer->bytes.begin() + static_cast<std::ptrdiff_t>(from));
    return buffer;
}

std::optional<FoundBytes> from_one(const Variant& value) {
    if (const Array* array = value.get_if<Array>())
        return from_numbers(*array);
    if (const Dictionary* members = value.get_if<Dictionary>())
        return from_members(*members);
    if (value.is(Type::string))
        return from_text(value.text());
    return std::nullopt;
}

/// The bytes of a value, which may be wrapped several times.
std::optional<FoundBytes> contents_of(const Variant& value) {
    constexpr std::string_view inner[] = {"buffer", "data", "base64", "v", "value", "bytes"};
    const Dictionary* around = nullptr;
    const Variant* at = &value;
    for (int level = 0; level < 2; ++level) {
        const Dictionary* members = at->get_if<Dictionary>();
        if (!members)
            break;
        const Variant* next = nullptr;
        for (const std::string_view name : inner)
            next = next ? next : members->find(name);
        if (!next)
            break;
        around = around ? around : members;
        at = next;
    }
    auto out = from_one(*at);
    return around ? part_of(std::move(out), *around) : out;
}

// ---- records

constexpr std::int64_t mode_type = 0xF000, regular_file = 0x8000;

/// From a record's `mode`; nothing if there is none.
std::optional<bool> is_regular(const Dictionary& record) {
    const Variant* mode = record.find("mode");
    if (!mode || !mode->is(Type::integer))
        return std::nullopt;
    return (mode->integer() & mode_type) == regular_file;
}

class Walk {
public:
    std::vector<BrowserFile> files;

    void run(const Variant& top) {
        stack_.push_back({&top, {}});
        while (!stack_.empty()) {
            const Place place = stack_.back();
            stack_.pop_back();
            const std::size_t before = stack_.size();
            if (const Dictionary* members = place.value->get_if<Dictionary>())
                of_object(*members, place.name);
            else if (const Array* array = place.value->get_if<Array>())
                of_array(*array);
            std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(before), stack_.end());
        }
    }

private:
    struct Place {
        const Variant* value;
        std::string_view name;  ///< the record's key; may be empty
    };

    /// The first file of each name counts: several records may be nested under one name, and a copy
    /// for each would be a multiple of the text.
    void add(std::string_view name, const Variant& value) {
        BrowserFile file{.name = {}, .bytes = {}};
        if (!name.empty() && given_.insert(name.data()).second)
            file.name = name;
        if (auto contents = contents_of(value)) {
            file.bytes = std::move(contents->bytes);
            file.form = contents->form;
            file.lost = contents->lost;
        }
        files.push_back(std::move(file));
    }
    void child(const Variant& value, std::string_view name) {
        if (value.is(Type::dictionary) || value.is(Type::array))
            stack_.push_back({&value, name});
    }
    void of_object(const Dictionary& members, std::string_view name) {
        for (const std::string_view member : naming)
            if (const std::string_view own = text_of(members.find(member)); !own.empty()) {
                name = name.empty() || is_path(own) ? own : name;
                break;
            }
        const Variant* contents = members.find("contents");
        const auto regular = is_regular(members);
        if (contents && regular.value_or(is_path(name)))
            return add(name, *contents);
        if (regular)  // a folder
            return;
        const bool by_path = std::ranges::all_of(
            members, [](const Dictionary::Pair& pair) { return is_path(text_of(&pair.key)); });
        for (const Dictionary::Pair& pair : members) {
            const std::string_view key = text_of(&pair.key);
            if (is_path(key) && (is_file(pair.value) || (by_path && pair.value.is(Type::string))))
                add(key, pair.value);
            else if (is_path(name) && is_among(key, holding) && is_file(pair.value))
                add(name, pair.value);
            else
                child(pair.value, is_among(key, holding) && !name.empty() ? name : key);
        }
    }
    void of_array(const Array& array) {
        const bool pair = array.size() == 2 && array[0].is(Type::string);
        if (pair && is_path(array[0].text()) && is_file(array[1]))
            return add(array[0].text(), array[1]);
        for (const Variant& element : array)
            child(element, pair ? array[0].text() : std::string_view());
    }
    /// True if the value is the content of a file, without a record around it. A String is not: a
    /// game's own JSON may have paths as keys, too.
    static bool is_file(const Variant& value) {
        if (value.is(Type::string))
            return false;
        const Dictionary* members = value.get_if<Dictionary>();
        if (members && (members->find("contents") || members->find("mode")))
            return false;
        return contents_of(value).has_value();
    }

    std::vector<Place> stack_;
    std::unordered_set<const char*> given_;  ///< names, by address
};

}  // namespace

bool may_hold_browser_files(std::string_view text) noexcept {
    return text.find("\"contents\"") != text.npos || text.find(userfs) != text.npos;
}

std::expected<std::vector<BrowserFile>, TextError> read_browser_files(std::string_view text) {
    const auto value = parse_plain_json(text);
    if (!value)
        return std::unexpected(value.error());
    Walk walk;
    walk.run(*value);
    return std::move(walk.files);
}

}  // namespace gdvar
