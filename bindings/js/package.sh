#!/usr/bin/env bash
# Packs the npm package as users get it, and tries it: what is in the archive, and a strict TypeScript program
# (bindings/js/package_test) in an empty project, run by Node, Deno and Bun. Those two are installed from npm; where they
# can't be had, that is said. Its command runs as the program for this system, and as WebAssembly.
#
#   scripts/package js             all of it
#   scripts/package js --pack      only builds; prints the path of the archive last
#   scripts/package js --commands [SYSTEM...]
#                                  packs the packages with the command for these systems, such as linux-x64, or for all;
#                                  prints their paths last
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/shell/lib.sh"
. "$root_dir/tools/shell/js.sh"
. "$root_dir/tools/shell/python.sh"
. "$root_dir/tools/native/zig.sh"
. "$root_dir/tools/native/notices.sh"

# add_wasm_command: the command as WebAssembly, for the systems that no package is for.
add_wasm_command() {
    "$root_dir/scripts/package" command wasm32-wasi
    cp "$root_dir/build/native/wasm32-wasi/gdvar.wasm" "$js_dir/dist/gdvar-command.wasm"
    notices wasm32-wasi >"$js_dir/dist/licences/command"
}

# pack_command SYSTEM TARGET
pack_command() {
    local folder=$js_work/packages/$1
    "$root_dir/scripts/package" command "$2"
    rm -rf "$folder"
    "$(find_node)" "$js_dir/packages.mjs" "$js_work/packages" "$1"
    notices "$2" >"$folder/NOTICES"
    mkdir -p "$js_work"
    cd "$js_work"
    npm pack --silent "$folder" >/dev/null
}

# pack_commands SYSTEM...: those of the table in packages.mjs; without one, all.
pack_commands() {
    local row rows system target table archives=()
    table=$("$(find_node)" "$js_dir/packages.mjs" --targets)
    mapfile -t rows <<<"$table"
    for row in "${rows[@]}"; do
        read -r system target <<<"$row"
        [[ $# -eq 0 || " $* " = *" $system "* ]] || continue
        stage "pack the command for $system" pack_command "$system" "$target"
        archives+=("$js_work/gdvar-$system-$(gdvar_version).tgz")
    done
    printf '%s\n' "${archives[@]}"
}

# use_command: npx in an empty project, with the program for this system, then without it. The transcripts of the command's
# tests come out the same.
use_command() {
    local system
    system=$("$(find_node)" -p 'process.platform + "-" + process.arch')
    rm -rf "$js_work/command"
    mkdir "$js_work/command"
    cd "$js_work/command"
    # npm installs those that are for this system alone.
    "$(find_node)" -e 'const [gdvar, ...rest] = process.argv.slice(1);
        const files = rest.map((path) => [`@gdvar/${/gdvar-([a-z0-9]+-[a-z0-9]+)-/.exec(path)[1]}`, `file:${path}`]);
        console.log(JSON.stringify({ private: true, dependencies: { gdvar: `file:${gdvar}` }, optionalDependencies: Object.fromEntries(files) }));' \
        "$js_archive" "$js_work"/gdvar-*-*.tgz >package.json
    npm install --silent --no-audit --no-fund --offline
    [ "$(ls node_modules/@gdvar)" = "$system" ] || die "these were installed: $(ls node_modules/@gdvar)"
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$PWD/node_modules/.bin/gdvar" >gdvar
    chmod +x gdvar
    try_command "the program for $system" "$PWD/gdvar"
    rm -r node_modules/@gdvar
    try_command "WebAssembly" "$PWD/node_modules/gdvar/dist/command.js"
}

# try_command TITLE COMMAND
try_command() {
    PATH=$(dirname "$(find_node)"):$PATH
    say "$1: $(npx --offline gdvar --version)"
    GDVAR_COMMAND=$2 GDVAR_NODE=$(find_node) python3 "$root_dir/tests/apps/transcripts_test.py" "$2" "$root_dir"
}

# elsewhere: the same program in Deno and Bun.
elsewhere() {
    local modules
    npm_install bindings/js/npm/runtimes >/dev/null 2>&1 || { say "SKIPPED: Deno and Bun can't be had from npm"; return; }
    modules=$(npm_folder bindings/js/npm/runtimes)/node_modules
    run deno "$modules/@deno/linux-x64-glibc/deno" run --quiet --allow-read --allow-net=127.0.0.1
    run bun "$modules/@oven/bun-linux-x64/bin/bun" run
}

# run NAME PROGRAM ARGUMENT...
run() {
    local name=$1
    shift
    if ! "$1" --version >/dev/null 2>&1; then
        say "SKIPPED: $name does not run here"
        return
    fi
    cd "$js_work/project"
    say "$name $("$1" --version | head -1): $("$@" out/use.js)"
}

help "$@"
case ${1:-} in
'' | --pack) [ $# -le 1 ] || misused ;;
--commands)
    for system in "${@:2}"; do
        grep -q "^    \"$system\": \"" "$js_dir/packages.mjs" || misused
    done
    ;;
*) misused ;;
esac
stage "find Node" make_node
if [ "${1:-}" = --commands ]; then
    pack_commands "${@:2}"
    exit
fi
stage "build the npm package" build_js_package
stage "its command as WebAssembly" add_wasm_command
stage "pack it" pack_js_package
if [ "${1:-}" = --pack ]; then
    say "$js_archive"
    exit
fi
stage "use it" use_js_package
stage "Deno and Bun" elsewhere
pack_commands "$("$(find_node)" -p 'process.platform + "-" + process.arch')"
stage "use its command" use_command
print_stage_times
