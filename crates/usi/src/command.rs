//! Commands of a GUI, read from bytes into a typed [`GuiCommand`].
//!
//! All input of the protocol passes through this module, so it never fails and never panics. A
//! meaningless line is [`GuiCommand::Unknown`] or [`GuiCommand::Blank`]. A meaningless word inside
//! a known command is skipped. Numbers follow one rule everywhere: they saturate, a negative one is
//! 0, a fraction is cut off, and an unreadable one counts as absent.
//!
//! Whether an option exists, an SFEN is well formed or a move is legal is not decided here.
//!
//! Printing a known command gives its canonical line, which reads back as the same command if all of
//! its bytes were UTF-8.

use std::fmt;

use tsumero_core::GameResult;

/// One line from the GUI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GuiCommand {
    /// `usi`: asks for the engine's name and options.
    Usi,
    /// `isready`: asks the engine to finish all preparations and to answer `readyok`.
    IsReady,
    /// `usinewgame`: the next search belongs to a new game.
    UsiNewGame,
    /// `setoption name N [value V]`.
    SetOption {
        /// The name as written, with single spaces between its words; empty if none was given.
        name: String,
        /// The rest of the line after `value`, trimmed. It is bytes, because a path may be in any
        /// encoding. `<empty>` is read as an empty value. `None` if the word `value` is missing.
        value: Option<Vec<u8>>,
    },
    /// `position (startpos | sfen S | quantum startpos | quantum Q) [moves M...]`.
    Position {
        /// The position before the moves.
        root: Root,
        /// The words after `moves`, unchecked.
        moves: MoveWords,
    },
    /// `go ...`: start thinking.
    Go(GoRequest),
    /// `stop`: end the running search and answer.
    Stop,
    /// `ponderhit [btime ...]`: the expected move was played. The clock words are an extension.
    PonderHit(ClockWords),
    /// `gameover [win | lose | draw]`: the result of the game for the engine.
    GameOver(Option<GameResult>),
    /// `quit`.
    Quit,
    /// `d`: show the position.
    Display,
    /// `eval`: show the static evaluation.
    Eval,
    /// `bench`: measure the search on built-in positions.
    Bench,
    /// A line of white space.
    Blank,
    /// An unknown command: its first word, made printable, for the log.
    Unknown(String),
}

/// Moves as unchecked words in one text. A list of words would take ten times the memory.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MoveWords(String);

impl MoveWords {
    /// The words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split_ascii_whitespace()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn push(&mut self, word: &[u8]) {
        if !self.0.is_empty() {
            self.0.push(' ');
        }
        self.0.push_str(&String::from_utf8_lossy(word));
    }
}

impl<'a> FromIterator<&'a [u8]> for MoveWords {
    fn from_iter<I: IntoIterator<Item = &'a [u8]>>(words: I) -> MoveWords {
        let mut collected = MoveWords::default();
        words.into_iter().for_each(|word| collected.push(word));
        collected.0.shrink_to_fit();
        collected
    }
}

impl fmt::Display for MoveWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The position before the moves of a `position` command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Root {
    /// The starting position of an even game.
    Startpos,
    /// These words follow the word `startpos`, and the word `moves` is missing.
    StartposWithout(String),
    /// A position in SFEN, with single spaces between its fields; unchecked.
    Sfen(String),
    /// A position of quantum shogi with single spaces between its fields, or the word `startpos`;
    /// unchecked.
    Quantum(String),
}

/// The clock words of `go` and `ponderhit`, in milliseconds; `None` where a word is absent.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ClockWords {
    /// `btime`: Black's time left.
    pub black_time: Option<u64>,
    /// `wtime`: White's time left.
    pub white_time: Option<u64>,
    /// `binc`: the time that Black gains with each move.
    pub black_increment: Option<u64>,
    /// `winc`: the time that White gains with each move.
    pub white_increment: Option<u64>,
    /// `byoyomi`: the time for each move in addition to the time left.
    pub byoyomi: Option<u64>,
}

impl ClockWords {
    /// Whether any clock word was given.
    pub fn is_given(&self) -> bool {
        *self != ClockWords::default()
    }

