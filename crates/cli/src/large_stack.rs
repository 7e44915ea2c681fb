//! Threads whose stack is large enough for any search.

use std::io;
use std::panic::resume_unwind;
use std::thread::{Builder, Scope, ScopedJoinHandle};

use crossbeam_channel::{RecvTimeoutError, bounded};
use tsumero_control::{Signals, THREAD_RESERVE, has_room_for};
use tsumero_usi::search_thread::STACK;

use super::{Failure, output};

/// Starts such a thread.
///
/// # Errors
/// The system has no room for it.
pub(super) fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    // A thread that finds no memory while it begins ends the program.
    if !has_room_for(STACK + THREAD_RESERVE) {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    Builder::new().stack_size(STACK).spawn_scoped(scope, work)
}

/// Runs the work on such a thread. If nobody reads standard output any more, `signals` stop the work.
pub(super) fn run<T: Send>(
    signals: &Signals,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    std::thread::scope(|scope| {
        // Dropped when the work ends, also by a panic.
        let (at_work, end) = bounded::<()>(0);
        let work = move || {
            let _at_work = at_work;
            work()
        };
        let thread = spawn(scope, work).map_err(|error| Failure::Threads(1, error))?;
        while end.recv_timeout(output::TICK) == Err(RecvTimeoutError::Timeout) {
            if output::is_closed() {
                signals.stop();
                return Err(Failure::OutputClosed);
            }
        }
        thread.join().or_else(|panic| resume_unwind(panic))
    })
}
