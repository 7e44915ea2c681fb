"""Tests of the match tool itself. Run by `scripts/match.sh --self-test`; they take about three minutes."""

import fcntl
import gc
import io
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from pathlib import Path
from unittest import mock

TESTS = Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS.parent))

import csa
import driver
import tally
import tap
from command_line import with_whole_paths
from conditions import Conditions
from faults import TIME_LOSS, EngineFault, SetupError
from game import ResignJudge
from missed_mates import Missed, first_mate
from parent import end_with_parent
from profiles import Profile, usual_options
from referee import Referee
from usi_engine import LINE_BYTES, WAITING_LINES, Answer, UsiEngine, lines_of, parse_option


def player(fault: str, seed: int = 1) -> str:
    return f"{sys.executable} {TESTS / 'faulty_engine.py'} {fault} {seed}"


# A line that comes without a question must be there before the opponent has moved, on a busy machine too.
PATIENT_OPPONENT = ("--opponent", player("patient", 2), "--byoyomi", "2000")


def command(out: Path, engine: str, *more: str) -> list[str]:
    return [sys.executable, str(TESTS.parent), "--engine", engine, "--opponent", player("none", 2), "--out", str(out),
            "--games", "2", "--parallel", "2", "--byoyomi", "300", "--hang", "2", "--margin", "200",
            "--max-plies", "60", *more]


def run(engine: str, *more: str) -> tuple[int, dict[str, str]]:
    """Plays two games; returns the exit status and the summary as a table."""
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run(command(Path(out), engine, *more), capture_output=True, text=True, timeout=120)
    table = dict(line.strip().split(": ", 1) for line in done.stdout.splitlines())
    if not table:
        raise AssertionError(done.stderr)
    return done.returncode, table


def left(word: str) -> list[int]:
    """The processes that have this word in their command line and do not end. A busy machine takes its time to end one."""
    deadline = time.monotonic() + 60
    while True:
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if word.encode() in path.read_bytes():
                    found.append(int(path.parent.name))
            except OSError:
                pass  # it has just ended
        if not found or time.monotonic() > deadline:
            break
        time.sleep(0.1)
    for process in found:
        os.kill(process, signal.SIGKILL)
    return found


