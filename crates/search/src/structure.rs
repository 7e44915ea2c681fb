//! Parts of what stands on the board, as keys: positions that share one have something in common.

use tsumero_core::{Color, GOLDEN_GAMMA, Move, Piece, PieceKind, Position, Square, mix};

/// A hash of each part of the board. Hands and side to move do not count.
///
/// The idea to learn by such parts is that of the correction histories of chess engines since 2023.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Structure {
    /// The pawns of both sides.
    pub(crate) pawns: u64,
    /// Lances, knights, silvers, golds and promoted small pieces of both sides.
    pub(crate) small: u64,
    /// By color, all pieces but pawns, the king included.
    pub(crate) armies: [u64; 2],
}

impl Structure {
    /// The structure of an empty board.
    pub(crate) const EMPTY: Structure = Structure { pawns: 0, small: 0, armies: [0; 2] };

    /// The structure of a position.
    pub(crate) fn of(position: &Position) -> Structure {
        let mut structure = Structure::EMPTY;
        for (square, piece) in position.pieces() {
            structure.toggle(piece, square);
        }
        structure
    }

    /// The structure after a move.
    #[inline(always)]
    pub(crate) fn after(mut self, mv: Move) -> Structure {
        if let Some(from) = mv.from() {
            self.toggle(mv.piece(), from);
        }
        if let Some(kind) = mv.captured() {
            self.toggle(Piece::new(!mv.color(), kind), mv.to());
        }
        self.toggle(mv.piece_after(), mv.to());
        self
    }

    /// Puts a piece on a square, or takes it away.
    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let place = (piece.index() << 8 | square.index()) as u64;
        let key = mix(place.wrapping_mul(GOLDEN_GAMMA));
        let [in_pawns, in_small, in_black, in_white] = PARTS[piece.index()];
        self.pawns ^= key & in_pawns;
        self.small ^= key & in_small;
        self.armies[0] ^= key & in_black;
        self.armies[1] ^= key & in_white;
    }
}

/// All bits, or none.
const fn mask(belongs: bool) -> u64 {
    if belongs { u64::MAX } else { 0 }
}

/// For each piece, a mask for each part: all bits if the piece belongs to it.
const PARTS: [[u64; 4]; Piece::COUNT] = {
    let mut parts = [[0; 4]; Piece::COUNT];
    let mut number = 0;
    while number < PieceKind::ALL.len() {
        let kind = PieceKind::ALL[number];
        let is_pawn = matches!(kind, PieceKind::Pawn);
        let is_large = matches!(
            kind,
            PieceKind::King
                | PieceKind::Bishop
                | PieceKind::Rook
                | PieceKind::Horse
                | PieceKind::Dragon
        );
        parts[Piece::new(Color::Black, kind).index()] =
            [mask(is_pawn), mask(!is_pawn && !is_large), mask(!is_pawn), 0];
        parts[Piece::new(Color::White, kind).index()] =
            [mask(is_pawn), mask(!is_pawn && !is_large), 0, mask(!is_pawn)];
        number += 1;
    }
    parts
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_games;

    #[test]
    fn the_structure_after_a_move_is_that_of_the_position_after_it() {
        let mut captures = 0;
        random_games(9, 10, 200, |position| {
            let here = Structure::of(position);
            for mv in position.legal_moves() {
                let mut after = position.clone();
                after.do_move(mv);
                assert_eq!(here.after(mv), Structure::of(&after), "{position} {mv}");
                captures += usize::from(mv.is_capture());
            }
        });
        assert!(captures > 1_000, "{captures}");
    }

    #[test]
    fn each_part_depends_on_its_own_pieces_alone() {
        let structure = |sfen: &str| Structure::of(&Position::from_sfen(sfen).unwrap());
        let base = structure("4k4/9/9/4p4/9/9/4P4/4S4/4K4 b - 1");
        let pawn = structure("4k4/9/9/4p4/9/3P5/9/4S4/4K4 b - 1");
        assert!(base.pawns != pawn.pawns && base.small == pawn.small);
        assert_eq!(base.armies, pawn.armies);
        let silver = structure("4k4/9/9/4p4/9/9/4P4/3S5/4K4 b - 1");
        assert!(base.pawns == silver.pawns && base.small != silver.small);
        assert!(base.armies[0] != silver.armies[0] && base.armies[1] == silver.armies[1]);
        let king = structure("3k5/9/9/4p4/9/9/4P4/4S4/4K4 b - 1");
        assert!(base.pawns == king.pawns && base.small == king.small);
        assert!(base.armies[0] == king.armies[0] && base.armies[1] != king.armies[1]);
    }
}
