#!/usr/bin/env bash
# Builds the Python package as users get it, and tries each in a fresh virtual environment: the wheel for this machine by
# `scripts/package wheel`, with all tests; the source distribution, and a wheel from it alone; `pip install ./bindings/python`.
#
#   scripts/package python          all of it
#
# Everything but the wheel is built in ~/.cache/gdvar/python_package.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../shell/lib.sh"
. "$root_dir/tools/shell/python.sh"

work=$cache_dir/python_package
version=$(gdvar_version)
CMAKE_BUILD_PARALLEL_LEVEL=$(build_jobs)
export CMAKE_BUILD_PARALLEL_LEVEL

# quietly COMMAND...: shows the output of what fails.
quietly() {
    "$@" >"$work/log" 2>&1 || { cat "$work/log"; return 1; }
}

# The folders have the same names each time, for ccache.
build_distributions() {
    rm -rf "$work"
    mkdir -p "$work"
    quietly "$tools/python" -m build --outdir "$work/dist" --sdist-extract-dir "$work/sdist" \
        --config-setting build-dir="$work/build" "$root_dir/bindings/python"
    ls "$work/dist"
}

# fresh_venv NAME
fresh_venv() {
    rm -rf "${work:?}/$1"
    "$(find_python)" -m venv "$work/$1"
}

# installed VENV: the folder with its packages.
installed() {
    "$work/$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))'
}

# try_installed VENV: the package and the command of a virtual environment that has nothing else.
try_installed() {
    local bin=$work/$1/bin printed
    cd "$work"
    "$bin/python" -W error - "$version" <<'EOF'
import sys
from pathlib import Path

import gdvar

value = {"name": "Ada", "at": gdvar.Vector3(1, 2, 3), "seen": gdvar.PackedInt32Array([1, 2, 3])}
packet = gdvar.dumps(value)
assert gdvar.loads(packet) == value, gdvar.loads(packet)
assert gdvar.__version__ == sys.argv[1], gdvar.__version__
Path("packet").write_bytes(packet)
print("gdvar", gdvar.__version__, "from", Path(gdvar.__file__).parent)
EOF
    printed=$("$bin/gdvar" get packet '$.at')
    [ "$printed" = "Vector3(1, 2, 3)" ] || die "the command printed: $printed"
    printed=$("$bin/gdvar" --version)
    [ "$printed" = "gdvar $version" ] || die "the command printed: $printed"
    # The exit code is the command's own.
    if printf x | "$bin/gdvar" check - >/dev/null 2>&1; then die "the command found nothing wrong"; fi
    say "the command works: $bin/gdvar"
}

# install_wheel VENV WHEEL
install_wheel() {
    fresh_venv "$1"
    quietly "$work/$1/bin/python" -m pip install --no-index "$2"
    try_installed "$1"
}

check_stable_abi() {
    PYTHONPATH=$(installed wheel) "$tools/python" "$root_dir/bindings/python/tests/stable_abi.py"
}

# The packages that the tests need are in another virtual environment, which has no gdvar.
test_installed() {
    cd "$work"
    PYTHONPATH=$(installed wheel) PYTHONDONTWRITEBYTECODE=1 HYPOTHESIS_STORAGE_DIRECTORY=$work/hypothesis "$tools/python" -m pytest -q \
        --config-file "$root_dir/bindings/python/pyproject.toml" --rootdir "$root_dir/bindings/python" "$root_dir/bindings/python/tests"
}

install_sources() {
    rm -rf "$work/pip"
    # As the pages print it; ccache knows the folder of the build.
    PATH=$(dirname "$(find_python)"):$PATH SKBUILD_BUILD_DIR=$work/pip_build quietly \
        "$tools/python" "$root_dir/tests/package/pip_test.py" "$root_dir" --install "$work/pip"
    try_installed pip/.venv
}

print_sizes() {
    local file
    for file in "$work"/dist/*.tar.gz "$work"/dist/*.whl "${wheel[@]}"; do
        printf '%10d bytes  %s\n' "$(stat -c %s "$file")" "${file##*/}"
    done
    "$tools/python" - "${wheel[@]}" <<'EOF'
import sys
import zipfile

for member in sorted(zipfile.ZipFile(sys.argv[1]).infolist(), key=lambda member: -member.file_size):
    if member.file_size > 10_000:
        print(f"{member.file_size:10} bytes  {member.filename}")
EOF
}

help "$@"
[ $# -eq 0 ] || misused

target=$(uname -m)-linux-gnu
"$root_dir/scripts/package" wheel "$target"
wheel=("$root_dir/build/native/$target/dist"/*.whl)
stage "install what is missing" install_packages "${build_packages[@]}" "${python_packages[@]}"
tools=$(python_venv)/bin
stage "build the source distribution, and a wheel from it" build_distributions
stage "install that in a fresh virtual environment" install_wheel sources "$work"/dist/*.whl
stage "install the wheel in a fresh virtual environment" install_wheel wheel "${wheel[@]}"
stage "the extension keeps to the stable ABI" check_stable_abi
stage "test what was installed" test_installed
stage "pip install in a fresh virtual environment, as the pages print it" install_sources
stage "what was built" print_sizes
print_stage_times
say "the package works"
