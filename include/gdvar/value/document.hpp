// Document and View: a packet as a read-only tree that borrows from the bytes.
// Room: value. Built by the Reader in one pass, in one block of memory.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <expected>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/packed.hpp"
#include "gdvar/wire/reader.hpp"
#include "gdvar/wire/views.hpp"

namespace gdvar {

class Variant;
class View;

namespace detail {

/// One value, or one property name, 16 bytes. Nodes stand in the order of the bytes, so the
/// children of a container follow it, and what follows its last descendant is its next sibling.
struct Node {
    enum Flag : std::uint8_t { wide = 1, full = 2, id = 4, property = 8, copied = 16 };
    struct Span {
        std::uint32_t count;  ///< items, or bytes of text
        std::uint32_t end;    ///< containers: the node after the last descendant
    };
    Type type = Type::nil;
    std::uint8_t flags = 0;
    std::uint16_t place =
        0;  ///< large containers: how often searched, then the place of their index
    std::uint32_t offset = 0;  ///< of the header, or of a property's name record
    union {
        std::uint64_t bits;
        std::int64_t integer;
        double real;
        Span span;
    };
};
static_assert(sizeof(Node) == 16 && std::is_trivially_copyable_v<Node>);

struct DocumentIndexes;

/// What all views of one Document share; it stands in front of the nodes.
struct Arena {
    const std::byte* bytes;
    std::size_t size;  ///< of the packet
    DecodeOptions options;
    std::uint32_t count, capacity;
    DocumentIndexes* indexes;  ///< made when they pay; null until then
    Node* nodes() noexcept { return reinterpret_cast<Node*>(this + 1); }
    const Node* nodes() const noexcept { return reinterpret_cast<const Node*>(this + 1); }
};
static_assert(alignof(Arena) <= 8 && sizeof(Arena) % 8 == 0);

}  // namespace detail

/// One value of a Document: two words, trivially copyable, valid as long as the Document lives and
/// is not read into again. A View that leads nowhere (a missing key, an index past the end, a step
/// into what is no container) stays usable: it has no type but nil, further steps lead nowhere, and
/// `get` and `error` name the first step that failed.
class View {
public:
    View() = default;

    /// Whether it leads to a value.
    explicit operator bool() const noexcept { return arena_ && code_ == Errc::ok; }
    /// Why it does not: code, and the offset of the container in which the step failed.
    Error error() const noexcept {
        return {code_, arena_ ? node().type : Type::nil, arena_ ? node().offset : 0, 0};
    }

    Type type() const noexcept { return *this ? node().type : Type::nil; }
    bool is(Type type) const noexcept { return *this && node().type == type; }
    bool is_nil() const noexcept { return is(Type::nil); }
    /// 64-bit real lanes.
    bool wide() const noexcept { return *this && (node().flags & detail::Node::wide); }
    /// Offset of the value's header in the packet.
    std::uint32_t offset() const noexcept { return node().offset; }
    /// Exactly this value's bytes.
    ByteView raw() const noexcept;
    /// Elements of an Array or a packed array, pairs of a Dictionary, properties of an Object,
    /// bytes of a String or StringName; else 0.
    std::size_t size() const noexcept;
    const DecodeOptions& options() const noexcept { return arena_->options; }

    // Unchecked access, for those who have looked at type().
    bool boolean() const noexcept { return node().bits != 0; }
    std::int64_t integer() const noexcept { return node().integer; }
    double real() const noexcept { return node().real; }
    /// String or StringName.
    std::string_view text() const noexcept;
    MathView math() const noexcept;
    PackedView packed() const noexcept;
    NodePathView node_path() const noexcept;
    std::uint64_t rid() const noexcept { return node().bits; }
    ObjectKind object_kind() const noexcept;
    std::uint64_t object_id() const noexcept { return node().bits; }
    std::string_view class_name() const noexcept;
    std::string_view signal_name() const noexcept;
    std::uint64_t signal_object() const noexcept { return node().bits; }
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

