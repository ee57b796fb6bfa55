// Changes of a save: the rules, back and forth, saving, searching.
#include <gmock/gmock.h>

#include "support.hpp"
#include "support/generate.hpp"
#include "support/temp_folder.hpp"

namespace gdvar::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Tree::Row row_at(Session& session, std::string_view path) {
    const auto row = session.go_to(path);
    EXPECT_TRUE(row) << path << ": " << row.error();
    return row.value_or(Tree::Row());
}
std::vector<std::byte> bytes_of(const Session& session) {
    return session.save().bytes().value();
}

TEST(Session, GoesToAPath) {
    const auto session =
        session_of_text("{\"a\": [1, {\"b c\": Vector2(1, 2)}], 3: PackedInt32Array(7, 8, 9)}");
    EXPECT_EQ(session->tree().path(row_at(*session, "$.a[1][\"b c\"].x")), "$.a[1][\"b c\"]");
    EXPECT_EQ(session->tree().path(row_at(*session, "$[3][-1]")), "$[3][2]");
    EXPECT_EQ(session->tree().path(row_at(*session, "a[-1]")), "$.a[1]");
    EXPECT_EQ(session->go_to("$.nope").error(), "$: no .nope");
    EXPECT_EQ(session->go_to("#7 $").error(), "there is no such record");
    EXPECT_THAT(session->go_to("$[").error(), HasSubstr("no path"));
}

TEST(Session, TakesReferencesWhereTheTextMayHaveThem) {
    const std::string_view text =
        "[gd_resource type=\"Curve\" format=3]\n\n[sub_resource type=\"Curve\" "
        "id=\"x\"]\n\n[resource]\na = 1\n";
    const auto session = session_of(as_bytes(text), {.allow_objects = true});
    Outcome out = session->set(row_at(*session, "$.resource.a"), "SubResource(\"x\")");
    ASSERT_TRUE(out.allowed) << out.message;
    out = session->set(row_at(*session, "$.resource.a"), "SubResource(\"x\")", *out.allowed);
    EXPECT_TRUE(out.done) << out.message;
    const auto bytes = bytes_of(*session);
    EXPECT_THAT(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                testing::EndsWith("\na = SubResource(\"x\")\n"));
    const auto packet = session_of_text("{\"a\": 1}");
    EXPECT_FALSE(packet->set(row_at(*packet, "$.a"), "SubResource(\"x\")").allowed);
}

TEST(Session, SetsByTheRules) {
    const auto session = session_of_text("{\"hp\": 97, \"name\": \"Ada\", \"x\": 0.5, 7: 1}");
    const auto original = bytes_of(*session);
    Outcome out = session->set(row_at(*session, "$.hp"), "9999");
    EXPECT_TRUE(out.done);
    EXPECT_EQ(out.message, "$.hp: 97 -> 9999");
    EXPECT_TRUE(session->is_changed(row_at(*session, "$.hp")));
    EXPECT_FALSE(session->is_changed(row_at(*session, "$.x")));
    EXPECT_EQ(session->tree().entry(row_at(*session, "$.hp")).value().integer(), 9999);

    out = session->set(row_at(*session, "$.name"), "5");
    EXPECT_FALSE(out.done);
    EXPECT_EQ(out.message, "this is a String, the value is an int");
    ASSERT_TRUE(out.allowed);
    out = session->set(row_at(*session, "$.name"), "5", *out.allowed);
    EXPECT_TRUE(out.done) << out.message;
    EXPECT_EQ(out.message, "$.name: \"Ada\" -> 5");

    EXPECT_TRUE(session->set(row_at(*session, "$.x"), "3").done) << "an int on a float";
    EXPECT_EQ(session->tree().entry(row_at(*session, "$.x")).value().real(), 3.0);
    out = session->set(row_at(*session, "$.x"), "tall");
    EXPECT_FALSE(out.done);
    EXPECT_FALSE(out.allowed);
    EXPECT_THAT(out.message, HasSubstr("in quotes"));
    EXPECT_FALSE(session->set(row_at(*session, "$.x"), "1e999").done);
    EXPECT_TRUE(session->set(row_at(*session, "$.hp"), "9999").done);  // as it is: no step

    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(session->undo().done);
    EXPECT_FALSE(session->undo().done);
    EXPECT_EQ(bytes_of(*session), original);
    EXPECT_FALSE(session->changed());
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(session->redo().done);
    EXPECT_FALSE(session->redo().done);
    EXPECT_EQ(session->tree().entry(row_at(*session, "$.hp")).value().integer(), 9999);
}

