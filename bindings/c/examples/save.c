/* Says what a save is, sets one value in it, and rescues a damaged one:
 *
 *   save FILE                   the stack, with the reason for each layer and document
 *   save FILE PATH VALUE        sets a value, written as Godot writes it: '$.audio.volume' 0.5
 *   save FILE -                 writes what can be read of a damaged save to FILE.sound
 *
 *   cc -std=c99 save.c $(pkg-config --cflags --libs gdvar-c) -o save
 */
#include <gdvar/gdvar.h>
#include <stdio.h>
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

static void print_finding(void* user, const gdvar_finding* finding) {
    size_t i;
    (void)user;
    printf("%.*s: %.*s\n", (int)finding->name.size, finding->name.data, (int)finding->reason.size,
           finding->reason.data);
    for (i = 0; i < finding->ruled_out_count; ++i)
        printf("  not %.*s: %.*s\n", (int)finding->ruled_out[i].name.size,
               finding->ruled_out[i].name.data, (int)finding->ruled_out[i].reason.size,
               finding->ruled_out[i].reason.data);
}

static void print_refusal(void* user, const gdvar_refusal* refusal) {
    fprintf(stderr, "%s: %.*s: %.*s\n", (const char*)user, (int)refusal->at.size, refusal->at.data,
            (int)refusal->what.size, refusal->what.data);
}

/* Opens the save. With a path it changes the value there; everything else in the file stays. */
static int look_or_set(const char* name, const char* path, const char* value) {
    gdvar_save_options opening = GDVAR_SAVE_OPTIONS_INIT;
    gdvar_options writing = GDVAR_OPTIONS_INIT;
    gdvar_buffer *packet = gdvar_buffer_new(), *stack = gdvar_buffer_new();
    gdvar_save* save = NULL;
    gdvar_error error;
    int status = 0;
    opening.flags = GDVAR_ALL_READINGS;
    if (gdvar_save_open(name, &opening, &save, &error)) {
        status = fail(name, &error);
    } else if (!path) {
        status = gdvar_save_stack(save, stack, &error) != 0;
        printf("%.*s\n", (int)gdvar_buffer_bytes(stack).size,
               (const char*)gdvar_buffer_bytes(stack).data);
        gdvar_save_findings(save, print_finding, NULL, &error);
    } else {
        /* The value goes in as a packet of the save's own dialect. */
        writing.dialect = gdvar_save_dialect(save);
        if (gdvar_parse(text(value), GDVAR_TEXT, &writing, packet, &error)) {
            status = fail(value, &error);
        } else if (gdvar_save_set(save, text(path), gdvar_buffer_bytes(packet), 0, &error)) {
            gdvar_save_explain(save, print_refusal, (void*)name);
            status = 1;
        } else if (gdvar_save_write(save, NULL, &error)) {
            status = fail(name, &error);
        }
    }
    gdvar_save_free(save);
    gdvar_buffer_free(packet);
    gdvar_buffer_free(stack);
    return status;
}

static int rescue(const char* name) {
    static unsigned char data[1 << 24];
    gdvar_buffer* sound = gdvar_buffer_new();
    gdvar_recovery* found = NULL;
    gdvar_text own_layers = {NULL, 0};
    char out[1000];
    gdvar_error error;
    gdvar_bytes bytes;
    size_t i;
    FILE* file = fopen(name, "rb");
    int status = 0;
    if (!file || !sound)
        return 2;
    bytes.data = data;
    bytes.size = fread(data, 1, sizeof data, file);
    fclose(file);
    if (gdvar_recover(bytes, NULL, &found, &error) ||
        gdvar_recovery_write(found, own_layers, NULL, sound, &error)) {
        status = fail(name, &error);
    } else {
        printf("%zu values\n", gdvar_recovery_count(found));
        for (i = 0; i < gdvar_recovery_lost_count(found); ++i) {
            const gdvar_lost lost = gdvar_recovery_lost_at(found, i);
            printf("lost from 0x%llx on: %.*s\n", (unsigned long long)lost.begin,
                   (int)lost.reason.size, lost.reason.data);
        }
        snprintf(out, sizeof out, "%s.sound", name);
        file = fopen(out, "wb");
        bytes = gdvar_buffer_bytes(sound);
        if (!file || fwrite(bytes.data, 1, bytes.size, file) != bytes.size)
            status = 1;
        if (file && fclose(file))
            status = 1;
    }
    gdvar_recovery_free(found);
    gdvar_buffer_free(sound);
    return status;
}

int main(int argc, char** argv) {
    if (argc == 3 && strcmp(argv[2], "-") == 0)
        return rescue(argv[1]);
    if (argc != 2 && argc != 4)
        return 2;
    return look_or_set(argv[1], argc == 4 ? argv[2] : NULL, argc == 4 ? argv[3] : NULL);
}
