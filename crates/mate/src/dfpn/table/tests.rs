//! Tests of how results are packed, found, replaced and shared by threads.

use super::*;
use rand::prelude::*;
use tsumero_core::PieceKind;

impl Table {
    /// Limits the table to this many buckets, a power of two.
    pub(crate) fn confine(&mut self, buckets: usize) {
        self.memory = ZeroedSlice::new(buckets).unwrap();
        *self.buckets.get_mut() = buckets;
    }
}

fn pawns(count: u32) -> Hand {
    Hand::EMPTY.with_count(PieceKind::Pawn, count)
}

/// The first numbers of SplitMix64 with seed 0, as published with it.
#[test]
fn words_are_mixed_as_in_splitmix64() {
    const NUMBERS: [u64; 3] = [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f];
    assert_eq!(mixed(&[0]), NUMBERS[0]);
    assert_eq!(mixed(&[0, 0]), NUMBERS[0] ^ NUMBERS[1]);
    assert_eq!(mixed(&[0, 0, 0]), NUMBERS[0] ^ NUMBERS[1] ^ NUMBERS[2]);
}

#[test]
fn packed_entries_are_unpacked_as_they_were() {
    let mut random = StdRng::seed_from_u64(5);
    for _ in 0..10_000 {
        let hand = PieceKind::HAND.into_iter().fold(Hand::EMPTY, |hand, kind| {
            hand.with_count(kind, random.random_range(0..=Hand::limit(kind)))
        });
        let entry = StoredPosition {
            hand,
            best: random.random(),
            ply: random.random_range(0..=LATEST),
            numbers: Numbers { proof: random.random(), disproof: random.random() },
            mate: random.random_range(0..=UNBOUNDED + 1),
            none: random.random_range(0..=UNBOUNDED + 1),
            effort: random.random(),
            path_dependent: random.random(),
        };
        assert_eq!(StoredPosition::unpack(entry.pack()), entry);
        let late = StoredPosition { ply: random.random_range(LATEST..=u16::MAX), ..entry };
        assert_eq!(StoredPosition::unpack(late.pack()), StoredPosition { ply: LATEST, ..late });
    }
}

/// The tag of an empty slot is 0, and no key may have it.
#[test]
fn every_key_can_be_found() {
    let table = Table::new(1).unwrap();
    for key in [0, 1, 1 << 32, 2 << 32, 3 << 32, u64::MAX] {
        table.store_mate(key, Hand::EMPTY, 5, 1, 1);
        assert!(matches!(table.look_up(key, Hand::EMPTY, 5), Known::Mate { .. }), "{key:x}");
    }
}

fn used(table: &Table) -> usize {
    table.usage.used.load(Ordering::Relaxed)
}

#[test]
fn a_result_takes_the_place_of_what_it_makes_useless() {
    // A mate in 7 with one pawn: what else was known, and how many entries are left.
    let one_pawn = pawns(1);
    type Store = fn(&Table);
    let cases: [(Store, usize); 9] = [
        (|table| table.store_mate(1, pawns(2), 7, 1, 1), 1),
        (|table| table.store_mate(1, pawns(2), 9, 1, 1), 1),
        (|table| table.store_open(1, pawns(2), Numbers::UNSEEN, 3, 1), 1),
        (|table| table.store_mate(1, pawns(1), 9, 1, 1), 1),
        // A shorter mate, a bound, or a hand that is not larger, says something else.
        (|table| table.store_mate(1, pawns(2), 6, 1, 1), 2),
        (|table| table.store_mate(1, pawns(2), 5, 1, 1), 2),
        (|table| table.store_no_mate(1, pawns(2), 5, 1), 2),
        (|table| table.store_mate(1, Hand::EMPTY.with_count(PieceKind::Gold, 4), 7, 1, 1), 2),
        (|table| table.store_mate(2, pawns(2), 7, 1, 1), 2),
    ];
    for (number, (store, left)) in cases.into_iter().enumerate() {
        let table = Table::new(1).unwrap();
        store(&table);
        assert_eq!(used(&table), 1);
        table.store_mate(1, one_pawn, 7, 1, 1);
        assert_eq!(used(&table), left, "case {number}");
        assert!(matches!(table.look_up(1, one_pawn, 7), Known::Mate { length: 7, .. }));
    }
}

