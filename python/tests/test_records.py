"""Game records, compared with what is known of the games of the repository."""

import copy
import json
import pickle
from pathlib import Path

import pytest
import tsumero

DATA = Path(__file__).parents[2] / "crates/record/tests/data"
KIF = "先手：甲\n後手：乙\n*はじめ\n1 ７六歩(77) ( 0:16/)\n*定跡\n2 ３四歩(33)\n3 投了\n"


def test_a_game_tells_its_players_moves_times_and_ending():
    (game,) = tsumero.parse_games(KIF)
    assert (game.sfen, game.names, game.ending) == (tsumero.STARTING_SFEN, ("甲", "乙"), "resign")
    assert (game.moves, game.times) == (["7g7f", "3c3d"], [16.0, None])
    assert (game.comments, game.branches) == ({0: "はじめ", 1: "定跡"}, 0)
    assert game.headers["先手"] == "甲"
    # An empty line of a form says nothing.
    (game,) = tsumero.parse_games("先手：\n下手：甲\n上手：乙\n手合割：香落ち\n1 ３四歩(33)\n")
    assert game.names == ("甲", "乙")


@pytest.mark.parametrize("kind", ["kif", "ki2", "csa", "jkf", "usi"])
def test_every_format_is_written_and_read(kind, tmp_path):
    (game,) = tsumero.parse_games(KIF)
    file = tmp_path / "game"
    file.write_text(game.to_text(kind), encoding="utf-8")
    for path in (file, str(file)):
        (again,) = tsumero.read_games(path)
        assert (again.sfen, again.moves, again.ending) == (game.sfen, game.moves, game.ending)
    assert tsumero.parse_games(file.read_bytes())[0].moves == game.moves


