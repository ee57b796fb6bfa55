#!/usr/bin/env bash
# Builds the libraries that gdvar-tools.wasm and gdvar-saves.wasm contain, from Debian's source packages: zlib, zstd, Brotli, and hashes and AES
# of Mbed TLS. They are put into ~/.cache/gdvar/wasm; nothing is done when they are there.
#
#   bindings/js/wasm/libraries.sh           fetches and builds what is missing
#   bindings/js/wasm/libraries.sh --path    prints the folder
#   bindings/js/wasm/libraries.sh --remove  deletes it
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../../tools/shell/lib.sh"
. "$root_dir/tools/shell/sources.sh"

dir=$cache_dir/wasm
flags=(--target=wasm32-wasi -Wno-deprecated -flto -Oz -DNDEBUG -fno-exceptions -ffunction-sections -fdata-sections
    -mbulk-memory -w)

# archive NAME FLAG... -- SOURCE...: compiles the sources into lib/libNAME.a.
archive() {
    local name=$1 own=() source objects=$dir/objects/$1
    shift
    while [ "$1" != -- ]; do
        own+=("$1")
        shift
    done
    shift
    rm -rf "$objects" "$dir/lib/lib$name.a"
    mkdir -p "$objects" "$dir/lib"
    for source in "$@"; do
        clang-22 "${flags[@]}" "${own[@]}" -c "$source" -o "$objects/$(basename "$source" .c).o"
    done
    ar qc "$dir/lib/lib$name.a" "$objects"/*.o
}

build_zlib() {
    local from=$sources_dir/zlib name sources=()
    for name in adler32 crc32 deflate inffast inflate inftrees trees zutil; do
        sources+=("$from/$name.c")
    done
    cp "$from/zlib.h" "$from/zconf.h" "$dir/include/"
    archive z -DDYNAMIC_CRC_TABLE -DNO_GZIP_FILES -- "${sources[@]}"
}

left_out=$root_dir/bindings/js/wasm/zstd_left_out.c
build_libzstd() {
    local from=$sources_dir/libzstd/lib
    cp "$from/zstd.h" "$from/zstd_errors.h" "$dir/include/"
    # The level that gdvar writes (3) needs neither the lazy nor the optimal parsers; these are not compiled, and
    # zstd_left_out.c stands for them.
    archive zstd -I"$from" -DZSTD_DISABLE_ASM=1 -DZSTD_LEGACY_SUPPORT=0 -DHUF_FORCE_DECOMPRESS_X1=1 -DXXH_NAMESPACE=ZSTD_ \
        -DZSTD_FORCE_DECOMPRESS_SEQUENCES_SHORT=1 -DZSTD_NO_INLINE=1 -DZSTD_STRIP_ERROR_STRINGS=1 -DZSTD_TRACE=0 -- \
        "$from"/common/{debug,entropy_common,error_private,fse_decompress,xxhash,zstd_common}.c "$from"/decompress/*.c \
        "$from"/compress/{fse_compress,hist,huf_compress,zstd_compress,zstd_compress_literals,zstd_compress_sequences}.c \
        "$from"/compress/{zstd_double_fast,zstd_fast}.c "$left_out"
}

# Brotli's encoder is left out (bindings/js/wasm/brotli_stored.c).
build_brotli() {
    local from=$sources_dir/brotli/c
    cp -r "$from/include/brotli" "$dir/include/"
    archive brotli -I"$from/include" -- "$from"/common/*.c "$from"/dec/*.c
}

build_mbedtls() {
    local from=$sources_dir/mbedtls
    cp -r "$from/include/mbedtls" "$dir/include/"
    cat >"$dir/include/gdvar_mbedtls_config.h" <<'END'
/* What gdvar needs of Mbed TLS: AES, made of small tables that are constant, and hashes. */
#define MBEDTLS_AES_C
#define MBEDTLS_AES_FEWER_TABLES
#define MBEDTLS_CIPHER_MODE_CFB
#define MBEDTLS_MD5_C
#define MBEDTLS_SHA1_C
#define MBEDTLS_SHA256_C
#define MBEDTLS_SHA256_SMALLER
END
    archive mbedcrypto -I"$dir/include" -DMBEDTLS_CONFIG_FILE='"gdvar_mbedtls_config.h"' -- \
        "$from"/library/{aes,md5,platform_util,sha1,sha256}.c
}

help "$@"
[ $# -le 1 ] || misused
case ${1:-} in
--path) say "$dir" ;;
--remove) rm -rf "$dir" ;;
'')
    # The mark says that all of it is there, and how it was made.
    mark=$(cat "${BASH_SOURCE[0]}" "$left_out" | sha256sum)
    [ "$(cat "$dir/made" 2>/dev/null)" != "$mark" ] || exit 0
    install_packages "${wasm_packages[@]}"
    mkdir -p "$dir/include" "$dir/lib"
    for name in zlib libzstd brotli mbedtls; do
        fetch_sources "$name"
        note_source "$name" "$dir"
        stage "build $name" "build_$name"
    done
    printf '%s\n' "$mark" >"$dir/made"
    ;;
*) misused ;;
esac
