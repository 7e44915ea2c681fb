//! `tsumero book`: makes opening books, and shows their contents.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Deserialize;
use tsumero_analysis::OutputKind;
use tsumero_book::{Book, BookError, Collection, CollectionOptions, Lookup};
use tsumero_core::{Color, GameResult, Move, Position};
use tsumero_files::{FileId, Inputs, NewFile};
use tsumero_record::Game;

use super::earlier::leave_out;
use super::report::report;
use super::written::Written;
use super::{Failure, Outcome, input, tell};
use crate::language::counted;

/// The tools for opening books.
#[derive(Debug, Subcommand)]
pub(crate) enum BookTools {
    /// Make a book from games and analyzed games
    ///
    /// Reads the main lines of game files of any format, and the JSON lines of `tsumero analyze`. A
    /// move of games gets a value from their results, and the number of games. An analyzed move has
    /// its value and depth.
    Make(Make),
    /// Print the entries of a position: `move ponder value depth count`, one move a line
    ///
    /// The code is 1 if the position is not in the book.
    Show(Show),
}

/// Arguments of `book make`.
#[derive(Debug, Args)]
pub(crate) struct Make {
    /// Game files (KIF, KI2, CSA, JKF, USI lines), or JSON lines of `tsumero analyze` (`-` for
    /// standard input)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The book to write (`-` for standard output). An existing one is replaced if this command has
    /// made it
    #[arg(long, value_name = "BOOK")]
    out: PathBuf,
    /// Take the moves of each game up to this number
    #[arg(long, value_name = "N", default_value_t = 60,
        value_parser = clap::value_parser!(u32).range(1..))]
    plies: u32,
    /// Leave out moves that were played less often and were not analyzed
    #[arg(long, value_name = "K", default_value_t = 1)]
    min_count: u64,
    /// Count positions with different move numbers as the same position, for the option
    /// `IgnoreBookPly`
    #[arg(long)]
    ignore_ply: bool,
}

/// Arguments of `book show`.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The book (`-` for standard input)
    book: PathBuf,
    /// The position: an SFEN or `startpos`, optionally followed by `moves ...`
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
    /// Search the file instead of reading it, as the option `BookOnTheFly` does
    #[arg(long)]
    on_the_fly: bool,
    /// Ignore the number of the move
    #[arg(long)]
    ignore_ply: bool,
    /// Do not look up the position with the board turned around
    #[arg(long)]
    no_flip: bool,
}

impl BookTools {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        match self {
            BookTools::Make(make) => make.run(output),
            BookTools::Show(show) => show.run(output),
        }
    }
}

impl Show {
    fn open(&self) -> Result<Book, BookError> {
        match (input::is_standard(&self.book), self.on_the_fly) {
            (true, true) => Book::from_sorted_bytes(input::rest(io::stdin())?),
            (true, false) => Book::from_bytes(input::rest(io::stdin())?),
            (false, true) => Book::open_sorted(&self.book),
            (false, false) => Book::open(&self.book),
        }
    }

    fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let read = input::position(&self.position.join(" "));
        let Ok(position) = report("position", read) else {
            return Ok(Outcome::BadInput);
        };
        let lookup = Lookup { ignore_ply: self.ignore_ply, flipped: !self.no_flip };
        match self.open().and_then(|book| book.find(&position, lookup)) {
            Ok(entries) if entries.is_empty() => {
                tell(format_args!("the position is not in the book"));
                Ok(Outcome::BadInput)
            }
            Ok(entries) => {
                entries.iter().try_for_each(|entry| writeln!(output, "{entry}"))?;
                Ok(Outcome::Done)
            }
            Err(error) => {
                tell(format_args!("{}: {error}", self.book.display()));
                Ok(Outcome::BadInput)
            }
        }
    }
}

/// Each file once, whatever its names.
fn without_repeats(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    let is_new = |file: &&PathBuf| {
        input::is_standard(file) || FileId::of(file).is_none_or(|id| seen.insert(id))
    };
    let once: Vec<PathBuf> = files.iter().filter(is_new).cloned().collect();
    let repeats = (files.len() - once.len()) as u64;
    if repeats > 0 {
        let counted = counted(repeats, "file is named again", "files are named again");
        tell(format_args!("{counted}, and left out"));
    }
    once
}

