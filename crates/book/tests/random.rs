//! Tests with books of random games: what is written is read back, and a book in memory, a book on
//! the fly and a plain list of all lines agree.

use std::collections::HashMap;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tsumero_book::{Book, BookError, Collection, CollectionOptions, Lookup};
use tsumero_core::Position;

/// Positions of random games, with the moves played there.
struct Games {
    book: Vec<u8>,
    /// The moves of each SFEN with their counts, collected without the crate.
    played: HashMap<String, HashMap<String, u64>>,
    positions: Vec<Position>,
}

const PLIES: u32 = 12;

fn games(count: usize, seed: u64) -> Games {
    let mut random = StdRng::seed_from_u64(seed);
    let options = CollectionOptions { plies: PLIES, ignore_ply: false };
    let mut collection = Collection::new(options);
    let mut played: HashMap<String, HashMap<String, u64>> = HashMap::new();
    let mut positions = Vec::new();
    for _ in 0..count {
        let mut position = Position::startpos();
        // Goes on beyond the book, until pieces are in hand.
        for _ in 0..60 {
            let moves = position.legal_moves();
            // A narrow choice, so that games meet.
            let narrow = moves.len().min(if position.ply() < 8 { 3 } else { 200 });
            if narrow == 0 {
                break;
            }
            let mv = moves[random.random_range(0..narrow)];
            collection.add_played(&position, mv, None, None);
            if position.ply() <= PLIES {
                let counts = played.entry(position.to_sfen()).or_default();
                *counts.entry(mv.to_string()).or_default() += 1;
            }
            positions.push(position.clone());
            position.play_unchecked(mv);
        }
    }
    let mut book = Vec::new();
    assert_eq!(collection.write(&mut book, 0).unwrap(), played.len());
    Games { book, played, positions }
}

fn found(book: &Book, position: &Position, lookup: Lookup) -> HashMap<String, u64> {
    let entries = book.find(position, lookup).unwrap();
    entries.iter().map(|entry| (entry.mv.to_string(), entry.count.unwrap())).collect()
}

/// A file has one position, which all threads move.
#[test]
fn threads_share_a_book_that_is_searched_on_the_fly() {
    let Games { book, played, positions } = games(100, 3);
    let path = std::env::temp_dir().join(format!("tsumero-shared-book-{}", std::process::id()));
    std::fs::write(&path, &book).unwrap();
    let book = Book::open_sorted(&path).unwrap();
    let plain = Lookup { flipped: false, ..Lookup::default() };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for position in &positions {
                    let expected = played.get(&position.to_sfen()).cloned().unwrap_or_default();
                    assert_eq!(found(&book, position, plain), expected, "{position}");
                }
            });
        }
    });
    drop(book);
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn everything_written_is_found_in_memory_and_on_the_fly() {
    let Games { book, played, positions } = games(400, 1);
    let memory = Book::from_bytes(book.clone()).unwrap();
    let sorted = Book::from_sorted_bytes(book).unwrap();
    assert_eq!(memory.positions(), Some(played.len()));
    let (mut hits, mut misses) = (0, 0);
    for position in &positions {
        let plain = Lookup { flipped: false, ..Lookup::default() };
        let expected = played.get(&position.to_sfen()).cloned().unwrap_or_default();
        assert_eq!(found(&memory, position, plain), expected, "{position}");
        for ignore_ply in [false, true] {
            for flipped in [false, true] {
                let lookup = Lookup { ignore_ply, flipped };
                let in_memory = memory.find(position, lookup).unwrap();
                assert_eq!(in_memory, sorted.find(position, lookup).unwrap(), "{position}");
            }
        }
        *if expected.is_empty() { &mut misses } else { &mut hits } += 1;
    }
    assert!(hits > 4000 && misses > 10_000, "{hits} {misses}");
}

