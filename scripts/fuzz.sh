#!/usr/bin/env bash
# Builds the fuzz targets with the stable compiler and runs each for a while. Usage:
#
#   scripts/fuzz.sh [--address] [--seconds N] [--runs N] [--replay] [TARGET]...
#
# Without targets: all. `--seconds` (20) and `--runs` end a target, whichever comes first. `--address` adds AddressSanitizer,
# which makes everything two to three times as slow. `--replay` only runs the inputs there are. New inputs are kept in
# fuzz/corpus; an input that breaks something is written to fuzz/artifacts, and the exit status is 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() { printf 'fuzz.sh: %s\n' "$*" >&2; exit 2; }

seconds=20 runs=-1 address='' targets=()
while [ $# -gt 0 ]; do
    case $1 in
        --address) address=yes ;;
        --seconds) seconds=${2:?}; shift ;;
        --runs) runs=${2:?}; shift ;;
        --replay) runs=0 ;;
        -*) fail "unknown option $1" ;;
        *) [ -f "fuzz/fuzz_targets/$1.rs" ] || fail "no target '$1'"; targets+=("$1") ;;
    esac
    shift
done
if [ ${#targets[@]} = 0 ]; then
    for file in fuzz/fuzz_targets/*.rs; do targets+=("$(basename "$file" .rs)"); done
fi

# LibFuzzer watches which code runs through counters that the compiler puts in. These are flags of LLVM, so the stable compiler
# takes them; only the sanitizer asks for permission. A named host keeps the flags away from build scripts.
host=$(rustc -vV | sed -n 's/^host: //p')
flags=(-Cpasses=sancov-module -Cdebug-assertions --cfg fuzzing)
for argument in level=4 inline-8bit-counters pc-table trace-compares; do
    flags+=("-Cllvm-args=-sanitizer-coverage-$argument")
done
folder=${CARGO_TARGET_DIR:-target}/fuzz
if [ -n "$address" ]; then
    export RUSTC_BOOTSTRAP=1
    flags+=(-Zsanitizer=address)
    folder+=-address
fi
build=(cargo build --release --manifest-path fuzz/Cargo.toml --target "$host" --target-dir "$folder")
for target in "${targets[@]}"; do build+=(--bin "$target"); done
RUSTFLAGS="${flags[*]}" "${build[@]}"

mkdir -p fuzz/artifacts
status=0
for target in "${targets[@]}"; do
    mkdir -p "fuzz/corpus/$target"
    arguments=("fuzz/corpus/$target")
    case $target in
        usi_lines) arguments+=(tests/data -max_len=2000 -dict=fuzz/usi.dict) ;;
        sfen) arguments+=(fuzz/seeds/sfen -max_len=200 -dict=fuzz/usi.dict) ;;
        network_file) arguments+=(fuzz/seeds/network_file -max_len=2000) ;;
        book) arguments+=(fuzz/seeds/book -max_len=4000 -dict=fuzz/book.dict) ;;
        quantum) arguments+=(fuzz/seeds/quantum -max_len=400) ;;
        record) arguments+=(fuzz/seeds/record crates/record/tests/data/made crates/record/tests/data/real -max_len=4000 -dict=fuzz/record.dict) ;;
    esac
    # A single input may take as long as this many seconds, on the slowest of machines.
    arguments+=(-timeout=60 -rss_limit_mb=4096 -max_total_time="$seconds" -runs="$runs" -artifact_prefix="fuzz/artifacts/$target-")
    log=fuzz/artifacts/$target.log
    if "$folder/$host/release/$target" "${arguments[@]}" >"$log" 2>&1; then
        printf '%s: %s\n' "$target" "$(grep -a '^Done' "$log" | tail -n 1)"
    else
        tail -n 40 "$log"
        printf '%s: FAILED (%s)\n' "$target" "$log"
        status=1
    fi
done
exit "$status"
