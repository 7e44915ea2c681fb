//! Alpha-beta search for quantum shogi: one iteration.
//!
//! Quantum shogi has no check. But a piece that can only be the king may be attacked, and a player
//! who leaves it attacked loses at once. So each node first looks for a capture of the king, and a
//! leaf whose own king is attacked is searched one ply deeper.

use std::cmp::Reverse;

use tsumero_control::{Bound, MAX_PLY, Score, TimeKeeper};
use tsumero_core::{Color, Square};

use super::evaluate::{self, Watched, Weights};
use super::table::{Table, TableEntry};
use super::{Info, Line};
use crate::kind_set::KindSet;
use crate::movegen::Candidate;
use crate::moves::Move;
use crate::piece::PieceId;
use crate::position::Position;

/// Nodes between two looks at the clock.
const LOOK_AT_CLOCK: u64 = 64;
/// Plies of the quiescence search in which captures on every square are tried.
const FREE_CAPTURES: u32 = 3;
/// What a capture may bring beyond the captured piece.
const CAPTURE_MARGIN: i32 = 200;
/// What it is worth to take the piece that has taken back: about a piece of unknown kind, because it
/// is not known which one that will be.
const TAKEN_AGAIN: i32 = 400;
/// What the loss of the king counts in an exchange.
const KING_LOST: i32 = 5_000;
/// A limit that history counts of quiet moves never reach.
const HISTORY_LIMIT: i32 = 1 << 14;

/// One search: its current position, and what it has learned.
pub(super) struct Worker<'a, 'k> {
    position: Position,
    root_moves: Vec<Move>,
    table: &'a mut Table,
    keeper: &'a mut TimeKeeper<'k>,
    max_nodes: u64,
    nodes: u64,
    seldepth: u32,
    aborted: bool,
    /// What a capture may bring beyond the captured piece.
    capture_margin: i32,
    /// The keys of the game's positions and of those on the path to the current node.
    keys: Vec<u64>,
    killers: Vec<[Option<Move>; 2]>,
    /// A count of how often a quiet move of a piece to a square was good.
    history: Vec<[i16; 81]>,
}

impl<'a, 'k> Worker<'a, 'k> {
    pub(super) fn new(
        position: &Position,
        root_moves: Vec<Move>,
        table: &'a mut Table,
        keeper: &'a mut TimeKeeper<'k>,
        max_nodes: u64,
    ) -> Worker<'a, 'k> {
        let mut worker = Worker {
            keys: position.past_keys(),
            position: position.without_past(),
            root_moves: Vec::new(),
            table,
            keeper,
            max_nodes,
            nodes: 0,
            seldepth: 0,
            aborted: false,
            capture_margin: CAPTURE_MARGIN,
            killers: vec![[None; 2]; MAX_PLY as usize + 2],
            history: vec![[0; 81]; PieceId::COUNT],
        };
        // Captures first, so that the very first iteration cuts well.
        let mut ordered = worker.candidates(0, None);
        ordered.retain(|candidate| root_moves.contains(&candidate.mv));
        // Drops that differ only in the name of the piece are left out above. Requested ones are
        // added again.
        worker.root_moves = ordered.into_iter().map(|candidate| candidate.mv).collect();
        if worker.root_moves.is_empty() {
            worker.root_moves = root_moves;
        }
        worker
    }

    pub(super) fn first_move(&self) -> Move {
        self.root_moves[0]
    }

    pub(super) fn has_one_move(&self) -> bool {
        self.root_moves.len() == 1
    }

    pub(super) fn is_aborted(&self) -> bool {
        self.aborted
    }

    pub(super) fn should_stop(&mut self) -> bool {
        // The next iteration would take several times as long as all earlier ones together.
        self.nodes >= self.max_nodes || self.keeper.must_stop() || self.keeper.should_stop(50)
    }

