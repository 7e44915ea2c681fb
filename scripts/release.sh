#!/usr/bin/env bash
# Builds the archives of a release: the program for this kind of machine, one archive per level of instructions, and on Linux
# the same for Windows. Levels: x86-64-v2 (since about 2009), v3 (AVX2), v4 (AVX-512); arm64. Each archive holds the program, the
# documents and all licenses; SHA256SUMS has the checksums. Each program is checked by the signature of the search, which is the
# same for all, and by a pretended old processor, on which it has to refuse. What could not be built or tried is named.
# Usage: scripts/release.sh [--out FOLDER] [LEVEL...]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/caller.sh"
cd "$here/.."
source scripts/windows/tools.sh

out=target/releases
if [ "${1:-}" = --out ]; then
    out=$(from_caller "${2:?"$1 needs a folder"}") || exit
    shift 2
fi
case $(uname -sm) in
    'Linux x86_64') system=linux levels=(x86-64-v2 x86-64-v3 x86-64-v4) ;;
    'Darwin x86_64') system=macos levels=(x86-64-v2 x86-64-v3) ;;
    'Linux aarch64') system=linux levels=(arm64) ;;
    'Darwin arm64') system=macos levels=(arm64) ;;
    *) echo "no release is defined for $(uname -sm)" >&2; exit 2 ;;
esac
for level; do
    case " ${levels[*]} " in
        *" $level "*) ;;
        *) echo "$level is no level of this system; there are: ${levels[*]}" >&2; exit 2 ;;
    esac
