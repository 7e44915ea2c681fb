#!/usr/bin/env bash
# Everything that has to hold before a change lands: tests, format, lints, documentation, the plain baseline build, the
# signature of the search, and a short match. `--skip-tests` leaves out the tests of the local build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { printf '\n== %s\n' "$*"; }

if [ "${1:-}" != --skip-tests ]; then
    step 'tests'
    cargo test --release
fi

step 'tests of the workshop'
cargo test --release --package tsumero-train

step 'format'
cargo fmt --all --check
cargo fmt --check --manifest-path benches/Cargo.toml
cargo fmt --check --manifest-path fuzz/Cargo.toml

step 'lints'
cargo clippy --workspace --all-targets -- -D warnings
cargo clippy --all-targets -- -D warnings
cargo clippy --manifest-path benches/Cargo.toml -- -D warnings
cargo check --manifest-path fuzz/Cargo.toml

step 'documentation'
RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --document-private-items

# The baseline has none of the vector instructions of the local build: other code is compiled, and must count the same.
step 'baseline: lints, build and tests of the rules'
export_baseline=(env RUSTFLAGS='-C target-cpu=x86-64' CARGO_TARGET_DIR=target/baseline)
case $(uname -m) in
    x86_64) ;;
    *) export_baseline=(env RUSTFLAGS= CARGO_TARGET_DIR=target/baseline) ;;
esac
"${export_baseline[@]}" cargo clippy --package tsumero-core --all-targets -- -D warnings
"${export_baseline[@]}" cargo test --release --package tsumero-core
"${export_baseline[@]}" cargo build --release

# One thread searches the same tree on every machine. The last commit that says "Bench: N" states its size.
step 'signature of the search'
signature() { "$1" bench 2>/dev/null | sed -n 's/^nodes: //p'; }
cargo build --release
stated=$(git log --format=%B | sed -n 's/^Bench: \([0-9][0-9]*\)$/\1/p' | head -n 1)
here=$(signature target/release/tsumero)
baseline=$(signature target/baseline/release/tsumero)
printf 'stated %s, this build %s, baseline %s\n' "$stated" "$here" "$baseline"
if [ "$stated" != "$here" ] || [ "$stated" != "$baseline" ]; then
    echo 'The search has changed: state its node count in the commit message as "Bench: N".' >&2
    exit 1
fi

# Machines for continuous integration stop now and then for longer than the 50 ms that a match usually allows: both engines
# then lose on time. How exactly the clock is kept is measured by the tests.
step 'a short match'
scripts/match.sh --engine target/release/tsumero --opponent fairy-stockfish --games 2 --byoyomi 200 --margin 300 --ponder \
    --out "$(mktemp -d)"

# Says by itself what it could not run.
step 'the program for Windows'
scripts/windows.sh --short

step 'all is well'