impl Make {
    fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let is_printed = input::is_standard(&self.out);
        let inputs = Inputs::from_paths(&self.files);
        if !is_printed {
            // Many games take a while to read.
            self.check(&inputs)
                .and_then(|()| NewFile::check(&self.out))
                .map_err(|error| self.failure(error))?;
        }
        let options = CollectionOptions { plies: self.plies, ignore_ply: self.ignore_ply };
        let mut making = Making { collection: Collection::new(options), games: 0, analyzed: 0 };
        let mut outcome = Outcome::Done;
        // Their games would count once more.
        let mut files = without_repeats(&self.files);
        leave_out(&mut files, |file| file, &[OutputKind::Kif, OutputKind::Csa]);
        for file in &files {
            if !making.add_file(file) {
                outcome = Outcome::BadInput;
            }
        }
        let Making { collection, games, analyzed } = making;
        let left = |reason: &str| {
            let out = self.out.display();
            match (is_printed, self.out.exists()) {
                (true, _) => tell(format_args!("{reason}")),
                (false, true) => tell(format_args!("{reason}; {out} is left as it is")),
                (false, false) => tell(format_args!("{reason}; {out} is not written")),
            }
            Ok(Outcome::BadInput)
        };
        if games == 0 && analyzed == 0 {
            return left("nothing was read");
        }
        let written = if is_printed {
            self.print(&collection, output)?
        } else {
            self.write(&collection, &inputs).map_err(|error| self.failure(error))?
        };
        if written == 0 {
            return left("no position is left for the book");
        }
        tell(format_args!(
            "{}, {}; {} in the book",
            counted(games, "game", "games"),
            counted(analyzed, "analyzed position", "analyzed positions"),
            counted(written as u64, "position", "positions")
        ));
        if !is_printed {
            let mut files = Written::default();
            files.add(&self.out);
            files.tell();
        }
        Ok(outcome)
    }

    /// Checks that the book may be written.
    fn check(&self, inputs: &Inputs) -> io::Result<()> {
        inputs.check(&self.out, tsumero_book::is_ours)
    }

    fn failure(&self, error: io::Error) -> Failure {
        Failure::Write(self.out.clone(), error)
    }

    /// Writes the book, and returns the number of its positions. Without any, the file stays as it is.
    fn write(&self, collection: &Collection, inputs: &Inputs) -> io::Result<usize> {
        self.check(inputs)?;
        let mut out = NewFile::create(&self.out)?;
        let written = collection.write(&mut out, self.min_count)?;
        if written > 0 {
            out.commit()?;
        }
        Ok(written)
    }

    /// Prints the book, and returns the number of its positions. Without any, nothing is printed.
    fn print(&self, collection: &Collection, output: &mut impl Write) -> io::Result<usize> {
        let mut book = Vec::new();
        let written = collection.write(&mut book, self.min_count)?;
        if written > 0 {
            output.write_all(&book)?;
        }
        Ok(written)
    }
}

/// A book in the making.
struct Making {
    collection: Collection,
    games: u64,
    analyzed: u64,
}

impl Making {
    /// Adds a file. What cannot be read is named on standard error. Returns whether everything
    /// could be read.
    fn add_file(&mut self, file: &Path) -> bool {
        let bytes = match input::whole(file) {
            Ok(bytes) => bytes,
            Err(reason) => {
                tell(format_args!("{}: {reason}", file.display()));
                return false;
            }
        };
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        if is_analysis(text) {
            return self.add_analysis(file, text);
        }
        let mut is_good = true;
        for game in tsumero_record::read(&bytes).games {
            match report(file.display(), game) {
                Ok(game) => self.add_game(&game),
                Err(_) => is_good = false,
            }
        }
        is_good
    }

    fn add_game(&mut self, game: &Game) {
        self.games += 1;
        let moves: Vec<Move> = game.moves().collect();
        let mut position = game.start().clone();
        // Endings are from the view of the side to move.
        let last_side = moves.last().map_or(position.side_to_move(), |mv| mv.color().opponent());
        let winner = game.ending().and_then(|ending| ending.winner(last_side));
        for (index, &mv) in moves.iter().enumerate() {
            let result = winner.map(|winner| GameResult::for_side(position.side_to_move(), winner));
            self.collection.add_played(&position, mv, moves.get(index + 1).copied(), result);
            position.play_unchecked(mv);
        }
    }

