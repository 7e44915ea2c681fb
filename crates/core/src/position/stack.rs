//! Lazy placements: the placements along a line of moves, each computed when it is first looked at.
//!
//! A move pushes a placement that is *due*: it is computed from the one below when someone looks at
//! it. Taking the move back drops it. A position that is left before anyone looks at its board
//! never pays for one. Leaves of perft and nodes answered by the transposition table are such
//! positions.

use std::cell::{Cell, UnsafeCell};
use std::mem::MaybeUninit;

use crate::moves::Move;
use crate::placement::Placement;

/// The memory of a placement, with the notes on it.
struct Slot<N> {
    placement: UnsafeCell<MaybeUninit<Placement>>,
    notes: N,
}

impl<N: Default> Slot<N> {
    fn new(placement: MaybeUninit<Placement>) -> Slot<N> {
        Slot { placement: UnsafeCell::new(placement), notes: N::default() }
    }
}

/// A stack of placements with notes on each. The top one may be due.
///
/// Invariants: `slots[..=top]` exist. All of `slots[..top]` are initialized. `slots[top]` is
/// initialized unless `due` holds the move that leads to it from `slots[top - 1]`; then `top > 0`.
pub(super) struct PlacementStack<N> {
    slots: Vec<Slot<N>>,
    top: usize,
    due: Cell<Option<Move>>,
}

impl<N: Default> PlacementStack<N> {
    pub(super) fn new(placement: Placement) -> PlacementStack<N> {
        PlacementStack {
            slots: vec![Slot::new(MaybeUninit::new(placement))],
            top: 0,
            due: Cell::new(None),
        }
    }

    /// The placement on top.
    #[inline]
    pub(super) fn top(&self) -> &Placement {
        if let Some(mv) = self.due.get() {
            self.settle(mv);
        }
        // SAFETY: `top` is a valid index, and nothing is due, so its slot is initialized. A slot is
        // written through `&self` only while it is due. No reference to it exists then, because
        // this function is the only one that returns any.
        unsafe { (*self.slots.get_unchecked(self.top).placement.get()).assume_init_ref() }
    }

    /// The notes on the placement on top. The placement may be due.
    #[inline]
    pub(super) fn notes(&self) -> &N {
        // SAFETY: `top` is a valid index.
        unsafe { &self.slots.get_unchecked(self.top).notes }
    }

    /// If the placement on top is due: the placement below, the move that leads from it to the top,
    /// and the notes on the placement below.
    #[inline]
    pub(super) fn due(&self) -> Option<(&Placement, Move, &N)> {
        let mv = self.due.get()?;
        // SAFETY: something is due, so `top > 0` and the slot below is initialized.
        unsafe {
            let below = self.slots.get_unchecked(self.top - 1);
            Some(((*below.placement.get()).assume_init_ref(), mv, &below.notes))
        }
    }

    /// Computes the top placement from the one below it.
    #[inline]
    fn settle(&self, mv: Move) {
        // SAFETY: something is due, so `top > 0`, the slot below is initialized, and no reference
        // to the top slot exists (see `top`). The two slots are different.
        unsafe {
            let below = (*self.slots.get_unchecked(self.top - 1).placement.get()).assume_init_ref();
            below.write_after_move(mv, &mut *self.slots.get_unchecked(self.top).placement.get());
        }
        self.due.set(None);
    }

    /// The placement on top, to be changed in place.
    pub(super) fn top_mut(&mut self) -> &mut Placement {
        self.top();
        let slot = &mut self.slots[self.top];
        slot.notes = N::default();
        // SAFETY: `top` has just initialized the slot.
        unsafe { slot.placement.get_mut().assume_init_mut() }
    }

    /// Pushes the placement after a move, which is due.
    #[inline]
    pub(super) fn push(&mut self, mv: Move) {
        self.top();
        let next = self.top + 1;
        // The slot is made before the count is raised. If memory runs out, the stack is unchanged.
        if self.slots.len() == next {
            self.slots.push(Slot::new(MaybeUninit::uninit()));
        } else {
            self.slots[next].notes = N::default();
        }
        self.top = next;
        self.due.set(Some(mv));
    }

    /// Drops the placement on top and returns true. The first placement stays; then it returns
    /// false.
    #[inline]
    pub(super) fn pop(&mut self) -> bool {
        if self.top == 0 {
            return false;
        }
        self.top -= 1;
        // The slot below was computed before anything was pushed on it.
        self.due.set(None);
        true
    }

    /// Makes the placement on top the first one, and forgets all below.
    pub(super) fn forget_below(&mut self) {
        self.top();
        self.slots.swap(0, self.top);
        self.top = 0;
    }
}

impl<N: Default> Clone for PlacementStack<N> {
    fn clone(&self) -> PlacementStack<N> {
        self.top();
        let slots = self.slots[..=self.top]
            .iter()
            // SAFETY: nothing is due, so all these slots are initialized.
            .map(|slot| unsafe { (*slot.placement.get()).assume_init_ref() }.clone())
            .map(|placement| Slot::new(MaybeUninit::new(placement)))
            .collect();
        PlacementStack { slots, top: self.top, due: Cell::new(None) }
    }
}

const _: () = assert!(!std::mem::needs_drop::<Placement>(), "slots are never dropped");

#[cfg(test)]
mod tests {
    use crate::Position;

    /// Tests the stack through its only user. Placements are looked at early, late or never.
    #[test]
    fn a_placement_is_the_same_whenever_it_is_looked_at() {
        let moves = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "B*8e", "4e3d", "8e7f"];
        let mut early = Position::startpos();
        let mut late = Position::startpos();
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
