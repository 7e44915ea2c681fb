"""Which builds of a program a run uses: named by the user, made here, or made for each level of instructions."""

import argparse
import os
import subprocess
from pathlib import Path

from pieces import WrongInput
from progress import tell

REPOSITORY = Path(__file__).resolve().parents[2]
# The levels of scripts/release.sh, best first.
LEVELS = ("x86-64-v4", "x86-64-v3", "x86-64-v2")


def add_arguments(p: argparse.ArgumentParser) -> None:
    group = p.add_mutually_exclusive_group()
    group.add_argument("--program", type=Path, action="append", metavar="FILE",
                       help="the program that works (repeatable, best first: a node takes the first that runs there)")
    group.add_argument("--levels", action="store_true", help="build it for x86-64-v4, v3 and v2, for nodes of different age")


def builds(name: str, args: argparse.Namespace) -> list[Path]:
    """The builds that the arguments ask for; without any, that of this machine."""
    if args.program:
        return [path.resolve() for path in args.program]
    target = REPOSITORY / os.environ.get("CARGO_TARGET_DIR", "target")
    if not args.levels:
        return [build(name, target, None)]
    return [build(name, target / f"level-{level}", level) for level in LEVELS]


def build(name: str, target: Path, level: str | None) -> Path:
    tell(f"building {name}{' for ' + level if level else ''}")
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
    if level:
        environment["RUSTFLAGS"] = f"-C target-cpu={level}"
    try:
        done = subprocess.run(["cargo", "build", "--release", "--locked", "--quiet", "--package", name, "--bin", name],
                              cwd=REPOSITORY, env=environment)
    except OSError as error:
        raise WrongInput(f"{name} cannot be built ({error.strerror}: cargo); name one with --program") from error
    if done.returncode != 0:
        raise WrongInput(f"{name} cannot be built; name another with --program")
    return target / "release" / name
