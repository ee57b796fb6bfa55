#!/usr/bin/env bash
# Packs the npm package as users get it, and tries it: what is in the archive, and a strict TypeScript program
# (bindings/js/package_test) in an empty project, run by Node, Deno and Bun. Those two are installed from npm; where they
# can't be had, that is said.
#
#   scripts/package js          all of it
#   scripts/package js --pack   only builds; prints the path of the archive last
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/shell/lib.sh"
. "$root_dir/tools/shell/js.sh"

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
[ $# -le 1 ] || misused
case ${1:-} in
'' | --pack) ;;
*) misused ;;
esac
stage "find Node" make_node
stage "build the npm package" build_js_package
stage "pack it" pack_js_package
if [ "${1:-}" = --pack ]; then
    say "$js_archive"
    exit
fi
stage "use it" use_js_package
stage "Deno and Bun" elsewhere
print_stage_times
