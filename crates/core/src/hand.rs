//! Pieces in hand (持ち駒).

use std::fmt;
use std::str::FromStr;

use crate::piece::PieceKind;

/// How many pieces of each kind a player holds in hand.
///
/// ```
/// use tsumero_core::{Hand, PieceKind};
/// let hand = Hand::EMPTY.with_count(PieceKind::Pawn, 3).with(PieceKind::Gold);
/// assert_eq!(hand.iter().collect::<Vec<_>>(), [(PieceKind::Pawn, 3), (PieceKind::Gold, 1)]);
/// assert!(hand.dominates(hand.without(PieceKind::Pawn)));
/// assert_eq!((hand.to_string().as_str(), "G3P".parse()), ("G3P", Ok(hand)));
/// assert_eq!(format!("{hand:?}"), "Hand(G3P)");
/// ```
///
/// The counts are packed into one word with a free bit above each. So "holds at least as many of
/// every kind" is one subtraction. The bits of a hand can serve as its hash.
///
/// ```text
/// bits  0..=4  6..=8  10..=12  14..=16  18..=20  22..=23   25..=26
///       pawn   lance  knight   silver   gold     bishop    rook
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Hand(u32);

/// Lowest bit of each kind's count, by [`PieceKind::index`]; the first entry is unused.
const SHIFT: [u32; 8] = [31, 0, 6, 10, 14, 18, 22, 25];
/// Mask of each kind's count after shifting.
const MASK: [u32; 8] = [0, 31, 7, 7, 7, 7, 3, 3];
/// The free bits above the counts.
const GAPS: u32 = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 21 | 1 << 24 | 1 << 27;

/// The bits of all counts.
const COUNTS: u32 = ((1 << 27) - 1) & !GAPS;

impl Hand {
    /// Nothing in hand.
    pub const EMPTY: Hand = Hand(0);

    /// Number of pieces of a kind. Kinds that are never held (king, promoted) count 0. The number is at
    /// most [`Hand::limit`], except in a hand from arbitrary bits: see [`Hand::from_bits`].
    #[inline]
    pub const fn count(self, kind: PieceKind) -> u32 {
        if kind as usize > PieceKind::Rook as usize {
            return 0;
        }
        self.0 >> SHIFT[kind as usize] & MASK[kind as usize]
    }

    /// Whether a piece of the kind is held.
    #[inline]
    pub const fn contains(self, kind: PieceKind) -> bool {
        self.count(kind) != 0
    }

