#!/usr/bin/env bash
# Uses gdvar the three ways that others do: find_package, pkg-config, add_subdirectory.
#
# package_test.sh SOURCE_DIR BUILD_DIR VERSION: BUILD_DIR holds a finished build of SOURCE_DIR.
set -euo pipefail
source_dir=$1
build_dir=$2
version=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cmake=${CMAKE:-cmake}
cxx=${CXX:-c++}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

check_output() {
    [ "$2" = "gdvar $version" ] || {
        printf '%s printed:\n%s\n' "$1" "$2"
        exit 1
    }
    echo "$1: works"
}

"$cmake" --install "$build_dir" --prefix "$prefix" >"$work/install.log" || {
    cat "$work/install.log"
    exit 1
}
if [ -x "$prefix/bin/gdvar" ]; then
    "$prefix/bin/gdvar" --version >/dev/null
    echo "the installed command: works"
fi

# Moved, because an installed tree must not depend on where it was first.
mv "$prefix" "$work/moved"
prefix=$work/moved

for way in find_package add_subdirectory; do
    if ! {
        "$cmake" -S "$here/consumer" -B "$work/$way" -DWAY="$way" -DGDVAR_SOURCE="$source_dir" -DVERSION="$version" \
            -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE="${CMAKE_BUILD_TYPE:-Release}" &&
            "$cmake" --build "$work/$way" --target consumer -j "$(nproc)"
    } >"$work/$way.log" 2>&1; then
        cat "$work/$way.log"
        exit 1
    fi
    check_output "$way" "$("$work/$way/consumer")"
done

# The example that docs/networking.md leads to, as its reader builds it.
if ! {
    "$cmake" -S "$source_dir/examples/lobby" -B "$work/lobby" -DCMAKE_PREFIX_PATH="$prefix" &&
        "$cmake" --build "$work/lobby"
} >"$work/lobby.log" 2>&1; then
    cat "$work/lobby.log"
    exit 1
fi
"$work/lobby/lobby" no-such-dialect 0 0 2>/dev/null && exit 1
"$work/lobby/lobby" || [ $? -eq 2 ]
echo "examples/lobby: works"

if command -v pkg-config >/dev/null; then
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name gdvar.pc)")
    export PKG_CONFIG_PATH
    # --define-prefix finds the moved tree.
    read -ra flags <<<"$(pkg-config --define-prefix --cflags --libs gdvar)"
    "$cxx" -std=c++23 "$here/consumer/main.cpp" "${flags[@]}" -o "$work/consumer"
    check_output pkg-config "$("$work/consumer")"
else
    echo "pkg-config: not here, not tried"
fi
