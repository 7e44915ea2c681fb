"""The command `match`: a piece is an opening, played twice with colors exchanged by the driver of scripts/match."""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import command_line
import networks
import tally
from conditions import Conditions
from driver import Match
from faults import SetupError
from pieces import Output, Piece, Plan, WrongInput, key
from profiles import Profile, install
from whole_files import write_whole

# Engines that a node takes from its Debian package, and the package.
PACKAGES = {"fairy-stockfish": "fairy-stockfish", "gpsusi": "gpsshogi"}
ROLES = ("engine", "opponent")


def add_arguments(p: argparse.ArgumentParser) -> None:
    command_line.add_arguments(p)


def sides(args: argparse.Namespace) -> dict[str, Profile]:
    """Both sides, as a match on one machine has them."""
    if args.margin is None:
        args.margin = 50
    args.option, args.opponent_option = map(command_line.with_whole_paths, (args.option, args.opponent_option))
    try:
        command_line.check_limits(args)
        found = dict(zip(ROLES, command_line.profiles(args), strict=True))
    except SetupError as error:
        raise WrongInput(str(error)) from error
    for role, profile in found.items():
        for word in profile.argv[1:]:
            if Path(word).is_file():
                raise WrongInput(f"the {role} is started with the file {word}: on a cluster it has to be a single program")
    return found


def option_files(profile: Profile) -> dict[str, Path]:
    """Options whose value is a file, such as a network."""
    return {name: Path(value) for name, value in profile.demanded_options.items()
            if command_line.names_path(name, value) and Path(value).is_file()}


def places(profile: Profile, role: str) -> dict[str, dict[str, str]]:
    """Of each such option: where a node has the file, and then those beside it, each with the name of what was sent."""
    return {name: networks.links(f"{role} {name}", path, f"files/{role}/{name}/{networks.folder_name(path)}")
            for name, path in option_files(profile).items()}


def refuse_folders(found: Mapping[str, Profile]) -> None:
    """An engine that lacks its `EvalDir` on another machine may play with another network without a word."""
    for role, profile in found.items():
        for name, value in profile.demanded_options.items():
            if command_line.names_path(name, value) and Path(value).is_dir():
                raise WrongInput(f"the {role}'s {name} is the folder {value}: nodes get single files only (EvalFile=FILE)")


def is_sent(role: str, args: argparse.Namespace) -> bool:
    return getattr(args, role) not in PACKAGES


def programs(args: argparse.Namespace) -> list[tuple[str, list[Path], bool]]:
    """What the nodes are sent."""
    args.sides = sides(args)
    if args.address is not None:
        refuse_folders(args.sides)
    wanted: list[tuple[str, list[Path], bool]] = []
    for role, profile in args.sides.items():
        if is_sent(role, args):
            wanted.append((role, [Path(profile.argv[0])], True))
        for name, path in option_files(profile).items():
            wanted += networks.wanted(f"{role} {name}", path)
    return wanted


@dataclass(frozen=True)
class PairJob:
    """Two games of one opening."""

    pair: int
    opening: str
    profiles: Mapping[str, Profile]
    # Of each role: the options whose value is a file that the nodes were sent, and its places there.
    files: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    max_plies: int = 320
    resign: int | None = None
    hang: float | None = None

    def run(self, programs: dict[str, str]) -> Output:
        with tempfile.TemporaryDirectory(prefix="tsumero-pair-") as folder:
            engine, opponent = (self._here(role, programs, Path(folder)) for role in ROLES)
            first = 2 * self.pair
            conditions = Conditions([self.opening], first + 2, self.max_plies, self.resign, self.hang)
            match = Match(engine, opponent, Path(folder), conditions, first)
            match.run(1)
            games = sorted(match.games, key=lambda game: game["game"])
            records = {path.name: path.read_text(encoding="utf-8") for path in sorted((Path(folder) / "records").iterdir())}
            logs = {}
            if any(game["faults"] for game in games):
                logs = {f"{self.pair:05}-{path.name}": path.read_text(encoding="utf-8", errors="replace")
                        for path in sorted((Path(folder) / "logs").glob("*.log"))}
        return Output(json.dumps({"games": games, "records": records, "logs": logs}).encode())

    def _here(self, role: str, programs: dict[str, str], folder: Path) -> Profile:
        """The side with the programs and files of this node."""
        profile = self.profiles[role]
        name = Path(profile.argv[0]).name
        program = programs[role] if role in programs else install(name, PACKAGES[name])
        options = dict(profile.demanded_options)
        for option, links in self.files[role].items():
            networks.lay(folder, links, programs)
            options[option] = str(folder / next(iter(links)))
        return replace(profile, argv=(program, *profile.argv[1:]), demanded_options=options)


def plan(args: argparse.Namespace, identity: dict) -> Plan:
    try:
        openings = command_line.read_openings(args.openings, args.max_plies)
    except SetupError as error:
        raise WrongInput(str(error)) from error
    profiles: dict[str, Profile] = args.sides
    files = {role: places(profile, role) for role, profile in profiles.items()}
    settings = {
        "command": "match",
        "limits": [[p.time, p.increment, p.byoyomi, p.nodes, p.margin] for p in profiles.values()],
        "arguments": [list(p.argv[1:]) for p in profiles.values()],
        "options": [{name: value for name, value in p.demanded_options.items() if name not in files[role]}
                    for role, p in profiles.items()],
        "files": files,
        "names": [getattr(args, role) if not is_sent(role, args) else None for role in ROLES],
        "ponder": args.ponder, "hash": args.hash, "max_plies": args.max_plies, "resign": args.resign, "hang": args.hang,
        **identity}
    pieces = []
    for pair in range(args.games // 2):
        opening = openings[pair % len(openings)]
        job = partial(PairJob, pair, opening, profiles, files, args.max_plies, args.resign, args.hang)
        pieces.append(Piece(key(settings, str(pair), opening), f"games {2 * pair} and {2 * pair + 1}", job))
    title = command_line.title(args, profiles["engine"], profiles["opponent"], "cluster")
    # With pondering both sides think at once.
    whole = Plan(settings, pieces, lambda outputs, folder: [], cores_each=2 if args.ponder else 1)

    def join(outputs: Iterator[tuple[Piece, Output | None]], folder: Path) -> list[Path]:
        games = take_games(outputs, folder)
        text = tally.summary(title, games, [], args.games)
        sys.stdout.write(text)
        sys.stdout.flush()
        whole.has_bad_input = bool(sum(tally.count_faults(games, [], "engine").values()))
        lines = ((json.dumps(game) + "\n").encode() for game in games)
        return [write_whole(folder / "games.jsonl", lines), write_whole(folder / "summary.txt", iter([text.encode()]))]

    whole.join = join
    return whole


def take_games(outputs: Iterator[tuple[Piece, Output | None]], folder: Path) -> list[dict]:
    """Writes the records and the logs of games with faults; returns the games in order."""
    games = []
    for name in ("records", "logs"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for _, output in outputs:
        if output is None:
            continue
        pair = json.loads(output.data)
        games += pair["games"]
        for name in ("records", "logs"):
            for file, text in pair[name].items():
                (folder / name).mkdir(exist_ok=True)
                (folder / name / file).write_text(text, encoding="utf-8")
    return games
