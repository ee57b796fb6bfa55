/* Saves: opened, changed, written, and what is refused of them. */
#include "support.h"

static void test_saves(void) {
    gdvar_buffer *packet = buffer(), *wrapped = buffer(), *to = buffer(), *layers = buffer(),
                 *value = buffer();
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    gdvar_save* save = NULL;
    gdvar_error error;
    write_player(packet);
    options.password = text("secret");
    CHECK(gdvar_wrap(gdvar_buffer_bytes(packet), text("base64 gdec-4 gcpf-zstd"), &options, wrapped,
                     &error) == 0);
    CHECK(gdvar_wrap(gdvar_buffer_bytes(packet), text("tar"), NULL, to, &error) ==
          gdvar_error_code("bad_mode"));
    CHECK(gdvar_unwrap(gdvar_buffer_bytes(wrapped), &options, to, layers, &error) == 0);
    CHECK(holds(layers, "base64 gdec-4 gcpf-zstd") &&
          gdvar_buffer_bytes(to).size == gdvar_buffer_bytes(packet).size);
    CHECK(gdvar_save_read(gdvar_buffer_bytes(wrapped), NULL, &save, &error) ==
              gdvar_error_code("bad_key") &&
          !save);
    CHECK(gdvar_save_read(gdvar_buffer_bytes(wrapped), &options, &save, &error) == 0 && save);
    CHECK(gdvar_save_count(save) == 1 &&
          gdvar_save_at(save, 0).packet.size == gdvar_buffer_bytes(packet).size);
    CHECK(gdvar_save_at(save, 1).packet.size == 0 && !gdvar_save_changed(save));
    gdvar_bytes content;
    gdvar_place place;
    size_t index = 7;
    uint64_t offset = 7;
    CHECK(gdvar_save_content(save, &content, &error) == 0 &&
          content.size == gdvar_buffer_bytes(packet).size);
    CHECK(gdvar_save_place(save, 0, 8, &place, &error) == 0 && place.begin == 8 &&
          place.end == 20 && place.key_end == 0);
    CHECK(gdvar_save_place(save, 1, 0, &place, &error) == gdvar_error_code("index_out_of_range"));
    CHECK(gdvar_save_value_at(save, 9, &index, &offset, &error) == 0 && index == 0 && offset == 9);
    CHECK(gdvar_save_value_at(save, content.size, &index, &offset, &error) ==
          gdvar_error_code("index_out_of_range"));
    CHECK(gdvar_save_place_of(save, text("$.hp"), &place, &error) == 0 && place.begin == 44 &&
          place.end == 52);
    CHECK(gdvar_save_place_of(save, text("$.no"), &place, &error) ==
          gdvar_error_code("missing_key"));
    CHECK(gdvar_save_explain(save, NULL, NULL) == gdvar_error_code("missing_key"));
    gdvar_buffer_clear(to);
    CHECK(gdvar_save_path_at(save, content.size - 1, to, &error) == 0 && holds(to, "$.bag[1]"));
    gdvar_buffer_clear(to);
    CHECK(gdvar_save_path_at(save, 9, to, &error) == 0 && holds(to, "$.name"));
    CHECK(gdvar_save_path_at(save, content.size, to, &error) ==
          gdvar_error_code("index_out_of_range"));
    CHECK(is_text(gdvar_dialect_name(gdvar_save_dialect(save)), "godot-4.4"));
    gdvar_buffer_clear(layers);
    CHECK(gdvar_save_layers(save, layers, &error) == 0 && holds(layers, "base64 gdec-4 gcpf-zstd"));
    gdvar_buffer_clear(to);
    CHECK(gdvar_save_get(save, text("$.hp"), to, &error) == 0 && gdvar_buffer_bytes(to).size == 8);
    CHECK(gdvar_parse(text("\"lots\""), GDVAR_TEXT, NULL, value, &error) == 0);
    CHECK(gdvar_save_set(save, text("$.hp"), gdvar_buffer_bytes(value), 0, &error) ==
          gdvar_error_code("wrong_type"));
    CHECK(gdvar_save_set(save, text("$.hp"), gdvar_buffer_bytes(value), GDVAR_SET_TYPE, &error) ==
          0);
    CHECK(gdvar_save_set(save, text("$.xp"), gdvar_buffer_bytes(value), 0, &error) ==
          gdvar_error_code("missing_key"));
    CHECK(gdvar_save_set(save, text("$.xp"), gdvar_buffer_bytes(value), GDVAR_SET_CREATE, &error) ==
          0);
    CHECK(gdvar_save_erase(save, text("$.bag"), &error) == 0 && gdvar_save_changed(save));
    gdvar_buffer_clear(to);
    CHECK(gdvar_save_bytes(save, to, &error) == 0 && gdvar_buffer_bytes(to).size > 0);
    CHECK(gdvar_save_write(save, NULL, &error) == gdvar_error_code("io") && error.system != 0);
    gdvar_save_free(save);
    save = NULL;
    CHECK(gdvar_save_open("/no/such/file", NULL, &save, &error) == gdvar_error_code("io"));
    CHECK(error.source == GDVAR_FROM_FILE && error.system != 0 && !save);
    gdvar_save_free(NULL);
    gdvar_buffer_free(packet);
    gdvar_buffer_free(wrapped);
    gdvar_buffer_free(to);
    gdvar_buffer_free(layers);
    gdvar_buffer_free(value);
}

