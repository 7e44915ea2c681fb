//! Convergence: the 20 pieces that started on one side, and the kinds that each can still be.
//!
//! # Convergence
//!
//! Call a set of kinds *used up* when the pieces whose kinds all lie within it are as many as there
//! are pieces of those kinds. A kind is possible for a piece exactly when some assignment, which
//! gives every piece one of its kinds and uses each kind as often as it exists, gives the piece
//! that kind. By Hall's theorem (P. Hall, "On Representatives of Subsets", 1935) one pass suffices:
//! remove from every piece's set each used-up set that does not contain it.
//!
//! Used-up sets are closed under union and intersection. In a converged army every piece's kinds
//! lie within a used-up set or outside it, so the complement of a used-up set is used up too. So
//! the kinds fall into *blocks*: the used-up sets are the unions of blocks, and every piece belongs
//! to one block. Narrowing a piece therefore concerns its own block only. There it concerns only
//! the sets that contain the piece's kinds after the narrowing and did not contain its kinds
//! before: their room shrinks by one. This is why a call usually looks at a handful of sets instead
//! of 255.

use crate::kind_set::{Kind, KindSet};

/// The number of pieces that start on one side.
pub const ARMY_SIZE: usize = 20;

/// The pieces that started on one side, always converged: every kind in a piece's set is its kind
/// in some assignment of kinds to all 20 pieces.
///
/// ```
/// use tsumero_quantum::{Army, Kind, KindSet, kinds_that_move};
///
/// let mut army = Army::new();
/// assert_eq!(army.sets()[10], KindSet::ALL);
/// // Piece 10 moves two squares sideways, so it is the rook.
/// army.narrow(10, kinds_that_move(2, 0, false))?;
/// assert_eq!(army.sets()[10], KindSet::of(&[Kind::Rook]));
/// // A side has one rook, so no other piece can be the rook any more.
/// assert!(!army.sets()[0].contains(Kind::Rook));
/// # Ok::<(), tsumero_quantum::Contradiction>(())
/// ```
#[derive(Clone, Copy)]
pub struct Army {
    /// For every set within one block: how many more pieces could have all their kinds in it. That
    /// is its capacity minus the number of pieces that have. Entries of sets across several blocks
    /// are stale and never read.
    room: [u8; 256],
    sets: [KindSet; ARMY_SIZE],
    /// For every kind, its block: the smallest used-up set that contains the kind.
    blocks: [KindSet; 8],
}

/// A piece would have no kind left. The army is unchanged.
///
/// ```
/// use tsumero_quantum::{Army, Contradiction, KindSet};
///
/// let mut army = Army::new();
/// army.narrow(4, KindSet::KING)?;
/// // Piece 4 is the king, so piece 5 is not.
/// let before = army;
/// assert_eq!(army.narrow(5, KindSet::KING), Err(Contradiction));
/// assert_eq!(army, before);
/// # Ok::<(), Contradiction>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the piece would have no kind left")]
pub struct Contradiction;

/// The kind of a captured piece: the king or not.
///
/// ```
/// use tsumero_quantum::{Army, Captured, KindSet};
///
/// // A piece that is captured while it can be anything else is not the king.
/// let mut army = Army::new();
/// for piece in 0..19 {
///     assert_eq!(army.capture(piece), Captured::Piece);
/// }
/// // After 19 captures the last piece can only be the king.
/// assert_eq!(army.sets()[19], KindSet::KING);
/// assert_eq!(army.capture(19), Captured::King);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Captured {
    /// Some piece that is not the king.
    Piece,
    /// The king.
    King,
}

/// Why sets of kinds do not describe an army.
///
/// ```
/// use tsumero_quantum::{ARMY_SIZE, Army, ArmyError, KindSet};
///
/// // Piece 0 is the king, and all others can still be the king, too.
/// let mut sets = [KindSet::ALL; ARMY_SIZE];
/// sets[0] = KindSet::KING;
/// assert_eq!(Army::from_sets(sets), Err(ArmyError::NotConverged));
/// // Two pieces cannot both be the king.
/// sets[1] = KindSet::KING;
/// assert_eq!(Army::from_sets(sets), Err(ArmyError::Contradiction));
/// // One piece is the king, and no other piece is.
/// sets = [KindSet::ALL.without(KindSet::KING); ARMY_SIZE];
/// sets[0] = KindSet::KING;
/// assert!(Army::from_sets(sets).is_ok());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArmyError {
    /// No assignment of kinds to the pieces exists.
    #[error("the sets contradict the number of pieces of each kind")]
    Contradiction,
    /// A set holds a kind that its piece has in no assignment.
    #[error("a set holds a kind that the other pieces of its side use up")]
    NotConverged,
}

