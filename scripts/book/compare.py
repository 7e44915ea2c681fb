"""Compares a book with the games that it was made of.

The games are replayed by cshogi, and the book is read as a plain text: nothing of the engine has a part in what is expected.
Arguments: the program, the file of games (USI lines), the book, the number of plies that it holds. Ends with 1 at a difference.
"""

import random
import subprocess
import sys
from collections import Counter, defaultdict

import cshogi


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(1)


def read_games(path):
    """The moves of each game, from the start of the even game."""
    for line in open(path, encoding="utf-8"):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if "startpos" not in words:
            fail(f"a game that does not begin at the start: {line}")
        yield words[words.index("moves") + 1:] if "moves" in words else []


def count_moves(games, plies):
    """How often each move was played in each position, and each reply to it."""
    moves: defaultdict[str, Counter[str]] = defaultdict(Counter)
    replies: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for game in games:
        board = cshogi.Board()
        for index, word in enumerate(game[:plies]):
            sfen = board.sfen()
            moves[sfen][word] += 1
            if index + 1 < len(game):
                replies[sfen, word][game[index + 1]] += 1
            move = board.move_from_usi(word)
            if not board.is_legal(move):
                fail(f"{word} is not legal in {sfen}")
            board.push(move)
    return moves, replies


def read_book(path):
    book: dict[str, list] = {}
    keys = []
    with open(path, encoding="utf-8") as file:
        if next(file) != "#YANEURAOU-DB2016 1.00\n":
            fail("the header is missing")
        for line in file:
            if line.startswith("#"):
                continue
            if line.startswith("sfen "):
                keys.append(line.encode())
                entries = book.setdefault(line[5:].strip(), [])
            else:
                entries.append(line.split())
    if keys != sorted(keys) or len(set(keys)) != len(keys):
        fail("the positions are not sorted")
    return book


def main():
    tsumero, games, path, plies = *sys.argv[1:4], int(sys.argv[4])
    moves, replies = count_moves(read_games(games), plies)
    book = read_book(path)
    if set(book) != set(moves):
        fail(f"{len(book)} positions in the book, {len(moves)} in the games")
    for sfen, entries in book.items():
        found = {entry[0]: int(entry[4]) for entry in entries}
        if len(found) != len(entries) or found != dict(moves[sfen]):
            fail(f"{sfen}: {found} instead of {dict(moves[sfen])}")
        for move, ponder, *_ in entries:
            expected = replies[sfen, move]
            is_usual = expected[ponder] == max(expected.values()) if expected else ponder == "none"
            if not is_usual:
                fail(f"{sfen}: {ponder} is not the usual reply to {move}: {expected}")
    print(f"{len(book)} positions and {sum(map(len, book.values()))} moves are those of the games")

    chosen = random.Random(1).sample(sorted(book), 40)
    for options in ([], ["--on-the-fly"]):
        for sfen in chosen:
            shown = subprocess.run([tsumero, "book", "show", *options, path, sfen], capture_output=True, text=True, check=True)
            if [line.split() for line in shown.stdout.splitlines()] != book[sfen]:
                fail(f"{sfen}: shown {shown.stdout}")
    print(f"{len(chosen)} positions are shown as they stand in the book, from memory and on the fly")


main()
