// Uses a function of each room that has sources, so that every archive is linked.
#include <gdvar/gdvar.hpp>

#include <cstdio>
#include <memory>
#include <string>

namespace {

// The fault; empty if there is none.
std::string use_everything() {
    using namespace gdvar;
    const Variant value = Dictionary{{"name", "Ada"}, {"hp", 100}, {"pos", Vector3{1, 2, 3}}};
    const auto packet = var_to_bytes(value);
    if (!packet)
        return "encode: " + to_string(packet.error());
    const auto back = bytes_to_var(*packet);
    if (!back || !identical(*back, value))
        return "decode gives another value";
    const auto document = Document::parse(as_bytes(*packet), {.limits = Limits::network()});
    if (!document)
        return "document: " + to_string(document.error());
    const Document& view = *document;
    if (view["hp"].get<int>() != 100)
        return "the document has another value";
    const auto text = to_text(Variant(Vector3{1, 2, 3}));
    if (!text || *text != "Vector3(1, 2, 3)")
        return "text is " + text.value_or("refused");
    const auto json = to_json(Variant("Ada"));
    if (!json || *json != "\"s:Ada\"")
        return "JSON is " + json.value_or("refused");
    const auto bytes = from_hex(to_hex(as_bytes(*packet)));
    if (!bytes || !validate(*bytes))
        return "hex gives other bytes";
    const auto refused = validate(as_bytes(*packet).first(packet->size() - 1));
    if (refused)
        return "a cut packet is accepted";
    if (inspect::field_name(Field::header).empty())
        return "annotate has no names";
    // The type information of a class is one, in the library and here.
    const std::unique_ptr<Source> source = std::make_unique<MemorySource>(as_bytes(*packet));
    if (!dynamic_cast<MemorySource*>(source.get()) || dynamic_cast<FileSource*>(source.get()))
        return "a Source is not what it is";
    return {};
}

}  // namespace

int main() {
    const std::string problem = use_everything();
    if (!problem.empty()) {
        std::fprintf(stderr, "%s\n", problem.c_str());
        return 1;
    }
    std::printf("gdvar %.*s\n", static_cast<int>(gdvar::version_string.size()),
                gdvar::version_string.data());
}
