//! The event loop: commands, reports and time-outs arrive here.

use std::io;
use std::time::Duration;

use crossbeam_channel::{Receiver, never, select_biased};
use tsumero_control::Instant;

use crate::connection::Connection;
use crate::engine::{Engine, Event};
use crate::search_thread::Report;

/// The longest silence while a GUI waits for `readyok`.
const LONGEST_SILENCE: Duration = Duration::from_secs(5);

/// How soon the loop checks again whether replies have been written.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// How long a GUI that has said `quit` may read nothing before the program ends all the same.
const PATIENCE: Duration = Duration::from_secs(5);

/// Runs the engine until `quit`, the end of the input, or until nobody reads the replies any more.
/// Then waits until all replies are written.
///
/// # Errors
/// The replies cannot be written.
pub(crate) fn run(
    mut engine: Engine,
    mut connection: Connection,
    reports: &Receiver<Report>,
) -> io::Result<()> {
    let mut unread = None;
    while !engine.is_finished() {
        let event = next_event(&mut connection, reports, &engine);
        // A GUI that has not said `quit` may take its time. From then on, every event counts, or a number
        // of long ago could be taken for one that has not changed since.
        let is_given_up = engine.has_quit() && {
            let unread = unread.get_or_insert_with(Unread::nothing);
            unread.lasts(connection.unwritten()) > PATIENCE
        };
        let Some(event) = event else {
            if is_given_up {
                return Ok(());
            }
            continue;
        };
        engine.set_output_backlogged(!connection.has_room());
        for reply in engine.handle(event, Instant::now()) {
            if !connection.say(reply) {
                return connection.close(None);
            }
        }
    }
    for reply in engine.close_log() {
        // Whether anybody reads it makes no difference now.
        let _ = connection.say(reply);
    }
    connection.close(engine.has_quit().then_some(PATIENCE))
}

/// The number of replies that are not written, and since when it has been the same.
struct Unread {
    count: usize,
    since: Instant,
}

impl Unread {
    /// Nothing is unread now.
    fn nothing() -> Unread {
        Unread { count: 0, since: Instant::now() }
    }

    /// How long the number has been the same.
    fn lasts(&mut self, count: usize) -> Duration {
        if count != self.count {
            *self = Unread { count, since: Instant::now() };
        }
        self.since.elapsed()
    }
}

