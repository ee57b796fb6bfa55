/* gdvar-tools.wasm reads no Brotli, of which the dictionary alone is 50 kB: containers.cpp refuses
 * it before these are called. */
#include <brotli/decode.h>
#include <brotli/encode.h>

BrotliDecoderState* BrotliDecoderCreateInstance(brotli_alloc_func allocate,
                                                brotli_free_func release, void* opaque) {
    (void)allocate, (void)release, (void)opaque;
    return 0;
}
void BrotliDecoderDestroyInstance(BrotliDecoderState* state) {
    (void)state;
}
BrotliDecoderResult BrotliDecoderDecompressStream(BrotliDecoderState* state, size_t* left,
                                                  const uint8_t** in, size_t* space, uint8_t** out,
                                                  size_t* total) {
    (void)state, (void)left, (void)in, (void)space, (void)out, (void)total;
    return BROTLI_DECODER_RESULT_ERROR;
}
BrotliDecoderErrorCode BrotliDecoderGetErrorCode(const BrotliDecoderState* state) {
    (void)state;
    return BROTLI_DECODER_ERROR_UNREACHABLE;
}
