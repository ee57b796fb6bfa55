#include "session/session.hpp"

#include <algorithm>
#include <utility>

#include "file/references.hpp"
#include "gdvar/inspect/misstep.hpp"
#include "gdvar/save/atomic_file.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar::session {
namespace {

constexpr std::size_t most_edited = 64u << 10;
constexpr const char* not_known = "changes before this are no longer known";

using inspect::message_without_code;
using inspect::SetNeeds;

Outcome refuse(std::string why) {
    return {.done = false, .message = std::move(why)};
}

}  // namespace

Session::Session(SaveFile save, Origin origin, const DecodeOptions& decoding)
    : save_(std::move(save)),
      origin_(std::move(origin)),
      documents_(save_, decoding),
      tree_(save_, documents_) {
    save_.keep_changes();
    if (tree_.rows())
        cursor_ = tree_.row_at(0);
}

bool Session::is_cut(Tree::Row row) const {
    if (cut_.empty())
        return false;
    const Ordinals where = tree_.ordinals(row);
    return where.size() <= cut_.size() && std::equal(where.begin(), where.end(), cut_.begin());
}

void Session::mark_cut(std::string_view path) {
    for (auto at = std::string(path); !at.empty();) {
        if (const auto row = go_to(at)) {
            cut_ = tree_.ordinals(*row);
            return;
        }
        // The cut row is not there, but its container is.
        auto shorter = parse_save_path(at, save_.kind().named);
        if (!shorter || shorter->path.steps.empty())
            return;
        shorter->path.steps.pop_back();
        at = '#' + std::to_string(shorter->number.value_or(0)) + ' ' + shorter->path.to_string();
    }
}

std::expected<Tree::Row, std::string> Session::go_to(std::string_view text) {
    const auto path = parse_save_path(text, save_.kind().named);
    if (!path)
        return std::unexpected("this is no path: " + std::string(path.error().what));
    const std::vector<SaveItem>& items = save_.items();
    const auto count = static_cast<std::int64_t>(items.size());
    std::int64_t number = path->number.value_or(0);
    if (path->name)
        for (number = count - 1; number >= 0; --number)
            if (setting_name(items[static_cast<std::size_t>(number)].key) == *path->name)
                break;
    number += number < 0 && !path->name ? count : 0;
    if (number < 0 || number >= count)
        return std::unexpected(path->name ? "there is no such setting" : "there is no such record");
    if (!path->number && !path->name && count != 1)
        return std::unexpected("name a record, from #0 to #" + std::to_string(count - 1));
    Ordinals where{static_cast<std::uint32_t>(number)};
    const auto held = documents_.at(where[0]);
    View at = held->root();
    for (const Path::Step& step : path->path.steps) {
        if (type_info(at.type()).components && !type_info(at.type()).packed)
            break;  // a component has no row of its own
        Entries entries(at);
        const bool packed = entries.size() && entries.at(0).kind == Entry::part;
        const auto next =
            packed ? std::expected<View, Error>(at) : gdvar::detail::step_into(at, step);
        if (!next || (packed && step.kind != Path::StepKind::index)) {
            const auto why = inspect::first_misstep(held->root(), path->path);
            return std::unexpected(why ? why->at + ": " + to_string(*why) : "it leads nowhere");
        }
        std::size_t i = 0;
        if (packed)
            i = static_cast<std::size_t>(std::clamp<std::int64_t>(
                step.index < 0 ? step.index + static_cast<std::int64_t>(entries.size())
                               : step.index,
                0, static_cast<std::int64_t>(entries.size()) - 1));
        else
            while (i + 1 < entries.size() && entries.at(i).view != *next)
                ++i;
        where.push_back(static_cast<std::uint32_t>(i));
        if (packed)
            break;
        at = *next;
    }
    return tree_.reveal(where);
}

// ---- values as text

std::optional<std::string> Session::text_of(Tree::Row row) const {
    const Entry entry = tree_.entry(row);
    if (bytes_of(entry).size > most_edited || !entry.value())
        return std::nullopt;
    if (entry.copy.narrow())
        return inspect::brief_value(entry.copy);
    auto text = to_text_full(entry.value());
    return text ? std::optional(*std::move(text)) : std::nullopt;
}

std::optional<std::string> Session::key_of(Tree::Row row) const {
    const Entry entry = tree_.entry(row);
    if (entry.kind == Entry::property)
        return std::string(entry.name);
    if (entry.kind != Entry::pair || entry.key.raw().size() > most_edited)
        return std::nullopt;
    auto text = to_text_full(entry.key);
    return text ? std::optional(*std::move(text)) : std::nullopt;
}

