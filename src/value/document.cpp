#include "gdvar/value/document.hpp"

#include <bit>

#include "gdvar/wire/validate.hpp"
#include "value/document_index.hpp"

namespace gdvar {

using detail::Arena;
using detail::has_children;
using detail::Node;
using detail::Reread;
using detail::Scanner;

namespace {

constexpr std::size_t bytes_for(std::size_t nodes) noexcept {
    return sizeof(Arena) + nodes * sizeof(Node);
}

/// For reading the payload of a node's value again.
Scanner payload(const Arena& arena, const Node& node) noexcept {
    return Scanner::reread(arena.bytes + node.offset + 4, arena.bytes + arena.size);
}
std::string_view record(const Arena& arena, const Node& node) noexcept {
    std::string_view text;
    (void)payload(arena, node).take_text(text, arena.options.dialect->utf8, Reread{});
    return text;
}

}  // namespace

// ---- building ---------------------------------------------------------------------------------

/// The sink that makes nodes. Room for all announced children is reserved when their container
/// begins, so that making a node needs no check; the Reader has made sure that they fit the bytes.
class Document::Builder {
public:
    Builder(Arena* arena, ByteView bytes, const DecodeOptions& options) noexcept
        : arena_(arena), size_(bytes.size()) {
        if (arena_)
            begin(bytes, options);
    }
    Arena* arena() noexcept { return arena_; }

    bool start(ByteView bytes, const DecodeOptions& options) noexcept {
        if (arena_)
            return true;
        // Most packets have a value for every 12 bytes or more.
        const std::size_t guess = std::min<std::size_t>(bytes.size() / 12 + 8, 1u << 16);
        arena_ = static_cast<Arena*>(::operator new(bytes_for(guess), std::nothrow));
        if (!arena_)
            return false;
        arena_->capacity = static_cast<std::uint32_t>(guess);
        begin(bytes, options);
        return true;
    }
    void finish(std::size_t consumed) noexcept {
        arena_->count = count();
        arena_->size = consumed;
    }

    void at(std::size_t offset) noexcept { offset_ = static_cast<std::uint32_t>(offset); }

    Errc nil() { return make(Type::nil, 0); }
    Errc boolean(bool value) { return make(Type::boolean, value); }
    Errc integer(std::int64_t value) {
        return make(Type::integer, std::bit_cast<std::uint64_t>(value));
    }
    Errc real(double value) { return make(Type::real, std::bit_cast<std::uint64_t>(value)); }
    Errc string(std::string_view text) { return counted(Type::string, text.size()); }
    Errc string_name(std::string_view text) { return counted(Type::string_name, text.size()); }
    Errc math(const MathView& value) {
        // A page's matrix, transposed by the Reader, is not in the packet: keep it.
        const bool copied = value.data < arena_->bytes || value.data >= arena_->bytes + size_;
        if (copied)
            return copy_components(value);
        return make(value.type, 0, value.wide ? Node::wide : 0);
    }
    Errc node_path(const NodePathView&) { return make(Type::node_path, 0); }
    Errc rid(std::uint64_t id) { return make(Type::rid, id); }
    Errc object_null() { return make(Type::object, 0); }
    Errc object_id(std::uint64_t id) { return make(Type::object, id, Node::id); }
    Errc begin_object(std::string_view, std::uint32_t count) {
        return open(Type::object, count, std::uint64_t{count} * 2, Node::full);
    }
    Errc property(std::string_view name) {
        return counted(Type::string, name.size(), Node::property);
    }
    Errc callable() { return make(Type::callable, 0); }
    Errc signal(std::string_view, std::uint64_t object) { return make(Type::signal, object); }
    Errc begin_dictionary(const ContainerType&, const ContainerType&, std::uint32_t count) {
        return open(Type::dictionary, count, std::uint64_t{count} * 2);
    }
    Errc begin_array(Type type, const ContainerType&, std::uint32_t count) {
        return open(type, count, count);
    }
    Errc packed(const PackedView& value) {
        return counted(value.type, value.count, value.wide ? Node::wide : 0);
    }
    Errc begin_packed_strings(std::uint32_t count) {
        const std::uint32_t parent = open_;
        counted(Type::packed_string_array, count);
        open_ = this->count() - 1;
        next_[-1].span.end = parent;
        return Errc::ok;
    }
    Errc packed_string(std::string_view) { return Errc::ok; }
    Errc image(const ImageView&) { return make(Type::image, 0); }
    Errc input_event(const InputEventView&) { return make(Type::input_event, 0); }
    Errc end() {
        Node& node = arena_->nodes()[open_];
        open_ = node.span.end;
        node.span.end = count();
        return Errc::ok;
    }

private:
    std::uint32_t count() const noexcept {
        return static_cast<std::uint32_t>(next_ - arena_->nodes());
    }
    void begin(ByteView bytes, const DecodeOptions& options) noexcept {
        arena_->bytes = bytes.data();
        arena_->size = 0;
        arena_->options = options;
        arena_->count = 0;
        arena_->indexes = nullptr;
        next_ = arena_->nodes();
    }

