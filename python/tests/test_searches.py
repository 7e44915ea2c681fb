"""Mate solver, evaluation and search."""

import copy
import csv
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from itertools import cycle
from pathlib import Path

import pytest
import tsumero

ROOT = Path(__file__).parents[2]
MATE_IN_3 = "1k7/n8/2P6/9/9/9/9/9/9 b GN2r2b3g4s2n4l17p 1"
MATE_IN_19 = "l1g6/9/pkpp+N+R2p/1p2p1p2/7n1/P5P2/1PPPPP1nP/1B1KS4/LNSG3+r1 b BGSLPgsl2p 1"
LONG = "9/9/9/9/4k4/9/9/9/9 b RB2GSN2P2gr 1"
HARD = "8k/9/9/9/9/9/9/9/9 b RG 1"


def test_mates_are_legal_lines_of_checks():
    answer = tsumero.solve_mate(MATE_IN_3)
    assert (answer.kind, answer.plies, len(answer.moves), answer.reason) == ("mate", 3, 3, None)
    assert answer.is_shortest is True
    board = tsumero.Board(MATE_IN_3)
    for number, move in enumerate(answer.moves):
        assert number % 2 == 1 or board.gives_check(move)
        board.push(move)
    assert board.is_checkmate()
    assert tsumero.solve_mate(tsumero.Board(MATE_IN_3)).moves == answer.moves

    # A limit leaves a mate in 21 where there is one in 19.
    longer = tsumero.solve_mate(MATE_IN_19, nodes=3000)
    assert longer.is_shortest is False and longer.plies > 19


def test_what_is_no_mate_and_what_is_unknown():
    few, more = tsumero.solve_mate(HARD, nodes=500), tsumero.solve_mate(HARD, None, 60)
    assert (few.kind, few.reason, few.plies, few.is_shortest, few.moves) == ("unknown", "nodes", None, None, [])
    assert (more.kind, more.reason, more.plies) == ("nomate", None, None) and more.nodes > 500
    # The side to move could capture the king: a mate problem may start so.
    assert tsumero.solve_mate("4k4/9/9/9/9/9/9/9/4R4 b 2G 1", nodes=100_000).kind == "mate"


def test_bad_arguments_are_value_errors():
    board = tsumero.Board()
    for call in (
        lambda: tsumero.solve_mate("9/9 b - 1"),
        lambda: tsumero.solve_mate(HARD, seconds=-1),
        lambda: tsumero.solve_mate(HARD, seconds=float("nan")),
        lambda: tsumero.solve_mate(HARD, hash=0),
        lambda: tsumero.search(board),
        lambda: tsumero.search(board, nodes=0),
        lambda: tsumero.search(board, depth=0),
        lambda: tsumero.search(board, seconds=1, depth=0),
        lambda: tsumero.search(board, nodes=10, multipv=0),
        lambda: tsumero.search(board, nodes=10, threads=0),
        lambda: tsumero.search(board, nodes=10, hash=1 << 40),
    ):
        with pytest.raises(ValueError):
            call()


@pytest.mark.parametrize(
    ("call", "kinds"),
    [
        (lambda: tsumero.analyze(MATE_IN_3, nodes=10), "'str' object is neither 'GameRecord' nor 'Board'"),
        (lambda: tsumero.solve_mate(7), "'int' object is neither 'str' nor 'Board'"),
        (lambda: tsumero.parse_games(None), "'NoneType' object is neither 'str' nor 'bytes'"),
        (lambda: tsumero.Board().push(7), "'int' object is neither 'Move' nor 'str'"),
    ],
)
def test_a_type_error_names_all_that_is_taken(call, kinds):
    with pytest.raises(TypeError, match=f"^{kinds}"):
        call()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the limit of memory does not hold for all of it")
