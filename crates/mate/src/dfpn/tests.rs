//! Tests of whole searches: against the full-width search, which shares neither table nor numbers
//! with the solver; their effort; and what the threads of a search take from one another.

use std::ops::Range;

use rand::prelude::*;
use tsumero_core::{Color, Hand, Move, MoveList, Piece, PieceKind, Position};

use super::children::{NodeResult, Side};
use super::numbers::Numbers;
use super::table::{Known, Table};
use super::virtual_loss::VirtualLosses;
use super::{ANY_LENGTH, Answer, Dfpn, Node, position_key};
use super::{Length, UNBOUNDED};
use crate::full_width::{self, Bounded};
use crate::watch::{MateUnknown, NodeLimit, Watch};

/// The positions in some rows of a file of mate problems.
pub(crate) fn problems(name: &str, rows: Range<usize>) -> Vec<Position> {
    let path = format!("{}/../../tests/data/tsume/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    let mut file = csv::ReaderBuilder::new().comment(Some(b'#')).from_path(path).unwrap();
    let records = file.records().skip(rows.start).take(rows.len());
    records.map(|record| record.unwrap()[0].parse().unwrap()).collect()
}

impl<W> Dfpn<'_, W> {
    /// The same search, if `is_long` under the rules for long searches from its first node on.
    fn long_if(self, is_long: bool) -> Self {
        Dfpn { long_from: if is_long { 0 } else { self.long_from }, ..self }
    }
}

/// The nodes of the path lie on no call stack, neither in a search nor in a replay.
#[test]
fn the_longest_lines_run_on_a_small_stack() {
    let search = |position: Position, most: u64, replays: bool| {
        let run = move || {
            let table = Table::new(16).unwrap();
            let mut watch = NodeLimit::new(most);
            let mut dfpn = Dfpn::new(&position, &table, &mut watch);
            let answer = dfpn.solve(ANY_LENGTH);
            if replays {
                let Ok(Answer::Mate(length)) = answer else { panic!("{answer:?}") };
                assert!(dfpn.line(length).is_ok_and(|line| line.len() >= 85));
            }
        };
        std::thread::Builder::new().stack_size(64 << 10).spawn(run).unwrap().join().unwrap();
    };
    // A mate of 1,525 plies, and one of 85 plies.
    for (name, row, most, replays) in
        [("famous", 0, 200_000, false), ("classics", 77, 3_000_000, true)]
    {
        search(problems(name, row..row + 1).remove(0), most, replays);
    }
}

/// Mates have odd lengths, so an even bound asks for the same as the one below it.
#[test]
fn an_even_bound_is_not_exceeded() {
    for (sfen, mate) in [
        ("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", 1),
        ("1k7/n8/2P6/9/9/9/9/9/9 b GNp 1", 3),
        ("9/9/8k/8N/9/7L1/9/9/9 b Gp 1", 5),
    ] {
        let position: Position = sfen.parse().unwrap();
        for bound in 0..=8 {
            let (table, mut watch) = (Table::new(1).unwrap(), NodeLimit::new(100_000));
            let mut dfpn = Dfpn::new(&position, &table, &mut watch);
            let answer = dfpn.solve(bound).unwrap();
            if bound < mate {
                assert!(
                    matches!(answer, Answer::NoMate(within) if within >= bound.saturating_sub(1))
                );
                assert_eq!(dfpn.line(bound), Err(MateUnknown::Broken), "{sfen} {bound}");
            } else {
                assert_eq!(answer, Answer::Mate(mate), "{sfen} {bound}");
                assert_eq!(dfpn.line(bound).unwrap().len(), usize::from(mate));
            }
        }
    }
}

