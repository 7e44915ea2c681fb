//! The engine behind the USI protocol, as a library for the program, for browsers and for fuzzing.
//!
//! ```text
//! stdin --> reader --GuiCommand--+                  +--Job--> search thread
//!                                +--> event loop ---+            |
//! search thread --Report---------+        |
//!                                         +--Reply--> writer --> stdout
//! ```
//!
//! [`command`] reads what comes in and [`reply`] words what goes out; [`engine`] decides between
//! them and touches neither threads nor clocks. It knows no command line: the subcommands are in the
//! crate of the program.

#![forbid(unsafe_code)]

use std::io;
use std::sync::Arc;

mod book;
mod budget;
pub mod command;
pub mod connection;
pub mod dialogue_log;
mod display;
pub mod engine;
pub mod evaluation;
mod event_loop;
mod file_name;
pub mod game;
mod go;
pub mod lines;
mod notice;
mod options;
pub mod reply;
pub mod search_thread;
mod searchers;

/// Why the engine cannot speak USI.
#[derive(Debug, thiserror::Error)]
pub enum UsiError {
    /// The system has no room for the threads of the engine.
    #[error("the system has no room for threads: {0}")]
    Threads(io::Error),
    /// The replies cannot be written, such as on a full disk. Some are lost.
    #[error("standard output: {0}")]
    Output(io::Error),
}

/// Speaks USI on standard input and output until the GUI quits.
///
/// # Errors
/// [`UsiError`].
pub fn run_usi() -> Result<(), UsiError> {
    let log = Arc::new(dialogue_log::DialogueLog::new());
    // The first lines are read when all threads are there.
    let (workers, reports) = search_thread::spawn().map_err(UsiError::Threads)?;
    let connection = connection::Connection::stdio(&log).map_err(UsiError::Threads)?;
    let engine = engine::Engine::new(workers, Arc::clone(&log));
    let end = event_loop::run(engine, connection, &reports);
    log.close();
    end.map_err(UsiError::Output)
}
