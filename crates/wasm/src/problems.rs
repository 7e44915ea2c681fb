//! Questions of the page about mate problems: solving, making and checking them. A question may take
//! seconds, so the page asks in a worker of its own, which it can end.

use serde::{Deserialize, Serialize};
use serde_json::json as value;
use tsumero_control::Signals;
use tsumero_core::Move;
use tsumero_mate::tsume::{
    Area, CheckFound, Defense, Generator, Judge, JudgeLimits, Kinds, ParseAreaError,
    ParseKindsError, Progress, Recipe, Style, Tree, TreeLimits, Verdict,
};
use tsumero_mate::{MateAnswer, MateLimits, MateQuestion, MateSolver};

use crate::shogi::{game, json};

/// The megabytes of each table.
const HASH_MB: usize = 16;
/// The nodes for each reply to a check of the person.
const REPLY_NODES: u64 = 400_000;
/// The nodes for each question of a judgment, as `tsumero tsume check` has them.
const JUDGE_NODES: u64 = 100_000;

fn words(line: &[Move]) -> Vec<String> {
    line.iter().map(ToString::to_string).collect()
}

/// The answer to the last move of a text, a check: `{"kind": "mate"}`, `{"kind": "reply", "move", "left"}`,
/// `{"kind": "wrong", "reply"}` or `{"kind": "unknown"}`.
pub fn answer(text: &str) -> Result<String, String> {
    let (before, last) = text.rsplit_once(' ').ok_or("no move")?;
    let before = before.strip_suffix(" moves").unwrap_or(before);
    let before = game(before)?;
    let check = before.parse_move(last).map_err(|error| error.to_string())?;
    Ok(json(&match Defense::new().answer(&before, check, REPLY_NODES) {
        CheckFound::Mates(mate) => match mate.replies.first() {
            None => value!({ "kind": "mate" }),
            Some(reply) => {
                value!({ "kind": "reply", "move": reply.mv.to_string(), "left": reply.plies })
            }
        },
        CheckFound::Fails(reply) => value!({ "kind": "wrong", "reply": reply.to_string() }),
        CheckFound::Unknown => value!({ "kind": "unknown" }),
    }))
}

/// The shortest mate in a position that the limits allow to find; empty without one.
pub fn mate(text: &str) -> Result<String, String> {
    let position = game(text)?;
    let limits = MateLimits { nodes: Some(2_000_000), ..MateLimits::default() };
    let signals = Signals::new();
    let question = MateQuestion::new(&position, &limits, &signals);
    let found = MateSolver::new(HASH_MB).solve(&question, &mut |_| {});
    Ok(json(&match found {
        MateAnswer::Mate(mate) => words(&mate.line),
        MateAnswer::NoMate | MateAnswer::Unknown(_) => Vec::new(),
    }))
}

/// What is said of a style that has no room. The page knows these words (web/puzzles.js).
const TOO_MANY: &str = "too many pieces for the area or the kinds";

/// What a person wants of a problem. What is left out is free.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Wanted {
    board: Option<String>,
    hand: Option<String>,
    area: Option<String>,
    pieces: Option<(u32, u32)>,
    both_kings: bool,
    loose: bool,
}

impl Wanted {
    fn style(&self) -> Result<Style, String> {
        let kinds = |text: &Option<String>| match text {
            Some(text) => text.parse().map_err(|error: ParseKindsError| error.to_string()),
            None => Ok(Kinds::ALL),
        };
        let area = match &self.area {
            Some(text) => text.parse().map_err(|error: ParseAreaError| error.to_string())?,
            None => Area::BOARD,
        };
        let style = Style {
            board: kinds(&self.board)?,
            hand: kinds(&self.hand)?,
            area,
            pieces: self.pieces.unwrap_or(Style::ANY.pieces),
            both_kings: self.both_kings,
        };
        if style.has_room() { Ok(style) } else { Err(TOO_MANY.to_owned()) }
    }
}

/// A new problem, the one that `tsumero tsume generate` makes of the same numbers and the same style. The
/// style is JSON with the names of the options; it is empty for any style.
pub fn make(plies: u32, seed: u32, number: u32, style: &str) -> Result<String, String> {
    if plies.is_multiple_of(2) || plies > Recipe::LONGEST {
        return Err(format!("{plies}: not an odd number up to {}", Recipe::LONGEST));
    }
    let wanted: Wanted = match style {
        "" => Wanted::default(),
        style => serde_json::from_str(style).map_err(|error| error.to_string())?,
    };
    let recipe = Recipe { plies, seed: seed.into(), loose: wanted.loose, style: wanted.style()? };
    let (progress, signals) = (Progress::default(), Signals::new());
    let problem = Generator::new(recipe, &progress, &signals).problem(number.into());
    let problem = problem.ok_or("nothing was made")?;
    let line = words(&problem.solution.line);
    Ok(json(&value!({ "sfen": problem.position.to_sfen(), "line": line })))
}

/// A second solution.
#[derive(Serialize)]
struct Second {
    /// The number of plies before it.
    ply: usize,
    #[serde(rename = "move")]
    mv: String,
    plies: u32,
}

