//! Proof and disproof hands: which pieces in hand a result needs.
//!
//! A *proof hand* of a position with a mate is a hand of the attacker with which it is a mate, and
//! so with any larger hand. A *disproof hand* of a position without a mate is a hand with which
//! there is no mate, and so with any smaller hand. (Seo, "Application of df-pn to tsume-shogi",
//! 1999, and Nagai's thesis, 2002.) Both start at the ends of the lines and are carried back move
//! by move.

use tsumero_core::{Color, Hand, Move, PieceKind, Position, displacement};

/// The number of pieces of a kind in both hands together.
fn in_both_hands(position: &Position, kind: PieceKind) -> u32 {
    position.hand(Color::Black).count(kind) + position.hand(Color::White).count(kind)
}

/// Whether the side to move can meet the single check by an interposing drop.
fn can_interpose(position: &Position) -> bool {
    let checker = position.checkers().single_square();
    let (Some(king), Some(checker)) = (position.king(position.side_to_move()), checker) else {
        return false;
    };
    displacement(checker, king).is_some_and(|line| line.distance > 1)
}

/// The attacker's hand after a move of either side, from the one before it.
pub(crate) fn after(mv: Move, attacker: Color, before: Hand) -> Hand {
    if mv.color() != attacker {
        return before;
    }
    match mv.captured() {
        _ if mv.is_drop() => before.without(mv.kind()),
        Some(captured) => before.with(captured.unpromoted()),
        None => before,
    }
}

/// The pieces in hand that a mate needs in addition to those that its lines use, with the defender
/// to move. If an interposing drop would help, the attacker must hold all pieces of each kind that
/// the defender lacks.
pub(crate) fn withheld(position: &Position) -> Hand {
    if !can_interpose(position) {
        return Hand::EMPTY;
    }
    let defender = position.side_to_move();
    let kinds = position.hand(!defender).iter();
    kinds
        .filter(|&(kind, _)| !position.hand(defender).contains(kind))
        .fold(Hand::EMPTY, |hand, (kind, count)| hand.with_count(kind, count))
}

/// The proof hand before the attacker's move, from the one after it.
pub(crate) fn proof_before(mv: Move, after: Hand) -> Hand {
    if mv.is_drop() {
        return after.with(mv.kind());
    }
    without_captured(mv, after)
}

/// A hand before a move that may have captured a piece of it, from the one after the move.
fn without_captured(mv: Move, after: Hand) -> Hand {
    match mv.captured().map(PieceKind::unpromoted) {
        Some(kind) if after.contains(kind) => after.without(kind),
        _ => after,
    }
}

/// The largest disproof hand to start from where the attacker is to move. It has all pieces of the
/// kinds that the attacker holds, because more of them allow no new move. It has none of the other
/// kinds.
pub(crate) fn disproof_start(position: &Position) -> Hand {
    let kinds = position.hand(position.side_to_move()).iter();
    kinds.fold(Hand::EMPTY, |hand, (kind, _)| hand.with_count(kind, in_both_hands(position, kind)))
}

/// The disproof hand before the attacker's move, from the one after it.
pub(crate) fn disproof_before_attack(mv: Move, after: Hand) -> Hand {
    if mv.is_drop() {
        let count = after.count(mv.kind()) + 1;
        return after.with_count(mv.kind(), count.min(Hand::limit(mv.kind())));
    }
    without_captured(mv, after)
}

/// The disproof hand before the defender's move, from the one after it.
pub(crate) fn disproof_before_defense(position: &Position, mv: Move, after: Hand) -> Hand {
    // A dropped piece must have been in the defender's hand. A captured piece was in nobody's hand.
    let kind =
        if mv.is_drop() { Some(mv.kind()) } else { mv.captured().map(PieceKind::unpromoted) };
    let Some(kind) = kind else { return after };
    let most = in_both_hands(position, kind) - u32::from(mv.is_drop());
    after.with_count(kind, after.count(kind).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(pieces: &[(PieceKind, u32)]) -> Hand {
        pieces.iter().fold(Hand::EMPTY, |hand, &(kind, count)| hand.with_count(kind, count))
    }

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).unwrap()
    }

    const PAWN: PieceKind = PieceKind::Pawn;
    const GOLD: PieceKind = PieceKind::Gold;

    #[test]
    fn hands_are_carried_back_over_a_move_of_the_attacker() {
        let before = position("4k4/9/4+p4/9/4R4/9/9/9/9 b G2g 1");
        let capture = before.parse_move("5e5c+").unwrap();
        let drop = before.parse_move("G*5b").unwrap();
        assert_eq!(after(capture, Color::Black, hand(&[])), hand(&[(PAWN, 1)]));
        assert_eq!(after(drop, Color::Black, hand(&[(GOLD, 1)])), hand(&[]));
        for carried in [proof_before, disproof_before_attack] {
            // The captured piece came from the board.
            assert_eq!(carried(capture, hand(&[(PAWN, 2)])), hand(&[(PAWN, 1)]));
            assert_eq!(carried(capture, hand(&[(GOLD, 2)])), hand(&[(GOLD, 2)]));
            assert_eq!(carried(drop, hand(&[(PAWN, 2)])), hand(&[(GOLD, 1), (PAWN, 2)]));
        }
        assert_eq!(disproof_before_attack(drop, hand(&[(GOLD, 4)])), hand(&[(GOLD, 4)]));
    }

    /// The defender must have had what it dropped, and what it captured was in no hand.
    #[test]
    fn hands_are_carried_back_over_a_move_of_the_defender() {
        let before = position("4k4/9/4R4/9/9/9/9/9/9 w G2P2g3p 1");
        let drop = before.parse_move("G*5b").unwrap();
        assert_eq!(after(drop, Color::Black, hand(&[(GOLD, 1)])), hand(&[(GOLD, 1)]));
        let carried = |mv, after| disproof_before_defense(&before, mv, after);
        assert_eq!(carried(drop, hand(&[(GOLD, 3), (PAWN, 5)])), hand(&[(GOLD, 2), (PAWN, 5)]));
        assert_eq!(carried(drop, hand(&[(GOLD, 1)])), hand(&[(GOLD, 1)]));
        let quiet = before.parse_move("5a4a").unwrap();
        assert_eq!(carried(quiet, hand(&[(GOLD, 3)])), hand(&[(GOLD, 3)]));

        let before = position("4k4/4+P4/9/9/9/9/9/9/9 w G2P2g3p 1");
        let capture = before.parse_move("5a5b").unwrap();
        let carried = disproof_before_defense(&before, capture, hand(&[(GOLD, 3), (PAWN, 6)]));
        assert_eq!(carried, hand(&[(GOLD, 3), (PAWN, 5)]));
    }

    #[test]
    fn hands_at_the_ends_of_the_lines() {
        // The defender lacks golds, so the attacker must hold all of them, if a drop would help.
        let far = position("4k4/9/9/9/4R4/9/9/9/9 w 3G2P2p 1");
        assert_eq!(withheld(&far), hand(&[(GOLD, 3)]));
        let near = position("4k4/4R4/9/9/9/9/9/9/9 w 3G2P2p 1");
        assert_eq!(withheld(&near), Hand::EMPTY);
        let double = position("4k4/9/3N5/9/4R4/9/9/9/9 w 3G2P2p 1");
        assert_eq!(withheld(&double), Hand::EMPTY);
        // All pawns of both hands, and no kind that the attacker lacks.
        let attack = position("4k4/9/9/9/9/9/9/9/9 b 2P3p2g 1");
        assert_eq!(disproof_start(&attack), hand(&[(PAWN, 5)]));
    }
}
