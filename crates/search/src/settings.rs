//! Settings of the search, which the engine's options change.

use std::time::Duration;

use tsumero_control::{Score, TimeSettings};
use tsumero_core::{ByColor, Color, EnteringKingRule};

use crate::level::Level;
use crate::parameters::Parameters;

/// Settings of the search. The defaults are those that the engine's options announce.
///
/// The three best moves of a position:
///
/// ```
/// use std::thread;
/// use std::time::Duration;
/// use tsumero_control::{Limits, Signals};
/// use tsumero_core::Game;
/// use tsumero_search::{Question, STACK_SIZE, Searcher, Settings};
/// let settings = Settings { multi_pv: 3, pv_interval: Duration::ZERO, ..Settings::default() };
/// let search = move || {
///     let (start, mut lines) = (Game::default(), [None; 3]);
///     let limits = Limits { depth: Some(2), ..Limits::default() };
///     let signals = Signals::new();
///     let question = Question::new(&start, &limits, &settings, &signals);
///     Searcher::new(1).search(&question, &mut |info| lines[info.multipv - 1] = Some(info.pv[0]));
///     lines.map(Option::unwrap)
/// };
/// let thread = thread::Builder::new().stack_size(STACK_SIZE).spawn(search)?;
/// let [first, second, third] = thread.join().unwrap();
/// assert!(first != second && second != third && third != first);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Settings {
    /// Number of best lines to find, at least 1.
    pub multi_pv: usize,
    /// Number of search threads, at least 1.
    pub threads: usize,
    /// The use of time.
    pub time: TimeSettings,
    /// The game is drawn after this many moves; `None` for no limit.
    pub max_moves_to_draw: Option<u32>,
    /// The score of a draw when the engine plays the color, in the units of [`Score`]. A draw is no won
    /// or lost game: what lies beyond [`Score::MAX_ORDINARY`] counts as this.
    pub draw_value: ByColor<i32>,
    /// Which declaration wins the game.
    pub entering_king_rule: EnteringKingRule,
    /// Shortest time between two reports of the same line; zero to report everything.
    pub pv_interval: Duration,
    /// Whether the main search uses the static mate test in the tree and df-pn at the root.
    pub mate_search: bool,
    /// Whether results that are only bounds are reported.
    pub output_fail_bounds: bool,
    /// Whether reported lines are extended with moves from the table, up to the first repetition.
    /// This helps in analysis.
    pub consideration_mode: bool,
    /// The engine resigns when the score falls to minus this value, in the units of [`Score`]; `None`
    /// for never.
    pub resign_value: Option<i32>,
    /// Deepest iteration; `None` for no limit. A search whose [`Limits`](tsumero_control::Limits) are
    /// empty ends there, too, but answers only after a stop.
    pub depth_limit: Option<u32>,
    /// Largest number of nodes; `None` for no limit. The same holds as for `depth_limit`.
    pub nodes_limit: Option<u64>,
    /// How strong the search plays. Below the full strength, it searches with one thread and reports
    /// only its last lines. A search that answers only after a stop is always at full strength.
    pub level: Level,
    /// The seed of the chance by which a level below the full strength chooses and overlooks moves.
    /// From [`Searcher::clear`](crate::Searcher::clear) on, the same seed gives the same moves in the same
    /// game. Within a game, a level learns from each search. `None` takes another seed for each search.
    pub level_seed: Option<u64>,
    /// The numbers of the search.
    #[cfg(feature = "tune")]
    pub parameters: Parameters,
}

impl Settings {
    /// The score of a draw for the color that the engine plays.
    #[inline]
    pub(crate) fn draw_score(&self, color: Color) -> Score {
        Score::ordinary(self.draw_value[color])
    }

    /// The parameters of the search. They are constants, unless the build is one for tuning.
    #[inline]
    pub(crate) fn parameters(&self) -> &Parameters {
        #[cfg(feature = "tune")]
        return &self.parameters;
        #[cfg(not(feature = "tune"))]
        &Parameters::DEFAULT
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            multi_pv: 1,
            threads: 1,
            time: TimeSettings::default(),
            max_moves_to_draw: None,
            draw_value: ByColor([-2, -2]),
            entering_king_rule: EnteringKingRule::CsaRule27,
            pv_interval: Duration::from_millis(300),
            mate_search: true,
            output_fail_bounds: true,
            consideration_mode: false,
            resign_value: None,
            depth_limit: None,
            nodes_limit: None,
            level: Level::FULL,
            level_seed: None,
            #[cfg(feature = "tune")]
            parameters: Parameters::DEFAULT,
        }
    }
}
