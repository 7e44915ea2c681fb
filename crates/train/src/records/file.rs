//! The file of recorded games: about four bytes a position, appendable, with checksums.
//!
//! All numbers are little-endian. A file is a header and then blocks up to its end.
//!
//! ```text
//! header   8 bytes  "TSUMEROG"
//!          u32      length of the text
//!          u32      CRC-32 of the text
//!          text     JSON: what played the games, see `FileHeader`
//! block    u32      length of the games in bytes
//!          u32      CRC-32 of the games
//!          games    one or more
//! game     u32      number of the game in its run
//!          u8       ending + 16 × winner (0 draw, 1 Black, 2 White)
//!          u8       length of the start's SFEN, 0 for the usual start
//!          u16      number of opening moves
//!          u16      number of searched moves
//!          bytes    the SFEN
//!          u16 ...  opening moves
//!          u16 i16  searched moves, each with the score for the side that moved
//! ```
//!
//! A move is what [`UsiMove::pack`](tsumero_core::UsiMove::pack) makes of it: bits 0 to 6 the
//! target (0 for 1a, file by file, to 80 for 9i), bits 7 to 14 the origin + 8 or the kind dropped (its
//! number as `PieceKind`: pawn 1 to rook 7), bit 15 promotion.
//!
//! In a score, a pawn is about 90. Within 127 of ±32,000 it is a mate: 32,000 − n means that the
//! side to move mates in n plies, −32,000 + n that it is mated in n. A perpetual check that the
//! search foresees counts 20,000.
//!
//! Endings are 0 checkmate, 1 declaration, 2 repetition, 3 perpetual check, 4 max plies,
//! 5 adjudication, 6 proven mate, 7 resignation and 8 unknown.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use tsumero_core::Color;
use tsumero_files::open_growing;

use super::{GameRecord, RecordedTurn, ending_number, winner_number};
use crate::game::{Ending, GameOutcome};

const MAGIC: &[u8; 8] = b"TSUMEROG";
/// Longer headers count as damaged, and are not written.
const LONGEST_HEADER: u32 = 1 << 16;
/// Longer blocks count as damaged, so that a wrong length does not fill the memory.
const LONGEST_BLOCK: u32 = 64 << 20;

/// The header of a file: which engine played the games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct FileHeader {
    /// Version of this format.
    pub format: u32,
    /// Seed of the run; a game depends on it and on its number.
    pub seed: u64,
    /// Fingerprint of the evaluation.
    pub evaluation: u32,
    /// Fingerprint of the search.
    pub search: u64,
    /// The configuration that played.
    pub configuration: String,
    /// Limits of the search for a move.
    pub limits: String,
    /// How openings were made, and which rules ended games.
    pub rules: String,
    /// A name, such as the commit of the engine.
    pub label: String,
}

impl FileHeader {
    /// The header of a file of games of unknown players.
    pub(crate) fn unknown(label: String) -> FileHeader {
        let unknown = || "unknown".to_owned();
        FileHeader {
            format: FORMAT,
            seed: 0,
            evaluation: 0,
            search: 0,
            configuration: unknown(),
            limits: unknown(),
            rules: unknown(),
            label,
        }
    }
}

/// The version that this module writes.
pub(crate) const FORMAT: u32 = 1;

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum FileError {
    /// An error of the system. Of the kind [`io::ErrorKind::ResourceBusy`] if another process is
    /// writing to the file.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// The file is damaged, or it is not a file of games.
    #[error("{path}, byte {offset}: {reason}")]
    Bad {
        /// The file.
        path: String,
        /// Where the damaged part begins.
        offset: u64,
        /// What is wrong.
        reason: String,
    },
    /// The last block is incomplete, or nothing but zeros: its process was killed or the power was
    /// lost, or it is still writing.
    #[error("{0}: the last block is cut off (the same datagen command removes it)")]
    CutOff(String),
    /// The header would be too long to be read again.
    #[error("{0}: the header would be too long: give a shorter --label or --configuration")]
    LongHeader(String),
    /// The file contains the games of another run.
    #[error("{path} holds the games of another run:\n  there {there}\n  here  {here}")]
    OtherRun {
        /// The file.
        path: String,
        /// The header in the file.
        there: String,
        /// The expected header.
        here: String,
    },
    /// The file contains other games of the same run than those with the numbers asked for, in order.
    #[error("{path} holds game {found} in the place of game {expected}")]
    OtherGames {
        /// The file.
        path: String,
        /// The number of the first such game.
        found: u32,
        /// The number that should stand there.
        expected: u32,
    },
    /// The file contains more games of the run than were asked for.
    #[error("{path} holds game {found}, and the last one asked for is the one before game {end}")]
    MoreGames {
        /// The file.
        path: String,
        /// The number of the first game too many.
        found: u32,
        /// The number after the last one asked for.
        end: u32,
    },
}

