"""An engine that plays."""

import sys
import threading
import time

import pytest
import tsumero


def test_it_remembers_what_it_has_found_until_a_new_game():
    board, engine = tsumero.Board(), tsumero.Engine()
    first = engine.search(board, depth=8)
    assert [line.pv for line in first] == [line.pv for line in tsumero.search(board, depth=8)]
    # The second time, the table knows much of it.
    assert engine.search(board, depth=8)[0].nodes < first[0].nodes / 2
    engine.new_game()
    assert engine.search(board, depth=8)[0].nodes == first[0].nodes
    assert len(engine.search(board, nodes=1_000, multipv=3)) == 3


def play(engine, moves):
    board = tsumero.Board()
    for _ in range(moves):
        board.push(engine.choose(board, nodes=2_000))
    return board.move_stack


def test_a_level_plays_by_chance_and_the_seed_decides():
    games = {seed: play(tsumero.Engine(level=3, seed=seed), 8) for seed in (1, 2, 3)}
    assert play(tsumero.Engine(level=3, seed=2), 8) == games[2]
    assert games[1] != games[2] or games[2] != games[3]
    # The full strength leaves nothing to chance.
    assert play(tsumero.Engine(seed=1), 8) == play(tsumero.Engine(seed=2), 8)


def test_a_search_of_a_level_has_its_move_first_and_reports_its_last_lines_alone():
    board, heard = tsumero.Board(), []
    engine, player = (tsumero.Engine(level=8, seed=3) for _ in range(2))
    lines = engine.search(board, nodes=3_000, multipv=2, callback=heard.append)
    assert lines[0].pv[0] == player.choose(board, nodes=3_000)
    assert [(line.multipv, line.pv) for line in heard] == [(line.multipv, line.pv) for line in lines]
    assert [line.multipv for line in lines] == [1, 2]
    # A level forgets moves.
    counts = [len(tsumero.Engine(level=level, seed=3).search(board, depth=1, multipv=30)) for level in (1, 20)]
    assert 0 < counts[0] < counts[1] == 30


def test_a_weaker_level_loses():
    board, players = tsumero.Board(), (tsumero.Engine(level=1, seed=4), tsumero.Engine(level=12, seed=5))
    while not board.is_game_over() and board.move_number < 300:
        board.push(players[board.turn].choose(board, nodes=5_000))
    assert board.is_checkmate() and board.turn == tsumero.BLACK


def test_a_mated_side_and_a_winner_by_declaration_have_no_move():
    engine = tsumero.Engine(hash=1)
    assert engine.choose(tsumero.Board("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2"), nodes=100) is None
    entered = "K+R+R+B+B+P+P+P+P/GGGGSS3/9/9/9/9/9/9/8k b 9P2S4N4L 1"
    board = tsumero.Board(entered)
    assert board.is_nyugyoku() and engine.choose(board, nodes=100) is None
    assert engine.choose(tsumero.Board("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), depth=1) == "G*5b"


def test_an_engine_does_one_thing_at_a_time():
    engine, board, refused = tsumero.Engine(), tsumero.Board(), []

    def again(line):
        for call in (
            lambda: engine.search(board, nodes=10), lambda: engine.choose(board, nodes=10), engine.new_game
        ):
            with pytest.raises(RuntimeError, match=r"^the engine is at work: it does one thing at a time$"):
                call()
        # Whoever looks for the reason may print it.
        assert repr(engine) == "<Engine: level 20>"
        refused.append(line)
        return False

    engine.search(board, nodes=100_000, callback=again)
    assert len(refused) == 1
    assert engine.search(board, nodes=10)


def test_other_threads_run_while_it_forgets():
    engine, turns, over = tsumero.Engine(), 0, threading.Event()

    def count():
        nonlocal turns
        while not over.is_set():
            turns += 1
            time.sleep(0)

    before = sys.getswitchinterval()
    thread = threading.Thread(target=count)
    # Nobody takes the lock of Python from this thread: it must give it.
    sys.setswitchinterval(10)
    try:
        thread.start()
        given = 0
        for _ in range(50):
            engine.choose(tsumero.Board(), nodes=100)
            so_far = turns
            engine.new_game()
            given += turns > so_far
        assert given > 0
    finally:
        over.set()
        sys.setswitchinterval(before)
        thread.join()


def test_bad_arguments_are_value_errors():
    for wrong in ({"level": 0}, {"level": 21}, {"threads": 0}, {"hash": 0}):
        with pytest.raises(ValueError):
            tsumero.Engine(**wrong)
    for wrong in ({}, {"seconds": -1}, {"nodes": 0}, {"depth": 0}, {"nodes": 10, "multipv": 0}):
        with pytest.raises(ValueError):
            tsumero.Engine(hash=1).search(tsumero.Board(), **wrong)
