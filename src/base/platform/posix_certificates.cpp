#include "base/platform/certificates.hpp"

namespace gdvar::platform {

std::optional<std::vector<std::string>> trusted_authorities() {
    return std::nullopt;
}

}  // namespace gdvar::platform
