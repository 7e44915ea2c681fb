//! Scores of quiet moves, by which the move picker orders them.

use tsumero_core::{Line, Move, Piece, PieceKind, Square, SquareSet};

use crate::danger::Danger;
use crate::evaluate::{exchange_value, promotion_gain};
use crate::history::{DropValues, Experience, QuietHistory};
use crate::lookup::{COLUMNS, Mask, column, mask};
use crate::near::near;
use crate::parameters::ParametersRef;

/// The data that the scores of all quiet moves of a node share.
pub(crate) struct Quiets<'a> {
    history: QuietHistory<'a>,
    parameters: ParametersRef<'a>,
    /// By kind, the squares from which it checks.
    check_squares: [SquareSet; 16],
    /// What the opponent attacks.
    danger: &'a Danger,
    /// Squares near the opponent's king.
    near_king: SquareSet,
}

impl<'a> Quiets<'a> {
    #[inline]
    pub(crate) fn new(position: &Line, experience: &Experience<'a>) -> Quiets<'a> {
        Quiets {
            history: experience.history.quiets(experience.context, position.side_to_move()),
            parameters: experience.parameters,
            check_squares: position.check_squares(),
            danger: &experience.context.danger,
            near_king: near(position.king(!position.side_to_move())),
        }
    }

    /// The score: history and circumstances.
    #[inline]
    pub(crate) fn score(&self, mv: Move) -> i32 {
        let (leaves, enters) = self.danger.leaves_and_enters(mv);
        let near = i32::from(self.near_king.contains(mv.to())) * self.parameters.order_near_king;
        let danger = i32::from(leaves) - i32::from(enters);
        self.history.of(mv, &self.parameters) + self.circumstances(mv, near, danger)
    }

    /// The part of the score that history does not know: promotion, check, the opponent's king, and
    /// the attacks on the origin and on the target. `danger` is 1 if the move leaves a square on which
    /// its piece hangs, less 1 if it goes to one.
    #[inline(always)]
    fn circumstances(&self, mv: Move, near: i32, danger: i32) -> i32 {
        let (gain, value) = GAIN_AND_VALUE[mv.kind().index()];
        let gain = if mv.promotes() { 4 * gain } else { 0 };
        let kind = mv.piece_after().kind().index();
        let checks = i32::from(self.check_squares[kind].contains(mv.to()));
        gain + checks * self.parameters.order_check
            + near
            + value * danger * self.parameters.order_danger / 16
    }
}

/// The scores of all quiet moves of a node: those of [`Quiets::score`], faster for many moves.
///
/// What depends on a square alone is spread over the board once. Drops are scored for all targets of a kind
/// together, because most quiet moves are drops of a few kinds.
pub(crate) struct AllQuiets<'a> {
    quiets: &'a Quiets<'a>,
    /// The class of a move's origin and that of its target, for moves of pieces on the board.
    origins: [u8; COLUMNS],
    targets: [u8; COLUMNS],
    attacked: Mask,
    /// Squares on which a dropped piece hangs.
    hanging: Mask,
    near_king: Mask,
    /// The kind whose drops have their scores here, as the piece of the side to move.
    piece: Option<Piece>,
    drops: DropValues,
}

