#!/usr/bin/env bash
# Everything that has to hold before a change lands. Usage: scripts/check.sh [PART...]
# Without a part, all of them run:
#   tests     README's test command, the tests of workshop and browser module, and a small network from games to a match
#   lints     format, scripts and text, clippy, documentation, licenses
#   builds    the plain baseline build, the signature of the search, browsers, the crates as a stranger uses them
#   fuzz      every fuzz target, for a moment
#   tools     the tests of the tools, the Python package, game files read by other programs, a few games of everything, a short match
# A tool that cannot be had here is named in the summary at the end, and its step left out. Only the Python packages of the tools and the
# opponent of the short match must be had. With CHECK_ALL set, a step that is left out is a failure, unless it needs Chromium or the
# database of advisories.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-target}
begun=$SECONDS
work=$(mktemp -d)
# At the end, nothing of it is left; after a failure nothing goes on in the background.
trap 'end_jobs; rm -rf "$work"' EXIT
end_jobs() {
    local all signal _
    mapfile -t all < <(for job in $(jobs -p); do stop_family "$job"; done)
    [ ${#all[@]} -gt 0 ] || return 0
    for signal in TERM CONT; do kill -s "$signal" "${all[@]}" 2>/dev/null || :; done
    for _ in {1..50}; do
        kill -0 "${all[@]}" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -s KILL "${all[@]}" 2>/dev/null || :
}
# Stops a process with all that it has started, and prints their numbers. One that is stopped first neither starts another nor ends, and
# then nobody would know whose child the other was.
stop_family() {
    local child
    kill -s STOP "$1" 2>/dev/null || return 0
    printf '%s\n' "$1"
    for child in $(pgrep -P "$1" 2>/dev/null); do stop_family "$child"; done
}
# One line for each step that was left out, also by what runs in the background.
missing=$work/missing
touch "$missing"
all_parts=(tests lints builds fuzz tools)
parts=("${@:-${all_parts[@]}}")
for name in "${parts[@]}"; do
    [[ " ${all_parts[*]} " == *" $name "* ]] || { sed -n '2,11s/^# //p' scripts/check.sh >&2; exit 2; }
done
# Whether a part is to be run.
wanted() { [[ " ${parts[*]} " == *" $1 "* ]]; }

title() { printf '\n== %s (after %s s)\n' "$*" $((SECONDS - begun)); }
step() {
    title "$*"
    # What has failed in the background ends everything at once.
    local name
    for name in ${jobs[@]+"${!jobs[@]}"}; do finish_if_ended "$name"; done
}
leave_out() { printf 'LEFT OUT: %s\n' "$*"; printf '%s\n' "$*" >>"$missing"; }
# The same after a command that has ended with 2, because it cannot get what it needs here: leave_out_after STATUS WHAT. Any other
# status is a failure.
leave_out_after() {
    [ "$1" = 2 ] || exit 1
    leave_out "${@:2}"
}
# Runs a command in the background, to be waited for by `finish NAME`.
declare -A jobs logs
start() {
    logs[$1]=$work/$1
    "${@:2}" >"${logs[$1]}" 2>&1 &
    jobs[$1]=$!
}
# The same with the processor time that everything else leaves.
start_behind() { start "$1" behind "${@:2}"; }
behind() {
    # Git's Bash on Windows has none.
    if command -v renice >/dev/null; then renice -n 19 $BASHPID >/dev/null; fi
    "$@"
}
# Runs checks one after the other, except what has been begun elsewhere.
one_by_one() {
    local check
    for check in "$@"; do
        mkdir "$work/$check" 2>/dev/null || continue
        title "$check"
        "$check"
    done
}
# Waits for what runs in the background, and shows its output if it has failed.
finish() {
    [ -n "${jobs[$1]:-}" ] || return 0
    wait "${jobs[$1]}" || { title "$1"; cat "${logs[$1]}"; exit 1; }
    unset "jobs[$1]"
    title "$1: passed"
}
# The same, but only if it has ended.
finish_if_ended() { kill -0 "${jobs[$1]}" 2>/dev/null || finish "$1"; }
# Python on Windows reads files in the system's own encoding otherwise.
export PYTHONUTF8=1

# What takes most of the time on a small machine, and changes no result: optimizing each program of the tests as a whole (LTO),
# optimizing what is not hot (Cargo.toml says what is), and compiling each library twice, because a program aborts on a panic, which
# a test cannot.
quick_build=(CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=0
    CARGO_PROFILE_RELEASE_PANIC=unwind)
for_tests=(env "${quick_build[@]}" CARGO_TARGET_DIR="$target/tests")

# The baseline has none of the vector instructions of the local build: other code is compiled, and must count the same.
for_baseline=(env "${quick_build[@]}" RUSTFLAGS='-C target-cpu=x86-64' CARGO_TARGET_DIR="$target/baseline")
[ "$(uname -m)" = x86_64 ] || for_baseline=(env "${quick_build[@]}" RUSTFLAGS= CARGO_TARGET_DIR="$target/baseline")
check_baseline() {
    "${for_baseline[@]}" cargo clippy --release --package tsumero-core -- -D warnings
    # Of the tests of the rules those that meet the vector code.
    "${for_baseline[@]}" scripts/some_tests.sh cargo test --release --package tsumero-core --lib --test rules -- \
        tests:: diagrams::moves generator:: mate_in_one:: perft::
    # Its nodes are compared when the tests are built: check_signature.
    "${for_baseline[@]}" cargo build --release --package tsumero-search --example bench
}

check_scripts() {
    python3 scripts/structure.py
    local tools folder
    tools=$(scripts/tools.sh) || { leave_out_after $? 'ruff, mypy, shellcheck and typos: they cannot be installed here'; return; }
    "$tools/ruff" check --quiet
    # Each folder is a program of its own; those of the matches are used by others, too.
    for folder in scripts/*/; do
        compgen -G "$folder*.py" >/dev/null || continue
        MYPYPATH=scripts/match "$tools/mypy" --no-error-summary --cache-dir "$target/mypy" "$folder"
    done
    "$tools/mypy" --no-error-summary --cache-dir "$target/mypy" scripts/*.py
    "$tools/shellcheck" scripts/*.sh scripts/*/*.sh scripts/hooks/* .ci/run
    "$tools/typos"
}

check_dependencies() {
    local deny
    deny=$(scripts/cargo_deny.sh) || { leave_out_after $? 'cargo-deny: it cannot be installed here'; return; }
    "$deny" --log-level error check bans licenses sources
    # The advisories lie in a repository of their own, which not every machine can reach.
    if "$deny" --log-level error fetch db 2>/dev/null; then
        "$deny" --log-level error check --disable-fetch advisories
    else
        leave_out 'advisories: their database cannot be fetched here'
    fi
}

check_format() {
    cargo fmt --all --check
    local folder
    for folder in benches fuzz models python scripts/web/bindgen; do
        cargo fmt --check --manifest-path "$folder/Cargo.toml"
    done
}

# With the settings of the tests, so that macros are compiled once for both.
check_clippy() {
    "${for_tests[@]}" cargo clippy --release --workspace --all-targets -- -D warnings
    # The workshop switches a feature of the search on, so the search of the engine is another one.
    "${for_tests[@]}" cargo clippy --release --package tsumero-search --all-targets -- -D warnings
    # Workspaces of their own, which share what is compiled for this one.
    "${for_tests[@]}" cargo clippy --release --manifest-path benches/Cargo.toml -- -D warnings
    local features
    for features in '' shuttle; do
        "${for_tests[@]}" cargo clippy --release --manifest-path models/Cargo.toml --features "$features" -- -D warnings
    done
}

check_documentation() {
    "${for_tests[@]}" RUSTDOCFLAGS='-D warnings' cargo doc --release --workspace --no-deps --document-private-items
}

# The examples need no speed.
check_examples() {
    CARGO_PROFILE_RELEASE_OPT_LEVEL=0 scripts/library_check.sh
}

check_fuzz_targets() {
    case $(uname -s) in
        # Code that is hardly optimized is compiled faster.
        Linux | Darwin) CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=1 scripts/fuzz.sh --seconds 3 ;;
        *) leave_out 'fuzzing: libFuzzer is set up for Linux and macOS only' ;;
    esac
}

# The rules serve programs with older compilers, too. The other crates need the Rust of the workspace.
check_oldest_rust() {
    local oldest
    oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' crates/core/Cargo.toml)
    if rustup toolchain install "$oldest" --profile minimal >/dev/null 2>&1; then
        CARGO_TARGET_DIR="$target/oldest" cargo "+$oldest" check --locked --package tsumero-core
    else
        leave_out "the rules with Rust $oldest: it cannot be installed here"
    fi
}

check_browsers() {
    local reason
    reason=$(scripts/wasm_check.sh 2>&1 >/dev/null) || {
        [ $? = 3 ] || { printf '%s\n' "$reason"; exit 1; }
        leave_out "${reason##*LEFT OUT: }"
    }
}

# One thread searches the same tree on every machine. The last commit that says "Bench: N" states its size. Programs that are
# optimized as a whole are checked by scripts/release.sh.
signature() { "$@" 2>/dev/null | sed -n 's/^nodes: //p'; }
check_signature() {
    local stated here baseline
    stated=$(git log -1 --grep='^Bench: [0-9][0-9]*$' --format=%B | sed -n 's/^Bench: \([0-9][0-9]*\)$/\1/p')
    stated=${stated%%$'\n'*}
    here=$(signature "$target/tests/release/tsumero" bench)
    baseline=$(signature "$target/baseline/release/examples/bench")
    printf 'stated %s, this build %s, baseline %s\n' "$stated" "$here" "$baseline"
    if [ "$stated" != "$here" ] || [ "$stated" != "$baseline" ]; then
        echo 'The search has changed: state its node count in the commit message as "Bench: N".' >&2
        exit 1
    fi
}

# Little of it is what the tests compile: the macros of Python ask for more of their libraries.
for_wheel=(env "${quick_build[@]}" CARGO_TARGET_DIR="$(realpath -m "$target/python")")
# Only compiles it: what cannot be had is told where it is tested.
build_wheel() {
    local status=0
    scripts/python.sh --prepare || status=$?
    case $status in 0) "${for_wheel[@]}" scripts/python.sh --wheel ;; 2) ;; *) exit 1 ;; esac
    touch "$work/wheel"
}

check_tools() {
    local engine=$target/tests/release/tsumero
    step 'tests of the tools'
    scripts/some_tests.sh --self-test
    python3 -B scripts/tests/test_yardstick.py
    # What follows plays with engines and rule libraries of Debian and PyPI.
    if [ "$(uname -s)" != Linux ]; then
        leave_out 'the tests of the tools, readers of game files and the short match: these are set up for Linux only'
        return
    fi
    python3 -B scripts/tests/test_scripts.py
    scripts/mate.sh --self-test
    scripts/web.sh --self-test
    scripts/book.sh "$engine"
    # Many tests of the match tool wait, so its two halves run side by side. Those that interrupt it have to run in front: a
    # job in the background does not hear interrupts.
    start 'faults of an arena, and of users' scripts/match.sh --self-test ArenaFaults Setup
    local others
    mapfile -t others < <(sed -n 's/^class \([A-Za-z]*\)(.*/\1/p' scripts/match/tests/test_match.py | grep -vx -e ArenaFaults -e Setup)
    scripts/match.sh --self-test "${others[@]}"
    finish 'faults of an arena, and of users'
    tail -n 3 "${logs[faults of an arena, and of users]}"

    step 'work on a cluster'
    if scripts/cluster.sh --help >/dev/null; then
        TSUMERO_PROGRAM=$(realpath "$engine") \
            scripts/cluster.sh --self-test Pieces Results Local.test_mate_problems_are_answered_as_by_one_machine
    else
        leave_out_after $? 'work on a cluster: Ray cannot be installed here'
    fi

    step 'the Python package'
    if scripts/python.sh --prepare; then
        until [ -e "$work/wheel" ]; do
            finish_if_ended 'other code'
            sleep 1
        done
        "${for_wheel[@]}" scripts/python.sh
    else
        leave_out_after $? 'the Python package: its tools or libraries cannot be had here'
    fi

    step 'game files and analyses, read by other programs'
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        leave_out 'game files and analyses: Node and npm are missing here'
    else
        scripts/records.sh "$engine"
        if command -v chromium >/dev/null; then
            scripts/analysis.sh "$engine"
        else
            leave_out 'the page of an analysis: there is no Chromium here'
        fi
    fi

    step 'a few games of everything mixed up'
    scripts/soak.sh --engine "$engine" --games 5 --margin 5000

    # Machines for continuous integration stop now and then for longer than the 50 ms that a match usually allows: both engines
    # then lose on time. How exactly the clock is kept is measured by the tests.
    step 'a short match'
    scripts/match.sh --engine "$engine" --opponent fairy-stockfish --games 2 --byoyomi 100 --margin 400 --ponder \
        --out "$work/match"
}

if wanted lints; then
    step 'format'
    check_format
    step 'scripts and text'
    check_scripts
fi
# The tests often wait, and much of the compiler uses one processor only, so other code is compiled behind all that follows: one
# thing after the other, because a crowd of compilers is slower. What is left at the end is shared.
others=()
if wanted tools && [ "$(uname -s)" = Linux ]; then others+=(build_wheel); fi
if wanted fuzz; then others+=(check_fuzz_targets); fi
if wanted builds; then others+=(check_browsers check_baseline); fi
if wanted lints; then others+=(check_dependencies); fi
if wanted builds; then others+=(check_examples check_oldest_rust); fi
start_behind 'other code' one_by_one ${others[@]+"${others[@]}"}
if wanted lints; then
    step 'clippy'
    check_clippy
    step 'documentation'
    check_documentation
fi
if wanted tests; then
    step 'building the tests'
    "${for_tests[@]}" cargo test --release --no-run
    step 'tests'
    "${for_tests[@]}" cargo test --release
    step 'tests of the workshop and of the module for browsers'
    "${for_tests[@]}" cargo test --release --package tsumero-train
    # Beside the program, which has no library, the module for browsers shares its build.
    "${for_tests[@]}" scripts/some_tests.sh cargo test --release --package tsumero --package tsumero-wasm --lib
    step 'from games to a network that plays'
    "${for_tests[@]}" scripts/train.sh "$work/network" --tiny
fi
if wanted tools || wanted builds; then
    step 'the engine as the tests use it'
    "${for_tests[@]}" cargo build --release
fi
if wanted tools; then
    check_tools
fi
one_by_one ${others[@]+"${others[@]}"}
finish 'other code'
grep -E ': Done|test result' "${logs[other code]}" || :
if wanted builds; then
    step 'signature of the search'
    check_signature
fi

if [ -n "${CHECK_ALL:-}" ] && grep -vE ' no Chromium |^advisories: ' "$missing"; then
    echo 'These steps were left out, and CHECK_ALL is set.' >&2
    exit 1
fi
step 'all checks passed'
sed 's/^/left out: /' "$missing"
