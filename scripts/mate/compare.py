"""Compares the time per problem with the df-pn search of cshogi, problem by problem in turns.
Both are timed in process: for tsumero one call of the mate search, a fresh table of --hash MiB and the line of play included
(crates/mate/examples/mate_times.rs); for cshogi one call of `DfPn.search`, its table made before and the line of play not
asked for, the call from Python included. Neither pays for reading the position. Each problem is solved twice in a row by
each side: 'first' finds caches as the other side left them, 'again' finds them warm; cshogi's table forgets between the two
(it searches as many nodes again, which is checked). Of several such measurements the median counts. A problem that a side
does not solve counts with the time it took; one that takes longer than a second is measured once."""

import csv
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import cshogi

from answers import MATE, contradiction, parse_answer
from faults import SetupError
from figures import quantile, table
from problems import Problem, read_problems
from profiles import REPOSITORY
from solver import Limits

# More than cshogi's default, which is too few for the longest of the short problems.
CSHOGI_NODES = 10_000_000
# What takes so many seconds is the same whatever the caches hold.
LONG_SECONDS = 1.0


@dataclass
class Times:
    """Seconds by one side for one problem: pairs of first and again, and whether it was solved."""

    pairs: list[tuple[float, float]] = field(default_factory=list)
    is_solved: bool = False

    @property
    def is_settled(self) -> bool:
        """Whether measuring again would tell nothing new."""
        return bool(self.pairs) and self.pairs[-1][0] > LONG_SECONDS

    @property
    def first(self) -> float:
        return median(first for first, _ in self.pairs)

    @property
    def again(self) -> float:
        return median(again for _, again in self.pairs)


class Ours:
    """The example `mate_times` as a process that waits for positions."""

    def __init__(self, program: Path, limits: Limits, any_mate: bool):
        words = [str(program), str(limits.hash_mb), str(limits.time), *(["any"] if any_mate else [])]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def takes(self, problem: Problem) -> bool:
        """Whether the position is one our side reads at all; impossible ones are refused. It is solved for that once,
        unmeasured, so that the first measurement is like the others."""
        return not self._ask(problem).startswith("bad ")

    def measure(self, problem: Problem, times: Times) -> None:
        """Solves a problem twice; raises `SetupError` if the answer is wrong, because then the times mean nothing."""
        first = self._solve(problem, times)
        times.pairs.append((first, first if first > LONG_SECONDS else self._solve(problem, times)))

    def _ask(self, problem: Problem) -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(f"{problem.sfen}\n")
            self._process.stdin.flush()
            return self._process.stdout.readline().rstrip("\n")
        except OSError as error:
            raise SetupError(f"'{problem.sfen}': {error}") from error

    def _solve(self, problem: Problem, times: Times) -> float:
        nanoseconds, _, text = self._ask(problem).partition(" ")
        try:
            used = int(nanoseconds) / 1e9
            answer = parse_answer(text)
        except ValueError as error:
            raise SetupError(f"no answer to '{problem.sfen}': {error}") from error
        why = contradiction(problem, answer)
        if why is not None:
            raise SetupError(f"'{problem.sfen}': {why}")
        times.is_solved = answer.kind == MATE
        return used

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


class Theirs:
    """cshogi's df-pn."""

    def __init__(self) -> None:
        self._solver = cshogi.DfPn(nodes=CSHOGI_NODES)
        self._board = cshogi.Board()

    def measure(self, problem: Problem, times: Times) -> None:
        """Solves a problem twice."""
        self._board.set_sfen(problem.sfen)
        first, nodes = self._solve(times), self._solver.searched_node
        again = first if first > LONG_SECONDS else self._solve(times)
        if self._solver.searched_node != nodes:
            raise SetupError(f"cshogi remembers '{problem.sfen}': {nodes} nodes, then {self._solver.searched_node}")
        times.pairs.append((first, again))

    def _solve(self, times: Times) -> float:
        started = time.perf_counter()
        times.is_solved = self._solver.search(self._board)
        return time.perf_counter() - started


