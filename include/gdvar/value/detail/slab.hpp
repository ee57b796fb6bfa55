// Slabs: memory shared by parts of one value. For VariantBuilder and for copying Variants.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/value/string.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

/// One piece of memory with parts of a value: blocks, long texts, boxed values. It is freed with
/// its last part, in any thread. A part's `place` is its distance from the start of its slab, in
/// units of 8 bytes; 0: the part has its own memory.
struct Slab {
    static constexpr std::uint32_t building = 1u << 31;
    static constexpr std::size_t smallest = 1024, largest = 32768;

    std::atomic<std::uint32_t> parts;  ///< parts in use, and `building` while more may come

    static Slab* of(void* part, std::uint16_t place) noexcept {
        return reinterpret_cast<Slab*>(static_cast<char*>(part) - std::size_t{place} * 8);
    }
    void drop(std::uint32_t count) noexcept;
};

/// Allocates parts: the first few, and large ones, by themselves, the others in slabs that grow
/// with the total, so that at most a third of the memory is unused.
class PartMaker {
public:
    PartMaker() = default;
    PartMaker(const PartMaker&) = delete;
    PartMaker& operator=(const PartMaker&) = delete;
    ~PartMaker() {
        if (slab_)
            close();
    }

    /// Memory for a part, aligned to 8 bytes; null when memory runs out.
    void* take(std::size_t bytes, std::uint16_t& place) noexcept {
        const std::size_t whole = (bytes + 7) & ~std::size_t{7};
        if (whole > left_ || whole < bytes)
            return take_elsewhere(bytes, place);
        char* const part = reinterpret_cast<char*>(slab_) + used_;
        place = static_cast<std::uint16_t>(used_ / 8);
        used_ += static_cast<std::uint32_t>(whole);
        left_ -= static_cast<std::uint32_t>(whole);
        ++parts_;
        return part;
    }
    /// Sets an empty String; false, with nothing changed, when memory runs out.
    bool text(String& to, std::string_view text) noexcept {
        if (text.size() > 15)
            return long_text(to, text);
        String::make_small(&to, text);
        return true;
    }

private:
    bool long_text(String& to, std::string_view text) noexcept;
    void* take_elsewhere(std::size_t bytes, std::uint16_t& place) noexcept;
    /// Leaves the slab to its parts.
    void close() noexcept;

    Slab* slab_ = nullptr;
    std::uint32_t used_ = 0, left_ = 0;  ///< bytes of the slab
    std::uint32_t parts_ = 0;            ///< taken from the slab
    std::uint32_t direct_ = 0;           ///< parts with memory of their own, up to the first few
    std::size_t taken_ = 0;              ///< requested bytes, large ones counted as less
};

/// Frees parts; consecutive parts of one slab are counted down at once.
class PartFreer {
public:
    PartFreer() = default;
    PartFreer(const PartFreer&) = delete;
    PartFreer& operator=(const PartFreer&) = delete;
    ~PartFreer() {
        if (slab_)
            slab_->drop(count_);
    }
    void free(void* part, std::uint16_t place) noexcept {
        if (!place)
            return ::operator delete(part);
        Slab* const slab = Slab::of(part, place);
        if (slab != slab_) {
            if (slab_)
                slab_->drop(count_);
            slab_ = slab;
            count_ = 0;
        }
        ++count_;
    }
    /// Frees the String.
    void text(String& text) noexcept {
        if (text.on_heap())
            free(text.heap_.data, text.heap_.place);
    }

private:
    Slab* slab_ = nullptr;
    std::uint32_t count_ = 0;
};

}  // namespace detail
}  // namespace gdvar
