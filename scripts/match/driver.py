"""The runner named `cshogi`: plays the games itself, with the cshogi library as the judge of the rules."""

import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import csa
from conditions import Conditions
from faults import EngineFault, SetupError
from game import Record, Side, finish, play
from profiles import Profile
from referee import BLACK, WHITE, Referee, other
from usi_engine import UsiEngine
from whole_files import write_whole

GAMES_FILE = "games.jsonl"


def launch(profile: Profile, role: str, folder: Path, label: str, hang_seconds: float | None,
           begun: Callable[[UsiEngine], None] = lambda engine: None) -> UsiEngine:
    """A process that has told its options and got its own. A fault on the way is a setup error. `begun` is called as soon
    as there is a process."""
    engine = UsiEngine(list(profile.argv), folder, f"{label}-{role}", profile.hang_seconds(hang_seconds))
    begun(engine)
    try:
        engine.handshake()
        for name, value in profile.options_for(engine.options).items():
            engine.set_option(name, value)
        engine.ready()
    except (EngineFault, SetupError) as error:
        engine.kill()
        raise SetupError(f"{role} ({profile.argv[0]}) does not start: {error}") from error
    except BaseException:
        # Also if the user interrupts.
        engine.kill()
        raise
    if engine.complaints:
        engine.close()
        raise SetupError(f"{role} ({profile.argv[0]}) says: {engine.complaints[0]}")
    return engine


def is_game(game: object) -> bool:
    """Whether this holds what is counted of a game."""
    return (isinstance(game, dict) and isinstance(game.get("game"), int) and isinstance(game.get("pair"), int)
            and game.get("color") in (BLACK, WHITE) and game.get("result") in ("win", "draw", "loss")
            and isinstance(game.get("reason"), str) and isinstance(game.get("faults"), list)
            and all(isinstance(fault, dict) and {"role", "kind"} <= fault.keys() for fault in game["faults"]))


def load_games(out: Path) -> list[dict]:
    """The finished games of a match folder. A last line cut off by a kill is dropped, and that game is played again."""
    path = out / GAMES_FILE
    if not path.exists():
        return []
    games = []
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SetupError(f"{path} is damaged: it is not UTF-8") from None
    for line in text.splitlines():
        try:
            games.append(json.loads(line))
        except json.JSONDecodeError:
            print(f"match: dropped a torn line of {path}", file=sys.stderr)
    if text and (not text.endswith("\n") or len(games) != len(text.splitlines())):
        write_whole(path, (json.dumps(game).encode() + b"\n" for game in games))
    return games


