//! The history: what is kept of the positions before the current one.

use crate::color::ByColor;
use crate::hand::Hand;
use crate::key_map::KeyMap;
use crate::moves::Move;
use crate::position::State;

/// What the history keeps of a position after a move or null move has been made in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// The move played in the position; `None` for a null move.
    pub(crate) played: Option<Move>,
    pub(crate) board_key: u64,
    pub(crate) hand_key: u64,
    pub(crate) hands: ByColor<Hand>,
    /// Whether the side to move was in check.
    pub(crate) in_check: bool,
}

impl Record {
    /// The record of a position in which a move or null move is made.
    #[inline]
    pub(crate) fn new(state: &State, in_check: bool, played: Option<Move>) -> Record {
        let State { board_key, hand_key, hands, .. } = *state;
        Record { played, board_key, hand_key, hands, in_check }
    }

    /// The hash key of the position.
    fn key(&self) -> u64 {
        self.board_key ^ self.hand_key
    }
}

/// The records of all positions before the current one, first to last. Those of the game come
/// first, and its occurrences of a position are found without looking through them. Those of a
/// line that a search tries follow.
#[derive(Clone, Default)]
pub(crate) struct History {
    records: Vec<Record>,
    /// For each position of the game, the last of its records.
    last: KeyMap<u32>,
    /// For each record of the game, the record before it of the same position, or [`NONE`].
    before: Vec<u32>,
}

/// No record.
const NONE: u32 = u32::MAX;

impl History {
    /// All records.
    #[inline]
    pub(crate) fn records(&self) -> &[Record] {
        &self.records
    }

    /// The records of the line that follows the game.
    #[inline]
    pub(crate) fn line(&self) -> &[Record] {
        &self.records[self.before.len()..]
    }

    /// The last move; `None` at the start and after a null move.
    #[inline]
    pub(crate) fn last_move(&self) -> Option<Move> {
        self.records.last().and_then(|record| record.played)
    }

    /// Adds a record of the line.
    #[inline]
    pub(crate) fn push(&mut self, record: Record) {
        self.records.push(record);
    }

    /// Removes the last record.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Record> {
        self.records.pop()
    }

    /// Adds a record of the game. There must be no line.
    pub(crate) fn push_of_game(&mut self, record: Record) {
        let number = self.records.len() as u32;
        self.before.push(self.last.insert(record.key(), number).unwrap_or(NONE));
        self.records.push(record);
    }

    /// Removes the last record of the game. There must be no line.
    pub(crate) fn pop_of_game(&mut self) -> Option<Record> {
        let (record, before) = (self.records.pop()?, self.before.pop()?);
        match before {
            NONE => self.last.remove(&record.key()),
            before => self.last.insert(record.key(), before),
        };
        Some(record)
    }

    /// The keys of the positions that have occurred three times, among those of the game and the current
    /// one, which has the given state. There must be no line.
    pub(crate) fn third_occurrences(&self, now: &State) -> impl Iterator<Item = u64> {
        let mut counts: Vec<u32> = Vec::with_capacity(self.before.len());
        let in_game = self.records.iter().zip(&self.before).filter_map(move |(record, &before)| {
            let count = 1 + counts.get(before as usize).copied().unwrap_or(0);
            counts.push(count);
            (count == 3).then(|| record.key())
        });
        let is_third = self.occurrences_in_game(now).count() == 2;
        in_game.chain(is_third.then(|| now.key()))
    }

    /// The numbers of the game's records of a position, last first.
    pub(crate) fn occurrences_in_game(&self, state: &State) -> impl Iterator<Item = usize> {
        let last = self.last.get(&state.key()).copied().unwrap_or(NONE);
        std::iter::successors(Some(last), |&number| self.before.get(number as usize).copied())
            .take_while(|&number| number != NONE)
            .map(|number| number as usize)
    }
}
