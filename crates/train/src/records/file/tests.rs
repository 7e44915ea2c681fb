//! Tests: games come back, and a file that is cut off or damaged is known as that.

use super::*;

fn header() -> FileHeader {
    FileHeader {
        format: FORMAT,
        seed: 5,
        evaluation: 1,
        search: 2,
        configuration: "default".into(),
        limits: "1500 soft nodes".into(),
        rules: "rules".into(),
        label: "test".into(),
    }
}

fn games() -> Vec<GameRecord> {
    (0..40u32)
        .map(|number| GameRecord {
            number,
            start: (number % 3 == 0).then(|| format!("sfen of {number}")),
            opening: (0..number as u16 % 11).collect(),
            turns: (0..number as u16 * 5)
                .map(|ply| RecordedTurn { played: ply * 7, score: 300 - ply as i16 * 9 })
                .collect(),
            outcome: GameOutcome {
                winner: [None, Some(Color::Black), Some(Color::White)][number as usize % 3],
                ending: Ending::ALL[number as usize % Ending::ALL.len()],
            },
        })
        .collect()
}

fn temporary(name: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("tsumero-{name}-{}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

fn read_all(path: &Path) -> Result<Vec<GameRecord>, FileError> {
    GameReader::open(path)?.collect()
}

#[test]
fn a_folder_is_no_short_file() {
    let opened = GameReader::open(&std::env::temp_dir());
    assert!(matches!(opened.err(), Some(FileError::Io { .. })));
}

#[test]
fn games_come_back_and_a_cut_file_goes_on() {
    let path = temporary("games");
    let games = games();
    let mut writer = GameWriter::append(&path, &header(), &mut |_| panic!("empty")).unwrap();
    writer.write(&games[..3]).unwrap();
    writer.write(&games[3..20]).unwrap();
    let whole = std::fs::metadata(&path).unwrap().len();
    assert_eq!(read_all(&path).unwrap(), games[..20]);
    writer.write(&games[20..21]).unwrap();
    drop(writer);

    // Simulates a process that was killed while writing: at every length, the games before the
    // last block can be read.
    let bytes = std::fs::read(&path).unwrap();
    for length in 0..header_bytes(&header(), "").unwrap().len() {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let mut writer = GameWriter::append(&path, &header(), &mut |_| panic!("empty")).unwrap();
        writer.write(&games[..3]).unwrap();
        assert_eq!(read_all(&path).unwrap(), games[..3]);
    }
    std::fs::write(&path, "my diary").unwrap();
    assert!(GameWriter::append(&path, &header(), &mut |_| {}).is_err());
    assert_eq!(std::fs::read(&path).unwrap(), b"my diary");
    for length in whole + 1..bytes.len() as u64 {
        std::fs::write(&path, &bytes[..length as usize]).unwrap();
        assert!(read_all(&path).is_err(), "a reader says that something is missing");
        let mut known = Vec::new();
        let writer = GameWriter::append(&path, &header(), &mut |game| known.push(game.clone()));
        let mut writer = writer.unwrap();
        assert_eq!(known, games[..20]);
        writer.write(&games[20..]).unwrap();
        assert_eq!(read_all(&path).unwrap(), games);
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn every_damaged_byte_is_found() {
    let path = temporary("damage");
    let mut writer = GameWriter::append(&path, &header(), &mut |_| {}).unwrap();
    writer.write(&games()[..6]).unwrap();
    writer.write(&games()[6..8]).unwrap();
    drop(writer);
    let bytes = std::fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        std::fs::write(&path, &damaged).unwrap();
        assert!(read_all(&path).is_err(), "byte {at}");
    }
    // A length that reaches beyond the end: of the first block, of the last block, and of a
    // block that is the last one without its last byte. Only this one is taken for cut off.
    let first = header_bytes(&header(), "").unwrap().len();
    let second = first + 8 + two_numbers(&bytes[first..]).0 as usize;
    for (at, end, is_cut) in
        [(first, bytes.len(), false), (second, bytes.len(), false), (second, bytes.len() - 1, true)]
    {
        let mut damaged = bytes[..end].to_vec();
        damaged[at + 2] ^= 0x10;
        std::fs::write(&path, &damaged).unwrap();
        let error = read_all(&path).unwrap_err();
        assert_eq!(matches!(error, FileError::CutOff(_)), is_cut, "{error}");
        assert_eq!(GameWriter::append(&path, &header(), &mut |_| {}).is_ok(), is_cut);
        assert_eq!(std::fs::read(&path).unwrap().len(), if is_cut { second } else { end });
    }
    // Zeros, as a loss of power can leave them in place of blocks: at the end of the file they are
    // a block cut off, before another block they are damage.
    let zeros = [0; 4096];
    for (damaged, cut_to) in [
        ([&bytes[..], &zeros].concat(), Some(bytes.len())),
        ([&bytes[..], &zeros[..8]].concat(), Some(bytes.len())),
        ([&bytes[..second], &zeros, &bytes[second..]].concat(), None),
    ] {
        std::fs::write(&path, &damaged).unwrap();
        let error = read_all(&path).unwrap_err();
        assert_eq!(matches!(error, FileError::CutOff(_)), cut_to.is_some(), "{error}");
        assert_eq!(GameWriter::append(&path, &header(), &mut |_| {}).is_ok(), cut_to.is_some());
        let left = std::fs::read(&path).unwrap().len();
        assert_eq!(left, cut_to.unwrap_or(damaged.len()));
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn another_run_is_not_mixed_in() {
    let path = temporary("other");
    GameWriter::append(&path, &header(), &mut |_| {}).unwrap();
    let other = FileHeader { seed: 6, ..header() };
    let refused = GameWriter::append(&path, &other, &mut |_| {});
    assert!(matches!(refused, Err(FileError::OtherRun { .. })));
    let writing = GameWriter::append(&path, &header(), &mut |_| {}).unwrap();
    let refused = GameWriter::append(&path, &header(), &mut |_| {});
    let busy = refused.err().unwrap().to_string();
    assert!(busy.contains("another process"), "{busy}");
    drop(writing);
    assert!(GameWriter::append(&path, &header(), &mut |_| {}).is_ok());
    std::fs::remove_file(&path).unwrap();
}
