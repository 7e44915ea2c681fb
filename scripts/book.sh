#!/usr/bin/env bash
# Makes a book from the project's openings and compares it with what cshogi and a few lines of Python find in the same games.
# Arguments: the program (default: target/release/tsumero).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tsumero=${1:-$here/../target/release/tsumero}
# shellcheck source=environment.sh
. "$here/environment.sh"

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$tsumero" book make "$here/openings.sfen" --plies 20 --out "$out/book.db"
"$python" "$here/book/compare.py" "$tsumero" "$here/openings.sfen" "$out/book.db" 20
