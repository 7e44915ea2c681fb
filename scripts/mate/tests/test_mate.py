"""Tests of the mate solver's checks. Run by `scripts/mate.sh --self-test`; they take a few seconds and no solver: small
programs stand in for it, each with a fault that must be found."""

import contextlib
import csv
import io
import math
import os
import stat
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

TESTS = Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS.parent))

import soak
import stop
from answers import Answer, contradiction, fault_of_line, parse_answer, replies_of_line
from faults import EngineFault, SetupError
from figures import quantile, table
from problems import Known, Problem, claims_mate, read_problems
from solver import Limits, Outcome, solve_one
from verify import Replies, Settings, Verdict, check_replies, judge, names, remarks, solve_rows, verify

# Black mates by G*5b, among other moves.
ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
# Black has no king and mates in three.
THREE = "9/4k4/9/4P4/9/9/9/9/9 b 2G2r2b4s4n4l17p 1"
THREE_LINE = ("G*5c", "5b5a", "G*5b")
# The pawn dropped at 1c would mate, if that were allowed.
PAWN_DROP = "7nk/7n1/7G1/9/9/9/9/9/4K4 b P 1"
# White's king stands beside the gold: nobody reads this position with Black to move.
IMPOSSIBLE = "4k4/4G4/9/9/9/9/9/9/4K4 b - 1"


def problem(sfen: str = ONE, known: Known = Known.MATE, plies: int | None = 1, is_exact: bool = True) -> Problem:
    return Problem(1, sfen, known, plies, is_exact, "")


class Problems(unittest.TestCase):
    def read(self, name: str, text: str, **flags) -> list[Problem]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_text("sfen,plies,best_move,source,verified_by\n" + text, encoding="utf-8")
            return read_problems(path, **flags)

    def test_lengths(self):
        rows = self.read("mate5.csv", f"{ONE},5,,s,v\n{ONE},73*,,s,v\n{ONE},nomate,,s,v\n{ONE},,,s,KH:55; shtsume:47\n"
                                      f"{ONE},,,s,parse + piece count\n")
        self.assertEqual([(row.known, row.plies, row.is_exact) for row in rows],
                         [(Known.MATE, 5, True), (Known.MATE, 73, False), (Known.NO_MATE, None, False),
                          (Known.MATE, None, False), (Known.OPEN, None, False)])
        self.assertEqual([row.number for row in rows], [1, 2, 3, 4, 5])

    def test_the_name_of_the_file_counts(self):
        self.assertEqual(self.read("nomate.csv", f"{ONE},,,s,v\n")[0].known, Known.NO_MATE)
        self.assertEqual(self.read("other.csv", f"{ONE},,,s,v\n")[0].known, Known.OPEN)
        self.assertEqual(self.read("other.csv", f"{ONE},,,s,v\n", is_no_mate=True)[0].known, Known.NO_MATE)
        self.assertFalse(self.read("famous.csv", f"{ONE},873,,s,v\n")[0].is_exact)
        self.assertTrue(self.read("famous.csv", f"{ONE},873,,s,v\n", has_exact_lengths=True)[0].is_exact)

    def test_who_claims_a_mate(self):
        for text in ("KH:55; shtsume:47", "KH:mate(611); shtsume:mate(611)", "parse + piece count; KH mate in 113 s CPU",
                     "KomoringHeights mate (length not proven minimal, found 23)"):
            self.assertTrue(claims_mate(text), text)
        for text in ("KH:nomate", "parse + piece count", "parse only", "full-width: no mate in <=9; KomoringHeights: nomate"):
            self.assertFalse(claims_mate(text), text)

    def test_unreadable_files(self):
        for text in (f"{ONE},about 5,,s,v\n", ""):
            self.assertRaises(SetupError, self.read, "mate5.csv", text)
        self.assertRaises(SetupError, read_problems, Path("/nowhere/mate5.csv"))


