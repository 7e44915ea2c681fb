//! The start of a game: even, or with a handicap (駒落ち).

use std::fmt;
use std::str::FromStr;

use crate::color::Color;
use crate::piece::{Piece, PieceKind};
use crate::position::Position;
use crate::setup::Setup;
use crate::square::{File, Rank, Square};

/// A handicap (駒落ち): the pieces that White gives up. White then makes the first move.
///
/// ```
/// use tsumero_core::Handicap;
/// let handicap: Handicap = "四枚落ち".parse().unwrap();
/// assert_eq!(handicap, Handicap::FourPieces);
/// assert_eq!(handicap.position().squares_of(tsumero_core::Color::White).len(), 16);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Handicap {
    /// 平手: nothing; Black moves first.
    Even,
    /// 香落ち: the lance at White's left.
    Lance,
    /// 右香落ち: the lance at White's right.
    RightLance,
    /// 角落ち: the bishop.
    Bishop,
    /// 飛車落ち: the rook.
    Rook,
    /// 飛香落ち: the rook and the lance at White's left.
    RookAndLance,
    /// 二枚落ち: rook and bishop.
    TwoPieces,
    /// 三枚落ち: rook, bishop and the lance at White's left.
    ThreePieces,
    /// 四枚落ち: rook, bishop and both lances.
    FourPieces,
    /// 五枚落ち: rook, bishop, lances and the knight at White's right.
    FivePieces,
    /// 左五枚落ち: rook, bishop, lances and the knight at White's left.
    LeftFivePieces,
    /// 六枚落ち: rook, bishop, lances and knights.
    SixPieces,
    /// 左七枚落ち: rook, bishop, lances, knights and the silver at White's left.
    LeftSevenPieces,
    /// 右七枚落ち: rook, bishop, lances, knights and the silver at White's right.
    RightSevenPieces,
    /// 八枚落ち: rook, bishop, lances, knights and silvers.
    EightPieces,
    /// 十枚落ち: all but the king and the pawns.
    TenPieces,
}

impl Handicap {
    /// All handicaps, from none to the largest.
    pub const ALL: [Handicap; 16] = [
        Handicap::Even,
        Handicap::Lance,
        Handicap::RightLance,
        Handicap::Bishop,
        Handicap::Rook,
        Handicap::RookAndLance,
        Handicap::TwoPieces,
        Handicap::ThreePieces,
        Handicap::FourPieces,
        Handicap::FivePieces,
        Handicap::LeftFivePieces,
        Handicap::SixPieces,
        Handicap::LeftSevenPieces,
        Handicap::RightSevenPieces,
        Handicap::EightPieces,
        Handicap::TenPieces,
    ];

    /// The Japanese name, as in game records.
    pub const fn name(self) -> &'static str {
        match self {
            Handicap::Even => "平手",
            Handicap::Lance => "香落ち",
            Handicap::RightLance => "右香落ち",
            Handicap::Bishop => "角落ち",
            Handicap::Rook => "飛車落ち",
            Handicap::RookAndLance => "飛香落ち",
            Handicap::TwoPieces => "二枚落ち",
            Handicap::ThreePieces => "三枚落ち",
            Handicap::FourPieces => "四枚落ち",
            Handicap::FivePieces => "五枚落ち",
            Handicap::LeftFivePieces => "左五枚落ち",
            Handicap::SixPieces => "六枚落ち",
            Handicap::LeftSevenPieces => "左七枚落ち",
            Handicap::RightSevenPieces => "右七枚落ち",
            Handicap::EightPieces => "八枚落ち",
            Handicap::TenPieces => "十枚落ち",
        }
    }

    /// The files of White's first rank, and of the second (file 8: rook, file 2: bishop), that are
    /// empty.
    const fn empty_files(self) -> (&'static [u8], &'static [u8]) {
        match self {
            Handicap::Even => (&[], &[]),
            Handicap::Lance => (&[1], &[]),
            Handicap::RightLance => (&[9], &[]),
            Handicap::Bishop => (&[], &[2]),
            Handicap::Rook => (&[], &[8]),
            Handicap::RookAndLance => (&[1], &[8]),
            Handicap::TwoPieces => (&[], &[2, 8]),
            Handicap::ThreePieces => (&[1], &[2, 8]),
            Handicap::FourPieces => (&[1, 9], &[2, 8]),
            Handicap::FivePieces => (&[1, 8, 9], &[2, 8]),
            Handicap::LeftFivePieces => (&[1, 2, 9], &[2, 8]),
            Handicap::SixPieces => (&[1, 2, 8, 9], &[2, 8]),
            Handicap::LeftSevenPieces => (&[1, 2, 3, 8, 9], &[2, 8]),
            Handicap::RightSevenPieces => (&[1, 2, 7, 8, 9], &[2, 8]),
            Handicap::EightPieces => (&[1, 2, 3, 7, 8, 9], &[2, 8]),
            Handicap::TenPieces => (&[1, 2, 3, 4, 6, 7, 8, 9], &[2, 8]),
        }
    }

    /// Other Japanese names.
    const fn other_names(self) -> &'static [&'static str] {
        match self {
            Handicap::Rook => &["飛落ち"],
            Handicap::FivePieces => &["右五枚落ち"],
            _ => &[],
        }
    }

    /// The player who moves first.
    pub const fn first_player(self) -> Color {
        match self {
            Handicap::Even => Color::Black,
            _ => Color::White,
        }
    }

    /// The position in which the game starts.
    pub fn position(self) -> Position {
        Setup::from(self).build().expect("a handicap is a position")
    }
}