static int keep_match(void* user, const gdvar_match* match) {
    char* paths = user;
    CHECK(match->node == GDVAR_NO_NODE && match->packet.size >= 8);
    strncat(paths, match->path.data, match->path.size);
    return 1;
}
static int stop(void* user, const gdvar_match* match) {
    (void)user;
    (void)match;
    return 0;
}
static void keep_first_refusal(void* user, const gdvar_refusal* refusal) {
    gdvar_refusal* kept = user;
    *kept = *refusal;
    CHECK(is_text(refusal->at, "$.b[1]") && refusal->what.size != 0);
}

/* All values that a path leads to. */
static void test_several_values(void) {
    static const char json[] = "{\"a\": [1, 2], \"b\": [3, \"x\"]}";
    static const char broken[] = "{\"a\":\n 1 2}";
    gdvar_buffer *value = buffer(), *to = buffer();
    gdvar_save* save = NULL;
    gdvar_error error;
    gdvar_refusal refusal;
    size_t count = 0;
    char paths[64] = "";
    CHECK(gdvar_save_read(bytes(json, sizeof json - 1), NULL, &save, &error) == 0);
    CHECK(gdvar_save_find_each(save, text("$[*][0]"), keep_match, paths, &count, &error) == 0 &&
          count == 2 && strcmp(paths, "$.a[0]$.b[0]") == 0);
    CHECK(gdvar_save_find_each(save, text("$..a"), stop, NULL, &count, NULL) == 0 && count == 1);
    CHECK(gdvar_save_find_each(save, text("$..no"), stop, NULL, &count, &error) ==
          gdvar_error_code("missing_key"));
    CHECK(gdvar_save_find_each(save, text("$"), NULL, NULL, NULL, &error) ==
          gdvar_error_code("misplaced"));
    CHECK(gdvar_parse(text("7"), GDVAR_TEXT, NULL, value, &error) == 0);
    CHECK(gdvar_save_set_all(save, text("$[*][*]"), gdvar_buffer_bytes(value), 0, &count, &error) ==
          gdvar_error_code("wrong_type"));
    CHECK(gdvar_save_explain(save, keep_first_refusal, &refusal) ==
              gdvar_error_code("wrong_type") &&
          refusal.needs == GDVAR_NEEDS_TYPE);
    CHECK(!gdvar_save_changed(save));
    CHECK(gdvar_save_undo(save, &error) == gdvar_error_code("misplaced"));
    CHECK(gdvar_save_keep_changes(save, 0, &error) == 0 && gdvar_save_undo_count(save) == 0);
    CHECK(gdvar_save_set_all(save, text("$.a[*]"), gdvar_buffer_bytes(value), 0, &count, &error) ==
              0 &&
          count == 2);
    CHECK(gdvar_save_erase_all(save, text("$.b[*]"), &count, &error) == 0 && count == 2);
    CHECK(gdvar_save_erase_all(save, text("$.no"), NULL, NULL) == gdvar_error_code("missing_key"));
    gdvar_buffer_clear(to);
    CHECK(gdvar_save_bytes(save, to, &error) == 0 && holds(to, "{\"a\": [7, 7], \"b\": []}"));
    CHECK(gdvar_save_change_count(save) == 2 && gdvar_save_undo_count(save) == 2);
    CHECK(gdvar_save_undo(save, &error) == 0 && gdvar_save_undo(save, &error) == 0);
    CHECK(gdvar_save_undo(save, &error) == gdvar_error_code("misplaced"));
    CHECK(gdvar_save_redo_count(save) == 2 && !gdvar_save_changed(save));
    gdvar_buffer_clear(to);
    CHECK(gdvar_save_bytes(save, to, &error) == 0 && holds(to, json));
    CHECK(gdvar_save_redo(save, &error) == 0 && gdvar_save_redo_count(save) == 1);
    gdvar_buffer_clear(to);
    CHECK(gdvar_save_bytes(save, to, &error) == 0 &&
          holds(to, "{\"a\": [7, 7], \"b\": [3, \"x\"]}"));
    gdvar_save_free(save);
    CHECK(gdvar_save_read(bytes(broken, sizeof broken - 1), NULL, &save, &error) ==
          gdvar_error_code("bad_syntax"));
    CHECK(error.source == GDVAR_FROM_FILE && error.line == 2 && error.column == 4);
    gdvar_buffer_free(value);
    gdvar_buffer_free(to);
}

