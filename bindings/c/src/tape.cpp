// Documents as a tape: the nodes of a packet, and what they say.
#include <algorithm>
#include <cstddef>

#include "common.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar::detail {

// The tape is the Document's own array.
static_assert(sizeof(gdvar_node) == sizeof(Node) &&
              offsetof(gdvar_node, type) == offsetof(Node, type) &&
              offsetof(gdvar_node, flags) == offsetof(Node, flags) &&
              offsetof(gdvar_node, offset) == offsetof(Node, offset) &&
              offsetof(gdvar_node, as) == offsetof(Node, bits));
static_assert(int{GDVAR_WIDE} == Node::wide && int{GDVAR_FULL} == Node::full &&
              int{GDVAR_ID} == Node::id && int{GDVAR_PROPERTY} == Node::property &&
              int{GDVAR_COPIED} == Node::copied);
static_assert(GDVAR_TYPE_COUNT == type_count &&
              GDVAR_PACKED_TYPED_ARRAY == static_cast<int>(Type::packed_typed_array) &&
              GDVAR_INPUT_EVENT == static_cast<int>(Type::input_event) &&
              GDVAR_F64 == static_cast<int>(ComponentType::f64) &&
              GDVAR_SCRIPT == static_cast<int>(ContainerKind::script));

/// Between Views and indices of nodes, for the C interface.
struct Tape {
    static const Arena* arena(const Document& document) noexcept { return document.arena_; }
    static View view(const Document& document, std::uint32_t node) noexcept {
        const Arena* arena = document.arena_;
        if (!arena || node >= arena->count || arena->nodes()[node].flags & Node::property)
            return {};
        return {arena, node};
    }
    static std::uint32_t node(const Document& document, const View& view) noexcept {
        return view && view.arena_ == document.arena_ ? view.node_ : GDVAR_NO_NODE;
    }
};

}  // namespace gdvar::detail

namespace gdvar::c {

View view_of(const gdvar_document* document, std::uint32_t node) noexcept {
    return document ? detail::Tape::view(document->document, node) : View();
}
std::uint32_t node_of(const gdvar_document* document, const View& view) noexcept {
    return document ? detail::Tape::node(document->document, view) : GDVAR_NO_NODE;
}

namespace {

/// Notes the texts that it is given, as far as there is space, and counts all of them.
struct Texts {
    gdvar_text* to;
    std::size_t capacity, count = 0;
    void operator()(std::string_view text) noexcept {
        if (count < capacity && to)
            to[count] = give(text);
        ++count;
    }
};

gdvar_container_type give_type(const ContainerType& type) noexcept {
    return {static_cast<std::uint8_t>(type.kind), static_cast<std::uint8_t>(type.type),
            give(type.name)};
}

gdvar_numbers empty_numbers() noexcept {
    return {nullptr, 0, 0, 0, 0, 0};
}

}  // namespace
}  // namespace gdvar::c

using namespace gdvar;

uint16_t gdvar_validate(gdvar_bytes bytes, const gdvar_options* options, size_t* size,
                        gdvar_error* error) {
    return c::call(error, nullptr, c::given(options), [&] {
        const auto taken = validate(c::view(bytes), c::decoding(options));
        if (!taken)
            return c::fail(error, taken.error());
        if (size)
            *size = *taken;
        return c::succeed(error);
    });
}

uint16_t gdvar_error_path(gdvar_bytes bytes, const gdvar_options* options, const gdvar_error* error,
                          gdvar_buffer* path) {
    return c::call(nullptr, path, c::given(options, error, path), [&] {
        c::append(*path, std::string_view(error_path(c::view(bytes), c::decoding(options),
                                                     c::packet_error(*error))));
        return std::uint16_t{0};
    });
}

gdvar_document* gdvar_document_new(void) {
    return new (std::nothrow) gdvar_document;
}
void gdvar_document_free(gdvar_document* document) {
    delete document;
}

uint16_t gdvar_document_read(gdvar_document* document, gdvar_bytes bytes,
                             const gdvar_options* options, gdvar_error* error) {
    return c::call(error, nullptr, c::given(document, options), [&] {
        return c::answer(error, document->document.read(c::view(bytes), c::decoding(options)));
    });
}
uint16_t gdvar_document_read_copy(gdvar_document* document, gdvar_bytes bytes,
                                  const gdvar_options* options, gdvar_error* error) {
    return c::call(error, nullptr, c::given(document, options), [&] {
        // A copy first: the bytes may be those that the document keeps now.
        PackedByteArray copy;
        copy.append({static_cast<const std::uint8_t*>(bytes.data), c::view(bytes).size()});
        document->document = Document();
        document->kept = std::move(copy);
        return c::answer(error,
                         document->document.read(as_bytes(document->kept), c::decoding(options)));
    });
}

