#include "wire/foreign_bytes.hpp"

#include <algorithm>

namespace gdvar::detail {
namespace {

using Foreign = ForeignKind;

constexpr const char* of_http = "it is HTTP, which ws:// and wss:// alone answer";
constexpr const char* of_zlib = "it is zlib-compressed data";

constexpr ForeignBytes known_foreign[] = {
    {"\x16\x03", Foreign::tls, "it looks like TLS"},
    {"GET ", Foreign::http, of_http},
    {"POST", Foreign::http, of_http},
    {"HEAD", Foreign::http, of_http},
    {"PUT ", Foreign::http, of_http},
    {"HTTP", Foreign::http, of_http},
    {"OPTI", Foreign::http, of_http},
    {"DELE", Foreign::http, of_http},
    {"CONN", Foreign::http, of_http},
    {"GCPF", Foreign::packed, "it is compressed data (GCPF)"},
    {"GDEC", Foreign::encrypted, "it is encrypted data (GDEC)"},
    {"\x1f\x8b", Foreign::packed, "it is gzip-compressed data"},
    {"\x28\xb5\x2f\xfd", Foreign::packed, "it is Zstandard-compressed data"},
    {"\x78\x01", Foreign::packed, of_zlib},
    {"\x78\x5e", Foreign::packed, of_zlib},
    {"\x78\x9c", Foreign::packed, of_zlib},
    {"\x78\xda", Foreign::packed, of_zlib},
};
constexpr ForeignBytes plain_text{"", Foreign::text, "it is plain text"};

constexpr std::size_t most_looked_at = 64;

}  // namespace

const ForeignBytes* foreign_bytes(ByteView bytes) noexcept {
    const std::string_view start = as_text(bytes.data(), std::min(bytes.size(), most_looked_at));
    for (const ForeignBytes& one : known_foreign)
        if (start.starts_with(one.magic))
            return &one;
    const auto printable = [](char c) {
        return (c >= ' ' && c != '\x7F') || c == '\n' || c == '\r' || c == '\t';
    };
    return !start.empty() && std::ranges::all_of(start, printable) ? &plain_text : nullptr;
}

}  // namespace gdvar::detail
