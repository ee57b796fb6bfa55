/* Saves of all kinds: what they are, texts that keep their layout, values that hold saves, keys by
 * name, patches, conversions, damaged saves. */
#include "support.h"

static uint16_t code_of(const char* name) {
    return gdvar_error_code(name);
}
static gdvar_bytes raw(const char* of) {
    return bytes(of, strlen(of));
}
static gdvar_save* read_save(gdvar_bytes data, const gdvar_save_options* options) {
    gdvar_save* save = NULL;
    gdvar_error error;
    char message[200];
    if (gdvar_save_read(data, options, &save, &error)) {
        gdvar_error_message(&error, message, sizeof message);
        printf("%s\n", message);
        abort();
    }
    return save;
}
static gdvar_buffer* parsed(const char* of) {
    gdvar_buffer* to = buffer();
    gdvar_error error;
    CHECK(gdvar_parse(text(of), GDVAR_TEXT, NULL, to, &error) == 0);
    return to;
}
static int save_is(const gdvar_save* save, const char* of) {
    gdvar_buffer* to = buffer();
    gdvar_error error;
    const int same = gdvar_save_bytes(save, to, &error) == 0 && holds(to, of);
    if (!same)
        printf("%.*s\n", (int)gdvar_buffer_bytes(to).size,
               (const char*)gdvar_buffer_bytes(to).data);
    gdvar_buffer_free(to);
    return same;
}
static int stack_is(const gdvar_save* save, const char* of) {
    gdvar_buffer* to = buffer();
    gdvar_error error;
    const int same = gdvar_save_stack(save, to, &error) == 0 && holds(to, of);
    if (!same)
        printf("%.*s\n", (int)gdvar_buffer_bytes(to).size,
               (const char*)gdvar_buffer_bytes(to).data);
    gdvar_buffer_free(to);
    return same;
}

/* ---- kinds ---- */

static void test_kinds(void) {
    size_t count = 0, texts = 0, named = 0, only_read = 0;
    gdvar_kind kind;
    for (; (kind = gdvar_kind_at(count)).name.size; ++count) {
        texts += kind.text;
        named += kind.named;
        only_read += kind.only_read;
        CHECK(kind.made == (kind.text || kind.only_read));
    }
    CHECK(count == 11 && texts == 5 && named == 1 && only_read == 1);
    CHECK(is_text(gdvar_kind_at(0).name, "packet") && !gdvar_kind_at(SIZE_MAX).name.data);
    CHECK(is_text(gdvar_layer_name_at(0), "gcpf"));
    for (count = 0; gdvar_layer_name_at(count).size; ++count) {
    }
    CHECK(count >= 13 && gdvar_layer_name_at(count + 1).size == 0);
}

/* The arguments of a gdvar_finding_use. */
struct told {
    char text[4000];
    size_t ruled_out;
};
static void append_text(struct told* to, gdvar_text of) {
    const size_t size = strlen(to->text);
    CHECK(size + of.size < sizeof to->text);
    memcpy(to->text + size, of.data, of.size);
    to->text[size + of.size] = '\0';
}
static void tell_finding(void* user, const gdvar_finding* finding) {
    struct told* to = user;
    char number[16];
    sprintf(number, "%d ", finding->layer == GDVAR_NO_LAYER ? -1 : (int)finding->layer);
    append_text(to, text(number));
    append_text(to, finding->name);
    append_text(to, text(": "));
    append_text(to, finding->reason);
    if (finding->at.size) {
        append_text(to, text(" at "));
        append_text(to, finding->at);
    }
    if (finding->opened_with.size) {
        append_text(to, text(" with "));
        append_text(to, finding->opened_with);
    }
    append_text(to, text("\n"));
    to->ruled_out += finding->ruled_out_count;
}

