"""Stands between ShogiArena and an engine: passes every line on, and notes each fault in a file.

ShogiArena scores an illegal move or a crash as an ordinary loss and waits without limit for an engine that hangs, so
these are caught here: every `bestmove` is checked by the referee, a silent engine is ended after the hang limit, and
error output goes to a file instead of a pipe that somebody might not read. What ShogiArena hears of a fault is
`bestmove resign`, so that the game is lost at once and for no other reason.

Usage: tap.py FAULT_FILE STDERR_FILE ROLE HANG_SECONDS -- ENGINE [ARGUMENT]...
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from faults import CRASH, HANG, ILLEGAL_MOVE, PROTOCOL, EngineFault
from parent import end_with_parent
from referee import Referee
from usi_engine import end_group, lines_of

MAX_PLIES = 1_000_000
RESIGN = b"bestmove resign\n"


class Tap:
    """The state of one dialogue. `_lock` guards what both directions and the watchdog touch."""

    def __init__(self, faults: Path, stderr: Path, role: str, hang_seconds: float, argv: list[str]):
        self._faults = faults
        self._role = role
        self._hang_seconds = hang_seconds
        self._lock = threading.Lock()
        self._position = "startpos"
        self._searching: str | None = None
        # The most time of the search, in seconds.
        self._allowed = 0.0
        self._deadline: float | None = None
        self._is_ending = False
        self._is_hung = False
        with open(stderr, "ab") as errors:
            self._process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                                             start_new_session=True,
                                             preexec_fn=end_with_parent(signal.SIGKILL))
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout

    def run(self) -> int:
        signal.signal(signal.SIGTERM, lambda *_: self._end())
        signal.signal(signal.SIGINT, lambda *_: self._end())
        threading.Thread(target=self._to_engine, daemon=True).start()
        threading.Thread(target=self._watch, daemon=True).start()
        for raw in lines_of(self._output):
            words = raw.decode("utf-8", "replace").split()
            if words[:1] == ["bestmove"] and not self._is_sound(words):
                raw = RESIGN
            sys.stdout.buffer.write(raw)
            sys.stdout.buffer.flush()
        status = self._process.wait()
        with self._lock:
            is_asked = self._searching is not None
        if not self._is_ending and not self._is_hung:
            how = f"exit status {status}" if status >= 0 else f"signal {-status}"
            self._note(CRASH, f"output ended ({how})")
        if is_asked and not self._is_ending:
            sys.stdout.buffer.write(RESIGN)
            sys.stdout.buffer.flush()
        return 0 if self._is_ending else 1

    def _to_engine(self) -> None:
        for raw in sys.stdin.buffer:
            words = raw.decode("utf-8", "replace").split()
            with self._lock:
                self._follow(words)
            try:
                self._input.write(raw)
                self._input.flush()
            except OSError:
                return
        self._is_ending = True
        with contextlib.suppress(OSError):
            self._input.close()

    def _follow(self, words: list[str]) -> None:
        command = words[0] if words else ""
        if command == "position":
            self._position = " ".join(words[1:])
        elif command == "go":
            self._searching = self._position
            is_open = "ponder" in words or "infinite" in words
            self._allowed = self._clock(words)
            self._deadline = None if is_open else time.monotonic() + self._allowed + self._hang_seconds
        elif command == "ponderhit":
            # ShogiArena tells the clock with `go ponder` alone.
            self._allowed = max(self._allowed, self._clock(words))
            self._deadline = time.monotonic() + self._allowed + self._hang_seconds
        elif command == "stop" and self._searching is not None:
            self._deadline = time.monotonic() + self._hang_seconds
        elif command == "quit":
            self._is_ending = True

    @staticmethod
    def _clock(words: list[str]) -> float:
        """The most time these words can give a side, in seconds; which side is asked does not matter to a watchdog."""
        def ms(name: str) -> int:
            at = words.index(name) + 1 if name in words else len(words)
            return int(words[at]) if at < len(words) and words[at].isdigit() else 0
        return (max(ms("btime") + ms("binc"), ms("wtime") + ms("winc")) + ms("byoyomi") + ms("movetime")) / 1000.0

    def _is_sound(self, words: list[str]) -> bool:
        """Judges a `bestmove` line; notes what is wrong with it."""
        with self._lock:
            searched, self._searching, self._deadline = self._searching, None, None
        if searched is None:
            # ShogiArena drops an answer that it did not ask for; as a resignation it could do harm.
            self._note(PROTOCOL, f"'{' '.join(words)}' without a go")
            return True
        move = words[1] if len(words) > 1 else ""
        if move == "resign":
            return True
        try:
            referee = Referee(searched, MAX_PLIES, is_opening=False)
            if move == "win":
                referee.declare()
                return True
            referee.play(move)
        except EngineFault as fault:
            self._note(ILLEGAL_MOVE, fault.detail)
            return False
        if len(words) > 3 and words[2] == "ponder" and not referee.is_legal(words[3]):
            self._note(PROTOCOL, f"ponder move '{words[3]}' is illegal in '{referee.position_command()}'")
        return True

    def _watch(self) -> None:
        while self._process.poll() is None:
            time.sleep(0.2)
            with self._lock:
                is_late = self._deadline is not None and time.monotonic() > self._deadline
                if is_late:
                    self._note(HANG, f"no bestmove for '{self._searching}'")
                    self._is_hung = True
            if is_late:
                end_group(self._process)
                return

    def _end(self) -> None:
        self._is_ending = True
        end_group(self._process)

    def _note(self, kind: str, detail: str) -> None:
        line = json.dumps({"role": self._role, "kind": kind, "detail": detail, "at": time.time()}) + "\n"
        descriptor = os.open(self._faults, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.write(descriptor, line.encode())
        os.close(descriptor)


def main() -> int:
    faults, stderr, role, hang, _, *argv = sys.argv[1:]
    return Tap(Path(faults), Path(stderr), role, float(hang), argv).run()


if __name__ == "__main__":
    # The reading thread may still sit in a read that will never return; there is nothing to clean up after it.
    status = main()
    sys.stdout.flush()
    os._exit(status)