TEST(Session, AddsAndErases) {
    const auto session = session_of_text("{\"a\": [1, 2], \"p\": PackedInt32Array(7)}");
    const auto original = bytes_of(*session);
    Tree& tree = session->tree();
    EXPECT_EQ(session->takes(row_at(*session, "$"), true), Session::Takes::key);
    EXPECT_EQ(session->takes(row_at(*session, "$.a"), true), Session::Takes::no_key);
    EXPECT_EQ(session->takes(row_at(*session, "$.a[0]"), true), Session::Takes::nothing);
    EXPECT_EQ(session->takes(row_at(*session, "$.a[0]"), false), Session::Takes::no_key);
    EXPECT_EQ(session->takes(row_at(*session, "$"), false), Session::Takes::nothing);

    EXPECT_EQ(session->add(row_at(*session, "$"), true, "hp", "5").message, "$.hp: added 5");
    EXPECT_EQ(tree.path(session->cursor()), "$.hp");
    EXPECT_FALSE(session->add(row_at(*session, "$"), true, "\"hp\"", "6").done)
        << "is there already";
    EXPECT_TRUE(session->add(row_at(*session, "$"), true, "Vector2i(1, 2)", "\"v\"").done);
    EXPECT_EQ(tree.path(session->cursor()), "$[Vector2i(1, 2)]");
    EXPECT_TRUE(session->add(row_at(*session, "$.a"), true, "", "{}").done);
    EXPECT_EQ(tree.path(session->cursor()), "$.a[2]");
    EXPECT_TRUE(session->add(row_at(*session, "$.p"), true, "", "8").done);
    EXPECT_FALSE(session->add(row_at(*session, "$.p"), true, "", "\"x\"").done);

    EXPECT_EQ(session->erase(row_at(*session, "$.a[0]")).message, "$.a[0]: removed 1");
    EXPECT_EQ(tree.path(session->cursor()), "$.a[0]");
    EXPECT_TRUE(session->is_changed(row_at(*session, "$.a")));
    EXPECT_FALSE(session->erase(row_at(*session, "$.p[0]")).done) << "part of a packed array";
    EXPECT_FALSE(session->erase(row_at(*session, "$")).done) << "the only value";
    while (session->undo().done) {
    }
    EXPECT_EQ(bytes_of(*session), original);
    EXPECT_THAT(rows_of(*session),
                ElementsAre("$", "  .a", "    [0]", "    [1]", "  .p", "    [0]"));
}

TEST(Session, RenamesInPlace) {
    const auto session = session_of_text("{\"a\": 1, \"b\": 2, 3: 4}");
    EXPECT_EQ(session->rename(row_at(*session, "$.a"), "c").message, "$.a: renamed to \"c\"");
    EXPECT_THAT(rows_of(*session), ElementsAre("$", "  .c", "  .b", "  [3]"));
    EXPECT_FALSE(session->rename(row_at(*session, "$.c"), "\"b\"").done);
    EXPECT_TRUE(session->rename(row_at(*session, "$[3]"), "5").done);
    EXPECT_THAT(rows_of(*session), ElementsAre("$", "  .c", "  .b", "  [5]"));
    EXPECT_FALSE(session->rename(row_at(*session, "$"), "x").done);
    EXPECT_TRUE(session->undo().done);
    EXPECT_TRUE(session->undo().done);
    EXPECT_THAT(rows_of(*session), ElementsAre("$", "  .a", "  .b", "  [3]"));
}

