//! Games to and from the records of other programs, which hold positions one by one.
//!
//! | format | bytes | fields |
//! | --- | ---: | --- |
//! | PSV | 40 | packed SFEN 32, score i16, move u16, ply u16, result i8, padding u8 |
//! | HCPE | 38 | HCP 32, score i16, move u16, result i8, padding u8 |
//!
//! In both formats, scores are for the side to move. They are copied unchanged within ±31,999; larger
//! ones become ±31,872. The result is for the side to move in PSV (1 won, 0 drawn, -1 lost), and
//! absolute in HCPE (0 draw, 1 Black won, 2 White).

use std::ffi::OsStr;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use tsumero_control::Score;
use tsumero_core::{Color, Position, UsiMove};

use super::packed::{Layout, PackError, pack, pack_move, unpack, unpack_move};
use super::{GameRecord, RecordedTurn, Sample};
use crate::game::{Ending, GameOutcome};

/// A position with its move, score and result: the contents of one record.
#[derive(Clone, Debug)]
pub(crate) struct LabeledPosition {
    /// The position; its history is unknown.
    pub position: Position,
    /// The best move.
    pub played: UsiMove,
    /// The score for the side to move.
    pub score: i16,
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
}

impl LabeledPosition {
    /// The entry of a position in a game.
    pub(crate) fn of(sample: &Sample<'_>) -> LabeledPosition {
        let us = sample.position.side_to_move();
        let winner = match sample.half_points {
            0 => Some(!us),
            1 => None,
            _ => Some(us),
        };
        LabeledPosition {
            position: sample.position.clone(),
            played: sample.played.to_usi(),
            score: sample.score.value() as i16,
            winner,
        }
    }

    /// 1, 0 or -1 for the side to move.
    fn result_for_mover(&self) -> i8 {
        match self.winner {
            None => 0,
            Some(winner) if winner == self.position.side_to_move() => 1,
            Some(_) => -1,
        }
    }

    /// One line of text: SFEN, move, score, result for the side to move, with tabs between.
    pub(crate) fn text(&self) -> String {
        let result = self.result_for_mover();
        format!("{}\t{}\t{}\t{result}", self.position.to_sfen(), self.played, self.score)
    }

    /// Reads such a line.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub(crate) fn from_text(line: &str) -> Result<LabeledPosition, String> {
        let parts: Vec<&str> = line.split('\t').collect();
        let [sfen, played, score, result] = parts[..] else {
            return Err("not four fields with tabs between them".to_owned());
        };
        let position = Position::from_sfen(sfen).map_err(|error| error.to_string())?;
        let us = position.side_to_move();
        let winner = match result {
            "1" => Some(us),
            "0" => None,
            "-1" => Some(!us),
            _ => return Err(format!("{result:?} is no result")),
        };
        Ok(LabeledPosition {
            position,
            played: played.parse().map_err(|error| format!("{played:?}: {error}"))?,
            score: copied(score.parse().map_err(|error| format!("{score:?}: {error}"))?),
            winner,
        })
    }
}

/// The score of a record as it is copied: one that no search gives, such as that of a resignation,
/// becomes the largest that is no mate.
fn copied(score: i16) -> i16 {
    match score {
        -31_999..=31_999 => score,
        _ => Score::new(score.into()).value() as i16,
    }
}

/// A format of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Format {
    /// Games of this program
    Games,
    /// 40 bytes a position: YaneuraOu's PackedSfenValue
    Psv,
    /// 38 bytes a position: HuffmanCodedPosAndEval of Apery and dlshogi
    Hcpe,
    /// A line of text a position: SFEN, move, score, result for the side to move, tabs between
    Text,
}

impl Format {
    /// The format for a file name, by its extension in large or small letters.
    pub(crate) fn of_name(name: &Path) -> Format {
        let extension = name.extension().map(|extension| extension.to_ascii_lowercase());
        match extension.as_deref().and_then(OsStr::to_str) {
            Some("psv" | "bin") => Format::Psv,
            Some("hcpe") => Format::Hcpe,
            Some("txt" | "tsv") => Format::Text,
            _ => Format::Games,
        }
    }
}

/// Why records cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ConvertError {
    /// An error of the system.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A record is damaged.
    #[error("record {number}: {reason}")]
    BadRecord {
        /// Number of the record, from 1.
        number: u64,
        /// What is wrong.
        reason: String,
    },
}

/// Writes an entry as a record of another program.
///
/// # Errors
/// [`PackError`] if the format cannot express the position.
pub(crate) fn record_bytes(entry: &LabeledPosition, layout: Layout) -> Result<Vec<u8>, PackError> {
    let mut bytes = pack(&entry.position, layout)?.to_vec();
    bytes.extend(entry.score.to_le_bytes());
    bytes.extend(pack_move(entry.played, layout).to_le_bytes());
    match layout {
        Layout::Psv => {
            let ply = entry.position.ply().min(u32::from(u16::MAX)) as u16;
            bytes.extend(ply.to_le_bytes());
            bytes.extend(entry.result_for_mover().to_le_bytes());
        }
        Layout::Hcp => bytes.push(entry.winner.map_or(0, |winner| winner.index() as u8 + 1)),
    }
    bytes.push(0);
    Ok(bytes)
}

