# shellcheck shell=bash
# Shared by the scripts that build and test the Python package; source it after lib.sh.

python_packages=(python3-dev python3-venv)
python_lock=$root_dir/bindings/python/requirements-test.txt

# find_python: an interpreter that the extension can be built for: CPython 3.11 or newer with the GIL, its headers, venv.
find_python() {
    local candidate found
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3; do
        found=$("$candidate" - 2>/dev/null <<'EOF'
import ensurepip, os, platform, sys, sysconfig, venv

usable = (
    sys.version_info >= (3, 11)
    and platform.python_implementation() == "CPython"
    and not sysconfig.get_config_var("Py_GIL_DISABLED")
    and os.path.isfile(os.path.join(sysconfig.get_path("include"), "Python.h"))
)
print(sys.executable if usable else "")
EOF
        ) || continue
        [ -z "$found" ] || { printf '%s\n' "$found"; return; }
    done
    return 1
}

# python_venv: the folder of the virtual environment with the packages of requirements-test.txt, one for each version of
# that file and of Python. make_python_venv makes it.
python_venv() {
    local python
    python=$(find_python) || return 1
    printf '%s/python-%s\n' "$cache_dir" "$({ "$python" -VV; printf '%s\n' "$python"; cat "$python_lock"; } | sha256sum | head -c 16)"
}

# make_python_venv: the virtual environment, when it is not there. Says what to do where that fails.
make_python_venv() {
    local python dir
    if ! python=$(find_python); then
        say "no CPython 3.11 or newer with its headers and venv (on Debian 12: apt install ${python_packages[*]})"
        return 1
    fi
    dir=$(python_venv)
    say "$("$python" -VV), packages in $dir"
    mkdir -p "$cache_dir"
    # Two runs at a time make it once.
    exec 9>"$dir.lock"
    flock 9
    [ ! -f "$dir/complete" ] || return 0
    rm -rf "$dir"
    if ! { "$python" -m venv "$dir" &&
        "$dir/bin/python" -m pip --disable-pip-version-check install --quiet --require-hashes -r "$python_lock"; }; then
        say "the virtual environment $dir could not be made: it needs venv (on Debian 12: apt install python3-venv)"
        say "and, the first time, the packages of bindings/python/requirements-test.txt from pip's index"
        return 1
    fi
    touch "$dir/complete"
}

# build_python_package: the package in build/release/bindings/python.
build_python_package() {
    (build_release gdvar_python -- -DGDVAR_PYTHON=ON -DPython_EXECUTABLE="$(python_venv)/bin/python")
}
