// Document and View: a packet as a read-only tree that borrows from the bytes. Built by the Reader
// in one pass, in one block of memory.
#pragma once

#include <algorithm>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <expected>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/attributes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/value/detail/get.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/packed.hpp"
#include "gdvar/wire/reader.hpp"
#include "gdvar/wire/views.hpp"

namespace gdvar GDVAR_EXPORT {

class Variant;
class View;

namespace detail {

/// One value, or one property name, 16 bytes. Nodes have the order of the bytes, so the children of
/// a container follow it, and the node after its last descendant is its next sibling.
struct Node {
    enum Flag : std::uint8_t { wide = 1, full = 2, id = 4, property = 8, copied = 16 };
    struct Span {
        std::uint32_t count;  ///< items, or bytes of text
        std::uint32_t end;    ///< containers: the node after the last descendant
    };
    Type type = Type::nil;
    std::uint8_t flags = 0;
    std::uint16_t place = 0;   ///< large containers: number of searches, then whether indexed
    std::uint32_t offset = 0;  ///< of the header, or of a property's name record
    union {
        std::uint64_t bits;
        std::int64_t integer;
        double real;
        Span span;
    };
};
static_assert(sizeof(Node) == 16 && std::is_trivially_copyable_v<Node>);
/// Adds to the error of a failed step the types that it could have entered, if the type was wrong.
Error into_what(const Error& step) noexcept;

/// The node of a lost View.
inline constexpr Node no_node{.bits = 0};

struct DocumentIndexes;
struct Tape;            // the C interface's way to the nodes
struct DocumentSplice;  // changes them with the bytes

/// True if the bytes outlive the object that provides them.
template <class Bytes>
inline constexpr bool is_borrowed = std::ranges::enable_borrowed_range<std::remove_cvref_t<Bytes>>;
template <>
inline constexpr bool is_borrowed<PackedByteArray> = true;  // `parse` keeps them

/// Shared by all views of one Document; precedes the nodes.
struct alignas(8) Arena {
    const std::byte* bytes;
    std::size_t size;  ///< of the packet
    DecodeOptions options;
    std::uint32_t count, capacity;
    DocumentIndexes* indexes;  ///< made when they pay; null until then
    Node* nodes() noexcept { return reinterpret_cast<Node*>(this + 1); }
    const Node* nodes() const noexcept { return reinterpret_cast<const Node*>(this + 1); }
};
static_assert(alignof(Node) <= alignof(Arena));

}  // namespace detail

/// One value of a Document: 32 bytes, trivially copyable. A View is valid as long as the Document
/// lives and does not read another packet. A View that leads nowhere (a missing key, an index past
/// the end, a step into a value that is not a container) is lost. A lost View holds no value and
/// borrows nothing. Its type is nil; it has no bytes, no size and no children; further steps stay
/// lost. Every function that takes a View refuses a lost one, with the first step that failed. A
/// default-constructed View is also lost (missing_key).
class GDVAR_BORROWER View {
public:
    constexpr View() noexcept : arena_(nullptr) {}

    /// False for a lost View.
    explicit operator bool() const noexcept { return code_ == Errc::ok; }
    /// Why the View is lost: the code, the type and offset of the container in which the step
    /// failed, and the step itself (an index, or the first 24 bytes of a key). The code is `ok` if
    /// the View is not lost.
    Error error() const noexcept;

    Type type() const noexcept { return *this ? node().type : Type::nil; }
    bool is(Type type) const noexcept { return *this && node().type == type; }
    bool is_nil() const noexcept { return is(Type::nil); }
    /// 64-bit real components.
    bool wide() const noexcept { return *this && (node().flags & detail::Node::wide); }
    /// Offset of the value's header in the packet. If the View is lost: the offset of the container
    /// in which the step failed.
    std::uint32_t offset() const noexcept { return *this ? node().offset : node_; }
    /// Exactly this value's bytes, borrowed; empty if the View is lost.
    ByteView raw() const noexcept;
    /// Elements of an Array or a packed array, pairs of a Dictionary, properties of an Object,
    /// bytes of a String or StringName; else 0.
    std::size_t size() const noexcept;
    /// The options with which the packet was read; the defaults if the View is lost.
    const DecodeOptions& options() const noexcept {
        return *this ? arena_->options : default_decode_options;
    }