#[test]
fn no_mate_at_all_takes_the_place_of_smaller_hands() {
    let four_golds = Hand::EMPTY.with_count(PieceKind::Gold, 4);
    type Store = fn(&Table, Hand);
    let no_mate: Store = |table, hand| table.store_no_mate(1, hand, UNBOUNDED, 1);
    let none_within_5: Store = |table, hand| table.store_no_mate(1, hand, 5, 1);
    let mate: Store = |table, hand| table.store_mate(1, hand, 7, 1, 1);
    let open: Store = |table, hand| table.store_open(1, hand, Numbers::UNSEEN, 1, 1);
    for (earlier, hand, later, left) in [
        (no_mate, pawns(1), no_mate, 1),
        (none_within_5, pawns(1), no_mate, 1),
        (open, pawns(1), no_mate, 1),
        (no_mate, pawns(2), no_mate, 1),
        (mate, pawns(1), no_mate, 2),
        (open, four_golds, no_mate, 2),
        (no_mate, pawns(1), none_within_5, 2),
        (none_within_5, pawns(1), none_within_5, 2),
    ] {
        let table = Table::new(1).unwrap();
        earlier(&table, hand);
        later(&table, pawns(2));
        assert_eq!(used(&table), left);
        assert_eq!(table.bucket(1).used().count(), left);
    }
}

#[test]
fn what_is_left_in_a_bucket_moves_together() {
    let table = Table::new(1).unwrap();
    let golds = |count| Hand::EMPTY.with_count(PieceKind::Gold, count);
    for count in 2..=5 {
        table.store_mate(1, pawns(count), 7, 1, 1);
        table.store_mate(1, golds(count - 1), 7, 1, 1);
    }
    // All four entries with pawns go, and those with golds stay.
    table.store_mate(1, pawns(1), 7, 9, 1);
    assert_eq!((used(&table), table.bucket(1).used().count()), (5, 5));
    for count in 1..=4 {
        let known = table.look_up(1, golds(count), 7);
        assert!(matches!(known, Known::Mate { .. }), "{known:?}");
    }
    assert!(matches!(table.look_up(1, pawns(3), 7), Known::Mate { .. }));
}

#[test]
fn a_longer_mate_changes_nothing() {
    let table = Table::new(1).unwrap();
    for (length, best, known_length, known_best) in
        [(7, 1, 7, 1), (7, 2, 7, 1), (9, 3, 7, 1), (5, 4, 5, 4)]
    {
        table.store_mate(1, pawns(1), length, best, 1);
        let known = Known::Mate { length: known_length, hand: pawns(1), best: known_best };
        assert_eq!(table.look_up(1, pawns(1), 99), known);
    }
}

#[test]
fn a_path_without_a_mate_is_remembered() {
    let table = Table::new(1).unwrap();
    table.store_path_dependent(1, pawns(1), 1);
    let known = table.look_up(1, pawns(1), 7);
    assert!(matches!(known, Known::Open { seen: true, path_dependent: true, .. }), "{known:?}");
}

#[test]
fn the_table_grows_when_a_third_of_it_is_full_up_to_its_last_bucket() {
    let table = Table::new(1).unwrap();
    let mut random = StdRng::seed_from_u64(6);
    let mut store = || table.store_open(random.random(), pawns(0), Numbers::UNSEEN, 1, 1);
    let buckets = || table.buckets.load(Ordering::Relaxed);
    while used(&table) < FIRST_BUCKETS * SLOTS / 3 {
        assert_eq!(buckets(), FIRST_BUCKETS);
        store();
    }
    assert_eq!(buckets(), FIRST_BUCKETS);
    for splits in [1, 2] {
        store();
        assert_eq!(buckets(), FIRST_BUCKETS + splits * SPLITS);
    }
    (0..20_000).for_each(|_| store());
    assert_eq!(buckets(), table.memory.len());
}

#[test]
fn used_slots_are_counted_once() {
    let mut table = Table::new(1).unwrap();
    table.confine(1);
    for key in 0..SLOTS as u64 + 5 {
        for effort in [1, 2] {
            table.store_open(key << 33, pawns(0), Numbers::UNSEEN, 1, effort);
            assert_eq!(used(&table), SLOTS.min(key as usize + 1));
        }
    }
}

