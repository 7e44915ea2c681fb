//! Writes problems with their solutions to game files and to a page.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use tsumero_analysis::{OutputKind, SheetProblem, first_number, sheet};
use tsumero_core::{Move, Position};
use tsumero_files::{Inputs, NewFile, start_of, write_atomic};
use tsumero_record::{
    Cursor, Encoding, Ending, Format, Game, LineEnd, NodeId, ParseFormatError, encode,
};

use crate::language::Lang;
use crate::written::{Written, check_folder, name_of_file};
use crate::{Failure, code_of, tell};

/// The outputs of problems besides standard output.
#[derive(Debug, Args)]
pub(super) struct Outputs {
    /// Game format: kif, ki2, csa, jkf or usi (SFEN lines). For the files of --out (default: kif)
    #[arg(long, value_name = "FORMAT", value_parser = format_named)]
    pub(super) to: Option<Format>,
    /// Write each problem with its solution to a file of its own in this folder. Only files that this
    /// command has made are replaced
    #[arg(long, value_name = "DIR", value_parser = name_of_file())]
    out: Option<PathBuf>,
    /// Write a page on which the problems are solved, or from which they are printed
    #[arg(long, value_name = "PAGE", value_parser = name_of_file())]
    html: Option<PathBuf>,
    /// First language of the page [default: that of the system]. `check` also writes its verdicts in
    /// it, as with --verbose
    #[arg(long, value_enum)]
    pub(super) lang: Option<Lang>,
}

fn format_named(name: &str) -> Result<Format, ParseFormatError> {
    if name == "sfen" { Ok(Format::Usi) } else { name.parse() }
}

/// What the headers of a game file say about a problem.
#[derive(Default)]
pub(super) struct Credits {
    pub(super) name: Option<String>,
    author: Option<String>,
}

const TITLE: &str = "表題";
const NAME: &str = "作品名";
const AUTHOR: &str = "作者";

impl Credits {
    pub(super) fn of(game: &Game) -> Credits {
        let header = |key| game.header(key).filter(|value| !value.is_empty()).map(str::to_owned);
        // The title may be that of a collection, or the length.
        let title = || header(TITLE).filter(|title| !is_length(title));
        Credits { name: header(NAME).or_else(title), author: header(AUTHOR) }
    }
}

/// Whether a title is the length of a problem, right or wrong.
fn is_length(title: &str) -> bool {
    let is_digit = |digit| {
        matches!(digit, '0'..='9' | '０'..='９') || "〇一二三四五六七八九十百千".contains(digit)
    };
    let number = title.strip_suffix("め").unwrap_or(title).strip_suffix("手詰");
    number.is_some_and(|number| !number.is_empty() && number.chars().all(is_digit))
}

/// A problem as a game: the position, the solution as its moves, and mate as its ending.
pub(super) fn game(position: &Position, solution: &[Move], credits: &Credits) -> Game {
    let mut game = Game::new(position.clone());
    game.add_header(TITLE, &format!("{}手詰", solution.len()));
    for (key, value) in [(NAME, &credits.name), (AUTHOR, &credits.author)] {
        value.iter().for_each(|value| game.add_header(key, value));
    }
    let mut cursor = Cursor::new(&game);
    for mv in solution {
        // A solution is a line of legal moves.
        if cursor.play(&mut game, mv.to_usi()).is_err() {
            break;
        }
    }
    game.add_ending(cursor.node(), Ending::Mate);
    game
}

impl Outputs {
    /// Whether game files are asked for.
    pub(super) fn has_folder(&self) -> bool {
        self.out.is_some()
    }

    /// Whether anything is kept in files.
    pub(super) fn has_files(&self) -> bool {
        self.has_folder() || self.html.is_some()
    }

    /// Checks that the page may and can be written, before a long run begins. The files of problems
    /// are checked one by one, as their names become known.
    pub(super) fn check(&self, inputs: &Inputs) -> Result<(), Failure> {
        if let Some(folder) = &self.out {
            check_folder(folder)?;
        }
        let Some(path) = &self.html else { return Ok(()) };
        check_page(inputs, path)?;
        // The page may be wanted in the folder of the files.
        if let Some(folder) = &self.out {
            fs::create_dir_all(folder).map_err(|error| failure(folder, error))?;
        }
        NewFile::check(path).map_err(|error| failure(path, error))
    }

    /// Whether there is a page to be written.
    pub(super) fn has_page(&self) -> bool {
        self.html.is_some()
    }

    /// Checks for a run that leaves out so many problems that it does not replace the page with them.
    pub(super) fn check_page_before(&self, skipped: u64) -> Result<(), Failure> {
        let Some(path) = self.html.as_ref().filter(|path| path.is_file()) else { return Ok(()) };
        let page = File::open(path).and_then(start_of).map_err(|error| failure(path, error))?;
        if first_number(&page).is_none_or(|first| first > skipped) {
            return Ok(());
        }
        let reason = "this page has problems that --skip leaves out, and is not replaced: choose \
                      another name";
        Err(failure(path, io::Error::new(io::ErrorKind::InvalidInput, reason)))
    }

