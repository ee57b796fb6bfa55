// gdvar_encode: a tree of items as a packet.
#include "common.hpp"
#include "gdvar/wire/detail/entry_stack.hpp"
#include "gdvar/wire/encoder.hpp"
#include "gdvar/wire/path.hpp"

namespace gdvar::c {
namespace {

/// WebAssembly alone, and no part of gdvar.h: a packed array whose components are left out of the
/// packet, as JavaScript puts them in itself. `as.data` is an uint32_t that gets their place in
/// what is written. Nothing is converted on the way (GDVAR_WIDE_PAGE would).
#if defined(__wasm__)
constexpr std::uint8_t left_out = GDVAR_ITEM_ID;
#else
constexpr std::uint8_t left_out = 0;
#endif

/// Writes a tree of items. Checks that they nest, which the Encoder does not.
class ItemWriter {
public:
    ItemWriter(std::span<const gdvar_item> items, BufferOutput& output,
               const EncodeOptions& options)
        : items_(items), options_(options), encoder_(output, options) {
        output.expect([](const void* of) { return static_cast<const ItemWriter*>(of)->bytes(); },
                      this);
    }
    ItemWriter(const ItemWriter&) = delete;
    ItemWriter& operator=(const ItemWriter&) = delete;

    /// Writes the tree. `error` and `path` then say what was refused, and where.
    Errc run() { return code_ = tree(); }

    Error error() const noexcept {
        if (problem_)
            return Error{code_, Type::nil, encoder_.output().size()}.about_reason(problem_);
        Error error = encoder_.refusal(code_, start_);
        error.type = type_;
        return error;
    }
    /// The path of a refusal, read back from the bytes before it.
    std::string path() const {
        DecodeOptions reading;
        reading.dialect = options_.dialect;
        reading.allow_objects = true;
        reading.real_width = options_.real_width;
        reading.limits.max_depth = options_.max_depth + 1;
        const ByteView written = encoder_.output().written();
        return detail::path_of_next(problem_ ? written : written.first(start_), reading);
    }

private:
    /// A container that is open, and how many values, or properties, it still owes.
    struct Entry {
        std::uint64_t left;
        bool object;
    };

    Errc tree() {
        do {
            bool due = true;
            if (const Errc code = quick_values(due); code != Errc::ok)
                return code;
            if (due)
                if (const Errc code = value(); code != Errc::ok)
                    return code;
            if (const Errc code = advance(); code != Errc::ok)
                return code;
        } while (!stack_.empty());
        return at_ == items_.size() ? Errc::ok : wrong("there are items behind the tree");
    }
    /// Ends what is full and comes to the next value, of which there is none without a container.
    Errc advance() {
        while (!stack_.empty()) {
            Entry& top = stack_.top();
            if (top.left != 0) {
                --top.left;
                return top.object ? property() : Errc::ok;
            }
            stack_.pop();
            (void)encoder_.end();
        }
        return Errc::ok;
    }

    // ---- items

    Errc wrong(const char* why) noexcept {
        problem_ = why;
        return Errc::misplaced;
    }
    Errc ended() noexcept {
        problem_ = "the items end within the tree";
        return Errc::too_few_items;
    }
    const gdvar_item* next() noexcept { return at_ < items_.size() ? &items_[at_++] : nullptr; }
    /// The error of an item without data.
    Errc without_data() noexcept { return wrong("an item without its data"); }
    /// Whether the text is there, if there is one.
    static bool has_text(const gdvar_item& item) noexcept { return !item.count || item.as.data; }
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
        if (!has_text(*item))
            return without_data();
        to = text(*item);
        return Errc::ok;
    }
    Errc take_type(ContainerType& to) noexcept {
        const gdvar_item* item = next();
        if (!item)
            return ended();
        if (item->flags > GDVAR_SCRIPT || item->type >= type_count)
            return wrong("there is no such container type");
        if (!has_text(*item))
            return without_data();
        to.kind = static_cast<ContainerKind>(item->flags);
        to.type = static_cast<Type>(item->type);
        to.name = text(*item);
        return Errc::ok;
    }
    /// Refusals from now on are of a value that begins here.
    void starts(Type type) noexcept {
        start_ = encoder_.output().size();
        type_ = type;
    }
    /// The bytes of the whole packet, or a few less.
    std::size_t bytes() const noexcept {
        constexpr std::uint64_t header = 12, largest = 0x7FFF'FFFF;
        std::uint64_t sum = 0;
        for (const gdvar_item& item : items_) {
            const TypeInfo& info =
                type_info(item.type < type_count ? static_cast<Type>(item.type) : Type::nil);
            const bool counts = info.packed || item.type == GDVAR_STRING;
            const std::uint64_t size =
                info.packed && item.flags & left_out ? 0
                : info.packed
                    ? std::uint64_t{info.components} * component_bytes(item.flags & GDVAR_ITEM_WIDE
                                                                           ? ComponentType::f64
                                                                           : info.component)
                    : 1;
            // A size larger than any value is refused when it is its turn.
            if (!counts || item.count * size <= largest)
                sum += header + (counts ? item.count * size : 0);
        }
        return static_cast<std::size_t>(std::min<std::uint64_t>(sum, SIZE_MAX / 2));
    }

