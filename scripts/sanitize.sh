#!/usr/bin/env bash
# Looks for what tests do not see: threads in each other's way, memory used wrongly. Usage:
#
#   scripts/sanitize.sh [models] [thread] [address] [miri]
#
# Without arguments: all four. `models` explores the orders in which threads may touch the signals and the shared tables
# (models/). `thread` runs searches of several threads under ThreadSanitizer, `address` the tests and the inputs of the fuzz
# targets under AddressSanitizer; both use the stable compiler, whose run-time libraries come with it. `miri` interprets
# tests of the modules with `unsafe` (not of the vectors) and needs the nightly component; without it the step is left out. It
# takes an hour or two on two cores. What it found so far is in docs/testing.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(models thread address miri)
target=${CARGO_TARGET_DIR:-target}
host=$(rustc -vV | sed -n 's/^host: //p')
begun=$SECONDS
missing=()
step() { printf '\n== %s (after %s s)\n' "$*" $((SECONDS - begun)); }
leave_out() { printf 'LEFT OUT: %s\n' "$*"; missing+=("$*"); }
# A filter that finds no test any more is an error.
tested=scripts/some_tests.sh

# The release profile without what only speed needs; assertions are on, and a test that panics says where.
profile=(--release)
for setting in 'lto="off"' codegen-units=16 'panic="unwind"' debug-assertions=true 'debug="line-tables-only"'; do
    profile+=(--config "profile.release.$setting")
done

models() {
    step 'models: all orders of a few switches (loom)'
    cargo run --quiet --release --manifest-path models/Cargo.toml --target-dir "$target/models"
    step 'models: random orders (shuttle)'
    cargo run --quiet --release --manifest-path models/Cargo.toml --target-dir "$target/models" --features shuttle
}

# ThreadSanitizer has to see every access, those of the standard library too, so that is built with it.
thread() {
    if ! [ -d "$(rustc --print sysroot)/lib/rustlib/src/rust/library" ]; then
        leave_out 'ThreadSanitizer: it needs the source of the standard library (rustup component add rust-src)'
        return
    fi
    local cargo=(env RUSTC_BOOTSTRAP=1 RUSTFLAGS='-Zsanitizer=thread -Ctarget-cpu=native' CARGO_TARGET_DIR="$target/thread"
        cargo test "${profile[@]}" -Zbuild-std --target "$host")
    export TSAN_OPTIONS='halt_on_error=1'
    step 'ThreadSanitizer: the signals, the clock and both shared tables'
    "$tested" "${cargo[@]}" --package tsumero-control --lib
    "$tested" "${cargo[@]}" --package tsumero-memory --lib -- --skip cleared_memory # It counts resident pages, and the sanitizer adds its own.
    "$tested" "${cargo[@]}" --package tsumero-search --lib -- tt:: searcher::
    "$tested" "${cargo[@]}" --package tsumero-mate --lib -- dfpn::table:: dfpn::path_dependence::
    step 'ThreadSanitizer: searches of several threads'
    # The sanitizer is too slow for a limit of time.
    "$tested" "${cargo[@]}" --package tsumero-search --test search -- thread stop --skip many_threads_keep_to_the_time
    step 'ThreadSanitizer: the program with several threads'
    cargo=("${cargo[@]:0:4}" cargo build "${profile[@]}" -Zbuild-std --target "$host")
    "${cargo[@]}" --package tsumero --bin tsumero
    conversation | "$target/thread/$host/release/tsumero" >"$target/thread/answers"
    local answers
    answers=$(grep -c -e '^bestmove' -e '^checkmate' "$target/thread/answers")
    printf '%s answers\n' "$answers"
    [ "$answers" = "$goes" ]
}

# What a GUI might say to a program of four threads: games, stops, ponder hits, mates, new tables in between.
goes=50
conversation() {
    local mate='l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1'
    printf '%s\n' usi 'setoption name Threads value 4' 'setoption name USI_Hash value 16' isready usinewgame
    for ((round = 0; round < goes / 5; round++)); do
        printf '%s\n' 'position startpos moves 7g7f 3c3d' 'go nodes 20000' "position sfen $mate" 'go infinite'
        sleep 0.5
        printf '%s\n' stop "setoption name USI_Hash value $((1 + round % 3 * 20))" isready 'go ponder btime 1000 wtime 1000'
        sleep 0.2
        printf '%s\n' ponderhit 'position startpos' 'go movetime 300' "position sfen $mate" 'go mate 500' usinewgame isready
    done
}

address() {
    # The tests ask for more memory than there is, and have to be refused.
    export ASAN_OPTIONS=allocator_may_return_null=1
    step 'AddressSanitizer: the inputs of the fuzz targets, and new ones for a minute each'
    scripts/fuzz.sh --address --replay
    scripts/fuzz.sh --address --seconds 60
    step 'AddressSanitizer: the tests'
    # A named host keeps the flags away from build scripts; doctests would be linked without the library.
    local cargo=(env RUSTC_BOOTSTRAP=1 RUSTFLAGS='-Zsanitizer=address -Ctarget-cpu=native' CARGO_TARGET_DIR="$target/address"
        cargo test "${profile[@]}" --target "$host" --no-fail-fast)
    "$tested" "${cargo[@]}" --lib --bins --tests --package tsumero-control --package tsumero-core --package tsumero-memory \
        --package tsumero-network --package tsumero-quantum --package tsumero-record
    # Tests that look for long mates would take hours.
    "$tested" "${cargo[@]}" --lib --test search --package tsumero-search
    "$tested" "${cargo[@]}" --lib --package tsumero-mate -- dfpn::table:: dfpn::path_dependence::
}

# Miri knows the vector instructions of the baseline only.
miri() {
    if ! cargo +nightly miri --version >/dev/null 2>&1; then
        leave_out 'Miri: it needs the nightly component (rustup +nightly component add miri rust-src)'
        return
    fi
    local cargo=(env RUSTFLAGS='-Ctarget-cpu=x86-64' MIRIFLAGS='-Zmiri-disable-isolation' CARGO_TARGET_DIR="$target/miri"
        cargo +nightly miri test --lib)
    step 'Miri: the modules with unsafe code'
    # Comparing all forms of the vectors takes hours here, and so does a look at all values of a large table.
    "$tested" "${cargo[@]}" --package tsumero-core -- \
        move_list::tests::a_list square:: square_set:: hand::tests::counts moves:: piece:: neighbors:: line::stack::
    "$tested" "${cargo[@]}" --package tsumero-memory -- \
        zeroed::tests::values zeroed::tests::a_box zeroed::tests::touching zeroed::tests::threads pages:: prefetch::
}

for part in "${parts[@]}"; do
    case $part in
        models | thread | address | miri) "$part" ;;
        *) printf 'sanitize.sh: no part "%s"\n' "$part" >&2; exit 2 ;;
    esac
done
step 'all is well'
[ ${#missing[@]} = 0 ] || printf 'left out: %s\n' "${missing[@]}"
