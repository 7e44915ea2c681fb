use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::pages::WRITTEN_OVER;

/// As strictly aligned as pages allow.
#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(4096))]
struct Strict([u8; PAGE]);

/// One step too strictly aligned.
#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(8192))]
struct TooStrict([u8; 2 * PAGE]);

/// Of whose bytes one is no part of the value.
#[derive(Clone, Copy, Zeroable)]
#[repr(C)]
struct Padded {
    small: u8,
    large: u16,
}

/// A type that is asked whether threads may share and receive its values. The inherent constants come
/// first wherever their bounds hold.
struct Asked<T>(PhantomData<T>);

impl<T: Send> Asked<T> {
    const IS_SEND: bool = true;
}

impl<T: Sync> Asked<T> {
    const IS_SYNC: bool = true;
}

trait Otherwise {
    const IS_SEND: bool = false;
    const IS_SYNC: bool = false;
}

impl<T> Otherwise for Asked<T> {}

/// Whether threads may receive the values of a type, and whether they may share them.
macro_rules! send_and_sync {
    ($type:ty) => {
        (<Asked<$type>>::IS_SEND, <Asked<$type>>::IS_SYNC)
    };
}

#[test]
fn threads_share_and_receive_what_they_may_share_and_receive_of_the_values() {
    assert_eq!(send_and_sync!(ZeroedSlice<AtomicU64>), (true, true));
    assert_eq!(send_and_sync!(ZeroedBox<[u16; 9]>), (true, true));
    assert_eq!(send_and_sync!(ZeroedSlice<Cell<u64>>), (true, false));
    assert_eq!(send_and_sync!(ZeroedBox<Cell<u64>>), (true, false));
    assert_eq!(send_and_sync!(ZeroedSlice<*const u8>), (false, false));
    assert_eq!(send_and_sync!(ZeroedBox<*const u8>), (false, false));
}

#[test]
fn types_that_pages_cannot_hold_are_refused() {
    assert!(fits_pages::<u8>() && fits_pages::<Strict>() && fits_pages::<Option<&u8>>());
    assert!(!fits_pages::<()>() && !fits_pages::<[u64; 0]>());
    assert!(!fits_pages::<TooStrict>() && !fits_pages::<[TooStrict; 3]>());
    assert!(!fits_pages::<Option<Box<u8>>>(), "the box would never be dropped");
}

#[test]
fn values_are_as_aligned_as_their_type_asks() {
    let slice: ZeroedSlice<Strict> = ZeroedSlice::new(3).unwrap();
    assert!(slice.iter().all(|value| (&raw const *value).addr().is_multiple_of(PAGE)));
    let value: ZeroedBox<Strict> = ZeroedBox::new();
    assert!((&raw const *value).addr().is_multiple_of(PAGE) && value.0 == [0; PAGE]);
}

#[test]
fn a_box_starts_at_zero_and_keeps_what_is_written() {
    let mut numbers: ZeroedBox<[[u16; 300]; 4]> = ZeroedBox::new();
    assert!(numbers.as_flattened().iter().all(|&number| number == 0));
    for (number, value) in numbers.as_flattened_mut().iter_mut().enumerate() {
        *value = number as u16;
    }
    let moved = std::thread::spawn(move || numbers).join().unwrap();
    assert!(moved.as_flattened().iter().copied().eq(0..4 * 300));
}

#[test]
fn values_start_at_zero_and_keep_what_is_stored() {
    // Miri takes a thousand times as long.
    let count = if cfg!(miri) { 50 } else { 100_000 };
    let slice: ZeroedSlice<[AtomicU64; 3]> = ZeroedSlice::new(count).unwrap();
    assert_eq!(slice.len(), count);
    for (number, values) in slice.iter().enumerate() {
        assert!(values.iter().all(|value| value.load(Ordering::Relaxed) == 0));
        values[number % 3].store(number as u64 + 1, Ordering::Relaxed);
    }
    for (number, values) in slice.iter().enumerate() {
        slice.prefetch(number);
        assert_eq!(values[number % 3].load(Ordering::Relaxed), number as u64 + 1);
    }
    slice.prefetch(slice.len());
    slice.prefetch(usize::MAX);
}

