// Uses core, text, json and inspect as shared libraries: exceptions and types cross their borders.
#include <gdvar/core.hpp>
#include <gdvar/inspect/lookup.hpp>
#include <gdvar/json/json.hpp>
#include <gdvar/json/parse.hpp>
#include <gdvar/text/parse.hpp>
#include <gdvar/text/text.hpp>
#include <gdvar/value/binding.hpp>
#include <gdvar/version.hpp>

#include <cstdint>
#include <cstdio>
#include <new>
#include <string>
#include <string_view>

namespace {

struct Player {
    std::string name;
    int hp = 0;
};

struct Stopped {};

// The fault; empty if there is none.
std::string use_libraries() {
    using namespace gdvar;
    const Variant value = Dictionary{{"name", "Ada"}, {"hp", 100}};
    const auto packet = var_to_bytes(value);
    if (!packet)
        return "encode: " + to_string(packet.error());
    const auto player = decode<Player>(as_bytes(*packet));
    if (!player || player->name != "Ada" || player->hp != 100)
        return "the struct has another value";
    // Containers that one library filled and the program changes and frees.
    auto back = bytes_to_var(*packet);
    if (!back || !identical(*back, value))
        return "decode gives another value";
    (*back)["hp"] = 7;
    const auto text = to_text_full(*back);
    if (!text)
        return "text: " + to_string(text.error());
    const auto parsed = parse_text_full(*text);
    if (!parsed || !identical(*parsed, *back))
        return "text gives another value";
    const auto json = to_json(*back);
    if (!json)
        return "json: " + to_string(json.error());
    const auto read = parse_json(*json);
    if (!read || !identical(*read, *back))
        return "JSON gives another value";
    const auto document = Document::parse(as_bytes(*packet));
    if (!document)
        return "document: " + to_string(document.error());
    if (!inspect::lookup(document->root(), "$.hp"))
        return "the path leads nowhere";
    // An exception of a library is caught here; one thrown here passes through a library.
    try {
        Array array;
        array.reserve(SIZE_MAX / 64);
        return "memory without end";
    } catch (const std::bad_alloc&) {
    }
    try {
        const TextPieces stop = [](std::string_view) { throw Stopped{}; };
        (void)print_text(*back, {}, stop);
        return "the text's taker was not called";
    } catch (const Stopped&) {
    }
    return {};
}

}  // namespace

int main() {
    const std::string problem = use_libraries();
    if (!problem.empty()) {
        std::fprintf(stderr, "%s\n", problem.c_str());
        return 1;
    }
    std::printf("gdvar %.*s\n", static_cast<int>(gdvar::version_string.size()),
                gdvar::version_string.data());
}