    /// One bit for each of [`Hand::CONTACT_DROP_KINDS`] that is held. These are the kinds whose
    /// drop may mate on a square next to the king. A pawn drop may not mate (打ち歩詰め), and a knight
    /// never attacks an adjacent square. The set is not 大駒: lances are in it.
    #[inline]
    pub(crate) fn contact_drop_kinds(self) -> u8 {
        // These counts have up to three bits. The shifts combine them in the lowest one.
        let held = self.0 | self.0 >> 1 | self.0 >> 2;
        #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
        {
            const LOWEST: u32 = {
                let mut bits = 0;
                let mut number = 0;
                while number < Hand::CONTACT_DROP_KINDS.len() {
                    bits |= 1 << SHIFT[Hand::CONTACT_DROP_KINDS[number] as usize];
                    number += 1;
                }
                bits
            };
            // SAFETY: the target has the instruction.
            unsafe { std::arch::x86_64::_pext_u32(held, LOWEST) as u8 }
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
        {
            let bits = Hand::CONTACT_DROP_KINDS
                .into_iter()
                .enumerate()
                .map(|(bit, kind)| (held >> SHIFT[kind.index()] & 1) << bit);
            bits.fold(0, |all, bit| all | bit) as u8
        }
    }

    /// The kinds of [`Hand::contact_drop_kinds`], in the order of its bits.
    pub(crate) const CONTACT_DROP_KINDS: [PieceKind; 5] =
        [PieceKind::Lance, PieceKind::Silver, PieceKind::Gold, PieceKind::Bishop, PieceKind::Rook];

    /// Whether a silver, gold, bishop or rook is held: a kind that may be dropped on any rank.
    #[inline]
    pub(crate) const fn contains_unrestricted(self) -> bool {
        self.0 >> SHIFT[PieceKind::Silver as usize] != 0
    }

    /// Whether nothing is held.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of pieces of a kind in a full set: 18 pawns, 4 lances, knights, silvers and
    /// golds, 2 bishops and rooks. It is 0 for kinds that are never held.
    pub const fn limit(kind: PieceKind) -> u32 {
        match kind {
            PieceKind::Pawn => 18,
            PieceKind::Lance | PieceKind::Knight | PieceKind::Silver | PieceKind::Gold => 4,
            PieceKind::Bishop | PieceKind::Rook => 2,
            _ => 0,
        }
    }

    /// The hand with one piece more.
    ///
    /// # Panics
    ///
    /// When all pieces of the kind are in hand already ([`Hand::limit`]), or when the kind is never
    /// held: the king and promoted kinds.
    #[inline]
    #[must_use]
    pub fn with(self, kind: PieceKind) -> Hand {
        assert!(self.count(kind) < Hand::limit(kind), "no more of {kind:?} in a hand");
        self.plus(kind)
    }

    /// The hand with one piece less.
    ///
    /// # Panics
    ///
    /// When no piece of the kind is held.
    #[inline]
    #[must_use]
    pub fn without(self, kind: PieceKind) -> Hand {
        assert!(self.contains(kind), "no {kind:?} in hand");
        self.minus(kind)
    }

    /// [`Hand::with`] without its checks: the caller knows that there is one more piece of the
    /// kind. Otherwise the result is some other hand.
    #[inline]
    pub(crate) fn plus(self, kind: PieceKind) -> Hand {
        debug_assert!(self.count(kind) < Hand::limit(kind));
        Hand(self.0.wrapping_add(1 << SHIFT[kind.index() & 7]))
    }

    /// [`Hand::without`] without its check: the caller knows that a piece of the kind is held.
    /// Otherwise the result is some other hand.
    #[inline]
    pub(crate) fn minus(self, kind: PieceKind) -> Hand {
        debug_assert!(self.contains(kind));
        Hand(self.0.wrapping_sub(1 << SHIFT[kind.index() & 7]))
    }

    /// Whether this hand holds at least as many of every kind as the other.
    #[inline]
    pub const fn dominates(self, other: Hand) -> bool {
        // A kind with fewer pieces borrows from the gap above it, the uppermost one included.
        self.0.wrapping_sub(other.0) & GAPS == 0
    }

    /// The smallest hand that dominates both: of each kind the larger count.
    #[must_use]
    pub fn union(self, other: Hand) -> Hand {
        self.kind_by_kind(other, u32::max)
    }

    /// The largest hand that both dominate: of each kind the smaller count.
    #[must_use]
    pub fn intersection(self, other: Hand) -> Hand {
        self.kind_by_kind(other, u32::min)
    }

    #[inline]
    fn kind_by_kind(self, other: Hand, choose: impl Fn(u32, u32) -> u32) -> Hand {
        let bits = PieceKind::HAND
            .into_iter()
            .map(|kind| choose(self.count(kind), other.count(kind)) << SHIFT[kind.index() & 7]);
        Hand(bits.fold(0, |all, count| all | count))
    }

    /// The hand with another number of pieces of a kind.
    ///
    /// # Panics
    ///
    /// When the number is above [`Hand::limit`], or when the kind is never held.
    #[inline]
    #[must_use]
    pub fn with_count(self, kind: PieceKind, count: u32) -> Hand {
        assert!(
            count <= Hand::limit(kind) && Hand::limit(kind) > 0,
            "{count} of {kind:?} in a hand"
        );
        let shift = SHIFT[kind.index() & 7];
        Hand(self.0 & !(MASK[kind.index() & 7] << shift) | count << shift)
    }

    /// The packed counts; equal exactly for equal hands.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The hand whose packed counts are in `bits`. Bits between the counts are ignored. If a count is
    /// above [`Hand::limit`], [`Setup::build`](crate::Setup::build) refuses the hand, and its text is not
    /// read back.
    #[inline]
    pub const fn from_bits(bits: u32) -> Hand {
        Hand(bits & COUNTS)
    }

    /// The kinds held with their counts (at least 1), from the pawn to the rook.
    pub fn iter(self) -> impl Iterator<Item = (PieceKind, u32)> {
        PieceKind::HAND
            .into_iter()
            .map(move |kind| (kind, self.count(kind)))
            .filter(|&(_, count)| count > 0)
    }
}

/// The letters of an SFEN with the counts before them (`R2P`), one after the other; `None` for a
/// count of 0 and for a count without a letter.
pub(crate) fn counted_letters(text: &str) -> impl Iterator<Item = Option<(char, u32)>> {
    let mut characters = text.chars();
    std::iter::from_fn(move || {
        let mut number: Option<u32> = None;
        loop {
            let Some(character) = characters.next() else { return number.map(|_| None) };
            let Some(digit) = character.to_digit(10) else {
                return Some((number != Some(0)).then(|| (character, number.unwrap_or(1))));
            };
            // Saturation keeps an excessive count above every limit, so it is refused later.
            number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(digit));
        }
    })
}

/// The hand as an SFEN writes Black's, from the rook to the pawn: `R2P`; `-` for nothing.
impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.pad("-");
        }
        let mut text = String::new();
        for kind in PieceKind::HAND.into_iter().rev() {
            match self.count(kind) {
                0 => {}
                1 => text.push(kind.letter()),
                count => text += &format!("{count}{}", kind.letter()),
            }
        }
        f.pad(&text)
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hand({self})")
    }
}

