//! The two players: Black (先手, sente) and White (後手, gote).

use std::fmt;
use std::ops::{Index, IndexMut, Not};
use std::str::FromStr;

/// A player. Black (先手, sente) moves first in an even game and moves towards rank a.
///
/// ```
/// use tsumero_core::Color;
/// assert_eq!(!Color::Black, Color::White);
/// assert_eq!("w".parse(), Ok(Color::White));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// 先手, written `b` in SFEN.
    Black = 0,
    /// 後手, written `w` in SFEN.
    White = 1,
}

impl Color {
    /// Both colors, Black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// 0 for Black, 1 for White.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent. This works in constants; elsewhere write `!color`.
    #[inline]
    pub const fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        self.opponent()
    }
}

/// The letter of SFEN: `b` or `w`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::Black => "b",
            Color::White => "w",
        })
    }
}

/// The text is neither `b` nor `w`.
///
/// ```
/// use tsumero_core::{Color, ParseColorError};
/// assert_eq!("black".parse::<Color>(), Err(ParseColorError));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("neither b nor w")]
pub struct ParseColorError;

impl FromStr for Color {
    type Err = ParseColorError;

    fn from_str(text: &str) -> Result<Color, ParseColorError> {
        match text {
            "b" => Ok(Color::Black),
            "w" => Ok(Color::White),
            _ => Err(ParseColorError),
        }
    }
}

/// One value for each color.
///
/// ```
/// use tsumero_core::{ByColor, Color};
/// let mut points = ByColor([27, 28]);
/// points[Color::White] += 1;
/// assert_eq!((points[Color::Black], points[Color::White]), (27, 29));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct ByColor<T>(pub [T; 2]);

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    #[inline]
    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}