    /// Writes the file of a problem, if there is a folder for it.
    pub(super) fn add_file(
        &self,
        made: &mut Made,
        (position, solution, credits): (&Position, &[Move], &Credits),
        name: &str,
        inputs: &Inputs,
    ) -> Result<(), Failure> {
        let Some(folder) = &self.out else { return Ok(()) };
        let format = self.to.unwrap_or(Format::Kif);
        let bytes = file(position, solution, credits, format);
        // What versions before the checksum wrote for this problem, the first of them without credits. Of
        // other files without a checksum nobody knows whether a person has changed them.
        let earlier = [credits, &Credits::default()]
            .map(|credits| marked(position, solution, credits, format, MADE_BY));
        let path = folder.join(format!("{name}.{format}"));
        fs::create_dir_all(folder).map_err(|error| failure(folder, error))?;
        inputs
            .check(&path, |file| {
                let start = start_of(file)?;
                Ok(start == bytes || earlier.contains(&start) || is_ours(&start, format))
            })
            .and_then(|()| write_atomic(&path, &bytes))
            .map_err(|error| failure(&path, error))?;
        made.written.add(&path);
        Ok(())
    }

    /// Adds a problem to the page, if there is to be one.
    pub(super) fn add_to_page(&self, made: &mut Made, problem: SheetProblem) {
        if self.html.is_some() {
            made.sheet.push(problem);
        }
    }

    /// Writes the page with all problems, and names what was written. Without any problem, a page of
    /// before stays.
    pub(super) fn finish(&self, mut made: Made, inputs: &Inputs) -> Result<(), Failure> {
        match &self.html {
            Some(path) if made.sheet.is_empty() => {
                tell(format_args!("there is no problem for {}", path.display()));
            }
            Some(path) => {
                check_page(inputs, path)?;
                write_atomic(path, sheet(&made.sheet, Lang::language(self.lang)).as_bytes())
                    .map_err(|error| failure(path, error))?;
                made.written.add(path);
            }
            None => {}
        }
        made.written.tell();
        Ok(())
    }
}

/// Whether the results of a run were read to their end. What was made until nobody read them any
/// more is kept in the files.
///
/// # Errors
/// Any other failure.
pub(super) fn was_read(done: Result<(), Failure>) -> Result<bool, Failure> {
    match done {
        Ok(()) => Ok(true),
        Err(Failure::OutputClosed) => Ok(false),
        Err(failure) => Err(failure),
    }
}

/// The result of a run, and of its end, which follows also if the run failed. Of two failures the first is
/// told here, and the second is returned.
pub(super) fn with_end<T>(
    done: Result<T, Failure>,
    end: Result<(), Failure>,
) -> Result<T, Failure> {
    match (done, end) {
        (Err(first), Err(second)) => {
            code_of(first);
            Err(second)
        }
        (done, end) => end.and(done),
    }
}

/// What a run has made for its outputs.
#[derive(Default)]
pub(super) struct Made {
    /// The problems of the page.
    sheet: Vec<SheetProblem>,
    written: Written,
}

/// The comment by which a file of a problem is known.
const MADE_BY: &str = "made by tsumero tsume";

/// The file of a problem. The checksum in its comment tells whether somebody has changed it since, also
/// where it still looks like a problem of this program.
fn file(position: &Position, solution: &[Move], credits: &Credits, format: Format) -> Vec<u8> {
    let without = marked(position, solution, credits, format, MADE_BY);
    let mark = format!("{MADE_BY} {:08x}", crc32fast::hash(&without));
    marked(position, solution, credits, format, &mark)
}

/// The file of a problem with this comment.
fn marked(
    position: &Position,
    solution: &[Move],
    credits: &Credits,
    format: Format,
    mark: &str,
) -> Vec<u8> {
    let mut game = game(position, solution, credits);
    game.add_comment(NodeId::ROOT, mark);
    let text = tsumero_record::write(&[game], format);
    // KIF and KI2 are encoded as Windows programs expect them.
    let bytes = match format {
        Format::Kif | Format::Ki2 => encode(&text, Encoding::ShiftJis, LineEnd::Crlf),
        Format::Csa | Format::Jkf | Format::Usi => None,
    };
    bytes.unwrap_or_else(|| text.into_bytes())
}

/// Whether a file is as this command makes it, for whatever problem. With anything that a person changed
/// or added since, such as a move, a comment or an author, it is not. USI lines have no comments, so nothing
/// tells whose they are.
fn is_ours(bytes: &[u8], format: Format) -> bool {
    if !bytes.windows(MADE_BY.len()).any(|text| text == MADE_BY.as_bytes()) {
        return false;
    }
    let games = tsumero_record::read(bytes).into_games();
    let Ok([game]) = games.as_deref() else { return false };
    let solution: Vec<Move> = game.moves().collect();
    file(game.start(), &solution, &Credits::of(game), format) == bytes
}

