// TextError: why a text was refused, and at which position. Here, so that text and json share it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {

/// Why a text was refused. Trivially copyable; `detail` is static text. Without a packet there is
/// no Error in it.
struct TextError {
    Errc code = Errc::ok;
    Type type = Type::nil;      ///< of the value being parsed, if known
    std::uint64_t offset = 0;   ///< in the text, in bytes
    std::uint32_t line = 1;     ///< lines are ended by \n
    std::uint32_t column = 1;   ///< in characters (code points), not bytes
    std::string_view detail{};  ///< "expected ',' or ']'", or empty
    /// unknown_constructor: the unknown name, cut after 31 characters, and a NUL.
    std::array<char, 32> name{};

    friend constexpr bool operator==(const TextError&, const TextError&) = default;
};

/// Called for each part of the text that the value does not hold, if that is not an error. `offset`
/// is a position in the text, in bytes; `what` is static text. May throw bad_alloc.
using TextLoss = std::function<void(std::uint64_t offset, std::string_view what)>;

/// Makes an error at that byte of the text. Counts lines and columns, which takes time linear in
/// `offset`.
TextError text_error_at(std::string_view text, std::uint64_t offset, Errc code,
                        Type type = Type::nil, std::string_view detail = {}) noexcept;

/// "3:14: error[bad_syntax]: Array: expected ',' or ']'". The message has the type, if known, and
/// `detail`; without a detail it has the meaning of the code.
std::string to_string(const TextError& error);
/// The same for an Error whose offset is a position in the text: "3:14: error[truncated]: ...". An
/// unknown name precedes its reason.
std::string to_string(const Error& error, std::string_view text);

}  // namespace gdvar
