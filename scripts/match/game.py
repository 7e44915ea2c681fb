"""One game between two engines, judged move by move."""

from dataclasses import dataclass, field

from faults import PROTOCOL, EngineFault
from profiles import Profile
from referee import BLACK, WHITE, Ending, Referee, other
from usi_engine import UsiEngine


@dataclass
class Side:
    """One player in one game: the engine, its limits and its clock (milliseconds of main time left)."""

    role: str
    engine: UsiEngine
    profile: Profile
    left: float = 0.0
    expected: str | None = None
    pondered_moves: frozenset[str] = frozenset()
    ponder_hits: int = 0
    ponder_misses: int = 0
    slowest_ms: float = 0.0

    def start(self) -> None:
        self.left = float(self.profile.time or 0)

    @property
    def budget(self) -> float | None:
        """Seconds allowed for the next move: what is left, and the increment or byoyomi of this move."""
        if not self.profile.is_timed:
            return None
        return (self.left + (self.profile.increment or 0) + (self.profile.byoyomi or 0)) / 1000.0

    def spend(self, seconds: float) -> None:
        self.left = max(0.0, self.left + (self.profile.increment or 0) - 1000.0 * seconds)
        self.slowest_ms = max(self.slowest_ms, 1000.0 * seconds)


@dataclass
class Record:
    """What happened, from move to move, beside the referee's list of moves."""

    times_ms: list[int] = field(default_factory=list)
    scores: list[str | None] = field(default_factory=list)
    faults: list[dict] = field(default_factory=list)


def go_command(mover: Side, sides: dict[str, Side], color: str, ponder: bool) -> str:
    """`go` with the clocks of both sides and every limit of the mover."""
    words = ["go"] + (["ponder"] if ponder else [])
    if mover.profile.is_timed:
        words += ["btime", f"{sides[BLACK].left:.0f}", "wtime", f"{sides[WHITE].left:.0f}"]
        if mover.profile.increment is not None:
            words += ["binc", str(sides[BLACK].profile.increment or 0), "winc", str(sides[WHITE].profile.increment or 0)]
        else:
            words += ["byoyomi", str(mover.profile.byoyomi or 0)]
    if mover.profile.nodes is not None:
        words += ["nodes", str(mover.profile.nodes)]
    return " ".join(words)


class ResignJudge:
    """Ends a game as decided once both engines have said so, `moves` times each without a break. A wish to save
    time: off unless asked for."""

    def __init__(self, centipawns: int | None, moves: int = 3):
        self._limit = centipawns
        self._needed = 2 * moves
        self._winner: str | None = None
        self._agreed = 0

    def update(self, color: str, score: str | None) -> Ending | None:
        if self._limit is None:
            return None
        kind, _, text = (score or "").partition(" ")
        winner = None
        if kind == "mate":
            winner = other(color) if text.startswith("-") else color
        elif kind == "cp" and text.lstrip("+-").isdigit() and abs(int(text)) >= self._limit:
            winner = color if int(text) > 0 else other(color)
        self._agreed = self._agreed + 1 if winner is not None and winner == self._winner else int(winner is not None)
        self._winner = winner
        return Ending(winner, "adjudicated win") if self._agreed >= self._needed else None


def ask(mover: Side, sides: dict[str, Side], color: str, referee: Referee) -> tuple[str, str | None, float, str | None]:
    """The mover's answer: move, ponder move, seconds on its clock, score. Raises its fault."""
    engine, margin = mover.engine, mover.profile.margin / 1000.0
    spent = 0.0
    if engine.is_pondering:
        if referee.moves[-1] == mover.expected:
            mover.ponder_hits += 1
            answer = engine.ponderhit(mover.budget, margin)
            return answer.move, answer.ponder, answer.seconds, answer.score
        mover.ponder_misses += 1
        discarded, spent = engine.stop_pondering()
        if discarded not in mover.pondered_moves and discarded not in ("resign", "win"):
            raise EngineFault(PROTOCOL, f"'bestmove {discarded}' after stop is illegal: '{mover.expected}' was pondered "
                                        f"before '{referee.position_command()}'")
    budget = None if mover.budget is None else mover.budget - spent
    answer = engine.think(referee.position_command(), go_command(mover, sides, color, False), budget, margin)
    return answer.move, answer.ponder, answer.seconds + spent, answer.score


def start_pondering(mover: Side, sides: dict[str, Side], color: str, referee: Referee, expected: str, record: Record) -> None:
    """Lets the mover think on the opponent's time, if the reply it expects is a legal one."""
    replies = referee.replies(expected)
    if replies is None:
        detail = f"ponder move '{expected}' is illegal in '{referee.position_command()}'"
        record.faults.append({"role": mover.role, "kind": PROTOCOL, "detail": detail})
        return
    mover.expected, mover.pondered_moves = expected, replies
    mover.engine.start_pondering(referee.position_command(expected), go_command(mover, sides, color, True))


def play(referee: Referee, sides: dict[str, Side], resign_score: int | None, record: Record) -> Ending:
    """Plays to the end. An engine's fault loses the game and is added to the record."""
    judge = ResignJudge(resign_score)
    culprit = WHITE
    try:
        for color, side in sides.items():
            culprit = color
            side.start()
            side.engine.new_game()
        while True:
            culprit = color = referee.turn
            mover = sides[color]
            move, expected, seconds, score = ask(mover, sides, color, referee)
            mover.spend(seconds)
            if move == "resign":
                return Ending(other(color), "resignation")
            if move == "win":
                referee.declare()
                return Ending(color, "declaration")
            referee.play(move)
            record.times_ms.append(round(1000 * seconds))
            record.scores.append(score)
            ending = referee.ending() or judge.update(color, score)
            if ending is not None:
                return ending
            if mover.profile.ponder and expected is not None:
                start_pondering(mover, sides, color, referee, expected, record)
    except EngineFault as fault:
        side = sides[culprit]
        side.engine.record_fault(fault)
        record.faults.append({"role": side.role, "kind": fault.kind, "detail": fault.detail})
        return Ending(other(culprit), fault.kind)


def finish(sides: dict[str, Side], ending: Ending, record: Record) -> set[str]:
    """Tells both engines the result. Returns the roles whose engine must be started anew: those with a fault."""
    broken = {fault["role"] for fault in record.faults if fault["kind"] != PROTOCOL or ending.reason == PROTOCOL}
    for color, side in sides.items():
        if side.role in broken:
            continue
        result = "draw" if ending.winner is None else "win" if ending.winner == color else "lose"
        try:
            side.engine.game_over(result)
        except EngineFault as fault:
            # The game is over and keeps its result; the fault counts all the same.
            side.engine.record_fault(fault)
            record.faults.append({"role": side.role, "kind": fault.kind, "detail": fault.detail})
            broken.add(side.role)
    return broken
