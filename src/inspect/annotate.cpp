#include "gdvar/inspect/annotate.hpp"

#include <algorithm>
#include <deque>
#include <new>
#include <utility>
#include <vector>

#include "base/exceptions.hpp"
#include "base/number.hpp"
#include "base/sort.hpp"
#include "brief.hpp"
#include "gdvar/wire/path.hpp"

namespace gdvar::inspect {
namespace {

using Emit = std::function<void(const AnnotateRow&)>;

/// Collects a value's fields until its event gives their meaning, then passes them on as rows.
class Annotator {
public:
    static constexpr bool reads_to_the_break = true;

    Annotator(ByteView bytes, const Emit& emit) : bytes_(bytes), emit_(emit) {}
    void follow(const PathTracker<Annotator>& tracker) { tracker_ = &tracker; }
    /// The first byte without a row.
    std::uint64_t covered() const noexcept { return covered_; }

    void raw(Field field, std::size_t offset, std::size_t size) {
        pending_.push_back({offset, size, field});
    }
    void quirk(Quirk quirk, std::size_t offset) {
        // Fields come in the order of their bytes.
        const auto behind = std::ranges::upper_bound(pending_, offset, {}, &Part::offset);
        if (behind != pending_.begin())
            notes_.push_back(
                {static_cast<std::size_t>(behind - pending_.begin()) - 1, notes_.size(), quirk});
    }

    Errc nil() { return give(Type::nil, "null"); }
    Errc boolean(bool value) { return give(Type::boolean, value ? "true" : "false"); }
    Errc integer(std::int64_t value) { return give(Type::integer, std::to_string(value)); }
    Errc real(double value) { return give(Type::real, brief::number(value)); }
    Errc string(std::string_view text) { return give(Type::string, brief::text(text)); }
    Errc string_name(std::string_view text) { return give(Type::string_name, brief::text(text)); }
    Errc math(const MathView& value) { return give(value.type, brief::math(value), value.wide); }
    Errc node_path(const NodePathView& value) { return give(Type::node_path, brief::path(value)); }
    Errc rid(std::uint64_t id) { return give(Type::rid, std::to_string(id)); }
    Errc object_null() { return give(Type::object, "null"); }
    Errc object_id(std::uint64_t id) {
        return give(Type::object, "id " + detail::object_id_text(id));
    }
    Errc begin_object(std::string_view name, std::uint32_t count) {
        return give(Type::object,
                    std::string(name) + ", " + counted(count, "property", "properties"));
    }
    Errc property(std::string_view name) {
        return give(Type::string, brief::text(name), false, "property");
    }
    Errc callable() { return give(Type::callable, ""); }
    Errc signal(std::string_view name, std::uint64_t object) {
        return give(Type::signal,
                    brief::text(name) + " of object " + detail::object_id_text(object));
    }
    Errc begin_dictionary(const ContainerType& key, const ContainerType& value,
                          std::uint32_t count) {
        std::string text = counted(count, "pair", "pairs");
        if (key.typed() || value.typed())
            text = "[" + brief::container_type(key) + ", " + brief::container_type(value) + "] " +
                   text;
        return give(Type::dictionary, std::move(text));
    }
    Errc begin_array(Type type, const ContainerType& element, std::uint32_t count) {
        std::string text = counted(count, "element", "elements");
        if (element.typed())
            text = "[" + brief::container_type(element) + "] " + text;
        return give(type, std::move(text));
    }
    Errc packed(const PackedView& value) {
        return give(value.type, brief::packed(value), value.wide);
    }
    Errc begin_packed_strings(std::uint32_t count) {
        return give(Type::packed_string_array, counted(count, "element", "elements"));
    }
    Errc packed_string(std::string_view text) {
        return give(Type::string, brief::text(text), false, "element");
    }
    Errc image(const ImageView& value) {
        return give(Type::image, std::to_string(value.width) + "x" + std::to_string(value.height) +
                                     ", format " + std::to_string(value.format));
    }
    Errc input_event(const InputEventView& value) {
        return give(Type::input_event, "type " + std::to_string(value.type) + ", device " +
                                           std::to_string(value.device));
    }
    Errc end() { return Errc::ok; }