/// After a limit has ended a search, the next one starts where it would have started anew.
#[test]
fn a_search_that_was_ended_leaves_nothing_behind() {
    let position = problems("mate9", 3..4).remove(0);
    let (mut ended, mut whole) = (0, 0);
    for most in [1, 2, 3, 5, 8, 20, 50, 100, 200, 400, 100_000] {
        let table = Table::new(1).unwrap();
        let virtual_losses = VirtualLosses::new();
        let mut watch = NodeLimit::new(most);
        let mut dfpn = Dfpn::new(&position, &table, &mut watch).among(Some(&virtual_losses));
        match dfpn.solve(ANY_LENGTH) {
            Ok(_) => whole += 1,
            Err(reason) => {
                assert_eq!(reason, MateUnknown::Nodes);
                ended += 1;
            }
        }
        assert_eq!(dfpn.position().to_sfen(), position.to_sfen());
        assert!(dfpn.ancestors.is_empty() && dfpn.children.is_empty());
        assert_eq!(dfpn.path.repeats(dfpn.key(), dfpn.hand()), None);
        let lost = (0..1 << 12).map(|key| virtual_losses.penalty(key)).sum::<u32>();
        assert_eq!(lost, 0, "{most} nodes");
    }
    assert!(ended >= 5 && whole >= 1, "{ended} {whole}");
}

/// What a table claims is replayed before it is believed.
impl Table {
    /// Claims that the side to move mates in so many plies, beginning with this move.
    pub(crate) fn claim_mate(&self, position: &Position, length: Length, mv: Move) {
        let mut watch = NodeLimit::new(0);
        let dfpn = Dfpn::new(position, self, &mut watch);
        self.store_mate(dfpn.key(), dfpn.hand(), length, mv.to_usi().pack(), 1);
    }
}

#[test]
fn a_claim_that_does_not_hold_is_broken() {
    let position = Position::from_sfen("1k7/n8/2P6/9/9/9/9/9/9 b GNp 1").unwrap();
    let line_of = |claim: &dyn Fn(&Table), length| {
        let (table, mut watch) = (Table::new(1).unwrap(), NodeLimit::new(10_000));
        let mut dfpn = Dfpn::new(&position, &table, &mut watch);
        assert_eq!(dfpn.solve(3), Ok(Answer::Mate(3)));
        claim(&table);
        let line = dfpn.line(length);
        assert_eq!(dfpn.position().to_sfen(), position.to_sfen());
        line.map(|line| line.len())
    };
    let quiet = position.parse_move("7c7b+").unwrap();
    let mut checks = MoveList::new();
    position.generate_checks(&mut checks);
    assert_eq!(line_of(&|_| {}, 3), Ok(3));
    // A mate in one that is none, a move that gives no check, and a mate of no plies.
    for &mv in &checks {
        assert_eq!(
            line_of(&|table| table.claim_mate(&position, 1, mv), 1),
            Err(MateUnknown::Broken)
        );
    }
    assert_eq!(
        line_of(&|table| table.claim_mate(&position, 1, quiet), 3),
        Err(MateUnknown::Broken)
    );
    assert_eq!(
        line_of(&|table| table.claim_mate(&position, 0, checks[0]), 3),
        Err(MateUnknown::Broken)
    );
}

/// A random position: White's king near a corner with a few pieces of both sides around it, and the
/// rest of a small set in the hands.
fn random_position(random: &mut StdRng) -> Option<Position> {
    const MEN: [&str; 12] = ["P", "p", "G", "g", "S", "s", "N", "+R", "B", "L", "+P", "r"];
    let mut board = [[""; 9]; 9];
    let place = |board: &mut [[&str; 9]; 9], random: &mut StdRng, man| {
        board[random.random_range(0..4)][random.random_range(5..9)] = man;
    };
    for _ in 0..random.random_range(2..7) {
        let man = *MEN.choose(random)?;
        place(&mut board, random, man);
    }
    place(&mut board, random, "k");
    let rows: Vec<String> = board
        .iter()
        .map(|row| {
            let cells = row.iter().map(|&man| if man.is_empty() { "1" } else { man });
            cells.collect::<String>()
        })
        .collect();
    let ours: String = ["R", "G", "S", "N", "P"].into_iter().filter(|_| random.random()).collect();
    let theirs: String =
        ["g", "s", "n", "l", "p"].into_iter().filter(|_| random.random()).collect();
    let hands = format!("{ours}{theirs}");
    let hands = if hands.is_empty() { "-" } else { &hands };
    Position::from_sfen(&format!("{} b {hands} 1", rows.join("/"))).ok()
}

