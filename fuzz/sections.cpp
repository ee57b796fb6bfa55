// ConfigFiles and text resources of each family. The last byte of the input chooses kind and
// family, the one before it the change; the text begins at the first.
#include <string>

#include "gdvar/file/sections.hpp"
#include "gdvar/file/sections_convert.hpp"
#include "gdvar/file/sections_guess.hpp"
#include "gdvar/value/codec.hpp"
#include "packet.hpp"

using namespace gdvar;

namespace {

struct Case {
    bool is_resource;
    SectionsOptions options;

    auto read(std::string_view text) const {
        return is_resource ? read_resource(text, options) : read_config(text, options);
    }
    auto rewrite(std::string_view text, const Outline& outline, const View& before,
                 const View& after) const {
        return is_resource ? rewrite_resource(text, outline, before, after, options)
                           : rewrite_config(text, outline, before, after, options);
    }
    auto convert(std::string_view text, const Outline& outline, const View& value,
                 const Dialect& to) const {
        return is_resource ? convert_resource(text, outline, value, to, options)
                           : convert_config(text, outline, value, to, options);
    }
};

void check_outline(const Outline& outline, std::size_t size) {
    fuzz::require(!outline.empty() && outline.nodes[0].next == outline.nodes.size(),
                  "the root holds all nodes");
    for (std::size_t i = 0; i < outline.nodes.size(); ++i) {
        const OutlineNode& node = outline.nodes[i];
        fuzz::require(node.begin <= node.end && node.end <= size, "spans lie in the text");
        fuzz::require(node.key_begin <= node.key_end && node.key_end <= size, "and so do keys");
        fuzz::require(node.next > i && node.next <= outline.nodes.size(), "nodes end behind");
        fuzz::require(node.count <= node.next - i - 1, "each child is a node");
    }
}

/// One thing of the document changes.
void change(Variant& value, unsigned choice) {
    Dictionary& root = *value.get_if<Dictionary>();
    if (root.empty()) {
        root.set("new", Dictionary{{"k", 1}});
        return;
    }
    Variant& part = root.begin()[choice % root.size()].value;
    Dictionary* pairs = part.get_if<Dictionary>();
    if (pairs && choice & 16 && !pairs->empty())
        pairs->erase(Variant(pairs->begin()[0].key));
    else if (pairs)
        pairs->set("new key", "text");
    else if (Object* object = part.get_if<Object>(); object && object->kind() == ObjectKind::full)
        object->set("new key", Array{1});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data), size - 2);
    const unsigned choice = data[size - 1], how = data[size - 2];
    const Case it{(choice & 4) != 0,
                  {.family = static_cast<TextFamily>(choice & 8 ? 4 + (choice & 1) : choice & 3)}};
    (void)guess_family(text);
    (void)looks_like_config(text);
    (void)looks_like_resource(text);
    const auto read = it.read(text);
    if (!read) {
        fuzz::require(read.error().code != Errc::ok && read.error().offset <= text.size(),
                      "an error has a code and lies in the text");
        return 0;
    }
    check_outline(read->outline, text.size());
    const Dialect& dialect = sections_dialect(it.options.family);
    const EncodeOptions writing{.dialect = &dialect, .allow_objects = true};
    const DecodeOptions reading{.dialect = &dialect, .allow_objects = true};
    const auto packet = encode(read->value, writing);
    if (!packet)
        return 0;
    const auto before = Document::parse(as_bytes(*packet), reading);
    fuzz::require(before.has_value(), "the packet of a text is sound");
    const auto same = it.rewrite(text, read->outline, before->root(), before->root());
    fuzz::require(same && *same == text, "without a change every byte stays");

    Variant value = read->value;
    change(value, how);
    const auto changed = encode(value, writing);
    const auto after = changed ? Document::parse(as_bytes(*changed), reading)
                               : std::expected<Document, Error>(std::unexpect);
    if (after)
        if (const auto made = it.rewrite(text, read->outline, before->root(), after->root()))
            fuzz::require(it.read(*made).has_value(), "what was written is read");
    const TextFamily to =
        it.options.family == TextFamily::godot_4 ? TextFamily::godot_3_6 : TextFamily::godot_4;
    (void)it.convert(text, read->outline, before->root(), sections_dialect(to));
    return 0;
}
