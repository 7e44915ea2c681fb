//! Searching one position after another.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tsumero_control::{Instant, Limits, Signals};
use tsumero_core::{Game, Move, Position};
use tsumero_mate::{FirstMove, MateAnswer, MateLimits, MateSolver};
use tsumero_search::{EvaluationFunction, Searcher, Settings};

use crate::Value;

/// The limit for the search of a position.
///
/// ```
/// use tsumero_analysis::{Budget, Options};
/// let evaluation = "internal".to_owned();
/// let budget = Budget::Nodes(100_000);
/// let options = Options { budget, threads: 1, multi_pv: 1, hash_mb: 16, evaluation };
/// let shown = match options.budget {
///     Budget::Time(milliseconds) => format!("{milliseconds} ms"),
///     Budget::Nodes(nodes) => format!("{nodes} nodes"),
///     Budget::Depth(depth) => format!("depth {depth}"),
/// };
/// assert_eq!(shown, "100000 nodes");
/// // What a `GameReport` asks for: is the result the same in every run?
/// let is_timed = matches!(options.budget, Budget::Time(_));
/// assert!(!is_timed && options.threads == 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// This many milliseconds.
    Time(u64),
    /// This many nodes.
    Nodes(u64),
    /// To this depth, in plies.
    Depth(u32),
}

/// The options of an [`Analyst`].
///
/// Options are stored beside the results that were found with them:
///
/// ```
/// use tsumero_analysis::{Budget, Options};
/// let evaluation = "internal".to_owned();
/// let budget = Budget::Depth(12);
/// let options = Options { budget, threads: 4, multi_pv: 2, hash_mb: 256, evaluation };
/// let text = serde_json::to_string(&options)?;
/// assert!(text.starts_with(r#"{"budget":{"depth":12},"threads":4,"#));
/// assert_eq!(serde_json::from_str::<Options>(&text)?, options);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Options {
    /// The limit for each position.
    pub budget: Budget,
    /// Search threads, at least 1.
    pub threads: usize,
    /// Number of best lines, at least 1.
    pub multi_pv: usize,
    /// Size of the transposition table in megabytes, at least 1.
    pub hash_mb: usize,
    /// The name of the evaluation. A run is resumed only with the same one.
    pub evaluation: String,
}

/// One line of play.
///
/// ```
/// use tsumero_analysis::{FoundLine, Value};
/// use tsumero_core::{Game, notation};
/// let pv = ["7g7f", "3c3d"].map(str::to_owned).to_vec();
/// let line = FoundLine { value: Value::Cp(30), depth: 12, seldepth: 18, pv };
/// let (mut game, mut shown) = (Game::default(), format!("depth {}: ", line.depth));
/// for word in &line.pv {
///     let mv = game.parse_move(word)?;
///     shown += &notation::japanese(&game, mv, game.last_move());
///     game.play_unchecked(mv);
/// }
/// assert_eq!(shown, "depth 12: ▲７六歩△３四歩");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FoundLine {
    /// The value of the line.
    pub value: Value,
    /// Depth of the iteration that found it.
    pub depth: u32,
    /// Greatest distance from the root that was reached.
    pub seldepth: u32,
    /// Its moves in USI notation. It is empty if the side to move is mated or declares a win.
    pub pv: Vec<String>,
}

/// The result for a position.
///
/// Results pass between programs as JSON:
///
/// ```
/// use tsumero_analysis::{Finding, Value};
/// let text = r#"{
///     "lines": [{"value": {"cp": 25}, "depth": 9, "seldepth": 14, "pv": ["7g7f", "3c3d"]}],
///     "nodes": 3000, "time_ms": 12, "missed_mate": null
/// }"#;
/// let finding: Finding = serde_json::from_str(text)?;
/// let best = &finding.lines[0];
/// assert_eq!((best.value, best.pv[0].as_str()), (Value::Cp(25), "7g7f"));
/// assert_eq!(serde_json::from_str::<Finding>(&serde_json::to_string(&finding)?)?, finding);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The best lines, the best one first. There is at least one.
    pub lines: Vec<FoundLine>,
    /// Nodes searched.
    pub nodes: u64,
    /// The time of the search, in milliseconds.
    pub time_ms: u64,
    /// A proven mate that the move of the game missed, in USI notation.
    pub missed_mate: Option<Vec<String>>,
}

