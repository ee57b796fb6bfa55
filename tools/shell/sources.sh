# shellcheck shell=bash
# Debian's sources of the libraries that are built for other systems: fetched once, into $sources_dir. Source it after
# lib.sh, don't run it.
#
# The lists of source packages are apt's, of the archives that this machine uses, in a folder of their own: the
# machine's settings and lists stay as they are.

sources_dir=$cache_dir/sources

# fetch_sources PACKAGE...: unpacks the sources of those that are missing into $sources_dir/PACKAGE.
fetch_sources() {
    local missing=() name
    for name in "$@"; do
        [ -d "$sources_dir/$name" ] || missing+=("$name")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    install_packages dpkg-dev
    stage "fetch sources: ${missing[*]}" unpack_sources "${missing[@]}"
}

unpack_sources() {
    # This variable is not local, because the trap runs after the function.
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/parts"
    touch "$work/status"
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' | awk '!seen[$0]++' |
        sed 's/^/deb-src /' >"$work/sources.list"
    [ -s "$work/sources.list" ] || die "apt names no archive"
    apt=(apt-get -qq -o APT::Sandbox::User= -o Dir::Etc::SourceList="$work/sources.list"
        -o Dir::Etc::SourceParts="$work/parts" -o Dir::State::Lists="$work/lists" -o Dir::State::Status="$work/status"
        -o Dir::Cache="$work/cache")
    # The sources may come from another archive than one that fails. The download shows that.
    "${apt[@]}" update || true
    local name
    mkdir -p "$sources_dir"
    for name in "$@"; do
        if download "$name"; then
            dpkg-source --no-check -x "$work/$name"/*.dsc "$work/$name/source" >/dev/null
        else
            unpack_original "$name" || die "no archive has the source of $name"
        fi
        rm -rf "${sources_dir:?}/$name"
        mv "$work/$name/source" "$sources_dir/$name"
    done
}

# Upstream's part alone, for packages of which a mirror may lack the rest: the file in the archive, and its SHA-256.
declare -A originals=(
    [enet]="pool/main/e/enet/enet_1.3.18+ds.orig.tar.xz f1ba5f8aaf253cb19b9545031450bf74122f151435998259ca978808e9e4fec3"
    [rapidcheck]="pool/main/r/rapidcheck/rapidcheck_0~1048-a5724ea.orig.tar.xz a56df6c2fc91ae1a49092666e8115e71801fc2976543b822a616561c8b49a4b7"
)

# unpack_original PACKAGE: fails where no archive has it.
unpack_original() {
    local file sum archive strip
    read -r file sum <<<"${originals[$1]:-}"
    [ -n "$file" ] || return 1
    for archive in $(awk '!seen[$2]++ { print $2 }' "$work/sources.list"); do
        say "trying $file"
        python3 -c 'import sys, urllib.request; urllib.request.urlretrieve(*sys.argv[1:])' \
            "${archive%/}/${file//+/%2b}" "$work/$1/original" 2>/dev/null || continue
        echo "$sum *$work/$1/original" | sha256sum --check --quiet || continue
        mkdir "$work/$1/source"
        # With or without a folder around all.
        strip=$(tar -tf "$work/$1/original" | cut -d/ -f1 | sort -u | awk 'END { print NR == 1 }')
        tar -xf "$work/$1/original" --strip-components="$strip" -C "$work/$1/source"
        mkdir -p "$work/$1/source/debian"
        cp "$work/$1/source/LICENSE"* "$work/$1/source/debian/copyright"
        return
    done
    return 1
}

# note_source PACKAGE FOLDER: writes the licence and the version of the sources that are built now into FOLDER. Later there may be newer ones.
note_source() {
    local version=${originals[$1]:-}
    version=${version##*/"$1"_}
    version=${version%%.orig.*}
    [ ! -f "$sources_dir/$1/debian/changelog" ] || version=$(sed -E '1s/.*\((.*)\).*/\1/; q' "$sources_dir/$1/debian/changelog")
    mkdir -p "$2"/{licences,versions}
    cp "$sources_dir/$1/debian/copyright" "$2/licences/$1"
    printf '%s\n' "$version" >"$2/versions/$1"
}

# download PACKAGE: the newest version, or that of the first release from which it can be had: a mirror may list a
# version that it lacks.
download() {
    local release
    mkdir "$work/$1"
    cd "$work/$1" || return
    ! "${apt[@]}" source --download-only "$1" || return 0
    for release in $(awk '{ print $3 }' "$work/sources.list"); do
        rm -f ./*
        say "trying $1 of $release"
        ! "${apt[@]}" source --download-only "$1/$release" || return 0
    done
    return 1
}
