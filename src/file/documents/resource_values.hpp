// The values of a binary resource as a source: drives a sink with them.
// Room: file, private. Rules: wire-format 8.3.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "file/documents/resource_head.hpp"
#include "file/documents/resource_rows.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/views.hpp"

namespace gdvar::detail {

/// Hands out the texts that the file has once and names by number. A file can name a long text
/// often, so what has been handed out is limited: the packet has each of them, and is held twice
/// while it grows. Engines' own files stay far below.
class NameBudget {
public:
    explicit NameBudget(std::size_t file_size) noexcept
        : left_(std::uint64_t{4} * file_size + (1u << 20)) {}
    bool take(std::string_view text, ResourceBytes& in) {
        if (text.size() > left_)
            return in.refuse(Error{Errc::size_limit, Type::nil, in.at()}.about_reason(
                "names that are repeated until they exceed 4 times the file"));
        left_ -= text.size();
        return true;
    }

private:
    std::uint64_t left_;
};

/// Reads values and gives them to the sink. Iterative. Each function returns false when the bytes
/// or the sink refuse; `in` then knows why. Throws std::bad_alloc.
template <class Sink>
class ResourceValues {
public:
    /// `outer`: containers that are open around each value.
    ResourceValues(const ResourceHead& head, ResourceBytes& in, Sink& sink, NameBudget& budget,
                   std::uint32_t max_depth, std::uint32_t outer)
        : head_(head),
          in_(in),
          sink_(sink),
          budget_(budget),
          max_depth_(max_depth),
          outer_(outer) {}

    /// One value with everything in it.
    bool value() {
        in_.pay(least_value);
        if (!item())
            return false;
        while (!open_.empty()) {
            if (open_.back() == 0) {
                open_.pop_back();
                if (!gave(sink_.end()))
                    return false;
                continue;
            }
            --open_.back();
            in_.pay(least_value);
            if (!item())
                return false;
        }
        return true;
    }
    /// A name: its number, or its length and the name itself.
    bool name(std::string_view& out) {
        std::uint32_t number = 0;
        if (!in_.number(number))
            return false;
        if (number & inlined)
            return in_.text_of(number & ~inlined, out);
        if (number >= head_.names.size())
            return in_.refuse(Error{Errc::bad_reference, Type::nil, in_.at() - 4}.about_index(
                number, head_.names.size()));
        out = head_.names[number];
        return budget_.take(out, in_);
    }
    /// Whether a value was seen that only Pandemonium writes.
    bool pandemonium() const noexcept { return pandemonium_; }

    static constexpr std::size_t least_value = 4;

private:
    static constexpr std::uint32_t inlined = 0x8000'0000u;

    bool gave(Errc code) { return code == Errc::ok || in_.refuse(Error{code, type_, value_at_}); }
    bool item() {
        value_at_ = in_.at();
        std::uint32_t id = 0;
        if (!in_.number(id))
            return false;
        const ResourceRow* row = resource_row(id, head_.format);
        if (!row)
            return in_.refuse(Error{Errc::unknown_type, Type::nil, value_at_}.about_type_id(id));
        type_ = row->type;
        pandemonium_ |= !head_.godot_4() && id >= resource_rows::first_of_pandemonium;
        switch (row->shape) {
            case ResourceShape::nothing:
                return gave(type_ == Type::callable ? sink_.callable()
                            : type_ == Type::signal ? sink_.signal({}, 0)
                                                    : sink_.nil());
            case ResourceShape::boolean:
                return number<std::uint32_t>([&](auto n) { return sink_.boolean(n != 0); });
            case ResourceShape::rid:
                return number<std::uint32_t>([&](auto n) { return sink_.integer(n); });
            case ResourceShape::integer:
                return number<std::int32_t>([&](auto n) { return sink_.integer(n); });
            case ResourceShape::integer64:
                return number<std::int64_t>([&](auto n) { return sink_.integer(n); });
            case ResourceShape::real:
                if (!head_.has(ResourceHead::double_precision))
                    return number<float>(
                        [&](auto n) { return sink_.real(static_cast<double>(n)); });
                [[fallthrough]];
            case ResourceShape::real64:
                return number<double>([&](auto n) { return sink_.real(n); });
            case ResourceShape::math:
                return math(*row);
            case ResourceShape::packed:
                return packed(*row);
            default:
                return compound(row->shape);
        }
    }
    bool compound(ResourceShape shape) {
        switch (shape) {
            case ResourceShape::string:
                return string();
            case ResourceShape::packed_strings:
                return strings();
            case ResourceShape::node_path:
                return node_path();
            case ResourceShape::object:
                return object();
            case ResourceShape::dictionary:
                return dictionary();
            case ResourceShape::typed_array:
                return typed_array();
            case ResourceShape::image:
                return image();
            default:
                return array(Type::array, {});
        }
    }

