//! Levels of strength: an opponent for people.
//!
//! A level below the highest is weaker in the ways in which people are. It looks less far: a few
//! nodes, or only at its own move and the captures after it. It does not think of all its moves, and
//! overlooks some of the opponent's ([`sight`]). It counts pieces and knows less of everything else.
//! And it does not insist on the best of several moves that seem nearly equal to it ([`play`]).
//!
//! All limits count nodes and plies, so a level is the same on every machine. `docs/levels.md` has
//! the measured ladder.

mod play;
mod sight;

pub(crate) use play::Apprentice;
use sight::{BlindEvaluator, BlindSource, BlindSpots};

/// How strong the engine plays, from 1 to 20. The highest level is its full strength.
///
/// ```
/// use tsumero_search::Level;
/// let level = Level::new(7).unwrap();
/// assert!(Level::LOWEST < level && level < Level::FULL);
/// assert_eq!(Level::nearest(level.elo()), level);
/// assert_eq!((Level::new(0), Level::new(21)), (None, None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// Level 1: it knows the rules.
    pub const LOWEST: Level = Level(1);
    /// Level 20: the full strength.
    pub const FULL: Level = Level(20);

    /// The level of a number from 1 to 20, or `None`.
    pub const fn new(number: u8) -> Option<Level> {
        if Level::LOWEST.0 <= number && number <= Level::FULL.0 {
            Some(Level(number))
        } else {
            None
        }
    }

    /// The number of the level, from 1 to 20.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The strength of the level in Elo, on a scale of its own: the differences were measured in
    /// games of neighboring levels, and `docs/levels.md` says where the scale is anchored.
    pub const fn elo(self) -> u32 {
        ELO[self.0 as usize - 1]
    }

    /// The level whose strength is nearest to a number of Elo; of two, the lower one.
    pub fn nearest(elo: u32) -> Level {
        let all = (Level::LOWEST.0..=Level::FULL.0).map(Level);
        all.min_by_key(|level| level.elo().abs_diff(elo)).unwrap_or(Level::FULL)
    }

    /// What the level does without; `None` at full strength.
    pub(crate) fn weakness(self) -> Option<&'static Weakness> {
        WEAKNESSES.get(self.0 as usize - 1)
    }
}

/// What a level does without. Shares are in percent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weakness {
    /// Plies of the last iteration.
    depth: u32,
    /// Nodes after which the search ends. The first iteration is finished in any case.
    nodes: u64,
    /// The share of its own moves that it does not think of. Evasions of checks are always seen.
    forgotten: u32,
    /// The share of quiet moves and drops that it overlooks when it looks ahead.
    overlooked: u32,
    /// The share of captures that it overlooks when it looks ahead.
    overlooked_captures: u32,
    /// How much it knows beyond the value of the pieces: kings in danger, good shape, activity.
    knowledge: i32,
    /// Whether it sees every mate in one, every attack on a bishop or a rook, and every move of its own
    /// bishops and rooks.
    pub(crate) alert: bool,
    /// Whether it searches for mates apart from the main search.
    mates: bool,
    /// The number of moves that it chooses from.
    choices: usize,
    /// The difference of values, in units of the evaluation, by which a move is chosen e times less
    /// often. A move that is worse than the best by more than twice this is not chosen.
    temperature: i32,
}

/// The weaknesses of levels 1 to 19, as the ladder of `docs/levels.md` was measured.
#[rustfmt::skip]
const WEAKNESSES: [Weakness; 19] = [
    //       forgotten, captures overlooked, knowledge, choices, temperature
    look(60, 100, 0, 18, 880),
    look(60, 100, 0, 13, 488),
    look(60, 97, 0, 12, 384),
    look(60, 82, 0, 10, 312),
    look(60, 67, 0, 9, 236),
    look(60, 59, 0, 8, 198),
    alert(60, 77, 0, 10, 287),
    alert(60, 61, 0, 8, 203),
    alert(59, 54, 1, 8, 191),
    alert(53, 32, 4, 8, 158),
    alert(46, 12, 7, 8, 128),
    alert(40, 0, 10, 8, 108),
    alert(32, 0, 14, 7, 100),
    alert(24, 0, 21, 7, 91),
    alert(18, 0, 29, 6, 83),
    alert(10, 0, 45, 6, 70),
    alert(5, 0, 64, 6, 59),
    //    nodes, overlooked, choices, temperature
    think(370, 34, 4, 50),
    think(1_500, 16, 4, 38),
];

/// A level that looks at its own moves, and at captures after them.
const fn look(
    forgotten: u32,
    overlooked_captures: u32,
    knowledge: i32,
    choices: usize,
    temperature: i32,
) -> Weakness {
    Weakness {
        depth: 1,
        nodes: u64::MAX,
        forgotten,
        overlooked: 100,
        overlooked_captures,
        knowledge,
        alert: false,
        mates: false,
        choices,
        temperature,
    }
}

/// The same, but it sees every mate in one and every attack on a bishop or a rook.
const fn alert(
    forgotten: u32,
    overlooked_captures: u32,
    knowledge: i32,
    choices: usize,
    temperature: i32,
) -> Weakness {
    let look = look(forgotten, overlooked_captures, knowledge, choices, temperature);
    Weakness { alert: true, ..look }
}

/// A level that searches.
const fn think(nodes: u64, overlooked: u32, choices: usize, temperature: i32) -> Weakness {
    Weakness {
        depth: u32::MAX,
        nodes,
        forgotten: 0,
        overlooked,
        overlooked_captures: 0,
        knowledge: 100,
        alert: true,
        mates: true,
        choices,
        temperature,
    }
}

/// The Elo of the levels: 100 for the lowest, and then the measured differences.
#[rustfmt::skip]
const ELO: [u32; 20] = [
    100, 250, 430, 520, 670, 800, 950, 1060, 1180, 1350,
    1480, 1660, 1840, 2010, 2190, 2330, 2480, 2630, 2760, 2930,
];
