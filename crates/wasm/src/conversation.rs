//! The conversation of a GUI with the engine, in one thread.
//!
//! In a browser the engine lives in a worker, which cannot receive a message while it searches. So a
//! search is interrupted where it reads the clock, which every search does many times a second: there
//! its reports are passed on ([`Conversation::between`]), and there it hears that it has to stop.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use crossbeam_channel::Receiver;
use tsumero_control::Instant;
use tsumero_usi::command::GuiCommand;
use tsumero_usi::connection::Incoming;
use tsumero_usi::dialogue_log::DialogueLog;
use tsumero_usi::engine::{Engine, Event};
use tsumero_usi::search_thread::{self, OnDemand, Report};

/// One engine with its tables.
pub struct Conversation {
    engine: RefCell<Engine>,
    workers: RefCell<OnDemand>,
    reports: Receiver<Report>,
    say: fn(&str),
    /// Whether [`Conversation::between`] has something to do: a search runs that has not been told to
    /// stop, and no event is being handled.
    is_open: Cell<bool>,
}

impl Conversation {
    /// A new engine. `say` takes each line of its answers, without a line end.
    pub fn new(say: fn(&str)) -> Conversation {
        let (workers, on_demand, reports) = search_thread::on_demand();
        Conversation {
            engine: RefCell::new(Engine::new(workers, Arc::new(DialogueLog::new()))),
            workers: RefCell::new(on_demand),
            reports,
            say,
            is_open: Cell::new(false),
        }
    }

    /// Handles a line from the GUI. Returns when everything that it asks for is done; a search without a
    /// limit ends when [`Conversation::between`] stops it.
    pub fn hear(&self, line: &str) {
        self.gui(GuiCommand::parse(line.as_bytes()));
        self.pass_on_reports();
        loop {
            self.is_open.set(true);
            let has_worked = self.workers.borrow_mut().work();
            self.is_open.set(false);
            self.pass_on_reports();
            if self.engine.borrow().wants_turn() {
                self.tell(Event::Turn);
            } else if !has_worked {
                return;
            }
        }
    }

    /// To be called while a search runs, from the clock that it reads. Passes on what the search has
    /// reported, and ends it if it has to stop. Does nothing at any other time.
    pub fn between(&self, must_stop: bool) {
        // What follows reads the clock, too, and so calls this function.
        if !self.is_open.replace(false) {
            return;
        }
        if must_stop {
            self.gui(GuiCommand::Stop);
        }
        self.pass_on_reports();
        self.is_open.set(!must_stop);
    }

    fn gui(&self, command: GuiCommand) {
        self.tell(Event::Gui(Incoming::command(command, Instant::now())));
    }

    fn tell(&self, event: Event) {
        let replies = self.engine.borrow_mut().handle(event, Instant::now());
        for reply in replies {
            reply.to_string().lines().for_each(self.say);
        }
    }

    fn pass_on_reports(&self) {
        while let Ok(report) = self.reports.try_recv() {
            self.tell(Event::Search(report));
        }
    }
}

impl std::fmt::Debug for Conversation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conversation").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        static SAID: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }

    fn say(line: &str) {
        SAID.with_borrow_mut(|said| said.push(line.to_owned()));
    }

    /// What is answered to some lines, in a thread with the stack that a search needs.
    fn answers(lines: &'static [&'static str]) -> Vec<String> {
        let talk = move || {
            let conversation = Conversation::new(say);
            lines.iter().for_each(|line| conversation.hear(line));
            SAID.take()
        };
        let builder = std::thread::Builder::new().stack_size(16 << 20);
        builder.spawn(talk).unwrap().join().unwrap()
    }

    #[test]
    fn each_question_is_answered_before_the_next_one_is_heard() {
        let said = answers(&[
            "usi",
            "setoption name USI_Hash value 1",
            "isready",
            "position startpos moves 7g7f 3c3d",
            "go nodes 3000",
            "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
            "go mate 10000",
            "position quantum startpos",
            "go nodes 500",
            "position startpos moves 7g7e",
            "go nodes 100",
            "d",
        ]);
        let at = |beginning: &str| {
            said.iter().position(|line| line.starts_with(beginning)).unwrap_or_else(|| {
                panic!("no line begins with {beginning}: {said:#?}");
            })
        };
        let places = ["id name Tsumero", "usiok", "readyok", "info depth ", "bestmove "].map(at);
        assert!(places.is_sorted(), "{places:?}");
        assert!(said.contains(&"checkmate G*5b".to_owned()), "{said:#?}");
        assert!(at("info string Error! move 1 of position") > at("checkmate"));
        assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), 3);
        assert!(said.iter().any(|line| line == "bestmove resign"), "a position that was refused");
        assert!(said.iter().all(|line| !line.contains('\n')));
    }

    /// That a search hears a stop is tested in a browser (`scripts/web.sh test`): here the clock is the
    /// system's own, and calls nobody.
    #[test]
    fn a_stop_between_two_searches_stops_neither() {
        let talk = || {
            let conversation = Conversation::new(say);
            conversation.between(true);
            conversation.hear("go depth 3");
            conversation.between(true);
            conversation.hear("go depth 3");
            SAID.take()
        };
        let builder = std::thread::Builder::new().stack_size(16 << 20);
        let said = builder.spawn(talk).unwrap().join().unwrap();
        let count = |beginning| said.iter().filter(|line| line.starts_with(beginning)).count();
        assert_eq!((count("info depth 3 "), count("bestmove ")), (2, 2), "{said:#?}");
    }
}
