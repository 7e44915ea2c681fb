"""Compares CPU seconds per problem with the df-pn search of cshogi, both in process, problem by problem in turns.
What is counted: for tsumero the CPU of a process that solves the problem many times over, less that of one that solves
nothing, per time: reading a line, making a fresh table of --hash MiB, the search, the proof and the line it prints. For
cshogi the CPU of `DfPn.search` alone, many times over on one board with one table made before, neither reading the position
nor taking the line from it; its table forgets between searches (the number of nodes is checked to be the same each time).
Both find caches warm. Of several measurements the median counts. A problem that a side does not solve counts with the time
it took."""

import csv
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import cshogi

from answers import MATE, contradiction, parse_answer
from faults import SetupError
from figures import quantile, table
from problems import Problem, read_problems
from solver import Limits, Run, how, run

# Longest row of repetitions, whatever the time of one.
MOST_COPIES = 5000
CSHOGI_NODES = 10_000_000


@dataclass
class Times:
    """Seconds of CPU for one problem by each side, one figure for each measurement, and whether it was solved."""

    problem: Problem
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)
    solved: bool = False
    they_solved: bool = False


class Ours:
    """`tsumero mate --file` on a file that holds one position many times."""

    def __init__(self, tsumero: Path, limits: Limits, folder: Path):
        self._tsumero = tsumero
        self._limits = limits
        self._file = folder / "copies.sfen"
        self.start = median(self._run("", 0).cpu for _ in range(9))

    def _run(self, sfen: str, copies: int) -> Run:
        self._file.write_text(f"{sfen}\n" * copies, encoding="utf-8")
        done = run([str(self._tsumero), "mate", "--file", str(self._file), *self._limits.arguments()])
        if done.status != 0 or len(done.output) != copies:
            raise SetupError(f"{how(done.status)} on '{sfen}': {' | '.join(done.errors[-3:])}")
        return done

    def measure(self, problem: Problem, span: float) -> tuple[float, bool]:
        """CPU seconds for one solution, and whether it is one."""
        once = self._run(problem.sfen, 1)
        answer = parse_answer(once.output[0])
        why = contradiction(problem, answer)
        if why is not None:
            raise SetupError(f"'{problem.sfen}': {why}")
        used = max(once.cpu - self.start, 1e-6)
        copies = min(MOST_COPIES, int(span / used))
        if copies > 1:
            # The first run also paid for cold caches; what it says about the time decides only how many follow.
            used = max(self._run(problem.sfen, copies).cpu - self.start, 0.0) / copies
        return used, answer.kind == MATE


class Theirs:
    """cshogi's df-pn."""

    def __init__(self) -> None:
        self._solver = cshogi.DfPn(nodes=CSHOGI_NODES)
        self._board = cshogi.Board()

    def measure(self, problem: Problem, span: float) -> tuple[float, bool]:
        """CPU seconds for one search, and whether it found a mate."""
        self._board.set_sfen(problem.sfen)
        found, used = self._search(1)
        nodes = self._solver.searched_node
        copies = min(MOST_COPIES, int(span / max(used, 1e-6)))
        if copies > 1:
            _, used = self._search(copies)
            if self._solver.searched_node != nodes:
                raise SetupError(f"cshogi remembers '{problem.sfen}': {nodes} nodes, then {self._solver.searched_node}")
        return used, found

    def _search(self, copies: int) -> tuple[bool, float]:
        started = time.process_time()
        found = False
        for _ in range(copies):
            found = self._solver.search(self._board)
        return found, (time.process_time() - started) / copies


def milliseconds(value: float) -> str:
    return f"{1000 * value:.4f}"


def line_of_table(name: str, times: list[Times]) -> tuple[str, ...]:
    ours = [median(one.ours) for one in times]
    theirs = [median(one.theirs) for one in times]
    return (name, str(len(times)), str(sum(one.solved for one in times)), str(sum(one.they_solved for one in times)),
            milliseconds(median(ours)), milliseconds(median(theirs)), f"{median(ours) / median(theirs):.2f}",
            milliseconds(quantile(ours, 0.9)), milliseconds(quantile(theirs, 0.9)),
            milliseconds(max(ours)), milliseconds(max(theirs)))


HEADER = ("file", "rows", "solved", "cshogi", "median ms", "cshogi", "ratio", "p90 ms", "cshogi", "max ms", "cshogi")


def compare(tsumero: Path, files: list[Path], limits: Limits, repeats: int, span: float, out: Path | None) -> bool:
    """Prints a table; returns whether our median is at most cshogi's in every file."""
    is_well = True
    lines = []
    everything: list[tuple[str, Times]] = []
    theirs = Theirs()
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(tsumero, limits, Path(folder))
        for path in files:
            times = [Times(problem) for problem in read_problems(path)]
            for repeat in range(repeats):
                for one in times:
                    # Who comes first changes, in case the one who comes second finds a warmer machine.
                    for is_ours in (repeat % 2 == 0, repeat % 2 != 0):
                        if is_ours:
                            used, one.solved = ours.measure(one.problem, span)
                            one.ours.append(used)
                        else:
                            used, one.they_solved = theirs.measure(one.problem, span)
                            one.theirs.append(used)
            lines.append(line_of_table(path.stem, times))
            everything += [(path.stem, one) for one in times]
            is_well &= median(median(one.ours) for one in times) <= median(median(one.theirs) for one in times)
        print(table(HEADER, lines))
        print(f"CPU milliseconds for one problem, medians of {repeats} measurements; hash {limits.hash_mb} MiB; taken off "
              f"our side: {1000 * ours.start:.2f} ms for the start of a process")
    if out is not None:
        with open(out, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("file", "row", "sfen", "solved", "cshogi_solved", "cpu_s", "cshogi_cpu_s"))
            for name, one in everything:
                writer.writerow((name, one.problem.number, one.problem.sfen, one.solved, one.they_solved,
                                 median(one.ours), median(one.theirs)))
    return is_well