TEST(Session, RecordsComeAndGo) {
    const auto original = records_of(
        {packet_of(Variant(1)), packet_of(Variant(Array{2})), packet_of(Variant("three"))});
    const auto session = session_of(original, {.as = InputKind::records});
    Tree& tree = session->tree();
    tree.open(row_at(*session, "#1 $"));
    EXPECT_THAT(rows_of(*session), ElementsAre("#0", "#1", "  [0]", "#2"));
    EXPECT_TRUE(session->erase(row_at(*session, "#0 $")).done);
    EXPECT_THAT(rows_of(*session), ElementsAre("#0", "  [0]", "#1")) << "what is open stays open";
    EXPECT_EQ(tree.entry(row_at(*session, "#0 $[0]")).value().integer(), 2);
    EXPECT_TRUE(session->add(row_at(*session, "#0 $"), false, "", "[4]").done);
    EXPECT_EQ(tree.path(session->cursor()), "#1 $") << "behind the row";
    Outcome whole = session->set(row_at(*session, "#1 $"), "{}");
    ASSERT_TRUE(whole.allowed);
    EXPECT_TRUE(session->set(row_at(*session, "#1 $"), "{}", *whole.allowed).done);
    EXPECT_TRUE(session->is_changed(row_at(*session, "#1 $")));
    while (session->undo().done) {
    }
    EXPECT_EQ(bytes_of(*session), original);
    EXPECT_THAT(rows_of(*session), ElementsAre("#0", "#1", "  [0]", "#2"));
}

TEST(Session, EqualKeysAreToldApart) {
    // {"a": 1, "a": 2}, as no engine writes it
    std::vector<std::byte> packet = packet_of(parse_text_full("{\"a\": 1, \"b\": 2}").value());
    const auto text = std::ranges::find(packet, static_cast<std::byte>('b'));
    *text = static_cast<std::byte>('a');
    const auto session = session_of(packet);
    Tree& tree = session->tree();
    EXPECT_TRUE(session->set(tree.row_at(1), "10").done);
    EXPECT_EQ(tree.entry(tree.row_at(1)).value().integer(), 10);
    EXPECT_EQ(tree.entry(tree.row_at(2)).value().integer(), 2);
    EXPECT_TRUE(session->undo().done);
    EXPECT_EQ(bytes_of(*session), packet) << "comes back with its quirk";
    EXPECT_TRUE(session->erase(tree.row_at(1)).done);
    EXPECT_TRUE(session->undo().done);
    EXPECT_EQ(bytes_of(*session), packet);
}

TEST(Session, AnyChangesCanBeTakenBack) {
    Random random(9);
    std::size_t done = 0;
    for (int round = 0; round < 150; ++round) {
        const auto packet = encode(any_value(random, 4));
        if (!packet)
            continue;
        const std::vector<std::byte> original(as_bytes(*packet).begin(), as_bytes(*packet).end());
        const auto session =
            session_of(records_of({original, packet_of(Variant(1))}), {.as = InputKind::records});
        const auto before = bytes_of(*session);
        Tree& tree = session->tree();
        tree.open_below(tree.row_at(0), 500);
        std::vector<std::vector<std::byte>> states{before};
        for (int i = 0; i < 20; ++i) {
            const Tree::Row row = tree.row_at(below(random, tree.rows()));
            const std::string key = "k" + std::to_string(i);
            Outcome out;
            switch (below(random, 4)) {
                case 0: {
                    out = session->set(row, "12");
                    if (out.allowed)
                        out = session->set(row, "12", *out.allowed);
                    break;
                }
                case 1:
                    out = session->add(row, true, key, "[1, {\"x\": 2}]");
                    break;
                case 2:
                    out = session->erase(row);
                    break;
                default:
                    out = session->rename(row, key);
            }
            if (out.done && bytes_of(*session) != states.back())
                states.push_back(bytes_of(*session));
            std::uint64_t rows = 0;  // the tree holds together
            for (Tree::Row r = tree.row_at(0); r; r = tree.next(r))
                (void)tree.path(r), ++rows;
            ASSERT_EQ(rows, tree.rows());
        }
        done += states.size() - 1;
        for (std::size_t i = states.size(); i-- > 1;) {
            ASSERT_EQ(bytes_of(*session), states[i]);
            ASSERT_TRUE(session->undo().done);
        }
        ASSERT_EQ(bytes_of(*session), before);
        for (std::size_t i = 1; i < states.size(); ++i) {
            ASSERT_TRUE(session->redo().done);
            ASSERT_EQ(bytes_of(*session), states[i]);
        }
    }
    EXPECT_GT(done, 100u);
}

