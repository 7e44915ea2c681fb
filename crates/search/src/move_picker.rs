//! Staged move ordering. Moves come one by one, the most promising first. A stage is generated only
//! when the one before it is used up.

use arrayvec::ArrayVec;
use tsumero_core::{Filter, Line, MAX_MOVES, Move, MoveList};

use crate::evaluate::{board_value, exchange_value, move_gain};
use crate::history::Experience;
use crate::quiet_scores::{AllQuiets, Quiets};
use crate::see::see_at_least;

/// The next stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TableMove,
    GenerateCaptures,
    GoodCaptures,
    Killers(usize),
    GenerateQuiets,
    Quiets,
    BadCaptures(usize),
    GenerateEvasions,
    Evasions,
    Done,
}

/// Which moves to yield.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    /// All of them.
    All,
    /// Captures that win at least this much in the exchange, or less if their history is good.
    CapturesWinning(i32),
}

/// Yields each legal move of a node once, except idle non-promotions.
pub(crate) struct MovePicker {
    stage: Stage,
    wanted: Wanted,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    /// Captures, then quiet moves. The moves before `next` have been yielded, except the first
    /// `bad` ones: these are losing captures that come later.
    moves: MoveList,
    /// The key of each of `moves`, and [`GROUP`] least keys behind them. The best move has the greatest
    /// key.
    keys: ArrayVec<i32, { MAX_MOVES + GROUP }>,
    next: usize,
    /// The greatest key from `next` on, if it is known.
    greatest: Option<i32>,
    bad: usize,
    skip_quiets: bool,
}

/// Captures come before all quiet evasions.
const CAPTURE_FIRST: i32 = 1 << 19;

impl MovePicker {
    /// A picker for a node of the main search. `table_move` must be legal here or `None`. Killers
    /// that are not legal here are skipped.
    pub(crate) fn new(
        position: &Line,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
    ) -> MovePicker {
        let killers = if position.in_check() { [None; 2] } else { killers };
        MovePicker::start(position, table_move, killers, Wanted::All)
    }

    /// A picker for a node of the quiescence search: captures only, or all moves in check.
    pub(crate) fn quiescence(position: &Line, table_move: Option<Move>) -> MovePicker {
        if position.in_check() {
            MovePicker::start(position, table_move, [None; 2], Wanted::All)
        } else {
            let table_move = table_move.filter(|mv| mv.is_capture());
            MovePicker::start(position, table_move, [None; 2], Wanted::CapturesWinning(0))
        }
    }

    /// A picker of captures that win at least `threshold` in the exchange, or less if their history is
    /// good, for nodes not in check.
    pub(crate) fn winning_captures(
        position: &Line,
        table_move: Option<Move>,
        threshold: i32,
    ) -> MovePicker {
        let table_move =
            table_move.filter(|&mv| mv.is_capture() && see_at_least(position, mv, threshold));
        MovePicker::start(position, table_move, [None; 2], Wanted::CapturesWinning(threshold))
    }

    fn start(
        position: &Line,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        wanted: Wanted,
    ) -> MovePicker {
        let stage = if table_move.is_some() {
            Stage::TableMove
        } else {
            MovePicker::first_generation(position)
        };
        MovePicker {
            stage,
            wanted,
            table_move,
            killers,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            next: 0,
            greatest: None,
            bad: 0,
            skip_quiets: false,
        }
    }

