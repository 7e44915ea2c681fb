//! The list that legal moves are generated into.
//!
//! The generator finds moves as sets: all targets of one piece, or all steps of all pieces in one
//! direction. The list takes a whole set at once. It checks the room once for each set, and then
//! writes the moves without updating its length between them; with AVX-512, sixteen at a time. This
//! module and its two writers own the memory of the list, and nothing else writes to it.

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512bw",
    target_feature = "avx512vbmi",
    target_feature = "avx512vbmi2"
))]
#[allow(clippy::undocumented_unsafe_blocks)]
mod avx512;
#[cfg_attr(
    all(
        target_arch = "x86_64",
        target_feature = "avx512bw",
        target_feature = "avx512vbmi",
        target_feature = "avx512vbmi2",
        not(test)
    ),
    allow(dead_code)
)]
mod plain;

use std::fmt;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512bw",
    target_feature = "avx512vbmi",
    target_feature = "avx512vbmi2"
))]
use avx512 as chosen;
#[cfg(not(all(
    target_arch = "x86_64",
    target_feature = "avx512bw",
    target_feature = "avx512vbmi",
    target_feature = "avx512vbmi2"
)))]
use plain as chosen;

use crate::moves::{Departure, Move};
use crate::placement::board::Cells;
use crate::square_set::SquareSet;

/// The largest number of legal moves that a position can have, and how many a [`MoveList`] holds.
///
/// The tests add up the most moves that each piece can have, which gives this bound. A position
/// without a white king reaches it. With both kings the known record is 593.
pub const MAX_MOVES: usize = 599;

/// Writers fill whole vectors, so they may write this many moves behind the last one.
const SLACK: usize = 64;

/// A list of legal moves, kept on the stack. It is used as a slice.
///
/// ```
/// use tsumero_core::{MoveList, Position};
/// let position = Position::startpos();
/// let mut moves = MoveList::new();
/// position.generate(tsumero_core::Filter::ALL, &mut moves);
/// moves.retain(|mv| mv.kind() == tsumero_core::PieceKind::Pawn);
/// assert_eq!(moves.len(), 9);
/// ```
pub struct MoveList {
    /// At most [`MAX_MOVES`]. This many moves, from the first on, are initialized.
    len: usize,
    moves: [MaybeUninit<Move>; MAX_MOVES + SLACK],
}

/// Steps of many pieces, direction by direction. None of them promotes.
pub(crate) struct StepSets {
    /// For each compass direction the targets: the low words, then the high ones.
    pub(crate) compass: [[u64; 8]; 2],
    /// For each of a knight's two jumps the targets.
    pub(crate) jumps: [SquareSet; 2],
    /// What each of the two jumps adds to an index.
    pub(crate) jump_offsets: [i16; 2],
}

impl MoveList {
    /// An empty list.
    #[inline]
    pub const fn new() -> MoveList {
        MoveList { len: 0, moves: [const { MaybeUninit::uninit() }; MAX_MOVES + SLACK] }
    }

