# shellcheck shell=bash
# The libraries that the command and the C library contain, for one target, from Debian's sources. Source it after lib.sh,
# sources.sh and zig.sh, don't run it.

# Archives may become parts of shared libraries, and programs that are loaded anywhere. Windows knows no other code.
pic=(-fPIC)
[[ ${target:-} != *-windows-* && ${target:-} != wasm32-* ]] || pic=()

# archive NAME FLAG... -- SOURCE...: compiles the sources into lib/libNAME.a. A member has the name of its source's path
# below the cache: a static C library keeps the names, and must not show where the cache is.
archive() {
    local name=$1 own=() objects=$native_dir/objects/$1
    shift
    while [ "$1" != -- ]; do
        own+=("$1")
        shift
    done
    shift
    rm -rf "$objects" "$native_dir/lib/lib$name.a"
    mkdir -p "$objects" "$native_dir/lib"
    # shellcheck disable=SC2016
    printf '%s\n' "$@" | xargs -P "$(build_jobs)" -I{} sh -c \
        'out=$1/$(printf %s "${3#"$2"/}" | tr / _).o; shift 3; exec "$@" -o "$out"' sh "$objects" "$cache_dir" {} \
        "$native_dir/bin/cc" -O2 -DNDEBUG -w "${pic[@]}" -ffunction-sections -fdata-sections "${own[@]}" -c {}
    "$native_dir/bin/ar" qc "$native_dir/lib/lib$name.a" "$objects"/*.o
    rm -rf "$objects"
}

# pc NAME LIBS: what pkg-config is asked for.
pc() {
    mkdir -p "$native_dir/lib/pkgconfig"
    cat >"$native_dir/lib/pkgconfig/$1.pc" <<END
Name: $1
Description: built for gdvar
Version: 1
Libs: -L$native_dir/lib $2
Cflags: -I$native_dir/include
END
}

# gzip's header names the system, on which engines' saves would depend: it is that of Unix everywhere.
build_zlib() {
    local from=$native_dir/zlib name sources=() flags=()
    rm -rf "$from"
    cp -r "$sources_dir/zlib" "$from"
    sed -i 's/^\( *# *define OS_CODE\) .*/\1 3/' "$from/zutil.h"
    # It takes macOS for the system before, which had no such function.
    [[ $target != *-macos ]] || flags=(-Dfdopen=fdopen)
    for name in adler32 crc32 deflate inffast inflate inftrees trees zutil; do
        sources+=("$from/$name.c")
    done
    cp "$from/zlib.h" "$from/zconf.h" "$native_dir/include/"
    archive z "${flags[@]}" -- "${sources[@]}"
    rm -rf "$from"
}

