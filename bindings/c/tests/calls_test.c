/* Every function of gdvar.h once and more, in plain C. Those for saves: saves_test.c. */
#include "support.h"

static void test_tape(void) {
    gdvar_buffer* packet = buffer();
    gdvar_document* document = gdvar_document_new();
    gdvar_tape tape;
    uint32_t bag;
    write_player(packet);
    CHECK(gdvar_document_tape(document).count == 0);
    CHECK(gdvar_document_read(document, gdvar_buffer_bytes(packet), NULL, NULL) == 0);
    tape = gdvar_document_tape(document);
    CHECK(tape.count == 11 && tape.nodes[0].type == GDVAR_DICTIONARY &&
          tape.nodes[0].as.span.count == 4);
    CHECK(tape.nodes[0].as.span.end == 11 && tape.size == gdvar_buffer_bytes(packet).size);
    CHECK(is_text(gdvar_node_name(document, 2), "Ada"));
    CHECK(memcmp(tape.bytes + tape.nodes[2].offset + 8, "Ada", 3) == 0);
    bag = gdvar_find_text(document, 0, text("bag"));
    CHECK(bag == 8 && gdvar_find_index(document, bag, 1) == 10 && tape.nodes[10].as.integer == 3);
    CHECK(gdvar_find_index(document, bag, 2) == GDVAR_NO_NODE);
    CHECK(gdvar_find_text(document, 0, text("no")) == GDVAR_NO_NODE);
    CHECK(gdvar_find_text(document, 99, text("no")) == GDVAR_NO_NODE);
    CHECK(gdvar_node_numbers(document, 6).components == 2 &&
          gdvar_node_numbers(document, 6).component == GDVAR_F32);
    CHECK(gdvar_node_numbers(document, 0).data == NULL && gdvar_node_bytes(document, 99).size == 0);
    CHECK(gdvar_node_bytes(document, 4).size == 8);
    CHECK(is_text(gdvar_describe_type(GDVAR_VECTOR2).name, "Vector2") &&
          gdvar_describe_type(200).name.size == 0);
    gdvar_document_free(document);
    gdvar_buffer_free(packet);
}

static void test_errors(void) {
    gdvar_error error;
    char message[200], small[8];
    gdvar_buffer* path = buffer();
    /* [1, <cut off> */
    const unsigned char broken[] = {28, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0};
    gdvar_options options = GDVAR_OPTIONS_INIT;
    size_t size = 99;
    CHECK(gdvar_validate(bytes(broken, sizeof broken), NULL, &size, &error) ==
          gdvar_error_code("truncated"));
    CHECK(error.need == 4 && error.offset == 16 && error.source == GDVAR_FROM_PACKET && size == 99);
    CHECK(gdvar_error_path(bytes(broken, sizeof broken), NULL, &error, path) == 0 &&
          holds(path, "$[1]"));
    CHECK(gdvar_error_message(&error, message, sizeof message) == strlen(message) &&
          strstr(message, "truncated"));
    CHECK(gdvar_error_message(&error, small, sizeof small) == strlen(message) &&
          strlen(small) == 7);
    CHECK(gdvar_error_message(&error, NULL, 0) == strlen(message));
    CHECK(strcmp(gdvar_error_name(error.code), "truncated") == 0 &&
          strcmp(gdvar_error_kind(error.code), "bytes") == 0);
    CHECK(strcmp(gdvar_error_meaning(error.code), "The bytes end before the value does.") == 0 &&
          gdvar_error_meaning(9999)[0] == '\0' && gdvar_error_meaning(UINT16_MAX)[0] == '\0');
    CHECK(strcmp(gdvar_error_name(9999), "") == 0 && gdvar_error_code("nonsense") == UINT16_MAX);
    /* Options of an older, shorter struct: what is beyond has its default. */
    options.size = 8;
    options.max_depth = 0;
    CHECK(gdvar_validate(bytes(broken, sizeof broken), &options, NULL, NULL) ==
          gdvar_error_code("truncated"));
    options.size = sizeof options;
    CHECK(gdvar_validate(bytes(broken, sizeof broken), &options, NULL, NULL) ==
          gdvar_error_code("depth_limit"));
    gdvar_buffer_free(path);
}

