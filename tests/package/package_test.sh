#!/usr/bin/env bash
# Uses gdvar the ways that others do: find_package, pkg-config, add_subdirectory, FetchContent; all of it, and the core
# alone on a machine that has a compiler and CMake alone (bare.sh).
#
# package_test.sh SOURCE_DIR BUILD_DIR VERSION: BUILD_DIR holds a finished build of SOURCE_DIR.
set -euo pipefail
source_dir=$1
build_dir=$2
version=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cmake=${CMAKE:-cmake}
cxx=$(command -v "${CXX:-c++}")
# For bare.sh, which leaves nothing in PATH.
launcher=${CMAKE_CXX_COMPILER_LAUNCHER:-}
[ -z "$launcher" ] || launcher=$(command -v "$launcher")
export CXX=$cxx CMAKE=$cmake CMAKE_CXX_COMPILER_LAUNCHER=$launcher

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

# quietly NAME COMMAND...: shows the output of what fails.
quietly() {
    local log=$work/$1.log
    shift
    "$@" >"$log" 2>&1 || {
        cat "$log"
        exit 1
    }
}

check_output() {
    [ "$2" = "gdvar $version" ] || {
        printf '%s printed:\n%s\n' "$1" "$2"
        exit 1
    }
    echo "$1: works"
}

# The libraries that a program or library itself asks for.
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | tr '\n' ' '; }

# Those of a C++ program. A program that needs another one does not stand alone.
check_stands_alone() {
    local library
    for library in $(needed "$2"); do
        case $library in
        libstdc++.so.* | libm.so.* | libgcc_s.so.* | libc.so.* | libc++.so.* | libc++abi.so.* | ld-linux*) ;;
        *)
            echo "$1: the program needs $library"
            exit 1
            ;;
        esac
    done
}

# consume NAME [bare] -DWAY=... ...: builds and runs the consumer.
consume() {
    local name=$1 bare=()
    shift
    if [ "$1" = bare ]; then
        bare=("$here/bare.sh")
        shift
    fi
    # shellcheck disable=SC2016
    quietly "$name" "${bare[@]}" sh -c '
        build=$1 jobs=$2
        shift 2
        "$CMAKE" -B "$build" "$@" ${BARE_ARGS:-} && "$CMAKE" --build "$build" --target consumer -j "$jobs"' \
        sh "$work/$name" "$(nproc)" -S "$here/consumer" -DGDVAR_SOURCE="$source_dir" -DVERSION="$version" \
        -DCMAKE_PREFIX_PATH="$prefix" "$@"
    check_output "$name" "$("$work/$name/consumer")"
    [ ${#bare[@]} -eq 0 ] || check_stands_alone "$name" "$work/$name/consumer"
}

quietly install "$cmake" --install "$build_dir" --prefix "$prefix"
if [ -x "$prefix/bin/gdvar" ]; then
    "$prefix/bin/gdvar" --version >/dev/null
    echo "the installed command: works"
fi

# Moved, because an installed tree must not depend on where it was first.
mv "$prefix" "$work/moved"
prefix=$work/moved

build_type=${CMAKE_BUILD_TYPE:-Release}
consume find_package -DWAY=find_package -DCMAKE_BUILD_TYPE="$build_type"
# All components of the sources: only configured, since printed_test.py compiles what is to be.
quietly add_subdirectory "$cmake" -S "$here/consumer" -B "$work/add_subdirectory" -DWAY=add_subdirectory \
    -DGDVAR_SOURCE="$source_dir"

# The same installation on a machine that has none of the libraries that save and net need.
consume find_core bare -DWAY=find_core -DMISSING='gdvar::save needs ZLIB::ZLIB, OpenSSL::Crypto'

# configure_bare SOURCE_DIR BUILD_DIR OPTION...
configure_bare() {
    # shellcheck disable=SC2016
    "$here/bare.sh" sh -c '"$CMAKE" "$@" ${BARE_ARGS:-}' sh -S "$1" -B "${@:2}"
}

# The sources in another project on such a machine; printed_test.py compiles them.
quietly fetch_content configure_bare "$here/consumer" "$work/fetch_content" -DWAY=fetch_content -DGDVAR_SOURCE="$source_dir"

# There the other components say what they need.
if configure_bare "$source_dir" "$work/refused" >"$work/refused.log" 2>&1 ||
    ! tr -s '\n ' ' ' <"$work/refused.log" | grep -q 'gdvar::save needs ZLIB::ZLIB, .* -DGDVAR_SAVE=OFF'; then
    cat "$work/refused.log"
    exit 1
fi
# Without them gdvar configures as a project of its own, and its package lacks them.
quietly alone configure_bare "$source_dir" "$work/alone" -DGDVAR_SAVE=OFF -DGDVAR_NET=OFF -DGDVAR_APPS=OFF
ls "$work"/alone/*.pc | sed 's|.*/||' | diff - <(printf '%s.pc\n' gdvar-core gdvar-inspect gdvar-json gdvar-text gdvar)

if command -v pkg-config >/dev/null; then
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name gdvar.pc)")
    export PKG_CONFIG_PATH
    for component in core text json inspect save file net; do
        pkg-config --exact-version="$version" "gdvar-$component"
        # The module names all that the archive needs.
        read -ra flags <<<"$(pkg-config --libs "gdvar-$component")"
        "$cxx" -shared -o "$work/whole.so" -Wl,-z,defs -L"$(pkg-config --variable=libdir gdvar)" \
            -Wl,--whole-archive "-lgdvar_$component" -Wl,--no-whole-archive "${flags[@]}"
    done
    read -ra flags <<<"$(pkg-config --cflags --libs gdvar)"
    "$cxx" -std=c++23 "$here/consumer/main.cpp" "${flags[@]}" -o "$work/consumer"
    check_output pkg-config "$("$work/consumer")"
    # The core asks for no other module: there are none where pkg-config looks now.
    read -ra flags <<<"$(PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH pkg-config --cflags --libs gdvar-core)"
    "$cxx" -std=c++23 "$here/consumer/core.cpp" "${flags[@]}" -o "$work/core_consumer"
    check_output "pkg-config gdvar-core" "$("$work/core_consumer")"
    check_stands_alone "pkg-config gdvar-core" "$work/core_consumer"
    # The C interface, from a C compiler.
    read -ra flags <<<"$(pkg-config --cflags --libs gdvar-c)"
    cc -std=c99 "$source_dir/bindings/c/tests/calls_test.c" "${flags[@]}" -o "$work/c_consumer"
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir gdvar-c) "$work/c_consumer"
    echo "pkg-config gdvar-c: works"
else
    echo "pkg-config: not here, not tried"
fi
