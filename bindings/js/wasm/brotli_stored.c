/* Brotli's encoder for WebAssembly: a sound Brotli stream that is not compressed.
 *
 * The real one takes half a megabyte, most of it tables, and no engine writes Brotli. What is in
 * Brotli is read in full; when it is written, it is stored (RFC 7932, section 9.2: MNIBBLES,
 * MLEN - 1, ISUNCOMPRESSED).
 */
#include <brotli/encode.h>
#include <stdlib.h>
#include <string.h>

enum { most = 1 << 16 }; /* bytes of one meta-block, so that its size has four nibbles */

struct BrotliEncoderStateStruct {
    uint8_t out[4 + most]; /* what the caller has not taken yet */
    size_t begin, end;
    int started, finished;
};

BrotliEncoderState* BrotliEncoderCreateInstance(brotli_alloc_func allocate,
                                                brotli_free_func release, void* opaque) {
    (void)allocate, (void)release, (void)opaque;
    return calloc(1, sizeof(BrotliEncoderState));
}
void BrotliEncoderDestroyInstance(BrotliEncoderState* state) {
    free(state);
}
BROTLI_BOOL BrotliEncoderSetParameter(BrotliEncoderState* state, BrotliEncoderParameter parameter,
                                      uint32_t value) {
    (void)state, (void)parameter, (void)value;
    return BROTLI_TRUE;
}
BROTLI_BOOL BrotliEncoderHasMoreOutput(BrotliEncoderState* state) {
    return state->begin != state->end;
}
BROTLI_BOOL BrotliEncoderIsFinished(BrotliEncoderState* state) {
    return state->finished && state->begin == state->end;
}

/* Bits are written from the lowest of a byte on. The stream's header, one bit 0, is a window of 64
 * KiB. A meta-block: ISLAST 0, MNIBBLES 00, MLEN - 1 in 16 bits, ISUNCOMPRESSED 1, then zeros up
 * to a byte, and the bytes. The first one has 1 + 20 bits of header, others 20: three bytes. */
static void begin_block(BrotliEncoderState* state, size_t size) {
    uint32_t bits = (uint32_t)(size - 1) << 3 | 1u << 19;
    if (!state->started)
        bits <<= 1;
    state->started = 1;
    state->out[0] = (uint8_t)bits;
    state->out[1] = (uint8_t)(bits >> 8);
    state->out[2] = (uint8_t)(bits >> 16);
    state->begin = 0;
    state->end = 3;
}

BROTLI_BOOL BrotliEncoderCompressStream(BrotliEncoderState* state, BrotliEncoderOperation operation,
                                        size_t* left, const uint8_t** in, size_t* space,
                                        uint8_t** out, size_t* total) {
    (void)total;
    for (;;) {
        size_t n = state->end - state->begin;
        if (n > *space)
            n = *space;
        memcpy(*out, state->out + state->begin, n);
        state->begin += n;
        *out += n;
        *space -= n;
        if (state->begin != state->end)
            return BROTLI_TRUE;
        if (*left) {
            const size_t size = *left < most ? *left : most;
            begin_block(state, size);
            memcpy(state->out + state->end, *in, size);
            state->end += size;
            *in += size;
            *left -= size;
        } else if (operation == BROTLI_OPERATION_FINISH && !state->finished) {
            /* ISLAST and ISLASTEMPTY, behind the header if nothing stands before them. */
            state->out[0] = state->started ? 3 : 3 << 1;
            state->begin = 0;
            state->end = 1;
            state->finished = 1;
        } else {
            return BROTLI_TRUE;
        }
    }
}
