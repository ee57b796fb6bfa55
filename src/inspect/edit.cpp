#include "gdvar/inspect/edit.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "base/exceptions.hpp"
#include "gdvar/base/quote.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/value/codec.hpp"
#include "inspect/edit_bytes.hpp"
#include "inspect/packet_edit.hpp"
#include "inspect/part.hpp"
#include "inspect/same_keys.hpp"

namespace gdvar::inspect {
namespace {

using detail::moved;

std::unexpected<Error> refuse(Errc code, Type type, std::uint64_t offset) {
    return std::unexpected(Error{code, type, offset, 0});
}

EncodeOptions writing(const DecodeOptions& options) {
    return {.dialect = options.dialect, .allow_objects = true, .real_width = options.real_width};
}

/// A packet and the place in it that a path leads to.
class Editor {
public:
    Editor(ByteView packet, const View& root, const DecodeOptions& options)
        : packet_(packet), options_(options), parent_(root) {}

    std::expected<void, Error> open(const Path& path) {
        steps_ = path.steps;
        for (std::size_t i = 0; i + 1 < steps_.size(); ++i) {
            if (detail::has_parts(parent_)) {
                part_steps_ = steps_.size() - i;
                return {};
            }
            auto next = detail::step_into(parent_, steps_[i]);
            if (!next)
                return std::unexpected(next.error());
            parent_ = *next;
        }
        part_steps_ = !steps_.empty() && detail::has_parts(parent_);
        return {};
    }
    /// The steps that lead into the parent where that is a math value or a packed array.
    std::span<const Path::Step> part_steps() const { return steps_.last(part_steps_); }
    bool root() const { return steps_.empty(); }
    const Path::Step& last() const { return steps_.back(); }
    const View& parent() const { return parent_; }
    std::size_t end_of(const View& view) const { return view.offset() + view.raw().size(); }

