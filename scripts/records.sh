#!/usr/bin/env bash
# Writes the games of the test data in every format and lets other programs read them: tsshogi and json-kifu-format (npm),
# cshogi and python-shogi (PyPI). Needs Node and Python with venv; the readers go to the user's cache, versions pinned.
# The first argument is the program to test (default: target/release/tsumero).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tsumero=${1:-$here/../target/release/tsumero}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tsumero-records

if [ ! -e "$cache/installed" ]; then
    mkdir -p "$cache"
    python3 -m venv "$cache/venv"
    "$cache/venv/bin/python" -m pip install --quiet --disable-pip-version-check cshogi==1.1.0 python-shogi==1.1.1
    npm install --silent --prefix "$cache" tsshogi@2.2.0 json-kifu-format@5.5.0
    touch "$cache/installed"
fi
# Node looks for packages beside the file that asks for them.
cp "$here/records/readers.mjs" "$cache/readers.mjs"
export PYTHONDONTWRITEBYTECODE=1
exec "$cache/venv/bin/python" "$here/records/compare.py" "$tsumero" "$here/../crates/record/tests/data" "$cache/readers.mjs"
