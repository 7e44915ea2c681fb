"""Tests of the cluster tool. Run by `scripts/cluster.sh --self-test [CLASS…]`.

`Pieces` and `Results` need no Ray. `Local` starts it on this machine; `Nodes` starts a head and a node as processes of their own
and then kills what can be killed. `Whole` compares larger runs with those of one machine. The program is
target/release/tsumero, or the one that TSUMERO_PROGRAM names.
"""

import argparse
import contextlib
import json
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable
from functools import partial
from pathlib import Path

TESTS = Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS.parent))
REPOSITORY = TESTS.parents[2]

import commands
import jobs
import ledger
import matches
import networks
import programs
from pieces import Output, WrongInput, key

TARGET = REPOSITORY / os.environ.get("CARGO_TARGET_DIR", "target") / "release"
TSUMERO = Path(os.environ.get("TSUMERO_PROGRAM", TARGET / "tsumero"))
WORKSHOP = Path(os.environ.get("TSUMERO_WORKSHOP", TARGET / "tsumero-train"))
PROBLEMS = REPOSITORY / "tests" / "data" / "tsume" / "mate5.csv"
GAMES = REPOSITORY / "crates" / "record" / "tests" / "data"
# Long enough to be interrupted, short enough for a test.
LIMIT = ["--nodes", "20000", "--hash", "16"]


def quick(folder: Path, depth: int = 2) -> Path:
    """The program with a shallower `bench`, which so many nodes and runs would wait for."""
    file = folder / "tsumero"
    file.write_text(f'#!/bin/sh\n[ "$1" != bench ] || exec {TSUMERO} bench --depth {depth}\nexec {TSUMERO} "$@"\n',
                    encoding="utf-8")
    file.chmod(0o755)
    return file


def problems(folder: Path, count: int, copies: int = 1) -> Path:
    """A file of mate problems, among them bad lines, comments and empty ones."""
    lines = PROBLEMS.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line and not line.startswith("#")][1:count + 1]
    # Copies differ in the move number alone, so that each is work of its own.
    text = [lines[0], "", "# a comment"]
    for number in range(copies):
        for row in rows:
            sfen, _, rest = row.partition(",")
            words = sfen.split()
            text.append(" ".join([*words[:3], str(number + 1)]) + "," + rest)
    text.insert(5, "no position at all")
    file = folder / "problems.csv"
    file.write_text("\n".join(text) + "\n", encoding="utf-8")
    return file


# A mate problem in CSA.
PROBLEM = "V2.2\nP-51OU\nP+53FU\nP+00KI\nP-00AL\n+\n"


def network(folder: Path) -> Path:
    """A network in a folder: K-P 128x2-8-32 in which the own pieces in hand are worth something."""
    rows = bytearray(1710 * 128 * 2)
    for piece in range(1, 90):
        rows[256 * piece] = 20 if piece < 20 else 40
    layers = [bytearray(8 * (4 + 256)), bytearray(32 * (4 + 32)), bytearray(4 + 32)]
    # From the first sum to the first value, twice on to the result.
    layers[0][32], layers[1][128], layers[2][0:2], layers[2][4] = 64, 64, b"\0\4", 100
    folder.mkdir()
    file = folder / "nn.bin"
    header = struct.pack("<III", 0x7AF32F16, 0, 0)
    file.write_bytes(header + b"\0" * (4 + 256) + rows + b"\0" * 4 + b"".join(layers))
    return file


def alone(*arguments: object) -> tuple[int, bytes, str]:
    """What the program does on one machine: its status, output and messages."""
    done = subprocess.run([TSUMERO, *map(str, arguments)], capture_output=True)
    return done.returncode, done.stdout, done.stderr.decode()


