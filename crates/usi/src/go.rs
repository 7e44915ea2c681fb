//! The meaning of `go`: the task, its limits, and the kind of search.

use std::time::Duration;

use tsumero_control::{Clock, Limits, chance, time_to_use};
use tsumero_core::{ByColor, MAX_PERFT_DEPTH};
use tsumero_mate::MateLimits;

use crate::command::{ClockWords, GoRequest, GoTask, MateTime, printable};
use crate::game::{Game, Task};
use crate::options::Options;

/// How a running search ends. This decides which commands wait for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchKind {
    /// It ends by itself.
    Limited,
    /// It may run forever.
    Open,
    /// It waits for `ponderhit`, and is limited or open afterwards.
    Ponder {
        /// Whether the search has a limit after the ponder hit.
        has_limit: bool,
        /// Whether one of its limits is not the clock.
        has_other_limit: bool,
        /// Whether it also has `infinite`, so that it is open even after a ponder hit.
        infinite: bool,
    },
}

/// A `go` that was read for a position.
#[derive(Clone, Debug)]
pub(crate) struct Planned<G: Game> {
    /// The task.
    pub task: Task<G>,
    /// How the search ends.
    pub kind: SearchKind,
    /// What is wrong with the words, if anything is, in ASCII.
    pub complaint: Option<String>,
}

/// The longest time for the search in milliseconds, some thirty years. Adding it to a moment never
/// overflows.
const LONGEST_TIME: u64 = 1 << 40;
/// The largest number of words that are read after `searchmoves`. No position has as many legal
/// moves.
pub(crate) const MOST_SEARCH_MOVES: usize = 1000;

/// Reads what a `go` asks for in a position.
pub(crate) fn plan<G: Game>(
    position: &G::Position,
    go: &GoRequest,
    options: &Options,
) -> Planned<G> {
    match go.task {
        GoTask::BestMove => {
            let limits = limits(go);
            let kind = kind_of(&limits, go);
            let (search_moves, complaint) = search_moves::<G>(position, go);
            let task = Task::BestMove { limits, search_moves, settings: G::settings(options) };
            Planned { task, kind, complaint }
        }
        GoTask::Mate(time) => {
            let time = match time {
                MateTime::Milliseconds(milliseconds) => Some(time_to_use(duration(milliseconds))),
                MateTime::Infinite => None,
            };
            let has_limit = time.is_some() || go.nodes.is_some();
            let kind = if has_limit { SearchKind::Limited } else { SearchKind::Open };
            let (nodes, threads) = (go.nodes, options.settings.threads);
            let limits = MateLimits { time, nodes, threads, shortest: options.mate_shortest };
            Planned { task: Task::Mate(limits), kind, complaint: None }
        }
        GoTask::Perft(depth) => {
            let task = Task::Perft(depth.min(MAX_PERFT_DEPTH));
            Planned { task, kind: SearchKind::Limited, complaint: None }
        }
    }
}

/// How a search with these limits ends.
fn kind_of(limits: &Limits, go: &GoRequest) -> SearchKind {
    if go.ponder {
        ponder(limits)
    } else if limits.waits_for_stop() {
        SearchKind::Open
    } else {
        SearchKind::Limited
    }
}

/// A ponder search with these limits.
pub(crate) fn ponder(limits: &Limits) -> SearchKind {
    let other = Limits { clock: None, ..limits.clone() };
    SearchKind::Ponder {
        has_limit: limits.has_limit(),
        has_other_limit: other.has_limit(),
        infinite: limits.infinite,
    }
}

/// The legal moves after `searchmoves`, and one line about the illegal ones.
fn search_moves<G: Game>(position: &G::Position, go: &GoRequest) -> (Vec<G::Move>, Option<String>) {
    let mut moves: Vec<G::Move> = Vec::new();
    let mut wrong = 0;
    let mut first = None;
    let mut words = go.search_moves.iter();
    for word in words.by_ref().take(MOST_SEARCH_MOVES) {
        match G::parse_move(position, word) {
            Ok(mv) if !moves.contains(&mv) => moves.push(mv),
            Ok(_) => {}
            Err(reason) => {
                wrong += 1;
                first.get_or_insert_with(|| format!("{}: {reason}", printable(word.as_bytes())));
            }
        }
    }
    let more = if words.next().is_some() {
        format!(" (only the first {MOST_SEARCH_MOVES} words are read)")
    } else {
        String::new()
    };
    let complaint = match (first, wrong) {
        (Some(first), 1) => Some(format!("searchmoves {first}{more}")),
        (Some(first), wrong) => {
            Some(format!("searchmoves {first}, and {} more like it{more}", wrong - 1))
        }
        (None, _) if more.is_empty() => None,
        (None, _) => Some(format!("searchmoves{more}")),
    };
    (moves, complaint)
}

fn duration(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds.min(LONGEST_TIME))
}

/// The clock that clock words set, if any. Some clients send zeros for unused clocks, so these count
/// only where there is no other limit.
pub(crate) fn clock(words: &ClockWords, has_other_limit: bool) -> Option<Clock> {
    let duration = |value: Option<u64>| duration(value.unwrap_or(0));
    let counts = words.is_given() && !(has_other_limit && words.is_all_zero());
    counts.then(|| Clock {
        remaining: ByColor([duration(words.black_time), duration(words.white_time)]),
        increment: ByColor([duration(words.black_increment), duration(words.white_increment)]),
        byoyomi: duration(words.byoyomi),
    })
}

/// The limits that the words of `go` mean.
pub(crate) fn limits(go: &GoRequest) -> Limits {
    let random_time = go.random_time.map(|shortest| {
        shortest.saturating_add(chance() % shortest.saturating_mul(2).saturating_add(1))
    });
    let move_time = go.move_time.into_iter().chain(random_time).min();
    // At least one client sends a move time in seconds, whose integer part is 0, in addition to a
    // proper clock.
    let runs = go.clock.is_given() && !go.clock.is_all_zero();
    let move_time = move_time.filter(|&milliseconds| milliseconds > 0 || !runs);
    let has_other_limit = move_time.is_some() || go.depth.is_some() || go.nodes.is_some();
    Limits {
        depth: go.depth.map(|depth| depth.max(1)),
        nodes: go.nodes.map(|nodes| nodes.max(1)),
        movetime: move_time.map(duration),
        clock: clock(&go.clock, has_other_limit),
        infinite: go.infinite,
        ponder: go.ponder,
    }
}
