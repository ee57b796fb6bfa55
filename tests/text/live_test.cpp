// Real engines read our text, our JSON, and damaged text, and read the same as we do.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <set>

#include "gdvar/json/json.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"
#include "support/generate.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

namespace fs = std::filesystem;

struct Job {
    std::string kind, text;
};

struct Engine {
    Recording recording;
    fs::path root;
    const char* script;
    std::string command;  ///< with %D for the folder as the engine sees it
};

std::optional<Engine> engine_323() {
    const char* program = "/usr/bin/godot3-server";
    if (::access(program, X_OK) != 0)
        return std::nullopt;
    return Engine{recordings[2], "/", "live3.gd",
                  std::string(program) + " --no-window -s %D/script.gd %D/"};
}
std::optional<Engine> engine_362() {
    const auto root = engines_dir();
    if (!root || ::geteuid() != 0)
        return std::nullopt;
    return Engine{recordings[1], *root, "live3.gd",
                  "chroot " + root->string() + " godot3-server --no-window -s %D/script.gd %D/"};
}
std::optional<Engine> engine_463() {
    const auto root = engines_dir();
    if (!root || ::geteuid() != 0)
        return std::nullopt;
    return Engine{recordings[0], *root, "live4.gd",
                  "chroot " + root->string() + " godot --headless -s %D/script.gd -- %D/"};
}

/// The engine's result of each job.
std::vector<Variant> ask(const Engine& engine, const std::vector<Job>& jobs) {
    std::string folder = (engine.root / "tmp" / "gdvar-live-XXXXXX").string();
    if (!::mkdtemp(folder.data()))
        throw std::runtime_error("no folder");
    fs::copy_file(source_dir() / "tests" / "text" / engine.script, folder + "/script.gd");
    std::string lines;
    for (const Job& job : jobs)
        lines += job.kind + ' ' + hex(as_bytes(job.text)) + '\n';
    std::ofstream(folder + "/jobs.txt") << lines;
    const std::string root = engine.root == "/" ? "" : engine.root.string();
    const std::string seen = folder.substr(root.size());
    std::string command = engine.command;
    for (std::size_t place; (place = command.find("%D")) != std::string::npos;)
        command.replace(place, 2, seen);
    (void)!std::system(
        ("cd " + folder + " && HOME=" + seen + " timeout 300 " + command + " >/dev/null 2>&1")
            .c_str());
    std::vector<Variant> out;
    if (fs::exists(folder + "/results.txt")) {
        std::istringstream results(read_text(folder + "/results.txt"));
        for (std::string line; std::getline(results, line);)
            out.push_back(
                decode(unhex(line), reading(*engine.recording.dialect)).value_or("?" + line));
    }
    fs::remove_all(folder);
    return out;
}

/// Text that would make an engine instantiate or load something, or name a class.
bool only_for_engines(const std::string& text) {
    for (const char* part : {"Object", "Resource", "Array[", "Dictionary["})
        if (text.find(part) != text.npos)
            return true;
    return false;
}

std::string damaged(std::string text, Random& random) {
    const char* pieces[] = {"(",    ")",       "[",       "]",      "{",   "}",    ",",   ":",
                            "\"",   "\\",      ";",       "&",      "@\"", "#f0f", "-",   "+",
                            ".",    "e",       "0",       "9",      "_",   " ",    "\n",  "null",
                            "true", "inf_neg", "nan",     "Color(", "é",   "1e5",  "0x1", "\\u00e9",
                            "nil",  "\\ud83d", "\\udc7e", "-inf",   "1.",  "E3",   "::",  "/"};
    for (std::uint64_t n = 1 + below(random, 2); n; --n) {
        std::size_t at = below(random, text.size() + 1);
        if (below(random, 4) == 0)
            text.erase(std::min(at, text.size()), 1);
        else
            text.insert(at, pieces[below(random, std::size(pieces))]);
    }
    return text;
}

