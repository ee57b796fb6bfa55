/* Every packet that is given, through the tape and back: the items made of a document's nodes give
 * the same bytes.
 *
 *   tape_test < LINES      each line: a dialect's name, gdvar_option_flags as a number, a packet in
 * hex
 *
 * With a `~` before the dialect the packet may be one that no engine wrote: the same value is
 * enough.
 *
 * A packet that is refused must be refused by gdvar_validate and gdvar_document_read alike. */
#include "items.h"

#include <stdio.h>

static int digit(char c) {
    return c >= 'a' ? c - 'a' + 10 : c - '0';
}

/* The value as text that loses nothing, appended to `to`. */
static int print(gdvar_bytes bytes, const gdvar_options* options, gdvar_buffer* to) {
    gdvar_document* document = gdvar_document_new();
    int failed = !document || gdvar_document_read_copy(document, bytes, options, NULL) ||
                 gdvar_print(document, 0, GDVAR_TEXT_FULL, 0, to, NULL, NULL, NULL);
    gdvar_document_free(document);
    return failed;
}

/* Whether the bytes are the same but for padding: Godot 3 leaves that of a NodePath as it finds the
 * memory. With `lenient`, whether the values are. */
static int same(gdvar_bytes before, gdvar_bytes after, const gdvar_options* options, int lenient) {
    gdvar_buffer *a = gdvar_buffer_new(), *b = gdvar_buffer_new();
    int is = before.size == after.size && memcmp(before.data, after.data, before.size) == 0;
    if (!is && (lenient || before.size == after.size) && !print(before, options, a) &&
        !print(after, options, b))
        is = gdvar_buffer_bytes(a).size == gdvar_buffer_bytes(b).size &&
             memcmp(gdvar_buffer_bytes(a).data, gdvar_buffer_bytes(b).data,
                    gdvar_buffer_bytes(a).size) == 0;
    gdvar_buffer_free(a);
    gdvar_buffer_free(b);
    return is;
}

static int refused(const gdvar_error* error, const gdvar_document* document) {
    char message[300];
    return gdvar_error_message(error, message, sizeof message) > 0 &&
           gdvar_document_tape(document).count == 0;
}

/* Returns what is wrong, or NULL. */
static const char* check(gdvar_bytes bytes, const gdvar_options* options, int lenient) {
    gdvar_document* document = gdvar_document_new();
    gdvar_buffer* to = gdvar_buffer_new();
    gdvar_error validated, error;
    gdvar_bytes packet = bytes;
    items list = {NULL, 0, 0, NULL, NULL};
    const char* wrong = NULL;
    if (!document || !to)
        abort();
    gdvar_validate(bytes, options, &packet.size, &validated);
    gdvar_document_read(document, bytes, options, &error);
    if (validated.code != error.code || validated.offset != error.offset ||
        validated.need != error.need)
        wrong = "validate and read disagree";
    else if (error.code)
        wrong =
            refused(&error, document) ? NULL : "a refused packet without a message, or with nodes";
    else {
        add_all(&list, document);
        if (gdvar_encode(list.data, list.count, options, to, &error, NULL))
            wrong = gdvar_error_name(error.code);
        else if (!same(packet, gdvar_buffer_bytes(to), options, lenient))
            wrong = "other bytes";
        else if (list.count > 1 &&
                 gdvar_encode(list.data, list.count - 1, options, to, &error, NULL) == 0)
            wrong = "a tree without its last item is written";
    }
    free_items(&list);
    gdvar_buffer_free(to);
    gdvar_document_free(document);
    return wrong;
}

/* The next line of standard input, with its end; 0 behind the last one. C99 has no getline. */
static int read_line(char** line, size_t* capacity) {
    size_t size = 0;
    do {
        if (*capacity - size < 2)
            *line = realloc(*line, *capacity = 2 * *capacity + 4096);
        if (!fgets(*line + size, (int)(*capacity - size), stdin))
            return size > 0;
        size += strlen(*line + size);
    } while ((*line)[size - 1] != '\n');
    return 1;
}

int main(void) {
    char* line = NULL;
    size_t capacity = 0;
    unsigned long packets = 0, failed = 0;
    if (gdvar_abi() != GDVAR_C_ABI)
        return 2;
    while (read_line(&line, &capacity)) {
        gdvar_options options = GDVAR_OPTIONS_INIT;
        char *flags = strchr(line, ' '), *hex = flags ? strchr(flags + 1, ' ') : NULL;
        const char* wrong;
        unsigned char* packet;
        gdvar_bytes bytes;
        size_t i;
        int lenient;
        if (!hex)
            return 2;
        *flags = *hex++ = '\0';
        bytes.size = strspn(hex, "0123456789abcdef") / 2;
        /* Memory of its own size: a sanitizer sees every step too far. */
        bytes.data = packet = malloc(bytes.size + !bytes.size);
        for (i = 0; i < bytes.size; ++i)
            packet[i] = (unsigned char)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
        lenient = *line == '~';
        options.dialect = gdvar_find_dialect(line + lenient);
        options.flags = (uint32_t)strtoul(flags + 1, NULL, 0);
        if (!options.dialect)
            return 2;
        wrong = check(bytes, &options, lenient);
        if (wrong)
            printf("%s: %s: %.60s\n", line, wrong, hex);
        failed += wrong != NULL;
        ++packets;
        free(packet);
    }
    free(line);
    printf("%lu packets, %lu failed\n", packets, failed);
    return failed != 0;
}