    /// Fields of a value that was never completed.
    void give_rest(std::string_view path) { rows(path, {}, {}); }

private:
    /// Small, because a NodePath may have one for every four bytes.
    struct Part {
        std::size_t offset, size;
        Field field;
    };
    struct Note {
        std::size_t part, order;
        Quirk quirk;
    };

    static std::string counted(std::uint32_t count, const char* one, const char* many) {
        return std::to_string(count) + " " + (count == 1 ? one : many);
    }

    Errc give(Type type, std::string value, bool wide = false, std::string_view head = {}) {
        std::string name(head.empty() ? type_name(type) : head);
        if (wide)
            name += " (64-bit)";
        rows(tracker_->current_path(), name, std::move(value));
        return Errc::ok;
    }

    /// Passes on the pending fields. With `head`, the header's row has it and the value; other
    /// fields have their own meaning.
    void rows(std::string_view path, std::string_view head, std::string value) {
        detail::sort(notes_, {}, [](const Note& n) { return std::pair(n.part, n.order); });
        auto note = notes_.begin();
        for (std::size_t i = 0; i < pending_.size(); ++i) {
            const Part& part = pending_[i];
            std::string notes;
            for (; note != notes_.end() && note->part == i; ++note) {
                if (!notes.empty())
                    notes += "; ";
                notes += quirk_info(note->quirk).name;
            }
            const bool is_head = i == 0 && !head.empty();
            emit_({part.offset, part.size, path,
                   std::string(is_head ? head : field_name(part.field)),
                   is_head ? std::exchange(value, {}) : plain(part), std::move(notes)});
            covered_ = part.offset + part.size;
        }
        pending_.clear();
        notes_.clear();
    }

    std::string plain(const Part& part) const {
        const std::byte* at = bytes_.data() + part.offset;
        switch (part.field) {
            case Field::text:
                return brief::text(detail::as_text(at, part.size));
            case Field::padding:
            case Field::elements:
            case Field::value:
                return {};
            case Field::object_id:
                return detail::object_id_text(detail::load<std::uint64_t>(at));
            case Field::name_count:
                return std::to_string(detail::load<std::uint32_t>(at) & 0x7FFF'FFFFu);
            default:
                return part.size == 4 ? std::to_string(detail::load<std::uint32_t>(at))
                                      : std::string();
        }
    }

    ByteView bytes_;
    const Emit& emit_;
    const PathTracker<Annotator>* tracker_ = nullptr;
    std::deque<Part> pending_;
    std::vector<Note> notes_;
    std::uint64_t covered_ = 0;
};

std::expected<std::size_t, Error> annotate_all(ByteView bytes, const DecodeOptions& options,
                                               const Emit& emit) {
    Annotator annotator(bytes, emit);
    PathTracker<Annotator> tracker(annotator);
    annotator.follow(tracker);
    auto size = read(bytes, options, tracker);
    if (size) {
        if (*size < bytes.size())
            emit({*size, bytes.size() - *size, "", "trailing", "", "bytes after the packet"});
        return size;
    }
    const Error& error = size.error();
    const std::string path = error_path(bytes, options, error);
    annotator.give_rest(path);
    if (annotator.covered() < bytes.size())
        emit({annotator.covered(), bytes.size() - annotator.covered(), path, "unread", "", ""});
    emit({bytes.size() < error.offset ? bytes.size() : error.offset, 0, path, "break", "",
          to_string(error)});
    return size;
}

}  // namespace

std::expected<std::size_t, Error> annotate(ByteView bytes, const DecodeOptions& options,
                                           const Emit& row) GDVAR_TRY {
    return annotate_all(bytes, options, row);
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

std::string_view field_name(Field field) noexcept {
    constexpr std::string_view names[] = {
        "header",    "value",          "length",     "text",          "padding",
        "count",     "element type",   "name count", "subname count", "path flags",
        "object id", "property count", "elements",   "image",         "event"};
    return names[static_cast<std::size_t>(field)];
}

}  // namespace gdvar::inspect
