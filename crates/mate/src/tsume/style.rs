//! What a generated problem may consist of.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;
use tsumero_core::{Hand, Piece, PieceKind, Square};

use super::layout::Layout;

/// A set of kinds of pieces. The king never belongs to it.
///
/// ```
/// use tsumero_core::PieceKind;
/// use tsumero_mate::tsume::Kinds;
/// let kinds: Kinds = "GS+P".parse()?;
/// assert!(kinds.contains(PieceKind::Tokin) && !kinds.contains(PieceKind::Pawn));
/// assert_eq!(kinds.to_string(), "SG+P");
/// assert!("XG".parse::<Kinds>().is_err() && "".parse::<Kinds>().is_err());
/// # Ok::<(), tsumero_mate::tsume::ParseKindsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds(u16);

impl Kinds {
    /// All kinds, the king apart.
    pub const ALL: Kinds = {
        let (mut kinds, mut number) = (0, 0);
        while number < PieceKind::ALL.len() {
            let kind = PieceKind::ALL[number];
            if !matches!(kind, PieceKind::King) {
                kinds |= 1 << kind.index();
            }
            number += 1;
        }
        Kinds(kinds)
    };

    /// Whether a kind belongs to the set.
    pub fn contains(self, kind: PieceKind) -> bool {
        self.0 & 1 << kind.index() != 0
    }

    /// The kinds in the order of [`PieceKind::ALL`].
    pub fn iter(self) -> impl Iterator<Item = PieceKind> {
        PieceKind::ALL.into_iter().filter(move |&kind| self.contains(kind))
    }
}

/// The text names no set of kinds.
///
/// ```
/// use tsumero_mate::tsume::{Kinds, ParseKindsError};
/// assert_eq!("".parse::<Kinds>(), Err(ParseKindsError::Empty));
/// assert_eq!("GK".parse::<Kinds>(), Err(ParseKindsError::NoPiece { rest: "K".to_owned() }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ParseKindsError {
    /// No letter at all.
    #[error("no kind is named")]
    Empty,
    /// Something that is no letter of a piece, or a king.
    #[error("{rest:?} begins with no letter of a piece (P L N S G B R, +P …)")]
    NoPiece {
        /// The text from there on.
        rest: String,
    },
}

impl FromStr for Kinds {
    type Err = ParseKindsError;

    /// Reads letters as SFEN writes Black's pieces, one after the other: `GS+P`.
    fn from_str(text: &str) -> Result<Kinds, ParseKindsError> {
        let (mut kinds, mut rest) = (0, text);
        while !rest.is_empty() {
            let length = if rest.starts_with('+') { 2 } else { 1 };
            let letters = rest.get(..length).unwrap_or(rest);
            let piece = letters.to_ascii_uppercase().parse::<Piece>();
            let piece = piece.ok().filter(|piece| piece.kind() != PieceKind::King);
            let Some(piece) = piece else {
                return Err(ParseKindsError::NoPiece { rest: rest.to_owned() });
            };
            kinds |= 1 << piece.kind().index();
            rest = rest.get(length..).unwrap_or_default();
        }
        if kinds == 0 { Err(ParseKindsError::Empty) } else { Ok(Kinds(kinds)) }
    }
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter()
            .try_for_each(|kind| write!(f, "{}", Piece::new(tsumero_core::Color::Black, kind)))
    }
}

/// A rectangle of the board: files and ranks, each from the first to the last.
///
/// ```
/// use tsumero_mate::tsume::Area;
/// let corner: Area = "1-4,1-4".parse()?;
/// assert!(corner.contains("4d".parse().unwrap()) && !corner.contains("5d".parse().unwrap()));
/// assert_eq!((corner.squares(), corner.to_string().as_str()), (16, "1-4,1-4"));
/// // Either end may come first.
/// assert_eq!("4-1,1-4".parse(), Ok(corner));
/// assert!(["1-4", "4,1-4", "0-3,1-2", "1-10,1-2"].iter().all(|bad| bad.parse::<Area>().is_err()));
/// # Ok::<(), tsumero_mate::tsume::ParseAreaError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Area {
    /// From 0 to 8.
    files: (usize, usize),
    ranks: (usize, usize),
}

impl Area {
    /// The board.
    pub const BOARD: Area = Area { files: (0, 8), ranks: (0, 8) };

    /// Whether a square lies in the area.
    pub fn contains(self, square: Square) -> bool {
        let is_in = |(low, high): (usize, usize), index| (low..=high).contains(&index);
        is_in(self.files, square.file().index()) && is_in(self.ranks, square.rank().index())
    }

    /// The number of its squares.
    pub fn squares(self) -> u32 {
        let width = |(low, high): (usize, usize)| (high - low + 1) as u32;
        width(self.files) * width(self.ranks)
    }

    /// The file and the rank of the area that are nearest, as indices.
    pub(super) fn nearest(self, file: usize, rank: usize) -> (usize, usize) {
        (file.clamp(self.files.0, self.files.1), rank.clamp(self.ranks.0, self.ranks.1))
    }
}

