#include "output/code_notes.hpp"

#include "gdvar/file/code.hpp"

namespace gdvar::app {

std::uint64_t code_notes(const Input& input, const Item& item, bool verbose,
                         const std::function<void(const std::string&)>& line) {
    const auto code = find_code(item.packet, input.kind(), input.decoding(), verbose ? 10'000 : 20);
    if (!code)
        return 0;
    const std::string place = input.name() + ": " + item.label;
    for (const FoundCode& found : code->first) {
        const CodeKindInfo& kind = code_kind_info(found.kind);
        line(place + found.path + ": note[" + std::string(kind.name) + "]: " + found.what + ": " +
             std::string(kind.meaning));
    }
    if (const std::uint64_t more = code->count - code->first.size())
        line(place + "... and " + std::to_string(more) + " more places with code");
    return code->count;
}

}  // namespace gdvar::app
