#!/usr/bin/env bash
# Plays Tsumero against another USI engine and counts wins, draws, losses and every fault. See docs/matches.md.
#
# This file only prepares the Python environment and hands over to the program in scripts/match.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# A question about the usage installs nothing.
for word in "$@"; do
    case $word in
        --help | -h) exec python3 -B "$here/match/usage.py" ;;
    esac
done
source "$here/environment.sh"

if [ "${1:-}" = --self-test ]; then
    shift
    exec "$python" "$here/match/tests/test_match.py" "$@"
fi
exec "$python" "$here/match" "$@"