/// Every name with every number of arguments, and what no recording has.
std::vector<std::string> corner_cases() {
    std::vector<std::string> out;
    for (const char* name : {"Vector2",
                             "Vector2i",
                             "Rect2",
                             "Rect2i",
                             "Vector3",
                             "Vector3i",
                             "Vector4",
                             "Vector4i",
                             "Transform2D",
                             "Matrix32",
                             "Plane",
                             "Quaternion",
                             "Quat",
                             "AABB",
                             "Rect3",
                             "Basis",
                             "Matrix3",
                             "Transform3D",
                             "Transform",
                             "Projection",
                             "Color",
                             "NodePath",
                             "RID",
                             "Callable",
                             "PackedByteArray",
                             "PoolByteArray",
                             "ByteArray",
                             "PackedInt32Array",
                             "PackedIntArray",
                             "PoolIntArray",
                             "IntArray",
                             "PackedInt64Array",
                             "PackedFloat32Array",
                             "PackedRealArray",
                             "PoolRealArray",
                             "FloatArray",
                             "PackedFloat64Array",
                             "PackedStringArray",
                             "PoolStringArray",
                             "StringArray",
                             "PackedVector2Array",
                             "PoolVector2Array",
                             "Vector2Array",
                             "PackedVector3Array",
                             "PoolVector3Array",
                             "Vector3Array",
                             "PackedVector4Array",
                             "PoolVector4Array",
                             "Vector4Array",
                             "PackedColorArray",
                             "PoolColorArray",
                             "ColorArray",
                             "PoolVector2iArray",
                             "Vector5"})
        for (const int count : {0, 1, 2, 3, 4, 6, 9, 12, 16}) {
            std::string text = std::string(name) + "(";
            for (int i = 0; i < count; ++i)
                text += (i ? ", " : "") + std::to_string(i + 1);
            out.push_back(text + ")");
        }
    for (const char* text : {"inf_neg",
                             "-inf",
                             "nan",
                             "nil",
                             "RID(1.5)",
                             "#fff x",
                             "#f0f8 x",
                             "#ff00ff80 x",
                             "#12345678 x",
                             "#1234567 x",
                             "\"a\\u0000b\"",
                             "\"\\Uffffff\"",
                             "\"\\ud800\"",
                             "\"\\ud83d\\udc7e\"",
                             "\"\\udc7e\"",
                             "\"\\ud83dx\"",
                             "\"\\ud83d\\n\"",
                             "\"\\ud83d\\ud83d\\udc7e\"",
                             "\"a\\qb\"",
                             "\"\\é\"",
                             "1E5",
                             "1e",
                             "1.5e",
                             "1.5e+",
                             "0e511",
                             "1e400",
                             "-1e-400",
                             "123456789012345678901234567890.5e-20",
                             "0.1234567890123456789012345",
                             "-",
                             "-x",
                             "- 1",
                             "--1",
                             "1-1",
                             "1.2.3",
                             "PackedByteArray(\"YWJj\")",
                             "PoolByteArray(\"YWI\")",
                             "PackedByteArray(\"YWI=\")",
                             "PackedByteArray(\"Y W I=\")",
                             "PackedByteArray(1.7, -1, 300, 1e300, 4000000000.0)",
                             "PoolByteArray(1.7, -1, 300, 1e300, 4000000000.0, inf)",
                             "PoolIntArray(1.7, -1, 3000000000, 3000000000.0, -3000000000.0, nan)",
                             "Vector2(inf, nan)",
                             "PoolIntArray(3000000000, -1.5)",
                             "PackedInt64Array(1e30, -1e30, 1.5, nan)",
                             "Array[Nil]([1])",
                             "Array[Variant]([1])",
                             "Array[NodePath]([\"a\"])",
                             "Array[StringName]([\"a\", &\"b\"])",
                             "Array[bool]([1, 0.5])",
                             "Array[int]([true, 1.9])",
                             "Array[float]([true, 1])",
                             "Array[Vector2]([Vector2i(1, 2)])",
                             "Array[Vector2i]([Vector2(1.7, -2.2)])",
                             "Array[Rect2]([Rect2i(1, 2, 3, 4)])",
                             "Array[int]([null])",
                             "Array[int]([\"1\"])",
                             "Array[String]([NodePath(\"a/b\")])",
                             "Dictionary[String, int]({1: 2})",
                             "Dictionary[int, int]({1.5: 2, 1: 3})",
                             "{\"a\": 1, &\"a\": 2}",
                             "{1: 1, 1.0: 2}",
                             "{nan: 1, nan: 2}",
                             "{0.0: 1, -0.0: 2}",
                             "{[1]: 1, [1]: 2, [1.0]: 3}",
                             "@\"abc\"",
                             "&\"abc\"",
                             "& \"abc\"",
                             "[,1]",
                             "[1,]",
                             "[1,,2]",
                             "{,}",
                             "{1:2,}",
                             "{1:}",
                             "{1}",
                             "Vector2(1,)",
                             "Vector2(1,2,)",
                             "Vector2(,1)",
                             "PackedStringArray(\"a\",)",
                             "PackedStringArray(,)",
                             "PoolStringArray(&\"a\")",
                             "[1;c\n]",
                             ";c\n1",
                             ";c",
                             "",
                             " ",
                             "Signal(\"a\", 1)",
                             "Callable(1)",
                             "NodePath(\"a//b::c\")",
                             "NodePath(\"a:\")",
                             "NodePath(\":\")",
                             "NodePath(\"/\")",
                             "NodePath(\"//\")",
                             "NodePath(\"a/:b\")",
                             "NodePath(&\"a\")",
                             "NodePath()",
                             "true1",
                             "TRUE",
                             "null2",
                             "_",
                             "a.b",
                             "[[[]]]",
                             "=",
                             ".5",
                             "+1",
                             "0x10",
                             "1_000",
                             "\"a\nb\"",
                             "'a'",
                             "\"a",
                             "[\"a]"})
        out.push_back(text);
    return out;
}

