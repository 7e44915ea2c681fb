//! Standard output: buffered where much is printed, and watched for the end of its reader.

use std::io::{self, BufWriter, Write};
use std::process;
use std::thread;
use std::time::{Duration, Instant};

/// Standard output of a subcommand.
///
/// A line is written at once if some time has passed since the last one, otherwise together with
/// later lines. Code that waits for something flushes first, so a script can read along.
pub(super) struct Output<W: Write> {
    writer: BufWriter<W>,
    flushed: Instant,
}

/// How long lines may be held back while more lines come.
const PATIENCE: Duration = Duration::from_millis(20);
/// How many bytes are written at once.
const BUFFER: usize = 1 << 16;

impl<W: Write> Output<W> {
    pub(super) fn new(inner: W) -> Output<W> {
        Output { writer: BufWriter::with_capacity(BUFFER, inner), flushed: Instant::now() }
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes)?;
        if bytes[..written].ends_with(b"\n") && self.flushed.elapsed() > PATIENCE {
            self.flush()?;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        self.flushed = Instant::now();
        Ok(())
    }
}

/// The time between two looks at whether standard output is still read, while results are awaited.
pub(super) const TICK: Duration = Duration::from_millis(200);

/// Whether nobody can read standard output any more. If the system does not tell, the next line
/// fails.
pub(super) fn is_closed() -> bool {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let stdout = io::stdout();
        let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut watched, Some(&at_once))
            .is_ok_and(|_| watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP))
    }
    #[cfg(not(unix))]
    false
}

/// From now on, the program ends as soon as nobody can read standard output any more. This is for work
/// that makes nothing but output, and may not come to print for hours.
pub(super) fn end_when_closed() {
    let watch = || {
        while !is_closed() {
            thread::sleep(TICK);
        }
        process::exit(0);
    };
    // Without room for a thread, the next line fails, as it does where the system does not tell.
    let _ = thread::Builder::new().name("stdout-watch".to_owned()).spawn(watch);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_out_together_but_not_late() {
        let started = Instant::now();
        let mut output = Output::new(Vec::new());
        for _ in 0..100 {
            writeln!(output, "line").unwrap();
        }
        // Unless the machine was busy with something else meanwhile.
        let was_late = started.elapsed() >= PATIENCE;
        assert!(was_late || output.writer.get_ref().is_empty(), "held back while more come");
        std::thread::sleep(PATIENCE);
        let written = output.writer.get_ref().len();
        write!(output, "not yet").unwrap();
        assert_eq!(output.writer.get_ref().len(), written);
        writeln!(output, " a line").unwrap();
        assert_eq!(output.writer.get_ref().len(), 500 + 15);
        writeln!(output, "last").unwrap();
        output.flush().unwrap();
        assert_eq!(output.writer.get_ref().len(), 500 + 15 + 5);
    }
}
