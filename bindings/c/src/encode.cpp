// gdvar_encode: a tree of items as a packet. The Writer checks that the items nest.
#include <vector>

#include "common.hpp"
#include "gdvar/wire/writer.hpp"

namespace gdvar::c {
namespace {

class ItemReader {
public:
    ItemReader(std::span<const gdvar_item> items, Writer<BufferOutput>& writer)
        : items_(items), writer_(writer) {}

    /// Writes the tree; `problem` is set where an item may not stand.
    Errc run() {
        do {
            while (!stack_.empty() && stack_.back().left == 0) {
                stack_.pop_back();
                if (const Errc code = writer_.end(); code != Errc::ok)
                    return code;
            }
            if (stack_.empty() && at_ > 0)
                break;
            if (const Errc code = step(); code != Errc::ok)
                return code;
        } while (true);
        return at_ == items_.size() ? Errc::ok : wrong("there are items behind the tree");
    }
    const char* problem() const noexcept { return problem_; }

private:
    /// A container that is open, and how many items or pairs of name and value it still owes.
    struct Entry {
        std::uint64_t left;
        bool object;
    };

    Errc wrong(const char* why) noexcept {
        problem_ = why;
        return Errc::misplaced;
    }
    const gdvar_item* next() noexcept { return at_ < items_.size() ? &items_[at_++] : nullptr; }
    Errc ended() noexcept {
        problem_ = "the items end within the tree";
        return Errc::too_few_items;
    }
    static std::string_view text(const gdvar_item& item) noexcept {
        return item.count ? std::string_view(static_cast<const char*>(item.as.data), item.count)
                          : std::string_view();
    }
    /// The next item's text, which must be a String.
    Errc take_text(std::string_view& to) noexcept {
        const gdvar_item* item = next();
        if (!item)
            return ended();
        if (item->type != GDVAR_STRING)
            return wrong("a name must be a String");
        to = text(*item);
        return Errc::ok;
    }
    Errc take_type(ContainerType& to) noexcept {
        const gdvar_item* item = next();
        if (!item)
            return ended();
        if (item->flags > GDVAR_SCRIPT || item->type >= type_count)
            return wrong("there is no such container type");
        to.kind = static_cast<ContainerKind>(item->flags);
        to.type = static_cast<Type>(item->type);
        to.name = text(*item);
        return Errc::ok;
    }

    Errc step() {
        if (!stack_.empty()) {
            Entry& top = stack_.back();
            --top.left;
            if (top.object) {
                std::string_view name;
                if (const Errc code = take_text(name); code != Errc::ok)
                    return code;
                if (const Errc code = writer_.property(name); code != Errc::ok)
                    return code;
            }
        }
        const gdvar_item* item = next();
        return item ? value(*item) : ended();
    }

    Errc value(const gdvar_item& item) {
        switch (item.type) {
            case GDVAR_NIL:
                return writer_.nil();
            case GDVAR_BOOL:
                return writer_.boolean(item.as.bits != 0);
            case GDVAR_INT:
                return writer_.integer(item.as.integer);
            case GDVAR_FLOAT:
                return writer_.real(item.as.real);
            case GDVAR_STRING:
                return writer_.string(text(item));
            case GDVAR_STRING_NAME:
                return writer_.string_name(text(item));
            case GDVAR_RID:
                return writer_.rid(item.as.bits);
            case GDVAR_CALLABLE:
                return writer_.callable();
            case GDVAR_NODE_PATH:
                return node_path(item);
            case GDVAR_OBJECT:
                return object(item);
            case GDVAR_SIGNAL:
                return signal(item);
            case GDVAR_DICTIONARY:
                return dictionary(item);
            case GDVAR_ARRAY:
            case GDVAR_PACKED_TYPED_ARRAY:
                return array(item);
            case GDVAR_PACKED_STRING_ARRAY:
                return strings(item);
            case GDVAR_IMAGE:
                return image(*static_cast<const gdvar_image*>(item.as.data));
            case GDVAR_INPUT_EVENT:
                return event(*static_cast<const gdvar_input_event*>(item.as.data));
            default:
                return numbers(item);
        }
    }