/// The entry that a record of another program holds.
///
/// # Errors
/// A sentence that says what is wrong.
pub(crate) fn read_record(bytes: &[u8], layout: Layout) -> Result<LabeledPosition, String> {
    let packed: &[u8; 32] = bytes.first_chunk().ok_or("too short")?;
    let field = |at: usize| -> Result<u16, String> {
        let pair = bytes.get(at..at + 2).ok_or("too short")?;
        Ok(u16::from_le_bytes([pair[0], pair[1]]))
    };
    let last = |at: usize| bytes.get(at).copied().ok_or_else(|| "too short".to_owned());
    let ply = if layout == Layout::Psv { u32::from(field(36)?) } else { 1 };
    let position = unpack(packed, layout, ply).map_err(|error| error.to_string())?;
    let us = position.side_to_move();
    let result = last(if layout == Layout::Psv { 38 } else { 36 })? as i8;
    let winner = match (layout, result) {
        (_, 0) => None,
        (Layout::Psv, 1) => Some(us),
        (Layout::Psv, -1) => Some(!us),
        (Layout::Hcp, 1) => Some(Color::Black),
        (Layout::Hcp, 2) => Some(Color::White),
        _ => return Err(format!("{result} is no result")),
    };
    let packed = field(34)?;
    let played = unpack_move(packed, layout).ok_or_else(|| format!("{packed:#06x} is no move"))?;
    Ok(LabeledPosition { position, played, score: copied(field(32)? as i16), winner })
}

/// Reads all records of a stream.
///
/// # Errors
/// [`ConvertError`], also whatever `take` returns.
pub(crate) fn read_records(
    input: &mut dyn BufRead,
    format: Format,
    take: &mut dyn FnMut(LabeledPosition) -> io::Result<()>,
) -> Result<(), ConvertError> {
    let (layout, length) = match format {
        Format::Psv => (Layout::Psv, 40),
        Format::Hcpe => (Layout::Hcp, 38),
        Format::Text | Format::Games => {
            for (number, line) in input.lines().enumerate() {
                let bad = |reason| ConvertError::BadRecord { number: number as u64 + 1, reason };
                let line = line?;
                let mut text = line.trim_end();
                // A byte order mark, as editors of Windows write it.
                if number == 0 {
                    text = text.trim_start_matches('\u{feff}');
                }
                if !text.is_empty() {
                    take(LabeledPosition::from_text(text).map_err(bad)?)?;
                }
            }
            return Ok(());
        }
    };
    for number in 1.. {
        let bad = |reason: String| ConvertError::BadRecord { number, reason };
        let mut bytes = Vec::with_capacity(length);
        input.take(length as u64).read_to_end(&mut bytes)?;
        if bytes.is_empty() {
            break;
        }
        if bytes.len() < length {
            return Err(bad("cut off".to_owned()));
        }
        take(read_record(&bytes, layout).map_err(bad)?)?;
    }
    Ok(())
}

/// Writes an entry in a format of single positions. Returns `false` if the format cannot express
/// the position.
///
/// # Errors
/// Errors of the system.
pub(crate) fn write_entry(
    output: &mut dyn Write,
    entry: &LabeledPosition,
    format: Format,
) -> io::Result<bool> {
    let layout = match format {
        Format::Psv => Layout::Psv,
        Format::Hcpe => Layout::Hcp,
        Format::Text | Format::Games => return writeln!(output, "{}", entry.text()).map(|()| true),
    };
    match record_bytes(entry, layout) {
        Ok(bytes) => output.write_all(&bytes).map(|()| true),
        Err(_) => Ok(false),
    }
}

/// Joins entries to games. An entry belongs to the same game as the one before it if that one's
/// move leads to its position and both have the same winner.
#[derive(Default)]
pub(crate) struct Joiner {
    current: Option<(GameRecord, Position)>,
    games: u32,
}

impl Joiner {
    /// Adds the next entry. If it begins a new game, returns the finished one.
    ///
    /// # Errors
    /// The move breaks a rule.
    pub(crate) fn add(&mut self, entry: &LabeledPosition) -> Result<Option<GameRecord>, String> {
        let played = entry
            .position
            .validate(entry.played)
            .map_err(|error| format!("{}: {error}", entry.played))?;
        let turn = RecordedTurn { played: entry.played.pack(), score: entry.score };
        let mut next = entry.position.clone();
        next.play_unchecked(played);
        if let Some((game, expected)) = &mut self.current
            && expected.key() == entry.position.key()
            && game.outcome.winner == entry.winner
            && game.turns.len() < usize::from(u16::MAX)
        {
            game.turns.push(turn);
            *expected = next;
            return Ok(None);
        }
        let sfen = entry.position.to_sfen();
        let game = GameRecord {
            number: self.games,
            start: (sfen != Position::startpos().to_sfen()).then_some(sfen),
            opening: Vec::new(),
            turns: vec![turn],
            outcome: GameOutcome { winner: entry.winner, ending: Ending::Unknown },
        };
        self.games += 1;
        Ok(self.current.replace((game, next)).map(|(finished, _)| finished))
    }