def test_a_game_can_be_copied_and_sent():
    (game,) = tsumero.parse_games(KIF)
    for again in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert again.to_text("jkf") == game.to_text("jkf")
    # A JKF has no bookmarks: they become comments there.
    (game,) = tsumero.parse_games(
        "手合割：平手\n*&始\n&始め\n1 ７六歩(77)\n&角道\n2 ３四歩(33)\n*&\n変化：2手\n2 ８四歩(83)\n*相掛\n&居飛車\n&早い\n"
    )
    copies = [pickle.loads(pickle.dumps(game, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for again in (copy.copy(game), copy.deepcopy(game), *copies):
        assert again == game and again.to_text("kif") == game.to_text("kif") and again.comments == game.comments
    # Nor has it parts of seconds, or a name twice.
    (game,) = tsumero.parse_games("備考：一\n手合割：平手\n備考：二\n1 ７六歩(77) (0:01.5/)\n2 ３四歩(33) (0:02/)\n")
    assert game.times == [1.5, 2.0]
    for again in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert again == game and (again.times, again.headers) == (game.times, {"備考": "一\\n二"})
        assert again.to_text("kif") == game.to_text("kif")
    # Nor a part of a millisecond.
    board = tsumero.Board()
    board.push("7g7f")
    game = tsumero.GameRecord.from_board(board, times=[1.23456])
    assert copy.copy(game) == game and copy.copy(game).times == game.times == [1.23456]
    # Nor what was noticed in the file.
    (start,) = tsumero.parse_games("4k4/9/9/4P4/9/4P4/9/9/4K4 b - 1")
    (game,) = tsumero.parse_games(start.to_text("ki2") + "▲４九玉\nまで7手で中断\n")
    assert len(game.notes) == 2 and game.notes[0] == start.notes[0] and "not 7" in game.notes[1]
    assert [again.notes for again in (copy.copy(game), pickle.loads(pickle.dumps(game)))] == [game.notes] * 2
    # Nor the number of the first move.
    board = tsumero.Board("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 7")
    board.push("3c3d")
    game = tsumero.GameRecord.from_board(board)
    for again in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert again == game and again.to_text("usi") == game.to_text("usi") and " w - 7 moves" in game.to_text("usi")
    with pytest.raises(ValueError, match="2 games instead of one"):
        tsumero.GameRecord("startpos moves 7g7f\nstartpos moves 2g2f\n")


def test_games_are_equal_if_all_that_they_tell_is():
    (game,), (again,) = tsumero.parse_games(KIF), tsumero.parse_games(KIF)
    assert game == again and hash(game) == hash(again) and len({game, again}) == 1
    assert game == pickle.loads(pickle.dumps(game)) and game != KIF and game.__eq__(KIF) is NotImplemented
    for old, new in [("甲", "丙"), ("定跡", "手筋"), ("0:16", "0:17"), ("投了", "中断"), ("３四歩(33)", "８四歩(83)")]:
        (other,) = tsumero.parse_games(KIF.replace(old, new))
        assert other != game and len({game, other, again}) == 2
    # The number of the first move does not count, nor do the notes.
    for one, other in [("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h", "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 7 moves 5i5h"),
                       ("1 ７六歩(77)\nまで1手で中断\n", "1 ７六歩(77)\nまで9手で中断\n")]:
        (game_of_one,), (game_of_other,) = tsumero.parse_games(one), tsumero.parse_games(other)
        assert game_of_one == game_of_other and hash(game_of_one) == hash(game_of_other)
        assert (game_of_one.notes, game_of_one.to_text("usi")) != (game_of_other.notes, game_of_other.to_text("usi"))
    (branched,) = tsumero.parse_games(KIF + "変化：2手\n2 ８四歩(83)\n")
    assert branched != game and branched.moves == game.moves


def test_what_is_unusual_is_noted():
    assert tsumero.parse_games(KIF)[0].notes == []
    (game,) = tsumero.parse_games("4k4/9/9/4P4/9/4P4/9/9/4K4 b - 1")
    assert game.notes == ["the first position: two pawns of Black on file 5"]


def test_unknown_formats_and_missing_files():
    with pytest.raises(ValueError, match="none of the formats"):
        tsumero.parse_games(KIF)[0].to_text("pgn")
    with pytest.raises(FileNotFoundError, match=r"^\[Errno 2\] No such file or directory: '/no/such/file\.kif'$"):
        tsumero.read_games("/no/such/file.kif")


def test_bad_games_are_named_or_left_out():
    text = "startpos moves 7g7f\nstartpos moves 7g7e\n"
    with pytest.raises(ValueError, match=r"^2: "):
        tsumero.parse_games(text)
    with pytest.warns(UserWarning, match=r"^2: "):
        (game,) = tsumero.parse_games(text, strict=False)
    assert game.moves == ["7g7f"]


def known_files():
    """What is known of the files of the repository, those that lie here."""
    if not DATA.exists():
        pytest.skip("outside the repository")
    with open(DATA / "truth.jsonl", encoding="utf-8") as lines:
        known = map(json.loads, lines)
        return [file for file in known if (DATA / file["file"]).exists()]


def test_damaged_files_are_value_errors():
    files = [file["file"] for file in known_files() if file["kind"] == "bad"]
    assert len(files) > 15
    for file in files:
        with pytest.raises(ValueError, match=f"{file}:[0-9]+: "):
            tsumero.read_games(DATA / file)
        with pytest.warns(UserWarning, match=f"{file}:[0-9]+: "):
            tsumero.read_games(DATA / file, strict=False)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_games_are_as_their_makers_say():
    compared = 0
    for file in known_files():
        known_games = file.get("games")
        if not known_games:
            continue
        games = tsumero.read_games(DATA / file["file"], strict=False)
        for game, known in zip(games, known_games, strict=True):
            board = tsumero.Board(game.sfen)
            assert board == tsumero.Board(known["initial"]), file["file"]
            for move in game.moves:
                board.push(move)
            assert (game.moves, game.branches) == (known["moves"], known["branches"]), file["file"]
            assert (game.ending or "none") == known["ending"], file["file"]
            assert pickle.loads(pickle.dumps(game)) == game, file["file"]
            compared += 1
    assert compared > 80


def test_a_board_becomes_a_game():
    board = tsumero.Board()
    for move in ("7g7f", "3c3d", "8h2b+"):
        board.push(move)
    game = tsumero.GameRecord.from_board(board)
    assert (game.sfen, game.moves, game.ending) == (tsumero.STARTING_SFEN, board.move_stack, None)
    assert "２二角成(88)" in game.to_text("kif")
    board.set_position("sfen 4k4/9/4P4/9/9/9/9/9/4K4 w G 7 moves 5a4a G*4b")
    game = tsumero.GameRecord.from_board(board)
    assert game.moves == board.move_stack and game.sfen.split()[:3] == ["4k4/9/4P4/9/9/9/9/9/4K4", "w", "G"]
    assert tsumero.GameRecord.from_board(tsumero.Board()).moves == []


def test_what_a_board_does_not_know_is_given():
    board = tsumero.Board()
    for move in ("7g7f", "3c3d"):
        board.push(move)
    given = {
        "names": ("甲", None), "ending": "resign", "times": [16, None], "comments": {0: "はじめ", 1: "一\n二", 3: "終わり"},
    }
    game = tsumero.GameRecord.from_board(board, **given)
    assert {name: getattr(game, name) for name in given} == given
    for kind in ("kif", "jkf"):
        (again,) = tsumero.parse_games(game.to_text(kind))
        assert {name: getattr(again, name) for name in given} == given
    # As the attributes of any game have it.
    (game,) = tsumero.parse_games(KIF)
    given = {name: getattr(game, name) for name in given}
    again = tsumero.GameRecord.from_board(board, **given)
    assert {name: getattr(again, name) for name in given} == given and again.moves == game.moves
    # White gives the handicap.
    handicap = tsumero.Board("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1")
    game = tsumero.GameRecord.from_board(handicap, names=("甲", "乙"))
    assert game.names == ("甲", "乙") and "下手：甲\n上手：乙\n" in game.to_text("kif")
    for wrong, reason in [
        ({"ending": "lost"}, "ending=.lost.: "),
        ({"times": [1.0]}, "1 times instead of one for each of 2 moves"),
        ({"times": [1.0, -1.0]}, "seconds=-1.0: not a length of time"),
        ({"comments": {3: ""}}, "comments: there is no move 3"),
    ]:
        with pytest.raises(ValueError, match=reason):
            tsumero.GameRecord.from_board(board, **wrong)
    for wrong in ({"names": "甲"}, {"names": ("甲",)}, {"times": 3}, {"comments": {"1": ""}}, {"comments": {-1: ""}}):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            tsumero.GameRecord.from_board(board, **wrong)