    /// Appends a move.
    ///
    /// # Panics
    ///
    /// When there are [`MAX_MOVES`] already.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.make_room(1);
        self.moves[self.len].write(mv);
        self.len += 1;
    }

    /// Removes the last move and returns it.
    #[inline]
    pub fn pop(&mut self) -> Option<Move> {
        let last = self.last().copied()?;
        self.len -= 1;
        Some(last)
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Removes all moves from the given index on.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Removes the move at an index and returns it. The last move takes its place.
    ///
    /// # Panics
    ///
    /// When there is no such index.
    #[inline]
    pub fn swap_remove(&mut self, index: usize) -> Move {
        let last = self.len - 1;
        self.swap(index, last);
        self.len = last;
        // SAFETY: the move was in the list until now.
        unsafe { self.moves[last].assume_init() }
    }

    /// Keeps the moves that the condition accepts, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(&Move) -> bool) {
        let mut kept = 0;
        for number in 0..self.len {
            let mv = self[number];
            if keep(&mv) {
                self[kept] = mv;
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Checks that this many more moves fit.
    #[inline(always)]
    fn make_room(&self, count: usize) {
        if count > MAX_MOVES - self.len {
            no_room();
        }
    }

    /// Appends one move to each square of a set. The moves capture what stands there.
    #[inline(always)]
    pub(crate) fn extend_to(&mut self, departure: Departure, to: SquareSet, cells: &Cells) {
        self.make_room(to.len() as usize);
        // SAFETY: there is room for all squares of the set and for the slack.
        self.len += unsafe { chosen::write_targets(self.end(), departure, to, Some(cells)) };
    }

    /// Appends one move to each square of a set, none of which holds a piece.
    #[inline(always)]
    pub(crate) fn extend_to_empty(&mut self, departure: Departure, to: SquareSet) {
        self.make_room(to.len() as usize);
        // SAFETY: there is room for all squares of the set and for the slack.
        self.len += unsafe { chosen::write_targets(self.end(), departure, to, None) };
    }

    /// Appends the steps, direction by direction. Each is the move of the piece one step back.
    ///
    /// # Safety
    ///
    /// One step or jump back from each target there must be a square.
    #[inline(always)]
    pub(crate) unsafe fn extend_by_steps(&mut self, steps: &StepSets, cells: &Cells) {
        self.make_room(steps.len());
        // SAFETY: there is room for all steps and for the slack; the rest is the caller's promise.
        self.len += unsafe { chosen::write_steps(self.end(), steps, cells) };
    }

    /// Where the next move is written. There is room for at least the slack.
    #[inline(always)]
    fn end(&mut self) -> *mut Move {
        // SAFETY: the length never exceeds the room for moves.
        unsafe { self.moves.as_mut_ptr().add(self.len).cast() }
    }
}

/// A separate cold function, so that the check is one branch where there is room.
#[cold]
#[inline(never)]
fn no_room() -> ! {
    panic!("a list of moves holds {MAX_MOVES} moves");
}

impl StepSets {
    /// Number of steps.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        let compass: u32 = self.compass.iter().flatten().map(|word| word.count_ones()).sum();
        (compass + self.jumps[0].len() + self.jumps[1].len()) as usize
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        // SAFETY: `len` moves are initialized.
        unsafe { std::slice::from_raw_parts(self.moves.as_ptr().cast(), self.len) }
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        // SAFETY: `len` moves are initialized.
        unsafe { std::slice::from_raw_parts_mut(self.moves.as_mut_ptr().cast(), self.len) }
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Clone for MoveList {
    fn clone(&self) -> MoveList {
        self.iter().copied().collect()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for MoveList {
    fn eq(&self, other: &MoveList) -> bool {
        self[..] == other[..]
    }
}

impl Eq for MoveList {}

impl Extend<Move> for MoveList {
    fn extend<I: IntoIterator<Item = Move>>(&mut self, moves: I) {
        moves.into_iter().for_each(|mv| self.push(mv));
    }
}

impl FromIterator<Move> for MoveList {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> MoveList {
        let mut list = MoveList::new();
        list.extend(moves);
        list
    }
}

/// An iterator that owns the moves of a [`MoveList`].
///
/// ```
/// use tsumero_core::Position;
/// let moves = Position::startpos().legal_moves();
/// assert_eq!(moves.into_iter().filter(|mv| mv.is_drop()).count(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct IntoIter {
    list: MoveList,
    next: usize,
}

impl Iterator for IntoIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let mv = self.list.get(self.next).copied()?;
        self.next += 1;
        Some(mv)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for IntoIter {}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = IntoIter;

    #[inline]
    fn into_iter(self) -> IntoIter {
        IntoIter { list: self, next: 0 }
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut MoveList {
    type Item = &'a mut Move;
    type IntoIter = std::slice::IterMut<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests;
