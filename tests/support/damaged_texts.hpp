// Texts of each kind that recover mends, what they hold and where, and ways to damage them.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "gdvar/file/sections.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "support/texts.hpp"

namespace gdvar::test {

/// A value in a text, other than the containers around it.
struct TextEntry {
    std::string path, key, value;  ///< the value as a packet in hex
    std::size_t begin = 0;         ///< of its key, or its line
    std::size_t whole_at = 0;      ///< a text that goes so far has it
};

enum class TextForm : std::uint8_t {
    tree,  ///< brackets
    rows,  ///< sections
};

struct TextSave {
    InputKind kind{};
    std::string text;
    const Dialect* dialect = nullptr;
    TextForm form{};
    std::vector<TextEntry> entries{};
    /// Damage before that byte may leave nothing that can be loaded.
    std::size_t first_loadable = 0;
};

namespace texts {

inline bool is_document(OutlineKind kind) {
    return !is_bracketed(kind) && kind != OutlineKind::leaf;
}

/// Whether an engine wrote a header or a key that it does not read back: with a line end, `]`, `"`.
inline bool is_read_otherwise(std::string_view text, const Dialect& dialect) {
    bool odd = false;
    const TextLoss note = [&](std::uint64_t, std::string_view) { odd = true; };
    const auto read = read_config(text, {.family = dialect.family, .note = &note});
    if (!read)
        return true;
    for (const OutlineSpan& span : read->outline.spans) {
        const std::string_view header = text.substr(span.begin, span.end - span.begin);
        odd = odd || header.find('\n') != header.npos;
    }
    for (const OutlineNode& node : read->outline.nodes) {
        const std::string_view key = text.substr(node.key_begin, node.key_end - node.key_begin);
        odd = odd || key.find_first_of("\n;") != key.npos ||
              (!key.starts_with('"') && key.find('"') != key.npos);
    }
    return odd;
}

/// Adds the values below a node. `number`: of the node, which comes next.
inline void add(std::vector<TextEntry>& to, const Variant& value, const Outline& outline,
                std::uint32_t& number, const std::string& path, const std::string& key,
                std::string_view text, const Dialect& dialect, bool inside, std::size_t least = 0) {
    const OutlineNode node = outline.nodes[number++];
    const bool down = is_document(node.kind) || (inside && is_bracketed(node.kind));
    if (!down) {
        number = node.next;
        const auto packet = encode(value, {.dialect = &dialect, .allow_objects = true});
        TextEntry entry{path, key, packet ? hex(as_bytes(*packet)) : "?"};
        const std::size_t begin = node.key_end ? node.key_begin : node.begin;
        entry.begin = inside ? begin : text.rfind('\n', begin) + 1;
        const std::size_t end = std::max<std::size_t>(least, node.end);
        // A value of a tree ends for certain with the mark behind it.
        const std::size_t mark = text.find_first_not_of(" \t\r\n", end);
        entry.whole_at = inside ? std::min(mark, text.size()) + 1
                                : std::min(text.find('\n', end), text.size() - 1) + 1;
        to.push_back(std::move(entry));
        return;
    }
    // A tag is read as a whole.
    const std::size_t tag = node.kind == OutlineKind::attributes ? node.end : least;
    const auto child = [&](const Variant& at, const std::string& name) {
        add(to, at, outline, number, path + "/" + name, name, text, dialect, inside, tag);
    };
    if (const Array* array = value.get_if<Array>()) {
        for (std::size_t i = 0; i < array->size(); ++i)
            child((*array)[i], std::to_string(i));
    } else if (const Dictionary* pairs = value.get_if<Dictionary>()) {
        for (const Dictionary::Pair& pair : *pairs)
            child(pair.value, pair.key.is(Type::string)
                                  ? std::string(pair.key.text())
                                  : to_text(pair.key, dialect.family).value_or("?"));
    } else if (const Object* object = value.get_if<Object>()) {
        for (const Object::Property& property : *object)
            child(property.value, std::string(property.name));
    }
}

}  // namespace texts

/// The values of a text. Nothing if it is refused.
inline std::optional<std::vector<TextEntry>> entries_of(InputKind kind, std::string_view text,
                                                        const Dialect& dialect) {
    std::vector<TextEntry> out;
    std::uint32_t number = 0;
    const TextLoss as_in_a_file = [](std::uint64_t, std::string_view) {};
    if (kind == InputKind::config || kind == InputKind::resource) {
        const auto read = kind == InputKind::config
                              ? read_config(text, {.family = dialect.family})
                              : read_resource(text, {.family = dialect.family});
        if (!read)
            return std::nullopt;
        texts::add(out, read->value, read->outline, number, "", "", text,
                   sections_dialect(dialect.family), false);
        return out;
    }
    for (std::size_t begin = 0; begin < text.size();) {
        const bool lines = kind == InputKind::json_lines;
        const std::size_t end = lines ? std::min(text.find('\n', begin), text.size()) : text.size();
        if (lines && end == begin) {
            ++begin;
            continue;
        }
        Outline outline;
        number = 0;
        const auto value =
            kind == InputKind::text
                ? parse_text(text, {.family = dialect.family,
                                    .wrong_elements = WrongElements::kept,
                                    .strict_numbers = true,
                                    .whole = true,
                                    .resources = true,
                                    .outline = &outline,
                                    .loss = &as_in_a_file})
                : parse_plain_json(text.substr(begin, end - begin), {.trailing_commas = true,
                                                                     .loose_numbers = true,
                                                                     .any_bytes = true,
                                                                     .outline = &outline});
        if (!value)
            return std::nullopt;
        const std::size_t first = out.size();
        // Lines that are lost change the numbers of those behind them.
        texts::add(out, *value, outline, number, lines ? "" : "$", "", text, dialect, true);
        for (std::size_t i = first; i < out.size(); ++i) {
            out[i].begin += begin;
            out[i].whole_at += begin;
        }
        begin = end + 1;
    }
    return out;
}

/// Values of a game, as many as asked for.
inline Json game(int size, int seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    Json players = Json::array();
    for (int i = 0; i < size; ++i)
        players.push_back({{"name", "Player \"" + std::to_string(random() % 1000) + "\" é"},
                           {"hp", random() % 1000},
                           {"x", static_cast<double>(random() % 1000) / 8},
                           {"alive", random() % 2 == 0},
                           {"inventory", {random() % 9, "sword", nullptr}},
                           {"empty", Json::object()}});
    return {{"version", seed}, {"players", players}, {"notes", "a\nb\t{[=;]}"}};
}

/// `name`: "json", "config 36", ...; at most so many texts.
inline std::vector<TextSave> text_saves(const std::string& name, std::size_t most) {
    std::vector<TextSave> out;
    const auto add = [&](InputKind kind, std::string text, const Dialect& dialect) {
        TextSave save{kind, std::move(text), &dialect,
                      kind == InputKind::config || kind == InputKind::resource ? TextForm::rows
                                                                               : TextForm::tree};
        // No texts are those with control characters.
        const bool odd = std::ranges::any_of(save.text, [](char c) {
            return static_cast<unsigned char>(c) < 32 && c != '\n' && c != '\r' && c != '\t';
        });
        if (odd || (kind == InputKind::config && texts::is_read_otherwise(save.text, dialect)))
            return;
        auto entries = entries_of(kind, save.text, dialect);
        if (!entries || entries->empty() || out.size() >= most)
            return;
        save.entries = *std::move(entries);
        if (kind == InputKind::resource) {
            const std::size_t root = save.text.find("\n[node");
            const std::size_t line = root == std::string::npos ? 0 : root + 1;
            save.first_loadable = save.text.find('\n', line) + 1;
        }
        out.push_back(std::move(save));
    };
    const std::string kind = name.substr(0, name.find(' '));
    for (int i = 0; i < 3 && kind == "json"; ++i)
        add(InputKind::json, game(6, i).dump(i == 1 ? -1 : 2 + i) + "\n", dialects::godot_4_4);
    for (int i = 0; i < 2 && kind == "json-lines"; ++i) {
        std::string lines;
        for (int j = 0; j < 8; ++j)
            lines += game(1, 8 * i + j).dump() + "\n";
        add(InputKind::json_lines, lines, dialects::godot_4_4);
    }
    const Recording& recording = recordings[name.ends_with('4') ? 0 : name.ends_with("36") ? 1 : 2];
    if (kind == "text") {
        for (const Vector& vector : vectors_of(recording)) {
            const bool container = vector.text.starts_with('{') || vector.text.starts_with('[') ||
                                   vector.text.starts_with("Array[");
            if (container && vector.text.size() > 200)
                add(InputKind::text, vector.text + "\n", *recording.dialect);
        }
    }
    if (kind == "config" || kind == "resource") {
        std::vector<RecordedText> texts = texts_of(recording);
        // The large ones first.
        std::ranges::sort(texts, {}, [](const RecordedText& text) {
            return std::pair(-static_cast<std::ptrdiff_t>(text.text.size()), text.text);
        });
        for (const RecordedText& text : texts)
            if (text.saved && text.loaded &&
                (kind == "config") == (text.kind == RecordedText::config))
                add(kind == "config" ? InputKind::config : InputKind::resource, text.text,
                    *recording.dialect);
    }
    return out;
}

/// The damage done to a text.
struct TextDamage {
    std::string text;
    std::size_t first = 0;  ///< the first damaged byte
    std::size_t last = 0;   ///< behind the last one
    bool is_cut = false;
};

inline TextDamage random_text_damage(const std::string& sound, std::mt19937& random) {
    const auto below = [&](std::size_t n) { return n ? random() % n : 0; };
    const std::size_t at = below(sound.size());
    const std::size_t run = std::min(1 + below(random() % 4 ? 12 : 200), sound.size() - at);
    TextDamage out{sound, at, at + run};
    switch (random() % 6) {
        case 0:
            out.last = at + 1;
            out.text[at] = static_cast<char>(out.text[at] ^ (1 + below(255)));
            break;
        case 1:
            out.text.replace(at, run, run, '\0');
            break;
        case 2:
            for (std::size_t i = at; i < at + run; ++i)
                out.text[i] = static_cast<char>(random());
            break;
        case 3:
            out.text.erase(at, run);
            break;
        case 4: {  // a character that means something
            out.last = at + 1;
            out.text[at] = "\"[]{}(),:=;\\\n x"[random() % 15];
            break;
        }
        default:
            out.text.insert(at, 1, "\"[]{}(),:=;\\\n x"[random() % 15]);
            out.last = at;
    }
    return out;
}

}  // namespace gdvar::test