/// If the value for the side to move is at least this, the mate solver is asked, too.
const HOPEFUL: i32 = 400;
/// Nodes for proving a mate, and for all first moves if the move of the game is not the first of
/// the mate.
const MATE_NODES: u64 = 100_000;
/// Size of the table of the mate solver, in megabytes.
const MATE_HASH_MB: usize = 64;

/// Searches positions and keeps the memory for it.
///
/// A king moves where a gold gives mate:
///
/// ```
/// use tsumero_analysis::{Analyst, Budget, Options, Value};
/// use tsumero_control::Signals;
/// use tsumero_core::Position;
/// use tsumero_search::{EvaluationFunction, STACK_SIZE};
/// let evaluation = "internal".to_owned();
/// let budget = Budget::Nodes(500);
/// let options = Options { budget, threads: 1, multi_pv: 1, hash_mb: 1, evaluation };
/// let analyze = || {
///     let position: Position = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap();
///     let played = position.parse_move("5i5h").unwrap();
///     let mut analyst = Analyst::new(options, EvaluationFunction::default());
///     analyst.analyze(&position.into(), Some(played), &Signals::new()).unwrap()
/// };
/// let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(analyze)?;
/// let finding = thread.join().unwrap();
/// assert_eq!(finding.lines[0].value, Value::BlackMates(1));
/// assert_eq!(finding.missed_mate, Some(vec!["G*5b".to_owned()]));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Analyst {
    options: Options,
    searcher: Searcher,
}

impl Analyst {
    /// An analyst with empty tables. If there is not enough memory, the tables are smaller than
    /// asked for.
    pub fn new(options: Options, evaluation_function: EvaluationFunction) -> Analyst {
        let mut searcher = Searcher::new(options.hash_mb);
        searcher.set_evaluation_function(evaluation_function);
        Analyst { options, searcher }
    }

    /// Clears everything that was learned from other games.
    pub fn new_game(&mut self) {
        self.searcher.clear();
    }

    /// Searches the current position of a game, in which `played` was played. `None` if the signals stopped the search. The calling thread needs a stack of
    /// [`STACK_SIZE`](tsumero_search::STACK_SIZE) bytes.
    ///
    /// With a budget of nodes or depth and one thread the result depends on the position alone.
    pub fn analyze(
        &mut self,
        position: &Game,
        played: Option<Move>,
        signals: &Signals,
    ) -> Option<Finding> {
        let is_timed = matches!(self.options.budget, Budget::Time(_));
        if !is_timed {
            self.searcher.clear();
        }
        let mut limits = Limits::default();
        match self.options.budget {
            Budget::Time(time) => limits.movetime = Some(Duration::from_millis(time)),
            Budget::Nodes(nodes) => limits.nodes = Some(nodes),
            Budget::Depth(depth) => limits.depth = Some(depth),
        }
        let settings = Settings {
            multi_pv: self.options.multi_pv,
            threads: self.options.threads,
            output_fail_bounds: false,
            pv_interval: Duration::ZERO,
            ..Settings::default()
        };
        let side = position.side_to_move();
        let mut lines: Vec<FoundLine> = Vec::new();
        let (mut nodes, started) = (0, Instant::now());
        self.searcher.search(position, &limits, &[], &settings, signals, started, &mut |info| {
            nodes = info.nodes;
            let line = FoundLine {
                value: Value::of_score(info.score, side),
                depth: info.depth,
                seldepth: info.seldepth,
                pv: info.pv.iter().map(Move::to_string).collect(),
            };
            match lines.get_mut(info.multipv - 1) {
                Some(place) => *place = line,
                None => lines.push(line),
            }
        });
        if signals.is_stopped() {
            return None;
        }
        let missed_mate = played.and_then(|played| missed_mate(position, played, &lines, signals));
        if signals.is_stopped() {
            return None;
        }
        let time_ms = started.elapsed().as_millis() as u64;
        Some(Finding { lines, nodes, time_ms, missed_mate })
    }
}