static void test_findings(void) {
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    gdvar_buffer *zipped = buffer(), *stack = buffer();
    struct told told;
    gdvar_error error;
    gdvar_save* save;
    memset(&told, 0, sizeof told);
    CHECK(gdvar_wrap(raw("[a]\nb=1\n"), text("gzip"), NULL, zipped, &error) == 0);
    options.flags = GDVAR_ALL_READINGS;
    save = read_save(gdvar_buffer_bytes(zipped), &options);
    CHECK(stack_is(save, "gzip > config"));
    CHECK(gdvar_save_findings(save, tell_finding, &told, &error) == 0);
    CHECK(strstr(told.text, "0 gzip: ") == told.text);
    CHECK(strstr(told.text, "\n-1 config: a ConfigFile with 1 section\n") && told.ruled_out >= 3);
    CHECK(is_text(gdvar_save_kind(save).name, "config") && gdvar_save_kind(save).text);
    gdvar_save_free(save);
    /* Files that can't be opened, and NULL. */
    memset(&told, 0, sizeof told);
    CHECK(gdvar_identify(bytes(gdvar_buffer_bytes(zipped).data, 15), NULL, tell_finding, &told,
                         stack, &error) == code_of("truncated"));
    CHECK(strstr(told.text, "0 gzip: ") == told.text || strstr(told.text, "-1 gzip") == told.text);
    gdvar_buffer_clear(stack);
    CHECK(gdvar_identify(raw("no save at all"), NULL, NULL, NULL, stack, &error) == 0);
    CHECK(holds(stack, "foreign"));
    options.as = text("tar");
    CHECK(gdvar_identify(raw("{}"), &options, NULL, NULL, NULL, &error) == code_of("bad_mode"));
    gdvar_buffer_free(zipped);
    gdvar_buffer_free(stack);
}

static void tell_code(void* user, const gdvar_code* code) {
    struct told* to = user;
    append_text(to, code->kind);
    append_text(to, text(" "));
    append_text(to, code->path);
    append_text(to, text(" "));
    append_text(to, code->what);
    append_text(to, text("\n"));
}

static void test_code(void) {
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    struct told told;
    gdvar_error error;
    uint64_t count = 99;
    gdvar_save* save = read_save(raw("[a]\nx=Object(GDScript,\"script/source\":\"\")\n"
                                     "y=Resource(\"user://b.tres\")\nz=1\n"),
                                 &options);
    memset(&told, 0, sizeof told);
    CHECK(gdvar_save_code(save, 100, tell_code, &told, &count, &error) == 0 && count == 2);
    CHECK(strcmp(told.text, "embedded_script $.a.x GDScript\noutside_file $.a.y user://b.tres\n") ==
          0);
    memset(&told, 0, sizeof told);
    CHECK(gdvar_save_code(save, 1, tell_code, &told, NULL, &error) == 0);
    CHECK(strcmp(told.text, "embedded_script $.a.x GDScript\n") == 0);
    CHECK(gdvar_save_code(save, 100, NULL, NULL, &count, NULL) == 0 && count == 2);
    gdvar_save_free(save);
    save = read_save(raw("[a]\nx=1\n"), &options);
    CHECK(gdvar_save_code(save, 100, tell_code, NULL, &count, &error) == 0 && count == 0);
    gdvar_save_free(save);
}

/* ---- options of opening ---- */

static void test_options_grow(void) {
    /* A program that was built with the header of GDVAR_C_ABI 7. */
    gdvar_save_options options;
    gdvar_save* save;
    memset(&options, 0xff, sizeof options);
    options.size = offsetof(gdvar_save_options, as);
    options.flags = 0;
    options.dialect = NULL;
    options.password = text("");
    options.key = bytes(NULL, 0);
    options.max_bytes = 1000;
    options.lock_wait_ms = 0;
    save = read_save(raw("{\"a\": 1}"), &options);
    CHECK(stack_is(save, "json"));
    gdvar_save_free(save);
}

