#!/usr/bin/env bash
# The engine as a web page. Usage: scripts/web.sh build DIR | serve [PORT] | test [--browser firefox] [SCREENSHOTS] | lighthouse | compare PROGRAM | --self-test
#   build  writes a static site to DIR, which any web server can hold; files of others in DIR stay
#   serve  builds it and serves it to this machine (port 8000)
#   test   checks the types of the modules, builds, and uses the page in Chromium, or Firefox, as a person does
#   lighthouse  builds it, and prints the scores of Lighthouse
#   compare  builds it, and prints how fast its engine is beside a native program
# Rust, with its target wasm32-unknown-unknown, and Python are needed for all; Node, npm and the browser for the last three. Tools are
# installed in the user's cache, their versions pinned. With TSUMERO_WEB_QUICK set, the module is compiled fast and runs slower.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/caller.sh"
cd "$here/.."
source "$here/npm.sh"

cache=${XDG_CACHE_HOME:-$HOME/.cache}/tsumero-web
wasm=wasm32-unknown-unknown
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/wasm
# Vectors of 16 bytes, which all browsers have had since 2023; and the memory for calls inside the module, twice that of a search.
flags="-C target-feature=+simd128 -C link-arg=-zstack-size=$((16 << 20))"

usage() { sed -n '2,7s/^# //p' scripts/web.sh >&2; exit 2; }

# The program that writes the JavaScript beside the module, compiled once.
bindgen() {
    [ -d "$(rustc --print sysroot)/lib/rustlib/$wasm/lib" ] || rustup target add "$wasm" >&2
    CARGO_TARGET_DIR=$cache/bindgen RUSTFLAGS='' cargo build --quiet --locked --manifest-path scripts/web/bindgen/Cargo.toml
    printf '%s\n' "$cache/bindgen/debug/bindgen"
}

# Builds the site in a folder of its own among the build outputs.
build() {
    local out=$target/$1 tool module
    tool=$(bindgen)
    local settings=()
    [ -z "${TSUMERO_WEB_QUICK:-}" ] || settings=(CARGO_PROFILE_RELEASE_LTO=false CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16)
    # What searches is compiled for speed, everything else for size: a phone loads it over the air.
    local fast=() crate
    for crate in control core mate memory network quantum search; do
        fast+=(--config "profile.release.package.tsumero-$crate.opt-level=3")
    done
    env RUSTFLAGS="$flags" CARGO_TARGET_DIR="$target" CARGO_PROFILE_RELEASE_OPT_LEVEL=z "${settings[@]}" \
        cargo build --quiet --release --locked --target "$wasm" --package tsumero-wasm "${fast[@]}"
    module=$target/$wasm/release/tsumero_wasm.wasm
    rm -rf "$out"
    mkdir -p "$out"
    cp -r web/. "$out"
    # What is for pages of one file alone (crates) stays away.
    rm -rf "$out"/{tsconfig.json,README.md,Cargo.toml,src,pages}
    "$tool" "$module" "$out"
    rm -f "$out"/*.d.ts
    python3 scripts/web/finish.py "$out"
}

# Argument: the command of the browser, which is also its package.
needs_browser() {
    local program
    for program in node npm "$1"; do
        command -v "$program" >/dev/null || { echo "web.sh: $program is missing (Debian: nodejs, npm, $1)" >&2; exit 3; }
    done
}

# Puts the programs that use the page, and their packages, beside each other: there Node looks for packages.
prepare_browser() {
    mkdir -p "$cache/test"
    cp scripts/web/package.json scripts/web/test/*.mjs "$cache/test/"
    # The copy beside the packages is that of the versions which were installed.
    cmp -s scripts/web/package.json "$cache/test/node_modules/package.json" && return
    npm install --silent --no-audit --no-fund --prefix "$cache/test"
    cp scripts/web/package.json "$cache/test/node_modules/"
}

case ${1:-} in
    --self-test) exec python3 scripts/web/tests/test_publish.py ;;
    build)
        [ $# = 2 ] || usage
        out=$(from_caller "$2")
        build staged
        python3 scripts/web/publish.py "$target/staged" "$out" ;;
    serve)
        port=${2:-8000}
        [[ $# -le 2 && $port =~ ^[0-9]{1,5}$ && $((10#$port)) -le 65535 ]] || usage
        build site
        exec python3 scripts/web/serve.py "$target/site" "$port" ;;
    test)
        shift
        browser=chromium
        if [ "${1:-}" = --browser ]; then
            [ "${2:-}" = chromium ] || [ "${2:-}" = firefox ] || usage
            browser=$2
            shift 2
        fi
        [ $# -le 1 ] || usage
        shots=${1:+$(from_caller "$1")}
        needs_browser "${browser/firefox/firefox-esr}"
        prepare_browser
        build site
        # The types of the modules, with those of the module that was just written. A module that has been removed since is gone.
        rm -rf "$target/types"
        "$(bindgen)" "$target/$wasm/release/tsumero_wasm.wasm" "$target/types"
        rm -f "$target"/types/*.js
        cp -r web/*.js web/pages web/tsconfig.json "$target/types/"
        "$cache/test/node_modules/.bin/tsc" --project "$target/types"
        # The program that writes pages of one file; TSUMERO may name one that is built already.
        program=${TSUMERO:+$(from_caller "$TSUMERO")}
        if [ -z "$program" ]; then
            cargo build --quiet --locked --profile quick --package tsumero --bin tsumero
            program=${CARGO_TARGET_DIR:-target}/quick/tsumero
        fi
        BROWSER=$browser node "$cache/test/main.mjs" "$PWD" "$target/site" "$(realpath "$program")" ${shots:+"$shots"} ;;
    lighthouse)
        [ $# = 1 ] || usage
        needs_browser chromium
        install_packages "$cache/lighthouse" lighthouse@12.8.2
        build site
        node scripts/web/lighthouse.mjs "$PWD" "$target/site" "$cache/lighthouse" ;;
    compare)
        [ $# = 2 ] || usage
        program=$(from_caller "$2")
        needs_browser chromium
        prepare_browser
        build site
        node "$cache/test/compare.mjs" "$PWD" "$target/site" "$program" ;;
    *) usage ;;
esac
