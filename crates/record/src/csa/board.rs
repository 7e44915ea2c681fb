//! The start of a game in a CSA file: the `P` statements.

use tsumero_core::{
    Color, File, Handicap, Piece, PieceKind, Position, Rank, Setup, SetupError, Square,
};

use super::{color_of, take_square};
use crate::{Fault, names, setup};

/// The position that `P` statements have built so far.
#[derive(Default)]
pub(super) struct Board {
    is_given: bool,
    squares: Vec<(Square, Piece)>,
    hands: Vec<(Color, PieceKind)>,
    /// The ranks given by `P1` to `P9`.
    ranks: [bool; 9],
    /// Who gets all pieces that are neither on the board nor in a hand.
    rest: Option<Color>,
}

impl Board {
    /// Reads one statement without its `P`.
    pub(super) fn read(&mut self, text: &str) -> Result<(), String> {
        self.is_given = true;
        let mut letters = text.chars();
        match letters.next() {
            Some('I') => self.read_startpos(letters.as_str()),
            Some(rank @ '1'..='9') => {
                let index = rank.to_digit(10).unwrap_or(1) as u8;
                let rank = Rank::new(index).ok_or("no such rank")?;
                self.read_rank(rank, letters.as_str())
            }
            Some(sign) => {
                let color = color_of(sign).ok_or_else(|| format!("P{text} is no position"))?;
                self.read_pieces(color, letters.as_str())
            }
            None => Err("P says nothing".to_owned()),
        }
    }

    /// Reads `PI82HI22KA`: the even game without these pieces.
    fn read_startpos(&mut self, removals: &str) -> Result<(), String> {
        self.squares = Position::startpos().pieces().collect();
        let mut rest = removals.trim();
        while !rest.is_empty() {
            let (square, kind, tail) = take_place(rest)?;
            let at = self.squares.iter().position(|(here, piece)| {
                Some(*here) == square && PlacedKind::Kind(piece.kind()) == kind
            });
            let Some(at) = at else {
                return Err(format!("{} does not stand there in the even game", &rest[..4]));
            };
            self.squares.swap_remove(at);
            rest = tail.trim_start();
        }
        Ok(())
    }

    /// Reads `P1-KY-KE-GI…`. Editors may have removed blanks, so only signs and stars count.
    fn read_rank(&mut self, rank: Rank, cells: &str) -> Result<(), String> {
        if std::mem::replace(&mut self.ranks[rank.index()], true) {
            return Err(format!("rank {} is given twice", rank.number()));
        }
        let mut files = File::all().rev();
        let mut rest = cells.trim();
        while let Some(letter) = rest.chars().next() {
            let file = files.next().ok_or("the rank has more than nine squares")?;
            if let Some(color) = color_of(letter) {
                let (name, tail) = rest[1..].split_at_checked(2).ok_or("the rank is cut off")?;
                let kind =
                    names::csa_kind(name).ok_or_else(|| format!("no piece is called {name}"))?;
                self.put(Square::new(file, rank), Piece::new(color, kind))?;
                rest = tail.trim_start();
            } else if letter == '*' {
                rest = rest[1..].trim_start();
            } else {
                return Err(format!("{letter:?} is no square of a rank"));
            }
        }
        match files.len() {
            0 => Ok(()),
            missing => Err(format!("the rank has {} squares instead of nine", 9 - missing)),
        }
    }

    /// Reads `+63FU00HI` after `P`: pieces of one player on squares and in hand.
    fn read_pieces(&mut self, color: Color, pieces: &str) -> Result<(), String> {
        let mut rest = pieces.trim();
        while !rest.is_empty() {
            let (square, kind, tail) = take_place(rest)?;
            match (square, kind) {
                (None, PlacedKind::Rest) => setup::give_rest(&mut self.rest, color)?,
                (None, PlacedKind::Kind(kind)) => {
                    if !PieceKind::HAND.contains(&kind) {
                        return Err(format!("{} cannot be in hand", names::csa_name(kind)));
                    }
                    self.hands.push((color, kind));
                }
                (Some(_), PlacedKind::Rest) => return Err("AL belongs to 00".to_owned()),
                (Some(square), PlacedKind::Kind(kind)) => {
                    self.put(square, Piece::new(color, kind))?;
                }
            }
            rest = tail.trim_start();
        }
        Ok(())
    }

    fn put(&mut self, square: Square, piece: Piece) -> Result<(), String> {
        if self.squares.iter().any(|(taken, _)| *taken == square) {
            return Err(format!("two pieces on {}", super::square_digits(square)));
        }
        self.squares.push((square, piece));
        Ok(())
    }

    /// The first position: the even game if there was no statement.
    pub(super) fn position(&self, side_to_move: Color) -> Result<Position, Fault> {
        if let Some(missing) = self.ranks.iter().position(|&given| !given)
            && self.ranks.contains(&true)
        {
            return Err(format!("rank {} is missing", missing + 1).into());
        }
        let mut setup = if self.is_given { Setup::empty() } else { Handicap::Even.into() };
        for &(square, piece) in &self.squares {
            setup.put(square, piece);
        }
        setup.set_side_to_move(side_to_move);
        let reason = |error: SetupError| error.to_string();
        for &(color, kind) in &self.hands {
            setup.add_to_hand(color, kind).map_err(reason)?;
        }
        if let Some(color) = self.rest {
            setup::add_rest(&mut setup, color);
        }
        setup::position(setup)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PlacedKind {
    Kind(PieceKind),
    /// `AL`: all remaining pieces.
    Rest,
}

/// Reads `63FU`; the square is `None` for the hand.
fn take_place(text: &str) -> Result<(Option<Square>, PlacedKind, &str), String> {
    let bad = || format!("{text:?} are no pieces");
    let (square, rest) = take_square(text).ok_or_else(bad)?;
    let (name, rest) = rest.split_at_checked(2).ok_or_else(bad)?;
    let kind = match name {
        "AL" => PlacedKind::Rest,
        _ => PlacedKind::Kind(names::csa_kind(name).ok_or_else(bad)?),
    };
    Ok((square, kind, rest))
}