static void test_values_that_hold_saves(void) {
    static const char outer[] = "{\"data\": \"{\\\"hp\\\": 1}\", \"b\": 2}";
    static const char lone[] = "\"[a]\\nb=1\\n\"";
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    gdvar_buffer *seven = parsed("7"), *to = buffer();
    gdvar_text inside[1];
    gdvar_error error;
    struct told told;
    gdvar_save* save;
    memset(&told, 0, sizeof told);
    inside[0] = text("$.data");
    options.inside = inside;
    options.inside_count = 1;
    save = read_save(raw(outer), &options);
    CHECK(stack_is(save, "json > string at $.data > json"));
    CHECK(gdvar_save_findings(save, tell_finding, &told, &error) == 0);
    CHECK(strstr(told.text, "0 string: ") && strstr(told.text, " at $.data\n"));
    CHECK(gdvar_save_set(save, text("$.hp"), gdvar_buffer_bytes(seven), 0, &error) == 0);
    CHECK(save_is(save, "{\"data\": \"{\\\"hp\\\": 7}\", \"b\": 2}"));
    gdvar_save_free(save);
    inside[0] = text("$.none");
    save = NULL;
    CHECK(gdvar_save_read(raw(outer), &options, &save, &error) == code_of("missing_key") && !save);
    options.inside_count = 0;
    /* A String that is all there is. */
    save = read_save(raw(lone), &options);
    CHECK(stack_is(save, "json > string > config"));
    gdvar_save_free(save);
    save = NULL;
    options.flags = GDVAR_NO_INSIDE;
    CHECK(gdvar_save_read(raw(lone), &options, &save, &error) == code_of("not_recognised"));
    options.flags = 0;
    options.as = text("deflate");
    CHECK(gdvar_wrap(raw("{}"), text("deflate"), NULL, to, &error) == 0);
    save = read_save(gdvar_buffer_bytes(to), &options);
    CHECK(stack_is(save, "deflate > json"));
    gdvar_save_free(save);
    options.max_layers = 0;
    save = NULL;
    options.as = text("");
    gdvar_buffer_clear(to);
    CHECK(gdvar_wrap(raw("{}"), text("gzip"), NULL, to, &error) == 0);
    CHECK(gdvar_save_read(gdvar_buffer_bytes(to), &options, &save, &error) ==
          code_of("not_recognised"));
    options.max_layers = UINT64_MAX;
    options.skip = 3;
    save = read_save(raw("abc{\"a\": 1}"), &options);
    CHECK(gdvar_save_erase(save, text("$.a"), &error) == 0 && save_is(save, "abc{}"));
    gdvar_save_free(save);
    gdvar_buffer_free(seven);
    gdvar_buffer_free(to);
}

static void test_keys(void) {
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    gdvar_named_key keys[3];
    gdvar_buffer *secret = buffer(), *again = buffer(), *to = buffer();
    struct told told;
    gdvar_error error;
    gdvar_save* save;
    memset(keys, 0, sizeof keys);
    memset(&told, 0, sizeof told);
    options.password = text("right");
    CHECK(gdvar_wrap(raw("{\"a\": 1}"), text("gdec-3 > gzip"), &options, secret, &error) == 0);
    options.password = text("");
    keys[0].name = text("an old one");
    keys[0].password = text("wrong");
    keys[1].name = text("a key");
    keys[1].key = raw("0123456789abcdef0123456789abcdef");
    keys[2].name = text("the game's");
    keys[2].password = text("right");
    options.keys = keys;
    options.key_count = 3;
    save = read_save(gdvar_buffer_bytes(secret), &options);
    CHECK(stack_is(save, "gdec-3 > gzip > json"));
    CHECK(gdvar_save_findings(save, tell_finding, &told, &error) == 0);
    CHECK(strstr(told.text, " with the game's\n1 gzip: "));
    CHECK(gdvar_save_erase(save, text("$.a"), &error) == 0);
    CHECK(gdvar_save_bytes(save, again, &error) == 0);
    gdvar_save_free(save);
    CHECK(gdvar_unwrap(gdvar_buffer_bytes(again), &options, to, NULL, &error) == 0 &&
          holds(to, "{}"));
    options.key_count = 2;
    save = NULL;
    CHECK(gdvar_save_read(gdvar_buffer_bytes(secret), &options, &save, &error) ==
          code_of("bad_checksum"));
    keys[1].key = raw("short");
    CHECK(gdvar_save_read(gdvar_buffer_bytes(secret), &options, &save, &error) ==
          code_of("bad_key"));
    gdvar_buffer_free(secret);
    gdvar_buffer_free(again);
    gdvar_buffer_free(to);
}

/* ---- texts ---- */