    template <class T, class Use>
    bool number(Use&& use) {
        T n{};
        return in_.number(n) && gave(use(n));
    }
    bool wide(const ResourceRow& row) const noexcept {
        return head_.has(ResourceHead::double_precision) && type_info(row.type).widens &&
               !row.single;
    }
    /// The bytes of numbers of that size, little-endian; valid until the next call.
    ByteView ordered(ByteView bytes, std::size_t size) {
        if (!in_.big() || size == 1)
            return bytes;
        swapped_.assign(bytes.begin(), bytes.end());
        for (std::size_t i = 0; i + size <= swapped_.size(); i += size)
            std::reverse(swapped_.begin() + static_cast<std::ptrdiff_t>(i),
                         swapped_.begin() + static_cast<std::ptrdiff_t>(i + size));
        return swapped_;
    }
    bool math(const ResourceRow& row) {
        MathView view{.type = row.type, .wide = wide(row)};
        ByteView bytes;
        if (!in_.take(view.size(), bytes))
            return false;
        view.data = ordered(bytes, view.wide ? 8 : 4).data();
        return gave(sink_.math(view));
    }
    bool packed(const ResourceRow& row) {
        PackedView view{.type = row.type, .wide = wide(row)};
        const std::uint64_t element = view.element_size();
        ByteView bytes, padding;
        if (!in_.count(view.count) || !in_.take(view.count * element, bytes))
            return false;
        if (element == 1 && !in_.take(padding_of(bytes.size()), padding))
            return false;
        if (bytes.size() > 0x7FFF'FFFFu)
            return in_.refuse(Error{Errc::too_large, row.type, value_at_});
        view.data = ordered(bytes, component_bytes(view.component())).data();
        return gave(sink_.packed(view));
    }
    bool string() {
        std::string_view text;
        if (!in_.text(text))
            return false;
        return gave(type_ == Type::string_name ? sink_.string_name(text) : sink_.string(text));
    }
    bool strings() {
        std::uint32_t count = 0;
        if (!in_.count(count) || !in_.owe(count, 4) || !gave(sink_.begin_packed_strings(count)))
            return false;
        for (; count; --count) {
            std::string_view text;
            in_.pay(4);
            if (!in_.text(text) || !gave(sink_.packed_string(text)))
                return false;
        }
        return gave(sink_.end());
    }
    /// A container with so many values in it.
    bool enter(std::uint64_t values) {
        if (open_.size() + outer_ >= max_depth_)
            return in_.refuse(Error{Errc::depth_limit, type_, value_at_});
        if (!in_.owe(values, least_value))
            return false;
        open_.push_back(values);
        return true;
    }
    /// The top bit of a count was Godot 2's mark of shared containers.
    bool shared_count(std::uint32_t& out) {
        if (!in_.number(out))
            return false;
        out &= 0x7FFF'FFFFu;
        return true;
    }
    bool dictionary() {
        std::uint32_t pairs = 0;
        return shared_count(pairs) && enter(std::uint64_t{2} * pairs) &&
               gave(sink_.begin_dictionary({}, {}, pairs));
    }
    bool array(Type type, const ContainerType& element) {
        std::uint32_t count = 0;
        return shared_count(count) && enter(count) && gave(sink_.begin_array(type, element, count));
    }
    bool typed_array() {
        const Type type = type_;
        ByteView byte;
        if (!in_.take(1, byte))
            return false;
        const auto id = static_cast<std::size_t>(byte[0]);
        if (id >= dialects::pandemonium_5.row_count)
            return in_.refuse(Errc::bad_container_type, in_.at() - 1);
        ContainerType element = ContainerType::of(dialects::pandemonium_5.rows[id].type);
        if (element.type != Type::object)
            return array(type, element);
        // The class, as a complete StringName.
        std::uint32_t name_id = 0;
        element = ContainerType::of_class({});
        if (!in_.number(name_id))
            return false;
        const ResourceRow* row = resource_row(name_id, head_.format);
        if (!row || row->type != Type::string_name)
            return in_.refuse(Errc::bad_container_type, in_.at() - 4);
        return in_.text(element.name) && array(type, element);
    }
    bool node_path() {
        std::uint16_t names = 0, subnames = 0;
        if (!in_.number(names) || !in_.number(subnames))
            return false;
        const bool absolute = subnames & 0x8000;
        subnames &= 0x7FFF;
        std::string_view text;
        records_.clear();
        for (std::uint32_t i = 0; i < std::uint32_t{names} + subnames; ++i) {
            if (!name(text))
                return false;
            append_record(text);
        }
        // The property of older paths is now their last subname.
        if (head_.format < 3) {
            if (!name(text))
                return false;
            if (!text.empty())
                append_record(text);
            subnames += !text.empty();
        }
        return gave(sink_.node_path({names, subnames, absolute, false, records_}));
    }
    void append_record(std::string_view text) {
        const std::size_t at = records_.size();
        records_.resize(
            at + static_cast<std::size_t>(record_size(static_cast<std::uint32_t>(text.size()))));
        store(records_.data() + at, static_cast<std::uint32_t>(text.size()));
        if (!text.empty())
            std::memcpy(records_.data() + at + 4, text.data(), text.size());
    }

    /// An Object with the property `id`, which `give` gives.
    template <class Give>
    bool reference(std::string_view class_name, Give&& give) {
        return gave(sink_.begin_object(class_name, 1)) && gave(sink_.property("id")) &&
               gave(give()) && gave(sink_.end());
    }
    bool reference(std::string_view class_name, std::uint32_t number) {
        return reference(class_name, [&] { return sink_.integer(number); });
    }
    bool object() {
        enum Kind : std::uint32_t { null, by_path, internal, external };
        std::uint32_t kind = 0, number = 0;
        if (!in_.number(kind))
            return false;
        if (kind == null)
            return gave(sink_.nil());
        if (kind == by_path)
            return object_by_path();
        if (kind > external)
            return in_.refuse(Error{Errc::bad_reference, Type::object, in_.at() - 4}.about_reason(
                "a kind of Object that does not exist"));
        if (open_.size() + outer_ >= max_depth_)
            return in_.refuse(Error{Errc::depth_limit, Type::object, value_at_});
        if (!in_.number(number))
            return false;
        if (kind == external)
            return reference("ExtResource", number);
        if (!head_.has(ResourceHead::named_ids))
            return reference("SubResource", number);
        if (number >= head_.internals.size())
            return in_.refuse(Error{Errc::bad_reference, Type::object, in_.at() - 4}.about_index(
                number, head_.internals.size()));
        const std::string_view id = head_.internals[number].id();
        return budget_.take(id, in_) && reference("SubResource", [&] { return sink_.string(id); });
    }
    /// An external resource that is not in the table; no engine since Godot 1 writes it.
    bool object_by_path() {
        std::string_view type, path;
        return in_.text(type) && in_.text(path) && gave(sink_.begin_object("Resource", 2)) &&
               gave(sink_.property("path")) && gave(sink_.string(path)) &&
               gave(sink_.property("type")) && gave(sink_.string(type)) && gave(sink_.end());
    }
    /// Godot 1 and 2: an Object of the class Image, since newer dialects have no such value.
    bool image() {
        enum Encoding : std::uint32_t { empty, raw, lossless, lossy };
        std::uint32_t encoding = 0;
        if (!in_.number(encoding))
            return false;
        if (encoding == empty)
            return gave(sink_.nil());
        if (encoding > lossy)
            return in_.refuse(Error{Errc::bad_reference, Type::image, in_.at() - 4}.about_reason(
                "an encoding of images that does not exist"));
        constexpr std::string_view fields[] = {"width", "height", "mipmaps", "format"};
        std::uint32_t numbers[std::size(fields)]{}, length = 0;
        if (encoding == raw)
            for (std::uint32_t& number : numbers)
                if (!in_.number(number))
                    return false;
        ByteView data, padding;
        if (!in_.count(length) || !in_.take(length, data) || !in_.take(padding_of(length), padding))
            return false;
        if (!gave(sink_.begin_object("Image", encoding == raw ? 5 : 2)))
            return false;
        if (encoding != raw && !(gave(sink_.property("encoding")) &&
                                 gave(sink_.string(encoding == lossless ? "lossless" : "lossy"))))
            return false;
        for (std::size_t i = 0; encoding == raw && i < std::size(fields); ++i)
            if (!gave(sink_.property(fields[i])) || !gave(sink_.integer(numbers[i])))
                return false;
        return gave(sink_.property("data")) &&
               gave(sink_.packed({.count = length, .data = data.data()})) && gave(sink_.end());
    }

    const ResourceHead& head_;
    ResourceBytes& in_;
    Sink& sink_;
    NameBudget& budget_;
    std::uint32_t max_depth_, outer_;
    bool pandemonium_ = false;
    Type type_ = Type::nil;            ///< of the value that is read
    std::size_t value_at_ = 0;         ///< where it begins
    std::vector<std::uint64_t> open_;  ///< the values that each open container still takes
    std::vector<std::byte> swapped_{}, records_{};
};

}  // namespace gdvar::detail
