//! Searching one position after another.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tsumero_control::{Instant, Limits, Signals};
use tsumero_core::{Color, Game, Move, Position, UsiMove};
use tsumero_mate::{Mate, MateAnswer, MateLimits, MateQuestion, MateSolver};
use tsumero_search::{EvaluationFunction, Question, Searcher, Settings};

use crate::{Answer, DoubtfulMove, Finding, FoundLine, SecondLook, Task, Value};

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
    /// What identifies the evaluation. A run is resumed only with the same one.
    pub evaluation: String,
}

impl Options {
    /// Whether results are the same in every run, as a [`GameReport`](crate::GameReport) asks: with a budget that is no time, and one thread.
    ///
    /// ```
    /// use tsumero_analysis::{Budget, Options};
    /// let evaluation = "attack maps".to_owned();
    /// let budget = Budget::Nodes(1000);
    /// let options = Options { budget, threads: 1, multi_pv: 1, hash_mb: 1, evaluation };
    /// assert!(options.is_reproducible());
    /// assert!(!Options { threads: 2, ..options }.is_reproducible());
    /// ```
    pub fn is_reproducible(&self) -> bool {
        !matches!(self.budget, Budget::Time(_)) && self.threads == 1
    }
}

/// Nodes of the mate solver for every position.
const MATE_NODES: u64 = 20_000;
/// Nodes of the mate solver where a mate is likely: the side to move stands better by
/// [`HOPEFUL`], or a mate is known and may not be the shortest. The same number again tries all first
/// moves, if the game's move is not the first move of the mate.
const MORE_MATE_NODES: u64 = 100_000;
/// Nodes of the mate solver where the side to move has no king: such a position is a mate problem.
const PROBLEM_NODES: u64 = 1_000_000;
const HOPEFUL: i32 = 400;
/// Size of the table of the mate solver, in megabytes.
const MATE_HASH_MB: usize = 64;
/// How much more a second look gets for each of its moves.
const SECOND_LOOK: u64 = 2;
/// The same where the budget is a depth: so many plies.
const SECOND_LOOK_PLIES: u32 = 2;
/// The greatest depth of a search, in plies.
const DEEPEST: u32 = 127;

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
///     let mut analyst = Analyst::new(options, EvaluationFunction::default());
///     analyst.look(&position.into(), &Signals::new()).unwrap()
/// };
/// let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(analyze)?;
/// let finding = thread.join().unwrap();
/// assert_eq!(finding.lines[0].value, Value::BlackMates(1));
/// assert_eq!(finding.mate, Some(vec!["G*5b".parse().unwrap()]));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Analyst {
    options: Options,
    searcher: Searcher,
    solver: MateSolver,
}

impl Analyst {
    /// An analyst with empty tables. If there is not enough memory, the tables are smaller than
    /// asked for; [`Analyst::table_megabytes`] tells it.
    ///
    /// # Panics
    /// When there is not even room for a table of one megabyte.
    pub fn new(options: Options, evaluation_function: EvaluationFunction) -> Analyst {
        let mut searcher = Searcher::new(options.hash_mb);
        searcher.set_evaluation_function(evaluation_function);
        Analyst { options, searcher, solver: MateSolver::new(MATE_HASH_MB) }
    }

    /// The size of the transposition table in megabytes.
    pub fn table_megabytes(&self) -> usize {
        self.searcher.table_megabytes()
    }

    /// Clears everything that was learned from other games, and makes the memory ready, unless the
    /// signals stop that.
    pub fn new_game(&mut self, signals: &Signals) {
        if self.is_timed() {
            self.searcher.clear();
            self.searcher.warm_up(&mut || !signals.is_stopped());
        }
    }

    /// Whether a search profits from the ones before it. With other budgets, each begins with empty
    /// tables.
    fn is_timed(&self) -> bool {
        matches!(self.options.budget, Budget::Time(_))
    }

