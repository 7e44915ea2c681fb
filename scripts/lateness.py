#!/usr/bin/env python3
"""How late the engine answers when everything is against it.

The cases: huge tables that were only just asked for, hundreds of threads, and a hundred thousand lines behind a search. Each line
of the output shows how many milliseconds after its limit, or after the `stop`, each answer came. The largest memory follows. The
machine is measured with the engine: run this while nothing else runs. See docs/testing.md.
"""

import argparse
import threading
import time
from pathlib import Path

from usi_client import Engine

# A middlegame position without a short mate.
HARD = "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
OPTION = "setoption name MultiPV value 1\n"
# What may follow a search, in lines.
FLOODS = {
    "nothing": "",
    "99,000 options": OPTION * 99_000,
    "99,000 options and 1,000 boards": OPTION * 99_000 + "d\n" * 1_000,
    "100,000 boards": "d\n" * 100_000,
    "100,000 unknown commands": "nonsense\n" * 100_000,
    "100,000 empty lines": "\n" * 100_000,
}


def report(case: str, late: list[float]) -> None:
    print(f"{case:<62}", " ".join(f"{seconds * 1000:5.0f}" for seconds in late), "ms", flush=True)


def new_tables(program: Path, rounds: int) -> None:
    """A table of 8 GB is asked for right before each search."""
    engine = Engine(program)
    sizes = iter(range(8191, 0, -1))

    def limited(go: str, limit: float, answer: str) -> float:
        engine.send(f"setoption name USI_Hash value {next(sizes)}\nposition {HARD}\n")
        return -engine.send(f"go {go}\n") - limit + engine.wait(answer)

    report("8 GB just set, movetime 500", [limited("movetime 500", 0.5, "bestmove") for _ in range(rounds)])
    report("8 GB just set, go mate 300", [limited("mate 300", 0.3, "checkmate") for _ in range(rounds)])
    stops = []
    for _ in range(rounds):
        engine.send(f"setoption name USI_Hash value {next(sizes)}\ngo infinite\n")
        time.sleep(0.1)
        stops.append(-engine.send("stop\n") + engine.wait("bestmove"))
    report("8 GB just set, stop after 100 ms", stops)
    engine.end()


def many_threads(program: Path, rounds: int) -> None:
    engine = Engine(program)
    for name, value in {"USI_Hash": 64, "Threads": 512, "NetworkDelay": 0, "NetworkDelay2": 0}.items():
        engine.set_option(name, value)
    engine.ask("isready", "readyok")
    for go, limit in (("movetime 300", 0.3), ("btime 0 wtime 0 byoyomi 500", 0.5)):
        report(f"512 threads, {go}", [-engine.send(f"go {go}\n") - limit + engine.wait("bestmove") for _ in range(rounds)])
    stops = []
    for _ in range(rounds):
        engine.send("go infinite\n")
        time.sleep(0.2)
        stops.append(-engine.send("stop\n") + engine.wait("bestmove"))
    report("512 threads, stop after 200 ms", stops)
    print(f"    largest memory {engine.peak()} MB with a table of 64 MB")
    engine.end()


def floods(program: Path, rounds: int) -> None:
    """The time from the end of writing, because a pipe holds only a part of the lines."""
    engine = Engine(program)
    engine.ask("isready", "readyok")
    for name, flood in FLOODS.items():
        for case, go, limit, last in (("stop", "infinite", 0.0, "stop\n"), ("movetime 400", "movetime 400", 0.4, "")):
            late = []
            for _ in range(rounds):
                start = engine.send(f"go {go}\n")
                answered: list[float] = []
                # The engine writes while it reads.
                reader = threading.Thread(target=lambda answered=answered: answered.append(engine.wait("bestmove")))
                reader.start()
                written = engine.send(flood + last)
                reader.join()
                late.append(answered[0] - (start + limit if limit else written))
                engine.ask("isready", "readyok")
            report(f"{name} behind a search, {case}", late)
    print(f"    largest memory {engine.peak()} MB with a table of 256 MB")
    engine.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("engine", type=Path)
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each case (default: 3)")
    arguments = parser.parse_args()
    for measure in (new_tables, many_threads, floods):
        measure(arguments.engine, arguments.rounds)


if __name__ == "__main__":
    main()
