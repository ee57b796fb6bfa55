# shellcheck shell=bash disable=SC2034
# Shared by scripts/* and the programs that these run; source it, don't run it.
#
# It finds the repository, prints a script's help, installs what is missing on Debian 12, builds, and prints stages with
# their times. Beside it: python.sh, js.sh and web.sh, what the Python package, the npm package and the page need.

root_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# Packages to build the command.
build_packages=(g++ cmake ninja-build pkg-config libcli11-dev zlib1g-dev libzstd-dev libbrotli-dev libssl-dev
    libboost1.81-dev libenet-dev libncurses-dev)
# More packages for the tests, benchmarks and fuzz targets.
test_packages=(clang-19 clang-format-19 clang-tidy-19 libclang-rt-19-dev libc++-19-dev libc++abi-19-dev llvm-19 lld-19 git python3 libgtest-dev libgmock-dev
    librapidcheck-dev libbenchmark-dev libuv1-dev nlohmann-json3-dev godot3-server openssl tshark acl attr abigail-tools tmux ccache)
# Packages that scripts/bench compares with.
bench_packages=(libflatbuffers-dev flatbuffers-compiler libcapnp-dev capnproto
    rapidjson-dev libsimdjson-dev valgrind)
# Packages to build the WebAssembly modules, and a program that runs them.
wasm_packages=(clang-22 lld-22 libc++-22-dev-wasm32 libc++abi-22-dev-wasm32 libclang-rt-22-dev-wasm32 wasi-libc)
# The package that runs the command for Windows here.
wine_packages=(wine wine64 libwine)
# The browser in which the npm package is tested.
browser_packages=(chromium)

say() { printf '%s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# head_comment: the comment at the top of the script that runs.
head_comment() { sed -n '2,${/^#/!q; s/^# \{0,1\}//p}' "$0"; }

# help WORD...: prints that comment when a word asks for it.
help() {
    local word
    for word; do
        case $word in
        -h | --help) head_comment; exit ;;
        esac
    done
}

# misused: says how the script is used, which its comment has in lines that begin with its name, before what they do.
misused() {
    { say "usage:"; head_comment | sed -nE '/^  (scripts|bindings)\//{s/(\S)  .*/\1/; p}'; } >&2
    exit 2
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "this needs root: $*"
    fi
}

# install_packages NAME...: installs those that are missing, and touches the network only if one is.
install_packages() {
    local missing=() name
    for name in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing+=("$name")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || die "install these first: ${missing[*]}"
    say "installing: ${missing[*]}"
    as_root apt-get -qq update
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
        -o Dpkg::Use-Pty=0 install "${missing[@]}" >/dev/null
}

# apt_mirror: the mirror that this machine uses already, for debootstrap.
apt_mirror() {
    local mirror
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' |
        awk '$2 !~ /-/ { print $1; exit }')
    [ -n "$mirror" ] || die "apt names no mirror"
    printf '%s\n' "$mirror"
}

# remove_tree DIR: deletes a root tree. debootstrap mounts /proc and /sys in there while it works; an interrupted run
# may leave them.
remove_tree() {
    local dir
    for dir in proc sys dev/pts dev; do
        ! mountpoint -q "$1/$dir" || as_root umount "$1/$dir"
    done
    as_root rm -rf --one-file-system "$1"
}

# gdvar_version: the version that version.hpp states.
gdvar_version() {
    awk '/define GDVAR_VERSION_(MAJOR|MINOR|PATCH)/ { v = v (v == "" ? "" : ".") $3 } END { print v }' \
        "$root_dir/include/gdvar/version.hpp"
}

# stage TITLE COMMAND...: runs a stage, prints how long it took, stops the script when it fails.
stage_times=()
stage() {
    local title=$1 start=$SECONDS status=0
    shift
    printf '\n=== %s\n' "$title"
    # A subshell with -e of its own: an `if` or `||` around the function would switch -e off inside it.
    set +e
    (set -e; "$@")
    status=$?
    set -e
    local took=$((SECONDS - start))
    if [ "$status" -ne 0 ]; then
        printf '=== FAILED after %ds: %s\n' "$took" "$title"
        exit "$status"
    fi
    printf '=== done in %ds: %s\n' "$took" "$title"
    stage_times+=("$(printf '%5ds  %s' "$took" "$title")")
}

print_stage_times() {
    printf '\n'
    printf '%s\n' "${stage_times[@]}"
    printf '%5ds  in all\n' "$SECONDS"
}

