//! The engine as the protocol sees it: events in, replies out.
//!
//! [`Engine::handle`] touches no standard input, output or clock: a test is a list of events.
//!
//! # When a command acts
//!
//! ```text
//!                 go                       its answer
//!          Idle ------> Searching (limited | open | ponder) ------> Idle
//!            \ isready                     prepared
//!             '-------> Preparing -------------------------------> Idle
//! ```
//!
//! While idle, everything acts at once. If the tables have to be cleared then, this is done without
//! waiting for a `go`, whose clock would run. `quit` ends every search, also those that still wait. Nothing
//! behind it is read. What came before it is handled in order, and then the program ends. Otherwise:
//!
//! * behind a *limited* search (depth, nodes, time, clock, `mate N`, `perft`), `stop`,
//!   `ponderhit`, `gameover` and `isready` act at once and everything else waits in order;
//! * behind a search that has been stopped, `isready` waits for its answer: the next game begins;
//! * behind an *open* search (`infinite`, or no limit) or a *ponder* search, a `go` first ends
//!   that search, which answers, and everything else acts at once, for the next `go`;
//! * while memory is prepared, a position evaluated or the search measured, everything waits. What
//!   wants an answer, as `go` does, ends the preparation early;
//! * while replies come faster than they are written, everything that would act at once waits for
//!   that, idle or not, except what ends a search, `ponderhit`, and `isready` during a search.
//!
//! A command behind a waiting one waits too, so the order is kept. `stop` and `gameover` end
//! every search that was asked for before them, also those that still wait. There are as many
//! answers as `go`s, and no answer belongs to another position than the one asked about: after a
//! `position` that could not be set up every `go` is refused until a good one comes.
//!
//! Handling a command costs the same however many wait. A turn of those that wait is short: a `stop`
//! is heard between two of them ([`Engine::wants_turn`]).

mod pondering;
mod preparing;
mod queue;
mod reports;

use std::mem;
use std::sync::Arc;

use crossbeam_channel::Receiver;
use tsumero_control::{Instant, Signals};
use tsumero_mate::{MateAnswer, MateUnknown};

use crate::command::{GoRequest, GoTask, GuiCommand, Root};
use crate::connection::{Asked, Incoming, Input};
use crate::dialogue_log::DialogueLog;
use crate::game::{AnyPosition, BestMove, Described, Game, Info, Quantum, Shogi};
use crate::go::{self, Planned, SearchKind};
use crate::lines;
use crate::options::{Effect, Options, Variant};
use crate::reply::Reply;
use crate::search_thread::{Generation, Job, Report, Search, SideJob, Workers};
use crate::searchers::Preparation;
use pondering::DeferredSearch;
use queue::{Queue, Waiting, is_go, is_urgent};

/// An event that the engine reacts to.
#[derive(Debug)]
pub enum Event {
    /// A line from the GUI.
    Gui(Incoming),
    /// The input has ended.
    InputClosed,
    /// A report of the search threads.
    Search(Report),
    /// Why the dialogue is not written to the file that the user named.
    LogFault(String),
    /// A few seconds have passed without any output, although the GUI waits for an answer.
    Silence,
    /// Nothing else has happened, so waiting commands may act, and reports that were held back are
    /// told.
    Turn,
}

/// The state behind the protocol.
#[derive(Debug)]
pub struct Engine {
    options: Options,
    position: AnyPosition,
    /// The position before the last move, and that move.
    before: Option<(AnyPosition, String)>,
    /// Whether a `position` came. Then the option no longer decides which game is played.
    has_position: bool,
    /// The game that comes most likely: what the last `position` or the option set, whichever came later.
    next_variant: Variant,
    /// Why the last `position` was refused. Until another one comes, no `go` is searched.
    refused: Option<String>,
    activity: Activity,
    /// Whether a side job is under way.
    has_side_job: bool,
    /// Commands that wait for the activity to end.
    waiting: Queue,
    /// Number of the latest search.
    generation: Generation,
    /// Whether the tables must be cleared before they are used again.
    must_clear_hash: bool,
    /// Whether something was searched since the last preparation.
    has_searched: bool,
    /// Whether replies come faster than they are written.
    is_output_backlogged: bool,
    /// The latest report of the search on each line, while replies come faster than they are
    /// written.
    held_back: Vec<Info>,
    input: InputState,
    workers: Workers,
    log: Arc<DialogueLog>,
}

