"""Checks that `stop` ends `go mate infinite` in time. One engine looks at the problems of the files in turn; after a random
wait comes `stop`, and the answer must come within the limit: `checkmate timeout`, or what was found at that very moment if
that is no contradiction. A problem that is solved before `stop` is checked, and does not count."""

import random
import tempfile
from pathlib import Path

from answers import MATE, NO_MATE, Answer, contradiction
from faults import SetupError
from figures import quantile
from problems import Problem, read_problems
from usi_engine import UsiEngine

# Longest wait for an answer to `stop`, past which the engine counts as hanging.
HANG_SECONDS = 30.0
SHORTEST_WAIT = 0.02


def fault_of(problem: Problem, text: str) -> str | None:
    """Why what follows `checkmate` is wrong, or None."""
    if text == "timeout":
        return None
    answer = Answer(NO_MATE) if text == "nomate" else Answer(MATE, tuple(text.split()))
    return contradiction(problem, answer)


def stop(tsumero: Path, files: list[Path], hash_mb: int, threads: int, times: int, limit: float, most: float,
         seed: int) -> bool:
    """All times in seconds. Returns whether every answer came within `limit` and none was wrong."""
    problems = [problem for path in files for problem in read_problems(path)]
    chance = random.Random(seed)
    taken: list[float] = []
    complaints: list[str] = []
    solved = 0
    with tempfile.TemporaryDirectory() as folder:
        engine = UsiEngine([str(tsumero)], Path(folder), "tsumero", HANG_SECONDS)
        try:
            engine.handshake()
            engine.set_option("USI_Hash", str(hash_mb))
            engine.set_option("Threads", str(threads))
            engine.ready()
            tried = 0
            while len(taken) < times:
                if not problems:
                    raise SetupError("every problem is solved before it can be stopped; name harder files")
                problem = problems[tried % len(problems)]
                engine.start_solving(f"position sfen {problem.sfen}", "go mate infinite")
                answer = engine.early_mate_answer(chance.uniform(SHORTEST_WAIT, most))
                if answer is None:
                    tried += 1
                    answer, seconds = engine.stop_solving(HANG_SECONDS)
                    taken.append(seconds)
                else:
                    # It would be solved too soon again.
                    problems.remove(problem)
                    solved += 1
                fault = fault_of(problem, answer)
                if fault is not None:
                    complaints.append(f"{fault}  [{problem.sfen}]")
        finally:
            engine.close()
    for complaint in complaints:
        print(complaint)
    print(f"stop answered {len(taken)} times: median {1000 * quantile(taken, 0.5):.1f} ms, "
          f"max {1000 * max(taken):.1f} ms (limit {1000 * limit:.0f} ms); {solved} problems ended before")
    return max(taken) <= limit and not complaints
