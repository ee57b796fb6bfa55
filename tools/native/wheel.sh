# shellcheck shell=bash
# The wheel of the Python package for one target: the extension, and the command. Source it after lib.sh, python.sh, zig.sh
# and notices.sh, don't run it.

# The systems that a wheel is for, as pip names them.
declare -A wheel_platforms=(
    [x86_64-linux-gnu]="manylinux_2_17_x86_64 manylinux2014_x86_64"
    [aarch64-linux-gnu]="manylinux_2_17_aarch64 manylinux2014_aarch64"
    [x86_64-linux-musl]=musllinux_1_2_x86_64
    [aarch64-linux-musl]=musllinux_1_2_aarch64
    [x86_64-windows-gnu]=win_amd64
    [aarch64-windows-gnu]=win_arm64
    [x86_64-macos]=macosx_11_0_x86_64
    [aarch64-macos]=macosx_11_0_arm64
)

# make_python_headers: those of Debian's CPython, and a configuration for $target. For Windows also what stands for
# python3.dll when the extension is linked: the names of the stable ABI of 3.11.
make_python_headers() {
    local to=$native_dir/include/python
    install_packages python3-dev
    rm -rf "$to"
    # With their times, or all that includes them would be compiled anew.
    cp -a /usr/include/python3.11 "$to"
    cp -p "$root_dir/tools/native/pyconfig.h" "$to/"
    [[ $target = *-windows-* ]] || return 0
    "$(python_venv)/bin/python" "$root_dir/bindings/python/tests/stable_abi.py" --def >"$native_dir/lib/python3.def"
    "$zig" dlltool -m "$(windows_machine)" -D python3.dll -d "$native_dir/lib/python3.def" -l "$native_dir/lib/libpython3.a"
}
windows_machine() { case $target in x86_64-*) echo i386:x86-64 ;; *) echo arm64 ;; esac; }

# extension: its path.
extension() { case $target in *-windows-*) echo "$build/bindings/python/gdvar/_gdvar.pyd" ;; *) echo "$build/bindings/python/gdvar/_gdvar.abi3.so" ;; esac; }

# check_extension: it exports its one function, needs what every system of the kind has, and names no folder of this machine.
check_extension() {
    local file system newest exported needed
    file=$(extension)
    install_packages llvm-19
    case $target in
    *-windows-*)
        exported=$(llvm-readobj-19 --coff-exports "$file" | sed -n 's/^ *Name: //p')
        system='python3|KERNEL32|ADVAPI32|CRYPT32|WS2_32|bcrypt|USER32|ntdll|api-ms-win-crt-[a-z0-9-]*'
        system="($system)\.dll"
        ;;
    *-macos)
        # zig's linker knows no lists of symbols (hide_symbols.py): operator new and delete are seen, which macOS shares between all
        # files anyhow, and a variable of OpenSSL's assembly for which the linker makes room.
        exported=$(llvm-nm-19 --extern-only --defined-only --just-symbol-name "$file" |
            grep -vE '^__Z(n[aw]|d[al])|^___dso_handle$|^__mh_dylib_header$|^_OPENSSL_ia32cap_P$')
        system='/usr/lib/libSystem\.B\.dylib|@rpath/_gdvar\.abi3\.so'
        ;;
    *)
        exported=$(llvm-nm-19 --dynamic --extern-only --defined-only --just-symbol-name "$file")
        system='(lib(c|m|pthread|dl|rt)|ld-linux-[a-z0-9-]*)\.so(\.[0-9])?'
        newest=$(llvm-readobj-19 --version-info "$file" | sed -n 's,.*\(GLIBC_[0-9.]*\).*,\1,p' | sort -V | tail -1)
        [ "$(printf '%s\n' "$newest" GLIBC_2.17 | sort -V | tail -1)" = GLIBC_2.17 ] || die "$file needs $newest"
        ;;
    esac
    [ "${exported#_}" = PyInit__gdvar ] || die "$file exports $(head -20 <<<"$exported")"
    needed=$(llvm-readobj-19 --needed-libs "$file" | sed -n '/^NeededLibraries/,/^]/{s/^  //p}')
    say "${file##*/} needs" $needed
    ! grep -vxE "$system" <<<"$needed" || die "not all systems have these"
    ! grep -aqF -e "$root_dir" -e "$cache_dir" "$file" || die "$file names folders of this machine"
}

# pack_wheel: writes the wheel into $build/dist. Its metadata comes from bindings/python/pyproject.toml.
pack_wheel() {
    local command_target=${target/-linux-gnu/-linux-musl} parts=$build/wheel tags
    local command=$root_dir/build/native/$command_target/gdvar
    [[ $target != *-windows-* ]] || command+=.exe
    rm -rf "$parts" "$build/dist"
    mkdir -p "$parts"/{gdvar/_bin,licenses}
    cp "$(extension)" "$parts/gdvar/"
    cp "$command" "$parts/gdvar/_bin/"
    notices "$target" "$command_target" >"$parts/licenses/NOTICES.txt"
    tags=$(printf 'cp311-abi3-%s\n' ${wheel_platforms[$target]} | paste -sd ';')
    SOURCE_DATE_EPOCH=$(source_epoch) "$(python_venv)/bin/python" -m build --wheel --no-isolation \
        --outdir "$build/dist" --config-setting wheel.cmake=false --config-setting wheel.platlib=true \
        --config-setting wheel.reproducible=true --config-setting wheel.tags="$tags" \
        --config-setting wheel.force-include."$parts/gdvar"=gdvar \
        --config-setting wheel.force-include."$parts/licenses"='${SKBUILD_METADATA_DIR}/licenses/inside' \
        "$root_dir/bindings/python"
    "$(python_venv)/bin/python" - "$build"/dist/*.whl <<'EOF'
# The order of the files in a folder is the machine's: a wheel has them sorted.
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as made:
    members = [(member, made.read(member)) for member in made.infolist()]
members.sort(key=lambda each: (each[0].filename.endswith("/RECORD"), each[0].filename))
with zipfile.ZipFile(sys.argv[1], "w") as out:
    for member, data in members:
        if member.filename.endswith("/RECORD"):
            data = b"".join(sorted(data.splitlines(keepends=True)))
        out.writestr(member, data, zipfile.ZIP_DEFLATED, 9)
EOF
    # As 7-Zip compresses: 3% less than zlib.
    install_packages advancecomp
    advzip --quiet --recompress --shrink-extra "$build"/dist/*.whl
    stat -c "%n: %s bytes" "$build"/dist/*.whl
}