/// A mate by the side to move that the move of the game misses.
fn missed_mate(
    position: &Position,
    played: Move,
    lines: &[FoundLine],
    signals: &Signals,
) -> Option<Vec<String>> {
    let side = position.side_to_move();
    let best = lines.first()?;
    let hope = Value::Cp(HOPEFUL).win_rate(tsumero_core::Color::Black);
    if best.value.win_rate(side) < hope {
        return None;
    }
    let limits = MateLimits { time: None, nodes: Some(MATE_NODES), threads: 1, shortest: true };
    // A new table, so that the result does not depend on earlier searches.
    let mut solver = MateSolver::new(MATE_HASH_MB);
    let answer = solver.solve(position, &limits, signals, Instant::now(), &mut |_| {});
    let MateAnswer::Mate(line) = answer else { return None };
    if line.first() == Some(&played) {
        return None;
    }
    // The move of the game may be another first move that mates.
    let choices = solver.solve_all(&position.clone().into(), &limits, signals);
    let found = choices.others.iter().find(|(mv, _)| *mv == played).map(|(_, found)| found);
    let MateAnswer::Mate(line) = choices.answer else { return None };
    match found {
        _ if line.first() == Some(&played) => None,
        Some(FirstMove::Mate { .. } | FirstMove::Unknown(_)) => None,
        Some(FirstMove::NoMate) | None => Some(line.iter().map(Move::to_string).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analyst(budget: Budget) -> Analyst {
        let evaluation = String::new();
        let options = Options { budget, threads: 1, multi_pv: 2, hash_mb: 1, evaluation };
        Analyst::new(options, EvaluationFunction::default())
    }

    /// Searches need a large stack.
    fn analyze(position: &Position, played: Option<&str>) -> Finding {
        let played = played.map(|mv| position.parse_move(mv).unwrap());
        let position = Game::from(position);
        let search = move || {
            analyst(Budget::Nodes(3000)).analyze(&position, played, &Signals::new()).unwrap()
        };
        let thread = std::thread::Builder::new().stack_size(tsumero_search::STACK_SIZE);
        thread.spawn(search).unwrap().join().unwrap()
    }

    #[test]
    fn a_missed_mate_is_proven_and_another_mate_is_none() {
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1").unwrap();
        assert_eq!(analyze(&position, Some("G*5b")).missed_mate, None);
        assert_eq!(analyze(&position, None).missed_mate, None);
        let missed = analyze(&position, Some("5i5h")).missed_mate.unwrap();
        assert_eq!(missed.len(), 1, "{missed:?}");
        let mut after = position.clone();
        after.play_unchecked(position.parse_move(&missed[0]).unwrap());
        assert!(after.in_check() && !after.has_legal_move());
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let mates = after.in_check() && !after.has_legal_move();
            if mates {
                let found = analyze(&position, Some(&mv.to_string()));
                assert_eq!(found.missed_mate, None, "{mv}");
            }
        }
    }

    #[test]
    fn the_same_nodes_find_the_same() {
        let position = Position::startpos();
        let (first, second) = (analyze(&position, None), analyze(&position, None));
        assert_eq!((&first.lines, first.nodes), (&second.lines, second.nodes));
        assert_eq!(first.lines.len(), 2);
        assert!(first.lines[0].value.cp().is_some());
    }

    #[test]
    fn the_mated_side_is_told() {
        let mated = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").unwrap();
        let found = analyze(&mated, None);
        assert_eq!(found.lines[0].value, Value::BlackMates(0));
        assert!(found.lines[0].pv.is_empty());
    }
}
