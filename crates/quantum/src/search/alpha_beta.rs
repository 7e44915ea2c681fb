//! Alpha-beta search for quantum shogi: one iteration.
//!
//! Quantum shogi has no check. But a piece that can only be the king may be attacked, and a player
//! who leaves it attacked loses at once. So each node first looks for a capture of the king, and a
//! leaf whose own king is attacked is searched one ply deeper.

use std::cmp::Reverse;

use tsumero_control::{Bound, MAX_PLY, Score, TimeKeeper};
use tsumero_core::{ByColor, Color, Square};

use super::evaluate::{self, Watched};
use super::exchange::Exchange;
use super::history::{HISTORY_LIMIT, History};
use super::node::{Node, Task};
use super::table::{Table, TableEntry};
use super::{Info, Line};
use crate::kind_set::KindSet;
use crate::movegen::Candidate;
use crate::moves::Move;
use crate::position::Position;

/// Nodes between two looks at the clock.
const NODES_PER_LOOK: u64 = 64;
/// Plies of the quiescence search in which captures on every square are tried.
const FREE_CAPTURES: u32 = 3;
/// What a capture may bring beyond the captured piece.
const CAPTURE_MARGIN: i32 = 200;

/// One search: its current position, and what it has learned.
pub(super) struct Worker<'a, 'k> {
    position: Position,
    root_moves: Vec<Move>,
    /// The moves that have turned out to lose in the current iteration.
    lost: Vec<Move>,
    table: &'a mut Table,
    keeper: &'a mut TimeKeeper<'k>,
    node_limit: u64,
    nodes: u64,
    seldepth: u32,
    aborted: bool,
    /// What a capture may bring beyond the captured piece.
    capture_margin: i32,
    /// The keys of the game's positions and of those on the path to the current node.
    keys: Vec<u64>,
    history: History,
}

impl<'a, 'k> Worker<'a, 'k> {
    pub(super) fn new(
        position: &Position,
        root_moves: Vec<Move>,
        table: &'a mut Table,
        keeper: &'a mut TimeKeeper<'k>,
        node_limit: u64,
    ) -> Worker<'a, 'k> {
        let mut worker = Worker {
            keys: position.past_keys(),
            position: position.without_past(),
            root_moves: Vec::new(),
            lost: Vec::new(),
            table,
            keeper,
            node_limit,
            nodes: 0,
            seldepth: 0,
            aborted: false,
            capture_margin: CAPTURE_MARGIN,
            history: History::new(),
        };
        // Captures first, so that the very first iteration cuts well.
        let mut ordered = worker.candidates(0, None);
        ordered.retain(|candidate| root_moves.contains(&candidate.mv));
        worker.root_moves = ordered.into_iter().map(|candidate| candidate.mv).collect();
        // Of drops that differ only in the name of the piece, the one that stands for all may not be
        // asked for.
        for mv in root_moves {
            if !worker.root_moves.iter().any(|&other| worker.are_alike(mv, other)) {
                worker.root_moves.push(mv);
            }
        }
        worker
    }

    /// Whether moves are equal, or drops that differ only in the name of the piece.
    fn are_alike(&self, one: Move, other: Move) -> bool {
        match (one, other) {
            (Move::Drop { piece, to }, Move::Drop { piece: other, to: there }) => {
                let position = &self.position;
                to == there
                    && piece.side() == other.side()
                    && position.kinds(piece) == position.kinds(other)
            }
            _ => one == other,
        }
    }

    pub(super) fn first_move(&self) -> Move {
        self.root_moves[0]
    }

    /// The move at the root that an earlier search would play.
    pub(super) fn known_move(&self) -> Option<Move> {
        let known = self.table.probe(self.position.key(), 0)?.best?;
        self.root_moves.iter().copied().find(|&mv| self.are_alike(mv, known))
    }

    /// Stores the line of a finished iteration.
    pub(super) fn remember(&mut self, depth: u32, line: &Line) {
        let (best, score, depth) = (Some(line.pv[0]), line.score, depth as i32);
        let entry = TableEntry { best, score, depth, bound: Bound::Exact };
        self.table.store(self.position.key(), 0, entry);
    }

    /// Whether the last iteration has shown that the move loses.
    pub(super) fn has_refuted(&self, mv: Move) -> bool {
        self.lost.contains(&mv)
    }

    pub(super) fn is_aborted(&self) -> bool {
        self.aborted
    }