    /// Element `i` of an Array, or a Dictionary's value for the int key `i`. In a container of 64
    /// or more, text keys and elements that hold others are found through an index from the fifth
    /// search on: made by whichever thread comes first, four to sixteen bytes for each item, freed
    /// with the Document. (Where memory can't be had, or more than 4,096 containers have one: a
    /// linear search.)
    View operator[](std::integral auto i) const noexcept {
        if constexpr (std::is_signed_v<decltype(i)>)
            return at_index(static_cast<std::int64_t>(i));
        else
            return at_index(i > static_cast<std::uint64_t>(INT64_MAX)
                                ? INT64_MAX
                                : static_cast<std::int64_t>(i));
    }
    /// A Dictionary's value for a String or StringName key, or an Object's property. Of several
    /// equal keys the last one counts, as engines read it.
    View operator[](std::string_view key) const noexcept;
    View operator[](const char* key) const noexcept { return (*this)[std::string_view(key)]; }

    /// The value as a C++ value: bool; integers and floats (range and exactness checked: an int
    /// for a float must survive, a float is never taken for an int); std::string_view (borrowed),
    /// std::string; the math structs (single width is widened for a double struct, never
    /// narrowed); std::span<const std::byte> of a PackedByteArray (borrowed); PackedArray<T> and
    /// std::vector<T> of packed elements (copied); View; Variant.
    /// Errors: the first failed step's, else wrong_type, number_out_of_range, no_memory.
    template <class T>
    std::expected<T, Error> get() const;
    /// The same, or `otherwise`.
    template <class T>
    T get_or(T otherwise) const {
        auto value = get<T>();
        return value ? *std::move(value) : std::move(otherwise);
    }

