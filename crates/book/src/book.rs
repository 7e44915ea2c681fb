//! Opening books: finding positions in memory or in a sorted file.

use std::cmp::Ordering;
use std::fs::File;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::{self, Cursor, ErrorKind, Read, Seek};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tsumero_core::Position;

use crate::book_move::BookMove;
use crate::key::{Fields, Key, turned};
use crate::lines::{LONGEST_LINE, Lines};
use crate::{BookError, Place};

/// An open book.
///
/// A book in memory is checked completely when it is opened, and its positions may come in any
/// order. A book that is searched on the fly must be sorted by its position lines, as books usually
/// are. A sample is checked when it is opened, and the rest when it is read.
///
/// ```
/// use tsumero_book::{Book, Lookup};
/// use tsumero_core::Position;
/// let folder = std::env::temp_dir().join(format!("tsumero-example-book-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// let (path, start) = (folder.join("book.db"), Position::startpos());
/// std::fs::write(&path, format!("sfen {start}\n7g7f 3c3d 20 32 5\n2g2f 8c8d 25 32 9\n"))?;
/// let in_memory = Book::open(&path)?;
/// assert_eq!(in_memory.positions(), Some(1));
/// // A book that is too large for memory is searched in its file.
/// let on_the_fly = Book::open_sorted(&path)?;
/// let moves = on_the_fly.find(&start, Lookup::default())?;
/// assert_eq!(moves.iter().max_by_key(|entry| entry.value).unwrap().mv.to_string(), "2g2f");
/// # drop(on_the_fly);
/// std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Book {
    source: Source,
}

#[derive(Debug)]
enum Source {
    Memory {
        bytes: Vec<u8>,
        index: Vec<Slot>,
    },
    SortedMemory(Vec<u8>),
    /// All lookups move the file's one position, so each has the file to itself.
    SortedFile(Mutex<File>),
}

/// The place of a position in a book in memory. Slots are sorted by hash, and equal ones by their
/// order in the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Slot {
    hash: u64,
    offset: u64,
}

/// How a position is looked up.
///
/// This book knows the start of the game for Black only. The position that is looked up is the same
/// with White to move, one move later:
///
/// ```
/// use tsumero_book::{Book, Lookup};
/// use tsumero_core::Position;
/// let start = Position::startpos().to_string();
/// let book = Book::from_bytes(format!("sfen {start}\n7g7f 3c3d\n").into_bytes())?;
/// let position: Position = start.replace("b - 1", "w - 2").parse()?;
/// assert!(book.find(&position, Lookup::default())?.is_empty());
/// let lookup = Lookup { ignore_ply: true, flipped: true };
/// assert_eq!(book.find(&position, lookup)?[0].mv.to_string(), "3c3d");
/// assert!(book.find(&position, Lookup { flipped: false, ..lookup })?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lookup {
    /// Whether to ignore the number of the move.
    pub ignore_ply: bool,
    /// Whether to look up a missing position again with the board turned around and the colors
    /// exchanged.
    pub flipped: bool,
}

impl Default for Lookup {
    /// The defaults of YaneuraOu: the number of the move counts, and the turned position is looked
    /// up.
    fn default() -> Lookup {
        Lookup { ignore_ply: false, flipped: true }
    }
}

/// The largest file that is read into memory, in bytes.
const LARGEST: u64 = 2 << 30;
/// The largest distance to the next position in a sorted file, in bytes. The moves of a position
/// take much less.
const LONGEST_WAY: u64 = 1 << 20;
/// The number of places that are sampled to see whether a file is sorted.
const SAMPLES: u64 = 64;
/// The largest number of move lines that are read for a position. No position has as many legal
/// moves.
const MOST_ENTRIES: usize = 600;

/// The meaning of a line.
enum Meaning<'a> {
    Nothing,
    Position(&'a [u8]),
    Move(&'a [u8]),
}

fn meaning(line: &[u8]) -> Meaning<'_> {
    let line = line.trim_ascii();
    match line.strip_prefix(b"sfen") {
        Some(fields) if fields.first().is_some_and(u8::is_ascii_whitespace) => {
            Meaning::Position(fields)
        }
        _ if line.is_empty() || line.starts_with(b"#") || line.starts_with(b"//") => {
            Meaning::Nothing
        }
        _ => Meaning::Move(line),
    }
}

const NO_POSITION_AT_ALL: &str = "there is no position in the file";
const NO_POSITION: &str = "not a position: 'sfen', board, side to move, hands and a number";

fn read_fields(fields: &[u8]) -> Result<Fields<'_>, String> {
    Fields::split(fields).ok_or_else(|| NO_POSITION.to_owned())
}

