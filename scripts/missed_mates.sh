#!/usr/bin/env bash
# Counts the lost games of a match in which `go mate` finds a mate for the loser. See `scripts/missed_mates.sh --help`.
#
# This file only prepares the Python environment and hands over to the program in scripts/match.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/environment.sh"

exec "$python" "$here/match/missed_mates.py" "$@"
