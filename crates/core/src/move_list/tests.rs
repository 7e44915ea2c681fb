//! Tests of the move list: all writers agree, and no position has more moves than fit.

use rand::prelude::*;

use super::*;
use crate::color::Color;
use crate::direction::Direction;
use crate::hand::Hand;
use crate::movement;
use crate::piece::{Piece, PieceKind};
use crate::position::Position;
use crate::promotion::{drop_ranks, promotion};
use crate::square::Square;

/// The number of moves of a black piece on an otherwise empty board, promotions counted apart.
fn moves_on_empty_board(kind: PieceKind, from: Square) -> usize {
    let piece = Piece::new(Color::Black, kind);
    let mut count = 0;
    for direction in Direction::ALL {
        let mut at = from;
        while let Some(to) = at.neighbor(direction) {
            let slides = movement::slides(piece).contains(direction);
            if !slides && (at != from || !movement::steps(piece).contains(direction)) {
                break;
            }
            let (may, must) = promotion(Color::Black, kind, from, to);
            count += 1 + usize::from(may && !must);
            at = to;
        }
    }
    count
}

/// The most moves that any position can have, by an argument that needs no position. Let the mover
/// hold a set of kinds. On an empty board each kind could be dropped on all squares that its ranks
/// allow. A piece that stands on the board instead takes away the drops onto its square, and has at
/// most the moves that it would have alone. So a piece adds at most the largest difference over all
/// squares, and nothing where it is held, captured or the opponent's. Two effects are ignored,
/// because they only make moves fewer: pieces stand in each other's way, and a pawn bars its file
/// to other pawns.
fn upper_bound() -> usize {
    let held_sets = 0..1u32 << PieceKind::HAND.len();
    let bounds = held_sets.map(|bits| {
        let held = |kind: PieceKind| bits >> (kind.index() - 1) & 1 != 0;
        let kinds = || PieceKind::HAND.into_iter().filter(|&kind| held(kind));
        let drops: usize = kinds().map(|kind| drop_ranks(Color::Black, kind).len() as usize).sum();
        let gain = |kind: PieceKind| {
            let best = |kind: PieceKind| {
                let on_square = |from: Square| {
                    let lost =
                        kinds().filter(|&kind| drop_ranks(Color::Black, kind).contains(from));
                    moves_on_empty_board(kind, from).saturating_sub(lost.count())
                };
                drop_ranks(Color::Black, kind).iter().map(on_square).max().unwrap_or(0)
            };
            best(kind).max(kind.promoted().map_or(0, best))
        };
        let pieces = PieceKind::HAND
            .into_iter()
            .map(|kind| (Hand::limit(kind) as usize - usize::from(held(kind))) * gain(kind));
        drops + gain(PieceKind::King) + pieces.sum::<usize>()
    });
    bounds.max().unwrap_or(0)
}

