#!/usr/bin/env bash
# Prints the folder of the programs that check.sh looks at scripts and text with, installed there first if need be.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
environment_name=check
source "$here/environment.sh"
dirname "$python"
