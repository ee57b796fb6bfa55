// Engines load what recover makes of their own damaged saves and texts, and read the same values in
// it as we do.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <set>

#include "gdvar/base/utf8.hpp"
#include "gdvar/file/recover.hpp"
#include "gdvar/gdvar.hpp"
#include "gdvar/save/coding.hpp"
#include "support/damaged_texts.hpp"
#include "support/live.hpp"
#include "support/live_sections.hpp"

namespace gdvar::test {
namespace {

constexpr int cuts_of_each = 20, damages_of_each = 20;

/// The same cuts and damages of a save in each run.
std::vector<std::string> damaged(const std::string& sound, std::uint32_t seed) {
    std::vector<std::string> out;
    for (int i = 1; i <= cuts_of_each; ++i)
        out.push_back(
            sound.substr(0, sound.size() * static_cast<std::size_t>(i) / (cuts_of_each + 1)));
    std::mt19937 random(seed);
    for (int i = 0; i < damages_of_each; ++i)
        out.push_back(random_text_damage(sound, random).text);
    return out;
}

/// How an engine opens a file.
struct Opening {
    std::string kind, argument;
    InputKind document = InputKind::records;
    std::size_t layers = 0;
    std::optional<ContainerKey> key{};
};

/// Packets in place of ints: the numbers of JSON are floats to the engines.
Variant with_floats(const Variant& value) {
    if (value.is(Type::integer))
        return Variant(static_cast<double>(value.integer()));
    if (const Array* array = value.get_if<Array>()) {
        Array out;
        for (const Variant& item : *array)
            out.push_back(with_floats(item));
        return out;
    }
    if (const Dictionary* pairs = value.get_if<Dictionary>()) {
        Dictionary out;
        for (const Dictionary::Pair& pair : *pairs)
            out.set(pair.key, with_floats(pair.value));
        return out;
    }
    return value;
}

/// For messages.
std::string in_text(const Variant& value) {
    return to_text_full(value).value_or("?");
}

/// The classes and paths that a text names in its tags.
std::set<std::string> names_in(const std::string& text) {
    std::set<std::string> out;
    for (const std::string_view name : {" type=\"", " path=\""})
        for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at)) {
            at += name.size();
            out.insert(text.substr(at, text.find('"', at) - at));
        }
    return out;
}

class RecoverLive : public testing::TestWithParam<std::size_t> {
protected:
    void SetUp() override {
        std::string why;
        if (auto engine = LiveEngine::find(recording().engine, why))
            engine_.emplace(*std::move(engine));
        if (!engine_)
            GTEST_SKIP() << why;
    }
    const Recording& recording() const { return recordings[GetParam()]; }
    bool four() const { return recording().family == TextFamily::godot_4; }

    /// Recovers damages of a save, for the engine.
    void add(const std::string& name, const std::string& sound, const Opening& how) {
        std::size_t number = 0;
        for (const std::string& bytes : damaged(sound, static_cast<std::uint32_t>(jobs_.size()))) {
            ++tried_;
            const auto recovery = recover_save(as_bytes(std::string_view(bytes)),
                                               {.key = how.key, .dialect = recording().dialect});
            // A file that a game could not open: too little is left.
            if (!recovery || recovery->kind().seen_as != how.document ||
                recovery->layers().size() != how.layers)
                continue;
            const std::string file = name + std::to_string(number++);
            std::vector<std::byte> written;
            MemoryTarget to(written);
            const auto done = recovery->write(to, how.key ? &*how.key : nullptr);
            ASSERT_TRUE(done) << file << to_string(done.error());
            std::ofstream(engine_->folder() / file, std::ios::binary)
                .write(reinterpret_cast<const char*>(written.data()),
                       static_cast<std::streamsize>(written.size()));
            jobs_ +=
                file + ' ' + how.kind + ' ' + (how.argument.empty() ? "-" : how.argument) + '\n';
            std::vector<Variant>& values = expected_[file];
            if (how.kind == "text") {  // engines round numbers in their own way
                const std::string_view text = detail::as_text(written.data(), written.size());
                const TextLoss nothing = [](std::size_t, std::string_view) {};
                const ParseOptions reading{.family = recording().family, .loss = &nothing};
                values.push_back(parse_text(text, reading).value());
                continue;
            }
            for (const RecoveredItem& item : recovery->items()) {
                auto value = decode(item.packet, {.dialect = &recovery->dialect()});
                ASSERT_TRUE(value) << file;
                const bool json = how.kind == "json" || how.kind == "lines";
                values.push_back(json ? with_floats(*value) : *std::move(value));
            }
        }
    }

    void add_saves() {
        const auto folder = data_dir() / "saves" / recording().engine;
        std::string pass, key;
        for (const Json& line : lines_with(folder / "expected.ndjson", "pass")) {
            pass = line["pass"];
            key = line["key"];
        }
        const auto read = [&](const char* name) { return read_text(folder / name); };
        add("plain", read("plain.save"), {"plain", "little"});
        add("big", read("plain_big_endian.save"), {"plain", "big", InputKind::records_be});
        const char* const modes[] = {"fastlz", "deflate", "zstd", "gzip"};
        for (int i = 0; i < 4; ++i)
            add(modes[i], read(("gcpf_" + std::string(modes[i]) + ".save").c_str()),
                {"gcpf", std::to_string(i), InputKind::records, 1});
        std::string argument = pass;
        for (std::size_t at; (at = argument.find(' ')) != std::string::npos;)
            argument.replace(at, 1, "%20");
        add("pass", read("gdec_pass.save"),
            {"pass", argument, InputKind::records, 1, key_from_password(pass).value()});
        add("key", read("gdec_key.save"),
            {"key", key, InputKind::records, 1, key_from_bytes(as_bytes(key)).value()});
        add("base64", read("base64.txt"), {"base64", "", InputKind::packet, 1});
        for (const TextSave& text : text_saves("json", 3))
            add("json" + std::to_string(jobs_.size()), text.text, {"json", "", InputKind::json});
        for (const TextSave& text : text_saves("json-lines", 2))
            add("lines" + std::to_string(jobs_.size()), text.text,
                {"lines", "", InputKind::json_lines});
        for (const TextSave& text : text_saves(four() ? "text 4" : "text 3", 4))
            if (text.text.find("Object(") == std::string::npos)
                add("text" + std::to_string(jobs_.size()), text.text,
                    {"text", "", InputKind::text});
    }