/* A text that is known to be UTF-8 gives the same bytes; that it is not checked shows with one that
 * is not. */
static void test_encode_known_text(void) {
    static const char texts[][8] = {"", "a", "hp", "\xc3\xa9t\xc3\xa9", "\xf0\x9f\x90\x81!!"};
    static const uint8_t types[] = {GDVAR_STRING, GDVAR_STRING_NAME};
    gdvar_buffer *checked = buffer(), *known = buffer();
    size_t i, k;
    for (i = 0; i < sizeof texts / sizeof *texts; ++i)
        for (k = 0; k < 2; ++k) {
            gdvar_item text = item(types[k], (uint32_t)strlen(texts[i]));
            text.as.data = texts[i];
            CHECK(gdvar_encode(&text, 1, NULL, checked, NULL, NULL) == 0);
            text.flags = GDVAR_ITEM_UTF8;
            CHECK(gdvar_encode(&text, 1, NULL, known, NULL, NULL) == 0);
            CHECK(gdvar_buffer_bytes(checked).size == gdvar_buffer_bytes(known).size &&
                  memcmp(gdvar_buffer_bytes(checked).data, gdvar_buffer_bytes(known).data,
                         gdvar_buffer_bytes(known).size) == 0);
            text.count = 1;
            text.as.data = "\xff";
            CHECK(gdvar_encode(&text, 1, NULL, known, NULL, NULL) == 0);
            text.flags = 0;
            CHECK(gdvar_encode(&text, 1, NULL, checked, NULL, NULL) ==
                  gdvar_error_code("bad_utf8"));
            gdvar_buffer_clear(checked);
            gdvar_buffer_clear(known);
        }
    gdvar_buffer_free(checked);
    gdvar_buffer_free(known);
}

static void test_encode_refuses(void) {
    gdvar_buffer *to = buffer(), *path = buffer();
    gdvar_error error;
    gdvar_item items[4];
    gdvar_options godot3 = GDVAR_OPTIONS_INIT;
    static const uint8_t without[] = {GDVAR_STRING,     GDVAR_STRING_NAME,        GDVAR_VECTOR2,
                                      GDVAR_BASIS,      GDVAR_PACKED_INT32_ARRAY, GDVAR_IMAGE,
                                      GDVAR_INPUT_EVENT};
    size_t i;
    godot3.dialect = gdvar_find_dialect("godot3");
    items[0] = item(GDVAR_ARRAY, 2);
    items[1] = integer(1);
    items[2] = item(GDVAR_STRING_NAME, 0);
    items[3] = integer(2);
    CHECK(gdvar_encode(items, 3, &godot3, to, &error, path) == gdvar_error_code("not_in_dialect"));
    CHECK(holds(path, "$[1]") && gdvar_buffer_bytes(to).size == 0 &&
          error.type == GDVAR_STRING_NAME);
    CHECK(gdvar_encode(items, 2, NULL, to, &error, NULL) == gdvar_error_code("too_few_items"));
    CHECK(gdvar_encode(items, 4, NULL, to, &error, NULL) == gdvar_error_code("misplaced"));
    CHECK(gdvar_encode(items, 0, NULL, to, &error, NULL) == gdvar_error_code("too_few_items"));
    items[1].type = 250;
    CHECK(gdvar_encode(items, 3, NULL, to, &error, NULL) == gdvar_error_code("misplaced"));
    items[0] = item(GDVAR_OBJECT, 1);
    items[0].flags = GDVAR_ITEM_FULL;
    items[1] = integer(1); /* in the place of the class */
    CHECK(gdvar_encode(items, 3, NULL, to, &error, NULL) == gdvar_error_code("misplaced"));
    items[0] = item(GDVAR_NODE_PATH, 1);
    items[0].as.bits = 2;
    CHECK(gdvar_encode(items, 3, NULL, to, &error, NULL) == gdvar_error_code("misplaced"));
    /* Data that is not there. */
    for (i = 0; i < sizeof without / sizeof *without; ++i) {
        items[0] = item(without[i], 1);
        CHECK(gdvar_encode(items, 1, NULL, to, &error, NULL) == gdvar_error_code("misplaced"));
    }
    items[0] = item(GDVAR_PACKED_INT32_ARRAY, 0);
    CHECK(gdvar_encode(items, 1, NULL, to, &error, NULL) == 0);
    gdvar_buffer_clear(to);
    items[0] = item(GDVAR_ARRAY, UINT32_MAX);
    CHECK(gdvar_encode(items, 1, NULL, to, &error, NULL) == gdvar_error_code("too_large"));
    CHECK(gdvar_buffer_bytes(to).size == 0);
    gdvar_buffer_free(to);
    gdvar_buffer_free(path);
}

