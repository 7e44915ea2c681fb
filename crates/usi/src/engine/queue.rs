//! The queue of waiting commands.

use std::collections::VecDeque;
use std::ops::Deref;

use crate::command::GuiCommand;
use crate::connection::{Asked, Incoming, Input};

/// A waiting command.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) incoming: Incoming,
    /// Whether its time runs from its arrival. Otherwise it runs from its turn.
    pub(super) counts_from_arrival: bool,
}

impl Deref for Waiting {
    type Target = Incoming;

    fn deref(&self) -> &Incoming {
        &self.incoming
    }
}

/// Commands in the order of their arrival. The numbers of some commands are counted, so that no
/// operation takes longer with more commands.
#[derive(Debug, Default)]
pub(super) struct Queue {
    commands: VecDeque<Waiting>,
    goes: usize,
    /// Whether the time of the latest `go` runs from its arrival.
    last_go_counts_from_arrival: bool,
    stops: usize,
    readies: usize,
    urgent: usize,
}

/// Whether a command wants an answer or an end soon. The others can wait until memory is prepared.
pub(super) fn is_urgent(input: &Input) -> bool {
    use GuiCommand::{IsReady, Position, SetOption, UsiNewGame};
    !matches!(input, Input::Command(IsReady | UsiNewGame | SetOption { .. } | Position { .. }))
}

pub(super) fn is_go(input: &Input) -> bool {
    matches!(input, Input::Command(GuiCommand::Go(_)) | Input::TooLong(Asked::Go(_)))
}

fn is_stop(input: &Input) -> bool {
    matches!(input, Input::Command(GuiCommand::Stop | GuiCommand::GameOver(_)))
}

fn is_isready(input: &Input) -> bool {
    matches!(input, Input::Command(GuiCommand::IsReady))
}

impl Queue {
    pub(super) fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    pub(super) fn first(&self) -> Option<&Waiting> {
        self.commands.front()
    }

    /// Whether a `go` waits.
    pub(super) fn has_go(&self) -> bool {
        self.goes > 0
    }

    /// Whether the time of the latest `go` that waits runs from its arrival.
    pub(super) fn last_go_counts_from_arrival(&self) -> bool {
        self.last_go_counts_from_arrival
    }

    /// Whether a `stop` or `gameover` waits.
    pub(super) fn has_stop(&self) -> bool {
        self.stops > 0
    }

    /// Whether an `isready` waits.
    pub(super) fn has_isready(&self) -> bool {
        self.readies > 0
    }

    /// Whether a command waits that wants an answer or an end soon.
    pub(super) fn has_urgent(&self) -> bool {
        self.urgent > 0
    }

    pub(super) fn push(&mut self, waiting: Waiting) {
        if is_go(&waiting.input) {
            self.goes += 1;
            self.last_go_counts_from_arrival = waiting.counts_from_arrival;
        }
        self.stops += usize::from(is_stop(&waiting.input));
        self.readies += usize::from(is_isready(&waiting.input));
        self.urgent += usize::from(is_urgent(&waiting.input));
        self.commands.push_back(waiting);
    }

    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let waiting = self.commands.pop_front()?;
        self.goes -= usize::from(is_go(&waiting.input));
        self.stops -= usize::from(is_stop(&waiting.input));
        self.readies -= usize::from(is_isready(&waiting.input));
        self.urgent -= usize::from(is_urgent(&waiting.input));
        Some(waiting)
    }
}
