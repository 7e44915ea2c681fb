//! Mate problems (詰将棋), which may start where the side to move could capture the king.

use crate::between::between;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::position::Position;
use crate::rays;
use crate::setup::{Setup, SetupError};
use crate::sfen::SfenError;
use crate::square::Square;

/// The start of a mate problem: a position, or a board on which the side to move could capture the
/// other king.
///
/// Such a board cannot arise in a game, but collections of problems contain some. The rule for them
/// is the smallest change that gives them a meaning. A king is never captured. After every move of the
/// attacker, the other king must be in check, and the attacker's own king must not. So a move that
/// keeps the existing check counts as a check. After the first move the board is an ordinary position,
/// so only the first move needs this rule.
///
/// ```
/// use tsumero_core::MateProblem;
/// // The rook gives check already, with Black to move.
/// let problem = MateProblem::from_sfen("4k4/9/9/9/9/9/9/9/4R4 b G 1").unwrap();
/// assert!(problem.position().is_none() && !problem.checks().is_empty());
/// ```
///
/// A [`Position`] is never such a board, and code that works on positions need not know of it.
#[derive(Clone, Debug)]
pub struct MateProblem(Start);

#[derive(Clone, Debug)]
enum Start {
    Position(Box<Position>),
    /// The side to move could capture the other king, which is the only fault.
    StandingCheck(Setup),
}

impl MateProblem {
    /// Reads a problem as [`Position::from_diagram`] reads a position, but accepts a standing check.
    ///
    /// # Errors
    ///
    /// The first fault found. It is never [`SetupError::OpponentInCheck`].
    ///
    /// ```
    /// use tsumero_core::MateProblem;
    /// let problem = MateProblem::from_sfen("k8/1P7/9/9/9/9/9/9/R8 b - 1").unwrap();
    /// assert!(problem.position().is_none());
    /// // The king is in check already, and every move that lets it stand is allowed.
    /// assert!(problem.checks().iter().any(|(mv, _)| mv.to_string() == "8b8a+"));
    /// assert!(problem.checks().iter().all(|(mv, _)| mv.to_string() != "9i9a"));
    /// ```
    pub fn from_sfen(sfen: &str) -> Result<MateProblem, SfenError> {
        Ok(MateProblem::from_setup(Setup::from_sfen(sfen)?)?)
    }

    /// A problem with the contents of a setup. They are accepted as in [`MateProblem::from_sfen`].
    ///
    /// # Errors
    ///
    /// The first fault found. It is never [`SetupError::OpponentInCheck`].
    ///
    /// ```
    /// use tsumero_core::{MateProblem, Piece, Setup};
    /// let mut setup = Setup::empty();
    /// for (square, letter) in [("5a", "k"), ("5i", "R")] {
    ///     setup.put(square.parse().unwrap(), letter.parse::<Piece>().unwrap());
    /// }
    /// assert!(MateProblem::from_setup(setup).unwrap().position().is_none());
    /// ```
    pub fn from_setup(setup: Setup) -> Result<MateProblem, SetupError> {
        match setup.build_diagram() {
            Ok(position) => Ok(position.into()),
            Err(SetupError::OpponentInCheck) => Ok(MateProblem(Start::StandingCheck(setup))),
            Err(fault) => Err(fault),
        }
    }

    /// The position, unless the side to move could capture the other king.
    pub fn position(&self) -> Option<&Position> {
        match &self.0 {
            Start::Position(position) => Some(position),
            Start::StandingCheck(_) => None,
        }
    }

    /// Its contents, also where it is no position.
    ///
    /// ```
    /// use tsumero_core::MateProblem;
    /// let sfen = "4k4/9/9/9/9/9/9/9/4R4 b G 1";
    /// let problem = MateProblem::from_sfen(sfen).unwrap();
    /// assert!(problem.position().is_none());
    /// assert_eq!(problem.to_setup().to_sfen(), sfen);
    /// ```
    pub fn to_setup(&self) -> Setup {
        match &self.0 {
            Start::Position(position) => Setup::from(&**position),
            Start::StandingCheck(setup) => setup.clone(),
        }
    }

    /// The rules that its pieces break: [`Position::broken_rules`].
    pub fn broken_rules(&self) -> Vec<SetupError> {
        match &self.0 {
            Start::Position(position) => position.broken_rules(),
            Start::StandingCheck(setup) => setup.broken_rules(),
        }
    }

    /// The attacker's possible first moves, which are all legal checks, each with the position
    /// after it. There are none if the other side has no king.
    pub fn checks(&self) -> Vec<(Move, Position)> {
        match &self.0 {
            Start::Position(position) => {
                let after = |&mv: &Move| {
                    let mut after = Position::clone(position);
                    after.play_unchecked(mv);
                    (mv, after)
                };
                let moves = position.legal_moves();
                moves.iter().filter(|&&mv| position.gives_check(mv)).map(after).collect()
            }
            Start::StandingCheck(setup) => checks_beside_standing_check(setup),
        }
    }
}