/// The same board with another hand for Black; all other pieces in hand are White's.
fn with_hand(position: &Position, hand: Hand) -> Position {
    let both = Color::ALL.map(|color| position.hand(color));
    let rest = PieceKind::HAND.into_iter().fold(Hand::EMPTY, |rest, kind| {
        let all = both.iter().map(|hand| hand.count(kind)).sum::<u32>();
        rest.with_count(kind, all - hand.count(kind))
    });
    holding(position, hand, rest)
}

/// The same board with these hands.
pub(crate) fn holding(position: &Position, black: Hand, white: Hand) -> Position {
    let mut hands = String::new();
    for (color, hand) in [(Color::Black, black), (Color::White, white)] {
        for (kind, count) in hand.iter() {
            hands += &format!("{count}{}", Piece::new(color, kind));
        }
    }
    let fields = position.to_sfen();
    let mut parts: Vec<&str> = fields.split(' ').collect();
    parts[2] = if hands.is_empty() { "-" } else { &hands };
    Position::from_sfen(&parts.join(" ")).expect("only the hands have changed")
}

fn exactly(position: &Position, most: u64) -> Option<Bounded> {
    match full_width::solve(position, most, &mut NodeLimit::new(u64::MAX)) {
        Ok(Bounded::NoneWithin(_)) | Err(_) => None,
        Ok(bounded) => Some(bounded),
    }
}

/// Asks both searches about many positions, with a table of the given number of buckets. Every
/// second search counts as long.
fn compare(seed: u64, buckets: Option<usize>, positions: u32) {
    let mut random = StdRng::seed_from_u64(seed);
    let (mut mates, mut no_mates, mut long) = (0, 0, 0);
    let mut asked = 0;
    while asked < positions {
        let Some(position) = random_position(&mut random) else { continue };
        let Some(expected) = exactly(&position, 10_000) else { continue };
        asked += 1;
        let mut table = Table::new(1).unwrap();
        if let Some(buckets) = buckets {
            table.confine(buckets);
        }
        let mut watch = NodeLimit::new(200_000);
        let mut dfpn = Dfpn::new(&position, &table, &mut watch).long_if(asked % 2 == 0);
        let Ok(mut answer) = dfpn.solve(ANY_LENGTH) else { continue };
        // Shortens the mate as the solver does.
        let mut shortest = None;
        while let Answer::Mate(length) = answer {
            let line = dfpn.line(length).unwrap_or_else(|broken| panic!("{broken:?}: {position}"));
            assert!(line.len() <= usize::from(length), "{position}");
            shortest = Some(line.len());
            if length < 3 {
                break;
            }
            match dfpn.solve(line.len() as u16 - 2) {
                Ok(next) => answer = next,
                Err(_) => break,
            }
        }
        match expected {
            Bounded::Mate(line) => {
                assert_eq!(shortest, Some(line.len()), "{position}");
                mates += 1;
                long += u32::from(line.len() > 3);
            }
            _ => {
                assert_eq!(answer, Answer::NoMate(UNBOUNDED), "{position}");
                no_mates += 1;
            }
        }
    }
    assert!(
        mates > positions / 20 && no_mates > positions / 4 && long > positions / 100,
        "{mates} mates, {long} of them long, {no_mates} without: too few to say anything"
    );
}

#[test]
fn answers_are_those_of_the_full_width_search() {
    compare(1, None, if cfg!(debug_assertions) { 50 } else { 1_000 });
}

#[test]
fn a_table_that_forgets_does_not_change_the_answers() {
    compare(2, Some(4), if cfg!(debug_assertions) { 40 } else { 500 });
}

