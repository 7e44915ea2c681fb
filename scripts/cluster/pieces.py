"""A run as pieces of work that do not depend on each other."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True)
class Output:
    """What came of a piece. `said` is what the program had to say about its input, line by line."""

    data: bytes
    said: tuple[str, ...] = ()


class Job(Protocol):
    """What a node is handed: everything that a piece needs, the programs excepted."""

    def run(self, programs: dict[str, str]) -> Output:
        """Does the work with the programs of this node, given by name. Raises if there is no result."""


@dataclass(frozen=True)
class Piece:
    """A piece of work. Its key names it by its input and by all settings, so the same work has the same key in every run."""

    key: str
    title: str
    # Made when the piece is handed out: inputs of pieces that wait take no memory.
    job: Callable[[], Job]
    # How much work it is, compared with the other pieces.
    size: int = 0
    # What `said` has to be turned into where it is shown.
    retell: Callable[[str], str] = str


class WrongInput(Exception):
    """The command cannot be carried out as it was given; the message is one line."""


@dataclass
class Plan:
    """All pieces of a run in the order of the result, and what is made of their outputs."""

    # What has to be the same when a run goes on.
    settings: dict
    pieces: list[Piece]
    # Writes the result into a folder from the output of each piece in order, None where there is none.
    join: Callable[[Iterator[tuple[Piece, Output | None]], Path], list[Path]]
    # Cores that a piece needs.
    cores_each: int = 1
    # Whether some input was bad. It was named, and the rest is done.
    has_bad_input: bool = False

    def unique(self) -> list[Piece]:
        """Each piece once (the same input twice is done once), the largest first, so that no core is left alone at the end."""
        return sorted({piece.key: piece for piece in self.pieces}.values(), key=lambda piece: -piece.size)


def key(settings: dict, *inputs: str | bytes) -> str:
    """The name of a piece: 96 bits of the SHA-256 of its settings and inputs."""
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
    for part in inputs:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()[:24]
