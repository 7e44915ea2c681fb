#!/usr/bin/env python3
"""How well an engine knows positions of games that it did not play.

    scripts/yardstick.py value ENGINE [eval arguments, such as --eval-file nn.bin]
    scripts/yardstick.py search ENGINE [--nodes 2000] [NAME=VALUE ...]
    scripts/yardstick.py moves ENGINE [--nodes 100000] [NAME=VALUE ...]

`value` compares static values (`ENGINE eval --file`) with what happened: the cross-entropy of the results at the scale that
fits best, and the correlation of logistic(value / scale) with logistic(score / 600), the players' own searched score.
`search` compares the scores of searches of a fixed number of nodes in the same way: there is less noise from exchanges, and it is
what a search of so many nodes could teach at best.
`moves` searches each position with a fixed number of nodes and counts how often the engine plays the move that was played.
All are also given for positions with at most two pieces in hand (openings and castles) and for the others. The positions and
their source: crates/train/tests/data. See docs/training.md.
"""

import argparse
import csv
import math
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from usi_client import Engine

DATA = Path(__file__).resolve().parents[1] / "crates/train/tests/data/floodgate.csv"
LARGEST = 3000
# The score of an `info` line, unless it is only a bound.
SCORE = re.compile(r" score (cp|mate) (?![-+\d]* *(?:upper|lower)bound)([-+]?\d*)")


@dataclass(frozen=True)
class Row:
    """A position with the move played, and with the result (0 to 1) and the player's score for the side to move."""

    sfen: str
    move: str
    result: float
    score: int

    def in_hand(self) -> int:
        """The number of pieces in both hands."""
        pieces = re.findall(r"(\d*)[A-Za-z]", self.sfen.split()[2])
        return sum(int(count or 1) for count in pieces)


PARTS: tuple[tuple[str, Callable[[int], bool]], ...] = (
    ("all", lambda _: True),
    ("at most 2 in hand", lambda count: count <= 2),
    ("more", lambda count: count > 2),
)


def logistic(x: float) -> float:
    return 1 / (1 + math.exp(-max(-40.0, min(40.0, x))))


def loss_and_scale(values: list[int], results: list[float]) -> tuple[float, int]:
    """The least mean cross-entropy over the scales from 100 to 2,480, and its scale."""
    def loss(scale: int) -> float:
        total = 0.0
        for value, result in zip(values, results, strict=True):
            expected = min(1 - 1e-9, max(1e-9, logistic(value / scale)))
            total -= result * math.log(expected) + (1 - result) * math.log(1 - expected)
        return total / len(values)
    return min((loss(scale), scale) for scale in range(100, 2500, 20))


def correlation(a: list[float], b: list[float]) -> float:
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    product = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    squares = sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)
    # An engine may give all positions one value.
    return product / math.sqrt(squares) if squares > 0 else math.nan


def report(values: list[int], rows: list[Row]) -> None:
    """Prints loss, scale and correlation of values, for each part of the rows."""
    for name, keep in PARTS:
        part = [(value, row) for value, row in zip(values, rows, strict=True) if keep(row.in_hand())]
        if len(part) < 20:
            print(f"{name:18} {len(part):5} positions: too few")
            continue
        own = [value for value, _ in part]
        loss, scale = loss_and_scale(own, [row.result for _, row in part])
        agreement = correlation([logistic(value / scale) for value in own], [logistic(row.score / 600) for _, row in part])
        print(f"{name:18} {len(part):5} positions  loss {loss:.4f}  scale {scale:5}  correlation {agreement:.4f}")


def static_values(engine: str, rows: list[Row], arguments: list[str]) -> list[int]:
    with tempfile.NamedTemporaryFile("w", suffix=".sfen") as file:
        file.writelines(row.sfen + "\n" for row in rows)
        file.flush()
        done = subprocess.run([engine, "eval", "--file", file.name, *arguments], capture_output=True, text=True)
    values = [max(-LARGEST, min(LARGEST, int(line.split()[0]))) for line in done.stdout.splitlines() if line.strip()]
    if len(values) != len(rows):
        sys.exit(f"{len(values)} values for {len(rows)} positions\n{done.stderr}")
    return values