/// Whether more commands come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InputState {
    Open,
    /// It has ended. What has a limit is finished.
    Closed,
    /// The GUI has said `quit`. Every search is stopped.
    Quit,
}

#[derive(Debug)]
enum Activity {
    Idle,
    /// Preparing; the signals end it early. The GUI waits for `readyok` if it is asked for.
    Preparing {
        signals: Arc<Signals>,
        is_asked: bool,
    },
    Searching(Running),
}

#[derive(Debug)]
struct Running {
    signals: Arc<Signals>,
    kind: SearchKind,
    /// Whether it has been told to stop.
    stopped: bool,
    /// The search that follows it, if this one only uses the opponent's time.
    deferred: Option<Box<DeferredSearch>>,
}

/// When a command acts.
enum When {
    Now,
    Later,
    /// Later, and the running search is stopped for it.
    LaterAfterStop,
}

/// The number of waiting commands that act in one turn.
const COMMANDS_OF_A_TURN: usize = 32;

impl Engine {
    /// An engine with default options at the starting position. Work is sent to `workers`.
    pub fn new(workers: Workers, log: Arc<DialogueLog>) -> Engine {
        Engine {
            options: Options::default(),
            position: AnyPosition::startpos(Variant::Shogi),
            before: None,
            has_position: false,
            next_variant: Variant::Shogi,
            refused: None,
            activity: Activity::Idle,
            has_side_job: false,
            waiting: Queue::default(),
            generation: 0,
            must_clear_hash: false,
            has_searched: false,
            is_output_backlogged: false,
            held_back: Vec::new(),
            input: InputState::Open,
            workers,
            log,
        }
    }

    /// Whether the program should end now.
    pub fn is_finished(&self) -> bool {
        let idle = matches!(self.activity, Activity::Idle) && !self.has_side_job;
        self.input != InputState::Open && idle && self.waiting.is_empty()
    }

    /// Whether the GUI has said `quit`.
    pub fn has_quit(&self) -> bool {
        self.input == InputState::Quit
    }

    /// Where the log of the dialogue tells its faults, for [`Event::LogFault`].
    pub fn log_faults(&self) -> &Receiver<String> {
        self.log.faults()
    }

    /// Closes the log of the dialogue, at the end. Returns what is wrong with its file.
    pub fn close_log(&self) -> Vec<Reply> {
        self.log.close();
        self.log.faults().try_iter().map(log_fault).collect()
    }

    /// Whether the GUI waits for a `readyok` that takes time.
    pub fn owes_readyok(&self) -> bool {
        let is_preparing = matches!(self.activity, Activity::Preparing { is_asked: true, .. });
        is_preparing || self.waiting.has_isready()
    }

    /// Whether a search runs that was not told to end.
    fn search_goes_on(&self) -> bool {
        matches!(&self.activity, Activity::Searching(running) if !running.stopped)
    }

    /// Whether [`Event::Turn`] should come when nothing else has happened: a waiting command may act now,
    /// or a report has been held back.
    pub fn wants_turn(&self) -> bool {
        let first = self.waiting.first();
        !self.held_back.is_empty()
            || first.is_some_and(|waiting| matches!(self.when(&waiting.input), When::Now))
    }

    /// Tells whether replies come faster than they are written. Then commands wait. So replies that
    /// nobody reads do not pile up, and a `stop` is not answered after them.
    pub fn set_output_backlogged(&mut self, is_output_backlogged: bool) {
        self.is_output_backlogged = is_output_backlogged;
    }

    /// Handles an event, and returns the replies in order. `now` is the current time.
    pub fn handle(&mut self, event: Event, now: Instant) -> Vec<Reply> {
        let mut replies = Vec::new();
        match event {
            Event::Gui(incoming) => self.accept(incoming, &mut replies),
            Event::InputClosed if self.has_quit() => {}
            Event::InputClosed => {
                self.input = InputState::Closed;
                self.end_preparation();
                self.stop_orphaned_search();
            }
            Event::Search(report) => self.on_report(report, now, &mut replies),
            Event::LogFault(reason) => replies.push(log_fault(reason)),
            Event::Silence if self.owes_readyok() => replies.push(Reply::KeepAlive),
            Event::Silence => {}
            Event::Turn => {
                self.tell_if_there_is_room(&mut replies);
                self.run_waiting(now, &mut replies);
            }
        }
        self.prepare_ahead();
        replies
    }

