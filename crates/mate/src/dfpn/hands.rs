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
    match mv.captured().map(PieceKind::unpromoted) {
        Some(kind) if after.contains(kind) => after.without(kind),
        _ => after,
    }
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
