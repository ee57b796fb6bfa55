#include "gdvar/file/code.hpp"

#include <algorithm>
#include <deque>

#include "base/exceptions.hpp"
#include "file/game_path.hpp"
#include "gdvar/base/quote.hpp"
#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/wire/reader.hpp"
#include "gdvar/wire/sink.hpp"

namespace gdvar {
namespace {

using detail::Child;
using detail::OpenContainer;

constexpr CodeKindInfo kinds[] = {
    {"embedded_script", "a script in the file, which engines compile and may run"},
    {"loaded_script", "engines load this script and may run it"},
    {"outside_file", "engines load this file, which is none of the game's own and may hold code"},
    {"made_object", "engines make an object of this class"},
};

// Sorted. InputEvent and its parts: every project.godot with an input map has them.
constexpr std::string_view harmless[] = {
    "EncodedObjectAsID",
    "InputEvent",
    "InputEventAction",
    "InputEventFromWindow",
    "InputEventGesture",
    "InputEventJoypadButton",
    "InputEventJoypadMotion",
    "InputEventKey",
    "InputEventMIDI",
    "InputEventMagnifyGesture",
    "InputEventMouse",
    "InputEventMouseButton",
    "InputEventMouseMotion",
    "InputEventPanGesture",
    "InputEventScreenDrag",
    "InputEventScreenTouch",
    "InputEventShortcut",
    "InputEventWithModifiers",
    "RefCounted",
    "Reference",
    "Resource",
    "ShortCut",
    "Shortcut",
    "jaxis",
    "jbutton",
    "key",
    "mbutton",
};
static_assert(std::ranges::is_sorted(harmless));

// Extensions by which engines load scripts or native libraries, in any case.
constexpr std::string_view script_endings[] = {".cs",          ".gd",     ".gdc",  ".gde",
                                               ".gdextension", ".gdnlib", ".gdns", ".vs"};

bool is_script_class(std::string_view name) noexcept {
    return name.ends_with("Script") || name == "GDExtension" || name == "GDNativeLibrary" ||
           name == "NativeExtension";
}

bool is_script_file(std::string_view path) noexcept {
    const std::size_t at = path.rfind('.');
    if (at == path.npos)
        return false;
    const std::string_view ending = path.substr(at);
    return std::ranges::any_of(script_endings, [&](std::string_view script) {
        return std::ranges::equal(script, ending, [](char wanted, char c) {
            return wanted == (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        });
    });
}

/// True if a path leads to a file of the game, which a save does not choose.
bool is_of_the_game(std::string_view path) noexcept {
    return path.starts_with("uid://") ||
           (path.starts_with(detail::game_folder) && !detail::leads_out(path) &&
            path.substr(detail::game_folder.size()).find_first_of("/\\") != 0);
}

/// True for a script, or the text of a reference to one.
bool is_script_type(const ContainerType& type) noexcept {
    return type.kind == ContainerKind::script ||
           (type.kind == ContainerKind::class_name && type.name.ends_with(')'));
}

bool is_object(const View& value) noexcept {
    return value.is(Type::object) && value.object_kind() == ObjectKind::full;
}

std::string_view plain_text(const View& value) noexcept {
    return value.is(Type::string) || value.is(Type::string_name) ? value.text()
                                                                 : std::string_view();
}

/// The kinds of places in a resource or a scene. Other documents have only `value`.
enum class Place : std::uint8_t {
    value,
    document,
    ext_list,
    ext,  ///< the attributes of an ext_resource
    sub_list,
    node_list,
    node,  ///< the attributes of a node
    tag    ///< the properties of a tag
};

/// The target of a name in the document.
struct Part {
    Place in;
    std::string_view name;  ///< empty: any
    Place place;
};
constexpr Part parts[] = {
    {Place::document, "ext", Place::ext_list},   {Place::document, "sub", Place::sub_list},
    {Place::document, "node", Place::node_list}, {Place::document, "resource", Place::tag},
    {Place::ext_list, "", Place::ext},           {Place::sub_list, "", Place::tag},
    {Place::node_list, "", Place::node},         {Place::node, "properties", Place::tag},
};

Place step_to(Place in, std::string_view name) noexcept {
    for (const Part& part : parts)
        if (part.in == in && (part.name.empty() || part.name == name))
            return part.place;
    return Place::value;
}

class CodeFinder {
public:
    CodeFinder(CodeReport& out, std::size_t most, std::string_view label, InputKind kind)
        : out_(out),
          most_(most),
          label_(label),
          has_tags_(kind == InputKind::resource || kind == InputKind::binary_resource) {}

    void run(const View& root) {
        look(root, has_tags_ ? Place::document : Place::value);
        while (!open_.empty()) {
            Level& top = open_.back();
            if (top.children.done()) {
                open_.pop_back();
                continue;
            }
            top.child = top.children.next();
            top.at_child = true;
            const View child = top.child.view;
            if (top.child.role == Child::key)
                look(child, Place::value);
            else
                look_at_named(child, top);
        }
    }

private:
    struct Level : OpenContainer {
        Level(const View& view, Place is) : OpenContainer(view), place(is) {}
        Place place;
    };

    void look_at_named(const View& value, const Level& top) {
        const bool property = top.child.role == Child::property || top.place == Place::tag;
        const std::string_view name =
            top.child.role == Child::property ? top.child.name : plain_text(top.child.key_view);
        const Place in = top.place;
        const std::uint64_t before = out_.count;
        if (in == Place::node && name == "instance_placeholder")
            look_at_path(value, {});
        const std::size_t levels = open_.size();
        look(value, step_to(in, name));
        // A script under another name was reported with that.
        if (property && name == "script" && !value.is_nil() && out_.count == before)
            tell(CodeKind::loaded_script, reference_in_words(value), levels);
    }

    void look(const View& value, Place place) {
        if (place == Place::ext)
            look_at_ext(value);
        else if (is_object(value))
            look_at_object(value, place);
        else if (value.is(Type::array) || value.is(Type::packed_typed_array))
            look_at_type(value.element_type());
        else if (value.is(Type::dictionary)) {
            look_at_type(value.key_type());
            look_at_type(value.value_type());
        }
        if (detail::is_container(value) && value.size())
            open_.emplace_back(value, place);
    }

    void look_at_object(const View& object, Place place) {
        const std::string_view name = object.class_name();
        const bool by_id = name == "ExtResource" || name == "SubResource";
        if (is_script_class(name))
            return tell(CodeKind::embedded_script, std::string(name));
        if (place == Place::tag || (by_id && has_tags_))
            return;
        if (by_id)
            return look_at_path(object["id"], {});
        if (name == "Resource")
            return look_at_path(object["path"], plain_text(object["type"]));
        if (!std::ranges::binary_search(harmless, name))
            tell(CodeKind::made_object, std::string(name));
    }

    void look_at_type(const ContainerType& type) {
        if (is_script_type(type))
            tell(CodeKind::loaded_script, std::string(type.name));
    }

    /// The attributes of an ext_resource. A tag may repeat one.
    void look_at_ext(const View& tag) {
        std::string_view type;
        bool has_path = false;
        for (detail::Children all(tag); !all.done();) {
            const Child child = all.next_value();
            const std::string_view text = plain_text(child.view);
            if (plain_text(child.key_view) == "type" && (type.empty() || is_script_class(text)))
                type = text;
        }
        for (detail::Children all(tag); !all.done();) {
            const Child child = all.next_value();
            if (plain_text(child.key_view) != "path")
                continue;
            has_path = true;
            look_at_path(child.view, type);
        }
        if (!has_path)
            look_at_file({}, type);
    }

    /// Engines convert the value of a path to a text, also a NodePath.
    void look_at_path(const View& path, std::string_view type) {
        if (path.is(Type::node_path))
            return look_at_file(to_string(path.node_path()), type);
        look_at_file(plain_text(path), type);
    }

    void look_at_file(std::string_view path, std::string_view type) {
        if (is_script_file(path) || is_script_class(type))
            tell(CodeKind::loaded_script, path.empty() ? std::string(type) : std::string(path));
        else if (!path.empty() && !is_of_the_game(path))
            tell(CodeKind::outside_file, std::string(path));
    }

    static std::string reference_in_words(const View& value) {
        if (!is_object(value))
            return value.is(Type::string) ? std::string(value.text())
                                          : std::string(type_name(value.type()));
        const View id = value["id"], path = value["path"], uid = value["uid"];
        if (path.is(Type::string) || uid.is(Type::string))
            return std::string(path ? path.text() : uid.text());
        std::string out(value.class_name());
        if (id.is(Type::string))
            out += "(" + quote(id.text()) + ")";
        else if (id.is(Type::integer))
            out += "(" + std::to_string(id.integer()) + ")";
        return out;
    }

    void tell(CodeKind kind, std::string what) { tell(kind, std::move(what), open_.size()); }
    /// `levels`: the number of open containers that lead to the place.
    void tell(CodeKind kind, std::string what, std::size_t levels) {
        ++out_.count;
        if (out_.first.size() >= most_)
            return;
        std::string path(label_);
        path += "$";
        for (std::size_t i = 0; i < levels; ++i)
            if (const Child& child = open_[i].child; child.role == Child::key)
                path += "[@" + std::to_string(child.ordinal) + " key]";
            else
                append_step(path, child);
        out_.first.push_back({kind, inspect::shortened_path(path, CodeReport::most_path),
                              inspect::shortened_path(what, CodeReport::most_path)});
    }

    CodeReport& out_;
    const std::size_t most_;
    const std::string_view label_;
    const bool has_tags_;
    std::deque<Level> open_;
};

/// Stops at possible code. Most packets have none, and need no Document.
struct CodeSign : NullSink {
    static Errc stop_if(bool code) { return code ? Errc::stopped : Errc::ok; }
    static Errc begin_object(std::string_view, std::uint32_t) { return Errc::stopped; }
    static Errc begin_dictionary(const ContainerType& key, const ContainerType& value,
                                 std::uint32_t) {
        return stop_if(is_script_type(key) || is_script_type(value));
    }
    static Errc begin_array(Type, const ContainerType& element, std::uint32_t) {
        return stop_if(is_script_type(element));
    }
};

std::expected<void, Error> add_packet(CodeReport& out, ByteView packet, InputKind kind,
                                      DecodeOptions options, std::size_t most,
                                      std::string_view label) {
    if (kind == InputKind::json || kind == InputKind::json_lines)
        return {};
    options.allow_objects = true;
    options.strict = false;
    if (kind != InputKind::resource && kind != InputKind::binary_resource) {
        const auto size = read(packet, options, CodeSign());
        if (size)
            return {};
        if (size.error().code != Errc::stopped)
            return std::unexpected(size.error());
    }
    const auto document = Document::parse(packet, options);
    if (!document)
        return std::unexpected(document.error());
    CodeFinder(out, most, label, kind).run(document->root());
    return {};
}

}  // namespace

const CodeKindInfo& code_kind_info(CodeKind kind) noexcept {
    return kinds[static_cast<std::size_t>(kind)];
}

std::span<const std::string_view> harmless_classes() noexcept {
    return harmless;
}

std::expected<CodeReport, Error> find_code(const View& value, InputKind kind,
                                           std::size_t most) GDVAR_TRY {
    if (!value)
        return std::unexpected(value.error());
    CodeReport out;
    CodeFinder(out, most, {}, kind).run(value);
    return out;
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

std::expected<CodeReport, Error> find_code(ByteView packet, InputKind kind,
                                           const DecodeOptions& options,
                                           std::size_t most) GDVAR_TRY {
    CodeReport out;
    if (auto added = add_packet(out, packet, kind, options, most, {}); !added)
        return std::unexpected(added.error());
    return out;
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

std::expected<CodeReport, Error> find_code(const SaveFile& save, std::size_t most) GDVAR_TRY {
    CodeReport out;
    const DocumentKind& kind = save.kind();
    const std::vector<SaveItem>& items = save.items();
    for (std::size_t i = 0; i < items.size(); ++i)
        if (auto added = add_packet(out, items[i].packet, kind.seen_as, save.decoding(), most,
                                    item_label(kind, i, items[i].key));
            !added)
            return std::unexpected(added.error());
    return out;
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

}  // namespace gdvar