static void count_loss(void* user, const gdvar_loss* loss) {
    CHECK(loss->path.size > 0 && loss->what.size > 0);
    ++*(int*)user;
}

/* Numbers that an engine reads as others. */
static void test_strict_numbers(void) {
    static const char* const numbers[] = {"99999999999999999999", "1e400", "PackedByteArray(256)",
                                          "Vector2(1e39, 0)"};
    gdvar_buffer* to = buffer();
    gdvar_options strict = GDVAR_OPTIONS_INIT;
    gdvar_error error;
    size_t i;
    strict.flags = GDVAR_STRICT;
    for (i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        CHECK(gdvar_parse(text(numbers[i]), GDVAR_TEXT, NULL, to, &error) == 0);
        CHECK(gdvar_parse(text(numbers[i]), GDVAR_TEXT, &strict, to, &error) ==
              gdvar_error_code("bad_number"));
    }
    CHECK(gdvar_parse(text("99999999999999999999"), GDVAR_PLAIN_JSON, NULL, to, &error) == 0);
    CHECK(gdvar_parse(text("99999999999999999999"), GDVAR_PLAIN_JSON, &strict, to, &error) ==
          gdvar_error_code("bad_number"));
    CHECK(gdvar_parse(text("[1.5, -7]"), GDVAR_TEXT, &strict, to, &error) == 0);
    gdvar_buffer_free(to);
}