/// Threads that write one bucket at once count some slots twice, or not at all.
#[test]
fn a_wrong_count_of_slots_stays_within_the_table() {
    let table = Table::new(1).unwrap();
    table.store_mate(1, pawns(2), 7, 1, 1);
    table.usage.used.store(0, Ordering::Relaxed);
    // It removes the only entry, and adds one.
    table.store_mate(1, pawns(1), 7, 1, 1);
    assert_eq!((used(&table), table.bucket(1).used().count()), (1, 1));
    table.usage.used.store(table.usage.slots + 100, Ordering::Relaxed);
    assert_eq!(table.hashfull(), 1000);
}

#[test]
fn a_mate_holds_with_more_in_hand_and_no_mate_with_less() {
    let table = Table::new(1).unwrap();
    table.store_mate(1, pawns(3), 7, 99, 1);
    table.store_no_mate(1, pawns(1), UNBOUNDED, 1);
    assert_eq!(table.look_up(1, pawns(5), 9), Known::Mate { length: 7, hand: pawns(3), best: 99 });
    assert_eq!(table.look_up(1, pawns(0), 9), Known::NoMate { length: UNBOUNDED, hand: pawns(1) });
    assert!(matches!(table.look_up(1, pawns(2), 9), Known::Open { seen: false, .. }));
    assert!(matches!(table.look_up(1, pawns(5), 5), Known::Open { .. }), "not within 5 plies");
    assert!(matches!(table.look_up(2, pawns(5), 9), Known::Open { seen: false, .. }));
}

#[test]
fn a_position_without_numbers_borrows_those_of_other_hands() {
    let table = Table::new(1).unwrap();
    let numbers = |proof, disproof| Numbers { proof, disproof };
    table.store_open(1, pawns(1), numbers(30, 4), 9, 1);
    table.store_open(1, pawns(3), numbers(20, 50), 7, 1);
    table.store_open(1, Hand::EMPTY.with_count(PieceKind::Gold, 1), numbers(5, 900), 3, 1);
    let open = |numbers, ply, seen| Known::Open { numbers, ply, seen, path_dependent: false };
    let look_up = |key, hand, ply| table.look_up_with_loans(key, hand, 9, ply);
    // With fewer pieces no easier to prove, with more no easier to disprove.
    assert_eq!(look_up(1, pawns(0), 99), open(numbers(30, 1), 3, false));
    assert_eq!(look_up(1, pawns(2), 99), open(numbers(20, 4), 7, false));
    assert_eq!(look_up(1, pawns(4), 99), open(numbers(1, 50), 7, false));
    assert_eq!(look_up(2, pawns(2), 99), open(Numbers::UNSEEN, u16::MAX, false));
    // Only positions nearer to the root lend.
    assert_eq!(look_up(1, pawns(2), 9), open(numbers(20, 1), 7, false));
    assert_eq!(look_up(1, pawns(2), 7), open(Numbers::UNSEEN, u16::MAX, false));
    // A position with numbers of its own borrows none.
    assert_eq!(look_up(1, pawns(1), 99), open(numbers(30, 4), 9, true));
    table.store_open(1, pawns(2), numbers(2, 3), 11, 1);
    assert_eq!(look_up(1, pawns(2), 99), open(numbers(2, 3), 11, true));
    // A mate that is too long to answer says nothing of the numbers that led to it, nor does the
    // proof that there is none within fewer plies.
    table.store_mate(1, pawns(3), 99, 1, 1);
    table.store_no_mate(1, pawns(1), 5, 1);
    assert_eq!(look_up(1, pawns(4), 99), open(numbers(1, 4), 9, false));
    assert_eq!(look_up(1, pawns(0), 99), open(numbers(20, 1), 3, false));
}

#[test]
fn no_mate_within_a_length_says_nothing_of_longer_ones() {
    let table = Table::new(1).unwrap();
    table.store_no_mate(1, pawns(1), 5, 1);
    assert!(matches!(table.look_up(1, pawns(1), 5), Known::NoMate { length: 5, .. }));
    for longer in [6, 7] {
        assert!(matches!(table.look_up(1, pawns(1), longer), Known::Open { seen: true, .. }));
    }
    table.store_mate(1, pawns(1), 7, 3, 1);
    assert!(matches!(table.look_up(1, pawns(1), 5), Known::NoMate { length: 5, .. }));
    assert!(matches!(table.look_up(1, pawns(1), 7), Known::Mate { length: 7, .. }));
}