fn read_key(fields: &[u8]) -> Result<Key, String> {
    read_fields(fields)?.key().map_err(|reason| format!("not a position: {reason}"))
}

fn read_entry(line: &[u8]) -> Result<Option<BookMove>, String> {
    BookMove::read(&String::from_utf8_lossy(line))
}

fn too_long() -> String {
    format!("a line of more than {LONGEST_LINE} bytes is not one of a book")
}

fn hash_of(text: &str) -> u64 {
    // The hash keys are the same in every run, although nothing depends on that.
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Opens a file, and tells its length. A folder cannot be read, and opening a pipe may block.
fn open_regular(path: &Path) -> io::Result<(File, u64)> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(ErrorKind::InvalidInput.into());
    }
    Ok((File::open(path)?, metadata.len()))
}

impl Book {
    /// Reads a file into memory.
    ///
    /// # Errors
    /// The file cannot be read, or it is not a book: the first wrong place, and the reason.
    pub fn open(path: impl AsRef<Path>) -> Result<Book, BookError> {
        let (mut file, length) = open_regular(path.as_ref())?;
        if length > LARGEST {
            return Err(BookError::TooLarge(length));
        }
        let mut bytes = Vec::new();
        let room = usize::try_from(length).unwrap_or(usize::MAX);
        bytes.try_reserve(room).map_err(|_| BookError::TooLarge(length))?;
        file.read_to_end(&mut bytes)?;
        Book::from_bytes(bytes)
    }

    /// Opens a sorted file, which is searched on the fly.
    ///
    /// # Errors
    /// As for [`Book::open`], but faults beyond a sample are found when they are read.
    pub fn open_sorted(path: impl AsRef<Path>) -> Result<Book, BookError> {
        Book::sorted(Source::SortedFile(Mutex::new(open_regular(path.as_ref())?.0)))
    }

    /// A book from the bytes of a file.
    ///
    /// # Errors
    /// The first wrong place, and the reason.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Book, BookError> {
        let mut index = Vec::new();
        check(&bytes, true, &mut |key, offset| {
            index.try_reserve(1).map_err(|_| BookError::TooLarge(bytes.len() as u64))?;
            index.push(Slot { hash: hash_of(&key.text), offset });
            Ok(())
        })?;
        index.shrink_to_fit();
        index.sort_unstable();
        Ok(Book { source: Source::Memory { bytes, index } })
    }

    /// A book from the bytes of a sorted file, which are searched like the file itself.
    ///
    /// # Errors
    /// As for [`Book::open_sorted`].
    pub fn from_sorted_bytes(bytes: Vec<u8>) -> Result<Book, BookError> {
        Book::sorted(Source::SortedMemory(bytes))
    }

    /// A book that is searched on the fly. Its source must look sorted.
    fn sorted(source: Source) -> Result<Book, BookError> {
        match &source {
            Source::SortedFile(file) => Sorted::new(&*lock(file))?.check_samples()?,
            Source::SortedMemory(bytes) => Sorted::new(Cursor::new(bytes))?.check_samples()?,
            Source::Memory { .. } => {}
        }
        Ok(Book { source })
    }

    /// The number of positions of a book in memory; `None` if it is searched on the fly.
    pub fn positions(&self) -> Option<usize> {
        match &self.source {
            Source::Memory { index, .. } => Some(index.len()),
            Source::SortedMemory(_) | Source::SortedFile(_) => None,
        }
    }

    /// The entries of a position in the order of the book. It is empty if there are none. The moves
    /// may be illegal.
    ///
    /// # Errors
    /// The file cannot be read, or it has a fault at a place that was not checked before.
    pub fn find(&self, position: &Position, lookup: Lookup) -> Result<Vec<BookMove>, BookError> {
        let text = &position.to_sfen_without_move_number();
        let ply = position.ply();
        let found = self.look_up(&Wanted { text, ply, ignore_ply: lookup.ignore_ply })?;
        if !found.is_empty() || !lookup.flipped {
            return Ok(found);
        }
        let text = &turned(text);
        let found = self.look_up(&Wanted { text, ply, ignore_ply: lookup.ignore_ply })?;
        Ok(found.into_iter().map(BookMove::turned).collect())
    }

    fn look_up(&self, wanted: &Wanted<'_>) -> Result<Vec<BookMove>, BookError> {
        match &self.source {
            Source::Memory { bytes, index } => look_up_in_memory(bytes, index, wanted),
            Source::SortedMemory(bytes) => Sorted::new(Cursor::new(bytes))?.look_up(wanted),
            Source::SortedFile(file) => Sorted::new(&*lock(file))?.look_up(wanted),
        }
    }
}

