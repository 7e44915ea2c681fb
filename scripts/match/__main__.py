"""Command line of the match tool; scripts/match.sh starts it. See docs/matches.md."""

import argparse
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
from faults import SetupError
from profiles import REPOSITORY, Profile, build_tsumero, resolve, usual_options


def positive(text: str) -> int:
    value = int(text)
    if value <= 0:
        raise argparse.ArgumentTypeError("must be above zero")
    return value


def assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError("must read NAME=VALUE")
    return name, value


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="scripts/match.sh",
        description="Plays a USI engine against another and counts wins, draws, losses and faults.",
        epilog="Exit status: 0 no fault of the engine, 1 some fault, 2 the match could not be played, 130 interrupted "
               "(run again with the same --out to go on).")
    p.add_argument("--opponent", required=True, help="fairy-stockfish, gpsusi, or the path of a USI engine")
    p.add_argument("--engine", help="the engine under test (default: builds and uses target/release/tsumero)")
    p.add_argument("--games", type=positive, default=100, help="an even number: both colors of each opening (100)")
    p.add_argument("--byoyomi", type=int, metavar="MS", help="time for every move")
    p.add_argument("--time", type=int, metavar="MS", help="main time of a game")
    p.add_argument("--increment", type=int, metavar="MS", help="time added with every move (not with --byoyomi)")
    p.add_argument("--nodes", type=positive, help="nodes for every move")
    p.add_argument("--opponent-byoyomi", type=int, metavar="MS", help="if the opponent's differs")
    p.add_argument("--opponent-nodes", type=positive, metavar="NODES", help="if the opponent's differ")
    p.add_argument("--ponder", action="store_true", help="both think on the other's time")
    p.add_argument("--runner", choices=("cshogi", "shogiarena"),
                   help="who plays the games (cshogi; with --sprt shogiarena)")
    p.add_argument("--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"),
                   help="stop as soon as one of two Elo differences is refuted (5%% errors); --games is the most")
    p.add_argument("--parallel", type=positive, help="games at once (half of the processors)")
    p.add_argument("--openings", type=Path, default=REPOSITORY / "scripts" / "openings.sfen",
                   help="one 'startpos moves ...' or 'sfen ... moves ...' per line")
    p.add_argument("--out", type=Path, help="folder of records, logs and results (runs/DATE-OPPONENT)")
    p.add_argument("--hash", type=positive, default=64, metavar="MB", help="hash of each engine (64)")
    p.add_argument("--option", type=assignment, action="append", default=[], metavar="NAME=VALUE",
                   help="a USI option of the engine (repeatable)")
    p.add_argument("--opponent-option", type=assignment, action="append", default=[], metavar="NAME=VALUE")
    p.add_argument("--max-plies", type=positive, default=320, help="a game this long is a draw (320)")
    p.add_argument("--resign", type=positive, metavar="CP",
                   help="end a game once both engines agree on this score, three moves each (off)")
    p.add_argument("--margin", type=int, metavar="MS",
                   help="tolerance of the clock (50; with the runner shogiarena 200, because it measures less closely)")
    p.add_argument("--hang", type=float, metavar="SECONDS", help="silence that is a hang (10 after the time is up; "
                                                                 "60 without a clock)")
    return p


def check_limits(args: argparse.Namespace) -> None:
    if args.byoyomi is None and args.time is None and args.nodes is None:
        raise SetupError("give --byoyomi, --time or --nodes")
    if args.increment is not None and (args.time is None or args.byoyomi is not None):
        raise SetupError("--increment needs --time and excludes --byoyomi")
    if args.sprt and args.runner == "cshogi":
        raise SetupError("--sprt needs the runner shogiarena")
    if args.sprt and args.sprt[0] >= args.sprt[1]:
        raise SetupError("--sprt needs ELO0 below ELO1")
    if args.games % 2:
        raise SetupError("--games must be even: each opening is played with both colors")


