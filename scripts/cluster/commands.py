"""The commands that start one program for each piece: analyze, mate, tsume generate, datagen."""

import argparse
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import networks
from command_line import not_negative, positive
from jobs import ProgramJob
from pieces import Output, Piece, Plan, WrongInput, key
from whole_files import write_whole

Outputs = Iterator[tuple[Piece, Output | None]]


def handed_on(args: argparse.Namespace, *names: str) -> tuple[str, ...]:
    """Options that the program is given as they were given here."""
    words: list[str] = []
    for name in names:
        value = getattr(args, name.replace("-", "_"))
        if value is True:
            words.append(f"--{name}")
        elif value not in (None, False):
            words += [f"--{name}", *map(str, value if isinstance(value, list) else [value])]
    return tuple(words)


# What the commands write beside the results. A run replaces these files of its own folder, and no others.
OUTPUTS = ("analysis.json", "answers.txt", "problems.csv", "games.bin", "games.jsonl", "summary.txt", "records", "logs")


def refuse_strange_outputs(folder: Path) -> None:
    """A folder without results of a run must not hold what the run would replace."""
    results = folder / "results.jsonl"
    if results.exists() and results.stat().st_size > 0:
        return
    for name in OUTPUTS:
        if (folder / name).exists() or (folder / name).is_symlink():
            raise WrongInput(f"{folder / name} is of no run that this one goes on with; choose another --out")


def batches(start: int, count: int, size: int) -> Iterator[tuple[int, int]]:
    """Cuts `count` numbers from `start` on into batches of at most `size`: of each its first number and its length."""
    end = start + count
    return ((first, min(size, end - first)) for first in range(start, end, size))


def data(outputs: Outputs) -> Iterator[bytes]:
    return (output.data for _, output in outputs if output is not None)


# analyze


def analyze_arguments(p: argparse.ArgumentParser) -> None:
    p.add_argument("files", nargs="+", metavar="FILE|FOLDER", help="game files, or folders of them")
    p.add_argument("--nodes", type=positive, help="nodes for each position")
    p.add_argument("--depth", type=positive, help="depth for each position")
    p.add_argument("--time", type=positive, metavar="MS", help="time for each position; results then differ between runs")
    p.add_argument("--multipv", type=positive, metavar="K", help="number of best lines (1)")
    p.add_argument("--hash", type=positive, metavar="MB", help="size of the transposition table (64)")
    p.add_argument("--eval-file", metavar="NN", help="a network file, which is sent to the nodes; '<internal>'; 'none'")


@dataclass(frozen=True)
class GamePiece(Piece):
    """A game of a file."""

    file: str = ""


def analyze(args: argparse.Namespace, identity: dict) -> Plan:
    if "-" in args.files:
        raise WrongInput("games are read from files, not from standard input")
    if args.nodes is args.depth is args.time is None:
        raise WrongInput("give --nodes, --depth or --time")
    done = subprocess.run([args.program[0], "analyze", "--list", "--", *args.files], capture_output=True,
                          stdin=subprocess.DEVNULL)
    sys.stderr.buffer.write(done.stderr)
    if done.returncode not in (0, 1):
        raise WrongInput("the games cannot be listed")
    options = handed_on(args, "nodes", "depth", "time", "multipv", "hash")
    links = {}
    if args.eval_file is not None:
        if args.eval_file not in networks.NO_FILE:
            file = Path(args.eval_file)
            links = networks.links("network", file, f"network/{networks.folder_name(file)}")
        options += ("--eval-file", next(iter(links), args.eval_file))
    settings = {"command": "analyze", "options": options, **identity}
    pieces: list[Piece] = []
    digests: dict[str, str] = {}
    for line in done.stdout.decode().splitlines():
        listed = json.loads(line)
        file, number = listed["file"], listed["game"]
        try:
            digest = digests.get(file) or hashlib.sha256(Path(file).read_bytes()).hexdigest()
        except OSError as error:
            raise WrongInput(f"{file}: {error.strerror}") from error
        digests[file] = digest
        job = partial(game_job, file, digest, number, options, links, args.patience)
        pieces.append(GamePiece(key(settings, digest, str(number)), f"{file}, game {number}", job, listed["positions"],
                                file=file))
    return Plan(settings, pieces, join_games, has_bad_input=done.returncode == 1)


def game_job(file: str, digest: str, number: int, options: tuple[str, ...], links: dict[str, str],
             patience: float) -> ProgramJob:
    content = Path(file).read_bytes()
    if hashlib.sha256(content).hexdigest() != digest:
        raise WrongInput(f"{file} has changed since the run began")
    arguments = ("analyze", "game", "--game", str(number), "--json", "--out", "-", *options)
    return ProgramJob("tsumero", arguments, {"game": content}, links, patience=patience)


