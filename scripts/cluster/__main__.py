"""Command line of the cluster tool; scripts/cluster.sh starts it. See docs/cluster.md."""

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import builds
import command_line
import commands
import jobs
import matches
import networks
import programs
from ledger import CannotWrite, Ledger
from pieces import Output, Piece, Plan, WrongInput
from progress import Progress, tell

# Exit status.
DONE, INCOMPLETE, STOPPED, INTERRUPTED = 0, 1, 2, 130


@dataclass(frozen=True)
class Command:
    """A command: its options, and how it becomes a plan."""

    text: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    plan: Callable[[argparse.Namespace, dict], Plan]
    # The program it starts; None if the command names its programs itself.
    program: str | None = None


COMMANDS = {
    "analyze": Command("analyze the games of files: the JSON of tsumero analyze", commands.analyze_arguments,
                       commands.analyze, "tsumero"),
    "mate": Command("solve the mate problems of a file", commands.mate_arguments, commands.mate, "tsumero"),
    "tsume generate": Command("make mate problems", commands.generate_arguments, commands.generate, "tsumero"),
    "datagen": Command("play games to learn from", commands.datagen_arguments, commands.datagen, "tsumero-train"),
    "match": Command("play a match between two engines", matches.add_arguments, matches.plan),
}


def add_common(p: argparse.ArgumentParser) -> None:
    p.add_argument("--address", metavar="auto|HOST:PORT", help="the cluster to join; without it, this machine alone")
    p.add_argument("--cores", type=command_line.positive, metavar="N", help="without --address: cores to use (all)")
    p.add_argument("--out", type=Path, help="folder of the results; the same command goes on with what it holds "
                                            "(runs/DATE-COMMAND)")
    p.add_argument("--dry-run", action="store_true", help="say what would be done, and hand out no work")
    p.add_argument("--patience", type=command_line.seconds, default=jobs.PATIENCE, metavar="SECONDS",
                   help=f"a piece that takes longer is stuck ({jobs.PATIENCE:.0f})")


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="scripts/cluster.sh", description="Spreads work over the cores of one or many machines with Ray.",
        epilog="Exit status: 0 all done, 1 some input was bad or some pieces failed, 2 not started or stopped (run again with "
               "the same --out to go on), 130 interrupted (likewise). scripts/cluster.sh node --help tells how a machine joins.")
    kinds = p.add_subparsers(dest="kind", required=True, metavar="COMMAND")
    groups: dict[str, argparse._SubParsersAction] = {}
    for name, command in COMMANDS.items():
        words = name.split()
        place = kinds
        for word in words[:-1]:
            if word not in groups:
                groups[word] = kinds.add_parser(word, help=command.text).add_subparsers(required=True, metavar="COMMAND")
            place = groups[word]
        one = place.add_parser(words[-1], help=command.text, description=f"{command.text[0].upper()}{command.text[1:]}.")
        one.set_defaults(name=name)
        command.add_arguments(one)
        if command.program is not None:
            builds.add_arguments(one)
        add_common(one)
    return p


def describe(args: argparse.Namespace, command: Command) -> tuple[tuple[programs.Program, ...], dict[str, bytes]]:
    """The programs and files that the nodes need, with their contents."""
    wanted: list[tuple[str, list[Path], bool]] = []
    if command.program is not None:
        files = builds.builds(command.program, args)
        # What runs here, such as the list of games, uses the first that does.
        wanted.append((command.program, files, True))
        args.program = [file for file in files if programs.starts(file)]
        eval_file = getattr(args, "eval_file", None)
        if eval_file is not None and eval_file not in networks.NO_FILE:
            wanted += networks.wanted("network", Path(eval_file))
    else:
        wanted += matches.programs(args)
    found, contents = [], {}
    for name, files, runs in wanted:
        program, content = programs.describe(name, files, runs)
        found.append(program)
        contents.update(content)
    return tuple(found), contents


def folder(args: argparse.Namespace) -> Path:
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{args.name.replace(' ', '-')}"
    return (args.out or builds.REPOSITORY / "runs" / name).resolve()


