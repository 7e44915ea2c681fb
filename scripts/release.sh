#!/usr/bin/env bash
# Builds release binaries for this kind of machine, one per level: x86-64-v2 (since about 2009), v3 (AVX2), v4 (AVX-512), or
# arm64. Each is checked by the signature of the search, which is the same for all. Usage: scripts/release.sh [FOLDER]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=${1:-target/releases}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
case $(uname -m) in
    x86_64) levels=(x86-64-v2 x86-64-v3 x86-64-v4) ;;
    aarch64 | arm64) levels=(generic) ;;
    *) echo "no release levels are defined for $(uname -m)" >&2; exit 2 ;;
esac

# Whether this machine can run the code of a level.
runs_here() {
    case $1 in
        x86-64-v3) grep -qw avx2 /proc/cpuinfo ;;
        x86-64-v4) grep -qw avx512bw /proc/cpuinfo ;;
        *) true ;;
    esac
}

mkdir -p "$out"
expected=
for level in "${levels[@]}"; do
    name=tsumero-$version-${level/generic/arm64}
    RUSTFLAGS="-C target-cpu=$level" CARGO_TARGET_DIR=target/level-$level cargo build --release --quiet
    cp "target/level-$level/release/tsumero" "$out/$name"
    if runs_here "$level"; then
        nodes=$("$out/$name" bench 2>/dev/null | sed -n 's/^nodes: //p')
        [ "${expected:=$nodes}" = "$nodes" ] || { echo "$name searches $nodes nodes, not $expected" >&2; exit 1; }
        printf '%s: %s nodes\n' "$out/$name" "$nodes"
    else
        printf '%s: not run here\n' "$out/$name"
    fi
done