/// Why a text is not a hand.
///
/// ```
/// use tsumero_core::{Hand, ParseHandError};
/// assert_eq!("R2X".parse::<Hand>(), Err(ParseHandError::Malformed));
/// assert_eq!("3R".parse::<Hand>().unwrap_err().to_string(), "more than 2 of R in a hand");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseHandError {
    /// It is neither `-` nor letters of kinds with counts before them.
    #[error("not a hand such as R2P")]
    Malformed,
    /// There are more pieces of a kind than a full set has.
    #[error("more than {limit} of {letter} in a hand")]
    TooMany {
        /// The letter of the kind.
        letter: char,
        /// How many a full set has.
        limit: u32,
    },
}

/// Reads what [`Hand`] writes, the kinds in any order.
impl FromStr for Hand {
    type Err = ParseHandError;

    fn from_str(text: &str) -> Result<Hand, ParseHandError> {
        if text == "-" {
            return Ok(Hand::EMPTY);
        }
        let mut hand = Hand::EMPTY;
        for counted in counted_letters(text) {
            let (letter, count) = counted.ok_or(ParseHandError::Malformed)?;
            let kind = PieceKind::from_letter(letter).ok_or(ParseHandError::Malformed)?;
            let limit = Hand::limit(kind);
            if limit == 0 {
                return Err(ParseHandError::Malformed);
            }
            let count = hand.count(kind).saturating_add(count);
            if count > limit {
                return Err(ParseHandError::TooMany { letter, limit });
            }
            hand = hand.with_count(kind, count);
        }
        if hand.is_empty() { Err(ParseHandError::Malformed) } else { Ok(hand) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_do_not_run_into_each_other() {
        let mut hand = Hand::EMPTY;
        for kind in PieceKind::HAND {
            for count in 0..Hand::limit(kind) {
                assert_eq!(hand.count(kind), count);
                hand = hand.with(kind);
            }
        }
        for kind in PieceKind::HAND {
            assert_eq!(hand.count(kind), Hand::limit(kind));
            assert_eq!(hand.without(kind).count(kind), Hand::limit(kind) - 1);
            let unrestricted = kind.dead_ranks() == 0;
            assert_eq!(Hand::EMPTY.with(kind).contains_unrestricted(), unrestricted);
        }
        assert_eq!(hand.iter().map(|(_, count)| count).sum::<u32>(), 38);
        assert_eq!(hand.count(PieceKind::King), 0);
    }

    #[test]
    fn union_and_intersection_are_the_nearest_hands_that_dominate_and_are_dominated() {
        let one = Hand::EMPTY.with_count(PieceKind::Pawn, 18).with_count(PieceKind::Rook, 1);
        let other = Hand::EMPTY.with_count(PieceKind::Pawn, 3).with_count(PieceKind::Gold, 4);
        let both = one.union(other);
        assert!(both.dominates(one) && both.dominates(other));
        assert_eq!(both.iter().map(|(_, count)| count).sum::<u32>(), 18 + 1 + 4);
        let shared = one.intersection(other);
        assert!(one.dominates(shared) && other.dominates(shared));
        assert_eq!(shared, Hand::EMPTY.with_count(PieceKind::Pawn, 3));
        assert_eq!(both.with_count(PieceKind::Gold, 0), one);
    }

    #[test]
    fn dominance_compares_kind_by_kind() {
        let mut hands = vec![Hand::EMPTY];
        for kind in PieceKind::HAND {
            for hand in hands.clone() {
                let one = hand.with(kind);
                hands.extend([one, one.with(kind)]);
            }
        }
        for &left in hands.iter().step_by(7) {
            for &right in hands.iter().step_by(5) {
                let expected =
                    PieceKind::HAND.into_iter().all(|kind| left.count(kind) >= right.count(kind));
                assert_eq!(left.dominates(right), expected, "{left:?} {right:?}");
            }
        }
    }

    #[test]
    fn a_hand_reads_back_from_its_text() {
        for bits in 0..1 << 14 {
            let counts =
                [bits & 31, bits >> 5 & 7, bits >> 8 & 7, 0, bits >> 11 & 3, 0, bits >> 13];
            let hand =
                PieceKind::HAND.into_iter().zip(counts).fold(Hand::EMPTY, |hand, (kind, count)| {
                    hand.with_count(kind, count.min(Hand::limit(kind)))
                });
            assert_eq!(hand.to_string().parse(), Ok(hand));
        }
        assert_eq!(Hand::EMPTY.to_string(), "-");
        for text in ["", "--", "R-", "2", "P2", "0P", "K", "p", "+P", "Ｐ"] {
            assert_eq!(text.parse::<Hand>(), Err(ParseHandError::Malformed), "{text}");
        }
        for (text, letter, limit) in [("19P", 'P', 18), ("G2GGG", 'G', 4), ("99999999999R", 'R', 2)]
        {
            assert_eq!(
                text.parse::<Hand>(),
                Err(ParseHandError::TooMany { letter, limit }),
                "{text}"
            );
        }
    }
}
