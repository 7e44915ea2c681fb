"""Compares what `tsumero record` writes with what other programs read of it.

Every good game of the test data is written in every format and read by tsshogi and json-kifu-format (npm), cshogi and
python-shogi (PyPI). First position, moves and number of branches have to be the same. What a reader is known to get wrong is
counted with the reason; everything else ends with exit code 1.
"""

import json
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import cshogi
import cshogi.CSA
import cshogi.KIF
import shogi.CSA
import shogi.KIF

FORMATS = ["kif", "ki2", "csa", "jkf", "usi"]
CSHOGI = {"kif", "csa", "usi"}
PYTHON_SHOGI = {"kif", "csa"}
# Words that readers stop at.
UNKNOWN_ENDINGS = {
    ("cshogi", "kif"): ["no_mate"],
    ("python-shogi", "kif"): ["no_mate"],
    ("json-kifu-format", "kif"): ["declaration", "draw", "max_moves", "default_win", "default_loss"],
    ("json-kifu-format", "ki2"): ["declaration", "draw", "max_moves", "default_win", "default_loss"],
}
NPM = {"tsshogi": FORMATS, "json-kifu-format": ["kif", "ki2", "csa", "jkf"]}


def unable(reader, fmt, game, has_failed):
    """Why a reader cannot be expected to read this game; None if it should."""
    ending, initial = game["ending"], game["initial"]
    if fmt == "kif" and reader in ("cshogi", "python-shogi"):
        if game["branches"]:
            return "adds the moves of branches to the main line"
        if game["has_diagram"]:
            return "knows no diagram"
    if has_failed and ending in UNKNOWN_ENDINGS.get((reader, fmt), []):
        return "does not know the ending"
    if reader == "python-shogi" and fmt == "csa" and not initial.endswith("- 1"):
        return "loses pieces in hand"
    if reader == "json-kifu-format" and has_failed:
        if fmt == "csa" and any(time and time % 1000 for time in game.get("times", [])):
            return "knows no CSA of version 3"
        if fmt == "ki2" and str(len(game["moves"]) + 1) in game.get("comments", {}):
            return "knows no comment on an ending"
        if fmt == "ki2" and game["branches"]:
            return "takes a branch of a branch for one of the main line"
    return None


def board_and_hands(sfen):
    """An SFEN without the move number, with the hands in one order."""
    board, side, hands = sfen.split()[:3]
    counted: Counter[str] = Counter()
    number = ""
    for letter in "" if hands == "-" else hands:
        if letter.isdigit():
            number += letter
        else:
            counted[letter] += int(number or 1)
            number = ""
    return board, side, counted


def with_cshogi(fmt, text):
    if fmt == "usi":
        board = cshogi.Board()
        words = text.split()
        if words[-1] in ("resign", "break", "rep_draw", "draw", "win", "timeout"):
            words.pop()
        board.set_position(" ".join(words[1:]))
        moves = [cshogi.move_to_usi(move) for move in board.history]
        while board.history:
            board.pop()
        return {"initial": board.sfen(), "moves": moves}
    parsed = cshogi.KIF.Parser.parse_str(text) if fmt == "kif" else cshogi.CSA.Parser.parse_str(text)[0]
    return {"initial": parsed.sfen, "moves": [cshogi.move_to_usi(move) for move in parsed.moves]}


def with_python_shogi(fmt, text):
    parser = shogi.KIF.Parser if fmt == "kif" else shogi.CSA.Parser
    parsed = parser.parse_str(text)[0]
    return {"initial": parsed["sfen"], "moves": parsed["moves"]}


def main():
    tsumero, data, readers = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    npm = subprocess.Popen(["node", readers], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert npm.stdin is not None and npm.stdout is not None
    asked, answered = npm.stdin, npm.stdout

    def with_npm(reader, fmt, text):
        asked.write(json.dumps({"reader": reader, "format": fmt, "text": text}) + "\n")
        asked.flush()
        return json.loads(answered.readline())

    def record(to, source, text=None):
        command = [tsumero, "record", "--to", to, source]
        done = subprocess.run(command, input=text, capture_output=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))} ends with {done.returncode}: {done.stderr.decode()}")
        return done.stdout

    agree: Counter[tuple[str, str]] = Counter()
    known: Counter[tuple[str, str, str]] = Counter()
    wrong = 0
    for path in sorted(data.glob("real/*")) + sorted(data.glob("made/*")):
        # A line of JKF holds all of a game.
        games, wholes = record("json", path), record("jkf", path)
        if not games:
            sys.exit(f"{path.name}: no game")
        for line, whole in zip(games.splitlines(), wholes.splitlines(keepends=True), strict=True):
            game = json.loads(line)
            game["has_diagram"] = b'"OTHER"' in whole
            for fmt in FORMATS:
                text = record(fmt, "-", whole).decode()
                branches = 0 if fmt in ("csa", "usi") else game["branches"]
                answers = {reader: partial(with_npm, reader, fmt, text) for reader, formats in NPM.items() if fmt in formats}
                if fmt in CSHOGI:
                    answers["cshogi"] = partial(with_cshogi, fmt, text)
                if fmt in PYTHON_SHOGI:
                    answers["python-shogi"] = partial(with_python_shogi, fmt, text)
                for reader, ask in answers.items():
                    try:
                        answer = ask()
                    except Exception as error:  # noqa: BLE001 (whatever a reader raises is its answer)
                        answer = {"error": f"{type(error).__name__}: {error}"}
                    difference = answer.get("error")
                    if not difference:
                        if board_and_hands(answer["initial"]) != board_and_hands(game["initial"]):
                            difference = f"first position {answer['initial']}"
                        elif answer["moves"] != game["moves"]:
                            difference = f"{len(answer['moves'])} moves instead of {len(game['moves'])}"
                        elif answer.get("branches", branches) != branches:
                            difference = f"{answer['branches']} branches instead of {branches}"
                    if not difference:
                        agree[reader, fmt] += 1
                    elif reason := unable(reader, fmt, game, bool(answer.get("error"))):
                        known[reader, fmt, reason] += 1
                    else:
                        wrong += 1
                        print(f"{path.name} as {fmt}: {reader}: {difference}")
    asked.close()
    for (reader, fmt), count in sorted(agree.items()):
        print(f"{reader} agrees on {count} games in {fmt}")
    for (reader, fmt, reason), count in sorted(known.items()):
        print(f"{reader}, {fmt}, {count} games: {reason}")
    return 1 if wrong else 0


sys.exit(main())