    /// Adds the JSON lines of an analysis.
    fn add_analysis(&mut self, file: &Path, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        let mut is_good = true;
        // By the place that each move leads to: the position before it, and the move.
        let mut leading: HashMap<Place, (Position, String)> = HashMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() {
                continue;
            }
            let (here, position) = match read_analyzed(line) {
                Ok(read) => read,
                Err(reason) => {
                    tell(format_args!("{}:{number}: {reason}", file.display()));
                    is_good = false;
                    continue;
                }
            };
            self.analyzed += 1;
            for (place, line) in here.lines.iter().enumerate() {
                let moves = legal(&position, line.pv.iter().map(String::as_str));
                let value = value_for(position.side_to_move(), line.cp, line.mate);
                self.collection.add_analyzed(&position, &moves, value, line.depth, Some(place));
            }
            if let Some((position_before, mv)) = leading.remove(&here.place()) {
                self.add_continuation(&position_before, &mv, &here);
            }
            for (place, mv) in here.next_places() {
                leading.insert(place, (position.clone(), mv));
            }
        }
        is_good
    }

    /// If a move of the game or of a branch was not among the best lines, its value is that of the
    /// position after it.
    fn add_continuation(&mut self, position_before: &Position, mv: &str, here: &AnalyzedPosition) {
        let Some(best) = here.lines.first() else { return };
        if best.mate.is_none() && best.pv.is_empty() {
            // The game ended by repetition, which says nothing about the same move in another game.
            return;
        }
        let words = std::iter::once(mv).chain(best.pv.iter().map(String::as_str));
        let moves = legal(position_before, words);
        let side = position_before.side_to_move();
        // The way to a mate is one ply longer from here.
        let mate = best.mate.map(|plies| match (plies, side) {
            // The move mates at once. `0` has no sign that tells who mates.
            (0, Color::Black) => 1,
            (0, Color::White) => -1,
            _ => plies.saturating_add(plies.signum()),
        });
        let value = value_for(side, best.cp, mate);
        self.collection.add_analyzed(position_before, &moves, value, best.depth, None);
    }
}

/// One line of an analysis, as `tsumero analyze --json` writes it.
#[derive(Deserialize)]
struct AnalyzedPosition {
    file: String,
    game: u64,
    /// The number of the branch; 0 for the main line.
    #[serde(default)]
    branch: u64,
    ply: u64,
    sfen: String,
    #[serde(rename = "move")]
    played: Option<String>,
    lines: Vec<AnalyzedLine>,
    /// The branches that leave here.
    #[serde(default)]
    branches: Vec<LeavingBranch>,
}

/// Where a position stands: file, game, branch and ply.
type Place = (String, u64, u64, u64);

impl AnalyzedPosition {
    fn place(&self) -> Place {
        (self.file.clone(), self.game, self.branch, self.ply)
    }

    /// The places that moves from here lead to, with these moves, unless they are among the lines.
    fn next_places(&self) -> impl Iterator<Item = (Place, String)> {
        let played = self.played.iter().map(|mv| (self.branch, mv));
        let branches = self
            .branches
            .iter()
            .filter_map(|leaving| Some((leaving.branch, leaving.moves.first()?)));
        let is_known = |mv: &String| self.lines.iter().any(|line| line.pv.first() == Some(mv));
        let moves = played.chain(branches).filter(move |(_, mv)| !is_known(mv));
        moves.filter_map(|(branch, mv)| {
            Some(((self.file.clone(), self.game, branch, self.ply.checked_add(1)?), mv.clone()))
        })
    }
}

#[derive(Deserialize)]
struct LeavingBranch {
    branch: u64,
    moves: Vec<String>,
}

#[derive(Deserialize)]
struct AnalyzedLine {
    cp: Option<i32>,
    mate: Option<i32>,
    depth: u32,
    pv: Vec<String>,
}

/// The value of an immediate mate. A later mate is worth less by its number of plies.
const MATE: i32 = 32_000;