/// The file of a book. Every lookup begins with a seek, so one that has panicked has left nothing behind.
fn lock(file: &Mutex<File>) -> MutexGuard<'_, File> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Checks every line of a book, and passes each position with the offset of its line to `each`.
fn check(
    bytes: &[u8],
    is_whole: bool,
    each: &mut dyn FnMut(Key, u64) -> Result<(), BookError>,
) -> Result<(), BookError> {
    let mut lines = Lines::new(Cursor::new(bytes));
    let mut number = 0;
    let mut has_position = false;
    while let Some(line) = lines.next_line()? {
        number += 1;
        let bad = |reason: String| BookError::bad(Place::Line(number), reason);
        match meaning(line.text.ok_or_else(|| bad(too_long()))?) {
            Meaning::Nothing => {}
            Meaning::Position(fields) => {
                has_position = true;
                each(read_key(fields).map_err(bad)?, line.start)?;
            }
            Meaning::Move(_) if !has_position => return Err(bad(NO_POSITION.to_owned())),
            Meaning::Move(text) => _ = read_entry(text).map_err(bad)?,
        }
    }
    // The start of a long file may be comments alone.
    if has_position || !is_whole {
        Ok(())
    } else {
        Err(BookError::bad(Place::Line(number.max(1)), NO_POSITION_AT_ALL))
    }
}

/// The position that is looked for.
struct Wanted<'a> {
    /// As in a [`Key`].
    text: &'a str,
    ply: u32,
    ignore_ply: bool,
}

/// How well a position of the book matches the one that is looked for.
#[derive(PartialEq, Eq)]
enum Fit {
    /// The same, with the same number or none.
    Exact,
    /// The same with another number, if the number does not count.
    OtherPly,
    None,
}

impl Wanted<'_> {
    fn fit(&self, key: &Key) -> Fit {
        match key.ply {
            _ if key.text != self.text => Fit::None,
            None => Fit::Exact,
            Some(ply) if ply == self.ply => Fit::Exact,
            Some(_) if self.ignore_ply => Fit::OtherPly,
            Some(_) => Fit::None,
        }
    }
}

/// The entries of the best match so far: the first exact match, otherwise the first match.
#[derive(Default)]
struct BestFit {
    other_ply: Vec<BookMove>,
    exact: Vec<BookMove>,
}

impl BestFit {
    /// Considers the entries of a position. Returns whether no better match is possible.
    fn take(&mut self, fit: &Fit, entries: Vec<BookMove>) -> bool {
        match fit {
            Fit::Exact => self.exact = entries,
            Fit::OtherPly if self.other_ply.is_empty() => self.other_ply = entries,
            Fit::OtherPly | Fit::None => {}
        }
        !self.exact.is_empty()
    }

    fn entries(self) -> Vec<BookMove> {
        if self.exact.is_empty() { self.other_ply } else { self.exact }
    }
}

/// The moves in the lines up to the next position.
fn read_entries<R: Read + Seek>(lines: &mut Lines<R>) -> Result<Vec<BookMove>, BookError> {
    let mut entries = Vec::new();
    while let Some(line) = lines.next_line()? {
        let bad = |reason: String| BookError::bad(Place::Byte(line.start), reason);
        match meaning(line.text.ok_or_else(|| bad(too_long()))?) {
            Meaning::Nothing => {}
            Meaning::Position(_) => break,
            Meaning::Move(text) => entries.extend(read_entry(text).map_err(bad)?),
        }
        if entries.len() >= MOST_ENTRIES {
            break;
        }
    }
    Ok(entries)
}

fn look_up_in_memory(
    bytes: &[u8],
    index: &[Slot],
    wanted: &Wanted<'_>,
) -> Result<Vec<BookMove>, BookError> {
    let hash = hash_of(wanted.text);
    let first = index.partition_point(|slot| slot.hash < hash);
    let mut lines = Lines::new(Cursor::new(bytes));
    let mut best = BestFit::default();
    for slot in index[first..].iter().take_while(|slot| slot.hash == hash) {
        lines.go_to_line(slot.offset)?;
        let line = lines.next_line()?;
        let Some(Meaning::Position(fields)) = line.and_then(|line| line.text).map(meaning) else {
            continue;
        };
        let key = read_key(fields).map_err(|r| BookError::bad(Place::Byte(slot.offset), r))?;
        let fit = wanted.fit(&key);
        if fit != Fit::None && best.take(&fit, read_entries(&mut lines)?) {
            break;
        }
    }
    Ok(best.entries())
}

/// A sorted source that is searched in place.
struct Sorted<R> {
    lines: Lines<R>,
    length: u64,
}

/// A position line, with the data that the search needs.
struct Found {
    start: u64,
    fields: Vec<u8>,
}