# Jobs for compiling: all processors, but no more than one per 1.5 GB of memory.
build_jobs() {
    local cpus mem_gb
    cpus=$(nproc)
    mem_gb=$(awk '/MemAvailable/ { printf "%d", $2 / 1572864 }' /proc/meminfo)
    [ "$mem_gb" -ge 1 ] || mem_gb=1
    echo $((cpus < mem_gb ? cpus : mem_gb))
}

# source_epoch: the time that archives have instead of now: the given one, or that of the commit, which all files of a source
# archive have, too.
source_epoch() {
    printf '%s\n' "${SOURCE_DATE_EPOCH:-$(git --git-dir="$root_dir/.git" log -1 --format=%ct 2>/dev/null || stat -c %Y "$root_dir/CMakeLists.txt")}"
}

# build_release TARGET... [-- OPTION...]: builds these in build/release. A build that is there keeps what it builds
# besides; a new one has no tests, fuzz targets, benchmarks and examples, unless an option says so.
build_release() {
    local targets=() only=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        targets+=("$1")
        shift
    done
    [ $# -eq 0 ] || shift
    # It may have been installed meanwhile; from then on all objects would be built again.
    use_ccache
    cd "$root_dir"
    [ -f build/release/CMakeCache.txt ] || only=(-DGDVAR_BUILD_{TESTS,FUZZ,BENCH,EXAMPLES}=OFF)
    cmake --preset release "${only[@]}" "$@" >/dev/null
    cmake --build build/release -j "$(build_jobs)" --target "${targets[@]}"
}

# test_targets ROOM...: what builds the tests of these rooms, and those of the C interface (c).
test_targets() { printf 'tests/%s/all\n' "$@" | sed s,^tests/c/,bindings/c/tests/, | xargs; }

# writable FOLDER: whether it can be written, or made.
writable() {
    local folder=$1
    until [ -e "$folder" ]; do folder=$(dirname "$folder"); done
    [ -w "$folder" ]
}

# use_ccache: repeated builds take their objects from ccache where it is installed, those of other clones, too. Nothing
# needs it. Where it can't write it compiles nothing.
use_ccache() {
    { command -v ccache && writable "$(ccache --get-config cache_dir)"; } >/dev/null 2>&1 || return 0
    export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER:-ccache}
    export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root_dir} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-true}
}
use_ccache

cache_dir=${XDG_CACHE_HOME:-~/.cache}/gdvar
engines_dir=${GDVAR_ENGINES:-$cache_dir/engines}

# npm_folder FOLDER: where the packages of FOLDER/package.json are installed.
npm_folder() { echo "$cache_dir/npm/${1##*/}"; }
# npm_install FOLDER: installs them, by the lock file with its hashes.
npm_install() {
    local from=$root_dir/$1 to
    to=$(npm_folder "$1")
    ! cmp -s "$from/package-lock.json" "$to/package-lock.json" || [ ! -f "$to/node_modules/.package-lock.json" ] || return 0
    mkdir -p "$to"
    cp "$from"/package*.json "$to/"
    (cd "$to" && npm ci --silent --no-audit --no-fund --ignore-scripts)
}

# install_other_boost: headers of another version of Boost than gdvar is built with, for one test of a program that uses both.
# Not installed as a package, which would take the place of gdvar's own.
other_boost=libboost1.74-dev=1.74.0+ds1-21
other_boost_sha256=ba14fe04d7f138f874bd3ab3a20c4fd1e9f654e271449b8f3e48d20f942dbb93
install_other_boost() {
    local to=$cache_dir/boost_1_74 work
    [ ! -f "$to/boost/asio.hpp" ] || return 0
    [ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] || { say "no $other_boost here: its test will be skipped"; return 0; }
    work=$(mktemp -d)
    (
        cd "$work"
        apt-get -qq -o APT::Sandbox::User=root download "$other_boost"
        echo "$other_boost_sha256 *$(echo ./*.deb)" | sha256sum --check --quiet
        dpkg-deb --fsys-tarfile ./*.deb | tar -x ./usr/include/boost
        mkdir -p "$to"
        mv usr/include/boost "$to/"
    ) || say "$other_boost could not be had: its test will be skipped"
    rm -rf "$work"
}

# install_npm: the compiler of Kaitai Struct, for one test, which skips itself without it. Node is not asked for.
install_npm() {
    command -v npm >/dev/null || { say "no npm: the descriptions for Kaitai Struct won't be compiled"; return 0; }
    npm_install tests/net/kaitai || say "npm could not install kaitai-struct-compiler: its test will be skipped"
}
