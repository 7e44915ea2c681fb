//! Drives the built engine through pipes, as a GUI does, with a deadline for everything.
//!
//! Every line the engine prints is checked against the grammar in [`crate::output`] as it is
//! received. Standard error is a pipe that nobody reads until the engine has ended, which is what
//! most GUIs do; it must be empty then.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use tsumero_core::{Game, Position};

pub(crate) use crate::in_time::in_time;
use crate::output::{Answer, Info, Line};

/// The engine under test: the program that was just built, or the one that `TSUMERO_PROGRAM` names
/// by its absolute path, which may be a script that starts it (`scripts/windows.sh` has one).
pub(crate) fn engine() -> &'static str {
    static ENGINE: LazyLock<String> = LazyLock::new(|| {
        let Ok(program) = std::env::var("TSUMERO_PROGRAM") else {
            return env!("CARGO_BIN_EXE_tsumero").to_owned();
        };
        let path = Path::new(&program);
        assert!(path.is_absolute() && path.is_file(), "TSUMERO_PROGRAM={program} is no program");
        program
    });
    &ENGINE
}

/// The program with these arguments and with pipes for its input and both outputs.
pub(crate) fn start<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Child {
    Command::new(engine())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The program with these arguments, whose output nobody reads from the start.
pub(crate) fn start_unread<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Child {
    let mut child = start(arguments);
    drop(child.stdout.take());
    child
}

/// Longest wait for something that needs no time of its own. Long, because the tests may run on
/// a machine that is busy with other things; whatever hangs is found all the same.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// Shorthand for milliseconds.
pub(crate) const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// A running engine.
pub(crate) struct Session {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    /// What was said so far, for the message of a failing test.
    transcript: Vec<String>,
    /// What was said about variations since the last answer.
    infos: Vec<Info>,
    /// The position last sent, which answers are checked against.
    pub(crate) position: Game,
    sent: Instant,
}

/// What the engine printed for one `go`.
pub(crate) struct Thought {
    /// The lines about variations, in order.
    pub(crate) infos: Vec<Info>,
    /// The answer.
    pub(crate) answer: Answer,
    /// From the last line sent until the answer was read.
    pub(crate) elapsed: Duration,
}

impl Session {
    /// Starts the engine and says nothing.
    pub(crate) fn start() -> Session {
        Session::start_in(Path::new("."))
    }

    /// Starts the engine in the given folder.
    fn start_in(folder: &Path) -> Session {
        Session::start_program(Path::new(engine()), folder)
    }

    /// Starts a program in the given folder.
    pub(crate) fn start_program(program: &Path, folder: &Path) -> Session {
        let mut child = Command::new(program)
            .current_dir(folder)
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let output = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            // Line ends are taken off by hand: the engine must not print a carriage return.
            for line in output.split(b'\n') {
                let Ok(line) = line else { return };
                let line = String::from_utf8(line).expect("the engine prints ASCII");
                if sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Session {
            child,
            input,
            lines,
            transcript: Vec::new(),
            infos: Vec::new(),
            position: Game::default(),
            sent: Instant::now(),
        }
    }

    /// Starts the engine and brings it to `readyok` with a small table.
    pub(crate) fn ready() -> Session {
        Session::ready_with(&[])
    }

    /// The same with options, each `NAME value VALUE`.
    pub(crate) fn ready_with(options: &[&str]) -> Session {
        let mut session = Session::start();
        session.send("usi");
        session.until("usiok");
        session.send("setoption name USI_Hash value 16");
        // Half of the processors would search differently on each machine.
        session.send("setoption name Threads value 1");
        for option in options {
            session.send(&format!("setoption name {option}"));
        }
        session.send("isready");
        session.until("readyok");
        session
    }

    /// The number of the engine's process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends one line.
    pub(crate) fn send(&mut self, line: &str) {
        self.transcript.push(format!("> {line}"));
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends several lines in one write.
    pub(crate) fn send_all(&mut self, lines: &[&str]) {
        self.transcript.extend(lines.iter().map(|line| format!("> {line}")));
        self.send_bytes(format!("{}\n", lines.join("\n")).as_bytes());
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.sent = Instant::now();
        let input = self.input.as_mut().expect("the input is still open");
        let result = input.write_all(bytes).and_then(|()| input.flush());
        if let Err(error) = result {
            self.fail(&format!("cannot write to the engine: {error}"));
        }
    }

    /// Sends a `position` line and remembers the position for the checks of the answers.
    pub(crate) fn set_position(&mut self, sfen: &str, moves: &str) {
        let root = if sfen == "startpos" { sfen.to_owned() } else { format!("sfen {sfen}") };
        self.remember_position(sfen, moves);
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {moves}") };
        self.send(&format!("position {root}{moves}"));
    }

    /// Remembers a position that was sent in other words, for the checks of the answers.
    pub(crate) fn remember_position(&mut self, sfen: &str, moves: &str) {
        self.position = match sfen {
            "startpos" => Game::default(),
            sfen => Position::from_sfen(sfen).expect("the test's SFEN is right").into(),
        };
        for word in moves.split_whitespace() {
            let m = self.position.parse_move(word).expect("the test's moves are legal");
            self.position.play_unchecked(m);
        }
    }

    /// The next line, its grammar checked, or `None` if none comes in time.
    pub(crate) fn next_line(&mut self, wait: Duration) -> Option<(Instant, Line)> {
        match self.lines.recv_timeout(wait) {
            Ok((at, text)) => {
                self.transcript.push(format!("< {text}"));
                match Line::read(&text) {
                    Ok(line) => {
                        if let Line::Info(info) = &line {
                            self.infos.push(info.clone());
                        }
                        Some((at, line))
                    }
                    Err(reason) => self.fail(&format!("bad line '{text}': {reason}")),
                }
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Reads until a line that is exactly the given text, and returns the lines before it.
    pub(crate) fn until(&mut self, text: &str) -> Vec<Line> {
        let mut before = Vec::new();
        let deadline = Instant::now() + SOON;
        loop {
            let wait = deadline.saturating_duration_since(Instant::now());
            match self.next_line(wait) {
                Some((_, line)) if line.text() == text => return before,
                Some((_, line)) => before.push(line),
                None => self.fail(&format!("'{text}' did not come")),
            }
        }
    }

    /// Reads until an answer to a `go`. The answer is not checked against any position.
    pub(crate) fn any_answer(&mut self, wait: Duration) -> Thought {
        let deadline = Instant::now() + wait;
        loop {
            match self.next_line(deadline.saturating_duration_since(Instant::now())) {
                Some((at, Line::Answer(answer))) => return self.thought(at, answer),
                Some(_) => {}
                None => self.fail("no answer came"),
            }
        }
    }

    /// What was printed for a `go` whose answer was read at this time.
    pub(crate) fn thought(&mut self, at: Instant, answer: Answer) -> Thought {
        let elapsed = at.saturating_duration_since(self.sent);
        Thought { infos: std::mem::take(&mut self.infos), answer, elapsed }
    }

    /// Checks an answer and all that was said before it against the position last sent. The engine may
    /// have searched so many times.
    pub(crate) fn check(&self, thought: &Thought, searches: usize) {
        if let Err(reason) = thought.check(&self.position, searches) {
            self.fail(&reason);
        }
    }

    /// Reads until the answer to a `go` and checks it and all that was said before it against
    /// the position last sent.
    pub(crate) fn answer(&mut self, wait: Duration) -> Thought {
        self.answer_after_searches(1, wait)
    }

    /// The same where the engine may search so many times, one after another, before it answers:
    /// nodes and time begin anew with each search.
    pub(crate) fn answer_after_searches(&mut self, searches: usize, wait: Duration) -> Thought {
        let thought = self.any_answer(wait);
        self.check(&thought, searches);
        thought
    }

    /// Sends a `go` and reads the checked answer, which must come soon.
    pub(crate) fn go(&mut self, words: &str) -> Thought {
        self.send(&format!("go {words}"));
        self.answer(SOON)
    }

    /// Reads until an info as wanted. No answer may come before it.
    pub(crate) fn until_info(&mut self, wanted: impl Fn(&Info) -> bool) {
        let deadline = Instant::now() + SOON;
        loop {
            match self.next_line(deadline.saturating_duration_since(Instant::now())) {
                Some((_, Line::Info(info))) if wanted(&info) => return,
                Some((_, Line::Answer(_))) => self.fail("an answer came too early"),
                Some(_) => {}
                None => self.fail("no such info came"),
            }
        }
    }

    /// Checks that no answer comes for a while; other lines may.
    pub(crate) fn no_answer_for(&mut self, time: Duration) -> Vec<Line> {
        let mut lines = Vec::new();
        let end = Instant::now() + time;
        while let Some((_, line)) = self.next_line(end.saturating_duration_since(Instant::now())) {
            if matches!(line, Line::Answer(_)) {
                self.fail("an answer came too early");
            }
            lines.push(line);
        }
        lines
    }

    /// Checks that nothing at all is said for a while.
    pub(crate) fn silent_for(&mut self, time: Duration) {
        if let Some((_, line)) = self.next_line(time) {
            self.fail(&format!("'{}' came although nothing was to be said", line.text()));
        }
    }

    /// Checks that the engine is alive and has nothing left to say from before.
    pub(crate) fn in_step(&mut self) {
        self.send("isready");
        let before = self.until("readyok");
        if before.iter().any(|line| matches!(line, Line::Answer(_))) {
            self.fail("an answer came that nobody asked for");
        }
    }

    /// Closes the engine's input.
    pub(crate) fn close_input(&mut self) {
        self.transcript.push("> (end of input)".to_owned());
        self.input = None;
        self.sent = Instant::now();
    }

    /// Waits for the engine to end.
    pub(crate) fn wait(&mut self, wait: Duration) -> ExitStatus {
        let deadline = Instant::now() + wait;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return status,
                Ok(None) if Instant::now() < deadline => std::thread::sleep(ms(2)),
                _ => self.fail("the engine did not end"),
            }
        }
    }

    /// Checks that the engine ends by itself in time, with code 0 and a clean standard error, and
    /// returns the lines still unread.
    pub(crate) fn ends(mut self, wait: Duration) -> Vec<Line> {
        let status = self.wait(wait);
        let mut lines = Vec::new();
        while let Some((_, line)) = self.next_line(ms(1000)) {
            lines.push(line);
        }
        let mut errors = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            stderr.read_to_string(&mut errors).expect("standard error can be read");
        }
        if !status.success() || !errors.is_empty() {
            self.fail(&format!("ended with {status} and said: {errors}"));
        }
        lines
    }

    /// Says `quit` and checks that the engine ends as it should.
    pub(crate) fn quit(mut self) {
        self.send("quit");
        self.ends(ms(3000));
    }

    /// Fails the test with the whole conversation.
    pub(crate) fn fail(&self, reason: &str) -> ! {
        let shown = self.transcript.len().saturating_sub(200);
        let cut = |line: &String| line.chars().take(300).collect::<String>();
        let lines: Vec<String> = self.transcript[shown..].iter().map(cut).collect();
        panic!("{reason}\n--- conversation\n{}", lines.join("\n"));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // An engine that has ended cannot be killed, and that is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Thought {
    /// The move played; fails the test if there is none.
    pub(crate) fn best(&self) -> &str {
        match &self.answer {
            Answer::Move { best, .. } => best,
            other => panic!("a move was expected, not {other:?}"),
        }
    }

    /// The last line about the best variation.
    pub(crate) fn last_info(&self) -> &Info {
        let last = self.infos.iter().rev().find(|info| info.multipv.unwrap_or(1) == 1);
        last.expect("something was said about the best variation")
    }

    /// What holds of every answer after so many searches at most, whatever was asked.
    fn check(&self, position: &Position, searches: usize) -> Result<(), String> {
        for info in &self.infos {
            legal_line(position, &info.pv)?;
        }
        // Each line tells the nodes and the time since the start of its search.
        let goes_on = |one: &Info, next: &Info| next.nodes >= one.nodes && next.time >= one.time;
        if self.infos.chunk_by(goes_on).count() > searches {
            return Err("nodes or time went down".to_owned());
        }
        match &self.answer {
            Answer::Move { best, ponder } => {
                let mut line = vec![best.clone()];
                line.extend(ponder.clone());
                legal_line(position, &line)?;
                let last = self.infos.iter().rev().find(|info| info.multipv.unwrap_or(1) == 1);
                let Some(last) = last else { return Err("no info before bestmove".to_owned()) };
                if last.pv.first() != Some(best) || last.score.is_none() || last.bound {
                    return Err("the last info does not belong to the answer".to_owned());
                }
                if last.depth.is_none() || last.nodes.is_none() || last.time.is_none() {
                    return Err("the last info lacks depth, nodes or time".to_owned());
                }
            }
            Answer::Checkmate(line) => legal_mate(position, line)?,
            Answer::Resign | Answer::Win | Answer::NoMate | Answer::Timeout => {}
        }
        Ok(())
    }
}

/// Plays moves that must be legal.
pub(crate) fn legal_line(position: &Position, line: &[String]) -> Result<Position, String> {
    let mut position = position.clone();
    for word in line {
        match position.parse_move(word) {
            Ok(m) => position.play_unchecked(m),
            Err(reason) => return Err(format!("{word} in {}: {reason}", position.to_sfen())),
        }
    }
    Ok(position)
}

/// Plays moves of which every other one, from the first, gives check, and the last one mates.
fn legal_mate(position: &Position, line: &[String]) -> Result<(), String> {
    for plies in (1..=line.len()).step_by(2) {
        if !legal_line(position, &line[..plies])?.in_check() {
            return Err(format!("move {plies} of the mate gives no check"));
        }
    }
    let last = legal_line(position, line)?;
    if line.len().is_multiple_of(2) || last.has_legal_move() {
        return Err(format!("{} is not mate", last.to_sfen()));
    }
    Ok(())
}

/// How a run of the program ended.
pub(crate) struct Run {
    /// Exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) output: String,
    /// Standard error.
    pub(crate) errors: String,
}

/// Runs the program with arguments and standard input to its end.
pub(crate) fn run_to_end<'a>(arguments: impl IntoIterator<Item = &'a str>, input: &str) -> Run {
    let mut child = start(arguments);
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // A program that does not read its input may be gone already.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        code: output.status.code().expect("it was not killed"),
        output: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}
