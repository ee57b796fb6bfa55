#!/usr/bin/env bash
# Runs a command on this machine as if it had a C++ compiler, CMake and its generator alone.
#
# bare.sh COMMAND...: PATH leads to those tools only. Where the kernel lets us have a mount namespace, the headers in
# /usr/include are those of the C and C++ library, and no CMake package and no pkg-config module is to be seen. Where it
# does not, or where the machine is not a Debian, CMake is told to find no package: BARE_ARGS is in the environment of
# the command and has the options for that; it is empty in a mount namespace. The compiler is CXX, a full path.
set -euo pipefail
cxx=${CXX:-/usr/bin/c++}
cmake=${CMAKE:-cmake}

if [ "${1:-}" = --inside ]; then
    work=$2
    shift 2
    # The C and C++ library's headers, and those of the kernel that they include.
    mkdir "$work/include" "$work/empty"
    dpkg-query -W -f '${db:Status-Status} ${binary:Package}\n' 'libc6-dev*' 'linux-libc-dev*' 'libstdc++-*-dev*' \
        'libcrypt-dev*' 'libgcc-*-dev*' 2>/dev/null | awk '$1 == "installed" { print $2 }' | xargs dpkg -L |
        sed -n 's|^/usr/include/||p' | sort -u |
        while IFS= read -r name; do [ -d "/usr/include/$name" ] || printf '%s\n' "$name"; done |
        tar -C /usr/include -cf - -T - | tar -C "$work/include" -xf -
    mount --bind "$work/include" /usr/include
    for dir in /usr/local /usr/lib/cmake /usr/lib/*/cmake /usr/share/cmake /usr/lib/pkgconfig /usr/lib/*/pkgconfig \
        /usr/share/pkgconfig /usr/share/boost*; do
        [ ! -d "$dir" ] || mount --bind "$work/empty" "$dir"
    done
    export BARE_ARGS=
    exec "$@"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
for tool in "$cmake" "$cxx" ninja make sh env as ld ar ranlib nm objdump readelf strip; do
    ! path=$(command -v "$tool") || ln -s "$path" "$work/bin/$(basename "$tool")"
done
namespace=(unshare --mount)
[ "$(id -u)" -eq 0 ] || namespace=(unshare --mount --map-root-user)
if command -v dpkg-query >/dev/null && "${namespace[@]}" true 2>/dev/null; then
    "${namespace[@]}" "${BASH_SOURCE[0]}" --inside "$work" env PATH="$work/bin" "$@"
else
    args=
    for package in ZLIB OpenSSL Boost PkgConfig CLI11 GTest benchmark Python3 Threads; do
        args+=" -DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"
    done
    PATH="$work/bin" BARE_ARGS=$args "$@"
fi
