//! Standard input and output as a pair of channels, or in tests a pair in memory.
//!
//! One thread reads lines and one writes them, so that neither a slow search nor a GUI that does
//! not read can block the event loop.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, BufReader, Read, Write};
use std::iter;
use std::mem;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use tsumero_control::Instant;

use crate::budget::{Budget, Hold};
use crate::command::{GoTask, GuiCommand};
use crate::dialogue_log::{DialogueLog, Direction};
use crate::lines::{LONGEST_LINE, end_of, read_line};
use crate::reply::Reply;

/// What comes in from the GUI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A command.
    Command(GuiCommand),
    /// A line longer than [`LONGEST_LINE`]. Only what it asks for was kept.
    TooLong(Asked),
    /// So many commands are waiting that reading is suspended.
    Suspended,
}

/// The request in a line that was too long to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// A `position`.
    Position,
    /// A `go` with this task, as far as its beginning shows that.
    Go(GoTask),
    /// Something that needs no answer.
    Nothing,
}

impl Asked {
    /// The request in a line, judged by its beginning.
    fn in_line(beginning: &[u8]) -> Asked {
        match GuiCommand::parse(beginning) {
            GuiCommand::Position { .. } => Asked::Position,
            GuiCommand::Go(go) => Asked::Go(go.task),
            _ => Asked::Nothing,
        }
    }
}

/// An input, and the moment at which its line was complete. The clock of a `go` runs from that
/// moment.
#[derive(Debug)]
pub struct Incoming {
    /// The input.
    pub input: Input,
    /// The time at which its bytes arrived, before they were processed.
    pub at: Instant,
    /// Its part of the budget of waiting commands.
    pub hold: Option<Hold>,
}

impl Incoming {
    /// A command that no budget counts, because it comes from the same program.
    pub fn command(command: GuiCommand, at: Instant) -> Incoming {
        Incoming { input: Input::Command(command), at, hold: None }
    }
}

/// A reply, with its part of the budget of unwritten replies.
#[derive(Debug)]
pub(crate) struct Outgoing {
    /// The reply.
    pub reply: Reply,
    hold: Hold,
}

/// The engine's end of the connection to the GUI.
#[derive(Debug)]
pub(crate) struct Connection {
    /// The commands of the GUI: those that arrived together come together, because waking a thread
    /// takes longer than most commands. It is disconnected at the end of the input.
    pub commands: Receiver<Vec<Incoming>>,
    /// Commands that have arrived, and that the event loop has not handled yet.
    pub arrived: VecDeque<Incoming>,
    /// The replies. It is disconnected when nobody reads them any more.
    replies: Sender<Outgoing>,
    /// The number of replies that wait to be written.
    unwritten: Arc<Budget>,
    /// Disconnected once all replies are written. Before that it tells why they cannot be. In memory
    /// there is nothing to wait for.
    written: Option<Receiver<io::Error>>,
}

/// The GUI's end of a connection in memory.
#[cfg(test)]
#[derive(Debug)]
pub(crate) struct Client {
    /// The commands of the GUI: those that arrive together.
    pub commands: Sender<Vec<Incoming>>,
    /// The replies of the engine.
    pub replies: Receiver<Outgoing>,
}

/// The largest number of bytes of waiting lines. When it is reached, reading the input is
/// suspended.
const MOST_WAITING: usize = 64 << 20;
/// The memory that a line takes in addition to its text.
const LINE_OVERHEAD: usize = 256;
/// The number of bytes that are read at once. A pipe of Linux holds as many.
const READ_AT_ONCE: usize = 1 << 16;
/// Replies that are ready are written together, until they have this many bytes.
const WRITE_AT_ONCE: usize = 1 << 16;
/// If so many replies are unwritten, commands wait, and of the reports of a search only the
/// latest are kept. Answers are not delayed.
pub(crate) const MOST_UNWRITTEN: usize = 256;

