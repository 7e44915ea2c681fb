# shellcheck shell=bash
# Sourced by the scripts that need packages of npm.

# Installs packages with these versions in a folder, unless they are there. Arguments: the folder, NAME@VERSION...
install_packages() {
    local folder=$1
    shift
    [ "$(cat "$folder/packages" 2>/dev/null)" != "$*" ] || return 0
    mkdir -p "$folder"
    rm -f "$folder/packages"
    npm install --silent --no-audit --no-fund --prefix "$folder" "$@"
    printf '%s\n' "$*" >"$folder/packages"
}