class Answers(unittest.TestCase):
    def test_reading(self):
        self.assertEqual(parse_answer("mate 1 G*5b"), Answer("mate", ("G*5b",)))
        self.assertEqual(parse_answer("mate 3 (1 without futile interpositions) a b c"), Answer("mate", ("a", "b", "c")))
        self.assertEqual(parse_answer("nomate"), Answer("nomate"))
        self.assertEqual(parse_answer("unknown time"), Answer("unknown", why="time"))
        for text in ("", "mate", "mate 1", "mate 0", "mate 3 G*5b", "mate G*5b", "unknown", "nomate 3", "none"):
            self.assertRaises(ValueError, parse_answer, text)

    def test_lines(self):
        self.assertIsNone(fault_of_line(ONE, ("G*5b",)))
        self.assertIsNone(fault_of_line(THREE, THREE_LINE))
        for sfen, line, words in (
                (ONE, ("G*5d",), "gives no check"),
                (ONE, ("G*4a",), "no mate after the last move"),
                (ONE, ("S*5b",), "illegal"),
                (ONE, ("G*5b", "5a5b"), "even"),
                (ONE, ("G*5b", "5a4a", "5b4b"), "move 2"),
                (THREE, (*THREE_LINE[:2], "G*1i"), "move 3 (G*1i) gives no check"),
                (PAWN_DROP, ("P*1b",), "illegal"),
                ("nonsense", ("G*5b",), "unreadable")):
            fault = fault_of_line(sfen, line)
            self.assertIsNotNone(fault, line)
            self.assertIn(words, fault)

    def test_contradictions(self):
        mate, none, unknown = Answer("mate", ("G*5b",)), Answer("nomate"), Answer("unknown", why="time")
        for case, answer, is_wrong in (
                (problem(), mate, False), (problem(), none, True), (problem(), unknown, False),
                (problem(), Answer("unknown", why="broken"), True),
                (problem(plies=3), mate, True), (problem(plies=3, is_exact=False), mate, False),
                (problem(known=Known.NO_MATE, plies=None, is_exact=False), mate, True),
                (problem(known=Known.NO_MATE, plies=None, is_exact=False), none, False),
                (problem(known=Known.OPEN, plies=None, is_exact=False), none, False),
                (problem(known=Known.OPEN, plies=None, is_exact=False), mate, False),
                (problem(known=Known.OPEN, plies=None, is_exact=False), Answer("mate", ("G*4a",)), True)):
            self.assertEqual(contradiction(case, answer) is not None, is_wrong, (case, answer))

    def test_other_replies(self):
        self.assertEqual(replies_of_line(ONE, ("G*5b",)), [])
        others = replies_of_line(THREE, THREE_LINE)
        self.assertEqual([most for _, most, _ in others], [1, 1])
        self.assertEqual({moves for _, _, moves in others}, {"G*5c 5b4a", "G*5c 5b6a"})
        self.assertIn("3k5/9/4G4/4P4/9/9/9/9/9 b G2r2b4s4n4l17p 3", [sfen for sfen, _, _ in others])


class Figures(unittest.TestCase):
    def test_quantiles(self):
        values = [float(value) for value in range(1, 11)]
        self.assertEqual([quantile(values, share) for share in (0.0, 0.5, 0.9, 1.0)], [1.0, 5.0, 9.0, 10.0])
        self.assertTrue(math.isnan(quantile([], 0.5)))

    def test_table(self):
        self.assertEqual(table(("a", "bb"), [("ccc", "1")]), "a    bb\nccc   1")


