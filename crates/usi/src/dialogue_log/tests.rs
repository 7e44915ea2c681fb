//! Logs of dialogues, with disks that take nothing.

use std::io::{self, Write};
use std::path::PathBuf;

use parking_lot::Mutex;

use super::line::MOST_WRITTEN;
use super::queue::{KEPT, MOST_WAITING};
use super::*;

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("tsumero-log-{}-{name}", std::process::id()))
}

/// Waits until everything before this is done, however long that takes. Returns the fault that
/// was told.
fn settle(log: &DialogueLog) -> Result<(), String> {
    let (sender, done) = bounded(1);
    log.push(Message::Close(sender));
    done.recv().unwrap();
    log.faults.try_recv().map_or(Ok(()), Err)
}

fn content(path: &Path) -> Vec<Vec<u8>> {
    let text = std::fs::read(path).unwrap();
    std::fs::remove_file(path).unwrap();
    let text = text.strip_suffix(b"\n").expect("the last line is complete");
    text.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect()
}

#[test]
fn both_directions_are_written_from_the_start_until_the_file_is_closed() {
    let path = file("both");
    let log = DialogueLog::new();
    log.record(Direction::In, b"usi\r\n", Instant::now());
    log.set_file(Some(&path));
    log.record(Direction::Out, b"usiok", Instant::now());
    log.set_file(Some(&path));
    log.record(Direction::In, b"\xff\n", Instant::now());
    log.set_file(None);
    log.record(Direction::In, b"not for the file", Instant::now());
    settle(&log).unwrap();
    let lines = content(&path);
    assert_eq!(lines.len(), 3);
    assert!(lines[0].ends_with(b" > usi") && lines[1].ends_with(b" < usiok"));
    assert!(lines[2].ends_with(b" > \xff"));
}

#[test]
fn only_the_latest_lines_are_kept_in_memory() {
    let path = file("latest");
    let log = DialogueLog::new();
    let long = vec![b'x'; KEPT / 10];
    for _ in 0..50 {
        log.record(Direction::In, &long, Instant::now());
    }
    log.record(Direction::In, &vec![b'y'; 3 * KEPT], Instant::now());
    log.record(Direction::In, b"last", Instant::now());
    log.record(Direction::Out, &long, Instant::now());
    log.set_file(Some(&path));
    settle(&log).unwrap();
    let lines = content(&path);
    assert_eq!(lines.len(), 2);
    assert!(lines[0].ends_with(b" > last"));
}

#[test]
fn a_log_is_appended_to_and_any_other_file_is_left_alone() {
    let path = file("appended");
    for runs in 1..=2 {
        let log = DialogueLog::new();
        log.record(Direction::In, b"usi", Instant::now());
        log.set_file(Some(&path));
        settle(&log).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), runs);
    }
    std::fs::remove_file(&path).unwrap();
    for text in ["手合割：平手\n   1 ７六歩(77)\n", "\0\0\x16\x2f network", "usi\n"] {
        std::fs::write(&path, text).unwrap();
        let log = DialogueLog::new();
        log.record(Direction::In, b"usi", Instant::now());
        log.set_file(Some(&path));
        let error = settle(&log).unwrap_err();
        assert!(error.contains("left alone"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_file_that_cannot_be_opened_is_an_error_and_the_log_stays_usable() {
    let log = DialogueLog::new();
    log.record(Direction::In, b"before", Instant::now());
    log.set_file(Some(&file("no such folder").join("log.txt")));
    assert!(settle(&log).is_err());
    log.record(Direction::In, b"after", Instant::now());
    let path = file("usable");
    log.set_file(Some(&path));
    settle(&log).unwrap();
    let lines = content(&path);
    assert_eq!(lines.len(), 2);
    assert!(lines[0].ends_with(b" > before") && lines[1].ends_with(b" > after"));
}

/// A disk that takes nothing as long as a test holds this.
static DISK: Mutex<()> = Mutex::new(());

struct StuckDisk;

impl Write for StuckDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        drop(DISK.lock());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn nobody_waits_for_a_disk_that_takes_nothing() {
    let stuck = DISK.lock();
    let log = DialogueLog::with_opener(|_| Ok(Box::new(StuckDisk)));
    log.set_file(Some(Path::new("stuck")));
    let line = vec![b'x'; MOST_WRITTEN];
    log.record(Direction::In, &line, Instant::now());
    // The writing thread takes this line and does not come back.
    while !log.queue.waiting.lock().messages.is_empty() {
        thread::yield_now();
    }
    for _ in 0..1000 {
        log.record(Direction::In, &line, Instant::now());
    }
    let waiting = log.queue.waiting.lock();
    let lines = waiting.messages.len() as u64 - 1;
    assert!(waiting.bytes <= MOST_WAITING && waiting.bytes + (1 << 17) > MOST_WAITING);
    assert!(matches!(waiting.messages.back(), Some(&Message::Gap(gap)) if gap == 1000 - lines));
    drop(waiting);
    log.close();
    drop(stuck);
}

/// Nothing is said of a file that takes long to open, until it is known what becomes of it.
#[test]
fn nobody_waits_for_a_disk_that_does_not_open_files() {
    static OPENING: Mutex<()> = Mutex::new(());
    let open_late: [(Opener, _); 2] = [
        (
            |_| {
                drop(OPENING.lock());
                Err("at last".to_owned())
            },
            Err("at last".to_owned()),
        ),
        (
            |path| {
                drop(OPENING.lock());
                open(path)
            },
            Ok(()),
        ),
    ];
    for (number, (opener, expected)) in open_late.into_iter().enumerate() {
        let path = file(&format!("late-{number}"));
        let stuck = OPENING.lock();
        let log = DialogueLog::with_opener(opener);
        log.record(Direction::In, b"before", Instant::now());
        // If this waited, it would wait forever, or say what it cannot know.
        log.set_file(Some(&path));
        log.record(Direction::In, b"after", Instant::now());
        log.close();
        assert!(log.faults.is_empty());
        drop(stuck);
        assert_eq!(settle(&log), expected);
        if expected.is_ok() {
            let lines = content(&path);
            assert!(lines[0].ends_with(b" > before") && lines[1].ends_with(b" > after"));
        }
    }
}

#[test]
fn a_full_disk_is_told_once_and_the_log_goes_on_in_memory() {
    struct FullDisk;

    impl Write for FullDisk {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let log = DialogueLog::with_opener(|_| Ok(Box::new(FullDisk)));
    log.set_file(Some(Path::new("full")));
    for _ in 0..3 {
        log.record(Direction::In, b"lost", Instant::now());
    }
    let reason = format!("full: the file takes no more lines: {}", io::ErrorKind::StorageFull);
    assert_eq!(settle(&log), Err(reason));
    assert!(log.faults.is_empty());
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_opened() {
    let path = file("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let log = DialogueLog::new();
    for path in [&path, Path::new("/dev/null"), &std::env::temp_dir()] {
        log.set_file(Some(path));
        let error = settle(&log).unwrap_err();
        assert!(error.contains("regular"), "{}: {error}", path.display());
    }
    std::fs::remove_file(&path).unwrap();
}
