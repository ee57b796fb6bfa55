// PackedArray: contiguous elements, one pointer wide, never zero-filled before it is filled.
// Encoding returns a `PackedByteArray`.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "gdvar/base/attributes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/wire/math.hpp"

namespace gdvar GDVAR_EXPORT {

namespace detail {

/// Allocates without throwing, or through the throwing operator new, which then reports as for the
/// standard containers.
inline void* allocate(std::size_t bytes, bool may_throw) {
    return may_throw ? ::operator new(bytes) : ::operator new(bytes, std::nothrow);
}

/// Elements behind their count, in one block of memory; null if there are none. The part of
/// PackedArray and PackedStringArray that accesses elements and moves them to a larger block. Those
/// classes own the block.
template <class T>
class ElementRun {
public:
    using value_type = T;

    std::size_t size() const noexcept { return block_ ? block_->size : 0; }
    std::size_t capacity() const noexcept { return block_ ? block_->capacity : 0; }
    bool empty() const noexcept { return size() == 0; }
    T* data() noexcept { return block_ ? elements() : nullptr; }
    const T* data() const noexcept { return block_ ? elements() : nullptr; }
    T* begin() noexcept { return data(); }
    T* end() noexcept { return data() + size(); }
    const T* begin() const noexcept { return data(); }
    const T* end() const noexcept { return data() + size(); }
    /// `i` must be below size(): a debug build asserts it.
    T& operator[](std::size_t i) noexcept {
        assert(i < size());
        return elements()[i];
    }
    const T& operator[](std::size_t i) const noexcept {
        assert(i < size());
        return elements()[i];
    }

    ElementRun(const ElementRun&) = delete;
    ElementRun& operator=(const ElementRun&) = delete;

protected:
    struct Block {
        std::size_t size, capacity;
    };
    ElementRun() noexcept = default;
    explicit ElementRun(Block* block) noexcept : block_(block) {}
    ~ElementRun() = default;

    T* elements() const noexcept { return reinterpret_cast<T*>(block_ + 1); }
    bool grow_to(std::size_t n, bool may_throw) {
        return reallocate(std::max(n, capacity() + capacity() / 2 + 4), may_throw);
    }
    /// Moves the elements to a block with space for `n`: copies their bytes.
    bool reallocate(std::size_t n, bool may_throw) {
        // A size above the limit for objects is reduced to that limit, whose allocation is refused.
        n = std::min(n, (std::size_t{PTRDIFF_MAX} - sizeof(Block)) / sizeof(T));
        auto* bigger = static_cast<Block*>(allocate(sizeof(Block) + n * sizeof(T), may_throw));
        if (!bigger)
            return false;
        bigger->size = size();
        bigger->capacity = n;
        if (block_) {
            std::memcpy(static_cast<void*>(bigger + 1), static_cast<const void*>(elements()),
                        size() * sizeof(T));
            ::operator delete(block_);
        }
        block_ = bigger;
        return true;
    }

    Block* block_ = nullptr;
};

}  // namespace detail

/// Owns its elements; copying copies them. An empty one owns nothing. The `try_` members return
/// false when memory runs out; the others behave like std::vector's.
template <class T>
class PackedArray : public detail::ElementRun<T> {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 8);
    using Base = detail::ElementRun<T>;
    using Base::block_, Base::elements, Base::grow_to, Base::reallocate;

public:
    using Base::size, Base::capacity, Base::empty, Base::data, Base::begin, Base::end;

    PackedArray() noexcept = default;
    PackedArray(std::initializer_list<T> items) { assign(items.begin(), items.size()); }
    explicit PackedArray(std::span<const T> items) { assign(items.data(), items.size()); }
    PackedArray(const PackedArray& other) : Base() { assign(other.data(), other.size()); }
    PackedArray(PackedArray&& other) noexcept : Base(std::exchange(other.block_, nullptr)) {}
    PackedArray& operator=(PackedArray other) noexcept {
        std::swap(block_, other.block_);
        return *this;
    }
    ~PackedArray() { ::operator delete(block_); }

    void clear() noexcept {
        if (block_)
            block_->size = 0;
    }
    void push_back(const T& item) {
        const T copy = item;
        if (size() == capacity())
            grow_to(size() + 1, true);
        elements()[block_->size++] = copy;
    }
    void reserve(std::size_t n) {
        if (n > capacity())
            reallocate(n, true);
    }
    /// New elements are value-initialised.
    void resize(std::size_t n) {
        const std::size_t old = size();
        reserve(n);
        if (block_)
            block_->size = n;
        for (std::size_t i = old; i < n; ++i)
            elements()[i] = T{};
    }
    void append(std::span<const T> more) {
        if (more.empty())
            return;
        if (size() + more.size() > capacity())
            grow_to(size() + more.size(), true);
        std::memcpy(static_cast<void*>(elements() + size()), more.data(), more.size_bytes());
        block_->size += more.size();
    }

