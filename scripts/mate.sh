#!/usr/bin/env bash
# Checks the mate solver against an independent rules library and measures it. See `scripts/mate.sh --help`.
#
# This file only prepares the Python environment and hands over to the program in scripts/mate.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/environment.sh"

# The referee and the engine's process are those of the matches.
export PYTHONPATH=$here/match
if [ "${1:-}" = --self-test ]; then
    shift
    exec "$python" "$here/mate/tests/test_mate.py" "$@"
fi
exec "$python" "$here/mate" "$@"
