//! Kinds of pieces, and sets of kinds.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitOr};

use tsumero_core::PieceKind;

/// One of the eight kinds that a piece can turn out to be. Promotion is a flag of the piece, not a
/// kind.
///
/// ```
/// use tsumero_core::PieceKind;
/// use tsumero_quantum::Kind;
///
/// // The letters of a side's 20 pieces.
/// let letters = |kind: Kind| kind.letter().to_string().repeat(kind.count().into());
/// assert_eq!(Kind::ALL.map(letters).concat(), "PPPPPPPPPLLNNSSGGBRK");
/// assert_eq!(Kind::Rook.piece_kind(true), Some(PieceKind::Dragon));
/// assert_eq!(Kind::Gold.piece_kind(true), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// 歩
    Pawn = 0,
    /// 香
    Lance = 1,
    /// 桂
    Knight = 2,
    /// 銀
    Silver = 3,
    /// 金
    Gold = 4,
    /// 角
    Bishop = 5,
    /// 飛
    Rook = 6,
    /// 玉
    King = 7,
}

impl Kind {
    /// All kinds, in the order of their bits.
    pub const ALL: [Kind; 8] = [
        Kind::Pawn,
        Kind::Lance,
        Kind::Knight,
        Kind::Silver,
        Kind::Gold,
        Kind::Bishop,
        Kind::Rook,
        Kind::King,
    ];

    /// 0 for the pawn to 7 for the king: the number of its bit in a [`KindSet`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How many pieces of this kind each side has.
    #[inline]
    pub const fn count(self) -> u8 {
        match self {
            Kind::Pawn => 9,
            Kind::Lance | Kind::Knight | Kind::Silver | Kind::Gold => 2,
            Kind::Bishop | Kind::Rook | Kind::King => 1,
        }
    }

    /// The kind in ordinary shogi, promoted or not; `None` if the kind does not promote.
    pub const fn piece_kind(self, promoted: bool) -> Option<PieceKind> {
        let kind = match self {
            Kind::Pawn => PieceKind::Pawn,
            Kind::Lance => PieceKind::Lance,
            Kind::Knight => PieceKind::Knight,
            Kind::Silver => PieceKind::Silver,
            Kind::Gold => PieceKind::Gold,
            Kind::Bishop => PieceKind::Bishop,
            Kind::Rook => PieceKind::Rook,
            Kind::King => PieceKind::King,
        };
        if promoted { kind.promoted() } else { Some(kind) }
    }

    /// The letter of the kind, as in SFEN.
    pub const fn letter(self) -> char {
        match self.piece_kind(false) {
            Some(kind) => kind.letter(),
            None => unreachable!(),
        }
    }
}

/// A set of kinds, one bit for each: the kinds that a piece can still be.
///
/// ```
/// use tsumero_quantum::{Kind, KindSet, kinds_that_move};
///
/// // A piece moves three squares forward, and later one square sideways.
/// let (forward, sideways) = (kinds_that_move(0, -3, false), kinds_that_move(1, 0, false));
/// assert_eq!((forward.to_string(), sideways.to_string()), ("LR".into(), "GRK".into()));
/// assert_eq!(forward & sideways, KindSet::of(&[Kind::Rook]));
/// // A side has two lances and one rook.
/// assert_eq!(forward.capacity(), 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct KindSet(u8);

/// The number of pieces of a side whose kind lies in a set, for every set.
const CAPACITY: [u8; 256] = {
    let mut capacity = [0; 256];
    let mut bits = 1;
    while bits < 256 {
        let lowest = (bits as u8).trailing_zeros() as usize;
        capacity[bits] = capacity[bits & (bits - 1)] + Kind::ALL[lowest].count();
        bits += 1;
    }
    capacity
};

impl KindSet {
    /// The empty set. No piece of a legal position has it.
    pub const EMPTY: KindSet = KindSet(0);
    /// All eight kinds, the set of every piece at the start.
    pub const ALL: KindSet = KindSet(0xff);
    /// The king alone.
    pub const KING: KindSet = KindSet::of(&[Kind::King]);
    /// The kinds that can promote: all but gold and king.
    pub const PROMOTABLE: KindSet = {
        let mut bits = 0;
        let mut number = 0;
        while number < Kind::ALL.len() {
            if Kind::ALL[number].piece_kind(true).is_some() {
                bits |= 1 << number;
            }
            number += 1;
        }
        KindSet(bits)
    };
    /// The kinds that have no move from the last rank.
    pub const DEAD_ON_LAST_RANK: KindSet = KindSet::dead_on(1);
    /// The kinds that have no move from the second-last rank.
    pub const DEAD_ON_SECOND_LAST_RANK: KindSet = KindSet::dead_on(2);

    /// The number of different sets.
    pub(crate) const COUNT: usize = 1 << Kind::ALL.len();

    /// The set with the given bits: bit 0 for the pawn to bit 7 for the king.
    #[inline]
    pub const fn from_bits(bits: u8) -> KindSet {
        KindSet(bits)
    }

