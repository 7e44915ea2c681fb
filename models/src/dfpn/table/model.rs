//! Whatever threads write at once, also while a bucket is split, a look-up finds what somebody wrote for that key, or nothing.

use tsumero_core::PieceKind;

use super::*;
use crate::explore;
use crate::threads::sync::Arc;
use crate::threads::thread;

fn pawns(count: u32) -> Hand {
    Hand::EMPTY.with_count(PieceKind::Pawn, count)
}

/// A table of one bucket that can be split once.
fn table() -> Arc<Table> {
    Arc::new(Table {
        memory: ZeroedSlice::new(2).unwrap(),
        buckets: AtomicUsize::new(1),
        usage: std::sync::Arc::new(Usage { used: AtomicUsize::new(0), slots: 2 * SLOTS }),
        path_dependent: PathDependentResults::new(1).unwrap(),
    })
}

/// Numbers that say by whom they were written.
fn numbers(key: u64, version: u32) -> Numbers {
    Numbers { proof: key as Number * 100 + version, disproof: 7 }
}

fn check(table: &Table, key: u64, hand: Hand, versions: &[u32]) {
    check_open(table.look_up(key, hand, 9), key, versions);
}

fn check_open(known: Known, key: u64, versions: &[u32]) {
    match known {
        Known::Open { seen: false, .. } => {}
        Known::Open { numbers: found, ply, .. } => {
            assert_eq!(ply, key as u16 & LATEST);
            assert!(versions.iter().any(|&version| found == numbers(key, version)), "{found:?}");
        }
        other => panic!("nobody wrote {other:?}"),
    }
}

fn store(table: &Table, key: u64, hand: Hand, version: u32) {
    table.store_open(key, hand, numbers(key, version), key as u16 & LATEST, version);
}

pub(crate) fn run() {
    explore("mate table: one entry written twice, read meanwhile", 3, || {
        let table = table();
        let (one, other) = (Arc::clone(&table), Arc::clone(&table));
        let first = thread::spawn(move || store(&one, 2, pawns(1), 5));
        let second = thread::spawn(move || store(&other, 2, pawns(1), 6));
        check(&table, 2, pawns(1), &[5, 6]);
        first.join().unwrap();
        second.join().unwrap();
        check(&table, 2, pawns(1), &[5, 6]);
    });
    // All three words differ alike (hands 1 and 2, proof numbers 205 and 206, efforts 5 and 6): plain words would cancel out.
    explore("mate table: two hands of one board, read meanwhile", 3, || {
        let table = table();
        let (one, other) = (Arc::clone(&table), Arc::clone(&table));
        let first = thread::spawn(move || store(&one, 2, pawns(1), 5));
        let second = thread::spawn(move || store(&other, 2, pawns(2), 6));
        check(&table, 2, pawns(1), &[5]);
        first.join().unwrap();
        second.join().unwrap();
        check(&table, 2, pawns(1), &[5]);
        check(&table, 2, pawns(2), &[6]);
    });
    // Results for different keys must never be taken for each other's.
    explore("mate table: a mate and no mate in one bucket, read meanwhile", 3, || {
        let table = table();
        let (one, other) = (Arc::clone(&table), Arc::clone(&table));
        let first = thread::spawn(move || one.store_mate(2, pawns(1), 7, 99, 1));
        let second = thread::spawn(move || other.store_no_mate(4, pawns(1), UNBOUNDED, 1));
        only_a_mate(&table);
        first.join().unwrap();
        second.join().unwrap();
        only_a_mate(&table);
    });
    explore("mate table: a bucket split, written and read meanwhile", 2, || {
        let table = table();
        store(&table, 2, pawns(1), 5);
        store(&table, 3, pawns(1), 6);
        let (splitter, writer) = (Arc::clone(&table), Arc::clone(&table));
        let split = thread::spawn(move || splitter.split());
        let write = thread::spawn(move || store(&writer, 5, pawns(1), 7));
        for (key, version) in [(2, 5), (3, 6), (5, 7)] {
            check(&table, key, pawns(1), &[version]);
        }
        split.join().unwrap();
        write.join().unwrap();
        for (key, version) in [(2, 5), (3, 6), (5, 7)] {
            check(&table, key, pawns(1), &[version]);
        }
    });
    // The mate makes the first entry useless, and the last one takes its place.
    explore("mate table: an entry removed, another one written, read meanwhile", 2, || {
        let table = table();
        store(&table, 2, pawns(2), 5);
        store(&table, 4, pawns(1), 6);
        let (one, other) = (Arc::clone(&table), Arc::clone(&table));
        let first = thread::spawn(move || one.store_mate(2, pawns(1), 7, 99, 1));
        let second = thread::spawn(move || store(&other, 6, pawns(1), 7));
        a_mate_or_what_it_removes(&table);
        first.join().unwrap();
        second.join().unwrap();
        a_mate_or_what_it_removes(&table);
        // What was there before is moved, and not lost.
        assert!(matches!(table.look_up(4, pawns(1), 9), Known::Open { seen: true, .. }));
    });
}

fn a_mate_or_what_it_removes(table: &Table) {
    match table.look_up(2, pawns(2), 9) {
        Known::Mate { length: 7, best: 99, hand } => assert_eq!(hand, pawns(1)),
        other => check_open(other, 2, &[5]),
    }
    check(table, 4, pawns(1), &[6]);
    check(table, 6, pawns(1), &[7]);
}

fn only_a_mate(table: &Table) {
    match table.look_up(2, pawns(1), 9) {
        Known::Mate { length: 7, best: 99, hand } => assert_eq!(hand, pawns(1)),
        Known::Open { seen: false, .. } => {}
        other => panic!("nobody wrote {other:?}"),
    }
    match table.look_up(4, pawns(1), 9) {
        Known::NoMate { length: UNBOUNDED, hand } => assert_eq!(hand, pawns(1)),
        Known::Open { seen: false, .. } => {}
        other => panic!("nobody wrote {other:?}"),
    }
}
