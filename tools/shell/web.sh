# shellcheck shell=bash
# Shared by the scripts that build, test and measure the page; source it after js.sh.

web_dir=$root_dir/web

# web_tool NAME ARGUMENT...: a program of the page's development dependencies.
web_tool() {
    local name=$1
    shift
    "$(find_node)" "$web_dir/node_modules/$name" "$@"
}

# build_page: web/dist/site and web/dist/gdvar.html, out of the npm package in bindings/js/dist.
build_page() {
    cd "$web_dir"
    [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --silent --no-audit --no-fund
    web_tool typescript/bin/tsc --noEmit
    rm -rf dist
    web_tool vite/bin/vite.js build --logLevel warn
    web_tool vite/bin/vite.js build --mode one-file --logLevel warn
    say "$(du -sh --apparent-size dist/site dist/gdvar.html)"
}

# test_page: drives both builds in Chromium. The command's output is compared where it has been built.
test_page() {
    local gdvar=$root_dir/build/release/gdvar environment=(GDVAR_SOURCE_DIR="$root_dir")
    if ! has_chromium; then
        say "SKIPPED: there is no Chromium, so that the page has been built, and not tested"
        return
    fi
    if [ -x "$gdvar" ]; then
        environment+=(GDVAR_COMMAND="$gdvar")
    else
        say "build/release/gdvar has not been built: the comparisons with the command are SKIPPED"
    fi
    cd "$web_dir"
    # Each file has a browser, which waits for frames most of the time.
    env "${environment[@]}" "$(find_node)" --test --test-concurrency=6 --test-timeout=1200000 --test-reporter=spec tests/*.test.mjs
}
