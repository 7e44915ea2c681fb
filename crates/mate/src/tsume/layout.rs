//! Layouts: positions whose pieces can be added and removed freely.

use tsumero_core::{
    Color, Hand, Piece, PieceKind, Position, Setup, SetupError, Square, between, displacement,
    slides, steps,
};

/// A [`Setup`] with all pieces of the game: what neither stands on the board nor is the attacker's
/// is in the defender's hand. The attacker is the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Layout(Setup);

impl Layout {
    /// An empty board. The defender holds all pieces except the kings.
    pub(super) fn empty(attacker: Color) -> Layout {
        let all = PieceKind::HAND
            .into_iter()
            .fold(Hand::EMPTY, |hand, kind| hand.with_count(kind, Hand::limit(kind)));
        let mut setup = Setup::empty();
        setup.set_side_to_move(attacker).set_hand(!attacker, all);
        Layout(setup)
    }

    /// The layout of a position. Its side to move is the attacker.
    pub(super) fn of(position: &Position) -> Layout {
        let mut setup = Setup::from(position);
        setup.set_move_number(1);
        Layout(setup)
    }

    pub(super) fn attacker(&self) -> Color {
        self.0.side_to_move()
    }

    pub(super) fn piece_at(&self, square: Square) -> Option<Piece> {
        self.0.piece_at(square)
    }

    pub(super) fn hand(&self, color: Color) -> Hand {
        self.0.hand(color)
    }

    /// The pieces on the board, kings included.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.0.pieces()
    }

    /// Puts a piece from the defender's hand on an empty square. Returns false, and changes
    /// nothing, if the rules forbid it: the square is taken, the piece could never move, it would
    /// be a second pawn on the file (二歩), or the defender holds none. Kings are not held, and are
    /// always available.
    pub(super) fn put(&mut self, square: Square, piece: Piece) -> bool {
        let kind = piece.kind();
        let defender = !self.attacker();
        let held = self.hand(defender);
        let is_held = kind == PieceKind::King || held.contains(kind.unpromoted());
        if !is_held
            || self.piece_at(square).is_some()
            || self.0.rule_broken_by(square, piece).is_some()
        {
            return false;
        }
        if kind != PieceKind::King {
            self.0.set_hand(defender, held.without(kind.unpromoted()));
        }
        self.0.put(square, piece);
        true
    }

    /// Removes a piece from the board and returns it. It goes to the defender's hand, unless it is
    /// a king.
    pub(super) fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.0.remove(square)?;
        if piece.kind() != PieceKind::King {
            let defender = !self.attacker();
            self.0.set_hand(defender, self.hand(defender).with(piece.kind().unpromoted()));
        }
        Some(piece)
    }

    /// Moves a piece from the defender's hand to the attacker's. Returns whether there was one.
    pub(super) fn give(&mut self, kind: PieceKind) -> bool {
        self.hand_over(kind, !self.attacker(), self.attacker())
    }

    /// Moves a piece from the attacker's hand to the defender's. Returns whether there was one.
    pub(super) fn take_back(&mut self, kind: PieceKind) -> bool {
        self.hand_over(kind, self.attacker(), !self.attacker())
    }

    fn hand_over(&mut self, kind: PieceKind, from: Color, to: Color) -> bool {
        let (giver, taker) = (self.hand(from), self.hand(to));
        if !giver.contains(kind) {
            return false;
        }
        self.0.set_hand(from, giver.without(kind)).set_hand(to, taker.with(kind));
        true
    }

    /// Whether a piece of the attacker attacks the square. One look at direction and distance
    /// rejects most pieces. Only a slide that could reach the square is walked along.
    pub(super) fn is_attacked(&self, target: Square) -> bool {
        self.pieces().any(|(square, piece)| {
            piece.color() == self.attacker()
                && displacement(square, target).is_some_and(|way| {
                    if way.distance == 1 && steps(piece).contains(way.direction) {
                        return true;
                    }
                    slides(piece).contains(way.direction)
                        && between(square, target).iter().all(|on| self.piece_at(on).is_none())
                })
        })
    }

    /// The position, or the rule that it breaks.
    pub(super) fn to_position(&self) -> Result<Position, SetupError> {
        self.0.build()
    }

    /// The position, in which pieces may stand where the rules do not allow them, as in a diagram.
    pub(super) fn to_diagram(&self) -> Result<Position, SetupError> {
        self.0.build_diagram()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_taken_apart_and_put_together() {
        for sfen in [
            "9/kS7/3G5/s1n6/rG3b3/9/9/3+b5/9 b S2Pr2gs3n4l16p 1",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "4k4/9/9/9/9/9/9/9/4K4 w 2Pg 1",
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            assert_eq!(Layout::of(&position).to_position().unwrap().to_sfen(), sfen);
        }
    }

    #[test]
    fn the_static_check_test_agrees_with_the_attack_maps() {
        let mut seen = 0;
        for sfen in [
            "9/kS7/3G5/s1n6/rG3b3/9/9/3+b5/9 b S2Pr2gs3n4l16p 1",
            "l+B1g1r1ng/5+P3/1S3+R3/5p1pN/ppp3p1P/4GP1k1/PPP3P2/1B2+n1sKL/LG4+lN1 b 4P2sp 1",
            "3+R3sk/8p/7P1/9/9/9/9/9/8B b rb4g3s4n4l16p 1",
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            let layout = Layout::of(&position);
            for square in Square::all() {
                let attacked = !position.attackers(Color::Black, square).is_empty();
                assert_eq!(layout.is_attacked(square), attacked, "{square} in {sfen}");
                seen += u32::from(attacked);
            }
        }
        assert!(seen > 40);
    }

    #[test]
    fn pieces_are_put_only_where_the_rules_leave_place() {
        let mut layout = Layout::empty(Color::Black);
        let square = |text: &str| text.parse::<Square>().unwrap();
        let piece = Piece::new;
        assert!(layout.put(square("5a"), piece(Color::White, PieceKind::King)));
        assert!(!layout.put(square("5a"), piece(Color::White, PieceKind::Gold)));
        assert!(!layout.put(square("4a"), piece(Color::Black, PieceKind::Pawn)));
        assert!(!layout.put(square("4b"), piece(Color::Black, PieceKind::Knight)));
        assert!(layout.put(square("4b"), piece(Color::Black, PieceKind::Pawn)));
        assert!(!layout.put(square("4f"), piece(Color::Black, PieceKind::Pawn)));
        assert!(layout.put(square("4f"), piece(Color::White, PieceKind::Pawn)));
        assert!(layout.put(square("4g"), piece(Color::Black, PieceKind::Tokin)));
        assert!(layout.give(PieceKind::Rook) && layout.give(PieceKind::Rook));
        assert!(!layout.give(PieceKind::Rook));
        assert!(!layout.put(square("1a"), piece(Color::White, PieceKind::Dragon)));
        assert!(layout.take_back(PieceKind::Rook));
        assert!(layout.put(square("1i"), piece(Color::White, PieceKind::Dragon)));
        let position = layout.to_position().unwrap();
        assert_eq!(position.hand(Color::Black).count(PieceKind::Rook), 1);
        assert_eq!(position.hand(Color::White).count(PieceKind::Rook), 0);
        assert_eq!(position.hand(Color::White).count(PieceKind::Pawn), 15);
        assert_eq!(layout.take(square("4g")), Some(piece(Color::Black, PieceKind::Tokin)));
        assert_eq!(layout.hand(Color::White).count(PieceKind::Pawn), 16);
        assert_eq!(layout.take(square("4g")), None);
    }
}