/// A text is read as we read it, or refused as we refuse it.
void compare_texts(const std::optional<Engine>& engine) {
    if (!engine)
        GTEST_SKIP() << "no such engine, or no right to enter its tree";
    const TextFamily family = engine->recording.family;
    std::vector<Job> jobs;
    Random random(20260);
    for (const std::string& text : corner_cases())
        jobs.push_back({"text", text});
    for (const Vector& vector : vectors_of(engine->recording)) {
        const auto value = decode(vector.bytes, reading(*engine->recording.dialect));
        const std::string text = *to_text(*value, family);
        if (text.find("Object(") != text.npos || text.find("Resource") != text.npos)
            continue;
        jobs.push_back({"text", text});
        if (only_for_engines(text) || text.size() > 400)
            continue;
        for (int i = 0; i < 6; ++i) {
            std::string other = damaged(text, random);
            // Text that is not UTF-8 any more does not reach the engine as it is.
            if (valid_text(other, Utf8Rule::strict))
                jobs.push_back({"text", std::move(other)});
        }
    }
    const std::vector<Variant> theirs = ask(*engine, jobs);
    ASSERT_EQ(theirs.size(), jobs.size());
    std::size_t read_by_both = 0, refused_by_both = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        auto ours = parse_text(jobs[i].text, {.family = family, .tolerant = true});
        if (!ours) {
            const Variant refusal =
                family == TextFamily::godot_4 ? Variant() : Variant(jobs[i].text);
            EXPECT_TRUE(identical(theirs[i], refusal))
                << jobs[i].text << "\n  engine " << *to_text_full(theirs[i]) << "\n  ours "
                << to_string(ours.error());
            ++refused_by_both;
            continue;
        }
        const auto packet = encode(*ours, {.dialect = engine->recording.dialect});
        ASSERT_TRUE(packet) << jobs[i].text;
        const Variant sent = *decode(as_bytes(*packet), reading(*engine->recording.dialect));
        // Containers of a class are sent as containers of ids.
        std::string seen = *to_text_full(sent);
        const std::string classes[] = {"\"Node\"", "\"Resource\""};
        for (const std::string& name : classes)
            for (std::size_t at; (at = seen.find(name)) != seen.npos && seen.find("Array[") == 0;)
                seen.replace(at, name.size(), "\"EncodedObjectAsID\"");
        EXPECT_TRUE(identical(sent, theirs[i]) || seen == *to_text_full(theirs[i]))
            << jobs[i].text << "\n  engine " << *to_text_full(theirs[i]) << "\n  ours " << seen;
        ++read_by_both;
    }
    EXPECT_GT(read_by_both, 500u);
    EXPECT_GT(refused_by_both, 300u);
}

