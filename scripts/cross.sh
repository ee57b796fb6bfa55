# shellcheck shell=bash
# Shared by the scripts that run tests for another kind of machine; source it after lib.sh.

# fetch_rapidcheck ARCHITECTURE: unpacks Debian's RapidCheck for that architecture into the cache. RapidCheck has no
# source package to build from. A separate apt configuration leaves this machine's list of architectures unchanged.
fetch_rapidcheck() {
    local dir=$cache_dir/$1
    [ ! -f "$dir/usr/include/rapidcheck.h" ] || return 0
    # This variable is not local, because the trap runs after the function.
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
    touch "$work/status"
    local apt=(apt-get -qq -o APT::Architecture="$1" -o APT::Architectures="$1" -o APT::Sandbox::User=
        -o Dir::State::Lists="$work/lists" -o Dir::State::Status="$work/status" -o Dir::Cache="$work/cache")
    # The package may come from another archive than one that fails. The download shows that.
    "${apt[@]}" update || true
    (cd "$work" && "${apt[@]}" download librapidcheck-dev)
    mkdir -p "$dir"
    dpkg -x "$work"/librapidcheck-dev_*.deb "$dir"
}

# cross_build PRESET ARCHITECTURE TRIPLET ROOM...
cross_build() {
    local preset=$1 rapidcheck_dir=$cache_dir/$2/usr triplet=$3 targets=() room
    shift 3
    for room in "$@"; do
        case $room in
        c) targets+=(bindings/c/tests/all) ;;
        *) targets+=("tests/$room/all") ;;
        esac
    done
    cd "$root_dir"
    cmake --preset "$preset" -DGDVAR_BUILD_TESTS=ON \
        -DRAPIDCHECK_INCLUDE_DIR="$rapidcheck_dir/include" \
        -DRAPIDCHECK_LIBRARY="$rapidcheck_dir/lib/$triplet/librapidcheck.a"
    cmake --build "build/$preset" -j "$(build_jobs)" --target "${targets[@]}"
}

# cross_test PRESET ROOM...
cross_test() {
    local preset=$1 IFS='|'
    shift
    cd "$root_dir"
    ctest --preset "$preset" -L "^($*)\$" -j "$(build_jobs)"
}
