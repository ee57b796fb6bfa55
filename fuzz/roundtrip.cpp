// A decoded value can be encoded, decoded again and printed.
#include "gdvar/json/json.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"
#include "packet.hpp"

using namespace gdvar;

constexpr std::size_t most_in_all_families = 4096;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::Input input(data, size);
    auto value = decode(input.bytes, input.decoding);
    if (!value)
        return 0;
    Variant copy = *value;
    fuzz::require(identical(copy, *value), "a copy is identical");
    fuzz::require(hash_key(copy) == hash_key(*value), "and has the same hash");
    (void)(copy == *value);
    (void)same_key(copy, *value);

    auto bytes = encode(*value, input.encoding);
    if (!bytes) {
        (void)error_path(*value, input.encoding, bytes.error());
    } else {
        auto counted = encoded_size(*value, input.encoding);
        fuzz::require(counted && *counted == bytes->size(), "encoded_size counts the bytes");
        DecodeOptions again_options = input.decoding;
        again_options.strict = false;
        auto again = decode(as_bytes(*bytes), again_options);
        fuzz::require(again && identical(*again, *value), "decode(encode(v)) is v");
        auto twice = encode(*again, input.encoding);
        fuzz::require(twice && *twice == *bytes, "encoding is the same again");
    }

    auto document = Document::parse(input.bytes, input.decoding);
    fuzz::require(document.has_value(), "Document reads it, too");
    const Document& tree = *document;
    // Small inputs go through all families, larger ones through one that the last byte chooses.
    // Each family may take millions of steps to sort keys (docs/text.md).
    const unsigned all = (1u << text_family_count) - 1;
    const unsigned chosen =
        size > most_in_all_families ? 1u << data[size - 1] % text_family_count : all;
    for (unsigned family = 0; family < text_family_count; ++family)
        if (chosen >> family & 1)
            fuzz::require(to_text(tree.root(), static_cast<TextFamily>(family)).has_value(),
                          "text prints");
    auto full = to_text_full(tree.root());
    fuzz::require(full && *full == *to_text_full(*value), "full text of View and Variant");
    auto read = parse_text_full(*full, {.whole = true});
    fuzz::require(read && identical(*read, *value), "full text comes back");
    auto json = to_json(tree.root());
    fuzz::require(json && *json == *to_json(*value), "JSON of View and Variant");
    read = parse_json(*json);
    fuzz::require(read && identical(*read, *value), "typed JSON comes back");
    const int indent = size > fuzz::most_indented ? 0 : 1;
    fuzz::require(to_plain_json(tree.root(), {.indent = indent}).has_value(), "plain JSON prints");
    return 0;
}
