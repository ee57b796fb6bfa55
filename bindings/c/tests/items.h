/* A document's values as items: a program's way from the tape to gdvar_encode. For C and C++. */
#ifndef GDVAR_C_TESTS_ITEMS_H
#define GDVAR_C_TESTS_ITEMS_H

#include <gdvar/gdvar.h>
#include <stdlib.h>
#include <string.h>

typedef struct items {
    gdvar_item* data;
    size_t count, capacity;
    gdvar_image* images; /* that items point to */
    gdvar_input_event* events;
} items;

static inline void free_items(items* of) {
    free(of->data);
    free(of->images);
    free(of->events);
}
static inline void* allocate(size_t count, size_t size) {
    void* made = calloc(count + 1, size);
    if (!made)
        abort();
    return made;
}

/* Item, with the text or data that it points to. */
static inline gdvar_item* add(items* to, uint8_t type, uint8_t flags, uint32_t count) {
    gdvar_item* item;
    if (to->count == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 64;
        to->data = (gdvar_item*)realloc(to->data, to->capacity * sizeof *to->data);
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
static inline void add_text(items* to, uint8_t type, gdvar_text text) {
    add(to, type, 0, (uint32_t)text.size)->as.data = text.data;
}
static inline void add_type(items* to, gdvar_container_type type) {
    add(to, type.type, type.kind, (uint32_t)type.name.size)->as.data = type.name.data;
}
static inline void add_texts(items* to, const gdvar_document* document, uint32_t node) {
    size_t i, n = gdvar_node_texts(document, node, NULL, 0);
    gdvar_text* texts = (gdvar_text*)allocate(n, sizeof *texts);
    gdvar_node_texts(document, node, texts, n);
    for (i = 0; i < n; ++i)
        add_text(to, GDVAR_STRING, texts[i]);
    free(texts);
}

/* `image` and `event`: how many of these came before. */
static inline void add_node(items* to, const gdvar_document* document, const gdvar_node* nodes,
                            uint32_t i, size_t image, size_t event) {
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
            to->images[image] = gdvar_node_image(document, i);
            add(to, node->type, 0, 0)->as.data = &to->images[image];
            return;
        case GDVAR_INPUT_EVENT:
            to->events[event] = gdvar_node_input_event(document, i);
            add(to, node->type, 0, 0)->as.data = &to->events[event];
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

/* Items of all nodes, in their order, which is that of the bytes. They borrow from the document. */
static inline void add_all(items* to, const gdvar_document* document) {
    gdvar_tape tape = gdvar_document_tape(document);
    size_t images = 0, events = 0;
    uint32_t i;
    for (i = 0; i < tape.count; ++i) {
        images += tape.nodes[i].type == GDVAR_IMAGE;
        events += tape.nodes[i].type == GDVAR_INPUT_EVENT;
    }
    to->images = (gdvar_image*)allocate(images, sizeof *to->images);
    to->events = (gdvar_input_event*)allocate(events, sizeof *to->events);
    images = events = 0;
    for (i = 0; i < tape.count; ++i) {
        const gdvar_node* node = &tape.nodes[i];
        if (node->flags & GDVAR_PROPERTY)
            add_text(to, GDVAR_STRING, gdvar_node_name(document, i));
        else
            add_node(to, document, tape.nodes, i, images, events);
        images += node->type == GDVAR_IMAGE;
        events += node->type == GDVAR_INPUT_EVENT;
        if (node->flags & GDVAR_COPIED) {
            gdvar_numbers numbers = gdvar_node_numbers(document, i);
            uint32_t bytes = numbers.components * (numbers.component == GDVAR_F64 ? 8u : 4u);
            i += (bytes + (uint32_t)sizeof(gdvar_node) - 1) / (uint32_t)sizeof(gdvar_node);
        }
    }
}

#endif
