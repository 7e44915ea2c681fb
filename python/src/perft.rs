//! `perft`.

use std::time::Instant;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use tsumero_core::{MAX_PERFT_DEPTH, perft_while};

use crate::background::{BETWEEN_LOOKS, check_interrupt};
use crate::board::Board;

/// The number of sequences of `depth` legal moves, 64 at most.
#[pyfunction]
pub(crate) fn perft(board: &Bound<'_, Board>, depth: u32) -> PyResult<u64> {
    if depth > MAX_PERFT_DEPTH {
        let reason = format!("{depth} is more than {MAX_PERFT_DEPTH} moves");
        return Err(PyOverflowError::new_err(reason));
    }
    let position = board.try_borrow()?.game.position().clone();
    board.py().detach(|| {
        let (mut looked, mut interrupt) = (Instant::now(), None);
        let count = perft_while(&position, depth, &mut || {
            if looked.elapsed() >= BETWEEN_LOOKS {
                interrupt = check_interrupt().err();
                looked = Instant::now();
            }
            interrupt.is_none()
        });
        count.ok_or_else(|| interrupt.expect("only an interrupt ends it early"))
    })
}
