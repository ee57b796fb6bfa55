/* Prints the hp of every player in a packet, and writes the packet with another hp of the first:
 * read FILE OUT. The packet holds an Array of Dictionaries.
 *
 *   cc -std=c99 read.c $(pkg-config --cflags --libs gdvar-c) -o read
 */
#include <gdvar/gdvar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gdvar_text text(const char* of) {
    gdvar_text out;
    out.data = of;
    out.size = strlen(of);
    return out;
}

static int fail(const char* what, const gdvar_error* error) {
    char message[200];
    gdvar_error_message(error, message, sizeof message);
    fprintf(stderr, "%s: %s\n", what, message);
    return 1;
}

/* The tape has every value as 16 bytes: no call a value, and texts are slices of the packet. */
static void print_players(const gdvar_document* document) {
    gdvar_tape tape = gdvar_document_tape(document);
    uint32_t i = 1;
    if (tape.nodes[0].type != GDVAR_ARRAY)
        return;
    while (i < tape.nodes[0].as.span.end) {
        const gdvar_node* player = &tape.nodes[i];
        uint32_t hp = gdvar_find_text(document, i, text("hp"));
        if (hp != GDVAR_NO_NODE && tape.nodes[hp].type == GDVAR_INT)
            printf("player at 0x%x: hp %lld\n", player->offset,
                   (long long)tape.nodes[hp].as.integer);
        /* The next sibling: behind the last descendant of a container. */
        i = player->type == GDVAR_DICTIONARY ? player->as.span.end : i + 1;
    }
}

int main(int argc, char** argv) {
    static unsigned char data[1 << 20];
    gdvar_options options = GDVAR_OPTIONS_INIT;
    gdvar_document* document = gdvar_document_new();
    gdvar_buffer *hundred = gdvar_buffer_new(), *changed = gdvar_buffer_new();
    gdvar_error error;
    gdvar_bytes packet;
    FILE* file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    int status = 0;
    if (!file || !document || !hundred || !changed)
        return 2;
    packet.data = data;
    packet.size = fread(data, 1, sizeof data, file);
    fclose(file);
    options.dialect = gdvar_find_dialect("godot4");
    if (gdvar_document_read(document, packet, &options, &error))
        status = fail(argv[1], &error);
    else {
        print_players(document);
        /* A value is a packet, too: made from text here, by gdvar_encode where there are many. */
        if (gdvar_parse(text("100"), GDVAR_TEXT, &options, hundred, &error) ||
            gdvar_set(packet, text("$[0].hp"), gdvar_buffer_bytes(hundred), &options, changed,
                      &error))
            status = fail("$[0].hp", &error);
        else if ((file = fopen(argv[2], "wb")) != NULL) {
            gdvar_bytes out = gdvar_buffer_bytes(changed);
            status = fwrite(out.data, 1, out.size, file) != out.size;
            status |= fclose(file) != 0;
        }
    }
    gdvar_buffer_free(hundred);
    gdvar_buffer_free(changed);
    gdvar_document_free(document);
    return status;
}