    /// Other bytes for all of a value.
    PacketEdit replaced(const View& old, PackedByteArray with) const {
        return {.kind = PacketEdit::value,
                .view = old,
                .at = old.offset(),
                .size = old.raw().size(),
                .with = std::move(with)};
    }
    /// The edit, with `change` added to the count of the parent.
    std::expected<PacketEdit, Error> counted(PacketEdit edit, std::int32_t change) const {
        const auto place = detail::count_place(parent_);
        if (!place)
            return refuse(Errc::wrong_type, parent_.type(), parent_.offset());
        edit.count_at = parent_.offset() + *place;
        edit.count = change;
        return edit;
    }
    ByteView packet() const { return packet_; }
    EncodeOptions encoding() const { return writing(options_); }
    std::expected<PackedByteArray, Error> encoded(const Variant& value, std::size_t offset) const {
        auto bytes = encode(value, writing(options_));
        if (!bytes)
            return moved(bytes.error(), offset);
        return bytes;
    }

private:
    ByteView packet_;
    const DecodeOptions& options_;
    std::span<const Path::Step> steps_;
    std::size_t part_steps_ = 0;
    View parent_;
};

using Edited = std::expected<PacketEdit, Error>;

/// The key that a step of a path stands for.
std::expected<Variant, Error> key_of(const Path::Step& step) {
    if (!step.several() && step.kind == Path::StepKind::index)
        return Variant(step.index);
    // Other keys are written as text; a name is a String.
    std::string text = step.text;
    if (step.kind == Path::StepKind::name)
        text = quote(step.text);
    auto key = parse_text(text, {.full = true, .whole = true});
    if (!key || step.several())
        return refuse(Errc::bad_path, Type::nil, 0);
    return *std::move(key);
}

/// Appends an element to a packed array of one of these types. The error's code is ok on success.
template <class... Element>
Error append_to_any(Variant& packed, const Variant& value) {
    Error done{Errc::wrong_type, value.type()};
    const auto attempt = [&]<class E>(E*) {
        auto* array = packed.get_if<PackedArray<E>>();
        if (!array)
            return;
        auto element = value.get<E>();
        done = element ? Error() : element.error();
        if (element)
            array->push_back(*element);
    };
    (attempt(static_cast<Element*>(nullptr)), ...);
    return done;
}

std::expected<std::size_t, Error> index_of(const Editor& editor, std::size_t size,
                                           bool may_append) {
    const Path::Step& step = editor.last();
    const View& parent = editor.parent();
    if (step.kind == Path::StepKind::append && may_append)
        return size;
    if (step.kind != Path::StepKind::index || step.descends)
        return moved(Error{Errc::wrong_type, parent.type()}
                         .about_key(detail::said(step))
                         .about_types(Type::dictionary, Type::object),
                     parent.offset());
    const std::int64_t i =
        step.index < 0 ? step.index + static_cast<std::int64_t>(size) : step.index;
    if (i < 0 || i > static_cast<std::int64_t>(size) - !may_append)
        return moved(Error{Errc::index_out_of_range, parent.type()}.about_index(step.index, size),
                     parent.offset());
    return static_cast<std::size_t>(i);
}

/// Writes all of a packed array anew: with another text, or without one (`value` is null), or with
/// an element behind its last one.
Edited set_packed(const Editor& editor, const Variant* value) {
    const View& parent = editor.parent();
    auto index = index_of(editor, parent.size(), value != nullptr);
    if (!index)
        return std::unexpected(index.error());
    auto whole = parent.get<Variant>();
    if (!whole)
        return std::unexpected(whole.error());
    Error why{};
    if (auto* strings = whole->get_if<PackedStringArray>()) {
        std::vector<std::string> all;
        all.reserve(strings->size());
        for (const auto& string : *strings)
            all.emplace_back(string);
        const bool fits = !value || value->is(Type::string) || value->is(Type::string_name);
        if (!value)
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(*index));
        else if (!fits)
            why = Error{Errc::wrong_type, value->type()}.about_types(Type::string);
        else if (*index == all.size())
            all.emplace_back(value->text());
        else
            all[*index] = value->text();
        PackedStringArray changed;
        for (const std::string& text : all)
            changed.push_back(text);
        *whole = std::move(changed);
    } else if (value) {
        why = append_to_any<std::uint8_t, std::int32_t, std::int64_t, float, double, Vector2,
                            Vector3, Vector4, Color, Vector2d, Vector3d, Vector4d, Colord, Vector2i,
                            Vector3i, Vector4i>(*whole, *value);
    }
    if (why.code != Errc::ok)
        return moved(why, parent.offset());
    auto bytes = editor.encoded(*whole, parent.offset());
    if (!bytes)
        return std::unexpected(bytes.error());
    return editor.replaced(parent, *std::move(bytes));
}

Edited set_part(const Editor& editor, const Variant& value) {
    const View& whole = editor.parent();
    const auto part = detail::part_at(whole, editor.part_steps());
    if (!part)
        return std::unexpected(part.error());
    const auto put = detail::put_part(editor.packet(), whole, *part, value, editor.encoding());
    if (!put)
        return std::unexpected(put.error());
    PacketEdit out{.kind = PacketEdit::part, .view = whole, .at = put->at, .size = put->size};
    detail::append_bytes(out.with, put->span());
    return out;
}

/// Whether the last step adds to a packed array, or changes a text, which makes it anew.
bool changes_size(const Editor& editor) {
    const View& parent = editor.parent();
    if (parent.is(Type::packed_string_array))
        return true;
    if (editor.part_steps().size() > 1 || !type_info(parent.type()).packed)
        return false;
    const auto index = index_of(editor, parent.size(), true);
    return !index || *index == parent.size();
}

/// The bytes of a key, as they stand in the container: a property's name has no header.
std::expected<PackedByteArray, Error> key_bytes(const Editor& editor, const Variant& key) {
    const View& parent = editor.parent();
    const bool property = parent.is(Type::object);
    if (property && !key.is(Type::string))
        return moved(Error{Errc::wrong_type, key.type()}.about_types(Type::string),
                     parent.offset());
    if (auto taken = detail::taken(parent.key_type(), key, parent.offset()); !property && !taken)
        return std::unexpected(taken.error());
    auto bytes = editor.encoded(key, parent.offset());
    if (!bytes || !property)
        return bytes;
    PackedByteArray name;
    name.append(std::span<const std::uint8_t>(bytes->data(), bytes->size()).subspan(4));
    return name;
}

/// Whether the container has something under that key; `bytes`: of the key in this packet.
bool has_key(const View& container, const Variant& key, ByteView bytes) {
    if (key.is(Type::string) || key.is(Type::string_name))
        return bool(container[key.text()]);
    // As `lookup` finds it; a key that no path can spell is compared byte by byte.
    const auto document = Document::parse(bytes, container.options());
    const auto path =
        document ? Path::parse("$" + key_step(document->root(), 0)) : std::unexpected(PathError());
    if (path && path->steps.size() == 1 && !path->steps[0].text.starts_with('@'))
        return detail::step_into(container, path->steps[0]).has_value();
    for (const auto all = container.pairs(); const View::Pair& pair : all)
        if (std::ranges::equal(pair.key.raw(), bytes))
            return true;
    return false;
}

/// A pair, property or element behind the last one.
Edited added(const Editor& editor, const Variant& value) {
    const View& parent = editor.parent();
    PacketEdit edit{.kind = PacketEdit::added, .view = parent, .at = editor.end_of(parent)};
    // A final PackedByteArray may lack its padding; something follows it now.
    edit.with.resize(detail::padding_of(edit.at));
    edit.key_at = edit.with.size();
    if (parent.is(Type::dictionary) || parent.is(Type::object)) {
        auto key = key_of(editor.last());
        if (!key)
            return std::unexpected(key.error());
        if (parent.is(Type::object) && !key->is(Type::string))
            return refuse(Errc::bad_path, Type::object, 0);
        auto bytes = key_bytes(editor, *key);
        if (!bytes)
            return std::unexpected(bytes.error());
        if (auto taken = detail::taken(parent.value_type(), value, parent.offset());
            parent.is(Type::dictionary) && !taken)
            return std::unexpected(taken.error());
        detail::append_bytes(edit.with, as_bytes(*bytes));
    } else if (auto taken = detail::taken(parent.element_type(), value, parent.offset()); !taken) {
        return std::unexpected(taken.error());
    }
    edit.value_at = edit.with.size();
    auto bytes = encode_to(edit.with, value, editor.encoding());
    if (!bytes)
        return moved(bytes.error(), parent.offset());
    return editor.counted(std::move(edit), 1);
}

struct Range {
    std::size_t begin, end;
};

/// The bytes of an element, or of a value with its key or name and of those that go with it. May
/// throw bad_alloc.
std::vector<Range> ranges_of(const Editor& editor, const View& value, bool unrepeated) {
    const View& parent = editor.parent();
    const bool keyed = parent.is(Type::dictionary) || parent.is(Type::object);
    const auto begin = !keyed || unrepeated ? detail::DocumentSplice::begin_of(parent, value)
                                            : std::optional<std::size_t>();
    if (begin)
        return {{*begin, editor.end_of(value)}};
    std::vector<Range> out;
    for (const auto& place : detail::SameKeys(parent).with(value.offset()))
        out.push_back({place.begin, place.end});
    return out;
}

/// The edit of a packet that has not been read yet, made.
template <class Edit>
std::expected<PackedByteArray, Error> edited(ByteView packet, const DecodeOptions& options,
                                             Edit&& edit) {
    const auto document = Document::parse(packet, options);
    if (!document)
        return std::unexpected(document.error());
    const Edited made = edit(document->root());
    return made ? made->apply(packet) : std::unexpected(made.error());
}

}  // namespace