static void test_texts(void) {
    static const char config[] =
        "; mine\n[audio]\nvolume = 0.80 ; loud\nnode=Object(Node,\"name\":\"x\")\n";
    gdvar_buffer *half = parsed("0.5"), *key = parsed("\"level\""), *vector = parsed("&\"x\"");
    gdvar_buffer* to = buffer();
    gdvar_save* save = read_save(raw(config), NULL);
    struct refused refused;
    gdvar_error error;
    CHECK(gdvar_save_get(save, text("$.audio.node.name"), to, &error) == 0);
    CHECK(gdvar_save_set(save, text("$.audio.volume"), gdvar_buffer_bytes(half), 0, &error) == 0);
    CHECK(
        save_is(save, "; mine\n[audio]\nvolume = 0.5 ; loud\nnode=Object(Node,\"name\":\"x\")\n"));
    CHECK(gdvar_save_rename(save, text("$.audio.volume"), gdvar_buffer_bytes(key), &error) == 0);
    CHECK(save_is(save, "; mine\n[audio]\nlevel = 0.5 ; loud\nnode=Object(Node,\"name\":\"x\")\n"));
    CHECK(gdvar_save_rename(save, text("$.audio.none"), gdvar_buffer_bytes(key), &error) ==
          code_of("missing_key"));
    CHECK(gdvar_save_explain(save, keep_refusal, &refused) == error.code);
    CHECK(gdvar_save_rename(save, text("$.audio.level"), bytes("\4\0\0", 3), &error) ==
          code_of("truncated"));
    CHECK(gdvar_save_explain(save, keep_refusal, &refused) == error.code &&
          strncmp(refused.what, "the new key at $: ", 18) == 0);
    gdvar_save_free(save);
    save = read_save(raw("{ \"a\": 1 }\r\n{ \"a\": 2 }\r\n"), NULL);
    CHECK(stack_is(save, "json-lines") && gdvar_save_count(save) == 2);
    CHECK(gdvar_save_insert(save, 1, gdvar_buffer_bytes(half), &error) == 0);
    CHECK(gdvar_save_remove(save, 0, &error) == 0);
    CHECK(save_is(save, "0.5\r\n{ \"a\": 2 }\r\n"));
    CHECK(gdvar_save_set(save, text("#1 $.a"), gdvar_buffer_bytes(vector), GDVAR_SET_TYPE,
                         &error) == code_of("not_in_dialect"));
    gdvar_save_free(save);
    gdvar_buffer_free(half);
    gdvar_buffer_free(key);
    gdvar_buffer_free(vector);
    gdvar_buffer_free(to);
}

static void test_patches(void) {
    gdvar_save* from = read_save(raw("[a]\nb = 1 ; here\nc=2\n"), NULL);
    gdvar_save* to = read_save(raw("[a]\nb=3\nd=4\n"), NULL);
    gdvar_save* lines = read_save(raw("{\"a\": 1}\n{\"a\": 2}\n"), NULL);
    gdvar_buffer *patch = buffer(), *none = buffer(), *path = buffer();
    gdvar_error error;
    CHECK(gdvar_save_diff(from, to, patch, &error) == 0);
    CHECK(gdvar_save_patch(from, gdvar_buffer_bytes(patch), &error) == 0);
    CHECK(save_is(from, "[a]\nb = 3 ; here\nd=4\n"));
    CHECK(gdvar_save_patch(from, gdvar_buffer_bytes(patch), &error) == code_of("bad_path"));
    CHECK(error.source == GDVAR_FROM_PATCH && error.change < 3);
    CHECK(gdvar_change_path(gdvar_buffer_bytes(patch), error.change, path, &error) == 0 &&
          holds(path, "$.a.c"));
    CHECK(save_is(from, "[a]\nb = 3 ; here\nd=4\n"));
    CHECK(gdvar_save_diff(from, lines, none, &error) == code_of("wrong_type") &&
          gdvar_buffer_bytes(none).size == 0);
    CHECK(gdvar_save_patch(from, raw("xx"), &error) == code_of("truncated"));
    gdvar_save_free(from);
    gdvar_save_free(to);
    gdvar_save_free(lines);
    gdvar_buffer_free(patch);
    gdvar_buffer_free(none);
    gdvar_buffer_free(path);
}

/* ---- converted and made ---- */

static void tell_loss(void* user, const gdvar_loss* loss) {
    struct told* to = user;
    append_text(to, loss->path);
    append_text(to, text(": "));
    append_text(to, loss->what);
    append_text(to, text(" | "));
    append_text(to, loss->substitution);
    append_text(to, text("\n"));
}

