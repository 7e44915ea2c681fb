"""What the solver says of a position, and whether it is true as far as one line of play can tell."""

import re
from dataclasses import dataclass

from faults import EngineFault, SetupError
from problems import Known, Problem
from referee import Referee

MATE, NO_MATE, UNKNOWN = "mate", "nomate", "unknown"
# Why a position is unknown if the solver found that its own proof does not hold.
BROKEN = "broken"


@dataclass(frozen=True)
class Answer:
    """A line of `tsumero mate`. `line` is empty unless `kind` is mate; `why` is empty unless it is unknown."""

    kind: str
    line: tuple[str, ...] = ()
    why: str = ""

    def __str__(self) -> str:
        if self.kind == MATE:
            return f"{MATE} {len(self.line)}"
        return f"{self.kind} {self.why}".rstrip()


def parse_answer(text: str) -> Answer:
    """Reads `mate PLIES [(...)] MOVE ...`, `nomate` or `unknown WHY`. Raises `ValueError` on anything else, and if there
    are not as many moves as plies."""
    match = re.fullmatch(r"mate (\d+)(?: \([^)]*\))?((?: \S+)*)", text)
    if match:
        line = tuple(match[2].split())
        if not line or int(match[1]) != len(line):
            raise ValueError(f"{match[1]} plies and {len(line)} moves")
        return Answer(MATE, line)
    if text == NO_MATE:
        return Answer(NO_MATE)
    match = re.fullmatch(r"unknown (\S+)", text)
    if match:
        return Answer(UNKNOWN, why=match[1])
    raise ValueError(f"malformed answer '{text[:80]}'")


def refusal(text: str) -> str | None:
    """Why the solver has not taken a position of a file, or None if the line is an answer."""
    return text.removeprefix("error ") if text.startswith("error ") else None


def fault_of_line(sfen: str, line: tuple[str, ...]) -> str | None:
    """Why a line is no mate, or None if it is one: every move legal for two libraries, every move of the attacker a
    check, an odd number of moves, and no legal move against the last check, which is no dropped pawn."""
    try:
        game = Referee(f"sfen {sfen}", 10**6, is_opening=False)
    except SetupError as error:
        return str(error)
    if len(line) % 2 == 0:
        return "an even number of moves"
    for number, move in enumerate(line, 1):
        try:
            game.play(move)
        except EngineFault as fault:
            return f"move {number}: {fault.detail}"
        if number % 2 == 1 and not game.in_check:
            return f"move {number} ({move}) gives no check"
    if game.legal_moves():
        return f"no mate after the last move ({line[-1]})"
    if line[-1].startswith("P*"):
        return "the last move mates by dropping a pawn"
    return None


def contradiction(problem: Problem, answer: Answer) -> str | None:
    """Why an answer is wrong, or None. What is unknown is wrong only where the solver has found its own proof broken."""
    if answer.kind == MATE:
        fault = fault_of_line(problem.sfen, answer.line)
        if fault is not None:
            return fault
        if problem.known == Known.NO_MATE:
            return f"mate in {len(answer.line)} claimed where there is none"
        if problem.is_exact and len(answer.line) != problem.plies:
            return f"mate in {len(answer.line)} instead of {problem.plies}"
    elif answer.kind == NO_MATE and problem.known == Known.MATE:
        return "no mate claimed where there is one"
    elif answer.kind == UNKNOWN and answer.why == BROKEN:
        return "a proof does not hold"
    return None


def replies_of_line(sfen: str, line: tuple[str, ...]) -> list[tuple[str, int, str]]:
    """The other replies along a mating line: for each of the defender's legal moves that the line does not show, the
    position after it, the number of plies the mate may still take there, and the moves that led to it."""
    game = Referee(f"sfen {sfen}", 10**6, is_opening=False)
    others = []
    for number, move in enumerate(line, 1):
        if number % 2 == 0:
            for reply in game.legal_moves():
                if reply != move:
                    branch = Referee(f"sfen {sfen}", 10**6, is_opening=False)
                    for earlier in (*game.moves, reply):
                        branch.play(earlier)
                    others.append((branch.sfen, len(line) - number, " ".join(branch.moves)))
        game.play(move)
    return others