// ---- the edit -----------------------------------------------------------------------------------

bool PacketEdit::changes_nothing(ByteView packet) const noexcept {
    return !count && std::ranges::equal(packet.subspan(at, size), as_bytes(with));
}

std::expected<PackedByteArray, Error> PacketEdit::apply(ByteView packet) const {
    PackedByteArray out;
    if (!out.try_reserve(packet.size() - size + with.size()))
        return refuse(Errc::no_memory, Type::nil, at);
    detail::append_bytes(out, packet.first(at));
    if (count)
        detail::change_count(reinterpret_cast<std::byte*>(out.data()) + count_at, count);
    detail::append_bytes(out, as_bytes(with));
    detail::append_bytes(out, packet.subspan(at + size));
    return out;
}

void PacketEdit::apply_to(std::vector<std::byte>& packet) const {
    const ByteView come = as_bytes(with);
    const std::size_t both = std::min(size, come.size());
    const auto place = packet.begin() + static_cast<std::ptrdiff_t>(at);
    const auto behind = place + static_cast<std::ptrdiff_t>(both);
    if (come.size() > size)
        packet.insert(behind, come.begin() + static_cast<std::ptrdiff_t>(both), come.end());
    else
        packet.erase(behind, behind + static_cast<std::ptrdiff_t>(size - both));
    std::ranges::copy(come.first(both), packet.begin() + static_cast<std::ptrdiff_t>(at));
    if (count)
        detail::change_count(packet.data() + count_at, count);
}

