// Reads a packet into a tape. Small builds, too, compile this Reader for speed.
#include <array>
#include <bit>

#include "gdvar/value/document.hpp"
#include "gdvar/wire/validate.hpp"
#include "value/document_index.hpp"

namespace gdvar {

using detail::Arena;
using detail::bytes_for;
using detail::Node;

/// The sink that makes nodes. A container's begin reserves room for all announced children, so a
/// node needs no check; the Reader has made sure that they fit the bytes.
class Document::Builder {
public:
    /// Has a Reader of its own, in small builds, too.
    static constexpr bool is_hot = true;

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
        // A matrix of a documentation page was transposed by the Reader, so it is not in the
        // packet: keep it.
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
        // Stored as a whole: a single byte could alias the Builder's members.
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

    /// An open container's `end` holds its parent.
    Errc open(Type type, std::uint32_t count, std::uint64_t children, std::uint8_t flags = 0) {
        counted(type, count, flags);
        next_[-1].span.end = open_;
        open_ = this->count() - 1;
        promised_ += children;
        // `promised_` counts every announced node.
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
        // A packet holds at most one value for each 4 bytes, so more is never reserved.
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

}  // namespace gdvar
