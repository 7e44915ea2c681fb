#!/usr/bin/env bash
# Builds the Python package, installs it into an environment of its own in ~/.cache, and runs its tests.
#
#   scripts/python.sh [ARGUMENTS FOR PYTEST]
#   scripts/python.sh --bench                  # the table of docs/python.md instead of the tests
#   scripts/python.sh --prepare                # only gets what the build needs from the network; ends with 2 where it cannot be had
#   scripts/python.sh --wheel                  # only builds the package
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
environment_name=python
source "$here/environment.sh"

if [ "${1:-}" = --prepare ]; then
    cd "$root/python"
    said=$(cargo fetch --quiet --locked 2>&1) && exit
    printf '%s\n' "$said" >&2
    # A lock file that does not fit is a fault of ours.
    case $said in *'--locked was passed'*) exit 1 ;; *) exit 2 ;; esac
fi

wheels=$cache/wheels
rm -rf "$wheels"
# The settings of .cargo hold for builds that begin inside the repository.
cd "$root/python"
say "building the wheel"
"$python" -m maturin build --quiet --release --locked --interpreter "$python" --out "$wheels"
if [ "${1:-}" = --wheel ]; then exit; fi
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall "$wheels"/*.whl

# From here on only the installed package is found.
cd "$cache"
if [ "${1:-}" = --bench ]; then
    shift
    exec "$python" "$here/python/compare.py" "$@"
fi
# `tsumero` is all that maturin's folder of this name has inside.
"$python" -m mypy.stubtest tsumero --mypy-config-file "$root/pyproject.toml" --allowlist <(echo 'tsumero\.tsumero')
TSUMERO_PEERS=required "$python" -m pytest --quiet -p no:cacheprovider "$root/python/tests" "$@"