fn check_page(inputs: &Inputs, path: &Path) -> Result<(), Failure> {
    inputs.check(path, |file| OutputKind::Sheet.is_ours(file)).map_err(|error| failure(path, error))
}

fn failure(path: &Path, error: io::Error) -> Failure {
    Failure::Write(path.to_owned(), error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("tsumero-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_page_that_cannot_be_written_is_refused_before_the_run() {
        let folder = folder("page-before");
        let (out, html) = (folder.join("new"), folder.join("new/page.html"));
        let mut outputs = Outputs { to: None, out: None, html: Some(html.clone()), lang: None };
        let refused = outputs.check(&Inputs::default());
        assert!(matches!(refused, Err(Failure::Write(path, _)) if path == html));
        // The folder of the game files is made.
        outputs.out = Some(out.clone());
        assert!(outputs.check(&Inputs::default()).is_ok());
        assert_eq!(fs::read_dir(&out).unwrap().count(), 0);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_title_that_is_a_length_is_no_name() {
        for (title, name) in [
            ("5手詰", None),
            ("7手詰め", None),
            ("十一手詰", None),
            ("１３手詰", None),
            ("手詰", Some("手詰")),
            ("煙詰", Some("煙詰")),
            ("3手詰集", Some("3手詰集")),
        ] {
            let mut game = Game::new(Position::startpos());
            game.add_header(TITLE, title);
            assert_eq!(Credits::of(&game).name.as_deref(), name, "{title}");
        }
    }

    /// The comment at the start of a game.
    fn comment_of(file: &[u8]) -> Option<String> {
        let games = tsumero_record::read(file).into_games().unwrap();
        games[0].node(NodeId::ROOT).comments().first().cloned()
    }

    #[test]
    fn a_game_file_replaces_its_like_and_no_other() {
        let folder = folder("game-files");
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1").unwrap();
        let solution = vec![position.parse_move("G*5b").unwrap()];
        let text = |text: &str| Some(text.to_owned());
        let credited = Credits { name: text("煙詰"), author: text("伊藤看寿") };
        for format in Format::ALL {
            let outputs =
                Outputs { to: Some(format), out: Some(folder.clone()), html: None, lang: None };
            let add = || {
                let problem = (&position, &solution[..], &credited);
                outputs.add_file(&mut Made::default(), problem, "one", &Inputs::default())
            };
            assert!(add().is_ok() && add().is_ok(), "{format}");
            let path = folder.join(format!("one.{format}"));
            let made = fs::read(&path).unwrap();
            let theirs = ["position startpos moves 7g7f 3c3d\n", "my diary\n"];
            let mut theirs: Vec<Vec<u8>> = theirs.map(|text| text.into()).into();
            // A solution of the same length that a person prefers, or a file of before the checksum with it.
            let preferred = [position.parse_move("G*6b").unwrap()];
            let mark = comment_of(&made).unwrap_or_default();
            for mark in [mark.as_str(), MADE_BY] {
                theirs.push(marked(&position, &preferred, &credited, format, mark));
            }
            // Another name or author, which a person has written into it.
            let signed = Credits { name: text("夢の一手"), author: text("私") };
            let named = Credits { name: text("煙詰"), author: None };
            if format != Format::Usi {
                for credits in [&signed, &named] {
                    for mark in [mark.as_str(), MADE_BY] {
                        theirs.push(marked(&position, &solution, credits, format, mark));
                    }
                }
            }
            // A comment of a person in a file of ours.
            theirs.extend(match format {
                Format::Kif | Format::Ki2 => Some([&made[..], b"*good\r\n"].concat()),
                Format::Csa => Some([&made[..], b"'*good\n"].concat()),
                Format::Jkf => {
                    let text = String::from_utf8(made.clone()).unwrap();
                    Some(text.replacen(MADE_BY, "made by tsumero tsume, solved by me", 1).into())
                }
                Format::Usi => None,
            });
            for theirs in theirs {
                fs::write(&path, &theirs).unwrap();
                assert!(matches!(add(), Err(Failure::Write(..))), "{format}");
                assert_eq!(fs::read(&path).unwrap(), theirs);
            }
            if format != Format::Usi {
                let games = tsumero_record::read(&made).into_games().unwrap();
                let back = Credits::of(&games[0]);
                assert_eq!((back.name, back.author), (text("煙詰"), text("伊藤看寿")), "{format}");
            }
            // A file of before the checksum, for the same problem; the first ones had no credits.
            for credits in [&credited, &Credits::default()] {
                fs::write(&path, marked(&position, &solution, credits, format, MADE_BY)).unwrap();
                assert!(add().is_ok() && fs::read(&path).unwrap() == made, "{format}");
            }
            // A file for another problem is ours, too; one of USI lines could be anybody's.
            let other = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1").unwrap();
            for credits in [&Credits::default(), &signed] {
                fs::write(&path, file(&other, &solution, credits, format)).unwrap();
                assert_eq!(add().is_ok(), format != Format::Usi, "{format}");
            }
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