class Match:
    """Plays all games that a folder does not hold yet, several at once."""

    def __init__(self, engine: Profile, opponent: Profile, out: Path, conditions: Conditions, first: int = 0):
        """The games from `first` on; an even number of games comes before it."""
        self._profiles = {"engine": engine, "opponent": opponent}
        self._out = out
        self._conditions = conditions
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._engines: set[UsiEngine] = set()
        # Those that have begun and have not ended. None of them ends before the others while there are games to begin.
        self._workers = 0
        self._have_ended = threading.Event()
        self._error: Exception | None = None
        self.games = load_games(out)
        for number, game in enumerate(self.games, 1):
            if not is_game(game):
                raise SetupError(f"{out / GAMES_FILE} is damaged: line {number} is no game")
        done = {game["game"] for game in self.games}
        self._todo = [index for index in range(first, conditions.games) if index not in done]

    def run(self, parallel: int) -> None:
        """Returns when all games are played; raises KeyboardInterrupt or a setup error after ending all engines."""
        (self._out / "records").mkdir(exist_ok=True)
        workers = min(parallel, len(self._todo))
        if not workers:
            return
        try:
            for number in range(workers):
                threading.Thread(target=self._work, args=(number,)).start()
            self._wait()
        except KeyboardInterrupt:
            self._stop()
            self._wait()
            raise
        if self._error is not None:
            raise self._error

    def _wait(self) -> None:
        """Returns when all workers have ended. `Thread.join` does not serve: once it has been interrupted, a thread that
        still runs counts as ended. After a stop, those that have not begun do not count: they never will."""
        while (self._workers or not self._stopping.is_set()) and not self._have_ended.wait(0.2):
            pass

    def _stop(self) -> None:
        self._stopping.set()
        with self._lock:
            for engine in self._engines:
                engine.kill()

    def _keep(self, engine: UsiEngine) -> None:
        """Notes a process that has begun, so that it can be ended while it starts."""
        with self._lock:
            self._engines.add(engine)
            if self._stopping.is_set():
                engine.kill()

    def _work(self, number: int) -> None:
        with self._lock:
            if self._stopping.is_set():
                return
            self._workers += 1
        try:
            self._play_games(number)
        finally:
            with self._lock:
                self._workers -= 1
            if not self._workers:
                self._have_ended.set()

    def _play_games(self, number: int) -> None:
        engines: dict[str, UsiEngine] = {}
        try:
            while not self._stopping.is_set():
                with self._lock:
                    if not self._todo:
                        break
                    index = self._todo.pop(0)
                for role, profile in self._profiles.items():
                    if role not in engines:
                        hang_seconds = self._conditions.hang_seconds
                        engines[role] = launch(profile, role, self._out / "logs", f"{number}", hang_seconds, self._keep)
                for role in self._play(index, engines):
                    with self._lock:
                        self._engines.discard(engines[role])
                    engines.pop(role).close()
        except Exception as error:  # noqa: BLE001
            # Whatever ends one worker ends the match; `run` raises it. After a stop, dead engines are no news.
            if not self._stopping.is_set():
                # Not the error itself: its frames hold the board, which must be dropped in the thread that made it.
                self._error = SetupError(str(error)) if isinstance(error, (OSError, SetupError)) else error
                self._stop()
        finally:
            for engine in engines.values():
                engine.close()

    def _play(self, index: int, engines: dict[str, UsiEngine]) -> set[str]:
        pair = index // 2
        color = BLACK if index % 2 == 0 else WHITE
        referee = Referee(self._conditions.opening(pair), self._conditions.max_plies)
        sides = {
            color: Side("engine", engines["engine"], self._profiles["engine"]),
            other(color): Side("opponent", engines["opponent"], self._profiles["opponent"]),
        }
        sides = {BLACK: sides[BLACK], WHITE: sides[WHITE]}
        started = time.strftime("%Y/%m/%d %H:%M:%S")
        record = Record()
        ending = play(referee, sides, self._conditions.resign_score, record)
        broken = finish(sides, ending, record)
        if self._stopping.is_set():
            # The engines were ended from outside: this was no game.
            return set(engines)
        game = {
            "game": index,
            "pair": pair,
            "color": color,
            "result": "draw" if ending.winner is None else "win" if ending.winner == color else "loss",
            "reason": ending.reason,
            "faults": record.faults,
            "engine": engines["engine"].name,
            "opponent": engines["opponent"].name,
            "position": referee.position_command(),
            "opening_plies": referee.opening_plies,
            "times_ms": record.times_ms,
            "scores": record.scores,
            "ponder": {side.role: [side.ponder_hits, side.ponder_misses] for side in sides.values()},
            "slowest_ms": {side.role: round(side.slowest_ms) for side in sides.values()},
        }
        csa.write(self._out / "records" / f"{index + 1:05}.csa", game, referee.csa_moves, referee.start_csa, started)
        with self._lock:
            self.games.append(game)
            with open(self._out / GAMES_FILE, "a", encoding="utf-8") as file:
                file.write(json.dumps(game) + "\n")
            print(f"match: game {len(self.games)}/{self._conditions.games}: {game['result']} as {color} by {game['reason']}, "
                  f"{len(referee.moves)} plies", file=sys.stderr, flush=True)
        return broken