gdvar_tape gdvar_document_tape(const gdvar_document* document) {
    const detail::Arena* arena = document ? detail::Tape::arena(document->document) : nullptr;
    if (!arena || !arena->count)
        return {nullptr, 0, nullptr, 0};
    return {reinterpret_cast<const gdvar_node*>(arena->nodes()), arena->count,
            reinterpret_cast<const std::uint8_t*>(arena->bytes), arena->size};
}

gdvar_bytes gdvar_node_bytes(const gdvar_document* document, uint32_t node) {
    return c::give(c::view_of(document, node).raw());
}

gdvar_text gdvar_node_name(const gdvar_document* document, uint32_t node) {
    const View view = c::view_of(document, node);
    switch (view.type()) {
        case Type::string:
        case Type::string_name:
            return c::give(view.text());
        case Type::object:
            return c::give(view.class_name());
        case Type::signal:
            return c::give(view.signal_name());
        default:
            break;
    }
    const gdvar_tape tape = gdvar_document_tape(document);
    if (node >= tape.count || !(tape.nodes[node].flags & GDVAR_PROPERTY))
        return {nullptr, 0};
    const gdvar_node& name = tape.nodes[node];
    return {reinterpret_cast<const char*>(tape.bytes + name.offset + 4), name.as.span.count};
}

gdvar_numbers gdvar_node_numbers(const gdvar_document* document, uint32_t node) {
    const View view = c::view_of(document, node);
    if (!view)
        return c::empty_numbers();
    const TypeInfo& info = type_info(view.type());
    if (!info.components)
        return c::empty_numbers();
    if (is_packed(view.type())) {
        const PackedView packed = view.packed();
        return {packed.data,       packed.count,
                info.components,   static_cast<std::uint8_t>(packed.component()),
                packed.host_order, 0};
    }
    const MathView math = view.math();
    return {
        math.data,       1,
        info.components, static_cast<std::uint8_t>(math.wide ? ComponentType::f64 : info.component),
        math.host_order, 0};
}

size_t gdvar_node_texts(const gdvar_document* document, uint32_t node, gdvar_text* to,
                        size_t capacity) {
    const View view = c::view_of(document, node);
    c::Texts texts{to, capacity};
    if (view.is(Type::node_path))
        view.node_path().each([&](std::string_view name, bool) { texts(name); });
    const View::Strings strings = view.strings();
    for (const std::string_view text : strings)
        texts(text);
    return texts.count;
}

gdvar_node_path_info gdvar_node_path(const gdvar_document* document, uint32_t node) {
    const View view = c::view_of(document, node);
    if (!view.is(Type::node_path))
        return {0, 0, 0, 0, 0, 0};
    const NodePathView path = view.node_path();
    std::uint32_t names = 0, subnames = 0;
    path.each([&](std::string_view, bool subname) { ++(subname ? subnames : names); });
    return {names, subnames, path.absolute(), path.separate_property(), path.is_text(), 0};
}

void gdvar_node_types(const gdvar_document* document, uint32_t node, gdvar_container_type* first,
                      gdvar_container_type* second) {
    const View view = c::view_of(document, node);
    const bool pairs = view.is(Type::dictionary);
    if (first)
        *first = c::give_type(pairs ? view.key_type() : view.element_type());
    if (second)
        *second = c::give_type(pairs ? view.value_type() : ContainerType{});
}

gdvar_image gdvar_node_image(const gdvar_document* document, uint32_t node) {
    const View view = c::view_of(document, node);
    const ImageView image = view.is(Type::image) ? view.image() : ImageView{};
    return {image.format, image.mipmaps, image.width, image.height, c::give(image.data)};
}
gdvar_input_event gdvar_node_input_event(const gdvar_document* document, uint32_t node) {
    const View view = c::view_of(document, node);
    const bool is = view.is(Type::input_event);
    const InputEventView event = is ? view.input_event() : InputEventView{};
    return {event.type,
            event.device,
            {event.words[0], event.words[1]},
            is ? static_cast<std::uint32_t>(InputEventView::word_count(event.type)) : 0};
}

uint32_t gdvar_find_text(const gdvar_document* document, uint32_t node, gdvar_text key) {
    return c::node_of(document, c::view_of(document, node)[c::view(key)]);
}
uint32_t gdvar_find_index(const gdvar_document* document, uint32_t node, int64_t index) {
    return c::node_of(document, c::view_of(document, node)[index]);
}