    std::optional<LiveEngine> engine_;
    std::string jobs_;
    std::map<std::string, std::vector<Variant>> expected_;
    std::size_t tried_ = 0;
};

TEST_P(RecoverLive, EnginesReadTheRecoveredSaves) {
    add_saves();
    std::ofstream(engine_->folder() / "jobs.txt") << jobs_;
    engine_->run(source_dir() / "tests/file/recovery" / (four() ? "recover4.gd" : "recover3.gd"),
                 "%D/");
    const EngineView view(recording(), nullptr);
    std::istringstream results(read_text(engine_->folder() / "results.txt"));
    std::size_t read = 0, values = 0, narrowed = 0;
    for (std::string line; std::getline(results, line); ++read) {
        std::istringstream words(line);
        std::string name, packet;
        words >> name;
        std::vector<std::string> found;
        while (words >> packet)
            found.push_back(packet);
        const std::vector<Variant>& expected = expected_[name];
        ASSERT_EQ(found.size(), expected.size())
            << line << "\n"
            << read_text(engine_->folder() / name).substr(0, 4000);
        for (std::size_t i = 0; i < found.size(); ++i, ++values) {
            const std::string ours = in_text(expected[i]);
            // Engines end Strings at a NUL, and have floats of one width.
            const bool other =
                ours.find("\\u0000") != std::string::npos || ours.find("d(") != std::string::npos;
            narrowed += other;
            EXPECT_TRUE(other || view.same(expected[i], found[i]))
                << name << " #" << i << ": " << ours << "\n"
                << found[i];
        }
    }
    EXPECT_EQ(read, expected_.size()) << read_text(engine_->output());
    std::printf("%s: %zu damages, %zu recovered files loaded, %zu values\n", recording().engine,
                tried_, read, values);
    EXPECT_GE(read * 10, tried_ * 8);
    EXPECT_LE(narrowed * 10, values);
}

TEST_P(RecoverLive, EnginesLoadTheRecoveredTexts) {
    std::vector<SectionsJob> jobs;
    std::size_t tried = 0;
    for (const char* kind : {"config", "resource"}) {
        const char* const family = GetParam() == 0 ? " 4" : GetParam() == 1 ? " 36" : " 32";
        for (const TextSave& save : text_saves(kind + std::string(family), 6))
            for (const std::string& text : damaged(save.text, static_cast<std::uint32_t>(tried))) {
                ++tried;
                const auto recovery =
                    recover_save(as_bytes(std::string_view(text)), {.dialect = save.dialect});
                if (!recovery || recovery->kind().seen_as != save.kind)
                    continue;
                std::vector<std::byte> written;
                MemoryTarget to(written);
                ASSERT_TRUE(recovery->write(to, nullptr));
                const std::string made(detail::as_text(written.data(), written.size()));
                // A class or a file that nobody has is the end of a resource. The jobs are JSON, in
                // which no NUL comes to an engine.
                if (valid_text(made, Utf8Rule::strict) && !made.contains('\0') &&
                    std::ranges::includes(names_in(save.text), names_in(made)))
                    jobs.push_back({save.kind == InputKind::config  ? RecordedText::config
                                    : made.starts_with("[gd_scene") ? RecordedText::scene
                                                                    : RecordedText::resource,
                                    made});
            }
    }
    const auto views = views_of(*engine_, jobs, four());
    ASSERT_EQ(views.size(), jobs.size()) << read_text(engine_->output());
    std::size_t other = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const bool is_config = jobs[i].kind == RecordedText::config;
        EXPECT_TRUE(is_config ? views[i]["e"] == 0 : !views[i]["v"].is_null())
            << jobs[i].text << read_text(engine_->output());
        const SectionsOptions options{.family = recording().family};
        const auto ours =
            is_config ? read_config(jobs[i].text, options) : read_resource(jobs[i].text, options);
        ASSERT_TRUE(ours) << jobs[i].text;
        const bool same = is_same(recording(), jobs[i], ours->value, views[i]);
        // Setters of classes make other values of damaged ones.
        EXPECT_TRUE(same || !is_config) << jobs[i].text << views[i].dump();
        other += !same;
    }
    std::printf(
        "%s: %zu damages, %zu recovered texts loaded, %zu with values that setters changed\n",
        recording().engine, tried, jobs.size(), other);
    EXPECT_GE(jobs.size() * 10, tried * 7);
    EXPECT_LE(other * 4, jobs.size());
}

INSTANTIATE_TEST_SUITE_P(
    Engines, RecoverLive, testing::Range<std::size_t>(0, 3), [](const auto& each) {
        std::string name = recordings[each.param].engine;
        std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
        return name;
    });

}  // namespace
}  // namespace gdvar::test
