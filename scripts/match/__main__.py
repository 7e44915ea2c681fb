"""Command line of the match tool; scripts/match.sh starts it. See docs/matches.md."""

import argparse
import fcntl
import hashlib
import json
import os
import signal
import sys
import time
from pathlib import Path

import arena
import driver
import tally
from command_line import beside, check_limits, names_path, parser, profiles, read_openings, title, with_whole_paths
from conditions import Conditions
from faults import SetupError
from profiles import REPOSITORY, Profile
from whole_files import write_whole

# Whatever a match has made of its games is in one of these. They are made after match.json.
GAMES = ("games.jsonl", "results.jsonl", "records", "arena", "summary.txt")


def check_runner(args: argparse.Namespace) -> None:
    if args.sprt and args.runner == "cshogi":
        raise SetupError("--sprt needs the runner shogiarena")
    if args.sprt and args.sprt[0] >= args.sprt[1]:
        raise SetupError("--sprt needs ELO0 below ELO1")


def digest(file: str | Path) -> str:
    """Tells two builds or networks at the same path apart, so that no match mixes them."""
    with open(file, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def digests(profile: Profile, options: list[tuple[str, str]]) -> dict[str, str]:
    """Of the files that the arguments of an engine and its options name, of those beside them that say how a network is read, and
    of those in folders that options name."""
    paths = [Path(word) for word in profile.argv[1:] if Path(word).is_file()]
    paths += [Path(value) for name, value in options if names_path(name, value)]
    files = [file for path in paths for file in ([path, *beside(path)] if path.is_file() else sorted(path.iterdir()))
             if file.is_file()]
    return {str(file): digest(file) for file in files}


def open_folder(args: argparse.Namespace, settings: dict) -> Path:
    """Makes the folder and keeps it, or checks that the match in it is this one (only the number of games may have grown)."""
    name = Path(args.opponent).name
    out = (args.out or REPOSITORY / "runs" / f"{time.strftime('%Y%m%d-%H%M%S')}-{name}").resolve()
    out.mkdir(parents=True, exist_ok=True)
    hold(out)
    file = out / "match.json"
    if file.exists():
        before = read_settings(file)
        changed = [key for key in settings if before.get(key) != settings[key] and key != "games"]
        if changed:
            raise SetupError(f"{out} holds another match ({', '.join(changed)} differ); choose another --out")
        if settings["games"] < before.get("games", 0):
            raise SetupError(f"{out} holds a match of {before['games']} games, and their number can only grow")
        if settings["runner"] == "shogiarena" and before.get("games") != settings["games"]:
            raise SetupError("ShogiArena cannot change the number of games of a match; choose another --out")
    elif strange := [name for name in GAMES if (out / name).exists()]:
        raise SetupError(f"{out} holds {strange[0]} but no match.json: it is of no match; choose another --out")
    write_whole(file, [json.dumps(settings, indent=1).encode() + b"\n"])
    (out / "logs").mkdir(exist_ok=True)
    return out


def read_settings(file: Path) -> dict:
    try:
        settings = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        settings = None
    if not isinstance(settings, dict):
        raise SetupError(f"{file} is damaged; choose another --out")
    return settings


def hold(folder: Path) -> None:
    """Keeps other matches out of a folder until this program ends: the lock lasts as long as the open file."""
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise SetupError(f"{folder} is in use by another match; wait for its end or choose another --out") from None


def end(*_: object) -> None:
    """Ends the match the way Ctrl-C does: engines ended, finished games kept. A job in the background ignores Ctrl-C."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.raise_signal(signal.SIGINT)


def run(args: argparse.Namespace) -> int:
    """Plays the match and says how it went; the exit status."""
    check_limits(args)
    check_runner(args)
    runner = args.runner or ("shogiarena" if args.sprt else "cshogi")
    if args.margin is None:
        args.margin = 50 if runner == "cshogi" else 200
    args.option, args.opponent_option = with_whole_paths(args.option), with_whole_paths(args.opponent_option)
    openings = read_openings(args.openings, args.max_plies)
    engine, opponent = profiles(args)
    settings = {
        "runner": runner, "programs": [digest(p.argv[0]) for p in (engine, opponent)],
        "engine": list(engine.argv), "opponent": list(opponent.argv), "games": args.games,
        "limits": [[p.time, p.increment, p.byoyomi, p.nodes, p.margin] for p in (engine, opponent)],
        "ponder": args.ponder, "hash": args.hash, "openings": openings, "max_plies": args.max_plies,
        "options": [dict(args.option), dict(args.opponent_option)], "resign": args.resign, "sprt": args.sprt,
        "files": [digests(engine, args.option), digests(opponent, args.opponent_option)]}
    out = open_folder(args, settings)
    if args.games > 2 * len(openings):
        print(f"match: {len(openings)} openings for {args.games // 2} pairs: they come again, and engines that "
              "repeat themselves (fixed nodes, one thread) add no news then", file=sys.stderr)
    print(f"match: records, logs and results in {out}", file=sys.stderr, flush=True)
    signal.signal(signal.SIGTERM, end)
    parallel = args.parallel or max(1, (os.cpu_count() or 2) // 2)
    conditions = Conditions(openings, args.games, args.max_plies, args.resign, args.hang)
    interrupted = False
    match = driver.Match(engine, opponent, out, conditions) if runner == "cshogi" else None
    try:
        if match is not None:
            games = match.games
            match.run(parallel)
        else:
            games = arena.run(engine, opponent, out, conditions, parallel, args.sprt)
    except KeyboardInterrupt:
        interrupted = True
        if runner == "shogiarena":
            games = arena.load_games(out)
    loose = arena.load_faults(out) if runner == "shogiarena" else []
    text = tally.summary(title(args, engine, opponent, runner), games, loose, args.games)
    if args.sprt and not interrupted:
        text += f"sprt: {arena.sprt_state(out)}\n"
    # The name of a program may hold bytes that are no text.
    whole = text.encode(errors="backslashreplace")
    write_whole(out / "summary.txt", [whole])
    sys.stdout.write(whole.decode())
    sys.stdout.flush()
    if interrupted:
        print(f"match: interrupted; the same command with --out {out} goes on", file=sys.stderr)
        return 130
    if sum(tally.count_faults(games, loose, "engine").values()):
        return 1
    if len(games) < args.games and not args.sprt:
        print(f"match: {args.games - len(games)} games could not be played; see {out / 'logs'}", file=sys.stderr)
        return 2
    return 0


def main() -> int:
    args = parser().parse_args()
    try:
        return run(args)
    except (SetupError, OSError) as error:
        print(f"match: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("match: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