/* Bytes behind the value of a record. */
static void test_check(void) {
    static const char records[] = {8, 0,  0, 0, 2, 0, 0, 0, 42, 0, 0, 0, 9, 0, 0,  0, 2, 0, 0,
                                   0, 42, 0, 0, 0, 7, 8, 0, 0,  0, 2, 0, 0, 0, 42, 0, 0, 0};
    gdvar_buffer* path = buffer();
    gdvar_save* save = NULL;
    gdvar_error error;
    CHECK(gdvar_save_read(bytes(records, 12), NULL, &save, &error) == 0);
    CHECK(gdvar_save_check(save, &error, path) == 0);
    gdvar_save_free(save);
    CHECK(gdvar_save_read(bytes(records, sizeof records), NULL, &save, &error) == 0);
    CHECK(gdvar_save_check(save, &error, path) == gdvar_error_code("trailing_bytes") &&
          error.offset == 8 && holds(path, "#1 $"));
    CHECK(gdvar_save_check(save, NULL, NULL) == gdvar_error_code("trailing_bytes"));
    CHECK(gdvar_save_check(NULL, &error, NULL) == gdvar_error_code("misplaced"));
    gdvar_save_free(save);
    gdvar_buffer_free(path);
}

struct sums {
    int count, mended;
    char path[32], now[64];
};
static void keep_sum(void* user, const gdvar_stale_sum* sum) {
    struct sums* kept = user;
    ++kept->count;
    kept->mended += sum->mended;
    if (sum->path.size < sizeof kept->path)
        memcpy(kept->path, sum->path.data, sum->path.size);
    if (sum->now.size < sizeof kept->now)
        memcpy(kept->now, sum->now.data, sum->now.size);
    CHECK(sum->was.size && sum->of.size && sum->text.size > sum->was.size + sum->of.size);
}

