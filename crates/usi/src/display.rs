//! The position and its evaluation as text for people, for `d` and `eval`.

use std::fmt;

use tsumero_control::Evaluation;
use tsumero_core::{Color, File, Hand, Position, Rank, Square};

/// Draws the board as Black sees it, White's pieces in small letters, with both hands, the SFEN,
/// the side to move and the checkers. No line end after the last line.
pub fn position(f: &mut fmt::Formatter<'_>, position: &Position) -> fmt::Result {
    for file in File::all().rev() {
        write!(f, "   {file}")?;
    }
    writeln!(f)?;
    let rule = "+---+---+---+---+---+---+---+---+---+";
    writeln!(f, "{rule}")?;
    for rank in Rank::all() {
        for file in File::all().rev() {
            match position.piece_at(Square::new(file, rank)) {
                Some(piece) => write!(f, "|{:>2} ", piece.to_string())?,
                None => f.write_str("|   ")?,
            }
        }
        writeln!(f, "| {rank}")?;
        writeln!(f, "{rule}")?;
    }
    for color in [Color::White, Color::Black] {
        writeln!(f, "{} hand: {}", name(color), hand(position.hand(color)))?;
    }
    writeln!(f, "SFEN: {}", position.to_sfen())?;
    writeln!(f, "Side to move: {}", name(position.side_to_move()))?;
    let checkers: Vec<String> = position.checkers().iter().map(Square::to_string).collect();
    let none = "none".to_owned();
    write!(f, "Checkers: {}", if checkers.is_empty() { none } else { checkers.join(" ") })
}

/// Lists the parts of an evaluation for both colors and the total for the side to move.
pub fn evaluation(f: &mut fmt::Formatter<'_>, evaluation: &Evaluation) -> fmt::Result {
    writeln!(f, "{:<16} {:>8} {:>8}", "part", "Black", "White")?;
    for (part, values) in &evaluation.parts {
        writeln!(f, "{part:<16} {:>8} {:>8}", values[Color::Black], values[Color::White])?;
    }
    write!(f, "total for the side to move: {}", evaluation.total.value())
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// The strongest pieces first, each letter with its count if there are several.
fn hand(hand: Hand) -> String {
    let mut pieces: Vec<String> = hand
        .iter()
        .map(|(kind, count)| match count {
            1 => kind.letter().to_string(),
            count => format!("{}{count}", kind.letter()),
        })
        .collect();
    pieces.reverse();
    if pieces.is_empty() { "-".to_owned() } else { pieces.join(" ") }
}
