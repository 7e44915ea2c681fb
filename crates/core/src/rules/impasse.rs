//! Impasse (持将棋, jishogi), also called entering king (入玉): points, the draw, and the declaration of
//! a win (入玉宣言).

use std::fmt;
use std::str::FromStr;

use crate::color::{ByColor, Color};
use crate::hand::Hand;
use crate::piece::{Piece, PieceKind};
use crate::position::Position;
use crate::promotion::promotion_zone;
use crate::square_set::SquareSet;

/// The rule that decides games in which a king has entered the enemy camp (入玉). The names are those
/// of the USI option `EnteringKingRule`.
///
/// ```
/// use tsumero_core::{EnteringKingRule, Position};
/// let position = Position::startpos();
/// assert!(!position.declaration_wins(EnteringKingRule::CsaRule27));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub enum EnteringKingRule {
    /// No such rule.
    NoEnteringKing,
    /// 24-point declaration: 31 points win.
    CsaRule24,
    /// The same, but the points of the pieces that a handicap removes count for White.
    CsaRule24Handicap,
    /// 27-point declaration: 28 points win for Black, 27 for White.
    #[default]
    CsaRule27,
    /// The same, but the points of the pieces that a handicap removes count for White.
    CsaRule27Handicap,
    /// A king that reaches the enemy king's first square wins.
    TryRule,
}

impl EnteringKingRule {
    /// All rules in the order options list them.
    pub const ALL: [EnteringKingRule; 6] = [
        EnteringKingRule::NoEnteringKing,
        EnteringKingRule::CsaRule24,
        EnteringKingRule::CsaRule24Handicap,
        EnteringKingRule::CsaRule27,
        EnteringKingRule::CsaRule27Handicap,
        EnteringKingRule::TryRule,
    ];

    /// The name of the rule in USI.
    pub const fn name(self) -> &'static str {
        match self {
            EnteringKingRule::NoEnteringKing => "NoEnteringKing",
            EnteringKingRule::CsaRule24 => "CSARule24",
            EnteringKingRule::CsaRule24Handicap => "CSARule24H",
            EnteringKingRule::CsaRule27 => "CSARule27",
            EnteringKingRule::CsaRule27Handicap => "CSARule27H",
            EnteringKingRule::TryRule => "TryRule",
        }
    }

    /// Points a color needs to declare a win, or `None` where points decide nothing.
    fn points_to_win(self, color: Color) -> Option<u32> {
        match self {
            EnteringKingRule::NoEnteringKing | EnteringKingRule::TryRule => None,
            EnteringKingRule::CsaRule24 | EnteringKingRule::CsaRule24Handicap => Some(31),
            EnteringKingRule::CsaRule27 | EnteringKingRule::CsaRule27Handicap => {
                Some(if color == Color::Black { 28 } else { 27 })
            }
        }
    }

    fn counts_missing_pieces(self) -> bool {
        matches!(self, EnteringKingRule::CsaRule24Handicap | EnteringKingRule::CsaRule27Handicap)
    }
}

/// The name in USI.
impl fmt::Display for EnteringKingRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text names no [`EnteringKingRule`].
///
/// ```
/// use tsumero_core::{EnteringKingRule, ParseEnteringKingRuleError};
/// assert_eq!("TryRule".parse(), Ok(EnteringKingRule::TryRule));
/// assert_eq!("Try".parse::<EnteringKingRule>(), Err(ParseEnteringKingRuleError));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not the name of a rule for entering kings")]
pub struct ParseEnteringKingRuleError;

/// Reads the name in USI.
impl FromStr for EnteringKingRule {
    type Err = ParseEnteringKingRuleError;

    fn from_str(text: &str) -> Result<EnteringKingRule, ParseEnteringKingRuleError> {
        let named = EnteringKingRule::ALL.into_iter().find(|rule| rule.name() == text);
        named.ok_or(ParseEnteringKingRuleError)
    }
}

/// Points of a rook or a bishop (大駒), promoted or not.
const LARGE_POINTS: u32 = 5;
/// Points of any other piece (小駒) but the king.
const SMALL_POINTS: u32 = 1;
/// Points of all pieces of an even game.
const ALL_POINTS: u32 = {
    let mut sum = 0;
    let mut number = 0;
    while number < PieceKind::HAND.len() {
        let kind = PieceKind::HAND[number];
        sum += points(kind) * Hand::limit(kind);
        number += 1;
    }
    sum
};
/// Pieces besides the king that must stand in the enemy camp for a declaration.
const PIECES_TO_DECLARE: u32 = 10;
/// Points each side needs for an impasse to be drawn.
const POINTS_TO_DRAW: u32 = 24;

/// Points of one piece: king 0, rook and bishop (promoted or not) 5, all others 1.
const fn points(kind: PieceKind) -> u32 {
    match kind.unpromoted() {
        PieceKind::King => 0,
        PieceKind::Rook | PieceKind::Bishop => LARGE_POINTS,
        _ => SMALL_POINTS,
    }
}

impl Position {
    fn points_in_hand(&self, color: Color) -> u32 {
        self.hand(color).iter().map(|(kind, count)| points(kind) * count).sum()
    }