/* The size of a text, which stands beside it. */
static void test_sums(void) {
    static const char json[] = "{\"size\": 20, \"data\": \"twenty characters, 1\"}";
    gdvar_buffer *value = buffer(), *to = buffer();
    gdvar_save* save = NULL;
    gdvar_error error;
    struct sums sums;
    CHECK(gdvar_save_read(bytes(json, sizeof json - 1), NULL, &save, &error) == 0);
    CHECK(gdvar_parse(text("\"more than twenty characters\""), GDVAR_TEXT, NULL, value, &error) ==
          0);
    CHECK(gdvar_save_set(save, text("$.data"), gdvar_buffer_bytes(value), 0, &error) == 0);
    memset(&sums, 0, sizeof sums);
    gdvar_save_stale_sums(save, keep_sum, &sums);
    CHECK(sums.count == 0);
    CHECK(gdvar_save_bytes(save, to, &error) == 0);
    gdvar_save_stale_sums(save, keep_sum, &sums);
    CHECK(sums.count == 1 && sums.mended == 0 && strcmp(sums.path, "$.size") == 0 &&
          strcmp(sums.now, "27") == 0);
    gdvar_buffer_clear(to);
    gdvar_save_update_sums(save, 1);
    CHECK(gdvar_save_bytes(save, to, &error) == 0);
    CHECK(holds(to, "{\"size\": 27, \"data\": \"more than twenty characters\"}"));
    memset(&sums, 0, sizeof sums);
    gdvar_save_stale_sums(save, keep_sum, &sums);
    CHECK(sums.count == 1 && sums.mended == 1);
    gdvar_save_free(save);
    gdvar_buffer_free(value);
    gdvar_buffer_free(to);
}

/* Two records, wrapped as store_var writes them. */
static gdvar_save* two_records(void) {
    gdvar_buffer *packet = buffer(), *file = buffer();
    gdvar_save* save = NULL;
    gdvar_error error;
    write_player(packet);
    CHECK(gdvar_append_frame(gdvar_buffer_bytes(packet), 0, file, &error) == 0);
    CHECK(gdvar_append_frame(gdvar_buffer_bytes(packet), 0, file, &error) == 0);
    CHECK(gdvar_save_read(gdvar_buffer_bytes(file), NULL, &save, &error) == 0);
    gdvar_buffer_free(packet);
    gdvar_buffer_free(file);
    return save;
}

static void test_explained_saves(void) {
    gdvar_buffer *value = buffer(), *to = buffer();
    gdvar_save* save = two_records();
    struct refused refused;
    gdvar_error error;
    const uint16_t wrong_type = gdvar_error_code("wrong_type");
    CHECK(gdvar_save_count(save) == 2);
    CHECK(gdvar_save_explain(save, keep_refusal, &refused) == 0);
    CHECK(gdvar_save_get(save, text("#1 $.bag[5]"), to, &error) != 0);
    CHECK(gdvar_save_explain(save, keep_refusal, &refused) == error.code);
    CHECK(is_refused(&refused, "index_out_of_range", GDVAR_NEEDS_ANOTHER_PATH, "#1 $.bag",
                     "no [5]: 2 elements, [0] to [1]"));
    CHECK(gdvar_save_get(save, text("#7 $"), to, &error) != 0);
    CHECK(gdvar_save_explain(save, keep_refusal, &refused) == error.code);
    CHECK(strcmp(refused.at, "#7 $") == 0 && refused.refusal.code == error.code);
    CHECK(gdvar_save_erase(save, text("#0 $.hpp"), &error) != 0);
    CHECK(gdvar_save_explain(save, keep_refusal, &refused) == error.code);
    CHECK(is_refused(&refused, "missing_key", GDVAR_NEEDS_ANOTHER_PATH, "#0 $",
                     "no .hpp (did you mean .hp?)"));
    CHECK(gdvar_parse(text("\"lots\""), GDVAR_TEXT, NULL, value, &error) == 0);
    CHECK(gdvar_save_set(save, text("#0 $.hp"), gdvar_buffer_bytes(value), 0, &error) ==
          wrong_type);
    CHECK(gdvar_save_explain(save, keep_refusal, &refused) == wrong_type);
    CHECK(is_refused(&refused, "wrong_type", GDVAR_NEEDS_TYPE, "#0 $.hp",
                     "this is an int, the value is a String") &&
          refused.refusal.type == GDVAR_STRING);
    CHECK(gdvar_save_set(save, text("#-1 $.xp"), gdvar_buffer_bytes(value), 0, &error) != 0);
    CHECK(gdvar_save_explain(save, keep_refusal, &refused) == error.code);
    CHECK(is_refused(&refused, "missing_key", GDVAR_NEEDS_CREATE, "#-1 $",
                     "no .xp (did you mean .hp?)"));
    CHECK(gdvar_save_set(save, text("#0 $.bag[2]"), gdvar_buffer_bytes(value), 0, &error) != 0);
    CHECK(gdvar_save_explain(save, keep_refusal, &refused) == error.code);
    CHECK(is_refused(&refused, "index_out_of_range", GDVAR_NEEDS_APPEND, "#0 $.bag",
                     "no [2]: 2 elements, [0] to [1]"));
    CHECK(gdvar_save_set(save, text("$.hp"), gdvar_buffer_bytes(value), 0, &error) != 0);
    CHECK(gdvar_save_explain(save, keep_refusal, &refused) == error.code);
    CHECK(strcmp(refused.at, "$.hp") == 0 && refused.refusal.needs == GDVAR_NEEDS_ANOTHER_PATH);
    CHECK(gdvar_save_set(save, text("#0 $.hp"), bytes("\4\0\0", 3), 0, &error) ==
          gdvar_error_code("truncated"));
    CHECK(gdvar_save_explain(save, keep_refusal, &refused) == error.code);
    CHECK(strcmp(refused.at, "#0 $.hp") == 0 &&
          strncmp(refused.what, "the new value at $: ", 20) == 0);
    CHECK(gdvar_save_get(save, text("#0 $.hp"), to, &error) == 0);
    CHECK(gdvar_save_explain(save, keep_refusal, &refused) == 0);
    gdvar_save_free(save);
    gdvar_buffer_free(value);
    gdvar_buffer_free(to);
}

