//! Tests of the count without futile interpositions: its limits.

use tsumero_control::Signals;

use super::*;
use crate::dfpn::tests::problems;
use crate::solver::MateLimits;
use crate::stack;

#[test]
fn the_longest_lines_fit_on_a_small_stack() {
    let position = problems("mate11plus", 113..114).remove(0);
    let solver = &mut MateSolver::new(1);
    let limits = MateLimits { nodes: Some(300_000), ..MateLimits::default() };
    let (problem, signals) = (position.clone().into(), Signals::new());
    let bytes = stack::growth_of(|| {
        let _ = solver.length_without_futile(&MateQuestion::new(&problem, &limits, &signals), 99);
    });
    let deepest = bytes * DEEPEST as usize;
    assert!(deepest < stack::ENOUGH / 10 * 9, "{deepest} bytes");
    // A line that would be longer ends the count.
    let table = Table::new(1).unwrap();
    let mut watch = Control::new(&MateQuestion::new(&position, &limits, &signals));
    let mut lengths = HashMap::new();
    let mut count = Count {
        position: Line::from(&position),
        table: &table,
        watch: &mut watch,
        lengths: &mut lengths,
        depth: DEEPEST - 2,
    };
    assert_eq!(count.attack(9), Err(MateUnknown::Depth));
    assert_eq!((count.depth, count.position.to_sfen()), (DEEPEST - 2, position.to_sfen()));
}

/// No entry is made beyond the memory that is promised.
#[test]
fn a_full_memory_ends_the_count() {
    // The king steps aside.
    let position: Position = "4k4/9/4R4/9/9/9/9/9/9 w - 1".parse().unwrap();
    let (limits, signals, table) = (MateLimits::default(), Signals::new(), Table::new(1).unwrap());
    let mut watch = Control::new(&MateQuestion::new(&position, &limits, &signals));
    let known = Known { at_least: 0, is_exact: false, holds_out: 0 };
    let mut lengths: HashMap<u64, Known> = (0..REMEMBERED as u64).map(|key| (key, known)).collect();
    let mut count = Count {
        position: Line::from(&position),
        table: &table,
        watch: &mut watch,
        lengths: &mut lengths,
        depth: 0,
    };
    assert_eq!(count.defend(0), Err(MateUnknown::Memory));
    assert_eq!(lengths.len(), REMEMBERED);
}
