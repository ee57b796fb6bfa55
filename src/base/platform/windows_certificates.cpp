#include <vector>

#include "base/platform/certificates.hpp"
#include "base/platform/windows.hpp"
// Must follow <windows.h>.
#include <wincrypt.h>

namespace gdvar::platform {
namespace {

/// True if an authority may vouch for servers: Windows and its users can limit one to other uses,
/// such as signed programs.
bool is_for_servers(PCCERT_CONTEXT certificate) {
    DWORD size = 0;
    if (!::CertGetEnhancedKeyUsage(certificate, 0, nullptr, &size))
        return ::GetLastError() == static_cast<DWORD>(CRYPT_E_NOT_FOUND);
    std::vector<CERT_ENHKEY_USAGE> room(size / sizeof(CERT_ENHKEY_USAGE) + 1);
    CERT_ENHKEY_USAGE& uses = room.front();
    if (!::CertGetEnhancedKeyUsage(certificate, 0, &uses, &size))
        return false;
    if (uses.cUsageIdentifier == 0)
        return ::GetLastError() == static_cast<DWORD>(CRYPT_E_NOT_FOUND);
    for (DWORD i = 0; i < uses.cUsageIdentifier; ++i)
        if (std::string_view(uses.rgpszUsageIdentifier[i]) == szOID_PKIX_KP_SERVER_AUTH)
            return true;
    return false;
}

}  // namespace

std::optional<std::vector<std::string>> trusted_authorities() {
    std::vector<std::string> out;
    // The user's, which include the machine's.
    const HCERTSTORE store = ::CertOpenSystemStoreW(0, L"ROOT");
    if (!store)
        return out;
    for (PCCERT_CONTEXT each = nullptr; (each = ::CertEnumCertificatesInStore(store, each));)
        if (is_for_servers(each))
            out.emplace_back(reinterpret_cast<const char*>(each->pbCertEncoded),
                             each->cbCertEncoded);
    ::CertCloseStore(store, 0);
    return out;
}

}  // namespace gdvar::platform
