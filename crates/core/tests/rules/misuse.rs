//! Tests misuse of the crate, in release builds, too. The crate refuses it or continues with some
//! other position. It never corrupts memory.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rand::prelude::*;
use tsumero_core::{
    Color, Direction, Game, Hand, IllegalMove, Line, Move, MoveList, PieceKind, Position, Square,
    UsiMove,
};

/// Whether something panics.
fn panics<T>(work: impl FnOnce() -> T) -> bool {
    catch_unwind(AssertUnwindSafe(work)).is_err()
}

const SFENS: [&str; 5] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "2+R4K1/3+P2G+B1/4+N+P1+L1/2p5p/1p7/p7P/+p+p+p6/2+p5L/k+p1+r5 w G2S3N3Pb2g2s2l3p 1",
    "4k4/PP1P1P1PP/1NL3L2/7N1/9/1n7/2l3ln1/pp1p1p1pp/4K4 b RB2G2S3Prb2g2s3p 1",
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
];

/// Calls every query of a position.
fn ask(position: &Position) -> usize {
    let mut checks = MoveList::new();
    position.generate_checks(&mut checks);
    let moves = position.legal_moves();
    let mut sum = moves.len() + checks.len() + position.count_legal_moves() as usize;
    for &mv in moves.iter().chain(&checks) {
        sum += usize::from(position.gives_check(mv)) + mv.piece().index() + mv.to().index();
        sum += position.count_replies(mv) as usize;
    }
    sum += position.checkers().iter().count() + position.pinned(Color::Black).iter().count();
    sum + usize::from(position.mate_in_one().is_some()) + position.to_sfen().len()
}

/// Makes the moves of one position in another one, as far as that is possible. Debug builds panic
/// at the first of them.
#[test]
fn moves_of_another_position_do_no_harm() {
    let moves: Vec<Move> =
        SFENS.iter().flat_map(|sfen| Position::from_sfen(sfen).unwrap().legal_moves()).collect();
    let mut panicked = 0;
    for (number, sfen) in SFENS.iter().enumerate() {
        for first in (number..moves.len()).step_by(19) {
            panicked += usize::from(panics(|| {
                let mut game = Game::from(Position::from_sfen(sfen).unwrap());
                let mut line = Line::from(&game);
                for &mv in moves.iter().cycle().skip(first).step_by(37).take(12) {
                    line.do_move(mv);
                    ask(&line);
                    line.mate_in_one();
                    game.play_unchecked(mv);
                    ask(&game);
                }
                while game.undo().is_some() {
                    ask(&game);
                    line.undo_move();
                    ask(&line);
                }
            }));
        }
    }
    assert!(!cfg!(debug_assertions) || panicked > 50, "{panicked}");
}

/// After illegal moves, too, all moves of the generators are between squares of the board: `Square` is
/// one of 81 by its type, and arrays are indexed by it without a check.
#[test]
fn illegal_moves_lead_to_no_square_outside_the_board() {
    let parse =
        |sfen: &str, text: &str| Position::from_sfen(sfen).unwrap().parse_move(text).unwrap();
    // A silver that is not there goes to the square of the opponent's knight, without a capture. Then
    // the opponent drops a knight there.
    let two = [
        parse("9/6S2/9/9/9/9/9/9/4K4 b - 1", "3b2a"),
        parse("4k4/9/9/9/9/9/9/9/4K4 w n 1", "N*2a"),
    ];
    let is_real = |square| Square::all().any(|real| real == square);
    let is_sound = |position: &Position| {
        let mut checks = MoveList::new();
        position.generate_checks(&mut checks);
        let moves = position.legal_moves();
        moves.iter().chain(&checks).all(|mv| is_real(mv.to()) && mv.from().is_none_or(is_real))
    };
    let mut position = Position::startpos();
    let refused = panics(|| two.iter().for_each(|&mv| position.play_unchecked(mv)));
    assert_eq!(refused, cfg!(debug_assertions));
    assert!(is_sound(&position));

    // Random moves, legal somewhere. A position after them may also panic.
    let mut rng = StdRng::seed_from_u64(5);
    let moves: Vec<Move> =
        SFENS.iter().flat_map(|sfen| Position::from_sfen(sfen).unwrap().legal_moves()).collect();
    for sfen in SFENS.iter().cycle().take(5_000) {
        let mut position = Position::from_sfen(sfen).unwrap();
        for _ in 0..12 {
            let mv = moves[rng.random_range(0..moves.len())];
            if panics(|| position.play_unchecked(mv)) {
                break;
            }
            assert!(catch_unwind(AssertUnwindSafe(|| is_sound(&position))).unwrap_or(true));
        }
    }
}

/// Debug builds refuse a move that is not legal by a panic. Whoever catches it still has the line.
#[test]
fn a_line_that_refused_a_move_is_unchanged() {
    let mut line = Line::from(Position::startpos());
    let first = line.parse_move("7g7f").unwrap();
    for _ in 0..3 {
        line.do_move(first);
        let sfen = line.to_sfen();
        // It is White's turn now.
        let refused = panics(|| line.do_move(first));
        assert_eq!(refused, cfg!(debug_assertions));
        if refused {
            assert_eq!((line.to_sfen(), line.last_move()), (sfen, Some(first)));
            assert_eq!(line.consistency(), Ok(()));
            assert_eq!(line.legal_moves().len(), 30);
        } else {
            line.undo_move();
        }
        line.undo_move();
        assert_eq!((line.to_sfen().as_str(), line.last_move()), (SFENS[0], None));
    }
}