    pub(super) fn is_timed(&mut self) -> bool {
        self.keeper.is_timed()
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
    /// if its first move was finished.
    pub(super) fn search_root(&mut self, depth: i32) -> Option<Line> {
        self.seldepth = 0;
        let mut best: Option<Line> = None;
        let mut alpha = -Score::INFINITE;
        for number in 0..self.root_moves.len() {
            let mv = self.root_moves[number];
            let Ok(left) = self.position.validate(mv) else { continue };
            let mut pv = Vec::new();
            self.enter(Candidate { mv, left });
            let mut score = if number == 0 {
                -self.search(1, -Score::INFINITE, -alpha, depth - 1, &mut pv)
            } else {
                -self.search(1, -(alpha + 1), -alpha, depth - 1, &mut pv)
            };
            if number > 0 && score > alpha && !self.aborted {
                score = -self.search(1, -Score::INFINITE, -alpha, depth - 1, &mut pv);
            }
            self.leave();
            if self.aborted {
                break;
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
    fn count_node(&mut self, ply: u32) -> bool {
        self.seldepth = self.seldepth.max(ply);
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK_AT_CLOCK) && self.keeper.must_stop() {
            self.aborted = true;
        }
        if self.nodes >= self.max_nodes {
            self.aborted = true;
        }
        self.aborted
    }

    /// Searches the position within a window. Returns the score, and writes the best line to `pv`.
    fn search(
        &mut self,
        ply: u32,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        pv: &mut Vec<Move>,
    ) -> Score {
        pv.clear();
        if self.count_node(ply) {
            return Score::ZERO;
        }
        if self.position.winner().is_some() {
            // The previous move captured the king.
            return Score::mated_in(ply);
        }
        let key = self.position.key();
        if self.keys.contains(&key) {
            return Score::ZERO;
        }
        if ply >= MAX_PLY {
            return evaluate::value(&self.position);
        }
        let us = self.position.side_to_move();
        let is_pv = beta - alpha > 1;

        if let Some(mv) = self.king_capture() {
            pv.push(mv);
            return Score::mate_in(ply + 1);
        }
        let king_attacked = self.is_sure_king_attacked(us);
        let depth = if king_attacked && depth <= 0 { 1 } else { depth };
        if depth <= 0 {
            return self.quiescence(ply, alpha, beta, FREE_CAPTURES, None);
        }

        let entry = self.table.probe(key, ply);
        if let Some(entry) = entry
            && !is_pv
            && entry.depth >= depth
        {
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            };
            if cuts {
                return entry.score;
            }
        }

        let static_eval = evaluate::value(&self.position);
        if !is_pv && !king_attacked && !beta.is_mate() {
            // The evaluation is far above the window, even if something is lost: prune.
            if depth <= 3 && static_eval - 150 * depth >= beta {
                return static_eval;
            }
            if depth >= 2 && static_eval >= beta && !self.came_by_null_move(key) {
                if let Some(score) = self.null_move(ply, beta, depth) {
                    return score;
                }
                if self.aborted {
                    return Score::ZERO;
                }
            }
        }

        let first = entry.and_then(|entry| entry.best);
        let candidates = self.candidates(ply, first);
        if candidates.is_empty() {
            return Score::mated_in(ply);
        }
        let start_alpha = alpha;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut line = Vec::new();
        let mut quiets_tried: Vec<Move> = Vec::new();
        for (number, candidate) in candidates.into_iter().enumerate() {
            let quiet = self.is_quiet(candidate.mv);
            // Skip late quiet moves near the leaves that history says are bad.
            if !is_pv && quiet && !king_attacked && !best.is_loss() && depth <= 3 {
                let enough = 8 + 10 * (depth * depth) as usize;
                let hopeless = static_eval + 120 * depth + 100 <= alpha;
                if number > enough || number > 2 && hopeless {
                    continue;
                }
            }
            self.enter(candidate);
            let new_depth = depth - 1;
            let reduction = if depth >= 2 && number >= 3 && quiet && !king_attacked {
                1 + i32::from(number >= 10) + i32::from(number >= 30 && depth >= 4)
            } else {
                0
            };
            let mut score = alpha;
            let mut full = number == 0;
            if !full {
                score = -self.search(
                    ply + 1,
                    -(alpha + 1),
                    -alpha,
                    (new_depth - reduction).max(0),
                    &mut line,
                );
                if score > alpha && reduction > 0 && !self.aborted {
                    score = -self.search(ply + 1, -(alpha + 1), -alpha, new_depth, &mut line);
                }
                full = is_pv && score > alpha && score < beta;
            }
            if full && !self.aborted {
                score = -self.search(ply + 1, -beta, -alpha, new_depth, &mut line);
            }
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
                    self.reward(candidate.mv, &quiets_tried, ply, depth);
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
        self.table.store(key, ply, TableEntry { best: best_move, score: best, depth, bound });
        best
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
        if stand >= beta || ply >= MAX_PLY {
            return stand;
        }
        let mut best = stand;
        alpha = alpha.max(stand);
        for (gain, candidate) in self.rated_captures(last.filter(|_| free == 0), &watched) {
            // Even if it brings more than that, it does not reach the window.
            if stand + gain + self.capture_margin <= alpha {
                break;
            }
            let to = candidate.mv.to();
            self.enter(candidate);
            let score = if self.count_node(ply + 1) {
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
        let position = &self.position;
        let us = position.side_to_move();
        let weights = self.weights();
        let mut rated = Vec::new();
        let mut rate = |candidate: Candidate| {
            if on.is_none_or(|on| candidate.mv.to() == on)
                && let Some(gain) = gain(position, &weights, us, candidate)
            {
                rated.push((gain - self.risk(&weights, watched, candidate), candidate));
            }
        };
        match on.and_then(|on| position.piece_at(on)) {
            Some(target) => position.for_each_board_move(|piece| piece == Some(target), &mut rate),
            None => position.for_each_board_move(|piece| piece.is_some(), &mut rate),
        }
        rated.sort_by_key(|&(gain, _)| Reverse(gain));
        rated
    }

    /// What a capture loses if the opponent takes back, less what is won if a second piece then takes
    /// once more. 0 if nobody guards the captured piece.
    fn risk(&self, weights: &[Weights; 2], watched: &Watched, candidate: Candidate) -> i32 {
        let position = &self.position;
        let us = position.side_to_move();
        let Move::Board { from, to, .. } = candidate.mv else { return 0 };
        let (Some(mover), Some(target)) = (position.piece_at(from), position.piece_at(to)) else {
            return 0;
        };
        if watched[!us].once & target.bit() == 0 || position.kinds(target) == KindSet::KING {
            return 0;
        }
        let row = usize::from(position.is_promoted(mover));
        let loss = taken_value(&weights[mover.side().index()], candidate.left, row);
        let is_twice = watched[us].twice & target.bit() != 0;
        (loss - if is_twice { TAKEN_AGAIN } else { 0 }).max(0)
    }

    /// Whether the side to move is good enough even if it passes.
    fn null_move(&mut self, ply: u32, beta: Score, depth: i32) -> Option<Score> {
        self.keys.push(self.position.key());
        self.position.do_null_move();
        let reduced = (depth - 3 - depth / 4).max(0);
        let score = -self.search(ply + 1, -beta, -(beta - 1), reduced, &mut Vec::new());
        self.leave();
        (score >= beta && !self.aborted).then_some(if score.is_mate() { beta } else { score })
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

    fn weights(&self) -> [Weights; 2] {
        Color::ALL.map(|color| Weights::of(self.position.army(color)))
    }

    fn is_quiet(&self, mv: Move) -> bool {
        match mv {
            Move::Board { to, promotes, .. } => !promotes && self.position.piece_at(to).is_none(),
            Move::Drop { .. } => true,
        }
    }

    fn piece_of(&self, mv: Move) -> Option<PieceId> {
        match mv {
            Move::Board { from, .. } => self.position.piece_at(from),
            Move::Drop { piece, .. } => Some(piece),
        }
    }

    /// All legal moves, the promising ones first. Of pieces in hand that differ only in name, one
    /// stands for all.
    fn candidates(&self, ply: u32, first: Option<Move>) -> Vec<Candidate> {
        let position = &self.position;
        let us = position.side_to_move();
        let weights = self.weights();
        let killers = self.killers[ply as usize];
        let mut rated: Vec<(i32, Candidate)> = Vec::with_capacity(256);
        let mut rate = |candidate: Candidate| {
            let mv = candidate.mv;
            let rating = if Some(mv) == first {
                i32::MAX
            } else if let Some(gain) = gain(position, &weights, us, candidate) {
                2 * HISTORY_LIMIT + gain
            } else if killers.contains(&Some(mv)) {
                HISTORY_LIMIT + 1
            } else {
                let piece = self.piece_of(mv).map_or(0, PieceId::number);
                i32::from(self.history[piece][mv.to().dense_index()])
            };
            rated.push((rating, candidate));
        };
        position.for_each_board_move(|_| true, &mut rate);
        let mut seen: [[u64; 4]; 2] = [[0; 4]; 2];
        let mut last = None;
        let mut is_new = false;
        position.for_each_drop(|candidate| {
            let Move::Drop { piece, .. } = candidate.mv else { return };
            if last != Some(piece) {
                last = Some(piece);
                let bits = usize::from(position.kinds(piece).bits());
                let word = &mut seen[piece.side().index()][bits / 64];
                is_new = *word >> (bits % 64) & 1 == 0;
                *word |= 1 << (bits % 64);
            }
            if is_new || Some(candidate.mv) == first {
                rate(candidate);
            }
        });
        rated.sort_by_key(|&(rating, _)| Reverse(rating));
        rated.into_iter().map(|(_, candidate)| candidate).collect()
    }

    /// Updates the history: a quiet move that caused a cut-off, and the earlier ones that did not.
    fn reward(&mut self, mv: Move, others: &[Move], ply: u32, depth: i32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = (depth * depth * 16).min(1200);
        self.add_history(mv, bonus);
        for &other in others {
            self.add_history(other, -bonus);
        }
    }

    fn add_history(&mut self, mv: Move, bonus: i32) {
        let Some(piece) = self.piece_of(mv) else { return };
        let value = &mut self.history[piece.number()][mv.to().dense_index()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / (HISTORY_LIMIT - 1)) as i16;
    }
}

/// What taking a piece brings: what it was worth on the board, and what it is worth in hand.
fn taken_value(weights: &Weights, kinds: KindSet, row: usize) -> i32 {
    let in_hand = kinds.without(KindSet::KING);
    let gain = if in_hand.is_empty() { KING_LOST } else { weights.value(in_hand, 2) };
    weights.value(kinds, row) + gain
}

/// The immediate gain of a capture or promotion; `None` for a quiet move. Of two captures of the
/// same piece, the one by the cheaper piece comes first.
fn gain(
    position: &Position,
    weights: &[Weights; 2],
    us: Color,
    candidate: Candidate,
) -> Option<i32> {
    let Move::Board { from, to, promotes } = candidate.mv else { return None };
    let value = |piece: PieceId, kinds, row| weights[piece.side().index()].value(kinds, row);
    let mover = position.piece_at(from)?;
    let captured = position.piece_at(to).filter(|&piece| position.owner(piece) != us);
    if captured.is_none() && !promotes {
        return None;
    }
    let mut gain = 0;
    if let Some(captured) = captured {
        let row = usize::from(position.is_promoted(captured));
        gain += taken_value(&weights[captured.side().index()], position.kinds(captured), row);
        gain -= value(mover, candidate.left, usize::from(position.is_promoted(mover))) / 16;
    }
    if promotes {
        gain += value(mover, candidate.left, 1) - value(mover, candidate.left, 0);
    }
    Some(gain)
}

#[cfg(test)]
mod tests;
