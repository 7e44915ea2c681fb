//! Position lines of a book.

use std::fmt::Write as _;

/// Letters of the pieces in hand in the order of an SFEN.
const HAND_LETTERS: [u8; 7] = *b"RBGSNLP";
/// The largest number of a kind that a hand may hold.
const MOST_IN_HAND: u32 = 18;

/// A position line of a book, split into its fields and not yet checked.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    pub(crate) board: &'a [u8],
    pub(crate) side: &'a [u8],
    hands: &'a [u8],
    ply: Option<&'a [u8]>,
}

/// The position of a book line: board, side to move and hands in the usual order, and the number of
/// the next move if there is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Key {
    pub(crate) text: String,
    pub(crate) ply: Option<u32>,
}

impl<'a> Fields<'a> {
    /// Splits the text after the word `sfen`; `None` if a field is missing or there are too many.
    pub(crate) fn split(text: &'a [u8]) -> Option<Fields<'a>> {
        let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let (board, side, hands) = (words.next()?, words.next()?, words.next()?);
        let ply = words.next();
        words.next().is_none().then_some(Fields { board, side, hands, ply })
    }

    /// Compares board and side with those of another line, in the order of a sorted book. The space
    /// between the fields is smaller than every letter, so the fields can be compared one after the
    /// other.
    pub(crate) fn compare(&self, other: &Fields<'_>) -> std::cmp::Ordering {
        self.board.cmp(other.board).then(self.side.cmp(other.side))
    }

    /// The position, checked as far as a key needs it.
    ///
    /// # Errors
    /// The wrong field.
    pub(crate) fn key(&self) -> Result<Key, &'static str> {
        if !is_board(self.board) {
            return Err("the board is not nine ranks of nine squares");
        }
        let side = match self.side {
            b"b" => 'b',
            b"w" => 'w',
            _ => return Err("the side to move is neither b nor w"),
        };
        let counts = read_hands(self.hands).ok_or("the hands are not '-' or counted letters")?;
        let ply = match self.ply {
            None => None,
            Some(digits) if digits.iter().all(u8::is_ascii_digit) => {
                Some(number(digits).unwrap_or(u32::MAX))
            }
            Some(_) => return Err("the move number is not a number"),
        };
        // A board was checked to be ASCII.
        let board = String::from_utf8_lossy(self.board);
        let mut text = String::with_capacity(board.len() + 24);
        let _ = write!(text, "{board} {side} ");
        write_hands(&mut text, &counts);
        Ok(Key { text, ply })
    }
}