class Usage(unittest.TestCase):
    def test_help_installs_nothing(self):
        with tempfile.TemporaryDirectory() as home:
            done = subprocess.run([str(TESTS.parents[1] / "match.sh"), "--games", "2", "--help"],
                                  env={"PATH": os.environ["PATH"], "HOME": home}, capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("usage: scripts/match.sh", done.stdout)
            self.assertEqual(list(Path(home).iterdir()), [])


class Faults(unittest.TestCase):
    """Each fault is found, counted under its own name, charged to the right side, and loses the game."""

    RUNNER = "cshogi"
    LINES: tuple[str, ...] = ("illegal moves", "time losses", "crashes", "hangs", "protocol errors")

    def run_match(self, engine: str, *more: str) -> tuple[int, dict[str, str]]:
        return run(engine, "--runner", self.RUNNER, *more)

    def check(self, fault: str, line: str, *more: str, losses: int = 2) -> None:
        status, table = self.run_match(player(fault), *more)
        self.assertEqual(status, 1)
        for name in self.LINES:
            self.assertEqual(table[name], f"engine {2 if name == line else 0}, opponent 0", name)
        self.assertIn(table["games"], ("2", "0 of 2"))
        if losses:
            self.assertEqual(table["engine"], f"+0 =0 -{losses}")

    def test_illegal_move(self):
        self.check("illegal", "illegal moves")

    def test_false_declaration(self):
        self.check("false-win", "illegal moves")

    def test_time_loss(self):
        self.check("slow", "time losses")

    def test_crash(self):
        self.check("crash", "crashes")

    def test_hang(self):
        self.check("hang", "hangs")

    def test_hang_without_a_clock(self):
        self.check("hang", "hangs", "--nodes", "5")

    def test_what_a_script_has_started_ends_with_it(self):
        with tempfile.TemporaryDirectory() as name:
            script = Path(name) / "engine.sh"
            script.write_text(f"#!/bin/sh\n{player('hang', 11)} {name}\nexit\n")
            script.chmod(0o755)
            self.assertEqual(self.run_match(str(script))[1]["hangs"], "engine 2, opponent 0")
            self.assertEqual(left(f"11\0{name}"), [])

    def test_two_answers(self):
        self.check("double", "protocol errors", *PATIENT_OPPONENT)

    def test_answer_without_move(self):
        self.check("empty", "protocol errors")

    def test_answer_while_pondering(self):
        self.check("early", "protocol errors", "--ponder", *PATIENT_OPPONENT)

    def test_stop_not_heard_while_pondering(self):
        self.check("deaf", "hangs", "--ponder")

    def test_illegal_ponder_move_is_only_noted(self):
        self.check("illegal-ponder", "protocol errors", "--ponder", losses=0)

    def test_clean_engine(self):
        for more in ((), ("--ponder",), ("--nodes", "5"), ("--time", "1000", "--byoyomi", "300")):
            with self.subTest(more):
                status, table = self.run_match(player("none"), *more)
                self.assertEqual(status, 0)
                self.assertEqual([table[name] for name in self.LINES], ["engine 0, opponent 0"] * 5)

    def test_error_output_does_not_block(self):
        self.assertEqual(self.run_match(player("noisy"))[0], 0)

    def test_a_long_line_hides_no_answer(self):
        self.assertEqual(self.run_match(player("long"))[0], 0)

    def test_program_that_is_no_engine(self):
        with tempfile.TemporaryDirectory() as out:
            line = command(Path(out), "/bin/true", "--runner", self.RUNNER)
            done = subprocess.run(line, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("does not start", done.stderr)


class Dialogue(unittest.TestCase):
    """One engine, without a game."""

    def engine(self, fault: str) -> UsiEngine:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        engine = UsiEngine(player(fault).split(), Path(folder.name), "engine", 1.0)
        self.addCleanup(engine.close)
        engine.handshake()
        engine.new_game()
        return engine

    @staticmethod
    def think(engine: UsiEngine) -> Answer:
        return engine.think("position startpos", "go", 60.0, 0.0)

    def test_output_without_end(self):
        engine = self.engine("chatter")
        for _ in range(2):
            self.think(engine)
        started = time.monotonic()
        with self.assertRaisesRegex(EngineFault, "hang: no answer to go and stop"):
            engine.think("position startpos", "go byoyomi 100", 2.0, 0.2)
        # The time that the move had, and the patience after it, on a busy machine.
        self.assertLess(time.monotonic() - started, 30.0)
        with self.assertRaisesRegex(EngineFault, "hang: no answer to isready"), mock.patch("usi_engine.READYOK_SECONDS", 0.5):
            engine.ready()
        time.sleep(2.0)
        self.assertLessEqual(engine._lines.qsize(), WAITING_LINES)

    def test_answers_without_end(self):
        engine = self.engine("flood")
        for _ in range(3):
            self.think(engine)
        time.sleep(2.0)
        self.assertLessEqual(engine._lines.qsize(), 2 * WAITING_LINES)
        with self.assertRaisesRegex(EngineFault, "protocol error: 'bestmove 7g7f' before go"):
            self.think(engine)

    def test_a_hang_is_noted_once(self):
        # A busy machine takes its time to end a process.
        with tempfile.TemporaryDirectory() as name:
            faults = Path(name) / "faults.jsonl"
            late = tap.Tap(faults, Path(name) / "stderr.log", "engine", 1.0, ["sleep", "60"])
            self.addCleanup(late._input.close)
            self.addCleanup(late._output.close)
            late._deadline = time.monotonic()
            ends = threading.Timer(1.0, late._process.kill)
            with mock.patch("tap.end_group", lambda _: ends.start()):
                late._watch()
            ends.join()
            self.assertEqual(late._process.wait(30), -signal.SIGKILL)
            self.assertEqual(len(faults.read_text().splitlines()), 1)

    def test_an_engine_may_use_its_clock_after_a_bare_ponderhit(self):
        script = ("while read -r line; do case $line in usi) echo usiok ;; ponderhit*) sleep 2; echo bestmove 7g7f ;; "
                  "quit) exit ;; esac; done")
        with tempfile.TemporaryDirectory() as name:
            faults = Path(name) / "faults.jsonl"
            line = [sys.executable, str(TESTS.parent / "tap.py"), str(faults), str(Path(name) / "stderr.log"), "engine", "0.5",
                    "--", "sh", "-c", script]
            with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
                assert process.stdin is not None and process.stdout is not None
                print("position startpos", "go ponder btime 60000 wtime 60000", "ponderhit", sep="\n", file=process.stdin,
                      flush=True)
                self.assertEqual(process.stdout.readline(), "bestmove 7g7f\n")
                process.stdin.close()
            self.assertFalse(faults.exists())

    def test_an_engine_is_not_waited_for_without_end_after_ponderhit(self):
        with tempfile.TemporaryDirectory() as name:
            watched = tap.Tap(Path(name) / "faults.jsonl", Path(name) / "stderr.log", "engine", 1.0, ["true"])
            self.addCleanup(watched._input.close)
            self.addCleanup(watched._output.close)
            watched._process.wait(30)
            for go, hit, seconds in (("go ponder btime 5000 binc 1000", "ponderhit", 7.0),
                                     ("go ponder byoyomi 2000", "ponderhit byoyomi 3000", 4.0),
                                     ("go ponder nodes 5", "ponderhit", 1.0)):
                watched._follow(["position", "startpos"])
                watched._follow(go.split())
                self.assertIsNone(watched._deadline)
                with mock.patch("time.monotonic", return_value=100.0):
                    watched._follow(hit.split())
                self.assertEqual(watched._deadline, 100.0 + seconds, go)

    def test_lines_without_end(self):
        long = b"x" * 3 * LINE_BYTES
        self.assertEqual(list(lines_of(io.BytesIO(b"a\n" + long + b"\nb\n\nc"))),
                         [b"a\n", long[:LINE_BYTES] + b"\n", b"b\n", b"\n", b"c\n"])

    def test_the_score_is_that_of_the_best_line_and_no_bound(self):
        engine = self.engine("lines")
        self.assertEqual([self.think(engine).score for _ in range(2)], ["cp 70", "cp 70"])

    def test_the_score_may_be_told_on_the_others_time(self):
        engine = self.engine("quick")
        engine.start_pondering("position startpos", "go ponder")
        time.sleep(0.5)
        self.assertEqual(engine.ponderhit(60.0, 0.0).score, "cp 70")
        self.assertIsNone(self.think(engine).score)


class ArenaFaults(Faults):
    """The same through ShogiArena, for those faults that can show there."""

    RUNNER = "shogiarena"
    LINES = ("illegal moves", "time losses", "crashes", "hangs")

    def check(self, fault: str, line: str, *more: str, losses: int = 2) -> None:
        if fault not in ("illegal", "false-win", "slow", "crash", "hang", "deaf") or "--nodes" in more:
            self.skipTest("judged by the other runner only")
        # A game in which `stop` is not answered while pondering is an error to ShogiArena, which nobody wins.
        super().check(fault, line, *more, losses=0 if fault == "deaf" else losses)

    def test_clean_engine(self):
        for more in ((), ("--ponder",)):
            with self.subTest(more):
                status, table = self.run_match(player("none"), *more)
                self.assertEqual(status, 0)
                self.assertEqual([table[name] for name in self.LINES], ["engine 0, opponent 0"] * 4)


class Resume(unittest.TestCase):
    def interrupted_and_resumed(self, *more: str, interrupts: signal.Handlers = signal.SIG_DFL) -> None:
        with tempfile.TemporaryDirectory() as name:
            out = Path(name)
            line = [*command(out, player("none"), *more), "--games", "12", "--max-plies", "200", "--parallel", "1"]
            # How it treats interrupts is inherited: a job in the background of a shell ignores them.
            first = subprocess.Popen(
                line,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                preexec_fn=lambda: signal.signal(signal.SIGINT, interrupts),
            )
            deadline = time.monotonic() + 60
            while self.finished(out) < 2 and time.monotonic() < deadline:
                time.sleep(0.05)
            first.send_signal(signal.SIGTERM)
            first.communicate(timeout=60)
            played = self.finished(out)
            self.assertEqual(first.returncode, 130)
            self.assertTrue(2 <= played < 12, played)
            second = subprocess.run(line, capture_output=True, text=True, timeout=120)
            self.assertEqual(second.returncode, 0, second.stderr)
            self.assertIn("games: 12\n", second.stdout)
            self.assertEqual(self.finished(out), 12)
            other = subprocess.run([*line, "--hash", "32"], capture_output=True, text=True, timeout=60)
            self.assertEqual(other.returncode, 2)
            self.assertIn("hash differ", other.stderr)

    def test_torn_line_is_dropped(self):
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / driver.GAMES_FILE
            path.write_text('{"game": 0}\n{"game": 1}\n{"ga')
            self.assertEqual(driver.load_games(Path(name)), [{"game": 0}, {"game": 1}])
            self.assertEqual(path.read_text(), '{"game": 0}\n{"game": 1}\n')

    def test_an_interrupt_while_the_games_are_read_is_told_in_one_line(self):
        with tempfile.TemporaryDirectory() as name:
            line = command(Path(name), player("none"))
            self.assertEqual(subprocess.run(line, capture_output=True, timeout=60).returncode, 0)
            # Whoever reads this waits.
            path = Path(name) / driver.GAMES_FILE
            path.unlink()
            os.mkfifo(path)
            match = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for said in match.stderr:
                if "records, logs and results in" in said:
                    break
            time.sleep(0.5)
            match.send_signal(signal.SIGTERM)
            out, errors = match.communicate(timeout=60)
            self.assertEqual((match.returncode, out, errors), (130, "", "match: interrupted\n"))

    @staticmethod
    def finished(out: Path) -> int:
        path = out / "games.jsonl"
        if path.exists():
            return len({json.loads(line)["game"] for line in path.read_text().splitlines()})
        import arena
        try:
            return len(arena.load_games(out))
        except Exception:  # noqa: BLE001
            return 0  # the database is being made

    def test_a_folder_has_one_match_at_a_time(self):
        with tempfile.TemporaryDirectory() as name:
            held = os.open(name, os.O_RDONLY)
            fcntl.flock(held, fcntl.LOCK_EX)
            line = command(Path(name), player("none"))
            refused = subprocess.run(line, capture_output=True, text=True, timeout=60)
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("is in use by another match", refused.stderr)
            os.close(held)
            self.assertEqual(subprocess.run(line, capture_output=True, timeout=60).returncode, 0)

    def test_own_runner(self):
        self.interrupted_and_resumed()

    def test_a_job_in_the_background_which_ignores_interrupts(self):
        self.interrupted_and_resumed(interrupts=signal.SIG_IGN)

    def test_an_engine_that_starts_is_ended_too(self, label: str = "0-engine", *more: str):
        with tempfile.TemporaryDirectory() as name:
            out = Path(name)
            match = subprocess.Popen([*command(out, f"{player('unready', 12)} {name}", *more), "--parallel", "1"],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            log = out / "logs" / f"{label}.usi.log"
            deadline = time.monotonic() + 60
            while not (log.exists() and "> isready" in log.read_text()) and time.monotonic() < deadline:
                time.sleep(0.05)
            match.send_signal(signal.SIGTERM)
            self.assertEqual(match.wait(20), 130)
            self.assertEqual(left(f"12\0{name}"), [])

    def test_an_interrupt_while_the_workers_start(self):
        for begins in (False, True):
            workers: list[threading.Thread] = []

            class Interrupted(threading.Thread):
                """The second worker is interrupted before or behind its begin."""

                def start(self, begins: bool = begins, workers: list[threading.Thread] = workers) -> None:
                    # The others read what an engine writes.
                    if not self.daemon:
                        workers.append(self)
                    if self not in workers[1:] or begins:
                        super().start()
                    if self in workers[1:]:
                        raise KeyboardInterrupt

            # An engine that is killed while it starts leaves its files to Python.
            with (tempfile.TemporaryDirectory() as name, mock.patch("threading.Thread", Interrupted),
                  warnings.catch_warnings(action="ignore", category=ResourceWarning)):
                engine = Profile("engine", (*player("patient", 13).split(), name), byoyomi=2000)
                match = driver.Match(engine, engine, Path(name), Conditions(["startpos"], 40, 100, None, 2.0))
                try:
                    with self.assertRaises(KeyboardInterrupt):
                        match.run(2)
                    for worker in workers[: 1 + begins]:
                        worker.join(0.5)
                        self.assertFalse(worker.is_alive())
                    self.assertEqual((len(workers), left(f"13\0{name}")), (2, []))
                finally:
                    match._stop()
                    del match
                    gc.collect()

    def test_an_engine_that_starts_for_shogiarena_too(self):
        self.test_an_engine_that_starts_is_ended_too("probe-engine", "--runner", "shogiarena")

    def test_shogiarena_ends_with_the_match(self):
        with tempfile.TemporaryDirectory() as name:
            out = Path(name)
            line = [*command(out, player("none"), "--runner", "shogiarena"), "--games", "100", "--max-plies", "200"]
            match = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            deadline = time.monotonic() + 60
            while self.finished(out) < 1 and time.monotonic() < deadline:
                time.sleep(0.1)
            match.kill()
            match.wait()
            self.assertEqual(left(name), [])

    def test_a_parent_that_has_ended_at_once(self):
        # In the new process, the parent is another one.
        ask = end_with_parent(signal.SIGKILL)
        with mock.patch("os.getppid", return_value=1):
            process = subprocess.Popen(["sleep", "60"], preexec_fn=ask)
        self.addCleanup(process.kill)
        self.assertEqual(process.wait(30), 1)

    def test_shogiarena(self):
        self.interrupted_and_resumed("--runner", "shogiarena")


class Endurance(unittest.TestCase):
    """The endurance test, which plays with the same processes."""

    def soak(self, engine: str, folder: str, *more: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, str(TESTS.parents[1] / "soak"), "--engine", engine, "--games", "1", "--out", folder, *more]
        return subprocess.run(line, capture_output=True, text=True, timeout=60,
                              env={**os.environ, "PYTHONPATH": str(TESTS.parent)})

    def refused(self, message: str, engine: str, folder: str, *more: str) -> None:
        """It is told in one line, and changes no file."""
        before = {path: path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}
        done = self.soak(engine, folder, *more)
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1), done.stderr)
        self.assertIn(message, done.stderr)
        self.assertEqual({path: path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}, before)

    def with_games(self, folder: str, text: str) -> Path:
        """A folder of /bin/true, which plays none of its own."""
        self.assertIn("does not start", self.soak("/bin/true", folder).stderr)
        path = Path(folder) / driver.GAMES_FILE
        path.write_text(text)
        return path

    def test_torn_line_is_dropped(self):
        with tempfile.TemporaryDirectory() as name:
            whole = '{"game": 0, "fault": null}\n'
            path = self.with_games(name, whole + whole[:9])
            done = self.soak("/bin/true", name)
            self.assertEqual((done.returncode, done.stdout.splitlines()[:1]), (0, ["games: 1, faults: 0"]), done.stderr)
            self.assertEqual(path.read_text(), whole)

    def test_games_of_others_are_not_counted(self):
        with tempfile.TemporaryDirectory() as name:
            path = self.with_games(name, '{"game": 0, "fault": null}\n')
            self.refused("holds another run (program differ)", "/bin/false", name)
            self.refused("holds another run (plies differ)", "/bin/true", name, "--plies", "49")
            self.refused("holds another run (margin differ)", "/bin/true", name, "--margin", "1")
            # As a match has them, and others.
            for text in ('{"game": 0, "faults": []}', '{"game": 1, "fault": null}', '{"game": 0, "fault": 1}', "[]", "3"):
                path.write_text(text + "\n")
                self.refused("games.jsonl is damaged: line 1 is no game", "/bin/true", name)
            for text in ("", "[]", "{", "\udcff"):
                (Path(name) / "soak.json").write_text(text, errors="surrogateescape")
                self.refused("soak.json is damaged", "/bin/true", name)
            (Path(name) / "soak.json").unlink()
            self.refused("holds games.jsonl but no soak.json", "/bin/true", name)

    def test_every_opening_must_leave_room_for_a_move(self):
        with tempfile.TemporaryDirectory() as name:
            self.refused("--plies must be above 24, the length of the longest opening", "/bin/true", name, "--plies", "24")
            self.assertIn("does not start", self.soak("/bin/true", name, "--plies", "25").stderr)

    def test_program_that_is_no_engine(self):
        with tempfile.TemporaryDirectory() as name:
            # Of two, the first one starts.
            script = Path(name) / "first"
            script.write_text("#!/bin/sh\ncase $PWD in *a.cwd) read _; echo usiok; sleep 60 ;; esac\nexit\n")
            script.chmod(0o755)
            for engine, said in (("/bin/true", "does not start: crash"), (str(script), "does not start: crash"),
                                 ("/nowhere", "cannot start")):
                done = self.soak(engine, f"{name}/{said} {Path(engine).name}")
                self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1), done.stderr)
                self.assertIn(said, done.stderr)
            self.assertEqual(left(name), [])


