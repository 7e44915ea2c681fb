//! SFEN and move text for the oracle, read and written without any help from the crate under test.

use super::{Color, Kind, Move, Position, Reason, Square};
use std::fmt;

/// Letters of the kinds as SFEN writes them for Black, without the plus sign.
const LETTERS: [(char, Kind); 8] = [
    ('P', Kind::Pawn),
    ('L', Kind::Lance),
    ('N', Kind::Knight),
    ('S', Kind::Silver),
    ('G', Kind::Gold),
    ('B', Kind::Bishop),
    ('R', Kind::Rook),
    ('K', Kind::King),
];

fn kind_of(letter: char) -> Option<Kind> {
    Kind::from_letter(letter.to_ascii_uppercase())
}

impl Kind {
    /// The kind that a capital letter stands for.
    pub(crate) fn from_letter(letter: char) -> Option<Kind> {
        LETTERS.iter().find(|(upper, _)| *upper == letter).map(|(_, kind)| *kind)
    }
}

fn letter_of(kind: Kind) -> char {
    let base = kind.unpromoted();
    LETTERS.iter().find(|(_, listed)| *listed == base).expect("every kind has a letter").0
}

fn color_of(letter: char) -> Color {
    if letter.is_ascii_uppercase() { Color::Black } else { Color::White }
}

fn colored(letter: char, color: Color) -> char {
    match color {
        Color::Black => letter,
        Color::White => letter.to_ascii_lowercase(),
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file, char::from(b'a' + (self.rank - 1) as u8))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Move::Board { from, to, promote } => {
                write!(f, "{from}{to}{}", if promote { "+" } else { "" })
            }
            Move::Drop { kind, to } => write!(f, "{}*{to}", letter_of(kind)),
        }
    }
}

impl Square {
    /// The square two characters name, if they name one.
    fn from_chars(file: char, rank: char) -> Option<Square> {
        let file = "123456789".find(file)? as i32 + 1;
        let rank = "abcdefghi".find(rank)? as i32 + 1;
        Some(Square { file, rank })
    }

    /// The square a text such as `7f` names.
    pub(crate) fn from_name(name: &str) -> Option<Square> {
        match name.chars().collect::<Vec<_>>()[..] {
            [file, rank] => Square::from_chars(file, rank),
            _ => None,
        }
    }
}

impl Move {
    /// Reads `7g7f`, `7g7f+` or `P*5e`. Something that looks like a square but lies outside the
    /// board is `OffTheBoard`, everything else that is wrong `NotAMove`; of two wrong squares the
    /// first one counts.
    pub(crate) fn from_text(text: &str) -> Result<Move, Reason> {
        let square = |file: char, rank: char| {
            if file.is_ascii_digit() && rank.is_ascii_lowercase() {
                Square::from_chars(file, rank).ok_or(Reason::OffTheBoard)
            } else {
                Err(Reason::NotAMove)
            }
        };
        if !text.is_ascii() {
            return Err(Reason::NotAMove);
        }
        let letters: Vec<char> = text.chars().collect();
        match letters[..] {
            [letter, '*', file, rank] => {
                let kind = kind_of(letter)
                    .filter(|&kind| letter.is_ascii_uppercase() && kind != Kind::King)
                    .ok_or(Reason::NotAMove)?;
                Ok(Move::Drop { kind, to: square(file, rank)? })
            }
            [from_file, from_rank, to_file, to_rank, ref rest @ ..] => {
                let promote = match rest {
                    [] => false,
                    ['+'] => true,
                    _ => return Err(Reason::NotAMove),
                };
                let from = square(from_file, from_rank)?;
                let to = square(to_file, to_rank)?;
                Ok(Move::Board { from, to, promote })
            }
            _ => Err(Reason::NotAMove),
        }
    }
}

impl Position {
    /// Reads an SFEN with or without its move number.
    pub(crate) fn from_sfen(sfen: &str) -> Result<Position, String> {
        let fields: Vec<&str> = sfen.split_whitespace().collect();
        let (board, side, hands, number) = match fields[..] {
            [board, side, hands] => (board, side, hands, "1"),
            [board, side, hands, number] => (board, side, hands, number),
            _ => return Err(format!("an SFEN has three or four fields: {sfen}")),
        };
        let mut position = Position::empty(match side {
            "b" => Color::Black,
            "w" => Color::White,
            _ => return Err(format!("no side to move: {side}")),
        });
        position.move_number = number.parse().map_err(|_| format!("no move number: {number}"))?;
        position.read_board(board)?;
        position.read_hands(hands)?;
        let waiting = position.side_to_move.opponent();
        if position.checkers_of(waiting).is_empty() {
            Ok(position)
        } else {
            Err(format!("the king of the side that has just moved is in check: {sfen}"))
        }
    }

    fn read_board(&mut self, board: &str) -> Result<(), String> {
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != 9 {
            return Err(format!("a board has nine ranks: {board}"));
        }
        for (rank, text) in (1..).zip(ranks) {
            let mut file = 9;
            let mut plus = false;
            for letter in text.chars() {
                if let Some(count) = letter.to_digit(10) {
                    file -= count as i32;
                } else if letter == '+' {
                    plus = true;
                } else {
                    let base = kind_of(letter).ok_or_else(|| format!("no piece: {letter}"))?;
                    let kind = if plus {
                        base.promoted().ok_or_else(|| format!("no such piece: +{letter}"))?
                    } else {
                        base
                    };
                    if file < 1 {
                        return Err(format!("a rank has nine files: {text}"));
                    }
                    self.set(Square { file, rank }, Some((color_of(letter), kind)));
                    file -= 1;
                    plus = false;
                }
            }
            if file != 0 {
                return Err(format!("a rank has nine files: {text}"));
            }
        }
        Ok(())
    }

    fn read_hands(&mut self, hands: &str) -> Result<(), String> {
        if hands == "-" {
            return Ok(());
        }
        let mut count = String::new();
        for letter in hands.chars() {
            if letter.is_ascii_digit() {
                count.push(letter);
                continue;
            }
            let index = kind_of(letter)
                .and_then(Kind::hand_index)
                .ok_or_else(|| format!("not in a hand: {letter}"))?;
            let pieces = if count.is_empty() { Ok(1) } else { count.parse() };
            self.hands[color_of(letter) as usize][index] +=
                pieces.map_err(|_| format!("no count: {count}"))?;
            count.clear();
        }
        Ok(())
    }

    /// The position as SFEN, hands in the usual order: Black before White, rook first, pawn last.
    pub(crate) fn to_sfen(&self) -> String {
        let ranks: Vec<String> = (1..=9).map(|rank| self.rank_text(rank)).collect();
        let side = if self.side_to_move == Color::Black { 'b' } else { 'w' };
        let mut hands = String::new();
        for color in Color::BOTH {
            for kind in Kind::HAND.into_iter().rev() {
                let count = self.in_hand(color, kind);
                if count > 1 {
                    hands.push_str(&count.to_string());
                }
                if count > 0 {
                    hands.push(colored(letter_of(kind), color));
                }
            }
        }
        if hands.is_empty() {
            hands.push('-');
        }
        format!("{} {side} {hands} {}", ranks.join("/"), self.move_number)
    }

    fn rank_text(&self, rank: i32) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for file in (1..=9).rev() {
            match self.piece_at(Square { file, rank }) {
                None => empty += 1,
                Some((color, kind)) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                        empty = 0;
                    }
                    if kind.unpromoted() != kind {
                        text.push('+');
                    }
                    text.push(colored(letter_of(kind), color));
                }
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text
    }
}
