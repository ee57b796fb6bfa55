// Binary resources over any bytes: an error, or a packet that holds the same as the Variant.
#include <cstdio>
#include <cstdlib>

#include "gdvar/file/binary_resource.hpp"
#include "gdvar/value/codec.hpp"

namespace {

void check(bool holds, const char* law) {
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", law);
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gdvar;
    const ByteView bytes(reinterpret_cast<const std::byte*>(data), size);
    // Decompressed bytes count as input. Budgets are for bytes of the file.
    const BinaryResourceOptions options{.max_bytes = 4 * size};
    const auto read = read_binary_resource(bytes, options);
    const auto value = decode_binary_resource(bytes, options);
    if (!read || !value) {
        check(!read && !value && read.error() == value.error(), "both refuse the same");
        return 0;
    }
    const DecodeOptions decoding{.dialect = read->dialect, .allow_objects = true};
    const auto again = decode(read->packet, decoding);
    check(again.has_value(), "the packet can be read");
    check(identical(*again, *value), "and holds what the Variant does");
    return 0;
}