std::expected<Variant, std::string> Session::parse(std::string_view text) const {
    ParseOptions how{.family = save_.dialect().family,
                     .full = true,
                     .strict_numbers = true,
                     .whole = true,
                     .resources = gdvar::detail::has_references(save_.kind().seen_as)};
    auto value = parse_text(text, how);
    if (!value) {
        how.full = false;  // what only this family's engine writes: PoolByteArray( 1, 2 )
        if (auto own = parse_text(text, how))
            return *std::move(own);
    }
    if (value)
        return *std::move(value);
    std::string why = to_string(value.error());
    if (text.find_first_of("\"([{&^,") == text.npos)
        why += "; a text is written in quotes: \"...\"";
    return std::unexpected(std::move(why));
}

// ---- changes

std::optional<Outcome> Session::refused(Tree::Row row) const {
    if (!origin_.read_only.empty())
        return refuse("nothing can be changed: " + origin_.read_only);
    if (!row)
        return refuse("there is nothing here");
    const auto number = tree_.ordinals(row)[0];
    const Entry item = tree_.entry(tree_.nearest(Ordinals{number}));
    if (item.held && item.held->broken)
        return refuse("nothing in a broken value can be changed: " + to_string(*item.held->broken));
    return std::nullopt;
}

/// A path that leads to this row, also where a key comes twice.
std::string Session::path_to(Tree::Row row) {
    const std::string path = tree_.path(row);
    const Entry entry = tree_.entry(row);
    const auto found = save_.find(path);
    const bool here = found && (entry.kind == Entry::part
                                    ? found->part()
                                    : !found->part() && found->offset() == entry.view.offset());
    return here ? path : tree_.exact_path(row);
}

/// Before a change of that value. The result is for `keep`.
std::uint64_t Session::begin_change(std::size_t number) {
    documents_.forget(number);
    return save_.change_count();
}

Outcome Session::keep(const std::expected<void, Error>& done, std::uint64_t before,
                      std::string what, Ordinals where, int shift) {
    if (!done)
        return refuse(message_without_code(done.error()));
    Step step{.what = std::move(what),
              .where = std::move(where),
              .shift = shift,
              .changes = static_cast<std::size_t>(save_.change_count() - before)};
    if (!step.changes)
        return {.done = true, .message = "the value is as it was"};
    Ordinals cursor = shift ? step.where : tree_.ordinals(cursor_);
    tree_.changed(step.where, shift);
    cursor_ = shift > 0 ? tree_.reveal(cursor) : tree_.nearest(cursor);
    ever_changed_ = true;
    Outcome out{.done = true, .message = step.what};
    history_.add(std::move(step));
    return out;
}

Outcome Session::put(const std::string& path, const Variant& value, const inspect::SetRules& rules,
                     Ordinals where, int shift) {
    auto plan = save_.plan(path, value, rules);
    if (!plan) {
        const inspect::SetRefusal& why = plan.error();
        if (why.needs == SetNeeds::type) {
            inspect::SetRules allowed = rules;
            allowed.type = why.type;
            return {.message = why.what, .allowed = allowed};
        }
        return refuse(why.at + ": " + why.what);
    }
    std::string what = shift ? "added " : inspect::brief_value(plan->before) + " -> ";
    const auto asked = std::move(plan->asked);
    plan->before = inspect::Found();
    const std::uint64_t before = begin_change(where[0]);
    if (const auto done = save_.set(path, value, rules); !done)
        return refuse(message_without_code(done.error()));
    if (const auto done = shift ? move_last(where) : std::expected<void, Error>(); !done) {
        documents_.forget(where[0]);
        const auto restored = save_.undo();
        tree_.changed(where, 0);
        return refuse(message_without_code(restored ? done.error() : restored.error()));
    }
    std::string now = path;
    if (now.ends_with("[+]"))
        now.replace(now.size() - 3, 3, '[' + std::to_string(where.back()) + ']');
    if (const auto found = save_.find(now))
        what += inspect::brief_value(*found);
    if (asked)
        what += " (" + inspect::brief_value(*asked) + " rounded to 32 bits)";
    return keep({}, before, now + ": " + what, std::move(where), shift);
}

