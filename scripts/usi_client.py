"""A USI engine as a measuring script sees it: lines go in, answers come out, and the engine is trusted.

A match needs deadlines, logs and faults; it has a client of its own, `scripts/match/usi_engine.py`.
"""

import os
import subprocess
import sys
import time
from pathlib import Path


class Engine:
    """A running engine. Its output is read in large pieces, so that reading does not take the time that is measured."""

    def __init__(self, program: str | Path, quiet: bool = False) -> None:
        errors = subprocess.DEVNULL if quiet else None
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0)
        assert self.process.stdin and self.process.stdout
        self._input, self._output = self.process.stdin.fileno(), self.process.stdout.fileno()
        begin = "option name "
        told = [line.removeprefix(begin) for line in self.ask("usi", "usiok") if line.startswith(begin)]
        # The names of its options in small letters.
        self.options = {option.partition(" type ")[0].lower() for option in told}

    def send(self, text: str) -> float:
        """Sends text, which ends with a line end, and returns the time at which all of it was accepted."""
        rest = memoryview(text.encode())
        while rest:
            try:
                rest = rest[os.write(self._input, rest) :]
            except BrokenPipeError:
                sys.exit("the engine has ended")
        return time.perf_counter()

    def set_option(self, name: str, value: object) -> None:
        self.send(f"setoption name {name} value {value}\n")

    def wait(self, word: str, kept: list[bytes] | None = None) -> float:
        """Reads until a line begins with the word, and returns the time of that reading. `kept` gets what was read."""
        wanted, tail = b"\n" + word.encode(), b"\n"
        while wanted not in tail:
            read, now = self._read(word), time.perf_counter()
            tail = tail[-len(wanted) :] + read
            if kept is not None:
                kept.append(read)
        return now

    def ask(self, question: str, answer: str) -> list[str]:
        """Sends a line, and returns the lines up to the one that begins with the answer."""
        kept: list[bytes] = []
        self.send(question + "\n")
        self.wait(answer, kept)
        while not kept[-1].endswith(b"\n"):
            kept.append(self._read(answer))
        return b"".join(kept).decode("utf-8", "replace").splitlines()

    def new_game(self) -> None:
        """Prepares the engine for a game. An error that it reports, such as a missing network, ends the program."""
        self.send("usinewgame\n")
        for line in self.ask("isready", "readyok"):
            if line.startswith("info string Error"):
                sys.exit(line)

    def peak(self) -> int:
        """The largest resident memory so far, in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith("VmHWM"))

    def end(self) -> None:
        self.send("quit\n")
        self.process.wait()

    def _read(self, word: str) -> bytes:
        read = os.read(self._output, 1 << 20)
        if not read:
            sys.exit(f"the engine has ended before it said {word}")
        return read
