//! What the engine's options change in the search, as data.

use std::time::Duration;

use tsumero_core::{ByColor, EnteringKingRule};

/// Settings of the search. The defaults are those the engine's options announce.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Number of best lines to find, at least 1.
    pub multi_pv: usize,
    /// Number of search threads, at least 1.
    pub threads: usize,
    /// Time that the way to the server costs on every move.
    pub network_delay: Duration,
    /// The margin kept when the clock would run out.
    pub network_delay2: Duration,
    /// The search does not move earlier than this, as far as the clock allows.
    pub minimum_thinking_time: Duration,
    /// Share of the usual thinking time to use, in percent.
    pub slow_mover: u32,
    /// Whether the server counts begun seconds only when they are full: then thinking on to the
    /// end of a second costs nothing. Never applied to clocks with fractions of a second.
    pub round_up_to_full_second: bool,
    /// Whether the opponent's time will be used too. It changes only the use of time.
    pub ponder_enabled: bool,
    /// The game is drawn after so many moves; 0 for no limit.
    pub max_moves_to_draw: u32,
    /// The score of a draw when the engine plays the color.
    pub draw_value: ByColor<i32>,
    /// Which declaration wins the game.
    pub entering_king_rule: EnteringKingRule,
    /// Shortest time between two reports of the same line; zero to report everything.
    pub pv_interval: Duration,
    /// Whether the main search is helped by the static test in the tree and by df-pn at the root.
    pub mate_search: bool,
    /// Whether results that are only bounds are reported.
    pub output_fail_bounds: bool,
    /// The engine resigns when the score falls to minus this value; 99999 for never.
    pub resign_value: i32,
    /// Deepest iteration; 0 for no limit.
    pub depth_limit: u32,
    /// Largest number of nodes; 0 for no limit.
    pub nodes_limit: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            multi_pv: 1,
            threads: 1,
            network_delay: Duration::from_millis(120),
            network_delay2: Duration::from_millis(1120),
            minimum_thinking_time: Duration::from_millis(2000),
            slow_mover: 100,
            round_up_to_full_second: true,
            ponder_enabled: false,
            max_moves_to_draw: 0,
            draw_value: ByColor([-2, -2]),
            entering_king_rule: EnteringKingRule::CsaRule27,
            pv_interval: Duration::from_millis(300),
            mate_search: true,
            output_fail_bounds: true,
            resign_value: 99_999,
            depth_limit: 0,
            nodes_limit: 0,
        }
    }
}