/// Moves the last value of the container to its place. Its bytes, and those of the others, stay as
/// they are: no value depends on where it stands.
std::expected<void, Error> Session::move_last(const Ordinals& where) {
    const std::size_t number = where[0];
    documents_.forget(number);
    const auto held = documents_.at(number);
    View in = held->root();
    for (std::size_t i = 1; i + 1 < where.size(); ++i)
        in = Entries(in).at(where[i]).view;
    Entries entries(in);
    if (where.back() + 1 >= entries.size())
        return {};
    const Place to = bytes_of(entries.at(where.back()));
    const Place last = bytes_of(entries.at(entries.size() - 1));
    const ByteView before = save_.items()[number].packet;
    std::vector<std::byte> packet(before.begin(), before.end());
    const auto at = [&](std::size_t offset) {
        return packet.begin() + static_cast<std::ptrdiff_t>(offset);
    };
    std::rotate(at(to.offset), at(last.offset), at(last.offset + last.size));
    documents_.forget(number);
    return save_.replace_item(static_cast<std::int64_t>(number), packet);
}

Outcome Session::set(Tree::Row row, std::string_view text, const inspect::SetRules& rules) {
    if (const auto why = refused(row))
        return *why;
    const auto value = parse(text);
    if (!value)
        return refuse(value.error());
    return put(path_to(row), *value, rules, tree_.ordinals(row), 0);
}

Session::Takes Session::takes(Tree::Row row, bool inside) const {
    const Tree::Row container = inside ? row : tree_.parent(row);
    if (!container) {
        const DocumentKind& kind = save_.kind();
        return !kind.several ? Takes::nothing : kind.named ? Takes::name : Takes::no_key;
    }
    const Entry entry = tree_.entry(container);
    if (entry.kind == Entry::part)
        return Takes::nothing;
    const Type type = entry.view.type();
    if (type == Type::dictionary)
        return Takes::key;
    if (type == Type::object)
        return entry.view.object_kind() == ObjectKind::full ? Takes::name : Takes::nothing;
    const bool row_of_values = type == Type::array || type == Type::packed_typed_array ||
                               type == Type::packed_string_array || type_info(type).packed;
    return row_of_values && entry.view ? Takes::no_key : Takes::nothing;
}

std::expected<std::string, std::string> Session::step_to(const View& container,
                                                         std::string_view key) const {
    if (container.is(Type::object))
        return inspect::name_step(key);
    // A key that is no Godot text is the text of a String: hp for "hp".
    const Variant value = parse(key).value_or(Variant(key));
    const auto packet = encode(value, documents_.encoding());
    if (!packet)
        return std::unexpected(message_without_code(packet.error()));
    const auto document = Document::parse(*packet, documents_.decoding());
    if (!document)
        return std::unexpected(message_without_code(document.error()));
    std::string step = inspect::key_step(document->root(), 0);
    if (step.starts_with("[@"))
        return std::unexpected("such a key can't be added here");
    return step;
}

Outcome Session::add(Tree::Row row, bool inside, std::string_view key, std::string_view text) {
    const Takes takes = this->takes(row, inside);
    const Tree::Row container = inside ? row : tree_.parent(row);
    if (takes == Takes::nothing)
        return refuse("nothing can be added here");
    if (const auto why = refused(row); why && (container || !origin_.read_only.empty()))
        return *why;
    if (takes != Takes::no_key && key.empty())
        return refuse("a name is missing");
    const auto value = parse(text);
    if (!value)
        return refuse(value.error());
    if (!container)
        return takes == Takes::name
                   ? add_setting(key, *value)
                   : add_record(row ? tree_.ordinals(row)[0] + 1 : save_.items().size(), *value);
    const Entry around = tree_.entry(container);
    std::string path = path_to(container);
    if (takes == Takes::no_key) {
        path += "[+]";
    } else {
        const auto step = step_to(around.view, key);
        if (!step)
            return refuse(step.error());
        path += *step;
        if (save_.find(path))
            return refuse("this is there already: " + *step);
    }
    Ordinals where = tree_.ordinals(container);
    const bool behind = !inside && takes == Takes::no_key;
    where.push_back(behind ? tree_.ordinals(row).back() + 1
                           : static_cast<std::uint32_t>(rows_in(around.view)));
    return put(path, *value, {.create = true}, std::move(where), 1);
}

