#!/usr/bin/env bash
# Checks the records that `tsumero-train convert` writes against the library cshogi, in both directions. The argument is
# a file of games; without one a few are played.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/environment.sh"
source "$here/caller.sh"
cd "$here/.."

cargo build --release --package tsumero-train
program=${CARGO_TARGET_DIR:-target}/release/tsumero-train
games=${1:+$(from_caller "$1")}
if [ -z "$games" ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    games=$folder/games
    "$program" datagen "$games" --seed 1 --positions 5000 --soft-nodes 200
fi
"$python" "$here/match/records_check.py" "$program" "$games"
