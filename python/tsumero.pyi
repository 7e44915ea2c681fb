"""Shogi: rules, game records, mate solver, evaluation, search and analysis.

Moves are written as in USI (`7g7f`, `8h2b+`, `P*5e`), squares as `7g`, pieces as in SFEN (`P` Black's pawn, `+p` White's
promoted pawn). Whatever breaks a rule or cannot be read raises `ValueError` with the reason.
"""

from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from typing import Any, Final, Literal, final, overload

__all__ = [
    "BLACK",
    "STARTING_SFEN",
    "WHITE",
    "Analysis",
    "Board",
    "Engine",
    "GameRecord",
    "LegalMoves",
    "Line",
    "MateResult",
    "Move",
    "Network",
    "__version__",
    "analyze",
    "evaluate",
    "parse_games",
    "perft",
    "read_games",
    "search",
    "solve_mate",
]

BLACK: Final = 0
WHITE: Final = 1
STARTING_SFEN: Final[str]
__version__: Final[str]

@final
class Move:
    """A move as USI writes it. It equals another move and also its text: `move == "7g7f"`."""

    def __new__(cls, usi: str) -> Move: ...
    @staticmethod
    def from_usi(usi: str) -> Move:
        """Reads a move: the same as `Move(usi)`."""
    def usi(self) -> str:
        """The text: the same as `str(move)`."""
    @property
    def from_square(self) -> str | None:
        """Where the piece comes from; `None` for a drop."""
    @property
    def to_square(self) -> str:
        """Where the piece goes to."""
    @property
    def promotion(self) -> bool:
        """Whether the piece promotes."""
    @property
    def drop_piece(self) -> str | None:
        """The letter of the dropped piece (`P`); `None` for a move on the board."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __format__(self, format_spec: str, /) -> str: ...
    def __reduce__(self) -> tuple[type, tuple[str]]: ...

@final
class LegalMoves(Sequence[Move]):
    """The legal moves of a position, in no special order. It stays as it is when the board changes."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Move: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Move]: ...
    def index(self, mv: Move | str, start: int = 0, stop: int | None = None, /) -> int:
        """The number of the first place of a move. `ValueError` if it is not among them."""
    def count(self, mv: object, /) -> int:
        """1 for a legal move, otherwise 0."""
    def __contains__(self, mv: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Move]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__ = None  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Callable[..., LegalMoves], tuple[object, ...]]: ...

