//! The 40 pieces, with the names that they keep for the whole game.

use std::fmt;
use std::num::NonZeroU8;

use tsumero_core::Color;

use crate::army::ARMY_SIZE;

/// One of the 40 pieces. Its name is a letter: A to T for the 20 pieces that start on Black's side,
/// a to t for White's. The name does not change with the owner.
///
/// The value is the number of the piece plus one, so `Option<PieceId>` takes one byte.
///
/// ```
/// use tsumero_core::Color;
/// use tsumero_quantum::{PieceId, Position};
///
/// // Black captures piece j. It keeps its name, and it still counts for White's side.
/// let mut position = Position::startpos();
/// for text in ["7g7f", "3c3d", "8h2b+"] {
///     position.play(position.parse_move(text)?)?;
/// }
/// let piece = PieceId::from_letter(b'j').unwrap();
/// assert_eq!(position.hand(Color::Black), [piece]);
/// assert_eq!((piece.to_string().as_str(), piece.side()), ("j", Color::White));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceId(NonZeroU8);

const _: () = assert!(size_of::<Option<PieceId>>() == 1);

impl PieceId {
    /// Number of pieces on both sides.
    pub const COUNT: usize = 2 * ARMY_SIZE;

    /// The piece with the given number: 0 (A) to 19 (T), 20 (a) to 39 (t).
    #[inline]
    pub const fn new(number: usize) -> Option<PieceId> {
        if number >= PieceId::COUNT {
            return None;
        }
        match NonZeroU8::new(number as u8 + 1) {
            Some(value) => Some(PieceId(value)),
            None => None,
        }
    }

    /// All pieces in the order of their numbers.
    pub fn all() -> impl Iterator<Item = PieceId> {
        (0..PieceId::COUNT).filter_map(PieceId::new)
    }

    /// The number of the piece, 0 to 39.
    #[inline]
    pub const fn number(self) -> usize {
        (self.0.get() - 1) as usize
    }

    /// The side on which the piece started. The piece counts among the kinds of this side for the
    /// whole game.
    #[inline]
    pub const fn side(self) -> Color {
        if self.number() < ARMY_SIZE { Color::Black } else { Color::White }
    }

    /// The number of the piece within its side, 0 to 19.
    #[inline]
    pub const fn index(self) -> usize {
        self.number() % ARMY_SIZE
    }

    /// The piece with the given name.
    pub const fn from_letter(letter: u8) -> Option<PieceId> {
        match letter {
            b'A'..=b'T' => PieceId::new((letter - b'A') as usize),
            b'a'..=b't' => PieceId::new((letter - b'a') as usize + ARMY_SIZE),
            _ => None,
        }
    }

    /// The name of the piece.
    pub const fn letter(self) -> char {
        let first = match self.side() {
            Color::Black => b'A',
            Color::White => b'a',
        };
        (first + self.index() as u8) as char
    }
}

impl fmt::Display for PieceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letter().fmt(f)
    }
}

impl fmt::Debug for PieceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_padded() {
        let piece = PieceId::from_letter(b'c').unwrap();
        assert_eq!(format!("{piece:3}|{piece:>3}"), "c  |  c");
        for text in ["7g7f", "8h2b+", "c*5e"] {
            let mv: crate::Move = text.parse().unwrap();
            assert_eq!(format!("{mv:7}|{mv:>7}"), format!("{text:7}|{text:>7}"));
        }
    }

    #[test]
    fn names_and_numbers_belong_together() {
        for piece in PieceId::all() {
            assert_eq!(PieceId::from_letter(piece.letter() as u8), Some(piece));
            assert_eq!(PieceId::new(piece.number()), Some(piece));
            assert_eq!(piece.side().index() * ARMY_SIZE + piece.index(), piece.number());
        }
        assert_eq!(PieceId::all().count(), 40);
        assert_eq!(PieceId::from_letter(b'c').map(PieceId::number), Some(22));
        for letter in [b'U', b'u', b'@', b'`', b'+', 0xff] {
            assert_eq!(PieceId::from_letter(letter), None);
        }
    }
}
