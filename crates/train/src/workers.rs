//! Worker threads, and one thread that collects their results.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::Sender;
use tsumero_search::STACK_SIZE;

use crate::progress::tell;

/// The number of results that may wait to be collected. If there are more, the threads wait.
const WAITING: usize = 256;

/// The view of a worker thread.
pub(crate) struct Worker<'a, T> {
    /// Number of the thread, from 0.
    pub number: usize,
    sender: Sender<T>,
    stop: &'a AtomicBool,
}

impl<T> Worker<'_, T> {
    /// Whether the work has been stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sends a result. Returns `false` if the work has been stopped.
    pub(crate) fn send(&self, result: T) -> bool {
        self.sender.send(result).is_ok()
    }
}

/// Tells the other threads to stop if its own panics, in builds where a panic does not end the process.
struct StopAtPanic<'a>(&'a AtomicBool);

impl Drop for StopAtPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Runs `work` on the given number of threads (at least one), whose stacks are large enough for
/// searches, or on as many as the system has room for. `take` receives the results since the last
/// call, in the order of arrival. If it breaks, or if a thread fails or panics, the threads are told
/// to stop. Returns when all threads have ended.
///
/// # Errors
/// The error of a thread.
pub(crate) fn run<T: Send, E: Send>(
    threads: usize,
    work: impl Fn(&Worker<'_, T>) -> Result<(), E> + Sync,
    mut take: impl FnMut(Vec<T>) -> ControlFlow<()>,
) -> Result<(), E> {
    let stop = AtomicBool::new(false);
    let (sender, receiver) = crossbeam_channel::bounded(WAITING);
    std::thread::scope(|scope| {
        let mut started = Vec::new();
        for number in 0..threads.max(1) {
            let worker = Worker { number, sender: sender.clone(), stop: &stop };
            let work = &work;
            let thread =
                std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, move || {
                    let _guard = StopAtPanic(worker.stop);
                    work(&worker).inspect_err(|_| worker.stop.store(true, Ordering::Relaxed))
                });
            match thread {
                Ok(thread) => started.push(thread),
                Err(error) => {
                    assert!(number > 0, "the system has room for a thread: {error}");
                    let text = format_args!("only {number} of {threads} threads could be started");
                    tell(format_args!("{text}: {error}"));
                    break;
                }
            }
        }
        drop(sender);
        while let Ok(first) = receiver.recv() {
            let results = std::iter::once(first).chain(receiver.try_iter().take(WAITING)).collect();
            if take(results).is_break() {
                break;
            }
        }
        stop.store(true, Ordering::Relaxed);
        // No thread waits for room in the channel any more.
        drop(receiver);
        let results = started
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|fault| resume_unwind(fault)));
        // All threads are joined before the first error is taken.
        results.collect::<Vec<_>>().into_iter().collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_comes_once_and_a_break_or_an_error_ends_the_threads() {
        let mut seen = Vec::new();
        let work = |worker: &Worker<'_, usize>| {
            (0..100).for_each(|value| assert!(worker.send(100 * worker.number + value)));
            Ok::<_, String>(())
        };
        let ended = run(3, work, |results| {
            seen.extend(results);
            ControlFlow::Continue(())
        });
        assert_eq!(ended, Ok(()));
        seen.sort_unstable();
        assert_eq!(seen, (0..300).collect::<Vec<_>>());

        let mut count = 0;
        let endless = |worker: &Worker<'_, ()>| {
            while !worker.is_stopped() && worker.send(()) {}
            Ok::<_, String>(())
        };
        let ended = run(2, endless, |results| {
            count += results.len();
            if count < 1000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert!(ended.is_ok() && count >= 1000);
        // A thread that cannot work ends the others.
        let one_fails = |worker: &Worker<'_, ()>| match worker.number {
            1 => Err("no room"),
            _ => endless(worker).map_err(|_| "no endless thread fails"),
        };
        assert_eq!(run(3, one_fails, |_| ControlFlow::Continue(())), Err("no room"));
    }

    /// The others would play on for nothing where the game of the thread that is gone is waited for.
    #[test]
    fn a_panic_of_a_thread_ends_the_others() {
        let given_up = AtomicBool::new(false);
        let work = |worker: &Worker<'_, ()>| {
            assert_ne!(worker.number, 1, "a fault");
            let begin = std::time::Instant::now();
            while !worker.is_stopped() {
                if begin.elapsed() > std::time::Duration::from_secs(60) {
                    given_up.store(true, Ordering::Relaxed);
                    break;
                }
                std::thread::yield_now();
            }
            Ok::<_, String>(())
        };
        let whole = || run(3, work, |_| ControlFlow::Continue(()));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(whole)).is_err());
        assert!(!given_up.load(Ordering::Relaxed), "a thread was never told to stop");
    }
}
