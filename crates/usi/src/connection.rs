//! Standard input and output as a pair of channels, or a pair in memory.
//!
//! One thread reads lines and one writes them, so that neither a slow search nor a GUI that does
//! not read can block the event loop.

use std::io::{self, BufRead, Read as _, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use crate::command::GuiCommand;
use crate::dialogue_log::{DialogueLog, Direction};
use crate::reply::Reply;

/// A command and the moment its line was complete; the clock of a `go` runs from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incoming {
    /// The command.
    pub command: GuiCommand,
    /// When it was read.
    pub at: Instant,
}

/// The engine's end of the line to the GUI.
#[derive(Debug)]
pub struct Connection {
    /// What the GUI says; disconnected at the end of the input.
    pub commands: Receiver<Incoming>,
    /// What we say; disconnected when nobody can hear us any more.
    pub replies: Sender<Reply>,
    /// Disconnected once all replies are written. In memory there is nothing to wait for.
    written: Option<Receiver<()>>,
}

/// The GUI's end of a connection in memory.
#[derive(Debug)]
pub struct Client {
    /// What the GUI says.
    pub commands: Sender<Incoming>,
    /// What the engine says.
    pub replies: Receiver<Reply>,
}

/// Lines longer than this are not read as commands. A game of ten thousand moves takes 60 kB.
pub const LONGEST_LINE: usize = 1 << 22;

impl Connection {
    /// Connects to standard input and output.
    pub fn stdio(log: &Arc<DialogueLog>) -> Connection {
        let (command_sender, commands) = unbounded();
        let (replies, reply_receiver) = unbounded();
        let (alive, written) = bounded(0);
        let reader_log = Arc::clone(log);
        let writer_log = Arc::clone(log);
        spawn("usi-reader", move || read(io::stdin().lock(), &command_sender, &reader_log));
        spawn("usi-writer", move || {
            // Held until this thread ends, whose end closes the channel.
            let _alive: Sender<()> = alive;
            write(io::stdout().lock(), &reply_receiver, &writer_log);
        });
        Connection { commands, replies, written: Some(written) }
    }

    /// Two ends joined in memory.
    pub fn memory() -> (Connection, Client) {
        let (command_sender, commands) = unbounded();
        let (replies, reply_receiver) = unbounded();
        (
            Connection { commands, replies, written: None },
            Client { commands: command_sender, replies: reply_receiver },
        )
    }

    /// Waits until all replies are written, but not for ever: the GUI may have stopped reading.
    pub fn close(self) {
        let Connection { commands: _, replies, written } = self;
        drop(replies);
        if let Some(written) = written {
            // The only possible outcomes are disconnection, which is what we wait for, and the
            // timeout, about which nothing can be done.
            let _ = written.recv_timeout(Duration::from_secs(1));
        }
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(work)
        .expect("the system must have room for a thread at the start");
}

/// Reads lines until the input or the listener ends. An unreadable input counts as ended.
fn read(mut input: impl BufRead, commands: &Sender<Incoming>, log: &DialogueLog) {
    let mut line = Vec::new();
    loop {
        line.clear();
        match read_line(&mut input, &mut line) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                log::error!("standard input: {:?}", error.kind());
                return;
            }
        }
        log.record(Direction::In, &line);
        let command = GuiCommand::parse(&line);
        if let GuiCommand::Unknown(word) = &command {
            log::warn!("unknown command: {word}");
        }
        if commands.send(Incoming { command, at: Instant::now() }).is_err() {
            return;
        }
    }
}

/// Reads one line with its end and returns the number of bytes read, 0 at the end of the input.
/// Of a line that is too long nothing is kept but the first word, which is no command then.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let length = input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', line)?;
    if length < LONGEST_LINE || line.ends_with(b"\n") {
        return Ok(length);
    }
    line.clear();
    line.extend_from_slice(b"(too long)");
    let mut total = length;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = available.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        total += used;
        if end.is_some() || used == 0 {
            return Ok(total);
        }
    }
}

/// Writes replies until there are no more or nobody reads them. Every reply is flushed, because a
/// GUI waits for each of them.
fn write(mut output: impl Write, replies: &Receiver<Reply>, log: &DialogueLog) {
    for reply in replies {
        let text = format!("{reply}\n");
        for line in text.lines() {
            log.record(Direction::Out, line.as_bytes());
        }
        if output.write_all(text.as_bytes()).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(input: &[u8]) -> Vec<GuiCommand> {
        let (sender, receiver) = unbounded();
        // A small buffer, so that lines are put together from several reads.
        let reader = io::BufReader::with_capacity(7, input);
        read(reader, &sender, &DialogueLog::new());
        drop(sender);
        receiver.iter().map(|incoming| incoming.command).collect()
    }

    #[test]
    fn lines_end_with_lf_crlf_or_the_input() {
        use GuiCommand::{Blank, IsReady, Quit, Usi};
        assert_eq!(commands(b"usi\r\n\nisready\nquit"), [Usi, Blank, IsReady, Quit]);
        assert_eq!(commands(b""), []);
    }

    #[test]
    fn bytes_of_any_encoding_do_not_end_the_reading() {
        let read = commands(b"\x82\xa0\xff\nusi\n\0\0\nquit\n");
        assert_eq!(read.len(), 4);
        assert_eq!((&read[1], &read[3]), (&GuiCommand::Usi, &GuiCommand::Quit));
    }

    #[test]
    fn a_line_without_end_is_passed_over_and_the_next_one_is_read() {
        let long = [b"position startpos moves ".as_slice(), &vec![b'x'; LONGEST_LINE]].concat();
        let input = [&long[..], b"\nusi\n", &long, b"\n", b"quit\n", &long].concat();
        let (sender, receiver) = unbounded();
        read(&input[..], &sender, &DialogueLog::new());
        drop(sender);
        let read: Vec<GuiCommand> = receiver.iter().map(|incoming| incoming.command).collect();
        let unknown = GuiCommand::Unknown("(too".to_owned());
        let expected =
            [unknown.clone(), GuiCommand::Usi, unknown.clone(), GuiCommand::Quit, unknown];
        assert_eq!(read, expected);
    }

    #[test]
    fn a_line_of_the_greatest_length_is_still_a_command() {
        let mut line = vec![b' '; LONGEST_LINE - 4];
        line.extend_from_slice(b"usi\n");
        assert_eq!(commands(&line), [GuiCommand::Usi]);
    }

    /// Takes a few writes and then behaves like a pipe whose reader has gone.
    struct ClosedPipe {
        writes_left: usize,
    }

    impl Write for ClosedPipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.writes_left = self.writes_left.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn writing_ends_when_nobody_reads() {
        let (sender, receiver) = unbounded();
        for _ in 0..3 {
            sender.send(Reply::ReadyOk).unwrap();
        }
        write(ClosedPipe { writes_left: 2 }, &receiver, &DialogueLog::new());
        drop(receiver);
        assert!(sender.send(Reply::ReadyOk).is_err());
    }
}