def join_games(outputs: Outputs, folder: Path) -> list[Path]:
    """The lines of all games, with the name that each file has here."""
    def lines() -> Iterator[bytes]:
        for piece, output in outputs:
            assert isinstance(piece, GamePiece)
            before, name = b'{"file":"game",', json.dumps(piece.file, ensure_ascii=False).encode()
            for line in output.data.splitlines(keepends=True) if output is not None else ():
                if not line.startswith(before):
                    raise WrongInput(f"{piece.title}: this is no line of an analysis: {line[:60]!r}")
                yield b'{"file":' + name + b"," + line[len(before):]
    return [write_whole(folder / "analysis.json", lines())]


# mate

# What Rust calls white space, which is a little less than what Python does.
SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200b)))


def mate_arguments(p: argparse.ArgumentParser) -> None:
    p.add_argument("file", metavar="FILE", help="a position in each line, or in the first column of a CSV")
    p.add_argument("--nodes", type=positive, help="largest number of nodes for each position")
    p.add_argument("--time", type=positive, metavar="MS", help="longest time for each; results then differ between runs")
    p.add_argument("--hash", type=positive, metavar="MB", help="memory for each position (256)")
    p.add_argument("--all", action="store_true", help="list every other first move that mates")
    p.add_argument("--piece", type=positive, default=10, metavar="N", help="positions in a piece of work (10)")


def rows(content: bytes) -> list[tuple[int, bytes]]:
    """The lines that hold positions, with their numbers: as `tsumero mate` reads a file, empty lines, comments and a header
    are passed over."""
    found: list[tuple[int, bytes]] = []
    for number, line in enumerate(content.splitlines(), 1):
        text = line.decode("utf-8", "replace").lstrip("\ufeff").strip(SPACE)
        if not text or text.startswith("#"):
            continue
        columns = [column.strip(SPACE).strip('"').strip(SPACE).lower() for column in text.split(",")]
        if not found and "sfen" in columns:
            found.append((0, line))
            continue
        found.append((number, line))
    return [row for row in found if row[0]]


def begins_with_board(text: str) -> bool:
    root = text.removeprefix("position ").lstrip(SPACE)
    board = next(iter(root.split()), "")
    return root.startswith(("sfen ", "startpos")) or (
        board.isascii() and board.count("/") >= 8 and any(letter.isalnum() for letter in board))


def is_row(line: str) -> bool:
    """Whether a line looks like a position, or like the header of a table of positions."""
    columns = [column.strip('" ') for column in line.split(",")]
    return not line.startswith(("{", "[")) and any(begins_with_board(c) or c.lower() == "sfen" for c in columns)


