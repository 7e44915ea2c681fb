//! The format of the Computer Shogi Association, versions 1 to 3.

mod board;
mod read;
mod write;

use tsumero_core::{Color, Square};

use crate::names;

pub(crate) use read::read;
pub use write::csa_move;
pub(crate) use write::write;

/// Headers that KIF and CSA name differently.
const HEADERS: [(&str, &str); 7] = [
    ("$EVENT", "棋戦"),
    ("$SITE", "場所"),
    ("$START_TIME", "開始日時"),
    ("$END_TIME", "終了日時"),
    ("$TIME_LIMIT", "持ち時間"),
    ("$OPENING", "戦型"),
    ("$NOTE", "備考"),
];

/// Whether a line without blanks around it looks like a statement.
pub(crate) fn looks_like(line: &str) -> bool {
    let mut letters = line.chars().map(|letter| letter.to_ascii_uppercase());
    match (letters.next(), letters.next()) {
        (Some('\'' | '%'), _) | (Some('N'), Some('+' | '-')) => true,
        // A KIF may contain a header from CSA, but with a wide colon.
        (Some('$'), _) => line.find([':', '：']).is_some_and(|at| line[at..].starts_with(':')),
        (Some('V'), Some(digit)) => digit.is_ascii_digit(),
        (Some('P'), Some(next)) => matches!(next, 'I' | '+' | '-' | '1'..='9'),
        (Some('+' | '-'), next) => next.is_none_or(|next| next.is_ascii_digit()),
        _ => false,
    }
}

/// The sign of a color.
fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

/// The color of a sign.
fn color_of(sign: char) -> Option<Color> {
    match sign {
        '+' => Some(Color::Black),
        '-' => Some(Color::White),
        _ => None,
    }
}

/// Reads two digits as a square; the inner `None` is 00, the hand.
fn take_square(text: &str) -> Option<(Option<Square>, &str)> {
    let (digits, rest) = text.split_at_checked(2)?;
    let mut digits = digits.chars().map(|letter| letter.to_digit(10));
    match (digits.next()??, digits.next()??) {
        (0, 0) => Some((None, rest)),
        (file, rank) => Some((Some(names::square(file, rank)?), rest)),
    }
}

/// The two digits of a square.
fn square_digits(square: Square) -> String {
    format!("{}{}", square.file().number(), square.rank().number())
}
