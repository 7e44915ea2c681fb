//! Tests of the full-width search: its limits.

use super::*;
use crate::dfpn::tests::problems;
use crate::stack;

/// Both searches may be as deep as their bounds allow on any thread.
#[test]
fn the_longest_lines_fit_on_a_small_stack() {
    let position = problems("famous", 0..1).remove(0);
    let growing = stack::growth_of(|| {
        let mut watch = NodeLimit::new(3_000);
        let results = Growing(KeyMap::default());
        let search = FullWidth::without_nodes(Line::from(&position), results, &mut watch);
        let mut search = FullWidth { last_node: 3_000, ..search };
        assert!(search.attack(MAX_LENGTH).is_err());
        assert!(search.moves.is_empty() && search.path.is_empty());
    });
    let bounded = stack::growth_of(|| {
        let mut search = BoundedSearch::new();
        search.set(&position);
        search.allow(3_000);
        assert!(search.attack(MAX_BOUND).is_err());
        assert_eq!(search.position().to_sfen(), position.to_sfen());
    });
    // A solver may be asked at the end of a bounded line.
    let deepest = growing * MAX_LENGTH as usize + bounded * MAX_BOUND as usize;
    assert!(deepest < stack::ENOUGH / 4 * 3, "{deepest} bytes");
}

/// A larger bound would not fit into the table. It must not be taken for a smaller one.
#[test]
fn a_bound_beyond_the_largest_is_refused() {
    // A perpetual check: no bound is ever reached, and there are few positions.
    let position = Position::from_sfen("9/9/9/7pp/R8/8k/6Nnn/6N2/9 b - 1").unwrap();
    let mut search = BoundedSearch::new();
    search.set(&position);
    search.allow(u64::MAX);
    assert!(matches!(search.attack(MAX_BOUND), Ok(BOUND_REACHED)));
    assert!(matches!(search.length(MAX_BOUND), Ok(None)));
    for longer in [MAX_BOUND + 2, MAX_BOUND + 4, 2 * MAX_BOUND + 9] {
        assert!(matches!(search.attack(longer), Err(Interrupted::Limit(MateUnknown::Depth))));
        assert_eq!(search.length(longer), Err(MateUnknown::Depth));
    }
}
