#include "gdvar/inspect/edit.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "base/exceptions.hpp"
#include "gdvar/base/quote.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/wire/encoder.hpp"
#include "inspect/edit_bytes.hpp"
#include "inspect/part.hpp"
#include "inspect/same_keys.hpp"

namespace gdvar::inspect {
namespace {

std::unexpected<Error> refuse(Errc code, Type type, std::uint64_t offset) {
    return std::unexpected(Error{code, type, offset, 0});
}

/// The same, of the place in the packet.
std::unexpected<Error> moved(Error error, std::uint64_t offset) {
    error.offset = offset;
    return std::unexpected(error);
}

EncodeOptions writing(const DecodeOptions& options) {
    return {.dialect = options.dialect, .allow_objects = true, .real_width = options.real_width};
}

/// A packet and the places in it.
class Editor {
public:
    Editor(ByteView packet, const DecodeOptions& options) : packet_(packet), options_(options) {}

    std::expected<void, Error> open(const Path& path) {
        steps_ = path.steps;
        auto document = Document::parse(packet_, options_);
        if (!document)
            return std::unexpected(document.error());
        document_ = *std::move(document);
        parent_ = std::as_const(document_).root();
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

    /// The packet with `with` in place of `size` bytes at `at`, and `change` added to the count of
    /// the parent.
    std::expected<PackedByteArray, Error> spliced(std::size_t at, std::size_t size, ByteView with,
                                                  int change) const {
        PackedByteArray out;
        if (!out.try_reserve(packet_.size() - size + with.size()))
            return refuse(Errc::no_memory, Type::nil, at);
        append(out, packet_.first(at));
        if (change) {
            const auto place = detail::count_place(parent_);
            if (!place)
                return refuse(Errc::wrong_type, parent_.type(), parent_.offset());
            std::byte* count = reinterpret_cast<std::byte*>(out.data()) + parent_.offset() + *place;
            // What sharing and other bits an engine put beside the count stays.
            detail::store(count,
                          detail::load<std::uint32_t>(count) + static_cast<std::uint32_t>(change));
        }
        append(out, with);
        append(out, packet_.subspan(at + size));
        return out;
    }
    /// The packet with other bytes at `at`.
    std::expected<PackedByteArray, Error> overwritten(std::size_t at, ByteView with) const {
        return spliced(at, with.size(), with, 0);
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
    static void append(PackedByteArray& to, ByteView bytes) {
        if (!bytes.empty())
            std::memcpy(to.data() + to.size(), bytes.data(), bytes.size());
        to.set_size(to.size() + bytes.size());
    }
    ByteView packet_;
    DecodeOptions options_;
    Document document_;
    std::span<const Path::Step> steps_;
    std::size_t part_steps_ = 0;
    View parent_;
};

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

/// Sets an element of a packed array: reads the array as an Array's elements and writes all of it.
/// The error's code is ok on success.
template <class Element>
Error set_element(PackedArray<Element>& array, std::size_t i, const Variant& value) {
    if constexpr (MathType<Element> || std::is_arithmetic_v<Element>) {
        auto element = value.get<Element>();
        if (!element)
            return element.error();
        if (i == array.size())
            array.push_back(*element);
        else
            array[i] = *element;
        return {};
    }
    return Error{Errc::wrong_type, value.type()};
}

template <class... Element>
Error set_in_any(Variant& packed, std::size_t i, const Variant& value) {
    Error done{Errc::wrong_type, value.type()};
    const auto attempt = [&]<class E>(E*) {
        if (auto* array = packed.get_if<PackedArray<E>>())
            done = set_element(*array, i, value);
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

std::expected<PackedByteArray, Error> set_packed(const Editor& editor, const Variant* value) {
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
        why = set_in_any<std::uint8_t, std::int32_t, std::int64_t, float, double, Vector2, Vector3,
                         Vector4, Color, Vector2d, Vector3d, Vector4d, Colord, Vector2i, Vector3i,
                         Vector4i>(*whole, *index, *value);
    }
    if (why.code != Errc::ok)
        return moved(why, parent.offset());
    auto bytes = editor.encoded(*whole, parent.offset());
    if (!bytes)
        return std::unexpected(bytes.error());
    return editor.spliced(parent.offset(), parent.raw().size(), as_bytes(*bytes), 0);
}

std::expected<PackedByteArray, Error> set_part(const Editor& editor, const Variant& value) {
    const View& whole = editor.parent();
    const auto part = detail::part_at(whole, editor.part_steps());
    if (!part)
        return std::unexpected(part.error());
    const auto put = detail::put_part(editor.packet(), whole, *part, value, editor.encoding());
    if (!put)
        return std::unexpected(put.error());
    return editor.overwritten(put->at, put->span());
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
std::expected<PackedByteArray, Error> added(const Editor& editor, const Variant& value,
                                            const DecodeOptions& options) {
    const View& parent = editor.parent();
    PackedByteArray with;
    // A final PackedByteArray may lack its padding; something follows it now.
    with.resize(detail::padding_of(editor.end_of(parent)));
    if (parent.is(Type::dictionary) || parent.is(Type::object)) {
        auto key = key_of(editor.last());
        if (!key)
            return std::unexpected(key.error());
        if (parent.is(Type::object) && !key->is(Type::string))
            return refuse(Errc::bad_path, Type::object, 0);
        auto bytes = key_bytes(editor, *key);
        if (!bytes)
            return bytes;
        if (auto taken = detail::taken(parent.value_type(), value, parent.offset());
            parent.is(Type::dictionary) && !taken)
            return std::unexpected(taken.error());
        with.append(std::span<const std::uint8_t>(bytes->data(), bytes->size()));
    } else if (auto taken = detail::taken(parent.element_type(), value, parent.offset()); !taken) {
        return std::unexpected(taken.error());
    }
    auto bytes = encode_to(with, value, writing(options));
    if (!bytes)
        return moved(bytes.error(), parent.offset());
    return editor.spliced(editor.end_of(parent), 0, as_bytes(with), 1);
}

}  // namespace

std::expected<PackedByteArray, Error> set_value(ByteView packet, const Path& path,
                                                const Variant& value,
                                                const DecodeOptions& options) {
    Editor editor(packet, options);
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
            return added(editor, value, options);
        old = parent[static_cast<std::int64_t>(*index)];
    } else if (!editor.root()) {
        auto found = detail::step_into(parent, editor.last());
        if (!found && found.error().code == Errc::missing_key)
            return added(editor, value, options);
        if (!found)
            return std::unexpected(found.error());
        old = *found;
    }
    if (!editor.root())
        if (auto taken = detail::taken_in(parent, value, old.offset()); !taken)
            return std::unexpected(taken.error());
    auto bytes = editor.encoded(value, old.offset());
    if (!bytes)
        return bytes;
    return editor.spliced(old.offset(), old.raw().size(), as_bytes(*bytes), 0);
}

namespace {

struct Range {
    std::size_t begin, end;
};

/// The bytes of an element, or of a value with its key or name and of those that go with it. May
/// throw bad_alloc.
std::vector<Range> ranges_of(const Editor& editor, const View& value) {
    const View& parent = editor.parent();
    if (!parent.is(Type::dictionary) && !parent.is(Type::object))
        return {{value.offset(), editor.end_of(value)}};
    std::vector<Range> out;
    for (const auto& place : detail::SameKeys(parent).with(value.offset()))
        out.push_back({place.begin, place.end});
    return out;
}

}  // namespace

std::expected<PackedByteArray, Error> erase_value(ByteView packet, const Path& path,
                                                  const DecodeOptions& options,
                                                  std::size_t* removed) GDVAR_TRY {
    if (removed)
        *removed = 1;
    Editor editor(packet, options);
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
    const std::vector<Range> gone = ranges_of(editor, *found);
    if (removed)
        *removed = gone.size();
    std::vector<std::byte> kept;
    for (std::size_t i = 1; i < gone.size(); ++i) {
        const ByteView between =
            editor.packet().subspan(gone[i - 1].end, gone[i].begin - gone[i - 1].end);
        kept.insert(kept.end(), between.begin(), between.end());
    }
    return editor.spliced(gone.front().begin, gone.back().end - gone.front().begin, kept,
                          -static_cast<int>(gone.size()));
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory, Type::nil, 0))

std::expected<PackedByteArray, Error> rename_key(ByteView packet, const Path& path,
                                                 const Variant& key,
                                                 const DecodeOptions& options) GDVAR_TRY {
    Editor editor(packet, options);
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
        return bytes;
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
    std::vector<std::byte> changed;
    const ByteView with = as_bytes(*bytes);
    for (std::size_t i = 0; i < places.size(); ++i) {
        changed.insert(changed.end(), with.begin(), with.end());
        if (i + 1 == places.size())
            continue;
        const ByteView between =
            packet.subspan(places[i].value, places[i + 1].begin - places[i].value);
        changed.insert(changed.end(), between.begin(), between.end());
    }
    const std::size_t start = places.front().begin;
    return editor.spliced(start, it.value - start, changed, 0);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory, Type::nil, 0))

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
