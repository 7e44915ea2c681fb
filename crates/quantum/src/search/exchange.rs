//! What single captures and promotions bring, by expected material.

use tsumero_core::{ByColor, Color};

use super::evaluate::{Standing, Watched, Weights};
use crate::kind_set::KindSet;
use crate::movegen::Candidate;
use crate::moves::Move;
use crate::piece::PieceId;
use crate::position::Position;

/// What it is worth to take the piece that has taken back: about a piece of unknown kind, because it
/// is not known which one that will be.
const TAKEN_AGAIN: i32 = 400;
/// What the loss of the king counts in an exchange.
const KING_LOST: i32 = 5_000;

/// Values the moves of one position.
pub(super) struct Exchange<'a> {
    position: &'a Position,
    us: Color,
    weights: ByColor<Weights>,
}

impl Exchange<'_> {
    pub(super) fn new(position: &Position) -> Exchange<'_> {
        let weights = Weights::of_both(position);
        Exchange { position, us: position.side_to_move(), weights }
    }

    /// The immediate gain of a capture or promotion; `None` for a quiet move. Of two captures of the
    /// same piece, the one by the cheaper piece comes first.
    pub(super) fn gain(&self, candidate: Candidate) -> Option<i32> {
        let Move::Board { from, to, promotes } = candidate.mv else { return None };
        let mover = self.position.piece_at(from)?;
        let value = |standing| self.weights[mover.side()].value(candidate.left, standing);
        let captured = self.position.piece_at(to);
        if captured.is_none() && !promotes {
            return None;
        }
        let mut gain = 0;
        if let Some(captured) = captured {
            gain += self.value_taken(captured, self.position.kinds(captured));
            gain -= value(Standing::on_board(self.position, mover)) / 16;
        }
        if promotes {
            gain += value(Standing::Promoted) - value(Standing::Plain);
        }
        Some(gain)
    }

    /// What a capture loses if the opponent takes back, less what is won if a second piece then takes
    /// once more. 0 if nobody guards the captured piece.
    pub(super) fn risk(&self, candidate: Candidate, watched: &Watched) -> i32 {
        let position = self.position;
        let Move::Board { from, to, .. } = candidate.mv else { return 0 };
        let (Some(mover), Some(target)) = (position.piece_at(from), position.piece_at(to)) else {
            return 0;
        };
        if !watched[!self.us].once.contains(target) || position.kinds(target) == KindSet::KING {
            return 0;
        }
        let loss = self.value_taken(mover, candidate.left);
        let won_again = if watched[self.us].twice.contains(target) { TAKEN_AGAIN } else { 0 };
        (loss - won_again).max(0)
    }

    /// What taking a piece with these kinds brings: what it was worth on the board, and what it is
    /// worth in hand.
    fn value_taken(&self, piece: PieceId, kinds: KindSet) -> i32 {
        let weights = &self.weights[piece.side()];
        let left = kinds.without(KindSet::KING);
        let in_hand =
            if left.is_empty() { KING_LOST } else { weights.value(left, Standing::InHand) };
        weights.value(kinds, Standing::on_board(self.position, piece)) + in_hand
    }
}
