"""One USI engine process as a match sees it: every wait has a deadline, and its error output goes to a file."""

import contextlib
import os
import queue
import re
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from faults import CRASH, HANG, PROTOCOL, TIME_LOSS, EngineFault, SetupError

USIOK_SECONDS = 30.0
READYOK_SECONDS = 120.0
QUIT_SECONDS = 3.0
# How many of the engine's last lines (all `info` included) are copied to the log when something went wrong.
TAIL_LINES = 40
# More of a line is not kept. The longest that makes sense is a mate of 1525 plies.
LINE_BYTES = 1 << 14
# So many lines wait to be read, and beyond them as many that are answers: of an engine that writes without end, the answer must
# not be lost.
WAITING_LINES = 5_000
ANSWERS = ("bestmove", "checkmate", "readyok", "usiok")


@dataclass(frozen=True)
class Option:
    """A declared option: its type, default, and range if it is a number."""

    name: str
    kind: str
    default: str
    low: int | None
    high: int | None
    choices: tuple[str, ...]

    def allows(self, value: str) -> bool:
        """Whether the option can have the value, as far as its declaration says. An engine would pass over another one
        without a word."""
        if self.kind == "combo":
            return value in self.choices
        if self.kind == "check":
            return value in ("true", "false")
        if self.kind != "spin":
            return True
        # Python reads more as a number than engines do: 1_000, for one.
        if not re.fullmatch("[+-]?[0-9]{1,18}", value):
            return False
        return (self.low is None or self.low <= int(value)) and (self.high is None or int(value) <= self.high)


@dataclass(frozen=True)
class Answer:
    """A `bestmove` line. `seconds` run from the moment `go` or `ponderhit` was sent to the moment the line arrived."""

    move: str
    ponder: str | None
    seconds: float
    score: str | None


def lines_of(output: IO[bytes]) -> Iterator[bytes]:
    """The lines of an engine, each with its end: what is written behind one must not become part of it. The rest of a line
    that is too long is dropped, so no output fills the memory."""
    while line := output.readline(LINE_BYTES):
        part = line
        while part and not part.endswith(b"\n"):
            part = output.readline(LINE_BYTES)
        yield line.removesuffix(b"\n") + b"\n"


def end_group(process: subprocess.Popen) -> None:
    """Ends a process that leads a group, and those that it has started: an engine may be a script that calls it."""
    # The number of one that has ended may be another's. If it ends between both calls, macOS refuses permission.
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def parse_option(line: str) -> Option | None:
    """Reads `option name N type T [default D] [min A] [max B] [var V]*`; N may hold spaces (some engines do that)."""
    words = line.split()
    if words[:2] != ["option", "name"] or "type" not in words:
        return None
    at = words.index("type")
    name = " ".join(words[2:at])
    kind = words[at + 1] if at + 1 < len(words) else ""
    fields: dict[str, list[str]] = {}
    key = ""
    choices: list[list[str]] = []
    for word in words[at + 2 :]:
        if word in ("default", "min", "max"):
            key = word
            fields[key] = []
        elif word == "var":
            key = word
            choices.append([])
        elif key == "var":
            choices[-1].append(word)
        elif key:
            fields[key].append(word)

    def number(field: str) -> int | None:
        try:
            return int(" ".join(fields.get(field, [])))
        except ValueError:
            return None

    return Option(name, kind, " ".join(fields.get("default", [])), number("min"), number("max"),
                  tuple(" ".join(choice) for choice in choices))