impl Connection {
    /// Connects to standard input and output.
    ///
    /// # Errors
    /// The system has no room for the threads.
    pub(crate) fn stdio(log: &Arc<DialogueLog>) -> io::Result<Connection> {
        let (command_sender, commands) = unbounded();
        let (replies, reply_receiver) = unbounded();
        let unwritten = Budget::new(MOST_UNWRITTEN);
        let (fault, written) = bounded(1);
        let reader_log = Arc::clone(log);
        let writer_log = Arc::clone(log);
        spawn("usi-reader", move || {
            let reader = BufReader::with_capacity(READ_AT_ONCE, io::stdin().lock());
            read(reader, &command_sender, &reader_log);
        })?;
        spawn("usi-writer", move || {
            // The channel is closed when this thread ends.
            if let Err(error) = write(io::stdout().lock(), &reply_receiver, &writer_log) {
                // The receiver is gone only when nobody waits any more.
                let _ = fault.send(error);
            }
        })?;
        let arrived = VecDeque::new();
        Ok(Connection { commands, arrived, replies, unwritten, written: Some(written) })
    }

    /// Sends a reply. Returns whether somebody can still read it.
    pub(crate) fn say(&self, reply: Reply) -> bool {
        let hold = self.unwritten.hold(1);
        self.replies.send(Outgoing { reply, hold }).is_ok()
    }

    /// Whether replies are being written fast enough to let waiting commands act.
    pub(crate) fn has_room(&self) -> bool {
        self.unwritten.has_room()
    }

    /// Both ends of a connection in memory.
    #[cfg(test)]
    pub(crate) fn memory() -> (Connection, Client) {
        let (command_sender, commands) = unbounded();
        let (replies, reply_receiver) = unbounded();
        let unwritten = Budget::new(MOST_UNWRITTEN);
        (
            Connection { commands, arrived: VecDeque::new(), replies, unwritten, written: None },
            Client { commands: command_sender, replies: reply_receiver },
        )
    }

