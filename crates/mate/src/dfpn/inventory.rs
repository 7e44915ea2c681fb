//! The part of the keys that no move changes.

use tsumero_core::{Color, GOLDEN_GAMMA, PieceKind, Position, mix};

/// A number for everything that is constant in one search: how many pieces of each kind there are,
/// and which side attacks. Two of these numbers are equal only if all of that is: [`mix`] is a
/// permutation, and so is [`packed_inventory`] as far as it goes. So one board never has the same key
/// in two searches that differ in it.
pub(super) fn salt(position: &Position) -> u64 {
    mix(packed_inventory(position).wrapping_add(GOLDEN_GAMMA))
}

/// The number of pieces of each kind in the game, on the board and in both hands, and the side to
/// move, each in bits of its own.
fn packed_inventory(position: &Position) -> u64 {
    /// No kind has more than 18 pieces.
    const BITS: usize = 5;
    let of_kind = |kind: PieceKind, count: u64| count << (BITS * kind.unpromoted().index());
    let on_board = position.pieces().map(|(_, piece)| of_kind(piece.kind(), 1)).sum::<u64>();
    let hands = Color::ALL.map(|color| position.hand(color));
    let in_hand = hands.iter().flat_map(|hand| hand.iter());
    let in_hand = in_hand.map(|(kind, count)| of_kind(kind, count.into())).sum::<u64>();
    on_board + in_hand + position.side_to_move().index() as u64
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rand::prelude::*;
    use tsumero_core::Hand;

    use super::*;
    use crate::dfpn::tests::holding;

    /// One table serves many searches, so its keys tell apart what no move changes: which pieces there
    /// are, and who attacks. A piece may stand on the board, be promoted or be in hand.
    #[test]
    fn keys_differ_with_the_pieces_and_the_attacker() {
        let salt_of = |sfen: &str| salt(&Position::from_sfen(sfen).unwrap());
        let bare = "4k4/9/9/9/9/9/9/9/9";
        let salts = ["b", "w"].map(|side| salt_of(&format!("{bare} {side} - 1")));
        assert_ne!(salts[0], salts[1]);
        let with_a_rook = salt_of(&format!("{bare} b r 1"));
        for same in ["4k4/9/9/9/8r/9/9/9/9 b - 1", "4k4/9/9/9/8+R/9/9/9/9 b - 1"] {
            assert_eq!(salt_of(same), with_a_rook, "{same}");
        }
    }

    /// Every hand that a player can hold, on one board: 19 × 5⁴ × 3² hands, and no two keys are equal. Some
    /// random ones are split between the players, and pieces stand on the board: that changes no key.
    #[test]
    fn no_two_inventories_have_the_same_key() {
        let mut random = StdRng::seed_from_u64(7);
        let mut known = HashMap::new();
        let counts = PieceKind::HAND.map(Hand::limit);
        let all = counts.iter().fold(1, |all, &limit| all * u64::from(limit + 1));
        for number in 0..all {
            let mut left = number;
            let hand = PieceKind::HAND.into_iter().fold(Hand::EMPTY, |hand, kind| {
                let choices = u64::from(Hand::limit(kind) + 1);
                let count = left % choices;
                left /= choices;
                hand.with_count(kind, count as u32)
            });
            for side in ["b", "w"] {
                let position =
                    Position::from_sfen(&format!("4k4/9/9/9/9/9/9/9/9 {side} - 1")).unwrap();
                let position = holding(&position, hand, Hand::EMPTY);
                let key = salt(&position);
                if let Some(other) = known.insert(key, (side, hand)) {
                    panic!("{side} {hand:?} and {other:?} have the same key");
                }
                if random.random_ratio(1, 100) {
                    let ours = PieceKind::HAND.into_iter().fold(Hand::EMPTY, |ours, kind| {
                        ours.with_count(kind, random.random_range(0..=hand.count(kind)))
                    });
                    let rest = PieceKind::HAND.into_iter().fold(Hand::EMPTY, |rest, kind| {
                        rest.with_count(kind, hand.count(kind) - ours.count(kind))
                    });
                    assert_eq!(salt(&holding(&position, ours, rest)), key, "{ours:?} {rest:?}");
                }
            }
        }
        assert_eq!(known.len() as u64, 2 * all);
        // The relations of weights that are powers of two.
        for (one, other) in
            [("N2P", "3L"), ("B2S", "3G"), ("S2L", "3N"), ("G2N", "3S"), ("R2G", "2G3P")]
        {
            let [one, other] = [one, other].map(|hand| {
                salt(&Position::from_sfen(&format!("4k4/9/9/9/9/9/9/9/9 b {hand} 1")).unwrap())
            });
            assert_ne!(one, other);
        }
    }
}
