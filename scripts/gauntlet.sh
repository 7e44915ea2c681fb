#!/usr/bin/env bash
# Plays a commit (or the local build) against the engines of Debian and prints a table. See docs/matches.md.
#
#   scripts/gauntlet.sh [--commit COMMIT] [--games N] [--out FOLDER] [more options of scripts/match.sh]
#
# Without limits among the options: 100 ms a move, gpsusi with 9,000 nodes.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

commit='' games=40 out='' options=() limited=no
while [ $# -gt 0 ]; do
    case $1 in
        --commit) commit=${2:?'--commit needs a commit'}; shift 2 ;;
        --games) games=${2:?'--games needs a number'}; shift 2 ;;
        --out) out=${2:?'--out needs a folder'}; shift 2 ;;
        --commit=* | --games=* | --out=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
        --nodes | --byoyomi | --time) limited=yes; options+=("$1" "${2:?"$1 needs a number"}"); shift 2 ;;
        --nodes=* | --byoyomi=* | --time=*) limited=yes; options+=("$1"); shift ;;
        --help | -h) sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit ;;
        *) options+=("$1"); shift ;;
    esac
done
source "$here/environment.sh"
source "$here/builds.sh"

engine=()
name='local build'
if [ -n "$commit" ]; then
    program=$(build "$commit")
    engine=(--engine "$program")
    name=$(git -C "$here/.." rev-parse --short "$commit")
fi
out=${out:-$here/../runs/gauntlet-$(date +%Y%m%d-%H%M%S)}

# A line of the table from the summary of a match.
row() {
    awk -v date="$(date +%F)" -v name="$name" -v opponent="$1" '
        /^match: / { sub(/\) against .*/, ""); sub(/.*\(/, ""); limits = $0 }
        /^games: / { games = $2 }
        /^engine: / { score = $2 " " $3 " " $4 }
        /^elo: / { elo = $2 " " $3 " " $4 " " $5 " " $6 }
        /^(illegal moves|time losses|crashes|hangs|protocol errors): / {
            kind = $0; sub(/:.*/, "", kind)
            mine = $0; sub(/.*engine /, "", mine); sub(/,.*/, "", mine)
            theirs = $0; sub(/.*opponent /, "", theirs)
            if (mine > 0) faults = faults " own " kind " " mine ";"
            if (theirs > 0) faults = faults " their " kind " " theirs ";"
        }
        /^warning: / { faults = faults " no measure of strength;" }
        END {
            if (faults == "") faults = " none"
            sub(/;$/, "", faults)
            printf "| %s | %s | %s | %s | %s | %s | %s |%s |\n", date, name, opponent, limits, games, score, elo, faults
        }' "$2"
}

status=0
rows=()
for opponent in fairy-stockfish gpsusi; do
    limits=()
    if [ "$limited" = no ]; then
        limits=(--byoyomi 100)
        [ "$opponent" = gpsusi ] && limits+=(--opponent-nodes 9000)
    fi
    code=0
    "$here/match.sh" "${engine[@]}" --opponent "$opponent" --games "$games" --out "$out/$opponent" "${limits[@]}" \
        "${options[@]}" >&2 || code=$?
    # 1 says that the engine made a fault: the match was played.
    if [ "$code" -gt 1 ]; then
        exit "$code"
    fi
    [ "$code" = 0 ] || status=1
    rows+=("$(row "$opponent" "$out/$opponent/summary.txt")")
done
printf '| date | engine | opponent | limits | games | + = - | Elo (95%%) | faults |\n|---|---|---|---|---|---|---|---|\n'
printf '%s\n' "${rows[@]}"
exit "$status"
