"""Everything that a GUI may send, mixed up at random: kinds of searches, options, lines that are none."""

import random
import string
import time
from collections import Counter
from pathlib import Path

from faults import ILLEGAL_MOVE, PROTOCOL, EngineFault
from referee import Referee
from usi_engine import UsiEngine

# Lines that say nothing or come at the wrong time. None of them is to be answered, and none ends a search (`gameover` does).
NONSENSE = (
    "", "   ", "go_", "positions startpos", "position", "position sfen", "position sfen 9/9 b - 1",
    "position startpos moves", "position startpos moves 9z9z", "setoption", "setoption name",
    "setoption name NoSuchOption value 3", "setoption name USI_Hash value many",
    "setoption name Threads value -1", "\x00\x01\x02", "将棋", "a" * 5000,
)
HASH_MB = (1, 2, 8, 16, 33, 64)
THREADS = (1, 1, 2, 3)
# What every memory sample is taken with.
USUAL = {"USI_Hash": "16", "Threads": "1", "MultiPV": "1"}


def nonsense(draw: random.Random) -> str:
    if draw.random() < 0.5:
        return draw.choice(NONSENSE)
    # All commands are words of letters, so that none comes about by chance.
    letters = string.digits + string.punctuation
    return "".join(draw.choice(letters) for _ in range(draw.randint(1, 200)))


def an_option(draw: random.Random) -> tuple[str, str]:
    return draw.choice((("USI_Hash", str(draw.choice(HASH_MB))), ("Threads", str(draw.choice(THREADS))),
                        ("MultiPV", str(draw.randint(1, 4))), ("MultiPV", "1"),
                        ("NetworkDelay", str(draw.choice((0, 120)))), ("NetworkDelay2", str(draw.choice((0, 1120)))),
                        ("MinimumThinkingTime", str(draw.choice((0, 20, 2000)))), ("USI_Ponder", draw.choice(("true", "false")))))


def a_limit(draw: random.Random) -> tuple[str, float | None]:
    """The words of a `go`, and the seconds that the answer may take where a clock says so."""
    kind = draw.randrange(6)
    if kind == 0:
        return f"nodes {draw.randint(1, 4000)}", None
    if kind == 1:
        return f"depth {draw.randint(1, 5)}", None
    if kind == 2:
        time_ms = draw.randint(0, 60)
        return f"movetime {time_ms}", time_ms / 1000
    if kind == 3:
        byoyomi = draw.randint(1, 80)
        return f"btime 0 wtime 0 byoyomi {byoyomi}", byoyomi / 1000
    if kind == 4:
        main, more = draw.randint(0, 3000), draw.randint(0, 50)
        return f"btime {main} wtime {main} binc {more} winc {more}", max(main, more) / 1000
    return draw.choice(("btime 0 wtime 0", "btime -5 wtime -5 byoyomi 10", "nodes 500 depth 9 movetime 50")), 0.1


class Player:
    """One engine during one game. Counts what it was asked and what it answered."""

    def __init__(self, engine: UsiEngine, draw: random.Random, counts: Counter[str], slowest: dict[str, float], margin: float):
        self.engine = engine
        self._draw = draw
        self._counts = counts
        self._slowest = slowest
        self._margin = margin

    def disturb(self, share: float) -> None:
        """Now and then an option or nonsense, at rest or in the middle of a search."""
        if self._draw.random() < share:
            name, value = an_option(self._draw)
            self.engine.set_option(name, value)
            self._counts["setoption"] += 1
        if self._draw.random() < share:
            self.engine.send(nonsense(self._draw))
            self._counts["nonsense"] += 1
        if self._draw.random() < share / 4:
            self.engine.send("usinewgame")
            self._counts["usinewgame"] += 1

    def pause(self) -> None:
        time.sleep(self._draw.choice((0.0, 0.0, 0.002, 0.02, 0.05)))

    def move(self, referee: Referee) -> str:
        """The engine's move, asked for in one of many ways."""
        self.disturb(0.3)
        if self._draw.random() < 0.1:
            # Nothing runs: neither is to be answered.
            self.engine.send(self._draw.choice(("stop", "ponderhit")))
            self._counts["stop or ponderhit at rest"] += 1
        if self._draw.random() < 0.05:
            self.engine.ready()
        way = self._draw.random()
        if way < 0.1:
            self.mate(referee)
        if way < 0.3:
            self.ponder(referee)
        if way < 0.55:
            return self.until_stop(referee, self._draw.choice(("go infinite", "go")))
        words, budget = a_limit(self._draw)
        answer = self.engine.think(referee.position_command(), f"go {words}", budget, self._margin)
        self.count("go with a limit", answer.seconds - (budget or 0.0) if budget is not None else None, "answer after the clock")
        return answer.move

    def until_stop(self, referee: Referee, go: str) -> str:
        self.engine.start_pondering(referee.position_command(), go)
        self.disturb(0.2)
        self.pause()
        move, seconds = self.engine.stop_pondering()
        self.count("go infinite", seconds, "answer to stop")
        return move

    def ponder(self, referee: Referee) -> None:
        """Ponders on a position after the next move, and either hits or is stopped. The answer is not played."""
        guess = self._draw.choice(referee.legal_moves())
        position = referee.position_command(guess)
        words, _ = a_limit(self._draw)
        self.engine.start_pondering(position, f"go ponder {words}")
        self.disturb(0.2)
        self.pause()
        if self._draw.random() < 0.5:
            move = self.engine.ponderhit(None, 0.0).move
            self.count("go ponder, hit", None, "")
        else:
            move, seconds = self.engine.stop_pondering()
            self.count("go ponder, stopped", seconds, "answer to stop")
        if move not in ("resign", "win") and not Referee(position, 10_000, is_opening=False).is_legal(move):
            raise EngineFault(ILLEGAL_MOVE, f"'{move}' in '{position}'")

    def mate(self, referee: Referee) -> None:
        limit = self._draw.choice(("1", "50", "infinite"))
        self.engine.start_solving(referee.position_command(), f"go mate {limit}")
        self.pause()
        if limit == "infinite":
            answer = self.engine.early_mate_answer(0.05)
            if answer is None:
                answer, seconds = self.engine.stop_solving(self.engine.hang_seconds)
                self._slowest["answer to stop"] = max(self._slowest.get("answer to stop", 0.0), seconds)
        else:
            answer = self.engine.early_mate_answer(self.engine.hang_seconds)
            if answer is None:
                raise EngineFault(PROTOCOL, f"no answer to go mate {limit}")
        if answer not in ("nomate", "timeout"):
            line = Referee(referee.position_command(), 10_000, is_opening=False)
            for move in answer.split():
                line.play(move)
        self._counts["go mate"] += 1

    def count(self, kind: str, seconds: float | None, what: str) -> None:
        self._counts[kind] += 1
        if seconds is not None:
            self._slowest[what] = max(self._slowest.get(what, 0.0), seconds)


def resident_kib(pid: int) -> int:
    """The memory of a process that is in use now."""
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS:"))


def sample(engine: UsiEngine) -> int:
    """The memory after one search that is always the same, with options that are always the same."""
    for name, value in USUAL.items():
        engine.set_option(name, value)
    engine.new_game()
    engine.ready()
    engine.think("position startpos", "go nodes 200000", None, 0.0)
    return resident_kib(engine.pid)
