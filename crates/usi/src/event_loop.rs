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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread::{self, JoinHandle};

    use super::*;
    use crate::command::GuiCommand;
    use crate::connection::Client;
    use crate::dialogue_log::DialogueLog;
    use crate::reply::Reply;
    use crate::search_thread;

    /// The whole engine with its real search thread, joined to the test in memory.
    fn start() -> (Client, JoinHandle<()>) {
        let (connection, client) = Connection::memory();
        let (jobs, reports) = search_thread::spawn();
        let engine = Engine::new(jobs, Arc::new(DialogueLog::new()));
        (client, thread::spawn(move || run(engine, connection, &reports)))
    }

    fn say(client: &Client, line: &str) {
        let command = GuiCommand::parse(line.as_bytes());
        client.commands.send(Incoming { command, at: Instant::now() }).unwrap();
    }

    #[test]
    fn a_session_runs_to_the_end_of_its_input() {
        let (client, engine) = start();
        for line in ["setoption name USI_Hash value 1", "isready", "go nodes 50", "go infinite"] {
            say(&client, line);
        }
        let Client { commands, replies } = client;
        drop(commands);
        let texts: Vec<String> = replies.iter().map(|reply| reply.to_string()).collect();
        engine.join().unwrap();
        assert_eq!(texts[0], "readyok");
        assert_eq!(texts.iter().filter(|text| text.starts_with("bestmove ")).count(), 2);
        assert!(texts.last().is_some_and(|text| text.starts_with("bestmove ")));
    }

    #[test]
    fn the_loop_ends_when_nobody_listens() {
        let (Client { commands, replies }, engine) = start();
        drop(replies);
        let command = GuiCommand::Usi;
        commands.send(Incoming { command, at: Instant::now() }).unwrap();
        engine.join().unwrap();
    }

    #[test]
    fn quit_ends_the_loop_while_a_search_runs() {
        let (client, engine) = start();
        say(&client, "go infinite");
        assert!(matches!(client.replies.recv(), Ok(Reply::Info(_))));
        say(&client, "quit");
        engine.join().unwrap();
    }
}
