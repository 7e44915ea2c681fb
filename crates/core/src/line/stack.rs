//! The lazy stack: the positions along a line of moves, each computed when it is first looked at.
//!
//! A move pushes a position that is *pending*: its board and attack maps are computed from the one
//! below when someone looks at them. Taking the move back drops it. A position that is left before
//! anyone looks at its board never pays for one. Leaves of perft and nodes answered by the
//! transposition table are such positions.

use std::cell::{Cell, UnsafeCell};
use std::mem::MaybeUninit;

use crate::moves::Move;
use crate::position::{Position, State};

/// The memory of a position, with the notes on it.
struct Slot<N> {
    position: UnsafeCell<MaybeUninit<Position>>,
    notes: UnsafeCell<N>,
}

impl<N: Default> Slot<N> {
    fn new(position: MaybeUninit<Position>) -> Slot<N> {
        Slot { position: UnsafeCell::new(position), notes: UnsafeCell::default() }
    }
}

/// A stack of positions with notes on each. The top one may be pending.
///
/// Invariants: `slots[..=top]` exist. All of `slots[..top]` are initialized. `slots[top]` is
/// initialized unless `pending` holds the move that leads to it from `slots[top - 1]`; then
/// `top > 0`. Notes are those on the position in their slot, if it is initialized.
pub(super) struct PositionStack<N> {
    slots: Vec<Slot<N>>,
    top: usize,
    pending: Cell<Option<Move>>,
    /// The state of the position on top, which is known while the position is pending.
    state: State,
}

impl<N: Default> PositionStack<N> {
    pub(super) fn new(position: Position) -> PositionStack<N> {
        let state = *position.state();
        PositionStack {
            slots: vec![Slot::new(MaybeUninit::new(position))],
            top: 0,
            pending: Cell::new(None),
            state,
        }
    }

    /// The position on top.
    #[inline]
    pub(super) fn top(&self) -> &Position {
        if let Some(mv) = self.pending.get() {
            self.compute_top(mv);
        }
        // SAFETY: `top` is a valid index, and nothing is pending, so its slot is initialized. A
        // slot is written through `&self` only while it is pending. No reference to it exists then,
        // because `top` and `pending` are the only functions that return any, to slots that are
        // not pending.
        unsafe { (*self.slots.get_unchecked(self.top).position.get()).assume_init_ref() }
    }

    /// The state of the position on top, which may be pending.
    #[inline]
    pub(super) fn state(&self) -> &State {
        &self.state
    }

    /// If the position on top is pending: the position below, the move that leads from it to the
    /// top, and the notes on the position below.
    #[inline]
    pub(super) fn pending(&self) -> Option<(&Position, Move, &N)> {
        let mv = self.pending.get()?;
        // SAFETY: something is pending, so `top > 0` and the slot below is initialized. See `top`.
        unsafe {
            let below = self.slots.get_unchecked(self.top - 1);
            Some(((*below.position.get()).assume_init_ref(), mv, &*below.notes.get()))
        }
    }

    /// Computes the position on top from the one below it. There are no notes on it yet.
    #[inline]
    fn compute_top(&self, mv: Move) {
        // SAFETY: something is pending, so `top > 0`, the slot below is initialized, and no
        // reference to the top slot exists (see `top`). The two slots are different.
        unsafe {
            let below = (*self.slots.get_unchecked(self.top - 1).position.get()).assume_init_ref();
            let slot = self.slots.get_unchecked(self.top);
            below.write_after(mv, self.state, &mut *slot.position.get());
            *slot.notes.get() = N::default();
        }
        self.pending.set(None);
    }

    /// Pushes the position after a move, which is pending.
    #[inline(always)]
    pub(super) fn push(&mut self, mv: Move) {
        self.top();
        // All that may panic comes first, so that the stack is unchanged then. If it panicked after `top`
        // had grown, the new top would be neither initialized nor pending. Debug builds panic at a move
        // that is not legal.
        if cfg!(debug_assertions) {
            let mut copy = self.state;
            copy.play(mv);
        }
        if self.slots.len() == self.top + 1 {
            self.slots.push(Slot::new(MaybeUninit::uninit()));
        }
        self.state.play(mv);
        self.top += 1;
        self.pending.set(Some(mv));
    }

    /// Drops the position on top and returns true. The first position stays; then it returns false.
    #[inline]
    pub(super) fn pop(&mut self) -> bool {
        if self.top == 0 {
            return false;
        }
        self.top -= 1;
        // The position below was computed before anything was pushed on it.
        self.pending.set(None);
        self.state = *self.top().state();
        true
    }

    /// Changes the state of the position on top. Its board and the notes on that stay as they are.
    #[inline]
    pub(super) fn change_state(&mut self, change: impl FnOnce(&mut State)) {
        self.top();
        change(&mut self.state);
        // SAFETY: `top` has just initialized the slot.
        let top = unsafe { self.slots[self.top].position.get_mut().assume_init_mut() };
        *top.state_mut() = self.state;
    }
}

impl<N: Default> Clone for PositionStack<N> {
    fn clone(&self) -> PositionStack<N> {
        self.top();
        let slots = self.slots[..=self.top]
            .iter()
            // SAFETY: nothing is pending, so all these slots are initialized.
            .map(|slot| unsafe { (*slot.position.get()).assume_init_ref() }.clone())
            .map(|position| Slot::new(MaybeUninit::new(position)))
            .collect();
        PositionStack { slots, top: self.top, pending: Cell::new(None), state: self.state }
    }
}

const _: () = assert!(!std::mem::needs_drop::<Position>(), "slots are never dropped");

#[cfg(test)]
mod tests {
    use crate::{Line, Position};

    /// Tests the stack through its only user. Positions are looked at early, late or never.
    #[test]
    fn a_position_is_the_same_whenever_it_is_looked_at() {
        let moves = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "B*8e", "4e3d", "8e7f"];
        let mut early = Line::from(Position::startpos());
        let mut late = early.clone();
        let mut sfens = vec![early.to_sfen()];
        for text in moves {
            let mv = early.parse_move(text).unwrap();
            early.do_move(mv);
            sfens.push(early.to_sfen());
            late.do_move(mv);
            // A move made and taken back without a look at the board.
            let reply = early.legal_moves()[0];
            late.do_move(reply);
            late.undo_move();
        }
        assert_eq!(late.consistency(), Ok(()));
        let copy = late.clone();
        for sfen in sfens.iter().rev() {
            assert_eq!(&late.to_sfen(), sfen);
            if late.last_move().is_some() {
                late.undo_move();
            }
        }
        assert_eq!(&copy.to_sfen(), sfens.last().unwrap());
        assert_eq!(copy.consistency(), Ok(()));
    }
}
