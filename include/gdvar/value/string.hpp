// String, StringName, NodePath and the other small owning values of a Variant.
#pragma once

#include <cassert>
#include <compare>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "gdvar/base/attributes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/wire/hash.hpp"
#include "gdvar/wire/packed.hpp"
#include "gdvar/wire/views.hpp"

namespace gdvar GDVAR_EXPORT {

namespace detail {
/// Reports that memory ran out, as the standard containers do.
[[noreturn]] void throw_no_memory();
/// Frees memory that may be a part of a slab (value/detail/slab.hpp).
void free_part(void* part, std::uint16_t place) noexcept;
class PartMaker;
class PartFreer;
}  // namespace detail

/// Text as Godot's String, in UTF-8: 16 bytes, up to 15 bytes of text in place, always with a NUL
/// after the end. The bytes are kept unchanged, NULs and byte order marks included.
class String {
public:
    String() noexcept { set_small(0); }
    String(std::string_view text) {
        const bool small = text.size() <= 15;
        make_small(this, small ? text : std::string_view());
        if (!small && !assign_heap(text))
            detail::throw_no_memory();
    }
    String(const char* text) : String(std::string_view(text)) {}
    String(const std::string& text) : String(std::string_view(text)) {}
    String(const String& other) : String(other.view()) {}
    String(String&& other) noexcept {
        std::memcpy(static_cast<void*>(this), &other, sizeof *this);
        other.set_small(0);
    }
    String& operator=(String other) noexcept {
        char swap[sizeof *this];
        std::memcpy(swap, static_cast<void*>(this), sizeof *this);
        std::memcpy(static_cast<void*>(this), &other, sizeof *this);
        std::memcpy(static_cast<void*>(&other), swap, sizeof *this);
        return *this;
    }
    ~String() {
        if (on_heap())
            detail::free_part(heap_.data, heap_.place);
    }

    const char* c_str() const noexcept { return on_heap() ? heap_.data : small_; }
    const char* data() const noexcept { return c_str(); }
    std::size_t size() const noexcept {
        return on_heap() ? heap_.size : std::size_t{15} - static_cast<unsigned char>(small_[15]);
    }
    bool empty() const noexcept { return size() == 0; }
    std::string_view view() const noexcept GDVAR_LIFETIMEBOUND { return {c_str(), size()}; }
    operator std::string_view() const noexcept { return view(); }
    explicit operator std::string() const { return std::string(view()); }
    friend bool operator==(const String& a, std::string_view b) noexcept { return a.view() == b; }
    friend bool operator==(const String& a, const String& b) noexcept {
        return a.view() == b.view();
    }
    /// By code points, as the engine's; texts that are not UTF-8 by bytes.
    template <std::convertible_to<std::string_view> Text>
    friend std::strong_ordering operator<=>(const String& a, const Text& b) noexcept {
        return a.view() <=> std::string_view(b);
    }

    /// Replaces the text; false, with nothing changed, when memory runs out or the text is 4 GiB.
    [[nodiscard]] bool try_assign(std::string_view text) noexcept {
        if (text.size() > 15)
            return assign_heap(text);
        const bool had_heap = on_heap();
        const Heap old = heap_;
        make_small(this, text);
        if (had_heap)
            detail::free_part(old.data, old.place);
        return true;
    }

private:
    friend class VariantBuilder;
    friend struct VariantAccess;
    friend class detail::PartMaker;
    friend class detail::PartFreer;

    /// Constructs a String of up to 15 bytes in two registers, with zeros between the text and the
    /// last byte. The text may lie in those same 16 bytes.
    static void make_small(void* to, std::string_view text) noexcept {
        using detail::load;
        const auto* from = reinterpret_cast<const std::byte*>(text.data());
        const std::size_t n = text.size();
        std::uint64_t low = 0, high = std::uint64_t{15 - n} << 56;
        if (n >= 8) {
            low = load<std::uint64_t>(from);
            high |= load<std::uint64_t>(from + n - 8) >> 8 * (15 - n) >> 8;
        } else if (n >= 4) {
            low = load<std::uint32_t>(from) | std::uint64_t{load<std::uint32_t>(from + n - 4)}
                                                  << 8 * (n - 4);
        } else if (n) {
            const auto byte = [&](std::size_t i) {
                return static_cast<std::uint64_t>(from[i]) << 8 * i;
            };
            low = byte(0) | byte(n / 2) | byte(n - 1);
        }
        detail::store(static_cast<std::byte*>(to), low);
        detail::store(static_cast<std::byte*>(to) + 8, high);
    }
    bool on_heap() const noexcept { return static_cast<unsigned char>(small_[15]) == 0xFF; }
    void set_small(std::size_t size) noexcept {
        small_[size] = '\0';
        small_[15] = static_cast<char>(15 - size);
    }
    bool assign_heap(std::string_view text) noexcept;