    pub(super) fn should_stop(&mut self) -> bool {
        // The next iteration would take several times as long as all earlier ones together. An only move
        // needs no time.
        let scale = if self.root_moves.len() == 1 { 0 } else { 50 };
        self.nodes >= self.node_limit || self.keeper.must_stop() || self.keeper.should_stop(scale)
    }

    pub(super) fn may_answer(&mut self) -> bool {
        self.keeper.may_answer()
    }

    pub(super) fn wait_until_answer_is_due(&mut self) {
        self.keeper.wait_until_answer_is_due();
    }

    pub(super) fn info(&self, depth: u32, line: &Line) -> Info {
        Info {
            depth,
            seldepth: self.seldepth.max(line.pv.len() as u32),
            time: self.keeper.elapsed(),
            nodes: self.nodes,
            hashfull: self.table.hashfull(),
            multipv: 1,
            score: line.score,
            bound: Bound::Exact,
            pv: line.pv.clone(),
        }
    }

    /// Searches all root moves. Returns the best line that is certain. An aborted iteration has one
    /// if its first move was finished, and one of the finished moves does not lose. If all of them
    /// lose, the move that was being searched becomes the first one.
    pub(super) fn search_root(&mut self, depth: i32) -> Option<Line> {
        self.seldepth = 0;
        self.lost.clear();
        let mut best: Option<Line> = None;
        let mut alpha = -Score::INFINITE;
        let task = Task { ply: 0, alpha, beta: Score::INFINITE, depth };
        for number in 0..self.root_moves.len() {
            let mv = self.root_moves[number];
            let Ok(left) = self.position.validate(mv) else { continue };
            let mut pv = Vec::new();
            self.enter(Candidate { mv, left });
            let score = self.search_child(task, alpha, number == 0, 0, &mut pv);
            self.leave();
            if self.aborted {
                if best.as_ref().is_some_and(|line| line.score.is_loss()) {
                    self.root_moves[..=number].rotate_right(1);
                    return None;
                }
                break;
            }
            if score.is_loss() {
                self.lost.push(mv);
            }
            if score > alpha {
                alpha = score;
                pv.insert(0, mv);
                best = Some(Line { score, pv });
                // The best move so far comes first in the next iteration.
                self.root_moves[..=number].rotate_right(1);
            }
        }
        best
    }

    fn enter(&mut self, candidate: Candidate) {
        self.keys.push(self.position.key());
        self.position.play_narrowed(candidate.mv, candidate.left);
    }

    fn leave(&mut self) {
        self.position.undo();
        self.keys.pop();
    }

