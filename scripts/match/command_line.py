"""The options that every match has, whoever schedules its games, and what they mean."""

import argparse
import os
import re
from pathlib import Path

from faults import SetupError
from profiles import REPOSITORY, Profile, build_tsumero, resolve, usual_options

# Options whose value may be a file or folder, and values that are none whatever the current folder holds.
PATH_OPTION = re.compile("file|dir|book|path", re.IGNORECASE)
NO_PATH = re.compile(r"|true|false|[-+]?\d+(\.\d+)?|<.*>", re.IGNORECASE)
# The files beside a network from which engines take the rule of layer stacks and the scale (docs/network.md).
BESIDE = ("eval_options.txt", "progress.bin")


def positive(text: str) -> int:
    value = int(text)
    if value <= 0:
        raise argparse.ArgumentTypeError("must be above zero")
    return value


def not_negative(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("must not be below zero")
    return value


def seconds(text: str) -> float:
    value = float(text)
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError("must be above zero")
    return value


def assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError("must read NAME=VALUE")
    return name, value


def names_path(option: str, value: str) -> bool:
    """Whether an option is set to a file or folder that is there."""
    return bool(PATH_OPTION.search(option)) and not NO_PATH.fullmatch(value) and os.path.exists(value)


def beside(network: Path) -> list[Path]:
    """The files beside a network that change what an engine makes of it."""
    return [file for file in map(network.with_name, BESIDE) if file.is_file()]


def with_whole_paths(options: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Names files and folders of the current folder so that engines find them, each of which runs in a folder of its own."""
    return [(name, str(Path(value).absolute()) if names_path(name, value) else value) for name, value in options]


def add_arguments(p: argparse.ArgumentParser) -> None:
    """What is played, by whom, and by which limits."""
    p.add_argument("--opponent", required=True, help="fairy-stockfish, gpsusi, or the path of a USI engine")
    p.add_argument("--engine", help="the engine under test (default: builds and uses target/release/tsumero)")
    p.add_argument("--games", type=positive, default=100, help="an even number: both colors of each opening (100)")
    p.add_argument("--byoyomi", type=not_negative, metavar="MS", help="time for every move")
    p.add_argument("--time", type=not_negative, metavar="MS", help="main time of a game")
    p.add_argument("--increment", type=not_negative, metavar="MS", help="time added with every move (not with --byoyomi)")
    p.add_argument("--nodes", type=positive, help="nodes for every move")
    p.add_argument("--opponent-byoyomi", type=not_negative, metavar="MS", help="if the opponent's differs")
    p.add_argument("--opponent-nodes", type=positive, metavar="NODES", help="if the opponent's differ")
    p.add_argument("--ponder", action="store_true", help="both think on the other's time")
    p.add_argument("--openings", type=Path, default=REPOSITORY / "scripts" / "openings.sfen",
                   help="one 'startpos moves ...' or 'sfen ... moves ...' per line")
    p.add_argument("--hash", type=positive, default=64, metavar="MB", help="hash of each engine (64)")
    p.add_argument("--option", type=assignment, action="append", default=[], metavar="NAME=VALUE",
                   help="a USI option of the engine (repeatable)")
    p.add_argument("--opponent-option", type=assignment, action="append", default=[], metavar="NAME=VALUE")
    p.add_argument("--max-plies", type=positive, default=320, help="a game this long is a draw (320)")
    p.add_argument("--resign", type=positive, metavar="CP",
                   help="end a game once both engines agree on this score, three moves each (off)")
    p.add_argument("--margin", type=not_negative, metavar="MS",
                   help="tolerance of the clock (50; with the runner shogiarena 200, because it measures less closely)")
    p.add_argument("--hang", type=seconds, metavar="SECONDS", help="silence that is a hang (10 after the time is up; "
                                                                 "60 without a clock)")


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="scripts/match.sh",
        description="Plays a USI engine against another and counts wins, draws, losses and faults.",
        epilog="Exit status: 0 no fault of the engine, 1 some fault, 2 the match could not be played, 130 interrupted "
               "(run again with the same --out to go on).",
        # Programs that call this one look for whole names.
        allow_abbrev=False)
    add_arguments(p)
    p.add_argument("--runner", choices=("cshogi", "shogiarena"),
                   help="who plays the games (cshogi; with --sprt shogiarena)")
    p.add_argument("--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"),
                   help="stop as soon as one of two Elo differences is refuted (5%% errors); --games is the most")
    p.add_argument("--parallel", type=positive, help="games at once (half of the processors)")
    p.add_argument("--out", type=Path, help="folder of records, logs and results (runs/DATE-OPPONENT)")
    return p


def check_limits(args: argparse.Namespace) -> None:
    if args.byoyomi is None and args.time is None and args.nodes is None:
        raise SetupError("give --byoyomi, --time or --nodes")
    byoyomis = (args.byoyomi, args.opponent_byoyomi)
    if args.increment is not None and (args.time is None or byoyomis != (None, None)):
        raise SetupError("--increment needs --time and excludes --byoyomi and --opponent-byoyomi")
    for byoyomi in (args.byoyomi, args.byoyomi if args.opponent_byoyomi is None else args.opponent_byoyomi):
        times = [time for time in (args.time, args.increment, byoyomi) if time is not None]
        if times and sum(times) == 0:
            raise SetupError("a side without any time would lose every game; leave the time out, or give more")
    if args.games % 2:
        raise SetupError("--games must be even: each opening is played with both colors")


def read_openings(path: Path, max_plies: int) -> list[str]:
    # Only here: its libraries are not installed where somebody asks for the usage alone.
    from referee import Referee

    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise SetupError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise SetupError(f"cannot read {path}: it is not UTF-8") from None
    lines = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise SetupError(f"{path} holds no openings")
    for line in lines:
        # Checks the line; the referee of each game is made afresh.
        Referee(line, max_plies)
    return lines


def profiles(args: argparse.Namespace) -> tuple[Profile, Profile]:
    base = Profile("engine", (), byoyomi=args.byoyomi, time=args.time, increment=args.increment, nodes=args.nodes,
                   margin=args.margin, ponder=args.ponder,
                   wanted_options=usual_options(args.hash, args.ponder, args.time is not None))
    engine_name = args.engine or str(build_tsumero())
    engine = resolve(engine_name, Profile(**{**vars(base), "label": "the engine", "demanded_options": dict(args.option)}))
    opponent = resolve(args.opponent, Profile(**{
        **vars(base), "label": "the opponent", "demanded_options": dict(args.opponent_option),
        "byoyomi": args.opponent_byoyomi if args.opponent_byoyomi is not None else args.byoyomi,
        "nodes": args.opponent_nodes if args.opponent_nodes is not None else args.nodes}))
    return engine, opponent


def title(args: argparse.Namespace, engine: Profile, opponent: Profile, runner: str) -> str:
    def limits(profile: Profile) -> str:
        parts = [f"{word} {value}" for word, value in (("time", profile.time), ("increment", profile.increment),
                                                       ("byoyomi", profile.byoyomi), ("nodes", profile.nodes))
                 if value is not None]
        return ", ".join(parts)
    return (f"match: {' '.join(engine.argv)} ({limits(engine)}) against {' '.join(opponent.argv)} ({limits(opponent)}), "
            f"ponder {'on' if args.ponder else 'off'}, runner {runner}")