@final
class Board:
    """A board with the moves that led to it. Boards are equal when pieces, hands and turn are. `sfen` is what `set_sfen` takes."""

    def __new__(cls, sfen: str | None = None) -> Board: ...
    def reset(self) -> None:
        """Back to the start of an even game."""
    def set_sfen(self, sfen: str) -> None:
        """Takes the position of an SFEN, with or without the word `sfen` before it, or of `startpos`."""
    def set_position(self, position: str) -> None:
        """Takes what USI's `position` tells: `startpos moves 7g7f`, `sfen ... moves ...`."""
    def usi_position(self) -> str:
        """The start and the moves, as `set_position` reads them."""
    def sfen(self) -> str:
        """The position as an SFEN."""
    @property
    def turn(self) -> int:
        """`BLACK` or `WHITE`."""
    @property
    def move_number(self) -> int:
        """The number of the next move."""
    @property
    def legal_moves(self) -> LegalMoves:
        """All legal moves."""
    def is_legal(self, mv: Move | str) -> bool:
        """Whether a move is legal. Text that is no move is not."""
    def push(self, mv: Move | str) -> None:
        """Plays a legal move."""
    def push_usi(self, usi: str) -> Move:
        """Plays a legal move and returns it."""
    def pop(self) -> Move:
        """Takes back the last move and returns it. `IndexError` if there is none."""
    def peek(self) -> Move | None:
        """The last move."""
    @property
    def move_stack(self) -> list[Move]:
        """The moves so far."""
    def is_check(self) -> bool:
        """Whether the side to move is in check."""
    def is_checkmate(self) -> bool:
        """Whether the side to move is mated."""
    def is_game_over(self) -> bool:
        """Whether there is no legal move, or a fourfold repetition. A win by declaration does not count: see `is_nyugyoku`."""
    def is_repetition(self) -> bool:
        """Whether the position has occurred four times."""
    def repetition(self) -> Literal["draw", "win", "loss"] | None:
        """What a fourfold repetition means for the side to move; after perpetual check one side wins."""
    def is_nyugyoku(self) -> bool:
        """Whether a declaration wins (entering king, 27 points)."""
    def gives_check(self, mv: Move | str) -> bool:
        """Whether a legal move gives check."""
    def mate_in_one(self) -> Move | None:
        """A move that mates at once."""
    def kif(self, mv: Move | str) -> str:
        """A legal move in Japanese notation: `▲７六歩`, `△同銀右`."""
    def parse_kif(self, text: str) -> Move:
        """Reads a move in Japanese notation, with or without mark: `▲７六歩`, `同銀右`, `７六歩(77)`."""
    def piece_at(self, square: str) -> str | None:
        """The piece on a square; `None` if it is empty."""
    @property
    def pieces(self) -> dict[str, str]:
        """All pieces on the board by their squares."""
    @property
    def pieces_in_hand(self) -> tuple[dict[str, int], dict[str, int]]:
        """Black's and White's hand: how many of each letter (`P`)."""
    def king_square(self, color: int) -> str | None:
        """The square of a side's king; `None` if it has none."""
    def zobrist_hash(self) -> int:
        """The hash key of pieces, hands and turn. Other programs have other keys."""
    def copy(self) -> Board:
        """A copy with all moves."""
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, _memo: object, /) -> Board: ...
    def __reduce__(self) -> tuple[type, tuple[()], str]: ...
    def __setstate__(self, position: str, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__ = None  # type: ignore[assignment]

def perft(board: Board, depth: int) -> int:
    """The number of sequences of `depth` legal moves, 64 at most."""

@final
class Network:
    """An evaluation network from a file, for `Engine`, `evaluate`, `search` and `analyze`.

    HalfKP, K-P, ZoneKA1, HalfKA and layer stacks (SFNN) are read. `fv_scale` (1 to 65535) is the divisor of the network's output;
    otherwise the advice of its makers counts. A scale in `eval_options.txt` that is no such number is a `UserWarning`.
    `stacks` names the rule by which a stack is chosen (`k3k3`, `progress8ek`, ...), if the file does not say it. A file that
    cannot be opened is an `OSError`, and one that is no network a `ValueError`.
    """

    def __new__(cls, path: str | PathLike[str], fv_scale: int | None = None, stacks: str | None = None) -> Network: ...
    def __copy__(self) -> Network: ...
    def __deepcopy__(self, _memo: object, /) -> Network: ...
    def __reduce__(self) -> tuple[type, tuple[object, ...]]: ...
    @property
    def shape(self) -> str:
        """Kind of inputs and widths of the layers: `HalfKP 256x2-32-32`."""
    @property
    def fv_scale(self) -> int:
        """The divisor of the network's output."""
    @property
    def stacks(self) -> str | None:
        """The rule by which a stack is chosen, and why it is this one; `None` if the network has no stacks."""

def evaluate(board: Board, network: Network | None = None) -> int:
    """The static value for the side to move, by a network or by that of the package, for which a pawn is worth about 90."""

@final
class MateResult:
    """The answer of `solve_mate`."""

    def __reduce__(self) -> tuple[Callable[..., MateResult], tuple[object, ...]]: ...
    @property
    def kind(self) -> Literal["mate", "nomate", "unknown"]:
        """Whether there is a mate. If that is not known, `reason` says why."""
    @property
    def plies(self) -> int | None:
        """The length of the mate; `None` if there is none."""
    @property
    def is_shortest(self) -> bool | None:
        """Whether no mate is shorter; `None` if there is none. A limit may end the search before this is known."""
    @property
    def moves(self) -> list[Move]:
        """The mate, as many moves as plies."""
    @property
    def reason(self) -> Literal["nodes", "time", "memory", "depth", "stopped", "broken"] | None:
        """Why the answer is unknown."""
    @property
    def nodes(self) -> int:
        """Positions looked at."""

def solve_mate(
    sfen: str | Board,
    nodes: int | None = None,
    seconds: float | None = None,
    *,
    threads: int = 1,
    hash: int = 256,
) -> MateResult:
    """Looks for the shortest mate by the side to move, by checks alone. `sfen` is what `Board.set_sfen` takes, or a board.

    Without a limit it goes on until it knows, unless memory or the length of lines ends it. `hash` is the size of its table in
    megabytes; it takes up to a fifth more.
    """

@final
class Line:
    """A line of a search with its score."""

    def __reduce__(self) -> tuple[Callable[..., Line], tuple[object, ...]]: ...
    @property
    def multipv(self) -> int:
        """The number of the line, 1 for the best."""
    @property
    def score(self) -> int:
        """For the side to move; a pawn is worth about 90. A mate in n plies is 32000 - n, a perpetual check 20000."""
    @property
    def mate(self) -> int | None:
        """Plies to the mate: positive if the side to move wins, otherwise negative or 0."""
    @property
    def depth(self) -> int:
        """The depth of the search, in plies."""
    @property
    def seldepth(self) -> int:
        """The depth of the longest line that was looked at, in plies."""
    @property
    def nodes(self) -> int:
        """Positions looked at so far."""
    @property
    def seconds(self) -> float:
        """Seconds so far."""
    @property
    def pv(self) -> list[Move]:
        """The moves. Empty only if the side to move has none, or wins by declaration."""

def search(
    board: Board,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    depth: int | None = None,
    multipv: int = 1,
    threads: int = 1,
    hash: int = 64,
    network: Network | None = None,
    callback: Callable[[Line], object] | None = None,
) -> list[Line]:
    """Searches a position until the first limit, and returns its best lines, the best one first.

    At least one of `nodes`, `seconds` and `depth` is needed. `callback` receives every line on the way, and stops the
    search by returning `False`, or what else is false except `None`. `hash` is the memory for results, in megabytes
    (`MemoryError` if there is not so much). A game that has ended by repetition is searched as if it went on.
    """

@final
class Engine:
    """A player: it remembers from move to move what it has found, and may be weaker than it could.

    `level` is its strength, from 1 (it knows the rules) to 20; docs/levels.md describes the levels. A level below 20 chooses
    by chance: from `new_game` on, with the same `seed` the same moves in the same game.

    It does one thing at a time: calls from a callback or another thread raise `RuntimeError` meanwhile.
    """

    def __new__(
        cls, *, level: int = 20, seed: int | None = None, threads: int = 1, hash: int = 64, network: Network | None = None
    ) -> Engine: ...
    def search(
        self,
        board: Board,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        depth: int | None = None,
        multipv: int = 1,
        callback: Callable[[Line], object] | None = None,
    ) -> list[Line]:
        """Searches a position, as the function `search` does. Below level 20, the first line is that of the move it would play,
        moves that it does not think of are missing, and the callback hears only the last lines.
        """
    def choose(
        self, board: Board, *, nodes: int | None = None, seconds: float | None = None, depth: int | None = None
    ) -> Move | None:
        """The move that it plays. `None` if there is no legal move, or if it wins by declaration (`board.is_nyugyoku()`)."""
    def new_game(self) -> None:
        """Forgets all that it has found, for a new game."""

@final
class GameRecord:
    """A game as a file tells it. The constructor reads one game in any format of `read_games`; copies are made from a JKF.
    Games are equal if start, headers and moves are, with branches, comments and times. The number of the first move and
    the notes do not count."""

    def __new__(cls, jkf: str) -> GameRecord: ...
    @staticmethod
    def from_board(
        board: Board,
        *,
        names: tuple[str | None, str | None] | None = None,
        ending: str | None = None,
        times: Sequence[float | None] | None = None,
        comments: dict[int, str] | None = None,
    ) -> GameRecord:
        """The moves of a board as a game, which can be written in every format. What else it tells is given as its attributes
        have it."""
    def __reduce__(self) -> tuple[Callable[..., GameRecord], tuple[object, ...]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def sfen(self) -> str:
        """The first position, with 1 as the number of the next move. `to_text("usi")` has the number of the file."""
    @property
    def moves(self) -> list[Move]:
        """The moves of the main line."""
    @property
    def names(self) -> tuple[str | None, str | None]:
        """Black's and White's name. A game with a handicap calls the player who gives it 上手, who is White."""
    @property
    def ending(self) -> str | None:
        """How the game ended: `resign`, `mate`, `repetition`, ... `None` if the file does not tell."""
    @property
    def headers(self) -> dict[str, str]:
        """Named as in KIF."""
    @property
    def comments(self) -> dict[int, str]:
        """By the number of the move before the comment; 0 is the start."""
    @property
    def times(self) -> list[float | None]:
        """Seconds for each move; `None` where the file does not tell."""
    @property
    def notes(self) -> list[str]:
        """What is unusual: the rules that the first position breaks, such as two pawns on a file (no `Board` can be made from
        it then), and numbers of moves in the file that are wrong."""
    @property
    def branches(self) -> int:
        """How many branches the game has."""
    def to_text(self, format: str) -> str:
        """The game as a file: `kif`, `ki2`, `csa`, `jkf` or `usi`."""

def read_games(path: str | PathLike[str], *, strict: bool = True) -> list[GameRecord]:
    """Reads a file of games: KIF, KI2, CSA, JKF or USI lines, in UTF-8 or Shift_JIS.

    The first game that cannot be read raises `ValueError` with file and line. If not `strict`, such games are left out with
    a warning.
    """

def parse_games(text: str | bytes, *, strict: bool = True) -> list[GameRecord]:
    """Reads games from a text, or from the bytes of a file, as `read_games` does."""

@final
class Analysis:
    """What the engine thinks of a game: the answer of `analyze`."""

    def __reduce__(self) -> tuple[Callable[..., Analysis], tuple[object, ...]]: ...
    @property
    def positions(self) -> list[dict[str, Any]]:
        """A dictionary for each position of the main line, then for those of analyzed branches. docs/analysis.md explains the
        fields of `--json`, which these are: `sfen`, `move`, `cp` or `mate` (from Black's side), `pv`, `note`, `loss`, ..."""
    def summary(self, color: int) -> dict[str, Any]:
        """How a player played: `moves`, `accuracy` and `best_moves` (percent; `None` without moves), and how often each note was
        given (`inaccuracy`, `dubious`, `mistake`, `blunder`, `missed_mate`)."""
    def to_text(self, format: str, *, language: str = "en") -> str:
        """The analysis as a file: `json` (lines), `csv`, `html` (a page), `table` (for people), or the game with comments from
        which ShogiHome and ShogiGUI draw their graph: `kif`, `csa`. `language` is `en` or `ja`."""

def analyze(
    game: GameRecord | Board,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    depth: int | None = None,
    multipv: int = 1,
    threads: int = 1,
    hash: int = 64,
    network: Network | None = None,
    branches: bool = False,
    name: str = "game",
    callback: Callable[[int, int], object] | None = None,
) -> Analysis:
    """Analyzes a game: searches every position, looks a second time at moves that may be mistakes, and asks the mate solver.

    One of `nodes`, `seconds` and `depth` is the limit for each position. `branches` are analyzed if wanted. `callback`
    receives the number of positions that have been looked at, and how many will be; an exception in it ends the analysis. `name`
    is the file's name in what is written. All else is as in `search`.
    """
