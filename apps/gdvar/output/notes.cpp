#include "output/notes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <vector>

#include "base/engine_real.hpp"
#include "base/number.hpp"
#include "gdvar/file/code.hpp"
#include "gdvar/inspect/diff.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/rewrite.hpp"
#include "gdvar/text/parse.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
namespace {

using gdvar::detail::Child;
using gdvar::detail::Children;
using inspect::Difference;

constexpr std::size_t most_said = 3;

/// The value as the syntax prints it; empty on failure.
std::string printed(const inspect::TextSyntax& syntax, const View& value) {
    const inspect::TextLayout layout = syntax.usual_layout();
    std::string out;
    const auto done = syntax.value(out, value, {.layout = layout, .indent = {}, .old = {}});
    return done ? out : std::string();
}

/// Calls `enter` with the value and all values in it, each with its path and, in a pair, its key.
/// If it returns false, the value's content is left out.
void walk(const View& value, const std::string& path,
          const std::function<bool(const View&, const View&, const std::string&)>& enter) {
    struct Open {
        Children children;
        std::size_t length;  ///< of the path to it
        Open(const View& view, std::size_t size) : children(view), length(size) {}
    };
    std::deque<Open> open;
    std::string at = path;
    if (enter(value, {}, at) && gdvar::detail::is_container(value))
        open.emplace_back(value, at.size());
    while (!open.empty()) {
        at.resize(open.back().length);
        if (open.back().children.done()) {
            open.pop_back();
            continue;
        }
        const Child child = open.back().children.next_value();
        gdvar::detail::append_step(at, child);
        if (enter(child.view, child.key_view, at) && gdvar::detail::is_container(child.view))
            open.emplace_back(child.view, at.size());
    }
}

/// Numbers of JSON that engines read differently.
class NumberNotes {
public:
    explicit NumberNotes(const std::string& name) : name_(name) {}

    void take(const View& value, const std::string& path) {
        walk(value, path, [&](const View& inside, const View&, const std::string& at) {
            look(inside, at);
            return true;
        });
    }
    void say_rest() const {
        if (count_ > most_said)
            say(name_ + ": note: and so of " + counted(count_ - most_said, "more number"));
    }

private:
    void look(const View& leaf, const std::string& at) {
        if (leaf.is(Type::integer))
            return look_at_int(leaf, at);
        if (!leaf.is(Type::real))
            return;
        const std::string text = printed(inspect::PlainJson(), leaf);
        const double read = gdvar::detail::engine_real(text);
        if (text.empty() || read == leaf.real() || ++count_ > most_said)
            return;
        std::string other;
        gdvar::detail::append_finite(other, read, gdvar::detail::WholeMark::yes);
        say(name_ + ": " + at + ": note: Godot reads " + text + " as " + other +
            "; it reads no digits as this float");
    }
    /// To engines all numbers of JSON are floats.
    void look_at_int(const View& leaf, const std::string& at) {
        const std::string text = printed(inspect::PlainJson(), leaf);
        const double read = gdvar::detail::engine_real(text);
        constexpr double most = 9223372036854775808.0;
        const bool same =
            read >= -most && read < most && static_cast<std::int64_t>(read) == leaf.integer();
        if (text.empty() || same || ++count_ > most_said)
            return;
        char whole[64];
        std::snprintf(whole, sizeof whole, "%.0f", read);
        say(name_ + ": " + at + ": note: Godot reads " + text + " as " + whole +
            "; numbers of JSON are floats to it");
    }

    const std::string& name_;
    std::size_t count_ = 0;
};

/// Older releases of Godot 3 read less.
TextFamily oldest_family(const Dialect& dialect) {
    return (&dialect == &dialects::godot_3_1 ? dialects::godot_3_0 : dialect).family;
}

/// True if the family reads the text as that value. Strict numbers include those that Godot 3.2
/// prints and does not read.
bool reads_as(const Variant& value, const std::string& text, TextFamily family, bool strict) {
    const auto read = parse_text(
        text, {.family = family, .strict_numbers = strict, .whole = true, .resources = true});
    return read && identical(*read, value);
}

/// The first value in Godot's form that other engines do not read, or read differently. All of them
/// merge equal keys.
class SpellingNotes {
public:
    /// `certain`: it is known which engine wrote the text. Then older releases of it count, which
    /// are still in use.
    SpellingNotes(const std::string& name, const Dialect& dialect, bool certain)
        : name_(name), dialect_(dialect), certain_(certain) {}