class Programs(unittest.TestCase):
    """Programs that stand in for the solver."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def program(self, text: str) -> Path:
        path = self.folder / "program"
        path.write_text(f"#!{sys.executable}\nimport sys, time\n{text}\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def settings(self, program: Path, **changes) -> Settings:
        usual = {"tsumero": program, "limits": Limits(), "cpu": None, "in_one_process": False, "jobs": 2, "proof": None,
                 "is_no_mate": None, "has_exact_lengths": None}
        return Settings(**{**usual, **changes})

    def verdict(self, text: str, **changes) -> tuple[Verdict, str]:
        rows, _ = solve_rows(self.settings(self.program(text), **changes), [problem()])
        return rows[0].verdict, rows[0].remark

    def test_each_fault_has_its_verdict(self):
        for text, verdict, words in (
                ("print('mate 1 G*5b')", Verdict.SOLVED, ""),
                ("print('nomate')", Verdict.WRONG, "no mate claimed"),
                ("print('mate 3 G*4a 5a4a G*4b')", Verdict.WRONG, "move 3"),
                ("print('unknown memory')", Verdict.UNKNOWN, "memory"),
                ("print('--sfen: ugly', file=sys.stderr); sys.exit(1)", Verdict.REFUSED, "ugly"),
                ("sys.exit(1)", Verdict.FAILED, "exit status 1"),
                ("print('mate 1 G*5b'); sys.exit(3)", Verdict.FAILED, "exit status 3"),
                ("import os; os.abort()", Verdict.FAILED, "signal 6"),
                ("pass", Verdict.FAILED, "0 lines"),
                ("print('nomate\\nnomate')", Verdict.FAILED, "2 lines"),
                ("print('checkmate')", Verdict.FAILED, "malformed")):
            for in_one_process in (False, True):
                # What belongs to a line of a file has other words, and a crash says nothing of single rows.
                if in_one_process and ("sfen:" in text or "lines" in words or "status" in words):
                    continue
                found, remark = self.verdict(text, in_one_process=in_one_process)
                self.assertEqual(found, verdict, (text, remark))
                self.assertIn(words, remark, text)

    def test_only_a_time_limit_makes_a_hang(self):
        self.assertIsNone(self.settings(Path("x")).wall_limit)
        self.assertEqual(self.settings(Path("x"), limits=Limits(time=1000)).wall_limit, 22.0)

    def test_a_hang_and_a_row_that_takes_too_much_cpu(self):
        hanging = solve_one(self.program("time.sleep(60)"), ONE, Limits(), 0.5, None)
        self.assertIn("no answer after", hanging.fault)
        busy = self.program("while True: pass")
        self.assertEqual(solve_one(busy, ONE, Limits(), 120.0, 1).answer, Answer("unknown", why="cpu"))
        late = solve_one(self.program("while time.process_time() < 0.3: pass\nprint('mate 1 G*5b')"), ONE, Limits(), 20.0, None)
        self.assertEqual(judge(problem(), late, 0.2).verdict, Verdict.UNKNOWN)
        self.assertEqual(judge(problem(), late, 20.0).verdict, Verdict.SOLVED)

    def test_refused_rows_are_told_apart_in_a_file(self):
        program = self.program("print('line 2: ugly', file=sys.stderr); print('mate 1 G*5b\\nerror ugly\\nunknown time'); "
                               "sys.exit(1)")
        rows, _ = solve_rows(self.settings(program, in_one_process=True), [problem(), problem(IMPOSSIBLE), problem()])
        self.assertEqual([(row.verdict, row.remark) for row in rows],
                         [(Verdict.SOLVED, ""), (Verdict.REFUSED, "ugly"), (Verdict.UNKNOWN, "time")])

    def test_unknown_rows_are_cut_short_and_others_never(self):
        rows = [judge(problem(), Outcome(Answer("unknown", why="time")), None) for _ in range(3)]
        rows = [replace(row, problem=replace(row.problem, number=number)) for number, row in enumerate(rows, 1)]
        rows.append(judge(replace(problem(), number=4), Outcome(Answer("nomate")), None))
        lines = remarks("x", rows, 1)
        self.assertEqual([line.split(":")[0] for line in lines], ["x row 1", "x row 4", "x"])
        self.assertIn("2 more unknown", lines[-1])

    def test_too_much_memory_is_seen(self):
        file = self.folder / "mate1.csv"
        file.write_text(f"sfen,plies\n{ONE},1\n", encoding="utf-8")
        for mib, is_well in ((0, True), (200, False)):
            program = self.program(f"held = b'x' * ({mib} << 20)\nprint('mate 1 G*5b')")
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                found = verify(self.settings(program, limits=Limits(hash_mb=32)), [file], self.folder / "out.csv")
            self.assertEqual(found, is_well, output.getvalue())
            self.assertIn("G*5b", (self.folder / "out.csv").read_text(encoding="utf-8"))

    def test_files_of_one_name_are_told_apart(self):
        files = []
        for folder in ("one", "two"):
            (self.folder / folder).mkdir()
            files.append(self.folder / folder / "mate1.csv")
            files[-1].write_text(f"sfen,plies\n{ONE},1\n", encoding="utf-8")
        program = self.program("print('mate 1 G*5b')")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            self.assertTrue(verify(self.settings(program), files, self.folder / "out.csv"))
        with open(self.folder / "out.csv", encoding="utf-8", newline="") as file:
            self.assertEqual([row["file"] for row in csv.DictReader(file)], [str(path) for path in files])
        self.assertEqual(names([*files, Path("mate3.csv")]), [*map(str, files), "mate3"])

    def test_what_cannot_be_done_is_told_before_the_work(self):
        program = self.program(f"open({str(self.folder / 'begun')!r}, 'w')")
        out = str(self.folder / "missing" / "out.csv")
        for more, said in ((("verify", "--out", out), "No such file or directory"),
                           (("compare", "--out", out), "No such file or directory"),
                           (("verify", "--cpu", "3", "--in-one-process"), "not allowed with")):
            done = subprocess.run([sys.executable, str(TESTS.parent), *more, "--engine", str(program)],
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(said, done.stderr.splitlines()[-1])
            self.assertFalse((self.folder / "begun").exists(), more)

    def test_work_that_does_not_begin_leaves_no_file(self):
        out = self.folder / "out.csv"
        command = [sys.executable, str(TESTS.parent), "verify", "--engine", "/nowhere", "--out"]
        for text in (None, "kept"):
            if text is not None:
                out.write_text(text, encoding="utf-8")
            done = subprocess.run([*command, str(out)], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(out.read_text(encoding="utf-8") if out.exists() else None, text)
        # Nobody reads from the pipe, so opening it would take for ever.
        os.mkfifo(self.folder / "pipe")
        done = subprocess.run([*command, str(self.folder / "pipe")], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)

    def test_replies_that_mate_late_or_never(self):
        solved = judge(problem(THREE, plies=3), Outcome(Answer("mate", THREE_LINE)), None)
        self.assertEqual(solved.verdict, Verdict.SOLVED)
        for answer, wrong, unknown in (("nomate", 1, 0), ("unknown nodes", 0, 1), ("mate 1 G*5b", 1, 0),
                                       ("mate 3 G*4b 4a3a G*3b", 1, 0)):
            program = self.program(f"for _ in open(sys.argv[sys.argv.index('--file') + 1]): print('{answer}')")
            replies = Replies()
            complaints = check_replies(program, [solved], Limits(), replies)
            self.assertTrue(replies.asked)
            self.assertEqual((replies.wrong, replies.unknown), (wrong * replies.asked, unknown * replies.asked))
            self.assertEqual(len(complaints), replies.wrong)

    def stop(self, answer: str, delay: float = 0.0) -> bool:
        program = self.program(f"""
