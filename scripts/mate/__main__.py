"""Command line of the mate solver's checks; scripts/mate.sh starts it."""

import argparse
import sys
from pathlib import Path

import compare
import soak
import stop
import verify
from command_line import positive
from faults import EngineFault, SetupError
from profiles import REPOSITORY, build_tsumero
from solver import Limits

DATA = REPOSITORY / "tests" / "data" / "tsume"


def above_zero(text: str) -> float:
    value = float(text)
    if not value > 0.0:
        raise argparse.ArgumentTypeError("must be above zero")
    return value


def data(*names: str) -> list[Path]:
    """Files of the repository."""
    return [DATA / f"{name}.csv" for name in names]


SHORT = ("mate1", "mate3", "mate5", "mate7", "mate9", "mate11plus")


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="scripts/mate.sh", description="Checks `tsumero mate` and `go mate` against an independent rules library "
        "and measures them.", epilog="Exit status: 0 all is well, 1 something is wrong, 2 it could not be tried, 130 "
        "interrupted. `scripts/mate.sh --self-test` tests this tool itself.")
    commands = p.add_subparsers(dest="command", required=True)

    def command(name: str, text: str, files: tuple[str, ...], hash_mb: int) -> argparse.ArgumentParser:
        c = commands.add_parser(name, help=text.split(". ")[0], description=text)
        c.add_argument("files", nargs="*", type=Path, default=data(*files),
                       help=f"problems as CSV (tests/data/tsume: {' '.join(files)})")
        c.add_argument("--engine", type=Path, help="the program (default: it is built and used)")
        c.add_argument("--hash", type=positive, default=hash_mb, metavar="MB", help=f"memory ({hash_mb})")
        return c

    v = command("verify", "Solves every row and checks the answers. A mate is replayed by two rules libraries; its length "
                "must be the file's, other lengths of famous, classics and giants are only reported; in nomate every mate is "
                "wrong; 'no mate' is wrong wherever the file knows a mate.", (*SHORT, "nonpromotion", "futile", "nomate"), 256)
    v.add_argument("--time", type=positive, metavar="MS", help="time for each row, as the solver measures it")
    v.add_argument("--nodes", type=positive, metavar="N", help="nodes for each row")
    v.add_argument("--threads", type=positive, default=1, metavar="N", help="threads of the solver (1)")
    single = v.add_mutually_exclusive_group()
    single.add_argument("--cpu", type=above_zero, metavar="S", help="CPU seconds after which a row counts as unknown")
    single.add_argument("--in-one-process", action="store_true",
                        help="one process for each file: quicker, but no figures for single rows")
    v.add_argument("--jobs", type=positive, default=1, metavar="N", help="rows at once, each in its process (1)")
    v.add_argument("--proof", type=positive, metavar="NODES",
                   help="also ask for every other reply along each line, with so many nodes each")
    v.add_argument("--no-mate", action=argparse.BooleanOptionalAction, default=None,
                   help="an empty length means that there is no mate (default: in a file called nomate)")
    v.add_argument("--exact", action=argparse.BooleanOptionalAction, default=None,
                   help="a length without a star must be met (default: not in famous, classics and giants)")
    v.add_argument("--unknown", type=int, default=20, metavar="N",
                   help="list so many unknown rows of each file at most (20); wrong ones are always listed")
    v.add_argument("--out", type=Path, metavar="CSV", help="write all that is known of every row")

    c = command("compare", compare.__doc__ or "", SHORT, 64)
    c.epilog = "Here --engine names a built example mate_times, not tsumero."
    c.add_argument("--any", action="store_true", help="the first mate found counts, as for cshogi, not the shortest")
    c.add_argument("--repeats", type=positive, default=5, metavar="N", help="measurements of each problem (5)")
    c.add_argument("--time", type=positive, default=10_000, metavar="MS", help="longest time for each problem (10000)")
    c.add_argument("--out", type=Path, metavar="CSV", help="write the times of every problem")

    s = command("stop", stop.__doc__ or "", ("famous", "classics"), 256)
    s.add_argument("--times", type=positive, default=20, metavar="N", help="how often (20)")
    s.add_argument("--limit", type=positive, default=100, metavar="MS", help="longest time from stop to the answer (100)")
    s.add_argument("--most", type=positive, default=2000, metavar="MS", help="longest wait before stop (2000)")
    s.add_argument("--threads", type=positive, default=1, metavar="N", help="threads of the engine (1)")
    s.add_argument("--seed", type=int, default=1, help="of the waits (1)")

    k = command("soak", soak.__doc__ or "", ("famous", "classics"), 256)
    k.add_argument("--minutes", type=above_zero, default=60.0, help="how long (60)")
    k.add_argument("--time", type=positive, default=60_000, metavar="MS", help="time for each row (60000)")
    return p


def check_writable(path: Path) -> None:
    """Tells before hours of work what cannot be written. What a file holds stays until the end, a new file does not
    appear before it, and nobody who reads from a pipe takes this for the end."""
    is_new = not path.exists()
    if is_new or path.is_file() or path.is_dir():
        open(path, "a").close()
    if is_new:
        path.unlink()


def run(args: argparse.Namespace) -> bool:
    if getattr(args, "out", None) is not None:
        check_writable(args.out)
    if args.command == "compare":
        return compare.compare(args.engine, args.files, Limits(time=args.time, hash_mb=args.hash), args.any,
                               args.repeats, args.out)
    tsumero = (args.engine or build_tsumero()).resolve()
    if args.command == "verify":
        limits = Limits(args.time, args.nodes, args.hash, args.threads)
        settings = verify.Settings(tsumero, limits, args.cpu, args.in_one_process, args.jobs, args.proof, args.no_mate,
                                   args.exact, args.unknown)
        return verify.verify(settings, args.files, args.out)
    if args.command == "stop":
        return stop.stop(tsumero, args.files, args.hash, args.threads, args.times, args.limit / 1000, args.most / 1000,
                         args.seed)
    return soak.soak(tsumero, args.files, Limits(time=args.time, hash_mb=args.hash), 60 * args.minutes)


def main() -> int:
    args = parser().parse_args()
    try:
        return 0 if run(args) else 1
    except (SetupError, OSError) as error:
        print(f"mate: {error}", file=sys.stderr)
        return 2
    except EngineFault as fault:
        print(f"mate: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
