#!/usr/bin/env bash
# Builds the page as it is given to users: web/dist/site for a host, web/dist/gdvar.html in one file. `scripts/test web` tests
# both.
#
#   scripts/package page
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../tools/shell/lib.sh"
. "$root_dir/tools/shell/js.sh"
. "$root_dir/tools/shell/web.sh"

help "$@"
[ $# -eq 0 ] || misused
stage "find Node" make_node
stage "build the npm package" build_js_package
stage "build the page" build_page
