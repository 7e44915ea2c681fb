#!/usr/bin/env bash
# Builds the program for Windows, starts it under Wine, and runs the tests of tests/ against it: everything that a GUI can send,
# and the subcommands. Then the unit tests of what differs on Windows, and file names in Japanese.
# Usage: scripts/windows.sh [--short] [--program EXE] [--games N]
#   --short        builds, and runs the short tests of the protocol only; what this machine lacks for it is named, and is no error
#   --program EXE  tests this program instead of building one
#   --games N      then plays N games against fairy-stockfish
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/windows/tools.sh

short= exe= games=0
while [ $# -gt 0 ]; do
    case $1 in
        --short) short=yes ;;
        --program) exe=${2:?} && shift ;;
        --games) games=${2:?} && shift ;;
        *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
    shift
done

not_run() {
    echo "NOT RUN: the tests of the program for Windows: $*" >&2
    [ -n "$short" ] && exit 0 || exit 2
}

folder=${CARGO_TARGET_DIR:-target}/windows
[ "$(uname -sm)" = 'Linux x86_64' ] || not_run 'they need Linux on x86-64'
prepare_windows_target || not_run 'it cannot be built'
if [ -z "$exe" ]; then
    # The level that every machine with Wine can run.
    RUSTFLAGS='-C target-cpu=x86-64-v2' CARGO_TARGET_DIR=$folder cargo build --release --quiet "${windows_cargo[@]}" --bin tsumero
    exe=$folder/$windows_target/release/tsumero.exe
fi
prepare_wine "$folder/wine" "$exe" || not_run 'there is no Wine'
# One server for all that follows, which would otherwise end and start between the tests.
/usr/lib/wine/wineserver64 -p >/dev/null 2>&1 || true
trap '/usr/lib/wine/wineserver64 -k >/dev/null 2>&1 || true' EXIT
"$windows_program" --version

# What a test asks of Unix alone: signals, processes under /proc, named pipes, and file names that are any bytes.
unix_only=(
    ending::sigterm_ends_every_state
    ending::an_idle_engine_uses_no_processor
    ending::forty_games_leave_no_threads_and_no_memory_behind
    load::a_used_table_is_emptied_and_replaced_at_once
    load::a_log_that_nobody_reads_blocks_nothing
    options::a_log_file_may_have_any_name
)
tests=()
[ -z "$short" ] || tests=(clients:: handshake:: transcripts:: ending:: stopping::)
TSUMERO_PROGRAM=$windows_program cargo test --release --quiet --package tsumero-usi --test tsumero -- "${tests[@]}" \
    "${unix_only[@]/#/--skip=}"
[ -z "$short" ] || exit 0