    // ---- many values into reserved space

    /// Writes values of bounded size for as long as they come: `due` stays set if the next item is
    /// a value that is not one of them.
    Errc quick_values(bool& due) {
        constexpr std::size_t worth_it = 128;
        starts(at_ < items_.size() ? static_cast<Type>(items_[at_].type) : Type::nil);
        return encoder_.with_headroom(worth_it, [this, &due](auto& to, std::size_t reserved) {
            return this->fill(to, reserved, due);
        });
    }
    /// The most bytes of such a value, unless `quick_value` asks for more: a String of 31 bytes.
    static constexpr std::size_t most = 40;
    static constexpr std::size_t largest_math = 4 + 16 * 8;  ///< a Projection of doubles
    template <class Inner>
    [[gnu::always_inline]] Errc fill(Inner& to, std::size_t reserved, bool& due) {
        const gdvar_item* item = items_.data() + at_;
        const gdvar_item* const end = items_.data() + items_.size();
        bool nested = !stack_.empty();
        Entry open = nested ? stack_.pop() : Entry{};
        Errc code = Errc::ok;
        while (item != end && reserved >= most && to.output().size() <= reserved - most) {
            const std::size_t begin = to.output().size();
            if (!quick_value(to, reserved - begin, *item, open, nested, code))
                break;
            if (code != Errc::ok) [[unlikely]] {
                start_ += begin;
                type_ = static_cast<Type>(item->type);
                break;
            }
            ++item;
            while (nested && open.left == 0) {
                (void)to.end();
                nested = !stack_.empty();
                open = nested ? stack_.pop() : Entry{};
            }
            if (!nested || open.object) {
                due = false;
                break;
            }
            --open.left;
        }
        if (nested && !stack_.push(open))
            code = Errc::no_memory;
        at_ = static_cast<std::size_t>(item - items_.data());
        return code;
    }
    /// Writes one value of at most `room` bytes, or begins a container. False if it is for `value`.
    template <class Inner>
    [[gnu::always_inline]] bool quick_value(Inner& to, std::size_t room, const gdvar_item& item,
                                            Entry& open, bool& nested, Errc& code) {
        switch (item.type) {
            case GDVAR_NIL:
                code = to.nil();
                return true;
            case GDVAR_BOOL:
                code = to.boolean(item.as.bits != 0);
                return true;
            case GDVAR_INT:
                code = to.integer(item.as.integer);
                return true;
            case GDVAR_FLOAT:
                code = to.real(item.as.real);
                return true;
            case GDVAR_STRING:
                if (!has_text(item) ||
                    (item.count >= most - 8 && std::uint64_t{item.count} + 12 > room))
                    return false;
                code = item.flags & GDVAR_ITEM_UTF8 ? to.string_of_utf8(text(item))
                                                    : to.string(text(item));
                return true;
            case GDVAR_ARRAY:
                return !(item.flags & GDVAR_ITEM_TYPED) &&
                       quick_begun(to.begin_array(Type::array, {}, item.count), item.count, to,
                                   open, nested, code);
            case GDVAR_DICTIONARY:
                return !(item.flags & GDVAR_ITEM_TYPED) &&
                       quick_begun(to.begin_dictionary({}, {}, item.count),
                                   std::uint64_t{item.count} * 2, to, open, nested, code);
            default:
                if (item.type < GDVAR_VECTOR2 || item.type > GDVAR_COLOR ||
                    item.flags & GDVAR_ITEM_WIDE || room < largest_math || !item.as.data)
                    return false;
                code =
                    to.math({static_cast<Type>(item.type), false, !(item.flags & GDVAR_ITEM_LITTLE),
                             static_cast<const std::byte*>(item.as.data)});
                return true;
        }
    }
    template <class Inner>
    [[gnu::always_inline]] bool quick_begun(Errc begun, std::uint64_t left, Inner& to, Entry& open,
                                            bool& nested, Errc& code) {
        code = begun;
        if (code != Errc::ok)
            return true;
        if (left == 0) {
            (void)to.end();
            return true;
        }
        if (nested && !stack_.push(open))
            code = Errc::no_memory;
        open = {left, false};
        nested = true;
        return true;
    }