    /// The last game.
    pub(crate) fn finish(self) -> Option<GameRecord> {
        self.current.map(|(game, _)| game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str, winner: Option<Color>) -> GameRecord {
        let turns = moves.split_whitespace().enumerate().map(|(number, text)| RecordedTurn {
            played: text.parse::<UsiMove>().unwrap().pack(),
            score: 10 * number as i16 - 15,
        });
        GameRecord {
            number: 0,
            start: None,
            opening: Vec::new(),
            turns: turns.collect(),
            outcome: GameOutcome { winner, ending: Ending::Unknown },
        }
    }

    #[test]
    fn games_come_back_through_every_format() {
        let games = [
            game("7g7f 3c3d 8h2b+ 3a2b B*4e", Some(Color::White)),
            game("2g2f 8c8d", None),
            game("7g7f 8c8d 7i6h", Some(Color::Black)),
        ];
        for format in [Format::Psv, Format::Hcpe, Format::Text] {
            let mut bytes = Vec::new();
            for game in &games {
                game.replay(&mut |sample| {
                    assert!(
                        write_entry(&mut bytes, &LabeledPosition::of(&sample), format).unwrap()
                    );
                })
                .unwrap();
            }
            let mut joiner = Joiner::default();
            let mut joined = Vec::new();
            read_records(&mut &bytes[..], format, &mut |entry| {
                joined.extend(joiner.add(&entry).map_err(io::Error::other)?);
                Ok(())
            })
            .unwrap();
            joined.extend(joiner.finish());
            assert_eq!(joined.len(), games.len());
            for (joined, game) in joined.iter().zip(&games) {
                assert_eq!((&joined.start, &joined.turns), (&None, &game.turns));
                assert_eq!(joined.outcome, game.outcome);
            }
            if format != Format::Text {
                bytes.pop();
                assert!(read_records(&mut &bytes[..], format, &mut |_| Ok(())).is_err());
            }
        }
    }

    #[test]
    fn scores_beyond_those_of_a_search_are_ordinary_in_every_format() {
        let start = Position::startpos().to_sfen();
        for (score, expected) in [
            (31_999, 31_999),
            (-31_999, -31_999),
            (32_000, 31_872),
            (-32_000, -31_872),
            (i16::MAX, 31_872),
            (i16::MIN, -31_872),
        ] {
            let entry = LabeledPosition::from_text(&format!("{start}\t7g7f\t{score}\t1")).unwrap();
            assert_eq!(entry.score, expected);
            for layout in [Layout::Psv, Layout::Hcp] {
                let mut bytes = record_bytes(&entry, layout).unwrap();
                bytes[32..34].copy_from_slice(&i16::to_le_bytes(score));
                assert_eq!(read_record(&bytes, layout).unwrap().score, expected, "{layout:?}");
            }
        }
    }

    #[test]
    fn extensions_name_formats_and_names_without_one_do_not() {
        for (name, format) in [
            ("a.psv", Format::Psv),
            ("A.BIN", Format::Psv),
            ("a.b.Hcpe", Format::Hcpe),
            ("a.txt", Format::Text),
            ("folder.psv/games", Format::Games),
            ("psv", Format::Games),
            (".txt", Format::Games),
        ] {
            assert_eq!(Format::of_name(Path::new(name)), format, "{name}");
        }
    }

    #[test]
    fn damaged_lines_are_refused() {
        let start = Position::startpos().to_sfen();
        assert!(LabeledPosition::from_text(&format!("{start}\t7g7f\t-3\t-1")).is_ok());
        for line in [
            String::new(),
            format!("{start}\t7g7f\t-3"),
            format!("{start}\t7g7f\t-3\t2"),
            format!("{start}\t7g7f\tx\t1"),
            format!("{start}\t7z7f\t3\t1"),
        ] {
            assert!(LabeledPosition::from_text(&line).is_err(), "{line}");
        }
    }

    #[test]
    fn text_may_begin_with_a_byte_order_mark_and_have_empty_lines() {
        let line = format!("{}\t7g7f\t30\t1", Position::startpos().to_sfen());
        let read = |text: String| {
            let mut count = 0;
            let taken = &mut |_| {
                count += 1;
                Ok(())
            };
            read_records(&mut text.as_bytes(), Format::Text, taken).map(|()| count)
        };
        assert_eq!(read(format!("\u{feff}{line}\r\n\r\n{line}\r\n \r\n\n")).unwrap(), 2);
        // Numbers are those of lines. Elsewhere, the mark is a letter.
        let bad = read(format!("\n{line}\n\u{feff}{line}\n")).unwrap_err().to_string();
        assert!(bad.starts_with("record 3: "), "{bad}");
    }
}
