//! Scores of quiet moves, by which the move picker orders them.

use tsumero_core::{Line, Move, Piece, PieceKind, SquareSet};

use crate::danger::Danger;
use crate::evaluate::{board_value, exchange_value};
use crate::history::{DropValues, Experience, QuietHistory};
use crate::lookup::{Mask, column, mask};
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
            history: experience.history.quiets(experience.context),
            parameters: experience.parameters,
            check_squares: position.check_squares(),
            danger: &experience.context.danger,
            near_king: near(position.king(!position.side_to_move())),
        }
    }

    /// The score: history and circumstances.
    #[inline]
    pub(crate) fn score(&self, mv: Move) -> i32 {
        self.history.of(mv, &self.parameters) + self.circumstances(mv)
    }

    /// The part of the score that history does not know: promotion, check, the opponent's king, and
    /// the attacks on the origin and on the target.
    #[inline]
    fn circumstances(&self, mv: Move) -> i32 {
        let (leaves, enters) = self.danger.leaves_and_enters(mv);
        let danger = i32::from(leaves) - i32::from(enters);
        let (gain, value) = GAIN_AND_VALUE[mv.kind().index()];
        let gain = if mv.promotes() { 4 * gain } else { 0 };
        let kind = mv.piece_after().kind().index();
        let checks = i32::from(self.check_squares[kind].contains(mv.to()));
        gain + checks * self.parameters.order_check
            + i32::from(self.near_king.contains(mv.to())) * self.parameters.order_near_king
            + value * danger * self.parameters.order_danger / 16
    }
}

/// The scores of drops: those of [`Quiets::score`]. They are computed for all targets of a kind
/// together, because most quiet moves are drops of a few kinds.
pub(crate) struct Drops<'a> {
    quiets: &'a Quiets<'a>,
    /// What the history of drops depends on.
    classes: [(usize, Mask); 2],
    /// Squares on which a dropped piece hangs.
    hanging: Mask,
    near_king: Mask,
    /// The kind whose scores are here, as the piece of the side to move.
    piece: Option<Piece>,
    scores: DropValues,
}

impl<'a> Drops<'a> {
    #[inline]
    pub(crate) fn new(quiets: &'a Quiets<'a>) -> Drops<'a> {
        Drops {
            quiets,
            classes: quiets.history.drop_masks(),
            hanging: mask(quiets.danger.loses_a_drop()),
            near_king: mask(quiets.near_king),
            piece: None,
            scores: [0; _],
        }
    }

    /// The score of a drop. Drops of one kind should follow each other.
    #[inline]
    pub(crate) fn score(&mut self, mv: Move) -> i32 {
        let piece = mv.piece_after();
        if self.piece != Some(piece) {
            self.piece = Some(piece);
            self.score_all(piece);
        }
        self.scores[column(mv.to())]
    }

    /// Scores all drops of a piece.
    #[inline]
    fn score_all(&mut self, piece: Piece) {
        let Quiets { history, parameters, check_squares, .. } = self.quiets;
        history.of_drops(piece, &self.classes, parameters, &mut self.scores);
        let checks = mask(check_squares[piece.kind().index()]);
        let loss = exchange_value(piece.kind()) * parameters.order_danger / 16;
        let squares = checks.iter().zip(&self.near_king).zip(&self.hanging);
        for (score, ((&check, &near), &hangs)) in self.scores.iter_mut().zip(squares) {
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
        let gain = match kind.promoted() {
            Some(promoted) => board_value(promoted) - board_value(kind),
            None => 0,
        };
        table[kind.index()] = (gain, exchange_value(kind));
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

    /// The scores of all drops at once are those of each drop.
    #[test]
    fn drops_together_have_the_scores_of_each() {
        let parameters = ParametersRef::of(&Parameters::DEFAULT);
        let (mut drops, mut checks, mut hanging) = (0, 0, 0);
        random_games(8, 10, 200, |position| {
            let mut history = History::new();
            let danger = Danger::of(position, &Attacked::of(position));
            let context = Context { danger, ..Context::NONE };
            let legal = position.legal_moves();
            for (number, &mv) in legal.iter().enumerate().filter(|(_, mv)| !mv.is_capture()) {
                history.update_main(mv, &danger, (number as i32 * 37 % 400) - 200);
            }
            let experience = Experience { history: &history, context: &context, parameters };
            let quiets = Quiets::new(position, &experience);
            let mut together = Drops::new(&quiets);
            for &mv in legal.iter().filter(|mv| mv.from().is_none()) {
                assert_eq!(together.score(mv), quiets.score(mv), "{mv} in {position}");
                drops += 1;
                checks += usize::from(position.gives_check(mv));
                hanging += usize::from(danger.loses_a_drop().contains(mv.to()));
            }
        });
        assert!(drops > 10_000 && checks > 100 && hanging > 1000, "{drops} {checks} {hanging}");
    }
}
