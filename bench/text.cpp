// Text and JSON, printed from a Document and parsed to a Variant, beside RapidJSON and simdjson on
// the same plain JSON. MB/s count the bytes of the text.
#include "task.hpp"

#if __has_include(<rapidjson/document.h>)
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#endif
#if defined(BENCH_SIMDJSON)
#include <simdjson.h>
#endif

namespace gdvar::bench {
namespace {

using Text = std::expected<std::string, Error>;

std::string printed(const Text& text) {
    return text ? *text : std::string();
}

/// A form of text. `lossless`: what is parsed is the value that was printed.
struct Form {
    const char* name;
    Text (*print)(const View&);
    std::expected<Variant, TextError> (*parse)(std::string_view);
    bool lossless;
};

const Form forms[] = {
    {"text", [](const View& view) { return to_text(view, TextFamily::godot_4); },
     [](std::string_view text) { return parse_text(text); }, false},
    {"text_full", [](const View& view) { return to_text_full(view); },
     [](std::string_view text) { return parse_text_full(text); }, true},
    {"json", [](const View& view) { return to_json(view); },
     [](std::string_view text) { return parse_json(text); }, true},
    {"json_plain", [](const View& view) { return to_plain_json(view); },
     [](std::string_view text) { return parse_plain_json(text); }, false},
};

/// The workload's Documents, and its texts in place of its packets.
struct Texts {
    std::vector<Document> documents;
    std::vector<std::string> texts;
    Workload counted;
};

Texts texts_of(const Workload& of, const Form& form) {
    Texts out{{}, {}, {of.name, {}, of.packets, 0}};
    for (const PackedByteArray& packet : of.packets) {
        out.documents.push_back(*Document::parse(as_bytes(packet)));
        out.texts.push_back(printed(form.print(std::as_const(out.documents.back()).root())));
        out.counted.bytes += out.texts.back().size();
    }
    return out;
}

void print(benchmark::State& state, const Workload& of, const Form& form) {
    const Texts from = texts_of(of, form);
    Text made;
    run(
        state, from.counted,
        [&](std::size_t i) {
            made = form.print(from.documents[i].root());
            benchmark::DoNotOptimize(made);
        },
        [&](std::size_t i) { return made && *made == from.texts[i]; });
}

void parse(benchmark::State& state, const Workload& of, const Form& form) {
    const Texts from = texts_of(of, form);
    std::expected<Variant, TextError> made;
    run(
        state, from.counted,
        [&](std::size_t i) {
            made = form.parse(from.texts[i]);
            benchmark::DoNotOptimize(made);
        },
        [&](std::size_t i) { return made && (!form.lossless || identical(*made, of.values[i])); });
}

#if __has_include(<rapidjson/document.h>)
void rapidjson_print(benchmark::State& state, const Workload& of) {
    const Texts from = texts_of(of, forms[3]);
    std::vector<rapidjson::Document> documents(from.texts.size());
    for (std::size_t i = 0; i < documents.size(); ++i)
        documents[i].Parse(from.texts[i].data(), from.texts[i].size());
    std::size_t size = 0;
    run(
        state, from.counted,
        [&](std::size_t i) {
            rapidjson::StringBuffer out;
            rapidjson::Writer writer(out);
            documents[i].Accept(writer);
            size = out.GetSize();
            benchmark::DoNotOptimize(out.GetString());
        },
        [&](std::size_t) { return size != 0; });
}
void rapidjson_parse(benchmark::State& state, const Workload& of) {
    const Texts from = texts_of(of, forms[3]);
    bool good = false;
    run(
        state, from.counted,
        [&](std::size_t i) {
            rapidjson::Document made;
            made.Parse(from.texts[i].data(), from.texts[i].size());
            good = !made.HasParseError();
        },
        [&](std::size_t) { return good; });
}
#endif
#if defined(BENCH_SIMDJSON)
void simdjson_parse(benchmark::State& state, const Workload& of) {
    const Texts from = texts_of(of, forms[3]);
    std::vector<simdjson::padded_string> texts(from.texts.begin(), from.texts.end());
    simdjson::dom::parser parser;
    bool good = false;
    run(
        state, from.counted,
        [&](std::size_t i) {
            auto made = parser.parse(texts[i]);
            good = made.error() == simdjson::SUCCESS;
        },
        [&](std::size_t) { return good; });
}
#endif

[[maybe_unused]] const int registered = [] {
    const auto& all = workload_names();
    for (const Form& form : forms) {
        const std::string name = form.name;
        add("print_" + name, all,
            [&form](auto& state, const Workload& of) { print(state, of, form); });
        add("parse_" + name, all,
            [&form](auto& state, const Workload& of) { parse(state, of, form); });
    }
#if __has_include(<rapidjson/document.h>)
    add("print_rapidjson", all, rapidjson_print);
    add("parse_rapidjson", all, rapidjson_parse);
#endif
#if defined(BENCH_SIMDJSON)
    add("parse_simdjson", all, simdjson_parse);
#endif
    return 0;
}();

}  // namespace
}  // namespace gdvar::bench
