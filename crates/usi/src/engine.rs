//! The engine as the protocol sees it: events in, replies out.
//!
//! [`Engine::handle`] touches no standard input, output or clock; jobs leave through a channel.
//! So a test is a list of events.
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
//! Idle, everything acts at once. `quit` always does. Otherwise:
//!
//! * behind a *limited* search (depth, nodes, time, clock, `mate N`, `perft`), `stop`,
//!   `ponderhit`, `gameover` and `isready` act at once and everything else waits in order;
//! * behind an *open* search (`infinite`, or no limit) or a *ponder* search, a `go` first ends
//!   that search, which answers, and everything else acts at once, for the next `go`;
//! * while memory is prepared, everything waits.
//!
//! A command behind a waiting one waits too, so the order is kept. `stop` and `gameover` end
//! every search that was asked for before them, also those that still wait. There are as many
//! answers as `go`s.

use std::collections::VecDeque;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use tsumero_control::{Clock, Limits, Signals};
use tsumero_core::{ByColor, Move, Position};
use tsumero_mate::MateLimits;
use tsumero_search::evaluate;

use crate::command::{ClockWords, GoRequest, GuiCommand, MateTime, Root, printable};
use crate::dialogue_log::DialogueLog;
use crate::options::{Effect, Options};
use crate::quantum::{self, QuantumOutcome, QuantumReport, QuantumSearch, QuantumTask, Variant};
use crate::reply::Reply;
use crate::search_thread::{Generation, Job, Memory, Outcome, Report, Search, Task};

/// Something the engine reacts to.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line from the GUI.
    Gui(GuiCommand),
    /// The GUI will say no more.
    InputClosed,
    /// Something from the search thread.
    Search(Report),
    /// A few seconds have passed in which nothing was said although somebody waits.
    Silence,
}

/// The state behind the protocol.
#[derive(Debug)]
pub struct Engine {
    options: Options,
    game: Game,
    activity: Activity,
    /// Commands that wait for the activity to end.
    waiting: VecDeque<GuiCommand>,
    /// Number of the latest search.
    generation: Generation,
    /// Whether the table is to be emptied before it is used again.
    clear_hash: bool,
    /// Whether anything was searched since the table was emptied.
    hash_is_used: bool,
    input_closed: bool,
    quit: bool,
    jobs: Sender<Job>,
    log: Arc<DialogueLog>,
}

/// The game that is played, with its position.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "an engine has one")]
enum Game {
    Shogi(Position),
    Quantum(tsumero_quantum::Position),
}

impl Game {
    /// The starting position of a variant.
    fn startpos(variant: Variant) -> Game {
        match variant {
            Variant::Shogi => Game::Shogi(Position::startpos()),
            Variant::Quantum => Game::Quantum(tsumero_quantum::Position::startpos()),
        }
    }

    fn variant(&self) -> Variant {
        match self {
            Game::Shogi(_) => Variant::Shogi,
            Game::Quantum(_) => Variant::Quantum,
        }
    }
}

#[derive(Debug)]
enum Activity {
    Idle,
    Preparing,
    Searching(Running),
}

#[derive(Debug)]
struct Running {
    signals: Arc<Signals>,
    kind: SearchKind,
    /// Whether a stop was sent to it already.
    stopped: bool,
}

/// How a running search ends by itself, which decides what may wait for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SearchKind {
    /// It ends by itself.
    Limited,
    /// It may run for ever.
    Open,
    /// It waits for `ponderhit`, after which it is of the other kind.
    Ponder {
        /// Whether the search will have a limit after the hit.
        has_limit: bool,
        /// Whether it was asked for with `infinite` too, so that not even a hit ends it.
        infinite: bool,
    },
}

/// When a command acts.
enum When {
    Now,
    Later,
    /// Later, and the running search is to be ended for it.
    LaterAfterStop,
}

/// The longest time that is told to the search in milliseconds, some thirty years: adding it to
/// a moment never overflows.
const LONGEST_TIME: u64 = 1 << 40;
/// The greatest depth of perft. Nobody will see the end of it; it bounds the recursion.
pub const DEEPEST_PERFT: u32 = 64;

impl Engine {
    /// An engine with default options at the starting position. Work leaves through `jobs`.
    pub fn new(jobs: Sender<Job>, log: Arc<DialogueLog>) -> Engine {
        Engine {
            options: Options::default(),
            game: Game::startpos(Variant::Shogi),
            activity: Activity::Idle,
            waiting: VecDeque::new(),
            generation: 0,
            clear_hash: false,
            hash_is_used: false,
            input_closed: false,
            quit: false,
            jobs,
            log,
        }
    }

