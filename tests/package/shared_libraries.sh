#!/usr/bin/env bash
# Builds gdvar's components as shared libraries, and looks at them as others use them: the SONAME of each, the symbols
# that it exports (lists in cmake/symbols), programs that find the installed libraries by find_package and by
# pkg-config, in a tree that was moved.
#
#   scripts/package shared            all components and the command
#   scripts/package shared --quick    core, text, json and inspect
#   scripts/package shared --update   all; writes the lists of symbols anew instead of comparing them
#   scripts/package shared ... --build-dir DIR    builds in DIR, not in build/shared
#
# A list has the functions and variables that other libraries and programs link: what has GDVAR_EXPORT and is neither
# inline nor a template. It is that of g++ for 64-bit Linux.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/shell/lib.sh"

help "$@"
components=(core text json inspect save file net)
quick='' update='' build_dir=$root_dir/build/shared
while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=1 components=(core text json inspect) ;;
    --update) update=1 ;;
    --build-dir) [ $# -gt 1 ] || misused; build_dir=$2; shift ;;
    *) misused ;;
    esac
    shift
done
version=$(gdvar_version)
export CXX=${CXX:-g++}
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(build_jobs)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() {
    local options=()
    [ -z "$quick" ] || options=(-DGDVAR_SAVE=OFF -DGDVAR_NET=OFF -DGDVAR_APPS=OFF)
    # Without optimisation, because it compiles faster; what is exported is the same.
    cmake -S "$root_dir" -B "$build_dir" -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_CXX_FLAGS_DEBUG=-O0 "${options[@]}" >"$work/configure" || { cat "$work/configure"; return 1; }
    cmake --build "$build_dir" -j "$jobs" >"$work/build" || { cat "$work/build"; return 1; }
}

# Installs and moves the tree, which must not depend on where it was first.
install_moved() {
    cmake --install "$build_dir" --prefix "$work/prefix" >"$work/install" || { cat "$work/install"; return 1; }
    mv "$work/prefix" "$work/moved"
}

# The library's file, whatever the name of the folder is on this system.
library() { find "$work/moved" -name "libgdvar_$1.so.$version"; }

# symbols FILE: the strong symbols that a library exports, as they are in C++.
symbols() {
    nm -D --defined-only --demangle "$1" | sed -n 's/^[0-9a-f]* [ABCDGRST] //p' |
        sed 's/std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >/std::string/g
            s/std::basic_string_view<char, std::char_traits<char> >/std::string_view/g
            s/, 18446744073709551615ul>/>/g' | LC_ALL=C sort -u
}

check_libraries() {
    local component file soname list foreign failed=0
    for component in "${components[@]}"; do
        file=$(library "$component")
        [ -n "$file" ] || die "there is no libgdvar_$component.so.$version"
        soname=$(readelf -d "$file" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
        [ "$soname" = "libgdvar_$component.so.${version%.*}" ] || { say "$file has the SONAME $soname"; failed=1; }
        # Inline functions and templates: those of ours and of the standard library.
        foreign=$(nm -D --defined-only --demangle "$file" | sed 's/^[0-9a-f]* //' | grep '^[VWuvw] ' |
            grep -Ev '(gdvar|std|__gnu_cxx)::' || true)
        [ -z "$foreign" ] || { printf '%s exports:\n%s\n' "$soname" "$foreign"; failed=1; }
        list=$root_dir/cmake/symbols/$component.txt
        symbols "$file" >"$work/symbols"
        if [ -n "$update" ]; then
            cp "$work/symbols" "$list"
        elif ! diff -u "$list" "$work/symbols"; then
            say "$list is not what $soname exports. If that is right: scripts/package shared --update"
            failed=1
        fi
        say "$soname: $(wc -l <"$work/symbols") symbols"
    done
    return "$failed"
}

check_output() {
    [ "$2" = "gdvar $version" ] || die "$1 printed: $2"
    say "$1: works"
}

# A program that is compiled with hidden visibility itself, as many are.
check_programs() {
    local consumer=$root_dir/tests/package/consumer ways=(shared) way libdir flags name library wanted
    libdir=$(dirname "$(library core)")
    [ -n "$quick" ] || ways+=(find_package)
    for way in "${ways[@]}"; do
        { cmake -S "$consumer" -B "$work/$way" -DWAY="$way" -DVERSION="$version" -DCMAKE_PREFIX_PATH="$work/moved" \
            -DCMAKE_CXX_VISIBILITY_PRESET=hidden -DCMAKE_VISIBILITY_INLINES_HIDDEN=ON &&
            cmake --build "$work/$way" -j "$jobs"; } >"$work/log" || { cat "$work/log"; return 1; }
        check_output "find_package ($way)" "$("$work/$way/consumer")"
    done
    # They are the installed libraries that it links.
    for name in core text json inspect; do
        wanted=$libdir/libgdvar_$name.so.${version%.*}
        library=$(ldd "$work/shared/consumer" | awk -v name="$(basename "$wanted")" '$1 == name { print $3 }')
        [ "$library" = "$wanted" ] || die "the program links $library, not $wanted"
    done
    command -v pkg-config >/dev/null || { say "pkg-config: not here, not tried"; return 0; }
    export PKG_CONFIG_PATH=$libdir/pkgconfig
    read -ra flags <<<"$(pkg-config --cflags --libs gdvar-inspect gdvar-json)"
    "$CXX" -std=c++23 -fvisibility=hidden "$consumer/shared.cpp" "${flags[@]}" -o "$work/consumer"
    check_output pkg-config "$(LD_LIBRARY_PATH=$libdir "$work/consumer")"
}

check_command() {
    local packet
    check_output "the installed command" "$("$work/moved/bin/gdvar" --version)"
    packet=$(printf '{"hp": 100}' | "$work/moved/bin/gdvar" pack --input json --plain --dialect godot-4.4 --output hex -)
    [ "$(printf '%s' "$packet" | "$work/moved/bin/gdvar" get --as hex - '$.hp')" = 100 ] ||
        die "the installed command does not read what it wrote: $packet"
}

stage "build the shared libraries" build
stage "install and move" install_moved
stage "SONAMEs and symbols" check_libraries
stage "programs that use them" check_programs
[ -n "$quick" ] || stage "the command" check_command
print_stage_times
