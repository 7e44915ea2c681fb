"""The file of results: a JSON line for each piece that is done, on the disk before the run counts it."""

import base64
import contextlib
import fcntl
import json
import os
from pathlib import Path

from pieces import Output, WrongInput

# How the first line begins.
BEGIN = b'{"run": {'


class CannotWrite(Exception):
    """The file could not be written; what it held before is whole."""


def encode(output: Output) -> dict:
    """The output as JSON: as text where it is text."""
    try:
        return {"output": output.data.decode(), "said": list(output.said)}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(output.data).decode(), "said": list(output.said)}


def decode(line: dict) -> Output:
    """What `encode` has made."""
    data = base64.b64decode(line["base64"]) if "base64" in line else line["output"].encode()
    return Output(data, tuple(line["said"]))


class Ledger:
    """The results of one run. The first line says which run it is."""

    def __init__(self, path: Path, header: dict):
        self.path = path
        # Where the line of each piece lies: the outputs themselves stay on the disk.
        self._places: dict[str, tuple[int, int]] = {}
        try:
            self._file = open(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
        except OSError as error:
            raise CannotWrite(f"{path}: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._file.close()
            raise WrongInput(f"{path}: another run is writing to it") from error
        try:
            self._end = self._read(header)
            if self._end == 0:
                self._write(json.dumps({"run": header}).encode() + b"\n")
        except BaseException:
            self._file.close()
            raise

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __len__(self) -> int:
        return len(self._places)

    def add(self, results: list[tuple[str, Output, dict]]) -> None:
        """Appends the outputs of pieces, each with notes such as its node, in one write."""
        lines: list[tuple[str, bytes]] = []
        for key, output, notes in results:
            # A piece may come twice, as when its node was given up too early.
            if key not in self._places and all(key != earlier for earlier, _ in lines):
                lines.append((key, json.dumps({"piece": key, **notes, **encode(output)}).encode() + b"\n"))
        if not lines:
            return
        start = self._end
        self._write(b"".join(line for _, line in lines))
        for key, line in lines:
            self._places[key] = (start, len(line))
            start += len(line)

    def note(self, what: dict) -> None:
        """Appends a line that is no result."""
        self._write(json.dumps(what).encode() + b"\n")

    def get(self, key: str) -> Output:
        """The output of a piece that is done."""
        start, length = self._places[key]
        return decode(json.loads(os.pread(self._file.fileno(), length, start)))

    def close(self) -> None:
        self._file.close()

    def _read(self, header: dict) -> int:
        """Learns what is there; returns the end of the last whole line. What follows it is cut off: a line that a killed
        process or a full disk left behind."""
        end = 0
        with open(self.path, "rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    # Of a file of somebody else, this is all there is.
                    if end == 0 and line[:len(BEGIN)] != BEGIN[:len(line)]:
                        raise WrongInput(f"{self.path}: this is no file of results")
                    break
                try:
                    entry = json.loads(line)
                except ValueError:
                    entry = None
                if not isinstance(entry, dict):
                    raise WrongInput(f"{self.path}, byte {end}: this is no line of results")
                if end == 0:
                    self._compare(entry, header)
                elif "piece" in entry:
                    self._places.setdefault(entry["piece"], (end, len(line)))
                end += len(line)
        self._file.truncate(end)
        return end

    def _compare(self, entry: dict, header: dict) -> None:
        before = entry.get("run")
        if not isinstance(before, dict):
            raise WrongInput(f"{self.path}: this is no file of results")
        # Compared as JSON, which knows no tuples.
        wanted = json.loads(json.dumps(header))
        # Each version writes the same names for a command.
        unknown = sorted(before.keys() ^ wanted.keys())
        if unknown and before.get("command") == wanted.get("command"):
            raise WrongInput(f"{self.path.parent} holds a run that another version of these scripts began: only one of the two "
                             f"knows {', '.join(unknown)}. Its results stay; go on with that version, or choose another --out")
        changed = sorted(name for name in {*before, *wanted} if before.get(name) != wanted.get(name))
        if changed:
            raise WrongInput(f"{self.path.parent} holds another run ({', '.join(changed)} differ); choose another --out")

    def _write(self, data: bytes) -> None:
        try:
            written = 0
            while written < len(data):
                written += os.pwrite(self._file.fileno(), data[written:], self._end + written)
            os.fsync(self._file.fileno())
        except OSError as error:
            # Half a line is no result. If even this fails, the next run cuts it off.
            with contextlib.suppress(OSError):
                self._file.truncate(self._end)
            raise CannotWrite(f"{self.path}: {error.strerror}") from error
        self._end += len(data)
