#!/usr/bin/env bash
# Everything that has to hold before a change lands: tests, format, lints, documentation, scripts and text, licenses, the plain
# baseline build, the signature of the search, the fuzz targets, the tests of the tools, and a short match. `--skip-tests` leaves
# out the tests of the local build. A tool that cannot be had here is named in the summary at the end, and its step left out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-target}
begun=$SECONDS
missing=()
step() { printf '\n== %s (after %s s)\n' "$*" $((SECONDS - begun)); }
summary() {
    step 'all is well'
    [ ${#missing[@]} = 0 ] || printf 'left out: %s\n' "${missing[@]}"
}
# Waits for what runs in the background, and shows its output if it has failed.
finish() {
    step "$1"
    wait "$2" || { cat "$3"; exit 1; }
}
# Python on Windows reads files in the system's own encoding otherwise.
export PYTHONUTF8=1
# After a failure nothing goes on in the background.
trap 'jobs -p | xargs -r -n 1 pkill -P 2>/dev/null || :' EXIT
leave_out() { printf 'LEFT OUT: %s\n' "$*"; missing+=("$*"); }

# What takes most of the time on a small machine, and changes no result: optimizing each program of the tests as a whole (LTO), and
# compiling each library twice, because a program aborts on a panic, which a test cannot.
quick_link=(CARGO_PROFILE_RELEASE_LTO=false CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_PANIC=unwind)
for_tests=(env "${quick_link[@]}" CARGO_TARGET_DIR="$target/tests")

if [ "${1:-}" != --skip-tests ]; then
    step 'tests'
    "${for_tests[@]}" cargo test --release
fi

# The baseline has none of the vector instructions of the local build: other code is compiled, and must count the same. This is done
# beside the following steps, which often need one core only.
export_baseline=(env "${quick_link[@]}" RUSTFLAGS='-C target-cpu=x86-64' CARGO_TARGET_DIR="$target/baseline")
[ "$(uname -m)" = x86_64 ] || export_baseline=(env "${quick_link[@]}" RUSTFLAGS= CARGO_TARGET_DIR="$target/baseline")
check_baseline() {
    "${export_baseline[@]}" nice -n 19 cargo clippy --package tsumero-core -- -D warnings &&
        "${export_baseline[@]}" nice -n 19 cargo test --release --package tsumero-core --lib --test rules &&
        "${export_baseline[@]}" nice -n 19 cargo build --release
}
baseline_log=$(mktemp)
check_baseline >"$baseline_log" 2>&1 &
baseline_job=$!

step 'tests of the workshop'
"${for_tests[@]}" cargo test --release --package tsumero-train

step 'format'
cargo fmt --all --check
cargo fmt --check --manifest-path benches/Cargo.toml
cargo fmt --check --manifest-path fuzz/Cargo.toml
cargo fmt --check --manifest-path models/Cargo.toml
cargo fmt --check --manifest-path scripts/web/bindgen/Cargo.toml

step 'scripts and text'
python3 scripts/structure.py
if tools=$(scripts/tools.sh); then
    "$tools/ruff" check --quiet
    # Each folder is a program of its own; those of the matches are used by others, too.
    for folder in scripts/*/; do
        [ -n "$(find "$folder" -maxdepth 1 -name '*.py' -print -quit)" ] || continue
        MYPYPATH=scripts/match "$tools/mypy" --no-error-summary --cache-dir "$target/mypy" "$folder"
    done
    "$tools/mypy" --no-error-summary --cache-dir "$target/mypy" scripts/*.py
    "$tools/shellcheck" scripts/*.sh .ci/run
    "$tools/typos"
else
    leave_out 'ruff, mypy, shellcheck and typos: they cannot be installed here'
fi

step 'lints'
cargo clippy --workspace --all-targets -- -D warnings
cargo clippy --all-targets -- -D warnings
cargo clippy --manifest-path benches/Cargo.toml -- -D warnings
for features in '' shuttle; do
    cargo clippy --manifest-path models/Cargo.toml --target-dir "$target/models" --features "$features" -- -D warnings
done

step 'documentation'
RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --document-private-items

step 'the libraries for browsers, and mates in WebAssembly'
reason=$(scripts/wasm_check.sh 2>&1 >/dev/null) || {
    [ $? = 3 ] || { printf '%s\n' "$reason"; exit 1; }
    leave_out "${reason##*LEFT OUT: }"
}

step 'licenses, sources and advisories of the dependencies'
if deny=$(scripts/cargo_deny.sh); then
    "$deny" --log-level error check bans licenses sources
    # The advisories lie in a repository of their own, which not every machine can reach.
    if "$deny" --log-level error fetch db 2>/dev/null; then
        "$deny" --log-level error check --disable-fetch advisories
    else
        leave_out 'advisories: their database cannot be fetched here'
    fi
else
    leave_out 'cargo-deny: it cannot be installed here'
fi

step 'the crates as a stranger uses them'
scripts/library_check.sh

finish 'baseline: lints, build and tests of the rules' "$baseline_job" "$baseline_log"
grep 'test result' "$baseline_log"

# The fuzz targets are compiled and run beside what follows, which mostly needs one core. Code that is hardly optimized is compiled
# faster.
fuzz=''
case $(uname -s) in
    Linux | Darwin)
        fuzz_log=$(mktemp)
        CARGO_PROFILE_RELEASE_OPT_LEVEL=1 nice -n 19 scripts/fuzz.sh --seconds 5 >"$fuzz_log" 2>&1 &
        fuzz=$! ;;
    *) leave_out 'fuzzing: libFuzzer is set up for Linux and macOS only' ;;
esac
end_fuzzing() {
    [ -n "$fuzz" ] || return 0
    finish 'every fuzz target, for a moment' "$fuzz" "$fuzz_log"
    grep ' runs in ' "$fuzz_log"
}

# One thread searches the same tree on every machine. The last commit that says "Bench: N" states its size.
step 'signature of the search'
signature() { "$1" bench 2>/dev/null | sed -n 's/^nodes: //p'; }
cargo build --release
stated=$(git log --format=%B | sed -n 's/^Bench: \([0-9][0-9]*\)$/\1/p' | head -n 1)
here=$(signature "$target/release/tsumero")
baseline=$(signature "$target/baseline/release/tsumero")
printf 'stated %s, this build %s, baseline %s\n' "$stated" "$here" "$baseline"
if [ "$stated" != "$here" ] || [ "$stated" != "$baseline" ]; then
    echo 'The search has changed: state its node count in the commit message as "Bench: N".' >&2
    exit 1
fi

step 'from games to a network that plays'
"${for_tests[@]}" scripts/train.sh "$(mktemp -d)" --tiny

step 'tests of the tools'
scripts/some_tests.sh --self-test
# What follows plays with engines and rule libraries of Debian and PyPI.
if [ "$(uname -s)" != Linux ]; then
    leave_out 'the tests of the tools, readers of game files and the short match: these are set up for Linux only'
    end_fuzzing
    summary
    exit
fi

scripts/mate.sh --self-test
scripts/book.sh "$target/release/tsumero"
# The tests of the match tool mostly wait, so its two halves run side by side. Those that interrupt it have to run in front: a
# job in the background does not hear interrupts.
log=$(mktemp)
scripts/match.sh --self-test ArenaFaults >"$log" 2>&1 &
arena=$!
scripts/match.sh --self-test Faults Resume Rules Counting
wait "$arena" || { cat "$log"; exit 1; }
tail -n 3 "$log"
end_fuzzing

step 'work on a cluster'
if scripts/cluster.sh --help >/dev/null; then
    TSUMERO_PROGRAM=$(realpath "$target/release/tsumero") \
        scripts/cluster.sh --self-test Pieces Results Local.test_mate_problems_are_answered_as_by_one_machine
else
    leave_out 'work on a cluster: Ray cannot be installed here'
fi

step 'the Python package'
if scripts/python.sh --prepare; then
    # A library is optimized as a whole more slowly than its tests run.
    env "${quick_link[@]}" scripts/python.sh
else
    leave_out 'the Python package: its tools or libraries cannot be installed here'
fi

step 'game files and analyses, read by other programs'
if command -v node >/dev/null && command -v npm >/dev/null; then
    scripts/records.sh "$target/release/tsumero"
    if command -v chromium >/dev/null; then
        scripts/analysis.sh "$target/release/tsumero"
    else
        leave_out 'the page of an analysis: there is no Chromium here'
    fi
else
    leave_out 'game files and analyses: Node and npm are missing here'
fi

step 'a few games of everything mixed up'
scripts/soak.sh --engine "$target/release/tsumero" --games 5 --margin 5000

# Machines for continuous integration stop now and then for longer than the 50 ms that a match usually allows: both engines
# then lose on time. How exactly the clock is kept is measured by the tests.
step 'a short match'
scripts/match.sh --engine "$target/release/tsumero" --opponent fairy-stockfish --games 2 --byoyomi 200 --margin 300 --ponder \
    --out "$(mktemp -d)"

summary
