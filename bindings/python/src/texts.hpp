// Texts of packets as str: made quickly, or reused.
#pragma once

#include <array>
#include <cstring>

#include "common.hpp"

namespace gdvar_py {

/// A text of a few bytes in four words, which are compared and hashed without a call.
class ShortText {
public:
    static constexpr std::size_t longest = 32;

    ShortText() = default;
    /// For at most `longest` bytes.
    explicit ShortText(std::string_view text) noexcept : size_(text.size()) {
        const char* from = text.data();
        if (size_ > 16) {
            words_ = {eight(from), eight(from + 8), eight(from + size_ - 16),
                      eight(from + size_ - 8)};
            return;
        }
        words_[0] = first(from, size_);
        words_[1] = last(from, size_);
    }
    bool is(std::string_view text) const noexcept {
        const char* from = text.data();
        if (text.size() != size_)
            return false;
        if (size_ <= 16)
            return words_[0] == first(from, size_) && words_[1] == last(from, size_);
        return words_[0] == eight(from) && words_[1] == eight(from + 8) &&
               words_[2] == eight(from + size_ - 16) && words_[3] == eight(from + size_ - 8);
    }
    std::uint64_t hash() const noexcept {
        const std::uint64_t mixed = (words_[0] + words_[2] * 31 + size_) * 0x9E3779B97F4A7C15u +
                                    (words_[1] + words_[3] * 31) * 0xC2B2AE3D27D4EB4Fu;
        return mixed ^ mixed >> 29;
    }
    bool operator==(const ShortText&) const = default;

private:
    static std::uint64_t eight(const char* from) noexcept {
        std::uint64_t word;
        std::memcpy(&word, from, sizeof word);
        return word;
    }
    static std::uint64_t four(const char* from) noexcept {
        std::uint32_t word;
        std::memcpy(&word, from, sizeof word);
        return word;
    }
    // Both together hold all bytes of a text of up to 16.
    static std::uint64_t first(const char* from, std::size_t size) noexcept {
        if (size >= 8)
            return eight(from);
        if (size >= 4)
            return four(from);
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < size; ++i)
            word = word << 8 | static_cast<unsigned char>(from[i]);
        return word;
    }
    static std::uint64_t last(const char* from, std::size_t size) noexcept {
        return size >= 8 ? eight(from + size - 8) : size >= 4 ? four(from + size - 4) : 0;
    }

    std::array<std::uint64_t, 4> words_{};
    std::size_t size_ = 0;
};

/// A text that often repeats, such as a key: the same str each time, with its hash known.
PyObject* make_key(std::string_view text);
/// A text that is a value: the same str again if it is short and was seen recently.
PyObject* make_string(std::string_view text);
/// The rate at which texts of one kind are found in the cache. If it is low, searching is suspended
/// for a while.
class TextHabit {
public:
    bool looks() noexcept {
        if (rest_)
            --rest_;
        return rest_ == 0;
    }
    void saw(bool found) noexcept {
        found_ = static_cast<std::uint8_t>(found_ + found);
        if (++seen_ < 64)
            return;
        rest_ = found_ < 40 ? 2048 : 0;
        seen_ = found_ = 0;
    }

private:
    std::uint16_t rest_ = 0;
    std::uint8_t seen_ = 0, found_ = 0;
};
PyObject* make_string(std::string_view text, TextHabit& habit);
/// A StringName; the same object for a text that repeats.
PyObject* make_string_name(std::string_view text);

}  // namespace gdvar_py
