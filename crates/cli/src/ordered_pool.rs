//! The thread pool of all subcommands: work on several threads, results in the order of the tasks.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, select};
use tsumero_control::Signals;

use super::output::{self, TICK};
use super::{Failure, large_stack};

/// The number of tasks for each thread that may be running or waiting to be printed. So one hard
/// task does not make the other threads wait.
const AHEAD: usize = 8;

/// The result of a task.
enum Done<R> {
    Result(R),
    /// The task could not be read, for this reason.
    Failed(Failure),
    /// The worker panicked.
    Panicked(Box<dyn std::any::Any + Send>),
}

/// Threads that work on tasks. The results come in the order of the tasks.
pub(super) struct OrderedPool<'a> {
    threads: usize,
    signals: &'a Signals,
    tick: Box<dyn FnMut() + 'a>,
}

impl<'a> OrderedPool<'a> {
    /// A pool of so many threads. If everything ends early, `signals` stop the running work.
    pub(super) fn new(threads: usize, signals: &'a Signals) -> OrderedPool<'a> {
        OrderedPool { threads, signals, tick: Box::new(|| {}) }
    }

    /// A pool that calls `tick` several times a second while it runs.
    pub(super) fn ticking(self, tick: impl FnMut() + 'a) -> OrderedPool<'a> {
        OrderedPool { tick: Box::new(tick), ..self }
    }

    /// Distributes the tasks to the threads, and passes the results to `take` in the order of the
    /// tasks. Each thread creates a worker for itself, and has a stack that is large enough for any
    /// search. A separate thread reads the tasks, so a result is taken as soon as it is ready, even if
    /// the next task has not been read.
    ///
    /// Everything ends if a task or `take` fails, if nobody reads `output` any more, or if a worker
    /// panics. A panic continues here. If the system has no room for all threads, no task is begun.
    pub(super) fn run<T, R, W, O>(
        self,
        tasks: impl Iterator<Item = Result<T, Failure>> + Send + 'static,
        make_worker: impl Fn() -> W + Sync,
        output: &mut O,
        mut take: impl FnMut(R, &mut O) -> Result<(), Failure>,
    ) -> Result<(), Failure>
    where
        T: Send + 'static,
        R: Send,
        W: FnMut(T) -> R,
        O: Write,
    {
        let OrderedPool { threads, signals, mut tick } = self;
        let ahead = threads * AHEAD;
        // A task is read when there is a permit for it. The permit returns with the result.
        let (permits, permit_receiver) = bounded(ahead);
        (0..ahead).for_each(|_| permits.send(()).expect("there is room for all of them"));
        let (task_sender, task_receiver) = bounded(ahead);
        std::thread::scope(|scope| {
            let (result_sender, results) = bounded(ahead);
            // Dropped at the end, which ends the threads that wait for tasks.
            let (at_work, over) = bounded::<()>(0);
            // Workers need memory. As long as threads are being made, it belongs to the threads. And one
            // begins after the other: a thread that finds no memory while it begins ends the program.
            let (all_are_there, begin) = bounded(threads);
            let (begun, has_begun) = bounded(1);
            for _ in 0..threads {
                let (tasks, results, over) =
                    (task_receiver.clone(), result_sender.clone(), over.clone());
                let (make_worker, begin, begun) = (&make_worker, begin.clone(), begun.clone());
                let work = move || {
                    if begun.send(()).is_ok() && begin.recv().is_ok() {
                        run(&tasks, &over, &results, make_worker);
                    }
                };
                large_stack::spawn(scope, work)
                    .map_err(|error| Failure::Threads(threads, error))?;
                has_begun.recv().expect("the thread says so first");
            }
            (0..threads)
                .for_each(|_| all_are_there.send(()).expect("there is room for all of them"));
            drop(result_sender);
            read_ahead(tasks, task_sender, permit_receiver)
                .map_err(|error| Failure::Threads(threads, error))?;
            let result = collect(&results, &permits, output, &mut tick, &mut take)
                .inspect_err(|_| signals.stop());
            drop((at_work, results));
            result
        })
        .unwrap_or_else(|stopped| match stopped {
            Stopped::Failed(failure) => Err(failure),
            Stopped::Panicked(panic) => resume_unwind(panic),
        })
    }
}

/// Why the work ended early.
enum Stopped {
    Failed(Failure),
    Panicked(Box<dyn std::any::Any + Send>),
}

impl<E: Into<Failure>> From<E> for Stopped {
    fn from(error: E) -> Stopped {
        Stopped::Failed(error.into())
    }
}

/// Reads the tasks on a thread that is never joined, because the input may never end.
fn read_ahead<T: Send + 'static>(
    mut tasks: impl Iterator<Item = Result<T, Failure>> + Send + 'static,
    sender: Sender<(usize, Result<T, Failure>)>,
    permits: Receiver<()>,
) -> io::Result<()> {
    let read = move || {
        let mut number = 0;
        while permits.recv().is_ok() {
            let Some(task) = tasks.next() else { return };
            if sender.send((number, task)).is_err() {
                return;
            }
            number += 1;
        }
    };
    std::thread::Builder::new().spawn(read).map(drop)
}

/// The work of one thread.
fn run<T, R, W: FnMut(T) -> R>(
    tasks: &Receiver<(usize, Result<T, Failure>)>,
    over: &Receiver<()>,
    results: &Sender<(usize, Done<R>)>,
    make_worker: &impl Fn() -> W,
) {
    let mut worker = None;
    loop {
        let (number, task) = select! {
            recv(tasks) -> task => match task {
                Ok(task) => task,
                Err(_) => return,
            },
            recv(over) -> _ => return,
        };
        // A worker that has panicked is not used again.
        let done = match task {
            Ok(task) => {
                let work = || worker.get_or_insert_with(make_worker)(task);
                match catch_unwind(AssertUnwindSafe(work)) {
                    Ok(result) => Done::Result(result),
                    Err(panic) => Done::Panicked(panic),
                }
            }
            Err(failure) => Done::Failed(failure),
        };
        let is_last = matches!(done, Done::Panicked(_));
        if results.send((number, done)).is_err() || is_last {
            return;
        }
    }
}

/// Takes the results in order.
fn collect<R, O: Write>(
    results: &Receiver<(usize, Done<R>)>,
    permits: &Sender<()>,
    output: &mut O,
    tick: &mut dyn FnMut(),
    take: &mut dyn FnMut(R, &mut O) -> Result<(), Failure>,
) -> Result<Result<(), Failure>, Stopped> {
    let mut taken = 0;
    let mut early = BTreeMap::new();
    loop {
        if results.is_empty() {
            output.flush().map_err(Failure::from)?;
        }
        match results.recv_timeout(TICK) {
            // A panic is not delayed until its turn.
            Ok((_, Done::Panicked(panic))) => return Err(Stopped::Panicked(panic)),
            Ok((number, done)) => drop(early.insert(number, done)),
            Err(RecvTimeoutError::Timeout) if output::is_closed() => {
                return Err(Failure::OutputClosed.into());
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(Ok(())),
        }
        while let Some(done) = early.remove(&taken) {
            match done {
                Done::Result(result) => take(result, output)?,
                Done::Failed(failure) => return Err(failure.into()),
                Done::Panicked(panic) => return Err(Stopped::Panicked(panic)),
            }
            taken += 1;
            // The reader may have ended.
            let _ = permits.try_send(());
        }
        tick();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    use super::*;

    fn work<R: Send>(
        threads: usize,
        tasks: impl Iterator<Item = Result<u64, Failure>> + Send + 'static,
        worker: impl Fn(u64) -> R + Sync + Copy,
        mut take: impl FnMut(R) -> Result<(), Failure>,
    ) -> (Result<(), Failure>, bool) {
        let signals = Signals::new();
        let mut output = Vec::new();
        let take = |result, _: &mut Vec<u8>| take(result);
        let pool = OrderedPool::new(threads, &signals);
        let done = pool.run(tasks, || worker, &mut output, take);
        (done, signals.is_stopped())
    }

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
            let (done, stopped) = work(threads, (0..50).map(Ok), slow_first, take);
            assert!(done.is_ok() && !stopped);
            assert!(seen.iter().copied().eq((0..50).map(|task| task * 10)), "{seen:?}");

            let mut count = 0;
            let refuse_third = |_| {
                count += 1;
                if count == 3 { Err(Failure::OutputClosed) } else { Ok(()) }
            };
            let (done, stopped) = work(threads, (0..1000).map(Ok), slow_first, refuse_third);
            assert!(matches!(done, Err(Failure::OutputClosed)) && stopped);
            assert_eq!(count, 3);

            let mut count = 0;
            let tasks = (0..10).map(|n| if n == 4 { Err(Failure::OutputClosed) } else { Ok(n) });
            let take = |_| {
                count += 1;
                Ok(())
            };
            let (done, _) = work(threads, tasks, slow_first, take);
            assert!(matches!(done, Err(Failure::OutputClosed)) && count == 4);
        }
    }

    #[test]
    fn a_worker_that_panics_ends_it_with_its_panic() {
        for threads in [1, 2] {
            let worker = |task: u64| assert!(task != 5, "task five");
            let started = Instant::now();
            let run = AssertUnwindSafe(|| work(threads, (0..).map(Ok), worker, |()| Ok(())));
            let panic = catch_unwind(run).expect_err("it goes on");
            let text = panic.downcast_ref::<&str>().copied().unwrap_or_default();
            assert!(text.contains("task five"), "{text}");
            assert!(started.elapsed() < Duration::from_secs(5));
        }
    }

    /// As if it panicked later.
    #[test]
    fn a_worker_that_cannot_be_made_ends_it_with_its_panic() {
        let signals = Signals::new();
        let pool = OrderedPool::new(2, &signals);
        let make_worker = || -> fn(u64) { panic!("no worker") };
        let run = || pool.run((0..).map(Ok), make_worker, &mut Vec::new(), |(), _| Ok(()));
        let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("it goes on");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"no worker"));
    }

    /// The next task may never come, so finished results are taken before it.
    #[test]
    fn a_result_does_not_wait_for_the_next_task() {
        static TAKEN: AtomicBool = AtomicBool::new(false);
        let tasks = (0..2).map(|number| {
            let started = Instant::now();
            while number == 1 && !TAKEN.load(Ordering::Relaxed) {
                assert!(started.elapsed() < Duration::from_secs(10), "the first is not taken");
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(number)
        });
        let mut seen = 0;
        let take = |_| {
            TAKEN.store(true, Ordering::Relaxed);
            seen += 1;
            Ok(())
        };
        assert!(work(1, tasks, |task| task, take).0.is_ok());
        assert_eq!(seen, 2);
    }
}
