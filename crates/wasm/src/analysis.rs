//! The analysis of a game with the judgments of `tsumero analyze`. It takes minutes, so the page asks in a
//! worker of its own, which it can end.

use serde::Serialize;
use tsumero_analysis::{
    Analyst, Answer, Budget, EvaluationFunction, GameReport, Options, Study, Task, Value, page_data,
};
use tsumero_control::Signals;

use crate::games::game_of;
use crate::shogi::{json, letter};

/// The megabytes of the table: as many as the program has, because a search with another table may find
/// other lines.
const HASH_MB: usize = 64;

/// What is known after each piece of work.
#[derive(Serialize)]
struct Progress {
    ply: usize,
    /// The number of all positions.
    positions: usize,
    /// From Black's side, as in the data of a page; none after a second look.
    value: Option<ShownValue>,
}

#[derive(Serialize)]
struct ShownValue {
    cp: Option<i32>,
    mate: Option<i64>,
    winner: Option<char>,
}

impl From<Value> for ShownValue {
    fn from(value: Value) -> ShownValue {
        let winner = value.mating_side().map(letter);
        ShownValue { cp: value.cp(), mate: value.mate(), winner }
    }
}

/// Analyzes the game that [`game_of`] reads, with a budget of nodes for each position. `tell` takes the
/// progress as JSON, after each piece of work. Returns the data of a report ([`page_data`]).
pub fn analyze(
    text: &str,
    headers: &str,
    ending: &str,
    nodes: u64,
    mut tell: impl FnMut(&str),
) -> Result<String, String> {
    let game = game_of(text, headers, ending)?;
    let (budget, evaluation) = (Budget::Nodes(nodes.max(1)), String::new());
    let options = Options { budget, threads: 1, multi_pv: 1, hash_mb: HASH_MB, evaluation };
    let mut analyst = Analyst::new(options, EvaluationFunction::default());
    let mut study = Study::new(&game, false);
    let positions = study.positions();
    while let Some((place, task)) = study.next_task() {
        let answer = analyst.perform(&task, &Signals::new()).ok_or("the search was stopped")?;
        let value = match (&task, &answer) {
            (Task::Look(_), Answer::Finding(finding)) => Some(finding.lines[0].value.into()),
            _ => None,
        };
        tell(&json(&Progress { ply: place.ply, positions, value }));
        study.put(place, answer);
    }
    Ok(page_data(&GameReport::new("", 1, &study, true)))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// A search needs a large stack.
    fn analyzed(text: &'static str, ending: &'static str) -> (Vec<Value>, Value) {
        let work = move || {
            let mut told = Vec::new();
            let tell = |line: &str| told.push(serde_json::from_str(line).unwrap());
            let data = analyze(text, "", ending, 500, tell).unwrap();
            (told, serde_json::from_str(&data).unwrap())
        };
        let builder = std::thread::Builder::new().stack_size(tsumero_analysis::STACK_SIZE);
        builder.spawn(work).unwrap().join().unwrap()
    }

    #[test]
    fn a_missed_mate_is_told_and_so_is_each_step() {
        let text = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves 5i5h 5a4a";
        let (told, data) = analyzed(text, "resign");
        assert_eq!(data["positions"][0]["note"], "missed_mate");
        assert_eq!(data["positions"][0]["missed_mate"][0]["usi"], "G*5b");
        assert_eq!(data["ending"], "resign");
        let first = &told[0];
        assert_eq!((&first["ply"], &first["positions"]), (&0.into(), &3.into()));
        assert_eq!((&first["value"]["mate"], &first["value"]["winner"]), (&1.into(), &"b".into()));
        // Each position once, and the move that may be a mistake twice.
        assert!(told.len() > 3 && told[3]["value"].is_null(), "{told:?}");
    }

    #[test]
    fn what_is_no_game_is_refused() {
        assert!(analyze("startpos moves 7g7e", "", "", 10, |_| {}).is_err());
    }
}
