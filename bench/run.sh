#!/usr/bin/env bash
# Builds and runs the benchmarks and prints one table: MB/s, ns, allocations, and ratios to the engine and to
# memcpy of the same run. Everything also goes to build/release/bench/results/all.json.
#
#   scripts/bench [core]                  medians of five rounds
#   scripts/bench [core] --quick          the same with short rounds, under two minutes
#   scripts/bench [core] --compare A B    builds two commits and runs them in turn; prints B's speed by A's
#
# Godot 4.6.3 and 3.6.2 are measured in the same run when scripts/engines has installed them.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../tools/shell/lib.sh"

help "$@"
case $#${1:-} in
1--quick)
    options=(--benchmark_min_time=0.02)
    engine_environment=(BATCHES=5 TARGET_MS=40)
    ;;
0 | 3--compare)
    options=(--benchmark_min_time=0.2)
    engine_environment=(BATCHES=5)
    ;;
*) misused ;;
esac
build_dir=$root_dir/build/release
results=$build_dir/bench/results

# build SOURCE_DIR
build() {
    cd "$1"
    local only=()
    # A build that is there keeps what it builds besides.
    [ -f build/release/CMakeCache.txt ] || only=(-DGDVAR_BUILD_TESTS=OFF -DGDVAR_BUILD_FUZZ=OFF)
    cmake --preset release -DGDVAR_BUILD_BENCH=ON "${only[@]}"
    cmake --build build/release -j "$(build_jobs)" --target bench/all gdvar
}

# run_benchmarks BUILD_DIR RESULTS_DIR OPTION...
run_benchmarks() {
    local from=$1 to=$2 program name
    shift 2
    mkdir -p "$to"
    for program in "$from"/bench/bench_*; do
        if [ ! -f "$program" ] || [ ! -x "$program" ]; then
            continue
        fi
        name=$(basename "$program")
        "$program" "$@" --benchmark_out="$to/$name.json" --benchmark_out_format=json >"$to/$name.log" ||
            die "$name failed: $to/$name.log"
        if grep -q 'error_occurred": true' "$to/$name.json"; then
            die "$name: an answer is wrong: $to/$name.json"
        fi
    done
}

# Other work of the machine slows a part of a round down, seldom the same part of three. The engine takes
# its medians in the middle of it all.
run_rounds() {
    local round
    for round in 1 2 3 4 5; do
        run_benchmarks "$build_dir" "$results/round$round" "${options[@]}"
        [ "$round" != 3 ] || run_engine
    done
}

run_engine() {
    [ -x "$engines_dir/usr/bin/godot" ] || {
        say "not here; scripts/engines installs it"
        return 0
    }
    as_root mkdir -p "$engines_dir/bench"
    as_root cp "$root_dir"/bench/engine/*.gd "$engines_dir/bench/"
    as_root chroot "$engines_dir" env WDIR=/bench "${engine_environment[@]}" \
        godot --headless -s /bench/bench_g4.gd 2>/dev/null | grep ^BENCH | tee "$results/engine.txt"
    as_root chroot "$engines_dir" env WDIR=/bench "${engine_environment[@]}" HOME=/tmp \
        sh -c 'cd /tmp && godot3-server --no-window -s /bench/bench_g3.gd' 2>/dev/null |
        grep ^BENCH >"$results/engine3.txt" || say "Godot 3 was not measured"
}

# Figures that do not jitter.
count_instructions() {
    local filter program
    for filter in "core ^document/mmo_tick" "structs ^struct/small_packets"; do
        program=$build_dir/bench/bench_${filter%% *}
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" --benchmark_filter="${filter#* }" \
            --benchmark_min_time=0.001 2>&1 |
            awk -v of="${filter#* }" '/Collected/ { printf "%-28s %s instructions, start and checking included\n", of, $4 }'
    done | tee "$results/instructions.txt"
}

# gd-com, fetched from npm into the cache, on what it can read of Godot 3's bytes.
run_gdcom() {
    command -v npm >/dev/null || { say "there is no npm"; return 0; }
    local data=$results/g3 name
    mkdir -p "$data"
    npm_install bench/gdcom || { say "npm has no gd-com here"; return 0; }
    for name in mmo_tick settings chat savegame float_array; do
        "$build_dir/gdvar" convert --as packet --from godot4 --to godot3 -o "$data/$name.g3" \
            "$root_dir/tests/data/workloads/g4/$name.bin"
        "$build_dir/gdvar" json --plain --as packet --dialect godot3 -o "$data/$name.json" "$data/$name.g3" 2>/dev/null
    done
    NODE_PATH=$(npm_folder bench/gdcom)/node_modules node "$root_dir/bench/gdcom.js" "$data" "$root_dir/tests/data/workloads/g4" |
        tee "$results/gdcom.txt"
}

compare() {
    local side turn
    work=$(mktemp -d)  # not local: the trap outlives this function
    trap 'for side in A B; do git -C "$root_dir" worktree remove --force "$work/$side" 2>/dev/null || true; done; rm -rf "$work"' EXIT
    git -C "$root_dir" worktree add --detach "$work/A" "$1" >/dev/null
    git -C "$root_dir" worktree add --detach "$work/B" "$2" >/dev/null
    for side in A B; do build "$work/$side" >"$work/$side.log" || die "building $side failed: $(tail "$work/$side.log")"; done
    # In turn, so that what the machine does meanwhile meets both.
    for turn in 1 2 3; do
        for side in A B; do
            run_benchmarks "$work/$side/build/release" "$work/results/$side$turn" --benchmark_min_time=0.05
        done
    done
    python3 "$root_dir/bench/compare.py" "$work/results" "$1" "$2"
}

if [ "${1:-}" = --compare ]; then
    install_packages "${build_packages[@]}" "${test_packages[@]}" "${bench_packages[@]}"
    compare "$2" "$3"
    exit
fi
stage "install what is missing" install_packages "${build_packages[@]}" "${test_packages[@]}" "${bench_packages[@]}"
stage "build" build "$root_dir"
rm -rf "$results"
stage "run the benchmarks, and Godot" run_rounds
stage "run gd-com" run_gdcom
stage "count instructions" count_instructions
stage "compile structs" python3 "$root_dir/bench/compile.py" g++ "$build_dir" "$results"
stage "double the input" bash -c '"$0" >"$1" && cat "$1"' "$build_dir/bench/linear" "$results/linear.txt"
say
python3 "$root_dir/bench/table.py" "$results"
