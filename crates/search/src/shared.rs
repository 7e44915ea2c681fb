//! The data that all threads of one search share.

use std::sync::atomic::{AtomicU64, Ordering};

use tsumero_core::{Color, Game};
use tsumero_mate::dfpn::Table;

use crate::settings::Settings;
use crate::team::Team;
use crate::tt::TranspositionTable;

/// A node counter on a cache line of its own, so that threads do not slow each other down.
#[derive(Default)]
#[repr(align(64))]
struct NodeCounter(AtomicU64);

/// The shared side of one search.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a TranspositionTable,
    /// The table of the mate searches; `None` if they are switched off.
    pub(crate) mate_table: Option<&'a Table>,
    pub(crate) settings: &'a Settings,
    /// The color the engine plays: draws are worth what the settings say for it.
    pub(crate) root_color: Color,
    /// Whether a position of the game has occurred three times: one that occurs again ends the game.
    pub(crate) may_end_by_repetition: bool,
    /// What the threads know of each other's iterations.
    pub(crate) team: Team,
    nodes: Vec<NodeCounter>,
}

impl<'a> Shared<'a> {
    /// The shared data of a search with the given number of threads.
    pub(crate) fn new(
        table: &'a TranspositionTable,
        mate_table: Option<&'a Table>,
        settings: &'a Settings,
        game: &Game,
        threads: usize,
    ) -> Shared<'a> {
        let nodes = std::iter::repeat_with(NodeCounter::default).take(threads).collect();
        Shared {
            table,
            mate_table,
            settings,
            root_color: game.side_to_move(),
            may_end_by_repetition: game.may_end_by_repetition(),
            team: Team::new(threads),
            nodes,
        }
    }

    /// Publishes how many nodes a thread has searched.
    #[inline]
    pub(crate) fn publish_nodes(&self, thread: usize, nodes: u64) {
        self.nodes[thread].0.store(nodes, Ordering::Relaxed);
    }

    /// Nodes searched by all threads.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Ordering::Relaxed)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nodes_of_all_threads_count() {
        let table = TranspositionTable::new(1).expect("room for one megabyte");
        let settings = Settings::default();
        let shared = Shared::new(&table, None, &settings, &Game::default(), 3);
        for (thread, nodes, all) in [(0, 64, 64), (2, 100, 164), (0, 128, 228), (1, 1, 229)] {
            shared.publish_nodes(thread, nodes);
            assert_eq!(shared.nodes(), all);
        }
    }
}
