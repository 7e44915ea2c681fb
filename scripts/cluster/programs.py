"""The programs that do the work: sent to the nodes, chosen there by what the processor can, and checked before they get work.

The first half runs where the command was given, the second half on every node.
"""

import hashlib
import json
import os
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pieces import WrongInput

HERE = Path(__file__).resolve().parent
# Whoever starts a node with programs of its own names their folder here.
OWN_PROGRAMS = "TSUMERO_OWN_PROGRAMS"
# What `--version` says of a program whose source nobody can name.
UNCERTAIN = ("commit: unknown", " and changes since")


@dataclass(frozen=True)
class Choice:
    """One build of a program: its file name and the SHA-256 of its content."""

    file: str
    digest: str


@dataclass(frozen=True)
class Program:
    """A program as its nodes are told of it. `choices` are its builds, the best one first."""

    name: str
    choices: tuple[Choice, ...]
    version: str
    # What `signature` has to find on a node; None for engines of others and for files that are no programs.
    signature: str | None
    runs: bool = True


def digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def version(program: str | Path) -> str | None:
    """What `--version` says of one of Tsumero's programs, the processor left out; None for programs of others. OSError if the
    system cannot start it, ValueError with what it said if it refuses to run on this processor."""
    done = subprocess.run([program, "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    lines = [line for line in done.stdout.splitlines() if not line.startswith("processor:")]
    if lines and lines[0].startswith("tsumero"):
        return ", ".join(lines)
    if "made for processors" in done.stderr:
        raise ValueError(done.stderr.strip())
    return None


def starts(program: str | Path) -> bool:
    """Whether the program runs on this machine."""
    try:
        version(program)
    except (OSError, ValueError, subprocess.SubprocessError):
        return False
    return True


def signature(program: str | Path) -> str | None:
    """What tells whether two builds search the same tree: for the engine the nodes of `bench`, for the workshop what it writes
    into a file without games. None for a program of others."""
    line = version(program)
    if line is None:
        return None
    if line.startswith("tsumero-train"):
        with tempfile.TemporaryDirectory(prefix="tsumero-") as folder:
            file = Path(folder) / "games"
            subprocess.run([program, "datagen", file, "--seed", "1", "--games", "0"], check=True, capture_output=True,
                           timeout=600)
            data = file.read_bytes()
        header = json.loads(data[16:16 + int.from_bytes(data[8:12], "little")])
        return f"search {header['search']}, evaluation {header['evaluation']}"
    done = subprocess.run([program, "bench"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600)
    nodes = [line.removeprefix("nodes: ") for line in done.stdout.splitlines() if line.startswith("nodes: ")]
    if done.returncode != 0 or len(nodes) != 1:
        raise ValueError(f"bench ends with status {done.returncode} and without a signature")
    return f"{nodes[0]} nodes"


def describe(name: str, files: list[Path], runs: bool = True) -> tuple[Program, dict[str, bytes]]:
    """A program from its builds, best first, and their contents by digest. It is checked here first. With `runs` False it is
    a file that programs read."""
    contents = {}
    choices = []
    for file in files:
        try:
            data = file.read_bytes()
        except OSError as error:
            raise WrongInput(f"{file}: {error.strerror}") from error
        digest = hashlib.sha256(data).hexdigest()
        contents[digest] = data
        choices.append(Choice(file.name, digest))
    if not runs:
        return Program(name, tuple(choices), f"{choices[0].file} {choices[0].digest[:12]}", None, runs=False), contents
    why = ""
    for file in files:
        try:
            line, found = version(file), signature(file)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            why = f"{file}: {error}"
            continue
        return Program(name, tuple(choices), line or f"{file.name} {digest_of(file)[:12]}", found), contents
    raise WrongInput(f"no build of {name} runs here, so its signature is not known: {why}")


# From here on: what runs on a node.


@dataclass(frozen=True)
class Node:
    """What a node says of itself. `problem` is why it gets no work."""

    name: str
    cores: int
    problem: str | None
    builds: tuple[str, ...] = ()


def cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tsumero-cluster"


def code_digest() -> str:
    """Tells whether two machines have the same scripts."""
    digest = hashlib.sha256()
    for folder in (HERE, HERE.parent / "match"):
        for file in sorted(folder.glob("*.py")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def registry(node: str, programs: tuple[Program, ...]) -> Path:
    """The file that says which builds a node has chosen. It is there only after the check."""
    digest = hashlib.sha256(repr(programs).encode()).hexdigest()[:16]
    return cache() / "nodes" / f"{node}-{digest}.json"


def place(choice: Choice, fetch: Callable[[str], bytes]) -> Path:
    """The build on this machine's disk, fetched if it is not there yet."""
    path = cache() / "programs" / f"{choice.file}-{choice.digest[:12]}" / choice.file
    if not path.exists() or digest_of(path) != choice.digest:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Written beside and renamed: another node of this machine may do the same, or start the program now.
        descriptor, new = tempfile.mkstemp(dir=path.parent)
        with open(descriptor, "wb") as file:
            file.write(fetch(choice.digest))
        os.chmod(new, 0o755)
        os.replace(new, path)
    return path


def difference(file: Path, program: Program) -> str | None:
    """Why a file that runs is not the program that was described; None if it is. `bench` counts the nodes of the search for a
    move alone, so the version, which names the commit, has to be the same, too: another solver of mates has another commit."""
    found, line = signature(file), version(file)
    is_sent = digest_of(file) in {choice.digest for choice in program.choices}
    if found != program.signature:
        return f"has the signature {found}, not {program.signature}"
    if line is None:
        return None if is_sent else "has not the checksum of the program that was sent"
    if line != program.version:
        return f"is {line}, not {program.version}"
    if not is_sent and any(word in line for word in UNCERTAIN):
        return "may differ from the program that was sent: it was not built from a commit as it is"
    return None


def choose(program: Program, fetch: Callable[[str], bytes]) -> Path:
    """The first build that runs on this machine and is the program. ValueError says in one line why there is none."""
    if not program.runs:
        return place(program.choices[0], fetch)
    own = Path(os.environ.get(OWN_PROGRAMS, "")) / program.name
    why = "it was sent no program"
    # Of the programs of a node by their names, none is the engine of a match.
    files = [lambda: own] if os.environ.get(OWN_PROGRAMS) and own.exists() else [
        lambda choice=choice: place(choice, fetch) for choice in program.choices]
    for file in files:
        path = file()
        try:
            wrong = difference(path, program)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            # Made for another system or a newer processor: perhaps the next one.
            why = f"{path}: {error}".replace("\n", " ")
            continue
        if wrong is not None:
            raise ValueError(f"{path} {wrong}")
        return path
    raise ValueError(why)


def prepare(node: str, name: str, cores: int, programs: tuple[Program, ...], code: str,
            fetch: Callable[[str], bytes]) -> Node:
    """Makes a node ready for work, or tells why it is not."""
    if code_digest() != code:
        return Node(name, cores, "its scripts differ from those that give the work: bring its clone to the same commit")
    try:
        paths = {program.name: str(choose(program, fetch)) for program in programs}
        file = registry(node, programs)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(paths), encoding="utf-8")
    except (OSError, ValueError) as error:
        return Node(name, cores, str(error))
    return Node(name, cores, None, tuple(Path(path).parent.name for path in paths.values()))


def chosen(node: str, programs: tuple[Program, ...]) -> dict[str, str]:
    """The builds that this node was checked with."""
    try:
        return json.loads(registry(node, programs).read_text(encoding="utf-8"))
    except OSError as error:
        raise RuntimeError("this node has not been checked") from error
