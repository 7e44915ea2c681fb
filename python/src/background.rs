//! Long work in a thread of its own, which the user may interrupt.
//!
//! The lock of Python is released meanwhile. It is taken again for callbacks, and now and then to see whether the user
//! has interrupted the program.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use tsumero_control::Signals;
use tsumero_search::STACK_SIZE;

/// How often a search looks for an interrupt of the user.
pub(crate) const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Raises what the user has interrupted the program with. Nothing can be asked of an interpreter that has ended, as it
/// may have while a daemon thread was at work: the work is over then, too.
pub(crate) fn check_interrupt() -> PyResult<()> {
    attached(|py| py.check_signals())
}

/// Takes the lock of Python for a moment. An error if the interpreter has ended: waiting for its lock would crash.
pub(crate) fn attached<T>(work: impl FnOnce(Python<'_>) -> PyResult<T>) -> PyResult<T> {
    let ended = || Err(PyRuntimeError::new_err("the interpreter has ended"));
    Python::try_attach(work).unwrap_or_else(ended)
}

/// Does work in a thread with the stack of a search, and hears its reports in this one. `hear` gets each report, and
/// whether the work has been told to stop. When it returns `false` or fails, or the user interrupts, the signals stop the
/// work. The caller has released the lock of Python.
pub(crate) fn work_in_background<R: Send, T: Send>(
    signals: &Signals,
    work: impl FnOnce(&mpsc::Sender<R>) -> T + Send,
    mut hear: impl FnMut(R, bool) -> PyResult<bool>,
) -> PyResult<T> {
    let (sender, reports) = mpsc::channel();
    thread::scope(|scope| {
        // The sender ends with the work, and with it the loop below.
        let run = move || work(&sender);
        let working = thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, run);
        let working = working.map_err(PyOSError::new_err)?;
        let (mut is_stopped, mut outcome, mut looked) = (false, Ok(()), Instant::now());
        loop {
            let mut heard = match reports.recv_timeout(BETWEEN_LOOKS) {
                Ok(report) => hear(report, is_stopped),
                Err(RecvTimeoutError::Timeout) => Ok(true),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            // Reports may come so often that there is never a pause.
            if heard.is_ok() && looked.elapsed() >= BETWEEN_LOOKS {
                heard = check_interrupt().and(heard);
                looked = Instant::now();
            }
            if !matches!(heard, Ok(true)) && outcome.is_ok() {
                signals.stop();
                is_stopped = true;
                outcome = heard.map(drop);
            }
        }
        let failed = |_| PyRuntimeError::new_err("the search failed: a fault of the program");
        let result = working.join().map_err(failed)?;
        outcome.map(|()| result)
    })
}