TEST(LiveText, Godot323) {
    compare_texts(engine_323());
}
TEST(LiveText, Godot362) {
    compare_texts(engine_362());
}
TEST(LiveText, Godot463) {
    compare_texts(engine_463());
}

/// Keys whose order the engines decide by odd comparisons. No two are equal to an engine, and none
/// goes by an address there.
Variant odd_key(Random& random, TextFamily family, int depth = 2) {
    const bool modern = family == TextFamily::godot_4;
    const auto near = [&] { return 1 + static_cast<float>(below(random, 40)) * 1e-6f; };
    switch (below(random, depth > 0 ? 14 : 8)) {
        case 0:
            return static_cast<std::int64_t>(below(random, 6));
        case 1:
            return 0.5 + static_cast<double>(below(random, 6));
        case 2:
            return "\xEF\xBB\xBF\xEF\xBB\xBF" + std::to_string(below(random, 30));
        case 3:
            return std::string("x\0y", 1) + std::to_string(below(random, 30));
        case 4:
            return Vector2{near(), near()};
        case 5:
            return Vector3{near(), near(), near()};
        case 6:
            return modern ? Variant(RID{random() >> below(random, 2)}) : Variant(7);
        case 7:
            return NodePath("a" + std::to_string(below(random, 9)));
        case 8:
            // Arrays of one size: Godot 3 compares what lies behind the end of a shorter one, too.
            return PackedInt32Array{static_cast<std::int32_t>(below(random, 5)),
                                    static_cast<std::int32_t>(below(random, 5))};
        case 9:
            return PackedFloat32Array{near(), near()};
        default: {
            Array out;
            for (std::uint64_t n = below(random, 4); n; --n)
                out.push_back(odd_key(random, family, depth - 1));
            return out;
        }
    }
}

/// An engine prints a packet as we do.
void compare_printing(const std::optional<Engine>& engine) {
    if (!engine)
        GTEST_SKIP() << "no such engine, or no right to enter its tree";
    const TextFamily family = engine->recording.family;
    std::vector<Job> jobs;
    Random random(77);
    for (int i = 0; i < 600; ++i) {
        Dictionary pairs;
        std::set<std::string> seen;
        for (std::uint64_t n = 2 + below(random, i % 10 ? 12 : 60); n; --n) {
            Variant key = odd_key(random, family);
            if (seen.insert(*to_text_full(key)).second)
                pairs.append(std::move(key), static_cast<std::int64_t>(n));
        }
        const auto packet = encode(Variant(pairs), {.dialect = engine->recording.dialect});
        ASSERT_TRUE(packet);
        jobs.push_back(
            {"print", std::string(reinterpret_cast<const char*>(packet->data()), packet->size())});
    }
    const std::vector<Variant> theirs = ask(*engine, jobs);
    ASSERT_EQ(theirs.size(), jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const ByteView packet = as_bytes(jobs[i].text);
        const auto document = Document::parse(packet, reading(*engine->recording.dialect));
        ASSERT_TRUE(document);
        EXPECT_EQ(theirs[i].text(), *to_text(document->root(), family)) << hex(packet);
        EXPECT_EQ(theirs[i].text(),
                  *to_text(*decode(packet, reading(*engine->recording.dialect)), family));
    }
}

TEST(LivePrinting, Godot323) {
    compare_printing(engine_323());
}
TEST(LivePrinting, Godot362) {
    compare_printing(engine_362());
}
TEST(LivePrinting, Godot463) {
    compare_printing(engine_463());
}

