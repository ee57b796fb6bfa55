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
#define _POSIX_C_SOURCE 200809L /* getline */
#include <gdvar/gdvar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct items {
    gdvar_item* data;
    size_t count, capacity;
} items;

/* Item, with the text or data that it points to. */
static gdvar_item* add(items* to, uint8_t type, uint8_t flags, uint32_t count) {
    gdvar_item* item;
    if (to->count == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 64;
        to->data = realloc(to->data, to->capacity * sizeof *to->data);
        if (!to->data)
            abort();
    }
    item = &to->data[to->count++];
    memset(item, 0, sizeof *item);
    item->type = type;
    item->flags = flags;
    item->count = count;
    return item;
}
static void add_text(items* to, uint8_t type, gdvar_text text) {
    add(to, type, 0, (uint32_t)text.size)->as.data = text.data;
}
static void add_type(items* to, gdvar_container_type type) {
    add(to, type.type, type.kind, (uint32_t)type.name.size)->as.data = type.name.data;
}
static void add_texts(items* to, const gdvar_document* document, uint32_t node) {
    size_t i, n = gdvar_node_texts(document, node, NULL, 0);
    gdvar_text* texts = malloc((n + 1) * sizeof *texts);
    if (!texts)
        abort();
    gdvar_node_texts(document, node, texts, n);
    for (i = 0; i < n; ++i)
        add_text(to, GDVAR_STRING, texts[i]);
    free(texts);
}

static gdvar_image images[256];
static gdvar_input_event events[256];
static size_t image_count, event_count;

static void add_node(items* to, const gdvar_document* document, const gdvar_node* nodes,
                     uint32_t i) {
    const gdvar_node* node = &nodes[i];
    gdvar_container_type first, second;
    gdvar_node_path_info path;
    gdvar_item* item;
    switch (node->type) {
        case GDVAR_NIL:
        case GDVAR_CALLABLE:
            add(to, node->type, 0, 0);
            return;
        case GDVAR_BOOL:
        case GDVAR_INT:
        case GDVAR_FLOAT:
        case GDVAR_RID:
            add(to, node->type, 0, 0)->as.bits = node->as.bits;
            return;
        case GDVAR_STRING:
        case GDVAR_STRING_NAME:
            add_text(to, node->type, gdvar_node_name(document, i));
            return;
        case GDVAR_NODE_PATH:
            path = gdvar_node_path(document, i);
            add(to, node->type,
                (uint8_t)((path.absolute ? GDVAR_ITEM_ABSOLUTE : 0) |
                          (path.separate_property ? GDVAR_ITEM_PROPERTY : 0)),
                path.names + path.subnames)
                ->as.bits = path.subnames;
            add_texts(to, document, i);
            return;
        case GDVAR_SIGNAL:
            add(to, node->type, 0, 0)->as.bits = node->as.bits;
            add_text(to, GDVAR_STRING, gdvar_node_name(document, i));
            return;
        case GDVAR_OBJECT:
            if (node->flags & GDVAR_ID)
                add(to, node->type, GDVAR_ITEM_ID, 0)->as.bits = node->as.bits;
            else if (node->flags & GDVAR_FULL) {
                add(to, node->type, GDVAR_ITEM_FULL, node->as.span.count);
                add_text(to, GDVAR_STRING, gdvar_node_name(document, i));
            } else
                add(to, node->type, 0, 0);
            return;
        case GDVAR_ARRAY:
        case GDVAR_PACKED_TYPED_ARRAY:
            gdvar_node_types(document, i, &first, NULL);
            add(to, node->type, first.kind ? GDVAR_ITEM_TYPED : 0, node->as.span.count);
            if (first.kind || node->type == GDVAR_PACKED_TYPED_ARRAY)
                add_type(to, first);
            return;
        case GDVAR_DICTIONARY:
            gdvar_node_types(document, i, &first, &second);
            add(to, node->type, first.kind || second.kind ? GDVAR_ITEM_TYPED : 0,
                node->as.span.count);
            if (first.kind || second.kind) {
                add_type(to, first);
                add_type(to, second);
            }
            return;
        case GDVAR_PACKED_STRING_ARRAY:
            add(to, node->type, 0, node->as.span.count);
            add_texts(to, document, i);
            return;
        case GDVAR_IMAGE:
            images[image_count] = gdvar_node_image(document, i);
            add(to, node->type, 0, 0)->as.data = &images[image_count++];
            return;
        case GDVAR_INPUT_EVENT:
            events[event_count] = gdvar_node_input_event(document, i);
            add(to, node->type, 0, 0)->as.data = &events[event_count++];
            return;
        default: {
            gdvar_numbers numbers = gdvar_node_numbers(document, i);
            item = add(to, node->type,
                       (uint8_t)((node->flags & GDVAR_WIDE ? GDVAR_ITEM_WIDE : 0) |
                                 (numbers.host_order ? 0 : GDVAR_ITEM_LITTLE)),
                       numbers.count);
            item->as.data = numbers.data;
        }
    }
}

/* Items of all nodes, in their order, which is that of the bytes. */
static void add_all(items* to, const gdvar_document* document) {
    gdvar_tape tape = gdvar_document_tape(document);
    uint32_t i;
    image_count = event_count = 0;
    for (i = 0; i < tape.count; ++i) {
        const gdvar_node* node = &tape.nodes[i];
        if (node->flags & GDVAR_PROPERTY)
            add_text(to, GDVAR_STRING, gdvar_node_name(document, i));
        else
            add_node(to, document, tape.nodes, i);
        if (node->flags & GDVAR_COPIED) {
            gdvar_numbers numbers = gdvar_node_numbers(document, i);
            uint32_t bytes = numbers.components * (numbers.component == GDVAR_F64 ? 8u : 4u);
            i += (bytes + (uint32_t)sizeof(gdvar_node) - 1) / (uint32_t)sizeof(gdvar_node);
        }
    }
}

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
    items list = {NULL, 0, 0};
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
    free(list.data);
    gdvar_buffer_free(to);
    gdvar_document_free(document);
    return wrong;
}

int main(void) {
    char* line = NULL;
    size_t capacity = 0;
    unsigned long packets = 0, failed = 0;
    ssize_t size;
    if (gdvar_abi() != GDVAR_C_ABI)
        return 2;
    while ((size = getline(&line, &capacity, stdin)) > 0) {
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
        /* Of its own size, so that a sanitizer sees every step too far. */
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