#[test]
fn nothing_is_lost_while_the_table_grows() {
    let mut random = StdRng::seed_from_u64(1);
    let table = Table::new(4).unwrap();
    let keys: Vec<u64> = (0..40_000).map(|_| random.random()).collect();
    for (number, &key) in keys.iter().enumerate() {
        let numbers = Numbers { proof: number as Number, disproof: 7 };
        table.store_open(key, pawns(2), numbers, 5, 1);
    }
    let lost = keys.iter().enumerate().filter(|&(number, &key)| {
        let numbers = Numbers { proof: number as Number, disproof: 7 };
        table.look_up(key, pawns(2), 9)
            != Known::Open { numbers, ply: 5, seen: true, path_dependent: false }
    });
    assert_eq!(lost.count(), 0);
    assert_eq!(table.hashfull(), 40_000 * 1000 / (4 * 2048 * SLOTS as u32));
}

/// A slot with words of two entries is never found.
#[test]
fn a_mixture_of_two_entries_fits_no_key() {
    let entry = |hand, proof, disproof, effort| StoredPosition {
        hand: pawns(hand),
        best: 0,
        ply: 3,
        numbers: Numbers { proof, disproof },
        mate: 0,
        none: 0,
        effort,
        path_dependent: false,
    };
    let key = 0x1234_5678_9abc_def1;
    // The two entries differ by the same bits in two of their words.
    let (one, other) = (entry(1, 5, 7, 5), entry(1, 4, 7, 4));
    let (with, without) = (entry(2, 5, 7, 2), entry(1, 5, 7, 1));
    for (one, other) in [(one, other), (with, without)] {
        let (one, other) = (one.pack(), other.pack());
        let differences: Vec<u64> = (0..3).map(|i| one[i] ^ other[i]).collect();
        assert!(differences.iter().filter(|&&d| d == differences[2]).count() == 2);
        for mask in 1..7usize {
            let bucket: Bucket = Zeroable::zeroed();
            bucket.put(0, key, one);
            for place in (0..3).filter(|place| mask >> place & 1 != 0) {
                bucket.slots[0][place + 1].store(other[place], Ordering::Relaxed);
            }
            let (found, words) = read(&bucket.slots[0]);
            assert_eq!(found == key, words == one, "{mask}");
        }
    }
}

/// Many threads write a few buckets while others read them. Everything in an entry follows from
/// its key and hand, so a mixture of entries would show.
#[test]
fn threads_never_see_an_entry_that_nobody_wrote() {
    let mut table = Table::new(1).unwrap();
    table.confine(2);
    let numbers = |key: u64, hand: u32, version: u32| Numbers {
        proof: key as Number * 1000 + hand * 10 + version,
        disproof: key as Number * 1000 + hand * 10 + version,
    };
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let table = &table;
            scope.spawn(move || {
                let mut random = StdRng::seed_from_u64(seed);
                for _ in 0..100_000 {
                    let (key, hand) = (random.random_range(1..6), random.random_range(1..4));
                    if random.random_bool(0.5) {
                        let version = random.random_range(0..10);
                        let numbers = numbers(key, hand, version);
                        table.store_open(key, pawns(hand), numbers, key as u16, 1);
                    } else if let Known::Open { numbers: found, ply, seen: true, .. } =
                        table.look_up(key, pawns(hand), 9)
                    {
                        assert_eq!(ply, key as u16);
                        assert_eq!(found.proof, found.disproof);
                        assert_eq!(found.proof / 10 * 10, numbers(key, hand, 0).proof);
                    }
                }
            });
        }
    });
}

#[test]
fn a_full_bucket_gives_up_what_cost_least() {
    let mut table = Table::new(1).unwrap();
    table.confine(1);
    for key in 1..=SLOTS as u64 {
        table.store_no_mate(key, pawns(1), 5, 100 + key as u32);
    }
    table.store_no_mate(77, pawns(1), 5, 1000);
    assert!(matches!(table.look_up(1, pawns(1), 5), Known::Open { .. }));
    assert!(matches!(table.look_up(2, pawns(1), 5), Known::NoMate { .. }));
    assert!(matches!(table.look_up(77, pawns(1), 5), Known::NoMate { .. }));
}