    struct Heap {
        char* data;
        std::uint32_t size;
        std::uint16_t place;  ///< of the text in its slab
    };
    union {
        char small_[16];  ///< the last byte is the free space, so 0 if it is full: the NUL
        Heap heap_;
    };
};
static_assert(sizeof(String) == 16);

/// A name that the engine interns; on the wire and in key lookup only its text counts.
struct StringName {
    String text;
    StringName() = default;
    explicit StringName(std::string_view text_) : text(text_) {}
    operator std::string_view() const noexcept { return text; }
    /// By the text; the engine orders names by their place in memory.
    friend auto operator<=>(const StringName&, const StringName&) = default;
};

/// A handle of the engine's servers; outside of it only a number.
struct RID {
    std::uint64_t id = 0;
    friend auto operator<=>(const RID&, const RID&) = default;
};

/// A Callable has no content on the wire.
struct Callable {
    friend auto operator<=>(const Callable&, const Callable&) = default;
};

/// A Signal: its name and its object's id.
struct Signal {
    String name;
    std::uint64_t object = 0;  ///< instance id
    friend auto operator<=>(const Signal&, const Signal&) = default;
};

/// Godot 2's Image: see ImageView.
struct Image {
    std::uint32_t format = 0, mipmaps = 0, width = 0, height = 0;
    PackedByteArray data;
    friend bool operator==(const Image&, const Image&) = default;
};

/// Godot 2's InputEvent: see InputEventView.
using InputEvent = InputEventView;

/// A path of node names and subnames, kept as the counted strings of the wire.
class NodePath {
public:
    NodePath() = default;
    /// From text such as "/root/A:b:c", read as the engine reads it: empty names are dropped.
    explicit NodePath(std::string_view text);

    NodePathView view() const noexcept;
    bool absolute() const noexcept { return absolute_; }
    std::uint32_t name_count() const noexcept { return names_; }
    std::uint32_t subname_count() const noexcept { return subnames_; }
    bool empty() const noexcept { return names_ == 0 && subnames_ == 0 && !absolute_; }
    std::string to_string() const;

    /// Copies a borrowed path, zeroing the padding. False when memory runs out.
    [[nodiscard]] bool try_assign(const NodePathView& path) noexcept;

    friend bool operator==(const NodePath& a, const NodePath& b) noexcept {
        return a.names_ == b.names_ && a.subnames_ == b.subnames_ && a.absolute_ == b.absolute_ &&
               a.records_ == b.records_;
    }
    /// Some order, for `std::map` and `std::set`: not that of the text.
    friend std::strong_ordering operator<=>(const NodePath& a, const NodePath& b) noexcept {
        auto order = a.bytes() <=> b.bytes();
        if (order == 0)
            order = a.names_ <=> b.names_;
        if (order == 0)
            order = a.subnames_ <=> b.subnames_;
        return order == 0 ? a.absolute_ <=> b.absolute_ : order;
    }

private:
    std::string_view bytes() const noexcept {
        return {reinterpret_cast<const char*>(records_.data()), records_.size()};
    }
    PackedByteArray records_;
    std::uint32_t names_ = 0, subnames_ = 0;
    bool absolute_ = false, property_ = false;
};

/// The elements of a PackedStringArray.
class PackedStringArray : public detail::ElementRun<String> {
public:
    PackedStringArray() noexcept = default;
    PackedStringArray(std::initializer_list<std::string_view> items) {
        for (const std::string_view item : items)
            push_back(item);
    }
    PackedStringArray(const PackedStringArray& other) : ElementRun() {
        if (!try_copy(other))
            detail::throw_no_memory();
    }
    PackedStringArray(PackedStringArray&& other) noexcept
        : ElementRun(std::exchange(other.block_, nullptr)) {}
    PackedStringArray& operator=(PackedStringArray other) noexcept {
        std::swap(block_, other.block_);
        return *this;
    }
    ~PackedStringArray() { free(); }

    void push_back(std::string_view text) {
        if (!try_push(text))
            detail::throw_no_memory();
    }
    void clear() noexcept {
        free();
        block_ = nullptr;
    }
    [[nodiscard]] bool try_reserve(std::size_t n) noexcept {
        return n <= capacity() || reallocate(n, false);
    }
    [[nodiscard]] bool try_push(std::string_view text) noexcept;
    [[nodiscard]] bool try_copy(const PackedStringArray& other) noexcept;

    friend bool operator==(const PackedStringArray& a, const PackedStringArray& b) noexcept {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    friend class VariantBuilder;
    /// Adds an empty one; null when memory runs out.
    String* try_add() noexcept;
    void free() noexcept;
};

}  // namespace gdvar

/// Equal texts have equal hashes, as Strings and as StringNames. The hash uses the key of the
/// process: see KeyedHash.
template <>
struct std::hash<gdvar::String> {
    std::size_t operator()(const gdvar::String& text) const noexcept {
        return gdvar::KeyedHash()(text.view());
    }
};
/// The hash of its text: that of a String with the same text. Keyed by the process: do not store
/// it.
template <>
struct std::hash<gdvar::StringName> {
    std::size_t operator()(const gdvar::StringName& name) const noexcept {
        return gdvar::KeyedHash()(name.text.view());
    }
};
/// The hash of its number. Keyed by the process.
template <>
struct std::hash<gdvar::RID> {
    std::size_t operator()(const gdvar::RID& rid) const noexcept {
        return gdvar::KeyedHash()(rid.id);
    }
};
/// The hash of its names and flags. Keyed by the process: do not store it.
template <>
struct std::hash<gdvar::NodePath> {
    std::size_t operator()(const gdvar::NodePath& path) const noexcept {
        const gdvar::ByteView records = path.view().records();
        const std::size_t parts = (std::size_t{path.name_count()} * 31 + path.subname_count()) * 2;
        return gdvar::KeyedHash()(gdvar::detail::as_text(records.data(), records.size())) + parts +
               path.absolute();
    }
};
