//! Which quiet moves were good before.

use tsumero_control::MAX_PLY;

use crate::moves::Move;
use crate::piece::PieceId;
use crate::position::Position;

/// Ratings stay below this, up or down.
pub(super) const HISTORY_LIMIT: i32 = 1 << 14;

/// What one search has learned of quiet moves.
pub(super) struct History {
    /// By ply: the last two that caused a cut-off.
    killers: Vec<[Option<Move>; 2]>,
    /// By piece and target: how often the move was good.
    counts: Vec<[i16; 81]>,
}

impl History {
    pub(super) fn new() -> History {
        History {
            killers: vec![[None; 2]; MAX_PLY as usize + 2],
            counts: vec![[0; 81]; PieceId::COUNT],
        }
    }

    /// The rating of a quiet move: the killers of the ply come before all others.
    #[inline]
    pub(super) fn rate(&self, position: &Position, ply: u32, mv: Move) -> i32 {
        if self.killers[ply as usize].contains(&Some(mv)) {
            return HISTORY_LIMIT;
        }
        let piece = mover(position, mv).map_or(0, PieceId::number);
        i32::from(self.counts[piece][mv.to().dense_index()])
    }

    /// Learns from a quiet move that caused a cut-off, and from the earlier ones that did not.
    pub(super) fn reward(
        &mut self,
        position: &Position,
        ply: u32,
        depth: i32,
        mv: Move,
        others: &[Move],
    ) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = (depth * depth * 16).min(1200);
        self.add(position, mv, bonus);
        for &other in others {
            self.add(position, other, -bonus);
        }
    }

    fn add(&mut self, position: &Position, mv: Move, bonus: i32) {
        let Some(piece) = mover(position, mv) else { return };
        let count = &mut self.counts[piece.number()][mv.to().dense_index()];
        let old = i32::from(*count);
        *count = (old + bonus - old * bonus.abs() / (HISTORY_LIMIT - 1)) as i16;
    }
}

/// The piece that a move moves or drops.
fn mover(position: &Position, mv: Move) -> Option<PieceId> {
    match mv {
        Move::Board { from, .. } => position.piece_at(from),
        Move::Drop { piece, .. } => Some(piece),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_stay_below_the_limit_however_often_a_move_is_good_or_bad() {
        let position = Position::startpos();
        let [good, bad, killer] = ["7g7f", "2g2f", "6g6f"].map(|text| text.parse().unwrap());
        let mut history = History::new();
        for _ in 0..1_000 {
            history.reward(&position, 3, 100, good, &[bad]);
        }
        history.reward(&position, 5, 1, killer, &[]);
        let rate = |mv| history.rate(&position, 5, mv);
        assert!(rate(good) > 0 && rate(good) < HISTORY_LIMIT, "{}", rate(good));
        assert!(rate(bad) < 0 && rate(bad) > -HISTORY_LIMIT, "{}", rate(bad));
        assert_eq!(rate(killer), HISTORY_LIMIT);
        assert_eq!(history.rate(&position, 3, good), HISTORY_LIMIT);
    }
}
