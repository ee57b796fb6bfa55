# shellcheck shell=bash
# zig's clang: a compiler for each of the targets, from pip's index. Source it after lib.sh and python.sh, don't run it.

zig_lock=$root_dir/tools/native/requirements.txt
# So that a target's C library is built once, and not in the checkout.
export ZIG_GLOBAL_CACHE_DIR=$cache_dir/zig/cache ZIG_LOCAL_CACHE_DIR=$cache_dir/zig/cache
# make_compilers writes the compilers anew each time; their text says which zig they are.
export CCACHE_COMPILERCHECK=content

# make_zig: the compiler in $zig.
make_zig() {
    local dir python
    dir=$cache_dir/zig/$(sha256sum <"$zig_lock" | head -c 16)
    zig=$dir/ziglang/zig
    [ ! -x "$zig" ] || return 0
    install_packages python3-venv
    python=$(find_python) || die "no Python with venv"
    rm -rf "$dir" "$dir.venv"
    "$python" -m venv "$dir.venv"
    "$dir.venv/bin/python" -m pip --disable-pip-version-check install --quiet --require-hashes --no-deps --only-binary :all: \
        --target "$dir.part" -r "$zig_lock"
    rm -rf "$dir.venv"
    mv "$dir.part" "$dir"
}

# make_compilers: programs of the usual names for $target in $native_dir/bin. `rc` writes what the linker takes.
make_compilers() {
    local zig_target=${target/-macos/-macos.11.0}
    zig_target=${zig_target/-linux-gnu/-linux-gnu.2.17}
    # Symbols for debuggers name the sources' folder, and an object of macOS keeps their size when they are stripped.
    [[ $target != *-macos ]] || zig_target+=' -g0'
    # Exceptions, of which zig's own C++ library for WebAssembly has none, and what all of Node 20 has. Threads can't be
    # started there; the library still has their types.
    if [ "$target" = wasm32-wasi ]; then
        zig_target+=' -mcpu=generic+exception_handling+simd128 -fwasm-exceptions'
        zig_target+=' -U_LIBCPP_HAS_THREADS -D_LIBCPP_HAS_THREADS=1 -D_LIBCPP_HAS_THREAD_API_PTHREAD=1'
        zig_target+=' -U_LIBCPP_HAS_FILESYSTEM -D_LIBCPP_HAS_FILESYSTEM=1'
    fi
    mkdir -p "$native_dir/bin"
    tool() { printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$zig" "$2" >"$native_dir/bin/$1"; chmod +x "$native_dir/bin/$1"; }
    tool cc "cc -target $zig_target"
    tool c++ "c++ -target $zig_target"
    tool ar ar
    tool ranlib ranlib
    tool rc rc
}