TEST(Session, AddsBehindTheRow) {
    const struct {
        const char *before, *at, *value, *after;
    } cases[] = {
        {"[1, \"two\", [3]]", "$[0]", "{\"a\": 1}", "[1, {\"a\": 1}, \"two\", [3]]"},
        {"[1, \"two\", [3]]", "$[1]", "5", "[1, \"two\", 5, [3]]"},
        {"[1, \"two\", [3]]", "$[2]", "5", "[1, \"two\", [3], 5]"},
        {"{\"a\": Array[int]([1, 2])}", "$.a[0]", "5", "{\"a\": Array[int]([1, 5, 2])}"},
        {"PackedByteArray(1, 2, 3)", "$[1]", "9", "PackedByteArray(1, 2, 9, 3)"},
        {"PackedStringArray(\"a\", \"long text\")", "$[0]", "\"c\"",
         "PackedStringArray(\"a\", \"c\", \"long text\")"},
        {"PackedVector2Array(1, 2, 3, 4)", "$[0]", "Vector2(5, 6)",
         "PackedVector2Array(1, 2, 5, 6, 3, 4)"},
    };
    for (const auto& [before, at, value, after] : cases) {
        const auto session = session_of_text(before);
        const auto original = bytes_of(*session);
        const auto row = session->go_to(at);
        ASSERT_TRUE(row) << row.error();
        const Outcome done = session->add(*row, false, "", value);
        EXPECT_TRUE(done.done) << done.message;
        EXPECT_EQ(bytes_of(*session), packet_of(parse_text_full(after).value())) << after;
        const auto next = std::string(at).substr(0, std::string(at).rfind('['));
        EXPECT_THAT(done.message, testing::StartsWith(next));
        EXPECT_TRUE(session->undo().done);
        EXPECT_EQ(bytes_of(*session), original);
        EXPECT_TRUE(session->redo().done);
        EXPECT_EQ(bytes_of(*session), packet_of(parse_text_full(after).value())) << after;
    }
    // A text keeps all that is around the new value.
    auto save = read_save(as_bytes(std::string_view("{\"list\": [1,   2] }\n")), {});
    ASSERT_TRUE(save);
    const DecodeOptions decoding{.dialect = &save->dialect(), .allow_objects = true};
    Session session(*std::move(save), {.has_offsets = false}, decoding);
    EXPECT_TRUE(session.add(*session.go_to("$.list[0]"), false, "", "7").done);
    const auto written = session.save().bytes();
    ASSERT_TRUE(written);
    EXPECT_EQ(gdvar::detail::as_text(written->data(), written->size()),
              "{\"list\": [1,   7,   2] }\n");
}

TEST(Session, ReadOnlySaysWhy) {
    auto save = read_save(packet_of(Variant(Array{1})), {.dialect = &dialects::godot_4_4});
    Session session(*std::move(save), {.read_only = "the file is broken"},
                    {.dialect = &dialects::godot_4_4});
    for (const Outcome& out :
         {session.set(session.tree().row_at(1), "2"), session.erase(session.tree().row_at(1)),
          session.add(session.tree().row_at(0), true, "", "2"),
          session.rename(session.tree().row_at(1), "x")}) {
        EXPECT_FALSE(out.done);
        EXPECT_EQ(out.message, "nothing can be changed: the file is broken");
    }
}

TEST(Session, ATextTakesWhatItCanHold) {
    const std::string_view text = "{\"hp\": 97, \"list\": [1, 2]}\n";
    auto save = read_save(as_bytes(text), {});
    ASSERT_TRUE(save) << to_string(save.error());
    const DecodeOptions decoding{.dialect = &save->dialect(), .allow_objects = true};
    Session session(*std::move(save), {.has_offsets = false}, decoding);
    for (const char* value : {"98", "Vector2(1, 2)", "\"x\"", "[Vector2(1, 2)]"})
        for (const char* path : {"$.hp", "$.list[0]"}) {
            const auto before = bytes_of(session);
            Outcome out = session.set(row_at(session, path), value);
            if (out.allowed)
                out = session.set(row_at(session, path), value, *out.allowed);
            ASSERT_TRUE(session.save().bytes()) << "whatever was changed can be written";
            EXPECT_EQ(out.done, bytes_of(session) != before) << path << ' ' << value;
            EXPECT_EQ(rows_of(session).front(), "$");
        }
    const bool erased = session.erase(row_at(session, "$.list[1]")).done;
    EXPECT_EQ(session.tree().can_open(row_at(session, "$.list")), true);
    ASSERT_TRUE(session.save().bytes());
    if (erased) {
        EXPECT_TRUE(session.undo().done);
    }
}

// ---- search

