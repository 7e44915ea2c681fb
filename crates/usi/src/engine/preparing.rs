//! The preparation of tables, evaluation and book: for a game at `isready`, and in idle time.

use std::sync::Arc;

use tsumero_control::Signals;

use crate::game::AnyPosition;
use crate::options::{Options, Variant};
use crate::reply::Reply;
use crate::search_thread::Job;
use crate::searchers::Preparation;

use super::{Activity, Engine, InputState};

/// The message at `isready` if quantum shogi is chosen, which may have happened by accident in a
/// GUI for shogi.
const QUANTUM_WARNING: &str = "USI_Variant is quantum: quantum shogi is played from 'position \
    quantum ...' and where no position was sent; any other position is ordinary shogi";

/// The message at `isready` if a GUI offers both options, and only one of them was set.
const ELO_WARNING: &str = "USI_Elo has no effect while USI_LimitStrength is off";

impl Engine {
    /// What must be ready for the next search of a position.
    pub(super) fn preparation(&self, position: &AnyPosition) -> Preparation {
        Preparation {
            hash_mb: self.options.hash_mb,
            clear: self.must_clear_hash,
            quantum: position.variant() == Variant::Quantum,
            refresh: false,
            evaluation: self.options.evaluation.clone(),
            book: self.options.book.clone(),
        }
    }

    /// Prepares for a game. The tables are cleared here, because there is time before a game.
    pub(super) fn prepare(&mut self, replies: &mut Vec<Reply>) {
        if self.options.variant == Variant::Quantum {
            replies.push(Reply::Note(QUANTUM_WARNING.to_owned()));
        }
        // GUIs send the default, too, which means nothing.
        if !self.options.limit_strength && self.options.elo != Options::default().elo {
            replies.push(Reply::Note(ELO_WARNING.to_owned()));
        }
        self.must_clear_hash = true;
        self.send_preparation(true);
    }

    /// Clears the tables in idle time if that has to be done before the next search.
    pub(super) fn prepare_ahead(&mut self) {
        let is_idle = matches!(self.activity, Activity::Idle) && !self.has_side_job;
        let may_search = self.input == InputState::Open && self.waiting.is_empty();
        if self.must_clear_hash && self.has_searched && is_idle && may_search {
            self.send_preparation(false);
        }
    }

    fn send_preparation(&mut self, is_asked: bool) {
        let quantum = self.next_variant == Variant::Quantum;
        let preparation = self.preparation(&self.position);
        let preparation = Preparation { refresh: is_asked, quantum, ..preparation };
        (self.must_clear_hash, self.has_searched) = (false, false);
        let signals = Arc::new(Signals::new());
        if self.waiting.has_urgent() || self.input != InputState::Open {
            signals.stop();
        }
        self.send(Job::Prepare { preparation, signals: Arc::clone(&signals) });
        self.activity = Activity::Preparing { signals, is_asked };
    }

    /// Ends the preparation early, because something waits for it.
    pub(super) fn end_preparation(&self) {
        if let Activity::Preparing { signals, .. } = &self.activity {
            signals.stop();
        }
    }
}
