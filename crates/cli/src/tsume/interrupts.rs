//! What an interrupt does while problems are made or checked.

use std::process;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tsumero_control::Signals;

use crate::INTERRUPTED;

/// How long after the first interrupt another one counts as the same. `timeout` sends it to
/// the program and to its group.
const TOGETHER: Duration = Duration::from_millis(100);

/// The first interrupt stops the work, and what was made is kept, with its page. The next one ends the
/// program at once.
#[derive(Default)]
pub(super) struct Interrupts {
    pub(super) signals: Signals,
    first: OnceLock<Instant>,
}

impl Interrupts {
    /// Receives the interrupts of the program from now on.
    pub(super) fn receive(self: &Arc<Self>) {
        let handler = Arc::clone(self);
        // Without a handler, an interrupt ends the program at once.
        let _ = ctrlc::set_handler(move || handler.interrupt());
    }

    pub(super) fn interrupt(&self) {
        if self.first.get_or_init(Instant::now).elapsed() > TOGETHER {
            process::exit(INTERRUPTED.into());
        }
        self.signals.stop();
    }

    /// Whether there was an interrupt.
    pub(super) fn came(&self) -> bool {
        self.first.get().is_some()
    }
}
