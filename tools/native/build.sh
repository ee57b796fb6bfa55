#!/usr/bin/env bash
# Builds the command, the C library or the wheel of the Python package, for another system, by zig's clang, with everything
# that it needs inside. The libraries in it are built once, from Debian's sources, into ~/.cache/gdvar/native.
#
#   scripts/package command TARGET        builds build/native/TARGET/gdvar, gdvar.exe or gdvar.wasm
#   scripts/package library TARGET        builds the C library: shared, with its import library for Windows, in
#                                         build/native/TARGET/bindings/c, and static, build/native/TARGET/libgdvar-c.a
#   scripts/package wheel TARGET          builds the wheel, for CPython 3.11 and later, in build/native/TARGET/dist
#   scripts/package command --remove      deletes the libraries and the compiler
#   scripts/package tests TARGET ROOM...  builds the C++ tests of these rooms, and those of the C library (c), as programs
#
# TARGET of all is x86_64-windows-gnu, aarch64-windows-gnu, x86_64-macos or aarch64-macos; of the command and the wheel also
# x86_64-linux-musl or aarch64-linux-musl, of the library and the wheel also x86_64-linux-gnu or aarch64-linux-gnu (glibc 2.17
# and later), of the command alone wasm32-wasi. The command in a wheel for Linux is the one for musl, which needs no library of the system.
# That of the tests is x86_64-windows-gnu, x86_64-linux-musl or aarch64-linux-musl.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../shell/lib.sh"
. "$root_dir/tools/shell/python.sh"
. "$root_dir/tools/shell/sources.sh"
. "$root_dir/tools/native/zig.sh"
. "$root_dir/tools/native/notices.sh"
. "$root_dir/tools/native/wheel.sh"

help "$@"
[[ $# -eq 2 || ${1:-} = tests && $# -gt 2 ]] || misused
known=(x86_64-windows-gnu aarch64-windows-gnu x86_64-macos aarch64-macos)
case $1 in
command) known+=(x86_64-linux-musl aarch64-linux-musl wasm32-wasi) targets=(gdvar) ;;
library) known+=(x86_64-linux-gnu aarch64-linux-gnu) targets=(gdvar_c) ;;
wheel) known=("${!wheel_platforms[@]}") targets=(gdvar_python) ;;
tests)
    known=(x86_64-windows-gnu x86_64-linux-musl aarch64-linux-musl)
    for room in "${@:3}"; do [[ $room = c || -f $root_dir/tests/$room/CMakeLists.txt ]] || misused; done
    read -ra targets <<<"$(test_targets "${@:3}")"
    ;;
*) misused ;;
esac
if [ "$*" = "command --remove" ]; then
    rm -rf "$cache_dir/native" "$cache_dir/zig"
    exit
fi
[[ " ${known[*]} " = *" $2 "* ]] || misused
target=$2
native_dir=$cache_dir/native/$target
. "$root_dir/tools/native/libraries.sh"

# The libraries for glibc are for other programs than the command. WASI has neither a screen nor sockets nor shared libraries.
browser=ON apps=ON net=ON c=ON options=()
[[ $target != wasm32-* ]] || browser=OFF
[[ $target != *-linux-gnu ]] || apps=OFF net=OFF
[[ $target != wasm32-* ]] || net=OFF c=OFF
if [ "$1" = tests ]; then
    install_packages googletest nlohmann-json3-dev
    fetch_sources rapidcheck
    ln -sfn /usr/include/nlohmann "$native_dir/include/nlohmann"
    options=(-DGDVAR_BUILD_TESTS=ON -DGDVAR_GTEST_SOURCE=/usr/src/googletest -DGDVAR_RAPIDCHECK_SOURCE="$sources_dir/rapidcheck")
fi

configure() {
    PKG_CONFIG_LIBDIR=$native_dir/lib/pkgconfig PKG_CONFIG_PATH='' \
        cmake -S "$root_dir" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$root_dir/cmake/zig.cmake" \
        -DCMAKE_PREFIX_PATH="$native_dir" -DGDVAR_TARGET="$target" -DGDVAR_NATIVE="$native_dir" -DBoost_INCLUDE_DIR="$native_dir/include" \
        -DBoost_NO_BOOST_CMAKE=ON -DGDVAR_BROWSER="$browser" -DGDVAR_APPS="$apps" -DGDVAR_NET="$net" -DGDVAR_C="$c" -DGDVAR_INSTALL=OFF "$@" >/dev/null
}

build=$root_dir/build/native/$target
make_zig
make_compilers
make_libraries
if [ "$1" = wheel ]; then
    "$0" command "${target/-linux-gnu/-linux-musl}"
    stage "make the virtual environment of the tools" make_python_venv
    stage "get the headers of CPython" make_python_headers
    options=(-DGDVAR_PYTHON=ON -DPython_EXECUTABLE="$(python_venv)/bin/python")
fi
# Objects of other compilers are not built upon: ninja does not see that a compiler has changed.
compilers=$(cat "$native_dir"/bin/* | sha256sum)
[ "$(cat "$build/compilers" 2>/dev/null)" = "$compilers" ] || rm -rf "$build"
stage "configure" configure "${options[@]}"
printf '%s\n' "$compilers" >"$build/compilers"
stage "build" cmake --build "$build" -j "$(build_jobs)" --target "${targets[@]}"
case $1 in
library)
    install_packages llvm-19
    stage "one archive" "$root_dir/tools/native/whole_archive.py" "$zig" "$build" "$build/libgdvar-c.a"
    ;;
wheel)
    stage "look at the extension" check_extension
    stage "pack the wheel" pack_wheel
    ;;
esac
