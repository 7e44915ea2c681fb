//! What kinds of positions a file of games holds: where the kings and rooks stand, how much is in
//! hand, and how often a position comes again.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use tsumero_core::{Color, PieceKind, Position, Square};

use super::share;

/// Width of a row: so many plies.
const PLY_STEP: u32 = 20;
/// Plies from here on share the last row.
const LAST_ROW: u32 = 160;
/// One key in so many is kept to see whether its position comes again.
const KEYS_LEFT_OUT: u64 = 16;

/// Counts over positions, by the number of plies before them.
#[derive(Clone, Default, Debug)]
pub(super) struct Contents {
    rows: BTreeMap<u32, Row>,
    keys: HashSet<u64>,
    looked_up: u64,
    repeated: u64,
}

#[derive(Clone, Default, Debug)]
struct Row {
    positions: u64,
    in_hand: u64,
    few_in_hand: u64,
    /// Counts of sides, two for each position.
    kings: [u64; King::ALL.len()],
    swinging: u64,
    rooks: u64,
}

/// Where a king stands, as its owner sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum King {
    /// On the file of the start or one beside it, on the last two ranks.
    Home,
    /// On the left, where castles of a side with its rook on the right are built.
    Left,
    /// On the right.
    Right,
    /// On the middle ranks.
    Out,
    /// On the opponent's three ranks.
    Entered,
}

impl King {
    const ALL: [(King, &'static str); 5] = [
        (King::Home, "home"),
        (King::Left, "left"),
        (King::Right, "right"),
        (King::Out, "out"),
        (King::Entered, "entered"),
    ];

    fn at(square: Square, color: Color) -> King {
        // From 0: file 1 and rank a, as the owner sees them.
        let (file, rank) = seen_by(square, color);
        match (file, rank) {
            (_, 0..=2) => King::Entered,
            (_, 3..=5) => King::Out,
            (3..=5, 7..) => King::Home,
            (4.., _) => King::Left,
            _ => King::Right,
        }
    }
}

/// File and rank of a square from 0, with the board turned so that the color plays upwards.
fn seen_by(square: Square, color: Color) -> (usize, usize) {
    let (file, rank) = (square.file().index(), square.rank().index());
    match color {
        Color::Black => (file, rank),
        Color::White => (8 - file, 8 - rank),
    }
}

impl Contents {
    /// Counts a position.
    pub(super) fn add(&mut self, position: &Position) {
        let ply = (position.ply() - 1).min(LAST_ROW) / PLY_STEP * PLY_STEP;
        let row = self.rows.entry(ply).or_default();
        row.positions += 1;
        let in_hand: u32 = Color::ALL
            .into_iter()
            .flat_map(|color| PieceKind::HAND.map(|kind| position.hand(color).count(kind)))
            .sum();
        row.in_hand += u64::from(in_hand);
        row.few_in_hand += u64::from(in_hand <= 2);
        for color in Color::ALL {
            if let Some(square) = position.king(color) {
                row.kings[King::at(square, color) as usize] += 1;
            }
        }
        for (square, piece) in position.pieces() {
            if piece.kind() == PieceKind::Rook {
                let (file, rank) = seen_by(square, piece.color());
                row.rooks += u64::from(rank >= 6);
                row.swinging += u64::from(rank >= 6 && file >= 4);
            }
        }
        if position.key().is_multiple_of(KEYS_LEFT_OUT) {
            self.looked_up += 1;
            self.repeated += u64::from(!self.keys.insert(position.key()));
        }
    }
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let repeated = share(self.repeated, self.looked_up);
        writeln!(
            f,
            "positions that came before, by a sample of one in {KEYS_LEFT_OUT}: {repeated:.1} %"
        )?;
        writeln!(f, "by plies: share of the positions; pieces in hand, and share with at most 2;")?;
        writeln!(
            f,
            "  where kings stand, as their owners see it; share of home rooks that swing to the left"
        )?;
        let whole: u64 = self.rows.values().map(|row| row.positions).sum();
        for (ply, row) in &self.rows {
            let end = if *ply == LAST_ROW {
                String::from("   ")
            } else {
                format!("{:3}", ply + PLY_STEP - 1)
            };
            write!(
                f,
                "  {ply:3} to {end}: {:5.1} %  {:4.1} {:5.1} %",
                share(row.positions, whole),
                row.in_hand as f64 / row.positions as f64,
                share(row.few_in_hand, row.positions),
            )?;
            for (king, name) in King::ALL {
                write!(f, "  {name} {:4.1} %", share(row.kings[king as usize], 2 * row.positions))?;
            }
            writeln!(f, "  swinging {:4.1} %", share(row.swinging, row.rooks))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kings_and_rooks_are_seen_by_their_owners() {
        let mut contents = Contents::default();
        // Both kings in their right corner, Black's rook swung to the fourth file from the left.
        let sfen = "k8/9/9/9/9/9/9/3R5/8K b Pp 45";
        let position = Position::from_sfen(sfen).unwrap();
        contents.add(&position);
        contents.add(&position);
        let row = &contents.rows[&40];
        assert_eq!((row.positions, row.in_hand, row.few_in_hand), (2, 4, 2));
        assert_eq!((row.rooks, row.swinging), (2, 2));
        assert_eq!(row.kings, [0, 0, 4, 0, 0]);
        let place = |square: &str, color| King::at(square.parse().unwrap(), color);
        assert_eq!(place("5i", Color::Black), King::Home);
        assert_eq!(place("5a", Color::White), King::Home);
        assert_eq!(place("8h", Color::Black), King::Left);
        assert_eq!(place("2b", Color::White), King::Left);
        assert_eq!(place("5e", Color::White), King::Out);
        assert_eq!(place("5c", Color::Black), King::Entered);
        let sampled = position.key().is_multiple_of(KEYS_LEFT_OUT);
        assert_eq!(contents.repeated, u64::from(sampled));
        assert!(contents.to_string().contains("   40 to  59: 100.0 %   2.0 100.0 %"), "{contents}");
    }
}
