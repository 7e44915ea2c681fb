//! The one loop in which everything meets.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, never, select};

use crate::connection::{Connection, Incoming};
use crate::engine::{Engine, Event};
use crate::search_thread::Report;

/// How long a GUI is left without a sign of life while it waits for `readyok`.
const LONGEST_SILENCE: Duration = Duration::from_secs(5);

/// Runs the engine until it is told to quit, the input ends or nobody listens any more; then
/// waits until everything said is written.
pub fn run(mut engine: Engine, mut connection: Connection, reports: &Receiver<Report>) {
    while !engine.is_finished() {
        let (event, at) = next_event(&mut connection, reports, engine.is_preparing());
        for reply in engine.handle(event, at) {
            if connection.replies.send(reply).is_err() {
                return;
            }
        }
    }
    connection.close();
}

/// Waits for the next event and tells when it happened.
fn next_event(
    connection: &mut Connection,
    reports: &Receiver<Report>,
    somebody_waits: bool,
) -> (Event, Instant) {
    let silence = if somebody_waits { crossbeam_channel::after(LONGEST_SILENCE) } else { never() };
    select! {
        recv(connection.commands) -> incoming => match incoming {
            Ok(Incoming { command, at }) => (Event::Gui(command), at),
            Err(_) => {
                // From now on only the search has something to say.
                connection.commands = never();
                (Event::InputClosed, Instant::now())
            }
        },
        recv(reports) -> report => {
            let report = report.expect("the search thread lives as long as the engine");
            (Event::Search(report), Instant::now())
        }
        recv(silence) -> _ => (Event::Silence, Instant::now()),
    }
}
