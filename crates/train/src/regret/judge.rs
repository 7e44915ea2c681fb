//! The judge: a long search that says what a move is worth, and remembers it in a file.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use tsumero_control::Score;
use tsumero_core::{Game, Move};
use tsumero_files::open_growing;
use tsumero_search::SearcherError;

use crate::configuration::{Configuration, MoveLimits};
use crate::expectation::logistic;
use crate::fingerprint;
use crate::player::Player;

/// The scale by which the judge's scores become expected results.
const SCALE: f64 = 1200.0;

/// Why a judge cannot work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum JudgeError {
    /// The file of judgments cannot be used.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// The file contains something else.
    #[error("{path}, line {line}: not a judgment")]
    Bad {
        /// The file.
        path: String,
        /// The number of the line.
        line: usize,
    },
    /// The file contains the judgments of another judge.
    #[error("{0} holds the judgments of another search, evaluation or number of nodes")]
    OtherJudge(String),
    /// There is not enough memory for its table.
    #[error(transparent)]
    Memory(#[from] SearcherError),
}

/// A long search. It favors moves of players with its own parameters, because it shares their
/// mistakes.
///
/// The file of judgments is text: a line that names the judge, and then the key of a position, a
/// move and its score in each line. Repetitions are not part of the key.
pub(crate) struct Judge {
    player: Player,
    known: HashMap<(u64, u16), i32>,
    file: File,
    path: String,
    title: String,
    /// Judgments made, without those of the file.
    made: u64,
}

impl Judge {
    /// A judge that searches `nodes` nodes, with its file. The file is created if there is none,
    /// and locked. An incomplete last line, as a killed process or a full disk leaves it, is
    /// removed.
    ///
    /// # Errors
    /// [`JudgeError`].
    pub(crate) fn open(
        path: &Path,
        configuration: &Configuration,
        nodes: u64,
    ) -> Result<Judge, JudgeError> {
        let name = path.display().to_string();
        let io_error = |error| JudgeError::Io { path: name.clone(), error };
        let mut file = open_growing(path).map_err(io_error)?;
        let evaluation = fingerprint::of_evaluations(&[&configuration.evaluation_function]);
        let search = fingerprint::of_search();
        let title = format!("judge {nodes} {evaluation:08x} {search:016x} {configuration}");
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io_error)?;
        let begin = format!("{title}\n");
        if !text.starts_with(&begin) && !begin.starts_with(&text) {
            return Err(JudgeError::OtherJudge(name));
        }
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut known = HashMap::new();
        for (index, line) in whole.lines().enumerate().skip(1) {
            let (place, score) = parse(line)
                .ok_or_else(|| JudgeError::Bad { path: name.clone(), line: index + 1 })?;
            known.insert(place, score);
        }
        file.set_len(whole.len() as u64).map_err(io_error)?;
        file.seek(SeekFrom::End(0)).map_err(io_error)?;
        if whole.is_empty() {
            file.write_all(begin.as_bytes()).map_err(io_error)?;
        }
        let limits = MoveLimits { nodes: Some(nodes), ..MoveLimits::default() };
        let player = Player::new(configuration, limits, None)?;
        Ok(Judge { player, known, file, path: name, title, made: 0 })
    }

    /// The first line of the file, which names the judge.
    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// The expected result, 0 to 1, of the side to move after one of its moves, or after it
    /// declares a win (`None`).
    ///
    /// # Errors
    /// [`JudgeError`] if the file cannot be written.
    pub(crate) fn value(
        &mut self,
        position: &Game,
        choice: Option<Move>,
    ) -> Result<f64, JudgeError> {
        let Some(mv) = choice else { return Ok(1.0) };
        let place = (position.position().key(), mv.to_usi().pack());
        let score = match self.known.get(&place) {
            Some(&score) => score,
            None => {
                let mut after = position.clone();
                after.play_unchecked(mv);
                self.player.new_game();
                let score = -self.player.choose(&after).score;
                let score = if after.position().is_mate() { Score::mate_in(1) } else { score };
                let line = format!("{:016x} {:04x} {}\n", place.0, place.1, score.value());
                let written = self.file.write_all(line.as_bytes());
                written.map_err(|error| JudgeError::Io { path: self.path.clone(), error })?;
                self.made += 1;
                self.known.insert(place, score.value());
                score.value()
            }
        };
        Ok(logistic(f64::from(score) / SCALE))
    }

    /// Number of judgments that needed a search.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }
}

