//! The inputs: which of them are active in a position, and which a move changes.
//!
//! A position is described from two views, one for each color. The inputs of a view are numbered as
//! in K-P: 1548 inputs for pieces, then 81 for the viewer's own king and 81 for the other king.
//! HalfKP has the piece inputs once for each square of the viewer's own king, and no others.

use tsumero_core::{ByColor, Color, Hand, Move, Piece, PieceKind, Position, Square};

use crate::architecture::Kind;

/// Number of inputs that stand for pieces on the board and in hand.
pub(crate) const PIECE_INPUTS: usize = 1548;
/// Number of squares.
const SQUARES: usize = 81;
/// The first input of the viewer's own king.
const OWN_KING: u16 = PIECE_INPUTS as u16;
/// The first input of the other king.
const OTHER_KING: u16 = OWN_KING + SQUARES as u16;
/// Number of inputs of K-P.
pub(crate) const KP_INPUTS: usize = PIECE_INPUTS + 2 * SQUARES;
/// The number of pieces in an even game, without the kings. For each missing piece, input 0 counts
/// once.
const PIECES: u32 = 38;
/// The square on which a missing king of a mate problem is assumed to stand, as its owner sees it:
/// 5i.
const HOME: usize = 44;

/// The first input of each piece on the board, by view and piece.
const ON_BOARD: [[u16; Piece::COUNT]; 2] = {
    let mut table = [[0; Piece::COUNT]; 2];
    let mut view = 0;
    while view < 2 {
        let mut number = 0;
        while number < PieceKind::ALL.len() {
            let kind = PieceKind::ALL[number];
            let friend: u16 = match kind {
                PieceKind::Pawn => 90,
                PieceKind::Lance => 252,
                PieceKind::Knight => 414,
                PieceKind::Silver => 576,
                PieceKind::Gold
                | PieceKind::Tokin
                | PieceKind::PromotedLance
                | PieceKind::PromotedKnight
                | PieceKind::PromotedSilver => 738,
                PieceKind::Bishop => 900,
                PieceKind::Horse => 1062,
                PieceKind::Rook => 1224,
                PieceKind::Dragon => 1386,
                PieceKind::King => OWN_KING,
            };
            let (viewer, other) = (Color::ALL[view], Color::ALL[1 - view]);
            table[view][Piece::new(viewer, kind).index()] = friend;
            table[view][Piece::new(other, kind).index()] = friend + SQUARES as u16;
            number += 1;
        }
        view += 1;
    }
    table
};

/// The first input of each kind in hand: the viewer's, and the other's.
const IN_HAND: [[u16; 8]; 2] = [[0, 1, 39, 49, 59, 69, 79, 85], [0, 20, 44, 54, 64, 74, 82, 88]];

/// The number of a square as a viewer sees it.
#[inline]
fn seen(view: Color, square: Square) -> u16 {
    square.relative_to(view).dense_index() as u16
}

/// The input of a piece on the board.
#[inline]
fn on_board(view: Color, piece: Piece, square: Square) -> u16 {
    ON_BOARD[view.index()][piece.index()] + seen(view, square)
}

/// The input of the `count`th piece of a kind in a hand; `count` is at least 1.
#[inline]
fn in_hand(view: Color, owner: Color, kind: PieceKind, count: u16) -> u16 {
    debug_assert!(count > 0);
    IN_HAND[usize::from(view != owner)][kind.index() & 7] + count - 1
}

/// The king's square as its owner sees it; the home square if there is no king.
#[inline]
fn king_seen(owner: Color, king: Option<Square>) -> usize {
    king.map_or(HOME, |square| usize::from(seen(owner, square)))
}

/// The part of a network's rows that a view uses, by the square of its own king: for HalfKP the
/// number of the square, for K-P always 0. The king is read only if it matters, because reading it
/// makes the position compute its board.
#[inline]
pub(crate) fn part(kind: Kind, view: Color, king: impl FnOnce() -> Option<Square>) -> usize {
    match kind {
        Kind::HalfKp => king_seen(view, king()),
        Kind::Kp => 0,
    }
}

/// Number of values of [`part`].
pub(crate) const fn parts(kind: Kind) -> usize {
    match kind {
        Kind::HalfKp => SQUARES,
        Kind::Kp => 1,
    }
}

