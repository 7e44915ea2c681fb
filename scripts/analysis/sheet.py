"""Opens a page of mate problems in headless Chromium and checks its boards and how the solution comes to light.

Arguments: the page, the lines of `tsumero tsume generate` that it was made with, and optionally a folder for screenshots. The
expected boards are computed here from the SFEN and the moves alone. Ends with exit code 1 at a difference, an error of a
script, or a request to the network.
"""

import re
import sys
from pathlib import Path

from browser import check_errors, run, shoot

RANKS = "abcdefghi"


def read_board(sfen):
    """The pieces by square."""
    cells = {}
    for rank, row in zip(RANKS, sfen.split()[0].split("/"), strict=True):
        file = 9
        for empty, piece in re.findall(r"(\d)|(\+?[A-Za-z])", row):
            if empty:
                file -= int(empty)
            else:
                cells[f"{file}{rank}"] = piece
                file -= 1
    return cells


def play(cells, move, is_black):
    target = move[2:4]
    if move[1] == "*":
        piece = move[0]
        cells[target] = piece if is_black else piece.lower()
        return
    piece = cells.pop(move[:2])
    cells[target] = f"+{piece}" if move.endswith("+") else piece


def cards(page, place=""):
    dom, _ = run("--dump-dom", page.as_uri() + place)
    return re.findall(r'<article class="card problem">.*?</article>', dom, re.S)


def drawn(card):
    found = {}
    for group in re.findall(r"<g [^>]*>", card):
        value = dict(re.findall(r'([\w-]+)="([^"]*)"', group))
        found[value["data-square"]] = value["data-piece"]
    return found


def check_steps(page, problems):
    longest = max(len(moves) for _, moves in problems)
    for step in range(longest + 1):
        found = cards(page, f"#step={step}&lang=en" if step else "#lang=en")
        if len(found) != len(problems):
            return f"{len(found)} problems instead of {len(problems)}"
        for number, (card, (sfen, moves)) in enumerate(zip(found, problems, strict=True), 1):
            cells = read_board(sfen)
            for index, move in enumerate(moves[:step]):
                play(cells, move, (index % 2 == 0) == (sfen.split()[1] == "b"))
            if drawn(card) != cells:
                return f"problem {number}, {step} moves: another board: {drawn(card)} instead of {cells}"
            shown = len(re.findall(r'<button[^>]* class="step(?: here)?"', card))
            if shown != min(step, len(moves)):
                return f"problem {number}: {shown} moves are shown after {step} taps"
            says_mate = 'class="mate"' in card
            if says_mate != (step >= len(moves)):
                return f"problem {number}: mate is {'' if says_mate else 'not '}said after {step} moves"
    return None


def main():
    page = Path(sys.argv[1]).resolve()
    rows = [line.split(",") for line in Path(sys.argv[2]).read_text().splitlines() if not line.startswith("sfen,")]
    problems = [(row[0], row[2].split()) for row in rows]
    for check in (lambda: check_steps(page, problems), lambda: check_errors(page)):
        if problem := check():
            print(f"{page.name}: {problem}", file=sys.stderr)
            return 1
    print(f"{page.name}: {len(problems)} problems stand as they should, move by move")
    if len(sys.argv) > 3:
        shoot(page, Path(sys.argv[3]), "step=2", ((1280, 1500), (390, 1500)))
    return 0


sys.exit(main())
