#!/bin/sh
# editor.sh VARIABLE FILE: runs the line of that variable for the file, which Windows has named, and prints the exit code.
[ -z "$GDVAR_TEST_TMPDIR" ] || export TMPDIR="$GDVAR_TEST_TMPDIR"
file=$(printf '%s' "$2" | tr '\\' / | sed 's/^[A-Za-z]://; s://*:/:g')
eval "line=\$GDVAR_TEST_$1"
sh -c "$line \"\$1\"" sh "$file" >&2
echo $?
