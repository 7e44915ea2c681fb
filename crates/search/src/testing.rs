//! Helper functions for the tests of several modules.

use rand::prelude::*;
use tsumero_core::{Game, Line, Position};

use crate::evaluate::AttackEvaluator;
use crate::history::History;
use crate::node::{Doubt, Node};
use crate::root_moves::RootMove;
use crate::settings::Settings;
use crate::shared::Shared;
use crate::tt::TranspositionTable;
use crate::window::Window;
use crate::worker::{Task, Worker};

/// Plays `games` random games of at most `plies` moves with a fixed seed, and passes every position
/// to `visit`.
pub(crate) fn random_games(seed: u64, games: usize, plies: usize, mut visit: impl FnMut(&Line)) {
    let mut random = StdRng::seed_from_u64(seed);
    for _ in 0..games {
        let mut position = Line::from(Position::startpos());
        for _ in 0..plies {
            visit(&position);
            let moves = position.legal_moves();
            let Some(&mv) = moves.choose(&mut random) else { break };
            position.do_move(mv);
        }
    }
}

/// Calls `test` with the first of two workers at a position. Nothing has been searched before.
pub(crate) fn with_worker<R>(
    position: &Position,
    test: impl FnOnce(&mut Worker<'_, AttackEvaluator>) -> R,
) -> R {
    let table = TranspositionTable::new(1).expect("room for one megabyte");
    let settings = Settings::default();
    let shared = Shared::new(&table, None, &settings, &Game::from(position), 2);
    let root_moves = position.legal_moves().into_iter().map(RootMove::new).collect();
    let position = Line::from(position);
    let task = Task { thread: 0, position, root_moves, is_restricted: false, node_limit: u64::MAX };
    test(&mut Worker::new(&shared, (), task, &mut History::new(), None))
}

/// A node at a worker's position, one ply below the root, of which nothing but its static value is
/// known.
pub(crate) fn plain_node<'a>(
    worker: &mut Worker<'a, AttackEvaluator>,
    depth: i32,
    window: Window,
) -> Node {
    let value = worker.evaluate();
    Node {
        ply: 1,
        depth,
        window,
        cut_node: true,
        in_check: false,
        entry: None,
        table_move: None,
        table_score: None,
        was_pv: false,
        excluded: None,
        raw_eval: Some(value),
        static_eval: Some(value),
        doubt: Doubt::default(),
        improving: false,
        killers: [None; 2],
        table_extension: 0,
        context: worker.context(1),
    }
}

/// The position with the board turned around and the colors exchanged.
pub(crate) fn turned(position: &Position) -> Position {
    let sfen = position.to_sfen();
    let mut fields = sfen.split(' ');
    let mut next = || fields.next().expect("an SFEN has four fields");
    let (board, side, hands, ply) = (next(), next(), next(), next());
    let swap_case = |c: char| {
        if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
    };
    // Backwards, but with the + still before its piece.
    let mut cells: Vec<String> = Vec::new();
    let mut promoted = false;
    for c in board.chars() {
        if c == '+' {
            promoted = true;
        } else {
            cells.push(format!("{}{}", if promoted { "+" } else { "" }, swap_case(c)));
            promoted = false;
        }
    }
    cells.reverse();
    let board = cells.concat();
    let side = if side == "b" { "w" } else { "b" };
    let hands: String = hands.chars().map(swap_case).collect();
    Position::from_sfen(&format!("{board} {side} {hands} {ply}")).expect("turned it is as legal")
}