def start(*arguments: object, **more) -> subprocess.Popen:
    command = [sys.executable, str(TESTS.parent), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def run(*arguments: object, **more) -> tuple[int, str, str]:
    """A whole run of the tool: its status, output and messages."""
    process = start(*arguments, **more)
    out, errors = process.communicate(timeout=900)
    return process.returncode, out, errors


def results(folder: Path) -> list[dict]:
    """The results in a folder; the last line may be half written."""
    found = []
    with contextlib.suppress(FileNotFoundError):
        for line in (folder / "results.jsonl").read_text(encoding="utf-8").splitlines(keepends=True):
            if line.endswith("\n") and "piece" in (entry := json.loads(line)):
                found.append(entry)
    return found


def wait_for(what: Callable[[], object], process: subprocess.Popen | None = None, seconds: float = 300.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        if process is not None and process.poll() is not None:
            raise AssertionError(f"it ended too early: {process.communicate()}")
        if time.monotonic() > end:
            raise AssertionError("it takes too long")
        time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("", 0))
        return free.getsockname()[1]


def engines_at_work() -> list[tuple[int, int]]:
    """Processes that work on pieces, each with its parent, the worker of Ray."""
    found = []
    for process in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            folder = os.readlink(process / "cwd")
            if "tsumero-piece-" in folder:
                found.append((int(process.name), int((process / "stat").read_text().rpartition(")")[2].split()[1])))
    return found


class Pieces(unittest.TestCase):
    """How work is cut into pieces, and how the results are joined."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_rows_are_those_that_the_program_answers(self):
        file = self.folder / "rows"
        texts = (b"", b"sfen\n", b"# c\n\n name , SFEN \nx\ny", b"x\nsfen\n",
                 b"\xef\xbb\xbfsfen,plies\r\n\r\nx\r\n\x1c\n\xc2\xa0\n\xff\n",
                 b"sfen,plies\r\rx\r# c\ry\r\r\nz\r")
        for text in texts:
            file.write_bytes(text)
            errors = alone("mate", "--file", file)[2].splitlines()[:-1]
            numbers = [int(line.removeprefix("line ").partition(":")[0]) for line in errors]
            self.assertEqual([number for number, _ in commands.rows(text)], numbers, text)

    def test_lines_are_named_by_their_place_in_the_file(self):
        self.assertEqual(commands.real_line([7, 9], "line 3: a reason"), "line 9: a reason")
        self.assertEqual(commands.real_line([7, 9], "another thing"), "another thing")

    def test_a_key_depends_on_settings_and_input(self):
        keys = {key({"a": 1}, "x"), key({"a": 2}, "x"), key({"a": 1}, "y"), key({"a": 1}, "x", ""), key({"a": 1}, "", "x")}
        self.assertEqual(len(keys), 5)
        self.assertEqual(key({"a": 1, "b": 2}, b"x"), key({"b": 2, "a": 1}, "x"))

    def test_a_network_comes_with_all_that_says_how_it_is_read(self):
        folder = self.folder / "Suisho5"
        folder.mkdir()
        for name in ("nn.bin", "progress.bin"):
            (folder / name).write_text(name, encoding="utf-8")
        file = folder / "nn.bin"
        sent = {name: str(path) for name, [path], _ in networks.wanted("network", file)}
        self.assertEqual(list(sent), ["network", "network progress.bin"])
        links = networks.links("network", file, f"there/{networks.folder_name(file)}")
        self.assertEqual(list(links), ["there/Suisho5/nn.bin", "there/Suisho5/progress.bin"])
        script = self.folder / "program"
        script.write_text("#!/bin/sh\ncat there/Suisho5/nn.bin there/Suisho5/progress.bin\n", encoding="utf-8")
        script.chmod(0o755)
        output = jobs.ProgramJob("p", (), links=links).run({"p": str(script), **sent})
        self.assertEqual(output.data, b"nn.binprogress.bin")

    def test_a_match_with_pondering_is_refused_on_one_core(self):
        engine = quick(self.folder)
        rules = ("--engine", engine, "--opponent", engine, "--games", 2, "--nodes", 1, "--ponder", "--out", self.folder / "out")
        status, _, said = run("match", *rules, "--cores", 1)
        self.assertEqual((status, said), (2, "cluster: each piece needs 2 cores, and there is 1\n"))
        self.assertFalse((self.folder / "out").exists())
        self.assertEqual(run("match", *rules, "--cores", 2, "--dry-run")[0], 0)

    def test_options_of_a_match_name_files_as_on_one_machine(self):
        """Whatever the current folder holds: an option that is no path names no file, and a folder is found from elsewhere."""
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for name in ("1", "nn.bin", "book.db"):
            (self.folder / name).touch()
        (self.folder / "eval").mkdir()
        engine, parser = str(quick(self.folder)), argparse.ArgumentParser()
        matches.add_arguments(parser)
        options = ("Threads=1", "EvalDir=eval", "EvalFile=nn.bin", "BookFile=book.db")
        found = matches.sides(parser.parse_args(["--engine", engine, "--opponent", engine, "--nodes", "1", "--games", "2",
                                                 *(word for option in options for word in ("--option", option))]))
        self.assertEqual(found["engine"].demanded_options["EvalDir"], str(self.folder / "eval"))
        self.assertEqual(matches.option_files(found["engine"]),
                         {"EvalFile": self.folder / "nn.bin", "BookFile": self.folder / "book.db"})
        with self.assertRaisesRegex(WrongInput, "EvalDir is the folder"):
            matches.refuse_folders(found)

    def test_games_are_played_with_the_network_that_was_sent(self):
        parser = argparse.ArgumentParser()
        commands.datagen_arguments(parser)

        def sent(file: str, *more: str) -> list[str]:
            args = parser.parse_args(["--games", "1", "--seed", "1", "--eval-file", file, *more])
            args.patience = 1.0
            job = commands.datagen(args, {}).pieces[0].job()
            assert isinstance(job, jobs.ProgramJob)
            return list(job.links)

        for text in ("hash=2", "eval=other.bin", "eval=nn.bin,eval=none", "xeval=nn.bin", "eval=nn.bin.old", "eval", ""):
            for more in ([], ["--configuration", text]):
                with self.assertRaisesRegex(WrongInput, "^--eval-file nets/nn.bin needs eval=nn.bin in --configuration$"):
                    sent("nets/nn.bin", *more)
        for text in ("eval=nn.bin", "hash=2, eval = nn.bin ,threads=1", "eval=./nn.bin", "eval=none,eval=nn.bin"):
            self.assertEqual(sent("nets/nn.bin", "--configuration", text), ["nn.bin"])
        self.assertEqual(sent("none", "--configuration", "eval=none"), [])

    def test_a_job_fails_with_what_the_program_said_or_how_it_ended(self):
        script = self.folder / "program"
        for text, expected in (("echo last words >&2; exit 3", "exit status 3: last words"), ("kill -9 $$", "signal 9"),
                               ("sleep 5", "no result after 1 s")):
            script.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
            script.chmod(0o755)
            with self.assertRaisesRegex(jobs.JobFailed, expected):
                jobs.ProgramJob("p", (), patience=1.0).run({"p": str(script)})

    def test_a_program_ends_with_the_worker_that_started_it(self):
        script, number = self.folder / "program", self.folder / "number"
        script.write_text(f"#!/bin/sh\necho $$ >{number}.new; mv {number}.new {number}; exec sleep 60\n", encoding="utf-8")
        script.chmod(0o755)
        worker = subprocess.Popen([sys.executable, "-c", f"import jobs; jobs.ProgramJob('p', ()).run({{'p': '{script}'}})"])
        wait_for(number.exists, worker)
        worker.kill()
        worker.wait()
        process = Path("/proc") / number.read_text(encoding="utf-8").strip()
        wait_for(lambda: not process.exists() or " Z " in (process / "stat").read_text(encoding="utf-8"), seconds=10.0)

    def test_a_part_of_a_file_is_no_result(self):
        """As of `tsumero-train datagen`, whose disk is full or whose table does not fit into memory."""
        script = self.folder / "program"
        job = jobs.ProgramJob("p", (), result="games")
        for status in (0, 1):
            script.write_text(f"#!/bin/sh\necho half >games; echo no space left >&2; exit {status}\n", encoding="utf-8")
            script.chmod(0o755)
            if status == 0:
                self.assertEqual(job.run({"p": str(script)}).data, b"half\n")
            else:
                with self.assertRaisesRegex(jobs.JobFailed, "exit status 1: no space left"):
                    job.run({"p": str(script)})

    def test_the_first_build_that_runs_is_chosen_and_must_have_the_signature(self):
        self.enterContext(set_variable("XDG_CACHE_HOME", str(self.folder)))
        other = self.folder / "other-system"
        other.write_bytes(b"\x7fELF is all that this has of a program")
        newer = self.folder / "newer"
        newer.write_text("#!/bin/sh\necho 'error: this program is made for processors with more' >&2\nexit 2\n", encoding="utf-8")
        right = quick(self.folder)
        program, contents = programs.describe("tsumero", [other, newer, right])
        self.assertRegex(program.signature or "", r"^[0-9]+ nodes$")
        chosen = programs.choose(program, contents.__getitem__)
        self.assertEqual((chosen.name, programs.digest_of(chosen)), ("tsumero", programs.digest_of(right)))
        # What lies there damaged is fetched again.
        chosen.write_bytes(b"")
        self.assertEqual(programs.digest_of(programs.choose(program, contents.__getitem__)), programs.digest_of(right))
        wrong = programs.Program(program.name, program.choices, program.version, "1 nodes")
        with self.assertRaisesRegex(ValueError, "has the signature [0-9]+ nodes, not 1 nodes$"):
            programs.choose(wrong, contents.__getitem__)
        with self.assertRaisesRegex(ValueError, "made for processors with more$"):
            programs.choose(programs.Program("tsumero", program.choices[:2], "", program.signature), contents.__getitem__)
        with self.assertRaisesRegex(WrongInput, "no build of tsumero runs here"):
            programs.describe("tsumero", [other, newer])


    def own(self, *lines: str, nodes: int = 5) -> Path:
        """A program of a node that says these lines of itself, and counts so many nodes in `bench`."""
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        said = "; ".join(f"echo '{line}'" for line in lines)
        file = folder / "tsumero"
        file.write_text(f'#!/bin/sh\ncase $1 in --version) {said} ;; bench) echo "nodes: {nodes}" ;; esac\n', encoding="utf-8")
        file.chmod(0o755)
        return file

    def answer(self, program: programs.Program, file: Path) -> str:
        """What a node with a program of its own is told; the file's name is left out."""
        with set_variable(programs.OWN_PROGRAMS, str(file.parent)):
            try:
                return "" if programs.choose(program, lambda _: b"") == file else "another file"
            except ValueError as error:
                return str(error).removeprefix(f"{file} ")

    def test_a_node_with_another_solver_is_refused_though_it_searches_the_same_tree(self):
        here = self.own("tsumero 1", "commit: aaa", "processor: x86-64-v4", "evaluation: e")
        program, _ = programs.describe("tsumero", [here])
        good = self.own("tsumero 1", "commit: aaa", "processor: arm64", "evaluation: e")
        self.assertEqual(self.answer(program, good), "")
        solver = self.own("tsumero 1", "commit: bbb", "processor: x86-64-v4", "evaluation: e")
        self.assertEqual(self.answer(program, solver),
                         "is tsumero 1, commit: bbb, evaluation: e, not tsumero 1, commit: aaa, evaluation: e")
        search = self.own("tsumero 1", "commit: aaa", "evaluation: e", nodes=6)
        self.assertEqual(self.answer(program, search), "has the signature 6 nodes, not 5 nodes")
        # Of a sent program, too: the second build may be of another commit than the first.
        both, contents = programs.describe("tsumero", [here, solver])
        sent = programs.Program(both.name, both.choices[1:], both.version, both.signature)
        self.enterContext(set_variable("XDG_CACHE_HOME", str(self.folder)))
        with self.assertRaisesRegex(ValueError, "is tsumero 1, commit: bbb"):
            programs.choose(sent, contents.__getitem__)

    def test_a_node_with_programs_of_its_own_is_sent_what_it_lacks(self):
        here = self.own("tsumero 1", "commit: aaa")
        self.enterContext(set_variable("XDG_CACHE_HOME", str(self.folder)))
        self.enterContext(set_variable(programs.OWN_PROGRAMS, str(self.own("tsumero 1", "commit: aaa").parent)))
        for role in ("engine", "opponent"):
            program, contents = programs.describe(role, [here])
            self.assertEqual(programs.digest_of(programs.choose(program, contents.__getitem__)), programs.digest_of(here))

    def test_a_program_of_unknown_source_must_be_the_same_file(self):
        for commit in ("unknown", "aaa and changes since"):
            here = self.own("tsumero 1", f"commit: {commit}", "processor: x86-64-v4")
            program, _ = programs.describe("tsumero", [here])
            self.assertEqual(self.answer(program, here), "")
            other = self.own("tsumero 1", f"commit: {commit}", "processor: arm64")
            self.assertRegex(self.answer(program, other), "^may differ from the program that was sent: ")
        # An engine of others says nothing that can be compared.
        here = self.own()
        program, _ = programs.describe("tsumero", [here])
        self.assertEqual(self.answer(program, here), "")
        self.assertEqual(self.answer(program, self.own("another engine")), "has not the checksum of the program that was sent")


@contextlib.contextmanager
def set_variable(name: str, value: str):
    before = os.environ.get(name)
    os.environ[name] = value
    yield
    del os.environ[name]
    if before is not None:
        os.environ[name] = before


class Results(unittest.TestCase):
    """The file of results loses nothing that was counted, whatever happens to the process and the disk."""

    def setUp(self):
        self.path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "results.jsonl"

    def open(self, header: dict | None = None) -> ledger.Ledger:
        book = ledger.Ledger(self.path, header or {"command": "test", "list": (1, 2)})
        self.addCleanup(book.close)
        return book

    def test_results_come_back_and_none_is_there_twice(self):
        book = self.open()
        outputs = [Output(b"text \xe3\x81\x82\n", ("line 1: bad",)), Output(bytes(range(256))), Output(b"")]
        book.add([(str(n), output, {"node": "here"}) for n, output in enumerate(outputs)])
        book.add([("1", Output(b"another"), {}), ("3", Output(b"x"), {}), ("3", Output(b"y"), {})])
        book.note({"failed": "4"})
        for _ in range(2):
            self.assertEqual([book.get(str(n)) for n in range(4)], [*outputs, Output(b"x")])
            self.assertEqual((len(book), "4" in book), (4, False))
            book.close()
            book = self.open()
        self.assertEqual(len(self.path.read_bytes().splitlines()), 6)

    def test_a_torn_line_is_cut_off_at_every_length(self):
        book = self.open()
        book.add([("a", Output(b"first"), {})])
        whole = self.path.read_bytes()
        book.add([("b", Output(b"second"), {})])
        book.close()
        content = self.path.read_bytes()
        for length in range(len(whole), len(content)):
            self.path.write_bytes(content[:length])
            book = self.open()
            self.assertTrue("a" in book and "b" not in book)
            book.add([("b", Output(b"second"), {})])
            book.close()
            self.assertEqual(self.path.read_bytes(), content)

    def test_another_run_and_a_run_that_goes_on_are_refused(self):
        book = self.open()
        with self.assertRaisesRegex(WrongInput, "another run is writing to it"):
            self.open()
        book.close()
        begun = self.path.read_bytes()
        with self.assertRaisesRegex(WrongInput, r"holds another run \(list differ\)"):
            self.open({"command": "test", "list": [1]})
        with self.assertRaisesRegex(WrongInput, r"holds another run \(command, list, more differ\)"):
            self.open({"command": "other", "more": 1})
        # Settings that one of two versions does not know.
        for header in ({"command": "test", "list": [1, 2], "more": 1}, {"command": "test"}):
            with self.assertRaisesRegex(WrongInput, r"another version of these scripts began: only one .* knows (more|list)\. "
                                                    r"Its results stay; go on with that version, or choose another --out$"):
                self.open(header)
        self.assertEqual(self.path.read_bytes(), begun)
        # Without its end, the first line of another file is no torn line of a run.
        for other in (b"{}\n", b"no JSON\n", b"[1]\n", b"7\n", begun + b"7\n", b"my diary", b'{"game": 1}', b'{"run"; a walk'):
            self.path.write_bytes(other)
            with self.assertRaises(WrongInput):
                self.open()
            self.assertEqual(self.path.read_bytes(), other)
        # Whatever a killed process has left of its first line.
        for length in range(len(begun)):
            self.path.write_bytes(begun[:length])
            self.open().close()
            self.assertEqual(self.path.read_bytes(), begun)

    def test_files_of_no_run_are_refused_and_those_of_the_run_are_not(self):
        folder = self.path.parent
        commands.refuse_strange_outputs(folder)
        (folder / "records").mkdir()
        for results in (None, b""):
            if results is not None:
                self.path.write_bytes(results)
            with self.assertRaisesRegex(WrongInput, "records is of no run"):
                commands.refuse_strange_outputs(folder)
        self.open()
        commands.refuse_strange_outputs(folder)

    def test_a_full_disk_leaves_whole_lines(self):
        book = self.open()
        book.add([("a", Output(b"x" * 100), {})])
        before = self.path.read_bytes()
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 50, limit[1]))
        try:
            with self.assertRaisesRegex(ledger.CannotWrite, "results.jsonl: File too large$"):
                book.add([("b", Output(b"y" * 100), {})])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        self.assertEqual(self.path.read_bytes(), before)
        self.assertNotIn("b", book)
        book.add([("b", Output(b"y" * 100), {})])
        self.assertEqual(book.get("b").data, b"y" * 100)


