// What kind of input is this?
// Room: save.
#pragma once

#include <string_view>
#include <vector>

#include "gdvar/wire/bytes.hpp"

namespace gdvar {

enum class InputKind : std::uint8_t {
    gdec, gcpf, project, records, records_be, packet, hex, base64, unknown
};

/// "records", "packet", "project", ...
std::string_view input_kind_name(InputKind kind) noexcept;

/// All readings that fit, the one to prefer first: a magic, then records that cover the bytes
/// exactly, then one packet of any dialect, then hex or Base64 text.
std::vector<InputKind> recognise(ByteView bytes);

}  // namespace gdvar
