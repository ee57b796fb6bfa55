// Uses the core alone.
#include <gdvar/value/binding.hpp>
#include <gdvar/value/codec.hpp>
#include <gdvar/value/document.hpp>
#include <gdvar/value/variant.hpp>
#include <gdvar/version.hpp>

#include <cstdio>
#include <string>

namespace {

struct Player {
    std::string name;
    int hp = 0;
};

// The fault; empty if there is none.
std::string use_core() {
    using namespace gdvar;
    const Variant value = Dictionary{{"name", "Ada"}, {"hp", 100}};
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
    const auto player = decode<Player>(as_bytes(*packet));
    if (!player || player->name != "Ada" || player->hp != 100)
        return "the struct has another value";
    return {};
}

}  // namespace

int main() {
    const std::string problem = use_core();
    if (!problem.empty()) {
        std::fprintf(stderr, "%s\n", problem.c_str());
        return 1;
    }
    std::printf("gdvar %.*s\n", static_cast<int>(gdvar::version_string.size()),
                gdvar::version_string.data());
}