static void test_records(void) {
    gdvar_buffer *value = buffer(), *to = buffer();
    gdvar_save* save = two_records();
    struct refused refused;
    gdvar_error error;
    const gdvar_bytes record = gdvar_save_at(save, 1).packet;
    const uint16_t out_of_range = gdvar_error_code("index_out_of_range");
    CHECK(gdvar_parse(text("[1, \"two\"]"), GDVAR_TEXT, NULL, value, &error) == 0);
    CHECK(gdvar_save_insert(save, 2, gdvar_buffer_bytes(value), &error) == 0);
    CHECK(gdvar_save_insert(save, -2, gdvar_buffer_bytes(value), &error) == 0);
    CHECK(gdvar_save_count(save) == 4 && gdvar_save_at(save, 2).packet.data == record.data);
    CHECK(gdvar_save_changed(save) && gdvar_save_explain(save, NULL, NULL) == 0);
    CHECK(gdvar_save_replace(save, 0, record, &error) == 0);
    CHECK(gdvar_save_remove(save, -3, &error) == 0 && gdvar_save_count(save) == 3);
    CHECK(gdvar_save_get(save, text("#2 $[0]"), to, &error) == 0);
    CHECK(gdvar_save_insert(save, 4, record, &error) == out_of_range);
    CHECK(gdvar_save_explain(save, keep_refusal, &refused) == out_of_range);
    CHECK(strcmp(refused.at, "#4") == 0 && refused.what[0]);
    CHECK(gdvar_save_replace(save, 3, record, &error) == out_of_range);
    CHECK(gdvar_save_remove(save, -4, &error) == out_of_range);
    CHECK(gdvar_save_insert(save, 0, bytes("\2\0\0\0", 4), &error) ==
          gdvar_error_code("truncated"));
    CHECK(gdvar_save_remove(save, 0, &error) == 0 && gdvar_save_remove(save, 0, &error) == 0);
    CHECK(gdvar_save_remove(save, 0, &error) == gdvar_error_code("misplaced"));
    CHECK(gdvar_save_count(save) == 1);
    gdvar_buffer_clear(to);
    CHECK(gdvar_save_bytes(save, to, &error) == 0);
    CHECK(gdvar_buffer_bytes(to).size == 4 + gdvar_buffer_bytes(value).size);
    gdvar_save_free(save);
    gdvar_buffer_free(value);
    gdvar_buffer_free(to);
}

int main(void) {
    test_saves();
    test_check();
    test_several_values();
    test_sums();
    test_explained_saves();
    test_records();
    printf("%d failed\n", failures);
    return failures != 0;
}
