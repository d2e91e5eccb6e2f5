#!/bin/sh
# Runs an entry of this repository with a suitable Node: sh packages/local/run.sh [Node's flags] <entry> [arguments...]
# The bootstrap installs the dependencies and prints the path of Node. The entry then replaces this shell, so that it
# gets the signals, and this script has its exit code and standard output.
[ $# -gt 0 ] || { echo 'usage: sh packages/local/run.sh <entry> [arguments...]' >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
node=$(node "$here/bootstrap.mjs") || exit
modules=${here%/packages/local}/node_modules
export PATH="${node%/*}:$modules/.bin:$PATH"
export NODE_COMPILE_CACHE="$modules/.cache/compile"
export PARLEY_PARENT_PID=$PPID
# They are meant for psql. The driver would use them too.
for name in $(env | sed -n 's/^\(PG[A-Z]*\)=.*/\1/p'); do unset "$name"; done
exec "$node" --conditions=@parley/source --import "$here/preload.mjs" "$@"
