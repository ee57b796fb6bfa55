// Real engines read what was rewritten as we do.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/live.hpp"
#include "support/messy_text.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

constexpr std::size_t texts_each = 600;

struct Job {
    std::string kind, text;
    Variant value;
};

/// The text of a random value in a random layout, after a few changes.
std::optional<std::string> rewritten_text(const Named& named, std::uint64_t seed) {
    Random random(seed);
    Maker make(random, named, false);
    Messy messy(random, named);
    messy.print(make(4));
    const auto before = named.kind.read(messy.out);
    if (!before)
        return std::nullopt;
    Variant after = *before;
    auto choose = [&](std::size_t n) { return below(random, n); };
    auto make_small = [&] { return make(1); };
    for (std::uint64_t n = 1 + below(random, 4); n; --n)
        Mutation(choose, make_small).run(after);
    auto made = named.kind.rewritten(messy.out, after);
    if (!made || !*made || **made == messy.out)
        return std::nullopt;
    return **made;
}

/// With floats for ints, as an engine's JSON has them, rounded to what its reader gets right.
Variant as_json(const Variant& value) {
    if (value.is(Type::integer) || value.is(Type::real)) {
        const double number =
            value.is(Type::real) ? value.real() : static_cast<double>(value.integer());
        std::ostringstream out;
        out.precision(14);
        out << number;
        return out.str();
    }
    if (const auto* array = value.get_if<Array>()) {
        Array out;
        for (const Variant& item : *array)
            out.push_back(as_json(item));
        return out;
    }
    if (const auto* pairs = value.get_if<Dictionary>()) {
        Dictionary out;
        for (const auto& pair : *pairs)
            out.append(pair.key, as_json(pair.value));
        return out;
    }
    return value;
}

void engine_reads_rewritten(const char* recording, const Named& named, const char* script,
                            const Dialect& dialect) {
    std::string why;
    const auto live = LiveEngine::find(recording, why);
    if (!live)
        GTEST_SKIP() << why;
    std::vector<Job> jobs;
    for (std::uint64_t seed = 1; jobs.size() < texts_each; ++seed) {
        if (const auto text = rewritten_text(named, seed)) {
            auto value = parse_text(*text, {.family = named.family});
            ASSERT_TRUE(value);
            jobs.push_back({"text", *text, *std::move(value)});
        }
        const Named& json = kinds[0];
        if (const auto text = rewritten_text(json, seed)) {
            // Engines' JSON.parse wants a container.
            auto value = parse_plain_json(*text);
            ASSERT_TRUE(value);
            if (value->is(Type::array) || value->is(Type::dictionary))
                jobs.push_back({"json", *text, *std::move(value)});
        }
    }
    std::string lines;
    for (const Job& job : jobs)
        lines += job.kind + ' ' + hex(as_bytes(job.text)) + '\n';
    std::ofstream(live->folder() / "jobs.txt") << lines;
    live->run(source_dir() / "tests" / "inspect" / script, "%D/");

    std::ifstream results(live->folder() / "results.txt");
    std::size_t compared = 0;
    for (const Job& job : jobs) {
        std::string line;
        ASSERT_TRUE(std::getline(results, line)) << "the engine stopped after " << compared;
        const auto theirs = decode(unhex(line), {.dialect = &dialect});
        ASSERT_TRUE(theirs) << line;
        const bool json = job.kind == "json";
        const bool same =
            json ? identical(as_json(*theirs), as_json(job.value)) : identical(*theirs, job.value);
        EXPECT_TRUE(same) << job.kind << "\n" << job.text << "\n" << *to_text_full(*theirs);
        compared += same;
    }
    std::printf("%s: %zu rewritten texts read as we read them\n", recording, compared);
}

TEST(RewriteLive, Godot323ReadsWhatWasRewritten) {
    engine_reads_rewritten("godot-3.2.3", kinds[3], "rewrite3.gd", dialects::godot_3_1);
}
TEST(RewriteLive, Godot362ReadsWhatWasRewritten) {
    engine_reads_rewritten("godot-3.6.2", kinds[2], "rewrite3.gd", dialects::godot_3_1);
}
TEST(RewriteLive, Godot463ReadsWhatWasRewritten) {
    engine_reads_rewritten("godot-4.6.3", kinds[1], "rewrite4.gd", dialects::godot_4_4);
}

}  // namespace
}  // namespace gdvar::test