    /// Lets a command act now, or queues it.
    fn accept(&mut self, incoming: Incoming, replies: &mut Vec<Reply>) {
        if self.has_quit() {
            return;
        }
        let at = incoming.at;
        let command = match &incoming.input {
            Input::Command(command) => command,
            Input::TooLong(_) => return self.execute_or_queue(incoming, replies),
            Input::Suspended => return replies.push(Reply::Note(SUSPENDED.to_owned())),
        };
        match command {
            GuiCommand::Blank | GuiCommand::Unknown(_) => {}
            GuiCommand::Quit => {
                self.input = InputState::Quit;
                self.end_preparation();
                self.stop_search();
            }
            GuiCommand::Stop | GuiCommand::GameOver(_) => {
                self.stop_search();
                if self.waiting.has_go() {
                    self.queue(incoming);
                }
            }
            // The latest `go` is the one that was pondering.
            GuiCommand::PonderHit(clock) if !self.waiting.has_go() => self.ponder_hit(*clock, at),
            GuiCommand::IsReady if self.search_goes_on() => {
                replies.push(Reply::ReadyOk);
                // Its other effect takes its place among the waiting commands.
                let input = Input::Command(GuiCommand::UsiNewGame);
                self.execute_or_queue(Incoming { input, ..incoming }, replies);
            }
            _ => self.execute_or_queue(incoming, replies),
        }
    }

    fn execute_or_queue(&mut self, incoming: Incoming, replies: &mut Vec<Reply>) {
        let when = if self.waiting.is_empty() { self.when(&incoming.input) } else { When::Later };
        match when {
            When::Now if self.is_output_backlogged => self.queue(incoming),
            When::Now => self.execute(incoming.input, incoming.at, replies),
            When::Later => self.queue(incoming),
            When::LaterAfterStop => {
                self.stop_search();
                self.queue(incoming);
            }
        }
    }

    /// Queues a command. If the search before it is already ending, the time of a `go` runs from
    /// its arrival. Otherwise it runs from its turn, because a script sends many of them at once. That
    /// of a `ponderhit` runs as that of its `go`.
    fn queue(&mut self, incoming: Incoming) {
        let is_ending = match &self.activity {
            Activity::Searching(running) => running.stopped || running.kind != SearchKind::Limited,
            Activity::Preparing { .. } | Activity::Idle => true,
        };
        if is_urgent(&incoming.input) {
            self.end_preparation();
        }
        let counts_from_arrival = match &incoming.input {
            Input::Command(GuiCommand::PonderHit(_)) => self.waiting.last_go_counts_from_arrival(),
            _ => is_ending && !self.waiting.has_go(),
        };
        self.waiting.push(Waiting { incoming, counts_from_arrival });
    }

    /// When a command acts that does not always act at once, if nothing waits before it.
    fn when(&self, input: &Input) -> When {
        if self.has_side_job {
            return When::Later;
        }
        match &self.activity {
            Activity::Idle => When::Now,
            Activity::Preparing { .. } => When::Later,
            Activity::Searching(running) => match (running.kind, input) {
                // A game has ended, and the next one begins: there is time to prepare for it.
                (_, Input::Command(GuiCommand::IsReady)) if running.stopped => When::Later,
                (SearchKind::Limited, Input::Command(GuiCommand::IsReady)) => When::Now,
                (SearchKind::Limited, _) => When::Later,
                (_, input) if is_go(input) => When::LaterAfterStop,
                _ => When::Now,
            },
        }
    }

    /// Lets waiting commands act, for one turn.
    fn run_waiting(&mut self, now: Instant, replies: &mut Vec<Reply>) {
        let mut acted = 0;
        while let Some(first) = self.waiting.first() {
            match self.when(&first.input) {
                When::Now if acted < COMMANDS_OF_A_TURN && !self.is_output_backlogged => {
                    acted += 1;
                    let Some(waiting) = self.waiting.pop() else { break };
                    let counts_from =
                        if waiting.counts_from_arrival { waiting.incoming.at } else { now };
                    self.execute(waiting.incoming.input, counts_from, replies);
                }
                When::Now | When::Later => break,
                When::LaterAfterStop => {
                    self.stop_search();
                    break;
                }
            }
        }
        self.stop_orphaned_search();
    }