def test_a_table_that_does_not_fit_into_memory_is_refused():
    program = """if True:
        import resource, tsumero
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        assert tsumero.search(tsumero.Board(), nodes=10, hash=16)
        for work in (tsumero.search, tsumero.analyze, lambda _, nodes, hash: tsumero.Engine(hash=hash)):
            try:
                work(tsumero.Board(), nodes=10, hash=1 << 14)
            except MemoryError as error:
                print(error)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == 3 * "hash=16384: there is no memory for a table of 16384 MB\n"


def test_any_length_of_time_may_be_a_limit_beside_another():
    for seconds in (1e16, 1e19):
        assert tsumero.search(tsumero.Board(), seconds=seconds, depth=1, hash=1)[0].depth == 1
        assert tsumero.Engine(hash=1).choose(tsumero.Board(), seconds=seconds, depth=1) is not None
        assert tsumero.solve_mate(HARD, nodes=500, seconds=seconds).reason == "nodes"


def test_a_search_finds_the_mate_and_many_lines():
    board = tsumero.Board("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    (line,) = tsumero.search(board, nodes=1_000)
    assert (line.mate, line.score, line.pv) == (1, 31_999, ["G*5b"])
    seen: list[tsumero.Line] = []
    lines = tsumero.search(tsumero.Board(), depth=6, multipv=4, callback=seen.append)
    assert [line.multipv for line in lines] == [1, 2, 3, 4]
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    assert len({line.pv[0] for line in lines}) == 4 and lines[0].depth == 6
    assert len(seen) >= 4 and seen[-1].pv == lines[seen[-1].multipv - 1].pv
    again = tsumero.search(tsumero.Board(), depth=6, multipv=4)
    assert [line.pv for line in again] == [line.pv for line in lines]


def test_results_can_be_sent_to_another_process():
    results = [
        tsumero.solve_mate(MATE_IN_3), tsumero.solve_mate(HARD, nodes=1), tsumero.solve_mate(LONG, nodes=10),
        tsumero.solve_mate(tsumero.Board()), *tsumero.search(tsumero.Board(), nodes=2000, multipv=3),
    ]
    for result in results:
        names = [name for name in dir(result) if not name.startswith("_")]
        assert "nodes" in names
        copies = [pickle.loads(pickle.dumps(result, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
        for again in (copy.copy(result), copy.deepcopy(result), *copies):
            assert [getattr(again, name) for name in names] == [getattr(result, name) for name in names]
            assert repr(again) == repr(result)


def test_a_mated_side_has_no_line():
    (line,) = tsumero.search(tsumero.Board("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), nodes=100)
    assert (line.mate, line.pv) == (0, [])


def test_the_callback_stops_the_search_and_its_errors_arrive():
    started = time.monotonic()
    lines = tsumero.search(tsumero.Board(), seconds=60, callback=lambda line: line.depth < 3)
    assert lines[0].depth >= 3

    def fail(_line):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        tsumero.search(tsumero.Board(), seconds=60, callback=fail)
    assert time.monotonic() - started < 30


class Word:
    """A value of a kind of its own, as numpy's are."""

    def __init__(self, truth):
        self.truth = truth

    def __bool__(self):
        if self.truth is None:
            raise KeyError("neither")
        return self.truth


@pytest.mark.parametrize("answer", [False, Word(False), 0])
def test_what_is_false_stops_the_search(answer):
    heard = []
    tsumero.search(tsumero.Board(), seconds=60, callback=lambda line: heard.append(line) or answer)
    assert len(heard) == 1


@pytest.mark.parametrize("answer", [None, True, Word(True), 1])
def test_a_callback_that_returns_nothing_or_what_is_true_hears_to_the_end(answer):
    assert tsumero.search(tsumero.Board(), depth=3, callback=lambda _line: answer)[0].depth == 3


def test_an_answer_without_truth_is_an_error():
    with pytest.raises(KeyError, match="neither"):
        tsumero.search(tsumero.Board(), seconds=60, callback=lambda _line: Word(None))


@pytest.mark.parametrize("ends", ["with False", "with an error"])
def test_a_callback_that_ended_the_search_hears_no_more(ends):
    heard = []

    def hear(line):
        heard.append(line)
        # Meanwhile the search has more to report.
        time.sleep(0.2)
        if ends == "with an error":
            raise KeyError("mine")
        return False

    try:
        lines = tsumero.search(tsumero.Board(), seconds=60, multipv=3, callback=hear)
    except KeyError:
        lines = []
    assert len(heard) == 1 and len(lines) == (3 if ends == "with False" else 0)


def test_the_callback_may_use_the_board():
    board = tsumero.Board()

    def play(line):
        board.push(line.pv[0])
        board.pop()

    assert tsumero.search(board, depth=3, callback=play) and board == tsumero.Board()


@pytest.mark.parametrize(
    "work",
    [
        lambda: tsumero.search(tsumero.Board(), seconds=1),
        lambda: tsumero.solve_mate(LONG, seconds=1),
        lambda: tsumero.perft(tsumero.Board(), 6),
        lambda: tsumero.analyze(tsumero.Board(), seconds=1),
    ],
)
def test_other_threads_run_meanwhile(work):
    thread = threading.Thread(target=work)
    thread.start()
    turns = 0
    while thread.is_alive():
        time.sleep(0.001)
        turns += 1
    # With the lock held there would be hardly any turn.
    assert turns > 10