impl Position {
    /// The first position of the even game.
    pub fn startpos() -> Position {
        Handicap::Even.position()
    }
}

/// The first position of the even game.
impl Default for Position {
    fn default() -> Position {
        Position::startpos()
    }
}

/// The kinds on each side's first rank, from either side's lance to its king and beyond.
const FIRST_RANK: [PieceKind; 9] = {
    use PieceKind::{Gold, King, Knight, Lance, Silver};
    [Lance, Knight, Silver, Gold, King, Gold, Silver, Knight, Lance]
};

/// The kind that stands on a square at the start, as its owner sees the square.
fn kind_at_start(square: Square) -> Option<PieceKind> {
    match (square.rank().number(), square.file().number()) {
        (9, file) => Some(FIRST_RANK[usize::from(file) - 1]),
        (8, 8) => Some(PieceKind::Bishop),
        (8, 2) => Some(PieceKind::Rook),
        (7, _) => Some(PieceKind::Pawn),
        _ => None,
    }
}

impl From<Handicap> for Setup {
    fn from(handicap: Handicap) -> Setup {
        let mut setup = Setup::empty();
        for color in Color::ALL {
            for square in Square::all() {
                if let Some(kind) = kind_at_start(square.relative_to(color)) {
                    setup.put(square, Piece::new(color, kind));
                }
            }
        }
        let (first, second) = handicap.empty_files();
        for (rank, files) in Rank::all().zip([first, second]) {
            for file in File::all().filter(|file| files.contains(&file.number())) {
                setup.remove(Square::new(file, rank));
            }
        }
        setup.set_side_to_move(handicap.first_player());
        setup
    }
}

/// The Japanese name.
impl fmt::Display for Handicap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text names no [`Handicap`].
///
/// ```
/// use tsumero_core::{Handicap, ParseHandicapError};
/// assert_eq!("九枚落ち".parse::<Handicap>(), Err(ParseHandicapError));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not the name of a handicap")]
pub struct ParseHandicapError;

/// The Japanese name, or another one in use (`飛落ち`).
impl FromStr for Handicap {
    type Err = ParseHandicapError;

    fn from_str(text: &str) -> Result<Handicap, ParseHandicapError> {
        let named =
            |handicap: &Handicap| handicap.name() == text || handicap.other_names().contains(&text);
        Handicap::ALL.into_iter().find(named).ok_or(ParseHandicapError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handicaps_are_those_that_are_played() {
        let rows = [
            ("平手", "lnsgkgsnl/1r5b1/"),
            ("香落ち", "lnsgkgsn1/1r5b1/"),
            ("右香落ち", "1nsgkgsnl/1r5b1/"),
            ("角落ち", "lnsgkgsnl/1r7/"),
            ("飛車落ち", "lnsgkgsnl/7b1/"),
            ("飛香落ち", "lnsgkgsn1/7b1/"),
            ("二枚落ち", "lnsgkgsnl/9/"),
            ("三枚落ち", "lnsgkgsn1/9/"),
            ("四枚落ち", "1nsgkgsn1/9/"),
            ("五枚落ち", "2sgkgsn1/9/"),
            ("左五枚落ち", "1nsgkgs2/9/"),
            ("六枚落ち", "2sgkgs2/9/"),
            ("左七枚落ち", "2sgkg3/9/"),
            ("右七枚落ち", "3gkgs2/9/"),
            ("八枚落ち", "3gkg3/9/"),
            ("十枚落ち", "4k4/9/"),
        ];
        assert_eq!(rows.len(), Handicap::ALL.len());
        for (name, camp) in rows {
            let handicap: Handicap = name.parse().unwrap();
            let side = if handicap == Handicap::Even { "b" } else { "w" };
            let rest = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
            let sfen = format!("{camp}{rest} {side} - 1");
            assert_eq!(handicap.position().to_sfen(), sfen);
            assert_eq!(handicap.to_string(), name);
        }
        for (other, name) in [("飛落ち", "飛車落ち"), ("右五枚落ち", "五枚落ち")] {
            assert_eq!(other.parse::<Handicap>(), name.parse());
        }
        assert_eq!("二枚".parse::<Handicap>(), Err(ParseHandicapError));
    }
}
