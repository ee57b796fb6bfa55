#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "base/marks.hpp"
#include "gdvar/value/detail/variant_access.hpp"
#include "value/blocks.hpp"

namespace gdvar::detail {

inline bool is_text(const Variant& value) noexcept {
    return value.is(Type::string) || value.is(Type::string_name);
}

/// A stack of Variants in chunks, which grows without moving: its memory is that of the values. The
/// first chunk is part of the stack itself. May throw bad_alloc.
class ValueStack {
public:
    ValueStack() = default;
    ValueStack(const ValueStack&) = delete;
    ValueStack& operator=(const ValueStack&) = delete;
    ~ValueStack() {
        each_run(0, [](Variant* run, std::size_t n) { std::destroy_n(run, n); });
    }

    std::size_t size() const noexcept { return size_; }
    Variant& operator[](std::size_t i) noexcept { return chunk(i / per)[i % per]; }
    template <class... From>
    Variant& emplace(From&&... from) {
        if (next_ == end_)
            grow();
        Variant* const made = new (next_) Variant(std::forward<From>(from)...);
        ++next_;
        ++size_;
        return *made;
    }
    /// Moves all values from `first` on to raw memory.
    void move_to(void* to, std::size_t first) noexcept {
        auto* at = static_cast<std::byte*>(to);
        each_run(first, [&](Variant* run, std::size_t n) {
            // Variants hold no pointers into themselves.
            std::memcpy(at, static_cast<const void*>(run), n * sizeof(Variant));
            at += n * sizeof(Variant);
        });
        cut(first);
    }
    /// Calls `use` for each value from `first` on, in order; it must move the value elsewhere.
    template <class Use>
    void take_from(std::size_t first, Use&& use) {
        each_run(first, [&](Variant* run, std::size_t n) {
            for (std::size_t i = 0; i < n; ++i)
                use(run[i]);
        });
        cut(first);
    }

    /// Pushes a text, its memory from the maker.
    void emplace_text(std::string_view text, PartMaker& maker) {
        if (!VariantAccess::make_text(emplace(), Type::string, text, maker))
            throw_no_memory();
    }
    /// Moves the values from `first` on into an Array.
    Array take_array(std::size_t first, PartMaker& maker) {
        Array made;
        if (const std::size_t count = size_ - first) {
            auto* const block = make_filled_block<ArrayBlock>(count, maker);
            move_to(block->items(), first);
            VariantAccess::set_block(made, block);
        }
        return made;
    }
    /// Moves the values from `first` on into a Dictionary, as keys and values. Keeps equal keys.
    Dictionary take_pairs(std::size_t first, PartMaker& maker) {
        Dictionary made;
        if (const std::size_t count = (size_ - first) / 2) {
            auto* const block = make_filled_block<DictionaryBlock>(count, maker);
            move_to(block->run(), first);
            VariantAccess::set_block(made, block);
        }
        return made;
    }
    /// True if the keys of the pairs from `first` to `end` are different texts. May be false for
    /// such, too.
    bool keys_differ(std::size_t first, std::size_t end) {
        marks_.clear();
        for (std::size_t i = first; i < end; i += 2) {
            const Variant& key = (*this)[i];
            if (!is_text(key))
                return false;
            marks_.push_back(text_mark(key.text()));
        }
        return all_differ(marks_);
    }

private:
    static constexpr std::size_t per = 128;
    using Chunk = std::unique_ptr<std::byte[]>;

    Variant* chunk(std::size_t i) noexcept {
        return reinterpret_cast<Variant*>(i ? more_[i - 1].get() : first_);
    }
    /// Calls `use` for runs of adjacent values. Chunks behind the first are freed on the way.
    template <class Use>
    void each_run(std::size_t first, Use&& use) {
        for (std::size_t i = first; i < size_;) {
            const std::size_t in = i / per, from = i % per, n = std::min(per - from, size_ - i);
            if (Variant* const values = chunk(in))
                use(values + from, n);
            i += n;
            if (in > first / per && i % per == 0)
                more_[in - 1].reset();
        }
    }
    void cut(std::size_t size) noexcept {
        size_ = size;
        // At an edge the full chunk stays the last, and a spare one may follow it.
        const std::size_t last = size ? (size - 1) / per : 0;
        more_.resize(std::min(more_.size(), last + 1));
        if (more_.size() > last && !more_[last])
            more_.pop_back();
        next_ = chunk(last) + (size - last * per);
        end_ = chunk(last) + per;
    }
    void grow() {
        const std::size_t next = size_ / per;
        if (more_.size() < next)
            more_.push_back(std::make_unique_for_overwrite<std::byte[]>(per * sizeof(Variant)));
        next_ = chunk(next);
        end_ = next_ + per;
    }

    alignas(Variant) std::byte first_[per * sizeof(Variant)];
    std::vector<Chunk> more_;
    std::vector<std::uint64_t> marks_;  ///< for the last Dictionary's keys
    std::size_t size_ = 0;
    Variant* next_ = chunk(0);
    Variant* end_ = next_ + per;
};

}  // namespace gdvar::detail