static void test_conversions(void) {
    const gdvar_dialect *three = gdvar_find_dialect("godot3"), *four = gdvar_find_dialect("godot4");
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    gdvar_save* save = read_save(raw("[a]\nb = PoolIntArray( 1, 2 ) ; here\n"), NULL);
    gdvar_buffer *to = buffer(), *records = buffer(), *path = buffer();
    gdvar_buffer* name = parsed("{\"at\": &\"x\"}");
    gdvar_save_item items[2];
    struct told told;
    gdvar_text own;
    gdvar_error error;
    own.data = NULL;
    own.size = 0;
    memset(&told, 0, sizeof told);
    CHECK(gdvar_save_convert(save, four, own, to, tell_loss, &told, &error, NULL) == 0);
    CHECK(holds(to, "[a]\nb = PackedInt32Array(1, 2) ; here\n") && !told.text[0]);
    gdvar_save_free(save);
    items[0].name = items[1].name = text("");
    items[0].packet = items[1].packet = gdvar_buffer_bytes(name);
    CHECK(gdvar_make_document(text("records"), items, 2, NULL, records, &error, NULL) == 0);
    save = read_save(gdvar_buffer_bytes(records), NULL);
    CHECK(gdvar_save_count(save) == 2 && stack_is(save, "godot-4.4 records"));
    gdvar_buffer_clear(to);
    CHECK(gdvar_save_convert(save, three, text("gzip"), to, tell_loss, &told, &error, path) == 0);
    CHECK(strcmp(told.text,
                 "#0 $.at: StringName does not exist in godot-3.1 | becomes a String\n"
                 "#1 $.at: StringName does not exist in godot-3.1 | becomes a String\n") == 0);
    CHECK(gdvar_save_convert(save, three, text("gdec-3"), to, NULL, NULL, &error, path) ==
          code_of("bad_key"));
    CHECK(gdvar_save_convert(save, three, text("tar"), to, NULL, NULL, &error, path) ==
          code_of("bad_mode"));
    gdvar_save_free(save);
    options.dialect = three;
    save = read_save(gdvar_buffer_bytes(to), &options);
    CHECK(stack_is(save, "gzip > godot-3.1 records"));
    gdvar_save_free(save);
    gdvar_buffer_clear(to);
    CHECK(gdvar_make_document(text("json"), items, 1, NULL, to, &error, path) ==
          code_of("not_in_dialect"));
    CHECK(gdvar_buffer_bytes(to).size == 0);
    CHECK(gdvar_make_document(text("json"), items, 2, NULL, to, &error, NULL) != 0);
    CHECK(gdvar_make_document(text("none"), items, 1, NULL, to, &error, NULL) ==
          code_of("bad_mode"));
    CHECK(gdvar_make_document(text("binary-resource"), items, 1, NULL, to, &error, NULL) ==
          code_of("unsupported_type"));
    CHECK(gdvar_make_document(text("packets"), items, 2, NULL, to, &error, NULL) == 0);
    save = read_save(gdvar_buffer_bytes(to), NULL);
    CHECK(gdvar_save_count(save) == 2 && stack_is(save, "godot-4.4 packets"));
    gdvar_save_free(save);
    gdvar_buffer_clear(to);
    gdvar_buffer_free(to);
    gdvar_buffer_free(records);
    gdvar_buffer_free(path);
    gdvar_buffer_free(name);
}

/* ---- damaged saves ---- */

