#!/usr/bin/env bash
# Instructions for one unit of work (a move counted, a list of moves, a move made and unmade, a node with its mate in one) by
# Tsumero and the libraries it is measured beside, counted by valgrind's callgrind: the same on every run, whatever else the
# machine does. The build is for x86-64-v3, because valgrind knows no AVX-512. Usage: scripts/icount.sh [PART…]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v valgrind >/dev/null || { echo 'valgrind is missing (Debian: valgrind)' >&2; exit 2; }
export CARGO_TARGET_DIR=target/icount
RUSTFLAGS='-C target-cpu=x86-64-v3' cargo build --release --quiet --manifest-path benches/Cargo.toml
program=target/icount/release/tsumero-benches

counted() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" work "$@" 2>&1 | sed -n 's/.*Collected : //p'; }

positions=(startpos opening matsuri tactical_hands pins evasions entering_kings big_hands endgame)
printf '%-12s%-16s%12s%12s%12s\n' part position tsumero haitaka rsshogi
[ $# -gt 0 ] || set -- list make-unmake node
for part in "$@"; do
    for position in "${positions[@]}"; do
        printf '%-12s%-16s' "$part" "$position"
        for peer in tsumero haitaka rsshogi; do
            # What starting the program and reading the position cost is taken away.
            if one=$("$program" work "$peer" "$part" "$position" 11); then
                none=$("$program" work "$peer" "$part" "$position" 1)
                printf '%12d' $((($(counted "$peer" "$part" "$position" 11) - $(counted "$peer" "$part" "$position" 1)) / (one - none)))
            else
                printf '%12s' -
            fi
        done
        printf '\n'
    done
done
