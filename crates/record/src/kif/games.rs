//! Where the games of a file begin that has several.
//!
//! Neither KIF nor KI2 has a separator. A 手合割 behind moves, or behind another 手合割, belongs to the
//! next game, and so do the headers before it. So does a diagram behind moves or behind a complete
//! diagram, as in collections of mate problems.

use std::borrow::Cow;

use tsumero_core::{ByColor, Color};

use super::moves;
use super::start::{self, Fact};

/// The lines (from 0) with which the games begin: the first line of the file, and others.
pub(super) fn starts(lines: &[Cow<'_, str>]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut game = SoFar::default();
    let mut is_rank = false;
    for (index, line) in lines.iter().enumerate() {
        let what = What::is(line.trim());
        let follows_rank = std::mem::replace(&mut is_rank, matches!(what, What::Rank));
        match what {
            What::Handicap if game.has_moves || game.has_handicap => starts.push(game.end(index)),
            What::Handicap => {
                if game.ranks >= 9 {
                    game.may_begin(index);
                }
                (game.has_handicap, game.header) = (true, None);
            }
            What::Rank => {
                let is_second = game.ranks >= 9 && !follows_rank;
                if (game.has_moves || is_second) && !game.is_unclear {
                    starts.push(game.end(index));
                }
                (game.ranks, game.header) = (game.ranks + 1, None);
            }
            What::Diagram => {
                // A border below the last rank belongs to it.
                if game.has_moves || game.ranks >= 9 && !follows_rank {
                    game.may_begin(index);
                }
                game.header = None;
            }
            What::Hand(color) => game.take_hand(index, color),
            What::Side => {
                if game.has_moves || game.next.is_some() {
                    game.may_begin(index);
                } else if game.ranks >= 9 && game.header.is_some() {
                    game.is_unclear = true;
                }
                game.header = None;
            }
            What::Move => {
                // All lines before it are this game's.
                let has_handicap = game.has_handicap;
                game = SoFar { has_handicap, has_moves: true, ..SoFar::default() };
            }
            What::Title => game.header = None,
            // Without moves, a blank line alone separates the headers of two games.
            What::Blank if !game.has_moves => game.header = None,
            // A comment belongs to the line before it, and behind a blank line to the next game.
            What::Remark if game.has_moves && lines[index - 1].trim().is_empty() => {
                game.header = game.header.or(Some(index));
            }
            What::Blank | What::Remark => {}
            What::Header => game.header = game.header.or(Some(index)),
        }
    }
    starts
}

/// What the lines of a game have said so far.
#[derive(Default)]
struct SoFar {
    has_handicap: bool,
    has_moves: bool,
    /// The ranks of its diagram.
    ranks: usize,
    /// Whose hands it describes.
    hands: ByColor<bool>,
    /// The first of the headers that may belong to the next game.
    header: Option<usize>,
    /// Where the next game begins if a diagram follows, and whose hands it has described.
    next: Option<usize>,
    next_hands: ByColor<bool>,
    /// Whether a line may belong to either of two diagrams. Then they are not taken apart.
    is_unclear: bool,
}

impl SoFar {
    /// If a diagram follows, this line and the headers before it belong to its game.
    fn may_begin(&mut self, index: usize) {
        self.next = self.next.or(self.header).or(Some(index));
    }

    /// Ends the game before this line, and returns where the next one begins.
    fn end(&mut self, index: usize) -> usize {
        let begin = self.next.or(self.header).unwrap_or(index);
        // A 手合割 behind a diagram that has none belongs to the game after that.
        *self = SoFar { has_handicap: true, hands: self.next_hands, ..SoFar::default() };
        begin
    }

    /// White's hand stands above a diagram, and Black's below it. Some files leave out either.
    fn take_hand(&mut self, index: usize, color: Color) {
        let is_second = self.next.is_some() || self.hands[color];
        let is_above = color == Color::White && self.header.is_some();
        if self.has_moves || self.ranks >= 9 && (is_second || is_above) {
            self.may_begin(index);
            self.next_hands[color] = true;
        } else {
            self.is_unclear |= self.ranks >= 9 && color == Color::White;
            self.hands[color] = true;
        }
        self.header = None;
    }
}

/// What a line says about the game that it belongs to.
enum What {
    Blank,
    /// 手合割.
    Handicap,
    /// A rank of a diagram.
    Rank,
    /// Another line of a diagram.
    Diagram,
    /// The hand of a side.
    Hand(Color),
    /// The side to move.
    Side,
    /// The title of the moves.
    Title,
    /// A comment or bookmark.
    Remark,
    /// A move or an ending.
    Move,
    /// A header, a program's own line, or the beginning of a branch, which ShogiHome has written among
    /// the headers.
    Header,
}

impl What {
    /// The kind of a trimmed line.
    fn is(line: &str) -> What {
        let name = line.split_once(['：', ':']).map_or("", |(name, _)| name.trim());
        if line.is_empty() {
            What::Blank
        } else if line.starts_with(['*', '&']) {
            What::Remark
        } else if line.starts_with('#') {
            What::Header
        } else if let Some(fact) = start::fact(name) {
            match fact {
                Fact::Handicap => What::Handicap,
                Fact::Side => What::Side,
                Fact::Hand(color) => What::Hand(color),
            }
        } else if line.starts_with(moves::MARKS)
            || moves::made_line(line).is_some()
            || moves::numbered(line).is_some()
        {
            What::Move
        } else if moves::is_title(line) {
            What::Title
        } else if line.starts_with('|') {
            What::Rank
        } else if start::is_diagram(line) {
            What::Diagram
        } else if start::side(line).is_some() {
            What::Side
        } else {
            What::Header
        }
    }
}
