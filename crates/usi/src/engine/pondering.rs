//! `Stochastic_Ponder`: on the opponent's time, the position before the opponent's move is searched.
//!
//! Whatever the opponent plays, part of it has been looked at then. When the expected move is played,
//! the search of the position after it begins, on our own time, with what is in the table. A GUI sees
//! nothing of this but the answer: it is the one to the position that it sent.

use std::time::Instant;

use crate::command::{ClockWords, GoRequest};
use crate::game::{Board, Info};
use crate::go::{self, SearchKind};
use crate::reply::Reply;

use super::{Activity, Engine};

/// The search that follows the one that runs instead of it.
#[derive(Debug)]
pub(super) struct Instead {
    /// The position that the GUI has sent.
    board: Board,
    /// The move that leads to it.
    expected: String,
    /// The `go` that the GUI has sent.
    go: GoRequest,
    /// When the expected move was played, if it was.
    hit: Option<Instant>,
    /// Whether a stop is meant for it too.
    stopped: bool,
}

impl Instead {
    /// The expected move was played; the words take the place of the clock of the `go`.
    pub(super) fn hit(&mut self, words: ClockWords, at: Instant) {
        self.hit = Some(at);
        if words.is_given() {
            self.go.clock = words;
        }
    }

    /// A stop is meant for it as well as for the search that runs.
    pub(super) fn stop(&mut self) {
        self.stopped = true;
    }

    /// What a line of the search that runs says of the position that the GUI has sent.
    pub(super) fn as_seen_later(&self, info: &Info) -> Option<Info> {
        info.after(&self.expected)
    }
}

/// A `go` that only a stop ends.
pub(super) fn endless() -> GoRequest {
    GoRequest { infinite: true, ..GoRequest::default() }
}

impl Engine {
    /// The position to be searched on the opponent's time if not the one that was sent, and what
    /// follows.
    pub(super) fn instead_of_pondering(&self, go: &GoRequest) -> Option<(Board, Instead)> {
        let is_plain = go.perft.is_none() && go.mate.is_none() && go.search_moves.is_empty();
        if !go.ponder || !is_plain || !self.options.stochastic_ponder {
            return None;
        }
        let (before, expected) = self.before.clone()?;
        let (board, go) = (self.board.clone(), go.clone());
        Some((before, Instead { board, expected, go, hit: None, stopped: false }))
    }

    /// The search that runs is, to the GUI, the one that the `go` asked for.
    pub(super) fn set_kind(&mut self, go: &GoRequest) {
        if let Activity::Searching(running) = &mut self.activity {
            let has_limit = go::has_limit(&go::limits(go));
            running.kind = SearchKind::Ponder { has_limit, infinite: go.infinite };
        }
    }

    /// Starts the search that follows the one that has just ended, if there is one.
    pub(super) fn follow_up(&mut self, replies: &mut Vec<Reply>) -> bool {
        let Activity::Searching(running) = &mut self.activity else { return false };
        let Some(instead) = running.instead.take() else { return false };
        let Instead { board, mut go, hit, stopped, .. } = *instead;
        go.ponder = false;
        // Without a hit it was stopped: any legal move will do, because the GUI does not want it.
        let is_timed = go.infinite || go::has_limit(&go::limits(&go));
        self.search(&board, &go, hit.unwrap_or_else(Instant::now), None, replies);
        if hit.is_none() || stopped || !is_timed {
            self.stop_running();
        }
        true
    }
}
