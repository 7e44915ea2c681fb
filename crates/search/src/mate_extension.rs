//! Where the main search asks for a mate, and when it trusts the answer.
//!
//! *In the tree.* Before a node that is not in check is searched, the static test looks for a mate
//! in one. The test is exact, so a move that it returns needs no search. Its `None` is exact, too.
//! So a node with an entry in the table is not tested again: every node below the root was tested
//! before its first entry was written, and a mate would be in that entry. If the entry was written when
//! the position was a root, a mate is found by the search of the moves.
//!
//! *At the root.* Between two iterations, df-pn (Nagai and Imai 1999, see [`tsumero_mate::dfpn`])
//! gets two shares of the nodes searched so far: one to find a mate by the side to move, and one to
//! find a mate by the opponent after the best move. If the side to move has a mate, it is the
//! answer, with its whole line. If the best move allows a mate, it is removed from the root moves,
//! and the iteration is repeated without it. If all moves lose, the one that lasts longest is the
//! answer.
//!
//! The shares are counted in nodes, never in time, so a search with one thread is reproducible.
//! They count as nodes of the search. A mate is trusted only if its proof has been replayed and its
//! line does not pass the last move of the game. Df-pn knows neither the game so far nor the goals
//! of kings. So it is not asked once a position has occurred three times, because any move of its
//! proof might end the game by repetition; nor under the try rule.

use tsumero_control::{Bound, MAX_PLY, Score, TimeKeeper};
use tsumero_core::{Line, Move};
use tsumero_mate::dfpn::{Answer, Dfpn, Length};
use tsumero_mate::{MateUnknown, Watch};

use crate::evaluate::Evaluator;
use crate::node::NodeKind;
use crate::root_moves::RootLine;
use crate::shared::Shared;
use crate::tt::{TableEntry, TableResult};
use crate::worker::Worker;

/// A share of fewer nodes than this is saved for the next iteration.
const SMALLEST_SLICE: u64 = 100;
/// The longest mate that is looked for. The opponent's mate is one ply further away, and longer
/// mates have no score.
const LONGEST: Length = MAX_PLY as Length - 2;
const _: () = assert!(LONGEST % 2 == 1);
/// Nodes that a replay may take beyond those that found the mate.
const REPLAY: u64 = 1_000;

/// The result of a mate search.
enum Found {
    /// A mate, with the line against the longest defense.
    Mate(Vec<Move>),
    /// No mate, and more nodes would not change that.
    Nothing,
    /// Undecided: it needs more nodes.
    NotYet,
}

/// What follows the mate searches between two iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// The next iteration.
    Deeper,
    /// The same iteration, because its best move was removed from the root moves.
    Again,
    /// The answer, because the game is decided.
    Answer,
}