impl<'a> AllQuiets<'a> {
    #[inline]
    pub(crate) fn new(quiets: &'a Quiets<'a>) -> AllQuiets<'a> {
        let [attacked, unguarded, lost] = quiets.danger.sets().map(mask);
        let classes = |hangs: &Mask| {
            let mut classes = [0; COLUMNS];
            for ((class, &attacked), &hangs) in classes.iter_mut().zip(&attacked).zip(hangs) {
                *class = -(attacked + hangs) as u8;
            }
            classes
        };
        AllQuiets {
            quiets,
            origins: classes(&unguarded),
            targets: classes(&lost),
            attacked,
            hanging: unguarded,
            near_king: mask(quiets.near_king),
            piece: None,
            drops: [0; _],
        }
    }

    /// The score of a move. Drops of one kind should follow each other.
    #[inline(always)]
    pub(crate) fn score(&mut self, mv: Move) -> i32 {
        match mv.from() {
            Some(from) => self.score_on_board(mv, from),
            None => self.score_drop(mv),
        }
    }

    #[inline(always)]
    fn score_on_board(&self, mv: Move, from: Square) -> i32 {
        let Quiets { history, parameters, .. } = self.quiets;
        let to = column(mv.to());
        let [origin, target] = [self.origins[column(from)], self.targets[to]];
        let near = i32::from(self.near_king[to]) & parameters.order_near_king;
        // The highest class of a square is that on which the piece hangs.
        let danger = i32::from(origin >> 1) - i32::from(target >> 1);
        let class = usize::from(origin + 3 * target);
        history.of_class(mv, class, parameters) + self.quiets.circumstances(mv, near, danger)
    }

    #[inline(always)]
    fn score_drop(&mut self, mv: Move) -> i32 {
        let piece = mv.piece_after();
        if self.piece != Some(piece) {
            self.piece = Some(piece);
            self.score_drops(piece);
        }
        self.drops[column(mv.to())]
    }

    /// Scores all drops of a piece.
    #[inline]
    fn score_drops(&mut self, piece: Piece) {
        let Quiets { history, parameters, check_squares, .. } = self.quiets;
        history.of_drops(piece, &self.attacked, &self.hanging, parameters, &mut self.drops);
        let checks = mask(check_squares[piece.kind().index()]);
        let loss = exchange_value(piece.kind()) * parameters.order_danger / 16;
        let squares = checks.iter().zip(&self.near_king).zip(&self.hanging);
        for (score, ((&check, &near), &hangs)) in self.drops.iter_mut().zip(squares) {
            *score += (i32::from(check) & parameters.order_check)
                + (i32::from(near) & parameters.order_near_king)
                - (i32::from(hangs) & loss);
        }
    }
}

/// For each kind, its gain by promotion and its exchange value.
const GAIN_AND_VALUE: [(i32, i32); 16] = {
    let mut table = [(0, 0); 16];
    let mut number = 0;
    while number < PieceKind::ALL.len() {
        let kind = PieceKind::ALL[number];
        table[kind.index()] = (promotion_gain(kind), exchange_value(kind));
        number += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::danger::Attacked;
    use crate::history::History;
    use crate::lookup::Context;
    use crate::parameters::Parameters;
    use crate::testing::random_games;
    use crate::tt::TranspositionTable;

    /// The scores of all moves at once are those of each move.
    #[test]
    fn moves_together_have_the_scores_of_each() {
        let parameters = ParametersRef::new(&Parameters::DEFAULT);
        let table = &TranspositionTable::new(1).unwrap();
        let (mut drops, mut moves, mut checks, mut hanging) = (0, 0, 0, 0);
        random_games(8, 10, 200, |position| {
            let mut history = History::new();
            let danger = Danger::of(position, &Attacked::of(position));
            let context = Context { danger, ..Context::NONE };
            let legal = position.legal_moves();
            for (number, &mv) in legal.iter().enumerate().filter(|(_, mv)| !mv.is_capture()) {
                history.update_main(mv, &danger, (number as i32 * 37 % 400) - 200);
            }
            let experience = Experience { history: &history, context: &context, parameters, table };
            let quiets = Quiets::new(position, &experience);
            let mut together = AllQuiets::new(&quiets);
            for &mv in legal.iter().filter(|mv| !mv.is_capture()) {
                assert_eq!(together.score(mv), quiets.score(mv), "{mv} in {position}");
                let is_drop = mv.from().is_none();
                *(if is_drop { &mut drops } else { &mut moves }) += 1;
                checks += usize::from(position.gives_check(mv));
                hanging += usize::from(danger.leaves_and_enters(mv).1);
            }
        });
        let seen = [drops, moves, checks, hanging];
        assert!(drops > 10_000 && moves > 10_000 && checks > 100 && hanging > 1000, "{seen:?}");
    }
}
