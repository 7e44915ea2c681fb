"""`mate.sh verify`: every answer of the solver to files of problems, checked by a referee that shares no line with it."""

import csv
import enum
import math
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from answers import NO_MATE, UNKNOWN, contradiction, fault_of_line, replies_of_line
from figures import quantile, seconds, table
from problems import Problem, read_problems
from solver import Limits, Outcome, memory_floor_kib, solve_all, solve_one

# What a process may hold beside the memory for the search: its table, and a sixteenth more for results of repetitions.
ALLOWANCE_MIB = 48


def memory_bound_mib(hash_mb: int) -> int:
    """The most memory that a process may hold, in MiB."""
    return hash_mb + hash_mb // 16 + ALLOWANCE_MIB


class Verdict(enum.Enum):
    """What one row counts as. The order is that of the columns."""

    SOLVED = "solved"
    NO_MATE = "nomate"
    WRONG = "wrong"
    FAILED = "failed"
    UNKNOWN = "unknown"
    REFUSED = "refused"


@dataclass(frozen=True)
class Row:
    """A problem, what the solver made of it, and the judgment with its reason (empty where there is nothing to say)."""

    problem: Problem
    outcome: Outcome
    verdict: Verdict
    remark: str


def judge(problem: Problem, outcome: Outcome, cpu: float | None) -> Row:
    """`cpu` is the time after which an answer, right as it may be, counts as unknown."""
    if outcome.refused:
        return Row(problem, outcome, Verdict.REFUSED, outcome.refused)
    answer = outcome.answer
    if answer is None:
        return Row(problem, outcome, Verdict.FAILED, outcome.fault)
    why = contradiction(problem, answer)
    if why is not None:
        return Row(problem, outcome, Verdict.WRONG, why)
    if answer.kind == UNKNOWN:
        return Row(problem, outcome, Verdict.UNKNOWN, answer.why)
    if cpu is not None and outcome.cpu is not None and outcome.cpu > cpu:
        return Row(problem, outcome, Verdict.UNKNOWN, f"{answer} after {outcome.cpu:.1f} s of CPU")
    if answer.kind == NO_MATE:
        return Row(problem, outcome, Verdict.NO_MATE, "")
    differs = problem.plies is not None and problem.plies != len(answer.line)
    return Row(problem, outcome, Verdict.SOLVED, f"{answer}, the file says {problem.plies}" if differs else "")


@dataclass
class Replies:
    """How the other replies along the lines of a file fared."""

    asked: int = 0
    mates: int = 0
    unknown: int = 0
    wrong: int = 0

    def text(self) -> str:
        return (f"other replies along the lines: {self.asked} asked, {self.mates} mates in time, {self.unknown} unknown, "
                f"{self.wrong} wrong")


def check_replies(tsumero: Path, rows: Iterable[Row], limits: Limits, replies: Replies) -> list[str]:
    """Asks the solver for every reply of the defender that its lines do not show: there must be a mate, too, in no more
    plies than the line has left. What the node limit keeps it from finding is unknown, and not wrong."""
    complaints = []
    for row in rows:
        if row.verdict != Verdict.SOLVED or row.outcome.answer is None:
            continue
        others = replies_of_line(row.problem.sfen, row.outcome.answer.line)
        if not others:
            continue
        outcomes, _ = solve_all(tsumero, [sfen for sfen, _, _ in others], limits, None)
        for (sfen, most, moves), outcome in zip(others, outcomes, strict=True):
            replies.asked += 1
            answer = outcome.answer
            fault = outcome.fault or outcome.refused
            if answer is not None and answer.kind == UNKNOWN:
                replies.unknown += 1
                continue
            if answer is not None and answer.kind == NO_MATE:
                fault = "no mate"
            elif answer is not None:
                fault = fault_of_line(sfen, answer.line) or ""
                if not fault and len(answer.line) > most:
                    fault = f"{answer}, but {most} plies are left"
            if fault:
                replies.wrong += 1
                complaints.append(f"row {row.problem.number}: after {moves}: {fault}  [{sfen}]")
            else:
                replies.mates += 1
    return complaints


HEADER = ("file", "rows", *(verdict.value for verdict in Verdict), "length differs", "decided",
          "CPU median", "p90", "max s", "max MiB", "over")


def line_of_table(name: str, rows: list[Row], hash_mb: int, batch_peak_kib: int | None = None) -> tuple[str, ...]:
    """The figures of one file. The quantiles are over all rows that were not refused, decided or not."""
    counts = Counter(row.verdict for row in rows)
    decided = counts[Verdict.SOLVED] + counts[Verdict.NO_MATE]
    cpu = [row.outcome.cpu for row in rows if row.outcome.cpu is not None and row.verdict != Verdict.REFUSED]
    peaks = [row.outcome.peak_kib for row in rows if row.outcome.peak_kib is not None]
    peaks += [batch_peak_kib] if batch_peak_kib is not None else []
    differing = sum(row.verdict == Verdict.SOLVED and bool(row.remark) for row in rows)
    return (name, str(len(rows)), *(str(counts[verdict]) for verdict in Verdict), str(differing),
            f"{100 * decided / len(rows):.1f}%",
            *(seconds(quantile(cpu, share)) for share in (0.5, 0.9, 1.0)),
            str(math.ceil(max(peaks) / 1024)) if peaks else "-",
            str(sum(peak > 1024 * memory_bound_mib(hash_mb) for peak in peaks)))


