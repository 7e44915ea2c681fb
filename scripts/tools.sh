#!/usr/bin/env bash
# Prints the folder of the programs that check.sh looks at scripts and text with, installed there first if need be. Ends with 2 if they
# cannot be had here.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
environment_name=check
source "$here/environment.sh"
dirname "$python"