    /// Does a piece of work. `None` if the signals stopped it. The calling thread needs a stack of
    /// [`STACK_SIZE`](tsumero_search::STACK_SIZE) bytes.
    ///
    /// With a budget of nodes or depth and one thread the answer depends on the task alone.
    pub fn perform(&mut self, task: &Task, signals: &Signals) -> Option<Answer> {
        match task {
            Task::Look(position) => self.look(position, signals).map(Answer::Finding),
            Task::LookAgain(doubtful) => self.look_again(doubtful, signals).map(Answer::Second),
        }
    }

    /// Searches the current position of a game, and asks the mate solver. `None` if the signals
    /// stopped the search.
    pub fn look(&mut self, position: &Game, signals: &Signals) -> Option<Finding> {
        let started = Instant::now();
        let limits = self.limits(1);
        let multi_pv = self.options.multi_pv;
        let Searched { mut lines, nodes } =
            self.search(position, &[], multi_pv, &limits, signals)?;
        let side = position.side_to_move();
        let hope = Value::Cp(HOPEFUL).win_rate(Color::Black);
        let is_hopeful = lines[0].value.win_rate(side) >= hope;
        let budget = if position.king(side).is_none() {
            PROBLEM_NODES
        } else if is_hopeful {
            MORE_MATE_NODES
        } else {
            MATE_NODES
        };
        let mate = self.mate(position, budget, signals);
        if signals.is_stopped() {
            return None;
        }
        let mut searched = None;
        if let Some(mate) = &mate {
            let plies = mate.len() as u32;
            // Of two mates of the same length, the proven one has all of its moves.
            let is_shorter =
                |value: Value| value.mating_side() == Some(side) && value.plies() < Some(plies);
            if !is_shorter(lines[0].value) {
                searched = Some(lines[0].value).filter(|value| value.mating_side() != Some(side));
                let wanted = lines.len();
                let found = FoundLine {
                    value: Value::mate_by(side, plies),
                    depth: lines[0].depth,
                    seldepth: lines[0].seldepth.max(plies),
                    pv: mate.clone(),
                };
                lines.retain(|line| line.pv.first() != mate.first());
                lines.insert(0, found);
                lines.truncate(wanted);
            }
        }
        let time_ms = started.elapsed().as_millis() as u64;
        Some(Finding { lines, nodes, time_ms, mate, searched })
    }

    /// Looks again at a move that may be a mistake. `None` if the signals stopped the search.
    pub fn look_again(&mut self, doubtful: &DoubtfulMove, signals: &Signals) -> Option<SecondLook> {
        let DoubtfulMove { position, best, played, before, after } = doubtful;
        let side = position.side_to_move();
        let kept = before.mate.as_ref().map(|_| self.keeps_mate(position, *played, signals));
        let missed_mate = before.mate.clone().filter(|_| kept == Some(Kept::Nothing));
        let is_proven = |finding: &Finding| finding.mate.is_some();
        // A proven mate needs no search. That after the engine's choice has not been looked for.
        let best_value = if is_proven(before) {
            Some(before.lines[0].value)
        } else {
            let mut after_best = position.clone();
            after_best.play_unchecked(*best);
            let refuted = self.mate(&after_best, MATE_NODES, signals);
            refuted.map(|mate| Value::mate_by(side.opponent(), mate.len() as u32))
        };
        let played_value = match kept {
            Some(Kept::Mate(plies)) => Some(Value::mate_by(side, plies)),
            _ => is_proven(after).then_some(after.lines[0].value),
        };
        let open: Vec<Move> = [(*best, best_value), (*played, played_value)]
            .into_iter()
            .filter_map(|(mv, known)| known.is_none().then_some(mv))
            .collect();
        // A search that ends early may leave a move out. Then its first value stands.
        let mut second = SecondLook {
            best: best_value.unwrap_or(before.lines[0].value),
            played: played_value.unwrap_or(after.lines[0].value),
            depth: 0,
            nodes: 0,
            missed_mate,
        };
        if !open.is_empty() {
            let limits = self.limits(SECOND_LOOK * open.len() as u64);
            let found = self.search(position, &open, open.len(), &limits, signals)?;
            second.nodes = found.nodes;
            for line in &found.lines {
                if line.pv.first() == Some(&best.to_usi()) {
                    second.best = line.value;
                } else {
                    second.played = line.value;
                }
                second.depth = line.depth;
            }
        }
        (!signals.is_stopped()).then_some(second)
    }

