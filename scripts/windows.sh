#!/usr/bin/env bash
# Builds the program for Windows, starts it under Wine, and runs the tests of tests/ against it: everything that a GUI can send,
# and the subcommands. Then the unit tests of what differs on Windows, and file names in Japanese.
# Usage: scripts/windows.sh [--short] [--program EXE] [--games N]
#   --short        builds, and runs the short tests of the protocol only; what this machine lacks for it is named, and is no error
#   --program EXE  tests this program instead of building one
#   --games N      then plays N games against fairy-stockfish
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/caller.sh"
cd "$here/.."
source scripts/windows/tools.sh

short=''
exe=''
games=0
while [ $# -gt 0 ]; do
    case $1 in
        --short) short=yes ;;
        --program) exe=$(from_caller "${2:?"$1 needs a file"}") || exit; shift ;;
        --games) games=${2:?"$1 needs a number"}; shift ;;
        *) sed -n '2,8s/^# \{0,1\}//p' scripts/windows.sh >&2; exit 2 ;;
    esac
    shift
done

not_run() {
    echo "NOT RUN: the tests of the program for Windows: $*" >&2
    [ -n "$short" ] && exit 0 || exit 2
}

folder=${CARGO_TARGET_DIR:-target}/windows
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
[ "$(uname -sm)" = 'Linux x86_64' ] || not_run 'they need Linux on x86-64'
prepare_windows_target || not_run 'it cannot be built'
if [ -z "$exe" ]; then
    # The level that every machine with Wine can run.
    RUSTFLAGS='-C target-cpu=x86-64-v2' CARGO_TARGET_DIR=$folder cargo build --release --quiet "${windows_cargo[@]}" --bin tsumero
    exe=$folder/$windows_target/release/tsumero.exe
fi
prepare_wine "$folder/wine" "$exe" || not_run 'there is no Wine that works'
# One server for all that follows, which would otherwise end and start between the tests. It does not start beside the one that
# still waits a few seconds for the next program.
/usr/lib/wine/wineserver64 -w
/usr/lib/wine/wineserver64 -p </dev/null >/dev/null 2>&1
trap '/usr/lib/wine/wineserver64 -k >/dev/null 2>&1 || true' EXIT
"$windows_program" --version || { echo "$exe does not start under Wine" >&2; exit 1; }

# What a test asks of Unix alone: signals, processes under /proc, links, devices, named pipes, names that are any bytes, limits, and
# to be told at once that nobody reads the output any more; a copy of the program itself, which is a script here; and a terminal, in
# which a program for Windows waits for another byte as the end of a line.
unix_only=(
    analyze::positions::nothing_is_searched_for_an_output_that_is_closed
    composers_check::an_interrupt_keeps_what_was_made
    ending::sigterm_ends_every_state
    ending::an_idle_engine_uses_no_processor
    ending::forty_games_leave_no_threads_and_no_memory_behind
    ending::threads_that_come_and_go_leave_no_memory_behind
    files::unix::
    load::a_used_table_is_emptied_and_replaced_at_once
    load::replies_that_nobody_reads_take_no_memory
    load::a_pipe_is_refused_as_a_log
    options::a_log_file_may_have_any_name
    relative_names::
    shell::a_bare_start_in_a_terminal_says_one_line
    subcommands::a_closed_output_ends_work_that_has_nothing_to_print_yet
    subcommands::a_line_without_an_end_is_one_error
    subcommands::a_search_ends_when_nobody_reads_its_answer
    subcommands::threads_that_cannot_be_had_are_one_line_and_code_2
    terminal::bars_of_an_analysis_erase_nothing_that_was_printed
    terminal::names_of_files_do_not_act_on_a_terminal
)
tests=()
[ -z "$short" ] || tests=(clients:: handshake:: transcripts:: ending:: stopping::)
# The tests are built as `cargo test --release` builds them, and run where that runs them.
built=$(cargo test --release --package tsumero --test tsumero --no-run --message-format json |
    sed -n 's/.*"kind":\["test"\].*"name":"tsumero".*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
log=$folder/tests.log
run_tests() {
    (cd crates/cli && TSUMERO_PROGRAM=$windows_program "$built" "$@" "${unix_only[@]/#/--skip=}" 2>&1) | tee "$log" | grep -v ' ok$'
}
if ! run_tests ${tests[@]+"${tests[@]}"}; then
    # Tests that did not come to their end have said nothing of those that did not run.
    grep -q '^test result:' "$log" || exit 1
    # Wine kills a program that is slow to end, as programs are on a busy machine. Whatever is wrong fails alone, too.
    mapfile -t failed < <(sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' "$log")
    [ ${#failed[@]} -gt 0 ] || exit 1
    echo "once more, one after another: ${failed[*]}"
    run_tests --test-threads=1 --exact "${failed[@]}"
fi

# A GUI in Japan writes file names in UTF-8 or in code page 932. 表 has a backslash among its bytes there.
# Wine takes the code page from the locale, which has to exist.
package locales /usr/share/i18n/locales/ja_JP || not_run 'file names in Japanese, without a locale'
mkdir -p "$folder/locale"
localedef -i ja_JP -f UTF-8 "$folder/locale/ja_JP.UTF-8"
for encoding in UTF-8 CP932; do
    name=$(mktemp -d "$folder/names.XXXXXX")/対局表.txt
    { printf 'setoption name DebugLogFile value Z:%s\n' "${name//\//\\}"; echo usi; echo quit; } | iconv -f UTF-8 -t "$encoding" |
        LOCPATH=$folder/locale LC_ALL=ja_JP.UTF-8 "$windows_program" >/dev/null
    grep -q ' < usiok' "$name" || { echo "a file name in $encoding is not understood: $name" >&2; exit 1; }
    echo "a Japanese file name in $encoding: ok"
    rm -r "$(dirname "$name")"
done
[ -z "$short" ] || exit 0

# The unit tests of what differs on Windows.
runner=$folder/wine/run
printf '#!/bin/sh\nexport WINEPATH=%q\nexec /usr/lib/wine/wine64 "$@"\n' "Z:${folder//\//\\}\\wine" >"$runner"
chmod +x "$runner"
CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=$runner CARGO_TARGET_DIR=$folder RUSTFLAGS='-C target-cpu=x86-64-v2' \
    cargo test --quiet "${windows_cargo[@]}" --package tsumero-files --package tsumero-memory --package tsumero-platform \
        --package tsumero-usi --package tsumero --lib --bins

if [ "$games" -gt 0 ]; then
    # The margin allows for Wine on a busy machine.
    scripts/match.sh --engine "$windows_program" --opponent fairy-stockfish --games "$games" --byoyomi 500 --margin 500
fi
