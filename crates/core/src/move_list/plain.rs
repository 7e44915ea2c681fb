//! Writing moves one by one, for targets without the instructions that write many at once.

use super::StepSets;
use crate::direction::Compass;
use crate::moves::{Departure, Move};
use crate::placement::board::Cells;
use crate::square::Square;
use crate::square_set::SquareSet;

/// Writes one move to each square of a set, and returns their number. With `cells` the moves
/// capture what stands there; without, the squares are empty.
///
/// # Safety
///
/// There must be room for as many moves as the set has squares.
#[inline(always)]
pub(super) unsafe fn write_targets(
    end: *mut Move,
    departure: Departure,
    to: SquareSet,
    cells: Option<&Cells>,
) -> usize {
    let mut count = 0;
    to.visit(|to| {
        let cell = cells.map_or(0, |cells| cells[to.index()]);
        // SAFETY: the caller's promise.
        unsafe { end.add(count).write(departure.to(to, cell)) };
        count += 1;
    });
    count
}

/// Writes the steps, and returns their number.
///
/// # Safety
///
/// There must be room for all steps. One step against the direction of each target there must be a
/// square. If no piece stands there, the result is some other move.
#[inline(always)]
pub(super) unsafe fn write_steps(end: *mut Move, steps: &StepSets, cells: &Cells) -> usize {
    let mut count = 0;
    let mut write = |targets: SquareSet, offset: i16| {
        targets.visit(|to: Square| {
            // SAFETY: the caller's promise.
            unsafe {
                let from = to.offset_unchecked(-offset);
                let departure = Departure::of_cell(from, cells[from.index()].max(1));
                end.add(count).write(departure.to(to, cells[to.index()]));
            }
            count += 1;
        });
    };
    for direction in Compass::ALL {
        let targets = steps.compass.map(|words| words[direction.index()]);
        write(SquareSet::from_words(targets), direction.offset());
    }
    for (targets, offset) in steps.jumps.into_iter().zip(steps.jump_offsets) {
        write(targets, offset);
    }
    count
}