    /// The budget of one position, `times` as large.
    fn limits(&self, times: u64) -> Limits {
        let mut limits = Limits::default();
        match self.options.budget {
            Budget::Time(time) => {
                limits.movetime = Some(Duration::from_millis(time.saturating_mul(times)));
            }
            Budget::Nodes(nodes) => limits.nodes = Some(nodes.saturating_mul(times)),
            Budget::Depth(depth) if times == 1 => limits.depth = Some(depth),
            Budget::Depth(depth) => {
                limits.depth = Some(depth.saturating_add(SECOND_LOOK_PLIES).min(DEEPEST))
            }
        }
        limits
    }

    /// Searches the given first moves, or all if there are none. Of several lines all are of the
    /// same depth: the search reports those of an iteration together. `None` if the signals stopped
    /// the search.
    fn search(
        &mut self,
        position: &Game,
        moves: &[Move],
        multi_pv: usize,
        limits: &Limits,
        signals: &Signals,
    ) -> Option<Searched> {
        if !self.is_timed() {
            self.searcher.clear();
        }
        let settings = Settings {
            multi_pv,
            threads: self.options.threads,
            output_fail_bounds: false,
            pv_interval: Duration::ZERO,
            ..Settings::default()
        };
        let side = position.side_to_move();
        let mut lines: Vec<FoundLine> = Vec::new();
        let mut nodes = 0;
        let all_moves = Question::new(position, limits, &settings, signals);
        let question = Question { search_moves: moves, ..all_moves };
        self.searcher.search(&question, &mut |info| {
            nodes = info.nodes;
            let line = FoundLine {
                value: Value::of_score(info.score, side),
                depth: info.depth,
                seldepth: info.seldepth,
                pv: info.pv.iter().map(|mv| mv.to_usi()).collect(),
            };
            match lines.get_mut(info.multipv - 1) {
                Some(place) => *place = line,
                None => lines.push(line),
            }
        });
        (!signals.is_stopped()).then_some(Searched { lines, nodes })
    }

    /// A proven mate by the side to move. `None` also where a repetition may end the game first: the
    /// solver knows nothing of the game so far.
    fn mate(&mut self, position: &Game, nodes: u64, signals: &Signals) -> Option<Vec<UsiMove>> {
        if position.may_end_by_repetition() {
            return None;
        }
        // A new table, so that the result does not depend on earlier searches.
        self.solver.forget();
        let mut shortest: Option<Mate> = None;
        for nodes in [nodes, nodes.max(MORE_MATE_NODES)] {
            let limits = MateLimits { nodes: Some(nodes), ..MateLimits::default() };
            let question = MateQuestion::new(position, &limits, signals);
            let answer = self.solver.solve(&question, &mut |_| {});
            if let MateAnswer::Mate(mate) = answer
                && shortest.as_ref().is_none_or(|known| mate.plies() < known.plies())
            {
                shortest = Some(mate);
            }
            // A mate that may not be the shortest is worth a larger budget.
            if shortest.as_ref().is_none_or(|mate| mate.is_shortest) {
                break;
            }
        }
        shortest.map(|mate| mate.line.iter().map(|mv| mv.to_usi()).collect())
    }

    /// What the move of the game leaves of a proven mate.
    fn keeps_mate(&mut self, position: &Position, played: Move, signals: &Signals) -> Kept {
        if !position.gives_check(played) {
            return Kept::Nothing;
        }
        self.solver.forget();
        let limits = MateLimits { nodes: Some(MORE_MATE_NODES), ..MateLimits::default() };
        let problem = position.clone().into();
        let choices = self.solver.solve_all(&MateQuestion::for_problem(&problem, &limits, signals));
        let MateAnswer::Mate(mate) = choices.answer else { return Kept::Unknown };
        if mate.line.first() == Some(&played) {
            return Kept::Mate(mate.plies());
        }
        match choices.others.iter().find(|(mv, _)| *mv == played).map(|(_, found)| found) {
            Some(MateAnswer::Mate(mate)) => Kept::Mate(mate.plies()),
            Some(MateAnswer::Unknown(_)) => Kept::Unknown,
            Some(MateAnswer::NoMate) | None => Kept::Nothing,
        }
    }
}

