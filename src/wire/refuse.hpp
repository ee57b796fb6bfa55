#pragma once

#include <cstdint>
#include <expected>

#include "gdvar/wire/error.hpp"

namespace gdvar::detail {

inline std::unexpected<Error> refuse(Errc code, std::uint64_t offset = 0,
                                     std::uint64_t need = 0) noexcept {
    return std::unexpected(Error{code, Type::nil, offset, need});
}

}  // namespace gdvar::detail
