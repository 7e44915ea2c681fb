# shellcheck shell=bash
# Sourced by scripts that are about to go to the root of the repository.

caller=$PWD

# A path, as the caller means it.
from_caller() { case $1 in /*) printf '%s\n' "$1" ;; *) printf '%s\n' "$caller/$1" ;; esac; }