    /// Re-emits this value to a sink, by reading its bytes again. Errors: the sink's, no_memory.
    template <class S>
    std::expected<void, Error> drive(S&& sink) const {
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

    friend bool operator==(const View&, const View&) = default;

private:
    friend class Document;
    View(const detail::Arena* arena, std::uint32_t node, Errc code = Errc::ok) noexcept
        : arena_(arena), node_(node), code_(code) {}

    const detail::Node& node() const noexcept { return arena_->nodes()[node_]; }
    const std::byte* bytes(std::size_t at) const noexcept { return arena_->bytes + at; }
    static std::uint32_t next(const detail::Arena& arena, std::uint32_t i) noexcept;
    View at_index(std::int64_t i) const noexcept;
    View lost(Errc code) const noexcept {
        return code_ == Errc::ok ? View(arena_, node_, code) : *this;
    }
    Error refusal(Errc code) const noexcept {
        return code_ != Errc::ok || !arena_ ? error() : Error{code, type(), offset(), 0};
    }
    void container_types(ContainerType& first, ContainerType& second) const noexcept;

    const detail::Arena* arena_ = nullptr;
    std::uint32_t node_ = 0;
    Errc code_ = Errc::missing_key;
};
static_assert(std::is_trivially_copyable_v<View> && sizeof(View) == 16);

struct View::Pair {
    View key, value;
};
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
}  // namespace detail

/// Each of these ranges borrows from its Document; iterators borrow from the range, so name it.
class View::Elements {
public:
    using iterator = detail::ViewIterator<Elements, View>;
    iterator begin() const noexcept { return {this, first_, count_}; }
    iterator end() const noexcept { return {this, 0, 0}; }
    std::size_t size() const noexcept { return count_; }

private:
    friend class View;
    friend iterator;
    View read(std::uint32_t i) const noexcept { return {arena_, i}; }
    std::uint32_t step(std::uint32_t i) const noexcept { return next(*arena_, i); }
    const detail::Arena* arena_ = nullptr;
    std::uint32_t first_ = 0;
    std::size_t count_ = 0;
};
class View::Pairs {
public:
    using iterator = detail::ViewIterator<Pairs, Pair>;
    iterator begin() const noexcept { return {this, first_, count_}; }
    iterator end() const noexcept { return {this, 0, 0}; }
    std::size_t size() const noexcept { return count_; }

private:
    friend class View;
    friend iterator;
    Pair read(std::uint32_t i) const noexcept {
        return {View(arena_, i), View(arena_, next(*arena_, i))};
    }
    std::uint32_t step(std::uint32_t i) const noexcept { return next(*arena_, next(*arena_, i)); }
    const detail::Arena* arena_ = nullptr;
    std::uint32_t first_ = 0;
    std::size_t count_ = 0;
};
class View::Properties {
public:
    using iterator = detail::ViewIterator<Properties, Property>;
    iterator begin() const noexcept { return {this, first_, count_}; }
    iterator end() const noexcept { return {this, 0, 0}; }
    std::size_t size() const noexcept { return count_; }

private:
    friend class View;
    friend iterator;
    Property read(std::uint32_t i) const noexcept {
        return {View(arena_, i).text(), View(arena_, i + 1)};
    }
    std::uint32_t step(std::uint32_t i) const noexcept { return next(*arena_, i + 1); }
    const detail::Arena* arena_ = nullptr;
    std::uint32_t first_ = 0;
    std::size_t count_ = 0;
};
/// Elements of a PackedStringArray, without the final NUL that the wire counts.
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
        std::string_view text = detail::record_at(bytes_ + at).text;
        if (text.ends_with('\0'))
            text.remove_suffix(1);
        return text;
    }
    std::uint32_t step(std::uint32_t at) const noexcept {
        return static_cast<std::uint32_t>(detail::record_at(bytes_ + at).next - bytes_);
    }
    const std::byte* bytes_ = nullptr;
    std::uint32_t first_ = 0;
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
    static std::expected<Document, Error> parse(
        ByteView bytes, const DecodeOptions& options = default_decode_options);
    /// The same, and keeps the bytes.
    static std::expected<Document, Error> parse(
        PackedByteArray&& bytes, const DecodeOptions& options = default_decode_options);
    /// Reads another packet into this Document; all earlier views end. After an error the
    /// Document is empty. Errors: as `parse`.
    std::expected<void, Error> read(ByteView bytes,
                                    const DecodeOptions& options = default_decode_options);

    /// The packet's value. A temporary Document has no root: its views would dangle.
    View root() const& noexcept { return arena_ && arena_->count ? View(arena_, 0) : View(); }
    View root() const&& = delete;
    View operator[](std::integral auto i) const& noexcept { return root()[i]; }
    View operator[](std::integral auto i) const&& = delete;
    View operator[](std::string_view key) const& noexcept { return root()[key]; }
    View operator[](std::string_view key) const&& = delete;
    View operator[](const char* key) const& noexcept { return root()[key]; }
    View operator[](const char* key) const&& = delete;

    /// Bytes that the packet took.
    std::size_t packet_size() const noexcept { return arena_ ? arena_->size : 0; }
    /// Values and property names held.
    std::size_t node_count() const noexcept { return arena_ ? arena_->count : 0; }
    /// Bytes of memory held, the owned packet included.
    std::size_t memory() const noexcept;

private:
    class Builder;
    detail::Arena* arena_ = nullptr;
    PackedByteArray owned_;
};

// ---- get ------------------------------------------------------------------------------------

namespace detail {
/// Defined for Variant, in variant.hpp; errors: no_memory.
template <class V>
std::expected<V, Error> variant_of(const View& view);

/// Turns lanes copied from the wire into the host's order (big-endian hosts).
inline void swap_lanes(void* lanes, const PackedView& from) noexcept {
    const std::size_t lane = lane_bytes(from.lane());
    auto* at = static_cast<std::byte*>(lanes);
    for (std::byte* end = at + from.size(); at != end; at += lane)
        std::reverse(at, at + lane);
}

template <class T>
inline constexpr bool is_packed_array = false;
template <class T>
inline constexpr bool is_packed_array<PackedArray<T>> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

template <std::integral T>
constexpr bool in_range(std::int64_t value) noexcept {
    return std::in_range<T>(value);
}
/// An int becomes a float only when it survives.
template <std::floating_point T>
constexpr bool survives(std::int64_t value) noexcept {
    constexpr std::int64_t most = std::int64_t{1} << std::numeric_limits<T>::digits;
    return value >= -most && value <= most;
}
/// A double becomes a float when it is one, or is NaN.
template <std::floating_point T>
bool survives(double value) noexcept {
    return sizeof(T) == 8 || value != value || fits_float(value);
}
}  // namespace detail