#[test]
fn values_that_are_forgotten_are_out_of_reach_and_the_others_stay() {
    let mut slice: ZeroedSlice<u16> = ZeroedSlice::new(3000).unwrap();
    for (number, value) in slice.iter_mut().enumerate() {
        *value = number as u16;
    }
    slice.truncate(10);
    slice.truncate(20);
    assert!(slice.iter().copied().eq(0..10));
    assert!(slice.get(10).is_none() && slice.get_mut(10).is_none());
    slice.prefetch(10);
    // The pages keep their size.
    assert_eq!(slice.pages.touch(0, PAGE), Some(PAGE));
    slice.clear();
    assert!(slice.iter().copied().eq([0; 10]));
    slice.truncate(0);
    assert!(slice.is_empty());
}

#[test]
fn no_values_are_an_empty_slice() {
    let mut slice: ZeroedSlice<Strict> = ZeroedSlice::new(0).unwrap();
    assert!(slice.is_empty() && slice.iter_mut().next().is_none());
    assert!((&raw const slice[..]).addr().is_multiple_of(PAGE));
    slice.use_huge_pages_if_few();
    slice.prefetch(0);
    slice.clear();
    assert_eq!(slice.pages.touch(0, usize::MAX), None);
}

#[test]
fn touching_reads_neither_padding_nor_pointers_as_numbers() {
    let mut slice: ZeroedSlice<Padded> = ZeroedSlice::new(PAGE).unwrap();
    slice.fill(Padded { small: 3, large: 500 });
    // Of the first values in the second page, the padding comes first.
    assert_eq!(slice.pages.touch(PAGE + 1, usize::MAX), None);
    assert!(slice.iter().all(|value| (value.small, value.large) == (3, 500)));

    let number = 7;
    let mut pointers: ZeroedSlice<Option<&u8>> = ZeroedSlice::new(PAGE).unwrap();
    assert!(pointers.iter().all(Option::is_none));
    pointers.fill(Some(&number));
    assert_eq!(pointers.pages.touch(0, usize::MAX), None);
    assert!(pointers.iter().all(|pointer| pointer.is_some_and(|number| *number == 7)));
}

#[test]
fn touching_and_clearing_change_nothing_else() {
    let mut slice: ZeroedSlice<AtomicU64> = ZeroedSlice::new(3 * PAGE / 8).unwrap();
    slice[700].store(5, Ordering::Relaxed);
    assert_eq!(slice.pages.touch(0, PAGE), Some(PAGE));
    assert_eq!(slice.pages.touch(PAGE, usize::MAX), None);
    assert_eq!(slice.pages.touch(3 * PAGE, 1), None);
    assert_eq!(slice.pages.touch(usize::MAX, usize::MAX), None);
    assert_eq!(slice[700].load(Ordering::Relaxed), 5);
    slice.clear();
    assert!(slice.iter().all(|value| value.load(Ordering::Relaxed) == 0));
}

#[test]
fn warming_up_goes_on_as_long_as_it_may() {
    // Four pieces of four megabytes.
    let mut slice: ZeroedSlice<u64> = ZeroedSlice::new((16 << 20) / 8).unwrap();
    for (clears, most, expected) in [
        (false, 0, 1),
        (false, 1, 2),
        (false, usize::MAX, 3),
        (false, usize::MAX, 0),
        (true, usize::MAX, 4),
    ] {
        if clears {
            slice.clear();
        }
        let mut asked = 0;
        slice.warm_up(&mut || {
            asked += 1;
            asked <= most
        });
        assert_eq!(asked, expected, "{most}");
    }
}

#[test]
fn more_than_there_is_in_the_world_is_refused() {
    // The sizes are, in bytes: over all bounds, over the bound of a slice, and within both.
    for count in [usize::MAX, usize::MAX / 2, usize::MAX / 32 - 1, isize::MAX as usize / 32] {
        assert!(ZeroedSlice::<[AtomicU64; 4]>::new(count).is_none(), "{count} values");
    }
    assert!(ZeroedSlice::<u8>::new(isize::MAX as usize + 1).is_none());
    #[cfg(target_pointer_width = "64")]
    assert!(ZeroedBox::<[u8; 1 << 60]>::try_new().is_none());
}

