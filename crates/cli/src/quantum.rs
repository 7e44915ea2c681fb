//! `tsumero quantum`: the tools for quantum shogi.

mod records;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use tsumero_control::{Limits, Signals};
use tsumero_core::{Color, GOLDEN_GAMMA, MAX_PERFT_DEPTH, mix};
use tsumero_quantum::{
    Army, BestMove, Captured, Move, Outcome as End, Position, Question, Searcher, Settings, perft,
};
use tsumero_record::{visible, visible_json};
use tsumero_usi::game::{Game as _, Quantum};

use super::input::{self, Lines, STARTPOS};
use super::moves::sorted;
use super::output::end_when_closed;
use super::perft::tell_speed;
use super::{Failure, Outcome, tell};
use crate::language::counted;
use records::{Converged, Game, Happened, Record, Try, Vector};

/// The tools for quantum shogi.
#[derive(Debug, Subcommand)]
pub(crate) enum QuantumTools {
    /// Count the legal lines of a given length
    Perft(Perft),
    /// List all legal moves of positions, or check recorded games move by move
    Moves(Moves),
    /// Replay events of one side, and print the kinds of its pieces after each event
    Converge(Converge),
    /// Play games against itself and print them, one JSON line each
    Play(Play),
}

/// Arguments of `quantum perft`.
#[derive(Debug, Args)]
pub(crate) struct Perft {
    /// Number of moves in each line
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// Position to start from
    #[arg(long, default_value = STARTPOS)]
    q: String,
}

/// Arguments of `quantum moves`.
#[derive(Debug, Args)]
pub(crate) struct Moves {
    /// The position
    #[arg(long, default_value = STARTPOS)]
    q: String,
    /// One position per line, or one game per line as `quantum play` prints them (`-` for
    /// standard input)
    #[arg(long, conflicts_with = "q")]
    file: Option<PathBuf>,
}

/// Arguments of `quantum converge`.
#[derive(Debug, Args)]
pub(crate) struct Converge {
    /// One JSON object per line: an id and events (`-` for standard input)
    #[arg(long)]
    file: PathBuf,
}

/// Arguments of `quantum play`.
#[derive(Debug, Args)]
pub(crate) struct Play {
    /// Number of games
    #[arg(long)]
    games: u32,
    /// Seed of the random first moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Time for a move in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 100)]
    movetime: u64,
}

impl QuantumTools {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        end_when_closed();
        match self {
            QuantumTools::Perft(perft) => perft.run(output),
            QuantumTools::Moves(moves) => moves.run(output),
            QuantumTools::Converge(converge) => converge.run(output),
            QuantumTools::Play(play) => play.run(output),
        }
    }
}

/// Reads a position as a user writes it.
fn position(text: &str) -> Result<Position, String> {
    let (root, moves) = input::root_and_moves(text);
    let mut position = match input::without_word(root, "quantum") {
        STARTPOS => Position::startpos(),
        text => {
            text.parse().map_err(|error: tsumero_quantum::ParsePositionError| error.to_string())?
        }
    };
    for (number, word) in (1..).zip(moves.split_ascii_whitespace()) {
        Quantum::play(&mut position, word)
            .map_err(|reason| format!("move {number}, {word}: {reason}"))?;
    }
    Ok(position)
}

/// Reads the position of `--q`. A bad one is named on standard error.
fn position_option(text: &str) -> Option<Position> {
    position(text).map_err(|reason| tell(format_args!("--q: {reason}"))).ok()
}

impl Perft {
    fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let Some(position) = position_option(&self.q) else { return Ok(Outcome::BadInput) };
        let started = Instant::now();
        let total = perft(&position, self.depth);
        tell_speed(total, started.elapsed());
        writeln!(output, "{total}")?;
        Ok(Outcome::Done)
    }
}

/// Calls `answer` with each line of a file that is not empty, and writes the result. An error is
/// named on standard error with the number of the line, and written by `error` instead of the answer.
fn each_line(
    file: &Path,
    output: &mut impl Write,
    error: impl Fn(&str) -> String,
    mut answer: impl FnMut(&str) -> Result<(String, Outcome), String>,
) -> Result<Outcome, Failure> {
    let mut lines = Lines::open(file)?;
    let mut outcome = Outcome::Done;
    while let Some(line) = lines.next_after(output)? {
        match line.text.and_then(|text| answer(&text)) {
            Ok((text, result)) => {
                writeln!(output, "{text}")?;
                if result == Outcome::BadInput {
                    outcome = result;
                }
            }
            Err(reason) => {
                input::bad_line(line.line, &reason);
                writeln!(output, "{}", error(&reason))?;
                outcome = Outcome::BadInput;
            }
        }
    }
    Ok(outcome)
}

impl Moves {
    fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let Some(file) = &self.file else {
            let Some(position) = position_option(&self.q) else { return Ok(Outcome::BadInput) };
            writeln!(output, "{}", sorted(position.legal_moves().iter()))?;
            return Ok(Outcome::Done);
        };
        each_line(file, output, input::error_line, |line| {
            if line.starts_with('{') {
                let game: Game = serde_json::from_str(line).map_err(|error| error.to_string())?;
                let id = visible(&game.id);
                return Ok(match check(&game) {
                    Ok(()) => (format!("{id} ok"), Outcome::Done),
                    Err(fault) => (format!("{id} WRONG {}", visible(&fault)), Outcome::BadInput),
                });
            }
            Ok((sorted(position(line)?.legal_moves().iter()), Outcome::Done))
        })
    }
}