for line in sys.stdin:
    word = line.split()[0]
    if word == "usi": print("usiok", flush=True)
    elif word == "isready": print("readyok", flush=True)
    elif word == "quit": break
    elif word == "stop":
        time.sleep({delay})
        print("checkmate {answer}", flush=True)""")
        file = self.folder / "hard.csv"
        file.write_text(f"sfen,plies\n{ONE},1\n", encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()):
            return stop.stop(program, [file], 16, 1, 2, 0.1, 0.05, 1)

    def test_stop(self):
        self.assertTrue(self.stop("timeout"))
        self.assertTrue(self.stop("G*5b"))
        self.assertFalse(self.stop("timeout", 0.3))
        self.assertFalse(self.stop("nomate"))
        self.assertRaises(EngineFault, self.stop, "")

    def test_soak(self):
        file = self.folder / "hard.csv"
        file.write_text(f"sfen,plies\n{ONE},1\n", encoding="utf-8")
        for text, is_well in (("print('unknown time', flush=True)", True), ("print('nomate', flush=True)", False),
                              ("held = b'x' * (200 << 20); print('unknown time', flush=True); time.sleep(0.2)", False)):
            program = self.program(f"for line in sys.stdin:\n    time.sleep(0.1); {text}")
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(soak.soak(program, [file], Limits(hash_mb=32), 0.5), is_well, text)

    def test_soak_goes_on_behind_a_row_that_is_refused(self):
        file = self.folder / "hard.csv"
        file.write_text(f"sfen,plies\n{ONE},1\n{IMPOSSIBLE},1\n", encoding="utf-8")
        for status, is_well in ((1, True), (0, False), (3, False)):
            program = self.program("for number, line in enumerate(sys.stdin):\n    time.sleep(0.05)\n"
                                   "    print('error ugly' if number % 2 else 'mate 1 G*5b', flush=True)\n"
                                   f"sys.exit({status})")
            with contextlib.redirect_stdout(io.StringIO()) as output:
                self.assertEqual(soak.soak(program, [file], Limits(hash_mb=32), 0.5), is_well, output.getvalue())
            self.assertIn(" refused", output.getvalue())


if __name__ == "__main__":
    unittest.main(verbosity=1)
