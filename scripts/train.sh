#!/usr/bin/env bash
# From nothing to a network that plays: self-play games, training, values of positions, and a match against the evaluation
# by attack maps. See docs/training.md.
#
#   scripts/train.sh FOLDER [--tiny] [--positions N] [--threads N] [--teacher NETWORK] [--games FILE]...
#
# FOLDER keeps the games (it goes on with them when it is called again), the network and the loss curve. `--tiny` shows in
# two minutes that every step works; its network is worth nothing. `--teacher` makes games with a network, `--games` adds
# games of earlier runs to what is learned from.
set -euo pipefail

fail() { printf 'train.sh: %s\n' "$*" >&2; exit 2; }
step() { printf '\n== %s\n' "$*"; }
# A file, as the caller means it.
existing() {
    local file
    file=$(from_caller "$1")
    [ -f "$file" ] || fail "$1: no such file"
    realpath "$file"
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/caller.sh"
cd "$here/.."
folder='' positions=5000000 threads=1 teacher=none more=()
soft_nodes=500 epochs=12 batch=4096 held_out=50 games=1000 match=(--nodes 5000)
while [ $# -gt 0 ]; do
    case $1 in
        --tiny) positions=6000 soft_nodes=150 epochs=10 batch=512 held_out=5 games=4 match=(--nodes 500) ;;
        --positions) positions=${2:?"$1 needs a number"}; shift ;;
        --threads) threads=${2:?"$1 needs a number"}; shift ;;
        --teacher) teacher=$(existing "${2:?"$1 needs a file"}") || exit; shift ;;
        --games) more+=("$(existing "${2:?"$1 needs a file"}")") || exit; shift ;;
        -*) fail "unknown option $1" ;;
        *) [ -z "$folder" ] || fail 'more than one folder'; folder=$(from_caller "$1") ;;
    esac
    shift
done
[ -n "$folder" ] || fail 'name a folder for the results'
mkdir -p "$folder"
folder=$(realpath "$folder")
# Both are named in configurations, which are lists with commas.
case $folder$teacher in *,*) fail 'no path of a folder or teacher may hold a comma' ;; esac

# The search of the engine is built without the parameters of the workshop.
cargo build --release --package tsumero-train
cargo build --release --package tsumero
programs=${CARGO_TARGET_DIR:-target}/release
train() { nice "$programs/tsumero-train" "$@"; }

step 'games'
# Games that are there keep the name of the commit that began them: one whose engine plays the same goes on with them.
label=$(head -c 4096 "$folder/games" 2>/dev/null | LC_ALL=C grep -ao '"label":"[^"]*"' | head -n 1 | cut -d '"' -f 4) || true
[ -n "$label" ] || label=$(git describe --always --dirty 2>/dev/null || echo unknown)
# The seed depends on the folder's name, without its path: folders with other names have other games.
seed=$(printf '%s' "$(basename "$folder")" | cksum | cut -d' ' -f1)
train datagen "$folder/games" --seed "$seed" --positions "$positions" --threads "$threads" \
    --soft-nodes "$soft_nodes" --nodes $((10 * soft_nodes)) --configuration "eval=$teacher,hash=8" \
    --label "$label"
train stats "$folder/games" | sed -n 1,7p

step 'training'
train train "$folder/games" "${more[@]}" --out "$folder/network" --epochs "$epochs" --batch "$batch" \
    --held-out "$held_out" --threads "$threads"

step 'values of positions, for the side to move'
# The usual start is even; then Black has a rook more, and White has a rook more.
printf '%s\n' startpos \
    'sfen lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1' \
    'sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL b - 1' > "$folder/positions.txt"
"$programs/tsumero" eval --eval-file "$folder/network.nn.bin" --file "$folder/positions.txt"

step 'games against the attack maps'
train duel --a "eval=$folder/network.nn.bin" --b eval=none "${match[@]}" --games "$games" --threads "$threads"