/// Whether this is a file that begins like a file of games, whatever its name.
pub(crate) fn holds_games(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    // A pipe would lose what is read here.
    path.is_file()
        && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == *MAGIC
}

/// Reads the games of a file one by one.
pub(crate) struct GameReader {
    input: BufReader<File>,
    path: String,
    header: FileHeader,
    /// The offset of the next block.
    offset: u64,
    /// The remaining games of the last block, in reverse order.
    ready: Vec<GameRecord>,
    /// Set at the end of the file, or when it is damaged.
    ended: bool,
}

impl GameReader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// [`FileError`].
    pub(crate) fn open(path: &Path) -> Result<GameReader, FileError> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| FileError::Io { path: name.clone(), error })?;
        GameReader::from_file(file, name)
    }

    /// Reads the header of an open file.
    fn from_file(file: File, name: String) -> Result<GameReader, FileError> {
        let mut input = BufReader::new(file);
        let bad = |reason: &str| FileError::Bad {
            path: name.clone(),
            offset: 0,
            reason: reason.to_owned(),
        };
        // Only the end of the file says that it is short. A folder, say, cannot be read at all.
        let ended = |reason| {
            let (bad, path) = (bad(reason), name.clone());
            |error: io::Error| match error.kind() {
                io::ErrorKind::UnexpectedEof => bad,
                _ => FileError::Io { path, error },
            }
        };
        let mut fixed = [0; 16];
        input.read_exact(&mut fixed).map_err(ended("too short for a file of games"))?;
        if &fixed[..8] != MAGIC {
            return Err(bad("not a file of games"));
        }
        let (length, checksum) = two_numbers(&fixed[8..]);
        if length > LONGEST_HEADER {
            return Err(bad("the header is too long"));
        }
        let mut text = vec![0; length as usize];
        input.read_exact(&mut text).map_err(ended("the header is cut off"))?;
        if crc32fast::hash(&text) != checksum {
            return Err(bad("the header is damaged"));
        }
        let header: FileHeader =
            serde_json::from_slice(&text).map_err(|error| bad(&format!("header: {error}")))?;
        if header.format != FORMAT {
            return Err(bad(&format!("format {} is unknown", header.format)));
        }
        let offset = 16 + u64::from(length);
        Ok(GameReader { input, path: name, header, offset, ready: Vec::new(), ended: false })
    }

    /// The header of the file.
    pub(crate) fn header(&self) -> &FileHeader {
        &self.header
    }

    /// The games of the next block; `None` at the end of the file.
    fn read_block(&mut self) -> Result<Option<Vec<GameRecord>>, FileError> {
        let path = self.path.clone();
        let offset = self.offset;
        let bad =
            |reason: &str| FileError::Bad { path: path.clone(), offset, reason: reason.to_owned() };
        let io_error = |error| FileError::Io { path: path.clone(), error };
        let mut fixed = Vec::with_capacity(8);
        (&mut self.input).take(8).read_to_end(&mut fixed).map_err(io_error)?;
        if fixed.is_empty() {
            return Ok(None);
        }
        if fixed.len() < 8 {
            return Err(FileError::CutOff(path));
        }
        let (length, checksum) = two_numbers(&fixed);
        if length > LONGEST_BLOCK {
            return Err(bad("a block is too long"));
        }
        // The checksum of nothing is 0, so zeros would be valid blocks. A loss of power can leave
        // them where the file has grown, but nothing else has reached the disk.
        if length == 0 && checksum == 0 {
            for byte in (&mut self.input).bytes() {
                if byte.map_err(io_error)? != 0 {
                    return Err(bad("a block is empty"));
                }
            }
            return Err(FileError::CutOff(path));
        }
        let mut payload = Vec::new();
        (&mut self.input).take(u64::from(length)).read_to_end(&mut payload).map_err(io_error)?;
        if payload.len() < length as usize {
            // A damaged length reaches beyond the end, too. Then this block or one behind it is
            // whole, and must not be taken for the rest of a cut one.
            if crc32fast::hash(&payload) == checksum
                || (1..payload.len()).any(|at| begins_with_block(&payload[at..]))
            {
                return Err(bad("the length of a block is damaged"));
            }
            return Err(FileError::CutOff(path));
        }
        if crc32fast::hash(&payload) != checksum {
            return Err(bad("a block is damaged"));
        }
        let mut rest = &payload[..];
        let mut games = Vec::new();
        while !rest.is_empty() {
            games.push(decode(&mut rest).ok_or_else(|| bad("a block holds something else"))?);
        }
        self.offset += 8 + u64::from(length);
        Ok(Some(games))
    }
}

