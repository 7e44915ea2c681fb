//! Promotion (成り): where a piece may promote, where it must, and where an unpromoted piece may
//! stand.

use crate::color::Color;
use crate::piece::{Piece, PieceKind};
use crate::square::{Rank, Square};
use crate::square_set::SquareSet;

/// The ranks on which a dropped piece can still move.
#[inline]
pub(crate) const fn drop_ranks(us: Color, kind: PieceKind) -> SquareSet {
    /// By number of dead ranks, for Black and White.
    const RANKS: [[SquareSet; 3]; 2] = {
        let mut table = [[SquareSet::ALL; 3]; 2];
        let mut dead = 1;
        while dead <= 2 {
            let ranks = far_rank(dead as u8);
            let mut color = 0;
            while color < 2 {
                let dead_rank = SquareSet::rank(ranks[color]);
                table[color][dead] = table[color][dead - 1].difference(dead_rank);
                color += 1;
            }
            dead += 1;
        }
        table
    };
    RANKS[us.index()][kind.dead_ranks()]
}

/// Whether a piece may promote by this move, and whether it must.
#[inline]
pub(crate) fn promotion(us: Color, kind: PieceKind, from: Square, to: Square) -> (bool, bool) {
    let may = kind.can_promote() && (from.in_promotion_zone(us) || to.in_promotion_zone(us));
    (may, !drop_ranks(us, kind).contains(to))
}

/// Splits some targets of a piece on a square: those where it may promote, and those to which it
/// may go unpromoted. Without `idle` the second set leaves out non-promotions that are never better
/// than the promotion; see [`worthwhile_ranks`].
#[inline(always)]
pub(crate) fn promoted_and_not(
    piece: Piece,
    from: Square,
    targets: SquareSet,
    idle: bool,
) -> (SquareSet, SquareSet) {
    if !piece.kind().can_promote() {
        return (SquareSet::EMPTY, targets);
    }
    let zone = promotion_zone(piece.color());
    let may = if zone.contains(from) { targets } else { targets.intersection(zone) };
    let kept = if idle { choice_ranks(piece) } else { worthwhile_ranks(piece) };
    (may, targets.difference(may.difference(kept)))
}

/// The ranks on which a piece that may promote can have a reason to stay unpromoted. A pawn, a
/// bishop and a rook only gain by promotion. A lance on its second-last rank has a single step
/// left, which a gold has too. (The exception is a pawn-drop mate, 打ち歩詰め, that must be avoided.)
#[inline]
pub(crate) fn worthwhile_ranks(piece: Piece) -> SquareSet {
    static RANKS: [SquareSet; Piece::COUNT] = unpromoted_ranks(false);
    RANKS[piece.index()]
}

/// The ranks on which a piece that may promote can also stay unpromoted.
#[inline]
pub(crate) fn choice_ranks(piece: Piece) -> SquareSet {
    static RANKS: [SquareSet; Piece::COUNT] = unpromoted_ranks(true);
    RANKS[piece.index()]
}

/// The ranks of [`choice_ranks`]; without `idle`, those of [`worthwhile_ranks`].
const fn unpromoted_ranks(idle: bool) -> [SquareSet; Piece::COUNT] {
    let mut table = [SquareSet::EMPTY; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        if let Some(piece) = Piece::from_cell(index as u8)
            && piece.kind().can_promote()
        {
            table[index] = match piece.kind() {
                kind if idle => drop_ranks(piece.color(), kind),
                PieceKind::Lance | PieceKind::Knight => {
                    drop_ranks(piece.color(), PieceKind::Knight)
                }
                PieceKind::Silver => SquareSet::ALL,
                _ => SquareSet::EMPTY,
            };
        }
        index += 1;
    }
    table
}

/// The rank with the given number, counted from the far edge: for Black, and for White.
pub(crate) const fn far_rank(number: u8) -> [Rank; 2] {
    match Rank::new(number) {
        Some(rank) => [rank, rank.relative_to(Color::White)],
        None => panic!("ranks are numbered 1 to 9"),
    }
}

/// The squares of a color's promotion zone: those of [`Square::in_promotion_zone`].
#[inline(always)]
pub(crate) fn promotion_zone(color: Color) -> SquareSet {
    ZONES[color.index()]
}

/// The promotion zone and the rank before it.
#[inline(always)]
pub(crate) fn far_four_ranks(color: Color) -> SquareSet {
    const RANKS: [SquareSet; 2] = [
        ZONES[0].union(ZONES[0].one_ahead(Color::White)),
        ZONES[1].union(ZONES[1].one_ahead(Color::Black)),
    ];
    RANKS[color.index()]
}

const ZONES: [SquareSet; 2] = {
    let mut sets = [SquareSet::EMPTY; 2];
    let mut number = 0;
    while number < 81 {
        if let Some(square) = Square::from_dense_index(number) {
            let colors = [Color::Black, Color::White];
            let mut color = 0;
            while color < 2 {
                if square.in_promotion_zone(colors[color]) {
                    sets[color].insert(square);
                }
                color += 1;
            }
        }
        number += 1;
    }
    sets
};