    void take(const View& value, const std::string& path) {
        if (said_)
            return;
        const inspect::GodotText own(
            {.family = dialect_.family, .resources = true, .strict_numbers = true});
        const std::string text = printed(own, value);
        const auto is = value.get<Variant>();
        if (text.empty() || !is || !reads_as(*is, text, dialect_.family, true))
            return;
        const std::string why = certain_ ? old_release(*is, text) : other_engines(*is, text);
        said_ = !why.empty();
        if (said_)
            say(name_ + ": " + path + ": note: " + why);
    }

private:
    static std::string old_release(const Variant& value, const std::string& text) {
        return reads_as(value, text, dialects::godot_3_0.family, false)
                   ? ""
                   : "Godot 3.6 reads this; Godot 3.2 would not read the file";
    }
    std::string other_engines(const Variant& value, const std::string& text) const {
        std::string others;
        for (const Dialect* other : newest_dialects())
            if (other->family != dialect_.family &&
                !reads_as(value, text, oldest_family(*other), true))
                others += (others.empty() ? "" : " and ") + std::string(other->name);
        return others.empty() ? ""
                              : "written as " + std::string(dialect_.name) +
                                    " has it, since nothing shows which engine wrote the text; " +
                                    others + " would not read this (--dialect)";
    }

    const std::string& name_;
    const Dialect& dialect_;
    const bool certain_;
    bool said_ = false;
};

struct NewValue {
    std::uint64_t offset;
    bool inserted;
};

/// Passes an item's new values and keys to `take`, with their paths.
template <class Notes>
void each_new(const SaveDocument& before, const SaveItem& item, Notes& notes) {
    const DecodeOptions decoding{.dialect = before.dialect(), .allow_objects = true};
    const auto now = Document::parse(item.packet, decoding);
    if (!now)
        return;
    if (item.number >= before.items().size())
        return notes.take(now->root(), "$");
    const SaveItem& old = before.items()[item.number];
    if (std::ranges::equal(old.packet, item.packet))
        return;
    const auto was = Document::parse(old.packet, decoding);
    if (!was)
        return;
    // Paths of differences are those of the moment. The messages have those of the result.
    std::vector<NewValue> found;
    (void)each_difference(was->root(), now->root(), {}, [&](const Difference& d) {
        if (d.kind == Difference::set || d.kind == Difference::insert)
            found.push_back({d.after.offset(), d.kind == Difference::insert});
        return true;
    });
    std::ranges::sort(found, {}, &NewValue::offset);
    walk(now->root(), item_label(before.kind(), item.number, item.key) + "$",
         [&](const View& view, const View& key, const std::string& path) {
             const auto at = std::ranges::lower_bound(found, view.offset(), {}, &NewValue::offset);
             if (at == found.end() || at->offset != view.offset())
                 return true;
             if (at->inserted && key)
                 notes.take(key, path);
             notes.take(view, path);
             return false;
         });
}

}  // namespace

void say_change_notes(const std::string& name, const SaveDocument& before,
                      std::span<const SaveItem> items) {
    const InputKind kind = before.kind().seen_as;
    if (kind == InputKind::json || kind == InputKind::json_lines) {
        NumberNotes notes(name);
        for (const SaveItem& item : items)
            each_new(before, item, notes);
        notes.say_rest();
    } else if (before.kind().text && (!before.dialect_certain() ||
                                      before.dialect()->family == dialects::godot_3_1.family)) {
        SpellingNotes notes(name, *before.dialect(), before.dialect_certain());
        for (const SaveItem& item : items)
            each_new(before, item, notes);
    }
}

void say_section_names(const std::string& file, InputKind kind, const Dialect* dialect,
                       ByteView packet, ByteView before) {
    if (kind != InputKind::config || !dialect || dialect->family != dialects::godot_3_1.family)
        return;
    const DecodeOptions how{.dialect = dialect, .allow_objects = true};
    const auto is = Document::parse(packet, how), was = Document::parse(before, how);
    if (!is)
        return;
    std::string first;
    std::size_t count = 0;
    for (const auto& pair : is->root().pairs()) {
        const std::string_view name = pair.key.text();
        const bool beyond = std::ranges::any_of(name, [](char c) { return c & 0x80; });
        if (!beyond || (was && was->root()[name]))
            continue;
        if (!count++)
            first = inspect::shortened_path("$" + inspect::name_step(name), 80);
    }
    if (count)
        say(file + ": note: " + first + (count > 1 ? " and " + counted(count - 1, "other") : "") +
            ": Godot 3.6 reads such a section's name, 3.2 takes each byte of it for a character "
            "(--dialect godot-3.0 shows its reading)");
}

std::uint64_t code_notes(const Input& input, const Item& item, bool verbose,
                         const std::function<void(const std::string&)>& line) {
    const auto code = find_code(item.packet, input.kind(), input.decoding(), verbose ? 10'000 : 20);
    if (!code)
        return 0;
    const std::string place = input.name() + ": " + item.label;
    for (const FoundCode& found : code->first) {
        const CodeKindInfo& kind = code_kind_info(found.kind);
        line(place + found.path + ": note[" + std::string(kind.name) + "]: " + found.what + ": " +
             std::string(kind.meaning));
    }
    if (const std::uint64_t more = code->count - code->first.size())
        line(place + "... and " + std::to_string(more) + " more places with code");
    return code->count;
}

}  // namespace gdvar::app
