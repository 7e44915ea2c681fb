//! Work on several threads, results in the order of the tasks.

use std::collections::BTreeMap;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, bounded};

use super::Failure;
use crate::search_thread::STACK;

/// Tasks under way or waiting to be printed for each thread, so that one hard task does not make
/// the other threads wait.
const AHEAD: usize = 8;
/// Time between two looks at the progress.
const TICK: Duration = Duration::from_millis(200);

/// Hands the tasks to threads and the results to `take`, in the order of the tasks. Each thread
/// makes itself a worker and has a stack that is large enough for any search. `tick` is called
/// several times a second. The first failure of a task or of `take` ends it all; threads then
/// finish only the task they are at.
pub(super) fn in_order<T: Send, R: Send, W: FnMut(T) -> R>(
    threads: usize,
    tasks: impl IntoIterator<Item = Result<T, Failure>>,
    make_worker: impl Fn() -> W + Sync,
    mut tick: impl FnMut(),
    mut take: impl FnMut(R) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut tasks = tasks.into_iter();
    let ahead = threads * AHEAD;
    std::thread::scope(|scope| {
        let (task_sender, task_receiver) = bounded::<(usize, T)>(ahead);
        let (result_sender, results) = bounded(ahead);
        for _ in 0..threads {
            let (tasks, results) = (task_receiver.clone(), result_sender.clone());
            let make_worker = &make_worker;
            let work = move || {
                let mut worker = make_worker();
                for (number, task) in tasks {
                    // The other end goes away only when nobody wants results any more.
                    if results.send((number, worker(task))).is_err() {
                        return;
                    }
                }
            };
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work)
                .expect("the system must have room for a thread at the start");
        }
        let (mut sent, mut taken) = (0, 0);
        let mut early = BTreeMap::new();
        let mut more = true;
        loop {
            // No more are under way than the channels hold, so sending never blocks.
            while more && sent < taken + ahead {
                match tasks.next().transpose()? {
                    None => more = false,
                    Some(task) => {
                        task_sender.send((sent, task)).expect("the workers wait for more");
                        sent += 1;
                    }
                }
            }
            if taken == sent {
                return Ok(());
            }
            match results.recv_timeout(TICK) {
                Ok((number, result)) => {
                    early.insert(number, result);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => unreachable!("a worker is at work"),
            }
            while let Some(result) = early.remove(&taken) {
                take(result)?;
                taken += 1;
            }
            tick();
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_a_failure_ends_it() {
        for threads in [1, 3] {
            let slow_first = |task: u64| {
                std::thread::sleep(Duration::from_millis(if task == 0 { 30 } else { 0 }));
                task * 10
            };
            let mut seen = Vec::new();
            let take = |result| {
                seen.push(result);
                Ok(())
            };
            let done = in_order(threads, (0..50).map(Ok), || slow_first, || {}, take);
            assert!(done.is_ok());
            assert!(seen.iter().copied().eq((0..50).map(|task| task * 10)), "{seen:?}");

            let mut count = 0;
            let refuse_third = |_| {
                count += 1;
                if count == 3 { Err(Failure::OutputClosed) } else { Ok(()) }
            };
            let done = in_order(threads, (0..1000).map(Ok), || slow_first, || {}, refuse_third);
            assert!(matches!(done, Err(Failure::OutputClosed)));
            assert_eq!(count, 3);
        }
    }
}