    /// Waits until all replies are written. With `patience`, the wait ends when none has been
    /// written for so long, because the GUI may have stopped reading.
    ///
    /// # Errors
    /// The replies cannot be written.
    pub(crate) fn close(self, patience: Option<Duration>) -> io::Result<()> {
        let Connection { commands: _, arrived: _, replies, unwritten, written } = self;
        drop(replies);
        let Some(written) = written else { return Ok(()) };
        // The channel is disconnected when everything is written.
        let Some(patience) = patience else {
            return written.recv().map_or(Ok(()), Err);
        };
        let mut before = unwritten.used();
        loop {
            match written.recv_timeout(patience) {
                Ok(error) => return Err(error),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let left = unwritten.used();
            if left >= mem::replace(&mut before, left) {
                return Ok(());
            }
        }
    }

    /// How many replies wait to be written.
    pub(crate) fn unwritten(&self) -> usize {
        self.unwritten.used()
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// Reads lines until the input ends or the receiver is gone. An unreadable input counts as ended.
/// Lines that arrived together are passed on together.
fn read(mut reader: BufReader<impl Read>, commands: &Sender<Vec<Incoming>>, log: &DialogueLog) {
    let waiting = Budget::new(MOST_WAITING);
    let mut line = Vec::new();
    let mut arrived = Vec::new();
    let mut at = Instant::now();
    loop {
        let is_complete = reader.buffer().contains(&b'\n');
        if !is_complete && !arrived.is_empty() && commands.send(mem::take(&mut arrived)).is_err() {
            return;
        }
        line.clear();
        let length = match read_line(&mut reader, &mut line, usize::MAX) {
            Ok(0) => return,
            Ok(length) => length,
            Err(error) => {
                log::error!("standard input: {:?}", error.kind());
                return;
            }
        };
        if !is_complete {
            at = Instant::now();
        }
        log.record_beginning(Direction::In, &line, length - end_of(&line).len(), at);
        let input = if length > LONGEST_LINE {
            Input::TooLong(Asked::in_line(&line))
        } else {
            Input::Command(GuiCommand::parse(&line))
        };
        if let Input::Command(GuiCommand::Unknown(word)) = &input {
            log::warn!("unknown command: {word}");
        }
        let bytes = line.len() + LINE_OVERHEAD;
        let hold = waiting.try_take(bytes).unwrap_or_else(|| {
            arrived.push(Incoming { input: Input::Suspended, at, hold: None });
            // If the receiver is gone, the next send fails.
            let _ = commands.send(mem::take(&mut arrived));
            waiting.take(bytes)
        });
        arrived.push(Incoming { input, at, hold: Some(hold) });
    }
}

/// Writes replies until there are no more, or they cannot be written. The replies that are ready are
/// written together and flushed, because a GUI waits for them.
fn write(
    mut output: impl Write,
    replies: &Receiver<Outgoing>,
    log: &DialogueLog,
) -> io::Result<()> {
    let mut text = String::new();
    let mut holds = Vec::new();
    while let Ok(first) = replies.recv() {
        for Outgoing { reply, hold } in iter::once(first).chain(replies.try_iter()) {
            let start = text.len();
            writeln!(text, "{reply}").expect("a string takes any text");
            let at = Instant::now();
            text[start..].lines().for_each(|line| log.record(Direction::Out, line.as_bytes(), at));
            holds.push(hold);
            if text.len() >= WRITE_AT_ONCE {
                break;
            }
        }
        output.write_all(text.as_bytes())?;
        output.flush()?;
        text.clear();
        holds.clear();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::MateTime;

    fn inputs(bytes: &[u8]) -> Vec<Input> {
        let (sender, receiver) = unbounded();
        // A small buffer, so that lines are put together from several reads.
        let reader = BufReader::with_capacity(7, bytes);
        read(reader, &sender, &DialogueLog::new());
        drop(sender);
        receiver.iter().flatten().map(|incoming| incoming.input).collect()
    }

    #[test]
    fn lines_end_with_lf_crlf_or_the_input() {
        use GuiCommand::{Blank, IsReady, Quit, Usi};
        let commands = [Usi, Blank, IsReady, Quit].map(Input::Command);
        assert_eq!(inputs(b"usi\r\n\nisready\nquit"), commands);
        assert_eq!(inputs(b""), []);
    }

    #[test]
    fn lines_that_arrive_together_are_passed_on_together() {
        let (sender, receiver) = unbounded();
        // Complete lines fill the buffer twice; the last line is put together from two reads.
        let input = b"usi\nd\n\nstop\nquit\nisready\n";
        read(BufReader::with_capacity(12, &input[..]), &sender, &DialogueLog::new());
        drop(sender);
        let arrived: Vec<Vec<Incoming>> = receiver.iter().collect();
        assert_eq!(arrived.iter().map(Vec::len).collect::<Vec<_>>(), [4, 1, 1]);
        assert!(arrived[0].iter().all(|incoming| incoming.at == arrived[0][0].at));
        assert!(arrived[1][0].at >= arrived[0][0].at);
    }

    #[test]
    fn bytes_of_any_encoding_do_not_end_the_reading() {
        let read = inputs(b"\x82\xa0\xff\nusi\n\0\0\nquit\n");
        assert_eq!(read.len(), 4);
        let expected = [GuiCommand::Usi, GuiCommand::Quit].map(Input::Command);
        assert_eq!([&read[1], &read[3]], expected.each_ref());
    }

    #[test]
    fn of_a_line_that_is_too_long_only_the_question_is_kept() {
        let long = |start: &str| [start.as_bytes(), &vec![b'x'; LONGEST_LINE], b"\n"].concat();
        let input = [
            long("position startpos moves "),
            b"usi\n".to_vec(),
            long("go mate 5 "),
            long("go searchmoves "),
            long("nonsense"),
            b"quit\n".to_vec(),
            long("go").split_off(3),
        ];
        use Input::{Command, TooLong};
        let expected = [
            TooLong(Asked::Position),
            Command(GuiCommand::Usi),
            TooLong(Asked::Go(GoTask::Mate(MateTime::Milliseconds(5)))),
            TooLong(Asked::Go(GoTask::BestMove)),
            TooLong(Asked::Nothing),
            Command(GuiCommand::Quit),
        ];
        assert_eq!(inputs(&input.concat())[..6], expected);
    }

    #[test]
    fn a_line_that_is_too_long_is_judged_by_its_beginning() {
        for (beginning, asked) in [
            ("position startpos moves 7g7f", Asked::Position),
            ("go btime 1000", Asked::Go(GoTask::BestMove)),
            ("go mate 500", Asked::Go(GoTask::Mate(MateTime::Milliseconds(500)))),
            ("go searchmoves 7g7f 2g2f", Asked::Go(GoTask::BestMove)),
            ("setoption name A value b", Asked::Nothing),
            ("goo", Asked::Nothing),
            ("", Asked::Nothing),
        ] {
            assert_eq!(Asked::in_line(beginning.as_bytes()), asked, "{beginning}");
        }
    }

    #[test]
    fn the_log_has_the_length_of_a_line_that_is_too_long() {
        let path = std::env::temp_dir().join(format!("tsumero-long-{}", std::process::id()));
        let log = DialogueLog::new();
        log.set_file(Some(&path));
        let long = [b"go ", &vec![b'x'; LONGEST_LINE][..]].concat();
        let input = [&long, &b"\n"[..], &long, b"\r\nusi\n"].concat();
        let (sender, _receiver) = unbounded();
        read(BufReader::new(&input[..]), &sender, &log);
        let mut text = String::new();
        let deadline = Instant::now() + Duration::from_secs(60);
        while !text.ends_with(" > usi\n") {
            assert!(Instant::now() < deadline, "{text}");
            log.close();
            text = std::fs::read_to_string(&path).unwrap_or_default();
        }
        std::fs::remove_file(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        let end = format!("xxx... ({} bytes)", long.len());
        for line in &lines[..2] {
            assert!(line.contains(" > go xxx") && line.ends_with(&end), "{line}");
        }
    }

    /// A command counts as waiting as long as the test keeps it.
    #[test]
    fn the_input_is_not_read_on_while_too_much_waits_and_nothing_is_lost() {
        let (sender, receiver) = unbounded();
        let line = [b"position startpos moves ", &vec![b'7'; LONGEST_LINE / 2][..], b"\n"].concat();
        let fit = MOST_WAITING / (line.len() + LINE_OVERHEAD);
        let lines = 2 * fit + fit / 2;
        let input = line.repeat(lines);
        let reader = thread::spawn(move || {
            read(BufReader::new(&input[..]), &sender, &DialogueLog::new());
        });
        let mut positions = 0;
        for all in [fit, 2 * fit, lines] {
            let mut kept = Vec::new();
            let mut is_full = false;
            while !is_full && positions < lines {
                for incoming in receiver.recv().expect("more lines come") {
                    assert!(!is_full, "read on after it was full");
                    match &incoming.input {
                        Input::Command(GuiCommand::Position { .. }) => positions += 1,
                        Input::Suspended => is_full = true,
                        other => panic!("{other:?}"),
                    }
                    kept.push(incoming);
                }
            }
            assert_eq!((positions, is_full), (all, all < lines));
            // The reader waits for the commands that are kept here, however long that takes.
            if is_full {
                let more = receiver.recv_timeout(Duration::from_millis(200));
                assert_eq!(more.map(|more| more.len()), Err(RecvTimeoutError::Timeout));
            }
        }
        reader.join().unwrap();
        assert!(receiver.recv().is_err());
    }

    #[test]
    fn a_line_of_the_greatest_length_is_still_a_command() {
        let mut line = vec![b' '; LONGEST_LINE - 4];
        line.extend_from_slice(b"usi\n");
        assert_eq!(inputs(&line), [Input::Command(GuiCommand::Usi)]);
    }

    /// Takes one write and then behaves like a pipe whose reader has gone.
    struct ClosedPipe {
        has_reader: bool,
    }

    impl Write for ClosedPipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if !mem::take(&mut self.has_reader) {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            Ok(bytes.len().min(10))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn writing_ends_when_nobody_reads() {
        let (connection, client) = Connection::memory();
        for _ in 0..3 {
            assert!(connection.say(Reply::ReadyOk));
        }
        let end = write(ClosedPipe { has_reader: true }, &client.replies, &DialogueLog::new());
        assert_eq!(end.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        drop(client);
        assert!(!connection.say(Reply::ReadyOk));
    }

    #[test]
    fn there_is_room_for_more_once_replies_are_written() {
        let (connection, client) = Connection::memory();
        for _ in 0..MOST_UNWRITTEN {
            assert!(connection.has_room() && connection.say(Reply::ReadyOk));
        }
        assert!(!connection.has_room());
        assert!(connection.say(Reply::ReadyOk), "what has to be said is said");
        client.replies.try_iter().take(2).count();
        assert!(connection.has_room());
    }
}
