#!/usr/bin/env bash
# Tests one commit against another: scripts/sprt.sh NEW BASE [options of scripts/match.sh]. See docs/matches.md.
#
# Both are built once and kept in ~/.cache/tsumero-match/builds. Without options: 20,000 nodes a move, Elo 0 against 10,
# at most 4,000 games, adjudication at 2,000.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# A question about the usage installs nothing.
if [ $# -lt 2 ] || [ "${1#-}" != "$1" ]; then
    echo "usage: scripts/sprt.sh NEW BASE [options of scripts/match.sh], two commits" >&2
    exit 2
fi
source "$here/environment.sh"
source "$here/builds.sh"

new=$(build "$1")
base=$(build "$2")
shift 2
if [ "$new" = "$base" ]; then
    say "the two are the same commit"
    exit 2
fi

# A default is left out where the options name something else.
defaults=()
has() { local name=$1 word; shift; for word in "$@"; do case $word in "$name" | "$name"=*) return 0 ;; esac; done; return 1; }
has --nodes "$@" || has --byoyomi "$@" || has --time "$@" || defaults+=(--nodes 20000)
has --games "$@" || defaults+=(--games 4000)
has --sprt "$@" || defaults+=(--sprt 0 10)
has --resign "$@" || defaults+=(--resign 2000)
exec "$here/match.sh" --engine "$new" --opponent "$base" "${defaults[@]}" "$@"