    /// Impasse points of all pieces a color has, on the board and in hand.
    pub fn impasse_points(&self, color: Color) -> u32 {
        let on_board: u32 = self
            .pieces()
            .filter(|(_, piece)| piece.color() == color)
            .map(|(_, piece)| points(piece.kind()))
            .sum();
        on_board + self.points_in_hand(color)
    }

    /// Impasse points a color may count for a declaration: pieces in the enemy camp and in hand.
    pub fn declaration_points(&self, color: Color) -> u32 {
        self.camp_pieces(color).map(points).sum::<u32>() + self.points_in_hand(color)
    }

    /// Number of a color's pieces in the enemy camp, the king not counted.
    pub fn pieces_in_enemy_camp(&self, color: Color) -> u32 {
        self.camp_squares(color).len() - u32::from(self.king_has_entered(color))
    }

    /// The squares of a color's pieces in the enemy camp.
    fn camp_squares(&self, color: Color) -> SquareSet {
        self.squares_of(color).intersection(promotion_zone(color))
    }

    fn camp_pieces(&self, color: Color) -> impl Iterator<Item = PieceKind> + '_ {
        let pieces = self.camp_squares(color).iter().filter_map(|square| self.piece_at(square));
        pieces.map(Piece::kind)
    }

    #[inline]
    fn king_has_entered(&self, color: Color) -> bool {
        self.king(color).is_some_and(|king| promotion_zone(color).contains(king))
    }

    /// Points of the pieces that neither side has: those that a handicap removes.
    fn missing_points(&self) -> u32 {
        let present = self.impasse_points(Color::Black) + self.impasse_points(Color::White);
        ALL_POINTS.saturating_sub(present)
    }

    /// Whether the players would agree on a drawn impasse (持将棋): both kings have entered the enemy
    /// camp, and each side has 24 points or more. In a handicap game, the points of the pieces that
    /// White gave up count for White. So every piece that is missing counts for White.
    pub fn is_impasse_draw(&self) -> bool {
        let given_up = ByColor([0, self.missing_points()]);
        Color::ALL.into_iter().all(|color| {
            self.king_has_entered(color)
                && self.impasse_points(color) + given_up[color] >= POINTS_TO_DRAW
        })
    }

    /// Whether the side to move wins by a declaration (入玉宣言): its king stands in the enemy camp and
    /// is not in check, at least ten more of its pieces stand there, and it has the points. Always
    /// false under the try rule, where a move wins: see [`Move::is_try`](crate::Move::is_try).
    #[inline]
    pub fn declaration_wins(&self, rule: EnteringKingRule) -> bool {
        // Nearly always false, at every node of a search.
        self.king_has_entered(self.side_to_move()) && self.entered_king_wins(rule)
    }

    /// [`Position::declaration_wins`], where the king stands in the enemy camp.
    fn entered_king_wins(&self, rule: EnteringKingRule) -> bool {
        let us = self.side_to_move();
        let Some(needed) = rule.points_to_win(us) else { return false };
        if self.in_check() || self.pieces_in_enemy_camp(us) < PIECES_TO_DECLARE {
            return false;
        }
        let mut points = self.declaration_points(us);
        if rule.counts_missing_pieces() && us == Color::White {
            points += self.missing_points();
        }
        points >= needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wins(sfen: &str, rule: EnteringKingRule) -> bool {
        Position::from_sfen(sfen).unwrap().declaration_wins(rule)
    }

    #[test]
    fn twenty_eight_points_win_for_black_and_twenty_seven_for_white() {
        // Ten pieces in the camp, of them a dragon and a horse: 18 points; hands make the rest.
        let black = |hand: &str| format!("K+R+BGGSS+N+N/+L+L7/9/9/9/9/9/9/4k4 b {hand} 1");
        assert!(wins(&black("RB"), EnteringKingRule::CsaRule27));
        assert!(!wins(&black("R4P"), EnteringKingRule::CsaRule27));
        assert!(!wins(&black("RB"), EnteringKingRule::CsaRule24));
        assert!(wins(&black("RB3P"), EnteringKingRule::CsaRule24));
        assert!(!wins(&black("RB3P"), EnteringKingRule::NoEnteringKing));
        let white = |hand: &str| format!("4K4/9/9/9/9/9/9/+l+l7/k+r+bggss+n+n w {hand} 1");
        assert!(wins(&white("r4p"), EnteringKingRule::CsaRule27));
        assert!(!wins(&white("r3p"), EnteringKingRule::CsaRule27));
    }

    #[test]
    fn each_condition_of_the_declaration_is_needed() {
        let rule = EnteringKingRule::CsaRule27;
        assert!(wins("K+R+BGGSS+N+N/+L+L7/9/9/9/9/9/9/4k4 b RB 1", rule));
        // Nine pieces in the camp.
        assert!(!wins("K+R+BGGSS+N+N/+L8/9/L8/9/9/9/9/4k4 b RBP 1", rule));
        // The king outside.
        assert!(!wins("1+R+BGGSS+N+N/+L+L7/9/K8/9/9/9/9/4k4 b RB 1", rule));
        // In check, and for comparison the same with the checking piece elsewhere.
        assert!(!wins("K+R+BGGSS+N+N/+l+L+L6/9/9/9/9/9/9/4k4 b RB 1", rule));
        assert!(wins("K+R+BGGSS+N+N/1+L+L6/9/9/+l8/9/9/9/4k4 b RB 1", rule));
    }

    #[test]
    fn a_handicap_counts_for_white() {
        // White holds 26 points; the pieces that are missing add to them.
        let sfen = "4K4/9/9/9/9/9/9/+l+l7/k+r+bggss+n+n w 8p 1";
        assert!(!wins(sfen, EnteringKingRule::CsaRule27));
        assert!(wins(sfen, EnteringKingRule::CsaRule27Handicap));
        assert!(!wins(sfen, EnteringKingRule::CsaRule24));
        assert!(wins(sfen, EnteringKingRule::CsaRule24Handicap));
        // With all pieces there is nothing to add, and else exactly what is missing.
        let with = |black: &str| format!("4K4/9/9/9/9/9/9/+l+l7/k+r+bggss+n+n w {black}8p 1");
        assert!(!wins(&with("RB2G2S2N2L10P"), EnteringKingRule::CsaRule27Handicap));
        assert!(wins(&with("RB2G2S2N2L9P"), EnteringKingRule::CsaRule27Handicap));
        assert!(!wins(&with("RB2G2S2N2L6P"), EnteringKingRule::CsaRule24Handicap));
        assert!(wins(&with("B2G2S2N2L10P"), EnteringKingRule::CsaRule24Handicap));
    }

    #[test]
    fn each_rule_has_a_name_that_is_read_back() {
        for rule in EnteringKingRule::ALL {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        let [first, .., last] = EnteringKingRule::ALL;
        assert_eq!((first.name(), format!("{last:>8}").as_str()), ("NoEnteringKing", " TryRule"));
        for text in ["", "tryrule", "CSARule", "CSARule27 "] {
            assert_eq!(text.parse::<EnteringKingRule>(), Err(ParseEnteringKingRuleError));
        }
    }

    #[test]
    fn an_impasse_needs_both_kings_and_both_sides_points() {
        let sfen = "K1+R+BGGSS1/+L+L7/9/9/9/9/9/+l+l7/k1+r+bggss1 b 9P9p 1";
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(position.impasse_points(Color::Black), 25);
        assert!(position.is_impasse_draw());
        let fewer = Position::from_sfen(&sfen.replace("9P", "7P")).unwrap();
        assert!(!fewer.is_impasse_draw());
        let outside = "2+R+BGGSS1/+L+L7/9/K8/9/9/9/+l+l7/k1+r+bggss1 b 9P9p 1";
        assert!(!Position::from_sfen(outside).unwrap().is_impasse_draw());
        let uneven = Position::from_sfen(&sfen.replacen("1+R+B", "+N+R+B", 1)).unwrap();
        assert_eq!(Color::ALL.map(|color| uneven.impasse_points(color)), [26, 25]);
    }

    #[test]
    fn the_pieces_of_a_handicap_count_for_white_in_an_impasse() {
        let drawn = |sfen: &str| Position::from_sfen(sfen).unwrap().is_impasse_draw();
        // White gave a rook and a bishop, and has 20 points besides; Black has the other 24.
        assert!(drawn("K1GGSS3/+L+L7/9/9/9/9/9/+l+l7/k1+r+bggss1 b 4N14P4p 1"));
        // The same pieces of White in an even game, with the other large pieces in Black's hand.
        assert!(!drawn("K1GGSS3/+L+L7/9/9/9/9/9/+l+l7/k1+r+bggss1 b RB4N14P4p 1"));
        // Black gains nothing by pieces that are missing.
        assert!(!drawn("K1GGSS3/+L+L7/9/9/9/9/9/+l+l7/k1+r+bggss1 b 4N13P4p 1"));
    }

    #[test]
    fn all_pieces_of_an_even_game_have_54_points() {
        let start = Position::startpos();
        let both = Color::ALL.map(|color| start.impasse_points(color));
        assert_eq!(both, [27, 27]);
        assert_eq!(both.into_iter().sum::<u32>(), ALL_POINTS);
    }

    #[test]
    fn a_try_is_the_kings_move_to_the_enemy_kings_square() {
        let is_try = |sfen: &str, text: &str| {
            Position::from_sfen(sfen).unwrap().parse_move(text).unwrap().is_try()
        };
        assert!(is_try("9/4K4/9/9/9/9/9/9/k8 b - 1", "5b5a"));
        assert!(is_try("8K/9/9/9/9/9/9/4k4/9 w - 1", "5h5i"));
        assert!(!is_try("9/4K4/9/9/9/9/9/9/k8 b - 1", "5b4a"), "another square");
        assert!(!is_try("9/4G4/9/9/9/9/9/9/k7K b - 1", "5b5a"), "another piece");
        assert!(!is_try("k8/9/9/9/9/9/9/4K4/9 b - 1", "5h5i"), "its own side");
    }
}