static void test_text(void) {
    gdvar_buffer *packet = buffer(), *again = buffer(), *to = buffer();
    gdvar_document* document = gdvar_document_new();
    gdvar_error error;
    int form, losses = 0;
    write_player(packet);
    CHECK(gdvar_document_read(document, gdvar_buffer_bytes(packet), NULL, NULL) == 0);
    for (form = GDVAR_TEXT; form <= GDVAR_JSON; ++form) {
        gdvar_bytes printed, a, b;
        gdvar_buffer_clear(to);
        gdvar_buffer_clear(again);
        CHECK(gdvar_print(document, 0, form, 0, to, NULL, NULL, &error) == 0);
        printed = gdvar_buffer_bytes(to);
        CHECK(gdvar_parse(text(""), form, NULL, again, &error) != 0 &&
              error.source == GDVAR_FROM_TEXT);
        {
            gdvar_text t;
            t.data = printed.data;
            t.size = printed.size;
            CHECK(gdvar_parse(t, form, NULL, again, &error) == 0);
        }
        a = gdvar_buffer_bytes(packet);
        b = gdvar_buffer_bytes(again);
        /* The engine's text sorts the keys. */
        CHECK(a.size == b.size && (form == GDVAR_TEXT || memcmp(a.data, b.data, a.size) == 0));
    }
    /* Godot 3.2 reads no infinity in a vector; 3.6 does. */
    CHECK(gdvar_parse(text("Vector2( inf, 1 )"), GDVAR_TEXT_3_6, NULL, again, &error) == 0);
    CHECK(gdvar_parse(text("Vector2( inf, 1 )"), GDVAR_TEXT_3_2, NULL, again, &error) ==
          gdvar_error_code("wrong_arguments"));
    CHECK(gdvar_parse(text("1"), GDVAR_TEXT_4_0 + 1, NULL, again, &error) &&
          error.source == GDVAR_FROM_CALL);
    gdvar_buffer_clear(to);
    CHECK(gdvar_print(document, 0, GDVAR_TEXT_3_2, 0, to, NULL, NULL, &error) == 0);
    gdvar_buffer_clear(to);
    CHECK(gdvar_print(document, 6, GDVAR_PLAIN_JSON, 0, to, count_loss, &losses, &error) == 0 &&
          losses > 0);
    CHECK(gdvar_print(document, 99, GDVAR_TEXT, 0, to, NULL, NULL, &error) &&
          error.source == GDVAR_FROM_CALL);
    CHECK(gdvar_parse(text("[1,"), GDVAR_TEXT, NULL, again, &error) ==
          gdvar_error_code("bad_syntax"));
    CHECK(error.line == 1 && error.column > 1);
    /* An error of text is no error of a packet: there is no path, and no harm. */
    CHECK(gdvar_error_path(gdvar_buffer_bytes(packet), NULL, &error, to) == 0);
    /* A part of what a document keeps, read into the same document. */
    CHECK(gdvar_document_read_copy(document, gdvar_buffer_bytes(packet), NULL, NULL) == 0);
    CHECK(gdvar_document_read_copy(document, gdvar_node_bytes(document, 8), NULL, NULL) == 0);
    CHECK(gdvar_document_tape(document).nodes[0].type == GDVAR_ARRAY);
    gdvar_document_free(document);
    gdvar_buffer_free(packet);
    gdvar_buffer_free(again);
    gdvar_buffer_free(to);
}

static void count_row(void* user, const gdvar_row* row) {
    *(uint64_t*)user += row->size;
}
static void count_quirk(void* user, const gdvar_quirk* quirk) {
    CHECK(quirk->name.size > 0 && quirk->path.size > 0);
    ++*(int*)user;
}
static void count_candidate(void* user, const gdvar_candidate* candidate) {
    CHECK(candidate->dialect && candidate->reason.size > 0);
    ++*(int*)user;
}

static void test_paths(void) {
    static const char* const one[] = {"$", "", "$.players[3].hp", "#2 $.hp", "[+]", "$[\"*\"]"};
    static const char* const several[] = {"$[*]",    "$.*", "$.players[*].hp", "$[1:3]", "$..hp",
                                          "#* $.hp", "#*",  "$[::2]",          "$.a..*"};
    gdvar_error error;
    char message[200];
    size_t i;
    int many;
    for (i = 0; i < sizeof one / sizeof *one; ++i) {
        many = 2;
        CHECK(gdvar_path_several(text(one[i]), &many, &error) == 0 && many == 0);
    }
    for (i = 0; i < sizeof several / sizeof *several; ++i) {
        many = 2;
        CHECK(gdvar_path_several(text(several[i]), &many, &error) == 0 && many == 1);
    }
    many = 2;
    CHECK(gdvar_path_several(text("$.hp[1:2:0]"), &many, &error) == gdvar_error_code("bad_path"));
    CHECK(error.source == GDVAR_FROM_TEXT && error.line == 1 && error.column == error.offset + 1 &&
          error.offset >= 4 && many == 2);
    gdvar_error_message(&error, message, sizeof message);
    CHECK(strstr(message, "error[bad_path]: ") && strncmp(message, "1:", 2) == 0);
}

static int count_match(void* user, const gdvar_match* match) {
    CHECK(match->packet.size >= 4 && match->path.size > 0);
    return ++*(int*)user < 3;
}

