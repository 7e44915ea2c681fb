//! The log of a match: JSON lines. The first one identifies the match.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use tsumero_files::open_growing;

use crate::game::Ending;

/// What identifies a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Header {
    /// The first side's configuration.
    pub a: String,
    /// The second side's configuration.
    pub b: String,
    /// Limits for a side without limits of its own.
    pub limits: String,
    /// The ply after which games are drawn.
    pub max_plies: u32,
    /// Score for adjudication.
    pub win_score: i32,
    /// Plies for adjudication.
    pub agreed_plies: u32,
    /// Checksum of the openings in their order.
    pub openings: u32,
    /// Fingerprint of the evaluation.
    pub evaluation: u32,
    /// Fingerprint of the search.
    pub search: u64,
    /// A name.
    pub label: String,
}

/// One game of a pair.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct GameLine {
    /// The half points of the first side: 2, 1 or 0.
    #[serde(deserialize_with = "half_points")]
    pub half_points: u32,
    /// What ended the game.
    pub ending: Ending,
    /// Plies, the opening included.
    pub plies: u32,
    /// Nodes of the first and of the second side.
    pub nodes: [u64; 2],
}

fn half_points<'de, D: Deserializer<'de>>(source: D) -> Result<u32, D::Error> {
    let number = u32::deserialize(source)?;
    match number {
        0..=2 => Ok(number),
        _ => Err(D::Error::custom(format!("half_points is {number}, but a game has 2"))),
    }
}

/// The two games of one opening. In the first game, the first side plays Black.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct PairLine {
    /// Number of the pair, from 0; the opening follows from it.
    pub pair: u64,
    /// The games.
    pub games: [GameLine; 2],
}

impl PairLine {
    /// Half points of the first side in both games.
    pub(crate) fn half_points(&self) -> u32 {
        self.games.iter().map(|game| game.half_points).sum()
    }
}

/// Why a log cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum LogError {
    /// An error of the system. Of the kind [`io::ErrorKind::ResourceBusy`] if another process is
    /// writing to the log.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// The error of the system.
        error: io::Error,
    },
    /// A line in the middle is damaged.
    #[error("{path}, line {line}: {reason}")]
    BadLine {
        /// The file.
        path: String,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The log is that of another match.
    #[error("{path} is the log of another match:\n  there {there}\n  here  {here}")]
    OtherMatch {
        /// The file.
        path: String,
        /// Its first line.
        there: String,
        /// What its first line should be.
        here: String,
    },
}

/// A log that is open for more results.
pub(crate) struct Log {
    file: File,
    path: String,
}

impl Log {
    /// Opens or creates a log, and returns its results. An incomplete last line, as a killed
    /// process leaves it, is removed.
    ///
    /// # Errors
    /// [`LogError`].
    pub(crate) fn open(path: &Path, header: &Header) -> Result<(Log, Vec<PairLine>), LogError> {
        let name = path.display().to_string();
        let io_error = |error| LogError::Io { path: name.clone(), error };
        // It is read when it is locked: nobody else adds results in between.
        let mut file = open_growing(path).map_err(io_error)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io_error)?;
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let here = to_json(header);
        if whole.is_empty() && !here.starts_with(&text) {
            let reason = "this is not the log of a match".to_owned();
            return Err(LogError::BadLine { path: name, line: 1, reason });
        }
        let (mut pairs, mut known) = (Vec::new(), HashSet::new());
        for (number, line) in whole.lines().enumerate() {
            let bad = |error: serde_json::Error| LogError::BadLine {
                path: name.clone(),
                line: number + 1,
                reason: error.to_string(),
            };
            if number == 0 {
                let there: Header = serde_json::from_str(line).map_err(bad)?;
                if there != *header {
                    return Err(LogError::OtherMatch { path: name, there: line.to_owned(), here });
                }
                continue;
            }
            let pair: PairLine = serde_json::from_str(line).map_err(bad)?;
            if known.insert(pair.pair) {
                pairs.push(pair);
            }
        }
        file.set_len(whole.len() as u64).map_err(io_error)?;
        file.seek(SeekFrom::End(0)).map_err(io_error)?;
        if whole.is_empty() {
            file.write_all(format!("{here}\n").as_bytes()).map_err(io_error)?;
        }
        Ok((Log { file, path: name }, pairs))
    }

    /// Adds a result.
    ///
    /// # Errors
    /// [`LogError::Io`].
    pub(crate) fn append(&mut self, pair: &PairLine) -> Result<(), LogError> {
        let line = format!("{}\n", to_json(pair));
        self.file
            .write_all(line.as_bytes())
            .map_err(|error| LogError::Io { path: self.path.clone(), error })
    }
}

/// One line of JSON.
fn to_json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data has a JSON form")
}
