//! One search thread: its position, its stack and its counters.
//!
//! What every node calls once is always inlined, here and in the modules that it uses: a node is short,
//! and its calls took 3 % of its instructions.

use tsumero_control::{MAX_PLY, Score, TimeKeeper};
use tsumero_core::{EnteringKingRule, Line, Move, Position, Repetition};

use crate::danger::{Attacked, Danger};
use crate::evaluate::Evaluator;
use crate::history::{Experience, History};
use crate::lookup::{CONTEXT_PLIES, Context, MovesBefore, PieceTo};
use crate::parameters::{Parameters, ParametersRef};
use crate::root::{RootResult, RootState};
use crate::root_moves::RootMove;
use crate::shared::Shared;
use crate::structure::Structure;
use crate::tt::TableEntry;
use crate::window::Window;

/// The data of one ply of the line being searched.
#[derive(Clone)]
pub(crate) struct StackEntry {
    /// The move being searched, as the history tables see it.
    pub(crate) moved: PieceTo,
    /// What stands on the board before the move.
    pub(crate) structure: Structure,
    /// What the opponent attacks before the move, once [`Worker::note_danger`] has been called.
    pub(crate) danger: Danger,
    /// Static value from the evaluation; `None` in check.
    pub(crate) raw_eval: Option<Score>,
    /// Static value with its corrections; `None` in check.
    pub(crate) static_eval: Option<Score>,
    /// Number of cutoffs at this ply below the current grandparent; at ply 1, in the whole search.
    pub(crate) cutoffs: u32,
    /// Quiet moves that refuted a sister node.
    pub(crate) killers: [Option<Move>; 2],
    /// The excluded move, while the search tests whether the others come close to it.
    pub(crate) excluded: Option<Move>,
    /// The best line found from here.
    pub(crate) pv: Vec<Move>,
}

impl StackEntry {
    /// The entry before the search.
    const BLANK: StackEntry = StackEntry {
        moved: PieceTo::BEFORE_ROOT,
        structure: Structure::EMPTY,
        danger: Danger::NONE,
        raw_eval: None,
        static_eval: None,
        cutoffs: 0,
        killers: [None; 2],
        excluded: None,
        pv: Vec::new(),
    };
}

/// The task of one thread.
pub(crate) struct Task {
    /// Number of the thread. The first one, 0, watches the clock and reports.
    pub(crate) thread: usize,
    pub(crate) position: Line,
    pub(crate) root_moves: Vec<RootMove>,
    /// Whether these are only some of the legal moves.
    pub(crate) is_restricted: bool,
    /// Nodes that all threads together may search.
    pub(crate) node_limit: u64,
}

/// Entries before the root, so that looking back never leaves the stack.
const BEFORE_ROOT: usize = CONTEXT_PLIES[CONTEXT_PLIES.len() - 1];
/// Entries of the stack: as many as a byte can number, so that access needs no test.
const STACK_SIZE: usize = 1 << u8::BITS;
const _: () = assert!(BEFORE_ROOT + MAX_PLY as usize + 4 <= STACK_SIZE);
/// Nodes between two checks of the clock and the signals. They take some ten microseconds.
const NODES_PER_LOOK: u64 = 64;
/// So many of the first nodes each check the clock. While a table is new, a node may make the system
/// clear a huge page, which takes up to several milliseconds.
const SLOW_NODES: u64 = 4096;

/// One search thread.
pub(crate) struct Worker<'a, E> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) position: Line,
    pub(crate) history: &'a mut History,
    pub(crate) root: RootState,
    /// The deepest ply reached in this iteration.
    pub(crate) seldepth: u32,
    pub(crate) nodes: u64,
    /// Null moves are not tried before this ply while one of them is being verified.
    pub(crate) no_null_move_before: u32,
    /// The clock; only the first thread has it.
    pub(crate) keeper: Option<TimeKeeper<'a>>,
    evaluator: E,
    thread: usize,
    node_limit: u64,
    /// The number of nodes at which the limits are checked next.
    next_look: u64,
    stack: Box<[StackEntry; STACK_SIZE]>,
}

/// The place in the stack of the entry so many plies before a ply.
#[inline]
fn place(ply: u32, plies: usize) -> usize {
    let place = ply as usize + BEFORE_ROOT - plies;
    debug_assert!(place < STACK_SIZE);
    usize::from(place as u8)
}