#[test]
fn a_book_of_another_hand_order_and_line_end_is_the_same() {
    let Games { book, positions, .. } = games(60, 2);
    let text = String::from_utf8(book.clone()).unwrap();
    // Pawns first, White before Black.
    let other_order = |line: &str| {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        if words[0] != "sfen" {
            return line.to_owned();
        }
        let mut groups: Vec<String> = Vec::new();
        for letter in words[3].chars() {
            match groups.last_mut() {
                Some(group) if group.ends_with(|c: char| c.is_ascii_digit()) => group.push(letter),
                _ => groups.push(letter.to_string()),
            }
        }
        groups.reverse();
        words[3] = groups.concat();
        words.join(" ")
    };
    // Positions are ordered by their text, so the blocks must be sorted again.
    let mut blocks: Vec<String> = text
        .split("sfen ")
        .skip(1)
        .map(|block| {
            let lines: Vec<String> = format!("sfen {block}").lines().map(other_order).collect();
            lines.join("\r\n") + "\r\n"
        })
        .collect();
    blocks.sort();
    let other = format!("\u{feff}#YANEURAOU-DB2016 1.00\r\n// a comment\r\n{}", blocks.concat());
    assert_ne!(other.replace('\r', ""), text);
    let books = [
        Book::from_bytes(book).unwrap(),
        Book::from_bytes(other.clone().into_bytes()).unwrap(),
        Book::from_sorted_bytes(other.into_bytes()).unwrap(),
    ];
    for position in &positions {
        let [first, rest @ ..] =
            books.each_ref().map(|book| book.find(position, Lookup::default()).unwrap());
        assert_eq!(rest, [first.clone(), first], "{position}");
    }
}

/// The position with the board turned around, made from the text without the crate.
fn turned(position: &Position) -> Position {
    let sfen = position.to_sfen();
    let words: Vec<&str> = sfen.split(' ').collect();
    let swap = |c: char| {
        if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
    };
    let ranks = words[0].split('/').rev().map(|rank| {
        let mut squares: Vec<String> = Vec::new();
        for letter in rank.chars() {
            match squares.last_mut() {
                Some(square) if square == "+" => square.push(swap(letter)),
                _ => squares.push(swap(letter).to_string()),
            }
        }
        squares.reverse();
        squares.concat()
    });
    let board = ranks.collect::<Vec<_>>().join("/");
    let hands: String = words[2].chars().map(swap).collect();
    let side = if words[1] == "b" { "w" } else { "b" };
    format!("{board} {side} {hands} {}", words[3]).parse().unwrap()
}

#[test]
fn turned_positions_are_found_with_turned_moves() {
    let Games { book, positions, .. } = games(60, 3);
    let books = [Book::from_bytes, Book::from_sorted_bytes].map(|open| open(book.clone()).unwrap());
    let mut hits = 0;
    for position in &positions {
        let other = turned(position);
        for book in &books {
            let plain = book.find(position, Lookup { flipped: false, ignore_ply: false }).unwrap();
            let flipped = book.find(&other, Lookup::default()).unwrap();
            assert_eq!(plain.len(), flipped.len(), "{position}");
            for (plain, flipped) in plain.iter().zip(&flipped) {
                // The same move leads to the same position, turned around.
                let mut here = position.clone();
                here.play_unchecked(here.validate(plain.mv).unwrap());
                let mut there = other.clone();
                there.play_unchecked(there.validate(flipped.mv).unwrap());
                assert_eq!(turned(&here), there, "{position}");
                hits += 1;
            }
            let off = Lookup { flipped: false, ignore_ply: false };
            if !plain.is_empty() && position.ply() > 1 {
                assert!(book.find(&other, off).unwrap().is_empty(), "{position}");
            }
        }
    }
    assert!(hits > 1000, "{hits}");
}

