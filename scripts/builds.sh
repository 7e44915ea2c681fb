# shellcheck shell=bash disable=SC2154
# Sourced by sprt.sh and gauntlet.sh after environment.sh: programs built from commits, kept for later matches.

# The path of the release program of a commit, which is built if it is not there yet. A commit is built as it is
# recorded, in a work tree of its own; changes that are not committed have no part in it.
build() {
    local commit sha folder
    commit=$1
    if ! sha=$(git -C "$here/.." rev-parse --verify --quiet "$commit^{commit}"); then
        say "no commit '$commit'"
        exit 2
    fi
    folder=$cache/builds/$sha
    (
        # Another call may build the same commit now, and all share a target folder; where there is no flock, nobody makes two.
        if command -v flock >/dev/null; then flock 8; fi
        [ -x "$folder/tsumero" ] || build_now 8>&-
    ) 8>"$cache/builds.lock" || exit 2
    printf '%s\n' "$folder/tsumero"
}

# Callers take what `build` prints, and there bash does not end at a command that fails: each one is asked.
build_now() {
    local tree=$cache/worktrees/$sha
    say "building $commit ($sha)"
    rm -rf "$tree"
    git -C "$here/.." worktree prune
    git -C "$here/.." worktree add --quiet --detach "$tree" "$sha" >&2
    # One target folder for all commits: the libraries of others are compiled once.
    if ! (cd "$tree" && CARGO_TARGET_DIR=$cache/target cargo build --release --locked --quiet --bin tsumero >&2); then
        git -C "$here/.." worktree remove --force "$tree"
        say "commit $commit cannot be built"
        exit 2
    fi
    git -C "$here/.." worktree remove --force "$tree"
    # Renamed last, so that a program that is there is whole.
    mkdir -p "$folder" && cp "$cache/target/release/tsumero" "$folder/tsumero.new" && mv "$folder/tsumero.new" "$folder/tsumero"
}
