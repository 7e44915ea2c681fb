//! Counting the legal moves without generating them.
//!
//! Every attack on a square without an own piece is a move. So the attack map's sum over those
//! squares is the number of moves on the board, with a few corrections: a move that may promote
//! counts twice, the king may not step onto attacked squares, and pinned pieces may not leave their
//! lines. In check, the sum is taken over the squares where the check can be met. Drops are sizes
//! of sets.

use std::mem::MaybeUninit;

use super::drops::without_pawn_drop_mate;
use super::evasions::meeting_squares;
use crate::color::Color;
use crate::direction::Compass;
use crate::hand::Hand;
use crate::lanes::{Chosen, Lanes, TallyOf};
use crate::movement;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::pins;
use crate::placement::attacks::Side;
use crate::placement::board::Class;
use crate::placement::{Change, Placement};
use crate::position::Position;
use crate::promotion::drop_ranks;
use crate::promotion::{choice_ranks, far_four_ranks, far_rank, promotion_zone};
use crate::rays::{self, Rays};
use crate::square::{PADDED_CELLS, Rank, Square};
use crate::square_set::SquareSet;

impl Position {
    /// Number of legal moves.
    pub fn count_legal_moves(&self) -> u64 {
        let us = self.side_to_move();
        u64::from(Count::new(self.placement(), us, self.hand(us)).moves())
    }

    /// Number of legal replies to a legal move. The move is not made. The board after it is written
    /// only where a reply might be a pawn-drop mate.
    pub fn count_replies(&self, mv: Move) -> u64 {
        let them = !self.side_to_move();
        debug_assert_eq!(mv.color(), !them);
        u64::from(Count::after(self.placement(), mv, self.hand(them)).moves())
    }
}

/// A running count of moves.
type Tally = <Chosen as Lanes>::Tally;

/// What the parts of the count need. It is read from a placement, or computed from a placement and
/// a move of the opponent.
struct Count<'a> {
    us: Color,
    hand: Hand,
    /// Their map and ours.
    sides: [Side<Chosen>; 2],
    /// The squares of our pieces.
    own: SquareSet,
    occupied: SquareSet,
    king: Option<Square>,
    their_king: Option<Square>,
    /// The files of our pawns.
    pawn_files: SquareSet,
    /// The squares without an own piece. In check, only those where the check is met.
    targets: SquareSet,
    /// The squares behind our king that checking slides reach through it (x-ray).
    behind: SquareSet,
    /// The placement before the opponent's move, if a move is given. Our pieces stand where they
    /// stood, except one that was captured.
    placement: &'a Placement,
    change: Option<Change>,
}

