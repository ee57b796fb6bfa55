#include "gdvar/save/recognise.hpp"

#include "gdvar/save/coding.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/frame.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar {
namespace {

/// Whether frames follow each other to the very end.
bool covered_by_frames(ByteView bytes, ByteOrder order) {
    if (bytes.empty()) return false;
    while (!bytes.empty()) {
        auto frame = read_frame(bytes, order);
        if (!frame || frame->packet.size() < 4) return false;
        bytes = bytes.subspan(frame->size);
    }
    return true;
}

bool is_packet(ByteView bytes) {
    for (const Dialect* dialect : all_dialects())
        if (auto size = validate(bytes, {.dialect = dialect, .allow_objects = true});
            size && *size == bytes.size())
            return true;
    return false;
}

}  // namespace

std::string_view input_kind_name(InputKind kind) noexcept {
    constexpr std::string_view names[] = {"gdec",   "gcpf", "project", "records", "records-be",
                                          "packet", "hex",  "base64",  "unknown"};
    return names[static_cast<std::size_t>(kind)];
}

std::vector<InputKind> recognise(ByteView bytes) {
    std::vector<InputKind> fits;
    const std::string_view text = detail::as_text(bytes.data(), bytes.size());
    if (text.starts_with("GDEC")) fits.push_back(InputKind::gdec);
    if (text.starts_with("GCPF")) fits.push_back(InputKind::gcpf);
    if (text.starts_with("ECFG")) fits.push_back(InputKind::project);
    if (covered_by_frames(bytes, ByteOrder::little)) fits.push_back(InputKind::records);
    if (covered_by_frames(bytes, ByteOrder::big)) fits.push_back(InputKind::records_be);
    if (is_packet(bytes)) fits.push_back(InputKind::packet);
    if (auto hex = from_hex(text); hex && hex->size() >= 4) fits.push_back(InputKind::hex);
    if (auto raw = from_base64(text); raw && raw->size() >= 4) fits.push_back(InputKind::base64);
    return fits;
}

}  // namespace gdvar
