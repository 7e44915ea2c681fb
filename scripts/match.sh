#!/usr/bin/env bash
# Plays Tsumero against another USI engine and counts wins, draws, losses and every fault. See docs/matches.md.
#
# This file only prepares a private Python environment (outside the repository, versions pinned in
# scripts/match/requirements.txt) and hands over to the program in scripts/match.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
requirements=$here/match/requirements.txt
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tsumero-match
venv=$cache/venv

say() { printf 'match.sh: %s\n' "$*" >&2; }

# ShogiArena needs Python 3.11; a Python without `ensurepip` (Debian splits it off) cannot make an environment.
find_python() {
    local candidate
    for candidate in python3.11 python3.12 python3.13 python3 /usr/bin/python3; do
        if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; elif sudo -n true 2>/dev/null; then sudo -n "$@"; else return 1; fi
}

prepare() {
    local wanted python
    wanted=$(sha256sum "$requirements" | cut -d' ' -f1)
    [ "$(cat "$cache/installed" 2>/dev/null)" = "$wanted" ] && [ -x "$venv/bin/python" ] && return 0
    if ! python=$(find_python); then
        as_root apt-get update -qq >&2 || true
        as_root apt-get install -y -qq --no-install-recommends python3 python3-venv >&2 || true
        python=$(find_python) || { say "Python 3.11 or newer with venv is missing; install it (Debian: python3-venv)"; exit 2; }
    fi
    say "installing the match tools into $venv (once)"
    rm -rf "$venv" "$cache/installed"
    "$python" -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps -r "$requirements" >&2
    printf '%s\n' "$wanted" >"$cache/installed"
}

mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9
prepare
exec 9>&-

# Byte code stays out of the repository, too.
export PYTHONPYCACHEPREFIX=$cache/pycache
if [ "${1:-}" = --self-test ]; then
    shift
    exec "$venv/bin/python" "$here/match/tests/test_match.py" "$@"
fi
exec "$venv/bin/python" "$here/match" "$@"
