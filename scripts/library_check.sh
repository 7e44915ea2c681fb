#!/usr/bin/env bash
# Uses the library crates as a stranger would: makes a crate outside the workspace from the examples of the READMEs alone, builds
# it for Cargo's default target, and runs every example. The examples read positions, list moves, play a random game, find a mate
# in one and solve a mate in seven. Then it packs every crate as `cargo publish` does. With `--packages` it also builds each from its
# package, and checks the rules with the least Rust version that their manifest names, if that toolchain is installed.
# Usage: scripts/library_check.sh [--packages].
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Cargo on Windows does not know the paths of this shell, so they are written as Windows does.
folder_name() { (cd "$1" && { pwd -W 2>/dev/null || pwd; }); }
root=$(folder_name .)
crate=$(mktemp -d)
trap 'rm -r "$crate"' EXIT
mkdir "$crate/src"

cat > "$crate/Cargo.toml" <<TOML
[package]
name = "library-check"
version = "0.0.0"
edition = "2024"
publish = false

[dependencies]
tsumero-core = { path = "$root/crates/core" }
tsumero-control = { path = "$root/crates/control" }
tsumero-mate = { path = "$root/crates/mate" }
tsumero-quantum = { path = "$root/crates/quantum" }
TOML

# Each block of Rust becomes a function of its own, named after its file and line.
awk '
    { sub(/\r$/, "") }
    /^```rust$/ {
        name = FILENAME
        sub(/\/README\.md$/, "", name); sub(/.*\//, "", name)
        name = name "_" FNR
        names = names " " name
        print "fn " name "() {"
        inside = 1
        next
    }
    /^```/ && inside { print "}\n"; inside = 0; next }
    inside { print "    " $0 }
    END {
        print "fn main() {"
        count = split(names, each, " ")
        if (count == 0) exit 1
        for (number = 1; number <= count; number++)
            print "    " each[number] "();\n    eprintln!(\"" each[number] ": well\");"
        print "    eprintln!(\"" count " examples\");"
        print "}"
    }
' crates/core/README.md crates/control/README.md crates/mate/README.md crates/quantum/README.md > "$crate/src/main.rs"

# Outside the workspace its settings for Cargo do not hold. Those of the environment must not hold either.
target="${CARGO_TARGET_DIR:-$root/target}"
(cd "$crate" && env -u RUSTFLAGS CARGO_TARGET_DIR="$target/library-check" cargo run --quiet --release)

# What `cargo publish` would upload. Cargo builds packages that need one another from a registry of its own. The workshop is not
# published.
publish=(cargo publish --workspace --exclude tsumero-train --dry-run --allow-dirty --quiet)
if [ "${1:-}" != --packages ]; then
    "${publish[@]}" --no-verify
else
    "${publish[@]}"
    least=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' crates/core/Cargo.toml)
    if cargo "+$least" --version >/dev/null 2>&1; then
        CARGO_TARGET_DIR="$target/library-check" cargo "+$least" check --quiet --package tsumero-core
    else
        echo "Rust $least is not installed: the least version of tsumero-core was not checked" >&2
    fi
fi
