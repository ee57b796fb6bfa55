#include "output/differences.hpp"

#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/text/text.hpp"

namespace gdvar::app {
namespace {

std::string brief_bytes(const View& view) {
    const ByteView bytes = view.raw();
    return bytes.size() <= 16
               ? to_hex(bytes)
               : to_hex(bytes.first(12)) + "... (" + std::to_string(bytes.size()) + " bytes)";
}

}  // namespace

std::string difference_line(const Difference& d, const std::string& place, bool full) {
    const auto brief = [&](const View& view) {
        return full ? to_text_full(view).value_or("?") : brief_value(view);
    };
    switch (d.kind) {
        case Difference::set:
            return "~ " + place + ": " + brief(d.before) + " -> " + brief(d.after);
        case Difference::insert:
            return "+ " + place + ": " + brief(d.after);
        case Difference::remove:
            return "- " + place + ": " + brief(d.before);
        case Difference::order:
            return "> " + place + ": pairs in another order";
        case Difference::encoding:
            break;
    }
    return "= " + place + ": " + brief_bytes(d.before) + " -> " + brief_bytes(d.after) +
           ", the same value";
}

}  // namespace gdvar::app
