// The certificate authorities that this system trusts. posix_certificates.cpp and
// windows_certificates.cpp implement it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gdvar::platform {

/// The authorities for servers that the system or the user trusts, each in DER. Nothing where
/// OpenSSL finds them by itself, in files.
std::optional<std::vector<std::string>> trusted_authorities();

}  // namespace gdvar::platform
