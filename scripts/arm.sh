#!/usr/bin/env bash
# The code for 64-bit Arm, tried on an emulated processor with and without the dot product: the tests of the networks and of
# the vectors of the rules, and the signature of the search, which is the same on every machine. Takes some six minutes. Needs
# Debian's qemu-user and gcc-aarch64-linux-gnu. Usage: scripts/arm.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=aarch64-unknown-linux-gnu
for tool in qemu-aarch64 aarch64-linux-gnu-gcc; do
    command -v "$tool" >/dev/null || { echo "$tool is missing (Debian: qemu-user, gcc-aarch64-linux-gnu)" >&2; exit 2; }
done
rustup target add "$target" 2>/dev/null
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER='qemu-aarch64 -cpu max -L /usr/aarch64-linux-gnu'
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16

stated=$(git log -1 --grep='^Bench: [0-9][0-9]*$' --format=%B | sed -n 's/^Bench: \([0-9][0-9]*\)$/\1/p')
stated=${stated%%$'\n'*}
for processor in generic apple-m1; do
    export RUSTFLAGS="-C target-cpu=$processor" CARGO_TARGET_DIR="target/arm/$processor"
    cargo test --release --quiet --target "$target" --package tsumero-network
    cargo test --release --quiet --target "$target" --package tsumero-core --lib
    nodes=$(cargo run --release --quiet --target "$target" --package tsumero-search --example bench | sed -n 's/^nodes: //p')
    if [ "$nodes" != "$stated" ]; then
        echo "$processor: $nodes nodes, and $stated are stated" >&2
        exit 1
    fi
    echo "$processor: $nodes nodes"
done