    /// Whether clock words were given and all of them are 0.
    pub fn is_all_zero(&self) -> bool {
        self.is_given() && self.values().iter().all(|value| value.unwrap_or(0) == 0)
    }

    fn values(&self) -> [Option<u64>; 5] {
        [self.black_time, self.white_time, self.byoyomi, self.black_increment, self.white_increment]
    }

    /// The field that a word names.
    fn field(&mut self, word: &[u8]) -> Option<&mut Option<u64>> {
        match word {
            b"btime" => Some(&mut self.black_time),
            b"wtime" => Some(&mut self.white_time),
            b"byoyomi" => Some(&mut self.byoyomi),
            b"binc" => Some(&mut self.black_increment),
            b"winc" => Some(&mut self.white_increment),
            _ => None,
        }
    }
}

/// How long a mate search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateTime {
    /// `mate T`: milliseconds.
    Milliseconds(u64),
    /// `mate infinite`, and `mate` without a number: until `stop`.
    Infinite,
}

/// What `go` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum GoTask {
    /// The best move.
    #[default]
    BestMove,
    /// `mate`: a forced mate and nothing else.
    Mate(MateTime),
    /// `perft`: the number of legal lines of this many plies, even if `mate` is given, too.
    Perft(u32),
}

/// The words of `go`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GoRequest {
    /// What it asks for.
    pub task: GoTask,
    /// `ponder`: think on the opponent's time, and answer only after `ponderhit` or `stop`.
    pub ponder: bool,
    /// `infinite`: answer only after `stop`.
    pub infinite: bool,
    /// The clocks.
    pub clock: ClockWords,
    /// `movetime`: milliseconds for this move.
    pub move_time: Option<u64>,
    /// `rtime`: a random time of one to three times this many milliseconds.
    pub random_time: Option<u64>,
    /// `depth`, in plies.
    pub depth: Option<u32>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `searchmoves`: consider only these moves, which are unchecked words. If it is empty, all
    /// moves.
    pub search_moves: MoveWords,
}

/// The words with a meaning in `go`. Any of them ends the list after `searchmoves`.
const GO_WORDS: [&[u8]; 16] = [
    b"ponder",
    b"infinite",
    b"btime",
    b"wtime",
    b"byoyomi",
    b"binc",
    b"winc",
    b"movetime",
    b"rtime",
    b"depth",
    b"nodes",
    b"mate",
    b"perft",
    b"searchmoves",
    b"movestogo",
    b"moves",
];

impl GuiCommand {
    /// Reads one line, with or without its line end.
    pub fn parse(line: &[u8]) -> GuiCommand {
        // A file or a console may put a byte order mark in front of the first line.
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        let mut words = Words::new(line);
        let Some(command) = words.next() else { return GuiCommand::Blank };
        match command {
            b"usi" => GuiCommand::Usi,
            b"isready" => GuiCommand::IsReady,
            b"usinewgame" => GuiCommand::UsiNewGame,
            b"setoption" => parse_set_option(words),
            b"position" => parse_position(words),
            b"go" => GuiCommand::Go(parse_go(words)),
            b"stop" => GuiCommand::Stop,
            b"ponderhit" => GuiCommand::PonderHit(parse_clock(words)),
            b"gameover" => GuiCommand::GameOver(match words.next() {
                Some(b"win") => Some(GameResult::Win),
                Some(b"lose") => Some(GameResult::Loss),
                Some(b"draw") => Some(GameResult::Draw),
                _ => None,
            }),
            b"quit" => GuiCommand::Quit,
            b"d" => GuiCommand::Display,
            b"eval" => GuiCommand::Eval,
            b"bench" => GuiCommand::Bench,
            _ => GuiCommand::Unknown(printable(command)),
        }
    }
}

/// Bytes from outside as a short printable ASCII text that can be part of a reply. Other bytes are
/// escaped, and a long text is cut off with dots.
pub fn printable(bytes: &[u8]) -> String {
    const LONGEST: usize = 48;
    let mut text: String =
        bytes.iter().take(LONGEST).flat_map(|b| b.escape_ascii()).map(char::from).collect();
    if bytes.len() > LONGEST {
        text.push_str("...");
    }
    text
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'\x0b' | b'\x0c')
}