/* The words for paths that lead nowhere, and the path that gdvar_error_path finds for them. */
static void test_explained_paths(void) {
    static const struct {
        const char *path, *code, *at, *what;
    } rows[] = {
        {"$.hpp", "missing_key", "$", "no .hpp (did you mean .hp?)"},
        {"$.bag[2]", "index_out_of_range", "$.bag", "no [2]: 2 elements, [0] to [1]"},
        {"$.bag[0].x", "wrong_type", "$.bag[0]", "a String has no .x"},
        {"$.pos.z", "missing_key", "$.pos", "no .z"},
        {"$..nothing", "missing_key", "$", "no key \"nothing\" at any depth"},
    };
    gdvar_buffer *packet = buffer(), *at = buffer();
    gdvar_document* document = gdvar_document_new();
    struct refused refused;
    gdvar_error error;
    size_t i;
    int seen = 0;
    write_player(packet);
    CHECK(gdvar_document_read(document, gdvar_buffer_bytes(packet), NULL, NULL) == 0);
    for (i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const uint16_t code = gdvar_error_code(rows[i].code);
        CHECK(gdvar_lookup(document, text(rows[i].path), count_match, &seen, NULL, &error) == code);
        gdvar_buffer_clear(at);
        CHECK(gdvar_error_path(gdvar_buffer_bytes(packet), NULL, &error, at) == 0);
        CHECK(holds(at, rows[i].at));
        CHECK(gdvar_explain_path(document, text(rows[i].path), keep_refusal, &refused) == code);
        CHECK(
            is_refused(&refused, rows[i].code, GDVAR_NEEDS_ANOTHER_PATH, rows[i].at, rows[i].what));
        CHECK(gdvar_explain_path(document, text(rows[i].path), NULL, NULL) == code);
    }
    memset(&refused, 0, sizeof refused);
    CHECK(gdvar_explain_path(document, text("$.bag[*]"), keep_refusal, &refused) == 0 &&
          !refused.refusal.code);
    CHECK(gdvar_explain_path(document, text("$.bag["), keep_refusal, &refused) ==
          gdvar_error_code("bad_path"));
    CHECK(strcmp(refused.at, "$.bag[") == 0 && refused.what[0]);
    gdvar_document_free(document);
    gdvar_buffer_free(packet);
    gdvar_buffer_free(at);
}

static void test_look(void) {
    gdvar_buffer* packet = buffer();
    gdvar_document* document = gdvar_document_new();
    gdvar_error error;
    gdvar_bytes all;
    size_t found = 0;
    uint64_t rows = 0, quirks = 0;
    int seen = 0, ambiguous = 0;
    /* true, as 2 */
    const unsigned char odd[] = {1, 0, 0, 0, 2, 0, 0, 0};
    write_player(packet);
    all = gdvar_buffer_bytes(packet);
    CHECK(gdvar_document_read_copy(document, all, NULL, NULL) == 0);
    CHECK(gdvar_lookup(document, text("$[*]"), count_match, &seen, &found, &error) == 0 &&
          seen == 3 && found == 3);
    seen = 0;
    CHECK(gdvar_lookup(document, text("$.pos.y"), count_match, &seen, &found, &error) == 0 &&
          found == 1);
    CHECK(gdvar_lookup(document, text("$.nothing"), count_match, &seen, NULL, &error) ==
          gdvar_error_code("missing_key"));
    seen = 0;
    CHECK(gdvar_lookup_from(document, 8, text("$[1]"), count_match, &seen, &found, &error) == 0 &&
          seen == 1 && found == 1);
    CHECK(gdvar_lookup_from(document, 99, text("$"), count_match, &seen, NULL, &error) ==
          gdvar_error_code("missing_key"));
    CHECK(gdvar_annotate(all, NULL, count_row, &rows, &found, &error) == 0 && rows == all.size &&
          found == all.size);
    seen = 0;
    CHECK(gdvar_check(bytes(odd, sizeof odd), NULL, 10, count_quirk, &seen, &quirks, &error) == 0);
    CHECK(quirks == 1 && seen == 1);
    seen = 0;
    CHECK(is_text(gdvar_dialect_name(gdvar_guess(&all, 1, count_candidate, &seen, &ambiguous)),
                  "godot-4.4") &&
          seen > 3);
    CHECK(gdvar_guess(&all, 1, NULL, NULL, NULL) != NULL);
    gdvar_document_free(document);
    gdvar_buffer_free(packet);
}