    fn execute(&mut self, input: Input, at: Instant, replies: &mut Vec<Reply>) {
        match input {
            Input::Command(command) => self.execute_command(command, at, replies),
            Input::TooLong(Asked::Position) => self.refuse(lines::too_long(), replies),
            Input::TooLong(Asked::Go(task)) => refuse_go(lines::too_long(), task, replies),
            Input::TooLong(Asked::Nothing) => replies.push(Reply::Error(lines::too_long())),
            // It never waits.
            Input::Suspended => {}
        }
    }

    /// Executes a command. Its time counts from `at`.
    fn execute_command(&mut self, command: GuiCommand, at: Instant, replies: &mut Vec<Reply>) {
        match command {
            GuiCommand::Usi => replies.push(Reply::Identity),
            GuiCommand::IsReady => match self.activity {
                Activity::Searching(_) => {
                    replies.push(Reply::ReadyOk);
                    self.must_clear_hash = true;
                }
                Activity::Idle | Activity::Preparing { .. } => self.prepare(replies),
            },
            GuiCommand::UsiNewGame => self.must_clear_hash = true,
            GuiCommand::SetOption { name, value } => {
                self.set_option(&name, value.as_deref(), replies);
            }
            GuiCommand::Position { root, moves } => match AnyPosition::describe(&root, &moves) {
                Ok(Described { position, before }) => {
                    (self.position, self.before) = (position, before);
                    self.has_position = true;
                    self.next_variant = self.position.variant();
                    self.refused = None;
                }
                Err(reason) => self.refuse(self.with_advice(&root, reason), replies),
            },
            GuiCommand::Go(go) => self.start(&go, at, replies),
            GuiCommand::Stop | GuiCommand::GameOver(_) => self.stop_search(),
            GuiCommand::PonderHit(clock) => self.ponder_hit(clock, at),
            GuiCommand::Display => replies.push(match &self.refused {
                Some(reason) => Reply::Error(reason.clone()),
                None => Reply::Drawing(Box::new(self.position.clone())),
            }),
            GuiCommand::Eval => match &self.refused {
                Some(reason) => replies.push(Reply::Error(reason.clone())),
                None => {
                    let (position, choice) =
                        (self.position.clone(), self.options.evaluation.clone());
                    self.send_side_job(SideJob::Evaluate(Box::new(position), choice));
                }
            },
            GuiCommand::Bench => {
                self.send_side_job(SideJob::Bench(self.options.evaluation.clone()));
            }
            // These never wait.
            GuiCommand::Quit | GuiCommand::Blank | GuiCommand::Unknown(_) => {}
        }
    }

    /// Refuses a position. Until another one comes, every `go` is answered by the reason.
    fn refuse(&mut self, reason: String, replies: &mut Vec<Reply>) {
        replies.push(Reply::Error(reason.clone()));
        self.refused = Some(reason);
    }

