#!/usr/bin/env bash
# Makes bindings/go a Go module that programs can use: builds the WebAssembly module that it runs, and puts it there.
# docs/go.md says how a program names that folder.
#
#   scripts/package go
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/shell/lib.sh"
. "$root_dir/tools/shell/python.sh"
. "$root_dir/tools/shell/languages.sh"

help "$@"
[ $# -eq 0 ] || misused
stage "install what is missing" install_packages "${build_packages[@]}" "${wasm_packages[@]}"
stage "build the WebAssembly module" build_go_module