/// Results must hold with the very hands under which they are stored, because these make one entry
/// answer many positions.
#[test]
fn results_hold_with_the_hands_they_are_kept_under() {
    let mut random = StdRng::seed_from_u64(3);
    let (mut proofs, mut disproofs) = (0, 0);
    for number in 0..if cfg!(debug_assertions) { 60 } else { 6_000 } {
        let Some(position) = random_position(&mut random) else { continue };
        let table = Table::new(1).unwrap();
        let mut watch = NodeLimit::new(3_000);
        let mut dfpn = Dfpn::new(&position, &table, &mut watch).long_if(number % 2 == 0);
        if dfpn.solve(ANY_LENGTH).is_err() {
            continue;
        }
        let own = position.hand(Color::Black);
        match dfpn.look_up(ANY_LENGTH) {
            Known::Mate { hand, .. } if hand != own => {
                assert!(own.dominates(hand));
                let answer = exactly(&with_hand(&position, hand), 2_000);
                assert!(!matches!(answer, Some(Bounded::NoMate)), "{position} with {hand:?}");
                proofs += u32::from(answer.is_some());
            }
            Known::NoMate { hand, .. } if hand != own => {
                assert!(hand.dominates(own));
                let answer = exactly(&with_hand(&position, hand), 2_000);
                assert!(!matches!(answer, Some(Bounded::Mate(_))), "{position} with {hand:?}");
                // If two thousand nodes find no mate, that supports the disproof, too.
                disproofs += 1;
            }
            _ => {}
        }
    }
    println!("{proofs} proofs, {disproofs} disproofs");
    assert!(proofs > 0 && (cfg!(debug_assertions) || proofs > 100 && disproofs > 0));
}

/// Which child is searched next, and how far, changes the effort but no answer, so only the nodes
/// show it. After a change on purpose, the new numbers belong here, and its gain in
/// docs/measurements.md.
#[test]
fn the_effort_is_as_known() {
    let nodes = |name: &str, rows: Range<usize>, buckets: Option<usize>, is_long: bool| -> u64 {
        let count = |position: &Position| {
            let mut table = Table::new(1).unwrap();
            if let Some(buckets) = buckets {
                table.confine(buckets);
            }
            let mut watch = NodeLimit::new(6_000);
            let mut dfpn = Dfpn::new(position, &table, &mut watch).long_if(is_long);
            // Any mate, its line, and a shorter mate.
            if let Ok(Answer::Mate(length)) = dfpn.solve(ANY_LENGTH)
                && let Ok(line) = dfpn.line(length)
            {
                let _ = dfpn.solve((line.len() as u16).saturating_sub(2).max(1));
            }
            watch.nodes()
        };
        problems(name, rows).iter().map(count).sum()
    };
    let known = [
        ("mate9", 0..18, None, true, 13_617),
        ("mate9", 0..18, None, false, 14_206),
        ("mate11plus", 0..5, None, true, 13_513),
        ("mate11plus", 0..5, None, false, 13_415),
        ("nomate", 0..12, None, true, 8_835),
        ("nomate", 0..12, None, false, 9_972),
        ("nonpromotion", 7..8, None, true, 3_302),
        ("nonpromotion", 7..8, None, false, 3_454),
        // What a full table keeps depends on the effort that an entry has cost.
        ("mate9", 0..12, Some(4), true, 20_096),
        ("mate9", 0..12, Some(4), false, 21_259),
    ];
    for (name, rows, buckets, is_long, expected) in known {
        let nodes = nodes(name, rows, buckets, is_long);
        assert_eq!(nodes, expected, "{name} {buckets:?}, long: {is_long}");
    }
}

/// A position borrows numbers from other hands, and the lender may be above it. If that did not
/// raise the thresholds, the two would raise each other's numbers without a search: this proof would
/// take more than two million nodes.
#[test]
fn borrowed_numbers_do_not_raise_each_other() {
    let position = &problems("classics", 47..48)[0];
    let (table, mut watch) = (Table::new(64).unwrap(), NodeLimit::new(200_000));
    let answer = Dfpn::new(position, &table, &mut watch).long_if(true).solve(ANY_LENGTH);
    assert_eq!(answer, Ok(Answer::NoMate(UNBOUNDED)));
}