    Errc numbers(const gdvar_item& item) {
        if (item.type >= type_count)
            return wrong("there is no such type");
        const auto type = static_cast<Type>(item.type);
        const bool wide = (item.flags & GDVAR_ITEM_WIDE) != 0;
        if (wide && !type_info(type).widens)
            return wrong("a type without 64-bit components");
        const bool host_order = !(item.flags & GDVAR_ITEM_LITTLE);
        const auto* data = static_cast<const std::byte*>(item.as.data);
        if (type_info(type).packed)
            return writer_.packed({type, wide, host_order, item.count, data});
        return writer_.math({type, wide, host_order, data});
    }
    Errc node_path(const gdvar_item& item) {
        if (item.as.bits > item.count)
            return wrong("a NodePath with more subnames than names");
        records_.clear();
        for (std::uint32_t i = 0; i < item.count; ++i) {
            std::string_view name;
            if (const Errc code = take_text(name); code != Errc::ok)
                return code;
            record(name);
        }
        const auto subnames = static_cast<std::uint32_t>(item.as.bits);
        return writer_.node_path(
            NodePathView(item.count - subnames, subnames, (item.flags & GDVAR_ITEM_ABSOLUTE) != 0,
                         (item.flags & GDVAR_ITEM_PROPERTY) != 0, as_bytes(records_)));
    }
    /// A counted string, as a NodePathView has them.
    void record(std::string_view name) {
        const auto size = static_cast<std::uint32_t>(name.size());
        std::byte head[4];
        detail::store(head, size);
        records_.append({reinterpret_cast<const std::uint8_t*>(head), 4});
        records_.append({reinterpret_cast<const std::uint8_t*>(name.data()), name.size()});
        records_.resize(records_.size() + detail::padding_of(name.size()));
    }
    Errc object(const gdvar_item& item) {
        if (item.flags & GDVAR_ITEM_ID)
            return writer_.object_id(item.as.bits);
        if (!(item.flags & GDVAR_ITEM_FULL))
            return writer_.object_null();
        std::string_view class_name;
        if (const Errc code = take_text(class_name); code != Errc::ok)
            return code;
        return begun(writer_.begin_object(class_name, item.count), item.count, true);
    }
    Errc signal(const gdvar_item& item) {
        std::string_view name;
        if (const Errc code = take_text(name); code != Errc::ok)
            return code;
        return writer_.signal(name, item.as.bits);
    }
    Errc dictionary(const gdvar_item& item) {
        ContainerType key, value;
        if (item.flags & GDVAR_ITEM_TYPED) {
            if (const Errc code = take_type(key); code != Errc::ok)
                return code;
            if (const Errc code = take_type(value); code != Errc::ok)
                return code;
        }
        return begun(writer_.begin_dictionary(key, value, item.count),
                     std::uint64_t{item.count} * 2, false);
    }
    Errc array(const gdvar_item& item) {
        ContainerType element;
        if (item.flags & GDVAR_ITEM_TYPED || item.type == GDVAR_PACKED_TYPED_ARRAY)
            if (const Errc code = take_type(element); code != Errc::ok)
                return code;
        return begun(writer_.begin_array(static_cast<Type>(item.type), element, item.count),
                     item.count, false);
    }
    Errc begun(Errc code, std::uint64_t items, bool object) {
        if (code == Errc::ok)
            stack_.push_back({items, object});
        return code;
    }
    Errc strings(const gdvar_item& item) {
        if (const Errc code = writer_.begin_packed_strings(item.count); code != Errc::ok)
            return code;
        for (std::uint32_t i = 0; i < item.count; ++i) {
            std::string_view text;
            if (const Errc code = take_text(text); code != Errc::ok)
                return code;
            if (const Errc code = writer_.packed_string(text); code != Errc::ok)
                return code;
        }
        return writer_.end();
    }
    Errc image(const gdvar_image& image) {
        return writer_.image(
            {image.format, image.mipmaps, image.width, image.height, view(image.data)});
    }
    Errc event(const gdvar_input_event& event) {
        return writer_.input_event({event.type, event.device, {event.words[0], event.words[1]}});
    }

    std::span<const gdvar_item> items_;
    Writer<BufferOutput>& writer_;
    std::size_t at_ = 0;
    std::vector<Entry> stack_;
    PackedByteArray records_;
    const char* problem_ = nullptr;
};

}  // namespace
}  // namespace gdvar::c

using namespace gdvar;

uint16_t gdvar_encode(const gdvar_item* items, size_t count, const gdvar_options* options,
                      gdvar_buffer* to, gdvar_error* error, gdvar_buffer* path) {
    return c::call(error, to, [&] {
        const EncodeOptions encoding = c::encoding(options);
        BufferOutput output(to->bytes);
        Writer<BufferOutput> writer(output, encoding);
        c::ItemReader reader({items, count}, writer);
        const Errc code = reader.run();
        if (code == Errc::ok && writer.finish())
            return c::succeed(error);
        if (path)
            c::append(*path, std::string_view(writer.path()));
        if (const char* why = reader.problem())
            return c::fail(error, Error{code, Type::nil, output.size()}.about_reason(why));
        return c::fail(error, writer.error());
    });
}
