#include "gdvar/value/detail/slab.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace gdvar::detail {

void Slab::drop(std::uint32_t count) noexcept {
    // Whoever counts to zero sees all that others did to their parts. If only our parts are left,
    // nobody else can be counting.
    if (parts.load(std::memory_order_acquire) != count &&
        parts.fetch_sub(count, std::memory_order_acq_rel) != count)
        return;
    ::operator delete(this);
}

void free_part(void* part, std::uint16_t place) noexcept {
    if (place)
        Slab::of(part, place)->drop(1);
    else
        ::operator delete(part);
}

void PartMaker::close() noexcept {
    slab_->drop(Slab::building - parts_);
}

void* PartMaker::take_elsewhere(std::size_t bytes, std::uint16_t& place) noexcept {
    constexpr std::uint32_t first_few = 4;
    place = 0;
    const std::size_t taken = taken_;
    taken_ += std::min(bytes, Slab::largest);
    if (direct_ < first_few) {
        ++direct_;
        return ::operator new(bytes, std::nothrow);
    }
    const std::size_t size = std::clamp(std::bit_floor(taken / 2), Slab::smallest, Slab::largest);
    if (bytes > size / 4)
        return ::operator new(bytes, std::nothrow);
    void* const memory = ::operator new(size, std::nothrow);
    if (!memory)
        return nullptr;
    if (slab_)
        close();
    slab_ = new (memory) Slab{Slab::building};
    used_ = 8;
    left_ = static_cast<std::uint32_t>(size - used_);
    parts_ = 0;
    return take(bytes, place);
}

bool PartMaker::long_text(String& to, std::string_view text) noexcept {
    if (text.size() > UINT32_MAX - 1)
        return false;
    std::uint16_t place = 0;
    auto* data = static_cast<char*>(take(text.size() + 1, place));
    if (!data)
        return false;
    std::memcpy(data, text.data(), text.size());
    data[text.size()] = '\0';
    to.heap_.data = data;
    to.heap_.size = static_cast<std::uint32_t>(text.size());
    to.heap_.place = place;
    to.small_[15] = static_cast<char>(0xFF);
    return true;
}

}  // namespace gdvar::detail
