#!/usr/bin/env bash
# Compiles the library crates for browsers (wasm32-unknown-unknown), where there are no threads, no memory maps and no clock, and
# solves mate problems there, in Node. Without the target or Node, says so and exits with 3. Usage: scripts/wasm_check.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

wasm=wasm32-unknown-unknown
leave_out() { printf 'LEFT OUT: %s\n' "$*" >&2; exit 3; }
if ! [ -d "$(rustc --print sysroot)/lib/rustlib/$wasm/lib" ]; then
    rustup target add "$wasm" >/dev/null 2>&1 || leave_out "the crates in a browser: the target $wasm cannot be had here"
fi

# The flags of the local build name a processor that a browser does not have. The page has vectors of 16 bytes, too.
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/wasm
cargo=(env RUSTFLAGS='-D warnings -C target-feature=+simd128' CARGO_PROFILE_RELEASE_LTO=false CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
    CARGO_TARGET_DIR="$target" cargo)
"${cargo[@]}" check --quiet --release --target "$wasm" --package tsumero-core --package tsumero-control --package tsumero-mate \
    --package tsumero-memory --package tsumero-network --package tsumero-search --package tsumero-quantum --package tsumero-wasm

# A program that embeds the solver, in a crate of its own: the tests of the solver need what a browser does not have.
crate=$(mktemp -d)
trap 'rm -r "$crate"' EXIT
mkdir "$crate/src"
cp scripts/wasm/solver.rs "$crate/src/lib.rs"
cp Cargo.lock "$crate"
cat > "$crate/Cargo.toml" <<TOML
[package]
name = "solver"
version = "0.0.0"
edition = "2024"
publish = false

[lib]
crate-type = ["cdylib"]

[dependencies]
tsumero-core = { path = "$PWD/crates/core" }
tsumero-control = { path = "$PWD/crates/control" }
tsumero-mate = { path = "$PWD/crates/mate" }
TOML
(cd "$crate" && "${cargo[@]}" build --quiet --release --target "$wasm")

command -v node >/dev/null || leave_out 'mate problems in WebAssembly: Node is missing here'
data=tests/data/tsume
node scripts/wasm/solve.mjs "$target/$wasm/release/solver.wasm" "$data"/mate{1,3,5,7,9,11plus}.csv "$data/nomate.csv"