def show(plan: Plan, wanted: tuple[programs.Program, ...], out: Path, address: str | None) -> None:
    """What `--dry-run` says."""
    print(f"command: {plan.settings['command']}")
    for program in wanted:
        print(f"{program.name}: {program.version}" + (f", signature {program.signature}" if program.signature else ""))
    print(f"settings: {json.dumps({k: v for k, v in plan.settings.items() if k not in ('command', 'programs')})}")
    print(f"cluster: {address or 'this machine alone'}")
    pieces = plan.unique()
    file = out / "results.jsonl"
    known = set()
    if file.exists():
        for line in file.read_bytes().splitlines():
            try:
                known.add(json.loads(line).get("piece"))
            except ValueError:
                continue
    left = [piece for piece in pieces if piece.key not in known]
    print(f"folder: {out}")
    print(f"pieces: {len(plan.pieces)}, {len(pieces)} different, {len(left)} to do")
    for piece in left[:10]:
        print(f"  {piece.key} {piece.title}")
    if len(left) > 10:
        print(f"  and {len(left) - 10} more")


def work(args: argparse.Namespace, plan: Plan, ledger: Ledger, wanted: tuple[programs.Program, ...],
         contents: dict[str, bytes]) -> list[Piece]:
    """Does what the ledger does not hold yet; returns the pieces that failed."""
    pieces = plan.unique()
    left = [piece for piece in pieces if piece.key not in ledger]
    if not left:
        return []
    # Ray takes seconds to load, and is not needed before.
    import schedule

    progress = Progress(len(pieces), len(pieces) - len(left))
    cluster = schedule.Cluster(args.address, args.cores)
    failed = []
    try:
        for ended in schedule.Run(cluster, wanted, contents, plan.cores_each, progress).outcomes(iter(left)):
            good = [(done.piece, done.output, done) for done in ended if done.output is not None]
            ledger.add([(piece.key, output, {"title": piece.title, "node": done.host, "seconds": round(done.seconds, 3)})
                        for piece, output, done in good])
            for piece, output, _ in good:
                for line in output.said:
                    print(piece.retell(line), file=sys.stderr)
            for done in ended:
                if done.output is None:
                    failed.append(done.piece)
                    tell(f"{done.piece.title} failed{f' {done.tries} times' if done.tries else ''}: {done.why}")
                    ledger.note({"failed": done.piece.key, "title": done.piece.title, "why": done.why})
    except schedule.ClusterLost as error:
        raise CannotWrite(f"{error}; the same command with --out {ledger.path.parent} goes on") from error
    finally:
        progress.end()
        cluster.close()
    return failed


def run(args: argparse.Namespace) -> int:
    command = COMMANDS[args.name]
    wanted, contents = describe(args, command)
    plan = command.plan(args, {"programs": {program.name: [program.version, program.signature] for program in wanted}})
    if not plan.pieces:
        raise WrongInput("there is nothing to do")
    cores = args.cores or os.cpu_count() or 1
    if args.address is None and cores < plan.cores_each:
        raise WrongInput(f"each piece needs {plan.cores_each} cores, and there is {cores}")
    out = folder(args)
    if args.dry_run:
        show(plan, wanted, out, args.address)
        return DONE
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongInput(f"{out}: {error.strerror}") from error
    commands.refuse_strange_outputs(out)
    tell(f"results in {out}")
    ledger = Ledger(out / "results.jsonl", plan.settings)
    try:
        failed = work(args, plan, ledger, wanted, contents)

        def outputs() -> Iterator[tuple[Piece, Output | None]]:
            for piece in plan.pieces:
                yield piece, ledger.get(piece.key) if piece.key in ledger else None

        try:
            written = plan.join(outputs(), out)
        except OSError as error:
            raise CannotWrite(f"{error.filename or out}: {error.strerror}") from error
        has_flaws = plan.has_bad_input or any(output is not None and output.said for _, output in outputs())
    finally:
        ledger.close()
    for path in written:
        tell(f"wrote {path}")
    for piece in failed:
        tell(f"missing: {piece.title}")
    return INCOMPLETE if failed or has_flaws else DONE


def main() -> int:
    args = parser().parse_args()
    # A plain `kill` ends a run the way Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        return run(args)
    except WrongInput as error:
        tell(str(error))
        return STOPPED
    except CannotWrite as error:
        tell(f"stopped: {error}")
        return STOPPED
    except KeyboardInterrupt:
        tell("interrupted; the same command with the same --out goes on")
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