/// A thread takes over what another one has found out about a child, if it decides the child within
/// the length that is left, or reaches the thresholds.
#[test]
fn results_of_other_threads_are_taken_over() {
    let position = Position::from_sfen("1k7/n8/2P6/9/9/9/9/9/9 b GNp 1").unwrap();
    let virtual_losses = VirtualLosses::new();
    let goal = Numbers { proof: 20, disproof: 20 };
    let below = Numbers { proof: 19, disproof: 19 };
    let settled = |length, among: bool, store: &dyn Fn(&Table, u64, Hand)| {
        let table = Table::new(1).unwrap();
        let mut watch = NodeLimit::new(1_000);
        let among = among.then_some(&virtual_losses);
        let mut dfpn = Dfpn::new(&position, &table, &mut watch).among(among);
        let node = Node { side: Side::Attacker, length, ply: 0, seen: false, tested: false };
        dfpn.expand(&node, 0);
        let before = dfpn.children[0].outcome;
        let step = dfpn.step(dfpn.children[0].mv);
        store(&table, step.key, step.hand);
        let is_settled = dfpn.is_settled_by_others(&node, 0, goal);
        let after = dfpn.children[0].outcome;
        assert_eq!(is_settled, after != before, "{after:?}");
        is_settled.then_some(after)
    };
    let mate = |length| move |table: &Table, key, hand| table.store_mate(key, hand, length, 0, 1);
    let none = |length| move |table: &Table, key, hand| table.store_no_mate(key, hand, length, 1);
    let open = |numbers| move |table: &Table, key, hand| table.store_open(key, hand, numbers, 1, 1);
    assert_eq!(settled(5, true, &|_, _, _| {}), None);
    assert!(matches!(settled(5, true, &mate(4)), Some(NodeResult::Mate { length: 4, .. })));
    assert_eq!(settled(5, true, &mate(6)), None);
    assert!(matches!(settled(5, true, &none(4)), Some(NodeResult::NoMate { length: 4, .. })));
    assert_eq!(settled(5, true, &none(2)), None);
    assert_eq!(settled(5, true, &open(below)), None);
    assert_eq!(settled(5, true, &open(goal)), Some(NodeResult::Open(goal)));
    // Without other threads, and at the bound of length, nobody is asked.
    assert_eq!(settled(5, false, &mate(4)), None);
    assert_eq!(settled(0, true, &mate(0)), None);
}

/// A thread also takes over the result of the node that it is searching.
#[test]
fn a_node_that_another_thread_has_decided_is_left() {
    let position = Position::from_sfen("1k7/n8/2P6/9/9/9/9/9/9 b GNp 1").unwrap();
    let (table, virtual_losses) = (Table::new(1).unwrap(), VirtualLosses::new());
    let mut watch = NodeLimit::new(1_000);
    let dfpn = Dfpn::new(&position, &table, &mut watch).among(Some(&virtual_losses));
    let node = Node { side: Side::Attacker, length: 5, ply: 0, seen: false, tested: false };
    assert_eq!(dfpn.decided_by_others(&node), None);
    table.store_mate(dfpn.key(), dfpn.hand(), 7, 0, 1);
    assert_eq!(dfpn.decided_by_others(&node), None, "a longer mate");
    table.store_mate(dfpn.key(), dfpn.hand(), 5, 0, 1);
    let mate = NodeResult::Mate { length: 5, hand: dfpn.hand() };
    assert_eq!(dfpn.decided_by_others(&node), Some(mate));
    assert_eq!(dfpn.among(None).decided_by_others(&node), None, "there are no others");
}

#[test]
fn a_thread_goes_where_no_other_is() {
    let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/9 b 2G2S2N 1").unwrap();
    let (table, virtual_losses) = (Table::new(1).unwrap(), VirtualLosses::new());
    let mut watch = NodeLimit::new(1_000);
    let mut dfpn = Dfpn::new(&position, &table, &mut watch).among(Some(&virtual_losses));
    let node = Node { side: Side::Attacker, length: 9, ply: 0, seen: false, tested: false };
    dfpn.expand(&node, 0);
    let best = |others: &[usize]| {
        for &number in others {
            let step = dfpn.step(dfpn.children[number].mv);
            (0..50).for_each(|_| virtual_losses.enter(position_key(step.key, step.hand)));
        }
        let Ok(mut summary) = dfpn.judge(&node, 0) else { panic!("nothing is decided yet") };
        dfpn.spread(&node, 0, Numbers::INFINITE, &mut summary);
        summary.best
    };
    let first = best(&[]);
    let second = best(&[first]);
    assert_ne!(second, first);
    let third = best(&[second]);
    assert!(third != first && third != second);
}