template <class T>
std::expected<T, Error> View::get() const {
    using Result = std::expected<T, Error>;
    const auto refuse = [&](Errc code) { return Result(std::unexpect, refusal(code)); };
    if (!*this)
        return refuse(Errc::missing_key);
    if constexpr (std::same_as<T, View>) {
        return *this;
    } else if constexpr (std::same_as<T, bool>) {
        return is(Type::boolean) ? Result(boolean()) : refuse(Errc::wrong_type);
    } else if constexpr (std::integral<T>) {
        if (!is(Type::integer))
            return refuse(Errc::wrong_type);
        if (!detail::in_range<T>(integer()))
            return refuse(Errc::number_out_of_range);
        return static_cast<T>(integer());
    } else if constexpr (std::floating_point<T>) {
        if (is(Type::integer)) {
            if (!detail::survives<T>(integer()))
                return refuse(Errc::number_out_of_range);
            return static_cast<T>(integer());
        }
        if (!is(Type::real))
            return refuse(Errc::wrong_type);
        if (!detail::survives<T>(real()))
            return refuse(Errc::number_out_of_range);
        return static_cast<T>(real());
    } else if constexpr (std::same_as<T, std::string_view> || std::same_as<T, std::string>) {
        if (!is(Type::string) && !is(Type::string_name))
            return refuse(Errc::wrong_type);
        return T(text());
    } else if constexpr (MathType<T>) {
        if (!is(MathTraits<T>::type))
            return refuse(Errc::wrong_type);
        if (wide() == MathTraits<T>::wide)
            return math().as<T>();
        if (!MathTraits<T>::wide)
            return refuse(Errc::number_out_of_range);
        double lanes[sizeof(T) / 8 ? sizeof(T) / 8 : 1];
        const MathView from = math();
        for (std::size_t i = 0; i < sizeof(T) / 8; ++i)
            lanes[i] = from.real(i);
        T out;
        std::memcpy(static_cast<void*>(&out), lanes, sizeof(T) / 8 * 8);
        return out;
    } else if constexpr (std::same_as<T, std::span<const std::byte>>) {
        if (!is(Type::packed_byte_array))
            return refuse(Errc::wrong_type);
        return packed().bytes();
    } else if constexpr (detail::is_packed_array<T> || detail::is_vector<T>) {
        using Item = typename T::value_type;
        if constexpr (PackedElement<Item>) {
            if (!is(PackedTraits<Item>::type) || wide() != PackedTraits<Item>::wide)
                return refuse(Errc::wrong_type);
            const PackedView from = packed();
            T out;
            if constexpr (detail::is_packed_array<T>) {
                if (from.count && !out.try_reserve(from.count))
                    return refuse(Errc::no_memory);
                out.set_size(from.count);
            } else {
                out.resize(from.count);
            }
            if (from.count)
                std::memcpy(static_cast<void*>(out.data()), from.data, from.size());
            if constexpr (!detail::host_is_little)
                detail::swap_lanes(out.data(), from);
            return out;
        } else {
            static_assert(PackedElement<Item>, "gdvar: View::get can't make this container");
        }
    } else if constexpr (std::same_as<T, Variant>) {
        return detail::variant_of<T>(*this);
    } else {
        static_assert(MathType<T>, "gdvar: View::get can't make this type");
    }
}

}  // namespace gdvar
