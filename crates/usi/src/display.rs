//! Positions and evaluations as text for people, for `d` and `eval`.

use std::fmt;

use tsumero_core::{Color, File, Hand, Position, Rank, Square};
use tsumero_quantum::{Kind, PieceId};

use crate::evaluation::Explanation;

/// Any text as one line of ASCII.
pub(crate) struct Ascii<'a>(pub(crate) &'a str);

impl fmt::Display for Ascii<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .chars()
            .try_for_each(|c| write!(f, "{}", if matches!(c, ' '..='~') { c } else { '?' }))
    }
}

/// Draws the board as Black sees it, White's pieces in small letters, with both hands, the SFEN,
/// the side to move and the checkers. No line end after the last line.
pub(crate) fn position(f: &mut fmt::Formatter<'_>, position: &Position) -> fmt::Result {
    board(f, |square| position.piece_at(square).map(|piece| format!("{piece} ")))?;
    for color in [Color::White, Color::Black] {
        writeln!(f, "{} hand: {}", name(color), hand(position.hand(color)))?;
    }
    writeln!(f, "SFEN: {}", position.to_sfen())?;
    writeln!(f, "Side to move: {}", name(position.side_to_move()))?;
    let checkers: Vec<String> =
        position.checkers().iter().map(|square| square.to_string()).collect();
    let none = "none".to_owned();
    write!(f, "Checkers: {}", if checkers.is_empty() { none } else { checkers.join(" ") })
}

/// Lists the parts for both colors, the description of the evaluation, and the total for the side to move.
/// No line end after the last line.
pub(crate) fn explanation(f: &mut fmt::Formatter<'_>, explanation: &Explanation) -> fmt::Result {
    let Explanation { description, raw, evaluation } = explanation;
    writeln!(f, "{:<16} {:>8} {:>8}", "part", "Black", "White")?;
    for (part, values) in &evaluation.parts {
        writeln!(f, "{part:<16} {:>8} {:>8}", values[Color::Black], values[Color::White])?;
    }
    writeln!(f, "evaluation: {}", Ascii(description))?;
    if let Some(raw) = raw {
        writeln!(f, "network's last integer: {raw}")?;
    }
    write!(f, "total for the side to move: {}", evaluation.total.value())
}

/// Draws the board as Black sees it, with each piece as its name and marks. Hands, position and
/// side to move follow, then the possible kinds of each piece with their odds in percent: the share
/// of all assignments of kinds to its side. No line end after the last line.
pub(crate) fn quantum_position(
    f: &mut fmt::Formatter<'_>,
    position: &tsumero_quantum::Position,
) -> fmt::Result {
    board(f, |square| position.piece_at(square).map(|piece| position.marked_name(piece)))?;
    for color in [Color::White, Color::Black] {
        let hand: String = position.hand(color).iter().map(|piece| piece.letter()).collect();
        writeln!(f, "{} hand: {}", name(color), if hand.is_empty() { "-" } else { &hand })?;
    }
    writeln!(f, "Position: {position}")?;
    writeln!(f, "Side to move: {}", name(position.side_to_move()))?;
    if let Some(winner) = position.winner() {
        writeln!(f, "Winner: {}", name(winner))?;
    }
    let odds = Color::ALL.map(|color| position.army(color).odds());
    for color in Color::ALL {
        let number = odds[color.index()].total();
        writeln!(f, "Assignments of {}'s first pieces: {number}", name(color))?;
    }
    write!(f, "Odds in percent:")?;
    for piece in PieceId::all() {
        let odds = &odds[piece.side().index()];
        write!(f, "\n{piece} {:<8}", position.kinds(piece))?;
        for kind in Kind::ALL.into_iter().filter(|&kind| position.kinds(piece).contains(kind)) {
            let percent = odds.probability(piece.index(), kind) * 100.0;
            write!(f, " {} {percent:.1}", kind.letter())?;
        }
    }
    Ok(())
}

/// Draws the board as Black sees it. A piece has at most three letters.
fn board(f: &mut fmt::Formatter<'_>, piece_at: impl Fn(Square) -> Option<String>) -> fmt::Result {
    for file in File::all().rev() {
        write!(f, "   {file}")?;
    }
    writeln!(f)?;
    let rule = "+---+---+---+---+---+---+---+---+---+";
    writeln!(f, "{rule}")?;
    for rank in Rank::all() {
        for file in File::all().rev() {
            write!(f, "|{:>3}", piece_at(Square::new(file, rank)).unwrap_or_default())?;
        }
        writeln!(f, "| {rank}")?;
        writeln!(f, "{rule}")?;
    }
    Ok(())
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
