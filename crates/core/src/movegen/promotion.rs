//! Promotion: where a piece may promote, and where it must.

use super::drops::drop_ranks;
use crate::color::Color;
use crate::piece::{Piece, PieceKind};
use crate::square::{Rank, Square};
use crate::square_set::SquareSet;

/// Whether a piece may promote by this move, and whether it must.
#[inline]
pub(crate) fn promotion(us: Color, kind: PieceKind, from: Square, to: Square) -> (bool, bool) {
    let may = kind.can_promote() && (from.in_promotion_zone(us) || to.in_promotion_zone(us));
    let must = to.rank().relative_to(us).index() < kind.dead_ranks();
    (may, must)
}

/// Of some targets of a piece on a square: those where it may promote, and those to which it may
/// go as it is. Without `idle` the latter leave out what [`Move::is_idle_non_promotion`] describes.
///
/// [`Move::is_idle_non_promotion`]: crate::Move::is_idle_non_promotion
#[inline(always)]
pub(super) fn promoted_and_not(
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

/// The ranks onto which it may be better not to promote, for a piece that may promote.
#[inline]
fn worthwhile_ranks(piece: Piece) -> SquareSet {
    static RANKS: [SquareSet; Piece::COUNT] = {
        let mut table = [SquareSet::EMPTY; Piece::COUNT];
        let mut index = 0;
        while index < Piece::COUNT {
            if let Some(piece) = Piece::from_cell(index as u8) {
                table[index] = match piece.kind() {
                    // A lance on the last but one rank has one step left, which a gold has too.
                    PieceKind::Lance => drop_ranks(piece.color(), PieceKind::Knight),
                    PieceKind::Knight => drop_ranks(piece.color(), PieceKind::Knight),
                    PieceKind::Silver => SquareSet::ALL,
                    _ => SquareSet::EMPTY,
                };
            }
            index += 1;
        }
        table
    };
    RANKS[piece.index()]
}

/// The ranks onto which a piece, if it may promote, has the choice.
#[inline]
pub(super) fn choice_ranks(piece: Piece) -> SquareSet {
    static RANKS: [SquareSet; Piece::COUNT] = {
        let mut table = [SquareSet::EMPTY; Piece::COUNT];
        let mut index = 0;
        while index < Piece::COUNT {
            if let Some(piece) = Piece::from_cell(index as u8)
                && piece.kind().can_promote()
            {
                table[index] = drop_ranks(piece.color(), piece.kind());
            }
            index += 1;
        }
        table
    };
    RANKS[piece.index()]
}

/// The rank that Black and White count as the given one.
pub(super) const fn far_rank(number: u8) -> [Rank; 2] {
    match Rank::new(number) {
        Some(rank) => [rank, rank.relative_to(Color::White)],
        None => panic!("ranks are numbered 1 to 9"),
    }
}

/// The squares of a color's promotion zone.
#[inline(always)]
pub(super) fn promotion_zone(color: Color) -> SquareSet {
    const ZONES: [SquareSet; 2] = far_ranks(3);
    ZONES[color.index()]
}

/// The promotion zone and the rank before it.
#[inline(always)]
pub(super) fn far_four_ranks(color: Color) -> SquareSet {
    const RANKS: [SquareSet; 2] = far_ranks(4);
    RANKS[color.index()]
}

/// The given number of far ranks of Black and of White.
pub(super) const fn far_ranks(count: u8) -> [SquareSet; 2] {
    let mut sets = [SquareSet::EMPTY; 2];
    let mut number = 1;
    while number <= count {
        let [black, white] = far_rank(number);
        sets = [sets[0].union(SquareSet::rank(black)), sets[1].union(SquareSet::rank(white))];
        number += 1;
    }
    sets
}
