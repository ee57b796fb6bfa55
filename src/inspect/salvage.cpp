#include "gdvar/inspect/salvage.hpp"

#include <new>

#include "base/exceptions.hpp"
#include "gdvar/wire/validate.hpp"
#include "inspect/salvager.hpp"

namespace gdvar::inspect {
namespace {

void set_count(std::vector<std::byte>& bytes, std::size_t at, std::uint32_t count) {
    // The top bit is Godot 2's mark of a shared container.
    const auto old = detail::load<std::uint32_t>(bytes.data() + at);
    detail::store(bytes.data() + at, (old & 0x8000'0000u) | count);
}

}  // namespace

std::optional<Salvaged> up_to_break(ByteView packet, const DecodeOptions& options) GDVAR_TRY {
    Salvager salvager;
    const auto size = read(packet, options, salvager);
    if (size || salvager.open().empty())
        return std::nullopt;
    Salvaged out;
    out.error = size.error();
    out.begin = static_cast<std::size_t>(out.error.offset);
    out.end = packet.size();
    // From the outermost inwards, as long as the containers are values and not keys.
    const auto& open = salvager.open();
    std::size_t last = 0;
    while (last + 1 < open.size() && !open[last].in_key)
        ++last;
    out.packet.assign(packet.begin(), packet.begin() + static_cast<std::ptrdiff_t>(open[last].end));
    for (std::size_t i = 0; i <= last; ++i)
        set_count(out.packet, open[i].count_at, open[i].whole + (i < last));
    const auto sound = validate(out.packet, options);
    if (!sound || *sound != out.packet.size())
        return std::nullopt;
    return out;
}
GDVAR_CATCH_NO_MEMORY(return std::nullopt)

}  // namespace gdvar::inspect
