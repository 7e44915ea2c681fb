//! A result is read as it was written or not at all.

use super::*;
use crate::explore;
use crate::threads::sync::Arc;
use crate::threads::thread;

pub(crate) fn run() {
    // The two supports trade places: words that differ from each other alike.
    explore("mate results on a path: a slot written anew, read meanwhile", 3, || {
        let results = Arc::new(PathDependentResults::new(1).unwrap());
        let hand = Hand::from_bits(0);
        results.store(5, 7, &[(100, hand), (200, hand)]);
        let other = Arc::clone(&results);
        let write = thread::spawn(move || other.store(5, 7, &[(200, hand), (100, hand)]));
        if let Some(words) = results.read(5) {
            assert!([[100, 200], [200, 100]].contains(&[words[4], words[5]]), "{words:?}");
        }
        write.join().unwrap();
        let words = results.read(5).expect("nobody writes any more");
        assert_eq!([words[4], words[5]], [200, 100]);
    });
}