impl Iterator for GameReader {
    type Item = Result<GameRecord, FileError>;

    fn next(&mut self) -> Option<Result<GameRecord, FileError>> {
        while self.ready.is_empty() && !self.ended {
            match self.read_block() {
                Ok(Some(games)) => self.ready = games.into_iter().rev().collect(),
                Ok(None) => self.ended = true,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
        self.ready.pop().map(Ok)
    }
}

/// Appends games to a file.
pub(crate) struct GameWriter<W = File> {
    out: W,
    path: String,
}

impl GameWriter {
    /// Opens a file to continue it, or creates one. `known` receives every game in it. An
    /// incomplete last block of a killed process is removed. Until it is closed, no other process
    /// can continue it.
    ///
    /// # Errors
    /// [`FileError`], also if the file has another header.
    pub(crate) fn append(
        path: &Path,
        header: &FileHeader,
        known: &mut dyn FnMut(&GameRecord),
    ) -> Result<GameWriter, FileError> {
        let name = path.display().to_string();
        let io_error = |error| FileError::Io { path: name.clone(), error };
        let begin = header_bytes(header, &name)?;
        let mut file = open_growing(path).map_err(io_error)?;
        let mut start = Vec::new();
        (&mut file).take(begin.len() as u64).read_to_end(&mut start).map_err(io_error)?;
        file.rewind().map_err(io_error)?;
        // A new file, or one whose process was killed before the header was complete.
        if start.len() < begin.len() && begin.starts_with(&start) {
            return GameWriter::new(file, name, header);
        }
        let mut reader = GameReader::from_file(file.try_clone().map_err(io_error)?, name.clone())?;
        if reader.header != *header {
            return Err(FileError::OtherRun {
                path: name,
                there: serde_json::to_string(&reader.header).unwrap_or_default(),
                here: serde_json::to_string(header).unwrap_or_default(),
            });
        }
        for game in reader.by_ref() {
            match game {
                Ok(game) => known(&game),
                // An incomplete last block is cut off. Damage in the middle is an error
                // instead, because valid games may follow it.
                Err(FileError::CutOff(_)) => break,
                Err(error) => return Err(error),
            }
        }
        file.set_len(reader.offset).map_err(io_error)?;
        file.seek(SeekFrom::Start(reader.offset)).map_err(io_error)?;
        Ok(GameWriter { out: file, path: name })
    }
}

impl<W: Write> GameWriter<W> {
    /// Begins a file. `path` is its name in errors.
    ///
    /// # Errors
    /// [`FileError::Io`], [`FileError::LongHeader`].
    pub(crate) fn new(
        mut out: W,
        path: String,
        header: &FileHeader,
    ) -> Result<GameWriter<W>, FileError> {
        match out.write_all(&header_bytes(header, &path)?) {
            Ok(()) => Ok(GameWriter { out, path }),
            Err(error) => Err(FileError::Io { path, error }),
        }
    }

    /// What is written to.
    pub(crate) fn into_inner(self) -> W {
        self.out
    }

    /// Adds games as one block.
    ///
    /// # Errors
    /// [`FileError::Io`].
    pub(crate) fn write(&mut self, games: &[GameRecord]) -> Result<(), FileError> {
        if games.is_empty() {
            return Ok(());
        }
        let mut payload = Vec::new();
        for game in games {
            encode(game, &mut payload);
        }
        let mut block = Vec::with_capacity(payload.len() + 8);
        push_block(&mut block, &payload);
        self.out.write_all(&block).map_err(|error| FileError::Io { path: self.path.clone(), error })
    }
}

/// The beginning of a file. `path` is its name in errors.
///
/// # Errors
/// [`FileError::LongHeader`].
fn header_bytes(header: &FileHeader, path: &str) -> Result<Vec<u8>, FileError> {
    let text = serde_json::to_vec(header).expect("plain data has a JSON form");
    if text.len() > LONGEST_HEADER as usize {
        return Err(FileError::LongHeader(path.to_owned()));
    }
    let mut bytes = MAGIC.to_vec();
    push_block(&mut bytes, &text);
    Ok(bytes)
}

fn two_numbers(bytes: &[u8]) -> (u32, u32) {
    let number =
        |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    (number(0), number(4))
}

/// Whether a whole block comes first.
fn begins_with_block(bytes: &[u8]) -> bool {
    let Some((fixed, rest)) = bytes.split_at_checked(8) else { return false };
    let (length, checksum) = two_numbers(fixed);
    // The checksum of nothing is 0, so eight zeros would be a block.
    length > 0
        && rest.get(..length as usize).is_some_and(|payload| crc32fast::hash(payload) == checksum)
}

/// Length, checksum and the bytes themselves.
fn push_block(bytes: &mut Vec<u8>, payload: &[u8]) {
    bytes.extend((payload.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(payload).to_le_bytes());
    bytes.extend(payload);
}

/// Appends a game. Games are much shorter than the numbers allow; longer ones are cut.
fn encode(game: &GameRecord, bytes: &mut Vec<u8>) {
    let start = game.start.as_deref().unwrap_or_default();
    let start = &start.as_bytes()[..start.len().min(255)];
    let opening = &game.opening[..game.opening.len().min(usize::from(u16::MAX))];
    let turns = &game.turns[..game.turns.len().min(usize::from(u16::MAX))];
    bytes.extend(game.number.to_le_bytes());
    bytes.push(ending_number(game.outcome.ending) | winner_number(game.outcome.winner) << 4);
    bytes.push(start.len() as u8);
    bytes.extend((opening.len() as u16).to_le_bytes());
    bytes.extend((turns.len() as u16).to_le_bytes());
    bytes.extend(start);
    for packed in opening {
        bytes.extend(packed.to_le_bytes());
    }
    for turn in turns {
        bytes.extend(turn.played.to_le_bytes());
        bytes.extend(turn.score.to_le_bytes());
    }
}

/// Reads the first game; `None` if there is none.
fn decode(rest: &mut &[u8]) -> Option<GameRecord> {
    fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
        let (front, back) = rest.split_at_checked(length)?;
        *rest = back;
        Some(front)
    }
    let u16_at = |bytes: &[u8], at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);

    let fixed = take(rest, 10)?;
    let number = u32::from_le_bytes([fixed[0], fixed[1], fixed[2], fixed[3]]);
    let ending = *Ending::ALL.get(usize::from(fixed[4] & 15))?;
    let winner = match fixed[4] >> 4 {
        0 => None,
        1 => Some(Color::Black),
        2 => Some(Color::White),
        _ => return None,
    };
    let start = std::str::from_utf8(take(rest, usize::from(fixed[5]))?).ok()?;
    let opening = take(rest, 2 * usize::from(u16_at(fixed, 6)))?;
    let turns = take(rest, 4 * usize::from(u16_at(fixed, 8)))?;
    Some(GameRecord {
        number,
        start: (!start.is_empty()).then(|| start.to_owned()),
        opening: opening.chunks_exact(2).map(|pair| u16_at(pair, 0)).collect(),
        turns: turns
            .chunks_exact(4)
            .map(|four| RecordedTurn { played: u16_at(four, 0), score: u16_at(four, 2) as i16 })
            .collect(),
        outcome: GameOutcome { winner, ending },
    })
}

#[cfg(test)]
mod tests;