impl<'a> Count<'a> {
    #[inline(always)]
    fn new(placement: &'a Placement, us: Color, hand: Hand) -> Count<'a> {
        let (attacks, board) = (placement.attacks(), placement.board());
        let sides = [attacks.side(!us), attacks.side(us)];
        let (own, occupied) = (board.pieces(us), board.occupied());
        let targets = SquareSet::ALL.difference(own);
        let mut count = Count {
            us,
            hand,
            sides,
            own,
            occupied,
            king: board.king(us),
            their_king: board.king(!us),
            pawn_files: board.pawn_files(us),
            targets,
            behind: SquareSet::EMPTY,
            placement,
            change: None,
        };
        count.meet_checks();
        count
    }

    #[inline(always)]
    fn after(placement: &'a Placement, mv: Move, hand: Hand) -> Count<'a> {
        let (us, them) = (!mv.color(), mv.color());
        let change = Change::by(mv);
        let (attacks, board) = (placement.attacks(), placement.board());
        let sides = attacks.sides_after([them, us], &change, board.occupied());
        let to = SquareSet::single(change.to);
        let from = change.leaves.map_or(SquareSet::EMPTY, |(from, _)| SquareSet::single(from));
        let own = board.pieces(us).difference(to);
        let mut pawn_files = board.pawn_files(us);
        if change.captured.map(Piece::kind) == Some(PieceKind::Pawn) {
            let file = SquareSet::file(change.to.file());
            if own.intersection(board.class(Class::Pawn)).intersection(file).is_empty() {
                pawn_files = pawn_files.difference(file);
            }
        }
        let mut count = Count {
            us,
            hand,
            sides,
            own,
            occupied: board.occupied().difference(from).union(to),
            king: board.king(us),
            their_king: match change.arrives.kind() {
                PieceKind::King => Some(change.to),
                _ => board.king(them),
            },
            pawn_files,
            targets: SquareSet::ALL.difference(own),
            behind: SquareSet::EMPTY,
            placement,
            change: Some(change),
        };
        count.meet_checks();
        count
    }

    /// Restricts the targets to those that meet a check, if there is one.
    #[inline(always)]
    fn meet_checks(&mut self) {
        if let Some(king) = self.king {
            let checks = self.theirs().directions(!self.us, king);
            if !checks.is_empty() {
                let meeting = meeting_squares(king, checks, self.occupied);
                self.targets = self.targets.intersection(meeting);
                // A checking slide reaches one square further once the king has left its square.
                let slides = self.theirs().slides().column(king);
                self.behind = Rays::<Chosen>::neighbors(king).keep(slides).squares();
            }
        }
    }

    /// Not inlined, so that the sets lie in memory. A set in memory can be loaded into a vector or
    /// read word by word. A set in a register would first have to move to another kind of register.
    #[inline(never)]
    fn moves(&self) -> u32 {
        self.board_moves() + self.drops()
    }

    #[inline(always)]
    fn theirs(&self) -> &Side<Chosen> {
        &self.sides[0]
    }

    #[inline(always)]
    fn ours(&self) -> &Side<Chosen> {
        &self.sides[1]
    }

    /// Our pieces of one class.
    #[inline(always)]
    fn of_class(&self, class: Class) -> SquareSet {
        self.placement.board().class(class).intersection(self.own)
    }

    /// The piece of ours on a square.
    #[inline(always)]
    fn own_piece(&self, square: Square) -> Piece {
        let piece = self.placement.board().piece_at(square);
        piece.expect("a piece stands on a square of its set")
    }

    #[inline(always)]
    fn board_moves(&self) -> u32 {
        let inside = self.targets.intersection(promotion_zone(self.us));
        let third = inside.intersection(SquareSet::rank(THIRD_RANK[self.us.index()]));
        // At first, every slide into the zone counts twice, as if all sliders could promote.
        let mut tally = self.ours().tally(self.targets, inside);
        self.add_promotions_out_of_zone(&mut tally);
        self.subtract_promotions_of_promoted_sliders(inside, &mut tally);
        let lost_jumps = self.take_moves_lost_by_pins(inside, third, &mut tally);
        let (more, fewer) = self.king_steps();
        let more = self.ours().jumps(self.targets, third)
            + self.pawn_promotions()
            + self.silver_promotions()
            + more;
        let fewer = self.lances_on_last_rank() + fewer + lost_jumps;
        // The tally alone may be negative: pins subtract promotions from it that are counted apart.
        TallyOf::<Chosen>::total(tally).wrapping_add(more).wrapping_sub(fewer)
    }

    /// Pawns that enter the zone or move in it, unless they must promote.
    #[inline(always)]
    fn pawn_promotions(&self) -> u32 {
        let second_and_third = SECOND_AND_THIRD_RANKS[self.us.index()];
        let pawns = self.of_class(Class::Pawn);
        pawns.one_ahead(self.us).intersection(self.targets).intersection(second_and_third).len()
    }

    /// Silvers that enter the zone, move in it or leave it.
    #[inline(always)]
    fn silver_promotions(&self) -> u32 {
        let near = far_four_ranks(self.us);
        let mut count = 0;
        self.of_class(Class::Silver).intersection(near).visit(|from| {
            let promoting = SILVER_PROMOTIONS[self.us.index()][from.index()];
            count += promoting.intersection(self.targets).len();
        });
        count
    }

    /// Promotions of bishops and rooks that leave the promotion zone.
    #[inline(always)]
    fn add_promotions_out_of_zone(&self, tally: &mut Tally) {
        let zone = promotion_zone(self.us);
        let outside = self.targets.difference(zone);
        self.of_class(Class::Slider).intersection(zone).visit(|from| {
            self.slides_onto(from, outside).add_to(tally);
        });
    }

    /// Slides into the zone were counted twice, as moves with and without promotion. Horses and
    /// dragons cannot promote again, so each of their slides is subtracted once.
    #[inline(always)]
    fn subtract_promotions_of_promoted_sliders(&self, inside: SquareSet, tally: &mut Tally) {
        self.of_class(Class::PromotedSlider).visit(|from| {
            self.slides_onto(from, inside).take_from(tally);
        });
    }

    /// The squares of a set that the slider on a square slides to.
    #[inline(always)]
    fn slides_onto(&self, from: Square, squares: SquareSet) -> Rays<Chosen> {
        rays::slider_targets(self.own_piece(from), from, self.occupied).within(squares)
    }

    /// Lances that reach the last rank must promote. (Pawns and knights that must promote were
    /// never counted twice.)
    #[inline(always)]
    fn lances_on_last_rank(&self) -> u32 {
        let forward = Compass::forward(self.us);
        let last_rank = SquareSet::rank(LAST_RANK[self.us.index()]);
        let reached = self.ours().slides().lane(forward);
        let mut count = 0;
        reached.intersection(last_rank).intersection(self.targets).visit(|to| {
            // Except where the slide along the file belongs to another kind of slider.
            let others = self.of_class(Class::Slider).union(self.of_class(Class::PromotedSlider));
            let back = forward.opposite();
            let others = others.intersection(rays::ray(to, back));
            let by_other = !others.is_empty() && {
                let seen = Rays::<Chosen>::seen(to, self.occupied).lane(back);
                !seen.intersection(others).is_empty()
            };
            count += u32::from(!by_other);
        });
        count
    }

    /// The number of the king's legal steps, and of those that the sum has counted.
    #[inline(always)]
    fn king_steps(&self) -> (u32, u32) {
        let Some(king) = self.king else { return (0, 0) };
        let neighbors = rays::neighbors(king);
        let attacked = self.theirs().squares().union(self.behind);
        let legal = neighbors.difference(self.own).difference(attacked);
        (legal.len(), neighbors.intersection(self.targets).len())
    }

    /// Moves of pinned pieces that leave their lines. Promotions count as moves of their own.
    /// Returns the number of jumps among them.
    #[inline(always)]
    fn take_moves_lost_by_pins(
        &self,
        inside: SquareSet,
        third: SquareSet,
        tally: &mut Tally,
    ) -> u32 {
        let Some(king) = self.king else { return 0 };
        let mut jumps = 0;
        let pinned = pins::line_guards(king, self.own, self.theirs().slides(), self.occupied);
        pinned.visit(|from| {
            let piece = self.own_piece(from);
            let Some(direction) = movement::compass(king, from) else { return };
            let line = 1 << direction.index() | 1 << direction.opposite().index();
            let lost: Rays<Chosen> = rays::compass_targets(piece, from, self.occupied);
            let lost = lost.keep(!line);
            let in_zone = promotion_zone(self.us).contains(from);
            let promoting = if in_zone { self.targets } else { inside };
            let promoting = promoting.intersection(choice_ranks(piece));
            lost.within(self.targets).take_from(tally);
            lost.within(promoting).take_from(tally);
            if piece.kind() == PieceKind::Knight {
                let to = rays::jump_targets(piece, from);
                jumps += to.intersection(self.targets).len() + to.intersection(third).len();
            }
        });
        jumps
    }

    #[inline(always)]
    fn drops(&self) -> u32 {
        let hand = self.hand;
        if hand.is_empty() {
            return 0;
        }
        let empties = self.targets.difference(self.occupied);
        let mut count = 0;
        if hand.contains(PieceKind::Pawn) {
            let ranks = drop_ranks(self.us, PieceKind::Pawn);
            let targets = empties.intersection(ranks).difference(self.pawn_files);
            let mates = |square| self.is_pawn_drop_mate(square);
            count += without_pawn_drop_mate(targets, self.us, self.their_king, mates).len();
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

    /// Whether a pawn dropped before their king is a pawn-drop mate (打ち歩詰め). An unsupported pawn
    /// never is.
    #[inline(always)]
    fn is_pawn_drop_mate(&self, square: Square) -> bool {
        if !self.ours().attacks(square) {
            return false;
        }
        match self.change {
            None => self.placement.is_pawn_drop_mate(self.us, square),
            Some(change) => {
                let mut after = MaybeUninit::uninit();
                self.placement.write_after(change, &mut after).is_pawn_drop_mate(self.us, square)
            }
        }
    }
}

/// The last rank of Black and of White.
const LAST_RANK: [Rank; 2] = far_rank(1);
/// The rank on which their knights have a choice to promote.
const THIRD_RANK: [Rank; 2] = far_rank(3);
/// The ranks on which their pawns have a choice to promote.
static SECOND_AND_THIRD_RANKS: [SquareSet; 2] = {
    let ([black2, white2], [black3, white3]) = (far_rank(2), far_rank(3));
    [
        SquareSet::rank(black2).union(SquareSet::rank(black3)),
        SquareSet::rank(white2).union(SquareSet::rank(white3)),
    ]
};

/// For each color and square, where a silver on it may move and promote.
static SILVER_PROMOTIONS: [[SquareSet; PADDED_CELLS]; 2] = {
    let mut table = [[SquareSet::EMPTY; PADDED_CELLS]; 2];
    let colors = [Color::Black, Color::White];
    let mut index = 0;
    while index < 2 * PADDED_CELLS {
        let (color, cell) = (colors[index % 2], index / 2);
        if let Some(from) = Square::from_index(cell) {
            let steps = movement::steps(Piece::new(color, PieceKind::Silver));
            let mut number = 0;
            while number < 8 {
                let direction = Compass::ALL[number].direction();
                if steps.contains(direction)
                    && let Some(to) = from.beside(direction)
                    && (from.in_promotion_zone(color) || to.in_promotion_zone(color))
                {
                    table[index % 2][cell].insert(to);
                }
                number += 1;
            }
        }
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use rand::prelude::*;

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
        let mut rng = StdRng::seed_from_u64(11);
        for start in starts {
            for _ in 0..20 {
                let mut position = Position::from_sfen(start).unwrap();
                for ply in 0..150 {
                    assert_eq!(position.count_legal_moves(), generated(&position), "{position}");
                    let moves = position.legal_moves();
                    for &mv in moves.iter().filter(|_| ply % 10 == 0) {
                        let replies = position.count_replies(mv);
                        let mut after = position.clone();
                        after.play_unchecked(mv);
                        assert_eq!(replies, generated(&after), "{after}");
                    }
                    let Some(&mv) = moves.choose(&mut rng) else { break };
                    position.play_unchecked(mv);
                }
            }
        }
    }
}
