#!/usr/bin/env bash
# Kills the program while it writes people's files, and checks that nothing is lost. See docs/testing.md and `scripts/files.sh --help`.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
exec python3 "$here/files" "$@"
