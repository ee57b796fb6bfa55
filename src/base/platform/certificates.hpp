// The certificate authorities that this system trusts.
// Room: platform. posix_certificates.cpp and windows_certificates.cpp implement it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gdvar::platform {

/// Those for servers that the system or the user trusts, each in DER. Nothing where they lie in
/// files that OpenSSL finds by itself.
std::optional<std::vector<std::string>> trusted_authorities();

}  // namespace gdvar::platform