/// Replays a recorded game and checks its tries with their numbers of legal moves and kinds, its winner, and its last
/// position.
fn check(game: &Game) -> Result<(), String> {
    let mut position = Position::startpos();
    for (number, one) in (1..).zip(&game.tries) {
        let place = format!("try {number}, {}", one.m);
        let count = position.count_legal_moves();
        if one.n != count {
            return Err(format!("{place}: {count} legal moves, not {}", one.n));
        }
        match (position.parse_move(&one.m), one.ok) {
            (Ok(mv), 1) => {
                position.play(mv).map_err(|error| error.to_string())?;
                let kinds = position.kinds_text();
                if one.s.as_ref().is_some_and(|recorded| *recorded != kinds) {
                    return Err(format!("{place}: kinds {kinds}"));
                }
            }
            (Err(_), 0) => {}
            (Ok(_), _) => return Err(format!("{place}: legal")),
            (Err(reason), _) => return Err(format!("{place}: illegal: {reason}")),
        }
    }
    let winner = winner_letter(position.outcome(None).and_then(End::winner));
    if winner != game.end {
        return Err(format!("end: '{winner}'"));
    }
    let last = position.to_string();
    if last != game.q { Err(format!("last position: {last}")) } else { Ok(()) }
}

fn winner_letter(winner: Option<Color>) -> &'static str {
    match winner {
        Some(Color::Black) => "b",
        Some(Color::White) => "w",
        None => "",
    }
}

impl Converge {
    fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let started = Instant::now();
        let mut events = 0;
        let outcome = each_line(&self.file, output, input::error_json, |line| {
            let vector: Vector = serde_json::from_str(line).map_err(|error| error.to_string())?;
            events += vector.ev.len();
            let record = Record { id: &vector.id, ev: converge(&vector)? };
            let text = serde_json::to_string(&record).map_err(|error| error.to_string())?;
            Ok((visible_json(&text).into_owned(), Outcome::Done))
        })?;
        let seconds = started.elapsed().as_secs_f64();
        let events = counted(events as u64, "event", "events");
        tell(format_args!("{events} in {seconds:.3} s"));
        Ok(outcome)
    }
}

/// Applies the events of a line in order to a fresh side.
fn converge(vector: &Vector) -> Result<Vec<Converged>, String> {
    let mut army = Army::new();
    let mut results = Vec::with_capacity(vector.ev.len());
    for (number, event) in (1..).zip(&vector.ev) {
        let (piece, happened) =
            event.read().map_err(|reason| format!("event {number}: {reason}"))?;
        let r = match happened {
            Happened::Captured => match army.capture(piece) {
                Captured::Piece => "ok",
                Captured::King => "k",
            },
            Happened::Narrowed(allowed) => match army.narrow(piece, allowed) {
                Ok(()) => "ok",
                Err(_) => "x",
            },
        };
        let w = army.sets().iter().map(|set| format!("{:02x}", set.bits())).collect();
        results.push(Converged { r, w });
    }
    Ok(results)
}

/// The number of random first moves, so that games differ.
const RANDOM_PLIES: usize = 6;
/// A game is drawn after this many moves.
const MOVE_LIMIT: u32 = 400;
/// Size of the table of each game in megabytes.
const TABLE: usize = 16;

impl Play {
    fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let mut random = Random(self.seed);
        let mut searcher = match Searcher::try_new(TABLE) {
            Ok(searcher) => searcher,
            Err(error) => {
                tell(format_args!("{error}"));
                return Ok(Outcome::BadInput);
            }
        };
        let mut wins = [0, 0, 0];
        for number in 1..=self.games {
            searcher.clear();
            let id = format!("s{}-{number:04}", self.seed);
            let game = self.game(id, &mut searcher, &mut random);
            wins[match game.end.as_str() {
                "b" => 0,
                "w" => 1,
                _ => 2,
            }] += 1;
            let text = serde_json::to_string(&game)
                .map_err(|error| Failure::Output(std::io::Error::other(error)))?;
            writeln!(output, "{text}")?;
            output.flush()?;
        }
        tell(format_args!("black {} white {} drawn {}", wins[0], wins[1], wins[2]));
        Ok(Outcome::Done)
    }

    fn game(&self, id: String, searcher: &mut Searcher, random: &mut Random) -> Game {
        let limits =
            Limits { movetime: Some(Duration::from_millis(self.movetime)), ..Limits::default() };
        let mut position = Position::startpos();
        let mut tries = Vec::new();
        let end = loop {
            if let Some(end) = position.outcome(Some(MOVE_LIMIT)) {
                break end;
            }
            let moves = position.legal_moves();
            let mv = if tries.len() < RANDOM_PLIES {
                moves[random.below(moves.len())]
            } else {
                best_move(searcher, &position, &limits).unwrap_or(moves[0])
            };
            let n = moves.len() as u64;
            position.play(mv).expect("the search answers with a legal move");
            tries.push(Try { m: mv.to_string(), ok: 1, n, s: Some(position.kinds_text()) });
        };
        let why = match end {
            End::KingCaptured { .. } => "king captured",
            End::NoLegalMove { .. } => "no legal move",
            End::Repetition => "repetition",
            End::MoveLimit => "move limit",
        };
        let winner = winner_letter(end.winner()).to_owned();
        Game { id, tries, end: winner, q: position.to_string(), why: Some(why.to_owned()) }
    }
}

fn best_move(searcher: &mut Searcher, position: &Position, limits: &Limits) -> Option<Move> {
    let settings = Settings::default();
    let signals = Signals::new();
    match searcher.search(&Question::new(position, limits, &settings, &signals), &mut |_| {}) {
        BestMove::Move { best, .. } => Some(best),
        BestMove::Resign => None,
    }
}

/// A small generator whose numbers are the same on every machine (SplitMix64).
struct Random(u64);

impl Random {
    /// A number below the bound, which must not be 0.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(GOLDEN_GAMMA);
        (mix(self.0) % bound as u64) as usize
    }
}