done
[ $# = 0 ] || levels=("$@")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
builds=$PWD/target
case ${CARGO_TARGET_DIR:-} in '') ;; /*) builds=$CARGO_TARGET_DIR ;; *) builds=$PWD/$CARGO_TARGET_DIR ;; esac
mkdir -p "$out"
out=$(cd "$out" && pwd)
expected=
runnable=
failures=()

# A build does not look for the commit again if only that has changed.
if [ -z "$(git status --porcelain)" ]; then
    TSUMERO_COMMIT=$(git rev-parse --short=12 HEAD)
    export TSUMERO_COMMIT
else
    echo 'not everything is committed; if this is source of the programs, they will say so'
fi

# What the compiler calls a level.
processor() {
    case $1 in
        arm64) if [ "$system" = macos ]; then echo apple-m1; else echo generic; fi ;;
        *) echo "$1" ;;
    esac
}

# Compares the signature of the search with that of the programs before: signature NAME COMMAND...
signature() {
    local name=$1 nodes rc=0
    shift
    "$@" --version >/dev/null 2>&1 || rc=$?
    if [ "$rc" = 2 ]; then
        echo "$name: not run, because this machine lacks the level"
        return 0
    fi
    # A program that fails is named at the end, and the others are built.
    nodes=$({ "$@" bench 2>/dev/null || true; } | sed -n 's/^nodes: //p')
    if [ -z "$nodes" ] || [ "${expected:=$nodes}" != "$nodes" ]; then
        failures+=("$name searches ${nodes:-no} nodes${expected:+, not $expected}")
    else
        echo "$name: $nodes nodes"
    fi
}

# Tries a program on a processor of 2008, which has the level x86-64-v2: old_processor NAME LEVEL COMMAND...
old_processor() {
    local name=$1 level=$2 rc=0 said
    shift 2
    case $level in x86-64-*) ;; *) return 0 ;; esac
    if ! command -v qemu-x86_64 >/dev/null; then
        echo "$name: not tried on an old processor, because qemu-x86_64 is missing (Debian: qemu-user)"
        return 0
    fi
    # The emulator warns of parts of the processor that it does not have. Wine would start itself again outside the emulator.
    said=$(WINELOADERNOEXEC=1 qemu-x86_64 -cpu Nehalem "$@" --version 2>&1 | grep -v '^qemu-x86_64: warning') || true
    WINELOADERNOEXEC=1 qemu-x86_64 -cpu Nehalem "$@" --version >/dev/null 2>&1 || rc=$?
    if [ "$level" = x86-64-v2 ]; then
        [ "$rc" = 0 ] || failures+=("$name ends with $rc on an old processor: $said")
    elif [ "$rc" != 2 ] || [ "$(wc -l <<<"$said")" != 1 ] || [[ $said != "error: this program is made for processors with "* ]]; then
        failures+=("$name ends with $rc on an old processor, and says: $said")
    else
        echo "$name: refuses an old processor"
    fi
}

# Builds the program of a level for this system: build LEVEL FLAGS. First builds one that counts what it does in usual work, so
# that the compiler can favor what is done most (profile-guided optimization). Where the machine lacks the level, or the
# toolchain its `llvm-tools`, there is no profile.
build() {
    local level=$1 flags=$2 profile=$builds/level-$1/profile used='' profdata
    profdata=$(rustc --print sysroot)/lib/rustlib/$native/bin/llvm-profdata
    # macOS has no `timeout` of its own.
    local limit=()
    if command -v timeout >/dev/null; then limit=(timeout 120); fi
    [ -x "$profdata" ] || ${limit[@]+"${limit[@]}"} rustup component add llvm-tools >/dev/null 2>&1 || true
    if [ -x "$profdata" ]; then
        rm -rf "$profile"
        mkdir -p "$profile"
        RUSTFLAGS="$flags -C profile-generate=$profile" CARGO_TARGET_DIR=$builds/level-$level/counting \
            cargo build --release --locked --quiet --bin tsumero
        # What the compiler's own helpers have counted does not belong to it.
        rm -f "$profile"/*
        if usual_work "$builds/level-$level/counting/release/tsumero" >/dev/null 2>&1; then
            "$profdata" merge -o "$profile/merged.profdata" "$profile"/*.profraw
            used="-C profile-use=$profile/merged.profdata"
        fi
    fi
    [ -n "$used" ] || echo "$level: built without a profile"
    RUSTFLAGS="$flags $used" CARGO_TARGET_DIR=$builds/level-$level cargo build --release --locked --quiet --bin tsumero
}

# Does a little of everything that takes long: usual_work PROGRAM.
usual_work() {
    "$1" bench && "$1" bench --eval-file none && "$1" perft 4 &&
        "$1" mate --file tests/data/tsume/mate7.csv --nodes 20000 &&
        "$1" mate --file tests/data/tsume/classics.csv --nodes 30000 &&
        "$1" quantum play --games 2 --movetime 20
}

# Packs a program with what belongs to it: pack NAME PROGRAM TARGET. Archives of programs that run here, other than those for
# Windows, have completions for shells and manual pages, too.
pack() {
    local name=$1 folder=$out/$1
    rm -rf "$folder"
    mkdir -p "$folder"
    cp "$2" README*.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE-* "$folder/"
    cp -R docs "$folder/docs"
    python3 scripts/licenses.py --target "$3" >"$folder/LICENSES-OF-LIBRARIES.txt"
    case $2 in
        *.exe) (cd "$out" && rm -f "$name.zip" && python3 -m zipfile -c "$name.zip" "$name") ;;
        *)
            mkdir "$folder/completions"
            for shell in bash zsh fish; do
                "$runnable" completions "$shell" >"$folder/completions/tsumero.$shell"
            done
            "$runnable" man --out "$folder/man/man1"
            tar -C "$out" -czf "$out/$name.tar.gz" "$name"
            ;;
    esac
    rm -rf "$folder"
}

native=$(rustc -vV | sed -n 's/^host: //p')
for level in "${levels[@]}"; do
    name=tsumero-$version-$system-$level
    build "$level" "-C target-cpu=$(processor "$level")"
    program=$builds/level-$level/release/tsumero
    signature "$name" "$program"
    # A machine may lack a higher level. The first one has the same texts.
    : "${runnable:=$program}"
    [ "$system" = macos ] || old_processor "$name" "$level" "$program"
    pack "$name" "$program" "$native"
done

if [ "$(uname -sm)" = 'Linux x86_64' ]; then
    if prepare_windows_target; then
        for level in "${levels[@]}"; do
            name=tsumero-$version-windows-$level
            RUSTFLAGS="-C target-cpu=$level" CARGO_TARGET_DIR=$builds/level-$level \
                cargo build --release --locked --quiet --bin tsumero "${windows_cargo[@]}"
            program=$builds/level-$level/$windows_target/release/tsumero.exe
            if prepare_wine "$builds/wine" "$program"; then
                signature "$name" "$windows_program"
                old_processor "$name" "$level" /usr/lib/wine/wine64 "$builds/wine/tsumero.exe"
            else
                echo "$name: not run, because there is no Wine that works"
            fi
            pack "$name" "$program" "$windows_target"
        done
    else
        failures+=('the programs for Windows are not built')
    fi
fi

(
    cd "$out"
    shopt -s nullglob
    archives=(*.tar.gz *.zip)
    if command -v sha256sum >/dev/null; then sha256sum -- "${archives[@]}"; else shasum -a 256 -- "${archives[@]}"; fi >SHA256SUMS
)
ls -l "$out"
for failure in ${failures[@]+"${failures[@]}"}; do
    echo "FAILED: $failure" >&2
done
[ ${#failures[@]} = 0 ]
