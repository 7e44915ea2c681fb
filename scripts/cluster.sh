#!/usr/bin/env bash
# Spreads analyses, mate problems, self-play and matches over the cores of one or many machines with Ray. See docs/cluster.md.
#
#   scripts/cluster.sh COMMAND …         does the work; scripts/cluster.sh --help
#   scripts/cluster.sh node --head …     makes this machine the head of a cluster, until Ctrl-C
#   scripts/cluster.sh node --address HOST:PORT …   makes this machine a node of it, until Ctrl-C
#
# This file only prepares the Python environment and hands over to the program in scripts/cluster, or to Ray.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# A question about the nodes installs nothing.
node_usage() {
    cat <<'END'
usage: scripts/cluster.sh node (--head | --address HOST:PORT) [--build | --programs FOLDER] [more options of `ray start`]

Makes this machine the head of a cluster (its port is 6379 unless --port says otherwise), or a node of the cluster at HOST:PORT,
until it is interrupted. A node does its work with the program that it is sent, unless it is told otherwise:

  --build             with programs that are built here, from this clone
  --programs FOLDER   with the programs in a folder, by their names: tsumero, tsumero-train

All nodes need the same commit of this repository, and the head's file ~/.ray/auth_token.
END
}
if [ "${1:-}" = node ]; then
    for word in "$@"; do
        case $word in --help | -h) node_usage; exit 0 ;; esac
    done
fi

environment_name=cluster
source "$here/environment.sh"

# The referee and the engine's process are those of the matches. Workers that Ray starts inherit this.
export PYTHONPATH=$here/cluster:$here/match
export RAY_USAGE_STATS_ENABLED=0
# Whoever can talk to Ray can run programs here: everybody has to show the token in ~/.ray/auth_token.
export RAY_AUTH_MODE=token

if [ "${1:-}" = node ]; then
    shift
    options=()
    while [ $# -gt 0 ]; do
        case $1 in
            --build)
                # The search of the engine is built without the parameters of the workshop.
                (cd "$here/.." && cargo build --release --locked --package tsumero-train &&
                    cargo build --release --locked --package tsumero)
                TSUMERO_OWN_PROGRAMS=$(cd "$here/.." && cd "${CARGO_TARGET_DIR:-target}/release" && pwd)
                export TSUMERO_OWN_PROGRAMS ;;
            --programs)
                TSUMERO_OWN_PROGRAMS=$(cd "${2:?'--programs needs a folder'}" && pwd)
                export TSUMERO_OWN_PROGRAMS
                shift ;;
            *) options+=("$1") ;;
        esac
        shift
    done
    [ ${#options[@]} -gt 0 ] || { node_usage >&2; exit 2; }
    case " ${options[*]} " in
        *' --head '*) (umask 077 && "${python%/*}/ray" get-auth-token --generate >/dev/null) ;;
    esac
    exec "${python%/*}/ray" start --block --disable-usage-stats "${options[@]}"
fi
if [ "${1:-}" = --self-test ]; then
    shift
    exec "$python" "$here/cluster/tests/test_cluster.py" "$@"
fi
exec "$python" "$here/cluster" "$@"