    /// Why a position was refused, with advice on what the user may have meant.
    fn with_advice(&self, root: &Root, reason: String) -> String {
        if self.options.variant == Variant::Quantum && !matches!(root, Root::Quantum(_)) {
            format!("{reason} (quantum shogi is set up by 'position quantum')")
        } else {
            reason
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&[u8]>, replies: &mut Vec<Reply>) {
        match self.options.set(name, value) {
            Ok(Effect::Remembered) => {}
            Ok(Effect::ClearHash) => self.must_clear_hash = true,
            // The option decides which game begins if no position has been sent.
            Ok(Effect::Variant) => {
                self.next_variant = self.options.variant;
                if !self.has_position {
                    self.position = AnyPosition::startpos(self.options.variant);
                }
            }
            Ok(Effect::DebugLogFile) => {
                let path = self.options.debug_log_file.as_path();
                self.log.set_file((!path.as_os_str().is_empty()).then_some(path));
            }
            Ok(Effect::Nothing(name)) => {
                replies.push(Reply::Note(format!("option {name} does nothing in this engine")));
            }
            Err(error) => replies.push(Reply::Error(error.to_string())),
        }
    }

    fn start(&mut self, go: &GoRequest, at: Instant, replies: &mut Vec<Reply>) {
        if let Some(reason) = self.refused.clone() {
            refuse_go(reason, go.task, replies);
            return;
        }
        if matches!(go.task, GoTask::Mate(_)) && !self.position.has_mate_search() {
            replies.push(Reply::Checkmate(None));
            return;
        }
        match self.deferred_search(go) {
            Some((before, deferred)) => {
                let other_side = pondering::for_other_side(&self.options, &self.position);
                let options = mem::replace(&mut self.options, other_side);
                self.search(&before, &pondering::endless(), at, Some(Box::new(deferred)), replies);
                self.options = options;
                self.set_kind(go);
            }
            None => {
                let position = self.position.clone();
                self.search(&position, go, at, None, replies);
            }
        }
        // A stop that arrived while this search was waiting also stops it, and so does the end.
        if self.waiting.has_stop() || self.has_quit() {
            self.stop_search();
        }
    }

    /// Starts the search that a `go` asks for in a position.
    fn search(
        &mut self,
        position: &AnyPosition,
        go: &GoRequest,
        started: Instant,
        deferred: Option<Box<DeferredSearch>>,
        replies: &mut Vec<Reply>,
    ) {
        let preparation = self.preparation(position);
        (self.must_clear_hash, self.has_searched) = (false, true);
        self.generation += 1;
        let signals = Arc::new(Signals::new());
        let (job, kind, complaint) = match position {
            AnyPosition::Shogi(position) => {
                self.planned::<Shogi>(position, go, preparation, &signals, started, Job::Shogi)
            }
            AnyPosition::Quantum(position) => {
                self.planned::<Quantum>(position, go, preparation, &signals, started, Job::Quantum)
            }
        };
        replies.extend(complaint.map(Reply::Error));
        self.send(job);
        self.activity = Activity::Searching(Running { signals, kind, stopped: false, deferred });
    }

    /// The next search as a job, how it ends, and what is wrong with the words of the `go`.
    fn planned<G: Game>(
        &self,
        position: &G::Position,
        go: &GoRequest,
        preparation: Preparation,
        signals: &Arc<Signals>,
        started: Instant,
        job: fn(Box<Search<G>>) -> Job,
    ) -> (Job, SearchKind, Option<String>) {
        let Planned { task, kind, complaint } = go::plan::<G>(position, go, &self.options);
        let (generation, position) = (self.generation, position.clone());
        let signals = Arc::clone(signals);
        let search = Search { generation, position, task, preparation, signals, started };
        (job(Box::new(search)), kind, complaint)
    }

    fn stop_search(&mut self) {
        if let Activity::Searching(running) = &mut self.activity
            && !running.stopped
        {
            running.stopped = true;
            running.signals.stop();
            if let Some(deferred) = &mut running.deferred {
                deferred.stop();
            }
        }
    }

    /// Stops the running search after the end of the input if it has no limit: nobody could stop it
    /// any more. What still waits acts first, because a `ponderhit` may be among it.
    fn stop_orphaned_search(&mut self) {
        if let Activity::Searching(running) = &self.activity
            && self.input == InputState::Closed
            && self.waiting.is_empty()
            && running.kind != SearchKind::Limited
        {
            self.stop_search();
        }
    }

    fn send(&self, job: Job) {
        // The thread lives until the sender is dropped. In a test there may be no receiver.
        if self.workers.jobs.send(job).is_err() {
            log::error!("the search thread is gone");
        }
    }

    fn send_side_job(&mut self, side_job: SideJob) {
        self.has_side_job = true;
        if self.workers.side_jobs.send(side_job).is_err() {
            log::error!("the side job thread is gone");
        }
    }
}

/// Refuses a `go` for a reason. It is answered all the same, because every `go` has an answer.
fn refuse_go(reason: String, task: GoTask, replies: &mut Vec<Reply>) {
    replies.push(Reply::Error(reason));
    replies.push(match task {
        GoTask::BestMove => Reply::BestMove(BestMove::Resign),
        GoTask::Mate(_) => Reply::Checkmate(Some(MateAnswer::Unknown(MateUnknown::Stopped))),
        GoTask::Perft(_) => Reply::Note(NO_PERFT.to_owned()),
    });
}

/// The reply about a log file.
fn log_fault(reason: String) -> Reply {
    Reply::Error(format!("DebugLogFile: {reason}"))
}

/// The reply to a `go perft` that was stopped.
const NO_PERFT: &str = "perft was stopped";

/// The message when reading the input is suspended.
const SUSPENDED: &str = "commands of 64 MB wait; the input is read on when some of them are done";

#[cfg(test)]
mod tests;
