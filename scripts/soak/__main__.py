"""Command line of the endurance test; scripts/soak.sh starts it. See docs/testing.md."""

import argparse
import hashlib
import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from driver import GAMES_FILE, load_games
from faults import ILLEGAL_MOVE, EngineFault, SetupError
from mixture import Player, sample
from profiles import REPOSITORY, build_tsumero
from referee import Referee
from usi_engine import UsiEngine
from whole_files import write_whole

OPENINGS = REPOSITORY / "scripts" / "openings.sfen"
# The memory is looked at after so many games of a process.
EVERY = 20
# How much more there may be at any later look than at the first one.
TOLERANCE = 0.05


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="scripts/soak.sh",
        description="Plays short games of two engines with random limits, stops, ponder hits, options and nonsense.",
        epilog="Exit status: 0 no fault, 1 some fault, 2 it could not begin. Called again with the same --out, it goes on until "
               "there are --games games.")
    p.add_argument("--engine", help="the program (default: builds and uses target/release/tsumero)")
    p.add_argument("--games", type=int, default=1000, help="games in all (1000)")
    p.add_argument("--plies", type=int, default=50, help="a game ends after so many plies (50)")
    p.add_argument("--seconds", type=float, default=float("inf"), help="begin no game after so many seconds")
    p.add_argument("--margin", type=int, default=1000, metavar="MS", help="how late an answer may be before it is a fault (1000)")
    p.add_argument("--out", type=Path, help="folder of games and logs (default: one that is thrown away)")
    return p


def play(players: list[Player], openings: list[str], draw: random.Random, plies: int) -> tuple[int, str]:
    """One game. Its plies and how it ended; raises a fault."""
    opening = draw.choice(openings)
    referee = Referee(opening, plies)
    for player in players:
        player.engine.new_game()
    side = 0
    while (ending := referee.ending()) is None:
        move = players[side].move(referee)
        if move == "resign":
            return len(referee.moves), "resignation"
        if move == "win":
            referee.declare()
            return len(referee.moves), "declaration"
        referee.play(move)
        side = 1 - side
    return len(referee.moves), ending.reason


def launch(program: str, folder: Path, number: int) -> list[UsiEngine]:
    """Two processes that know the protocol. A fault on the way is a setup error."""
    engines: list[UsiEngine] = []
    try:
        for side in ("a", "b"):
            engines.append(UsiEngine([program], folder, f"{number}-{side}", hang_seconds=60.0))
            engines[-1].handshake()
    except BaseException as error:
        # Also if the user interrupts.
        for engine in engines:
            engine.kill()
        if isinstance(error, EngineFault):
            raise SetupError(f"{program} does not start: {error}") from error
        raise
    return engines


def read_openings(plies: int) -> list[str]:
    openings = [line for line in OPENINGS.read_text().splitlines() if line.strip()]
    longest = max(len(line.partition(" moves ")[2].split()) for line in openings)
    if plies <= longest:
        raise SetupError(f"--plies must be above {longest}, the length of the longest opening")
    return openings


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def games_before(folder: Path, settings: dict) -> list[dict]:
    """Notes what the games of a folder are played with, and returns those that are there; they must be of the same run."""
    results, file = folder / GAMES_FILE, folder / "soak.json"
    if file.exists():
        try:
            before = json.loads(file.read_bytes())
        except ValueError:
            before = None
        if not isinstance(before, dict):
            raise SetupError(f"{file} is damaged; choose another --out")
        if changed := [key for key in settings if before.get(key) != settings[key]]:
            raise SetupError(f"{folder} holds another run ({', '.join(changed)} differ); choose another --out")
    elif results.exists():
        raise SetupError(f"{folder} holds {GAMES_FILE} but no {file.name}: it is of no endurance test; choose another --out")
    else:
        write_whole(file, [json.dumps(settings).encode() + b"\n"])
    games = load_games(folder)
    for number, game in enumerate(games):
        if not (isinstance(game, dict) and game.get("game") == number and isinstance(game.get("fault", 0), str | None)):
            raise SetupError(f"{results} is damaged: line {number + 1} is no game of this run")
    return games


def soak(args: argparse.Namespace, folder: Path) -> bool:
    """Plays the games; whether all went well."""
    openings = read_openings(args.plies)
    # The engine is started in a folder of its own.
    program = str(Path(args.engine).resolve() if args.engine else build_tsumero())
    try:
        digests = {"program": digest(Path(program)), "openings": digest(OPENINGS)}
    except OSError as error:
        raise SetupError(f"cannot start {program}: {error.strerror}") from error
    before = games_before(folder, {**digests, "plies": args.plies, "margin": args.margin})
    results = folder / GAMES_FILE
    counts: Counter[str] = Counter()
    slowest: dict[str, float] = {}
    faults = [game["fault"] for game in before if game["fault"]]
    engines: list[UsiEngine] = []
    memory: list[list[int]] = []
    begun = time.monotonic()
    own = 0
    for number in range(len(before), args.games):
        if time.monotonic() - begun > args.seconds:
            break
        if not engines:
            engines = launch(program, folder / "logs", number)
            own, memory = 0, [[], []]
        # Every game has its own numbers, so that a run that goes on plays what it would have played.
        draw = random.Random(number)
        players = [Player(engine, draw, counts, slowest, args.margin / 1000) for engine in engines]
        fault, plies, ending = None, 0, "fault"
        try:
            plies, ending = play(players, openings, draw, args.plies)
            own += 1
            if own % EVERY == 0:
                for engine, samples in zip(engines, memory, strict=True):
                    samples.append(sample(engine))
                    if samples[-1] > samples[0] * (1 + TOLERANCE):
                        fault = f"memory: {samples[-1]} KiB after game {own} of the process, {samples[0]} after game {EVERY}"
        except EngineFault as error:
            fault = str(error)
        if fault is not None:
            faults.append(fault)
            print(f"game {number}: {fault}", flush=True)
            for engine in engines:
                engine.record_fault(EngineFault(ILLEGAL_MOVE, fault))
                engine.kill()
                engine.close()
            engines = []
        with results.open("a", encoding="utf-8") as out:
            told = {"game": number, "of_process": own, "plies": plies, "ending": ending, "fault": fault,
                    "memory_kib": [samples[-1] for samples in memory if samples]}
            out.write(json.dumps(told) + "\n")
        if sys.stderr.isatty():
            print(f"\r{number + 1}/{args.games}", end="\r", file=sys.stderr, flush=True)
    for engine in engines:
        engine.close()
    games = sum(1 for _ in results.open(encoding="utf-8")) if results.exists() else 0
    print(f"games: {games}, faults: {len(faults)}")
    searches = sum(count for kind, count in counts.items() if kind.startswith("go"))
    print(f"this run: {searches} searches, each answered once unless a fault says otherwise")
    for kind, count in sorted(counts.items()):
        print(f"  {kind}: {count}")
    for what, seconds in sorted(slowest.items()):
        print(f"slowest {what}: {1000 * seconds:.0f} ms")
    for samples in memory:
        if samples:
            shown = " ".join(f"{(number + 1) * EVERY}: {kib}" for number, kib in enumerate(samples))
            print(f"resident KiB after games of the process: {shown}")
    return not faults


def main() -> int:
    args = parser().parse_args()
    try:
        if args.out is not None:
            args.out.mkdir(parents=True, exist_ok=True)
            return 0 if soak(args, args.out) else 1
        with tempfile.TemporaryDirectory() as folder:
            return 0 if soak(args, Path(folder)) else 1
    except (SetupError, OSError) as error:
        print(f"soak: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