std::vector<std::byte> with_bytes(ByteView packet, std::size_t at, std::size_t size,
                                  ByteView with) {
    std::vector<std::byte> out;
    out.reserve(packet.size() - size + with.size());
    for (const ByteView part : {packet.first(at), with, packet.subspan(at + size)})
        out.insert(out.end(), part.begin(), part.end());
    return out;
}

std::optional<detail::DocumentSplice> PacketEdit::splice(const DecodeOptions& how) const {
    using detail::DocumentSplice;
    const ByteView come = as_bytes(with);
    auto out = kind == value   ? DocumentSplice::replacing(view)
               : kind == added ? DocumentSplice::adding(view)
               : kind == gone  ? DocumentSplice::erasing(around, view)
                               : std::nullopt;
    if (!out || out->at != at || out->size != size)
        return std::nullopt;
    const bool keyed = kind == added && view.is(Type::dictionary);
    if ((keyed && !out->take(come.subspan(key_at, value_at - key_at), key_at, how)) ||
        (kind != gone && !out->take(come.subspan(value_at), value_at, how)))
        return std::nullopt;
    return out;
}

// ---- set, erase, rename -------------------------------------------------------------------------

std::expected<PacketEdit, Error> edit_set(ByteView packet, const View& root, const Path& path,
                                          const Variant& value, const DecodeOptions& options) {
    Editor editor(packet, root, options);
    if (auto done = editor.open(path); !done)
        return std::unexpected(done.error());
    const View& parent = editor.parent();
    const bool array =
        !editor.root() && (parent.is(Type::array) || parent.is(Type::packed_typed_array));
    if (!editor.part_steps().empty())
        return changes_size(editor) ? set_packed(editor, &value) : set_part(editor, value);
    View old = parent;
    if (array) {
        auto index = index_of(editor, parent.size(), true);
        if (!index)
            return std::unexpected(index.error());
        if (*index == parent.size())
            return added(editor, value);
        old = parent[static_cast<std::int64_t>(*index)];
    } else if (!editor.root()) {
        auto found = detail::step_into(parent, editor.last());
        if (!found && found.error().code == Errc::missing_key)
            return added(editor, value);
        if (!found)
            return std::unexpected(found.error());
        old = *found;
    }
    if (!editor.root())
        if (auto taken = detail::taken_in(parent, value, old.offset()); !taken)
            return std::unexpected(taken.error());
    auto bytes = editor.encoded(value, old.offset());
    if (!bytes)
        return std::unexpected(bytes.error());
    return editor.replaced(old, *std::move(bytes));
}

std::expected<PacketEdit, Error> edit_erase(ByteView packet, const View& root, const Path& path,
                                            const DecodeOptions& options, bool unrepeated,
                                            std::size_t* removed) GDVAR_TRY {
    if (removed)
        *removed = 1;
    Editor editor(packet, root, options);
    if (auto done = editor.open(path); !done)
        return std::unexpected(done.error());
    if (editor.root())
        return std::unexpected(
            Error{Errc::misplaced}.about_reason("the whole value can't be erased"));
    const View& parent = editor.parent();
    if (parent.is(Type::packed_string_array) && editor.part_steps().size() == 1)
        return set_packed(editor, nullptr);
    if (!editor.part_steps().empty()) {
        const auto part = detail::part_at(parent, editor.part_steps());
        return std::unexpected(
            part ? Error{Errc::misplaced, parent.type(), parent.offset()}.about_reason(
                       "a part can't be erased by itself")
                 : part.error());
    }
    auto found = detail::step_into(parent, editor.last());
    if (!found)
        return std::unexpected(found.error());
    const std::vector<Range> ranges = ranges_of(editor, *found, unrepeated);
    if (removed)
        *removed = ranges.size();
    PacketEdit edit{.kind = ranges.size() == 1 ? PacketEdit::gone : PacketEdit::other,
                    .view = *found,
                    .around = parent,
                    .at = ranges.front().begin,
                    .size = ranges.back().end - ranges.front().begin};
    for (std::size_t i = 1; i < ranges.size(); ++i)
        detail::append_bytes(
            edit.with, packet.subspan(ranges[i - 1].end, ranges[i].begin - ranges[i - 1].end));
    return editor.counted(std::move(edit), -static_cast<int>(ranges.size()));
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory, Type::nil, 0))