def build_mate_times() -> Path:
    """The example that times our side, built if needed."""
    if not shutil.which("cargo"):
        raise SetupError("cargo is missing, so mate_times cannot be built; name a binary with --engine")
    print("building target/release/examples/mate_times", file=sys.stderr, flush=True)
    done = subprocess.run(["cargo", "build", "--release", "--quiet", "--package", "tsumero-mate", "--example",
                           "mate_times"], cwd=REPOSITORY)
    if done.returncode != 0:
        raise SetupError("cargo build failed; name a built mate_times with --engine")
    return REPOSITORY / os.environ.get("CARGO_TARGET_DIR", "target") / "release" / "examples" / "mate_times"


HEADER = ("file", "rows", "", "solved", "first: median", "p90", "max ms", "again: median", "p90", "max ms")


def lines_of_table(name: str, sides: list[tuple[str, list[Times]]]) -> list[tuple[str, ...]]:
    """One line for each side, and one with the ratio of the medians."""
    def milliseconds(values: list[float]) -> tuple[str, ...]:
        return tuple(f"{1000 * value:.4f}" for value in (median(values), quantile(values, 0.9), max(values)))

    lines = [(name, str(len(times)), side, str(sum(one.is_solved for one in times)),
              *milliseconds([one.first for one in times]), *milliseconds([one.again for one in times]))
             for side, times in sides]
    (_, ours), (_, theirs) = sides
    first, again = (f"{ratio:.2f}" for ratio in (ratio_of_medians(ours, theirs, "first"),
                                                 ratio_of_medians(ours, theirs, "again")))
    return [*lines, (name, "", "ratio", "", first, "", "", again, "", "")]


def ratio_of_medians(ours: list[Times], theirs: list[Times], which: str) -> float:
    """Below one, we are quicker."""
    return median(getattr(one, which) for one in ours) / median(getattr(one, which) for one in theirs)


def compare(program: Path | None, files: list[Path], limits: Limits, any_mate: bool, repeats: int,
            out: Path | None) -> bool:
    """Prints a table; returns whether our median of 'first' is at most cshogi's in every file."""
    ours, theirs = Ours(program or build_mate_times(), limits, any_mate), Theirs()
    is_well = True
    lines = []
    everything: list[tuple[str, Problem, Times, Times]] = []
    try:
        for path in files:
            rows = []
            for problem in read_problems(path, has_exact_lengths=False if any_mate else None):
                if ours.takes(problem):
                    rows.append((problem, Times(), Times()))
                else:
                    print(f"{path.stem} row {problem.number}: refused  [{problem.sfen}]")
            for repeat in range(repeats):
                for problem, our_times, their_times in rows:
                    turns: list[tuple[Ours | Theirs, Times]] = [(ours, our_times), (theirs, their_times)]
                    # Who comes first changes, in case the second one finds a warmer machine.
                    for side, times in turns if repeat % 2 == 0 else reversed(turns):
                        if not times.is_settled:
                            side.measure(problem, times)
            our_rows, their_rows = [row[1] for row in rows], [row[2] for row in rows]
            lines += lines_of_table(path.stem, [("tsumero", our_rows), ("cshogi", their_rows)])
            everything += [(path.stem, *row) for row in rows]
            is_well &= ratio_of_medians(our_rows, their_rows, "first") <= 1.0
    finally:
        ours.close()
    print(table(HEADER, lines))
    print(f"milliseconds for one problem, medians of {repeats} measurements; hash {limits.hash_mb} MiB, at most "
          f"{limits.time} ms (tsumero) and {CSHOGI_NODES} nodes (cshogi)")
    if out is not None:
        write_times(out, everything)
    return is_well


def write_times(path: Path, everything: list[tuple[str, Problem, Times, Times]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("file", "row", "sfen", "solved", "first_s", "again_s", "cshogi_solved", "cshogi_first_s",
                         "cshogi_again_s"))
        for name, problem, ours, theirs in everything:
            writer.writerow((name, problem.number, problem.sfen, ours.is_solved, ours.first, ours.again,
                             theirs.is_solved, theirs.first, theirs.again))
