//! Whatever threads write at once, a look-up finds an entry that somebody wrote for that key, or none.

use super::*;
use crate::explore;
use crate::threads::sync::Arc;
use crate::threads::thread;

/// An entry whose parts all follow from two numbers.
fn entry(key: u64, version: u16) -> TableEntry {
    TableEntry {
        best: key as u16 * 16 + version,
        result: Some(TableResult {
            score: (key as i16 * 16 + version as i16) * 3,
            bound: Bound::Lower,
        }),
        static_eval: Some(Score::new(i32::from(version))),
        depth: version as u8,
        was_pv: version % 2 == 1,
    }
}

fn check(table: &TranspositionTable, key: u64, versions: &[u16]) {
    if let Some(found) = table.probe(key) {
        assert!(versions.iter().any(|&version| found == entry(key, version)), "{found:?}");
    }
}

pub(crate) fn run() {
    explore("search table: two entries for one slot, read meanwhile", 3, || {
        let table = Arc::new(TranspositionTable::new(1).unwrap());
        let (one, other) = (Arc::clone(&table), Arc::clone(&table));
        let first = thread::spawn(move || one.store(1, &entry(1, 5)));
        let second = thread::spawn(move || other.store(1, &entry(1, 6)));
        check(&table, 1, &[5, 6]);
        first.join().unwrap();
        second.join().unwrap();
        check(&table, 1, &[5, 6]);
    });
    explore("search table: two keys for one bucket, read meanwhile", 3, || {
        let table = Arc::new(TranspositionTable::new(1).unwrap());
        let (one, other) = (Arc::clone(&table), Arc::clone(&table));
        let first = thread::spawn(move || one.store(1, &entry(1, 5)));
        let second = thread::spawn(move || other.store(2, &entry(2, 9)));
        check(&table, 1, &[5]);
        first.join().unwrap();
        second.join().unwrap();
        check(&table, 1, &[5]);
        check(&table, 2, &[9]);
    });
    explore("search table: an entry replaced, read meanwhile", 3, || {
        let table = Arc::new(TranspositionTable::new(1).unwrap());
        for key in 1..=4 {
            table.store(key, &entry(key, 3));
        }
        let other = Arc::clone(&table);
        let write = thread::spawn(move || other.store(5, &entry(5, 9)));
        check(&table, 1, &[3]);
        check(&table, 5, &[9]);
        write.join().unwrap();
        check(&table, 5, &[9]);
    });
}