def is_list(content: bytes) -> bool:
    """Whether `tsumero mate` is sure to read a file line by line: the first line looks like a position, or at least a quarter of
    the lines do. Others may be game files, which the program tells from lists."""
    lines = [line.decode("utf-8", "replace").lstrip("\ufeff").strip(SPACE) for line in content.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    found = [is_row(line) for line in lines]
    return not lines or found[0] or 4 * sum(found) >= len(found)


@dataclass(frozen=True)
class RowsPiece(Piece):
    """Some lines of a file."""

    count: int = 0


def mate(args: argparse.Namespace, identity: dict) -> Plan:
    try:
        whole = Path(args.file).read_bytes()
    except OSError as error:
        raise WrongInput(f"{args.file}: {error.strerror}") from error
    options = handed_on(args, "nodes", "time", "hash", "all")
    settings = {"command": "mate", "options": options, **identity}
    if not is_list(whole):
        job = partial(ProgramJob, "tsumero", ("mate", "--file", "problems", *options), {"problems": whole},
                      patience=args.patience, complaints=r"line \d+: |problems:")
        retell = partial(re.sub, "^problems(?=:)", lambda _: args.file)
        return Plan(settings, [RowsPiece(key(settings, whole), args.file, job, retell=retell, count=1)], join_rows)
    found = rows(whole)
    pieces: list[Piece] = []
    for start, count in batches(0, len(found), args.piece):
        some = found[start:start + count]
        # The header keeps the first line from being taken for one.
        content = b"sfen\n" + b"".join(line + b"\n" for _, line in some)
        job = partial(ProgramJob, "tsumero", ("mate", "--file", "rows", *options), {"rows": content}, patience=args.patience,
                      complaints=r"line \d+: ")
        numbers = [number for number, _ in some]
        title = f"{args.file}, line {numbers[0]}" + (f" to {numbers[-1]}" if len(some) > 1 else "")
        pieces.append(RowsPiece(key(settings, content), title, job, retell=partial(real_line, numbers), count=len(some)))
    return Plan(settings, pieces, join_rows)


def real_line(numbers: list[int], said: str) -> str:
    """What was said of a line of a piece, with the line's number in the file."""
    found = re.match(r"line (\d+): ", said)
    if not found:
        return said
    number = int(found[1]) - 2
    return f"line {numbers[number]}: {said[found.end():]}" if 0 <= number < len(numbers) else said


def join_rows(outputs: Outputs, folder: Path) -> list[Path]:
    def parts() -> Iterator[bytes]:
        for piece, output in outputs:
            assert isinstance(piece, RowsPiece)
            # Answers never shift against the input.
            yield output.data if output is not None else b"error not answered: the work on it failed\n" * piece.count
    return [write_whole(folder / "answers.txt", parts())]


# tsume generate


def generate_arguments(p: argparse.ArgumentParser) -> None:
    p.add_argument("--plies", type=positive, required=True, help="length of the mates, an odd number")
    p.add_argument("--count", type=positive, required=True, metavar="K", help="number of problems")
    p.add_argument("--seed", type=not_negative, default=1, metavar="S", help="decides which problems are made (1)")
    p.add_argument("--skip", type=not_negative, default=0, metavar="K", help="leave out the first problems of the seed (0)")
    p.add_argument("--loose", action="store_true", help="let idle pieces stay and pieces be left in hand")
    p.add_argument("--piece", type=positive, default=5, metavar="N", help="problems in a piece of work (5)")


def generate(args: argparse.Namespace, identity: dict) -> Plan:
    options = handed_on(args, "plies", "seed", "loose")
    settings = {"command": "tsume generate", "options": options, **identity}
    pieces = []
    for start, count in batches(args.skip, args.count, args.piece):
        arguments = ("tsume", "generate", *options, "--skip", str(start), "--count", str(count))
        job = partial(ProgramJob, "tsumero", arguments, patience=args.patience)
        pieces.append(Piece(key(settings, str(start), str(count)), f"problems {start + 1} to {start + count}", job))
    return Plan(settings, pieces, lambda outputs, folder: [write_whole(folder / "problems.csv", data(outputs))])


# datagen


def datagen_arguments(p: argparse.ArgumentParser) -> None:
    p.add_argument("--games", type=positive, required=True, metavar="N", help="number of games")
    p.add_argument("--first", type=not_negative, default=0, metavar="N", help="number of the first game (0)")
    p.add_argument("--seed", type=not_negative, required=True, help="seed of the run")
    for name, text in (("soft-nodes", "no new iteration after so many nodes (1500)"), ("nodes", "most nodes for a move (15000)"),
                       ("depth", "depth of each search"), ("opening-score", "games begin with a score of at most this (400)"),
                       ("win-score", "score that decides a game (3000)"), ("agreed-plies", "plies in a row for that (6)"),
                       ("max-plies", "games are drawn after this ply (320)")):
        p.add_argument(f"--{name}", type=not_negative, metavar="N", help=text)
    p.add_argument("--random-plies", type=not_negative, nargs=2, metavar="N", help="random moves at the beginning (7 10)")
    p.add_argument("--configuration", metavar="NAME=VALUE,...", help="settings of the search, as for a duel (hash=8)")
    p.add_argument("--eval-file", metavar="NN", help="a network, which is sent to the nodes; the configuration calls it "
                                                     "eval=NAME by its file name")
    p.add_argument("--label", help="a name kept in the file")
    p.add_argument("--piece", type=positive, default=10, metavar="N", help="games in a piece of work (10)")


def datagen(args: argparse.Namespace, identity: dict) -> Plan:
    options = handed_on(args, "seed", "soft-nodes", "nodes", "depth", "opening-score", "win-score", "agreed-plies", "max-plies",
                        "random-plies", "configuration", "label")
    links, folder = {}, ProgramJob.folder
    if args.eval_file:
        file = Path(args.eval_file)
        # Of several values, the last one counts.
        pairs = (pair.partition("=") for pair in (args.configuration or "").split(","))
        used = {name.strip(): value.strip() for name, _, value in pairs}.get("eval")
        if used is None or Path(used) != Path(file.name):
            raise WrongInput(f"--eval-file {file} needs eval={file.name} in --configuration")
        if args.eval_file not in networks.NO_FILE:
            links, folder = networks.links("network", file), networks.folder_name(file)
    settings = {"command": "datagen", "options": options, "folder": folder, **identity}
    pieces = []
    for start, count in batches(args.first, args.games, args.piece):
        arguments = ("datagen", "games", *options, "--first", str(start), "--games", str(count))
        job = partial(ProgramJob, "tsumero-train", arguments, links=links, folder=folder, result="games",
                      patience=args.patience)
        pieces.append(Piece(key(settings, str(start), str(count)), f"games {start} to {start + count - 1}", job))
    return Plan(settings, pieces, join_game_files)


def header_end(content: bytes) -> int:
    """Where the blocks of a file of games begin (docs/training.md has the format)."""
    if content[:8] != b"TSUMEROG":
        raise WrongInput("a piece is no file of games")
    return 16 + int.from_bytes(content[8:12], "little")


def join_game_files(outputs: Outputs, folder: Path) -> list[Path]:
    """One header, and then the blocks of all files."""
    def parts() -> Iterator[bytes]:
        header = None
        for piece, output in outputs:
            if output is None:
                continue
            end = header_end(output.data)
            if header is None:
                header = output.data[:end]
                yield header
            elif output.data[:end] != header:
                raise WrongInput(f"{piece.title} were played by another engine or by other rules")
            yield output.data[end:]
    return [write_whole(folder / "games.bin", parts())]

