"""Times the Python package beside cshogi and python-shogi, and prints the table of docs/python.md.

All libraries do the same work on the same positions, in turns, and the table gives the least time of each over the rounds. A
legal move counts only when the program has it as an object, and game files count with all their moves.
"""

import argparse
import contextlib
import csv
import io
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import cshogi
import cshogi.CSA
import cshogi.KIF
import shogi
import shogi.CSA
import shogi.KIF
import tsumero

ROOT = Path(__file__).resolve().parents[2]

Work = Callable[[], object]


def random_games(count: int) -> list[list[str]]:
    source = random.Random(1)
    games = []
    for _ in range(count):
        board = tsumero.Board()
        while not board.is_game_over() and board.move_number <= 120:
            board.push_usi(source.choice(sorted(str(move) for move in board.legal_moves)))
        games.append([str(move) for move in board.move_stack])
    return games


def sfens_of(games: Sequence[Sequence[str]]) -> list[str]:
    sfens = []
    for game in games:
        board = tsumero.Board()
        for usi in game:
            sfens.append(board.sfen())
            board.push_usi(usi)
    return sfens


def legal_moves(boards: Sequence) -> Work:
    def work():
        for board in boards:
            for _move in board.legal_moves:
                pass

    return work


def do_undo(boards: Sequence) -> Work:
    moves = [list(board.legal_moves) for board in boards]

    def work():
        for board, own in zip(boards, moves, strict=True):
            push, pop = board.push, board.pop
            for move in own:
                push(move)
                pop()

    return work


def each(function: Callable, items: Sequence) -> Work:
    def work():
        for item in items:
            function(item)

    return work


def quietly(function: Callable) -> Callable:
    def call(item):
        with contextlib.redirect_stdout(io.StringIO()):
            return function(item)

    return call


def write_games(folder: Path, games: Sequence[Sequence[str]], kind: str) -> list[str]:
    files = []
    for number, game in enumerate(games):
        text = "position startpos moves " + " ".join(game) + " resign\n"
        (record,) = tsumero.parse_games(text)
        file = folder / f"{number}.{kind}"
        # The other libraries take every KIF for Shift_JIS.
        file.write_text(record.to_text(kind), encoding="cp932" if kind == "kif" else "utf-8")
        files.append(str(file))
    return files


def mates(sfens: Sequence[str], plies: int) -> dict[str, Work]:
    def theirs(sfen):
        return cshogi.Board(sfen).mate_move(plies)

    return {
        "tsumero": each(lambda sfen: tsumero.solve_mate(sfen), sfens),
        "cshogi": each(theirs, sfens),
    }


def problems(plies: int) -> list[str]:
    with open(ROOT / "tests/data/mates.csv", encoding="utf-8") as lines:
        rows = csv.DictReader(line for line in lines if not line.startswith("#"))
        # Only positions of games: both kings are on the board.
        sfens = [row["sfen"] for row in rows if row["plies"] == str(plies)]
    return [sfen for sfen in sfens if "K" in sfen.split()[0] and "k" in sfen.split()[0]]


def works(folder: Path, file_count: int) -> list[tuple[str, int, dict[str, Work]]]:
    games = random_games(20)
    sfens = sfens_of(games)
    ours = [tsumero.Board(sfen) for sfen in sfens]
    theirs = [cshogi.Board(sfen) for sfen in sfens]
    others = [shogi.Board(sfen) for sfen in sfens[::20]]
    calm = [index for index, board in enumerate(ours) if not board.is_check()]
    table: list[tuple[str, int, dict[str, Work]]] = [
        (
            "legal moves, a position",
            len(sfens),
            {"tsumero": legal_moves(ours), "cshogi": legal_moves(theirs), "python-shogi": legal_moves(others)},
        ),
        (
            "do and undo, all moves of a position",
            len(sfens),
            {"tsumero": do_undo(ours), "cshogi": do_undo(theirs), "python-shogi": do_undo(others)},
        ),
        (
            "mate in one, a position",
            len(calm),
            {
                "tsumero": each(tsumero.Board.mate_in_one, [ours[index] for index in calm]),
                "cshogi": each(cshogi.Board.mate_move_in_1ply, [theirs[index] for index in calm]),
            },
        ),
    ]
    for plies in (3, 5):
        found = problems(plies)
        table.append((f"mate in {plies}, a problem", len(found), mates(found, plies)))
    many = [games[number % len(games)] for number in range(file_count)]
    for kind, peer, other in (
        ("kif", cshogi.KIF.Parser.parse_file, shogi.KIF.Parser.parse_file),
        ("csa", cshogi.CSA.Parser.parse_file, shogi.CSA.Parser.parse_file),
    ):
        files = write_games(folder, many, kind)
        read = {
            "tsumero": each(lambda file: [game.moves for game in tsumero.read_games(file)], files),
            "cshogi": each(quietly(peer), files),
            "python-shogi": each(quietly(other), files[: len(files) // 10]),
        }
        table.append((f"reading a {kind.upper()} file", len(files), read))
    return table


def share(name: str, part: str, count: int) -> float:
    """How many units a library did: python-shogi gets a part of the work, because it is slow."""
    if name != "python-shogi":
        return count
    return count // 10 if part.startswith("reading") else (count + 19) // 20


def shown(seconds: float) -> str:
    return f"{seconds * 1e6:.2f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=3, help="fewest rounds; short work gets more")
    parser.add_argument("--files", type=int, default=10_000, help="game files to read")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print("| work | tsumero | cshogi | python-shogi |")
        print("|---|---:|---:|---:|")
        for part, count, libraries in works(Path(folder), arguments.files):
            least: dict[str, float] = {}
            begun, rounds = time.perf_counter(), 0
            # Short work is repeated until one round of each library was undisturbed.
            while rounds < arguments.rounds or time.perf_counter() - begun < 4:
                rounds += 1
                for name, work in libraries.items():
                    started = time.perf_counter()
                    work()
                    taken = (time.perf_counter() - started) / share(name, part, count)
                    least[name] = min(taken, least.get(name, taken))
            cells = [shown(least[name]) if name in least else "—" for name in ("tsumero", "cshogi", "python-shogi")]
            print(f"| {part} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
