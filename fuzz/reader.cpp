// Every face of the reader is the others' oracle: same verdict, code, offset, size and value.
#include "gdvar/value/codec.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/wire/encoder.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/validate.hpp"
#include "packet.hpp"

using namespace gdvar;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::Input input(data, size);
    auto checked = validate(input.bytes, input.decoding);
    std::size_t decoded_size = 0;
    auto value = decode(input.bytes, input.decoding, &decoded_size);
    auto document = Document::parse(input.bytes, input.decoding);
    fuzz::require(checked.has_value() == value.has_value(), "validate and decode agree");
    fuzz::require(checked.has_value() == document.has_value(), "validate and Document agree");
    if (!checked) {
        fuzz::require(checked.error() == value.error(), "decode's error");
        fuzz::require(checked.error() == document.error(), "Document's error");
        fuzz::require(checked.error().offset <= size, "the offset lies in the bytes");
        fuzz::require(error_path(input.bytes, input.decoding, checked.error())[0] == '$', "a path");
        return 0;
    }
    fuzz::require(*checked == decoded_size && *checked == document->packet_size(), "sizes agree");
    fuzz::require(*checked <= size, "no more than there is");
    const Document& tree = *document;
    auto from_view = tree.root().get<Variant>();
    fuzz::require(from_view && identical(*from_view, *value), "View and Variant hold the same");
    // The Reader into the Encoder and the Variant into the Encoder write the same.
    PackedByteArray direct;
    {
        BufferOutput output(direct);
        Encoder<BufferOutput> encoder(output, input.encoding);
        auto done = read(input.bytes, input.decoding, encoder);
        auto encoded = encode(*value, input.encoding);
        fuzz::require(done.has_value() == encoded.has_value(), "both encode, or neither");
        output.flush();
        if (encoded)
            fuzz::require(*encoded == direct, "and the same bytes");
    }
    return 0;
}
