// patch(diff(a, b), a) is b; set and erase touch nothing else; paths are found again.
#include "gdvar/gdvar.hpp"
#include "packet.hpp"

using namespace gdvar;
using namespace gdvar::inspect;

namespace {

/// Checks a patch between two values: applied to one it gives the other.
void check_patch(const Patch& patch, const Variant& from, const Variant& to, const Document& packet,
                 const fuzz::Input& input, const DecodeOptions& options) {
    Variant value = from;
    fuzz::require(apply_patch(value, patch).has_value(), "the patch fits");
    fuzz::require(identical(value, to), "and gives the other value");
    if (auto bytes =
            patch_packet(ByteView(input.bytes).first(packet.packet_size()), patch, options)) {
        auto made = Document::parse(as_bytes(*bytes), options);
        fuzz::require(made.has_value(), "what was patched can be read");
        auto there = std::as_const(*made).root().get<Variant>();
        fuzz::require(there && identical(*there, to), "and is the other value, too");
    } else {
        fuzz::require(bytes.error().code != Errc::bad_path, "the patch fits the bytes");
    }
    Variant other = to;
    (void)apply_patch(other, patch);  // any result is fine
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2)
        return 0;
    // The first byte says where the second packet begins.
    const std::size_t cut = 1 + (size - 1) * data[0] / 256;
    const fuzz::Input a(data + 1, cut - 1), b(data + cut, size - cut);
    DecodeOptions options = a.decoding;
    options.strict = false;
    auto left = Document::parse(a.bytes, options);
    if (!left)
        return 0;
    const View root = std::as_const(*left).root();
    auto from = root.get<Variant>();
    fuzz::require(from.has_value(), "a Document is a Variant");

    if (auto right = Document::parse(b.bytes, options)) {
        auto to = std::as_const(*right).root().get<Variant>();
        (void)each_difference(root, std::as_const(*right).root(), {.encodings = true},
                              [](const Difference&) { return true; });
        // Patches repeat paths. Patches much larger than the input are left out.
        auto patch = diff(root, std::as_const(*right).root(), 4096 + 12 * size);
        fuzz::require(patch || patch.error().code == Errc::size_limit, "a diff");
        if (patch)
            check_patch(*patch, *from, *to, *left, a, options);
    }

    // A path made of the second half's text.
    const std::string path(reinterpret_cast<const char*>(data + cut), size - cut);
    auto found = lookup(root, path);
    if (found) {
        const auto set = set_value(a.bytes, path, Variant(7), options);
        if (set) {
            auto again = Document::parse(as_bytes(*set), options);
            fuzz::require(again.has_value(), "what was set can be read");
            auto there = lookup(std::as_const(*again).root(), path);
            fuzz::require(there && there->get<double>() == 7, "and is there");
        }
        const auto less = erase_value(a.bytes, path, options);
        if (less)
            fuzz::require(validate(as_bytes(*less), options).has_value(),
                          "what is left can be read");
    }
    (void)lookup_each(root, path, [](const MatchView&) { return true; });
    Statistics statistics;
    (void)statistics.add(root);
    fuzz::require(statistics.bytes == left->packet_size(), "every byte is some value's");
    return 0;
}