/// The index of the network's row for an input of a part.
#[inline]
pub(crate) fn row(part: usize, input: u16) -> usize {
    part * PIECE_INPUTS + usize::from(input)
}

/// The active inputs of a position in one view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InputSet {
    bits: [u64; KP_INPUTS.div_ceil(64)],
    /// How often input 0 counts: once for each missing piece.
    missing: u32,
}

impl InputSet {
    /// No inputs.
    pub(crate) const EMPTY: InputSet = InputSet { bits: [0; KP_INPUTS.div_ceil(64)], missing: 0 };

    /// The active inputs of a position. Kings are inputs of K-P only.
    pub(crate) fn of(kind: Kind, view: Color, position: &Position) -> InputSet {
        let hands = ByColor(Color::ALL.map(|owner| position.hand(owner)));
        InputSet::new(kind, view, position.pieces(), hands)
    }

    /// The active inputs of pieces on the board and in hand.
    pub(crate) fn new(
        kind: Kind,
        view: Color,
        pieces: impl Iterator<Item = (Square, Piece)>,
        hands: ByColor<Hand>,
    ) -> InputSet {
        let mut set = InputSet::EMPTY;
        let mut kings = ByColor([None; 2]);
        let mut count = 0;
        for (square, piece) in pieces {
            if piece.kind() == PieceKind::King {
                kings[piece.color()] = Some(square);
            } else {
                set.insert(on_board(view, piece, square));
                count += 1;
            }
        }
        for owner in Color::ALL {
            for (kind, held) in hands[owner].iter() {
                for number in 1..=held {
                    set.insert(in_hand(view, owner, kind, number as u16));
                }
                count += held;
            }
        }
        set.missing = PIECES.saturating_sub(count);
        if kind == Kind::Kp {
            let other = SQUARES - 1 - king_seen(!view, kings[!view]);
            set.insert(OWN_KING + king_seen(view, kings[view]) as u16);
            set.insert(OTHER_KING + other as u16);
        }
        set
    }

    #[inline]
    fn insert(&mut self, input: u16) {
        self.bits[usize::from(input / 64)] |= 1 << (input % 64);
    }

    /// Calls back with each input of this set that the other set lacks, as often as it does.
    #[inline]
    pub(crate) fn for_each_not_in(&self, other: &InputSet, mut call: impl FnMut(u16)) {
        for _ in other.missing..self.missing {
            call(0);
        }
        for (number, (mine, others)) in self.bits.iter().zip(&other.bits).enumerate() {
            let mut bits = mine & !others;
            while bits != 0 {
                call(number as u16 * 64 + bits.trailing_zeros() as u16);
                bits &= bits - 1;
            }
        }
    }
}

impl Kind {
    /// Appends the active inputs of a position in a color's view, each as often as it counts: 38
    /// for HalfKP, and 40 for K-P, the kings last. For HalfKP they are numbered within the part of
    /// the view's own king.
    ///
    /// ```
    /// use tsumero_core::{Color, Position};
    /// let mut inputs = Vec::new();
    /// tsumero_network::Kind::Kp.active_inputs(Color::White, &Position::startpos(), &mut inputs);
    /// assert_eq!((inputs.len(), inputs.iter().sum()), (40, 20_104));
    /// ```
    pub fn active_inputs(self, view: Color, position: &Position, inputs: &mut Vec<usize>) {
        let part = part(self, view, || position.king(view));
        let set = InputSet::of(self, view, position);
        set.for_each_not_in(&InputSet::EMPTY, |input| inputs.push(row(part, input)));
    }
}

/// A move or a null move, with everything that determines the change of inputs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ply {
    mv: Option<Move>,
    /// The number of pieces in the mover's hand before the move, of the kind that the move adds or
    /// removes.
    held: u16,
}

/// The change of inputs in one view. As many inputs are removed as added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Change {
    /// Number of removed inputs, and of added ones; at most two.
    pub(crate) count: usize,
    /// The removed inputs.
    pub(crate) removed: [u16; 2],
    /// The added inputs.
    pub(crate) added: [u16; 2],
}