/// Waits for the next event. Waiting commands and reports that were held back get their turn when
/// nothing else has happened and replies are not piling up. So a `stop` is noticed between two turns.
/// `None` means: check again.
fn next_event(
    connection: &mut Connection,
    reports: &Receiver<Report>,
    engine: &Engine,
) -> Option<Event> {
    // What is here already costs no system call.
    if let Ok(report) = reports.try_recv() {
        return Some(Event::Search(report));
    }
    if let Some(incoming) = connection.arrived.pop_front() {
        return Some(Event::Gui(incoming));
    }
    let wants_turn = engine.wants_turn();
    let pause = if wants_turn && connection.has_room() {
        Duration::ZERO
    } else if wants_turn {
        LOOK_AGAIN
    } else if engine.owes_readyok() {
        LONGEST_SILENCE
    } else {
        Duration::MAX
    };
    let silence = if pause == Duration::MAX { never() } else { crossbeam_channel::after(pause) };
    select_biased! {
        recv(reports) -> report => {
            let report = report.expect("one of the worker threads lives as long as the engine");
            Some(Event::Search(report))
        }
        recv(engine.log_faults()) -> fault => fault.ok().map(Event::LogFault),
        recv(connection.commands) -> arrived => match arrived {
            Ok(arrived) => {
                connection.arrived = arrived.into();
                connection.arrived.pop_front().map(Event::Gui)
            }
            Err(_) => {
                // From now on only the search sends events.
                connection.commands = never();
                Some(Event::InputClosed)
            }
        },
        recv(silence) -> _ => match (wants_turn, connection.has_room()) {
            (true, true) => Some(Event::Turn),
            (true, false) => None,
            (false, _) => Some(Event::Silence),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread::{self, JoinHandle};

    use super::*;
    use crate::command::GuiCommand;
    use crate::connection::{Client, Incoming, Input, MOST_UNWRITTEN, Outgoing};
    use crate::dialogue_log::DialogueLog;
    use crate::reply::Reply;
    use crate::search_thread;

    /// Starts the whole engine with its real search thread, connected to the test in memory.
    fn start() -> (Client, JoinHandle<()>) {
        let (connection, client) = Connection::memory();
        let (workers, reports) = search_thread::spawn().unwrap();
        let engine = Engine::new(workers, Arc::new(DialogueLog::new()));
        (client, thread::spawn(move || run(engine, connection, &reports).unwrap()))
    }

    fn say(client: &Client, line: &str) {
        client.commands.send(vec![incoming(GuiCommand::parse(line.as_bytes()))]).unwrap();
    }

    fn incoming(command: GuiCommand) -> Incoming {
        Incoming::command(command, Instant::now())
    }

    #[test]
    fn a_session_runs_to_the_end_of_its_input() {
        let (client, engine) = start();
        for line in ["setoption name USI_Hash value 1", "isready", "go nodes 50", "go infinite"] {
            say(&client, line);
        }
        let Client { commands, replies } = client;
        drop(commands);
        let texts: Vec<String> = replies.iter().map(|said| said.reply.to_string()).collect();
        engine.join().unwrap();
        assert_eq!(texts[0], "readyok");
        assert_eq!(texts.iter().filter(|text| text.starts_with("bestmove ")).count(), 2);
        assert!(texts.last().is_some_and(|text| text.starts_with("bestmove ")));
    }

    #[test]
    fn the_loop_ends_when_nobody_listens() {
        let (Client { commands, replies }, engine) = start();
        drop(replies);
        commands.send(vec![incoming(GuiCommand::Usi)]).unwrap();
        engine.join().unwrap();
    }

    /// A search is stopped at once, however many commands wait after it, and all of them are
    /// answered.
    #[test]
    fn a_stop_is_heard_behind_a_hundred_thousand_commands() {
        for go in ["go depth 100", "go infinite"] {
            let (client, engine) = start();
            say(&client, go);
            (0..100_000).for_each(|_| say(&client, "d"));
            let started = Instant::now();
            say(&client, "stop");
            let mut replies = client.replies.iter().map(|said| said.reply);
            let is_drawing = |reply: &Reply| matches!(reply, Reply::Drawing(_));
            let before = replies.by_ref().take_while(|reply| !matches!(reply, Reply::BestMove(_)));
            let before = before.filter(is_drawing).count();
            // The number of boards decides: on a busy machine each may wait for the processor.
            assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
            assert!(before < 10_000, "{before} boards were drawn before the answer");
            let after = replies.by_ref().take(100_000 - before);
            assert_eq!(after.filter(is_drawing).count(), 100_000 - before);
            say(&client, "quit");
            engine.join().unwrap();
        }
    }

    #[test]
    fn quit_ends_the_loop_while_a_search_runs() {
        let (client, engine) = start();
        say(&client, "go infinite");
        assert!(matches!(client.replies.recv().unwrap().reply, Reply::Info(_)));
        say(&client, "quit");
        engine.join().unwrap();
        let said: Vec<Reply> = client.replies.try_iter().map(|said| said.reply).collect();
        assert!(matches!(said.last(), Some(Reply::BestMove(_))), "{said:?}");
    }

    /// A reply counts as not written as long as the test keeps it.
    #[test]
    fn replies_that_nobody_reads_do_not_pile_up() {
        const BOARDS: usize = 20_000;
        let (client, engine) = start();
        let mut commands: Vec<Incoming> =
            (0..BOARDS).map(|_| incoming(GuiCommand::Display)).collect();
        // It is answered even then, so it tells that everything before it has been handled.
        commands.push(Incoming { input: Input::Suspended, at: Instant::now(), hold: None });
        client.commands.send(commands).unwrap();
        let mut kept = Vec::new();
        while !matches!(kept.last(), Some(Outgoing { reply: Reply::Note(_), .. })) {
            kept.push(client.replies.recv().unwrap());
        }
        let before = kept.len() - 1;
        assert!((1..=MOST_UNWRITTEN).contains(&before), "{before} boards wait");
        drop(kept);
        // All others come as soon as there is room.
        let others = client.replies.iter().take(BOARDS - before);
        assert!(others.map(|said| said.reply).all(|reply| matches!(reply, Reply::Drawing(_))));
        say(&client, "quit");
        engine.join().unwrap();
    }

    #[test]
    fn after_quit_a_gui_that_reads_nothing_is_not_waited_for_without_end() {
        let (client, engine) = start();
        (0..2 * MOST_UNWRITTEN).for_each(|_| say(&client, "d"));
        say(&client, "quit");
        engine.join().unwrap();
        assert_eq!(client.replies.len(), MOST_UNWRITTEN);
    }

    /// Behind `quit`, a GUI that reads now is waited for, however long it read nothing before.
    #[test]
    fn an_earlier_pause_does_not_count_after_quit() {
        const BOARDS: usize = 2 * MOST_UNWRITTEN;
        let (client, engine) = start();
        (0..BOARDS).for_each(|_| say(&client, "d"));
        while client.replies.len() < MOST_UNWRITTEN {
            thread::sleep(LOOK_AGAIN);
        }
        thread::sleep(PATIENCE + LOOK_AGAIN);
        say(&client, "quit");
        thread::sleep(4 * LOOK_AGAIN);
        assert_eq!(client.replies.iter().take(BOARDS).count(), BOARDS);
        engine.join().unwrap();
    }

    #[test]
    fn what_is_wrong_with_a_log_file_is_said_before_the_end() {
        for quits in [true, false] {
            let (client, engine) = start();
            say(&client, "setoption name DebugLogFile value no such folder/log.txt");
            if quits {
                say(&client, "quit");
            }
            drop(client.commands);
            let said: Vec<String> =
                client.replies.iter().map(|said| said.reply.to_string()).collect();
            engine.join().unwrap();
            let fault = "DebugLogFile: no such folder/log.txt: no such folder";
            assert_eq!(said, [format!("info string Error! {fault}")]);
        }
    }
}