/// What is wrong with a problem: `{"verdict", "plies", "line", "second", "last", "idle", "left"}`. The
/// verdict is `sound`, `second`, `nomate`, `unknown`, or `bad` with a reason. `second` lists all second
/// solutions on the line, `last` the other mates at its last move.
pub fn check(text: &str) -> Result<String, String> {
    let position = match game(text) {
        Ok(game) => (*game).clone(),
        Err(reason) => return Ok(json(&value!({ "verdict": "bad", "reason": reason }))),
    };
    let mut judge = Judge::new(JudgeLimits { nodes: JUDGE_NODES, hash_mb: HASH_MB });
    let (word, line, idle, left) = match judge.judge(&position) {
        Verdict::Sound(solution) => {
            let idle = judge.idle(&position, &solution).unwrap_or_default();
            let idle = idle.iter().map(ToString::to_string).collect();
            ("sound", Some(solution.line), idle, solution.left_in_hand)
        }
        Verdict::SecondSolution { .. } => ("second", None, Vec::new(), 0),
        Verdict::NoMate => return Ok(json(&value!({ "verdict": "nomate" }))),
        Verdict::Unknown(reason) => {
            return Ok(json(&value!({ "verdict": "unknown", "reason": reason.word() })));
        }
    };
    let limits = TreeLimits { positions: 0, detour: 0, nodes: 0, reply_nodes: JUDGE_NODES };
    let tree = Tree::of(&position, line.as_deref().unwrap_or(&[]), &limits);
    let (line, second, last) = along(&tree);
    let plies = line.len();
    Ok(json(&value!({
        "verdict": word, "plies": plies, "line": line, "second": second, "last": last,
        "idle": idle, "left": left,
    })))
}

/// The main line of a tree, the other mates on it, and those at its last move.
fn along(tree: &Tree) -> (Vec<String>, Vec<Second>, Vec<String>) {
    let (mut line, mut second, mut last) = (Vec::new(), Vec::new(), Vec::new());
    let mut place = Some(0);
    while let Some(node) = place.and_then(|place| tree.nodes.get(place)) {
        let Some(best) = node.mates.first() else { break };
        let ply = line.len();
        let others = node.mates[1..].iter();
        // At the last move custom allows several mates, unless it is the first.
        if best.plies == 1 && ply > 0 {
            last = others.filter(|one| one.plies == 1).map(|one| one.mv.to_string()).collect();
        } else {
            second.extend(others.map(|one| Second {
                ply,
                mv: one.mv.to_string(),
                plies: one.plies,
            }));
        }
        line.push(best.mv.to_string());
        let Some(reply) = best.replies.first() else { break };
        line.push(reply.mv.to_string());
        place = reply.node;
    }
    (line, second, last)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const FIVE: &str = "sfen 9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1";

    fn read(text: Result<String, String>) -> Value {
        serde_json::from_str(&text.unwrap()).unwrap()
    }

    #[test]
    fn the_defense_answers_to_the_last_move() {
        let right = read(answer(&format!("{FIVE} moves G*2d")));
        assert_eq!((&right["move"], &right["left"]), (&"1c1b".into(), &3.into()));
        let wrong = read(answer(&format!("{FIVE} moves G*2b")));
        assert_eq!(wrong["kind"], "wrong");
        let mated = read(answer(&format!("{FIVE} moves G*2d 1c1b 2d2c 1b1a 2c2b")));
        assert_eq!(mated["kind"], "mate");
        assert!(answer(&format!("{FIVE} moves 1a1b")).is_err());
        assert_eq!(read(mate(FIVE)).as_array().unwrap().len(), 5);
    }

    #[test]
    fn a_problem_is_the_one_of_the_program() {
        let corner =
            Style { board: "GSP".parse().unwrap(), area: "1-4,1-4".parse().unwrap(), ..Style::ANY };
        let wanted = r#"{"board":"GSP","area":"1-4,1-4"}"#;
        for (style, text) in [(Style::ANY, ""), (Style::ANY, "{}"), (corner, wanted)] {
            let recipe = Recipe { plies: 3, seed: 9, loose: false, style };
            let (progress, signals) = (Progress::default(), Signals::new());
            let expected = Generator::new(recipe, &progress, &signals).problem(4).unwrap();
            let made = read(make(3, 9, 4, text));
            assert_eq!(made["sfen"], expected.position.to_sfen());
        }
        assert!(make(4, 1, 0, "").is_err() && make(99, 1, 0, "").is_err());
        for bad in ["{", r#"{"board":"X"}"#, r#"{"area":"1-2,1-2","pieces":[9,9]}"#] {
            assert!(make(3, 1, 0, bad).is_err(), "{bad}");
        }
        let full = r#"{"board":"R","pieces":[6,10]}"#;
        assert_eq!(make(3, 1, 0, full).unwrap_err(), TOO_MANY);
        assert!(include_str!("../../../web/puzzles.js").contains(&format!("\"{TOO_MANY}\"")));
    }

    #[test]
    fn a_verdict_names_every_second_solution() {
        let sound = read(check(FIVE));
        assert_eq!((&sound["verdict"], &sound["plies"]), (&"sound".into(), &5.into()));
        let several = read(check("sfen 4k4/9/4G4/9/9/9/9/9/9 b 2G2r2bg4s4n4l18p 1"));
        assert_eq!(several["verdict"], "second");
        let mut second: Vec<&str> = several["second"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["move"].as_str().unwrap())
            .collect();
        second.sort_unstable();
        assert_eq!(second, ["G*4a", "G*4b", "G*6a", "G*6b"]);
        assert_eq!(
            read(check("sfen 4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1"))["verdict"],
            "nomate"
        );
        assert_eq!(read(check("sfen nonsense"))["verdict"], "bad");
    }
}
