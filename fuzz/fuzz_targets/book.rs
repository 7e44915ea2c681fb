//! Any bytes as an opening book. Nothing panics; whatever is accepted is found in memory, sorted files
//! are searched to the same result, and a refusal is one line of ASCII.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tsumero_book::{Book, BookError, BookMove, Lookup, Policy};
use tsumero_core::Position;

/// The positions that lines of the book name, as far as they are positions, in the order of the file.
fn positions(text: &str) -> Vec<Position> {
    let lines = text.trim_start_matches('\u{feff}').lines();
    let named = lines.filter_map(|line| line.trim().strip_prefix("sfen"));
    named.filter_map(|sfen| Position::from_sfen(sfen).ok()).take(20).collect()
}

fn refused(error: &BookError) {
    let text = error.to_string();
    assert!(text.is_ascii() && !text.is_empty() && !text.contains('\n'), "{text}");
}

/// Whether the lines of positions are in the order in which a sorted book has them.
fn is_sorted(text: &str) -> bool {
    let lines = text.trim_start_matches('\u{feff}').lines();
    let named = lines.filter_map(|line| line.trim().strip_prefix("sfen"));
    let keys: Vec<Vec<&str>> =
        named.map(|sfen| sfen.split_ascii_whitespace().take(2).collect()).collect();
    keys.is_sorted()
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let books = [Book::from_bytes, Book::from_sorted_bytes].map(|open| open(data.to_vec()));
    books.iter().filter_map(|book| book.as_ref().err()).for_each(refused);
    let start = Position::startpos();
    for position in positions(&text).iter().chain([&start]) {
        for lookup in [
            Lookup::default(),
            Lookup { ignore_ply: true, flipped: true },
            Lookup { ignore_ply: false, flipped: false },
        ] {
            let found: Vec<Result<Vec<BookMove>, BookError>> =
                books.iter().flatten().map(|book| book.find(position, lookup)).collect();
            for entries in found.iter().flatten() {
                let policy = Policy { moves: u32::MAX, depth_limit: 0, ..Policy::default() };
                let selection = policy.select(position, entries);
                for chance in [0, u64::MAX / 3, u64::MAX] {
                    let chosen = selection.choose(chance);
                    assert_eq!(chosen.is_none(), selection.candidates.is_empty());
                    if let Some(chosen) = chosen {
                        assert_eq!(position.validate(chosen.entry.mv), Ok(chosen.mv));
                    }
                }
            }
            found.iter().filter_map(|found| found.as_ref().err()).for_each(refused);
            if let [Ok(in_memory), Ok(on_the_fly)] = &found[..]
                && is_sorted(&text)
            {
                assert_eq!(in_memory, on_the_fly, "{position}");
            }
        }
    }
});