static void test_change(void) {
    gdvar_buffer *packet = buffer(), *value = buffer(), *to = buffer(), *patch = buffer(),
                 *patched = buffer();
    gdvar_document *before = gdvar_document_new(), *after = gdvar_document_new();
    gdvar_options godot3 = GDVAR_OPTIONS_INIT;
    gdvar_error error;
    int losses = 0;
    godot3.dialect = gdvar_find_dialect("godot-3.1");
    write_player(packet);
    CHECK(gdvar_parse(text("100"), GDVAR_TEXT, NULL, value, &error) == 0);
    CHECK(gdvar_set(gdvar_buffer_bytes(packet), text("$.hp"), gdvar_buffer_bytes(value), NULL, to,
                    &error) == 0);
    CHECK(gdvar_buffer_bytes(to).size == gdvar_buffer_bytes(packet).size);
    CHECK(gdvar_document_read(before, gdvar_buffer_bytes(packet), NULL, NULL) == 0);
    CHECK(gdvar_document_read(after, gdvar_buffer_bytes(to), NULL, NULL) == 0);
    CHECK(gdvar_document_tape(after).nodes[4].as.integer == 100);
    CHECK(gdvar_diff(before, after, patch, &error) == 0);
    CHECK(gdvar_patch(gdvar_buffer_bytes(packet), gdvar_buffer_bytes(patch), NULL, patched,
                      &error) == 0);
    CHECK(gdvar_buffer_bytes(patched).size == gdvar_buffer_bytes(to).size &&
          memcmp(gdvar_buffer_bytes(patched).data, gdvar_buffer_bytes(to).data,
                 gdvar_buffer_bytes(to).size) == 0);
    CHECK(gdvar_patch(gdvar_buffer_bytes(packet), gdvar_buffer_bytes(value), NULL, patched,
                      &error) != 0);
    gdvar_buffer_clear(to);
    CHECK(gdvar_erase(gdvar_buffer_bytes(packet), text("$.bag"), NULL, to, &error) == 0);
    CHECK(gdvar_erase(gdvar_buffer_bytes(packet), text("$.none"), NULL, to, &error) ==
          gdvar_error_code("missing_key"));
    gdvar_buffer_clear(value);
    gdvar_buffer_clear(to);
    CHECK(gdvar_parse(text("{&\"a\": Vector4i(1, 2, 3, 4)}"), GDVAR_TEXT, NULL, value, &error) ==
          0);
    CHECK(gdvar_convert(gdvar_buffer_bytes(value), NULL, &godot3, to, count_loss, &losses,
                        &error) == 0 &&
          losses == 2);
    CHECK(gdvar_validate(gdvar_buffer_bytes(to), &godot3, NULL, NULL) == 0);
    /* Two keys that are one in the target: a pair is left out, and told. */
    gdvar_buffer_clear(value);
    gdvar_buffer_clear(to);
    losses = 0;
    CHECK(gdvar_parse(text("{Vector2i(1, 2): 1, Vector2(1, 2): 2}"), GDVAR_TEXT, NULL, value,
                      &error) == 0);
    CHECK(gdvar_convert(gdvar_buffer_bytes(value), NULL, &godot3, to, count_loss, &losses,
                        &error) == 0 &&
          losses == 2);
    godot3.flags = GDVAR_STRICT;
    CHECK(gdvar_validate(gdvar_buffer_bytes(to), &godot3, NULL, NULL) == 0);
    gdvar_document_free(before);
    gdvar_document_free(after);
    gdvar_buffer_free(packet);
    gdvar_buffer_free(value);
    gdvar_buffer_free(to);
    gdvar_buffer_free(patch);
    gdvar_buffer_free(patched);
}

