"""The rules of a game, decided by two independent libraries: cshogi and rsshogi.

A move counts as legal only if both say so. Two are asked because one is not enough: cshogi's `is_legal` trusts its
caller to pass a well-formed move (it accepts an unpromoted pawn on the last rank), so its list of legal moves is
used instead, and rsshogi confirms it. A disagreement is named in the message, because it would be a bug in a library.
"""

from collections import Counter
from dataclasses import dataclass

import cshogi
from rsshogi.core import Board, Move, parse_usi_position

from faults import ILLEGAL_MOVE, EngineFault, SetupError

BLACK, WHITE = "black", "white"


def other(color: str) -> str:
    return WHITE if color == BLACK else BLACK


@dataclass(frozen=True)
class Ending:
    """How a game ended. `winner` is a color or None (draw)."""

    winner: str | None
    reason: str


class Referee:
    """One game: the position, the moves since the opening's base position, and what ends the game."""

    def __init__(self, opening: str, max_plies: int, is_opening: bool = True):
        """`opening` is what follows the word `position` in USI; `is_opening` demands that play can go on from there."""
        words = opening.split()
        if words and words[0] == "position":
            words = words[1:]
        split = words.index("moves") if "moves" in words else len(words)
        self.base = " ".join(words[:split])
        self.max_plies = max_plies
        self.moves: list[str] = []
        self.csa_moves: list[str] = []
        self._board = cshogi.Board()
        try:
            self._board.set_position(self.base)
            self._second: Board = parse_usi_position("position " + self.base)
        except (RuntimeError, ValueError, IndexError) as error:
            raise SetupError(f"unreadable opening '{opening}': {error}") from error
        board, turn, *rest = self._board.sfen().split()
        if cshogi.Board(" ".join([board, "w" if turn == "b" else "b", *rest])).is_check():
            raise SetupError(f"opening '{opening}': the side to move could capture the king")
        self.start_csa = self._board.csa_pos()
        self._first_color = self.turn
        # Position keys from the base position on, and whether the move that led to each gave check.
        self._keys = [self._key()]
        self._checks = [False]
        self._seen = Counter(self._keys)
        for move in words[split + 1 :]:
            try:
                self.play(move)
            except EngineFault as fault:
                raise SetupError(f"opening '{opening}': {fault}") from fault
        self.opening_plies = len(self.moves)
        if is_opening and (ending := self.ending()) is not None:
            raise SetupError(f"opening '{opening}' is already decided: {ending.reason}")

    @property
    def turn(self) -> str:
        return BLACK if self._board.turn == cshogi.BLACK else WHITE

    @property
    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        return self._board.is_check()

    @property
    def sfen(self) -> str:
        """The position on the board."""
        return self._board.sfen()

    def legal_moves(self) -> list[str]:
        """All legal moves as cshogi lists them, non-promotions included."""
        return [cshogi.move_to_usi(move) for move in self._board.legal_moves]

    def position_command(self, *further: str) -> str:
        """The `position` line for the game so far, plus `further` moves."""
        moves = [*self.moves, *further]
        return f"position {self.base}" + (f" moves {' '.join(moves)}" if moves else "")

    def is_legal(self, usi: str) -> bool:
        return self._illegal_because(usi) is None

    def replies(self, usi: str) -> frozenset[str] | None:
        """The legal moves after `usi`, or None if `usi` itself is illegal. The game stays as it is."""
        if not self.is_legal(usi):
            return None
        self._board.push(self._board.move_from_usi(usi))
        moves = frozenset(self.legal_moves())
        self._board.pop()
        return moves

    def play(self, usi: str) -> None:
        """Makes a move; raises an illegal-move fault otherwise."""
        why = self._illegal_because(usi)
        if why is not None:
            raise EngineFault(ILLEGAL_MOVE, f"'{usi}' {why} in '{self.position_command()}'")
        move = self._board.move_from_usi(usi)
        self.csa_moves.append(cshogi.move_to_csa(move))
        self._board.push(move)
        self._second.push_usi(usi)
        self.moves.append(usi)
        key = self._key()
        self._keys.append(key)
        self._checks.append(self._board.is_check())
        self._seen[key] += 1

    def declare(self) -> None:
        """Checks a declaration by the side to move; raises an illegal-move fault if it is not due.

        The 27-point rule is cshogi's alone: rsshogi judges declarations by no rule unless told one, which Python cannot.
        """
        if not self._board.is_nyugyoku(cshogi.LAW_27):
            raise EngineFault(ILLEGAL_MOVE, f"declaration is not due in '{self.position_command()}'")

    def ending(self) -> Ending | None:
        """What the position on the board means for the game, if it ends it."""
        mover = other(self.turn)
        if not any(True for _ in self._board.legal_moves):
            return Ending(mover, "checkmate" if self._board.is_check() else "no legal move")
        if self._seen[self._keys[-1]] >= 4:
            return self._repetition()
        if len(self.moves) >= self.max_plies:
            return Ending(None, "max plies")
        return None

    def _repetition(self) -> Ending:
        """Fourfold: a draw, unless one side gave check with every move since the position first stood on the board."""
        first = self._keys.index(self._keys[-1])
        for color in (BLACK, WHITE):
            # `_checks[i]` belongs to move number i, and odd moves are those of the side that began.
            parity = 1 if color == self._first_color else 0
            own = [self._checks[i] for i in range(first + 1, len(self._keys)) if i % 2 == parity]
            if own and all(own):
                return Ending(other(color), "perpetual check")
        return Ending(None, "repetition")

    def _illegal_because(self, usi: str) -> str | None:
        first = usi in self.legal_moves()
        try:
            second = self._second.is_legal_move(Move.from_usi(usi))
        except ValueError:
            second = False
        if first and second:
            return None
        return "is illegal" if first == second else f"is disputed (cshogi {first}, rsshogi {second})"

    def _key(self) -> str:
        return self._board.sfen().rsplit(" ", 1)[0]
