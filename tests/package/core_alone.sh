#!/usr/bin/env bash
# Proves that the core needs a compiler and CMake alone: builds, installs and uses it in a Debian 12 that has g++, cmake,
# make and pkg-config, and no other package than what these bring.
#
#   scripts/machine core-alone           makes the Debian when it is not there (1 to 3 minutes, 500 MB), and runs in it
#   scripts/machine core-alone --remove  deletes it
#
# It is a root tree of its own outside this repository: $GDVAR_CORE_ALONE, or ~/.cache/gdvar/core_alone. gdvar's sources
# are copied into it. Nothing in there reaches the network.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/shell/lib.sh"

suite=bookworm
tree=${GDVAR_CORE_ALONE:-$cache_dir/core_alone}
packages=g++,cmake,make,pkg-config

make_tree() {
    local mirror
    mirror=$(apt_mirror)
    install_packages debootstrap debian-archive-keyring
    remove_tree "$tree.partial"
    mkdir -p "$(dirname "$tree")"
    as_root debootstrap --variant=minbase --include="$packages" --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
        "$suite" "$tree.partial" "$mirror"
    as_root chroot "$tree.partial" apt-get clean
    as_root mv "$tree.partial" "$tree"
}

# The tree has no library that a component needs: neither headers nor a CMake package nor a pkg-config module.
check_tree() {
    local name found
    for name in zlib.h zstd.h brotli openssl boost enet gtest CLI benchmark; do
        found=$(as_root find "$tree/usr/include" "$tree/usr/local" -name "$name" -print -quit)
        [ -z "$found" ] || die "$found is there"
    done
    as_root chroot "$tree" sh -c 'cat /etc/debian_version && g++ --version | head -n 1 && cmake --version | head -n 1 &&
        make --version | head -n 1 && echo "$(dpkg-query -W | wc -l) packages"'
}

# Files that git knows, as they are in the work tree.
copy_sources() {
    as_root rm -rf "$tree/gdvar"
    as_root mkdir "$tree/gdvar" "$tree/gdvar/work"
    git -C "$root_dir" ls-files -z --cached --others --exclude-standard -- CMakeLists.txt LICENSE cmake data include src \
        tests/package | (cd "$root_dir" && tar --null -cf - -T -) | as_root tar -C "$tree/gdvar" --no-same-owner -xf -
}

# inside COMMAND...: in the tree, in the folder of the sources, with an environment of its own.
inside() {
    local shell='cd /gdvar && exec "$@"'
    as_root chroot "$tree" env -i HOME=/root PATH=/usr/bin:/bin:/usr/sbin:/sbin LC_ALL=C.UTF-8 sh -c "$shell" sh "$@"
}

# quietly COMMAND...: inside; shows the output of what fails.
quietly() {
    inside "$@" >"$log" 2>&1 || { cat "$log"; return 1; }
}

jobs=$(build_jobs)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
version=$(gdvar_version)

check_output() {
    [ "$2" = "gdvar $version" ] || die "$1 printed: $2"
    say "$1: works"
}

build_and_install() {
    quietly cmake -S . -B work/build -DCMAKE_BUILD_TYPE=Release -DGDVAR_SAVE=OFF -DGDVAR_NET=OFF -DGDVAR_APPS=OFF
    quietly cmake --build work/build -j "$jobs"
    quietly cmake --install work/build --prefix /gdvar/work/prefix
    inside find work/prefix -name '*.a' -o -name '*.pc'
}

use_find_package() {
    quietly cmake -S tests/package/consumer -B work/find_core -DWAY=find_core -DVERSION="$version" \
        -DMISSING='was built without the component' -DCMAKE_PREFIX_PATH=/gdvar/work/prefix
    quietly cmake --build work/find_core
    check_output "find_package(gdvar COMPONENTS core)" "$(inside work/find_core/consumer)"
}

use_fetch_content() {
    quietly cmake -S tests/package/consumer -B work/fetch_content -DWAY=fetch_content -DGDVAR_SOURCE=/gdvar \
        -DVERSION="$version"
    quietly cmake --build work/fetch_content --target consumer -j "$jobs"
    check_output "FetchContent, gdvar::core" "$(inside work/fetch_content/consumer)"
}

use_pkg_config() {
    # shellcheck disable=SC2016
    quietly sh -ec 'PKG_CONFIG_PATH=$(dirname "$(find "$PWD/work/prefix" -name gdvar-core.pc)")
        export PKG_CONFIG_PATH
        g++ -std=c++23 tests/package/consumer/core.cpp $(pkg-config --cflags --libs gdvar-core) -o work/pkg_config'
    check_output "pkg-config gdvar-core" "$(inside work/pkg_config)"
}

help "$@"
[ $# -le 1 ] || misused
case ${1:-} in
--remove) remove_tree "$tree"; remove_tree "$tree.partial"; exit ;;
"") ;;
*) misused ;;
esac

[ -x "$tree/usr/bin/cmake" ] || stage "make a Debian 12 in $tree" make_tree
stage "what it has" check_tree
stage "copy the sources" copy_sources
stage "build and install core, text, json and inspect" build_and_install
stage "use the installed core: find_package" use_find_package
stage "use the installed core: pkg-config" use_pkg_config
stage "use the sources: FetchContent" use_fetch_content
print_stage_times
say "the core stands alone"