impl From<Position> for MateProblem {
    fn from(position: Position) -> MateProblem {
        MateProblem(Start::Position(Box::new(position)))
    }
}

/// The moves after which the other king is in check, and the mover's own king is not.
fn checks_beside_standing_check(setup: &Setup) -> Vec<(Move, Position)> {
    let us = setup.side_to_move();
    let kings = setup.pieces().filter(|(_, piece)| piece.kind() == PieceKind::King);
    let kings: Vec<(Square, Piece)> = kings.collect();
    // Without the kings it is a position, and all moves of the other pieces are legal there. Those
    // that need the square of a king do not exist.
    let mut others = setup.clone();
    for &(square, _) in &kings {
        others.remove(square);
    }
    let Ok(others) = others.build_diagram() else { return Vec::new() };
    let meets_king = |mv: &Move| {
        kings.iter().any(|&(king, _)| {
            king == mv.to() || mv.from().is_some_and(|from| between(from, mv.to()).contains(king))
        })
    };
    let (drops, mut moves): (Vec<Move>, Vec<Move>) =
        others.legal_moves().iter().filter(|mv| !meets_king(mv)).partition(|mv| mv.is_drop());
    for &(from, king) in kings.iter().filter(|(_, king)| king.color() == us) {
        for to in rays::neighbors(from) {
            let target = setup.piece_at(to);
            if target.is_none_or(|piece| piece.color() != us && piece.kind() != PieceKind::King) {
                moves.push(Move::board(from, to, king, target.map(Piece::kind), false));
            }
        }
    }
    moves.extend(drops);
    let after = |mv: Move| {
        // It is a position unless the mover's own king could be captured.
        let after = setup.after(mv).build_diagram().ok()?;
        (after.in_check() && !is_pawn_drop_mate(mv, &after)).then_some((mv, after))
    };
    moves.into_iter().filter_map(after).collect()
}

/// Whether the move just made was a pawn-drop mate (打ち歩詰め). The generator's own test assumes that
/// the pawn gives the only check.
fn is_pawn_drop_mate(mv: Move, after: &Position) -> bool {
    mv.is_drop()
        && mv.kind() == PieceKind::Pawn
        && after.checkers().contains(mv.to())
        && !after.has_legal_move()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks(sfen: &str) -> Vec<String> {
        let problem = MateProblem::from_sfen(sfen).unwrap();
        let mut texts: Vec<String> =
            problem.checks().iter().map(|(mv, _)| mv.to_string()).collect();
        texts.sort();
        texts
    }

    #[test]
    fn a_position_keeps_its_checks() {
        let sfen = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
        let problem = MateProblem::from_sfen(sfen).unwrap();
        assert_eq!(problem.position().map(Position::to_sfen).as_deref(), Some(sfen));
        assert_eq!(problem.to_setup().to_sfen(), sfen);
        let all = ["5c5b", "5c5b+", "G*4a", "G*4b", "G*5b", "G*6a", "G*6b"];
        assert_eq!(checks(sfen), all);
    }

    #[test]
    fn a_standing_check_is_kept_up_or_given_anew() {
        // The rook checks along the file. It may move on it or leave it with the pawn's check;
        // the king is not captured, and the pawn on the file must not step between.
        let checks = checks("4k4/5P3/9/9/4R4/9/9/9/4K4 b - 1");
        assert!(checks.contains(&"5e5d".to_owned()) && checks.contains(&"5i4i".to_owned()));
        assert!(!checks.contains(&"5e5a+".to_owned()) && !checks.contains(&"5e5a".to_owned()));
        assert!(!checks.contains(&"5e4e".to_owned()));
    }

    #[test]
    fn kings_side_by_side_part() {
        assert!(checks("9/9/9/4k4/4K4/9/9/9/9 b - 1").is_empty());
        // The king steps off the lance's file.
        assert_eq!(checks("9/9/9/4k4/4K4/4L4/9/9/9 b - 1"), ["5e4f", "5e6f"]);
    }

    #[test]
    fn a_pawn_beside_a_standing_check_may_not_be_dropped_to_mate() {
        // The gold could capture the pawn, but the rook would still give check.
        let sfen = "k1R6/9/gS7/9/9/9/9/9/9 b P 1";
        let all = checks(sfen);
        assert!(all.contains(&"P*5e".to_owned()), "{all:?}");
        assert!(!all.contains(&"P*9b".to_owned()), "{all:?}");
    }

    #[test]
    fn other_faults_stay_faults() {
        let twice = MateProblem::from_sfen("kk7/9/9/9/9/9/9/9/9 b - 1");
        assert!(matches!(twice, Err(SfenError::Setup(SetupError::Kings(_)))));
    }
}
