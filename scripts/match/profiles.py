"""Which program is meant by an engine's name or path, and which options a match gives it."""

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

from faults import SetupError
from usi_engine import Option

REPOSITORY = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Profile:
    """One side of a match. Times in milliseconds; a limit that is None does not apply."""

    label: str
    argv: tuple[str, ...]
    byoyomi: int | None = None
    time: int | None = None
    increment: int | None = None
    nodes: int | None = None
    # How far an answer may come after its time before it is a loss.
    margin: int = 50
    ponder: bool = False
    wanted_options: dict[str, str] = field(default_factory=dict)
    demanded_options: dict[str, str] = field(default_factory=dict)

    @property
    def is_timed(self) -> bool:
        return self.byoyomi is not None or self.time is not None

    def hang_seconds(self, wanted: float | None) -> float:
        """How much silence after its time is a hang, unless another wish is told."""
        if wanted is not None:
            return wanted
        return 10.0 if self.is_timed else 60.0

    def options_for(self, declared: dict[str, Option]) -> dict[str, str]:
        """What to set: of the usual options those the engine declares (numbers moved into its range), and all that
        the user asked for, which must be declared and possible."""
        missing = [name for name in self.demanded_options if name not in declared]
        if missing:
            raise SetupError(f"{self.label} has no option {', '.join(missing)}")
        for name, value in self.demanded_options.items():
            if not declared[name].allows(value):
                raise SetupError(f"{self.label} does not take '{value}' for the option {name}")
        chosen = {}
        for name, value in {**self.wanted_options, **self.demanded_options}.items():
            option = declared.get(name)
            if option is None or (option.kind == "combo" and value not in option.choices):
                continue
            if option.kind == "spin" and name not in self.demanded_options:
                number = max(int(value), option.low if option.low is not None else int(value))
                value = str(min(number, option.high if option.high is not None else number))
            chosen[name] = value
        return chosen


def usual_options(hash_mb: int, ponder: bool, main_clock: bool) -> dict[str, str]:
    """One thread, the same small hash, no book, no allowance for a network: by the names different engines use."""
    yes = "true" if ponder else "false"
    # Fairy-Stockfish keeps back 30 ms of every move otherwise, most of a short byoyomi. With a main clock it needs
    # that: without, its small increments are spent to the last millisecond and it loses nearly all games on time.
    overhead = {} if main_clock else {"Move Overhead": "0"}
    return {
        **overhead,
        "UCI_Variant": "shogi",
        "Threads": "1",
        "Thread": "1",
        "USI_Hash": str(hash_mb),
        "Hash": str(hash_mb),
        "USI_Ponder": yes,
        "Ponder": yes,
        "NetworkDelay": "0",
        "NetworkDelay2": "0",
        "MinimumThinkingTime": "0",
        "RoundUpToFullSecond": "false",
        "USI_OwnBook": "false",
        "BookFile": "no_book",
        "BookDepth": "0",
    }


def build_tsumero() -> Path:
    """The release binary of this repository, built if needed."""
    if not shutil.which("cargo"):
        raise SetupError("cargo is missing, so tsumero cannot be built; name a binary with --engine")
    print("building target/release/tsumero", file=sys.stderr, flush=True)
    done = subprocess.run(["cargo", "build", "--release", "--quiet", "--bin", "tsumero"], cwd=REPOSITORY)
    if done.returncode != 0:
        raise SetupError("cargo build --release failed; name another binary with --engine")
    target = Path(os.environ.get("CARGO_TARGET_DIR", "target"))
    return REPOSITORY / target / "release" / "tsumero"


def install(program: str, package: str) -> str:
    """The path of a program from a Debian package, which is installed if that is possible."""
    path = shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/games")
    if path is None and shutil.which("apt-get"):
        root = [] if os.geteuid() == 0 else ["sudo", "-n"]
        if not root or (shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0):
            print(f"match: installing the Debian package {package}", file=sys.stderr, flush=True)
            environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", package]):
                subprocess.run([*root, "apt-get", *command], stdout=sys.stderr, env=environment)
            path = shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/games")
    if path is None:
        raise SetupError(f"{program} is missing; install the Debian package {package} (apt-get install {package})")
    return path


def resolve(name: str, base: Profile) -> Profile:
    """`fairy-stockfish`, `gpsusi` or a program, possibly with arguments, as a complete profile."""
    if name == "fairy-stockfish":
        return replace(base, argv=(install("fairy-stockfish", "fairy-stockfish"),))
    if name == "gpsusi":
        # gpsusi reads only `byoyomi` (it dies on the words of other limits) and rounds it up to whole seconds.
        if base.time or base.increment or (base.nodes and not base.byoyomi):
            base = replace(base, time=None, increment=None, byoyomi=base.byoyomi or 10_000)
        argv = [install("gpsusi", "gpsshogi"), "-N", "1"]
        if base.nodes is not None:
            argv += ["--node-count-hard-limit", str(base.nodes)]
        return replace(base, argv=tuple(argv), nodes=None, ponder=False, margin=max(base.margin, 2000))
    # A path with spaces is a path first of all; only what is no program itself is read as a command line.
    try:
        words = [name] if shutil.which(name) else shlex.split(name)
    except ValueError as error:
        raise SetupError(f"unreadable command '{name}': {error}") from error
    path = shutil.which(words[0]) if words else None
    if path is None:
        raise SetupError(f"no program '{name}'")
    # Not resolved further than the folder: a program may look at the name it was called by.
    arguments = [str(Path(word).resolve()) if Path(word).is_file() else word for word in words[1:]]
    return replace(base, argv=(os.path.abspath(path), *arguments))
