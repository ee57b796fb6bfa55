// Keys and what they show, on a canvas.
#include "browse/browser.hpp"

#include <gmock/gmock.h>

#include "browse/bytes.hpp"
#include "session/support.hpp"
#include "support/generate.hpp"
#include "support/temp_folder.hpp"

namespace gdvar::test {
namespace {

using namespace app::browse;

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A browser and the screen that it draws on.
struct Played {
    std::unique_ptr<Session> session;
    Browser browser;
    int width, height;

    explicit Played(std::unique_ptr<Session> of, int columns = 100, int lines = 24)
        : session(std::move(of)),
          browser(*session, "/nowhere/memory", ""),
          width(columns),
          height(lines) {}
    explicit Played(std::string_view text) : Played(session_of_text(text)) {}

    Played& key(Key key) {
        browser.key(key);
        for (int i = 0; browser.busy() && i < 1000; ++i)
            browser.work();
        (void)lines();
        return *this;
    }
    Played& type(std::string_view text) {
        for (const char c : text)
            key(Key::of(static_cast<unsigned char>(c)));
        return *this;
    }
    Played& enter() { return key({.name = Key::enter}); }
    Played& escape() { return key({.name = Key::escape}); }
    std::vector<std::string> lines() {
        Canvas canvas(width, height);
        browser.draw(canvas);
        std::vector<std::string> out;
        for (int y = 0; y < canvas.height(); ++y)
            out.push_back(canvas.line(y));
        return out;
    }
    std::string screen() {
        std::string out;
        for (const std::string& line : lines())
            out += line + '\n';
        return out;
    }
    std::string line_from_bottom(int n) {
        return lines()[static_cast<std::size_t>(height - 1 - n)];
    }
};

TEST(Browse, ShowsHowToGoOn) {
    Played p("{\"hp\": 5}");
    EXPECT_THAT(p.line_from_bottom(0),
                StartsWith(" Enter close  q quit  ? help  / search  s save  u undo  a add"));
    EXPECT_THAT(p.key({.name = Key::down}).line_from_bottom(0), StartsWith(" Enter edit  q quit"));
    EXPECT_THAT(p.type("x").line_from_bottom(1), HasSubstr("? shows what the keys do"));
    EXPECT_THAT(p.type("?").screen(), HasSubstr("takes a change back; makes it again"));
    EXPECT_THAT(p.type("x").screen(), HasSubstr(".hp int 5"));
    p.width = 30;
    EXPECT_EQ(p.line_from_bottom(0), " Enter edit  q quit  ? help");
}

TEST(Browse, EditsUndoesAndQuits) {
    Played p("{\"hp\": 97, \"name\": \"Ada\"}");
    p.key({.name = Key::down}).enter();
    EXPECT_EQ(p.line_from_bottom(1), " .hp = 97");
    ASSERT_TRUE(p.browser.caret());
    EXPECT_EQ(p.browser.caret()->x, 9);
    p.key(Key::with_control('u')).type("\"x\"").enter();
    EXPECT_EQ(p.line_from_bottom(1),
              " this is an int, the value is a String. Put it there all the same?");
    EXPECT_EQ(p.line_from_bottom(0), " y yes  n no");
    p.type("n");
    EXPECT_EQ(p.line_from_bottom(1), " .hp = \"x\"") << "the text is still there";
    p.key(Key::with_control('u')).type("oops").enter();
    EXPECT_THAT(p.line_from_bottom(3), HasSubstr("error[")) << "above the line that is typed";
    EXPECT_THAT(p.line_from_bottom(2), HasSubstr("written in quotes"));
    p.key(Key::with_control('u')).type("98").enter();
    EXPECT_EQ(p.line_from_bottom(1), " $.hp: 97 -> 98");
    EXPECT_THAT(p.lines()[0], HasSubstr("1 change not saved"));
    EXPECT_THAT(p.lines()[2], StartsWith("*    .hp int 98"));
    p.type("q");
    EXPECT_EQ(p.line_from_bottom(1), " One change is not saved.");
    EXPECT_FALSE(p.browser.done());
    p.escape().type("u");
    EXPECT_THAT(p.lines()[0], Not(HasSubstr("not saved")));
    p.key(Key::with_control('r'));
    EXPECT_THAT(p.lines()[0], HasSubstr("1 change not saved"));
    p.type("qd");
    EXPECT_TRUE(p.browser.done());
}

TEST(Browse, AnotherTypeAfterAQuestion) {
    Played p("[1]");
    p.key({.name = Key::down})
        .type("e")
        .key(Key::with_control('u'))
        .type("\"x\"")
        .enter()
        .type("y");
    EXPECT_EQ(p.line_from_bottom(1), " $[0]: 1 -> \"x\"");
}

TEST(Browse, AddsWhereTheCursorIs) {
    Played p("{\"list\": [1]}");
    p.key({.name = Key::down}).type("a").type("5").enter();
    EXPECT_EQ(p.line_from_bottom(1), " $.list[1]: added 5");
    p.type("a").type("6").enter();  // in an int: beside it
    EXPECT_EQ(p.line_from_bottom(1), " $.list[2]: added 6");
    p.key({.name = Key::left}).type("A").type("hp").enter().type("7").enter();
    EXPECT_EQ(p.line_from_bottom(1), " $.hp: added 7");
    p.type("r").key(Key::with_control('u')).type("mp").enter();
    EXPECT_EQ(p.line_from_bottom(1), " $.hp: renamed to \"mp\"");
    p.key({.name = Key::del});
    EXPECT_EQ(p.line_from_bottom(1), " $.mp: removed 7");
}

TEST(Browse, SearchesWhileTyping) {
    Played p("{\"a\": {\"deep\": [1, \"needle\"]}, \"needles\": 2}");
    p.type("/need");
    EXPECT_THAT(p.line_from_bottom(2), StartsWith(" $.a.deep[1] "));
    p.type("les");
    EXPECT_THAT(p.line_from_bottom(2), StartsWith(" $.needles "));
    p.type("x");
    EXPECT_EQ(p.line_from_bottom(2), " not found") << "above the line that is typed";
    p.escape();
    EXPECT_THAT(p.line_from_bottom(2), StartsWith(" $ ")) << "back where it began";
    p.type("/needle").enter();
    p.type("n");
    EXPECT_THAT(p.line_from_bottom(2), StartsWith(" $.needles "));
    p.type("n");
    EXPECT_THAT(p.line_from_bottom(1), HasSubstr("around the end"));
    p.type("N");
    EXPECT_THAT(p.line_from_bottom(2), StartsWith(" $.needles "));
}

TEST(Browse, KeysWaitForTheEndOfASearch) {
    const auto played = [](std::string_view text, auto... last) {
        auto p = std::make_unique<Played>("{\"a\": 1, \"needle\": 2, \"needles\": 3}");
        for (const char c : text)  // nothing is searched in between
            p->browser.key(c == '\n' ? Key{.name = Key::enter}
                                     : Key::of(static_cast<unsigned char>(c)));
        (p->browser.key(last), ...);
        return std::pair(std::move(p), [](Played& of) {
            while (of.browser.busy())
                of.browser.work();
            return of.line_from_bottom(1);
        });
    };
    auto [edits, shown] = played("/need\ne");
    EXPECT_EQ(shown(*edits), " .needle = 2");
    auto [next, shown_next] = played("/need\nne");
    EXPECT_EQ(shown_next(*next), " .needles = 3") << "a search may follow a search";
    auto [deletes, shown_deleted] = played("/needles\ndq");
    EXPECT_EQ(shown_deleted(*deletes), " One change is not saved.");
    auto [lost, shown_lost] = played("/nothing\nd");
    EXPECT_EQ(shown_lost(*lost), " not found, so the keys typed since were dropped");
    EXPECT_FALSE(lost->session->changed());
    for (const Key stop : {Key{.name = Key::escape}, Key::with_control('c')}) {
        auto [stopped, shown_stopped] = played("/need\nd", stop);
        EXPECT_EQ(shown_stopped(*stopped), " the search was ended");
        EXPECT_FALSE(stopped->session->changed());
        EXPECT_FALSE(stopped->browser.done());
        EXPECT_THAT(stopped->line_from_bottom(2), StartsWith(" $ "));
    }
    auto [clicked, shown_clicked] = played("/needles\n", Key{.name = Key::click, .x = 3, .y = 2});
    (void)shown_clicked(*clicked);
    EXPECT_THAT(clicked->line_from_bottom(2), StartsWith(" $.needles "))
        << "a click is for what was shown";
}

TEST(Browse, PastedTextGivesNoCommandsAfterASearch) {
    for (const std::string_view text : {"/need\n", "/nothing\n"})
        for (const bool ends : {true, false}) {
            Played p("{\"a\": 1, \"needle\": 2}");
            for (const char c : text)
                p.browser.key(c == '\n' ? Key{.name = Key::enter}
                                        : Key::of(static_cast<unsigned char>(c)));
            p.browser.key({.name = Key::paste_begin});
            p.browser.key(Key::of('d'));
            p.browser.key({.name = Key::escape});
            p.browser.key(Key::of('d'));
            if (!ends)  // the search ends within the paste
                p.key(Key::of('d'));
            p.key(Key::of('d')).key({.name = Key::paste_end});
            EXPECT_FALSE(p.session->changed()) << text << ends;
            p.key({.name = Key::end}).type("d");
            EXPECT_TRUE(p.session->changed()) << text << ends << ": keys act again";
        }
}

TEST(Browse, RenamesToNoKeyThatIsThere) {
    Played p("{\"a\": 1, \"b\": 2}");
    p.key({.name = Key::down}).type("r").key(Key::with_control('u')).type("b").enter();
    EXPECT_THAT(p.line_from_bottom(2), HasSubstr("this is there already: .b"));
    p.escape().type("r").key(Key::with_control('u')).type("&\"a\"").enter();
    EXPECT_THAT(p.line_from_bottom(1), HasSubstr("renamed to &\"a\""));
}

TEST(Browse, WhatIsTypedFirstReplacesTheOldText) {
    Played p("{\"hp\": 7}");
    p.key({.name = Key::down}).enter().type("99").enter();
    EXPECT_EQ(p.line_from_bottom(1), " $.hp: 7 -> 99");
    p.enter().key({.name = Key::end}).type("1").enter();
    EXPECT_EQ(p.line_from_bottom(1), " $.hp: 99 -> 991");
    p.enter().key({.name = Key::backspace}).type("5").enter();
    EXPECT_EQ(p.line_from_bottom(1), " $.hp: 991 -> 995");
    p.type("r").type("mp").enter();
    EXPECT_EQ(p.line_from_bottom(1), " $.hp: renamed to \"mp\"");
    p.enter().key({.name = Key::paste_begin}).type("3").key({.name = Key::paste_end}).enter();
    EXPECT_EQ(p.line_from_bottom(1), " $.mp: 995 -> 3");
    p.type("g").type("x");
    EXPECT_EQ(p.line_from_bottom(1), " go to: $.mpx") << "a path goes on";
    p.escape().type("G");
    EXPECT_THAT(p.line_from_bottom(2), StartsWith(" $.mp "));
}

TEST(Browse, LongMessagesTakeMoreLines) {
    Played p("{\"hp\": 7}");
    const std::string words = "one two three four five six seven eight nine ten eleven twelve";
    p.width = 30;
    p.browser.say(words);
    EXPECT_EQ(p.line_from_bottom(3) + p.line_from_bottom(2) + p.line_from_bottom(1),
              " one two three four five six seven eight nine ten eleven twelve");
    p.type("?").escape().type("/");
    p.browser.say(words);
    EXPECT_EQ(p.line_from_bottom(4) + p.line_from_bottom(3) + p.line_from_bottom(2),
              " one two three four five six seven eight nine ten eleven twelve");
}

TEST(Browse, ReadOnlyOffersNoChanges) {
    auto save = read_save(packet_of(parse_text_full("{\"a\": [1, [2]], \"b\": 3}").value()),
                          {.dialect = &dialects::godot_4_4});
    auto session = std::make_unique<Session>(
        *std::move(save), Origin{.read_only = "the file is broken off at $", .broken = "at $"},
        DecodeOptions{.dialect = &dialects::godot_4_4});
    session->mark_cut("$.a[1][5]");
    Played p(std::move(session));
    EXPECT_THAT(p.screen(), HasSubstr("read-only: the file is broken off at $; gdvar recover"));
    EXPECT_EQ(p.line_from_bottom(0), " Enter close  q quit  ? help  / search  n next  b bytes");
    EXPECT_THAT(p.screen(), HasSubstr(".a Array (2 elements) cut off"));
    EXPECT_THAT(p.screen(), HasSubstr("[1] Array (1 element) cut off"));
    EXPECT_THAT(p.screen(), Not(HasSubstr("3 cut off")));
}

TEST(Browse, GoesToAPathThatIsTyped) {
    Played p("{\"a\": [1, 2]}");
    p.type("g").key(Key::with_control('u')).type("$.a[1]").enter();
    EXPECT_THAT(p.line_from_bottom(2), StartsWith(" $.a[1] "));
    p.type("g").key(Key::with_control('u')).type("$.b").enter();
    EXPECT_THAT(p.line_from_bottom(2), HasSubstr("no .b"));
}

TEST(Browse, BytesStandBesideTheValue) {
    Played p("{\"hp\": 97}");
    p.key({.name = Key::down});
    EXPECT_THAT(p.screen(), HasSubstr("20 bytes in the file's content"));
    EXPECT_THAT(p.screen(), HasSubstr("000008  04 00 00 00  key: String"));
    EXPECT_THAT(p.screen(), HasSubstr("000018  61 00 00 00  value"));
    p.type("b");
    EXPECT_THAT(p.screen(), Not(HasSubstr("key: String")));
    p.type("b");
    p.width = 60;  // too narrow: below
    EXPECT_THAT(p.screen(), HasSubstr("─ 20 bytes"));
    p.height = 12;
    EXPECT_THAT(p.screen(), Not(HasSubstr("─ 20 bytes")));
    p.width = 100;
    p.type("d");
    EXPECT_THAT(p.screen(), HasSubstr("in the packet"))
        << "offsets in the file are no longer known";
}

TEST(Browse, LongBytesAreMovedThrough) {
    PackedByteArray bytes;
    bytes.resize(1'000'000);
    bytes[999'999] = 0xAB;
    Played p(session_of(packet_of(Variant(std::move(bytes)))));
    EXPECT_THAT(p.screen(), HasSubstr("1000008 bytes"));
    for (int i = 0; i < 50; ++i)
        p.type("]");
    EXPECT_THAT(p.screen(), HasSubstr("0000c8  00 00 00 00"));
    const Entry entry = p.session->tree().entry(p.session->cursor());
    const Bytes all(p.session->packet_of(p.session->cursor()), entry, p.session->decoding());
    EXPECT_EQ(all.lines(4), 250'002u);
    Canvas canvas(60, 2);
    all.draw(canvas, 0, 0, 60, 2, all.lines(8) - 1, 0);
    EXPECT_THAT(canvas.line(0), HasSubstr("ab"));
}

TEST(Browse, PastedTextGivesNoCommands) {
    Played p("{\"hp\": 97}");
    p.key({.name = Key::paste_begin}).type("dddq").key({.name = Key::paste_end});
    EXPECT_FALSE(p.session->changed());
    EXPECT_FALSE(p.browser.done());
    p.key({.name = Key::down}).enter().key(Key::with_control('u')).key({.name = Key::paste_begin});
    p.type("5").enter().key({.name = Key::paste_end});
    EXPECT_FALSE(p.session->changed()) << "a line end in it is no Enter";
    EXPECT_EQ(p.line_from_bottom(1), " .hp = 5\\n");
    p.enter();
    EXPECT_TRUE(p.session->changed());
}

TEST(Browse, MouseSelectsAndOpens) {
    Played p("{\"a\": [1], \"b\": 2}");
    (void)p.screen();
    p.key({.name = Key::click, .x = 3, .y = 2});
    EXPECT_THAT(p.line_from_bottom(2), StartsWith(" $.a "));
    p.key({.name = Key::click, .x = 3, .y = 2});
    EXPECT_THAT(p.lines()[3], HasSubstr("[0] int 1"));
    p.key({.name = Key::click, .x = 3, .y = 20}).key({.name = Key::click, .x = 99, .y = 3});
    EXPECT_THAT(p.line_from_bottom(2), StartsWith(" $.a "));
    p.key({.name = Key::wheel_down});
    EXPECT_THAT(p.line_from_bottom(2), StartsWith(" $.b "));
}

TEST(Browse, AnySizeAndAnyKeysHold) {
    Random random(12);
    const std::string_view letters = " jkhl*eaAdruU/nNgGb[]s?qyn\"5x{}";
    for (int round = 0; round < 60; ++round) {
        const auto packet = encode(any_value(random, 4), {.allow_objects = true});
        if (!packet)
            continue;
        Played p(session_of(as_bytes(*packet), {.as = InputKind::packet, .allow_objects = true}));
        for (int i = 0; i < 200 && !p.browser.done(); ++i) {
            p.width = 1 + static_cast<int>(below(random, 140));
            p.height = 1 + static_cast<int>(below(random, 40));
            if (below(random, 3) == 0)
                p.key({.name = static_cast<Key::Name>(Key::enter + below(random, 19)),
                       .x = static_cast<int>(below(random, 140)),
                       .y = static_cast<int>(below(random, 40))});
            else
                p.key(Key::of(static_cast<unsigned char>(letters[below(random, letters.size())])));
            if (p.browser.caret()) {
                ASSERT_LT(p.browser.caret()->x, p.width);
                ASSERT_LT(p.browser.caret()->y, p.height);
            }
        }
    }
}

TEST(Browse, LongPathsAndDeepValues) {
    Variant deep(1);
    for (int i = 0; i < 300; ++i)
        deep = Variant(Dictionary{{std::string("key"), std::move(deep)}});
    Played p(session_of(packet_of(deep)));
    p.type("*").key({.name = Key::end});
    EXPECT_THAT(p.screen(), HasSubstr("[+2"));
    EXPECT_THAT(p.line_from_bottom(2), HasSubstr("..."));
    EXPECT_THAT(p.line_from_bottom(2), testing::EndsWith("301/301"));
}

using BrowseSaving = TempFolder;

TEST_F(BrowseSaving, AsksForABackupOnce) {
    const std::string path = put("game.save", packet_of(parse_text_full("{\"hp\": 97}").value()));
    auto save = open_save(path, {.dialect = &dialects::godot_4_4});
    ASSERT_TRUE(save);
    const auto original = read_bytes(path);
    Session session(*std::move(save), {.name = path}, {.dialect = &dialects::godot_4_4});
    Browser browser(session, path, "");
    const auto keys = [&](std::string_view text) {
        for (const char c : text)
            browser.key(c == '\n' ? Key{.name = Key::enter}
                                  : Key::of(static_cast<unsigned char>(c)));
    };
    browser.key({.name = Key::down});
    keys("e\x7f");
    browser.key(Key::with_control('u'));
    keys("1\ns\n");
    EXPECT_FALSE(session.changed());
    EXPECT_EQ(read_bytes(path + ".old"), original);
    EXPECT_NE(read_bytes(path), original);
    keys("e");
    browser.key(Key::with_control('u'));
    keys("2\ns");
    EXPECT_FALSE(session.changed()) << "no second question";
    EXPECT_EQ(read_bytes(path + ".old"), original) << "the oldest stays";
    keys("ddq");
    EXPECT_FALSE(browser.done());
    keys("s");  // save and quit
    EXPECT_TRUE(browser.done());
    EXPECT_FALSE(session.changed());
}

TEST_F(BrowseSaving, ABackupReplacesNothingUnasked) {
    const std::string path = put("game.save", packet_of(Variant(Array{1})));
    put("game.save.old", "mine");
    auto save = open_save(path, {.dialect = &dialects::godot_4_4});
    Session session(*std::move(save), {.name = path}, {.dialect = &dialects::godot_4_4});
    Browser browser(session, path, "");
    browser.key({.name = Key::down});
    browser.key(Key::of('d'));
    browser.key(Key::of('s'));
    browser.key(Key::with_control('u'));
    for (const char c : path + ".old")
        browser.key(Key::of(static_cast<unsigned char>(c)));
    browser.key({.name = Key::enter});
    browser.key(Key::of('n'));
    EXPECT_EQ(read_text(path + ".old"), "mine");
    EXPECT_TRUE(session.changed());
    browser.key({.name = Key::enter});
    browser.key(Key::of('y'));
    EXPECT_NE(read_text(path + ".old"), "mine");
    EXPECT_FALSE(session.changed());
}

}  // namespace
}  // namespace gdvar::test
