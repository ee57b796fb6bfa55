// TextError: why a text was refused, and where in it.
// Room: value, so that text and json share it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "gdvar/wire/error.hpp"

namespace gdvar {

/// What is wrong with a text. Trivially copyable; `detail` is static text.
struct TextError {
    Errc code = Errc::ok;
    Type type = Type::nil;      ///< of the value that was being read, where that is known
    std::uint64_t offset = 0;   ///< bytes before the place
    std::uint32_t line = 1;     ///< lines are ended by \n
    std::uint32_t column = 1;   ///< in characters (code points), not bytes
    std::string_view detail{};  ///< "expected ',' or ']'", or empty

    friend constexpr bool operator==(const TextError&, const TextError&) = default;
};

/// Called when a text says something that its value does not hold, and that is no error. `offset`
/// is the number of bytes before the place; `what` is static text. May throw bad_alloc.
using TextLoss = std::function<void(std::uint64_t offset, std::string_view what)>;

/// An error at that byte of the text; works out line and column, which takes time linear in
/// `offset`.
TextError text_error_at(std::string_view text, std::uint64_t offset, Errc code,
                        Type type = Type::nil, std::string_view detail = {}) noexcept;

/// "3:14: error[bad_syntax]: Array: expected ',' or ']'". The message has the type, if it is known,
/// and `detail`; without a detail it has the meaning of the code.
std::string to_string(const TextError& error);

}  // namespace gdvar