/* Refusals of edits, patches, conversions and text, and their places. */
static void test_explained_changes(void) {
    gdvar_buffer *packet = buffer(), *value = buffer(), *to = buffer(), *path = buffer();
    gdvar_options godot3 = GDVAR_OPTIONS_INIT;
    gdvar_error error;
    godot3.dialect = gdvar_find_dialect("godot3");
    /* A typed Array takes no text. */
    CHECK(gdvar_parse(text("{\"a\": [0, {\"b\": Array[int]([1, 2])}]}"), GDVAR_TEXT_FULL, NULL,
                      packet, &error) == 0);
    CHECK(gdvar_parse(text("\"text\""), GDVAR_TEXT, NULL, value, &error) == 0);
    CHECK(gdvar_set(gdvar_buffer_bytes(packet), text("$.a[1].b[1]"), gdvar_buffer_bytes(value),
                    NULL, to, &error) == gdvar_error_code("wrong_type"));
    CHECK(gdvar_error_path(gdvar_buffer_bytes(packet), NULL, &error, path) == 0 &&
          holds(path, "$.a[1].b[1]"));
    gdvar_buffer_clear(path);
    CHECK(gdvar_erase(gdvar_buffer_bytes(packet), text("$.a[1].b[7]"), NULL, to, &error) ==
          gdvar_error_code("index_out_of_range"));
    CHECK(gdvar_error_path(gdvar_buffer_bytes(packet), NULL, &error, path) == 0 &&
          holds(path, "$.a[1].b"));
    gdvar_buffer_clear(path);
    /* The packet breaks in the middle. */
    gdvar_bytes cut = gdvar_buffer_bytes(packet);
    cut.size -= 4;
    CHECK(gdvar_convert(cut, NULL, &godot3, to, NULL, NULL, &error) ==
          gdvar_error_code("truncated"));
    CHECK(gdvar_error_path(cut, NULL, &error, path) == 0 && holds(path, "$.a[1].b[1]"));
    gdvar_buffer_clear(path);
    CHECK(gdvar_parse_with_path(text("[1, {\"a\": &\"b\"}]"), GDVAR_TEXT_FULL, &godot3, to, &error,
                                path) == gdvar_error_code("not_in_dialect"));
    CHECK(error.source == GDVAR_FROM_PACKET && holds(path, "$[1].a"));
    gdvar_buffer_clear(path);
    CHECK(gdvar_parse_with_path(text("[1"), GDVAR_TEXT, NULL, to, &error, path) ==
          gdvar_error_code("bad_syntax"));
    CHECK(error.source == GDVAR_FROM_TEXT && holds(path, ""));
    /* The second change leads nowhere. */
    gdvar_buffer_clear(value);
    CHECK(gdvar_parse(text("[{\"set\": [\"a\", 0], \"value\": 1}, {\"remove\": [\"a\", 9]}]"),
                      GDVAR_TEXT, NULL, value, &error) == 0);
    CHECK(gdvar_patch(gdvar_buffer_bytes(packet), gdvar_buffer_bytes(value), NULL, to, &error) ==
          gdvar_error_code("bad_path"));
    CHECK(error.source == GDVAR_FROM_PATCH && error.change == 1);
    CHECK(gdvar_change_path(gdvar_buffer_bytes(value), error.change, path, &error) == 0 &&
          holds(path, "$.a[9]"));
    CHECK(gdvar_change_path(gdvar_buffer_bytes(value), 2, path, &error) ==
          gdvar_error_code("index_out_of_range"));
    CHECK(gdvar_change_path(gdvar_buffer_bytes(packet), 0, path, &error) != 0 &&
          error.source == GDVAR_FROM_CALL && holds(path, "$.a[9]"));
    CHECK(gdvar_buffer_bytes(to).size == 0);
    gdvar_buffer_free(packet);
    gdvar_buffer_free(value);
    gdvar_buffer_free(to);
    gdvar_buffer_free(path);
}

