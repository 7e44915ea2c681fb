#!/usr/bin/env bash
# Writes the games of the test data in every format and lets other programs read them: tsshogi and json-kifu-format (npm),
# cshogi and python-shogi (PyPI). Needs Node and Python with venv; the readers go to the user's cache, versions pinned.
# The first argument is the program to test (default: target/release/tsumero).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tsumero=${1:-$here/../target/release/tsumero}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tsumero-records
source "$here/npm.sh"

readers=(cshogi==1.1.0 python-shogi==1.1.1)
if [ "$(cat "$cache/installed" 2>/dev/null)" != "${readers[*]}" ]; then
    mkdir -p "$cache"
    rm -f "$cache/installed"
    python3 -m venv --clear "$cache/venv"
    "$cache/venv/bin/python" -m pip install --quiet --disable-pip-version-check "${readers[@]}"
    printf '%s\n' "${readers[*]}" >"$cache/installed"
fi
install_packages "$cache" tsshogi@2.2.0 json-kifu-format@5.5.0
# Node looks for packages beside the file that asks for them.
cp "$here/records/readers.mjs" "$cache/readers.mjs"
export PYTHONDONTWRITEBYTECODE=1
exec "$cache/venv/bin/python" "$here/records/compare.py" "$tsumero" "$here/../crates/record/tests/data" "$cache/readers.mjs"
