//! Moves in notations for people.

use tsumero_core::notation::japanese;
use tsumero_core::{Color, Move, Position, Square};

use crate::Language;

/// The mark of a player, as in printed game records.
fn mark(color: Color) -> char {
    match color {
        Color::Black => '☗',
        Color::White => '☖',
    }
}

/// A legal move in western notation with the mover's mark: ☗P-76, ☖Bx88+, ☗S*41, ☗G49-58. The
/// origin is given if another piece of the kind could go to the same square. `=` means that the
/// piece could have promoted and did not.
pub fn western(position: &Position, mv: Move) -> String {
    let digits = |square: Square| format!("{}{}", square.file().number(), square.rank().number());
    let mut text = String::from(mark(mv.color()));
    let piece = mv.piece().to_string().to_ascii_uppercase();
    text += &piece;
    let Some(from) = mv.from() else {
        return text + "*" + &digits(mv.to());
    };
    let is_rival = |other: &Move| {
        other.to() == mv.to()
            && other.piece() == mv.piece()
            && other.from().is_some_and(|f| f != from)
    };
    if position.legal_moves().iter().any(is_rival) {
        text += &digits(from);
    }
    text.push(if mv.is_capture() { 'x' } else { '-' });
    text += &digits(mv.to());
    let in_zone = |square: Square| square.in_promotion_zone(mv.color());
    if mv.promotes() {
        text.push('+');
    } else if mv.kind().can_promote() && (in_zone(from) || in_zone(mv.to())) {
        text.push('=');
    }
    text
}

/// A legal move in the notation of a language, with the mover's mark. `last` is the move before it.
/// In Japanese it is written as on the pages (同歩, 竜), not as in KI2 files (同　歩, 龍).
pub(crate) fn spoken(
    position: &Position,
    mv: Move,
    last: Option<Move>,
    language: Language,
) -> String {
    match language {
        Language::Japanese => japanese(position, mv, last),
        Language::English => western(position, mv),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_moves_are_those_of_the_pages() {
        let position = Position::from_sfen("8k/9/4+R4/9/9/9/9/9/4K4 b - 1").unwrap();
        let mv = position.parse_move("5c5b").unwrap();
        assert_eq!(spoken(&position, mv, None, Language::Japanese), "▲５二竜");
        assert_eq!(spoken(&position, mv, Some(mv), Language::Japanese), "▲同竜");
    }

    #[test]
    fn western_moves() {
        for (sfen, mv, expected) in [
            ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "7g7f", "☗P-76"),
            ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "4i5h", "☗G49-58"),
            (
                "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1",
                "2b8h+",
                "☖Bx88+",
            ),
            (
                "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1",
                "2b8h",
                "☖Bx88=",
            ),
            ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", "☗G*52"),
            ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "5c5b+", "☗P-52+"),
            ("4k4/9/4+P4/9/9/9/9/9/4K4 b G 1", "5c5b", "☗+P-52"),
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            let mv = position.parse_move(mv).unwrap();
            assert_eq!(western(&position, mv), expected, "{sfen}");
        }
    }
}
