#!/usr/bin/env bash
# Builds the WebAssembly modules (bindings/js/wasm) into build/wasm, compares what they say of the test data with what the
# native library says, and prints their sizes.
#
#   scripts/package wasm           all modules
#   scripts/package wasm --build   without the comparison, for which the native library is built and Node 20 is needed
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../../tools/shell/lib.sh"

libraries=$root_dir/bindings/js/wasm/libraries.sh

build_modules() {
    cd "$root_dir"
    cmake --preset wasm -DGDVAR_WASM_LIBRARIES="$("$libraries" --path)" >/dev/null
    cmake --build build/wasm -j "$(build_jobs)"
}

compare() {
    local library=build/release/bindings/c/libgdvar-c.so
    cd "$root_dir"
    command -v node >/dev/null || die "this needs Node 20 or later"
    build_release gdvar_c
    python3 bindings/js/wasm/verdicts.py "$library" tests/data >build/wasm/verdicts
    node bindings/js/wasm/smoke.mjs build/wasm tests/data build/wasm/verdicts
}

help "$@"
[ $# -le 1 ] || misused
case ${1:-} in
'' | --build) ;;
*) misused ;;
esac
stage "install what is missing" install_packages "${build_packages[@]}" "${wasm_packages[@]}"
stage "the libraries inside" "$libraries"
stage "build" build_modules
[ "${1:-}" = --build ] || stage "compare" compare
print_stage_times