class UsiEngine:
    """Starts the process at once; `handshake` and `new_game` make it ready."""

    def __init__(self, argv: list[str], folder: Path, label: str, hang_seconds: float):
        folder.mkdir(parents=True, exist_ok=True)
        work = folder / f"{label}.cwd"
        work.mkdir(exist_ok=True)
        self.hang_seconds = hang_seconds
        self.name = label
        self.options: dict[str, Option] = {}
        # What it complained of in answer to `usi` and `isready`: a network not found, for one.
        self.complaints: list[str] = []
        self.is_pondering = False
        self._started = time.monotonic()
        self._log = open(folder / f"{label}.usi.log", "a", encoding="utf-8", errors="backslashreplace", buffering=1)
        self._tail: deque[str] = deque(maxlen=TAIL_LINES)
        self._lines: queue.Queue[tuple[float, str | None]] = queue.Queue()
        # A line that came too late for the wait before, and that the next one reads first.
        self._ahead: tuple[float, str | None] | None = None
        self._last_score: str | None = None
        try:
            with open(folder / f"{label}.stderr.log", "ab") as errors:
                self._process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                                                 cwd=work, start_new_session=True)
        except OSError as error:
            self._log.close()
            raise SetupError(f"cannot start {argv[0]}: {error.strerror}") from error
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self._note(f"# started {' '.join(argv)} (pid {self._process.pid})")
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def handshake(self) -> None:
        """`usi` until `usiok`: learns the name and the declared options."""
        self.send("usi")
        for line in self._until("usiok", USIOK_SECONDS):
            option = parse_option(line)
            if option is not None:
                self.options[option.name] = option
            elif line.startswith("id name "):
                self.name = line[len("id name "):].strip()

    def set_option(self, name: str, value: str) -> None:
        self.send(f"setoption name {name} value {value}")

    def ready(self) -> None:
        self.send("isready")
        for _ in self._until("readyok", READYOK_SECONDS):
            pass

    def new_game(self) -> None:
        self.ready()
        self.send("usinewgame")

    def think(self, position: str, go: str, budget: float | None, margin: float) -> Answer:
        """Asks for a move. `budget` is the time allowed in seconds (None: no clock, only the hang limit holds)."""
        self._expect_silence("before go")
        self.send(position)
        self._last_score = None
        started = time.monotonic()
        self.send(go)
        return self._answer(started, budget, margin)

    def start_pondering(self, position: str, go: str) -> None:
        self._expect_silence("before go ponder")
        self.send(position)
        self._last_score = None
        self.send(go)
        self.is_pondering = True

    def ponderhit(self, budget: float | None, margin: float) -> Answer:
        """The expected move was played: the clock starts now."""
        self._expect_silence("while pondering")
        self.is_pondering = False
        started = time.monotonic()
        self.send("ponderhit")
        return self._answer(started, budget, margin)

    def stop_pondering(self) -> tuple[str, float]:
        """Ends a ponder search; returns the move it answered with, which is not played, and the seconds it took."""
        self._expect_silence("while pondering")
        self.is_pondering = False
        started = time.monotonic()
        self.send("stop")
        answer = self._answer(started, None, 0.0)
        return answer.move, answer.seconds

    def start_solving(self, position: str, go: str) -> None:
        """Asks for a mate with a `go mate`; the answer is fetched by `early_mate_answer` or `stop_solving`."""
        self._expect_silence("before go mate")
        self.send(position)
        self.send(go)

    def early_mate_answer(self, seconds: float) -> str | None:
        """The answer of the mate search that runs if it comes within so many seconds."""
        try:
            return self._checkmate(time.monotonic(), time.monotonic() + seconds)[0]
        except EngineFault as fault:
            if fault.kind != HANG:
                raise
            return None

    def stop_solving(self, seconds: float) -> tuple[str, float]:
        """Ends the mate search that runs; returns its answer and the seconds from `stop` until that arrived."""
        self._expect_silence("while solving")
        started = time.monotonic()
        self.send("stop")
        return self._checkmate(started, started + seconds)

    def game_over(self, result: str) -> None:
        """Ends the game politely: `stop` first if the engine ponders, as GUIs do."""
        if self.is_pondering:
            self.stop_pondering()
        self.send(f"gameover {result}")

    def record_fault(self, fault: EngineFault) -> None:
        """Copies the engine's last lines, `info` included, to its log."""
        self._note(f"# FAULT {fault}")
        for line in list(self._tail):
            self._note(f"# | {line}")

    def close(self) -> None:
        """`quit`, then force if that does not help within a few seconds."""
        try:
            self.send("quit")
            self._input.close()
            self._process.wait(QUIT_SECONDS)
        except (EngineFault, OSError, subprocess.TimeoutExpired):
            self.kill()
        with contextlib.suppress(OSError):
            self._note(f"# ended with status {self._process.returncode}")
        self._log.close()

    def kill(self) -> None:
        """Ends the process at once, and what it has started."""
        end_group(self._process)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_SECONDS)

    def send(self, line: str) -> None:
        self._note(f"> {line}")
        try:
            self._input.write(line.encode() + b"\n")
            self._input.flush()
        except (OSError, ValueError) as error:
            raise self._crash(f"input closed at '{line.split(' ')[0]}'") from error

    def _read(self) -> None:
        # The time is taken here, before any queue or lock, so that a busy match program costs the engine nothing.
        with self._output as output:
            for raw in lines_of(output):
                line = raw.decode("utf-8", "replace").rstrip("\r\n")
                if self._lines.qsize() < (2 * WAITING_LINES if line.startswith(ANSWERS) else WAITING_LINES):
                    self._lines.put((time.monotonic(), line))
        self._lines.put((time.monotonic(), None))

    def _take(self, seconds: float) -> tuple[float, str | None]:
        """The next line; raises `queue.Empty` if none comes in so many seconds."""
        if self._ahead is not None:
            taken, self._ahead = self._ahead, None
            return taken
        return self._lines.get(timeout=max(0.0, seconds))

    def _next(self, deadline: float, what: str) -> tuple[float, str]:
        """The next line, or a hang (deadline on the monotonic clock) or crash fault."""
        try:
            stamp, line = self._take(deadline - time.monotonic())
        except queue.Empty:
            raise EngineFault(HANG, f"no answer to {what}") from None
        if line is None:
            self._ahead = stamp, None
            raise self._crash(f"output ended while waiting for the answer to {what}")
        if stamp > deadline:
            # Whoever writes without end has not answered either.
            self._ahead = stamp, line
            raise EngineFault(HANG, f"no answer to {what}")
        self._record(stamp, line)
        return stamp, line

    def _until(self, end: str, seconds: float):
        deadline = time.monotonic() + seconds
        what = {"usiok": "usi", "readyok": "isready"}[end]
        while True:
            _, line = self._next(deadline, what)
            if line.strip() == end:
                return
            if line.startswith("info string Error"):
                self.complaints.append(line)
            yield line

    def _expect_silence(self, when: str) -> None:
        """Lines that came in meanwhile must not hold a second or early `bestmove`."""
        now = time.monotonic()
        while True:
            try:
                stamp, line = self._take(0.0)
            except queue.Empty:
                return
            if line is None:
                self._ahead = stamp, None
                raise self._crash(f"output ended {when}")
            if stamp > now:
                self._ahead = stamp, line
                return
            self._record(stamp, line)
            if line.startswith(("bestmove", "checkmate")):
                raise EngineFault(PROTOCOL, f"'{line}' {when}")

    def _record(self, stamp: float, line: str) -> None:
        """Keeps a line that the engine wrote."""
        self._tail.append(f"{stamp - self._started:.3f} < {line}")
        words = line.split()
        if words[:1] == ["info"]:
            self._note_score(words)
        else:
            self._note(f"< {line}", stamp)

    def _answer(self, started: float, budget: float | None, margin: float) -> Answer:
        if budget is None:
            return self._bestmove(started, started + self.hang_seconds, "go")
        allowed = budget + margin
        try:
            answer = self._bestmove(started, started + allowed, "go")
        except EngineFault as fault:
            if fault.kind != HANG:
                raise
            # Too late already; whether the engine is merely slow or gone decides how the fault is counted.
            self.send("stop")
            answer = self._bestmove(started, time.monotonic() + self.hang_seconds, "go and stop")
        if answer.seconds > allowed:
            raise EngineFault(TIME_LOSS, f"{1000 * answer.seconds:.0f} ms used, {1000 * budget:.0f} ms allowed "
                                         f"(+{1000 * margin:.0f} ms tolerance)")
        return answer

    def _bestmove(self, started: float, deadline: float, what: str) -> Answer:
        while True:
            stamp, line = self._next(deadline, what)
            words = line.split()
            if words[:1] == ["bestmove"]:
                if len(words) < 2:
                    raise EngineFault(PROTOCOL, "'bestmove' without a move")
                ponder = words[3] if len(words) > 3 and words[2] == "ponder" else None
                return Answer(words[1], ponder, stamp - started, self._last_score)

    def _checkmate(self, started: float, deadline: float) -> tuple[str, float]:
        while True:
            stamp, line = self._next(deadline, "go mate")
            words = line.split()
            if words[:1] == ["checkmate"]:
                if len(words) < 2:
                    raise EngineFault(PROTOCOL, "'checkmate' without an answer")
                return " ".join(words[1:]), stamp - started
            if words[:1] == ["bestmove"]:
                raise EngineFault(PROTOCOL, f"'{line}' as the answer to go mate")

    def _note_score(self, words: list[str]) -> None:
        """Keeps the score of a report on the best line, unless it is only a bound."""
        is_best = "multipv" not in words or words[words.index("multipv") + 1 :][:1] == ["1"]
        if is_best and "string" not in words and "score" in words:
            at = words.index("score")
            if len(words) > at + 2 and words[at + 3 :][:1] not in (["lowerbound"], ["upperbound"]):
                self._last_score = f"{words[at + 1]} {words[at + 2]}"

    def _crash(self, detail: str) -> EngineFault:
        try:
            status = self._process.wait(1.0)
            how = f"exit status {status}" if status >= 0 else f"signal {-status}"
        except subprocess.TimeoutExpired:
            how = "still running"
        return EngineFault(CRASH, f"{detail} ({how})")

    def _note(self, text: str, stamp: float | None = None) -> None:
        if self._log.closed:
            return
        try:
            self._log.write(f"{(stamp or time.monotonic()) - self._started:.3f} {text}\n")
        except OSError:
            # A full disk is told once; what the file still holds back would be told again at its end.
            with contextlib.suppress(OSError):
                self._log.close()
            raise