    /// Whether the program should end now.
    pub fn is_finished(&self) -> bool {
        let idle = matches!(self.activity, Activity::Idle) && self.waiting.is_empty();
        self.quit || self.input_closed && idle
    }

    /// Whether somebody waits for a `readyok` that takes time.
    pub fn is_preparing(&self) -> bool {
        matches!(self.activity, Activity::Preparing)
    }

    /// Reacts to an event that happened at `now` and returns what to say, in order.
    pub fn handle(&mut self, event: Event, now: Instant) -> Vec<Reply> {
        let mut replies = Vec::new();
        match event {
            Event::Gui(command) => self.accept(command, now, &mut replies),
            Event::InputClosed => {
                self.input_closed = true;
                self.stop_what_has_no_end();
            }
            Event::Search(report) => self.hear(report, now, &mut replies),
            Event::Silence if self.is_preparing() => replies.push(Reply::KeepAlive),
            Event::Silence => {}
        }
        replies
    }

    /// Lets a command act or wait.
    fn accept(&mut self, command: GuiCommand, now: Instant, replies: &mut Vec<Reply>) {
        let a_search_waits = self.waiting.iter().any(|c| matches!(c, GuiCommand::Go(_)));
        match command {
            GuiCommand::Blank | GuiCommand::Unknown(_) => {}
            GuiCommand::Quit => {
                self.quit = true;
                self.stop_running();
            }
            GuiCommand::Stop | GuiCommand::GameOver(_) => {
                self.stop_running();
                if a_search_waits {
                    self.waiting.push_back(command);
                }
            }
            // The latest `go` is the one that was pondering.
            GuiCommand::PonderHit(clock) if !a_search_waits => self.ponder_hit(clock),
            GuiCommand::IsReady if matches!(self.activity, Activity::Searching(_)) => {
                self.act(GuiCommand::IsReady, now, replies);
            }
            command => {
                let when = if self.waiting.is_empty() { self.when(&command) } else { When::Later };
                match when {
                    When::Now => self.act(command, now, replies),
                    When::Later => self.waiting.push_back(command),
                    When::LaterAfterStop => {
                        self.stop_running();
                        self.waiting.push_back(command);
                    }
                }
            }
        }
    }

    /// When a command that does not always act at once does so, if nothing waits before it.
    fn when(&self, command: &GuiCommand) -> When {
        match &self.activity {
            Activity::Idle => When::Now,
            Activity::Preparing => When::Later,
            Activity::Searching(running) => match (running.kind, command) {
                (_, GuiCommand::IsReady) => When::Now,
                (SearchKind::Limited, _) => When::Later,
                (_, GuiCommand::Go(_)) => When::LaterAfterStop,
                _ => When::Now,
            },
        }
    }

    /// Lets the waiting commands act whose time has come.
    fn go_on(&mut self, now: Instant, replies: &mut Vec<Reply>) {
        while let Some(command) = self.waiting.front() {
            match self.when(command) {
                When::Now => {
                    if let Some(command) = self.waiting.pop_front() {
                        self.act(command, now, replies);
                    }
                }
                When::Later => break,
                When::LaterAfterStop => {
                    self.stop_running();
                    break;
                }
            }
        }
        self.stop_what_has_no_end();
    }

