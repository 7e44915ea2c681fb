"""Watches the memory while one process solves the problems of the files over and over. A process `tsumero mate --file -` is
fed for so many minutes; its largest resident set must stay within --hash, a sixteenth of it, and 48 MiB."""

import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from answers import contradiction, parse_answer, refusal
from faults import SetupError
from problems import read_problems
from solver import Limits
from verify import memory_bound_mib

# Seconds between two looks at the memory.
EVERY = 1.0
# Positions sent ahead: the solver must never wait for one, nor have many left when the time is over.
AHEAD = 2
# What a position counts as that the solver does not take.
REFUSED = "refused"


def peak_kib(pid: int) -> int:
    """The largest resident set so far of a process that runs; 0 when it has ended."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith("VmHWM:")), 0)


def soak(tsumero: Path, files: list[Path], limits: Limits, seconds: float) -> bool:
    """Returns whether the memory stayed within its bound, every position was answered, and no answer was wrong."""
    problems = [problem for path in files for problem in read_problems(path)]
    process = subprocess.Popen([str(tsumero), "mate", "--file", "-", *limits.arguments()], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=sys.stderr, text=True)
    assert process.stdin is not None and process.stdout is not None
    peak = 0
    ended = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not ended.wait(EVERY):
            peak = max(peak, peak_kib(process.pid))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    sent = 0
    kinds: Counter[str] = Counter()
    complaints: list[str] = []
    end = time.monotonic() + seconds
    try:
        for _ in range(AHEAD):
            process.stdin.write(f"{problems[sent % len(problems)].sfen}\n")
            sent += 1
        process.stdin.flush()
        for text in process.stdout:
            peak = max(peak, peak_kib(process.pid))
            text = text.rstrip("\n")
            if refusal(text) is not None:
                kinds[REFUSED] += 1
            else:
                answer = parse_answer(text)
                problem = problems[sum(kinds.values()) % len(problems)]
                why = contradiction(problem, answer)
                if why is not None:
                    complaints.append(f"{why}  [{problem.sfen}]")
                kinds[f"{answer.kind} {answer.why}".rstrip()] += 1
            if time.monotonic() < end:
                process.stdin.write(f"{problems[sent % len(problems)].sfen}\n")
                process.stdin.flush()
                sent += 1
            elif not process.stdin.closed:
                process.stdin.close()
        status = process.wait()
    except (ValueError, OSError) as error:
        raise SetupError(f"after {sum(kinds.values())} answers: {error}") from error
    finally:
        ended.set()
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stdout.close()
        watcher.join()
    for complaint in complaints:
        print(complaint)
    bound = memory_bound_mib(limits.hash_mb)
    print(f"{sum(kinds.values())} answers in {seconds / 60:.1f} minutes: "
          + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))
    print(f"peak memory {peak / 1024:.1f} MiB, bound {bound} MiB (hash {limits.hash_mb}); "
          f"exit status {status}")
    # The solver tells with its status that it has refused some.
    expected = 1 if kinds[REFUSED] else 0
    return peak <= 1024 * bound and sum(kinds.values()) == sent and status == expected and not complaints