impl Found {
    fn fields(&self) -> Result<Fields<'_>, BookError> {
        read_fields(&self.fields).map_err(|reason| BookError::bad(Place::Byte(self.start), reason))
    }

    fn compare(&self, other: &Fields<'_>) -> Result<Ordering, BookError> {
        Ok(self.fields()?.compare(other))
    }
}

impl<R: Read + Seek> Sorted<R> {
    fn new(mut source: R) -> Result<Sorted<R>, BookError> {
        let length = source.seek(std::io::SeekFrom::End(0))?;
        Ok(Sorted { lines: Lines::new(source), length })
    }

    /// The next position from the current place.
    fn next_position(&mut self) -> Result<Option<Found>, BookError> {
        let mut first = None;
        while let Some(line) = self.lines.next_line()? {
            let start = line.start;
            let bad = |reason: String| BookError::bad(Place::Byte(start), reason);
            match meaning(line.text.ok_or_else(|| bad(too_long()))?) {
                Meaning::Position(fields) => {
                    return Ok(Some(Found { start, fields: fields.to_vec() }));
                }
                Meaning::Nothing | Meaning::Move(_) => {}
            }
            let way = start - *first.get_or_insert(start);
            if way > LONGEST_WAY {
                return Err(bad(format!("no position within {LONGEST_WAY} bytes")));
            }
        }
        Ok(None)
    }

    /// The first position that starts at or after an offset.
    fn position_from(&mut self, offset: u64) -> Result<Option<Found>, BookError> {
        self.lines.go_to(offset)?;
        self.next_position()
    }

    /// Checks the start of the file, and samples places all over it to see whether they are sorted.
    fn check_samples(&mut self) -> Result<(), BookError> {
        self.check_start(false)?;
        let mut last: Option<Found> = None;
        for sample in 0..SAMPLES {
            let offset =
                (u128::from(self.length) * u128::from(sample) / u128::from(SAMPLES)) as u64;
            let Some(found) = self.position_from(offset)? else { break };
            read_key(&found.fields)
                .map_err(|reason| BookError::bad(Place::Byte(found.start), reason))?;
            if let Some(last) = &last
                && last.compare(&found.fields()?)? == Ordering::Greater
            {
                let reason = "the positions are not sorted, as BookOnTheFly needs them";
                return Err(BookError::bad(Place::Byte(found.start), reason));
            }
            last = Some(found);
        }
        // The start was long, and comments alone.
        match last {
            Some(_) => Ok(()),
            None => Err(BookError::bad(Place::Byte(0), NO_POSITION_AT_ALL)),
        }
    }

    /// Checks by the first lines whether the file is a book. One that is being written may have no position
    /// yet.
    fn check_start(&mut self, is_being_written: bool) -> Result<(), BookError> {
        let mut start = self.lines.read_start(1 << 16)?;
        let is_whole = start.len() as u64 == self.length;
        // The last line may be cut off.
        if !is_whole {
            let end =
                start.iter().rposition(|&byte| byte == b'\n').map_or(start.len(), |at| at + 1);
            start.truncate(end);
        }
        check(&start, is_whole && !is_being_written, &mut |_, _| Ok(()))
    }

    fn look_up(&mut self, wanted: &Wanted<'_>) -> Result<Vec<BookMove>, BookError> {
        let Some(target) = Fields::split(wanted.text.as_bytes()) else { return Ok(Vec::new()) };
        // Every position that starts before `low` comes before the target. No position that starts
        // at or after `high` does.
        let (mut low, mut high) = (0, self.length);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.position_from(middle)? {
                Some(found) if found.start < high => {
                    if found.compare(&target)? == Ordering::Less {
                        low = found.start + 1;
                    } else {
                        high = middle;
                    }
                }
                _ => high = middle,
            }
        }
        // All positions with the same board follow one another. Their hands may be written in any
        // order.
        let mut best = BestFit::default();
        let mut next = self.position_from(low)?;
        // The file was a book when it was opened. One without any position is another one, or is being
        // written.
        if next.is_none() && low == 0 {
            self.check_start(true)?;
        }
        let mut way = 0;
        while let Some(found) = next {
            if found.compare(&target)? != Ordering::Equal || way > LONGEST_WAY {
                break;
            }
            way += found.fields.len() as u64;
            let bad = |reason| BookError::bad(Place::Byte(found.start), reason);
            let fit = wanted.fit(&read_key(&found.fields).map_err(bad)?);
            if fit != Fit::None && best.take(&fit, read_entries(&mut self.lines)?) {
                break;
            }
            next = self.position_from(found.start + 1)?;
        }
        Ok(best.entries())
    }
}