    /// Does what a command says.
    fn act(&mut self, command: GuiCommand, now: Instant, replies: &mut Vec<Reply>) {
        match command {
            GuiCommand::Usi => replies.push(Reply::Identity),
            GuiCommand::IsReady => match self.activity {
                Activity::Searching(_) => replies.push(Reply::ReadyOk),
                Activity::Idle | Activity::Preparing => self.prepare(),
            },
            GuiCommand::UsiNewGame => self.clear_hash |= self.hash_is_used,
            GuiCommand::SetOption { name, value } => {
                self.set_option(&name, value.as_deref(), replies);
            }
            GuiCommand::Position { root, moves } => match self.replay(&root, &moves) {
                Ok(game) => self.game = game,
                Err(reason) => replies.push(Reply::Error(reason)),
            },
            GuiCommand::Go(go) => self.start(go, now, replies),
            GuiCommand::Stop | GuiCommand::GameOver(_) => self.stop_running(),
            GuiCommand::PonderHit(clock) => self.ponder_hit(clock),
            GuiCommand::Display => replies.push(match &self.game {
                Game::Shogi(position) => Reply::Position(Box::new(position.clone())),
                Game::Quantum(position) => Reply::QuantumPosition(Box::new(position.clone())),
            }),
            GuiCommand::Eval => replies.push(Reply::Evaluation(match &self.game {
                Game::Shogi(position) => evaluate(position),
                Game::Quantum(position) => tsumero_quantum::evaluate(position),
            })),
            GuiCommand::Quit | GuiCommand::Blank | GuiCommand::Unknown(_) => {}
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&[u8]>, replies: &mut Vec<Reply>) {
        match self.options.set(name, value) {
            Ok(Effect::Remembered) => {}
            Ok(Effect::ClearHash) => self.clear_hash = true,
            // Another game starts from its own beginning; the same one goes on.
            Ok(Effect::Variant) => {
                if self.game.variant() != self.options.variant {
                    self.game = Game::startpos(self.options.variant);
                }
            }
            Ok(Effect::DebugLogFile) => {
                let path = self.options.debug_log_file.as_deref();
                if let Err(error) = self.log.set_file(path) {
                    let name = printable(value.unwrap_or_default());
                    // The system's own words may be in any language and encoding.
                    let reason =
                        format!("DebugLogFile {name} cannot be opened: {:?}", error.kind());
                    replies.push(Reply::Error(reason));
                }
            }
            Err(error) => replies.push(Reply::Error(error.to_string())),
        }
    }

    /// What the table should be for the next job. Asking counts as having it done.
    fn memory(&mut self) -> Memory {
        let clear = std::mem::take(&mut self.clear_hash);
        if clear {
            self.hash_is_used = false;
        }
        Memory { hash_mb: self.options.hash_mb, clear }
    }

    /// Gets ready for a game. The table is emptied here, because before a game there is time.
    fn prepare(&mut self) {
        self.clear_hash |= self.hash_is_used;
        let memory = self.memory();
        self.send(Job::Prepare(memory));
        self.activity = Activity::Preparing;
    }

    fn start(&mut self, go: GoRequest, now: Instant, replies: &mut Vec<Reply>) {
        if go.mate.is_some() && go.perft.is_none() && self.game.variant() == Variant::Quantum {
            replies.push(Reply::NoMateSearch);
            return;
        }
        let memory = self.memory();
        self.generation += 1;
        let signals = Arc::new(Signals::new());
        let (job, kind) = self.job(&go, memory, &signals, now, replies);
        self.send(job);
        self.activity = Activity::Searching(Running { signals, kind, stopped: false });
        // A stop that was read while this search waited for its turn is meant for it too.
        let stop_was_read =
            |c: &GuiCommand| matches!(c, GuiCommand::Stop | GuiCommand::GameOver(_));
        if self.waiting.iter().any(stop_was_read) {
            self.stop_running();
        }
    }

    /// The work that a `go` asks for in the game that is played, and how it ends.
    fn job(
        &mut self,
        go: &GoRequest,
        memory: Memory,
        signals: &Arc<Signals>,
        started: Instant,
        replies: &mut Vec<Reply>,
    ) -> (Job, SearchKind) {
        let (generation, signals) = (self.generation, Arc::clone(signals));
        match &self.game {
            Game::Shogi(position) => {
                let (task, kind) = self.task(position, go, replies);
                let position = position.clone();
                self.hash_is_used |= matches!(task, Task::BestMove { .. });
                let search = Search { generation, position, task, memory, signals, started };
                (Job::Search(Box::new(search)), kind)
            }
            Game::Quantum(position) => {
                let (task, kind) = self.quantum_task(position, go, replies);
                let position = position.clone();
                self.hash_is_used |= matches!(task, QuantumTask::BestMove { .. });
                let search = QuantumSearch { generation, position, task, memory, signals, started };
                (Job::Quantum(Box::new(search)), kind)
            }
        }
    }

    /// What a `go` asks for in quantum shogi, and how it ends.
    fn quantum_task(
        &self,
        position: &tsumero_quantum::Position,
        go: &GoRequest,
        replies: &mut Vec<Reply>,
    ) -> (QuantumTask, SearchKind) {
        if let Some(depth) = go.perft {
            return (QuantumTask::Perft(depth.min(DEEPEST_PERFT)), SearchKind::Limited);
        }
        let limits = limits(go);
        let kind = kind_of(&limits, go);
        let mut root_moves = Vec::new();
        for word in &go.search_moves {
            match position.parse_move(word) {
                Ok(m) => root_moves.push(m),
                Err(reason) => replies.push(bad_search_move(word, &reason.to_string())),
            }
        }
        let settings = self.options.quantum_settings();
        (QuantumTask::BestMove { limits, root_moves, settings }, kind)
    }

    /// What a `go` asks for, and how it ends.
    fn task(
        &self,
        position: &Position,
        go: &GoRequest,
        replies: &mut Vec<Reply>,
    ) -> (Task, SearchKind) {
        if let Some(depth) = go.perft {
            return (Task::Perft(depth.min(DEEPEST_PERFT)), SearchKind::Limited);
        }
        if let Some(mate) = go.mate {
            let time = match mate {
                MateTime::Milliseconds(milliseconds) => Some(duration(milliseconds)),
                MateTime::Infinite => None,
            };
            let limits =
                MateLimits { time, nodes: go.nodes, threads: self.options.settings.threads };
            let has_limit = time.is_some() || go.nodes.is_some();
            return (
                Task::Mate(limits),
                if has_limit { SearchKind::Limited } else { SearchKind::Open },
            );
        }
        let limits = limits(go);
        let kind = kind_of(&limits, go);
        let search_moves = search_moves(position, go, replies);
        let settings = self.options.settings.clone();
        (Task::BestMove { limits, search_moves, settings }, kind)
    }

    /// The position that a command describes, or what is wrong with it, in ASCII.
    fn replay(&self, root: &Root, moves: &[String]) -> Result<Game, String> {
        match (root, self.options.variant) {
            (Root::Quantum(text), _) | (Root::Sfen(text), Variant::Quantum) => {
                quantum::replay(text, moves).map(Game::Quantum)
            }
            (Root::Startpos, Variant::Quantum) => {
                quantum::replay("startpos", moves).map(Game::Quantum)
            }
            (Root::Startpos, Variant::Shogi) => {
                replay(Position::startpos(), moves).map(Game::Shogi)
            }
            (Root::Sfen(sfen), Variant::Shogi) => {
                let root = Position::from_sfen(sfen)
                    .map_err(|error| format!("position {}: {error}", printable(sfen.as_bytes())))?;
                replay(root, moves).map(Game::Shogi)
            }
        }
    }

    fn ponder_hit(&mut self, words: ClockWords) {
        let Activity::Searching(running) = &mut self.activity else { return };
        let SearchKind::Ponder { has_limit, infinite } = running.kind else { return };
        let clock = clock(&words);
        running.signals.ponder_hit(clock);
        if infinite {
            running.kind = SearchKind::Open;
        } else if has_limit || clock.is_some() {
            running.kind = SearchKind::Limited;
        } else {
            // It is our turn on a clock that nobody told us of, so any delay may lose the game.
            running.kind = SearchKind::Limited;
            self.stop_running();
        }
    }

    fn stop_running(&mut self) {
        if let Activity::Searching(running) = &mut self.activity
            && !running.stopped
        {
            running.stopped = true;
            running.signals.stop();
        }
    }

    /// After the end of the input nobody can stop a search, so one that does not end by itself
    /// is ended.
    fn stop_what_has_no_end(&mut self) {
        if let Activity::Searching(running) = &self.activity
            && self.input_closed
            && running.kind != SearchKind::Limited
        {
            self.stop_running();
        }
    }

    /// Takes in a report; one of an old search means nothing any more.
    fn hear(&mut self, report: Report, now: Instant, replies: &mut Vec<Reply>) {
        let searching = matches!(self.activity, Activity::Searching(_));
        let is_current = |generation| searching && generation == self.generation;
        match report {
            Report::Prepared(result) => {
                if let Err(error) = result {
                    replies.push(Reply::Error(error.to_string()));
                }
                if self.is_preparing() {
                    replies.push(Reply::ReadyOk);
                    self.activity = Activity::Idle;
                    self.go_on(now, replies);
                }
            }
            Report::OutOfMemory(_, error) => replies.push(Reply::Error(error.to_string())),
            Report::Info(generation, info) if is_current(generation) => {
                replies.push(Reply::Info(info));
            }
            Report::MateInfo(generation, info) if is_current(generation) => {
                replies.push(Reply::MateInfo(info));
            }
            Report::PerftMove(generation, m, count) if is_current(generation) => {
                replies.push(Reply::PerftMove(m, count));
            }
            Report::Quantum(generation, report) if is_current(generation) => {
                replies.push(match report {
                    QuantumReport::OutOfMemory(error) => Reply::Error(error.to_string()),
                    QuantumReport::Info(info) => Reply::QuantumInfo(info),
                    QuantumReport::PerftMove(m, count) => Reply::QuantumPerftMove(m, count),
                });
            }
            Report::Done(generation, outcome) if is_current(generation) => {
                replies.push(match outcome {
                    Outcome::BestMove(best) => Reply::BestMove(best),
                    Outcome::Checkmate(answer) => Reply::Checkmate(answer),
                    Outcome::Perft(Some(total)) => Reply::PerftTotal(total),
                    Outcome::Perft(None) | Outcome::Quantum(QuantumOutcome::Perft(None)) => {
                        Reply::Note("perft was stopped".to_owned())
                    }
                    Outcome::Quantum(QuantumOutcome::Perft(Some(total))) => {
                        Reply::PerftTotal(total)
                    }
                    Outcome::Quantum(QuantumOutcome::BestMove(best)) => {
                        Reply::QuantumBestMove(best)
                    }
                });
                self.activity = Activity::Idle;
                self.go_on(now, replies);
            }
            Report::Info(..)
            | Report::MateInfo(..)
            | Report::PerftMove(..)
            | Report::Quantum(..)
            | Report::Done(..) => {
                log::debug!("a report of an old search was dropped");
            }
        }
    }

    fn send(&self, job: Job) {
        // The thread lives until the sender is dropped; in a test nobody may be listening.
        if self.jobs.send(job).is_err() {
            log::error!("the search thread is gone");
        }
    }
}

/// How a search with these limits ends.
fn kind_of(limits: &Limits, go: &GoRequest) -> SearchKind {
    let has_limit = limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.movetime.is_some()
        || limits.clock.is_some();
    if go.ponder {
        SearchKind::Ponder { has_limit, infinite: go.infinite }
    } else if limits.waits_for_stop() {
        SearchKind::Open
    } else {
        SearchKind::Limited
    }
}

/// The legal ones among the moves to be searched; each other one is named.
fn search_moves(position: &Position, go: &GoRequest, replies: &mut Vec<Reply>) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::new();
    for word in &go.search_moves {
        match position.parse_move(word) {
            Ok(m) if !moves.contains(&m) => moves.push(m),
            Ok(_) => {}
            Err(reason) => replies.push(bad_search_move(word, &reason.to_string())),
        }
    }
    moves
}