    /// Counts a node. Returns whether the search must end.
    fn enter_node(&mut self, ply: u32) -> bool {
        self.seldepth = self.seldepth.max(ply);
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_LOOK) && self.keeper.must_stop() {
            self.aborted = true;
        }
        if self.nodes >= self.node_limit {
            self.aborted = true;
        }
        self.aborted
    }

    /// Searches the position within a window. Returns the score, and writes the best line to `pv`.
    fn search(&mut self, task: Task, pv: &mut Vec<Move>) -> Score {
        let Task { ply, alpha, beta, depth } = task;
        pv.clear();
        if self.enter_node(ply) {
            return Score::ZERO;
        }
        if self.position.winner().is_some() {
            // The previous move captured the king.
            return Score::mated_in(ply);
        }
        // The king can be taken in a position that repeats an earlier one, too, although nobody took it then.
        if ply < MAX_PLY
            && let Some(mv) = self.king_capture()
        {
            pv.push(mv);
            return Score::mate_in(ply + 1);
        }
        let key = self.position.key();
        if self.keys.contains(&key) {
            return Score::ZERO;
        }
        if ply >= MAX_PLY {
            return evaluate::value(&self.position);
        }
        let king_attacked = self.is_sure_king_attacked(self.position.side_to_move());
        let depth = if king_attacked { depth.max(1) } else { depth };
        if depth <= 0 {
            return self.quiescence(ply, alpha, beta, FREE_CAPTURES, None);
        }
        let task = Task { depth, ..task };

        let entry = self.table.probe(key, ply);
        if let Some(entry) = entry
            && !task.is_pv()
            && entry.depth >= depth
            && entry.decides(alpha, beta)
        {
            return entry.score;
        }

        let node = Node { task, key, king_attacked, eval: evaluate::value(&self.position) };
        if let Some(score) = self.prune(&node) {
            return score;
        }
        let candidates = self.candidates(ply, entry.and_then(|entry| entry.best));
        if candidates.is_empty() {
            return Score::mated_in(ply);
        }
        self.search_moves(&node, candidates, pv)
    }

    /// The score of a node that is so far above its window that its moves need not be searched.
    fn prune(&mut self, node: &Node) -> Option<Score> {
        let Task { ply, beta, depth, .. } = node.task;
        if node.task.is_pv() || node.king_attacked || beta.is_mate() {
            return None;
        }
        // It stays above the window even if something is lost.
        if depth <= 3 && node.eval - 150 * depth >= beta {
            return Some(node.eval);
        }
        if depth >= 2 && node.eval >= beta && !self.came_by_null_move(node.key) {
            return self.null_move(ply, beta, depth);
        }
        None
    }

    /// Searches the moves of a node until one is too good. Stores the result.
    fn search_moves(
        &mut self,
        node: &Node,
        candidates: Vec<Candidate>,
        pv: &mut Vec<Move>,
    ) -> Score {
        let Task { ply, alpha: start_alpha, beta, depth } = node.task;
        let mut alpha = start_alpha;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut line = Vec::new();
        let mut quiets_tried: Vec<Move> = Vec::new();
        for (number, candidate) in candidates.into_iter().enumerate() {
            let quiet = self.is_quiet(candidate.mv);
            if quiet && !best.is_loss() && node.skips_quiet(number, alpha) {
                continue;
            }
            let reduction = if quiet { node.reduction(number) } else { 0 };
            self.enter(candidate);
            let score = self.search_child(node.task, alpha, number == 0, reduction, &mut line);
            self.leave();
            if self.aborted {
                return Score::ZERO;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(candidate.mv);
                    pv.clear();
                    pv.push(candidate.mv);
                    pv.extend_from_slice(&line);
                }
            }
            if score >= beta {
                if quiet {
                    self.history.reward(&self.position, ply, depth, candidate.mv, &quiets_tried);
                }
                break;
            }
            if quiet {
                quiets_tried.push(candidate.mv);
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if alpha > start_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.store(node.key, ply, TableEntry { best: best_move, score: best, depth, bound });
        best
    }

    /// Searches the position after a move of a node, whose window now begins at `alpha`. Later moves
    /// first have to show with a zero window, and reduced depth, that they are better.
    fn search_child(
        &mut self,
        parent: Task,
        alpha: Score,
        is_first: bool,
        reduction: i32,
        pv: &mut Vec<Move>,
    ) -> Score {
        let full = Task {
            ply: parent.ply + 1,
            alpha: -parent.beta,
            beta: -alpha,
            depth: parent.depth - 1,
        };
        if !is_first {
            let zero_window = Task { alpha: -(alpha + 1), ..full };
            let reduced = Task { depth: (full.depth - reduction).max(0), ..zero_window };
            let mut score = -self.search(reduced, pv);
            if score > alpha && reduction > 0 && !self.aborted {
                score = -self.search(zero_window, pv);
            }
            let is_inside = score > alpha && score < parent.beta;
            if self.aborted || !parent.is_pv() || !is_inside {
                return score;
            }
        }
        -self.search(full, pv)
    }

    /// Quiescence search: `free` plies of all captures that may matter, and then only those on the
    /// square of the last one, until the exchange there is over. All captures together would never end,
    /// because early in a game nearly every piece can capture nearly everywhere. And if the search
    /// ended after a number of plies, the last capture would seem to lose nothing.
    fn quiescence(
        &mut self,
        ply: u32,
        mut alpha: Score,
        beta: Score,
        free: u32,
        last: Option<Square>,
    ) -> Score {
        let (stand, watched) = evaluate::value_and_watched(&self.position);
        // The king may be captured two plies from here, and no mate is further away than the deepest ply.
        if stand >= beta || ply + 2 > MAX_PLY {
            return stand;
        }
        let mut best = stand;
        alpha = alpha.max(stand);
        for (gain, candidate) in self.rated_captures(last.filter(|_| free == 0), &watched) {
            // Even if it brings more than that, it does not reach the window. Less than this is not shown,
            // and the parent stores what is returned.
            let promise = stand + gain + self.capture_margin;
            if promise <= alpha {
                best = best.max(promise);
                break;
            }
            let to = candidate.mv.to();
            self.enter(candidate);
            let score = if self.enter_node(ply + 1) {
                Score::ZERO
            } else if self.position.winner().is_some() {
                Score::mate_in(ply + 1)
            } else if self.king_capture().is_some() {
                -Score::mate_in(ply + 2)
            } else {
                -self.quiescence(ply + 1, -beta, -alpha, free.saturating_sub(1), Some(to))
            };
            self.leave();
            if self.aborted {
                return Score::ZERO;
            }
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The captures, all or those on one square, with what they win, the most first: the piece, less
    /// the own one if it can be taken back.
    fn rated_captures(&self, on: Option<Square>, watched: &Watched) -> Vec<(i32, Candidate)> {
        let exchange = Exchange::new(&self.position);
        let mut rated = Vec::new();
        let mut rate = |candidate: Candidate| {
            if on.is_none_or(|on| candidate.mv.to() == on)
                && let Some(gain) = exchange.gain(candidate)
            {
                rated.push((gain - exchange.risk(candidate, watched), candidate));
            }
        };
        let position = &self.position;
        match on.and_then(|on| position.piece_at(on)) {
            Some(target) => position.for_each_board_move(|piece| piece == Some(target), &mut rate),
            None => position.for_each_board_move(|piece| piece.is_some(), &mut rate),
        }
        rated.sort_by_key(|&(gain, _)| Reverse(gain));
        rated
    }

    /// The score, if the side to move is good enough even if it passes.
    fn null_move(&mut self, ply: u32, beta: Score, depth: i32) -> Option<Score> {
        self.keys.push(self.position.key());
        self.position.do_null_move();
        let depth = (depth - 3 - depth / 4).max(0);
        let task = Task { ply: ply + 1, alpha: -beta, beta: -(beta - 1), depth };
        let score = -self.search(task, &mut Vec::new());
        self.leave();
        if self.aborted {
            return Some(Score::ZERO);
        }
        (score >= beta).then_some(if score.is_mate() { beta } else { score })
    }

    /// Whether the previous move was a null move: two null moves in a row prove nothing. A null
    /// move changes only the side to move in the key.
    fn came_by_null_move(&self, key: u64) -> bool {
        self.keys.last().is_some_and(|&last| last == Position::key_of_other_side(key))
    }

    /// A move that captures a piece that is certainly the king.
    fn king_capture(&self) -> Option<Move> {
        let us = self.position.side_to_move();
        self.sure_king(!us)?;
        let mut found = None;
        let position = &self.position;
        position.for_each_board_move(
            |target| target.is_some_and(|piece| position.kinds(piece) == KindSet::KING),
            |candidate| found = Some(candidate.mv),
        );
        found
    }

    /// The piece of a color that can only be the king, if there is one.
    fn sure_king(&self, color: Color) -> Option<usize> {
        self.position.army(color).sets().iter().position(|&set| set == KindSet::KING)
    }

    fn is_sure_king_attacked(&self, us: Color) -> bool {
        if self.sure_king(us).is_none() {
            return false;
        }
        let mut attacked = false;
        self.position.for_each_reached(!us, |target| {
            attacked |= target.is_some_and(|piece| self.position.kinds(piece) == KindSet::KING);
        });
        attacked
    }

    fn is_quiet(&self, mv: Move) -> bool {
        match mv {
            Move::Board { to, promotes, .. } => !promotes && self.position.piece_at(to).is_none(),
            Move::Drop { .. } => true,
        }
    }

    /// All legal moves, the promising ones first. Of pieces in hand that differ only in name, one
    /// stands for all.
    fn candidates(&self, ply: u32, first: Option<Move>) -> Vec<Candidate> {
        let position = &self.position;
        let exchange = Exchange::new(position);
        let mut rated: Vec<(i32, Candidate)> = Vec::with_capacity(256);
        let mut rate = |candidate: Candidate| {
            let mv = candidate.mv;
            let rating = if Some(mv) == first {
                i32::MAX
            } else if let Some(gain) = exchange.gain(candidate) {
                2 * HISTORY_LIMIT + gain
            } else {
                self.history.rate(position, ply, mv)
            };
            rated.push((rating, candidate));
        };
        position.for_each_board_move(|_| true, &mut rate);
        let mut seen = ByColor([[false; KindSet::COUNT]; 2]);
        for &piece in position.hand_iter(position.side_to_move()) {
            let kinds = usize::from(position.kinds(piece).bits());
            let is_new = !std::mem::replace(&mut seen[piece.side()][kinds], true);
            position.for_each_drop_of(piece, |candidate| {
                if is_new || Some(candidate.mv) == first {
                    rate(candidate);
                }
            });
        }
        rated.sort_by_key(|&(rating, _)| Reverse(rating));
        rated.into_iter().map(|(_, candidate)| candidate).collect()
    }
}

#[cfg(test)]
mod tests;
