# shellcheck shell=bash
# Sourced by scripts that install what is missing.

# Runs a command as root, if that is possible without a question.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; elif sudo -n true 2>/dev/null; then sudo -n "$@"; else return 1; fi
}