/* An Object in full, whose script engines take as a path of a resource alone. */
static void test_any_script(void) {
    static const unsigned char packet[] = {24,  0,   0, 0, 1, 0, 0, 0, 'R', 0,   0,   0,
                                           1,   0,   0, 0, 6, 0, 0, 0, 's', 'c', 'r', 'i',
                                           'p', 't', 0, 0, 2, 0, 0, 0, 7,   0,   0,   0};
    const gdvar_bytes bytes = {packet, sizeof packet};
    gdvar_options options = GDVAR_OPTIONS_INIT;
    gdvar_error error;
    size_t size = 0;
    options.flags = GDVAR_ALLOW_OBJECTS;
    CHECK(gdvar_validate(bytes, &options, &size, &error) == gdvar_error_code("bad_script"));
    options.flags |= GDVAR_ANY_SCRIPT;
    CHECK(gdvar_validate(bytes, &options, &size, &error) == 0 && size == sizeof packet);
}

static void test_streams(void) {
    gdvar_buffer *packet = buffer(), *stream = buffer();
    gdvar_framer* framer = gdvar_framer_new(1, 1000);
    gdvar_bytes next, whole;
    gdvar_error error;
    size_t i, got = 0;
    int there = 0;
    write_player(packet);
    CHECK(gdvar_append_frame(gdvar_buffer_bytes(packet), 1, stream, &error) == 0);
    CHECK(gdvar_append_frame(gdvar_buffer_bytes(packet), 1, stream, &error) == 0);
    whole = gdvar_buffer_bytes(stream);
    for (i = 0; i < whole.size; ++i) {
        CHECK(gdvar_framer_feed(framer, bytes((const char*)whole.data + i, 1), &error) == 0);
        CHECK(gdvar_framer_next(framer, &next, &there, &error) == 0);
        if (there) {
            ++got;
            CHECK(next.size == gdvar_buffer_bytes(packet).size);
        }
    }
    CHECK(got == 2 && gdvar_framer_finish(framer, &error) == 0);
    CHECK(gdvar_framer_feed(framer, bytes("\0\0", 2), &error) == 0);
    CHECK(gdvar_framer_next(framer, &next, &there, &error) == 0 && !there &&
          gdvar_framer_need(framer) == 2);
    CHECK(gdvar_framer_finish(framer, &error) == gdvar_error_code("truncated"));
    gdvar_framer_free(framer);
    gdvar_buffer_free(packet);
    gdvar_buffer_free(stream);
}

static void test_dialects(void) {
    size_t n = 0;
    while (gdvar_dialect_at(n))
        ++n;
    CHECK(n == 13 && gdvar_find_dialect("godot-5") == NULL);
    CHECK(gdvar_dialect_has(gdvar_find_dialect("godot4"), GDVAR_VECTOR4I));
    CHECK(!gdvar_dialect_has(gdvar_find_dialect("godot3"), GDVAR_VECTOR4I));
    CHECK(!gdvar_dialect_has(NULL, 200) && gdvar_dialect_title(NULL).size > 0);
    CHECK(gdvar_abi() == GDVAR_C_ABI && strlen(gdvar_version()) >= 5);
}

int main(void) {
    test_dialects();
    test_tape();
    test_errors();
    test_encode_known_text();
    test_encode_refuses();
    test_text();
    test_strict_numbers();
    test_paths();
    test_explained_paths();
    test_explained_changes();
    test_look();
    test_change();
    test_any_script();
    test_streams();
    printf("%d failed\n", failures);
    return failures != 0;
}
