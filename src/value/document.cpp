#include "gdvar/value/document.hpp"

#include <bit>

#include "gdvar/wire/validate.hpp"
#include "value/document_index.hpp"

namespace gdvar {

using detail::Arena;
using detail::bytes_for;
using detail::has_children;
using detail::Node;
using detail::Reread;
using detail::Scanner;

namespace {

Scanner payload(const Arena& arena, const Node& node) noexcept {
    return Scanner::reread(arena.bytes + node.offset + 4, arena.bytes + arena.size);
}
std::string_view record(const Arena& arena, const Node& node) noexcept {
    std::string_view text;
    (void)payload(arena, node).take_text(text, arena.options.dialect->utf8, Reread{});
    return text;
}

}  // namespace

// ---- making -----------------------------------------------------------------------------------

std::expected<Document, Error> Document::parse(ByteView bytes, const DecodeOptions& options) {
    Document document;
    if (auto done = document.read(bytes, options); !done)
        return std::unexpected(done.error());
    return document;
}

std::expected<Document, Error> Document::parse(PackedByteArray&& bytes,
                                               const DecodeOptions& options) {
    Document document;
    document.owned_ = std::move(bytes);
    if (auto done = document.read(as_bytes(document.owned_), options); !done)
        return std::unexpected(done.error());
    return document;
}

Document::Document(Document&& other) noexcept
    : arena_(std::exchange(other.arena_, nullptr)), owned_(std::move(other.owned_)) {}

Document& Document::operator=(Document&& other) noexcept {
    std::swap(arena_, other.arena_);
    std::swap(owned_, other.owned_);
    return *this;
}

Document::~Document() {
    if (arena_)
        detail::free_indexes(*arena_);
    ::operator delete(arena_);
}

std::size_t Document::memory() const noexcept {
    return (arena_ ? bytes_for(arena_->capacity) : 0) + owned_.capacity();
}

// ---- viewing ----------------------------------------------------------------------------------

std::uint32_t View::next(const Arena& arena, std::uint32_t i) noexcept {
    return detail::node_behind(arena, i);
}

// ---- lost views: what failed first -------------------------------------------------------------

Error detail::into_what(const Error& step) noexcept {
    if (step.code != Errc::wrong_type)
        return step;
    return step.about == ErrorAbout::key ? step.about_types(Type::dictionary, Type::object)
                                         : step.about_types(Type::array, Type::dictionary);
}

View View::lost(const Error& error, std::uint8_t step_kind) const noexcept {
    View out;
    out.step_ = error.detail;
    out.node_ = offset();
    out.code_ = error.code;
    out.lost_in_ = type();
    out.step_kind_ = step_kind;
    return out;
}
View View::lost(Errc code, std::string_view key) const noexcept {
    const Error error = Error{.code = code}.about_key(key);
    return lost(error, static_cast<std::uint8_t>(key_step | (error.text_is_cut ? cut : 0) |
                                                 error.text_size));
}
View View::lost(Errc code, std::int64_t index) const noexcept {
    return lost(Error{.code = code}.about_index(index, size()), index_step);
}

Error View::error() const noexcept {
    if (*this)
        return {};
    Error error{.code = code_, .type = lost_in_, .offset = node_};
    if (step_kind_ == no_step)
        return error.about_reason("a View that no Document gave leads nowhere");
    error.detail = step_;
    error.about = step_kind_ & key_step ? ErrorAbout::key : ErrorAbout::index;
    error.text_size = step_kind_ & key_step ? step_kind_ & 0x1F : 0;
    error.text_is_cut = step_kind_ & cut;
    return detail::into_what(error);
}

// ---- the values of views --------------------------------------------------------------------

ByteView View::raw() const noexcept {
    if (!*this)
        return {};
    const std::uint32_t after = next(*arena_, node_);
    const std::size_t end = after < arena_->count ? arena_->nodes()[after].offset : arena_->size;
    return {arena_->bytes + node().offset, end - node().offset};
}

std::size_t View::size() const noexcept {
    if (!*this)
        return 0;
    const Node& n = node();
    const bool counts = has_children(n) || is_packed(n.type) || n.type == Type::string ||
                        n.type == Type::string_name || n.type == Type::packed_string_array;
    return counts ? n.span.count : 0;
}

std::string_view View::text() const noexcept {
    assert(!*this || is(Type::string) || is(Type::string_name));
    if (!*this)
        return {};
    const Node& n = node();
    return detail::as_text(bytes(n.offset + (n.flags & Node::property ? 4u : 8u)), n.span.count);
}

MathView View::math() const noexcept {
    assert(!*this || is_math(type()));
    static constexpr std::byte zeros[128]{};
    if (!*this)
        return {Type::nil, false, true, zeros};
    const Node& n = node();
    const std::byte* data = n.flags & Node::copied
                                ? reinterpret_cast<const std::byte*>(arena_->nodes() + node_ + 1)
                                : bytes(n.offset + 4);
    return {n.type, (n.flags & Node::wide) != 0, false, data};
}

PackedView View::packed() const noexcept {
    assert(!*this || is_packed(type()));
    if (!*this)
        return {};
    const Node& n = node();
    return {n.type, (n.flags & Node::wide) != 0, false, n.span.count, bytes(n.offset + 8)};
}

NodePathView View::node_path() const noexcept {
    assert(!*this || is(Type::node_path));
    if (!*this)
        return {};
    NodePathView out;
    (void)payload(*arena_, node()).take_node_path(out, arena_->options, Reread{});
    return out;
}

ObjectKind View::object_kind() const noexcept {
    const auto flags = node_of(Type::object).flags;
    return flags & Node::full ? ObjectKind::full
           : flags & Node::id ? ObjectKind::id
                              : ObjectKind::null;
}

std::string_view View::class_name() const noexcept {
    if (object_kind() != ObjectKind::full)
        return {};
    return record(*arena_, node());
}

std::string_view View::signal_name() const noexcept {
    assert(!*this || is(Type::signal));
    const TypeRow* row = options().dialect->row(Type::signal);
    if (!*this || !row || row->shape != Shape::signal)
        return {};
    return record(*arena_, node());
}

ImageView View::image() const noexcept {
    assert(!*this || is(Type::image));
    if (!*this)
        return {};
    ImageView out;
    (void)payload(*arena_, node()).take_image(out, Reread{});
    return out;
}

InputEventView View::input_event() const noexcept {
    assert(!*this || is(Type::input_event));
    if (!*this)
        return {};
    InputEventView out;
    (void)payload(*arena_, node()).take_input_event(out, Reread{});
    return out;
}

void View::container_types(ContainerType& first, ContainerType& second) const noexcept {
    if (!has_children(node()) || node().type == Type::object)
        return;
    Scanner scanner = payload(*arena_, node());
    const Dialect& dialect = *arena_->options.dialect;
    const auto header = detail::load<std::uint32_t>(bytes(node().offset));
    (void)scanner.take_types(header, dialect.rows[header & dialect.type_mask], first, second,
                             arena_->options, Reread{});
}

ContainerType View::element_type() const noexcept {
    ContainerType first, second;
    if (*this && !is(Type::dictionary))
        container_types(first, second);
    return first;
}
ContainerType View::key_type() const noexcept {
    ContainerType first, second;
    if (is(Type::dictionary))
        container_types(first, second);
    return first;
}
ContainerType View::value_type() const noexcept {
    ContainerType first, second;
    if (is(Type::dictionary))
        container_types(first, second);
    return second;
}

View::Elements View::elements() const noexcept {
    if (!is(Type::array) && !is(Type::packed_typed_array))
        return {};
    return {arena_, node_ + 1, node().span.count};
}
View::Pairs View::pairs() const noexcept {
    if (!is(Type::dictionary))
        return {};
    return {arena_, node_ + 1, node().span.count};
}
View::Properties View::properties() const noexcept {
    if (!is(Type::object) || object_kind() != ObjectKind::full)
        return {};
    return {arena_, node_ + 1, node().span.count};
}
View::Strings View::strings() const noexcept {
    Strings range;
    if (!is(Type::packed_string_array))
        return range;
    range.bytes_ = arena_->bytes;
    range.counts_nul_ = arena_->options.dialect->string_array_nul;
    range.first_ = node().offset + 8;
    range.count_ = node().span.count;
    return range;
}

template <class Key>
View View::value_of(const Key& key) const noexcept {
    const std::uint32_t found = detail::find_key(*arena_, node_, key);
    return found == detail::Index::none ? lost(Errc::missing_key, key) : View(arena_, found + 1);
}

View View::operator[](std::string_view key) const noexcept {
    if (!*this)
        return *this;
    return is(Type::dictionary) || is(Type::object) ? value_of(key) : lost(Errc::wrong_type, key);
}

View View::at_index(std::int64_t i) const noexcept {
    if (!*this)
        return *this;
    if (is(Type::dictionary))
        return value_of(i);
    if (!is(Type::array) && !is(Type::packed_typed_array))
        return lost(Errc::wrong_type, i);
    if (i < 0 || static_cast<std::uint64_t>(i) >= node().span.count)
        return lost(Errc::index_out_of_range, i);
    const std::uint32_t child = node_ + 1;
    // If no element holds others, they lie side by side.
    if (node().span.end - child == node().span.count)
        return {arena_, child + static_cast<std::uint32_t>(i)};
    return {arena_, detail::element_at(*arena_, node_, static_cast<std::uint32_t>(i))};
}

}  // namespace gdvar
