# shellcheck shell=bash
# The licences of what is inside the files that tools/native builds, and inside the page. Source it after lib.sh and zig.sh,
# don't run it.

# npm_notice_files: those of the modules, which build_js_package collects. The command has its own in one file.
npm_notice_files() {
    local name
    for name in "$root_dir"/bindings/js/dist/licences/*; do
        [ "${name##*/}" = command ] || echo "${name##*/} $name"
    done
}

# page_notice_files: those of the modules, and of the packages that are in the page.
page_notice_files() {
    local name
    npm_notice_files
    for name in preact @preact/signals @preact/signals-core comlink d3-hierarchy @fontsource/ibm-plex-{mono,sans}; do
        echo "${name##*/} $root_dir/web/node_modules/$name/LICENSE"
    done
}

# notice_files TARGET: on each line a name, and the file with its text. libraries.sh collected those of the libraries. The
# runtime libraries of C and C++ are zig's. TARGET may be `page`, `npm` or `sources`.
notice_files() {
    local collected=$cache_dir/native/$1/licences name lib
    echo "godot $root_dir/NOTICE"
    case $1 in
    page | npm) "${1}_notice_files"; return ;;
    sources) return ;;
    esac
    [ -d "$collected" ] || die "nothing has been built for $1"
    make_zig >&2
    lib=$(dirname "$zig")/lib
    for name in "$collected"/*; do
        echo "${name##*/} $name"
    done
    echo "zig $lib/../LICENSE"
    for name in libcxx libcxxabi libunwind; do
        echo "$name $lib/$name/LICENSE.TXT"
    done
    case $1 in
    *-linux-musl) echo "musl $lib/libc/musl/COPYRIGHT" ;;
    wasm32-wasi) printf '%s\n' "wasi-libc $lib/libc/wasi/LICENSE" "wasi-libc-mit $lib/libc/wasi/LICENSE-MIT" "musl $lib/libc/musl/COPYRIGHT" ;;
    *-windows-gnu) echo "mingw-w64 $lib/libc/mingw/COPYING" ;;
    esac
}

# notices TARGET...: prints the texts of all that the libraries and programs for these targets may contain, each once, and
# the licences that the texts refer to. All was built for these targets before.
notices() {
    local target files name file
    files=$(for target; do notice_files "$target"; done | sort -u -k1,1)
    printf '%s\n' "The files of gdvar contain parts of the following works. Where a text leaves the choice between licences, the" \
        "one that is not a GPL was chosen."
    while read -r name file; do
        printf '\n======== %s\n\n' "$name"
        cat "$file"
    done <<<"$files"
    cut -d ' ' -f 2- <<<"$files" | { xargs -d '\n' grep -hoE '/usr/share/common-licenses/[A-Za-z0-9.+-]*[A-Za-z0-9]' || true; } | sort -u |
        while read -r file; do
            printf '\n======== %s\n\n' "$file"
            cat "$file"
        done
}
