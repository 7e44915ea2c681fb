"""Kills the program while it writes people's files, and checks that nothing is lost.

1. Many game files are analyzed by a process that may open only 256 files. It is killed on the way and resumed, until it ends. Its
   outputs are those of a run that nobody broke off.
2. A second process on the same file says so at once.
3. Processes are killed while they write each kind of output. Each file is then the old one or the new one, never a part.

Ends with 1 at the first thing that is wrong. Unix only.
"""

import argparse
import contextlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OPENINGS = ROOT / "scripts" / "openings.sfen"
# The ending of a file that is not complete.
TEMPORARY = ".tsumero-new"
KINDS = ("kif", "csa", "json", "csv", "html")
OPTIONS = [f"--{kind}" for kind in KINDS]


class Wrong(Exception):
    """What must not happen."""


def check(is_right: bool, what: str) -> None:
    if not is_right:
        raise Wrong(what)


def few_files() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))


def run(command: list[str], code: int = 0) -> str:
    """Runs a command to its end and returns what it says on standard error."""
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=few_files)
    check(done.returncode == code, f"{' '.join(command)}: code {done.returncode}: {done.stderr[-500:]}")
    return done.stderr


def start(command: list[str]) -> subprocess.Popen:
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=few_files)


def kill(process: subprocess.Popen) -> bool:
    """Kills a process. Returns whether it was still at work."""
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


# The names of files that are not complete, with the time of the last change.
Parts = dict[str, int]


