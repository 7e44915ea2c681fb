//! Quiescence search: captures until the position is quiet; in check, evasions, but few quiet ones once a move saves the king.

use tsumero_control::{Bound, Score};
use tsumero_core::Move;

use crate::danger::Attacked;
use crate::evaluate::{Evaluator, capture_gain};
use crate::move_picker::MovePicker;
use crate::node::NodeKind;
use crate::see::see_at_least;
use crate::tt::{TableEntry, TableResult};
use crate::window::Window;
use crate::worker::Worker;

impl<'a, E: Evaluator<'a>> Worker<'a, E> {
    /// The value of the position within a window after all worthwhile captures. The side to move
    /// may stop capturing at any time, unless it is in check.
    pub(crate) fn quiescence<N: NodeKind>(&mut self, ply: u32, window: Window) -> Score {
        let Window { mut alpha, beta } = window;
        // Step 1. The node and the end of the game.
        self.enter_node(ply);
        if self.is_aborted() {
            return Score::ZERO;
        }
        if N::PV {
            self.at(ply).pv.clear();
        }
        if let Some(score) = self.game_over(ply) {
            return score;
        }

        // Step 2. Probe the table.
        let key = self.position.key();
        self.compute_attacks();
        let entry = self.shared.table.probe(key);
        if !N::PV
            && let Some(entry) = &entry
            && let Some(score) = entry.deciding_score(ply, beta)
        {
            return score;
        }
        let was_pv = N::PV || entry.is_some_and(|entry| entry.was_pv);
        let table_move = self.table_move(entry.as_ref());

        // Step 3. A declaration or a mate in one needs no search.
        if let Some(score) = self.end_of_line(ply) {
            return score;
        }
        let in_check = self.position.in_check();
        if let Some(score) = self.mate_now::<N>(ply, key, entry.as_ref()) {
            return score;
        }

        // Step 4. Stand pat: a side that is not in check does not have to capture.
        let mut best_score = -Score::INFINITE;
        if in_check {
            self.note_danger(ply);
        }
        let context = self.context(ply);
        let raw_eval =
            if in_check { None } else { Some(self.raw_eval(key, entry.as_ref(), was_pv)) };
        let static_eval =
            raw_eval.map(|raw| self.corrected(raw, &context, &Attacked::of(&self.position)));
        if let Some(value) = static_eval {
            let known = entry.and_then(|entry| entry.better_estimate(ply, value));
            best_score = known.filter(|score| score.is_ordinary()).unwrap_or(value);
            if best_score >= beta {
                if entry.is_none() {
                    let entry = TableEntry {
                        result: Some(TableResult::new(best_score, ply, Bound::Lower)),
                        ..TableEntry::of_static_eval(raw_eval, was_pv)
                    };
                    self.shared.table.store(key, &entry);
                }
                return best_score;
            }
            alpha = alpha.max(best_score);
        }

        // Step 5. The captures, or the evasions.
        let parameters = self.parameters();
        let mut picker = MovePicker::quiescence(&self.position, table_move);
        let mut best_move = None;
        let mut number = 0;
        loop {
            let experience = self.experience(&context);
            let Some(mv) = picker.next(&self.position, &experience) else { break };
            if self.overlooks(mv) {
                continue;
            }
            number += 1;
            // Step 6. Pruning, once some move does not lose. In check, the best score is a loss at first.
            if !best_score.is_loss() {
                if in_check {
                    // Captures come first. Once some move saves the king, a quiet evasion is tried
                    // only among the first moves.
                    if !mv.is_capture() && number > parameters.quiescence_evasions {
                        break;
                    }
                } else if let Some(value) = static_eval {
                    let promise = value + (parameters.quiescence_margin + capture_gain(mv));
                    if promise <= alpha && !self.position.gives_check(mv) {
                        best_score = best_score.max(promise);
                        continue;
                    }
                    // The picker has judged all captures except the table's move.
                    if Some(mv) == table_move && !see_at_least(&self.position, mv, 0) {
                        continue;
                    }
                }
            }
            self.do_move(ply, mv);
            let score = -self.quiescence::<N::Child>(ply + 1, Window { alpha, beta }.reversed());
            self.undo_move();
            if self.is_aborted() {
                return Score::ZERO;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if score >= beta {
                        if N::PV && score == Score::mate_in(ply + 1) {
                            self.show_mate(ply, mv);
                        }
                        break;
                    }
                    if N::PV {
                        self.set_pv(ply, mv);
                    }
                    alpha = score;
                }
            }
        }

        // Step 7. In check without an evasion: mate.
        if in_check && number == 0 {
            return Score::mated_in(ply);
        }

        let entry = TableEntry {
            best: best_move.map_or(0, |mv: Move| mv.to_usi().pack()),
            result: Some(TableResult::new(best_score, ply, window.bound_of(best_score))),
            static_eval: raw_eval,
            depth: 0,
            was_pv,
        };
        self.shared.table.store(key, &entry);
        best_score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::{Pv, ZeroWindow};
    use crate::see::asked;
    use crate::testing::{random_games, with_worker};
    use tsumero_core::Position;

    /// The table's score replaces the static value where it tells more, but only a score that
    /// measures the position.
    #[test]
    fn nobody_stands_pat_on_a_decided_score() {
        let position = Position::startpos();
        let value = |entry: Option<i16>| {
            with_worker(&position, |worker| {
                if let Some(score) = entry {
                    let bound = if score > 0 { Bound::Lower } else { Bound::Upper };
                    let entry = TableEntry {
                        result: Some(TableResult { score, bound }),
                        ..TableEntry::of_static_eval(None, false)
                    };
                    worker.shared.table.store(position.key(), &entry);
                }
                worker.quiescence::<Pv>(
                    1,
                    Window { alpha: Score::new(-1000), beta: Score::new(1000) },
                )
            })
        };
        let alone = value(None);
        for ordinary in [300, -300] {
            assert_eq!(value(Some(ordinary)), Score::new(i32::from(ordinary)));
        }
        for win in [Score::new(20_000), Score::mate_in(9)] {
            for score in [win, -win] {
                assert_eq!(value(Some(score.to_table(1))), alone, "{score:?}");
            }
        }
    }

    /// The move picker has tested the exchange of the moves that it yields.
    #[test]
    fn no_exchange_is_computed_twice_in_a_row() {
        let mut questions = 0;
        random_games(3, 5, 120, |position| {
            asked::take();
            with_worker(position, |worker| {
                worker.quiescence::<ZeroWindow>(1, Window::up_to(Score::ZERO));
            });
            let asked = asked::take();
            for pair in asked.windows(2) {
                assert_ne!(pair[0], pair[1], "{position}");
            }
            questions += asked.len();
        });
        assert!(questions > 1_000, "{questions}");
    }
}
