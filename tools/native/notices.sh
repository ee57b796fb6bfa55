# shellcheck shell=bash
# The licences of what is inside the files that tools/native builds. Source it after lib.sh and zig.sh, don't run it.

# notice_files TARGET: on each line a name, and the file with its text. libraries.sh collected those of the libraries. The
# runtime libraries of C and C++ are zig's.
notice_files() {
    local collected=$cache_dir/native/$1/licences name lib
    lib=$(dirname "$zig")/lib
    [ -d "$collected" ] || die "nothing has been built for $1"
    for name in "$collected"/*; do
        echo "${name##*/} $name"
    done
    echo "zig $lib/../LICENSE"
    for name in libcxx libcxxabi libunwind; do
        echo "$name $lib/$name/LICENSE.TXT"
    done
    case $1 in
    *-linux-gnu) echo "glibc $lib/libc/glibc/LICENSES" ;;
    *-linux-musl) echo "musl $lib/libc/musl/COPYRIGHT" ;;
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
    cut -d ' ' -f 2- <<<"$files" | xargs -d '\n' grep -hoE '/usr/share/common-licenses/[A-Za-z0-9.+-]*[A-Za-z0-9]' | sort -u |
        while read -r file; do
            printf '\n======== %s\n\n' "$file"
            cat "$file"
        done
}
