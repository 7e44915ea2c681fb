//! Progress of long runs, as lines on standard error.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Reports the progress of a run from time to time.
pub struct Progress {
    started: Instant,
    last: Option<Instant>,
    interval: Duration,
    /// The work done before this process began. It does not count for the rate.
    before: u64,
}

impl Progress {
    /// The progress of a run of which `before` is already done. It is reported every two seconds on
    /// a terminal, and every ten elsewhere.
    pub fn new(before: u64) -> Progress {
        let seconds = if std::io::stderr().is_terminal() { 2 } else { 10 };
        let interval = Duration::from_secs(seconds);
        Progress { started: Instant::now(), last: None, interval, before }
    }

    /// Whether a report is due. If so, the next one is due an interval later.
    pub fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let last = self.last.unwrap_or(self.started);
        let due = now >= last + self.interval;
        if due {
            self.last = Some(now);
        }
        due
    }

    /// The work per second since this process began. `done` is all the work done so far.
    pub fn rate(&self, done: u64) -> f64 {
        let seconds = self.started.elapsed().as_secs_f64().max(1e-3);
        done.saturating_sub(self.before) as f64 / seconds
    }

    /// The time until `total` is done at the rate so far, as text.
    pub fn time_left(&self, done: u64, total: u64) -> String {
        let rate = self.rate(done);
        if rate <= 0.0 {
            return "?".to_owned();
        }
        duration_text(total.saturating_sub(done) as f64 / rate)
    }
}

/// A duration in seconds as text for people.
pub fn duration_text(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds} s"),
        (0, _) => format!("{minutes} min {:02} s", seconds % 60),
        _ => format!("{hours} h {minutes:02} min"),
    }
}

/// Writes a line of results to standard output.
///
/// # Errors
/// It cannot be written; with [`std::io::ErrorKind::BrokenPipe`], nobody reads on.
pub fn say(line: std::fmt::Arguments<'_>) -> std::io::Result<()> {
    writeln!(std::io::stdout(), "{line}")
}

/// Writes a line to standard error. It is lost if nobody reads it.
pub fn tell(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_readable() {
        assert_eq!(duration_text(12.4), "12 s");
        assert_eq!(duration_text(65.0), "1 min 05 s");
        assert_eq!(duration_text(7322.0), "2 h 02 min");
    }
}