#[test]
fn cleared_memory_is_zero_whatever_its_size() {
    for bytes in [PAGE, WRITTEN_OVER, 3 * WRITTEN_OVER] {
        let mut slice: ZeroedSlice<AtomicU64> = ZeroedSlice::new(bytes / 8).unwrap();
        slice.use_huge_pages();
        for _ in 0..2 {
            for value in slice.iter().step_by(100) {
                assert_eq!(value.swap(7, Ordering::Relaxed), 0);
            }
            slice.clear();
        }
        assert!(slice.iter().all(|value| value.load(Ordering::Relaxed) == 0));
    }
    #[cfg(target_os = "linux")]
    linux::only_what_is_touched_counts_and_clearing_or_dropping_gives_it_back();
}

#[cfg(target_os = "linux")]
mod linux {
    use super::*;

    /// The bytes of the process's addresses, and those that lie in memory.
    fn taken_and_resident() -> [usize; 2] {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        ["VmSize:", "VmRSS:"].map(|name| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.trim().strip_suffix(" kB").unwrap().parse::<usize>().unwrap() << 10
        })
    }

    /// Not in parallel with the test that calls it, whose memory would count too.
    pub(super) fn only_what_is_touched_counts_and_clearing_or_dropping_gives_it_back() {
        let [taken_before, before] = taken_and_resident();
        let resident = || taken_and_resident()[1];
        let mut slice: ZeroedSlice<AtomicU64> = ZeroedSlice::new(1 << 29).unwrap();
        slice.use_huge_pages();
        assert!(resident() < before + (64 << 20), "nothing is touched yet");
        for value in slice[..32 << 20].iter().step_by(512) {
            value.store(1, Ordering::Relaxed);
        }
        assert!(resident() > before + (200 << 20));
        slice.clear();
        assert!(resident() < before + (64 << 20));
        let (mut place, mut pieces) = (0, 0);
        while let Some(next) = slice.pages.touch(place, 64 << 20).filter(|_| pieces < 4) {
            (place, pieces) = (next, pieces + 1);
        }
        assert_eq!((place, pieces), (4 * (64 << 20), 4));
        assert!(resident() > before + (200 << 20));
        assert!(slice[..32 << 20].iter().all(|value| value.load(Ordering::Relaxed) == 0));
        slice.truncate(1);
        assert!(taken_and_resident()[0] > taken_before + (3 << 30));
        drop(slice);
        let [taken, resident] = taken_and_resident();
        assert!(taken < taken_before + (1 << 30) && resident < before + (64 << 20));
    }

    /// What the system was asked for the pages of these values, if it tells: `hg` for huge pages, `nh`
    /// for small ones.
    fn advice<T>(values: &[T]) -> Option<&'static str> {
        let maps = std::fs::read_to_string("/proc/self/smaps").ok()?;
        let first = values.as_ptr().addr();
        let is_here = |line: &str| {
            let range = line.split(' ').next()?;
            let (from, to) = range.split_once('-')?;
            let [from, to] = [from, to].map(|place| usize::from_str_radix(place, 16).ok());
            Some((from?..to?).contains(&first))
        };
        let mut lines = maps.lines().skip_while(|line| is_here(line) != Some(true));
        let flags = lines.find_map(|line| line.strip_prefix("VmFlags:"))?;
        ["hg", "nh"].into_iter().find(|flag| flags.split(' ').any(|word| word == *flag))
    }

    #[test]
    fn huge_pages_are_used_where_they_are_asked_for_and_nowhere_else() {
        // A system without huge pages refuses the question, too.
        if !std::fs::exists("/sys/kernel/mm/transparent_hugepage/enabled").unwrap() {
            return;
        }
        let slice = |bytes| ZeroedSlice::<u8>::new(bytes).unwrap();
        let few = slice(64 << 20);
        few.use_huge_pages_if_few();
        assert_eq!(advice(&few), Some("hg"));
        let many = slice(FEW_HUGE_PAGES + 1);
        many.use_huge_pages();
        assert_eq!(advice(&many), Some("hg"));
        many.use_huge_pages_if_few();
        assert_eq!(advice(&many), Some("nh"));
        let unasked = slice(FEW_HUGE_PAGES + 2);
        assert_eq!(advice(&unasked), None);
        // A box is for the tables of one thread: on huge pages all of it would count as used.
        let value: ZeroedBox<[u8; 18 << 20]> = ZeroedBox::new();
        assert_eq!(advice(&value[..]), None);
    }
}