/// The same holds for a game, also if a move fails only when its piece has left.
#[test]
fn a_game_that_refused_a_move_is_unchanged() {
    let mut game = Game::from(Position::from_sfen("5k3/9/9/9/9/4R4/9/9/K8 b - 1").unwrap());
    let first = game.play("9i9h".parse::<UsiMove>().unwrap()).unwrap();
    let reply = game.play("4a3a".parse::<UsiMove>().unwrap()).unwrap();
    // Here a pawn stands on 5d.
    let other = Position::from_sfen("5k3/9/9/4p4/9/4R4/9/9/K8 b - 1").unwrap();
    let takes = other.parse_move("5f5d").unwrap();
    for mv in [reply, takes] {
        let mut tried = game.clone();
        let refused = panics(|| tried.play_unchecked(mv));
        assert_eq!(refused, cfg!(debug_assertions));
        if refused {
            assert_eq!(tried.to_sfen(), game.to_sfen());
            assert!(tried.moves().eq([first, reply]));
            assert_eq!(tried.consistency(), Ok(()));
        }
    }
}

#[test]
fn a_move_is_tried_against_the_rules() {
    let mut game = Game::default();
    let other = Position::from_sfen(SFENS[1]).unwrap();
    let key = game.key();
    let legal = game.legal_moves();
    for mv in other.legal_moves() {
        assert_eq!(game.position().clone().play(mv).ok(), game.clone().play(mv).ok());
        if game.play(mv).is_ok() {
            // Its text is that of a legal move here, and that move was made.
            assert!(game.undo().is_some_and(|done| legal.contains(&done)));
        }
        assert_eq!((game.key(), game.moves().len()), (key, 0));
    }
    let mv: UsiMove = "7g7f".parse().unwrap();
    let done = game.play(mv).unwrap();
    assert_eq!(game.last_move(), Some(done));
    assert_eq!(game.play(mv), Err(IllegalMove::NoPiece));
    assert_eq!(game.undo(), Some(done));
    assert_eq!(game.key(), key);
}

#[test]
fn nothing_is_taken_back_that_was_not_done() {
    let mut game = Game::default();
    assert!(game.undo().is_none());
    game.play_unchecked(game.parse_move("7g7f").unwrap());
    let sfen = game.to_sfen();
    // The moves of the game are not moves of the line.
    let mut line = Line::from(&game);
    assert!(panics(|| line.undo_move()));
    assert!(panics(|| line.undo_null_move()));
    line.do_null_move();
    assert!(panics(|| line.undo_move()));
    line.undo_null_move();
    // What was refused has changed nothing.
    assert_eq!((line.to_sfen(), line.last_move()), (sfen, game.last_move()));
    assert_eq!(line.consistency(), Ok(()));
}

#[test]
fn no_turn_is_passed_in_check() {
    let mut line = Line::from(Position::from_sfen("4k4/9/4R4/9/9/9/9/9/4K4 w - 1").unwrap());
    let (sfen, key) = (line.to_sfen(), line.key());
    assert!(panics(|| line.do_null_move()));
    assert_eq!((line.to_sfen(), line.key()), (sfen, key));
}

#[test]
fn hands_hold_what_hands_can_hold() {
    for kind in PieceKind::ALL {
        let full = (0..Hand::limit(kind)).fold(Hand::EMPTY, |hand, _| hand.with(kind));
        assert!(panics(|| full.with(kind)), "{kind:?}");
        assert!(panics(|| Hand::EMPTY.without(kind)), "{kind:?}");
        assert!(panics(|| Hand::EMPTY.with_count(kind, Hand::limit(kind) + 1)), "{kind:?}");
        assert_eq!(panics(|| Hand::EMPTY.with_count(kind, 0)), Hand::limit(kind) == 0);
    }
}

#[test]
fn numbers_that_name_nothing_give_nothing() {
    assert_eq!(Direction::from_index(12), None);
    assert_eq!(PieceKind::from_index(17), None);
    assert_eq!((0..1000).filter_map(PieceKind::from_index).count(), PieceKind::ALL.len());
    assert_eq!((0..1000).filter_map(Direction::from_index).count(), Direction::ALL.len());
}

/// A position with more than two checkers cannot arise in a game, but it can be set up.
#[test]
fn three_checkers_are_three() {
    let mut position = Position::from_sfen("4k4/3P5/6B2/9/9/9/9/9/4R4 w - 1").unwrap();
    assert_eq!(position.checkers().iter().count(), 2);
    assert!(position.legal_moves().iter().all(|mv| mv.kind() == PieceKind::King));
    position = Position::from_sfen("4k4/4G4/3N1N3/9/9/9/9/9/9 w - 1").unwrap();
    assert_eq!(position.checkers().iter().count(), 3);
    assert_eq!(position.checkers().single_square(), None);
    assert!(position.legal_moves().iter().all(|mv| mv.kind() == PieceKind::King));
}