def search(engine: str, rows: list[Row], nodes: int, options: list[str]) -> Iterator[tuple[int, str]]:
    """For each row the score of a search, for the side to move and within ±3,000, and its move. One process serves all rows."""
    process = Engine(engine, quiet=True)
    # Some engines lack one of these.
    for option in ["USI_Hash=64", "Threads=1", "USI_OwnBook=false"]:
        name, _, value = option.partition("=")
        process.set_option(name, value)
    for option in options:
        name, equals, value = option.partition("=")
        if not equals or name.lower() not in process.options:
            sys.exit(f"{option}: not NAME=VALUE with an option of {engine}")
        process.set_option(name, value)
    for row in rows:
        process.new_game()
        process.send(f"position sfen {row.sfen}\n")
        yield score_and_move(process.ask(f"go nodes {nodes}", "bestmove"))
    process.end()


def score_and_move(lines: list[str]) -> tuple[int, str]:
    """The last score within ±3,000, and the move, of an answer."""
    score = 0
    for line in lines:
        if line.startswith("info string Error"):
            sys.exit(line)
        if found := SCORE.search(line):
            kind, number = found.groups()
            score = int(number) if kind == "cp" else -LARGEST if number.startswith("-") else LARGEST
    return max(-LARGEST, min(LARGEST, score)), lines[-1].split()[1]


def searches(engine: str, rows: list[Row], nodes: int, jobs: int, options: list[str]) -> list[tuple[int, str]]:
    """The same by several processes at once, in the order of the rows."""
    with ThreadPoolExecutor(jobs) as pool:
        parts = list(pool.map(lambda first: list(search(engine, rows[first::jobs], nodes, options)), range(jobs)))
    return [parts[number % jobs][number // jobs] for number in range(len(rows))]


def margin(share: float, count: int) -> float:
    """How far the farther end of the 95 % interval of a share is away from it: Wilson's interval, which no share of 0 or 1 makes
    a point."""
    z = 1.96
    half = z * math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
    return (half + abs(0.5 - share) * z**2 / count) / (1 + z**2 / count)


def report_moves(moves: list[str], rows: list[Row]) -> None:
    """Prints how many moves are those that were played, with the 95 % interval, for each part of the rows."""
    for name, keep in PARTS:
        part = [move == row.move for move, row in zip(moves, rows, strict=True) if keep(row.in_hand())]
        if not part:
            print(f"{name:18}     0 positions: too few")
            continue
        share = sum(part) / len(part)
        print(f"{name:18} {len(part):5} positions  same move {100 * share:.1f} % ± {100 * margin(share, len(part)):.1f}")


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return number


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["value", "search", "moves"])
    parser.add_argument("engine")
    parser.add_argument("--data", type=Path, default=DATA, help="CSV with the columns sfen, move, result and score")
    parser.add_argument("--nodes", type=positive, help="nodes of each search")
    parser.add_argument("--rows", type=positive, help="only so many positions")
    parser.add_argument("--jobs", type=positive, default=1, help="processes at the same time")
    given, more = parser.parse_known_args()
    try:
        with given.data.open(newline="", encoding="utf-8") as file:
            rows = [Row(row["sfen"], row["move"], float(row["result"]), int(row["score"])) for row in csv.DictReader(file)]
    except OSError as error:
        parser.error(f"{given.data}: {error.strerror}")
    except (KeyError, TypeError, ValueError, csv.Error):
        parser.error(f"{given.data}: not CSV with a position, move, result and score in each row")
    if shutil.which(given.engine) is None:
        parser.error(f"{given.engine}: no program")
    if not rows:
        parser.error(f"{given.data}: no position")
    rows = rows[: given.rows]
    if given.what == "value":
        report(static_values(given.engine, rows, more), rows)
    elif given.what == "search":
        report([score for score, _ in searches(given.engine, rows, given.nodes or 2_000, given.jobs, more)], rows)
    else:
        report_moves([move for _, move in searches(given.engine, rows, given.nodes or 100_000, given.jobs, more)], rows)


if __name__ == "__main__":
    main()