class Setup(unittest.TestCase):
    """What cannot be played is told in one line, and changes nothing that is there."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        self.out = self.folder / "out"
        self.quick = ("--max-plies", "4", "--openings", str(self.folder / "openings"))
        (self.folder / "openings").write_text("startpos\n")

    def match(self, *more: str, out: Path | None = None, most_bytes: int | None = None) -> subprocess.CompletedProcess[str]:
        def limit() -> None:
            if most_bytes is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

        return subprocess.run(command(out or self.out, player("none"), *self.quick, *more), capture_output=True, text=True,
                              timeout=60, cwd=self.folder, preexec_fn=limit)

    def refused(self, message: str, *more: str, out: Path | None = None, most_bytes: int | None = None) -> None:
        done = self.match(*more, out=out, most_bytes=most_bytes)
        said = [line for line in done.stderr.splitlines() if "match: records, logs and results in" not in line]
        self.assertEqual((done.returncode, done.stdout, len(said)), (2, "", 1), done.stderr)
        self.assertIn(message, said[0])

    def content(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() if path.is_file() else b"" for path in self.folder.rglob("*")}

    def test_paths_of_options_are_made_whole(self):
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        for name in ("a.bin", "true", "16", "<internal>"):
            Path(name).touch()
        Path("books").mkdir()
        whole = [("EvalFile", "a.bin"), ("bookdir", "books"), ("EvalDir", "..")]
        self.assertEqual(with_whole_paths(whole), [(name, f"{self.folder}/{value}") for name, value in whole])
        kept = [("EvalFile", "<internal>"), ("USI_OwnBook", "true"), ("BookMoves", "16"), ("BookFile", "missing"),
                ("EvalFile", ""), ("Style", "a.bin"), ("EvalFile", f"{self.folder}/a.bin"), ("EvalFile", "x" * 5000)]
        self.assertEqual(with_whole_paths(kept), kept)

    def test_a_file_of_the_current_folder_is_found(self):
        (self.folder / "a.bin").touch()
        done = self.match("--option", "EvalFile=a.bin", "--opponent-option", "EvalFile=a.bin")
        self.assertEqual(done.returncode, 0, done.stderr)
        file = {"EvalFile": str(self.folder / "a.bin")}
        self.assertEqual(json.loads((self.out / "match.json").read_text())["options"], [file, file])

    def test_a_program_may_have_a_name_that_is_no_text(self):
        program = os.fsdecode(os.fsencode(self.folder) + b"/engine\x90")
        Path(program).write_text(f"#!/bin/sh\nexec {player('none')}\n")
        os.chmod(program, 0o755)
        done = self.match("--engine", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("/engine\\udc90 (", done.stdout)
        self.assertEqual((self.out / "summary.txt").read_text(), done.stdout)

    def test_the_games_of_an_arena_are_read_in_a_folder_of_any_name(self):
        import arena
        out = self.folder / "C#" / "what?" / "100%25"
        (out / "arena" / "run").mkdir(parents=True)
        database = sqlite3.connect(out / "arena" / "run" / "game.db")
        database.executescript("CREATE TABLE player (id, player_name);"
                               "CREATE TABLE game (game_name, game_result, black_player_id);"
                               "INSERT INTO player VALUES (1, 'engine'); INSERT INTO game VALUES ('g1-1', 'BLACK_WIN', 1);")
        database.close()
        self.assertEqual([game["result"] for game in arena.load_games(out)], ["win"])
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["C#", "openings"])

    def test_another_network_under_the_same_name_is_another_match(self):
        (self.folder / "nets").mkdir()
        for name in ("a.bin", "nets/nn.bin"):
            (self.folder / name).touch()
        options = ("--option", "EvalFile=a.bin", "--opponent-option", "EvalDir=nets")
        self.assertEqual(self.match(*options).returncode, 0)
        self.assertEqual(self.match(*options).returncode, 0)
        for name in ("a.bin", "nets/nn.bin"):
            (self.folder / name).write_text("another")
            self.refused("holds another match (files differ)", *options)
            (self.folder / name).write_text("")
        self.assertEqual(self.match(*options).returncode, 0)

    def test_another_rule_or_scale_beside_a_network_is_another_match(self):
        (self.folder / "a.bin").touch()
        for name, option in (("eval_options.txt", "--option"), ("progress.bin", "--opponent-option")):
            file, without, more = self.folder / name, self.folder / f"without {name}", (option, "EvalFile=a.bin")
            self.assertEqual(self.match(*more, out=without).returncode, 0)
            # As from before these files counted.
            one, two = map(set, json.loads((without / "match.json").read_text())["files"])
            self.assertEqual(one ^ two, {str(self.folder / "a.bin")})
            file.write_text("one")
            self.refused("holds another match (files differ)", *more, out=without)
            self.assertEqual(self.match(*more, out=self.folder / name[:4]).returncode, 0)
            file.write_text("another")
            self.refused("holds another match (files differ)", *more, out=self.folder / name[:4])
            file.unlink()
            self.assertEqual(self.match(*more, out=without).returncode, 0)

    def test_another_script_under_the_same_name_is_another_match(self):
        script = self.folder / "my engine.py"
        text = (TESTS / "faulty_engine.py").read_text(encoding="utf-8")
        for side in ("--engine", "--opponent"):
            script.write_text(text, encoding="utf-8")
            more, out = (side, f"{sys.executable} '{script}' none"), self.folder / side
            self.assertEqual(self.match(*more, out=out).returncode, 0)
            self.assertEqual(self.match(*more, out=out).returncode, 0)
            script.write_text(text + "# another\n", encoding="utf-8")
            self.refused("holds another match (files differ)", *more, out=out)

    def test_a_match_does_not_shrink(self):
        self.assertEqual(self.match("--games", "4").returncode, 0)
        before = self.content()
        self.refused("holds a match of 4 games", "--games", "2")
        self.assertEqual(self.content(), before)

    def test_errors_that_an_engine_tells_at_its_start(self):
        for number, runner in enumerate(("cshogi", "shogiarena")):
            for role, option in (("engine", "--option"), ("opponent", "--opponent-option")):
                with self.subTest(runner=runner, role=role):
                    self.refused("says: info string Error! EvalFile missing.bin: found no such file", option,
                                 "EvalFile=missing.bin", "--runner", runner, out=self.folder / f"{number}{role}")

    def test_values_that_an_engine_would_pass_over(self):
        for number, option in enumerate(("Style=loud", "MultiPV=9", "MultiPV=many", "MultiPV=0_8", "USI_Ponder=maybe")):
            name, value = option.split("=")
            for role in ("--option", "--opponent-option"):
                self.refused(f"does not take '{value}' for the option {name}", role, option, out=self.folder / f"{number}{role}")
        self.assertEqual(self.match("--option", "Style=wild", "--opponent-option", "MultiPV=8").returncode, 0)

    def test_commands_and_openings_that_are_none(self):
        done = subprocess.run(command(self.out, "it's", *self.quick), capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (2, "match: unreadable command 'it's': No closing quotation\n"))
        (self.folder / "openings").write_text("sfen 4k4/4R4/9/9/9/9/9/9/4K4 b - 1\n")
        self.refused("the side to move could capture the king")

    def test_games_without_a_match_are_not_adopted(self):
        self.out.mkdir()
        for name in ("games.jsonl", "results.jsonl", "records", "summary.txt"):
            path = self.out / name
            path.mkdir() if name == "records" else path.write_text('{"game": 0}\n')
            before = self.content()
            self.refused(f"holds {name} but no match.json")
            self.assertEqual(self.content(), before)
            path.rmdir() if name == "records" else path.unlink()
        self.assertEqual(self.match().returncode, 0)

    def test_out_is_no_folder(self):
        self.out.write_text("")
        self.refused("File exists")
        self.refused("Not a directory", out=self.out / "below")

    def test_limits_that_no_game_can_be_played_with(self):
        for more in (("--byoyomi", "-1"), ("--margin", "-1"), ("--hang", "nan"), ("--hang", "0"), ("--time", "-5")):
            done = self.match(*more)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"argument {more[0]}: must", done.stderr)
        before = self.content()
        (self.folder / "openings").write_text("startpos moves 7g7f 3c3d 2g2f 8c8d\n")
        self.refused("is already decided: max plies")
        (self.folder / "openings").write_text("startpos\n")
        self.assertEqual(self.content(), before)
        self.refused("a side without any time", "--byoyomi", "0")
        self.refused("a side without any time", "--opponent-byoyomi", "0")
        timed = [word for word in command(self.out, player("none"), *self.quick) if word not in ("--byoyomi", "300")]
        timed += ["--time", "1000", "--increment", "10"]
        done = subprocess.run(timed, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([*timed, "--opponent-byoyomi", "100"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--opponent-byoyomi", done.stderr)

    def test_damaged_files(self):
        self.out.mkdir()
        for text in ("", "[]", "{", "\udcff"):
            (self.out / "match.json").write_text(text, errors="surrogateescape")
            before = self.content()
            self.refused("match.json is damaged")
            self.assertEqual(self.content(), before)
        (self.out / "match.json").unlink()
        self.assertEqual(self.match().returncode, 0)
        for text in ('{"game": 0}\n', "[]\n", "\udcff\n"):
            (self.out / "games.jsonl").write_text(text, errors="surrogateescape")
            self.refused("games.jsonl is damaged")
        (self.folder / "openings").write_bytes(b"\xff\n")
        self.refused("it is not UTF-8")

    def test_openings_of_other_editors(self):
        """With a byte order mark, and with comments after spaces."""
        (self.folder / "openings").write_bytes(b"\xef\xbb\xbfstartpos\r\n\r\n  # a comment\r\n")
        self.assertEqual(self.match().returncode, 0)

    def test_a_summary_is_replaced_as_a_whole(self):
        self.assertEqual(self.match().returncode, 0)
        # Another name of the file, which keeps what was in it unless it is written into.
        os.link(self.out / "summary.txt", self.folder / "before")
        before = (self.folder / "before").read_text()
        self.assertEqual(self.match("--games", "4").returncode, 0)
        self.assertEqual((self.folder / "before").read_text(), before)
        self.assertIn("games: 4\n", (self.out / "summary.txt").read_text())

    def test_full_disk(self):
        long = ("--max-plies", "60")
        self.refused("File too large", *long, most_bytes=100)
        self.assertEqual(list(self.out.iterdir()), [])
        self.refused("File too large", *long, most_bytes=1500)
        self.assertTrue((self.out / "match.json").exists())
        self.assertEqual(self.match(*long).returncode, 0)


class Rules(unittest.TestCase):
    KINGS = "sfen 4k4/9/9/9/9/9/9/9/4K4 b {} 1"

    def illegal(self, sfen: str, move: str) -> None:
        with self.assertRaises(EngineFault):
            Referee(sfen, 320).play(move)

    def test_illegal_moves(self):
        for hand, move in (("P", "P*5a"), ("P", "P*3a"), ("L", "L*3a"), ("N", "N*3b"), ("P", "G*5e"), ("P", "P*5i")):
            self.illegal(self.KINGS.format(hand), move)
        self.illegal("sfen 4k4/6P2/9/9/9/9/9/9/4K4 b - 1", "3b3a")
        self.illegal("sfen 4k4/9/9/6P2/9/9/9/9/4K4 b P 1", "P*3f")
        self.illegal("sfen 7lk/9/8G/9/9/9/9/9/4K4 b P 1", "P*1b")
        self.illegal("sfen 4k4/4r4/9/9/9/9/9/4G4/4K4 b - 1", "5h6h")
        self.illegal("startpos", "2g2f+")
        self.illegal("startpos", "")
        Referee("sfen 4k4/9/6P2/9/9/9/9/9/4K4 b - 1", 320).play("3c3b")

    def test_fourfold_repetition_is_a_draw(self):
        moves = ["2h3h", "8b7b", "3h2h", "7b8b"] * 3
        referee = Referee("startpos", 320)
        for move in moves:
            self.assertIsNone(referee.ending())
            referee.play(move)
        self.assertEqual((referee.ending().winner, referee.ending().reason), (None, "repetition"))

    def test_repetition_counts_hands_and_turn(self):
        referee = Referee("sfen 4k4/9/9/9/9/9/9/9/R3K4 b - 1", 320)
        for move in ["9i9h", "5a5b", "9h9i", "5b5a"] * 2:
            referee.play(move)
            self.assertIsNone(referee.ending())

    def test_perpetual_check_loses(self):
        referee = Referee("sfen 4k4/9/9/9/9/9/9/9/R3K4 b - 1", 320)
        referee.play("9i9a")
        for move in ["5a5b", "9a9b", "5b5a", "9b9a"] * 3:
            self.assertIsNone(referee.ending())
            referee.play(move)
        self.assertEqual((referee.ending().winner, referee.ending().reason), ("white", "perpetual check"))

    def test_one_quiet_move_makes_it_a_draw(self):
        referee = Referee("sfen 4k4/9/9/9/9/9/9/9/R3K4 b - 1", 320)
        for move in ["9i9a", "5a5b", "9a9i", "5b5a"] * 3:
            self.assertIsNone(referee.ending())
            referee.play(move)
        self.assertEqual(referee.ending().reason, "repetition")

    def test_checkmate_and_length(self):
        referee = Referee("sfen 4k4/9/4G4/9/9/9/9/9/4K4 b G 1", 320)
        referee.play("G*5b")
        self.assertEqual((referee.ending().winner, referee.ending().reason), ("black", "checkmate"))
        referee = Referee("startpos moves 7g7f", 2)
        referee.play("3c3d")
        self.assertEqual(referee.ending().reason, "max plies")

    def test_declaration(self):
        # Black: king and ten pieces in the zone, rook and bishop count five each.
        Referee("sfen K+R+B6/GGSSPPPP1/9/9/9/9/9/9/8k b RBGGSS5P 1", 320).declare()
        with self.assertRaises(EngineFault):
            Referee("sfen KG7/GS7/9/9/9/9/9/9/8k b RB 1", 320).declare()

    def test_replies_leave_the_game_alone(self):
        referee = Referee("startpos", 320)
        self.assertIn("3c3d", referee.replies("7g7f"))
        self.assertIsNone(referee.replies("7g7e"))
        self.assertEqual(referee.position_command(), "position startpos")


class MissedMates(unittest.TestCase):
    def test_what_a_solver_answers(self):
        game = {"game": 3, "color": "black", "result": "loss", "position": "position startpos moves 7g7f 3c3d 2g2f",
                "opening_plies": 1}
        engine = mock.Mock()
        for answer, found in (("nomate", None), ("timeout", None), ("4d3c+ 2b3c G*4b", Missed(3, 3, 3))):
            engine.early_mate_answer.return_value = answer
            self.assertEqual(first_mate(engine, game, 1000), found)
        for none, said in ((None, "no answer to go mate 1000"), ("notimplemented", "does not solve mates")):
            engine.early_mate_answer.return_value = none
            self.assertRaisesRegex(SetupError, said, first_mate, engine, game, 1000)


class Records(unittest.TestCase):
    def test_the_last_word_names_the_winner(self):
        # In CSA, most words mean that the side to move has lost.
        self.assertEqual(csa.ending("resignation", "black", "white"), "%TORYO")
        self.assertEqual(csa.ending("adjudicated win", "black", "white"), "%TORYO")
        self.assertEqual(csa.ending("adjudicated win", "white", "white"), "%CHUDAN")
        for to_move in ("black", "white"):
            self.assertEqual(csa.ending("perpetual check", "white", to_move), "%+ILLEGAL_ACTION")
            self.assertEqual(csa.ending("perpetual check", "black", to_move), "%-ILLEGAL_ACTION")

    def test_a_perpetual_check_in_a_file(self):
        referee = Referee("sfen 4k4/9/9/9/9/9/9/9/R3K4 b - 1", 320)
        for move in ["9i9a", *["5a5b", "9a9b", "5b5a", "9b9a"] * 3]:
            referee.play(move)
        game = {"color": "black", "engine": "one", "opponent": "two", "result": "loss", "reason": "perpetual check",
                "faults": [], "times_ms": [], "scores": []}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.csa"
            csa.write(path, game, referee.csa_moves, referee.start_csa, "2026/01/02 03:04:05")
            self.assertIn("\n%+ILLEGAL_ACTION\n", path.read_text(encoding="utf-8"))


class Counting(unittest.TestCase):
    @staticmethod
    def games(results: str) -> list[dict]:
        names = {"w": "win", "d": "draw", "l": "loss"}
        return [{"pair": i // 2, "color": "black" if i % 2 == 0 else "white", "result": names[r], "reason": "x",
                 "faults": []} for i, r in enumerate(results)]

    def test_elo(self):
        self.assertAlmostEqual(tally.elo(0.5), 0.0)
        self.assertAlmostEqual(tally.elo(10 / 11), 400.0)
        self.assertEqual([tally.signed(elo) for elo in (tally.elo(0.5), 0.4, -0.4, -0.6, 12.0, tally.elo(0.0))],
                         ["+0", "+0", "+0", "-1", "+12", "-inf"])
        self.assertIn("elo: +0 ", tally.summary("", self.games("wl"), [], 2))

    def test_pairs_that_cancel_are_certain(self):
        # The opening decides every game: the pairs say more than single games could.
        low, high = tally.interval(self.games("wl" * 30 + "ww" + "ll"))
        self.assertTrue(0.45 < low < 0.5 < high < 0.55, (low, high))

    def test_interval_holds_the_score(self):
        for results in ("w" * 10, "l" * 10, "w", "wdlw", "ddwwlldd"):
            games = self.games(results)
            low, high = tally.interval(games)
            score = sum(tally.POINTS[game["result"]] for game in games) / len(games)
            self.assertTrue(0.0 <= low <= score <= high <= 1.0 and low < high, results)

    def test_no_result_shows_more_than_a_sweep(self):
        all_won, all_lost = (tally.interval(self.games(result * 40)) for result in "wl")
        self.assertAlmostEqual(tally.elo(all_won[0]), 407, delta=0.5)
        for wins in range(41):
            for draws in range(41 - wins):
                results = "w" * wins + "d" * draws + "l" * (40 - wins - draws)
                low, high = tally.interval(self.games(results))
                self.assertTrue(low <= all_won[0] and high >= all_lost[1], results)
        for results in ("w" * 39 + "d", "w" * 39 + "l", "w" * 38 + "dd"):
            low, high = tally.interval(self.games(results))
            opposite = tally.interval(self.games(results.translate(str.maketrans("wl", "lw"))))
            self.assertAlmostEqual(low, 1.0 - opposite[1])
            self.assertAlmostEqual(high, 1.0 - opposite[0])
        # Far from it, nothing but the pairs counts.
        low, high = tally.interval(self.games("ww" * 8 + "wl" * 12))
        self.assertAlmostEqual(low, 0.7 - 1.96 * (0.06 / 19) ** 0.5, places=5)
        self.assertAlmostEqual(high, 0.7 + 1.96 * (0.06 / 19) ** 0.5, places=5)

    def test_many_time_losses_measure_no_strength(self):
        games = self.games("w" * 100)
        for game in games[:3]:
            game["reason"] = TIME_LOSS
            game["faults"] = [{"role": "opponent", "kind": TIME_LOSS, "detail": ""}]
        self.assertIn("the opponent lost 3 of 100 games on time", tally.summary("", games, [], 100))
        games[0]["faults"] = []
        self.assertNotIn("on time", tally.summary("", games, [], 100))

    def test_time_kept_back_is_left_to_the_engine_with_a_main_clock(self):
        self.assertEqual(usual_options(64, False, main_clock=False)["Move Overhead"], "0")
        self.assertNotIn("Move Overhead", usual_options(64, False, main_clock=True))

    def test_resignation_needs_both(self):
        judge = ResignJudge(1000)
        for color, score in [("black", "cp 1500"), ("white", "cp -1200")] * 2 + [("black", "cp 1500")]:
            self.assertIsNone(judge.update(color, score))
        self.assertEqual(judge.update("white", "mate -3").winner, "black")
        judge = ResignJudge(1000)
        for color, score in [("black", "cp 1500"), ("white", "cp 0")] * 10:
            self.assertIsNone(judge.update(color, score))

    def test_options(self):
        option = parse_option("option name Minimum Thinking Time type spin default 20 min 0 max 5000")
        self.assertEqual((option.name, option.kind, option.low, option.high), ("Minimum Thinking Time", "spin", 0, 5000))
        option = parse_option("option name UCI_Variant type combo default shogi var chess var shogi")
        self.assertEqual((option.default, option.choices), ("shogi", ("chess", "shogi")))
        self.assertIsNone(parse_option("id name x"))


if __name__ == "__main__":
    unittest.main(verbosity=1)
