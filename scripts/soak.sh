#!/usr/bin/env bash
# Plays many short games of two engines with everything mixed up that a GUI may send, counts the answers and watches the memory.
# See docs/testing.md and `scripts/soak.sh --help`.
#
# This file only prepares the Python environment and hands over to the program in scripts/soak.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/environment.sh"

# The referee and the engine's process are those of the matches.
export PYTHONPATH=$here/match
exec "$python" "$here/soak" "$@"