build_libzstd() {
    local from=$sources_dir/libzstd/lib assembly=() flags=(-DZSTD_DISABLE_ASM=1)
    cp "$from/zstd.h" "$from/zstd_errors.h" "$native_dir/include/"
    if [[ $target = x86_64-linux-* ]]; then
        assembly=("$from"/decompress/*.S)
        flags=()
    fi
    archive zstd -I"$from" -DZSTD_LEGACY_SUPPORT=0 -DXXH_NAMESPACE=ZSTD_ "${flags[@]}" -- \
        "$from"/common/*.c "$from"/compress/*.c "$from"/decompress/*.c "${assembly[@]}"
    pc libzstd -lzstd
}

build_brotli() {
    local from=$sources_dir/brotli/c
    cp -r "$from/include/brotli" "$native_dir/include/"
    archive brotli -I"$from/include" -- "$from"/{common,dec,enc}/*.c
    pc libbrotlidec -lbrotli
    pc libbrotlienc -lbrotli
}

build_enet() {
    local from=$sources_dir/enet flags=(-DHAS_GETADDRINFO -DHAS_GETNAMEINFO -DHAS_INET_PTON -DHAS_INET_NTOP
        -DHAS_MSGHDR_FLAGS -DHAS_SOCKLEN_T -DHAS_POLL -DHAS_FCNTL) libs=-lenet
    if [[ $target = *-windows-* ]]; then
        flags=()
        libs='-lenet -lws2_32 -lwinmm'
    fi
    cp -r "$from/include/enet" "$native_dir/include/"
    archive enet -I"$from/include" "${flags[@]}" -- \
        "$from"/{callbacks,compress,host,list,packet,peer,protocol,unix,win32}.c
    pc libenet "$libs"
}

# OpenSSL's own build: which assembly a target has, it knows best. Its libraries name its prefix, where nothing is installed,
# its compiler and a time. Where speed counts it has assembly; of the rest, little is used, so that small is better. It reads no
# openssl.cnf: on Windows anybody may make that folder, and elsewhere it is for the system's own OpenSSL.
build_openssl() {
    local kind work=$native_dir/openssl
    case $target in
    x86_64-linux-*) kind=linux-x86_64 ;;
    aarch64-linux-*) kind=linux-aarch64 ;;
    x86_64-windows-*) kind=mingw64 ;;
    # Its Windows has assembly for one processor.
    aarch64-windows-*) kind='mingw64 no-asm' ;;
    x86_64-macos) kind=darwin64-x86_64-cc ;;
    aarch64-macos) kind=darwin64-arm64-cc ;;
    *) die "OpenSSL has no name for $target" ;;
    esac
    install_packages perl make
    rm -rf "$work"
    cp -r "$sources_dir/openssl" "$work"
    (
        cd "$work"
        SOURCE_DATE_EPOCH=$(date -d "$(sed -n 's/^ -- .*>  //p; T; q' debian/changelog)" +%s)
        export SOURCE_DATE_EPOCH PATH=$native_dir/bin:$PATH
        # shellcheck disable=SC2086
        CC=cc AR=ar RANLIB=ranlib RC=rc ./Configure $kind no-shared \
            no-tests no-dso no-engine no-legacy no-comp no-ssl3 no-tls1 no-tls1_1 no-idea no-camellia no-seed no-aria no-bf \
            no-cast no-rc2 no-rc4 no-md4 no-mdc2 no-whirlpool no-sm2 no-sm3 no-sm4 no-gost no-srp no-srtp no-ts no-cms \
            no-ct no-dsa no-ec2m no-ui-console no-uplink no-autoload-config "${pic[@]}" -Os -ffunction-sections -fdata-sections --prefix=/usr --libdir=lib --openssldir=/etc/ssl >/dev/null
        make -s -j "$(build_jobs)" build_libs >/dev/null
        mkdir -p "$native_dir/include" "$native_dir/lib"
        cp -r include/openssl "$native_dir/include/"
        cp libssl.a libcrypto.a "$native_dir/lib/"
    )
    rm -rf "$work"
}

# The static command's allocator, as an object, so that it stands before the C library's: that one asks the system for each
# large block anew, which takes up to a fifth of the command's time. It takes aligned_alloc, in which exceptions are, for a
# function of glibc alone: freed by the other allocator, each ended the command with SIGSEGV.
build_mimalloc() {
    local from=$sources_dir/mimalloc
    "$native_dir/bin/cc" -O3 -DNDEBUG -w -DMI_MALLOC_OVERRIDE -D__USE_ISOC11 "${pic[@]}" -ffunction-sections -fdata-sections -I"$from/include" \
        -c "$from/src/static.c" -o "$native_dir/lib/mimalloc.o"
}

# The common terminals are inside, for systems without a terminfo of their own.
build_ncurses() {
    local work=$native_dir/ncurses host=${target/-macos/-apple-darwin} own=()
    # Speeds as indices need a header of macOS that zig lacks.
    [[ $target != *-macos ]] || own=(--with-ospeed=unsigned)
    install_packages make ncurses-base ncurses-bin
    rm -rf "$work"
    cp -r "$sources_dir/ncurses" "$work"
    (
        cd "$work"
        CC=$native_dir/bin/cc AR=$native_dir/bin/ar RANLIB=$native_dir/bin/ranlib CFLAGS="-O2 -DNDEBUG -w ${pic[*]}" ./configure \
            --build=x86_64-linux-gnu --host="$host" --prefix="$native_dir" --enable-widec --enable-pc-files=no \
            --without-shared --without-debug --without-ada --without-cxx --without-cxx-binding --without-manpages --without-progs \
            --without-tests --without-gpm "${own[@]}" --disable-db-install --disable-stripping \
            --with-default-terminfo-dir=/usr/share/terminfo --with-terminfo-dirs=/etc/terminfo:/lib/terminfo:/usr/share/terminfo \
            --with-tic-path="$(command -v tic)" --with-infocmp-path="$(command -v infocmp)" \
            --with-fallbacks=xterm,xterm-256color,linux,screen,screen-256color,tmux,tmux-256color,rxvt-unicode-256color,vt100,ansi,dumb \
            >/dev/null
        make -s -C include >/dev/null
        make -s -j "$(build_jobs)" -C ncurses >/dev/null
        cp include/{curses,unctrl,ncurses_dll,term}.h "$native_dir/include/"
        # CMake looks for the wide one in this folder, and the headers include each other without it.
        ln -sfn . "$native_dir/include/ncursesw"
        cp lib/libncursesw.a "$native_dir/lib/"
    )
    rm -rf "$work"
}

# Cryptography where OpenSSL does not run. Its header of settings names what is built.
build_mbedtls() {
    local from=$sources_dir/mbedtls name
    cp -r "$from/include/mbedtls" "$native_dir/include/"
    for name in AES_C CIPHER_MODE_CFB MD5_C SHA1_C SHA256_C; do
        say "#define MBEDTLS_$name"
    done >"$native_dir/include/mbedtls/config.h"
    archive mbedcrypto -I"$native_dir/include" -- \
        "$from"/library/{aes,md5,platform_util,sha1,sha256}.c
    pc mbedcrypto -lmbedcrypto
}

# zig's C++ library, with exceptions. The linker gets it instead of zig's own (cmake/zig.cmake).
build_cxx() {
    local from=${zig%/*}/lib name abi=() flags
    flags=(-std=c++23 -lc++ "-I$from"/{libcxx/{src,libc},libcxxabi/{include,src},libunwind/include}
        -D_LIBCPP_BUILDING_LIBRARY -DLIBCXX_BUILDING_LIBCXXABI -D_LIBCXXABI_BUILDING_LIBRARY -D_LIBCXXABI_HAS_NO_THREADS
        -DLIBCXXABI_NON_DEMANGLING_TERMINATE)
    for name in abort_message cxa_{aux_runtime,default_handlers,exception,exception_storage,guard,handlers,personality,vector,virtual} \
        fallback_malloc private_typeinfo stdlib_{exception,new_delete,stdexcept,typeinfo}; do
        abi+=("$from/libcxxabi/src/$name.cpp")
    done
    archive gdvar_unwind -D_LIBUNWIND_HIDE_SYMBOLS "-I$from"/libunwind/{include,src} -- \
        "$from/libunwind/src/Unwind-wasm.c" "$root_dir/tools/native/exception_tag.S"
    archive gdvar_cxx "${flags[@]}" -- "$from"/libcxx/src/{,ryu/}*.cpp "${abi[@]}"
    # It takes the C library for one that copies between files.
    archive gdvar_filesystem "${flags[@]}" -U_LIBCPP_HAS_MUSL_LIBC -D_LIBCPP_HAS_MUSL_LIBC=0 -- "$from"/libcxx/src/filesystem/*.cpp
}

# Headers alone. Links, so that nothing else of this machine's headers is found.
link_headers() {
    rm -rf "$native_dir"/include/{boost,CLI}
    ln -s /usr/include/boost "$native_dir/include/boost"
    ln -s /usr/include/CLI "$native_dir/include/CLI"
    mkdir -p "$native_dir/lib/cmake/CLI11"
    cat >"$native_dir/lib/cmake/CLI11/CLI11Config.cmake" <<END
add_library(CLI11::CLI11 INTERFACE IMPORTED)
target_include_directories(CLI11::CLI11 INTERFACE $native_dir/include)
END
    # Debian's notice of Boost names each of its files. The paragraph is the licence of those that are used.
    awk -v RS= '/^License: BSL-1.0\n/' /usr/share/doc/libboost1.81-dev/copyright >"$native_dir/licences/boost"
    cp /usr/share/doc/libcli11-dev/copyright "$native_dir/licences/cli11"
    # Licences that the files of zig's C libraries name, but don't hold, or leave out.
    case $target in
    *-windows-*) sed '/\*\//q' "${zig%/*}/lib/libc/mingw/gdtoa/dtoa.c" >"$native_dir/licences/gdtoa" ;;
    *-linux-gnu) cat "${zig%/*}/lib/libc/glibc/LICENSES" /usr/share/common-licenses/LGPL-2.1 >"$native_dir/licences/glibc" ;;
    esac
}

# make_libraries: all that are missing for $target, in $native_dir. The marks say how they were made.
make_libraries() {
    local name mark names=(zlib libzstd brotli)
    case $target in
    wasm32-wasi) names+=(mbedtls cxx) ;;
    *-linux-gnu) names+=(openssl) ;;
    *-windows-*) names+=(openssl enet) ;;
    *-musl) names+=(openssl enet ncurses mimalloc) ;;
    *) names+=(openssl enet ncurses) ;;
    esac
    mkdir -p "$native_dir"/{include,lib,licences,marks}
    install_packages libboost1.81-dev libcli11-dev
    link_headers
    for name in "${names[@]}"; do
        mark=$(cat "$zig_lock" "$native_dir/bin/cc" <(declare -f archive pc "build_$name") | sha256sum)
        [[ $(cat "$native_dir/marks/$name" 2>/dev/null) != "$mark" || $name != cxx && ! -f $native_dir/versions/$name ]] || continue
        # That one is zig's: its source and its licence are there.
        if [ "$name" != cxx ]; then
            fetch_sources "$name"
            note_source "$name" "$native_dir"
        fi
        stage "build $name for $target" "build_$name"
        printf '%s\n' "$mark" >"$native_dir/marks/$name"
    done
    # Else all of them would be exported by what is linked with them.
    [[ $target != *-macos ]] || "$root_dir/tools/native/hide_symbols.py" "$native_dir"/lib/*.a
}