    // Unchecked access, for callers that have checked type(). A debug build asserts the type. A
    // lost View gives zeros and empty values.
    bool boolean() const noexcept { return node_of(Type::boolean).bits != 0; }
    std::int64_t integer() const noexcept { return node_of(Type::integer).integer; }
    double real() const noexcept { return node_of(Type::real).real; }
    /// String or StringName.
    std::string_view text() const noexcept;
    MathView math() const noexcept;
    PackedView packed() const noexcept;
    NodePathView node_path() const noexcept;
    std::uint64_t rid() const noexcept { return node_of(Type::rid).bits; }
    ObjectKind object_kind() const noexcept;
    /// The id of an Object that is written as an id.
    std::uint64_t object_id() const noexcept { return node_of(Type::object).bits; }
    std::string_view class_name() const noexcept;
    std::string_view signal_name() const noexcept;
    std::uint64_t signal_object() const noexcept { return node_of(Type::signal).bits; }
    ImageView image() const noexcept;
    InputEventView input_event() const noexcept;
    ContainerType element_type() const noexcept;
    ContainerType key_type() const noexcept;
    ContainerType value_type() const noexcept;

    struct Pair;
    struct Property;
    class Elements;
    class Pairs;
    class Properties;
    class Strings;
    /// The elements of an Array (or PackedTypedArray); empty for anything else.
    Elements elements() const noexcept;
    /// The pairs of a Dictionary in order, duplicates included; empty for anything else.
    Pairs pairs() const noexcept;
    /// The properties of an Object in full; empty for anything else.
    Properties properties() const noexcept;
    /// The elements of a PackedStringArray; empty for anything else.
    Strings strings() const noexcept;

    /// Element `i` of an Array, or a Dictionary's value for the int key `i`.
    ///
    /// Containers of 64 items or more get an index at the fifth search. It finds text and int keys,
    /// properties, and elements of Arrays that hold containers. The first thread makes it. It takes
    /// four to sixteen bytes for each item and is freed with the Document. Without memory for an
    /// index, the search is linear.
    View operator[](std::integral auto i) const noexcept {
        if constexpr (std::is_signed_v<decltype(i)>)
            return at_index(static_cast<std::int64_t>(i));
        else
            return at_index(i > static_cast<std::uint64_t>(INT64_MAX)
                                ? INT64_MAX
                                : static_cast<std::int64_t>(i));
    }
    /// A Dictionary's value for a String or StringName key, or an Object's property. Among equal
    /// keys the last counts, as in engines.
    View operator[](std::string_view key) const noexcept;
    View operator[](const char* key) const noexcept { return (*this)[std::string_view(key)]; }

    /// Converts the value to a C++ value by the table of conversions (wire/conversion.hpp,
    /// docs/conversions.md). T may be bool, an integer, a float, std::string_view (borrowed from
    /// the packet), std::string, a math struct, View or Variant. With gdvar/value/binding.hpp
    /// included, T may be every type that Bind knows: structs, containers, std::span<const
    /// std::byte> of a PackedByteArray (borrowed). Errors: that of the first failed step, else
    /// wrong_type, number_out_of_range, no_memory and those of `decode`, with offsets in the
    /// Document's packet.
    template <class T>
    [[nodiscard]] std::expected<T, Error> get() const;
    /// The same, or `otherwise`.
    template <class T>
    T get_or(T otherwise) const {
        auto value = get<T>();
        return value ? *std::move(value) : std::move(otherwise);
    }
    /// A text, or a copy of `otherwise`.
    std::string get_or(const char* otherwise) const { return get_or(std::string(otherwise)); }

    /// Re-emits this value to a sink: reads its bytes again. Errors: that of the first failed step,
    /// those of the sink, no_memory.
    template <class S>
    [[nodiscard]] std::expected<void, Error> drive(S&& sink) const {
        if (!*this)
            return std::unexpected(error());
        DecodeOptions options = arena_->options;
        options.strict = false;
        options.limits.max_depth = std::numeric_limits<std::uint32_t>::max();
        auto read_bytes = gdvar::read(raw(), options, sink);
        if (!read_bytes) {
            Error error = read_bytes.error();
            error.offset += offset();
            return std::unexpected(error);
        }
        return {};
    }

    /// True if both show the same place of one Document. Lost Views are equal if their code and the
    /// offset of their container are equal.
    friend bool operator==(const View& a, const View& b) noexcept {
        return a.code_ == b.code_ && a.node_ == b.node_ && (!a || a.arena_ == b.arena_);
    }

private:
    friend class Document;
    friend struct detail::Tape;
    friend struct detail::DocumentSplice;
    View(const detail::Arena* arena, std::uint32_t node) noexcept
        : arena_(arena), node_(node), code_(Errc::ok) {}

