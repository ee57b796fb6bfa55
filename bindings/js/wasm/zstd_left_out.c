/* Functions that zstd's level 3, the only one that gdvar writes, never calls: its strategy is
 * "dfast" for every size (clevels.h). The lazy and the optimal parsers, long distance matching and
 * blocks of a target size are not compiled; these stand for them. */
#include "compress/zstd_compress_internal.h"
#include "compress/zstd_compress_superblock.h"
#include "compress/zstd_lazy.h"
#include "compress/zstd_ldm.h"
#include "compress/zstd_opt.h"

#define PARSER(name)                                                                        \
    size_t ZSTD_compressBlock_##name(ZSTD_matchState_t* state, seqStore_t* store, U32* rep, \
                                     const void* from, size_t size) {                       \
        (void)state, (void)store, (void)rep, (void)from, (void)size;                        \
        __builtin_trap();                                                                   \
    }
PARSER(greedy)
PARSER(greedy_row)
PARSER(greedy_dictMatchState)
PARSER(greedy_dictMatchState_row)
PARSER(greedy_dedicatedDictSearch)
PARSER(greedy_dedicatedDictSearch_row)
PARSER(greedy_extDict)
PARSER(greedy_extDict_row)
PARSER(lazy)
PARSER(lazy_row)
PARSER(lazy_dictMatchState)
PARSER(lazy_dictMatchState_row)
PARSER(lazy_dedicatedDictSearch)
PARSER(lazy_dedicatedDictSearch_row)
PARSER(lazy_extDict)
PARSER(lazy_extDict_row)
PARSER(lazy2)
PARSER(lazy2_row)
PARSER(lazy2_dictMatchState)
PARSER(lazy2_dictMatchState_row)
PARSER(lazy2_dedicatedDictSearch)
PARSER(lazy2_dedicatedDictSearch_row)
PARSER(lazy2_extDict)
PARSER(lazy2_extDict_row)
PARSER(btlazy2)
PARSER(btlazy2_dictMatchState)
PARSER(btlazy2_extDict)
PARSER(btopt)
PARSER(btopt_dictMatchState)
PARSER(btopt_extDict)
PARSER(btultra)
PARSER(btultra_dictMatchState)
PARSER(btultra_extDict)
PARSER(btultra2)

U32 ZSTD_insertAndFindFirstIndex(ZSTD_matchState_t* state, const BYTE* at) {
    (void)state, (void)at;
    __builtin_trap();
}
void ZSTD_row_update(ZSTD_matchState_t* state, const BYTE* at) {
    (void)state, (void)at;
    __builtin_trap();
}
void ZSTD_dedicatedDictSearch_lazy_loadDictionary(ZSTD_matchState_t* state, const BYTE* at) {
    (void)state, (void)at;
    __builtin_trap();
}
void ZSTD_preserveUnsortedMark(U32* table, U32 size, U32 reducer) {
    (void)table, (void)size, (void)reducer;
    __builtin_trap();
}
void ZSTD_updateTree(ZSTD_matchState_t* state, const BYTE* at, const BYTE* end) {
    (void)state, (void)at, (void)end;
    __builtin_trap();
}
size_t ZSTD_compressSuperBlock(ZSTD_CCtx* context, void* to, size_t capacity, const void* from,
                               size_t size, unsigned last) {
    (void)context, (void)to, (void)capacity, (void)from, (void)size, (void)last;
    __builtin_trap();
}

/* Sizes are requested even if long distance matching is off. */
size_t ZSTD_ldm_getTableSize(ldmParams_t params) {
    (void)params;
    return 0;
}
size_t ZSTD_ldm_getMaxNbSeq(ldmParams_t params, size_t chunk) {
    (void)params, (void)chunk;
    return 0;
}
void ZSTD_ldm_adjustParameters(ldmParams_t* params, const ZSTD_compressionParameters* all) {
    (void)params, (void)all;
    __builtin_trap();
}
void ZSTD_ldm_fillHashTable(ldmState_t* state, const BYTE* at, const BYTE* end,
                            const ldmParams_t* params) {
    (void)state, (void)at, (void)end, (void)params;
    __builtin_trap();
}
size_t ZSTD_ldm_generateSequences(ldmState_t* state, rawSeqStore_t* store,
                                  const ldmParams_t* params, const void* from, size_t size) {
    (void)state, (void)store, (void)params, (void)from, (void)size;
    __builtin_trap();
}
size_t ZSTD_ldm_blockCompress(rawSeqStore_t* raw, ZSTD_matchState_t* state, seqStore_t* store,
                              U32* rep, ZSTD_paramSwitch_e row, const void* from, size_t size) {
    (void)raw, (void)state, (void)store, (void)rep, (void)row, (void)from, (void)size;
    __builtin_trap();
}
/* Called for blocks of a few bytes, with a store that is empty. */
void ZSTD_ldm_skipSequences(rawSeqStore_t* store, size_t size, U32 match) {
    (void)store, (void)size, (void)match;
}
void ZSTD_ldm_skipRawSeqStoreBytes(rawSeqStore_t* store, size_t bytes) {
    (void)store, (void)bytes;
    __builtin_trap();
}