    fn first_generation(position: &Line) -> Stage {
        if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateCaptures }
    }

    /// Whether the last move yielded is a good capture, by its exchange and its history.
    #[inline]
    pub(crate) fn last_is_good_capture(&self) -> bool {
        self.stage == Stage::GoodCaptures
    }

    /// Yields only captures from now on (and evasions, in check).
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move. The position must be the one that the picker was made for. What the table knows of
    /// the position after the move is mostly prefetched by then. The child of the table's move must be
    /// prefetched by the caller.
    pub(crate) fn next(&mut self, position: &Line, experience: &Experience<'_>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = MovePicker::first_generation(position);
                    return self.table_move;
                }
                Stage::GenerateCaptures => {
                    position.generate(Filter::CAPTURES, &mut self.moves);
                    self.score_new_moves(|mv| capture_score(mv, experience));
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.take_best() {
                    Some(mv) => {
                        prefetch_child(position, experience, mv);
                        let threshold = match self.wanted {
                            Wanted::All => 0,
                            Wanted::CapturesWinning(threshold) => threshold,
                        };
                        let trust = experience.history.capture(mv)
                            * experience.parameters.order_capture_exchange
                            / 1024;
                        if see_at_least(position, mv, threshold - trust) {
                            return Some(mv);
                        }
                        // The places before `next` can be used again.
                        self.moves[self.bad] = mv;
                        self.bad += 1;
                    }
                    None if self.wanted == Wanted::All => self.stage = Stage::Killers(0),
                    None => self.stage = Stage::Done,
                },
                Stage::Killers(number) => match self.killers.get(number) {
                    Some(&killer) if !self.skip_quiets => {
                        self.stage = Stage::Killers(number + 1);
                        // A killer was legal in a sister node. Here it may be illegal.
                        if let Some(mv) = killer
                            && killer != self.table_move
                            && position.unpack_move(mv.to_usi().pack()) == killer
                        {
                            prefetch_child(position, experience, mv);
                            return killer;
                        }
                    }
                    _ => self.stage = Stage::GenerateQuiets,
                },
                Stage::GenerateQuiets => {
                    if self.skip_quiets {
                        self.stage = Stage::BadCaptures(0);
                        continue;
                    }
                    experience.history.prefetch_quiets(experience.context, position.side_to_move());
                    position.generate(Filter::QUIETS, &mut self.moves);
                    let quiets = Quiets::new(position, experience);
                    let mut scores = AllQuiets::new(&quiets);
                    self.score_new_moves(|mv| scores.score(mv));
                    self.look_ahead(position, experience);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if self.skip_quiets {
                        self.stage = Stage::BadCaptures(0);
                        continue;
                    }
                    match self.take_best() {
                        Some(mv) if self.killers.contains(&Some(mv)) => {}
                        Some(mv) => {
                            self.look_ahead(position, experience);
                            return Some(mv);
                        }
                        None => self.stage = Stage::BadCaptures(0),
                    }
                }
                Stage::BadCaptures(number) => {
                    if number < self.bad {
                        self.stage = Stage::BadCaptures(number + 1);
                        let mv = self.moves[number];
                        prefetch_child(position, experience, mv);
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateEvasions => {
                    position.generate(Filter::USEFUL, &mut self.moves);
                    let quiets = Quiets::new(position, experience);
                    self.score_new_moves(|mv| {
                        if mv.is_capture() {
                            CAPTURE_FIRST + capture_score(mv, experience)
                        } else {
                            quiets.score(mv)
                        }
                    });
                    self.look_ahead(position, experience);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.take_best() {
                    Some(mv) => {
                        self.look_ahead(position, experience);
                        return Some(mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Scores the moves generated since the last call.
    #[inline]
    fn score_new_moves(&mut self, mut score: impl FnMut(Move) -> i32) {
        let first = self.keys.len().saturating_sub(GROUP);
        self.keys.truncate(first);
        let moves = (first..).zip(&self.moves[first..]);
        self.keys.extend(moves.map(|(place, &mv)| key(score(mv), place)));
        self.keys.extend([i32::MIN; GROUP]);
        self.greatest = None;
    }

    /// The greatest key of the moves that have not been yielded.
    #[inline]
    fn greatest_key(&mut self) -> Option<i32> {
        if self.greatest.is_none() && self.next < self.moves.len() {
            let (groups, _) = self.keys[self.next..].as_chunks();
            self.greatest = Some(greatest(groups));
        }
        self.greatest
    }

    /// Prefetches the child of the move that comes next, while the one before it is searched.
    #[inline]
    fn look_ahead(&mut self, position: &Line, experience: &Experience<'_>) {
        if let Some(key) = self.greatest_key() {
            prefetch_child(position, experience, self.moves[place(key)]);
        }
    }

    /// The best move that has not been yielded, except the table's move.
    #[inline]
    fn take_best(&mut self) -> Option<Move> {
        loop {
            let best = place(self.greatest_key()?);
            self.greatest = None;
            let mv = self.moves[best];
            // What has been yielded is not read again.
            self.moves[best] = self.moves[self.next];
            self.keys[best] = moved_to(self.keys[self.next], best);
            self.next += 1;
            if Some(mv) != self.table_move {
                return Some(mv);
            }
        }
    }
}

/// Prefetches what the table knows of the position after a move.
#[inline]
fn prefetch_child(position: &Line, experience: &Experience<'_>, mv: Move) {
    experience.table.prefetch(position.key_after(mv));
}

/// Number of keys that are compared at once.
const GROUP: usize = 16;

/// The greatest key. Whole groups need no loop for single keys. A single loop over all keys becomes
/// vector instructions; a loop inside a loop would read them by slow gathers with AVX-512.
#[inline]
fn greatest(groups: &[[i32; GROUP]]) -> i32 {
    groups.as_flattened().iter().fold(i32::MIN, |greatest, &key| key.max(greatest))
}

/// Bits of a key that hold the move's place in the list.
const PLACE_BITS: u32 = 10;
const LAST_PLACE: i32 = (1 << PLACE_BITS) - 1;
/// The greatest score that a key has room for, with either sign.
const SCORE_LIMIT: i32 = (1 << (31 - PLACE_BITS)) - 1;

const _: () = assert!(MAX_MOVES <= LAST_PLACE as usize);

/// Combines a score with a place. Among equal scores, the first place has the greatest key. So one
/// vectorized search for the greatest key finds score and place.
#[inline]
fn key(score: i32, place: usize) -> i32 {
    debug_assert!(score.abs() <= SCORE_LIMIT, "{score}");
    (score << PLACE_BITS) + (LAST_PLACE - place as i32)
}

/// The place that a key holds.
#[inline]
fn place(key: i32) -> usize {
    (LAST_PLACE - (key & LAST_PLACE)) as usize
}

/// The key after its move has been moved to another place.
#[inline]
fn moved_to(key: i32, place: usize) -> i32 {
    (key & !LAST_PLACE) + (LAST_PLACE - place as i32)
}

/// The most valuable victim counts most, then history.
#[inline]
fn capture_score(mv: Move, experience: &Experience<'_>) -> i32 {
    let victim = mv.captured().map_or(0, exchange_value);
    let history = experience.history.capture(mv) * experience.parameters.order_capture_history / 16;
    8 * victim + 4 * move_gain(mv) - board_value(mv.kind()) / 8 + history
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::History;
    use crate::lookup::Context;
    use crate::parameters::{Parameters, ParametersRef};
    use crate::testing::random_games;
    use crate::tt::TranspositionTable;
    use std::collections::HashSet;

    const NO_CONTEXT: Context = Context::NONE;

    fn drain(mut picker: MovePicker, position: &Line, history: &History) -> Vec<Move> {
        let parameters = ParametersRef::new(&Parameters::DEFAULT);
        let table = &TranspositionTable::new(1).unwrap();
        let experience = Experience { history, context: &NO_CONTEXT, parameters, table };
        std::iter::from_fn(|| picker.next(position, &experience)).collect()
    }

    fn as_set(moves: &[Move]) -> HashSet<Move> {
        let set: HashSet<Move> = moves.iter().copied().collect();
        assert_eq!(set.len(), moves.len(), "a move came twice: {moves:?}");
        set
    }

    #[test]
    fn every_useful_move_comes_exactly_once() {
        let mut history = History::new();
        let mut earlier: Vec<Move> = Vec::new();
        random_games(5, 20, 200, |position| {
            let legal = position.legal_moves();
            let useful: HashSet<Move> =
                legal.iter().copied().filter(|mv| !mv.is_idle_non_promotion()).collect();
            let pick = |number: usize| useful_at(&legal, number);
            let table_move = pick(legal.len() / 2);
            // One killer that is legal here, and one from some other position.
            let quiet =
                legal.iter().copied().rfind(|mv| !mv.is_capture() && !mv.is_idle_non_promotion());
            let stray = earlier.iter().copied().rev().nth(3).filter(|mv| !mv.is_capture());
            for killers in [[None, None], [quiet, stray], [stray, quiet]] {
                for table_move in [None, table_move] {
                    let picker = MovePicker::new(position, table_move, killers);
                    let yielded = drain(picker, position, &history);
                    assert_eq!(as_set(&yielded), useful, "{position} {table_move:?} {killers:?}");
                    if table_move.is_some() {
                        assert_eq!(yielded.first().copied(), table_move);
                    }
                }
            }
            // Some history, so that scores differ.
            for (number, &mv) in legal.iter().enumerate() {
                let bonus = (number as i32 * 37 % 400) - 200;
                if mv.is_capture() {
                    history.update_capture(mv, bonus);
                } else {
                    history.update_quiet(mv, &NO_CONTEXT, bonus);
                }
            }
            earlier.extend(pick(0));
        });
    }

    fn useful_at(legal: &[Move], number: usize) -> Option<Move> {
        legal.iter().copied().filter(|mv| !mv.is_idle_non_promotion()).nth(number)
    }

    #[test]
    fn quiescence_sees_winning_captures_or_all_evasions() {
        let (mut captures_seen, mut evasions_seen, mut trusted, mut number) = (0, 0, 0, 0);
        random_games(6, 20, 200, |position| {
            let legal = position.legal_moves();
            // A third of the positions each with captures that were good, bad, and unknown.
            number += 1;
            let mut history = History::new();
            for &mv in legal.iter().filter(|mv| mv.is_capture()) {
                history.update_capture(mv, 2000 * (number % 3 - 1));
            }
            let yielded = drain(MovePicker::quiescence(position, None), position, &history);
            let expected: HashSet<Move> = legal
                .iter()
                .copied()
                .filter(|mv| !mv.is_idle_non_promotion())
                .filter(|&mv| {
                    let trust = history.capture(mv) * Parameters::DEFAULT.order_capture_exchange;
                    position.in_check()
                        || mv.is_capture() && see_at_least(position, mv, -trust / 1024)
                })
                .collect();
            assert_eq!(as_set(&yielded), expected, "{position}");
            if position.in_check() {
                evasions_seen += yielded.len();
            } else {
                captures_seen += yielded.len();
                trusted += yielded.iter().filter(|&&mv| !see_at_least(position, mv, 0)).count();
            }
        });
        assert!(captures_seen > 500 && evasions_seen > 100, "{captures_seen} {evasions_seen}");
        assert!(trusted > 0);
    }

    #[test]
    fn without_quiet_moves_all_captures_still_come() {
        let history = History::new();
        random_games(7, 10, 200, |position| {
            if position.in_check() {
                return;
            }
            let mut picker = MovePicker::new(position, None, [None; 2]);
            picker.skip_quiets();
            let yielded = drain(picker, position, &history);
            let mut captures = MoveList::new();
            position.generate(Filter::CAPTURES, &mut captures);
            assert_eq!(as_set(&yielded), as_set(&captures), "{position}");
        });
    }
}