    Errc make(Type type, std::uint64_t bits, std::uint8_t flags = 0) {
        // As a whole: a byte stored by itself could be any of the Builder's own.
        Node node;
        node.type = type;
        node.flags = flags;
        node.place = 0;
        node.offset = offset_;
        node.bits = bits;
        *next_++ = node;
        return Errc::ok;
    }
    Errc counted(Type type, std::size_t count, std::uint8_t flags = 0) {
        return make(type,
                    std::bit_cast<std::uint64_t>(
                        std::array<std::uint32_t, 2>{static_cast<std::uint32_t>(count), 0}),
                    flags);
    }

    /// While a container is open, its `end` holds the container around it.
    Errc open(Type type, std::uint32_t count, std::uint64_t children, std::uint8_t flags = 0) {
        counted(type, count, flags);
        next_[-1].span.end = open_;
        open_ = this->count() - 1;
        promised_ += children;
        // `promised_` counts every node announced so far.
        return promised_ <= arena_->capacity || grow(promised_) ? Errc::ok : Errc::no_memory;
    }

    Errc copy_components(const MathView& value) {
        const std::size_t more = (value.size() + sizeof(Node) - 1) / sizeof(Node);
        promised_ += more;
        if (promised_ > arena_->capacity && !grow(promised_))
            return Errc::no_memory;
        const std::uint8_t width = value.wide ? Node::wide : 0;
        make(value.type, 0, static_cast<std::uint8_t>(width | Node::copied));
        std::memcpy(static_cast<void*>(next_), value.data, value.size());
        next_ += more;
        next_[-static_cast<std::ptrdiff_t>(more) - 1].span.end = count();
        return Errc::ok;
    }

    [[gnu::noinline]] bool grow(std::uint64_t nodes) noexcept {
        // No packet holds more values than a quarter of its bytes: never ask for more than that.
        const std::uint64_t most = count() + (size_ - offset_) / 4 + 1;
        std::uint64_t wanted = std::max<std::uint64_t>(
            nodes, std::min<std::uint64_t>(arena_->capacity * std::uint64_t{2}, most));
        wanted = std::min<std::uint64_t>(wanted, UINT32_MAX);
        if (wanted < nodes)
            return false;
        auto* bigger = static_cast<Arena*>(
            ::operator new(bytes_for(static_cast<std::size_t>(wanted)), std::nothrow));
        if (!bigger)
            return false;
        const std::uint32_t made = count();
        std::memcpy(static_cast<void*>(bigger), static_cast<const void*>(arena_), bytes_for(made));
        bigger->capacity = static_cast<std::uint32_t>(wanted);
        ::operator delete(arena_);
        arena_ = bigger;
        next_ = arena_->nodes() + made;
        return true;
    }

    static constexpr std::uint32_t none = UINT32_MAX;
    Arena* arena_;
    std::size_t size_;
    std::uint64_t promised_ = 1;
    Node* next_ = nullptr;
    std::uint32_t open_ = none;
    std::uint32_t offset_ = 0;
};

std::expected<void, Error> Document::read(ByteView bytes, const DecodeOptions& options) {
    if (arena_) {
        arena_->count = 0;
        detail::free_indexes(*arena_);
    }
    if (bytes.size() > UINT32_MAX)
        return std::unexpected(Error{Errc::size_limit, Type::nil, 0, 0});
    Builder builder(arena_, bytes, options);
    if (!builder.start(bytes, options))
        return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
    auto consumed = gdvar::read(bytes, options, builder);
    arena_ = builder.arena();
    if (!consumed)
        return std::unexpected(consumed.error());
    if (options.strict)
        if (auto clash = check_keys(bytes.first(*consumed), options); !clash)
            return std::unexpected(clash.error());
    builder.finish(*consumed);
    return {};
}

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

// ---- what a view shows ----------------------------------------------------------------------

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
    // Where no element holds others, they stand side by side.
    if (node().span.end - child == node().span.count)
        return {arena_, child + static_cast<std::uint32_t>(i)};
    return {arena_, detail::element_at(*arena_, node_, static_cast<std::uint32_t>(i))};
}

}  // namespace gdvar
