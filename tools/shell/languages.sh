# shellcheck shell=bash
# Shared by the scripts that build and test the bindings for C# and Go; source it after lib.sh and python.sh.

# Mono compiles C#, and runs it.
csharp_packages=(mono-mcs mono-runtime libmono-system-core4.0-cil)
dotnet_lock=$root_dir/bindings/csharp/tests/requirements.txt

# make_dotnet: Microsoft's runtimes, as pip's index has them, in a folder of their own. Without them the C# tests run in Mono alone.
make_dotnet() {
    local to=$cache_dir/dotnet program python
    ! cmp -s "$dotnet_lock" "$to/complete" || return 0
    rm -rf "$to"
    python=$(python_venv)/bin/python
    [ -x "$python" ] || python=python3
    if ! "$python" -m pip --disable-pip-version-check install --quiet --no-deps --require-hashes --only-binary :all: --target "$to" \
        --root-user-action ignore -r "$dotnet_lock"; then
        say "the runtimes of .NET can't be had from pip's index: the C# tests will run in Mono alone"
        return 0
    fi
    for program in "$to/dotnetcore2/bin/dotnet" "$to/dnv/net/runtime/.net/dotnet"; do chmod +x "$program"; done
    cp "$dotnet_lock" "$to/complete"
}

# has_go: a Go as new as go.mod wants. Debian 12's own is too old.
has_go() {
    local needs
    needs=$(awk '$1 == "go" { print $2; exit }' "$root_dir/bindings/go/go.mod")
    command -v go >/dev/null && [ "$(printf '%s\n' "go$needs" "$(go env GOVERSION)" | sort -V | head -1)" = "go$needs" ]
}

# build_go_module: bindings/go with the WebAssembly module inside.
build_go_module() {
    "$root_dir/bindings/js/wasm/libraries.sh"
    cd "$root_dir"
    cmake --preset wasm -DGDVAR_WASM_LIBRARIES="$(bindings/js/wasm/libraries.sh --path)" >/dev/null
    cmake --build build/wasm -j "$(build_jobs)" --target gdvar_wasm_packets
    cmp -s build/wasm/gdvar-packets.wasm bindings/go/gdvar-packets.wasm || cp build/wasm/gdvar-packets.wasm bindings/go/
    # Who gives the module to others gives these along.
    mkdir -p bindings/go/licences
    cp /usr/share/doc/libc++-22-dev-wasm32/copyright bindings/go/licences/libc++
    cp /usr/share/doc/wasi-libc/copyright bindings/go/licences/wasi-libc
    cp NOTICE bindings/go/licences/godot
    say "bindings/go/gdvar-packets.wasm: $(wc -c <bindings/go/gdvar-packets.wasm) bytes"
}