#[test]
fn a_file_is_searched_where_it_is() {
    let Games { book, positions, .. } = games(100, 4);
    let path = std::env::temp_dir().join(format!("tsumero-book-{}.db", std::process::id()));
    std::fs::write(&path, &book).unwrap();
    let loaded = Book::open(&path).unwrap();
    let sorted = Book::open_sorted(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(sorted.positions(), None);
    let mut hits = 0;
    for position in &positions {
        let entries = loaded.find(position, Lookup::default()).unwrap();
        assert_eq!(entries, sorted.find(position, Lookup::default()).unwrap(), "{position}");
        hits += usize::from(!entries.is_empty());
    }
    assert!(hits > 1000, "{hits}");
}

/// More comments than the start that is checked.
#[test]
fn a_long_preface_is_skipped_on_the_fly() {
    let line = format!("# {}\n", "x".repeat(1000));
    let start = Position::startpos();
    let book = format!("{}sfen {start}\n7g7f none 0 32 1\n", line.repeat(200));
    for open in [Book::from_bytes, Book::from_sorted_bytes] {
        let book = open(book.clone().into_bytes()).unwrap();
        assert_eq!(book.find(&start, Lookup::default()).unwrap().len(), 1);
    }
}

/// A way to make a book of bytes.
type Open = fn(Vec<u8>) -> Result<Book, BookError>;

#[test]
fn bad_books_are_refused_with_the_place_and_the_reason() {
    let start = format!("sfen {}\n", Position::startpos());
    let good = format!("{start}7g7f 3c3d 0 32 1\n");
    let long = format!("{start}{}\n", "x".repeat(5000));
    let unsorted = format!("{}{good}", good.replace("LNSGKGSNL b", "LNSGKGSNL w"));
    let (memory, sorted): (Open, Open) = (Book::from_bytes, Book::from_sorted_bytes);
    for (text, open, message) in [
        ("", memory, "line 1: there is no position in the file"),
        ("# only a comment\n\n", sorted, "line 2: there is no position in the file"),
        (&"# a comment\n".repeat(9000), sorted, "byte 0: there is no position in the file"),
        ("7g7f 3c3d\n", memory, "line 1: not a position: 'sfen'"),
        ("hello\n", sorted, "line 1: not a position: 'sfen'"),
        ("PK\u{3}\u{4}\u{0}\u{0}", memory, "line 1: not a position"),
        ("sfen 9/9 b - 1\n", memory, "line 1: not a position: the board"),
        ("sfen startpos\n", memory, "line 1: not a position"),
        (&format!("{good}7g7\n"), memory, "line 3: '7g7' is not a move"),
        (&format!("{good}7g7f 3c3d 1,5\n"), sorted, "line 3: the value '1,5' is not a number"),
        (&format!("{good}2g2f none 5000000000\n"), memory, "line 3: the value '5000000000' is too"),
        (
            &format!("{good}2g2f none 1 4294967296\n"),
            sorted,
            "line 3: the depth '4294967296' is too",
        ),
        (&long, memory, "line 2: a line of more than 4096 bytes"),
        (&long, sorted, "line 2: a line of more than 4096 bytes"),
        (&unsorted, sorted, "not sorted"),
    ] {
        let error = open(text.as_bytes().to_vec()).unwrap_err();
        let error = error.to_string();
        assert!(error.contains(message), "{text}: {error}");
        assert!(error.is_ascii() && !error.contains('\n'), "{error}");
    }
    // In memory the order does not matter.
    assert!(Book::from_bytes(unsorted.into_bytes()).is_ok());
    let missing = Book::open("/no/such/book.db").unwrap_err();
    assert_eq!(missing.to_string(), "no such file");
    let denied = std::io::ErrorKind::PermissionDenied;
    let refused = BookError::from(std::io::Error::from(denied));
    assert_eq!(refused.to_string(), format!("the file cannot be read: {denied}"));
    for opened in [Book::open(std::env::temp_dir()), Book::open_sorted(std::env::temp_dir())] {
        let folder = opened.unwrap_err();
        assert_eq!(folder.to_string(), "the file cannot be read: it is a folder");
    }
}

/// A fault that the first check does not see is found when it is read, and nothing panics.
#[test]
fn damage_is_found_where_it_is_read() {
    /// The part that is always checked.
    const START: usize = 1 << 16;
    let Games { book, positions, .. } = games(200, 5);
    let mut random = StdRng::seed_from_u64(6);
    let (mut errors, mut refused) = (0, 0);
    for _ in 0..40 {
        let mut damaged = book.clone();
        for _ in 0..5 {
            let at = random.random_range(START..damaged.len());
            damaged[at] = random.random();
        }
        refused += usize::from(Book::from_bytes(damaged.clone()).is_err());
        let Ok(book) = Book::from_sorted_bytes(damaged) else { continue };
        for position in positions.iter().step_by(20) {
            if let Err(error) = book.find(position, Lookup::default()) {
                assert!(error.to_string().starts_with("byte "), "{error}");
                errors += 1;
            }
        }
    }
    assert!(errors > 0 && refused > 20, "{errors} {refused}");
}