    /// The bits of the set.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set of the listed kinds.
    pub const fn of(kinds: &[Kind]) -> KindSet {
        let mut bits = 0;
        let mut number = 0;
        while number < kinds.len() {
            bits |= 1 << kinds[number].index();
            number += 1;
        }
        KindSet(bits)
    }

    /// The kinds that have no move from the given rank, counted back from the last rank, which is
    /// number 1.
    const fn dead_on(rank: usize) -> KindSet {
        let mut bits = 0;
        let mut number = 0;
        while number < Kind::ALL.len() {
            if let Some(kind) = Kind::ALL[number].piece_kind(false)
                && kind.dead_ranks() >= rank
            {
                bits |= 1 << number;
            }
            number += 1;
        }
        KindSet(bits)
    }

    /// Whether no kind is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of kinds in the set, 0 to 8.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether a kind is in the set.
    #[inline]
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 >> kind.index() & 1 != 0
    }

    /// Whether every kind of this set is in the other one.
    #[inline]
    pub const fn is_subset_of(self, other: KindSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether the sets share a kind.
    #[inline]
    pub const fn meets(self, other: KindSet) -> bool {
        self.0 & other.0 != 0
    }

    /// The kinds of this set that are not in the other one.
    #[inline]
    pub const fn without(self, other: KindSet) -> KindSet {
        KindSet(self.0 & !other.0)
    }

    /// How many of a side's 20 pieces have a kind of this set, 0 to 20.
    #[inline]
    pub const fn capacity(self) -> u8 {
        CAPACITY[self.0 as usize]
    }

    /// The kinds of the set, pawn first.
    #[inline]
    pub fn iter(self) -> KindSetIter {
        KindSetIter(self.0)
    }
}

/// The kinds of a set, pawn first: see [`KindSet::iter`].
#[derive(Clone, Debug)]
pub struct KindSetIter(u8);

impl Iterator for KindSetIter {
    type Item = Kind;

    #[inline]
    fn next(&mut self) -> Option<Kind> {
        let kind = Kind::ALL.get(self.0.trailing_zeros() as usize).copied()?;
        self.0 &= self.0 - 1;
        Some(kind)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for KindSetIter {}

impl FusedIterator for KindSetIter {}

/// The kinds of the set, pawn first.
impl IntoIterator for KindSet {
    type Item = Kind;
    type IntoIter = KindSetIter;

    #[inline]
    fn into_iter(self) -> KindSetIter {
        self.iter()
    }
}

impl BitAnd for KindSet {
    type Output = KindSet;

    #[inline]
    fn bitand(self, other: KindSet) -> KindSet {
        KindSet(self.0 & other.0)
    }
}

impl BitOr for KindSet {
    type Output = KindSet;

    #[inline]
    fn bitor(self, other: KindSet) -> KindSet {
        KindSet(self.0 | other.0)
    }
}

/// The letters of the kinds, pawn first: `PLK`; `-` for the empty set.
impl fmt::Display for KindSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: String = self.iter().map(Kind::letter).collect();
        f.pad(if letters.is_empty() { "-" } else { &letters })
    }
}

impl fmt::Debug for KindSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KindSet({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsumero_core::Position;

    #[test]
    fn capacities_are_sums_of_counts() {
        assert_eq!(KindSet::ALL.capacity(), 20);
        for bits in 0..=255 {
            let set = KindSet::from_bits(bits);
            assert_eq!(set.capacity(), set.iter().map(Kind::count).sum::<u8>());
            assert_eq!(set.len() as usize, set.iter().count());
        }
    }

    /// Ordinary shogi says which kinds may promote, and which may not be dropped where they could not move.
    #[test]
    fn named_sets_hold_what_ordinary_shogi_says() {
        let moves = |sfen: &str| -> Vec<String> {
            let position = Position::from_sfen(sfen).unwrap();
            position.legal_moves().iter().map(ToString::to_string).collect()
        };
        let kings = "k8/9/9/9/9/9/9/9/4K4";
        for kind in Kind::ALL {
            let set = KindSet::of(&[kind]);
            let letter = kind.letter();
            // A knight on 2e or a piece on 2d enters the zone with its next move.
            let board = match kind {
                Kind::Knight => kings.replacen("9/9/9/9/9", &format!("9/9/9/7{letter}1/9"), 1),
                _ => kings.replacen("9/9/9/9/9", &format!("9/9/7{letter}1/9/9"), 1),
            };
            let board = if kind == Kind::King { board.replace("4K4", "9") } else { board };
            let promotes = moves(&format!("{board} b - 1")).iter().any(|word| word.ends_with('+'));
            assert_eq!(KindSet::PROMOTABLE & set == set, promotes, "{kind:?}");
            for (rank, dead) in
                [('a', KindSet::DEAD_ON_LAST_RANK), ('b', KindSet::DEAD_ON_SECOND_LAST_RANK)]
            {
                let dropped = kind == Kind::King
                    || moves(&format!("{kings} b {letter} 1"))
                        .contains(&format!("{letter}*2{rank}"));
                assert_eq!(dead & set == set, !dropped, "{kind:?} on {rank}");
            }
        }
        assert_eq!(KindSet::KING, KindSet::of(&[Kind::King]));
        assert_eq!(KindSet::EMPTY.iter().count(), 0);
    }
}