impl<'a, E: Evaluator<'a>> Worker<'a, E> {
    /// The score of this node if the static test finds a mate in one. `entry` is the node's entry in
    /// the table. Any other entry replaces the one that is stored, because finding the mate again
    /// costs almost nothing.
    #[inline(always)]
    pub(crate) fn mate_now<N: NodeKind>(
        &mut self,
        ply: u32,
        key: u64,
        entry: Option<&TableEntry>,
    ) -> Option<Score> {
        let mate = Score::mate_in(ply + 1);
        let result = TableResult::new(mate, ply, Bound::Exact);
        let mv = match entry {
            _ if !self.shared.settings.mate_search || self.position.in_check() => None,
            Some(entry) if entry.result.is_some_and(|found| found.score == result.score) => {
                self.position.unpack_move(entry.best)
            }
            Some(_) => None,
            None => self.position.mate_in_one().filter(|&mv| !self.overlooks(mv)),
        };
        let mv = mv?;
        if N::PV {
            self.show_mate(ply, mv);
        }
        let entry = TableEntry {
            best: mv.to_usi().pack(),
            result: Some(result),
            ..TableEntry::of_static_eval(None, N::PV || entry.is_some_and(|entry| entry.was_pv))
        };
        self.shared.table.store(key, &entry);
        Some(mate)
    }

    /// Runs the mate searches after an iteration with the result `lines`, and puts what they find
    /// among the lines. If several lines are wanted (`line_count`), no root move is removed.
    pub(crate) fn look_for_mates(
        &mut self,
        depth: u32,
        line_count: usize,
        lines: &mut Vec<RootLine>,
    ) -> Next {
        if self.keeper.is_none() || self.shared.mate_table.is_none() {
            return Next::Deeper;
        }
        if let Some(mate) = self.attack(depth) {
            let is_better = lines.first().is_none_or(|best| best.score < mate.score);
            self.root.mates.proven = Some(mate);
            self.root.mates.put_first(lines, line_count);
            if is_better && line_count == 1 {
                return Next::Answer;
            }
        }
        if line_count > 1 {
            return Next::Deeper;
        }
        let refuted = lines.first().and_then(|best| self.refutation(best, depth));
        if let Some(refuted) = refuted {
            self.root.moves.retain(|root| root.mv != refuted.pv[0]);
            self.root.is_restricted = true;
            self.shared.team.refute(refuted.pv[0]);
            self.root.mates.refuted.push(refuted);
            self.root.mates.removed = std::mem::take(lines).into_iter().next();
            if !self.root.moves.is_empty() {
                return Next::Again;
            }
        }
        self.root.mates.put_longest(lines, depth);
        if self.root.moves.is_empty() { Next::Answer } else { Next::Deeper }
    }

    /// Looks for a mate by the side to move.
    fn attack(&mut self, depth: u32) -> Option<RootLine> {
        let share = u64::from(self.parameters().mate_attack_share.unsigned_abs());
        let slice = (self.nodes / share).saturating_sub(self.root.mates.attack_nodes);
        if self.root.mates.attack_done || slice < SMALLEST_SLICE {
            return None;
        }
        let before = self.nodes;
        let position = self.position.clone();
        let found = self.find_mate(&position, slice, self.root.mates.attack_nodes);
        self.root.mates.attack_nodes += self.nodes - before;
        self.root.mates.attack_done = !matches!(found, Found::NotYet);
        let Found::Mate(pv) = found else { return None };
        // A mate must begin with a wanted move.
        if self.root.is_restricted && self.root.moves.iter().all(|root| root.mv != pv[0]) {
            return None;
        }
        let length = pv.len() as u32;
        Some(RootLine {
            score: Score::mate_in(length),
            depth,
            seldepth: self.seldepth.max(length),
            pv,
        })
    }

    /// Looks for a mate by the opponent after the best move of an iteration.
    fn refutation(&mut self, best: &RootLine, depth: u32) -> Option<RootLine> {
        let mv = best.pv[0];
        let share = u64::from(self.parameters().mate_defense_share.unsigned_abs());
        let slice = (self.nodes / share).saturating_sub(self.root.mates.defense_nodes);
        if best.score.is_mate() || slice < SMALLEST_SLICE || self.root.mates.safe.contains(&mv) {
            return None;
        }
        let mut position = self.position.clone();
        position.do_move(mv);
        let before = self.nodes;
        let found = self.find_mate(&position, slice, self.root.mates.defense_nodes);
        self.root.mates.defense_nodes += self.nodes - before;
        let line = match found {
            Found::Mate(line) => line,
            Found::Nothing => {
                self.root.mates.safe.push(mv);
                return None;
            }
            Found::NotYet => return None,
        };
        let length = line.len() as u32 + 1;
        let pv = std::iter::once(mv).chain(line).collect();
        Some(RootLine {
            score: Score::mated_in(length),
            depth,
            seldepth: self.seldepth.max(length),
            pv,
        })
    }

    /// Looks for a mate by the side to move of a position, with at most `nodes` nodes; `spent`
    /// nodes were used before.
    fn find_mate(&mut self, position: &Line, nodes: u64, spent: u64) -> Found {
        let Some(table) = self.shared.mate_table else { return Found::Nothing };
        let nodes_left = self.nodes_left();
        let mut slice = Slice {
            shared: self.shared,
            keeper: self.keeper.as_mut(),
            nodes: 0,
            limit: nodes.min(nodes_left),
            before: self.nodes,
            node_limit: self.shared.nodes().saturating_add(nodes_left),
        };
        let Some(in_time) = self.shared.longest_in_time(position) else { return Found::Nothing };
        let mut found = Found::NotYet;
        let mut length = LONGEST;
        // First looks for any mate. Then looks for shorter ones, as long as that costs no more than
        // the first.
        loop {
            let answer = Dfpn::new(position, table, &mut slice).solve(length);
            let is_first = length == LONGEST;
            match answer {
                Ok(Answer::Mate(proven)) => length = proven,
                Ok(Answer::NoMate(_)) if matches!(found, Found::NotYet) => found = Found::Nothing,
                Ok(Answer::NoMate(_)) | Err(_) => {}
            }
            if !matches!(answer, Ok(Answer::Mate(_))) {
                break;
            }
            if is_first {
                slice.limit = (slice.nodes * 2 + spent + REPLAY).min(nodes_left);
            }
            let Ok(line) = Dfpn::new(position, table, &mut slice).line(length) else { break };
            length = line.len() as Length;
            if length <= in_time {
                found = Found::Mate(line);
            }
            if length < 3 {
                break;
            }
            length -= 2;
        }
        let used = slice.nodes;
        self.count_nodes(used);
        found
    }
}

impl Shared<'_> {
    /// The longest mate that ends before the last move of the game has been made, in plies.
    fn longest_in_time(&self, position: &Line) -> Option<Length> {
        let Some(last) = self.settings.max_moves_to_draw else { return Some(LONGEST) };
        let moves_left = last.saturating_add(1).saturating_sub(position.ply());
        let odd = moves_left.checked_sub(1)? | 1;
        Some(Length::try_from(odd).unwrap_or(LONGEST).min(LONGEST))
    }
}

/// Counts the nodes of one mate search and ends it.
struct Slice<'a, 'k> {
    shared: &'a Shared<'a>,
    keeper: Option<&'a mut TimeKeeper<'k>>,
    nodes: u64,
    limit: u64,
    /// Nodes of this thread when it began.
    before: u64,
    /// Nodes that all threads together may have searched at its end.
    node_limit: u64,
}

/// Nodes between two looks at the clock and the signals.
const NODES_PER_LOOK: u64 = 256;

impl Watch for Slice<'_, '_> {
    fn enter_node(&mut self) -> Result<(), MateUnknown> {
        if self.nodes >= self.limit {
            return Err(MateUnknown::Nodes);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_LOOK) {
            if self.shared.team.has_ended()
                || self.keeper.as_mut().is_some_and(|keeper| keeper.must_stop())
            {
                return Err(MateUnknown::Stopped);
            }
            // Only the first thread looks for mates. It publishes its nodes, and counts those of
            // the other threads.
            self.shared.publish_nodes(0, self.before + self.nodes);
            if self.shared.nodes() >= self.node_limit {
                return Err(MateUnknown::Nodes);
            }
        }
        Ok(())
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
