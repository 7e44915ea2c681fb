"""The rules, compared with python-shogi, with cshogi and with published numbers."""

import copy
import os
import pickle
import random
from collections.abc import Sequence
from unittest.mock import ANY

import pytest
import tsumero

if os.environ.get("TSUMERO_PEERS") == "required":
    import cshogi
    import shogi
else:
    cshogi = pytest.importorskip("cshogi")
    shogi = pytest.importorskip("shogi")

# The published counts of the starting position.
START = {1: 30, 2: 900, 3: 25_470, 4: 719_731}
MOST_MOVES = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"
GAMES = 12


def positions(seed: int, games: int):
    """Boards of random games, played to the end or to move 150."""
    source = random.Random(seed)
    for _ in range(games):
        board = tsumero.Board()
        while not board.is_game_over() and board.move_number < 150:
            yield board
            moves = sorted(board.legal_moves, key=str)
            # Captures and promotions bring pieces into hand and positions into disorder.
            lively = [move for move in moves if move.promotion or board.piece_at(move.to_square)]
            board.push(source.choice(lively if lively and source.random() < 0.4 else moves))
        yield board


def test_moves_sfen_and_check_are_those_of_python_shogi():
    seen = 0
    for board in positions(1, GAMES):
        peer = shogi.Board(board.sfen())
        assert peer.sfen() == board.sfen()
        assert {move.usi() for move in peer.legal_moves} == {move.usi() for move in board.legal_moves}, board
        assert (peer.is_check(), peer.is_checkmate()) == (board.is_check(), board.is_checkmate()), board
        assert (peer.turn, peer.move_number) == (board.turn, board.move_number)
        seen += 1
    assert seen > 30 * GAMES


def test_moves_and_mates_in_one_are_those_of_cshogi():
    mates = 0
    for board in positions(2, 10 * GAMES):
        peer = cshogi.Board(board.sfen())
        theirs = {cshogi.move_to_usi(move) for move in peer.legal_moves}
        assert theirs == {str(move) for move in board.legal_moves}, board
        assert (peer.sfen(), peer.is_check()) == (board.sfen(), board.is_check())
        mate = board.mate_in_one()
        if mate is not None:
            after = board.copy()
            after.push(mate)
            assert after.is_checkmate(), board
            mates += 1
        elif not board.is_check() and (found := peer.mate_move_in_1ply()):
            pytest.fail(f"{board}: {cshogi.move_to_usi(found)} mates")
    assert mates > 20


@pytest.mark.parametrize("depth", START)
def test_published_perft_of_the_start(depth):
    assert tsumero.perft(tsumero.Board(), depth) == START[depth]


def test_counts_that_would_use_up_the_stack_are_refused():
    for depth in (65, 3000, 2**32 - 1, 2**70, -1):
        with pytest.raises(OverflowError):
            tsumero.perft(tsumero.Board(), depth)
    # A side without moves ends the count at once.
    assert tsumero.perft(tsumero.Board("4k4/4G4/4P4/9/9/9/9/9/9 w - 1"), 64) == 0


def test_published_perft_of_the_position_with_most_moves():
    board = tsumero.Board(MOST_MOVES)
    assert len(board.legal_moves) == 593
    assert [tsumero.perft(board, depth) for depth in (0, 1, 2)] == [1, 593, 105_677]


def test_every_move_can_be_taken_back():
    for board in positions(3, 5):
        before = board.sfen()
        for move in board.legal_moves:
            board.push(move)
            assert board.peek() == move and board.sfen() != before
            assert board.pop() == move
        assert board.sfen() == before


@pytest.mark.parametrize(
    ("sfen", "move", "rule"),
    [
        (None, "7g7", "not a move in USI notation"),
        (None, "7j7i", "off the board"),
        (None, "5e5d", "no piece on the origin"),
        (None, "3c3d", "the piece belongs to the opponent"),
        (None, "9i9g", "an own piece stands on the target"),
        (None, "8h2b", "the piece would leap over another"),
        (None, "P*5e", "no such piece in hand"),
        ("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e", "two pawns on the file"),
        ("4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*5b", "the dropped piece could never move"),
        ("4k4/1P7/9/9/9/9/9/9/4K4 b - 1", "8b8a", "the piece must promote here"),
        ("4k4/4r4/9/9/9/9/9/4G4/4K4 b - 1", "5h4h", "the king is left in check"),
        ("k8/2G6/1G7/9/9/9/9/9/4K4 b P 1", "P*9b", "pawn-drop mate"),
    ],
)
def test_illegal_moves_name_the_rule(sfen, move, rule):
    board = tsumero.Board(sfen)
    before = board.sfen()
    for play in (board.push, board.push_usi):
        with pytest.raises(ValueError, match=rule):
            play(move)
    assert board.sfen() == before and move not in board.legal_moves
    assert 7 not in board.legal_moves and None not in board.legal_moves