    /// The View must not be lost.
    const detail::Node& node() const noexcept { return arena_->nodes()[node_]; }
    const detail::Node& node_of([[maybe_unused]] Type type) const noexcept {
        assert(!*this || node().type == type);
        return *this ? node() : detail::no_node;
    }
    const std::byte* bytes(std::size_t at) const noexcept { return arena_->bytes + at; }
    static std::uint32_t next(const detail::Arena& arena, std::uint32_t i) noexcept;
    View at_index(std::int64_t i) const noexcept;
    template <class Key>
    View value_of(const Key& key) const noexcept;
    View lost(Errc code, std::string_view key) const noexcept;
    View lost(Errc code, std::int64_t index) const noexcept;
    View lost(const Error& error, std::uint8_t step_kind) const noexcept;
    void container_types(ContainerType& first, ContainerType& second) const noexcept;

    union {
        const detail::Arena* arena_;
        Error::Detail step_;  ///< lost: the step that failed
    };
    std::uint32_t node_ = 0;  ///< lost: the offset of the container in which the step failed
    Errc code_ = Errc::missing_key;
    Type lost_in_ = Type::nil;
    std::uint8_t step_kind_ = no_step;  ///< lost: one of these; for a key, with its size added
    static constexpr std::uint8_t no_step = 0, key_step = 0x20, index_step = 0x40, cut = 0x80;
};
static_assert(std::is_trivially_copyable_v<View> && sizeof(View) == 32);

/// One pair of a Dictionary.
struct View::Pair {
    View key, value;
};
/// One property of an Object.
struct View::Property {
    std::string_view name;
    View value;
};

namespace detail {
/// An input iterator over values made on the fly, ended by a count.
template <class Range, class Value>
class ViewIterator {
public:
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    ViewIterator() = default;
    ViewIterator(const Range* range, std::uint32_t place, std::size_t left) noexcept
        : range_(range), place_(place), left_(left) {}
    Value operator*() const noexcept { return range_->read(place_); }
    ViewIterator& operator++() noexcept {
        place_ = range_->step(place_);
        --left_;
        return *this;
    }
    ViewIterator operator++(int) noexcept {
        auto old = *this;
        ++*this;
        return old;
    }
    friend bool operator==(const ViewIterator& a, const ViewIterator& b) noexcept {
        return a.left_ == b.left_;
    }

private:
    const Range* range_ = nullptr;
    std::uint32_t place_ = 0;
    std::size_t left_ = 0;
};

/// The base of ranges over the values in a container. `Range` reads a value and moves to the next.
template <class Range, class Value>
class NodeRange {
public:
    using iterator = ViewIterator<Range, Value>;
    NodeRange() = default;
    iterator begin() const noexcept { return {static_cast<const Range*>(this), first_, count_}; }
    iterator end() const noexcept { return {static_cast<const Range*>(this), 0, 0}; }
    std::size_t size() const noexcept { return count_; }

protected:
    NodeRange(const Arena* arena, std::uint32_t first, std::size_t count) noexcept
        : arena_(arena), first_(first), count_(count) {}
    const Arena* arena_ = nullptr;
    std::uint32_t first_ = 0;
    std::size_t count_ = 0;
};
}  // namespace detail

/// Each of these ranges borrows from its Document; iterators borrow from the range, so name it.
class View::Elements : public detail::NodeRange<View::Elements, View> {
    friend class View;
    friend iterator;
    using NodeRange::NodeRange;
    View read(std::uint32_t i) const noexcept { return {arena_, i}; }
    std::uint32_t step(std::uint32_t i) const noexcept { return next(*arena_, i); }
};
/// The pairs of a Dictionary; see `View::pairs`.
class View::Pairs : public detail::NodeRange<View::Pairs, View::Pair> {
    friend class View;
    friend iterator;
    using NodeRange::NodeRange;
    Pair read(std::uint32_t i) const noexcept {
        return {View(arena_, i), View(arena_, next(*arena_, i))};
    }
    std::uint32_t step(std::uint32_t i) const noexcept { return next(*arena_, next(*arena_, i)); }
};
/// The properties of an Object; see `View::properties`.
class View::Properties : public detail::NodeRange<View::Properties, View::Property> {
    friend class View;
    friend iterator;
    using NodeRange::NodeRange;
    Property read(std::uint32_t i) const noexcept {
        return {View(arena_, i).text(), View(arena_, i + 1)};
    }
    std::uint32_t step(std::uint32_t i) const noexcept { return next(*arena_, i + 1); }
};
/// The elements of a PackedStringArray, without the final NUL that most dialects count.
class View::Strings {
public:
    using iterator = detail::ViewIterator<Strings, std::string_view>;
    iterator begin() const noexcept { return {this, first_, count_}; }
    iterator end() const noexcept { return {this, 0, 0}; }
    std::size_t size() const noexcept { return count_; }

private:
    friend class View;
    friend iterator;
    std::string_view read(std::uint32_t at) const noexcept {
        return detail::element_text(detail::record_at(bytes_ + at).text, counts_nul_);
    }
    std::uint32_t step(std::uint32_t at) const noexcept {
        return static_cast<std::uint32_t>(detail::record_at(bytes_ + at).next - bytes_);
    }
    const std::byte* bytes_ = nullptr;
    std::uint32_t first_ = 0;
    bool counts_nul_ = true;
    std::size_t count_ = 0;
};

/// A packet, read and checked once; its views can't meet damaged bytes. Movable, not copyable.
/// Reading into the same Document again reuses its memory: once warm, nothing is allocated.
class Document {
public:
    Document() = default;
    Document(Document&& other) noexcept;
    Document& operator=(Document&& other) noexcept;
    ~Document();