/// Position, move and score of a line.
fn parse(line: &str) -> Option<((u64, u16), i32)> {
    let mut parts = line.split(' ');
    let key = u64::from_str_radix(parts.next()?, 16).ok()?;
    let mv = u16::from_str_radix(parts.next()?, 16).ok()?;
    let score = parts.next()?.parse().ok()?;
    parts.next().is_none().then_some(((key, mv), score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsumero_core::Position;

    #[test]
    fn a_judge_remembers_and_knows_good_from_bad() {
        let path = std::env::temp_dir().join(format!("tsumero-judge-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let open = |nodes| Judge::open(&path, &"hash=2".parse().unwrap(), nodes);
        // The rook may take a rook for nothing, or be taken for nothing.
        let sfen = "lnsgkgsnl/7b1/ppppppppp/9/7r1/9/PPPPPPP1P/1B5R1/LNSGKGSNL b - 1";
        let game = Game::from(Position::from_sfen(sfen).unwrap());
        let value = |judge: &mut Judge, text: &str| {
            judge.value(&game, Some(game.position().parse_move(text).unwrap())).unwrap()
        };
        let mut judge = open(2000).unwrap();
        let (good, bad) = (value(&mut judge, "2h2e"), value(&mut judge, "2h2f"));
        assert!(good > 0.7 && bad < 0.3, "{good} {bad}");
        assert_eq!(judge.value(&game, None).unwrap(), 1.0);
        assert_eq!(judge.made(), 2);
        drop(judge);
        let mut judge = open(2000).unwrap();
        assert_eq!((value(&mut judge, "2h2e"), value(&mut judge, "2h2f")), (good, bad));
        assert_eq!(judge.made(), 0);
        drop(judge);
        assert!(matches!(open(2001), Err(JudgeError::OtherJudge(_))));
        let other = Judge::open(&path, &"hash=2,order_check=0".parse().unwrap(), 2000);
        assert!(matches!(other, Err(JudgeError::OtherJudge(_))));
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{whole}12 zz\n")).unwrap();
        assert!(matches!(open(2000), Err(JudgeError::Bad { line: 4, .. })));
        std::fs::remove_file(&path).unwrap();
    }

    /// Whatever a full disk has cut off is judged again, and every file can be continued twice.
    #[test]
    fn a_line_that_was_cut_off_is_no_judgment() {
        let path = std::env::temp_dir().join(format!("tsumero-cut-judge-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let open = || Judge::open(&path, &"hash=1".parse().unwrap(), 10);
        drop(open().unwrap());
        let title = std::fs::read_to_string(&path).unwrap();
        let whole = format!("{title}0123456789abcdef 1a2b 10\n00000000000000ff 1a2b -1234\n");
        let (begin, end) = (title.len(), whole.len());
        for length in [0, 1, begin - 1, begin, begin + 1, begin + 20, end - 3, end - 1, end] {
            std::fs::write(&path, &whole[..length]).unwrap();
            let lines = whole[..length].matches('\n').count();
            let judge = open().unwrap();
            assert_eq!(judge.known.len(), lines.saturating_sub(1), "{length}");
            assert!(judge.known.values().all(|score| [10, -1234].contains(score)));
            drop(judge);
            let left: String = whole.split_inclusive('\n').take(lines.max(1)).collect();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), left);
        }
        for text in ["my diary", "my diary\n", "judge", &format!("{title}12 zz\n00")] {
            std::fs::write(&path, text).unwrap();
            let is_begin = title.starts_with(text);
            assert_eq!(open().is_ok(), is_begin, "{text}");
            assert!(is_begin || std::fs::read_to_string(&path).unwrap() == text);
        }
        std::fs::remove_file(&path).unwrap();
    }
}
