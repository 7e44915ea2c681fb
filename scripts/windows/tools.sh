# shellcheck shell=bash
# Sourced by release.sh and windows.sh, which run in the root of the repository: what it takes to build for Windows on Linux
# and to run what was built. Everything is installed if it is missing and may be installed.

windows_target=x86_64-pc-windows-gnu

source scripts/as_root.sh

# Installs a Debian package unless a file of it is there: package NAME FILE. Gives up after two minutes.
package() {
    local install=(apt-get install -y -qq --no-install-recommends "$1")
    [ -e "$2" ] && return 0
    as_root env DEBIAN_FRONTEND=noninteractive timeout 120 "${install[@]}" >/dev/null 2>&1 ||
        { as_root timeout 60 apt-get update -qq >/dev/null 2>&1 &&
            as_root env DEBIAN_FRONTEND=noninteractive timeout 120 "${install[@]}" >/dev/null 2>&1; } || true
    [ -e "$2" ] || { echo "$2 is missing and cannot be installed (Debian: $1)" >&2; return 1; }
}

# Sets `windows_cargo` to the arguments with which cargo builds for Windows: with the target's standard library if the
# toolchain has it or can get it, otherwise with one that is built from the toolchain's sources.
prepare_windows_target() {
    local library=lib/rustlib/$windows_target/lib source=lib/rustlib/src/rust/library/std root
    package gcc-mingw-w64-x86-64 /usr/bin/x86_64-w64-mingw32-gcc || return 1
    root=$(rustc --print sysroot)
    windows_cargo=(--target "$windows_target")
    [ -d "$root/$library" ] && return 0
    command -v rustup >/dev/null && timeout 120 rustup target add "$windows_target" >/dev/null 2>&1
    [ -d "$root/$library" ] && return 0
    if [ -d "$root/$source" ]; then
        # The stable compiler builds its own library only if it is told that this is meant.
        export RUSTC_BOOTSTRAP=1
        windows_cargo+=('-Zbuild-std=std,panic_abort')
        return 0
    fi
    echo "the standard library for $windows_target is missing and cannot be had: rustup target add was refused, and" \
        "$root/$source is not there (rustup component add rust-src)" >&2
    return 1
}

# Fills Wine's folder of the system (WINEPREFIX). Wine does that at its first start, partly in the background, and a program that
# is started meanwhile may end without a word. So nothing is started before all of it has ended and the registry is written.
prepare_prefix() {
    [ -e "$WINEPREFIX/complete" ] && return 0
    rm -rf "$WINEPREFIX"
    timeout 300 /usr/lib/wine/wine64 wineboot --init >/dev/null 2>&1 && timeout 120 /usr/lib/wine/wineserver64 -w || return 1
    touch "$WINEPREFIX/complete"
}

# Prepares Wine and writes a script that starts the program in it: prepare_wine FOLDER PROGRAM. Sets `windows_program` to
# the script. The program is copied beside the stand-in for a library that Wine lacks. Fails if there is no Wine; whether the program
# starts is for the caller to see.
prepare_wine() {
    local folder=$1
    package wine64 /usr/lib/wine/wine64 || return 1
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
    cp "$2" "$folder/tsumero.exe" || exit 1
    x86_64-w64-mingw32-gcc -O2 -shared -o "$folder/bcryptprimitives.dll" scripts/windows/bcryptprimitives.c -ladvapi32 || exit 1
    windows_program=$folder/tsumero
    # Without Mono and Gecko, which Wine would look for in the network, and without menus.
    export WINEPREFIX=$folder/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe='
    prepare_prefix || { echo 'Wine cannot make its folder' >&2; return 1; }
    cat >"$windows_program" <<END
#!/bin/sh
export WINEPREFIX='$WINEPREFIX' WINEDEBUG=$WINEDEBUG WINEDLLOVERRIDES='$WINEDLLOVERRIDES'
exec /usr/lib/wine/wine64 '$folder/tsumero.exe' "\$@"
END
    chmod +x "$windows_program"
}