/// What is left of a proven mate if another first move than its own is played.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// The move mates, too, in so many plies.
    Mate(u32),
    /// The move gives the mate away.
    Nothing,
    /// The limits were reached.
    Unknown,
}

/// What a search has found.
struct Searched {
    lines: Vec<FoundLine>,
    nodes: u64,
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
    fn on_large_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
        let thread = std::thread::Builder::new().stack_size(tsumero_search::STACK_SIZE);
        thread.spawn(work).unwrap().join().unwrap()
    }

    fn look(position: &Position) -> Finding {
        let position = Game::from(position);
        on_large_stack(move || {
            analyst(Budget::Nodes(3000)).look(&position, &Signals::new()).unwrap()
        })
    }

    fn look_again(position: &Position, best: UsiMove, played: UsiMove) -> SecondLook {
        let [best, played] = [best, played].map(|mv| position.validate(mv).unwrap());
        let mut after = position.clone();
        after.play_unchecked(played);
        let (before, after) = (look(position), look(&after));
        let position = Game::from(position);
        on_large_stack(move || {
            let doubtful = DoubtfulMove { position, best, played, before, after };
            analyst(Budget::Nodes(3000)).look_again(&doubtful, &Signals::new()).unwrap()
        })
    }

    #[test]
    fn a_missed_mate_is_proven_and_another_mate_is_none() {
        let position = Position::from_sfen("8k/9/7PP/9/9/9/9/9/4K4 b G 1").unwrap();
        let mate = look(&position).mate.unwrap();
        assert_eq!(mate.len(), 1);
        let mut mates = 0;
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let is_mate = after.in_check() && !after.has_legal_move();
            mates += usize::from(is_mate);
            // A drop may also mate later.
            if mv.to_usi() != mate[0] && (is_mate || !after.in_check()) {
                let missed = look_again(&position, mate[0], mv.to_usi()).missed_mate;
                assert_eq!(missed.is_none(), is_mate, "{mv}: {missed:?}");
            }
        }
        assert_eq!(mates, 2, "there is another mate to be tried");
    }

    /// White has a reply that repeats the position for the fourth time, and Black would lose by perpetual
    /// check.
    #[test]
    fn a_mate_that_a_repetition_prevents_is_none() {
        let mut game =
            Game::from(Position::from_sfen("3s4k/3+P5/3P5/7+R1/3+R5/9/9/9/K8 b - 1").unwrap());
        let moves = ["2d1d", "1a2b", "1d2d", "2b1a"];
        for (number, text) in moves.into_iter().cycle().take(10).enumerate() {
            if number == 2 {
                assert!(look(game.position()).mate.is_some());
            }
            game.play(game.parse_move(text).unwrap()).unwrap();
        }
        let found = on_large_stack(move || {
            analyst(Budget::Nodes(3000)).look(&game, &Signals::new()).unwrap()
        });
        assert_eq!(found.mate, None);
    }

    /// The mate of this problem takes 13 plies. A search of 300 nodes does not see it.
    #[test]
    fn a_small_budget_finds_the_mate_and_says_what_the_search_thought() {
        let sfen = "6lk1/5pppn/9/6R1N/9/9/9/9/9 b BGSrb3g3s2n3l15p 1";
        let problem = Position::from_sfen(sfen).unwrap();
        let found = look(&problem);
        let mate = found.mate.clone().unwrap();
        let mut position = problem.clone();
        for &mv in &mate {
            position.play_unchecked(position.validate(mv).unwrap());
        }
        assert!(position.is_mate());
        assert_eq!((found.lines[0].value, &found.lines[0].pv), (Value::BlackMates(13), &mate));
        assert!(found.searched.is_some_and(|value| value.win_rate(Color::Black) < 0.5));
        assert_eq!(look_again(&problem, mate[0], "G*7g".parse().unwrap()).missed_mate, Some(mate));
    }

    /// Making a table of half a gigabyte ready would show in the memory of the process.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_large_table_holds_up_neither_a_start_nor_a_stop() {
        let resident = || -> usize {
            let status = std::fs::read_to_string("/proc/self/status").unwrap();
            let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
            line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() >> 10
        };
        let (before, stopped) = (resident(), Signals::new());
        stopped.stop();
        for (budget, signals) in [(Budget::Nodes(9), Signals::new()), (Budget::Time(9), stopped)] {
            let evaluation = String::new();
            let options = Options { budget, threads: 1, multi_pv: 1, hash_mb: 512, evaluation };
            let mut analyst = Analyst::new(options, EvaluationFunction::default());
            analyst.new_game(&signals);
            assert!(resident() < before + 256, "{budget:?}");
        }
    }

    /// The rook mates in 3 from 6c. From 7c it mates in 27, which a search does not see.
    #[test]
    fn a_slower_mate_loses_nothing() {
        let sfen = "5p3/9/p3+RR3/2k6/9/1G7/+sn7/9/9 b 2b3g3s3n4l16p 1";
        let position = Position::from_sfen(sfen).unwrap();
        let played: UsiMove = "5c7c".parse().unwrap();
        let best = look(&position).mate.unwrap()[0];
        assert_ne!(best, played);
        let second = look_again(&position, best, played);
        assert_eq!(second.missed_mate, None);
        let sides = [second.best, second.played].map(Value::mating_side);
        assert_eq!(sides, [Some(Color::Black); 2], "{second:?}");
    }

    /// A single node is not enough for a search of two moves.
    #[test]
    fn a_move_that_was_not_searched_again_keeps_its_first_value() {
        let position = Game::from(Position::startpos());
        let [best, played] = ["2g2f", "9g9f"].map(|word| position.parse_move(word).unwrap());
        let finding = |cp, word: &str| {
            let pv = vec![word.parse().unwrap()];
            let line = FoundLine { value: Value::Cp(cp), depth: 1, seldepth: 1, pv };
            Finding::of_search(vec![line], 1)
        };
        let (before, after) = (finding(700, "2g2f"), finding(-800, "3c3d"));
        let second = on_large_stack(move || {
            let doubtful = DoubtfulMove { position, best, played, before, after };
            analyst(Budget::Nodes(1)).look_again(&doubtful, &Signals::new()).unwrap()
        });
        assert_eq!(second.played, Value::Cp(-800), "{second:?}");
    }

    /// A bishop is given away: the square is open to White's bishop.
    fn blunder() -> SecondLook {
        let mut position = Position::startpos();
        for mv in ["7g7f", "3c3d"] {
            position.play_unchecked(position.parse_move(mv).unwrap());
        }
        look_again(&position, "2g2f".parse().unwrap(), "8h5e".parse().unwrap())
    }

    #[test]
    fn a_second_look_compares_two_moves_at_the_same_depth() {
        let second = blunder();
        // Twice the budget for each of two moves, up to the next check of the limit.
        assert!((12_000..14_000).contains(&second.nodes), "{second:?}");
        assert!(second.depth > 0, "{second:?}");
        assert!(second.best.cp().unwrap() > second.played.cp().unwrap() + 300, "{second:?}");
    }

    #[test]
    fn the_same_nodes_find_the_same() {
        let position = Position::startpos();
        let (first, second) = (look(&position), look(&position));
        assert_eq!((&first.lines, first.nodes), (&second.lines, second.nodes));
        assert_eq!(first.lines.len(), 2);
        assert!(first.lines[0].value.cp().is_some());
        assert_eq!(blunder(), blunder());
    }

    #[test]
    fn the_mated_side_is_told() {
        let mated = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").unwrap();
        let found = look(&mated);
        assert_eq!(found.lines[0].value, Value::BlackMates(0));
        assert!(found.lines[0].pv.is_empty());
    }
}