static void test_recovery(void) {
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    gdvar_buffer *packet = buffer(), *file = buffer(), *to = buffer(), *words = buffer();
    gdvar_recovery* recovery = NULL;
    gdvar_recovered item;
    gdvar_error error;
    gdvar_save* save;
    gdvar_bytes whole;
    gdvar_text own;
    int certain = -1;
    own.data = NULL;
    own.size = 0;
    write_player(packet);
    CHECK(gdvar_append_frame(gdvar_buffer_bytes(packet), 0, file, &error) == 0);
    CHECK(gdvar_append_frame(gdvar_buffer_bytes(packet), 0, file, &error) == 0);
    whole = gdvar_buffer_bytes(file);
    CHECK(gdvar_recover(whole, NULL, &recovery, &error) == 0 && gdvar_recovery_sound(recovery));
    CHECK(gdvar_recovery_write(recovery, own, NULL, to, &error) == 0);
    CHECK(gdvar_buffer_bytes(to).size == whole.size);
    gdvar_recovery_free(recovery);
    recovery = NULL;
    whole.size -= 4;
    CHECK(gdvar_recover(whole, NULL, &recovery, &error) == 0 && !gdvar_recovery_sound(recovery));
    CHECK(gdvar_recovery_count(recovery) == 2);
    CHECK(gdvar_recovery_at(recovery, 0).state == GDVAR_WHOLE &&
          gdvar_recovery_at(recovery, 2).packet.size == 0);
    item = gdvar_recovery_at(recovery, 1);
    CHECK(item.state == GDVAR_PARTIAL && is_text(item.break_at, "$.bag[1]") &&
          item.broken.code == code_of("truncated") && item.offset > 0 && !item.found_again);
    CHECK(is_text(gdvar_recovery_kind(recovery).name, "records"));
    CHECK(gdvar_recovery_dialect(recovery, &certain) && (certain == 0 || certain == 1));
    CHECK(gdvar_recovery_stack(recovery, words, &error) == 0 && holds(words, "godot-4.4 records"));
    gdvar_buffer_clear(words);
    CHECK(gdvar_recovery_layers(recovery, words, &error) == 0 && holds(words, ""));
    CHECK(gdvar_recovery_note_at(recovery, 1000).size == 0);
    CHECK(gdvar_recovery_content(recovery).size == whole.size &&
          memcmp(gdvar_recovery_content(recovery).data, whole.data, whole.size) == 0);
    gdvar_buffer_clear(to);
    CHECK(gdvar_recovery_write(recovery, text("gdec-4"), NULL, to, &error) == code_of("bad_key"));
    options.password = text("x");
    CHECK(gdvar_recovery_write(recovery, text("gdec-4"), &options, to, &error) == 0);
    save = read_save(gdvar_buffer_bytes(to), &options);
    CHECK(gdvar_save_count(save) == 2);
    gdvar_save_free(save);
    gdvar_recovery_free(recovery);
    recovery = NULL;
    options.flags = GDVAR_NO_PARTIAL;
    CHECK(gdvar_recover(whole, &options, &recovery, &error) == 0);
    CHECK(gdvar_recovery_count(recovery) == 1 && gdvar_recovery_lost_count(recovery) == 1);
    CHECK(gdvar_recovery_lost_at(recovery, 0).layer == GDVAR_NO_LAYER &&
          gdvar_recovery_lost_at(recovery, 0).end == whole.size &&
          gdvar_recovery_lost_at(recovery, 0).reason.size > 0);
    CHECK(gdvar_recovery_lost_at(recovery, 1).reason.size == 0);
    gdvar_recovery_free(recovery);
    recovery = NULL;
    CHECK(gdvar_recover(raw("nothing"), NULL, &recovery, &error) == code_of("not_recognised"));
    gdvar_recovery_free(NULL);
    CHECK(!recovery);
    gdvar_buffer_free(packet);
    gdvar_buffer_free(file);
    gdvar_buffer_free(to);
    gdvar_buffer_free(words);
}

static void test_damaged_layers(void) {
    gdvar_buffer *packet = buffer(), *file = buffer(), *packed = buffer();
    gdvar_recovery* recovery = NULL;
    gdvar_lost lost;
    gdvar_error error;
    gdvar_bytes cut;
    int i;
    write_player(packet);
    for (i = 0; i < 500; ++i)
        CHECK(gdvar_append_frame(gdvar_buffer_bytes(packet), 0, file, &error) == 0);
    CHECK(gdvar_wrap(gdvar_buffer_bytes(file), text("gcpf-zstd"), NULL, packed, &error) == 0);
    cut = gdvar_buffer_bytes(packed);
    cut.size = cut.size * 2 / 3;
    CHECK(gdvar_recover(cut, NULL, &recovery, &error) == 0);
    CHECK(gdvar_recovery_count(recovery) > 100 && gdvar_recovery_count(recovery) < 500);
    CHECK(gdvar_recovery_lost_count(recovery) > 0);
    lost = gdvar_recovery_lost_at(recovery, 0);
    CHECK(lost.layer == 0 && lost.end > lost.begin && lost.reason.size > 0 && lost.code);
    gdvar_recovery_free(recovery);
    gdvar_buffer_free(packet);
    gdvar_buffer_free(file);
    gdvar_buffer_free(packed);
}

/* ---- files in a file ---- */