    /// Reads one packet that the caller keeps: `bytes`, and the options' dialect, must outlive the
    /// Document. Takes 16 bytes a value: at most 4 times the packet's size, 8 while growing.
    /// Errors: all of `read`'s, size_limit for packets of 4 GiB and more, no_memory.
    [[nodiscard]] static std::expected<Document, Error> parse(
        ByteView bytes, const DecodeOptions& options = default_decode_options);
    /// The same, and keeps the bytes.
    [[nodiscard]] static std::expected<Document, Error> parse(
        PackedByteArray&& bytes, const DecodeOptions& options = default_decode_options);
    /// Parses any contiguous bytes, borrowed. They must outlive the Document, so they can't be a
    /// temporary.
    template <OtherByteRange Bytes>
    [[nodiscard]] static std::expected<Document, Error> parse(
        const Bytes& bytes, const DecodeOptions& options = default_decode_options) {
        return parse(as_bytes(bytes), options);
    }
    template <ByteRange Bytes>
        requires(!std::is_lvalue_reference_v<Bytes> && !detail::is_borrowed<Bytes>)
    static void parse(Bytes&& bytes,
                      const DecodeOptions& options = default_decode_options) = delete;
    /// Reads another packet into this Document; all earlier views end. After an error the Document
    /// is empty. Errors: as `parse`.
    [[nodiscard]] std::expected<void, Error> read(
        ByteView bytes, const DecodeOptions& options = default_decode_options);

    /// The packet's value. A temporary Document has no root: its views would dangle.
    View root() const& noexcept GDVAR_LIFETIMEBOUND {
        return arena_ && arena_->count ? View(arena_, 0) : View();
    }
    View root() const&& = delete;
    View operator[](std::integral auto i) const& noexcept GDVAR_LIFETIMEBOUND { return root()[i]; }
    View operator[](std::integral auto i) const&& = delete;
    View operator[](std::string_view key) const& noexcept GDVAR_LIFETIMEBOUND {
        return root()[key];
    }
    View operator[](std::string_view key) const&& = delete;
    View operator[](const char* key) const& noexcept GDVAR_LIFETIMEBOUND { return root()[key]; }
    View operator[](const char* key) const&& = delete;

    /// The packet's size in bytes.
    std::size_t packet_size() const noexcept { return arena_ ? arena_->size : 0; }
    /// The number of values and property names.
    std::size_t node_count() const noexcept { return arena_ ? arena_->count : 0; }
    /// Memory in bytes, the owned packet included.
    std::size_t memory() const noexcept;

    template <OtherByteRange Bytes>
    [[nodiscard]] std::expected<void, Error> read(
        const Bytes& bytes, const DecodeOptions& options = default_decode_options) {
        return read(as_bytes(bytes), options);
    }
    template <ByteRange Bytes>
        requires(!std::is_lvalue_reference_v<Bytes> && !std::ranges::enable_borrowed_range<Bytes>)
    void read(Bytes&& bytes, const DecodeOptions& options = default_decode_options) = delete;

private:
    friend struct detail::Tape;
    friend struct detail::DocumentSplice;
    class Builder;
    detail::Arena* arena_ = nullptr;
    PackedByteArray owned_;
};

// ---- get ------------------------------------------------------------------------------------

namespace detail {
/// Defined for Variant; errors: no_memory.
template <class V>
[[nodiscard]] std::expected<V, Error> variant_of(const View& view);
template <>
std::expected<Variant, Error> variant_of<Variant>(const View& view);
}  // namespace detail

template <class T>
std::expected<T, Error> View::get() const {
    if (!*this)
        return std::unexpected(error());
    if constexpr (std::same_as<T, View>) {
        return *this;
    } else if constexpr (std::same_as<T, Variant>) {
        return detail::variant_of<T>(*this);
    } else if constexpr (detail::TakenDirectly<T>) {
        return detail::get_directly<T>(*this, offset());
    } else {
        return detail::get_bound<T>(*this);
    }
}

}  // namespace gdvar
