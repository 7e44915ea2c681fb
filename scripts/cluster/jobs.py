"""What a node does for a piece: start a program in an empty folder and hand back what it has made."""

import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import networks
from parent import end_with_parent
from pieces import Output

# A piece that takes longer than this many seconds is taken for stuck.
PATIENCE = 6 * 3600.0
# Exit status of a program that has answered on its standard output and found some input bad. A program that writes a file has
# failed with any status but 0, and its file may be a part.
BAD_INPUT = 1


class JobFailed(Exception):
    """A program gave no result."""


@dataclass(frozen=True)
class ProgramJob:
    """Starts a program with these arguments. The result is its standard output, or a file that it writes."""

    program: str
    arguments: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    # Places in the folder where it finds files that every node has once, such as networks.
    links: Mapping[str, str] = field(default_factory=dict)
    # The name of the folder, where it matters.
    folder: str = "piece"
    result: str | None = None
    patience: float = PATIENCE
    # Which lines of standard error name bad input, as a regular expression.
    complaints: str | None = None

    def run(self, programs: dict[str, str]) -> Output:
        with tempfile.TemporaryDirectory(prefix="tsumero-piece-") as outer:
            folder = Path(outer) / self.folder
            folder.mkdir()
            for name, data in self.files.items():
                (folder / name).write_bytes(data)
            networks.lay(folder, self.links, programs)
            try:
                # The language of messages is that of the one who reads them, and the same on all nodes.
                done = subprocess.run([programs[self.program], *self.arguments], cwd=folder, capture_output=True,
                                      stdin=subprocess.DEVNULL, timeout=self.patience, env={**os.environ, "LC_ALL": "C.UTF-8"},
                                      preexec_fn=end_with_parent(signal.SIGKILL))
            except subprocess.TimeoutExpired as error:
                raise JobFailed(f"no result after {self.patience:.0f} s") from error
            said = tuple(done.stderr.decode("utf-8", "replace").splitlines())
            if done.returncode not in ((0, BAD_INPUT) if self.result is None else (0,)):
                how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit status {done.returncode}"
                raise JobFailed(f"{self.program} ended with {how}{': ' + said[-1] if said else ''}")
            try:
                data = done.stdout if self.result is None else (folder / self.result).read_bytes()
            except OSError as error:
                raise JobFailed(f"{self.program} wrote no {self.result}: {said[-1] if said else ''}") from error
            pattern = self.complaints
            return Output(data, tuple(line for line in said if pattern is not None and re.match(pattern, line)))