fn bad_search_move(word: &str, reason: &str) -> Reply {
    Reply::Error(format!("searchmoves {}: {reason}", printable(word.as_bytes())))
}

/// The position after the moves, or which of them is wrong, in ASCII.
fn replay(mut position: Position, moves: &[String]) -> Result<Position, String> {
    for (number, word) in moves.iter().enumerate() {
        match position.parse_move(word) {
            Ok(m) => position.play(m),
            Err(reason) => {
                let word = printable(word.as_bytes());
                return Err(format!("move {} of position, {word}: {reason}", number + 1));
            }
        }
    }
    Ok(position)
}

fn duration(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds.min(LONGEST_TIME))
}

fn clock(words: &ClockWords) -> Option<Clock> {
    let duration = |value: Option<u64>| duration(value.unwrap_or(0));
    words.is_given().then(|| Clock {
        remaining: ByColor([duration(words.black_time), duration(words.white_time)]),
        increment: ByColor([duration(words.black_increment), duration(words.white_increment)]),
        byoyomi: duration(words.byoyomi),
    })
}

/// The limits that the words of `go` mean.
fn limits(go: &GoRequest) -> Limits {
    let random_time = go.random_time.map(|shortest| {
        // Every `RandomState` is seeded differently, which is all the chance needed here.
        let chance = RandomState::new().hash_one(shortest);
        shortest.saturating_add(chance % shortest.saturating_mul(2).saturating_add(1))
    });
    let move_time = go.move_time.into_iter().chain(random_time).min();
    // Some clients send zeros for clocks that are not used, and at least one sends a move time
    // in seconds, of which the whole part is 0, besides a proper clock.
    let runs = go.clock.is_given() && !go.clock.is_all_zero();
    let move_time = move_time.filter(|&milliseconds| milliseconds > 0 || !runs);
    let has_other_limit = move_time.is_some() || go.depth.is_some() || go.nodes.is_some();
    Limits {
        depth: go.depth.map(|depth| depth.max(1)),
        nodes: go.nodes.map(|nodes| nodes.max(1)),
        movetime: move_time.map(duration),
        clock: clock(&go.clock).filter(|_| runs || !has_other_limit),
        infinite: go.infinite,
        ponder: go.ponder,
    }
}

#[cfg(test)]
mod tests;