def seconds_until_interrupted(work):
    started = time.monotonic()
    # A shell lets what it starts in the background ignore interrupts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        signal.signal(signal.SIGINT, before)
    return time.monotonic() - started


@pytest.mark.skipif(os.name != "posix", reason="interrupts are sent otherwise")
@pytest.mark.parametrize(
    "work",
    [
        lambda: tsumero.search(tsumero.Board(), seconds=60),
        lambda: tsumero.solve_mate(LONG, seconds=60),
        # A single one of its moves takes hours.
        lambda: tsumero.perft(tsumero.Board(), 12),
        lambda: tsumero.analyze(tsumero.Board(), seconds=60),
        # No clock goes so far.
        lambda: tsumero.analyze(tsumero.Board(), seconds=1e19),
        lambda: tsumero.search(tsumero.Board(), seconds=1e19),
        lambda: tsumero.solve_mate(LONG, seconds=1e19),
    ],
)
def test_the_user_may_interrupt(work):
    assert seconds_until_interrupted(work) < 30


@pytest.mark.skipif(os.name != "posix", reason="interrupts are sent otherwise")
def test_the_user_may_interrupt_an_analysis_of_many_positions():
    # Each of them takes less time than lies between two looks for an interrupt. The rooks walk, and no position occurs
    # four times.
    black = cycle(["2h3h", "3h4h", "4h5h", "5h6h", "6h7h", "7h1h", "1h2h"])
    white = cycle(["8b7b", "7b6b", "6b5b", "5b4b", "4b3b", "3b8b"])
    moves = [next(side) for _ in range(120) for side in (black, white)]
    (game,) = tsumero.parse_games(" ".join(["startpos moves", *moves]))
    started = time.monotonic()
    tsumero.analyze(game, nodes=8_000, hash=1)
    whole = time.monotonic() - started
    assert seconds_until_interrupted(lambda: tsumero.analyze(game, nodes=8_000, hash=1)) < max(whole / 2, 0.5)


@pytest.mark.skipif(sys.platform != "linux", reason="the C library keeps the process elsewhere")
@pytest.mark.parametrize(
    "work",
    [
        "tsumero.search(tsumero.Board(), depth=200)",
        "tsumero.search(tsumero.Board(), depth=200, callback=print)",
        # The interpreter ends inside the callback.
        "tsumero.search(tsumero.Board(), depth=200, callback=lambda line: [time.sleep(0.001) for _ in range(3000)])",
        # It ends while there is no interpreter.
        "tsumero.search(tsumero.Board(), seconds=0.5)",
        "tsumero.perft(tsumero.Board(), 12)",
        f"tsumero.solve_mate({LONG!r})",
        "tsumero.analyze(tsumero.Board(), seconds=60)",
        "tsumero.analyze(tsumero.Board(), nodes=100, callback=lambda *_: [time.sleep(0.001) for _ in range(3000)])",
    ],
)
def test_a_program_may_end_while_a_thread_works(work):
    # Behind the end of the interpreter, the C library calls `sleep` with the exit status: the process lasts a second longer.
    program = (
        "import ctypes, sys, threading, time, tsumero\n"
        "library = ctypes.CDLL(None)\n"
        "library.on_exit(library.sleep, None)\n"
        f"threading.Thread(target=lambda: {work}, daemon=True).start()\n"
        "time.sleep(0.2)\n"
        "sys.exit(1)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (1, b"")


def test_the_evaluation_is_that_of_the_side_to_move():
    # White gives a rook and a bishop.
    sfen = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL {} - 1"
    black, white = (tsumero.evaluate(tsumero.Board(sfen.format(turn))) for turn in "bw")
    assert black > 500 and white < -500


def test_mate_problems_of_the_repository():
    file = ROOT / "tests/data/mates.csv"
    if not file.exists():
        pytest.skip("outside the repository")
    with open(file, encoding="utf-8") as lines:
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    decided = 0
    for row in rows:
        answer = tsumero.solve_mate(row["sfen"], nodes=20_000)
        if answer.kind == "nomate":
            assert row["plies"] == "", row
        elif answer.kind == "mate":
            # A limit may end the search for a shorter one.
            assert row["plies"] and len(answer.moves) == answer.plies >= int(row["plies"]), row
            decided += answer.plies == int(row["plies"])
    assert decided > 0.7 * sum(row["plies"] != "" for row in rows)