/// The words of a line.
#[derive(Clone)]
struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    fn new(line: &'a [u8]) -> Words<'a> {
        Words { rest: line }
    }

    /// The unread rest of the line, trimmed.
    fn rest(&self) -> &'a [u8] {
        let start = self.rest.iter().position(|&b| !is_space(b)).unwrap_or(self.rest.len());
        let end = self.rest.iter().rposition(|&b| !is_space(b)).map_or(start, |last| last + 1);
        &self.rest[start..end]
    }

    /// Reads the next word as a number by the rule of this module. A word that is not a number
    /// stays unread.
    fn number(&mut self) -> Option<u64> {
        let mut ahead = self.clone();
        let number = parse_number(ahead.next()?)?;
        *self = ahead;
        Some(number)
    }

    /// The same, for a number of 32 bits.
    fn small_number(&mut self) -> Option<u32> {
        self.number().map(|number| u32::try_from(number).unwrap_or(u32::MAX))
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.rest.iter().position(|&b| !is_space(b))?;
        let word = &self.rest[start..];
        let length = word.iter().position(|&b| is_space(b)).unwrap_or(word.len());
        let (word, rest) = word.split_at(length);
        self.rest = rest;
        Some(word)
    }
}

/// Reads digits with an optional sign and an optional fraction. Saturates; a negative number is 0.
fn parse_number(word: &[u8]) -> Option<u64> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let point = digits.iter().position(|&b| b == b'.').unwrap_or(digits.len());
    let (whole, fraction) = (&digits[..point], digits.get(point + 1..).unwrap_or_default());
    let readable = !whole.is_empty()
        && whole.iter().all(u8::is_ascii_digit)
        && fraction.iter().all(u8::is_ascii_digit);
    if !readable {
        return None;
    }
    if negative {
        return Some(0);
    }
    Some(whole.iter().fold(0u64, |number, digit| {
        number.saturating_mul(10).saturating_add(u64::from(digit - b'0'))
    }))
}

/// Joins words with single spaces up to the given word or the end of the line. Returns whether the
/// word was found.
fn join_until(words: &mut Words<'_>, end: &[u8]) -> (String, bool) {
    let mut joined = String::new();
    for word in words {
        if word == end {
            return (joined, true);
        }
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(&String::from_utf8_lossy(word));
    }
    (joined, false)
}

fn parse_set_option(mut words: Words<'_>) -> GuiCommand {
    let mut ahead = words.clone();
    if ahead.next() == Some(b"name") {
        words = ahead;
    }
    let (name, has_value) = join_until(&mut words, b"value");
    let value = has_value.then(|| match words.rest() {
        b"<empty>" => Vec::new(),
        value => value.to_vec(),
    });
    GuiCommand::SetOption { name, value }
}

fn parse_position(mut words: Words<'_>) -> GuiCommand {
    let mut ahead = words.clone();
    let root = match ahead.next() {
        Some(b"startpos") => {
            words = ahead;
            // Anything between `startpos` and `moves` is skipped. But words alone may be moves, too.
            match join_until(&mut words, b"moves") {
                (words, false) if !words.is_empty() => Root::StartposWithout(words),
                _ => Root::Startpos,
            }
        }
        Some(b"quantum") => {
            words = ahead;
            Root::Quantum(join_until(&mut words, b"moves").0)
        }
        first => {
            // The word `sfen` may be missing; some tools leave it out.
            if first == Some(b"sfen") {
                words = ahead;
            }
            Root::Sfen(join_until(&mut words, b"moves").0)
        }
    };
    GuiCommand::Position { root, moves: words.collect() }
}

fn parse_clock(mut words: Words<'_>) -> ClockWords {
    let mut clock = ClockWords::default();
    while let Some(word) = words.next() {
        if let Some(field) = clock.field(word) {
            *field = words.number().or(*field);
        }
    }
    clock
}

fn parse_mate_time(words: &mut Words<'_>) -> MateTime {
    if let Some(milliseconds) = words.number() {
        return MateTime::Milliseconds(milliseconds);
    }
    let mut ahead = words.clone();
    if ahead.next() == Some(b"infinite") {
        *words = ahead;
    }
    MateTime::Infinite
}

