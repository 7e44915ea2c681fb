//! Files of opening lines.
//!
//! A line is the text after `position` in USI, `startpos moves ...` or `sfen ... moves ...`, or a
//! bare SFEN. Empty lines and lines that begin with `#` are skipped.

use std::fs;
use std::path::Path;

use chacha20::ChaCha8Rng;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use tsumero_core::Game;

/// One opening line, known to be legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Opening(String);

/// Why openings cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum OpeningError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// The error of the system.
        error: std::io::Error,
    },
    /// A line is not an opening.
    #[error("{path}, line {line}: {reason}")]
    BadLine {
        /// The file.
        path: String,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The file contains no opening.
    #[error("{0}: no opening line")]
    Empty(String),
}

impl Opening {
    /// Reads a line, and plays it once to check that it is legal.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub(crate) fn parse(text: &str) -> Result<Opening, String> {
        text.parse::<Game>().map_err(|error| error.to_string())?;
        Ok(Opening(text.split_whitespace().collect::<Vec<_>>().join(" ")))
    }

    /// The game after the line.
    pub(crate) fn game(&self) -> Game {
        self.0.parse().expect("the line was read before")
    }
}

/// Reads a file of openings.
///
/// # Errors
/// [`OpeningError`]; a file without any opening is one, too.
pub(crate) fn read(path: &Path) -> Result<Vec<Opening>, OpeningError> {
    let name = || path.display().to_string();
    let text = fs::read_to_string(path)
        .map_err(|error| OpeningError::Unreadable { path: name(), error })?;
    let mut openings = Vec::new();
    // Some editors begin a file with a byte order mark.
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = Opening::parse(line).map_err(|reason| OpeningError::BadLine {
            path: name(),
            line: number + 1,
            reason,
        })?;
        openings.push(opening);
    }
    if openings.is_empty() { Err(OpeningError::Empty(name())) } else { Ok(openings) }
}

/// The openings in an order that depends only on the seed.
pub(crate) fn shuffled(mut openings: Vec<Opening>, seed: u64) -> Vec<Opening> {
    openings.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    openings
}

/// A checksum of the lines.
pub(crate) fn checksum(openings: &[Opening]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for opening in openings {
        hasher.update(opening.0.as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_shipped_are_legal() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/openings.sfen");
        let openings = read(&path).unwrap();
        assert!(openings.len() >= 50);
        for opening in &openings {
            assert!(opening.game().has_legal_move(), "{}", opening.0);
        }
        assert_ne!(checksum(&openings), checksum(&shuffled(openings.clone(), 3)));
        assert_eq!(shuffled(openings.clone(), 3), shuffled(openings.clone(), 3));
        assert_ne!(shuffled(openings.clone(), 3), shuffled(openings, 4));
    }

    #[test]
    fn files_of_other_editors_are_read() {
        let path = std::env::temp_dir().join(format!("tsumero-lines-{}", std::process::id()));
        fs::write(&path, "\u{feff}startpos moves 7g7f\r\n\r\n  # a comment\r\n startpos\r\n")
            .unwrap();
        let lines = ["startpos moves 7g7f", "startpos"].map(|line| Opening::parse(line).unwrap());
        assert_eq!(read(&path).unwrap(), lines);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn all_forms_are_read_and_illegal_lines_are_not() {
        let start = Game::default().to_sfen();
        for text in ["startpos", &start, &format!("sfen {start}"), &format!("sfen {start} moves")] {
            assert_eq!(Opening::parse(text).unwrap().game().to_sfen(), start, "{text}");
        }
        let line = Opening::parse("startpos moves 7g7f  3c3d").unwrap();
        assert_eq!(line.game().ply(), 3);
        assert_eq!(line.0, "startpos moves 7g7f 3c3d");
        for bad in ["", "moves", "startpos moves 7g7e", "startpos 7g7f", "sfen 9/9 b - 1"] {
            assert!(Opening::parse(bad).is_err(), "{bad}");
        }
    }
}
