"""Writes web/problems.json, the problems that the page brings along: the first ones of seed 1, as the program makes them.

To be run again when `tsumero tsume generate` makes other problems; it takes minutes. Argument: the program."""

import csv
import json
import subprocess
import sys
from pathlib import Path

# How many of each length in plies.
COUNTS = {1: 20, 3: 40, 5: 40, 7: 30, 9: 16}
SEED = 1


def main() -> int:
    made = {}
    for plies, count in COUNTS.items():
        command = [sys.argv[1], "tsume", "generate", "--plies", str(plies), "--count", str(count), "--seed", str(SEED)]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        made[plies] = [[row["sfen"], row["solution"]] for row in csv.DictReader(lines)]
    target = Path(__file__).resolve().parents[2] / "web" / "problems.json"
    target.write_text(json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
