"""Counts the lost games of a match in which `go mate` finds a mate for the loser; scripts/missed_mates.sh starts it."""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from faults import EngineFault, SetupError
from profiles import build_tsumero
from usi_engine import UsiEngine

ROLES = ("engine", "opponent")
# What an answer may take beyond the time of the search.
PATIENCE_SECONDS = 10.0


@dataclass(frozen=True)
class Missed:
    """A mate of so many plies that the loser of a game had at a ply, counted from 1."""

    game: int
    ply: int
    plies: int


def lost_games(folder: Path, role: str) -> list[dict]:
    """The games of a match that one of the two lost."""
    file = folder / "games.jsonl"
    lost = {"engine": "loss", "opponent": "win"}[role]
    games = [read_game(line, f"{file}, line {number}")
             for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)]
    return [game for game in games if game["result"] == lost]


def read_game(line: str, place: str) -> dict:
    try:
        game = json.loads(line)
    except ValueError:
        game = None
    if not isinstance(game, dict) or not {"game", "result", "color", "position", "opening_plies"} <= game.keys():
        raise SetupError(f"{place}: not a game of a match")
    return game


def loser_is_black(game: dict) -> bool:
    return (game["color"] == "black") == (game["result"] == "loss")


def positions_of_loser(game: dict) -> Iterator[tuple[int, str]]:
    """Every position of a game in which the loser chose a move: its ply and the command that sets it up."""
    words = game["position"].split()
    at = words.index("moves") + 1 if "moves" in words else len(words)
    base, moves = words[:at], words[at:]
    if not moves:
        return
    starts_black = "sfen" not in base or base[base.index("sfen") + 2] == "b"
    for played in range(game["opening_plies"], len(moves)):
        if (starts_black == (played % 2 == 0)) == loser_is_black(game):
            yield played + 1, " ".join(base[:-1] if played == 0 else base + moves[:played])


def first_mate(engine: UsiEngine, game: dict, milliseconds: int) -> Missed | None:
    """The earliest mate that the solver finds for the loser of a game."""
    for ply, position in positions_of_loser(game):
        engine.start_solving(position, f"go mate {milliseconds}")
        answer = engine.early_mate_answer(milliseconds / 1000 + PATIENCE_SECONDS)
        if answer is None:
            raise SetupError(f"no answer to go mate {milliseconds} in {position}")
        if answer == "notimplemented":
            raise SetupError(f"{engine.name} does not solve mates (checkmate notimplemented)")
        if answer not in ("nomate", "timeout"):
            return Missed(game["game"], ply, len(answer.split()))
    return None


def count(program: Path, folder: Path, milliseconds: int, hash_mb: int) -> None:
    """Prints what was missed by either side of a match."""
    with tempfile.TemporaryDirectory() as logs:
        engine = UsiEngine([str(program)], Path(logs), "solver", PATIENCE_SECONDS)
        try:
            engine.handshake()
            engine.set_option("USI_Hash", str(hash_mb))
            engine.ready()
            for role in ROLES:
                games = lost_games(folder, role)
                found = [first_mate(engine, game, milliseconds) for game in games]
                missed = [mate for mate in found if mate is not None]
                print(f"{role}: {len(games)} games lost, {len(missed)} of them with a mate missed", flush=True)
                for mate in missed:
                    print(f"  game {mate.game + 1}: mate in {mate.plies} at ply {mate.ply}", flush=True)
        finally:
            engine.close()


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="scripts/missed_mates.sh", description="Asks `go mate` before each move of the loser of a game, and "
        "counts the games in which it finds a mate.")
    p.add_argument("folder", type=Path, help="the folder of a match (scripts/match.sh --out)")
    p.add_argument("--engine", type=Path, help="the program that solves (default: tsumero is built and used)")
    p.add_argument("--time", type=int, default=1000, metavar="MS", help="time for each position (1000)")
    p.add_argument("--hash", type=int, default=64, metavar="MB", help="memory of the solver (64)")
    return p


def main() -> int:
    arguments = parser().parse_args()
    try:
        program = (arguments.engine or build_tsumero()).resolve()
        count(program, arguments.folder, arguments.time, arguments.hash)
    except (SetupError, EngineFault, OSError, ValueError) as error:
        print(f"missed_mates: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