class Local(unittest.TestCase):
    """Runs on this machine alone: the same bytes as the program makes by itself."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.out = self.folder / "out"

    def common(self, *more: object) -> tuple:
        return ("--program", quick(self.folder), "--cores", 2, "--out", self.out, *more)

    def test_mate_problems_are_answered_as_by_one_machine(self):
        file = problems(self.folder, 12)
        status, output, errors = alone("mate", "--file", file, *LIMIT)
        self.assertEqual(status, 1)
        arguments = ("mate", file, *LIMIT, "--piece", 3, *self.common())
        status, shown, said = run(*arguments, "--dry-run")
        self.assertEqual((status, self.out.exists()), (0, False), said)
        self.assertIn("pieces: 5, 5 different, 5 to do", shown)
        status, _, said = run(*arguments)
        self.assertEqual(status, 1, said)
        self.assertEqual((self.out / "answers.txt").read_bytes(), output)
        bad = [line for line in errors.splitlines() if line.startswith("line ")]
        self.assertEqual([line for line in said.splitlines() if line.startswith("line ")], bad)
        self.assertEqual(len(bad), 1)
        # All is done: the result is made again without any work.
        (self.out / "answers.txt").unlink()
        status, _, said = run(*arguments)
        self.assertNotIn("a second", said)
        self.assertEqual((self.out / "answers.txt").read_bytes(), output)
        status, _, said = run("mate", file, "--nodes", 7, *self.common())
        self.assertEqual(status, 2)
        self.assertRegex(said.splitlines()[-1], r"holds another run \(options differ\)")

    def test_a_game_file_of_problems_is_answered_as_by_one_machine(self):
        # A list whose first line is none is still one.
        texts = (PROBLEM, PROBLEM.replace("53FU", "53XX"), "no position\nstartpos\n" + "x\n" * 9, "a letter\nto nobody\n")
        for number, text in enumerate(texts):
            file = self.folder / f"problem {number}"
            file.write_text(text, encoding="utf-8")
            status, output, errors = alone("mate", "--file", file, *LIMIT)
            out = self.folder / f"out {number}"
            arguments = ("--program", quick(self.folder), "--cores", 1, "--out", out)
            found, _, said = run("mate", file, *LIMIT, *arguments)
            self.assertEqual((found, (out / "answers.txt").read_bytes()), (status, output), said)
            for line in errors.splitlines()[:-1]:
                self.assertIn(line, said)

    def test_other_commands_make_the_same_bytes_as_one_machine(self):
        files = [GAMES / "made" / "minimal.jkf", GAMES / "bad" / "second-of-three.csa"]
        limit = ("--nodes", 200, "--hash", 1)
        status, output, _ = alone("analyze", *files, *limit, "--json", "--out", "-")
        out = self.folder / "analysis"
        arguments = ("--program", quick(self.folder), "--cores", 2, "--out", out)
        self.assertEqual(run("analyze", *files, *limit, *arguments)[0], status)
        self.assertEqual((out / "analysis.json").read_bytes(), output)

        # A network's name, its folder's and the files beside it say how it is read.
        with_network = network(self.folder / "Suisho5")
        scales = set()
        for text in (None, "FV_SCALE 9\n"):
            if text is not None:
                (with_network.parent / "eval_options.txt").write_text(text, encoding="utf-8")
            chosen = (*limit, "--eval-file", with_network)
            status, output, _ = alone("analyze", files[0], *chosen, "--json", "--out", "-")
            out = self.folder / f"analysis {text is None}"
            self.assertEqual(run("analyze", files[0], *chosen, *arguments[:-1], out)[0], status)
            self.assertEqual((out / "analysis.json").read_bytes(), output)
            scales.add(output)
        self.assertEqual(len(scales), 2)

        recipe = ("--plies", 3, "--count", 6)
        status, output, _ = alone("tsume", "generate", *recipe)
        out = self.folder / "tsume"
        self.assertEqual(run("tsume", "generate", *recipe, "--piece", 2, *arguments[:-1], out)[0], status)
        self.assertEqual((out / "problems.csv").read_bytes(), output)

        rules = ("--seed", 5, "--games", 5, "--first", 3, "--soft-nodes", 50, "--configuration", "eval=none,hash=2")
        single = self.folder / "games"
        subprocess.run([WORKSHOP, "datagen", single, *map(str, rules)], check=True, capture_output=True)
        out = self.folder / "datagen"
        self.assertEqual(run("datagen", *rules, "--piece", 2, "--program", WORKSHOP, "--cores", 2, "--out", out)[0], 0)
        self.assertEqual((out / "games.bin").read_bytes(), single.read_bytes())

    def test_a_game_file_that_changes_during_the_run_is_named(self):
        file = self.folder / "game.csa"
        file.write_bytes((GAMES / "made" / "v3.csa").read_bytes())
        process = start("analyze", file, "--nodes", 10, "--hash", 1, *self.common())
        assert process.stderr is not None
        # Ray starts after this line.
        self.assertIn("results in", process.stderr.readline())
        file.write_text("another\n", encoding="utf-8")
        _, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn(f"game 1 failed: WrongInput: {file} has changed since the run began\n", errors)

    def test_a_match_has_the_games_of_one_machine(self):
        engine = quick(self.folder)
        rules = ("--engine", engine, "--opponent", engine, "--opponent-option", "MateSearch=false", "--games", 4, "--nodes", 100,
                 "--hash", 1, "--max-plies", 60)
        alone_out = self.folder / "alone"
        done = subprocess.run([sys.executable, REPOSITORY / "scripts" / "match", *map(str, rules), "--out", alone_out],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        status, shown, said = run("match", *rules, "--cores", 2, "--out", self.out)
        self.assertEqual(status, 0, said)
        self.assertEqual(timeless(self.out), timeless(alone_out))
        self.assertEqual(shown.splitlines()[1:], done.stdout.splitlines()[1:])
        self.assertEqual(len(list((self.out / "records").iterdir())), 4)
        # Nobody sends a folder. Its engine would play with another network on other machines.
        folder = ("--option", f"EvalDir={self.folder}", "--dry-run", "--out", self.folder / "other")
        self.assertEqual(run("match", *rules, *folder)[0], 0)
        status, _, said = run("match", *rules, *folder, "--address", "auto")
        self.assertEqual((status, len(said.splitlines())), (2, 1), said)
        self.assertIn(f"the engine's EvalDir is the folder {self.folder}: ", said)


def timeless(folder: Path) -> list[dict]:
    """The games of a folder in order, without what a clock has measured."""
    games = [json.loads(line) for line in (folder / "games.jsonl").read_text(encoding="utf-8").splitlines()]
    for game in games:
        del game["times_ms"], game["slowest_ms"]
    return sorted(games, key=lambda game: game["game"])


class WithNodes(unittest.TestCase):
    """A head and a node as processes of their own."""

    processes: list[subprocess.Popen]

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.out = self.folder / "out"
        self.processes = []
        self.addCleanup(self.stop)
        self.port = free_port()
        self.head = self.node("--head", "--port", str(self.port))

    def stop(self) -> None:
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def node(self, *options: str, own: Path | None = None) -> subprocess.Popen:
        """Starts a node with one core; it is there when the call returns."""
        environment = {**os.environ, **({"TSUMERO_OWN_PROGRAMS": str(own)} if own else {})}
        log = self.folder / "node.log"
        # Ray gives a machine half a minute, which a busy one may not keep to. With ports of our choice it waits for less.
        for _ in range(3):
            ports = [word for name in ("dashboard-agent-grpc", "dashboard-agent-listen", "runtime-env-agent", "metrics-export")
                     for word in (f"--{name}-port", str(free_port()))]
            with open(log, "wb") as file:
                process = subprocess.Popen([Path(sys.executable).with_name("ray"), "start", "--block", "--disable-usage-stats",
                                            "--num-cpus", "1", *ports, *options],
                                           stdout=file, stderr=file, env=environment, start_new_session=True)
            self.processes.append(process)
            while process.poll() is None:
                if "Ray runtime started" in log.read_text(encoding="utf-8"):
                    return process
                time.sleep(0.1)
        raise AssertionError(log.read_text(encoding="utf-8"))

    def second(self, own: Path | None = None) -> subprocess.Popen:
        return self.node("--address", f"127.0.0.1:{self.port}", own=own)


class Nodes(WithNodes):
    """Everything is killed in turn: no piece is lost, and none is there twice."""

    def work(self, count: int, copies: int = 1) -> tuple[tuple, bytes]:
        """A command with many pieces, and the answers of one machine."""
        file = problems(self.folder, count, copies)
        arguments = ("mate", file, *LIMIT, "--piece", 2, "--program", quick(self.folder), "--address", f"127.0.0.1:{self.port}",
                     "--out", self.out)
        return arguments, alone("mate", "--file", file, *LIMIT)[1]

    def is_far(self, done: int) -> bool:
        """Whether so many pieces are done, and others are at work."""
        return len(results(self.out)) >= done and bool(engines_at_work())

    def until(self, process: subprocess.Popen, arguments: tuple, done: int) -> subprocess.Popen:
        """Waits until so many pieces are done; starts the command again if it has ended before."""
        wait_for(lambda: len(results(self.out)) >= done or process.poll() is not None)
        if process.poll() is None:
            return process
        process.communicate()
        process = start(*arguments)
        wait_for(lambda: len(results(self.out)) >= done, process)
        return process

    def check(self, answers: bytes) -> None:
        self.assertEqual((self.out / "answers.txt").read_bytes(), answers)
        keys = [entry["piece"] for entry in results(self.out)]
        self.assertEqual(len(keys), len(set(keys)))

    def test_a_killed_worker_costs_only_its_piece(self):
        self.second()
        arguments, answers = self.work(20, 4)
        process = start(*arguments)
        for done in (2, 6):
            wait_for(partial(self.is_far, done), process)
            for _, worker in engines_at_work()[:1]:
                os.kill(worker, signal.SIGKILL)
        _, errors = process.communicate()
        self.assertEqual(process.returncode, 1, errors)
        self.assertNotIn("failed 3 times", errors)
        self.check(answers)

    def test_a_killed_driver_and_a_killed_node_and_head_cost_no_result(self):
        node = self.second()
        arguments, answers = self.work(20, 6)
        process = start(*arguments)
        wait_for(lambda: len(results(self.out)) >= 3, process)
        process.kill()
        process.communicate()
        before = results(self.out)
        self.assertLess(len(before), 60)

        # On one machine the command may hang on either node: it may end with the node that is killed.
        process = self.until(start(*arguments), arguments, len(before) + 3)
        os.killpg(node.pid, signal.SIGKILL)
        process = self.until(process, arguments, len(before) + 8)
        os.killpg(self.head.pid, signal.SIGKILL)
        process.communicate(timeout=240)
        self.assertLess(len(results(self.out)), 60)
        self.assertFalse((self.out / "answers.txt").exists())

        self.head = self.node("--head", "--port", str(self.port))
        status, _, errors = run(*arguments)
        self.assertEqual(status, 1, errors)
        self.assertEqual(results(self.out)[:len(before)], before)
        self.check(answers)

    def test_a_node_with_another_search_is_refused_in_one_line(self):
        own = self.folder / "own"
        own.mkdir()
        quick(own, depth=3)
        # A head that does no work itself.
        os.killpg(self.head.pid, signal.SIGKILL)
        self.port = free_port()
        self.head = self.node("--head", "--port", str(self.port), "--num-cpus", "0")
        self.second(own)
        arguments, answers = self.work(4)
        status, _, errors = run(*arguments)
        self.assertEqual(status, 2, errors)
        refused = [line for line in errors.splitlines() if "refused" in line]
        self.assertEqual(len(refused), 1, errors)
        self.assertRegex(refused[0], r"^cluster: node \S+ refused: \S+/own/tsumero has the signature \d+ nodes, not \d+ nodes$")
        self.assertRegex(errors.splitlines()[-1], "^cluster: stopped: no node is left that can work; the same command")
        self.assertEqual(results(self.out), [])
        self.second()
        self.assertEqual(run(*arguments)[0], 1)
        self.check(answers)

    def test_nodes_with_too_few_cores_stop_a_match_with_pondering(self):
        engine = quick(self.folder)
        status, _, errors = run("match", "--engine", engine, "--opponent", engine, "--games", 2, "--nodes", 1, "--ponder",
                                "--address", f"127.0.0.1:{self.port}", "--out", self.out)
        self.assertEqual(status, 2, errors)
        self.assertRegex(errors.splitlines()[-1], "^cluster: stopped: no node has the 2 cores that each piece needs; the same")

    def test_a_full_disk_stops_the_run_and_it_goes_on(self):
        arguments, answers = self.work(60)
        self.out.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "none", self.out], capture_output=True).returncode != 0:
            self.skipTest("this user cannot mount a small disk; the limit of the file size is tested without Ray")
        try:
            status, _, errors = run(*arguments)
            self.assertEqual(status, 2, errors)
            self.assertRegex(errors.splitlines()[-1], r"^cluster: stopped: \S+/results.jsonl: No space left on device$")
            before = results(self.out)
            self.assertGreater(len(before), 0)
            subprocess.run(["mount", "-o", "remount,size=10m", self.out], check=True)
            status, _, errors = run(*arguments)
            self.assertEqual(status, 1, errors)
            self.assertEqual(results(self.out)[:len(before)], before)
            self.check(answers)
        finally:
            subprocess.run(["umount", "-l", self.out], check=True)

    def test_a_piece_that_fails_three_times_is_named_and_the_rest_is_done(self):
        arguments, answers = self.work(6)
        program, mended = self.folder / "tsumero", self.folder / "mended"
        # It breaks for one piece until it is mended.
        text = program.read_text(encoding="utf-8")
        fault = f'if grep -qs "no position" rows && [ ! -e {mended} ]; then echo broken >&2; exit 5; fi'
        program.write_text(text.replace("#!/bin/sh\n", f"#!/bin/sh\n{fault}\n"), encoding="utf-8")
        status, _, errors = run(*arguments)
        self.assertEqual(status, 1, errors)
        self.assertRegex(errors, r"line \d+ to \d+ failed 3 times: JobFailed: tsumero ended with exit status 5: broken")
        found, right = (self.out / "answers.txt").read_bytes().splitlines(), answers.splitlines()
        different = {one for one, other in zip(found, right, strict=True) if one != other}
        self.assertEqual(different, {b"error not answered: the work on it failed"})
        mended.touch()
        self.assertEqual(run(*arguments)[0], 1)
        self.check(answers)


class Whole(WithNodes):
    """Larger runs, on this machine alone and on two nodes. They take minutes on a quiet machine."""

    def everywhere(self, *arguments: object) -> list[Path]:
        """The folders of the same run, once on this machine alone and once on two nodes."""
        self.second()
        folders = []
        for name, place in (("alone", ("--cores", 2)), ("nodes", ("--address", f"127.0.0.1:{self.port}"))):
            folders.append(self.folder / name)
            status, _, errors = run(*arguments, *place, "--out", folders[-1])
            self.assertEqual(status, 0, errors)
            print("\n".join(line for line in errors.splitlines() if " pieces in " in line or "node" in line), flush=True)
        return folders

    def test_200_games_analyzed(self):
        lines = (REPOSITORY / "scripts" / "openings.sfen").read_text(encoding="utf-8").splitlines()[:200]
        # Half of them in one file, the others in a file each.
        files = [self.folder / "games.usi", *(self.folder / f"{number}.usi" for number in range(100))]
        files[0].write_text("".join(line + "\n" for line in lines[:100]), encoding="utf-8")
        for file, line in zip(files[1:], lines[100:], strict=True):
            file.write_text(line + "\n", encoding="utf-8")
        limit = ("--nodes", 300, "--hash", 1)
        single = alone("analyze", *files, *limit, "--json", "--out", "-")[1]
        self.assertEqual(len({(line["file"], line["game"]) for line in map(json.loads, single.splitlines())}), 200)
        for folder in self.everywhere("analyze", *files, *limit, "--program", TSUMERO):
            self.assertEqual((folder / "analysis.json").read_bytes(), single)

    def test_300_mate_problems(self):
        rows = []
        for name in ("mate3", "mate5", "mate7", "mate9"):
            rows += (PROBLEMS.parent / f"{name}.csv").read_text(encoding="utf-8").splitlines()[1:]
        file = self.folder / "problems.csv"
        self.assertGreaterEqual(len(set(rows)), 300)
        file.write_text("".join(row + "\n" for row in rows[:300]), encoding="utf-8")
        single = alone("mate", "--file", file, *LIMIT)[1]
        self.assertEqual(len(single.splitlines()), 300)
        for folder in self.everywhere("mate", file, *LIMIT, "--program", TSUMERO):
            self.assertEqual((folder / "answers.txt").read_bytes(), single)

    def test_200_match_games(self):
        rules = ("--engine", TSUMERO, "--opponent", TSUMERO, "--opponent-option", "MateSearch=false", "--games", 200,
                 "--nodes", 50, "--hash", 1, "--max-plies", 80)
        single = self.folder / "single"
        subprocess.run([sys.executable, REPOSITORY / "scripts" / "match", *map(str, rules), "--out", single], check=True,
                       capture_output=True)
        for folder in self.everywhere("match", *rules):
            self.assertEqual(timeless(folder), timeless(single))


if __name__ == "__main__":
    unittest.main()