    /// Room for exactly `n`, without touching the elements.
    [[nodiscard]] bool try_reserve(std::size_t n) noexcept {
        return n <= capacity() || reallocate(n, false);
    }
    /// Room for at least `n`, growing by half so that appending stays linear.
    [[nodiscard]] bool try_grow(std::size_t n) noexcept {
        return n <= capacity() || grow_to(n, false);
    }
    /// Releases unused capacity; keeps it when no smaller block can be allocated.
    void shrink_to_fit() noexcept {
        if (size() < capacity())
            (void)reallocate(size(), false);
    }
    /// Sets the size without touching the elements: the caller fills them. `n` must not exceed the
    /// capacity.
    void set_size(std::size_t n) noexcept {
        if (block_)
            block_->size = n;
    }

    friend bool operator==(const PackedArray& a, const PackedArray& b) noexcept {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    void assign(const T* from, std::size_t n) {
        if (n == 0)
            return;
        reallocate(n, true);
        std::memcpy(static_cast<void*>(elements()), from, n * sizeof(T));
        block_->size = n;
    }
};

using PackedByteArray = PackedArray<std::uint8_t>;
using PackedInt32Array = PackedArray<std::int32_t>;
using PackedInt64Array = PackedArray<std::int64_t>;
using PackedFloat32Array = PackedArray<float>;
using PackedFloat64Array = PackedArray<double>;
using PackedVector2Array = PackedArray<Vector2>;
using PackedVector2dArray = PackedArray<Vector2d>;
using PackedVector2iArray = PackedArray<Vector2i>;
using PackedVector3Array = PackedArray<Vector3>;
using PackedVector3dArray = PackedArray<Vector3d>;
using PackedVector3iArray = PackedArray<Vector3i>;
using PackedVector4Array = PackedArray<Vector4>;
using PackedVector4dArray = PackedArray<Vector4d>;
using PackedVector4iArray = PackedArray<Vector4i>;
using PackedColorArray = PackedArray<Color>;
using PackedColordArray = PackedArray<Colord>;

/// `PackedTraits<Vector3>`: the packed array whose elements are T.
template <class T>
struct PackedTraits {};
namespace detail {
template <Type type_, bool wide_ = false>
struct PackedTraitsOf {
    static constexpr Type type = type_;
    static constexpr bool wide = wide_;
};
}  // namespace detail
template <>
struct PackedTraits<std::uint8_t> : detail::PackedTraitsOf<Type::packed_byte_array> {};
template <>
struct PackedTraits<std::int32_t> : detail::PackedTraitsOf<Type::packed_int32_array> {};
template <>
struct PackedTraits<std::int64_t> : detail::PackedTraitsOf<Type::packed_int64_array> {};
template <>
struct PackedTraits<float> : detail::PackedTraitsOf<Type::packed_float32_array> {};
template <>
struct PackedTraits<double> : detail::PackedTraitsOf<Type::packed_float64_array> {};
template <>
struct PackedTraits<Vector2> : detail::PackedTraitsOf<Type::packed_vector2_array> {};
template <>
struct PackedTraits<Vector3> : detail::PackedTraitsOf<Type::packed_vector3_array> {};
template <>
struct PackedTraits<Vector4> : detail::PackedTraitsOf<Type::packed_vector4_array> {};
template <>
struct PackedTraits<Color> : detail::PackedTraitsOf<Type::packed_color_array> {};
template <>
struct PackedTraits<Vector2d> : detail::PackedTraitsOf<Type::packed_vector2_array, true> {};
template <>
struct PackedTraits<Vector3d> : detail::PackedTraitsOf<Type::packed_vector3_array, true> {};
template <>
struct PackedTraits<Vector4d> : detail::PackedTraitsOf<Type::packed_vector4_array, true> {};
template <>
struct PackedTraits<Colord> : detail::PackedTraitsOf<Type::packed_color_array, true> {};
template <>
struct PackedTraits<Vector2i> : detail::PackedTraitsOf<Type::packed_vector2i_array> {};
template <>
struct PackedTraits<Vector3i> : detail::PackedTraitsOf<Type::packed_vector3i_array> {};
template <>
struct PackedTraits<Vector4i> : detail::PackedTraitsOf<Type::packed_vector4i_array> {};

template <class T>
concept PackedElement = requires { PackedTraits<T>::type; };

/// The bytes of an encoded packet.
inline std::span<const std::byte> as_bytes(
    const PackedByteArray& bytes GDVAR_LIFETIMEBOUND) noexcept {
    return {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()};
}
/// A copy of the bytes.
inline PackedByteArray packed_bytes(std::span<const std::byte> bytes) {
    return PackedByteArray(
        std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
}

namespace detail {

/// False, with `to` unchanged, when memory runs out.
[[nodiscard]] inline bool try_append(PackedByteArray& to,
                                     std::span<const std::byte> bytes) noexcept {
    if (!to.try_grow(to.size() + bytes.size()))
        return false;
    if (!bytes.empty())
        std::memcpy(to.data() + to.size(), bytes.data(), bytes.size());
    to.set_size(to.size() + bytes.size());
    return true;
}

}  // namespace detail

}  // namespace gdvar
