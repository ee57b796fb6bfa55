#include "output/change_notes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <vector>

#include "base/engine_real.hpp"
#include "base/number.hpp"
#include "gdvar/inspect/diff.hpp"
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

/// Values in Godot's form that engines of another family do not read, or read differently. All of
/// them merge equal keys.
class SpellingNotes {
public:
    SpellingNotes(const std::string& name, const Dialect& dialect)
        : name_(name), dialect_(dialect) {}

    void take(const View& value, const std::string& path) {
        const inspect::GodotText own(
            {.family = dialect_.family, .resources = true, .strict_numbers = true});
        const std::string text = printed(own, value);
        const auto is = value.get<Variant>();
        if (text.empty() || !is || !others_.empty() || !reads_as(*is, text, dialect_.family, true))
            return;
        for (const Dialect* other : newest_dialects()) {
            if (other->family == dialect_.family)
                continue;
            if (!reads_as(*is, text, oldest_family(*other), true))
                others_ += (others_.empty() ? "" : " and ") + std::string(other->name);
        }
        if (!others_.empty())
            say(name_ + ": " + path + ": note: written as " + std::string(dialect_.name) +
                " has it, since nothing shows which engine wrote the text; " + others_ +
                " would not read this (--dialect)");
    }

private:
    const std::string& name_;
    const Dialect& dialect_;
    std::string others_;  ///< the ones that do not read the first such value
};

/// Values in Godot 3's form that its older releases, still in use, do not read.
class OldReleaseNotes {
public:
    explicit OldReleaseNotes(const std::string& name) : name_(name) {}

    void take(const View& value, const std::string& path) {
        const inspect::GodotText own(
            {.family = dialects::godot_3_1.family, .resources = true, .strict_numbers = true});
        const std::string text = said_ ? std::string() : printed(own, value);
        const auto is = value.get<Variant>();
        if (text.empty() || !is || !reads_as(*is, text, dialects::godot_3_1.family, true))
            return;
        said_ = !reads_as(*is, text, dialects::godot_3_0.family, false);
        if (said_)
            say(name_ + ": " + path +
                ": note: Godot 3.6 reads this; Godot 3.2 would not read the file");
    }

private:
    const std::string& name_;
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
    } else if (before.kind().text && before.dialect_certain() &&
               before.dialect()->family == dialects::godot_3_1.family) {
        OldReleaseNotes notes(name);
        for (const SaveItem& item : items)
            each_new(before, item, notes);
    } else if (before.kind().text && !before.dialect_certain()) {
        SpellingNotes notes(name, *before.dialect());
        for (const SaveItem& item : items)
            each_new(before, item, notes);
    }
}

}  // namespace gdvar::app