std::vector<std::string> found(Session& session, const std::string& text, bool backwards) {
    std::vector<std::string> out;
    Ordinals from = session.tree().ordinals(session.tree().row_at(0));
    for (int i = 0; i < 20; ++i) {
        Search search = session.search(text, backwards, from, false);
        Search::State state{};
        while ((state = search.step(1)) == Search::State::running) {
        }
        if (state == Search::State::nothing || search.around())
            return out;
        from = search.place();
        session.select_place(from);
        out.push_back(session.tree().path(session.cursor()));
    }
    return out;
}

TEST(Search, FindsKeysAndValues) {
    const auto session = session_of_text(
        "{\"Name\": \"x\", \"list\": [1, \"the name\", {\"deep\": &\"NAME\"}], \"n\": 512,"
        " \"s\": PackedStringArray(\"a\", \"rename\"), Vector2i(5, 1): 0.25}");
    EXPECT_THAT(found(*session, "name", false),
                ElementsAre("$.Name", "$.list[1]", "$.list[2].deep", "$.s[1]"));
    EXPECT_THAT(found(*session, "51", false), ElementsAre("$.n"));
    EXPECT_THAT(found(*session, "0.25", false), ElementsAre("$[Vector2i(5, 1)]"));
    EXPECT_THAT(found(*session, "Vector2i", false), ElementsAre("$[Vector2i(5, 1)]"));
    EXPECT_THAT(found(*session, "nothing of this", false), ElementsAre());
    EXPECT_THAT(found(*session, "", false), ElementsAre());
}

TEST(Search, GoesBothWaysAroundTheEnd) {
    const auto session =
        session_of(records_of({packet_of(Variant(Array{"hit", 1})), packet_of(Variant("hit")),
                               packet_of(Variant(Array{2, "hit"}))}),
                   {.as = InputKind::records});
    const auto next = [&](const Ordinals& from, bool backwards, bool here = false) {
        Search search = session->search("hit", backwards, from, here);
        Search::State state{};
        while ((state = search.step(2)) == Search::State::running) {
        }
        EXPECT_EQ(state, Search::State::found);
        return std::pair(search.place(), search.around());
    };
    EXPECT_EQ(next({0}, false), std::pair(Ordinals({0, 0}), false));
    EXPECT_EQ(next({0, 0}, false), std::pair(Ordinals({1}), false));
    EXPECT_EQ(next({1}, false, true), std::pair(Ordinals({1}), false));
    EXPECT_EQ(next({2, 1}, false), std::pair(Ordinals({0, 0}), true));
    EXPECT_EQ(next({2, 0}, true), std::pair(Ordinals({1}), false));
    EXPECT_EQ(next({2, 1}, true), std::pair(Ordinals({1}), false));
    EXPECT_EQ(next({0, 0}, true), std::pair(Ordinals({2, 1}), true));
    EXPECT_EQ(next({0}, true), std::pair(Ordinals({2, 1}), true));
}

// ---- files

using SessionFiles = TempFolder;

TEST_F(SessionFiles, EverySaveIsWrittenAsItWas) {
    for (const char* name : {"plain.save", "gcpf_zstd.save", "gdec_pass.save", "base64.txt"}) {
        SCOPED_TRACE(name);
        const auto original = read_bytes(data_dir() / "saves/godot-4.6.3" / name);
        const std::string path = put("save", original);
        SaveOptions how{};
        how.key = key_from_password("correct horse 1").value();
        auto save = open_save(path, how);
        ASSERT_TRUE(save) << to_string(save.error());
        Session session(*std::move(save), {}, {.dialect = &dialects::godot_4_4});
        const bool records = session.save().kind().several;
        const auto row = row_at(session, records ? "#0 $.players[3].hp" : "$.players[3].hp");
        ASSERT_TRUE(session.set(row, "9999").done);
        EXPECT_TRUE(session.changed());
        ASSERT_TRUE(session.write(this->at("old")));
        EXPECT_FALSE(session.changed());
        EXPECT_EQ(read_bytes(this->at("old")), original);
        ASSERT_TRUE(session.undo().done);
        EXPECT_TRUE(session.changed());
        ASSERT_TRUE(session.write(""));
        if (std::string_view(name).starts_with("plain")) {
            EXPECT_EQ(read_bytes(path), original);
        }
        ASSERT_TRUE(session.write_to(this->at("copy")));
        how.lock = true;
        EXPECT_TRUE(open_save(this->at("copy"), how));
    }
}

}  // namespace
}  // namespace gdvar::test