std::expected<PacketEdit, Error> edit_rename(ByteView packet, const View& root, const Path& path,
                                             const Variant& key,
                                             const DecodeOptions& options) GDVAR_TRY {
    Editor editor(packet, root, options);
    if (auto done = editor.open(path); !done)
        return std::unexpected(done.error());
    const View& parent = editor.parent();
    if (editor.root() || !(parent.is(Type::dictionary) || parent.is(Type::object)))
        return std::unexpected(Error{Errc::misplaced, parent.type(), parent.offset()}.about_reason(
            "only pairs and properties have a key"));
    const auto found = detail::step_into(parent, editor.last());
    if (!found)
        return std::unexpected(found.error());
    auto bytes = key_bytes(editor, key);
    if (!bytes)
        return std::unexpected(bytes.error());
    auto places = detail::SameKeys(parent).with(found->offset());
    const detail::SameKeys::Place it = places.back();
    const auto is_text = [](const auto& of) {
        return of.is(Type::string) || of.is(Type::string_name);
    };
    // The key as it is, or in another form: a StringName for a String.
    bool same = std::ranges::equal(packet.subspan(it.begin, it.value - it.begin), as_bytes(*bytes));
    if (parent.is(Type::dictionary) && is_text(key) && !same)
        for (const auto all = parent.pairs(); const View::Pair& pair : all)
            if (pair.value == *found)
                same = is_text(pair.key) && pair.key.text() == key.text();
    if (same)
        places = {it};
    else if (has_key(parent, key, as_bytes(*bytes)))
        return std::unexpected(Error{Errc::repeated_key, parent.type(), parent.offset()});
    // Earlier pairs of the key stay hidden by this one: they get the new key, too.
    const std::size_t start = places.front().begin;
    PacketEdit edit{.at = start, .size = it.value - start};
    for (std::size_t i = 0; i < places.size(); ++i) {
        detail::append_bytes(edit.with, as_bytes(*bytes));
        if (i + 1 < places.size())
            detail::append_bytes(
                edit.with, packet.subspan(places[i].value, places[i + 1].begin - places[i].value));
    }
    return edit;
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory, Type::nil, 0))

std::expected<PackedByteArray, Error> set_value(ByteView packet, const Path& path,
                                                const Variant& value,
                                                const DecodeOptions& options) {
    return edited(packet, options,
                  [&](const View& root) { return edit_set(packet, root, path, value, options); });
}

std::expected<PackedByteArray, Error> erase_value(ByteView packet, const Path& path,
                                                  const DecodeOptions& options,
                                                  std::size_t* removed) {
    return edited(packet, options, [&](const View& root) {
        return edit_erase(packet, root, path, options, false, removed);
    });
}

std::expected<PackedByteArray, Error> rename_key(ByteView packet, const Path& path,
                                                 const Variant& key, const DecodeOptions& options) {
    return edited(packet, options,
                  [&](const View& root) { return edit_rename(packet, root, path, key, options); });
}

std::expected<PackedByteArray, Error> set_value(ByteView packet, std::string_view path,
                                                const Variant& value,
                                                const DecodeOptions& options) {
    const auto parsed = detail::parse_value_path(path);
    if (!parsed)
        return std::unexpected(parsed.error());
    return set_value(packet, *parsed, value, options);
}

std::expected<PackedByteArray, Error> erase_value(ByteView packet, std::string_view path,
                                                  const DecodeOptions& options,
                                                  std::size_t* removed) {
    const auto parsed = detail::parse_value_path(path);
    if (!parsed)
        return std::unexpected(parsed.error());
    return erase_value(packet, *parsed, options, removed);
}

std::expected<PackedByteArray, Error> rename_key(ByteView packet, std::string_view path,
                                                 const Variant& key, const DecodeOptions& options) {
    const auto parsed = detail::parse_value_path(path);
    if (!parsed)
        return std::unexpected(parsed.error());
    return rename_key(packet, *parsed, key, options);
}

}  // namespace gdvar::inspect