def parts(folder: Path, left: Parts | None = None) -> Parts:
    """Those in a folder. One that was left, and has not been written again since, is not among them."""
    found = {}
    for file in folder.iterdir():
        if file.name.endswith(TEMPORARY):
            with contextlib.suppress(FileNotFoundError):
                found[file.name] = file.stat().st_mtime_ns
    return {name: changed for name, changed in found.items() if not left or left.get(name) != changed}


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_many_files(program: str, folder: Path, count: int, nodes: int) -> None:
    lines = [line for line in OPENINGS.read_text(encoding="utf-8").splitlines() if line.startswith("startpos")]
    games = folder / "games"
    games.mkdir()
    for number in range(count):
        (games / f"{number:05}.usi").write_text(lines[number % len(lines)] + "\n", encoding="utf-8")
    command = [program, "analyze", str(games), "--nodes", str(nodes), "--hash", "1", *OPTIONS, "--out"]
    whole, broken = folder / "whole", folder / "broken"
    begun = time.monotonic()
    run([*command, str(whole)])
    seconds = time.monotonic() - begun
    expected = contents(whole)
    # All of each game, and the page that lists the games.
    check(len(expected) == count * len(KINDS) + 1, f"{len(expected)} outputs of {count} games")
    resumed: list[str] = []
    at = []
    # In the middle, and twice more.
    for share in (0.5, 0.6, 0.85):
        process = start([*command, str(broken), *resumed])
        wanted = int(share * len(expected))
        while not broken.is_dir() or sum(1 for file in broken.iterdir() if file.suffix[1:] in KINDS) < wanted:
            check(process.poll() is None, "the run ended before it was killed")
            time.sleep(0.005)
        check(kill(process), "the run ended before it was killed")
        at.append(sum(1 for file in broken.iterdir() if file.suffix[1:] in KINDS))
        for name, data in contents(broken).items():
            check(name not in expected or data == expected[name], f"{name} is a part after a kill")
        journals = {name: data for name, data in contents(broken).items() if name.endswith(".partial")}
        check(len(journals) >= wanted // len(KINDS), f"only {len(journals)} journals")
        if not resumed:
            said = run([*command, str(broken)], code=2)
            check("--resume" in said, f"a run without --resume says {said!r}")
            check(journals.items() <= contents(broken).items(), "a run without --resume has changed a journal")
        resumed = ["--resume"]
    run([*command, str(broken), *resumed])
    check(contents(broken) == expected, "the resumed run has other outputs than the unbroken one")
    print(f"{count} files with at most 256 open: {len(expected)} outputs in {seconds:.0f} s; killed at {at}, resumed: "
          "the same bytes")


def test_two_processes(program: str, folder: Path) -> None:
    game = folder / "game.usi"
    game.write_text(OPENINGS.read_text(encoding="utf-8").splitlines()[-1] + "\n", encoding="utf-8")
    command = [program, "analyze", str(game), "--nodes", "100000000", "--hash", "1", "--json"]
    first = start(command)
    try:
        while not (folder / "game.analysis.partial").exists():
            check(first.poll() is None, "the first process has ended before it began its file")
            time.sleep(0.01)
        time.sleep(0.2)
        for more in ([], ["--resume"]):
            begun = time.monotonic()
            said = run([*command, *more], code=1)
            check("another process" in said and "game.analysis.partial" in said, f"the second process says {said!r}")
            check(first.poll() is None, "the first process has ended")
            print(f"a second process ends after {time.monotonic() - begun:.2f} s: {said.strip().rsplit('/', 1)[-1]}")
    finally:
        first.kill()
        first.wait()


@dataclass
class Case:
    """Two runs that write the same files with other contents."""

    name: str
    old: list[str]
    new: list[str]
    outputs: list[Path]


def cases(program: str, workshop: str | None, folder: Path) -> list[Case]:
    out = folder / "out"
    game = folder / "long.usi"
    lines = [line for line in OPENINGS.read_text(encoding="utf-8").splitlines() if line.startswith("startpos")]
    game.write_text("\n".join(sorted(lines, key=len)[-6:]) + "\n", encoding="utf-8")
    book, page = out / "book.db", out / "page.html"
    make = [program, "book", "make", str(OPENINGS), "--out", str(book)]
    analyze = [program, "analyze", str(game), "--hash", "1", *OPTIONS, "--out", str(out)]
    # The outputs have the name of the input.
    problems, others = (folder / name / "problem.sfen" for name in ("problems", "others"))
    for file, row in ((problems, "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\n"),
                      (others, "5k3/9/5P3/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\n")):
        file.parent.mkdir()
        file.write_text(row * 200, encoding="utf-8")
    tsume = [program, "tsume", "check", "--html", str(page), "--out", str(out), "--file"]
    files = [out / f"long.{kind}" for kind in ("csa", "json", "csv", "html")]
    files += [out / f"long-{number}.kif" for number in range(1, 7)]
    found = [
        Case("book make", make, [*make, "--plies", "12"], [book]),
        Case("analyze", [*analyze, "--nodes", "20"], [*analyze, "--nodes", "40", "--multipv", "2"], files),
        Case("tsume check", [*tsume, str(problems)], [*tsume, str(others)],
             [page, *(out / f"problem-{number:04}.kif" for number in range(1, 201))]),
    ]
    if workshop:
        games = [folder / f"{name}.games" for name in ("one", "two")]
        for seed, file in enumerate(games):
            limits = ["--soft-nodes", "20", "--nodes", "200"]
            run([workshop, "datagen", str(file), "--games", "30", "--seed", str(seed + 1), *limits])
        for kind in ("psv", "hcpe", "txt", "games"):
            target = out / f"converted.{kind}"
            one, two = ([workshop, "convert", str(file), str(target), "--replace"] for file in games)
            found.append(Case(f"convert to {kind}", one, two, [target]))
        fit = [workshop, "fit", str(games[0]), "--out", str(out / "fit"), "--held-out", "5", "--epochs"]
        found.append(Case("fit", [*fit, "1"], [*fit, "2"], [out / f"fit.{ending}" for ending in ("json", "bin", "svg")]))
    return found


def test_kills(program: str, workshop: str | None, folder: Path, kills: int, seed: int) -> None:
    rng = random.Random(seed)
    (folder / "out").mkdir()
    every = cases(program, workshop, folder)
    share, more = divmod(kills, len(every))
    total: Counter[str] = Counter()
    for index, case in enumerate(every):
        seen = kills_of(case, folder / "out", share + (index < more), rng)
        total += seen
        print(f"{case.name}: {dict(seen)}", flush=True)
    check(total["killed"] == kills, f"{total['killed']} of {kills} runs were killed")
    print(f"{kills} kills, {total['while a file was written']} of them while a file was written: every file is old or new")


def kills_of(case: Case, out: Path, kills: int, rng: random.Random) -> Counter[str]:
    run(case.new)
    new = {file: file.read_bytes() for file in case.outputs}
    run(case.old)
    old = {file: file.read_bytes() for file in case.outputs}
    check(any(old[file] != new[file] for file in case.outputs), f"{case.name}: both runs write the same")
    begun = time.monotonic()
    run(case.new)
    whole = time.monotonic() - begun
    seen: Counter[str] = Counter()
    tries = 0
    while seen["killed"] < kills:
        tries += 1
        check(tries < 20 * kills, f"{case.name}: too many runs ended before they were killed")
        for file, data in old.items():
            file.write_bytes(data)
        left = parts(out)
        process = start(case.new)
        # Half of the time in the middle of a file, otherwise anywhere.
        if tries % 2:
            wait_for_a_part(process, out, left, rng)
        else:
            time.sleep(rng.uniform(0, whole))
        was_killed = kill(process)
        seen["killed"] += was_killed
        seen["while a file was written"] += was_killed and bool(parts(out, left))
        for file in case.outputs:
            data = file.read_bytes()
            check(data in (old[file], new[file]), f"{file.name} is a part")
            seen["files that were old"] += data == old[file]
            seen["files that were new"] += data != old[file]
        for journal in out.glob("*.partial"):
            journal.unlink()
    # The next run takes away what a killed one has left.
    run(case.new)
    check({file: file.read_bytes() for file in case.outputs} == new, f"{case.name}: another result after all that")
    left = parts(out)
    check(not left, f"{case.name}: {sorted(left)} are left")
    return seen


def wait_for_a_part(process: subprocess.Popen, out: Path, left: Parts, rng: random.Random) -> None:
    """Waits for one of the files that are written, other than those that were left, and sometimes a little longer."""
    which = rng.randrange(1, 6)
    last = ""
    while process.poll() is None:
        part = next(iter(parts(out, left)), "")
        if part and part != last:
            which -= 1
            if which <= 0 or rng.random() < 0.3:
                break
        last = part
    if rng.random() < 0.5:
        time.sleep(rng.uniform(0, 0.003))


def main() -> int:
    p = argparse.ArgumentParser(prog="scripts/files.sh", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--program", default=str(ROOT / "target" / "release" / "tsumero"), help="the program (target/release/tsumero)")
    p.add_argument("--workshop", help="tsumero-train, whose outputs are then tested, too")
    p.add_argument("--files", type=int, default=2000, help="number of game files (2000)")
    p.add_argument("--nodes", type=int, default=20, help="nodes for each of their positions (20)")
    p.add_argument("--kills", type=int, default=200, help="number of kills (200)")
    p.add_argument("--seed", type=int, default=1, help="of the moments of the kills (1)")
    args = p.parse_args()
    tests: list[Callable[[Path], None]] = [
        lambda folder: test_two_processes(args.program, folder),
        lambda folder: test_kills(args.program, args.workshop, folder, args.kills, args.seed),
        lambda folder: test_many_files(args.program, folder, args.files, args.nodes),
    ]
    try:
        for test in tests:
            with tempfile.TemporaryDirectory(prefix="tsumero-files-") as folder:
                test(Path(folder))
    except Wrong as wrong:
        print(f"WRONG: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