/* A pack of format 1 with two files. Returns its size. */
static size_t make_pack(unsigned char* to) {
    static const char* names[] = {"res://a.cfg", "../b"};
    size_t at = 0, i;
    memset(to, 0, 400);
    memcpy(to, "GDPC", 4);
    to[4] = 1, to[8] = 3, to[12] = 2;
    to[84] = 2;
    for (i = 0, at = 88; i < 2; ++i) {
        const size_t size = strlen(names[i]), padded = (size + 3) / 4 * 4;
        to[at] = (unsigned char)padded;
        memcpy(to + at + 4, names[i], size);
        at += 4 + padded;
        to[at] = 200, to[at + 8] = 8;
        memset(to + at + 16, i ? 0xAB : 0, 16); /* zeros: none */
        at += 32;
    }
    memcpy(to + 200, "[a]\nb=1\n", 8);
    return 208;
}
struct listed {
    size_t count, hostile, with_md5;
    char last[40];
    uint64_t offset, size;
    uint8_t md5;
};
static void list_entry(void* user, const gdvar_entry* entry) {
    struct listed* to = user;
    ++to->count;
    to->hostile += (entry->flags & GDVAR_ENTRY_HOSTILE) != 0;
    to->with_md5 += (entry->flags & GDVAR_ENTRY_MD5) != 0;
    CHECK(entry->flags & GDVAR_ENTRY_OFFSET);
    CHECK(!(entry->flags & (GDVAR_ENTRY_ENCRYPTED | GDVAR_ENTRY_ABSENT)));
    CHECK(((entry->flags & GDVAR_ENTRY_HOSTILE) != 0) == (entry->note_count != 0));
    CHECK(entry->name.size < sizeof to->last);
    memcpy(to->last, entry->name.data, entry->name.size);
    to->last[entry->name.size] = '\0';
    to->offset = entry->offset;
    to->size = entry->size;
    to->md5 = entry->md5[0];
}
static void test_entries(void) {
    unsigned char pack[400];
    const size_t size = make_pack(pack);
    const char* path = "c_entries_test.pck";
    gdvar_buffer *words = buffer(), *zipped = buffer();
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    const gdvar_text inside = text("a.cfg");
    struct listed found = {0};
    gdvar_save* save;
    gdvar_error error;
    FILE* file = fopen(path, "wb");
    CHECK(file && fwrite(pack, 1, size, file) == size && fclose(file) == 0);
    CHECK(gdvar_list_entries(path, NULL, list_entry, &found, words, &error) == 0);
    CHECK(found.count == 2 && found.hostile == 1 && found.with_md5 == 1);
    CHECK(strcmp(found.last, "../b") == 0 && found.offset == 200 && found.size == 8 &&
          found.md5 == 0xAB);
    CHECK(gdvar_buffer_bytes(words).size > 10);
    remove(path);
    CHECK(gdvar_list_entries(path, NULL, list_entry, &found, NULL, &error) == code_of("io"));
    memset(&found, 0, sizeof found);
    CHECK(gdvar_wrap(bytes(pack, size), text("gzip"), NULL, zipped, &error) == 0);
    CHECK(gdvar_read_entries(gdvar_buffer_bytes(zipped), NULL, list_entry, &found, NULL, &error) ==
          0);
    CHECK(found.count == 2);
    CHECK(gdvar_read_entries(raw("words"), NULL, list_entry, &found, words, &error) ==
          code_of("not_recognised"));
    CHECK(gdvar_read_entries(bytes(pack, 100), NULL, list_entry, &found, words, &error) != 0);
    CHECK(found.count == 2);
    options.entries = &inside;
    options.entry_count = 1;
    save = read_save(bytes(pack, size), &options);
    CHECK(stack_is(save, "pack > config") && gdvar_save_only_read(save));
    gdvar_save_free(save);
    gdvar_buffer_free(words);
    gdvar_buffer_free(zipped);
}

/* ---- limits ---- */

static void test_text_limit(void) {
    gdvar_buffer* zipped = buffer();
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    gdvar_save* save = NULL;
    gdvar_error error;
    char json[3000];
    memset(json, ' ', sizeof json);
    memcpy(json, "{\"a\": 1}", 8);
    CHECK(gdvar_wrap(bytes(json, sizeof json), text("gzip"), NULL, zipped, &error) == 0);
    options.max_text = 2999;
    CHECK(gdvar_save_read(gdvar_buffer_bytes(zipped), &options, &save, &error) ==
          code_of("size_limit"));
    options.max_text = 3000;
    save = read_save(gdvar_buffer_bytes(zipped), &options);
    gdvar_save_free(save);
    gdvar_buffer_free(zipped);
}

int main(void) {
    test_kinds();
    test_findings();
    test_code();
    test_options_grow();
    test_values_that_hold_saves();
    test_keys();
    test_texts();
    test_patches();
    test_conversions();
    test_recovery();
    test_damaged_layers();
    test_entries();
    test_text_limit();
    printf("%d failed\n", failures);
    return failures != 0;
}