def names(files: list[Path]) -> list[str]:
    """What the files are called: by their whole paths where several have the same name."""
    count = Counter(path.stem for path in files)
    return [path.stem if count[path.stem] == 1 else str(path) for path in files]


def write_rows(path: Path, rows: list[tuple[str, list[Row]]]) -> None:
    """Everything that is known of every row, for other programs."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("file", "row", "sfen", "known", "plies", "verdict", "answer", "remark", "cpu_s", "wall_s",
                         "peak_kib", "line"))
        for name, some in rows:
            for row in some:
                outcome = row.outcome
                line = " ".join(outcome.answer.line) if outcome.answer else ""
                writer.writerow((name, row.problem.number, row.problem.sfen, row.problem.known.value,
                                 row.problem.plies, row.verdict.value, outcome.answer or "", row.remark, outcome.cpu,
                                 outcome.wall, outcome.peak_kib, line))


@dataclass(frozen=True)
class Settings:
    """What `verify` was asked for. `cpu` in seconds; `proof` is the node limit of each other reply, or None."""

    tsumero: Path
    limits: Limits
    cpu: float | None
    in_one_process: bool
    jobs: int
    proof: int | None
    is_no_mate: bool | None
    has_exact_lengths: bool | None
    # How many unknown rows of each file are listed; all the others are.
    most_unknown: int = 20

    @property
    def wall_limit(self) -> float | None:
        """Long past the time the solver has: whoever needs it hangs."""
        return None if self.limits.time is None else 2 * self.limits.time / 1000 + 20

    @property
    def cpu_limit(self) -> int | None:
        return None if self.cpu is None else math.ceil(self.cpu) + 1


def solve_rows(settings: Settings, problems: list[Problem]) -> tuple[list[Row], int | None]:
    """Solves and judges. Also the peak memory in KiB if one process solved all."""
    if settings.in_one_process:
        wall = None if settings.wall_limit is None else settings.wall_limit * len(problems)
        outcomes, done = solve_all(settings.tsumero, [problem.sfen for problem in problems], settings.limits, wall)
        return [judge(problem, outcome, None) for problem, outcome in zip(problems, outcomes, strict=True)], done.peak_kib
    rows = []

    def solve(problem: Problem) -> Outcome:
        return solve_one(settings.tsumero, problem.sfen, settings.limits, settings.wall_limit, settings.cpu_limit)

    with ThreadPoolExecutor(settings.jobs) as pool:
        for problem, outcome in zip(problems, pool.map(solve, problems), strict=True):
            rows.append(judge(problem, outcome, settings.cpu))
            if sys.stderr.isatty():
                print(f"\r{len(rows)}/{len(problems)}", end="\r", file=sys.stderr, flush=True)
    return rows, None


def remarks(name: str, rows: list[Row], most_unknown: int) -> list[str]:
    """A line for each row that is not plainly solved; of those that are unknown only the first ones."""
    told = [row for row in rows if row.verdict not in (Verdict.SOLVED, Verdict.NO_MATE) or row.remark]
    unknown = [row for row in told if row.verdict == Verdict.UNKNOWN]
    left_out = {row.problem.number for row in unknown[most_unknown:]}
    lines = [f"{name} row {row.problem.number}: {row.verdict.value}: {row.remark}  [{row.problem.sfen}]"
             for row in told if row.problem.number not in left_out]
    return [*lines, f"{name}: {len(left_out)} more unknown"] if left_out else lines


def verify(settings: Settings, files: list[Path], out: Path | None) -> bool:
    """Prints what is to be said of single rows as each file ends, then the table. Returns whether all went well: no
    contradiction, no crash or hang, and no process above its memory."""
    is_well = True
    lines = []
    all_rows: list[tuple[str, list[Row]]] = []
    for name, path in zip(names(files), files, strict=True):
        problems = read_problems(path, settings.is_no_mate, settings.has_exact_lengths)
        rows, peak_kib = solve_rows(settings, problems)
        all_rows.append((name, rows))
        for line in remarks(name, rows, settings.most_unknown):
            print(line)
        cells = line_of_table(name, rows, settings.limits.hash_mb, peak_kib)
        lines.append(cells)
        is_well &= cells[-1] == "0" and not any(row.verdict in (Verdict.WRONG, Verdict.FAILED) for row in rows)
        if settings.proof is not None:
            replies = Replies()
            limits = Limits(nodes=settings.proof, hash_mb=settings.limits.hash_mb)
            for complaint in check_replies(settings.tsumero, rows, limits, replies):
                print(f"{name} {complaint}")
            print(f"{name}: {replies.text()}")
            is_well &= replies.wrong == 0
        sys.stdout.flush()
    print(table(HEADER, lines))
    limits = settings.limits
    print(f"limits for each row: time {limits.time} ms, nodes {limits.nodes}, hash {limits.hash_mb} MiB, "
          f"threads {limits.threads}, CPU {settings.cpu} s. CPU seconds are those of the whole process, its start "
          f"included; 'over' counts processes above {memory_bound_mib(limits.hash_mb)} MiB; memory below "
          f"{math.ceil(memory_floor_kib() / 1024)} MiB is not told apart.")
    if out is not None:
        write_rows(out, all_rows)
    return is_well
