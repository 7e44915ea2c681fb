"""The analysis of games."""

import csv
import io
import json
import pickle

import pytest
import tsumero

# Black gives the bishop away, and White does not take it.
BLUNDERS = "startpos moves 7g7f 3c3d 8h3c 5a6b 3c2b+ 3a2b"
BRANCHES = "手合割：平手\n1 ７六歩(77) (0:16/)\n*角道\n2 ３四歩(33)\n3 ２六歩(27)\n4 投了\n\n"
BRANCHES += "変化：2手\n2 ８四歩(83)\n3 ７八金(69)\n"


def the_game(text):
    (game,) = tsumero.parse_games(text)
    return game


def test_every_position_is_looked_at_and_every_move_judged():
    game = the_game(BLUNDERS)
    progress = []
    analysis = tsumero.analyze(
        game, nodes=20_000, multipv=2, name="bishop.usi", callback=lambda *so_far: progress.append(so_far)
    )
    positions = analysis.positions
    board = tsumero.Board()
    for move, position in zip([*game.moves, None], positions, strict=True):
        assert position["sfen"] == board.sfen() and position["file"] == "bishop.usi"
        assert position["move"] == (move and str(move)) and len(position["lines"]) == 2
        # Every line is legal.
        for line in position["lines"]:
            other = board.copy()
            for played in line["pv"]:
                other.push(played)
        if move is not None:
            board.push(move)
    assert progress == [(number, 7) for number in range(1, 8)]
    notes = {position["ply"]: position["note"] for position in positions if position["note"]}
    assert notes.keys() >= {2, 3} and {notes[2], notes[3]} <= {"mistake", "blunder"}
    black, white = analysis.summary(tsumero.BLACK), analysis.summary(tsumero.WHITE)
    assert (black["moves"], white["moves"]) == (3, 3)
    for summary, color in ((black, 0), (white, 1)):
        given = [position["note"] for position in positions if position["ply"] % 2 == color]
        for note in ("inaccuracy", "dubious", "mistake", "blunder", "missed_mate"):
            assert summary[note] == given.count(note)
        assert 0 <= summary["accuracy"] < 100 and 0 <= summary["best_moves"] <= 100
    # A board is a game, too, and with nodes the result is the same in every run.
    board.pop()
    board.set_position(BLUNDERS)
    again = tsumero.analyze(board, nodes=20_000, multipv=2, name="bishop.usi")
    assert again.to_text("json") == analysis.to_text("json")


def test_mates_are_found_and_missed():
    board = tsumero.Board("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    board.push("5i4i")
    first, last = tsumero.analyze(board, nodes=100).positions
    assert (first["mate"], first["pv"], first["note"], first["missed_mate"]) == (1, ["G*5b"], "missed_mate", ["G*5b"])
    assert last["move"] is None and "missed_mate" not in last


def test_branches_comments_and_times_are_kept():
    game = the_game(BRANCHES)
    main, all_of_it = (tsumero.analyze(game, depth=2, branches=branches) for branches in (False, True))
    assert [position.get("branch") for position in main.positions] == [None] * 4
    assert [position.get("branch") for position in all_of_it.positions] == [None] * 4 + [1] * 2
    assert main.positions[0]["time"] == 16000 and main.positions[1]["comments"] == ["角道"]
    assert main.positions[-1]["ending"] == "resign"


def test_every_format_is_what_its_readers_expect():
    game = the_game(BRANCHES)
    analysis = tsumero.analyze(game, depth=3)
    for kind in ("kif", "csa"):
        text = analysis.to_text(kind)
        again = the_game(text)
        assert again.moves == game.moves and "角道" in again.comments[1]
        assert text.count("#評価値=") == 3
        assert ("**解析 0" in text) == (kind == "kif") and ("\n'** " in text) == (kind == "csa")
    rows = list(csv.reader(io.StringIO(analysis.to_text("csv").lstrip("\ufeff"))))
    assert len(rows) == 5 and rows[0][0] == "file"
    assert analysis.to_text("csv", language="ja").lstrip("\ufeff").startswith("ファイル,")
    assert [json.loads(line) for line in analysis.to_text("json").splitlines()] == analysis.positions
    assert '<html lang="ja">' in analysis.to_text("html", language="ja")
    assert "☗P-76" in analysis.to_text("table") and "▲７六歩" in analysis.to_text("table", language="ja")
    for wrong in (lambda: analysis.to_text("ki2"), lambda: analysis.to_text("csv", language="fr")):
        with pytest.raises(ValueError):
            wrong()


def test_an_analysis_can_be_sent_to_another_process():
    analysis = tsumero.analyze(the_game(BRANCHES), nodes=2_000, branches=True, name="枝.kif")
    again = pickle.loads(pickle.dumps(analysis))
    assert repr(again) == repr(analysis) == "<Analysis: 枝.kif, 4 positions>"
    for kind in ("json", "csv", "html", "table", "kif", "csa"):
        assert again.to_text(kind) == analysis.to_text(kind)
    # Results of another game are refused, as are those without a line.
    restore, (_, name, branches, reproducible, answers) = analysis.__reduce__()
    without_lines = answers.replace('"lines":[{', '"lines":[],"x":[{')
    others = ((the_game(BLUNDERS), answers), (the_game("startpos"), answers), (the_game(BRANCHES), without_lines))
    for game, wrong in others:
        with pytest.raises(ValueError):
            restore(game, name, branches, reproducible, wrong)


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"nodes": 10, "depth": 3},
        {"nodes": 0},
        {"depth": 0},
        {"seconds": -1},
        {"nodes": 10, "threads": 0},
        {"nodes": 10, "multipv": 0},
        {"depth": 1, "hash": 0},
    ],
)
def test_bad_arguments_are_value_errors(limits):
    with pytest.raises(ValueError):
        tsumero.analyze(tsumero.Board(), **limits)


def test_any_length_of_time_is_a_limit():
    # A search of it ends at once.
    mated = tsumero.Board("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1")
    for seconds in (0, 1e-9, 1e16, 1e19):
        assert tsumero.analyze(mated, seconds=seconds, hash=1).positions[0]["mate"] == 0
    with pytest.raises(ValueError, match=r"^seconds=1e300: not a length of time$"):
        tsumero.analyze(mated, seconds=1e300, hash=1)


def test_what_is_no_game_is_a_type_error():
    with pytest.raises(TypeError):
        tsumero.analyze(BLUNDERS, nodes=10)


def test_the_progress_of_a_game_that_ended_by_repetition_is_complete():
    progress = []
    game = the_game("startpos moves" + " 2h3h 8b7b 3h2h 7b8b" * 3)
    tsumero.analyze(game, nodes=100, callback=lambda *so_far: progress.append(so_far))
    # The value of the last position is known without a search.
    assert progress == [(number, 12) for number in range(1, 13)]


def test_an_exception_in_the_callback_ends_it():
    heard = []

    def fail(done, total):
        heard.append((done, total))
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        tsumero.analyze(the_game(BLUNDERS), nodes=1_000, callback=fail)
    assert heard == [(1, 7)]