impl Change {
    #[inline]
    fn push(&mut self, removed: u16, added: u16) {
        self.removed[self.count & 1] = removed;
        self.added[self.count & 1] = added;
        self.count += 1;
    }
}

impl Ply {
    /// A null move.
    pub(crate) const NULL: Ply = Ply { mv: None, held: 0 };

    /// A move that is about to be made in a position.
    #[inline]
    pub(crate) fn new(position: &Position, mv: Move) -> Ply {
        let kind = match mv.captured() {
            Some(captured) => captured.unpromoted(),
            None => mv.kind(),
        };
        Ply { mv: Some(mv), held: position.hand(mv.color()).count(kind) as u16 }
    }

    /// Whether the ply changes the part of a network's rows that a view uses.
    #[inline]
    pub(crate) fn changes_part(self, kind: Kind, view: Color) -> bool {
        kind == Kind::HalfKp
            && self.mv.is_some_and(|mv| mv.piece() == Piece::new(view, PieceKind::King))
    }

    /// The change of inputs in a view. In HalfKP, kings are not inputs.
    #[inline]
    pub(crate) fn change(self, kind: Kind, view: Color) -> Change {
        let mut change = Change { count: 0, removed: [0; 2], added: [0; 2] };
        let Some(mv) = self.mv else { return change };
        let (us, to) = (mv.color(), mv.to());
        match mv.from() {
            None => {
                let held = in_hand(view, us, mv.kind(), self.held);
                change.push(held, on_board(view, mv.piece(), to));
            }
            Some(from) => {
                if kind == Kind::Kp || mv.kind() != PieceKind::King {
                    let arrives = on_board(view, mv.piece_after(), to);
                    change.push(on_board(view, mv.piece(), from), arrives);
                }
                if let Some(captured) = mv.captured() {
                    let held = in_hand(view, us, captured.unpromoted(), self.held + 1);
                    change.push(on_board(view, Piece::new(!us, captured), to), held);
                }
            }
        }
        change
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares sums of all input numbers with the published ones.
    #[test]
    fn the_numbers_are_those_of_the_format() {
        let sum = |kind: Kind, view, position: &Position| {
            let mut inputs = Vec::new();
            kind.active_inputs(view, position, &mut inputs);
            inputs.iter().sum::<usize>()
        };
        let start = Position::startpos();
        for view in Color::ALL {
            assert_eq!(sum(Kind::HalfKp, view, &start), 2_605_103);
            assert_eq!(sum(Kind::Kp, view, &start), 20_104);
        }
        let sfen =
            "l2G+Np3/3r5/8l/pk1PL1gp1/1NP1NP1P1/Pn1S2P1G/B1Bgp2+r+s/L1pSS1+p2/4K3+p b 2P3p 203";
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(sum(Kind::HalfKp, Color::Black, &position), 2_606_194);
        assert_eq!(sum(Kind::HalfKp, Color::White, &position), 841_588);
        assert_eq!(sum(Kind::Kp, Color::Black, &position), 21_225);
        assert_eq!(sum(Kind::Kp, Color::White, &position), 21_279);
    }

    #[test]
    fn no_two_pieces_share_an_input_and_none_is_out_of_range() {
        for view in Color::ALL {
            let mut seen_inputs = std::collections::HashSet::new();
            for kind in PieceKind::ALL {
                // Promoted pieces that move like a gold share its inputs.
                if kind.unpromoted() != kind
                    && !matches!(kind, PieceKind::Horse | PieceKind::Dragon)
                {
                    continue;
                }
                for owner in Color::ALL {
                    for square in Square::all() {
                        assert!(seen_inputs.insert(on_board(
                            view,
                            Piece::new(owner, kind),
                            square
                        )));
                    }
                    for count in 1..=tsumero_core::Hand::limit(kind) as u16 {
                        assert!(seen_inputs.insert(in_hand(view, owner, kind, count)));
                    }
                }
            }
            assert!(!seen_inputs.contains(&0));
            assert!(seen_inputs.iter().all(|&input| usize::from(input) < KP_INPUTS));
            assert_eq!(seen_inputs.len(), 2 * 81 * 10 + 2 * 38);
        }
        assert_eq!(row(80, PIECE_INPUTS as u16 - 1), Kind::HalfKp.inputs() - 1);
    }
}
