//! A player who looks no move ahead, to measure the lowest level against.

use rand::SeedableRng;
use rand::prelude::*;
use tsumero_core::{Game, Move, PieceKind};
use tsumero_search::BestMove;

/// Takes the most valuable piece that can be taken. If there is none, plays any legal move. The same
/// seed answers the same in the same position and ply.
pub(crate) fn answer(position: &Game, seed: u64) -> BestMove {
    let moves = position.legal_moves();
    let prize = |mv: &Move| mv.captured().map_or(0, value);
    let best = moves.iter().map(prize).max().unwrap_or_default();
    let candidates: Vec<Move> = moves.iter().copied().filter(|mv| prize(mv) == best).collect();
    let mut random = StdRng::seed_from_u64(seed ^ position.key() ^ u64::from(position.ply()));
    match candidates.choose(&mut random) {
        Some(&best) => BestMove::Move { best, ponder: None },
        None => BestMove::Resign,
    }
}

/// What a piece is worth to a beginner.
fn value(kind: PieceKind) -> u32 {
    match kind {
        PieceKind::Pawn => 1,
        PieceKind::Lance => 3,
        PieceKind::Knight => 4,
        PieceKind::Silver
        | PieceKind::Tokin
        | PieceKind::PromotedLance
        | PieceKind::PromotedKnight => 5,
        PieceKind::Gold | PieceKind::PromotedSilver => 6,
        PieceKind::Bishop => 8,
        PieceKind::Rook => 10,
        PieceKind::Horse => 12,
        PieceKind::Dragon => 13,
        // It is never taken.
        PieceKind::King => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsumero_core::Position;

    #[test]
    fn the_most_valuable_piece_is_taken() {
        // The rook can take a pawn, a silver and a gold.
        let position: Position = "4k4/9/4g4/9/p3R2s1/9/9/9/4K4 b - 1".parse().unwrap();
        let game = Game::from(&position);
        for seed in 0..20 {
            let BestMove::Move { best, .. } = answer(&game, seed) else { panic!() };
            assert_eq!(best.captured(), Some(PieceKind::Gold), "{best}");
        }
    }

    #[test]
    fn without_a_capture_every_move_comes() {
        let game = Game::default();
        let seen: std::collections::HashSet<String> = (0..2_000)
            .map(|seed| match answer(&game, seed) {
                BestMove::Move { best, .. } => best.to_string(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(seen.len(), 30);
    }
}