impl<'a, E: Evaluator<'a>> Worker<'a, E> {
    /// A thread ready to search a position.
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        source: E::Source,
        task: Task,
        history: &'a mut History,
        keeper: Option<TimeKeeper<'a>>,
    ) -> Worker<'a, E> {
        let Task { thread, position, root_moves, is_restricted, node_limit } = task;
        let mut stack = Box::new([StackEntry::BLANK; STACK_SIZE]);
        stack[BEFORE_ROOT].structure = Structure::of(&position);
        Worker {
            shared,
            evaluator: E::new(source, &position),
            position,
            history,
            root: RootState::new(root_moves, is_restricted),
            seldepth: 0,
            nodes: 0,
            no_null_move_before: 0,
            keeper,
            thread,
            node_limit,
            next_look: 1,
            stack,
        }
    }

    /// Gives the clock back when the search is over.
    pub(crate) fn into_keeper(self) -> Option<TimeKeeper<'a>> {
        self.keeper
    }

    /// Number of the thread. The first one watches the clock and reports.
    pub(crate) fn thread(&self) -> usize {
        self.thread
    }

    /// The numbers of the search.
    #[inline]
    pub(crate) fn parameters(&self) -> &'a Parameters {
        self.shared.settings.parameters()
    }

    /// The stack entry of a ply.
    #[inline]
    pub(crate) fn at(&mut self, ply: u32) -> &mut StackEntry {
        &mut self.stack[place(ply, 0)]
    }

    /// The stack entry of a ply, to be read.
    #[inline]
    pub(crate) fn entry(&self, ply: u32) -> &StackEntry {
        &self.stack[place(ply, 0)]
    }

    /// The stack entry some plies before a ply. The entries before the root are blank.
    #[inline]
    pub(crate) fn before(&self, ply: u32, plies: usize) -> &StackEntry {
        &self.stack[place(ply, plies)]
    }

    /// Computes the attacks on the board. Few nodes end without them, so this is done while the table's
    /// entry is on its way to the processor.
    #[inline]
    pub(crate) fn compute_attacks(&self) {
        let _: &Position = &self.position;
    }

    /// Notes what the opponent attacks at a ply. Returns what each color attacks.
    #[inline(always)]
    pub(crate) fn note_danger(&mut self, ply: u32) -> Attacked {
        let position = self.position.position();
        let attacked = Attacked::of(position);
        self.at(ply).danger = Danger::of(position, &attacked);
        attacked
    }

    /// The moves that led to a ply.
    #[inline]
    fn moves_before(&self, ply: u32) -> MovesBefore {
        CONTEXT_PLIES.map(|plies| self.before(ply, plies).moved)
    }

    /// What the history tables know of a ply.
    #[inline]
    pub(crate) fn context(&self, ply: u32) -> Context {
        Context {
            moves: self.moves_before(ply),
            structure: self.entry(ply).structure,
            danger: self.entry(ply).danger,
        }
    }

    /// What the order of the moves of a node depends on, apart from the position. It is computed before
    /// each move, because every move that is searched teaches the history.
    #[inline(always)]
    pub(crate) fn experience<'b>(&'b self, context: &'b Context) -> Experience<'b> {
        let parameters = ParametersRef::new(self.parameters());
        Experience { history: self.history, context, parameters, table: self.shared.table }
    }

    /// Whether this iteration must end, because its depth is finished or the search has ended.
    /// Results of searches after that are invalid.
    #[inline]
    pub(crate) fn is_aborted(&self) -> bool {
        self.shared.team.is_past(self.root.team_depth)
    }

    /// Counts a node, and checks the limits from time to time.
    #[inline]
    pub(crate) fn enter_node(&mut self, ply: u32) {
        // After an abort, nothing more is searched.
        if self.is_aborted() {
            return;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        self.shared.publish_nodes(self.thread, self.nodes);
        if self.nodes >= self.next_look {
            self.look_at_limits();
        }
    }

    /// Counts nodes that this thread has used for another search.
    pub(crate) fn count_nodes(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.shared.publish_nodes(self.thread, self.nodes);
    }

    /// Nodes that all threads together may still search.
    pub(crate) fn nodes_left(&self) -> u64 {
        self.node_limit.saturating_sub(self.shared.nodes())
    }

    /// Ends the search if a limit is reached, or if someone has stopped it.
    #[cold]
    pub(crate) fn look_at_limits(&mut self) {
        // Every thread checks the nodes, because the first one may be waiting for a processor.
        let time_is_up = self.keeper.as_mut().is_some_and(|keeper| keeper.must_stop());
        if time_is_up || self.shared.nodes() >= self.node_limit {
            self.shared.team.end();
        }
        let has_deadline = self.keeper.as_ref().is_some_and(|keeper| keeper.has_deadline());
        let nodes = if has_deadline && self.nodes < SLOW_NODES { 1 } else { NODES_PER_LOOK };
        self.next_look = self.node_limit.min(self.nodes + nodes);
    }

    /// Plays a move of the line being searched.
    #[inline]
    pub(crate) fn do_move(&mut self, ply: u32, mv: Move) {
        let here = self.at(ply);
        here.moved = PieceTo::of(mv);
        let structure = here.structure.after(mv);
        self.at(ply + 1).structure = structure;
        let moves = self.moves_before(ply + 1);
        self.history.corrections.prefetch(&moves, &structure, !mv.color());
        self.evaluator.push(&self.position, mv);
        self.position.do_move(mv);
    }

    /// Takes a move back.
    #[inline]
    pub(crate) fn undo_move(&mut self) {
        self.evaluator.pop();
        self.position.undo_move();
    }

    /// Makes a null move. Neither side may be in check.
    pub(crate) fn do_null_move(&mut self, ply: u32) {
        let here = self.at(ply);
        here.moved = PieceTo::NULL_MOVE;
        let structure = here.structure;
        self.at(ply + 1).structure = structure;
        self.evaluator.push_null();
        self.position.do_null_move();
        self.shared.table.prefetch(self.position.key());
    }

    /// Takes back a null move.
    pub(crate) fn undo_null_move(&mut self) {
        self.evaluator.pop();
        self.position.undo_null_move();
    }

    /// The legal move of a table entry, if it has one. It is usually searched first, so what the table
    /// knows of the position after it is prefetched now.
    #[inline(always)]
    pub(crate) fn table_move(&self, entry: Option<&TableEntry>) -> Option<Move> {
        let mv = self.position.unpack_move(entry?.best)?;
        self.shared.table.prefetch(self.position.key_after(mv));
        Some(mv)
    }

    /// The legal move that the table knows for the current position: what an earlier search found. The
    /// nodes ask [`Worker::table_move`]; this is for the root, whose questions are rare.
    #[cold]
    pub(crate) fn known_move(&self) -> Option<Move> {
        let entry = self.shared.table.probe(self.position.key())?;
        self.position.unpack_move(entry.best)
    }

    /// The static value of the position for the side to move.
    #[inline]
    pub(crate) fn evaluate(&mut self) -> Score {
        self.evaluator.evaluate(&self.position)
    }

    /// Whether a level below the full strength overlooks a move of the current position. It sees every
    /// evasion of a check, and every recapture.
    #[inline]
    pub(crate) fn overlooks(&self, mv: Move) -> bool {
        self.evaluator.overlooks(mv)
            && !self.position.in_check()
            && self.position.last_move().map(Move::to) != Some(mv.to())
    }

    /// Makes a move and the line behind it the best line of a ply.
    pub(crate) fn set_pv(&mut self, ply: u32, mv: Move) {
        let (front, back) = self.stack.split_at_mut(ply as usize + BEFORE_ROOT + 1);
        if let (Some(here), Some(next)) = (front.last_mut(), back.first()) {
            here.pv.clear();
            here.pv.push(mv);
            here.pv.extend_from_slice(&next.pv);
        }
    }

    /// Makes a move that mates at once the best line of a ply. Mate distance pruning closes the window
    /// above it, so its result is exact although it reaches beta.
    pub(crate) fn show_mate(&mut self, ply: u32, mv: Move) {
        self.at(ply + 1).pv.clear();
        self.set_pv(ply, mv);
    }

    /// Stores the result of the root move with a number, counted from 1 in the line being searched.
    pub(crate) fn record_root_result(
        &mut self,
        number: u32,
        score: Score,
        window: Window,
        nodes_before: u64,
    ) {
        let nodes = self.nodes - nodes_before;
        let line = &self.stack[BEFORE_ROOT + 1].pv;
        let result = RootResult { score, window, nodes, seldepth: self.seldepth, line };
        self.root.record(number, &result);
    }

    /// The value of a draw for the side to move.
    #[inline]
    pub(crate) fn draw_score(&self) -> Score {
        let root = self.shared.root_color;
        let value = self.shared.settings.draw_score(root);
        if self.position.side_to_move() == root { value } else { -value }
    }

    /// Whether the game is over at a node below the root, by repetition, by a king's entering or by
    /// the number of moves; and its value. Only after the last move does this need the attacks on
    /// the board.
    ///
    /// Inside the search, the first repetition of a position counts as the fourth. A position that has
    /// occurred three times in the game ends it at once.
    #[inline(always)]
    pub(crate) fn game_over(&self, ply: u32) -> Option<Score> {
        let official =
            if self.shared.may_end_by_repetition { self.position.repetition() } else { None };
        match official.or_else(|| self.position.repetition_within(ply as usize)) {
            Some(Repetition::Draw) => return Some(self.draw_score()),
            Some(Repetition::PerpetualCheck { by }) => {
                let wins = by != self.position.side_to_move();
                return Some(if wins { Score::PERPETUAL_CHECK } else { -Score::PERPETUAL_CHECK });
            }
            Some(Repetition::Superior | Repetition::Inferior) | None => {}
        }
        let settings = self.shared.settings;
        if settings.entering_king_rule == EnteringKingRule::TryRule
            && self.position.last_move().is_some_and(Move::is_try)
        {
            return Some(Score::mated_in(ply));
        }
        if settings.max_moves_to_draw.is_some_and(|limit| self.position.ply() > limit)
            && (!self.position.in_check() || self.position.has_legal_move())
        {
            return Some(self.draw_score());
        }
        None
    }

    /// The value of a node below the root where the side to move declares a win, or where the stack
    /// ends.
    #[inline(always)]
    pub(crate) fn end_of_line(&mut self, ply: u32) -> Option<Score> {
        // First: a win one ply further away has no score.
        if ply >= MAX_PLY {
            let in_check = self.position.in_check();
            return Some(if in_check { self.draw_score() } else { self.evaluate() });
        }
        let wins = self.position.declaration_wins(self.shared.settings.entering_king_rule);
        wins.then(|| Score::mate_in(ply + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::ZeroWindow;
    use crate::testing::with_worker;

    /// A declaration is a win with a number of plies, wherever it is found.
    #[test]
    fn no_win_is_further_away_than_the_end_of_the_stack() {
        let sfen = "1+R+BGGSS+N+N/K+L+L6/9/9/9/9/9/9/4k4 b RB 1";
        let position = Position::from_sfen(sfen).unwrap();
        with_worker(&position, |worker| {
            for ply in [1, MAX_PLY - 1] {
                assert_eq!(worker.end_of_line(ply), Some(Score::mate_in(ply + 1)));
            }
            assert!(worker.end_of_line(MAX_PLY).is_some_and(Score::is_ordinary));
            let window = Window::above(Score::ZERO);
            assert!(worker.search::<ZeroWindow>(MAX_PLY, window, 1, true).is_ordinary());
        });
    }

    /// What is learned after a null move is not read above the root, and the other way round: no
    /// move was played there, and a pass is no missing move.
    #[test]
    fn a_null_move_and_the_time_before_the_root_share_no_history() {
        let parameters = Parameters::DEFAULT;
        let position = Position::startpos();
        let by_move = Parameters { correction_move: 1024, ..Parameters::WITHOUT_CORRECTIONS };
        let first = position.parse_move("7g7f").unwrap();
        let mut replying = position.clone();
        replying.play_unchecked(first);
        let reply = replying.parse_move("3c3d").unwrap();
        with_worker(&position, |worker| {
            worker.do_null_move(0);
            let after_pass = worker.context(1);
            worker.undo_null_move();
            worker.do_move(0, first);
            let after_move = worker.context(1);
            // The same move, far from the root: only what belongs to the reply itself is known.
            let far = Context { moves: [PieceTo::of(first); 3], ..Context::NONE };
            let before_root = worker.context(0);

            // A reply to a pass.
            worker.history.update_quiet(reply, &after_pass, 500);
            let of = |context: &Context| {
                worker.history.quiets(context, reply.color()).of(reply, &parameters)
            };
            assert!(of(&after_pass) > of(&far) && of(&far) > 0);
            assert_eq!((of(&after_move), of(&before_root)), (of(&far), of(&far)));
            worker.history.corrections.learn(&replying, &after_pass, 2000);
            let of =
                |context: &Context| worker.history.corrections.of(&replying, context, &by_move);
            assert!(of(&after_pass) > 0);
            assert_eq!((of(&after_move), of(&before_root)), (0, 0));

            // A move at the root: there is no move before it to learn about.
            worker.history.clear();
            worker.history.update_quiet(reply, &before_root, 500);
            worker.history.corrections.learn(&replying, &before_root, 2000);
            let of = |context: &Context| {
                worker.history.quiets(context, reply.color()).of(reply, &parameters)
            };
            assert!(of(&far) > 0);
            assert_eq!((of(&before_root), of(&after_pass)), (of(&far), of(&far)));
            let of =
                |context: &Context| worker.history.corrections.of(&replying, context, &by_move);
            assert_eq!((of(&before_root), of(&after_pass)), (0, 0));
        });
    }
}
