#!/usr/bin/env bash
# Analyzes a few games of the test data and checks what is written: values and lines of the KIF as tsshogi (ShogiHome's reader)
# reads them, the graph of the page in headless Chromium, and a page of mate problems there. Needs Node and Chromium; tsshogi
# goes to the user's cache, its version pinned. Arguments: the program (default: target/release/tsumero), and a folder for
# screenshots of the pages.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tsumero=${1:-$here/../target/release/tsumero}
shots=${2:-}
data=$here/../crates/record/tests/data
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tsumero-analysis
source "$here/npm.sh"
install_packages "$cache" tsshogi@2.2.0
# Node looks for packages beside the file that asks for them.
cp "$here/analysis/comments.mjs" "$cache/comments.mjs"

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for game in made/end-mate.kif real/piyo-kyo.kif real/plain.ki2 real/shogihome-analysis.kifu made/endings.csa; do
    "$tsumero" analyze "$data/$game" --nodes 3000 --multipv 3 --out "$out" --kif --json --html
done
for json in "$out"/*.json; do
    name=${json%.json}
    python3 "$here/analysis/page.py" "$name.html" <(grep '"game":1,' "$json") ${shots:+"$shots"}
    read=0
    for kif in "$name".kif "$name".kifu "$name"-*.kif; do
        [ -e "$kif" ] || continue
        number=$(sed -n 's/.*-\([0-9]*\)\.kif$/\1/p' <<<"$kif")
        node "$cache/comments.mjs" "$kif" <(grep "\"game\":${number:-1}," "$json")
        read=$((read + 1))
    done
    [ "$read" -gt 0 ] || { echo "analysis.sh: there is no KIF beside $json" >&2; exit 1; }
done