impl Default for Army {
    /// The army at the start of a game.
    fn default() -> Army {
        Army::new()
    }
}

impl PartialEq for Army {
    fn eq(&self, other: &Army) -> bool {
        // All other fields follow from the sets.
        self.sets == other.sets
    }
}

impl Eq for Army {}

impl std::fmt::Debug for Army {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Army").field(&self.sets).finish()
    }
}

impl Army {
    /// The army at the start of a game: every piece can be anything.
    pub const fn new() -> Army {
        let mut room = [0; 256];
        let mut bits = 0;
        while bits < 255 {
            room[bits] = KindSet::from_bits(bits as u8).capacity();
            bits += 1;
        }
        Army { room, sets: [KindSet::ALL; ARMY_SIZE], blocks: [KindSet::ALL; 8] }
    }

    /// The army with the given sets.
    ///
    /// # Errors
    /// The sets contradict each other, or they are not converged.
    pub fn from_sets(sets: [KindSet; ARMY_SIZE]) -> Result<Army, ArmyError> {
        let mut room = [0u8; 256];
        for bits in 0..=255u8 {
            let set = KindSet::from_bits(bits);
            let within = sets.iter().filter(|piece| piece.is_subset_of(set)).count();
            room[bits as usize] = usize::from(set.capacity())
                .checked_sub(within)
                .ok_or(ArmyError::Contradiction)? as u8;
        }
        let mut blocks = [KindSet::ALL; 8];
        for bits in 1..=255u8 {
            let set = KindSet::from_bits(bits);
            if room[bits as usize] == 0 {
                if sets.iter().any(|piece| piece.meets(set) && !piece.is_subset_of(set)) {
                    return Err(ArmyError::NotConverged);
                }
                split(&mut blocks, set);
            }
        }
        Ok(Army { room, sets, blocks })
    }

    /// The possible kinds of the pieces, in the order of their numbers.
    #[inline]
    pub const fn sets(&self) -> &[KindSet; ARMY_SIZE] {
        &self.sets
    }

    /// Reduces a piece's kinds to those in `allowed`, and converges the army.
    ///
    /// # Errors
    /// None of the piece's kinds is allowed.
    ///
    /// # Panics
    /// The number of the piece is not below 20.
    #[inline]
    pub fn narrow(&mut self, piece: usize, allowed: KindSet) -> Result<(), Contradiction> {
        let old = self.sets[piece];
        let new = old & allowed;
        if new == old {
            return Ok(());
        }
        if new.is_empty() {
            return Err(Contradiction);
        }
        self.sets[piece] = new;
        let block = self.block_of(old);
        let mut used_up = UsedUp::default();
        for_each_shrunk(old, new, block, |set| {
            let room = &mut self.room[usize::from(set.bits())];
            *room -= 1;
            if *room == 0 {
                used_up.push(set);
            }
        });
        if !used_up.sets().is_empty() {
            self.converge(piece, block, used_up.sets());
        }
        Ok(())
    }

    /// Captures a piece: it can no longer be the king, unless it can be nothing else. Then it *is*
    /// the king, the army is unchanged and the game is over.
    ///
    /// # Panics
    /// The number of the piece is not below 20.
    #[inline]
    pub fn capture(&mut self, piece: usize) -> Captured {
        match self.narrow(piece, KindSet::ALL.without(KindSet::KING)) {
            Ok(()) => Captured::Piece,
            Err(Contradiction) => Captured::King,
        }
    }

    /// The block that contains a piece's set.
    #[inline]
    fn block_of(&self, set: KindSet) -> KindSet {
        self.blocks[set.bits().trailing_zeros() as usize & 7]
    }

