// The bytes of a binary resource: numbers of either byte order, texts, and what is still owed.
// Room: file, private.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar::detail {

/// Reads from front to back. Each function returns false when it refuses the bytes, and keeps why.
/// The bytes that values still to come need at least are set aside, so that no count can promise
/// more than the bytes hold.
class ResourceBytes {
public:
    ResourceBytes(ByteView all, bool big, Utf8Rule rule) noexcept
        : all_(all), slack_(all.size()), big_(big), rule_(rule) {}

    std::size_t at() const noexcept { return at_; }
    std::size_t size() const noexcept { return all_.size(); }
    const Error& error() const noexcept { return error_; }
    bool big() const noexcept { return big_; }
    void set_big(bool big) noexcept { big_ = big; }

    bool refuse(Errc code, std::size_t offset, std::uint64_t need = 0) {
        return refuse(Error{code, Type::nil, offset, need});
    }
    bool refuse(const Error& error) {
        error_ = error;
        return false;
    }

    /// Goes to `offset`. Nothing may be owed.
    bool seek(std::uint64_t offset) {
        if (offset > all_.size())
            return refuse(Error{Errc::bad_reference, Type::nil, at_}.about_reason(
                "an offset beyond the end of the file"));
        at_ = static_cast<std::size_t>(offset);
        slack_ = all_.size() - at_;
        return true;
    }
    /// Sets aside what `count` values of `least` bytes each need.
    bool owe(std::uint64_t count, std::size_t least) {
        if (count * least > slack_)
            return refuse(Errc::truncated, at_, count * least - slack_);
        slack_ -= static_cast<std::size_t>(count * least);
        return true;
    }
    /// Gives back what was set aside for one of them, which is to be read now.
    void pay(std::size_t least) noexcept { slack_ += least; }

    /// The next `n` bytes.
    bool take(std::uint64_t n, ByteView& out) {
        if (n > slack_)
            return refuse(Errc::truncated, at_, n - slack_);
        out = all_.subspan(at_, static_cast<std::size_t>(n));
        at_ += out.size();
        slack_ -= out.size();
        return true;
    }
    template <class T>
    bool number(T& out) {
        ByteView bytes;
        if (!take(sizeof(T), bytes))
            return false;
        out = load<T>(bytes.data());
        if (big_)
            out = byteswap(out);
        return true;
    }
    /// A count or length, of 31 bits.
    bool count(std::uint32_t& out) {
        return number(out) && (out <= 0x7FFF'FFFFu || refuse(Errc::bad_length, at_ - 4));
    }
    /// A length and a text of UTF-8, of which a final NUL is left out.
    bool text(std::string_view& out) {
        std::uint32_t length = 0;
        return count(length) && text_of(length, out);
    }
    bool text_of(std::uint32_t length, std::string_view& out) {
        ByteView bytes;
        if (!take(length, bytes))
            return false;
        out = as_text(bytes.data(), bytes.size());
        if (out.ends_with('\0'))
            out.remove_suffix(1);
        return valid_text(out, rule_) || refuse(Errc::bad_utf8, at_ - length);
    }

private:
    ByteView all_;
    std::size_t at_ = 0;
    std::size_t slack_;  ///< bytes that are neither read nor set aside
    bool big_;
    Utf8Rule rule_;
    Error error_{};
};

}  // namespace gdvar::detail