Outcome Session::add_record(std::size_t number, const Variant& value) {
    const auto packet = encode(value, documents_.encoding());
    if (!packet)
        return refuse(message_without_code(packet.error()));
    const std::uint64_t before = save_.change_count();
    return keep(save_.insert_item(static_cast<std::int64_t>(number), as_bytes(*packet)), before,
                '#' + std::to_string(number) + ": added " + inspect::brief_value(value),
                {static_cast<std::uint32_t>(number)}, 1);
}

Outcome Session::add_setting(std::string_view name, const Variant& value) {
    const std::string path = '$' + inspect::name_step(name);
    if (save_.find(path))
        return refuse("there is such a setting already");
    const auto number = static_cast<std::uint32_t>(save_.items().size());
    const std::uint64_t before = save_.change_count();
    return keep(save_.set(path, value, {.create = true, .type = value.type()}), before,
                std::string(name) + ": added " + inspect::brief_value(value), {number}, 1);
}

Outcome Session::erase(Tree::Row row) {
    const bool whole = row && !tree_.parent(row);
    if (const auto why = refused(row); why && (!whole || !origin_.read_only.empty()))
        return *why;
    const Ordinals where = tree_.ordinals(row);
    const std::string path = whole ? std::string() : path_to(row);
    const std::string what =
        whole ? item_label(save_.kind(), where[0], save_.items()[where[0]].key) +
                    "was removed; u brings it back"
              : path + ": removed " + inspect::brief_value(tree_.entry(row).value());
    const std::uint64_t before = begin_change(where[0]);
    return keep(whole ? save_.remove_item(where[0]) : save_.erase(path), before, what, where, -1);
}

Outcome Session::rename(Tree::Row row, std::string_view key) {
    if (const auto why = refused(row))
        return *why;
    const Entry entry = tree_.entry(row);
    if (entry.kind != Entry::pair && entry.kind != Entry::property)
        return refuse("only pairs and properties have a key");
    if (key.empty())
        return refuse("a key is missing");
    const Variant value =
        entry.kind == Entry::property ? Variant(key) : parse(key).value_or(Variant(key));
    const std::string path = path_to(row);
    const Ordinals where = tree_.ordinals(row);
    // Under its own name a pair may stay.
    const auto step = step_to(tree_.entry(tree_.parent(row)).view, key);
    if (step && *step != step_of(entry) && save_.find(tree_.path(tree_.parent(row)) + *step))
        return refuse("this is there already: " + *step);
    const std::uint64_t before = begin_change(where[0]);
    return keep(save_.rename(path, value), before,
                path + ": renamed to " + inspect::brief_value(value), where, 0);
}

// ---- back and forth

Outcome Session::again(const Step* step, bool undo) {
    if (step->changes > (undo ? save_.undo_count() : save_.redo_count()))
        return refuse(not_known);
    if (step->where[0] < save_.items().size())
        documents_.forget(step->where[0]);
    for (std::size_t i = 0; i < step->changes; ++i)
        if (const auto done = undo ? save_.undo() : save_.redo(); !done)
            return refuse(to_string(done.error()));
    const int shift = undo ? -step->shift : step->shift;
    const Ordinals where = step->where;
    Outcome out{.done = true, .message = (undo ? "undone: " : "again: ") + step->what};
    tree_.changed(where, shift);
    cursor_ = tree_.reveal(where);
    ever_changed_ = true;
    if (undo)
        history_.undone();
    else
        history_.redone();
    return out;
}

Outcome Session::undo() {
    if (const Step* const step = history_.to_undo())
        return again(step, true);
    return refuse(history_.dropped() ? not_known : "there is nothing to undo");
}

Outcome Session::redo() {
    if (const Step* const step = history_.to_redo())
        return again(step, false);
    return refuse("there is nothing to do again");
}

// ---- files

std::expected<void, FileError> Session::write(const std::string& backup) {
    auto done = save_.save(backup, &sums_);
    if (done)
        history_.saved();
    return done;
}

std::expected<void, FileError> Session::write_to(const std::string& file) {
    const auto bytes = save_.bytes(&sums_);
    if (!bytes)
        return std::unexpected(bytes.error());
    return atomic_replace(file, *bytes,
                          {.made_of = {origin_.name == "-" ? "/dev/stdin" : origin_.name}});
}

// ---- search

Search Session::search(std::string text, bool backwards, const Ordinals& from, bool here) {
    return {save_, documents_,
            Search::Options{
                .text = std::move(text), .from = from, .backwards = backwards, .here = here}};
}

}  // namespace gdvar::session
