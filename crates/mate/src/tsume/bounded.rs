//! Mate within a bound: a full-width search whose answers are facts about positions.
//!
//! Only the bound ends a line, never a repetition. So an answer holds on every path, and may be
//! stored in a table that forgets. A shortest mate never passes through a position twice, so
//! nothing is lost. The search of [`crate::full_width`] differs in this point: it ends lines at
//! repetitions, which lets it prove that perpetual checks do not mate.

use tsumero_core::{Move, MoveList, Position};

use crate::watch::MateUnknown;

/// Whether there is a mate within a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Within {
    /// There is one within the bound.
    Mate,
    /// There is none within the bound. There may be a longer one.
    NotYet,
    /// There is no mate at all: every sequence of checks ends.
    Never,
}

/// One position of the table, with either side to move.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    /// There is a mate within this many plies.
    mate: Option<u8>,
    /// There is no mate within this many plies; [`NEVER`]: no mate at all.
    none: Option<u8>,
    /// The move that decided, in packed form, or 0.
    best: u16,
}

const NEVER: u8 = u8::MAX;
/// The largest bound that can be asked for, in plies.
pub(super) const MAX_BOUND: u32 = 251;
/// Positions in the table, a power of two.
const TABLE: usize = 1 << 16;

/// The search, with its table.
pub(super) struct Bounded {
    position: Position,
    table: Vec<Entry>,
    /// The nodes of all questions so far.
    nodes: u64,
    /// The node count at which the current question must end.
    last_node: u64,
}

type Answer = Result<Within, MateUnknown>;

impl Bounded {
    pub(super) fn new() -> Bounded {
        Bounded {
            position: Position::startpos(),
            table: vec![Entry::default(); TABLE],
            nodes: 0,
            last_node: 0,
        }
    }

    /// Clears the table, so that node counts do not depend on earlier questions.
    pub(super) fn forget(&mut self) {
        self.table.fill(Entry::default());
    }

    /// Sets the position.
    pub(super) fn set(&mut self, position: &Position) {
        self.position.clone_from(position);
    }

    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    pub(super) fn do_move(&mut self, mv: Move) {
        self.position.do_move(mv);
    }

    pub(super) fn undo_move(&mut self) {
        self.position.undo_move();
    }

    /// Starts a question that may use this many nodes.
    pub(super) fn allow(&mut self, nodes: u64) {
        self.last_node = self.nodes.saturating_add(nodes);
    }

    /// The length of the shortest mate by the side to move, up to `most` plies; `None` if there is
    /// none within them.
    pub(super) fn length(&mut self, most: u32) -> Result<Option<u32>, MateUnknown> {
        for length in (1..=most.min(MAX_BOUND)).step_by(2) {
            match self.attack(length)? {
                Within::Mate => return Ok(Some(length)),
                Within::NotYet => {}
                Within::Never => return Ok(None),
            }
        }
        Ok(None)
    }

    fn enter_node(&mut self) -> Result<(), MateUnknown> {
        self.nodes += 1;
        if self.nodes > self.last_node { Err(MateUnknown::Nodes) } else { Ok(()) }
    }

    fn slot(key: u64) -> usize {
        (key >> 32) as usize & (TABLE - 1)
    }

    /// The table's answer, and the move that it remembers.
    fn look_up(&self, key: u64, length: u32) -> (Option<Within>, u16) {
        let entry = &self.table[Bounded::slot(key)];
        if entry.key != key {
            return (None, 0);
        }
        let known = match *entry {
            Entry { mate: Some(mate), .. } if u32::from(mate) <= length => Some(Within::Mate),
            Entry { none: Some(NEVER), .. } => Some(Within::Never),
            Entry { none: Some(none), .. } if u32::from(none) >= length => Some(Within::NotYet),
            _ => None,
        };
        (known, entry.best)
    }

    fn keep(&mut self, key: u64, length: u32, answer: Within, best: u16) {
        let entry = &mut self.table[Bounded::slot(key)];
        if entry.key != key {
            *entry = Entry { key, ..Entry::default() };
        }
        // Bounds never exceed `MAX_BOUND`.
        let length = length as u8;
        match answer {
            Within::Mate => entry.mate = Some(entry.mate.map_or(length, |mate| mate.min(length))),
            Within::NotYet => entry.none = entry.none.max(Some(length)),
            Within::Never => entry.none = Some(NEVER),
        }
        if best != 0 {
            entry.best = best;
        }
    }

    /// Attacker to move: is there a mate within `length` plies, an odd number up to
    /// [`MAX_BOUND`]?
    pub(super) fn attack(&mut self, length: u32) -> Answer {
        self.enter_node()?;
        let key = self.position.key();
        let (known, best) = self.look_up(key, length);
        if let Some(known) = known {
            return Ok(known);
        }
        if let Some(mv) = self.position.mate_in_one() {
            self.keep(key, 1, Within::Mate, mv.to_usi().pack());
            return Ok(Within::Mate);
        }
        if length == 1 {
            self.keep(key, 1, Within::NotYet, 0);
            return Ok(Within::NotYet);
        }
        let mut checks = MoveList::new();
        self.position.generate_checks(&mut checks);
        put_first(&self.position, &mut checks, best);
        let mut answer = Within::Never;
        for &mv in &checks {
            match self.after(mv, |search| search.defend(length - 1))? {
                Within::Mate => {
                    self.keep(key, length, Within::Mate, mv.to_usi().pack());
                    return Ok(Within::Mate);
                }
                Within::NotYet => answer = Within::NotYet,
                Within::Never => {}
            }
        }
        self.keep(key, length, answer, 0);
        Ok(answer)
    }

    /// Defender to move, in check: is every evasion mated within `length` plies, an even number?
    pub(super) fn defend(&mut self, length: u32) -> Answer {
        self.enter_node()?;
        let key = self.position.key();
        if let (Some(known), _) = self.look_up(key, length) {
            return Ok(known);
        }
        if length == 0 {
            let mated = !self.position.has_legal_move();
            return Ok(if mated { Within::Mate } else { Within::NotYet });
        }
        for mv in self.evasions() {
            let answer = self.after(mv, |search| search.attack(length - 1))?;
            if answer != Within::Mate {
                self.keep(key, length, answer, mv.to_usi().pack());
                return Ok(answer);
            }
        }
        self.keep(key, length, Within::Mate, 0);
        Ok(Within::Mate)
    }

    /// All evasions. The one that is known to last longest comes first.
    pub(super) fn evasions(&self) -> MoveList {
        let mut evasions = self.position.legal_moves();
        let (_, best) = self.look_up(self.position.key(), 0);
        put_first(&self.position, &mut evasions, best);
        evasions
    }

    /// Asks a question about the position after a move.
    pub(super) fn after<T>(&mut self, mv: Move, ask: impl FnOnce(&mut Bounded) -> T) -> T {
        self.position.do_move(mv);
        let answer = ask(self);
        self.position.undo_move();
        answer
    }
}

/// Moves the remembered move to the front.
fn put_first(position: &Position, moves: &mut MoveList, best: u16) {
    if let Some(best) = position.unpack_move(best)
        && let Some(place) = moves.iter().position(|&mv| mv == best)
    {
        moves[..=place].rotate_right(1);
    }
}
