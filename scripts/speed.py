#!/usr/bin/env python3
"""The speed of an engine, side by side: nodes a second against Fairy-Stockfish, or the time to a depth with several threads.

    scripts/speed.py nodes target/release/tsumero
    scripts/speed.py depth target/release/tsumero --threads 2 --depth 14

Both take turns position by position, and medians are compared, so that noise hits both. The machine is measured with the engine:
run this while nothing else runs. See docs/search.md.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import time
from pathlib import Path

from usi_client import Engine

# The starting position, a yagura middlegame and the matsuri position, which is widely used to compare shogi programs.
NODES_POSITIONS = {
    "start": "startpos",
    "yagura": "sfen ln1g3nl/1ks1gr3/1ppppsbpp/p4pp2/9/P1PP1SP1P/1PSB1P1P1/1KG2G1R1/LN5NL b P 1",
    "matsuri": "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
}
# A shorter search says more about the start of its threads than about the search.
SHORTEST = 0.05


def start(program: str, threads: int) -> Engine:
    """An engine with tables of 64 MB."""
    engine = Engine(program)
    fairy = "fairy" in Path(program).name
    engine.set_option("Threads", threads)
    engine.set_option("Hash" if fairy else "USI_Hash", 64)
    if fairy:
        engine.set_option("UCI_Variant", "shogi")
    return engine


def search(engine: Engine, position: str, go: str) -> tuple[float, int]:
    """Searches with empty tables. Returns the seconds, and the nodes a second of the last report."""
    engine.new_game()
    engine.send(f"position {position}\n")
    started = time.perf_counter()
    lines = engine.ask(f"go {go}", "bestmove")
    taken = time.perf_counter() - started
    speeds = [int(found[1]) for line in lines if (found := re.search(r" nps (\d+)", line))]
    return taken, speeds[-1] if speeds else 0


def nodes(arguments: argparse.Namespace) -> None:
    programs = {"engine": arguments.engine, "Fairy-Stockfish": arguments.opponent}
    engines = {name: start(program, 1) for name, program in programs.items()}
    ratios = []
    for name, position in NODES_POSITIONS.items():
        rounds: dict[str, list[int]] = {name: [] for name in engines}
        for _ in range(arguments.rounds):
            for who, engine in engines.items():
                rounds[who].append(search(engine, position, f"movetime {arguments.milliseconds}")[1])
        own, other = (statistics.median(speeds) for speeds in rounds.values())
        if min(own, other) == 0:
            raise SystemExit(f"{name}: a search ended without saying its nodes a second; --milliseconds makes it longer")
        ratios.append(own / other)
        print(f"{name:<8} {own:>9,.0f} and {other:>9,.0f} nodes a second: {ratios[-1]:.2f}", flush=True)
    print(f"geometric mean {statistics.geometric_mean(ratios):.2f}")
    for engine in engines.values():
        engine.end()


def depth(arguments: argparse.Namespace) -> None:
    # Another engine takes the words for nothing, or waits for commands.
    command = [arguments.engine, "bench", "--depth", "1"]
    lines = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True).stderr.splitlines()
    positions = ["sfen " + found[1] for line in lines if (found := re.match(r"\d+/\d+ (.*): \d+ nodes$", line))]
    if not positions:
        raise SystemExit(f"{arguments.engine} does not name its positions: `bench` is that of another program")
    engines = [start(arguments.engine, threads) for threads in (1, arguments.threads)]
    ratios = []
    for number, position in enumerate(positions, 1):
        times: list[list[float]] = [[], []]
        for _ in range(arguments.rounds):
            for engine, taken in zip(engines, times, strict=True):
                taken.append(search(engine, position, f"depth {arguments.depth}")[0])
        one, several = (statistics.median(taken) for taken in times)
        if one < SHORTEST:
            print(f"{number:>2}: {one:6.2f} s, too short to count")
            continue
        ratios.append(several / one)
        print(f"{number:>2}: {one:6.2f} s and {several:6.2f} s: {ratios[-1]:.2f}", flush=True)
    if not ratios:
        raise SystemExit("no search took long enough; --depth makes them longer")
    print(f"geometric mean of {len(ratios)} positions {statistics.geometric_mean(ratios):.3f}")
    for engine in engines:
        engine.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    kinds = parser.add_subparsers(dest="kind", required=True)
    for measure in (nodes, depth):
        kind = kinds.add_parser(measure.__name__)
        kind.set_defaults(measure=measure)
        kind.add_argument("engine")
        kind.add_argument("--rounds", type=int, default=3, help="searches of each position (default: 3)")
    kinds.choices["nodes"].add_argument("--opponent", default="fairy-stockfish")
    kinds.choices["nodes"].add_argument("--milliseconds", type=int, default=2_000, help="length of a search (default: 2000)")
    kinds.choices["depth"].add_argument("--threads", type=int, default=2)
    kinds.choices["depth"].add_argument("--depth", type=int, default=14)
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    # Debian installs Fairy-Stockfish where only a user's path leads.
    path = f"{os.environ.get('PATH', '')}:/usr/games"
    for name in ("engine", "opponent"):
        program = getattr(arguments, name, None)
        if program:
            found = shutil.which(program, path=path) or parser.error(f"there is no program {program}")
            setattr(arguments, name, found)
    arguments.measure(arguments)


if __name__ == "__main__":
    main()
