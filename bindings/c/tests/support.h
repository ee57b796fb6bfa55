/* Shared by the tests in C. */
#ifndef GDVAR_C_TESTS_SUPPORT_H
#define GDVAR_C_TESTS_SUPPORT_H

#include <gdvar/gdvar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(condition)                                                   \
    do {                                                                   \
        if (!(condition)) {                                                \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            ++failures;                                                    \
        }                                                                  \
    } while (0)

static inline gdvar_text text(const char* of) {
    gdvar_text out;
    out.data = of;
    out.size = strlen(of);
    return out;
}
static inline gdvar_bytes bytes(const void* data, size_t size) {
    gdvar_bytes out;
    out.data = data;
    out.size = size;
    return out;
}
static inline int is_text(gdvar_text a, const char* b) {
    return a.size == strlen(b) && memcmp(a.data, b, a.size) == 0;
}
static inline int holds(const gdvar_buffer* buffer, const char* b) {
    gdvar_bytes a = gdvar_buffer_bytes(buffer);
    return a.size == strlen(b) && memcmp(a.data, b, a.size) == 0;
}
static inline gdvar_buffer* buffer(void) {
    gdvar_buffer* out = gdvar_buffer_new();
    if (!out)
        abort();
    return out;
}
static inline gdvar_item item(uint8_t type, uint32_t count) {
    gdvar_item out;
    memset(&out, 0, sizeof out);
    out.type = type;
    out.count = count;
    return out;
}
static inline gdvar_item string(const char* of) {
    gdvar_item out = item(GDVAR_STRING, (uint32_t)strlen(of));
    out.as.data = of;
    return out;
}
static inline gdvar_item integer(int64_t value) {
    gdvar_item out = item(GDVAR_INT, 0);
    out.as.integer = value;
    return out;
}

/* {"name": "Ada", "hp": 7, "pos": Vector2(1, 2), "bag": ["rope", 3]} */
static inline void write_player(gdvar_buffer* to) {
    static const float pos[2] = {1, 2};
    gdvar_item items[12];
    gdvar_error error;
    items[0] = item(GDVAR_DICTIONARY, 4);
    items[1] = string("name");
    items[2] = string("Ada");
    items[3] = string("hp");
    items[4] = integer(7);
    items[5] = string("pos");
    items[6] = item(GDVAR_VECTOR2, 0);
    items[6].as.data = pos;
    items[7] = string("bag");
    items[8] = item(GDVAR_ARRAY, 2);
    items[9] = string("rope");
    items[10] = integer(3);
    CHECK(gdvar_encode(items, 11, NULL, to, &error, NULL) == 0);
    CHECK(error.code == 0);
}

/* The last arguments of a gdvar_refusal_use. */
struct refused {
    gdvar_refusal refusal;
    char at[100], what[200];
};
static inline void keep_refusal(void* user, const gdvar_refusal* refusal) {
    struct refused* to = user;
    CHECK(refusal->at.size < sizeof to->at && refusal->what.size < sizeof to->what);
    to->refusal = *refusal;
    memcpy(to->at, refusal->at.data, refusal->at.size);
    to->at[refusal->at.size] = '\0';
    memcpy(to->what, refusal->what.data, refusal->what.size);
    to->what[refusal->what.size] = '\0';
}
static inline int is_refused(const struct refused* refused, const char* code, int needs,
                             const char* at, const char* what) {
    const int so = refused->refusal.code == gdvar_error_code(code) &&
                   refused->refusal.needs == needs && strcmp(refused->at, at) == 0 &&
                   strcmp(refused->what, what) == 0;
    if (!so)
        printf("%s: %s: %s\n", gdvar_error_name(refused->refusal.code), refused->at, refused->what);
    return so;
}

#endif
