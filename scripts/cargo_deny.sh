#!/usr/bin/env bash
# Prints the path of cargo-deny, built first if need be (once; a debug build without information for debuggers).
# Ends with 2 if it cannot be had here.
set -euo pipefail

version=0.20.2
if command -v cargo-deny >/dev/null; then
    command -v cargo-deny
    exit
fi
folder=${XDG_CACHE_HOME:-$HOME/.cache}/tsumero-check/cargo-deny-$version
if [ ! -x "$folder/bin/cargo-deny" ]; then
    # Its own folder for the build, which nobody needs afterwards.
    build=$(mktemp -d)
    trap 'rm -rf "$build"' EXIT
    CARGO_TARGET_DIR=$build RUSTFLAGS='' CARGO_PROFILE_DEV_DEBUG=0 cargo install --quiet --locked --debug --root "$folder" "cargo-deny@$version" >&2 ||
        exit 2
fi
printf '%s\n' "$folder/bin/cargo-deny"