    /// Removes the sets of one block that have just been used up from the pieces that do not lie
    /// within them. The narrowed piece lies within all of them.
    fn converge(&mut self, narrowed: usize, block: KindSet, used_up: &[KindSet]) {
        for &set in used_up {
            split(&mut self.blocks, set);
        }
        for piece in 0..ARMY_SIZE {
            let old = self.sets[piece];
            if piece == narrowed || !old.is_subset_of(block) {
                continue;
            }
            let removed = used_up
                .iter()
                .filter(|&&set| !old.is_subset_of(set))
                .fold(KindSet::EMPTY, |union, &set| union | set);
            let new = old.without(removed);
            if new == old {
                continue;
            }
            debug_assert!(!new.is_empty(), "a narrowing that leaves a kind is consistent");
            self.sets[piece] = new;
            // The block is now one of the new ones. Sets across several of them need no more work.
            let block = self.block_of(new);
            for_each_shrunk(old, new, block, |set| self.room[usize::from(set.bits())] -= 1);
        }
    }
}

/// Splits blocks so that a used-up set is a union of blocks.
fn split(blocks: &mut [KindSet; 8], used_up: KindSet) {
    for kind in Kind::ALL {
        let block = &mut blocks[kind.index()];
        *block = if used_up.contains(kind) { *block & used_up } else { block.without(used_up) };
    }
}

/// Calls `f` with every set within `block`, except the block itself, that contains `new` and does
/// not contain `old`.
#[inline]
fn for_each_shrunk(old: KindSet, new: KindSet, block: KindSet, mut f: impl FnMut(KindSet)) {
    let lost = old.without(new).bits();
    let free = block.without(new).bits();
    let mut more = 0u8;
    loop {
        if lost & !more != 0 {
            f(KindSet::from_bits(new.bits() | more));
        }
        // The next subset of `free` in counting order. After the last one it is empty again.
        more = more.wrapping_sub(free) & free;
        if more == 0 {
            break;
        }
    }
}

/// The sets that one narrowing uses up. They share a kind, so there are at most 127.
struct UsedUp {
    sets: [KindSet; 128],
    len: usize,
}

impl Default for UsedUp {
    #[inline]
    fn default() -> UsedUp {
        UsedUp { sets: [KindSet::EMPTY; 128], len: 0 }
    }
}

impl UsedUp {
    #[inline]
    fn push(&mut self, set: KindSet) {
        self.sets[self.len & 127] = set;
        self.len += 1;
    }

    #[inline]
    fn sets(&self) -> &[KindSet] {
        &self.sets[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the rooms and blocks equal those computed from the sets alone.
    fn assert_consistent(army: &Army) {
        let fresh = Army::from_sets(army.sets).expect("the army is converged");
        assert_eq!(fresh.blocks, army.blocks);
        for bits in 1..=255u8 {
            let set = KindSet::from_bits(bits);
            if set.is_subset_of(army.block_of(set)) {
                assert_eq!(fresh.room[bits as usize], army.room[bits as usize], "{set}");
            }
        }
    }

    #[test]
    fn the_first_army_is_that_of_its_sets() {
        let army = Army::new();
        assert_consistent(&army);
        assert_eq!(Army::from_sets([KindSet::ALL; ARMY_SIZE]).unwrap().room, army.room);
    }

    #[test]
    fn incremental_rooms_and_blocks_agree_with_fresh_ones() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = move || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        for _ in 0..300 {
            let mut army = Army::new();
            for _ in 0..60 {
                let word = next();
                let mask = KindSet::from_bits((word >> 8 | word >> 16) as u8);
                let before = army;
                let piece = word as usize % ARMY_SIZE;
                if army.narrow(piece, mask).is_err() {
                    assert!((before.sets[piece] & mask).is_empty());
                    assert_eq!(army, before);
                }
                assert_consistent(&army);
            }
        }
    }

    #[test]
    fn sets_that_are_no_army_are_told_apart() {
        let mut sets = [KindSet::ALL; ARMY_SIZE];
        sets[3] = KindSet::KING;
        assert_eq!(Army::from_sets(sets), Err(ArmyError::NotConverged));
        sets[4] = KindSet::KING;
        assert_eq!(Army::from_sets(sets), Err(ArmyError::Contradiction));
        sets[4] = KindSet::EMPTY;
        assert_eq!(Army::from_sets(sets), Err(ArmyError::Contradiction));
    }
}