fn number(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

fn is_board(board: &[u8]) -> bool {
    let mut ranks = 0;
    let is_good = board.split(|&byte| byte == b'/').all(|rank| {
        ranks += 1;
        let mut squares = 0;
        let mut is_promoted = false;
        let is_known = rank.iter().all(|&byte| {
            let was_promoted = std::mem::replace(&mut is_promoted, byte == b'+');
            squares += match byte {
                b'+' => 0,
                b'1'..=b'9' => u32::from(byte - b'0'),
                _ => 1,
            };
            match byte.to_ascii_uppercase() {
                b'+' | b'1'..=b'9' | b'K' | b'G' => !was_promoted,
                b'P' | b'L' | b'N' | b'S' | b'B' | b'R' => true,
                _ => false,
            }
        });
        is_known && !is_promoted && squares == 9
    });
    is_good && ranks == 9
}

/// The numbers of all kinds: Black's seven, then White's.
fn read_hands(text: &[u8]) -> Option<[u32; 14]> {
    let mut counts = [0; 14];
    if text == b"-" {
        return Some(counts);
    }
    let mut digits = 0..0;
    for (index, &byte) in text.iter().enumerate() {
        if byte.is_ascii_digit() {
            if digits.is_empty() {
                digits = index..index;
            }
            digits.end = index + 1;
            continue;
        }
        let count = match std::mem::take(&mut digits) {
            none if none.is_empty() => 1,
            some => number(&text[some]).filter(|&count| count > 0)?,
        };
        let letter = byte.to_ascii_uppercase();
        let kind = HAND_LETTERS.iter().position(|&known| known == letter)?;
        let at = kind + if byte.is_ascii_uppercase() { 0 } else { 7 };
        counts[at] = Some(count.saturating_add(counts[at])).filter(|&all| all <= MOST_IN_HAND)?;
    }
    digits.is_empty().then_some(counts)
}

fn write_hands(text: &mut String, counts: &[u32; 14]) {
    let length = text.len();
    for (index, &count) in counts.iter().enumerate() {
        let letter = char::from(HAND_LETTERS[index % 7]);
        let letter = if index < 7 { letter } else { letter.to_ascii_lowercase() };
        match count {
            0 => {}
            1 => text.push(letter),
            _ => _ = write!(text, "{count}{letter}"),
        }
    }
    if text.len() == length {
        text.push('-');
    }
}

/// The key of the position with the board turned around and the colors exchanged. `text` is that of
/// a [`Key`].
pub(crate) fn turned(text: &str) -> String {
    let mut words = text.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let (board, side, hands) = (word(), word(), word());
    let mut turned = String::with_capacity(text.len());
    let mut squares: Vec<u8> = Vec::with_capacity(board.len());
    // Read backwards, a '+' comes after its piece. It must be written before the piece.
    for byte in board.bytes().rev() {
        match byte {
            b'+' => {
                let piece = squares.pop();
                squares.push(byte);
                squares.extend(piece);
            }
            _ => squares.push(exchange(byte)),
        }
    }
    turned.extend(squares.into_iter().map(char::from));
    turned += if side == "b" { " w " } else { " b " };
    let mut counts = read_hands(hands.as_bytes()).unwrap_or_default();
    counts.rotate_left(7);
    write_hands(&mut turned, &counts);
    turned
}

/// The letter of the same piece in the other color.
fn exchange(byte: u8) -> u8 {
    if byte.is_ascii_uppercase() { byte.to_ascii_lowercase() } else { byte.to_ascii_uppercase() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Result<Key, &'static str> {
        Fields::split(text.as_bytes()).ok_or("fields").and_then(|fields| fields.key())
    }

    #[test]
    fn hands_are_brought_into_the_usual_order() {
        let board = "4k4/9/9/9/9/9/9/9/4K4";
        for (hands, usual) in [
            ("-", "-"),
            ("p2PRb", "R2Pbp"),
            ("18p", "18p"),
            ("PPP", "3P"),
            ("2r10P3p", "10P2r3p"),
            ("gGsSnNlL", "GSNLgsnl"),
        ] {
            let expected = Key { text: format!("{board} b {usual}"), ply: Some(7) };
            assert_eq!(key(&format!("{board} b {hands} 7")), Ok(expected));
        }
        for hands in ["0P", "P2", "19P", "K", "+P", "x", "99999999999P", "10P9P"] {
            assert!(key(&format!("{board} b {hands} 7")).is_err(), "{hands}");
        }
    }

    #[test]
    fn what_is_no_position_is_refused() {
        for text in [
            "",
            "9/9/9/9/9/9/9/9/9",
            "9/9/9/9/9/9/9/9 b -",
            "9/9/9/9/9/9/9/9/9/9 b -",
            "9/9/9/9/9/9/9/9/8 b -",
            "9/9/9/9/9/9/9/9/91 b -",
            "9/9/9/9/9/9/9/9/8+ b -",
            "9/9/9/9/9/9/9/9/8+G b -",
            "9/9/9/9/9/9/9/9/+8P b -",
            "9/9/9/9/9/9/9/9/8\u{e9} b -",
            "9/9/9/9/9/9/9/9/9 x -",
            "9/9/9/9/9/9/9/9/9 b - -1",
            "9/9/9/9/9/9/9/9/9 b - 1 1",
        ] {
            assert!(key(text).is_err(), "{text}");
        }
        let without_ply = key("9/9/9/9/9/9/9/9/8+p b -").unwrap();
        assert_eq!(without_ply.ply, None);
        assert_eq!(key("9/9/9/9/9/9/9/9/9 w - 99999999999").unwrap().ply, Some(u32::MAX));
    }

    #[test]
    fn turning_exchanges_colors_and_turns_the_board() {
        let text = "+P8/9/4k4/9/9/9/9/4K4/7g1 b R2Pbp";
        assert_eq!(turned(text), "1G7/4k4/9/9/9/9/4K4/9/8+p w BPr2p");
        assert_eq!(turned(&turned(text)), text);
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
        assert_eq!(turned(start), start.replace(" b ", " w "));
    }
}