@pytest.mark.parametrize(
    ("sfen", "reason"),
    [
        ("", "SFEN ends before the board"),
        ("9/9/9/9/9/9/9/9 b - 1", "board has 8 ranks instead of 9"),
        ("9 b - 1", "board has 1 rank instead of 9"),
        ("sfen", "board has 1 rank instead of 9"),
        ("startpos moves 7g7f", "what Board.set_position reads"),
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h", "what Board.set_position reads"),
        ("4k4/4R4/9/9/9/9/9/9/4K4 b - 1", "side to move could capture the king"),
        ("4k4/9/9/4P4/9/4P4/9/9/4K4 b - 1", "two pawns"),
        ("\udc80", "."),
    ],
)
def test_bad_sfens_name_the_reason(sfen, reason):
    with pytest.raises(ValueError, match=reason):
        tsumero.Board(sfen)
    board = tsumero.Board()
    with pytest.raises(ValueError):
        board.set_sfen(sfen)
    assert board == tsumero.Board()


def test_the_words_of_usi_before_an_sfen_are_read():
    start, sfen = tsumero.Board(), "4k4/9/4P4/9/9/9/9/9/9 b 2G 1"
    for text in ("startpos", " startpos\n", f"sfen {tsumero.STARTING_SFEN}"):
        assert tsumero.Board(text) == start
    board = tsumero.Board(f" sfen\t{sfen} ")
    assert board.sfen() == sfen
    assert tsumero.solve_mate(f"sfen {sfen}").moves == tsumero.solve_mate(sfen).moves == ["G*5b"]
    assert tsumero.solve_mate("startpos", nodes=10).kind != "mate"
    with pytest.raises(ValueError, match=r"what Board\.set_position reads"):
        tsumero.solve_mate(f"sfen {sfen} moves G*5b")


def test_wrong_arguments_are_errors_of_python():
    board = tsumero.Board()
    with pytest.raises(IndexError):
        board.pop()
    with pytest.raises(IndexError):
        board.legal_moves[30]
    for value in (None, 7, b"7g7f", 1.5):
        with pytest.raises(TypeError):
            board.push(value)
    for square in ("", "0a", "77", "5j", "五"):
        with pytest.raises(ValueError, match="is not a square"):
            board.piece_at(square)
    with pytest.raises(ValueError, match="a color is"):
        board.king_square(2)


def test_a_repetition_is_a_draw_or_lost_for_who_gave_check():
    board = tsumero.Board()
    for usi in ["2h3h", "8b7b", "3h2h", "7b8b"] * 3:
        assert not board.is_repetition() and board.repetition() is None
        board.push_usi(usi)
    assert board.is_repetition() and board.repetition() == "draw" and board.is_game_over()
    # The position after Black's first check returns three times. Every move of Black between is a check.
    board = tsumero.Board("4k4/9/9/9/9/9/9/9/R3K4 b - 1")
    board.push_usi("9i9a")
    for usi in ["5a5b", "9a9b", "5b5a", "9b9a"] * 3:
        assert board.repetition() is None
        board.push_usi(usi)
    assert board.repetition() == "win" and board.turn == tsumero.WHITE


def test_japanese_notation_is_read_back():
    for board in positions(4, 4):
        texts = {board.kif(move): move for move in board.legal_moves}
        assert len(texts) == len(board.legal_moves)
        assert all(board.parse_kif(text) == move for text, move in texts.items())
        assert all(board.parse_kif(text[1:]) == move for text, move in texts.items())
    board = tsumero.Board()
    board.set_position("startpos moves 7g7f 3c3d 8h2b+")
    assert board.kif("3a2b") == "△同銀"
    assert board.parse_kif("同　銀(31)") == "3a2b"
    with pytest.raises(ValueError):
        board.parse_kif("△５五角")