/// Values that JSON.to_native gives back at all: it knows no ids, takes objects and containers of
/// objects only when told to, reads null in packed arrays as 0, and INT64_MAX in them as INT64_MIN.
bool survives_native(const Vector& vector) {
    const std::string text = *to_text_full(*decode(vector.bytes, reading(dialects::godot_4_4)));
    for (const char* part : {"Object(", "Array[\"", "Dictionary[\"", "\"](", "Signal(", "RID("})
        if (text.find(part) != text.npos)
            return false;
    const bool packed = text.find("Packed") != text.npos;
    return !packed || (text.find("nan") == text.npos && vector.name != "packed_int64");
}

/// Numbers by their first twelve digits: the engine's reading of decimal digits is off by a few
/// bits, and integers in packed arrays pass through double there.
std::string rounded(const Variant& value) {
    const std::string text = *to_text_full(value);
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && std::string_view("0123456789.e+-").find(text[end]) != text.npos)
            ++end;
        const std::string token = text.substr(i, end - i);
        if (token.size() > 12) {
            char digits[40];
            std::snprintf(digits, sizeof digits, "%.12g", std::strtod(token.c_str(), nullptr));
            out += digits;
        } else {
            out += end > i ? token : text.substr(i, 1);
        }
        i = end > i ? end : i + 1;
    }
    return out;
}

TEST(LiveJson, Godot463AcceptsOurTypedJson) {
    const auto engine = engine_463();
    if (!engine)
        GTEST_SKIP() << "no such engine, or no right to enter its tree";
    std::vector<Job> jobs;
    std::vector<Variant> values;
    for (const Vector& vector : vectors_of(engine->recording)) {
        if (!survives_native(vector))
            continue;
        values.push_back(*decode(vector.bytes, reading(dialects::godot_4_4)));
        jobs.push_back({"json", *to_json(values.back())});
    }
    const std::vector<Variant> theirs = ask(*engine, jobs);
    ASSERT_EQ(theirs.size(), jobs.size());
    std::size_t same = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (identical(theirs[i], values[i])) {
            ++same;
            continue;
        }
        EXPECT_EQ(rounded(theirs[i]), rounded(values[i])) << jobs[i].text;
    }
    EXPECT_GT(same, 300u);
    RecordProperty("same", static_cast<int>(same));
}

TEST(LiveJson, FloatsSurviveWhereTheEnginesOwnDigitsDo) {
    const auto engine = engine_463();
    if (!engine)
        GTEST_SKIP() << "no such engine, or no right to enter its tree";
    Random random(463);
    std::vector<Job> jobs;
    std::vector<double> values;
    constexpr std::size_t row = 100;
    for (int i = 0; i < 1000; ++i) {
        Array floats;
        for (std::size_t k = 0; k < row; ++k) {
            const double decimal = static_cast<double>(static_cast<std::int64_t>(random()) >> 30);
            const double choices[] = {decimal / 1000, decimal / 1e7, any_real(random),
                                      static_cast<double>(random() >> 3),
                                      static_cast<double>(random() >> 11) * 0x1p-53};
            double value = choices[below(random, std::size(choices))];
            if (value - value != 0)
                value = 0.5;
            values.push_back(value);
            floats.push_back(value);
        }
        const auto packet = *encode(Variant(floats));
        jobs.push_back(
            {"native", std::string(reinterpret_cast<const char*>(packet.data()), packet.size())});
        jobs.push_back({"json", *to_json(Variant(floats))});
    }
    const std::vector<Variant> read = ask(*engine, jobs);
    ASSERT_EQ(read.size(), jobs.size());
    std::size_t theirs = 0, ours = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double by_engine = read[i / row * 2][i % row].get<double>().value();
        const double by_us = read[i / row * 2 + 1][i % row].get<double>().value();
        EXPECT_TRUE(by_us == values[i] || by_engine != values[i]) << *to_json(values[i]);
        theirs += by_engine == values[i];
        ours += by_us == values[i];
    }
    std::printf("%zu floats: %zu survive in the engine's digits, %zu in ours\n", values.size(),
                theirs, ours);
    EXPECT_GT(ours, values.size() * 95 / 100);
}

}  // namespace
}  // namespace gdvar::test
