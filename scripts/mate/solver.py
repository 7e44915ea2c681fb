"""Runs `tsumero mate` and measures what it takes: CPU seconds, elapsed seconds and peak memory of the process."""

import contextlib
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from answers import UNKNOWN, Answer, parse_answer, refusal
from faults import SetupError


@dataclass(frozen=True)
class Limits:
    """What the solver is told. Times in milliseconds, memory in MiB; a limit that is None is left out."""

    time: int | None = None
    nodes: int | None = None
    hash_mb: int = 256
    threads: int = 1

    def arguments(self) -> list[str]:
        words = ["--hash", str(self.hash_mb), "--threads", str(self.threads)]
        for name, value in (("--time", self.time), ("--nodes", self.nodes)):
            if value is not None:
                words += [name, str(value)]
        return words


@dataclass(frozen=True)
class Run:
    """One process that has ended. `status` is its exit status, or the number of a signal, negative. `peak_kib` is the
    largest resident set; Linux counts what this program held when it started the process, so that small figures are
    those of this program (see `memory_floor_kib`)."""

    output: list[str]
    errors: list[str]
    status: int
    cpu: float
    wall: float
    peak_kib: int
    was_killed: bool


def run(argv: list[str], wall_limit: float | None = None, cpu_limit: int | None = None) -> Run:
    """Runs a program to its end, at most so many seconds of time and of CPU."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = time.monotonic()
        try:
            process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        except OSError as error:
            raise SetupError(f"cannot start {argv[0]}: {error.strerror}") from error
        if cpu_limit is not None:
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (cpu_limit, cpu_limit + 5))
        killed = threading.Event()

        def kill() -> None:
            killed.set()
            os.kill(process.pid, signal.SIGKILL)

        timer = threading.Timer(wall_limit, kill) if wall_limit is not None else None
        if timer:
            timer.start()
        # `wait4` is the only call that tells what this one child used. The process stays a zombie until the timer is
        # off, so that its number cannot belong to another one when the timer fires.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        wall = time.monotonic() - started
        if timer:
            timer.cancel()
            timer.join()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return Run(lines_of(output), lines_of(errors), process.returncode, usage.ru_utime + usage.ru_stime, wall,
                   usage.ru_maxrss, killed.is_set())


def lines_of(file) -> list[str]:
    file.seek(0)
    return file.read().decode("utf-8", "replace").splitlines()


def memory_floor_kib() -> int:
    """The peak memory that `run` reports for a program that needs next to none."""
    return run(["true"]).peak_kib


@dataclass(frozen=True)
class Outcome:
    """What became of one position. Without an `answer`, `refused` is the solver's reason for not taking the position, or
    `fault` says what went wrong. The figures are None where one process solved several positions."""

    answer: Answer | None
    refused: str = ""
    fault: str = ""
    cpu: float | None = None
    wall: float | None = None
    peak_kib: int | None = None


def solve_one(tsumero: Path, sfen: str, limits: Limits, wall_limit: float | None, cpu_limit: int | None) -> Outcome:
    """Solves a position in a process of its own: a crash or a hang touches no other."""
    done = run([str(tsumero), "mate", "--sfen", sfen, *limits.arguments()], wall_limit, cpu_limit)

    def outcome(answer: Answer | None, refused: str = "", fault: str = "") -> Outcome:
        return Outcome(answer, refused, fault, done.cpu, done.wall, done.peak_kib)

    if done.status == -signal.SIGXCPU:
        return outcome(Answer(UNKNOWN, why="cpu"))
    if done.was_killed:
        return outcome(None, fault=f"no answer after {done.wall:.1f} s")
    if done.status == 1 and not done.output:
        reason = next((line[len("--sfen: "):] for line in done.errors if line.startswith("--sfen: ")), None)
        if reason is not None:
            return outcome(None, refused=reason)
    if done.status != 0:
        return outcome(None, fault=f"{how(done.status)}: {' | '.join(done.errors[-3:])}")
    if len(done.output) != 1:
        return outcome(None, fault=f"{len(done.output)} lines of output")
    try:
        return outcome(parse_answer(done.output[0]))
    except ValueError as error:
        return outcome(None, fault=str(error))


def how(status: int) -> str:
    """How a process ended, in words."""
    return f"signal {-status}" if status < 0 else f"exit status {status}"


def solve_all(tsumero: Path, sfens: list[str], limits: Limits, wall_limit: float | None) -> tuple[list[Outcome], Run]:
    """Solves many positions in one process, which saves the starts; one crash is the end of all that follow."""
    with tempfile.NamedTemporaryFile("w", suffix=".sfen", encoding="utf-8") as file:
        file.write("".join(f"{sfen}\n" for sfen in sfens))
        file.flush()
        done = run([str(tsumero), "mate", "--file", file.name, *limits.arguments()], wall_limit)
    end = "no answer in time" if done.was_killed else f"no answer ({how(done.status)}: {' | '.join(done.errors[-3:])})"
    output = iter(done.output)
    outcomes = []
    for _ in sfens:
        text = next(output, None)
        if text is None:
            outcomes.append(Outcome(None, fault=end))
            continue
        reason = refusal(text)
        if reason is not None:
            outcomes.append(Outcome(None, refused=reason))
            continue
        try:
            outcomes.append(Outcome(parse_answer(text)))
        except ValueError as error:
            outcomes.append(Outcome(None, fault=str(error)))
    if next(output, None) is not None:
        raise SetupError("more answers than positions")
    return outcomes, done