def read_openings(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SetupError(f"cannot read {path}: {error.strerror}") from error
    lines = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not lines:
        raise SetupError(f"{path} holds no openings")
    for line in lines:
        # Checks the line; the referee of each game is made afresh.
        driver.Referee(line, 10**6)
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


def digest(program: str) -> str:
    """Tells two builds at the same path apart, so that no match mixes them."""
    return hashlib.sha256(Path(program).read_bytes()).hexdigest()


def open_folder(args: argparse.Namespace, settings: dict) -> Path:
    """Makes the folder, or checks that the match in it is this one (only the number of games may have grown)."""
    name = Path(args.opponent).name
    out = (args.out or REPOSITORY / "runs" / f"{time.strftime('%Y%m%d-%H%M%S')}-{name}").resolve()
    (out / "logs").mkdir(parents=True, exist_ok=True)
    file = out / "match.json"
    if file.exists():
        before = json.loads(file.read_text(encoding="utf-8"))
        changed = [key for key in settings if before.get(key) != settings[key] and key != "games"]
        if changed:
            raise SetupError(f"{out} holds another match ({', '.join(changed)} differ); choose another --out")
        if settings["runner"] == "shogiarena" and before["games"] != settings["games"]:
            raise SetupError("ShogiArena cannot change the number of games of a match; choose another --out")
    file.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    return out


def title(args: argparse.Namespace, engine: Profile, opponent: Profile, runner: str) -> str:
    def limits(profile: Profile) -> str:
        parts = [f"{word} {value}" for word, value in (("time", profile.time), ("increment", profile.increment),
                                                       ("byoyomi", profile.byoyomi), ("nodes", profile.nodes))
                 if value is not None]
        return ", ".join(parts)
    return (f"match: {' '.join(engine.argv)} ({limits(engine)}) against {' '.join(opponent.argv)} ({limits(opponent)}), "
            f"ponder {'on' if args.ponder else 'off'}, runner {runner}")


def main() -> int:
    args = parser().parse_args()
    try:
        check_limits(args)
        runner = args.runner or ("shogiarena" if args.sprt else "cshogi")
        if args.margin is None:
            args.margin = 50 if runner == "cshogi" else 200
        openings = read_openings(args.openings)
        engine, opponent = profiles(args)
        settings = {
            "runner": runner, "programs": [digest(p.argv[0]) for p in (engine, opponent)],
            "engine": list(engine.argv), "opponent": list(opponent.argv), "games": args.games,
            "limits": [[p.time, p.increment, p.byoyomi, p.nodes, p.margin] for p in (engine, opponent)],
            "ponder": args.ponder, "hash": args.hash, "openings": openings, "max_plies": args.max_plies,
            "options": [dict(args.option), dict(args.opponent_option)], "resign": args.resign, "sprt": args.sprt}
        out = open_folder(args, settings)
        if args.games > 2 * len(openings):
            print(f"match: {len(openings)} openings for {args.games // 2} pairs: they come again, and engines that "
                  "repeat themselves (fixed nodes, one thread) add no news then", file=sys.stderr)
        print(f"match: records, logs and results in {out}", file=sys.stderr, flush=True)
        # A plain `kill` ends the match the way Ctrl-C does: engines ended, finished games kept.
        signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
        parallel = args.parallel or max(1, (os.cpu_count() or 2) // 2)
        interrupted = False
        try:
            if runner == "cshogi":
                match = driver.Match(engine, opponent, openings, out, args.games, args.max_plies, args.resign, args.hang)
                games = match.games
                match.run(parallel)
            else:
                games = arena.run(engine, opponent, openings, out, args.games, parallel, args.max_plies, args.resign,
                                  args.hang, args.sprt)
        except KeyboardInterrupt:
            interrupted = True
            if runner == "shogiarena":
                games = arena.load_games(out)
    except SetupError as error:
        print(f"match: {error}", file=sys.stderr)
        return 2
    loose = arena.load_faults(out) if runner == "shogiarena" else []
    text = tally.summary(title(args, engine, opponent, runner), games, loose, args.games)
    if args.sprt and not interrupted:
        text += f"sprt: {arena.sprt_state(out)}\n"
    (out / "summary.txt").write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    if interrupted:
        print(f"match: interrupted; the same command with --out {out} goes on", file=sys.stderr)
        return 130
    if sum(tally.count_faults(games, loose, "engine").values()):
        return 1
    if len(games) < args.games and not args.sprt:
        print(f"match: {args.games - len(games)} games could not be played; see {out / 'logs'}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