/// The value for a side of a line, whose value and mate are those for Black.
fn value_for(side: Color, cp: Option<i32>, mate: Option<i32>) -> i32 {
    let of_mate = |plies: i32| plies.signum() * (MATE - plies.saturating_abs().min(1000));
    let black = cp.or(mate.map(of_mate)).unwrap_or(0).clamp(-MATE, MATE);
    if side == Color::Black { black } else { -black }
}

/// Whether a file contains JSON lines of positions, not a game in JSON.
fn is_analysis(bytes: &[u8]) -> bool {
    let first = bytes.trim_ascii_start().split(|&byte| byte == b'\n').next().unwrap_or_default();
    let object: Option<serde_json::Value> = serde_json::from_slice(first).ok();
    object.is_some_and(|object| object.get("sfen").is_some() && object.get("lines").is_some())
}

fn read_analyzed(line: &str) -> Result<(AnalyzedPosition, Position), String> {
    let here: AnalyzedPosition = serde_json::from_str(line).map_err(|error| {
        if error.is_eof() {
            return "the line is cut off".to_owned();
        }
        // It counts the lines of this one.
        error.to_string().replace(" at line 1 column ", " at column ")
    })?;
    let position = Position::from_diagram(&here.sfen).map_err(|error| error.to_string())?;
    Ok((here, position))
}

/// The first two moves of a line, up to the first illegal one.
fn legal<'a>(position: &Position, words: impl IntoIterator<Item = &'a str>) -> Vec<Move> {
    let mut position = position.clone();
    let mut moves = Vec::new();
    for word in words.into_iter().take(2) {
        let Ok(mv) = position.parse_move(word) else { break };
        moves.push(mv);
        position.play_unchecked(mv);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last number, the smallest value and the longest mate are read like all others.
    #[test]
    fn numbers_without_measure_are_read() {
        let line = |ply: u64, cp: &str, mate: &str, pv: &str| {
            let start = Position::startpos().to_sfen();
            format!(
                r#"{{"file":"a","game":1,"ply":{ply},"sfen":"{start}","move":"9g9f","lines":[{{"cp":{cp},"mate":{mate},"depth":4294967295,"pv":["{pv}"]}}]}}"#
            )
        };
        let lines = [
            line(u64::MAX, "-2147483648", "null", "7g7f"),
            line(0, "null", "-2147483648", "2g2f"),
            line(1, "null", "2147483647", "5g5f"),
        ];
        let options = CollectionOptions { plies: 60, ignore_ply: false };
        let mut making = Making { collection: Collection::new(options), games: 0, analyzed: 0 };
        assert!(making.add_analysis(Path::new("a"), lines.join("\n").as_bytes()));
        let mut text = Vec::new();
        making.collection.write(&mut text, 1).unwrap();
        let book = Book::from_bytes(text).unwrap();
        let entries = book.find(&Position::startpos(), Lookup::default()).unwrap();
        let values: Vec<_> = entries.iter().map(|entry| entry.value).collect();
        assert_eq!(values, [31_000, 31_000, -31_000, -32_000].map(Some), "{entries:?}");
    }

    #[test]
    fn a_move_that_ended_a_game_by_repetition_has_no_value() {
        let options = CollectionOptions { plies: 60, ignore_ply: false };
        let start = Position::startpos().to_sfen();
        let mut after = Position::startpos();
        after.play_unchecked(after.parse_move("2h3h").unwrap());
        for (pv, found) in [(r#""8b7b""#, 2), ("", 1)] {
            let line = |ply, sfen: &str, played, pv| {
                format!(
                    r#"{{"file":"a","game":1,"ply":{ply},"sfen":"{sfen}","move":{played},
                    "lines":[{{"cp":0,"mate":null,"depth":9,"pv":[{pv}]}}]}}"#
                )
                .replace('\n', "")
            };
            let first = line(0, &start, r#""2h3h""#, r#""7g7f""#);
            let lines = format!("{first}\n{}\n", line(1, &after.to_sfen(), "null", pv));
            let mut making = Making { collection: Collection::new(options), games: 0, analyzed: 0 };
            assert!(making.add_analysis(Path::new("a"), lines.as_bytes()));
            let mut text = Vec::new();
            making.collection.write(&mut text, 1).unwrap();
            let book = Book::from_bytes(text).unwrap();
            let entries = book.find(&Position::startpos(), Lookup::default()).unwrap();
            assert_eq!(entries.len(), found, "{entries:?}");
        }
    }
}
