// TextFault: the place and reason of a parser's error, before lines are counted.
#pragma once

#include <cstddef>
#include <string_view>

#include "gdvar/value/text_error.hpp"

namespace gdvar::detail {

/// `offset` is in bytes; `detail` is static text.
struct TextFault {
    Errc code = Errc::ok;
    std::size_t offset = 0;
    std::string_view detail{};
    Type type = Type::nil;

    /// The error for the user, with line and column in `text`.
    TextError in(std::string_view text) const noexcept {
        return text_error_at(text, offset, code, type, detail);
    }
};

}  // namespace gdvar::detail
