//! What an [`Analyst`](crate::Analyst) is asked, and what it answers.

use serde::{Deserialize, Serialize};
use tsumero_core::{Game, Move, UsiMove};

use crate::Value;

/// One line of play.
///
/// ```
/// use tsumero_analysis::{FoundLine, Value};
/// use tsumero_core::{Game, notation};
/// let pv = vec!["7g7f".parse()?, "3c3d".parse()?];
/// let line = FoundLine { value: Value::Cp(30), depth: 12, seldepth: 18, pv };
/// let (mut game, mut shown) = (Game::default(), format!("depth {}: ", line.depth));
/// for &mv in &line.pv {
///     let mv = game.validate(mv)?;
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
    /// Its moves. There are none if the side to move is mated or declares a win, or if the game has
    /// ended by repetition.
    pub pv: Vec<UsiMove>,
}

/// The result for a position. It depends on the position alone, not on the move played in it.
///
/// Results pass between programs as JSON:
///
/// ```
/// use tsumero_analysis::{Finding, Value};
/// let text = r#"{
///     "lines": [{"value": {"cp": 25}, "depth": 9, "seldepth": 14, "pv": ["7g7f", "3c3d"]}],
///     "nodes": 3000, "time_ms": 12
/// }"#;
/// let finding: Finding = serde_json::from_str(text)?;
/// let best = &finding.lines[0];
/// assert_eq!((best.value, best.pv[0]), (Value::Cp(25), "7g7f".parse()?));
/// assert_eq!((finding.mate.as_ref(), finding.searched), (None, None));
/// assert_eq!(serde_json::from_str::<Finding>(&serde_json::to_string(&finding)?)?, finding);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The best lines, the best one first. There is at least one. A proven mate comes first.
    pub lines: Vec<FoundLine>,
    /// Nodes of the search, without those of the mate solver.
    pub nodes: u64,
    /// The time for both, in milliseconds.
    pub time_ms: u64,
    /// A mate by the side to move that the mate solver has proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<Vec<UsiMove>>,
    /// What the search alone thought, if the mate solver knew better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searched: Option<Value>,
}

impl Finding {
    /// The result of a search alone.
    pub fn of_search(lines: Vec<FoundLine>, nodes: u64) -> Finding {
        Finding { lines, nodes, time_ms: 0, mate: None, searched: None }
    }
}

/// The result of a second look at a move that may be a mistake: the same position again, with twice
/// the budget for the engine's choice and twice for the move played, both to the same depth.
///
/// ```
/// use tsumero_analysis::{SecondLook, Value};
/// let text = r#"{"best": {"cp": 310}, "played": {"cp": -20}, "depth": 14, "nodes": 400000}"#;
/// let second: SecondLook = serde_json::from_str(text)?;
/// assert_eq!((second.best, second.played), (Value::Cp(310), Value::Cp(-20)));
/// assert_eq!(second.missed_mate, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SecondLook {
    /// The value after the engine's choice.
    pub best: Value,
    /// The value after the move played.
    pub played: Value,
    /// The depth of both, in plies; 0 if mates alone decided.
    pub depth: u32,
    /// Nodes of the search, without those of the mate solver.
    pub nodes: u64,
    /// The proven mate, if the move played gave it away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_mate: Option<Vec<UsiMove>>,
}

/// One piece of work for an [`Analyst`](crate::Analyst). A [`Study`](crate::Study) of a game hands them out.
///
/// ```
/// use tsumero_analysis::{Study, Task};
/// use tsumero_record::read;
/// let game = read(b"startpos moves 7g7f\n").into_games()?.remove(0);
/// let (place, task) = Study::new(&game, false).next_task().unwrap();
/// let shown = match task {
///     Task::Look(position) => position.to_sfen(),
///     Task::LookAgain(doubtful) => format!("{} again", doubtful.played),
/// };
/// assert_eq!((place.ply, shown), (0, tsumero_core::Position::startpos().to_sfen()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum Task {
    /// Look at a position for the first time.
    Look(Box<Game>),
    /// Look again at a move.
    LookAgain(Box<DoubtfulMove>),
}

/// A move that may be a mistake.
///
/// ```
/// use tsumero_analysis::{Answer, Finding, FoundLine, Study, Task, Value};
/// use tsumero_record::read;
/// let game = read(b"startpos moves 9g9f\n").into_games()?.remove(0);
/// let mut study = Study::new(&game, false);
/// let mut asked = Vec::new();
/// while let Some((place, task)) = study.next_task() {
///     match task {
///         Task::Look(_) => {
///             let value = Value::Cp(-600 * place.ply as i32);
///             let pv = vec!["7g7f".parse()?];
///             let lines = vec![FoundLine { value, depth: 9, seldepth: 12, pv }];
///             study.put(place, Answer::Finding(Finding::of_search(lines, 900)));
///         }
///         Task::LookAgain(doubtful) => {
///             asked.push((doubtful.best.to_string(), doubtful.played.to_string()));
///             break;
///         }
///     }
/// }
/// assert_eq!(asked, [("7g7f".to_owned(), "9g9f".to_owned())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DoubtfulMove {
    /// The position in which it was played.
    pub position: Game,
    /// The engine's choice.
    pub best: Move,
    /// The move played, another one.
    pub played: Move,
    /// What was found in the position.
    pub before: Finding,
    /// What was found after the move played.
    pub after: Finding,
}

/// What an [`Analyst`](crate::Analyst) says to a [`Task`].
///
/// ```
/// use tsumero_analysis::Answer;
/// let text = r#"{"second": {"best": {"cp": 9}, "played": {"cp": 1}, "depth": 3, "nodes": 70}}"#;
/// match serde_json::from_str(text)? {
///     Answer::Second(second) => assert_eq!(second.depth, 3),
///     Answer::Finding(finding) => panic!("{finding:?}"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// To [`Task::Look`].
    Finding(Finding),
    /// To [`Task::LookAgain`].
    Second(SecondLook),
}
