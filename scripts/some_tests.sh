#!/usr/bin/env bash
# Runs `cargo test`, and fails if no test ran, or none for one of the filters behind `--`: a filter that names a renamed module
# finds nothing, and cargo calls that a success. Usage:
#
#   scripts/some_tests.sh cargo test ARGUMENT... [-- [--skip WORD] FILTER...]
#   scripts/some_tests.sh --self-test
set -euo pipefail

# shellcheck disable=SC2329 # Functions are called by name.
if [ "${1:-}" = --self-test ]; then
    # What cargo prints of two tests, and of none.
    two() { printf 'test %s ... ok\n' table::a_slot table::tests::another; }
    none() { printf 'running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 9 filtered out\n'; }
    broken() { two; return 3; }
    export -f two none broken
    expect() {
        local wanted=$1 status=0
        shift
        "$0" "$@" >/dev/null 2>&1 || status=$?
        [ "$status" = "$wanted" ] || { printf 'some_tests.sh: %s ends with %s, not with %s\n' "$*" "$status" "$wanted" >&2; exit 1; }
    }
    expect 0 bash -c two
    expect 0 bash -c two name -- table:: another
    expect 0 bash -c two name -- --skip nothing --exact table::a_slot
    expect 1 bash -c none
    expect 1 bash -c none name -- table::
    expect 1 bash -c two name -- table:: renamed::
    expect 3 bash -c broken name -- table::
    exit
fi

filters=() behind='' word=''
for word in "$@"; do
    case $behind in
        '') if [ "$word" = -- ]; then behind=yes; fi ;;
        skip) behind=yes ;;
        yes)
            case $word in
                --skip) behind=skip ;;
                -*) ;;
                *) filters+=("$word") ;;
            esac ;;
    esac
done

log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$@" | tee "$log"
# The names of the tests that ran: `test a::b ... ok`, `test a::b - should panic ... ok`.
names=$(sed -nE 's/^test ([^ ]*) .*\.\.\. (ok|FAILED).*/\1/p' "$log")
for filter in '' ${filters[@]+"${filters[@]}"}; do
    if [ -z "$names" ] || ! grep -qF -e "$filter" <<<"$names"; then
        printf 'some_tests.sh: no test ran%s: %s\n' "${filter:+ of the filter \"$filter\"}" "$*" >&2
        exit 1
    fi
done
