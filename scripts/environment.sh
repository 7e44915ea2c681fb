# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by the scripts that need Python; they have set `here` to the folder of the scripts.
#
# Prepares a private Python environment and sets `python` to its interpreter. It lies outside the repository; the versions are
# pinned in scripts/NAME/requirements.txt, where NAME is `environment_name`, else `match`. Ends with 2 if they cannot be had here.

environment_name=${environment_name:-match}
requirements=$here/$environment_name/requirements.txt
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tsumero-$environment_name
venv=$cache/venv
# Python on Windows puts its programs elsewhere.
case $(uname -s) in
    MINGW* | MSYS* | CYGWIN*) python=$venv/Scripts/python ;;
    *) python=$venv/bin/python ;;
esac

source "$here/as_root.sh"

say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }

# ShogiArena needs Python 3.11; a Python without `ensurepip` (Debian splits it off) cannot make an environment.
find_python() {
    local candidate
    for candidate in python3.11 python3.12 python3.13 python3 /usr/bin/python3 python; do
        if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

prepare() {
    local wanted base
    wanted=$( (sha256sum "$requirements" 2>/dev/null || shasum -a 256 "$requirements") | cut -d' ' -f1)
    [ "$(cat "$cache/installed" 2>/dev/null)" = "$wanted" ] && [ -x "$python" ] && return 0
    if ! base=$(find_python); then
        as_root apt-get update -qq >&2 || true
        as_root apt-get install -y -qq --no-install-recommends python3 python3-venv >&2 || true
        base=$(find_python) || { say "Python 3.11 or newer with venv is missing; install it (Debian: python3-venv)"; exit 2; }
    fi
    say "installing the tools into $venv (once)"
    rm -rf "$venv" "$cache/installed"
    "$base" -m venv "$venv"
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps -r "$requirements" >&2 ||
        { say "the packages of $requirements cannot be installed"; exit 2; }
    printf '%s\n' "$wanted" >"$cache/installed"
}

mkdir -p "$cache"
# Two calls at once must not install into one folder; where there is no flock, nobody makes them.
exec 9>"$cache/lock"
if command -v flock >/dev/null; then flock 9; fi
prepare
exec 9>&-

# Byte code stays out of the repository, too. It must be written: Python finds none elsewhere then, and would compile its whole library
# at every start.
export PYTHONPYCACHEPREFIX=$cache/pycache
unset PYTHONDONTWRITEBYTECODE
# Of NumPy only arrays are used: without this it starts a thread for each core in every program.
export OPENBLAS_NUM_THREADS=1
