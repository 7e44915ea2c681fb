//! Counting the legal moves without generating them.
//!
//! Every attack on a square that no own man holds is a move, so the attack map's sum over those
//! squares is the number of moves on the board, but for a few corrections: what may promote
//! counts twice, the king may not step onto attacked squares, and pinned pieces may not leave
//! their lines. Drops are sizes of sets.

use super::drops::drop_ranks;
use super::pieces::{for_each_target, promotion};
use crate::attacks::AttackMap;
use crate::board::{Board, Class};
use crate::color::Color;
use crate::movement;
use crate::neighbors::{self, Around};
use crate::piece::{Piece, PieceKind};
use crate::planes;
use crate::position::Position;
use crate::square::{Rank, Square};
use crate::square_set::SquareSet;

impl Position {
    /// Number of legal moves of a side that is not in check.
    pub(super) fn count_moves_out_of_check(&self) -> u64 {
        debug_assert!(!self.in_check());
        let us = self.side_to_move();
        let count = Count {
            position: self,
            board: self.board(),
            attacks: self.attacks(),
            us,
            targets: SquareSet::ALL.difference(self.board().pieces(us)),
        };
        u64::from(count.board_moves() + count.drops())
    }
}

/// What the parts of the count need.
struct Count<'a> {
    position: &'a Position,
    board: &'a Board,
    attacks: &'a AttackMap,
    us: Color,
    /// The squares that no own man holds.
    targets: SquareSet,
}

impl Count<'_> {
    fn board_moves(&self) -> u32 {
        let (steps, slides) = (self.attacks.steps_plane(self.us), self.attacks.slides_plane());
        planes::sum_attacks(steps, slides, self.us, self.targets) + self.promotions_out_of_zone()
            - self.slides_counted_twice_in_vain()
            - self.lances_on_last_rank()
            - self.unsafe_king_steps()
            - self.moves_lost_by_pins()
    }

    /// Promotions of silvers, bishops and rooks that leave the promotion zone. No other piece
    /// moves backwards before it promotes.
    #[inline]
    fn promotions_out_of_zone(&self) -> u32 {
        let zone = promotion_zone(self.us);
        let mut count = 0;
        for from in self.board.of_class(self.us, Class::Returning).intersection(zone) {
            let Some(piece) = self.board.piece_at(from) else { continue };
            for_each_target(self.board, from, piece, |to| {
                count += u32::from(self.targets.contains(to) && !zone.contains(to));
            });
        }
        count
    }

    /// Horses and dragons slide into the zone like sliders that may still promote.
    #[inline]
    fn slides_counted_twice_in_vain(&self) -> u32 {
        let inside = self.targets.intersection(promotion_zone(self.us));
        let mut count = 0;
        for from in self.board.of_class(self.us, Class::PromotedSlider) {
            let Some(piece) = self.board.piece_at(from) else { continue };
            for direction in movement::slides(piece) {
                self.board.walk_squares(from, direction, |to| {
                    count += u32::from(inside.contains(to));
                });
            }
        }
        count
    }

    /// Lances that reach the last rank can only promote. (Pawns and knights that must are left
    /// out of the sum itself.)
    #[inline]
    fn lances_on_last_rank(&self) -> u32 {
        let forward = super::forward(self.us);
        let last_rank = LAST_RANK[self.us.index()];
        if !self.attacks.slides_onto(self.us, last_rank).contains(forward) {
            return 0;
        }
        let by_lance = |to: &Square| {
            self.attacks.slides(self.us, *to).contains(forward)
                && self.board.first_piece(*to, forward.opposite()).is_some_and(|from| {
                    self.board.piece_at(from) == Some(Piece::new(self.us, PieceKind::Lance))
                })
        };
        self.targets.intersection(SquareSet::rank(last_rank)).filter(by_lance).count() as u32
    }

    #[inline]
    fn unsafe_king_steps(&self) -> u32 {
        let Some(king) = self.board.king(self.us) else { return 0 };
        let around = Around::of(self.board.cells(), king);
        let (steps, slides) = (self.attacks.steps_plane(!self.us), self.attacks.slides_plane());
        let attacked = neighbors::attacked(steps, slides, !self.us, king);
        ((around.empty | around.of_color(!self.us)) & attacked).count_ones()
    }

    /// Moves of pinned pieces that leave their lines, promotions counted as moves of their own.
    #[inline]
    fn moves_lost_by_pins(&self) -> u32 {
        let Some(king) = self.board.king(self.us) else { return 0 };
        let mut count = 0;
        for from in self.position.pinned(self.us) {
            let Some(piece) = self.board.piece_at(from) else { continue };
            for_each_target(self.board, from, piece, |to| {
                if self.targets.contains(to) && !Position::stays_on_line(king, from, to) {
                    let (may, must) = promotion(self.us, piece.kind(), from, to);
                    count += 1 + u32::from(may && !must);
                }
            });
        }
        count
    }

    #[inline]
    fn drops(&self) -> u32 {
        let hand = self.position.hand(self.us);
        if hand.is_empty() {
            return 0;
        }
        let empties = self.board.empties();
        let mut count = 0;
        if hand.contains(PieceKind::Pawn) {
            let ranks = drop_ranks(self.us, PieceKind::Pawn);
            let targets = empties.intersection(ranks);
            count += self.position.without_illegal_pawn_drops(targets).len();
        }
        for kind in [PieceKind::Lance, PieceKind::Knight] {
            if hand.contains(kind) {
                count += empties.intersection(drop_ranks(self.us, kind)).len();
            }
        }
        let unrestricted = [PieceKind::Silver, PieceKind::Gold, PieceKind::Bishop, PieceKind::Rook]
            .into_iter()
            .map(|kind| u32::from(hand.contains(kind)))
            .sum::<u32>();
        count + unrestricted * empties.len()
    }
}

