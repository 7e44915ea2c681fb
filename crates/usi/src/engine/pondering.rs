//! Ponder hits and `Stochastic_Ponder`.
//!
//! With `Stochastic_Ponder`, the engine searches the position before the opponent's move on the
//! opponent's time. So every reply of the opponent has been searched to some extent. When the
//! opponent has moved, the position after the move is searched on our own time, with the results in
//! the table. The GUI notices nothing of this: the answer belongs to the position that it sent.

use std::mem;

use tsumero_control::Instant;
use tsumero_search::{Level, Settings};

use crate::command::{ClockWords, GoRequest, GoTask};
use crate::game::{AnyPosition, Info};
use crate::go::{self, SearchKind};
use crate::options::Options;
use crate::reply::Reply;

use super::{Activity, Engine};

/// Nodes of the answer to a hit if no limit is known. They take some milliseconds, because the search on the
/// opponent's time has left its results in the table.
const NODES_WITHOUT_CLOCK: u64 = 4_000;

/// The search that the GUI asked for. It follows the one that runs instead.
#[derive(Debug)]
pub(super) struct DeferredSearch {
    /// The position that the GUI sent.
    position: AnyPosition,
    /// The move that leads to it.
    expected: String,
    /// The `go` that the GUI sent.
    go: GoRequest,
    /// The options at that time. What is changed later is for the next `go`.
    options: Options,
    /// When the expected move was played; `None` if it was not.
    hit: Option<Instant>,
    /// Whether it has been stopped, too.
    stopped: bool,
}

impl DeferredSearch {
    /// The expected move was played. Clock words that count replace the clock of the `go`.
    pub(super) fn hit(&mut self, words: Option<ClockWords>, at: Instant) {
        self.hit = Some(at);
        self.go.clock = words.unwrap_or(self.go.clock);
    }

    /// A stop also stops this search.
    pub(super) fn stop(&mut self) {
        self.stopped = true;
    }

    /// Converts a line of the running search to the position that the GUI sent.
    pub(super) fn as_seen_later(&self, info: &Info) -> Option<Info> {
        info.after(&self.expected)
    }
}

/// A `go` that only a stop ends.
pub(super) fn endless() -> GoRequest {
    GoRequest { infinite: true, ..GoRequest::default() }
}

/// The options for a search of the opponent's moves before this position. A draw keeps the value that it
/// has for us. So the results hold for the answer, too.
pub(super) fn for_other_side(options: &Options, position: &AnyPosition) -> Options {
    let mut options = options.clone();
    if let AnyPosition::Shogi(position) = position {
        let (own, other) = (position.side_to_move(), !position.side_to_move());
        let usual = Settings::default().draw_value;
        let values = &mut options.settings.draw_value;
        // With the usual values, both sides share their results.
        values[other] = if values[own] == usual[own] { usual[other] } else { -values[own] };
    }
    options
}

impl Engine {
    /// The expected move was played at the given time. Clock words replace the clock of the `go`.
    pub(super) fn ponder_hit(&mut self, words: ClockWords, at: Instant) {
        let Activity::Searching(running) = &mut self.activity else { return };
        let SearchKind::Ponder { has_limit, has_other_limit, infinite } = running.kind else {
            return;
        };
        let clock = go::clock(&words, has_other_limit);
        let has_limit = has_limit || clock.is_some();
        running.kind = if infinite { SearchKind::Open } else { SearchKind::Limited };
        if let Some(deferred) = &mut running.deferred {
            // This ends only the running search.
            deferred.hit(clock.is_some().then_some(words), at);
            running.signals.stop();
            return;
        }
        running.signals.ponder_hit(clock, at);
        if !infinite && !has_limit {
            // Our clock is running, and we do not know it, so any delay may lose the game.
            self.stop_search();
        }
    }

    /// The position to search on the opponent's time, if it is not the one that was sent, and the
    /// search that follows.
    pub(super) fn deferred_search(&self, go: &GoRequest) -> Option<(AnyPosition, DeferredSearch)> {
        let is_plain = go.task == GoTask::BestMove && go.search_moves.is_empty();
        let options = &self.options;
        // A level below the full strength has a table of its own, and would learn nothing. Quantum shogi
        // knows no levels.
        let is_weak =
            matches!(self.position, AnyPosition::Shogi(_)) && options.level() != Level::FULL;
        if !go.ponder || !is_plain || is_weak || !options.stochastic_ponder {
            return None;
        }
        let (before, expected) = self.before.clone()?;
        let (position, go, options) = (self.position.clone(), go.clone(), options.clone());
        let deferred =
            DeferredSearch { position, expected, go, options, hit: None, stopped: false };
        Some((before, deferred))
    }

    /// Sets the kind of the running search to that of the `go`, as the GUI sees it.
    pub(super) fn set_kind(&mut self, go: &GoRequest) {
        if let Activity::Searching(running) = &mut self.activity {
            running.kind = go::ponder(&go::limits(go));
        }
    }

    /// Starts the search that follows the one that has ended, if there is one.
    pub(super) fn follow_up(&mut self, now: Instant, replies: &mut Vec<Reply>) -> bool {
        let Activity::Searching(running) = &mut self.activity else { return false };
        let Some(deferred) = running.deferred.take() else { return false };
        let DeferredSearch { position, mut go, options, hit, stopped, .. } = *deferred;
        go.ponder = false;
        if !go.infinite && !go::limits(&go).has_limit() {
            // Our clock is running, and we do not know it. But this position has not been searched yet.
            go.nodes = Some(NODES_WITHOUT_CLOCK);
        }
        // Tables that have to be cleared since then are cleared for the next `go`.
        let clear_later = mem::take(&mut self.must_clear_hash);
        let options = mem::replace(&mut self.options, options);
        self.search(&position, &go, hit.unwrap_or(now), None, replies);
        (self.options, self.must_clear_hash) = (options, clear_later);
        // Without a ponder hit, the search was stopped. The GUI ignores the answer, so any legal move will
        // do. After a hit, the stop asks for the answer now.
        if hit.is_none() || stopped {
            self.stop_search();
        }
        true
    }
}