    // ---- one value

    Errc string(const gdvar_item& item) {
        return item.flags & GDVAR_ITEM_UTF8 ? encoder_.string_of_utf8(text(item))
                                            : encoder_.string(text(item));
    }
    Errc string_name(const gdvar_item& item) {
        return item.flags & GDVAR_ITEM_UTF8 ? encoder_.string_name_of_utf8(text(item))
                                            : encoder_.string_name(text(item));
    }
    Errc property() {
        std::string_view name;
        if (const Errc code = take_text(name); code != Errc::ok)
            return code;
        starts(Type::object);
        return encoder_.property(name);
    }
    /// Writes a leaf, or begins a container.
    Errc value() {
        const gdvar_item* next_item = next();
        if (!next_item)
            return ended();
        const gdvar_item& item = *next_item;
        starts(static_cast<Type>(item.type));
        switch (item.type) {
            case GDVAR_NIL:
                return encoder_.nil();
            case GDVAR_BOOL:
                return encoder_.boolean(item.as.bits != 0);
            case GDVAR_INT:
                return encoder_.integer(item.as.integer);
            case GDVAR_FLOAT:
                return encoder_.real(item.as.real);
            case GDVAR_STRING:
                return has_text(item) ? string(item) : without_data();
            case GDVAR_STRING_NAME:
                return has_text(item) ? string_name(item) : without_data();
            case GDVAR_RID:
                return encoder_.rid(item.as.bits);
            case GDVAR_CALLABLE:
                return encoder_.callable();
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
                return image(static_cast<const gdvar_image*>(item.as.data));
            case GDVAR_INPUT_EVENT:
                return event(static_cast<const gdvar_input_event*>(item.as.data));
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
        if (!data && (item.count || !type_info(type).packed))
            return without_data();
        if (type_info(type).packed && item.flags & left_out)
            return leave_out(item, data);
        if (type_info(type).packed)
            return encoder_.packed({type, wide, host_order, item.count, data});
        return encoder_.math({type, wide, host_order, data});
    }
    Errc leave_out(const gdvar_item& item, const std::byte* place) {
        const bool wide = (item.flags & GDVAR_ITEM_WIDE) != 0;
        if (const Errc code =
                encoder_.packed({static_cast<Type>(item.type), wide, true, 0, nullptr});
            code != Errc::ok)
            return code;
        const BufferOutput& output = encoder_.output();
        const auto end = static_cast<std::uint32_t>(output.size());
        std::memcpy(const_cast<std::byte*>(place), &end, sizeof end);
        std::memcpy(const_cast<std::byte*>(output.written().data()) + end - 4, &item.count, 4);
        return Errc::ok;
    }
    Errc node_path(const gdvar_item& item) {
        if (item.as.bits > item.count)
            return wrong("a NodePath with more subnames than names");
        records_.clear();
        if (records_.capacity() == 0)
            (void)records_.try_reserve(240);  // or `append` grows by a name at a time
        for (std::uint32_t i = 0; i < item.count; ++i) {
            std::string_view name;
            if (const Errc code = take_text(name); code != Errc::ok)
                return code;
            record(name);
        }
        const auto subnames = static_cast<std::uint32_t>(item.as.bits);
        return encoder_.node_path(
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
            return encoder_.object_id(item.as.bits);
        if (!(item.flags & GDVAR_ITEM_FULL))
            return encoder_.object_null();
        std::string_view class_name;
        if (const Errc code = take_text(class_name); code != Errc::ok)
            return code;
        return begun(encoder_.begin_object(class_name, item.count), item.count, true);
    }
    Errc signal(const gdvar_item& item) {
        std::string_view name;
        if (const Errc code = take_text(name); code != Errc::ok)
            return code;
        return encoder_.signal(name, item.as.bits);
    }
    Errc dictionary(const gdvar_item& item) {
        ContainerType key, value;
        if (item.flags & GDVAR_ITEM_TYPED) {
            if (const Errc code = take_type(key); code != Errc::ok)
                return code;
            if (const Errc code = take_type(value); code != Errc::ok)
                return code;
        }
        return begun(encoder_.begin_dictionary(key, value, item.count),
                     std::uint64_t{item.count} * 2, false);
    }
    Errc array(const gdvar_item& item) {
        ContainerType element;
        if (item.flags & GDVAR_ITEM_TYPED || item.type == GDVAR_PACKED_TYPED_ARRAY)
            if (const Errc code = take_type(element); code != Errc::ok)
                return code;
        return begun(encoder_.begin_array(static_cast<Type>(item.type), element, item.count),
                     item.count, false);
    }
    Errc begun(Errc code, std::uint64_t left, bool object) {
        if (code == Errc::ok && !stack_.push({left, object}))
            return Errc::no_memory;
        return code;
    }
    Errc strings(const gdvar_item& item) {
        if (const Errc code = encoder_.begin_packed_strings(item.count); code != Errc::ok)
            return code;
        for (std::uint32_t i = 0; i < item.count; ++i) {
            std::string_view text;
            if (const Errc code = take_text(text); code != Errc::ok)
                return code;
            starts(Type::string);
            if (const Errc code = encoder_.packed_string(text); code != Errc::ok)
                return code;
        }
        return encoder_.end();
    }
    Errc image(const gdvar_image* image) {
        if (!image || (image->data.size && !image->data.data))
            return without_data();
        return encoder_.image(
            {image->format, image->mipmaps, image->width, image->height, view(image->data)});
    }
    Errc event(const gdvar_input_event* event) {
        if (!event)
            return without_data();
        if (event->word_count != InputEventView::word_count(event->type))
            return wrong("an InputEvent with more or fewer words than those of its type");
        return encoder_.input_event(
            {event->type, event->device, {event->words[0], event->words[1]}});
    }

    std::span<const gdvar_item> items_;
    const EncodeOptions& options_;
    Encoder<BufferOutput> encoder_;
    std::size_t at_ = 0;  ///< of the next item
    detail::EntryStack<Entry, 32> stack_;
    PackedByteArray records_;        ///< of a NodePath, kept for the next one
    std::size_t start_ = 0;          ///< where what is being written begins
    Type type_ = Type::nil;          ///< and its type
    const char* problem_ = nullptr;  ///< why an item may not stand where it does
    Errc code_ = Errc::ok;
};

}  // namespace
}  // namespace gdvar::c

using namespace gdvar;

uint16_t gdvar_encode(const gdvar_item* items, size_t count, const gdvar_options* options,
                      gdvar_buffer* to, gdvar_error* error, gdvar_buffer* path) {
    const char* const why = c::why_no_array(items, count);
    return c::call(error, to, why ? why : c::given(options, to), [&] {
        const EncodeOptions encoding = c::encoding(options);
        BufferOutput output(to->bytes);
        c::ItemWriter writer({items, count}, output, encoding);
        if (writer.run() == Errc::ok)
            return c::succeed(error);
        if (path)
            c::append(*path, std::string_view(writer.path()));
        return c::fail(error, writer.error());
    });
}