#[test]
fn no_position_has_more_moves_than_a_list_holds() {
    let bound = upper_bound();
    assert_eq!(bound, MAX_MOVES);
    // The positions with the most moves known, with and without the other king.
    let records = [
        ("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 593),
        ("R8/2K1S1SS1/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 599),
    ];
    for (sfen, count) in records {
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(position.legal_moves().len(), count, "{sfen}");
        assert!(count <= bound, "{sfen}");
    }
}

/// Uninitialized room for moves.
fn place() -> [MaybeUninit<Move>; MAX_MOVES + SLACK] {
    [const { MaybeUninit::uninit() }; MAX_MOVES + SLACK]
}

/// The moves that a writer has written, by their bits.
fn written(write: impl FnOnce(*mut Move) -> usize) -> Vec<Move> {
    let mut place = place();
    let count = write(place.as_mut_ptr().cast());
    // SAFETY: the writer returns how many moves it has written.
    place[..count].iter().map(|mv| unsafe { mv.assume_init() }).collect()
}

/// All writers write the same moves in the same order, for sets from empty to full: those that are
/// built one by one.
#[test]
fn all_writers_agree() {
    let mut rng = StdRng::seed_from_u64(77);
    let mut position = Position::startpos();
    for round in 0..3000 {
        let cells = position.board().cells();
        let mut next = || rng.random::<u64>();
        let words = std::array::from_fn(|_| match round % 4 {
            0 => next(),
            1 => next() & next() & next(),
            2 => next() | next() | next(),
            _ => u64::MAX,
        });
        let to = SquareSet::from_words(words);
        let departure = match position.pieces().nth(round % 9) {
            Some((from, piece)) => Departure::board(from, piece),
            None => Departure::hand(Piece::new(Color::White, PieceKind::Gold)),
        };
        // SAFETY: there is room for a move to every square.
        unsafe {
            let expected: Vec<Move> =
                to.iter().map(|to| departure.to(to, cells[to.index()])).collect();
            assert_eq!(
                written(|end| chosen::write_targets(end, departure, to, Some(cells))),
                expected
            );
            assert_eq!(
                written(|end| plain::write_targets(end, departure, to, Some(cells))),
                expected
            );
            let departure = departure.promoting();
            let expected: Vec<Move> = to.iter().map(|to| departure.to(to, 0)).collect();
            assert_eq!(written(|end| chosen::write_targets(end, departure, to, None)), expected);
            assert_eq!(written(|end| plain::write_targets(end, departure, to, None)), expected);
        }
        let us = position.side_to_move();
        let side = position.attacks().side::<crate::lanes::Chosen>(us);
        let steps = side.step_sets(us, to, to);
        // SAFETY: there is room for a step of every piece in every direction, and the steps are
        // those of an attack map.
        let [ours, plain] = unsafe {
            [
                written(|end| chosen::write_steps(end, &steps, cells)),
                written(|end| plain::write_steps(end, &steps, cells)),
            ]
        };
        assert_eq!(ours, plain);
        let mut expected = Vec::new();
        for (from, piece) in position.pieces().filter(|(_, piece)| piece.color() == us) {
            let targets = movement::steps(piece).iter().filter_map(|way| from.neighbor(way));
            let targets = targets.filter(|&target| to.contains(target));
            expected.extend(targets.map(|target| {
                Move::board(from, target, piece, position.piece_at(target).map(Piece::kind), false)
            }));
        }
        let sorted = |mut moves: Vec<Move>| {
            moves.sort_by_key(|mv| (mv.from().map(Square::index), mv.to().index()));
            moves
        };
        assert_eq!(sorted(ours), sorted(expected));
        match position.legal_moves().choose(&mut rng) {
            Some(&mv) => position.play_unchecked(mv),
            None => position = Position::startpos(),
        }
    }
}

#[test]
fn a_list_is_a_list() {
    let all: Vec<Move> = Position::startpos().legal_moves().into_iter().collect();
    let mut list = MoveList::new();
    assert!(list.is_empty() && list.pop().is_none());
    list.extend(all.iter().copied());
    assert_eq!(list[..], all[..]);
    assert_eq!(list.clone(), list);
    assert_eq!(list.pop(), all.last().copied());
    assert_eq!(list.swap_remove(0), all[0]);
    assert_eq!((list.len(), list[0]), (28, all[28]));
    list.retain(|mv| mv.kind() == PieceKind::Pawn);
    assert!(list.len() < 10 && list.iter().all(|mv| mv.kind() == PieceKind::Pawn));
    list.truncate(3);
    list.truncate(5);
    assert_eq!(list.len(), 3);
    assert_eq!((&list).into_iter().count(), list.into_iter().len());
}

#[test]
fn a_list_grows_to_its_limit() {
    let position = Position::startpos();
    let mut list = MoveList::new();
    while list.len() + 30 <= MAX_MOVES {
        position.generate(crate::Filter::ALL, &mut list);
    }
    let mv = list[0];
    while list.len() < MAX_MOVES {
        list.push(mv);
    }
    assert_eq!(list.iter().filter(|&&other| other == mv).count(), MAX_MOVES / 30 + MAX_MOVES % 30);
}

#[test]
#[should_panic = "a list of moves holds"]
fn one_move_too_many_is_refused() {
    let mut list = MoveList::new();
    let mv = Position::startpos().legal_moves()[0];
    (0..=MAX_MOVES).for_each(|_| list.push(mv));
}

#[test]
#[should_panic = "a list of moves holds"]
fn one_position_too_many_is_refused() {
    let mut list = MoveList::new();
    (0..=MAX_MOVES).for_each(|_| Position::startpos().generate(crate::Filter::ALL, &mut list));
}

#[test]
#[should_panic]
fn nothing_is_taken_from_an_empty_list() {
    MoveList::new().swap_remove(0);
}
