#!/usr/bin/env bash
# Builds the command for another system, by zig's clang, with everything that it needs inside. The libraries are built once,
# from Debian's sources, into ~/.cache/gdvar/native.
#
#   scripts/package command TARGET       builds build/native/TARGET/gdvar, or gdvar.exe
#   scripts/package command --remove     deletes the libraries and the compiler
#
# TARGET is x86_64-linux-musl or x86_64-windows-gnu.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../shell/lib.sh"
. "$root_dir/tools/shell/python.sh"
. "$root_dir/tools/shell/sources.sh"
. "$root_dir/tools/native/zig.sh"

help "$@"
[ $# -eq 1 ] || misused
case $1 in
--remove)
    rm -rf "$cache_dir/native" "$cache_dir/zig"
    exit
    ;;
x86_64-linux-musl | x86_64-windows-gnu) target=$1 ;;
*) misused ;;
esac
native_dir=$cache_dir/native/$target
. "$root_dir/tools/native/libraries.sh"

configure() {
    PKG_CONFIG_LIBDIR=$native_dir/lib/pkgconfig PKG_CONFIG_PATH='' \
        cmake -S "$root_dir" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$root_dir/cmake/zig.cmake" \
        -DCMAKE_PREFIX_PATH="$native_dir" -DGDVAR_TARGET="$target" -DGDVAR_NATIVE="$native_dir" -DBoost_INCLUDE_DIR="$native_dir/include" \
        -DBoost_NO_BOOST_CMAKE=ON -DGDVAR_BROWSER=OFF -DGDVAR_INSTALL=OFF "$@" >/dev/null
}

build=$root_dir/build/native/$target
make_zig
make_compilers
make_libraries
stage "configure" configure
stage "build" cmake --build "$build" -j "$(build_jobs)" --target gdvar