/// The text is not an area; it holds the text.
///
/// ```
/// use tsumero_mate::tsume::{Area, ParseAreaError};
/// assert_eq!("1-4".parse::<Area>(), Err(ParseAreaError("1-4".to_owned())));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is not FILES,RANKS such as 1-4,1-4, each from 1 to 9")]
pub struct ParseAreaError(pub String);

impl FromStr for Area {
    type Err = ParseAreaError;

    /// Reads files and ranks: `1-4,1-4`.
    fn from_str(text: &str) -> Result<Area, ParseAreaError> {
        let reason = || ParseAreaError(text.to_owned());
        let side = |text: &str| {
            let (one, other) = text.split_once('-')?;
            let index = |text: &str| text.trim().parse::<usize>().ok()?.checked_sub(1);
            let (one, other) = (index(one)?, index(other)?);
            (one.max(other) <= 8).then_some((one.min(other), one.max(other)))
        };
        let (files, ranks) = text.split_once(',').ok_or_else(reason)?;
        let (files, ranks) = side(files).zip(side(ranks)).ok_or_else(reason)?;
        Ok(Area { files, ranks })
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((left, right), (top, bottom)) = (self.files, self.ranks);
        write!(f, "{}-{},{}-{}", left + 1, right + 1, top + 1, bottom + 1)
    }
}

/// What a generated problem may consist of.
///
/// ```
/// use tsumero_mate::Signals;
/// use tsumero_mate::tsume::{Generator, Progress, Recipe, Style};
///
/// // Golds, silvers and pawns in a corner, at most five pieces on the board.
/// let style = Style {
///     board: "GSP".parse()?,
///     hand: "GS".parse()?,
///     area: "1-4,1-4".parse()?,
///     pieces: (0, 5),
///     both_kings: false,
/// };
/// let recipe = Recipe { plies: 1, seed: 1, loose: false, style };
/// let (progress, signals) = (Progress::default(), Signals::new());
/// let problem = Generator::new(recipe, &progress, &signals).problem(0).unwrap();
/// assert!(problem.position.pieces().count() <= 5);
/// assert!(problem.position.pieces().all(|(square, _)| style.area.contains(square)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// The kinds of pieces on the board, beside kings.
    pub board: Kinds,
    /// The kinds of pieces in the attacker's hand.
    pub hand: Kinds,
    /// Where pieces may stand.
    pub area: Area,
    /// The fewest and the most pieces on the board, kings included.
    pub pieces: (u32, u32),
    /// Whether the attacker has a king, too (双玉).
    pub both_kings: bool,
}

impl Style {
    /// Everything that the generator can place: one king, any pieces anywhere.
    pub const ANY: Style = Style {
        board: Kinds::ALL,
        hand: Kinds::ALL,
        area: Area::BOARD,
        pieces: (0, 81),
        both_kings: false,
    };

    /// Whether there are squares and pieces for the fewest pieces, of which a king is one.
    pub fn has_room(self) -> bool {
        self.pieces.0.max(2) <= self.area.squares().min(self.most_pieces())
    }

    /// The most pieces that can stand on the board: the kings, and all pieces that a game has of the
    /// wanted kinds.
    ///
    /// ```
    /// use tsumero_mate::tsume::Style;
    /// assert_eq!(Style::ANY.most_pieces(), 39);
    /// let style = Style { board: "GS+S".parse()?, both_kings: true, ..Style::ANY };
    /// assert_eq!(style.most_pieces(), 10);
    /// # Ok::<(), tsumero_mate::tsume::ParseKindsError>(())
    /// ```
    pub fn most_pieces(self) -> u32 {
        let stands =
            |kind: &PieceKind| self.board.iter().any(|on_board| on_board.unpromoted() == *kind);
        let pieces = PieceKind::HAND.into_iter().filter(stands).map(Hand::limit);
        pieces.sum::<u32>() + 1 + u32::from(self.both_kings)
    }

    /// How many pieces may stand on the board.
    pub(super) fn counts(self) -> RangeInclusive<usize> {
        self.pieces.0 as usize..=self.pieces.1 as usize
    }

    /// Whether a layout has this style.
    pub(super) fn admits(self, layout: &Layout) -> bool {
        let fits = |(square, piece): (Square, Piece)| {
            let kind = piece.kind();
            self.area.contains(square) && (kind == PieceKind::King || self.board.contains(kind))
        };
        let is_king = |(_, piece): &(Square, Piece)| piece.kind() == PieceKind::King;
        let kings = layout.pieces().filter(is_king).count();
        kings == 1 + usize::from(self.both_kings)
            && self.counts().contains(&layout.pieces().count())
            && layout.pieces().all(fits)
            && layout.hand(layout.attacker()).iter().all(|(kind, _)| self.hand.contains(kind))
    }
}

impl Default for Style {
    fn default() -> Style {
        Style::ANY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_are_read_back() {
        assert_eq!(Kinds::ALL.to_string().parse(), Ok(Kinds::ALL));
        assert!(!Kinds::ALL.contains(PieceKind::King));
        assert_eq!(Kinds::ALL.iter().count(), PieceKind::ALL.len() - 1);
    }
}
