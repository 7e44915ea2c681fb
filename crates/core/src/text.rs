//! The text of a value, padded to the width that a format asks for.

use std::fmt;

/// Writes a text that is put together. Without a width, nothing is allocated.
pub(crate) fn padded(f: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>) -> fmt::Result {
    if f.width().is_none() && f.precision().is_none() {
        f.write_fmt(text)
    } else {
        f.pad(&text.to_string())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Color, File, Hand, Handicap, Piece, PieceKind, Position, Rank, Square, UsiMove};

    #[test]
    fn every_short_text_is_padded() {
        fn test<T: std::fmt::Display>(value: T, text: &str) {
            assert_eq!(value.to_string(), text);
            let found = [format!("{value:8}|"), format!("{value:>8}"), format!("{value:*^9}")];
            let wanted = [format!("{text:8}|"), format!("{text:>8}"), format!("{text:*^9}")];
            assert_eq!(found, wanted);
        }
        let square: Square = "7g".parse().unwrap();
        test(square, "7g");
        test::<File>(square.file(), "7");
        test::<Rank>(square.rank(), "g");
        test(Color::White, "w");
        test(PieceKind::Pawn, "P");
        test(PieceKind::Horse, "+B");
        test(Piece::new(Color::White, PieceKind::Pawn), "p");
        test(Piece::new(Color::White, PieceKind::Tokin), "+p");
        for text in ["7g7f", "8h2b+", "P*5e"] {
            test(text.parse::<UsiMove>().unwrap(), text);
        }
        test(Position::startpos().parse_move("7g7f").unwrap(), "7g7f");
        test(Hand::EMPTY, "-");
        test("R2P".parse::<Hand>().unwrap(), "R2P");
        test(Handicap::TwoPieces, "二枚落ち");
    }
}