fn parse_go(mut words: Words<'_>) -> GoRequest {
    let mut go = GoRequest::default();
    while let Some(word) = words.next() {
        match word {
            b"ponder" => go.ponder = true,
            b"infinite" => go.infinite = true,
            b"movetime" => go.move_time = words.number().or(go.move_time),
            b"rtime" => go.random_time = words.number().or(go.random_time),
            b"depth" => go.depth = words.small_number().or(go.depth),
            b"nodes" => go.nodes = words.number().or(go.nodes),
            b"perft" => go.task = words.small_number().map_or(go.task, GoTask::Perft),
            b"mate" => {
                let time = parse_mate_time(&mut words);
                if !matches!(go.task, GoTask::Perft(_)) {
                    go.task = GoTask::Mate(time);
                }
            }
            b"searchmoves" => {
                let mut ahead = words.clone();
                while let Some(word) = ahead.next().filter(|word| !GO_WORDS.contains(word)) {
                    go.search_moves.push(word);
                    words = ahead.clone();
                }
            }
            word => {
                if let Some(field) = go.clock.field(word) {
                    *field = words.number().or(*field);
                }
            }
        }
    }
    go
}

impl fmt::Display for GuiCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GuiCommand::Usi => f.write_str("usi"),
            GuiCommand::IsReady => f.write_str("isready"),
            GuiCommand::UsiNewGame => f.write_str("usinewgame"),
            GuiCommand::SetOption { name, value } => {
                write!(f, "setoption name {name}")?;
                match value {
                    None => Ok(()),
                    Some(value) if value.is_empty() => f.write_str(" value <empty>"),
                    Some(value) => write!(f, " value {}", String::from_utf8_lossy(value)),
                }
            }
            GuiCommand::Position { root, moves } => {
                match root {
                    Root::Startpos => f.write_str("position startpos")?,
                    Root::StartposWithout(words) => write!(f, "position startpos {words}")?,
                    Root::Sfen(sfen) => write!(f, "position sfen {sfen}")?,
                    Root::Quantum(text) => write!(f, "position quantum {text}")?,
                }
                if !moves.is_empty() {
                    write!(f, " moves {moves}")?;
                }
                Ok(())
            }
            GuiCommand::Go(go) => go.fmt(f),
            GuiCommand::Stop => f.write_str("stop"),
            GuiCommand::PonderHit(clock) => write!(f, "ponderhit{clock}"),
            GuiCommand::GameOver(result) => f.write_str(match result {
                None => "gameover",
                Some(GameResult::Win) => "gameover win",
                Some(GameResult::Loss) => "gameover lose",
                Some(GameResult::Draw) => "gameover draw",
            }),
            GuiCommand::Quit => f.write_str("quit"),
            GuiCommand::Display => f.write_str("d"),
            GuiCommand::Eval => f.write_str("eval"),
            GuiCommand::Bench => f.write_str("bench"),
            GuiCommand::Blank => Ok(()),
            GuiCommand::Unknown(word) => f.write_str(word),
        }
    }
}

/// The words with a space in front of each; nothing if no word was given.
impl fmt::Display for ClockWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ["btime", "wtime", "byoyomi", "binc", "winc"];
        for (name, value) in names.iter().zip(self.values()) {
            if let Some(value) = value {
                write!(f, " {name} {value}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for GoRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        self.clock.fmt(f)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        let numbers = [
            ("movetime", self.move_time),
            ("rtime", self.random_time),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
        ];
        for (name, value) in numbers {
            if let Some(value) = value {
                write!(f, " {name} {value}")?;
            }
        }
        match self.task {
            GoTask::BestMove => {}
            GoTask::Mate(MateTime::Milliseconds(milliseconds)) => {
                write!(f, " mate {milliseconds}")?
            }
            GoTask::Mate(MateTime::Infinite) => f.write_str(" mate infinite")?,
            GoTask::Perft(depth) => write!(f, " perft {depth}")?,
        }
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves {}", self.search_moves)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
