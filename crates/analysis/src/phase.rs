//! The phases of a game.

use serde::Serialize;
use tsumero_core::{Color, PieceKind, Position};

/// A phase of a game.
///
/// The board decides. Count the pieces in both hands except pawns, and the pieces except unpromoted
/// pawns that stand in the three far ranks of their side. Up to 2 it is the opening, so an exchange
/// of bishops belongs to it. From 3 on it is the middle game, from 7 on the endgame. No phase comes
/// back.
///
/// ```
/// use tsumero_analysis::Phase;
/// use tsumero_core::Position;
/// let sfens = [
///     "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
///     "lnsgk1snl/6g2/pppppp1pp/9/9/9/PP1PPPPPP/2G6/LNS1KGSNL b RBrb2p 1",
///     "l4k2l/3+R2gs1/p1np1p2p/6p2/9/2P6/PP1PPPP1P/2G1+b4/LNSK3NL b SNrb2gs3p 1",
/// ];
/// let mut phase = Phase::Opening;
/// let phases = sfens.map(|sfen| {
///     phase = phase.after(&sfen.parse::<Position>().unwrap());
///     phase
/// });
/// assert_eq!(phases, [Phase::Opening, Phase::Middle, Phase::End]);
/// assert_eq!(phase.after(&Position::startpos()), Phase::End);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// 序盤.
    #[default]
    Opening,
    /// 中盤.
    Middle,
    /// 終盤.
    End,
}

impl Phase {
    /// The phase of a position that follows one of this phase.
    #[must_use]
    pub fn after(self, position: &Position) -> Phase {
        let in_hand = [Color::Black, Color::White].into_iter().flat_map(|color| {
            position.hand(color).iter().filter(|(kind, _)| *kind != PieceKind::Pawn)
        });
        let in_hand: u32 = in_hand.map(|(_, count)| count).sum();
        let far = position.pieces().filter(|(square, piece)| {
            piece.kind() != PieceKind::Pawn && square.in_promotion_zone(piece.color())
        });
        self.max(match in_hand + far.count() as u32 {
            0..=2 => Phase::Opening,
            3..=6 => Phase::Middle,
            _ => Phase::End,
        })
    }

    /// The word in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middle => "middle",
            Phase::End => "end",
        }
    }
}