/// The last rank of Black and of White.
const LAST_RANK: [Rank; 2] = [Rank::FIRST, Rank::FIRST.relative_to(Color::White)];

/// The squares of a color's promotion zone.
#[inline]
fn promotion_zone(color: Color) -> SquareSet {
    const ZONES: [SquareSet; 2] = [far_ranks(Color::Black, 3), far_ranks(Color::White, 3)];
    ZONES[color.index()]
}

/// The given number of far ranks of a color.
const fn far_ranks(color: Color, count: u8) -> SquareSet {
    let mut set = SquareSet::EMPTY;
    let mut number = 1;
    while number <= count {
        if let Some(rank) = Rank::new(number) {
            set = set.union(SquareSet::rank(rank.relative_to(color)));
        }
        number += 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::super::{Counter, Filter, generate_into};
    use crate::Position;

    fn generated(position: &Position) -> u64 {
        let mut counter = Counter::default();
        generate_into(position, Filter::ALL, &mut counter);
        counter.0
    }

    #[test]
    fn counting_agrees_with_generating() {
        let starts = [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "4k4/PP1P1P1PP/1NL3L2/7N1/9/1n7/2l3ln1/pp1p1p1pp/4K4 b RB2G2S3Prb2g2s3p 1",
            "2+R4K1/3+P2G+B1/4+N+P1+L1/2p5p/1p7/p7P/+p+p+p6/2+p5L/k+p1+r5 w G2S3N3Pb2g2s2l3p 1",
            "1S2G1S2/1RB3P2/2S1N4/4L4/9/9/9/k8/8K b RGbg2p 1",
        ];
        let mut seed = 11u64;
        for start in starts {
            for _ in 0..20 {
                let mut position = Position::from_sfen(start).unwrap();
                for _ in 0..150 {
                    assert_eq!(position.count_legal_moves(), generated(&position), "{position}");
                    let moves = position.legal_moves();
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let Some(&mv) = moves.get((seed >> 33) as usize % moves.len().max(1)) else {
                        break;
                    };
                    position.play(mv);
                }
            }
        }
    }
}