def test_boards_are_copied_pickled_and_compared():
    board = tsumero.Board()
    board.set_position("position startpos moves 7g7f 3c3d 8h2b+ 3a2b")
    pickled = [pickle.loads(pickle.dumps(board, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for same in (board.copy(), copy.copy(board), copy.deepcopy(board), *pickled):
        assert same == board and same.move_stack == board.move_stack
        assert same.usi_position() == "startpos moves 7g7f 3c3d 8h2b+ 3a2b"
        same.pop()
        assert same != board and len(board.move_stack) == 4
    assert board.pieces_in_hand == ({"B": 1}, {"B": 1})
    assert (board.piece_at("2b"), board.piece_at("8h"), board.pieces["5i"]) == ("s", None, "K")
    assert len(board.pieces) == 38
    assert (board.king_square(tsumero.BLACK), board.king_square(tsumero.WHITE)) == ("5i", "5a")
    board.reset()
    assert board.sfen() == tsumero.STARTING_SFEN


def test_others_may_say_that_they_are_equal():
    board = tsumero.Board()
    for thing in (board, tsumero.Move("7g7f")):
        anything = ANY
        assert thing == anything and anything == thing
        assert thing != 3 and thing.__eq__(3) is NotImplemented
    assert board != tsumero.STARTING_SFEN and board == tsumero.Board()


def test_a_move_equals_its_text():
    move = tsumero.Move("8h2b+")
    assert move == "8h2b+" and move == tsumero.Move.from_usi("8h2b+") and move != "8h2b"
    assert {move: 1}["8h2b+"] == 1 and hash(move) == hash("8h2b+")
    assert (move.from_square, move.to_square, move.promotion, move.drop_piece) == ("8h", "2b", True, None)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        drop = pickle.loads(pickle.dumps(tsumero.Move("P*5e"), protocol))
        assert (drop.from_square, drop.to_square, drop.promotion, drop.drop_piece) == (None, "5e", False, "P")
    assert repr(drop) == "Move('P*5e')"
    assert (f"{move}", f"{move:>6}", f"{drop:.<6}", f"{move:.2}") == ("8h2b+", " 8h2b+", "P*5e..", "8h")
    with pytest.raises(ValueError):
        f"{move:d}"


def test_legal_moves_are_a_sequence():
    board = tsumero.Board()
    moves, as_list = board.legal_moves, list(board.legal_moves)
    assert isinstance(moves, Sequence) and len(as_list) == 30
    assert sorted(random.sample(moves, 30), key=str) == sorted(as_list, key=str)
    assert (moves[2:5], moves[::-1], moves[-1]) == (as_list[2:5], as_list[::-1], as_list[-1])
    assert list(reversed(moves)) == as_list[::-1]
    assert moves == as_list and as_list == moves and moves == board.legal_moves and moves == [str(move) for move in moves]
    assert moves != as_list[1:] and moves != 3 and moves.__eq__(3) is NotImplemented
    assert [moves.index(move) for move in as_list] == list(range(30)) and moves.index(str(moves[7]), 7, 8) == 7
    assert (moves.count("7g7f"), moves.count("7g7e"), moves.count(None)) == (1, 0, 0)
    for wrong in [("7g7e",), (as_list[3], 4), (as_list[3], 0, 3)]:
        with pytest.raises(ValueError):
            moves.index(*wrong)
    for wrong, error in [(30, IndexError), (-31, IndexError), (1 << 80, IndexError), ("7g7f", TypeError), (None, TypeError)]:
        with pytest.raises(error):
            moves[wrong]
    for again in (copy.copy(moves), copy.deepcopy(moves), pickle.loads(pickle.dumps(moves))):
        assert again == moves and type(again) is tsumero.LegalMoves
    board.push("7g7f")
    assert moves == as_list and moves != board.legal_moves


def test_what_is_no_text_is_no_move():
    board = tsumero.Board()
    assert tsumero.Move("7g7f") != "\ud800" and "\ud800" not in board.legal_moves
    with pytest.raises(ValueError):
        board.push("\ud800")
    for text in ("resign", "win", "none", "", "7g7f ", "0000", "\ud800"):
        assert not board.is_legal(text) and text not in board.legal_moves
    assert board.is_legal("7g7f") and not board.is_legal(tsumero.Move("7g7e"))
    with pytest.raises(TypeError, match=r"^'int' object is neither 'Move' nor 'str'"):
        board.is_legal(3)


@pytest.mark.parametrize("color", [-1, 2, 1 << 80])
def test_there_are_two_colors(color):
    with pytest.raises(ValueError, match=r"tsumero\.BLACK or tsumero\.WHITE"):
        tsumero.Board().king_square(color)


class Index:
    """A whole number of a kind of its own, as numpy's are."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


def test_a_color_may_be_any_whole_number():
    board = tsumero.Board()
    assert board.king_square(Index(tsumero.WHITE)) == "5a"
    analysis = tsumero.analyze(board, depth=1, hash=1)
    assert analysis.summary(Index(tsumero.WHITE)) == analysis.summary(tsumero.WHITE)
    for wrong in ("b", 1.0, None):
        with pytest.raises(TypeError):
            board.king_square(wrong)
